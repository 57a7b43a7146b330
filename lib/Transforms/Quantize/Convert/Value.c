//===- Value.c - what conversions build on --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "IR/IR.h"
#include "Support/Math.h"
#include "Support/Text.h"
#include "Transforms/Quantize/FixPoints/FixPoints.h"
#include "dialects/Emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int xc_clamp_point(int point, int low, int high) {
  return point < low ? low : point > high ? high : point;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

xc_quantize_value *xc_convert_value(const xc_conversion *c, MlirValue value) {
  return xc_pointer_map_get(&c->q->originals, value.ptr);
}

static xc_quantize_value *operand_of(const xc_conversion *c, size_t slot) {
  return xc_convert_value(c, xc_operand(&c->adaptor, slot));
}

bool xc_convert_is_constant(const xc_conversion *c, size_t slot) {
  return xc_has_operand(&c->adaptor, slot) &&
         !mlirOperationIsNull(xc_constant_of(xc_operand(&c->adaptor, slot)));
}

bool xc_convert_is_fixed(const xc_conversion *c, size_t slot) {
  xc_quantize_value *value = operand_of(c, slot);
  return value && !mlirValueIsNull(value->fixed);
}

bool xc_convert_read(const xc_conversion *c, size_t slot, xc_tensor *tensor,
                     void **copy) {
  MlirOperation operation = xc_constant_of(xc_operand(&c->adaptor, slot));
  size_t size;
  const void *bytes = xc_const_contents(operation, &size, copy);
  if (!bytes)
    return xc_op_error(operation, "has no content to quantise");
  *tensor = xc_tensor_view(xc_operand_shape(&c->adaptor, slot), bytes);
  return true;
}

MlirValue xc_convert_build_constant(const xc_conversion *c,
                                    MlirLocation location,
                                    const xc_tensor *floats, int point) {
  enum { CHUNK = 1024 };
  const double up = ldexp(1, point);
  xc_shape shape = floats->shape;
  shape.element = XC_ELEMENT_I8;
  int64_t count = xc_shape_num_elements(&shape);
  int8_t *bytes = xc_alloc((size_t)count);
  for (int64_t first = 0; first < count; first += CHUNK) {
    double reals[CHUNK];
    int64_t some = xc_minimum64(CHUNK, count - first);
    xc_get_reals(floats, first, some, reals);
    for (int64_t i = 0; i < some; ++i)
      bytes[first + i] = (int8_t)xc_calibrate_round(up * reals[i], 0);
  }
  const xc_builder builder = xc_builder_at(&c->builder, location);
  MlirValue result = xc_build_const_bytes(&builder, bytes, &shape);
  free(bytes);
  return result;
}

// Returns the name of what a value is computed by, or of the input.
static MlirStringRef name_of(const xc_quantizer *q,
                             const xc_quantize_value *value) {
  if (mlirValueIsABlockArgument(value->original))
    return xc_quantize_list_entry(
        q->function, "input_names",
        (size_t)mlirBlockArgumentGetArgNumber(value->original));
  return xc_quantize_string(
      xc_op_attribute(mlirOpResultGetOwner(value->original), "op_name"));
}

// Rounds a value that was computed as a float to its fix point. The operator is
// NAME/fix.
static MlirValue build_fixed(const xc_conversion *c,
                             const xc_quantize_value *value) {
  MlirStringRef name = name_of(c->q, value);
  xc_text text = {0};
  xc_text_printf(&text, "%.*s/fix", (int)name.length, name.data);
  const xc_attribute attributes[] = {xc_int("bit_width", XC_QUANTIZE_BITS),
                                     xc_int("fix_point", value->calibrated),
                                     xc_bool("if_signed", true),
                                     xc_string("round_mode", "DPU_ROUND"),
                                     xc_string("op_name", xc_text_str(&text))};
  MlirValue real = mlirValueIsNull(value->real) ? value->original : value->real;
  MlirValue fixed = xc_build(&c->builder, XC_TIR_FLOAT2FIX, &real, 1,
                             attributes, name.length ? 5 : 4, XC_ELEMENT_I8);
  xc_text_free(&text);
  return fixed;
}

