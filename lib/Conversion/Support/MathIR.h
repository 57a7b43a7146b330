//===- MathIR.h - transcendental functions as arithmetic ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp, log and their like without branches, tables and calls, so that loops
// over them vectorise. Operands are f32, f64 or vectors of either; results have
// the operand's type. Error bounds against the exact result, in units in the
// last place, with and without fused multiply-add:
//
//   function    f32    f64        function    f32    f64
//   exp         2      2          sigmoid     3      3
//   expm1       2      2          tanh        3      3
//   log         1      1          softplus    2      2
//   pow         1      2048 (5e-13 relative)
//
// In f32 all are within 3.6e-7 relative. Subnormal results are rounded once and
// have the same bounds. Infinities, NaN, zeros and overflow follow C's Annex F;
// the sign of a zero is kept where C keeps it. Results are the same on all
// processors with fused multiply-add, and on all without.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_SUPPORT_MATHIR_H
#define XC_CONVERSION_SUPPORT_MATHIR_H

#include "IRBuilder.h"

MlirValue xc_math_exp(const xc_ir *ir, MlirValue x);
/// e^x - 1 for x <= 0 (and NaN): all that ELU needs.
MlirValue xc_math_expm1(const xc_ir *ir, MlirValue x);
MlirValue xc_math_log(const xc_ir *ir, MlirValue x);
/// 1 / (1 + e^-x).
MlirValue xc_math_sigmoid(const xc_ir *ir, MlirValue x);
MlirValue xc_math_tanh(const xc_ir *ir, MlirValue x);
/// log(1 + e^x).
MlirValue xc_math_softplus(const xc_ir *ir, MlirValue x);
/// Returns the error function, within 1e-13; f64 only.
MlirValue xc_math_erf(const xc_ir *ir, MlirValue x);
/// Sine and cosine, within 1e-13 or, of large x, |x| * 2^-51; f64 only.
MlirValue xc_math_sin(const xc_ir *ir, MlirValue x);
MlirValue xc_math_cos(const xc_ir *ir, MlirValue x);
/// Returns the arc tangent, within 1e-14; f64 only.
MlirValue xc_math_atan(const xc_ir *ir, MlirValue x);
/// x^y. f32 is computed in f64.
MlirValue xc_math_pow(const xc_ir *ir, MlirValue x, MlirValue y);

#endif // XC_CONVERSION_SUPPORT_MATHIR_H
