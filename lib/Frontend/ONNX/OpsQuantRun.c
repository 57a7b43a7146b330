//===- OpsQuantRun.c - scales computed at run time ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <string.h>

static const MlirValue none = {NULL};

static MlirValue emit_cast(xc_onnx_importer *im, const char *suffix,
                           MlirValue value, xc_element element) {
  xc_shape shape;
  if (mlirValueIsNull(value))
    return value;
  xc_shape_of_type(mlirValueGetType(value), &shape);
  return shape.element == element
             ? value
             : xc_graph_emit_cast(&im->graph, suffix, value, element);
}

static MlirValue emit_clip(xc_onnx_importer *im, MlirValue value, double low,
                           double high) {
  xc_attribute attributes[] = {xc_float("min", low), xc_float("max", high)};
  return xc_graph_emit(&im->graph, "saturate", XC_TIR_CLIP, &value, 1,
                       &(xc_attributes){attributes, 2}, XC_ELEMENT_NONE);
}

// Returns a scale or zero point as it is broadcast to the input, in f32.
static MlirValue get_factor(xc_onnx_importer *im, size_t index,
                            const xc_graph_value *input,
                            const xc_graph_order *order) {
  xc_graph_value *value = xc_onnx_input(im, index);
  int64_t dims[XC_MAX_RANK], size = xc_shape_num_elements(&value->shape);
  size_t axis = 0;
  if (size == 1)
    return emit_cast(
        im, "factor",
        xc_graph_get_plain(&im->graph,
                           xc_graph_reshape(&im->graph, value, NULL, 0)),
        XC_ELEMENT_F32);
  if (!xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 1), input->shape.rank,
                     &axis))
    return none;
  if (value->shape.rank != 1 || size != input->shape.dims[axis]) {
    xc_onnx_error(im,
                  "input %zu has %" PRId64 " elements, expected 1 or %" PRId64,
                  index, size, input->shape.dims[axis]);
    return none;
  }
  for (size_t i = 0; i < input->shape.rank; ++i)
    dims[i] = i == axis ? size : 1;
  value = xc_graph_reshape(&im->graph, value, dims, input->shape.rank);
  return value ? emit_cast(im, "factor", xc_graph_get(&im->graph, value, order),
                           XC_ELEMENT_F32)
               : none;
}

// round(x / scale) + zero, saturated.
static MlirValue emit_quantized(xc_onnx_importer *im, MlirValue x,
                                MlirValue scale, MlirValue zero,
                                xc_element element) {
  x = xc_graph_emit_binary(&im->graph, "scaled", XC_TIR_DIV, x, scale);
  x = xc_graph_emit_binary(&im->graph, "round", XC_TIR_ROUND, x, none);
  if (!mlirValueIsNull(zero))
    x = xc_graph_emit_binary(&im->graph, "shift", XC_TIR_ADD, x, zero);
  bool is_signed = element == XC_ELEMENT_I8;
  x = emit_clip(im, x, is_signed ? -128 : 0, is_signed ? 127 : 255);
  return xc_graph_emit(&im->graph, NULL, XC_TIR_CAST, &x, 1, NULL, element);
}

static MlirValue emit_dequantized(xc_onnx_importer *im, MlirValue x,
                                  MlirValue scale, MlirValue zero) {
  x = emit_cast(im, "real", x, XC_ELEMENT_F32);
  if (!mlirValueIsNull(zero))
    x = xc_graph_emit_binary(&im->graph, "shift", XC_TIR_SUB, x, zero);
  MlirValue both[] = {x, scale};
  return xc_graph_emit(&im->graph, NULL, XC_TIR_MUL, both, 2, NULL,
                       XC_ELEMENT_NONE);
}

bool xc_onnx_quantize_at_run_time(xc_onnx_importer *im, bool quantizes,
                                  xc_element element) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value) ||
      (quantizes && element != XC_ELEMENT_I8 && element != XC_ELEMENT_UI8))
    return xc_onnx_error(im, "has a scale that is computed at run time and "
                             "is not for 8-bit integers");
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue input = xc_graph_get(&im->graph, value, &order);
  MlirValue scale = get_factor(im, 1, value, &order), zero = none;
  if (xc_onnx_has_input(im, 2)) {
    zero = get_factor(im, 2, value, &order);
    if (mlirValueIsNull(zero))
      return false;
  }
  if (mlirValueIsNull(scale))
    return false;
  return xc_onnx_result(im, 0,
                        quantizes
                            ? emit_quantized(im, input, scale, zero, element)
                            : emit_dequantized(im, input, scale, zero),
                        &order);
}

