// What the verifier of TOSA takes and tir does not have, one operator at a time.
// RUN: xc-opt %s --split-input-file --verify-diagnostics=only-expected --convert-tosa-to-tir

func.func @floor(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@+1 {{'tosa.floor' op has integers, for which tir has no such function}}
  %0 = "tosa.floor"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @border(%x: tensor<4xf32>, %v: tensor<1xf32>) -> tensor<6xf32> {
  %p = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error@+1 {{'tosa.pad' op has a border whose value is not a constant}}
  %0 = tosa.pad %x, %p, %v : (tensor<4xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @border(%x: tensor<4xi32>) -> tensor<6xi32> {
  %v = "tosa.const"() <{values = dense<123456789> : tensor<1xi32>}> : () -> tensor<1xi32>
  %p = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error@+1 {{'tosa.pad' op has a border of 123456789, which is not a float of 32 bits}}
  %0 = tosa.pad %x, %p, %v : (tensor<4xi32>, !tosa.shape<2>, tensor<1xi32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}

// -----

func.func @slice(%x: tensor<4xf32>) -> tensor<3xf32> {
  %s = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %n = tosa.const_shape {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-error@+1 {{'tosa.slice' op goes beyond dimension 0}}
  %0 = tosa.slice %x, %s, %n : (tensor<4xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @table(%x: tensor<4xi8>) -> tensor<4xi8> {
  %t = "tosa.const"() <{values = dense<3> : tensor<100xi8>}> : () -> tensor<100xi8>
  // expected-error@+1 {{'tosa.table' op has no table of 256 entries for elements of 8 bits or 513 for 16}}
  %0 = "tosa.table"(%x, %t) : (tensor<4xi8>, tensor<100xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @transposed(%x: tensor<1x4x4x2xf32>, %w: tensor<2x2x2x2xf32>, %b: tensor<2xf32>) -> tensor<1x70005x5x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-error@+1 {{'tosa.transpose_conv2d' op has out_pad 70000}}
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 70000, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x70005x5x2xf32>
  return %0 : tensor<1x70005x5x2xf32>
}

// -----

func.func @elements(%x: tensor<4xi4>) -> tensor<4xi4> {
  // expected-error@+1 {{'tosa.abs' op has an operand of type 'tensor<4xi4>', expected a tensor of static shape and elements that tir has; 'tosa-infer-shapes' makes shapes static}}
  %0 = "tosa.abs"(%x) : (tensor<4xi4>) -> tensor<4xi4>
  return %0 : tensor<4xi4>
}

// -----

func.func @results(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error@+1 {{'tosa.custom' op has no single result}}
  %0:2 = tosa.custom %x {operator_name = "x", domain_name = "y", implementation_attrs = ""} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @operands(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tosa.custom' op has 9 operands, expected 1 to 8}}
  %0 = tosa.custom %x, %x, %x, %x, %x, %x, %x, %x, %x {operator_name = "x", domain_name = "y", implementation_attrs = ""} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @clz(%x: tensor<4xi16>) -> tensor<4xi16> {
  // expected-error@+1 {{'tosa.clz' op has integers of another size than 32 bits}}
  %0 = "tosa.clz"(%x) : (tensor<4xi16>) -> tensor<4xi16>
  return %0 : tensor<4xi16>
}

// -----

func.func @rows(%x: tensor<40000x70000x1xf32>, %i: tensor<40000x4xi32>) -> tensor<40000x4x1xf32> {
  // expected-error@+1 {{'tosa.gather' op has 2800000000 rows, expected 1 to 2147483647}}
  %0 = "tosa.gather"(%x, %i) : (tensor<40000x70000x1xf32>, tensor<40000x4xi32>) -> tensor<40000x4x1xf32>
  return %0 : tensor<40000x4x1xf32>
}

// -----

func.func @zero(%x: tensor<4xi8>, %z: tensor<1xi8>) -> tensor<4xi8> {
  // expected-error@+1 {{'tosa.negate' op has a zero point that is not a constant}}
  %0 = tosa.negate %x, %z, %z : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @result(%x: tensor<1x4x8xf32>) -> tensor<1x4x7xf32> {
  // expected-error@+1 {{'tosa.reverse' op has another result type than 'tensor<1x4x8xf32>', which follows from its operands}}
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<1x4x8xf32>) -> tensor<1x4x7xf32>
  return %0 : tensor<1x4x7xf32>
}

// -----

func.func @elements(%x: tensor<1x4xi8>) -> tensor<1x4xi64> {
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %o = "tosa.const"() {values = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  // expected-error@+1 {{'tosa.rescale' op has elements that tir does not rescale}}
  %0 = tosa.rescale %x, %m, %s, %z, %o {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi64>) -> tensor<1x4xi64>
  return %0 : tensor<1x4xi64>
}
