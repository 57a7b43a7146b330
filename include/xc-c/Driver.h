//===- Driver.h - a model file in, xmodels and a report out -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tool xcc does, as one call:
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

#include "xc-c/Import.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Zero-initialise. All strings are borrowed; null stands for "not given".
typedef struct XcCompileOptions {
  const char *model;     // ONNX, TFLite, uncompiled xmodel, MLIR
  const char *target;    // name or file
  const char *directory; // of the output; its last part is made when missing
  const char *name;      // of the output: NAME.xmodel, NAME_org.xmodel
  XcImportOptions import;
  /// Samples to quantise a float model with, as tir-quantize takes them.
  const char *calibration;
  /// "dpu", "std" or "py3": the rounding of every operator that has one. Null
  /// leaves what the model says.
  const char *rounding;
  const char *placement; // a placement file
  /// The processor that CPU parts are compiled for, as XcCpuOptions names it;
  /// "none" leaves their portable form only. Null: one that depends on the
  /// architecture of this machine only.
  const char *cpu;
  /// Smallest share of the multiply-accumulates on the DPU, in percent.
  double requireOffload;
  /// A directory for the module behind every phase. These files are written
  /// at once, so that they are there when a later phase fails.
  const char *saveTemps;
  const char *report; // JSON file
  /// Where the tables for people go, or null.
  FILE *log;
} XcCompileOptions;

/// Compiles a model. Output files appear only when everything went well.
XC_EXPORTED bool xcCompile(XcDiag *diag, const XcCompileOptions *options);

#ifdef __cplusplus
}
#endif

#endif // XC_C_DRIVER_H
