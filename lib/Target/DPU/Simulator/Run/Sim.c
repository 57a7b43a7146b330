//===- Sim.c - running programs on data -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim.h"

#include "Support/Progress.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Target/DPU/Machine/Supports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Instructions between two calls of the progress handler.
enum { PROGRESS_STEP = 64 };

XcDpuSim *xcDpuSimCreate(XcDiag *diag, const XcDpuTarget *target,
                         const char *kernel) {
  const xc_kernel *inner = xc_dpu_kernel_select(kernel);
  if (!inner) {
    xc_file_error(diag, NULL, "no inner loops '%s' on this processor", kernel);
    return NULL;
  }
  const xc_machine *machine = xc_machine_require(target, NULL, diag);
  if (!machine || !xc_machine_supports(machine, target, false, diag))
    return NULL;
  XcDpuSim *sim = xc_alloc(sizeof *sim);
  sim->target = target;
  sim->kernel = inner;
  sim->word_bytes = (size_t)target->channelParallel;
  sim->layout = xc_bank_layout_of(target);
  sim->weights_generation = 1;
  sim->banks = xc_alloc_array(sim->layout.first[target->derived.numBanks],
                              sim->word_bytes);
  return sim;
}

void xcDpuSimDestroy(XcDpuSim *sim) {
  if (!sim)
    return;
  xc_threads_destroy(sim->threads);
  for (size_t i = 0; i < XC_NUM_PACKED; ++i)
    free(sim->packed[i].data.data);
  free(sim->window.data);
  free(sim->elements.data);
  free(sim->output.data);
  free(sim->lane_bytes.data);
  free(sim->sums.data);
  free(sim->banks);
  free(sim);
}

const char *xcDpuSimGetKernelName(const XcDpuSim *sim) {
  return sim->kernel->name;
}

const char *xcDpuSimGetAvailableKernel(size_t index) {
  const xc_kernel *kernel;
  for (size_t i = 0; (kernel = xc_kernel_get(i)); ++i)
    if (kernel->is_supported() && index-- == 0)
      return kernel->name;
  return NULL;
}

bool xcDpuSimSetRegister(XcDpuSim *sim, unsigned reg, void *data, size_t size) {
  if (reg >= XC_DPU_NUM_REGISTERS)
    return false;
  sim->registers[reg].data = data;
  sim->registers[reg].size = size;
  return true;
}

void xcDpuSimSetThreads(XcDpuSim *sim, unsigned threads) {
  xc_threads_destroy(sim->threads);
  sim->threads = threads > 1 ? xc_threads_create(threads) : NULL;
}

void xcDpuSimSetWorkLimit(XcDpuSim *sim, uint64_t operations) {
  sim->work_limit = operations;
  sim->work = 0;
}

void xcDpuSimSetProgress(XcDpuSim *sim, const XcProgress *progress) {
  sim->progress = progress ? *progress : (XcProgress){0};
}

