//===- OpsSample.c - images between their pixels --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <string.h>

/// A word of an attribute and what it stands for.
typedef struct choice {
  const char *word;
  unsigned value;
} choice;

static bool choose(xc_onnx_importer *im, const char *name, const char *absent,
                   const choice *choices, size_t count, unsigned *value) {
  const char *word = xc_onnx_string(im, name, absent);
  for (size_t i = 0; i < count; ++i)
    if (strcmp(word, choices[i].word) == 0) {
      *value = choices[i].value;
      return true;
    }
  return xc_onnx_error(im, "attribute '%s' is '%s', expected '%s' or the like",
                       name, word, choices[0].word);
}

static bool take_float_image(xc_onnx_importer *im, xc_graph_value **image) {
  return xc_onnx_need_input(im, 0, image) &&
         xc_onnx_check_rank(im, *image, 4, 4) &&
         (xc_element_is_float((*image)->shape.element) ||
          xc_onnx_error(im, "has an image of integers, expected floats"));
}

// Operands as the image's elements.
static MlirValue take_floats(xc_onnx_importer *im, size_t index,
                             xc_element element) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, index, &value))
    return (MlirValue){NULL};
  MlirValue plain = xc_graph_get_plain(&im->graph, value);
  return value->shape.element == element
             ? plain
             : xc_graph_emit_cast(&im->graph, "real", plain, element);
}

//===----------------------------------------------------------------------===//
// GridSample
//===----------------------------------------------------------------------===//

// Column `which` of the grid, from -1..1 to pixels: -1 is the middle of the
// first pixel (align_corners) or its edge.
static MlirValue emit_position(xc_onnx_importer *im, MlirValue grid,
                               int64_t which, int64_t size,
                               bool align_corners) {
  xc_graph *graph = &im->graph;
  MlirValue at = xc_graph_emit_part(graph, grid, 3, which, which + 1);
  if (mlirValueIsNull(at))
    return at;
  xc_shape shape = xc_value_shape(at);
  double span = (double)size - (align_corners ? 1 : 0);
  at = xc_graph_emit_reshape(graph, at, shape.dims, 3);
  at = xc_graph_emit_with(graph, "scaled", XC_TIR_MUL, at, span / 2);
  return xc_graph_emit_with(graph, "position", XC_TIR_ADD, at,
                            ((double)size - 1) / 2);
}

bool xc_onnx_grid_sample(xc_onnx_importer *im) {
  static const choice modes[] = {{"linear", 2},
                                 {"bilinear", 2},
                                 {"nearest", 1},
                                 {"cubic", 4},
                                 {"bicubic", 4}};
  static const choice edges[] = {{"zeros", XC_GRAPH_EDGE_ZEROS},
                                 {"border", XC_GRAPH_EDGE_BORDER},
                                 {"reflection", XC_GRAPH_EDGE_REFLECTION}};
  xc_graph_value *image, *grid;
  unsigned mode = 0, edge = 0;
  if (!take_float_image(im, &image) || !xc_onnx_need_input(im, 1, &grid) ||
      !xc_onnx_check_rank(im, grid, 4, 4) ||
      !choose(im, "mode", "linear", modes, sizeof(modes) / sizeof(*modes),
              &mode) ||
      !choose(im, "padding_mode", "zeros", edges,
              sizeof(edges) / sizeof(*edges), &edge))
    return false;
  const int64_t *dims = image->shape.dims;
  if (grid->shape.dims[0] != dims[0] || grid->shape.dims[3] != 2)
    return xc_onnx_error(im,
                         "has a grid of shape %" PRId64 "x..x%" PRId64
                         " for a batch of %" PRId64,
                         grid->shape.dims[0], grid->shape.dims[3], dims[0]);
  bool align = xc_onnx_int(im, "align_corners", 0) != 0;
  const xc_graph_sampling sampling = {
      .taps = mode, .edge = (xc_graph_edge)edge, .align_corners = align};
  MlirValue at = take_floats(im, 1, image->shape.element);
  MlirValue sampled = xc_graph_emit_samples(
      &im->graph, xc_graph_get_channels_last(&im->graph, image),
      xc_graph_emit_iota(&im->graph, 3, 0, dims[0]),
      emit_position(im, at, 1, dims[2], align),
      emit_position(im, at, 0, dims[3], align), &sampling);
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_onnx_result(im, 0, sampled, &order);
}

//===----------------------------------------------------------------------===//
// RoiAlign
//===----------------------------------------------------------------------===//

/// The rows (1) or columns (0) of a RoiAlign.
typedef struct roi_axis {
  int64_t which, size, bins;
} roi_axis;

