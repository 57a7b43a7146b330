//===- DilatedLine.c - dilated convolutions of signals --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Audio and other signals are images of one row. Cut into pieces as long as the
// dilation, one below the other, the pixels that a dilated kernel reads lie in
// one column: the kernel stands upright and has no dilation, and the image has
// rows for all lanes of the engine. Only a reshape is needed where the pieces
// divide the signal; else zeros at its end, which are padding, and a slice.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

enum { HEIGHT = 1, WIDTH = 2, CHANNELS = 3 };

// The axis along which the signal lies; the other one has one pixel.
typedef struct line {
  xc_window_axis along;
  int64_t axis;                  // HEIGHT or WIDTH
  int64_t pieces, result_pieces; // of the input and the result
} line;

static bool is_point(const xc_window_axis *axis) {
  return axis->inputs == 1 && axis->outputs == 1 && axis->kernel == 1 &&
         axis->before == 0 && axis->after == 0;
}

static bool read_line(const xc_adaptor *root, line *l) {
  const xc_window window = xc_window_of(root);
  bool is_row = is_point(&window.h);
  if (!is_row && !is_point(&window.w))
    return false;
  *l = (line){.along = is_row ? window.w : window.h,
              .axis = is_row ? WIDTH : HEIGHT};
  const xc_window_axis *a = &l->along;
  if (a->dilation < 2 || a->kernel < 2 || a->stride != 1 || a->before < 0 ||
      a->after < 0 || a->before % a->dilation != 0 || a->outputs < 1)
    return false;
  l->pieces = xc_ceil_div64(a->inputs, a->dilation);
  l->result_pieces = xc_ceil_div64(a->outputs, a->dilation);
  return true;
}

/// Returns the padding below the last piece.
static int64_t padding_after(const line *l) {
  const xc_window_axis *a = &l->along;
  return l->result_pieces - 1 + a->kernel - l->pieces - a->before / a->dilation;
}

/// Whether the engine takes the upright kernel, and no window of it meets
/// padding alone.
static bool can_stand(const XcDpuTarget *target, const xc_adaptor *root,
                      const line *l) {
  const xc_window_axis *a = &l->along;
  bool is_dense = root->info->kind == XC_TIR_CONV2D_FIX;
  int64_t before = a->before / a->dilation, after = padding_after(l);
  if (after < 0 || before >= a->kernel || after >= a->kernel)
    return false;
  if (!is_dense)
    return xc_engine_takes_window(xcDpuTargetGetDepthwiseEngine(target), 1,
                                  a->kernel, 1, 1);
  return xc_target_takes_conv(target, 1, a->kernel,
                              xc_operand_shape(root, 0).dims[CHANNELS],
                              xc_result_shape(root).dims[CHANNELS]) &&
         xc_engine_takes_window(&target->conv, 1, a->kernel, 1, 1);
}

/// Returns the cycles for each pair of words of channels, as the convolution
/// is: with zeros in the kernel, or one for each phase. The engine fills its
/// lanes with strips of columns, where these are not too short.
static int64_t cycles_now(const XcDpuTarget *target, const xc_adaptor *root,
                          const line *l) {
  enum { SHORT_STRIP = 6, HALO = 7, OF_STRIP = 4 };
  const xc_window_axis *a = &l->along;
  const xc_conv_axis one = {
      .kernel = 1, .stride = 1, .dilation = 1, .inputs = 1, .outputs = 1};
  xc_conv_axis axes[XC_CONV_AXES] = {one, one};
  axes[l->axis == WIDTH ? XC_CONV_WIDTH : XC_CONV_HEIGHT] = xc_conv_axis_of(a);
  int64_t lanes = target->pixelParallel;
  int64_t phases = a->outputs * a->kernel;
  if (l->result_pieces >= SHORT_STRIP * lanes)
    phases = HALO * phases / (OF_STRIP * lanes);
  if (!xc_dilation_fits_expanded(target, root->info->kind != XC_TIR_CONV2D_FIX,
                                 xc_operand_shape(root, 0).dims[CHANNELS],
                                 axes))
    return phases;
  int64_t expanded = xc_ceil_div64(a->outputs, lanes) * xc_window_span(a);
  return phases < expanded ? phases : expanded;
}

static bool has_same_pieces(const xc_adaptor *op, const line *l) {
  line other;
  return (op->info->kind == XC_TIR_CONV2D_FIX ||
          op->info->kind == XC_TIR_DEPTHWISE_CONV2D_FIX) &&
         read_line(op, &other) && other.along.dilation == l->along.dilation;
}

