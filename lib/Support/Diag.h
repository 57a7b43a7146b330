//===- Diag.h - reporting helpers ---------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_DIAG_H
#define XC_SUPPORT_DIAG_H

#include "xc-c/Support.h"

/// Reports an error about a whole file. Returns false, so that a reader can
/// write `return xc_file_error(...)`.
bool xc_file_error(XcDiag *diag, const char *file, const char *format, ...)
    XC_PRINTF_FORMAT(3, 4);

/// Reports an error at a place. Returns false.
bool xc_place_error(XcDiag *diag, XcPlace place, const char *format, ...)
    XC_PRINTF_FORMAT(3, 4);

/// A handler that drops what it gets: `XcDiag silent = {xc_ignore_error, NULL,
/// 0};`
void xc_ignore_error(void *user_data, XcSeverity severity, XcPlace place,
                     const char *message);

/// "error", "warning", "remark" or "note".
const char *xc_severity_name(XcSeverity severity);

#endif // XC_SUPPORT_DIAG_H
