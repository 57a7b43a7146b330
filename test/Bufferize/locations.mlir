// The buffer of a result has the location of the operator that computes it.
// RUN: xc-opt --global-bufferize --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// CHECK: func.func @f(%arg0: memref<4xf32> loc("in"), %arg1: memref<4xf32> loc("exp"), %arg2: memref<4xf32> loc("in"))
func.func @f(%x: tensor<4xf32> loc("in")) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "tir.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("exp")
  return %0, %x : tensor<4xf32>, tensor<4xf32>
} loc("f")
