//===- ReadConv.c - what a convolution is ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerConv.h"

#include <stdlib.h>
#include <string.h>

static void read_window(const xc_adaptor *op, xc_conv *c) {
  xc_window window = xc_window_of(op);
  for (int axis = WIDTH; axis <= HEIGHT; ++axis) {
    const xc_window_axis *from = axis == WIDTH ? &window.w : &window.h;
    c->axes[axis] = (xc_conv_axis){.kernel = from->kernel,
                                   .stride = from->stride,
                                   .dilation = from->dilation,
                                   .before = from->before,
                                   .inputs = from->inputs,
                                   .outputs = from->outputs};
  }
}

/// The convolution engine always adds a bias, an engine of its own for
/// depthwise convolutions, too.
static bool can_omit_bias(const xc_lowering *lowering) {
  return xcDpuSetHas(lowering->target->aluModes, XcDpuAluModeDepthwiseNoBias);
}

/// One byte for each output channel, in each column of a pixel.
static bool read_bias_bytes(const xc_adaptor *op, const xc_conv *c,
                            int8_t *to) {
  size_t size;
  int8_t *bytes = xc_constant_operand(op, XC_CONV2D_FIX_BIAS, &size);
  if (!bytes)
    return false;
  size_t width = size / (size_t)c->model_channels;
  bool ok = true;
  for (int32_t i = 0; ok && i < c->model_channels; ++i) {
    int64_t value = 0;
    for (size_t b = width; b-- > 0;)
      value = value * 256 + (b + 1 == width
                                 ? bytes[(size_t)i * width + b]
                                 : (uint8_t)bytes[(size_t)i * width + b]);
    if (value < INT8_MIN || value > INT8_MAX)
      ok = xc_refuse(op, "bias %d is %lld, expected -128 to 127", i,
                     (long long)value);
    for (int32_t j = 0; j < c->columns; ++j)
      to[j * c->out_channels + xc_conv_place(c, i)] = (int8_t)value;
  }
  free(bytes);
  return ok;
}

/// As a depthwise kernel of one element.
static void add_bias(xc_lowering *lowering, xc_conv *c, int8_t *bytes) {
  static const int32_t elements[6] = {0, 0, 1, 1, 1, 1};
  const int32_t head[] = {c->out_channels, 1, 1, 1, 1, 1};
  c->bias = xc_lower_channel_weights(
      lowering, &(xc_channel_kernel){.bytes = bytes,
                                     .channels = c->columns * c->out_channels,
                                     .pixels = 1,
                                     .inputs = 1});
  if (c->has_bias && !c->out_layout)
    xc_add_channel_recipe(lowering, XC_CONV2D_FIX_BIAS, head, c->bias,
                          elements);
}

static void read_columns(const xc_lowering *lowering, const xc_adaptor *op,
                         xc_conv *c) {
  bool is_transposed = op->info->kind == XC_TIR_TRANSPOSED_CONV2D_FIX ||
                       op->info->kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX;
  c->columns = is_transposed ? xc_joint_phases(lowering, op, c)
                             : xc_output_allocation(lowering, op)->columns;
  c->is_folded = is_transposed ? c->columns > 1
                               : xc_is_folded(lowering, lowering->current);
}

static bool read_bias(xc_lowering *lowering, const xc_adaptor *op, xc_conv *c) {
  c->has_bias = xc_has_operand(op, XC_CONV2D_FIX_BIAS);
  c->has_zeros = !c->has_bias &&
                 !(c->is_depthwise && can_omit_bias(lowering) && !c->is_folded);
  if (!c->has_bias && !c->has_zeros)
    return true;
  size_t size = (size_t)(c->columns * c->out_channels);
  int8_t *bytes = xc_alloc(size);
  memset(bytes, 0, size);
  bool ok = !c->has_bias || read_bias_bytes(op, c, bytes);
  if (ok)
    add_bias(lowering, c, bytes);
  free(bytes);
  return ok;
}

