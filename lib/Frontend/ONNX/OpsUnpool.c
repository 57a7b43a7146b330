//===- OpsUnpool.c - pixels back to where windows took them from ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tir has no operator that scatters. Indices of a MaxPool lie within its
// windows, so that each pixel of the result looks at the few windows of the
// pool that it is part of: where the index of one is its own, the element
// belongs to it. Constant indices become a gather.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

#include <inttypes.h>
#include <string.h>

static const MlirValue none = {NULL};

enum { H = 1, W = 2, C = 3 }; // dimensions of an NHWC form

//===----------------------------------------------------------------------===//
// MaxUnpool
//===----------------------------------------------------------------------===//

typedef struct unpool {
  xc_onnx_window window;       // which says no more than the size of the result
  size_t rank;                 // of the model's values
  xc_graph_value *x, *indices; // x with two spatial dimensions
  int64_t in[4], out[4];       // NHWC
} unpool;

// Reads the size that the window gives, unless input 2 says another one.
static bool read_output(xc_onnx_importer *im, unpool *u) {
  const xc_onnx_window *w = &u->window;
  const int64_t *given;
  size_t count;
  for (size_t axis = 0; axis < 2; ++axis) {
    size_t dim = axis == 0 ? W : H;
    u->out[dim] = (u->in[dim] - 1) * w->stride[axis] + w->kernel[axis] -
                  w->pad[2 * axis] - w->pad[2 * axis + 1];
    if (u->out[dim] < 1)
      return xc_onnx_error(
          im, "makes a size of %" PRId64 ", expected 1 or more", u->out[dim]);
  }
  u->out[0] = u->in[0];
  u->out[C] = u->in[C];
  if (!xc_onnx_has_input(im, 2))
    return true;
  if (!xc_onnx_input_ints(im, 2, &given, &count))
    return false;
  if (count != u->rank || given[0] != u->out[0] || given[1] != u->out[C])
    return xc_onnx_error(im,
                         "has an output shape of %zu entries that does not "
                         "fit the batch and channels of input 0",
                         count);
  for (size_t i = 2; i < count; ++i) {
    size_t dim = i + 1 == count ? W : H;
    if (given[i] < 1 || given[i] > INT32_MAX)
      return xc_onnx_error(im, "asks for a size of %" PRId64, given[i]);
    u->out[dim] = given[i];
  }
  return true;
}

static bool read_unpool(xc_onnx_importer *im, unpool *u) {
  xc_graph_value *x, *indices;
  if (!xc_onnx_need_input(im, 0, &x) || !xc_onnx_need_input(im, 1, &indices) ||
      !xc_onnx_check_rank(im, x, 3, 4) ||
      !xc_onnx_check_rank(im, indices, x->shape.rank, x->shape.rank) ||
      !xc_onnx_read_window(im, NULL, x->shape.rank, &u->window))
    return false;
  u->rank = x->shape.rank;
  if (memcmp(x->shape.dims, indices->shape.dims,
             u->rank * sizeof(*x->shape.dims)) != 0)
    return xc_onnx_error(im, "has indices '%s' of another shape than '%s'",
                         indices->name, x->name);
  u->x = xc_onnx_as_2d(im, x);
  u->indices = indices;
  if (!u->x)
    return false;
  const int64_t *dims = u->x->shape.dims;
  const int64_t in[] = {dims[0], dims[2], dims[3], dims[1]};
  memcpy(u->in, in, sizeof(in));
  return read_output(im, u);
}

// Returns the pool that the indices come from; null when there is none.
static const xc_onnx_pool_indices *find_pool(const xc_onnx_importer *im,
                                             MlirValue indices) {
  const xc_onnx_pool_indices *pool = im->pools;
  while (pool && !mlirValueEqual(pool->indices, indices))
    pool = pool->next;
  return pool;
}

