// A difference is told with the place of the operator, if that is known.
// REQUIRES: mlir
// RUN: not xc-run %s --random-inputs=1 --compare=reference,cpu --tolerance=1e-30 2>&1 | FileCheck %s
// CHECK: xc-run: cpu: tensor '' of 'tir.sigmoid' at no known place: element

func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "tir.sigmoid"(%x) : (tensor<64xf32>) -> tensor<64xf32> loc(unknown)
  %1 = "tir.exp"(%0) : (tensor<64xf32>) -> tensor<64xf32> loc(unknown)
  return %1 : tensor<64xf32>
}
