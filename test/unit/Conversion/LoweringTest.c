//===- LoweringTest.c - every operator has a lowering ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/MtirToLinalg/Lowering.h"
#include "Support/Text.h"
#include "xc-c/Passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void every_operator(void **state) {
  (void)state;
  size_t count, missing = 0, operators = 0;
  const xc_op_info *table = xc_op_table(&count);
  for (size_t i = 0; i < count; ++i) {
    if (table[i].dialect != XC_DIALECT_MTIR)
      continue;
    ++operators;
    if (xc_lowering_find(table[i].kind))
      continue;
    ++missing;
    fprintf(stderr, "'%s' has no row in Lowerings.def\n", table[i].name);
  }
  assert_int_equal(missing, 0);
  assert_true(operators > 0);
}

static void keep(MlirStringRef message, void *text) {
  xc_text_append(text, message.data, message.length);
}

// A pipeline cannot be one pass of a host.
static void pipeline_is_no_pass(void **state) {
  (void)state;
  xc_text text = {0};
  MlirPass pass =
      xcCreatePass(mlirStringRefCreateFromCString("xc-cpu-pipeline"),
                   mlirStringRefCreateFromCString("threads=2"), keep, &text);
  assert_null(pass.ptr);
  assert_string_equal(xc_text_str(&text),
                      "'xc-cpu-pipeline': it is a pipeline: use "
                      "xcPassManagerAddPipeline");
  xc_text_free(&text);
}

static void passes_by_argument(void **state) {
  (void)state;
  bool found = false;
  assert_true(xcGetNumPasses() > 1);
  for (intptr_t i = 0; i < xcGetNumPasses(); ++i) {
    MlirStringRef argument = xcPassGetArgument(i);
    found |= strcmp(argument.data, "tir-partition") == 0;
    assert_true(i == 0 ||
                strcmp(xcPassGetArgument(i - 1).data, argument.data) < 0);
    assert_true(xcPassGetSummary(i).length > 0);
  }
  assert_true(found);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_operator),
                                     cmocka_unit_test(pipeline_is_no_pass),
                                     cmocka_unit_test(passes_by_argument)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
