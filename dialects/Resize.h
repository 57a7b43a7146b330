//===- Resize.h - what tir.resize does to pixels ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_RESIZE_H
#define XC_DIALECTS_RESIZE_H

#include "Adaptor.h"

/// The largest number by which a bilinear tir.resize enlarges an axis as
/// transposed convolutions do.
enum { XC_RESIZE_LARGEST = 16 };

/// Whole numbers, width first, by which tir.resize enlarges H and W; false when
/// they are none.
bool xc_resize_factors(const xc_adaptor *op, int64_t factors[2]);

/// Whether tir.resize repeats each pixel as often as these factors say.
bool xc_resize_repeats(const xc_adaptor *op, int64_t factors[2]);

#endif // XC_DIALECTS_RESIZE_H
