//===- Xcc.h - what the files of xcc share ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TOOLS_XCC_XCC_H
#define XC_TOOLS_XCC_XCC_H

#include "Support/ImportOptions.h"
#include "xc-c/Driver.h"

typedef struct xcc_arguments {
  bool quiet, list_targets, list_phases, print_target_reference, diff_reports;
  bool force;
  const char *print_target;
  xc_string_list print_constraints;
  const char *model, *target, *directory, *name;
  const char *calibration, *validation, *keep_float, *weight_fix_points;
  const char *approximate, *approximate_bound;
  const char *rounding, *placement, *cpu;
  const char *save_temps, *compile_from, *compile_to, *progress;
  XcEmit emit;
  bool params_file, no_layer_code, drop_islands;
  const char *kernels;
  xc_import_arguments import;
  xc_string_list reports;
  int64_t calibration_samples;
  int64_t effort;    // -1: not given
  double byte_price; // NaN: not given
  double require_offload, tolerance;
  double min_sqnr, min_agreement; // NaN: no least ratio
  int64_t max_cycles, max_instructions, max_ddr;
} xcc_arguments;

/// Each does what an option asks for; false after a diagnostic.
bool xcc_compile(XcDiag *diag, const xcc_arguments *arguments,
                 const char *model);
bool xcc_print_constraints(XcDiag *diag, const xc_string_list *names);
bool xcc_list_phases(void);
bool xcc_diff_reports(XcDiag *diag, const xcc_arguments *arguments,
                      const xc_string_list *files);

#endif // XC_TOOLS_XCC_XCC_H
