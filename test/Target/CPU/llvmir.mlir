// REQUIRES: mlir
// RUN: xc-translate --mtir-to-llvmir --mcpu=x86-64-v3 %s | FileCheck %s

// Adding doubles of floats and rounding once is adding floats, eight at once.
// CHECK: define internal {{.*}}void @xc.add.0(
// CHECK: fadd <8 x float>
// CHECK: define {{.*}}i32 @xc_main(ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, ptr {{.*}})
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "tir.add"(%x, %y) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
