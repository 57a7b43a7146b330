//===- BeforeMoves.c - slices and pads before transposes ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks in NCHW come with transposes around what they do to channels: they
// split, shuffle, pick and join them. Slices and pads move up to where an image
// is NHWC, transposes move down past them, and meet there.
//
//===----------------------------------------------------------------------===//

#include "View.h"

#include "Canonicalize.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Picking entries
//===----------------------------------------------------------------------===//

// Indices begin, begin + stride, ... of a dimension.
static bool read_progression(const double *indices, size_t count, int64_t size,
                             int64_t *begin, int64_t *stride) {
  *begin = (int64_t)indices[0] + (indices[0] < 0 ? size : 0);
  *stride = 1;
  for (size_t i = 0; i < count; ++i) {
    int64_t index = (int64_t)indices[i] + (indices[i] < 0 ? size : 0);
    if (i == 1)
      *stride = index - *begin;
    if (index < 0 || index >= size || *stride < 1 ||
        index != *begin + (int64_t)i * *stride)
      return false;
  }
  return true;
}

bool xc_canonicalize_gather_as_slice(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  MlirValue input = xc_operand(root, XC_GATHER_INPUT);
  MlirValue indices = xc_operand(root, XC_GATHER_INDICES);
  xc_shape shape = xc_value_shape(input), result;
  size_t count;
  const double *numbers = xc_is_constant(indices)
                              ? xc_constant_numbers(rewriter, indices, &count)
                              : NULL;
  if (!numbers || count == 0)
    return false;
  int64_t axis = xc_attr_int(root, XC_ATTR_AXIS);
  axis += axis < 0 ? (int64_t)shape.rank : 0;
  xc_slice slice = {.rank = shape.rank};
  for (size_t i = 0; i < shape.rank; ++i) {
    slice.size[i] = shape.dims[i];
    slice.stride[i] = 1;
    if (shape.dims[i] == 0)
      return false;
  }
  slice.size[axis] = (int64_t)count;
  if (!read_progression(numbers, count, shape.dims[axis], &slice.begin[axis],
                        &slice.stride[axis]))
    return false;
  MlirValue cut = xc_slice_new(rewriter, XC_TIR_STRIDED_SLICE, input, &slice);
  result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, cut, &result));
}

//===----------------------------------------------------------------------===//
// Slices and pads before transposes
//===----------------------------------------------------------------------===//

// Reads a transpose that keeps numbers, and its order.
static bool read_transpose(MlirValue value, xc_adaptor *transpose,
                           int64_t order[XC_MAX_INTS]) {
  return xc_defining_adaptor(value, transpose) &&
         transpose->info->float_kind == XC_TIR_TRANSPOSE &&
         xc_keeps_numbers(transpose) &&
         xc_attr_ints(transpose, XC_ATTR_ORDER, order) > 0;
}

static MlirValue transpose_again(xc_rewriter *rewriter,
                                 const xc_adaptor *transpose, MlirValue value) {
  return xc_rewrite_like(rewriter, transpose, transpose->info->kind, &value, 1,
                         NULL, 0);
}

static bool slice_before_transpose(xc_rewriter *rewriter,
                                   const xc_adaptor *root,
                                   const xc_slice *slice) {
  xc_adaptor transpose;
  int64_t order[XC_MAX_INTS];
  if (!read_transpose(xc_operand(root, XC_STRIDED_SLICE_INPUT), &transpose,
                      order))
    return false;
  xc_slice before = {.rank = slice->rank};
  for (size_t i = 0; i < slice->rank; ++i) {
    before.begin[order[i]] = slice->begin[i];
    before.size[order[i]] = slice->size[i];
    before.stride[order[i]] = slice->stride[i];
  }
  MlirValue cut =
      xc_slice_build(rewriter, root, xc_operand(&transpose, 0), &before);
  return xc_rewrite_replace(rewriter, root,
                            transpose_again(rewriter, &transpose, cut));
}

