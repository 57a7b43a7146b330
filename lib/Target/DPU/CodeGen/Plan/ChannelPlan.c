//===- ChannelPlan.c - plans of engines that take channels apart ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pools and depthwise convolutions compute each channel by itself. Where the
// channels of an image do not fit at once, they are computed in parts, each
// like a layer of its own.
//
//===----------------------------------------------------------------------===//

#include "Shifts.h"
#include "Windows.h"

#include "Target/DPU/CodeGen/Family.h"

/// Returns the engine's own functions: an xc_channel_engine begins with its
/// xc_layer_engine.
static const xc_channel_engine *channels_of(const xc_layer_engine *engine) {
  return (const xc_channel_engine *)(const void *)engine;
}

XcDpuRefusal xc_channel_check(const XcDpuTarget *target,
                              const XcDpuLayer *layer) {
  const xc_channel_engine *engine =
      channels_of(xc_layer_engine_of(target, layer));
  const XcDpuEngine *limits = engine->limits(target);
  XcDpuRefusal refusal = xc_accepted;
  if (limits->rows == 0 || !engine->has(target, layer))
    xc_require(&refusal, XcDpuRefusalReasonEngine, layer->kind, 0, -1);
  xc_windows_check(limits, layer, &refusal);
  xc_require(&refusal, XcDpuRefusalReasonShape, layer->output.channels,
             layer->inputs[0].channels, layer->inputs[0].channels);
  engine->check(target, layer, &refusal);
  return refusal;
}

int64_t xc_kernel_elements(const XcDpuTarget *target, const XcDpuLayer *layer) {
  (void)target;
  return (int64_t)layer->kernelH * layer->kernelW;
}

/// Whether the fields of the instructions can hold the layout of the images in
/// the banks.
static bool fits_fields(int32_t most, const xc_unit *unit) {
  const xc_bank_image *in = unit->layout.inputs[0], *out = unit->layout.output;
  return !(in && in->row_words > most) && !(out && out->row_words > most);
}

XcDpuRefusal xc_channel_split(const XcDpuTarget *target,
                              const XcDpuLayer *layer, int32_t *channels) {
  const xc_channel_engine *engine =
      channels_of(xc_layer_engine_of(target, layer));
  int32_t groups = xc_words_of(target, layer->inputs[0].channels);
  groups = xc_minimum(groups, engine->max_groups(target, layer));
  *channels = groups * target->channelParallel;
  if (groups == 0)
    return (XcDpuRefusal){XcDpuRefusalReasonWeightWords,
                          layer->kernelH * layer->kernelW, 1,
                          target->depthwiseWeights.depth};
  return xc_accepted;
}

XcDpuRefusal xc_channel_plan(const XcDpuTarget *target, const xc_unit *unit,
                             xc_unit_plan *plan) {
  const xc_channel_engine *engine = channels_of(unit->engine);
  xc_windows_request(target, unit, plan);
  xc_tile_request *request = &plan->request;
  request->engine_groups = request->in_groups;
  request->engine_rows = engine->limits(target)->rows;
  int32_t runs = xc_count_shift_runs(&unit->layer, request->in_groups);
  request->engine_start =
      runs * target->timing.aluStart + (runs - 1) * target->timing.initCycles;
  request->window_cycles = engine->window_cycles(target, &unit->layer);
  request->max_row_step = engine->max_row_step(target);
  engine->count_words(&unit->layer, request->in_groups, plan);
  if (!fits_fields(request->max_row_step, unit))
    return (XcDpuRefusal){XcDpuRefusalReasonRowStep, 0, 0, -1};
  return xc_windows_plan(plan);
}

int32_t xc_channel_joint_words(const XcDpuTarget *target, const xc_unit *unit,
                               xc_parameter_bank bank) {
  (void)target;
  const XcDpuLayer *layer = &unit->layer;
  if (bank == XC_PARAMETERS_BIAS && layer->hasBias && layer->canJoinBias)
    return (int32_t)unit->plan.bias_words;
  return bank == XC_PARAMETERS_DEPTHWISE && layer->canJoinWeights
             ? (int32_t)unit->plan.depthwise_words
             : 0;
}
