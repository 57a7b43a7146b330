//===- LongDepthwise.c - depthwise convolutions of long kernels -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks for speech have depthwise kernels of 33 to 87 elements. Engines with
// so many take less padding, and compute several rows at a time, where a signal
// has one; the convolution engine, which does better, has 16. Pieces of the
// kernel below each other are a kernel of several rows. Each of its rows reads
// a copy of the image's, moved by as much as the pieces before are long; copies
// side by side along the width are rows below each other: a reshape moves
// nothing. The sum is one of all elements, rounded once.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

enum { HEIGHT = 1, WIDTH = 2, CHANNELS = 3, MOST_PIECES = 16 };

typedef struct pieces {
  xc_window window;
  int64_t count, length;
  int64_t columns; // of a copy
} pieces;

/// Whether the kernel is too long for an engine, or for that which is faster.
static bool is_long(const XcDpuTarget *target, const XcDpuEngine *engine,
                    const xc_window *window) {
  const xc_window_axis *w = &window->w;
  bool is_taken = xc_range_has(engine->kernelW, w->kernel) &&
                  xc_range_has(engine->padLeft, w->before) &&
                  xc_range_has(engine->padRight, w->after);
  return w->kernel > target->conv.kernelW.maximum &&
         (!is_taken || window->h.outputs == 1);
}

static bool choose_pieces(const XcDpuTarget *target, const xc_adaptor *root,
                          pieces *p) {
  const XcDpuEngine *engine = xcDpuTargetGetDepthwiseEngine(target);
  *p = (pieces){.window = xc_window_of(root)};
  const xc_window_axis *w = &p->window.w, *h = &p->window.h;
  if (!engine || !is_long(target, engine, &p->window) || w->dilation != 1 ||
      h->dilation != 1 || h->before < 0 || h->after < 0 || w->outputs < 1)
    return false;
  p->count = xc_ceil_div64(w->kernel, target->conv.kernelW.maximum);
  p->length = xc_ceil_div64(w->kernel, p->count);
  p->columns = (w->outputs - 1) * w->stride + p->length;
  int64_t rows = h->kernel * p->count, stride = h->stride * p->count;
  return p->count <= MOST_PIECES &&
         xc_engine_takes_window(engine, p->length, rows, w->stride, stride) &&
         xc_engine_takes_window(&target->conv, p->length, rows, w->stride,
                                stride);
}

static MlirValue copy_columns(xc_rewriter *rewriter, const xc_adaptor *root,
                              const pieces *p) {
  MlirValue copies[MOST_PIECES];
  MlirValue input = xc_operand(root, 0);
  for (int64_t i = 0; i < p->count; ++i)
    copies[i] = xc_rewrite_span(rewriter, input, WIDTH,
                                i * p->length - p->window.w.before, p->columns);
  MlirValue beside =
      xc_rewrite_join(rewriter, copies, (size_t)p->count, WIDTH,
                      xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT));
  xc_shape shape = xc_value_shape(input);
  shape.dims[HEIGHT] *= p->count;
  shape.dims[WIDTH] = p->columns;
  return xc_rewrite_reshape(rewriter, beside, &shape);
}

/// Rows of pieces, the last of which may end with zeros.
static MlirValue cut_kernel(xc_rewriter *rewriter, MlirValue weights,
                            const pieces *p) {
  const xc_shape old = xc_value_shape(weights);
  int64_t kernel = p->window.w.kernel, channels = old.dims[CHANNELS];
  xc_shape shape = old;
  shape.dims[HEIGHT] *= p->count;
  shape.dims[WIDTH] = p->length;
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(*from));
  size_t at = 0;
  // A row is a piece of a row of one of the kernels of a channel.
  for (int64_t row = 0; row < shape.dims[0] * shape.dims[HEIGHT]; ++row)
    for (int64_t column = 0; column < p->length; ++column)
      for (int64_t c = 0; c < channels; ++c) {
        int64_t x = row % p->count * p->length + column;
        from[at++] =
            x < kernel ? (row / p->count * kernel + x) * channels + c : -1;
      }
  return xc_rewrite_gather(rewriter, weights, from, &shape);
}

bool xc_legalize_long_depthwise(xc_rewriter *rewriter, const xc_adaptor *root) {
  pieces p;
  if (!xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !xc_is_constant(xc_operand(root, 1)) ||
      !choose_pieces(xc_rewrite_target(rewriter), root, &p))
    return false;
  const xc_window_axis *w = &p.window.w, *h = &p.window.h;
  const MlirValue operands[] = {copy_columns(rewriter, root, &p),
                                cut_kernel(rewriter, xc_operand(root, 1), &p),
                                xc_operand_or_null(root, 2)};
  const int64_t kernel[] = {p.length, h->kernel * p.count};
  const int64_t stride[] = {w->stride, h->stride * p.count};
  const int64_t pad[] = {0, 0, h->before * p.count, h->after * p.count};
  const xc_attribute changes[] = {xc_ints("kernel", kernel, 2),
                                  xc_ints("stride", stride, 2),
                                  xc_ints("pad", pad, 4)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, changes, 3));
}
