//===- Patches.c - strides that the target does not have, in both axes ----===//
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
// Where windows overlap, as those of 16 by 16 elements of an audio transformer,
// which are 10 apart, blocks of pixels become channels of one. That moves the
// image once.
//
//===----------------------------------------------------------------------===//

#include "BlockAxis.h"
#include "Legalize.h"

enum { HEIGHT = 1, WIDTH = 2, CHANNELS = 3 };

/// A convolution that a DPU would compute, with constant weights.
typedef struct patches {
  xc_window window;
  xc_shape input, weight;
  const void *weights;
  int64_t joined; // rows of the image that become one
} patches;

static bool read_patches(xc_rewriter *rewriter, const xc_adaptor *root,
                         patches *p) {
  *p = (patches){.window = xc_window_of(root),
                 .input = xc_operand_shape(root, XC_CONV2D_INPUT),
                 .weight = xc_operand_shape(root, XC_CONV2D_WEIGHT),
                 .weights = xc_constant_bytes(
                     rewriter, xc_operand(root, XC_CONV2D_WEIGHT))};
  return p->weights && xc_attr_int(root, XC_ATTR_GROUP) == 1 &&
         xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) &&
         xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) &&
         xc_attr_all(root, XC_ATTR_DILATION, 1);
}

/// Windows next to each other, without padding.
static bool tiles(const xc_window_axis *axis) {
  return axis->kernel == axis->stride && axis->before == 0 &&
         axis->after == 0 && axis->outputs > 0 &&
         axis->outputs * axis->kernel <= axis->inputs;
}

/// Where there is one result the stride does not matter.
static int64_t stride_of(const xc_window_axis *axis) {
  return axis->outputs > 1 ? axis->stride : 1;
}

static bool is_taken(const XcDpuTarget *target, const patches *p) {
  const xc_window_axis *h = &p->window.h, *w = &p->window.w;
  int64_t rows = h->kernel / p->joined;
  int64_t channels = w->kernel * p->input.dims[CHANNELS];
  return xc_engine_takes_window(&target->conv, p->joined, rows, 1, rows) &&
         xc_target_takes_conv(target, p->joined, rows, channels,
                              p->weight.dims[0]) &&
         xc_target_takes_dilation(target, channels, w->outputs, rows == 1);
}

/// As few rows as can be: the phases of a dilated convolution are apart.
static bool find_plan(const XcDpuTarget *target, patches *p) {
  const xc_window_axis *h = &p->window.h;
  for (p->joined = 2; p->joined <= h->kernel; ++p->joined)
    if (h->kernel % p->joined == 0 && is_taken(target, p))
      return true;
  return false;
}

