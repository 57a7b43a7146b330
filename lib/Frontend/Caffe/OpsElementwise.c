//===- OpsElementwise.c - activations and arithmetic ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

static const MlirValue none = {NULL};

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

// detail: the operator.
bool xc_caffe_simple(xc_caffe_importer *im) {
  return xc_caffe_unary(im, (xc_op_kind)im->layer->row->detail, NULL);
}

// detail 6: between 0 and 6.
bool xc_caffe_relu(xc_caffe_importer *im) {
  double slope = xc_caffe_real(im, "negative_slope", 0);
  const xc_attribute alpha[] = {xc_float("alpha", slope)};
  if (im->layer->row->detail == 6)
    return xc_caffe_unary(im, XC_TIR_RELU6, NULL);
  return slope == 0
             ? xc_caffe_unary(im, XC_TIR_RELU, NULL)
             : xc_caffe_unary(im, XC_TIR_LEAKY_RELU, XC_ATTRIBUTES(alpha));
}

bool xc_caffe_elu(xc_caffe_importer *im) {
  const xc_attribute alpha[] = {
      xc_float("alpha", xc_caffe_real(im, "alpha", 1))};
  return xc_caffe_unary(im, XC_TIR_ELU, XC_ATTRIBUTES(alpha));
}

bool xc_caffe_clip(xc_caffe_importer *im) {
  const xc_attribute limits[] = {
      xc_float("min", xc_caffe_real(im, "min", (double)-FLT_MAX)),
      xc_float("max", xc_caffe_real(im, "max", (double)FLT_MAX))};
  return xc_caffe_unary(im, XC_TIR_CLIP, XC_ATTRIBUTES(limits));
}

// The slope is one number, or one for each channel.
bool xc_caffe_prelu(xc_caffe_importer *im) {
  enum { SLOPE_PAIR = 2 };
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 2, XC_MAX_RANK);
  if (!value)
    return false;
  bool shared = xc_caffe_bool(im, "channel_shared", false);
  int64_t dims[XC_MAX_RANK] = {1, shared ? 1 : value->shape.dims[1]};
  for (size_t i = 2; i < value->shape.rank; ++i)
    dims[i] = 1;
  xc_graph_value *slope =
      xc_caffe_blob(im, 0, CAFFE_SLOPE, dims, value->shape.rank, 0);
  if (!slope)
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue operands[] = {
      xc_graph_get(&im->graph, value, &order),
      xc_caffe_fix_weight(im, "slope_fix",
                          xc_graph_get(&im->graph, slope, &order), SLOPE_PAIR)};
  return xc_caffe_top_computed(im, 0,
                               xc_graph_emit(&im->graph, NULL, XC_TIR_PRELU,
                                             operands, 2, NULL,
                                             XC_ELEMENT_NONE),
                               &order);
}

bool xc_caffe_softmax(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  size_t axis;
  if (!value || !xc_graph_axis(&im->graph, xc_caffe_int(im, "axis", 1),
                               value->shape.rank, &axis))
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  const xc_attribute attributes[] = {
      xc_int("axis", (int64_t)xc_graph_position(&order, axis))};
  return xc_caffe_unary(im, XC_TIR_SOFTMAX, XC_ATTRIBUTES(attributes));
}

//===----------------------------------------------------------------------===//
// Functions of shift + scale * x
//===----------------------------------------------------------------------===//

// Returns the bottom times `scale` plus `shift`, in the cheapest order.
static MlirValue emit_affine(xc_caffe_importer *im, xc_graph_value *value,
                             double scale, double shift,
                             xc_graph_order *order) {
  *order = xc_graph_cheapest(value);
  MlirValue x = xc_graph_get(&im->graph, value, order);
  if (scale != 1)
    x = xc_graph_emit_with(&im->graph, "scale", XC_TIR_MUL, x, scale);
  if (shift != 0)
    x = xc_graph_emit_with(&im->graph, "shift", XC_TIR_ADD, x, shift);
  return x;
}

// (shift + scale * x)^power
bool xc_caffe_power(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  double power = xc_caffe_real(im, "power", 1);
  double scale = xc_caffe_real(im, "scale", 1),
         shift = xc_caffe_real(im, "shift", 0);
  xc_graph_order order;
  if (!value || xc_graph_failed(&im->graph))
    return false;
  MlirValue x = emit_affine(im, value, scale, shift, &order);
  if (power == 2)
    x = xc_graph_emit_binary(&im->graph, NULL, XC_TIR_MUL, x, x);
  else if (power != 1)
    x = xc_graph_emit_with(&im->graph, NULL, XC_TIR_POW, x, power);
  return xc_caffe_top_computed(im, 0, x, &order);
}

