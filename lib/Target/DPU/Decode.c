//===- Decode.c - unpacking words into instructions -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isa.h"

#include <assert.h>
#include <string.h>

XcDpuResult xcDpuDecode(const XcDpuIsa *isa, const uint32_t *words,
                        size_t numWords, XcDpuInstruction *instruction) {
  memset(instruction, 0, sizeof(*instruction));
  assert(numWords > 0 && "there is a word to decode");
  uint8_t opcode = (uint8_t)(words[0] >> XC_DPU_OPCODE_LSB);
  const XcDpuOpcodeInfo *info = xcDpuIsaGetInfo(isa, opcode);
  XcDpuResult result = {.opcode = opcode, .numWords = 1};
  if (!info) {
    result.status = XcDpuStatusUnknownOpcode;
    unsigned reserved_words = isa->opcodes[opcode].numWords;
    if (reserved_words > 1)
      result.numWords =
          (uint8_t)(reserved_words < numWords ? reserved_words : numWords);
    return result;
  }
  if (numWords < info->numWords) {
    result.status = XcDpuStatusTruncated;
    result.numWords = (uint8_t)numWords;
    return result;
  }
  result.numWords = info->numWords;
  instruction->opcode = opcode;
  instruction->dpdon =
      (uint8_t)xc_dpu_field_bits(&xc_dpu_token_fields[0], words);
  instruction->dpdby =
      (uint8_t)xc_dpu_field_bits(&xc_dpu_token_fields[1], words);
  uint32_t listed[XC_DPU_MAX_WORDS] = {
      UINT32_C(0xf) << XC_DPU_OPCODE_LSB |
      xc_dpu_field_mask(&xc_dpu_token_fields[0]) |
      xc_dpu_field_mask(&xc_dpu_token_fields[1])};
  for (unsigned i = 0; i < info->numMembers; ++i) {
    const XcDpuField *field = &info->fields[i];
    uint32_t bits = xc_dpu_field_bits(field, words);
    uint32_t *value = &instruction->fields[field->member];
    // Most fields; simulating a program decodes each instruction many times.
    if (field->codec <= XcDpuCodecMinusOne)
      *value = bits + xcDpuFieldGetMin(field);
    else // an ALUINIT's mode stands before what depends on it
      *value = (uint32_t)xc_dpu_codec_decode(
          field->codec, xc_dpu_mode_of(instruction), field->width, bits);
    listed[field->word] |= xc_dpu_field_mask(field);
  }
  for (unsigned i = 0; i < info->numWords; ++i) {
    uint32_t unlisted = words[i] & ~listed[i];
    if (!unlisted)
      continue;
    result.status = XcDpuStatusUnlistedBits;
    result.word = (uint8_t)i;
    result.bits = unlisted;
    return result;
  }
  result.status = XcDpuStatusOk;
  return result;
}

XcDpuResult xcDpuDecodeAt(const XcDpuIsa *isa, const unsigned char *code,
                          size_t size, size_t word,
                          XcDpuInstruction *instruction) {
  uint32_t words[XC_DPU_MAX_WORDS];
  size_t count = size / 4 - word;
  if (count > XC_DPU_MAX_WORDS)
    count = XC_DPU_MAX_WORDS;
  for (size_t i = 0; i < count; ++i)
    words[i] = xcDpuReadWord(code + 4 * (word + i));
  return xcDpuDecode(isa, words, count, instruction);
}
