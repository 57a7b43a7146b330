//===- Report.h - what quantisation costs -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_REPORT_REPORT_H
#define XC_TRANSFORMS_QUANTIZE_REPORT_REPORT_H

#include "Transforms/Quantize/Function/Function.h"

/// Compares the functions on the samples, writes the report unless the path is
/// empty, and keeps the loss in the attribute `xc.loss`.
bool xc_quantize_report(xc_quantizer *q, const char *path, bool keep);

#endif // XC_TRANSFORMS_QUANTIZE_REPORT_REPORT_H
