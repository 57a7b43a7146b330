//===- VerifyBanks.c - hazards on bank words ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include <inttypes.h>

static void report_hazard(xc_verifier *verifier, XcDpuFindingKind kind,
                          uint32_t earlier, const xc_run *run, uint64_t at) {
  char name[64];
  bool was_read = kind == XcDpuFindingKindWriteAfterRead;
  bool is_read = kind == XcDpuFindingKindReadAfterWrite;
  xc_verify_finding(verifier, kind, verifier->op->index,
                    "%s bank %" PRIu32 " word %" PRIu64
                    ", which %s %s; no token orders them",
                    is_read ? "reads" : "writes", run->bank,
                    at % verifier->layout.depth[run->bank],
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

static void read_run(void *context, const xc_run *whole) {
  xc_verifier *verifier = context;
  xc_run run = clip_run(verifier, whole);
  if (!xc_verify_work(verifier, (uint64_t)run.count * run.words + 1))
    return;
  uint32_t self = (uint32_t)verifier->op->index + 1;
  for (uint32_t x = 0; x < run.count; ++x) {
    uint64_t address = run.address + (uint64_t)x * run.step;
    for (uint32_t w = 0; w < run.words; ++w) {
      xc_bank_word *word = xc_verify_word(verifier, run.bank, address + w);
      if (!xc_verify_ordered(verifier, word->writer))
        report_hazard(verifier, XcDpuFindingKindReadAfterWrite, word->writer,
                      &run, address + w);
      word->readers[verifier->lane] = self;
    }
  }
  xc_operands_run(verifier, &run);
}

static void check_write(xc_verifier *verifier, const xc_bank_word *word,
                        const xc_run *run, uint64_t address) {
  if (!xc_verify_ordered(verifier, word->writer))
    report_hazard(verifier, XcDpuFindingKindWriteAfterWrite, word->writer, run,
                  address);
  for (unsigned lane = 0; lane < XC_NUM_LANES; ++lane)
    if (!xc_verify_ordered(verifier, word->readers[lane]))
      report_hazard(verifier, XcDpuFindingKindWriteAfterRead,
                    word->readers[lane], run, address);
}

/// Where the first byte of a word of a LOAD comes from.
static uint32_t load_source(const xc_verifier *verifier, const xc_run *run,
                            uint32_t x, uint32_t w) {
  uint32_t width = (uint32_t)verifier->target->channelParallel;
  return run->source + x * run->source_step + w * width +
         (run->source_reg << 29);
}

static void write_run(void *context, const xc_run *whole) {
  xc_verifier *verifier = context;
  xc_run run = clip_run(verifier, whole);
  if (!xc_verify_work(verifier, (uint64_t)run.count * run.words + 1))
    return;
  bool is_load = verifier->op->kind->class == XC_OP_LOAD;
  for (uint32_t x = 0; x < run.count; ++x) {
    uint64_t address = run.address + (uint64_t)x * run.step;
    for (uint32_t w = 0; w < run.words; ++w) {
      xc_bank_word *word = xc_verify_word(verifier, run.bank, address + w);
      check_write(verifier, word, &run, address + w);
      *word = (xc_bank_word){
          .writer = (uint32_t)verifier->op->index + 1,
          .valid = is_load ? UINT16_MAX : xc_operands_valid(verifier, w),
          .torn = is_load ? 0 : xc_operands_torn(verifier, w),
          .source = is_load ? load_source(verifier, &run, x, w) : 0,
      };
    }
  }
}

void xc_verify_banks(xc_verifier *verifier) {
  xc_operands_begin(verifier);
  xc_op_reads(verifier->target, verifier->op, read_run, verifier);
  xc_operands_end(verifier);
  xc_op_writes(verifier->target, verifier->op, write_run, verifier);
}
