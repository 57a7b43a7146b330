//===- Cost.c - the price of a planned unit -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cost.h"

#include "Support/Math.h"
#include "Target/DPU/Machine/Machine.h"

/// Sums of these stay in range, whatever the memory of a target file is.
static int64_t cycles_of(double bytes, double rate) {
  const double most = 1e14;
  return (int64_t)(bytes < most * rate ? bytes / rate : most);
}

/// Returns the cycles of one queue: `lanes` ports move `rate` bytes a cycle
/// each, or less if the memory that they reach is slower.
static int64_t transfer_cycles(double bandwidth, const xc_transfers *transfers,
                               int32_t start, int32_t rate, int32_t lanes) {
  double all = (double)rate * lanes;
  double bytes = (double)transfers->bytes * lanes;
  return (transfers->count * start +
          cycles_of(bytes, all < bandwidth ? all : bandwidth)) /
         lanes;
}

static int64_t longest_queue(double bandwidth, const xc_unit_cost *cost) {
  int64_t bytes = cost->load_bytes + cost->save_bytes;
  int64_t cycles = xc_maximum64(cost->conv, cost->misc);
  cycles = xc_maximum64(cycles, xc_maximum64(cost->load, cost->save));
  return xc_maximum64(cycles, cycles_of((double)bytes, bandwidth));
}

xc_unit_cost xc_price(const XcDpuTarget *target, const xc_work *work) {
  const XcDpuTiming *timing = &target->timing;
  double bandwidth = xc_target_bandwidth(target);
  int64_t input = transfer_cycles(bandwidth, &work->input, timing->loadStart,
                                  timing->loadBytesPerCycle, 1);
  bool is_apart = timing->weightsBytesPerCycle > 0;
  int64_t weights = transfer_cycles(
      is_apart ? timing->weightsBytesPerCycle : bandwidth, &work->weights,
      timing->loadStart,
      is_apart ? timing->weightsBytesPerCycle : timing->loadBytesPerCycle, 1);
  int64_t output =
      transfer_cycles(bandwidth, &work->output, timing->saveStart,
                      timing->saveBytesPerCycle, target->savePorts);
  xc_unit_cost cost = {
      .load = input + weights,
      .save = output,
      .conv = work->conv,
      .misc = work->misc,
      .load_bytes = work->input.bytes + (is_apart ? 0 : work->weights.bytes),
      .save_bytes = work->output.bytes,
      .start = input / work->blocks + output / work->blocks,
      .weights = weights,
      .serial = work->last,
  };
  if (work->waits_for_input)
    cost.serial += input;
  if (work->waits_for_output)
    cost.serial += output;
  if (work->waits_for_weights)
    cost.serial += weights;
  cost.cycles = longest_queue(bandwidth, &cost) + cost.serial;
  return cost;
}

int64_t xc_elementwise_cycles(const XcDpuTarget *target, int64_t operands,
                              int64_t rows, int64_t words) {
  int64_t parallel = target->elementwiseRows > 0 ? target->elementwiseRows : 1;
  return (rows + parallel - 1) / parallel *
         (target->timing.elementwiseStart +
          operands * (target->timing.initCycles + words));
}

void xc_unit_cost_add(xc_unit_cost *sum, const xc_unit_cost *cost) {
  sum->load += cost->load;
  sum->save += cost->save;
  sum->conv += cost->conv;
  sum->misc += cost->misc;
  sum->load_bytes += cost->load_bytes;
  sum->save_bytes += cost->save_bytes;
  sum->start += cost->start;
}

int64_t xc_unit_cost_overlapped(const XcDpuTarget *target,
                                const xc_unit_cost *sum) {
  return longest_queue(xc_target_bandwidth(target), sum) + sum->start;
}
