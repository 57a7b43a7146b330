//===- RuntimeTest.c - unit tests of lib/Runtime --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Runtime.h"
#include "xc-c/CPU.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// y = relu(x) + x, and x itself, and y again
static const char sum[] =
    "func.func @main(%x: tensor<1x2x2x3xi8>) -> (tensor<1x2x2x3xi8>, "
    "tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>) attributes {input_names = "
    "[\"x\"], output_names = [\"y\", \"same\", \"again\"]} {\n"
    "  %r = \"tir.relu-fix\"(%x) {op_name = \"r\", input_fix_point = 3 : i32, "
    "output_fix_point = 3 : i32} : (tensor<1x2x2x3xi8>) -> "
    "tensor<1x2x2x3xi8>\n"
    "  %y = \"tir.eltwise-fix\"(%r, %x) {type = \"ADD\", op_name = \"s\", "
    "input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, "
    "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
    "0, 0, 0>} : (tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>) -> "
    "tensor<1x2x2x3xi8>\n"
    "  return %y, %x, %y : tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>, "
    "tensor<1x2x2x3xi8>\n"
    "}\n";

// The integers next to -x, in another shape, and those next to x.
static const char rounded[] =
    "func.func @main(%x: tensor<4xf32>) -> (tensor<2x2xi8>, tensor<4xi8>) "
    "attributes {output_names = [\"y\", \"g\"]} {\n"
    "  %n = \"tir.neg\"(%x) {op_name = \"n\"} : (tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  %f = \"tir.float2fix\"(%n) {op_name = \"f\", fix_point = 0 : i32} : "
    "(tensor<4xf32>) -> tensor<4xi8>\n"
    "  %y = \"tir.reshape\"(%f) {op_name = \"y\", shape = [2 : i32, 2 : i32]} "
    ": (tensor<4xi8>) -> tensor<2x2xi8>\n"
    "  %g = \"tir.float2fix\"(%x) {op_name = \"g\", fix_point = 0 : i32} : "
    "(tensor<4xf32>) -> tensor<4xi8>\n"
    "  return %y, %g : tensor<2x2xi8>, tensor<4xi8>\n"
    "}\n";

static const char custom[] =
    "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n"
    "  %y = \"tir.custom\"(%x) {op_name = \"mine\", op_type = \"Mine\", "
    "payload = {add = 2 : i32, by = 0.5 : f32, word = \"hi\", list = [1 : "
    "i32, 7 : i32], flag = true, bytes = array<i8: 5, -1>}, "
    "operandSegmentSizes = array<i32: 1, 0, 0, "
    "0, 0, 0, 0, 0>} : (tensor<2xf32>) -> tensor<3xf32>\n"
    "  return %y : tensor<3xf32>\n"
    "}\n";

// index[0] names one of two elements.
static const char gather[] =
    "func.func @main(%i: tensor<1xi32>) -> tensor<1xi8> {\n"
    "  %t = \"tir.const\"() {value = dense<[4, 5]> : tensor<2xi8>} : () -> "
    "tensor<2xi8>\n"
    "  %y = \"tir.gather\"(%t, %i) {op_name = \"pick\"} : (tensor<2xi8>, "
    "tensor<1xi32>) -> tensor<1xi8>\n"
    "  return %y : tensor<1xi8>\n"
    "}\n";

typedef struct messages {
  char text[512];
} messages;

static void keep(void *user_data, XcSeverity severity, XcPlace place,
                 const char *message) {
  messages *kept = user_data;
  (void)severity;
  (void)place;
  strncat(kept->text, message, sizeof(kept->text) - strlen(kept->text) - 1);
}

static XcModel *load(const char *text, const XcModelOptions *options) {
  XcDiag diag = {0};
  return xcModelLoadFromMemory(&diag, "t.mlir", text, strlen(text), options);
}

