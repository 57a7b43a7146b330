//===- OpsNormalize.c - normalisations ------------------------------------===//
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

xc_onnx_moments xc_onnx_emit_moments(xc_onnx_importer *im, MlirValue input,
                                     xc_onnx_reduction_axes *r,
                                     double epsilon) {
  xc_onnx_moments m;
  r->keep_dims = true;
  m.mean = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MEAN, input, r);
  MlirValue shifted =
      xc_graph_emit_binary(&im->graph, "shift", XC_TIR_SUB, input, m.mean);
  MlirValue square =
      xc_graph_emit_binary(&im->graph, "square", XC_TIR_MUL, shifted, shifted);
  m.variance = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MEAN, square, r);
  MlirValue safe = xc_graph_emit_with(&im->graph, "epsilon", XC_TIR_ADD,
                                      m.variance, epsilon);
  m.deviation =
      xc_graph_emit_binary(&im->graph, "sqrt", XC_TIR_SQRT, safe, none);
  m.normal = xc_graph_emit_binary(&im->graph, "normal", XC_TIR_DIV, shifted,
                                  m.deviation);
  return m;
}

// With the epsilon that the node has.
static xc_onnx_moments emit_moments(xc_onnx_importer *im, MlirValue input,
                                    xc_onnx_reduction_axes *r) {
  return xc_onnx_emit_moments(im, input, r,
                              (double)xc_onnx_float(im, "epsilon", 1e-5f));
}

// Returns a vector of a number for each channel, as it is broadcast to `like`.
static MlirValue get_channels(xc_onnx_importer *im, const xc_graph_value *like,
                              xc_graph_value *vector,
                              const xc_graph_order *order) {
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < like->shape.rank; ++i)
    dims[i] = i == 1 ? like->shape.dims[1] : 1;
  if (xc_shape_num_elements(&vector->shape) != dims[1]) {
    xc_onnx_error(im, "'%s' has %" PRId64 " elements, expected %" PRId64,
                  vector->name, xc_shape_num_elements(&vector->shape), dims[1]);
    return none;
  }
  xc_graph_value *value =
      xc_graph_reshape(&im->graph, vector, dims, like->shape.rank);
  return value ? xc_graph_get(&im->graph, value, order) : none;
}

// normal * in[1] + in[2]
static MlirValue emit_affine(xc_onnx_importer *im, xc_graph_value *const *in,
                             MlirValue normal, const xc_graph_order *order) {
  normal = xc_graph_emit_binary(&im->graph, "scale", XC_TIR_MUL, normal,
                                get_channels(im, in[0], in[1], order));
  return xc_graph_emit_binary(&im->graph, "bias", XC_TIR_ADD, normal,
                              get_channels(im, in[0], in[2], order));
}

// momentum * old + (1 - momentum) * new, as a vector.
static bool result_running(xc_onnx_importer *im, size_t index,
                           xc_graph_value *old, MlirValue new) {
  double momentum = (double)xc_onnx_float(im, "momentum", 0.9f);
  if (!xc_onnx_has_output(im, index))
    return true;
  xc_attribute shape = xc_ints("shape", old->shape.dims, 1);
  new = xc_graph_emit(&im->graph, "vector", XC_TIR_RESHAPE, &new, 1,
                      &(xc_attributes){&shape, 1}, XC_ELEMENT_NONE);
  new = xc_graph_emit_with(&im->graph, "new", XC_TIR_MUL, new, 1 - momentum);
  MlirValue kept =
      xc_graph_emit_with(&im->graph, "old", XC_TIR_MUL,
                         xc_graph_get_plain(&im->graph, old), momentum);
  return xc_onnx_result_plain(
      im, index,
      xc_graph_emit_binary(&im->graph, "running", XC_TIR_ADD, kept, new));
}

// Training: the statistics are those of the batch.
static bool normalize_batch(xc_onnx_importer *im, xc_graph_value *const *in) {
  xc_onnx_reduction_axes r = {.order = xc_graph_cheapest(in[0])};
  ++im->num_training;
  for (size_t i = 0; i < in[0]->shape.rank; ++i)
    if (i != 1)
      r.axes[r.count++] = (int64_t)xc_graph_position(&r.order, i);
  xc_onnx_moments m =
      emit_moments(im, xc_graph_get(&im->graph, in[0], &r.order), &r);
  return xc_onnx_result(im, 0, emit_affine(im, in, m.normal, &r.order),
                        &r.order) &&
         result_running(im, 1, in[3], m.mean) &&
         result_running(im, 2, in[4], m.variance);
}

