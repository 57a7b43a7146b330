//===- Transposed.c - transposed convolutions of few channels -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposed convolution of stride s is s * s convolutions, one for each
// pixel of a block of the output. Each takes a whole word of output channels,
// however few there are. As channels of one convolution, all pixels of a block
// fill the words together; its kernel reaches over what any of them reads. A
// tiling then moves the channels into space; what lies beyond the output is cut
// off. Where the columns of a block are read from one input column, those alone
// are channels: they lie as the output has them.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "OpParams/Window.h"
#include "Support/Math.h"

/// Along one axis: a block of `stride` pixels of the output reads the input
/// pixels of `kernel` positions, with padding at both ends.
typedef struct block_axis {
  int64_t stride, outputs; // blocks
  int64_t kernel, before, after;
  int64_t first; // tap 0 of pixel 0 reads this position, times the stride
  int64_t taps;
} block_axis;

// Positions may be below 0, the input's are from there on.
static int64_t position_of(const block_axis *b, int64_t pixel, int64_t tap) {
  return (pixel + tap + b->first) / b->stride;
}

static bool is_hit(const block_axis *b, int64_t pixel, int64_t tap) {
  return (pixel + tap + b->first) % b->stride == 0;
}

static bool read_axis(const xc_window_axis *axis, block_axis *b) {
  *b = (block_axis){.stride = axis->stride,
                    .outputs = xc_ceil_div64(axis->outputs, axis->stride),
                    .first = axis->before - axis->kernel + 1,
                    .taps = axis->kernel};
  int64_t least = INT64_MAX, most = INT64_MIN;
  for (int64_t pixel = 0; pixel < b->stride; ++pixel)
    for (int64_t tap = 0; tap < b->taps; ++tap) {
      if (!is_hit(b, pixel, tap))
        continue;
      int64_t at = position_of(b, pixel, tap);
      least = at < least ? at : least;
      most = at > most ? at : most;
    }
  b->kernel = most - least + 1;
  b->before = -least;
  b->after = b->outputs - 1 + b->kernel - axis->inputs - b->before;
  return axis->dilation == 1 && b->before >= 0 && b->before < b->kernel &&
         b->after >= 0 && b->after < b->kernel;
}

/// Of the convolution engine for a block and each word of the input, in pixels
/// of one lane.
static int64_t words(const XcDpuTarget *target, int64_t taps,
                     int64_t channels) {
  return taps * xc_ceil_div64(channels, target->outputChannelParallel);
}

// A row of lanes computes while ports move the words of one; these take half a
// cycle each. The result is saved, loaded row by row of a block, and saved.
static bool is_faster(const xc_rewriter *rewriter, const xc_shape *weight,
                      const block_axis *h, const block_axis *w) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t outputs = weight->dims[0], all = outputs * h->stride * w->stride;
  int64_t inputs = xc_ceil_div64(weight->dims[3], target->inputChannelParallel);
  int64_t now = words(target, h->taps * w->taps, outputs) * inputs;
  int64_t then = words(target, h->kernel * w->kernel, all) * inputs;
  int64_t moved =
      xc_ceil_div64(all, target->channelParallel) +
      2 * h->stride *
          xc_ceil_div64(outputs * w->stride, target->channelParallel);
  int64_t lanes = target->pixelParallel;
  return 4 * (then + moved * lanes / 2) < 3 * now;
}

/// The weights of pixel (y, x) of a block are those of channels
/// (y * stride + x) * outputs and on.
static int64_t *place_weights(xc_rewriter *rewriter, const xc_shape *old,
                              const block_axis *h, const block_axis *w,
                              const xc_shape *shape) {
  size_t count = (size_t)xc_shape_num_elements(shape);
  int64_t *from = xc_rewrite_alloc(rewriter, count + 1, sizeof *from);
  int64_t inputs = old->dims[3], outputs = old->dims[0];
  for (size_t i = 0; i < count; ++i)
    from[i] = -1;
  for (int64_t o = 0; o < shape->dims[0]; ++o) {
    int64_t y = o / outputs / w->stride, x = o / outputs % w->stride;
    for (int64_t i = 0; i < h->taps; ++i)
      for (int64_t j = 0; j < w->taps; ++j) {
        if (!is_hit(h, y, i) || !is_hit(w, x, j))
          continue;
        int64_t row = position_of(h, y, i) + h->before;
        int64_t column = position_of(w, x, j) + w->before;
        int64_t to = ((o * h->kernel + row) * w->kernel + column) * inputs;
        int64_t at = ((o % outputs * h->taps + i) * w->taps + j) * inputs;
        for (int64_t c = 0; c < inputs; ++c)
          from[to + c] = at + c;
      }
  }
  return from;
}

