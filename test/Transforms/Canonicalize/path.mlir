// A constant whose file cannot be read: one error, no output.
// RUN: rm -f %t.mlir
// RUN: not xc-opt --tir-canonicalize %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: test ! -e %t.mlir

// CHECK: error: {{.*}}no-such-file.bin
// CHECK-NOT: error:
func.func @f() -> tensor<4xf32> {
  %a = "tir.const"() {path = "no-such-file.bin"} : () -> tensor<4xf32>
  %b = "tir.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "tir.sigmoid"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "tir.add"(%b, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}
