//===- Requantize.c - from qlinear to float operators ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantised models compute with scales that are no powers of two. Here each of
// their operators becomes its float form on dequantised constants; what comes
// in or goes out in integers passes through dequantize-linear and
// quantize-linear. Then the function is quantised like any other.
//
// A scale may be a power of two by chance: ONNX Runtime gives 1/256 and
// unsigned bytes to what a sigmoid computes. What moves such a value is in
// fixed point already, but has no range of its own, so that it follows the
// value.
//
//===----------------------------------------------------------------------===//

#include "Requantize.h"
#include "RealForm.h"

#include "IR/IR.h"
#include "Interpreter/Kernel.h"
#include "OpParams/Fix.h"
#include "OpParams/Quant.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool convert_product(xc_requantizer *r, xc_op_kind to,
                            xc_channel_rule rule) {
  enum { INPUT, WEIGHT, BIAS };
  xc_quant input = xc_input_quant(&r->adaptor);
  size_t count = xc_attr_floats(&r->adaptor, XC_ATTR_WEIGHT_SCALE, NULL, 0);
  double *scales = xc_arena_alloc(&r->arena, count + 1, sizeof(*scales));
  xc_attr_floats(&r->adaptor, XC_ATTR_WEIGHT_SCALE, scales, count);
  MlirValue operands[3] = {
      xc_requantize_operand(r, INPUT, input),
      xc_requantize_weight(r, WEIGHT, rule, scales, count)};
  size_t num_operands = 2;
  if (xc_has_operand(&r->adaptor, BIAS)) {
    MlirValue bias = xc_operand(&r->adaptor, BIAS);
    if (mlirOperationIsNull(xc_constant_of(bias)))
      return xc_adaptor_error(&r->adaptor,
                              "has a bias that is not constant, which "
                              "cannot be requantised");
    for (size_t i = 0; i < count; ++i)
      scales[i] *= (double)input.scale;
    const xc_constant_scales all = {scales, NULL, count, 0, XC_SCALE_LAST_DIM};
    operands[num_operands++] = xc_requantize_constant(r, bias, &all);
  }
  xc_requantize_attributes(r, to);
  return xc_requantize_finish(
      r, xc_requantize_build(r, to, operands, num_operands));
}

static bool convert_conv(xc_requantizer *r, xc_op_kind to) {
  return convert_product(r, to,
                         to == XC_TIR_DEPTHWISE_CONV2D ? XC_SCALE_DEPTHWISE
                                                       : XC_SCALE_FIRST_DIM);
}

static bool convert_matmul(xc_requantizer *r, xc_op_kind to) {
  return convert_product(r, to,
                         xc_attr_bool(&r->adaptor, XC_ATTR_TRANSPOSE_B)
                             ? XC_SCALE_SECOND_TO_LAST
                             : XC_SCALE_LAST_DIM);
}

typedef struct type_row {
  xc_enum type;
  xc_op_kind kind;
} type_row;

static xc_op_kind kind_of_type(const xc_requantizer *r, const type_row *rows) {
  xc_enum type = xc_attr_enum(&r->adaptor, XC_ATTR_TYPE);
  while (rows->type != type)
    ++rows;
  return rows->kind;
}

static bool convert_eltwise(xc_requantizer *r, xc_op_kind to) {
  static const type_row rows[] = {
      {XC_ENUM_ADD, XC_TIR_ADD}, {XC_ENUM_SUB, XC_TIR_SUB},
      {XC_ENUM_MUL, XC_TIR_MUL}, {XC_ENUM_DIV, XC_TIR_DIV},
      {XC_ENUM_MIN, XC_TIR_MIN}, {XC_ENUM_MAX, XC_TIR_MAX}};
  to = kind_of_type(r, rows);
  const MlirValue operands[] = {
      xc_requantize_operand(
          r, 0,
          xc_quant_of(&r->adaptor, XC_ATTR_A_SCALE, XC_ATTR_A_ZERO_POINT)),
      xc_requantize_operand(
          r, 1,
          xc_quant_of(&r->adaptor, XC_ATTR_B_SCALE, XC_ATTR_B_ZERO_POINT))};
  xc_requantize_attributes(r, to);
  return xc_requantize_finish(r, xc_requantize_build(r, to, operands, 2));
}