/// Returns the bias of the channels, once for each pixel of a block.
static MlirValue repeat_bias(xc_rewriter *rewriter, MlirValue bias,
                             int64_t times) {
  xc_shape shape = xc_value_shape(bias);
  int64_t outputs = shape.dims[0];
  shape.dims[0] *= times;
  int64_t *from =
      xc_rewrite_alloc(rewriter, (size_t)shape.dims[0] + 1, sizeof *from);
  for (int64_t i = 0; i < shape.dims[0]; ++i)
    from[i] = i % outputs;
  return xc_rewrite_gather(rewriter, bias, from, &shape);
}

/// Whether its weights and bias can be put in another order.
static bool has_constants(const xc_adaptor *root) {
  return xc_attr_int(root, XC_ATTR_GROUP) == 1 && !xc_has_fix_groups(root) &&
         xc_is_constant(xc_operand(root, XC_CONV2D_WEIGHT)) &&
         (!xc_has_operand(root, XC_CONV2D_BIAS) ||
          xc_is_constant(xc_operand(root, XC_CONV2D_BIAS)));
}

/// Gathers the operands with weights of that shape, the elements `from` of the
/// old ones, and the bias once for each of `times` pixels.
static bool gather_operands(xc_rewriter *rewriter, const xc_adaptor *root,
                            const int64_t *from, const xc_shape *shape,
                            int64_t times, MlirValue operands[3]) {
  operands[0] = xc_operand(root, XC_CONV2D_INPUT);
  operands[1] = xc_rewrite_gather(rewriter, xc_operand(root, XC_CONV2D_WEIGHT),
                                  from, shape);
  operands[2] = xc_operand_or_null(root, XC_CONV2D_BIAS);
  if (mlirValueIsNull(operands[1]) || mlirValueIsNull(operands[2]))
    return !mlirValueIsNull(operands[1]);
  operands[2] = repeat_bias(rewriter, operands[2], times);
  return !mlirValueIsNull(operands[2]);
}

static MlirValue build_conv(xc_rewriter *rewriter, const xc_adaptor *root,
                            const block_axis *h, const block_axis *w) {
  xc_shape old = xc_operand_shape(root, XC_CONV2D_WEIGHT), shape = old;
  int64_t times = h->stride * w->stride;
  shape.dims[0] *= times;
  shape.dims[1] = h->kernel;
  shape.dims[2] = w->kernel;
  MlirValue operands[3];
  if (!gather_operands(rewriter, root,
                       place_weights(rewriter, &old, h, w, &shape), &shape,
                       times, operands))
    return (MlirValue){NULL};
  const int64_t kernel[] = {w->kernel, h->kernel}, unit[] = {1, 1};
  const int64_t pad[] = {w->before, w->after, h->before, h->after};
  const xc_attribute changes[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", unit, 2),
      xc_ints("pad", pad, 4), xc_string("pad_mode", "FLOOR")};
  bool fix = root->info->kind == XC_TIR_TRANSPOSED_CONV2D_FIX;
  return xc_rewrite_like(rewriter, root,
                         fix ? XC_TIR_CONV2D_FIX : XC_TIR_CONV2D, operands, 3,
                         changes, 4);
}

bool xc_legalize_transposed_as_tiling(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_window window = xc_window_of(root);
  xc_shape weight = xc_operand_shape(root, XC_CONV2D_WEIGHT);
  bool fix = root->info->kind == XC_TIR_TRANSPOSED_CONV2D_FIX;
  block_axis h, w;
  if (window.h.stride != window.w.stride || window.h.stride == 1 ||
      !has_constants(root) || !read_axis(&window.h, &h) ||
      !read_axis(&window.w, &w) ||
      !xc_target_takes_conv(target, w.kernel, h.kernel, weight.dims[3],
                            weight.dims[0] * h.stride * w.stride) ||
      !is_faster(rewriter, &weight, &h, &w))
    return false;
  MlirValue conv = build_conv(rewriter, root, &h, &w);
  if (mlirValueIsNull(conv))
    return false;
  int64_t point = fix ? xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT) : 0;
  const xc_attribute tiling[] = {
      xc_int("stride", h.stride), xc_bool("reverse", true),
      xc_int("input_fix_point", point), xc_int("output_fix_point", point)};
  xc_shape result = xc_value_shape(xc_result_of(root));
  MlirValue image =
      xc_rewrite_build(rewriter, fix ? XC_TIR_TILE_FIX : XC_TIR_GSTILING, &conv,
                       1, tiling, fix ? 4 : 2, result.element);
  if (result.dims[1] < h.outputs * h.stride ||
      result.dims[2] < w.outputs * w.stride) {
    const int64_t begin[4] = {0};
    image = xc_rewrite_cut(rewriter, image, begin, result.dims);
  }
  return xc_rewrite_replace(rewriter, root, image);
}

