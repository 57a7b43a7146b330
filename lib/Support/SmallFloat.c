//===- SmallFloat.c - floating point in 16 bits ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallFloat.h"

#include <math.h>

const xc_small_float xc_half_format = {10, -14, 15};
const xc_small_float xc_bfloat_format = {7, -126, 127};

double xc_small_to_real(uint16_t bits, xc_small_float format) {
  int mantissa = bits & ((1 << format.mantissa) - 1);
  int exponent = (bits & 0x7fff) >> format.mantissa;
  int all_ones = 0x7fff >> format.mantissa;
  double magnitude;
  if (exponent == all_ones)
    magnitude = mantissa ? (double)NAN : (double)INFINITY;
  else if (exponent == 0)
    magnitude = ldexp(mantissa, format.min_exponent - format.mantissa);
  else
    magnitude = ldexp(mantissa + (1 << format.mantissa),
                      exponent - 1 + format.min_exponent - format.mantissa);
  return bits & 0x8000 ? -magnitude : magnitude;
}

uint16_t xc_real_to_small(double value, xc_small_float format) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  uint16_t infinity = (uint16_t)(0x7fff >> format.mantissa << format.mantissa);
  if (isnan(value))
    return (uint16_t)(infinity | 1u << (format.mantissa - 1));
  double magnitude = fabs(value);
  int exponent = isinf(magnitude) ? 0 : ilogb(magnitude);
  if (magnitude == 0 || exponent < format.min_exponent)
    exponent = format.min_exponent;
  // In units of the last place the number rounds to an integer, half to even.
  double units = nearbyint(ldexp(magnitude, format.mantissa - exponent));
  if (isinf(magnitude) ||
      ldexp(units, exponent) >=
          ldexp(1, format.max_exponent + 1 + format.mantissa))
    return sign | infinity;
  // A carry into the next exponent adds up by itself.
  uint32_t bits = (uint32_t)units;
  bits += (uint32_t)(exponent - format.min_exponent) << format.mantissa;
  return (uint16_t)(sign | bits);
}
