//===- Linear.c - DQ, operator, Q into a qlinear operator -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Qdq.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHT = 1, BIAS = 2 };

static bool is_quant(xc_element element) {
  return element == XC_ELEMENT_I8 || element == XC_ELEMENT_UI8 ||
         element == XC_ELEMENT_I16 || element == XC_ELEMENT_UI16;
}

static bool is_quant_weight(xc_element element) {
  return element == XC_ELEMENT_I8 || element == XC_ELEMENT_UI8;
}

/// A quantised tensor with one scale.
static bool is_plain_input(const qdq_match *match, size_t index) {
  return match->has_input[index] && match->inputs[index].count == 1 &&
         is_quant(match->inputs[index].element);
}

static void add_output(const qdq_match *match, qdq_attributes *attributes) {
  xc_qdq_add(attributes, xc_float("output_scale", match->result.scale));
  xc_qdq_add(attributes, xc_int("output_zero_point", match->result.zero_point));
  xc_qdq_add(attributes, xc_string("flavor", "ONNX"));
}

static void add_input(const qdq_match *match, qdq_attributes *attributes) {
  xc_qdq_add(attributes, xc_float("input_scale", match->inputs[0].scale));
  xc_qdq_add(attributes,
             xc_int("input_zero_point", match->inputs[0].zero_point));
}

//===----------------------------------------------------------------------===//
// Convolution and matrix product
//===----------------------------------------------------------------------===//

// Returns the axis along which weight scales may differ, per operator.
static int64_t channel_axis(const qdq_match *match) {
  switch ((int)match->base.info->kind) {
  case XC_TIR_DEPTHWISE_CONV2D:
    return 3;
  case XC_TIR_MATMUL:
    return xc_attr_bool(&match->base, XC_ATTR_TRANSPOSE_B) ? 0 : 1;
  default:
    return 0;
  }
}

static bool adaptor_of_weight(const qdq_match *match, xc_adaptor *dequantize) {
  const qdq_linear *weight = &match->inputs[WEIGHT];
  return match->num_inputs > WEIGHT && match->has_input[WEIGHT] &&
         is_quant_weight(weight->element) &&
         xc_adaptor_of(weight->operation, dequantize) &&
         (weight->count == 1 ||
          xc_attr_int(dequantize, XC_ATTR_AXIS) == channel_axis(match));
}

// A bias has the scale of the products that it is added to.
static bool bias_fits(const qdq_match *match, const double *scales,
                      size_t count) {
  const double tolerance = 1e-4;
  const qdq_linear *bias = &match->inputs[BIAS];
  xc_adaptor adaptor;
  if (match->num_inputs <= BIAS)
    return true;
  if (!match->has_input[BIAS] || bias->element != XC_ELEMENT_I32 ||
      (bias->count != 1 && bias->count != count) ||
      !xc_adaptor_of(bias->operation, &adaptor))
    return false;
  double *own = xc_alloc_array(bias->count, sizeof(*own));
  xc_attr_floats(&adaptor, XC_ATTR_SCALE, own, bias->count);
  bool fits = true;
  for (size_t i = 0; i < count && fits; ++i) {
    double expected = match->inputs[0].scale * scales[i];
    double found = own[bias->count == 1 ? 0 : i];
    fits = xc_attr_int_at(&adaptor, XC_ATTR_ZERO_POINT,
                          bias->count == 1 ? 0 : i) == 0 &&
           fabs(found - expected) <= tolerance * expected;
  }
  free(own);
  return fits;
}

static bool fold_product(const qdq_match *match, xc_op_kind kind) {
  xc_adaptor weight;
  const char *nonlinear = xc_qdq_nonlinear(match, false);
  if (!nonlinear || !is_plain_input(match, 0) ||
      !adaptor_of_weight(match, &weight))
    return false;
  size_t count = match->inputs[WEIGHT].count;
  double *scales = xc_alloc_array(count, sizeof(*scales));
  xc_attr_floats(&weight, XC_ATTR_SCALE, scales, count);
  bool fits = bias_fits(match, scales, count);
  free(scales);
  if (!fits)
    return false;
  qdq_attributes attributes = {0};
  xc_qdq_copy(match, kind, &attributes);
  xc_qdq_add(&attributes, xc_string("nonlinear", nonlinear));
  add_input(match, &attributes);
  xc_qdq_add(&attributes,
             xc_given("weight_scale", xc_attr_get(&weight, XC_ATTR_SCALE)));
  xc_qdq_add(&attributes, xc_given("weight_zero_point",
                                   xc_attr_get(&weight, XC_ATTR_ZERO_POINT)));
  add_output(match, &attributes);
  return xc_qdq_replace(match, kind, &attributes);
}

//===----------------------------------------------------------------------===//
// Elementwise, concat
//===----------------------------------------------------------------------===//

static bool fold_eltwise(const qdq_match *match, const char *type) {
  const char *nonlinear = xc_qdq_nonlinear(match, false);
  if (!nonlinear || !is_plain_input(match, 0) || !is_plain_input(match, 1))
    return false;
  qdq_attributes attributes = {0};
  xc_qdq_add(&attributes, xc_string("type", type));
  xc_qdq_add(&attributes, xc_string("nonlinear", nonlinear));
  xc_qdq_add(&attributes, xc_float("a_scale", match->inputs[0].scale));
  xc_qdq_add(&attributes, xc_int("a_zero_point", match->inputs[0].zero_point));
  xc_qdq_add(&attributes, xc_float("b_scale", match->inputs[1].scale));
  xc_qdq_add(&attributes, xc_int("b_zero_point", match->inputs[1].zero_point));
  add_output(match, &attributes);
  return xc_qdq_replace(match, XC_TIR_QLINEAR_ELTWISE, &attributes);
}

