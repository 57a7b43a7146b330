//===- RandomTest.c - a million random instructions, there and back -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/DPUAssembly.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INSTRUCTIONS = 1000000, PER_PROGRAM = 1000 };

// xorshift64*
static uint32_t next(uint64_t *seed) {
  *seed ^= *seed >> 12;
  *seed ^= *seed << 25;
  *seed ^= *seed >> 27;
  return (uint32_t)(*seed * UINT64_C(2685821657736338717) >> 32);
}

// Any value of the field; its limits more often than by chance.
static int64_t random_value(uint64_t *seed, const XcDpuField *field,
                            const XcDpuInstruction *insn) {
  int64_t min, max;
  xcDpuFieldGetRange(field, insn, &min, &max);
  switch (next(seed) % 8) {
  case 0:
    return min;
  case 1:
    return max;
  default:
    return min + (int64_t)(next(seed) % (uint64_t)(max - min + 1));
  }
}

static XcDpuInstruction random_instruction(uint64_t *seed,
                                           const XcDpuIsa *isa) {
  XcDpuInstruction insn = {0};
  const XcDpuOpcodeInfo *info = NULL;
  while (!info) {
    insn.opcode = next(seed) % XC_DPU_NUM_OPCODES;
    info = xcDpuIsaGetInfo(isa, insn.opcode);
  }
  insn.dpdon = next(seed) % 16;
  insn.dpdby = next(seed) % 16;
  for (unsigned i = 0; i < info->numMembers; ++i)
    insn.fields[info->fields[i].member] =
        (uint32_t)random_value(seed, &info->fields[i], &insn);
  return insn;
}

/// One program as words, bytes and text.
typedef struct program {
  uint32_t words[PER_PROGRAM * XC_DPU_MAX_WORDS];
  unsigned char bytes[PER_PROGRAM * XC_DPU_MAX_WORDS * 4];
  size_t num_words;
  char text[PER_PROGRAM * XC_DPU_MAX_LINE];
  size_t length;
} program;

static void append_text(void *user_data, const char *text, size_t length) {
  program *p = user_data;
  assert_true(p->length + length <= sizeof(p->text));
  memcpy(p->text + p->length, text, length);
  p->length += length;
}

static void encode_and_decode(uint64_t *seed, const XcDpuIsa *isa, program *p) {
  p->num_words = 0;
  for (int i = 0; i < PER_PROGRAM; ++i) {
    XcDpuInstruction insn = random_instruction(seed, isa), decoded;
    uint32_t *words = p->words + p->num_words;
    uint32_t again[XC_DPU_MAX_WORDS];
    XcDpuResult encoded = xcDpuEncode(isa, &insn, words);
    if (encoded.status != XcDpuStatusOk)
      fail_msg("a valid instruction was refused");
    XcDpuResult result = xcDpuDecode(isa, words, encoded.numWords, &decoded);
    if (result.status != XcDpuStatusOk || result.numWords != encoded.numWords ||
        memcmp(&insn, &decoded, sizeof(insn)) != 0)
      fail_msg("decoding gives another instruction");
    xcDpuEncode(isa, &decoded, again);
    assert_memory_equal(words, again, 4 * encoded.numWords);
    p->num_words += encoded.numWords;
  }
  for (size_t i = 0; i < p->num_words; ++i)
    xcDpuWriteWord(p->bytes + 4 * i, p->words[i]);
}

static void disassemble_and_assemble(const XcDpuIsa *isa, program *p) {
  XcDiag diag = {0};
  p->length = 0;
  assert_true(xcDpuDisassemble(
      &diag, isa,
      &(XcDpuListing){"random", p->bytes, 4 * p->num_words, NULL, 0},
      append_text, p));
  unsigned char *code;
  size_t size;
  assert_true(xcDpuAssemble(&diag, isa, (XcPlace){"random", 1, 1}, p->text,
                            p->length, &code, &size));
  assert_int_equal(size, 4 * p->num_words);
  assert_memory_equal(code, p->bytes, size);
  free(code);
}

static void million_of_each_set(void **state) {
  program *p = *state;
  for (size_t i = 0; xcDpuIsaGetAt(i); ++i) {
    uint64_t seed = 20240601 + i;
    for (int done = 0; done < INSTRUCTIONS; done += PER_PROGRAM) {
      encode_and_decode(&seed, xcDpuIsaGetAt(i), p);
      disassemble_and_assemble(xcDpuIsaGetAt(i), p);
    }
    printf("%s: %d random instructions\n", xcDpuIsaGetAt(i)->name,
           INSTRUCTIONS);
  }
}

static void count_warnings(void *user_data, XcSeverity severity, XcPlace place,
                           const char *message) {
  (void)place;
  (void)message;
  assert_int_equal(severity, XcSeverityWarning);
  ++*(unsigned *)user_data;
}

// Any words at all survive; most of them as raw words.
static void random_words(void **state) {
  program *p = *state;
  uint64_t seed = 5;
  unsigned warnings = 0;
  XcDiag diag = {count_warnings, &warnings, 0};
  const XcDpuIsa *isa = xcDpuIsaDPUCZDX8G();
  for (int round = 0; round < 100; ++round) {
    size_t size = 4 * (next(&seed) % PER_PROGRAM);
    for (size_t i = 0; i < size; ++i)
      p->bytes[i] = (unsigned char)(next(&seed) % 3 ? next(&seed) : 0);
    p->length = 0;
    assert_true(xcDpuDisassemble(
        &diag, isa, &(XcDpuListing){"random", p->bytes, size, NULL, 0},
        append_text, p));
    unsigned char *code;
    size_t assembled;
    assert_true(xcDpuAssemble(&diag, isa, (XcPlace){"random", 1, 1}, p->text,
                              p->length, &code, &assembled));
    assert_int_equal(assembled, size);
    assert_memory_equal(code, p->bytes, size);
    free(code);
  }
  assert_true(warnings > 100);
}

// Labels stand in front of the instruction that they name, one line each.
static void labels_are_comments(void **state) {
  program *p = *state;
  XcDiag diag = {0};
  const XcDpuLabel labels[] = {
      {0, "first"}, {0, "second\nline"}, {2, "behind"}, {9, "never reached"}};
  static const unsigned char code[] = {0,    0,    0x20, 0x72, 0,    0,
                                       0x20, 0x72, 0,    0,    0x20, 0x72};
  p->length = 0;
  assert_true(xcDpuDisassemble(
      &diag, xcDpuIsaDPUCZDX8G(),
      &(XcDpuListing){"code", code, sizeof(code), labels, 4}, append_text, p));
  p->text[p->length] = '\0';
  assert_string_equal(p->text, "# first\n# second line\nEND      0010 0010\n"
                               "END      0010 0010\n# behind\n"
                               "END      0010 0010\n");
}

static int create_program(void **state) {
  *state = malloc(sizeof(program));
  return *state == NULL;
}

static int free_program(void **state) {
  free(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(million_of_each_set),
      cmocka_unit_test(random_words),
      cmocka_unit_test(labels_are_comments),
  };
  return cmocka_run_group_tests(tests, create_program, free_program);
}
