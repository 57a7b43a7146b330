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

#include "xc-c/DPUAssembly.h"
#include "xc-c/DPUTarget.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Machine code, decoded. It ends with its first END; what follows (padding of
/// the code buffer) is ignored.
typedef struct XcDpuProgram XcDpuProgram;

/// Decodes `size` bytes of machine code, which are copied. `file` names them in
/// diagnostics and may be null. Fails on bytes that are not instructions, and
/// on CONV, ALU and ELEW without their INIT instructions. Limits of the engines
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
/// Returns the queue that runs an instruction.
XC_EXPORTED XcDpuQueue xcDpuProgramGetQueue(const XcDpuProgram *program,
                                            size_t index);
/// Prints the assembly text of one instruction, terminated, into `buffer` of
/// XC_DPU_MAX_LINE bytes. Returns the length.
XC_EXPORTED size_t xcDpuProgramPrintInstruction(const XcDpuProgram *program,
                                                size_t index, char *buffer);

/// The work of a layer of which only the code is known.
#define XC_DPU_WORK_UNKNOWN UINT64_MAX

/// Names the instructions from `first` up to the next label, or the end.
/// Labels are given in ascending order of `first`; the name is copied.
/// `operations` is the true work of the layer (two per multiply-accumulate),
/// or XC_DPU_WORK_UNKNOWN: then it is counted from the instructions, which
/// includes what padding and unused channels waste.
XC_EXPORTED bool xcDpuProgramAddLayer(XcDpuProgram *program, size_t first,
                                      const char *name, uint64_t operations);
XC_EXPORTED size_t xcDpuProgramGetNumLayers(const XcDpuProgram *program);
/// Borrowed.
XC_EXPORTED const char *xcDpuProgramGetLayerName(const XcDpuProgram *program,
                                                 size_t layer);
/// Returns the layer of an instruction, or SIZE_MAX.
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
/// Returns the inner loops that this build has and this processor runs, fastest
/// first; null after the last.
XC_EXPORTED const char *xcDpuSimGetAvailableKernel(size_t index);

/// Points a base register at memory of the caller, which is read and written
/// in place. A register that is not set has size 0. Returns false if there is
/// no such register.
XC_EXPORTED bool xcDpuSimSetRegister(XcDpuSim *sim, unsigned reg, void *data,
                                     size_t size);

/// Threads that share the work of one instruction, at most XC_MAX_THREADS; 1 at
/// first.
XC_EXPORTED void xcDpuSimSetThreads(XcDpuSim *sim, unsigned threads);

/// Bounds the work of one program: a diagnostic once more than `operations`
/// (bytes touched plus multiply-accumulates) would be done. 0: no bound.
XC_EXPORTED void xcDpuSimSetWorkLimit(XcDpuSim *sim, uint64_t operations);

/// Sets the handler that xcDpuSimRun tells how many instructions are done, once
/// for every 64 of them and at the end. Copied; null: none.
XC_EXPORTED void xcDpuSimSetProgress(XcDpuSim *sim, const XcProgress *progress);

/// Runs a whole program. After a failure the instructions before the one in
/// the diagnostic have been executed.
XC_EXPORTED bool xcDpuSimRun(XcDpuSim *sim, const XcDpuProgram *program,
                             XcDiag *diag);
/// Runs a whole program on the engines of a card, which share one scheduler:
/// all engines execute an instruction before the next one begins. Only the
/// first engine reports its progress.
XC_EXPORTED bool xcDpuSimRunLockstep(XcDpuSim *const *sims, size_t count,
                                     const XcDpuProgram *program, XcDiag *diag);
/// Runs one instruction.
XC_EXPORTED bool xcDpuSimStep(XcDpuSim *sim, const XcDpuProgram *program,
                              size_t index, XcDiag *diag);

