//===- ShapeMove.c - operators that reshape, cut and reduce ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shape.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool check_count(const xc_adaptor *op, xc_attr id, size_t count,
                        size_t expected) {
  if (count == expected)
    return true;
  return xc_adaptor_error(op, "attribute '%s' has %zu entries, expected %zu",
                          xc_attr_name(id), count, expected);
}

// Marks the axes of attribute `axis`; each may stand there once.
static bool read_axes(const xc_adaptor *op, size_t rank,
                      bool marked[XC_MAX_RANK]) {
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, XC_ATTR_AXIS, ints);
  memset(marked, 0, XC_MAX_RANK * sizeof(bool));
  if (count > rank)
    return xc_adaptor_error(
        op,
        "attribute 'axis' has %zu entries, expected at most "
        "%zu",
        count, rank);
  for (size_t i = 0; i < count; ++i) {
    size_t axis;
    if (!xc_shape_check_axis(op, XC_ATTR_AXIS, ints[i], rank, &axis))
      return false;
    if (marked[axis])
      return xc_adaptor_error(op, "attribute 'axis' names axis %zu twice",
                              axis);
    marked[axis] = true;
  }
  return true;
}

static void drop_axes(const xc_shape *input, const bool drop[XC_MAX_RANK],
                      bool keep_dims, xc_shape *result) {
  result->rank = 0;
  for (size_t i = 0; i < input->rank; ++i)
    if (!drop[i])
      result->dims[result->rank++] = input->dims[i];
    else if (keep_dims)
      result->dims[result->rank++] = 1;
}

bool xc_shape_reduction(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_REDUCTION_SUM_INPUT);
  bool axes[XC_MAX_RANK];
  if (!read_axes(op, input.rank, axes))
    return false;
  drop_axes(&input, axes, xc_attr_bool(op, XC_ATTR_KEEP_DIMS), result);
  return true;
}

bool xc_shape_argmax(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_ARGMAX_INPUT);
  bool axes[XC_MAX_RANK] = {false};
  size_t axis;
  if (!xc_shape_axis(op, XC_ATTR_AXIS, input.rank, &axis))
    return false;
  axes[axis] = true;
  drop_axes(&input, axes, xc_attr_bool(op, XC_ATTR_KEEP_DIMS), result);
  return true;
}

bool xc_shape_squeeze(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_SQUEEZE_INPUT);
  bool axes[XC_MAX_RANK];
  if (!read_axes(op, input.rank, axes))
    return false;
  for (size_t i = 0; i < input.rank; ++i)
    if (axes[i] && input.dims[i] != 1)
      return xc_adaptor_error(op,
                              "attribute 'axis' names dimension %zu of size "
                              "%" PRId64 ", expected size 1",
                              i, input.dims[i]);
  drop_axes(&input, axes, false, result);
  return true;
}

bool xc_shape_pad(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_PAD_INPUT);
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, XC_ATTR_PADDINGS, ints);
  if (!check_count(op, XC_ATTR_PADDINGS, count, 2 * input.rank))
    return false;
  xc_enum mode = xc_attr_enum(op, XC_ATTR_MODE);
  // REFLECT cannot reach the edge element, SYMMETRIC can.
  int64_t spare = mode == XC_ENUM_REFLECT ? 1 : 0;
  bool mirrors = spare == 1 || mode == XC_ENUM_SYMMETRIC;
  result->rank = input.rank;
  for (size_t i = 0; i < input.rank; ++i) {
    for (int side = 0; side < 2; ++side)
      if (mirrors && ints[2 * i + (size_t)side] > input.dims[i] - spare)
        return xc_adaptor_error(op,
                                "attribute 'paddings' has entry %" PRId64
                                ", but mode %s reaches %" PRId64
                                " elements in dimension %zu",
                                ints[2 * i + (size_t)side], xc_enum_name(mode),
                                input.dims[i] - spare, i);
    result->dims[i] = input.dims[i] + ints[2 * i] + ints[2 * i + 1];
    if (result->dims[i] < 0)
      return xc_adaptor_error(op,
                              "attribute 'paddings' cuts dimension %zu to size "
                              "%" PRId64,
                              i, result->dims[i]);
  }
  return true;
}

static void copy_shape(const xc_shape *input, xc_shape *result) {
  result->rank = input->rank;
  memcpy(result->dims, input->dims, sizeof(result->dims));
}

