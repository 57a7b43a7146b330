//===- FixedPointIR.c - fixed-point arithmetic as operations --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FixedPointIR.h"

#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <math.h>

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

unsigned xc_ir_bits_of(int64_t limit) {
  unsigned bits = 1;
  for (; limit > 0; limit >>= 1)
    ++bits;
  return bits;
}

unsigned xc_ir_sum_bits(int64_t count) {
  return xc_ir_bits_of(count > 0 ? count : 1) + 16;
}

static unsigned width_of(MlirValue value) {
  return mlirIntegerTypeGetWidth(xc_ir_element_type(mlirValueGetType(value)));
}

MlirValue xc_ir_widen(const xc_ir *ir, MlirValue value, unsigned bits) {
  unsigned width = width_of(value);
  if (bits <= width)
    return value;
  // Fix points far apart need more than any machine word has.
  for (width = 64; width < bits; width *= 2)
    ;
  MlirType type = xc_ir_with_element(mlirValueGetType(value),
                                     mlirIntegerTypeGet(ir->context, width));
  return xc_ir_int_cast(ir, value, type);
}

static xc_ir_bounded shift_left(const xc_ir *ir, xc_ir_bounded x, int shift) {
  unsigned bits = x.bits + (unsigned)shift;
  return (xc_ir_bounded){xc_ir_shli(ir, xc_ir_widen(ir, x.value, bits), shift),
                         bits};
}

static xc_ir_bounded multiply(const xc_ir *ir, xc_ir_bounded x, int64_t by) {
  unsigned bits = x.bits + xc_ir_bits_of(by < 0 ? -by : by);
  return (xc_ir_bounded){xc_ir_muli(ir, xc_ir_widen(ir, x.value, bits), by),
                         bits};
}

