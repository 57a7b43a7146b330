//===- MathIR.c - transcendental functions as arithmetic ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathIR.h"

#include "mlir-c/BuiltinTypes.h"

#include <math.h>
#include <stdint.h>

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

enum { MAX_TERMS = 11 };

/// The constants of f32 and of f64.
typedef struct float_format {
  int fraction;      // bits of the fraction
  int64_t bias;      // of the exponent
  int64_t root_half; // bits of sqrt(1/2)
  // Numbers of this size have no bits below 1: adding it rounds to an integer
  // whose low bits are those of the sum.
  double rounder;
  // exp is 0 below `least`, infinite above `most`; expm1 is -1 below `flat`.
  double least, most, flat;
  int subnormal;         // 2^subnormal times any result above `least` is normal
  double ln2_hi, ln2_lo; // products of ln2_hi and an exponent are exact
  double exp[MAX_TERMS]; // (e^r - 1 - r) / r^2 on |r| <= ln(2)/2, r^0 first
  int num_exp;
  double log[MAX_TERMS]; // (2 atanh(s) - 2s) / s^3 in s^2 on s^2 <= 0.0297
  int num_log;
} float_format;

// The polynomials are interpolated at Chebyshev nodes. Errors of the terms left
// out: 8.4e-9 and 5.8e-9 in f32, 1.9e-19 and 9.9e-18 in f64.
static const float_format single_format = {
    .fraction = 23,
    .bias = 127,
    .root_half = 0x3f3504f3,
    .rounder = 0x1.8p23,
    .least = -104,
    .most = 89,
    .flat = -20,
    .subnormal = 24,
    .ln2_hi = 0x1.63p-1,
    .ln2_lo = -0x1.bd0106p-13,
    .exp = {0x1p-1, 0x1.5554d8p-3, 0x1.555516p-5, 0x1.12106cp-7,
            0x1.6d1606p-10},
    .num_exp = 5,
    .log = {0x1.55555cp-1, 0x1.997b96p-2, 0x1.2f013ep-2},
    .num_log = 3,
};
static const float_format double_format = {
    .fraction = 52,
    .bias = 1023,
    .root_half = 0x3fe6a09e667f3bcd,
    .rounder = 0x1.8p52,
    .least = -746,
    .most = 710,
    .flat = -40,
    .subnormal = 54,
    .ln2_hi = 0x1.62e42feep-1,
    .ln2_lo = 0x1.a39ef35793c76p-33,
    .exp = {0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555556p-5,
            0x1.111111110ff87p-7, 0x1.6c16c16c16212p-10, 0x1.a01a01aca0134p-13,
            0x1.a01a01a741b3cp-16, 0x1.71ddffef9e7b1p-19, 0x1.27e4da1a3bf04p-22,
            0x1.af52906239de4p-26, 0x1.1f75aba0b1e2ep-29},
    .num_exp = 11,
    .log = {0x1.5555555555558p-1, 0x1.9999999994e76p-2, 0x1.2492492e6dfddp-2,
            0x1.c71c6247410e3p-3, 0x1.7462e17b4cdd0p-3, 0x1.39f8963ccbdc2p-3,
            0x1.2b9f7fb3de73fp-3},
    .num_log = 7,
};