static bool convert_unary(xc_requantizer *r, xc_op_kind to) {
  MlirValue input = xc_requantize_operand(r, 0, xc_input_quant(&r->adaptor));
  xc_requantize_attributes(r, to);
  return xc_requantize_finish(r, xc_requantize_build(r, to, &input, 1));
}

static bool convert_pool(xc_requantizer *r, xc_op_kind to) {
  static const type_row rows[] = {{XC_ENUM_MAX, XC_TIR_MAXPOOL2D},
                                  {XC_ENUM_AVG, XC_TIR_AVGPOOL2D}};
  (void)to;
  return convert_unary(r, kind_of_type(r, rows));
}

static bool convert_reduction(xc_requantizer *r, xc_op_kind to) {
  static const type_row rows[] = {{XC_ENUM_SUM, XC_TIR_REDUCTION_SUM},
                                  {XC_ENUM_MEAN, XC_TIR_REDUCTION_MEAN},
                                  {XC_ENUM_MAX, XC_TIR_REDUCTION_MAX}};
  (void)to;
  return convert_unary(r, kind_of_type(r, rows));
}

static bool convert_activation(xc_requantizer *r, xc_op_kind to) {
  static const type_row rows[] = {{XC_ENUM_RELU, XC_TIR_RELU},
                                  {XC_ENUM_RELU6, XC_TIR_RELU6},
                                  {XC_ENUM_RELU_N1_TO_1, XC_TIR_CLIP},
                                  {XC_ENUM_LEAKYRELU, XC_TIR_LEAKY_RELU},
                                  {XC_ENUM_SIGMOID, XC_TIR_SIGMOID},
                                  {XC_ENUM_TANH, XC_TIR_TANH},
                                  {XC_ENUM_HARDSWISH, XC_TIR_HARD_SWISH},
                                  {XC_ENUM_ELU, XC_TIR_ELU},
                                  {XC_ENUM_EXP, XC_TIR_EXP},
                                  {XC_ENUM_NEG, XC_TIR_NEG},
                                  {XC_ENUM_ABS, XC_TIR_ABS},
                                  {XC_ENUM_RSQRT, XC_TIR_RSQRT}};
  to = kind_of_type(r, rows);
  MlirValue input = xc_requantize_operand(r, 0, xc_input_quant(&r->adaptor));
  // The others have no alpha, and elu's is 1 in the quantised form.
  if (to == XC_TIR_LEAKY_RELU)
    xc_requantize_attributes(r, to);
  if (to == XC_TIR_CLIP) {
    xc_requantize_add(r, xc_float("min", -1));
    xc_requantize_add(r, xc_float("max", 1));
  }
  MlirAttribute op_name = xc_op_attribute(r->adaptor.operation, "op_name");
  if (to != XC_TIR_LEAKY_RELU && !mlirAttributeIsNull(op_name))
    xc_requantize_add(r, xc_given("op_name", op_name));
  return xc_requantize_finish(r, xc_requantize_build(r, to, &input, 1));
}

static bool convert_softmax(xc_requantizer *r, xc_op_kind to) {
  MlirValue input = xc_requantize_operand(r, 0, xc_input_quant(&r->adaptor));
  float beta = (float)xc_attr_float(&r->adaptor, XC_ATTR_BETA);
  if (beta != 1.0f && !mlirValueIsNull(input)) {
    const xc_shape scalar = {.element = XC_ELEMENT_F32};
    const MlirValue operands[] = {
        input, xc_build_const_bytes(&r->builder, &beta, &scalar)};
    input = xc_requantize_build(r, XC_TIR_MUL, operands, 2);
  }
  xc_requantize_attributes(r, to);
  return xc_requantize_finish(r, xc_requantize_build(r, to, &input, 1));
}

