//===- InterpreterTest.c - unit tests of lib/Interpreter ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter/Fix.h"
#include "Interpreter/Kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void every_compute_operator_has_a_kernel(void **state) {
  (void)state;
  // What moves between tensors and buffers is the interpreter's own.
  static const char *const own[] = {"const", "upload", "download"};
  size_t count;
  const xc_op_info *table = xc_op_table(&count);
  for (size_t i = 0; i < count; ++i) {
    if (table[i].dialect != XC_DIALECT_TIR)
      continue;
    bool is_own = false;
    for (size_t k = 0; k < 3; ++k)
      is_own |= strcmp(table[i].mnemonic, own[k]) == 0;
    if (!is_own && !xc_interpret_find(table[i].kind))
      fail_msg("no kernel computes %s", table[i].name);
  }
}

static void small_floats_round_to_even(void **state) {
  (void)state;
  static const struct {
    xc_element element;
    double value, stored;
  } rows[] = {
      {XC_ELEMENT_F16, 2049, 2048},
      {XC_ELEMENT_F16, 2051, 2052},
      {XC_ELEMENT_F16, 65519, 65504},
      {XC_ELEMENT_F16, 65520, INFINITY},
      {XC_ELEMENT_F16, 0x1p-24, 0x1p-24},
      {XC_ELEMENT_F16, 0x1p-25, 0},
      {XC_ELEMENT_F16, 0x1.8p-25, 0x1p-24},
      {XC_ELEMENT_F16, -1.5, -1.5},
      {XC_ELEMENT_F16, 0x1.ffep-15, 0x1p-14},
      {XC_ELEMENT_BF16, 257, 256},
      {XC_ELEMENT_BF16, 259, 260},
      {XC_ELEMENT_BF16, 0x1p-133, 0x1p-133},
      {XC_ELEMENT_BF16, -3, -3},
      {XC_ELEMENT_F32, 16777217, 16777216},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    uint64_t bits = 0;
    xc_tensor tensor = {{.element = rows[i].element}, &bits};
    xc_set_real(&tensor, 0, rows[i].value);
    if (xc_get_real(&tensor, 0) != rows[i].stored)
      fail_msg("row %zu: %a is stored as %a, expected %a", i, rows[i].value,
               xc_get_real(&tensor, 0), rows[i].stored);
  }
}

static void quotients_round_once(void **state) {
  (void)state;
  for (int64_t n = -40; n <= 40; ++n)
    for (int64_t d = 1; d <= 12; ++d)
      for (int shift = -2; shift <= 2; ++shift) {
        double exact = ldexp((double)n, -shift) / (double)d;
        int64_t down = (int64_t)floor(exact);
        bool tie = exact - (double)down == 0.5;
        int64_t near = exact - (double)down < 0.5 ? down : down + 1;
        assert_int_equal(xc_round_ratio(n, d, shift, XcRoundModeDpu),
                         tie ? down + 1 : near);
        assert_int_equal(xc_round_ratio(n, d, shift, XcRoundModeStd),
                         tie && exact < 0 ? down : near);
        assert_int_equal(xc_round_ratio(n, d, shift, XcRoundModePy3),
                         tie ? down + (down & 1) : near);
      }
}

static void walks_broadcast(void **state) {
  (void)state;
  xc_shape whole = {.rank = 3, .dims = {2, 3, 2}};
  xc_shape column = {.rank = 2, .dims = {3, 1}};
  xc_walk walk = xc_walk_begin(&whole);
  xc_walk_broadcast(&walk, &column);
  static const int64_t expected[] = {0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2};
  size_t i = 0;
  for (; walk.left > 0; xc_walk_next(&walk))
    assert_int_equal(walk.offset[0], expected[i++]);
  assert_int_equal(i, 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_compute_operator_has_a_kernel),
      cmocka_unit_test(small_floats_round_to_even),
      cmocka_unit_test(quotients_round_once),
      cmocka_unit_test(walks_broadcast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
