//===- CSource.h - models as C source -----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the functions of a module as C that depends on nothing but the headers
// of a freestanding C99 compiler, <string.h> and, for floats, <math.h>:
//
//   XcCSource *source = xcCSourceCreate(&diag, module, &options);
//   for (size_t i = 0; i < xcCSourceGetNumFiles(source); ++i)
//     ... xcCSourceGetFile(source, i) ...
//   xcCSourceDestroy(source);
//
// The code gives the numbers of the reference interpreter. It allocates
// nothing, keeps nothing between calls, and may run on several threads at once
// with different arenas. Signed shifts to the right are arithmetic and
// conversions to signed types wrap, as in every compiler that is known for
// microcontrollers; nothing else that C leaves undefined is used.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_CSOURCE_H
#define XC_C_CSOURCE_H

#include "xc-c/Support.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XcCSource XcCSource;

typedef struct XcCSourceOptions {
  /// Stem of the files and of the names in them; letters, digits and '_'.
  const char *name;
  /// Constants become NAME_params.bin, which the program maps or reads (in
  /// the byte order of the machine that writes it), in place of arrays in
  /// NAME_params.c.
  bool paramsFile;
  /// Writes main.c, CMakeLists.txt and Makefile too: a program that reads
  /// and writes .npy files.
  bool program;
  /// A kernel library (docs/own-kernels.md), or null: functions of the user
  /// that compute convolutions and products of matrices.
  const char *kernels;
} XcCSourceOptions;

typedef struct XcCSourceFile {
  const char *name; ///< without a directory
  const char *data;
  size_t size;
} XcCSourceFile;

/// Writes a module of tir or mtir, which stays as it is. Returns null after a
/// diagnostic. The caller destroys the result.
XC_EXPORTED XcCSource *xcCSourceCreate(XcDiag *diag, MlirModule module,
                                       const XcCSourceOptions *options);
/// Null is fine.
XC_EXPORTED void xcCSourceDestroy(XcCSource *source);
/// With a kernel library: a line for each operator that it is for, with the
/// function that computes it or why none does. As long as the source.
XC_EXPORTED const char *xcCSourceGetReport(const XcCSource *source);
XC_EXPORTED size_t xcCSourceGetNumFiles(const XcCSource *source);
XC_EXPORTED XcCSourceFile xcCSourceGetFile(const XcCSource *source,
                                           size_t index);

#ifdef __cplusplus
}
#endif

#endif // XC_C_CSOURCE_H