static bool convert_resize(xc_requantizer *r, xc_op_kind to) {
  MlirValue input = xc_requantize_operand(r, 0, xc_input_quant(&r->adaptor));
  xc_requantize_attributes(r, to);
  // TFLite rounds what it computes with either flag.
  bool tflite = xc_attr_is(&r->adaptor, XC_ATTR_FLAVOR, XC_ENUM_TFLITE);
  bool rounds = xc_attr_bool(&r->adaptor, XC_ATTR_HALF_PIXEL_CENTERS) ||
                xc_attr_bool(&r->adaptor, XC_ATTR_ALIGN_CORNERS);
  if (tflite && rounds)
    xc_requantize_add(r, xc_string("nearest_mode", "ROUND_PREFER_CEIL"));
  return xc_requantize_finish(r, xc_requantize_build(r, to, &input, 1));
}

static bool convert_prelu(xc_requantizer *r, xc_op_kind to) {
  const MlirValue operands[] = {
      xc_requantize_operand(r, 0, xc_input_quant(&r->adaptor)),
      xc_requantize_operand(r, 1,
                            xc_quant_of(&r->adaptor, XC_ATTR_SLOPE_SCALE,
                                        XC_ATTR_SLOPE_ZERO_POINT))};
  xc_requantize_attributes(r, to);
  return xc_requantize_finish(r, xc_requantize_build(r, to, operands, 2));
}

static bool convert_concat(xc_requantizer *r, xc_op_kind to) {
  MlirValue operands[XC_MAX_OPERANDS] = {{NULL}};
  double scales[XC_MAX_OPERANDS];
  int64_t points[XC_MAX_INTS];
  xc_attr_floats(&r->adaptor, XC_ATTR_INPUT_SCALE, scales, XC_MAX_OPERANDS);
  xc_attr_ints(&r->adaptor, XC_ATTR_INPUT_ZERO_POINT, points);
  size_t count = 0;
  for (size_t slot = 0; slot < r->adaptor.info->num_operands; ++slot)
    if (xc_has_operand(&r->adaptor, slot)) {
      xc_quant point = {(float)scales[count], (int32_t)points[count]};
      operands[count++] = xc_requantize_operand(r, slot, point);
    }
  xc_requantize_attributes(r, to);
  return xc_requantize_finish(r, xc_requantize_build(r, to, operands, count));
}

static bool convert_requantize(xc_requantizer *r, xc_op_kind to) {
  (void)to;
  return xc_requantize_finish(
      r, xc_requantize_operand(r, 0, xc_input_quant(&r->adaptor)));
}

// Integers moved by an operator that knows no scales.
static bool convert_move(xc_requantizer *r, xc_op_kind to) {
  const xc_real_form *form = xc_requantize_form(r, xc_operand(&r->adaptor, 0));
  xc_quant point = {form->scale, (int32_t)form->zero_point};
  MlirValue input = form->real;
  xc_requantize_attributes(r, to);
  if (to == XC_TIR_PAD) {
    double fill = xc_attr_float(&r->adaptor, XC_ATTR_CONSTANT_VALUE);
    xc_attributes_drop(&r->attributes, "constant_value");
    xc_requantize_add(
        r, xc_float("constant_value",
                    (fill - (double)point.zero_point) * (double)point.scale));
  }
  return xc_requantize_set(r, xc_requantize_build(r, to, &input, 1), point);
}

// Repeated pixels in fixed point.
static bool convert_upsample(xc_requantizer *r, xc_op_kind to) {
  const xc_shape result = xc_result_shape(&r->adaptor);
  const int64_t size[] = {result.dims[2], result.dims[1]};
  xc_requantize_add(r, xc_ints("size", size, 2));
  xc_requantize_add(r, xc_string("mode", "NEAREST"));
  const xc_real_form *form = xc_requantize_form(r, xc_operand(&r->adaptor, 0));
  MlirValue input = form->real;
  MlirAttribute op_name = xc_op_attribute(r->adaptor.operation, "op_name");
  if (!mlirAttributeIsNull(op_name))
    xc_requantize_add(r, xc_given("op_name", op_name));
  return xc_requantize_set(r, xc_requantize_build(r, to, &input, 1),
                           (xc_quant){form->scale, (int32_t)form->zero_point});
}

