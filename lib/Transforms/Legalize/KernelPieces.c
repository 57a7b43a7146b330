//===- KernelPieces.c - convolutions of long kernels ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks for speech have kernels of 17 to 87 columns. The engines that take
// so many take less padding, and compute several rows at a time, where a signal
// has one. Pieces of the kernel below each other are a kernel of several rows.
// Each of its rows reads a copy of the image's, moved by as much as the pieces
// before are long; copies side by side along the width are rows below each
// other: a reshape moves nothing. Pieces of more rows than the engine has read
// copies that are channels beside each other. Either way the sum is one of all
// elements, rounded once.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

enum { HEIGHT = 1, WIDTH = 2, CHANNELS = 3, MOST_PIECES = 16 };

typedef struct pieces {
  xc_window window;
  int64_t count, length;
  int64_t positions; // of a copy, along the axis that is cut
} pieces;

/// Of a convolution that a DPU computes. Returns false where it has dilation,
/// too.
static bool read_window(const xc_adaptor *conv, xc_window *window) {
  *window = xc_window_of(conv);
  const xc_window_axis *w = &window->w, *h = &window->h;
  return xc_attr_is(conv, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) &&
         xc_attr_is(conv, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) &&
         xc_is_constant(xc_operand(conv, 1)) && w->dilation == 1 &&
         h->dilation == 1 && w->outputs > 0 && h->outputs > 0;
}

/// Returns false where that would be too many pieces, or a copy of padding
/// alone.
static bool cut_axis(const XcDpuRange *kernels, const xc_window_axis *axis,
                     pieces *p) {
  p->count = xc_ceil_div64(axis->kernel, kernels->maximum);
  p->length = xc_ceil_div64(axis->kernel, p->count);
  p->positions = (axis->outputs - 1) * axis->stride + p->length;
  return p->count <= MOST_PIECES && p->positions > axis->before &&
         (p->count - 1) * p->length - axis->before < axis->inputs;
}

static MlirValue join_copies(xc_rewriter *rewriter, const xc_adaptor *root,
                             const pieces *p, size_t axis, int64_t join_axis) {
  const xc_window_axis *cut = axis == WIDTH ? &p->window.w : &p->window.h;
  MlirValue copies[MOST_PIECES];
  for (int64_t i = 0; i < p->count; ++i)
    copies[i] = xc_rewrite_span(rewriter, xc_operand(root, 0), axis,
                                i * p->length - cut->before, p->positions);
  return xc_rewrite_join(rewriter, copies, (size_t)p->count, join_axis,
                         xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT));
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Whether the kernel is too long for an engine, or for that which is faster.
static bool has_long_rows(const XcDpuTarget *target, const XcDpuEngine *engine,
                          const xc_window *window) {
  const xc_window_axis *w = &window->w;
  bool is_taken =
      xc_range_has(engine->kernelW, w->kernel) &&
      w->before <= xcDpuRangeMaxPadding(engine->padLeft, w->kernel) &&
      w->after <= xcDpuRangeMaxPadding(engine->padRight, w->kernel);
  return w->kernel > target->conv.kernelW.maximum &&
         (!is_taken || window->h.outputs == 1);
}

static bool cut_columns(const XcDpuTarget *target, const xc_adaptor *root,
                        pieces *p) {
  const XcDpuEngine *engine = xc_engine_of_conv(target, root);
  if (!engine || !read_window(root, &p->window) ||
      !has_long_rows(target, engine, &p->window) || p->window.h.before < 0 ||
      p->window.h.after < 0)
    return false;
  const xc_window_axis *w = &p->window.w, *h = &p->window.h;
  if (!cut_axis(&target->conv.kernelW, w, p))
    return false;
  int64_t rows = h->kernel * p->count, stride = h->stride * p->count;
  return xc_engine_takes_window(engine, p->length, rows, w->stride, stride) &&
         xc_engine_takes_window(&target->conv, p->length, rows, w->stride,
                                stride);
}

int64_t xc_kernel_pieces_steps(const XcDpuTarget *target,
                               const xc_adaptor *root) {
  pieces p;
  const xc_shape weight = xc_operand_shape(root, 1);
  if (!cut_columns(target, root, &p) ||
      !xc_target_takes_conv(target, p.length, p.window.h.kernel * p.count,
                            weight.dims[CHANNELS], weight.dims[0]))
    return 0;
  int64_t words =
      xc_ceil_div64(weight.dims[CHANNELS], target->inputChannelParallel);
  int64_t taps = p.count * p.length;
  return words *
         (p.window.w.outputs * taps *
              xc_ceil_div64(weight.dims[0], target->outputChannelParallel) +
          p.count * p.positions + taps * weight.dims[0]);
}

