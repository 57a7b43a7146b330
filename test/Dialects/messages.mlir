// The messages of the verifier.
// RUN: xc-opt --split-input-file --verify-diagnostics --mlir-disable-diagnostic-notes %s

func.func @conv2d(%0: tensor<1x8x8x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{op expects at least 2 operands, but got 1}}
  %r = "tir.conv2d"(%0) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @add(%0: tensor<4xf32>, %1: tensor<4xi8>) -> tensor<4xf32> {
  // expected-error@+1 {{'tir.add' op operand 'b' has elements of type i8, expected f32 as operand 'a'}}
  %r = "tir.add"(%0, %1)  : (tensor<4xf32>, tensor<4xi8>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @relu(%0: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error@+1 {{'tir.relu' op operand 'input' is tensor<4xi1>, expected tensor of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64}}
  %r = "tir.relu"(%0)  : (tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

func.func @relu(%0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@+1 {{'tir.relu' op operand 'input' has a dynamic shape}}
  %r = "tir.relu"(%0)  : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

func.func @relu(%0: tensor<1x1x1x1x1x1x1x1x4xf32>) -> tensor<1x1x1x1x1x1x1x1x4xf32> {
  // expected-error@+1 {{'tir.relu' op operand 'input' has rank 9, expected at most 8}}
  %r = "tir.relu"(%0)  : (tensor<1x1x1x1x1x1x1x1x4xf32>) -> tensor<1x1x1x1x1x1x1x1x4xf32>
  return %r : tensor<1x1x1x1x1x1x1x1x4xf32>
}

// -----

func.func @relu(%0: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error@+1 {{'tir.relu' op result 'output' is 4xi32, expected 4xf32}}
  %r = "tir.relu"(%0)  : (tensor<4xf32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @sigmoid(%0: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@+1 {{'tir.sigmoid' op operand 'input' is tensor<4xi32>, expected tensor of f16, bf16, f32, f64}}
  %r = "tir.sigmoid"(%0)  : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @relu(%0: memref<2x4xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.relu' op has unknown attribute 'op_nam'; did you mean 'op_name'?}}
  "mtir.relu"(%0, %out) {op_nam = "x"} : (memref<2x4xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op requires attribute 'kernel'}}
  %r = "tir.conv2d"(%0, %1) {stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op attribute 'kernel' is no array of i32}}
  %r = "tir.conv2d"(%0, %1) {kernel = 3 : i32, stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op attribute 'kernel' is no array of i32}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3, 3], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op attribute 'kernel' has entry 0, expected 1 to 65535}}
  %r = "tir.conv2d"(%0, %1) {kernel = [0 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op attribute 'group' is no i32}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], group = 1 : i64} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op attribute 'pad_mode' is no string}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = 1 : i32} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op attribute 'pad_mode' is "floor", expected one of FLOOR, CEIL, SAME, VALID}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "floor"} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @leaky_relu(%0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tir.leaky-relu' op attribute 'alpha' is no f32}}
  %r = "tir.leaky-relu"(%0) {alpha = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @fix(%0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tir.fix' op attribute 'if_signed' is no bool}}
  %r = "tir.fix"(%0) {if_signed = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @quantize_linear(%0: tensor<4xf32>) -> tensor<4xi8> {
  // expected-error@+1 {{'tir.quantize-linear' op attribute 'scale' is no array of f32}}
  %r = "tir.quantize-linear"(%0) {scale = [1 : i32], zero_point = [0 : i32]} : (tensor<4xf32>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

func.func @quantize_linear(%0: tensor<4xf32>) -> tensor<4xi8> {
  // expected-error@+1 {{'tir.quantize-linear' op attribute 'scale' is no array of f32}}
  %r = "tir.quantize-linear"(%0) {scale = 1.0 : f32, zero_point = [0 : i32]} : (tensor<4xf32>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

func.func @relu(%0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tir.relu' op has unknown attribute 'completely_unknown'}}
  %r = "tir.relu"(%0) {completely_unknown = unit} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @relu(%0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tir.relu' op attribute 'id' is no i32}}
  %r = "tir.relu"(%0) {id = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @relu(%0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tir.relu' op attribute 'device' is "GPU", expected one of CPU, DPU, USER}}
  %r = "tir.relu"(%0) {device = "GPU"} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @custom(%0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tir.custom' op attribute 'payload' is no dictionary}}
  %r = "tir.custom"(%0) {op_type = "x", payload = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @concat(%0: tensor<4xf32>, %1: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{element 0 in 'operandSegmentSizes' attribute must be equal to 1}}
  %r = "tir.concat"(%0, %1) {axis = 0 : i32, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @conv2d(%0: tensor<8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op operand 'input' has rank 3, expected 4}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op operand 'weight' has rank 3, expected 4}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x5x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op operand 'weight' has size 5 in dimension 1, expected 3 (kernel height)}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x5x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x5x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op operand 'weight' has size 5 in dimension 2, expected 3 (kernel width)}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x5x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x8xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op operand 'weight' has size 8 in dimension 3, expected 16 (input channels / group)}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x8xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>, %2: tensor<31xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op operand 'bias' has 31 elements, expected 32}}
  %r = "tir.conv2d"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>, tensor<31xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>, %2: tensor<1x32xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op operand 'bias' has rank 2, expected 1}}
  %r = "tir.conv2d"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>, tensor<1x32xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op attribute 'group' is 3, which does not divide 16 input and 32 output channels}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], group = 3 : i32} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x8x8x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op attribute 'pad' must be zero with pad_mode SAME, which computes its own padding}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
}

// -----

func.func @conv2d(%0: tensor<1x2x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x1x6x32xf32> {
  // expected-error@+1 {{'tir.conv2d' op window does not fit: the result would have 0 rows and 6 columns}}
  %r = "tir.conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x1x6x32xf32>
  return %r : tensor<1x1x6x32xf32>
}

// -----

func.func @depthwise_conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<1x3x3x8xf32>) -> tensor<1x6x6x16xf32> {
  // expected-error@+1 {{'tir.depthwise-conv2d' op operand 'weight' has size 8 in dimension 3, expected 16 (input channels)}}
  %r = "tir.depthwise-conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<1x3x3x8xf32>) -> tensor<1x6x6x16xf32>
  return %r : tensor<1x6x6x16xf32>
}

// -----

func.func @transposed_conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x2x2x16xf32>) -> tensor<1x17x17x32xf32> {
  // expected-error@+1 {{'tir.transposed-conv2d' op attribute 'output_padding' has entry 2, expected less than the stride 2 or the dilation 1}}
  %r = "tir.transposed-conv2d"(%0, %1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], output_padding = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x2x2x16xf32>) -> tensor<1x17x17x32xf32>
  return %r : tensor<1x17x17x32xf32>
}