static void a_model_describes_its_tensors(void **state) {
  (void)state;
  XcModel *model = load(sum, NULL);
  assert_non_null(model);
  assert_int_equal(xcModelGetNumInputs(model), 1);
  assert_int_equal(xcModelGetNumOutputs(model), 3);
  const XcTensorInfo *x = xcModelGetInput(model, 0);
  assert_string_equal(x->name, "x");
  assert_int_equal(x->element, XcElementTypeI8);
  assert_int_equal(x->rank, 4);
  assert_int_equal(x->dims[3], 3);
  assert_int_equal(x->size, 12);
  assert_int_equal(x->layout, XcLayoutNHWC);
  assert_true(x->hasFixPoint);
  assert_int_equal(x->fixPoint, 3);
  const XcTensorInfo *y = xcModelGetOutput(model, 0);
  assert_string_equal(y->opType, "tir.eltwise-fix");
  assert_string_equal(y->location, "t.mlir:3:8");
  assert_true(y->hasFixPoint);
  assert_int_equal(xcModelFindOutput(model, "again"), 2);
  assert_int_equal(xcModelFindInput(model, "again"), SIZE_MAX);
  assert_string_equal(xcModelGetPart(model, 0).how, "reference");
  xcModelDestroy(model);
}

static void outputs_go_to_the_memory_of_the_caller(void **state) {
  (void)state;
  XcDiag diag = {0};
  XcModel *model = load(sum, NULL);
  XcSession *session = xcSessionCreate(&diag, model);
  assert_non_null(session);
  int8_t x[12] = {-4, 5}, y[12] = {1};
  xcSessionBindInput(session, 0, x);
  xcSessionBindOutput(session, 0, y);
  assert_ptr_equal(xcSessionGetOutput(session, 0), y);
  assert_true(xcSessionRun(session, &diag));
  const int8_t *same = xcSessionGetOutput(session, 1);
  const int8_t *again = xcSessionGetOutput(session, 2);
  assert_int_equal(y[0], -4);
  assert_int_equal(y[1], 10);
  assert_memory_equal(same, x, sizeof(x));
  assert_memory_equal(again, y, sizeof(y));
  // The memory is read again by every run.
  x[0] = 60;
  assert_true(xcSessionRun(session, &diag));
  assert_int_equal(y[0], 120);
  assert_true(xcSessionGetPartSeconds(session, 0) > 0);
  xcSessionDestroy(session);
  xcModelDestroy(model);
}

static void every_tensor_becomes_an_output(void **state) {
  (void)state;
  XcDiag diag = {0};
  XcModel *model = load(sum, &(XcModelOptions){.everyTensor = true});
  XcSession *session = xcSessionCreate(&diag, model);
  const int8_t x[12] = {-4, 5};
  xcSessionBindInput(session, 0, x);
  assert_true(xcSessionRun(session, &diag));
  size_t relu = xcModelFindOutput(model, "r");
  assert_true(relu < xcModelGetNumOutputs(model));
  const int8_t *r = xcSessionGetOutput(session, relu);
  assert_int_equal(r[0], 0);
  assert_int_equal(r[1], 5);
  assert_int_equal(xcModelGetOutput(model, relu)->operation, 0);
  xcSessionDestroy(session);
  xcModelDestroy(model);
}

static void what_is_rounded_becomes_an_input(void **state) {
  (void)state;
  XcDiag diag = {0};
  XcModel *model = load(rounded, &(XcModelOptions){.cutAtRounding = true});
  assert_int_equal(xcModelGetNumInputs(model), 2);
  // What is rounded from an input of the model is no cut.
  assert_int_equal(xcModelGetNumCuts(model), 1);
  XcModelCut cut = xcModelGetCut(model, 0);
  assert_int_equal(cut.input, 1);
  XcSession *session = xcSessionCreate(&diag, model);
  const float x[4] = {1, 2, -3, 4};
  const int8_t given[4] = {5, 6, 7, 8};
  xcSessionBindInput(session, 0, x);
  xcSessionBindInput(session, cut.input, given);
  assert_true(xcSessionRun(session, &diag));
  const float *source = xcSessionGetOutput(session, cut.source);
  const int8_t *found = xcSessionGetOutput(session, cut.rounded);
  const int8_t *after =
      xcSessionGetOutput(session, xcModelFindOutput(model, "y"));
  for (int i = 0; i < 4; ++i) {
    assert_true(source[i] == -x[i]);
    assert_int_equal(found[i], (int)-x[i]);
    assert_int_equal(after[i], given[i]);
  }
  xcSessionDestroy(session);
  xcModelDestroy(model);
}