bool xc_onnx_batch_normalization(xc_onnx_importer *im) {
  xc_graph_value *in[5];
  for (size_t i = 0; i < 5; ++i)
    if (!xc_onnx_need_input(im, i, &in[i]))
      return false;
  if (!xc_onnx_check_rank(im, in[0], 2, XC_MAX_RANK))
    return false;
  if (xc_onnx_int(im, "training_mode", 0))
    return normalize_batch(im, in);
  if (xc_onnx_has_output(im, 1))
    return xc_onnx_error(im, "has outputs of training: export the model for "
                             "inference");
  if (!xc_onnx_int(im, "spatial", 1))
    return xc_onnx_error(im, "has one statistic per element ('spatial' is "
                             "0), expected one per channel");
  xc_graph_order order = xc_graph_cheapest(in[0]);
  // Statistics are vectors; tir wants gamma and beta after them.
  MlirValue operands[] = {xc_graph_get(&im->graph, in[0], &order),
                          xc_graph_get_plain(&im->graph, in[3]),
                          xc_graph_get_plain(&im->graph, in[4]),
                          xc_graph_get_plain(&im->graph, in[1]),
                          xc_graph_get_plain(&im->graph, in[2])};
  xc_attribute attributes[] = {
      xc_float("epsilon", (double)xc_onnx_float(im, "epsilon", 1e-5f)),
      xc_int("axis", (int64_t)xc_graph_position(&order, 1))};
  return xc_onnx_emit_result(im, XC_TIR_BATCHNORM, operands, 5,
                             &(xc_attributes){attributes, 2}, XC_ELEMENT_NONE,
                             &order);
}

bool xc_onnx_instance_normalization(xc_onnx_importer *im) {
  xc_graph_value *in[3];
  for (size_t i = 0; i < 3; ++i)
    if (!xc_onnx_need_input(im, i, &in[i]))
      return false;
  if (!xc_onnx_check_rank(im, in[0], 3, XC_MAX_RANK))
    return false;
  xc_onnx_reduction_axes r = {.order = xc_graph_cheapest(in[0])};
  for (size_t i = 2; i < in[0]->shape.rank; ++i)
    r.axes[r.count++] = (int64_t)xc_graph_position(&r.order, i);
  xc_onnx_moments m =
      emit_moments(im, xc_graph_get(&im->graph, in[0], &r.order), &r);
  return xc_onnx_result(im, 0, emit_affine(im, in, m.normal, &r.order),
                        &r.order);
}

// Groups of channels; up to operator set 20 with a scale for each group.
bool xc_onnx_group_normalization(xc_onnx_importer *im) {
  xc_graph_value *in[3];
  for (size_t i = 0; i < 3; ++i)
    if (!xc_onnx_need_input(im, i, &in[i]))
      return false;
  const xc_shape *shape = &in[0]->shape;
  int64_t groups = xc_onnx_int(im, "num_groups", 1);
  if (!xc_onnx_check_rank(im, in[0], 3, XC_MAX_RANK))
    return false;
  if (groups < 1 || shape->dims[1] % groups != 0)
    return xc_onnx_error(im, "has %" PRId64 " groups of %" PRId64 " channels",
                         groups, shape->dims[1]);
  int64_t inner = shape->dims[1] / groups;
  for (size_t i = 2; i < shape->rank; ++i)
    inner *= shape->dims[i];
  const int64_t grouped[] = {shape->dims[0], groups, inner};
  xc_onnx_reduction_axes r = {.axes = {2}, .count = 1};
  MlirValue x = xc_graph_emit_reshape(
      &im->graph, xc_graph_get_plain(&im->graph, in[0]), grouped, 3);
  x = emit_moments(im, x, &r).normal;
  bool by_group = xc_shape_num_elements(&in[1]->shape) == groups &&
                  groups != shape->dims[1];
  xc_graph_order plain = xc_graph_identity(shape->rank);
  if (!by_group) {
    x = xc_graph_emit_reshape(&im->graph, x, shape->dims, shape->rank);
    return xc_onnx_result_plain(im, 0, emit_affine(im, in, x, &plain));
  }
  xc_graph_value like = *in[0];
  like.shape = (xc_shape){.rank = 3, .dims = {grouped[0], groups, inner}};
  xc_graph_value *const grouped_in[] = {&like, in[1], in[2]};
  x = emit_affine(im, grouped_in, x, &plain);
  return xc_onnx_result_plain(
      im, 0, xc_graph_emit_reshape(&im->graph, x, shape->dims, shape->rank));
}

