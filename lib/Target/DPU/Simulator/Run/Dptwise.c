//===- Dptwise.c - the depthwise engine -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gather.h"
#include "xc-c/FixedPoint.h"

static int8_t finish(const xc_gather *gather, size_t c) {
  const XcDpuDwInit *init = &gather->op->dw_init;
  return xcActRnd8(2 * gather->totals[c] +
                       xc_sim_bias(gather->bias[c], init->shift_bias),
                   init->shift_cut + 1, (XcActivation)init->act_type);
}

void xc_sim_dptwise(XcDpuSim *sim, const xc_op *op) {
  const XcDpuTarget *target = sim->target;
  const XcDpuDptwise *dptwise = &op->insn.dptwise;
  const xc_gather_plan plan = {
      .kind = XC_GATHER_PRODUCTS,
      .weights_bank = (uint32_t)target->depthwiseWeights.firstBank,
      .weights_address = dptwise->bank_addr_weights,
      .weights_step = dptwise->channel_group,
      .weights_size = 1,
      .has_bias = true,
      .bias_bank = (uint32_t)xc_depthwise_bias(target)->firstBank,
      .bias_address = dptwise->bank_addr_bias,
      .finish = finish,
  };
  xc_sim_gather(sim, op, &plan);
}
