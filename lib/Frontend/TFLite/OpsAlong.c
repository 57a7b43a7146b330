//===- OpsAlong.c - operators along a dimension and of shapes -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <string.h>

static const MlirValue none = {NULL};

// Input 0, whose numbers are what they stand for: sums and signs of quantised
// ones are not.
static MlirValue plain_value(xc_tflite_context *c) {
  if (!xc_tflite_is_quantized(xc_tflite_input(c, 0)))
    return xc_tflite_value(c, 0);
  xc_tflite_error(c, "has quantized tensors, which xc cannot import");
  return none;
}

bool xc_tflite_cumsum(xc_tflite_context *c) {
  int64_t given = 0;
  size_t axis;
  MlirValue x = plain_value(c);
  return !mlirValueIsNull(x) && xc_tflite_scalar(c, 1, &given) &&
         xc_graph_axis(&c->importer->graph, given, xc_value_shape(x).rank,
                       &axis) &&
         xc_tflite_set(
             c, 0,
             xc_graph_emit_cumulative_sum(
                 &c->importer->graph, x, axis,
                 xc_tflite_option(c, XC_TFL_CumsumOptions_exclusive) != 0,
                 xc_tflite_option(c, XC_TFL_CumsumOptions_reverse) != 0));
}

bool xc_tflite_sign(xc_tflite_context *c) {
  return xc_tflite_set(c, 0,
                       xc_graph_emit_sign(&c->importer->graph, plain_value(c)));
}

bool xc_tflite_reverse(xc_tflite_context *c) {
  int64_t axes[XC_MAX_RANK];
  size_t count, axis;
  MlirValue x = xc_tflite_value(c, 0);
  if (mlirValueIsNull(x) || !xc_tflite_ints(c, 1, axes, XC_MAX_RANK, &count))
    return false;
  for (size_t i = 0; i < count; ++i) {
    if (!xc_graph_axis(&c->importer->graph, axes[i], xc_value_shape(x).rank,
                       &axis))
      return false;
    x = xc_graph_emit_flip(&c->importer->graph, x, axis);
    if (mlirValueIsNull(x))
      return false;
  }
  return xc_tflite_set(c, 0, x);
}

bool xc_tflite_reverse_sequence(xc_tflite_context *c) {
  size_t batch, time;
  xc_graph *graph = &c->importer->graph;
  MlirValue x = xc_tflite_value(c, 0);
  if (mlirValueIsNull(x))
    return false;
  size_t rank = xc_value_shape(x).rank;
  return xc_graph_axis(
             graph,
             xc_tflite_option(c, XC_TFL_ReverseSequenceOptions_batch_dim), rank,
             &batch) &&
         xc_graph_axis(
             graph, xc_tflite_option(c, XC_TFL_ReverseSequenceOptions_seq_dim),
             rank, &time) &&
         xc_tflite_set(c, 0,
                       xc_graph_emit_reverse_sequence(
                           graph, x, xc_tflite_value(c, 1), batch, time));
}

// Imports OneHot. An index outside of the new dimension is off everywhere.
bool xc_tflite_one_hot(xc_tflite_context *c) {
  int64_t depth;
  size_t axis;
  MlirValue x = xc_tflite_value(c, 0);
  const MlirValue sides[] = {xc_tflite_value(c, 3), xc_tflite_value(c, 2)};
  return !mlirValueIsNull(x) && xc_tflite_scalar(c, 1, &depth) &&
         xc_graph_axis(&c->importer->graph,
                       xc_tflite_option(c, XC_TFL_OneHotOptions_axis),
                       xc_value_shape(x).rank + 1, &axis) &&
         xc_tflite_set(
             c, 0,
             xc_graph_emit_one_hot(&c->importer->graph, x, axis, depth, sides));
}

bool xc_tflite_zeros_like(xc_tflite_context *c) {
  MlirValue x = plain_value(c);
  if (mlirValueIsNull(x))
    return false;
  xc_shape shape = xc_value_shape(x);
  void *zeros =
      xc_graph_alloc(&c->importer->graph, xc_shape_num_elements(&shape),
                     xc_element_size(shape.element));
  return zeros ? xc_tflite_set_constant(c, 0, &shape, zeros)
               : xc_tflite_error(c, "is too large a constant for this file");
}

bool xc_tflite_fill(xc_tflite_context *c) {
  int64_t dims[XC_MAX_RANK];
  size_t count;
  MlirValue value = xc_tflite_value(c, 1);
  if (mlirValueIsNull(value) ||
      !xc_tflite_ints(c, 0, dims, XC_MAX_RANK, &count))
    return false;
  const xc_attribute attributes[] = {xc_ints("shape", dims, count)};
  return xc_tflite_set(c, 0,
                       xc_graph_emit(&c->importer->graph, NULL, XC_TIR_EXPAND,
                                     &value, 1, XC_ATTRIBUTES(attributes),
                                     XC_ELEMENT_NONE));
}

bool xc_tflite_floor_div(xc_tflite_context *c) {
  MlirValue a = plain_value(c), b = xc_tflite_value(c, 1);
  return xc_tflite_set(c, 0,
                       xc_graph_emit_floor_div(&c->importer->graph, a, b));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Dimensions that an operator reduces.
typedef struct reduced_axes {
  int64_t axes[XC_MAX_RANK];
  size_t count;
  bool keeps;
} reduced_axes;

static bool read_axes(xc_tflite_context *c, size_t rank, reduced_axes *r) {
  size_t axis;
  r->keeps = xc_tflite_option(c, XC_TFL_ReducerOptions_keep_dims) != 0;
  if (!xc_tflite_ints(c, 1, r->axes, XC_MAX_RANK, &r->count))
    return false;
  for (size_t i = 0; i < r->count; ++i) {
    if (!xc_graph_axis(&c->importer->graph, r->axes[i], rank, &axis))
      return false;
    r->axes[i] = (int64_t)axis;
  }
  return true;
}

bool xc_tflite_reduce_product(xc_tflite_context *c) {
  reduced_axes r;
  MlirValue x = plain_value(c);
  return !mlirValueIsNull(x) && read_axes(c, xc_value_shape(x).rank, &r) &&
         xc_tflite_set(c, 0,
                       xc_graph_emit_product(&c->importer->graph, x, r.axes,
                                             r.count, r.keeps));
}

// Truth as 1: any is the largest, all the smallest, as -1 times the largest of
// -1 times it.
bool xc_tflite_reduce_truth(xc_tflite_context *c) {
  reduced_axes r;
  xc_graph *graph = &c->importer->graph;
  bool is_all = c->operator->code == XC_TFL_REDUCE_ALL;
  MlirValue x = xc_tflite_value(c, 0);
  if (mlirValueIsNull(x) || !read_axes(c, xc_value_shape(x).rank, &r))
    return false;
  x = xc_graph_emit_cast(graph, "number", x, XC_ELEMENT_I32);
  if (is_all)
    x = xc_graph_emit_binary(graph, "neg", XC_TIR_NEG, x, none);
  x = xc_graph_emit_reduction(graph, XC_TIR_REDUCTION_MAX, x, r.axes, r.count,
                              r.keeps);
  return xc_tflite_set(c, 0, xc_graph_emit_cast(graph, NULL, x, XC_ELEMENT_I1));
}
