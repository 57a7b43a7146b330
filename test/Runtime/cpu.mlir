// REQUIRES: mlir
// A model as machine code: the function that runs, and what it calls.
// RUN: rm -rf %t && mkdir %t
// RUN: xc-run %s --random-inputs=1 --compare=reference,cpu | FileCheck %s
// RUN: xc-run %s --random-inputs=1 --compare=cpu,reference --function=second --quiet | count 0
// CHECK: reference and cpu: tensors equal: 3
// CHECK-NEXT: reference and cpu: outputs equal: 2
// RUN: xc-run %s --random-inputs=1 --backend=cpu --mcpu=x86-64 --output=%t/y.npy --quiet
// RUN: xc-run %s --random-inputs=1 --expected=%t/y.npy --quiet
// RUN: xc-run %s --backend=cpu --list | FileCheck %s --check-prefix=LIST
// LIST: 0 y 1x64xf32

// An operator of the host stays with the interpreter.
// RUN: not xc-run %s --random-inputs=1 --backend=cpu --function=host 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: 'tir.custom' op 'h' of type 'H' is known to the host only

func.func @first(%x: tensor<1x64xf32>) -> (tensor<1x64xf32>, tensor<1x64xf32>) attributes {input_names = ["x"], output_names = ["y", "same"]} {
  %0 = "tir.relu"(%x) {op_name = "r"} : (tensor<1x64xf32>) -> tensor<1x64xf32>
  %1 = "tir.neg"(%0) {op_name = "n"} : (tensor<1x64xf32>) -> tensor<1x64xf32>
  return %1, %x : tensor<1x64xf32>, tensor<1x64xf32>
}
func.func @second(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "tir.abs"(%x) {op_name = "a"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @host(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tir.custom"(%x) {op_name = "h", op_type = "H", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
