// One invalid use of every mtir operator.
// RUN: xc-opt --split-input-file --verify-diagnostics --mlir-disable-diagnostic-notes %s

func.func @data(%out: memref<1x3xf32>) {
  // expected-error@+1 {{'mtir.data' op result 'output' is 1x3xf32, expected 1x2xf32}}
  "mtir.data"(%out) {shape = [1 : i32, 2 : i32], data_type = "FLOAT32"} : (memref<1x3xf32>) -> ()
  return
}

// -----

func.func @custom(%0: memref<4xf32>, %1: memref<2xi8>, %out: memref<7xf32>) {
  // expected-error@+1 {{'mtir.custom' op requires attribute 'op_type'}}
  "mtir.custom"(%0, %1, %out) {payload = {n = 1 : i64}, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32>, memref<2xi8>, memref<7xf32>) -> ()
  return
}

// -----

func.func @conv2d(%0: memref<1x8x8x16xf32>, %1: memref<32x3x3x16xf32>, %2: memref<32xf32>, %out: memref<1x8x8x33xf32>) {
  // expected-error@+1 {{'mtir.conv2d' op result 'output' is 1x8x8x33xf32, expected 1x8x8x32xf32}}
  "mtir.conv2d"(%0, %1, %2, %out) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (memref<1x8x8x16xf32>, memref<32x3x3x16xf32>, memref<32xf32>, memref<1x8x8x33xf32>) -> ()
  return
}

// -----

func.func @depthwise_conv2d(%0: memref<1x8x8x16xf32>, %1: memref<2x3x3x16xf32>, %2: memref<32xf32>, %out: memref<1x8x8x33xf32>) {
  // expected-error@+1 {{'mtir.depthwise-conv2d' op result 'output' is 1x8x8x33xf32, expected 1x8x8x32xf32}}
  "mtir.depthwise-conv2d"(%0, %1, %2, %out) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (memref<1x8x8x16xf32>, memref<2x3x3x16xf32>, memref<32xf32>, memref<1x8x8x33xf32>) -> ()
  return
}

// -----

func.func @transposed_conv2d(%0: memref<1x8x8x16xf32>, %1: memref<32x3x3x16xf32>, %out: memref<1x16x16x33xf32>) {
  // expected-error@+1 {{'mtir.transposed-conv2d' op result 'output' is 1x16x16x33xf32, expected 1x16x16x32xf32}}
  "mtir.transposed-conv2d"(%0, %1, %out) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], output_padding = [1 : i32, 1 : i32]} : (memref<1x8x8x16xf32>, memref<32x3x3x16xf32>, memref<1x16x16x33xf32>) -> ()
  return
}

// -----

func.func @transposed_depthwise_conv2d(%0: memref<1x8x8x16xf32>, %1: memref<1x2x2x16xf32>, %out: memref<1x16x16x17xf32>) {
  // expected-error@+1 {{'mtir.transposed-depthwise-conv2d' op result 'output' is 1x16x16x17xf32, expected 1x16x16x16xf32}}
  "mtir.transposed-depthwise-conv2d"(%0, %1, %out) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (memref<1x8x8x16xf32>, memref<1x2x2x16xf32>, memref<1x16x16x17xf32>) -> ()
  return
}

// -----

func.func @matmul(%0: memref<2x3x4xf32>, %1: memref<5x4xf32>, %2: memref<5xf32>, %out: memref<2x3x6xf32>) {
  // expected-error@+1 {{'mtir.matmul' op result 'output' is 2x3x6xf32, expected 2x3x5xf32}}
  "mtir.matmul"(%0, %1, %2, %out) {transpose_b = true} : (memref<2x3x4xf32>, memref<5x4xf32>, memref<5xf32>, memref<2x3x6xf32>) -> ()
  return
}

// -----

func.func @inner_product(%0: memref<2x3x4xf32>, %1: memref<5x12xf32>, %2: memref<5xf32>, %out: memref<2x6xf32>) {
  // expected-error@+1 {{'mtir.inner-product' op result 'output' is 2x6xf32, expected 2x5xf32}}
  "mtir.inner-product"(%0, %1, %2, %out) {axis = 1 : i32} : (memref<2x3x4xf32>, memref<5x12xf32>, memref<5xf32>, memref<2x6xf32>) -> ()
  return
}

// -----

func.func @maxpool2d(%0: memref<1x8x8x16xf32>, %out: memref<1x4x4x17xf32>) {
  // expected-error@+1 {{'mtir.maxpool2d' op result 'output' is 1x4x4x17xf32, expected 1x4x4x16xf32}}
  "mtir.maxpool2d"(%0, %out) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (memref<1x8x8x16xf32>, memref<1x4x4x17xf32>) -> ()
  return
}

// -----

func.func @avgpool2d(%0: memref<1x8x8x16xf32>, %out: memref<1x1x1x17xf32>) {
  // expected-error@+1 {{'mtir.avgpool2d' op result 'output' is 1x1x1x17xf32, expected 1x1x1x16xf32}}
  "mtir.avgpool2d"(%0, %out) {global = true} : (memref<1x8x8x16xf32>, memref<1x1x1x17xf32>) -> ()
  return
}

// -----

