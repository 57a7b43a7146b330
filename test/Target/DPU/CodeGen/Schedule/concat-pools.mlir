// REQUIRES: mlir
// A pool of a concatenation in the banks takes the channels that are written last
// as a unit of their own: it computes the others while these are still written.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=WHOLE
// RUN: xc-opt %s -o %t.tir.mlir
// RUN: %python %S/../Inputs/compare.py %t %t.tir.mlir B4096 B512

// CHECK: unit {{[0-9]+}}: max-pool pool
// CHECK: input      27x27x128, held {{.*}}
// CHECK: unit {{[0-9]+}}: max-pool pool
// CHECK: input      27x27x128, held {{.*}}
// WHOLE: unit {{[0-9]+}}: max-pool pool
// WHOLE-NOT: max-pool pool
func.func @net(%x: tensor<1x27x27x32xi8>) -> tensor<1x13x13x48xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<32x1x1x32xi8>} : () -> tensor<32x1x1x32xi8>
  %0 = "tir.conv2d-fix"(%x, %w0) {op_name = "squeeze", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x27x27x32xi8>, tensor<32x1x1x32xi8>) -> tensor<1x27x27x32xi8>
  %w1 = "tir.const"() {value = dense<2> : tensor<128x1x1x32xi8>} : () -> tensor<128x1x1x32xi8>
  %1 = "tir.conv2d-fix"(%0, %w1) {op_name = "first", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x27x27x32xi8>, tensor<128x1x1x32xi8>) -> tensor<1x27x27x128xi8>
  %w2 = "tir.const"() {value = dense<3> : tensor<128x3x3x32xi8>} : () -> tensor<128x3x3x32xi8>
  %2 = "tir.conv2d-fix"(%0, %w2) {op_name = "second", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 8 : i32} : (tensor<1x27x27x32xi8>, tensor<128x3x3x32xi8>) -> tensor<1x27x27x128xi8>
  %3 = "tir.concat-fix"(%1, %2) {op_name = "joined", axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x27x27x128xi8>, tensor<1x27x27x128xi8>) -> tensor<1x27x27x256xi8>
  %4 = "tir.pool-fix"(%3) {op_name = "pool", type = "MAX", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x27x27x256xi8>) -> tensor<1x13x13x256xi8>
  %w3 = "tir.const"() {value = dense<1> : tensor<48x1x1x256xi8>} : () -> tensor<48x1x1x256xi8>
  %5 = "tir.conv2d-fix"(%4, %w3) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 8 : i32} : (tensor<1x13x13x256xi8>, tensor<48x1x1x256xi8>) -> tensor<1x13x13x48xi8>
  return %5 : tensor<1x13x13x48xi8>
}
