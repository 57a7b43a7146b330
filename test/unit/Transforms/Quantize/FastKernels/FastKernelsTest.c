//===- FastKernelsTest.c - unit tests of the fast kernels -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each variant of the loops that this processor can run is held against the
// reference interpreter and the one rounding kernel, bit for bit.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Quantize/FastKernels/Conv.h"
#include "Transforms/Quantize/FastKernels/Elementwise.h"
#include "Transforms/Quantize/FastKernels/Positions.h"
#include "dialects/Verify.h"
#include "xc-c/Dialects.h"
#include "xc-c/Interpreter.h"

#include "mlir-c/Dialect/Func.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t next_random(uint64_t *state) {
  *state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = *state;
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

// Numbers of very different sizes, whose sum depends on the order, and zeros of
// both signs.
static double random_real(uint64_t *state) {
  uint64_t bits = next_random(state);
  if (bits % 8 == 0)
    return bits & 8 ? 0.0 : -0.0;
  double fraction = (double)(bits >> 40) * 0x1p-23 - 1;
  return ldexp(fraction, (int)(bits >> 4 & 63) - 32);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

static double expected(double value, int point, XcRoundMode mode) {
  return (double)xcFloatToFix(value, point, (XcFixType){8, true}, mode);
}

static void rounds_like_the_kernel(void **state) {
  (void)state;
  static const double odd[] = {0.5,
                               -0.5,
                               0.49999999999999994,
                               -0.5 - 0x1p-53,
                               127.5,
                               126.5,
                               127.49999999999999,
                               -128.5,
                               1e300,
                               -1e300,
                               INFINITY,
                               -INFINITY,
                               -0.0,
                               1e-300};
  uint64_t seed = 1;
  for (int i = 0; i < 20000; ++i) {
    double value = i < 14      ? odd[i]
                   : i < 10000 ? random_real(&seed)
                               : (double)(int64_t)next_random(&seed) * 0x1p-55;
    // Halves are common.
    if (i % 3 == 0 && i >= 14)
      value = floor(value) + 0.5;
    assert_true(xc_calibrate_round(value, 1) ==
                expected(value, 0, XcRoundModeDpu));
    assert_true(xc_calibrate_round(value, 0) ==
                expected(value, 0, XcRoundModePy3));
  }
}

enum { VALUES = 301, CANDIDATES = XC_CALIBRATE_CANDIDATES };

static void score_slowly(const double *values, int first, XcRoundMode mode,
                         double *errors, double *sums) {
  for (int i = 0; i < VALUES; ++i)
    for (int k = 0; k < CANDIDATES; ++k) {
      double rounded = ldexp(expected(values[i], first + k, mode), -first - k);
      double error = values[i] - rounded;
      errors[k] += error * error;
      sums[i * CANDIDATES + k] += rounded;
    }
}

static void scores_all_candidates(void **state) {
  (void)state;
  static const int firsts[] = {-49, -3, 0, 5, 48};
  static double values[VALUES], sums[2][VALUES * CANDIDATES];
  uint64_t seed = 2;
  for (int i = 0; i < VALUES; ++i)
    values[i] = i % 4 ? random_real(&seed)
                      : (double)(next_random(&seed) % 512) / 8 - 32;
  const xc_calibrate_loops *loops;
  for (size_t l = 0; (loops = xc_calibrate_get(l)); ++l) {
    for (size_t i = 0; i < 10 && loops->is_supported(); ++i) {
      XcRoundMode mode = i < 5 ? XcRoundModeDpu : XcRoundModePy3;
      double errors[3][CANDIDATES] = {{1}, {1}, {1}};
      memset(sums, 0, sizeof(sums));
      score_slowly(values, firsts[i % 5], mode, errors[0], sums[0]);
      xc_calibrate_candidates candidates =
          xc_calibrate_make_candidates(firsts[i % 5], mode);
      loops->score(&candidates, values, VALUES, errors[1], sums[1]);
      loops->score(&candidates, values, VALUES, errors[2], NULL);
      assert_memory_equal(errors[0], errors[1], sizeof(errors[0]));
      assert_memory_equal(errors[0], errors[2], sizeof(errors[0]));
      for (int k = 0; k < VALUES * CANDIDATES; ++k)
        assert_true(sums[0][k] == sums[1][k]);
    }
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

enum { TERMS = 67, SUMS = XC_CALIBRATE_SUMS, WIDEST = 64, ROWS = 5 };

static void fill_reals(double *reals, size_t count, uint64_t *seed) {
  for (size_t i = 0; i < count; ++i)
    reals[i] = random_real(seed);
}

static void rounds_each_product(void **state) {
  (void)state;
  static double inputs[TERMS * WIDEST], weights[TERMS * WIDEST];
  static double found[WIDEST * WIDEST];
  uint64_t seed = 4;
  fill_reals(inputs, TERMS * WIDEST, &seed);
  fill_reals(weights, TERMS * WIDEST, &seed);
  const xc_calibrate_loops *loops;
  for (size_t l = 0; (loops = xc_calibrate_get(l)); ++l) {
    if (!loops->is_supported())
      continue;
    memset(found, 0, sizeof(found));
    loops->multiply_rounded(found, WIDEST, inputs, weights, TERMS);
    for (int64_t p = 0; p < loops->points; ++p)
      for (int64_t o = 0; o < loops->outputs; ++o) {
        double sum = 0;
        for (int64_t k = 0; k < TERMS; ++k) {
          double product =
              inputs[k * loops->points + p] * weights[k * loops->outputs + o];
          sum += product;
        }
        assert_true(found[p * WIDEST + o] == sum);
      }
  }
}

static void subtracts_in_order(void **state) {
  (void)state;
  static double factors[TERMS * ROWS], from[TERMS * SUMS];
  double before[ROWS * SUMS], found[ROWS * SUMS];
  uint64_t seed = 5;
  fill_reals(factors, TERMS * ROWS, &seed);
  fill_reals(from, TERMS * SUMS, &seed);
  fill_reals(before, ROWS * SUMS, &seed);
  const xc_calibrate_loops *loops;
  for (size_t l = 0; (loops = xc_calibrate_get(l)); ++l) {
    if (!loops->is_supported())
      continue;
    memcpy(found, before, sizeof(found));
    loops->subtract(found, ROWS, factors, ROWS, from, TERMS);
    for (int i = 0; i < ROWS; ++i)
      for (int s = 0; s < SUMS; ++s) {
        double left = before[i * SUMS + s];
        for (int k = 0; k < TERMS; ++k) {
          double product = factors[i + k * ROWS] * from[k * SUMS + s];
          left -= product;
        }
        assert_true(found[i * SUMS + s] == left);
      }
  }
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

enum { OPERANDS = 3 };

typedef struct op_row {
  const char *name, *attributes;
  const char *operands[OPERANDS], *output; // those missing are null
} op_row;

#define FIX_POINTS                                                             \
  "input_fix_point = 6 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 " \
  ": i32, output_fix_point = 2 : i32, "

#define OPERAND_COUNTS(first, second, third)                                   \
  ", operandSegmentSizes = array<i32: " #first ", " #second ", " #third        \
  ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>"

#define FIX "bit_width = 8 : i32, if_signed = true, "

static const op_row op_rows[] = {
    {"conv2d",
     "kernel = [3 : i32, 3 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]",
     {"2x7x5x13xf32", "37x3x3x13xf32", "37xf32"},
     "2x7x5x37xf32"},
    {"conv2d",
     "kernel = [1 : i32, 1 : i32]",
     {"1x1x3x700xf32", "16x1x1x700xf32", NULL},
     "1x1x3x16xf32"},
    {"conv2d",
     "kernel = [7 : i32, 5 : i32], stride = [2 : i32, 3 : i32], pad = [3 : "
     "i32, 3 : i32, 2 : i32, 2 : i32]",
     {"1x20x19x3xf32", "10x5x7x3xf32", "10xf32"},
     "1x7x10x10xf32"},
    {"conv2d",
     "kernel = [3 : i32, 2 : i32], dilation = [2 : i32, 3 : i32], pad = [2 : "
     "i32, 2 : i32, 0 : i32, 0 : i32]",
     {"1x9x8x5xf32", "6x2x3x5xf32", "6xf32"},
     "1x6x8x6xf32"},
    {"conv2d",
     "kernel = [3 : i32, 3 : i32], group = 3 : i32",
     {"1x6x6x12xf32", "15x3x3x4xf32", "15xf32"},
     "1x4x4x15xf32"},
    {"depthwise-conv2d",
     "kernel = [3 : i32, 3 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]",
     {"2x5x6x11xf32", "1x3x3x11xf32", "11xf32"},
     "2x5x6x11xf32"},
    {"depthwise-conv2d",
     "kernel = [2 : i32, 3 : i32], stride = [2 : i32, 1 : i32]",
     {"1x6x6x5xf32", "3x3x2x5xf32", NULL},
     "1x4x3x15xf32"},
    {"transposed-conv2d",
     "kernel = [3 : i32, 4 : i32], stride = [2 : i32, 2 : i32]",
     {"1x4x5x9xf32", "18x4x3x9xf32", "18xf32"},
     "1x10x11x18xf32"},
    {"transposed-depthwise-conv2d",
     "kernel = [4 : i32, 4 : i32], stride = [2 : i32, 2 : i32], pad = [1 : "
     "i32, 1 : i32, 1 : i32, 1 : i32]",
     {"1x3x4x7xf32", "1x4x4x7xf32", "7xf32"},
     "1x6x8x7xf32"},
    // More terms in a phase than are packed at once, phases without a tap, and
    // without a position.
    {"transposed-conv2d",
     "kernel = [6 : i32, 6 : i32], stride = [2 : i32, 2 : i32], group = 2 : "
     "i32, pad = [1 : i32, 2 : i32, 0 : i32, 3 : i32]",
     {"2x4x5x62xf32", "10x6x6x31xf32", "10xf32"},
     "2x9x11x10xf32"},
    {"transposed-conv2d",
     "kernel = [2 : i32, 3 : i32], stride = [4 : i32, 5 : i32]",
     {"1x3x2x7xf32", "5x3x2x7xf32", "5xf32"},
     "1x13x6x5xf32"},
    {"transposed-conv2d",
     "kernel = [3 : i32, 3 : i32], stride = [8 : i32, 8 : i32]",
     {"1x1x1x7xf32", "5x3x3x7xf32", NULL},
     "1x3x3x5xf32"},
    // These are computed by the interpreter's own kernel.
    {"conv2d",
     "kernel = [2 : i32, 2 : i32]",
     {"1x4x4x6xf64", "5x2x2x6xf64", "5xf64"},
     "1x3x3x5xf64"},
    {"conv2d",
     "kernel = [2 : i32, 2 : i32]",
     {"1x4x4x6xf16", "5x2x2x6xf16", "5xf16"},
     "1x3x3x5xf16"},
    // In fixed point.
    {"conv2d-fix",
     FIX_POINTS "nonlinear = \"LEAKYRELU\", kernel = [3 : i32, 3 : i32], pad = "
                "[1 : i32, 1 : i32, 1 : i32, 1 : i32]",
     {"2x7x5x13xi8", "37x3x3x13xi8", "37xi8"},
     "2x7x5x37xi8"},
    {"conv2d-fix",
     FIX_POINTS "nonlinear = \"NONE\", kernel = [3 : i32, 3 : i32], group = 3 "
                ": i32",
     {"1x6x6x12xi8", "15x3x3x4xi8", "15xi8"},
     "1x4x4x15xi8"},
    {"depthwise-conv2d-fix",
     FIX_POINTS
     "nonlinear = \"RELU\", kernel = [2 : i32, 3 : i32], stride = [2 "
     ": i32, 1 : i32]",
     {"1x6x6x5xi8", "3x3x2x5xi8", NULL},
     "1x4x3x15xi8"},
    {"conv2d-fix",
     "input_fix_point = 6 : i32, weight_fix_point = 7 : i32, bias_fix_point = "
     "15 : i32, output_fix_point = -2 : i32, nonlinear = \"RELU\", kernel = [1 "
     ": i32, 1 : i32]",
     {"1x3x5x1101xi8", "9x1x1x1101xi8", "9xi8"},
     "1x3x5x9xi8"},
    {"conv2d-fix",
     "input_fix_point = 6 : i32, weight_fix_points = [7 : i32, 5 : i32, 9 : "
     "i32], "
     "bias_fix_points "
     "= [14 : i32, 3 : i32, 5 : i32], fix_point_channels = 16 : i32, "
     "output_fix_point = 1 : i32, "
     "nonlinear = \"NONE\", kernel = [2 : i32, 3 : i32]",
     {"1x4x6x5xi8", "37x3x2x5xi8", "37xi8"},
     "1x2x5x37xi8"},
    {"transposed-conv2d-fix",
     FIX_POINTS
     "nonlinear = \"NONE\", kernel = [3 : i32, 4 : i32], stride = [2 "
     ": i32, 2 : i32]",
     {"1x4x5x9xi8", "18x4x3x9xi8", "18xi8"},
     "1x10x11x18xi8"},
    {"transposed-conv2d-fix",
     FIX_POINTS
     "nonlinear = \"RELU\", kernel = [6 : i32, 6 : i32], stride = [2 : i32, 2 "
     ": i32], group = 2 : i32, pad = [1 : i32, 2 : i32, 0 : i32, 3 : i32]",
     {"2x4x5x122xi8", "10x6x6x61xi8", "10xi8"},
     "2x9x11x10xi8"},
    {"transposed-conv2d-fix",
     FIX_POINTS
     "nonlinear = \"NONE\", kernel = [2 : i32, 3 : i32], stride = [4 : i32, 5 "
     ": i32]",
     {"1x3x2x7xi8", "5x3x2x7xi8", "5xi8"},
     "1x13x6x5xi8"},
    {"transposed-depthwise-conv2d-fix",
     FIX_POINTS
     "nonlinear = \"NONE\", kernel = [6 : i32, 5 : i32], stride = [3 : i32, 2 "
     ": i32], pad = [1 : i32, 2 : i32, 1 : i32, 2 : i32]",
     {"1x3x4x7xi8", "1x5x6x7xi8", "7xi8"},
     "1x6x12x7xi8"},
    // On single elements.
    {"relu", "", {"3x5x701xf32"}, "3x5x701xf32"},
    {"relu6", "", {"3x5x701xf32"}, "3x5x701xf32"},
    {"clip", "min = -1.5 : f32, max = 0.1 : f32", {"2x700xf32"}, "2x700xf32"},
    {"relu", "", {"70xf16"}, "70xf16"},
    {"add", "", {"2x33x7xf32", "2x33x7xf32"}, "2x33x7xf32"},
    {"mul", "", {"2x33x7xf32", "2x33x7xf32"}, "2x33x7xf32"},
    {"sub", "", {"2x33x7xf32", "2x33x7xf32"}, "2x33x7xf32"},
    {"sigmoid", "", {"3x5x701xf32"}, "3x5x701xf32"},
    {"add", "", {"2x33x7xf32", "7xf32"}, "2x33x7xf32"},
    {"mul", "", {"1x1x7xf32", "2x33x7xf32"}, "2x33x7xf32"},
    {"mul", "", {"2x33x7xf32", "1x33x7xf32"}, "2x33x7xf32"},
    {"add", "", {"7x7xf32", "7x1xf32"}, "7x7xf32"},
    {"add", "", {"2x33x7xf32", "1xf32"}, "2x33x7xf32"},
    {"scale", "", {"2x33x7xf32", "7xf32", "7xf32"}, "2x33x7xf32"},
    {"scale", "", {"2x33x7xf32", "7xf32"}, "2x33x7xf32"},
    {"scale",
     "axis = 1 : i32",
     {"2x33x7xf32", "33xf32", "33xf32"},
     "2x33x7xf32"},
    {"scale", "", {"9x70xf64", "70xf64", "70xf64"}, "9x70xf64"},
    {"float2fix", FIX "fix_point = 5 : i32", {"9x701xf32"}, "9x701xi8"},
    {"float2fix",
     FIX "fix_point = -3 : i32, round_mode = \"PY3_ROUND\"",
     {"9x701xf32"},
     "9x701xi8"},
    {"float2fix",
     FIX "fix_point = 0 : i32, round_mode = \"STD_ROUND\"",
     {"9x701xf32"},
     "9x701xi8"},
    {"fix2float", FIX "fix_point = 7 : i32", {"9x701xi8"}, "9x701xf32"},
    {"fix2float", FIX "fix_point = -9 : i32", {"9x701xi8"}, "9x701xf32"},
    {"mul", "", {"70xf64", "70xf64"}, "70xf64"},
    {"maxpool2d",
     "kernel = [3 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 1 : i32]",
     {"2x6x7x9xf32"},
     "2x6x7x9xf32"},
    {"maxpool2d",
     "kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]",
     {"1x6x6x5xf16"},
     "1x3x3x5xf16"},
    {"eltwise-fix",
     "type = \"ADD\", input_fix_point = [5 : i32, 3 : i32, 6 : i32], "
     "output_fix_point = 2 : i32, nonlinear = \"NONE\"" OPERAND_COUNTS(1, 1, 1),
     {"1x3x15x50xi8", "1x3x15x50xi8", "1x3x15x50xi8"},
     "1x3x15x50xi8"},
    {"eltwise-fix",
     "type = \"ADD\", input_fix_point = [5 : i32, 4 : i32], output_fix_point "
     "= 5 : i32, nonlinear = \"RELU\"" OPERAND_COUNTS(1, 1, 0),
     {"1x3x5x50xi8", "1x3x5x50xi8"},
     "1x3x5x50xi8"},
    {"eltwise-fix",
     "type = \"ADD\", input_fix_point = [3 : i32, 3 : i32], output_fix_point "
     "= 3 : i32, nonlinear = \"NONE\", round_mode = "
     "\"PY3_ROUND\"" OPERAND_COUNTS(1, 1, 0),
     {"1x3x5x50xi8", "1x3x5x50xi8"},
     "1x3x5x50xi8"},
    {"eltwise-fix",
     "type = \"ADD\", input_fix_point = [3 : i32, 3 : i32], output_fix_point "
     "= 8 : i32, nonlinear = \"NONE\"" OPERAND_COUNTS(1, 1, 0),
     {"1x3x5x50xi8", "1x1x1x50xi8"},
     "1x3x5x50xi8"},
    {"eltwise-fix",
     "type = \"MUL\", input_fix_point = [3 : i32, 3 : i32], output_fix_point "
     "= 3 : i32, nonlinear = \"NONE\"" OPERAND_COUNTS(1, 1, 0),
     {"1x3x5x50xi8", "1x3x5x50xi8"},
     "1x3x5x50xi8"},
};

// The operands by name, type or both.
static void write_operands(char *text, const op_row *row, bool names,
                           bool types) {
  *text = 0;
  for (int i = 0; i < OPERANDS && row->operands[i]; ++i) {
    text += sprintf(text, "%s", i ? ", " : "");
    if (names)
      text += sprintf(text, "%%%d%s", i, types ? ": " : "");
    if (types)
      text += sprintf(text, "tensor<%s>", row->operands[i]);
  }
}

static MlirModule make_module(MlirContext context, const op_row *row) {
  static const char form[] =
      "func.func @f(%s) -> tensor<%s> {\n"
      "  %%r = \"tir.%s\"(%s) {%s%s} : (%s) -> tensor<%s>\n"
      "  return %%r : tensor<%s>\n}\n";
  bool slides =
      strstr(row->attributes, "kernel") && !strstr(row->attributes, "stride");
  char arguments[256], names[256], types[256], text[2048];
  write_operands(arguments, row, true, true);
  write_operands(names, row, true, false);
  write_operands(types, row, false, true);
  snprintf(text, sizeof(text), form, arguments, row->output, row->name, names,
           row->attributes, slides ? ", stride = [1 : i32, 1 : i32]" : "",
           types, row->output, row->output);
  return mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
}

// The loops that `convolve` is to take.
static const xc_calibrate_loops *chosen;

static bool convolve(xc_kernel_call *call) {
  return xc_calibrate_convolve(chosen, call);
}

static bool convolve_fix(xc_kernel_call *call) {
  return xc_calibrate_convolve_fix(chosen, call);
}

static void run(MlirOperation function, void **arguments, void *result) {
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  assert_non_null(interpreter);
  if (chosen) {
    xc_interpreter_replace(interpreter, xc_interpret_conv, convolve);
    xc_interpreter_replace(interpreter, xc_interpret_conv_fix, convolve_fix);
    xc_calibrate_replace_elementwise(interpreter);
  }
  assert_true(xcInterpreterRun(interpreter, arguments, &result));
  xcInterpreterDestroy(interpreter);
}

static void fill(void *data, size_t size, const char *type, uint64_t *seed) {
  xc_tensor tensor = {.data = data};
  if (strstr(type, "xi8")) {
    for (size_t i = 0; i < size; ++i)
      ((unsigned char *)data)[i] = (unsigned char)(next_random(seed) >> 56);
    return;
  }
  tensor.shape.element = strstr(type, "f64")   ? XC_ELEMENT_F64
                         : strstr(type, "f16") ? XC_ELEMENT_F16
                                               : XC_ELEMENT_F32;
  size_t count = size / xc_element_size(tensor.shape.element);
  for (size_t i = 0; i < count; ++i)
    xc_set_real(&tensor, (int64_t)i, random_real(seed));
}

// `odd` stands where a border is near, in the last operand but the bias.
static void check_row(MlirOperation function, const op_row *row, float odd) {
  chosen = NULL;
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  assert_non_null(interpreter);
  void *arguments[OPERANDS] = {NULL};
  uint64_t seed = 3;
  for (size_t i = 0; i < xcInterpreterGetNumArguments(interpreter); ++i) {
    size_t size = xcInterpreterGetArgumentSize(interpreter, i);
    arguments[i] = xc_alloc(size);
    fill(arguments[i], size, row->operands[i], &seed);
  }
  if (odd != 0)
    memcpy(arguments[row->operands[1] ? 1 : 0], &odd, sizeof(odd));
  size_t size = xcInterpreterGetResultSize(interpreter, 0);
  xcInterpreterDestroy(interpreter);
  void *exact = xc_alloc(size), *found = xc_alloc(size);
  run(function, arguments, exact);
  for (size_t l = 0; (chosen = xc_calibrate_get(l)); ++l) {
    if (!chosen->is_supported())
      continue;
    memset(found, 0xff, size);
    run(function, arguments, found);
    if (memcmp(exact, found, size) != 0)
      fail_msg("%s of %s by %s: other bits", row->name, row->operands[0],
               chosen->name);
  }
  for (size_t i = 0; i < OPERANDS; ++i)
    free(arguments[i]);
  free(exact);
  free(found);
}

static void computes_like_the_interpreter(void **state) {
  (void)state;
  MlirContext context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  assert_true(mlirLogicalResultIsSuccess(xcRegisterDialects(context)));
  for (size_t i = 0; i < sizeof(op_rows) / sizeof(*op_rows); ++i) {
    MlirModule module = make_module(context, &op_rows[i]);
    if (mlirModuleIsNull(module))
      fail_msg("row %zu does not parse", i);
    if (!xc_verify_nested(mlirModuleGetOperation(module)))
      fail_msg("row %zu is not valid", i);
    MlirOperation function =
        mlirBlockGetFirstOperation(mlirModuleGetBody(module));
    check_row(function, &op_rows[i], 0);
    check_row(function, &op_rows[i], INFINITY);
    check_row(function, &op_rows[i], NAN);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

// Those of a transposed convolution of stride 2 by 3 that fall between pixels,
// and those in the padding, are not gone over: a fit multiplies all pairs.
static void lists_taps_that_read(void **state) {
  (void)state;
  enum { P = XC_TAP_PAD, B = XC_TAP_BEYOND };
  int64_t rows[] = {P, 0, P, 1, P, 2}, columns[] = {0, P, P, 1, P, P, B, 1};
  const xc_conv_positions c = {
      .window = {.h = {2, 3, rows}, .w = {2, 4, columns}},
      .channels = 10,
      .height = 3,
      .width = 2,
      .positions = 8,
      .taps = 12};
  xc_conv_tap taps[12];
  // The first position: one row, two columns.
  assert_int_equal(xc_conv_present(&c, 0, taps), 2);
  assert_int_equal(taps[0].tap, 4);
  assert_int_equal(taps[0].pixel, 0);
  assert_int_equal(taps[1].tap, 7);
  assert_int_equal(taps[1].pixel, 10);
  // The last one, of the second image: two rows, one column.
  assert_int_equal(xc_conv_present(&c, 7, taps), 2);
  assert_int_equal(taps[0].tap, 3);
  assert_int_equal(taps[0].pixel, ((3 + 1) * 2 + 1) * 10);
  assert_int_equal(taps[1].tap, 11);
  assert_int_equal(taps[1].pixel, ((3 + 2) * 2 + 1) * 10);
  for (int64_t i = 0; i < c.positions; ++i) {
    int64_t count = xc_conv_present(&c, i, taps);
    for (int64_t tap = 0, at = 0; tap < c.taps; ++tap) {
      bool is_listed = at < count && taps[at].tap == tap;
      assert_int_equal(is_listed ? taps[at].pixel : -1,
                       xc_conv_pixel(&c, i, tap));
      at += is_listed;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounds_like_the_kernel),
      cmocka_unit_test(scores_all_candidates),
      cmocka_unit_test(rounds_each_product),
      cmocka_unit_test(subtracts_in_order),
      cmocka_unit_test(computes_like_the_interpreter),
      cmocka_unit_test(lists_taps_that_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