func.func @relu(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.relu' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.relu"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @relu6(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.relu6' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.relu6"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @hard_swish(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.hard-swish' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.hard-swish"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @sigmoid(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.sigmoid' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.sigmoid"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @tanh(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.tanh' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.tanh"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @softplus(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.softplus' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.softplus"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @neg(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.neg' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.neg"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @abs(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.abs' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.abs"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @exp(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.exp' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.exp"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @log(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.log' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.log"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @sqrt(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.sqrt' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.sqrt"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @rsqrt(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.rsqrt' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.rsqrt"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @floor(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.floor' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.floor"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @ceil(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.ceil' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.ceil"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @round(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.round' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.round"(%0, %out)  : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @leaky_relu(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.leaky-relu' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.leaky-relu"(%0, %out) {alpha = 0.1 : f32} : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @clip(%0: memref<2x3xi32>, %out: memref<2x4xi32>) {
  // expected-error@+1 {{'mtir.clip' op result 'output' is 2x4xi32, expected 2x3xi32}}
  "mtir.clip"(%0, %out) {min = -1.0 : f32, max = 4.0 : f32} : (memref<2x3xi32>, memref<2x4xi32>) -> ()
  return
}

// -----

func.func @hard_sigmoid(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.hard-sigmoid' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.hard-sigmoid"(%0, %out) {alpha = 0.2 : f32} : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @elu(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.elu' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.elu"(%0, %out) {alpha = 1.5 : f32} : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @prelu(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.prelu' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.prelu"(%0, %1, %out)  : (memref<1x4x4x8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @add(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.add' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.add"(%0, %1, %out)  : (memref<1x4x4x8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @sub(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.sub' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.sub"(%0, %1, %out)  : (memref<1x4x4x8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @mul(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.mul' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.mul"(%0, %1, %out)  : (memref<1x4x4x8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @div(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.div' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.div"(%0, %1, %out)  : (memref<1x4x4x8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @pow(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.pow' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.pow"(%0, %1, %out)  : (memref<1x4x4x8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @min(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.min' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.min"(%0, %1, %out)  : (memref<1x4x4x8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @max(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.max' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.max"(%0, %1, %out)  : (memref<1x4x4x8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @compare(%0: memref<2x3xi64>, %1: memref<3xi64>, %out: memref<2x4xi1>) {
  // expected-error@+1 {{'mtir.compare' op result 'output' is 2x4xi1, expected 2x3xi1}}
  "mtir.compare"(%0, %1, %out) {predicate = "LE"} : (memref<2x3xi64>, memref<3xi64>, memref<2x4xi1>) -> ()
  return
}

// -----

func.func @logical(%0: memref<2x3xi1>, %out: memref<2x4xi1>) {
  // expected-error@+1 {{'mtir.logical' op result 'output' is 2x4xi1, expected 2x3xi1}}
  "mtir.logical"(%0, %out) {type = "NOT"} : (memref<2x3xi1>, memref<2x4xi1>) -> ()
  return
}

// -----

func.func @bitwise(%0: memref<2x3xui8>, %1: memref<3xui8>, %out: memref<2x4xui8>) {
  // expected-error@+1 {{'mtir.bitwise' op result 'output' is 2x4xui8, expected 2x3xui8}}
  "mtir.bitwise"(%0, %1, %out) {type = "XOR"} : (memref<2x3xui8>, memref<3xui8>, memref<2x4xui8>) -> ()
  return
}

// -----

func.func @select(%0: memref<2x3xi1>, %1: memref<2x3xf16>, %2: memref<f16>, %out: memref<2x4xf16>) {
  // expected-error@+1 {{'mtir.select' op result 'output' is 2x4xf16, expected 2x3xf16}}
  "mtir.select"(%0, %1, %2, %out)  : (memref<2x3xi1>, memref<2x3xf16>, memref<f16>, memref<2x4xf16>) -> ()
  return
}

// -----

func.func @cast(%0: memref<2x3xf32>, %out: memref<2x4xui8>) {
  // expected-error@+1 {{'mtir.cast' op result 'output' is 2x4xui8, expected 2x3xui8}}
  "mtir.cast"(%0, %out) {saturate = true} : (memref<2x3xf32>, memref<2x4xui8>) -> ()
  return
}

// -----

func.func @batchnorm(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %2: memref<8xf32>, %3: memref<8xf32>, %4: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.batchnorm' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.batchnorm"(%0, %1, %2, %3, %4, %out) {epsilon = 1.0e-3 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>} : (memref<1x4x4x8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @scale(%0: memref<1x4x4x8xf32>, %1: memref<8xf32>, %2: memref<8xf32>, %out: memref<1x4x4x9xf32>) {
  // expected-error@+1 {{'mtir.scale' op result 'output' is 1x4x4x9xf32, expected 1x4x4x8xf32}}
  "mtir.scale"(%0, %1, %2, %out)  : (memref<1x4x4x8xf32>, memref<8xf32>, memref<8xf32>, memref<1x4x4x9xf32>) -> ()
  return
}

// -----

func.func @softmax(%0: memref<2x3xf32>, %out: memref<2x3xf32>) {
  // expected-error@+1 {{'mtir.softmax' op attribute 'axis' is 2, which is not an axis of a tensor of rank 2}}
  "mtir.softmax"(%0, %out) {axis = 2 : i32} : (memref<2x3xf32>, memref<2x3xf32>) -> ()
  return
}

// -----

func.func @log_softmax(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.log-softmax' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.log-softmax"(%0, %out) {axis = 1 : i32} : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @lrn(%0: memref<1x4x4x8xf32>, %out: memref<1x4x4x8xf32>) {
  // expected-error@+1 {{'mtir.lrn' op attribute 'size' is 0, expected 1 to 65535}}
  "mtir.lrn"(%0, %out) {size = 0 : i32} : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  return
}

// -----

func.func @reduction_sum(%0: memref<1x4x6x8xf32>, %out: memref<1x1x1x9xf32>) {
  // expected-error@+1 {{'mtir.reduction_sum' op result 'output' is 1x1x1x9xf32, expected 1x1x1x8xf32}}
  "mtir.reduction_sum"(%0, %out) {axis = [1 : i32, 2 : i32], keep_dims = true} : (memref<1x4x6x8xf32>, memref<1x1x1x9xf32>) -> ()
  return
}

// -----

func.func @reduction_max(%0: memref<1x4x6x8xf32>, %out: memref<1x1x1x9xf32>) {
  // expected-error@+1 {{'mtir.reduction_max' op result 'output' is 1x1x1x9xf32, expected 1x1x1x8xf32}}
  "mtir.reduction_max"(%0, %out) {axis = [1 : i32, 2 : i32], keep_dims = true} : (memref<1x4x6x8xf32>, memref<1x1x1x9xf32>) -> ()
  return
}

// -----

func.func @reduction_mean(%0: memref<1x4x6x8xf32>, %out: memref<1x1x1x9xf32>) {
  // expected-error@+1 {{'mtir.reduction_mean' op result 'output' is 1x1x1x9xf32, expected 1x1x1x8xf32}}
  "mtir.reduction_mean"(%0, %out) {axis = [1 : i32, 2 : i32], keep_dims = true} : (memref<1x4x6x8xf32>, memref<1x1x1x9xf32>) -> ()
  return
}

// -----

func.func @argmax(%0: memref<1x4x6x8xf32>, %out: memref<1x4x7xi64>) {
  // expected-error@+1 {{'mtir.argmax' op result 'output' is 1x4x7xi64, expected 1x4x6xi64}}
  "mtir.argmax"(%0, %out) {axis = -1 : i32} : (memref<1x4x6x8xf32>, memref<1x4x7xi64>) -> ()
  return
}

// -----

func.func @pad(%0: memref<1x4x6x8xf32>, %out: memref<1x6x8x8xf32>) {
  // expected-error@+1 {{'mtir.pad' op attribute 'paddings' has entry 4, but mode REFLECT reaches 3 elements in dimension 1}}
  "mtir.pad"(%0, %out) {paddings = [0 : i32, 0 : i32, 4 : i32, 4 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], mode = "REFLECT"} : (memref<1x4x6x8xf32>, memref<1x6x8x8xf32>) -> ()
  return
}

// -----

func.func @resize(%0: memref<1x4x6x8xf32>, %out: memref<1x8x12x9xf32>) {
  // expected-error@+1 {{'mtir.resize' op result 'output' is 1x8x12x9xf32, expected 1x8x12x8xf32}}
  "mtir.resize"(%0, %out) {size = [12 : i32, 8 : i32], mode = "BILINEAR", half_pixel_centers = true} : (memref<1x4x6x8xf32>, memref<1x8x12x9xf32>) -> ()
  return
}

// -----

func.func @transpose(%0: memref<1x4x6x8xf32>, %out: memref<1x8x4x6xf32>) {
  // expected-error@+1 {{'mtir.transpose' op attribute 'order' is not a permutation of 0 to 3}}
  "mtir.transpose"(%0, %out) {order = [0 : i32, 3 : i32, 1 : i32, 1 : i32]} : (memref<1x4x6x8xf32>, memref<1x8x4x6xf32>) -> ()
  return
}

// -----

func.func @reshape(%0: memref<1x4x6x8xf32>, %out: memref<4x48xf32>) {
  // expected-error@+1 {{'mtir.reshape' op attribute 'shape' asks for a multiple of 5 elements, expected 192}}
  "mtir.reshape"(%0, %out) {shape = [5 : i32, -1 : i32]} : (memref<1x4x6x8xf32>, memref<4x48xf32>) -> ()
  return
}

// -----

func.func @flatten(%0: memref<1x4x6x8xf32>, %out: memref<1x193xf32>) {
  // expected-error@+1 {{'mtir.flatten' op result 'output' is 1x193xf32, expected 1x192xf32}}
  "mtir.flatten"(%0, %out)  : (memref<1x4x6x8xf32>, memref<1x193xf32>) -> ()
  return
}

// -----

func.func @squeeze(%0: memref<1x4x1x8xf32>, %out: memref<4x8xf32>) {
  // expected-error@+1 {{'mtir.squeeze' op attribute 'axis' names dimension 1 of size 4, expected size 1}}
  "mtir.squeeze"(%0, %out) {axis = [1 : i32]} : (memref<1x4x1x8xf32>, memref<4x8xf32>) -> ()
  return
}

// -----

func.func @expand(%0: memref<1x8xf32>, %out: memref<2x4x8xf32>) {
  // expected-error@+1 {{'mtir.expand' op attribute 'shape' has entry 9, which size 8 does not broadcast to}}
  "mtir.expand"(%0, %out) {shape = [2 : i32, 4 : i32, 9 : i32]} : (memref<1x8xf32>, memref<2x4x8xf32>) -> ()
  return
}

// -----

func.func @strided_slice(%0: memref<10x8xf32>, %out: memref<3x4xf32>) {
  // expected-error@+1 {{'mtir.strided_slice' op attribute 'strides' has entry 0}}
  "mtir.strided_slice"(%0, %out) {begin = [8 : i32, 0 : i32], end = [2 : i32, 8 : i32], strides = [0 : i32, 2 : i32]} : (memref<10x8xf32>, memref<3x4xf32>) -> ()
  return
}

// -----

func.func @pixel_shuffle(%0: memref<1x4x6x8xf32>, %out: memref<1x8x12x2xf32>) {
  // expected-error@+1 {{'mtir.pixel-shuffle' op operand 'input' has 8 channels, expected a multiple of 9}}
  "mtir.pixel-shuffle"(%0, %out) {scale = 3 : i32} : (memref<1x4x6x8xf32>, memref<1x8x12x2xf32>) -> ()
  return
}

// -----

func.func @reorg(%0: memref<1x4x6x8xf32>, %out: memref<1x2x3x33xf32>) {
  // expected-error@+1 {{'mtir.reorg' op result 'output' is 1x2x3x33xf32, expected 1x2x3x32xf32}}
  "mtir.reorg"(%0, %out) {scale = 2 : i32} : (memref<1x4x6x8xf32>, memref<1x2x3x33xf32>) -> ()
  return
}

// -----

func.func @gstiling(%0: memref<1x4x6x8xf32>, %out: memref<1x2x3x33xf32>) {
  // expected-error@+1 {{'mtir.gstiling' op result 'output' is 1x2x3x33xf32, expected 1x2x3x32xf32}}
  "mtir.gstiling"(%0, %out) {stride = 2 : i32} : (memref<1x4x6x8xf32>, memref<1x2x3x33xf32>) -> ()
  return
}

// -----

func.func @space_to_batch(%0: memref<1x4x6x8xf32>, %out: memref<4x3x4x9xf32>) {
  // expected-error@+1 {{'mtir.space-to-batch' op result 'output' is 4x3x4x9xf32, expected 4x3x4x8xf32}}
  "mtir.space-to-batch"(%0, %out) {block_shape = [2 : i32, 2 : i32], paddings = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (memref<1x4x6x8xf32>, memref<4x3x4x9xf32>) -> ()
  return
}

// -----

func.func @batch_to_space(%0: memref<4x3x4x8xf32>, %out: memref<1x4x6x9xf32>) {
  // expected-error@+1 {{'mtir.batch-to-space' op result 'output' is 1x4x6x9xf32, expected 1x4x6x8xf32}}
  "mtir.batch-to-space"(%0, %out) {block_shape = [2 : i32, 2 : i32], crops = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (memref<4x3x4x8xf32>, memref<1x4x6x9xf32>) -> ()
  return
}

// -----

func.func @recurrent(%0: memref<5x2x9xf32>, %1: memref<3x9xf32>, %out: memref<5x2x4xf32>) {
  // expected-error@+1 {{'mtir.recurrent' op result 'output' is 5x2x4xf32, expected 5x2x3xf32}}
  "mtir.recurrent"(%0, %1, %out) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1>, cell = "GRU"} : (memref<5x2x9xf32>, memref<3x9xf32>, memref<5x2x4xf32>) -> ()
  return
}

// -----

func.func @scatter(%0: memref<5x8xf32>, %1: memref<3xi64>, %2: memref<3x8xf32>, %out: memref<4x8xf32>) {
  // expected-error@+1 {{'mtir.scatter' op result 'output' is 4x8xf32, expected 5x8xf32}}
  "mtir.scatter"(%0, %1, %2, %out) : (memref<5x8xf32>, memref<3xi64>, memref<3x8xf32>, memref<4x8xf32>) -> ()
  return
}

// -----

func.func @topk(%0: memref<5x8xf32>, %out: memref<5x9xi64>) {
  // expected-error@+1 {{'mtir.topk' op result 'output' is 5x9xi64, expected 5x3xi64}}
  "mtir.topk"(%0, %out) {axis = -1 : i32, k = 3 : i32} : (memref<5x8xf32>, memref<5x9xi64>) -> ()
  return
}

// -----

func.func @nms(%0: memref<2x5x4xf32>, %1: memref<2x3x5xf32>, %out: memref<25x3xi64>) {
  // expected-error@+1 {{'mtir.nms' op result 'output' is 25x3xi64, expected 24x3xi64}}
  "mtir.nms"(%0, %1, %out) {max_boxes = 4 : i32, iou_threshold = 0.5 : f32, score_threshold = 0.1 : f32} : (memref<2x5x4xf32>, memref<2x3x5xf32>, memref<25x3xi64>) -> ()
  return
}

// -----

func.func @erf(%0: memref<5x8xf32>, %out: memref<5x9xf32>) {
  // expected-error@+1 {{'mtir.erf' op result 'output' is 5x9xf32, expected 5x8xf32}}
  "mtir.erf"(%0, %out) : (memref<5x8xf32>, memref<5x9xf32>) -> ()
  return
}

// -----

func.func @sin(%0: memref<5x8xf32>, %out: memref<5x9xf32>) {
  // expected-error@+1 {{'mtir.sin' op result 'output' is 5x9xf32, expected 5x8xf32}}
  "mtir.sin"(%0, %out) : (memref<5x8xf32>, memref<5x9xf32>) -> ()
  return
}

// -----

func.func @atan(%0: memref<5x8xf32>, %out: memref<5x9xf32>) {
  // expected-error@+1 {{'mtir.atan' op result 'output' is 5x9xf32, expected 5x8xf32}}
  "mtir.atan"(%0, %out) : (memref<5x8xf32>, memref<5x9xf32>) -> ()
  return
}

// -----

func.func @cos(%0: memref<5x8xf32>, %out: memref<5x9xf32>) {
  // expected-error@+1 {{'mtir.cos' op result 'output' is 5x9xf32, expected 5x8xf32}}
  "mtir.cos"(%0, %out) : (memref<5x8xf32>, memref<5x9xf32>) -> ()
  return
}

// -----

func.func @table(%0: memref<5x8xi8>, %1: memref<255xi8>, %out: memref<5x8xi8>) {
  // expected-error@+1 {{'mtir.table' op operand 'table' is 255xi8, expected 256 entries, or as many for each channel of the input}}
  "mtir.table"(%0, %1, %out) : (memref<5x8xi8>, memref<255xi8>, memref<5x8xi8>) -> ()
  return
}

// -----

func.func @gather(%0: memref<5x8xf32>, %1: memref<2x3xi64>, %out: memref<2x3x9xf32>) {
  // expected-error@+1 {{'mtir.gather' op result 'output' is 2x3x9xf32, expected 2x3x8xf32}}
  "mtir.gather"(%0, %1, %out) {axis = 0 : i32} : (memref<5x8xf32>, memref<2x3xi64>, memref<2x3x9xf32>) -> ()
  return
}

// -----

func.func @concat(%0: memref<2x3xf32>, %1: memref<2x5xf32>, %2: memref<2x1xf32>, %out: memref<2x10xf32>) {
  // expected-error@+1 {{'mtir.concat' op result 'output' is 2x10xf32, expected 2x9xf32}}
  "mtir.concat"(%0, %1, %2, %out) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x3xf32>, memref<2x5xf32>, memref<2x1xf32>, memref<2x10xf32>) -> ()
  return
}

// -----

func.func @stack(%0: memref<2x3xf32>, %1: memref<2x3xf32>, %out: memref<2x2x4xf32>) {
  // expected-error@+1 {{'mtir.stack' op result 'output' is 2x2x4xf32, expected 2x2x3xf32}}
  "mtir.stack"(%0, %1, %out) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x3xf32>, memref<2x3xf32>, memref<2x2x4xf32>) -> ()
  return
}

// -----

func.func @priorbox(%0: memref<1x3x3x8xf32>, %1: memref<1x60x60x3xf32>, %out: memref<1x2x145xf32>) {
  // expected-error@+1 {{'mtir.priorbox' op result 'output' is 1x2x145xf32, expected 1x2x144xf32}}
  "mtir.priorbox"(%0, %1, %out) {min_sizes = [30.0 : f32], max_sizes = [60.0 : f32], aspect_ratio = [2.0 : f32]} : (memref<1x3x3x8xf32>, memref<1x60x60x3xf32>, memref<1x2x145xf32>) -> ()
  return
}

// -----

func.func @fix(%0: memref<2x3xf32>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.fix' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.fix"(%0, %out) {bit_width = 8 : i32, fix_point = 4 : i32, round_mode = "DPU_ROUND"} : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @float2fix(%0: memref<2x3xf32>, %out: memref<2x3xi8>) {
  // expected-error@+1 {{'mtir.float2fix' op attribute 'bit_width' is 9, expected at most 8}}
  "mtir.float2fix"(%0, %out) {fix_point = 4 : i32, bit_width = 9 : i32} : (memref<2x3xf32>, memref<2x3xi8>) -> ()
  return
}

// -----

func.func @fix2float(%0: memref<2x3xui8>, %out: memref<2x3xf32>) {
  // expected-error@+1 {{'mtir.fix2float' op attribute 'if_signed' is true, but the integers are ui8}}
  "mtir.fix2float"(%0, %out) {fix_point = 4 : i32, if_signed = true} : (memref<2x3xui8>, memref<2x3xf32>) -> ()
  return
}

// -----

func.func @conv2d_fix(%0: memref<1x8x8x16xi8>, %1: memref<32x3x3x16xi8>, %2: memref<32xi8>, %out: memref<1x8x8x32xi8>) {
  // expected-error@+1 {{'mtir.conv2d-fix' op attribute 'stride' has 3 entries, expected 2}}
  "mtir.conv2d-fix"(%0, %1, %2, %out) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 6 : i32, output_fix_point = 4 : i32, nonlinear = "RELU"} : (memref<1x8x8x16xi8>, memref<32x3x3x16xi8>, memref<32xi8>, memref<1x8x8x32xi8>) -> ()
  return
}

// -----

func.func @depthwise_conv2d_fix(%0: memref<1x8x8x16xi8>, %1: memref<1x3x3x16xi8>, %2: memref<16xi8>, %out: memref<1x8x8x17xi8>) {
  // expected-error@+1 {{'mtir.depthwise-conv2d-fix' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  "mtir.depthwise-conv2d-fix"(%0, %1, %2, %out) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 6 : i32, output_fix_point = 4 : i32, nonlinear = "RELU"} : (memref<1x8x8x16xi8>, memref<1x3x3x16xi8>, memref<16xi8>, memref<1x8x8x17xi8>) -> ()
  return
}

// -----

func.func @transposed_conv2d_fix(%0: memref<1x8x8x16xi8>, %1: memref<32x2x2x16xi8>, %out: memref<1x16x16x33xi8>) {
  // expected-error@+1 {{'mtir.transposed-conv2d-fix' op result 'output' is 1x16x16x33xi8, expected 1x16x16x32xi8}}
  "mtir.transposed-conv2d-fix"(%0, %1, %out) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (memref<1x8x8x16xi8>, memref<32x2x2x16xi8>, memref<1x16x16x33xi8>) -> ()
  return
}

// -----

func.func @transposed_depthwise_conv2d_fix(%0: memref<1x8x8x16xi8>, %1: memref<1x2x2x16xi8>, %out: memref<1x16x16x17xi8>) {
  // expected-error@+1 {{'mtir.transposed-depthwise-conv2d-fix' op result 'output' is 1x16x16x17xi8, expected 1x16x16x16xi8}}
  "mtir.transposed-depthwise-conv2d-fix"(%0, %1, %out) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (memref<1x8x8x16xi8>, memref<1x2x2x16xi8>, memref<1x16x16x17xi8>) -> ()
  return
}

// -----

func.func @matmul_fix(%0: memref<3x4xi8>, %1: memref<4x5xi8>, %2: memref<5xi8>, %out: memref<3x6xi8>) {
  // expected-error@+1 {{'mtir.matmul-fix' op result 'output' is 3x6xi8, expected 3x5xi8}}
  "mtir.matmul-fix"(%0, %1, %2, %out) {input_fix_point = [4 : i32, 5 : i32], output_fix_point = 3 : i32} : (memref<3x4xi8>, memref<4x5xi8>, memref<5xi8>, memref<3x6xi8>) -> ()
  return
}

// -----

func.func @pool_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x4x4x17xi8>) {
  // expected-error@+1 {{'mtir.pool-fix' op result 'output' is 1x4x4x17xi8, expected 1x4x4x16xi8}}
  "mtir.pool-fix"(%0, %out) {type = "AVG", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x4x4x17xi8>) -> ()
  return
}

// -----

func.func @eltwise_fix(%0: memref<1x8x8x16xi8>, %1: memref<1x8x8x16xi8>, %out: memref<1x8x8x16xi8>) {
  // expected-error@+1 {{'mtir.eltwise-fix' op attribute 'input_fix_point' has 3 entries, expected 2}}
  "mtir.eltwise-fix"(%0, %1, %out) {type = "ADD", input_fix_point = [1 : i32, 2 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x8x8x16xi8>, memref<1x8x8x16xi8>, memref<1x8x8x16xi8>) -> ()
  return
}

// -----

// The points of a product add up; each may be far from the result's.
func.func @eltwise_fix_product(%0: memref<1x8x8x16xi8>, %1: memref<1x8x8x16xi8>, %out: memref<1x8x8x16xi8>) {
  "mtir.eltwise-fix"(%0, %1, %out) {type = "MUL", input_fix_point = [46 : i32, 5 : i32], output_fix_point = 50 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x8x8x16xi8>, memref<1x8x8x16xi8>, memref<1x8x8x16xi8>) -> ()
  return
}

// -----

func.func @eltwise_fix_product_shift(%0: memref<1x8x8x16xi8>, %1: memref<1x8x8x16xi8>, %out: memref<1x8x8x16xi8>) {
  // expected-error@+1 {{'mtir.eltwise-fix' op has shift = sum of input_fix_point - output_fix_point = 51, expected -24 to 48}}
  "mtir.eltwise-fix"(%0, %1, %out) {type = "MUL", input_fix_point = [46 : i32, 5 : i32], output_fix_point = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x8x8x16xi8>, memref<1x8x8x16xi8>, memref<1x8x8x16xi8>) -> ()
  return
}

// -----

func.func @eltwise_fix_sum_shift(%0: memref<1x8x8x16xi8>, %1: memref<1x8x8x16xi8>, %out: memref<1x8x8x16xi8>) {
  // expected-error@+1 {{'mtir.eltwise-fix' op has shift = input_fix_point - output_fix_point = 41, expected -24 to 24}}
  "mtir.eltwise-fix"(%0, %1, %out) {type = "ADD", input_fix_point = [46 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x8x8x16xi8>, memref<1x8x8x16xi8>, memref<1x8x8x16xi8>) -> ()
  return
}

// -----

func.func @depthwise_fix(%0: memref<1x8x8x16xi8>, %1: memref<16xi8>, %out: memref<1x8x8x17xi8>) {
  // expected-error@+1 {{'mtir.depthwise-fix' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  "mtir.depthwise-fix"(%0, %1, %out) {type = "MUL"} : (memref<1x8x8x16xi8>, memref<16xi8>, memref<1x8x8x17xi8>) -> ()
  return
}

// -----

func.func @concat_fix(%0: memref<1x8x8x16xi8>, %1: memref<1x8x8x4xi8>, %out: memref<1x8x8x20xi8>) {
  // expected-error@+1 {{'mtir.concat-fix' op attribute 'input_fix_point' has entry 99, expected -64 to 64}}
  "mtir.concat-fix"(%0, %1, %out) {axis = 3 : i32, input_fix_point = [99 : i32, 0 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x8x8x16xi8>, memref<1x8x8x4xi8>, memref<1x8x8x20xi8>) -> ()
  return
}

// -----

func.func @reshape_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x1025xi8>) {
  // expected-error@+1 {{'mtir.reshape-fix' op result 'output' is 1x1025xi8, expected 1x1024xi8}}
  "mtir.reshape-fix"(%0, %out) {shape = [1 : i32, -1 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x1025xi8>) -> ()
  return
}

// -----

func.func @transpose_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x16x8x9xi8>) {
  // expected-error@+1 {{'mtir.transpose-fix' op result 'output' is 1x16x8x9xi8, expected 1x16x8x8xi8}}
  "mtir.transpose-fix"(%0, %out) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x16x8x9xi8>) -> ()
  return
}

// -----

func.func @strided_slice_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x4x8x17xi8>) {
  // expected-error@+1 {{'mtir.strided_slice-fix' op result 'output' is 1x4x8x17xi8, expected 1x4x8x16xi8}}
  "mtir.strided_slice-fix"(%0, %out) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 8 : i32, 16 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x4x8x17xi8>) -> ()
  return
}

// -----

func.func @pad_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x10x10x17xi8>) {
  // expected-error@+1 {{'mtir.pad-fix' op result 'output' is 1x10x10x17xi8, expected 1x10x10x16xi8}}
  "mtir.pad-fix"(%0, %out) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x10x10x17xi8>) -> ()
  return
}

// -----

func.func @upsample_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x24x16x17xi8>) {
  // expected-error@+1 {{'mtir.upsample-fix' op result 'output' is 1x24x16x17xi8, expected 1x24x16x16xi8}}
  "mtir.upsample-fix"(%0, %out) {scale = [2 : i32, 3 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x24x16x17xi8>) -> ()
  return
}

// -----

func.func @downsample_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x3x4x17xi8>) {
  // expected-error@+1 {{'mtir.downsample-fix' op result 'output' is 1x3x4x17xi8, expected 1x3x4x16xi8}}
  "mtir.downsample-fix"(%0, %out) {scale = [2 : i32, 3 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x3x4x17xi8>) -> ()
  return
}

// -----

func.func @reorg_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x4x4x65xi8>) {
  // expected-error@+1 {{'mtir.reorg-fix' op result 'output' is 1x4x4x65xi8, expected 1x4x4x64xi8}}
  "mtir.reorg-fix"(%0, %out) {scale = 2 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x4x4x65xi8>) -> ()
  return
}

// -----

func.func @tile_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x4x4x65xi8>) {
  // expected-error@+1 {{'mtir.tile-fix' op result 'output' is 1x4x4x65xi8, expected 1x4x4x64xi8}}
  "mtir.tile-fix"(%0, %out) {stride = 2 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x4x4x65xi8>) -> ()
  return
}

// -----

func.func @pixel_shuffle_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x16x16x5xi8>) {
  // expected-error@+1 {{'mtir.pixel-shuffle-fix' op result 'output' is 1x16x16x5xi8, expected 1x16x16x4xi8}}
  "mtir.pixel-shuffle-fix"(%0, %out) {scale = 2 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x16x16x5xi8>) -> ()
  return
}

// -----

func.func @reduction_max_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x17xi8>) {
  // expected-error@+1 {{'mtir.reduction_max-fix' op result 'output' is 1x17xi8, expected 1x16xi8}}
  "mtir.reduction_max-fix"(%0, %out) {axis = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x17xi8>) -> ()
  return
}

// -----

func.func @reduction_mean_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x17xi8>) {
  // expected-error@+1 {{'mtir.reduction_mean-fix' op result 'output' is 1x17xi8, expected 1x16xi8}}
  "mtir.reduction_mean-fix"(%0, %out) {axis = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x17xi8>) -> ()
  return
}