static bool convert_plain_concat(xc_requantizer *r, xc_op_kind to) {
  MlirValue operands[XC_MAX_OPERANDS] = {{NULL}};
  const xc_real_form *form = xc_requantize_form(r, xc_operand(&r->adaptor, 0));
  const xc_quant point = {form->scale, (int32_t)form->zero_point};
  size_t count = 0;
  for (size_t slot = 0; slot < r->adaptor.info->num_operands; ++slot)
    if (xc_has_operand(&r->adaptor, slot))
      operands[count++] = xc_requantize_operand(r, slot, point);
  xc_requantize_attributes(r, to);
  return xc_requantize_set(r, xc_requantize_build(r, to, operands, count),
                           point);
}

static bool convert_gather(xc_requantizer *r, xc_op_kind to) {
  const xc_real_form *form = xc_requantize_form(r, xc_operand(&r->adaptor, 0));
  const xc_quant point = {form->scale, (int32_t)form->zero_point};
  const MlirValue operands[] = {form->real, xc_operand(&r->adaptor, 1)};
  xc_requantize_attributes(r, to);
  return xc_requantize_set(r, xc_requantize_build(r, to, operands, 2), point);
}

// Limits on integers are limits on what they stand for.
static bool convert_limits(xc_requantizer *r, xc_op_kind to) {
  const xc_real_form *form = xc_requantize_form(r, xc_operand(&r->adaptor, 0));
  const xc_quant point = {form->scale, (int32_t)form->zero_point};
  bool is_clip = r->adaptor.info->kind == XC_TIR_CLIP;
  double type = (double)xc_element_max(form->element);
  double low = is_clip ? xc_attr_float(&r->adaptor, XC_ATTR_MIN) : 0;
  double high = is_clip ? xc_attr_float(&r->adaptor, XC_ATTR_MAX) : type;
  MlirValue input = form->real;
  double zero = (double)point.zero_point, scale = (double)point.scale;
  if (low == zero && high >= type)
    return xc_requantize_set(r, xc_requantize_activate(r, XC_ENUM_RELU, input),
                             point);
  xc_requantize_add(r, xc_float("min", (low - zero) * scale));
  xc_requantize_add(r, xc_float("max", (high - zero) * scale));
  return xc_requantize_set(r, xc_requantize_build(r, to, &input, 1), point);
}

// Reads a constant of one integer.
static bool read_integer(MlirValue value, int64_t *number) {
  MlirOperation constant = xc_constant_of(value);
  xc_tensor tensor = {0};
  if (mlirOperationIsNull(constant))
    return false;
  xc_shape_of_type(mlirValueGetType(value), &tensor.shape);
  if (xc_element_is_float(tensor.shape.element) ||
      xc_tensor_count(&tensor) != 1)
    return false;
  size_t size;
  tensor.data = xc_const_bytes(constant, &size);
  if (tensor.data)
    *number = xc_get_int(&tensor, 0);
  free(tensor.data);
  return tensor.data != NULL;
}

// PyTorch's exporter has a maximum and a minimum where integers use a part of
// their type only.
static bool convert_bound(xc_requantizer *r, xc_op_kind to) {
  const xc_real_form *form = xc_requantize_form(r, xc_operand(&r->adaptor, 0));
  const xc_quant point = {form->scale, (int32_t)form->zero_point};
  int64_t bound = 0;
  (void)read_integer(xc_operand(&r->adaptor, 1), &bound);
  MlirValue real = form->real;
  real = to == XC_TIR_MAX
             ? xc_requantize_bound(r, real, point, bound, INT64_MAX / 2)
             : xc_requantize_bound(r, real, point, INT64_MIN / 2, bound);
  return xc_requantize_set(r, real, point);
}

