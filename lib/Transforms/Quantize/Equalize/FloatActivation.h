//===- FloatActivation.h - activations on the CPU -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_EQUALIZE_FLOATACTIVATION_H
#define XC_TRANSFORMS_QUANTIZE_EQUALIZE_FLOATACTIVATION_H

#include "Equalizer.h"

// FloatFunction.c

/// An operator: places of its operands, 0 for the input, or numbers.
typedef struct xc_float_step {
  xc_op_kind kind;
  int operands[2]; // -1: a number
  double numbers[2];
  double alpha;     // of ELU
  double low, high; // of a clamp
} xc_float_step;

/// The steps by which an activation computes a number.
typedef struct xc_float_function {
  xc_float_step steps[XC_FLOAT_OPERATIONS];
  int num_steps; // the result is that of the last one
} xc_float_function;

xc_float_function xc_float_function_of(const xc_float_activation *activation);
double xc_float_apply(const xc_float_function *function, double x);

/// An activation in the function that is changed, between two tensors in fixed
/// point.
typedef struct xc_float_site {
  xc_float_function function;
  const xc_quantize_value *from, *to;
  int64_t channels;
  /// The product with the channels' factors and the sum with their zero points:
  /// before it, or null, and after it. Other passes may give
  /// channels another order.
  MlirOperation unscale, scale;
} xc_float_site;

// FloatLimits.c

/// How far from zero the input of an activation counts, below and above; false
/// for one that has no end.
bool xc_float_bounds(const xc_float_activation *activation, double *below,
                     double *above);
/// Finds how far the input of an activation counts, and cuts what the samples
/// say of it.
void xc_float_limit(xc_equalizer *e, const xc_float_activation *activation);
/// Gives these limits the factors of the channels.
void xc_float_scale_limits(xc_equalizer *e,
                           const xc_float_activation *activation);

// FloatZeros.c

/// Returns the zero points of channels, in the numbers that they had before
/// they were scaled, or `scaled`: what 0 becomes in their tensor. Returns null
/// where there are none. Free with free().
float *xc_float_zeros(const xc_equalizer *e, const int64_t *roots,
                      int64_t channels, bool scaled);
/// Sets the `zeros` of a value.
void xc_float_keep_zeros(const xc_equalizer *e, xc_quantize_value *value,
                         const int64_t *roots);

#endif // XC_TRANSFORMS_QUANTIZE_EQUALIZE_FLOATACTIVATION_H
