//===- Cost.c - what instructions cost ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cost.h"

unsigned xc_op_lane(const XcDpuProgram *program, const XcDpuInstruction *insn) {
  switch (program->isa->opcodes[insn->opcode].queue) {
  case XcDpuQueueLoad:
    return XC_LANE_LOAD;
  case XcDpuQueueSave:
    return insn->opcode == XcDpuOpcodeSave ? XC_LANE_SAVE + insn->save.hp_id
                                           : XC_LANE_SAVE;
  case XcDpuQueueConv:
    return XC_LANE_CONV;
  case XcDpuQueueMisc:
    return XC_LANE_MISC;
  }
  return XC_LANE_LOAD;
}

double xc_target_bandwidth(const XcDpuTarget *target) {
  double ports = target->derived.portBytesPerCycle;
  double ddr = (double)target->ddrBytesPerSecond / (double)target->clockHz;
  return ddr > 0 && ddr < ports ? ddr : ports;
}

static uint64_t round_up(uint64_t bytes, int32_t burst) {
  uint64_t unit = burst > 0 ? (uint64_t)burst : 1;
  return (bytes + unit - 1) / unit * unit;
}

/// Pixels that follow each other directly are one run.
static uint64_t transfer_bytes(const XcDpuTarget *target, const xc_op *op) {
  xc_ddr_range range;
  if (!xc_op_ddr(op, &range))
    return 0;
  if (range.step == range.channel)
    return round_up((uint64_t)range.length * range.channel,
                    target->timing.burstBytes);
  return range.length * round_up(range.channel, target->timing.burstBytes);
}

static xc_cost load_cost(const XcDpuTarget *target, const xc_op *op) {
  const XcDpuLoad *load = &op->insn.load;
  xc_cost cost = {.fixed = target->timing.loadStart,
                  .max_rate = target->timing.loadBytesPerCycle};
  if (xc_load_is_constant(load)) {
    // Nothing moves; the bank takes one word per cycle.
    uint64_t parallel = (uint64_t)target->channelParallel;
    cost.fixed +=
        (double)(load->length * ((load->channel + parallel - 1) / parallel));
    return cost;
  }
  cost.bytes = transfer_bytes(target, op);
  return cost;
}

xc_cost xc_op_cost(const XcDpuTarget *target, const xc_op *op) {
  const XcDpuTiming *timing = &target->timing;
  const xc_window *window = &op->window;
  double work = op->output.pixels;
  switch ((XcDpuOpcode)op->insn.opcode) {
  case XcDpuOpcodeLoad:
    return load_cost(target, op);
  case XcDpuOpcodeSave:
    return (xc_cost){.fixed = timing->saveStart,
                     .bytes = transfer_bytes(target, op),
                     .max_rate = timing->saveBytesPerCycle};
  case XcDpuOpcodeConv:
    work *= window->walk.pixel_words * window->kernel_h * window->kernel_w;
    return (xc_cost){.fixed = timing->convStart + work};
  case XcDpuOpcodeAlu:
    // pixel_words counts all slices.
    work *=
        (double)window->walk.pixel_words * window->kernel_h * window->kernel_w;
    return (xc_cost){.fixed = timing->aluStart + work};
  case XcDpuOpcodeElew:
    work *= op->insn.elew.channel_group * op->insn.elew.num;
    return (xc_cost){.fixed = timing->elementwiseStart + work};
  case XcDpuOpcodeConvInit:
  case XcDpuOpcodeAluInit:
  case XcDpuOpcodeElewInit:
    return (xc_cost){.fixed = timing->initCycles};
  case XcDpuOpcodeEnd:
    return (xc_cost){.fixed = timing->endCycles};
  }
  return (xc_cost){0};
}