// The sum of n integers at a scale is their mean at the n-th part of it.
static bool convert_sum(xc_requantizer *r, xc_op_kind to) {
  const xc_real_form *form = xc_requantize_form(r, xc_operand(&r->adaptor, 0));
  xc_shape from = xc_operand_shape(&r->adaptor, 0);
  xc_shape result = xc_result_shape(&r->adaptor);
  int64_t left = xc_shape_num_elements(&result);
  int64_t count = left ? xc_shape_num_elements(&from) / left : 1;
  const xc_quant point = {form->scale / (float)count,
                          (int32_t)(form->zero_point * count)};
  MlirValue input = form->real;
  xc_requantize_attributes(r, to);
  return xc_requantize_set(r, xc_requantize_build(r, to, &input, 1), point);
}

static bool convert_quantize(xc_requantizer *r, xc_op_kind to) {
  (void)to;
  double scale;
  xc_attr_floats(&r->adaptor, XC_ATTR_SCALE, &scale, 1);
  xc_quant point = {(float)scale, (int32_t)xc_attr_int_at(
                                      &r->adaptor, XC_ATTR_ZERO_POINT, 0)};
  return xc_requantize_set(
      r, xc_requantize_saturate(r, xc_operand(&r->adaptor, 0), point), point);
}

static bool convert_dequantize(xc_requantizer *r, xc_op_kind to) {
  (void)to;
  MlirValue real = xc_requantize_form(r, xc_operand(&r->adaptor, 0))->real;
  mlirValueReplaceAllUsesOfWith(xc_requantize_result(r), real);
  return true;
}

// Unsigned bytes are no fixed point of a DPU: PyTorch gives them and 1/256 to
// what a hard sigmoid computes.
static bool convert_unsigned(xc_requantizer *r, xc_op_kind to) {
  (void)to;
  int point = (int)xc_attr_int(&r->adaptor, XC_ATTR_FIX_POINT);
  const xc_quant scale = {(float)ldexp(1, -point), 0};
  return xc_requantize_set(
      r, xc_requantize_saturate(r, xc_operand(&r->adaptor, 0), scale), scale);
}

typedef enum condition {
  ALWAYS,
  WHEN_FORM,      // operand 0 has a float form
  WHEN_ALL_FORMS, // every operand has one, of the same scale and zero point
  WHEN_ONE_SCALE, // and the operand is float
  WHEN_BOUND,     // operand 0 has a float form, operand 1 is a number
  WHEN_UNSIGNED,  // the result's fix point is one of bytes without a sign
} condition;

