//===- Compose.h - operators composed of tir's --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that several formats have and tir does not. Each function emits the
// operators of tir that compute one of them, and returns their result.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_GRAPH_COMPOSE_H
#define XC_FRONTEND_GRAPH_COMPOSE_H

#include "Emit.h"

/// Compares a with b, or with a number of a's element type: "EQ", "LT", ...
MlirValue xc_graph_emit_compare(xc_graph *graph, const char *predicate,
                                MlirValue a, MlirValue b);
MlirValue xc_graph_emit_compare_with(xc_graph *graph, const char *predicate,
                                     MlirValue a, double number);
MlirValue xc_graph_emit_select(xc_graph *graph, MlirValue condition,
                               MlirValue yes, MlirValue no);
MlirValue xc_graph_emit_reshape(xc_graph *graph, MlirValue value,
                                const int64_t *dims, size_t rank);
/// Creates a constant of i64 elements, which the graph owns (xc_graph_alloc).
MlirValue xc_graph_emit_ints(xc_graph *graph, const int64_t *ints,
                             const int64_t *dims, size_t rank);
/// Creates a constant 0, 1, 2, ... along one dimension; the others have size 1.
MlirValue xc_graph_emit_iota(xc_graph *graph, size_t rank, size_t axis,
                             int64_t size);
MlirValue xc_graph_emit_reduction(xc_graph *graph, xc_op_kind kind,
                                  MlirValue input, const int64_t *axes,
                                  size_t count, bool keep_dims);
/// Joins any number of values, by several operators if it has to; `operands` is
/// written to.
MlirValue xc_graph_emit_concat(xc_graph *graph, MlirValue *operands,
                               size_t count, size_t axis);
/// Repeats a value side by side, as often along each dimension as `repeats`
/// says.
MlirValue xc_graph_emit_tile(xc_graph *graph, MlirValue value,
                             const int64_t *repeats);
/// GELU, with erf or in the approximation with tanh.
MlirValue xc_graph_emit_gelu(xc_graph *graph, MlirValue x, bool by_tanh);
/// Returns the sign of each element: -1, 0 or 1.
MlirValue xc_graph_emit_sign(xc_graph *graph, MlirValue x);
/// Returns the angle of (x, y), from -pi to pi.
MlirValue xc_graph_emit_atan2(xc_graph *graph, MlirValue y, MlirValue x);
/// The quantised numbers that stand for floats in training.
typedef struct xc_graph_fake_quant {
  double min, max; // min < max
  int64_t bits;    // 2 to 16
  bool is_narrow;  // without the lowest number
} xc_graph_fake_quant;
/// Rounds to the nearest of 2^bits numbers from min to max, which are moved so
/// that 0 is one of them.
MlirValue xc_graph_emit_fake_quant(xc_graph *graph, MlirValue x,
                                   const xc_graph_fake_quant *quant);
/// Returns the remainder of a / b with the sign of b (floors) or of a.
MlirValue xc_graph_emit_modulo(xc_graph *graph, MlirValue a, MlirValue b,
                               bool floors);
/// a / b, rounded down. The main operator of the node.
MlirValue xc_graph_emit_floor_div(xc_graph *graph, MlirValue a, MlirValue b);
/// Returns the enumerator of tir for the way in which TensorFlow and TensorFlow
/// Lite pick the nearest element of a resize.
const char *xc_graph_nearest_mode(bool align_corners, bool half_pixel);

//===----------------------------------------------------------------------===//
// By index (Index.c)
//===----------------------------------------------------------------------===//

/// Gathers the entries of `input` whose leading indices, after `batch_dims`
/// common dimensions, stand in the last dimension of `indices`. Negative ones
/// count from the end.
MlirValue xc_graph_emit_gather_nd(xc_graph *graph, MlirValue input,
                                  MlirValue indices, size_t batch_dims);
/// Gathers, for each position of `indices`, the element of `input` there, with
/// the index in place of the position along an axis.
MlirValue xc_graph_emit_gather_elements(xc_graph *graph, MlirValue input,
                                        MlirValue indices, size_t axis);
/// Replaces the rows of `data` that the vector `rows` names by updates, or
/// combines them ("NONE", "ADD", ... as tir.scatter has them), one after the
/// other.
MlirValue xc_graph_emit_scatter(xc_graph *graph, MlirValue data, MlirValue rows,
                                MlirValue updates, const char *reduction);
/// Does the same to entries named by their leading indices, as in
/// xc_graph_emit_gather_nd, and to elements along an axis, as in
/// xc_graph_emit_gather_elements. The caller has checked the shapes.
MlirValue xc_graph_emit_scatter_nd(xc_graph *graph, MlirValue data,
                                   MlirValue indices, MlirValue updates,
                                   const char *reduction);
