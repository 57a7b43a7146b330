//===- ConvPlan.c - convolutions ------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerKind.h"
#include "Shifts.h"
#include "Strips.h"
#include "Windows.h"

static void check_add(const XcDpuTarget *target, const XcDpuLayer *layer,
                      XcDpuRefusal *refusal) {
  const XcDpuImage *in = &layer->inputs[1], *out = &layer->output;
  if (!xcDpuSetHas(target->elementwiseKinds, XcDpuElementwiseKindAdd))
    xc_require(refusal, XcDpuRefusalReasonEngine, XcDpuLayerKindAdd, 0, -1);
  if (!xcDpuSetHas(target->elementwiseActivations, layer->addActivation))
    xc_require(refusal, XcDpuRefusalReasonActivation, layer->addActivation, 0,
               -1);
  xc_require(refusal, XcDpuRefusalReasonShape, in->height, out->height,
             out->height);
  xc_require(refusal, XcDpuRefusalReasonShape, in->width, out->width,
             out->width);
  xc_require(refusal, XcDpuRefusalReasonShape, in->channels, out->channels,
             out->channels);
  for (int k = 0; k < 2; ++k)
    xc_require_range(refusal, XcDpuRefusalReasonShiftRead, layer->shiftRead[k],
                     target->elementwiseShiftRead);
  xc_require_range(refusal, XcDpuRefusalReasonShiftWrite, layer->shiftWrite,
                   target->elementwiseShiftWrite);
}

static void check_channels(const XcDpuTarget *target, const XcDpuLayer *layer,
                           XcDpuRefusal *refusal) {
  int32_t in = xc_words_of(target, layer->inputs[0].channels);
  int32_t out = xc_words_of(target, layer->output.channels);
  if (layer->groups.words > 0)
    in = layer->groups.words;
  xc_require(refusal, XcDpuRefusalReasonChannels, in, 1,
             target->conv.maxInputGroups);
  xc_require(refusal, XcDpuRefusalReasonChannels, out, 1,
             target->conv.maxOutputGroups);
  xc_require(refusal, XcDpuRefusalReasonBiasWords, out, 1, target->bias.depth);
}

XcDpuRefusal xc_conv_check(const XcDpuTarget *target, const XcDpuLayer *layer) {
  const XcDpuEngine *engine = &target->conv;
  const XcDpuImage *in = &layer->inputs[0], *out = &layer->output;
  XcDpuRefusal refusal = xc_accepted;
  xc_windows_check(engine, layer, &refusal);
  xc_require_shifts(&refusal, target, layer, engine, true);
  if (!xcDpuSetHas(engine->activations, layer->activation))
    xc_require(&refusal, XcDpuRefusalReasonActivation, layer->activation, 0,
               -1);
  if (layer->kind != XcDpuLayerKindDiagonal) // which is split
    check_channels(target, layer, &refusal);
  if (layer->numInputs == 2)
    check_add(target, layer, &refusal);
  if (layer->kind == XcDpuLayerKindDiagonal)
    xc_require(&refusal, XcDpuRefusalReasonShape, out->channels, in->channels,
               in->channels);
  return refusal;
}

XcDpuRefusal xc_conv_split(const XcDpuTarget *target, const XcDpuLayer *layer,
                           int32_t *channels) {
  int32_t groups = xc_words_of(target, layer->inputs[0].channels);
  groups = xc_minimum(groups, target->conv.maxInputGroups);
  groups = xc_minimum(groups, target->conv.maxOutputGroups);
  *channels = xc_minimum(groups, target->bias.depth) * target->channelParallel;
  return xc_accepted;
}

/// Whether the fields of CONVINIT can hold the layout of the images in the
/// banks.
static bool fits_fields(const XcDpuTarget *target, int32_t most,
                        int32_t columns, const xc_unit *unit) {
  const xc_bank_image *in = unit->layout.inputs[0], *out = unit->layout.output;
  int32_t words =
      out ? out->pixel_words : xc_words_of(target, unit->layer.output.channels);
  return !(columns > 1 &&
           columns * words > XC_DPU_FIELD_MAX(target, ConvInit, jump_write)) &&
         !(in && in->bank_rows > 1 && in->row_words > most) &&
         !(out && out->bank_rows > 1 && out->row_words > most) &&
         !(out && out->bank_rows > target->conv.strideOut.maximum);
}