// -----

func.func @reduction_sum_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x17xi8>) {
  // expected-error@+1 {{'mtir.reduction_sum-fix' op result 'output' is 1x17xi8, expected 1x16xi8}}
  "mtir.reduction_sum-fix"(%0, %out) {axis = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x17xi8>) -> ()
  return
}

// -----

func.func @relu_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x8x8x16xi8>) {
  // expected-error@+1 {{'mtir.relu-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  "mtir.relu-fix"(%0, %out) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (memref<1x8x8x16xi8>, memref<1x8x8x16xi8>) -> ()
  return
}

// -----

func.func @relu6_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x8x8x16xi8>) {
  // expected-error@+1 {{'mtir.relu6-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  "mtir.relu6-fix"(%0, %out) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (memref<1x8x8x16xi8>, memref<1x8x8x16xi8>) -> ()
  return
}

// -----

func.func @leaky_relu_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x8x8x16xi8>) {
  // expected-error@+1 {{'mtir.leaky-relu-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  "mtir.leaky-relu-fix"(%0, %out) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (memref<1x8x8x16xi8>, memref<1x8x8x16xi8>) -> ()
  return
}

// -----

func.func @hard_sigmoid_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x8x8x16xi8>) {
  // expected-error@+1 {{'mtir.hard-sigmoid-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  "mtir.hard-sigmoid-fix"(%0, %out) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (memref<1x8x8x16xi8>, memref<1x8x8x16xi8>) -> ()
  return
}

