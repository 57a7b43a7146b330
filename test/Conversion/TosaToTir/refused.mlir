// Every operator that cannot be converted is reported with its reason, all in
// one run, and the function stays as it was.
// RUN: not xc-opt %s --allow-unregistered-dialect --convert-tosa-to-tir 2>&1 | FileCheck %s
// RUN: not xc-opt %s --allow-unregistered-dialect --convert-tosa-to-tir 2>&1 | grep -c 'error:' \
// RUN:   | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}8{{$}}

func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>, %d: tensor<?x4xf32>, %v: tensor<1x4x4x4x2xf32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<1x4x4x4x1xf32>) {
  // CHECK: refused.mlir:[[@LINE+1]]:{{.*}}: error: 'tosa.bitwise_or' op cannot be converted: tir has no operators on bits
  %0 = tosa.bitwise_or %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // What uses it is looked at, too.
  // CHECK: refused.mlir:[[@LINE+1]]:{{.*}}: error: 'tosa.bitwise_xor' op cannot be converted: tir has no operators on bits
  %1 = tosa.bitwise_xor %0, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %w = "tosa.const"() <{values = dense<1.0> : tensor<1x1x1x1x2xf32>}> : () -> tensor<1x1x1x1x2xf32>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // CHECK: refused.mlir:[[@LINE+1]]:{{.*}}: error: 'tosa.conv3d' op cannot be converted: tir has convolutions of images, which the importers of ONNX, TensorFlow and TensorFlow Lite make of those of volumes
  %20 = tosa.conv3d %v, %w, %b, %b, %b {acc_type = f32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x4x4x4x2xf32>, tensor<1x1x1x1x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4x1xf32>
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
  return %1, %5, %20 : tensor<4xi32>, tensor<4xi32>, tensor<1x4x4x4x1xf32>
}
