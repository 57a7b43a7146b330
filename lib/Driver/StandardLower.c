//===- StandardLower.c - operators by those of the board's runtime --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime rounds to 8 bits in one way only, half up. The others are made of
// sums that single precision rounds half to even, all of them exact or rounded
// where it is wanted.
//
//===----------------------------------------------------------------------===//

#include "Standard.h"

#include "OpParams/Fix.h"
#include "OpParams/Quant.h"
#include "Target/XModel/Tir/Payload.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static size_t unary(xc_standard *s, const char *type, size_t input,
                    const xc_shape *shape, const xc_standard_attrs *attrs) {
  xc_standard_op op = {
      .type = type, .inputs = {input}, .num_inputs = 1, .shape = *shape};
  if (attrs)
    op.attrs = *attrs;
  return xc_standard_add(s, &op);
}

// The runtime broadcasts.
static size_t binary(xc_standard *s, const char *type, size_t a, size_t b) {
  const xc_shape *left = xc_standard_shape_of(s, a),
                 *right = xc_standard_shape_of(s, b);
  xc_standard_op op = {
      .type = type, .inputs = {a, b}, .num_inputs = 2, .shape = *left};
  for (size_t i = 0; i < left->rank; ++i)
    if (left->dims[i] == 1)
      op.shape.dims[i] = right->dims[i];
  return xc_standard_add(s, &op);
}

// Numbers along an axis, or one, of the rank of a value.
static size_t constant(xc_standard *s, size_t like, size_t axis,
                       const double *numbers, size_t count) {
  xc_standard_op op = {.type = "const",
                       .shape = *xc_standard_shape_of(s, like),
                       .attrs = {.data_size = count}};
  op.shape.element = XC_ELEMENT_F32;
  for (size_t i = 0; i < op.shape.rank; ++i)
    op.shape.dims[i] = 1;
  op.shape.dims[count > 1 ? axis : 0] = (int64_t)count;
  float *data = xc_arena_alloc(s->arena, count, sizeof(*data));
  for (size_t i = 0; i < count; ++i)
    data[i] = (float)numbers[i];
  op.attrs.data = data;
  return xc_standard_add(s, &op);
}

static size_t with_number(xc_standard *s, const char *type, size_t value,
                          double number) {
  return binary(s, type, value, constant(s, value, 0, &number, 1));
}

static size_t to_float(xc_standard *s, size_t value, int fix_point) {
  xc_shape shape = *xc_standard_shape_of(s, value);
  shape.element = XC_ELEMENT_F32;
  return unary(
      s, "fix2float", value, &shape,
      &(xc_standard_attrs){.has_fix_point = true, .fix_point = fix_point});
}

static size_t to_fix(xc_standard *s, size_t value, int fix_point,
                     xc_element element) {
  xc_shape shape = *xc_standard_shape_of(s, value);
  shape.element = element;
  return unary(
      s, "float2fix", value, &shape,
      &(xc_standard_attrs){.has_fix_point = true, .fix_point = fix_point});
}

static bool is_byte(xc_element element) {
  return element == XC_ELEMENT_I8 || element == XC_ELEMENT_UI8;
}

//===----------------------------------------------------------------------===//
// Rounding numbers between -2^22 and 2^22
//===----------------------------------------------------------------------===//

// Single precision has no fractions beyond 2^23.
static size_t round_even(xc_standard *s, size_t value) {
  const double bias = 0x1.8p23;
  return with_number(s, "sub", with_number(s, "sub", value, -bias), bias);
}

// Returns a number that is not negative, half up. What half to even takes away
// is at most 1/2; only if it is just that, one is missing. The largest number
// below 1/2 is 1/2 - 2^-25.
static size_t round_up(xc_standard *s, size_t value) {
  size_t even = round_even(s, value);
  size_t rest = binary(s, "sub", value, even);
  size_t excess = with_number(s, "sub", rest, 0.5 - 0x1p-25);
  size_t positive = with_number(s, "max", excess, 0);
  size_t minus_one = with_number(s, "mul", positive, -0x1p25);
  return binary(s, "sub", even, minus_one);
}