// -----

func.func @hard_swish_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x8x8x16xi8>) {
  // expected-error@+1 {{'mtir.hard-swish-fix' op has shift = input_fix_point - output_fix_point = 34, expected -24 to 24}}
  "mtir.hard-swish-fix"(%0, %out) {input_fix_point = 4 : i32, output_fix_point = -30 : i32} : (memref<1x8x8x16xi8>, memref<1x8x8x16xi8>) -> ()
  return
}

// -----

func.func @prelu_fix(%0: memref<1x8x8x16xi8>, %1: memref<16xi8>, %out: memref<1x8x8x17xi8>) {
  // expected-error@+1 {{'mtir.prelu-fix' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  "mtir.prelu-fix"(%0, %1, %out) {slope_fix_point = 6 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<1x8x8x16xi8>, memref<16xi8>, memref<1x8x8x17xi8>) -> ()
  return
}

// -----

func.func @argmax_fix(%0: memref<1x8x8x16xi8>, %out: memref<1x8x9xi32>) {
  // expected-error@+1 {{'mtir.argmax-fix' op result 'output' is 1x8x9xi32, expected 1x8x8xi32}}
  "mtir.argmax-fix"(%0, %out) {axis = 3 : i32} : (memref<1x8x8x16xi8>, memref<1x8x9xi32>) -> ()
  return
}

