//===- QuantizeConvert.c - from float operators to their -fix forms -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the function. A -fix operator is built in front of the float
// operator that it replaces; values cross over by float2fix and fix2float where
// somebody needs the other form. What was replaced is erased at the end.
//
//===----------------------------------------------------------------------===//

#include "QuantizeConvert.h"

#include "Interpreter/Kernel.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void xc_convert_add(xc_conversion *c, xc_attribute attribute) {
  if (c->num_attributes < XC_CONVERT_ATTRIBUTES)
    c->attributes[c->num_attributes++] = attribute;
}

void xc_convert_drop(xc_conversion *c, const char *name) {
  for (size_t i = 0; i < c->num_attributes; ++i)
    if (strcmp(c->attributes[i].name, name) == 0)
      c->attributes[i--] = c->attributes[--c->num_attributes];
}

int xc_clamp_point(int point, int low, int high) {
  return point < low ? low : point > high ? high : point;
}

static int smaller(int a, int b) { return a < b ? a : b; }

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static xc_quantize_value *value_of(const xc_conversion *c, MlirValue value) {
  return xc_pointer_map_get(&c->q->originals, value.ptr);
}

static xc_quantize_value *operand_of(const xc_conversion *c, size_t slot) {
  return value_of(c, xc_view_operand(&c->view, slot));
}

static MlirOperation constant_of(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return (MlirOperation){NULL};
  MlirOperation owner = mlirOpResultGetOwner(value);
  const xc_op_info *info = xc_op_info_of(owner);
  return info && info->kind == XC_TIR_CONST ? owner : (MlirOperation){NULL};
}

static bool is_constant(const xc_conversion *c, size_t slot) {
  return xc_view_has_operand(&c->view, slot) &&
         !mlirOperationIsNull(constant_of(xc_view_operand(&c->view, slot)));
}

static bool is_fixed(const xc_conversion *c, size_t slot) {
  xc_quantize_value *value = operand_of(c, slot);
  return value && !mlirValueIsNull(value->fixed);
}

// The content of a float constant; free with free(). Null after a diagnostic.
static double *constant_reals(MlirValue value, int64_t *count) {
  MlirOperation operation = constant_of(value);
  size_t size;
  void *bytes = xc_const_bytes(operation, &size);
  if (!bytes) {
    xc_op_error(operation, "has no content to quantise");
    return NULL;
  }
  xc_tensor tensor = {.data = bytes};
  xc_shape_of_type(mlirValueGetType(value), &tensor.shape);
  *count = xc_tensor_count(&tensor);
  double *reals = xc_alloc_array((size_t)*count, sizeof(*reals));
  for (int64_t i = 0; i < *count; ++i)
    reals[i] = xc_get_real(&tensor, i);
  free(bytes);
  return reals;
}

// Builds the int8 constant of float values at a fix point.
static MlirValue build_constant(const xc_conversion *c, MlirValue value,
                                const double *reals, int64_t count, int point) {
  const XcFixType type = {XC_QUANTIZE_BITS, true};
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(value), &shape);
  shape.element = XC_ELEMENT_I8;
  int8_t *bytes = xc_alloc((size_t)count);
  for (int64_t i = 0; i < count; ++i)
    bytes[i] = (int8_t)xcFloatToFix(reals[i], point, type, XcRoundModePy3);
  MlirLocation location = mlirOperationGetLocation(constant_of(value));
  MlirValue result = xc_build_const_bytes(&c->builder, location, bytes, &shape);
  free(bytes);
  return result;
}

// The int8 form of an operand: a constant's own fix point, or the value's.
bool xc_convert_operand(const xc_conversion *c, size_t slot, MlirValue *fixed,
                        int *point) {
  MlirValue operand = xc_view_operand(&c->view, slot);
  if (is_constant(c, slot)) {
    int64_t count;
    double *reals = constant_reals(operand, &count);
    if (!reals)
      return false;
    *point = xc_quantize_search(reals, count, XcRoundModePy3);
    *fixed = build_constant(c, operand, reals, count, *point);
    free(reals);
    return !mlirValueIsNull(*fixed);
  }
  xc_quantize_value *value = value_of(c, operand);
  if (mlirValueIsNull(value->fixed)) {
    const xc_attribute attributes[] = {xc_int("bit_width", XC_QUANTIZE_BITS),
                                       xc_int("fix_point", value->calibrated),
                                       xc_bool("if_signed", true),
                                       xc_string("round_mode", "DPU_ROUND")};
    MlirValue real =
        mlirValueIsNull(value->real) ? value->original : value->real;
    value->fixed = xc_build(&c->builder, XC_TIR_FLOAT2FIX, c->view.location,
                            &real, 1, attributes, 4, XC_ELEMENT_I8);
    value->point = value->calibrated;
  }
  *fixed = value->fixed;
  *point = value->point;
  return !mlirValueIsNull(*fixed);
}

