//===- Fix.c - DQ, operator, Q into an operator in fixed point ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Qdq.h"

#include "IR/IR.h"
#include "Support/Memory.h"
#include "dialects/Resize.h"
#include "xc-c/FixedPoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Fix points
//===----------------------------------------------------------------------===//

static bool is_fix(xc_element element) {
  return element == XC_ELEMENT_I8 || element == XC_ELEMENT_UI8;
}

bool xc_qdq_input_point(const qdq_match *match, size_t index,
                        int64_t *fix_point) {
  return match->has_input[index] && is_fix(match->inputs[index].element) &&
         xc_qdq_fix_point(&match->inputs[index], fix_point);
}

bool xc_qdq_output_point(const qdq_match *match, int64_t *fix_point) {
  return is_fix(match->result.element) &&
         xc_qdq_fix_point(&match->result, fix_point);
}

void xc_qdq_add_points(qdq_attributes *attributes, int64_t input,
                       int64_t output) {
  xc_qdq_add(attributes, xc_int("input_fix_point", input));
  xc_qdq_add(attributes, xc_int("output_fix_point", output));
}

//===----------------------------------------------------------------------===//
// Convolution and matrix product
//===----------------------------------------------------------------------===//

static bool bias_fix_point(const qdq_match *match, int64_t *fix_point) {
  enum { BIAS = 2 };
  *fix_point = 0;
  if (match->num_inputs <= BIAS)
    return true;
  xc_element element = match->inputs[BIAS].element;
  return match->has_input[BIAS] &&
         (element == XC_ELEMENT_I8 || element == XC_ELEMENT_I16 ||
          element == XC_ELEMENT_I32) &&
         xc_qdq_fix_point(&match->inputs[BIAS], fix_point);
}

static bool fold_product(const qdq_match *match, xc_op_kind kind) {
  int64_t points[2], bias, output;
  const char *nonlinear = xc_qdq_nonlinear(match, true);
  bool is_matmul = kind == XC_TIR_MATMUL_FIX;
  if (!nonlinear || !xc_qdq_input_point(match, 0, &points[0]) ||
      !xc_qdq_input_point(match, 1, &points[1]) ||
      !bias_fix_point(match, &bias) || !xc_qdq_output_point(match, &output) ||
      (!is_matmul && match->inputs[1].element != XC_ELEMENT_I8))
    return false;
  qdq_attributes attributes = {0};
  xc_qdq_copy(match, kind, &attributes);
  xc_qdq_add(&attributes, xc_string("nonlinear", nonlinear));
  if (is_matmul) {
    xc_qdq_add(&attributes, xc_ints("input_fix_point", points, 2));
  } else {
    xc_qdq_add(&attributes, xc_int("input_fix_point", points[0]));
    xc_qdq_add(&attributes, xc_int("weight_fix_point", points[1]));
  }
  xc_qdq_add(&attributes, xc_int("bias_fix_point", bias));
  xc_qdq_add(&attributes, xc_int("output_fix_point", output));
  return xc_qdq_replace(match, kind, &attributes);
}

//===----------------------------------------------------------------------===//
// Several inputs
//===----------------------------------------------------------------------===//

