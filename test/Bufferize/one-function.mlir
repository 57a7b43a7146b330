// Nested in one function a call that carries tensors is an error.
// RUN: xc-opt -p 'builtin.module(func.func(global-bufferize))' --split-input-file --verify-diagnostics --mlir-disable-diagnostic-notes %s

func.func private @callee(memref<4xf32>)
func.func @fine(%x: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  call @callee(%m) : (memref<4xf32>) -> ()
  return %x : tensor<4xf32>
}

// -----

func.func private @callee(tensor<4xf32>)
func.func @bad(%x: tensor<4xf32>) {
  // expected-error@+1 {{'func.call' op cannot be bufferized inside one function: run global-bufferize on the module}}
  call @callee(%x) : (tensor<4xf32>) -> ()
  return
}
