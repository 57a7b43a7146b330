// REQUIRES: mlir
// RUN: %python -c "import struct, sys; open(sys.argv[1], 'wb').write(struct.pack('<4f', 1, -1, .5, .25))" %t.bin
// RUN: xc-opt %s --tir-quantize='calibration=%t.bin fit=false' | FileCheck %s
// RUN: xc-opt %s --tir-quantize='calibration=%t.bin fit=false scale-gates=false' | FileCheck %s --check-prefix=OFF

// Filters of 1 and 1/64 on both sides of SiLU share a fix point and meet in the
// middle, 64 times as far from each other as they were; the sigmoid gets its number as it was.
// CHECK: value = dense<89> : tensor<2x1x1x1xi8>
// CHECK: [[BACK:%.*]] = "tir.const"() {value = dense<{{\[\[\[\[}}5.78{{[0-9]*}}, 0.0903{{[0-9]*}}]]]]> : tensor<1x1x1x2xf32>
// CHECK: [[REAL:%.*]] = "tir.fix2float"
// CHECK: [[X:%.*]] = "tir.mul"([[REAL]], [[BACK]]) {op_name = "gate/unscaled"}
// CHECK: "tir.sigmoid"([[X]])
// CHECK: "tir.eltwise-fix"{{.*}}type = "MUL"
// OFF: value = dense<{{\[\[\[\[}}64]]], {{\[\[\[}}1]]]]> : tensor<2x1x1x1xi8>
// OFF-NOT: unscaled
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.mul"(%0, %1) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}