// -----

func.func @quantize_linear(%0: memref<2x3xf32>, %out: memref<2x3xi8>) {
  // expected-error@+1 {{'mtir.quantize-linear' op attribute 'zero_point' has 1 entries, expected 3 as 'scale'}}
  "mtir.quantize-linear"(%0, %out) {scale = [0.5 : f32, 0.25 : f32, 0.1 : f32], zero_point = [0 : i32], axis = 1 : i32} : (memref<2x3xf32>, memref<2x3xi8>) -> ()
  return
}

// -----

func.func @dequantize_linear(%0: memref<2x3xui8>, %out: memref<2x4xf32>) {
  // expected-error@+1 {{'mtir.dequantize-linear' op result 'output' is 2x4xf32, expected 2x3xf32}}
  "mtir.dequantize-linear"(%0, %out) {scale = [0.5 : f32], zero_point = [128 : i32]} : (memref<2x3xui8>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @qlinear_requantize(%0: memref<2x3xi8>, %out: memref<2x3xui8>) {
  // expected-error@+1 {{'mtir.qlinear-requantize' op attribute 'input_scale' has the value 0, expected a positive number}}
  "mtir.qlinear-requantize"(%0, %out) {input_scale = 0.0 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (memref<2x3xi8>, memref<2x3xui8>) -> ()
  return
}

// -----

func.func @qlinear_conv2d(%0: memref<1x8x8x16xi8>, %1: memref<2x3x3x16xi8>, %2: memref<2xi32>, %out: memref<1x8x8x2xi8>) {
  // expected-error@+1 {{'mtir.qlinear-conv2d' op attribute 'weight_scale' has 3 entries, expected 1 or 2}}
  "mtir.qlinear-conv2d"(%0, %1, %2, %out) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32, 0.2 : f32, 0.3 : f32]} : (memref<1x8x8x16xi8>, memref<2x3x3x16xi8>, memref<2xi32>, memref<1x8x8x2xi8>) -> ()
  return
}

// -----

func.func @qlinear_depthwise_conv2d(%0: memref<1x8x8x16xi8>, %1: memref<1x3x3x16xi8>, %out: memref<1x8x8x17xi8>) {
  // expected-error@+1 {{'mtir.qlinear-depthwise-conv2d' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  "mtir.qlinear-depthwise-conv2d"(%0, %1, %out) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32]} : (memref<1x8x8x16xi8>, memref<1x3x3x16xi8>, memref<1x8x8x17xi8>) -> ()
  return
}

// -----

func.func @qlinear_transposed_conv2d(%0: memref<1x8x8x16xi8>, %1: memref<2x2x2x16xi8>, %out: memref<1x16x16x3xi8>) {
  // expected-error@+1 {{'mtir.qlinear-transposed-conv2d' op result 'output' is 1x16x16x3xi8, expected 1x16x16x2xi8}}
  "mtir.qlinear-transposed-conv2d"(%0, %1, %out) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32]} : (memref<1x8x8x16xi8>, memref<2x2x2x16xi8>, memref<1x16x16x3xi8>) -> ()
  return
}

