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

// Each table is expanded twice: first the fields of every instruction, then
// the row per opcode that refers to them.

#define XC_DPU_INSN(Type, member, NAME, opcode, words, Queue, meaning)         \
  static const XcDpuField dpuczdx8g_##member[] = {
#define XC_DPU_FIELD(Type, word, name, lsb, width, bias, meaning)              \
  {#name, word, lsb, width, bias, meaning},
#define XC_DPU_INSN_END(Type, member)                                          \
  }                                                                            \
  ;                                                                            \
  static_assert(                                                               \
      sizeof(XcDpu##Type) ==                                                   \
          sizeof(dpuczdx8g_##member) / sizeof(XcDpuField) * sizeof(uint32_t),  \
      "one 32-bit member per field, so that they lie over fields[]");
#include "DPUCZDX8G.def"

static const XcDpuIsa dpuczdx8g = {.name = "DPUCZDX8G",
                                   .opcodes = {
#define XC_DPU_INSN(Type, member, NAME, opcode, words, Queue, meaning)         \
  [opcode] = {NAME,                                                            \
              meaning,                                                         \
              dpuczdx8g_##member,                                              \
              sizeof(dpuczdx8g_##member) / sizeof(XcDpuField),                 \
              words,                                                           \
              false,                                                           \
              XcDpuQueue##Queue},
#define XC_DPU_PLAIN_INSN(Type, NAME, opcode, words, Queue, meaning)           \
  [opcode] = {NAME, meaning, NULL, 0, words, false, XcDpuQueue##Queue},
#define XC_DPU_RESERVED(NAME, opcode, words)                                   \
  [opcode] = {NAME, NULL, NULL, 0, words, true, XcDpuQueueMisc},
#include "DPUCZDX8G.def"
                                   }};

static_assert(sizeof(((XcDpuInstruction *)0)->fields) >=
                  sizeof(((XcDpuInstruction *)0)->alu_init),
              "XC_DPU_MAX_FIELDS covers the instruction with most fields");

static const XcDpuIsa *const all_sets[] = {&dpuczdx8g};

const XcDpuField xc_dpu_token_fields[2] = {
    {"dpdon", 0, 24, 4, 0, "queues to wait for"},
    {"dpdby", 0, 20, 4, 0, "queues to post to"},
};

const XcDpuIsa *xcDpuIsaDPUCZDX8G(void) { return &dpuczdx8g; }

const XcDpuIsa *xcDpuIsaGetAt(size_t index) {
  return index < sizeof(all_sets) / sizeof(*all_sets) ? all_sets[index] : NULL;
}

const XcDpuIsa *xcDpuIsaGet(const char *name) {
  for (size_t i = 0; xcDpuIsaGetAt(i); ++i) {
    const XcDpuIsa *isa = xcDpuIsaGetAt(i);
    size_t length = strlen(isa->name);
    if (strncmp(name, isa->name, length) == 0 &&
        (name[length] == '\0' || name[length] == '_'))
      return isa;
  }
  return NULL;
}

const XcDpuOpcodeInfo *xcDpuIsaGetInfo(const XcDpuIsa *isa, unsigned opcode) {
  if (opcode >= XC_DPU_NUM_OPCODES)
    return NULL;
  const XcDpuOpcodeInfo *info = &isa->opcodes[opcode];
  return info->name && !info->reserved ? info : NULL;
}
