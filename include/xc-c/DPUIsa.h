//===- DPUIsa.h - DPU instructions: table, encoder, decoder -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction set is a table (XcDpuIsa): opcodes, bit fields and what they
// mean. Encoder, decoder, assembler, disassembler, the reference in docs/ and
// the simulator's dispatch all read it. Nothing here needs MLIR.
//
// Decoded form. XcDpuInstruction holds the opcode, the two token masks and the
// members of the instruction: one struct per instruction, the same for all
// families (xc-c/DPU/Instructions.def). Members hold logical values.
// Where a family stores value - 1, or a shift to the right as 16 + value, the
// member is the value itself. Names are the vendor's mnemonics, in C, in
// assembly text and in the docs:
//
//   XcDpuInstruction insn = {.opcode = XcDpuOpcodeLoad,
//                            .dpdon = 1 << XcDpuQueueLoad};
//   insn.load.bank_id = 7;
//   uint32_t words[XC_DPU_MAX_WORDS];
//   XcDpuResult result = xcDpuEncode(xcDpuIsaDPUCZDX8G(), &insn, words);
//
// Errors. Encoding and decoding return a small result instead of reporting: a
// misfit is turned into a diagnostic by the caller, who knows the place.
// xcDpuResultDescribe gives the words.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_DPUISA_H
#define XC_C_DPUISA_H

#include "xc-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The in-order queues; also the bit numbers in dpdon and dpdby.
typedef enum XcDpuQueue {
  XcDpuQueueLoad = 0,
  XcDpuQueueSave = 1,
  XcDpuQueueConv = 2,
  XcDpuQueueMisc = 3,
} XcDpuQueue;

enum {
  XC_DPU_NUM_QUEUES = 4,
  /// Words of the longest instruction of any table.
  XC_DPU_MAX_WORDS = 6,
  /// Fields of the instruction with most fields of any table.
  XC_DPU_MAX_FIELDS = 24,
  /// Base registers that an instruction can name: reg_id has three bits.
  XC_DPU_NUM_REGISTERS = 8,
  /// Opcodes have four bits.
  XC_DPU_NUM_OPCODES = 16,
};

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// How the bits of a field hold a value.
typedef enum XcDpuCodec {
  XcDpuCodecPlain,    // as it is
  XcDpuCodecMinusOne, // value - 1
  XcDpuCodecPlusOne,  // value + 1
  XcDpuCodecSigned,   // two's complement
  /// Signed shifts. The value counts bits to the right, or to the left
  /// (Left32); it is negative for the other direction. A shift in the named
  /// direction is stored as N + value, one in the other direction as it is.
  XcDpuCodecRight8,
  XcDpuCodecRight16,
  XcDpuCodecLeft32,
  /// Of ALUINIT, whose modes use a field in different ways: PlusOne where there
  /// is a bias, Right8 in pools, a Right32 in PReLU and leaky ReLU. Elsewhere,
  /// Plain.
  XcDpuCodecAluBias,
  XcDpuCodecAluCut,
  XcDpuCodecAluPrelu,
} XcDpuCodec;

/// One bit field.
typedef struct XcDpuField {
  const char *name;
  const char *meaning;
  uint8_t member; // index into `fields` of XcDpuInstruction
  uint8_t word;
  uint8_t lsb;
  uint8_t width;
  XcDpuCodec codec;
} XcDpuField;

/// One row per opcode. `name` is null for opcodes that mean nothing, and
/// `reserved` is set for those that the family cannot execute; both decode to
/// XcDpuStatusUnknownOpcode. `numFields` rows of `fields` are fields; those
/// after them, up to `numMembers`, are members that are always 1.
typedef struct XcDpuOpcodeInfo {
  const char *name;
  const char *meaning;
  const XcDpuField *fields;
  uint8_t numFields;
  uint8_t numMembers;
  uint8_t numWords;
  bool reserved;
  XcDpuQueue queue;
} XcDpuOpcodeInfo;

/// An instruction set. All memory is static.
typedef struct XcDpuIsa {
  const char *name;
  XcDpuOpcodeInfo opcodes[XC_DPU_NUM_OPCODES];
} XcDpuIsa;

/// DPUCZDX8G ISA1, all sizes.
XC_EXPORTED const XcDpuIsa *xcDpuIsaDPUCZDX8G(void);
/// DPUCAHX8H ISA2 with its variants.
XC_EXPORTED const XcDpuIsa *xcDpuIsaDPUCAHX8H(void);

/// Returns the set of that name, or null: "DPUCZDX8G" or "DPUCAHX8H". The `isa`
/// of a target (xc-c/DPUTarget.h) is such a name.
XC_EXPORTED const XcDpuIsa *xcDpuIsaGet(const char *name);
/// Returns the `index`-th set, or null after the last.
XC_EXPORTED const XcDpuIsa *xcDpuIsaGetAt(size_t index);

/// Returns null when no instruction has this opcode.
XC_EXPORTED const XcDpuOpcodeInfo *xcDpuIsaGetInfo(const XcDpuIsa *isa,
                                                   unsigned opcode);

