// One LOAD for each bank brings the weights of several small layers, which have
// then only their biases to load. Of 24 and of 10 channels, the last 8 and the 10
// come last, and only to 10 of the 16 banks.
//
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir \
// RUN:   --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule-json %t.mlir \
// RUN: | FileCheck %s --check-prefix=JSON
// RUN: xc-translate --mtir-to-xmodel %t.mlir -o %t.xmodel
// RUN: head -c 1024 /dev/zero | tr '\0' '\5' > %t.in
// RUN: xc-run --backend=reference %s --input=%t.in --output=%t.expected
// RUN: xc-run --strict %t.xmodel --input=%t.in --output=%t.out
// RUN: cmp %t.out %t.expected

// CHECK: layer 0: first
// CHECK-NEXT: , 5952 bytes loaded
// CHECK: unit 0: conv first
// CHECK: transfer 24 words of weights for 16 banks, of units 0, 1, 2
// CHECK: layer 1: second
// CHECK-NEXT: , 32 bytes loaded
// CHECK: layer 2: third
// CHECK-NEXT: , 16 bytes loaded

// JSON: "parameters": "weights"
// JSON-NEXT: "banks": 16
// JSON-NEXT: "words": 24
// JSON-NEXT: "units": [
// JSON-NEXT: 0,
// JSON-NEXT: 1,
// JSON-NEXT: 2

func.func @net(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x10xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<24x3x3x16xi8>} : () -> tensor<24x3x3x16xi8>
  %b0 = "tir.const"() {value = dense<3> : tensor<24xi8>} : () -> tensor<24xi8>
  %w1 = "tir.const"() {value = dense<-1> : tensor<24x1x1x24xi8>} : () -> tensor<24x1x1x24xi8>
  %b1 = "tir.const"() {value = dense<5> : tensor<24xi8>} : () -> tensor<24xi8>
  %w2 = "tir.const"() {value = dense<2> : tensor<10x1x1x24xi8>} : () -> tensor<10x1x1x24xi8>
  %b2 = "tir.const"() {value = dense<-7> : tensor<10xi8>} : () -> tensor<10xi8>
  %0 = "tir.conv2d-fix"(%x, %w0, %b0) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>, tensor<24x3x3x16xi8>, tensor<24xi8>) -> tensor<1x8x8x24xi8>
  %1 = "tir.conv2d-fix"(%0, %w1, %b1) {op_name = "second", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "NONE", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x24xi8>, tensor<24x1x1x24xi8>, tensor<24xi8>) -> tensor<1x8x8x24xi8>
  %2 = "tir.conv2d-fix"(%1, %w2, %b2) {op_name = "third", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "NONE", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x24xi8>, tensor<10x1x1x24xi8>, tensor<10xi8>) -> tensor<1x8x8x10xi8>
  return %2 : tensor<1x8x8x10xi8>
}