static const struct requantize_row {
  xc_op_kind from, to;
  condition when;
  bool (*convert)(xc_requantizer *r, xc_op_kind to);
} rows[] = {
    // clang-format off
    {XC_TIR_QLINEAR_CONV2D, XC_TIR_CONV2D, ALWAYS, convert_conv},
    {XC_TIR_QLINEAR_DEPTHWISE_CONV2D, XC_TIR_DEPTHWISE_CONV2D, ALWAYS, convert_conv},
    {XC_TIR_QLINEAR_TRANSPOSED_CONV2D, XC_TIR_TRANSPOSED_CONV2D, ALWAYS, convert_conv},
    {XC_TIR_QLINEAR_MATMUL, XC_TIR_MATMUL, ALWAYS, convert_matmul},
    {XC_TIR_QLINEAR_ELTWISE, XC_TIR_ADD, ALWAYS, convert_eltwise},
    {XC_TIR_QLINEAR_POOL, XC_TIR_MAXPOOL2D, ALWAYS, convert_pool},
    {XC_TIR_QLINEAR_REDUCTION, XC_TIR_REDUCTION_SUM, ALWAYS, convert_reduction},
    {XC_TIR_QLINEAR_CONCAT, XC_TIR_CONCAT, ALWAYS, convert_concat},
    {XC_TIR_QLINEAR_REQUANTIZE, XC_TIR_QLINEAR_REQUANTIZE, ALWAYS, convert_requantize},
    {XC_TIR_QLINEAR_SOFTMAX, XC_TIR_SOFTMAX, ALWAYS, convert_softmax},
    {XC_TIR_QLINEAR_ACTIVATION, XC_TIR_RELU, ALWAYS, convert_activation},
    {XC_TIR_QLINEAR_RESIZE, XC_TIR_RESIZE, ALWAYS, convert_resize},
    {XC_TIR_QLINEAR_PRELU, XC_TIR_PRELU, ALWAYS, convert_prelu},
    {XC_TIR_QUANTIZE_LINEAR, XC_TIR_QUANTIZE_LINEAR, WHEN_ONE_SCALE, convert_quantize},
    {XC_TIR_DEQUANTIZE_LINEAR, XC_TIR_DEQUANTIZE_LINEAR, WHEN_FORM, convert_dequantize},
    {XC_TIR_RESHAPE, XC_TIR_RESHAPE, WHEN_FORM, convert_move},
    {XC_TIR_FLATTEN, XC_TIR_FLATTEN, WHEN_FORM, convert_move},
    {XC_TIR_SQUEEZE, XC_TIR_SQUEEZE, WHEN_FORM, convert_move},
    {XC_TIR_EXPAND, XC_TIR_EXPAND, WHEN_FORM, convert_move},
    {XC_TIR_TRANSPOSE, XC_TIR_TRANSPOSE, WHEN_FORM, convert_move},
    {XC_TIR_STRIDED_SLICE, XC_TIR_STRIDED_SLICE, WHEN_FORM, convert_move},
    {XC_TIR_PIXEL_SHUFFLE, XC_TIR_PIXEL_SHUFFLE, WHEN_FORM, convert_move},
    {XC_TIR_REORG, XC_TIR_REORG, WHEN_FORM, convert_move},
    {XC_TIR_MAXPOOL2D, XC_TIR_MAXPOOL2D, WHEN_FORM, convert_move},
    {XC_TIR_RESIZE, XC_TIR_RESIZE, WHEN_FORM, convert_move},
    {XC_TIR_PAD, XC_TIR_PAD, WHEN_FORM, convert_move},
    {XC_TIR_GATHER, XC_TIR_GATHER, WHEN_FORM, convert_gather},
    {XC_TIR_CONCAT, XC_TIR_CONCAT, WHEN_ALL_FORMS, convert_plain_concat},
    {XC_TIR_CLIP, XC_TIR_CLIP, WHEN_FORM, convert_limits},
    {XC_TIR_RELU, XC_TIR_CLIP, WHEN_FORM, convert_limits},
    {XC_TIR_MAX, XC_TIR_MAX, WHEN_BOUND, convert_bound},
    {XC_TIR_MIN, XC_TIR_MIN, WHEN_BOUND, convert_bound},
    {XC_TIR_REDUCTION_SUM, XC_TIR_REDUCTION_MEAN, WHEN_FORM, convert_sum},
    {XC_TIR_FIX2FLOAT, XC_TIR_FIX2FLOAT, WHEN_FORM, convert_dequantize},
    {XC_TIR_FLOAT2FIX, XC_TIR_FLOAT2FIX, WHEN_UNSIGNED, convert_unsigned},
    {XC_TIR_RESHAPE_FIX, XC_TIR_RESHAPE, WHEN_FORM, convert_move},
    {XC_TIR_TRANSPOSE_FIX, XC_TIR_TRANSPOSE, WHEN_FORM, convert_move},
    {XC_TIR_STRIDED_SLICE_FIX, XC_TIR_STRIDED_SLICE, WHEN_FORM, convert_move},
    {XC_TIR_PIXEL_SHUFFLE_FIX, XC_TIR_PIXEL_SHUFFLE, WHEN_FORM, convert_move},
    {XC_TIR_UPSAMPLE_FIX, XC_TIR_RESIZE, WHEN_FORM, convert_upsample},
    {XC_TIR_POOL_FIX, XC_TIR_MAXPOOL2D, WHEN_FORM, convert_move},
    {XC_TIR_CONCAT_FIX, XC_TIR_CONCAT, WHEN_ALL_FORMS, convert_plain_concat},
    // clang-format on
};

static bool have_one_form(const xc_requantizer *r) {
  const xc_real_form *first = xc_requantize_form(r, xc_operand(&r->adaptor, 0));
  for (size_t slot = 0; slot < r->adaptor.info->num_operands; ++slot) {
    if (!xc_has_operand(&r->adaptor, slot))
      continue;
    const xc_real_form *form =
        xc_requantize_form(r, xc_operand(&r->adaptor, slot));
    if (!first || !form || form->zero_point != first->zero_point ||
        fabsf(form->scale - first->scale) > 1e-5f * first->scale)
      return false;
  }
  return true;
}