static bool fold_nary(const qdq_match *match, xc_op_kind kind,
                      const char *type) {
  int64_t points[XC_MAX_OPERANDS], output;
  const char *nonlinear = xc_qdq_nonlinear(match, true);
  if (!nonlinear || !xc_qdq_output_point(match, &output))
    return false;
  for (size_t i = 0; i < match->num_inputs; ++i)
    if (!xc_qdq_input_point(match, i, &points[i]))
      return false;
  qdq_attributes attributes = {0};
  xc_qdq_copy(match, kind, &attributes);
  if (type) {
    xc_qdq_add(&attributes, xc_string("type", type));
    xc_qdq_add(&attributes, xc_string("nonlinear", nonlinear));
  }
  xc_qdq_add(&attributes,
             xc_ints("input_fix_point", points, match->num_inputs));
  xc_qdq_add(&attributes, xc_int("output_fix_point", output));
  return xc_qdq_replace(match, kind, &attributes);
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

// Attributes beyond those that are copied.
static bool fold_unary(const qdq_match *match, xc_op_kind kind,
                       const qdq_attributes *more) {
  int64_t input, output;
  if (!xc_qdq_input_point(match, 0, &input) ||
      !xc_qdq_output_point(match, &output))
    return false;
  qdq_attributes attributes = {0};
  xc_qdq_copy(match, kind, &attributes);
  for (size_t i = 0; i < more->count; ++i)
    xc_qdq_add(&attributes, more->list[i]);
  xc_qdq_add_points(&attributes, input, output);
  return xc_qdq_replace(match, kind, &attributes);
}

static bool is_power_of_two(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// Whether the average is multiplied so that it is the DPU's.
static bool has_dpu_factor(double factor, const int64_t kernel[2]) {
  const double tolerance = 1e-5;
  XcAvgFactor f = xcAvgPoolFactor(kernel[1], kernel[0]);
  double ratio = ldexp((double)(f.factor * kernel[0] * kernel[1]), -f.shift);
  return fabs(factor - ratio) <= tolerance;
}

// The 8-bit integer times 2^-fix_point that a number is.
static bool as_weight(double number, int8_t *weight, int64_t *fix_point) {
  enum { MOST = 30 };
  const double tolerance = 1e-6;
  for (*fix_point = 0; *fix_point < MOST; ++*fix_point) {
    double integer = ldexp(number, (int)*fix_point);
    *weight = (int8_t)nearbyint(integer);
    if (integer <= INT8_MAX && *weight != 0 &&
        fabs(integer / *weight - 1) < tolerance)
      return true;
  }
  return false;
}

// An average without padding times any other factor: a convolution of each
// channel with the same weight everywhere.
static bool fold_factor(const qdq_match *match, const int64_t kernel[2]) {
  int64_t pad[XC_MAX_INTS] = {0}, input, output, fix_point;
  int8_t weight;
  double number = match->factor / (double)(kernel[0] * kernel[1]);
  bool ceils = xc_attr_enum(&match->base, XC_ATTR_PAD_MODE) != XC_ENUM_FLOOR;
  xc_attr_ints(&match->base, XC_ATTR_PAD, pad);
  if (pad[0] || pad[1] || pad[2] || pad[3] || ceils ||
      xc_attr_bool(&match->base, XC_ATTR_GLOBAL) ||
      !as_weight(number, &weight, &fix_point) ||
      !xc_qdq_input_point(match, 0, &input) ||
      !xc_qdq_output_point(match, &output))
    return false;
  xc_shape shape = {.element = XC_ELEMENT_I8, .rank = 4};
  shape.dims[0] = 1;
  shape.dims[1] = kernel[1];
  shape.dims[2] = kernel[0];
  shape.dims[3] = xc_value_shape(match->inputs[0].source).dims[3];
  size_t count = (size_t)xc_shape_num_elements(&shape);
  int8_t *weights = xc_alloc(count);
  memset(weights, weight, count);
  xc_builder builder = xc_builder_before(match->base.operation);
  qdq_match product = *match;
  product.num_inputs = 2;
  product.inputs[1].source = xc_build_const_bytes(&builder, weights, &shape);
  free(weights);
  qdq_attributes attributes = {0};
  xc_qdq_copy(match, XC_TIR_DEPTHWISE_CONV2D_FIX, &attributes);
  xc_qdq_add(&attributes, xc_int("input_fix_point", input));
  xc_qdq_add(&attributes, xc_int("weight_fix_point", fix_point));
  xc_qdq_add(&attributes, xc_int("output_fix_point", output));
  return xc_qdq_replace(&product, XC_TIR_DEPTHWISE_CONV2D_FIX, &attributes);
}

// The DPU's factor is the quotient itself for windows of 2^n elements.
static bool fold_pool(const qdq_match *match) {
  bool is_average = match->base.info->kind == XC_TIR_AVGPOOL2D;
  bool global = xc_attr_bool(&match->base, XC_ATTR_GLOBAL);
  xc_shape input = xc_value_shape(match->inputs[0].source);
  int64_t kernel[XC_MAX_INTS] = {input.dims[2], input.dims[1]};
  if (!global)
    xc_attr_ints(&match->base, XC_ATTR_KERNEL, kernel);
  qdq_attributes more = {0};
  xc_qdq_add(&more, xc_string("type", is_average ? "AVG" : "MAX"));
  if (is_average) {
    static const xc_attr counts[] = {XC_ATTR_COUNT_INCLUDE_PAD,
                                     XC_ATTR_COUNT_INCLUDE_INVALID};
    for (size_t i = 0; i < 2; ++i)
      if (mlirAttributeIsNull(xc_attr_get(&match->base, counts[i])))
        xc_qdq_add(&more, xc_bool(xc_attr_name(counts[i]),
                                  xc_attr_bool(&match->base, counts[i])));
    bool is_dpu = match->factor != 1 && has_dpu_factor(match->factor, kernel);
    if (match->factor != 1 && !is_dpu)
      return fold_factor(match, kernel);
    xc_qdq_add(&more, xc_bool("exact", !is_dpu && !is_power_of_two(kernel[0] *
                                                                   kernel[1])));
  }
  return fold_unary(match, XC_TIR_POOL_FIX, &more);
}

static bool fold_pad(const qdq_match *match) {
  int64_t output;
  if (!xc_qdq_output_point(match, &output))
    return false;
  double constant =
      ldexp(xc_attr_float(&match->base, XC_ATTR_CONSTANT_VALUE), (int)output);
  if (constant != nearbyint(constant) || constant < INT8_MIN ||
      constant > INT8_MAX)
    return false;
  // The float attribute is not that of pad-fix: copied by name but the value.
  qdq_attributes more = {0}, attributes = {0};
  int64_t input;
  if (!xc_qdq_input_point(match, 0, &input))
    return false;
  xc_qdq_copy(match, XC_TIR_PAD_FIX, &attributes);
  for (size_t i = 0; i < attributes.count; ++i)
    if (strcmp(attributes.list[i].name, "constant_value") != 0)
      xc_qdq_add(&more, attributes.list[i]);
  xc_qdq_add(&more, xc_int("constant_value", (int64_t)constant));
  xc_qdq_add_points(&more, input, output);
  return xc_qdq_replace(match, XC_TIR_PAD_FIX, &more);
}

static bool fold_resize(const qdq_match *match) {
  int64_t factors[2];
  if (!xc_resize_repeats(&match->base, factors))
    return false;
  int64_t in, out;
  if (!xc_qdq_input_point(match, 0, &in) || !xc_qdq_output_point(match, &out))
    return false;
  qdq_attributes attributes = {0};
  xc_qdq_add(&attributes, xc_ints("scale", factors, 2));
  xc_qdq_add_points(&attributes, in, out);
  return xc_qdq_replace(match, XC_TIR_UPSAMPLE_FIX, &attributes);
}

// Squeeze and flatten are reshapes.
static bool fold_reshape(const qdq_match *match) {
  xc_shape result = xc_value_shape(xc_op_result(match->result.operation));
  int64_t input, output;
  if (!xc_qdq_input_point(match, 0, &input) ||
      !xc_qdq_output_point(match, &output))
    return false;
  qdq_attributes attributes = {0};
  xc_qdq_add(&attributes, xc_ints("shape", result.dims, result.rank));
  xc_qdq_add_points(&attributes, input, output);
  return xc_qdq_replace(match, XC_TIR_RESHAPE_FIX, &attributes);
}

// Operators that take nothing but other fix points.
static bool fold_own_form(const qdq_match *match) {
  const qdq_attributes none = {0};
  return fold_unary(match, match->base.info->fix_kind, &none);
}

static bool fold_weighted(const qdq_match *match) {
  return fold_product(match, match->base.info->fix_kind);
}

static bool fold_sum(const qdq_match *match) {
  return fold_nary(match, XC_TIR_ELTWISE_FIX, "ADD");
}

static bool fold_elements(const qdq_match *match) {
  return fold_nary(match, XC_TIR_ELTWISE_FIX, "MUL");
}

static bool fold_concat(const qdq_match *match) {
  return fold_nary(match, XC_TIR_CONCAT_FIX, NULL);
}

static bool fold_leaky_relu(const qdq_match *match) {
  return xc_qdq_is_dpu_leaky(&match->base) ? fold_own_form(match)
                                           : xc_qdq_fold_leaky(match);
}

bool xc_qdq_fold_fix(const qdq_match *match) {
  static const struct {
    xc_op_kind kind;
    bool (*fold)(const qdq_match *match);
  } rows[] = {
      {XC_TIR_CONV2D, fold_weighted},
      {XC_TIR_DEPTHWISE_CONV2D, fold_weighted},
      {XC_TIR_TRANSPOSED_CONV2D, fold_weighted},
      {XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D, fold_weighted},
      {XC_TIR_MATMUL, fold_weighted},
      {XC_TIR_ADD, fold_sum},
      {XC_TIR_MUL, fold_elements},
      {XC_TIR_CONCAT, fold_concat},
      {XC_TIR_MAXPOOL2D, fold_pool},
      {XC_TIR_AVGPOOL2D, fold_pool},
      {XC_TIR_RESIZE, fold_resize},
      {XC_TIR_PAD, fold_pad},
      {XC_TIR_RESHAPE, fold_reshape},
      {XC_TIR_SQUEEZE, fold_reshape},
      {XC_TIR_FLATTEN, fold_reshape},
      {XC_TIR_TRANSPOSE, fold_own_form},
      {XC_TIR_STRIDED_SLICE, fold_own_form},
      {XC_TIR_REORG, fold_own_form},
      {XC_TIR_GSTILING, fold_own_form},
      {XC_TIR_PIXEL_SHUFFLE, fold_own_form},
      {XC_TIR_REDUCTION_MAX, fold_own_form},
      {XC_TIR_REDUCTION_MEAN, fold_own_form},
      {XC_TIR_REDUCTION_SUM, fold_own_form},
      {XC_TIR_RELU, fold_own_form},
      {XC_TIR_RELU6, fold_own_form},
      {XC_TIR_LEAKY_RELU, fold_leaky_relu},
      {XC_TIR_PRELU, xc_qdq_fold_prelu},
      {XC_TIR_HARD_SIGMOID, xc_qdq_fold_hard_sigmoid},
      {XC_TIR_HARD_SWISH, xc_qdq_fold_hard_swish},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].kind == match->base.info->kind)
      return rows[i].fold(match);
  return false;
}
