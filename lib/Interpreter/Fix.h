//===- Fix.h - what the fixed-point kernels share -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_FIX_H
#define XC_INTERPRETER_FIX_H

#include "Kernel.h"

/// round(numerator / denominator / 2^shift), exact. denominator > 0;
/// |numerator| < 2^38 and denominator < 2^38 for |shift| <= 24.
int64_t xc_round_ratio(int64_t numerator, int64_t denominator, int shift,
                       XcRoundMode mode);

/// Operand `slot` rescaled from `from` to output_fix_point by round_mode, with
/// the output's element type, in the arena.
xc_tensor xc_fix_rescaled(xc_kernel_call *call, size_t slot, int from);

#endif // XC_INTERPRETER_FIX_H
