//===- Shape.c - reshapes and blocks of space -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include <string.h>

bool xc_legalize_as_reshape(xc_rewriter *rewriter, const xc_adaptor *root) {
  MlirValue input = xc_operand(root, XC_SQUEEZE_INPUT);
  xc_shape result = xc_value_shape(xc_result_of(root));
  xc_attribute shape = xc_ints("shape", result.dims, result.rank);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, XC_TIR_RESHAPE, &input, 1, &shape, 1));
}

bool xc_legalize_stack_as_concat(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  xc_shape part = xc_value_shape(xc_result_of(root));
  int64_t axis = xc_attr_int(root, XC_ATTR_AXIS);
  axis += axis < 0 ? (int64_t)part.rank : 0;
  part.dims[axis] = 1;
  MlirValue parts[XC_MAX_OPERANDS];
  size_t count = 0;
  for (size_t slot = 0; slot < root->info->num_operands; ++slot) {
    if (!xc_has_operand(root, slot))
      continue;
    MlirValue input = xc_operand(root, slot);
    xc_attribute shape = xc_ints("shape", part.dims, part.rank);
    parts[count++] = xc_rewrite_build(rewriter, XC_TIR_RESHAPE, &input, 1,
                                      &shape, 1, XC_ELEMENT_NONE);
  }
  xc_attribute attribute = xc_int("axis", axis);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, XC_TIR_CONCAT,
                                            parts, count, &attribute, 1));
}

//===----------------------------------------------------------------------===//
// Space and channels
//===----------------------------------------------------------------------===//

static MlirValue build_tiling(xc_rewriter *rewriter, const xc_adaptor *root,
                              MlirValue input, const xc_blocks *b) {
  const xc_attribute changes[] = {xc_int("stride", b->scale),
                                  xc_bool("reverse", b->to_space)};
  bool fix = root->info->kind == XC_TIR_PIXEL_SHUFFLE_FIX ||
             root->info->kind == XC_TIR_REORG_FIX;
  return xc_rewrite_like(rewriter, root,
                         fix ? XC_TIR_TILE_FIX : XC_TIR_GSTILING, &input, 1,
                         changes, 2);
}

bool xc_legalize_shuffle_as_tiling(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  xc_blocks b;
  return xc_read_blocks(root, &b) && !b.channel_first &&
         xc_rewrite_replace(
             rewriter, root,
             build_tiling(rewriter, root,
                          xc_operand(root, XC_PIXEL_SHUFFLE_INPUT), &b));
}

// Returns the channels of a CRD pixel shuffle in the order of a tiling.
static const int64_t *order_of_tiling(xc_rewriter *rewriter,
                                      const xc_adaptor *root,
                                      const xc_blocks *b,
                                      const xc_blocks *tiling) {
  int64_t channels = xc_value_shape(xc_result_of(root)).dims[3];
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)(channels * b->scale * b->scale), sizeof(int64_t));
  for (int64_t y = 0; y < b->scale; ++y)
    for (int64_t x = 0; x < b->scale; ++x)
      for (int64_t c = 0; c < channels; ++c)
        from[xc_block_channel(tiling, channels, y, x, c)] =
            xc_block_channel(b, channels, y, x, c);
  return from;
}

bool xc_legalize_shuffle_after_conv(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  MlirValue input = xc_operand(root, XC_PIXEL_SHUFFLE_INPUT);
  xc_blocks b;
  if (!xc_read_blocks(root, &b) || !b.channel_first || !b.to_space)
    return false;
  xc_blocks tiling = {b.scale, true, false};
  MlirValue reordered = xc_reorder_channels(
      rewriter, input, order_of_tiling(rewriter, root, &b, &tiling),
      xc_value_shape(input).dims[3]);
  return !mlirValueIsNull(reordered) &&
         xc_rewrite_replace(rewriter, root,
                            build_tiling(rewriter, root, reordered, &tiling));
}

bool xc_legalize_shuffle_by_conv(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  MlirValue input = xc_operand(root, XC_PIXEL_SHUFFLE_FIX_INPUT);
  xc_shape shape = xc_value_shape(input);
  int64_t channels = shape.dims[3];
  xc_blocks b;
  if (!xc_read_blocks(root, &b) || !b.channel_first || !b.to_space ||
      shape.element != XC_ELEMENT_I8 || !xc_keeps_numbers(root) ||
      !xc_takes_selection(rewriter, input, channels))
    return false;
  xc_blocks tiling = {b.scale, true, false};
  const xc_selection s = {order_of_tiling(rewriter, root, &b, &tiling),
                          channels, xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT),
                          0};
  return xc_rewrite_replace(
      rewriter, root,
      build_tiling(rewriter, root, xc_rewrite_selection(rewriter, input, &s),
                   &tiling));
}

