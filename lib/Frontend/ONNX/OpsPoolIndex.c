//===- OpsPoolIndex.c - where the maximum is ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output 1 of MaxPool: the position of the largest element in the NCHW or NCDHW
// input, found tap by tap.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

enum { WIDTH, HEIGHT, DEPTH }; // of windows

/// An image is [N, H, W, C], a volume [N, H, W, D, C].
typedef struct index_request {
  const xc_onnx_window *window;
  xc_shape input, output;
  size_t axes;       // of the window
  int64_t stride[3]; // of neighbours along them in the model's input
} index_request;

static size_t dim_of(size_t axis) {
  static const size_t dims[] = {[WIDTH] = 2, [HEIGHT] = 1, [DEPTH] = 3};
  return dims[axis];
}

// storage_order 1: the first dimension is the fastest, else the last one.
static void set_strides(xc_onnx_importer *im, index_request *r) {
  bool is_turned = xc_onnx_int(im, "storage_order", 0) != 0;
  int64_t stride = 1;
  for (size_t i = 0; i < r->axes; ++i) {
    size_t axis = is_turned ? r->axes - 1 - i : i;
    r->stride[axis] = stride;
    stride *= r->input.dims[dim_of(axis)];
  }
}

// Returns the input in f32 with as much of the lowest number around it as any
// window reaches.
static MlirValue pad_lowest(xc_onnx_importer *im, const index_request *r,
                            MlirValue input) {
  const xc_onnx_window *w = r->window;
  int64_t paddings[2 * XC_MAX_RANK] = {0};
  for (size_t axis = 0; axis < r->axes; ++axis) {
    size_t dim = dim_of(axis);
    int64_t reach = (r->output.dims[dim] - 1) * w->stride[axis] +
                    (w->kernel[axis] - 1) * w->dilation[axis] + 1 -
                    w->pad[2 * axis] - r->input.dims[dim];
    paddings[2 * dim] = w->pad[2 * axis];
    paddings[2 * dim + 1] = reach > 0 ? reach : 0;
  }
  if (r->input.element != XC_ELEMENT_F32)
    input = xc_graph_emit_cast(&im->graph, "real", input, XC_ELEMENT_F32);
  const xc_attribute attributes[] = {
      xc_ints("paddings", paddings, 2 * r->input.rank),
      xc_float("constant_value", (double)-FLT_MAX)};
  return xc_graph_emit(&im->graph, "pad", XC_TIR_PAD, &input, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Slices the elements that all windows see through the tap that begins there.
static MlirValue emit_tap(xc_onnx_importer *im, const index_request *r,
                          MlirValue padded, const int64_t offset[3]) {
  size_t rank = r->input.rank;
  int64_t begin[XC_MAX_RANK] = {0}, end[XC_MAX_RANK], step[XC_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) {
    end[i] = r->output.dims[i];
    step[i] = 1;
  }
  for (size_t axis = 0; axis < r->axes; ++axis) {
    size_t dim = dim_of(axis);
    step[dim] = r->window->stride[axis];
    begin[dim] = offset[axis];
    end[dim] = offset[axis] + (r->output.dims[dim] - 1) * step[dim] + 1;
  }
  const xc_attribute attributes[] = {xc_ints("begin", begin, rank),
                                     xc_ints("end", end, rank),
                                     xc_ints("strides", step, rank)};
  return xc_graph_emit(&im->graph, "tap", XC_TIR_STRIDED_SLICE, &padded, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Returns the index that the first tap of each window has in the model's input,
// which may lie before it.
static MlirValue emit_origins(xc_onnx_importer *im, const index_request *r) {
  const xc_onnx_window *w = r->window;
  xc_shape shape = r->output;
  size_t channel = shape.rank - 1;
  int64_t pixels = 1, count = xc_shape_num_elements(&shape);
  shape.element = XC_ELEMENT_I64;
  int64_t *data = xc_graph_table(&im->graph, count, sizeof(*data));
  if (!data)
    return (MlirValue){NULL};
  for (size_t axis = 0; axis < r->axes; ++axis)
    pixels *= r->input.dims[dim_of(axis)];
  for (int64_t i = 0; i < count; ++i) {
    int64_t at[XC_MAX_RANK], rest = i;
    for (size_t d = shape.rank; d-- > 0; rest /= shape.dims[d])
      at[d] = rest % shape.dims[d];
    data[i] = (at[0] * r->input.dims[channel] + at[channel]) * pixels;
    for (size_t axis = 0; axis < r->axes; ++axis)
      data[i] += (at[dim_of(axis)] * w->stride[axis] - w->pad[2 * axis]) *
                 r->stride[axis];
  }
  return xc_graph_emit_ints(&im->graph, data, shape.dims, shape.rank);
}

/// The largest element so far, and where it is.
typedef struct best_tap {
  MlirValue value, place;
} best_tap;

// Where it is above all before it, it is the place to remember.
static void take_tap(xc_onnx_importer *im, best_tap *best, MlirValue tap,
                     int64_t offset) {
  xc_graph *graph = &im->graph;
  if (mlirValueIsNull(best->value)) {
    best->value = tap;
    return;
  }
  const xc_attribute above[] = {xc_string("predicate", "GT")};
  const MlirValue both[] = {tap, best->value};
  const MlirValue places[] = {
      xc_graph_emit(graph, "above", XC_TIR_COMPARE, both, 2,
                    XC_ATTRIBUTES(above), XC_ELEMENT_I1),
      xc_graph_emit_number(graph, (double)offset, XC_ELEMENT_I64), best->place};
  best->place = xc_graph_emit(graph, "place", XC_TIR_SELECT, places, 3, NULL,
                              XC_ELEMENT_I64);
  best->value =
      xc_graph_emit_binary(graph, "best", XC_TIR_MAX, best->value, tap);
}

static MlirValue emit_indices(xc_onnx_importer *im, const index_request *r,
                              MlirValue input) {
  const xc_onnx_window *w = r->window;
  MlirValue padded = pad_lowest(im, r, input);
  best_tap best = {.place =
                       xc_graph_emit_number(&im->graph, 0, XC_ELEMENT_I64)};
  for (int64_t d = 0; d < w->kernel[DEPTH]; ++d)
    for (int64_t h = 0; h < w->kernel[HEIGHT]; ++h)
      for (int64_t v = 0; v < w->kernel[WIDTH]; ++v) {
        const int64_t offset[] = {v * w->dilation[WIDTH],
                                  h * w->dilation[HEIGHT],
                                  d * w->dilation[DEPTH]};
        take_tap(im, &best, emit_tap(im, r, padded, offset),
                 offset[WIDTH] * r->stride[WIDTH] +
                     offset[HEIGHT] * r->stride[HEIGHT] +
                     offset[DEPTH] * r->stride[DEPTH]);
      }
  return xc_graph_emit_binary(&im->graph, "index", XC_TIR_ADD,
                              emit_origins(im, r), best.place);
}

bool xc_onnx_result_indices(xc_onnx_importer *im, const xc_onnx_window *window,
                            MlirValue input, MlirValue output, size_t rank) {
  enum { MOST_TAPS = 1024 };
  index_request r = {.window = window, .axes = rank == 5 ? 3 : 2};
  if (mlirValueIsNull(output))
    return false;
  r.input = xc_value_shape(input);
  r.output = xc_value_shape(output);
  set_strides(im, &r);
  int64_t taps = window->kernel[0] * window->kernel[1];
  taps = taps > MOST_TAPS ? taps : taps * window->kernel[2];
  if (taps > MOST_TAPS)
    return xc_onnx_error(im,
                         "gives indices of windows of %" PRId64
                         " elements, at most %d are supported",
                         taps, MOST_TAPS);
  MlirValue indices = emit_indices(im, &r, input);
  if (rank == 5) {
    xc_graph_order volume = xc_graph_volume_order();
    return xc_onnx_result(im, 1, indices, &volume);
  }
  const int64_t line[] = {r.output.dims[0], r.output.dims[2], r.output.dims[3]};
  if (rank == 3)
    indices = xc_graph_emit_reshape(&im->graph, indices, line, 3);
  xc_onnx_pool_indices *entry =
      xc_arena_alloc(&im->graph.arena, 1, sizeof(*entry));
  *entry = (xc_onnx_pool_indices){indices, *window, r.input,
                                  xc_onnx_int(im, "storage_order", 0) != 0,
                                  im->pools};
  im->pools = entry;
  xc_graph_order order = xc_graph_channels_last(rank);
  return xc_onnx_result(im, 1, indices, &order);
}
