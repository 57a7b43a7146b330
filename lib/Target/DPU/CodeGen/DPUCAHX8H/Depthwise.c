//===- Depthwise.c - depthwise convolutions as DPTWISE --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engines.h"

#include "Target/DPU/CodeGen/Emit/Emit.h"
#include "Target/DPU/CodeGen/Plan/Shifts.h"
#include "Target/DPU/CodeGen/Plan/Windows.h"

static const XcDpuEngine *limits_of(const XcDpuTarget *target) {
  return &target->depthwise;
}

static bool has_engine(const XcDpuTarget *target, const XcDpuLayer *layer) {
  (void)target, (void)layer;
  return true;
}

static void check(const XcDpuTarget *target, const XcDpuLayer *layer,
                  XcDpuRefusal *refusal) {
  const XcDpuEngine *engine = &target->depthwise;
  // The engine always adds a bias.
  if (!layer->hasBias)
    xc_require(refusal, XcDpuRefusalReasonEngine, layer->kind, 0, -1);
  xc_require_shifts(refusal, target, layer, engine, true);
  if (target->depthwiseKernelSizes) {
    XcDpuSet sizes = target->depthwiseKernelSizes;
    int32_t size = xcDpuSetHas(sizes, (unsigned)layer->kernelH)
                       ? layer->kernelW
                       : layer->kernelH;
    if (!xcDpuSetHas(sizes, (unsigned)size))
      xc_require(refusal, XcDpuRefusalReasonKernel, size, 0, -1);
  }
  if (!xcDpuSetHas(engine->activations, layer->activation))
    xc_require(refusal, XcDpuRefusalReasonActivation, layer->activation, 0, -1);
}

static int32_t max_groups(const XcDpuTarget *target, const XcDpuLayer *layer) {
  int32_t groups =
      xc_minimum(target->depthwise.maxInputGroups, target->depthwiseBias.depth);
  return xc_minimum(groups, target->depthwiseWeights.depth /
                                (layer->kernelH * layer->kernelW));
}

static int32_t max_row_step(const XcDpuTarget *target) {
  return XC_DPU_FIELD_MAX(target, DwInit, jump_read_endl);
}

static void count_words(const XcDpuLayer *layer, int32_t groups,
                        xc_unit_plan *plan) {
  plan->depthwise_words = (int64_t)layer->kernelH * layer->kernelW * groups;
  plan->depthwise_bias_words = groups;
}

static int64_t window_cycles(const XcDpuTarget *target,
                             const XcDpuLayer *layer) {
  int32_t at_once = target->timing.depthwisePositionsPerCycle;
  return xc_ceil_div(layer->kernelH * layer->kernelW,
                     at_once > 0 ? at_once : 1);
}

/// Runs of words with the same shifts lie one after the other, each with all
/// positions of its kernel, as an instruction steps by the words that it
/// computes.
static void load_parameters(xc_emitter *e) {
  xc_emission *gen = e->gen;
  const XcDpuLayer *layer = &e->unit->layer;
  uint32_t elements = (uint32_t)(layer->kernelH * layer->kernelW);
  int32_t words = (int32_t)e->channels.groups, count;
  e->channels.weights_address =
      xc_ring_take(&gen->depthwise_weights, elements * e->channels.groups);
  for (int32_t first = 0; first < words; first += count) {
    count = xc_shift_run(layer, first, words);
    xc_load_channel_words(e, &gen->target->depthwiseWeights,
                          e->channels.weights_address +
                              elements * (uint32_t)first,
                          layer->weights, elements, (xc_words){first, count});
  }
  e->channels.bias_address =
      xc_ring_take(&gen->depthwise_bias, e->channels.groups);
  xc_load_channel_values(e, &gen->target->depthwiseBias,
                         e->channels.bias_address, layer->bias, 1);
}

