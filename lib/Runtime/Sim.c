//===- Sim.c - DPU subgraphs on the simulator -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "Runtime/Dpu/Kernel.h"

#include <stdlib.h>

/// One DPU with its memory; the kernel is what sessions share.
typedef struct device {
  XcDpuSim *sim;
  const xc_dpu_kernel *kernel;
  xc_dpu_memory memory;
} device;

static bool prepare(XcDiag *diag, XcModel *model, xc_rt_part *part) {
  xc_dpu_kernel *kernel = xc_alloc(sizeof(*kernel));
  part->prepared = kernel;
  return xc_dpu_kernel_load(diag, model->container, part->subgraph,
                            model->options.target, kernel) &&
         (!kernel->compiled_by_xc || model->options.trusting ||
          xc_dpu_kernel_verify(diag, kernel, model->options.ignoredFindings));
}

static void release(xc_rt_part *part) {
  xc_dpu_kernel_free(part->prepared);
  free(part->prepared);
}

static void close_device(void *state) {
  device *d = state;
  xcDpuSimDestroy(d->sim);
  xc_dpu_memory_free(&d->memory);
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
  xc_dpu_memory_create(d->kernel, &d->memory);
  xc_dpu_memory_bind(&d->memory, d->sim);
  return d;
}

static bool run(XcDiag *diag, XcSession *session, const xc_rt_part *part,
                void *state, void **arguments) {
  device *d = state;
  const XcXModelDpu *dpu = d->kernel->dpu;
  (void)session;
  // All runs are like the first one.
  xc_dpu_memory_reset(d->kernel, &d->memory);
  for (size_t i = 0; i < dpu->numInputs; ++i)
    xcXModelDpuTensorStore(&dpu->inputs[i], arguments[i],
                           d->memory.registers[dpu->inputs[i].registerId].data);
  if (!xcDpuSimRun(d->sim, d->kernel->program, diag))
    return false;
  for (size_t i = 0; i < dpu->numOutputs; ++i)
    xcXModelDpuTensorLoad(&dpu->outputs[i], arguments[part->num_inputs + i],
                          d->memory.registers[dpu->outputs[i].registerId].data);
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
