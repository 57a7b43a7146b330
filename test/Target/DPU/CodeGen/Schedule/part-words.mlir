// The last block of a pool takes its channels one after the other: it begins while
// the convolution before it still computes the next ones.
// RUN: xc-translate --mtir-to-dpu-asm %s | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-asm --effort=0 %s | FileCheck %s --check-prefix=WHOLE
// RUN: xc-translate --mtir-to-dpu-times %s | FileCheck %s --check-prefix=TIMES

// Two words of 16x13 cycles each.
// CHECK: # layer pool
// CHECK: ALUINIT {{.*}} channel_group 2
// CHECK-COUNT-8: ALU {{.*}}
// WHOLE: # layer pool
// WHOLE: ALUINIT {{.*}} channel_group 16
// What is left of 16 * 208 cycles when the convolution has ended.
// TIMES: pool {{ *[1-6][0-9][0-9] }}
func.func @net(%x: memref<1x16x13x64xi8>, %y: memref<1x1x1x256xi8>) attributes {device = "DPU"} {
  %c = memref.alloc() : memref<1x16x13x256xi8>
  %w = "memtx.const"() {value = dense<1> : tensor<256x3x3x64xi8>} : () -> memref<256x3x3x64xi8>
  "mtir.conv2d-fix"(%x, %w, %c) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], op_name = "conv"} : (memref<1x16x13x64xi8>, memref<256x3x3x64xi8>, memref<1x16x13x256xi8>) -> ()
  "mtir.pool-fix"(%c, %y) {type = "MAX", kernel = [13 : i32, 16 : i32], stride = [1 : i32, 1 : i32], op_name = "pool"} : (memref<1x16x13x256xi8>, memref<1x1x1x256xi8>) -> ()
  memref.dealloc %c : memref<1x16x13x256xi8>
  return
}
