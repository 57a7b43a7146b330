//===- NoMlir.c - xcc in a build without MLIR -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Xcc.h"

static bool report_missing(const char *what) {
  return xc_tool_error("xcc", "this build has no MLIR, which %s", what);
}

bool xcc_compile(XcDiag *diag, const xcc_arguments *arguments,
                 const char *model) {
  (void)diag;
  (void)arguments;
  return xc_tool_error("xcc", "cannot compile '%s': this build has no MLIR",
                       model);
}

bool xcc_print_constraints(XcDiag *diag, const xc_string_list *names) {
  (void)diag;
  (void)names;
  return report_missing("the table of constraints needs");
}

bool xcc_list_phases(void) { return report_missing("the phases need"); }

bool xcc_diff_reports(XcDiag *diag, const xcc_arguments *arguments,
                      const xc_string_list *files) {
  (void)diag;
  (void)arguments;
  (void)files;
  return report_missing("reports come from");
}
