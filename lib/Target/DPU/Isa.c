//===- Isa.c - instruction set tables -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isa.h"

#include <assert.h>
#include <string.h>

#define XC_DPU_SET dpuczdx8g
#define XC_DPU_SET_NAME "DPUCZDX8G"
#define XC_DPU_TABLE "DPUCZDX8G.def"
#include "IsaTable.inc"

#define XC_DPU_SET dpucahx8h
#define XC_DPU_SET_NAME "DPUCAHX8H"
#define XC_DPU_TABLE "DPUCAHX8H.def"
#include "IsaTable.inc"

// The named structs lie over fields[]: one 32-bit member per field.
// clang-format off
#define XC_DPU_INSN(Type, member, NAME, opcode, words, Queue, meaning)         \
  static_assert(sizeof(XcDpu##Type) ==                                         \
                    sizeof(dpuczdx8g_##member) / sizeof(XcDpuField) *          \
                        sizeof(uint32_t),                                      \
                "a field of XcDpu" #Type " is not 32 bits wide");
// clang-format on
#include "DPUCZDX8G.def"

static const XcDpuIsa *const all_sets[] = {&dpuczdx8g, &dpucahx8h};

const XcDpuField xc_dpu_token_fields[2] = {
    {"dpdon", 0, 24, 4, 0, "queues to wait for"},
    {"dpdby", 0, 20, 4, 0, "queues to post to"},
};

const XcDpuIsa *xcDpuIsaDPUCZDX8G(void) { return &dpuczdx8g; }

const XcDpuIsa *xcDpuIsaDPUCAHX8H(void) { return &dpucahx8h; }

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
