//===- Encode.c - packing instructions into words -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isa.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Field values below their bias wrap around and are out of range as well.
static bool pack(uint32_t *words, const XcDpuField *field, uint32_t value) {
  uint32_t stored = value - field->bias;
  if ((uint64_t)stored >> field->width)
    return false;
  words[field->word] |= stored << field->lsb;
  return true;
}

static XcDpuResult misfit(unsigned opcode, const XcDpuField *field,
                          uint32_t value) {
  return (XcDpuResult){.status = XcDpuStatusFieldRange,
                       .opcode = (uint8_t)opcode,
                       .field = field,
                       .value = value};
}

XcDpuResult xcDpuEncode(const XcDpuIsa *isa,
                        const XcDpuInstruction *instruction, uint32_t *words) {
  unsigned opcode = instruction->opcode;
  const XcDpuOpcodeInfo *info = xcDpuIsaGetInfo(isa, opcode);
  if (!info)
    return (XcDpuResult){.status = XcDpuStatusUnknownOpcode,
                         .opcode = (uint8_t)opcode};
  uint32_t packed[XC_DPU_MAX_WORDS] = {(uint32_t)opcode << XC_DPU_OPCODE_LSB};
  const uint32_t tokens[2] = {instruction->dpdon, instruction->dpdby};
  for (int i = 0; i < 2; ++i)
    if (!pack(packed, &xc_dpu_token_fields[i], tokens[i]))
      return misfit(opcode, &xc_dpu_token_fields[i], tokens[i]);
  for (unsigned i = 0; i < info->numFields; ++i)
    if (!pack(packed, &info->fields[i], instruction->fields[i]))
      return misfit(opcode, &info->fields[i], instruction->fields[i]);
  memcpy(words, packed, info->numWords * sizeof(*words));
  return (XcDpuResult){.status = XcDpuStatusOk,
                       .opcode = (uint8_t)opcode,
                       .numWords = info->numWords};
}

static int describe_unknown(const XcDpuIsa *isa, unsigned opcode, char *buffer,
                            size_t size) {
  const char *name =
      opcode < XC_DPU_NUM_OPCODES ? isa->opcodes[opcode].name : NULL;
  if (name)
    return snprintf(buffer, size, "opcode 0x%x (%s) cannot run on '%s'", opcode,
                    name, isa->name);
  return snprintf(buffer, size, "opcode 0x%x is none of '%s'", opcode,
                  isa->name);
}

int xcDpuResultDescribe(const XcDpuIsa *isa, XcDpuResult result, char *buffer,
                        size_t size) {
  const XcDpuOpcodeInfo *info = xcDpuIsaGetInfo(isa, result.opcode);
  switch (result.status) {
  case XcDpuStatusOk:
    return snprintf(buffer, size, "no error");
  case XcDpuStatusUnknownOpcode:
    return describe_unknown(isa, result.opcode, buffer, size);
  case XcDpuStatusTruncated:
    return snprintf(buffer, size, "%s needs %u words, found %u", info->name,
                    info->numWords, result.numWords);
  case XcDpuStatusUnlistedBits:
    return snprintf(buffer, size,
                    "word %u of %s has bits 0x%08" PRIx32
                    " set that belong to no field",
                    result.word, info->name, result.bits);
  case XcDpuStatusFieldRange:
    return snprintf(
        buffer, size,
        "field '%s' of %s is %" PRIu32 ", expected %" PRIu32 " to %" PRIu32,
        result.field->name, info->name, result.value,
        xcDpuFieldGetMin(result.field), xcDpuFieldGetMax(result.field));
  }
  return 0;
}
