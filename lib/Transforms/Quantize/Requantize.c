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
//===----------------------------------------------------------------------===//

#include "Quantize.h"

#include "IR/IR.h"
#include "Interpreter/Kernel.h"
#include "OpParams/Quant.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ATTRIBUTES = 32 };

/// The float form of an integer value.
typedef struct real_form {
  MlirValue real;
  MlirValue integers; // made again for those who need them
  xc_element element;
  float scale;
  int64_t zero_point;
} real_form;

typedef struct requantizer {
  xc_arena arena;
  xc_pointer_map forms; // MlirValue.ptr to real_form
  // The operator at hand.
  xc_adaptor adaptor;
  xc_builder builder;
  xc_attribute attributes[MAX_ATTRIBUTES];
  size_t num_attributes;
  MlirOperation *dead;
  size_t num_dead, dead_capacity;
} requantizer;

static real_form *form_of(const requantizer *r, MlirValue value) {
  return xc_pointer_map_get(&r->forms, value.ptr);
}

static MlirValue result_of(const requantizer *r) {
  return xc_op_result(r->adaptor.operation);
}

// Remembers what stands for the operator's result.
static bool set_form(requantizer *r, MlirValue real, xc_quant point) {
  if (mlirValueIsNull(real))
    return false;
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(result_of(r)), &shape);
  real_form *form = xc_arena_alloc(&r->arena, 1, sizeof(*form));
  *form = (real_form){.real = real,
                      .element = shape.element,
                      .scale = point.scale,
                      .zero_point = point.zero_point};
  xc_pointer_map_set(&r->forms, result_of(r).ptr, form);
  return true;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// How the scale of element i of a constant is found.
typedef enum channel_rule {
  ONE_SCALE,
  FIRST_DIM,      // weights of convolutions
  DEPTHWISE,      // [M, KH, KW, C]: channel c * M + m
  LAST_DIM,       // columns of a matrix; a bias
  SECOND_TO_LAST, // columns of a transposed matrix
} channel_rule;

typedef struct constant_scales {
  const double *scales;
  const int64_t *zero_points;
  size_t num_scales, num_zero_points;
  channel_rule rule;
} constant_scales;

static int64_t channel_at(const xc_shape *shape, channel_rule rule, int64_t i) {
  int64_t last = shape->rank ? shape->dims[shape->rank - 1] : 1;
  switch (rule) {
  case ONE_SCALE:
    return 0;
  case FIRST_DIM:
    return i / xc_shape_inner(shape, 0);
  case DEPTHWISE:
    return i % last * shape->dims[0] + i / xc_shape_inner(shape, 0);
  case LAST_DIM:
    return i % last;
  case SECOND_TO_LAST:
    return i / last % shape->dims[shape->rank - 2];
  }
  return 0;
}

