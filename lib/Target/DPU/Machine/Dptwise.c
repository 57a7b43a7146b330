//===- Dptwise.c - DPTWISE ------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Walk.h"

#include <inttypes.h>

static void resolve_dptwise(const XcDpuTarget *target, xc_op *op) {
  const XcDpuDwInit *init = &op->dw_init;
  const XcDpuDptwise *dptwise = &op->insn.dptwise;
  const xc_window_fields fields = {
      XC_WINDOW_INIT(init),
      XC_WINDOW_INSN(dptwise),
      XC_WINDOW_ENDS(init),
      .kernel_d = 1,
      .channel_group = dptwise->channel_group,
      .channel_offset = dptwise->channel_offset,
      .rows = init->valid_pixel_parallel,
      .pixels = dptwise->length,
      .words = dptwise->channel_group,
  };
  xc_resolve_window(target, &fields, op);
}

static bool check_kernel_size(const XcDpuTarget *target, const char *field,
                              uint32_t size, xc_text *why) {
  XcDpuSet sizes = target->depthwiseKernelSizes;
  if (sizes == 0 || xcDpuSetHas(sizes, size))
    return true;
  xc_text_printf(why, "'%s' is %" PRIu32 ", which the engine lacks", field,
                 size);
  return false;
}

static uint32_t weight_words(const xc_op *op) {
  return op->dw_init.kernel_h * op->dw_init.kernel_w *
         op->insn.dptwise.channel_group;
}

static bool check_dptwise(const XcDpuTarget *target, const xc_op *op,
                          xc_text *why) {
  const XcDpuDwInit *init = &op->dw_init;
  const XcDpuDptwise *dptwise = &op->insn.dptwise;
  if (target->depthwise.rows == 0) {
    xc_text_printf(why, "target '%s' has no depthwise engine", target->name);
    return false;
  }
  return xc_check_image_bank(target, why, "bank_id_in", dptwise->bank_id_in) &&
         xc_check_image_bank(target, why, "bank_id_out",
                             dptwise->bank_id_out) &&
         xc_check_engine(target, &target->depthwise, op, why) &&
         check_kernel_size(target, "kernel_h", init->kernel_h, why) &&
         check_kernel_size(target, "kernel_w", init->kernel_w, why) &&
         xc_check_activation(target->depthwise.activations, init->act_type,
                             why) &&
         xc_check_bias(target, init->shift_bias, why) &&
         xc_check_weights(&target->depthwiseWeights, "all channels",
                          weight_words(op), why);
}

const XcDpuBanks *xc_depthwise_bias(const XcDpuTarget *target) {
  return target->depthwiseBias.numBanks > 0 ? &target->depthwiseBias
                                            : &target->bias;
}

static void dptwise_reads(const XcDpuTarget *target, const xc_op *op,
                          xc_run_handler handler, void *context) {
  const XcDpuDptwise *dptwise = &op->insn.dptwise;
  xc_window_runs(target, &op->window, handler, context);
  xc_run weights = {.role = XC_ROLE_WEIGHTS,
                    .bank = (uint32_t)target->depthwiseWeights.firstBank,
                    .address = dptwise->bank_addr_weights,
                    .step = dptwise->channel_group,
                    .column_step = 1,
                    .count = op->dw_init.kernel_h * op->dw_init.kernel_w,
                    .words = dptwise->channel_group};
  handler(context, &weights);
  xc_parameter_run(XC_ROLE_BIAS, 0, xc_depthwise_bias(target)->firstBank,
                   dptwise->bank_addr_bias, dptwise->channel_group, handler,
                   context);
}

static xc_cost dptwise_cost(const XcDpuTarget *target, const xc_op *op) {
  int32_t given = target->timing.depthwisePositionsPerCycle;
  uint32_t at_once = given > 0 ? (uint32_t)given : 1;
  uint32_t positions = op->window.kernel_h * op->window.kernel_w;
  uint32_t cycles = (positions + at_once - 1) / at_once;
  return (xc_cost){.fixed =
                       target->timing.aluStart + xc_window_work(op, cycles)};
}

static uint64_t dptwise_macs(const XcDpuTarget *target, const xc_op *op) {
  return (uint64_t)op->output.rows * op->output.pixels * weight_words(op) *
         (uint64_t)target->channelParallel;
}

static bool computes_same(const xc_op *a, const xc_op *b) {
  return a->dw_init.act_type == b->dw_init.act_type &&
         a->dw_init.shift_cut == b->dw_init.shift_cut &&
         a->dw_init.shift_bias == b->dw_init.shift_bias;
}

const xc_operation xc_operation_dptwise = {
    .class = XC_OP_MISC,
    .init = XcDpuOpcodeDwInit,
    .has_init = true,
    .resolve = resolve_dptwise,
    .check = check_dptwise,
    .reads = dptwise_reads,
    .writes = xc_output_runs,
    .cost = dptwise_cost,
    .macs = dptwise_macs,
    .computes_same = computes_same,
};