//===----------------------------------------------------------------------===//
// Columns of a block as channels
//===----------------------------------------------------------------------===//

/// Whether the pixels of a block read one input pixel, each by one tap.
static bool reads_one(const xc_window_axis *axis, const block_axis *b) {
  return b->taps == b->stride && b->kernel == 1 && b->before == 0 &&
         b->after == 0 && axis->outputs == axis->inputs * axis->stride;
}

/// Whether the size of the output is that of padding which is spelt out.
static bool is_padded(const xc_window_axis *axis) {
  return axis->dilation == 1 && axis->before >= 0 && axis->after >= 0 &&
         (axis->inputs - 1) * axis->stride + axis->kernel - axis->before -
                 axis->after ==
             axis->outputs;
}

/// A concatenation wants the channels of a pixel apart from those of the next
/// one.
static bool feeds_concat(const xc_adaptor *root) {
  MlirOpOperand use = mlirValueGetFirstUse(xc_result_of(root));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const xc_op_info *user = xc_op_info_of(mlirOpOperandGetOwner(use));
    if (user &&
        (user->kind == XC_TIR_CONCAT || user->kind == XC_TIR_CONCAT_FIX))
      return true;
  }
  return false;
}

/// The weights of column x of a block are those of channels x * outputs and on.
static int64_t *place_columns(xc_rewriter *rewriter, const xc_shape *old,
                              const block_axis *w, const xc_shape *shape) {
  size_t count = (size_t)xc_shape_num_elements(shape);
  int64_t *from = xc_rewrite_alloc(rewriter, count + 1, sizeof *from);
  int64_t outputs = old->dims[0], rows = old->dims[1], inputs = old->dims[3];
  for (int64_t o = 0; o < shape->dims[0]; ++o) {
    int64_t tap = 0;
    while (!is_hit(w, o / outputs, tap))
      ++tap;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t c = 0; c < inputs; ++c)
        from[(o * rows + i) * inputs + c] =
            ((o % outputs * rows + i) * w->taps + tap) * inputs + c;
  }
  return from;
}

static MlirValue build_columns(xc_rewriter *rewriter, const xc_adaptor *root,
                               const xc_window *window, const block_axis *w) {
  xc_shape old = xc_operand_shape(root, XC_CONV2D_WEIGHT), shape = old;
  shape.dims[0] *= w->stride;
  shape.dims[2] = 1;
  MlirValue operands[3];
  if (!gather_operands(rewriter, root, place_columns(rewriter, &old, w, &shape),
                       &shape, w->stride, operands))
    return (MlirValue){NULL};
  const xc_window_axis *h = &window->h;
  const int64_t kernel[] = {1, h->kernel}, stride[] = {1, h->stride};
  const int64_t pad[] = {0, 0, h->before, h->after};
  const xc_attribute changes[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", stride, 2),
      xc_ints("pad", pad, 4), xc_string("pad_mode", "FLOOR")};
  return xc_rewrite_like(rewriter, root, root->info->kind, operands, 3, changes,
                         4);
}

bool xc_legalize_transposed_columns(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_window window = xc_window_of(root);
  xc_shape weight = xc_operand_shape(root, XC_CONV2D_WEIGHT);
  xc_shape result = xc_value_shape(xc_result_of(root));
  int64_t stride = window.w.stride, outputs = weight.dims[0];
  int64_t lanes = target->outputChannelParallel;
  block_axis w;
  if (stride == 1 || !is_padded(&window.h) ||
      xc_ceil_div64(outputs * stride, lanes) ==
          stride * xc_ceil_div64(outputs, lanes) ||
      outputs * stride > target->derived.maxConvOutputChannels ||
      !has_constants(root) || !read_axis(&window.w, &w) ||
      !reads_one(&window.w, &w) || feeds_concat(root))
    return false;
  MlirValue columns = build_columns(rewriter, root, &window, &w);
  return !mlirValueIsNull(columns) &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, columns, &result));
}
