//===- GraphTest.c - unit tests of what front ends share ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Graph/Fold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
  XcDiag diag;
  xc_text message;
  MlirContext context;
  xc_graph graph;
} fixture;

static void keep_message(void *user_data, XcSeverity severity, XcPlace place,
                         const char *message) {
  fixture *f = user_data;
  (void)place;
  xc_text_printf(&f->message, "%d %s;", (int)severity, message);
}

static int begin(void **state) {
  fixture *f = calloc(1, sizeof(*f));
  f->diag = (XcDiag){.handler = keep_message, .userData = f};
  f->context = mlirContextCreateWithThreading(false);
  xc_graph_begin(&f->graph, &f->diag, f->context, "file", NULL);
  f->graph.budget = 1 << 20;
  xc_graph_enter(&f->graph, "node", "node '%s'", "node");
  *state = f;
  return 0;
}

static int end(void **state) {
  fixture *f = *state;
  MlirModule module = xc_graph_end(&f->graph, !xc_graph_failed(&f->graph));
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(f->context);
  xc_text_free(&f->message);
  free(f);
  return 0;
}

static xc_graph_value *list(fixture *f, const int32_t *numbers, int64_t count) {
  const xc_shape shape = {
      .element = XC_ELEMENT_I32, .rank = 1, .dims = {count}};
  return xc_graph_constant(&f->graph, "list", &shape, numbers, false);
}

static int64_t at(const xc_graph_value *value, int64_t index) {
  return xc_graph_load(value, index).integer;
}

//===----------------------------------------------------------------------===//
// Names and messages
//===----------------------------------------------------------------------===//

// More names than the table begins with.
static void names_are_found(void **state) {
  fixture *f = *state;
  enum { COUNT = 1000 };
  static char names[COUNT][16];
  static const int32_t one[] = {1};
  xc_graph_value *values[COUNT];
  assert_null(xc_graph_find(&f->graph, "v0"));
  for (int i = 0; i < COUNT; ++i) {
    snprintf(names[i], sizeof(names[i]), "v%d", i);
    values[i] = list(f, one, 1);
    assert_true(xc_graph_define(&f->graph, names[i], values[i]));
  }
  for (int i = 0; i < COUNT; ++i)
    assert_ptr_equal(xc_graph_find(&f->graph, names[i]), values[i]);
  assert_null(xc_graph_find(&f->graph, "v1000"));
  assert_false(xc_graph_define(&f->graph, "v7", values[0]));
  assert_string_equal(xc_text_str(&f->message),
                      "0 node 'node': value 'v7' is defined twice;");
}

// A warning is no failure; of errors the first counts.
static void first_error_is_reported(void **state) {
  fixture *f = *state;
  xc_graph_report(&f->graph, XcSeverityWarning, "odd");
  assert_false(xc_graph_failed(&f->graph));
  assert_false(xc_graph_error(&f->graph, "one"));
  xc_graph_leave(&f->graph);
  assert_false(xc_graph_error(&f->graph, "two"));
  assert_string_equal(xc_text_str(&f->message),
                      "1 node 'node': odd;0 node 'node': one;");
}

static void missing_operators_are_counted(void **state) {
  fixture *f = *state;
  const char *names[] = {"B", "A", "B", "C", "B"};
  assert_true(xc_graph_report_missing(&f->graph, names, 0, NULL));
  xc_graph_leave(&f->graph);
  assert_false(xc_graph_report_missing(&f->graph, names, 5, NULL));
  assert_string_equal(xc_text_str(&f->message),
                      "0 the model has operators that xc cannot import: A, "
                      "B (3 times), C;");
}

