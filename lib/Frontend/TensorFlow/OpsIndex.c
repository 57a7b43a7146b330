//===- OpsIndex.c - by index and along a dimension ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <string.h>

static bool result_plain(xc_tf_importer *im, size_t index, MlirValue mlir) {
  if (mlirValueIsNull(mlir))
    return false;
  xc_graph_order order = xc_graph_identity(xc_value_shape(mlir).rank);
  return xc_tf_result_computed(im, index, mlir, &order);
}

bool xc_tf_gather_nd(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  xc_graph_value *indices =
      value ? xc_tf_input_of_rank(im, 1, 1, XC_MAX_RANK) : NULL;
  int64_t batch = xc_tf_int(im, "batch_dims", 0);
  if (!indices || batch < 0 || batch > XC_MAX_RANK)
    return indices &&
           xc_tf_error(im, "it has %" PRId64 " batch dimensions", batch);
  return result_plain(
      im, 0,
      xc_graph_emit_gather_nd(&im->graph, xc_tf_get_plain(im, value),
                              xc_tf_get_plain(im, indices), (size_t)batch));
}

// Updates of one position add up.
bool xc_tf_scatter_nd(xc_tf_importer *im) {
  xc_graph *graph = &im->graph;
  int64_t dims[XC_MAX_RANK];
  size_t rank;
  xc_graph_value *indices = xc_tf_input_of_rank(im, 0, 1, XC_MAX_RANK);
  xc_graph_value *updates = indices ? xc_tf_input(im, 1) : NULL;
  if (!updates || !xc_tf_input_ints(im, 2, dims, XC_MAX_RANK, &rank))
    return false;
  const xc_shape *at = &indices->shape, *given = &updates->shape;
  size_t lead = at->rank - 1, depth = (size_t)at->dims[lead];
  bool fits = depth >= 1 && depth <= rank && given->rank == lead + rank - depth;
  for (size_t i = 0; fits && i < given->rank; ++i)
    fits = given->dims[i] == (i < lead ? at->dims[i] : dims[i - lead + depth]);
  if (!fits)
    return xc_tf_error(im, "its indices, updates and result do not fit");
  MlirValue zero = xc_graph_emit_number(graph, 0, given->element);
  const xc_attribute attributes[] = {xc_ints("shape", dims, rank)};
  zero = xc_graph_emit(graph, "zeros", XC_TIR_EXPAND, &zero, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return result_plain(
      im, 0,
      xc_graph_emit_scatter_nd(graph, zero, xc_tf_get_plain(im, indices),
                               xc_tf_get_plain(im, updates), "ADD"));
}

/// Values at positions of a tensor that has one number elsewhere.
typedef struct sparse {
  xc_graph_value *indices, *values, *absent;
  xc_shape shape;
} sparse;

static bool place_of(xc_tf_importer *im, const sparse *s, int64_t entry,
                     int64_t *place) {
  *place = 0;
  for (size_t d = 0; d < s->shape.rank; ++d) {
    int64_t index = xc_graph_to_int(
        xc_graph_load(s->indices, entry * (int64_t)s->shape.rank + (int64_t)d));
    if (index < 0 || index >= s->shape.dims[d])
      return xc_tf_error(im, "element %" PRId64 " is outside of dimension %zu",
                         index, d);
    *place = *place * s->shape.dims[d] + index;
  }
  return true;
}

// Null in `result` where an operator has to do the work.
static bool fold_sparse(xc_tf_importer *im, const sparse *s,
                        xc_graph_value **result) {
  const xc_shape *at = &s->indices->shape;
  xc_element element = s->shape.element;
  int64_t total = xc_shape_num_elements(&s->shape), place;
  int64_t count = at->rank ? at->dims[0] : 1;
  bool is_one = s->values->shape.rank == 0;
  *result = NULL;
  if (!s->indices->data || !s->values->data || !s->absent->data)
    return true;
  uint8_t *data = xc_graph_alloc(&im->graph, total, xc_element_size(element));
  if (!data)
    return true;
  for (int64_t i = 0; i < total; ++i)
    xc_graph_store(element, data, i, xc_graph_load(s->absent, 0));
  for (int64_t i = 0; i < count; ++i) {
    if (!place_of(im, s, i, &place))
      return false;
    xc_graph_store(element, data, place,
                   xc_graph_load(s->values, is_one ? 0 : i));
  }
  *result =
      xc_graph_constant(&im->graph, im->node->name, &s->shape, data, false);
  return true;
}

bool xc_tf_sparse_to_dense(xc_tf_importer *im) {
  int64_t dims[XC_MAX_RANK];
  size_t rank;
  xc_graph_value *folded;
  sparse s = {xc_tf_input(im, 0), xc_tf_input(im, 2), xc_tf_input(im, 3), {0}};
  if (!s.indices || !s.values || !s.absent ||
      !xc_tf_input_ints(im, 1, dims, XC_MAX_RANK, &rank) ||
      !xc_graph_check_dims(&im->graph, im->graph.node, dims, rank,
                           s.values->shape.element, &s.shape))
    return false;
  if (!xc_graph_sparse_fits(&s.indices->shape, &s.values->shape, rank) ||
      xc_shape_num_elements(&s.absent->shape) != 1 ||
      s.absent->shape.element != s.shape.element)
    return xc_tf_error(im, "its indices, values and result do not fit");
  if (!fold_sparse(im, &s, &folded))
    return false;
  return folded ? xc_tf_result(im, 0, folded)
                : result_plain(im, 0,
                               xc_graph_emit_sparse(
                                   &im->graph, xc_tf_get_plain(im, s.indices),
                                   xc_tf_get_plain(im, s.values),
                                   xc_tf_get_plain(im, s.absent), dims, rank));
}

bool xc_tf_one_hot(xc_tf_importer *im) {
  int64_t depth;
  size_t count, axis;
  xc_graph_value *indices = xc_tf_input(im, 0), *on = xc_tf_input(im, 2),
                 *off = xc_tf_input(im, 3);
  if (!indices || !on || !off || !xc_tf_input_ints(im, 1, &depth, 1, &count) ||
      !xc_graph_axis(&im->graph, xc_tf_int(im, "axis", -1),
                     indices->shape.rank + 1, &axis))
    return false;
  const MlirValue sides[] = {xc_tf_get_plain(im, off), xc_tf_get_plain(im, on)};
  return count == 1 &&
         result_plain(im, 0,
                      xc_graph_emit_one_hot(&im->graph,
                                            xc_tf_get_plain(im, indices), axis,
                                            depth, sides));
}

bool xc_tf_reverse(xc_tf_importer *im) {
  int64_t axes[XC_MAX_RANK];
  size_t count, axis;
  xc_graph_value *value = xc_tf_input(im, 0);
  if (!value || !xc_tf_input_ints(im, 1, axes, XC_MAX_RANK, &count))
    return false;
  MlirValue x = xc_tf_get_plain(im, value);
  for (size_t i = 0; i < count; ++i) {
    if (!xc_graph_axis(&im->graph, axes[i], value->shape.rank, &axis))
      return false;
    x = xc_graph_emit_flip(&im->graph, x, axis);
  }
  return result_plain(im, 0, x);
}

bool xc_tf_cumulative_sum(xc_tf_importer *im) {
  size_t axis;
  xc_graph_value *value = xc_tf_input(im, 0);
  return value && xc_tf_input_axis(im, 1, value->shape.rank, &axis) &&
         result_plain(im, 0,
                      xc_graph_emit_cumulative_sum(
                          &im->graph, xc_tf_get_plain(im, value), axis,
                          xc_tf_bool(im, "exclusive", false),
                          xc_tf_bool(im, "reverse", false)));
}

// The values of the last dimension, and where they are.
bool xc_tf_topk(xc_tf_importer *im) {
  xc_graph *graph = &im->graph;
  int64_t k;
  size_t count;
  xc_graph_value *value = xc_tf_input_of_rank(im, 0, 1, XC_MAX_RANK);
  if (!value || !xc_tf_input_ints(im, 1, &k, 1, &count))
    return false;
  size_t last = value->shape.rank - 1;
  if (count != 1 || k < 1 || k > value->shape.dims[last])
    return xc_tf_error(im, "it takes %" PRId64 " of %" PRId64 " elements", k,
                       value->shape.dims[last]);
  const xc_attribute attributes[] = {xc_int("k", k),
                                     xc_int("axis", (int64_t)last)};
  MlirValue x = xc_tf_get_plain(im, value);
  MlirValue at = xc_graph_emit(graph, "indices", XC_TIR_TOPK, &x, 1,
                               XC_ATTRIBUTES(attributes),
                               xc_tf_type(im, "index_type", XC_ELEMENT_I32));
  return result_plain(im, 1, at) &&
         result_plain(im, 0, xc_graph_emit_gather_elements(graph, x, at, last));
}
