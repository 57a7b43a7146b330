//===- Family.c - code generation of a family -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Family.h"

#include "Emit/Emit.h"
#include "Support/Memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FAMILY(Name) &xc_family_##Name,
static const xc_family *const families[] = {XC_DPU_FAMILIES(FAMILY)};
#undef FAMILY

const xc_family *xc_family_of(const XcDpuTarget *target) {
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
    if (strcmp(families[i]->isa->name, target->isa) == 0)
      return families[i];
  assert(false && "only known instructions have layers");
  return NULL;
}

const xc_layer_engine *xc_layer_engine_of(const XcDpuTarget *target,
                                          const XcDpuLayer *layer) {
  return xc_family_of(target)->engines[layer->kind];
}

size_t xcDpuConvWeightBytes(const XcDpuTarget *target, int32_t oc, int32_t kh,
                            int32_t kw, int32_t ic) {
  return xc_family_of(target)->weight_bytes(target,
                                            &(xc_conv_weights){oc, kh, kw, ic});
}

void xcDpuLayoutConvWeights(const XcDpuTarget *target, const int8_t *ohwi,
                            int32_t oc, int32_t kh, int32_t kw, int32_t ic,
                            int8_t *const *results) {
  xc_family_of(target)->layout_weights(
      target, &(xc_conv_weights){oc, kh, kw, ic}, ohwi, results);
}

//===----------------------------------------------------------------------===//
// Diagonal layers
//===----------------------------------------------------------------------===//

size_t xcDpuDiagonalWeightBytes(const XcDpuTarget *target, int32_t channels,
                                int32_t kh, int32_t kw) {
  return xcDpuConvWeightBytes(target, channels, kh, kw,
                              target->channelParallel);
}

void xcDpuLayoutDiagonalWeights(const XcDpuTarget *target, const int8_t *hwc,
                                int32_t channels, int32_t kh, int32_t kw,
                                int8_t *const *results) {
  size_t width = (size_t)target->channelParallel, all = (size_t)channels;
  size_t elements = (size_t)(kh * kw);
  int8_t *ohwi = xc_alloc(all * elements * width);
  for (size_t c = 0; c < all; ++c)
    for (size_t k = 0; k < elements; ++k)
      ohwi[(c * elements + k) * width + c % width] = hwc[k * all + c];
  xcDpuLayoutConvWeights(target, ohwi, channels, kh, kw, (int32_t)width,
                         results);
  free(ohwi);
}

//===----------------------------------------------------------------------===//
// Pixels that serve several columns
//===----------------------------------------------------------------------===//

/// Column after column the output channels of all words, of the last one those
/// that there are.
static xc_conv_weights wide_weights(const XcDpuTarget *target,
                                    const XcDpuColumnWeights *w) {
  int32_t words = xc_words_of(target, w->oc);
  return (xc_conv_weights){
      .out_channels =
          (w->columns - 1) * words * target->channelParallel + w->oc,
      .kernel_h = w->kh,
      .kernel_w = (w->columns - 1) * w->stride + w->kw,
      .in_channels = w->ic};
}

size_t xcDpuColumnWeightBytes(const XcDpuTarget *target,
                              const XcDpuColumnWeights *weights) {
  xc_conv_weights wide = wide_weights(target, weights);
  return xc_family_of(target)->weight_bytes(target, &wide);
}

void xcDpuLayoutColumnWeights(const XcDpuTarget *target, const int8_t *ohwi,
                              const XcDpuColumnWeights *weights,
                              int8_t *const *results) {
  xc_conv_weights wide = wide_weights(target, weights);
  size_t ic = (size_t)weights->ic, kh = (size_t)weights->kh;
  size_t row = (size_t)weights->kw * ic, to_row = (size_t)wide.kernel_w * ic;
  int32_t channels = xc_words_of(target, weights->oc) * target->channelParallel;
  int8_t *to = xc_alloc((size_t)wide.out_channels * kh * to_row);
  for (int32_t column = 0; column < weights->columns; ++column)
    for (int32_t o = 0; o < weights->oc; ++o) {
      size_t at = (size_t)(column * channels + o) * kh * to_row +
                  (size_t)(column * weights->stride) * ic;
      const int8_t *from = ohwi + (size_t)o * kh * row;
      for (size_t y = 0; y < kh; ++y)
        memcpy(to + at + y * to_row, from + y * row, row);
    }
  xc_family_of(target)->layout_weights(target, &wide, to, results);
  free(to);
}

//===----------------------------------------------------------------------===//
// Engines that families share
//===----------------------------------------------------------------------===//

const xc_layer_engine xc_conv_engine = {
    .check = xc_conv_check, .plan = xc_conv_plan, .emit = &xc_conv_emitter};

const xc_layer_engine xc_diagonal_engine = {.check = xc_conv_check,
                                            .split = xc_conv_split,
                                            .plan = xc_conv_plan,
                                            .emit = &xc_conv_emitter};

const xc_layer_engine xc_elementwise_engine = {.check = xc_elementwise_check,
                                               .split = xc_elementwise_split,
                                               .plan = xc_elementwise_plan,
                                               .emit = &xc_elementwise_emitter};

const xc_layer_engine xc_argmax_engine = {.check = xc_elementwise_check,
                                          .plan = xc_elementwise_plan,
                                          .emit = &xc_elementwise_emitter};

const xc_layer_engine xc_fill_engine = {
    .check = xc_fill_check, .plan = xc_fill_plan, .emit = &xc_fill_emitter};
