//===- FloatReason.h - why operators stay in floating point -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_IR_FLOATREASON_H
#define XC_IR_FLOATREASON_H

#include "mlir-c/IR.h"

typedef enum xc_float_reason {
  XC_FLOAT_NOT, // it does not
#define XC_FLOAT_REASON(name, id, words, change) XC_FLOAT_##name,
#include "FloatReasons.def"
} xc_float_reason;

typedef struct xc_float_reason_info {
  const char *id;     // "float-island"
  const char *words;  // "between functions on the CPU (an island)"
  const char *change; // what a user can do, or null
} xc_float_reason_info;

/// Notes the reason on an operator, in the attribute XC_NAME_KEPT_FLOAT.
void xc_float_reason_set(MlirOperation operation, xc_float_reason reason);
/// Returns the reason that was noted; null where there is none, or one that is
/// not in the table.
const xc_float_reason_info *xc_float_reason_of(MlirOperation operation);

#endif // XC_IR_FLOATREASON_H
