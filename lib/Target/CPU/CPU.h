//===- CPU.h - from a module to object code -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_CPU_CPU_H
#define XC_TARGET_CPU_CPU_H

#include "Support/Memory.h"
#include "xc-c/CPU.h"

#include "llvm-c/TargetMachine.h"

/// A processor to compile for.
typedef struct xc_cpu_target {
  LLVMTargetMachineRef machine;
  char *triple, *cpu, *features;
} xc_cpu_target;

/// Whether `cpu`, null for this machine's, is a name that can be compiled for
/// and, where `runs_here` asks for it, one of this architecture. Returns false
/// after a diagnostic.
bool xc_cpu_check(XcDiag *diag, const char *cpu, bool runs_here);
bool xc_cpu_target_create(XcDiag *diag, const char *cpu, xc_cpu_target *target);
void xc_cpu_target_free(xc_cpu_target *target);

/// LLVM's OpenMP library, which code for several threads calls.
#define XC_CPU_OPENMP_LIBRARY "libomp.so.5"
/// Whether an object file is such code.
bool xc_cpu_uses_openmp(const void *object, size_t size);

/// Runs the pipeline on a module of tir, mtir or the llvm dialect, in place.
/// Returns false after a diagnostic in its context.
bool xc_cpu_lower(XcDiag *diag, MlirOperation module,
                  const XcCpuOptions *options);

/// The same on a copy, then optimised LLVM IR. The caller disposes the module,
/// then the context. Fills `code` but for the object.
bool xc_cpu_make_llvm(XcDiag *diag, MlirOperation module,
                      const XcCpuOptions *options, const xc_cpu_target *target,
                      LLVMContextRef context, XcCpuCode *code,
                      LLVMModuleRef *result);

/// Rewrites optimised code that LLVM's back end would compile wrongly.
void xc_cpu_repair(LLVMModuleRef module);

struct XcCpuCode {
  xc_arena arena;
  XcCpuFunction *functions;
  size_t num_functions;
  void *params; // from aligned_alloc
  size_t params_size;
  const char *params_symbol;
  bool embeds_params;
  // Of an object that is linked with a program; null for others. Named after
  // what its header says, so that another header does not link.
  const char *build_symbol;
  xc_cpu_target target;
  LLVMMemoryBufferRef object;
};

#endif // XC_TARGET_CPU_CPU_H
