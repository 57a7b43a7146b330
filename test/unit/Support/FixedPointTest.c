//===- FixedPointTest.c - unit tests of the rounding kernel ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/FixedPoint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const XcFixType int8 = {8, true};

static void vectors_of_the_specification(void **state) {
  (void)state;
  assert_int_equal(xcRnd8(5, 1), 3);
  assert_int_equal(xcRnd8(-5, 1), -2);
  assert_int_equal(xcRnd8(-3, 1), -1);
  assert_int_equal(xcRnd8(255, 1), 127);
  assert_int_equal(xcRnd8(-257, 1), -128);
  assert_int_equal(xcRnd8(3, -2), 12);
  assert_int_equal(xcActRnd8(-256, 0, XcActivationLeakyRelu), -26);
  // Two guard bits: 5 / 2^3 counts as 2/4.
  assert_int_equal(xcFixAddTerm(5, 3), 2);
  assert_int_equal(xcFixAddTerm(-5, 3), -3);
  assert_int_equal(xcFixAddResult(xcFixAddTerm(5, 3), 0), 1);
  // Hard sigmoid, input fix point 2, output fix point 7.
  assert_int_equal(xcSaturate8(xcHSigmoid(0, 2, 9)), 64);
  assert_int_equal(xcSaturate8(xcHSigmoid(12, 2, 9)), 127);
  assert_int_equal(xcSaturate8(xcHSigmoid(-12, 2, 9)), 0);
}

static void modes_differ_in_the_half_only(void **state) {
  (void)state;
  // value / 4 for -10..10, as { DPU, STD, PY3 }.
  static const struct {
    int value, dpu, std, py3;
  } rows[] = {{-10, -2, -3, -2}, {-9, -2, -2, -2}, {-7, -2, -2, -2},
              {-6, -1, -2, -2},  {-5, -1, -1, -1}, {-2, 0, -1, 0},
              {-1, 0, 0, 0},     {0, 0, 0, 0},     {2, 1, 1, 0},
              {6, 2, 2, 2},      {7, 2, 2, 2},     {10, 3, 3, 2}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    int value = rows[i].value;
    assert_int_equal(xcRoundShift(value, 2), rows[i].dpu);
    assert_int_equal(xcRoundShiftMode(value, 2, XcRoundModeDpu), rows[i].dpu);
    assert_int_equal(xcRoundShiftMode(value, 2, XcRoundModeStd), rows[i].std);
    assert_int_equal(xcRoundShiftMode(value, 2, XcRoundModePy3), rows[i].py3);
    double real = value / 4.0;
    assert_int_equal(xcFloatToFix(real, 0, int8, XcRoundModeDpu), rows[i].dpu);
    assert_int_equal(xcFloatToFix(real, 0, int8, XcRoundModeStd), rows[i].std);
    assert_int_equal(xcFloatToFix(real, 0, int8, XcRoundModePy3), rows[i].py3);
  }
  // The largest number below a half rounds down although adding 0.5 gives 1.
  double below = nextafter(0.5, 0);
  assert_int_equal(xcFloatToFix(below, 0, int8, XcRoundModeDpu), 0);
  assert_int_equal(xcFloatToFix(-below, 0, int8, XcRoundModeStd), 0);
}

static void extreme_shifts_stay_defined(void **state) {
  (void)state;
  const int64_t values[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX};
  for (size_t i = 0; i < sizeof(values) / sizeof(*values); ++i)
    for (int shift = -200; shift <= 200; ++shift)
      for (int mode = 0; mode < 3; ++mode) {
        int64_t value = values[i];
        int64_t got = xcRoundShiftMode(value, shift, (XcRoundMode)mode);
        if (mode == XcRoundModeDpu)
          assert_int_equal(got, xcRoundShift(value, shift));
        if (value == 0 || shift > 64)
          assert_int_equal(got, 0);
        else if (shift < -63)
          assert_int_equal(got, value < 0 ? INT64_MIN : INT64_MAX);
      }
  assert_int_equal(xcRoundShiftMode(INT64_MIN, 64, XcRoundModeStd), -1);
  assert_int_equal(xcRoundShiftMode(INT64_MIN, 64, XcRoundModeDpu), 0);
  assert_int_equal(xcRoundShift(INT64_MAX, 63), 1);
  assert_int_equal(xcShiftLeftSaturated(-3, 62), INT64_MIN);
  assert_int_equal(xcShiftLeftSaturated(-1, 62), -(INT64_C(1) << 62));
}

