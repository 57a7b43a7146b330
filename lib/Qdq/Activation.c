//===- Activation.c - activations in fixed point --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts float activations in models with fix points of their own as
// tir-quantize does: docs/fixed-point.md says what a DPU computes. Where that
// would be another function, because a fix point leaves no room for it, they
// stay float.
//===----------------------------------------------------------------------===//

#include "Qdq.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Hard sigmoid and hard swish
//===----------------------------------------------------------------------===//

// The DPU's sixth is 2731 / 2^14, which some quantisers multiply by as well.
static bool has_sixth(const qdq_match *match) {
  const double tolerance = 1e-5, dpu = 2731 * 6.0 / (1 << 14);
  return match->factor == 1 || fabs(match->factor - dpu) <= tolerance;
}

static bool has_hard_input(const qdq_match *match, int64_t *input) {
  enum { LARGEST = 15 };
  return xc_qdq_input_point(match, 0, input) && *input >= 0 &&
         *input <= LARGEST;
}

static bool replace_hard(const qdq_match *match, xc_op_kind kind, int64_t input,
                         int64_t output) {
  qdq_attributes attributes = {0};
  xc_qdq_add_points(&attributes, input, output);
  return xc_qdq_replace(match, kind, &attributes);
}

// The upper end is where the result saturates, so that 1 must lie there.
bool xc_qdq_fold_hard_sigmoid(const qdq_match *match) {
  enum { LARGEST_SHIFT = 14 };
  const double tolerance = 2e-4;
  int64_t input, output;
  double alpha = xc_attr_float(&match->base, XC_ATTR_ALPHA);
  double beta = xc_attr_float(&match->base, XC_ATTR_BETA);
  int64_t least = match->result.element == XC_ELEMENT_UI8 ? 8 : 7;
  if (fabs(alpha - 1.0 / 6) > tolerance || beta != 0.5 || !has_sixth(match) ||
      !has_hard_input(match, &input) || !xc_qdq_output_point(match, &output) ||
      output < least || output > input + LARGEST_SHIFT)
    return false;
  return replace_hard(match, XC_TIR_HARD_SIGMOID_FIX, input, output);
}

// The sigmoid in it has steps of 2^-7, and finer results would show them.
bool xc_qdq_fold_hard_swish(const qdq_match *match) {
  enum { FINEST = 8, DOWN = 8, UP = 7 };
  int64_t input, output;
  if (match->factor != 1 || !has_hard_input(match, &input) ||
      !xc_qdq_output_point(match, &output) || output < input - DOWN ||
      output > input + UP || output > FINEST)
    return false;
  return replace_hard(match, XC_TIR_HARD_SWISH_FIX, input, output);
}

//===----------------------------------------------------------------------===//
// Slopes
//===----------------------------------------------------------------------===//

// Returns an int8 constant of these numbers, at the fix point at which the
// largest has most digits. Returns null where there is none.
static MlirValue build_slopes(const qdq_match *match, const float *slopes,
                              const xc_shape *shape, int64_t *fix_point) {
  enum { LARGEST = 15, DIGITS = 7 };
  size_t count = (size_t)xc_shape_num_elements(shape);
  double largest = 0;
  for (size_t i = 0; i < count; ++i)
    largest = fmax(largest, fabs((double)slopes[i]));
  int exponent = 0;
  frexp(largest, &exponent);
  *fix_point = DIGITS - exponent < LARGEST ? DIGITS - exponent : LARGEST;
  if (!isfinite(largest) || *fix_point < -LARGEST)
    return (MlirValue){NULL};
  int8_t *bytes = xc_alloc(count + 1);
  for (size_t i = 0; i < count; ++i)
    bytes[i] = (int8_t)fmin(
        INT8_MAX, nearbyint(ldexp((double)slopes[i], (int)*fix_point)));
  xc_shape fixed = *shape;
  fixed.element = XC_ELEMENT_I8;
  const xc_builder builder = xc_builder_before(match->base.operation);
  MlirValue value = xc_build_const_bytes(&builder, bytes, &fixed);
  free(bytes);
  return value;
}

static bool replace_prelu(const qdq_match *match, MlirValue slopes,
                          int64_t slope_point) {
  int64_t input, output;
  if (mlirValueIsNull(slopes) || !xc_qdq_input_point(match, 0, &input) ||
      !xc_qdq_output_point(match, &output))
    return false;
  qdq_match prelu = *match;
  prelu.num_inputs = 2;
  prelu.inputs[1].source = slopes;
  qdq_attributes attributes = {0};
  xc_qdq_add(&attributes, xc_int("slope_fix_point", slope_point));
  xc_qdq_add_points(&attributes, input, output);
  return xc_qdq_replace(&prelu, XC_TIR_PRELU_FIX, &attributes);
}

// Whether both fix points are there, before a constant is built.
static bool has_points(const qdq_match *match) {
  int64_t ignored;
  return xc_qdq_input_point(match, 0, &ignored) &&
         xc_qdq_output_point(match, &ignored);
}

bool xc_qdq_fold_prelu(const qdq_match *match) {
  enum { SLOPE = 1 };
  int64_t point;
  if (xc_qdq_input_point(match, SLOPE, &point))
    return match->inputs[SLOPE].element == XC_ELEMENT_I8 &&
           replace_prelu(match, match->inputs[SLOPE].source, point);
  MlirValue operand = xc_operand(&match->base, SLOPE);
  MlirOperation constant = xc_constant_of(operand);
  xc_shape shape;
  if (!has_points(match) || mlirOperationIsNull(constant) ||
      !xc_shape_of_type(mlirValueGetType(operand), &shape) ||
      shape.element != XC_ELEMENT_F32)
    return false;
  size_t size;
  float *slopes = xc_const_bytes(constant, &size);
  MlirValue fixed =
      slopes ? build_slopes(match, slopes, &shape, &point) : (MlirValue){NULL};
  free(slopes);
  return replace_prelu(match, fixed, point);
}

bool xc_qdq_fold_leaky(const qdq_match *match) {
  int64_t point;
  xc_shape shape;
  if (xc_qdq_is_dpu_leaky(&match->base) || !has_points(match) ||
      !xc_shape_of_type(mlirValueGetType(xc_operand(&match->base, 0)),
                        &shape) ||
      shape.rank == 0)
    return false;
  const xc_shape vector = {
      XC_ELEMENT_F32, 1, {shape.dims[shape.rank - 1]}, false};
  size_t count = (size_t)vector.dims[0];
  float *slopes = xc_alloc_array(count + 1, sizeof(*slopes));
  for (size_t i = 0; i < count; ++i)
    slopes[i] = (float)xc_attr_float(&match->base, XC_ATTR_ALPHA);
  MlirValue fixed = build_slopes(match, slopes, &vector, &point);
  free(slopes);
  return replace_prelu(match, fixed, point);
}
