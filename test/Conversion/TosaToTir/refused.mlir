// Every operator that cannot be converted is reported with its reason, all in
// one run, and the function stays as it was.
// RUN: not xc-opt %s --allow-unregistered-dialect --convert-tosa-to-tir 2>&1 | FileCheck %s
// RUN: not xc-opt %s --allow-unregistered-dialect --convert-tosa-to-tir 2>&1 | grep -c 'error:' \
// RUN:   | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}7{{$}}

func.func @main(%x: tensor<1x4x4x2xf32>, %y: tensor<4xi32>, %d: tensor<?x4xf32>) -> (tensor<1x4x4x2xf32>, tensor<4xi32>) {
  // CHECK: refused.mlir:[[@LINE+1]]:{{.*}}: error: 'tosa.sin' op cannot be converted: tir has no trigonometric functions
  %0 = tosa.sin %x : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  // What uses it is looked at, too.
  // CHECK: refused.mlir:[[@LINE+1]]:{{.*}}: error: 'tosa.cos' op cannot be converted: tir has no trigonometric functions
  %1 = tosa.cos %0 : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  // CHECK: refused.mlir:[[@LINE+1]]:{{.*}}: error: 'tosa.bitwise_and' op cannot be converted: tir has no operators on bits
  %2 = tosa.bitwise_and %y, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: error: 'tosa.abs' op has a result without a static shape: give arguments one and run 'tosa-infer-shapes' first
  %3 = tosa.abs %d : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %4 = tosa.mul %y, %2, %s : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  // CHECK: error: 'tosa.cond_if' op cannot be converted: tir has no control flow
  %c = "tosa.const"() <{values = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %5 = "tosa.cond_if"(%c, %4) ({
  ^bb0(%a0: tensor<4xi32>):
    tosa.yield %a0 : tensor<4xi32>
  }, {
  ^bb0(%a0: tensor<4xi32>):
    tosa.yield %a0 : tensor<4xi32>
  }) : (tensor<i1>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: error: 'tosa.add_shape' op cannot be converted: shapes must be constants
  %sa = tosa.const_shape {values = dense<0> : tensor<8xindex>} : () -> !tosa.shape<8>
  %12 = tosa.add_shape %sa, %sa : (!tosa.shape<8>, !tosa.shape<8>) -> !tosa.shape<8>
  // CHECK: error: 'tosa.abs' op cannot be converted inside of another operation
  "test.region"() ({
    %14 = tosa.abs %y : (tensor<4xi32>) -> tensor<4xi32>
  }) : () -> ()
  return %1, %5 : tensor<1x4x4x2xf32>, tensor<4xi32>
}
