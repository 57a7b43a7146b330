//===- Wide.h - exact arithmetic on integers of 64 bits -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tir has no operators on bits: shifts are quotients by powers of two.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_TOSATOTIR_WIDE_H
#define XC_CONVERSION_TOSATOTIR_WIDE_H

#include "Scale.h"

/// Returns the largest integer that is not above x / divisor; both have 64
/// bits, and the divisor is positive.
MlirValue xc_tosa_emit_floor_quotient(xc_tosa_converter *c, MlirValue x,
                                      MlirValue divisor);
/// x * y * 2^-shift rounded half up, as tosa.mul does. `shift` has one element
/// or none.
MlirValue xc_tosa_emit_shifted_product(xc_tosa_converter *c, MlirValue x,
                                       MlirValue y, MlirValue shift,
                                       xc_element element);
/// Any tosa.rescale, multipliers by the last dimension.
MlirValue xc_tosa_emit_wide_rescale(xc_tosa_converter *c, MlirValue x,
                                    const xc_tosa_scale *scale,
                                    xc_element element);

#endif // XC_CONVERSION_TOSATOTIR_WIDE_H
