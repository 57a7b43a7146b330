//===- Group.c - grouped and dilated convolutions -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"
#include "Support/Math.h"

enum { MOST_GROUPS = XC_MAX_OPERANDS - 1 };

static bool has_constant_parameters(const xc_adaptor *conv) {
  return xc_is_constant(xc_operand(conv, 1)) &&
         (!xc_has_operand(conv, 2) || xc_is_constant(xc_operand(conv, 2)));
}

//===----------------------------------------------------------------------===//
// Depthwise
//===----------------------------------------------------------------------===//

static xc_op_kind depthwise_kind(xc_op_kind kind) {
  switch (kind) {
  case XC_TIR_CONV2D_FIX:
    return XC_TIR_DEPTHWISE_CONV2D_FIX;
  case XC_TIR_TRANSPOSED_CONV2D:
    return XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D;
  case XC_TIR_TRANSPOSED_CONV2D_FIX:
    return XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX;
  default: // XC_TIR_CONV2D
    return XC_TIR_DEPTHWISE_CONV2D;
  }
}

// [C * M, KH, KW, 1] as [M, KH, KW, C]: channel c * M + m either way.
bool xc_legalize_group_as_depthwise(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  xc_shape old = xc_operand_shape(root, XC_CONV2D_WEIGHT), shape = old;
  int64_t group = xc_attr_int(root, XC_ATTR_GROUP);
  if (group == 1 || old.dims[3] != 1 || !has_constant_parameters(root))
    return false;
  shape.dims[0] = old.dims[0] / group;
  shape.dims[3] = group;
  int64_t window = old.dims[1] * old.dims[2];
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(int64_t));
  int64_t at = 0;
  for (int64_t m = 0; m < shape.dims[0]; ++m)
    for (int64_t i = 0; i < window; ++i)
      for (int64_t c = 0; c < group; ++c)
        from[at++] = (c * shape.dims[0] + m) * window + i;
  xc_attribute one = xc_int("group", 1);
  return xc_replace_conv(rewriter, root, depthwise_kind(root->info->kind), from,
                         &shape, &one, 1);
}

//===----------------------------------------------------------------------===//
// Dense or split
//===----------------------------------------------------------------------===//

typedef struct groups {
  int64_t count, inputs, outputs; // channels of each group
} groups;

static groups read_groups(const xc_adaptor *conv) {
  xc_shape weight = xc_operand_shape(conv, 1);
  int64_t count = xc_attr_int(conv, XC_ATTR_GROUP);
  return (groups){count, weight.dims[3], weight.dims[0] / count};
}

// Returns the cycles per pixel and weight position between so many channels.
static int64_t cycles(const XcDpuTarget *target, int64_t inputs,
                      int64_t outputs) {
  return xc_ceil_div64(inputs, target->inputChannelParallel) *
         xc_ceil_div64(outputs, target->outputChannelParallel);
}

// Slices of whole channel groups are windows of the image's banks.
static bool can_split(const XcDpuTarget *target, const groups *g) {
  return g->count <= MOST_GROUPS && g->inputs % target->channelParallel == 0 &&
         g->outputs % target->channelParallel == 0;
}

bool xc_legalize_group_as_dense(xc_rewriter *rewriter, const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  groups g = read_groups(root);
  xc_shape old = xc_operand_shape(root, XC_CONV2D_WEIGHT), shape = old;
  shape.dims[3] = g.inputs * g.count;
  if (g.count == 1 || !has_constant_parameters(root) ||
      !xc_target_takes_conv(target, old.dims[2], old.dims[1], shape.dims[3],
                            shape.dims[0]))
    return false;
  if (can_split(target, &g) &&
      cycles(target, shape.dims[3], shape.dims[0]) >
          g.count * cycles(target, g.inputs, g.outputs))
    return false;
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(int64_t));
  int64_t window = old.dims[1] * old.dims[2], at = 0;
  for (int64_t o = 0; o < shape.dims[0]; ++o)
    for (int64_t i = 0; i < window; ++i)
      for (int64_t c = 0; c < shape.dims[3]; ++c) {
        bool own = c / g.inputs == o / g.outputs;
        from[at++] =
            own ? (o * window + i) * g.inputs + c % g.inputs : (int64_t)-1;
      }
  xc_attribute one = xc_int("group", 1);
  return xc_replace_conv(rewriter, root, root->info->kind, from, &shape, &one,
                         1);
}

// Elements begin to begin + size of dimension `axis`.
static MlirValue cut(xc_rewriter *rewriter, MlirValue value, size_t axis,
                     int64_t begin, int64_t size) {
  int64_t first[XC_MAX_RANK] = {0};
  xc_shape shape = xc_value_shape(value);
  first[axis] = begin;
  shape.dims[axis] = size;
  return xc_rewrite_cut(rewriter, value, first, shape.dims);
}

// Whether no fix point is that of channels of two parts.
static bool can_split_points(const xc_adaptor *root, const groups *g) {
  return !xc_has_fix_groups(root) ||
         g->outputs % xc_attr_int(root, XC_ATTR_FIX_POINT_CHANNELS) == 0;
}

