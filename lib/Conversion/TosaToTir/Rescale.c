//===- Rescale.c - from sums back to bytes --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "Wide.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <string.h>

static const MlirValue null_value = {NULL};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

enum { INPUT, MULTIPLIER, SHIFT, INPUT_ZERO, OUTPUT_ZERO };

static const int64_t *operand_ints(xc_tosa_converter *c, MlirOperation op,
                                   intptr_t index, size_t *count) {
  return xc_tosa_ints(c, xc_tosa_value(c, mlirOperationGetOperand(op, index)),
                      count);
}

static bool read_zero(xc_tosa_converter *c, MlirOperation op, intptr_t index,
                      bool is_unsigned, int64_t *zero) {
  size_t count;
  const int64_t *ints = operand_ints(c, op, index, &count);
  if (!ints || count != 1)
    return false;
  xc_shape shape =
      xc_tosa_shape(xc_tosa_value(c, mlirOperationGetOperand(op, index)));
  size_t bits = 8 * xc_element_size(shape.element);
  *zero = ints[0];
  if (is_unsigned && *zero < 0)
    *zero += INT64_C(1) << bits;
  return *zero >= INT16_MIN && *zero <= UINT16_MAX;
}

bool xc_tosa_read_scale(xc_tosa_converter *c, MlirOperation op,
                        xc_tosa_scale *scale) {
  size_t shifts;
  *scale = (xc_tosa_scale){
      .input_unsigned = xc_tosa_bool(op, "input_unsigned"),
      .output_unsigned = xc_tosa_bool(op, "output_unsigned"),
      // Multipliers of 16 bits know no other way.
      .single_round = !xc_tosa_word_is(op, "rounding_mode", "DOUBLE_ROUND") ||
                      !xc_tosa_bool(op, "scale32")};
  scale->multipliers = operand_ints(c, op, MULTIPLIER, &scale->count);
  scale->shifts = operand_ints(c, op, SHIFT, &shifts);
  if (!scale->multipliers || !scale->shifts || shifts != scale->count ||
      scale->count == 0 ||
      !read_zero(c, op, INPUT_ZERO, scale->input_unsigned,
                 &scale->input_zero) ||
      !read_zero(c, op, OUTPUT_ZERO, scale->output_unsigned,
                 &scale->output_zero))
    return false;
  for (size_t i = 0; i < scale->count; ++i)
    if (scale->multipliers[i] < 0 || scale->shifts[i] < 2 ||
        scale->shifts[i] > 62)
      return false;
  return true;
}

int64_t xc_tosa_apply_scale(const xc_tosa_scale *scale, int64_t x) {
  int64_t centred = x - scale->input_zero, shift = scale->shifts[0];
  int64_t sum = centred * scale->multipliers[0] + (INT64_C(1) << (shift - 1));
  if (!scale->single_round && shift > 31)
    sum += centred >= 0 ? INT64_C(1) << 30 : -(INT64_C(1) << 30);
  return (sum >> shift) + scale->output_zero;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

size_t xc_tosa_add_scale(const xc_tosa_scale *scale, xc_attribute *attributes,
                         size_t count) {
  attributes[count++] = xc_float("output_scale", 1);
  attributes[count++] = xc_int("output_zero_point", scale->output_zero);
  attributes[count++] = xc_string("flavor", "TFLITE");
  attributes[count++] = xc_ints("multiplier", scale->multipliers, scale->count);
  attributes[count++] = xc_ints("shift", scale->shifts, scale->count);
  if (scale->single_round)
    attributes[count++] = xc_bool("single_round", true);
  return count;
}

MlirValue xc_tosa_emit_requantize(xc_tosa_converter *c, MlirValue x,
                                  const xc_tosa_scale *scale,
                                  xc_element element) {
  xc_attribute attributes[8] = {xc_float("input_scale", 1),
                                xc_int("input_zero_point", scale->input_zero)};
  size_t count = xc_tosa_add_scale(scale, attributes, 2);
  return xc_tosa_emit(c, XC_TIR_QLINEAR_REQUANTIZE, &x, 1, attributes, count,
                      element);
}

static MlirValue emit_product(xc_tosa_converter *c, const xc_tosa_product *p,
                              const xc_tosa_scale *scale, const char *nonlinear,
                              xc_element element) {
  xc_attribute attributes[24];
  size_t count = p->num_attributes;
  if (scale->count != 1 && (int64_t)scale->count != p->channels) {
    xc_tosa_error(c, "has %zu multipliers, expected 1 or %" PRId64,
                  scale->count, p->channels);
    return null_value;
  }
  if (scale->input_zero != 0) {
    xc_tosa_error(c, "takes a zero point from sums, which have none in tir");
    return null_value;
  }
  float *ones = xc_arena_alloc(&c->arena, scale->count, sizeof(*ones));
  for (size_t i = 0; i < scale->count; ++i)
    ones[i] = 1;
  memcpy(attributes, p->attributes, count * sizeof(*attributes));
  attributes[count++] = xc_string("nonlinear", nonlinear);
  attributes[count++] = xc_float("input_scale", 1);
  attributes[count++] = xc_int("input_zero_point", p->input_zero);
  attributes[count++] = xc_floats("weight_scale", ones, scale->count);
  if (p->weight_zero != 0)
    attributes[count++] = xc_ints("weight_zero_point", &p->weight_zero, 1);
  count = xc_tosa_add_scale(scale, attributes, count);
  const xc_builder builder = c->builder;
  c->builder = xc_builder_at(&builder, p->location);
  MlirValue value = xc_tosa_emit(c, p->kind, p->operands, p->num_operands,
                                 attributes, count, element);
  c->builder = builder;
  return value;
}

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

static int64_t limit_of(MlirOperation clamp, const char *name) {
  MlirAttribute value = xc_op_attribute(clamp, name);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value) ||
      !mlirTypeIsAInteger(mlirAttributeGetType(value)) ||
      !mlirIntegerTypeIsSignless(mlirAttributeGetType(value)))
    return INT64_MIN;
  return mlirIntegerAttrGetValueInt(value);
}

