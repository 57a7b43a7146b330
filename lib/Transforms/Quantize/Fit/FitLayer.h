//===- FitLayer.h - the weights of one convolution ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the fit of one convolution: what its samples say
// (Observations.c), the fix points of its weights (FitPoints.c), its integers
// (FitLayer.c).
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FIT_FITLAYER_H
#define XC_TRANSFORMS_QUANTIZE_FIT_FITLAYER_H

#include "Solve.h"

#include "Interpreter/Kernel.h"
#include "OpParams/Window.h"
#include "Transforms/Quantize/Function/Function.h"

/// How much a fit may take: positions of the output over all samples, and terms
/// that are solved for together.
typedef struct xc_fit_effort {
  int64_t positions, terms;
} xc_fit_effort;

/// A convolution of the quantised function, with its inputs and its wanted
/// outputs on all samples.
typedef struct xc_fit {
  xc_adaptor op;
  xc_fit_effort effort;
  xc_shape input, weight, output;
  size_t num_samples;
  const int8_t **inputs; // by sample
  const float **results; // of the float function, before the activation
  double *scales;        // of each sample: a power of two, what it counts
  /// Of the float function; `reals` what was found in the place of the weights,
  /// or null, and bias null for none.
  xc_tensor weights;
  double *reals, *bias;
  int input_point;
  /// The number that stands for 0; with lists, which may be null, in each
  /// channel.
  double input_zero, output_zero;
  const double *input_zeros, *output_zeros;
  /// Output channels of a group with fix points of its own, and these of each
  /// of `num_points` groups.
  int64_t point_channels, num_points;
  int *weight_points, *bias_points;
  /// The fix point from which the result's shift is measured: see repair in
  /// Convert/Product.c.
  int cut_point;
  int8_t *fixed_weights, *fixed_bias; // what was found
} xc_fit;

/// Fills `fixed_weights` and `fixed_bias` and moves their fix points.
void xc_fit_layer(xc_fit *fit);

typedef struct xc_layer_fit {
  xc_fit *fit;
  const xc_calibrate_loops *loops;
  xc_taps window;
  xc_arena arena;
  bool is_depthwise;
  int64_t taps, depth, channels, outputs;
  int64_t positions; // of one sample
  int64_t groups;
  bool has_zeros; // the weights of groups lie in rows of those of all channels
  xc_solve *systems; // of depthwise ones, by channel
  int64_t observed;  // positions that are taken
  /// Of each output: what its weights and bias are rounded to, and how much
  /// rounding them added to the error.
  double *steps, *bias_steps, *growth;
} xc_layer_fit;

/// Reads the weights of an output from a term (from 1 on) on.
void xc_layer_read_weights(const xc_layer_fit *l, int64_t output, int64_t first,
                           int64_t count, double *weights);
/// Returns the number of outputs of a group.
int64_t xc_layer_sums(const xc_layer_fit *l);
/// Rounds the factors of a group to the steps at hand.
void xc_layer_round(const xc_layer_fit *l, xc_solve *s, int64_t group);

// Observations.c

/// The inputs of a group's outputs, and their residuals.
typedef struct xc_observations {
  int64_t group, count;
  int64_t terms, sums;
  int8_t *inputs; // [count][terms], without the constant
  float *missing; // [count][sums]
  double *scales; // of each row
} xc_observations;

/// How many positions are observed.
int64_t xc_count_observations(const xc_layer_fit *l);
xc_observations xc_observe_group(const xc_layer_fit *l, int64_t group);
void xc_observations_free(xc_observations *all);
/// Computes the system of the terms of a block, with the missing sums as its
/// target.
void xc_multiply_columns(const xc_layer_fit *l, const xc_observations *all,
                         xc_solve *s, int64_t first);
/// Takes from what is missing the products of a block's terms and factors,
/// which are rounded to floats so that the products are exact.
void xc_subtract_block(const xc_layer_fit *l, xc_observations *all,
                       const xc_solve *s, int64_t first, const double *factors);
/// Makes the systems of all channels of a depthwise convolution.
void xc_observe_channels(xc_layer_fit *l);

// FitPoints.c

/// Chooses the fix points of the least error of weights and bias themselves.
void xc_layer_choose_points(xc_layer_fit *l);
/// Chooses the fix points of the weights that suit the results best. That of
/// the least error of the weights themselves stays unless another is clearly
/// better.
void xc_layer_search_points(xc_layer_fit *l, xc_solve *systems, int64_t count);

#endif // XC_TRANSFORMS_QUANTIZE_FIT_FITLAYER_H