// Samples per region along an axis, [R, bins * samples]: the region is divided
// into bins, a bin into as many parts, of which the middles are taken.
static MlirValue emit_region(xc_onnx_importer *im, MlirValue rois,
                             const roi_axis *axis, int64_t samples,
                             bool half_pixel) {
  xc_graph *graph = &im->graph;
  double scale = (double)xc_onnx_float(im, "spatial_scale", 1);
  int64_t count = axis->bins * samples;
  MlirValue first =
      xc_graph_emit_part(graph, rois, 1, axis->which, axis->which + 1);
  MlirValue last =
      xc_graph_emit_part(graph, rois, 1, axis->which + 2, axis->which + 3);
  first = xc_graph_emit_with(graph, "first", XC_TIR_MUL, first, scale);
  last = xc_graph_emit_with(graph, "last", XC_TIR_MUL, last, scale);
  MlirValue length =
      xc_graph_emit_binary(graph, "length", XC_TIR_SUB, last, first);
  // Without the half pixel a region has at least one.
  if (half_pixel)
    first = xc_graph_emit_with(graph, "half", XC_TIR_SUB, first, 0.5);
  else
    length = xc_graph_emit_with(graph, "least", XC_TIR_MAX, length, 1);
  if (mlirValueIsNull(length))
    return length;
  MlirValue steps =
      xc_graph_emit_cast(graph, "steps", xc_graph_emit_iota(graph, 2, 1, count),
                         xc_value_shape(length).element);
  steps = xc_graph_emit_with(graph, "middle", XC_TIR_ADD, steps, 0.5);
  steps = xc_graph_emit_with(graph, "share", XC_TIR_DIV, steps, (double)count);
  MlirValue offset =
      xc_graph_emit_binary(graph, "offset", XC_TIR_MUL, length, steps);
  return xc_graph_emit_binary(graph, "position", XC_TIR_ADD, first, offset);
}

// 1 where a position is no more than a pixel outside, else 0.
static MlirValue emit_near(xc_onnx_importer *im, MlirValue at, int64_t size) {
  xc_graph *graph = &im->graph;
  if (mlirValueIsNull(at))
    return at;
  const MlirValue sides[] = {
      xc_graph_emit_compare_with(graph, "GE", at, -1),
      xc_graph_emit_compare_with(graph, "LE", at, (double)size)};
  const xc_attribute attributes[] = {xc_string("type", "AND")};
  return xc_graph_emit_cast(graph, "near",
                            xc_graph_emit(graph, "inside", XC_TIR_LOGICAL,
                                          sides, 2, XC_ATTRIBUTES(attributes),
                                          XC_ELEMENT_I1),
                            xc_value_shape(at).element);
}

// Returns a list of R positions or masks as rows [R, n, 1, ...] or columns [R,
// 1, n].
static MlirValue emit_spread(xc_onnx_importer *im, MlirValue list, bool is_row,
                             size_t rank) {
  if (mlirValueIsNull(list))
    return list;
  xc_shape shape = xc_value_shape(list);
  const int64_t dims[] = {shape.dims[0], is_row ? shape.dims[1] : 1,
                          is_row ? 1 : shape.dims[1], 1};
  return xc_graph_emit_reshape(&im->graph, list, dims, rank);
}

static bool result_regions(xc_onnx_importer *im, MlirValue sampled,
                           const roi_axis axes[2], int64_t samples) {
  static const int64_t inner[] = {2, 4};
  if (mlirValueIsNull(sampled))
    return false;
  xc_shape shape = xc_value_shape(sampled);
  const int64_t apart[] = {shape.dims[0], axes[1].bins, samples,
                           axes[0].bins,  samples,      shape.dims[3]};
  MlirValue bins = xc_graph_emit_reshape(&im->graph, sampled, apart, 6);
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_onnx_result(im, 0,
                        xc_graph_emit_reduction(&im->graph,
                                                XC_TIR_REDUCTION_MEAN, bins,
                                                inner, 2, false),
                        &order);
}

bool xc_onnx_roi_align(xc_onnx_importer *im) {
  enum { HALF_PIXEL_SINCE = 16, MOST = 1 << 16 };
  xc_graph_value *image, *rois, *batch;
  int64_t samples = xc_onnx_int(im, "sampling_ratio", 0);
  if (!take_float_image(im, &image) || !xc_onnx_need_input(im, 1, &rois) ||
      !xc_onnx_check_rank(im, rois, 2, 2) ||
      !xc_onnx_need_input(im, 2, &batch) ||
      !xc_onnx_check_rank(im, batch, 1, 1))
    return false;
  roi_axis axes[] = {
      {0, image->shape.dims[3], xc_onnx_int(im, "output_width", 1)},
      {1, image->shape.dims[2], xc_onnx_int(im, "output_height", 1)}};
  if (samples < 1 || samples > MOST)
    return xc_onnx_error(
        im,
        "attribute 'sampling_ratio' is %" PRId64
        ", expected 1 to %d: how many samples there are must not "
        "depend on the data",
        samples, MOST);
  for (size_t i = 0; i < 2; ++i)
    if (axes[i].bins < 1 || axes[i].bins > MOST)
      return xc_onnx_error(
          im, "makes regions of size %" PRId64 ", expected 1 to %d",
          axes[i].bins, MOST);
  if (strcmp(xc_onnx_string(im, "mode", "avg"), "avg") != 0)
    return xc_onnx_error(im, "attribute 'mode' is '%s', expected 'avg'",
                         xc_onnx_string(im, "mode", "avg"));
  bool half =
      im->opset >= HALF_PIXEL_SINCE &&
      strcmp(xc_onnx_string(im, "coordinate_transformation_mode", "half_pixel"),
             "half_pixel") == 0;
  xc_graph *graph = &im->graph;
  MlirValue corners = take_floats(im, 1, image->shape.element);
  MlirValue at[2], masks[2];
  for (size_t i = 0; i < 2; ++i) {
    MlirValue list = emit_region(im, corners, &axes[i], samples, half);
    at[i] = emit_spread(im, list, i == 1, 3);
    masks[i] = emit_spread(im, emit_near(im, list, axes[i].size), i == 1, 4);
  }
  const int64_t regions[] = {batch->shape.dims[0], 1, 1};
  MlirValue numbers = xc_graph_get_plain(graph, batch);
  if (batch->shape.element != XC_ELEMENT_I64)
    numbers = xc_graph_emit_cast(graph, "batch", numbers, XC_ELEMENT_I64);
  const xc_graph_sampling sampling = {.taps = 2, .edge = XC_GRAPH_EDGE_BORDER};
  MlirValue sampled =
      xc_graph_emit_samples(graph, xc_graph_get_channels_last(graph, image),
                            xc_graph_emit_reshape(graph, numbers, regions, 3),
                            at[1], at[0], &sampling);
  for (size_t i = 0; i < 2; ++i)
    sampled =
        xc_graph_emit_binary(graph, "masked", XC_TIR_MUL, sampled, masks[i]);
  return result_regions(im, sampled, axes, samples);
}

