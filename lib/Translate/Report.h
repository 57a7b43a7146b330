//===- Report.h - diagnostics with their source line --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSLATE_REPORT_H
#define XC_TRANSLATE_REPORT_H

#include "Translate.h"

#include "Support/Expect.h"

/// User data of xc_translate_report.
typedef struct xc_translate_reporter {
  /// The whole input, of which places name lines; null while there is none.
  const xc_translate_input *input;
  /// --error-diagnostics-only.
  bool errors_only;
  /// --verify-diagnostics: null while nothing is expected. What was not
  /// expected is reported as such, or dropped with `only_expected`.
  xc_expectations *expectations;
  bool only_expected;
  bool any_unexpected;
} xc_translate_reporter;

/// An XcDiagHandler: prints `file:line:column: error: text`, then the line and
/// a caret below its column. An expected diagnostic is not printed.
void xc_translate_report(void *reporter, XcSeverity severity, XcPlace place,
                         const char *message);

#endif // XC_TRANSLATE_REPORT_H
