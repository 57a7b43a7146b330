//===- OpsRotary.c - positions of a sequence as angles --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>

static const MlirValue none = {NULL};

/// The heads of a sequence: [batch, sequence, heads, size], or with heads and
/// sequence exchanged. The first `rotated` elements of a head are turned.
typedef struct rotary {
  int64_t dims[4];
  size_t sequence; // the dimension
  int64_t rotated;
  bool interleaved;
} rotary;

/// Where the inputs stand.
typedef struct rotary_inputs {
  size_t cos, sin, positions;
} rotary_inputs;

// With 3 dimensions heads are side by side. What com.microsoft leaves out
// follows from the table.
static bool read_heads(xc_onnx_importer *im, const xc_shape *x, int64_t half,
                       rotary *r) {
  int64_t heads = xc_onnx_int(im, "num_heads", 0);
  r->rotated = xc_onnx_int(im, "rotary_embedding_dim", 0);
  r->interleaved = xc_onnx_int(im, "interleaved", 0) != 0;
  r->sequence = x->rank == 4 ? 2 : 1;
  if (x->rank == 4) {
    for (size_t i = 0; i < 4; ++i)
      r->dims[i] = x->dims[i];
  } else {
    if (im->row->detail && heads == 0 && r->rotated == 0 && half > 0)
      heads = x->dims[2] / (2 * half);
    if (heads < 1 || x->dims[2] % heads != 0)
      return xc_onnx_error(
          im,
          "attribute 'num_heads' is %" PRId64
          ", expected a divisor of the last dimension, %" PRId64,
          heads, x->dims[2]);
    r->dims[0] = x->dims[0];
    r->dims[1] = x->dims[1];
    r->dims[2] = heads;
    r->dims[3] = x->dims[2] / heads;
  }
  if (r->rotated == 0)
    r->rotated = r->dims[3];
  return (r->rotated > 0 && r->rotated % 2 == 0 && r->rotated <= r->dims[3] &&
          half == r->rotated / 2) ||
         xc_onnx_error(im,
                       "turns %" PRId64 " of %" PRId64
                       " elements of a head by tables of %" PRId64
                       ", expected half as many",
                       r->rotated, r->dims[3], half);
}

// Returns the positions as i64; one position is that of the first step.
static MlirValue emit_positions(xc_onnx_importer *im, xc_graph_value *positions,
                                int64_t steps) {
  xc_graph *graph = &im->graph;
  MlirValue at = xc_graph_get_plain(graph, positions);
  if (positions->shape.element != XC_ELEMENT_I64)
    at = xc_graph_emit_cast(graph, "positions", at, XC_ELEMENT_I64);
  return positions->shape.rank == 2
             ? at
             : xc_graph_emit_binary(graph, "positions", XC_TIR_ADD, at,
                                    xc_graph_emit_iota(graph, 2, 1, steps));
}

