//===- Dump.h - IR dumps ------------------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_OPT_DUMP_H
#define XC_OPT_DUMP_H

#include "Instrumentation.h"

/// Dumps an operation (or the module around it) as `when` a pass: to stderr
/// under a banner as MLIR's, or into a file of --mlir-print-ir-tree-dir.
void xc_dump(xc_instrumentation *inst, const char *when,
             const xc_pipeline_element *element, MlirOperation operation);

/// A hash of an operation's printed form.
typedef struct xc_fingerprint {
  uint64_t high, low;
} xc_fingerprint;
xc_fingerprint xc_fingerprint_of(MlirOperation operation);
bool xc_fingerprint_equal(xc_fingerprint a, xc_fingerprint b);

#endif // XC_OPT_DUMP_H
