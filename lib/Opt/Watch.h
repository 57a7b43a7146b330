//===- Watch.h - what happens between the passes of xc-opt --------*- C -*-===//
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

#ifndef XC_OPT_WATCH_H
#define XC_OPT_WATCH_H

#include "Options.h"

#include <stdio.h>
#include <threads.h>

typedef struct xc_watch_row xc_watch_row;

typedef struct xc_watch {
  const xc_opt_options *options;
  MlirOpPrintingFlags flags;
  xc_arena arena;
  mtx_t lock;         // passes on functions run on several threads
  xc_watch_row *rows; // one per element of the pipeline, in order
  size_t num_rows, capacity;
  uint64_t started; // of the whole pipeline, nanoseconds
  unsigned num_dumps;
  // What runs, for a dump when it fails.
  const xc_pipeline_element *last_element;
  MlirOperation last_operation;
} xc_watch;

void xc_watch_begin(xc_watch *watch, const xc_opt_options *options,
                    const xc_pipeline *pipeline, MlirOpPrintingFlags flags);
void xc_watch_end(xc_watch *watch);

/// Hooks for xc_pipeline_build; hooks that nobody needs are null.
xc_pipeline_hooks xc_watch_hooks(xc_watch *watch);

/// Dumps what the pipeline failed on, if that is asked for.
void xc_watch_failure(xc_watch *watch);

/// The reports that are asked for, after the run, to stderr.
void xc_watch_report(const xc_watch *watch);

/// Writes IR and the pipeline that is to run on it as mlir-opt's reproducers
/// do, so that `xc-opt --run-reproducer` and `mlir-opt --run-reproducer` read
/// it.
bool xc_write_reproducer(XcDiag *diag, const char *path, MlirOperation module,
                         const char *pipeline, const xc_opt_options *options);
/// Finds the pipeline of a reproducer in its text; null when there is none.
/// The caller frees it.
char *xc_find_reproducer(const char *text, size_t size);

#endif // XC_OPT_WATCH_H
