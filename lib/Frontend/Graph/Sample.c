//===- Sample.c - an image between its pixels, composed of tir's ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample is a sum of pixels around a position, the taps, of which there are
// as many along each dimension. Each tap is a gather of rows of channels and a
// product with its weight.
//
//===----------------------------------------------------------------------===//

#include "Compose.h"

static const MlirValue none = {NULL};

enum { MAX_TAPS = 4 };

/// The pixels along one dimension that a position is made of.
typedef struct taps {
  MlirValue index[MAX_TAPS]; // i64
  MlirValue weight[MAX_TAPS];
} taps;

static MlirValue emit_clamp(xc_graph *graph, MlirValue x, double low,
                            double high) {
  x = xc_graph_emit_with(graph, "low", XC_TIR_MAX, x, low);
  return xc_graph_emit_with(graph, "high", XC_TIR_MIN, x, high);
}

// Turned around at both edges as often as it takes.
static MlirValue emit_reflected(xc_graph *graph, MlirValue x, int64_t size,
                                bool align_corners) {
  double low = align_corners ? 0 : -0.5;
  double range = (double)size - (align_corners ? 1 : 0);
  if (range <= 0)
    return emit_clamp(graph, x, 0, 0);
  x = xc_graph_emit_with(graph, "from_edge", XC_TIR_SUB, x, low);
  x = xc_graph_emit_binary(graph, "beyond", XC_TIR_ABS, x, none);
  MlirValue turns =
      xc_graph_emit_with(graph, "turns", XC_TIR_MUL, x, 0.5 / range);
  turns = xc_graph_emit_binary(graph, "whole", XC_TIR_FLOOR, turns, none);
  x = xc_graph_emit_binary(
      graph, "rest", XC_TIR_SUB, x,
      xc_graph_emit_with(graph, "way", XC_TIR_MUL, turns, 2 * range));
  MlirValue back = xc_graph_emit_with(
      graph, "ahead", XC_TIR_ADD,
      xc_graph_emit_binary(graph, "minus", XC_TIR_NEG, x, none), 2 * range);
  x = xc_graph_emit_binary(graph, "turned", XC_TIR_MIN, x, back);
  return xc_graph_emit_with(graph, "reflected", XC_TIR_ADD, x, low);
}

// ((a * x + b) * x + c) * x + d
static MlirValue emit_cubic(xc_graph *graph, MlirValue x,
                            const double terms[4]) {
  MlirValue y = xc_graph_emit_with(graph, "term", XC_TIR_MUL, x, terms[0]);
  for (size_t i = 1; i < 3; ++i) {
    y = xc_graph_emit_with(graph, "term", XC_TIR_ADD, y, terms[i]);
    y = xc_graph_emit_binary(graph, "power", XC_TIR_MUL, y, x);
  }
  return xc_graph_emit_with(graph, "term", XC_TIR_ADD, y, terms[3]);
}

// Weights of taps for what a position is beyond its second (cubic) or first
// tap.
static void emit_weights(xc_graph *graph, MlirValue part, size_t count,
                         MlirValue *weights) {
  const double a = -0.75;
  const double near[] = {a + 2, -(a + 3), 0, 1};
  const double far[] = {a, -5 * a, 8 * a, -4 * a};
  MlirValue rest = xc_graph_emit_with(
      graph, "rest", XC_TIR_ADD,
      xc_graph_emit_binary(graph, "minus", XC_TIR_NEG, part, none), 1);
  if (count == 2) {
    weights[0] = rest;
    weights[1] = part;
    return;
  }
  weights[0] = emit_cubic(
      graph, xc_graph_emit_with(graph, "before", XC_TIR_ADD, part, 1), far);
  weights[1] = emit_cubic(graph, part, near);
  weights[2] = emit_cubic(graph, rest, near);
  weights[3] = emit_cubic(
      graph, xc_graph_emit_with(graph, "after", XC_TIR_ADD, rest, 1), far);
}

static MlirValue emit_mask(xc_graph *graph, MlirValue at, int64_t size) {
  const MlirValue sides[] = {
      xc_graph_emit_compare_with(graph, "GE", at, 0),
      xc_graph_emit_compare_with(graph, "LE", at, (double)size - 1)};
  const xc_attribute attributes[] = {xc_string("type", "AND")};
  MlirValue inside = xc_graph_emit(graph, "inside", XC_TIR_LOGICAL, sides, 2,
                                   XC_ATTRIBUTES(attributes), XC_ELEMENT_I1);
  return xc_graph_emit_cast(graph, "mask", inside, xc_value_shape(at).element);
}

