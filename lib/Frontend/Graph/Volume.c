//===- Volume.c - windows over depth, height and width --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Volume.h"

#include "Compose.h"
#include "Fold.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const MlirValue none = {NULL};

enum { N, H, W, D, C };        // of volumes
enum { WIDTH, HEIGHT, DEPTH }; // of windows
enum { FRONT = 4, BACK = 5 };  // of pads
enum { MOST_DEPTHS = 4096 };   // each of them is an operator of its own

xc_graph_order xc_graph_volume_order(void) {
  return (xc_graph_order){{0, 3, 4, 2, 1}};
}

xc_graph_order xc_graph_volume_order_last(void) {
  return (xc_graph_order){{0, 2, 3, 1, 4}};
}

//===----------------------------------------------------------------------===//
// Volumes as images
//===----------------------------------------------------------------------===//

MlirValue xc_graph_emit_image(xc_graph *graph, MlirValue volume,
                              xc_graph_view view) {
  int64_t dims[4];
  if (mlirValueIsNull(volume))
    return none;
  xc_shape s = xc_value_shape(volume);
  for (size_t i = 0; i < 4; ++i)
    dims[i] = s.dims[i <= (size_t)view ? i : i + 1];
  dims[view] *= s.dims[(size_t)view + 1];
  return xc_graph_emit_reshape(graph, volume, dims, 4);
}

