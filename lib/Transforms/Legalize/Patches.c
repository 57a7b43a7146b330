//===- Patches.c - convolutions whose windows tile the image --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vision transformer begins with a kernel and stride of 14, 16 or 32, which
// no engine has. A row of a patch is one pixel of more channels, and several
// rows of the image are one row in which they lie one after the other, both by
// a reshape that moves nothing. A convolution of such rows has as many columns
// as there are rows in one, dilated by the patches of a row, and a stride that
// is smaller by as much. Its weights lie as they were.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "OpParams/Window.h"

enum { HEIGHT = 1, WIDTH = 2, CHANNELS = 3 };

/// Rows that become one.
typedef struct patch_plan {
  xc_window window;
  xc_shape input, weight;
  int64_t joined; // rows of the image in one
} patch_plan;

/// Windows next to each other, without padding.
static bool tiles(const xc_window_axis *axis) {
  return axis->kernel == axis->stride && axis->dilation == 1 &&
         axis->before == 0 && axis->after == 0 && axis->outputs > 0 &&
         axis->outputs * axis->kernel <= axis->inputs;
}

static bool is_taken(const XcDpuTarget *target, const patch_plan *p) {
  const xc_window_axis *h = &p->window.h, *w = &p->window.w;
  int64_t rows = h->kernel / p->joined;
  int64_t channels = w->kernel * p->input.dims[CHANNELS];
  return xc_engine_takes_window(&target->conv, p->joined, rows, 1, rows) &&
         xc_target_takes_conv(target, p->joined, rows, channels,
                              p->weight.dims[0]) &&
         xc_target_takes_dilation(target, channels, w->outputs, rows == 1);
}

/// As few rows as can be: the phases of a dilated convolution are apart.
static bool find_plan(const XcDpuTarget *target, patch_plan *p) {
  const xc_window_axis *h = &p->window.h;
  for (p->joined = 2; p->joined <= h->kernel; ++p->joined)
    if (h->kernel % p->joined == 0 && is_taken(target, p))
      return true;
  return false;
}

static MlirValue join_rows(xc_rewriter *rewriter, const patch_plan *p,
                           MlirValue input) {
  const int64_t begin[XC_MAX_RANK] = {0};
  const xc_window_axis *h = &p->window.h, *w = &p->window.w;
  xc_shape shape = p->input;
  shape.dims[HEIGHT] = h->outputs * h->kernel;
  shape.dims[WIDTH] = w->outputs * w->kernel;
  if (shape.dims[HEIGHT] < p->input.dims[HEIGHT] ||
      shape.dims[WIDTH] < p->input.dims[WIDTH])
    input = xc_rewrite_cut(rewriter, input, begin, shape.dims);
  shape.dims[HEIGHT] /= p->joined;
  shape.dims[WIDTH] = p->joined * w->outputs;
  shape.dims[CHANNELS] *= w->kernel;
  return xc_rewrite_reshape(rewriter, input, &shape);
}

static MlirValue reshape_weight(xc_rewriter *rewriter, const patch_plan *p,
                                MlirValue weight) {
  xc_shape shape = p->weight;
  size_t count = (size_t)xc_shape_num_elements(&shape);
  int64_t *from = xc_rewrite_alloc(rewriter, count + 1, sizeof(*from));
  for (size_t i = 0; i < count; ++i)
    from[i] = (int64_t)i;
  shape.dims[HEIGHT] /= p->joined;
  shape.dims[WIDTH] = p->joined;
  shape.dims[CHANNELS] *= p->window.w.kernel;
  return xc_rewrite_gather(rewriter, weight, from, &shape);
}

bool xc_legalize_patches_as_rows(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  patch_plan p = {.window = xc_window_of(root),
                  .input = xc_operand_shape(root, XC_CONV2D_INPUT),
                  .weight = xc_operand_shape(root, XC_CONV2D_WEIGHT)};
  const xc_window_axis *h = &p.window.h, *w = &p.window.w;
  MlirValue weight = xc_operand(root, XC_CONV2D_WEIGHT);
  if (xc_attr_int(root, XC_ATTR_GROUP) != 1 ||
      !xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !xc_constant_bytes(rewriter, weight) || !tiles(h) || !tiles(w) ||
      xc_engine_takes_window(&target->conv, 1, h->kernel, 1, h->stride) ||
      !find_plan(target, &p))
    return false;
  const MlirValue operands[] = {
      join_rows(rewriter, &p, xc_operand(root, XC_CONV2D_INPUT)),
      reshape_weight(rewriter, &p, weight),
      xc_operand_or_null(root, XC_CONV2D_BIAS)};
  const int64_t kernel[] = {p.joined, h->kernel / p.joined};
  const int64_t stride[] = {1, kernel[1]}, dilation[] = {w->outputs, 1};
  const int64_t pad[4] = {0};
  const xc_attribute changes[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", stride, 2),
      xc_ints("pad", pad, 4), xc_ints("dilation", dilation, 2)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, changes, 4));
}