static void an_input_must_be_bound(void **state) {
  (void)state;
  messages kept = {{0}};
  XcDiag diag = {keep, &kept, 0};
  XcModel *model = load(sum, NULL);
  XcSession *session = xcSessionCreate(&diag, model);
  assert_false(xcSessionRun(session, &diag));
  assert_string_equal(kept.text, "input 0 'x' is not bound");
  xcSessionDestroy(session);
  xcModelDestroy(model);
}

static void a_model_that_is_none_is_one_error(void **state) {
  (void)state;
  static const char *const texts[] = {"", "func.func", "module {}"};
  for (size_t i = 0; i < 3; ++i) {
    messages kept = {{0}};
    XcDiag diag = {keep, &kept, 0};
    assert_null(xcModelLoadFromMemory(&diag, "t.mlir", texts[i],
                                      strlen(texts[i]), NULL));
    assert_int_equal(diag.numErrors, 1);
  }
}

static void elements_have_a_name_and_a_size(void **state) {
  (void)state;
  assert_string_equal(xcElementTypeGetName(XcElementTypeBF16), "bf16");
  assert_int_equal(xcElementTypeGetSize(XcElementTypeBF16), 2);
  assert_string_equal(xcElementTypeGetName(XcElementTypeUI64), "ui64");
  assert_int_equal(xcElementTypeGetSize(XcElementTypeUI64), 8);
}

//===----------------------------------------------------------------------===//
// Containers that say what cannot be
//===----------------------------------------------------------------------===//

/// x -> a -> y
static XcXModel *make_container(const XcXModelPort *x) {
  static const XcXModelPort y = {"y", "f32", 1, {4}, false, 0};
  static const char *const inputs[] = {"x"}, *const outputs[] = {"y"};
  XcXModel *model = xcXModelCreate("t");
  xcXModelAddInputs(model, "inputs", x, 1);
  xcXModelAddCpu(model, "a", inputs, 1, &y, 1);
  xcXModelSetOutputs(model, outputs, outputs, 1);
  return model;
}

static void check_container(XcXModel *model, const char *message) {
  messages kept = {{0}};
  XcDiag diag = {keep, &kept, 0};
  const XcModelOptions options = {.backend = XcBackendSim};
  size_t size;
  void *bytes = xcXModelWriteToMemory(model, &size);
  xcXModelDestroy(model);
  assert_null(xcModelLoadFromMemory(&diag, "t.xmodel", bytes, size, &options));
  assert_string_equal(kept.text, message);
  assert_int_equal(diag.numErrors, 1);
  free(bytes);
}

static void what_a_container_says_is_checked(void **state) {
  (void)state;
  const XcXModelPort x = {"x", "f32", 1, {4}, false, 0};
  check_container(make_container(&x), "part 'a' has no portable form");

  XcXModel *model = make_container(&x);
  xcXModelAttrsSetString(
      xcXModelTensorGetAttrs(xcXModelOpGetTensor(xcXModelFindOp(model, "x"))),
      "xc_element", "f33");
  check_container(model, "operator 'x' has no tensor that can be: elements "
                         "'f33', 1 dimensions");

  // Sizes whose product is too large, and one whose product wraps around.
  const XcXModelPort large = {"x", "f32", 2, {1u << 20, 1u << 20}, false, 0};
  check_container(make_container(&large),
                  "operator 'x' has no tensor that can be: elements 'f32', 2 "
                  "dimensions");
  const uint32_t most = UINT32_MAX;
  const XcXModelPort wraps = {"x", "f32", 3, {most, most, most}, false, 0};
  check_container(make_container(&wraps),
                  "operator 'x' has no tensor that can be: elements 'f32', 3 "
                  "dimensions");
}

//===----------------------------------------------------------------------===//
// Operators of the host
//===----------------------------------------------------------------------===//

