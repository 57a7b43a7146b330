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
  if (!xc_dpu_kernel_load(diag, model->container, part->subgraph,
                          model->options.target, kernel))
    return false;
  size_t engines = (size_t)kernel->target->derived.engines;
  if (engines > model->num_engines)
    model->num_engines = engines;
  return !kernel->compiled_by_xc || model->options.skipVerification ||
         xc_dpu_kernel_verify(diag, kernel, model->options.ignoredFindings);
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
  xc_dpu_memory_create_engine(d->kernel, &d->memory);
  xc_dpu_memory_bind(&d->memory, d->sim);
  return d;
}

/// All runs are like the first one.
static void store_inputs(device *d, void **arguments) {
  const XcXModelDpu *dpu = d->kernel->dpu;
  xc_dpu_memory_reset(d->kernel, &d->memory);
  for (size_t i = 0; i < dpu->numInputs; ++i)
    xcXModelDpuTensorStore(&dpu->inputs[i], arguments[i],
                           d->memory.registers[dpu->inputs[i].registerId].data);
}

static void load_outputs(const device *d, const xc_rt_part *part,
                         void **arguments) {
  const XcXModelDpu *dpu = d->kernel->dpu;
  for (size_t i = 0; i < dpu->numOutputs; ++i)
    xcXModelDpuTensorLoad(&dpu->outputs[i], arguments[part->num_inputs + i],
                          d->memory.registers[dpu->outputs[i].registerId].data);
}

static bool run_lockstep(XcDiag *diag, const xc_rt_part *part,
                         void *const *states, void **const *arguments,
                         size_t count) {
  XcDpuSim **engines = xc_alloc_array(count, sizeof(*engines));
  const xc_dpu_kernel *kernel = part->prepared;
  for (size_t e = 0; e < count; ++e) {
    device *d = states[e];
    store_inputs(d, arguments[e]);
    engines[e] = d->sim;
  }
  bool ok = xcDpuSimRunLockstep(engines, count, kernel->program, diag);
  for (size_t e = 0; ok && e < count; ++e)
    load_outputs(states[e], part, arguments[e]);
  free(engines);
  return ok;
}

static bool run(XcDiag *diag, XcSession *session, const xc_rt_part *part,
                void *state, void **arguments) {
  (void)session;
  return run_lockstep(diag, part, &state, &arguments, 1);
}

const xc_rt_executor xc_rt_simulator = {
    .name = "simulator",
    .prepare = prepare,
    .release = release,
    .open = open_device,
    .close = close_device,
    .run = run,
    .run_lockstep = run_lockstep,
};
