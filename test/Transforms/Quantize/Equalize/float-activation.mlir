// REQUIRES: mlir
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %t/samples.py %t
// DEFINE: %{quantize} = xc-opt --tir-quantize='calibration=%t/four.bin fit=false'

// Channels of 1 and 1/64 have one range on both sides of SiLU, each with a
// factor of its own; the activation gets its numbers as they were, and all of
// it is computed in floating point.
// RUN: %{quantize} %t/silu.mlir | FileCheck %s
// CHECK: value = dense<64> : tensor<2x1x1x1xi8>
// CHECK: [[BACK:%.*]] = "tir.const"() {value = dense<{{\[\[\[\[}}1.000000e+00, 1.562500e-02]]]]> : tensor<1x1x1x2xf32>
// CHECK: [[REAL:%.*]] = "tir.fix2float"
// CHECK: [[X:%.*]] = "tir.mul"([[REAL]], [[BACK]]) {op_name = "gate/unscaled"
// CHECK: [[GATE:%.*]] = "tir.sigmoid"([[X]]) {op_name = "gate"
// CHECK: [[SILU:%.*]] = "tir.mul"([[X]], [[GATE]]) {op_name = "silu/unscaled"
// CHECK: [[TO:%.*]] = "tir.const"() {value = dense<{{\[\[\[\[}}0.68{{[0-9]*}}, 60.{{[0-9]*}}]]]]> : tensor<1x1x1x2xf32>
// CHECK: [[SCALED:%.*]] = "tir.mul"([[SILU]], [[TO]]) {op_name = "silu"
// CHECK: "tir.float2fix"([[SCALED]]) {{{.*}}op_name = "silu/fix"
// CHECK: "tir.conv2d-fix"

// Ranges that are further apart than other channels may be.
// RUN: sed 's/0.015625/0.001953125/g' %t/silu.mlir > %t/small.mlir
// RUN: %{quantize} %t/small.mlir | FileCheck %s --check-prefix=SMALL
// SMALL: value = dense<64> : tensor<2x1x1x1xi8>
// SMALL: value = dense<{{\[\[\[\[}}1.000000e+00, 0.001953125]]]]> : tensor<1x1x1x2xf32>

// RUN: xc-opt %t/silu.mlir --tir-quantize='calibration=%t/four.bin fit=false approximate=silu' | FileCheck %s --check-prefix=OFF
// OFF: value = dense<{{\[\[\[\[}}64]]], {{\[\[\[}}1]]]]> : tensor<2x1x1x1xi8>
// OFF-NOT: unscaled
// OFF: "tir.eltwise-fix"{{.*}}type = "MUL"

// What another function on the CPU gives: nothing is rounded between the two,
// which needs no factor.
// RUN: %{quantize} %t/chain.mlir | FileCheck %s --check-prefix=CHAIN
// CHAIN: "tir.sqrt"
// CHAIN-NOT: unscaled
// CHAIN: "tir.tanh"

// A channel that its bias keeps off in both samples, before a normalisation and
// a function on the CPU: it may be on in others, but not by much, and its weights
// leave bits to those of the other one.
// RUN: xc-opt %t/off.mlir --tir-quantize='calibration=%t/two.bin fit=false' | FileCheck %s --check-prefix=OFFCHANNEL
// OFFCHANNEL: value = dense<{{\[\[\[\[}}17]]], {{\[\[\[}}87]]]]> : tensor<2x1x1x1xi8>
// OFFCHANNEL: value = dense<[0, -87]> : tensor<2xi8>

// A ReLU6 before it becomes what saturation does.
// RUN: %{quantize} %t/six.mlir | FileCheck %s --check-prefix=SIX
// SIX: tir.conv2d-fix
// SIX: [[X:%.*]] = "tir.mul"({{.*}}) {op_name = "gate/unscaled"
// SIX: "tir.tanh"([[X]])

// GELU, whose parts divide, add and multiply by numbers; tanh.
// RUN: %{quantize} %t/gelu.mlir | FileCheck %s --check-prefix=GELU
// GELU: [[X:%.*]] = "tir.mul"({{.*}}) {op_name = "root/unscaled"
// GELU: "tir.div"([[X]], {{.*}}) {op_name = "root"
// GELU: "tir.erf"
// GELU: "tir.add"
// GELU: "tir.mul"([[X]], {{.*}}) {op_name = "gate"
// GELU: "tir.mul"({{.*}}) {op_name = "gelu/unscaled"
// GELU: "tir.mul"({{.*}}) {op_name = "gelu"
// GELU-NOT: eltwise-fix
// RUN: sed 's/sigmoid/tanh/; s/"tir.mul"(%0, %1)/"tir.mul"(%1, %1)/' %t/silu.mlir > %t/tanh.mlir
// RUN: %{quantize} %t/tanh.mlir | FileCheck %s --check-prefix=TANH
// TANH: "tir.mul"({{.*}}) {op_name = "gate/unscaled"
// TANH: "tir.tanh"
// TANH: "tir.mul"({{.*}}) {op_name = "silu"