// The float form of a value that is fixed.
static MlirValue real_value(xc_quantize_value *value,
                            const xc_builder *builder) {
  if (!mlirValueIsNull(value->real))
    return value->real;
  const xc_attribute attributes[] = {
      xc_int("bit_width", XC_QUANTIZE_BITS), xc_int("fix_point", value->point),
      xc_bool("if_signed", true), xc_string("round_mode", "DPU_ROUND")};
  MlirLocation location =
      mlirOperationGetLocation(mlirOpResultGetOwner(value->original));
  value->real = xc_build(builder, XC_TIR_FIX2FLOAT, location, &value->fixed, 1,
                         attributes, 4, value->shape.element);
  return value->real;
}

// Another fix point for the same integers' meaning.
static bool rescale(const xc_conversion *c, MlirValue *fixed, int *point,
                    int to) {
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(*fixed), &shape);
  const xc_attribute attributes[] = {xc_ints("shape", shape.dims, shape.rank),
                                     xc_int("input_fix_point", *point),
                                     xc_int("output_fix_point", to)};
  *fixed = xc_build(&c->builder, XC_TIR_RESHAPE_FIX, c->location, fixed, 1,
                    attributes, 3, XC_ELEMENT_I8);
  *point = to;
  return !mlirValueIsNull(*fixed);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// Carries over what the float operator and the -fix form both know.
void xc_convert_attributes(xc_conversion *c, xc_op_kind to) {
  const xc_op_info *info = xc_op_info_get(XC_DIALECT_TIR, to);
  MlirOperation operation = c->view.operation;
  intptr_t count = mlirOperationGetNumAttributes(operation);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(operation, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    const xc_attribute_info *row =
        xc_attribute_info_find(info, name.data, name.length);
    if (row && strcmp(row->name, "op_name") != 0)
      xc_convert_add(c, xc_given(row->name, named.attribute));
  }
  MlirOperation last =
      mlirOperationIsNull(c->activation) ? operation : c->activation;
  MlirAttribute op_name = xc_quantize_attribute(last, "op_name");
  if (mlirAttributeIsNull(op_name))
    op_name = xc_quantize_attribute(operation, "op_name");
  if (!mlirAttributeIsNull(op_name))
    xc_convert_add(c, xc_given("op_name", op_name));
}

bool xc_convert_finish(xc_conversion *c, xc_op_kind to,
                       const MlirValue *operands, size_t num_operands,
                       int point) {
  xc_convert_add(c, xc_int("output_fix_point", point));
  c->result->fixed =
      xc_build(&c->builder, to, c->location, operands, num_operands,
               c->attributes, c->num_attributes, XC_ELEMENT_I8);
  c->result->point = point;
  return !mlirValueIsNull(c->result->fixed);
}

//===----------------------------------------------------------------------===//
// Fused activations
//===----------------------------------------------------------------------===//

static MlirOperation only_user(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  return mlirOpOperandGetOwner(use);
}

static bool is_near(MlirOperation operation, const char *name, double absent,
                    double wanted) {
  const double tolerance = 2e-3;
  MlirAttribute attribute = xc_quantize_attribute(operation, name);
  double value = mlirAttributeIsNull(attribute)
                     ? absent
                     : mlirFloatAttrGetValueDouble(attribute);
  return fabs(value - wanted) <= tolerance;
}

