//===- Shares.h - loops in parts for threads ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_CPUTHREADS_SHARES_H
#define XC_CONVERSION_CPUTHREADS_SHARES_H

#include "Conversion/Support/IRBuilder.h"
#include "Pass/Pass.h"

/// Whether a value is a constant integer or index.
bool xc_read_constant(MlirValue value, int64_t *constant);
/// Whether no other argument of a function reaches the bytes of this one.
bool xc_is_apart(MlirBlock body, MlirValue argument);

/// Contiguous iterations of `trips`, of which each of `shares` takes as many.
typedef struct xc_share {
  MlirValue low, high;
} xc_share;
xc_share xc_share_of(xc_ir *ir, MlirValue number, int64_t trips,
                     int64_t shares);

/// Moves all operations of a block, which is destroyed.
void xc_move_before(MlirBlock block, MlirOperation operation);

/// Ends a loop with the operations of another one's body, whose index becomes
/// that of the loop; the terminator stays where it is.
void xc_end_with_body(xc_ir *ir, xc_ir_loop *loop, MlirBlock body);

#endif // XC_CONVERSION_CPUTHREADS_SHARES_H
