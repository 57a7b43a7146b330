//===- Window.c - padding and pools ---------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include <math.h>

#include "xc-c/FixedPoint.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Explicit padding
//===----------------------------------------------------------------------===//

// One axis of a window: 0 is the width.
typedef struct window_axis {
  int64_t input, output, size, stride;
  int64_t before, after; // padding
} window_axis;

static window_axis read_axis(const xc_adaptor *adaptor, size_t axis) {
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS], dilation[XC_MAX_INTS],
      pad[XC_MAX_INTS];
  xc_attr_ints(adaptor, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(adaptor, XC_ATTR_STRIDE, stride);
  xc_attr_ints(adaptor, XC_ATTR_DILATION, dilation);
  xc_attr_ints(adaptor, XC_ATTR_PAD, pad);
  return (window_axis){xc_operand_shape(adaptor, 0).dims[2 - axis],
                       xc_value_shape(xc_result_of(adaptor)).dims[2 - axis],
                       (kernel[axis] - 1) * dilation[axis] + 1,
                       stride[axis],
                       pad[2 * axis],
                       pad[2 * axis + 1]};
}

static bool is_transposed(const xc_adaptor *adaptor) {
  xc_op_kind kind = adaptor->info->float_kind;
  return kind == XC_TIR_TRANSPOSED_CONV2D ||
         kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D;
}

// Border that SAME computes. A transposed window smaller than its stride leaves
// elements that no padding makes.
static bool spell_same(const xc_adaptor *adaptor, window_axis *axis) {
  int64_t total = is_transposed(adaptor) ? axis->size - axis->stride
                                         : (axis->output - 1) * axis->stride +
                                               axis->size - axis->input;
  if (total < 0 && is_transposed(adaptor))
    return false;
  total = total < 0 ? 0 : total;
  axis->before = total / 2;
  axis->after = total - total / 2;
  return true;
}

static bool is_average(const xc_adaptor *adaptor) {
  return adaptor->info->kind == XC_TIR_AVGPOOL2D ||
         (xc_has_attr(adaptor, XC_ATTR_COUNT_INCLUDE_PAD) &&
          xc_attr_is(adaptor, XC_ATTR_TYPE, XC_ENUM_AVG));
}

// The last window of CEIL may reach beyond the padding. An average must count
// those positions as it counts padding, or a larger padding changes it.
static bool spell_ceil(const xc_adaptor *adaptor, window_axis *axis) {
  int64_t beyond = (axis->output - 1) * axis->stride + axis->size -
                   (axis->input + axis->before + axis->after);
  if (beyond <= 0)
    return true;
  if (is_average(adaptor) &&
      xc_attr_bool(adaptor, XC_ATTR_COUNT_INCLUDE_PAD) !=
          xc_attr_bool(adaptor, XC_ATTR_COUNT_INCLUDE_INVALID))
    return false;
  axis->after += beyond;
  return true;
}

// Pools do not take padding as wide as their window.
static bool is_pool(const xc_adaptor *adaptor) {
  return xc_has_attr(adaptor, XC_ATTR_GLOBAL);
}

bool xc_legalize_explicit_padding(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  if (xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      (is_pool(root) && xc_attr_bool(root, XC_ATTR_GLOBAL)))
    return false;
  bool same = xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_SAME);
  bool ceil =
      xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_CEIL) && !is_transposed(root);
  int64_t pad[4];
  for (size_t i = 0; i < 2; ++i) {
    window_axis axis = read_axis(root, i);
    if ((same && !spell_same(root, &axis)) ||
        (ceil && !spell_ceil(root, &axis)) ||
        !xc_attr_takes(root, XC_ATTR_PAD, axis.before) ||
        !xc_attr_takes(root, XC_ATTR_PAD, axis.after) ||
        (is_pool(root) &&
         (axis.before >= axis.size || axis.after >= axis.size)))
      return false;
    pad[2 * i] = axis.before;
    pad[2 * i + 1] = axis.after;
  }
  MlirValue operands[XC_MAX_OPERANDS];
  size_t slots = root->info->num_operands;
  for (size_t slot = 0; slot < slots; ++slot)
    operands[slot] = xc_operand_or_null(root, slot);
  const xc_attribute changes[] = {xc_ints("pad", pad, 4),
                                  xc_string("pad_mode", "FLOOR")};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, slots, changes, 2));
}

