//===- DPUSim.h - a DPU in software: exact, timed and strict ------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the machine code of a DPU without a board.
//
//   XcDpuProgram *program = xcDpuProgramCreate(diag, target, "x.bin", code, n);
//   XcDpuSim *sim = xcDpuSimCreate(diag, target, NULL);
//   xcDpuSimSetRegister(sim, 2, input, inputSize);
//   if (xcDpuSimRun(sim, program, diag)) ...
//
// Four things can be done with a program:
//
// * run it on data (XcDpuSim), bit exact, one instruction at a time in program
//   order;
// * look into the run (xcDpuSimStep, xcDpuSimGetBank);
// * time it (xcDpuTimelineCreate): cycles of the four queues, without data;
// * verify it (xcDpuVerify): tokens, hazards, limits, addresses, without data.
//
// Machine code is not trusted: whatever the bits and the register sizes are,
// the result is a diagnostic or defined behaviour. Diagnostics about an
// instruction name its index (from 0), its assembly text and, if known, its
// layer.
//
// Targets and programs are borrowed by everything made from them and must
// outlive it. Nothing here is thread-safe per object; different objects may be
// used from different threads.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_DPUSIM_H
#define XC_C_DPUSIM_H

#include "xc-c/DPUIsa.h"
#include "xc-c/DPUTarget.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// Base registers that an instruction can name.
  XC_DPU_NUM_REGISTERS = 8,
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Machine code, decoded. It ends with its first END; what follows (padding of
/// the code buffer) is ignored.
typedef struct XcDpuProgram XcDpuProgram;

/// Decodes `size` bytes of machine code, which are copied. `file` names them in
/// diagnostics and may be null. Fails on bytes that are no instructions, and on
/// CONV, ALU and ELEW without their INIT instructions. Limits of the engines
/// are checked where an instruction runs, or all of them by xcDpuVerify.
XC_EXPORTED XcDpuProgram *xcDpuProgramCreate(XcDiag *diag,
                                             const XcDpuTarget *target,
                                             const char *file, const void *code,
                                             size_t size);
/// Null is fine.
XC_EXPORTED void xcDpuProgramDestroy(XcDpuProgram *program);

XC_EXPORTED size_t xcDpuProgramGetNumInstructions(const XcDpuProgram *program);
XC_EXPORTED void xcDpuProgramGetInstruction(const XcDpuProgram *program,
                                            size_t index,
                                            XcDpuInstruction *instruction);
/// Writes the assembly text of one instruction, as snprintf would.
XC_EXPORTED int xcDpuProgramPrintInstruction(const XcDpuProgram *program,
                                             size_t index, char *buffer,
                                             size_t size);

/// Names the instructions from `first` up to the next label, or the end.
/// Labels are given in ascending order of `first`; the name is copied.
/// `operations` is the true work of the layer (two per multiply-accumulate),
/// or 0 when unknown: then it is counted from the instructions, which includes
/// what padding and unused channels waste.
XC_EXPORTED bool xcDpuProgramAddLayer(XcDpuProgram *program, size_t first,
                                      const char *name, uint64_t operations);
XC_EXPORTED size_t xcDpuProgramGetNumLayers(const XcDpuProgram *program);
/// Borrowed.
XC_EXPORTED const char *xcDpuProgramGetLayerName(const XcDpuProgram *program,
                                                 size_t layer);
/// The layer of an instruction, or SIZE_MAX.
XC_EXPORTED size_t xcDpuProgramGetLayerOf(const XcDpuProgram *program,
                                          size_t index);

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// A DPU: banks, which start out as zeros, and base registers.
typedef struct XcDpuSim XcDpuSim;

/// `kernel` chooses the inner loops ("plain", "avx2", "avx512vnni"; all give
/// the same bits); null takes the fastest that the processor can run. Returns
/// null after a diagnostic.
XC_EXPORTED XcDpuSim *xcDpuSimCreate(XcDiag *diag, const XcDpuTarget *target,
                                     const char *kernel);
/// Null is fine.
XC_EXPORTED void xcDpuSimDestroy(XcDpuSim *sim);

/// The inner loops in use. Borrowed.
XC_EXPORTED const char *xcDpuSimGetKernelName(const XcDpuSim *sim);
/// The inner loops that this build has and this processor runs, fastest first;
/// null behind the last.
XC_EXPORTED const char *xcDpuSimGetAvailableKernel(size_t index);

/// Points a base register at memory of the caller, which is read and written
/// in place. A register that is not set has size 0. Returns false if there is
/// no such register.
XC_EXPORTED bool xcDpuSimSetRegister(XcDpuSim *sim, unsigned reg, void *data,
                                     size_t size);

/// Threads that share the work of one instruction; 1 at first.
XC_EXPORTED void xcDpuSimSetThreads(XcDpuSim *sim, unsigned threads);

/// Bounds the work of one program: a diagnostic once more than `operations`
/// (bytes touched plus multiply-accumulates) would be done. 0: no bound.
XC_EXPORTED void xcDpuSimSetWorkLimit(XcDpuSim *sim, uint64_t operations);

/// Called from xcDpuSimRun now and then with the instructions done so far.
typedef void (*XcDpuProgressHandler)(void *userData, size_t done, size_t total);
XC_EXPORTED void xcDpuSimSetProgress(XcDpuSim *sim,
                                     XcDpuProgressHandler handler,
                                     void *userData);

/// Runs a whole program. After a failure the instructions before the one in
/// the diagnostic have been executed.
XC_EXPORTED bool xcDpuSimRun(XcDpuSim *sim, const XcDpuProgram *program,
                             XcDiag *diag);
/// Runs one instruction.
XC_EXPORTED bool xcDpuSimStep(XcDpuSim *sim, const XcDpuProgram *program,
                              size_t index, XcDiag *diag);

/// The bytes of a bank, word after word, or null if there is no such bank.
/// Borrowed; valid until the simulator is destroyed, and writable.
XC_EXPORTED int8_t *xcDpuSimGetBank(XcDpuSim *sim, unsigned bank, size_t *size);

#ifdef __cplusplus
}
#endif

#endif // XC_C_DPUSIM_H
