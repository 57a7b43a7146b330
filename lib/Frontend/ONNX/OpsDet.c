//===- OpsDet.c - determinants --------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gaussian elimination with the largest element of a column as pivot, column by
// column: the determinant is the product of the pivots, with a sign for each
// row that was exchanged. The matrix gets one row and column smaller each time.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>

enum { ROWS = 1, COLUMNS = 2, MOST = 64 };

static const MlirValue none = {NULL};

// Slices rows or columns of each matrix of the batch.
static MlirValue part(xc_graph *graph, MlirValue x, size_t axis, int64_t begin,
                      int64_t end) {
  return xc_graph_emit_part(graph, x, axis, begin, end);
}

// Where the pivot is, as 1 in a column of zeros: [batch, size, 1].
static MlirValue emit_pivot(xc_graph *graph, MlirValue column) {
  const int64_t rows = ROWS;
  int64_t size = xc_value_shape(column).dims[ROWS];
  MlirValue sizes =
      xc_graph_emit_binary(graph, "size", XC_TIR_ABS, column, none);
  const xc_attribute attributes[] = {xc_int("axis", rows),
                                     xc_bool("keep_dims", true)};
  MlirValue at = xc_graph_emit(graph, "pivot", XC_TIR_ARGMAX, &sizes, 1,
                               XC_ATTRIBUTES(attributes), XC_ELEMENT_I64);
  MlirValue is_pivot = xc_graph_emit_compare(
      graph, "EQ", at, xc_graph_emit_iota(graph, 3, ROWS, size));
  return xc_graph_emit_cast(graph, "is_pivot", is_pivot,
                            xc_value_shape(column).element);
}

/// The elimination so far.
typedef struct elimination {
  MlirValue matrix;  // what is left, [batch, size, size]
  MlirValue product; // of the pivots, [batch, 1, 1], or null
} elimination;

static void multiply(xc_graph *graph, elimination *e, MlirValue factor) {
  e->product = mlirValueIsNull(e->product)
                   ? factor
                   : xc_graph_emit_binary(graph, "product", XC_TIR_MUL,
                                          e->product, factor);
}

// The pivot's row by the first one's place: the first row takes its place.
static bool eliminate(xc_graph *graph, elimination *e, int64_t size) {
  const int64_t rows = ROWS;
  MlirValue x = e->matrix;
  MlirValue mask = emit_pivot(graph, part(graph, x, COLUMNS, 0, 1));
  MlirValue top = part(graph, x, ROWS, 0, 1);
  MlirValue row = xc_graph_emit_reduction(
      graph, XC_TIR_REDUCTION_SUM,
      xc_graph_emit_binary(graph, "masked", XC_TIR_MUL, x, mask), &rows, 1,
      true);
  // The sign of the exchange: 1 where the pivot is in the first row.
  MlirValue stays = part(graph, mask, ROWS, 0, 1);
  MlirValue sign = xc_graph_emit_with(
      graph, "sign", XC_TIR_SUB,
      xc_graph_emit_with(graph, "twice", XC_TIR_MUL, stays, 2), 1);
  MlirValue pivot = part(graph, row, COLUMNS, 0, 1);
  multiply(graph, e,
           xc_graph_emit_binary(graph, "factor", XC_TIR_MUL, pivot, sign));
  MlirValue rest = part(graph, x, ROWS, 1, size);
  MlirValue other = part(graph, mask, ROWS, 1, size);
  // rest + mask * (top - row): a row that is the pivot's becomes the first.
  rest = xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "NE", other, 0), top, rest);
  // A column of zeros has no pivot: nothing is left to divide.
  MlirValue divisor = xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "EQ", pivot, 0),
      xc_graph_emit_number(graph, 1, xc_value_shape(x).element), pivot);
  MlirValue share = xc_graph_emit_binary(
      graph, "share", XC_TIR_DIV, part(graph, rest, COLUMNS, 0, 1), divisor);
  MlirValue less = xc_graph_emit_binary(graph, "less", XC_TIR_MUL, share,
                                        part(graph, row, COLUMNS, 1, size));
  e->matrix = xc_graph_emit_binary(graph, "rest", XC_TIR_SUB,
                                   part(graph, rest, COLUMNS, 1, size), less);
  return !mlirValueIsNull(e->matrix);
}

bool xc_onnx_det(xc_onnx_importer *im) {
  xc_graph *graph = &im->graph;
  xc_graph_value *input;
  if (!xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_check_rank(im, input, 2, XC_MAX_RANK))
    return false;
  const xc_shape *shape = &input->shape;
  size_t batch = shape->rank - 2;
  int64_t size = shape->dims[batch];
  if (size != shape->dims[batch + 1] || size < 1 || size > MOST)
    return xc_onnx_error(im,
                         "has matrices of %" PRId64 " x %" PRId64
                         ", expected square ones of 1 to %d rows",
                         size, shape->dims[batch + 1], MOST);
  const int64_t dims[] = {xc_graph_product(shape, 0, batch), size, size};
  elimination e = {
      xc_graph_emit_reshape(graph, xc_graph_get_plain(graph, input), dims, 3),
      none};
  for (int64_t left = size; left > 1; --left)
    if (!eliminate(graph, &e, left))
      return false;
  multiply(graph, &e, e.matrix);
  return xc_onnx_result_plain(
      im, 0, xc_graph_emit_reshape(graph, e.product, shape->dims, batch));
}
