//===- Pad.c - pads that crop, padding of convolutions and pools ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include "OpParams/Window.h"

#include <float.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Negative padding
//===----------------------------------------------------------------------===//

// Reads a pad with negative paddings as a slice of the input, and the other
// paddings, `rest`. Returns false when nothing is cropped or nothing is left.
static bool read_crop(const xc_adaptor *pad, xc_slice *slice, int64_t *rest,
                      size_t *count) {
  xc_shape input = xc_operand_shape(pad, XC_PAD_INPUT);
  *count = xc_attr_ints(pad, XC_ATTR_PADDINGS, rest);
  slice->rank = input.rank;
  bool crops = false;
  for (size_t i = 0; i < input.rank; ++i) {
    int64_t *sides = rest + 2 * i;
    slice->begin[i] = sides[0] < 0 ? -sides[0] : 0;
    slice->stride[i] = 1;
    slice->size[i] = input.dims[i] - slice->begin[i];
    slice->size[i] += sides[1] < 0 ? sides[1] : 0;
    if (slice->size[i] <= 0)
      return false;
    for (size_t side = 0; side < 2; ++side) {
      crops |= sides[side] < 0;
      sides[side] = sides[side] < 0 ? 0 : sides[side];
    }
  }
  return crops;
}

// A slice is a matter of addresses; a pad that crops is in no DPU. A pad that
// mirrors or repeats may read what it crops on another side, so only constants
// are padded after the slice.
bool xc_canonicalize_crop_as_slice(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  xc_slice slice;
  int64_t rest[XC_MAX_INTS];
  size_t count;
  if (!xc_keeps_numbers(root) || !read_crop(root, &slice, rest, &count))
    return false;
  bool pads = false;
  for (size_t i = 0; i < count; ++i)
    pads |= rest[i] != 0;
  if (pads && !xc_attr_is(root, XC_ATTR_MODE, XC_ENUM_CONSTANT))
    return false;
  bool is_fixed = root->info->kind == XC_TIR_PAD_FIX;
  MlirValue cut = xc_slice_build_as(rewriter, root,
                                    is_fixed ? XC_TIR_STRIDED_SLICE_FIX
                                             : XC_TIR_STRIDED_SLICE,
                                    xc_operand(root, XC_PAD_INPUT), &slice);
  if (!pads)
    return xc_rewrite_replace(rewriter, root, cut);
  xc_attribute paddings = xc_ints("paddings", rest, count);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, root->info->kind, &cut, 1, &paddings, 1));
}

//===----------------------------------------------------------------------===//
// Windows with padding
//===----------------------------------------------------------------------===//

enum { LEFT, RIGHT, TOP, BOTTOM, NUM_SIDES };

// Reads a constant pad around H and W (left, right, top, bottom) in front of a
// window that states its padding.
static bool read_pad(const xc_adaptor *root, xc_adaptor *pad,
                     int64_t sides[NUM_SIDES]) {
  MlirValue input = xc_operand(root, 0);
  if (!xc_defining_adaptor(input, pad) || pad->info->float_kind != XC_TIR_PAD ||
      !xc_keeps_numbers(pad) ||
      !xc_attr_is(pad, XC_ATTR_MODE, XC_ENUM_CONSTANT) ||
      xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_SAME))
    return false;
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_attr_ints(pad, XC_ATTR_PADDINGS, ints);
  for (size_t i = 0; i < count; ++i) {
    bool spatial = i >= 2 && i < 6;
    if (ints[i] < 0 || (!spatial && ints[i] != 0))
      return false;
  }
  sides[TOP] = ints[2];
  sides[BOTTOM] = ints[3];
  sides[LEFT] = ints[4];
  sides[RIGHT] = ints[5];
  return count == 8;
}

static double pad_value(const xc_adaptor *pad) {
  return pad->info->kind == XC_TIR_PAD_FIX
             ? (double)xc_attr_int(pad, XC_ATTR_CONSTANT_VALUE)
             : xc_attr_float(pad, XC_ATTR_CONSTANT_VALUE);
}