// The nonlinear that stands for an activation operator, or null. Leaky ReLU is
// 26/256 only; hard sigmoid is x / 6 + 1/2.
static const char *nonlinear_of(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info)
    return NULL;
  if (info->kind == XC_TIR_RELU)
    return "RELU";
  if (info->kind == XC_TIR_RELU6)
    return "RELU6";
  if (info->kind == XC_TIR_LEAKY_RELU)
    return is_near(operation, "alpha", 0.01, 26.0 / 256) ? "LEAKYRELU" : NULL;
  if (info->kind == XC_TIR_HARD_SWISH)
    return "HSWISH";
  bool sixth = info->kind == XC_TIR_HARD_SIGMOID &&
               is_near(operation, "alpha", 1.0 / 6, 1.0 / 6) &&
               is_near(operation, "beta", 0.5, 0.5);
  return sixth ? "HSIGMOID" : NULL;
}

static bool is_hard(const char *nonlinear) {
  return nonlinear && nonlinear[0] == 'H';
}

// Takes the activation behind the operator into it.
static const char *fuse_activation(xc_conversion *c, bool hard_too) {
  MlirOperation user = only_user(c->result->original);
  const char *nonlinear = mlirOperationIsNull(user) ? NULL : nonlinear_of(user);
  if (!nonlinear || (is_hard(nonlinear) && !hard_too))
    return NULL;
  xc_quantize_value *result = value_of(c, mlirOperationGetResult(user, 0));
  if (!result)
    return NULL;
  c->activation = user;
  c->location = mlirOperationGetLocation(user);
  c->result = result;
  return nonlinear;
}

// 6 * 2^5 is beyond int8, so that saturation does what ReLU6 does.
static const char *settle_relu6(const char *nonlinear, int point) {
  bool saturates = nonlinear && strcmp(nonlinear, "RELU6") == 0 && point >= 5;
  return saturates ? "RELU" : nonlinear;
}

//===----------------------------------------------------------------------===//
// Convolutions and products
//===----------------------------------------------------------------------===//

typedef struct product_points {
  int input, weight, bias, output;
  bool has_bias, hard;
  int hard_in; // fix point in front of a hard activation
} product_points;

// The ranges of docs/fixed-point.md: the shift of the result 0 to 16, that of
// the bias -1 to 16.
static void repair(product_points *p) {
  if (p->hard) {
    p->hard_in = xc_clamp_point(p->hard_in, 0, 15);
  }
  int *cut_by = p->hard ? &p->hard_in : &p->output;
  if (p->input + p->weight - *cut_by > 16)
    p->weight = 16 + *cut_by - p->input;
  if (p->has_bias) {
    // A coarse bias asks for coarser weights, a fine one is made coarser.
    if (p->input + p->weight - p->bias > 16)
      p->weight = 16 + p->bias - p->input;
    p->bias = smaller(p->bias, p->input + p->weight + 1);
  }
  *cut_by = smaller(*cut_by, p->input + p->weight);
}

static void add_hard(xc_conversion *c, const product_points *p, bool swish) {
  xc_convert_add(c, xc_int("hsigmoid_in", p->hard_in));
  xc_convert_add(
      c, xc_int("shift_hsigmoid", 14 + p->hard_in - (swish ? 7 : p->output)));
  if (swish)
    xc_convert_add(c, xc_int("shift_hswish", p->hard_in + 7 - p->output));
}

// Hard activations fix the range of their result's fix point.
static void settle_hard(product_points *p, bool swish) {
  p->output =
      swish ? xc_clamp_point(p->output, p->hard_in - 8, p->hard_in + 7) : 7;
}

