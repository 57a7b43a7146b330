//===- Isa.h - what the parts of the instruction set library share *- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_ISA_H
#define XC_TARGET_DPU_ISA_H

#include "xc-c/DPUIsa.h"
#include "xc-c/DPUTarget.h"

#include <stddef.h>

/// Position of the opcode in word 0.
enum { XC_DPU_OPCODE_LSB = 28 };

/// dpdon and dpdby, which every instruction of every set has.
extern const XcDpuField xc_dpu_token_fields[2];

static inline uint32_t xc_dpu_field_mask(const XcDpuField *field) {
  return (uint32_t)(((UINT64_C(1) << field->width) - 1) << field->lsb);
}

/// The bits of a field, as they stand in the words of an instruction.
static inline uint32_t xc_dpu_field_bits(const XcDpuField *field,
                                         const uint32_t *words) {
  return (words[field->word] & xc_dpu_field_mask(field)) >> field->lsb;
}

/// The value that bits stand for, the bits of a value, and the values of a
/// field of `width` bits. `mode` is the exec_mode of an ALUINIT, 0 for other
/// instructions.
int32_t xc_dpu_codec_decode(XcDpuCodec codec, uint32_t mode, unsigned width,
                            uint32_t bits);
uint32_t xc_dpu_codec_encode(XcDpuCodec codec, uint32_t mode, int32_t value);
void xc_dpu_codec_range(XcDpuCodec codec, uint32_t mode, unsigned width,
                        int64_t *minimum, int64_t *maximum);

/// For each codec, the number that it adds to any value, whatever the mode,
/// before it stores the sum as it is. With other codecs, INT64_MIN: no such sum
/// fits a field.
extern const int64_t xc_dpu_codec_addends[];

/// Returns the bits of a field as a formula: "value - 1".
const char *xc_dpu_codec_describe(XcDpuCodec codec);

/// exec_mode of an ALUINIT, 0 for other instructions.
static inline uint32_t xc_dpu_mode_of(const XcDpuInstruction *insn) {
  return insn->opcode == XcDpuOpcodeAluInit ? insn->alu_init.exec_mode : 0;
}

/// Returns the values that the instruction set of a target has a field for.
/// `member` is an index into `fields` of XcDpuInstruction, `mode` the exec_mode
/// of an ALUINIT. Without limits when the instructions are not known, only 0
/// when the instruction lacks the field.
XcDpuRange xc_dpu_field_range(const XcDpuTarget *target, XcDpuOpcode opcode,
                              size_t member, uint32_t mode);

/// The same by name: XC_DPU_FIELD_MAX(target, Load, length).
#define XC_DPU_FIELD_MAX(target, Type, name)                                   \
  (xc_dpu_field_range(target, XcDpuOpcode##Type,                               \
                      offsetof(XcDpu##Type, name) / sizeof(uint32_t), 0)       \
       .maximum)
#define XC_DPU_ALU_RANGE(target, name, mode)                                   \
  (xc_dpu_field_range(target, XcDpuOpcodeAluInit,                              \
                      offsetof(XcDpuAluInit, name) / sizeof(uint32_t), mode))

#endif // XC_TARGET_DPU_ISA_H
