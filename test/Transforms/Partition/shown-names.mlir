// Rules may have names as tables show them, if they are those of one operator.
// RUN: split-file %s %t
// RUN: xc-opt %t/net.mlir --tir-partition='placement=%t/rules.json show=operators' -o /dev/null 2>&1 | FileCheck %s
// CHECK: rules.json:4:2: warning: the rule matches no operator of the model: name 'Conv2D'; near are 'functional_model/block/conv2d_1/Conv2D', 'functional_model/block/conv2d_2/Conv2D'{{$}}
// CHECK: rules.json:5:2: warning: the rule matches no operator of the model: name 'functional_model/block/conv2d_1/Conv2D', type 'relu'{{$}}
// CHECK: CPU conv2d-fix {{.*}} functional_model/block/conv2d_1/Conv2D placement-file: the rule at {{.*}}rules.json:2:2
// CHECK: CPU conv2d-fix {{.*}} functional_model/block/conv2d_2/Conv2D placement-file: the rule at {{.*}}rules.json:3:2

//--- net.mlir
func.func @net(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "functional_model/block/conv2d_1/Conv2D", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  %1 = "tir.conv2d-fix"(%0, %w) {op_name = "functional_model/block/conv2d_2/Conv2D", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  return %1 : tensor<1x8x8x16xi8>
}
//--- rules.json
{"rules": [
 {"name": "conv2d_1", "device": "CPU"},
 {"name": "conv2d_2/Conv2D", "device": "CPU"},
 {"name": "Conv2D", "device": "CPU"},
 {"name": "conv2d_1", "type": "relu", "device": "CPU"}]}
