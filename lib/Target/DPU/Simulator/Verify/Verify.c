//===- Verify.c - verifying a program without data ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Program order is the meaning of a program. Two accesses to the same place,
// at least one of them a write, must happen in program order in every
// execution that the tokens allow. Order.c knows what the tokens order; here
// the instructions are walked in program order, and for each place the last
// accesses are kept: one write, and the last read of each lane since. A lane
// is in order, so that nothing older can be in conflict.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "Support/Memory.h"
#include "Target/DPU/Machine/Supports.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const queue_names[XC_DPU_NUM_QUEUES] = {"LOAD", "SAVE",
                                                           "CONV", "MISC"};

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

const char *xcDpuFindingKindGetName(XcDpuFindingKind kind) {
  static const char *const names[] = {
#define XC_DPU_FINDING(Name, word, meaning) word,
      XC_DPU_FINDINGS(XC_DPU_FINDING)
#undef XC_DPU_FINDING
  };
  return kind < XC_DPU_NUM_FINDING_KINDS ? names[kind] : NULL;
}

const char *xcDpuFindingKindGetMeaning(XcDpuFindingKind kind) {
  static const char *const meanings[] = {
#define XC_DPU_FINDING(Name, word, meaning) meaning,
      XC_DPU_FINDINGS(XC_DPU_FINDING)
#undef XC_DPU_FINDING
  };
  return kind < XC_DPU_NUM_FINDING_KINDS ? meanings[kind] : NULL;
}

const char *xc_verify_name(const xc_verifier *verifier, size_t index,
                           char *buffer) {
  snprintf(buffer, 64, "instruction %zu (%s)", index,
           xc_program_name(verifier->program, index));
  return buffer;
}

void xc_verify_finding(xc_verifier *verifier, XcDpuFindingKind kind,
                       size_t index, const char *format, ...) {
  verifier->has_finding = true;
  if ((verifier->options->ignored >> kind & 1) ||
      verifier->last[kind] == index + 1)
    return;
  verifier->last[kind] = index + 1;
  ++verifier->report.counts[kind];
  ++verifier->report.total;
  if (verifier->reported == verifier->options->maxReported)
    return;
  ++verifier->reported;
  xc_text why = {0};
  xc_text_printf(&why, "%s: ", xcDpuFindingKindGetName(kind));
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&why, format, arguments);
  va_end(arguments);
  xc_program_error(verifier->diag, verifier->program, index, xc_text_str(&why));
  xc_text_free(&why);
}

bool xc_verify_work(xc_verifier *verifier, uint64_t amount) {
  verifier->work += amount;
  if (verifier->options->workLimit == 0 ||
      verifier->work <= verifier->options->workLimit)
    return true;
  xc_verify_finding(verifier, XcDpuFindingKindWork, verifier->op->index,
                    "the work limit of %" PRIu64 " is reached",
                    verifier->options->workLimit);
  return false;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// Follows the waits from queue to queue. Returns a queue on a cycle, or -1 if
/// the chain ends in an underflow.
static int find_cycle(const xc_order *order, unsigned start) {
  unsigned q = start;
  for (int steps = 0; steps < XC_DPU_NUM_QUEUES; ++steps) {
    if (order->stuck[q] == SIZE_MAX || order->is_underflow[q])
      return -1;
    q = order->stuck_on[q];
  }
  return order->stuck[q] == SIZE_MAX || order->is_underflow[q] ? -1 : (int)q;
}

static void report_cycle(xc_verifier *verifier, unsigned start) {
  const xc_order *order = &verifier->order;
  xc_text chain = {0};
  char name[64];
  unsigned q = start;
  do {
    unsigned next = order->stuck_on[q];
    xc_text_printf(&chain, "%s%s waits for %s", q == start ? "" : ", ",
                   xc_verify_name(verifier, order->stuck[q], name),
                   queue_names[next]);
    q = next;
  } while (q != start);
  xc_verify_finding(verifier, XcDpuFindingKindDeadlock, order->stuck[start],
                    "%s", xc_text_str(&chain));
  xc_text_free(&chain);
}

static void check_progress(xc_verifier *verifier) {
  const xc_order *order = &verifier->order;
  bool on_reported_cycle[XC_DPU_NUM_QUEUES] = {false};
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    if (order->stuck[q] == SIZE_MAX)
      continue;
    if (order->is_underflow[q]) {
      xc_verify_finding(verifier, XcDpuFindingKindUnderflow, order->stuck[q],
                        "waits for a token of %s, which posts none any more",
                        queue_names[order->stuck_on[q]]);
      continue;
    }
    int start = find_cycle(order, q);
    if (start < 0 || on_reported_cycle[start])
      continue;
    report_cycle(verifier, (unsigned)start);
    unsigned at = (unsigned)start;
    do {
      on_reported_cycle[at] = true;
      at = order->stuck_on[at];
    } while (at != (unsigned)start);
  }
}

/// Returns the last instruction of a queue that posts to `to`, or the last of
/// all.
static size_t last_poster(const XcDpuProgram *program, unsigned from,
                          unsigned to) {
  for (size_t i = program->count; i-- > 0;) {
    if (xcDpuProgramGetQueue(program, i) == from &&
        (xc_program_posts(program, i) >> to & 1))
      return i;
  }
  return program->count - 1;
}