static size_t round_away(xc_standard *s, size_t value) {
  size_t above = round_up(s, with_number(s, "max", value, 0));
  size_t negated = with_number(s, "mul", value, -1);
  size_t below = round_up(s, with_number(s, "max", negated, 0));
  return binary(s, "sub", above, below);
}

static bool are_all(const double *numbers, size_t count, double number) {
  for (size_t i = 0; i < count; ++i)
    if (numbers[i] != number)
      return false;
  return true;
}

// To 8 bits, with zero points negated, which lie between -255 and 255. Bounds
// beyond these leave saturation to the runtime.
static size_t quantize(xc_standard *s, size_t steps, XcRoundMode mode,
                       const double *zeros, size_t num_zeros, size_t axis,
                       xc_element element) {
  steps = with_number(s, "min", steps, 1024);
  steps = with_number(s, "max", steps, -1024);
  steps = mode == XcRoundModeStd ? round_away(s, steps) : round_even(s, steps);
  if (!are_all(zeros, num_zeros, 0))
    steps = binary(s, "sub", steps, constant(s, steps, axis, zeros, num_zeros));
  return to_fix(s, steps, 0, element);
}

//===----------------------------------------------------------------------===//
// Between float and 8 bits
//===----------------------------------------------------------------------===//

static bool lower_float2fix(xc_standard *s, const xc_adaptor *op, size_t input,
                            size_t *value) {
  xc_element element = xc_result_shape(op).element;
  XcRoundMode mode = xc_round_mode_of(op);
  int fix_point = xc_fix_point(op, XC_ATTR_FIX_POINT);
  XcFixType type = xc_fix_attribute_type(op);
  if (!is_byte(element) || type.bits != 8 || fix_point < -100 ||
      fix_point > 100 ||
      xc_standard_shape_of(s, input)->element != XC_ELEMENT_F32)
    return false;
  // Unsigned numbers saturate at 0 before they are rounded.
  if (mode == XcRoundModeDpu ||
      (mode == XcRoundModeStd && element == XC_ELEMENT_UI8)) {
    *value = to_fix(s, input, fix_point, element);
    return true;
  }
  double power = 1, zero = 0;
  for (int i = 0; i < fix_point; ++i)
    power *= 2;
  for (int i = 0; i > fix_point; --i)
    power /= 2;
  *value = quantize(s, with_number(s, "mul", input, power), mode, &zero, 1, 0,
                    element);
  return true;
}

static bool lower_fix2float(xc_standard *s, const xc_adaptor *op, size_t input,
                            size_t *value) {
  if (!is_byte(xc_standard_shape_of(s, input)->element) ||
      xc_result_shape(op).element != XC_ELEMENT_F32)
    return false;
  *value = to_float(s, input, xc_fix_point(op, XC_ATTR_FIX_POINT));
  return true;
}

// Scales and zero points, one or along an axis of the tensor in the file.
typedef struct linear {
  xc_qlinear q;
  double *zeros;
  size_t axis;
} linear;

static linear read_linear(xc_standard *s, const xc_adaptor *op, size_t input) {
  linear l = {.q = xc_qlinear_of(op, s->arena)};
  size_t rank = xc_result_shape(op).rank;
  if (l.q.count > 1)
    l.axis = xc_axis_of(op) + xc_standard_shape_of(s, input)->rank - rank;
  l.zeros = xc_arena_alloc(s->arena, l.q.count, sizeof(*l.zeros));
  for (size_t i = 0; i < l.q.count; ++i)
    l.zeros[i] = (double)l.q.zeros[i];
  return l;
}

