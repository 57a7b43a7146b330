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

//===----------------------------------------------------------------------===//
// Among the weights of other layers
//===----------------------------------------------------------------------===//

static size_t channel_bytes(const xc_conv_weights *w) {
  return (size_t)w->kernel_h * (size_t)w->kernel_w * (size_t)w->in_channels;
}

/// Returns the number of runs of an output channel.
static size_t num_runs(const xc_conv_weights *w,
                       const XcDpuJointLayout *layout) {
  return channel_bytes(w) / layout->run;
}

/// Returns the number of bytes from the first run to that of an output channel.
static size_t joint_offset(const XcDpuTarget *target, const xc_conv_weights *w,
                           const XcDpuJointLayout *layout, int32_t o) {
  int32_t lanes = target->weights.numBanks, full = w->out_channels / lanes;
  size_t bank = xcDpuJointOffset(layout, (uint32_t)(o % lanes));
  if (layout->tail && o / lanes == full)
    return bank + layout->tail;
  return bank + (size_t)(o / lanes) * num_runs(w, layout) * layout->step;
}

/// Returns the number of bytes from the first run to the end of the last one.
static size_t joint_bytes(const XcDpuTarget *target, const xc_conv_weights *w,
                          const XcDpuJointLayout *layout) {
  size_t size = num_runs(w, layout) * layout->step, end = 0;
  for (int32_t o = 0; o < w->out_channels; ++o) {
    size_t now = joint_offset(target, w, layout, o) + size;
    end = now > end ? now : end;
  }
  return end;
}

static size_t bytes_of(const XcDpuTarget *target, const xc_conv_weights *w,
                       const XcDpuJointLayout *layout) {
  return layout->step ? joint_bytes(target, w, layout)
                      : xc_family_of(target)->weight_bytes(target, w);
}

/// The weights of an output channel: `count` runs of so many bytes, so far
/// apart.
typedef struct channel_runs {
  xc_weight_place first;
  size_t run, step, count;
} channel_runs;

static channel_runs runs_of(const XcDpuTarget *target, const xc_conv_weights *w,
                            const XcDpuJointLayout *layout, int32_t o) {
  if (layout->step)
    return (channel_runs){
        .first = {.offset = joint_offset(target, w, layout, o)},
        .run = layout->run,
        .step = layout->step,
        .count = num_runs(w, layout)};
  return (channel_runs){.first =
                            xc_family_of(target)->place_weights(target, w, o),
                        .run = channel_bytes(w),
                        .count = 1};
}

static void lay_out(const XcDpuTarget *target, const xc_conv_weights *w,
                    const int8_t *ohwi, const XcDpuJointLayout *layout,
                    int8_t *const *results) {
  size_t size = channel_bytes(w);
  for (int32_t o = 0; o < w->out_channels; ++o, ohwi += size) {
    channel_runs runs = runs_of(target, w, layout, o);
    int8_t *to = results[runs.first.reg] + runs.first.offset;
    for (size_t n = 0; n < runs.count; ++n)
      memcpy(to + n * runs.step, ohwi + n * runs.run, runs.run);
  }
}

static void read_channel(const XcDpuTarget *target, const xc_conv_weights *w,
                         const XcDpuJointLayout *layout, int32_t o,
                         const int8_t *const *registers, int8_t *hwi) {
  channel_runs runs = runs_of(target, w, layout, o);
  const int8_t *from = registers[runs.first.reg] + runs.first.offset;
  for (size_t n = 0; n < runs.count; ++n)
    memcpy(hwi + n * runs.run, from + n * runs.step, runs.run);
}

void xcDpuLayoutConvWeights(const XcDpuTarget *target, const int8_t *ohwi,
                            int32_t oc, int32_t kh, int32_t kw, int32_t ic,
                            int8_t *const *results) {
  lay_out(target, &(xc_conv_weights){oc, kh, kw, ic}, ohwi,
          &(XcDpuJointLayout){0}, results);
}

//===----------------------------------------------------------------------===//
// Diagonal layers
//===----------------------------------------------------------------------===//

static xc_conv_weights diagonal_weights(const XcDpuTarget *target,
                                        const XcDpuDiagonalWeights *w) {
  return (xc_conv_weights){w->channels, w->kh, w->kw, target->channelParallel};
}

