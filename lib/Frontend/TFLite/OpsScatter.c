//===- OpsScatter.c - updates and segments --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of these write rows of a tensor by index (tir.scatter). Indices need not
// be known, but how many rows there are must be.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

static const MlirValue none = {NULL};

// Returns a tensor of one number.
static MlirValue emit_full(xc_graph *graph, MlirValue number,
                           const int64_t *dims, size_t rank) {
  const xc_attribute attributes[] = {xc_ints("shape", dims, rank)};
  return xc_graph_emit(graph, "full", XC_TIR_EXPAND, &number, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Zeros and sums of numbers are not those of what quantised ones stand for.
static bool refuse_quantized(xc_tflite_context *c) {
  return !xc_tflite_is_quantized(xc_tflite_output(c, 0)) ||
         xc_tflite_error(c, "has quantized tensors, which xc cannot import");
}

//===----------------------------------------------------------------------===//
// By several indices
//===----------------------------------------------------------------------===//

static bool check_updates(xc_tflite_context *c, const xc_shape *at,
                          const xc_shape *updates, const xc_shape *result) {
  size_t lead = at->rank - 1;
  size_t depth = at->rank ? (size_t)at->dims[lead] : 0;
  bool fits = at->rank && depth >= 1 && depth <= result->rank &&
              updates->rank == lead + result->rank - depth;
  for (size_t i = 0; fits && i < updates->rank; ++i)
    fits = updates->dims[i] ==
           (i < lead ? at->dims[i] : result->dims[i - lead + depth]);
  return fits || xc_tflite_error(c, "has indices, updates and a result whose "
                                    "shapes do not fit");
}

// Updates of one position add up.
bool xc_tflite_scatter_nd(xc_tflite_context *c) {
  xc_graph *graph = &c->importer->graph;
  xc_shape result = {.rank = 0};
  MlirValue indices = xc_tflite_value(c, 0), updates = xc_tflite_value(c, 1);
  if (!refuse_quantized(c) || mlirValueIsNull(indices) ||
      mlirValueIsNull(updates) ||
      !xc_tflite_ints(c, 2, result.dims, XC_MAX_RANK, &result.rank))
    return false;
  xc_shape at = xc_value_shape(indices), changes = xc_value_shape(updates);
  if (!check_updates(c, &at, &changes, &result))
    return false;
  bool is_truth = changes.element == XC_ELEMENT_I1;
  MlirValue zeros =
      emit_full(graph, xc_graph_emit_number(graph, 0, changes.element),
                result.dims, result.rank);
  return xc_tflite_set(c, 0,
                       xc_graph_emit_scatter_nd(graph, zeros, indices, updates,
                                                is_truth ? "NONE" : "ADD"));
}

bool xc_tflite_sparse_to_dense(xc_tflite_context *c) {
  xc_graph *graph = &c->importer->graph;
  int64_t dims[XC_MAX_RANK];
  size_t rank;
  MlirValue indices = xc_tflite_value(c, 0), values = xc_tflite_value(c, 2),
            absent = xc_tflite_value(c, 3);
  if (mlirValueIsNull(indices) || mlirValueIsNull(values) ||
      mlirValueIsNull(absent) ||
      !xc_tflite_ints(c, 1, dims, XC_MAX_RANK, &rank))
    return false;
  xc_shape at = xc_value_shape(indices), given = xc_value_shape(values);
  if (!xc_graph_sparse_fits(&at, &given, rank))
    return xc_tflite_error(c, "has indices, values and a result whose shapes "
                              "do not fit");
  return xc_tflite_set(
      c, 0, xc_graph_emit_sparse(graph, indices, values, absent, dims, rank));
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// The result for a segment without rows, and how rows combine.
typedef struct segments {
  const char *reduction;
  double empty;
  int64_t count;
} segments;

// Rows that belong to no segment have a number below 0; they go to a row after
// the others, which is left out.
static bool emit_segments(xc_tflite_context *c, const segments *s) {
  xc_graph *graph = &c->importer->graph;
  MlirValue data = xc_tflite_value(c, 0), ids = xc_tflite_value(c, 1);
  if (mlirValueIsNull(data) || mlirValueIsNull(ids))
    return false;
  xc_shape rows = xc_value_shape(data), at = xc_value_shape(ids);
  bool fits = at.rank >= 1 && at.rank <= rows.rank;
  for (size_t i = 0; fits && i < at.rank; ++i)
    fits = at.dims[i] == rows.dims[i];
  if (!fits || s->count < 1 || s->count >= INT32_MAX)
    return xc_tflite_error(c,
                           "has %" PRId64 " segments and numbers of a shape "
                           "that does not fit the data",
                           s->count);
  const int64_t number = xc_shape_num_elements(&at);
  int64_t dims[XC_MAX_RANK] = {s->count + 1};
  size_t rank = rows.rank - at.rank + 1;
  memcpy(dims + 1, rows.dims + at.rank, (rank - 1) * sizeof(*dims));
  MlirValue list = xc_graph_emit_reshape(graph, ids, &number, 1);
  MlirValue last = xc_graph_emit_number(graph, (double)s->count, at.element);
  list = xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "LT", list, 0), last, list);
  MlirValue empty = emit_full(
      graph, xc_graph_emit_number(graph, s->empty, rows.element), dims, rank);
  MlirValue all = xc_graph_emit_scatter(graph, empty, list, data, s->reduction);
  return xc_tflite_set(c, 0, xc_graph_emit_part(graph, all, 0, 0, s->count));
}

// The numbers rise, and the last one says how many there are.
bool xc_tflite_segment_sum(xc_tflite_context *c) {
  segments s = {.reduction = "ADD"};
  xc_graph_value *ids = xc_tflite_known(c, 1);
  if (!ids)
    return xc_tflite_error(c,
                           "input 1 '%s' must be a constant: its last entry "
                           "says how many segments there are",
                           xc_tflite_input(c, 1)->name);
  int64_t count = xc_shape_num_elements(&ids->shape);
  if (count < 1)
    return xc_tflite_error(c, "has no rows");
  s.count = xc_graph_load(ids, count - 1).integer + 1;
  return refuse_quantized(c) && emit_segments(c, &s);
}

bool xc_tflite_unsorted_segment(xc_tflite_context *c) {
  segments s = {.reduction = "ADD"};
  bool is_float = xc_tflite_input(c, 0)->element == XC_ELEMENT_F32;
  switch (c->operator->code) {
  case XC_TFL_UNSORTED_SEGMENT_PROD:
    s = (segments){"MUL", 1, 0};
    break;
  case XC_TFL_UNSORTED_SEGMENT_MAX:
    s = (segments){"MAX", is_float ? (double)-FLT_MAX : (double)INT32_MIN, 0};
    break;
  case XC_TFL_UNSORTED_SEGMENT_MIN:
    s = (segments){"MIN", is_float ? (double)FLT_MAX : (double)INT32_MAX, 0};
    break;
  default:
    break;
  }
  return refuse_quantized(c) && xc_tflite_scalar(c, 2, &s.count) &&
         emit_segments(c, &s);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

// Where each row of the update is in the operand when the update begins at 0.
static MlirValue emit_offsets(xc_graph *graph, const xc_shape *update,
                              const int64_t *strides, size_t depth) {
  int64_t count = xc_graph_product(update, 0, depth);
  int64_t *ints = xc_graph_table(graph, count, sizeof(*ints));
  if (!ints)
    return none;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (size_t d = depth; d-- > 0; rest /= update->dims[d])
      ints[i] += rest % update->dims[d] * strides[d];
  }
  return xc_graph_emit_ints(graph, ints, &count, 1);
}

// Returns the number of the first row that is written; the update is moved
// until it is inside.
static MlirValue emit_start(xc_graph *graph, MlirValue start,
                            const xc_shape *operand, const xc_shape *update,
                            const int64_t *strides, size_t depth) {
  const int64_t size = (int64_t)depth, along = 0;
  int64_t *most = xc_graph_table(graph, size, sizeof(*most));
  int64_t *scales = xc_graph_table(graph, size, sizeof(*scales));
  if (!most || !scales)
    return none;
  for (size_t d = 0; d < depth; ++d) {
    most[d] = operand->dims[d] - update->dims[d];
    scales[d] = strides[d];
  }
  if (xc_value_shape(start).element != XC_ELEMENT_I64)
    start = xc_graph_emit_cast(graph, "start", start, XC_ELEMENT_I64);
  start = xc_graph_emit_part(graph, start, 0, 0, size);
  start = xc_graph_emit_with(graph, "least", XC_TIR_MAX, start, 0);
  start = xc_graph_emit_binary(graph, "most", XC_TIR_MIN, start,
                               xc_graph_emit_ints(graph, most, &size, 1));
  start = xc_graph_emit_binary(graph, "scaled", XC_TIR_MUL, start,
                               xc_graph_emit_ints(graph, scales, &size, 1));
  return xc_graph_emit_reduction(graph, XC_TIR_REDUCTION_SUM, start, &along, 1,
                                 true);
}

bool xc_tflite_update_slice(xc_tflite_context *c) {
  xc_graph *graph = &c->importer->graph;
  int64_t strides[XC_MAX_RANK];
  MlirValue x = xc_tflite_value(c, 0), update = xc_tflite_value(c, 1),
            start = xc_tflite_value(c, 2);
  if (mlirValueIsNull(x) || mlirValueIsNull(update) || mlirValueIsNull(start))
    return false;
  xc_shape operand = xc_value_shape(x), part = xc_value_shape(update),
           at = xc_value_shape(start);
  bool fits = operand.rank >= 1 && part.rank == operand.rank && at.rank == 1 &&
              at.dims[0] == (int64_t)operand.rank;
  for (size_t i = 0; fits && i < operand.rank; ++i)
    fits = part.dims[i] <= operand.dims[i];
  if (!fits)
    return xc_tflite_error(c, "has an update that does not fit the operand");
  // A row is what the update has as a whole; there is always one dimension
  // more.
  size_t depth = operand.rank;
  while (depth > 1 && part.dims[depth - 1] == operand.dims[depth - 1])
    --depth;
  for (size_t d = depth; d-- > 0;)
    strides[d] = d + 1 == depth ? 1 : strides[d + 1] * operand.dims[d + 1];
  MlirValue rows = xc_graph_emit_binary(
      graph, "rows", XC_TIR_ADD, emit_offsets(graph, &part, strides, depth),
      emit_start(graph, start, &operand, &part, strides, depth));
  return xc_tflite_set(c, 0,
                       xc_graph_emit_scatter(graph, x, rows, update, "NONE"));
}

//===----------------------------------------------------------------------===//
// Diagonals
//===----------------------------------------------------------------------===//

// Truth on the diagonal.
static MlirValue emit_eye(xc_graph *graph, int64_t rows, int64_t columns) {
  return xc_graph_emit_compare(graph, "EQ",
                               xc_graph_emit_iota(graph, 2, 0, rows),
                               xc_graph_emit_iota(graph, 2, 1, columns));
}

bool xc_tflite_matrix_diag(xc_tflite_context *c) {
  xc_graph *graph = &c->importer->graph;
  MlirValue x = xc_tflite_value(c, 0);
  if (mlirValueIsNull(x))
    return false;
  xc_shape shape = xc_value_shape(x);
  if (shape.rank < 1 || shape.rank >= XC_MAX_RANK)
    return xc_tflite_error(c, "has an input of rank %zu", shape.rank);
  int64_t size = shape.dims[shape.rank - 1];
  shape.dims[shape.rank] = size;
  shape.dims[shape.rank - 1] = 1;
  x = xc_graph_emit_reshape(graph, x, shape.dims, shape.rank + 1);
  MlirValue zero = xc_graph_emit_number(graph, 0, shape.element);
  return xc_tflite_set(
      c, 0, xc_graph_emit_select(graph, emit_eye(graph, size, size), x, zero));
}

bool xc_tflite_matrix_set_diag(xc_tflite_context *c) {
  xc_graph *graph = &c->importer->graph;
  MlirValue x = xc_tflite_value(c, 0), diagonal = xc_tflite_value(c, 1);
  if (mlirValueIsNull(x) || mlirValueIsNull(diagonal))
    return false;
  xc_shape shape = xc_value_shape(x), given = xc_value_shape(diagonal);
  if (shape.rank < 2 || given.rank + 1 != shape.rank)
    return xc_tflite_error(c,
                           "has matrices of rank %zu and diagonals of rank "
                           "%zu",
                           shape.rank, given.rank);
  int64_t rows = shape.dims[shape.rank - 2], columns = shape.dims[given.rank];
  int64_t size = rows < columns ? rows : columns;
  bool fits = given.dims[given.rank - 1] == size;
  for (size_t i = 0; fits && i + 1 < given.rank; ++i)
    fits = given.dims[i] == shape.dims[i];
  if (!fits)
    return xc_tflite_error(c, "has diagonals of a shape that does not fit the "
                              "matrices");
  // Along the shorter side, so that it broadcasts to the matrix.
  memcpy(shape.dims, given.dims, sizeof(shape.dims));
  shape.dims[given.rank - 1] = rows < columns ? rows : 1;
  shape.dims[given.rank] = rows < columns ? 1 : columns;
  diagonal = xc_graph_emit_reshape(graph, diagonal, shape.dims, shape.rank);
  return xc_tflite_set(
      c, 0,
      xc_graph_emit_select(graph, emit_eye(graph, rows, columns), diagonal, x));
}
