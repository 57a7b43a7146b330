// The second listing of the article, op for op.
// RUN: xc-opt --global-bufferize %S/Inputs/article.mlir | FileCheck %s

// CHECK:      module {
// CHECK-NEXT:   func.func @XPUFunc(%[[Varg0:.+]]: memref<1x8x8x256xf32>, %[[Varg1:.+]]: memref<1x4x4x256xf32>) attributes {input_names = ["data0"], input_num = 1 : i64, output_names = ["conv0_fix"]} {
// CHECK-NEXT:     %[[V0:.+]] = "tir.upload"(%[[Varg0]]) : (memref<1x8x8x256xf32>) -> tensor<1x8x8x256xf32>
// CHECK-NEXT:     %[[V1:.+]] = "memtx.const"() {value = dense_resource<__elided__> : tensor<256x2x2x256xi8>} : () -> memref<256x2x2x256xi8>
// CHECK-NEXT:     %[[V2:.+]] = "tir.upload"(%[[V1]]) : (memref<256x2x2x256xi8>) -> tensor<256x2x2x256xi8>
// CHECK-NEXT:     %[[V3:.+]] = "memtx.const"() {value = dense_resource<__elided__> : tensor<256xi8>} : () -> memref<256xi8>
// CHECK-NEXT:     %[[V4:.+]] = "tir.upload"(%[[V3]]) : (memref<256xi8>) -> tensor<256xi8>
// CHECK-NEXT:     %[[V5:.+]] = "tir.float2fix"(%[[V0]]) {bit_width = 8 : i32, fix_point = 0 : i32, if_signed = true, op_name = "data0_fix", round_mode = "XPU_ROUND"} : (tensor<1x8x8x256xf32>) -> tensor<1x8x8x256xi8>
// CHECK-NEXT:     %[[V6:.+]] = "tir.conv2d-fix"(%[[V5]], %[[V2]], %[[V4]]) {dilation = [1 : i32, 1 : i32], group = 1 : i32, hsigmoid_in = -128 : i32, kernel = [2 : i32, 2 : i32], nonlinear = "NONE", op_name = "conv0", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR", shift_hsigmoid = -128 : i32, shift_hswish = -128 : i32, stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x256xi8>, tensor<256x2x2x256xi8>, tensor<256xi8>) -> tensor<1x4x4x256xi8>
// CHECK-NEXT:     %[[V7:.+]] = "tir.fix2float"(%[[V6]]) {bit_width = 8 : i32, fix_point = 0 : i32, if_signed = true, op_name = "conv0_fix", round_mode = "XPU_ROUND"} : (tensor<1x4x4x256xi8>) -> tensor<1x4x4x256xf32>
// CHECK-NEXT:     "tir.download"(%[[V7]], %[[Varg1]]) : (tensor<1x4x4x256xf32>, memref<1x4x4x256xf32>) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