bool xc_shape_resize(const xc_adaptor *op, xc_shape *result) {
  if (!xc_shape_check_rank(op, XC_RESIZE_INPUT, 4))
    return false;
  int64_t size[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_SIZE, size);
  static const xc_attr lists[] = {XC_ATTR_SCALE, XC_ATTR_ROI};
  static const size_t lengths[] = {2, 4};
  for (size_t i = 0; i < 2; ++i) {
    if (!xc_has_attr(op, lists[i]))
      continue;
    size_t count = xc_attr_floats(op, lists[i], NULL, 0);
    if (count != 0 && !check_count(op, lists[i], count, lengths[i]))
      return false;
  }
  if (xc_attr_bool(op, XC_ATTR_ALIGN_CORNERS) &&
      xc_attr_bool(op, XC_ATTR_HALF_PIXEL_CENTERS))
    return xc_adaptor_error(op, "attributes 'align_corners' and "
                                "'half_pixel_centers' exclude each other");
  xc_shape input = xc_operand_shape(op, XC_RESIZE_INPUT);
  copy_shape(&input, result);
  result->dims[1] = size[1];
  result->dims[2] = size[0];
  return true;
}

bool xc_shape_upsample(const xc_adaptor *op, xc_shape *result) {
  if (!xc_shape_check_rank(op, XC_UPSAMPLE_FIX_INPUT, 4))
    return false;
  int64_t scale[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_SCALE, scale);
  xc_shape input = xc_operand_shape(op, XC_UPSAMPLE_FIX_INPUT);
  copy_shape(&input, result);
  result->dims[1] *= scale[1];
  result->dims[2] *= scale[0];
  return true;
}

bool xc_shape_downsample(const xc_adaptor *op, xc_shape *result) {
  if (!xc_shape_check_rank(op, XC_DOWNSAMPLE_FIX_INPUT, 4))
    return false;
  int64_t scale[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_SCALE, scale);
  xc_shape input = xc_operand_shape(op, XC_DOWNSAMPLE_FIX_INPUT);
  copy_shape(&input, result);
  result->dims[1] = (result->dims[1] + scale[1] - 1) / scale[1];
  result->dims[2] = (result->dims[2] + scale[0] - 1) / scale[0];
  return true;
}

bool xc_shape_transpose(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_TRANSPOSE_INPUT);
  int64_t order[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, XC_ATTR_ORDER, order);
  if (!check_count(op, XC_ATTR_ORDER, count, input.rank))
    return false;
  bool seen[XC_MAX_RANK] = {false};
  result->rank = input.rank;
  for (size_t i = 0; i < input.rank; ++i) {
    if (order[i] >= (int64_t)input.rank || seen[order[i]])
      return xc_adaptor_error(
          op, "attribute 'order' is not a permutation of 0 to %zu",
          input.rank - 1);
    seen[order[i]] = true;
    result->dims[i] = input.dims[order[i]];
  }
  return true;
}

bool xc_shape_reshape(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_RESHAPE_INPUT);
  int64_t shape[XC_MAX_INTS];
  size_t rank = xc_attr_ints(op, XC_ATTR_SHAPE, shape);
  if (rank > XC_MAX_RANK)
    return xc_adaptor_error(
        op,
        "attribute 'shape' has %zu entries, expected at most "
        "%d",
        rank, XC_MAX_RANK);
  int64_t total = xc_shape_num_elements(&input), known = 1;
  size_t free_dim = rank;
  for (size_t i = 0; i < rank; ++i) {
    if (shape[i] == -1 && free_dim < rank)
      return xc_adaptor_error(op, "attribute 'shape' has two entries of -1");
    if (shape[i] == -1)
      free_dim = i;
    else if (shape[i] != 0 && known > total / shape[i] && total != 0)
      return xc_adaptor_error(
          op,
          "attribute 'shape' asks for more than the %" PRId64
          " elements there are",
          total);
    else
      known *= shape[i];
  }
  bool fits =
      free_dim < rank ? known != 0 && total % known == 0 : known == total;
  if (!fits)
    return xc_adaptor_error(
        op,
        "attribute 'shape' asks for %s%" PRId64 " elements, expected %" PRId64,
        free_dim < rank ? "a multiple of " : "", known, total);
  result->rank = rank;
  for (size_t i = 0; i < rank; ++i)
    result->dims[i] = i == free_dim ? total / known : shape[i];
  return true;
}