// Adds the padding that the root has itself. Returns false when a side would be
// as wide as the window, which targets and pools do not take.
static bool add_own(const xc_adaptor *root, int64_t sides[NUM_SIDES]) {
  int64_t own[XC_MAX_INTS], kernel[XC_MAX_INTS], dilation[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_PAD, own);
  xc_attr_ints(root, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(root, XC_ATTR_DILATION, dilation);
  for (size_t side = 0; side < NUM_SIDES; ++side) {
    sides[side] += own[side];
    if (sides[side] > (kernel[side / 2] - 1) * dilation[side / 2])
      return false;
  }
  return true;
}

bool xc_canonicalize_pad_into_conv(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  xc_adaptor pad;
  int64_t sides[NUM_SIDES];
  if (!read_pad(root, &pad, sides) || pad_value(&pad) != 0.0 ||
      !add_own(root, sides))
    return false;
  const MlirValue operands[] = {xc_operand(&pad, 0),
                                xc_operand(root, XC_CONV2D_WEIGHT),
                                xc_operand_or_null(root, XC_CONV2D_BIAS)};
  xc_attribute attribute = xc_ints("pad", sides, NUM_SIDES);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, &attribute, 1));
}

// Padding with which only `size` results from `begin` on are left. Returns
// false where that takes less than none: what is cropped reads the input, which
// stays.
static bool less_padding(const xc_window_axis *axis, int64_t begin,
                         int64_t size, int64_t *before, int64_t *after) {
  *before = axis->before - begin * axis->stride;
  int64_t reached = (size - 1) * axis->stride + xc_window_span(axis);
  *after = reached - axis->inputs - *before;
  // A window may end before the input does if the next one would not fit.
  if (*after < 0 && *after > -axis->stride)
    *after = 0;
  return *before >= 0 && *after >= 0;
}

// Convolutions of lines that shall not see what comes later are padded on both
// sides by their own padding, and what is too much is cut off again (Chomp1d).
bool xc_canonicalize_slice_into_conv(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  enum { N, H, W, C };
  xc_adaptor conv;
  xc_slice slice;
  MlirValue input = xc_operand(root, XC_STRIDED_SLICE_INPUT);
  if (!xc_keeps_numbers(root) || !xc_defining_adaptor(input, &conv) ||
      !xc_used_once(&conv) || !xc_slice_read(root, &slice))
    return false;
  xc_op_kind kind = conv.info->float_kind;
  if (kind != XC_TIR_CONV2D && kind != XC_TIR_DEPTHWISE_CONV2D)
    return false;
  xc_shape whole = xc_value_shape(input);
  int64_t sides[NUM_SIDES];
  xc_window window = xc_window_of(&conv);
  if (slice.size[N] != whole.dims[N] || slice.size[C] != whole.dims[C] ||
      slice.stride[H] != 1 || slice.stride[W] != 1 ||
      !less_padding(&window.w, slice.begin[W], slice.size[W], &sides[LEFT],
                    &sides[RIGHT]) ||
      !less_padding(&window.h, slice.begin[H], slice.size[H], &sides[TOP],
                    &sides[BOTTOM]))
    return false;
  const MlirValue operands[] = {xc_operand(&conv, XC_CONV2D_INPUT),
                                xc_operand(&conv, XC_CONV2D_WEIGHT),
                                xc_operand_or_null(&conv, XC_CONV2D_BIAS)};
  const xc_attribute changes[] = {xc_ints("pad", sides, NUM_SIDES),
                                  xc_string("pad_mode", "FLOOR")};
  xc_rewrite_at(rewriter, &conv);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, &conv, conv.info->kind,
                                            operands, 3, changes, 2));
}

// The average counts the zeros of the pad, so the pool has to count its own
// padding, and must have done so before if it had some.
static bool average_agrees(const xc_adaptor *root, const xc_adaptor *pad) {
  int64_t own[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_PAD, own);
  bool has_own = own[LEFT] || own[RIGHT] || own[TOP] || own[BOTTOM];
  return pad_value(pad) == 0.0 &&
         (!has_own || xc_attr_bool(root, XC_ATTR_COUNT_INCLUDE_PAD));
}

