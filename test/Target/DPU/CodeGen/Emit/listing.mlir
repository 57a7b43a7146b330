// REQUIRES: mlir
// The listing names layers and tiles, and assembles to the code of the xmodel.
// RUN: xc-translate --mtir-to-dpu-asm --target=DPUCZDX8G_ISA1_B512 %s -o %t.asm
// RUN: FileCheck %s < %t.asm
// RUN: xc-translate --dpu-asm-to-bin --target=DPUCZDX8G_ISA1_B512 %t.asm -o %t.bin
// RUN: xc-translate --mtir-to-xmodel --target=DPUCZDX8G_ISA1_B512 %s -o %t.xmodel
// RUN: xc-translate --xmodel-to-dpu-bin %t.xmodel | cmp - %t.bin
// The same input gives the same bytes.
// RUN: xc-translate --mtir-to-xmodel --target=DPUCZDX8G_ISA1_B512 %s | cmp - %t.xmodel
// RUN: xc-translate --mtir-to-dpu-times --target=DPUCZDX8G_ISA1_B512 %s \
// RUN:   | FileCheck --check-prefix=TIMES %s
// RUN: xc-translate --mtir-to-dpu-json --target=DPUCZDX8G_ISA1_B512 %s \
// RUN:   | FileCheck --check-prefix=JSON %s

// CHECK: # function net, target DPUCZDX8G_ISA1_B512
// CHECK-NEXT: # layer first
// CHECK: # first: tile 0, rows 0 to 3
// CHECK: CONVINIT
// CHECK-SAME: kernel_h 3
// CHECK: # first: tile 0, rows 4 to 5
// CHECK: # layer second
// CHECK: ALUINIT
// CHECK: END

// TIMES: layer
// TIMES: first
// TIMES: second
// JSON: "name": "first"

func.func @net(%x: memref<1x6x6x8xi8>, %y: memref<1x3x3x8xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<8x3x3x8xi8>} : () -> memref<8x3x3x8xi8>
  %0 = memref.alloc() : memref<1x6x6x8xi8>
  "mtir.conv2d-fix"(%x, %w, %0) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (memref<1x6x6x8xi8>, memref<8x3x3x8xi8>, memref<1x6x6x8xi8>) -> ()
  "mtir.pool-fix"(%0, %y) {op_name = "second", type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (memref<1x6x6x8xi8>, memref<1x3x3x8xi8>) -> ()
  return
}
