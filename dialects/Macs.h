//===- Macs.h - multiply-accumulates of an operator ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_MACS_H
#define XC_DIALECTS_MACS_H

#include "Adaptor.h"

/// Returns the number of multiply-accumulates of one execution of a verified
/// operator: convolutions and matrix products in every number format.
/// Everything else counts 0, also where it multiplies. Products with padding
/// count; products with the zeros that a transposed convolution spreads its
/// input by, or that a kernel has between groups of channels, do not.
int64_t xc_count_macs(const xc_adaptor *op);

#endif // XC_DIALECTS_MACS_H
