//===- UserKernel.h - operators by functions of the user ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel computes the sums of products of a convolution or a product of
// matrices: of i8 in i32, or of f32; and as much of what follows as it has
// arguments for. The rest stays here: the layout that the kernel wants, padding
// (with the zero point of the input), bias, and requantisation.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_USERKERNEL_H
#define XC_CONVERSION_MTIRTOLINALG_USERKERNEL_H

#include "Conv.h"

#include "Kernels/Match.h"

/// How the operator at hand uses a kernel.
typedef struct xc_kernel_use {
  const xc_kernel_row *row;
  // Buffers of the model that hold NCHW, since no one reads them otherwise.
  bool input_first, output_first;
} xc_kernel_use;

/// Whether the lowering is to add the operand that is a bias: the operator has
/// one, which no kernel has added.
bool xc_user_kernel_leaves_bias(const xc_lowering *l, size_t slot);

/// Computes the sums of an operation by the kernel of its lowering.
void xc_user_kernel_conv(xc_lowering *l, const xc_products *products);
void xc_user_kernel_dense(xc_lowering *l, const xc_products *products);

/// The buffers of a call, by number from XC_KERNEL_INPUT; null: not given. And
/// its sizes.
typedef struct xc_kernel_call {
  MlirValue buffers[XC_KERNEL_NUM_BUFFERS];
  int64_t sizes[XC_KERNEL_NUM_SIZES];
} xc_kernel_call;

/// Writes the call.
void xc_user_kernel_call(xc_lowering *l, const xc_kernel_call *call);

#endif // XC_CONVERSION_MTIRTOLINALG_USERKERNEL_H
