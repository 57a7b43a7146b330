//===- Run.h - the modes of xc-run --------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xc-run runs what xc compiles. Its modes share one command line; each mode is
// one file that looks at the options it knows.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TOOLS_XC_RUN_RUN_H
#define XC_TOOLS_XC_RUN_RUN_H

#include "Support/CommandLine.h"

/// Options of machine code mode.
typedef struct run_code_options {
  const char *target;
  xc_string_list registers;      // N=FILE
  xc_string_list register_sizes; // N=BYTES
  xc_string_list dump_registers; // N=FILE
  const char *dump_banks;
  const char *kernel;
  int64_t threads;
  bool no_run;
  bool timing;
  const char *report;
  const char *trace;
  const char *layers;
} run_code_options;

/// Runs machine code on the simulator.
bool run_code(const char *input, const run_code_options *options);

#endif // XC_TOOLS_XC_RUN_RUN_H
