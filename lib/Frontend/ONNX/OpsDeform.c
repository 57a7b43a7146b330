//===- OpsDeform.c - deformable convolution -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each tap of the kernel is taken where the offsets move it, between pixels.
// The samples of all taps are an image of as many times more channels, and the
// rest is a convolution of that with a kernel of one pixel, which a DPU
// computes.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

#include <inttypes.h>
#include <string.h>

static const MlirValue none = {NULL};

enum { X, WEIGHT, OFFSET, BIAS, MASK };

/// Groups of offsets at most: each has operators of its own.
enum { MOST_GROUPS = 256 };

typedef struct deform {
  xc_graph_value *image, *weight, *offset;
  xc_graph_value *bias, *mask; // or null
  xc_onnx_window window;
  int64_t group, offset_group;
  int64_t taps;            // of the kernel
  int64_t batch, channels; // of the image
  int64_t size[2], out[2]; // of image and result, height first
} deform;

static bool check_channels(xc_onnx_importer *im, const deform *d) {
  int64_t outputs = d->weight->shape.dims[0];
  if (d->group < 1 || d->channels % d->group != 0 || outputs % d->group != 0 ||
      d->weight->shape.dims[1] != d->channels / d->group)
    return xc_onnx_error(
        im,
        "has %" PRId64 " groups for %" PRId64 " input and %" PRId64
        " output channels, and a weight for %" PRId64,
        d->group, d->channels, outputs, d->weight->shape.dims[1]);
  return (d->offset_group >= 1 && d->offset_group <= MOST_GROUPS &&
          d->channels % d->offset_group == 0) ||
         xc_onnx_error(im,
                       "attribute 'offset_group' is %" PRId64
                       ", expected a divisor of %" PRId64
                       " channels and at most %d",
                       d->offset_group, d->channels, MOST_GROUPS);
}

// Offsets have two numbers for each tap of each group and pixel of the result,
// masks one.
static bool check_taps(xc_onnx_importer *im, const deform *d,
                       const xc_graph_value *value, int64_t numbers) {
  int64_t wanted[] = {d->batch, d->offset_group * d->taps * numbers, d->out[0],
                      d->out[1]};
  return memcmp(value->shape.dims, wanted, sizeof(wanted)) == 0 ||
         xc_onnx_error(im,
                       "'%s' does not have the shape %" PRId64 "x%" PRId64
                       "x%" PRId64 "x%" PRId64,
                       value->name, wanted[0], wanted[1], wanted[2], wanted[3]);
}

static bool read_deform(xc_onnx_importer *im, deform *d) {
  *d = (deform){.bias = xc_onnx_input(im, BIAS),
                .mask = xc_onnx_input(im, MASK),
                .group = xc_onnx_int(im, "group", 1),
                .offset_group = xc_onnx_int(im, "offset_group", 1)};
  if (!xc_onnx_need_input(im, X, &d->image) ||
      !xc_onnx_need_input(im, WEIGHT, &d->weight) ||
      !xc_onnx_need_input(im, OFFSET, &d->offset) ||
      !xc_onnx_check_rank(im, d->image, 4, 4) ||
      !xc_onnx_check_rank(im, d->weight, 4, 4) ||
      !xc_onnx_check_rank(im, d->offset, 4, 4) ||
      (d->mask && !xc_onnx_check_rank(im, d->mask, 4, 4)) ||
      !xc_onnx_read_window(im, &d->weight->shape, 4, &d->window))
    return false;
  if (!xc_element_is_float(d->image->shape.element))
    return xc_onnx_error(im, "has an image of integers, expected floats");
  const xc_onnx_window *w = &d->window;
  const int64_t *dims = d->image->shape.dims;
  d->batch = dims[0];
  d->channels = dims[1];
  d->taps = w->kernel[0] * w->kernel[1];
  for (size_t i = 0; i < 2; ++i) { // width first in the window
    size_t axis = 1 - i;
    int64_t reach = (w->kernel[axis] - 1) * w->dilation[axis] + 1;
    int64_t free =
        dims[2 + i] + w->pad[2 * axis] + w->pad[2 * axis + 1] - reach;
    d->size[i] = dims[2 + i];
    d->out[i] = free < 0 ? 0 : free / w->stride[axis] + 1;
  }
  return check_channels(im, d) && check_taps(im, d, d->offset, 2) &&
         (!d->mask || check_taps(im, d, d->mask, 1));
}

// Returns the rows (0) or columns (1) of the taps without offsets, [1, out, 1,
// taps] or [1, 1, out, taps].
static MlirValue emit_grid(xc_onnx_importer *im, const deform *d,
                           size_t which) {
  const xc_onnx_window *w = &d->window;
  size_t axis = 1 - which;
  xc_shape shape = {.element = d->image->shape.element,
                    .rank = 4,
                    .dims = {1, 1, 1, d->taps}};
  shape.dims[1 + which] = d->out[which];
  void *grid = xc_graph_table(&im->graph, d->out[which] * d->taps,
                              xc_element_size(shape.element));
  if (!grid)
    return none;
  for (int64_t i = 0; i < d->out[which]; ++i)
    for (int64_t tap = 0; tap < d->taps; ++tap) {
      int64_t k = which == 0 ? tap / w->kernel[0] : tap % w->kernel[0];
      int64_t at =
          i * w->stride[axis] - w->pad[2 * axis] + k * w->dilation[axis];
      xc_graph_store(shape.element, grid, i * d->taps + tap,
                     (xc_graph_number){.is_float = true, .real = (double)at});
    }
  return xc_graph_get_plain(
      &im->graph,
      xc_graph_constant(&im->graph, im->graph.node, &shape, grid, false));
}