//===----------------------------------------------------------------------===//
// Output padding
//===----------------------------------------------------------------------===//

// Returns the weight with `zeros` columns and rows before its own. The windows
// end where they did.
static MlirValue pad_weight(xc_rewriter *rewriter, MlirValue weight,
                            const int64_t zeros[2]) {
  xc_shape old = xc_value_shape(weight), shape = old;
  shape.dims[1] += zeros[1];
  shape.dims[2] += zeros[0];
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(int64_t));
  size_t at = 0;
  for (int64_t o = 0; o < shape.dims[0]; ++o)
    for (int64_t y = -zeros[1]; y < old.dims[1]; ++y)
      for (int64_t x = -zeros[0]; x < old.dims[2]; ++x)
        for (int64_t c = 0; c < shape.dims[3]; ++c)
          from[at++] =
              x < 0 || y < 0
                  ? (int64_t)-1
                  : ((o * old.dims[1] + y) * old.dims[2] + x) * old.dims[3] + c;
  return xc_rewrite_gather(rewriter, weight, from, &shape);
}

bool xc_legalize_output_padding(xc_rewriter *rewriter, const xc_adaptor *root) {
  int64_t extra[XC_MAX_INTS], pad[XC_MAX_INTS], kernel[XC_MAX_INTS], zeros[2];
  if (xc_attr_all(root, XC_ATTR_OUTPUT_PADDING, 0) ||
      !xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !xc_attr_all(root, XC_ATTR_DILATION, 1))
    return false;
  xc_attr_ints(root, XC_ATTR_OUTPUT_PADDING, extra);
  xc_attr_ints(root, XC_ATTR_PAD, pad);
  xc_attr_ints(root, XC_ATTR_KERNEL, kernel);
  for (size_t i = 0; i < 2; ++i) {
    int64_t *after = &pad[2 * i + 1];
    int64_t less = extra[i] < *after ? extra[i] : *after;
    *after -= less;
    zeros[i] = extra[i] - less;
    kernel[i] += zeros[i];
    if (!xc_attr_takes(root, XC_ATTR_KERNEL, kernel[i]))
      return false;
  }
  static const int64_t none[] = {0, 0};
  const xc_attribute changes[] = {xc_ints("pad", pad, 4),
                                  xc_ints("kernel", kernel, 2),
                                  xc_ints("output_padding", none, 2)};
  MlirValue operands[] = {xc_operand(root, XC_CONV2D_INPUT),
                          xc_operand(root, XC_CONV2D_WEIGHT),
                          xc_operand_or_null(root, XC_CONV2D_BIAS)};
  if (zeros[0] || zeros[1])
    operands[1] = pad_weight(rewriter, operands[1], zeros);
  return !mlirValueIsNull(operands[1]) &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, changes, 3));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static size_t read_axes(const xc_adaptor *adaptor, bool marked[XC_MAX_RANK]) {
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_attr_ints(adaptor, XC_ATTR_AXIS, ints);
  int64_t rank = (int64_t)xc_operand_shape(adaptor, 0).rank;
  memset(marked, 0, XC_MAX_RANK * sizeof(bool));
  for (size_t i = 0; i < count; ++i)
    marked[ints[i] < 0 ? ints[i] + rank : ints[i]] = true;
  return count;
}

// Reads the pool over H (1), W (2) or both that a reduction of an image is.
// Returns false for other axes.
static bool read_image_reduction(const xc_adaptor *adaptor, int64_t kernel[2]) {
  bool axes[XC_MAX_RANK];
  xc_shape input = xc_operand_shape(adaptor, 0);
  if (input.rank != 4 || read_axes(adaptor, axes) == 0 || axes[0] || axes[3])
    return false;
  kernel[0] = axes[2] ? input.dims[2] : 1;
  kernel[1] = axes[1] ? input.dims[1] : 1;
  return true;
}

