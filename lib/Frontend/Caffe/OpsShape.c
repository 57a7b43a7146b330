//===- OpsShape.c - layers that move elements -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Concat and Slice
//===----------------------------------------------------------------------===//

/// Operands of one tir.concat.
// `axis`, or the name that it had in the past.
static bool read_axis(xc_caffe_importer *im, const char *old_name, size_t rank,
                      size_t *axis) {
  return xc_graph_axis(&im->graph,
                       xc_caffe_int(im, "axis", xc_caffe_int(im, old_name, 1)),
                       rank, axis);
}

bool xc_caffe_concat(xc_caffe_importer *im) {
  size_t count = im->layer->num_bottoms, axis;
  xc_graph *g = &im->graph;
  xc_graph_value **values =
      xc_arena_alloc(&g->arena, count + 1, sizeof(*values));
  MlirValue *operands = xc_arena_alloc(&g->arena, count + 1, sizeof(*operands));
  xc_graph_value *first = xc_caffe_bottom(im, 0);
  if (!first || !read_axis(im, "concat_dim", first->shape.rank, &axis))
    return false;
  bool constant = true;
  for (size_t i = 0; i < count; ++i) {
    if (!(values[i] = xc_caffe_bottom_of_rank(im, i, first->shape.rank,
                                              first->shape.rank)))
      return false;
    constant = constant && values[i]->data;
  }
  xc_graph_value *folded = NULL;
  if (constant && !xc_graph_fold_concat(g, values, count, axis, &folded))
    return false;
  if (folded)
    return xc_caffe_top(im, 0, folded);
  xc_graph_order order;
  if (!xc_graph_broadcast(g, values, count, operands, &order))
    return false;
  return xc_caffe_top_computed(
      im, 0,
      xc_graph_emit_concat(&im->graph, operands, count,
                           xc_graph_position(&order, axis)),
      &order);
}

// Elements [begin, end) of each dimension.
static MlirValue emit_slice(xc_caffe_importer *im, const char *part,
                            xc_graph_value *value, const int64_t *begin,
                            const int64_t *end, const xc_graph_order *order) {
  int64_t from[XC_MAX_RANK], to[XC_MAX_RANK], step[XC_MAX_RANK];
  size_t rank = value->shape.rank;
  for (size_t i = 0; i < rank; ++i) {
    from[i] = begin[order->dim[i]];
    to[i] = end[order->dim[i]];
    step[i] = 1;
  }
  const xc_attribute attributes[] = {xc_ints("begin", from, rank),
                                     xc_ints("end", to, rank),
                                     xc_ints("strides", step, rank)};
  MlirValue input = xc_graph_get(&im->graph, value, order);
  return xc_graph_emit(&im->graph, part, XC_TIR_STRIDED_SLICE, &input, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Where the tops end along the axis; without points they are equal parts.
static bool slice_ends(xc_caffe_importer *im, int64_t size, int64_t *ends) {
  size_t count = im->layer->num_tops;
  size_t given = count ? xc_caffe_ints(im, "slice_point", ends, count) : 0;
  if (xc_graph_failed(&im->graph))
    return false;
  if (count == 0 || (given && given + 1 != count) ||
      (!given && size % (int64_t)count))
    return xc_caffe_error(im,
                          "%" PRId64 " elements and %zu points for %zu tops",
                          size, given, count);
  for (size_t i = 0; !given && i < count; ++i)
    ends[i] = size / (int64_t)count * (int64_t)(i + 1);
  ends[count - 1] = size;
  for (size_t i = 0; i < count; ++i)
    if (ends[i] <= (i ? ends[i - 1] : 0) || ends[i] > size)
      return xc_caffe_error(im, "slice_point %zu is outside of its order", i);
  return true;
}

bool xc_caffe_slice(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  size_t axis, count = im->layer->num_tops;
  int64_t *ends = xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*ends));
  if (!value || !read_axis(im, "slice_dim", value->shape.rank, &axis) ||
      !slice_ends(im, value->shape.dims[axis], ends))
    return false;
  if (count == 1)
    return xc_caffe_top(im, 0, value);
  xc_graph_order order = xc_graph_cheapest(value);
  int64_t begin[XC_MAX_RANK] = {0}, end[XC_MAX_RANK];
  memcpy(end, value->shape.dims, sizeof(end));
  for (size_t i = 0; i < count; ++i) {
    char part[24];
    snprintf(part, sizeof(part), "%zu", i);
    end[axis] = ends[i];
    if (!xc_caffe_top_computed(
            im, i, emit_slice(im, part, value, begin, end, &order), &order))
      return false;
    begin[axis] = ends[i];
  }
  return true;
}