// Constants of types wider than 64 bits come from shifts.
static MlirValue power_of_two(const xc_ir *ir, MlirValue like, int exponent) {
  MlirValue one = xc_ir_int(ir, mlirValueGetType(like), 1);
  return xc_ir_shli(ir, one, exponent);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

MlirValue xc_ir_saturate(const xc_ir *ir, MlirValue value, XcFixType type) {
  return xc_ir_clampi(ir, value, xcFixTypeGetMin(type), xcFixTypeGetMax(type));
}

// Returns a value that is 1 where `truth` holds.
static MlirValue as_number(const xc_ir *ir, MlirValue truth, MlirValue like) {
  return xc_ir_uint_cast(ir, truth, mlirValueGetType(like));
}

// value / 2^shift, shift > 0: the half that is added loses one where a tie
// goes down.
static MlirValue round_right(const xc_ir *ir, MlirValue value, int shift,
                             XcRoundMode mode) {
  MlirValue half = power_of_two(ir, value, shift - 1);
  MlirValue sum = xc_ir_add(ir, value, half);
  switch (mode) {
  case XcRoundModeDpu:
    break;
  case XcRoundModeStd: {
    MlirValue negative = xc_ir_comparei(ir, XC_IR_LT, value, 0);
    sum = xc_ir_sub(ir, sum, as_number(ir, negative, value));
    break;
  }
  case XcRoundModePy3: {
    MlirValue odd = xc_ir_and(ir, xc_ir_shri(ir, value, shift),
                              xc_ir_int(ir, mlirValueGetType(value), 1));
    sum = xc_ir_add(ir, xc_ir_addi(ir, sum, -1), odd);
    break;
  }
  }
  return xc_ir_shri(ir, sum, shift);
}

// The limits of a type leave room for shifting left without overflow: what is
// cut off before is cut off after as well.
static MlirValue saturate_left(const xc_ir *ir, xc_ir_bounded value, int shift,
                               XcFixType type) {
  enum { LIMIT_BITS = 34, MOST = 40 };
  MlirValue wide = xc_ir_widen(ir, value.value, type.bits + 1u);
  if (shift > MOST)
    shift = MOST;
  if (value.bits + (unsigned)shift > width_of(wide)) {
    const int64_t limit = INT64_C(1) << (LIMIT_BITS - 1);
    wide = xc_ir_widen(ir, wide, LIMIT_BITS + 1u + (unsigned)shift);
    wide = xc_ir_clampi(ir, wide, -limit, limit);
  }
  return xc_ir_saturate(ir, xc_ir_shli(ir, wide, shift), type);
}

MlirValue xc_ir_round_saturate(const xc_ir *ir, xc_ir_bounded value, int shift,
                               XcRoundMode mode, XcFixType type) {
  if (shift <= 0)
    return saturate_left(ir, value, -shift, type);
  MlirValue wide = xc_ir_widen(ir, value.value, value.bits + 1);
  // Below a half whatever the value is.
  if (shift > (int)value.bits)
    return xc_ir_saturate(ir, xc_ir_int(ir, mlirValueGetType(wide), 0), type);
  wide = xc_ir_widen(ir, wide, (unsigned)shift + 2);
  wide = xc_ir_widen(ir, wide, type.bits + 1u);
  return xc_ir_saturate(ir, round_right(ir, wide, shift, mode), type);
}

MlirValue xc_ir_round_ratio(const xc_ir *ir, MlirValue numerator,
                            MlirValue denominator, int shift, XcRoundMode mode,
                            XcFixType type) {
  if (shift < 0)
    numerator = xc_ir_shli(ir, numerator, -shift < 24 ? -shift : 24);
  else
    denominator = xc_ir_shli(ir, denominator, shift < 24 ? shift : 24);
  MlirValue quotient = xc_ir_div(ir, numerator, denominator);
  MlirValue rest =
      xc_ir_sub(ir, numerator, xc_ir_mul(ir, quotient, denominator));
  MlirValue below = xc_ir_comparei(ir, XC_IR_LT, rest, 0);
  MlirValue floor = xc_ir_sub(ir, quotient, as_number(ir, below, quotient));
  rest = xc_ir_select(ir, below, xc_ir_add(ir, rest, denominator), rest);
  MlirValue other = xc_ir_sub(ir, denominator, rest);
  MlirValue more = xc_ir_compare(ir, XC_IR_GT, rest, other);
  MlirValue tie = xc_ir_compare(ir, XC_IR_EQ, rest, other);
  switch (mode) {
  case XcRoundModeDpu:
    break;
  case XcRoundModeStd:
    tie = xc_ir_and(ir, tie, xc_ir_comparei(ir, XC_IR_GE, floor, 0));
    break;
  case XcRoundModePy3: {
    MlirValue odd = xc_ir_and(ir, floor, xc_ir_int(ir, ir->i64, 1));
    tie = xc_ir_and(ir, tie, xc_ir_comparei(ir, XC_IR_NE, odd, 0));
    break;
  }
  }
  MlirValue up = as_number(ir, xc_ir_or(ir, more, tie), floor);
  return xc_ir_saturate(ir, xc_ir_add(ir, floor, up), type);
}

//===----------------------------------------------------------------------===//
// Results of the -fix operators
//===----------------------------------------------------------------------===//

// acc + bias * 2^shift as an integer divided by 2^scale.
static xc_ir_bounded add_bias(const xc_ir *ir, xc_ir_bounded acc,
                              xc_ir_bounded bias, int shift, int *scale) {
  *scale = 0;
  if (mlirValueIsNull(bias.value))
    return acc;
  *scale = shift < 0 ? -shift : 0;
  acc = shift_left(ir, acc, *scale);
  bias = shift_left(ir, bias, shift + *scale);
  unsigned bits = 1 + (acc.bits > bias.bits ? acc.bits : bias.bits);
  MlirValue a = xc_ir_widen(ir, acc.value, bits);
  MlirValue b = xc_ir_widen(ir, bias.value, bits);
  MlirType type =
      width_of(a) > width_of(b) ? mlirValueGetType(a) : mlirValueGetType(b);
  return (xc_ir_bounded){
      xc_ir_add(ir, xc_ir_int_cast(ir, a, type), xc_ir_int_cast(ir, b, type)),
      bits};
}

MlirValue xc_ir_hard_sigmoid(const xc_ir *ir, MlirValue value, int fix_point,
                             int shift) {
  enum { SIXTH = 2731 };
  MlirValue sum = xc_ir_muli(
      ir, xc_ir_addi(ir, value, 3 * (INT64_C(1) << fix_point)), SIXTH);
  sum = xc_ir_clampi(ir, sum, 0, INT64_C(1) << 32);
  const XcFixType wide = {32, true};
  return xc_ir_round_saturate(ir, (xc_ir_bounded){sum, 34}, shift,
                              XcRoundModeDpu, wide);
}

static MlirValue hard(const xc_ir *ir, const XcFixEpilogue *epilogue,
                      xc_ir_bounded value, int shift) {
  const XcFixType byte = {8, true};
  MlirValue t =
      xc_ir_round_saturate(ir, value, shift, epilogue->roundMode, byte);
  MlirType type = xc_ir_with_element(mlirValueGetType(t), ir->i64);
  t = xc_ir_int_cast(ir, t, type);
  MlirValue h =
      xc_ir_hard_sigmoid(ir, t, epilogue->hsigmoidIn, epilogue->shiftHSigmoid);
  if (epilogue->activation == XcActivationHSigmoid)
    return xc_ir_saturate(ir, h, epilogue->type);
  MlirValue product = xc_ir_mul(ir, t, xc_ir_saturate(ir, h, byte));
  return xc_ir_round_saturate(ir, (xc_ir_bounded){product, 16},
                              epilogue->shiftHSwish, XcRoundModeDpu,
                              epilogue->type);
}

// Negative values count `factor` / 2^extra.
static MlirValue sloped(const xc_ir *ir, const XcFixEpilogue *epilogue,
                        xc_ir_bounded value, int shift, int64_t factor,
                        int extra) {
  xc_ir_bounded product = multiply(ir, value, factor);
  MlirValue below = xc_ir_round_saturate(ir, product, shift + extra,
                                         epilogue->roundMode, epilogue->type);
  MlirValue above = xc_ir_round_saturate(ir, value, shift, epilogue->roundMode,
                                         epilogue->type);
  MlirType type = width_of(below) > width_of(above) ? mlirValueGetType(below)
                                                    : mlirValueGetType(above);
  return xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_LT, value.value, 0),
                      xc_ir_int_cast(ir, below, type),
                      xc_ir_int_cast(ir, above, type));
}