// A clamp from the zero point on that follows alone is the operator's own.
const char *xc_tosa_absorb_clamp(xc_tosa_converter *c,
                                 const xc_tosa_scale *scale) {
  xc_element element = xc_tosa_result_shape(c).element;
  MlirOperation user = xc_tosa_single_user(c->op);
  if (mlirOperationIsNull(user) || !xc_tosa_is(user, "clamp") ||
      scale->output_unsigned ||
      limit_of(user, "min_val") != scale->output_zero ||
      limit_of(user, "max_val") != xc_element_max(element))
    return "NONE";
  xc_pointer_map_set(&c->absorbed, user.ptr, user.ptr);
  return "RELU";
}

xc_element xc_tosa_unsigned(xc_element element) {
  return element == XC_ELEMENT_I8    ? XC_ELEMENT_UI8
         : element == XC_ELEMENT_I16 ? XC_ELEMENT_UI16
         : element == XC_ELEMENT_I32 ? XC_ELEMENT_UI32
                                     : element;
}

static MlirValue emit_alone(xc_tosa_converter *c, const xc_tosa_scale *scale,
                            xc_element element) {
  MlirValue x = xc_tosa_operand(c, INPUT);
  if (mlirValueIsNull(x))
    return null_value;
  xc_shape shape = xc_tosa_shape(x);
  if (scale->input_unsigned)
    x = xc_tosa_emit_cast(c, x, xc_tosa_unsigned(shape.element));
  if (scale->count == 1)
    return xc_tosa_emit_requantize(c, x, scale, element);
  if (shape.rank == 0 || shape.dims[shape.rank - 1] != (int64_t)scale->count) {
    xc_tosa_error(c, "has %zu multipliers, which are not one per channel",
                  scale->count);
    return null_value;
  }
  return xc_tosa_emit_wide_rescale(c, x, scale, element);
}

static MlirValue emit_fused(xc_tosa_converter *c, const xc_tosa_scale *scale,
                            xc_element element) {
  MlirValue input = mlirOperationGetOperand(c->op, INPUT);
  const xc_tosa_product *product = xc_tosa_product_of(c, input);
  if (element != XC_ELEMENT_I8 && element != XC_ELEMENT_UI8)
    return null_value;
  if (product && !product->has_border)
    return emit_product(c, product, scale, xc_tosa_absorb_clamp(c, scale),
                        element);
  if (!mlirValueIsAOpResult(input) || scale->output_unsigned)
    return null_value;
  return xc_tosa_emit_eltwise(c, mlirOpResultGetOwner(input), scale);
}

bool xc_tosa_rescale(xc_tosa_converter *c) {
  xc_tosa_scale scale;
  xc_element result = xc_tosa_result_shape(c).element;
  if (!xc_tosa_read_scale(c, c->op, &scale))
    return xc_tosa_error(c,
                         "has multipliers, shifts or zero points that are not "
                         "constants in range");
  if (xc_element_is_float(result) || result == XC_ELEMENT_NONE ||
      xc_element_size(result) > 4)
    return xc_tosa_error(c, "has elements that tir does not rescale");
  xc_element element =
      scale.output_unsigned ? xc_tosa_unsigned(result) : result;
  MlirValue value = emit_fused(c, &scale, element);
  if (mlirValueIsNull(value) && !c->op_failed)
    value = emit_alone(c, &scale, element);
  return xc_tosa_done(c, xc_tosa_emit_cast(c, value, result));
}
