//===- Blocks.c - convolutions of space moved into channels ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of pixels are moved into channels by one operator, or by a concat of
// slices that take every n-th row and column of one tensor (the focus layer of
// detectors). A convolution after it reads the same numbers as one of the
// tensor itself, whose kernel, stride and padding are larger by the size of a
// block.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "dialects/Shape.h"

#include <string.h>

bool xc_read_blocks(const xc_adaptor *adaptor, xc_blocks *blocks) {
  switch (adaptor->info->float_kind) {
  case XC_TIR_PIXEL_SHUFFLE:
    *blocks = (xc_blocks){xc_attr_int(adaptor, XC_ATTR_SCALE),
                          xc_attr_bool(adaptor, XC_ATTR_UPSCALE),
                          xc_attr_is(adaptor, XC_ATTR_MODE, XC_ENUM_CRD)};
    return true;
  case XC_TIR_REORG:
    *blocks = (xc_blocks){xc_attr_int(adaptor, XC_ATTR_SCALE),
                          xc_attr_bool(adaptor, XC_ATTR_REVERSE), false};
    return true;
  case XC_TIR_GSTILING:
    *blocks = (xc_blocks){xc_attr_int(adaptor, XC_ATTR_STRIDE),
                          xc_attr_bool(adaptor, XC_ATTR_REVERSE), false};
    return true;
  default: // something else
    return false;
  }
}

int64_t xc_block_channel(const xc_blocks *blocks, int64_t channels, int64_t y,
                         int64_t x, int64_t c) {
  return blocks->channel_first ? (c * blocks->scale + y) * blocks->scale + x
                               : (y * blocks->scale + x) * channels + c;
}

//===----------------------------------------------------------------------===//
// Reading the moves
//===----------------------------------------------------------------------===//

enum { WIDTH, HEIGHT, CHANNELS, NUM_AXES };

/// Dimensions of tensors in NHWC and NCHW.
static const size_t last_axes[NUM_AXES] = {2, 1, 3};
static const size_t first_axes[NUM_AXES] = {3, 2, 1};

typedef struct block_source {
  MlirValue image; // the large one
  const size_t *axes;
  int64_t scale[2]; // pixels of a block: columns and rows
  int64_t channels; // of the large image
  /// Where pixel (y, x) of channel c is: channel [(y * scale[WIDTH] + x) *
  /// channels + c] of the small image.
  int64_t *small;
} block_source;

static bool read_shuffle(xc_rewriter *rewriter, const xc_adaptor *move,
                         block_source *source) {
  xc_blocks b;
  if (!xc_read_blocks(move, &b) || b.to_space || !xc_keeps_numbers(move))
    return false;
  source->image = xc_operand(move, 0);
  source->axes = last_axes;
  source->scale[WIDTH] = source->scale[HEIGHT] = b.scale;
  source->channels = xc_value_shape(source->image).dims[3];
  int64_t *small = source->small = xc_rewrite_alloc(
      rewriter, (size_t)(b.scale * b.scale * source->channels) + 1,
      sizeof(int64_t));
  for (int64_t y = 0; y < b.scale; ++y)
    for (int64_t x = 0; x < b.scale; ++x)
      for (int64_t c = 0; c < source->channels; ++c)
        *small++ = xc_block_channel(&b, source->channels, y, x, c);
  return true;
}

/// Every n-th element of an image along its axes.
typedef struct image_slice {
  MlirValue image;
  int64_t first[NUM_AXES], step[NUM_AXES], count[NUM_AXES];
} image_slice;

/// Reads a maximum of one pixel, which is how every n-th one from the first on
/// stands.
static bool read_pool(const xc_adaptor *part, image_slice *slice) {
  int64_t stride[XC_MAX_INTS];
  if ((part->info->kind != XC_TIR_MAXPOOL2D &&
       !(part->info->kind == XC_TIR_POOL_FIX &&
         xc_attr_is(part, XC_ATTR_TYPE, XC_ENUM_MAX))) ||
      xc_attr_bool(part, XC_ATTR_GLOBAL) ||
      !xc_attr_all(part, XC_ATTR_KERNEL, 1) ||
      !xc_attr_all(part, XC_ATTR_PAD, 0))
    return false;
  xc_attr_ints(part, XC_ATTR_STRIDE, stride);
  for (size_t i = 0; i < NUM_AXES; ++i) {
    slice->first[i] = 0;
    slice->step[i] = i == CHANNELS ? 1 : stride[i];
  }
  return true;
}

