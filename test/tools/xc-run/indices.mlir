// REQUIRES: mlir
// Made-up integers of 64 bits are indices that most dimensions have.
// RUN: xc-run %s --random-inputs=1 | FileCheck %s
// CHECK: y 64xi64 {{[01]}} {{[67]}} {{[234][.][0-9]+}}

func.func @main(%x: tensor<64xi64>) -> tensor<64xi64> attributes {input_names = ["x"], output_names = ["y"]} {
  return %x : tensor<64xi64>
}