MlirValue xc_ir_fix_epilogue(const xc_ir *ir, const XcFixEpilogue *epilogue,
                             xc_ir_bounded acc, xc_ir_bounded bias) {
  int scale;
  xc_ir_bounded value = add_bias(ir, acc, bias, epilogue->shiftBias, &scale);
  int shift = epilogue->shiftCut + scale;
  switch (epilogue->activation) {
  case XcActivationPrelu:
    return sloped(ir, epilogue, value, shift, epilogue->preluIn,
                  epilogue->preluShift);
  case XcActivationLeakyRelu:
    return sloped(ir, epilogue, value, shift, XC_LEAKY_FACTOR, XC_LEAKY_SHIFT);
  case XcActivationHSigmoid:
  case XcActivationHSwish:
    return hard(ir, epilogue, value, shift);
  case XcActivationNone:
  case XcActivationRelu:
  case XcActivationRelu6:
    break;
  }
  MlirValue result = xc_ir_round_saturate(ir, value, shift, epilogue->roundMode,
                                          epilogue->type);
  MlirType type = mlirValueGetType(result);
  // Rounding keeps order, so limits may be applied after it.
  if (epilogue->activation != XcActivationNone)
    result = xc_ir_max(ir, result, xc_ir_int(ir, type, 0));
  if (epilogue->activation == XcActivationRelu6) {
    int64_t limit = xcSaturate(
        xcRoundShiftMode(6, -epilogue->outputFixPoint, epilogue->roundMode),
        epilogue->type);
    result = xc_ir_min(ir, result, xc_ir_int(ir, type, limit));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Real numbers
//===----------------------------------------------------------------------===//

static MlirValue round_real(const xc_ir *ir, MlirValue real, XcRoundMode mode) {
  MlirType type = mlirValueGetType(real);
  switch (mode) {
  case XcRoundModePy3:
    return xc_ir_math(ir, "math.roundeven", real);
  case XcRoundModeStd:
    return xc_ir_math(ir, "math.round", real);
  case XcRoundModeDpu:
    break;
  }
  // Half up: floor, and one more where the rest is a half or above.
  MlirValue floor = xc_ir_math(ir, "math.floor", real);
  MlirValue up = xc_ir_compare(ir, XC_IR_GE, xc_ir_sub(ir, real, floor),
                               xc_ir_float(ir, type, 0.5));
  return xc_ir_select(ir, up, xc_ir_add(ir, floor, xc_ir_float(ir, type, 1)),
                      floor);
}

MlirValue xc_ir_float_to_fix(const xc_ir *ir, MlirValue real, int fix_point,
                             XcFixType type, XcRoundMode mode) {
  MlirValue scaled =
      xc_ir_mul(ir, real, xc_ir_float(ir, ir->f64, ldexp(1, fix_point)));
  MlirValue rounded = round_real(ir, scaled, mode);
  MlirValue low = xc_ir_float(ir, ir->f64, (double)xcFixTypeGetMin(type));
  MlirValue high = xc_ir_float(ir, ir->f64, (double)xcFixTypeGetMax(type));
  MlirValue nan = xc_ir_is_nan(ir, rounded);
  MlirValue held = xc_ir_clamp(ir, rounded, low, high);
  held = xc_ir_select(ir, nan, xc_ir_float(ir, ir->f64, 0), held);
  return xc_ir_float_to_int(ir, held, ir->i64);
}

MlirValue xc_ir_fix_to_float(const xc_ir *ir, MlirValue value, int fix_point) {
  MlirValue real = xc_ir_int_to_float(ir, value, ir->f64);
  real = xc_ir_mul(ir, real, xc_ir_float(ir, ir->f64, ldexp(1, -fix_point)));
  return xc_ir_float_cast(ir, real, ir->f32);
}