/// Those of the fix points of groups of channels, which no word is of two of.
static void read_shifts(xc_lowering *lowering, const xc_adaptor *op,
                        xc_conv *c) {
  xc_fix_groups groups = xc_fix_groups_of(op, c->model_channels);
  if (groups.count == 1)
    return;
  int32_t width = lowering->target->channelParallel;
  int32_t words = (c->columns * c->out_channels + width - 1) / width;
  c->shifts =
      xc_arena_alloc(&lowering->arena, (size_t)words, sizeof *c->shifts);
  for (int32_t i = 0; i < words; ++i) {
    int32_t channel = xc_conv_channel_at(c, i * width % c->out_channels);
    XcFixEpilogue own =
        xc_fix_group_epilogue(op, &c->epilogue, channel / groups.channels);
    c->shifts[i] = (XcDpuShifts){own.shiftCut, c->has_bias ? own.shiftBias : 0};
  }
}

/// Whether the channels of all words share their fix points. Those of pixels
/// with padding do.
static bool check_groups(const xc_lowering *lowering, const xc_adaptor *op,
                         const xc_conv *c) {
  xc_fix_groups groups = xc_fix_groups_of(op, c->model_channels);
  if (c->out_layout)
    return true;
  int64_t width = lowering->target->channelParallel;
  for (int64_t i = 1; i < groups.count; ++i)
    if (i * groups.channels % width != 0 &&
        (xc_fix_weight_point(op, i) != xc_fix_weight_point(op, i - 1) ||
         xc_fix_bias_point(op, i) != xc_fix_bias_point(op, i - 1)))
      return xc_refuse(op,
                       "fix points change at channel %d, expected at a "
                       "multiple of %d",
                       (int)(i * groups.channels), (int)width);
  return true;
}

/// Hard sigmoid follows as a layer of its own.
static bool read_arithmetic(xc_lowering *lowering, const xc_adaptor *op,
                            xc_conv *c) {
  XcActivation activation = xc_activation_of(op);
  c->has_sigmoid = activation == XcActivationHSigmoid;
  if (c->has_sigmoid)
    activation = XcActivationNone;
  if (!xc_lower_activation(op, activation,
                           xc_fix_point(op, XC_ATTR_OUTPUT_FIX_POINT),
                           &c->activation) ||
      !xc_fix_epilogue_of(op, &c->epilogue) || !check_groups(lowering, op, c))
    return false;
  if (!c->has_bias)
    c->epilogue.shiftBias = 0;
  read_shifts(lowering, op, c);
  return true;
}

bool xc_read_conv(xc_lowering *lowering, const xc_adaptor *op, xc_conv *c,
                  bool is_depthwise) {
  xc_shape in = xc_operand_shape(op, XC_CONV2D_FIX_INPUT);
  xc_shape weight = xc_operand_shape(op, XC_CONV2D_FIX_WEIGHT);
  c->is_depthwise = is_depthwise;
  if (is_depthwise ? weight.dims[0] != 1 : xc_group_of(op) != 1)
    return xc_refuse(op, is_depthwise ? "every channel has several outputs"
                                      : "'group' is not 1");
  const xc_allocation *from =
      xc_operand_allocation(lowering, op, XC_CONV2D_FIX_INPUT);
  c->in_layout = from->layout;
  c->out_layout = xc_output_allocation(lowering, op)->layout;
  c->pixel_channels = c->in_layout ? c->in_layout->padded : (int32_t)in.dims[3];
  c->in_channels = is_depthwise ? 1 : c->pixel_channels;
  c->model_channels = (int32_t)(is_depthwise ? in.dims[3] : weight.dims[0]);
  c->out_channels = c->out_layout ? c->out_layout->padded : c->model_channels;
  c->group_channels = c->in_channels;
  read_window(op, c);
  read_columns(lowering, op, c);
  if (!read_bias(lowering, op, c) || !read_arithmetic(lowering, op, c))
    return false;
  size_t size;
  c->weights = xc_constant_operand(op, XC_CONV2D_FIX_WEIGHT, &size);
  if (c->weights && xc_conv_has_padding(c))
    xc_pad_conv_weights(c);
  if (c->weights && !is_depthwise)
    xc_find_conv_groups(lowering, c);
  return c->weights != NULL;
}