// -----

func.func @qlinear_matmul(%0: memref<3x4xi8>, %1: memref<4x5xi8>, %out: memref<3x6xi8>) {
  // expected-error@+1 {{'mtir.qlinear-matmul' op result 'output' is 3x6xi8, expected 3x5xi8}}
  "mtir.qlinear-matmul"(%0, %1, %out) {input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32]} : (memref<3x4xi8>, memref<4x5xi8>, memref<3x6xi8>) -> ()
  return
}

// -----

func.func @qlinear_eltwise(%0: memref<1x8x8x16xi8>, %1: memref<16xi8>, %out: memref<1x8x8x17xi8>) {
  // expected-error@+1 {{'mtir.qlinear-eltwise' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  "mtir.qlinear-eltwise"(%0, %1, %out) {type = "MUL", a_scale = 0.5 : f32, a_zero_point = 0 : i32, b_scale = 0.5 : f32, b_zero_point = 0 : i32, output_scale = 0.5 : f32, output_zero_point = 0 : i32} : (memref<1x8x8x16xi8>, memref<16xi8>, memref<1x8x8x17xi8>) -> ()
  return
}

// -----

func.func @qlinear_pool(%0: memref<1x8x8x16xi8>, %out: memref<1x4x4x17xi8>) {
  // expected-error@+1 {{'mtir.qlinear-pool' op result 'output' is 1x4x4x17xi8, expected 1x4x4x16xi8}}
  "mtir.qlinear-pool"(%0, %out) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (memref<1x8x8x16xi8>, memref<1x4x4x17xi8>) -> ()
  return
}

