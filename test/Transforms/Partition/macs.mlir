// RUN: xc-opt %s --tir-partition='outline=false show=operators' -o /dev/null 2>&1 | FileCheck %s

func.func @net(%a: tensor<1x6x5x4xf32>, %m: tensor<2x3x7xf32>, %n: tensor<2x5x3xf32>, %q: tensor<1x6x5x4xi8>) -> tensor<1x6x5x4xf32> {
  // 4 * 3 results, 8 channels, windows of 3 * 3 * 4 / 2.
  // CHECK: conv2d 0 1.73 k {{.*}} grouped
  %w0 = "tir.const"() {value = dense<1.0> : tensor<8x3x3x2xf32>} : () -> tensor<8x3x3x2xf32>
  %0 = "tir.conv2d"(%a, %w0) {op_name = "grouped", group = 2 : i32, kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x6x5x4xf32>, tensor<8x3x3x2xf32>) -> tensor<1x4x3x8xf32>
  // 4 * 3 results, 4 * 2 channels, windows of 3 * 3.
  // CHECK: depthwise-conv2d 0 864 {{.*}} depthwise
  %w1 = "tir.const"() {value = dense<1.0> : tensor<2x3x3x4xf32>} : () -> tensor<2x3x3x4xf32>
  %1 = "tir.depthwise-conv2d"(%a, %w1) {op_name = "depthwise", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x6x5x4xf32>, tensor<2x3x3x4xf32>) -> tensor<1x4x3x8xf32>
  // 6 * 5 pixels of the input meet 8 * 2 * 2 * 4 weights.
  // CHECK: transposed-conv2d 0 3.84 k {{.*}} transposed
  %w2 = "tir.const"() {value = dense<1.0> : tensor<8x2x2x4xf32>} : () -> tensor<8x2x2x4xf32>
  %2 = "tir.transposed-conv2d"(%a, %w2) {op_name = "transposed", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x6x5x4xf32>, tensor<8x2x2x4xf32>) -> tensor<1x12x10x8xf32>
  // 6 * 5 pixels meet 1 * 2 * 2 * 4 weights.
  // CHECK: transposed-depthwise-conv2d 0 480 {{.*}} both
  %w3 = "tir.const"() {value = dense<1.0> : tensor<1x2x2x4xf32>} : () -> tensor<1x2x2x4xf32>
  %3 = "tir.transposed-depthwise-conv2d"(%a, %w3) {op_name = "both", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x6x5x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x12x10x4xf32>
  // 2 * 7 * 5 results of 3 products.
  // CHECK: matmul 0 210 {{.*}} product
  %4 = "tir.matmul"(%m, %n) {op_name = "product", transpose_a = true, transpose_b = true} : (tensor<2x3x7xf32>, tensor<2x5x3xf32>) -> tensor<2x7x5xf32>
  // 10 results of 6 * 5 * 4 products.
  // CHECK: inner-product 0 1.20 k {{.*}} dense
  %w5 = "tir.const"() {value = dense<1.0> : tensor<10x120xf32>} : () -> tensor<10x120xf32>
  %5 = "tir.inner-product"(%a, %w5) {op_name = "dense"} : (tensor<1x6x5x4xf32>, tensor<10x120xf32>) -> tensor<1x10xf32>
  // CHECK: avgpool2d 0 0 {{.*}} pool
  %6 = "tir.avgpool2d"(%a) {op_name = "pool", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x6x5x4xf32>) -> tensor<1x6x5x4xf32>
  return %6 : tensor<1x6x5x4xf32>
}
