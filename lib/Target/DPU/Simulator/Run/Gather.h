//===- Gather.h - windows of the misc engine ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every output pixel gathers its window into one accumulator per channel: sums
// of products, sums, or maxima. Masked positions add what masking stands for,
// zero or the smallest number, so that they are passed over. Then each
// operation finishes the accumulators in its own way.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_SIMULATOR_RUN_GATHER_H
#define XC_TARGET_DPU_SIMULATOR_RUN_GATHER_H

#include "Sim.h"

typedef enum xc_gather_kind {
  XC_GATHER_PRODUCTS,
  XC_GATHER_SUM,
  XC_GATHER_MAXIMUM,
} xc_gather_kind;

typedef struct xc_gather xc_gather;

/// The arithmetic of an operation on its windows.
typedef struct xc_gather_plan {
  xc_gather_kind kind;
  /// Of products: the weights, `step` words from one kernel position to the
  /// next, of `size` bytes each.
  uint32_t weights_bank, weights_step, weights_size;
  uint64_t weights_address;
  /// The bytes for `bias`, one for each channel.
  bool has_bias;
  uint32_t bias_bank;
  uint64_t bias_address;
  int8_t (*finish)(const xc_gather *gather, size_t channel);
} xc_gather_plan;

struct xc_gather {
  XcDpuSim *sim;
  const xc_op *op;
  const xc_gather_plan *plan;
  size_t channels; // of a slice
  size_t valid;    // of these, not masked
  int64_t *totals; // of a pixel of the output: of products and sums
  int8_t *maxima;
  int8_t *bias;
  // Inside of Gather.c.
  int32_t *sums;     // since the last flush
  int8_t *pixel;     // room for one slice
  int8_t *weights;   // room for one slice of weights
  uint32_t products; // in `sums`, per channel
};

/// Computes the output of an op and writes it.
void xc_sim_gather(XcDpuSim *sim, const xc_op *op, const xc_gather_plan *plan);

#endif // XC_TARGET_DPU_SIMULATOR_RUN_GATHER_H