MlirValue xc_image_of_signal(MlirValue value) {
  enum { BATCH, HEIGHT, WIDTH, CHANNELS, IMAGE };
  xc_adaptor reshape;
  if (!xc_defining_adaptor(value, &reshape) ||
      reshape.info->float_kind != XC_TIR_RESHAPE || !xc_keeps_numbers(&reshape))
    return (MlirValue){NULL};
  const xc_shape image = xc_operand_shape(&reshape, 0),
                 signal = xc_value_shape(value);
  bool drops_row = image.rank == IMAGE && signal.rank == IMAGE - 1 &&
                   image.dims[HEIGHT] == 1 &&
                   image.dims[BATCH] == signal.dims[0] &&
                   image.dims[WIDTH] == signal.dims[1] &&
                   image.dims[CHANNELS] == signal.dims[2];
  return drops_row ? xc_operand(&reshape, 0) : (MlirValue){NULL};
}

bool xc_next_dim_group(const xc_shape *from, const xc_shape *to,
                       xc_dim_group *group) {
  int64_t a = 1, b = 1;
  group->from = group->from_end;
  group->to = group->to_end;
  if (group->from == from->rank && group->to == to->rank)
    return false;
  do {
    if (group->from_end < from->rank && (a <= b || group->to_end == to->rank))
      a *= from->dims[group->from_end++];
    else if (group->to_end < to->rank)
      b *= to->dims[group->to_end++];
    else
      return false;
  } while (a != b || group->to == group->to_end);
  return true;
}

// The elements of one dimension that a slice of its parts picks, where they are
// a progression.
static bool pick_of_parts(const xc_shape *parts, const xc_slice *slice,
                          const xc_dim_group *group, int64_t *begin,
                          int64_t *size, int64_t *stride) {
  enum { MOST = 1 << 16 };
  int64_t at[XC_MAX_RANK] = {0}, last = 0;
  *size = 1;
  for (size_t i = group->to; i < group->to_end; ++i)
    *size *= slice->size[i];
  if (*size > MOST)
    return false;
  *stride = 1;
  for (int64_t n = 0; n < *size; ++n) {
    int64_t place = 0;
    for (size_t i = group->to; i < group->to_end; ++i)
      place =
          place * parts->dims[i] + slice->begin[i] + at[i] * slice->stride[i];
    if (n == 0)
      *begin = place;
    else if (n == 1)
      *stride = place - last;
    if (n > 0 && place - last != *stride)
      return false;
    last = place;
    for (size_t i = group->to_end; i-- > group->to;) {
      if (++at[i] < slice->size[i])
        break;
      at[i] = 0;
    }
  }
  return *stride > 0;
}

static bool is_cut(const xc_shape *shape, const xc_slice *slice,
                   const xc_dim_group *group) {
  for (size_t i = group->to; i < group->to_end; ++i)
    if (slice->size[i] != shape->dims[i])
      return true;
  return false;
}

int64_t xc_only_dimension(const xc_shape *shape, size_t begin, size_t end) {
  int64_t found = (int64_t)begin;
  size_t count = 0;
  for (size_t i = begin; i < end; ++i)
    if (shape->dims[i] != 1) {
      found = (int64_t)i;
      ++count;
    }
  return count <= 1 && begin < end ? found : -1;
}

static bool slice_before_reshape(xc_rewriter *rewriter, const xc_adaptor *root,
                                 const xc_slice *slice) {
  xc_adaptor reshape;
  MlirValue middle = xc_operand(root, XC_STRIDED_SLICE_INPUT);
  if (!xc_defining_adaptor(middle, &reshape) ||
      reshape.info->float_kind != XC_TIR_RESHAPE || !xc_keeps_numbers(&reshape))
    return false;
  xc_shape from = xc_operand_shape(&reshape, 0), to = xc_value_shape(middle);
  xc_slice before = {.rank = from.rank};
  // Ones at the end are in no group.
  for (size_t i = 0; i < from.rank; ++i) {
    before.size[i] = from.dims[i];
    before.stride[i] = 1;
  }
  xc_dim_group group = {0};
  while (xc_next_dim_group(&from, &to, &group)) {
    if (!is_cut(&to, slice, &group))
      continue;
    int64_t only = xc_only_dimension(&from, group.from, group.from_end);
    if (only < 0 || !pick_of_parts(&to, slice, &group, &before.begin[only],
                                   &before.size[only], &before.stride[only]))
      return false;
  }
  if (group.from_end != from.rank || group.to_end != to.rank)
    return false;
  MlirValue cut =
      xc_slice_build(rewriter, root, xc_operand(&reshape, 0), &before);
  xc_shape result = xc_value_shape(xc_result_of(root));
  xc_attribute shape = xc_ints("shape", result.dims, result.rank);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, &reshape,
                                            reshape.info->kind, &cut, 1, &shape,
                                            1));
}

