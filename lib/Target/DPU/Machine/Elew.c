//===- Elew.c - ELEW ------------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Machine.h"
#include "Walk.h"

#include <inttypes.h>

static xc_walk operand_walk(const XcDpuTarget *target,
                            const XcDpuElewInit *init, uint32_t words) {
  xc_walk walk = xc_row_walk(target, init->bank_id_in);
  walk.bank_step = init->share_pp ? 0 : init->jump_bank;
  walk.address[0] = init->bank_addr_in;
  walk.wrap_step = init->jump_read_endl;
  walk.pixel_step = init->jump_read;
  walk.pixel_words = words;
  return walk;
}

static void resolve_elew(const XcDpuTarget *target, xc_op *op) {
  const XcDpuElew *elew = &op->insn.elew;
  for (uint32_t k = 0; k < elew->num; ++k)
    op->operands[k] =
        operand_walk(target, &op->elew_init[k], elew->channel_group);
  xc_walk out = xc_row_walk(target, elew->bank_id_out);
  out.address[0] = elew->bank_addr_out;
  out.wrap_step = elew->jump_write_endl;
  out.pixel_step = elew->jump_write;
  out.pixel_words = elew->channel_group;
  op->output = (xc_output_block){
      .walk = out, .rows = elew->valid_pixel_parallel, .pixels = elew->length};
}

static bool check_elew(const XcDpuTarget *target, const xc_op *op,
                       xc_text *why) {
  const XcDpuElew *elew = &op->insn.elew;
  if (!xcDpuSetHas(target->elementwiseKinds, elew->elew_type)) {
    xc_text_printf(why, "'elew_type' is %" PRIu32 ", which the engine lacks",
                   elew->elew_type);
    return false;
  }
  if (!xc_check_image_bank(target, why, "bank_id_out", elew->bank_id_out) ||
      !xc_check_range(why, "valid_pixel_parallel", elew->valid_pixel_parallel,
                      1, target->elementwiseRows) ||
      !xc_check_activation(target->elementwiseActivations, elew->act_type, why))
    return false;
  bool is_product = elew->elew_type == XcDpuElementwiseKindMul;
  if (!xc_check_range(why, "num", elew->num, is_product ? 2 : 1,
                      is_product ? 2 : target->elementwiseOperands))
    return false;
  bool checks_ids = xc_machine_of(target)->checks_operand_ids;
  for (uint32_t k = 0; k < elew->num; ++k) {
    const XcDpuElewInit *init = &op->elew_init[k];
    if (!xc_check_image_bank(target, why, "bank_id_in", init->bank_id_in) ||
        (checks_ids && !xc_check_range(why, "id", init->id, k, k)))
      return false;
    if (!init->share_pp &&
        !xc_check_range(why, "jump_bank * valid_pixel_parallel",
                        init->jump_bank * elew->valid_pixel_parallel, 1,
                        target->pixelParallel))
      return false;
  }
  return true;
}

static void elew_reads(const XcDpuTarget *target, const xc_op *op,
                       xc_run_handler handler, void *context) {
  for (uint32_t k = 0; k < op->insn.elew.num; ++k)
    for (uint32_t y = 0; y < op->output.rows; ++y) {
      const xc_walk *walk = &op->operands[k];
      xc_row row = xc_walk_row(target, walk, y);
      xc_run run = {.role = XC_ROLE_OPERAND,
                    .part = k,
                    .row = y,
                    .bank = row.bank,
                    .address = row.address,
                    .step = walk->pixel_step,
                    .column_step = 1,
                    .count = op->output.pixels,
                    .words = walk->pixel_words};
      handler(context, &run);
    }
}

static xc_cost elew_cost(const XcDpuTarget *target, const xc_op *op) {
  double work = op->output.pixels;
  work *= op->insn.elew.channel_group * op->insn.elew.num;
  return (xc_cost){.fixed = target->timing.elementwiseStart + work};
}

static bool computes_same(const xc_op *a, const xc_op *b) {
  return a->insn.elew.elew_type == b->insn.elew.elew_type &&
         a->insn.elew.act_type == b->insn.elew.act_type &&
         a->insn.elew.shift_write == b->insn.elew.shift_write;
}

const xc_operation xc_operation_elew = {
    .class = XC_OP_MISC,
    .init = XcDpuOpcodeElewInit,
    .has_init = true,
    .takes_operands = true,
    .resolve = resolve_elew,
    .check = check_elew,
    .reads = elew_reads,
    .writes = xc_output_runs,
    .cost = elew_cost,
    .computes_same = computes_same,
};