static void types_saturate(void **state) {
  (void)state;
  assert_int_equal(xcSaturate(300, (XcFixType){8, false}), 255);
  assert_int_equal(xcSaturate(-1, (XcFixType){8, false}), 0);
  assert_int_equal(xcSaturate(-9, (XcFixType){4, true}), -8);
  assert_int_equal(xcSaturate(INT64_MAX, (XcFixType){32, true}), INT32_MAX);
  assert_int_equal(xcFloatToFix(1e30, 7, int8, XcRoundModeDpu), 127);
  assert_int_equal(xcFloatToFix(-INFINITY, 7, int8, XcRoundModeDpu), -128);
  assert_int_equal(xcFloatToFix(NAN, 7, int8, XcRoundModeDpu), 0);
  assert_true(xcFix(0.3F, 4, int8, XcRoundModeDpu) == 0.3125F);
  assert_true(xcFixToFloat(-128, -3) == -1024.0F);
  // Powers of two at and beyond the ends of a double.
  assert_true(xcFixToFloat(3, 140) == ldexpf(3, -140));
  for (int power = 1020; power <= 1026; ++power) {
    assert_int_equal(
        xcFloatToFix(ldexp(5, -power), power, int8, XcRoundModeDpu), 5);
    assert_int_equal(
        xcFloatToFix(ldexp(0.75, power - 4), 6 - power, int8, XcRoundModeDpu),
        3);
    assert_true(xcFixToFloat(1, power) == 0.0F);
  }
}

static void names_parse(void **state) {
  (void)state;
  XcRoundMode mode;
  assert_true(xcRoundModeParse("XPU_ROUND", 9, &mode));
  assert_string_equal(xcRoundModeGetName(mode), "DPU_ROUND");
  assert_false(xcRoundModeParse("XPU_ROUNDS", 10, &mode));
  assert_false(xcRoundModeParse("", 0, &mode));
  XcActivation activation;
  assert_true(xcActivationParse("LEAKYRELU", 9, &activation));
  assert_int_equal(activation, XcActivationLeakyRelu);
  assert_string_equal(xcActivationGetName(XcActivationHSwish), "HSWISH");
}

// The rational (acc + bias 2^b) / 2^c, times 26/256 or not, in long double:
// exact while all parts fit into 64 bits.
static int64_t slow_epilogue(const XcFixEpilogue *epilogue, int64_t acc,
                             int64_t bias) {
  long double real =
      (long double)acc + ldexpl((long double)bias, epilogue->shiftBias);
  if (real < 0 && epilogue->activation == XcActivationLeakyRelu)
    real = real * 26 / 256;
  if (real < 0 && epilogue->activation == XcActivationPrelu)
    real = ldexpl(real * epilogue->preluIn, -epilogue->preluShift);
  if (real < 0 && epilogue->activation != XcActivationNone &&
      epilogue->activation != XcActivationLeakyRelu &&
      epilogue->activation != XcActivationPrelu)
    real = 0;
  real = ldexpl(real, -epilogue->shiftCut);
  if (epilogue->activation == XcActivationRelu6 &&
      real > ldexpl(6, epilogue->outputFixPoint))
    real = ldexpl(6, epilogue->outputFixPoint);
  real = floorl(real + 0.5L);
  return real < -128 ? -128 : real > 127 ? 127 : (int64_t)real;
}

static uint32_t next(uint32_t *seed) {
  *seed = *seed * 1664525 + 1013904223;
  return *seed >> 8;
}

static void epilogue_is_exact(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int i = 0; i < 200000; ++i) {
    XcFixEpilogue epilogue = {
        .shiftBias = (int)(next(&seed) % 24) - 8,
        .shiftCut = (int)(next(&seed) % 24) - 4,
        .type = int8,
        .activation = (XcActivation)(next(&seed) % 5),
        .preluIn = (int)(next(&seed) % 256) - 128,
        .preluShift = (int)(next(&seed) % 10),
        .outputFixPoint = (int)(next(&seed) % 9) - 2,
    };
    int64_t acc = (int64_t)(next(&seed) % 65536) - 32768;
    int64_t bias = (int64_t)(next(&seed) % 256) - 128;
    assert_int_equal(xcFixEpilogueApply(&epilogue, acc, bias),
                     slow_epilogue(&epilogue, acc, bias));
  }
}