int32_t xcDpuGroupFirstWord(const XcDpuTarget *target,
                            const XcDpuChannelGroups *groups, int32_t channels,
                            int32_t first) {
  int32_t word =
      first / groups->outputs * groups->inputs / target->channelParallel;
  return xc_minimum(word, xc_words_of(target, channels) - groups->words);
}

size_t xcDpuDiagonalWeightBytes(const XcDpuTarget *target,
                                const XcDpuDiagonalWeights *weights) {
  xc_conv_weights conv = diagonal_weights(target, weights);
  return bytes_of(target, &conv, &weights->layout);
}

void xcDpuLayoutDiagonalWeights(const XcDpuTarget *target, const int8_t *hwc,
                                const XcDpuDiagonalWeights *weights,
                                int8_t *const *results) {
  xc_conv_weights conv = diagonal_weights(target, weights);
  size_t width = (size_t)target->channelParallel;
  size_t all = (size_t)weights->channels;
  size_t elements = (size_t)(weights->kh * weights->kw);
  int8_t *ohwi = xc_alloc(all * elements * width);
  for (size_t c = 0; c < all; ++c)
    for (size_t k = 0; k < elements; ++k)
      ohwi[(c * elements + k) * width + c % width] = hwc[k * all + c];
  lay_out(target, &conv, ohwi, &weights->layout, results);
  free(ohwi);
}

void xc_read_diagonal_weights(const XcDpuTarget *target,
                              const XcDpuDiagonalWeights *weights,
                              const int8_t *const *registers, int8_t *hwc) {
  xc_conv_weights conv = diagonal_weights(target, weights);
  size_t width = (size_t)target->channelParallel;
  size_t all = (size_t)weights->channels;
  size_t elements = (size_t)(weights->kh * weights->kw);
  int8_t *hwi = xc_alloc(elements * width);
  for (size_t c = 0; c < all; ++c) {
    read_channel(target, &conv, &weights->layout, (int32_t)c, registers, hwi);
    for (size_t k = 0; k < elements; ++k)
      hwc[k * all + c] = hwi[k * width + c % width];
  }
  free(hwi);
}

//===----------------------------------------------------------------------===//
// Pixels that serve several columns
//===----------------------------------------------------------------------===//

/// Returns the weights of a convolution whose output channels are those of all
/// columns, one column after the other. Words are whole in all columns but the
/// last one.
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
  return bytes_of(target, &wide, &weights->layout);
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
  lay_out(target, &wide, to, &weights->layout, results);
  free(to);
}

void xc_read_column_weights(const XcDpuTarget *target,
                            const XcDpuColumnWeights *weights,
                            const int8_t *const *registers, int8_t *ohwi) {
  xc_conv_weights wide = wide_weights(target, weights);
  size_t ic = (size_t)weights->ic, kh = (size_t)weights->kh;
  size_t row = (size_t)weights->kw * ic, wide_row = (size_t)wide.kernel_w * ic;
  int8_t *hwi = xc_alloc(kh * wide_row);
  // All columns have the same; the first one begins where the window does.
  for (int32_t o = 0; o < weights->oc; ++o) {
    read_channel(target, &wide, &weights->layout, o, registers, hwi);
    for (size_t y = 0; y < kh; ++y, ohwi += row)
      memcpy(ohwi, hwi + y * wide_row, row);
  }
  free(hwi);
}

//===----------------------------------------------------------------------===//
// Engines that families share
//===----------------------------------------------------------------------===//

const xc_layer_engine xc_conv_engine = {.check = xc_conv_check,
                                        .plan = xc_conv_plan,
                                        .emit = &xc_conv_emitter,
                                        .joint_words = xc_conv_joint_words};

const xc_layer_engine xc_diagonal_engine = {.check = xc_conv_check,
                                            .split = xc_conv_split,
                                            .plan = xc_conv_plan,
                                            .emit = &xc_conv_emitter,
                                            .joint_words = xc_conv_joint_words};

const xc_layer_engine xc_elementwise_engine = {.check = xc_elementwise_check,
                                               .split = xc_elementwise_split,
                                               .plan = xc_elementwise_plan,
                                               .emit = &xc_elementwise_emitter};

const xc_layer_engine xc_argmax_engine = {.check = xc_elementwise_check,
                                          .plan = xc_elementwise_plan,
                                          .emit = &xc_elementwise_emitter};

const xc_layer_engine xc_fill_engine = {
    .check = xc_fill_check, .plan = xc_fill_plan, .emit = &xc_fill_emitter};
