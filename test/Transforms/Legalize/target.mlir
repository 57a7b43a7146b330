// The target decides; a name or a file; one error for neither.
// RUN: xc-opt --tir-legalize %s | FileCheck %s --check-prefix=B4096
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCAHX8H_ISA2})' %s | FileCheck %s --check-prefix=V3E
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=%xc_src/targets/DPUCAHX8H_ISA2.json})' %s | FileCheck %s --check-prefix=V3E
// RUN: rm -f %t.mlir
// RUN: not xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCAHX8H_ISA3})' %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: test ! -e %t.mlir

// B4096-LABEL: func.func @map
// B4096: kernel = [12 : i32, 12 : i32]
// B4096-NOT: kernel = [2
// V3E-LABEL: func.func @map
// V3E: kernel = [2 : i32, 1 : i32]
// NONE: error: {{.*}}'DPUCAHX8H_ISA3'
// NONE-NOT: error
func.func @map(%x: tensor<1x12x12x31xf32>) -> tensor<1x2xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<4464x2xf32>} : () -> tensor<4464x2xf32>
  %f = "tir.reshape"(%x) {shape = [1 : i32, 4464 : i32]} : (tensor<1x12x12x31xf32>) -> tensor<1x4464xf32>
  %y = "tir.matmul"(%f, %w) : (tensor<1x4464xf32>, tensor<4464x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
