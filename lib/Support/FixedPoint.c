//===- FixedPoint.c - fixed-point arithmetic ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/FixedPoint.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static_assert((INT64_C(-3) >> 1) == -2, "signed shifts are arithmetic");

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

typedef struct name_row {
  const char *name;
  int value;
} name_row;

// The first row of a value has the name that is written.
static const name_row round_modes[] = {
    {"DPU_ROUND", XcRoundModeDpu},
    {"XPU_ROUND", XcRoundModeDpu},
    {"STD_ROUND", XcRoundModeStd},
    {"PY3_ROUND", XcRoundModePy3},
};

static const name_row activations[] = {
    {"NONE", XcActivationNone},     {"RELU", XcActivationRelu},
    {"PRELU", XcActivationPrelu},   {"LEAKYRELU", XcActivationLeakyRelu},
    {"RELU6", XcActivationRelu6},   {"HSIGMOID", XcActivationHSigmoid},
    {"HSWISH", XcActivationHSwish},
};

static const name_row *find_name(const name_row *rows, size_t count,
                                 const char *name, size_t length) {
  for (size_t i = 0; i < count; ++i)
    if (strlen(rows[i].name) == length &&
        memcmp(rows[i].name, name, length) == 0)
      return &rows[i];
  return NULL;
}

static const char *find_value(const name_row *rows, size_t count, int value) {
  for (size_t i = 0; i < count; ++i)
    if (rows[i].value == value)
      return rows[i].name;
  assert(false && "every enumerator has a name");
  return "";
}

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

bool xcRoundModeParse(const char *name, size_t length, XcRoundMode *mode) {
  const name_row *row =
      find_name(round_modes, COUNT(round_modes), name, length);
  if (row)
    *mode = (XcRoundMode)row->value;
  return row != NULL;
}

const char *xcRoundModeGetName(XcRoundMode mode) {
  return find_value(round_modes, COUNT(round_modes), (int)mode);
}

bool xcActivationParse(const char *name, size_t length,
                       XcActivation *activation) {
  const name_row *row =
      find_name(activations, COUNT(activations), name, length);
  if (row)
    *activation = (XcActivation)row->value;
  return row != NULL;
}

