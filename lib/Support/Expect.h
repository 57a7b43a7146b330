//===- Expect.h - --verify-diagnostics ----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --verify-diagnostics: comments of the input name the diagnostics that it
// causes, as in MLIR:
//
//   expected-error {{text}}          on this line, the message contains text
//   expected-warning@+2 {{text}}     two lines below; @-1: one above
//   expected-note@above {{text}}     the nearest line above without such a
//                                    comment; @below: the nearest below
//   expected-remark@unknown {{text}} without a place
//   expected-error-re {{a {{[0-9]+}} b}}
//                                    pieces between inner braces are extended
//                                    regular expressions
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_EXPECT_H
#define XC_SUPPORT_EXPECT_H

#include "xc-c/Support.h"

typedef struct xc_expectation xc_expectation;

typedef struct xc_expectations {
  xc_expectation *rows;
  size_t count, capacity;
  const char *file;
} xc_expectations;

/// Collects the comments of `text`, whose first line has the number
/// `first_line`. `file` is borrowed. A comment that is malformed is reported.
bool xc_expectations_create(XcDiag *diag, const char *file, unsigned first_line,
                            const char *text, size_t size,
                            xc_expectations *expectations);
void xc_expectations_destroy(xc_expectations *expectations);

/// Whether the diagnostic was expected; each comment covers one. A place in
/// another file, or without a line, is unknown.
bool xc_expectations_take(xc_expectations *expectations, XcSeverity severity,
                          XcPlace place, const char *message);

/// Reports every comment whose diagnostic did not come. Returns true when there
/// is none.
bool xc_expectations_finish(const xc_expectations *expectations, XcDiag *diag);

#endif // XC_SUPPORT_EXPECT_H
