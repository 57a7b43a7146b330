//===- UserKernelSizes.h - sizes that kernels are told ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_USERKERNELSIZES_H
#define XC_CONVERSION_MTIRTOLINALG_USERKERNELSIZES_H

#include "Library.h"

#include "OpParams/Window.h"

/// Every size of an operator, padding as it stands on the left and at the top.
void xc_user_kernel_sizes(const xc_adaptor *op, const xc_shape *shapes,
                          const xc_shape *result, bool is_dense,
                          int64_t sizes[XC_KERNEL_NUM_SIZES]);

/// Whether a product has its weights transposed.
bool xc_user_kernel_swaps(const xc_adaptor *op);

#endif // XC_CONVERSION_MTIRTOLINALG_USERKERNELSIZES_H
