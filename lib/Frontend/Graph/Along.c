//===- Along.c - operators along a dimension, composed of tir's -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compose.h"

#include <inttypes.h>

static const MlirValue none = {NULL};

MlirValue xc_graph_emit_part(xc_graph *graph, MlirValue x, size_t axis,
                             int64_t begin, int64_t end) {
  int64_t from[XC_MAX_RANK] = {0}, by[XC_MAX_RANK];
  if (mlirValueIsNull(x))
    return x;
  xc_shape shape = xc_value_shape(x);
  for (size_t i = 0; i < shape.rank; ++i)
    by[i] = 1;
  from[axis] = begin;
  shape.dims[axis] = end;
  const xc_attribute attributes[] = {xc_ints("begin", from, shape.rank),
                                     xc_ints("end", shape.dims, shape.rank),
                                     xc_ints("strides", by, shape.rank)};
  return xc_graph_emit(graph, "part", XC_TIR_STRIDED_SLICE, &x, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

MlirValue xc_graph_emit_entries(xc_graph *graph, MlirValue x, size_t axis,
                                const int64_t *entries, int64_t count) {
  const xc_attribute attributes[] = {xc_int("axis", (int64_t)axis)};
  const MlirValue operands[] = {x,
                                xc_graph_emit_ints(graph, entries, &count, 1)};
  return xc_graph_emit(graph, "entries", XC_TIR_GATHER, operands, 2,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

MlirValue xc_graph_emit_flip(xc_graph *graph, MlirValue x, size_t axis) {
  if (mlirValueIsNull(x))
    return x;
  int64_t size = xc_value_shape(x).dims[axis];
  int64_t *entries = xc_graph_table(graph, size, sizeof(*entries));
  if (!entries)
    return none;
  for (int64_t i = 0; i < size; ++i)
    entries[i] = size - 1 - i;
  return xc_graph_emit_entries(graph, x, axis, entries, size);
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

// Moved by so many entries, from which zeros follow.
static MlirValue emit_shifted(xc_graph *graph, MlirValue x, size_t axis,
                              int64_t by, bool backwards) {
  int64_t paddings[2 * XC_MAX_RANK] = {0};
  if (mlirValueIsNull(x))
    return x;
  xc_shape shape = xc_value_shape(x);
  int64_t size = shape.dims[axis];
  paddings[2 * axis + backwards] = by;
  const xc_attribute attributes[] = {
      xc_ints("paddings", paddings, 2 * shape.rank)};
  x = xc_graph_emit(graph, "moved", XC_TIR_PAD, &x, 1,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_graph_emit_part(graph, x, axis, backwards ? by : 0,
                            backwards ? by + size : size);
}

// Sums of 2, 4, 8, ... entries, as a binary number of steps.
MlirValue xc_graph_emit_cumulative_sum(xc_graph *graph, MlirValue x,
                                       size_t axis, bool excludes,
                                       bool backwards) {
  if (mlirValueIsNull(x))
    return x;
  int64_t size = xc_value_shape(x).dims[axis];
  if (excludes)
    x = emit_shifted(graph, x, axis, 1, backwards);
  for (int64_t by = 1; by < size; by *= 2)
    x = xc_graph_emit_binary(graph, "sum", XC_TIR_ADD, x,
                             emit_shifted(graph, x, axis, by, backwards));
  return x;
}

// One half of the entries times the other, until one is left.
static MlirValue emit_product_along(xc_graph *graph, MlirValue x, size_t axis,
                                    int64_t size) {
  while (size > 1) {
    int64_t half = size / 2;
    MlirValue product = xc_graph_emit_binary(
        graph, "half", XC_TIR_MUL, xc_graph_emit_part(graph, x, axis, 0, half),
        xc_graph_emit_part(graph, x, axis, half, 2 * half));
    if (size % 2) {
      const MlirValue both[] = {
          product, xc_graph_emit_part(graph, x, axis, 2 * half, size)};
      const xc_attribute attributes[] = {xc_int("axis", (int64_t)axis)};
      product = xc_graph_emit(graph, "rest", XC_TIR_CONCAT, both, 2,
                              XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
    }
    x = product;
    size = half + size % 2;
  }
  return x;
}

MlirValue xc_graph_emit_product(xc_graph *graph, MlirValue x,
                                const int64_t *axes, size_t count,
                                bool keep_dims) {
  int64_t dims[XC_MAX_RANK];
  bool dropped[XC_MAX_RANK] = {false};
  size_t rank = 0;
  if (mlirValueIsNull(x))
    return x;
  xc_shape shape = xc_value_shape(x);
  for (size_t i = 0; i < count; ++i) {
    if (shape.dims[axes[i]] == 0) {
      xc_graph_error(graph, "multiplies the elements of an empty dimension");
      return none;
    }
    x = emit_product_along(graph, x, (size_t)axes[i], shape.dims[axes[i]]);
    dropped[axes[i]] = true;
  }
  for (size_t i = 0; i < shape.rank; ++i)
    if (!dropped[i] || keep_dims)
      dims[rank++] = dropped[i] ? 1 : shape.dims[i];
  return xc_graph_emit_reshape(graph, x, dims, rank);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

// `list` along one dimension of a tensor whose others have size 1, in i64.
static MlirValue emit_along(xc_graph *graph, MlirValue list, size_t rank,
                            size_t axis) {
  int64_t dims[XC_MAX_RANK];
  if (mlirValueIsNull(list))
    return list;
  xc_shape shape = xc_value_shape(list);
  for (size_t i = 0; i < rank; ++i)
    dims[i] = i == axis ? shape.dims[0] : 1;
  if (shape.element != XC_ELEMENT_I64)
    list = xc_graph_emit_cast(graph, "lengths", list, XC_ELEMENT_I64);
  return xc_graph_emit_reshape(graph, list, dims, rank);
}

MlirValue xc_graph_emit_reverse_sequence(xc_graph *graph, MlirValue x,
                                         MlirValue lengths, size_t batch_axis,
                                         size_t time_axis) {
  if (mlirValueIsNull(x) || mlirValueIsNull(lengths))
    return none;
  xc_shape shape = xc_value_shape(x), given = xc_value_shape(lengths);
  if (batch_axis == time_axis || given.rank != 1 ||
      given.dims[0] != shape.dims[batch_axis]) {
    xc_graph_error(graph,
                   "has lengths along dimension %zu of size %" PRId64
                   " for sequences along dimension %zu, which do not fit",
                   batch_axis, shape.dims[batch_axis], time_axis);
    return none;
  }
  MlirValue time =
      xc_graph_emit_iota(graph, shape.rank, time_axis, shape.dims[time_axis]);
  MlirValue size = emit_along(graph, lengths, shape.rank, batch_axis);
  MlirValue last = xc_graph_emit_with(graph, "last", XC_TIR_SUB, size, 1);
  MlirValue back = xc_graph_emit_binary(graph, "back", XC_TIR_SUB, last, time);
  // Entries after the end of a sequence stay.
  MlirValue at = xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "LT", back, 0), time, back);
  const xc_attribute attributes[] = {xc_ints("shape", shape.dims, shape.rank)};
  at = xc_graph_emit(graph, "indices", XC_TIR_EXPAND, &at, 1,
                     XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_graph_emit_gather_elements(graph, x, at, time_axis);
}

MlirValue xc_graph_emit_one_hot(xc_graph *graph, MlirValue indices, size_t axis,
                                int64_t depth, const MlirValue sides[2]) {
  int64_t dims[XC_MAX_RANK];
  if (mlirValueIsNull(indices))
    return none;
  xc_shape shape = xc_value_shape(indices);
  size_t rank = shape.rank + 1;
  if (rank > XC_MAX_RANK || depth < 1 || depth > INT32_MAX) {
    xc_graph_error(graph,
                   "has %zu dimensions and %" PRId64 " entries in a new one",
                   rank - 1, depth);
    return none;
  }
  for (size_t i = 0; i < rank; ++i)
    dims[i] = i == axis ? 1 : shape.dims[i < axis ? i : i - 1];
  if (shape.element != XC_ELEMENT_I64)
    indices = xc_graph_emit_cast(graph, "index", indices, XC_ELEMENT_I64);
  MlirValue hit = xc_graph_emit_compare(
      graph, "EQ", xc_graph_emit_reshape(graph, indices, dims, rank),
      xc_graph_emit_iota(graph, rank, axis, depth));
  return xc_graph_emit_select(graph, hit, sides[1], sides[0]);
}
