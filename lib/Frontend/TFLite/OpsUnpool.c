//===- OpsUnpool.c - pools that remember places ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <string.h>

/// The options of both: padding (1 for SAME, 2 for VALID), stride and window,
/// each width first, and a fused activation.
typedef struct pool_options {
  int64_t stride[2], filter[2];
  bool is_same;
} pool_options;

static bool read_options(xc_tflite_context *c, pool_options *p) {
  enum { COUNT = 6, SAME = 1, VALID = 2, MOST = 1 << 10 };
  int32_t ints[COUNT];
  if (!xc_tflite_raw_options(c, ints, COUNT))
    return false;
  for (size_t i = 1; i < COUNT - 1; ++i)
    if (ints[i] < 1 || ints[i] > MOST)
      return xc_tflite_error(c, "has a stride or window of %" PRId32, ints[i]);
  if ((ints[0] != SAME && ints[0] != VALID) || ints[COUNT - 1] != 0)
    return xc_tflite_error(c,
                           "has padding number %" PRId32
                           " and fused activation number %" PRId32,
                           ints[0], ints[COUNT - 1]);
  *p = (pool_options){{ints[1], ints[2]}, {ints[3], ints[4]}, ints[0] == SAME};
  return true;
}

// Element (y, x) of each window of an input with its padding.
static MlirValue emit_tap(xc_graph *graph, const pool_options *p,
                          MlirValue padded, const xc_shape *output, int64_t y,
                          int64_t x) {
  const int64_t *d = output->dims;
  const int64_t begin[] = {0, y, x, 0};
  const int64_t end[] = {d[0], y + (d[1] - 1) * p->stride[1] + 1,
                         x + (d[2] - 1) * p->stride[0] + 1, d[3]};
  const int64_t step[] = {1, p->stride[1], p->stride[0], 1};
  const xc_attribute attributes[] = {xc_ints("begin", begin, 4),
                                     xc_ints("end", end, 4),
                                     xc_ints("strides", step, 4)};
  return xc_graph_emit(graph, "tap", XC_TIR_STRIDED_SLICE, &padded, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// So that every window lies inside.
static MlirValue emit_lowest(xc_graph *graph, const pool_options *p,
                             MlirValue input, const xc_shape *output) {
  const double lowest = -3.4028234663852886e38;
  int64_t paddings[8] = {0};
  xc_shape in = xc_value_shape(input);
  for (size_t axis = 0; axis < 2; ++axis) {
    int64_t need = (output->dims[2 - axis] - 1) * p->stride[axis] +
                   p->filter[axis] - in.dims[2 - axis];
    need = need > 0 ? need : 0;
    paddings[2 * (2 - axis)] = need / 2;
    paddings[2 * (2 - axis) + 1] = need - need / 2;
  }
  const xc_attribute attributes[] = {xc_ints("paddings", paddings, 8),
                                     xc_float("constant_value", lowest)};
  return xc_graph_emit(graph, "pad", XC_TIR_PAD, &input, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Returns the place of the first largest element in its window, row by row, and
// a tenth: that is how the format has it, so that it survives 16 bits.
static MlirValue emit_places(xc_graph *graph, const pool_options *p,
                             MlirValue padded, const xc_shape *output) {
  MlirValue best = emit_tap(graph, p, padded, output, 0, 0);
  MlirValue place = xc_graph_emit_with(graph, "first", XC_TIR_MUL, best, 0);
  for (int64_t i = 1; i < p->filter[0] * p->filter[1]; ++i) {
    MlirValue tap =
        emit_tap(graph, p, padded, output, i / p->filter[0], i % p->filter[0]);
    MlirValue above = xc_graph_emit_compare(graph, "GT", tap, best);
    MlirValue number = xc_graph_emit_number(graph, (double)i, XC_ELEMENT_F32);
    if (mlirValueIsNull(above) || mlirValueIsNull(number))
      return above;
    const MlirValue choice[] = {above, number, place};
    place = xc_graph_emit(graph, "place", XC_TIR_SELECT, choice, 3, NULL,
                          XC_ELEMENT_F32);
    best = xc_graph_emit_binary(graph, "best", XC_TIR_MAX, best, tap);
  }
  return xc_graph_emit_with(graph, NULL, XC_TIR_ADD, place, 0.1);
}

bool xc_tflite_argmax_pool(xc_tflite_context *c) {
  enum { MOST_TAPS = 64 };
  pool_options p;
  xc_graph *graph = &c->importer->graph;
  MlirValue input = xc_tflite_value(c, 0);
  if (mlirValueIsNull(input) || !read_options(c, &p))
    return false;
  xc_shape shape = xc_value_shape(input);
  if (shape.rank != 4 || shape.element != XC_ELEMENT_F32 ||
      p.filter[0] * p.filter[1] > MOST_TAPS)
    return xc_tflite_error(c,
                           "expected floats of four dimensions and windows "
                           "of at most %d elements",
                           MOST_TAPS);
  const xc_attribute attributes[] = {
      xc_ints("kernel", p.filter, 2), xc_ints("stride", p.stride, 2),
      xc_string("pad_mode", p.is_same ? "SAME" : "VALID")};
  MlirValue values = xc_graph_emit(graph, NULL, XC_TIR_MAXPOOL2D, &input, 1,
                                   XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  if (!xc_tflite_set(c, 0, values))
    return false;
  xc_shape output = xc_value_shape(values);
  xc_tflite_select_output(c, 1);
  MlirValue padded = emit_lowest(graph, &p, input, &output);
  return xc_tflite_set(c, 1, emit_places(graph, &p, padded, &output));
}

// Each value at its place of the window, zeros elsewhere. Windows that lie side
// by side are the blocks of a pixel shuffle.
bool xc_tflite_unpool(xc_tflite_context *c) {
  enum { MOST = 4 };
  pool_options p;
  xc_graph *graph = &c->importer->graph;
  MlirValue input = xc_tflite_value(c, 0), places = xc_tflite_value(c, 1);
  if (mlirValueIsNull(input) || mlirValueIsNull(places) || !read_options(c, &p))
    return false;
  if (p.filter[0] != p.filter[1] || p.stride[0] != p.stride[1] ||
      p.filter[0] != p.stride[0] || p.filter[0] > MOST ||
      xc_value_shape(places).element != XC_ELEMENT_F32)
    return xc_tflite_error(c,
                           "expected square windows of at most %d by %d "
                           "side by side",
                           MOST, MOST);
  MlirValue planes[MOST * MOST];
  size_t count = (size_t)(p.filter[0] * p.filter[0]);
  places = xc_graph_emit_binary(graph, "place", XC_TIR_FLOOR, places,
                                (MlirValue){NULL});
  for (size_t i = 0; i < count; ++i) {
    MlirValue here = xc_graph_emit_compare_with(graph, "EQ", places, (double)i);
    planes[i] = xc_graph_emit_select(
        graph, here, input, xc_graph_emit_number(graph, 0, XC_ELEMENT_F32));
  }
  const xc_attribute along[] = {xc_int("axis", 3)};
  MlirValue blocks =
      count == 1 ? planes[0]
                 : xc_graph_emit(graph, "blocks", XC_TIR_CONCAT, planes, count,
                                 XC_ATTRIBUTES(along), XC_ELEMENT_NONE);
  const xc_attribute attributes[] = {xc_int("scale", p.filter[0]),
                                     xc_bool("upscale", true),
                                     xc_string("mode", "DCR")};
  return xc_tflite_set(c, 0,
                       xc_graph_emit(graph, NULL, XC_TIR_PIXEL_SHUFFLE, &blocks,
                                     1, XC_ATTRIBUTES(attributes),
                                     XC_ELEMENT_NONE));
}
