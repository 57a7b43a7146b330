//===- Machine.c - the instructions that a family executes ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <string.h>

#define FAMILY(Name) &xc_machine_##Name,
static const xc_machine *const machines[] = {XC_DPU_FAMILIES(FAMILY)};
#undef FAMILY

enum { NUM_MACHINES = sizeof machines / sizeof *machines };

static bool is_known(const xc_machine *machine) {
  return machine->operations[XcDpuOpcodeEnd] != NULL;
}

const xc_machine *xc_machine_of(const XcDpuTarget *target) {
  for (size_t i = 0; i < NUM_MACHINES; ++i)
    if (is_known(machines[i]) &&
        strcmp(machines[i]->isa->name, target->isa) == 0)
      return machines[i];
  return NULL;
}

void xc_machine_list(xc_text *text) {
  const char *separator = "";
  for (size_t i = 0; i < NUM_MACHINES; ++i) {
    if (!is_known(machines[i]))
      continue;
    xc_text_printf(text, "%s'%s'", separator, machines[i]->isa->name);
    separator = ", ";
  }
}

unsigned xc_machine_lane(const xc_machine *machine,
                         const XcDpuInstruction *insn) {
  switch (machine->isa->opcodes[insn->opcode].queue) {
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

xc_bank_layout xc_bank_layout_of(const XcDpuTarget *target) {
  const XcDpuBanks *all[] = {&target->weights, &target->depthwiseWeights,
                             &target->bias, &target->depthwiseBias};
  xc_bank_layout layout = {{0}, {0}};
  for (int32_t bank = 0; bank < XC_NUM_BANK_IDS; ++bank)
    layout.depth[bank] = (uint32_t)target->image.depth;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    int32_t count = all[i]->firstBank < 0 ? 0 : all[i]->numBanks;
    for (int32_t k = 0; k < count; ++k)
      layout.depth[all[i]->firstBank + k] = (uint32_t)all[i]->depth;
  }
  for (int32_t bank = 0; bank < XC_NUM_BANK_IDS; ++bank)
    layout.first[bank + 1] = layout.first[bank] + layout.depth[bank];
  return layout;
}

bool xc_register_is_apart(const XcDpuTarget *target, uint32_t reg) {
  bool has_parameters = (int32_t)reg == target->parametersRegister;
  for (int32_t i = 0; i < target->numWeightsRegisters; ++i)
    has_parameters |= (int32_t)reg == target->weightsRegister[i];
  return has_parameters && target->timing.weightsBytesPerCycle > 0;
}

double xc_target_bandwidth(const XcDpuTarget *target) {
  double ports = target->derived.portBytesPerCycle;
  double ddr = (double)target->ddrBytesPerSecond / (double)target->clockHz;
  return ddr > 0 && ddr < ports ? ddr : ports;
}
