//===- UserKernel.h - operators that functions of the user compute -*- C
//-*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel computes the sums of products of a convolution or a product of
// matrices: of i8 in i32, or of f32. What is around them stays here: the layout
// that the kernel wants, padding (with the zero point of the input), bias, and
// requantisation.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_USERKERNEL_H
#define XC_CONVERSION_MTIRTOLINALG_USERKERNEL_H

#include "Conv.h"
#include "Library.h"

#include "Support/Text.h"

/// The kernel that can compute an operation; null after appending the reason
/// that holds for the kernel that comes nearest. Null without a reason for
/// operators that no kernel of the library is for.
const xc_kernel_row *xc_user_kernel_find(const xc_kernel_library *library,
                                         MlirOperation operation,
                                         xc_text *reason);

/// Gives an operation the constants that a kernel wants: weights in its layout,
/// and a bias that makes up for the zero point of the input.
void xc_user_kernel_prepare(const xc_kernel_row *row, MlirOperation operation);

/// Computes the sums of an operation by the kernel of its lowering.
void xc_user_kernel_conv(xc_lowering *l, const xc_products *products);
void xc_user_kernel_dense(xc_lowering *l, const xc_products *products);

#endif // XC_CONVERSION_MTIRTOLINALG_USERKERNEL_H
