//===- SourceReport.h - diagnostics with their source line --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_SOURCEREPORT_H
#define XC_SUPPORT_SOURCEREPORT_H

#include "Expect.h"
#include "Source.h"

/// User data of xc_source_report.
typedef struct xc_source_reporter {
  /// The whole input, of which places name lines; null while there is none.
  const xc_source *input;
  /// --error-diagnostics-only.
  bool errors_only;
  /// --verify-diagnostics: null while nothing is expected. What was not
  /// expected is reported as such, or dropped with `only_expected`.
  xc_expectations *expectations;
  bool only_expected;
  bool any_unexpected;
} xc_source_reporter;

/// An XcDiagHandler: prints `file:line:column: error: text`, then the line and
/// a caret below its column. An expected diagnostic is not printed.
void xc_source_report(void *reporter, XcSeverity severity, XcPlace place,
                      const char *message);

#endif // XC_SUPPORT_SOURCEREPORT_H
