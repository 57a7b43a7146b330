//===- ArenaTest.c - unit tests of the arena ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/StaticAllocation.h"
#include "Support/Memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

// An independent check: no two buffers that live at once share a byte.
static void assert_disjoint(const xc_lifetime *lives, size_t count,
                            const xc_static_allocation *plan) {
  for (size_t i = 0; i < count; ++i) {
    assert_true(lives[i].offset >= 0 &&
                lives[i].offset + lives[i].size <= plan->peak);
    for (size_t j = 0; j < i; ++j) {
      bool in_time =
          lives[i].first <= lives[j].last && lives[j].first <= lives[i].last;
      bool in_space = lives[i].offset < lives[j].offset + lives[j].size &&
                      lives[j].offset < lives[i].offset + lives[i].size;
      assert_false(in_time && in_space);
    }
  }
}

static void random_lives_never_overlap(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int round = 0; round < 200; ++round) {
    enum { MOST = 120 };
    xc_lifetime lives[MOST];
    size_t count = 1 + next_random(&seed) % MOST;
    for (size_t i = 0; i < count; ++i) {
      size_t first = next_random(&seed) % 100;
      lives[i] = (xc_lifetime){.size = 64 * (int64_t)(next_random(&seed) % 50),
                               .first = first,
                               .last = first + next_random(&seed) % 20};
    }
    xc_static_allocation plan = xc_allocate_statically(lives, count);
    assert_true(plan.peak >= plan.lower_bound && plan.peak <= plan.total);
    assert_disjoint(lives, count, &plan);
  }
}

// Too many for the quadratic way: the first-fit order is used alone.
static void large_sets_are_placed_by_time(void **state) {
  (void)state;
  enum { COUNT = 6000 };
  xc_lifetime *lives = xc_alloc_array(COUNT, sizeof(*lives));
  uint32_t seed = 7;
  for (size_t i = 0; i < COUNT; ++i)
    lives[i] = (xc_lifetime){.size = 64 * (1 + next_random(&seed) % 40),
                             .first = i,
                             .last = i + 1 + next_random(&seed) % 30};
  xc_static_allocation plan = xc_allocate_statically(lives, COUNT);
  assert_disjoint(lives, COUNT, &plan);
  assert_true(plan.peak < 2 * plan.lower_bound);
  free(lives);
}

static void a_chain_reaches_its_bound(void **state) {
  (void)state;
  xc_lifetime lives[100];
  for (size_t i = 0; i < 100; ++i)
    lives[i] = (xc_lifetime){.size = 64, .first = i, .last = i + 1};
  xc_static_allocation plan = xc_allocate_statically(lives, 100);
  assert_int_equal(plan.peak, 128);
  assert_int_equal(plan.lower_bound, 128);
  assert_int_equal(plan.total, 6400);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_lives_never_overlap),
      cmocka_unit_test(large_sets_are_placed_by_time),
      cmocka_unit_test(a_chain_reaches_its_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
