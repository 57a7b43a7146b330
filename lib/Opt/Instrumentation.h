//===- Instrumentation.h - between the passes of xc-opt -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One object is told before and after every pass. It verifies, dumps IR,
// measures time, gathers statistics and keeps the local reproducer.
//
//===----------------------------------------------------------------------===//

#ifndef XC_OPT_INSTRUMENTATION_H
#define XC_OPT_INSTRUMENTATION_H

#include "Options.h"

#include <stdio.h>
#include <threads.h>

typedef struct xc_instrumentation_row xc_instrumentation_row;

typedef struct xc_instrumentation {
  const xc_opt_options *options;
  MlirOpPrintingFlags flags;
  xc_arena arena;
  mtx_t lock;                   // passes on functions run on several threads
  xc_instrumentation_row *rows; // one per element of the pipeline, in order
  size_t num_rows, capacity;
  // Nanoseconds: when reading began, the time of parser and printer.
  uint64_t started, parser, output;
  unsigned num_dumps;
  // The pass at hand, and its operation, for a dump when it fails.
  const xc_pipeline_element *last_element;
  MlirOperation last_operation;
} xc_instrumentation;

/// Returns the time of a clock, in nanoseconds.
uint64_t xc_opt_now(void);

/// `pipeline` may be null.
void xc_instrumentation_begin(xc_instrumentation *inst,
                              const xc_opt_options *options,
                              const xc_pipeline *pipeline,
                              MlirOpPrintingFlags flags);
void xc_instrumentation_end(xc_instrumentation *inst);

/// Hooks for xc_pipeline_build; hooks that nothing needs are null.
xc_pipeline_hooks xc_instrumentation_hooks(xc_instrumentation *inst);

/// Dumps what the pipeline failed on, if that is asked for.
void xc_instrumentation_failure(xc_instrumentation *inst);

/// Prints the reports that are asked for, after the output, to stderr.
void xc_instrumentation_report(const xc_instrumentation *inst);

/// Writes IR and the pipeline that is to run on it as mlir-opt's reproducers
/// do, so that `xc-opt --run-reproducer` and `mlir-opt --run-reproducer` read
/// it.
bool xc_write_reproducer(XcDiag *diag, const char *path, MlirOperation module,
                         const char *pipeline, const xc_opt_options *options);
/// Finds the pipeline of a reproducer in its text; null when there is none.
/// The caller frees it.
char *xc_find_reproducer(const char *text, size_t size);

#endif // XC_OPT_INSTRUMENTATION_H
