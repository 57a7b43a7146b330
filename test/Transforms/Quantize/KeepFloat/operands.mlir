// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2' | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2 float-statistics=false' | FileCheck %s --check-prefixes=OFF,ALL

// A square, a mean and an addition that only a logarithm reads, over a reshape;
// what a layer computes first is in fixed point.
// CHECK-LABEL: @spectrum
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "filters"
// CHECK-NOT: -fix"
// CHECK: "tir.mul"{{.*}}op_name = "square"{{.*}}xc.kept_float = "float-operand"
// CHECK: "tir.avgpool2d"{{.*}}op_name = "mean"{{.*}}xc.kept_float = "float-operand"
// CHECK: "tir.reshape"
// CHECK: "tir.add"{{.*}}op_name = "more"{{.*}}xc.kept_float = "float-operand"
// CHECK: "tir.log"
// OFF-LABEL: @spectrum
// OFF: "tir.eltwise-fix"{{.*}}op_name = "square"
// OFF: "tir.pool-fix"{{.*}}op_name = "mean"
func.func @spectrum(%x: tensor<1x4x4x2xf32>) -> tensor<1x8xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5, -0.5]]], [[[0.3, 0.2]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %e = "tir.const"() {value = dense<1.0e-4> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "filters"} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.mul"(%0, %0) {op_name = "square"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.avgpool2d"(%1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], op_name = "mean"} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.reshape"(%2) {shape = [1 : i32, 8 : i32]} : (tensor<1x2x2x2xf32>) -> tensor<1x8xf32>
  %4 = "tir.add"(%3, %e) {op_name = "more"} : (tensor<1x8xf32>, tensor<1x1xf32>) -> tensor<1x8xf32>
  %5 = "tir.log"(%4) : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return %5 : tensor<1x8xf32>
}

// -----