const char *xcActivationGetName(XcActivation activation) {
  return find_value(activations, COUNT(activations), (int)activation);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

// Whether a number between `floor` and floor + 1 goes up: `half` is the bit
// below the point, `more` says whether any lower bit is set.
static bool goes_up(XcRoundMode mode, int64_t floor, bool half, bool more) {
  if (!half || more)
    return half;
  switch (mode) {
  case XcRoundModeDpu:
    return true;
  case XcRoundModeStd:
    return floor >= 0;
  case XcRoundModePy3:
    return floor & 1;
  }
  return true;
}

int64_t xcRoundShiftMode(int64_t value, int shift, XcRoundMode mode) {
  if (shift <= 0)
    return xcShiftLeftSaturated(value, -shift);
  // Below a half whatever the value is.
  if (shift > 64)
    return 0;
  int64_t floor = shift == 64 ? -(value < 0) : value >> shift;
  bool half = value >> (shift - 1) & 1;
  bool more = (uint64_t)value & ((UINT64_C(1) << (shift - 1)) - 1);
  return floor + goes_up(mode, floor, half, more);
}

static double round_real(double real, XcRoundMode mode) {
  double whole = trunc(real);
  double rest = fabs(real - whole);
  double away = real < 0 ? whole - 1 : whole + 1;
  if (rest != 0.5)
    return rest > 0.5 ? away : whole;
  switch (mode) {
  case XcRoundModeDpu:
    return real < 0 ? whole : away;
  case XcRoundModeStd:
    return away;
  case XcRoundModePy3:
    return fmod(whole, 2) != 0 ? away : whole;
  }
  return whole;
}

/// ldexp, which is one multiplication for every power of two that is a normal
/// number: calibration asks for it billions of times.
static double scale(double real, int exponent) {
  enum { BIAS = 1023, FRACTION_BITS = 52 };
  if (exponent <= -BIAS || exponent > BIAS)
    return ldexp(real, exponent);
  uint64_t bits = (uint64_t)(exponent + BIAS) << FRACTION_BITS;
  double power;
  memcpy(&power, &bits, sizeof power);
  return real * power;
}

int64_t xcFloatToFix(double real, int fixPoint, XcFixType type,
                     XcRoundMode mode) {
  double rounded = round_real(scale(real, fixPoint), mode);
  int64_t min = xcFixTypeGetMin(type), max = xcFixTypeGetMax(type);
  if (isnan(rounded))
    return 0;
  if (rounded <= (double)min)
    return min;
  if (rounded >= (double)max)
    return max;
  return (int64_t)rounded;
}

float xcFixToFloat(int64_t value, int fixPoint) {
  return (float)scale((double)value, -fixPoint);
}

float xcFix(float real, int fixPoint, XcFixType type, XcRoundMode mode) {
  return xcFixToFloat(xcFloatToFix((double)real, fixPoint, type, mode),
                      fixPoint);
}

//===----------------------------------------------------------------------===//
// acc + bias * 2^shift, for every shift
//===----------------------------------------------------------------------===//

// A two's complement number wide enough for an int64_t shifted by the largest
// distance of fix points, lowest limb first.
enum { LIMBS = 9, LARGEST_SHIFT = 32 * (LIMBS - 2) - 2 };
typedef struct wide {
  uint32_t limbs[LIMBS];
} wide;

static_assert(3 * XC_FIX_POINT_MAX <= LARGEST_SHIFT,
              "three fix points add up to less than the widest shift");

// 32 bits of `value`, extended by its sign, from bit `position` on.
static uint32_t bits_at(int64_t value, int position) {
  if (position <= -32)
    return 0;
  if (position < 0)
    return (uint32_t)((uint64_t)value << -position);
  return (uint32_t)(value >> (position > 63 ? 63 : position));
}

static void wide_add(wide *sum, int64_t value, int shift) {
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; ++i) {
    carry += (uint64_t)sum->limbs[i] + bits_at(value, 32 * i - shift);
    sum->limbs[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

static bool wide_bit(const wide *number, int position) {
  int last = 32 * LIMBS - 1;
  if (position < 0)
    return false;
  if (position > last)
    position = last;
  return number->limbs[position / 32] >> (position % 32) & 1;
}

static bool wide_is_negative(const wide *number) {
  return wide_bit(number, 32 * LIMBS - 1);
}

// number / 2^shift, rounded and held at the limits of int64_t.
static int64_t wide_round(const wide *number, int shift, XcRoundMode mode) {
  bool negative = wide_is_negative(number);
  int64_t limit = negative ? INT64_MIN : INT64_MAX;
  // Further left than this only 0 stays in range, and 0 is never wide.
  if (shift < -62)
    return limit;
  for (int i = shift + 62 < 0 ? 0 : shift + 62; i < 32 * LIMBS; ++i)
    if (wide_bit(number, i) != negative)
      return limit;
  uint64_t low = 0;
  for (int i = 0; i < 64; ++i)
    low |= (uint64_t)wide_bit(number, shift + i) << i;
  bool more = false;
  for (int i = 0; i < shift - 1 && i < 32 * LIMBS && !more; ++i)
    more = wide_bit(number, i);
  int64_t floor = negative ? -(int64_t)~low - 1 : (int64_t)low;
  return floor + goes_up(mode, floor, wide_bit(number, shift - 1), more);
}

static int64_t magnitude(int64_t value) { return value < 0 ? -value : value; }

// (acc + bias * 2^shift_bias) * 2^scale is an integer. It nearly always has
// room in 64 bits; clearing a wide one takes longer than all the rest.
static int scale_of(int shift_bias) {
  assert(magnitude(shift_bias) <= LARGEST_SHIFT &&
         "fix points are checked where they come in");
  return shift_bias < 0 ? -shift_bias : 0;
}

static bool add_narrow(int64_t acc, int64_t bias, int shift_bias,
                       int64_t *sum) {
  int acc_shift = scale_of(shift_bias), bias_shift = shift_bias + acc_shift;
  const int64_t half = INT64_C(1) << 61;
  if (acc_shift >= 62 || bias_shift >= 62 ||
      magnitude(acc) > half >> acc_shift ||
      magnitude(bias) > half >> bias_shift)
    return false;
  *sum = acc * (INT64_C(1) << acc_shift) + bias * (INT64_C(1) << bias_shift);
  return true;
}

static wide add_wide(int64_t acc, int64_t bias, int shift_bias) {
  wide sum = {0};
  wide_add(&sum, acc, scale_of(shift_bias));
  wide_add(&sum, bias, shift_bias + scale_of(shift_bias));
  return sum;
}

static bool affine_is_negative(int64_t acc, int64_t bias, int shift_bias) {
  int64_t sum;
  if (add_narrow(acc, bias, shift_bias, &sum))
    return sum < 0;
  wide number = add_wide(acc, bias, shift_bias);
  return wide_is_negative(&number);
}

//===----------------------------------------------------------------------===//
// Results of the -fix operators
//===----------------------------------------------------------------------===//

static int64_t affine_round(const XcFixEpilogue *epilogue, int64_t acc,
                            int64_t bias, int extra_shift) {
  int64_t sum;
  int shift = epilogue->shiftCut + extra_shift + scale_of(epilogue->shiftBias);
  if (add_narrow(acc, bias, epilogue->shiftBias, &sum))
    return xcRoundShiftMode(sum, shift, epilogue->roundMode);
  wide number = add_wide(acc, bias, epilogue->shiftBias);
  return wide_round(&number, shift, epilogue->roundMode);
}

static int64_t hard(const XcFixEpilogue *epilogue, int64_t acc, int64_t bias) {
  int64_t t = xcSaturate8(affine_round(epilogue, acc, bias, 0));
  int64_t h = xcHSigmoid(t, epilogue->hsigmoidIn, epilogue->shiftHSigmoid);
  if (epilogue->activation == XcActivationHSigmoid)
    return h;
  return xcRoundShift(t * xcSaturate8(h), epilogue->shiftHSwish);
}

static int64_t activate(const XcFixEpilogue *epilogue, int64_t acc,
                        int64_t bias) {
  bool negative = affine_is_negative(acc, bias, epilogue->shiftBias);
  switch (epilogue->activation) {
  case XcActivationNone:
    break;
  case XcActivationRelu:
    if (negative)
      return 0;
    break;
  case XcActivationPrelu:
    if (negative)
      return affine_round(epilogue, acc * epilogue->preluIn,
                          bias * epilogue->preluIn, epilogue->preluShift);
    break;
  case XcActivationLeakyRelu:
    if (negative)
      return affine_round(epilogue, acc * XC_LEAKY_FACTOR,
                          bias * XC_LEAKY_FACTOR, XC_LEAKY_SHIFT);
    break;
  case XcActivationRelu6: {
    if (negative)
      return 0;
    // Rounding keeps order, so both sides of the comparison may be rounded.
    int64_t limit =
        xcRoundShiftMode(6, -epilogue->outputFixPoint, epilogue->roundMode);
    int64_t result = affine_round(epilogue, acc, bias, 0);
    return result < limit ? result : limit;
  }
  case XcActivationHSigmoid:
  case XcActivationHSwish:
    return hard(epilogue, acc, bias);
  }
  return affine_round(epilogue, acc, bias, 0);
}

int64_t xcFixEpilogueApply(const XcFixEpilogue *epilogue, int64_t acc,
                           int64_t bias) {
  return xcSaturate(activate(epilogue, acc, bias), epilogue->type);
}

//===----------------------------------------------------------------------===//
// Average pool
//===----------------------------------------------------------------------===//

XcAvgFactor xcAvgPoolFactor(int64_t kernelH, int64_t kernelW) {
  // Kernels whose factor the engines fix; the others are searched.
  static const struct {
    int64_t h, w;
    XcAvgFactor factor;
  } fixed[] = {{3, 3, {7, 6}},    {5, 5, {10, 8}}, {6, 6, {7, 8}},
               {3, 6, {7, 7}},    {6, 3, {7, 7}},  {7, 7, {21, 10}},
               {14, 14, {21, 12}}};
  for (size_t i = 0; i < COUNT(fixed); ++i)
    if (fixed[i].h == kernelH && fixed[i].w == kernelW)
      return fixed[i].factor;
  int64_t n = kernelH * kernelW;
  assert(n >= 1 && n <= INT64_C(1) << 24 && "kernels are checked before");
  XcAvgFactor best = {0, 0};
  int64_t best_error = n;
  // The first M with the smallest |N / 2^M - 1/n|, 2^M < 128 n; errors are
  // compared as |N n - 2^M| / 2^M.
  for (int shift = 0; INT64_C(1) << shift < n * 128; ++shift) {
    int64_t power = INT64_C(1) << shift;
    int64_t factor = (2 * power + n) / (2 * n);
    int64_t error = magnitude(factor * n - power);
    if (shift == 0 || error * (INT64_C(1) << best.shift) < best_error * power) {
      best = (XcAvgFactor){(int32_t)factor, shift};
      best_error = error;
    }
  }
  return best;
}

/// Returns how often 2 divides a number that is not 0.
static int factors_of_two(int64_t number) {
  int count = 0;
  for (; number % 2 == 0; number /= 2)
    ++count;
  return count;
}

bool xcExactAvgPoolFactor(int64_t elements, int fixPointGain,
                          XcAvgFactor *factor) {
  enum { MOST_BITS = 23 }; // 128 * 2^23 is 2^30
  if (elements < 1 || elements > INT64_C(1) << MOST_BITS)
    return false;
  bool is_power = (elements & (elements - 1)) == 0;
  if (!is_power && factors_of_two(elements) > fixPointGain)
    return false;
  for (int shift = 0; shift <= MOST_BITS; ++shift) {
    int64_t power = INT64_C(1) << shift;
    int64_t number = (power + elements - 1) / elements;
    int64_t excess = number * elements - power;
    if (number > INT16_MAX)
      return false;
    if (excess != 0 && 258 * elements * excess >= power)
      continue;
    *factor = (XcAvgFactor){(int32_t)number, shift};
    return true;
  }
  return false;
}
