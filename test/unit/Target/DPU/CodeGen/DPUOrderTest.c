//===- DPUOrderTest.c - which layers may run in another order -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/DPUCodeGen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/// An image of 8x8x16 in the workspace, at a number of such images.
static XcDpuImage image(uint32_t place, uint32_t buffer) {
  enum { SIZE = 8 * 8 * 16, WORKSPACE = 1 };
  XcDpuImage result = xcDpuImageDense(WORKSPACE, place * SIZE, 8, 8, 16);
  result.buffer = buffer;
  return result;
}

/// A copy, which stands for an operator.
typedef struct copy {
  size_t tag;
  XcDpuImage from, to;
} copy;

/// The tag of the layer that runs first when both are as far from their order
/// as can be.
static size_t first_of(const copy *a, const copy *b) {
  XcDiag diag = {0};
  const XcDpuTarget *target = xcDpuTargetCreate(&diag, "DPUCZDX8G_ISA1_B4096");
  XcDpuCodeGen *gen = xcDpuCodeGenCreate(target);
  xcDpuCodeGenSetEngines(gen, XcDpuEngineChoiceReordered);
  const copy *copies[] = {a, b};
  for (size_t i = 0; i < 2; ++i) {
    XcDpuLayer layer = {.kind = XcDpuLayerKindCopy,
                        .name = "copy",
                        .tag = copies[i]->tag,
                        .inputs = {copies[i]->from},
                        .numInputs = 1,
                        .output = copies[i]->to,
                        .scaleH = 1,
                        .scaleW = 1};
    XcDpuRefusal refusal = xcDpuCodeGenAddLayer(gen, &layer);
    assert_int_equal(refusal.reason, XcDpuRefusalReasonNone);
  }
  XcDpuProgram *program = xcDpuCodeGenFinish(gen, &diag);
  assert_non_null(program);
  size_t tag = xcDpuCodeGenGetLayer(gen, 0)->tag;
  xcDpuProgramDestroy(program);
  xcDpuCodeGenDestroy(gen);
  xcDpuTargetDestroy(target);
  return tag;
}

static void test_independent(void **state) {
  (void)state;
  copy a = {1, image(0, 1), image(1, 2)}, b = {2, image(2, 3), image(3, 4)};
  assert_int_equal(first_of(&a, &b), 2);
  b.from = a.from;
  assert_int_equal(first_of(&a, &b), 2);
}

static void test_dependent(void **state) {
  (void)state;
  copy a = {1, image(0, 1), image(1, 2)};
  copy reads = {2, image(1, 2), image(2, 3)};
  copy overwrites_input = {2, image(2, 3), image(0, 1)};
  copy overwrites_result = {2, image(2, 3), image(1, 2)};
  assert_int_equal(first_of(&a, &reads), 1);
  assert_int_equal(first_of(&a, &overwrites_input), 1);
  assert_int_equal(first_of(&a, &overwrites_result), 1);
}

/// What buffers do not tell.
static void test_unknown(void **state) {
  (void)state;
  copy a = {1, image(0, 1), image(1, 2)};
  copy other_buffer = {2, image(2, 3), image(1, 4)};
  copy no_buffer = {2, image(1, 0), image(2, 3)};
  copy no_result = {2, image(2, 3), image(3, 0)};
  assert_int_equal(first_of(&a, &other_buffer), 1);
  assert_int_equal(first_of(&a, &no_buffer), 1);
  assert_int_equal(first_of(&a, &no_result), 1);
}

static void test_decreasing_tags(void **state) {
  (void)state;
  copy a = {2, image(0, 1), image(1, 2)}, b = {1, image(2, 3), image(3, 4)};
  assert_int_equal(first_of(&a, &b), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_independent),
      cmocka_unit_test(test_dependent),
      cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_decreasing_tags),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
