// RUN: xc-opt --split-input-file --verify-diagnostics %s
// RUN: xc-opt --split-input-file --verify-diagnostics=only-expected %s
// RUN: not xc-opt --split-input-file %s
// RUN: not xc-opt --verify-diagnostics %S/Inputs/wrong.mlir 2>&1 | FileCheck %s --check-prefix=UNEXPECTED
// RUN: not xc-opt --verify-diagnostics=only-expected %S/Inputs/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not xc-opt --verify-diagnostics=some %s 2>&1 | FileCheck %s --check-prefix=MODE
// UNEXPECTED: error: unexpected error: 'tir.relu' op result
// MISSING: error: expected error "never" was not produced
// MODE: xc-opt: for the --verify-diagnostics option: expected all or only-expected

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+2 {{'tir.relu' op result 'output' is 5xf32}}
  // expected-note@+1 {{see current operation}}
  %0 = "tir.relu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  // expected-error@below {{did you mean 'op_name'?}}
  // expected-note@below {{see current operation}}
  %1 = "tir.relu"(%x) {opname = "x"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @g(%x: tensor<4xf32>) {
  %0 = "tir.relu6"(%x) {a = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error-re@-1 {{unknown {{[a-z]+}} 'a'}}
  // expected-note@above {{see current operation}}
  return
}
