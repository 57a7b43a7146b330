// For a back end that writes source code calls and functions say what they are
// of; for machine code they do not.
// RUN: xc-opt --convert-mtir-to-linalg=for-source=true %s | FileCheck %s
// RUN: xc-opt --convert-mtir-to-linalg %s | FileCheck %s --check-prefix=CODE --implicit-check-not=xc.arguments --implicit-check-not=xc.operator
// CHECK: func.func private @xc.relu.0({{.*}}xc.arguments = ["input", "output"]
// CHECK: call @xc.relu.0(%arg0, %arg1) {op_name = "r", xc.operator = "relu"}
// CODE: func.func private @xc.relu.0(
// CODE: call @xc.relu.0(%arg0, %arg1) :
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) attributes {xc.num_inputs = 1 : i64} {
  "mtir.relu"(%x, %y) {op_name = "r"} : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
