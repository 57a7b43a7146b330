//===- Fold.h - what can be folded, and what it gains -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The private interface between FoldColumns.c and FoldGains.c.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_LOWER_FOLD_H
#define XC_TARGET_DPU_CODEGEN_LOWER_FOLD_H

#include "FoldColumns.h"

// FoldColumns.c

const xc_allocation *xc_fold_input_of(const xc_lowering *lowering,
                                      const xc_function_op *op);
xc_allocation *xc_fold_nth_operand(const xc_lowering *lowering,
                                   const xc_function_op *op, intptr_t i);
bool xc_fold_is_depthwise(const xc_function_op *op);
/// Whether the operator is one layer of the convolution engine, apart from an
/// addition.
bool xc_can_fold_op(const xc_function_op *op);
/// Whether everything that the operator touches has the same pixels, which it
/// computes one by one. It may be part of a convolution. The lowerings of these
/// kinds call xc_fold_layer.
bool xc_fold_is_elementwise(const xc_function_op *op);
/// Whether the operator takes what it reads from DDR, in whatever pixels.
bool xc_fold_reads_bytes(const xc_function_op *op);
/// Whether the engine takes the operator with the columns that its buffers have
/// now.
bool xc_can_take_fold(const xc_lowering *lowering, const xc_function_op *op);
/// Returns the number of words of a pixel.
int64_t xc_fold_words(const XcDpuTarget *target, int64_t channels);
/// Whether a test wants all that can be folded.
bool xc_fold_is_forced(const xc_lowering *lowering);

// FoldGains.c

/// Chooses, of the buffers that can be folded, those that gain something
/// together, or all if that is asked for, and folds inputs of the function.
void xc_choose_folds(xc_lowering *lowering);

#endif // XC_TARGET_DPU_CODEGEN_LOWER_FOLD_H
