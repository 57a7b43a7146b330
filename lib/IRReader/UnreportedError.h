//===- UnreportedError.h - errors without a diagnostic ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_IRREADER_UNREPORTEDERROR_H
#define XC_IRREADER_UNREPORTEDERROR_H

#include "IRReader.h"

/// Reports why MLIR's parser, which said nothing, did not accept the input.
void xc_report_unreported(MlirContext context, XcDiag *diag,
                          const xc_source *input);

#endif // XC_IRREADER_UNREPORTEDERROR_H
