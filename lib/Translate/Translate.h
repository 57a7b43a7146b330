//===- Translate.h - the frame of xc-translate --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A translation turns one input into one output and is one row: a flag, a
// sentence for --help, a function. The frame chooses the row, reads the input,
// splits it when asked to, reports with the source line below the message, and
// keeps the output only when everything went well. It needs no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSLATE_TRANSLATE_H
#define XC_TRANSLATE_TRANSLATE_H

#include "Support/ImportOptions.h"
#include "Support/Source.h"
#include "xc-c/Support.h"

#include <stdio.h>

/// The values of the shared options. A new option is a member here and a row in
/// Translate.c.
typedef struct xc_translate_options {
  /// --target: name of a target or null.
  const char *target;
  /// --layers: a file with names of layers, or null.
  const char *layers;
  /// --mcpu: the processor to compile for, or null.
  const char *mcpu;
  /// --threads: that one call of compiled code may use; 0 counts as 1.
  int64_t threads;
  /// --effort: an XcDpuEffort.
  int64_t effort;
  /// --byte-price: cycles.
  double byte_price;
  /// --kernels: a kernel library, or null.
  const char *kernels;
  /// --params: a file for the parameters of compiled code, or null.
  const char *params;
  /// --subgraph: name or number of a DPU subgraph, or null.
  const char *subgraph;
  /// Options about the model for importers.
  xc_import_arguments import;
  /// --mlir-print-debuginfo: MLIR is written with its locations.
  bool print_debuginfo;
  /// For translations that read or write MLIR.
  bool allow_unregistered_dialect;
  bool no_implicit_module;
} xc_translate_options;

/// One run of a translation.
typedef struct xc_translate_job {
  XcDiag *diag;
  const xc_source *input;
  const xc_translate_options *options;
  FILE *output;
} xc_translate_job;

/// Writes the translation to the output. On failure, which it has reported,
/// what was written is thrown away.
typedef bool (*xc_translation_function)(const xc_translate_job *job);

typedef struct xc_translation {
  const char *flag; // without dashes
  xc_translation_function function;
  bool takes_input; // false: prints something that xc knows by itself
  const char *help;
} xc_translation;

/// main() of a translate tool; gives the exit code.
int xc_translate_main(int argc, char **argv, const char *tool,
                      const xc_translation *translations, size_t count);

#endif // XC_TRANSLATE_TRANSLATE_H
