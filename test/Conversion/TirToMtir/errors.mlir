// RUN: xc-opt --split-input-file --verify-diagnostics --mlir-disable-diagnostic-notes --convert-tir-to-mtir %s

// expected-error@+1 {{'func.func' op has tensor arguments: run global-bufferize first}}
func.func @arguments(%x: tensor<4xf32>) {
  return
}

// -----

func.func @results() -> tensor<f32> {
  %0 = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  // expected-error@+1 {{'func.return' op has tensors: run global-bufferize first}}
  return %0 : tensor<f32>
}

// -----

func.func @constants() {
  // expected-error@+1 {{'tir.const' op is not a buffer yet: run global-bufferize first}}
  %0 = "tir.const"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @other() {
  // expected-error@+1 {{'tensor.empty' op cannot be converted: it has tensors but is not a tir operator}}
  %0 = tensor.empty() : tensor<4xf32>
  return
}

// -----

func.func @branch(%m: memref<4xf32>) {
  %0 = "tir.upload"(%m) : (memref<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'cf.br' op cannot be converted: a branch carries tensors}}
  cf.br ^bb1(%0 : tensor<4xf32>)
^bb1(%1: tensor<4xf32>):
  return
}
