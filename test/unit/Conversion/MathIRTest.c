//===- MathIRTest.c - error bounds of transcendental functions ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bounds of MathIR.h on compiled code, for every level of x86-64 that this
// machine has: floats of all magnitudes, those around the limits of each
// function, and the special values, against the C library in a wider type.
//
//===----------------------------------------------------------------------===//

#include "IRReader/IRReader.h"
#include "xc-c/CPU.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 4096 };

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

typedef long double wide;

static wide sigmoid(wide x) {
  wide e = expl(-fabsl(x));
  return (x < 0 ? e : 1) / (1 + e);
}
static wide elu(wide x) { return x < 0 ? expm1l(x) : x; }
static wide softplus(wide x) { return fmaxl(x, 0) + log1pl(expl(-fabsl(x))); }
// fmaxl prefers a number.
static wide softplus_nan(wide x) { return isnan(x) ? x : softplus(x); }

typedef struct function_row {
  const char *name;
  wide (*exact)(wide x);
  double single_bound, double_bound; // units in the last place
} function_row;

static const function_row functions[] = {
    {"exp", expl, 2, 2},        {"log", logl, 2, 2},
    {"sigmoid", sigmoid, 3, 3}, {"tanh", tanhl, 3, 3},
    {"elu", elu, 2, 2},         {"softplus", softplus_nan, 2, 2},
    {"atan", atanl, 1, 64},
};
enum { NUM_FUNCTIONS = sizeof(functions) / sizeof(*functions) };
static const double pow_bounds[] = {1, 2048};

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

typedef struct level {
  const char *cpu;
  XcCpuCode *code;
  XcCpuProgram *program;
} level;

static bool can_run(const char *cpu) {
#if defined(__x86_64__)
  if (strcmp(cpu, "x86-64-v3") == 0)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (strcmp(cpu, "x86-64-v4") == 0)
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
  return true;
#else
  return strcmp(cpu, "native") == 0;
#endif
}

static char *write_module(void) {
  char *text = malloc(16384), *end = text;
  static const char *const elements[] = {"f32", "f64"};
  for (size_t e = 0; e < 2; ++e) {
    char type[32];
    snprintf(type, sizeof(type), "tensor<%dx%s>", BATCH, elements[e]);
    for (size_t i = 0; i < NUM_FUNCTIONS; ++i)
      end += sprintf(
          end,
          "func.func @m_%s_%s(%%x: %s) -> %s {\n"
          "  %%0 = \"tir.%s\"(%%x) %s : (%s) -> %s\n"
          "  return %%0 : %s\n}\n",
          functions[i].name, elements[e], type, type, functions[i].name,
          strcmp(functions[i].name, "elu") == 0 ? "{alpha = 1.0 : f32}" : "",
          type, type, type);
    end += sprintf(end,
                   "func.func @m_pow_%s(%%x: %s, %%y: %s) -> %s {\n"
                   "  %%0 = \"tir.pow\"(%%x, %%y) : (%s, %s) -> %s\n"
                   "  return %%0 : %s\n}\n",
                   elements[e], type, type, type, type, type, type, type);
  }
  return text;
}

