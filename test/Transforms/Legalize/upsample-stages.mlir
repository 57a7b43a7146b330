// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact

// One pixel, whose row is then saved as a whole. Columns are rounded, rows are
// only repeated.
// CHECK-LABEL: func.func @pixel
// CHECK: %[[ROW:.*]] = "tir.upsample-fix"(%arg0) {input_fix_point = 5 : i32, output_fix_point = 4 : i32, scale = [30 : i32, 1 : i32]} : (tensor<1x1x1x32xi8>) -> tensor<1x1x30x32xi8>
// CHECK: "tir.upsample-fix"(%[[ROW]]) {input_fix_point = 4 : i32, output_fix_point = 4 : i32, scale = [1 : i32, 20 : i32]}
func.func @pixel(%x: tensor<1x1x1x32xi8>) -> tensor<1x20x30x32xi8> {
  %y = "tir.upsample-fix"(%x) {scale = [30 : i32, 20 : i32], input_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x1x32xi8>) -> tensor<1x20x30x32xi8>
  return %y : tensor<1x20x30x32xi8>
}

// A row is a SAVE for each place; wide rows are not worth a stage.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: tir.upsample-fix
// CHECK-NOT: tir.upsample-fix
// CHECK: return
func.func @others(%x: tensor<1x1x1x32xi8>, %y: tensor<1x1x30x32xi8>, %z: tensor<1x13x13x128xi8>) -> (tensor<1x1x30x32xi8>, tensor<1x20x30x32xi8>, tensor<1x26x26x128xi8>) {
  %0 = "tir.upsample-fix"(%x) {scale = [30 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x1x1x32xi8>) -> tensor<1x1x30x32xi8>
  %1 = "tir.upsample-fix"(%y) {scale = [1 : i32, 20 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x1x30x32xi8>) -> tensor<1x20x30x32xi8>
  %2 = "tir.upsample-fix"(%z) {scale = [2 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x13x13x128xi8>) -> tensor<1x26x26x128xi8>
  return %0, %1, %2 : tensor<1x1x30x32xi8>, tensor<1x20x30x32xi8>, tensor<1x26x26x128xi8>
}