// Cosines or sines of all steps, with a dimension of 1 for the heads.
static MlirValue emit_angles(xc_onnx_importer *im, const rotary *r,
                             size_t index, MlirValue positions) {
  xc_graph *graph = &im->graph;
  xc_graph_value *table = xc_onnx_input(im, index);
  MlirValue rows = xc_graph_get_plain(graph, table);
  const MlirValue pick[] = {rows, positions};
  const xc_attribute attributes[] = {xc_int("axis", 0)};
  if (!mlirValueIsNull(positions))
    rows = xc_graph_emit(graph, "rows", XC_TIR_GATHER, pick, 2,
                         XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  if (mlirValueIsNull(rows))
    return rows;
  xc_shape shape = xc_value_shape(rows);
  int64_t dims[] = {shape.dims[0], 1, 1, r->rotated / 2};
  dims[r->sequence] = r->dims[r->sequence];
  return xc_graph_emit_reshape(graph, rows, dims, 4);
}

// Entry `first` of a head and every `step`-th after it, `count` in all.
static MlirValue emit_every(xc_onnx_importer *im, const rotary *r, MlirValue x,
                            int64_t first, int64_t step) {
  int64_t begin[] = {0, 0, 0, first}, strides[] = {1, 1, 1, step};
  int64_t end[] = {r->dims[0], r->dims[1], r->dims[2],
                   first + (r->rotated / 2 - 1) * step + 1};
  const xc_attribute attributes[] = {xc_ints("begin", begin, 4),
                                     xc_ints("end", end, 4),
                                     xc_ints("strides", strides, 4)};
  return xc_graph_emit(&im->graph, "half", XC_TIR_STRIDED_SLICE, &x, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// a * x + sign * b * y
static MlirValue emit_turned(xc_onnx_importer *im, MlirValue a, MlirValue x,
                             xc_op_kind sign, MlirValue b, MlirValue y) {
  MlirValue first = xc_graph_emit_binary(&im->graph, "part", XC_TIR_MUL, a, x);
  MlirValue second = xc_graph_emit_binary(&im->graph, "part", XC_TIR_MUL, b, y);
  return xc_graph_emit_binary(&im->graph, "turned", sign, first, second);
}

static MlirValue emit_joined(xc_onnx_importer *im, MlirValue a, MlirValue b,
                             int64_t axis) {
  const MlirValue parts[] = {a, b};
  const xc_attribute attributes[] = {xc_int("axis", axis)};
  return xc_graph_emit(&im->graph, "joined", XC_TIR_CONCAT, parts, 2,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Pairs of elements as points that are turned by the angle of their step.
static MlirValue emit_rotated(xc_onnx_importer *im, const rotary *r,
                              MlirValue x, MlirValue cos, MlirValue sin) {
  xc_graph *graph = &im->graph;
  int64_t half = r->rotated / 2, step = r->interleaved ? 2 : 1;
  MlirValue a = emit_every(im, r, x, 0, step);
  MlirValue b = emit_every(im, r, x, r->interleaved ? 1 : half, step);
  MlirValue real = emit_turned(im, cos, a, XC_TIR_SUB, sin, b);
  MlirValue imaginary = emit_turned(im, sin, a, XC_TIR_ADD, cos, b);
  MlirValue y;
  if (r->interleaved) {
    const int64_t apart[] = {r->dims[0], r->dims[1], r->dims[2], half, 1};
    const int64_t side[] = {r->dims[0], r->dims[1], r->dims[2], r->rotated};
    y = emit_joined(im, xc_graph_emit_reshape(graph, real, apart, 5),
                    xc_graph_emit_reshape(graph, imaginary, apart, 5), 4);
    y = xc_graph_emit_reshape(graph, y, side, 4);
  } else {
    y = emit_joined(im, real, imaginary, 3);
  }
  if (r->rotated == r->dims[3])
    return y;
  MlirValue rest = xc_graph_emit_part(graph, x, 3, r->rotated, r->dims[3]);
  return emit_joined(im, y, rest, 3);
}

// Tables of positions [n, half], or of each step [batch, sequence, half].
static bool check_tables(xc_onnx_importer *im, const rotary_inputs *in,
                         xc_graph_value *tables[2], xc_graph_value *positions) {
  const size_t rank = positions ? 2 : 3;
  return xc_onnx_need_input(im, in->cos, &tables[0]) &&
         xc_onnx_need_input(im, in->sin, &tables[1]) &&
         xc_onnx_check_rank(im, tables[0], rank, rank) &&
         xc_onnx_check_rank(im, tables[1], rank, rank) &&
         (!positions ||
          xc_onnx_check_rank(im, positions, im->row->detail ? 1 : 2, 2)) &&
         (tables[0]->shape.dims[rank - 1] == tables[1]->shape.dims[rank - 1] ||
          xc_onnx_error(im, "has cosines and sines of unlike shapes"));
}

// detail: 1 for com.microsoft, whose positions come before the tables.
bool xc_onnx_rotary_embedding(xc_onnx_importer *im) {
  const rotary_inputs in =
      im->row->detail ? (rotary_inputs){2, 3, 1} : (rotary_inputs){1, 2, 3};
  xc_graph_value *value, *tables[2],
      *positions = xc_onnx_input(im, in.positions);
  rotary r;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_check_rank(im, value, 3, 4) ||
      !check_tables(im, &in, tables, positions) ||
      !read_heads(im, &value->shape,
                  tables[0]->shape.dims[tables[0]->shape.rank - 1], &r))
    return false;
  if (xc_onnx_int(im, "is_packed_batching", 0) ||
      xc_onnx_float(im, "scale", 1) != 1)
    return xc_onnx_error(im, "has 'is_packed_batching' or a 'scale', which are "
                             "not supported");
  xc_graph *graph = &im->graph;
  MlirValue at =
      positions ? emit_positions(im, positions, r.dims[r.sequence]) : none;
  MlirValue x = xc_graph_get_plain(graph, value);
  if (value->shape.rank == 3)
    x = xc_graph_emit_reshape(graph, x, r.dims, 4);
  MlirValue y = emit_rotated(im, &r, x, emit_angles(im, &r, in.cos, at),
                             emit_angles(im, &r, in.sin, at));
  if (value->shape.rank == 3)
    y = xc_graph_emit_reshape(graph, y, value->shape.dims, 3);
  return xc_onnx_result_plain(im, 0, y);
}