// What a layer reads as well, a sigmoid or a softmax reads, or a pool of many
// additions is in fixed point; so is a layer itself.
// ALL-LABEL: @others
// ALL-DAG: "tir.eltwise-fix"{{.*}}op_name = "shared"
// ALL-DAG: "tir.eltwise-fix"{{.*}}op_name = "gate"
// ALL-DAG: "tir.eltwise-fix"{{.*}}op_name = "scores"
// ALL-DAG: "tir.conv2d-fix"{{.*}}op_name = "layer"
func.func @others(%x: tensor<1x4x4x2xf32>, %y: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[0.5, -0.5]]], [[[0.3, 0.2]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %b = "tir.conv2d"(%y, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %0 = "tir.add"(%a, %b) {op_name = "shared"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.exp"(%0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.mul"(%a, %b) {op_name = "gate"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = "tir.sigmoid"(%3) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %5 = "tir.add"(%b, %2) {op_name = "scores"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %6 = "tir.softmax"(%5) {axis = 3 : i32} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %7 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "layer"} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %8 = "tir.exp"(%7) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %1, %2, %4, %6, %8 : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// -----

// A product of two computed matrices is on the CPU as well; what a layer reads
// besides is not.
// CHECK-LABEL: @attention
// CHECK: "tir.reduction_sum"{{.*}}op_name = "keys"{{.*}}xc.kept_float = "float-operand"
// CHECK: "tir.eltwise-fix"{{.*}}op_name = "read"
// OFF-LABEL: @attention
// OFF: "tir.reduction_sum-fix"{{.*}}op_name = "keys"
func.func @attention(%q: tensor<1x8x4xf32>, %x: tensor<1x1x8x4xf32>) -> (tensor<1x8x1xf32>, tensor<1x8x8xf32>, tensor<1x1x8x2xf32>) {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %v = "tir.const"() {value = dense<0.5> : tensor<2x1x1x4xf32>} : () -> tensor<2x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x8x4xf32>
  %1 = "tir.reduction_sum"(%0) {axis = [2 : i32], keep_dims = true, op_name = "keys"} : (tensor<1x1x8x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 4 : i32, 1 : i32]} : (tensor<1x1x1x4xf32>) -> tensor<1x4x1xf32>
  %3 = "tir.matmul"(%q, %2) : (tensor<1x8x4xf32>, tensor<1x4x1xf32>) -> tensor<1x8x1xf32>
  %4 = "tir.add"(%0, %x) {op_name = "read"} : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  %5 = "tir.transpose"(%4) {order = [0 : i32, 1 : i32, 3 : i32, 2 : i32]} : (tensor<1x1x8x4xf32>) -> tensor<1x1x4x8xf32>
  %6 = "tir.reshape"(%5) {shape = [1 : i32, 4 : i32, 8 : i32]} : (tensor<1x1x4x8xf32>) -> tensor<1x4x8xf32>
  %7 = "tir.matmul"(%q, %6) : (tensor<1x8x4xf32>, tensor<1x4x8xf32>) -> tensor<1x8x8xf32>
  %8 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x8x4xf32>, tensor<2x1x1x4xf32>) -> tensor<1x1x8x2xf32>
  return %3, %7, %8 : tensor<1x8x1xf32>, tensor<1x8x8xf32>, tensor<1x1x8x2xf32>
}

// -----

// A product with a constant matrix is a layer.
// ALL-LABEL: @layer
// ALL: "tir.reduction_sum-fix"{{.*}}op_name = "sum"
// ALL: "tir.matmul-fix"
func.func @layer(%x: tensor<1x1x8x4xf32>) -> tensor<1x3xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %m = "tir.const"() {value = dense<0.25> : tensor<4x3xf32>} : () -> tensor<4x3xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x8x4xf32>
  %1 = "tir.reduction_sum"(%0) {axis = [1 : i32, 2 : i32], keep_dims = false, op_name = "sum"} : (tensor<1x1x8x4xf32>) -> tensor<1x4xf32>
  %2 = "tir.matmul"(%1, %m) : (tensor<1x4xf32>, tensor<4x3xf32>) -> tensor<1x3xf32>
  return %2 : tensor<1x3xf32>
}

// -----

// ALL-LABEL: @large_pool
// ALL: "tir.pool-fix"
func.func @large_pool(%x: tensor<1x64x64x32xf32>) -> tensor<1x58x58x32xf32> {
  %w = "tir.const"() {value = dense<0.1> : tensor<1x1x1x32xf32>} : () -> tensor<1x1x1x32xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x64x64x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x64x64x32xf32>
  %1 = "tir.avgpool2d"(%0) {kernel = [7 : i32, 7 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x64x64x32xf32>) -> tensor<1x58x58x32xf32>
  %2 = "tir.log"(%1) : (tensor<1x58x58x32xf32>) -> tensor<1x58x58x32xf32>
  return %2 : tensor<1x58x58x32xf32>
}

// -----

// A sum with a mask stays with the softmax that makes zeros of it, and so does
// what only it reads; numbers that are not far below have fix points.
// CHECK-LABEL: @masked
// CHECK-DAG: "tir.mul"{{.*}}op_name = "scaled"{{.*}}xc.kept_float = "float-mask"
// CHECK-DAG: "tir.add"{{.*}}op_name = "mask"{{.*}}xc.kept_float = "float-mask"
// CHECK-DAG: "tir.eltwise-fix"{{.*}}op_name = "shift"
// OFF-LABEL: @masked
// OFF-DAG: "tir.eltwise-fix"{{.*}}op_name = "mask"
// OFF-DAG: "tir.eltwise-fix"{{.*}}op_name = "shift"
func.func @masked(%x: tensor<1x1x4x4xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  %w = "tir.const"() {value = dense<0.25> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %m = "tir.const"() {value = dense<[[[[0.0, -10000.0, -10000.0, -10000.0], [0.0, 0.0, -10000.0, -10000.0], [0.0, 0.0, 0.0, -10000.0], [0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x4x4xf32>} : () -> tensor<1x1x4x4xf32>
  %s = "tir.const"() {value = dense<[[[[0.0, -100.0, -100.0, -100.0], [0.0, 0.0, -100.0, -100.0], [0.0, 0.0, 0.0, -100.0], [0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x4x4xf32>} : () -> tensor<1x1x4x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x4x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x4x4xf32>
  %1 = "tir.mul"(%0, %x) {op_name = "scaled"} : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %2 = "tir.add"(%1, %m) {op_name = "mask"} : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %3 = "tir.softmax"(%2) {axis = 3 : i32} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %4 = "tir.add"(%0, %s) {op_name = "shift"} : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %5 = "tir.softmax"(%4) {axis = 3 : i32} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %6 = "tir.conv2d"(%5, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x4x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x4x4xf32>
  %7 = "tir.conv2d"(%3, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x4x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x4x4xf32>
  return %7, %6 : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}

// -----

// What a softmax weights and a sum adds up, over moves, stays with it: no DPU
// computes such a sum. Another product, or another reader, has a fix point.
// CHECK-LABEL: @weighted
// CHECK-DAG: "tir.mul"{{.*}}op_name = "weighted"{{.*}}xc.kept_float = "float-weighted"
// CHECK-DAG: "tir.reduction_sum"{{.*}}op_name = "pooled"{{.*}}xc.kept_float = "float-weighted"
// CHECK-DAG: "tir.eltwise-fix"{{.*}}op_name = "gated"
// CHECK-DAG: "tir.reduction_sum-fix"{{.*}}op_name = "squeezed"
// CHECK-DAG: "tir.eltwise-fix"{{.*}}op_name = "scaled"
// OFF-LABEL: @weighted
// OFF-DAG: "tir.eltwise-fix"{{.*}}op_name = "weighted"
// OFF-DAG: "tir.reduction_sum-fix"{{.*}}op_name = "pooled"
func.func @weighted(%x: tensor<1x1x8x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x1x8x4xf32>) {
  %w = "tir.const"() {value = dense<[[[[0.5, -0.5, 0.1, 0.2]]], [[[0.3, 0.2, 0.4, -0.1]]], [[[0.1, 0.7, -0.4, 0.3]]], [[[0.6, 0.2, 0.2, -0.3]]]]> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %v = "tir.const"() {value = dense<[[[[0.5, -0.5, 0.7, 0.2]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %f = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x8x4xf32>
  %s = "tir.conv2d"(%f, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x8x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x8x1xf32>
  %0 = "tir.softmax"(%s) {axis = 2 : i32} : (tensor<1x1x8x1xf32>) -> tensor<1x1x8x1xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 8 : i32, 1 : i32]} : (tensor<1x1x8x1xf32>) -> tensor<1x8x1xf32>
  %2 = "tir.reshape"(%f) {shape = [1 : i32, 8 : i32, 4 : i32]} : (tensor<1x1x8x4xf32>) -> tensor<1x8x4xf32>
  %3 = "tir.mul"(%1, %2) {op_name = "weighted"} : (tensor<1x8x1xf32>, tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  %4 = "tir.reduction_sum"(%3) {axis = [1 : i32], keep_dims = false, op_name = "pooled"} : (tensor<1x8x4xf32>) -> tensor<1x4xf32>
  %5 = "tir.mul"(%f, %x) {op_name = "gated"} : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  %6 = "tir.reduction_sum"(%5) {axis = [1 : i32, 2 : i32], keep_dims = false, op_name = "squeezed"} : (tensor<1x1x8x4xf32>) -> tensor<1x4xf32>
  %7 = "tir.mul"(%0, %f) {op_name = "scaled"} : (tensor<1x1x8x1xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  %8 = "tir.conv2d"(%7, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x8x4xf32>
  return %4, %6, %8 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x1x8x4xf32>
}