static bool is_fix(const xc_adaptor *adaptor) {
  return adaptor->info->kind == XC_TIR_REDUCTION_MEAN_FIX ||
         adaptor->info->kind == XC_TIR_REDUCTION_MAX_FIX ||
         adaptor->info->kind == XC_TIR_STRIDED_SLICE_FIX;
}

// Whether the DPU's factor for the quotient is the quotient.
static bool divides_exactly(const int64_t kernel[2]) {
  enum { LARGEST_WINDOW = 1 << 24 };
  if (kernel[0] > LARGEST_WINDOW / kernel[1])
    return false;
  XcAvgFactor factor = xcAvgPoolFactor(kernel[1], kernel[0]);
  return kernel[0] * kernel[1] * factor.factor == INT64_C(1) << factor.shift;
}

static bool replace_by_pool(xc_rewriter *rewriter, const xc_adaptor *root,
                            xc_op_kind kind, MlirValue input,
                            const int64_t kernel[2], const int64_t stride[2],
                            bool average) {
  const xc_attribute changes[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", stride, 2),
      xc_string("type", average ? "AVG" : "MAX"), xc_bool("exact", true)};
  size_t count = kind != XC_TIR_POOL_FIX               ? 2
                 : average && !divides_exactly(kernel) ? 4
                                                       : 3;
  MlirValue pool =
      xc_rewrite_like(rewriter, root, kind, &input, 1, changes, count);
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, pool, &result));
}

// Whether an engine of the target has another factor that gives the quotient.
static bool has_exact_factor(const XcDpuTarget *target, const xc_adaptor *mean,
                             const int64_t kernel[2]) {
  XcAvgFactor factor;
  int gain = (int)(xc_attr_int(mean, XC_ATTR_OUTPUT_FIX_POINT) -
                   xc_attr_int(mean, XC_ATTR_INPUT_FIX_POINT));
  return xcDpuSetHas(target->aluModes, XcDpuAluModeDepthwise16) &&
         xc_engine_takes_window(&target->alu, kernel[0], kernel[1], 1, 1) &&
         xcExactAvgPoolFactor(kernel[0] * kernel[1], gain, &factor) &&
         factor.shift >= gain;
}

bool xc_legalize_mean_as_pool(xc_rewriter *rewriter, const xc_adaptor *root) {
  static const int64_t unit[] = {1, 1};
  int64_t kernel[2];
  if (!read_image_reduction(root, kernel) || kernel[0] == 0 || kernel[1] == 0 ||
      (is_fix(root) && !divides_exactly(kernel) &&
       !has_exact_factor(xc_rewrite_target(rewriter), root, kernel)))
    return false;
  return replace_by_pool(
      rewriter, root, is_fix(root) ? XC_TIR_POOL_FIX : XC_TIR_AVGPOOL2D,
      xc_operand(root, XC_REDUCTION_MEAN_INPUT), kernel, unit, true);
}

// Reads a reduction over one axis but the batch, with the axis as width and
// what is after it as channels.
static bool read_axis_reduction(const xc_adaptor *adaptor, xc_shape *image) {
  bool axes[XC_MAX_RANK];
  xc_shape input = xc_operand_shape(adaptor, 0);
  if (read_axes(adaptor, axes) != 1 || axes[0])
    return false;
  size_t axis = 0;
  while (!axes[axis])
    ++axis;
  *image = input;
  image->rank = 4;
  image->dims[0] = input.dims[0];
  image->dims[1] = image->dims[3] = 1;
  image->dims[2] = input.dims[axis];
  for (size_t i = 1; i < axis; ++i)
    image->dims[1] *= input.dims[i];
  for (size_t i = axis + 1; i < input.rank; ++i)
    image->dims[3] *= input.dims[i];
  return true;
}

static bool takes_maximum(const XcDpuTarget *target, int64_t w, int64_t h,
                          int64_t channels) {
  bool reduces = xcDpuSetHas(target->aluModes, XcDpuAluModeMaxReduce) &&
                 xc_range_has(target->maxReduceKernelW, w) &&
                 xc_range_has(target->maxReduceKernelH, h);
  return channels <= target->derived.maxConvInputChannels &&
         (reduces ||
          xc_engine_takes_window(xcDpuTargetGetPoolEngine(target), w, h, 1, 1));
}

