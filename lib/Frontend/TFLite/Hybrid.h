//===- Hybrid.h - float layers that compute in integers -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer with 8-bit weights and a float input is "hybrid": TensorFlow Lite
// gives each image or row of the input a scale while it runs, quantises it by
// that scale to 8 bits, adds up integers and multiplies the sums by the scales
// of input and weight. Here that becomes arithmetic on floats that hold the
// integers:
//
//   xc_tflite_dynamic input = {.value = x, .first_axis = 1};
//   xc_tflite_quantize_dynamic(c, &input); // to input.steps, input.scale
//   ... the layer without bias on input.steps and the weight's integers ...
//   sums * (input.scale * weight scales) + bias
//
// Sums of 1040 products (518 with a zero point) cannot leave the integers that
// floats hold; longer ones are as exact as float sums are.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_TFLITE_HYBRID_H
#define XC_FRONTEND_TFLITE_HYBRID_H

#include "Importer.h"

/// A tensor that is quantised at run time.
typedef struct xc_tflite_dynamic {
  MlirValue value;
  /// Each slice of the axes before it has a scale of its own.
  size_t first_axis;
  /// The range is that of the elements and 0, with a zero point; otherwise it
  /// is symmetric.
  bool asymmetric;
  MlirValue steps; // integers as f32, the zero point subtracted
  MlirValue scale; // f32, size 1 from `first_axis` on
} xc_tflite_dynamic;

/// Sets `steps` and `scale` as the kernels of TensorFlow Lite compute them. A
/// part without any element but 0 has steps of 0. Returns false after an error.
bool xc_tflite_quantize_dynamic(xc_tflite_context *c, xc_tflite_dynamic *input);

/// Makes output 0 of the sums of a layer: times the scales of the input and of
/// the weight, which has one or one per entry of the last dimension, plus the
/// bias, which may be null, through the activation.
bool xc_tflite_finish_hybrid(xc_tflite_context *c, MlirValue sums,
                             const xc_tflite_dynamic *input,
                             const float *weight_scales, size_t num_scales,
                             MlirValue bias, xc_tflite_activation activation);

#endif // XC_FRONTEND_TFLITE_HYBRID_H
