//===- Groups.h - kernels with zeros between groups ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_GROUPS_H
#define XC_DIALECTS_GROUPS_H

#include "Adaptor.h"

/// The weights of a convolution, [outputs][window][inputs].
typedef struct xc_dense_kernel {
  const void *weights;
  size_t element; // bytes
  int64_t outputs, window, inputs;
} xc_dense_kernel;

/// Returns the largest number of groups of channels between which all weights
/// are zero: but for kernels that are zero as a whole, such a kernel is that of
/// a grouped convolution.
int64_t xc_zero_groups(const xc_dense_kernel *kernel);

/// The same of a conv2d, with the groups that it has in any case. Weights that
/// are not known have one.
int64_t xc_conv_groups(const xc_adaptor *conv);

#endif // XC_DIALECTS_GROUPS_H
