// In front of the DPU operators that the board's runtime does not compute
// exactly, behind it one of the host.
func.func @other(%x: tensor<1x8x32x8xf32>) -> (tensor<1x4x16x16xf32>, tensor<1x8x32x8xf32>)
    attributes {input_names = ["x"], output_names = ["y", "z"]} {
  %n = "tir.neg"(%x) {op_name = "neg"} : (tensor<1x8x32x8xf32>) -> tensor<1x8x32x8xf32>
  %q = "tir.quantize-linear"(%n) {op_name = "quantized", scale = [0.1 : f32], zero_point = [0 : i32]} : (tensor<1x8x32x8xf32>) -> tensor<1x8x32x8xi8>
  %r = "tir.relu"(%n) {op_name = "relu"} : (tensor<1x8x32x8xf32>) -> tensor<1x8x32x8xf32>
  %w = "tir.const"() {value = dense<3> : tensor<16x3x3x8xi8>} : () -> tensor<16x3x3x8xi8>
  %c = "tir.conv2d-fix"(%q, %w) {op_name = "conv", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x8x32x8xi8>, tensor<16x3x3x8xi8>) -> tensor<1x4x16x16xi8>
  %f = "tir.fix2float"(%c) {op_name = "float", fix_point = 4 : i32} : (tensor<1x4x16x16xi8>) -> tensor<1x4x16x16xf32>
  %y = "tir.custom"(%f, %x) {op_name = "custom", op_type = "mine", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, payload = {speed = 3 : i32}} : (tensor<1x4x16x16xf32>, tensor<1x8x32x8xf32>) -> tensor<1x4x16x16xf32>
  return %y, %r : tensor<1x4x16x16xf32>, tensor<1x8x32x8xf32>
}
