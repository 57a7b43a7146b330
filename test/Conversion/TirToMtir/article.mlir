// The third listing of the article, op for op.
// RUN: xc-opt --global-bufferize --convert-tir-to-mtir %S/../../Bufferize/Inputs/article.mlir | FileCheck %s

// CHECK:      module {
// CHECK-NEXT:   func.func @XPUFunc(%[[Varg0:.+]]: memref<1x8x8x256xf32>, %[[Varg1:.+]]: memref<1x4x4x256xf32>) attributes {input_names = ["data0"], input_num = 1 : i64, output_names = ["conv0_fix"]} {
// CHECK-NEXT:     %[[Valloc:.+]] = memref.alloc() : memref<1x8x8x256xf32>
// CHECK-NEXT:     "memtx.copy"(%[[Varg0]], %[[Valloc]]) : (memref<1x8x8x256xf32>, memref<1x8x8x256xf32>) -> ()
// CHECK-NEXT:     %[[V0:.+]] = "memtx.const"() {value = dense_resource<__elided__> : tensor<256x2x2x256xi8>} : () -> memref<256x2x2x256xi8>
// CHECK-NEXT:     %[[Valloc_0:.+]] = memref.alloc() : memref<256x2x2x256xi8>
// CHECK-NEXT:     "memtx.copy"(%[[V0]], %[[Valloc_0]]) : (memref<256x2x2x256xi8>, memref<256x2x2x256xi8>) -> ()
// CHECK-NEXT:     %[[V1:.+]] = "memtx.const"() {value = dense_resource<__elided__> : tensor<256xi8>} : () -> memref<256xi8>
// CHECK-NEXT:     %[[Valloc_1:.+]] = memref.alloc() : memref<256xi8>
// CHECK-NEXT:     "memtx.copy"(%[[V1]], %[[Valloc_1]]) : (memref<256xi8>, memref<256xi8>) -> ()
// CHECK-NEXT:     %[[Valloc_2:.+]] = memref.alloc() : memref<1x8x8x256xi8>
// CHECK-NEXT:     "mtir.float2fix"(%[[Valloc]], %[[Valloc_2]]) {bit_width = 8 : i32, fix_point = 0 : i32, if_signed = true, op_name = "data0_fix", round_mode = "XPU_ROUND"} : (memref<1x8x8x256xf32>, memref<1x8x8x256xi8>) -> ()
// CHECK-NEXT:     %[[Valloc_3:.+]] = memref.alloc() : memref<1x4x4x256xi8>
// CHECK-NEXT:     "mtir.conv2d-fix"(%[[Valloc_2]], %[[Valloc_0]], %[[Valloc_1]], %[[Valloc_3]]) {dilation = [1 : i32, 1 : i32], group = 1 : i32, hsigmoid_in = -128 : i32, kernel = [2 : i32, 2 : i32], nonlinear = "NONE", op_name = "conv0", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR", shift_hsigmoid = -128 : i32, shift_hswish = -128 : i32, stride = [2 : i32, 2 : i32]} : (memref<1x8x8x256xi8>, memref<256x2x2x256xi8>, memref<256xi8>, memref<1x4x4x256xi8>) -> ()
// CHECK-NEXT:     %[[Valloc_4:.+]] = memref.alloc() : memref<1x4x4x256xf32>
// CHECK-NEXT:     "mtir.fix2float"(%[[Valloc_3]], %[[Valloc_4]]) {bit_width = 8 : i32, fix_point = 0 : i32, if_signed = true, op_name = "conv0_fix", round_mode = "XPU_ROUND"} : (memref<1x4x4x256xi8>, memref<1x4x4x256xf32>) -> ()
// CHECK-NEXT:     "memtx.copy"(%[[Valloc_4]], %[[Varg1]]) : (memref<1x4x4x256xf32>, memref<1x4x4x256xf32>) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
