//===- Tabulate.h - functions of one byte -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_TABULATE_TABULATE_H
#define XC_TRANSFORMS_TABULATE_TABULATE_H

#include "Support/Memory.h"
#include "dialects/Build.h"

/// Longer chains are rare; what follows from more operators is not looked at.
enum { XC_TABLE_MOST_STEPS = 32 };

/// Operators on single elements that compute a value from one tensor of 8-bit
/// integers and constants.
typedef struct xc_byte_function {
  MlirValue input;
  /// In the order in which they can be computed; the last gives the value.
  MlirOperation steps[XC_TABLE_MOST_STEPS];
  size_t num_steps;
  /// Whether constants differ between the channels, the last dimension.
  bool is_per_channel;
} xc_byte_function;

// Evaluate.c

/// Evaluates a function for each byte by the kernels of the interpreter: one
/// row of entries, or one for each channel. Returns null when an operator has
/// no result, after its diagnostic, or a constant no contents.
void *xc_evaluate_bytes(const xc_byte_function *function, int64_t channels,
                        xc_arena *arena);

#endif // XC_TRANSFORMS_TABULATE_TABULATE_H
