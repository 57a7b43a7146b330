//===- VerifyBanks.c - hazards on bank words ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include <inttypes.h>
#include <string.h>

static void report_hazard(xc_verifier *verifier, XcDpuFindingKind kind,
                          uint32_t earlier, const xc_run *run, uint32_t at) {
  if (!xc_verify_counts(verifier, kind))
    return;
  char name[64];
  bool was_read = kind == XcDpuFindingKindWriteAfterRead;
  bool is_read = kind == XcDpuFindingKindReadAfterWrite;
  xc_verify_finding(verifier, kind, verifier->op->index,
                    "%s bank %" PRIu32 " word %" PRIu32
                    ", which %s %s; no token orders them",
                    is_read ? "reads" : "writes", run->bank, at,
                    xc_verify_name(verifier, earlier - 1, name),
                    was_read ? "reads" : "writes");
}

/// Addresses of a run repeat after as many pieces as the bank has words, and in
/// a piece after as many words.
static xc_run clip_run(const xc_verifier *verifier, const xc_run *run) {
  xc_run clipped = *run;
  uint32_t depth = verifier->layout.depth[run->bank];
  if (clipped.count > depth)
    clipped.count = depth;
  if (clipped.words > depth)
    clipped.words = depth;
  return clipped;
}

static void read_words(xc_verifier *verifier, const xc_run *run) {
  bool is_window =
      verifier->op->kind->class == XC_OP_CONV && run->role == XC_ROLE_INPUT;
  unsigned reader = is_window ? XC_READER_WINDOW : verifier->lane;
  uint32_t self = (uint32_t)verifier->op->index + 1;
  xc_bank_walk walk = xc_bank_walk_begin(verifier, run);
  xc_bank_word *words = verifier->words + walk.first;
  uint32_t *readers = verifier->readers[reader] + walk.first;
  for (uint32_t x = 0; x < run->count; ++x, xc_bank_walk_next_piece(&walk)) {
    uint32_t at = walk.piece;
    for (uint32_t w = 0; w < run->words;
         ++w, at = xc_bank_walk_next(&walk, at)) {
      xc_bank_word *word = &words[at];
      if (!xc_verify_ordered(verifier, word->writer))
        report_hazard(verifier, XcDpuFindingKindReadAfterWrite, word->writer,
                      run, at);
      word->readers |= (uint8_t)(1u << reader);
      readers[at] = self;
    }
  }
}

static void read_run(void *context, const xc_run *whole) {
  xc_verifier *verifier = context;
  xc_run run = clip_run(verifier, whole);
  if (!xc_verify_work(verifier, (uint64_t)run.count * run.words + 1))
    return;
  if (run.role == XC_ROLE_INPUT && verifier->shared.is_known)
    return;
  read_words(verifier, &run);
  xc_operands_run(verifier, &run);
}

/// Returns the last instruction that has read a word, which is written now.
static uint32_t last_reader(xc_verifier *verifier, unsigned reader,
                            size_t word) {
  xc_shared_window *shared = &verifier->shared;
  uint32_t number = verifier->readers[reader][word];
  if (reader != XC_READER_WINDOW)
    return number;
  if (number == shared->reader)
    shared->reader = 0;
  return shared->lasts[number - 1];
}

static void check_write(xc_verifier *verifier, size_t word, const xc_run *run,
                        uint32_t at) {
  const xc_bank_word *before = &verifier->words[word];
  if (!xc_verify_ordered(verifier, before->writer))
    report_hazard(verifier, XcDpuFindingKindWriteAfterWrite, before->writer,
                  run, at);
  for (unsigned left = before->readers; left; left &= left - 1) {
    unsigned reader = (unsigned)__builtin_ctz(left);
    uint32_t number = last_reader(verifier, reader, word);
    if (!xc_verify_ordered(verifier, number))
      report_hazard(verifier, XcDpuFindingKindWriteAfterRead, number, run, at);
  }
}

/// Where the first byte of a word of a LOAD comes from.
static uint32_t load_source(const xc_verifier *verifier, const xc_run *run,
                            uint32_t x, uint32_t w) {
  uint32_t width = (uint32_t)verifier->target->channelParallel;
  return run->source + x * run->source_step + w * width +
         (run->source_reg << 29);
}

static xc_origin origin_of(const xc_verifier *verifier, const xc_op *op) {
  if (op->kind->class != XC_OP_LOAD)
    return XC_ORIGIN_COMPUTED;
  const XcDpuLoad *load = &op->insn.load;
  bool is_constant = xc_load_is_constant(load) ||
                     xc_load_is_all_masked(verifier->target, load);
  return is_constant ? XC_ORIGIN_NONE : XC_ORIGIN_DDR;
}

static void write_run(void *context, const xc_run *whole) {
  xc_verifier *verifier = context;
  xc_run run = clip_run(verifier, whole);
  if (!xc_verify_work(verifier, (uint64_t)run.count * run.words + 1))
    return;
  bool is_load = verifier->op->kind->class == XC_OP_LOAD;
  xc_bank_word next = {.writer = (uint32_t)verifier->op->index + 1,
                       .valid = UINT16_MAX,
                       .origin = (uint8_t)origin_of(verifier, verifier->op)};
  xc_bank_walk walk = xc_bank_walk_begin(verifier, &run);
  for (uint32_t x = 0; x < run.count; ++x, xc_bank_walk_next_piece(&walk)) {
    uint32_t at = walk.piece;
    for (uint32_t w = 0; w < run.words;
         ++w, at = xc_bank_walk_next(&walk, at)) {
      check_write(verifier, walk.first + at, &run, at);
      if (is_load) {
        next.source = load_source(verifier, &run, x, w);
      } else {
        next.valid = xc_operands_valid(verifier, w);
        next.torn = xc_operands_torn(verifier, w);
      }
      verifier->words[walk.first + at] = next;
    }
  }
}

//===----------------------------------------------------------------------===//
// Windows that several CONVs read
//===----------------------------------------------------------------------===//

static void begin_window(xc_verifier *verifier) {
  xc_shared_window *shared = &verifier->shared;
  const xc_op *op = verifier->op;
  uint32_t self = (uint32_t)op->index + 1;
  shared->is_known = false;
  if (op->kind->class != XC_OP_CONV)
    return;
  shared->is_known =
      shared->reader != 0 &&
      memcmp(&op->window, &shared->window, sizeof op->window) == 0 &&
      xc_spacing_repeats(verifier);
  if (!shared->is_known) {
    shared->window = op->window;
    shared->reader = self;
  }
  shared->lasts[shared->reader - 1] = self;
}

/// Forgets a window with findings, so that the next instruction with the same
/// window is checked in full and finds them again.
static void end_window(xc_verifier *verifier) {
  if (verifier->op->kind->class == XC_OP_CONV && verifier->has_finding)
    verifier->shared.reader = 0;
}

void xc_verify_banks(xc_verifier *verifier) {
  xc_operands_begin(verifier);
  begin_window(verifier);
  xc_op_reads(verifier->target, verifier->op, read_run, verifier);
  end_window(verifier);
  xc_operands_end(verifier);
  xc_op_writes(verifier->target, verifier->op, write_run, verifier);
}