static bool fold_concat(const qdq_match *match) {
  float scales[XC_MAX_OPERANDS];
  int64_t zero_points[XC_MAX_OPERANDS];
  for (size_t i = 0; i < match->num_inputs; ++i) {
    if (!is_plain_input(match, i) ||
        match->inputs[i].element != match->result.element)
      return false;
    scales[i] = (float)match->inputs[i].scale;
    zero_points[i] = match->inputs[i].zero_point;
  }
  qdq_attributes attributes = {0};
  xc_qdq_copy(match, XC_TIR_QLINEAR_CONCAT, &attributes);
  xc_qdq_add(&attributes, xc_floats("input_scale", scales, match->num_inputs));
  xc_qdq_add(&attributes,
             xc_ints("input_zero_point", zero_points, match->num_inputs));
  add_output(match, &attributes);
  return xc_qdq_replace(match, XC_TIR_QLINEAR_CONCAT, &attributes);
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

static bool fold_unary(const qdq_match *match, xc_op_kind kind,
                       const char *type) {
  if (!is_plain_input(match, 0) ||
      match->inputs[0].element != match->result.element)
    return false;
  qdq_attributes attributes = {0};
  xc_qdq_copy(match, kind, &attributes);
  if (type)
    xc_qdq_add(&attributes, xc_string("type", type));
  add_input(match, &attributes);
  add_output(match, &attributes);
  return xc_qdq_replace(match, kind, &attributes);
}

// Folds a resize. One that qlinear-resize has no attributes for stays in float.
static bool fold_resize(const qdq_match *match) {
  const xc_adaptor *adaptor = &match->base;
  bool is_plain =
      xc_attr_is(adaptor, XC_ATTR_COORDINATE_MODE, XC_ENUM_DEFAULT) &&
      !xc_attr_is(adaptor, XC_ATTR_MODE, XC_ENUM_BICUBIC) &&
      xc_attr_is(adaptor, XC_ATTR_NEAREST_MODE, XC_ENUM_FLOOR) &&
      !xc_attr_bool(adaptor, XC_ATTR_ANTIALIAS) &&
      xc_attr_floats(adaptor, XC_ATTR_SCALE, NULL, 0) == 0;
  return is_plain && fold_unary(match, XC_TIR_QLINEAR_RESIZE, NULL);
}

// Moving elements does not care what they mean.
static bool fold_move(const qdq_match *match) {
  const qdq_linear *input = &match->inputs[0];
  if (!is_plain_input(match, 0) || input->scale != match->result.scale ||
      input->zero_point != match->result.zero_point ||
      input->element != match->result.element)
    return false;
  qdq_attributes attributes = {0};
  xc_qdq_copy(match, match->base.info->kind, &attributes);
  return xc_qdq_replace(match, match->base.info->kind, &attributes);
}

bool xc_qdq_fold_linear(const qdq_match *match) {
  if (!is_quant(match->result.element))
    return false;
  switch ((int)match->base.info->kind) {
  case XC_TIR_CONV2D:
    return fold_product(match, XC_TIR_QLINEAR_CONV2D);
  case XC_TIR_DEPTHWISE_CONV2D:
    return fold_product(match, XC_TIR_QLINEAR_DEPTHWISE_CONV2D);
  case XC_TIR_TRANSPOSED_CONV2D:
    return fold_product(match, XC_TIR_QLINEAR_TRANSPOSED_CONV2D);
  case XC_TIR_MATMUL:
    return fold_product(match, XC_TIR_QLINEAR_MATMUL);
  case XC_TIR_ADD:
    return fold_eltwise(match, "ADD");
  case XC_TIR_MUL:
    return fold_eltwise(match, "MUL");
  case XC_TIR_CONCAT:
    return fold_concat(match);
  case XC_TIR_MAXPOOL2D:
    return fold_unary(match, XC_TIR_QLINEAR_POOL, "MAX");
  case XC_TIR_AVGPOOL2D:
    return fold_unary(match, XC_TIR_QLINEAR_POOL, "AVG");
  case XC_TIR_RELU:
    return fold_unary(match, XC_TIR_QLINEAR_ACTIVATION, "RELU");
  case XC_TIR_RELU6:
    return fold_unary(match, XC_TIR_QLINEAR_ACTIVATION, "RELU6");
  case XC_TIR_LEAKY_RELU:
    return fold_unary(match, XC_TIR_QLINEAR_ACTIVATION, "LEAKYRELU");
  case XC_TIR_SIGMOID:
    return fold_unary(match, XC_TIR_QLINEAR_ACTIVATION, "SIGMOID");
  case XC_TIR_TANH:
    return fold_unary(match, XC_TIR_QLINEAR_ACTIVATION, "TANH");
  case XC_TIR_SOFTMAX:
    return fold_unary(match, XC_TIR_QLINEAR_SOFTMAX, NULL);
  case XC_TIR_RESIZE:
    return fold_resize(match);
  default:
    return match->base.info->only_moves && fold_move(match);
  }
}
