// REQUIRES: mlir
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: xc-opt %t/chain.mlir --tir-sort-channels='group-channels=2' --mlir-pass-statistics -o %t/sorted.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: FileCheck %s < %t/sorted.mlir
// RUN: xc-run %t/chain.mlir --random-inputs=1 --quiet --output %t/1.npy
// RUN: xc-run %t/sorted.mlir --random-inputs=1 --quiet --output %t/2.npy
// RUN: cmp %t/1.npy %t/2.npy
// RUN: xc-opt %t/tied.mlir --tir-sort-channels='group-channels=2' -o %t/tied-sorted.mlir
// RUN: FileCheck %s --check-prefix=TIED < %t/tied-sorted.mlir
// RUN: xc-run %t/tied.mlir --random-inputs=1 --quiet --output %t/3.npy
// RUN: xc-run %t/tied-sorted.mlir --random-inputs=1 --quiet --output %t/4.npy
// RUN: cmp %t/3.npy %t/4.npy
// RUN: xc-opt %t/bound.mlir -o %t/5.mlir
// RUN: xc-opt %t/bound.mlir --tir-sort-channels='group-channels=2' -o %t/6.mlir
// RUN: diff %t/5.mlir %t/6.mlir
// RUN: xc-opt %t/grouped.mlir --tir-sort-channels='group-channels=2' -o %t/grouped-sorted.mlir
// RUN: FileCheck %s --check-prefix=GROUPED < %t/grouped-sorted.mlir
// RUN: xc-run %t/grouped.mlir --random-inputs=1 --quiet --output %t/9.npy
// RUN: xc-run %t/grouped-sorted.mlir --random-inputs=1 --quiet --output %t/10.npy
// RUN: cmp %t/9.npy %t/10.npy
// RUN: xc-opt %t/signs.mlir --tir-sort-channels='group-channels=2' -o %t/signs-sorted.mlir
// RUN: FileCheck %s --check-prefix=SIGNS < %t/signs-sorted.mlir
// RUN: xc-run %t/signs.mlir --random-inputs=1 --quiet --output %t/11.npy
// RUN: xc-run %t/signs-sorted.mlir --random-inputs=1 --quiet --output %t/12.npy
// RUN: cmp %t/11.npy %t/12.npy
// RUN: xc-opt %t/chain.mlir -o %t/7.mlir
// RUN: xc-opt %t/chain.mlir --tir-sort-channels='group-channels=4' -o %t/8.mlir
// RUN: diff %t/7.mlir %t/8.mlir
// RUN: xc-opt %t/wide.mlir -o %t/13.mlir
// RUN: xc-opt %t/wide.mlir --tir-sort-channels -o %t/14.mlir
// RUN: diff %t/13.mlir %t/14.mlir
// RUN: xc-opt %t/wide.mlir --tir-sort-channels=target=DPUCZDX8G_ISA1_B512 | FileCheck %s --check-prefix=WIDE
// RUN: not xc-opt %t/chain.mlir --tir-sort-channels='group-channels=-1' 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: 'tir-sort-channels': option 'group-channels' needs an integer from 0 to 2147483647
// RUN: not xc-opt %t/chain.mlir --tir-sort-channels=target=nosuch 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: {{.*}}'nosuch'

// Filters of 1/64, 1, 1/32 and 2 become 2, 1, 1/32 and 1/64: first their two
// large ones, then their two small ones. Biases, slopes, factors and depthwise
// weights follow, and the weights that read the channels. Where all four share a group
// they stay.
// COUNT: 1 num-sorted
// CHECK-DAG: value = dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}1.000000e+00]]], {{\[\[\[}}3.125000e-02]]], {{\[\[\[}}1.562500e-02]]]]> : tensor<4x1x1x1xf32>
// CHECK-DAG: value = dense<[1.250000e-01, 5.000000e-01, 2.500000e-01, 7.500000e-01]> : tensor<4xf32>
// CHECK-DAG: value = dense<[4.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK-DAG: value = dense<{{\[\[\[\[}}8.000000e+00, 2.000000e+00, 4.000000e+00, 1.000000e+00]]]]> : tensor<1x1x1x4xf32>
// CHECK-DAG: value = dense<{{\[\[\[\[}}5.000000e-01, 7.500000e-01, 6.250000e-01, 8.750000e-01]]]]> : tensor<1x1x1x4xf32>
// CHECK-DAG: value = dense<{{\[\[\[\[}}4.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00]]]]> : tensor<1x1x1x4xf32>

