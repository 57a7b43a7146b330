// REQUIRES: mlir
// RUN: not xc-opt %s --tir-approximate=functions=silu,relu 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not xc-opt %s --tir-approximate=bound=much 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: not xc-opt %s --tir-approximate=target=none 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not xc-opt %s --tir-approximate=calibration=%t.none 2>&1 | FileCheck %s --check-prefix=SAMPLES
// FUNCTION: error: option 'functions' of tir-approximate names 'relu', expected a list of sigmoid, silu, tanh, mish and gelu
// BOUND: error: option 'bound' of tir-approximate is 'much', expected a number of decibels
// TARGET: error: {{.*}}none
// TARGET-NOT: note:
// SAMPLES: error: {{.*}}.none
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
