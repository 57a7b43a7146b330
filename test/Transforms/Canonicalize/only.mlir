// One pattern alone, without folding and merging; statistics.
// RUN: xc-opt --pass-pipeline='builtin.module(tir-canonicalize{only=double-neg})' %s | FileCheck %s
// RUN: xc-opt --tir-canonicalize --mlir-pass-statistics %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

// CHECK-NOT: tir.neg
// CHECK: tir.relu
// CHECK: tir.relu
// STATS-DAG: 2 num-rewritten
// STATS-DAG: 1 num-folded
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "tir.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "tir.neg"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "tir.relu"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "tir.relu"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  %k = "tir.const"() {value = dense<-1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %l = "tir.abs"(%k) : (tensor<4xf32>) -> tensor<4xf32>
  return %d, %l : tensor<4xf32>, tensor<4xf32>
}
