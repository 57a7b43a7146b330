//===- Math.h - small functions of numbers ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_MATH_H
#define XC_SUPPORT_MATH_H

#include <stdint.h>

static inline int32_t xc_minimum(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t xc_maximum(int32_t a, int32_t b) { return a > b ? a : b; }
/// Of a nonnegative `a`, upwards; of any `a`, downwards.
static inline int64_t xc_minimum64(int64_t a, int64_t b) {
  return a < b ? a : b;
}
static inline int64_t xc_maximum64(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static inline int32_t xc_ceil_div(int32_t a, int32_t b) {
  return (a + b - 1) / b;
}
static inline int32_t xc_floor_div(int32_t a, int32_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/// a / b rounded up, for b above 0 and any a.
static inline int64_t xc_ceil_div64(int64_t a, int64_t b) {
  return a / b + (a % b > 0);
}

/// Returns the greatest common divisor of numbers from 0 on, not both 0.
static inline int64_t xc_gcd64(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Orders doubles upwards, for qsort.
static inline int xc_compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

#endif // XC_SUPPORT_MATH_H