static void compile(level *l) {
  XcDiag diag = {0};
  MlirContext context = xc_context_create(false);
  char *text = write_module();
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  free(text);
  const XcCpuOptions options = {.cpu = l->cpu};
  l->code = xcCpuCompile(&diag, module, &options);
  assert_non_null(l->code);
  size_t size;
  const void *object = xcCpuCodeGetObject(l->code, &size);
  l->program = xcCpuProgramCreate(&diag, object, size);
  assert_non_null(l->program);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

static void call(const level *l, const char *name, const char *element,
                 const void *const *inputs, void *output) {
  static _Alignas(64) char arena[1 << 16];
  char symbol[64];
  XcDiag diag = {0};
  snprintf(symbol, sizeof(symbol), "m_%s_%s", name, element);
  const XcCpuFunction *f = xcCpuCodeFindFunction(l->code, symbol);
  assert_true(f && f->arenaBytes <= (int64_t)sizeof(arena));
  XcCpuEntry entry = xcCpuProgramGetEntry(&diag, l->program, symbol);
  assert_non_null(entry);
  size_t size;
  assert_int_equal(
      entry(inputs, &output, arena, xcCpuCodeGetParams(l->code, &size)), 0);
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// What differs between f32 and f64.
typedef struct format {
  const char *element;
  int digits, least; // of the fraction; exponent of the least normal number
  wide largest;
} format;
static const format formats[] = {{"f32", FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX},
                                 {"f64", DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX}};

// Units in the last place between a result and the exact one.
static double error_of(const format *f, wide result, wide exact) {
  if (isnan(exact) || isnan(result))
    return isnan(exact) && isnan(result) ? 0 : INFINITY;
  int exponent = 0;
  if (exact != 0 && isfinite(exact))
    frexpl(exact, &exponent);
  if (exact == 0 || exponent < f->least)
    exponent = f->least;
  wide unit = ldexpl(1, exponent - f->digits);
  // Infinity stands for the first number that is too large.
  wide limit = f->largest + ldexpl(f->largest, -f->digits);
  if (isinf(result))
    result = copysignl(limit, result);
  if (fabsl(exact) > limit)
    exact = copysignl(limit, exact);
  return (double)(fabsl(result - exact) / unit);
}

typedef union batch {
  float f32[BATCH];
  double f64[BATCH];
} batch;

static wide get(const batch *b, const format *f, size_t i) {
  return f == formats ? (wide)b->f32[i] : (wide)b->f64[i];
}

typedef struct worst_case {
  double error;
  wide x, y;
} worst_case;

static void check_batch(const level *l, const function_row *function,
                        const format *f, const batch *x, worst_case *worst) {
  static batch y;
  const void *inputs[] = {x};
  call(l, function->name, f->element, inputs, &y);
  for (size_t i = 0; i < BATCH; ++i) {
    wide in = get(x, f, i), out = get(&y, f, i), exact = function->exact(in);
    double error = error_of(f, out, exact);
    // The sign of a zero, too.
    if (in == 0 && exact == 0 && !signbit(out) != !signbit(exact))
      error = INFINITY;
    if (!(error <= worst->error)) {
      worst->error = error;
      worst->x = in;
    }
  }
}

static void set_bits(batch *b, const format *f, size_t i, uint64_t bits) {
  uint32_t half = (uint32_t)(bits >> 32);
  if (f == formats)
    memcpy(&b->f32[i], &half, sizeof(half));
  else
    memcpy(&b->f64[i], &bits, sizeof(bits));
}

// Evenly over all bit patterns, so over all magnitudes, NaN and infinity.
static void fill_all(batch *b, const format *f, size_t number, size_t count) {
  uint64_t step = UINT64_MAX / (count * BATCH);
  for (size_t i = 0; i < BATCH; ++i)
    set_bits(b, f, i, (number * BATCH + i) * step);
}

// Evenly over numbers from `low` on.
static void fill_range(batch *b, const format *f, wide low, wide step) {
  for (size_t i = 0; i < BATCH; ++i)
    if (f == formats)
      b->f32[i] = (float)(low + (wide)i * step);
    else
      b->f64[i] = (double)(low + (wide)i * step);
}

static void check_function(const level *l, const function_row *function,
                           const format *f) {
  static batch x;
  worst_case worst = {0};
  enum { ALL = 16, RANGE = 2 };
  for (size_t i = 0; i < ALL; ++i) {
    fill_all(&x, f, i, ALL);
    check_batch(l, function, f, &x, &worst);
  }
  static const wide widths[] = {0.01L, 1, 10, 120, 760};
  for (size_t w = 0; w < sizeof(widths) / sizeof(*widths); ++w)
    for (size_t i = 0; i < RANGE; ++i) {
      wide step = 2 * widths[w] / (RANGE * BATCH);
      fill_range(&x, f, -widths[w] + (wide)(i * BATCH) * step, step);
      check_batch(l, function, f, &x, &worst);
      // Around 1, where logarithms are small.
      fill_range(&x, f, 1 - widths[w] + (wide)(i * BATCH) * step, step);
      check_batch(l, function, f, &x, &worst);
    }
  double bound = f == formats ? function->single_bound : function->double_bound;
  printf("%-9s %-8s %s: %.3f units at %La\n", l->cpu, function->name,
         f->element, worst.error, worst.x);
  assert_true(worst.error <= bound);
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static const double special[] = {
    0.0,       -0.0,          1,         -1,        2,
    -2,        0.5,           -0.5,      3,         -3,
    2.5,       -2.5,          1e-40,     -1e-40,    3e38,
    -3e38,     INFINITY,      NAN,       -INFINITY, 0x1p23,
    0x1p24,    0x1.8p22,      -0x1.8p22, 127,       -127,
    1.0000001, 0x1.fffffep-1, 33,        5e-324,    0x1p52,
    0x1.8p52,  0x1p53,        -0x1p53,   1e300};
enum { NUM_SPECIAL = sizeof(special) / sizeof(*special) };

static void check_powers(const level *l, const format *f, batch *x, batch *y,
                         worst_case *worst) {
  static batch z;
  const void *inputs[] = {x, y};
  call(l, "pow", f->element, inputs, &z);
  for (size_t i = 0; i < BATCH; ++i) {
    wide a = get(x, f, i), b = get(y, f, i), c = get(&z, f, i);
    wide exact = powl(a, b);
    double error = error_of(f, c, exact);
    if (exact == 0 && c == 0 && !signbit(c) != !signbit(exact))
      error = INFINITY;
    if (!(error <= worst->error)) {
      worst->error = error;
      worst->x = a;
      worst->y = b;
    }
  }
}

static void check_pow(const level *l, const format *f) {
  static batch x, y;
  worst_case worst = {0};
  assert_true(NUM_SPECIAL * NUM_SPECIAL <= BATCH);
  for (size_t i = 0; i < BATCH; ++i) {
    double a = special[i / NUM_SPECIAL % NUM_SPECIAL];
    double b = special[i % NUM_SPECIAL];
    if (f == formats) {
      x.f32[i] = (float)a;
      y.f32[i] = (float)b;
    } else {
      x.f64[i] = a;
      y.f64[i] = b;
    }
  }
  check_powers(l, f, &x, &y, &worst);
  for (int round = 0; round < 64; ++round) {
    fill_all(&x, f, (size_t)round, 128);
    fill_range(&y, f, -40.1L + round, 0.01L * (1 + round % 3));
    check_powers(l, f, &x, &y, &worst);
    fill_range(&x, f, 0.5L, 0.001L);
    fill_range(&y, f, -round, 0.1L);
    check_powers(l, f, &x, &y, &worst);
  }
  printf("%-9s %-8s %s: %.3f units at %La, %La\n", l->cpu, "pow", f->element,
         worst.error, worst.x, worst.y);
  assert_true(worst.error <= pow_bounds[f - formats]);
}

static void error_bounds(void **state) {
  (void)state;
  static const char *const cpus[] = {"x86-64", "x86-64-v3", "x86-64-v4",
                                     "native"};
  for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); ++i) {
    if (!can_run(cpus[i]))
      continue;
    level l = {.cpu = cpus[i]};
    compile(&l);
    for (size_t e = 0; e < 2; ++e) {
      for (size_t k = 0; k < NUM_FUNCTIONS; ++k)
        check_function(&l, &functions[k], &formats[e]);
      check_pow(&l, &formats[e]);
    }
    xcCpuProgramDestroy(l.program);
    xcCpuCodeDestroy(l.code);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(error_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
