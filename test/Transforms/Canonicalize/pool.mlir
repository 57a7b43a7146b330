// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize exact

// Whatever order they stand in; the result of the largest window is a maximum of
// the middle one's.
// CHECK-LABEL: func.func @pyramid
// CHECK-DAG: %[[A:.*]] = "tir.maxpool2d"(%arg0) {kernel = [5 : i32, 5 : i32], {{.*}}pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]
// CHECK-DAG: %[[B:.*]] = "tir.maxpool2d"(%[[A]]) {{.*}}kernel = [5 : i32, 5 : i32], {{.*}}op_name = "nine", pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]
// CHECK-DAG: %[[C:.*]] = "tir.maxpool2d"(%[[B]]) {{.*}}kernel = [5 : i32, 5 : i32], {{.*}}op_name = "thirteen", pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]
// CHECK: return %[[C]], %[[B]], %[[A]]
func.func @pyramid(%x: tensor<1x13x11x3xf32>) -> (tensor<1x13x11x3xf32>, tensor<1x13x11x3xf32>, tensor<1x13x11x3xf32>) {
  %0 = "tir.maxpool2d"(%x) {op_name = "thirteen", kernel = [13 : i32, 13 : i32], stride = [1 : i32, 1 : i32], pad = [6 : i32, 6 : i32, 6 : i32, 6 : i32]} : (tensor<1x13x11x3xf32>) -> tensor<1x13x11x3xf32>
  %1 = "tir.maxpool2d"(%x) {op_name = "nine", kernel = [9 : i32, 9 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x13x11x3xf32>) -> tensor<1x13x11x3xf32>
  %2 = "tir.maxpool2d"(%x) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]} : (tensor<1x13x11x3xf32>) -> tensor<1x13x11x3xf32>
  return %0, %1, %2 : tensor<1x13x11x3xf32>, tensor<1x13x11x3xf32>, tensor<1x13x11x3xf32>
}

// Each axis for itself, and sides that differ.
// CHECK-LABEL: func.func @axes
// CHECK: %[[A:.*]] = "tir.pool-fix"(%arg0) {{.*}}kernel = [2 : i32, 4 : i32]
// CHECK: "tir.pool-fix"(%[[A]]) {{.*}}kernel = [4 : i32, 1 : i32], {{.*}}pad = [3 : i32, 0 : i32, 0 : i32, 0 : i32]
func.func @axes(%x: tensor<1x7x9x2xi8>) -> (tensor<1x7x9x2xi8>, tensor<1x7x9x2xi8>) {
  %0 = "tir.pool-fix"(%x) {type = "MAX", kernel = [2 : i32, 4 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 1 : i32, 1 : i32, 2 : i32]} : (tensor<1x7x9x2xi8>) -> tensor<1x7x9x2xi8>
  %1 = "tir.pool-fix"(%x) {type = "MAX", kernel = [5 : i32, 4 : i32], stride = [1 : i32, 1 : i32], pad = [3 : i32, 1 : i32, 1 : i32, 2 : i32]} : (tensor<1x7x9x2xi8>) -> tensor<1x7x9x2xi8>
  return %0, %1 : tensor<1x7x9x2xi8>, tensor<1x7x9x2xi8>
}

// Averages, strides, another fix point, windows that begin elsewhere.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: "tir.pool-fix"(%arg0)
// CHECK-COUNT-2: "tir.maxpool2d"(%arg1)
func.func @others(%x: tensor<1x7x9x2xi8>, %y: tensor<1x7x9x2xf32>) -> (tensor<1x7x9x2xi8>, tensor<1x7x9x2xi8>, tensor<1x7x9x2xi8>, tensor<1x4x5x2xi8>, tensor<1x7x9x2xf32>, tensor<1x7x9x2xf32>) {
  %0 = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x7x9x2xi8>) -> tensor<1x7x9x2xi8>
  %1 = "tir.pool-fix"(%x) {type = "MAX", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], output_fix_point = 1 : i32} : (tensor<1x7x9x2xi8>) -> tensor<1x7x9x2xi8>
  %2 = "tir.pool-fix"(%x) {type = "MAX", kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]} : (tensor<1x7x9x2xi8>) -> tensor<1x7x9x2xi8>
  %3 = "tir.pool-fix"(%x) {type = "MAX", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x7x9x2xi8>) -> tensor<1x4x5x2xi8>
  %4 = "tir.maxpool2d"(%y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 0 : i32, 1 : i32, 1 : i32]} : (tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32>
  %5 = "tir.maxpool2d"(%y) {kernel = [4 : i32, 4 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 2 : i32, 1 : i32, 2 : i32]} : (tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x7x9x2xi8>, tensor<1x7x9x2xi8>, tensor<1x7x9x2xi8>, tensor<1x4x5x2xi8>, tensor<1x7x9x2xf32>, tensor<1x7x9x2xf32>
}