// 16 channels are one group of the default target, and two of a smaller one.
// WIDE: value = dense<{{.*}}2.000000e+00{{.*}}1.562500e-02{{.*}}> : tensor<16x1x1x1xf32>

// Tensors that are added have one order, and a concatenation those of its
// inputs one after the other: that of the second input stays, for a result of
// the function has it.
// TIED-DAG: "tir.const"{{.*}}value = dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}1.000000e+00]]], {{\[\[\[}}3.125000e-02]]], {{\[\[\[}}1.562500e-02]]]]> : tensor<4x1x1x1xf32>
// TIED-DAG: value = dense<{{\[\[\[\[}}1.562500e-02]]], {{\[\[\[}}1.000000e+00]]], {{\[\[\[}}3.125000e-02]]], {{\[\[\[}}2.000000e+00]]]]> : tensor<4x1x1x1xf32>
// TIED-DAG: value = dense<{{\[\[\[\[}}4.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]]]> : tensor<1x1x1x8xf32>

//--- chain.mlir
func.func @chain(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]], [[[0.03125]]], [[[2.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %b = "tir.const"() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %s = "tir.const"() {value = dense<[0.75, 0.5, 0.25, 0.125]> : tensor<4xf32>} : () -> tensor<4xf32>
  %d = "tir.const"() {value = dense<[[[[0.875, 0.75, 0.625, 0.5]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 2.0, 3.0, 4.0]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %m = "tir.const"() {value = dense<[[[[1.0, 2.0, 4.0, 8.0]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<4x1x1x1xf32>, tensor<4xf32>) -> tensor<1x2x2x4xf32>
  %1 = "tir.prelu"(%0, %s) : (tensor<1x2x2x4xf32>, tensor<4xf32>) -> tensor<1x2x2x4xf32>
  %2 = "tir.mul"(%0, %1) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %3 = "tir.depthwise-conv2d"(%2, %d) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x2x4xf32>
  %4 = "tir.mul"(%3, %m) : (tensor<1x2x2x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x2x4xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x2x1xf32>
  return %5 : tensor<1x2x2x1xf32>
}
//--- wide.mlir
func.func @wide(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[0.015625]]], [[[2.0]]], [[[0.015625]]], [[[2.0]]], [[[0.015625]]], [[[2.0]]], [[[0.015625]]], [[[2.0]]], [[[0.015625]]], [[[2.0]]], [[[0.015625]]], [[[2.0]]], [[[0.015625]]], [[[2.0]]], [[[0.015625]]], [[[2.0]]]]> : tensor<16x1x1x1xf32>} : () -> tensor<16x1x1x1xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<1x1x1x16xf32>} : () -> tensor<1x1x1x16xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<16x1x1x1xf32>) -> tensor<1x2x2x16xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x2x2x1xf32>
  return %1 : tensor<1x2x2x1xf32>
}
//--- tied.mlir
func.func @tied(%x: tensor<1x2x2x1xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2x4xf32>) {
  %w = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]], [[[0.03125]]], [[[2.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %u = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]], [[[0.03125]]], [[[2.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %z = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]], [[[0.03125]]], [[[2.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]]]> : tensor<1x1x1x8xf32>} : () -> tensor<1x1x1x8xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x2x4xf32>
  %1 = "tir.conv2d"(%x, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x2x4xf32>
  %2 = "tir.conv2d"(%x, %z) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x2x4xf32>
  %3 = "tir.add"(%0, %1) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %4 = "tir.concat"(%3, %2) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x8xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x2x2x1xf32>
  return %5, %2 : tensor<1x2x2x1xf32>, tensor<1x2x2x4xf32>
}
//--- bound.mlir
// A half of the channels, channels in another place, channels from which
// numbers of their own are subtracted, a result: orders stay.
func.func @bound(%x: tensor<1x2x2x1xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x4x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x4xf32>) {
  %w = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]], [[[0.03125]]], [[[2.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %u = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]], [[[0.03125]]], [[[2.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %z = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]], [[[0.03125]]], [[[2.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %y = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]], [[[0.03125]]], [[[2.0]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %p = "tir.const"() {value = dense<[[[[1.0, 2.0, 3.0, 4.0]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %m = "tir.const"() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x2x4xf32>
  %1 = "tir.conv2d"(%x, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x2x4xf32>
  %2 = "tir.conv2d"(%x, %z) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x2x4xf32>
  %3 = "tir.conv2d"(%x, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x2x4xf32>
  %4 = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 2 : i32], end = [1 : i32, 2 : i32, 2 : i32, 4 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x2xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  %6 = "tir.transpose"(%1) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x2x2x4xf32>) -> tensor<1x4x2x2xf32>
  %7 = "tir.conv2d"(%6, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x2x1xf32>
  %8 = "tir.sub"(%2, %m) : (tensor<1x2x2x4xf32>, tensor<4xf32>) -> tensor<1x2x2x4xf32>
  %9 = "tir.conv2d"(%8, %p) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x2x1xf32>
  return %5, %7, %9, %3 : tensor<1x2x2x1xf32>, tensor<1x4x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x4xf32>
}
// Of what a convolution with zeros between groups reads and writes, channels stay
// in their group: of each four, those at 0 and 2 are small.
// GROUPED-DAG: value = dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}1.000000e+00]]], {{\[\[\[}}3.125000e-02]]], {{\[\[\[}}1.562500e-02]]], {{\[\[\[}}4.000000e+00]]], {{\[\[\[}}3.000000e+00]]], {{\[\[\[}}3.125000e-02]]], {{\[\[\[}}1.562500e-02]]]]> : tensor<8x1x1x1xf32>
// GROUPED-DAG: value = dense<{{\[\[\[\[}}4.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]], {{\[\[\[}}0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 4.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00]]]]> : tensor<2x1x1x8xf32>
//--- grouped.mlir
func.func @grouped(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]], [[[0.03125]]], [[[2.0]]], [[[0.015625]]], [[[3.0]]], [[[0.03125]]], [[[4.0]]]]> : tensor<8x1x1x1xf32>} : () -> tensor<8x1x1x1xf32>
  %g = "tir.const"() {value = dense<[[[[1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0]]], [[[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0]]]]> : tensor<2x1x1x8xf32>} : () -> tensor<2x1x1x8xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<8x1x1x1xf32>) -> tensor<1x2x2x8xf32>
  %1 = "tir.conv2d"(%0, %g) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x8xf32>, tensor<2x1x1x8xf32>) -> tensor<1x2x2x2xf32>
  return %1 : tensor<1x2x2x2xf32>
}
// Negative slopes are side by side, those of both PReLUs in the middle; among them
// larger weights come first. What 8 bits round to zero is none.
// SIGNS-DAG: value = dense<{{\[\[\[\[}}8.000000e+00]]], {{\[\[\[}}2.000000e+00]]], {{\[\[\[}}1.000000e+00]]], {{\[\[\[}}3.000000e+00]]], {{\[\[\[}}1.600000e+01]]], {{\[\[\[}}4.000000e+00]]]]> : tensor<6x1x1x1xf32>
// SIGNS-DAG: value = dense<[-1.000000e+00, -5.000000e-01, -2.500000e-01, 2.500000e-01, 5.000000e-01, 1.250000e-01]> : tensor<6xf32>
// SIGNS-DAG: value = dense<[2.500000e-01, 1.250000e-01, -2.500000e-01, -5.000000e-01, -1.000000e-03, 1.000000e+00]> : tensor<6xf32>
//--- signs.mlir
func.func @signs(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[16.0]]], [[[8.0]]], [[[3.0]]], [[[2.0]]], [[[1.0]]], [[[4.0]]]]> : tensor<6x1x1x1xf32>} : () -> tensor<6x1x1x1xf32>
  %s = "tir.const"() {value = dense<[0.5, -1.0, 0.25, -0.5, -0.25, 0.125]> : tensor<6xf32>} : () -> tensor<6xf32>
  %t = "tir.const"() {value = dense<[-0.001, 0.25, -0.5, 0.125, -0.25, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %d = "tir.const"() {value = dense<2.0> : tensor<1x1x1x6xf32>} : () -> tensor<1x1x1x6xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<1x1x1x6xf32>} : () -> tensor<1x1x1x6xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<6x1x1x1xf32>) -> tensor<1x2x2x6xf32>
  %1 = "tir.prelu"(%0, %s) : (tensor<1x2x2x6xf32>, tensor<6xf32>) -> tensor<1x2x2x6xf32>
  %2 = "tir.depthwise-conv2d"(%1, %d) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x6xf32>, tensor<1x1x1x6xf32>) -> tensor<1x2x2x6xf32>
  %3 = "tir.prelu"(%2, %t) : (tensor<1x2x2x6xf32>, tensor<6xf32>) -> tensor<1x2x2x6xf32>
  %4 = "tir.conv2d"(%3, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x6xf32>, tensor<1x1x1x6xf32>) -> tensor<1x2x2x1xf32>
  return %4 : tensor<1x2x2x1xf32>
}