//===----------------------------------------------------------------------===//
// AffineGrid
//===----------------------------------------------------------------------===//

// Returns the middle of pixel i of `size`, from -1 to 1: those of the outer
// pixels, or their edges.
static double position_of(int64_t i, int64_t size, bool align_corners) {
  if (!align_corners)
    return (2 * (double)i + 1) / (double)size - 1;
  return size == 1 ? 0 : 2 * (double)i / ((double)size - 1) - 1;
}

// Returns a row (x, y, 1) or (x, y, z, 1) for each pixel.
static MlirValue emit_pixels(xc_onnx_importer *im, const int64_t *sizes,
                             size_t spatial, xc_element element) {
  bool align = xc_onnx_int(im, "align_corners", 0) != 0;
  xc_shape shape = {
      .element = element, .rank = 2, .dims = {1, (int64_t)spatial + 1}};
  for (size_t i = 0; i < spatial; ++i)
    shape.dims[0] *= sizes[i];
  void *rows = xc_graph_table(&im->graph, xc_shape_num_elements(&shape),
                              xc_element_size(element));
  if (!rows)
    return (MlirValue){NULL};
  for (int64_t pixel = 0; pixel < shape.dims[0]; ++pixel) {
    int64_t rest = pixel, row = pixel * shape.dims[1];
    for (size_t i = 0; i <= spatial; ++i) {
      xc_graph_number number = {.is_float = true, .real = 1};
      int64_t size = i < spatial ? sizes[spatial - 1 - i] : 1;
      if (i < spatial)
        number.real = position_of(rest % size, size, align);
      xc_graph_store(element, rows, row + (int64_t)i, number);
      rest /= size;
    }
  }
  return xc_graph_get_plain(
      &im->graph,
      xc_graph_constant(&im->graph, im->graph.node, &shape, rows, false));
}

// Each pixel of an image of that size, moved by the matrix of its batch entry.
bool xc_onnx_affine_grid(xc_onnx_importer *im) {
  enum { MOST = 1 << 14 };
  xc_graph_value *theta;
  const int64_t *size;
  size_t count;
  if (!xc_onnx_need_input(im, 0, &theta) ||
      !xc_onnx_check_rank(im, theta, 3, 3) ||
      !xc_onnx_input_ints(im, 1, &size, &count))
    return false;
  size_t spatial = count - 2;
  const int64_t *d = theta->shape.dims;
  if (count < 4 || count > 5 || d[0] != size[0] || d[1] != (int64_t)spatial ||
      d[2] != (int64_t)count - 1)
    return xc_onnx_error(im,
                         "has matrices %" PRId64 "x%" PRId64 "x%" PRId64
                         " for a size of %zu entries",
                         d[0], d[1], d[2], count);
  int64_t dims[5] = {size[0]};
  for (size_t i = 0; i < spatial; ++i) {
    if (size[2 + i] < 1 || size[2 + i] > MOST)
      return xc_onnx_error(im,
                           "makes a grid of size %" PRId64 ", expected 1 to %d",
                           size[2 + i], MOST);
    dims[1 + i] = size[2 + i];
  }
  dims[1 + spatial] = (int64_t)spatial;
  xc_graph *graph = &im->graph;
  const MlirValue operands[] = {
      emit_pixels(im, size + 2, spatial, theta->shape.element),
      xc_graph_get_plain(graph, theta)};
  const xc_attribute attributes[] = {xc_bool("transpose_a", false),
                                     xc_bool("transpose_b", true)};
  MlirValue grid = xc_graph_emit(graph, NULL, XC_TIR_MATMUL, operands, 2,
                                 XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_onnx_result_plain(
      im, 0, xc_graph_emit_reshape(graph, grid, dims, spatial + 2));
}