/// Returns the smallest and the largest number that assembly text has for the
/// field. The text shows the bits, but for XcDpuCodecMinusOne the value.
static inline uint32_t xcDpuFieldGetMin(const XcDpuField *field) {
  return field->codec == XcDpuCodecMinusOne;
}
static inline uint32_t xcDpuFieldGetMax(const XcDpuField *field) {
  return xcDpuFieldGetMin(field) +
         (uint32_t)((UINT64_C(1) << field->width) - 1);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The instructions of all families, which number them alike: the enumerators
/// have the values of the opcode bits.
typedef enum XcDpuOpcode {
#define XC_DPU_OPERATION(Type, member, NAME, opcode, Queue, meaning)           \
  XcDpuOpcode##Type = opcode,
#include "xc-c/DPU/Instructions.def"
} XcDpuOpcode;

/// XcDpuLoad, XcDpuSave, XcDpuConvInit, ...: what each instruction says in any
/// family. Shifts are signed.
#define XC_DPU_OPERATION(Type, member, NAME, opcode, Queue, meaning)           \
  typedef struct XcDpu##Type {
#define XC_DPU_PLAIN_OPERATION(Type, NAME, opcode, Queue, meaning)
#define XC_DPU_MEMBER(Type, type, name, meaning) type name;
#define XC_DPU_OPERATION_END(Type, member)                                     \
  }                                                                            \
  XcDpu##Type;
#include "xc-c/DPU/Instructions.def"

/// A decoded instruction. `fields` are the members of its struct in order;
/// those that the family lacks are 0.
typedef struct XcDpuInstruction {
  /// XcDpuOpcode; cast to switch over it.
  uint8_t opcode;
  /// Queues waited for before, and posted to afterwards: bit 1 << XcDpuQueue.
  uint8_t dpdon;
  uint8_t dpdby;
  union {
    uint32_t fields[XC_DPU_MAX_FIELDS];
#define XC_DPU_OPERATION_END(Type, member) XcDpu##Type member;
#include "xc-c/DPU/Instructions.def"
  };
} XcDpuInstruction;

//===----------------------------------------------------------------------===//
// Encoding and decoding
//===----------------------------------------------------------------------===//

typedef enum XcDpuStatus {
  XcDpuStatusOk,
  /// No instruction of the set has these opcode bits.
  XcDpuStatusUnknownOpcode,
  /// The instruction needs more words than there are.
  XcDpuStatusTruncated,
  /// Bits that belong to no field are set; see `word` and `bits`.
  XcDpuStatusUnlistedBits,
  /// The value of `field` does not fit: see `value`, `minimum`, `maximum`.
  XcDpuStatusFieldRange,
} XcDpuStatus;

typedef struct XcDpuResult {
  XcDpuStatus status;
  uint8_t opcode;
  /// Words written or read: what a decoder skips to go on. One for an opcode
  /// that means nothing. Never more than there were.
  uint8_t numWords;
  uint8_t word;
  uint32_t bits;
  int32_t value, minimum, maximum;
  const XcDpuField *field;
} XcDpuResult;

/// The smallest and the largest value that a field can hold in an instruction.
/// Of the instruction only the opcode, and the mode of an ALUINIT, count.
XC_EXPORTED void xcDpuFieldGetRange(const XcDpuField *field,
                                    const XcDpuInstruction *instruction,
                                    int64_t *minimum, int64_t *maximum);

/// Encodes one instruction into `words`, which has room for XC_DPU_MAX_WORDS.
/// On failure nothing is written.
XC_EXPORTED XcDpuResult xcDpuEncode(const XcDpuIsa *isa,
                                    const XcDpuInstruction *instruction,
                                    uint32_t *words);

/// Decodes the instruction at the start of `words`, of which there is at least
/// one. With XcDpuStatusOk every bit is accounted for: encoding gives the same
/// words again, except for shifts by 0, which may have two forms. With
/// XcDpuStatusUnlistedBits the fields are valid, too, and the unlisted bits are
/// dropped.
XC_EXPORTED XcDpuResult xcDpuDecode(const XcDpuIsa *isa, const uint32_t *words,
                                    size_t numWords,
                                    XcDpuInstruction *instruction);

/// Decodes the instruction that begins with word `word` of `size` bytes of
/// machine code, which has that word. A rest of less than a word at the end of
/// the code is not looked at.
XC_EXPORTED XcDpuResult xcDpuDecodeAt(const XcDpuIsa *isa,
                                      const unsigned char *code, size_t size,
                                      size_t word,
                                      XcDpuInstruction *instruction);

/// Writes the one-line reason of a failure, without its place, as snprintf
/// would: `field 'bank_id' of LOAD is 64, expected 0 to 63`.
XC_EXPORTED int xcDpuResultDescribe(const XcDpuIsa *isa, XcDpuResult result,
                                    char *buffer, size_t size);

/// Words are little-endian in files.
static inline uint32_t xcDpuReadWord(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
         (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}
static inline void xcDpuWriteWord(unsigned char *bytes, uint32_t word) {
  for (int i = 0; i < 4; ++i)
    bytes[i] = (unsigned char)(word >> (8 * i) & 0xff);
}

#ifdef __cplusplus
}
#endif

#endif // XC_C_DPUISA_H
