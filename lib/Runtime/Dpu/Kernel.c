//===- Kernel.c - a DPU subgraph on the simulator -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "Support/Diag.h"
#include "Support/Limits.h"
#include "Support/Memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool check_registers(XcDiag *diag, const XcXModel *container,
                            const XcXModelDpu *dpu) {
  for (size_t i = 0; i < dpu->numRegisters; ++i)
    if (dpu->registers[i].id >= XC_DPU_NUM_REGISTERS)
      return xc_file_error(diag, xcXModelGetFile(container),
                           "register %" PRIu32 " is used, the DPU has %d",
                           dpu->registers[i].id, XC_DPU_NUM_REGISTERS);
  uint64_t bytes = 0;
  for (size_t i = 0; i < dpu->numRegisters && xc_fits_memory(bytes); ++i)
    bytes += dpu->registers[i].size;
  return xc_check_memory(diag, xcXModelGetFile(container),
                         "the memory of the registers", bytes);
}

bool xc_dpu_kernel_load(XcDiag *diag, const XcXModel *container,
                        const XcXModelSubgraph *subgraph, const char *target,
                        xc_dpu_kernel *kernel) {
  *kernel =
      (xc_dpu_kernel){.dpu = xcXModelDpuCreate(diag, container, subgraph)};
  const XcXModelDpu *dpu = kernel->dpu;
  if (!dpu || !check_registers(diag, container, dpu))
    return false;
  kernel->compiled_by_xc = dpu->compiler && strcmp(dpu->compiler, "xc") == 0;
  kernel->target = target ? xcDpuTargetCreate(diag, target)
                          : xcXModelDpuCreateTarget(diag, dpu);
  if (!kernel->target)
    return false;
  kernel->program = xcDpuProgramCreate(diag, kernel->target, dpu->name,
                                       dpu->code, dpu->codeSize);
  return kernel->program;
}

void xc_dpu_kernel_free(xc_dpu_kernel *kernel) {
  xcDpuProgramDestroy(kernel->program);
  xcDpuTargetDestroy(kernel->target);
  xcXModelDpuDestroy(kernel->dpu);
}

/// Files of other compilers may leave the work out.
static uint64_t work_of(const xc_dpu_kernel *kernel, uint64_t operations) {
  return operations || kernel->compiled_by_xc ? operations
                                              : XC_DPU_WORK_UNKNOWN;
}

void xc_dpu_kernel_add_layers(const xc_dpu_kernel *kernel) {
  const XcXModelDpu *dpu = kernel->dpu;
  if (dpu->numLayers == 0)
    xcDpuProgramAddLayer(kernel->program, 0, dpu->name,
                         work_of(kernel, dpu->workload));
  // Instructions in front of the first layer belong to it.
  for (size_t i = 0; i < dpu->numLayers; ++i)
    xcDpuProgramAddLayer(kernel->program, i ? dpu->layers[i].instruction : 0,
                         dpu->layers[i].name,
                         work_of(kernel, dpu->layers[i].operations));
}

/// From the first to past the last byte.
static XcDpuByteRange range_of(const XcXModelDpuTensor *tensor) {
  uint64_t end = tensor->address + 1;
  for (size_t i = 0; i < tensor->rank; ++i)
    end += (tensor->dims[i] - 1) * (uint64_t)tensor->strides[i];
  return (XcDpuByteRange){tensor->registerId, tensor->address, end};
}

XcDpuByteRange *xc_dpu_kernel_contents(const xc_dpu_kernel *kernel,
                                       size_t *count) {
  const XcXModelDpu *dpu = kernel->dpu;
  XcDpuByteRange *ranges =
      xc_alloc_array(dpu->numRegisters + dpu->numInputs, sizeof(*ranges));
  *count = 0;
  for (size_t i = 0; i < dpu->numRegisters; ++i) {
    uint32_t id = dpu->registers[i].id;
    if ((int32_t)id != kernel->target->workspaceRegister &&
        (int32_t)id != kernel->target->outputRegister)
      ranges[(*count)++] = (XcDpuByteRange){id, 0, dpu->registers[i].size};
  }
  // Compilers may put inputs beside what the program writes.
  for (size_t i = 0; i < dpu->numInputs; ++i)
    ranges[(*count)++] = range_of(&dpu->inputs[i]);
  return ranges;
}