bool xc_shape_flatten(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_FLATTEN_INPUT);
  size_t start, end;
  if (!xc_shape_axis(op, XC_ATTR_START_AXIS, input.rank, &start) ||
      !xc_shape_axis(op, XC_ATTR_END_AXIS, input.rank, &end))
    return false;
  if (start > end)
    return xc_adaptor_error(
        op, "attribute 'start_axis' is %zu, expected at most 'end_axis' %zu",
        start, end);
  result->rank = 0;
  for (size_t i = 0; i < input.rank; ++i) {
    if (i > start && i <= end)
      result->dims[start] *= input.dims[i];
    else
      result->dims[result->rank++] = input.dims[i];
  }
  return true;
}

bool xc_shape_expand(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_EXPAND_INPUT);
  int64_t shape[XC_MAX_INTS];
  size_t rank = xc_attr_ints(op, XC_ATTR_SHAPE, shape);
  if (rank < input.rank || rank > XC_MAX_RANK)
    return xc_adaptor_error(
        op,
        "attribute 'shape' has %zu entries, expected %zu to "
        "%d",
        rank, input.rank, XC_MAX_RANK);
  result->rank = rank;
  for (size_t i = 0; i < rank; ++i) {
    size_t lead = rank - input.rank;
    int64_t size = i < lead ? 1 : input.dims[i - lead];
    if (size != 1 && size != shape[i])
      return xc_adaptor_error(op,
                              "attribute 'shape' has entry %" PRId64
                              ", which size %" PRId64 " does not broadcast to",
                              shape[i], size);
    result->dims[i] = shape[i];
  }
  return true;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

int64_t xc_slice_begin(int64_t begin, int64_t stride, int64_t size) {
  if (begin < 0)
    begin += size;
  return stride > 0 ? clamp(begin, 0, size) : clamp(begin, -1, size - 1);
}

int64_t xc_slice_end(int64_t end, int64_t stride, int64_t size) {
  if (end == INT32_MIN)
    return stride > 0 ? 0 : -1;
  if (end < 0)
    end += size;
  return stride > 0 ? clamp(end, 0, size) : clamp(end, -1, size - 1);
}

bool xc_shape_strided_slice(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_STRIDED_SLICE_INPUT);
  int64_t begin[XC_MAX_INTS], end[XC_MAX_INTS], strides[XC_MAX_INTS];
  if (!check_count(op, XC_ATTR_BEGIN, xc_attr_ints(op, XC_ATTR_BEGIN, begin),
                   input.rank) ||
      !check_count(op, XC_ATTR_END, xc_attr_ints(op, XC_ATTR_END, end),
                   input.rank) ||
      !check_count(op, XC_ATTR_STRIDES,
                   xc_attr_ints(op, XC_ATTR_STRIDES, strides), input.rank))
    return false;
  result->rank = input.rank;
  for (size_t i = 0; i < input.rank; ++i) {
    if (strides[i] == 0)
      return xc_adaptor_error(op, "attribute 'strides' has entry 0");
    int64_t first = xc_slice_begin(begin[i], strides[i], input.dims[i]);
    int64_t last = xc_slice_end(end[i], strides[i], input.dims[i]);
    int64_t distance = strides[i] > 0 ? last - first : first - last;
    int64_t step = llabs(strides[i]);
    result->dims[i] = distance <= 0 ? 0 : (distance + step - 1) / step;
  }
  return true;
}

// From small with many channels to large with few.
static bool depth_to_space(const xc_adaptor *op, int64_t scale,
                           xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_REORG_INPUT);
  copy_shape(&input, result);
  if (input.dims[3] % (scale * scale) != 0)
    return xc_adaptor_error(op,
                            "operand 'input' has %" PRId64
                            " channels, expected a multiple of %" PRId64,
                            input.dims[3], scale * scale);
  result->dims[1] *= scale;
  result->dims[2] *= scale;
  result->dims[3] /= scale * scale;
  return true;
}

static bool space_to_depth(const xc_adaptor *op, int64_t scale,
                           xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_REORG_INPUT);
  copy_shape(&input, result);
  for (size_t i = 1; i <= 2; ++i) {
    if (input.dims[i] % scale != 0)
      return xc_adaptor_error(
          op,
          "operand 'input' has size %" PRId64
          " in dimension %zu, expected a multiple of %" PRId64,
          input.dims[i], i, scale);
    result->dims[i] /= scale;
  }
  result->dims[3] *= scale * scale;
  return true;
}