// Bottom 0, from `axis` on, to the size of bottom 1.
bool xc_caffe_crop(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  xc_graph_value *like = xc_caffe_bottom(im, 1);
  size_t axis;
  int64_t offsets[XC_MAX_RANK] = {0}, begin[XC_MAX_RANK], end[XC_MAX_RANK];
  size_t given = xc_caffe_ints(im, "offset", offsets, XC_MAX_RANK);
  if (!value || !like || xc_graph_failed(&im->graph) ||
      !xc_graph_axis(&im->graph, xc_caffe_int(im, "axis", 2), value->shape.rank,
                     &axis))
    return false;
  size_t rank = value->shape.rank;
  if (like->shape.rank != rank || (given > 1 && given != rank - axis))
    return xc_caffe_error(im,
                          "%zu offsets for bottoms of %zu and %zu dimensions",
                          given, rank, like->shape.rank);
  for (size_t i = 0; i < rank; ++i) {
    bool cropped = i >= axis;
    begin[i] = cropped ? offsets[given > 1 ? i - axis : 0] : 0;
    end[i] = cropped && begin[i] <= INT32_MAX ? begin[i] + like->shape.dims[i]
                                              : value->shape.dims[i];
    if (begin[i] < 0 || begin[i] > end[i] || end[i] > value->shape.dims[i])
      return xc_caffe_error(im,
                            "elements %" PRId64 " to %" PRId64
                            " of dimension %zu are outside of bottom '%s'",
                            begin[i], end[i], i, im->layer->bottoms[0]);
  }
  xc_graph_order order = xc_graph_cheapest(value);
  return xc_caffe_top_computed(
      im, 0, emit_slice(im, NULL, value, begin, end, &order), &order);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

bool xc_caffe_flatten(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  size_t axis, end;
  if (!value)
    return false;
  size_t rank = value->shape.rank, count = 0;
  if (!xc_graph_axis(&im->graph, xc_caffe_int(im, "axis", 1), rank, &axis) ||
      !xc_graph_axis(&im->graph, xc_caffe_int(im, "end_axis", -1), rank, &end))
    return false;
  if (end < axis)
    return xc_caffe_error(im, "its axis %zu is after its end_axis %zu", axis,
                          end);
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < axis; ++i)
    dims[count++] = value->shape.dims[i];
  dims[count++] = xc_graph_product(&value->shape, axis, end + 1);
  for (size_t i = end + 1; i < rank; ++i)
    dims[count++] = value->shape.dims[i];
  return xc_caffe_top(im, 0, xc_graph_reshape(&im->graph, value, dims, count));
}

// `dim: 0` copies a dimension, -1 takes what remains; the shape stands for
// `num_axes` dimensions from `axis` on.
static bool reshape_dims(xc_caffe_importer *im, const xc_shape *shape,
                         int64_t *dims, size_t *rank) {
  const xc_text_field *field = xc_caffe_field(im, "shape");
  int64_t given[XC_MAX_RANK], axis = xc_caffe_int(im, "axis", 0);
  int64_t num_axes = xc_caffe_int(im, "num_axes", -1);
  int64_t old = (int64_t)shape->rank;
  size_t count = 0, open = SIZE_MAX;
  if (!xc_caffe_read_shape(im, field, given, &count) ||
      xc_graph_failed(&im->graph))
    return false;
  axis += axis < 0 ? old + 1 : 0;
  num_axes = num_axes < 0 ? old - axis : num_axes;
  if (axis < 0 || axis > old || num_axes > old - axis ||
      (size_t)(old - num_axes) + count > XC_MAX_RANK)
    return xc_caffe_error(im,
                          "%zu dimensions cannot stand for %" PRId64
                          " from axis %" PRId64 " on",
                          count, num_axes, axis);
  *rank = 0;
  for (int64_t i = 0; i < axis; ++i)
    dims[(*rank)++] = shape->dims[i];
  for (size_t i = 0; i < count; ++i) {
    size_t from = (size_t)axis + i;
    if (given[i] == 0 && from >= shape->rank)
      return xc_caffe_error(im, "there is no dimension %zu to copy", from);
    if (given[i] == -1 && open == SIZE_MAX)
      open = *rank;
    else if (given[i] < 0)
      return xc_caffe_error(im, "dimension %zu is %" PRId64, i, given[i]);
    dims[(*rank)++] = given[i] == 0    ? shape->dims[from]
                      : given[i] == -1 ? 1
                                       : given[i];
  }
  for (int64_t i = axis + num_axes; i < old; ++i)
    dims[(*rank)++] = shape->dims[i];
  xc_shape checked;
  if (!xc_graph_check_dims(&im->graph, im->graph.node, dims, *rank,
                           XC_ELEMENT_F32, &checked))
    return false;
  int64_t total = xc_shape_num_elements(shape);
  int64_t known = xc_shape_num_elements(&checked);
  if (open != SIZE_MAX && known && total % known == 0) {
    dims[open] = total / known;
    known = total;
  }
  return known == total ||
         xc_caffe_error(im,
                        "%" PRId64 " elements do not fit a shape of %" PRId64,
                        total, known);
}