static MlirValue join_rows(xc_rewriter *rewriter, const patches *p,
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

static MlirValue reshape_weight(xc_rewriter *rewriter, const patches *p) {
  xc_shape shape = p->weight;
  shape.dims[HEIGHT] /= p->joined;
  shape.dims[WIDTH] = p->joined;
  shape.dims[CHANNELS] *= p->window.w.kernel;
  return xc_rewrite_const(rewriter, p->weights, &shape);
}

bool xc_legalize_patches_as_rows(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  patches p;
  const xc_window_axis *h = &p.window.h, *w = &p.window.w;
  if (!read_patches(rewriter, root, &p) || !tiles(h) || !tiles(w) ||
      xc_engine_takes_window(&target->conv, 1, h->kernel, 1, stride_of(h)) ||
      !find_plan(target, &p))
    return false;
  const MlirValue operands[] = {
      join_rows(rewriter, &p, xc_operand(root, XC_CONV2D_INPUT)),
      reshape_weight(rewriter, &p), xc_operand_or_null(root, XC_CONV2D_BIAS)};
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

//===----------------------------------------------------------------------===//
// Windows that overlap, or do not meet
//===----------------------------------------------------------------------===//

static bool takes_blocks(const XcDpuTarget *target, const xc_shape *weight,
                         const xc_block_axis *w, const xc_block_axis *h) {
  return xc_engine_takes_window(&target->conv, w->kernel, h->kernel, w->stride,
                                h->stride) &&
         xc_target_takes_conv(target, w->kernel, h->kernel,
                              w->pixels * h->pixels * weight->dims[CHANNELS],
                              weight->dims[0]);
}

/// Finds the smallest square blocks with which the target takes it.
static bool find_blocks(const XcDpuTarget *target, const patches *p,
                        xc_block_axis *w, xc_block_axis *h) {
  const xc_window_axis *wide = &p->window.w, *high = &p->window.h;
  int64_t most = wide->stride < high->stride ? wide->stride : high->stride;
  for (int64_t pixels = 2; pixels <= most; ++pixels) {
    *w = *h = (xc_block_axis){.pixels = pixels, .results = 1};
    if (wide->stride % pixels == 0 && high->stride % pixels == 0 &&
        xc_complete_blocks(wide, w) && xc_complete_blocks(high, h) &&
        takes_blocks(target, &p->weight, w, h))
      return true;
  }
  return false;
}

/// Returns the weight [O, KH, KW, C] of blocks, whose channels are those of
/// tile-fix.
static MlirValue block_weight(xc_rewriter *rewriter, const patches *p,
                              const xc_block_axis *w, const xc_block_axis *h,
                              MlirValue weight) {
  const int64_t *old = p->weight.dims, pixels = w->pixels;
  const xc_blocks order = {.scale = pixels};
  xc_shape shape = p->weight;
  shape.dims[HEIGHT] = h->kernel;
  shape.dims[WIDTH] = w->kernel;
  shape.dims[CHANNELS] *= pixels * pixels;
  size_t count = (size_t)xc_shape_num_elements(&shape);
  int64_t *from = xc_rewrite_alloc(rewriter, count + 1, sizeof(*from));
  for (size_t i = 0; i < count; ++i)
    from[i] = -1;
  for (int64_t o = 0, at = 0; o < old[0]; ++o)
    for (int64_t ky = h->lead; ky < h->lead + old[HEIGHT]; ++ky)
      for (int64_t kx = w->lead; kx < w->lead + old[WIDTH]; ++kx)
        for (int64_t c = 0; c < old[CHANNELS]; ++c, ++at) {
          int64_t channel = xc_block_channel(&order, old[CHANNELS], ky % pixels,
                                             kx % pixels, c);
          from[((o * h->kernel + ky / pixels) * w->kernel + kx / pixels) *
                   shape.dims[CHANNELS] +
               channel] = at;
        }
  return xc_rewrite_gather(rewriter, weight, from, &shape);
}

bool xc_legalize_stride_into_blocks(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  patches p;
  xc_block_axis w, h;
  if (!read_patches(rewriter, root, &p) ||
      xc_engine_takes_window(&target->conv, 1, 1, stride_of(&p.window.w),
                             stride_of(&p.window.h)) ||
      !find_blocks(target, &p, &w, &h))
    return false;
  MlirValue image = xc_operand(root, XC_CONV2D_INPUT);
  image = xc_rewrite_span(rewriter, image, HEIGHT, 0, h.inputs * h.pixels);
  image = xc_rewrite_span(rewriter, image, WIDTH, 0, w.inputs * w.pixels);
  const xc_attribute scale = xc_int("stride", w.pixels);
  const MlirValue operands[] = {
      xc_rewrite_build(rewriter, XC_TIR_TILE_FIX, &image, 1, &scale, 1,
                       XC_ELEMENT_NONE),
      block_weight(rewriter, &p, &w, &h, xc_operand(root, XC_CONV2D_WEIGHT)),
      xc_operand_or_null(root, XC_CONV2D_BIAS)};
  const int64_t kernel[] = {w.kernel, h.kernel},
                stride[] = {w.stride, h.stride};
  const int64_t pad[] = {w.before, w.after, h.before, h.after};
  return xc_replace_window(rewriter, root, operands, kernel, stride, pad);
}