// A float constant in place of an integer one.
static MlirValue dequantize_constant(requantizer *r, MlirValue value,
                                     const constant_scales *scales) {
  MlirOperation operation = xc_constant_of(value);
  size_t size;
  void *bytes = xc_const_bytes(operation, &size);
  if (!bytes) {
    xc_op_error(operation, "has no content to requantise");
    return (MlirValue){NULL};
  }
  xc_tensor from = {.data = bytes};
  xc_shape_of_type(mlirValueGetType(value), &from.shape);
  int64_t count = xc_tensor_count(&from);
  xc_tensor to = {from.shape, xc_alloc_array((size_t)count, sizeof(float))};
  to.shape.element = XC_ELEMENT_F32;
  for (int64_t i = 0; i < count; ++i) {
    size_t c = (size_t)channel_at(&from.shape, scales->rule, i);
    double scale = scales->scales[scales->num_scales == 1 ? 0 : c];
    int64_t zero = scales->num_zero_points == 0   ? 0
                   : scales->num_zero_points == 1 ? scales->zero_points[0]
                                                  : scales->zero_points[c];
    xc_set_real(&to, i, (double)(xc_get_int(&from, i) - zero) * scale);
  }
  const xc_builder builder =
      xc_builder_at(&r->builder, mlirOperationGetLocation(operation));
  MlirValue result = xc_build_const_bytes(&builder, to.data, &to.shape);
  free(to.data);
  free(bytes);
  return result;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static MlirValue real_operand(requantizer *r, size_t slot, xc_quant point) {
  MlirValue operand = xc_operand(&r->adaptor, slot);
  real_form *form = form_of(r, operand);
  if (form)
    return form->real;
  double scale = (double)point.scale;
  const int64_t zero = point.zero_point;
  if (!mlirOperationIsNull(xc_constant_of(operand))) {
    const constant_scales scales = {&scale, &zero, 1, 1, ONE_SCALE};
    return dequantize_constant(r, operand, &scales);
  }
  const xc_attribute attributes[] = {xc_floats("scale", &point.scale, 1),
                                     xc_ints("zero_point", &zero, 1)};
  return xc_build(&r->builder, XC_TIR_DEQUANTIZE_LINEAR, &operand, 1,
                  attributes, 2, XC_ELEMENT_F32);
}

// The weight of a convolution or product, by its list of scales.
static MlirValue real_weight(requantizer *r, size_t slot, channel_rule rule,
                             const double *scales, size_t count) {
  MlirValue operand = xc_operand(&r->adaptor, slot);
  int64_t few[XC_MAX_INTS];
  size_t points = xc_attr_ints(&r->adaptor, XC_ATTR_WEIGHT_ZERO_POINT, few);
  int64_t *zeros = xc_arena_alloc(&r->arena, points + 1, sizeof(*zeros));
  for (size_t i = 0; i < points; ++i)
    zeros[i] = xc_attr_int_at(&r->adaptor, XC_ATTR_WEIGHT_ZERO_POINT, i);
  if (mlirOperationIsNull(xc_constant_of(operand)))
    return real_operand(
        r, slot, (xc_quant){(float)scales[0], points ? (int32_t)zeros[0] : 0});
  const constant_scales all = {scales, zeros, count, points, rule};
  return dequantize_constant(r, operand, &all);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static void add(requantizer *r, xc_attribute attribute) {
  if (r->num_attributes < MAX_ATTRIBUTES)
    r->attributes[r->num_attributes++] = attribute;
}

// Carries over what both operators know.
static void copy_attributes(requantizer *r, xc_op_kind to) {
  const xc_op_info *info = xc_op_info_get(XC_DIALECT_TIR, to);
  intptr_t count = mlirOperationGetNumAttributes(r->adaptor.operation);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute named =
        mlirOperationGetAttribute(r->adaptor.operation, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    const xc_attribute_info *row =
        xc_attribute_info_find(info, name.data, name.length);
    if (row)
      add(r, xc_given(row->name, named.attribute));
  }
}

static MlirValue build(requantizer *r, xc_op_kind to, const MlirValue *operands,
                       size_t num_operands) {
  for (size_t i = 0; i < num_operands; ++i)
    if (mlirValueIsNull(operands[i]))
      return (MlirValue){NULL};
  return xc_build(&r->builder, to, operands, num_operands, r->attributes,
                  r->num_attributes, XC_ELEMENT_NONE);
}

// The activation of a quantised operator, after its float form.
static MlirValue activate(requantizer *r, xc_enum type, MlirValue value) {
  static const struct {
    xc_enum type;
    xc_op_kind kind;
  } rows[] = {{XC_ENUM_RELU, XC_TIR_RELU},
              {XC_ENUM_RELU6, XC_TIR_RELU6},
              {XC_ENUM_RELU_N1_TO_1, XC_TIR_CLIP}};
  for (size_t i = 0; !mlirValueIsNull(value) && i < 3; ++i) {
    if (rows[i].type != type)
      continue;
    r->num_attributes = 0;
    copy_attributes(r, rows[i].kind);
    if (rows[i].kind == XC_TIR_CLIP) {
      add(r, xc_float("min", -1));
      add(r, xc_float("max", 1));
    }
    return build(r, rows[i].kind, &value, 1);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Implied activations
//===----------------------------------------------------------------------===//

// What the result's type holds; real numbers beyond saturate.
typedef struct real_range {
  double low, high, step;
} real_range;

static real_range result_range(const requantizer *r, xc_quant point) {
  const xc_range range = xc_element_range(xc_result_shape(&r->adaptor).element);
  double scale = (double)point.scale;
  return (real_range){scale * (double)(range.low - point.zero_point),
                      scale * (double)(range.high - point.zero_point), scale};
}

// Whether the operator in fixed point takes a clamp along; by itself a clamp
// would stay on the CPU.
static bool fuses_clamp(const requantizer *r) {
  switch (r->adaptor.info->kind) {
  case XC_TIR_QLINEAR_CONV2D:
  case XC_TIR_QLINEAR_DEPTHWISE_CONV2D:
  case XC_TIR_QLINEAR_TRANSPOSED_CONV2D:
  case XC_TIR_QLINEAR_MATMUL:
    return true;
  case XC_TIR_QLINEAR_ELTWISE:
    return xc_attr_is(&r->adaptor, XC_ATTR_TYPE, XC_ENUM_ADD) ||
           xc_attr_is(&r->adaptor, XC_ATTR_TYPE, XC_ENUM_MUL);
  default:
    return false;
  }
}

// Quantisers drop an activation that the result's type computes by itself: it
// saturates at its smallest value, which stands for zero, and RELU6 at its
// largest. So it clamps to any other range.
static MlirValue imply_activation(requantizer *r, MlirValue value,
                                  xc_quant point) {
  const double six = 6.0;
  const real_range range = result_range(r, point);
  bool is_six = fabs(range.high - six) <= range.step / 2;
  if (range.low == 0 && (is_six || !fuses_clamp(r)))
    return activate(r, is_six ? XC_ENUM_RELU6 : XC_ENUM_RELU, value);
  if (mlirValueIsNull(value) || !fuses_clamp(r))
    return value;
  r->num_attributes = 0;
  copy_attributes(r, XC_TIR_CLIP);
  add(r, xc_float("min", range.low));
  add(r, xc_float("max", range.high));
  add(r, xc_bool(XC_IMPLIED, true));
  return build(r, XC_TIR_CLIP, &value, 1);
}

// Whether a value of integers stands for numbers that are never negative.
static bool is_non_negative(const requantizer *r, size_t slot, xc_quant point) {
  xc_element element = xc_operand_shape(&r->adaptor, slot).element;
  return point.zero_point == xc_element_min(element);
}

// Whether the float form may be negative where the result's type begins at
// zero. Pools, moves and the like hold what their input does.
static bool may_be_negative(const requantizer *r) {
  switch (r->adaptor.info->kind) {
  case XC_TIR_QLINEAR_CONV2D:
  case XC_TIR_QLINEAR_DEPTHWISE_CONV2D:
  case XC_TIR_QLINEAR_TRANSPOSED_CONV2D:
  case XC_TIR_QLINEAR_MATMUL:
    return true;
  case XC_TIR_QLINEAR_ELTWISE:
    return xc_attr_is(&r->adaptor, XC_ATTR_TYPE, XC_ENUM_SUB) ||
           !is_non_negative(r, 0,
                            xc_quant_of(&r->adaptor, XC_ATTR_A_SCALE,
                                        XC_ATTR_A_ZERO_POINT)) ||
           !is_non_negative(
               r, 1,
               xc_quant_of(&r->adaptor, XC_ATTR_B_SCALE, XC_ATTR_B_ZERO_POINT));
  case XC_TIR_QLINEAR_REQUANTIZE:
    return !is_non_negative(r, 0, xc_input_quant(&r->adaptor));
  default:
    return false;
  }
}

static bool finish(requantizer *r, MlirValue value) {
  xc_quant point = xc_output_quant(&r->adaptor);
  xc_enum type = xc_has_attr(&r->adaptor, XC_ATTR_NONLINEAR)
                     ? xc_attr_enum(&r->adaptor, XC_ATTR_NONLINEAR)
                     : XC_ENUM_NONE;
  value = type == XC_ENUM_NONE && may_be_negative(r)
              ? imply_activation(r, value, point)
              : activate(r, type, value);
  return set_form(r, value, point);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool convert_product(requantizer *r, xc_op_kind to, channel_rule rule) {
  enum { INPUT, WEIGHT, BIAS };
  xc_quant input = xc_input_quant(&r->adaptor);
  size_t count = xc_attr_floats(&r->adaptor, XC_ATTR_WEIGHT_SCALE, NULL, 0);
  double *scales = xc_arena_alloc(&r->arena, count + 1, sizeof(*scales));
  xc_attr_floats(&r->adaptor, XC_ATTR_WEIGHT_SCALE, scales, count);
  MlirValue operands[3] = {real_operand(r, INPUT, input),
                           real_weight(r, WEIGHT, rule, scales, count)};
  size_t num_operands = 2;
  if (xc_has_operand(&r->adaptor, BIAS)) {
    MlirValue bias = xc_operand(&r->adaptor, BIAS);
    if (mlirOperationIsNull(xc_constant_of(bias)))
      return xc_adaptor_error(&r->adaptor,
                              "has a bias that is not constant, which "
                              "cannot be requantised");
    for (size_t i = 0; i < count; ++i)
      scales[i] *= (double)input.scale;
    const constant_scales all = {scales, NULL, count, 0, LAST_DIM};
    operands[num_operands++] = dequantize_constant(r, bias, &all);
  }
  copy_attributes(r, to);
  return finish(r, build(r, to, operands, num_operands));
}

static bool convert_conv(requantizer *r, xc_op_kind to) {
  return convert_product(r, to,
                         to == XC_TIR_DEPTHWISE_CONV2D ? DEPTHWISE : FIRST_DIM);
}

static bool convert_matmul(requantizer *r, xc_op_kind to) {
  return convert_product(r, to,
                         xc_attr_bool(&r->adaptor, XC_ATTR_TRANSPOSE_B)
                             ? SECOND_TO_LAST
                             : LAST_DIM);
}

typedef struct type_row {
  xc_enum type;
  xc_op_kind kind;
} type_row;

static xc_op_kind kind_of_type(const requantizer *r, const type_row *rows) {
  xc_enum type = xc_attr_enum(&r->adaptor, XC_ATTR_TYPE);
  while (rows->type != type)
    ++rows;
  return rows->kind;
}

static bool convert_eltwise(requantizer *r, xc_op_kind to) {
  static const type_row rows[] = {
      {XC_ENUM_ADD, XC_TIR_ADD}, {XC_ENUM_SUB, XC_TIR_SUB},
      {XC_ENUM_MUL, XC_TIR_MUL}, {XC_ENUM_DIV, XC_TIR_DIV},
      {XC_ENUM_MIN, XC_TIR_MIN}, {XC_ENUM_MAX, XC_TIR_MAX}};
  to = kind_of_type(r, rows);
  const MlirValue operands[] = {
      real_operand(
          r, 0,
          xc_quant_of(&r->adaptor, XC_ATTR_A_SCALE, XC_ATTR_A_ZERO_POINT)),
      real_operand(
          r, 1,
          xc_quant_of(&r->adaptor, XC_ATTR_B_SCALE, XC_ATTR_B_ZERO_POINT))};
  copy_attributes(r, to);
  return finish(r, build(r, to, operands, 2));
}

static bool convert_unary(requantizer *r, xc_op_kind to) {
  MlirValue input = real_operand(r, 0, xc_input_quant(&r->adaptor));
  copy_attributes(r, to);
  return finish(r, build(r, to, &input, 1));
}

static bool convert_pool(requantizer *r, xc_op_kind to) {
  static const type_row rows[] = {{XC_ENUM_MAX, XC_TIR_MAXPOOL2D},
                                  {XC_ENUM_AVG, XC_TIR_AVGPOOL2D}};
  (void)to;
  return convert_unary(r, kind_of_type(r, rows));
}

static bool convert_reduction(requantizer *r, xc_op_kind to) {
  static const type_row rows[] = {{XC_ENUM_SUM, XC_TIR_REDUCTION_SUM},
                                  {XC_ENUM_MEAN, XC_TIR_REDUCTION_MEAN},
                                  {XC_ENUM_MAX, XC_TIR_REDUCTION_MAX}};
  (void)to;
  return convert_unary(r, kind_of_type(r, rows));
}

static bool convert_activation(requantizer *r, xc_op_kind to) {
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
  MlirValue input = real_operand(r, 0, xc_input_quant(&r->adaptor));
  // The others have no alpha, and elu's is 1 in the quantised form.
  if (to == XC_TIR_LEAKY_RELU)
    copy_attributes(r, to);
  if (to == XC_TIR_CLIP) {
    add(r, xc_float("min", -1));
    add(r, xc_float("max", 1));
  }
  MlirAttribute op_name = xc_op_attribute(r->adaptor.operation, "op_name");
  if (to != XC_TIR_LEAKY_RELU && !mlirAttributeIsNull(op_name))
    add(r, xc_given("op_name", op_name));
  return finish(r, build(r, to, &input, 1));
}

static bool convert_softmax(requantizer *r, xc_op_kind to) {
  MlirValue input = real_operand(r, 0, xc_input_quant(&r->adaptor));
  float beta = (float)xc_attr_float(&r->adaptor, XC_ATTR_BETA);
  if (beta != 1.0f && !mlirValueIsNull(input)) {
    const xc_shape scalar = {.element = XC_ELEMENT_F32};
    const MlirValue operands[] = {
        input, xc_build_const_bytes(&r->builder, &beta, &scalar)};
    input = build(r, XC_TIR_MUL, operands, 2);
  }
  copy_attributes(r, to);
  return finish(r, build(r, to, &input, 1));
}

static bool convert_resize(requantizer *r, xc_op_kind to) {
  MlirValue input = real_operand(r, 0, xc_input_quant(&r->adaptor));
  copy_attributes(r, to);
  // TFLite rounds what it computes with either flag.
  bool tflite = xc_attr_is(&r->adaptor, XC_ATTR_FLAVOR, XC_ENUM_TFLITE);
  bool rounds = xc_attr_bool(&r->adaptor, XC_ATTR_HALF_PIXEL_CENTERS) ||
                xc_attr_bool(&r->adaptor, XC_ATTR_ALIGN_CORNERS);
  if (tflite && rounds)
    add(r, xc_string("nearest_mode", "ROUND_PREFER_CEIL"));
  return finish(r, build(r, to, &input, 1));
}

static bool convert_prelu(requantizer *r, xc_op_kind to) {
  const MlirValue operands[] = {
      real_operand(r, 0, xc_input_quant(&r->adaptor)),
      real_operand(r, 1,
                   xc_quant_of(&r->adaptor, XC_ATTR_SLOPE_SCALE,
                               XC_ATTR_SLOPE_ZERO_POINT))};
  copy_attributes(r, to);
  return finish(r, build(r, to, operands, 2));
}

static bool convert_concat(requantizer *r, xc_op_kind to) {
  MlirValue operands[XC_MAX_OPERANDS] = {{NULL}};
  double scales[XC_MAX_OPERANDS];
  int64_t points[XC_MAX_INTS];
  xc_attr_floats(&r->adaptor, XC_ATTR_INPUT_SCALE, scales, XC_MAX_OPERANDS);
  xc_attr_ints(&r->adaptor, XC_ATTR_INPUT_ZERO_POINT, points);
  size_t count = 0;
  for (size_t slot = 0; slot < r->adaptor.info->num_operands; ++slot)
    if (xc_has_operand(&r->adaptor, slot)) {
      xc_quant point = {(float)scales[count], (int32_t)points[count]};
      operands[count++] = real_operand(r, slot, point);
    }
  copy_attributes(r, to);
  return finish(r, build(r, to, operands, count));
}

static bool convert_requantize(requantizer *r, xc_op_kind to) {
  (void)to;
  return finish(r, real_operand(r, 0, xc_input_quant(&r->adaptor)));
}

// Integers moved by an operator that knows no scales.
static bool convert_move(requantizer *r, xc_op_kind to) {
  const real_form *form = form_of(r, xc_operand(&r->adaptor, 0));
  xc_quant point = {form->scale, (int32_t)form->zero_point};
  MlirValue input = form->real;
  copy_attributes(r, to);
  if (to == XC_TIR_PAD) {
    double fill = xc_attr_float(&r->adaptor, XC_ATTR_CONSTANT_VALUE);
    for (size_t i = 0; i < r->num_attributes; ++i)
      if (strcmp(r->attributes[i].name, "constant_value") == 0)
        r->attributes[i--] = r->attributes[--r->num_attributes];
    add(r, xc_float("constant_value",
                    (fill - (double)point.zero_point) * (double)point.scale));
  }
  return set_form(r, build(r, to, &input, 1), point);
}

static bool convert_plain_concat(requantizer *r, xc_op_kind to) {
  MlirValue operands[XC_MAX_OPERANDS] = {{NULL}};
  const real_form *form = form_of(r, xc_operand(&r->adaptor, 0));
  const xc_quant point = {form->scale, (int32_t)form->zero_point};
  size_t count = 0;
  for (size_t slot = 0; slot < r->adaptor.info->num_operands; ++slot)
    if (xc_has_operand(&r->adaptor, slot))
      operands[count++] = real_operand(r, slot, point);
  copy_attributes(r, to);
  return set_form(r, build(r, to, operands, count), point);
}

static bool convert_gather(requantizer *r, xc_op_kind to) {
  const real_form *form = form_of(r, xc_operand(&r->adaptor, 0));
  const xc_quant point = {form->scale, (int32_t)form->zero_point};
  const MlirValue operands[] = {form->real, xc_operand(&r->adaptor, 1)};
  copy_attributes(r, to);
  return set_form(r, build(r, to, operands, 2), point);
}

// Limits on integers are limits on what they stand for.
static bool convert_limits(requantizer *r, xc_op_kind to) {
  const real_form *form = form_of(r, xc_operand(&r->adaptor, 0));
  const xc_quant point = {form->scale, (int32_t)form->zero_point};
  bool is_clip = r->adaptor.info->kind == XC_TIR_CLIP;
  double type = (double)xc_element_max(form->element);
  double low = is_clip ? xc_attr_float(&r->adaptor, XC_ATTR_MIN) : 0;
  double high = is_clip ? xc_attr_float(&r->adaptor, XC_ATTR_MAX) : type;
  MlirValue input = form->real;
  double zero = (double)point.zero_point, scale = (double)point.scale;
  if (low == zero && high >= type)
    return set_form(r, activate(r, XC_ENUM_RELU, input), point);
  add(r, xc_float("min", (low - zero) * scale));
  add(r, xc_float("max", (high - zero) * scale));
  return set_form(r, build(r, to, &input, 1), point);
}

// The sum of n integers at a scale is their mean at the n-th part of it.
static bool convert_sum(requantizer *r, xc_op_kind to) {
  const real_form *form = form_of(r, xc_operand(&r->adaptor, 0));
  xc_shape from = xc_operand_shape(&r->adaptor, 0);
  xc_shape result = xc_result_shape(&r->adaptor);
  int64_t left = xc_shape_num_elements(&result);
  int64_t count = left ? xc_shape_num_elements(&from) / left : 1;
  const xc_quant point = {form->scale / (float)count,
                          (int32_t)(form->zero_point * count)};
  MlirValue input = form->real;
  copy_attributes(r, to);
  return set_form(r, build(r, to, &input, 1), point);
}

static bool convert_quantize(requantizer *r, xc_op_kind to) {
  (void)to;
  double scale;
  xc_attr_floats(&r->adaptor, XC_ATTR_SCALE, &scale, 1);
  xc_quant point = {(float)scale, (int32_t)xc_attr_int_at(
                                      &r->adaptor, XC_ATTR_ZERO_POINT, 0)};
  return set_form(r, xc_operand(&r->adaptor, 0), point);
}

static bool convert_dequantize(requantizer *r, xc_op_kind to) {
  (void)to;
  MlirValue real = form_of(r, xc_operand(&r->adaptor, 0))->real;
  mlirValueReplaceAllUsesOfWith(result_of(r), real);
  return true;
}

typedef enum condition {
  ALWAYS,
  WHEN_FORM,      // operand 0 has a float form
  WHEN_ALL_FORMS, // every operand has one, of the same scale and zero point
  WHEN_ONE_SCALE, // and the operand is float
} condition;

static const struct requantize_row {
  xc_op_kind from, to;
  condition when;
  bool (*convert)(requantizer *r, xc_op_kind to);
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
    {XC_TIR_REDUCTION_SUM, XC_TIR_REDUCTION_MEAN, WHEN_FORM, convert_sum},
    // clang-format on
};

static bool have_one_form(const requantizer *r) {
  const real_form *first = form_of(r, xc_operand(&r->adaptor, 0));
  for (size_t slot = 0; slot < r->adaptor.info->num_operands; ++slot) {
    if (!xc_has_operand(&r->adaptor, slot))
      continue;
    const real_form *form = form_of(r, xc_operand(&r->adaptor, slot));
    if (!first || !form || form->zero_point != first->zero_point ||
        fabsf(form->scale - first->scale) > 1e-5f * first->scale)
      return false;
  }
  return true;
}

// Multipliers that stand in place of scales say nothing about real numbers.
static const struct requantize_row *find_row(const requantizer *r) {
  if (!xc_scales_agree(&r->adaptor))
    return NULL;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    if (rows[i].from != r->adaptor.info->kind)
      continue;
    MlirValue input = xc_operand(&r->adaptor, 0);
    bool single = true;
    if (rows[i].when == WHEN_ONE_SCALE)
      single = xc_element_is_float(xc_operand_shape(&r->adaptor, 0).element) &&
               xc_attr_floats(&r->adaptor, XC_ATTR_SCALE, NULL, 0) == 1;
    bool applies = rows[i].when == WHEN_FORM        ? form_of(r, input) != NULL
                   : rows[i].when == WHEN_ALL_FORMS ? have_one_form(r)
                                                    : single;
    return applies ? &rows[i] : NULL;
  }
  return NULL;
}

// An operator that stays needs its integers.
static bool keep(requantizer *r, MlirOperation operation) {
  xc_builder builder = xc_builder_before(operation);
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i) {
    real_form *form = form_of(r, mlirOperationGetOperand(operation, i));
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

static bool requantize_one(requantizer *r, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  r->num_attributes = 0;
  r->builder = xc_builder_before(operation);
  if (!info || !info->has_result || info->num_operands == 0 ||
      !xc_adaptor_of(operation, &r->adaptor))
    return keep(r, operation);
  const struct requantize_row *row = find_row(r);
  if (!row)
    return keep(r, operation);
  void *dead = r->dead;
  xc_grow(&dead, &r->dead_capacity, r->num_dead + 1, sizeof(*r->dead));
  r->dead = dead;
  r->dead[r->num_dead++] = operation;
  return row->convert(r, row->to);
}

bool xc_quantize_to_float(MlirOperation function) {
  requantizer r = {0};
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  bool ok = true;
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       ok && !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    ok = requantize_one(&r, op);
  }
  for (size_t i = r.num_dead; ok && i-- > 0;)
    mlirOperationDestroy(r.dead[i]);
  free(r.dead);
  xc_pointer_map_free(&r.forms);
  xc_arena_free(&r.arena);
  return ok;
}
