//===- Elew.c - the element-wise engine -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim.h"
#include "xc-c/FixedPoint.h"

#include <string.h>

enum { MAX_OPERANDS = 4 };

/// shift of the result, guard bits of the terms included.
static int result_shift(const XcDpuElew *elew) {
  bool is_product = elew->elew_type == XcDpuElementwiseKindMul;
  int guard = is_product ? 2 * XC_FIX_ADD_GUARD_BITS : XC_FIX_ADD_GUARD_BITS;
  return guard + elew->shift_write;
}

static void combine_pixel(const xc_op *op, const int8_t *const *operands,
                          int8_t *output, size_t channels) {
  const XcDpuElew *elew = &op->insn.elew;
  bool is_product = elew->elew_type == XcDpuElementwiseKindMul;
  int shift = result_shift(elew);
  for (size_t c = 0; c < channels; ++c) {
    int64_t value = is_product ? 1 : 0;
    for (uint32_t k = 0; k < elew->num; ++k) {
      int64_t term = xcFixAddTerm(operands[k][c], op->elew_init[k].shift_read);
      value = is_product ? value * term : value + term;
    }
    output[c] = xcActRnd8(value, shift, (XcActivation)elew->act_type);
  }
}

void xc_sim_elew(XcDpuSim *sim, const xc_op *op) {
  const XcDpuElew *elew = &op->insn.elew;
  size_t channels = elew->channel_group * sim->word_bytes;
  int8_t *buffer = xc_scratch_get(&sim->lane_bytes, MAX_OPERANDS * channels);
  int8_t *output = xc_scratch_get(
      &sim->output, (size_t)op->output.rows * op->output.pixels * channels);
  int8_t *pixel = output;
  for (uint32_t y = 0; y < op->output.rows; ++y) {
    xc_row rows[MAX_OPERANDS];
    for (uint32_t k = 0; k < elew->num; ++k)
      rows[k] = xc_walk_row(sim->target, &op->operands[k], y);
    for (uint32_t x = 0; x < op->output.pixels; ++x, pixel += channels) {
      const int8_t *operands[MAX_OPERANDS];
      for (uint32_t k = 0; k < elew->num; ++k)
        operands[k] = xc_sim_view(sim, rows[k].bank,
                                  rows[k].address +
                                      (uint64_t)x * op->operands[k].pixel_step,
                                  buffer + k * channels, channels);
      combine_pixel(op, operands, pixel, channels);
    }
  }
  xc_sim_write_block(sim, &op->output, output);
}
