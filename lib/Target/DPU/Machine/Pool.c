//===- Pool.c - POOL ------------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Walk.h"

#include <inttypes.h>

static void resolve_pool(const XcDpuTarget *target, xc_op *op) {
  const XcDpuPoolInit *init = &op->pool_init;
  const XcDpuPool *pool = &op->insn.pool;
  const xc_window_fields fields = {
      XC_WINDOW_INIT(init),
      XC_WINDOW_INSN(pool),
      XC_WINDOW_ENDS(pool),
      .kernel_d = 1,
      .channel_group = pool->channel_group,
      .rows = init->valid_pixel_parallel,
      .pixels = pool->length,
      .words = pool->channel_group,
  };
  xc_resolve_window(target, &fields, op);
}

static bool check_pool(const XcDpuTarget *target, const xc_op *op,
                       xc_text *why) {
  const XcDpuPoolInit *init = &op->pool_init;
  const XcDpuPool *pool = &op->insn.pool;
  if (!xcDpuSetHas(target->poolKinds, init->pool_type)) {
    xc_text_printf(why, "'pool_type' is %" PRIu32 ", which the engine lacks",
                   init->pool_type);
    return false;
  }
  if (init->pool_type == XcDpuPoolKindAverage &&
      target->averagePoolSquareOnly && init->kernel_h != init->kernel_w) {
    xc_text_printf(why,
                   "the average is over %" PRIu32 " rows and %" PRIu32
                   " columns, expected as many",
                   init->kernel_h, init->kernel_w);
    return false;
  }
  return xc_check_image_bank(target, why, "bank_id_in", pool->bank_id_in) &&
         xc_check_image_bank(target, why, "bank_id_out", pool->bank_id_out) &&
         xc_check_engine(target, &target->pool, op, why);
}

static void pool_reads(const XcDpuTarget *target, const xc_op *op,
                       xc_run_handler handler, void *context) {
  xc_window_runs(target, &op->window, handler, context);
}

static xc_cost pool_cost(const XcDpuTarget *target, const xc_op *op) {
  return (xc_cost){
      .fixed = target->timing.aluStart +
               xc_window_work(op, op->window.kernel_h * op->window.kernel_w)};
}

static bool computes_same(const xc_op *a, const xc_op *b) {
  return a->pool_init.pool_type == b->pool_init.pool_type &&
         a->pool_init.shift_cut == b->pool_init.shift_cut;
}

const xc_operation xc_operation_pool = {
    .class = XC_OP_MISC,
    .init = XcDpuOpcodePoolInit,
    .has_init = true,
    .resolve = resolve_pool,
    .check = check_pool,
    .reads = pool_reads,
    .writes = xc_output_runs,
    .cost = pool_cost,
    .computes_same = computes_same,
};