// The natural logarithm of the base; -1 stands for e.
static bool log_of_base(xc_caffe_importer *im, double *result) {
  double base = xc_caffe_real(im, "base", -1);
  *result = base == -1 ? 1 : log(base);
  return (base == -1 || (base > 0 && base != 1 && isfinite(base))) ||
         xc_caffe_error(im, "its base is %g", base);
}

// base^(shift + scale * x)
bool xc_caffe_exp(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  double factor;
  double scale = xc_caffe_real(im, "scale", 1),
         shift = xc_caffe_real(im, "shift", 0);
  xc_graph_order order;
  if (!value || !log_of_base(im, &factor))
    return false;
  MlirValue x = emit_affine(im, value, scale * factor, shift * factor, &order);
  x = xc_graph_emit_binary(&im->graph, NULL, XC_TIR_EXP, x, none);
  return xc_caffe_top_computed(im, 0, x, &order);
}

// The logarithm of shift + scale * x.
bool xc_caffe_log(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  double factor;
  double scale = xc_caffe_real(im, "scale", 1),
         shift = xc_caffe_real(im, "shift", 0);
  xc_graph_order order;
  if (!value || !log_of_base(im, &factor))
    return false;
  MlirValue x = emit_affine(im, value, scale, shift, &order);
  bool is_natural = factor == 1;
  x = xc_graph_emit_binary(&im->graph, is_natural ? NULL : "log", XC_TIR_LOG, x,
                           none);
  if (!is_natural)
    x = xc_graph_emit_with(&im->graph, NULL, XC_TIR_MUL, x, 1 / factor);
  return xc_caffe_top_computed(im, 0, x, &order);
}

// x * sigmoid(beta * x)
bool xc_caffe_swish(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  double beta = xc_caffe_real(im, "beta", 1);
  xc_graph_order order;
  if (!value || xc_graph_failed(&im->graph))
    return false;
  MlirValue gate = emit_affine(im, value, beta, 0, &order);
  gate =
      xc_graph_emit_binary(&im->graph, "sigmoid", XC_TIR_SIGMOID, gate, none);
  MlirValue x = xc_graph_get(&im->graph, value, &order);
  return xc_caffe_top_computed(
      im, 0, xc_graph_emit_binary(&im->graph, NULL, XC_TIR_MUL, x, gate),
      &order);
}

//===----------------------------------------------------------------------===//
// Several bottoms
//===----------------------------------------------------------------------===//

// Whether bottoms [first, end) have the same shape.
static bool same_shapes(xc_caffe_importer *im, xc_graph_value *const *values,
                        size_t first, size_t end) {
  for (size_t i = first + 1; i < end; ++i) {
    const xc_shape *a = &values[first]->shape, *b = &values[i]->shape;
    bool same = a->rank == b->rank;
    for (size_t d = 0; same && d < a->rank; ++d)
      same = a->dims[d] == b->dims[d];
    if (same)
      continue;
    xc_text left = {0}, right = {0};
    xc_shape_print(a, &left);
    xc_shape_print(b, &right);
    xc_caffe_error(im, "bottom '%s' is %s, but '%s' is %s",
                   im->layer->bottoms[first], xc_text_str(&left),
                   im->layer->bottoms[i], xc_text_str(&right));
    xc_text_free(&left);
    xc_text_free(&right);
    return false;
  }
  return true;
}

static MlirValue weighted(xc_caffe_importer *im, MlirValue value,
                          float factor) {
  return factor == 1 ? value
                     : xc_graph_emit_with(&im->graph, "coeff", XC_TIR_MUL,
                                          value, (double)factor);
}