static bool lower_dequantize(xc_standard *s, const xc_adaptor *op, size_t input,
                             size_t *value) {
  if (!is_byte(xc_standard_shape_of(s, input)->element) ||
      xc_result_shape(op).element != XC_ELEMENT_F32)
    return false;
  linear l = read_linear(s, op, input);
  *value = to_float(s, input, 0);
  if (!are_all(l.zeros, l.q.count, 0))
    *value = binary(s, "sub", *value,
                    constant(s, input, l.axis, l.zeros, l.q.count));
  if (!are_all(l.q.scales, l.q.count, 1))
    *value = binary(s, "mul", *value,
                    constant(s, input, l.axis, l.q.scales, l.q.count));
  return true;
}

static bool lower_quantize(xc_standard *s, const xc_adaptor *op, size_t input,
                           size_t *value) {
  xc_element element = xc_result_shape(op).element;
  if (xc_standard_shape_of(s, input)->element != XC_ELEMENT_F32 ||
      !is_byte(element))
    return false;
  linear l = read_linear(s, op, input);
  for (size_t i = 0; i < l.q.count; ++i) {
    if (l.zeros[i] < -255 || l.zeros[i] > 255)
      return false;
    l.zeros[i] = -l.zeros[i];
  }
  size_t scale = constant(s, input, l.axis, l.q.scales, l.q.count);
  *value = quantize(s, binary(s, "div", input, scale),
                    xc_is_tflite(op) ? XcRoundModeStd : XcRoundModePy3, l.zeros,
                    l.q.count, l.axis, element);
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic and moves
//===----------------------------------------------------------------------===//

static bool lower_binary(xc_standard *s, const xc_adaptor *op,
                         const size_t *operands, size_t *value) {
  size_t a = operands[0], b = operands[1];
  const xc_shape *left = xc_standard_shape_of(s, a),
                 *right = xc_standard_shape_of(s, b);
  xc_shape result = xc_result_shape(op);
  if (left->element != XC_ELEMENT_F32 || right->element != XC_ELEMENT_F32 ||
      left->rank != right->rank ||
      left->rank != xc_standard_shape(&result).rank)
    return false;
  // Release 2.5 has no sums, and a difference keeps the sign of a zero.
  if (op->info->kind == XC_TIR_ADD)
    b = with_number(s, "mul", b, -1);
  *value = binary(s,
                  op->info->kind == XC_TIR_MUL   ? "mul"
                  : op->info->kind == XC_TIR_DIV ? "div"
                                                 : "sub",
                  a, b);
  return true;
}

static bool has_same_fix_point(const xc_adaptor *op) {
  return !xc_has_attr(op, XC_ATTR_INPUT_FIX_POINT) ||
         xc_fix_point(op, XC_ATTR_INPUT_FIX_POINT) ==
             xc_fix_point(op, XC_ATTR_OUTPUT_FIX_POINT);
}

static bool lower_reshape(xc_standard *s, const xc_adaptor *op, size_t input,
                          size_t *value) {
  xc_shape result = xc_result_shape(op), shape = xc_standard_shape(&result);
  bool bytes = is_byte(shape.element);
  if ((!bytes && shape.element != XC_ELEMENT_F32) || !has_same_fix_point(op))
    return false;
  xc_standard_attrs attrs = {.list_name = "shape", .list_size = shape.rank};
  for (size_t i = 0; i < shape.rank; ++i)
    attrs.list[i] = (int32_t)shape.dims[i];
  *value = unary(s, bytes ? "reshape-fix" : "reshape", input, &shape, &attrs);
  return true;
}

// The runtime moves floats only.
static bool lower_transpose(xc_standard *s, const xc_adaptor *op, size_t input,
                            size_t *value) {
  xc_shape result = xc_result_shape(op), shape = xc_standard_shape(&result);
  xc_element element = shape.element;
  size_t rank = xc_standard_shape_of(s, input)->rank;
  size_t added = rank - result.rank;
  if ((!is_byte(element) && element != XC_ELEMENT_F32) || rank != shape.rank ||
      !has_same_fix_point(op))
    return false;
  int64_t order[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_ORDER, order);
  xc_standard_attrs attrs = {.list_name = "order", .list_size = rank};
  for (size_t i = 0; i < result.rank; ++i)
    attrs.list[i + added] = (int32_t)(order[i] + (int64_t)added);
  shape.element = XC_ELEMENT_F32;
  if (is_byte(element))
    input = to_float(s, input, 0);
  *value = unary(s, "transpose", input, &shape, &attrs);
  if (is_byte(element))
    *value = to_fix(s, *value, 0, element);
  return true;
}

//===----------------------------------------------------------------------===//
// Operators of the host
//===----------------------------------------------------------------------===//

// Types that the runtime does not know have arguments of one name.
static bool has_payload(const xc_standard *s, MlirAttribute payload) {
  if (mlirAttributeIsNull(payload))
    return true;
  XcXModel *scratch = xcXModelCreate("payload");
  XcXModelAttrs attrs = xcXModelGetAttrs(scratch);
  bool ok = mlirAttributeIsADictionary(payload);
  intptr_t count = ok ? mlirDictionaryAttrGetNumElements(payload) : 0;
  for (intptr_t i = 0; ok && i < count; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(payload, i);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    const char *key = xc_arena_string(s->arena, name.data, name.length);
    ok = strcmp(key, XC_XMODEL_ARGS_KEY) != 0 &&
         xc_xmodel_payload_set(attrs, key, entry.attribute);
  }
  xcXModelDestroy(scratch);
  return ok;
}

// A library for the type knows the source's shapes only.
static bool lower_custom(xc_standard *s, const xc_adaptor *op,
                         const size_t *operands, size_t *value) {
  xc_shape result = xc_result_shape(op);
  MlirStringRef type = mlirStringAttrGetValue(xc_attr_get(op, XC_ATTR_OP_TYPE));
  xc_standard_op o = {.type = xc_arena_string(s->arena, type.data, type.length),
                      .shape = xc_standard_shape(&result),
                      .attrs = {.payload = xc_attr_get(op, XC_ATTR_PAYLOAD)}};
  bool ok = o.shape.rank == result.rank && has_payload(s, o.attrs.payload);
  for (size_t slot = 0; ok && slot < op->info->num_operands; ++slot) {
    if (!xc_has_operand(op, slot))
      continue;
    ok = o.num_inputs < XC_STANDARD_MAX_INPUTS &&
         xc_standard_shape_of(s, operands[slot])->rank ==
             xc_operand_shape(op, slot).rank;
    if (ok)
      o.inputs[o.num_inputs++] = operands[slot];
  }
  if (ok)
    *value = xc_standard_add(s, &o);
  return ok;
}

bool xc_standard_lower(xc_standard *s, const xc_adaptor *op,
                       const size_t *operands, size_t *value) {
  switch (op->info->kind) {
  case XC_TIR_CUSTOM:
    return lower_custom(s, op, operands, value);
  case XC_TIR_FLOAT2FIX:
    return lower_float2fix(s, op, operands[0], value);
  case XC_TIR_FIX2FLOAT:
    return lower_fix2float(s, op, operands[0], value);
  case XC_TIR_QUANTIZE_LINEAR:
    return lower_quantize(s, op, operands[0], value);
  case XC_TIR_DEQUANTIZE_LINEAR:
    return lower_dequantize(s, op, operands[0], value);
  case XC_TIR_ADD:
  case XC_TIR_SUB:
  case XC_TIR_MUL:
  case XC_TIR_DIV:
    return lower_binary(s, op, operands, value);
  case XC_TIR_RESHAPE:
  case XC_TIR_RESHAPE_FIX:
  case XC_TIR_FLATTEN:
  case XC_TIR_SQUEEZE:
    return lower_reshape(s, op, operands[0], value);
  case XC_TIR_TRANSPOSE:
  case XC_TIR_TRANSPOSE_FIX:
    return lower_transpose(s, op, operands[0], value);
  default:
    return false;
  }
}
