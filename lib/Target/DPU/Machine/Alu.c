//===- Alu.c - ALU --------------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Walk.h"

#include <assert.h>
#include <inttypes.h>

enum {
  WIDE_WEIGHT_WORDS = 2,
  /// Of the input of a hard sigmoid.
  MAX_FIX_POINT = 20,
};

static void resolve_alu(const XcDpuTarget *target, xc_op *op) {
  const XcDpuAluInit *init = &op->alu_init;
  const XcDpuAlu *alu = &op->insn.alu;
  const xc_window_fields fields = {
      XC_WINDOW_INIT(init),
      XC_WINDOW_INSN(alu),
      XC_WINDOW_ENDS(init),
      .kernel_d = alu->kernel_d,
      .channel_group = init->channel_group,
      .channel_offset = init->channel_offset,
      .rows = alu->valid_pixel_parallel,
      .pixels = init->length,
      .words = init->channel_group,
      .is_unmasked = init->exec_mode == XcDpuAluModeMaxReduce,
  };
  xc_resolve_window(target, &fields, op);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// Conditions of an ALU mode besides the limits of the engine.
typedef struct mode_rule {
  bool has_activation;
  bool is_pointwise; // kernel and stride 1
  bool is_flat;      // kernel_d 1
} mode_rule;

static mode_rule get_mode_rule(XcDpuAluMode mode) {
  switch (mode) {
  case XcDpuAluModeDepthwise:
  case XcDpuAluModeDepthwiseNoBias:
  case XcDpuAluModeDepthwise16:
    return (mode_rule){.has_activation = true};
  case XcDpuAluModeAveragePool:
  case XcDpuAluModeMaxPool:
  case XcDpuAluModeMaxReduce:
    return (mode_rule){.is_flat = true};
  case XcDpuAluModePrelu:
  case XcDpuAluModeLeakyRelu:
  case XcDpuAluModeHardSigmoid:
    return (mode_rule){.is_pointwise = true, .is_flat = true};
  }
  assert(false && "the mode is in the set of the target");
  return (mode_rule){0};
}

static bool check_alu(const XcDpuTarget *target, const xc_op *op,
                      xc_text *why) {
  const XcDpuAlu *alu = &op->insn.alu;
  const XcDpuAluInit *init = &op->alu_init;
  if (!xcDpuSetHas(target->aluModes, init->exec_mode) ||
      !xcDpuAluModeGetName((XcDpuAluMode)init->exec_mode)) {
    xc_text_printf(why, "'exec_mode' is %" PRIu32 ", which the engine lacks",
                   init->exec_mode);
    return false;
  }
  mode_rule rule = get_mode_rule((XcDpuAluMode)init->exec_mode);
  if (!xc_check_image_bank(target, why, "bank_id_in", alu->bank_id_in) ||
      !xc_check_image_bank(target, why, "bank_id_out", alu->bank_id_out) ||
      !xc_check_engine(target, &target->alu, op, why) ||
      !(init->exec_mode == XcDpuAluModeDepthwise
            ? xc_check_bias(target, init->shift_bias, why)
            : xc_check_range(why, "shift_bias", init->shift_bias, 0,
                             MAX_FIX_POINT)))
    return false;
  if (rule.has_activation &&
      !xc_check_activation(target->alu.activations, init->act_type, why))
    return false;
  if (rule.is_flat && !xc_check_range(why, "kernel_d", alu->kernel_d, 1, 1))
    return false;
  return !rule.is_pointwise ||
         (xc_check_range(why, "kernel_h", init->kernel_h, 1, 1) &&
          xc_check_range(why, "kernel_w", init->kernel_w, 1, 1) &&
          xc_check_range(why, "stride_h", init->stride_h, 1, 1) &&
          xc_check_range(why, "stride_w", init->stride_w, 1, 1));
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static void emit_depthwise_weights(const XcDpuTarget *target, const xc_op *op,
                                   uint32_t size, xc_run_handler handler,
                                   void *context) {
  const XcDpuAluInit *init = &op->alu_init;
  xc_run run = {.role = XC_ROLE_WEIGHTS,
                .bank = (uint32_t)target->depthwiseWeights.firstBank,
                .address = op->insn.alu.bank_addr_weights,
                .step = init->jump_read_weights,
                .column_step = 1,
                .count = init->kernel_h * init->kernel_w,
                .words = init->channel_group * op->insn.alu.kernel_d * size};
  handler(context, &run);
}

static void alu_reads(const XcDpuTarget *target, const xc_op *op,
                      xc_run_handler handler, void *context) {
  const XcDpuAlu *alu = &op->insn.alu;
  uint32_t words = op->alu_init.channel_group;
  xc_window_runs(target, &op->window, handler, context);
  switch ((XcDpuAluMode)op->alu_init.exec_mode) {
  case XcDpuAluModeDepthwise:
    emit_depthwise_weights(target, op, 1, handler, context);
    xc_parameter_run(XC_ROLE_BIAS, 0, target->bias.firstBank,
                     alu->bank_addr_bias, words, handler, context);
    return;
  case XcDpuAluModeDepthwiseNoBias:
    emit_depthwise_weights(target, op, 1, handler, context);
    return;
  case XcDpuAluModeDepthwise16:
    emit_depthwise_weights(target, op, WIDE_WEIGHT_WORDS, handler, context);
    return;
  case XcDpuAluModePrelu:
    xc_parameter_run(XC_ROLE_WEIGHTS, 0, target->depthwiseWeights.firstBank,
                     alu->bank_addr_weights, words, handler, context);
    return;
  case XcDpuAluModeAveragePool:
  case XcDpuAluModeMaxPool:
  case XcDpuAluModeLeakyRelu:
  case XcDpuAluModeMaxReduce:
  case XcDpuAluModeHardSigmoid:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

static xc_cost alu_cost(const XcDpuTarget *target, const xc_op *op) {
  return (xc_cost){
      .fixed = target->timing.aluStart +
               xc_window_work(op, op->window.kernel_h * op->window.kernel_w)};
}

static uint64_t alu_macs(const XcDpuTarget *target, const xc_op *op) {
  const XcDpuAluInit *init = &op->alu_init;
  if (init->exec_mode != XcDpuAluModeDepthwise &&
      init->exec_mode != XcDpuAluModeDepthwiseNoBias &&
      init->exec_mode != XcDpuAluModeDepthwise16)
    return 0;
  return (uint64_t)op->output.rows * op->output.pixels * init->kernel_h *
         init->kernel_w * op->insn.alu.kernel_d * init->channel_group *
         (uint64_t)target->channelParallel;
}

static bool computes_same(const xc_op *a, const xc_op *b) {
  return a->alu_init.exec_mode == b->alu_init.exec_mode &&
         a->alu_init.act_type == b->alu_init.act_type &&
         a->alu_init.shift_cut == b->alu_init.shift_cut;
}

const xc_operation xc_operation_alu = {
    .class = XC_OP_MISC,
    .init = XcDpuOpcodeAluInit,
    .has_init = true,
    .resolve = resolve_alu,
    .check = check_alu,
    .reads = alu_reads,
    .writes = xc_output_runs,
    .cost = alu_cost,
    .macs = alu_macs,
    .computes_same = computes_same,
};