// Of each row or column of the result, the last window that it is part of, and
// the one as many before. Beyond the ends another one stands in: its index is
// not that of the pixel.
static MlirValue emit_windows(xc_onnx_importer *im, const unpool *u,
                              const xc_onnx_window *w, MlirValue x, size_t axis,
                              int64_t before) {
  size_t dim = axis == 0 ? W : H;
  int64_t *entries = xc_graph_table(&im->graph, u->out[dim], sizeof(*entries));
  if (!entries)
    return none;
  for (int64_t i = 0; i < u->out[dim]; ++i) {
    int64_t at = (i + w->pad[2 * axis]) / w->stride[axis] - before;
    at = at < 0 ? 0 : at;
    entries[i] = at < u->in[dim] ? at : u->in[dim] - 1;
  }
  return xc_graph_emit_entries(&im->graph, x, dim, entries, u->out[dim]);
}

// How many windows a row or column is part of at most.
static int64_t count_windows(const xc_onnx_window *w, size_t axis) {
  return (w->kernel[axis] - 1) * w->dilation[axis] / w->stride[axis] + 1;
}

// Returns the positions in the plane of a channel: indices less those of its
// first pixel.
static MlirValue emit_in_plane(xc_onnx_importer *im, const unpool *u,
                               MlirValue indices) {
  const int64_t dims[] = {u->in[0], 1, 1, u->in[C]};
  if (u->rank == 3)
    indices = xc_graph_emit_reshape(&im->graph, indices, u->in, 4);
  MlirValue first = xc_graph_emit_iota(&im->graph, 1, 0, u->in[0] * u->in[C]);
  first = xc_graph_emit_with(&im->graph, "first", XC_TIR_MUL, first,
                             (double)(u->out[H] * u->out[W]));
  first = xc_graph_emit_reshape(&im->graph, first, dims, 4);
  return xc_graph_emit_binary(&im->graph, "in_plane", XC_TIR_SUB, indices,
                              first);
}

static bool unpool_windows(xc_onnx_importer *im, const unpool *u,
                           const xc_onnx_pool_indices *pool) {
  xc_graph *graph = &im->graph;
  const int64_t plane[] = {1, u->out[H], u->out[W], 1};
  MlirValue x = xc_graph_get_channels_last(graph, u->x);
  MlirValue own = xc_graph_emit_reshape(
      graph, xc_graph_emit_iota(graph, 1, 0, u->out[H] * u->out[W]), plane, 4);
  MlirValue y = xc_graph_emit_number(graph, 0, u->x->shape.element);
  MlirValue indices = emit_in_plane(im, u, pool->indices);
  const xc_onnx_window *of = &pool->window;
  for (int64_t h = 0; h < count_windows(of, 1); ++h) {
    MlirValue rows[] = {emit_windows(im, u, of, x, 1, h),
                        emit_windows(im, u, of, indices, 1, h)};
    for (int64_t w = 0; w < count_windows(of, 0); ++w) {
      MlirValue here = emit_windows(im, u, of, rows[0], 0, w);
      MlirValue at = emit_windows(im, u, of, rows[1], 0, w);
      if (mlirValueIsNull(here) || mlirValueIsNull(at))
        return false;
      y = xc_graph_emit_select(
          graph, xc_graph_emit_compare(graph, "EQ", at, own), here, y);
    }
  }
  return xc_onnx_result_2d(im, 0, y, u->rank);
}

