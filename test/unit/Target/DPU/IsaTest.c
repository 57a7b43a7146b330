//===- IsaTest.c - unit tests of the instruction tables and codecs --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/DPUIsa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
fields_lie_inside_their_instruction_and_never_overlap(void **state) {
  (void)state;
  for (size_t i = 0; xcDpuIsaGetAt(i); ++i)
    for (unsigned opcode = 0; opcode < XC_DPU_NUM_OPCODES; ++opcode) {
      const XcDpuOpcodeInfo *info = xcDpuIsaGetInfo(xcDpuIsaGetAt(i), opcode);
      if (!info)
        continue;
      assert_in_range(info->numWords, 1, XC_DPU_MAX_WORDS);
      assert_in_range(info->numFields, 0, XC_DPU_MAX_FIELDS);
      assert_non_null(info->meaning);
      uint32_t taken[XC_DPU_MAX_WORDS] = {0xfff00000};
      for (unsigned f = 0; f < info->numFields; ++f) {
        const XcDpuField *field = &info->fields[f];
        assert_true(field->word < info->numWords);
        assert_in_range(field->width, 1, 31);
        assert_true(field->lsb + field->width <= 32);
        assert_in_range(field->member, 0, XC_DPU_MAX_FIELDS - 1);
        assert_true(strlen(field->meaning) > 0);
        uint32_t mask = ((UINT32_C(1) << field->width) - 1) << field->lsb;
        assert_int_equal(taken[field->word] & mask, 0);
        taken[field->word] |= mask;
        for (unsigned g = 0; g < f; ++g)
          assert_int_not_equal(info->fields[g].member, field->member);
      }
      for (unsigned m = info->numFields; m < info->numMembers; ++m)
        for (unsigned g = 0; g < m; ++g)
          assert_int_not_equal(info->fields[g].member, info->fields[m].member);
    }
}

// ELEW of DPUCAHX8H takes the rows of an operand from consecutive banks.
static void members_without_bits_have_one_value(void **state) {
  (void)state;
  const XcDpuIsa *isa = xcDpuIsaDPUCAHX8H();
  XcDpuInstruction insn = {
      .opcode = XcDpuOpcodeElewInit,
      .elew_init = {.jump_bank = 1, .jump_read = 2, .jump_read_endl = 3}};
  uint32_t words[XC_DPU_MAX_WORDS];
  assert_int_equal(xcDpuEncode(isa, &insn, words).status, XcDpuStatusOk);
  XcDpuInstruction decoded;
  assert_int_equal(xcDpuDecode(isa, words, 2, &decoded).status, XcDpuStatusOk);
  assert_memory_equal(&decoded, &insn, sizeof insn);
  insn.elew_init.jump_bank = 2;
  XcDpuResult result = xcDpuEncode(isa, &insn, words);
  assert_int_equal(result.status, XcDpuStatusFieldRange);
  assert_string_equal(result.field->name, "jump_bank");
  assert_int_equal(result.minimum, 1);
  assert_int_equal(result.maximum, 1);
}

static void sets_are_found_by_name(void **state) {
  (void)state;
  const XcDpuIsa *isa = xcDpuIsaDPUCZDX8G();
  assert_ptr_equal(xcDpuIsaGet("DPUCZDX8G"), isa);
  assert_null(xcDpuIsaGet("DPUCZDX8"));
  assert_null(xcDpuIsaGet("DPUCZDX8G_ISA1_B4096"));
  assert_ptr_equal(xcDpuIsaGet("DPUCAHX8H"), xcDpuIsaDPUCAHX8H());
  assert_null(xcDpuIsaGet(""));
}

