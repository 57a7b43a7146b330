//===- PaddingTaps.c - elements of kernels that meet padding alone --------===//
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
// 1x1 convolution.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "OpParams/Window.h"

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
  xc_shape from = xc_operand_shape(root, 1), to = from;
  to.dims[1] = h.count;
  to.dims[2] = w.count;
  int64_t *elements = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&to) + 1, sizeof(*elements));
  size_t at = 0;
  for (int64_t o = 0; o < to.dims[0]; ++o)
    for (int64_t y = 0; y < h.count; ++y)
      for (int64_t x = 0; x < w.count; ++x)
        for (int64_t c = 0; c < to.dims[3]; ++c)
          elements[at++] =
              ((o * from.dims[1] + h.first + y) * from.dims[2] + w.first + x) *
                  from.dims[3] +
              c;
  const int64_t kernel[] = {w.count, h.count};
  const int64_t pad[] = {w.before, w.after, h.before, h.after};
  const int64_t dilation[] = {w.count > 1 ? w.dilation : 1,
                              h.count > 1 ? h.dilation : 1};
  const xc_attribute changes[] = {xc_ints("kernel", kernel, 2),
                                  xc_ints("pad", pad, 4),
                                  xc_ints("dilation", dilation, 2)};
  return xc_replace_conv(rewriter, root, root->info->kind, elements, &to,
                         changes, 3);
}