// A row for each element of input 0 before one that is zero, which all others
// of the result take.
static bool unpool_constant(xc_onnx_importer *im, const unpool *u) {
  xc_graph *graph = &im->graph;
  xc_shape shape = {.element = XC_ELEMENT_I64, .rank = u->rank};
  shape.dims[0] = u->out[0];
  shape.dims[1] = u->out[C];
  shape.dims[2] = u->rank == 4 ? u->out[H] : u->out[W];
  shape.dims[3] = u->out[W];
  int64_t count = xc_shape_num_elements(&u->x->shape);
  int64_t total = xc_shape_num_elements(&shape);
  int64_t *source = xc_graph_table(graph, total, sizeof(*source));
  if (!source)
    return false;
  for (int64_t i = 0; i < total; ++i)
    source[i] = count;
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = xc_graph_to_int(xc_graph_load(u->indices, i));
    if (at < 0 || at >= total)
      return xc_onnx_error(
          im, "index %" PRId64 " of a result of %" PRId64 " elements", at,
          total);
    source[at] = i;
  }
  const int64_t one[] = {1};
  const xc_attribute axis[] = {xc_int("axis", 0)};
  const MlirValue rows[] = {
      xc_graph_emit_reshape(graph, xc_graph_get_plain(graph, u->x), &count, 1),
      xc_graph_emit_reshape(
          graph, xc_graph_emit_number(graph, 0, u->x->shape.element), one, 1)};
  MlirValue y = xc_graph_emit(graph, "rows", XC_TIR_CONCAT, rows, 2,
                              XC_ATTRIBUTES(axis), XC_ELEMENT_NONE);
  y = xc_graph_emit_entries(graph, y, 0, source, total);
  return xc_onnx_result_plain(
      im, 0, xc_graph_emit_reshape(graph, y, shape.dims, shape.rank));
}

bool xc_onnx_max_unpool(xc_onnx_importer *im) {
  unpool u;
  if (!read_unpool(im, &u))
    return false;
  if (u.indices->data)
    return unpool_constant(im, &u);
  const xc_graph_order order = xc_graph_channels_last(u.rank);
  MlirValue indices = xc_graph_get(&im->graph, u.indices, &order);
  if (mlirValueIsNull(indices))
    return false;
  const xc_onnx_pool_indices *pool = find_pool(im, indices);
  if (!pool || pool->by_columns)
    return xc_onnx_error(
        im,
        "input 1, '%s', is computed at run time, expected a "
        "constant or the indices of a MaxPool, by rows; if it is "
        "a graph input, bind it",
        im->node->input[1]);
  if (memcmp(pool->input.dims, u.out, sizeof(u.out)) != 0)
    return xc_onnx_error(im,
                         "makes %" PRId64 "x%" PRId64
                         " pixels, but the indices are of %" PRId64 "x%" PRId64,
                         u.out[H], u.out[W], pool->input.dims[H],
                         pool->input.dims[W]);
  return unpool_windows(im, &u, pool);
}

//===----------------------------------------------------------------------===//
// Col2Im
//===----------------------------------------------------------------------===//

/// Blocks of an image, which may overlap, and what they are added up to; with
/// one spatial dimension the height is 1.
typedef struct fold {
  xc_onnx_window window;
  size_t spatial;
  int64_t image[2], blocks[2], beyond[2]; // width first, as in the window
} fold;

// One or two sizes, width first.
static bool read_sizes(xc_onnx_importer *im, size_t index, size_t *spatial,
                       int64_t sizes[2]) {
  const int64_t *list;
  if (!xc_onnx_input_ints(im, index, &list, spatial))
    return false;
  if (*spatial < 1 || *spatial > 2)
    return xc_onnx_error(im, "input %zu has %zu sizes, expected 1 or 2", index,
                         *spatial);
  sizes[0] = list[*spatial - 1];
  sizes[1] = *spatial == 2 ? list[0] : 1;
  for (size_t i = 0; i < 2; ++i)
    if (sizes[i] < 1 || sizes[i] > UINT16_MAX)
      return xc_onnx_error(
          im, "input %zu has size %" PRId64 ", expected 1 to 65535", index,
          sizes[i]);
  return true;
}

