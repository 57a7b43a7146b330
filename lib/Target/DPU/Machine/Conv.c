//===- Conv.c - CONV ------------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Walk.h"

static void resolve_conv(const XcDpuTarget *target, xc_op *op) {
  const XcDpuConvInit *init = &op->conv_init;
  const XcDpuConv *conv = &op->insn.conv;
  const xc_window_fields fields = {
      XC_WINDOW_INIT(init),
      XC_WINDOW_INSN(conv),
      XC_WINDOW_ENDS(init),
      .kernel_d = 1,
      .channel_group = conv->channel_group,
      .channel_offset = conv->channel_offset,
      .rows = init->valid_pixel_parallel,
      .pixels = conv->length,
      .words = 1,
  };
  xc_resolve_window(target, &fields, op);
}

static bool check_conv(const XcDpuTarget *target, const xc_op *op,
                       xc_text *why) {
  const XcDpuConv *conv = &op->insn.conv;
  const XcDpuConvInit *init = &op->conv_init;
  if (!xc_check_image_bank(target, why, "bank_id_in", conv->bank_id_in) ||
      !xc_check_image_bank(target, why, "bank_id_out", conv->bank_id_out) ||
      !xc_check_engine(target, &target->conv, op, why) ||
      !xc_check_activation(target->conv.activations, init->act_type, why) ||
      !xc_check_bias(target, init->shift_bias, why))
    return false;
  uint32_t words = init->kernel_h * init->kernel_w * conv->channel_group;
  return xc_check_weights(&target->weights, "one output channel", words, why);
}

static void conv_reads(const XcDpuTarget *target, const xc_op *op,
                       xc_run_handler handler, void *context) {
  const XcDpuConv *conv = &op->insn.conv;
  xc_window_runs(target, &op->window, handler, context);
  uint32_t words =
      op->window.kernel_h * op->window.kernel_w * conv->channel_group;
  for (int32_t o = 0; o < target->weights.numBanks; ++o)
    xc_parameter_run(XC_ROLE_WEIGHTS, (uint32_t)o,
                     target->weights.firstBank + o, conv->bank_addr_weights,
                     words, handler, context);
  xc_parameter_run(XC_ROLE_BIAS, 0, target->bias.firstBank,
                   conv->bank_addr_bias, 1, handler, context);
}

static xc_cost conv_cost(const XcDpuTarget *target, const xc_op *op) {
  return (xc_cost){
      .fixed = target->timing.convStart +
               xc_window_work(op, op->window.kernel_h * op->window.kernel_w)};
}

static uint64_t conv_macs(const XcDpuTarget *target, const xc_op *op) {
  uint64_t parallel = (uint64_t)target->channelParallel;
  uint64_t channels =
      op->insn.conv.channel_group * parallel - op->insn.conv.channel_offset;
  return (uint64_t)op->output.rows * op->output.pixels *
         op->conv_init.kernel_h * op->conv_init.kernel_w * channels *
         (uint64_t)target->outputChannelParallel;
}

static bool computes_same(const xc_op *a, const xc_op *b) {
  return a->conv_init.act_type == b->conv_init.act_type &&
         a->conv_init.shift_cut == b->conv_init.shift_cut &&
         a->conv_init.shift_bias == b->conv_init.shift_bias;
}

const xc_operation xc_operation_conv = {
    .class = XC_OP_CONV,
    .init = XcDpuOpcodeConvInit,
    .has_init = true,
    .resolve = resolve_conv,
    .check = check_conv,
    .reads = conv_reads,
    .writes = xc_output_runs,
    .cost = conv_cost,
    .macs = conv_macs,
    .computes_same = computes_same,
};