/// Returns the bytes of a bank, word after word, or null if there is no such
/// bank. Borrowed; valid until the simulator is destroyed, and writable.
XC_EXPORTED int8_t *xcDpuSimGetBank(XcDpuSim *sim, unsigned bank, size_t *size);

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Cycles of one queue. busy, the stalls and `finished` add up to the cycles
/// of the whole program.
typedef struct XcDpuQueueTime {
  uint64_t numInstructions;
  double busy;
  /// Of `busy`: before the first byte of a transfer moves.
  double latency;
  /// Nothing runs, and the next instruction waits for a token of this queue.
  double stall[XC_DPU_NUM_QUEUES];
  /// No instruction is left.
  double finished;
} XcDpuQueueTime;

/// Cycles that no schedule of the same work can beat.
typedef struct XcDpuBounds {
  double macs;       // multiply-accumulates / peak
  double conv, misc; // durations of the instructions of one queue
  double ddr;        // bytes of LOAD and SAVE / bandwidth
  /// Bytes that must move at least (inputs and parameters once, outputs once)
  /// / bandwidth.
  double compulsory;
  double roofline; // the larger of `macs` and `compulsory`
} XcDpuBounds;

/// Causes that cycles are attributed to. Of the instructions that run at the
/// same time, the one on the critical path counts.
///
///   X(Name, "word")
#define XC_DPU_CAUSES(X)                                                       \
  X(Conv, "conv")                                                              \
  X(Load, "load")                                                              \
  X(Save, "save")                                                              \
  X(Misc, "misc")                                                              \
  X(Latency, "latency")

/// Load and Save are bytes that move; the cycles before the first byte, INIT
/// and END instructions are Latency.
typedef enum XcDpuCause {
#define XC_DPU_CAUSE(Name, word) XcDpuCause##Name,
  XC_DPU_CAUSES(XC_DPU_CAUSE)
#undef XC_DPU_CAUSE
      XC_DPU_NUM_CAUSES
} XcDpuCause;

/// Returns the words of the table above.
XC_EXPORTED const char *xcDpuCauseGetName(XcDpuCause cause);

/// Time of a program, or of one layer. Of a layer, `cycles` is the time from
/// the end of everything before it to its own end, so that layers add up to
/// the program; its queues hold what its own instructions did and waited for,
/// but neither `latency` nor `finished`.
typedef struct XcDpuTime {
  double cycles;
  XcDpuQueueTime queues[XC_DPU_NUM_QUEUES];
  /// Bytes on the ports: runs are rounded up to bursts.
  uint64_t loadBytes, saveBytes;
  /// Bytes of LOADs through ports of parameters; 0 where there are no such
  /// ports.
  uint64_t parameterBytes;
  double parameterCycles; // that these take at full rate
  uint64_t macs;
  /// Multiply-accumulates of the instructions, with what padding and unused
  /// channels waste.
  uint64_t issuedMacs;
  bool macsAreGiven;   // by the layers, otherwise they are the issued ones
  bool miscMultiplies; // instructions of MISC do, besides those of CONV
  /// bounds.macs / cycles. For a layer, macs are at most its issuedMacs, as
  /// rows of windows that lie in the padding for all lanes take no time. A
  /// layer that overlaps earlier ones may end so soon after them that its
  /// engines were busy for longer than its cycles. The longer time counts then.
  double utilisation;
  /// `cycles` by cause; adds up to it.
  double causes[XC_DPU_NUM_CAUSES];
  XcDpuBounds bounds;
} XcDpuTime;

/// When every instruction starts and ends, by the model of docs/timing.md.
/// Needs no data. The program is borrowed.
typedef struct XcDpuTimeline XcDpuTimeline;

/// Returns null after a diagnostic if the tokens let the program stop early.
XC_EXPORTED XcDpuTimeline *xcDpuTimelineCreate(XcDiag *diag,
                                               const XcDpuProgram *program);
/// Null is fine.
XC_EXPORTED void xcDpuTimelineDestroy(XcDpuTimeline *timeline);