// What is added to the result has its factors, and what reads the input beside
// the activation those of the input.
// RUN: %{quantize} %t/shared.mlir | FileCheck %s --check-prefix=SHARED
// SHARED: {op_name = "gate/unscaled"
// SHARED: {op_name = "silu"
// SHARED: "tir.eltwise-fix"{{.*}}type = "ADD"
// SHARED-NOT: "tir.mul"

// Nothing has factors, as the results of the function: the product is the CPU's
// all the same.
// RUN: %{quantize} %t/bound.mlir | FileCheck %s --check-prefix=BOUND
// BOUND-NOT: unscaled
// BOUND: %[[S:.*]] = "tir.sigmoid"(%[[X:.*]]) {op_name = "gate", xc.kept_float = "{{.*}}"}
// BOUND-NEXT: "tir.mul"(%[[X]], %[[S]]) {op_name = "silu", xc.kept_float = "float-activation"}
// BOUND-NOT: eltwise-fix

// One channel: it is the DPU's.
// RUN: %{quantize} %t/one.mlir | FileCheck %s --check-prefix=SINGLE
// SINGLE-NOT: unscaled
// SINGLE: "tir.eltwise-fix"{{.*}}type = "MUL"

// A channel that reaches from -100 to 2: what lies below some -6 is cut off,
// which the report does not count, and what lies above has its steps.
// RUN: xc-opt %t/far.mlir --tir-quantize='calibration=%t/far.bin fit=false report=-' 2>&1 >/dev/null | FileCheck %s --check-prefix=FAR
// FAR: conv2d-fix {{ *}}3 {{ *4[0-9]\.}}{{.*}} far
// FAR: end to end {{ *3[0-9]\.}}
//
// What is lost in front of an activation counts as lost in front of its result.
// RUN: xc-opt %t/far.mlir --tir-quantize='calibration=%t/far.bin fit=false loss=true' | FileCheck %s --check-prefix=LOSS
// LOSS: \22silu\22,\22operator\22:\22float2fix\22,\22sqnr_db\22:3{{[0-9.]*}},\22inputs_db\22:48
//
// But nothing is cut off where the result goes on with it.
// RUN: sed 's/tir.mul"(%0, %1)/tir.add"(%0, %1)/' %t/far.mlir > %t/sum.mlir
// RUN: xc-opt %t/sum.mlir --tir-quantize='calibration=%t/far.bin fit=false report=-' 2>&1 >/dev/null | FileCheck %s --check-prefix=SUM
// SUM: conv2d-fix {{ *}}-1 {{.*}} far

//--- samples.py
import struct, sys

def write(name, *numbers):
    with open(sys.argv[1] + "/" + name, "wb") as file:
        file.write(struct.pack("<%df" % len(numbers), *numbers))

write("four.bin", 1, -1, 0.5, 0.25)
write("far.bin", -100, -50, -3, 2)
write("two.bin", -4, 1, 2, 4, -3, 0.5, 3, 1)

//--- off.mlir
func.func @dead(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[0.0, -2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %g = "tir.const"() {value = dense<[[[[1.0, 16.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %z = "tir.const"() {value = dense<[0.0, 0.25]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "a"} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.relu"(%0) {op_name = "relu"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.depthwise-conv2d"(%1, %g, %z) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "norm"} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.sigmoid"(%2) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %4 = "tir.mul"(%2, %3) {op_name = "silu"} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "c"} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %5 : tensor<1x2x2x1xf32>
}
//--- six.mlir
func.func @six(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.relu6"(%0) {op_name = "six"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.tanh"(%1) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}
//--- chain.mlir
func.func @chain(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %one = "tir.const"() {value = dense<1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "a"} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x1x1x2xf32>
  %1 = "tir.relu"(%0) {op_name = "relu"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %2 = "tir.sqrt"(%1) {op_name = "root"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %3 = "tir.depthwise-conv2d"(%2, %one, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "half"} : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %4 = "tir.tanh"(%3) {op_name = "gate"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %4 : tensor<1x1x1x2xf32>
}
//--- silu.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.mul"(%0, %1) {op_name = "silu"} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}

//--- gelu.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %r = "tir.const"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %one = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = "tir.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.div"(%0, %r) {op_name = "root"} : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.erf"(%1) {op_name = "erf"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.add"(%2, %one) {op_name = "sum"} : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %4 = "tir.mul"(%0, %3) {op_name = "gate"} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %5 = "tir.mul"(%4, %half) {op_name = "gelu"} : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %6 = "tir.conv2d"(%5, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %6 : tensor<1x2x2x1xf32>
}

//--- shared.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %u = "tir.const"() {value = dense<[[[[1.0, 1.0]]], [[[0.25, 1.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.mul"(%0, %1) {op_name = "silu"} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%0, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %4 = "tir.add"(%2, %3) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %5 : tensor<1x2x2x1xf32>
}

//--- bound.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.mul"(%0, %1) {op_name = "silu"} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %0, %2 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}

//--- one.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<1.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x2x1xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "gate"} : (tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  %2 = "tir.mul"(%0, %1) {op_name = "silu"} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}

//--- far.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {op_name = "far", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.mul"(%0, %1) {op_name = "silu"} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}
