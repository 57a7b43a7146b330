//===- Move.c - sums, joins and operators of one input --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "dialects/Resize.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Sums, products, joins
//===----------------------------------------------------------------------===//

enum { MOST_SHIFT = 15 }; // of the result, in both directions

// A product has the sum of its operands' fix points, before the shift. That of
// tiny numbers, or of huge ones, lies beyond all fix points: the operand with
// most of it gives way.
static bool bound_product(const xc_conversion *c, MlirValue operands[2],
                          int points[2]) {
  int sum = points[0] + points[1];
  int bound = xc_clamp_point(sum, XC_FIX_POINT_MIN - MOST_SHIFT,
                             XC_FIX_POINT_MAX + MOST_SHIFT);
  size_t most = abs(points[1]) > abs(points[0]);
  return sum == bound || xc_convert_rescale(c, &operands[most], &points[most],
                                            points[most] + bound - sum);
}

bool xc_convert_eltwise(xc_conversion *c, xc_op_kind to) {
  bool multiply = c->adaptor.info->kind == XC_TIR_MUL;
  const char *nonlinear = xc_convert_fuse(c, false);
  MlirValue operands[2];
  int points[2];
  for (size_t i = 0; i < 2; ++i)
    if (!xc_convert_operand(c, i, &operands[i], &points[i]))
      return false;
  int output = c->result->calibrated;
  int low = points[0] < points[1] ? points[0] : points[1];
  for (size_t i = 0; i < 2 && !multiply; ++i)
    if (points[i] - low > MOST_SHIFT &&
        !xc_convert_rescale(c, &operands[i], &points[i], low + MOST_SHIFT))
      return false;
  if (multiply && !bound_product(c, operands, points))
    return false;
  int from = multiply ? points[0] + points[1] : low;
  output = xc_clamp_point(output, from - MOST_SHIFT, from + MOST_SHIFT);
  xc_convert_attributes(c, to);
  const int64_t both[] = {points[0], points[1]};
  nonlinear = xc_settle_relu6(nonlinear, output);
  xc_attributes_add(&c->attributes,
                    xc_string("type", multiply ? "MUL" : "ADD"));
  xc_attributes_add(&c->attributes,
                    xc_string("nonlinear", nonlinear ? nonlinear : "NONE"));
  xc_attributes_add(&c->attributes, xc_ints("input_fix_point", both, 2));
  return xc_convert_finish(c, to, operands, 2, output);
}