static const float_format *format_of(MlirValue x) {
  MlirType element = xc_ir_element_type(mlirValueGetType(x));
  return mlirTypeIsAF64(element) ? &double_format : &single_format;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

// Returns a constant of the type of `like`.
static MlirValue number(const xc_ir *ir, MlirValue like, double value) {
  return xc_ir_float(ir, mlirValueGetType(like), value);
}

// a * b + c, rounded once or twice, whichever is faster.
static MlirValue multiply_add(const xc_ir *ir, MlirValue a, MlirValue b,
                              MlirValue c) {
  const MlirValue operands[] = {a, b, c};
  return xc_ir_op(ir, "llvm.intr.fmuladd", operands, 3, mlirValueGetType(a),
                  NULL, 0);
}

static MlirValue polynomial(const xc_ir *ir, MlirValue x, const double *terms,
                            int count) {
  MlirValue sum = number(ir, x, terms[count - 1]);
  for (int i = count - 2; i >= 0; --i)
    sum = multiply_add(ir, sum, x, number(ir, x, terms[i]));
  return sum;
}

static MlirValue bits_of(const xc_ir *ir, MlirValue x) {
  const float_format *f = format_of(x);
  MlirType type = mlirValueGetType(x);
  return xc_ir_bitcast(
      ir, x, xc_ir_with_element(type, f->fraction == 52 ? ir->i64 : ir->i32));
}

static MlirValue magnitude_of(const xc_ir *ir, MlirValue x) {
  return xc_ir_math(ir, "math.absf", x);
}

static MlirValue is_negative(const xc_ir *ir, MlirValue x) {
  return xc_ir_compare(ir, XC_IR_LT, x, number(ir, x, 0));
}

// Returns the larger of x and a limit; NaN stays.
static MlirValue at_least(const xc_ir *ir, MlirValue x, double limit) {
  return xc_ir_max(ir, number(ir, x, limit), x);
}

static MlirValue at_most(const xc_ir *ir, MlirValue x, double limit) {
  return xc_ir_min(ir, number(ir, x, limit), x);
}

//===----------------------------------------------------------------------===//
// Powers of e
//===----------------------------------------------------------------------===//

/// e^x = (1 + tail) * 2^n, n where exponents are.
typedef struct power {
  MlirValue tail, n;
} power;

// x within the limits of the format, or NaN, which the tail keeps.
static power split_power(const xc_ir *ir, MlirValue x) {
  const float_format *f = format_of(x);
  MlirValue rounder = number(ir, x, f->rounder);
  MlirValue sum = multiply_add(ir, x, number(ir, x, 0x1.71547652b82fep+0),
                               rounder); // log2(e)
  MlirValue n = xc_ir_sub(ir, sum, rounder);
  MlirValue r = multiply_add(ir, n, number(ir, x, -f->ln2_hi), x);
  r = multiply_add(ir, n, number(ir, x, -f->ln2_lo), r);
  MlirValue terms = polynomial(ir, r, f->exp, f->num_exp);
  return (power){
      .tail = multiply_add(ir, terms, xc_ir_mul(ir, r, r), r),
      .n = xc_ir_shli(ir, bits_of(ir, sum), f->fraction),
  };
}

// 2^(n + more), which must be normal.
static MlirValue scale_of(const xc_ir *ir, MlirValue like, MlirValue n,
                          int64_t more) {
  const float_format *f = format_of(like);
  return xc_ir_bitcast(
      ir,
      xc_ir_addi(ir, n, (int64_t)((uint64_t)(f->bias + more) << f->fraction)),
      mlirValueGetType(like));
}

static MlirValue one_more(const xc_ir *ir, MlirValue x) {
  return xc_ir_add(ir, x, number(ir, x, 1));
}

MlirValue xc_math_exp(const xc_ir *ir, MlirValue x) {
  const float_format *f = format_of(x);
  power p = split_power(ir, at_most(ir, at_least(ir, x, f->least), f->most));
  // In two halves: one factor could be subnormal or infinite.
  MlirValue half = xc_ir_and(
      ir, xc_ir_shri(ir, p.n, 1),
      xc_ir_int(ir, mlirValueGetType(p.n), -(INT64_C(1) << f->fraction)));
  MlirValue rest = xc_ir_sub(ir, p.n, half);
  MlirValue scaled =
      xc_ir_mul(ir, one_more(ir, p.tail), scale_of(ir, x, half, 0));
  return xc_ir_mul(ir, scaled, scale_of(ir, x, rest, 0));
}

// e^-|x|.
static MlirValue falling_power(const xc_ir *ir, MlirValue x) {
  const float_format *f = format_of(x);
  MlirValue below = xc_ir_neg(ir, magnitude_of(ir, x));
  power p = split_power(ir, at_least(ir, below, f->least));
  MlirValue large =
      xc_ir_mul(ir, one_more(ir, p.tail), scale_of(ir, x, p.n, f->subnormal));
  return xc_ir_mul(ir, large, number(ir, x, ldexp(1, -f->subnormal)));
}

MlirValue xc_math_sigmoid(const xc_ir *ir, MlirValue x) {
  // e^-|x| never overflows; below 0 it is the numerator as well.
  MlirValue e = falling_power(ir, x);
  MlirValue numerator =
      xc_ir_select(ir, is_negative(ir, x), e, number(ir, x, 1));
  return xc_ir_div(ir, numerator, one_more(ir, e));
}

MlirValue xc_math_expm1(const xc_ir *ir, MlirValue x) {
  power p = split_power(ir, at_least(ir, x, format_of(x)->flat));
  MlirValue scale = scale_of(ir, x, p.n, 0);
  return multiply_add(ir, p.tail, scale,
                      xc_ir_sub(ir, scale, number(ir, x, 1)));
}

MlirValue xc_math_tanh(const xc_ir *ir, MlirValue x) {
  // t = e^-2|x| - 1, tanh |x| = -t / (t + 2).
  MlirValue t =
      xc_math_expm1(ir, xc_ir_mul(ir, magnitude_of(ir, x), number(ir, x, -2)));
  MlirValue y = xc_ir_div(ir, xc_ir_sub(ir, number(ir, x, 0), t),
                          xc_ir_add(ir, t, number(ir, x, 2)));
  return xc_ir_math2(ir, "math.copysign", y, x);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

// log(x * 2^shift) of a normal positive x.
static MlirValue normal_log(const xc_ir *ir, MlirValue x, MlirValue shift) {
  const float_format *f = format_of(x);
  MlirType type = mlirValueGetType(x);
  // x = (1 + r) * 2^n with 1 + r from sqrt(1/2) to sqrt(2).
  MlirValue bits = xc_ir_addi(ir, bits_of(ir, x), -f->root_half);
  MlirType ints = mlirValueGetType(bits);
  MlirValue fraction =
      xc_ir_and(ir, bits, xc_ir_int(ir, ints, (INT64_C(1) << f->fraction) - 1));
  MlirValue r = xc_ir_sub(
      ir, xc_ir_bitcast(ir, xc_ir_addi(ir, fraction, f->root_half), type),
      number(ir, x, 1));
  // The exponent becomes a float by addition: not all machines can convert
  // integers of 64 bits.
  MlirValue rounder = number(ir, x, f->rounder);
  MlirValue n =
      xc_ir_add(ir, xc_ir_shri(ir, bits, f->fraction), bits_of(ir, rounder));
  n = xc_ir_add(ir, xc_ir_sub(ir, xc_ir_bitcast(ir, n, type), rounder), shift);
  MlirValue s = xc_ir_div(ir, r, xc_ir_add(ir, r, number(ir, x, 2)));
  MlirValue square = xc_ir_mul(ir, s, s);
  // log(1 + r) = r - r^2/2 + s * (r^2/2 + terms).
  MlirValue terms =
      xc_ir_mul(ir, square, polynomial(ir, square, f->log, f->num_log));
  MlirValue half = xc_ir_mul(ir, xc_ir_mul(ir, r, r), number(ir, x, 0.5));
  MlirValue small = multiply_add(ir, s, xc_ir_add(ir, half, terms),
                                 xc_ir_mul(ir, n, number(ir, x, f->ln2_lo)));
  MlirValue near = xc_ir_sub(ir, r, xc_ir_sub(ir, half, small));
  return multiply_add(ir, n, number(ir, x, f->ln2_hi), near);
}

MlirValue xc_math_log(const xc_ir *ir, MlirValue x) {
  const float_format *f = format_of(x);
  MlirValue zero = number(ir, x, 0), infinite = number(ir, x, INFINITY);
  MlirValue subnormal =
      xc_ir_compare(ir, XC_IR_LT, x, number(ir, x, ldexp(1, 1 - (int)f->bias)));
  MlirValue normal = xc_ir_select(
      ir, subnormal, xc_ir_mul(ir, x, number(ir, x, ldexp(1, f->fraction))), x);
  MlirValue shift =
      xc_ir_select(ir, subnormal, number(ir, x, -f->fraction), zero);
  MlirValue positive = xc_ir_compare(ir, XC_IR_GT, x, zero);
  MlirValue finite = xc_ir_compare(ir, XC_IR_LT, x, infinite);
  // Of no number above 0: -inf of 0, NaN of others, inf of inf.
  MlirValue special =
      xc_ir_select(ir, positive, x,
                   xc_ir_select(ir, xc_ir_compare(ir, XC_IR_EQ, x, zero),
                                number(ir, x, -INFINITY), number(ir, x, NAN)));
  return xc_ir_select(ir, xc_ir_and(ir, positive, finite),
                      normal_log(ir, normal, shift), special);
}

MlirValue xc_math_softplus(const xc_ir *ir, MlirValue x) {
  // log(1 + e) with e = e^-|x|, and x more where it is positive. What rounding
  // took from 1 + e comes back as a quotient.
  MlirValue e = falling_power(ir, x), sum = one_more(ir, e);
  MlirValue lost = xc_ir_sub(ir, e, xc_ir_sub(ir, sum, number(ir, x, 1)));
  MlirValue rest = xc_ir_add(ir, normal_log(ir, sum, number(ir, x, 0)),
                             xc_ir_div(ir, lost, sum));
  return xc_ir_add(ir, rest, at_least(ir, x, 0));
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

// Whether x >= 0 is an integer.
static MlirValue is_whole(const xc_ir *ir, MlirValue x) {
  MlirValue large = number(ir, x, ldexp(1, format_of(x)->fraction));
  MlirValue rounded = xc_ir_sub(ir, xc_ir_add(ir, x, large), large);
  return xc_ir_or(ir, xc_ir_compare(ir, XC_IR_EQ, rounded, x),
                  xc_ir_compare(ir, XC_IR_GT, x, large));
}

// |x|^y but for its sign and the cases that are 1 whatever the other is.
static MlirValue magnitude_power(const xc_ir *ir, MlirValue magnitude,
                                 MlirValue y) {
  MlirValue exponent = xc_ir_mul(ir, y, xc_math_log(ir, magnitude));
  // An infinite power of 1; a NaN stays one.
  MlirValue of_one = xc_ir_compare(ir, XC_IR_EQ, magnitude, number(ir, y, 1));
  of_one = xc_ir_and(ir, of_one, xc_ir_compare(ir, XC_IR_EQ, y, y));
  return xc_math_exp(ir, xc_ir_select(ir, of_one, number(ir, y, 0), exponent));
}

MlirValue xc_math_pow(const xc_ir *ir, MlirValue x, MlirValue y) {
  MlirType type = mlirValueGetType(x);
  if (format_of(x) == &single_format) {
    MlirType wide = xc_ir_with_element(type, ir->f64);
    MlirValue result = xc_math_pow(ir, xc_ir_float_cast(ir, x, wide),
                                   xc_ir_float_cast(ir, y, wide));
    return xc_ir_float_cast(ir, result, type);
  }
  MlirValue exponent = magnitude_of(ir, y);
  MlirValue whole = is_whole(ir, exponent);
  MlirValue fractional =
      xc_ir_xor(ir, whole, xc_ir_int(ir, mlirValueGetType(whole), 1));
  MlirValue half_whole =
      is_whole(ir, xc_ir_mul(ir, exponent, number(ir, x, 0.5)));
  // whole and half not whole
  MlirValue odd =
      xc_ir_and(ir, whole,
                xc_ir_xor(ir, half_whole,
                          xc_ir_int(ir, mlirValueGetType(half_whole), 1)));
  MlirValue result = magnitude_power(ir, magnitude_of(ir, x), y);
  // -0 counts as negative.
  MlirValue minus = xc_ir_comparei(ir, XC_IR_LT, bits_of(ir, x), 0);
  result = xc_ir_select(ir, xc_ir_and(ir, minus, odd), xc_ir_neg(ir, result),
                        result);
  MlirValue finite_below =
      xc_ir_and(ir, is_negative(ir, x),
                xc_ir_compare(ir, XC_IR_GT, x, number(ir, x, -INFINITY)));
  result = xc_ir_select(ir, xc_ir_and(ir, finite_below, fractional),
                        number(ir, x, NAN), result);
  MlirValue one = number(ir, x, 1);
  MlirValue always_one =
      xc_ir_or(ir, xc_ir_compare(ir, XC_IR_EQ, x, one),
               xc_ir_compare(ir, XC_IR_EQ, y, number(ir, x, 0)));
  return xc_ir_select(ir, always_one, one, result);
}

//===----------------------------------------------------------------------===//
// Series of Chebyshev polynomials
//===----------------------------------------------------------------------===//

static const double pi = 3.141592653589793;

// The coefficients of a function on 0..most, from its values at the nodes.
static void fit_series(double (*function)(double u), double most,
                       double *coefficients, int terms) {
  for (int j = 0; j < terms; ++j)
    coefficients[j] = 0;
  for (int k = 0; k < terms; ++k) {
    double angle = pi * (k + 0.5) / terms;
    double value = function((cos(angle) + 1) * most / 2);
    for (int j = 0; j < terms; ++j)
      coefficients[j] += 2.0 / terms * value * cos(j * angle);
  }
}

// Returns the series at u of 0..most, summed by Clenshaw's rule.
static MlirValue series(const xc_ir *ir, MlirValue u, double most,
                        const double *coefficients, int terms) {
  MlirValue t = xc_ir_mul(ir, u, number(ir, u, 4 / most));
  t = xc_ir_sub(ir, t, number(ir, u, 2)); // twice the argument
  MlirValue sum = number(ir, u, coefficients[terms - 1]);
  MlirValue before = number(ir, u, 0);
  for (int j = terms - 2; j > 0; --j) {
    MlirValue next = xc_ir_add(ir, xc_ir_sub(ir, xc_ir_mul(ir, t, sum), before),
                               number(ir, u, coefficients[j]));
    before = sum;
    sum = next;
  }
  MlirValue half = number(ir, u, 0.5);
  return xc_ir_add(
      ir, xc_ir_sub(ir, xc_ir_mul(ir, xc_ir_mul(ir, t, half), sum), before),
      number(ir, u, coefficients[0] / 2));
}

// erf(x) / x as a function of u = x^2.
static double erf_ratio(double u) {
  const double at_zero = 1.1283791670955126; // 2 / sqrt(pi)
  return u > 0 ? erf(sqrt(u)) / sqrt(u) : at_zero;
}

// From 6 on the result is 1 in f64.
MlirValue xc_math_erf(const xc_ir *ir, MlirValue x) {
  enum { TERMS = 40 };
  const double most = 6;
  double coefficients[TERMS];
  fit_series(erf_ratio, most * most, coefficients, TERMS);
  MlirValue y = xc_ir_clamp(ir, x, number(ir, x, -most), number(ir, x, most));
  MlirValue ratio =
      series(ir, xc_ir_mul(ir, y, y), most * most, coefficients, TERMS);
  return xc_ir_select(ir, xc_ir_is_nan(ir, x), x, xc_ir_mul(ir, y, ratio));
}

// atan(x) / x as a function of u = x^2.
static double atan_ratio(double u) {
  return u > 0 ? atan(sqrt(u)) / sqrt(u) : 1;
}

// Above 1 it is pi/2 less that of 1 / x. The series has no singularity nearer
// than u = -1, so that each term is below a fifth of the one before.
MlirValue xc_math_atan(const xc_ir *ir, MlirValue x) {
  enum { TERMS = 24 };
  double coefficients[TERMS];
  fit_series(atan_ratio, 1, coefficients, TERMS);
  MlirValue size = magnitude_of(ir, x), one = number(ir, x, 1);
  MlirValue beyond = xc_ir_compare(ir, XC_IR_GT, size, one);
  MlirValue y = xc_ir_select(ir, beyond, xc_ir_div(ir, one, size), size);
  MlirValue ratio = series(ir, xc_ir_mul(ir, y, y), 1, coefficients, TERMS);
  MlirValue angle = xc_ir_mul(ir, y, ratio);
  angle = xc_ir_select(ir, beyond, xc_ir_sub(ir, number(ir, x, pi / 2), angle),
                       angle);
  return xc_ir_math2(ir, "math.copysign", angle, x);
}

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

/// x = quarter * pi/2 + rest, |rest| <= pi/4.
typedef struct turned {
  MlirValue quarter, rest;
} turned;

// pi/2 in parts of 33 bits, whose products with fewer than 2^20 quarters are
// exact.
static turned split_turns(const xc_ir *ir, MlirValue x) {
  static const double parts[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34,
                                 0x1.3198a2e037073p-69};
  const double quarters = 0.6366197723675814; // 2 / pi
  turned t = {.rest = x};
  t.quarter = xc_ir_math(ir, "math.roundeven",
                         xc_ir_mul(ir, x, number(ir, x, quarters)));
  for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); ++i)
    t.rest = xc_ir_sub(ir, t.rest,
                       xc_ir_mul(ir, t.quarter, number(ir, x, parts[i])));
  return t;
}

// Returns the series of sine (from x on) or cosine (from 1 on) up to x^18,
// whose next term is below 1e-18.
static MlirValue circular_series(const xc_ir *ir, MlirValue x, bool is_sine) {
  enum { TERMS = 9 };
  double terms[TERMS] = {1};
  for (int i = 1; i < TERMS; ++i) {
    int order = 2 * i + is_sine;
    terms[i] = -terms[i - 1] / (order * (order - 1));
  }
  MlirValue sum = polynomial(ir, xc_ir_mul(ir, x, x), terms, TERMS);
  return is_sine ? xc_ir_mul(ir, x, sum) : sum;
}

// sin(x + ahead * pi/2). Of numbers so large that the rest has no digits left
// the result is at least one of a sine.
static MlirValue circular(const xc_ir *ir, MlirValue x, double ahead) {
  turned t = split_turns(ir, x);
  MlirValue sine = circular_series(ir, t.rest, true);
  MlirValue cosine = circular_series(ir, t.rest, false);
  // Odd quarters are those of the cosine, every other two are below 0.
  MlirValue half = xc_ir_mul(ir, xc_ir_add(ir, t.quarter, number(ir, x, ahead)),
                             number(ir, x, 0.5));
  MlirValue whole = xc_ir_math(ir, "math.floor", half);
  MlirValue is_odd = xc_ir_compare(ir, XC_IR_GT, half, whole);
  MlirValue turns = xc_ir_mul(ir, whole, number(ir, x, 0.5));
  MlirValue is_low =
      xc_ir_compare(ir, XC_IR_GT, turns, xc_ir_math(ir, "math.floor", turns));
  MlirValue y = xc_ir_select(ir, is_odd, cosine, sine);
  y = xc_ir_select(ir, is_low, xc_ir_neg(ir, y), y);
  return at_most(ir, at_least(ir, y, -1), 1);
}

MlirValue xc_math_sin(const xc_ir *ir, MlirValue x) {
  return circular(ir, x, 0);
}

MlirValue xc_math_cos(const xc_ir *ir, MlirValue x) {
  return circular(ir, x, 1);
}