// Whether an operator in fixed point only moves its numbers, or a maximum does.
// Others have ranges of their own, which are the model's. Returns true of what
// has no fix points.
static bool keeps_numbers(const xc_adaptor *op) {
  if (!xc_has_attr(op, XC_ATTR_OUTPUT_FIX_POINT))
    return true;
  const xc_element element = xc_result_shape(op).element;
  const int output = xc_fix_point(op, XC_ATTR_OUTPUT_FIX_POINT);
  bool averages = op->info->kind == XC_TIR_POOL_FIX &&
                  !xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_MAX);
  for (size_t slot = 0; slot < xc_num_inputs(op); ++slot)
    if (xc_operand_shape(op, slot).element != element ||
        xc_input_fix_point(op, slot) != output)
      return false;
  return !averages;
}

static bool applies(const xc_requantizer *r, condition when) {
  MlirValue input = xc_operand(&r->adaptor, 0);
  int64_t number;
  switch (when) {
  case ALWAYS:
    return true;
  case WHEN_FORM:
    return xc_requantize_form(r, input) != NULL;
  case WHEN_ALL_FORMS:
    return have_one_form(r);
  case WHEN_ONE_SCALE:
    return xc_element_is_float(xc_operand_shape(&r->adaptor, 0).element) &&
           xc_attr_floats(&r->adaptor, XC_ATTR_SCALE, NULL, 0) == 1;
  case WHEN_UNSIGNED:
    return xc_result_shape(&r->adaptor).element == XC_ELEMENT_UI8;
  case WHEN_BOUND:
    return xc_requantize_form(r, input) != NULL &&
           read_integer(xc_operand(&r->adaptor, 1), &number);
  }
  return false;
}

// Multipliers that stand in place of scales say nothing about real numbers.
static const struct requantize_row *find_row(const xc_requantizer *r) {
  if (!xc_scales_agree(&r->adaptor))
    return NULL;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    if (rows[i].from != r->adaptor.info->kind)
      continue;
    if (!keeps_numbers(&r->adaptor))
      return NULL;
    return applies(r, rows[i].when) ? &rows[i] : NULL;
  }
  return NULL;
}

// An operator that stays needs its integers.
static bool keep(xc_requantizer *r, MlirOperation operation) {
  xc_builder builder = xc_builder_before(operation);
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i) {
    xc_real_form *form =
        xc_requantize_form(r, mlirOperationGetOperand(operation, i));
    if (!form)
      continue;
    if (mlirValueIsNull(form->integers)) {
      const xc_attribute attributes[] = {
          xc_floats("scale", &form->scale, 1),
          xc_ints("zero_point", &form->zero_point, 1)};
      form->integers = xc_build(&builder, XC_TIR_QUANTIZE_LINEAR, &form->real,
                                1, attributes, 2, form->element);
    }
    if (mlirValueIsNull(form->integers))
      return false;
    mlirOperationSetOperand(operation, i, form->integers);
  }
  return true;
}

static bool requantize_one(xc_requantizer *r, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  r->attributes.count = 0;
  r->builder = xc_builder_before(operation);
  if (!info || !info->has_result || info->num_operands == 0 ||
      !xc_adaptor_of(operation, &r->adaptor))
    return keep(r, operation);
  const struct requantize_row *row = find_row(r);
  if (!row)
    return keep(r, operation);
  xc_requantize_drop(r, operation);
  return row->convert(r, row->to);
}

bool xc_quantize_to_float(MlirOperation function, bool *changed) {
  xc_requantizer r = {0};
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  bool ok = true;
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       ok && !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    ok = requantize_one(&r, op);
  }
  *changed = r.num_dead > 0;
  for (size_t i = r.num_dead; ok && i-- > 0;)
    mlirOperationDestroy(r.dead[i]);
  free(r.dead);
  xc_pointer_map_free(&r.forms);
  xc_arena_free(&r.arena);
  return ok;
}