MlirValue xc_graph_emit_scatter_elements(xc_graph *graph, MlirValue data,
                                         MlirValue indices, MlirValue updates,
                                         size_t axis, const char *reduction);
/// Whether the operands of xc_graph_emit_sparse fit a tensor of that rank:
/// indices (one position, places in a vector, or a list of positions), and as
/// many values, or one.
bool xc_graph_sparse_fits(const xc_shape *indices, const xc_shape *values,
                          size_t rank);
/// Makes a tensor with the values at the indices and `absent` elsewhere.
MlirValue xc_graph_emit_sparse(xc_graph *graph, MlirValue indices,
                               MlirValue values, MlirValue absent,
                               const int64_t *dims, size_t rank);

//===----------------------------------------------------------------------===//
// Along a dimension (Along.c)
//===----------------------------------------------------------------------===//

/// Slices one dimension from `begin` to before `end`.
MlirValue xc_graph_emit_part(xc_graph *graph, MlirValue x, size_t axis,
                             int64_t begin, int64_t end);
/// Gathers the entries of one dimension that the list names, which the graph
/// owns.
MlirValue xc_graph_emit_entries(xc_graph *graph, MlirValue x, size_t axis,
                                const int64_t *entries, int64_t count);
/// Reverses one dimension.
MlirValue xc_graph_emit_flip(xc_graph *graph, MlirValue x, size_t axis);
/// Sums each entry and all before (backwards: after) it, without the entry
/// itself if it `excludes`.
MlirValue xc_graph_emit_cumulative_sum(xc_graph *graph, MlirValue x,
                                       size_t axis, bool excludes,
                                       bool backwards);
MlirValue xc_graph_emit_product(xc_graph *graph, MlirValue x,
                                const int64_t *axes, size_t count,
                                bool keep_dims);
/// Reverses the first entries along `time_axis`, as many as `lengths` has for
/// each entry of `batch_axis`.
MlirValue xc_graph_emit_reverse_sequence(xc_graph *graph, MlirValue x,
                                         MlirValue lengths, size_t batch_axis,
                                         size_t time_axis);
/// side[1] where the index along a new dimension of that size is the input,
/// side[0] elsewhere.
MlirValue xc_graph_emit_one_hot(xc_graph *graph, MlirValue indices, size_t axis,
                                int64_t depth, const MlirValue sides[2]);

//===----------------------------------------------------------------------===//
// Layers (Sample.c, Recurrent.c, Compose.c)
//===----------------------------------------------------------------------===//

/// How an image continues beyond its edges.
typedef enum xc_graph_edge {
  XC_GRAPH_EDGE_ZEROS,
  XC_GRAPH_EDGE_BORDER,     // the nearest pixel
  XC_GRAPH_EDGE_REFLECTION, // the image, mirrored
} xc_graph_edge;

typedef struct xc_graph_sampling {
  size_t taps; // along each dimension: 1 nearest, 2 linear, 4 cubic
  xc_graph_edge edge;
  bool align_corners; // it is mirrored at the centre of the last pixel
} xc_graph_sampling;
/// Interpolates an NHWC image at rows y and columns x, which are floats, of
/// image `batch` (i64). The three broadcast; channels come after their
/// dimensions.
MlirValue xc_graph_emit_samples(xc_graph *graph, MlirValue image,
                                MlirValue batch, MlirValue y, MlirValue x,
                                const xc_graph_sampling *sampling);

/// Parameters of a non-maximum suppression.
typedef struct xc_graph_nms {
  int64_t max_boxes;
  double iou_threshold, score_threshold;
  bool center_point_box;
} xc_graph_nms;
MlirValue xc_graph_emit_nms(xc_graph *graph, MlirValue boxes, MlirValue scores,
                            const xc_graph_nms *nms, xc_element element);

/// A recurrent layer in one direction. Weights have a row for each unit of each
/// gate, in the order of tir.recurrent; what is null is left out.
typedef struct xc_graph_recurrent {
  const char *part;                   // of the operators' names
  const char *cell;                   // "RNN", "LSTM", "GRU"
  MlirValue input;                    // [steps, batch, channels]
  MlirValue weight, recurrent_weight; // [gates * units, channels or units]
  MlirValue bias;                     // [gates * units]
  MlirValue initial, candidate_bias, peephole, lengths; // as the operator's
  bool reverse, reset_after;
  const char *gate_activation, *activation, *output_activation;
  double alpha, beta; // of HARD_SIGMOID
} xc_graph_recurrent;
/// Returns the states after each step, [steps, batch, states * units].
MlirValue xc_graph_emit_recurrent(xc_graph *graph,
                                  const xc_graph_recurrent *layer);

#endif // XC_FRONTEND_GRAPH_COMPOSE_H
