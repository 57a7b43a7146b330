// A pass of MLIR's gives one of our operators an attribute it does not have.
module attributes {transform.with_named_sequence} {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "tir.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tir.relu"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %0 "opname" : !transform.any_op
    transform.yield
  }
}
