//===- DpuSimFuzz.c - fuzzes simulator, timing model and verifier ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: one byte for the size of the DPU, two bytes per base register for its
// size, then machine code. Opcodes that do not exist are mapped to some that
// do, and bits that belong to no field are cleared, so that most inputs are
// programs.
//
// Whatever the code is, running it ends, with a diagnostic or without; all
// inner loops leave the same bytes; a program with neither findings about
// limits nor about addresses runs to its end; time adds up.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Support/Memory.h"
#include "xc-c/DPUSim.h"

#include <string.h>

enum { HEADER = 1 + 2 * XC_DPU_NUM_REGISTERS, MAX_CODE = 4096 };

static const char *const targets[] = {
    "DPUCZDX8G_ISA1_B512",  "DPUCZDX8G_ISA1_B800",  "DPUCZDX8G_ISA1_B1024",
    "DPUCZDX8G_ISA1_B1152", "DPUCZDX8G_ISA1_B1600", "DPUCZDX8G_ISA1_B2304",
    "DPUCZDX8G_ISA1_B3136", "DPUCZDX8G_ISA1_B4096", "DPUCAHX8H_ISA2",
    "DPUCAHX8H_ISA2_DWC",   "DPUCAHX8H_ISA2_ELP2"};

/// Loaded once: reading them takes longer than most inputs.
static const XcDpuTarget *get_target(uint8_t choice) {
  enum { COUNT = sizeof targets / sizeof *targets };
  static const XcDpuTarget *loaded[COUNT];
  XcDiag diag = xc_fuzz_silent_diag();
  const XcDpuTarget **target = &loaded[choice % COUNT];
  if (!*target)
    *target = xcDpuTargetCreate(&diag, targets[choice % COUNT]);
  xc_fuzz_require(*target);
  return *target;
}

/// Writes code that decodes; returns its size.
static size_t make_code(const XcDpuIsa *isa, unsigned char *code,
                        const uint8_t *data, size_t size) {
  uint32_t words[MAX_CODE / 4];
  size_t count = size / 4 < MAX_CODE / 4 ? size / 4 : MAX_CODE / 4, out = 0;
  for (size_t i = 0; i < count; ++i)
    words[i] = xcDpuReadWord(data + 4 * i);
  for (size_t i = 0; i < count;) {
    uint32_t opcode = words[i] >> 28;
    // From any number this comes to all opcodes.
    while (!xcDpuIsaGetInfo(isa, opcode))
      opcode = (opcode + 7) % XC_DPU_NUM_OPCODES;
    words[i] = (words[i] & 0x0fffffff) | opcode << 28;
    XcDpuInstruction insn;
    uint32_t clean[XC_DPU_MAX_WORDS];
    XcDpuResult result = xcDpuDecode(isa, words + i, count - i, &insn);
    if (result.status == XcDpuStatusTruncated)
      break;
    i += result.numWords;
    result = xcDpuEncode(isa, &insn, clean);
    xc_fuzz_require(result.status == XcDpuStatusOk);
    for (unsigned w = 0; w < result.numWords; ++w, out += 4)
      xcDpuWriteWord(code + out, clean[w]);
  }
  return out;
}

typedef struct memory {
  size_t sizes[XC_DPU_NUM_REGISTERS];
  int8_t *data[XC_DPU_NUM_REGISTERS];
} memory;

static void fill(memory *m) {
  for (int r = 0; r < XC_DPU_NUM_REGISTERS; ++r) {
    m->data[r] = xc_alloc_uninitialized(m->sizes[r] + 1, 1);
    for (size_t i = 0; i < m->sizes[r]; ++i)
      m->data[r][i] = (int8_t)(i * 89 % 251 - 125);
  }
}

static void release(memory *m) {
  for (int r = 0; r < XC_DPU_NUM_REGISTERS; ++r)
    free(m->data[r]);
}