/// With a stride and a kernel of one element, LOADs step over the pixels that
/// the kernel does not read, so that the input has no gaps in the banks.
static void leave_out_gaps(const XcDpuTarget *target, const xc_unit *unit,
                           xc_unit_plan *plan) {
  const XcDpuLayer *layer = &unit->layer;
  xc_tile_request *request = &plan->request;
  XcDpuImage *in = &plan->input;
  if (layer->kernelH != 1 || layer->kernelW != 1 || layer->padTop != 0 ||
      layer->padLeft != 0 || plan->augmentation.channels > 0 ||
      (int64_t)in->pixelPitch * request->stride_w > xc_max_pitch(target))
    return;
  in->rowPitch *= (uint32_t)request->stride_h;
  in->pixelPitch *= (uint32_t)request->stride_w;
  request->has_dense_rows &=
      request->stride_h == 1 &&
      request->width == request->out_width * request->stride_w;
  request->height = in->height = request->out_height;
  request->width = in->width = request->out_width;
  request->stride_h = request->stride_w = 1;
  request->in_bytes = xc_pixel_bytes(target, in);
}

/// Computes several columns of the output at each position of the window.
static void widen(const xc_unit *unit, xc_tile_request *request) {
  request->columns = unit->columns;
  request->out_width = xc_ceil_div(request->out_width, request->columns);
  request->out_bytes *= request->columns;
}

/// Plans to load the input with one LOAD and to copy its rows. These lie as in
/// DDR, without kernel columns as channels.
static bool spread_rows(const XcDpuTarget *target, xc_tile_request *request) {
  int64_t words =
      (int64_t)request->height * request->width * request->in_groups;
  int64_t at_once = (int64_t)request->stride_h * request->width;
  if (!request->has_dense_rows || words >= request->in_depth ||
      request->stride_h > request->height ||
      at_once > xc_max_elementwise_length(target) ||
      request->in_groups > target->elementwiseMaxGroups ||
      !xcDpuSetHas(target->elementwiseKinds, XcDpuElementwiseKindAdd))
    return false;
  request->source_words = (int32_t)words;
  request->allows_strips = false;
  return true;
}

static XcDpuRefusal plan_conv(const XcDpuTarget *target, const xc_unit *unit,
                              bool spreads, xc_unit_plan *plan) {
  xc_windows_request(target, unit, plan);
  bool is_diagonal = unit->kind->is_diagonal;
  xc_tile_request *request = &plan->request;
  spreads = spreads && spread_rows(target, request);
  if (unit->layer.columns > 1)
    widen(unit, request);
  else if (!unit->layout.inputs[0] && !is_diagonal && !spreads) {
    if (unit->layer.groups.words == 0)
      xc_augment(target, unit, plan);
    leave_out_gaps(target, unit, plan);
  }
  int32_t pixels = request->kernel_h * request->kernel_w;
  request->engine_rows = target->conv.rows;
  request->engine_start = target->timing.convStart;
  if (unit->layer.wordShifts)
    request->engine_start += target->timing.initCycles;
  request->window_cycles = pixels;
  request->max_row_step = xc_window_max_row_step(target);
  XcDpuImage zeros = xc_strip_zeros(target, unit, &plan->input);
  request->zero_run = xc_zero_run(target, &zeros);
  bool has_pixels = plan->augmentation.channels == 0 && request->columns == 1;
  request->allows_strips &= has_pixels;
  request->engine_groups = request->in_groups;
  if (is_diagonal || unit->layer.groups.words > 0)
    request->engine_groups = xc_maximum(unit->layer.groups.words, 1);
  request->weight_words = pixels * request->engine_groups * request->columns;
  request->weight_bytes =
      (int64_t)pixels * target->weights.numBanks *
      (is_diagonal ? target->channelParallel : xc_weight_inputs(target, unit));
  request->chunk_groups = unit->chunk_groups;
  plan->weight_words = (int64_t)request->out_groups * request->weight_words;
  plan->bias_words = request->out_groups;
  if ((request->has_strips && !has_pixels) ||
      !fits_fields(target, request->max_row_step, request->columns, unit))
    return (XcDpuRefusal){XcDpuRefusalReasonRowStep, 0, 0, -1};
  return xc_windows_plan(plan);
}

XcDpuRefusal xc_conv_plan(const XcDpuTarget *target, const xc_unit *unit,
                          xc_unit_plan *plan) {
  bool spreads = unit->layout.spreads_rows && !unit->layout.inputs[0] &&
                 unit->layout.row_overlap == 0 && unit->chunk_groups == 0;
  XcDpuRefusal refusal = plan_conv(target, unit, spreads, plan);
  return spreads && !xc_is_accepted(refusal)
             ? plan_conv(target, unit, false, plan)
             : refusal;
}

/// A LOAD that fills all weight banks brings one group of one layer.
int32_t xc_conv_joint_words(const XcDpuTarget *target, const xc_unit *unit,
                            xc_parameter_bank bank) {
  if (bank == XC_PARAMETERS_BIAS && unit->layer.canJoinBias)
    return (int32_t)unit->plan.bias_words;
  bool can_join =
      unit->layer.canJoinWeights && target->weightsBroadcastBank < 0;
  return bank == XC_PARAMETERS_WEIGHTS && can_join
             ? (int32_t)unit->plan.weight_words
             : 0;
}
