// REQUIRES: mlir
// RUN: xc-translate --mtir-to-llvmir --mcpu=x86-64-v4 %s | FileCheck %s

// Rows of nine: the vectoriser stores the last element by a mask. LLVM would
// write such a truncated element too wide, so it becomes a plain store.
// CHECK: define internal {{.*}}void @xc.quantize-linear.0(
// CHECK-NOT: masked.store{{.*}}<i1 true, i1 false, i1 false, i1 false>
// CHECK: store i16 {{.*}}, align 1
// CHECK-NOT: masked.store{{.*}}<i1 true, i1 false, i1 false, i1 false>
func.func @main(%x: tensor<1x28x40x9xi16>) -> tensor<1x28x40x9xui16> {
  %0 = "tir.quantize-linear"(%x) {axis = 3 : i32, flavor = "TFLITE", scale = [0.0278312843 : f32, 0.0128599703 : f32, 0.00557470834 : f32, 0.0558751635 : f32, 2.620000e-01 : f32, 0.0881141945 : f32, 0.0092254458 : f32, 0.0305462256 : f32, 0.0935994684 : f32], zero_point = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x28x40x9xi16>) -> tensor<1x28x40x9xui16>
  return %0 : tensor<1x28x40x9xui16>
}
