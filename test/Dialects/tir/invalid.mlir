// One invalid use of every tir operator.
// RUN: xc-opt --split-input-file --verify-diagnostics --mlir-disable-diagnostic-notes %s

func.func @const() -> tensor<4xi8> {
  // expected-error@+1 {{'tir.const' op attribute 'value' is 5xi8, expected 4xi8 as the result}}
  %r = "tir.const"() {value = dense<1> : tensor<5xi8>} : () -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

func.func @data() -> tensor<1x3xf32> {
  // expected-error@+1 {{'tir.data' op result 'output' is 1x3xf32, expected 1x2xf32}}
  %r = "tir.data"() {shape = [1 : i32, 2 : i32], data_type = "FLOAT32"} : () -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

func.func @custom(%0: tensor<4xf32>, %1: tensor<2xi8>) -> tensor<7xf32> {
  // expected-error@+1 {{'tir.custom' op requires attribute 'op_type'}}
  %r = "tir.custom"(%0, %1) {payload = {n = 1 : i64}, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>, tensor<2xi8>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>, %2: tensor<32xf32>) -> tensor<1x8x8x33xf32> {
  // expected-error@+1 {{'tir.conv2d' op result 'output' is 1x8x8x33xf32, expected 1x8x8x32xf32}}
  %r = "tir.conv2d"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>, tensor<32xf32>) -> tensor<1x8x8x33xf32>
  return %r : tensor<1x8x8x33xf32>
}

// -----

func.func @depthwise_conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<2x3x3x16xf32>, %2: tensor<32xf32>) -> tensor<1x8x8x33xf32> {
  // expected-error@+1 {{'tir.depthwise-conv2d' op result 'output' is 1x8x8x33xf32, expected 1x8x8x32xf32}}
  %r = "tir.depthwise-conv2d"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<2x3x3x16xf32>, tensor<32xf32>) -> tensor<1x8x8x33xf32>
  return %r : tensor<1x8x8x33xf32>
}

// -----

func.func @transposed_conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x16x16x33xf32> {
  // expected-error@+1 {{'tir.transposed-conv2d' op result 'output' is 1x16x16x33xf32, expected 1x16x16x32xf32}}
  %r = "tir.transposed-conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], output_padding = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x16x16x33xf32>
  return %r : tensor<1x16x16x33xf32>
}

// -----

func.func @transposed_depthwise_conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<1x2x2x16xf32>) -> tensor<1x16x16x17xf32> {
  // expected-error@+1 {{'tir.transposed-depthwise-conv2d' op result 'output' is 1x16x16x17xf32, expected 1x16x16x16xf32}}
  %r = "tir.transposed-depthwise-conv2d"(%0, %1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xf32>, tensor<1x2x2x16xf32>) -> tensor<1x16x16x17xf32>
  return %r : tensor<1x16x16x17xf32>
}

// -----

func.func @matmul(%0: tensor<2x3x4xf32>, %1: tensor<5x4xf32>, %2: tensor<5xf32>) -> tensor<2x3x6xf32> {
  // expected-error@+1 {{'tir.matmul' op result 'output' is 2x3x6xf32, expected 2x3x5xf32}}
  %r = "tir.matmul"(%0, %1, %2) {transpose_b = true} : (tensor<2x3x4xf32>, tensor<5x4xf32>, tensor<5xf32>) -> tensor<2x3x6xf32>
  return %r : tensor<2x3x6xf32>
}

// -----

