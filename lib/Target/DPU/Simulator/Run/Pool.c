//===- Pool.c - the pooling engine ----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gather.h"
#include "xc-c/FixedPoint.h"

static int8_t finish_maximum(const xc_gather *gather, size_t c) {
  return xcRnd8(gather->maxima[c], gather->op->pool_init.shift_cut);
}

/// The engine finds the factor by the width of the kernel.
static int8_t finish_average(const xc_gather *gather, size_t c) {
  const XcDpuPoolInit *init = &gather->op->pool_init;
  XcAvgFactor factor = xcAvgPoolFactor(init->kernel_w, init->kernel_w);
  return xcSaturate8(xcAvgPool(gather->totals[c], factor, -init->shift_cut));
}

void xc_sim_pool(XcDpuSim *sim, const xc_op *op) {
  bool is_average = op->pool_init.pool_type == XcDpuPoolKindAverage;
  const xc_gather_plan plan = {
      .kind = is_average ? XC_GATHER_SUM : XC_GATHER_MAXIMUM,
      .finish = is_average ? finish_average : finish_maximum,
  };
  xc_sim_gather(sim, op, &plan);
}
