//===- Kernel.h - a DPU subgraph on the simulator -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Execution of the DPU subgraphs of xmodels, for the runtime and for xc-run:
//
//   xc_dpu_kernel kernel;
//   if (xc_dpu_kernel_load(&diag, container, subgraph, NULL, &kernel) &&
//       xc_dpu_kernel_verify(&diag, &kernel, 0)) {
//     xc_dpu_memory memory;
//     xc_dpu_memory_create(&kernel, &memory);
//     ... xcXModelDpuTensorStore into memory.registers[...] ...
//   }
//
// A kernel does not change once it is loaded; any number of memories and
// simulators share it.
//
//===----------------------------------------------------------------------===//

#ifndef XC_RUNTIME_DPU_KERNEL_H
#define XC_RUNTIME_DPU_KERNEL_H

#include "Support/File.h"
#include "xc-c/DPUSim.h"
#include "xc-c/XModelDpu.h"

typedef struct xc_dpu_kernel {
  const XcXModelDpu *dpu; // borrows from the container
  const XcDpuTarget *target;
  XcDpuProgram *program;
  bool compiled_by_xc; // verified unless the user trusts it
} xc_dpu_kernel;

/// Reads a subgraph of a container, which must outlive the kernel. `target` is
/// the name of the target; null takes that of the file. Returns false after one
/// diagnostic. Free the kernel in any case.
bool xc_dpu_kernel_load(XcDiag *diag, const XcXModel *container,
                        const XcXModelSubgraph *subgraph, const char *target,
                        xc_dpu_kernel *kernel);
void xc_dpu_kernel_free(xc_dpu_kernel *kernel);

/// Gives the program the layers that the container names, for timelines.
void xc_dpu_kernel_add_layers(const xc_dpu_kernel *kernel);

/// Returns the ranges of memory that have contents before a run: parameters and
/// inputs. Free the result.
XcDpuByteRange *xc_dpu_kernel_contents(const xc_dpu_kernel *kernel,
                                       size_t *count);

/// Strict mode with the registers of the kernel, all of which hold data but
/// what the program itself writes. Reports the first finding that is not
/// ignored.
bool xc_dpu_kernel_verify(XcDiag *diag, const xc_dpu_kernel *kernel,
                          uint32_t ignored);

/// The memory after the base registers, by register; empty where the kernel has
/// none.
typedef struct xc_dpu_memory {
  xc_buffer registers[XC_DPU_NUM_REGISTERS];
  bool is_shared[XC_DPU_NUM_REGISTERS]; // with others, and never written
} xc_dpu_memory;

/// Memory as it is before a run: parameters, otherwise zeros. Free it.
void xc_dpu_memory_create(const xc_dpu_kernel *kernel, xc_dpu_memory *memory);
/// The same, but that all such memories share the parameters in registers that
/// the program only reads.
void xc_dpu_memory_create_engine(const xc_dpu_kernel *kernel,
                                 xc_dpu_memory *memory);
/// Makes it so again.
void xc_dpu_memory_reset(const xc_dpu_kernel *kernel, xc_dpu_memory *memory);
void xc_dpu_memory_free(xc_dpu_memory *memory);
/// Binds all registers of a simulator.
void xc_dpu_memory_bind(const xc_dpu_memory *memory, XcDpuSim *sim);

#endif // XC_RUNTIME_DPU_KERNEL_H
