// Behind the DPU operators of the host and operators that the board's runtime
// does not compute exactly, each before the other.
func.func @net(%x: tensor<1x8x32x8xf32>) -> (tensor<1x4x16x16xf32>, tensor<1x4x16x16xf32>)
    attributes {input_names = ["x"], output_names = ["y", "z"]} {
  %q = "tir.float2fix"(%x) {op_name = "fix", fix_point = 4 : i32} : (tensor<1x8x32x8xf32>) -> tensor<1x8x32x8xi8>
  %w = "tir.const"() {value = dense<3> : tensor<16x3x3x8xi8>} : () -> tensor<16x3x3x8xi8>
  %c = "tir.conv2d-fix"(%q, %w) {op_name = "conv", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x8x32x8xi8>, tensor<16x3x3x8xi8>) -> tensor<1x4x16x16xi8>
  %f = "tir.fix2float"(%c) {op_name = "float", fix_point = 4 : i32} : (tensor<1x4x16x16xi8>) -> tensor<1x4x16x16xf32>
  %n = "tir.neg"(%f) {op_name = "neg"} : (tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %m = "tir.custom"(%n) {op_name = "mine", op_type = "mine", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, payload = {speed = 3 : i32}} : (tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %s = "tir.add"(%m, %f) {op_name = "sum"} : (tensor<1x4x16x16xf32>, tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %r = "tir.relu"(%s) {op_name = "relu"} : (tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %o = "tir.custom"(%f) {op_name = "yours", op_type = "yours", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, payload = {}} : (tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  return %r, %o : tensor<1x4x16x16xf32>, tensor<1x4x16x16xf32>
}