static bool emit_taps(xc_graph *graph, MlirValue x, int64_t size,
                      const xc_graph_sampling *sampling, taps *result) {
  size_t count = sampling->taps;
  if (count == 1)
    x = xc_graph_emit_binary(graph, "nearest", XC_TIR_ROUND, x, none);
  MlirValue whole = xc_graph_emit_binary(graph, "whole", XC_TIR_FLOOR, x, none);
  if (count > 1)
    emit_weights(graph,
                 xc_graph_emit_binary(graph, "part", XC_TIR_SUB, x, whole),
                 count, result->weight);
  for (size_t i = 0; i < count; ++i) {
    MlirValue at = xc_graph_emit_with(graph, "tap", XC_TIR_ADD, whole,
                                      (double)i - (count == MAX_TAPS));
    if (mlirValueIsNull(at))
      return false;
    if (sampling->edge == XC_GRAPH_EDGE_ZEROS) {
      MlirValue mask = emit_mask(graph, at, size);
      result->weight[i] =
          count == 1 ? mask
                     : xc_graph_emit_binary(graph, "weight", XC_TIR_MUL,
                                            result->weight[i], mask);
    }
    if (sampling->edge == XC_GRAPH_EDGE_REFLECTION)
      at = emit_reflected(graph, at, size, sampling->align_corners);
    at = emit_clamp(graph, at, 0, (double)size - 1);
    result->index[i] = xc_graph_emit_cast(graph, "index", at, XC_ELEMENT_I64);
  }
  return true;
}

// Returns the product of the weights of a row and a column, for all channels;
// null where neither has any.
static MlirValue emit_share(xc_graph *graph, MlirValue row, MlirValue column) {
  int64_t dims[XC_MAX_RANK];
  if (mlirValueIsNull(row))
    return none;
  MlirValue share =
      xc_graph_emit_binary(graph, "share", XC_TIR_MUL, row, column);
  if (mlirValueIsNull(share))
    return none;
  xc_shape shape = xc_value_shape(share);
  for (size_t i = 0; i < shape.rank; ++i)
    dims[i] = shape.dims[i];
  dims[shape.rank] = 1;
  return xc_graph_emit_reshape(graph, share, dims, shape.rank + 1);
}

MlirValue xc_graph_emit_samples(xc_graph *graph, MlirValue image,
                                MlirValue batch, MlirValue y, MlirValue x,
                                const xc_graph_sampling *sampling) {
  if (mlirValueIsNull(image) || mlirValueIsNull(batch) || mlirValueIsNull(y) ||
      mlirValueIsNull(x))
    return none;
  xc_shape shape = xc_value_shape(image);
  int64_t height = shape.dims[1], width = shape.dims[2];
  const int64_t flat[] = {shape.dims[0] * height * width, shape.dims[3]};
  taps rows = {.index = {none}}, columns = {.index = {none}};
  if (!emit_taps(graph, y, height, sampling, &rows) ||
      !emit_taps(graph, x, width, sampling, &columns))
    return none;
  const xc_attribute attributes[] = {xc_int("axis", 0)};
  MlirValue pixels = xc_graph_emit_reshape(graph, image, flat, 2);
  MlirValue first = xc_graph_emit_with(graph, "image", XC_TIR_MUL, batch,
                                       (double)(height * width));
  MlirValue sum = none;
  for (size_t i = 0; i < sampling->taps; ++i) {
    MlirValue row =
        xc_graph_emit_binary(graph, "row", XC_TIR_ADD, first,
                             xc_graph_emit_with(graph, "line", XC_TIR_MUL,
                                                rows.index[i], (double)width));
    for (size_t k = 0; k < sampling->taps; ++k) {
      const MlirValue pick[] = {pixels,
                                xc_graph_emit_binary(graph, "place", XC_TIR_ADD,
                                                     row, columns.index[k])};
      MlirValue picked =
          xc_graph_emit(graph, "pixels", XC_TIR_GATHER, pick, 2,
                        XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
      MlirValue share = emit_share(graph, rows.weight[i], columns.weight[k]);
      if (!mlirValueIsNull(share))
        picked = xc_graph_emit_binary(graph, "part", XC_TIR_MUL, picked, share);
      sum = mlirValueIsNull(sum)
                ? picked
                : xc_graph_emit_binary(graph, "sum", XC_TIR_ADD, sum, picked);
    }
  }
  return sum;
}
