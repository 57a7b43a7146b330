// REQUIRES: mlir
// RUN: xc-test-cpu --mcpu=x86-64 %s | FileCheck %s
// RUN: xc-test-cpu --mcpu=native %s | FileCheck %s

// Where machines lack instructions, fix points lie far apart, windows are cut
// off, channels come in blocks, or there is nothing to compute; and tables.
// CHECK-NOT: differs
// CHECK: bf16_blocks: {{.*}}: same
// CHECK: silu_of_channels: {{.*}}: same
// CHECK: nothing: {{.*}}: same
// CHECK-NOT: differs

func.func @bf16_blocks(%a0: tensor<1x5x9x10xbf16>) -> tensor<2x6x5x10xbf16> {
  %0 = "tir.space-to-batch"(%a0) {block_shape = [2 : i32, 1 : i32], paddings = [0 : i32, 1 : i32, 1 : i32, 0 : i32]} : (tensor<1x5x9x10xbf16>) -> tensor<2x6x5x10xbf16>
  return %0 : tensor<2x6x5x10xbf16>
}

// Functions of a byte and the channel, which become tables.
func.func @silu_of_channels(%a0: tensor<1x24x33x3xi8>, %a1: tensor<1x24x33x3xui8>) -> (tensor<1x24x33x3xi8>, tensor<1x24x33x3xf32>) {
  %c = "tir.const"() {value = dense<[0.5, 1.7, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "tir.fix2float"(%a0) {fix_point = 4 : i32} : (tensor<1x24x33x3xi8>) -> tensor<1x24x33x3xf32>
  %1 = "tir.mul"(%0, %c) : (tensor<1x24x33x3xf32>, tensor<3xf32>) -> tensor<1x24x33x3xf32>
  %2 = "tir.sigmoid"(%1) : (tensor<1x24x33x3xf32>) -> tensor<1x24x33x3xf32>
  %3 = "tir.mul"(%1, %2) : (tensor<1x24x33x3xf32>, tensor<1x24x33x3xf32>) -> tensor<1x24x33x3xf32>
  %4 = "tir.float2fix"(%3) {fix_point = 3 : i32} : (tensor<1x24x33x3xf32>) -> tensor<1x24x33x3xi8>
  %5 = "tir.fix2float"(%a1) {fix_point = 7 : i32, if_signed = false} : (tensor<1x24x33x3xui8>) -> tensor<1x24x33x3xf32>
  %6 = "tir.erf"(%5) : (tensor<1x24x33x3xf32>) -> tensor<1x24x33x3xf32>
  return %4, %6 : tensor<1x24x33x3xi8>, tensor<1x24x33x3xf32>
}

func.func @bf16_sum(%a0: tensor<3x7xbf16>, %a1: tensor<7xbf16>) -> tensor<3x7xbf16> {
  %0 = "tir.add"(%a0, %a1) {} : (tensor<3x7xbf16>, tensor<7xbf16>) -> tensor<3x7xbf16>
  return %0 : tensor<3x7xbf16>
}

func.func @f16_sigmoid(%a0: tensor<70xf16>) -> tensor<70xf16> {
  %0 = "tir.sigmoid"(%a0) {} : (tensor<70xf16>) -> tensor<70xf16>
  return %0 : tensor<70xf16>
}

func.func @f16_divide(%a0: tensor<3x7xf16>, %a1: tensor<3x1xf16>) -> tensor<3x7xf16> {
  %0 = "tir.div"(%a0, %a1) {} : (tensor<3x7xf16>, tensor<3x1xf16>) -> tensor<3x7xf16>
  return %0 : tensor<3x7xf16>
}

func.func @f64_mean(%a0: tensor<3x7x5xf64>) -> tensor<1x7x1xf64> {
  %0 = "tir.reduction_mean"(%a0) {axis = [0 : i32, 2 : i32], keep_dims = true} : (tensor<3x7x5xf64>) -> tensor<1x7x1xf64>
  return %0 : tensor<1x7x1xf64>
}

func.func @leaky_dpu(%a0: tensor<3x70xi8>) -> tensor<3x70xi8> {
  %0 = "tir.leaky-relu-fix"(%a0) {input_fix_point = 7 : i32, output_fix_point = 5 : i32, round_mode = "DPU_ROUND"} : (tensor<3x70xi8>) -> tensor<3x70xi8>
  return %0 : tensor<3x70xi8>
}

func.func @mean_dpu(%a0: tensor<2x3x5x7xi8>) -> tensor<2x7xi8> {
  %0 = "tir.reduction_mean-fix"(%a0) {axis = [1 : i32, 2 : i32], keep_dims = false, input_fix_point = 3 : i32, output_fix_point = 6 : i32, round_mode = "DPU_ROUND"} : (tensor<2x3x5x7xi8>) -> tensor<2x7xi8>
  return %0 : tensor<2x7xi8>
}

func.func @far_dpu(%a0: tensor<33xi8>) -> tensor<33xi8> {
  %0 = "tir.relu-fix"(%a0) {input_fix_point = 14 : i32, output_fix_point = -10 : i32, round_mode = "DPU_ROUND"} : (tensor<33xi8>) -> tensor<33xi8>
  return %0 : tensor<33xi8>
}

func.func @near_dpu(%a0: tensor<33xui8>) -> tensor<33xui8> {
  %0 = "tir.relu6-fix"(%a0) {input_fix_point = -10 : i32, output_fix_point = 14 : i32, round_mode = "DPU_ROUND"} : (tensor<33xui8>) -> tensor<33xui8>
  return %0 : tensor<33xui8>
}

func.func @leaky_std(%a0: tensor<3x70xi8>) -> tensor<3x70xi8> {
  %0 = "tir.leaky-relu-fix"(%a0) {input_fix_point = 7 : i32, output_fix_point = 5 : i32, round_mode = "STD_ROUND"} : (tensor<3x70xi8>) -> tensor<3x70xi8>
  return %0 : tensor<3x70xi8>
}

func.func @mean_std(%a0: tensor<2x3x5x7xi8>) -> tensor<2x7xi8> {
  %0 = "tir.reduction_mean-fix"(%a0) {axis = [1 : i32, 2 : i32], keep_dims = false, input_fix_point = 3 : i32, output_fix_point = 6 : i32, round_mode = "STD_ROUND"} : (tensor<2x3x5x7xi8>) -> tensor<2x7xi8>
  return %0 : tensor<2x7xi8>
}

func.func @far_std(%a0: tensor<33xi8>) -> tensor<33xi8> {
  %0 = "tir.relu-fix"(%a0) {input_fix_point = 14 : i32, output_fix_point = -10 : i32, round_mode = "STD_ROUND"} : (tensor<33xi8>) -> tensor<33xi8>
  return %0 : tensor<33xi8>
}

func.func @near_std(%a0: tensor<33xui8>) -> tensor<33xui8> {
  %0 = "tir.relu6-fix"(%a0) {input_fix_point = -10 : i32, output_fix_point = 14 : i32, round_mode = "STD_ROUND"} : (tensor<33xui8>) -> tensor<33xui8>
  return %0 : tensor<33xui8>
}

func.func @leaky_py3(%a0: tensor<3x70xi8>) -> tensor<3x70xi8> {
  %0 = "tir.leaky-relu-fix"(%a0) {input_fix_point = 7 : i32, output_fix_point = 5 : i32, round_mode = "PY3_ROUND"} : (tensor<3x70xi8>) -> tensor<3x70xi8>
  return %0 : tensor<3x70xi8>
}

func.func @mean_py3(%a0: tensor<2x3x5x7xi8>) -> tensor<2x7xi8> {
  %0 = "tir.reduction_mean-fix"(%a0) {axis = [1 : i32, 2 : i32], keep_dims = false, input_fix_point = 3 : i32, output_fix_point = 6 : i32, round_mode = "PY3_ROUND"} : (tensor<2x3x5x7xi8>) -> tensor<2x7xi8>
  return %0 : tensor<2x7xi8>
}

func.func @far_py3(%a0: tensor<33xi8>) -> tensor<33xi8> {
  %0 = "tir.relu-fix"(%a0) {input_fix_point = 14 : i32, output_fix_point = -10 : i32, round_mode = "PY3_ROUND"} : (tensor<33xi8>) -> tensor<33xi8>
  return %0 : tensor<33xi8>
}

func.func @near_py3(%a0: tensor<33xui8>) -> tensor<33xui8> {
  %0 = "tir.relu6-fix"(%a0) {input_fix_point = -10 : i32, output_fix_point = 14 : i32, round_mode = "PY3_ROUND"} : (tensor<33xui8>) -> tensor<33xui8>
  return %0 : tensor<33xui8>
}

func.func @average(%a0: tensor<1x9x9x35xui8>) -> tensor<1x5x5x35xui8> {
  %0 = "tir.pool-fix"(%a0) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 5 : i32} : (tensor<1x9x9x35xui8>) -> tensor<1x5x5x35xui8>
  return %0 : tensor<1x5x5x35xui8>
}

func.func @wide_pool(%a0: tensor<1x3x3x1500xf32>) -> tensor<1x2x2x1500xf32> {
  %0 = "tir.maxpool2d"(%a0) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x1500xf32>) -> tensor<1x2x2x1500xf32>
  return %0 : tensor<1x2x2x1500xf32>
}

func.func @wide_average(%a0: tensor<1x3x3x1500xf32>) -> tensor<1x3x3x1500xf32> {
  %0 = "tir.avgpool2d"(%a0) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 0 : i32], count_include_pad = false} : (tensor<1x3x3x1500xf32>) -> tensor<1x3x3x1500xf32>
  return %0 : tensor<1x3x3x1500xf32>
}

func.func @cubic(%a0: tensor<1x5x6x3xf32>) -> tensor<1x11x13x3xf32> {
  %0 = "tir.resize"(%a0) {size = [13 : i32, 11 : i32], mode = "BICUBIC", half_pixel_centers = true} : (tensor<1x5x6x3xf32>) -> tensor<1x11x13x3xf32>
  return %0 : tensor<1x11x13x3xf32>
}

func.func @nothing(%a0: tensor<0x3xf32>, %a1: tensor<3xf32>) -> tensor<0x3xf32> {
  %0 = "tir.add"(%a0, %a1) {} : (tensor<0x3xf32>, tensor<3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}
