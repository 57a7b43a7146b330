// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2 equalize=false' | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2 equalize=false float-statistics=false' | FileCheck %s --check-prefixes=OFF,ALL
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2' | FileCheck %s --check-prefix=EQUALIZED

// A recurrent cell that is written out, h = z * a + (1 - z) * b, of which the
// next layer reads the last step: two numbers come from the CPU for each that
// a layer gives or takes.
// CHECK-LABEL: @cell
// CHECK-COUNT-3: "tir.conv2d-fix"
// CHECK:     "tir.sigmoid"
// CHECK-NOT: "tir.eltwise-fix"
// CHECK-DAG: "tir.mul"{{.*}}op_name = "take"
// CHECK-DAG: "tir.mul"{{.*}}op_name = "keep"{{.*}}xc.kept_float = "float-island"
// CHECK:     "tir.add"{{.*}}op_name = "state"
// CHECK:     "tir.conv2d-fix"{{.*}}op_name = "next"
// OFF-LABEL: @cell
// OFF-COUNT-2: "tir.eltwise-fix"{{.*}}MUL
func.func @cell(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5, -0.5]]], [[[0.3, 0.2]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %minus = "tir.const"() {value = dense<-1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %one = "tir.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %g = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %b = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %z = "tir.sigmoid"(%g) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %a = "tir.tanh"(%c) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %t = "tir.tanh"(%b) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.mul"(%z, %a) {op_name = "take"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.depthwise-conv2d"(%z, %minus, %one) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.mul"(%2, %b) {op_name = "keep"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = "tir.add"(%1, %3) {op_name = "state"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %5 = "tir.mul"(%4, %t) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %6 = "tir.conv2d"(%5, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "next"} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  return %6 : tensor<1x4x4x2xf32>
}

// -----

// The product of a SiLU lies between two layers; the gate of a channel is one
// number for a map; arguments do not count.
// ALL-LABEL: @layers
// ALL-DAG: "tir.eltwise-fix"{{.*}}op_name = "silu"
// ALL-DAG: "tir.eltwise-fix"{{.*}}op_name = "gate"
// ALL-DAG: "tir.eltwise-fix"{{.*}}op_name = "skip"
func.func @layers(%x: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[0.5, -0.5]]], [[[0.3, 0.2]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.mul"(%0, %1) {op_name = "silu"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = "tir.avgpool2d"(%3) {kernel = [4 : i32, 4 : i32], stride = [4 : i32, 4 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x1x1x2xf32>
  %5 = "tir.sigmoid"(%4) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %6 = "tir.mul"(%3, %5) {op_name = "gate"} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %7 = "tir.conv2d"(%6, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %8 = "tir.add"(%7, %x) {op_name = "skip"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %7, %8 : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// -----

// Of what a slice reads it takes a part: the map that a layer gives counts for
// that only. A concatenation for a layer joins bytes.
// CHECK-LABEL: @slices
// CHECK:     "tir.strided_slice"(
// CHECK:     "tir.add"{{.*}}op_name = "sum"
// CHECK:     "tir.concat-fix"
// OFF-LABEL: @slices
// OFF:       "tir.strided_slice-fix"
// OFF:       "tir.eltwise-fix"{{.*}}op_name = "sum"
func.func @slices(%x: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %w = "tir.const"() {value = dense<0.25> : tensor<8x1x1x8xf32>} : () -> tensor<8x1x1x8xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x8xf32>, tensor<8x1x1x8xf32>) -> tensor<1x4x4x8xf32>
  %1 = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 2 : i32], end = [1 : i32, 4 : i32, 4 : i32, 8 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x6xf32>
  %3 = "tir.tanh"(%x) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %4 = "tir.strided_slice"(%3) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x2xf32>
  %5 = "tir.exp"(%4) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %6 = "tir.add"(%1, %5) {op_name = "sum"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %7 = "tir.mul"(%6, %4) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %8 = "tir.tanh"(%6) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %9 = "tir.mul"(%7, %8) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %10 = "tir.concat"(%9, %2) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x2xf32>, tensor<1x4x4x6xf32>) -> tensor<1x4x4x8xf32>
  %11 = "tir.conv2d"(%10, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x8xf32>, tensor<8x1x1x8xf32>) -> tensor<1x4x4x8xf32>
  return %11 : tensor<1x4x4x8xf32>
}

// -----

// A running mean of the frames is the state of the next call; what a layer
// reads of it is in fixed point.
// CHECK-LABEL: @state
// CHECK-NOT: -fix"
// CHECK:     %[[STATE:.*]] = "tir.add"{{.*}}op_name = "mean"{{.*}}xc.kept_float = "float-state"
// CHECK:     "tir.add"{{.*}}op_name = "difference"{{.*}}xc.kept_float = "float-input"
// CHECK:     "tir.conv2d-fix"
// CHECK:     return {{.*}}, %[[STATE]]
// OFF-LABEL: @state
// OFF:       "tir.eltwise-fix"{{.*}}op_name = "mean"
func.func @state(%x: tensor<1x4x4x2xf32>, %h: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[0.5, -0.5]]], [[[0.3, 0.2]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %much = "tir.const"() {value = dense<0.98> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %little = "tir.const"() {value = dense<0.02> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.depthwise-conv2d"(%h, %much) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.depthwise-conv2d"(%x, %little) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.add"(%0, %1) {op_name = "mean"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.add"(%x, %2) {op_name = "difference"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = "tir.conv2d"(%3, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  return %4, %2 : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// -----

// A recurrent cell step by step: the product of the state is one row between
// functions on the CPU, that of an argument is computed before.
// CHECK-LABEL: @steps
// CHECK:     "tir.conv2d-fix"{{.*}}op_name = "input"
// CHECK:     "tir.conv2d"({{.*}}op_name = "state"
// CHECK:     "tir.conv2d-fix"{{.*}}op_name = "rows"
// CHECK:     "tir.conv2d-fix"{{.*}}op_name = "large"
// EQUALIZED-LABEL: @steps
// EQUALIZED: "tir.conv2d"({{.*}}op_name = "state"
// OFF-LABEL: @steps
// OFF:     "tir.conv2d-fix"{{.*}}op_name = "state"
func.func @steps(%x: tensor<1x1x1x32xf32>, %y: tensor<1x1x2x32xf32>) -> (tensor<1x1x1x32xf32>, tensor<1x1x2x32xf32>, tensor<1x1x1x32xf32>) {
  %w = "tir.const"() {value = dense<0.05> : tensor<32x1x1x32xf32>} : () -> tensor<32x1x1x32xf32>
  %v = "tir.const"() {value = dense<0.01> : tensor<300x1x1x32xf32>} : () -> tensor<300x1x1x32xf32>
  %u = "tir.const"() {value = dense<0.01> : tensor<300x1x1x300xf32>} : () -> tensor<300x1x1x300xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "input"} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %1 = "tir.tanh"(%0) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %2 = "tir.conv2d"(%1, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "state"} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %3 = "tir.add"(%0, %2) : (tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %4 = "tir.tanh"(%3) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %5 = "tir.tanh"(%y) : (tensor<1x1x2x32xf32>) -> tensor<1x1x2x32xf32>
  %6 = "tir.conv2d"(%5, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "rows"} : (tensor<1x1x2x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x2x32xf32>
  %7 = "tir.tanh"(%6) : (tensor<1x1x2x32xf32>) -> tensor<1x1x2x32xf32>
  %8 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<300x1x1x32xf32>) -> tensor<1x1x1x300xf32>
  %9 = "tir.tanh"(%8) : (tensor<1x1x1x300xf32>) -> tensor<1x1x1x300xf32>
  %10 = "tir.conv2d"(%9, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "large"} : (tensor<1x1x1x300xf32>, tensor<300x1x1x300xf32>) -> tensor<1x1x1x300xf32>
  %11 = "tir.tanh"(%10) : (tensor<1x1x1x300xf32>) -> tensor<1x1x1x300xf32>
  %12 = "tir.strided_slice"(%11) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 1 : i32, 1 : i32, 32 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x1x1x300xf32>) -> tensor<1x1x1x32xf32>
  return %4, %7, %12 : tensor<1x1x1x32xf32>, tensor<1x1x2x32xf32>, tensor<1x1x1x32xf32>
}

// -----

// A network of small products is for the DPU, unless they are steps with the same
// weights; the last of them, too, where nothing else would be left for it.
// ALL-LABEL: @layers_of_rows
// ALL-COUNT-3: "tir.conv2d-fix"
func.func @layers_of_rows(%x: tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32> {
  %w = "tir.const"() {value = dense<0.05> : tensor<32x1x1x32xf32>} : () -> tensor<32x1x1x32xf32>
  %v = "tir.const"() {value = dense<0.04> : tensor<32x1x1x32xf32>} : () -> tensor<32x1x1x32xf32>
  %u = "tir.const"() {value = dense<0.03> : tensor<32x1x1x32xf32>} : () -> tensor<32x1x1x32xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %1 = "tir.tanh"(%0) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %3 = "tir.tanh"(%2) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %4 = "tir.conv2d"(%3, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  return %4 : tensor<1x1x1x32xf32>
}

// -----

// ALL-LABEL: @alone
// ALL-COUNT-2: "tir.conv2d-fix"
func.func @alone(%x: tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32> {
  %w = "tir.const"() {value = dense<0.05> : tensor<32x1x1x32xf32>} : () -> tensor<32x1x1x32xf32>
  %0 = "tir.tanh"(%x) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %1 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %2 = "tir.tanh"(%1) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %4 = "tir.tanh"(%3) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  return %4 : tensor<1x1x1x32xf32>
}

// -----

// Steps one after the other: products have no factors on their sides.
// CHECK-LABEL: @chain
// CHECK: "tir.conv2d-fix"
// CHECK-COUNT-2: "tir.conv2d"(
// EQUALIZED-LABEL: @chain
// EQUALIZED: "tir.conv2d-fix"
// EQUALIZED-COUNT-2: "tir.conv2d"(
func.func @chain(%x: tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32> {
  %v = "tir.const"() {value = dense<0.04> : tensor<32x1x1x32xf32>} : () -> tensor<32x1x1x32xf32>
  %w = "tir.const"() {value = dense<0.05> : tensor<32x1x1x32xf32>} : () -> tensor<32x1x1x32xf32>
  %0 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %1 = "tir.tanh"(%0) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %2 = "tir.conv2d"(%1, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %3 = "tir.tanh"(%2) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %4 = "tir.conv2d"(%3, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %5 = "tir.tanh"(%4) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  return %5 : tensor<1x1x1x32xf32>
}

// -----

// A PReLU does not end an island: the layers after it give and take more than
// the functions before it.
// CHECK-LABEL: @activation
// CHECK: "tir.eltwise-fix"{{.*}}op_name = "sum"
// CHECK: "tir.prelu-fix"{{.*}}op_name = "prelu"
func.func @activation(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5, -0.5]]], [[[0.3, 0.2]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %slopes = "tir.const"() {value = dense<[0.25, 0.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.tanh"(%0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.sin"(%0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = "tir.cos"(%0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %5 = "tir.add"(%2, %3) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %6 = "tir.add"(%5, %4) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %7 = "tir.add"(%6, %1) {op_name = "sum"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %8 = "tir.prelu"(%7, %slopes) {op_name = "prelu"} : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %9 = "tir.conv2d"(%1, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %10 = "tir.conv2d"(%9, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %11 = "tir.add"(%8, %9) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %12 = "tir.add"(%11, %10) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %13 = "tir.conv2d"(%12, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  return %13 : tensor<1x4x4x2xf32>
}
