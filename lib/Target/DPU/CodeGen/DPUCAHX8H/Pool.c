//===- Pool.c - pools as POOL instructions --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engines.h"

#include "Target/DPU/CodeGen/Emit/Emit.h"
#include "Target/DPU/CodeGen/Plan/Windows.h"

static const XcDpuEngine *limits_of(const XcDpuTarget *target) {
  return &target->pool;
}

static XcDpuPoolKind kind_of(const XcDpuLayer *layer) {
  return layer->kind == XcDpuLayerKindMaxPool ? XcDpuPoolKindMax
                                              : XcDpuPoolKindAverage;
}

static bool has_kind(const XcDpuTarget *target, const XcDpuLayer *layer) {
  return xcDpuSetHas(target->poolKinds, kind_of(layer));
}

/// The engine has factors of its own, which are those of xcAvgPoolFactor for
/// square kernels.
static int32_t own_shift(const XcDpuLayer *layer) {
  if (kind_of(layer) == XcDpuPoolKindMax)
    return layer->shiftCut;
  return layer->shiftCut -
         xcAvgPoolFactor(layer->kernelH, layer->kernelW).shift;
}

static void check(const XcDpuTarget *target, const XcDpuLayer *layer,
                  XcDpuRefusal *refusal) {
  xc_require_range(refusal, XcDpuRefusalReasonShiftCut, own_shift(layer),
                   target->pool.shiftCut);
  if (kind_of(layer) == XcDpuPoolKindMax)
    return;
  if (target->averagePoolSquareOnly)
    xc_require(refusal, XcDpuRefusalReasonKernel, layer->kernelH,
               layer->kernelW, layer->kernelW);
  int32_t factor = xcAvgPoolFactor(layer->kernelH, layer->kernelW).factor;
  xc_require(refusal, XcDpuRefusalReasonKernel, layer->factor, factor, factor);
}

static int32_t max_groups(const XcDpuTarget *target, const XcDpuLayer *layer) {
  (void)layer;
  return target->pool.maxInputGroups;
}

static int32_t max_row_step(const XcDpuTarget *target) {
  return XC_DPU_FIELD_MAX(target, Pool, jump_read_endl);
}

static void count_words(const XcDpuLayer *layer, int32_t groups,
                        xc_unit_plan *plan) {
  (void)layer, (void)groups, (void)plan;
}

static void load_nothing(xc_emitter *e) { (void)e; }

static XcDpuInstruction make_init(const xc_emitter *e,
                                  const xc_window_start *start,
                                  const xc_rows *out, int32_t rows) {
  const xc_tile_request *request = e->windows.request;
  const xc_tile_plan *plan = e->windows.plan;
  XcDpuInstruction insn = {.opcode = XcDpuOpcodePoolInit};
  insn.pool_init = (XcDpuPoolInit){
      .shift_cut = own_shift(&e->unit->layer),
      .kernel_w = (uint32_t)request->kernel_w,
      .kernel_h = (uint32_t)request->kernel_h,
      .jump_read = start->pixel_words,
      .jump_write = out->pixel_words,
      .stride_out = out->bank_rows,
      .stride_offset_out = out->offset,
      .valid_pixel_parallel = (uint32_t)rows,
      .stride_offset_in = start->row_offset,
      .stride_w = (uint32_t)plan->stride_w,
      .stride_h = (uint32_t)plan->stride_h,
      .pool_type = kind_of(&e->unit->layer),
  };
  return insn;
}

static void emit_rows(xc_emitter *e, const xc_window_start *start,
                      const xc_rows *out, int32_t rows) {
  XcDpuInstruction init = make_init(e, start, out, rows);
  XcDpuInstruction insn = {.opcode = XcDpuOpcodePool};
  insn.pool = (XcDpuPool){
      .bank_id_in = start->bank,
      .bank_addr_in = start->addresses[0],
      .jump_read_endl = e->windows.plan->stride_h > 1 ? start->row_words : 1,
      .bank_id_out = xc_rows_bank(out),
      .pad_top = start->pad_top,
      .pad_bottom = start->pad_bottom,
      .pad_left = start->pad_left,
      .pad_right = start->pad_right,
      .jump_write_endl = out->bank_rows > 1 ? out->row_words : 1,
      .channel_group = e->channels.groups,
      .length = start->length,
      .bank_addr_in_1 = start->addresses[1],
      .bank_addr_in_2 = start->addresses[2],
      .bank_addr_in_3 = start->addresses[3],
      .bank_addr_out = out->address,
  };
  xc_code_window(&e->gen->code, &init, &insn);
}

const xc_channel_engine xc_pool_engine = {.layers = {XC_CHANNEL_LAYERS},
                                          .limits = limits_of,
                                          .has = has_kind,
                                          .check = check,
                                          .max_groups = max_groups,
                                          .max_row_step = max_row_step,
                                          .count_words = count_words,
                                          .window_cycles = xc_kernel_elements,
                                          .load_parameters = load_nothing,
                                          .emit_rows = emit_rows};