int8_t *xcDpuSimGetBank(XcDpuSim *sim, unsigned bank, size_t *size) {
  if (bank >= (unsigned)sim->target->derived.numBanks)
    return NULL;
  *size = xc_sim_bank_bytes(sim, bank);
  return xc_sim_bank(sim, bank);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static uint64_t load_work(const XcDpuSim *sim, const xc_op *op) {
  const XcDpuLoad *load = &op->insn.load;
  uint32_t rows =
      xc_load_is_broadcast(sim->target, load) ? load->output_channel_num : 1;
  return (uint64_t)load->length * load->channel * rows;
}

static uint64_t save_work(const XcDpuSim *sim, const xc_op *op) {
  (void)sim;
  return (uint64_t)op->insn.save.length * op->insn.save.channel;
}

static uint64_t window_work(const XcDpuSim *sim, const xc_op *op) {
  uint64_t pixels = (uint64_t)op->output.rows * op->output.pixels;
  return pixels * op->window.kernel_h * op->window.kernel_w *
         op->window.walk.pixel_words * sim->word_bytes;
}

static uint64_t conv_work(const XcDpuSim *sim, const xc_op *op) {
  return window_work(sim, op) * sim->word_bytes;
}

static uint64_t elew_work(const XcDpuSim *sim, const xc_op *op) {
  return (uint64_t)op->output.rows * op->output.pixels *
         op->insn.elew.channel_group * sim->word_bytes * op->insn.elew.num;
}

/// Who executes the instructions. Those that are not here do nothing by
/// themselves: registers travel with the instructions that use them.
static const struct engine {
  /// Bytes touched plus products; an upper bound is enough.
  uint64_t (*work)(const XcDpuSim *sim, const xc_op *op);
  void (*execute)(XcDpuSim *sim, const xc_op *op);
} engines[XC_DPU_NUM_OPCODES] = {
    [XcDpuOpcodeLoad] = {load_work, xc_sim_load},
    [XcDpuOpcodeSave] = {save_work, xc_sim_save},
    [XcDpuOpcodeConv] = {conv_work, xc_sim_conv},
    [XcDpuOpcodeAlu] = {window_work, xc_sim_alu},
    [XcDpuOpcodePool] = {window_work, xc_sim_pool},
    [XcDpuOpcodeDptwise] = {window_work, xc_sim_dptwise},
    [XcDpuOpcodeElew] = {elew_work, xc_sim_elew},
};

static bool check_ddr(const XcDpuSim *sim, const xc_op *op, xc_text *why) {
  xc_ddr_range range;
  for (unsigned i = 0; xc_op_ddr(sim->target, op, i, &range); ++i) {
    size_t size = sim->registers[range.reg].size;
    if (xc_op_ddr_end(sim->target, op, &range) <= size)
      continue;
    xc_text_printf(why,
                   "DDR bytes %" PRIu64 " to %" PRIu64
                   " lie outside register %" PRIu32 ", which has %zu bytes",
                   range.begin, range.end - 1, range.reg, size);
    return false;
  }
  return true;
}

static bool check_work(XcDpuSim *sim, const xc_op *op, xc_text *why) {
  const struct engine *engine = &engines[op->insn.opcode];
  sim->work += engine->work ? engine->work(sim, op) : 1;
  if (sim->work_limit == 0 || sim->work <= sim->work_limit)
    return true;
  xc_text_printf(why, "the work limit of %" PRIu64 " operations is reached",
                 sim->work_limit);
  return false;
}

bool xcDpuSimStep(XcDpuSim *sim, const XcDpuProgram *program, size_t index,
                  XcDiag *diag) {
  xc_op op = {0};
  xc_program_get_op(program, index, &op);
  xc_text why = {0};
  bool ok = xc_op_check(sim->target, &op, &why) && check_ddr(sim, &op, &why) &&
            check_work(sim, &op, &why);
  const struct engine *engine = &engines[op.insn.opcode];
  if (ok && engine->execute)
    engine->execute(sim, &op);
  else if (!ok)
    xc_program_error(diag, program, index, xc_text_str(&why));
  xc_text_free(&why);
  return ok;
}

bool xcDpuSimRunLockstep(XcDpuSim *const *sims, size_t count,
                         const XcDpuProgram *program, XcDiag *diag) {
  const XcDpuSim *first = sims[0];
  size_t total = program->count;
  for (size_t i = 0; i < total; ++i) {
    if (i % PROGRESS_STEP == 0)
      xc_report_progress(&first->progress, "instructions", i, total);
    for (size_t e = 0; e < count; ++e)
      if (!xcDpuSimStep(sims[e], program, i, diag))
        return false;
  }
  xc_report_progress(&first->progress, "instructions", total, total);
  return true;
}

bool xcDpuSimRun(XcDpuSim *sim, const XcDpuProgram *program, XcDiag *diag) {
  return xcDpuSimRunLockstep(&sim, 1, program, diag);
}