// Blocks of `size` by `size` pixels become channels, or with the flag set the
// other way around.
static bool exchange_blocks(const xc_adaptor *op, xc_attr size, xc_attr flag,
                            xc_shape *result) {
  if (!xc_shape_check_rank(op, XC_REORG_INPUT, 4))
    return false;
  int64_t scale = xc_attr_int(op, size);
  return xc_attr_bool(op, flag) ? depth_to_space(op, scale, result)
                                : space_to_depth(op, scale, result);
}

bool xc_shape_pixel_shuffle(const xc_adaptor *op, xc_shape *result) {
  return exchange_blocks(op, XC_ATTR_SCALE, XC_ATTR_UPSCALE, result);
}

bool xc_shape_reorg(const xc_adaptor *op, xc_shape *result) {
  return exchange_blocks(op, XC_ATTR_SCALE, XC_ATTR_REVERSE, result);
}

bool xc_shape_gstiling(const xc_adaptor *op, xc_shape *result) {
  return exchange_blocks(op, XC_ATTR_STRIDE, XC_ATTR_REVERSE, result);
}

bool xc_shape_space_to_batch(const xc_adaptor *op, xc_shape *result) {
  if (!xc_shape_check_rank(op, XC_SPACE_TO_BATCH_INPUT, 4))
    return false;
  int64_t block[XC_MAX_INTS], pad[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_BLOCK_SHAPE, block);
  xc_attr_ints(op, XC_ATTR_PADDINGS, pad);
  xc_shape input = xc_operand_shape(op, XC_SPACE_TO_BATCH_INPUT);
  copy_shape(&input, result);
  result->dims[0] *= block[0] * block[1];
  for (size_t axis = 0; axis < 2; ++axis) { // width, height
    int64_t size = input.dims[2 - axis] + pad[2 * axis] + pad[2 * axis + 1];
    if (size % block[axis] != 0)
      return xc_adaptor_error(
          op,
          "padded input has size %" PRId64
          " in dimension %zu, expected a multiple of %" PRId64,
          size, 2 - axis, block[axis]);
    result->dims[2 - axis] = size / block[axis];
  }
  return true;
}

bool xc_shape_batch_to_space(const xc_adaptor *op, xc_shape *result) {
  if (!xc_shape_check_rank(op, XC_BATCH_TO_SPACE_INPUT, 4))
    return false;
  int64_t block[XC_MAX_INTS], crop[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_BLOCK_SHAPE, block);
  xc_attr_ints(op, XC_ATTR_CROPS, crop);
  xc_shape input = xc_operand_shape(op, XC_BATCH_TO_SPACE_INPUT);
  copy_shape(&input, result);
  if (input.dims[0] % (block[0] * block[1]) != 0)
    return xc_adaptor_error(op,
                            "operand 'input' has batch %" PRId64
                            ", expected a multiple of %" PRId64,
                            input.dims[0], block[0] * block[1]);
  result->dims[0] /= block[0] * block[1];
  for (size_t axis = 0; axis < 2; ++axis) { // width, height
    int64_t size = input.dims[2 - axis] * block[axis];
    int64_t cut = crop[2 * axis] + crop[2 * axis + 1];
    if (cut > size)
      return xc_adaptor_error(op,
                              "attribute 'crops' removes %" PRId64
                              " of %" PRId64 " elements of dimension %zu",
                              cut, size, 2 - axis);
    result->dims[2 - axis] = size - cut;
  }
  return true;
}

bool xc_shape_gather(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_GATHER_INPUT),
           indices = xc_operand_shape(op, XC_GATHER_INDICES);
  size_t axis;
  if (!xc_shape_axis(op, XC_ATTR_AXIS, input.rank, &axis))
    return false;
  if (input.rank + indices.rank - 1 > XC_MAX_RANK)
    return xc_adaptor_error(op, "result has rank %zu, expected at most %d",
                            input.rank + indices.rank - 1, XC_MAX_RANK);
  result->rank = 0;
  for (size_t i = 0; i < input.rank; ++i) {
    if (i != axis) {
      result->dims[result->rank++] = input.dims[i];
      continue;
    }
    for (size_t j = 0; j < indices.rank; ++j)
      result->dims[result->rank++] = indices.dims[j];
  }
  return true;
}

