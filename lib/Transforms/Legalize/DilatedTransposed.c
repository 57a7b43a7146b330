//===- DilatedTransposed.c - dilated transposed convolutions --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No DPU dilates the kernel of a transposed convolution. With unit strides it
// is a convolution, which DPUs dilate: weights are as they are read, and
// padding is what the kernel reaches beyond the input, less what is cut off.
// With others it has a larger kernel, with zeros between the taps.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

// Both axes of a transposed convolution, width first.
static bool read_axes(const xc_adaptor *root, xc_window_axis axes[2]) {
  if (!xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR))
    return false;
  const xc_window window = xc_window_of(root);
  axes[0] = window.w;
  axes[1] = window.h;
  return axes[0].dilation > 1 || axes[1].dilation > 1;
}

static xc_op_kind conv_kind(const xc_adaptor *root) {
  switch (root->info->kind) {
  case XC_TIR_TRANSPOSED_CONV2D:
    return XC_TIR_CONV2D;
  case XC_TIR_TRANSPOSED_CONV2D_FIX:
    return XC_TIR_CONV2D_FIX;
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D:
    return XC_TIR_DEPTHWISE_CONV2D;
  default:
    return XC_TIR_DEPTHWISE_CONV2D_FIX;
  }
}

static bool replace(xc_rewriter *rewriter, const xc_adaptor *root,
                    xc_op_kind kind, MlirValue weight,
                    const xc_attribute *changes, size_t num_changes) {
  const MlirValue operands[] = {xc_operand(root, XC_CONV2D_INPUT), weight,
                                xc_operand_or_null(root, XC_CONV2D_BIAS)};
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, kind, operands, 3, changes, num_changes));
}

// Rows and columns that are added to the output are padding at its end.
bool xc_legalize_transposed_as_conv(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  xc_window_axis axes[2];
  int64_t pad[4];
  if (!read_axes(root, axes))
    return false;
  for (int axis = 0; axis < 2; ++axis) {
    const xc_window_axis *a = &axes[axis];
    int64_t reach = xc_window_span(a) - 1;
    int64_t all = a->outputs + reach - a->inputs;
    pad[2 * axis] = reach - a->before;
    pad[2 * axis + 1] = all - pad[2 * axis];
    if (a->stride != 1 || !xc_attr_takes(root, XC_ATTR_PAD, pad[2 * axis]) ||
        !xc_attr_takes(root, XC_ATTR_PAD, pad[2 * axis + 1]))
      return false;
  }
  const xc_attribute changes[] = {xc_ints("pad", pad, 4)};
  return replace(rewriter, root, conv_kind(root),
                 xc_operand(root, XC_CONV2D_WEIGHT), changes, 1);
}

// Returns the weight with zeros between its rows and columns, and `lead`
// columns and rows of them before its own.
static MlirValue spread_weight(xc_rewriter *rewriter, MlirValue weight,
                               const xc_window_axis axes[2],
                               const int64_t lead[2]) {
  xc_shape old = xc_value_shape(weight), shape = old;
  shape.dims[1] = lead[1] + xc_window_span(&axes[1]);
  shape.dims[2] = lead[0] + xc_window_span(&axes[0]);
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(int64_t));
  size_t at = 0;
  for (int64_t o = 0; o < shape.dims[0]; ++o)
    for (int64_t y = -lead[1]; y < shape.dims[1] - lead[1]; ++y)
      for (int64_t x = -lead[0]; x < shape.dims[2] - lead[0]; ++x)
        for (int64_t c = 0; c < shape.dims[3]; ++c) {
          bool is_tap = y >= 0 && y % axes[1].dilation == 0 && x >= 0 &&
                        x % axes[0].dilation == 0;
          int64_t row = o * old.dims[1] + y / axes[1].dilation;
          int64_t pixel = row * old.dims[2] + x / axes[0].dilation;
          from[at++] = is_tap ? pixel * old.dims[3] + c : -1;
        }
  return xc_rewrite_gather(rewriter, weight, from, &shape);
}

// The kernel on one axis, with the zeros of `lead`. Rows and columns that are
// added to the output are fewer than the stride, where there is no dilation:
// others come from zeros.
static int64_t spread_axis(const xc_window_axis *axis, int64_t *extra,
                           int64_t *lead) {
  *lead = *extra < axis->stride ? 0 : *extra;
  *extra -= *lead;
  return *lead + xc_window_span(axis);
}

bool xc_legalize_transposed_taps(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  static const int64_t unit[] = {1, 1};
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_window_axis axes[2];
  MlirValue weight = xc_operand(root, XC_CONV2D_WEIGHT);
  if (!read_axes(root, axes) || !xc_is_constant(weight))
    return false;
  int64_t kernel[2], lead[2], extra[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_OUTPUT_PADDING, extra);
  for (int axis = 0; axis < 2; ++axis)
    kernel[axis] = spread_axis(&axes[axis], &extra[axis], &lead[axis]);
  const XcDpuEngine *engine = xc_is_depthwise(root)
                                  ? xcDpuTargetGetDepthwiseEngine(target)
                                  : &target->conv;
  if (!engine || !xc_range_has(engine->kernelW, kernel[0]) ||
      !xc_range_has(engine->kernelH, kernel[1]))
    return false;
  const xc_attribute changes[] = {xc_ints("kernel", kernel, 2),
                                  xc_ints("dilation", unit, 2),
                                  xc_ints("output_padding", extra, 2)};
  return replace(rewriter, root, root->info->kind,
                 spread_weight(rewriter, weight, axes, lead), changes, 3);
}
