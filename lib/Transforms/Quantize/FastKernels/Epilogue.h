//===- Epilogue.h - epilogues of fixed-point sums -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FASTKERNELS_EPILOGUE_H
#define XC_TRANSFORMS_QUANTIZE_FASTKERNELS_EPILOGUE_H

#include "xc-c/FixedPoint.h"

/// An epilogue that is no more than (sum << sum_shift + bias << bias_shift +
/// half) >> shift, the sum of both at least `least`.
typedef struct xc_quick_epilogue {
  bool is_possible;
  int shift, sum_shift, bias_shift;
  int64_t half, least;
} xc_quick_epilogue;

static inline xc_quick_epilogue xc_quick_epilogue_of(const XcFixEpilogue *e) {
  enum { MOST_SHIFT = 24 };
  bool is_relu = e->activation == XcActivationRelu;
  int finer = e->shiftBias < 0 ? -e->shiftBias : 0;
  xc_quick_epilogue quick = {.shift = e->shiftCut + finer,
                             .sum_shift = finer,
                             .bias_shift = e->shiftBias + finer,
                             .least = is_relu ? 0 : INT64_MIN / 2};
  quick.is_possible = (is_relu || e->activation == XcActivationNone) &&
                      e->roundMode == XcRoundModeDpu && e->type.bits == 8 &&
                      e->type.isSigned && quick.shift > 0 &&
                      quick.shift <= MOST_SHIFT && finer <= MOST_SHIFT &&
                      quick.bias_shift <= MOST_SHIFT;
  if (quick.is_possible)
    quick.half = INT64_C(1) << (quick.shift - 1);
  return quick;
}

/// For sums and biases of at most 38 bits.
static inline int8_t xc_quick_epilogue_apply(const xc_quick_epilogue *quick,
                                             int64_t sum, int64_t bias) {
  sum = sum * (INT64_C(1) << quick->sum_shift) +
        bias * (INT64_C(1) << quick->bias_shift);
  sum = sum < quick->least ? quick->least : sum;
  return xcSaturate8((sum + quick->half) >> quick->shift);
}

#endif // XC_TRANSFORMS_QUANTIZE_FASTKERNELS_EPILOGUE_H