// -----

func.func @matmul(%0: tensor<4xf32>, %1: tensor<4x5xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{'tir.matmul' op operand 'a' has rank 1, expected 2 or more}}
  %r = "tir.matmul"(%0, %1)  : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

func.func @matmul(%0: tensor<3x4xf32>, %1: tensor<5x4xf32>) -> tensor<3x4xf32> {
  // expected-error@+1 {{'tir.matmul' op operand 'a' has 4 columns but operand 'b' has 5 rows}}
  %r = "tir.matmul"(%0, %1)  : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @matmul(%0: tensor<2x3x4xf32>, %1: tensor<3x4x5xf32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{'tir.matmul' op operands 'a' and 'b' do not broadcast: 2 and 3 in dimension 0}}
  %r = "tir.matmul"(%0, %1)  : (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}

// -----

func.func @inner_product(%0: tensor<2x12xf32>, %1: tensor<5x11xf32>) -> tensor<2x5xf32> {
  // expected-error@+1 {{'tir.inner-product' op operand 'weight' has size 11 in dimension 1, expected 12 (flattened input)}}
  %r = "tir.inner-product"(%0, %1)  : (tensor<2x12xf32>, tensor<5x11xf32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// -----

func.func @inner_product(%0: tensor<2x12xf32>, %1: tensor<5x12xf32>) -> tensor<2x5xf32> {
  // expected-error@+1 {{'tir.inner-product' op attribute 'axis' is 2, which is no axis of a tensor of rank 2}}
  %r = "tir.inner-product"(%0, %1) {axis = 2 : i32} : (tensor<2x12xf32>, tensor<5x12xf32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// -----

func.func @maxpool2d(%0: tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32> {
  // expected-error@+1 {{'tir.maxpool2d' op requires attribute 'stride' unless 'global' is true}}
  %r = "tir.maxpool2d"(%0) {kernel = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32>
  return %r : tensor<1x4x4x16xf32>
}

// -----

func.func @maxpool2d(%0: tensor<1x8x8x16xf32>) -> tensor<1x1x1x16xf32> {
  // expected-error@+1 {{'tir.maxpool2d' op attribute 'kernel' is [2, 2], expected the whole input [8, 8] with 'global'}}
  %r = "tir.maxpool2d"(%0) {kernel = [2 : i32, 2 : i32], global = true} : (tensor<1x8x8x16xf32>) -> tensor<1x1x1x16xf32>
  return %r : tensor<1x1x1x16xf32>
}

// -----

func.func @maxpool2d(%0: tensor<1x8x8x16xf32>) -> tensor<1x1x1x16xf32> {
  // expected-error@+1 {{'tir.maxpool2d' op attribute 'pad' must be zero with 'global'}}
  %r = "tir.maxpool2d"(%0) {pad = [1 : i32, 0 : i32, 0 : i32, 0 : i32], global = true} : (tensor<1x8x8x16xf32>) -> tensor<1x1x1x16xf32>
  return %r : tensor<1x1x1x16xf32>
}

// -----

func.func @maxpool2d(%0: tensor<1x8x8x16xf32>) -> tensor<1x5x5x16xf32> {
  // expected-error@+1 {{'tir.maxpool2d' op attribute 'pad' has entry 2, expected less than the window's size 2}}
  %r = "tir.maxpool2d"(%0) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [2 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x8x8x16xf32>) -> tensor<1x5x5x16xf32>
  return %r : tensor<1x5x5x16xf32>
}

// -----

func.func @add(%0: tensor<2x3xf32>, %1: tensor<2xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'tir.add' op operand 'b' is 2xf32, which does not broadcast with 2x3xf32}}
  %r = "tir.add"(%0, %1)  : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @prelu(%0: tensor<3xf32>, %1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'tir.prelu' op operand 'slope' is 2x3xf32, which does not broadcast with 3xf32}}
  %r = "tir.prelu"(%0, %1)  : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @logical(%0: tensor<4xi1>, %1: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error@+1 {{'tir.logical' op takes one operand with type NOT}}
  %r = "tir.logical"(%0, %1) {type = "NOT"} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

func.func @logical(%0: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error@+1 {{'tir.logical' op takes two operands unless type is NOT}}
  %r = "tir.logical"(%0) {type = "AND"} : (tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

func.func @select(%0: tensor<4xi1>, %1: tensor<4xf32>, %2: tensor<4xi8>) -> tensor<4xf32> {
  // expected-error@+1 {{'tir.select' op operand 'b' has elements of type i8, expected f32 as operand 'a'}}
  %r = "tir.select"(%0, %1, %2)  : (tensor<4xi1>, tensor<4xf32>, tensor<4xi8>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @quantize_linear(%0: tensor<2x4xf32>) -> tensor<2x4xi8> {
  // expected-error@+1 {{'tir.quantize-linear' op attribute 'scale' has 2 entries, expected 1 or 4 (dimension 1)}}
  %r = "tir.quantize-linear"(%0) {scale = [0.5 : f32, 0.5 : f32], zero_point = [0 : i32, 0 : i32]} : (tensor<2x4xf32>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

// -----

func.func @reduction_sum(%0: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'tir.reduction_sum' op attribute 'axis' names axis 1 twice}}
  %r = "tir.reduction_sum"(%0) {axis = [1 : i32, -1 : i32]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @reduction_sum(%0: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'tir.reduction_sum' op attribute 'axis' has 3 entries, expected at most 2}}
  %r = "tir.reduction_sum"(%0) {axis = [0 : i32, 1 : i32, 0 : i32]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @pad(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'tir.pad' op attribute 'paddings' has 2 entries, expected 4}}
  %r = "tir.pad"(%0) {paddings = [0 : i32, 0 : i32]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @pad(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'tir.pad' op attribute 'paddings' cuts dimension 0 to size -1}}
  %r = "tir.pad"(%0) {paddings = [-3 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @resize(%0: tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32> {
  // expected-error@+1 {{'tir.resize' op attributes 'align_corners' and 'half_pixel_centers' exclude each other}}
  %r = "tir.resize"(%0) {size = [4 : i32, 4 : i32], align_corners = true, half_pixel_centers = true} : (tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32>
  return %r : tensor<1x4x4x16xf32>
}

// -----

func.func @resize(%0: tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32> {
  // expected-error@+1 {{'tir.resize' op attribute 'scale' has 1 entries, expected 2}}
  %r = "tir.resize"(%0) {size = [4 : i32, 4 : i32], scale = [0.5 : f32]} : (tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32>
  return %r : tensor<1x4x4x16xf32>
}

// -----

func.func @resize(%0: tensor<8x8xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'tir.resize' op operand 'input' has rank 2, expected 4}}
  %r = "tir.resize"(%0) {size = [4 : i32, 4 : i32]} : (tensor<8x8xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @transpose(%0: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{'tir.transpose' op attribute 'order' has 1 entries, expected 2}}
  %r = "tir.transpose"(%0) {order = [1 : i32]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

func.func @reshape(%0: tensor<2x3xf32>) -> tensor<6xf32> {
  // expected-error@+1 {{'tir.reshape' op attribute 'shape' has two entries of -1}}
  %r = "tir.reshape"(%0) {shape = [-1 : i32, -1 : i32]} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

func.func @reshape(%0: tensor<2x3xf32>) -> tensor<7xf32> {
  // expected-error@+1 {{'tir.reshape' op attribute 'shape' asks for more than the 6 elements there are}}
  %r = "tir.reshape"(%0) {shape = [7 : i32]} : (tensor<2x3xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

func.func @reshape(%0: tensor<2x3xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{'tir.reshape' op attribute 'shape' asks for 5 elements, expected 6}}
  %r = "tir.reshape"(%0) {shape = [5 : i32]} : (tensor<2x3xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

func.func @reshape(%0: tensor<2x3xf32>) -> tensor<6xf32> {
  // expected-error@+1 {{'tir.reshape' op attribute 'shape' has 9 entries, expected at most 8}}
  %r = "tir.reshape"(%0) {shape = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 6 : i32]} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

func.func @flatten(%0: tensor<2x3xf32>) -> tensor<6xf32> {
  // expected-error@+1 {{'tir.flatten' op attribute 'start_axis' is 1, expected at most 'end_axis' 0}}
  %r = "tir.flatten"(%0) {start_axis = 1 : i32, end_axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

func.func @expand(%0: tensor<2x3xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{'tir.expand' op attribute 'shape' has 1 entries, expected 2 to 8}}
  %r = "tir.expand"(%0) {shape = [3 : i32]} : (tensor<2x3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @strided_slice(%0: tensor<2x3xf32>) -> tensor<1x3xf32> {
  // expected-error@+1 {{'tir.strided_slice' op attribute 'begin' has 1 entries, expected 2}}
  %r = "tir.strided_slice"(%0) {begin = [0 : i32], end = [1 : i32, 3 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

func.func @reorg(%0: tensor<1x5x4x8xf32>) -> tensor<1x2x2x32xf32> {
  // expected-error@+1 {{'tir.reorg' op operand 'input' has size 5 in dimension 1, expected a multiple of 2}}
  %r = "tir.reorg"(%0) {scale = 2 : i32} : (tensor<1x5x4x8xf32>) -> tensor<1x2x2x32xf32>
  return %r : tensor<1x2x2x32xf32>
}

// -----

func.func @space_to_batch(%0: tensor<1x5x4x8xf32>) -> tensor<4x2x2x8xf32> {
  // expected-error@+1 {{'tir.space-to-batch' op padded input has size 5 in dimension 1, expected a multiple of 2}}
  %r = "tir.space-to-batch"(%0) {block_shape = [2 : i32, 2 : i32]} : (tensor<1x5x4x8xf32>) -> tensor<4x2x2x8xf32>
  return %r : tensor<4x2x2x8xf32>
}

// -----

func.func @batch_to_space(%0: tensor<3x5x4x8xf32>) -> tensor<1x10x8x8xf32> {
  // expected-error@+1 {{'tir.batch-to-space' op operand 'input' has batch 3, expected a multiple of 4}}
  %r = "tir.batch-to-space"(%0) {block_shape = [2 : i32, 2 : i32]} : (tensor<3x5x4x8xf32>) -> tensor<1x10x8x8xf32>
  return %r : tensor<1x10x8x8xf32>
}

// -----

func.func @batch_to_space(%0: tensor<4x5x4x8xf32>) -> tensor<1x10x8x8xf32> {
  // expected-error@+1 {{'tir.batch-to-space' op attribute 'crops' removes 10 of 8 elements of dimension 2}}
  %r = "tir.batch-to-space"(%0) {block_shape = [2 : i32, 2 : i32], crops = [5 : i32, 5 : i32, 0 : i32, 0 : i32]} : (tensor<4x5x4x8xf32>) -> tensor<1x10x8x8xf32>
  return %r : tensor<1x10x8x8xf32>
}

// -----

func.func @scatter_scalar(%0: tensor<f32>, %1: tensor<1xi64>, %2: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'tir.scatter' op operand 'data' has no dimension}}
  %r = "tir.scatter"(%0, %1, %2) : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @scatter_element(%0: tensor<2xf32>, %1: tensor<1xi64>, %2: tensor<1xi8>) -> tensor<2xf32> {
  // expected-error@+1 {{'tir.scatter' op operand 'updates' has elements of type i8, expected f32 as operand 'data'}}
  %r = "tir.scatter"(%0, %1, %2) : (tensor<2xf32>, tensor<1xi64>, tensor<1xi8>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @scatter_truth(%0: tensor<2xi1>, %1: tensor<1xi64>, %2: tensor<1xi1>) -> tensor<2xi1> {
  // expected-error@+1 {{'tir.scatter' op combines truth values, expected numbers}}
  %r = "tir.scatter"(%0, %1, %2) {reduction = "MAX"} : (tensor<2xi1>, tensor<1xi64>, tensor<1xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

func.func @scatter_sizes(%0: tensor<2x3xf32>, %1: tensor<1xi64>, %2: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'tir.scatter' op operand 'updates' has size 2 in dimension 0, expected 1}}
  %r = "tir.scatter"(%0, %1, %2) : (tensor<2x3xf32>, tensor<1xi64>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @gather(%0: tensor<1x1x1x1x1xf32>, %1: tensor<1x1x1x1x1xi64>) -> tensor<1xf32> {
  // expected-error@+1 {{'tir.gather' op result has rank 9, expected at most 8}}
  %r = "tir.gather"(%0, %1)  : (tensor<1x1x1x1x1xf32>, tensor<1x1x1x1x1xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

func.func @concat(%0: tensor<2x3xf32>, %1: tensor<2x3x1xf32>) -> tensor<2x6xf32> {
  // expected-error@+1 {{'tir.concat' op operand 'input1' has rank 3, expected 2}}
  %r = "tir.concat"(%0, %1) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x3x1xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// -----

func.func @concat(%0: tensor<2x3xf32>, %1: tensor<3x3xf32>) -> tensor<2x6xf32> {
  // expected-error@+1 {{'tir.concat' op operand 'input1' has size 3 in dimension 0, expected 2 as operand 'input0'}}
  %r = "tir.concat"(%0, %1) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// -----

func.func @concat(%0: tensor<2x3xf32>, %1: tensor<2x3xi32>) -> tensor<2x6xf32> {
  // expected-error@+1 {{'tir.concat' op operand 'input1' has elements of type i32, expected f32}}
  %r = "tir.concat"(%0, %1) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// -----

func.func @stack(%0: tensor<1x1x1x1x1x1x1x1xf32>) -> tensor<1xf32> {
  // expected-error@+1 {{'tir.stack' op result has rank 9, expected at most 8}}
  %r = "tir.stack"(%0) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x1x1x1x1x1x1x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

func.func @priorbox(%0: tensor<1x3x3x8xf32>, %1: tensor<1x60x60x3xf32>) -> tensor<1x2x144xf32> {
  // expected-error@+1 {{'tir.priorbox' op expects at least one of 'min_sizes', at most 64 of 'aspect_ratio' and as many 'max_sizes' as 'min_sizes' or none}}
  %r = "tir.priorbox"(%0, %1) {min_sizes = []} : (tensor<1x3x3x8xf32>, tensor<1x60x60x3xf32>) -> tensor<1x2x144xf32>
  return %r : tensor<1x2x144xf32>
}

// -----

func.func @priorbox(%0: tensor<1x3x3x8xf32>, %1: tensor<1x60x60x3xf32>) -> tensor<1x2x144xf32> {
  // expected-error@+1 {{'tir.priorbox' op attribute 'aspect_ratio' has an entry that is not positive}}
  %r = "tir.priorbox"(%0, %1) {min_sizes = [1.0 : f32], aspect_ratio = [-1.0 : f32]} : (tensor<1x3x3x8xf32>, tensor<1x60x60x3xf32>) -> tensor<1x2x144xf32>
  return %r : tensor<1x2x144xf32>
}

// -----

func.func @priorbox(%0: tensor<1x3x3x8xf32>, %1: tensor<1x60x60x3xf32>) -> tensor<1x2x144xf32> {
  // expected-error@+1 {{'tir.priorbox' op attribute 'variance' has 2 entries, expected 4}}
  %r = "tir.priorbox"(%0, %1) {min_sizes = [1.0 : f32], variance = [1.0 : f32, 1.0 : f32]} : (tensor<1x3x3x8xf32>, tensor<1x60x60x3xf32>) -> tensor<1x2x144xf32>
  return %r : tensor<1x2x144xf32>
}

// -----

func.func @conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.conv2d-fix' op has shift_cut = input_fix_point + weight_fix_point - output_fix_point = 70, expected -24 to 48}}
  %r = "tir.conv2d-fix"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 60 : i32, weight_fix_point = 10 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16x1x1x16xi8>, %2: tensor<16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.conv2d-fix' op has shift_bias = input_fix_point + weight_fix_point - bias_fix_point = -30, expected -24 to 24}}
  %r = "tir.conv2d-fix"(%0, %1, %2) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], bias_fix_point = 30 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>, tensor<16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.conv2d-fix' op attribute 'hsigmoid_in' is -128, expected 0 to 15 with nonlinear HSIGMOID}}
  %r = "tir.conv2d-fix"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "HSIGMOID"} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.conv2d-fix' op attribute 'output_fix_point' is 0, expected 7 or more with nonlinear HSIGMOID}}
  %r = "tir.conv2d-fix"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "HSIGMOID", hsigmoid_in = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.conv2d-fix' op attribute 'shift_hsigmoid' is 3, expected 11 (14 + hsigmoid_in - output_fix_point) or -128 for not set}}
  %r = "tir.conv2d-fix"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "HSIGMOID", hsigmoid_in = 4 : i32, output_fix_point = 7 : i32, shift_hsigmoid = 3 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.conv2d-fix' op has shift_hswish = hsigmoid_in + 7 - output_fix_point = -1, expected 0 to 15}}
  %r = "tir.conv2d-fix"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "HSWISH", hsigmoid_in = 4 : i32, output_fix_point = 12 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @matmul(%0: tensor<3x4xi8>, %1: tensor<4x5xi8>, %2: tensor<5xf32>) -> tensor<3x5xi8> {
  // expected-error@+1 {{'tir.matmul' op operand 'bias' has elements of type f32, expected integers as operand 'a'}}
  %r = "tir.matmul"(%0, %1, %2) : (tensor<3x4xi8>, tensor<4x5xi8>, tensor<5xf32>) -> tensor<3x5xi8>
  return %r : tensor<3x5xi8>
}

// -----

func.func @matmul_fix(%0: tensor<3x4xi8>, %1: tensor<4x5xi8>) -> tensor<3x5xi8> {
  // expected-error@+1 {{'tir.matmul-fix' op has shift_cut = sum of input_fix_point - output_fix_point = 70, expected -24 to 48}}
  %r = "tir.matmul-fix"(%0, %1) {input_fix_point = [60 : i32, 10 : i32]} : (tensor<3x4xi8>, tensor<4x5xi8>) -> tensor<3x5xi8>
  return %r : tensor<3x5xi8>
}

// -----

func.func @eltwise_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.eltwise-fix' op has 1 inputs, expected 2 or more}}
  %r = "tir.eltwise-fix"(%0) {type = "ADD", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @eltwise_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x8x8x16xi8>, %2: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.eltwise-fix' op has 3 inputs, expected 2 with type MUL}}
  %r = "tir.eltwise-fix"(%0, %1, %2) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @eltwise_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.eltwise-fix' op has shift = input_fix_point - output_fix_point = 30, expected -24 to 24}}
  %r = "tir.eltwise-fix"(%0, %1) {type = "ADD", input_fix_point = [30 : i32, 0 : i32], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @qlinear_conv2d(%0: tensor<1x8x8x16xi8>, %1: tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8> {
  // expected-error@+1 {{'tir.qlinear-conv2d' op attribute 'weight_zero_point' has 2 entries, expected 0, 1 or 1}}
  %r = "tir.qlinear-conv2d"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = 0 : i32, output_scale = 0.5 : f32, output_zero_point = 0 : i32, weight_scale = [0.5 : f32], weight_zero_point = [1 : i32, 2 : i32]} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// -----

func.func @constant() -> tensor<4xf32> {
  // expected-error@+1 {{'tir.const' op attribute 'value' has no static tensor type}}
  %r = "tir.const"() {value = dense<1.0> : vector<4xf32>} : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @constant() -> tensor<4xf32> {
  // expected-error@+1 {{no-such-file.bin' of attribute 'path': No such file or directory}}
  %r = "tir.const"() {path = "no-such-file.bin"} : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// What IRDL counts comes first.
func.func @relu(%0: tensor<4xf32>) {
  // expected-error@+1 {{'tir.relu' op expects exactly 1 results, but got 0}}
  "tir.relu"(%0) : (tensor<4xf32>) -> ()
  return
}