// Like moments, but with ONNX's own place of the epsilon.
bool xc_onnx_mean_variance_normalization(xc_onnx_importer *im) {
  const double epsilon = 1e-9;
  static const int64_t usual[] = {0, 2, 3};
  xc_graph_value *value;
  int64_t axes[XC_MAX_RANK];
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  xc_onnx_reduction_axes r = {.order = xc_graph_identity(value->shape.rank),
                              .keep_dims = true};
  if (!xc_onnx_ints(im, "axes", axes, XC_MAX_RANK, &r.count))
    return false;
  if (!xc_onnx_attribute(im, "axes"))
    memcpy(axes, usual, sizeof(usual)), r.count = 3;
  for (size_t i = 0; i < r.count; ++i) {
    size_t axis;
    if (!xc_graph_axis(&im->graph, axes[i], value->shape.rank, &axis))
      return false;
    r.axes[i] = (int64_t)axis;
  }
  xc_graph *graph = &im->graph;
  MlirValue x = xc_graph_get_plain(graph, value);
  MlirValue mean = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MEAN, x, &r);
  x = xc_graph_emit_binary(graph, "shift", XC_TIR_SUB, x, mean);
  MlirValue y = xc_graph_emit_binary(graph, "square", XC_TIR_MUL, x, x);
  y = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MEAN, y, &r);
  y = xc_graph_emit_binary(graph, "sqrt", XC_TIR_SQRT, y, none);
  y = xc_graph_emit_with(graph, "epsilon", XC_TIR_ADD, y, epsilon);
  return xc_onnx_result_plain(
      im, 0, xc_graph_emit_binary(graph, NULL, XC_TIR_DIV, x, y));
}

// x / |x|, by the sum of sizes or of squares; nothing but zeros stays so.
bool xc_onnx_lp_normalization(xc_onnx_importer *im) {
  xc_graph_value *value;
  size_t axis;
  int64_t p = xc_onnx_int(im, "p", 2);
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", -1), value->shape.rank,
                     &axis))
    return false;
  if (p != 1 && p != 2)
    return xc_onnx_error(im, "attribute 'p' is %" PRId64 ", expected 1 or 2",
                         p);
  xc_graph *graph = &im->graph;
  xc_graph_order order = xc_graph_cheapest(value);
  xc_onnx_reduction_axes r = {.order = order, .count = 1, .keep_dims = true};
  r.axes[0] = (int64_t)xc_graph_position(&order, axis);
  MlirValue x = xc_graph_get(graph, value, &order);
  MlirValue y = p == 1
                    ? xc_graph_emit_binary(graph, "abs", XC_TIR_ABS, x, none)
                    : xc_graph_emit_binary(graph, "square", XC_TIR_MUL, x, x);
  y = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_SUM, y, &r);
  if (p == 2)
    y = xc_graph_emit_binary(graph, "sqrt", XC_TIR_SQRT, y, none);
  MlirValue one = xc_graph_emit_number(graph, 1, value->shape.element);
  y = xc_graph_emit_select(graph, xc_graph_emit_compare_with(graph, "EQ", y, 0),
                           one, y);
  return xc_onnx_result(
      im, 0, xc_graph_emit_binary(graph, NULL, XC_TIR_DIV, x, y), &order);
}

bool xc_onnx_lrn(xc_onnx_importer *im) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_check_rank(im, value, 3, XC_MAX_RANK))
    return false;
  xc_graph_order order = xc_graph_channels_last(value->shape.rank);
  MlirValue input = xc_graph_get(&im->graph, value, &order);
  xc_attribute attributes[] = {
      xc_int("size", xc_onnx_int(im, "size", 0)),
      xc_float("alpha", (double)xc_onnx_float(im, "alpha", 1e-4f)),
      xc_float("beta", (double)xc_onnx_float(im, "beta", 0.75f)),
      xc_float("bias", (double)xc_onnx_float(im, "bias", 1.0f))};
  return xc_onnx_emit_result(im, XC_TIR_LRN, &input, 1,
                             &(xc_attributes){attributes, 4}, XC_ELEMENT_NONE,
                             &order);
}