// The integer form of the hardware: doubled accumulator, bias shifted by one
// more.
static void epilogue_agrees_with_the_instruction_form(void **state) {
  (void)state;
  static const XcActivation kinds[] = {XcActivationNone, XcActivationRelu,
                                       XcActivationLeakyRelu};
  uint32_t seed = 7;
  for (int i = 0; i < 200000; ++i) {
    XcFixEpilogue epilogue = {.shiftBias = (int)(next(&seed) % 18) - 1,
                              .shiftCut = (int)(next(&seed) % 17),
                              .type = int8,
                              .activation = kinds[next(&seed) % 3]};
    int64_t acc = (int64_t)(next(&seed) % (1 << 20)) - (1 << 19);
    int64_t bias = (int64_t)(next(&seed) % 256) - 128;
    int64_t doubled = 2 * acc + bias * (INT64_C(1) << (epilogue.shiftBias + 1));
    assert_int_equal(
        xcFixEpilogueApply(&epilogue, acc, bias),
        xcActRnd8(doubled, epilogue.shiftCut + 1, epilogue.activation));
  }
}

static void far_shifts_take_the_wide_path(void **state) {
  (void)state;
  XcFixEpilogue epilogue = {.type = int8};
  // 2^45 + 2^-100: the tie at shift 46 becomes more than a tie.
  epilogue.shiftBias = -100;
  epilogue.shiftCut = 46;
  epilogue.roundMode = XcRoundModePy3;
  const int64_t acc = INT64_C(1) << 45;
  assert_int_equal(xcFixEpilogueApply(&epilogue, acc, 0), 0);
  assert_int_equal(xcFixEpilogueApply(&epilogue, acc, 1), 1);
  assert_int_equal(xcFixEpilogueApply(&epilogue, acc, -1), 0);
  // Differences that cancel all but the last bit, and back up again.
  epilogue.shiftBias = 100;
  epilogue.shiftCut = 99;
  assert_int_equal(xcFixEpilogueApply(&epilogue, 1, -3), -6);
  epilogue.roundMode = XcRoundModeStd;
  epilogue.shiftCut = 101;
  assert_int_equal(xcFixEpilogueApply(&epilogue, 0, -3), -2);
  assert_int_equal(xcFixEpilogueApply(&epilogue, 1, -3), -1);
  assert_int_equal(xcFixEpilogueApply(&epilogue, -1, -3), -2);
  epilogue.shiftBias = -80;
  epilogue.shiftCut = -80;
  assert_int_equal(xcFixEpilogueApply(&epilogue, 0, 5), 5);
  assert_int_equal(xcFixEpilogueApply(&epilogue, 1, 5), 127);
  assert_int_equal(xcFixEpilogueApply(&epilogue, -1, 5), -128);
  epilogue.shiftBias = 189;
  epilogue.shiftCut = -189;
  assert_int_equal(xcFixEpilogueApply(&epilogue, 1, -1), -128);
  epilogue.activation = XcActivationRelu;
  assert_int_equal(xcFixEpilogueApply(&epilogue, 1, -1), 0);
}

static void hard_activations(void **state) {
  (void)state;
  XcFixEpilogue epilogue = {.type = int8,
                            .activation = XcActivationHSigmoid,
                            .hsigmoidIn = 2,
                            .shiftHSigmoid = 9};
  assert_int_equal(xcFixEpilogueApply(&epilogue, 0, 0), 64);
  assert_int_equal(xcFixEpilogueApply(&epilogue, 10, 2), 127);
  // Hard swish: 1.0 * 4/6 = 0.667 at fix point 5, from 4 at fix point 2.
  epilogue.activation = XcActivationHSwish;
  epilogue.shiftHSwish = 2 + 7 - 5;
  assert_int_equal(xcFixEpilogueApply(&epilogue, 4, 0), 21);
  assert_int_equal(xcFixEpilogueApply(&epilogue, -12, 0), 0);
}

static void relu6_of_engine_and_operator(void **state) {
  (void)state;
  assert_int_equal(xcActRnd8(1000, 1, XcActivationRelu6), 96);
  assert_int_equal(xcActRnd8(191, 1, XcActivationRelu6), 96);
  assert_int_equal(xcActRnd8(189, 1, XcActivationRelu6), 95);
  assert_int_equal(xcActRnd8(-5, 1, XcActivationRelu6), 0);
  XcFixEpilogue epilogue = {
      .type = int8, .activation = XcActivationRelu6, .outputFixPoint = 2};
  assert_int_equal(xcFixEpilogueApply(&epilogue, 100, 0), 24);
  epilogue.outputFixPoint = 5;
  assert_int_equal(xcFixEpilogueApply(&epilogue, 1000, 0), 127);
  epilogue.outputFixPoint = -2; // 6 / 4 = 1.5, rounded once
  assert_int_equal(xcFixEpilogueApply(&epilogue, 9, 0), 2);
}

