// Each kind of memory of a subgraph has a base register, from which addresses
// count, here of 12 bits: an operator of what needs more runs on the CPU, until
// code generation takes the rest.
// RUN: echo '{"extends": "DPUCZDX8G_ISA1_B4096", "name": "short", "ddr": {"address_bits": 12}}' > %t.json
// RUN: xc-opt %s --tir-partition='outline=false target=%t.json' | FileCheck %s
// RUN: xc-opt %s --tir-partition='outline=false' | FileCheck %s --check-prefix=FAR
// RUN: xc-opt %s --tir-partition='target=%t.json' --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies | xc-translate --mtir-to-dpu-asm --target=%t.json -o /dev/null

// FAR-NOT: address-range
// CHECK: device = "CPU"{{.*}}op_name = "heavy"{{.*}}xc.reason = "address-range: the parameters of its subgraph need 10240 bytes, addresses reach 4096"
// CHECK: device = "DPU"{{.*}}op_name = "light"
// CHECK: device = "CPU"{{.*}}op_name = "wide"{{.*}}xc.reason = "address-range: the results between operators of its subgraph need 8320 bytes, addresses reach 4096"
// CHECK: device = "CPU"{{.*}}op_name = "narrow"{{.*}}xc.reason = "address-range: the inputs of its subgraph need 8192 bytes, addresses reach 4096"
// CHECK: device = "DPU"{{.*}}op_name = "last"
func.func @main(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %h = "tir.const"() {value = dense<1> : tensor<64x3x3x16xi8>} : () -> tensor<64x3x3x16xi8>
  %l = "tir.const"() {value = dense<1> : tensor<8x1x1x64xi8>} : () -> tensor<8x1x1x64xi8>
  %n = "tir.const"() {value = dense<1> : tensor<16x2x2x8xi8>} : () -> tensor<16x2x2x8xi8>
  %0 = "tir.conv2d-fix"(%a, %h) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], op_name = "heavy"} : (tensor<1x4x4x16xi8>, tensor<64x3x3x16xi8>) -> tensor<1x4x4x64xi8>
  %1 = "tir.conv2d-fix"(%0, %l) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "light"} : (tensor<1x4x4x64xi8>, tensor<8x1x1x64xi8>) -> tensor<1x4x4x8xi8>
  %2 = "tir.upsample-fix"(%1) {scale = [8 : i32, 8 : i32], op_name = "wide"} : (tensor<1x4x4x8xi8>) -> tensor<1x32x32x8xi8>
  %3 = "tir.pool-fix"(%2) {type = "MAX", kernel = [8 : i32, 8 : i32], stride = [8 : i32, 8 : i32], op_name = "narrow"} : (tensor<1x32x32x8xi8>) -> tensor<1x4x4x8xi8>
  %4 = "tir.conv2d-fix"(%3, %n) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x8xi8>, tensor<16x2x2x8xi8>) -> tensor<1x4x4x16xi8>
  return %4 : tensor<1x4x4x16xi8>
}