/// Runs the program and mixes all bytes into one number.
static uint64_t run(const XcDpuTarget *target, const XcDpuProgram *program,
                    memory *m, const char *kernel, bool *ok) {
  XcDiag diag = xc_fuzz_silent_diag();
  XcDpuSim *sim = xcDpuSimCreate(&diag, target, kernel);
  fill(m);
  for (unsigned r = 0; r < XC_DPU_NUM_REGISTERS; ++r)
    xcDpuSimSetRegister(sim, r, m->data[r], m->sizes[r]);
  xcDpuSimSetWorkLimit(sim, 3000000);
  *ok = xcDpuSimRun(sim, program, &diag);
  xc_fuzz_require(diag.numErrors == !*ok);
  uint64_t hash = 1;
  size_t size;
  const int8_t *bank;
  for (unsigned b = 0; (bank = xcDpuSimGetBank(sim, b, &size)); ++b)
    for (size_t i = 0; i < size; ++i)
      hash = hash * 31 + (uint8_t)bank[i];
  for (int r = 0; r < XC_DPU_NUM_REGISTERS; ++r)
    for (size_t i = 0; i < m->sizes[r]; ++i)
      hash = hash * 31 + (uint8_t)m->data[r][i];
  xcDpuSimDestroy(sim);
  release(m);
  return hash;
}

static void check_time(const XcDpuProgram *program) {
  XcDiag diag = xc_fuzz_silent_diag();
  XcDpuTimeline *timeline = xcDpuTimelineCreate(&diag, program);
  xc_fuzz_require(diag.numErrors == !timeline);
  if (!timeline)
    return;
  const XcDpuTime *total = xcDpuTimelineGetTotal(timeline);
  for (int q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    const XcDpuQueueTime *queue = &total->queues[q];
    double sum = queue->busy + queue->finished;
    for (int from = 0; from < XC_DPU_NUM_QUEUES; ++from)
      sum += queue->stall[from];
    double error = sum - total->cycles;
    xc_fuzz_require(error * error <= 1e-6 * (1 + total->cycles));
  }
  free(xcDpuTimelineToTable(timeline));
  free(xcDpuTimelineToJson(timeline));
  xcDpuTimelineDestroy(timeline);
}

static void check(const XcDpuTarget *target, const XcDpuProgram *program,
                  memory *m) {
  bool ok, again;
  uint64_t hash = run(target, program, m, "plain", &ok);
  const char *kernel;
  for (size_t i = 0; (kernel = xcDpuSimGetAvailableKernel(i)); ++i)
    xc_fuzz_require(run(target, program, m, kernel, &again) == hash &&
                    again == ok);
  XcDpuVerifyOptions options;
  XcDpuVerifyReport report;
  xcDpuVerifyOptionsInit(&options, target);
  options.workLimit = 300000;
  for (int r = 0; r < XC_DPU_NUM_REGISTERS; ++r)
    options.registerSizes[r] = m->sizes[r];
  XcDiag diag = xc_fuzz_silent_diag();
  bool is_clean = xcDpuVerify(&diag, program, &options, &report);
  xc_fuzz_require(is_clean == (report.total == 0) &&
                  (diag.numErrors == 0) == is_clean);
  // A run can also stop at its work limit, but never without that.
  bool is_possible = report.counts[XcDpuFindingKindLimit] == 0 &&
                     report.counts[XcDpuFindingKindAddress] == 0;
  if (ok && report.counts[XcDpuFindingKindWork] == 0)
    xc_fuzz_require(is_possible);
  check_time(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < HEADER)
    return 0;
  XcDiag diag = xc_fuzz_silent_diag();
  const XcDpuTarget *target = get_target(data[0]);
  memory m;
  for (int r = 0; r < XC_DPU_NUM_REGISTERS; ++r)
    m.sizes[r] = data[1 + 2 * r] + 256u * data[2 + 2 * r];
  unsigned char code[MAX_CODE];
  size_t code_size =
      make_code(xcDpuIsaGet(target->isa), code, data + HEADER, size - HEADER);
  XcDpuProgram *program =
      xcDpuProgramCreate(&diag, target, "input", code, code_size);
  xc_fuzz_require(diag.numErrors == !program);
  if (program)
    check(target, program, &m);
  xcDpuProgramDestroy(program);
  return 0;
}