// Returns the largest of all elements and 0, a scalar.
static MlirValue emit_top(xc_onnx_importer *im, const xc_graph_value *value,
                          MlirValue x, xc_graph_order order) {
  xc_onnx_reduction_axes all = {.order = order, .count = value->shape.rank};
  for (size_t i = 0; i < all.count; ++i)
    all.axes[i] = (int64_t)i;
  if (all.count)
    x = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MAX, x, &all);
  return xc_graph_emit_with(&im->graph, "top", XC_TIR_MAX, x, 0);
}

static bool is_integer_product(const Onnx__NodeProto *node) {
  return strcmp(node->op_type, "ConvInteger") == 0 ||
         strcmp(node->op_type, "MatMulInteger") == 0;
}

// Whether nothing but products reads the integers, as their operands and zero
// points, and what else reads the zero point subtracts it in a product, too.
static bool feeds_products(const xc_onnx_importer *im) {
  const char *names[] = {im->node->output[0], im->node->output[2]};
  for (size_t k = 0; k < 2; ++k) {
    for (size_t i = 0; i < im->scope->n_output; ++i)
      if (strcmp(im->scope->output[i]->name, names[k]) == 0)
        return false;
    for (size_t i = 0; i < im->scope->n_node; ++i) {
      const Onnx__NodeProto *node = im->scope->node[i];
      for (size_t a = 0; a < node->n_attribute; ++a)
        if (node->attribute[a]->g)
          return false;
      for (size_t n = 0; n < node->n_input; ++n)
        if (strcmp(node->input[n], names[k]) == 0 && !is_integer_product(node))
          return false;
    }
  }
  return true;
}

// The floats as they are, which the products take as well.
static bool leave_real(xc_onnx_importer *im, const xc_graph_value *value) {
  xc_graph_order plain = xc_graph_identity(0);
  return xc_onnx_result_alias(im, 0, value) &&
         xc_onnx_result(im, 1,
                        xc_graph_emit_number(&im->graph, 1, XC_ELEMENT_F32),
                        &plain) &&
         xc_onnx_result(im, 2,
                        xc_graph_emit_number(&im->graph, 0, XC_ELEMENT_UI8),
                        &plain);
}

// 8 bits without sign from the smallest to the largest element, 0 among them.
bool xc_onnx_dynamic_quantize(xc_onnx_importer *im) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  if (im->graph.options.dequantizeWeights && im->node->n_output == 3 &&
      feeds_products(im))
    return leave_real(im, value);
  xc_graph_order order = xc_graph_cheapest(value);
  xc_graph_order plain = xc_graph_identity(0);
  MlirValue x = xc_graph_get(&im->graph, value, &order);
  MlirValue high = emit_top(im, value, x, order);
  MlirValue low = emit_top(
      im, value, xc_graph_emit_binary(&im->graph, "neg", XC_TIR_NEG, x, none),
      order); // without its sign
  MlirValue range =
      xc_graph_emit_binary(&im->graph, "range", XC_TIR_ADD, high, low);
  // Nothing but zeros has a scale of 1.
  const xc_attribute equal = xc_string("predicate", "EQ");
  const MlirValue both[] = {
      range, xc_graph_emit_number(&im->graph, 0, XC_ELEMENT_F32)};
  const MlirValue choice[] = {
      xc_graph_emit(&im->graph, "empty", XC_TIR_COMPARE, both, 2,
                    &(xc_attributes){&equal, 1}, XC_ELEMENT_I1),
      xc_graph_emit_number(&im->graph, 1, XC_ELEMENT_F32),
      xc_graph_emit_with(&im->graph, "scale", XC_TIR_DIV, range, 255)};
  MlirValue scale = xc_graph_emit(&im->graph, "scale", XC_TIR_SELECT, choice, 3,
                                  NULL, XC_ELEMENT_F32);
  MlirValue zero =
      xc_graph_emit_binary(&im->graph, "zero", XC_TIR_DIV, low, scale);
  zero = xc_graph_emit_binary(&im->graph, "zero", XC_TIR_ROUND, zero, none);
  zero = emit_clip(im, zero, 0, 255);
  return xc_onnx_result(im, 0,
                        emit_quantized(im, x, scale, zero, XC_ELEMENT_UI8),
                        &order) &&
         xc_onnx_result(im, 1, scale, &plain) &&
         xc_onnx_result(im, 2, emit_cast(im, "point", zero, XC_ELEMENT_UI8),
                        &plain);
}
