// REQUIRES: mlir
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %t/samples.py %t/samples.npy
// DEFINE: %{quantize} = xc-opt --tir-quantize='calibration=%t/samples.npy fit=false'

// All from the convolution to what is read outside is in floating point, the
// ReLU as well; the pad is of integers. Channels of 1 and 1/64 have one range in
// front of it, and are what they were behind the factors.
// RUN: %{quantize} %t/instance.mlir | FileCheck %s
// CHECK: xc.statistics = "1 normalisation by statistics of a tensor, 'root', in floating point, on the CPU: 8 bits lose most of a variance"
// CHECK: value = dense<64> : tensor<2x1x1x1xi8>
// CHECK: "tir.conv2d-fix"
// CHECK: [[BACK:%.*]] = "tir.const"() {value = dense<{{\[\[\[\[}}1.000000e+00, 1.562500e-02]]]]> : tensor<1x1x1x2xf32>
// CHECK: [[REAL:%.*]] = "tir.fix2float"
// CHECK-NOT: -fix"
// CHECK: [[X:%.*]] = "tir.mul"([[REAL]], [[BACK]])
// CHECK: [[MEAN:%.*]] = "tir.avgpool2d"([[X]])
// CHECK: [[SHIFT:%.*]] = "tir.sub"([[X]], [[MEAN]])
// CHECK: [[SQUARE:%.*]] = "tir.mul"([[SHIFT]], [[SHIFT]])
// CHECK: "tir.avgpool2d"([[SQUARE]])
// CHECK: "tir.sqrt"
// CHECK: "tir.div"([[SHIFT]],
// CHECK: "tir.depthwise-conv2d"{{.*}}xc.kept_float = "float-statistics"
// CHECK: "tir.relu"{{.*}}xc.kept_float = "float-statistics"
// CHECK: "tir.float2fix"
// CHECK-NEXT: "tir.pad-fix"
// CHECK: "tir.conv2d-fix"
// CHECK-NOT: "tir.pad

// Numbers are the same but for one rounding on each side.
// RUN: %{quantize} %t/instance.mlir -o %t/fixed.mlir
// RUN: xc-run %t/instance.mlir --input=%t/samples.npy --quiet --output=%t/y.npy
// RUN: xc-run %t/fixed.mlir --input=%t/samples.npy --quiet --expected=%t/y.npy --tolerance=0.1

// RUN: xc-opt --tir-quantize='calibration=%t/samples.npy fit=false float-statistics=false' %t/instance.mlir | FileCheck %s --check-prefix=OFF
// OFF-NOT: xc.statistics
// OFF: "tir.pool-fix"
// OFF: "tir.div"
// OFF: "tir.depthwise-conv2d-fix"{{.*}}nonlinear = "RELU"

// A mean that is read elsewhere, too, is one of fixed point, and so is a sum
// with another tensor of the same size, where the normalisation ends.
// RUN: %{quantize} %t/others.mlir | FileCheck %s --check-prefix=OTHERS
// OTHERS: xc.statistics = "1 normalisation
// OTHERS: "tir.conv2d-fix"
// OTHERS: "tir.eltwise-fix"{{.*}}type = "MUL"
// OTHERS: "tir.pool-fix"
// OTHERS: "tir.rsqrt"
// OTHERS: "tir.mul"{{.*}}op_name = "applied"
// OTHERS: "tir.eltwise-fix"{{.*}}op_name = "sum"

//--- samples.py
import struct
import sys

header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4, 4, 1), }"
header += " " * (117 - len(header)) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    file.write(header.encode() + struct.pack("<16f", *[i / 8 - 1 for i in range(16)]))

//--- instance.mlir
func.func @main(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %e = "tir.const"() {value = dense<1.0e-6> : tensor<f32>} : () -> tensor<f32>
  %g = "tir.const"() {value = dense<[[[[0.5, 2.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %b = "tir.const"() {value = dense<[0.25, -0.25]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<0.125> : tensor<1x3x3x2xf32>} : () -> tensor<1x3x3x2xf32>
  %0 = "tir.conv2d"(%x, %w) {op_name = "first", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.avgpool2d"(%0) {op_name = "mean", kernel = [4 : i32, 4 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x1x1x2xf32>
  %2 = "tir.sub"(%0, %1) {op_name = "shift"} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.mul"(%2, %2) {op_name = "square"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = "tir.avgpool2d"(%3) {op_name = "variance", kernel = [4 : i32, 4 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x1x1x2xf32>
  %5 = "tir.add"(%4, %e) {op_name = "epsilon"} : (tensor<1x1x1x2xf32>, tensor<f32>) -> tensor<1x1x1x2xf32>
  %6 = "tir.sqrt"(%5) {op_name = "root"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %7 = "tir.div"(%2, %6) {op_name = "normal"} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %8 = "tir.depthwise-conv2d"(%7, %g, %b) {op_name = "gamma", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %9 = "tir.relu"(%8) {op_name = "activation"} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %10 = "tir.pad"(%9) {op_name = "border", mode = "REFLECT", paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x6x6x2xf32>
  %11 = "tir.conv2d"(%10, %v) {op_name = "last", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x6x6x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x4x4x1xf32>
  return %11 : tensor<1x4x4x1xf32>
}

//--- others.mlir
func.func @main(%x: tensor<1x4x4x1xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x4x4x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.mul"(%0, %0) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.avgpool2d"(%1) {kernel = [4 : i32, 4 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x1x1x2xf32>
  %3 = "tir.rsqrt"(%2) {op_name = "root"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %4 = "tir.mul"(%0, %3) {op_name = "applied"} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %5 = "tir.add"(%4, %0) {op_name = "sum"} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %2, %5 : tensor<1x1x1x2xf32>, tensor<1x4x4x2xf32>
}