MlirValue xc_graph_emit_volume(xc_graph *graph, MlirValue image,
                               xc_graph_view view, int64_t size) {
  int64_t dims[5];
  if (mlirValueIsNull(image))
    return none;
  xc_shape s = xc_value_shape(image);
  for (size_t i = 0; i < 5; ++i)
    dims[i] = s.dims[i <= (size_t)view ? i : i - 1];
  dims[view] = size;
  dims[(size_t)view + 1] /= size;
  return xc_graph_emit_reshape(graph, image, dims, 5);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The part of a window that spans an image.
typedef struct window2d {
  int64_t kernel[2], stride[2], dilation[2], pad[4];
} window2d;

static window2d over_planes(const xc_graph_window3d *w) {
  return (window2d){{w->kernel[WIDTH], w->kernel[HEIGHT]},
                    {w->stride[WIDTH], w->stride[HEIGHT]},
                    {w->dilation[WIDTH], w->dilation[HEIGHT]},
                    {w->pad[0], w->pad[1], w->pad[2], w->pad[3]}};
}

static window2d over_columns(const xc_graph_window3d *w) {
  return (window2d){{w->kernel[DEPTH], 1},
                    {w->stride[DEPTH], 1},
                    {w->dilation[DEPTH], 1},
                    {w->pad[FRONT], w->pad[BACK], 0, 0}};
}

// Whether it takes every element by itself.
static bool is_identity(const window2d *w) {
  return w->kernel[0] == 1 && w->kernel[1] == 1 && w->stride[0] == 1 &&
         w->stride[1] == 1 && w->pad[0] == 0 && w->pad[1] == 0 &&
         w->pad[2] == 0 && w->pad[3] == 0;
}

//===----------------------------------------------------------------------===//
// Parts of weights
//===----------------------------------------------------------------------===//

// Returns the elements of a value that is mostly a constant or a dequantised
// one, whose scales are those of dimensions that are taken whole.
static xc_graph_value *sliced(xc_graph *graph, xc_graph_value *value,
                              const xc_graph_slice *slice) {
  xc_graph_value *result = NULL;
  if (value->data && !xc_graph_fold_slice(graph, value, slice, &result))
    return NULL;
  if (value->source && value->source->data) {
    xc_graph_value *source = sliced(graph, value->source, slice);
    if (!source)
      return NULL;
    result =
        xc_graph_quantised(graph, source, value->linear, value->shape.element);
  }
  if (result)
    return result;
  size_t rank = value->shape.rank;
  MlirValue mlir = xc_graph_get_plain(graph, value);
  int64_t ends[XC_MAX_RANK];
  for (size_t i = 0; i < rank; ++i)
    ends[i] = slice->end[i] < 0 ? INT32_MIN : slice->end[i];
  const xc_attribute attributes[] = {xc_ints("begin", slice->begin, rank),
                                     xc_ints("end", ends, rank),
                                     xc_ints("strides", slice->step, rank)};
  mlir = xc_graph_emit(graph, "weights", XC_TIR_STRIDED_SLICE, &mlir, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  xc_graph_order plain = xc_graph_identity(rank);
  return mlirValueIsNull(mlir)
             ? NULL
             : xc_graph_computed(graph, value->name, mlir, &plain);
}

//===----------------------------------------------------------------------===//
// Depth by depth
//===----------------------------------------------------------------------===//

/// The depths of the input that one of the output is computed of, and the
/// depths of the kernel that meet them. The others are in the padding, or
/// between the elements of a transposed convolution.
typedef struct depth_taps {
  int64_t count, first, step, kernel, kernel_step;
} depth_taps;

static depth_taps find_taps(const xc_graph_conv3d *conv, int64_t depth,
                            int64_t at) {
  const xc_graph_window3d *w = &conv->window;
  int64_t stride = w->stride[DEPTH], kernel = w->kernel[DEPTH];
  depth_taps taps = {.step = 1, .kernel_step = 1};
  for (int64_t k = 0; k < kernel; ++k) {
    int64_t j = conv->transposed ? kernel - 1 - k : k;
    int64_t reach = j * w->dilation[DEPTH];
    int64_t i = conv->transposed ? at + w->pad[FRONT] - reach
                                 : at * stride - w->pad[FRONT] + reach;
    if (conv->transposed && i % stride != 0)
      continue;
    i = conv->transposed ? i / stride : i;
    if (i < 0 || i >= depth)
      continue;
    if (taps.count == 0) {
      taps.first = i;
      taps.kernel = j;
    } else if (taps.count == 1) {
      taps.step = i - taps.first;
      taps.kernel_step = j - taps.kernel;
    }
    ++taps.count;
  }
  return taps;
}

/// A convolution that is computed one depth after the other.
typedef struct depth_walk {
  const xc_graph_conv3d *conv;
  MlirValue planes;
  xc_graph_value *weight; // [O, KH, KW, KD, C]
  int64_t depth, channels;
  depth_taps *known; // taps that were met, and their weights
  MlirValue *weights;
  size_t num_known;
} depth_walk;

// Returns the weights of these taps: [O, KH, KW, taps * C].
static MlirValue emit_weights(xc_graph *graph, const depth_walk *walk,
                              const depth_taps *taps) {
  const xc_shape *shape = &walk->weight->shape;
  xc_graph_slice slice = xc_graph_whole(shape);
  for (size_t i = 1; i < 3 && walk->conv->transposed; ++i) {
    slice.begin[i] = shape->dims[i] - 1;
    slice.end[i] = slice.step[i] = -1;
  }
  slice.begin[3] = taps->kernel;
  slice.step[3] = taps->kernel_step;
  slice.end[3] = taps->kernel + taps->count * taps->kernel_step;
  if (slice.end[3] < 0)
    slice.end[3] = -1;
  else if (slice.end[3] > shape->dims[3])
    slice.end[3] = shape->dims[3];
  xc_graph_value *part = sliced(graph, walk->weight, &slice);
  const int64_t dims[] = {shape->dims[0], shape->dims[1], shape->dims[2],
                          taps->count * shape->dims[4]};
  part = part ? xc_graph_reshape(graph, part, dims, 4) : NULL;
  return part ? xc_graph_get_plain(graph, part) : none;
}

// Nothing but padding: zeros for the channels of one depth.
static MlirValue emit_no_weights(xc_graph *graph, const depth_walk *walk) {
  static const uint8_t zero[8] = {0};
  const xc_shape *shape = &walk->weight->shape;
  xc_shape flat = {
      .element = shape->element,
      .rank = 4,
      .dims = {shape->dims[0], shape->dims[1], shape->dims[2], shape->dims[4]}};
  return xc_graph_get_plain(
      graph, xc_graph_constant(graph, graph->node, &flat, zero, true));
}

static MlirValue find_weights(xc_graph *graph, depth_walk *walk,
                              const depth_taps *taps) {
  for (size_t i = 0; i < walk->num_known; ++i)
    if (walk->known[i].count == taps->count &&
        walk->known[i].kernel == taps->kernel &&
        walk->known[i].kernel_step == taps->kernel_step)
      return walk->weights[i];
  MlirValue weights = taps->count ? emit_weights(graph, walk, taps)
                                  : emit_no_weights(graph, walk);
  walk->known[walk->num_known] = *taps;
  walk->weights[walk->num_known++] = weights;
  return weights;
}

// Returns the channels of these depths side by side.
static MlirValue emit_depths(xc_graph *graph, MlirValue planes,
                             int64_t channels, const depth_taps *taps) {
  int64_t first = taps->first * channels;
  if (taps->step == 1 || taps->count <= 1)
    return xc_graph_emit_part(graph, planes, 3, first,
                              first +
                                  (taps->count ? taps->count : 1) * channels);
  MlirValue *parts =
      xc_arena_alloc(&graph->arena, (size_t)taps->count, sizeof(*parts));
  for (int64_t i = 0; i < taps->count; ++i) {
    first = (taps->first + i * taps->step) * channels;
    parts[i] = xc_graph_emit_part(graph, planes, 3, first, first + channels);
  }
  return xc_graph_emit_concat(graph, parts, (size_t)taps->count, 3);
}

static MlirValue emit_conv2d(xc_graph *graph, const char *part, xc_op_kind kind,
                             const MlirValue operands[3], const window2d *w,
                             int64_t group, const int64_t *output_padding) {
  size_t count = output_padding ? 7 : 6;
  const xc_attribute attributes[] = {
      xc_ints("kernel", w->kernel, 2),
      xc_ints("stride", w->stride, 2),
      xc_ints("dilation", w->dilation, 2),
      xc_ints("pad", w->pad, 4),
      xc_string("pad_mode", "FLOOR"),
      xc_int("group", group),
      xc_ints("output_padding", output_padding, 2)};
  return xc_graph_emit(graph, part, kind, operands,
                       mlirValueIsNull(operands[2]) ? 2 : 3,
                       &(xc_attributes){attributes, count}, XC_ELEMENT_NONE);
}

static MlirValue emit_depth(xc_graph *graph, depth_walk *walk, int64_t at) {
  char part[32];
  const xc_graph_conv3d *conv = walk->conv;
  depth_taps taps = find_taps(conv, walk->depth, at);
  const MlirValue operands[] = {
      emit_depths(graph, walk->planes, walk->channels, &taps),
      find_weights(graph, walk, &taps), conv->bias};
  window2d w = over_planes(&conv->window);
  snprintf(part, sizeof(part), "depth%" PRId64, at);
  return emit_conv2d(
      graph, part, conv->transposed ? XC_TIR_TRANSPOSED_CONV2D : XC_TIR_CONV2D,
      operands, &w, 1, conv->transposed ? conv->output_padding : NULL);
}

static int64_t count_depths(const xc_graph_conv3d *conv, int64_t depth) {
  const xc_graph_window3d *w = &conv->window;
  int64_t reach = (w->kernel[DEPTH] - 1) * w->dilation[DEPTH] + 1;
  int64_t pads = w->pad[FRONT] + w->pad[BACK];
  return conv->transposed ? (depth - 1) * w->stride[DEPTH] + reach - pads +
                                conv->output_padding[DEPTH]
                          : (depth + pads - reach) / w->stride[DEPTH] + 1;
}

// Returns all channels of one group.
static MlirValue emit_dense(xc_graph *graph, const xc_graph_conv3d *conv,
                            int64_t count) {
  const xc_graph_order ohwdc = {{0, 3, 4, 2, 1}},
                       from_cohwd = {{1, 3, 4, 2, 0}};
  xc_shape shape = xc_value_shape(conv->input);
  depth_walk walk = {
      .conv = conv,
      .planes = xc_graph_emit_image(graph, conv->input, XC_GRAPH_PLANES),
      .weight = xc_graph_transpose(graph, conv->weight,
                                   conv->transposed ? &from_cohwd : &ohwdc),
      .depth = shape.dims[D],
      .channels = shape.dims[C],
      .known = xc_arena_alloc(&graph->arena, (size_t)count, sizeof(depth_taps)),
      .weights =
          xc_arena_alloc(&graph->arena, (size_t)count, sizeof(MlirValue))};
  MlirValue *depths =
      xc_arena_alloc(&graph->arena, (size_t)count, sizeof(*depths));
  if (!walk.weight)
    return none;
  for (int64_t at = 0; at < count; ++at) {
    depths[at] = emit_depth(graph, &walk, at);
    if (mlirValueIsNull(depths[at]))
      return none;
  }
  MlirValue all = count == 1
                      ? depths[0]
                      : xc_graph_emit_concat(graph, depths, (size_t)count, 3);
  return xc_graph_emit_volume(graph, all, XC_GRAPH_PLANES, count);
}

//===----------------------------------------------------------------------===//
// Other convolutions
//===----------------------------------------------------------------------===//

// Those over the depth alone.
static MlirValue emit_along_depth(xc_graph *graph, const xc_graph_conv3d *conv,
                                  bool is_depthwise) {
  const xc_graph_order ohwi = {{0, 3, 2, 4, 1}}, mhwc = {{1, 3, 2, 0}};
  xc_shape shape = xc_value_shape(conv->input);
  const int64_t *k = conv->weight->shape.dims;
  const int64_t dense[] = {k[0], 1, k[2], k[1]},
                apart[] = {shape.dims[C], k[0] / shape.dims[C], k[2], 1};
  xc_graph_value *weight = is_depthwise
                               ? xc_graph_reshape(graph, conv->weight, apart, 4)
                               : xc_graph_transpose(graph, conv->weight, &ohwi);
  if (weight)
    weight = is_depthwise ? xc_graph_transpose(graph, weight, &mhwc)
                          : xc_graph_reshape(graph, weight, dense, 4);
  if (!weight)
    return none;
  bool is_point = k[2] == 1 && conv->window.stride[DEPTH] == 1 &&
                  conv->window.pad[FRONT] == 0 && conv->window.pad[BACK] == 0;
  xc_graph_view view = is_point ? XC_GRAPH_ROWS : XC_GRAPH_COLUMNS;
  const MlirValue operands[] = {xc_graph_emit_image(graph, conv->input, view),
                                xc_graph_get_plain(graph, weight), conv->bias};
  window2d w = over_columns(&conv->window);
  MlirValue result = emit_conv2d(
      graph, NULL, is_depthwise ? XC_TIR_DEPTHWISE_CONV2D : XC_TIR_CONV2D,
      operands, &w, is_depthwise ? 1 : conv->group, NULL);
  return xc_graph_emit_volume(graph, result, view, shape.dims[view]);
}

/// Depths of the result, one after the other, that the same depths of the
/// kernel contribute to.
typedef struct depth_run {
  int64_t count;
  depth_taps taps; // of the first
} depth_run;

static depth_run find_run(const xc_graph_conv3d *conv, int64_t depth,
                          int64_t at, int64_t end) {
  depth_run run = {1, find_taps(conv, depth, at)};
  for (; run.taps.count > 0 && at + run.count < end; ++run.count) {
    depth_taps next = find_taps(conv, depth, at + run.count);
    if (next.count != run.taps.count || next.kernel != run.taps.kernel)
      break;
  }
  return run;
}

/// A convolution of each channel by itself.
typedef struct depthwise {
  const xc_graph_conv3d *conv;
  MlirValue planes;
  xc_graph_value *weight; // [M, KH, KW, KD, C]
} depthwise;

// One depth of the kernel for all depths of a run, which have the same weights.
static MlirValue emit_tap(xc_graph *graph, const depthwise *d,
                          const depth_run *run, int64_t index, bool is_alone) {
  static const uint8_t zero[8] = {0};
  const xc_shape *k = &d->weight->shape;
  int64_t channels = k->dims[4];
  const int64_t flat[] = {k->dims[0], k->dims[1], k->dims[2], channels};
  const int64_t repeats[] = {1, 1, 1, run->count};
  const xc_shape plane = {.element = k->element,
                          .rank = 4,
                          .dims = {flat[0], flat[1], flat[2], flat[3]}};
  xc_graph_slice slice = xc_graph_whole(k);
  slice.begin[3] = run->taps.kernel + index * run->taps.kernel_step;
  slice.end[3] = slice.begin[3] + 1;
  xc_graph_value *weight =
      run->taps.count == 0
          ? xc_graph_constant(graph, graph->node, &plane, zero, true)
          : sliced(graph, d->weight, &slice);
  weight = weight ? xc_graph_reshape(graph, weight, flat, 4) : NULL;
  if (!weight)
    return none;
  const depth_taps depths = {.count = run->count,
                             .first = run->taps.first + index * run->taps.step,
                             .step = d->conv->window.stride[DEPTH]};
  const MlirValue operands[] = {
      emit_depths(graph, d->planes, channels, &depths),
      xc_graph_emit_tile(graph, xc_graph_get_plain(graph, weight), repeats),
      index > 0 || mlirValueIsNull(d->conv->bias)
          ? none
          : xc_graph_emit_tile(graph, d->conv->bias, &run->count)};
  window2d w = over_planes(&d->conv->window);
  return emit_conv2d(graph, is_alone ? NULL : "tap", XC_TIR_DEPTHWISE_CONV2D,
                     operands, &w, 1, NULL);
}

static MlirValue emit_run(xc_graph *graph, const depthwise *d,
                          const depth_run *run, bool is_whole) {
  int64_t taps = run->taps.count > 0 ? run->taps.count : 1;
  MlirValue sum = emit_tap(graph, d, run, 0, is_whole && taps == 1);
  for (int64_t j = 1; j < taps && !mlirValueIsNull(sum); ++j) {
    MlirValue term = emit_tap(graph, d, run, j, false);
    sum = xc_graph_emit_binary(graph, is_whole && j + 1 == taps ? NULL : "sum",
                               XC_TIR_ADD, sum, term);
  }
  return sum;
}

static MlirValue emit_depthwise(xc_graph *graph, const xc_graph_conv3d *conv,
                                int64_t count) {
  const xc_graph_order to_mhwdc = {{1, 3, 4, 2, 0}};
  const int64_t *k = conv->weight->shape.dims;
  xc_shape shape = xc_value_shape(conv->input);
  int64_t channels = shape.dims[C], at = 0;
  const int64_t apart[] = {channels, k[0] / channels, k[2], k[3], k[4]};
  depthwise d = {.conv = conv,
                 .planes =
                     xc_graph_emit_image(graph, conv->input, XC_GRAPH_PLANES),
                 .weight = xc_graph_reshape(graph, conv->weight, apart, 5)};
  d.weight = d.weight ? xc_graph_transpose(graph, d.weight, &to_mhwdc) : NULL;
  if (!d.weight)
    return none;
  MlirValue *runs = xc_arena_alloc(&graph->arena, (size_t)count, sizeof(*runs));
  size_t num_runs = 0;
  while (at < count) {
    depth_run run = find_run(conv, shape.dims[D], at, count);
    runs[num_runs] = emit_run(graph, &d, &run, run.count == count);
    if (mlirValueIsNull(runs[num_runs++]))
      return none;
    at += run.count;
  }
  MlirValue all =
      num_runs == 1 ? runs[0] : xc_graph_emit_concat(graph, runs, num_runs, 3);
  return xc_graph_emit_volume(graph, all, XC_GRAPH_PLANES, count);
}

// How many groups have as many channels as a word in the banks of a DPU, or all
// of them: slices of fewer move more slowly than zeros are computed.
static int64_t count_narrow(const xc_graph_conv3d *conv, int64_t channels) {
  enum { WORD = 16 };
  int64_t count = 1;
  while (count < conv->group &&
         (conv->group % count != 0 || count * (channels / conv->group) < WORD))
    ++count;
  return count;
}

// Returns the weights of `count` groups as one, with zeros between them; null
// where they are not known or are integers, whose zero points differ, or where
// they would take too much memory.
static xc_graph_value *merged(xc_graph *graph, const xc_graph_conv3d *conv,
                              int64_t count) {
  xc_shape shape = conv->weight->shape;
  if (!conv->weight->data || shape.element != XC_ELEMENT_F32)
    return NULL;
  int64_t rows = shape.dims[0];
  size_t part = (size_t)(xc_shape_num_elements(&shape) / rows) * sizeof(float);
  shape.dims[1] *= count;
  uint8_t *weights =
      xc_graph_alloc(graph, xc_shape_num_elements(&shape), sizeof(float));
  if (!weights)
    return NULL;
  for (int64_t r = 0; r < rows; ++r) {
    int64_t group = r / (rows / conv->group) % count;
    memcpy(weights + (size_t)(r * count + group) * part,
           conv->weight->data + (size_t)r * part, part);
  }
  return xc_graph_constant(graph, conv->weight->name, &shape, weights, false);
}

// Each group by itself.
static MlirValue emit_groups(xc_graph *graph, const xc_graph_conv3d *conv,
                             int64_t count) {
  int64_t channels = xc_value_shape(conv->input).dims[C] / conv->group;
  const xc_shape *shape = &conv->weight->shape;
  int64_t rows = shape->dims[0] / conv->group;
  int64_t outputs = conv->transposed ? shape->dims[1] : rows;
  MlirValue *results =
      xc_arena_alloc(&graph->arena, (size_t)conv->group, sizeof(*results));
  for (int64_t g = 0; g < conv->group; ++g) {
    xc_graph_slice slice = xc_graph_whole(shape);
    slice.begin[0] = g * rows;
    slice.end[0] = (g + 1) * rows;
    xc_graph_conv3d one = *conv;
    one.group = 1;
    one.input = xc_graph_emit_part(graph, conv->input, C, g * channels,
                                   (g + 1) * channels);
    one.weight = sliced(graph, conv->weight, &slice);
    if (!mlirValueIsNull(conv->bias))
      one.bias = xc_graph_emit_part(graph, conv->bias, 0, g * outputs,
                                    (g + 1) * outputs);
    if (!one.weight || mlirValueIsNull(one.input))
      return none;
    results[g] = emit_dense(graph, &one, count);
    if (mlirValueIsNull(results[g]))
      return none;
  }
  return xc_graph_emit_concat(graph, results, (size_t)conv->group, C);
}

MlirValue xc_graph_emit_conv3d(xc_graph *graph, const xc_graph_conv3d *conv) {
  if (mlirValueIsNull(conv->input))
    return none;
  xc_shape shape = xc_value_shape(conv->input);
  window2d planes = over_planes(&conv->window);
  bool is_depthwise = conv->group > 1 && conv->group == shape.dims[C];
  int64_t count = count_depths(conv, shape.dims[D]);
  if (count < 1) {
    xc_graph_error(graph, "has a result of depth %" PRId64, count);
    return none;
  }
  // A kernel of several depths is faster depth by depth on a DPU, which
  // computes few columns badly.
  if (!conv->transposed && is_identity(&planes) &&
      (conv->group > 1 || conv->window.kernel[DEPTH] == 1))
    return emit_along_depth(graph, conv, is_depthwise);
  if (count > MOST_DEPTHS / conv->group) {
    xc_graph_error(graph,
                   "has a result of depth %" PRId64 " in %" PRId64
                   " groups, at most %d planes are supported",
                   count, conv->group, MOST_DEPTHS);
    return none;
  }
  if (!conv->transposed && is_depthwise)
    return emit_depthwise(graph, conv, count);
  xc_graph_conv3d merged_conv = *conv;
  int64_t narrow = count_narrow(conv, shape.dims[C]);
  xc_graph_value *weight = narrow > 1 ? merged(graph, conv, narrow) : NULL;
  if (weight) {
    merged_conv.weight = weight;
    merged_conv.group /= narrow;
  }
  return merged_conv.group > 1 ? emit_groups(graph, &merged_conv, count)
                               : emit_dense(graph, &merged_conv, count);
}
