//===- Resize.h - resampling along one axis -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_OPPARAMS_RESIZE_H
#define XC_OPPARAMS_RESIZE_H

#include "Support/Memory.h"
#include "dialects/Adaptor.h"

/// The source of each position of a resized axis: `taps` source positions
/// (within the input) with weights that sum to 1. `outside` marks positions
/// that take the extrapolation value.
typedef struct xc_resize_axis {
  int64_t taps;
  int64_t *source; // [output][tap]
  double *weight;
  bool *outside;
} xc_resize_axis;

/// Axis 0 is W, 1 is H; the tables are in the arena.
xc_resize_axis xc_resize_axis_of(const xc_adaptor *op, int axis,
                                 xc_arena *arena);
/// Reports inputs without rows or columns.
bool xc_resize_check(const xc_adaptor *op);

/// Positions along one axis as TFLite computes them.
typedef struct xc_tflite_axis {
  int32_t input, output;
  bool align, half_pixel;
  int32_t scale_10; // 10 fractional bits
} xc_tflite_axis;

xc_tflite_axis xc_tflite_axis_of(const xc_adaptor *op, size_t dim);
/// Returns the position that position `at` of the output takes.
int64_t xc_tflite_nearest(const xc_tflite_axis *axis, int64_t at);

/// The two positions it lies between; they may lie outside of the input, whose
/// edges stand for them then.
typedef struct xc_tflite_bilinear {
  int64_t low, high;
  int64_t weight; // of high, 10 bits; that of low makes 1024
} xc_tflite_bilinear;

xc_tflite_bilinear xc_tflite_bilinear_at(const xc_tflite_axis *axis,
                                         int64_t at);

/// Unsigned bytes are interpolated in single precision, and half a unit added
/// before the fraction is cut off; signed integers are not.
bool xc_tflite_bilinear_is_float(xc_element element);

/// The two positions of unsigned bytes, both inside of the input. Before its
/// first half pixel the weight is negative, and both are the first.
typedef struct xc_tflite_float_bilinear {
  int64_t low, high;
  float weight; // of high; that of low makes 1
} xc_tflite_float_bilinear;

xc_tflite_float_bilinear xc_tflite_float_bilinear_at(const xc_tflite_axis *axis,
                                                     int64_t at);

#endif // XC_OPPARAMS_RESIZE_H
