//===- Driver.h - a model file in, xmodels and a report out -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tool xcc as one call:
//
//   XcCompileOptions options = {.model = "net.onnx",
//                               .target = "DPUCZDX8G_ISA1_B4096",
//                               .directory = "out", .name = "net"};
//   XcDiag diag = {0};
//   if (!xcCompile(&diag, &options))
//     ... // diag has got one error, and no output file exists
//
// docs/xcc.md describes the files.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_DRIVER_H
#define XC_C_DRIVER_H

#include "xc-c/DPUEffort.h"
#include "xc-c/ImportOptions.h"
#include "xc-c/Support.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The progress of a call of xcCompile. Phases have numbers from 1 to
/// `numPhases`. `work` is null when a phase begins, else names the current
/// work, with `done` and `total` as in XcProgressHandler.
typedef struct XcCompileProgress {
  const char *phase; // as in xcCompilePhaseGetName
  size_t number, numPhases;
  const char *work;
  size_t done, total;
} XcCompileProgress;

typedef void (*XcCompileProgressHandler)(void *userData,
                                         const XcCompileProgress *progress);

typedef enum XcEmit {
  XcEmitXModel, ///< for a DPU
  XcEmitC,      ///< C source (xc-c/CSource.h), without a target
} XcEmit;

/// Zero-initialise. All strings are borrowed; null stands for "not given", and
/// so does 0 for a number.
typedef struct XcCompileOptions {
  XcEmit emit;
  /// With XcEmitC: constants go to NAME_params.bin, not into NAME_params.c.
  bool paramsFile;
  /// A kernel library (docs/own-kernels.md), or null: functions that C source
  /// and the machine code of CPU parts call.
  const char *kernels;
  const char *model;     // of any format of docs/xcc.md
  const char *target;    // name or file
  const char *directory; // of the output; its last part is made when missing
  /// Of the output: NAME.xmodel, NAME_org.xmodel. Null: that of the model file
  /// without its ending.
  const char *name;
  XcImportOptions import; // dequantizeWeights and signBytes are set
  /// Samples to quantise a float model with, as tir-quantize takes them, and
  /// how many of them at most.
  const char *calibration;
  int64_t calibrationSamples;
  /// Other samples, on which the loss of quantisation is measured. Null: the
  /// samples of calibration, which give too good a result.
  const char *validation;
  /// Names of operators, with commas, that stay in floating point; or null.
  const char *keepFloat;
  /// Fix points of a convolution's weights: "one", "groups" for one of each
  /// group of output channels that the target computes at a time, or "sorted"
  /// for such groups of channels of similar size. Null: sorted.
  const char *weightFixPoints;
  /// Leave out the code of single layers (the children of DPU subgraphs). It
  /// takes once or twice the bytes of the whole code.
  bool noLayerCode;
  /// How far the search for schedules goes, in place of XcDpuEffortDefault.
  bool hasEffort;
  XcDpuEffort effort;
  /// Cycles that each byte counts for when schedules are compared. If it is not
  /// given: none, or what is best for all cores of a board.
  bool hasBytePrice;
  double bytePrice;
  /// Functions that hard sigmoids may approximate, as tir-approximate takes
  /// them; null: none. What outputs keep then, as text; null: 20 dB.
  const char *approximate, *approximateBound;
  /// "dpu", "std" or "py3": the rounding of every operator that has one. Null
  /// leaves what the model says.
  const char *rounding;
  const char *placement; // a placement file
  /// Leave DPU subgraphs on the CPU that XcPlacementOptions' cost model sees no
  /// gain in.
  bool dropIslands;
  /// The processors that CPU parts are compiled for, as XcCpuOptions names
  /// them, with commas between them; "none" leaves their portable form only.
  /// Null: one that depends on the architecture of this machine only.
  const char *cpu;
  /// Smallest share of the multiply-accumulates on the DPU, in percent.
  double requireOffload;
  /// Largest sums over all DPU subgraphs: cycles by the timing model,
  /// instructions, bytes of DDR (parameters, workspace, inputs, outputs and
  /// code). What exceeds one is an error that names what costs most.
  int64_t maxCycles, maxInstructions, maxDdrBytes;
  /// Limits on the loss of quantisation: the least signal-to-noise ratio of
  /// every output in decibel, if hasMinSqnr, and the least share of samples
  /// whose largest score stays the same, in percent.
  bool hasMinSqnr;
  double minSqnr, minAgreement;
  /// A directory for the module after every phase. These files are written
  /// at once, so that they are there when a later phase fails.
  const char *saveTemps;
  /// The model is a module that saveTemps or compileTo wrote after this phase.
  /// Compilation goes on with the next phase and gives the same files.
  const char *compileFrom;
  /// Stop after this phase and write the module, NAME.mlir.
  const char *compileTo;
  /// Report files (docs/report.md): HTML where the name ends in .html, JSON
  /// where it ends in .json or has no ending.
  const char *const *reports;
  size_t numReports;
  /// Where the tables for people go, or null.
  FILE *log;
  /// Called when a phase begins, or null.
  XcCompileProgressHandler progress;
  void *progressData;
} XcCompileOptions;

/// Compiles a model. Output files appear only when everything went well.
XC_EXPORTED bool xcCompile(XcDiag *diag, const XcCompileOptions *options);

/// Returns the number of phases of a compilation. The last one writes machine
/// code; a module can be saved after each of the others.
XC_EXPORTED size_t xcCompileGetNumPhases(void);
/// Returns the name of a phase, "import" ..., by its index from 0 to
/// xcCompileGetNumPhases() - 1 (XcCompileProgress counts from 1). Static.
XC_EXPORTED const char *xcCompilePhaseGetName(size_t index);
/// Returns the purpose of a phase in one line, by the same index. Static.
XC_EXPORTED const char *xcCompilePhaseGetMeaning(size_t index);

typedef struct XcReportDifference {
  /// Whether cycles, DDR bytes or the share of the CPU grew by more than the
  /// tolerance.
  bool isWorse;
  char *table; // for people; free()
} XcReportDifference;

typedef struct XcReportCompareOptions {
  double tolerance; // percent
  /// Compare reports of different models or targets, too; otherwise these are
  /// an error.
  bool force;
} XcReportCompareOptions;

/// Compares two JSON reports of xcCompile, `after` with `before`: totals, and
/// layers of the same name. Returns false after a diagnostic.
XC_EXPORTED bool xcReportCompare(XcDiag *diag, const char *before,
                                 const char *after,
                                 const XcReportCompareOptions *options,
                                 XcReportDifference *difference);

#ifdef __cplusplus
}
#endif

#endif // XC_C_DRIVER_H