/// Borrowed.
XC_EXPORTED const XcDpuTime *
xcDpuTimelineGetTotal(const XcDpuTimeline *timeline);
/// Layers are those of the program. Borrowed.
XC_EXPORTED const XcDpuTime *
xcDpuTimelineGetLayer(const XcDpuTimeline *timeline, size_t layer);
/// Returns the group of a layer, counted from 0: layers that overlap in time
/// are one group, whose cycles can be compared with what was planned for it. A
/// layer begins a group if no instruction of it, or of a layer after it, starts
/// before all instructions of the layers before it have ended. LOADs are not
/// counted, as weights and first rows come early, nor INIT instructions, which
/// only set registers.
XC_EXPORTED size_t xcDpuTimelineGetGroup(const XcDpuTimeline *timeline,
                                         size_t layer);
/// In cycles.
XC_EXPORTED void xcDpuTimelineGetInstruction(const XcDpuTimeline *timeline,
                                             size_t index, double *start,
                                             double *end);

/// Returns the cycles that the instruction spends on the critical path. All
/// instructions together have the cycles of the program.
XC_EXPORTED double xcDpuTimelineGetCritical(const XcDpuTimeline *timeline,
                                            size_t index);

/// Adds `count` cores to tables and JSON. Each runs the program again and again
/// with images of its own, and all share one memory with the target's bytes per
/// second. If the target has several cores of this kind, they are there from
/// the beginning. Returns false after a diagnostic.
XC_EXPORTED bool xcDpuTimelineAddCores(XcDpuTimeline *timeline, XcDiag *diag,
                                       size_t count);
/// Returns the cycles of a run of the program on one of these cores; 0 if there
/// are none.
XC_EXPORTED double xcDpuTimelineGetCoreCycles(const XcDpuTimeline *timeline);

/// Returns the cause with the most cycles.
XC_EXPORTED XcDpuCause xcDpuTimeGetBound(const XcDpuTime *time);

/// Returns a table for people. The caller frees it with free().
XC_EXPORTED char *xcDpuTimelineToTable(const XcDpuTimeline *timeline);
/// Returns a JSON object. The caller frees it with free().
XC_EXPORTED char *xcDpuTimelineToJson(const XcDpuTimeline *timeline);
/// Writes a trace for chrome://tracing and Perfetto, one event per instruction
/// (without the INIT instructions).
XC_EXPORTED bool xcDpuTimelineWriteTrace(const XcDpuTimeline *timeline,
                                         XcDiag *diag, const char *path);

//===----------------------------------------------------------------------===//
// Contents of the banks
//===----------------------------------------------------------------------===//

/// The live range of a value in a word of a bank. Instruction `writer` writes
/// it. `last` is the last instruction, in program order, that reads it before
/// it is overwritten; an instruction that overwrites what it reads does not
/// count. If nothing reads the value, `last` is the writer.
typedef struct XcDpuResident {
  uint32_t bank;
  uint32_t address; // word
  size_t writer, last;
} XcDpuResident;

typedef void (*XcDpuResidentHandler)(void *userData,
                                     const XcDpuResident *resident);

/// Calls `handler` for every value that a bank ever holds. Instructions that an
/// engine cannot execute are passed over. Linear in the words touched.
XC_EXPORTED void xcDpuProgramForEachResident(const XcDpuProgram *program,
                                             XcDpuResidentHandler handler,
                                             void *userData);

//===----------------------------------------------------------------------===//
// Verifying
//===----------------------------------------------------------------------===//