// -----

func.func @qlinear_reduction(%0: memref<1x8x8x16xi8>, %out: memref<1x17xi8>) {
  // expected-error@+1 {{'mtir.qlinear-reduction' op result 'output' is 1x17xi8, expected 1x16xi8}}
  "mtir.qlinear-reduction"(%0, %out) {type = "MEAN", axis = [1 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (memref<1x8x8x16xi8>, memref<1x17xi8>) -> ()
  return
}

// -----

func.func @qlinear_concat(%0: memref<2x3xi8>, %1: memref<2x5xi8>, %out: memref<2x8xi8>) {
  // expected-error@+1 {{'mtir.qlinear-concat' op attributes 'input_scale' and 'input_zero_point' have 1 and 2 entries, expected 2}}
  "mtir.qlinear-concat"(%0, %1, %out) {axis = 1 : i32, input_scale = [0.5 : f32], input_zero_point = [1 : i32, 2 : i32], output_scale = 0.5 : f32, output_zero_point = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x3xi8>, memref<2x5xi8>, memref<2x8xi8>) -> ()
  return
}

// -----

func.func @qlinear_softmax(%0: memref<2x3xi8>, %out: memref<2x4xi8>) {
  // expected-error@+1 {{'mtir.qlinear-softmax' op result 'output' is 2x4xi8, expected 2x3xi8}}
  "mtir.qlinear-softmax"(%0, %out) {input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (memref<2x3xi8>, memref<2x4xi8>) -> ()
  return
}

// -----

func.func @qlinear_activation(%0: memref<2x3xi8>, %out: memref<2x3xi8>) {
  // expected-error@+1 {{'mtir.qlinear-activation' op attribute 'type' is "SIGMIOD", expected one of RELU, RELU6, RELU_N1_TO_1, LEAKYRELU, SIGMOID, TANH, HARDSWISH, ELU, EXP, NEG, ABS, RSQRT}}
  "mtir.qlinear-activation"(%0, %out) {type = "SIGMIOD", input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (memref<2x3xi8>, memref<2x3xi8>) -> ()
  return
}

// -----

func.func @qlinear_resize(%0: memref<1x8x8x16xi8>, %out: memref<1x16x16x17xi8>) {
  // expected-error@+1 {{'mtir.qlinear-resize' op result 'output' is 1x16x16x17xi8, expected 1x16x16x16xi8}}
  "mtir.qlinear-resize"(%0, %out) {size = [16 : i32, 16 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (memref<1x8x8x16xi8>, memref<1x16x16x17xi8>) -> ()
  return
}

// -----

func.func @qlinear_prelu(%0: memref<1x8x8x16xi8>, %1: memref<16xi8>, %out: memref<1x8x8x17xi8>) {
  // expected-error@+1 {{'mtir.qlinear-prelu' op result 'output' is 1x8x8x17xi8, expected 1x8x8x16xi8}}
  "mtir.qlinear-prelu"(%0, %1, %out) {slope_scale = 0.5 : f32, slope_zero_point = 0 : i32, input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (memref<1x8x8x16xi8>, memref<16xi8>, memref<1x8x8x17xi8>) -> ()
  return
}

// -----

func.func @multiplier_alone(%0: memref<4xi8>, %out: memref<4xi8>) {
  // expected-error@+1 {{'mtir.qlinear-requantize' op attributes 'multiplier' and 'shift' have 1 and 0 entries, expected 1}}
  "mtir.qlinear-requantize"(%0, %out) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, multiplier = [5 : i32]} : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @multipliers_of_channels(%0: memref<4xi8>, %out: memref<4xi8>) {
  // expected-error@+1 {{'mtir.qlinear-requantize' op attributes 'multiplier' and 'shift' have 2 and 2 entries, expected 1}}
  "mtir.qlinear-requantize"(%0, %out) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, multiplier = [5 : i32, 6 : i32], shift = [31 : i32, 32 : i32]} : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @multiplier_onnx(%0: memref<4xi8>, %out: memref<4xi8>) {
  // expected-error@+1 {{'mtir.qlinear-requantize' op attribute 'multiplier' needs the flavor TFLITE and no division}}
  "mtir.qlinear-requantize"(%0, %out) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, flavor = "ONNX", multiplier = [5 : i32], shift = [31 : i32]} : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @shift_range(%0: memref<4xi8>, %out: memref<4xi8>) {
  // expected-error@+1 {{'mtir.qlinear-requantize' op attribute 'shift' has entry 63, expected 2 to 62}}
  "mtir.qlinear-requantize"(%0, %out) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, multiplier = [5 : i32], shift = [63 : i32]} : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @multiplier_div(%0: memref<4xi8>, %1: memref<4xi8>, %out: memref<4xi8>) {
  // expected-error@+1 {{'mtir.qlinear-eltwise' op attribute 'multiplier' needs the flavor TFLITE and no division}}
  "mtir.qlinear-eltwise"(%0, %1, %out) {a_scale = 1.0 : f32, a_zero_point = 0 : i32, b_scale = 1.0 : f32, b_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, multiplier = [5 : i32, 6 : i32, 7 : i32], shift = [31 : i32, 32 : i32, 33 : i32], type = "DIV"} : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
  return
}
