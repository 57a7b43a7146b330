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

/// Returns false if the value does not fit; then `result` says so.
static bool pack(const XcDpuInstruction *insn, const XcDpuField *field,
                 uint32_t value, uint32_t *words, XcDpuResult *result) {
  // Negative ones are large.
  uint64_t sum =
      (uint64_t)(int32_t)value + (uint64_t)xc_dpu_codec_addends[field->codec];
  if (!(sum >> field->width)) {
    words[field->word] |= (uint32_t)sum << field->lsb;
    return true;
  }
  int64_t minimum, maximum;
  xcDpuFieldGetRange(field, insn, &minimum, &maximum);
  if ((int32_t)value < minimum || (int32_t)value > maximum) {
    *result = (XcDpuResult){.status = XcDpuStatusFieldRange,
                            .opcode = insn->opcode,
                            .field = field,
                            .value = (int32_t)value,
                            .minimum = (int32_t)minimum,
                            .maximum = (int32_t)maximum};
    return false;
  }
  uint32_t bits =
      xc_dpu_codec_encode(field->codec, xc_dpu_mode_of(insn), (int32_t)value);
  words[field->word] |= bits << field->lsb & xc_dpu_field_mask(field);
  return true;
}

void xcDpuFieldGetRange(const XcDpuField *field, const XcDpuInstruction *insn,
                        int64_t *minimum, int64_t *maximum) {
  xc_dpu_codec_range(field->codec, xc_dpu_mode_of(insn), field->width, minimum,
                     maximum);
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
  XcDpuResult result;
  for (int i = 0; i < 2; ++i)
    if (!pack(instruction, &xc_dpu_token_fields[i], tokens[i], packed, &result))
      return result;
  for (unsigned i = 0; i < info->numMembers; ++i) {
    const XcDpuField *field = &info->fields[i];
    uint32_t value = instruction->fields[field->member];
    if (!pack(instruction, field, value, packed, &result))
      return result;
  }
  // Compilers make a string instruction of a few words of any number, which
  // takes longer than all the rest.
  words[0] = packed[0];
  for (unsigned i = 1; i < XC_DPU_MAX_WORDS; ++i)
    if (i < info->numWords)
      words[i] = packed[i];
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
    return snprintf(buffer, size,
                    "field '%s' of %s is %" PRId32 ", expected %" PRId32
                    " to %" PRId32,
                    result.field->name, info->name, result.value,
                    result.minimum, result.maximum);
  }
  return 0;
}
