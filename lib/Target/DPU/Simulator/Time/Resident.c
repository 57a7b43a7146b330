//===- Resident.c - what the banks hold, and how long ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/Machine/Program.h"

#include "Support/Memory.h"

#include <stdlib.h>

/// Instructions are counted from 1; 0: none.
typedef struct word_state {
  uint32_t writer, last;
} word_state;

typedef struct resident_walk {
  const XcDpuTarget *target;
  xc_bank_layout layout;
  word_state *words;
  uint32_t index; // of the instruction at hand
  XcDpuResidentHandler handler;
  void *user_data;
} resident_walk;

/// Calls `visit` for each word of a run. Addresses wrap.
static void visit_run(resident_walk *walk, const xc_run *run,
                      void (*visit)(resident_walk *walk, uint32_t bank,
                                    uint32_t address)) {
  uint32_t depth = walk->layout.depth[run->bank];
  uint32_t count = run->count < depth ? run->count : depth;
  uint32_t words = run->words < depth ? run->words : depth;
  for (uint32_t x = 0; x < count; ++x) {
    uint64_t start = run->address + (uint64_t)x * run->step;
    uint32_t address = (uint32_t)(start % depth);
    for (uint32_t w = 0; w < words; ++w) {
      visit(walk, run->bank, address);
      address = address + 1 == depth ? 0 : address + 1;
    }
  }
}

static void read_word(resident_walk *walk, uint32_t bank, uint32_t address) {
  walk->words[walk->layout.first[bank] + address].last = walk->index;
}

static void end_word(resident_walk *walk, uint32_t bank, uint32_t address) {
  const word_state *word = &walk->words[walk->layout.first[bank] + address];
  if (!word->writer)
    return;
  uint32_t last = word->last > word->writer ? word->last : word->writer;
  // An instruction that computes in place reads a word for the last time while
  // it writes it: there the word counts as the new content, and only once.
  if (last == walk->index)
    --last;
  const XcDpuResident resident = {bank, address, word->writer - 1, last - 1};
  walk->handler(walk->user_data, &resident);
}

static void write_word(resident_walk *walk, uint32_t bank, uint32_t address) {
  word_state *word = &walk->words[walk->layout.first[bank] + address];
  // One instruction can write a word twice: two halves of a pixel.
  if (word->writer == walk->index)
    return;
  end_word(walk, bank, address);
  word->writer = walk->index;
}

static void read_run(void *context, const xc_run *run) {
  visit_run(context, run, read_word);
}

static void write_run(void *context, const xc_run *run) {
  visit_run(context, run, write_word);
}

void xcDpuProgramForEachResident(const XcDpuProgram *program,
                                 XcDpuResidentHandler handler, void *userData) {
  resident_walk walk = {.target = program->target,
                        .layout = xc_bank_layout_of(program->target),
                        .handler = handler,
                        .user_data = userData};
  size_t banks = (size_t)program->target->derived.numBanks;
  walk.words = xc_alloc_array(walk.layout.first[banks], sizeof *walk.words);
  for (size_t i = 0; i < program->count; ++i) {
    xc_op op = {0};
    xc_program_get_op(program, i, &op);
    walk.index = (uint32_t)i + 1;
    xc_text why = {0};
    if (xc_op_check(program->target, &op, &why)) {
      xc_op_reads(program->target, &op, read_run, &walk);
      xc_op_writes(program->target, &op, write_run, &walk);
    }
    xc_text_free(&why);
  }
  walk.index = (uint32_t)program->count + 1;
  for (size_t bank = 0; bank < banks; ++bank)
    for (uint32_t address = 0; address < walk.layout.depth[bank]; ++address)
      end_word(&walk, (uint32_t)bank, address);
  free(walk.words);
}