// Adds the entries of a list that are about part `part`.
static void add_points(xc_rewriter *rewriter, const xc_adaptor *root,
                       xc_attr list, int64_t part, const groups *g,
                       xc_attribute *changes, size_t *count) {
  int64_t ints[XC_MAX_INTS];
  if (!xc_has_attr(root, list) || xc_attr_ints(root, list, ints) == 0)
    return;
  size_t own =
      (size_t)(g->outputs / xc_attr_int(root, XC_ATTR_FIX_POINT_CHANNELS));
  int64_t *points = xc_rewrite_alloc(rewriter, own, sizeof(*points));
  for (size_t i = 0; i < own; ++i)
    points[i] = xc_attr_int_at(root, list, (size_t)part * own + i);
  changes[(*count)++] = xc_ints(xc_attr_name(list), points, own);
}

bool xc_legalize_group_split(xc_rewriter *rewriter, const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  groups g = read_groups(root);
  xc_shape weight = xc_operand_shape(root, XC_CONV2D_WEIGHT);
  if (g.count == 1 || !has_constant_parameters(root) ||
      !can_split(target, &g) || !can_split_points(root, &g) ||
      !xc_target_takes_conv(target, weight.dims[2], weight.dims[1], g.inputs,
                            g.outputs))
    return false;
  MlirValue parts[MOST_GROUPS];
  xc_attribute one = xc_int("group", 1);
  for (int64_t i = 0; i < g.count; ++i) {
    MlirValue bias = xc_operand_or_null(root, XC_CONV2D_BIAS);
    const MlirValue operands[] = {
        cut(rewriter, xc_operand(root, XC_CONV2D_INPUT), 3, i * g.inputs,
            g.inputs),
        cut(rewriter, xc_operand(root, XC_CONV2D_WEIGHT), 0, i * g.outputs,
            g.outputs),
        mlirValueIsNull(bias)
            ? bias
            : cut(rewriter, bias, 0, i * g.outputs, g.outputs)};
    xc_attribute changes[3] = {one};
    size_t count = 1;
    add_points(rewriter, root, XC_ATTR_WEIGHT_FIX_POINTS, i, &g, changes,
               &count);
    add_points(rewriter, root, XC_ATTR_BIAS_FIX_POINTS, i, &g, changes, &count);
    parts[i] = xc_rewrite_like(rewriter, root, root->info->kind, operands, 3,
                               changes, count);
  }
  bool fix = root->info->kind == XC_TIR_CONV2D_FIX;
  int64_t point = fix ? xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT) : 0;
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_join(rewriter, parts, (size_t)g.count, 3, point));
}

//===----------------------------------------------------------------------===//
// Dilation
//===----------------------------------------------------------------------===//

static bool takes_dilation(const XcDpuTarget *target, const xc_adaptor *conv,
                           const int64_t dilation[2]) {
  return xc_target_takes_dilation(target, xc_operand_shape(conv, 0).dims[3],
                                  dilation[0] > dilation[1] ? dilation[0]
                                                            : dilation[1],
                                  xc_attr_all(conv, XC_ATTR_STRIDE, 1));
}

bool xc_legalize_dilation_as_zeros(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t kernel[XC_MAX_INTS], dilation[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(root, XC_ATTR_DILATION, dilation);
  if (xc_attr_all(root, XC_ATTR_DILATION, 1) ||
      takes_dilation(target, root, dilation) ||
      !xc_is_constant(xc_operand(root, XC_CONV2D_WEIGHT)))
    return false;
  for (size_t i = 0; i < 2; ++i)
    kernel[i] = (kernel[i] - 1) * dilation[i] + 1;
  xc_shape old = xc_operand_shape(root, XC_CONV2D_WEIGHT), shape = old;
  shape.dims[1] = kernel[1];
  shape.dims[2] = kernel[0];
  if (!xc_target_takes_conv(target, kernel[0], kernel[1], shape.dims[3],
                            shape.dims[0]))
    return false;
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(int64_t));
  int64_t at = 0;
  for (int64_t o = 0; o < shape.dims[0]; ++o)
    for (int64_t y = 0; y < kernel[1]; ++y)
      for (int64_t x = 0; x < kernel[0]; ++x)
        for (int64_t c = 0; c < shape.dims[3]; ++c) {
          bool hit = y % dilation[1] == 0 && x % dilation[0] == 0;
          from[at++] =
              hit ? ((o * old.dims[1] + y / dilation[1]) * old.dims[2] +
                     x / dilation[0]) *
                            old.dims[3] +
                        c
                  : (int64_t)-1;
        }
  const int64_t unit[] = {1, 1};
  const xc_attribute changes[] = {xc_ints("kernel", kernel, 2),
                                  xc_ints("dilation", unit, 2)};
  return xc_replace_conv(rewriter, root, root->info->kind, from, &shape,
                         changes, 2);
}