static void expect_factor(int64_t h, int64_t w, int factor, int shift) {
  XcAvgFactor got = xcAvgPoolFactor(h, w);
  assert_int_equal(got.factor, factor);
  assert_int_equal(got.shift, shift);
}

static void average_factors(void **state) {
  (void)state;
  expect_factor(3, 3, 7, 6);
  expect_factor(5, 5, 10, 8);
  expect_factor(6, 6, 7, 8);
  expect_factor(3, 6, 7, 7);
  expect_factor(6, 3, 7, 7);
  expect_factor(7, 7, 21, 10);
  expect_factor(14, 14, 21, 12);
  expect_factor(1, 1, 1, 0);
  expect_factor(2, 2, 1, 2);
  expect_factor(8, 8, 1, 6);
  // 1/6: 2^9 / 6 = 85.33 -> 85 / 512 is the first of the best.
  expect_factor(2, 3, 85, 9);
  assert_int_equal(xcAvgPool(9 * 16, xcAvgPoolFactor(3, 3), 0), 16);
  assert_int_equal(xcAvgPool(10, xcAvgPoolFactor(2, 2), 1), 5);
  // The search against a plain floating-point one.
  for (int64_t h = 1; h <= 24; ++h)
    for (int64_t w = 1; w <= 24; ++w) {
      XcAvgFactor got = xcAvgPoolFactor(h, w);
      double n = (double)(h * w);
      double error = fabs(got.factor / exp2(got.shift) - 1 / n);
      bool is_fixed =
          (h == w && (h == 3 || h == 5 || h == 6 || h == 7 || h == 14)) ||
          (h == 3 && w == 6) || (h == 6 && w == 3);
      for (int shift = 0; shift < ceil(log2(n * 128)) && !is_fixed; ++shift)
        assert_true(fabs(round(exp2(shift) / n) / exp2(shift) - 1 / n) >=
                    error - 1e-15);
    }
}

/// Every sum of the window, against the quotient itself.
static void exact_averages(void **state) {
  (void)state;
  int found = 0;
  for (int64_t n = 1; n <= 81; ++n)
    for (int gain = -2; gain <= 3; ++gain) {
      XcAvgFactor factor;
      if (!xcExactAvgPoolFactor(n, gain, &factor))
        continue;
      ++found;
      assert_in_range(factor.factor, 1, INT16_MAX);
      for (int64_t sum = -128 * n; sum <= 127 * n; ++sum) {
        // floor(sum * 2^gain / n + 1/2) of whole numbers
        int64_t up = sum * 8 * (gain < 0 ? 1 : INT64_C(1) << gain);
        int64_t below = n * 8 * (gain < 0 ? INT64_C(1) << -gain : 1);
        int64_t twice = 2 * up + below, wanted = twice / (2 * below);
        if (twice % (2 * below) < 0)
          --wanted;
        wanted = wanted < -128 ? -128 : wanted > 127 ? 127 : wanted;
        assert_int_equal(xcSaturate8(xcAvgPool(sum, factor, gain)), wanted);
      }
    }
  assert_true(found > 200);
  XcAvgFactor factor;
  assert_true(xcExactAvgPoolFactor(49, 0, &factor));
  assert_true(xcExactAvgPoolFactor(36, 2, &factor));
  // -18 / 36 is a half.
  assert_false(xcExactAvgPoolFactor(36, 0, &factor));
  assert_false(xcExactAvgPoolFactor(9, -1, &factor));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_of_the_specification),
      cmocka_unit_test(modes_differ_in_the_half_only),
      cmocka_unit_test(extreme_shifts_stay_defined),
      cmocka_unit_test(types_saturate),
      cmocka_unit_test(names_parse),
      cmocka_unit_test(epilogue_is_exact),
      cmocka_unit_test(epilogue_agrees_with_the_instruction_form),
      cmocka_unit_test(far_shifts_take_the_wide_path),
      cmocka_unit_test(hard_activations),
      cmocka_unit_test(relu6_of_engine_and_operator),
      cmocka_unit_test(average_factors),
      cmocka_unit_test(exact_averages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