// Padding of a maximum never wins. What the pad holds must not win either: the
// least number of the type, or zero where nothing is negative. Without dilation
// and with less padding than the window on each side, every window of FLOOR and
// VALID touches the input.
static bool maximum_agrees(const xc_adaptor *root, const xc_adaptor *pad) {
  int64_t dilation[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_DILATION, dilation);
  if (dilation[0] != 1 || dilation[1] != 1 ||
      xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_CEIL))
    return false;
  double value = pad_value(pad);
  xc_adaptor source;
  xc_element element = xc_operand_shape(root, 0).element;
  if (element == XC_ELEMENT_I8 && value <= -128.0)
    return true;
  if (xc_element_is_float(element) && value <= -(double)FLT_MAX)
    return true;
  return value == 0.0 && (element == XC_ELEMENT_UI8 ||
                          (xc_defining_adaptor(xc_operand(pad, 0), &source) &&
                           xc_never_negative(&source)));
}

bool xc_canonicalize_pad_into_pool(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  xc_adaptor pad;
  int64_t sides[NUM_SIDES];
  if (xc_attr_bool(root, XC_ATTR_GLOBAL) || !read_pad(root, &pad, sides) ||
      !add_own(root, sides))
    return false;
  bool average = root->info->kind == XC_TIR_AVGPOOL2D ||
                 (root->info->kind == XC_TIR_POOL_FIX &&
                  xc_attr_is(root, XC_ATTR_TYPE, XC_ENUM_AVG));
  if (!(average ? average_agrees(root, &pad) : maximum_agrees(root, &pad)))
    return false;
  MlirValue input = xc_operand(&pad, 0);
  const xc_attribute changes[] = {xc_ints("pad", sides, NUM_SIDES),
                                  xc_bool("count_include_pad", true)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            &input, 1, changes,
                                            average ? 2 : 1));
}

//===----------------------------------------------------------------------===//
// Dilation written with blocks
//===----------------------------------------------------------------------===//

static bool is_plain_conv(const xc_adaptor *adaptor) {
  xc_op_kind kind = adaptor->info->float_kind;
  return (kind == XC_TIR_CONV2D || kind == XC_TIR_DEPTHWISE_CONV2D) &&
         xc_attr_all(adaptor, XC_ATTR_STRIDE, 1) &&
         xc_attr_all(adaptor, XC_ATTR_DILATION, 1) &&
         xc_attr_all(adaptor, XC_ATTR_PAD, 0) &&
         !xc_attr_is(adaptor, XC_ATTR_PAD_MODE, XC_ENUM_SAME);
}

// Each block of the batch sees every block-th pixel, so a window without gaps
// spans one with gaps in the image. At stride 1 a cropped row or column is one
// that less padding would not have made.
bool xc_canonicalize_blocks_as_dilation(xc_rewriter *rewriter,
                                        const xc_adaptor *root) {
  xc_adaptor conv, blocks;
  if (!xc_defining_adaptor(xc_operand(root, XC_BATCH_TO_SPACE_INPUT), &conv) ||
      !is_plain_conv(&conv) || !xc_used_once(&conv) ||
      !xc_defined_by(xc_operand(&conv, 0), XC_TIR_SPACE_TO_BATCH, &blocks))
    return false;
  int64_t in[XC_MAX_INTS], out[XC_MAX_INTS], pad[XC_MAX_INTS],
      crop[XC_MAX_INTS];
  xc_attr_ints(&blocks, XC_ATTR_BLOCK_SHAPE, in);
  xc_attr_ints(root, XC_ATTR_BLOCK_SHAPE, out);
  xc_attr_ints(&blocks, XC_ATTR_PADDINGS, pad);
  xc_attr_ints(root, XC_ATTR_CROPS, crop);
  if (in[0] != out[0] || in[1] != out[1])
    return false;
  for (size_t side = 0; side < NUM_SIDES; ++side) {
    pad[side] -= crop[side];
    if (pad[side] < 0)
      return false;
  }
  const MlirValue operands[] = {xc_operand(&blocks, XC_SPACE_TO_BATCH_INPUT),
                                xc_operand(&conv, 1),
                                xc_operand_or_null(&conv, 2)};
  const xc_attribute changes[] = {xc_ints("dilation", in, 2),
                                  xc_ints("pad", pad, NUM_SIDES)};
  xc_rewrite_at(rewriter, &conv);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, &conv, conv.info->kind,
                                            operands, 3, changes, 2));
}