static bool convert_product(xc_conversion *c, xc_op_kind to, bool matmul) {
  enum { INPUT, WEIGHT, BIAS };
  MlirValue operands[3] = {{NULL}};
  product_points p = {.has_bias = xc_view_has_operand(&c->view, BIAS)};
  int64_t weights, biases;
  MlirValue weight = xc_view_operand(&c->view, WEIGHT);
  p.hard_in = c->result->calibrated;
  const char *nonlinear = fuse_activation(c, !matmul);
  p.hard = is_hard(nonlinear);
  bool swish = p.hard && strcmp(nonlinear, "HSWISH") == 0;
  p.output = c->result->calibrated;
  if (!xc_convert_operand(c, INPUT, &operands[INPUT], &p.input))
    return false;
  double *weight_reals = constant_reals(weight, &weights);
  double *bias_reals =
      p.has_bias && weight_reals
          ? constant_reals(xc_view_operand(&c->view, BIAS), &biases)
          : NULL;
  bool ok = weight_reals && (bias_reals || !p.has_bias);
  if (ok) {
    p.weight = xc_quantize_search(weight_reals, weights, XcRoundModePy3);
    if (p.has_bias)
      p.bias = xc_quantize_search(bias_reals, biases, XcRoundModePy3);
    repair(&p);
    if (p.hard)
      settle_hard(&p, swish);
    operands[WEIGHT] =
        build_constant(c, weight, weight_reals, weights, p.weight);
    if (p.has_bias)
      operands[BIAS] = build_constant(c, xc_view_operand(&c->view, BIAS),
                                      bias_reals, biases, p.bias);
  }
  free(weight_reals);
  free(bias_reals);
  if (!ok)
    return false;
  xc_convert_attributes(c, to);
  nonlinear = settle_relu6(nonlinear, p.output);
  xc_convert_add(c, xc_string("nonlinear", nonlinear ? nonlinear : "NONE"));
  if (p.hard)
    add_hard(c, &p, swish);
  const int64_t both[] = {p.input, p.weight};
  if (matmul) {
    xc_convert_add(c, xc_ints("input_fix_point", both, 2));
  } else {
    xc_convert_add(c, xc_int("input_fix_point", p.input));
    xc_convert_add(c, xc_int("weight_fix_point", p.weight));
  }
  if (p.has_bias)
    xc_convert_add(c, xc_int("bias_fix_point", p.bias));
  return xc_convert_finish(c, to, operands, p.has_bias ? 3 : 2, p.output);
}

static bool convert_conv(xc_conversion *c, xc_op_kind to) {
  return convert_product(c, to, false);
}

static bool convert_matmul(xc_conversion *c, xc_op_kind to) {
  return convert_product(c, to, true);
}

//===----------------------------------------------------------------------===//
// Sums, products, joins
//===----------------------------------------------------------------------===//

static bool convert_eltwise(xc_conversion *c, xc_op_kind to) {
  bool multiply = c->view.info->kind == XC_TIR_MUL;
  const char *nonlinear = fuse_activation(c, false);
  MlirValue operands[2];
  int points[2];
  for (size_t i = 0; i < 2; ++i)
    if (!xc_convert_operand(c, i, &operands[i], &points[i]))
      return false;
  int output = c->result->calibrated, low = smaller(points[0], points[1]);
  for (size_t i = 0; i < 2 && !multiply; ++i)
    if (points[i] - low > 15 && !rescale(c, &operands[i], &points[i], low + 15))
      return false;
  int from = multiply ? points[0] + points[1] : low;
  output = xc_clamp_point(output, from - 15, from + 15);
  xc_convert_attributes(c, to);
  const int64_t both[] = {points[0], points[1]};
  nonlinear = settle_relu6(nonlinear, output);
  xc_convert_add(c, xc_string("type", multiply ? "MUL" : "ADD"));
  xc_convert_add(c, xc_string("nonlinear", nonlinear ? nonlinear : "NONE"));
  xc_convert_add(c, xc_ints("input_fix_point", both, 2));
  return xc_convert_finish(c, to, operands, 2, output);
}

