// A transpose of the model's own input or output, over conversions and slices, is
// a matter of its layout, in fixed point, too. So is a reshape of floats.
// RUN: xc-opt %s --split-input-file --tir-partition='outline=false show=operators' 2>&1 >/dev/null | FileCheck %s

// CHECK: CPU transpose {{.*}} image input-layout: the model's input is NCHW, its layers read NHWC; an export with an NHWC input does without{{$}}
// CHECK: CPU transpose-fix {{.*}} part input-layout: the model's input is NCHW, its layers read NHWC; an export with an NHWC input does without{{$}}
// CHECK: CPU transpose-fix {{.*}} map output-layout: the model's output is NCHW, its layers write NHWC; an export with an NHWC output does without{{$}}
func.func @images(%x: tensor<1x16x4x8xf32>, %y: tensor<1x32x4x8xf32>) -> tensor<1x16x4x8xf32> {
  %0 = "tir.transpose"(%x) {op_name = "image", order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x16x4x8xf32>) -> tensor<1x4x8x16xf32>
  %1 = "tir.float2fix"(%0) {fix_point = 4 : i32} : (tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xi8>
  %2 = "tir.strided_slice"(%y) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 16 : i32, 4 : i32, 8 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x32x4x8xf32>) -> tensor<1x16x4x8xf32>
  %3 = "tir.float2fix"(%2) {fix_point = 4 : i32} : (tensor<1x16x4x8xf32>) -> tensor<1x16x4x8xi8>
  %4 = "tir.transpose-fix"(%3) {op_name = "part", order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x16x4x8xi8>) -> tensor<1x4x8x16xi8>
  %5 = "tir.eltwise-fix"(%1, %4) {type = "ADD", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x8x16xi8>, tensor<1x4x8x16xi8>) -> tensor<1x4x8x16xi8>
  %6 = "tir.transpose-fix"(%5) {op_name = "map", order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x8x16xi8>) -> tensor<1x16x4x8xi8>
  %7 = "tir.fix2float"(%6) {fix_point = 4 : i32} : (tensor<1x16x4x8xi8>) -> tensor<1x16x4x8xf32>
  return %7 : tensor<1x16x4x8xf32>
}

// -----

// CHECK: CPU transpose {{.*}} rows input-layout: the model's input has its dimensions in another order than its layers read{{$}}
// CHECK: CPU reshape {{.*}} spectrum input-layout: the model's input has other dimensions than its layers read; no data moves{{$}}
// CHECK: CPU reshape {{.*}} flat output-layout: the model's output has other dimensions than its layers write; no data moves{{$}}
// CHECK: CPU transpose {{.*}} columns output-layout: the model's output has its dimensions in another order than its layers write{{$}}
// One whose result is read elsewhere, too, is none of the output alone.
// CHECK: CPU transpose {{.*}} shared fixed-point:
func.func @others(%x: tensor<1x4x8xf32>, %y: tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %0 = "tir.transpose"(%x) {op_name = "rows", order = [0 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x8xf32>) -> tensor<1x8x4xf32>
  %1 = "tir.reshape"(%y) {op_name = "spectrum", shape = [1 : i32, 8 : i32, 4 : i32]} : (tensor<1x32xf32>) -> tensor<1x8x4xf32>
  %2 = "tir.add"(%0, %1) : (tensor<1x8x4xf32>, tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  %3 = "tir.reshape"(%2) {op_name = "flat", shape = [1 : i32, 32 : i32]} : (tensor<1x8x4xf32>) -> tensor<1x32xf32>
  %4 = "tir.transpose"(%2) {op_name = "columns", order = [0 : i32, 2 : i32, 1 : i32]} : (tensor<1x8x4xf32>) -> tensor<1x4x8xf32>
  %5 = "tir.transpose"(%2) {op_name = "shared", order = [0 : i32, 2 : i32, 1 : i32]} : (tensor<1x8x4xf32>) -> tensor<1x4x8xf32>
  %6 = "tir.exp"(%5) : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %3, %4, %5, %6 : tensor<1x32xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
}
