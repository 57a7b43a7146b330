//===- AluPlan.c - depthwise, pools and activations of the misc engine ----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine treats each channel by itself. Where the channels of an image do
// not fit at once, they are computed in parts, each like a layer of its own.
//
//===----------------------------------------------------------------------===//

#include "LayerKind.h"
#include "Windows.h"

enum {
  MAX_SIGMOID_CUT = 31,
  MAX_SIGMOID_FIX_POINT = 15,
};

static void check_depthwise(const XcDpuTarget *target, const XcDpuLayer *layer,
                            XcDpuRefusal *refusal) {
  xc_require_range(refusal, XcDpuRefusalReasonShiftCut, layer->shiftCut,
                   target->alu.shiftCut);
  if (layer->hasBias)
    xc_require_range(refusal, XcDpuRefusalReasonShiftBias, layer->shiftBias,
                     target->alu.shiftBias);
  if (!xcDpuSetHas(target->alu.activations, layer->activation))
    xc_require(refusal, XcDpuRefusalReasonActivation, layer->activation, 0, -1);
}

static void check_pool(const XcDpuTarget *target, const XcDpuLayer *layer,
                       XcDpuRefusal *refusal) {
  xc_require_range(
      refusal, XcDpuRefusalReasonShiftCut, layer->shiftCut,
      XC_DPU_ALU_RANGE(target, shift_cut, XcDpuAluModeAveragePool));
}

static void check_factors(const XcDpuTarget *target, const XcDpuLayer *layer,
                          XcDpuRefusal *refusal) {
  xc_require_range(
      refusal, XcDpuRefusalReasonShiftCut, layer->shiftCut,
      XC_DPU_ALU_RANGE(target, shift_cut, XcDpuAluModeDepthwise16));
}

static void check_sigmoid(const XcDpuTarget *target, const XcDpuLayer *layer,
                          XcDpuRefusal *refusal) {
  (void)target;
  xc_require(refusal, XcDpuRefusalReasonShiftBias, layer->shiftBias, 0,
             MAX_SIGMOID_FIX_POINT);
  xc_require(refusal, XcDpuRefusalReasonShiftCut, layer->shiftCut, 0,
             MAX_SIGMOID_CUT);
}

static void check_prelu(const XcDpuTarget *target, const XcDpuLayer *layer,
                        XcDpuRefusal *refusal) {
  xc_require_range(refusal, XcDpuRefusalReasonShiftCut, layer->shiftPositive,
                   XC_DPU_ALU_RANGE(target, shift_prelu_p, XcDpuAluModePrelu));
  xc_require_range(refusal, XcDpuRefusalReasonShiftCut, layer->shiftNegative,
                   XC_DPU_ALU_RANGE(target, shift_prelu_n, XcDpuAluModePrelu));
}

/// The shifts, factors and activations that a mode has fields for.
static void (*const check_mode[])(const XcDpuTarget *target,
                                  const XcDpuLayer *layer,
                                  XcDpuRefusal *refusal) = {
    [XcDpuAluModeDepthwise] = check_depthwise,
    [XcDpuAluModeDepthwiseNoBias] = check_depthwise,
    [XcDpuAluModeDepthwise16] = check_factors,
    [XcDpuAluModeMaxPool] = check_pool,
    [XcDpuAluModeAveragePool] = check_pool,
    [XcDpuAluModeHardSigmoid] = check_sigmoid,
    [XcDpuAluModeLeakyRelu] = check_prelu,
    [XcDpuAluModePrelu] = check_prelu,
};

XcDpuAluMode xc_alu_mode_of(const XcDpuLayer *layer) {
  XcDpuAluMode mode = xc_layer_kind_of(layer)->alu_mode;
  return mode == XcDpuAluModeDepthwise && !layer->hasBias
             ? XcDpuAluModeDepthwiseNoBias
             : mode;
}

XcDpuRefusal xc_alu_check(const XcDpuTarget *target, const XcDpuLayer *layer) {
  const XcDpuEngine *engine = &target->alu;
  XcDpuRefusal refusal = xc_accepted;
  if (engine->rows == 0 ||
      !xcDpuSetHas(target->aluModes, xc_alu_mode_of(layer)))
    xc_require(&refusal, XcDpuRefusalReasonEngine, layer->kind, 0, -1);
  xc_windows_check(engine, layer, &refusal);
  xc_require(&refusal, XcDpuRefusalReasonShape, layer->output.channels,
             layer->inputs[0].channels, layer->inputs[0].channels);
  check_mode[xc_alu_mode_of(layer)](target, layer, &refusal);
  return refusal;
}

size_t xcDpuFactorBytes(const XcDpuTarget *target, int32_t channels) {
  return 2 * (size_t)xc_words_of(target, channels) *
         (size_t)target->channelParallel;
}

/// The largest part of the channels that the parameter banks and fields take.
static int32_t largest_part(const XcDpuTarget *target,
                            const XcDpuLayer *layer) {
  int32_t groups = xc_words_of(target, layer->inputs[0].channels);
  if (groups > target->alu.maxInputGroups)
    groups = target->alu.maxInputGroups;
  if (layer->hasBias && groups > target->bias.depth)
    groups = target->bias.depth;
  if (layer->kind == XcDpuLayerKindDepthwise) {
    int32_t fit =
        target->depthwiseWeights.depth / (layer->kernelH * layer->kernelW);
    groups = groups < fit ? groups : fit;
    int32_t step = XC_DPU_FIELD_MAX(target, AluInit, jump_read_weights);
    groups = groups < step ? groups : step;
  }
  if (layer->kind == XcDpuLayerKindAveragePool16 &&
      groups > target->depthwiseWeights.depth / 2)
    groups = target->depthwiseWeights.depth / 2;
  return groups;
}

/// What the fields of ALUINIT hold of an image in the banks.
static bool fits_fields(int32_t most, const xc_unit *unit) {
  const xc_bank_image *in = unit->layout.inputs[0], *out = unit->layout.output;
  return !(in && in->row_words > most) && !(out && out->row_words > most);
}

XcDpuRefusal xc_alu_split(const XcDpuTarget *target, const XcDpuLayer *layer,
                          int32_t *channels) {
  int32_t groups = largest_part(target, layer);
  *channels = groups * target->channelParallel;
  if (groups == 0)
    return (XcDpuRefusal){XcDpuRefusalReasonWeightWords,
                          layer->kernelH * layer->kernelW, 1,
                          target->depthwiseWeights.depth};
  return xc_accepted;
}

XcDpuRefusal xc_alu_plan(const XcDpuTarget *target, const xc_unit *unit,
                         xc_unit_plan *plan) {
  xc_windows_request(target, unit, plan);
  xc_tile_request *request = &plan->request;
  request->engine_rows = target->alu.rows;
  request->engine_start = target->timing.aluStart;
  request->max_row_step = XC_DPU_FIELD_MAX(target, AluInit, jump_read_endl);
  // Two words of each factor, for all positions of a window.
  int64_t words = 2;
  if (unit->layer.kind == XcDpuLayerKindDepthwise)
    words = (int64_t)request->kernel_h * request->kernel_w;
  plan->depthwise_words = words * request->in_groups;
  plan->bias_words = request->in_groups;
  if (!fits_fields(request->max_row_step, unit))
    return (XcDpuRefusal){XcDpuRefusalReasonRowStep, 0, 0, -1};
  return xc_windows_plan(plan);
}