/// Returns a DWINIT with everything but the shifts.
static XcDpuInstruction make_init(const xc_emitter *e,
                                  const xc_window_start *start,
                                  const xc_rows *out, int32_t rows) {
  const XcDpuLayer *layer = &e->unit->layer;
  const xc_tile_request *request = e->windows.request;
  const xc_tile_plan *plan = e->windows.plan;
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeDwInit};
  insn.dw_init = (XcDpuDwInit){
      .stride_out = out->bank_rows,
      .act_type = (uint32_t)layer->activation,
      .jump_read_endl = plan->stride_h > 1 ? start->row_words : 1,
      .kernel_w = (uint32_t)request->kernel_w,
      .kernel_h = (uint32_t)request->kernel_h,
      .stride_w = (uint32_t)plan->stride_w,
      .stride_h = (uint32_t)plan->stride_h,
      .valid_pixel_parallel = (uint32_t)rows,
      .jump_write_endl = out->bank_rows > 1 ? out->row_words : 1,
      .stride_offset_in = start->row_offset,
      .stride_offset_out = out->offset,
      .jump_read = start->pixel_words,
      .jump_write = out->pixel_words,
  };
  return insn;
}

/// Computes some words of a block of rows.
static void emit_words(xc_emitter *e, const XcDpuInstruction *init,
                       const xc_window_start *start, const xc_rows *out,
                       xc_words words) {
  const XcDpuTarget *target = e->gen->target;
  uint32_t depth = (uint32_t)target->image.depth;
  uint32_t first = (uint32_t)words.first, count = (uint32_t)words.count;
  uint32_t width = (uint32_t)target->channelParallel;
  const XcDpuLayer *layer = &e->unit->layer;
  uint32_t elements = (uint32_t)(layer->kernelH * layer->kernelW);
  bool is_last = first + count == e->channels.groups;
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeDptwise};
  insn.dptwise = (XcDpuDptwise){
      .bank_id_in = start->bank,
      .bank_addr_in = (start->addresses[0] + first) % depth,
      .pad_top = start->pad_top,
      .channel_group = count,
      .bank_id_out = xc_rows_bank(out),
      .bank_addr_out = (out->address + first) % depth,
      .pad_bottom = start->pad_bottom,
      .channel_offset = is_last ? e->channels.groups * width -
                                      (uint32_t)e->unit->plan.input.channels
                                : 0,
      .length = start->length,
      .bank_addr_in_1 = (start->addresses[1] + first) % depth,
      .pad_left = start->pad_left,
      .bank_addr_weights = (e->channels.weights_address + elements * first) %
                           (uint32_t)target->depthwiseWeights.depth,
      .bank_addr_in_2 = (start->addresses[2] + first) % depth,
      .pad_right = start->pad_right,
      .bank_addr_bias = (e->channels.bias_address + first) %
                        (uint32_t)target->depthwiseBias.depth,
      .bank_addr_in_3 = (start->addresses[3] + first) % depth,
  };
  xc_code_window(&e->gen->code, init, &insn);
}

static void emit_rows(xc_emitter *e, const xc_window_start *start,
                      const xc_rows *out, int32_t rows) {
  const XcDpuLayer *layer = &e->unit->layer;
  XcDpuInstruction init = make_init(e, start, out, rows);
  int32_t words = (int32_t)e->channels.groups, count;
  for (int32_t first = 0; first < words; first += count) {
    count = xc_shift_run(layer, first, words);
    XcDpuShifts shifts = xc_word_shifts(layer, first);
    init.dw_init.shift_cut = shifts.cut;
    init.dw_init.shift_bias = shifts.bias;
    emit_words(e, &init, start, out, (xc_words){first, count});
  }
}

const xc_channel_engine xc_depthwise_engine = {.layers = {XC_CHANNEL_LAYERS},
                                               .limits = limits_of,
                                               .has = has_engine,
                                               .check = check,
                                               .max_groups = max_groups,
                                               .max_row_step = max_row_step,
                                               .count_words = count_words,
                                               .window_cycles = window_cycles,
                                               .load_parameters =
                                                   load_parameters,
                                               .emit_rows = emit_rows};
