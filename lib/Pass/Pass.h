//===- Pass.h - what a pass of xc is ------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass is one .c file that defines one `const xc_pass_info xc_pass_<name>`;
// lib/Pipeline/PassTable.c lists them all. The pipeline parser checks options
// against the row, so a pass reads values that are known to be well formed.
//
//===----------------------------------------------------------------------===//

#ifndef XC_PASS_PASS_H
#define XC_PASS_PASS_H

#include "xc-c/Support.h"

#include "mlir-c/IR.h"

typedef enum xc_pass_option_kind {
  XC_PASS_OPTION_BOOL,
  XC_PASS_OPTION_COUNT,    // an integer from 0
  XC_PASS_OPTION_POSITIVE, // an integer from 1
  XC_PASS_OPTION_THREADS,  // of one call of compiled code
  XC_PASS_OPTION_STRING,
} xc_pass_option_kind;

typedef struct xc_pass_option {
  const char *name; // "max-iterations"
  xc_pass_option_kind kind;
  const char *default_value; // as written in a pipeline; "" for no string
  const char *help;
} xc_pass_option;

typedef struct xc_pass_statistic {
  const char *name; // "num-copies"
  const char *help;
} xc_pass_statistic;

enum { XC_PASS_MAX_OPTIONS = 16, XC_PASS_MAX_STATISTICS = 8 };

typedef struct xc_pass_run xc_pass_run;
struct xc_text;

typedef struct xc_pass_info {
  const char *argument;    // "global-bufferize"
  const char *name;        // "GlobalBufferize", in IR dumps and timing
  const char *summary;     // one line for --help
  const char *description; // Markdown for docs/generated/passes.md
  /// The operation it runs on: "builtin.module", or "func.func" for passes
  /// that look at one function only. Those may be put on a module, too: they
  /// run on its functions, on several threads.
  const char *anchor;
  /// A module pass that also runs on a single function.
  bool on_function;
  /// It builds operations of upstream dialects, which are loaded for it.
  bool builds_upstream;
  const xc_pass_option *options;
  size_t num_options;
  const xc_pass_statistic *statistics;
  size_t num_statistics;
  /// Transforms run->root. False after one diagnostic; the IR is then
  /// unchanged unless the description says otherwise. Null for a pipeline.
  bool (*run)(xc_pass_run *run);
  /// A pipeline: appends the elements that it stands for, for the options of
  /// `run`, which has no root.
  void (*expand)(const xc_pass_run *run, struct xc_text *elements);
} xc_pass_info;

/// One execution of a pass.
struct xc_pass_run {
  const xc_pass_info *info;
  MlirOperation root;
  /// Option values by row; null where the default holds.
  const char *values[XC_PASS_MAX_OPTIONS];
  XcProgress progress;
  int64_t statistics[XC_PASS_MAX_STATISTICS];
};

/// The value of an option of the pass, its default when not given.
bool xc_pass_bool(const xc_pass_run *run, const char *option);
int64_t xc_pass_int(const xc_pass_run *run, const char *option);
const char *xc_pass_string(const xc_pass_run *run, const char *option);

/// Adds to a statistic of the pass (--mlir-pass-statistics).
void xc_pass_count(xc_pass_run *run, const char *statistic, int64_t amount);

/// Whether `value`, null for none, is well formed for the option; else appends
/// what the option needs: "option 'threads' needs an integer from 1 to 1024".
bool xc_pass_check_option(const xc_pass_option *option, const char *value,
                          struct xc_text *why);

#endif // XC_PASS_PASS_H