static bool convert_concat(xc_conversion *c, xc_op_kind to) {
  MlirValue operands[XC_MAX_OPERANDS] = {{NULL}};
  int64_t points[XC_MAX_OPERANDS];
  size_t count = 0;
  for (size_t slot = 0; slot < c->view.info->num_operands; ++slot) {
    int point;
    if (!xc_view_has_operand(&c->view, slot))
      continue;
    if (!xc_convert_operand(c, slot, &operands[count], &point))
      return false;
    points[count++] = point;
  }
  int output = c->result->calibrated;
  for (size_t i = 0; i < count; ++i)
    output = xc_clamp_point(output, (int)points[i] - 15, (int)points[i] + 15);
  xc_convert_attributes(c, to);
  xc_convert_add(c, xc_ints("input_fix_point", points, count));
  return xc_convert_finish(c, to, operands, count, output);
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

// Moves keep the fix point.
static bool convert_move(xc_conversion *c, xc_op_kind to) {
  MlirValue input;
  int point;
  if (!xc_convert_operand(c, 0, &input, &point))
    return false;
  xc_convert_attributes(c, to);
  if (to == XC_TIR_RESHAPE_FIX && c->view.info->kind != XC_TIR_RESHAPE)
    xc_convert_add(
        c, xc_ints("shape", c->result->shape.dims, c->result->shape.rank));
  xc_convert_add(c, xc_int("input_fix_point", point));
  return xc_convert_finish(c, to, &input, 1, point);
}

static bool convert_pad(xc_conversion *c, xc_op_kind to) {
  MlirValue input;
  int point;
  const XcFixType type = {XC_QUANTIZE_BITS, true};
  if (!xc_convert_operand(c, 0, &input, &point))
    return false;
  double fill = xc_view_float(&c->view, "constant_value");
  int64_t constant = xcFloatToFix(fill, point, type, XcRoundModeDpu);
  xc_convert_attributes(c, to);
  xc_convert_drop(c, "constant_value");
  xc_convert_add(c, xc_int("constant_value", constant));
  xc_convert_add(c, xc_int("input_fix_point", point));
  return xc_convert_finish(c, to, &input, 1, point);
}

// NEAREST by whole factors, where both flags leave the same pixels.
static bool upsample_scale(const xc_conversion *c, int64_t scale[2]) {
  xc_shape input = xc_view_shape(&c->view, 0);
  const xc_shape *output = &c->result->shape;
  if (strcmp(xc_view_word(&c->view, "mode"), "NEAREST") != 0 ||
      xc_view_bool(&c->view, "align_corners") ||
      strcmp(xc_view_word(&c->view, "coordinate_mode"), "DEFAULT") != 0 ||
      !mlirAttributeIsNull(xc_view_attribute(&c->view, "scale")))
    return false;
  const char *nearest = xc_view_word(&c->view, "nearest_mode");
  bool half_pixel = xc_view_bool(&c->view, "half_pixel_centers");
  // Half pixels lie half an input pixel lower: rounding up meets floor.
  if (strcmp(nearest, half_pixel ? "ROUND_PREFER_CEIL" : "FLOOR") != 0)
    return false;
  for (size_t i = 0; i < 2; ++i) {
    int64_t from = input.dims[2 - i], to = output->dims[2 - i];
    if (from == 0 || to % from != 0)
      return false;
    scale[i] = to / from;
  }
  return true;
}

static bool convert_resize(xc_conversion *c, xc_op_kind to) {
  MlirValue input;
  int point;
  int64_t scale[2];
  if (!upsample_scale(c, scale) || !xc_convert_operand(c, 0, &input, &point))
    return false;
  MlirAttribute op_name = xc_quantize_attribute(c->view.operation, "op_name");
  if (!mlirAttributeIsNull(op_name))
    xc_convert_add(c, xc_given("op_name", op_name));
  xc_convert_add(c, xc_ints("scale", scale, 2));
  xc_convert_add(c, xc_int("input_fix_point", point));
  return xc_convert_finish(c, to, &input, 1, point);
}

// Activations and reductions, whose result has a fix point of its own.
static bool convert_function(xc_conversion *c, xc_op_kind to) {
  MlirValue input;
  int point, output = c->result->calibrated;
  if (!xc_convert_operand(c, 0, &input, &point))
    return false;
  bool swish = to == XC_TIR_HARD_SWISH_FIX;
  if (swish || to == XC_TIR_HARD_SIGMOID_FIX) {
    int in = xc_clamp_point(point, 0, 15);
    if (in != point && !rescale(c, &input, &point, in))
      return false;
    output = swish ? xc_clamp_point(output, in - 8, in + 7) : 7;
  } else {
    output = xc_clamp_point(output, point - 15, point + 15);
  }
  if (to == XC_TIR_RELU6_FIX && output >= 5)
    to = XC_TIR_RELU_FIX;
  xc_convert_attributes(c, to);
  xc_convert_add(c, xc_int("input_fix_point", point));
  return xc_convert_finish(c, to, &input, 1, output);
}

static bool convert_prelu(xc_conversion *c, xc_op_kind to) {
  MlirValue operands[2];
  int points[2];
  for (size_t i = 0; i < 2; ++i)
    if (!xc_convert_operand(c, i, &operands[i], &points[i]))
      return false;
  xc_convert_attributes(c, to);
  xc_convert_add(c, xc_int("input_fix_point", points[0]));
  xc_convert_add(c, xc_int("slope_fix_point", points[1]));
  return xc_convert_finish(
      c, to, operands, 2,
      xc_clamp_point(c->result->calibrated, points[0] - 15, points[0] + 15));
}

//===----------------------------------------------------------------------===//
// Which operators
//===----------------------------------------------------------------------===//

typedef enum condition {
  WHEN_WEIGHTS_CONSTANT, // and the bias, if there
  WHEN_INPUT_FIXED,      // one of the inputs comes in fixed point
} condition;

static const struct convert_row {
  xc_op_kind from, to;
  condition when;
  bool (*convert)(xc_conversion *c, xc_op_kind to);
} rows[] = {
    // clang-format off
    {XC_TIR_CONV2D, XC_TIR_CONV2D_FIX, WHEN_WEIGHTS_CONSTANT, convert_conv},
    {XC_TIR_DEPTHWISE_CONV2D, XC_TIR_DEPTHWISE_CONV2D_FIX, WHEN_WEIGHTS_CONSTANT, convert_conv},
    {XC_TIR_TRANSPOSED_CONV2D, XC_TIR_TRANSPOSED_CONV2D_FIX, WHEN_WEIGHTS_CONSTANT, convert_conv},
    {XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D, XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX, WHEN_WEIGHTS_CONSTANT, convert_conv},
    {XC_TIR_MATMUL, XC_TIR_MATMUL_FIX, WHEN_WEIGHTS_CONSTANT, convert_matmul},
    {XC_TIR_MAXPOOL2D, XC_TIR_POOL_FIX, WHEN_INPUT_FIXED, xc_convert_pool},
    {XC_TIR_AVGPOOL2D, XC_TIR_POOL_FIX, WHEN_INPUT_FIXED, xc_convert_pool},
    {XC_TIR_ADD, XC_TIR_ELTWISE_FIX, WHEN_INPUT_FIXED, convert_eltwise},
    {XC_TIR_MUL, XC_TIR_ELTWISE_FIX, WHEN_INPUT_FIXED, convert_eltwise},
    {XC_TIR_CONCAT, XC_TIR_CONCAT_FIX, WHEN_INPUT_FIXED, convert_concat},
    {XC_TIR_RESHAPE, XC_TIR_RESHAPE_FIX, WHEN_INPUT_FIXED, convert_move},
    {XC_TIR_FLATTEN, XC_TIR_RESHAPE_FIX, WHEN_INPUT_FIXED, convert_move},
    {XC_TIR_SQUEEZE, XC_TIR_RESHAPE_FIX, WHEN_INPUT_FIXED, convert_move},
    {XC_TIR_TRANSPOSE, XC_TIR_TRANSPOSE_FIX, WHEN_INPUT_FIXED, convert_move},
    {XC_TIR_STRIDED_SLICE, XC_TIR_STRIDED_SLICE_FIX, WHEN_INPUT_FIXED, convert_move},
    {XC_TIR_PIXEL_SHUFFLE, XC_TIR_PIXEL_SHUFFLE_FIX, WHEN_INPUT_FIXED, convert_move},
    {XC_TIR_REORG, XC_TIR_REORG_FIX, WHEN_INPUT_FIXED, convert_move},
    {XC_TIR_GSTILING, XC_TIR_TILE_FIX, WHEN_INPUT_FIXED, convert_move},
    {XC_TIR_PAD, XC_TIR_PAD_FIX, WHEN_INPUT_FIXED, convert_pad},
    {XC_TIR_RESIZE, XC_TIR_UPSAMPLE_FIX, WHEN_INPUT_FIXED, convert_resize},
    {XC_TIR_REDUCTION_MAX, XC_TIR_REDUCTION_MAX_FIX, WHEN_INPUT_FIXED, convert_move},
    {XC_TIR_REDUCTION_MEAN, XC_TIR_REDUCTION_MEAN_FIX, WHEN_INPUT_FIXED, convert_function},
    {XC_TIR_REDUCTION_SUM, XC_TIR_REDUCTION_SUM_FIX, WHEN_INPUT_FIXED, convert_function},
    {XC_TIR_RELU, XC_TIR_RELU_FIX, WHEN_INPUT_FIXED, convert_function},
    {XC_TIR_RELU6, XC_TIR_RELU6_FIX, WHEN_INPUT_FIXED, convert_function},
    {XC_TIR_LEAKY_RELU, XC_TIR_LEAKY_RELU_FIX, WHEN_INPUT_FIXED, convert_function},
    {XC_TIR_HARD_SIGMOID, XC_TIR_HARD_SIGMOID_FIX, WHEN_INPUT_FIXED, convert_function},
    {XC_TIR_HARD_SWISH, XC_TIR_HARD_SWISH_FIX, WHEN_INPUT_FIXED, convert_function},
    {XC_TIR_PRELU, XC_TIR_PRELU_FIX, WHEN_INPUT_FIXED, convert_prelu},
    // clang-format on
};

static bool is_activation(xc_op_kind kind) {
  return kind == XC_TIR_LEAKY_RELU || kind == XC_TIR_HARD_SIGMOID;
}

static bool applies(const xc_conversion *c, const struct convert_row *row) {
  const xc_view *view = &c->view;
  if (is_activation(row->from) && !nonlinear_of(view->operation))
    return false;
  int64_t scale[2];
  if (row->from == XC_TIR_RESIZE && !upsample_scale(c, scale))
    return false;
  if (row->when == WHEN_WEIGHTS_CONSTANT)
    return is_constant(c, 1) &&
           (!xc_view_has_operand(view, 2) || is_constant(c, 2)) &&
           !is_constant(c, 0);
  if (row->from == XC_TIR_PRELU && !is_constant(c, 1))
    return false;
  for (size_t slot = 0; slot < view->info->num_operands; ++slot)
    if (xc_view_has_operand(view, slot) && is_fixed(c, slot))
      return true;
  return false;
}

static const struct convert_row *find_row(xc_op_kind kind) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].from == kind)
      return &rows[i];
  return NULL;
}

