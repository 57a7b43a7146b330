//===- Alu.c - the misc engine that has modes -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gather.h"
#include "xc-c/FixedPoint.h"

/// The shift goes by the sign of the product.
static int8_t leaky(const XcDpuAluInit *init, int64_t value, int32_t factor) {
  int64_t product = value < 0 ? value * factor : value;
  return xcRnd8(product,
                product < 0 ? init->shift_prelu_n : init->shift_prelu_p);
}

static int8_t finish_channel(const xc_gather *gather, size_t c) {
  const XcDpuAluInit *init = &gather->op->alu_init;
  int64_t total = gather->totals[c];
  int cut = init->shift_cut;
  XcActivation activation = (XcActivation)init->act_type;
  switch ((XcDpuAluMode)init->exec_mode) {
  case XcDpuAluModeDepthwise:
    return xcActRnd8(2 * total + xc_sim_bias(gather->bias[c], init->shift_bias),
                     cut + 1, activation);
  case XcDpuAluModeDepthwiseNoBias:
  case XcDpuAluModeDepthwise16:
    return xcActRnd8(total, cut, activation);
  case XcDpuAluModeAveragePool:
    return xcRnd8(total * init->multi_factor, cut);
  case XcDpuAluModeMaxPool:
  case XcDpuAluModeMaxReduce:
    return xcRnd8(gather->maxima[c], cut);
  case XcDpuAluModeLeakyRelu:
    return leaky(init, total, init->multi_factor);
  case XcDpuAluModePrelu:
    return leaky(init, total, gather->bias[c]);
  case XcDpuAluModeHardSigmoid:
    return xcSaturate8(xcHSigmoid(total, init->shift_bias, cut));
  }
  return 0;
}

static xc_gather_kind get_gather_kind(XcDpuAluMode mode) {
  switch (mode) {
  case XcDpuAluModeDepthwise:
  case XcDpuAluModeDepthwiseNoBias:
  case XcDpuAluModeDepthwise16:
    return XC_GATHER_PRODUCTS;
  case XcDpuAluModeMaxPool:
  case XcDpuAluModeMaxReduce:
    return XC_GATHER_MAXIMUM;
  case XcDpuAluModeAveragePool:
  case XcDpuAluModePrelu:
  case XcDpuAluModeLeakyRelu:
  case XcDpuAluModeHardSigmoid:
    return XC_GATHER_SUM;
  }
  return XC_GATHER_SUM;
}

void xc_sim_alu(XcDpuSim *sim, const xc_op *op) {
  const XcDpuTarget *target = sim->target;
  const XcDpuAlu *alu = &op->insn.alu;
  XcDpuAluMode mode = (XcDpuAluMode)op->alu_init.exec_mode;
  bool is_prelu = mode == XcDpuAluModePrelu;
  // The factors of PReLU take the place of the bias.
  const XcDpuBanks *bias = is_prelu ? &target->depthwiseWeights : &target->bias;
  const xc_gather_plan plan = {
      .kind = get_gather_kind(mode),
      .weights_bank = (uint32_t)target->depthwiseWeights.firstBank,
      .weights_address = alu->bank_addr_weights,
      .weights_step = op->alu_init.jump_read_weights,
      .weights_size = mode == XcDpuAluModeDepthwise16 ? 2 : 1,
      .has_bias = is_prelu || mode == XcDpuAluModeDepthwise,
      .bias_bank = (uint32_t)bias->firstBank,
      .bias_address = is_prelu ? alu->bank_addr_weights : alu->bank_addr_bias,
      .finish = finish_channel,
  };
  xc_sim_gather(sim, op, &plan);
}
