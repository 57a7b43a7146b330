//===- Join.h - several inputs side by side -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_JOIN_H
#define XC_CONVERSION_MTIRTOLINALG_JOIN_H

#include "Lowering.h"

/// Makes a raw element of input `number`, in operand slot `slot`, one of the
/// output.
typedef MlirValue (*xc_join_convert)(xc_lowering *l, size_t slot, size_t number,
                                     MlirValue raw, const void *state);

/// Copies all inputs into the output along `axis`.
void xc_linalg_join(xc_lowering *l, size_t axis, xc_join_convert convert,
                    const void *state);

#endif // XC_CONVERSION_MTIRTOLINALG_JOIN_H