bool xc_caffe_reshape(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  int64_t dims[XC_MAX_RANK + 1];
  size_t rank = 0;
  return value && reshape_dims(im, &value->shape, dims, &rank) &&
         xc_caffe_top(im, 0, xc_graph_reshape(&im->graph, value, dims, rank));
}

bool xc_caffe_permute(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  int64_t given[XC_MAX_RANK];
  size_t count = xc_caffe_ints(im, "order", given, XC_MAX_RANK);
  bool seen[XC_MAX_RANK] = {false};
  if (!value || xc_graph_failed(&im->graph))
    return false;
  size_t rank = value->shape.rank;
  xc_graph_order order = {{0}};
  for (size_t i = 0; i < count; ++i) {
    if (given[i] < 0 || given[i] >= (int64_t)rank || seen[given[i]])
      return xc_caffe_error(im, "its order is none of %zu dimensions", rank);
    order.dim[i] = (uint8_t)given[i];
    seen[given[i]] = true;
  }
  // Dimensions that are not named follow in their order.
  for (size_t i = 0; i < rank; ++i)
    if (!seen[i])
      order.dim[count++] = (uint8_t)i;
  return xc_caffe_top(im, 0, xc_graph_transpose(&im->graph, value, &order));
}

//===----------------------------------------------------------------------===//
// Repeating and shuffling
//===----------------------------------------------------------------------===//

// `tiles` copies, one behind the other along an axis.
bool xc_caffe_tile(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 1, XC_MAX_RANK - 1);
  int64_t tiles = xc_caffe_int(im, "tiles", 1);
  size_t axis;
  if (!value || !xc_graph_axis(&im->graph, xc_caffe_int(im, "axis", 1),
                               value->shape.rank, &axis))
    return false;
  if (tiles < 1 || tiles > UINT16_MAX)
    return xc_caffe_error(im, "its tiles are %" PRId64, tiles);
  xc_shape shape = value->shape;
  int64_t dims[XC_MAX_RANK];
  memcpy(dims, shape.dims, axis * sizeof(*dims));
  dims[axis] = 1;
  memcpy(dims + axis + 1, shape.dims + axis,
         (shape.rank - axis) * sizeof(*dims));
  xc_graph_value *apart =
      xc_graph_reshape(&im->graph, value, dims, shape.rank + 1);
  if (!apart)
    return false;
  MlirValue x = xc_graph_get_plain(&im->graph, apart);
  dims[axis] = tiles;
  shape.dims[axis] *= tiles;
  const xc_attribute expanded[] = {xc_ints("shape", dims, shape.rank + 1)};
  const xc_attribute joined[] = {xc_ints("shape", shape.dims, shape.rank)};
  x = xc_graph_emit(&im->graph, "copies", XC_TIR_EXPAND, &x, 1,
                    XC_ATTRIBUTES(expanded), XC_ELEMENT_NONE);
  x = xc_graph_emit(&im->graph, NULL, XC_TIR_RESHAPE, &x, 1,
                    XC_ATTRIBUTES(joined), XC_ELEMENT_NONE);
  xc_graph_order plain = xc_graph_identity(shape.rank);
  return xc_caffe_top_computed(im, 0, x, &plain);
}

