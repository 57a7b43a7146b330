//===- Conv.c - CONV ------------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Walk.h"

#include <inttypes.h>

static void resolve_conv(const XcDpuTarget *target, xc_op *op) {
  const XcDpuConvInit *init = &op->conv_init;
  const XcDpuConv *conv = &op->insn.conv;
  xc_window *window = &op->window;
  *window = (xc_window){
      .walk = xc_window_walk(
          target, conv->bank_id_in,
          (uint32_t[]){conv->bank_addr_in, conv->bank_addr_in_1,
                       conv->bank_addr_in_2, conv->bank_addr_in_3}),
      .rows =
          (init->valid_pixel_parallel - 1) * init->stride_h + init->kernel_h,
      .columns = (conv->length - 1) * init->stride_w + init->kernel_w,
      .kernel_h = init->kernel_h,
      .kernel_w = init->kernel_w,
      .kernel_d = 1,
      .stride_h = init->stride_h,
      .stride_w = init->stride_w,
      .pad_left = conv->pad_left,
      .pad_top = conv->pad_top,
      .last_column = (conv->length - 1) * init->stride_w + conv->pad_right,
      .last_row =
          (init->valid_pixel_parallel - 1) * init->stride_h + conv->pad_bottom,
      .channel_offset =
          xc_clip_channels(target, conv->channel_offset, conv->channel_group),
      .masked = true,
  };
  window->walk.stride = init->stride_h;
  window->walk.offset = init->stride_offset_in;
  window->walk.row_step = init->jump_read_endl;
  window->walk.pixel_step = init->jump_read;
  window->walk.pixel_words = conv->channel_group;
  xc_walk out = xc_row_walk(target, conv->bank_id_out);
  out.stride = init->stride_out;
  out.offset = init->stride_offset_out;
  out.row_step = init->jump_write_endl;
  out.address[0] = conv->bank_addr_out;
  out.wrap_step = init->stride_out * init->jump_write_endl;
  out.pixel_step = init->jump_write;
  out.pixel_words = 1;
  op->output = (xc_output_block){
      .walk = out, .rows = init->valid_pixel_parallel, .pixels = conv->length};
}

static bool check_conv(const XcDpuTarget *target, const xc_op *op,
                       xc_text *why) {
  const XcDpuConv *conv = &op->insn.conv;
  const XcDpuConvInit *init = &op->conv_init;
  if (!xc_check_image_bank(target, why, "bank_id_in", conv->bank_id_in) ||
      !xc_check_image_bank(target, why, "bank_id_out", conv->bank_id_out) ||
      !xc_check_engine(target, &target->conv, op, why) ||
      !xc_check_activation(target->conv.activations, init->act_type, why) ||
      !xc_check_bias(init->shift_bias, why))
    return false;
  uint32_t words = init->kernel_h * init->kernel_w * conv->channel_group;
  if (words <= (uint32_t)target->weights.depth)
    return true;
  xc_text_printf(why,
                 "the weights of one output channel take %" PRIu32
                 " words, a bank has %" PRId32,
                 words, target->weights.depth);
  return false;
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
  const xc_window *window = &op->window;
  double work = op->output.pixels;
  work *= window->walk.pixel_words * window->kernel_h * window->kernel_w;
  return (xc_cost){.fixed = target->timing.convStart + work};
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
