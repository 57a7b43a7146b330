//===- Padding.c - padding that engines do not take -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the dilation is larger than the image, as in pyramids of dilated
// convolutions on small maps, the outer elements of a kernel meet padding at
// every position: of 3 x 3 elements the one in the middle is left, which is a
// 1x1 convolution. Padding of which engines still have too little is an
// operator of its own.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "OpParams/Window.h"

//===----------------------------------------------------------------------===//
// Elements of kernels that meet padding alone
//===----------------------------------------------------------------------===//

// Elements first..first+count-1 of a kernel along an axis.
typedef struct taps {
  int64_t first, count, dilation;
  int64_t before, after; // padding
} taps;

// Whether each window meets an element of the image, as engines want it.
static bool has_small_padding(const taps *t) {
  int64_t span = (t->count - 1) * t->dilation + 1;
  return t->before >= 0 && t->after >= 0 && t->before < span && t->after < span;
}

static taps find_taps(const xc_window_axis *axis) {
  const taps all = {0, axis->kernel, axis->dilation, axis->before, axis->after};
  taps t = all;
  int64_t last = (axis->outputs - 1) * axis->stride - t.before; // of element 0
  // Those that do not reach the image from the last position, and those that
  // are beyond it at the first one.
  while (t.count > 1 && last + t.first * t.dilation < 0) {
    ++t.first;
    --t.count;
  }
  while (t.count > 1 &&
         (t.first + t.count - 1) * t.dilation - t.before >= axis->inputs)
    --t.count;
  t.before -= t.first * t.dilation;
  t.after -= (axis->kernel - t.first - t.count) * t.dilation;
  return has_small_padding(&t) ? t : all;
}

bool xc_legalize_taps_in_padding(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  if (!xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR))
    return false;
  const xc_window window = xc_window_of(root);
  const taps w = find_taps(&window.w), h = find_taps(&window.h);
  if (w.count == window.w.kernel && h.count == window.h.kernel)
    return false;
  xc_shape shape = xc_operand_shape(root, 1);
  const xc_kernel_part part = {h.first, h.count, w.first, w.count};
  const int64_t *elements = xc_kernel_part_elements(rewriter, &part, &shape);
  const int64_t kernel[] = {w.count, h.count};
  const int64_t pad[] = {w.before, w.after, h.before, h.after};
  const int64_t dilation[] = {w.count > 1 ? w.dilation : 1,
                              h.count > 1 ? h.dilation : 1};
  const xc_attribute changes[] = {xc_ints("kernel", kernel, 2),
                                  xc_ints("pad", pad, 4),
                                  xc_ints("dilation", dilation, 2)};
  return xc_replace_conv(rewriter, root, root->info->kind, elements, &shape,
                         changes, 3);
}

//===----------------------------------------------------------------------===//
// Padding beyond what engines take
//===----------------------------------------------------------------------===//

static bool takes_padding(const XcDpuRange *range, int64_t padding,
                          int64_t kernel) {
  return padding >= range->minimum &&
         padding <= xcDpuRangeMaxPadding(*range, kernel);
}

// Returns the first element that the last window meets.
static int64_t last_window(const xc_window_axis *axis) {
  return (axis->outputs - 1) * axis->stride - axis->before;
}

// Whether padding is more than the engine has, or all that a window meets.
static bool is_beyond(const XcDpuRange *before, const XcDpuRange *after,
                      const xc_window_axis *axis) {
  return !takes_padding(before, axis->before, axis->kernel) ||
         !takes_padding(after, axis->after, axis->kernel) ||
         last_window(axis) >= axis->inputs;
}

static bool can_pad(const xc_window_axis *axis) {
  return axis->dilation == 1 && axis->outputs > 0 &&
         last_window(axis) + axis->kernel > 0 && -axis->before < axis->inputs;
}

bool xc_legalize_padding_beyond(xc_rewriter *rewriter, const xc_adaptor *root) {
  enum { HEIGHT = 1, WIDTH = 2 };
  const XcDpuEngine *engine =
      xc_engine_of_conv(xc_rewrite_target(rewriter), root);
  const xc_window window = xc_window_of(root);
  const xc_window_axis *w = &window.w, *h = &window.h;
  if (!engine || !xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) || !can_pad(w) ||
      !can_pad(h))
    return false;
  bool pads_w = is_beyond(&engine->padLeft, &engine->padRight, w),
       pads_h = is_beyond(&engine->padTop, &engine->padBottom, h);
  if (!pads_w && !pads_h)
    return false;
  MlirValue input = xc_operand(root, 0);
  if (pads_w)
    input = xc_rewrite_span(rewriter, input, WIDTH, -w->before,
                            (w->outputs - 1) * w->stride + w->kernel);
  if (pads_h)
    input = xc_rewrite_span(rewriter, input, HEIGHT, -h->before,
                            (h->outputs - 1) * h->stride + h->kernel);
  const MlirValue operands[] = {input, xc_operand(root, 1),
                                xc_operand_or_null(root, 2)};
  const int64_t pad[] = {pads_w ? 0 : w->before, pads_w ? 0 : w->after,
                         pads_h ? 0 : h->before, pads_h ? 0 : h->after};
  const xc_attribute change = xc_ints("pad", pad, 4);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, &change, 1));
}