// The first instructions of the worked example of the specification: one word
// sequence per row with some of the values that it stands for.
static void worked_example_words(void **state) {
  (void)state;
  const XcDpuIsa *isa = xcDpuIsaDPUCZDX8G();
  XcDpuInstruction insn;
  uint32_t words[XC_DPU_MAX_WORDS];

  const uint32_t load[] = {0x03184002, 0x00007c00, 0x00007c00, 0, 0x00006c20};
  assert_int_equal(xcDpuDecode(isa, load, 5, &insn).status, XcDpuStatusOk);
  assert_int_equal(insn.opcode, XcDpuOpcodeLoad);
  assert_int_equal(insn.dpdon, 0x3);
  assert_int_equal(insn.dpdby, 0x1);
  assert_int_equal(insn.load.bank_id, 33);
  assert_int_equal(insn.load.bank_addr, 2);
  assert_int_equal(insn.load.jump_read, 32);
  assert_int_equal(insn.load.jump_write, 1);
  assert_int_equal(insn.load.channel, 32);
  assert_int_equal(insn.load.length, 1);
  assert_int_equal(insn.load.pad_idx, 1);
  assert_int_equal(insn.load.reg_id, 0);
  assert_int_equal(insn.load.ddr_addr, 27680);
  assert_int_equal(xcDpuEncode(isa, &insn, words).numWords, 5);
  assert_memory_equal(words, load, sizeof(load));

  const uint32_t init[] = {0x94412001, 0x000019af, 0x0200e001, 0x02000000};
  XcDpuInstruction conv_init = {.opcode = XcDpuOpcodeConvInit,
                                .dpdon = 1 << XcDpuQueueConv,
                                .dpdby = 1 << XcDpuQueueConv};
  conv_init.conv_init = (XcDpuConvInit){.act_type = 1,
                                        .shift_cut = 8,
                                        .shift_bias = 5,
                                        .kernel_h = 3,
                                        .kernel_w = 3,
                                        .stride_h = 1,
                                        .stride_w = 1,
                                        .jump_read = 2,
                                        .jump_read_endl = 432,
                                        .jump_write = 2,
                                        .jump_write_endl = 1,
                                        .stride_out = 1,
                                        .valid_pixel_parallel = 8};
  assert_int_equal(xcDpuEncode(isa, &conv_init, words).status, XcDpuStatusOk);
  assert_memory_equal(words, init, sizeof(init));

  const uint32_t conv[] = {0x8541164e, 0x0101f000, 0x35c07048, 0x1ff88002,
                           0x000001ae};
  assert_int_equal(xcDpuDecode(isa, conv, 5, &insn).status, XcDpuStatusOk);
  assert_int_equal(insn.conv.bank_id_in, 7);
  assert_int_equal(insn.conv.bank_addr_in, 1614);
  assert_int_equal(insn.conv.bank_addr_in_1, 2046);
  assert_int_equal(insn.conv.bank_addr_in_2, 430);
  assert_int_equal(insn.conv.bank_addr_in_3, 0);
  assert_int_equal(insn.conv.bank_id_out, 8);
  assert_int_equal(insn.conv.bank_addr_weights, 72);
  assert_int_equal(insn.conv.bank_addr_bias, 2);
  assert_int_equal(insn.conv.channel_group, 2);
  assert_int_equal(insn.conv.length, 216);
  assert_int_equal(insn.conv.pad_bottom, 15);
  assert_int_equal(xcDpuEncode(isa, &insn, words).status, XcDpuStatusOk);
  assert_memory_equal(words, conv, sizeof(conv));
}

// The tail of the dense and sigmoid subgraph: four instructions in a row.
static void worked_example_stream(void **state) {
  (void)state;
  static const uint32_t words[] = {
      0x18870000, 0,          0x00003000, 0x00002240, 0,         0,
      0x2ca20000, 0,          0,          0,          0,         0x4a220000,
      0,          0x00002400, 0x00000003, 0x00000000, 0x72200000};
  static const XcDpuOpcode expected[] = {XcDpuOpcodeAluInit, XcDpuOpcodeAlu,
                                         XcDpuOpcodeSave, XcDpuOpcodeEnd};
  const size_t count = sizeof(words) / sizeof(*words);
  size_t at = 0, n = 0;
  while (at < count) {
    XcDpuInstruction insn;
    XcDpuResult result =
        xcDpuDecode(xcDpuIsaDPUCZDX8G(), words + at, count - at, &insn);
    assert_int_equal(result.status, XcDpuStatusOk);
    assert_int_equal(insn.opcode, expected[n++]);
    if (insn.opcode == XcDpuOpcodeAluInit) {
      assert_int_equal(insn.alu_init.exec_mode, 7);
      assert_int_equal(insn.alu_init.shift_cut, 9);
      assert_int_equal(insn.alu_init.shift_bias, 2);
      assert_int_equal(insn.alu_init.channel_offset, 6);
    }
    at += result.numWords;
  }
  assert_int_equal(n, 4);
}