static bool read_strides(const xc_adaptor *part, const size_t *axes,
                         image_slice *slice) {
  int64_t begin[XC_MAX_INTS], strides[XC_MAX_INTS];
  xc_shape image = xc_operand_shape(part, 0);
  if (part->info->float_kind != XC_TIR_STRIDED_SLICE || image.rank != 4)
    return false;
  xc_attr_ints(part, XC_ATTR_BEGIN, begin);
  xc_attr_ints(part, XC_ATTR_STRIDES, strides);
  for (size_t i = 0; i < NUM_AXES; ++i) {
    size_t axis = axes[i];
    slice->step[i] = strides[axis];
    slice->first[i] =
        xc_slice_begin(begin[axis], strides[axis], image.dims[axis]);
  }
  return strides[0] == 1;
}

static bool read_slice(MlirValue value, const size_t *axes,
                       image_slice *slice) {
  xc_adaptor part;
  if (!xc_defining_adaptor(value, &part) || !xc_keeps_numbers(&part) ||
      !(read_strides(&part, axes, slice) ||
        (axes == last_axes && read_pool(&part, slice))))
    return false;
  xc_shape result = xc_value_shape(value);
  slice->image = xc_operand(&part, 0);
  for (size_t i = 0; i < NUM_AXES; ++i)
    slice->count[i] = result.dims[axes[i]];
  return xc_value_shape(slice->image).dims[0] == result.dims[0];
}

/// Whether the slice divides the image into blocks of the source's size.
static bool is_of_blocks(const image_slice *slice, const block_source *source) {
  xc_shape image = xc_value_shape(source->image);
  if (!xc_same_value(slice->image, source->image) || slice->step[CHANNELS] != 1)
    return false;
  for (size_t i = 0; i < 2; ++i)
    if (slice->step[i] != source->scale[i] ||
        slice->first[i] >= source->scale[i] ||
        slice->count[i] * slice->step[i] != image.dims[source->axes[i]])
      return false;
  return true;
}

/// Notes the channels of a slice, which begin at channel `at` of the small
/// image. Returns false if some have been there before.
static bool note_slice(const image_slice *slice, int64_t at,
                       const block_source *source) {
  int64_t *small =
      source->small +
      (slice->first[HEIGHT] * source->scale[WIDTH] + slice->first[WIDTH]) *
          source->channels +
      slice->first[CHANNELS];
  for (int64_t c = 0; c < slice->count[CHANNELS]; ++c) {
    if (small[c] >= 0)
      return false;
    small[c] = at + c;
  }
  return true;
}

/// Reads the concat of an image, and whether its channels come first and a
/// transpose moves them.
static bool read_concat(MlirValue input, xc_adaptor *concat,
                        const size_t **axes) {
  static const int64_t channels_last[] = {0, 2, 3, 1};
  int64_t order[XC_MAX_INTS];
  xc_adaptor transpose;
  *axes = last_axes;
  if (xc_defining_adaptor(input, &transpose) &&
      transpose.info->float_kind == XC_TIR_TRANSPOSE) {
    if (!xc_used_once(&transpose) || !xc_keeps_numbers(&transpose) ||
        xc_attr_ints(&transpose, XC_ATTR_ORDER, order) != 4 ||
        memcmp(order, channels_last, sizeof(channels_last)) != 0)
      return false;
    input = xc_operand(&transpose, 0);
    *axes = first_axes;
  }
  return xc_defining_adaptor(input, concat) &&
         concat->info->float_kind == XC_TIR_CONCAT && xc_used_once(concat) &&
         xc_keeps_numbers(concat) && xc_operand_shape(concat, 0).rank == 4 &&
         xc_axis_of(concat) == (*axes)[CHANNELS];
}

