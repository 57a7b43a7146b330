// REQUIRES: mlir
// RUN: not xc-translate --tir-to-xmodel --split-input-file %s 2>&1 | FileCheck %s

// CHECK: export-errors.mlir:[[@LINE+3]]:8: error: 'tir.custom' op entry 'x' of the payload has no kind in an xmodel
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // The type of an entry is not one of the format's.
  %0 = "tir.custom"(%a) {op_type = "t", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, payload = {x = 1 : i17}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: export-errors.mlir:[[@LINE+2]]:8: error: '{{.*}}' {{.*}}an xmodel cannot hold
func.func @f(%a: tensor<4xf32>) -> tensor<4xbf16> {
  %0 = "tir.cast"(%a) : (tensor<4xf32>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// CHECK: export-errors.mlir:[[@LINE+2]]:8: error: {{.*}} op has no place in an uncompiled xmodel
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = builtin.unrealized_conversion_cast %a : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: export-errors.mlir:[[@LINE+1]]:1: error: 'func.func' op 'input' is of a type that an xmodel cannot hold
func.func @f(%m: memref<4xf32>) {
  return
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// CHECK: export-errors.mlir:[[@LINE+1]]:1: error: {{.*}}stands beside the one function that an xmodel can hold
func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// CHECK: export-errors.mlir:[[@LINE+1]]:{{[0-9]+}}: error:
func.func @f(