bool xc_convert_operand(const xc_conversion *c, size_t slot, MlirValue *fixed,
                        int *point) {
  MlirValue operand = xc_operand(&c->adaptor, slot);
  if (xc_convert_is_constant(c, slot)) {
    xc_tensor floats;
    void *copy;
    if (!xc_convert_read(c, slot, &floats, &copy))
      return false;
    *point = xc_quantize_search(&floats, XcRoundModePy3);
    *fixed = xc_convert_build_constant(
        c, mlirOperationGetLocation(xc_constant_of(operand)), &floats, *point);
    free(copy);
    return !mlirValueIsNull(*fixed);
  }
  xc_quantize_value *value = xc_convert_value(c, operand);
  if (mlirValueIsNull(value->fixed)) {
    value->fixed = build_fixed(c, value);
    value->point = value->calibrated;
  }
  *fixed = value->fixed;
  *point = value->point;
  return !mlirValueIsNull(*fixed);
}

MlirValue xc_convert_real_value(xc_quantize_value *value,
                                const xc_builder *place) {
  if (!mlirValueIsNull(value->real))
    return value->real;
  const xc_attribute attributes[] = {
      xc_int("bit_width", XC_QUANTIZE_BITS), xc_int("fix_point", value->point),
      xc_bool("if_signed", true), xc_string("round_mode", "DPU_ROUND")};
  const xc_builder builder = xc_builder_at(
      place, mlirOperationGetLocation(mlirOpResultGetOwner(value->original)));
  value->real = xc_build(&builder, XC_TIR_FIX2FLOAT, &value->fixed, 1,
                         attributes, 4, value->shape.element);
  return value->real;
}

bool xc_convert_rescale(const xc_conversion *c, MlirValue *fixed, int *point,
                        int to) {
  // A shift by one byte and more leaves nothing or saturates: several of them
  // do the same, each one in the verifier's bounds.
  enum { LARGEST_STEP = 16 };
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(*fixed), &shape);
  const xc_builder builder = xc_builder_at(&c->builder, c->location);
  while (*point != to && !mlirValueIsNull(*fixed)) {
    int next = xc_clamp_point(to, *point - LARGEST_STEP, *point + LARGEST_STEP);
    const xc_attribute attributes[] = {xc_ints("shape", shape.dims, shape.rank),
                                       xc_int("input_fix_point", *point),
                                       xc_int("output_fix_point", next)};
    *fixed = xc_build(&builder, XC_TIR_RESHAPE_FIX, fixed, 1, attributes, 3,
                      XC_ELEMENT_I8);
    *point = next;
  }
  return !mlirValueIsNull(*fixed);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

void xc_convert_attributes(xc_conversion *c, xc_op_kind to) {
  MlirOperation operation = c->adaptor.operation;
  xc_attributes_take(&c->attributes, operation, to);
  MlirOperation last =
      mlirOperationIsNull(c->activation) ? operation : c->activation;
  MlirAttribute op_name = xc_op_attribute(last, "op_name");
  if (mlirAttributeIsNull(op_name))
    return;
  xc_attributes_drop(&c->attributes, "op_name");
  xc_attributes_add(&c->attributes, xc_given("op_name", op_name));
}

bool xc_convert_finish(xc_conversion *c, xc_op_kind to,
                       const MlirValue *operands, size_t num_operands,
                       int point) {
  xc_attributes_add(&c->attributes, xc_int("output_fix_point", point));
  const xc_builder builder = xc_builder_at(&c->builder, c->location);
  c->result->fixed =
      xc_build(&builder, to, operands, num_operands, c->attributes.items,
               c->attributes.count, XC_ELEMENT_I8);
  c->result->point = point;
  return !mlirValueIsNull(c->result->fixed);
}