static bool read_slices(xc_rewriter *rewriter, MlirValue input,
                        block_source *source) {
  xc_adaptor concat;
  image_slice slice;
  if (!read_concat(input, &concat, &source->axes) ||
      !read_slice(xc_operand(&concat, 0), source->axes, &slice))
    return false;
  source->image = slice.image;
  source->scale[WIDTH] = slice.step[WIDTH];
  source->scale[HEIGHT] = slice.step[HEIGHT];
  source->channels = xc_value_shape(slice.image).dims[source->axes[CHANNELS]];
  int64_t count = slice.step[WIDTH] * slice.step[HEIGHT] * source->channels,
          at = 0;
  if (slice.step[WIDTH] < 1 || slice.step[HEIGHT] < 1 ||
      slice.step[WIDTH] * slice.step[HEIGHT] == 1 ||
      count != xc_value_shape(input).dims[3])
    return false;
  source->small =
      xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(int64_t));
  for (int64_t i = 0; i < count; ++i)
    source->small[i] = -1;
  for (size_t slot = 0; slot < concat.info->num_operands; ++slot) {
    if (!xc_has_operand(&concat, slot))
      continue;
    if (!read_slice(xc_operand(&concat, slot), source->axes, &slice) ||
        !is_of_blocks(&slice, source) || !note_slice(&slice, at, source))
      return false;
    at += slice.count[CHANNELS];
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The convolution
//===----------------------------------------------------------------------===//

/// Returns the weight [O, KH, KW, rows * columns * C] of the small image as one
/// of the large image: [O, rows * KH, columns * KW, C].
static MlirValue spread_weight(xc_rewriter *rewriter, MlirValue weight,
                               const block_source *source) {
  int64_t columns = source->scale[WIDTH], rows = source->scale[HEIGHT];
  xc_shape old = xc_value_shape(weight), shape = old;
  shape.dims[1] *= rows;
  shape.dims[2] *= columns;
  shape.dims[3] = source->channels;
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(int64_t));
  int64_t at = 0;
  for (int64_t o = 0; o < shape.dims[0]; ++o)
    for (int64_t y = 0; y < shape.dims[1]; ++y)
      for (int64_t x = 0; x < shape.dims[2]; ++x)
        for (int64_t c = 0; c < shape.dims[3]; ++c)
          from[at++] =
              ((o * old.dims[1] + y / rows) * old.dims[2] + x / columns) *
                  old.dims[3] +
              source->small[(y % rows * columns + x % columns) *
                                source->channels +
                            c];
  return xc_rewrite_gather(rewriter, weight, from, &shape);
}

/// Returns the large image with its channels at the end.
static MlirValue image_of(xc_rewriter *rewriter, const xc_adaptor *root,
                          const block_source *source) {
  xc_adaptor transpose;
  if (source->axes == last_axes ||
      !xc_defining_adaptor(xc_operand(root, 0), &transpose))
    return source->image;
  return xc_rewrite_like(rewriter, &transpose, transpose.info->kind,
                         &source->image, 1, NULL, 0);
}

bool xc_legalize_blocks_into_conv(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  MlirValue input = xc_operand(root, XC_CONV2D_INPUT);
  xc_adaptor move;
  block_source source;
  if (xc_attr_int(root, XC_ATTR_GROUP) != 1 ||
      !xc_attr_all(root, XC_ATTR_DILATION, 1) ||
      xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_SAME) ||
      !xc_is_constant(xc_operand(root, XC_CONV2D_WEIGHT)) ||
      !xc_defining_adaptor(input, &move) ||
      !(read_shuffle(rewriter, &move, &source) ||
        read_slices(rewriter, input, &source)))
    return false;
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS], pad[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(root, XC_ATTR_STRIDE, stride);
  xc_attr_ints(root, XC_ATTR_PAD, pad);
  for (size_t i = 0; i < 2; ++i) {
    kernel[i] *= source.scale[i];
    stride[i] *= source.scale[i];
    pad[2 * i] *= source.scale[i];
    pad[2 * i + 1] *= source.scale[i];
  }
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_shape weight = xc_operand_shape(root, XC_CONV2D_WEIGHT);
  if (!xc_target_takes_conv(target, kernel[0], kernel[1], source.channels,
                            weight.dims[0]) ||
      !xc_engine_takes_window(&target->conv, kernel[0], kernel[1], stride[0],
                              stride[1]))
    return false;
  MlirValue spread =
      spread_weight(rewriter, xc_operand(root, XC_CONV2D_WEIGHT), &source);
  if (mlirValueIsNull(spread))
    return false;
  const MlirValue operands[] = {image_of(rewriter, root, &source), spread,
                                xc_operand_or_null(root, XC_CONV2D_BIAS)};
  return xc_replace_window(rewriter, root, operands, kernel, stride, pad);
}
