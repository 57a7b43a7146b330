//===- ConvKernel.c - kernels of layers -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerConv.h"

#include "Fold.h"

#include <stdlib.h>
#include <string.h>

/// Index in the undilated kernel, or -1 for one of the zeros.
static int64_t tap_index(const xc_conv *c, const xc_conv_taps *t, int axis,
                         int64_t j) {
  int64_t at = t->first[axis] + j * t->step[axis];
  if (at % c->axes[axis].dilation != 0 || at >= xc_conv_span(&c->axes[axis]))
    return -1;
  return at / c->axes[axis].dilation;
}

void xc_pick_conv_weights(const xc_conv *c, const xc_conv_taps *t, int8_t *to) {
  size_t channels =
      (size_t)(c->is_depthwise ? c->out_channels : c->in_channels);
  int64_t outer = c->is_depthwise ? 1 : c->out_channels;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < t->count[HEIGHT]; ++i)
      for (int64_t j = 0; j < t->count[WIDTH]; ++j, to += channels) {
        int64_t y = tap_index(c, t, HEIGHT, i), x = tap_index(c, t, WIDTH, j);
        if (y < 0 || x < 0) {
          memset(to, 0, channels);
          continue;
        }
        int64_t at =
            (o * c->axes[HEIGHT].kernel + y) * c->axes[WIDTH].kernel + x;
        memcpy(to, c->weights + (size_t)at * channels, channels);
      }
}

/// Whether a pixel may serve several columns: few channels leave room in its
/// words.
static bool can_serve_columns(const xc_lowering *lowering, const xc_conv *c) {
  return !c->is_depthwise && c->in_channels < lowering->target->channelParallel;
}

/// Whether weights may come together with others: the banks must hold twice as
/// many words.
static bool can_join_weights(const xc_lowering *lowering, const xc_conv *c,
                             const xc_conv_taps *t) {
  const XcDpuTarget *target = lowering->target;
  int64_t pixels = t->count[WIDTH] * t->count[HEIGHT];
  int64_t outputs = xc_fold_words(target, c->out_channels);
  if (c->is_depthwise)
    return 2 * pixels * outputs <= target->depthwiseWeights.depth;
  return 2 * pixels * outputs * xc_fold_words(target, c->in_channels) <=
         target->weights.depth;
}

/// Whether weights wait until the schedule is known.
static bool is_placed(const xc_lowering *lowering, const xc_conv *c,
                      const xc_conv_taps *t) {
  return c->is_depthwise || can_serve_columns(lowering, c) ||
         can_join_weights(lowering, c, t);
}

/// Adds the head of the recipe once for the operator, then each part of its
/// kernel. A kernel with padding cannot be read back.
static void add_recipe(xc_lowering *lowering, const xc_conv *c,
                       const xc_conv_taps *t, uint32_t address) {
  if (xc_conv_has_padding(c))
    return;
  const xc_conv_axis *w = &c->axes[WIDTH], *h = &c->axes[HEIGHT];
  const int32_t head[] = {XcDpuRecipeKernel,    XcDpuKernelLayoutConv,
                          c->out_channels,      c->in_channels,
                          (int32_t)w->kernel,   (int32_t)h->kernel,
                          (int32_t)w->dilation, (int32_t)h->dilation};
  const int32_t part[] = {(int32_t)address,          (int32_t)t->first[WIDTH],
                          (int32_t)t->first[HEIGHT], (int32_t)t->step[WIDTH],
                          (int32_t)t->step[HEIGHT],  (int32_t)t->count[WIDTH],
                          (int32_t)t->count[HEIGHT]};
  if (c->groups.words > 0)
    xc_begin_group_recipe(lowering, XC_CONV2D_FIX_WEIGHT, &c->groups);
  if (is_placed(lowering, c, t)) {
    const int32_t channels[] = {c->out_channels, c->in_channels, head[4],
                                head[5],         head[6],        head[7]};
    xc_add_channel_recipe(lowering, XC_CONV2D_FIX_WEIGHT, channels, address,
                          part + 1);
    return;
  }
  const xc_allocation *weights = xc_operand_allocation(
      lowering, &lowering->current->adaptor, XC_CONV2D_FIX_WEIGHT);
  if (!xc_has_recipe(weights))
    xc_add_recipe(lowering, XC_CONV2D_FIX_WEIGHT, head,
                  sizeof head / sizeof *head);
  xc_add_recipe(lowering, XC_CONV2D_FIX_WEIGHT, part,
                sizeof part / sizeof *part);
}