// The view of a value in more dimensions, permuted, and seen in others again.
static bool rearrange(xc_caffe_importer *im, xc_graph_value *value,
                      const int64_t *apart, const xc_graph_order *order,
                      size_t rank, const int64_t *joined) {
  xc_graph_value *moved = xc_graph_reshape(&im->graph, value, apart, rank);
  moved = moved ? xc_graph_transpose(&im->graph, moved, order) : NULL;
  return moved &&
         xc_caffe_top(im, 0, xc_graph_reshape(&im->graph, moved, joined, 4));
}

bool xc_caffe_shuffle_channel(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  int64_t group = xc_caffe_int(im, "group", 1);
  if (!value || xc_graph_failed(&im->graph))
    return false;
  const int64_t *d = value->shape.dims;
  if (group < 1 || d[1] % group)
    return xc_caffe_error(
        im, "%" PRId64 " channels are not divided by %" PRId64 " groups", d[1],
        group);
  int64_t apart[] = {d[0], group, d[1] / group, d[2], d[3]};
  xc_graph_order order = {{0, 2, 1, 3, 4}};
  return rearrange(im, value, apart, &order, 5, d);
}

//===----------------------------------------------------------------------===//
// Space and channels
//===----------------------------------------------------------------------===//

// An operator of tir on images, channels last.
static bool emit_blocks(xc_caffe_importer *im, xc_graph_value *value,
                        xc_op_kind kind, const xc_attributes *attributes) {
  MlirValue x = xc_graph_get_channels_last(&im->graph, value);
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_caffe_top_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, kind, &x, 1, attributes, XC_ELEMENT_NONE),
      &order);
}

static bool check_stride(xc_caffe_importer *im, int64_t stride) {
  return !xc_graph_failed(&im->graph) &&
         ((stride >= 1 && stride <= UINT16_MAX) ||
          xc_caffe_error(im, "its stride is %" PRId64, stride));
}

// In floating point as Darknet does it, whose order of elements is no order of
// blocks: the image of C channels is seen as one of C / s^2 that is s times as
// wide and high. In fixed point as the compiler of the field does it.
bool xc_caffe_reorg(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  int64_t s = xc_caffe_int(im, "stride", 1);
  bool reverse = xc_caffe_bool(im, "reverse", false);
  if (!value || !check_stride(im, s))
    return false;
  const int64_t *d = value->shape.dims;
  const xc_attribute attributes[] = {xc_int("scale", s),
                                     xc_bool("reverse", reverse)};
  if (xc_caffe_is_fixed(im))
    return emit_blocks(im, value, XC_TIR_REORG, XC_ATTRIBUTES(attributes));
  if (d[1] % (s * s) || (!reverse && (d[2] % s || d[3] % s)))
    return xc_caffe_error(im,
                          "%" PRId64 "x%" PRId64 "x%" PRId64
                          " is not divided by stride %" PRId64,
                          d[1], d[2], d[3], s);
  int64_t t = d[1] / (s * s);
  int64_t small[] = {d[0], s, s, t, d[2], d[3]};
  int64_t large[] = {d[0], t, d[2], s, d[3], s};
  int64_t wide[] = {d[0], t, d[2] * s, d[3] * s};
  int64_t deep[] = {d[0], d[1] * s * s, d[2] / s, d[3] / s};
  xc_graph_order to_wide = {{0, 3, 4, 1, 5, 2}};
  xc_graph_order to_deep = {{0, 3, 5, 1, 2, 4}};
  return reverse ? rearrange(im, value, small, &to_wide, 6, wide)
                 : rearrange(im, value, large, &to_deep, 6, deep);
}

bool xc_caffe_gs_tiling(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  int64_t stride = xc_caffe_int(im, "stride", 1);
  const xc_attribute attributes[] = {
      xc_int("stride", stride),
      xc_bool("reverse", xc_caffe_bool(im, "reverse", false))};
  return value && check_stride(im, stride) &&
         emit_blocks(im, value, XC_TIR_GSTILING, XC_ATTRIBUTES(attributes));
}

// Channel c * s^2 + dy * s + dx goes to pixel (dy, dx) of channel c.
bool xc_caffe_tiling(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  int64_t scale = xc_caffe_int(im, "tile_dim", 1);
  const xc_attribute attributes[] = {xc_int("scale", scale),
                                     xc_bool("upscale", true),
                                     xc_string("mode", "CRD")};
  return value && check_stride(im, scale) &&
         emit_blocks(im, value, XC_TIR_PIXEL_SHUFFLE,
                     XC_ATTRIBUTES(attributes));
}