static MlirValue rows_of_copies(xc_rewriter *rewriter, const xc_adaptor *root,
                                const pieces *p) {
  xc_shape shape = xc_operand_shape(root, 0);
  shape.dims[HEIGHT] *= p->count;
  shape.dims[WIDTH] = p->positions;
  return xc_rewrite_reshape(
      rewriter, join_copies(rewriter, root, p, WIDTH, WIDTH), &shape);
}

/// Returns the rows of pieces, the last of which may end with zeros.
static MlirValue rows_of_kernel(xc_rewriter *rewriter, MlirValue weights,
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

bool xc_legalize_long_rows(xc_rewriter *rewriter, const xc_adaptor *root) {
  pieces p;
  if (!cut_columns(xc_rewrite_target(rewriter), root, &p))
    return false;
  const xc_window_axis *w = &p.window.w, *h = &p.window.h;
  const MlirValue operands[] = {
      rows_of_copies(rewriter, root, &p),
      rows_of_kernel(rewriter, xc_operand(root, 1), &p),
      xc_operand_or_null(root, 2)};
  const int64_t kernel[] = {p.length, h->kernel * p.count};
  const int64_t stride[] = {w->stride, h->stride * p.count};
  const int64_t pad[] = {0, 0, h->before * p.count, h->after * p.count};
  return xc_replace_window(rewriter, root, operands, kernel, stride, pad);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

bool xc_target_takes_pieces(const XcDpuTarget *target, int64_t kernel_w,
                            int64_t kernel_h, int64_t inputs, int64_t outputs) {
  int64_t count = xc_ceil_div64(kernel_h, target->conv.kernelH.maximum);
  return count <= MOST_PIECES &&
         xc_target_takes_conv(target, kernel_w, xc_ceil_div64(kernel_h, count),
                              count * inputs, outputs);
}

static bool cut_rows(const XcDpuTarget *target, const xc_adaptor *root,
                     pieces *p) {
  const xc_shape weight = xc_operand_shape(root, 1);
  if (xc_attr_int(root, XC_ATTR_GROUP) != 1 || !read_window(root, &p->window) ||
      p->window.h.kernel <= target->conv.kernelH.maximum)
    return false;
  const xc_window_axis *w = &p->window.w, *h = &p->window.h;
  return cut_axis(&target->conv.kernelH, h, p) &&
         xc_target_takes_pieces(target, w->kernel, h->kernel,
                                weight.dims[CHANNELS], weight.dims[0]) &&
         xc_engine_takes_window(&target->conv, w->kernel, p->length, w->stride,
                                h->stride);
}

/// [O, KH, KW, C] as [O, length, KW, count * C].
static MlirValue channels_of_kernel(xc_rewriter *rewriter, MlirValue weights,
                                    const pieces *p) {
  const xc_shape old = xc_value_shape(weights);
  int64_t width = old.dims[WIDTH], channels = old.dims[CHANNELS];
  xc_shape shape = old;
  shape.dims[HEIGHT] = p->length;
  shape.dims[CHANNELS] *= p->count;
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(*from));
  size_t at = 0;
  for (int64_t o = 0; o < shape.dims[0]; ++o)
    for (int64_t row = 0; row < p->length; ++row)
      for (int64_t x = 0; x < width; ++x)
        for (int64_t c = 0; c < shape.dims[CHANNELS]; ++c) {
          int64_t y = c / channels * p->length + row;
          from[at++] =
              y < old.dims[HEIGHT]
                  ? ((o * old.dims[HEIGHT] + y) * width + x) * channels +
                        c % channels
                  : -1;
        }
  return xc_rewrite_gather(rewriter, weights, from, &shape);
}

bool xc_legalize_long_columns(xc_rewriter *rewriter, const xc_adaptor *root) {
  pieces p;
  if (!cut_rows(xc_rewrite_target(rewriter), root, &p))
    return false;
  const xc_window_axis *w = &p.window.w;
  const MlirValue operands[] = {
      join_copies(rewriter, root, &p, HEIGHT, CHANNELS),
      channels_of_kernel(rewriter, xc_operand(root, 1), &p),
      xc_operand_or_null(root, 2)};
  const int64_t kernel[] = {w->kernel, p.length};
  const int64_t pad[] = {w->before, w->after, 0, 0};
  const xc_attribute changes[] = {xc_ints("kernel", kernel, 2),
                                  xc_ints("pad", pad, 4)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, changes, 2));
}
