module {
  func.func @main(%arg0: tensor<1x85x76x4xi8>) -> tensor<1x84x73x8xi8> {
    %3 = "tir.const"() {value = dense<[[[[-41, 76, 96, -97], [54, -2, 86, -100]], [[58, 102, -40, -36], [-28, 61, -34, -38]], [[123, 31, -67, -98], [-116, 70, -118, -72]]], [[[-28, 1, 67, -54], [-30, -41, -21, 76]], [[-36, 61, -102, 7], [10, -13, -33, 25]], [[21, 115, 104, 66], [-16, 43, -69, 45]]], [[[-89, -93, 62, 15], [92, -92, -119, -35]], [[122, 102, -1, -2], [-72, 126, 95, -86]], [[-73, 127, 100, 117], [76, -63, 56, 110]]]]> : tensor<3x3x2x4xi8>} : () -> tensor<3x3x2x4xi8>
    %4 = "tir.const"() {value = dense<[33, -18, 126]> : tensor<3xi8>} : () -> tensor<3xi8>
    %5 = "tir.conv2d-fix"(%arg0, %3, %4) {bias_fix_point = 0 : i32, bias_fix_points = [3 : i32], dilation = [1 : i32, 1 : i32], fix_point_channels = 4 : i32, group = 1 : i32, input_fix_point = 7 : i32, kernel = [2 : i32, 3 : i32], nonlinear = "RELU", output_fix_point = 2 : i32, pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "CEIL", prelu_in = -2147483647 : i32, stride = [1 : i32, 1 : i32], weight_fix_point = 0 : i32, weight_fix_points = [5 : i32]} : (tensor<1x85x76x4xi8>, tensor<3x3x2x4xi8>, tensor<3xi8>) -> tensor<1x83x75x3xi8>
    %6 = "tir.const"() {value = dense<"0xD03E4842A77C2F5434D0109FCCDDDF1C9FE35B7CB8BD37D2FA3AF216BABC5FF121CB33E0EB4A6F0738CD811F958EE4303559C272B6B255A4E35CE1B79172F08C6A41EF8CE67A94861C67B81ACA4BDE0AE741233869352FF4B08D68C61E26D22179BD89E8880F1D1F7869312416FEF5D6C4E65851487FC0AECF024BCE9E4FC5456A0F468A447B017DED0D2E8ADB0E7E85"> : tensor<8x2x3x3xi8>} : () -> tensor<8x2x3x3xi8>
    %7 = "tir.const"() {value = dense<[-90, 85, 3, -68, -22, -103, 61, -54]> : tensor<8xi8>} : () -> tensor<8xi8>
    %8 = "tir.conv2d-fix"(%5, %6, %7) {bias_fix_point = 3 : i32, dilation = [1 : i32, 1 : i32], fix_point_channels = 4 : i32, group = 1 : i32, input_fix_point = 2 : i32, kernel = [3 : i32, 2 : i32], nonlinear = "RELU", output_fix_point = 1 : i32, pad = [0 : i32, 0 : i32, 1 : i32, 1 : i32], pad_mode = "FLOOR", prelu_shift = 7 : i32, stride = [1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x83x75x3xi8>, tensor<8x2x3x3xi8>, tensor<8xi8>) -> tensor<1x84x73x8xi8>
    %13 = "tir.relu6-fix"(%8) {input_fix_point = 1 : i32, output_fix_point = 3 : i32} : (tensor<1x84x73x8xi8>) -> tensor<1x84x73x8xi8>
    return %13 : tensor<1x84x73x8xi8>
  }
}