// Returns the numbers of one group of an NHWC input, [batch, height, width,
// taps].
static MlirValue emit_numbers(xc_onnx_importer *im, const deform *d,
                              MlirValue input, int64_t group, int64_t which,
                              int64_t count) {
  const int64_t apart[] = {d->batch, d->out[0], d->out[1], d->taps, count};
  int64_t first = group * d->taps * count;
  if (d->offset_group > 1)
    input = xc_graph_emit_part(&im->graph, input, 3, first,
                               first + d->taps * count);
  if (count == 1)
    return input;
  input = xc_graph_emit_reshape(&im->graph, input, apart, 5);
  input = xc_graph_emit_part(&im->graph, input, 4, which, which + 1);
  return xc_graph_emit_reshape(&im->graph, input, apart, 4);
}

// Samples the channels of a group at all taps, [batch, height, width, taps,
// channels].
static MlirValue emit_group(xc_onnx_importer *im, const deform *d,
                            const MlirValue grids[2], int64_t group) {
  xc_graph *graph = &im->graph;
  static const xc_graph_sampling sampling = {.taps = 2,
                                             .edge = XC_GRAPH_EDGE_ZEROS};
  int64_t channels = d->channels / d->offset_group;
  MlirValue offsets = xc_graph_get_channels_last(graph, d->offset);
  MlirValue image = xc_graph_get_channels_last(graph, d->image), at[2];
  if (d->offset_group > 1)
    image = xc_graph_emit_part(graph, image, 3, group * channels,
                               (group + 1) * channels);
  for (size_t i = 0; i < 2; ++i)
    at[i] = xc_graph_emit_binary(
        graph, "position", XC_TIR_ADD,
        emit_numbers(im, d, offsets, group, (int64_t)i, 2), grids[i]);
  MlirValue taken = xc_graph_emit_samples(
      graph, image, xc_graph_emit_iota(graph, 4, 0, d->batch), at[0], at[1],
      &sampling);
  if (!d->mask)
    return taken;
  const int64_t dims[] = {d->batch, d->out[0], d->out[1], d->taps, 1};
  MlirValue mask = emit_numbers(
      im, d, xc_graph_get_channels_last(graph, d->mask), group, 0, 1);
  return xc_graph_emit_binary(graph, "masked", XC_TIR_MUL, taken,
                              xc_graph_emit_reshape(graph, mask, dims, 5));
}

// As channels of one pixel: those of a group of the convolution stand together,
// tap by tap.
static MlirValue emit_channels(xc_onnx_importer *im, const deform *d,
                               MlirValue taken) {
  xc_graph *graph = &im->graph;
  static const int64_t order[] = {0, 1, 2, 4, 3, 5};
  const int64_t apart[] = {d->batch, d->out[0], d->out[1],
                           d->taps,  d->group,  d->channels / d->group};
  const int64_t flat[] = {d->batch, d->out[0], d->out[1],
                          d->taps * d->channels};
  const xc_attribute attributes[] = {xc_ints("order", order, 6)};
  if (d->group > 1) {
    taken = xc_graph_emit_reshape(graph, taken, apart, 6);
    taken = xc_graph_emit(graph, "groups", XC_TIR_TRANSPOSE, &taken, 1,
                          XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  }
  return xc_graph_emit_reshape(graph, taken, flat, 4);
}

static MlirValue emit_product(xc_onnx_importer *im, const deform *d,
                              MlirValue taken) {
  xc_graph *graph = &im->graph;
  static const int64_t one[] = {1, 1}, no_pad[] = {0, 0, 0, 0};
  const int64_t dims[] = {d->weight->shape.dims[0], 1, 1,
                          d->taps * d->channels / d->group};
  const xc_attribute attributes[] = {
      xc_ints("kernel", one, 2),   xc_ints("stride", one, 2),
      xc_ints("dilation", one, 2), xc_ints("pad", no_pad, 4),
      xc_int("group", d->group),   xc_string("pad_mode", "FLOOR")};
  MlirValue operands[] = {
      emit_channels(im, d, taken),
      xc_graph_emit_reshape(graph, xc_graph_get_channels_last(graph, d->weight),
                            dims, 4),
      d->bias ? xc_graph_get_plain(graph, d->bias) : none};
  return xc_graph_emit(graph, NULL, XC_TIR_CONV2D, operands, d->bias ? 3 : 2,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

bool xc_onnx_deform_conv(xc_onnx_importer *im) {
  deform d;
  if (!read_deform(im, &d))
    return false;
  xc_graph *graph = &im->graph;
  const MlirValue grids[] = {emit_grid(im, &d, 0), emit_grid(im, &d, 1)};
  if (mlirValueIsNull(grids[0]) || mlirValueIsNull(grids[1]))
    return false;
  MlirValue *parts =
      xc_arena_alloc(&graph->arena, (size_t)d.offset_group, sizeof(*parts));
  for (int64_t i = 0; i < d.offset_group; ++i)
    if (mlirValueIsNull(parts[i] = emit_group(im, &d, grids, i)))
      return false;
  MlirValue taken =
      d.offset_group == 1
          ? parts[0]
          : xc_graph_emit_concat(graph, parts, (size_t)d.offset_group, 4);
  return xc_onnx_result_2d(im, 0, emit_product(im, &d, taken), 4);
}