static const char *compute_mine(void *user_data, const XcCustomCall *call) {
  int64_t add = 0, flag = 0, list[4] = {0}, missing;
  double by = 0;
  size_t length = 0;
  assert_string_equal(call->opType, "Mine");
  assert_string_equal(call->opName, "mine");
  assert_int_equal(call->numInputs, 1);
  assert_int_equal(call->inputs[0].size, 8);
  assert_int_equal(call->output.dims[0], 3);
  assert_true(xcCustomCallGetInt(call, "add", &add));
  assert_true(xcCustomCallGetInt(call, "flag", &flag));
  assert_true(xcCustomCallGetReal(call, "by", &by));
  assert_false(xcCustomCallGetInt(call, "missing", &missing));
  assert_memory_equal(xcCustomCallGetString(call, "word", &length), "hi", 2);
  assert_int_equal(length, 2);
  assert_int_equal(xcCustomCallGetInts(call, "bytes", list, 4), 2);
  assert_int_equal(list[1], -1);
  assert_int_equal(xcCustomCallGetInts(call, "list", list, 4), 2);
  const float *x = call->inputData[0];
  float *y = call->outputData;
  y[0] = x[0] + (float)add;
  y[1] = x[1] * (float)by;
  y[2] = (float)(list[1] + flag);
  ++*(int *)user_data;
  return x[0] < 0 ? "it is too small" : NULL;
}

static void the_host_computes_its_own_operators(void **state) {
  (void)state;
  messages kept = {{0}};
  XcDiag diag = {keep, &kept, 0};
  int calls = 0;
  XcCustomKernel kernel = {"Mine", compute_mine, &calls};
  XcModel *model =
      load(custom, &(XcModelOptions){.kernels = &kernel, .numKernels = 1});
  XcSession *session = xcSessionCreate(&diag, model);
  float x[2] = {1, 3};
  xcSessionBindInput(session, 0, x);
  assert_true(xcSessionRun(session, &diag));
  const float *y = xcSessionGetOutput(session, 0);
  assert_true(y[0] == 3 && y[1] == 1.5f && y[2] == 8);
  assert_int_equal(calls, 1);
  x[0] = -1;
  assert_false(xcSessionRun(session, &diag));
  assert_string_equal(kept.text, "'tir.custom' op 'mine' of type 'Mine' "
                                 "failed: it is too small");
  xcSessionDestroy(session);
  xcModelDestroy(model);
}

