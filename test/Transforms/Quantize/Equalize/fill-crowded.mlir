// REQUIRES: mlir
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: %python -c "import struct; v = [1.0] * 200 + [0.3] * 56; open('%t/wall.bin', 'wb').write(struct.pack('<256f', *v))"
// RUN: %python -c "import struct; v = [i / 256 for i in range(256)] ; open('%t/ramp.bin', 'wb').write(struct.pack('<256f', *v))"
// RUN: xc-opt %t/net.mlir --tir-quantize='calibration=%t/wall.bin fit=false report=-' -o %t/fixed.mlir 2>&1 | FileCheck %s
// RUN: xc-opt %t/net.mlir --tir-quantize='calibration=%t/ramp.bin fit=false report=-' -o %t/fixed.mlir 2>&1 | FileCheck %s

// Where a tensor is filled its largest number may be clipped a little, but not where
// most numbers are the largest one: then the finer fix point would not be worth it.
// CHECK: conv2d-fix 7 {{.*}} middle

//--- net.mlir
func.func @main(%x: tensor<1x16x16x1xf32>) -> tensor<1x16x16x1xf32> {
  %w = "tir.const"() {value = dense<1.1> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %v = "tir.const"() {value = dense<0.8> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "middle"} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  return %1 : tensor<1x16x16x1xf32>
}