bool xc_shape_scatter(const xc_adaptor *op, xc_shape *result) {
  xc_shape data = xc_operand_shape(op, XC_SCATTER_DATA),
           indices = xc_operand_shape(op, XC_SCATTER_INDICES),
           updates = xc_operand_shape(op, XC_SCATTER_UPDATES);
  if (data.rank == 0)
    return xc_adaptor_error(op, "operand 'data' has no dimension");
  if (!xc_shape_check_rank(op, XC_SCATTER_INDICES, 1) ||
      !xc_shape_check_rank(op, XC_SCATTER_UPDATES, data.rank))
    return false;
  if (updates.element != data.element)
    return xc_adaptor_error(op,
                            "operand 'updates' has elements of type %s, "
                            "expected %s as operand 'data'",
                            xc_element_name(updates.element),
                            xc_element_name(data.element));
  if (data.element == XC_ELEMENT_I1 &&
      !xc_attr_is(op, XC_ATTR_REDUCTION, XC_ENUM_NONE))
    return xc_adaptor_error(op, "combines truth values, expected numbers");
  *result = data;
  for (size_t i = 0; i < data.rank; ++i) {
    int64_t expected = i == 0 ? indices.dims[0] : data.dims[i];
    if (updates.dims[i] != expected)
      return xc_adaptor_error(op,
                              "operand 'updates' has size %" PRId64
                              " in dimension %zu, "
                              "expected %" PRId64,
                              updates.dims[i], i, expected);
  }
  return true;
}

bool xc_shape_topk(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_TOPK_INPUT);
  size_t axis;
  if (!xc_shape_axis(op, XC_ATTR_AXIS, input.rank, &axis))
    return false;
  int64_t k = xc_attr_int(op, XC_ATTR_K);
  if (k > input.dims[axis])
    return xc_adaptor_error(
        op, "attribute 'k' is %" PRId64 ", but dimension %zu has size %" PRId64,
        k, axis, input.dims[axis]);
  result->rank = input.rank;
  for (size_t i = 0; i < input.rank; ++i)
    result->dims[i] = i == axis ? k : input.dims[i];
  return true;
}

bool xc_shape_nms(const xc_adaptor *op, xc_shape *result) {
  enum { CORNERS = 4, COLUMNS = 3 };
  if (!xc_shape_check_rank(op, XC_NMS_BOXES, 3) ||
      !xc_shape_check_rank(op, XC_NMS_SCORES, 3))
    return false;
  xc_shape boxes = xc_operand_shape(op, XC_NMS_BOXES),
           scores = xc_operand_shape(op, XC_NMS_SCORES);
  if (boxes.dims[2] != CORNERS || boxes.dims[0] != scores.dims[0] ||
      boxes.dims[1] != scores.dims[2])
    return xc_adaptor_error(op, "boxes and scores do not fit, expected [b, n, "
                                "4] and [b, c, n]");
  int64_t most = xc_attr_int(op, XC_ATTR_MAX_BOXES);
  int64_t rows = most < boxes.dims[1] ? most : boxes.dims[1];
  result->rank = 2;
  // No more than scores, of which there are not too many.
  result->dims[0] = scores.dims[0] * scores.dims[1] * rows;
  result->dims[1] = COLUMNS;
  return true;
}

// Checks that the inputs agree outside `axis` (rank: everywhere) and, where
// the operator does not rescale, in their element type. Sums their sizes along
// `axis` into `total` and counts them.
static bool join_inputs(const xc_adaptor *op, size_t axis, int64_t *total,
                        size_t *count) {
  xc_shape first = xc_operand_shape(op, XC_CONCAT_INPUT0);
  size_t slots =
      op->info->num_operands - (op->info->dialect == XC_DIALECT_MTIR ? 1 : 0);
  *total = 0;
  *count = 0;
  for (size_t slot = 0; slot < slots; ++slot) {
    if (!xc_has_operand(op, slot))
      continue;
    if (!xc_shape_check_rank(op, slot, first.rank))
      return false;
    xc_shape shape = xc_operand_shape(op, slot);
    const char *name = op->info->operands[slot].name;
    if (op->info->same_element && shape.element != first.element)
      return xc_adaptor_error(
          op, "operand '%s' has elements of type %s, expected %s", name,
          xc_element_name(shape.element), xc_element_name(first.element));
    for (size_t i = 0; i < first.rank; ++i)
      if (i != axis && shape.dims[i] != first.dims[i])
        return xc_adaptor_error(op,
                                "operand '%s' has size %" PRId64
                                " in dimension %zu, expected %" PRId64
                                " as operand '%s'",
                                name, shape.dims[i], i, first.dims[i],
                                op->info->operands[XC_CONCAT_INPUT0].name);
    if (axis < first.rank)
      *total += shape.dims[axis];
    ++*count;
  }
  return true;
}

