// REQUIRES: mlir
// RUN: %python %S/../Inputs/headroom.py %t.d
// RUN: sed s/SIZE/1/g %s > %t.one.mlir
// RUN: sed s/SIZE/128/g %s > %t.map.mlir

// Where the largest number differs from sample to sample, that of the next one
// may be larger than all so far.
// RUN: xc-opt %t.one.mlir --tir-quantize='calibration=%t.d/steady equalize=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=STEADY
// RUN: xc-opt %t.one.mlir --tir-quantize='calibration=%t.d/spread equalize=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SPREAD
// STEADY: conv2d-fix 7 {{.*}} copy
// SPREAD: float2fix 7
// SPREAD: conv2d-fix 6 {{.*}} copy

// It is one of many numbers here, all of which would be rounded to larger steps.
// RUN: xc-opt %t.map.mlir --tir-quantize='calibration=%t.d/map equalize=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=STEADY

// It is one of 81 here: what is cut off counts more than rounding these does.
// RUN: sed s/SIZE/9/g %s > %t.few.mlir
// RUN: xc-opt %t.few.mlir --tir-quantize='calibration=%t.d/few equalize=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SPREAD

// Equalisation makes 1.1 times as much fill fix point 7, and leaves room, too.
// RUN: sed s/1\\.0/1.1/ %t.one.mlir > %t.more.mlir
// RUN: xc-opt %t.more.mlir --tir-quantize='calibration=%t.d/steady fit=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=STEADY
// RUN: xc-opt %t.more.mlir --tir-quantize='calibration=%t.d/spread fit=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SPREAD
func.func @main(%x: tensor<1xSIZExSIZEx1xf32>) -> tensor<1xSIZExSIZEx1xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %v = "tir.const"() {value = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "copy"} : (tensor<1xSIZExSIZEx1xf32>, tensor<1x1x1x1xf32>) -> tensor<1xSIZExSIZEx1xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "half"} : (tensor<1xSIZExSIZEx1xf32>, tensor<1x1x1x1xf32>) -> tensor<1xSIZExSIZEx1xf32>
  return %1 : tensor<1xSIZExSIZEx1xf32>
}