/// Faults of a program. docs/strict-mode.md explains every rule.
///
///   X(Name, "word for options and reports", "meaning")
// clang-format off
#define XC_DPU_FINDINGS(X)                                                     \
  X(Limit,       "limit",        "an engine cannot execute the instruction")   \
  X(Address,     "address",      "DDR bytes outside a register")               \
  X(End,         "end",          "the code does not end with END")             \
  X(Underflow,   "underflow",    "waits for a token that nothing posts")        \
  X(Deadlock,    "deadlock",     "instructions wait for each other")           \
  X(Leftover,    "leftover",     "tokens are left at the end")                 \
  X(Unwritten,   "unwritten",    "reads what nothing has written")             \
  X(ReadAfterWrite,  "read-after-write",                                       \
    "no token makes a read wait for the write before it")                      \
  X(WriteAfterRead,  "write-after-read",                                       \
    "no token makes a write wait for the read before it")                      \
  X(WriteAfterWrite, "write-after-write",                                      \
    "no token makes a write wait for the write before it")                     \
  X(Torn,        "torn",         "an operand is made of pieces of two tensors")\
  X(Unused,      "unused",       "parameters that no LOAD fetches")             \
  X(Work,        "work",         "too large to be verified")
// clang-format on

typedef enum XcDpuFindingKind {
#define XC_DPU_FINDING(Name, word, meaning) XcDpuFindingKind##Name,
  XC_DPU_FINDINGS(XC_DPU_FINDING)
#undef XC_DPU_FINDING
      XC_DPU_NUM_FINDING_KINDS
} XcDpuFindingKind;

/// Returns the words of the table above.
XC_EXPORTED const char *xcDpuFindingKindGetName(XcDpuFindingKind kind);
XC_EXPORTED const char *xcDpuFindingKindGetMeaning(XcDpuFindingKind kind);

/// Bytes begin..end-1 from a base register on.
typedef struct XcDpuByteRange {
  unsigned reg;
  uint64_t begin, end;
} XcDpuByteRange;

typedef struct XcDpuVerifyOptions {
  /// Bytes of each register; UINT64_MAX when unknown.
  uint64_t registerSizes[XC_DPU_NUM_REGISTERS];
  /// The memory that has contents before the program runs: all of the registers
  /// whose bit (1 << register) is set, and these ranges. Banks are empty.
  uint32_t fullRegisters;
  const XcDpuByteRange *written;
  size_t numWritten;
  /// Findings to leave out: bit 1 << XcDpuFindingKind.
  uint32_t ignored;
  /// Diagnostics to report; further findings are only counted.
  size_t maxReported;
  /// Bounds the work (words and runs looked at). 0: no bound.
  uint64_t workLimit;
} XcDpuVerifyOptions;

/// Sizes unknown; every register full of data but those that by convention are
/// the workspace and the output; 20 diagnostics.
XC_EXPORTED void xcDpuVerifyOptionsInit(XcDpuVerifyOptions *options,
                                        const XcDpuTarget *target);

typedef struct XcDpuVerifyReport {
  uint64_t counts[XC_DPU_NUM_FINDING_KINDS];
  uint64_t total;
} XcDpuVerifyReport;

/// Checks, without data, that every execution that the tokens allow gives the
/// result of program order, and that no instruction leaves the target's limits.
/// Each finding is an error diagnostic, at most one per instruction and kind.
/// Returns true if there is none; `report` may be null.
XC_EXPORTED bool xcDpuVerify(XcDiag *diag, const XcDpuProgram *program,
                             const XcDpuVerifyOptions *options,
                             XcDpuVerifyReport *report);

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

/// Runs a program under commands read from `input`, one per line ("help" lists
/// them), and answers on `output`. `prompt` is printed in front of each command
/// and may be null. Ends with "quit" or the end of the input. A command that
/// cannot be understood is answered and leaves everything as it was; an
/// instruction that fails reports to `diag` and stays the next one. Returns
/// false if anything failed.
XC_EXPORTED bool xcDpuDebug(XcDpuSim *sim, const XcDpuProgram *program,
                            XcDiag *diag, FILE *input, FILE *output,
                            const char *prompt);

#ifdef __cplusplus
}
#endif

#endif // XC_C_DPUSIM_H
