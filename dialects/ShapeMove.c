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

static bool check_count(const xc_view *view, const char *name, size_t count,
                        size_t expected) {
  if (count == expected)
    return true;
  return xc_view_error(view, "attribute '%s' has %zu entries, expected %zu",
                       name, count, expected);
}

// Marks the axes of attribute `axis`; each may stand there once.
static bool read_axes(const xc_view *view, size_t rank,
                      bool marked[XC_MAX_RANK]) {
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_view_ints(view, "axis", ints);
  memset(marked, 0, XC_MAX_RANK * sizeof(bool));
  if (count > rank)
    return xc_view_error(view,
                         "attribute 'axis' has %zu entries, expected at most "
                         "%zu",
                         count, rank);
  for (size_t i = 0; i < count; ++i) {
    size_t axis;
    if (!xc_shape_axis(view, "axis", ints[i], rank, &axis))
      return false;
    if (marked[axis])
      return xc_view_error(view, "attribute 'axis' names axis %zu twice", axis);
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

bool xc_shape_reduction(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  bool axes[XC_MAX_RANK];
  if (!read_axes(view, input.rank, axes))
    return false;
  drop_axes(&input, axes, xc_view_bool(view, "keep_dims"), result);
  return true;
}

bool xc_shape_argmax(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  bool axes[XC_MAX_RANK] = {false};
  size_t axis;
  if (!xc_shape_axis(view, "axis", xc_view_int(view, "axis"), input.rank,
                     &axis))
    return false;
  axes[axis] = true;
  drop_axes(&input, axes, xc_view_bool(view, "keep_dims"), result);
  return true;
}

bool xc_shape_squeeze(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  bool axes[XC_MAX_RANK];
  if (!read_axes(view, input.rank, axes))
    return false;
  for (size_t i = 0; i < input.rank; ++i)
    if (axes[i] && input.dims[i] != 1)
      return xc_view_error(view,
                           "attribute 'axis' names dimension %zu of size "
                           "%" PRId64 ", expected size 1",
                           i, input.dims[i]);
  drop_axes(&input, axes, false, result);
  return true;
}

bool xc_shape_pad(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_view_ints(view, "paddings", ints);
  if (!check_count(view, "paddings", count, 2 * input.rank))
    return false;
  const char *mode = xc_view_word(view, "mode");
  // REFLECT cannot reach the edge element, SYMMETRIC can.
  int64_t spare = strcmp(mode, "REFLECT") == 0 ? 1 : 0;
  bool mirrors = spare == 1 || strcmp(mode, "SYMMETRIC") == 0;
  result->rank = input.rank;
  for (size_t i = 0; i < input.rank; ++i) {
    for (int side = 0; side < 2; ++side)
      if (mirrors && ints[2 * i + (size_t)side] > input.dims[i] - spare)
        return xc_view_error(
            view,
            "attribute 'paddings' has entry %" PRId64
            ", but mode %s reaches %" PRId64 " elements in dimension %zu",
            ints[2 * i + (size_t)side], mode, input.dims[i] - spare, i);
    result->dims[i] = input.dims[i] + ints[2 * i] + ints[2 * i + 1];
    if (result->dims[i] < 0)
      return xc_view_error(view,
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

bool xc_shape_resize(const xc_view *view, xc_shape *result) {
  if (!xc_shape_check_rank(view, 0, 4))
    return false;
  int64_t size[XC_MAX_INTS];
  xc_view_ints(view, "size", size);
  static const char *const lists[] = {"scale", "roi"};
  static const size_t lengths[] = {2, 4};
  for (size_t i = 0; i < 2; ++i) {
    if (!xc_attribute_info_find(view->info, lists[i], strlen(lists[i])))
      continue;
    size_t count = xc_view_floats(view, lists[i], NULL, 0);
    if (count != 0 && !check_count(view, lists[i], count, lengths[i]))
      return false;
  }
  if (xc_view_bool(view, "align_corners") &&
      xc_view_bool(view, "half_pixel_centers"))
    return xc_view_error(view, "attributes 'align_corners' and "
                               "'half_pixel_centers' exclude each other");
  xc_shape input = xc_view_shape(view, 0);
  copy_shape(&input, result);
  result->dims[1] = size[1];
  result->dims[2] = size[0];
  return true;
}

bool xc_shape_upsample(const xc_view *view, xc_shape *result) {
  if (!xc_shape_check_rank(view, 0, 4))
    return false;
  int64_t scale[XC_MAX_INTS];
  xc_view_ints(view, "scale", scale);
  xc_shape input = xc_view_shape(view, 0);
  copy_shape(&input, result);
  result->dims[1] *= scale[1];
  result->dims[2] *= scale[0];
  return true;
}

bool xc_shape_downsample(const xc_view *view, xc_shape *result) {
  if (!xc_shape_check_rank(view, 0, 4))
    return false;
  int64_t scale[XC_MAX_INTS];
  xc_view_ints(view, "scale", scale);
  xc_shape input = xc_view_shape(view, 0);
  copy_shape(&input, result);
  result->dims[1] = (result->dims[1] + scale[1] - 1) / scale[1];
  result->dims[2] = (result->dims[2] + scale[0] - 1) / scale[0];
  return true;
}

bool xc_shape_transpose(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  int64_t order[XC_MAX_INTS];
  size_t count = xc_view_ints(view, "order", order);
  if (!check_count(view, "order", count, input.rank))
    return false;
  bool seen[XC_MAX_RANK] = {false};
  result->rank = input.rank;
  for (size_t i = 0; i < input.rank; ++i) {
    if (order[i] >= (int64_t)input.rank || seen[order[i]])
      return xc_view_error(view,
                           "attribute 'order' is no permutation of 0 to %zu",
                           input.rank - 1);
    seen[order[i]] = true;
    result->dims[i] = input.dims[order[i]];
  }
  return true;
}

bool xc_shape_reshape(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  int64_t shape[XC_MAX_INTS];
  size_t rank = xc_view_ints(view, "shape", shape);
  if (rank > XC_MAX_RANK)
    return xc_view_error(view,
                         "attribute 'shape' has %zu entries, expected at most "
                         "%d",
                         rank, XC_MAX_RANK);
  int64_t total = xc_shape_num_elements(&input), known = 1;
  size_t free_dim = rank;
  for (size_t i = 0; i < rank; ++i) {
    if (shape[i] == -1 && free_dim < rank)
      return xc_view_error(view, "attribute 'shape' has two entries of -1");
    if (shape[i] == -1)
      free_dim = i;
    else if (shape[i] != 0 && known > total / shape[i] && total != 0)
      return xc_view_error(view,
                           "attribute 'shape' asks for more than the %" PRId64
                           " elements there are",
                           total);
    else
      known *= shape[i];
  }
  bool fits =
      free_dim < rank ? known != 0 && total % known == 0 : known == total;
  if (!fits)
    return xc_view_error(view,
                         "attribute 'shape' asks for %s%" PRId64
                         " elements, expected %" PRId64,
                         free_dim < rank ? "a multiple of " : "", known, total);
  result->rank = rank;
  for (size_t i = 0; i < rank; ++i)
    result->dims[i] = i == free_dim ? total / known : shape[i];
  return true;
}

bool xc_shape_flatten(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  size_t start, end;
  if (!xc_shape_axis(view, "start_axis", xc_view_int(view, "start_axis"),
                     input.rank, &start) ||
      !xc_shape_axis(view, "end_axis", xc_view_int(view, "end_axis"),
                     input.rank, &end))
    return false;
  if (start > end)
    return xc_view_error(
        view, "attribute 'start_axis' is %zu, expected at most 'end_axis' %zu",
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

bool xc_shape_expand(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  int64_t shape[XC_MAX_INTS];
  size_t rank = xc_view_ints(view, "shape", shape);
  if (rank < input.rank || rank > XC_MAX_RANK)
    return xc_view_error(view,
                         "attribute 'shape' has %zu entries, expected %zu to "
                         "%d",
                         rank, input.rank, XC_MAX_RANK);
  result->rank = rank;
  for (size_t i = 0; i < rank; ++i) {
    size_t lead = rank - input.rank;
    int64_t size = i < lead ? 1 : input.dims[i - lead];
    if (size != 1 && size != shape[i])
      return xc_view_error(view,
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

bool xc_shape_strided_slice(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  int64_t begin[XC_MAX_INTS], end[XC_MAX_INTS], strides[XC_MAX_INTS];
  if (!check_count(view, "begin", xc_view_ints(view, "begin", begin),
                   input.rank) ||
      !check_count(view, "end", xc_view_ints(view, "end", end), input.rank) ||
      !check_count(view, "strides", xc_view_ints(view, "strides", strides),
                   input.rank))
    return false;
  result->rank = input.rank;
  for (size_t i = 0; i < input.rank; ++i) {
    if (strides[i] == 0)
      return xc_view_error(view, "attribute 'strides' has entry 0");
    int64_t first = xc_slice_begin(begin[i], strides[i], input.dims[i]);
    int64_t last = xc_slice_end(end[i], strides[i], input.dims[i]);
    int64_t distance = strides[i] > 0 ? last - first : first - last;
    int64_t step = llabs(strides[i]);
    result->dims[i] = distance <= 0 ? 0 : (distance + step - 1) / step;
  }
  return true;
}

// From small with many channels to large with few.
static bool depth_to_space(const xc_view *view, int64_t scale,
                           xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  copy_shape(&input, result);
  if (input.dims[3] % (scale * scale) != 0)
    return xc_view_error(view,
                         "operand 'input' has %" PRId64
                         " channels, expected a multiple of %" PRId64,
                         input.dims[3], scale * scale);
  result->dims[1] *= scale;
  result->dims[2] *= scale;
  result->dims[3] /= scale * scale;
  return true;
}

static bool space_to_depth(const xc_view *view, int64_t scale,
                           xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  copy_shape(&input, result);
  for (size_t i = 1; i <= 2; ++i) {
    if (input.dims[i] % scale != 0)
      return xc_view_error(view,
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
static bool exchange_blocks(const xc_view *view, const char *size,
                            const char *flag, xc_shape *result) {
  if (!xc_shape_check_rank(view, 0, 4))
    return false;
  int64_t scale = xc_view_int(view, size);
  return xc_view_bool(view, flag) ? depth_to_space(view, scale, result)
                                  : space_to_depth(view, scale, result);
}

bool xc_shape_pixel_shuffle(const xc_view *view, xc_shape *result) {
  return exchange_blocks(view, "scale", "upscale", result);
}

bool xc_shape_reorg(const xc_view *view, xc_shape *result) {
  return exchange_blocks(view, "scale", "reverse", result);
}

bool xc_shape_gstiling(const xc_view *view, xc_shape *result) {
  return exchange_blocks(view, "stride", "reverse", result);
}

bool xc_shape_space_to_batch(const xc_view *view, xc_shape *result) {
  if (!xc_shape_check_rank(view, 0, 4))
    return false;
  int64_t block[XC_MAX_INTS], pad[XC_MAX_INTS];
  xc_view_ints(view, "block_shape", block);
  xc_view_ints(view, "paddings", pad);
  xc_shape input = xc_view_shape(view, 0);
  copy_shape(&input, result);
  result->dims[0] *= block[0] * block[1];
  for (size_t axis = 0; axis < 2; ++axis) { // width, height
    int64_t size = input.dims[2 - axis] + pad[2 * axis] + pad[2 * axis + 1];
    if (size % block[axis] != 0)
      return xc_view_error(view,
                           "padded input has size %" PRId64
                           " in dimension %zu, expected a multiple of %" PRId64,
                           size, 2 - axis, block[axis]);
    result->dims[2 - axis] = size / block[axis];
  }
  return true;
}

bool xc_shape_batch_to_space(const xc_view *view, xc_shape *result) {
  if (!xc_shape_check_rank(view, 0, 4))
    return false;
  int64_t block[XC_MAX_INTS], crop[XC_MAX_INTS];
  xc_view_ints(view, "block_shape", block);
  xc_view_ints(view, "crops", crop);
  xc_shape input = xc_view_shape(view, 0);
  copy_shape(&input, result);
  if (input.dims[0] % (block[0] * block[1]) != 0)
    return xc_view_error(view,
                         "operand 'input' has batch %" PRId64
                         ", expected a multiple of %" PRId64,
                         input.dims[0], block[0] * block[1]);
  result->dims[0] /= block[0] * block[1];
  for (size_t axis = 0; axis < 2; ++axis) { // width, height
    int64_t size = input.dims[2 - axis] * block[axis];
    int64_t cut = crop[2 * axis] + crop[2 * axis + 1];
    if (cut > size)
      return xc_view_error(view,
                           "attribute 'crops' removes %" PRId64 " of %" PRId64
                           " elements of dimension %zu",
                           cut, size, 2 - axis);
    result->dims[2 - axis] = size - cut;
  }
  return true;
}

bool xc_shape_gather(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0), indices = xc_view_shape(view, 1);
  size_t axis;
  if (!xc_shape_axis(view, "axis", xc_view_int(view, "axis"), input.rank,
                     &axis))
    return false;
  if (input.rank + indices.rank - 1 > XC_MAX_RANK)
    return xc_view_error(view, "result has rank %zu, expected at most %d",
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

// Checks that the inputs agree outside `axis` (rank: everywhere) and, where
// the operator does not rescale, in their element type. Sums their sizes along
// `axis` into `total` and counts them.
static bool join_inputs(const xc_view *view, size_t axis, int64_t *total,
                        size_t *count) {
  xc_shape first = xc_view_shape(view, 0);
  size_t slots = view->info->num_operands -
                 (view->info->dialect == XC_DIALECT_MTIR ? 1 : 0);
  *total = 0;
  *count = 0;
  for (size_t slot = 0; slot < slots; ++slot) {
    if (!xc_view_has_operand(view, slot))
      continue;
    if (!xc_shape_check_rank(view, slot, first.rank))
      return false;
    xc_shape shape = xc_view_shape(view, slot);
    const char *name = view->info->operands[slot].name;
    if (view->info->same_element && shape.element != first.element)
      return xc_view_error(
          view, "operand '%s' has elements of type %s, expected %s", name,
          xc_element_name(shape.element), xc_element_name(first.element));
    for (size_t i = 0; i < first.rank; ++i)
      if (i != axis && shape.dims[i] != first.dims[i])
        return xc_view_error(view,
                             "operand '%s' has size %" PRId64
                             " in dimension %zu, expected %" PRId64
                             " as operand '%s'",
                             name, shape.dims[i], i, first.dims[i],
                             view->info->operands[0].name);
    if (axis < first.rank)
      *total += shape.dims[axis];
    ++*count;
  }
  return true;
}

bool xc_shape_concat(const xc_view *view, xc_shape *result) {
  xc_shape first = xc_view_shape(view, 0);
  size_t axis, count;
  int64_t total;
  if (!xc_shape_axis(view, "axis", xc_view_int(view, "axis"), first.rank,
                     &axis) ||
      !join_inputs(view, axis, &total, &count))
    return false;
  copy_shape(&first, result);
  result->dims[axis] = total;
  return true;
}

bool xc_shape_stack(const xc_view *view, xc_shape *result) {
  xc_shape first = xc_view_shape(view, 0);
  size_t axis, count;
  int64_t total;
  if (first.rank == XC_MAX_RANK)
    return xc_view_error(view, "result has rank %d, expected at most %d",
                         XC_MAX_RANK + 1, XC_MAX_RANK);
  if (!xc_shape_axis(view, "axis", xc_view_int(view, "axis"), first.rank + 1,
                     &axis) ||
      !join_inputs(view, first.rank, &total, &count))
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

bool xc_shape_priorbox(const xc_view *view, xc_shape *result) {
  if (!xc_shape_check_rank(view, 0, 4) || !xc_shape_check_rank(view, 1, 4))
    return false;
  double ratios[XC_MAX_INTS], all[1 + 2 * XC_MAX_INTS];
  size_t sizes = xc_view_floats(view, "min_sizes", NULL, 0);
  size_t largest = xc_view_floats(view, "max_sizes", NULL, 0);
  size_t count = xc_view_floats(view, "aspect_ratio", ratios, XC_MAX_INTS);
  if (sizes == 0 || count > XC_MAX_INTS || (largest && largest != sizes))
    return xc_view_error(view, "expects at least one of 'min_sizes', at most "
                               "64 of 'aspect_ratio' and as many 'max_sizes' "
                               "as 'min_sizes' or none");
  for (size_t i = 0; i < count; ++i)
    if (!(ratios[i] > 0.0))
      return xc_view_error(view, "attribute 'aspect_ratio' has an entry that "
                                 "is not positive");
  static const struct {
    const char *name;
    size_t least, most;
  } lists[] = {{"variance", 1, 4}, {"step", 2, 2}};
  for (size_t i = 0; i < 2; ++i) {
    size_t entries = xc_view_floats(view, lists[i].name, NULL, 0);
    if (entries != 0 && entries != lists[i].least && entries != lists[i].most)
      return check_count(view, lists[i].name, entries, lists[i].most);
  }
  size_t known =
      xc_priorbox_ratios(ratios, count, xc_view_bool(view, "flip"), all);
  int64_t boxes = (int64_t)(sizes * known + largest);
  xc_shape feature = xc_view_shape(view, 0);
  result->rank = 3;
  result->dims[0] = 1;
  result->dims[1] = 2;
  result->dims[2] = feature.dims[1] * feature.dims[2] * boxes * 4;
  return true;
}
