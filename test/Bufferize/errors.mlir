// One diagnostic at the operation; the IR stays as it was.
// RUN: xc-opt --split-input-file --verify-diagnostics --mlir-disable-diagnostic-notes --global-bufferize %s

// expected-error@+1 {{'func.func' op cannot be bufferized: argument tensor<?xf32> has a dynamic shape}}
func.func private @dynamic(tensor<?xf32>)

// -----

// expected-error@+1 {{'func.func' op cannot be bufferized: result tensor<*xf32> is unranked}}
func.func private @unranked() -> tensor<*xf32>

// -----

// expected-error@+1 {{'func.func' op cannot be bufferized: argument tensor<4xf32, "x"> has an encoding}}
func.func private @encoding(tensor<4xf32, "x">)

// -----

// expected-error@+1 {{'func.func' op cannot be bufferized: argument tensor<4xindex> has an element type that xc does not know}}
func.func private @element(tensor<4xindex>)

// -----

func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'arith.addf' op cannot be bufferized: it has tensors but is not a tir operator}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @branch(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'cf.br' op cannot be bufferized: a branch carries tensors}}
  cf.br ^bb1(%x : tensor<4xf32>)
^bb1(%0: tensor<4xf32>):
  return %0 : tensor<4xf32>
}

// -----

func.func private @callee(tensor<4xf32>)
func.func @value() {
  // expected-error@+1 {{'func.constant' op cannot be bufferized: it takes a function with tensors as a value}}
  %f = func.constant @callee : (tensor<4xf32>) -> ()
  return
}
