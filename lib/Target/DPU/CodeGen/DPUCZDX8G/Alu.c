//===- Alu.c - layers of the misc engine as ALU instructions --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/CodeGen/DPUCZDX8G/Engines.h"
#include "Target/DPU/CodeGen/Emit/Emit.h"
#include "Target/DPU/CodeGen/Plan/Shifts.h"
#include "Target/DPU/CodeGen/Plan/Windows.h"

#include <assert.h>

enum {
  MAX_SIGMOID_CUT = 31,
  MAX_SIGMOID_FIX_POINT = 15,
};

static XcDpuAluMode mode_of(const XcDpuLayer *layer) {
  switch (layer->kind) {
  case XcDpuLayerKindDepthwise:
    return layer->hasBias ? XcDpuAluModeDepthwise : XcDpuAluModeDepthwiseNoBias;
  case XcDpuLayerKindMaxPool:
    return XcDpuAluModeMaxPool;
  case XcDpuLayerKindAveragePool:
    return XcDpuAluModeAveragePool;
  case XcDpuLayerKindAveragePool16:
    return XcDpuAluModeDepthwise16;
  case XcDpuLayerKindHardSigmoid:
    return XcDpuAluModeHardSigmoid;
  case XcDpuLayerKindLeakyRelu:
    return XcDpuAluModeLeakyRelu;
  case XcDpuLayerKindPrelu:
    return XcDpuAluModePrelu;
  default:
    assert(false && "another engine computes these");
    return XcDpuAluModeDepthwise;
  }
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static const XcDpuEngine *limits_of(const XcDpuTarget *target) {
  return &target->alu;
}

static bool has_mode(const XcDpuTarget *target, const XcDpuLayer *layer) {
  return xcDpuSetHas(target->aluModes, mode_of(layer));
}

static void check_depthwise(const XcDpuTarget *target, const XcDpuLayer *layer,
                            XcDpuRefusal *refusal) {
  xc_require_shifts(refusal, target, layer, &target->alu, layer->hasBias);
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

/// Checks the shifts, factors and activations that a mode has fields for.
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

static void check(const XcDpuTarget *target, const XcDpuLayer *layer,
                  XcDpuRefusal *refusal) {
  check_mode[mode_of(layer)](target, layer, refusal);
}

/// Returns the largest part of the channels that the parameter banks and fields
/// take.
static int32_t max_groups(const XcDpuTarget *target, const XcDpuLayer *layer) {
  int32_t groups = target->alu.maxInputGroups;
  if (layer->hasBias)
    groups = xc_minimum(groups, target->bias.depth);
  if (layer->kind == XcDpuLayerKindDepthwise) {
    groups = xc_minimum(groups, target->depthwiseWeights.depth /
                                    (layer->kernelH * layer->kernelW));
    groups = xc_minimum(groups,
                        XC_DPU_FIELD_MAX(target, AluInit, jump_read_weights));
  }
  if (layer->kind == XcDpuLayerKindAveragePool16)
    groups = xc_minimum(groups, target->depthwiseWeights.depth / 2);
  return groups;
}

static int32_t max_row_step(const XcDpuTarget *target) {
  return XC_DPU_FIELD_MAX(target, AluInit, jump_read_endl);
}

/// Two words of each factor, for all positions of a window.
static void count_words(const XcDpuLayer *layer, int32_t groups,
                        xc_unit_plan *plan) {
  int64_t words = 2;
  if (layer->kind == XcDpuLayerKindDepthwise)
    words = (int64_t)layer->kernelH * layer->kernelW;
  plan->depthwise_words = words * groups;
  plan->bias_words = groups;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

size_t xcDpuFactorBytes(const XcDpuTarget *target, int32_t channels) {
  return 2 * (size_t)xc_words_of(target, channels) *
         (size_t)target->channelParallel;
}

/// Loads the factors of an average. The engine takes the first factor of each
/// pair of words. All are the same, also for all positions of the window.
static void load_factors(xc_emitter *e) {
  xc_emission *gen = e->gen;
  int32_t channels = e->unit->plan.input.channels;
  uint32_t bytes = (uint32_t)xcDpuFactorBytes(gen->target, channels);
  e->channels.weights_address =
      xc_ring_take(&gen->depthwise_weights, 2 * e->channels.groups);
  XcDpuLoad load = {
      .bank_id = (uint32_t)gen->target->depthwiseWeights.firstBank,
      .bank_addr = e->channels.weights_address,
      .jump_read = bytes,
      .jump_write = 2 * e->channels.groups,
      .pad_idx = 1,
      .channel = bytes,
      .length = 1,
      .reg_id = (uint32_t)gen->target->parametersRegister,
      .ddr_addr = e->unit->layer.weights,
  };
  xc_code_load(&gen->code, &load);
}

static void load_kernel(xc_emitter *e) {
  xc_emission *gen = e->gen;
  const XcDpuLayer *layer = &e->unit->layer;
  uint32_t pixels = (uint32_t)(layer->kernelH * layer->kernelW);
  uint32_t words = pixels * e->channels.groups;
  xc_ring_key key =
      xc_channels_key(e->unit, XC_PARAMETERS_DEPTHWISE, (int32_t)words);
  if (!xc_ring_take_again(&gen->depthwise_weights, &key, words,
                          &e->channels.weights_address))
    xc_load_channel_values(e, &gen->target->depthwiseWeights,
                           e->channels.weights_address, layer->weights, pixels);
}

static void load_bias(xc_emitter *e) {
  xc_emission *gen = e->gen;
  uint32_t words = e->channels.groups;
  xc_ring_key key =
      xc_channels_key(e->unit, XC_PARAMETERS_BIAS, (int32_t)words);
  if (!xc_ring_take_again(&gen->bias, &key, words, &e->channels.bias_address))
    xc_load_channel_values(e, &gen->target->bias, e->channels.bias_address,
                           e->unit->layer.bias, 1);
}

static void load_parameters(xc_emitter *e) {
  if (e->unit->kind->is_per_channel)
    load_kernel(e);
  if (mode_of(&e->unit->layer) == XcDpuAluModeDepthwise16)
    load_factors(e);
  if (mode_of(&e->unit->layer) == XcDpuAluModeDepthwise)
    load_bias(e);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The shifts are not set here, as they differ between runs of words.
static void set_depthwise(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->act_type = (uint32_t)layer->activation;
}

static void set_max_pool(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->shift_cut = layer->shiftCut;
}

static void set_average_pool(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->multi_factor = layer->factor;
  set_max_pool(layer, init);
}

static void set_factors(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->shift_cut = layer->shiftCut;
}

static void set_sigmoid(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->shift_bias = layer->shiftBias;
  init->shift_cut = layer->shiftCut;
}

static void set_prelu(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->shift_prelu_p = layer->shiftPositive;
  init->shift_prelu_n = layer->shiftNegative;
}

static void set_leaky_relu(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->multi_factor = layer->factor;
  set_prelu(layer, init);
}

/// Sets the fields that a mode has.
static void (*const set_mode[])(const XcDpuLayer *layer, XcDpuAluInit *init) = {
    [XcDpuAluModeDepthwise] = set_depthwise,
    [XcDpuAluModeDepthwiseNoBias] = set_depthwise,
    [XcDpuAluModeDepthwise16] = set_factors,
    [XcDpuAluModeMaxPool] = set_max_pool,
    [XcDpuAluModeAveragePool] = set_average_pool,
    [XcDpuAluModeHardSigmoid] = set_sigmoid,
    [XcDpuAluModeLeakyRelu] = set_leaky_relu,
    [XcDpuAluModePrelu] = set_prelu,
};

static XcDpuInstruction make_init(const xc_emitter *e,
                                  const xc_window_start *start,
                                  const xc_rows *out) {
  const xc_tile_request *request = e->windows.request;
  const xc_tile_plan *plan = e->windows.plan;
  uint32_t width = (uint32_t)request->target->channelParallel;
  XcDpuAluMode mode = mode_of(&e->unit->layer);
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeAluInit};
  insn.alu_init = (XcDpuAluInit){
      .exec_mode = mode,
      .kernel_h = (uint32_t)request->kernel_h,
      .kernel_w = (uint32_t)request->kernel_w,
      .stride_h = (uint32_t)plan->stride_h,
      .stride_w = (uint32_t)plan->stride_w,
      .stride_offset_in = start->row_offset,
      .stride_offset_out = out->offset,
      .stride_out = out->bank_rows,
      .channel_group = e->channels.groups,
      .channel_offset =
          e->channels.groups * width - (uint32_t)e->unit->plan.input.channels,
      .length = start->length,
      .jump_read = start->pixel_words,
      .jump_read_endl = plan->stride_h > 1 ? start->row_words : 1,
      .jump_write = out->pixel_words,
      .jump_write_endl = out->bank_rows > 1 ? out->row_words : 1,
  };
  if (e->unit->layer.kind == XcDpuLayerKindDepthwise)
    insn.alu_init.jump_read_weights = e->channels.groups;
  set_mode[mode](&e->unit->layer, &insn.alu_init);
  return insn;
}

/// Computes words of a block of rows, from word `first` on.
static void emit_words(xc_emitter *e, const XcDpuInstruction *init,
                       const xc_window_start *start, const xc_rows *out,
                       int32_t rows, uint32_t first) {
  const XcDpuTarget *target = e->gen->target;
  uint32_t depth = (uint32_t)target->image.depth;
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeAlu};
  insn.alu = (XcDpuAlu){
      .bank_id_out = xc_rows_bank(out),
      .bank_addr_out = (out->address + first) % depth,
      .pad_bottom = start->pad_bottom,
      .valid_pixel_parallel = (uint32_t)rows,
      .bank_id_in = start->bank,
      .bank_addr_in = (start->addresses[0] + first) % depth,
      .pad_top = start->pad_top,
      .pad_left = start->pad_left,
      .pad_right = start->pad_right,
      .bank_addr_in_1 = (start->addresses[1] + first) % depth,
      .kernel_d = 1,
      .bank_addr_weights = e->channels.weights_address + first,
      .bank_addr_in_2 = (start->addresses[2] + first) % depth,
      .bank_addr_bias = e->channels.bias_address + first,
      .bank_addr_in_3 = (start->addresses[3] + first) % depth,
  };
  if (first > 0) {
    insn.alu.bank_addr_weights %= (uint32_t)target->depthwiseWeights.depth;
    insn.alu.bank_addr_bias %= (uint32_t)target->bias.depth;
  }
  xc_code_window(&e->gen->code, init, &insn);
}

/// Computes rows. In depthwise convolutions, each run of words with its own
/// shifts has its own instructions.
static void emit_rows(xc_emitter *e, const xc_window_start *start,
                      const xc_rows *out, int32_t rows) {
  const XcDpuLayer *layer = &e->unit->layer;
  XcDpuInstruction init = make_init(e, start, out);
  int32_t all = (int32_t)e->channels.groups, run;
  int32_t end = e->channels.words.first + e->channels.words.count;
  uint32_t slack = init.alu_init.channel_offset;
  for (int32_t first = e->channels.words.first; first < end; first += run) {
    run = xc_minimum(xc_shift_run(layer, first, all), end - first);
    init.alu_init.channel_group = (uint32_t)run;
    init.alu_init.channel_offset = first + run == all ? slack : 0;
    if (layer->kind == XcDpuLayerKindDepthwise) {
      XcDpuShifts shifts = xc_word_shifts(layer, first);
      init.alu_init.shift_cut = shifts.cut;
      init.alu_init.shift_bias = layer->hasBias ? shifts.bias : 0;
    }
    emit_words(e, &init, start, out, rows, (uint32_t)first);
  }
}

const xc_channel_engine xc_alu_engine = {
    .layers = {XC_CHANNEL_LAYERS, .joint_words = xc_channel_joint_words},
    .limits = limits_of,
    .has = has_mode,
    .check = check,
    .max_groups = max_groups,
    .max_row_step = max_row_step,
    .count_words = count_words,
    .window_cycles = xc_kernel_elements,
    .load_parameters = load_parameters,
    .parts_words = true,
    .emit_rows = emit_rows};