// Chooses the kernel of a maximum over the columns. A single row is as many
// rows as divide it, of which the engine computes several at once.
static bool choose_kernel(const XcDpuTarget *target, xc_shape *image,
                          int64_t kernel[2]) {
  int64_t columns = image->dims[2];
  for (int64_t rows = image->dims[1] == 1 ? (int64_t)sqrt((double)columns) : 1;
       rows > 0; --rows)
    if (columns % rows == 0 &&
        takes_maximum(target, columns / rows, rows, image->dims[3])) {
      image->dims[1] *= rows;
      image->dims[2] = kernel[0] = columns / rows;
      kernel[1] = rows;
      return true;
    }
  return false;
}

bool xc_legalize_max_as_pool(xc_rewriter *rewriter, const xc_adaptor *root) {
  static const int64_t unit[] = {1, 1};
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_op_kind kind = is_fix(root) ? XC_TIR_POOL_FIX : XC_TIR_MAXPOOL2D;
  int64_t kernel[2];
  xc_shape input = xc_operand_shape(root, XC_REDUCTION_MAX_INPUT), image;
  if (read_image_reduction(root, kernel) &&
      takes_maximum(target, kernel[0], kernel[1], input.dims[3]))
    return replace_by_pool(rewriter, root, kind,
                           xc_operand(root, XC_REDUCTION_MAX_INPUT), kernel,
                           unit, false);
  if (!read_axis_reduction(root, &image) ||
      !choose_kernel(target, &image, kernel))
    return false;
  return replace_by_pool(
      rewriter, root, kind,
      xc_rewrite_reshape(rewriter, xc_operand(root, XC_REDUCTION_MAX_INPUT),
                         &image),
      kernel, unit, false);
}

/// Whether a concat reads the slice: blocks of pixels may become channels then
/// (Blocks.c).
static bool is_concatenated(const xc_adaptor *slice) {
  for (MlirOpOperand use = mlirValueGetFirstUse(xc_result_of(slice));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const xc_op_info *info = xc_op_info_of(mlirOpOperandGetOwner(use));
    if (info && info->float_kind == XC_TIR_CONCAT)
      return true;
  }
  return false;
}

bool xc_legalize_slice_as_pool(xc_rewriter *rewriter, const xc_adaptor *root) {
  static const int64_t unit[] = {1, 1};
  int64_t begin[XC_MAX_INTS], strides[XC_MAX_INTS];
  MlirValue image = xc_operand(root, XC_STRIDED_SLICE_INPUT);
  xc_shape input = xc_value_shape(image);
  xc_shape result = xc_value_shape(xc_result_of(root));
  xc_attr_ints(root, XC_ATTR_BEGIN, begin);
  xc_attr_ints(root, XC_ATTR_STRIDES, strides);
  if (input.rank != 4 || strides[1] < 1 || strides[2] < 1 ||
      strides[1] * strides[2] == 1 || strides[0] != 1 || strides[3] != 1)
    return false;
  bool is_whole = true;
  int64_t size[XC_MAX_RANK];
  for (size_t i = 0; i < 4; ++i) {
    size[i] = (result.dims[i] - 1) * strides[i] + 1;
    if (begin[i] < 0 || size[i] < 1 || begin[i] + size[i] > input.dims[i])
      return false;
    is_whole =
        is_whole && begin[i] == 0 && size[i] + strides[i] > input.dims[i];
  }
  const int64_t stride[] = {strides[2], strides[1]};
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  if (!xc_engine_takes_window(xcDpuTargetGetPoolEngine(target), 1, 1, stride[0],
                              stride[1]) ||
      (!is_whole && is_concatenated(root)))
    return false;
  if (!is_whole)
    image = xc_rewrite_cut(rewriter, image, begin, size);
  return replace_by_pool(rewriter, root,
                         is_fix(root) ? XC_TIR_POOL_FIX : XC_TIR_MAXPOOL2D,
                         image, unit, stride, false);
}