static void values_before_missing_operators_are_named(void **state) {
  fixture *f = *state;
  const char *names[] = {"A"};
  xc_graph_leave(&f->graph);
  assert_false(xc_graph_report_missing(&f->graph, names, 1, "x"));
  assert_string_equal(xc_text_str(&f->message),
                      "0 the model has operators that xc cannot import: A; "
                      "--outputs=x ends the model before the first one;");
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

static void arithmetic_is_folded(void **state) {
  fixture *f = *state;
  static const int32_t a[] = {7, -7, INT32_MAX}, b[] = {2};
  xc_graph_value *inputs[] = {list(f, a, 3), list(f, b, 1)}, *result;
  static const struct {
    xc_graph_scalar scalar;
    int64_t expected[3];
  } rows[] = {{XC_GRAPH_ADD, {9, -5, INT32_MIN + 1}},
              {XC_GRAPH_MUL, {14, -14, -2}},
              {XC_GRAPH_DIV, {3, -3, INT32_MAX / 2}},
              {XC_GRAPH_FLOOR_DIV, {3, -4, INT32_MAX / 2}},
              {XC_GRAPH_MIN, {2, -7, 2}},
              {XC_GRAPH_GREATER, {1, 0, 1}}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    assert_true(xc_graph_fold_elementwise(&f->graph, rows[i].scalar, inputs,
                                          XC_ELEMENT_I32, &result));
    for (int k = 0; k < 3; ++k)
      assert_int_equal(at(result, k), rows[i].expected[k]);
  }
  static const int32_t zero[] = {0};
  inputs[1] = list(f, zero, 1);
  assert_false(xc_graph_fold_elementwise(&f->graph, XC_GRAPH_DIV, inputs,
                                         XC_ELEMENT_I32, &result));
}

static xc_graph_value *reals(fixture *f, xc_element element,
                             const void *numbers, int64_t count) {
  const xc_shape shape = {.element = element, .rank = 1, .dims = {count}};
  return xc_graph_constant(&f->graph, "reals", &shape, numbers, false);
}

// 0.3 / 0.1 is 3 as a float, and less in double; as doubles it is less.
static void quotients_are_rounded_before_floor(void **state) {
  fixture *f = *state;
  static const float a[] = {0.3f, -0.3f, 0.25f}, b[] = {0.1f};
  static const double c[] = {0.3, -0.3, 0.25}, d[] = {0.1};
  const struct {
    xc_graph_value *inputs[2];
    xc_element element;
    double expected[3];
  } rows[] = {{{reals(f, XC_ELEMENT_F32, a, 3), reals(f, XC_ELEMENT_F32, b, 1)},
               XC_ELEMENT_F32,
               {3, -3, 2}},
              {{reals(f, XC_ELEMENT_F64, c, 3), reals(f, XC_ELEMENT_F64, d, 1)},
               XC_ELEMENT_F64,
               {2, -3, 2}}};
  for (size_t i = 0; i < 2; ++i) {
    xc_graph_value *result;
    assert_true(xc_graph_fold_elementwise(&f->graph, XC_GRAPH_FLOOR_DIV,
                                          rows[i].inputs, rows[i].element,
                                          &result));
    for (int k = 0; k < 3; ++k)
      assert_true(xc_graph_load(result, k).real == rows[i].expected[k]);
  }
}

static void elements_are_moved(void **state) {
  fixture *f = *state;
  static const int32_t a[] = {10, 11, 12, 13}, picks[] = {-1, 0};
  xc_graph_value *input = list(f, a, 4), *result;
  assert_true(
      xc_graph_fold_gather(&f->graph, input, list(f, picks, 2), 0, &result));
  assert_int_equal(at(result, 0), 13);
  assert_int_equal(at(result, 1), 10);
  const xc_graph_slice backwards = {.begin = {3}, .end = {-1}, .step = {-2}};
  assert_true(xc_graph_fold_slice(&f->graph, input, &backwards, &result));
  assert_int_equal(result->shape.dims[0], 2);
  assert_int_equal(at(result, 1), 11);
  xc_graph_value *both[] = {input, result};
  assert_true(xc_graph_fold_concat(&f->graph, both, 2, 0, &result));
  assert_int_equal(result->shape.dims[0], 6);
  assert_int_equal(at(result, 4), 13);
  static const int32_t outside[] = {4};
  assert_false(
      xc_graph_fold_gather(&f->graph, input, list(f, outside, 1), 0, &result));
}

// What no budget is left for is not folded, and is no error.
static void budget_ends_folding(void **state) {
  fixture *f = *state;
  static const int32_t a[] = {1, 2};
  xc_graph_value *inputs[] = {list(f, a, 2)}, *result;
  f->graph.budget = 7;
  assert_true(xc_graph_fold_elementwise(&f->graph, XC_GRAPH_NEG, inputs,
                                        XC_ELEMENT_I32, &result));
  assert_null(result);
  assert_int_equal(f->graph.budget, 7);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

// A transpose of a computed value relabels its form, and asking for that order
// emits nothing.
static void transposes_relabel(void **state) {
  fixture *f = *state;
  const xc_shape shape = {
      .element = XC_ELEMENT_F32, .rank = 4, .dims = {1, 2, 3, 4}};
  xc_graph_order plain = xc_graph_identity(4);
  xc_graph_order last = xc_graph_channels_last(4);
  MlirValue x = xc_graph_argument(&f->graph, "x", &shape);
  xc_graph_value *value = xc_graph_computed(&f->graph, "x", x, &plain);
  xc_graph_value *moved = xc_graph_transpose(&f->graph, value, &last);
  assert_int_equal(moved->shape.dims[1], 3);
  assert_int_equal(moved->shape.dims[3], 2);
  xc_graph_order cheapest = xc_graph_cheapest(moved);
  assert_true(mlirValueEqual(xc_graph_get(&f->graph, moved, &cheapest), x));
  assert_true(mlirOperationIsNull(mlirBlockGetFirstOperation(f->graph.block)));
  // Another order moves the elements, once.
  MlirValue first = xc_graph_get_plain(&f->graph, moved);
  assert_false(mlirValueEqual(first, x));
  assert_true(mlirValueEqual(xc_graph_get_plain(&f->graph, moved), first));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(names_are_found),
      TEST(first_error_is_reported),
      TEST(missing_operators_are_counted),
      TEST(arithmetic_is_folded),
      TEST(quotients_are_rounded_before_floor),
      TEST(values_before_missing_operators_are_named),
      TEST(elements_are_moved),
      TEST(budget_ends_folding),
      TEST(transposes_relabel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
