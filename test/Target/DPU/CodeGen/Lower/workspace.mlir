// Which buffers are in DDR, and when, the schedule says: without cascades what an
// operator reads, what it writes and what the one before has read have memory of
// their own, a megabyte each, which is used again after that. In a cascade nothing
// is in DDR between the operators, so that there is no workspace.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-xmodel --effort=0 %t.mlir -o %t.xmodel
// RUN: xc-translate --xmodel-to-text %t.xmodel | FileCheck %s
// RUN: xc-translate --mtir-to-xmodel %t.mlir -o %t.xmodel
// RUN: xc-translate --xmodel-to-text %t.xmodel | FileCheck %s --check-prefix=CASCADE
// CHECK: register 1 : workspace, 3145728 bytes
// CASCADE-NOT: : workspace,
// CASCADE: register 3 : interface, 1048576 bytes
// CASCADE-NOT: : workspace,

// More than a register reaches in all: buffers share memory from the beginning, by
// the operators that use them.
// RUN: sed 's/x128x128x/x2048x1280x/g' %t.mlir > %t.large.mlir
// RUN: xc-translate --mtir-to-xmodel --effort=0 %t.large.mlir -o %t.xmodel
// RUN: xc-translate --xmodel-to-text %t.xmodel | FileCheck %s --check-prefix=LARGE
// LARGE: register 1 : workspace, 503316480 bytes
func.func @chain(%x: tensor<1x128x128x64xi8>) -> tensor<1x128x128x64xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<64x1x1x64xi8>} : () -> tensor<64x1x1x64xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "conv0", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  %1 = "tir.conv2d-fix"(%0, %w) {op_name = "conv1", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  %2 = "tir.conv2d-fix"(%1, %w) {op_name = "conv2", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  %3 = "tir.conv2d-fix"(%2, %w) {op_name = "conv3", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  %4 = "tir.conv2d-fix"(%3, %w) {op_name = "conv4", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x128x128x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x128x128x64xi8>
  return %4 : tensor<1x128x128x64xi8>
}