bool xc_convert_concat(xc_conversion *c, xc_op_kind to) {
  enum { LARGEST_SHIFT = 15 };
  MlirValue operands[XC_MAX_OPERANDS] = {{NULL}};
  int points[XC_MAX_OPERANDS], low = INT_MAX;
  int64_t all[XC_MAX_OPERANDS];
  size_t count = 0;
  for (size_t slot = 0; slot < c->adaptor.info->num_operands; ++slot) {
    if (!xc_has_operand(&c->adaptor, slot))
      continue;
    if (!xc_convert_operand(c, slot, &operands[count], &points[count]))
      return false;
    low = points[count] < low ? points[count] : low;
    ++count;
  }
  int output = xc_clamp_point(c->result->calibrated, low - LARGEST_SHIFT,
                              low + LARGEST_SHIFT);
  for (size_t i = 0; i < count; ++i) {
    if (points[i] - output > LARGEST_SHIFT &&
        !xc_convert_rescale(c, &operands[i], &points[i],
                            output + LARGEST_SHIFT))
      return false;
    all[i] = points[i];
  }
  xc_convert_attributes(c, to);
  xc_attributes_add(&c->attributes, xc_ints("input_fix_point", all, count));
  return xc_convert_finish(c, to, operands, count, output);
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

bool xc_convert_move(xc_conversion *c, xc_op_kind to) {
  MlirValue input;
  int point;
  if (!xc_convert_operand(c, 0, &input, &point))
    return false;
  xc_convert_attributes(c, to);
  if (to == XC_TIR_RESHAPE_FIX && c->adaptor.info->kind != XC_TIR_RESHAPE)
    xc_attributes_add(&c->attributes, xc_ints("shape", c->result->shape.dims,
                                              c->result->shape.rank));
  xc_attributes_add(&c->attributes, xc_int("input_fix_point", point));
  return xc_convert_finish(c, to, &input, 1, point);
}

// Returns the largest fix point up to `point` that holds a number and leaves
// something of the others; where there is none, `point`: the number saturates.
static int point_of_number(double number, int point) {
  for (int shift = 0; shift < XC_QUANTIZE_BITS; ++shift) {
    double scaled = ldexp(number, point - shift);
    if (scaled < INT8_MAX + 0.5 && scaled > INT8_MIN - 0.5)
      return point - shift;
  }
  return point;
}

bool xc_convert_pad(xc_conversion *c, xc_op_kind to) {
  MlirValue input;
  int point;
  const XcFixType type = {XC_QUANTIZE_BITS, true};
  if (!xc_convert_operand(c, 0, &input, &point))
    return false;
  double fill = xc_attr_float(&c->adaptor, XC_ATTR_CONSTANT_VALUE);
  bool fills = xc_attr_is(&c->adaptor, XC_ATTR_MODE, XC_ENUM_CONSTANT);
  int output = fills ? point_of_number(fill, point) : point;
  int64_t constant = xcFloatToFix(fill, output, type, XcRoundModeDpu);
  xc_convert_attributes(c, to);
  xc_attributes_drop(&c->attributes, "constant_value");
  xc_attributes_add(&c->attributes, xc_int("constant_value", constant));
  xc_attributes_add(&c->attributes, xc_int("input_fix_point", point));
  return xc_convert_finish(c, to, &input, 1, output);
}

bool xc_convert_resize(xc_conversion *c, xc_op_kind to) {
  MlirValue input;
  int point;
  int64_t scale[2];
  if (!xc_resize_repeats(&c->adaptor, scale) ||
      !xc_convert_operand(c, 0, &input, &point))
    return false;
  MlirAttribute op_name = xc_op_attribute(c->adaptor.operation, "op_name");
  if (!mlirAttributeIsNull(op_name))
    xc_attributes_add(&c->attributes, xc_given("op_name", op_name));
  xc_attributes_add(&c->attributes, xc_ints("scale", scale, 2));
  xc_attributes_add(&c->attributes, xc_int("input_fix_point", point));
  return xc_convert_finish(c, to, &input, 1, point);
}

bool xc_convert_function(xc_conversion *c, xc_op_kind to) {
  MlirValue input;
  int point, output = c->result->calibrated;
  if (!xc_convert_operand(c, 0, &input, &point))
    return false;
  if (to == XC_TIR_HARD_SWISH_FIX && point < XC_HARD_POINT)
    to = XC_TIR_RELU_FIX;
  bool swish = to == XC_TIR_HARD_SWISH_FIX;
  if (swish || to == XC_TIR_HARD_SIGMOID_FIX) {
    int in = xc_clamp_point(point, XC_HARD_POINT, 15);
    if (in != point && !xc_convert_rescale(c, &input, &point, in))
      return false;
    output = swish ? xc_clamp_point(output, in - 8, in + 7) : 7;
  } else {
    output = xc_clamp_point(output, point - 15, point + 15);
  }
  if (to == XC_TIR_RELU6_FIX && output >= 5)
    to = XC_TIR_RELU_FIX;
  xc_convert_attributes(c, to);
  xc_attributes_add(&c->attributes, xc_int("input_fix_point", point));
  return xc_convert_finish(c, to, &input, 1, output);
}

bool xc_convert_prelu(xc_conversion *c, xc_op_kind to) {
  MlirValue operands[2];
  int points[2];
  for (size_t i = 0; i < 2; ++i)
    if (!xc_convert_operand(c, i, &operands[i], &points[i]))
      return false;
  xc_convert_attributes(c, to);
  xc_attributes_add(&c->attributes, xc_int("input_fix_point", points[0]));
  xc_attributes_add(&c->attributes, xc_int("slope_fix_point", points[1]));
  return xc_convert_finish(
      c, to, operands, 2,
      xc_clamp_point(c->result->calibrated, points[0] - 15, points[0] + 15));
}

bool xc_convert_leaky(xc_conversion *c, xc_op_kind to) {
  enum { LARGEST_POINT = 15 };
  if (xc_nonlinear_of(c->adaptor.operation))
    return xc_convert_function(c, to);
  xc_shape shape = xc_operand_shape(&c->adaptor, 0);
  double alpha = xc_attr_float(&c->adaptor, XC_ATTR_ALPHA);
  int64_t channels = shape.rank ? shape.dims[shape.rank - 1] : 1;
  // The point at which the slope has most digits.
  int exponent = 0, input_point;
  frexp(fabs(alpha), &exponent);
  int point = xc_clamp_point(XC_QUANTIZE_BITS - 1 - exponent, -LARGEST_POINT,
                             LARGEST_POINT);
  double *slopes = xc_alloc_array((size_t)channels, sizeof(*slopes));
  for (int64_t i = 0; i < channels; ++i)
    slopes[i] = alpha;
  const xc_shape vector = {XC_ELEMENT_F64, 1, {channels}, false};
  const xc_tensor floats = xc_tensor_view(vector, slopes);
  MlirValue operands[2];
  operands[1] = xc_convert_build_constant(c, c->location, &floats, point);
  free(slopes);
  if (mlirValueIsNull(operands[1]) ||
      !xc_convert_operand(c, 0, &operands[0], &input_point))
    return false;
  to = XC_TIR_PRELU_FIX;
  xc_convert_attributes(c, to);
  xc_attributes_add(&c->attributes, xc_int("input_fix_point", input_point));
  xc_attributes_add(&c->attributes, xc_int("slope_fix_point", point));
  return xc_convert_finish(c, to, operands, 2,
                           xc_clamp_point(c->result->calibrated,
                                          input_point - LARGEST_POINT,
                                          input_point + LARGEST_POINT));
}