bool xc_canonicalize_slice_before_move(xc_rewriter *rewriter,
                                       const xc_adaptor *root) {
  xc_slice slice;
  return xc_keeps_numbers(root) && xc_slice_read(root, &slice) &&
         (slice_before_transpose(rewriter, root, &slice) ||
          slice_before_reshape(rewriter, root, &slice));
}

// Rows and columns of an image, NHWC, and nothing else.
static bool pads_image(const int64_t *paddings, size_t count) {
  enum { IMAGE = 8, LAST = 6 };
  return count == IMAGE && !paddings[0] && !paddings[1] && !paddings[LAST] &&
         !paddings[LAST + 1];
}

// An image is padded as one.
bool xc_canonicalize_transpose_before_pad(xc_rewriter *rewriter,
                                          const xc_adaptor *root) {
  xc_adaptor pad;
  int64_t order[XC_MAX_INTS], old[XC_MAX_INTS], paddings[XC_MAX_INTS];
  if (!xc_keeps_numbers(root) ||
      !xc_defining_adaptor(xc_operand(root, XC_TRANSPOSE_INPUT), &pad) ||
      pad.info->float_kind != XC_TIR_PAD || !xc_keeps_numbers(&pad) ||
      !xc_used_once(&pad))
    return false;
  size_t count = xc_attr_ints(&pad, XC_ATTR_PADDINGS, old);
  xc_attr_ints(root, XC_ATTR_ORDER, order);
  for (size_t i = 0; i < count / 2; ++i)
    memcpy(&paddings[2 * i], &old[2 * order[i]], 2 * sizeof(*old));
  if (pads_image(old, count) || !pads_image(paddings, count))
    return false;
  MlirValue moved = transpose_again(rewriter, root, xc_operand(&pad, 0));
  xc_attribute change = xc_ints("paddings", paddings, count);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, &pad, pad.info->kind, &moved, 1, &change, 1));
}

// The paddings of `from`, which has them already, where its dimensions are
// those of `to`. Returns false where one is split or joined with others.
static bool paddings_of_reshape(const xc_shape *from, const xc_shape *to,
                                const int64_t *old, int64_t *paddings) {
  xc_dim_group group = {0};
  memset(paddings, 0, 2 * to->rank * sizeof(*paddings));
  size_t left = 0; // padded dimensions that are not found yet
  for (size_t i = 0; i < from->rank; ++i)
    left += old[2 * i] || old[2 * i + 1];
  while (xc_next_dim_group(from, to, &group)) {
    int64_t a = xc_only_dimension(from, group.from, group.from_end);
    int64_t b = xc_only_dimension(to, group.to, group.to_end);
    if (a < 0 || b < 0 || from->dims[a] == 1)
      continue;
    memcpy(&paddings[2 * b], &old[2 * a], 2 * sizeof(*old));
    left -= old[2 * a] || old[2 * a + 1];
  }
  return left == 0;
}

// A DPU pads images, and convolutions take in what is padded around them. Those
// of one dimension are images between reshapes, and padded outside of these.
bool xc_canonicalize_reshape_before_pad(xc_rewriter *rewriter,
                                        const xc_adaptor *root) {
  enum { IMAGE_RANK = 4 };
  xc_adaptor pad;
  int64_t old[XC_MAX_INTS], paddings[2 * XC_MAX_RANK];
  MlirValue padded = xc_operand(root, XC_RESHAPE_INPUT);
  xc_shape from = xc_value_shape(padded);
  xc_shape to = xc_value_shape(xc_result_of(root));
  if (!xc_keeps_numbers(root) || !xc_defining_adaptor(padded, &pad) ||
      pad.info->float_kind != XC_TIR_PAD || !xc_keeps_numbers(&pad) ||
      !xc_used_once(&pad) || from.rank == IMAGE_RANK || to.rank != IMAGE_RANK ||
      xc_shape_num_elements(&from) == 0)
    return false;
  xc_attr_ints(&pad, XC_ATTR_PADDINGS, old);
  if (!paddings_of_reshape(&from, &to, old, paddings))
    return false;
  xc_shape before = to;
  for (size_t i = 0; i < to.rank; ++i)
    before.dims[i] -= paddings[2 * i] + paddings[2 * i + 1];
  const xc_attribute shape = xc_ints("shape", before.dims, before.rank);
  const xc_attribute change = xc_ints("paddings", paddings, 2 * to.rank);
  MlirValue value = xc_operand(&pad, XC_PAD_INPUT);
  value =
      xc_rewrite_like(rewriter, root, root->info->kind, &value, 1, &shape, 1);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, &pad, pad.info->kind, &value, 1, &change, 1));
}