/// Whether the layer before or after this one has the same pieces, which then
/// stay in the banks.
static bool has_neighbour(const xc_adaptor *root, const line *l) {
  xc_adaptor before, after;
  if (xc_single_user(root, &after) && has_same_pieces(&after, l))
    return true;
  if (!xc_defining_adaptor(xc_operand(root, 0), &before))
    return false;
  if (before.info->kind != XC_TIR_RESHAPE_FIX)
    return has_same_pieces(&before, l);
  const xc_shape pieces = xc_operand_shape(&before, 0);
  return pieces.rank == 4 && pieces.dims[HEIGHT] > 1 &&
         pieces.dims[WIDTH] == l->along.dilation;
}

/// Copies take a cycle for each word.
static bool is_faster(const XcDpuTarget *target, const xc_adaptor *root,
                      const line *l) {
  const xc_window_axis *a = &l->along;
  int64_t word = target->channelParallel;
  int64_t inputs =
      xc_ceil_div64(xc_operand_shape(root, 0).dims[CHANNELS], word);
  int64_t outputs = xc_ceil_div64(xc_result_shape(root).dims[CHANNELS], word);
  int64_t pairs =
      root->info->kind == XC_TIR_CONV2D_FIX ? inputs * outputs : outputs;
  int64_t standing = xc_ceil_div64(l->result_pieces, target->pixelParallel) *
                     a->dilation * a->kernel * pairs;
  // Each piece is a transfer of its own, unless it stays in the banks. What is
  // loaded for the first of these layers is too much with pieces of two pixels.
  bool is_loaded = a->dilation == 2 || !has_neighbour(root, l);
  int64_t transfers =
      is_loaded ? l->pieces * (target->timing.loadStart + a->dilation * inputs)
                : 0;
  standing = standing > transfers ? standing : transfers;
  int64_t copies = (a->inputs % a->dilation ? a->inputs * inputs : 0) +
                   (a->outputs % a->dilation ? a->outputs * outputs : 0);
  return standing + copies < cycles_now(target, root, l) * pairs;
}

// [N, 1, W, C] or [N, H, 1, C] as pieces below each other.
static MlirValue cut_pieces(xc_rewriter *rewriter, MlirValue input,
                            const line *l) {
  MlirValue whole = xc_rewrite_span(rewriter, input, (size_t)l->axis, 0,
                                    l->pieces * l->along.dilation);
  xc_shape shape = xc_value_shape(whole);
  shape.dims[HEIGHT] = l->pieces;
  shape.dims[WIDTH] = l->along.dilation;
  return xc_rewrite_reshape(rewriter, whole, &shape);
}

static MlirValue join_pieces(xc_rewriter *rewriter, MlirValue pieces,
                             const line *l, const xc_shape *result) {
  xc_shape whole = *result;
  whole.dims[l->axis] = l->result_pieces * l->along.dilation;
  MlirValue joined = xc_rewrite_reshape(rewriter, pieces, &whole);
  return xc_rewrite_span(rewriter, joined, (size_t)l->axis, 0,
                         l->along.outputs);
}

static MlirValue stand_weights(xc_rewriter *rewriter, MlirValue weights,
                               const line *l) {
  xc_shape shape = xc_value_shape(weights);
  shape.dims[HEIGHT] = l->along.kernel;
  shape.dims[WIDTH] = 1;
  size_t count = (size_t)xc_shape_num_elements(&shape);
  int64_t *same = xc_rewrite_alloc(rewriter, count + 1, sizeof(*same));
  for (size_t i = 0; i < count; ++i)
    same[i] = (int64_t)i;
  return xc_rewrite_gather(rewriter, weights, same, &shape);
}

bool xc_legalize_dilated_line(xc_rewriter *rewriter, const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  line l;
  if (!xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !xc_is_constant(xc_operand(root, 1)) || !read_line(root, &l) ||
      !can_stand(target, root, &l) || !is_faster(target, root, &l))
    return false;
  const MlirValue operands[] = {
      cut_pieces(rewriter, xc_operand(root, 0), &l),
      stand_weights(rewriter, xc_operand(root, 1), &l),
      xc_operand_or_null(root, 2)};
  const int64_t kernel[] = {1, l.along.kernel}, ones[] = {1, 1};
  const int64_t pad[] = {0, 0, l.along.before / l.along.dilation,
                         padding_after(&l)};
  const xc_attribute changes[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", ones, 2),
      xc_ints("pad", pad, 4), xc_ints("dilation", ones, 2)};
  MlirValue pieces = xc_rewrite_like(rewriter, root, root->info->kind, operands,
                                     3, changes, 4);
  const xc_shape result = xc_result_shape(root);
  return xc_rewrite_replace(rewriter, root,
                            join_pieces(rewriter, pieces, &l, &result));
}