func.func @inner_product(%0: tensor<2x3x4xf32>, %1: tensor<5x12xf32>, %2: tensor<5xf32>) -> tensor<2x6xf32> {
  // expected-error@+1 {{'tir.inner-product' op result 'output' is 2x6xf32, expected 2x5xf32}}
  %r = "tir.inner-product"(%0, %1, %2) {axis = 1 : i32} : (tensor<2x3x4xf32>, tensor<5x12xf32>, tensor<5xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// -----

func.func @maxpool2d(%0: tensor<1x8x8x16xf32>) -> tensor<1x4x4x17xf32> {
  // expected-error@+1 {{'tir.maxpool2d' op result 'output' is 1x4x4x17xf32, expected 1x4x4x16xf32}}
  %r = "tir.maxpool2d"(%0) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xf32>) -> tensor<1x4x4x17xf32>
  return %r : tensor<1x4x4x17xf32>
}

// -----

func.func @avgpool2d(%0: tensor<1x8x8x16xf32>) -> tensor<1x1x1x17xf32> {
  // expected-error@+1 {{'tir.avgpool2d' op result 'output' is 1x1x1x17xf32, expected 1x1x1x16xf32}}
  %r = "tir.avgpool2d"(%0) {global = true} : (tensor<1x8x8x16xf32>) -> tensor<1x1x1x17xf32>
  return %r : tensor<1x1x1x17xf32>
}

// -----

func.func @relu(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.relu' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.relu"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @relu6(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.relu6' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.relu6"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @hard_swish(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.hard-swish' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.hard-swish"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @sigmoid(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.sigmoid' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.sigmoid"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @tanh(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.tanh' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.tanh"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @softplus(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.softplus' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.softplus"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @neg(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.neg' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.neg"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @abs(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.abs' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.abs"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @exp(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.exp' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.exp"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @log(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.log' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.log"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @sqrt(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.sqrt' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.sqrt"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @rsqrt(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.rsqrt' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.rsqrt"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @floor(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.floor' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.floor"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @ceil(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.ceil' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.ceil"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @round(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.round' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.round"(%0)  : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @leaky_relu(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.leaky-relu' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.leaky-relu"(%0) {alpha = 0.1 : f32} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @clip(%0: tensor<2x3xi32>) -> tensor<2x4xi32> {
  // expected-error@+1 {{'tir.clip' op result 'output' is 2x4xi32, expected 2x3xi32}}
  %r = "tir.clip"(%0) {min = -1.0 : f32, max = 4.0 : f32} : (tensor<2x3xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}

// -----

func.func @hard_sigmoid(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.hard-sigmoid' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.hard-sigmoid"(%0) {alpha = 0.2 : f32} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @elu(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.elu' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.elu"(%0) {alpha = 1.5 : f32} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @prelu(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.prelu' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.prelu"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @add(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.add' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.add"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @sub(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.sub' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.sub"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @mul(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.mul' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.mul"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @div(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.div' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.div"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @pow(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.pow' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.pow"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @min(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.min' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.min"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @max(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.max' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.max"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @compare(%0: tensor<2x3xi64>, %1: tensor<3xi64>) -> tensor<2x4xi1> {
  // expected-error@+1 {{'tir.compare' op result 'output' is 2x4xi1, expected 2x3xi1}}
  %r = "tir.compare"(%0, %1) {predicate = "LE"} : (tensor<2x3xi64>, tensor<3xi64>) -> tensor<2x4xi1>
  return %r : tensor<2x4xi1>
}

// -----

func.func @logical(%0: tensor<2x3xi1>) -> tensor<2x4xi1> {
  // expected-error@+1 {{'tir.logical' op result 'output' is 2x4xi1, expected 2x3xi1}}
  %r = "tir.logical"(%0) {type = "NOT"} : (tensor<2x3xi1>) -> tensor<2x4xi1>
  return %r : tensor<2x4xi1>
}

// -----

func.func @bitwise(%0: tensor<2x3xui8>, %1: tensor<3xui8>) -> tensor<2x4xui8> {
  // expected-error@+1 {{'tir.bitwise' op result 'output' is 2x4xui8, expected 2x3xui8}}
  %r = "tir.bitwise"(%0, %1) {type = "XOR"} : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x4xui8>
  return %r : tensor<2x4xui8>
}

// -----

func.func @select(%0: tensor<2x3xi1>, %1: tensor<2x3xf16>, %2: tensor<f16>) -> tensor<2x4xf16> {
  // expected-error@+1 {{'tir.select' op result 'output' is 2x4xf16, expected 2x3xf16}}
  %r = "tir.select"(%0, %1, %2)  : (tensor<2x3xi1>, tensor<2x3xf16>, tensor<f16>) -> tensor<2x4xf16>
  return %r : tensor<2x4xf16>
}

// -----

func.func @cast(%0: tensor<2x3xf32>) -> tensor<2x4xui8> {
  // expected-error@+1 {{'tir.cast' op result 'output' is 2x4xui8, expected 2x3xui8}}
  %r = "tir.cast"(%0) {saturate = true} : (tensor<2x3xf32>) -> tensor<2x4xui8>
  return %r : tensor<2x4xui8>
}

// -----

func.func @batchnorm(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>, %2: tensor<8xf32>, %3: tensor<8xf32>, %4: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.batchnorm' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.batchnorm"(%0, %1, %2, %3, %4) {epsilon = 1.0e-3 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<1x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @scale(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>, %2: tensor<8xf32>) -> tensor<1x4x4x9xf32> {
  // expected-error@+1 {{'tir.scale' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  %r = "tir.scale"(%0, %1, %2)  : (tensor<1x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x4x4x9xf32>
  return %r : tensor<1x4x4x9xf32>
}

// -----

func.func @softmax(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'tir.softmax' op attribute 'axis' is 2, which is not an axis of a tensor of rank 2}}
  %r = "tir.softmax"(%0) {axis = 2 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @log_softmax(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.log-softmax' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.log-softmax"(%0) {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @lrn(%0: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error@+1 {{'tir.lrn' op attribute 'size' is 0, expected 1 to 65535}}
  %r = "tir.lrn"(%0) {size = 0 : i32} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @reduction_sum(%0: tensor<1x4x6x8xf32>) -> tensor<1x1x1x9xf32> {
  // expected-error@+1 {{'tir.reduction_sum' op result 'output' is 1x1x1x9xf32, expected 1x1x1x8xf32}}
  %r = "tir.reduction_sum"(%0) {axis = [1 : i32, 2 : i32], keep_dims = true} : (tensor<1x4x6x8xf32>) -> tensor<1x1x1x9xf32>
  return %r : tensor<1x1x1x9xf32>
}

// -----

func.func @reduction_max(%0: tensor<1x4x6x8xf32>) -> tensor<1x1x1x9xf32> {
  // expected-error@+1 {{'tir.reduction_max' op result 'output' is 1x1x1x9xf32, expected 1x1x1x8xf32}}
  %r = "tir.reduction_max"(%0) {axis = [1 : i32, 2 : i32], keep_dims = true} : (tensor<1x4x6x8xf32>) -> tensor<1x1x1x9xf32>
  return %r : tensor<1x1x1x9xf32>
}

// -----

func.func @reduction_mean(%0: tensor<1x4x6x8xf32>) -> tensor<1x1x1x9xf32> {
  // expected-error@+1 {{'tir.reduction_mean' op result 'output' is 1x1x1x9xf32, expected 1x1x1x8xf32}}
  %r = "tir.reduction_mean"(%0) {axis = [1 : i32, 2 : i32], keep_dims = true} : (tensor<1x4x6x8xf32>) -> tensor<1x1x1x9xf32>
  return %r : tensor<1x1x1x9xf32>
}

// -----

func.func @argmax(%0: tensor<1x4x6x8xf32>) -> tensor<1x4x7xi64> {
  // expected-error@+1 {{'tir.argmax' op result 'output' is 1x4x7xi64, expected 1x4x6xi64}}
  %r = "tir.argmax"(%0) {axis = -1 : i32} : (tensor<1x4x6x8xf32>) -> tensor<1x4x7xi64>
  return %r : tensor<1x4x7xi64>
}

// -----

func.func @pad(%0: tensor<1x4x6x8xf32>) -> tensor<1x6x8x8xf32> {
  // expected-error@+1 {{'tir.pad' op attribute 'paddings' has entry 4, but mode REFLECT reaches 3 elements in dimension 1}}
  %r = "tir.pad"(%0) {paddings = [0 : i32, 0 : i32, 4 : i32, 4 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], mode = "REFLECT"} : (tensor<1x4x6x8xf32>) -> tensor<1x6x8x8xf32>
  return %r : tensor<1x6x8x8xf32>
}

// -----

func.func @resize(%0: tensor<1x4x6x8xf32>) -> tensor<1x8x12x9xf32> {
  // expected-error@+1 {{'tir.resize' op result 'output' is 1x8x12x9xf32, expected 1x8x12x8xf32}}
  %r = "tir.resize"(%0) {size = [12 : i32, 8 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x4x6x8xf32>) -> tensor<1x8x12x9xf32>
  return %r : tensor<1x8x12x9xf32>
}

// -----

func.func @transpose(%0: tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32> {
  // expected-error@+1 {{'tir.transpose' op attribute 'order' is not a permutation of 0 to 3}}
  %r = "tir.transpose"(%0) {order = [0 : i32, 3 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  return %r : tensor<1x8x4x6xf32>
}

// -----

func.func @reshape(%0: tensor<1x4x6x8xf32>) -> tensor<4x48xf32> {
  // expected-error@+1 {{'tir.reshape' op attribute 'shape' asks for a multiple of 5 elements, expected 192}}
  %r = "tir.reshape"(%0) {shape = [5 : i32, -1 : i32]} : (tensor<1x4x6x8xf32>) -> tensor<4x48xf32>
  return %r : tensor<4x48xf32>
}

// -----

func.func @flatten(%0: tensor<1x4x6x8xf32>) -> tensor<1x193xf32> {
  // expected-error@+1 {{'tir.flatten' op result 'output' is 1x193xf32, expected 1x192xf32}}
  %r = "tir.flatten"(%0)  : (tensor<1x4x6x8xf32>) -> tensor<1x193xf32>
  return %r : tensor<1x193xf32>
}

// -----

func.func @squeeze(%0: tensor<1x4x1x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'tir.squeeze' op attribute 'axis' names dimension 1 of size 4, expected size 1}}
  %r = "tir.squeeze"(%0) {axis = [1 : i32]} : (tensor<1x4x1x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @expand(%0: tensor<1x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error@+1 {{'tir.expand' op attribute 'shape' has entry 9, which size 8 does not broadcast to}}
  %r = "tir.expand"(%0) {shape = [2 : i32, 4 : i32, 9 : i32]} : (tensor<1x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// -----

func.func @strided_slice(%0: tensor<10x8xf32>) -> tensor<3x4xf32> {
  // expected-error@+1 {{'tir.strided_slice' op attribute 'strides' has entry 0}}
  %r = "tir.strided_slice"(%0) {begin = [8 : i32, 0 : i32], end = [2 : i32, 8 : i32], strides = [0 : i32, 2 : i32]} : (tensor<10x8xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @pixel_shuffle(%0: tensor<1x4x6x8xf32>) -> tensor<1x8x12x2xf32> {
  // expected-error@+1 {{'tir.pixel-shuffle' op operand 'input' has 8 channels, expected a multiple of 9}}
  %r = "tir.pixel-shuffle"(%0) {scale = 3 : i32} : (tensor<1x4x6x8xf32>) -> tensor<1x8x12x2xf32>
  return %r : tensor<1x8x12x2xf32>
}

// -----

func.func @reorg(%0: tensor<1x4x6x8xf32>) -> tensor<1x2x3x33xf32> {
  // expected-error@+1 {{'tir.reorg' op result 'output' is 1x2x3x33xf32, expected 1x2x3x32xf32}}
  %r = "tir.reorg"(%0) {scale = 2 : i32} : (tensor<1x4x6x8xf32>) -> tensor<1x2x3x33xf32>
  return %r : tensor<1x2x3x33xf32>
}

// -----

func.func @gstiling(%0: tensor<1x4x6x8xf32>) -> tensor<1x2x3x33xf32> {
  // expected-error@+1 {{'tir.gstiling' op result 'output' is 1x2x3x33xf32, expected 1x2x3x32xf32}}
  %r = "tir.gstiling"(%0) {stride = 2 : i32} : (tensor<1x4x6x8xf32>) -> tensor<1x2x3x33xf32>
  return %r : tensor<1x2x3x33xf32>
}

// -----

func.func @space_to_batch(%0: tensor<1x4x6x8xf32>) -> tensor<4x3x4x9xf32> {
  // expected-error@+1 {{'tir.space-to-batch' op result 'output' is 4x3x4x9xf32, expected 4x3x4x8xf32}}
  %r = "tir.space-to-batch"(%0) {block_shape = [2 : i32, 2 : i32], paddings = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x6x8xf32>) -> tensor<4x3x4x9xf32>
  return %r : tensor<4x3x4x9xf32>
}

// -----

func.func @batch_to_space(%0: tensor<4x3x4x8xf32>) -> tensor<1x4x6x9xf32> {
  // expected-error@+1 {{'tir.batch-to-space' op result 'output' is 1x4x6x9xf32, expected 1x4x6x8xf32}}
  %r = "tir.batch-to-space"(%0) {block_shape = [2 : i32, 2 : i32], crops = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<4x3x4x8xf32>) -> tensor<1x4x6x9xf32>
  return %r : tensor<1x4x6x9xf32>
}

// -----

func.func @recurrent_gates(%0: tensor<5x2x10xf32>, %1: tensor<3x10xf32>) -> tensor<5x2x3xf32> {
  // expected-error@+1 {{'tir.recurrent' op operand 'input' has size 10 in dimension 2, expected a multiple of the 3 gates}}
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "GRU"} : (tensor<5x2x10xf32>, tensor<3x10xf32>) -> tensor<5x2x3xf32>
  return %r : tensor<5x2x3xf32>
}

// -----

func.func @recurrent_weight(%0: tensor<5x2x12xf32>, %1: tensor<4x12xf32>) -> tensor<5x2x6xf32> {
  // expected-error@+1 {{'tir.recurrent' op operand 'weight' has shape [4, 12], expected [3, 12]}}
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "LSTM"} : (tensor<5x2x12xf32>, tensor<4x12xf32>) -> tensor<5x2x6xf32>
  return %r : tensor<5x2x6xf32>
}

// -----

func.func @recurrent_initial(%0: tensor<5x2x12xf32>, %1: tensor<3x12xf32>, %2: tensor<2x3xf32>) -> tensor<5x2x6xf32> {
  // expected-error@+1 {{'tir.recurrent' op operand 'initial' has shape [2, 3], expected [2, 6]}}
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, cell = "LSTM"} : (tensor<5x2x12xf32>, tensor<3x12xf32>, tensor<2x3xf32>) -> tensor<5x2x6xf32>
  return %r : tensor<5x2x6xf32>
}

// -----

func.func @recurrent_bias(%0: tensor<5x2x9xf32>, %1: tensor<3x9xf32>, %2: tensor<3xf32>) -> tensor<5x2x3xf32> {
  // expected-error@+1 {{'tir.recurrent' op operand 'bias' needs 'reset_after'}}
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0>, cell = "GRU"} : (tensor<5x2x9xf32>, tensor<3x9xf32>, tensor<3xf32>) -> tensor<5x2x3xf32>
  return %r : tensor<5x2x3xf32>
}

// -----

func.func @recurrent_bias_size(%0: tensor<5x2x9xf32>, %1: tensor<3x9xf32>, %2: tensor<4xf32>) -> tensor<5x2x3xf32> {
  // expected-error@+1 {{'tir.recurrent' op operand 'bias' has}}
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0>, cell = "GRU", reset_after = true} : (tensor<5x2x9xf32>, tensor<3x9xf32>, tensor<4xf32>) -> tensor<5x2x3xf32>
  return %r : tensor<5x2x3xf32>
}

// -----

func.func @recurrent_peephole(%0: tensor<5x2x9xf32>, %1: tensor<3x9xf32>, %2: tensor<9xf32>) -> tensor<5x2x3xf32> {
  // expected-error@+1 {{'tir.recurrent' op operand 'peephole' is of LSTM only}}
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 0>, cell = "GRU"} : (tensor<5x2x9xf32>, tensor<3x9xf32>, tensor<9xf32>) -> tensor<5x2x3xf32>
  return %r : tensor<5x2x3xf32>
}

// -----

func.func @recurrent_lengths(%0: tensor<5x2x3xf32>, %1: tensor<3x3xf32>, %2: tensor<5xi64>) -> tensor<5x2x3xf32> {
  // expected-error@+1 {{'tir.recurrent' op operand 'lengths' has}}
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>, cell = "RNN"} : (tensor<5x2x3xf32>, tensor<3x3xf32>, tensor<5xi64>) -> tensor<5x2x3xf32>
  return %r : tensor<5x2x3xf32>
}

// -----

func.func @recurrent_reset(%0: tensor<5x2x3xf32>, %1: tensor<3x3xf32>) -> tensor<5x2x3xf32> {
  // expected-error@+1 {{'tir.recurrent' op attribute 'reset_after' is of GRU only}}
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "RNN", reset_after = true} : (tensor<5x2x3xf32>, tensor<3x3xf32>) -> tensor<5x2x3xf32>
  return %r : tensor<5x2x3xf32>
}

// -----

func.func @scatter(%0: tensor<5x8xf32>, %1: tensor<3xi64>, %2: tensor<3x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'tir.scatter' op result 'output' is 4x8xf32, expected 5x8xf32}}
  %r = "tir.scatter"(%0, %1, %2) : (tensor<5x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @topk(%0: tensor<5x8xf32>) -> tensor<5x9xi64> {
  // expected-error@+1 {{'tir.topk' op attribute 'k' is 9, but dimension 1 has size 8}}
  %r = "tir.topk"(%0) {axis = -1 : i32, k = 9 : i32} : (tensor<5x8xf32>) -> tensor<5x9xi64>
  return %r : tensor<5x9xi64>
}

// -----

func.func @nms(%0: tensor<2x5x4xf32>, %1: tensor<2x3x6xf32>) -> tensor<24x3xi64> {
  // expected-error@+1 {{'tir.nms' op boxes and scores do not fit, expected [b, n, 4] and [b, c, n]}}
  %r = "tir.nms"(%0, %1) {max_boxes = 4 : i32, iou_threshold = 0.5 : f32, score_threshold = 0.1 : f32} : (tensor<2x5x4xf32>, tensor<2x3x6xf32>) -> tensor<24x3xi64>
  return %r : tensor<24x3xi64>
}

// -----

func.func @erf(%0: tensor<5x8xf32>) -> tensor<5x9xf32> {
  // expected-error@+1 {{'tir.erf' op result 'output' is 5x9xf32, expected 5x8xf32}}
  %r = "tir.erf"(%0) : (tensor<5x8xf32>) -> tensor<5x9xf32>
  return %r : tensor<5x9xf32>
}

// -----

func.func @sin(%0: tensor<5x8xf32>) -> tensor<5x9xf32> {
  // expected-error@+1 {{'tir.sin' op result 'output' is 5x9xf32, expected 5x8xf32}}
  %r = "tir.sin"(%0) : (tensor<5x8xf32>) -> tensor<5x9xf32>
  return %r : tensor<5x9xf32>
}

// -----

func.func @atan(%0: tensor<5x8xf32>) -> tensor<5x9xf32> {
  // expected-error@+1 {{'tir.atan' op result 'output' is 5x9xf32, expected 5x8xf32}}
  %r = "tir.atan"(%0) : (tensor<5x8xf32>) -> tensor<5x9xf32>
  return %r : tensor<5x9xf32>
}

// -----

func.func @cos(%0: tensor<5x8xf32>) -> tensor<5x9xf32> {
  // expected-error@+1 {{'tir.cos' op result 'output' is 5x9xf32, expected 5x8xf32}}
  %r = "tir.cos"(%0) : (tensor<5x8xf32>) -> tensor<5x9xf32>
  return %r : tensor<5x9xf32>
}

// -----

func.func @table(%0: tensor<5x8xi8>, %1: tensor<5x256xi8>) -> tensor<5x8xi8> {
  // expected-error@+1 {{'tir.table' op operand 'table' is 5x256xi8, expected 256 entries, or as many for each channel of the input}}
  %r = "tir.table"(%0, %1) : (tensor<5x8xi8>, tensor<5x256xi8>) -> tensor<5x8xi8>
  return %r : tensor<5x8xi8>
}

// -----

func.func @table(%0: tensor<5x8xi8>, %1: tensor<256xi8>) -> tensor<5x8xf32> {
  // expected-error@+1 {{'tir.table' op result has elements of type f32, expected i8 as operand 'table'}}
  %r = "tir.table"(%0, %1) : (tensor<5x8xi8>, tensor<256xi8>) -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// -----

func.func @table(%0: tensor<5x8xi8>, %1: tensor<256xi8>) -> tensor<8x5xi8> {
  // expected-error@+1 {{'tir.table' op result 'output' is 8x5xi8, expected 5x8xi8}}
  %r = "tir.table"(%0, %1) : (tensor<5x8xi8>, tensor<256xi8>) -> tensor<8x5xi8>
  return %r : tensor<8x5xi8>
}

// -----

func.func @gather(%0: tensor<5x8xf32>, %1: tensor<2x3xi64>) -> tensor<2x3x9xf32> {
  // expected-error@+1 {{'tir.gather' op result 'output' is 2x3x9xf32, expected 2x3x8xf32}}
  %r = "tir.gather"(%0, %1) {axis = 0 : i32} : (tensor<5x8xf32>, tensor<2x3xi64>) -> tensor<2x3x9xf32>
  return %r : tensor<2x3x9xf32>
}

// -----

func.func @concat(%0: tensor<2x3xf32>, %1: tensor<2x5xf32>, %2: tensor<2x1xf32>) -> tensor<2x10xf32> {
  // expected-error@+1 {{'tir.concat' op result 'output' is 2x10xf32, expected 2x9xf32}}
  %r = "tir.concat"(%0, %1, %2) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x5xf32>, tensor<2x1xf32>) -> tensor<2x10xf32>
  return %r : tensor<2x10xf32>
}

// -----

func.func @stack(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x2x4xf32> {
  // expected-error@+1 {{'tir.stack' op result 'output' is 2x2x4xf32, expected 2x2x3xf32}}
  %r = "tir.stack"(%0, %1) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2x4xf32>
  return %r : tensor<2x2x4xf32>
}

// -----

func.func @priorbox(%0: tensor<1x3x3x8xf32>, %1: tensor<1x60x60x3xf32>) -> tensor<1x2x145xf32> {
  // expected-error@+1 {{'tir.priorbox' op result 'output' is 1x2x145xf32, expected 1x2x144xf32}}
  %r = "tir.priorbox"(%0, %1) {min_sizes = [30.0 : f32], max_sizes = [60.0 : f32], aspect_ratio = [2.0 : f32]} : (tensor<1x3x3x8xf32>, tensor<1x60x60x3xf32>) -> tensor<1x2x145xf32>
  return %r : tensor<1x2x145xf32>
}

// -----

func.func @fix(%0: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.fix' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.fix"(%0) {bit_width = 8 : i32, fix_point = 4 : i32, round_mode = "DPU_ROUND"} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @float2fix(%0: tensor<2x3xf32>) -> tensor<2x3xi8> {
  // expected-error@+1 {{'tir.float2fix' op attribute 'bit_width' is 9, expected at most 8}}
  %r = "tir.float2fix"(%0) {fix_point = 4 : i32, bit_width = 9 : i32} : (tensor<2x3xf32>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}

// -----

func.func @fix2float(%0: tensor<2x3xui8>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'tir.fix2float' op attribute 'if_signed' is true, but the integers are ui8}}
  %r = "tir.fix2float"(%0) {fix_point = 4 : i32, if_signed = true} : (tensor<2x3xui8>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<32x3x3x16xi8>, %2: tensor<32xi8>) -> tensor<1x8x8x32xi8> {
  // expected-error@+1 {{'tir.conv2d-fix' op attribute 'stride' has 3 entries, expected 2}}
  %r = "tir.conv2d-fix"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 6 : i32, output_fix_point = 4 : i32, nonlinear = "RELU"} : (tensor<1x8x8x16xi8>, tensor<32x3x3x16xi8>, tensor<32xi8>) -> tensor<1x8x8x32xi8>
  return %r : tensor<1x8x8x32xi8>
}

// -----

func.func @depthwise_conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x3x3x16xi8>, %2: tensor<16xi8>) -> tensor<1x8x8x17xi8> {
  // expected-error@+1 {{'tir.depthwise-conv2d-fix' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  %r = "tir.depthwise-conv2d-fix"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 6 : i32, output_fix_point = 4 : i32, nonlinear = "RELU"} : (tensor<1x8x8x16xi8>, tensor<1x3x3x16xi8>, tensor<16xi8>) -> tensor<1x8x8x17xi8>
  return %r : tensor<1x8x8x17xi8>
}

// -----

func.func @transposed_conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<32x2x2x16xi8>) -> tensor<1x16x16x33xi8> {
  // expected-error@+1 {{'tir.transposed-conv2d-fix' op result 'output' is 1x16x16x33xi8, expected 1x16x16x32xi8}}
  %r = "tir.transposed-conv2d-fix"(%0, %1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xi8>, tensor<32x2x2x16xi8>) -> tensor<1x16x16x33xi8>
  return %r : tensor<1x16x16x33xi8>
}

// -----

func.func @transposed_depthwise_conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x2x2x16xi8>) -> tensor<1x16x16x17xi8> {
  // expected-error@+1 {{'tir.transposed-depthwise-conv2d-fix' op result 'output' is 1x16x16x17xi8, expected 1x16x16x16xi8}}
  %r = "tir.transposed-depthwise-conv2d-fix"(%0, %1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xi8>, tensor<1x2x2x16xi8>) -> tensor<1x16x16x17xi8>
  return %r : tensor<1x16x16x17xi8>
}

// -----

func.func @matmul_fix(%0: tensor<3x4xi8>, %1: tensor<4x5xi8>, %2: tensor<5xi8>) -> tensor<3x6xi8> {
  // expected-error@+1 {{'tir.matmul-fix' op result 'output' is 3x6xi8, expected 3x5xi8}}
  %r = "tir.matmul-fix"(%0, %1, %2) {input_fix_point = [4 : i32, 5 : i32], output_fix_point = 3 : i32} : (tensor<3x4xi8>, tensor<4x5xi8>, tensor<5xi8>) -> tensor<3x6xi8>
  return %r : tensor<3x6xi8>
}

// -----

func.func @pool_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x4x17xi8> {
  // expected-error@+1 {{'tir.pool-fix' op result 'output' is 1x4x4x17xi8, expected 1x4x4x16xi8}}
  %r = "tir.pool-fix"(%0) {type = "AVG", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x4x17xi8>
  return %r : tensor<1x4x4x17xi8>
}

// -----

func.func @eltwise_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.eltwise-fix' op attribute 'input_fix_point' has 3 entries, expected 2}}
  %r = "tir.eltwise-fix"(%0, %1) {type = "ADD", input_fix_point = [1 : i32, 2 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

// The points of a product add up; each may be far from the result's.
func.func @eltwise_fix_product(%0: tensor<1x8x8x16xi8>, %1: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.eltwise-fix"(%0, %1) {type = "MUL", input_fix_point = [46 : i32, 5 : i32], output_fix_point = 50 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @eltwise_fix_product_shift(%0: tensor<1x8x8x16xi8>, %1: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.eltwise-fix' op has shift = sum of input_fix_point - output_fix_point = 51, expected -24 to 48}}
  %r = "tir.eltwise-fix"(%0, %1) {type = "MUL", input_fix_point = [46 : i32, 5 : i32], output_fix_point = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @eltwise_fix_sum_shift(%0: tensor<1x8x8x16xi8>, %1: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.eltwise-fix' op has shift = input_fix_point - output_fix_point = 41, expected -24 to 24}}
  %r = "tir.eltwise-fix"(%0, %1) {type = "ADD", input_fix_point = [46 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @depthwise_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16xi8>) -> tensor<1x8x8x17xi8> {
  // expected-error@+1 {{'tir.depthwise-fix' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  %r = "tir.depthwise-fix"(%0, %1) {type = "MUL"} : (tensor<1x8x8x16xi8>, tensor<16xi8>) -> tensor<1x8x8x17xi8>
  return %r : tensor<1x8x8x17xi8>
}

// -----

func.func @concat_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x8x8x4xi8>) -> tensor<1x8x8x20xi8> {
  // expected-error@+1 {{'tir.concat-fix' op attribute 'input_fix_point' has entry 99, expected -64 to 64}}
  %r = "tir.concat-fix"(%0, %1) {axis = 3 : i32, input_fix_point = [99 : i32, 0 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x4xi8>) -> tensor<1x8x8x20xi8>
  return %r : tensor<1x8x8x20xi8>
}

// -----

func.func @reshape_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x1025xi8> {
  // expected-error@+1 {{'tir.reshape-fix' op result 'output' is 1x1025xi8, expected 1x1024xi8}}
  %r = "tir.reshape-fix"(%0) {shape = [1 : i32, -1 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x1025xi8>
  return %r : tensor<1x1025xi8>
}

// -----

func.func @transpose_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x16x8x9xi8> {
  // expected-error@+1 {{'tir.transpose-fix' op result 'output' is 1x16x8x9xi8, expected 1x16x8x8xi8}}
  %r = "tir.transpose-fix"(%0) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16x8x9xi8>
  return %r : tensor<1x16x8x9xi8>
}

// -----

func.func @strided_slice_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x8x17xi8> {
  // expected-error@+1 {{'tir.strided_slice-fix' op result 'output' is 1x4x8x17xi8, expected 1x4x8x16xi8}}
  %r = "tir.strided_slice-fix"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 8 : i32, 16 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x8x17xi8>
  return %r : tensor<1x4x8x17xi8>
}

// -----

func.func @pad_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x10x10x17xi8> {
  // expected-error@+1 {{'tir.pad-fix' op result 'output' is 1x10x10x17xi8, expected 1x10x10x16xi8}}
  %r = "tir.pad-fix"(%0) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x10x10x17xi8>
  return %r : tensor<1x10x10x17xi8>
}

// -----

func.func @upsample_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x24x16x17xi8> {
  // expected-error@+1 {{'tir.upsample-fix' op result 'output' is 1x24x16x17xi8, expected 1x24x16x16xi8}}
  %r = "tir.upsample-fix"(%0) {scale = [2 : i32, 3 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x24x16x17xi8>
  return %r : tensor<1x24x16x17xi8>
}

// -----

func.func @downsample_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x3x4x17xi8> {
  // expected-error@+1 {{'tir.downsample-fix' op result 'output' is 1x3x4x17xi8, expected 1x3x4x16xi8}}
  %r = "tir.downsample-fix"(%0) {scale = [2 : i32, 3 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x3x4x17xi8>
  return %r : tensor<1x3x4x17xi8>
}

// -----

func.func @reorg_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x4x65xi8> {
  // expected-error@+1 {{'tir.reorg-fix' op result 'output' is 1x4x4x65xi8, expected 1x4x4x64xi8}}
  %r = "tir.reorg-fix"(%0) {scale = 2 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x4x65xi8>
  return %r : tensor<1x4x4x65xi8>
}

// -----

func.func @tile_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x4x65xi8> {
  // expected-error@+1 {{'tir.tile-fix' op result 'output' is 1x4x4x65xi8, expected 1x4x4x64xi8}}
  %r = "tir.tile-fix"(%0) {stride = 2 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x4x65xi8>
  return %r : tensor<1x4x4x65xi8>
}

// -----

func.func @pixel_shuffle_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x16x16x5xi8> {
  // expected-error@+1 {{'tir.pixel-shuffle-fix' op result 'output' is 1x16x16x5xi8, expected 1x16x16x4xi8}}
  %r = "tir.pixel-shuffle-fix"(%0) {scale = 2 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16x16x5xi8>
  return %r : tensor<1x16x16x5xi8>
}

// -----

func.func @reduction_max_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x17xi8> {
  // expected-error@+1 {{'tir.reduction_max-fix' op result 'output' is 1x17xi8, expected 1x16xi8}}
  %r = "tir.reduction_max-fix"(%0) {axis = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x17xi8>
  return %r : tensor<1x17xi8>
}

// -----

func.func @reduction_mean_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x17xi8> {
  // expected-error@+1 {{'tir.reduction_mean-fix' op result 'output' is 1x17xi8, expected 1x16xi8}}
  %r = "tir.reduction_mean-fix"(%0) {axis = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x17xi8>
  return %r : tensor<1x17xi8>
}

// -----

func.func @reduction_sum_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x17xi8> {
  // expected-error@+1 {{'tir.reduction_sum-fix' op result 'output' is 1x17xi8, expected 1x16xi8}}
  %r = "tir.reduction_sum-fix"(%0) {axis = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x17xi8>
  return %r : tensor<1x17xi8>
}

// -----

func.func @relu_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.relu-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  %r = "tir.relu-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @relu6_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.relu6-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  %r = "tir.relu6-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @leaky_relu_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.leaky-relu-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  %r = "tir.leaky-relu-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @hard_sigmoid_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.hard-sigmoid-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  %r = "tir.hard-sigmoid-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @hard_swish_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.hard-swish-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  %r = "tir.hard-swish-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @prelu_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16xi8>) -> tensor<1x8x8x17xi8> {
  // expected-error@+1 {{'tir.prelu-fix' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  %r = "tir.prelu-fix"(%0, %1) {slope_fix_point = 6 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>, tensor<16xi8>) -> tensor<1x8x8x17xi8>
  return %r : tensor<1x8x8x17xi8>
}

// -----

func.func @argmax_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x9xi32> {
  // expected-error@+1 {{'tir.argmax-fix' op result 'output' is 1x8x9xi32, expected 1x8x8xi32}}
  %r = "tir.argmax-fix"(%0) {axis = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x9xi32>
  return %r : tensor<1x8x9xi32>
}

// -----

func.func @quantize_linear(%0: tensor<2x3xf32>) -> tensor<2x3xi8> {
  // expected-error@+1 {{'tir.quantize-linear' op attribute 'zero_point' has 1 entries, expected 3 as 'scale'}}
  %r = "tir.quantize-linear"(%0) {scale = [0.5 : f32, 0.25 : f32, 0.1 : f32], zero_point = [0 : i32], axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}

// -----

func.func @dequantize_linear(%0: tensor<2x3xui8>) -> tensor<2x4xf32> {
  // expected-error@+1 {{'tir.dequantize-linear' op result 'output' is 2x4xf32, expected 2x3xf32}}
  %r = "tir.dequantize-linear"(%0) {scale = [0.5 : f32], zero_point = [128 : i32]} : (tensor<2x3xui8>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @qlinear_requantize(%0: tensor<2x3xi8>) -> tensor<2x3xui8> {
  // expected-error@+1 {{'tir.qlinear-requantize' op attribute 'input_scale' has the value 0, expected a positive number}}
  %r = "tir.qlinear-requantize"(%0) {input_scale = 0.0 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<2x3xi8>) -> tensor<2x3xui8>
  return %r : tensor<2x3xui8>
}

// -----

func.func @qlinear_conv2d(%0: tensor<1x8x8x16xi8>, %1: tensor<2x3x3x16xi8>, %2: tensor<2xi32>) -> tensor<1x8x8x2xi8> {
  // expected-error@+1 {{'tir.qlinear-conv2d' op attribute 'weight_scale' has 3 entries, expected 1 or 2}}
  %r = "tir.qlinear-conv2d"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32, 0.2 : f32, 0.3 : f32]} : (tensor<1x8x8x16xi8>, tensor<2x3x3x16xi8>, tensor<2xi32>) -> tensor<1x8x8x2xi8>
  return %r : tensor<1x8x8x2xi8>
}

// -----

func.func @qlinear_depthwise_conv2d(%0: tensor<1x8x8x16xi8>, %1: tensor<1x3x3x16xi8>) -> tensor<1x8x8x17xi8> {
  // expected-error@+1 {{'tir.qlinear-depthwise-conv2d' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  %r = "tir.qlinear-depthwise-conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32]} : (tensor<1x8x8x16xi8>, tensor<1x3x3x16xi8>) -> tensor<1x8x8x17xi8>
  return %r : tensor<1x8x8x17xi8>
}

// -----

func.func @qlinear_transposed_conv2d(%0: tensor<1x8x8x16xi8>, %1: tensor<2x2x2x16xi8>) -> tensor<1x16x16x3xi8> {
  // expected-error@+1 {{'tir.qlinear-transposed-conv2d' op result 'output' is 1x16x16x3xi8, expected 1x16x16x2xi8}}
  %r = "tir.qlinear-transposed-conv2d"(%0, %1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32]} : (tensor<1x8x8x16xi8>, tensor<2x2x2x16xi8>) -> tensor<1x16x16x3xi8>
  return %r : tensor<1x16x16x3xi8>
}

// -----

func.func @qlinear_matmul(%0: tensor<3x4xi8>, %1: tensor<4x5xi8>) -> tensor<3x6xi8> {
  // expected-error@+1 {{'tir.qlinear-matmul' op result 'output' is 3x6xi8, expected 3x5xi8}}
  %r = "tir.qlinear-matmul"(%0, %1) {input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32]} : (tensor<3x4xi8>, tensor<4x5xi8>) -> tensor<3x6xi8>
  return %r : tensor<3x6xi8>
}

// -----

func.func @qlinear_eltwise(%0: tensor<1x8x8x16xi8>, %1: tensor<16xi8>) -> tensor<1x8x8x17xi8> {
  // expected-error@+1 {{'tir.qlinear-eltwise' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  %r = "tir.qlinear-eltwise"(%0, %1) {type = "MUL", a_scale = 0.5 : f32, a_zero_point = 0 : i32, b_scale = 0.5 : f32, b_zero_point = 0 : i32, output_scale = 0.5 : f32, output_zero_point = 0 : i32} : (tensor<1x8x8x16xi8>, tensor<16xi8>) -> tensor<1x8x8x17xi8>
  return %r : tensor<1x8x8x17xi8>
}

// -----

func.func @qlinear_pool(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x4x17xi8> {
  // expected-error@+1 {{'tir.qlinear-pool' op result 'output' is 1x4x4x17xi8, expected 1x4x4x16xi8}}
  %r = "tir.qlinear-pool"(%0) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x4x17xi8>
  return %r : tensor<1x4x4x17xi8>
}

// -----

func.func @qlinear_reduction(%0: tensor<1x8x8x16xi8>) -> tensor<1x17xi8> {
  // expected-error@+1 {{'tir.qlinear-reduction' op result 'output' is 1x17xi8, expected 1x16xi8}}
  %r = "tir.qlinear-reduction"(%0) {type = "MEAN", axis = [1 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x17xi8>
  return %r : tensor<1x17xi8>
}

// -----

func.func @qlinear_concat(%0: tensor<2x3xi8>, %1: tensor<2x5xi8>) -> tensor<2x8xi8> {
  // expected-error@+1 {{'tir.qlinear-concat' op attributes 'input_scale' and 'input_zero_point' have 1 and 2 entries, expected 2}}
  %r = "tir.qlinear-concat"(%0, %1) {axis = 1 : i32, input_scale = [0.5 : f32], input_zero_point = [1 : i32, 2 : i32], output_scale = 0.5 : f32, output_zero_point = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xi8>, tensor<2x5xi8>) -> tensor<2x8xi8>
  return %r : tensor<2x8xi8>
}

// -----

func.func @qlinear_softmax(%0: tensor<2x3xi8>) -> tensor<2x4xi8> {
  // expected-error@+1 {{'tir.qlinear-softmax' op result 'output' is 2x4xi8, expected 2x3xi8}}
  %r = "tir.qlinear-softmax"(%0) {input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<2x3xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

// -----

func.func @qlinear_activation(%0: tensor<2x3xi8>) -> tensor<2x3xi8> {
  // expected-error@+1 {{'tir.qlinear-activation' op attribute 'type' is "SIGMIOD", expected one of RELU, RELU6, RELU_N1_TO_1, LEAKYRELU, SIGMOID, TANH, HARDSWISH, ELU, EXP, NEG, ABS, RSQRT}}
  %r = "tir.qlinear-activation"(%0) {type = "SIGMIOD", input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}

// -----

func.func @qlinear_resize(%0: tensor<1x8x8x16xi8>) -> tensor<1x16x16x17xi8> {
  // expected-error@+1 {{'tir.qlinear-resize' op result 'output' is 1x16x16x17xi8, expected 1x16x16x16xi8}}
  %r = "tir.qlinear-resize"(%0) {size = [16 : i32, 16 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16x16x17xi8>
  return %r : tensor<1x16x16x17xi8>
}

// -----

func.func @qlinear_prelu(%0: tensor<1x8x8x16xi8>, %1: tensor<16xi8>) -> tensor<1x8x8x17xi8> {
  // expected-error@+1 {{'tir.qlinear-prelu' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  %r = "tir.qlinear-prelu"(%0, %1) {slope_scale = 0.5 : f32, slope_zero_point = 0 : i32, input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<16xi8>) -> tensor<1x8x8x17xi8>
  return %r : tensor<1x8x8x17xi8>
}

// -----

func.func @fix_points_of_groups(%0: tensor<1x2x2x4xi8>, %1: tensor<5x1x1x4xi8>) -> tensor<1x2x2x5xi8> {
  // expected-error@+1 {{'tir.conv2d-fix' op attribute 'weight_fix_points' has 2 entries, expected 3 for 5 output channels in groups of 2}}
  %r = "tir.conv2d-fix"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [1 : i32, 2 : i32], fix_point_channels = 2 : i32} : (tensor<1x2x2x4xi8>, tensor<5x1x1x4xi8>) -> tensor<1x2x2x5xi8>
  return %r : tensor<1x2x2x5xi8>
}

// -----

func.func @two_fix_points(%0: tensor<1x2x2x4xi8>, %1: tensor<5x1x1x4xi8>, %2: tensor<5xi8>) -> tensor<1x2x2x5xi8> {
  // expected-error@+1 {{'tir.conv2d-fix' op has both 'bias_fix_point' and 'bias_fix_points', expected one of them}}
  %r = "tir.conv2d-fix"(%0, %1, %2) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], bias_fix_point = 1 : i32, bias_fix_points = [1 : i32, 2 : i32, 0 : i32], fix_point_channels = 2 : i32} : (tensor<1x2x2x4xi8>, tensor<5x1x1x4xi8>, tensor<5xi8>) -> tensor<1x2x2x5xi8>
  return %r : tensor<1x2x2x5xi8>
}

// -----

func.func @shift_of_a_group(%0: tensor<1x2x2x4xi8>, %1: tensor<1x1x1x4xi8>) -> tensor<1x2x2x4xi8> {
  // expected-error@+1 {{'tir.depthwise-conv2d-fix' op has shift_cut = input_fix_point + weight_fix_point - output_fix_point = 50, expected -24 to 48}}
  %r = "tir.depthwise-conv2d-fix"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [1 : i32, 50 : i32], fix_point_channels = 3 : i32} : (tensor<1x2x2x4xi8>, tensor<1x1x1x4xi8>) -> tensor<1x2x2x4xi8>
  return %r : tensor<1x2x2x4xi8>
}

// -----

func.func @multiplier_alone(%0: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error@+1 {{'tir.qlinear-requantize' op attributes 'multiplier' and 'shift' have 1 and 0 entries, expected 1}}
  %r = "tir.qlinear-requantize"(%0) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, multiplier = [5 : i32]} : (tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

func.func @multipliers_of_channels(%0: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error@+1 {{'tir.qlinear-requantize' op attributes 'multiplier' and 'shift' have 2 and 2 entries, expected 1}}
  %r = "tir.qlinear-requantize"(%0) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, multiplier = [5 : i32, 6 : i32], shift = [31 : i32, 32 : i32]} : (tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

func.func @multiplier_onnx(%0: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error@+1 {{'tir.qlinear-requantize' op attribute 'multiplier' needs the flavor TFLITE and no division}}
  %r = "tir.qlinear-requantize"(%0) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, flavor = "ONNX", multiplier = [5 : i32], shift = [31 : i32]} : (tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

func.func @shift_range(%0: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error@+1 {{'tir.qlinear-requantize' op attribute 'shift' has entry 63, expected 2 to 62}}
  %r = "tir.qlinear-requantize"(%0) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, multiplier = [5 : i32], shift = [63 : i32]} : (tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

func.func @multiplier_div(%0: tensor<4xi8>, %1: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error@+1 {{'tir.qlinear-eltwise' op attribute 'multiplier' needs the flavor TFLITE and no division}}
  %r = "tir.qlinear-eltwise"(%0, %1) {a_scale = 1.0 : f32, a_zero_point = 0 : i32, b_scale = 1.0 : f32, b_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, multiplier = [5 : i32, 6 : i32, 7 : i32], shift = [31 : i32, 32 : i32, 33 : i32], type = "DIV"} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}
