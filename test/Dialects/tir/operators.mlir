// One valid use of every tir operator. Its mtir twin must verify too.
// RUN: xc-opt %s | xc-opt - | FileCheck %s
// RUN: xc-opt --global-bufferize --convert-tir-to-mtir %s | FileCheck %s --check-prefix=MTIR

// CHECK-LABEL: func.func @const
// CHECK: "tir.const"
func.func @const() -> tensor<4xi8> {
  %r = "tir.const"() {value = dense<[1, 2, 3, 4]> : tensor<4xi8>} : () -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// CHECK-LABEL: func.func @data
// CHECK: "tir.data"
// MTIR-LABEL: func.func @data
// MTIR: "mtir.data"
func.func @data() -> tensor<1x2xf32> {
  %r = "tir.data"() {shape = [1 : i32, 2 : i32], data_type = "FLOAT32"} : () -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @custom
// CHECK: "tir.custom"
// MTIR-LABEL: func.func @custom
// MTIR: "mtir.custom"
func.func @custom(%0: tensor<4xf32>, %1: tensor<2xi8>) -> tensor<7xf32> {
  %r = "tir.custom"(%0, %1) {op_type = "pfn_scatter", payload = {n = 1 : i64}, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>, tensor<2xi8>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// CHECK-LABEL: func.func @conv2d
// CHECK: "tir.conv2d"
// MTIR-LABEL: func.func @conv2d
// MTIR: "mtir.conv2d"
func.func @conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>, %2: tensor<32xf32>) -> tensor<1x8x8x32xf32> {
  %r = "tir.conv2d"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>, tensor<32xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
}

// CHECK-LABEL: func.func @depthwise_conv2d
// CHECK: "tir.depthwise-conv2d"
// MTIR-LABEL: func.func @depthwise_conv2d
// MTIR: "mtir.depthwise-conv2d"
func.func @depthwise_conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<2x3x3x16xf32>, %2: tensor<32xf32>) -> tensor<1x8x8x32xf32> {
  %r = "tir.depthwise-conv2d"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<2x3x3x16xf32>, tensor<32xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
}

// CHECK-LABEL: func.func @transposed_conv2d
// CHECK: "tir.transposed-conv2d"
// MTIR-LABEL: func.func @transposed_conv2d
// MTIR: "mtir.transposed-conv2d"
func.func @transposed_conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<32x3x3x16xf32>) -> tensor<1x16x16x32xf32> {
  %r = "tir.transposed-conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], output_padding = [1 : i32, 1 : i32]} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>) -> tensor<1x16x16x32xf32>
  return %r : tensor<1x16x16x32xf32>
}

// CHECK-LABEL: func.func @transposed_depthwise_conv2d
// CHECK: "tir.transposed-depthwise-conv2d"
// MTIR-LABEL: func.func @transposed_depthwise_conv2d
// MTIR: "mtir.transposed-depthwise-conv2d"
func.func @transposed_depthwise_conv2d(%0: tensor<1x8x8x16xf32>, %1: tensor<1x2x2x16xf32>) -> tensor<1x16x16x16xf32> {
  %r = "tir.transposed-depthwise-conv2d"(%0, %1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xf32>, tensor<1x2x2x16xf32>) -> tensor<1x16x16x16xf32>
  return %r : tensor<1x16x16x16xf32>
}

// CHECK-LABEL: func.func @matmul
// CHECK: "tir.matmul"
// MTIR-LABEL: func.func @matmul
// MTIR: "mtir.matmul"
func.func @matmul(%0: tensor<2x3x4xf32>, %1: tensor<5x4xf32>, %2: tensor<5xf32>) -> tensor<2x3x5xf32> {
  %r = "tir.matmul"(%0, %1, %2) {transpose_b = true} : (tensor<2x3x4xf32>, tensor<5x4xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}

// CHECK-LABEL: func.func @inner_product
// CHECK: "tir.inner-product"
// MTIR-LABEL: func.func @inner_product
// MTIR: "mtir.inner-product"
func.func @inner_product(%0: tensor<2x3x4xf32>, %1: tensor<5x12xf32>, %2: tensor<5xf32>) -> tensor<2x5xf32> {
  %r = "tir.inner-product"(%0, %1, %2) {axis = 1 : i32} : (tensor<2x3x4xf32>, tensor<5x12xf32>, tensor<5xf32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @maxpool2d
// CHECK: "tir.maxpool2d"
// MTIR-LABEL: func.func @maxpool2d
// MTIR: "mtir.maxpool2d"
func.func @maxpool2d(%0: tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32> {
  %r = "tir.maxpool2d"(%0) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32>
  return %r : tensor<1x4x4x16xf32>
}

// CHECK-LABEL: func.func @avgpool2d
// CHECK: "tir.avgpool2d"
// MTIR-LABEL: func.func @avgpool2d
// MTIR: "mtir.avgpool2d"
func.func @avgpool2d(%0: tensor<1x8x8x16xf32>) -> tensor<1x1x1x16xf32> {
  %r = "tir.avgpool2d"(%0) {global = true} : (tensor<1x8x8x16xf32>) -> tensor<1x1x1x16xf32>
  return %r : tensor<1x1x1x16xf32>
}

// CHECK-LABEL: func.func @relu
// CHECK: "tir.relu"
// MTIR-LABEL: func.func @relu
// MTIR: "mtir.relu"
func.func @relu(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.relu"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @relu6
// CHECK: "tir.relu6"
// MTIR-LABEL: func.func @relu6
// MTIR: "mtir.relu6"
func.func @relu6(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.relu6"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @hard_swish
// CHECK: "tir.hard-swish"
// MTIR-LABEL: func.func @hard_swish
// MTIR: "mtir.hard-swish"
func.func @hard_swish(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.hard-swish"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sigmoid
// CHECK: "tir.sigmoid"
// MTIR-LABEL: func.func @sigmoid
// MTIR: "mtir.sigmoid"
func.func @sigmoid(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.sigmoid"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @tanh
// CHECK: "tir.tanh"
// MTIR-LABEL: func.func @tanh
// MTIR: "mtir.tanh"
func.func @tanh(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.tanh"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @softplus
// CHECK: "tir.softplus"
// MTIR-LABEL: func.func @softplus
// MTIR: "mtir.softplus"
func.func @softplus(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.softplus"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @neg
// CHECK: "tir.neg"
// MTIR-LABEL: func.func @neg
// MTIR: "mtir.neg"
func.func @neg(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.neg"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @abs
// CHECK: "tir.abs"
// MTIR-LABEL: func.func @abs
// MTIR: "mtir.abs"
func.func @abs(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.abs"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @exp
// CHECK: "tir.exp"
// MTIR-LABEL: func.func @exp
// MTIR: "mtir.exp"
func.func @exp(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.exp"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @log
// CHECK: "tir.log"
// MTIR-LABEL: func.func @log
// MTIR: "mtir.log"
func.func @log(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.log"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sqrt
// CHECK: "tir.sqrt"
// MTIR-LABEL: func.func @sqrt
// MTIR: "mtir.sqrt"
func.func @sqrt(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.sqrt"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @rsqrt
// CHECK: "tir.rsqrt"
// MTIR-LABEL: func.func @rsqrt
// MTIR: "mtir.rsqrt"
func.func @rsqrt(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.rsqrt"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @floor
// CHECK: "tir.floor"
// MTIR-LABEL: func.func @floor
// MTIR: "mtir.floor"
func.func @floor(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.floor"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @ceil
// CHECK: "tir.ceil"
// MTIR-LABEL: func.func @ceil
// MTIR: "mtir.ceil"
func.func @ceil(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.ceil"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @round
// CHECK: "tir.round"
// MTIR-LABEL: func.func @round
// MTIR: "mtir.round"
func.func @round(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.round"(%0)  : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @leaky_relu
// CHECK: "tir.leaky-relu"
// MTIR-LABEL: func.func @leaky_relu
// MTIR: "mtir.leaky-relu"
func.func @leaky_relu(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.leaky-relu"(%0) {alpha = 0.1 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @clip
// CHECK: "tir.clip"
// MTIR-LABEL: func.func @clip
// MTIR: "mtir.clip"
func.func @clip(%0: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = "tir.clip"(%0) {min = -1.0 : f32, max = 4.0 : f32} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @hard_sigmoid
// CHECK: "tir.hard-sigmoid"
// MTIR-LABEL: func.func @hard_sigmoid
// MTIR: "mtir.hard-sigmoid"
func.func @hard_sigmoid(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.hard-sigmoid"(%0) {alpha = 0.2 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @elu
// CHECK: "tir.elu"
// MTIR-LABEL: func.func @elu
// MTIR: "mtir.elu"
func.func @elu(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.elu"(%0) {alpha = 1.5 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @prelu
// CHECK: "tir.prelu"
// MTIR-LABEL: func.func @prelu
// MTIR: "mtir.prelu"
func.func @prelu(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.prelu"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @add
// CHECK: "tir.add"
// MTIR-LABEL: func.func @add
// MTIR: "mtir.add"
func.func @add(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.add"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @sub
// CHECK: "tir.sub"
// MTIR-LABEL: func.func @sub
// MTIR: "mtir.sub"
func.func @sub(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.sub"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @mul
// CHECK: "tir.mul"
// MTIR-LABEL: func.func @mul
// MTIR: "mtir.mul"
func.func @mul(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.mul"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @div
// CHECK: "tir.div"
// MTIR-LABEL: func.func @div
// MTIR: "mtir.div"
func.func @div(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.div"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @pow
// CHECK: "tir.pow"
// MTIR-LABEL: func.func @pow
// MTIR: "mtir.pow"
func.func @pow(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.pow"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @min
// CHECK: "tir.min"
// MTIR-LABEL: func.func @min
// MTIR: "mtir.min"
func.func @min(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.min"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @max
// CHECK: "tir.max"
// MTIR-LABEL: func.func @max
// MTIR: "mtir.max"
func.func @max(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.max"(%0, %1)  : (tensor<1x4x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @compare
// CHECK: "tir.compare"
// MTIR-LABEL: func.func @compare
// MTIR: "mtir.compare"
func.func @compare(%0: tensor<2x3xi64>, %1: tensor<3xi64>) -> tensor<2x3xi1> {
  %r = "tir.compare"(%0, %1) {predicate = "LE"} : (tensor<2x3xi64>, tensor<3xi64>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @logical
// CHECK: "tir.logical"
// MTIR-LABEL: func.func @logical
// MTIR: "mtir.logical"
func.func @logical(%0: tensor<2x3xi1>) -> tensor<2x3xi1> {
  %r = "tir.logical"(%0) {type = "NOT"} : (tensor<2x3xi1>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @bitwise
// CHECK: "tir.bitwise"
// MTIR-LABEL: func.func @bitwise
// MTIR: "mtir.bitwise"
func.func @bitwise(%0: tensor<2x3xui8>, %1: tensor<3xui8>) -> tensor<2x3xui8> {
  %r = "tir.bitwise"(%0, %1) {type = "XOR"} : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xui8>
  return %r : tensor<2x3xui8>
}

// CHECK-LABEL: func.func @select
// CHECK: "tir.select"
// MTIR-LABEL: func.func @select
// MTIR: "mtir.select"
func.func @select(%0: tensor<2x3xi1>, %1: tensor<2x3xf16>, %2: tensor<f16>) -> tensor<2x3xf16> {
  %r = "tir.select"(%0, %1, %2)  : (tensor<2x3xi1>, tensor<2x3xf16>, tensor<f16>) -> tensor<2x3xf16>
  return %r : tensor<2x3xf16>
}

// CHECK-LABEL: func.func @cast
// CHECK: "tir.cast"
// MTIR-LABEL: func.func @cast
// MTIR: "mtir.cast"
func.func @cast(%0: tensor<2x3xf32>) -> tensor<2x3xui8> {
  %r = "tir.cast"(%0) {saturate = true} : (tensor<2x3xf32>) -> tensor<2x3xui8>
  return %r : tensor<2x3xui8>
}

// CHECK-LABEL: func.func @batchnorm
// CHECK: "tir.batchnorm"
// MTIR-LABEL: func.func @batchnorm
// MTIR: "mtir.batchnorm"
func.func @batchnorm(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>, %2: tensor<8xf32>, %3: tensor<8xf32>, %4: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.batchnorm"(%0, %1, %2, %3, %4) {epsilon = 1.0e-3 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<1x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @scale
// CHECK: "tir.scale"
// MTIR-LABEL: func.func @scale
// MTIR: "mtir.scale"
func.func @scale(%0: tensor<1x4x4x8xf32>, %1: tensor<8xf32>, %2: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.scale"(%0, %1, %2)  : (tensor<1x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK: "tir.softmax"
// MTIR-LABEL: func.func @softmax
// MTIR: "mtir.softmax"
func.func @softmax(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.softmax"(%0) {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @log_softmax
// CHECK: "tir.log-softmax"
// MTIR-LABEL: func.func @log_softmax
// MTIR: "mtir.log-softmax"
func.func @log_softmax(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.log-softmax"(%0) {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @lrn
// CHECK: "tir.lrn"
// MTIR-LABEL: func.func @lrn
// MTIR: "mtir.lrn"
func.func @lrn(%0: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "tir.lrn"(%0) {size = 5 : i32} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @reduction_sum
// CHECK: "tir.reduction_sum"
// MTIR-LABEL: func.func @reduction_sum
// MTIR: "mtir.reduction_sum"
func.func @reduction_sum(%0: tensor<1x4x6x8xf32>) -> tensor<1x1x1x8xf32> {
  %r = "tir.reduction_sum"(%0) {axis = [1 : i32, 2 : i32], keep_dims = true} : (tensor<1x4x6x8xf32>) -> tensor<1x1x1x8xf32>
  return %r : tensor<1x1x1x8xf32>
}

// CHECK-LABEL: func.func @reduction_max
// CHECK: "tir.reduction_max"
// MTIR-LABEL: func.func @reduction_max
// MTIR: "mtir.reduction_max"
func.func @reduction_max(%0: tensor<1x4x6x8xf32>) -> tensor<1x1x1x8xf32> {
  %r = "tir.reduction_max"(%0) {axis = [1 : i32, 2 : i32], keep_dims = true} : (tensor<1x4x6x8xf32>) -> tensor<1x1x1x8xf32>
  return %r : tensor<1x1x1x8xf32>
}

// CHECK-LABEL: func.func @reduction_mean
// CHECK: "tir.reduction_mean"
// MTIR-LABEL: func.func @reduction_mean
// MTIR: "mtir.reduction_mean"
func.func @reduction_mean(%0: tensor<1x4x6x8xf32>) -> tensor<1x1x1x8xf32> {
  %r = "tir.reduction_mean"(%0) {axis = [1 : i32, 2 : i32], keep_dims = true} : (tensor<1x4x6x8xf32>) -> tensor<1x1x1x8xf32>
  return %r : tensor<1x1x1x8xf32>
}

// CHECK-LABEL: func.func @argmax
// CHECK: "tir.argmax"
// MTIR-LABEL: func.func @argmax
// MTIR: "mtir.argmax"
func.func @argmax(%0: tensor<1x4x6x8xf32>) -> tensor<1x4x6xi64> {
  %r = "tir.argmax"(%0) {axis = -1 : i32} : (tensor<1x4x6x8xf32>) -> tensor<1x4x6xi64>
  return %r : tensor<1x4x6xi64>
}

// CHECK-LABEL: func.func @pad
// CHECK: "tir.pad"
// MTIR-LABEL: func.func @pad
// MTIR: "mtir.pad"
func.func @pad(%0: tensor<1x4x6x8xf32>) -> tensor<1x6x8x8xf32> {
  %r = "tir.pad"(%0) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], mode = "REFLECT"} : (tensor<1x4x6x8xf32>) -> tensor<1x6x8x8xf32>
  return %r : tensor<1x6x8x8xf32>
}

// CHECK-LABEL: func.func @resize
// CHECK: "tir.resize"
// MTIR-LABEL: func.func @resize
// MTIR: "mtir.resize"
func.func @resize(%0: tensor<1x4x6x8xf32>) -> tensor<1x8x12x8xf32> {
  %r = "tir.resize"(%0) {size = [12 : i32, 8 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x4x6x8xf32>) -> tensor<1x8x12x8xf32>
  return %r : tensor<1x8x12x8xf32>
}

// CHECK-LABEL: func.func @transpose
// CHECK: "tir.transpose"
// MTIR-LABEL: func.func @transpose
// MTIR: "mtir.transpose"
func.func @transpose(%0: tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32> {
  %r = "tir.transpose"(%0) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  return %r : tensor<1x8x4x6xf32>
}

// CHECK-LABEL: func.func @reshape
// CHECK: "tir.reshape"
// MTIR-LABEL: func.func @reshape
// MTIR: "mtir.reshape"
func.func @reshape(%0: tensor<1x4x6x8xf32>) -> tensor<4x48xf32> {
  %r = "tir.reshape"(%0) {shape = [4 : i32, -1 : i32]} : (tensor<1x4x6x8xf32>) -> tensor<4x48xf32>
  return %r : tensor<4x48xf32>
}

// CHECK-LABEL: func.func @flatten
// CHECK: "tir.flatten"
// MTIR-LABEL: func.func @flatten
// MTIR: "mtir.flatten"
func.func @flatten(%0: tensor<1x4x6x8xf32>) -> tensor<1x192xf32> {
  %r = "tir.flatten"(%0)  : (tensor<1x4x6x8xf32>) -> tensor<1x192xf32>
  return %r : tensor<1x192xf32>
}

// CHECK-LABEL: func.func @squeeze
// CHECK: "tir.squeeze"
// MTIR-LABEL: func.func @squeeze
// MTIR: "mtir.squeeze"
func.func @squeeze(%0: tensor<1x4x1x8xf32>) -> tensor<4x8xf32> {
  %r = "tir.squeeze"(%0) {axis = [0 : i32, 2 : i32]} : (tensor<1x4x1x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @expand
// CHECK: "tir.expand"
// MTIR-LABEL: func.func @expand
// MTIR: "mtir.expand"
func.func @expand(%0: tensor<1x8xf32>) -> tensor<2x4x8xf32> {
  %r = "tir.expand"(%0) {shape = [2 : i32, 4 : i32, 8 : i32]} : (tensor<1x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// CHECK-LABEL: func.func @strided_slice
// CHECK: "tir.strided_slice"
// MTIR-LABEL: func.func @strided_slice
// MTIR: "mtir.strided_slice"
func.func @strided_slice(%0: tensor<10x8xf32>) -> tensor<3x4xf32> {
  %r = "tir.strided_slice"(%0) {begin = [8 : i32, 0 : i32], end = [2 : i32, 8 : i32], strides = [-2 : i32, 2 : i32]} : (tensor<10x8xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @pixel_shuffle
// CHECK: "tir.pixel-shuffle"
// MTIR-LABEL: func.func @pixel_shuffle
// MTIR: "mtir.pixel-shuffle"
func.func @pixel_shuffle(%0: tensor<1x4x6x8xf32>) -> tensor<1x8x12x2xf32> {
  %r = "tir.pixel-shuffle"(%0) {scale = 2 : i32} : (tensor<1x4x6x8xf32>) -> tensor<1x8x12x2xf32>
  return %r : tensor<1x8x12x2xf32>
}

// CHECK-LABEL: func.func @reorg
// CHECK: "tir.reorg"
// MTIR-LABEL: func.func @reorg
// MTIR: "mtir.reorg"
func.func @reorg(%0: tensor<1x4x6x8xf32>) -> tensor<1x2x3x32xf32> {
  %r = "tir.reorg"(%0) {scale = 2 : i32} : (tensor<1x4x6x8xf32>) -> tensor<1x2x3x32xf32>
  return %r : tensor<1x2x3x32xf32>
}

// CHECK-LABEL: func.func @gstiling
// CHECK: "tir.gstiling"
// MTIR-LABEL: func.func @gstiling
// MTIR: "mtir.gstiling"
func.func @gstiling(%0: tensor<1x4x6x8xf32>) -> tensor<1x2x3x32xf32> {
  %r = "tir.gstiling"(%0) {stride = 2 : i32} : (tensor<1x4x6x8xf32>) -> tensor<1x2x3x32xf32>
  return %r : tensor<1x2x3x32xf32>
}

// CHECK-LABEL: func.func @space_to_batch
// CHECK: "tir.space-to-batch"
// MTIR-LABEL: func.func @space_to_batch
// MTIR: "mtir.space-to-batch"
func.func @space_to_batch(%0: tensor<1x4x6x8xf32>) -> tensor<4x3x4x8xf32> {
  %r = "tir.space-to-batch"(%0) {block_shape = [2 : i32, 2 : i32], paddings = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x6x8xf32>) -> tensor<4x3x4x8xf32>
  return %r : tensor<4x3x4x8xf32>
}

// CHECK-LABEL: func.func @batch_to_space
// CHECK: "tir.batch-to-space"
// MTIR-LABEL: func.func @batch_to_space
// MTIR: "mtir.batch-to-space"
func.func @batch_to_space(%0: tensor<4x3x4x8xf32>) -> tensor<1x4x6x8xf32> {
  %r = "tir.batch-to-space"(%0) {block_shape = [2 : i32, 2 : i32], crops = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<4x3x4x8xf32>) -> tensor<1x4x6x8xf32>
  return %r : tensor<1x4x6x8xf32>
}

// CHECK-LABEL: func.func @recurrent
// CHECK: "tir.recurrent"
// MTIR-LABEL: func.func @recurrent
// MTIR: "mtir.recurrent"
func.func @recurrent(%0: tensor<5x2x24xf32>, %1: tensor<6x24xf32>, %2: tensor<2x12xf32>, %3: tensor<18xf32>) -> tensor<5x2x12xf32> {
  %r = "tir.recurrent"(%0, %1, %2, %3) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>, cell = "LSTM", reverse = true} : (tensor<5x2x24xf32>, tensor<6x24xf32>, tensor<2x12xf32>, tensor<18xf32>) -> tensor<5x2x12xf32>
  return %r : tensor<5x2x12xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK: "tir.scatter"
// MTIR-LABEL: func.func @scatter
// MTIR: "mtir.scatter"
func.func @scatter(%0: tensor<5x8xf32>, %1: tensor<3xi64>, %2: tensor<3x8xf32>) -> tensor<5x8xf32> {
  %r = "tir.scatter"(%0, %1, %2) {reduction = "ADD"} : (tensor<5x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @topk
// CHECK: "tir.topk"
// MTIR-LABEL: func.func @topk
// MTIR: "mtir.topk"
func.func @topk(%0: tensor<5x8xf32>) -> tensor<5x3xi64> {
  %r = "tir.topk"(%0) {axis = -1 : i32, k = 3 : i32} : (tensor<5x8xf32>) -> tensor<5x3xi64>
  return %r : tensor<5x3xi64>
}

// CHECK-LABEL: func.func @nms
// CHECK: "tir.nms"
// MTIR-LABEL: func.func @nms
// MTIR: "mtir.nms"
func.func @nms(%0: tensor<2x5x4xf32>, %1: tensor<2x3x5xf32>) -> tensor<24x3xi64> {
  %r = "tir.nms"(%0, %1) {max_boxes = 4 : i32, iou_threshold = 0.5 : f32, score_threshold = 0.1 : f32} : (tensor<2x5x4xf32>, tensor<2x3x5xf32>) -> tensor<24x3xi64>
  return %r : tensor<24x3xi64>
}

// CHECK-LABEL: func.func @erf
// CHECK: "tir.erf"
// MTIR-LABEL: func.func @erf
// MTIR: "mtir.erf"
func.func @erf(%0: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %r = "tir.erf"(%0) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @sin
// CHECK: "tir.sin"
// MTIR-LABEL: func.func @sin
// MTIR: "mtir.sin"
func.func @sin(%0: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %r = "tir.sin"(%0) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @atan
// CHECK: "tir.atan"
// MTIR-LABEL: func.func @atan
// MTIR: "mtir.atan"
func.func @atan(%0: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %r = "tir.atan"(%0) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @cos
// CHECK: "tir.cos"
// MTIR-LABEL: func.func @cos
// MTIR: "mtir.cos"
func.func @cos(%0: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %r = "tir.cos"(%0) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @table
// CHECK-COUNT-2: "tir.table"
// MTIR-LABEL: func.func @table
// MTIR-COUNT-2: "mtir.table"
func.func @table(%0: tensor<5x8xi8>, %1: tensor<256xf32>, %2: tensor<5x8xui8>, %3: tensor<8x256xi16>) -> (tensor<5x8xf32>, tensor<5x8xi16>) {
  %r = "tir.table"(%0, %1) : (tensor<5x8xi8>, tensor<256xf32>) -> tensor<5x8xf32>
  %s = "tir.table"(%2, %3) : (tensor<5x8xui8>, tensor<8x256xi16>) -> tensor<5x8xi16>
  return %r, %s : tensor<5x8xf32>, tensor<5x8xi16>
}
// CHECK-LABEL: func.func @gather
// CHECK: "tir.gather"
// MTIR-LABEL: func.func @gather
// MTIR: "mtir.gather"
func.func @gather(%0: tensor<5x8xf32>, %1: tensor<2x3xi64>) -> tensor<2x3x8xf32> {
  %r = "tir.gather"(%0, %1) {axis = 0 : i32} : (tensor<5x8xf32>, tensor<2x3xi64>) -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// CHECK-LABEL: func.func @concat
// CHECK: "tir.concat"
// MTIR-LABEL: func.func @concat
// MTIR: "mtir.concat"
func.func @concat(%0: tensor<2x3xf32>, %1: tensor<2x5xf32>, %2: tensor<2x1xf32>) -> tensor<2x9xf32> {
  %r = "tir.concat"(%0, %1, %2) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x5xf32>, tensor<2x1xf32>) -> tensor<2x9xf32>
  return %r : tensor<2x9xf32>
}

// CHECK-LABEL: func.func @stack
// CHECK: "tir.stack"
// MTIR-LABEL: func.func @stack
// MTIR: "mtir.stack"
func.func @stack(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x2x3xf32> {
  %r = "tir.stack"(%0, %1) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
  return %r : tensor<2x2x3xf32>
}

// CHECK-LABEL: func.func @priorbox
// CHECK: "tir.priorbox"
// MTIR-LABEL: func.func @priorbox
// MTIR: "mtir.priorbox"
func.func @priorbox(%0: tensor<1x3x3x8xf32>, %1: tensor<1x60x60x3xf32>) -> tensor<1x2x144xf32> {
  %r = "tir.priorbox"(%0, %1) {min_sizes = [30.0 : f32], max_sizes = [60.0 : f32], aspect_ratio = [2.0 : f32]} : (tensor<1x3x3x8xf32>, tensor<1x60x60x3xf32>) -> tensor<1x2x144xf32>
  return %r : tensor<1x2x144xf32>
}

// CHECK-LABEL: func.func @fix
// CHECK: "tir.fix"
// MTIR-LABEL: func.func @fix
// MTIR: "mtir.fix"
func.func @fix(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "tir.fix"(%0) {bit_width = 8 : i32, fix_point = 4 : i32, round_mode = "DPU_ROUND"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @float2fix
// CHECK: "tir.float2fix"
// MTIR-LABEL: func.func @float2fix
// MTIR: "mtir.float2fix"
func.func @float2fix(%0: tensor<2x3xf32>) -> tensor<2x3xi8> {
  %r = "tir.float2fix"(%0) {fix_point = 4 : i32, bit_width = 8 : i32} : (tensor<2x3xf32>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}

// CHECK-LABEL: func.func @fix2float
// CHECK: "tir.fix2float"
// MTIR-LABEL: func.func @fix2float
// MTIR: "mtir.fix2float"
func.func @fix2float(%0: tensor<2x3xui8>) -> tensor<2x3xf32> {
  %r = "tir.fix2float"(%0) {fix_point = 4 : i32, if_signed = false} : (tensor<2x3xui8>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @conv2d_fix
// CHECK: "tir.conv2d-fix"
// MTIR-LABEL: func.func @conv2d_fix
// MTIR: "mtir.conv2d-fix"
func.func @conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<32x3x3x16xi8>, %2: tensor<32xi8>) -> tensor<1x8x8x32xi8> {
  %r = "tir.conv2d-fix"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 6 : i32, output_fix_point = 4 : i32, nonlinear = "RELU"} : (tensor<1x8x8x16xi8>, tensor<32x3x3x16xi8>, tensor<32xi8>) -> tensor<1x8x8x32xi8>
  return %r : tensor<1x8x8x32xi8>
}

// CHECK-LABEL: func.func @depthwise_conv2d_fix
// CHECK: "tir.depthwise-conv2d-fix"
// MTIR-LABEL: func.func @depthwise_conv2d_fix
// MTIR: "mtir.depthwise-conv2d-fix"
func.func @depthwise_conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x3x3x16xi8>, %2: tensor<16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.depthwise-conv2d-fix"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 6 : i32, output_fix_point = 4 : i32, nonlinear = "RELU"} : (tensor<1x8x8x16xi8>, tensor<1x3x3x16xi8>, tensor<16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @transposed_conv2d_fix
// CHECK: "tir.transposed-conv2d-fix"
// MTIR-LABEL: func.func @transposed_conv2d_fix
// MTIR: "mtir.transposed-conv2d-fix"
func.func @transposed_conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<32x2x2x16xi8>) -> tensor<1x16x16x32xi8> {
  %r = "tir.transposed-conv2d-fix"(%0, %1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xi8>, tensor<32x2x2x16xi8>) -> tensor<1x16x16x32xi8>
  return %r : tensor<1x16x16x32xi8>
}

// CHECK-LABEL: func.func @transposed_depthwise_conv2d_fix
// CHECK: "tir.transposed-depthwise-conv2d-fix"
// MTIR-LABEL: func.func @transposed_depthwise_conv2d_fix
// MTIR: "mtir.transposed-depthwise-conv2d-fix"
func.func @transposed_depthwise_conv2d_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x2x2x16xi8>) -> tensor<1x16x16x16xi8> {
  %r = "tir.transposed-depthwise-conv2d-fix"(%0, %1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x16xi8>, tensor<1x2x2x16xi8>) -> tensor<1x16x16x16xi8>
  return %r : tensor<1x16x16x16xi8>
}

// CHECK-LABEL: func.func @matmul_fix
// CHECK: "tir.matmul-fix"
// MTIR-LABEL: func.func @matmul_fix
// MTIR: "mtir.matmul-fix"
func.func @matmul_fix(%0: tensor<3x4xi8>, %1: tensor<4x5xi8>, %2: tensor<5xi8>) -> tensor<3x5xi8> {
  %r = "tir.matmul-fix"(%0, %1, %2) {input_fix_point = [4 : i32, 5 : i32], output_fix_point = 3 : i32} : (tensor<3x4xi8>, tensor<4x5xi8>, tensor<5xi8>) -> tensor<3x5xi8>
  return %r : tensor<3x5xi8>
}

// CHECK-LABEL: func.func @pool_fix
// CHECK: "tir.pool-fix"
// MTIR-LABEL: func.func @pool_fix
// MTIR: "mtir.pool-fix"
func.func @pool_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x4x16xi8> {
  %r = "tir.pool-fix"(%0) {type = "AVG", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x4x16xi8>
  return %r : tensor<1x4x4x16xi8>
}

// CHECK-LABEL: func.func @eltwise_fix
// CHECK: "tir.eltwise-fix"
// MTIR-LABEL: func.func @eltwise_fix
// MTIR: "mtir.eltwise-fix"
func.func @eltwise_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.eltwise-fix"(%0, %1) {type = "ADD", input_fix_point = [4 : i32, 5 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @depthwise_fix
// CHECK: "tir.depthwise-fix"
// MTIR-LABEL: func.func @depthwise_fix
// MTIR: "mtir.depthwise-fix"
func.func @depthwise_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.depthwise-fix"(%0, %1) {type = "MUL"} : (tensor<1x8x8x16xi8>, tensor<16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @concat_fix
// CHECK: "tir.concat-fix"
// MTIR-LABEL: func.func @concat_fix
// MTIR: "mtir.concat-fix"
func.func @concat_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<1x8x8x4xi8>) -> tensor<1x8x8x20xi8> {
  %r = "tir.concat-fix"(%0, %1) {axis = 3 : i32, input_fix_point = [4 : i32, 5 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x4xi8>) -> tensor<1x8x8x20xi8>
  return %r : tensor<1x8x8x20xi8>
}

// CHECK-LABEL: func.func @reshape_fix
// CHECK: "tir.reshape-fix"
// MTIR-LABEL: func.func @reshape_fix
// MTIR: "mtir.reshape-fix"
func.func @reshape_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x1024xi8> {
  %r = "tir.reshape-fix"(%0) {shape = [1 : i32, -1 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x1024xi8>
  return %r : tensor<1x1024xi8>
}

// CHECK-LABEL: func.func @transpose_fix
// CHECK: "tir.transpose-fix"
// MTIR-LABEL: func.func @transpose_fix
// MTIR: "mtir.transpose-fix"
func.func @transpose_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x16x8x8xi8> {
  %r = "tir.transpose-fix"(%0) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16x8x8xi8>
  return %r : tensor<1x16x8x8xi8>
}

// CHECK-LABEL: func.func @strided_slice_fix
// CHECK: "tir.strided_slice-fix"
// MTIR-LABEL: func.func @strided_slice_fix
// MTIR: "mtir.strided_slice-fix"
func.func @strided_slice_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x8x16xi8> {
  %r = "tir.strided_slice-fix"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 8 : i32, 16 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x8x16xi8>
  return %r : tensor<1x4x8x16xi8>
}

// CHECK-LABEL: func.func @pad_fix
// CHECK: "tir.pad-fix"
// MTIR-LABEL: func.func @pad_fix
// MTIR: "mtir.pad-fix"
func.func @pad_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x10x10x16xi8> {
  %r = "tir.pad-fix"(%0) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x10x10x16xi8>
  return %r : tensor<1x10x10x16xi8>
}

// CHECK-LABEL: func.func @upsample_fix
// CHECK: "tir.upsample-fix"
// MTIR-LABEL: func.func @upsample_fix
// MTIR: "mtir.upsample-fix"
func.func @upsample_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x24x16x16xi8> {
  %r = "tir.upsample-fix"(%0) {scale = [2 : i32, 3 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x24x16x16xi8>
  return %r : tensor<1x24x16x16xi8>
}

// CHECK-LABEL: func.func @downsample_fix
// CHECK: "tir.downsample-fix"
// MTIR-LABEL: func.func @downsample_fix
// MTIR: "mtir.downsample-fix"
func.func @downsample_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x3x4x16xi8> {
  %r = "tir.downsample-fix"(%0) {scale = [2 : i32, 3 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x3x4x16xi8>
  return %r : tensor<1x3x4x16xi8>
}

// CHECK-LABEL: func.func @reorg_fix
// CHECK: "tir.reorg-fix"
// MTIR-LABEL: func.func @reorg_fix
// MTIR: "mtir.reorg-fix"
func.func @reorg_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x4x64xi8> {
  %r = "tir.reorg-fix"(%0) {scale = 2 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x4x64xi8>
  return %r : tensor<1x4x4x64xi8>
}

// CHECK-LABEL: func.func @tile_fix
// CHECK: "tir.tile-fix"
// MTIR-LABEL: func.func @tile_fix
// MTIR: "mtir.tile-fix"
func.func @tile_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x4x64xi8> {
  %r = "tir.tile-fix"(%0) {stride = 2 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x4x64xi8>
  return %r : tensor<1x4x4x64xi8>
}

// CHECK-LABEL: func.func @pixel_shuffle_fix
// CHECK: "tir.pixel-shuffle-fix"
// MTIR-LABEL: func.func @pixel_shuffle_fix
// MTIR: "mtir.pixel-shuffle-fix"
func.func @pixel_shuffle_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x16x16x4xi8> {
  %r = "tir.pixel-shuffle-fix"(%0) {scale = 2 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16x16x4xi8>
  return %r : tensor<1x16x16x4xi8>
}

// CHECK-LABEL: func.func @reduction_max_fix
// CHECK: "tir.reduction_max-fix"
// MTIR-LABEL: func.func @reduction_max_fix
// MTIR: "mtir.reduction_max-fix"
func.func @reduction_max_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x16xi8> {
  %r = "tir.reduction_max-fix"(%0) {axis = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16xi8>
  return %r : tensor<1x16xi8>
}

// CHECK-LABEL: func.func @reduction_mean_fix
// CHECK: "tir.reduction_mean-fix"
// MTIR-LABEL: func.func @reduction_mean_fix
// MTIR: "mtir.reduction_mean-fix"
func.func @reduction_mean_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x16xi8> {
  %r = "tir.reduction_mean-fix"(%0) {axis = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16xi8>
  return %r : tensor<1x16xi8>
}

// CHECK-LABEL: func.func @reduction_sum_fix
// CHECK: "tir.reduction_sum-fix"
// MTIR-LABEL: func.func @reduction_sum_fix
// MTIR: "mtir.reduction_sum-fix"
func.func @reduction_sum_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x16xi8> {
  %r = "tir.reduction_sum-fix"(%0) {axis = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16xi8>
  return %r : tensor<1x16xi8>
}

// CHECK-LABEL: func.func @relu_fix
// CHECK: "tir.relu-fix"
// MTIR-LABEL: func.func @relu_fix
// MTIR: "mtir.relu-fix"
func.func @relu_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.relu-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @relu6_fix
// CHECK: "tir.relu6-fix"
// MTIR-LABEL: func.func @relu6_fix
// MTIR: "mtir.relu6-fix"
func.func @relu6_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.relu6-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @leaky_relu_fix
// CHECK: "tir.leaky-relu-fix"
// MTIR-LABEL: func.func @leaky_relu_fix
// MTIR: "mtir.leaky-relu-fix"
func.func @leaky_relu_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.leaky-relu-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @hard_sigmoid_fix
// CHECK: "tir.hard-sigmoid-fix"
// MTIR-LABEL: func.func @hard_sigmoid_fix
// MTIR: "mtir.hard-sigmoid-fix"
func.func @hard_sigmoid_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.hard-sigmoid-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @hard_swish_fix
// CHECK: "tir.hard-swish-fix"
// MTIR-LABEL: func.func @hard_swish_fix
// MTIR: "mtir.hard-swish-fix"
func.func @hard_swish_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.hard-swish-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @prelu_fix
// CHECK: "tir.prelu-fix"
// MTIR-LABEL: func.func @prelu_fix
// MTIR: "mtir.prelu-fix"
func.func @prelu_fix(%0: tensor<1x8x8x16xi8>, %1: tensor<16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.prelu-fix"(%0, %1) {slope_fix_point = 6 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>, tensor<16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @argmax_fix
// CHECK: "tir.argmax-fix"
// MTIR-LABEL: func.func @argmax_fix
// MTIR: "mtir.argmax-fix"
func.func @argmax_fix(%0: tensor<1x8x8x16xi8>) -> tensor<1x8x8xi32> {
  %r = "tir.argmax-fix"(%0) {axis = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8xi32>
  return %r : tensor<1x8x8xi32>
}

// CHECK-LABEL: func.func @quantize_linear
// CHECK: "tir.quantize-linear"
// MTIR-LABEL: func.func @quantize_linear
// MTIR: "mtir.quantize-linear"
func.func @quantize_linear(%0: tensor<2x3xf32>) -> tensor<2x3xi8> {
  %r = "tir.quantize-linear"(%0) {scale = [0.5 : f32, 0.25 : f32, 0.1 : f32], zero_point = [0 : i32, 1 : i32, 2 : i32], axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}

// CHECK-LABEL: func.func @dequantize_linear
// CHECK: "tir.dequantize-linear"
// MTIR-LABEL: func.func @dequantize_linear
// MTIR: "mtir.dequantize-linear"
func.func @dequantize_linear(%0: tensor<2x3xui8>) -> tensor<2x3xf32> {
  %r = "tir.dequantize-linear"(%0) {scale = [0.5 : f32], zero_point = [128 : i32]} : (tensor<2x3xui8>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @qlinear_requantize
// CHECK: "tir.qlinear-requantize"
// MTIR-LABEL: func.func @qlinear_requantize
// MTIR: "mtir.qlinear-requantize"
func.func @qlinear_requantize(%0: tensor<2x3xi8>) -> tensor<2x3xui8> {
  %r = "tir.qlinear-requantize"(%0) {input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<2x3xi8>) -> tensor<2x3xui8>
  return %r : tensor<2x3xui8>
}

// CHECK-LABEL: func.func @qlinear_conv2d
// CHECK: "tir.qlinear-conv2d"
// MTIR-LABEL: func.func @qlinear_conv2d
// MTIR: "mtir.qlinear-conv2d"
func.func @qlinear_conv2d(%0: tensor<1x8x8x16xi8>, %1: tensor<2x3x3x16xi8>, %2: tensor<2xi32>) -> tensor<1x8x8x2xi8> {
  %r = "tir.qlinear-conv2d"(%0, %1, %2) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32, 0.2 : f32]} : (tensor<1x8x8x16xi8>, tensor<2x3x3x16xi8>, tensor<2xi32>) -> tensor<1x8x8x2xi8>
  return %r : tensor<1x8x8x2xi8>
}

// CHECK-LABEL: func.func @qlinear_depthwise_conv2d
// CHECK: "tir.qlinear-depthwise-conv2d"
// MTIR-LABEL: func.func @qlinear_depthwise_conv2d
// MTIR: "mtir.qlinear-depthwise-conv2d"
func.func @qlinear_depthwise_conv2d(%0: tensor<1x8x8x16xi8>, %1: tensor<1x3x3x16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.qlinear-depthwise-conv2d"(%0, %1) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32]} : (tensor<1x8x8x16xi8>, tensor<1x3x3x16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @qlinear_transposed_conv2d
// CHECK: "tir.qlinear-transposed-conv2d"
// MTIR-LABEL: func.func @qlinear_transposed_conv2d
// MTIR: "mtir.qlinear-transposed-conv2d"
func.func @qlinear_transposed_conv2d(%0: tensor<1x8x8x16xi8>, %1: tensor<2x2x2x16xi8>) -> tensor<1x16x16x2xi8> {
  %r = "tir.qlinear-transposed-conv2d"(%0, %1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32]} : (tensor<1x8x8x16xi8>, tensor<2x2x2x16xi8>) -> tensor<1x16x16x2xi8>
  return %r : tensor<1x16x16x2xi8>
}

// CHECK-LABEL: func.func @qlinear_matmul
// CHECK: "tir.qlinear-matmul"
// MTIR-LABEL: func.func @qlinear_matmul
// MTIR: "mtir.qlinear-matmul"
func.func @qlinear_matmul(%0: tensor<3x4xi8>, %1: tensor<4x5xi8>) -> tensor<3x5xi8> {
  %r = "tir.qlinear-matmul"(%0, %1) {input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32, weight_scale = [0.1 : f32]} : (tensor<3x4xi8>, tensor<4x5xi8>) -> tensor<3x5xi8>
  return %r : tensor<3x5xi8>
}

// CHECK-LABEL: func.func @qlinear_eltwise
// CHECK: "tir.qlinear-eltwise"
// MTIR-LABEL: func.func @qlinear_eltwise
// MTIR: "mtir.qlinear-eltwise"
func.func @qlinear_eltwise(%0: tensor<1x8x8x16xi8>, %1: tensor<16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.qlinear-eltwise"(%0, %1) {type = "MUL", a_scale = 0.5 : f32, a_zero_point = 0 : i32, b_scale = 0.5 : f32, b_zero_point = 0 : i32, output_scale = 0.5 : f32, output_zero_point = 0 : i32} : (tensor<1x8x8x16xi8>, tensor<16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @qlinear_pool
// CHECK: "tir.qlinear-pool"
// MTIR-LABEL: func.func @qlinear_pool
// MTIR: "mtir.qlinear-pool"
func.func @qlinear_pool(%0: tensor<1x8x8x16xi8>) -> tensor<1x4x4x16xi8> {
  %r = "tir.qlinear-pool"(%0) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x4x4x16xi8>
  return %r : tensor<1x4x4x16xi8>
}

// CHECK-LABEL: func.func @qlinear_reduction
// CHECK: "tir.qlinear-reduction"
// MTIR-LABEL: func.func @qlinear_reduction
// MTIR: "mtir.qlinear-reduction"
func.func @qlinear_reduction(%0: tensor<1x8x8x16xi8>) -> tensor<1x16xi8> {
  %r = "tir.qlinear-reduction"(%0) {type = "MEAN", axis = [1 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16xi8>
  return %r : tensor<1x16xi8>
}

// CHECK-LABEL: func.func @qlinear_concat
// CHECK: "tir.qlinear-concat"
// MTIR-LABEL: func.func @qlinear_concat
// MTIR: "mtir.qlinear-concat"
func.func @qlinear_concat(%0: tensor<2x3xi8>, %1: tensor<2x5xi8>) -> tensor<2x8xi8> {
  %r = "tir.qlinear-concat"(%0, %1) {axis = 1 : i32, input_scale = [0.5 : f32, 0.25 : f32], input_zero_point = [1 : i32, 2 : i32], output_scale = 0.5 : f32, output_zero_point = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xi8>, tensor<2x5xi8>) -> tensor<2x8xi8>
  return %r : tensor<2x8xi8>
}

// CHECK-LABEL: func.func @qlinear_softmax
// CHECK: "tir.qlinear-softmax"
// MTIR-LABEL: func.func @qlinear_softmax
// MTIR: "mtir.qlinear-softmax"
func.func @qlinear_softmax(%0: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %r = "tir.qlinear-softmax"(%0) {input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}

// CHECK-LABEL: func.func @qlinear_activation
// CHECK: "tir.qlinear-activation"
// MTIR-LABEL: func.func @qlinear_activation
// MTIR: "mtir.qlinear-activation"
func.func @qlinear_activation(%0: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %r = "tir.qlinear-activation"(%0) {type = "SIGMOID", input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}

// CHECK-LABEL: func.func @qlinear_resize
// CHECK: "tir.qlinear-resize"
// MTIR-LABEL: func.func @qlinear_resize
// MTIR: "mtir.qlinear-resize"
func.func @qlinear_resize(%0: tensor<1x8x8x16xi8>) -> tensor<1x16x16x16xi8> {
  %r = "tir.qlinear-resize"(%0) {size = [16 : i32, 16 : i32], input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x16x16x16xi8>
  return %r : tensor<1x16x16x16xi8>
}

// CHECK-LABEL: func.func @qlinear_prelu
// CHECK: "tir.qlinear-prelu"
// MTIR-LABEL: func.func @qlinear_prelu
// MTIR: "mtir.qlinear-prelu"
func.func @qlinear_prelu(%0: tensor<1x8x8x16xi8>, %1: tensor<16xi8>) -> tensor<1x8x8x16xi8> {
  %r = "tir.qlinear-prelu"(%0, %1) {slope_scale = 0.5 : f32, slope_zero_point = 0 : i32, input_scale = 0.5 : f32, input_zero_point = -3 : i32, output_scale = 0.25 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<16xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}


// CHECK-LABEL: func.func @fix_points_of_groups
// CHECK: "tir.conv2d-fix"{{.*}}fix_point_channels = 16 : i32{{.*}}weight_fix_points = [1 : i32, 2 : i32]
func.func @fix_points_of_groups(%0: tensor<1x8x8x16xi8>, %1: tensor<20x1x1x16xi8>) -> tensor<1x8x8x20xi8> {
  %r = "tir.conv2d-fix"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [1 : i32, 2 : i32], fix_point_channels = 16 : i32} : (tensor<1x8x8x16xi8>, tensor<20x1x1x16xi8>) -> tensor<1x8x8x20xi8>
  return %r : tensor<1x8x8x20xi8>
}