bool xc_caffe_eltwise(xc_caffe_importer *im) {
  enum { PROD, SUM, MAX };
  static const char *const words[] = {"PROD", "SUM", "MAX"};
  static const xc_op_kind kinds[] = {XC_TIR_MUL, XC_TIR_ADD, XC_TIR_MAX};
  size_t operation = xc_caffe_enum(im, "operation", words, 3, SUM);
  size_t count = im->layer->num_bottoms;
  xc_graph *g = &im->graph;
  xc_graph_value **values =
      xc_arena_alloc(&g->arena, count + 1, sizeof(*values));
  MlirValue *operands = xc_arena_alloc(&g->arena, count + 1, sizeof(*operands));
  float *factors = xc_arena_alloc(&g->arena, count + 1, sizeof(*factors));
  size_t given = xc_caffe_reals(im, "coeff", factors, count);
  xc_graph_order order;
  if (count < 2)
    return xc_caffe_error(im, "it has %zu bottom%s, expected several", count,
                          count == 1 ? "" : "s");
  if ((given && given != count) || (given && operation != SUM))
    return xc_caffe_error(im, "%zu bottoms with %zu coefficients", count,
                          given);
  for (size_t i = 0; i < count; ++i)
    if (!(values[i] = xc_caffe_bottom(im, i)))
      return false;
  if (!same_shapes(im, values, 0, count) ||
      !xc_graph_broadcast(g, values, count, operands, &order))
    return false;
  MlirValue x = given ? weighted(im, operands[0], factors[0]) : operands[0];
  for (size_t i = 1; i < count; ++i) {
    const char *part = i + 1 == count ? NULL : "partial";
    bool is_difference = given && factors[i] == -1;
    MlirValue y = given && !is_difference
                      ? weighted(im, operands[i], factors[i])
                      : operands[i];
    x = xc_graph_emit_binary(
        g, part, is_difference ? XC_TIR_SUB : kinds[operation], x, y);
  }
  return xc_caffe_top_computed(im, 0, x, &order);
}

// Returns the factors of Axpy as the rank of the image needs them: one for each
// channel, with dimensions of 1 after it or without.
static xc_graph_value *channel_factors(xc_caffe_importer *im,
                                       xc_graph_value *factors,
                                       const xc_shape *image) {
  int64_t dims[XC_MAX_RANK];
  bool fits = factors->shape.rank >= 2 && factors->shape.rank <= image->rank;
  for (size_t i = 0; i < image->rank; ++i)
    dims[i] = i < 2 ? image->dims[i] : 1;
  for (size_t i = 0; fits && i < factors->shape.rank; ++i)
    fits = factors->shape.dims[i] == dims[i];
  if (fits && factors->shape.rank == image->rank)
    return factors;
  if (fits)
    return xc_graph_reshape(&im->graph, factors, dims, image->rank);
  xc_text text = {0};
  xc_shape_print(&factors->shape, &text);
  xc_caffe_error(im,
                 "bottom '%s' is %s, expected a factor for each of the %" PRId64
                 " channels of '%s'",
                 im->layer->bottoms[0], xc_text_str(&text), image->dims[1],
                 im->layer->bottoms[1]);
  xc_text_free(&text);
  return NULL;
}

// a * x + y of bottoms a, x and y.
bool xc_caffe_axpy(xc_caffe_importer *im) {
  enum { FACTORS, X, Y, COUNT };
  xc_graph_value *values[COUNT] = {
      xc_caffe_bottom(im, FACTORS),
      xc_caffe_bottom_of_rank(im, X, 2, XC_MAX_RANK), xc_caffe_bottom(im, Y)};
  MlirValue operands[COUNT];
  xc_graph_order order;
  if (!values[FACTORS] || !values[X] || !values[Y] ||
      !same_shapes(im, values, X, COUNT))
    return false;
  values[FACTORS] = channel_factors(im, values[FACTORS], &values[X]->shape);
  if (!values[FACTORS] ||
      !xc_graph_broadcast(&im->graph, values, COUNT, operands, &order))
    return false;
  MlirValue product = xc_graph_emit_binary(&im->graph, "scaled", XC_TIR_MUL,
                                           operands[X], operands[FACTORS]);
  return xc_caffe_top_computed(
      im, 0,
      xc_graph_emit_binary(&im->graph, NULL, XC_TIR_ADD, product, operands[Y]),
      &order);
}

//===----------------------------------------------------------------------===//
// Layers that compute nothing
//===----------------------------------------------------------------------===//

bool xc_caffe_identity(xc_caffe_importer *im) {
  return xc_caffe_top(im, 0, xc_caffe_bottom(im, 0));
}

bool xc_caffe_split(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  for (size_t i = 0; value && i < im->layer->num_tops; ++i)
    if (!xc_caffe_top(im, i, value))
      return false;
  return value != NULL;
}
