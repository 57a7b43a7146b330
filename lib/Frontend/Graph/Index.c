//===- Index.c - elements and rows by index -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats address elements by several indices, or along one dimension; tir has
// rows that are picked or written by one. Indices that are known become a
// table, others arithmetic.
//
//===----------------------------------------------------------------------===//

#include "Compose.h"

#include <string.h>

static const MlirValue none = {NULL};

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static int64_t product_of(const int64_t *dims, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i)
    product *= dims[i];
  return product;
}

// Indices as i64, the negative ones plus `sizes`.
static MlirValue emit_counted(xc_graph *graph, MlirValue indices,
                              MlirValue sizes) {
  if (mlirValueIsNull(indices) || mlirValueIsNull(sizes))
    return none;
  if (xc_value_shape(indices).element != XC_ELEMENT_I64)
    indices = xc_graph_emit_cast(graph, "indices", indices, XC_ELEMENT_I64);
  MlirValue moved =
      xc_graph_emit_binary(graph, "from_end", XC_TIR_ADD, indices, sizes);
  return xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "LT", indices, 0), moved,
      indices);
}

// Returns the rows of [rows, inner] by a list of indices, in the shape of the
// result.
static MlirValue emit_rows(xc_graph *graph, MlirValue input, MlirValue indices,
                           int64_t rows, int64_t inner,
                           const xc_shape *result) {
  const int64_t flat[] = {rows, inner};
  const xc_attribute attributes[] = {xc_int("axis", 0)};
  const MlirValue operands[] = {xc_graph_emit_reshape(graph, input, flat, 2),
                                indices};
  MlirValue picked = xc_graph_emit(graph, "gather", XC_TIR_GATHER, operands, 2,
                                   XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_graph_emit_reshape(graph, picked, result->dims, result->rank);
}

// Returns the numbers of the first rows of the batches, one for each index.
static MlirValue emit_batches(xc_graph *graph, int64_t batches, int64_t each,
                              int64_t rows) {
  int64_t count = batches * each;
  int64_t *ints = xc_graph_table(graph, count, sizeof(int64_t));
  if (!ints)
    return none;
  for (int64_t i = 0; i < count; ++i)
    ints[i] = i / each * rows;
  return xc_graph_emit_ints(graph, ints, &count, 1);
}

// Returns the rows of a tensor whose leading dimensions, as many as there are
// indices in the last dimension of `indices`, have these sizes.
static MlirValue emit_row_numbers(xc_graph *graph, MlirValue indices,
                                  const int64_t *dims, size_t depth) {
  xc_shape at = xc_value_shape(indices);
  int64_t *sizes = xc_graph_table(graph, (int64_t)depth, sizeof(int64_t));
  int64_t *strides = xc_graph_table(graph, (int64_t)depth, sizeof(int64_t));
  if (!sizes || !strides)
    return none;
  for (size_t i = 0; i < depth; ++i) {
    sizes[i] = dims[i];
    strides[i] = product_of(dims, i + 1, depth);
  }
  const int64_t table[] = {product_of(at.dims, 0, at.rank - 1), (int64_t)depth},
                along = 1;
  MlirValue x = xc_graph_emit_reshape(graph, indices, table, 2);
  x = emit_counted(graph, x, xc_graph_emit_ints(graph, sizes, table + 1, 1));
  x = xc_graph_emit_binary(graph, "scaled", XC_TIR_MUL, x,
                           xc_graph_emit_ints(graph, strides, table + 1, 1));
  return xc_graph_emit_reduction(graph, XC_TIR_REDUCTION_SUM, x, &along, 1,
                                 false);
}

static bool check_gather_nd(xc_graph *graph, const xc_shape *in,
                            const xc_shape *at, size_t batch) {
  if (at->rank == 0 || batch >= at->rank || batch > in->rank ||
      at->dims[at->rank - 1] > (int64_t)(in->rank - batch))
    return xc_graph_error(graph, "has indices of a shape that does not fit "
                                 "the input");
  for (size_t i = 0; i < batch; ++i)
    if (in->dims[i] != at->dims[i])
      return xc_graph_error(graph, "has batches of different sizes");
  size_t depth = (size_t)at->dims[at->rank - 1];
  return at->rank - 1 + in->rank - batch - depth <= XC_MAX_RANK ||
         xc_graph_error(graph, "has a result of more than %d dimensions",
                        XC_MAX_RANK);
}

MlirValue xc_graph_emit_gather_nd(xc_graph *graph, MlirValue input,
                                  MlirValue indices, size_t batch_dims) {
  if (mlirValueIsNull(input) || mlirValueIsNull(indices))
    return none;
  xc_shape in = xc_value_shape(input), at = xc_value_shape(indices);
  if (!check_gather_nd(graph, &in, &at, batch_dims))
    return none;
  size_t lead = at.rank - 1, depth = (size_t)at.dims[lead];
  size_t last = batch_dims + depth; // dimensions that an index picks from
  int64_t count = product_of(at.dims, 0, lead);
  int64_t rows = product_of(in.dims, batch_dims, last);
  int64_t batches = product_of(in.dims, 0, batch_dims);
  MlirValue x = emit_row_numbers(graph, indices, in.dims + batch_dims, depth);
  if (batches > 1)
    x = xc_graph_emit_binary(
        graph, "batch", XC_TIR_ADD, x,
        emit_batches(graph, batches, count / batches, rows));
  xc_shape result = {.rank = lead + in.rank - last};
  memcpy(result.dims, at.dims, lead * sizeof(*result.dims));
  memcpy(result.dims + lead, in.dims + last,
         (in.rank - last) * sizeof(*result.dims));
  return emit_rows(graph, input, x, batches * rows,
                   product_of(in.dims, last, in.rank), &result);
}

// Returns the place in `in` of each position of `at`, without its part along
// the axis.
static MlirValue emit_places(xc_graph *graph, const xc_shape *in,
                             const xc_shape *at, size_t axis) {
  int64_t strides[XC_MAX_RANK], count = xc_shape_num_elements(at);
  int64_t *ints = xc_graph_table(graph, count, sizeof(int64_t));
  if (!ints)
    return none;
  xc_shape_strides(in, strides);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (size_t d = at->rank; d-- > 0;) {
      ints[i] += d == axis ? 0 : rest % at->dims[d] * strides[d];
      rest /= at->dims[d];
    }
  }
  return xc_graph_emit_ints(graph, ints, at->dims, at->rank);
}

