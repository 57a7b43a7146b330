//===- SolveTest.c - rounding by least squares ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Quantize/Fit/Solve.h"

#include "Support/Memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TERMS = 21, SUMS = 11, OBSERVATIONS = 60 };

static double next_random(uint64_t *state) {
  *state =
      *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 40) * 0x1p-23 - 1;
}

/// Terms that depend on each other, and sums of them with known factors.
typedef struct problem {
  double terms[OBSERVATIONS][TERMS], factors[SUMS][TERMS];
  xc_solve solve;
} problem;

static double wanted(const problem *p, int observation, int sum) {
  double total = 0;
  for (int i = 0; i < TERMS; ++i)
    total += p->terms[observation][i] * p->factors[sum][i];
  return total;
}

// The terms but the constant are in multiples of `unit`.
static problem *make_problem_in(double unit, uint64_t seed) {
  problem *p = xc_alloc(sizeof(*p));
  for (int k = 0; k < OBSERVATIONS; ++k) {
    double common = next_random(&seed);
    for (int i = 0; i < TERMS; ++i)
      p->terms[k][i] = i ? unit * (common + 0.3 * next_random(&seed)) : 1;
  }
  for (int o = 0; o < SUMS; ++o)
    for (int i = 0; i < TERMS; ++i)
      p->factors[o][i] = next_random(&seed) / (i ? unit : 1);
  xc_solve *s = &p->solve;
  *s = (xc_solve){.terms = TERMS, .sums = SUMS, .has_constant = true};
  s->moments = xc_alloc_array((size_t)(TERMS * TERMS), sizeof(double));
  s->targets = xc_alloc_array((size_t)(SUMS * TERMS), sizeof(double));
  s->factors = xc_alloc_array((size_t)(SUMS * TERMS), sizeof(double));
  for (int k = 0; k < OBSERVATIONS; ++k)
    for (int i = 0; i < TERMS; ++i) {
      for (int j = 0; j < TERMS; ++j)
        s->moments[i * TERMS + j] += p->terms[k][i] * p->terms[k][j];
      for (int o = 0; o < SUMS; ++o)
        s->targets[o * TERMS + i] += p->terms[k][i] * wanted(p, k, o);
    }
  return p;
}

static problem *make_problem(uint64_t seed) { return make_problem_in(1, seed); }

static void free_problem(problem *p) {
  xc_solve_free(&p->solve);
  free(p);
}

// The squared error of factors over all observations.
static double measure(const problem *p, const double *factors) {
  double sum = 0;
  for (int k = 0; k < OBSERVATIONS; ++k)
    for (int o = 0; o < SUMS; ++o) {
      double left = wanted(p, k, o);
      for (int i = 0; i < TERMS; ++i)
        left -= p->terms[k][i] * factors[o * TERMS + i];
      sum += left * left;
    }
  return sum;
}

static void finds_the_factors(void **state) {
  (void)state;
  problem *p = make_problem(1);
  // From zeros, which hardly hold them.
  xc_solve_prepare(&p->solve, 1e-9);
  xc_solve_reals(&p->solve);
  for (int o = 0; o < SUMS; ++o)
    for (int i = 0; i < TERMS; ++i)
      assert_true(fabs(p->solve.factors[o * TERMS + i] - p->factors[o][i]) <
                  1e-4);
  free_problem(p);
}

// Inputs of 10^7 beside a constant 1, or of 10^-7.
static void units_do_not_matter(void **state) {
  (void)state;
  const double units[] = {1e-7, 1e5, 1e7};
  for (size_t u = 0; u < sizeof(units) / sizeof(*units); ++u) {
    problem *p = make_problem_in(units[u], 1);
    xc_solve_prepare(&p->solve, 1e-9);
    xc_solve_reals(&p->solve);
    for (int o = 0; o < SUMS; ++o)
      for (int i = 0; i < TERMS; ++i) {
        double missed = p->solve.factors[o * TERMS + i] - p->factors[o][i];
        assert_true(fabs(missed) * (i ? units[u] : 1) < 1e-4);
      }
    free_problem(p);
  }
}

static void a_ridge_holds_the_factors(void **state) {
  (void)state;
  problem *p = make_problem(2);
  xc_solve_prepare(&p->solve, 1e9);
  xc_solve_reals(&p->solve);
  for (int o = 0; o < SUMS; ++o)
    for (int i = 1; i < TERMS; ++i)
      assert_true(fabs(p->solve.factors[o * TERMS + i]) < 1e-6);
  free_problem(p);
}

// Rounded by themselves the terms' errors add up, for the terms are alike.
static void rounds_better_than_one_by_one(void **state) {
  (void)state;
  const double step = 0.125, bias_step = 0.0625;
  for (uint64_t seed = 3; seed < 8; ++seed) {
    problem *p = make_problem(seed);
    double plain[SUMS * TERMS];
    for (int i = 0; i < SUMS * TERMS; ++i) {
      double unit = i % TERMS ? step : bias_step;
      plain[i] = unit * nearbyint(p->factors[i / TERMS][i % TERMS] / unit);
    }
    xc_solve_prepare(&p->solve, 1e-9);
    xc_solve_reals(&p->solve);
    double steps[SUMS], bias_steps[SUMS], each[SUMS], growth = 0;
    for (int o = 0; o < SUMS; ++o) {
      steps[o] = step;
      bias_steps[o] = bias_step;
    }
    xc_solve_round(&p->solve, (xc_solve_steps){steps, bias_steps}, each);
    for (int o = 0; o < SUMS; ++o)
      growth += each[o];
    double found = measure(p, p->solve.factors);
    assert_true(1.5 * found < measure(p, plain));
    // The last choice of the bias only makes it smaller.
    assert_true(found <= growth * 1.01);
    for (int i = 0; i < SUMS * TERMS; ++i) {
      double unit = i % TERMS ? step : bias_step;
      double integer = p->solve.factors[i] / unit;
      assert_true(integer == nearbyint(integer) && fabs(integer) <= 128);
    }
    free_problem(p);
  }
}

static void aims_beside_its_own_factors(void **state) {
  (void)state;
  problem *p = make_problem(9);
  xc_solve *s = &p->solve;
  double whole[SUMS * TERMS];
  memcpy(whole, s->targets, sizeof(whole));
  // What was measured after the true factors had been taken away.
  memset(s->targets, 0, sizeof(whole));
  memcpy(s->factors, p->factors, sizeof(whole));
  xc_solve_aim(s);
  for (int i = 0; i < SUMS * TERMS; ++i)
    assert_true(fabs(s->targets[i] - whole[i]) < 1e-9);
  free_problem(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_factors),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(a_ridge_holds_the_factors),
      cmocka_unit_test(rounds_better_than_one_by_one),
      cmocka_unit_test(aims_beside_its_own_factors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
