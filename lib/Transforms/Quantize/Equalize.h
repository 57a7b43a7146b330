//===- Equalize.h - channels of equal range -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_EQUALIZE_H
#define XC_TRANSFORMS_QUANTIZE_EQUALIZE_H

#include "Quantize.h"

/// The tensors that have the channels' factors in common.
typedef struct xc_equal_group {
  struct xc_equal_group *parent; // of the union; null at its root
  struct xc_equal_group *next;   // of all groups
  int64_t channels;
  bool is_bound;  // somebody takes the numbers as they are
  bool has_sum;   // members meet in an addition
  bool has_limit; // members are what ReLU6 leaves
  size_t num_writers, num_readers;
  /// At the roots of free groups, for each channel: the largest number in the
  /// samples; what the writers are multiplied by, and the readers; the
  /// logarithm of the factor, to the base of 2, and this sweep's change of it.
  double *reach;
  double *factor, *inverse;
  double *total, *step;
  /// Of each place in an octave, see Fill.c; null without tensors.
  double *costs;
} xc_equal_group;

/// A convolution: weights [outputs, window, inputs], depthwise ones with a
/// single output.
typedef struct xc_equal_filter {
  MlirOperation operation;
  xc_equal_group *input, *output;
  bool is_depthwise;
  int64_t outputs, window, inputs;
  /// The largest weight of each window without its sign: [outputs, inputs].
  float *peaks;
  double *bias; // or null
} xc_equal_filter;

typedef struct xc_equalizer {
  xc_quantizer *q;
  xc_arena arena;
  xc_pointer_map by_value; // MlirValue.ptr to xc_equal_group
  xc_equal_group *groups;
  xc_equal_filter *filters;
  size_t num_filters, capacity;
  /// ReLU6 that saturation computes, if the group is free.
  MlirOperation *limits;
  size_t num_limits, limit_capacity;
} xc_equalizer;

/// Where saturation ends a tensor whose channels are clipped by it.
static const double xc_equal_limit = 127.0 / 32;

/// The group that has what a group's members have in common.
xc_equal_group *xc_equal_root(xc_equal_group *g);
/// Whether the channels of a root may have factors.
bool xc_equal_is_free(const xc_equal_group *g);

// Factors.c

/// Sets `factor` and `inverse` of all free groups.
void xc_equal_find_factors(xc_equalizer *e);
/// Makes the factors the final ones.
void xc_equal_settle(xc_equalizer *e);

// Fill.c

/// Whether a value is kept in fixed point by itself: what an activation takes
/// up is not, and the largest of a window has the window's fix point.
bool xc_equal_is_rounded(const xc_quantize_value *value);

/// Multiplies the factors of each group without limits by one more, so that its
/// tensors, which have the ranges of these factors, use their fix points well.
void xc_equal_fill(xc_equalizer *e);

#endif // XC_TRANSFORMS_QUANTIZE_EQUALIZE_H
