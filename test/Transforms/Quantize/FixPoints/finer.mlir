// REQUIRES: mlir
// RUN: xc-opt %s --tir-quantize='calibration=random samples=8 equalize=false report=-' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: xc-opt %s --tir-quantize='calibration=random samples=1 equalize=false report=-' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE

// Numbers of up to 1.025: what the fix point 7 clips and what rounding costs at
// it are together two thirds of what rounding costs at 6. Several samples tell
// that others are clipped no more; with one, the error would have to be half.
// SEVERAL: conv2d-fix 7 {{.*}} large
// ONE: conv2d-fix 6 {{.*}} large
func.func @main(%x: tensor<1x128x128x1xf32>) -> tensor<1x128x128x1xf32> {
  %w = "tir.const"() {value = dense<1.025> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "large"} : (tensor<1x128x128x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x128x128x1xf32>
  return %0 : tensor<1x128x128x1xf32>
}
