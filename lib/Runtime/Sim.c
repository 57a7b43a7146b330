//===- Sim.c - DPU subgraphs on the simulator -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "Support/Diag.h"
#include "xc-c/DPUSim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// What sessions share.
typedef struct kernel {
  const XcXModelDpu *dpu;
  const XcDpuTarget *target;
  XcDpuProgram *program;
} kernel;

/// One DPU with its memory.
typedef struct device {
  XcDpuSim *sim;
  const kernel *kernel;
  unsigned char *memory[XC_DPU_NUM_REGISTERS];
} device;

static bool is_ours(const XcXModelDpu *dpu) {
  return dpu->compiler && strcmp(dpu->compiler, "xc") == 0;
}

// All memory holds data but what the program itself writes.
static bool verify(XcDiag *diag, const kernel *k) {
  XcDpuVerifyOptions options;
  xcDpuVerifyOptionsInit(&options, k->target);
  options.maxReported = 1;
  for (unsigned i = 0; i < XC_DPU_NUM_REGISTERS; ++i)
    options.registerSizes[i] = 0;
  for (size_t i = 0; i < k->dpu->numRegisters; ++i)
    options.registerSizes[k->dpu->registers[i].id] = k->dpu->registers[i].size;
  return xcDpuVerify(diag, k->program, &options, NULL);
}

static bool check_registers(XcDiag *diag, const XcModel *model,
                            const XcXModelDpu *dpu) {
  for (size_t i = 0; i < dpu->numRegisters; ++i)
    if (dpu->registers[i].id >= XC_DPU_NUM_REGISTERS)
      return xc_file_error(diag, model->name,
                           "register %" PRIu32 " is used, the DPU has %d",
                           dpu->registers[i].id, XC_DPU_NUM_REGISTERS);
  return true;
}

static bool prepare(XcDiag *diag, XcModel *model, xc_rt_part *part) {
  kernel *k = xc_alloc(sizeof(*k));
  part->prepared = k;
  k->dpu = xcXModelDpuCreate(diag, model->container, part->subgraph);
  if (!k->dpu || !check_registers(diag, model, k->dpu))
    return false;
  k->target = xcXModelDpuCreateTarget(diag, k->dpu);
  if (!k->target)
    return false;
  k->program = xcDpuProgramCreate(diag, k->target, part->name, k->dpu->code,
                                  k->dpu->codeSize);
  return k->program &&
         (!is_ours(k->dpu) || model->options.trusting || verify(diag, k));
}

static void release(xc_rt_part *part) {
  kernel *k = part->prepared;
  xcDpuProgramDestroy(k->program);
  xcDpuTargetDestroy(k->target);
  xcXModelDpuDestroy(k->dpu);
  free(k);
}

static void close_device(void *state) {
  device *d = state;
  xcDpuSimDestroy(d->sim);
  for (size_t i = 0; i < XC_DPU_NUM_REGISTERS; ++i)
    free(d->memory[i]);
  free(d);
}

static void *open_device(XcDiag *diag, const XcModel *model,
                         const xc_rt_part *part) {
  device *d = xc_alloc(sizeof(*d));
  d->kernel = part->prepared;
  d->sim = xcDpuSimCreate(diag, d->kernel->target, NULL);
  if (!d->sim) {
    close_device(d);
    return NULL;
  }
  xcDpuSimSetThreads(d->sim, model->options.threads);
  for (size_t i = 0; i < d->kernel->dpu->numRegisters; ++i) {
    const XcXModelRegister *reg = &d->kernel->dpu->registers[i];
    d->memory[reg->id] = xc_alloc(reg->size);
    xcDpuSimSetRegister(d->sim, reg->id, d->memory[reg->id], reg->size);
  }
  return d;
}

// As it was before the first run, so that all runs are alike.
static void fill_memory(const device *d) {
  for (size_t i = 0; i < d->kernel->dpu->numRegisters; ++i) {
    const XcXModelRegister *reg = &d->kernel->dpu->registers[i];
    unsigned char *memory = d->memory[reg->id];
    if (reg->initialSize)
      memcpy(memory, reg->initial, reg->initialSize);
    memset(memory + reg->initialSize, 0, reg->size - reg->initialSize);
  }
}

static bool run(XcDiag *diag, XcSession *session, const xc_rt_part *part,
                void *state, void **arguments) {
  const device *d = state;
  const XcXModelDpu *dpu = d->kernel->dpu;
  (void)session;
  fill_memory(d);
  for (size_t i = 0; i < dpu->numInputs; ++i)
    xcXModelDpuTensorStore(&dpu->inputs[i], arguments[i],
                           d->memory[dpu->inputs[i].registerId]);
  if (!xcDpuSimRun(d->sim, d->kernel->program, diag))
    return false;
  for (size_t i = 0; i < dpu->numOutputs; ++i)
    xcXModelDpuTensorLoad(&dpu->outputs[i], arguments[part->num_inputs + i],
                          d->memory[dpu->outputs[i].registerId]);
  return true;
}

const xc_rt_executor xc_rt_simulator = {
    .name = "simulator",
    .prepare = prepare,
    .release = release,
    .open = open_device,
    .close = close_device,
    .run = run,
};