bool xc_legalize_unshuffle_as_tiling(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  static const int64_t exchange[] = {0, 1, 2, 4, 3};
  xc_blocks b;
  if (!xc_read_blocks(root, &b) || !b.channel_first || b.to_space)
    return false;
  MlirValue input = xc_operand(root, XC_PIXEL_SHUFFLE_FIX_INPUT);
  xc_shape result = xc_value_shape(xc_result_of(root)), parts = result;
  parts.rank = 5;
  parts.dims[3] = b.scale * b.scale;
  parts.dims[4] = xc_value_shape(input).dims[3];
  MlirValue tiles = build_tiling(rewriter, root, input, &b);
  xc_attribute order = xc_ints("order", exchange, 5);
  tiles = xc_rewrite_reshape(rewriter, tiles, &parts);
  tiles = xc_rewrite_build(rewriter, XC_TIR_TRANSPOSE_FIX, &tiles, 1, &order, 1,
                           XC_ELEMENT_NONE);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, tiles, &result));
}

/// Whether a transpose exchanges its last two dimensions, and no others.
static bool exchanges_last(const xc_adaptor *transpose, size_t rank) {
  int64_t order[XC_MAX_INTS];
  if (rank < 3 || xc_attr_ints(transpose, XC_ATTR_ORDER, order) != rank)
    return false;
  for (size_t i = 0; i < rank - 2; ++i)
    if (order[i] != (int64_t)i)
      return false;
  return order[rank - 2] == (int64_t)rank - 1;
}

bool xc_read_channel_shuffle(const xc_adaptor *root, MlirValue *image,
                             int64_t parts[2]) {
  xc_adaptor transpose, split;
  if (!xc_keeps_numbers(root) ||
      !xc_defining_adaptor(xc_operand(root, 0), &transpose) ||
      transpose.info->float_kind != XC_TIR_TRANSPOSE ||
      !xc_used_once(&transpose) || !xc_keeps_numbers(&transpose) ||
      !xc_defining_adaptor(xc_operand(&transpose, 0), &split) ||
      split.info->float_kind != XC_TIR_RESHAPE || !xc_used_once(&split) ||
      !xc_keeps_numbers(&split))
    return false;
  *image = xc_operand(&split, 0);
  xc_shape before = xc_value_shape(*image);
  xc_shape after = xc_value_shape(xc_result_of(root));
  xc_shape middle = xc_operand_shape(&transpose, 0);
  if (before.rank != 4 || !xc_same_dims(&before, &after) ||
      !exchanges_last(&transpose, middle.rank))
    return false;
  parts[0] = middle.dims[middle.rank - 2];
  parts[1] = middle.dims[middle.rank - 1];
  // Signals have their pixels in one dimension.
  return parts[0] * parts[1] == before.dims[3];
}

int64_t xc_channel_before_shuffle(const int64_t parts[2], int64_t channel) {
  return channel % parts[0] * parts[1] + channel / parts[0];
}

bool xc_legalize_channel_shuffle_into_conv(xc_rewriter *rewriter,
                                           const xc_adaptor *root) {
  MlirValue image;
  int64_t parts[2];
  if (!xc_read_channel_shuffle(root, &image, parts))
    return false;
  int64_t count = parts[0] * parts[1];
  int64_t *from =
      xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(int64_t));
  for (int64_t c = 0; c < count; ++c)
    from[c] = xc_channel_before_shuffle(parts, c);
  MlirValue result = xc_reorder_channels(rewriter, image, from, count);
  return !mlirValueIsNull(result) && xc_rewrite_replace(rewriter, root, result);
}

/// Finds the convolution of one pixel whose channels `root`, a transpose of a
/// reshape, moves into an image.
static bool find_pixel(const xc_adaptor *root, xc_activated_conv *found) {
  xc_adaptor reshape;
  if (!xc_keeps_numbers(root) ||
      !xc_defining_adaptor(xc_operand(root, 0), &reshape) ||
      reshape.info->float_kind != XC_TIR_RESHAPE ||
      !xc_keeps_numbers(&reshape) || !xc_used_once(&reshape))
    return false;
  const xc_shape pixel = xc_operand_shape(&reshape, 0);
  return pixel.rank == 4 && pixel.dims[0] == 1 && pixel.dims[1] == 1 &&
         pixel.dims[2] == 1 &&
         xc_find_only_used_conv(xc_operand(&reshape, 0), found);
}

/// Where element `index` of a transposed tensor is in the tensor before.
static int64_t source_of(const xc_shape *before, const int64_t *order,
                         int64_t index) {
  int64_t at[XC_MAX_RANK], source = 0;
  for (size_t i = before->rank; i-- > 0;) {
    int64_t size = before->dims[order[i]];
    at[order[i]] = index % size;
    index /= size;
  }
  for (size_t i = 0; i < before->rank; ++i)
    source = source * before->dims[i] + at[i];
  return source;
}

bool xc_legalize_pixel_into_image(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  xc_activated_conv found;
  int64_t order[XC_MAX_INTS];
  if (!find_pixel(root, &found))
    return false;
  const xc_shape before = xc_operand_shape(root, 0);
  const xc_shape after = xc_result_shape(root);
  xc_attr_ints(root, XC_ATTR_ORDER, order);
  int64_t count = xc_shape_num_elements(&after);
  int64_t *from =
      xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(int64_t));
  for (int64_t i = 0; i < count; ++i)
    from[i] = source_of(&before, order, i);
  MlirValue result = xc_select_outputs(rewriter, &found, from, count);
  return !mlirValueIsNull(result) &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, result, &after));
}
