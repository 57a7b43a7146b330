//===- Equalizer.h - channels of equal range ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_EQUALIZE_EQUALIZER_H
#define XC_TRANSFORMS_QUANTIZE_EQUALIZE_EQUALIZER_H

#include "Channels.h"

#include "Transforms/Quantize/Function/Function.h"

/// A channel of all tensors that it goes through.
typedef struct xc_equal_channel {
  bool is_bound;   // an operator depends on the numbers as they are
  bool has_sum;    // tensors meet in an addition
  bool has_limit;  // one is what a clamp leaves, that of ReLU6 or another one
  bool has_limits; // clamps of several tensors end at different numbers
  /// Clamps of several tensors have a part in it: all channels of these have
  /// one factor, with which saturation computes some of the clamps.
  bool is_uniform;
  bool is_cut;    // one is what a ReLU leaves
  bool is_joined; // one is a concatenation
  /// Rounding the tensors costs as much as rounding weights: one is joined, or
  /// lies inside a separable convolution with one activation.
  bool is_exposed;
  bool meets_activation; // on the CPU: one is its input or its result
  bool is_argument;      // one is: factors are powers of two
  size_t num_writers, num_readers;
  double limit; // where the clamp ends
  double seen;  // the largest number in the samples
  double reach; // that of others, as far as they tell
  double zero;  // what is subtracted from it before it has the factor
  /// The factor of the writers, and its inverse, that of the readers; 1 where
  /// it is not free. The factor's logarithm to the base of 2, and this sweep's
  /// change.
  double factor, inverse;
  double total, step;
} xc_equal_channel;

/// A convolution: weights [outputs, window, inputs], depthwise ones with a
/// single output.
typedef struct xc_equal_filter {
  MlirOperation operation;
  const int64_t *input, *output; // channels: in the end, roots
  bool is_depthwise;
  int64_t outputs, window, inputs;
  /// The largest weight of each window without its sign: [outputs, inputs].
  float *peaks;
  double *bias; // or null
} xc_equal_filter;

/// At most so many operators are an activation; GELU takes five,
/// InstanceNormalization twelve.
enum { XC_FLOAT_OPERATIONS = 24 };

/// Operators that compute each element of a tensor from that of another one, in
/// floating point: those between convolutions that have no form in fixed point.
typedef struct xc_float_activation {
  MlirValue input, result;
  int64_t channels;
  const int64_t *before, *after; // roots of those of input and result
  MlirOperation operations[XC_FLOAT_OPERATIONS]; // operands come first
  int num_operations;
  bool is_alone;  // nothing else reads the input
  bool is_scaled; // one of its sides has factors
  /// It normalises by statistics of the tensor: no element has a function.
  bool is_statistic;
  bool is_argument; // a multiplication of one
} xc_float_activation;

typedef struct xc_equalizer {
  xc_quantizer *q;
  xc_arena arena;
  xc_channels numbers;
  xc_equal_channel *channels; // by number: what counts stands at roots
  size_t num_channels, channel_capacity;
  xc_equal_filter *filters;
  size_t num_filters, capacity;
  /// Clamps that saturation computes, if their channels are free.
  MlirOperation *limits;
  size_t num_limits, limit_capacity;
  xc_float_activation *activations;
  size_t num_activations, activation_capacity;
  xc_pointer_map in_activation; // MlirOperation.ptr, of their operators
} xc_equalizer;

/// Where saturation ends a tensor whose channels are clipped by it.
static const double xc_equal_limit = 127.0 / 32;

/// Returns the number of channels of the filter's result: inputs of a depthwise
/// one.
static inline int64_t xc_equal_results(const xc_equal_filter *f) {
  return f->is_depthwise ? f->inputs : f->outputs;
}
/// Whether a root may have a factor.
bool xc_equal_is_free(const xc_equal_channel *channel);
/// Returns the roots of a value's channels; null when the value has none.
const int64_t *xc_equal_roots(xc_equalizer *e, const xc_quantize_value *value);

/// Where the range of a clamp ends that saturation can compute after a factor:
/// it begins at zero, or as far below zero as it ends above. Otherwise 0.
double xc_equal_clamp_end(const xc_adaptor *op);

// FloatStatistics.c

/// The normalisation that an operator is part of, if it has one tensor on each
/// side.
bool xc_float_statistics_of(const xc_quantizer *q, MlirOperation operation,
                            xc_float_activation *activation);

// FloatActivation.c

/// Finds the activations that stay in floating point and gain by it.
void xc_float_find_activations(xc_equalizer *e);
/// Whether an operator is part of one.
bool xc_float_visit(const xc_equalizer *e, MlirOperation operation);
/// Another value has taken the place of one that activations read.
void xc_float_replace_input(xc_equalizer *e, MlirValue old, MlirValue input);
/// Lets channels be free that activations read or make.
void xc_float_connect(xc_equalizer *e);
/// Takes the factors back in front of them and gives their results new ones.
/// Returns false after a diagnostic.
bool xc_float_scale(xc_equalizer *e);

// FloatZeros.c

/// Gives channels beside activations zero points in the middle of their ranges,
/// which the biases of convolutions beside them take along.
void xc_float_move_zeros(const xc_equalizer *e);

// Factors.c

/// Sets `factor` and `inverse` of all free channels.
void xc_equal_find_factors(xc_equalizer *e);
/// Makes the factors the final ones.
void xc_equal_settle(xc_equalizer *e);

// Fill.c

/// Whether a value is kept in fixed point by itself: what an activation takes
/// up is not, and the largest of a window has the window's fix point.
bool xc_equal_is_rounded(const xc_equalizer *e, const xc_quantize_value *value);

/// Multiplies the factors of tensors that channels connect by one more, so that
/// they, which have the ranges of these factors, use their fix points well.
/// Where a bound channel is among them, or one whose limit has set its factor,
/// they stay.
void xc_equal_fill(xc_equalizer *e);

#endif // XC_TRANSFORMS_QUANTIZE_EQUALIZE_EQUALIZER_H
