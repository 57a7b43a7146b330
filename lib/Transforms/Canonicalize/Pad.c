//===- Pad.c - padding of convolutions and pools --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include <float.h>
#include <string.h>

enum { LEFT, RIGHT, TOP, BOTTOM, NUM_SIDES };

// A constant pad around H and W (left, right, top, bottom) in front of a
// window that states its padding.
static bool read_pad(const xc_view *root, xc_view *pad,
                     int64_t sides[NUM_SIDES]) {
  MlirValue input = xc_view_operand(root, 0);
  if (!xc_defining_view(input, pad) ||
      xc_float_kind(pad->info->kind) != XC_TIR_PAD || !xc_keeps_numbers(pad) ||
      !xc_is_word(pad, "mode", "CONSTANT") ||
      xc_is_word(root, "pad_mode", "SAME"))
    return false;
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_view_ints(pad, "paddings", ints);
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

static double pad_value(const xc_view *pad) {
  return pad->info->kind == XC_TIR_PAD_FIX
             ? (double)xc_view_int(pad, "constant_value")
             : xc_view_float(pad, "constant_value");
}

// Adds the padding that the root has itself. False when a side would be as
// wide as the window, which targets and pools do not take.
static bool add_own(const xc_view *root, int64_t sides[NUM_SIDES]) {
  int64_t own[XC_MAX_INTS], kernel[XC_MAX_INTS], dilation[XC_MAX_INTS];
  xc_view_ints(root, "pad", own);
  xc_view_ints(root, "kernel", kernel);
  xc_view_ints(root, "dilation", dilation);
  for (size_t side = 0; side < NUM_SIDES; ++side) {
    sides[side] += own[side];
    if (sides[side] > (kernel[side / 2] - 1) * dilation[side / 2])
      return false;
  }
  return true;
}

bool xc_canonicalize_pad_into_conv(xc_rewriter *rewriter, const xc_view *root) {
  xc_view pad;
  int64_t sides[NUM_SIDES];
  if (!read_pad(root, &pad, sides) || pad_value(&pad) != 0.0 ||
      !add_own(root, sides))
    return false;
  const MlirValue operands[] = {xc_view_operand(&pad, 0),
                                xc_view_operand(root, 1),
                                xc_operand_or_null(root, 2)};
  xc_attribute attribute = xc_ints("pad", sides, NUM_SIDES);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, &attribute, 1));
}

// The average counts the zeros of the pad, so the pool has to count its own
// padding, and must have done so before if it had some.
static bool average_agrees(const xc_view *root, const xc_view *pad) {
  int64_t own[XC_MAX_INTS];
  xc_view_ints(root, "pad", own);
  bool has_own = own[LEFT] || own[RIGHT] || own[TOP] || own[BOTTOM];
  return pad_value(pad) == 0.0 &&
         (!has_own || xc_view_bool(root, "count_include_pad"));
}

// Padding of a maximum never wins. What the pad holds must not win either: the
// least number of the type, or zero where nothing is negative. Without dilation
// and with less padding than the window on each side, every window of FLOOR and
// VALID touches the input.
static bool maximum_agrees(const xc_view *root, const xc_view *pad) {
  int64_t dilation[XC_MAX_INTS];
  xc_view_ints(root, "dilation", dilation);
  if (dilation[0] != 1 || dilation[1] != 1 ||
      xc_is_word(root, "pad_mode", "CEIL"))
    return false;
  double value = pad_value(pad);
  xc_view source;
  xc_element element = xc_view_shape(root, 0).element;
  if (element == XC_ELEMENT_I8 && value <= -128.0)
    return true;
  if (xc_element_is_float(element) && value <= -(double)FLT_MAX)
    return true;
  return value == 0.0 && (element == XC_ELEMENT_UI8 ||
                          (xc_defining_view(xc_view_operand(pad, 0), &source) &&
                           xc_never_negative(&source)));
}

bool xc_canonicalize_pad_into_pool(xc_rewriter *rewriter, const xc_view *root) {
  xc_view pad;
  int64_t sides[NUM_SIDES];
  if (xc_view_bool(root, "global") || !read_pad(root, &pad, sides) ||
      !add_own(root, sides))
    return false;
  bool average =
      root->info->kind == XC_TIR_AVGPOOL2D ||
      (root->info->kind == XC_TIR_POOL_FIX && xc_is_word(root, "type", "AVG"));
  if (!(average ? average_agrees(root, &pad) : maximum_agrees(root, &pad)))
    return false;
  MlirValue input = xc_view_operand(&pad, 0);
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

static bool all_are(const xc_view *view, const char *name, int64_t value) {
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_view_ints(view, name, ints);
  for (size_t i = 0; i < count; ++i)
    if (ints[i] != value)
      return false;
  return true;
}

static bool is_plain_conv(const xc_view *view) {
  xc_op_kind kind = xc_float_kind(view->info->kind);
  return (kind == XC_TIR_CONV2D || kind == XC_TIR_DEPTHWISE_CONV2D) &&
         all_are(view, "stride", 1) && all_are(view, "dilation", 1) &&
         all_are(view, "pad", 0) && !xc_is_word(view, "pad_mode", "SAME");
}

// Each block of the batch sees every block-th pixel, so a window without gaps
// spans one with gaps in the image. At stride 1 a cropped row or column is one
// that less padding would not have made.
bool xc_canonicalize_blocks_as_dilation(xc_rewriter *rewriter,
                                        const xc_view *root) {
  xc_view conv, blocks;
  if (!xc_defining_view(xc_view_operand(root, 0), &conv) ||
      !is_plain_conv(&conv) || !xc_used_once(&conv) ||
      !xc_defined_by(xc_view_operand(&conv, 0), XC_TIR_SPACE_TO_BATCH, &blocks))
    return false;
  int64_t in[XC_MAX_INTS], out[XC_MAX_INTS], pad[XC_MAX_INTS],
      crop[XC_MAX_INTS];
  xc_view_ints(&blocks, "block_shape", in);
  xc_view_ints(root, "block_shape", out);
  xc_view_ints(&blocks, "paddings", pad);
  xc_view_ints(root, "crops", crop);
  if (in[0] != out[0] || in[1] != out[1])
    return false;
  for (size_t side = 0; side < NUM_SIDES; ++side) {
    pad[side] -= crop[side];
    if (pad[side] < 0)
      return false;
  }
  const MlirValue operands[] = {xc_view_operand(&blocks, 0),
                                xc_view_operand(&conv, 1),
                                xc_operand_or_null(&conv, 2)};
  const xc_attribute changes[] = {xc_ints("dilation", in, 2),
                                  xc_ints("pad", pad, NUM_SIDES)};
  xc_rewrite_at(rewriter, &conv);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, &conv, conv.info->kind,
                                            operands, 3, changes, 2));
}
