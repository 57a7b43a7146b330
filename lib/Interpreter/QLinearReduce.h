//===- QLinearReduce.h - means and resampling of TFLite -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_QLINEARREDUCE_H
#define XC_INTERPRETER_QLINEARREDUCE_H

#include "Quant.h"

/// The multiplier of a sum of TFLite, or, with a `count`, of a mean: then it
/// holds 1 / count too.
xc_multiplier xc_sum_multiplier(xc_quant in, xc_quant out, int64_t count);

/// Positions along one axis as TFLite computes them.
typedef struct xc_tflite_axis {
  int32_t input, output;
  bool align, half_pixel;
  int32_t scale_10; // 10 fractional bits
} xc_tflite_axis;

xc_tflite_axis xc_tflite_axis_of(const xc_kernel_call *call, size_t dim);
/// The position that position `at` of the output takes.
int64_t xc_tflite_nearest(const xc_tflite_axis *axis, int64_t at);

/// The two positions it lies between; they may lie outside of the input, whose
/// edges stand for them then.
typedef struct xc_tflite_bilinear {
  int64_t low, high;
  int64_t weight; // of high, 10 bits; that of low makes 1024
} xc_tflite_bilinear;

xc_tflite_bilinear xc_tflite_bilinear_at(const xc_tflite_axis *axis,
                                         int64_t at);

#endif // XC_INTERPRETER_QLINEARREDUCE_H
