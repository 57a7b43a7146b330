//===- Fit.h - weights fitted to samples --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FIT_FIT_H
#define XC_TRANSFORMS_QUANTIZE_FIT_FIT_H

#include "Solve.h"

#include "OpParams/Window.h"
#include "Transforms/Quantize/Function/Function.h"

/// How much a fit may take: positions of the output over all samples, and terms
/// that are solved for together.
typedef struct xc_fit_effort {
  int64_t positions, terms;
} xc_fit_effort;

/// A convolution of the quantised function with what goes into it and what
/// should come out, on all samples.
typedef struct xc_fit {
  xc_adaptor op;
  xc_fit_effort effort;
  xc_shape input, weight, output;
  size_t num_samples;
  const int8_t **inputs;  // by sample
  const float **results;  // of the float function, before the activation
  double *scales;         // of each sample: a power of two, what it counts
  double *weights, *bias; // of the float function; bias is null for none
  int input_point;
  /// What stands for 0; with lists, which may be null, in each channel.
  double input_zero, output_zero;
  const double *input_zeros, *output_zeros;
  /// Output channels of a group with fix points of its own, and these of each
  /// of `num_points` groups.
  int64_t point_channels, num_points;
  int *weight_points, *bias_points;
  /// What the result's shift is measured from: see repair in Product.c.
  int cut_point;
  int8_t *fixed_weights, *fixed_bias; // what was found
} xc_fit;

// Fit.c

/// Chooses the weights of the converted function's convolutions anew, one after
/// the other: for each the integers whose results on the inputs that the layers
/// before it really give are closest to the float function's.
bool xc_quantize_fit(xc_quantizer *q);
/// How many of all samples it takes at most, of so many products each, and
/// which ones.
size_t xc_fit_num_samples(size_t all, double products);
size_t xc_fit_sample(size_t index, size_t count, size_t all);

// FitLayer.c

/// Fills `fixed_weights` and `fixed_bias` and moves their fix points.
void xc_fit_layer(xc_fit *fit);

#endif // XC_TRANSFORMS_QUANTIZE_FIT_FIT_H