static void check_leftover(xc_verifier *verifier) {
  for (unsigned from = 0; from < XC_DPU_NUM_QUEUES; ++from)
    for (unsigned to = 0; to < XC_DPU_NUM_QUEUES; ++to) {
      int64_t left = verifier->order.leftover[from][to];
      if (left == 0)
        continue;
      xc_verify_finding(verifier, XcDpuFindingKindLeftover,
                        last_poster(verifier->program, from, to),
                        "at the end channel %s to %s holds %" PRId64
                        " tokens %s than at the start",
                        queue_names[from], queue_names[to],
                        left < 0 ? -left : left, left < 0 ? "less" : "more");
    }
}

static void check_end(xc_verifier *verifier) {
  const XcDpuProgram *program = verifier->program;
  size_t last = program->count - 1;
  if (xc_program_kind(program, last)->class != XC_OP_END)
    xc_verify_finding(verifier, XcDpuFindingKindEnd, last,
                      "the code ends here without END");
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

static bool check_limits(xc_verifier *verifier) {
  xc_text why = {0};
  bool ok = xc_op_check(verifier->target, verifier->op, &why);
  if (!ok)
    xc_verify_finding(verifier, XcDpuFindingKindLimit, verifier->op->index,
                      "%s", xc_text_str(&why));
  xc_text_free(&why);
  return ok;
}

static bool check_addresses(xc_verifier *verifier) {
  xc_ddr_range range;
  for (unsigned i = 0; xc_op_ddr(verifier->target, verifier->op, i, &range);
       ++i) {
    uint64_t size = verifier->options->registerSizes[range.reg];
    if (xc_op_ddr_end(verifier->target, verifier->op, &range) <= size)
      continue;
    xc_verify_finding(verifier, XcDpuFindingKindAddress, verifier->op->index,
                      "DDR bytes %" PRIu64 " to %" PRIu64
                      " lie outside register %" PRIu32 ", which has %" PRIu64
                      " bytes",
                      range.begin, range.end - 1, range.reg, size);
    return false;
  }
  return true;
}

/// With `hazards`, everything; otherwise what does not depend on the order.
static void walk(xc_verifier *verifier, bool hazards) {
  for (size_t i = 0; i < verifier->program->count; ++i) {
    xc_op op = {0};
    xc_program_get_op(verifier->program, i, &op);
    verifier->op = &op;
    verifier->lane = verifier->order.lanes[i];
    verifier->ok_before = 0;
    verifier->has_finding = false;
    // Instructions that an engine cannot execute have no defined accesses.
    if (!check_limits(verifier) || !check_addresses(verifier) || !hazards)
      continue;
    if (!xc_verify_work(verifier, 1))
      break;
    xc_verify_ddr(verifier);
    xc_verify_banks(verifier);
  }
}

static void verify(xc_verifier *verifier) {
  check_progress(verifier);
  // Behind a deadlock nothing is ordered; reporting that would hide the cause.
  if (!verifier->order.all_started) {
    walk(verifier, false);
    return;
  }
  check_leftover(verifier);
  xc_verify_ddr_begin(verifier);
  walk(verifier, true);
  xc_verify_ddr_end(verifier);
}

void xcDpuVerifyOptionsInit(XcDpuVerifyOptions *options,
                            const XcDpuTarget *target) {
  *options = (XcDpuVerifyOptions){.maxReported = 20};
  for (int reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg) {
    options->registerSizes[reg] = UINT64_MAX;
    if (reg != target->workspaceRegister && reg != target->outputRegister)
      options->fullRegisters |= 1u << reg;
  }
}

static void begin(xc_verifier *verifier) {
  const XcDpuTarget *target = verifier->target;
  size_t words = verifier->layout.first[target->derived.numBanks];
  verifier->words = xc_alloc_array(words, sizeof *verifier->words);
  // Of no meaning before the bit of the word is set.
  uint32_t *readers =
      xc_alloc_uninitialized(XC_NUM_READERS * words, sizeof *readers);
  for (unsigned reader = 0; reader < XC_NUM_READERS; ++reader)
    verifier->readers[reader] = readers + reader * words;
  verifier->shared.lasts =
      xc_alloc_array(verifier->program->count, sizeof(uint32_t));
  verifier->operands = xc_operand_check_create(target);
  verifier->spacing = xc_spacing_check_create();
  xc_order_init(&verifier->order, verifier->program);
}

static void end(xc_verifier *verifier) {
  xc_order_free(&verifier->order);
  xc_operand_check_destroy(verifier->operands);
  xc_spacing_check_destroy(verifier->spacing);
  free(verifier->shared.lasts);
  free(verifier->readers[0]);
  free(verifier->words);
}

bool xcDpuVerify(XcDiag *diag, const XcDpuProgram *program,
                 const XcDpuVerifyOptions *options, XcDpuVerifyReport *report) {
  const XcDpuTarget *target = program->target;
  if (report)
    *report = (XcDpuVerifyReport){0};
  if (!xc_machine_supports(program->machine, target, false, diag))
    return false;
  xc_verifier verifier = {.program = program,
                          .target = target,
                          .options = options,
                          .diag = diag,
                          .layout = xc_bank_layout_of(target)};
  if (program->count > 0) {
    begin(&verifier);
    check_end(&verifier);
    verify(&verifier);
    end(&verifier);
  }
  if (report)
    *report = verifier.report;
  return verifier.report.total == 0;
}