static bool read_fold(xc_onnx_importer *im, fold *f) {
  size_t spatial;
  int64_t block[2];
  if (!read_sizes(im, 1, &f->spatial, f->image) ||
      !read_sizes(im, 2, &spatial, block))
    return false;
  if (spatial != f->spatial)
    return xc_onnx_error(im, "has blocks of %zu dimensions of an image of %zu",
                         spatial, f->spatial);
  const xc_shape kernel = {.rank = 4, .dims = {1, 1, block[1], block[0]}};
  if (!xc_onnx_read_window(im, &kernel, 2 + spatial, &f->window))
    return false;
  const xc_onnx_window *w = &f->window;
  for (size_t i = 0; i < 2; ++i) {
    int64_t reach = (w->kernel[i] - 1) * w->dilation[i] + 1;
    int64_t free = f->image[i] + w->pad[2 * i] + w->pad[2 * i + 1] - reach;
    if (free < 0)
      return xc_onnx_error(im, "has a block that is larger than the image");
    f->blocks[i] = free / w->stride[i] + 1;
    f->beyond[i] = free % w->stride[i];
  }
  return true;
}

// Returns a kernel that puts channel t of its input at tap t: [1, height,
// width, taps], turned around as tir has kernels of transposed convolutions.
static MlirValue emit_placing(xc_onnx_importer *im, const fold *f,
                              xc_element element) {
  int64_t width = f->window.kernel[0], height = f->window.kernel[1];
  int64_t taps = width * height;
  const xc_shape shape = {
      .element = element, .rank = 4, .dims = {1, height, width, taps}};
  void *kernel =
      xc_graph_table(&im->graph, taps * taps, xc_element_size(element));
  if (!kernel)
    return none;
  for (int64_t i = 0; i < taps; ++i)
    for (int64_t t = 0; t < taps; ++t)
      xc_graph_store(element, kernel, i * taps + t,
                     (xc_graph_number){.is_float = true,
                                       .real = t == taps - 1 - i ? 1 : 0});
  return xc_graph_get_plain(
      &im->graph,
      xc_graph_constant(&im->graph, im->graph.node, &shape, kernel, false));
}

// A channel is an image of its own, whose taps are the channels of what a
// transposed convolution reads.
bool xc_onnx_col_to_im(xc_onnx_importer *im) {
  static const xc_graph_order taps_last = {{0, 2, 3, 1}};
  xc_graph_value *value;
  fold f;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_check_rank(im, value, 3, 3) || !read_fold(im, &f))
    return false;
  const xc_onnx_window *w = &f.window;
  const int64_t *d = value->shape.dims;
  int64_t taps = w->kernel[0] * w->kernel[1], channels = d[1] / taps;
  if (d[1] % taps != 0 || d[2] != f.blocks[0] * f.blocks[1])
    return xc_onnx_error(im,
                         "has %" PRId64 " rows and %" PRId64
                         " columns, expected a multiple of %" PRId64
                         " and %" PRId64,
                         d[1], d[2], taps, f.blocks[0] * f.blocks[1]);
  const int64_t apart[] = {d[0] * channels, taps, f.blocks[1], f.blocks[0]};
  const int64_t image[] = {d[0], channels, f.image[f.spatial == 2], f.image[0]};
  const xc_attribute attributes[] = {
      xc_ints("kernel", w->kernel, 2),       xc_ints("stride", w->stride, 2),
      xc_ints("dilation", w->dilation, 2),   xc_ints("pad", w->pad, 4),
      xc_string("pad_mode", "FLOOR"),        xc_int("group", 1),
      xc_ints("output_padding", f.beyond, 2)};
  value = xc_graph_reshape(&im->graph, value, apart, 4);
  if (!value)
    return false;
  const MlirValue operands[] = {xc_graph_get(&im->graph, value, &taps_last),
                                emit_placing(im, &f, value->shape.element)};
  MlirValue y =
      xc_graph_emit(&im->graph, NULL, XC_TIR_TRANSPOSED_CONV2D, operands, 2,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_onnx_result_plain(
      im, 0, xc_graph_emit_reshape(&im->graph, y, image, 2 + f.spatial));
}
