// The target decides; a name or a file; one error for neither.
// RUN: xc-opt --tir-legalize %s | FileCheck %s --check-prefix=B4096
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCZDX8G_ISA1_B512})' %s | FileCheck %s --check-prefix=B512
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=%S/Inputs/guide.json})' %s | FileCheck %s --check-prefix=GUIDE
// RUN: rm -f %t.mlir
// RUN: not xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCAHX8H_ISA3})' %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: test ! -e %t.mlir

// B4096-LABEL: func.func @map
// B4096: kernel = [12 : i32, 12 : i32]
// B4096-NOT: kernel = [2
// B512-LABEL: func.func @map
// B512: tir.matmul
// GUIDE-LABEL: func.func @map
// GUIDE: kernel = [6 : i32, 1 : i32]
// NONE: error: {{.*}}'DPUCAHX8H_ISA3'
// NONE-NOT: note:
// NONE-NOT: error
func.func @map(%x: tensor<1x12x12x128xf32>) -> tensor<1x2xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<18432x2xf32>} : () -> tensor<18432x2xf32>
  %f = "tir.reshape"(%x) {shape = [1 : i32, 18432 : i32]} : (tensor<1x12x12x128xf32>) -> tensor<1x18432xf32>
  %y = "tir.matmul"(%f, %w) : (tensor<1x18432xf32>, tensor<18432x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