bool xc_dpu_kernel_verify(XcDiag *diag, const xc_dpu_kernel *kernel,
                          uint32_t ignored) {
  size_t num_ranges;
  XcDpuByteRange *ranges = xc_dpu_kernel_contents(kernel, &num_ranges);
  XcDpuVerifyOptions options;
  xcDpuVerifyOptionsInit(&options, kernel->target);
  options.maxReported = 1;
  options.ignored = ignored;
  options.fullRegisters = 0;
  options.written = ranges;
  options.numWritten = num_ranges;
  memset(options.registerSizes, 0, sizeof(options.registerSizes));
  for (size_t i = 0; i < kernel->dpu->numRegisters; ++i)
    options.registerSizes[kernel->dpu->registers[i].id] =
        kernel->dpu->registers[i].size;
  bool ok = xcDpuVerify(diag, kernel->program, &options, NULL);
  free(ranges);
  return ok;
}

static void add_register(const XcXModelRegister *from, bool is_shared,
                         xc_dpu_memory *memory) {
  xc_buffer *to = &memory->registers[from->id];
  memory->is_shared[from->id] = is_shared;
  if (is_shared) {
    *to = (xc_buffer){(unsigned char *)from->initial, from->size};
    return;
  }
  *to = (xc_buffer){xc_alloc(from->size), from->size};
  if (from->initialSize)
    memcpy(to->data, from->initial, from->initialSize);
}

void xc_dpu_memory_create(const xc_dpu_kernel *kernel, xc_dpu_memory *memory) {
  *memory = (xc_dpu_memory){0};
  for (size_t i = 0; i < kernel->dpu->numRegisters; ++i)
    add_register(&kernel->dpu->registers[i], false, memory);
}

/// Returns a bit for each register that a SAVE writes.
static uint32_t saved_registers(const XcDpuProgram *program) {
  uint32_t result = 0;
  XcDpuInstruction insn;
  for (size_t i = 0; i < xcDpuProgramGetNumInstructions(program); ++i) {
    xcDpuProgramGetInstruction(program, i, &insn);
    if (insn.opcode == XcDpuOpcodeSave)
      result |= UINT32_C(1) << insn.save.reg_id;
  }
  return result;
}

void xc_dpu_memory_create_engine(const xc_dpu_kernel *kernel,
                                 xc_dpu_memory *memory) {
  const XcXModelDpu *dpu = kernel->dpu;
  uint32_t written = saved_registers(kernel->program);
  for (size_t i = 0; i < dpu->numInputs; ++i)
    written |= UINT32_C(1) << dpu->inputs[i].registerId;
  *memory = (xc_dpu_memory){0};
  for (size_t i = 0; i < dpu->numRegisters; ++i) {
    const XcXModelRegister *from = &dpu->registers[i];
    bool is_whole = from->initialSize > 0 && from->initialSize == from->size;
    add_register(from, is_whole && !(written >> from->id & 1), memory);
  }
}

void xc_dpu_memory_reset(const xc_dpu_kernel *kernel, xc_dpu_memory *memory) {
  for (size_t i = 0; i < kernel->dpu->numRegisters; ++i) {
    const XcXModelRegister *from = &kernel->dpu->registers[i];
    unsigned char *to = memory->registers[from->id].data;
    if (memory->is_shared[from->id])
      continue;
    if (from->initialSize)
      memcpy(to, from->initial, from->initialSize);
    memset(to + from->initialSize, 0, from->size - from->initialSize);
  }
}

void xc_dpu_memory_free(xc_dpu_memory *memory) {
  for (size_t i = 0; i < XC_DPU_NUM_REGISTERS; ++i)
    if (!memory->is_shared[i])
      xc_buffer_free(&memory->registers[i]);
}

void xc_dpu_memory_bind(const xc_dpu_memory *memory, XcDpuSim *sim) {
  for (unsigned i = 0; i < XC_DPU_NUM_REGISTERS; ++i)
    xcDpuSimSetRegister(sim, i, memory->registers[i].data,
                        memory->registers[i].size);
}