// An operator that stays: its operands have to be there as floats.
static bool keep(xc_quantizer *q, MlirOperation operation) {
  intptr_t count = mlirOperationGetNumOperands(operation);
  xc_builder builder = xc_builder_before(operation);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(operation, i);
    xc_quantize_value *value = xc_pointer_map_get(&q->originals, operand.ptr);
    // Values that float operators compute are there as they always were.
    if (!value || mlirValueIsNull(value->fixed) || !value->replaced)
      continue;
    MlirValue real = real_value(value, &builder);
    if (mlirValueIsNull(real))
      return false;
    mlirOperationSetOperand(operation, i, real);
  }
  return true;
}

static bool convert_one(xc_quantizer *q, MlirOperation operation,
                        bool *replaced, MlirOperation *fused) {
  const xc_op_info *info = xc_op_info_of(operation);
  const struct convert_row *row = info ? find_row(info->kind) : NULL;
  xc_conversion c = {.q = q, .builder = xc_builder_before(operation)};
  *replaced = false;
  if (!row || !xc_view_operation(operation, &c.view))
    return keep(q, operation);
  c.location = c.view.location;
  c.result = value_of(&c, mlirOperationGetResult(operation, 0));
  if (!c.result || !c.result->is_float || !applies(&c, row))
    return keep(q, operation);
  *replaced = true;
  bool ok = row->convert(&c, row->to);
  c.result->replaced = true;
  *fused = c.activation;
  return ok;
}

// The float weights.
static void erase_constants(MlirBlock block) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    const xc_op_info *info = xc_op_info_of(op);
    if (info && info->kind == XC_TIR_CONST &&
        mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
      mlirOperationDestroy(op);
  }
}

bool xc_quantize_convert(xc_quantizer *q) {
  MlirOperation *dead = NULL;
  size_t num_dead = 0, capacity = 0;
  xc_pointer_map done = {0};
  bool ok = true;
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       ok && !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    MlirOperation fused = {NULL};
    bool replaced = xc_pointer_map_has(&done, op.ptr);
    if (!replaced)
      ok = convert_one(q, op, &replaced, &fused);
    if (!mlirOperationIsNull(fused))
      xc_pointer_map_set(&done, fused.ptr, fused.ptr);
    if (!replaced)
      continue;
    void *all = dead;
    xc_grow(&all, &capacity, num_dead + 1, sizeof(*dead));
    dead = all;
    dead[num_dead++] = op;
    xc_pass_count(q->run, "num-quantized", 1);
  }
  for (size_t i = num_dead; ok && i-- > 0;)
    mlirOperationDestroy(dead[i]);
  free(dead);
  xc_pointer_map_free(&done);
  if (ok)
    erase_constants(q->block);
  return ok;
}