static void expect_reason(XcDpuResult result, XcDpuStatus status,
                          const char *reason) {
  char text[160];
  assert_int_equal(result.status, status);
  xcDpuResultDescribe(xcDpuIsaDPUCZDX8G(), result, text, sizeof(text));
  assert_string_equal(text, reason);
}

static void misfits_name_field_value_and_range(void **state) {
  (void)state;
  const XcDpuIsa *isa = xcDpuIsaDPUCZDX8G();
  uint32_t words[XC_DPU_MAX_WORDS] = {0};
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeLoad};
  expect_reason(xcDpuEncode(isa, &insn, words), XcDpuStatusFieldRange,
                "field 'jump_read' of LOAD is 0, expected 1 to 65536");
  insn.load.bank_id = 64;
  expect_reason(xcDpuEncode(isa, &insn, words), XcDpuStatusFieldRange,
                "field 'bank_id' of LOAD is 64, expected 0 to 63");
  insn.dpdby = 16;
  expect_reason(xcDpuEncode(isa, &insn, words), XcDpuStatusFieldRange,
                "field 'dpdby' of LOAD is 16, expected 0 to 15");
  insn.opcode = 3;
  expect_reason(xcDpuEncode(isa, &insn, words), XcDpuStatusUnknownOpcode,
                "opcode 0x3 is none of 'DPUCZDX8G'");
  insn.opcode = 200;
  expect_reason(xcDpuEncode(isa, &insn, words), XcDpuStatusUnknownOpcode,
                "opcode 0xc8 is none of 'DPUCZDX8G'");
  assert_int_equal(words[0], 0);
}

static void invalid_words_are_described(void **state) {
  (void)state;
  const XcDpuIsa *isa = xcDpuIsaDPUCZDX8G();
  XcDpuInstruction insn;
  const uint32_t pool[] = {0xc0000000};
  expect_reason(xcDpuDecode(isa, pool, 1, &insn), XcDpuStatusUnknownOpcode,
                "opcode 0xc (POOL) cannot run on 'DPUCZDX8G'");
  const uint32_t load[] = {0x01000000, 0, 0, 0};
  expect_reason(xcDpuDecode(isa, load, 4, &insn), XcDpuStatusTruncated,
                "LOAD needs 5 words, found 4");
  const uint32_t end[] = {0x72210000};
  expect_reason(
      xcDpuDecode(isa, end, 1, &insn), XcDpuStatusUnlistedBits,
      "word 0 of END has bits 0x00010000 set that belong to no field");
}

// From any word of code, whose last bytes may be none.
static void instructions_are_decoded_in_code(void **state) {
  (void)state;
  const XcDpuIsa *isa = xcDpuIsaDPUCZDX8G();
  const uint32_t words[] = {0x70000000, 0x01000000, 0, 0, 0};
  unsigned char code[22] = {0};
  for (size_t i = 0; i < 5; ++i)
    xcDpuWriteWord(code + 4 * i, words[i]);
  XcDpuInstruction insn;
  XcDpuResult result = xcDpuDecodeAt(isa, code, sizeof(code), 0, &insn);
  assert_int_equal(result.status, XcDpuStatusOk);
  assert_int_equal(result.numWords, 1);
  assert_int_equal(insn.opcode, XcDpuOpcodeEnd);
  expect_reason(xcDpuDecodeAt(isa, code, sizeof(code), 1, &insn),
                XcDpuStatusTruncated, "LOAD needs 5 words, found 4");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instructions_are_decoded_in_code),
      cmocka_unit_test(fields_lie_inside_their_instruction_and_never_overlap),
      cmocka_unit_test(members_without_bits_have_one_value),
      cmocka_unit_test(sets_are_found_by_name),
      cmocka_unit_test(worked_example_words),
      cmocka_unit_test(worked_example_stream),
      cmocka_unit_test(misfits_name_field_value_and_range),
      cmocka_unit_test(invalid_words_are_described),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