bool xc_canonicalize_pad_before_transpose(xc_rewriter *rewriter,
                                          const xc_adaptor *root) {
  xc_adaptor transpose;
  int64_t order[XC_MAX_INTS], old[XC_MAX_INTS], paddings[XC_MAX_INTS];
  MlirValue input = xc_operand(root, XC_PAD_INPUT);
  if (!xc_keeps_numbers(root) || !read_transpose(input, &transpose, order) ||
      !xc_used_once(&transpose))
    return false;
  size_t count = xc_attr_ints(root, XC_ATTR_PADDINGS, old);
  for (size_t i = 0; i < count / 2; ++i)
    memcpy(&paddings[2 * order[i]], &old[2 * i], 2 * sizeof(*old));
  if (pads_image(old, count) && !pads_image(paddings, count))
    return false;
  xc_attribute change = xc_ints("paddings", paddings, count);
  input = xc_operand(&transpose, 0);
  MlirValue padded =
      xc_rewrite_like(rewriter, root, root->info->kind, &input, 1, &change, 1);
  return xc_rewrite_replace(rewriter, root,
                            transpose_again(rewriter, &transpose, padded));
}

// Returns a constant as the transpose would have it from; it moves at compile
// time.
static MlirValue before_transpose(xc_rewriter *rewriter,
                                  const xc_adaptor *transpose,
                                  MlirValue constant) {
  int64_t order[XC_MAX_INTS], inverse[XC_MAX_INTS];
  size_t rank = xc_attr_ints(transpose, XC_ATTR_ORDER, order);
  for (size_t i = 0; i < rank; ++i)
    inverse[order[i]] = (int64_t)i;
  xc_attribute change = xc_ints("order", inverse, rank);
  return xc_rewrite_like(rewriter, transpose, transpose->info->kind, &constant,
                         1, &change, 1);
}

// Reads the order of all operands that are no constants. Returns false where
// they have none.
static bool read_common_order(const xc_adaptor *concat, xc_adaptor *transpose,
                              int64_t order[XC_MAX_INTS]) {
  int64_t other[XC_MAX_INTS];
  size_t rank = xc_value_shape(xc_result_of(concat)).rank;
  bool found = false;
  for (size_t slot = 0; slot < concat->info->num_operands; ++slot) {
    if (!xc_has_operand(concat, slot) ||
        xc_is_constant(xc_operand(concat, slot)))
      continue;
    if (!read_transpose(xc_operand(concat, slot), transpose,
                        found ? other : order) ||
        !xc_used_by_one(transpose) ||
        (found && memcmp(order, other, rank * sizeof(*order)) != 0))
      return false;
    found = true;
  }
  return found;
}

bool xc_canonicalize_concat_of_transposes(xc_rewriter *rewriter,
                                          const xc_adaptor *root) {
  xc_adaptor transpose;
  MlirValue operands[XC_MAX_OPERANDS] = {{NULL}};
  int64_t order[XC_MAX_INTS];
  size_t rank = xc_value_shape(xc_result_of(root)).rank, count = 0;
  if (!xc_keeps_numbers(root) || !read_common_order(root, &transpose, order))
    return false;
  for (size_t slot = 0; slot < root->info->num_operands; ++slot) {
    if (!xc_has_operand(root, slot))
      continue;
    MlirValue operand = xc_operand(root, slot);
    operands[count++] =
        xc_is_constant(operand)
            ? before_transpose(rewriter, &transpose, operand)
            : mlirOperationGetOperand(mlirOpResultGetOwner(operand), 0);
  }
  int64_t axis = xc_attr_int(root, XC_ATTR_AXIS);
  axis += axis < 0 ? (int64_t)rank : 0;
  xc_attribute change = xc_int("axis", order[axis]);
  MlirValue joined = xc_rewrite_like(rewriter, root, root->info->kind, operands,
                                     count, &change, 1);
  return xc_rewrite_replace(rewriter, root,
                            transpose_again(rewriter, &transpose, joined));
}