// Returns the numbers of the elements of `in` at all positions of `indices`,
// with the index in place of the position along an axis.
static MlirValue emit_element_numbers(xc_graph *graph, const xc_shape *in,
                                      MlirValue indices, size_t axis) {
  xc_shape at = xc_value_shape(indices);
  int64_t count = xc_shape_num_elements(&at);
  MlirValue size =
      xc_graph_emit_number(graph, (double)in->dims[axis], XC_ELEMENT_I64);
  MlirValue x = emit_counted(graph, indices, size);
  x = xc_graph_emit_with(graph, "scaled", XC_TIR_MUL, x,
                         (double)xc_shape_inner(in, axis));
  x = xc_graph_emit_binary(graph, "place", XC_TIR_ADD, x,
                           emit_places(graph, in, &at, axis));
  return xc_graph_emit_reshape(graph, x, &count, 1);
}

MlirValue xc_graph_emit_gather_elements(xc_graph *graph, MlirValue input,
                                        MlirValue indices, size_t axis) {
  if (mlirValueIsNull(input) || mlirValueIsNull(indices))
    return none;
  xc_shape in = xc_value_shape(input), at = xc_value_shape(indices);
  bool fits = in.rank == at.rank && in.rank > 0;
  for (size_t i = 0; fits && i < in.rank; ++i)
    fits = i == axis || at.dims[i] <= in.dims[i];
  if (!fits) {
    xc_graph_error(graph, "has indices of a shape that does not fit the input");
    return none;
  }
  MlirValue x = emit_element_numbers(graph, &in, indices, axis);
  return emit_rows(graph, input, x, xc_shape_num_elements(&in), 1, &at);
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

MlirValue xc_graph_emit_scatter(xc_graph *graph, MlirValue data, MlirValue rows,
                                MlirValue updates, const char *reduction) {
  if (mlirValueIsNull(data) || mlirValueIsNull(rows) ||
      mlirValueIsNull(updates))
    return none;
  xc_shape shape = xc_value_shape(data), at = xc_value_shape(rows);
  int64_t count = at.dims[0], size = 1;
  for (size_t i = 0; i < shape.rank; ++i)
    size *= shape.dims[i];
  xc_shape changes = xc_value_shape(updates);
  int64_t inner = count ? xc_shape_num_elements(&changes) / count : 1;
  const int64_t flat[] = {inner ? size / inner : 0, inner},
                parts[] = {count, inner};
  const xc_attribute attributes[] = {xc_string("reduction", reduction)};
  const MlirValue operands[] = {
      xc_graph_emit_reshape(graph, data, flat, 2), rows,
      xc_graph_emit_reshape(graph, updates, parts, 2)};
  MlirValue result =
      xc_graph_emit(graph, "scatter", XC_TIR_SCATTER, operands, 3,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_graph_emit_reshape(graph, result, shape.dims, shape.rank);
}

MlirValue xc_graph_emit_scatter_nd(xc_graph *graph, MlirValue data,
                                   MlirValue indices, MlirValue updates,
                                   const char *reduction) {
  if (mlirValueIsNull(data) || mlirValueIsNull(indices))
    return none;
  xc_shape shape = xc_value_shape(data), at = xc_value_shape(indices);
  return xc_graph_emit_scatter(graph, data,
                               emit_row_numbers(graph, indices, shape.dims,
                                                (size_t)at.dims[at.rank - 1]),
                               updates, reduction);
}

MlirValue xc_graph_emit_scatter_elements(xc_graph *graph, MlirValue data,
                                         MlirValue indices, MlirValue updates,
                                         size_t axis, const char *reduction) {
  if (mlirValueIsNull(data) || mlirValueIsNull(indices))
    return none;
  xc_shape shape = xc_value_shape(data);
  return xc_graph_emit_scatter(
      graph, data, emit_element_numbers(graph, &shape, indices, axis), updates,
      reduction);
}

bool xc_graph_sparse_fits(const xc_shape *indices, const xc_shape *values,
                          size_t rank) {
  int64_t count = indices->rank ? indices->dims[0] : 1;
  int64_t depth = indices->rank == 2 ? indices->dims[1] : 1;
  return indices->rank <= 2 && depth == (int64_t)rank && values->rank <= 1 &&
         (values->rank == 0 || values->dims[0] == count);
}

// Returns a tensor of one number.
static MlirValue emit_full(xc_graph *graph, MlirValue number,
                           const int64_t *dims, size_t rank) {
  const xc_attribute attributes[] = {xc_ints("shape", dims, rank)};
  return xc_graph_emit(graph, "full", XC_TIR_EXPAND, &number, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

MlirValue xc_graph_emit_sparse(xc_graph *graph, MlirValue indices,
                               MlirValue values, MlirValue absent,
                               const int64_t *dims, size_t rank) {
  if (mlirValueIsNull(indices))
    return indices;
  xc_shape at = xc_value_shape(indices);
  const int64_t table[] = {at.rank ? at.dims[0] : 1, (int64_t)rank};
  indices = xc_graph_emit_reshape(graph, indices, table, 2);
  return xc_graph_emit_scatter_nd(graph, emit_full(graph, absent, dims, rank),
                                  indices, emit_full(graph, values, table, 1),
                                  "NONE");
}
