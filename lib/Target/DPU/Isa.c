//===- Isa.c - instruction set tables -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isa.h"
#include "Families.h"

#include <string.h>

#define FAMILY(Name) &xc_dpu_isa_##Name,
static const XcDpuIsa *const all_sets[] = {XC_DPU_FAMILIES(FAMILY)};
#undef FAMILY

const XcDpuField xc_dpu_token_fields[2] = {
    {"dpdon", "queues to wait for", 0, 0, 24, 4, XcDpuCodecPlain},
    {"dpdby", "queues to post to", 0, 0, 20, 4, XcDpuCodecPlain},
};

const XcDpuIsa *xcDpuIsaGetAt(size_t index) {
  return index < sizeof(all_sets) / sizeof(*all_sets) ? all_sets[index] : NULL;
}

const XcDpuIsa *xcDpuIsaGet(const char *name) {
  for (size_t i = 0; xcDpuIsaGetAt(i); ++i)
    if (strcmp(xcDpuIsaGetAt(i)->name, name) == 0)
      return xcDpuIsaGetAt(i);
  return NULL;
}

const XcDpuOpcodeInfo *xcDpuIsaGetInfo(const XcDpuIsa *isa, unsigned opcode) {
  if (opcode >= XC_DPU_NUM_OPCODES)
    return NULL;
  const XcDpuOpcodeInfo *info = &isa->opcodes[opcode];
  return info->name && !info->reserved ? info : NULL;
}

XcDpuRange xc_dpu_field_range(const XcDpuTarget *target, XcDpuOpcode opcode,
                              size_t member, uint32_t mode) {
  const XcDpuIsa *isa = xcDpuIsaGet(target->isa);
  if (!isa)
    return (XcDpuRange){INT32_MIN, INT32_MAX};
  const XcDpuOpcodeInfo *info = xcDpuIsaGetInfo(isa, opcode);
  for (unsigned i = 0; info && i < info->numMembers; ++i) {
    const XcDpuField *field = &info->fields[i];
    if (field->member != member)
      continue;
    int64_t minimum, maximum;
    xc_dpu_codec_range(field->codec, mode, field->width, &minimum, &maximum);
    return (XcDpuRange){(int32_t)minimum, (int32_t)maximum};
  }
  return (XcDpuRange){0, 0};
}
