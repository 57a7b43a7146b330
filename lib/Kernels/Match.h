//===- Match.h - which operators a kernel computes ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of tir and mtir are judged alike, so that a partition says what
// code generation will do.
//
//===----------------------------------------------------------------------===//

#ifndef XC_KERNELS_MATCH_H
#define XC_KERNELS_MATCH_H

#include "Library.h"

#include "OpParams/Window.h"
#include "Support/Text.h"

/// An operator that sums of products are the work of.
typedef struct xc_kernel_subject {
  MlirOperation operation;
  xc_adaptor op;
  xc_shape shapes[XC_MAX_OPERANDS], result;
  xc_kernel_operation kind;
  bool is_float;
  bool is_qlinear;    // scales and zero points; else floats or fix points
  MlirOperation relu; // alone reads the result, or null
  int64_t sizes[XC_KERNEL_NUM_SIZES];
} xc_kernel_subject;

/// Returns false for operators that no kernel can be for.
bool xc_kernel_subject_of(MlirOperation operation, xc_kernel_subject *subject);

/// Every size of an operator but the bytes of scratch memory; padding as it
/// stands on the left and at the top. `shapes` are by slot.
void xc_kernel_sizes(const xc_adaptor *op, const xc_shape *shapes,
                     const xc_shape *result,
                     int64_t sizes[XC_KERNEL_NUM_SIZES]);
int64_t xc_kernel_scratch_bytes(const xc_kernel_row *row,
                                const int64_t sizes[XC_KERNEL_NUM_SIZES]);
/// Whether the function makes the padding of an operator of these zero points
/// itself; else a copy of the input holds it.
bool xc_kernel_pads(const xc_kernel_row *row, const xc_window *window,
                    int64_t zero_point);
/// Returns the constant that an operand is, or null.
MlirOperation xc_kernel_constant(const xc_kernel_subject *subject, size_t slot);
/// Returns the relu that alone reads what an operation computes, of tir or of
/// mtir, where it may be part of it; or null.
MlirOperation xc_kernel_relu_of(MlirOperation operation);

/// Why a function does not compute an operator.
typedef struct xc_kernel_reason {
  const char *predicate; // "kernel_height"; null: no kernel is for this kind
  xc_text text;          // "kernel_height is 9, expected 1 to 7"
  xc_text change;        // "kernel_height 9 -> 7", or empty
} xc_kernel_reason;

void xc_kernel_reason_free(xc_kernel_reason *reason);

/// Returns the first kernel that computes an operator; null with the reason
/// that holds for the kernel that comes nearest.
const xc_kernel_row *xc_kernel_find(const xc_kernel_library *library,
                                    MlirOperation operation,
                                    xc_kernel_reason *reason);

/// Gives an mtir operation the constants that a kernel wants: weights in its
/// layout, and a bias that makes up for the zero point of the input. Types
/// stay; the weights are merely in another order. Returns false after a
/// diagnostic.
bool xc_kernel_prepare(const xc_kernel_row *row, MlirOperation operation);

/// bias - zero point * sum of the weights, for each channel; false where that
/// does not fit.
bool xc_kernel_fold_zero_point(const xc_kernel_subject *subject,
                               int64_t zero_point, int32_t *folded);

#endif // XC_KERNELS_MATCH_H