uint32_t xc_add_conv_weights(xc_lowering *lowering, const xc_conv *c,
                             const xc_conv_taps *t) {
  const XcDpuTarget *target = lowering->target;
  int32_t height = (int32_t)t->count[HEIGHT], width = (int32_t)t->count[WIDTH];
  size_t size = (size_t)c->out_channels * (size_t)c->in_channels *
                (size_t)(height * width);
  uint32_t address;
  int8_t *to[XC_DPU_NUM_REGISTERS];
  int8_t *weights = xc_alloc(size);
  xc_pick_conv_weights(c, t, weights);
  if (is_placed(lowering, c, t)) {
    address = xc_lower_channel_weights(
        lowering, &(xc_channel_kernel){.bytes = weights,
                                       .channels = c->out_channels,
                                       .pixels = height * width,
                                       .inputs = c->in_channels});
  } else {
    address =
        xc_weights_add(lowering,
                       xcDpuConvWeightBytes(target, c->out_channels, height,
                                            width, c->in_channels),
                       to);
    xcDpuLayoutConvWeights(target, weights, c->out_channels, height, width,
                           c->in_channels, to);
  }
  free(weights);
  add_recipe(lowering, c, t, address);
  return address;
}

XcDpuLayer xc_begin_conv(xc_lowering *lowering, const xc_adaptor *op,
                         const xc_conv *c, const xc_conv_taps *t,
                         uint32_t weights) {
  XcDpuLayer layer = xc_layer_begin(lowering, op,
                                    c->is_depthwise ? XcDpuLayerKindDepthwise
                                                    : XcDpuLayerKindConv);
  layer.kernelH = (int32_t)t->count[HEIGHT];
  layer.kernelW = (int32_t)t->count[WIDTH];
  layer.activation = c->activation;
  layer.shiftCut = c->epilogue.shiftCut;
  layer.shiftBias = c->epilogue.shiftBias;
  layer.wordShifts = c->shifts;
  layer.groups = c->groups;
  layer.hasBias = c->has_bias || c->has_zeros;
  layer.bias = c->bias;
  layer.weights = weights;
  layer.canBeDiagonal = c->is_depthwise;
  layer.canServeColumns = can_serve_columns(lowering, c);
  layer.canJoinWeights = can_join_weights(lowering, c, t);
  layer.canJoinBias = layer.hasBias;
  return layer;
}

void xc_set_folded_kernel(xc_lowering *lowering, XcDpuLayer *layer,
                          const int8_t *ohwi, int32_t oc) {
  const XcDpuTarget *target = lowering->target;
  int32_t height = layer->kernelH, width = layer->kernelW;
  int32_t ic = layer->inputs[0].channels;
  int64_t words = (int64_t)height * width * xc_fold_words(target, ic) *
                  xc_fold_words(target, oc);
  layer->kind = XcDpuLayerKindConv;
  layer->hasBias = true;
  layer->canBeDiagonal = false;
  layer->canServeColumns = ic < target->channelParallel && layer->columns <= 1;
  layer->canJoinWeights = 2 * words <= target->weights.depth;
  if (xcDpuPlacesWeights(layer)) {
    layer->weights = xc_lower_channel_weights(
        lowering,
        // It is copied.
        &(xc_channel_kernel){.bytes = (int8_t *)(uintptr_t)ohwi,
                             .channels = oc,
                             .pixels = height * width,
                             .inputs = ic});
    return;
  }
  int8_t *to[XC_DPU_NUM_REGISTERS];
  layer->weights = xc_weights_add(
      lowering, xcDpuConvWeightBytes(target, oc, height, width, ic), to);
  xcDpuLayoutConvWeights(target, ohwi, oc, height, width, ic, to);
}

uint64_t xc_conv_operations(const xc_conv *c, const XcDpuImage *image,
                            int64_t elements) {
  return 2 * (uint64_t)image->height * (uint64_t)image->width *
         (uint64_t)c->model_channels * (uint64_t)c->group_channels *
         (uint64_t)elements;
}
