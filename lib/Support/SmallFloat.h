//===- SmallFloat.h - floating point in 16 bits -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_SMALLFLOAT_H
#define XC_SUPPORT_SMALLFLOAT_H

#include <stdint.h>

/// A binary format of 16 bits: `mantissa` bits below the implicit one, the
/// smallest normal number is 2^min_exponent.
typedef struct xc_small_float {
  int mantissa;
  int min_exponent;
  int max_exponent;
} xc_small_float;

extern const xc_small_float xc_half_format;
extern const xc_small_float xc_bfloat_format;

double xc_small_to_real(uint16_t bits, xc_small_float format);
/// Rounds once, half to even.
uint16_t xc_real_to_small(double value, xc_small_float format);

#endif // XC_SUPPORT_SMALLFLOAT_H
