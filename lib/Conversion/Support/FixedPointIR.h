//===- FixedPointIR.h - fixed-point arithmetic as operations ------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xc-c/FixedPoint.h in IR, bit for bit, for integers and vectors of them. The
// caller says how many bits its values need, sign included; the arithmetic is
// as wide as that makes it, so that nothing overflows.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_SUPPORT_FIXEDPOINTIR_H
#define XC_CONVERSION_SUPPORT_FIXEDPOINTIR_H

#include "IRBuilder.h"

#include "xc-c/FixedPoint.h"

/// A value that fits into `bits` bits of its type.
typedef struct xc_ir_bounded {
  MlirValue value;
  unsigned bits;
} xc_ir_bounded;

/// Returns the bits that hold a sum of `count` products of two 8-bit integers,
/// one of them possibly unsigned.
unsigned xc_ir_sum_bits(int64_t count);
/// Returns the bits that hold -limit..limit.
unsigned xc_ir_bits_of(int64_t limit);

/// Returns the value in a type of at least `bits` bits: its own, i64 or wider.
MlirValue xc_ir_widen(const xc_ir *ir, MlirValue value, unsigned bits);

/// value / 2^shift by a mode (xcRoundShiftMode), held at the limits of `type`.
/// The result has the value's type or a wider one.
MlirValue xc_ir_round_saturate(const xc_ir *ir, xc_ir_bounded value, int shift,
                               XcRoundMode mode, XcFixType type);
/// Holds a value at the limits of a type.
MlirValue xc_ir_saturate(const xc_ir *ir, MlirValue value, XcFixType type);

/// xcFixEpilogueApply: `bias` may have a null value. The type of the result is
/// that of `acc` or a wider one.
MlirValue xc_ir_fix_epilogue(const xc_ir *ir, const XcFixEpilogue *epilogue,
                             xc_ir_bounded acc, xc_ir_bounded bias);

/// round(numerator / denominator / 2^shift) held at the limits of `type`, for
/// i64 and a denominator above 0; products stay below 2^62.
MlirValue xc_ir_round_ratio(const xc_ir *ir, MlirValue numerator,
                            MlirValue denominator, int shift, XcRoundMode mode,
                            XcFixType type);

/// xcHSigmoid of an i64, held at the limits of 32 bits.
MlirValue xc_ir_hard_sigmoid(const xc_ir *ir, MlirValue value, int fix_point,
                             int shift);

/// xcFloatToFix of an f64, as an i64.
MlirValue xc_ir_float_to_fix(const xc_ir *ir, MlirValue real, int fix_point,
                             XcFixType type, XcRoundMode mode);
/// xcFixToFloat of an i64, as an f32.
MlirValue xc_ir_fix_to_float(const xc_ir *ir, MlirValue value, int fix_point);

#endif // XC_CONVERSION_SUPPORT_FIXEDPOINTIR_H
