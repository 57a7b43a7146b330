//===- Code.c - a growing list of instructions ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Code.h"

#include "TileTasks.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS_SHIFT_ON = 24, TOKENS_SHIFT_BY = 20, TOKENS_MASK = 0xf };

static void append_words(xc_code *code, const uint32_t *words, size_t count) {
  void *array = code->words;
  xc_grow(&array, &code->words_capacity, code->num_words + count,
          sizeof *code->words);
  code->words = array;
  array = code->offsets;
  xc_grow(&array, &code->offsets_capacity, code->count + 1,
          sizeof *code->offsets);
  code->offsets = array;
  array = code->provenances;
  xc_grow(&array, &code->provenances_capacity, code->count + 1,
          sizeof *code->provenances);
  code->provenances = array;
  memcpy(code->words + code->num_words, words, count * sizeof *words);
  code->offsets[code->count] = (uint32_t)code->num_words;
  code->provenances[code->count] = code->now;
  code->num_words += count;
  ++code->count;
}

/// Appends an instruction. `op` has the registers of its INIT instruction.
static void append(xc_code *code, xc_op *op) {
  const XcDpuInstruction *insn = &op->insn;
  if (code->misfit.status != XcDpuStatusOk)
    return;
  uint32_t words[XC_DPU_MAX_WORDS];
  XcDpuResult result = xcDpuEncode(code->machine->isa, insn, words);
  if (result.status != XcDpuStatusOk) {
    code->misfit = result;
    return;
  }
  if (code->keeps_no_words)
    ++code->count;
  else
    append_words(code, words, result.numWords);
  if (!code->tasks)
    return;
  op->kind = code->machine->operations[insn->opcode];
  xc_op_resolve(code->target, op);
  xc_tile_tasks_add(code->tasks, op,
                    xcDpuIsaGetInfo(code->machine->isa, insn->opcode)->queue,
                    &code->now);
}

static void append_init(xc_code *code, const XcDpuInstruction *init) {
  xc_op op = {.insn = *init};
  append(code, &op);
}

void xc_code_free(xc_code *code) {
  free(code->words);
  free(code->offsets);
  free(code->provenances);
}

void xc_code_load(xc_code *code, const XcDpuLoad *load) {
  xc_op op = {.insn = {.opcode = XcDpuOpcodeLoad}};
  op.insn.load = *load;
  // Those that go to one bank have no use for it, where there is a field.
  if (load->output_channel_num == 0)
    op.insn.load.output_channel_num = op.insn.load.jump_read_endl = 1;
  append(code, &op);
}

void xc_code_save(xc_code *code, const XcDpuSave *save) {
  xc_op op = {.insn = {.opcode = XcDpuOpcodeSave}};
  op.insn.save = *save;
  append(code, &op);
}

void xc_code_window(xc_code *code, const XcDpuInstruction *init,
                    const XcDpuInstruction *insn) {
  XcDpuInstruction *last = &code->inits[init->opcode];
  if (!code->has_init[init->opcode] ||
      memcmp(last->fields, init->fields, sizeof init->fields) != 0) {
    *last = *init;
    code->has_init[init->opcode] = true;
    append_init(code, init);
    code->last_init[init->opcode] = (uint32_t)code->count;
  }
  xc_op op = {.insn = *insn};
  memcpy(op.init_fields, init->fields, sizeof op.init_fields);
  append(code, &op);
}

void xc_code_elew(xc_code *code, const XcDpuElewInit *inits,
                  const XcDpuElew *elew) {
  xc_op op = {.insn = {.opcode = XcDpuOpcodeElew}};
  op.insn.elew = *elew;
  for (uint32_t k = 0; k < elew->num; ++k) {
    XcDpuInstruction init = {.opcode = XcDpuOpcodeElewInit};
    init.elew_init = op.elew_init[k] = inits[k];
    append_init(code, &init);
  }
  append(code, &op);
}

void xc_code_end(xc_code *code) {
  xc_op op = {.insn = {.opcode = XcDpuOpcodeEnd}};
  append(code, &op);
}

/// Returns the end of the bytes that a SAVE writes.
static uint64_t save_end(const XcDpuSave *save) {
  return save->ddr_addr + (uint64_t)(save->length - 1) * save->jump_write +
         save->channel;
}

bool xc_can_pair_saves(const XcDpuSave *first, const XcDpuSave *second) {
  bool is_apart = first->reg_id != second->reg_id ||
                  save_end(first) <= second->ddr_addr ||
                  save_end(second) <= first->ddr_addr;
  return first->bank_id != second->bank_id && is_apart && !first->const_en &&
         !second->const_en;
}

void xc_code_copy(xc_code *code, const xc_code *from, size_t index) {
  size_t at = from->offsets[index];
  size_t end =
      index + 1 < from->count ? from->offsets[index + 1] : from->num_words;
  code->now = from->provenances[index];
  append_words(code, from->words + at, end - at);
}

unsigned xc_code_opcode(const xc_code *code, size_t index) {
  return code->words[code->offsets[index]] >> 28;
}

XcDpuQueue xc_code_queue(const xc_code *code, size_t index) {
  return xcDpuIsaGetInfo(code->machine->isa, xc_code_opcode(code, index))
      ->queue;
}

void xc_code_set_tokens(xc_code *code, size_t index, unsigned on, unsigned by) {
  uint32_t *word = &code->words[code->offsets[index]];
  *word &= ~((uint32_t)TOKENS_MASK << TOKENS_SHIFT_ON | (uint32_t)TOKENS_MASK
                                                            << TOKENS_SHIFT_BY);
  *word |= on << TOKENS_SHIFT_ON | by << TOKENS_SHIFT_BY;
}

unsigned char *xc_code_bytes(const xc_code *code, size_t *size) {
  *size = code->num_words * sizeof(uint32_t);
  unsigned char *bytes = xc_alloc_array(*size, 1);
  for (size_t i = 0; i < code->num_words; ++i)
    xcDpuWriteWord(bytes + i * sizeof(uint32_t), code->words[i]);
  return bytes;
}
