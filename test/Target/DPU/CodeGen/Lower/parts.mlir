// REQUIRES: mlir
// Operators that read a part of their input: strict mode does not mind that the
// rest is never loaded.
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B512

func.func @downsample(%x: tensor<1x11x13x21xi8>) -> tensor<1x6x5x21xi8> {
  %p = "tir.downsample-fix"(%x) {scale = [3 : i32, 2 : i32]} : (tensor<1x11x13x21xi8>) -> tensor<1x6x5x21xi8>
  return %p : tensor<1x6x5x21xi8>
}

// -----
func.func @slice(%x: tensor<1x11x13x21xi8>) -> tensor<1x4x11x9xi8> {
  %p = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 2 : i32, 1 : i32, 4 : i32], end = [1 : i32, 10 : i32, 12 : i32, 13 : i32], strides = [1 : i32, 2 : i32, 1 : i32, 1 : i32]} : (tensor<1x11x13x21xi8>) -> tensor<1x4x11x9xi8>
  return %p : tensor<1x4x11x9xi8>
}