bool xc_shape_concat(const xc_adaptor *op, xc_shape *result) {
  xc_shape first = xc_operand_shape(op, XC_CONCAT_INPUT0);
  size_t axis, count;
  int64_t total;
  if (!xc_shape_axis(op, XC_ATTR_AXIS, first.rank, &axis) ||
      !join_inputs(op, axis, &total, &count))
    return false;
  copy_shape(&first, result);
  result->dims[axis] = total;
  return true;
}

bool xc_shape_stack(const xc_adaptor *op, xc_shape *result) {
  xc_shape first = xc_operand_shape(op, XC_STACK_INPUT0);
  size_t axis, count;
  int64_t total;
  if (first.rank == XC_MAX_RANK)
    return xc_adaptor_error(op, "result has rank %d, expected at most %d",
                            XC_MAX_RANK + 1, XC_MAX_RANK);
  if (!xc_shape_axis(op, XC_ATTR_AXIS, first.rank + 1, &axis) ||
      !join_inputs(op, first.rank, &total, &count))
    return false;
  result->rank = first.rank + 1;
  for (size_t i = 0; i < result->rank; ++i)
    result->dims[i] = i < axis    ? first.dims[i]
                      : i == axis ? (int64_t)count
                                  : first.dims[i - 1];
  return true;
}

size_t xc_priorbox_ratios(const double *given, size_t count, bool flip,
                          double ratios[1 + 2 * XC_MAX_INTS]) {
  const double near = 1e-6;
  ratios[0] = 1.0;
  size_t known = 1;
  for (size_t i = 0; i < count; ++i) {
    bool seen = false;
    for (size_t j = 0; j < known; ++j)
      seen |= fabs(ratios[j] - given[i]) < near;
    if (seen)
      continue;
    ratios[known++] = given[i];
    if (flip)
      ratios[known++] = 1.0 / given[i];
  }
  return known;
}

bool xc_shape_priorbox(const xc_adaptor *op, xc_shape *result) {
  if (!xc_shape_check_rank(op, XC_PRIORBOX_FEATURE, 4) ||
      !xc_shape_check_rank(op, XC_PRIORBOX_IMAGE, 4))
    return false;
  double ratios[XC_MAX_INTS], all[1 + 2 * XC_MAX_INTS];
  size_t sizes = xc_attr_floats(op, XC_ATTR_MIN_SIZES, NULL, 0);
  size_t largest = xc_attr_floats(op, XC_ATTR_MAX_SIZES, NULL, 0);
  size_t count = xc_attr_floats(op, XC_ATTR_ASPECT_RATIO, ratios, XC_MAX_INTS);
  if (sizes == 0 || count > XC_MAX_INTS || (largest && largest != sizes))
    return xc_adaptor_error(op, "expects at least one of 'min_sizes', at most "
                                "64 of 'aspect_ratio' and as many 'max_sizes' "
                                "as 'min_sizes' or none");
  for (size_t i = 0; i < count; ++i)
    if (!(ratios[i] > 0.0))
      return xc_adaptor_error(op, "attribute 'aspect_ratio' has an entry that "
                                  "is not positive");
  static const struct {
    xc_attr id;
    size_t least, most;
  } lists[] = {{XC_ATTR_VARIANCE, 1, 4}, {XC_ATTR_STEP, 2, 2}};
  for (size_t i = 0; i < 2; ++i) {
    size_t entries = xc_attr_floats(op, lists[i].id, NULL, 0);
    if (entries != 0 && entries != lists[i].least && entries != lists[i].most)
      return check_count(op, lists[i].id, entries, lists[i].most);
  }
  size_t known =
      xc_priorbox_ratios(ratios, count, xc_attr_bool(op, XC_ATTR_FLIP), all);
  int64_t boxes = (int64_t)(sizes * known + largest);
  xc_shape feature = xc_operand_shape(op, XC_PRIORBOX_FEATURE);
  result->rank = 3;
  result->dims[0] = 1;
  result->dims[1] = 2;
  result->dims[2] = feature.dims[1] * feature.dims[2] * boxes * 4;
  return true;
}