static void a_missing_kernel_is_named(void **state) {
  (void)state;
  messages kept = {{0}};
  XcDiag diag = {keep, &kept, 0};
  XcModel *model = load(custom, NULL);
  XcSession *session = xcSessionCreate(&diag, model);
  const float x[2] = {1, 3};
  xcSessionBindInput(session, 0, x);
  assert_false(xcSessionRun(session, &diag));
  assert_string_equal(kept.text,
                      "'tir.custom' op 'mine' of type 'Mine' is known to the "
                      "host only, which has registered no kernel of that name");
  xcSessionDestroy(session);
  xcModelDestroy(model);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

enum { NUM_THREADS = 8, NUM_RUNS = 50 };

typedef struct worker {
  const XcModel *model;
  int32_t index; // of the element to pick; beyond 1 there is none
  int wrong;
} worker;

// Errors reach the thread that made them.
static void *work(void *argument) {
  worker *w = argument;
  messages kept = {{0}};
  XcDiag diag = {keep, &kept, 0};
  XcSession *session = xcSessionCreate(&diag, w->model);
  xcSessionBindInput(session, 0, &w->index);
  for (unsigned i = 0; i < NUM_RUNS; ++i) {
    bool ok = xcSessionRun(session, &diag);
    const int8_t *y = xcSessionGetOutput(session, 0);
    char expected[32];
    snprintf(expected, sizeof(expected), "index %d is outside", (int)w->index);
    if (w->index < 2)
      w->wrong += !ok || *y != 4 + w->index;
    else
      w->wrong += ok || diag.numErrors != i + 1 || !strstr(kept.text, expected);
    kept.text[0] = '\0';
  }
  xcSessionDestroy(session);
  return NULL;
}

static void sessions_of_many_threads_share_a_model(void **state) {
  (void)state;
  XcModel *model = load(gather, NULL);
  assert_non_null(model);
  pthread_t threads[NUM_THREADS];
  worker workers[NUM_THREADS];
  for (int i = 0; i < NUM_THREADS; ++i) {
    workers[i] = (worker){model, i, 0};
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < NUM_THREADS; ++i) {
    pthread_join(threads[i], NULL);
    assert_int_equal(workers[i].wrong, 0);
  }
  xcModelDestroy(model);
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

static const char negative[] =
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %y = \"tir.neg\"(%x) {op_name = \"n\"} : (tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  return %y : tensor<4xf32>\n"
    "}\n";

static void a_model_is_machine_code(void **state) {
  (void)state;
  XcDiag diag = {0};
  XcModel *model = load(negative, &(XcModelOptions){.backend = XcBackendCpu});
  assert_non_null(model);
  assert_string_equal(xcModelGetPart(model, 0).how, "cpu");
  XcSession *session = xcSessionCreate(&diag, model);
  const float x[4] = {1, -2, 0.5f, 8};
  float y[4];
  xcSessionBindInput(session, 0, x);
  xcSessionBindOutput(session, 0, y);
  assert_true(xcSessionRun(session, &diag));
  for (int i = 0; i < 4; ++i)
    assert_true(y[i] == -x[i]);
  xcSessionDestroy(session);
  xcModelDestroy(model);
}

static void code_runs_where_its_processor_is(void **state) {
  (void)state;
  XcDiag diag = {0};
  XcModel *model = load(negative, NULL);
  XcCpuCode *code = xcCpuCompile(&diag, model->parts[0].module, NULL);
  xcModelDestroy(model);
  if (!code)
    fail_msg("the module is not compiled");
  const char *first = xcCpuCodeGetFunction(code, 0)->symbol;
  const char *params = xcCpuCodeGetParamsSymbol(code);
  assert_memory_equal(params, first, strlen(first));
  assert_string_equal(params + strlen(first), "_params");
  XcXModelObject object = {.triple = xcCpuCodeGetTriple(code),
                           .cpu = xcCpuCodeGetCpu(code),
                           .features = xcCpuCodeGetFeatures(code)};
  assert_true(xc_rt_runs_here(&object));
  object.features = "";
  assert_true(xc_rt_runs_here(&object));
  object.features = "-none,+no-such-feature";
  assert_false(xc_rt_runs_here(&object));
  object.features = "-no-such-feature";
  assert_true(xc_rt_runs_here(&object));
  object.features = "";
  object.cpu = "another";
  assert_false(xc_rt_runs_here(&object));
#if defined(__x86_64__)
  object.cpu = "x86-64";
  assert_true(xc_rt_runs_here(&object));
#endif
  object.triple = "another-machine";
  assert_false(xc_rt_runs_here(&object));
  xcCpuCodeDestroy(code);
}

static void what_is_no_object_file_is_an_error(void **state) {
  (void)state;
  messages kept = {{0}};
  XcDiag diag = {keep, &kept, 0};
  assert_null(xcCpuProgramCreate(&diag, "none", 4));
  assert_int_equal(diag.numErrors, 1);
  assert_non_null(strstr(kept.text, "the object file cannot be linked: "));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_describes_its_tensors),
      cmocka_unit_test(outputs_go_to_the_memory_of_the_caller),
      cmocka_unit_test(every_tensor_becomes_an_output),
      cmocka_unit_test(what_is_rounded_becomes_an_input),
      cmocka_unit_test(an_input_must_be_bound),
      cmocka_unit_test(a_model_that_is_none_is_one_error),
      cmocka_unit_test(elements_have_a_name_and_a_size),
      cmocka_unit_test(what_a_container_says_is_checked),
      cmocka_unit_test(the_host_computes_its_own_operators),
      cmocka_unit_test(a_missing_kernel_is_named),
      cmocka_unit_test(sessions_of_many_threads_share_a_model),
      cmocka_unit_test(a_model_is_machine_code),
      cmocka_unit_test(code_runs_where_its_processor_is),
      cmocka_unit_test(what_is_no_object_file_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
