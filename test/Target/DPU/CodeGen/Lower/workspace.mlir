// The memory of a buffer rests for one operator after its last use: of a chain,
// what an operator reads, what it writes and what the one before has read lie apart.
// Each has a megabyte; after that the memory is used again.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-xmodel --effort=0 %t.mlir -o %t.xmodel
// RUN: xc-translate --xmodel-to-text %t.xmodel | FileCheck %s
// CHECK: register 1 : workspace, 3145728 bytes
func.func @chain(%x: tensor<1x128x128x64xi8>) -> tensor<1x128x128x64xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<64x1x1x64xi8>} : () -> tensor<64x1x1x64xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "conv0", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  %1 = "tir.conv2d-fix"(%0, %w) {op_name = "conv1", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  %2 = "tir.conv2d-fix"(%1, %w) {op_name = "conv2", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  %3 = "tir.conv2d-fix"(%2, %w) {op_name = "conv3", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  %4 = "tir.conv2d-fix"(%3, %w) {op_name = "conv4", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  return %4 : tensor<1x128x128x64xi8>
}
