//===- XModelMixedTest.c - xmodels with parts for CPU and DPU -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/XModelMixed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void keep(void *user_data, XcSeverity severity, XcPlace place,
                 const char *message) {
  (void)severity;
  (void)place;
  strncat(user_data, message, 255 - strlen(user_data));
}

static const XcXModelPort x = {"x", "f32", 2, {1, 8}, false, 0};
static const XcXModelPort y = {"y", "i8", 2, {1, 8}, true, -3};
static const XcXModelPort z = {"z", "bf16", 0, {0}, false, 0};
static const char *const x_name[] = {"x"}, *const y_name[] = {"y"};
static const char *const outputs[] = {"z", "y", "z"};
static const char *const names[] = {"first", "second", "again"};

/// x -> a -> y -> b -> z
static XcXModel *make_chain(void) {
  XcXModel *model = xcXModelCreate("chain");
  xcXModelAddInputs(model, "inputs", &x, 1);
  XcXModelSubgraph *a = xcXModelAddCpu(model, "a", x_name, 1, &y, 1);
  xcXModelSubgraphSetPortable(a, "code", 4);
  xcXModelAddCpu(model, "b", y_name, 1, &z, 1);
  xcXModelSetOutputs(model, outputs, names, 3);
  return model;
}

static XcXModel *reread(XcXModel *model) {
  XcDiag diag = {0};
  size_t size;
  void *bytes = xcXModelWriteToMemory(model, &size);
  xcXModelDestroy(model);
  model = xcXModelReadFromMemory(&diag, "t.xmodel", bytes, size);
  free(bytes);
  assert_non_null(model);
  return model;
}

static void what_was_written_is_read(void **state) {
  (void)state;
  XcDiag diag = {0};
  XcXModel *model = reread(make_chain());
  assert_true(xcXModelIsMixed(model));
  const XcXModelMixed *mixed = xcXModelMixedCreate(&diag, model);
  assert_non_null(mixed);
  assert_int_equal(mixed->numPorts, 3);
  assert_int_equal(mixed->numInputs, 1);
  assert_int_equal(mixed->numParts, 2);
  assert_string_equal(mixed->ports[1].name, "y");
  assert_string_equal(mixed->ports[1].element, "i8");
  assert_int_equal(mixed->ports[1].dims[1], 8);
  assert_true(mixed->ports[1].hasFixPoint && mixed->ports[1].fixPoint == -3);
  assert_false(mixed->ports[0].hasFixPoint);
  assert_int_equal(mixed->ports[2].rank, 0);
  assert_string_equal(mixed->parts[0].name, "a");
  assert_false(mixed->parts[0].isDpu);
  assert_int_equal(mixed->parts[0].portableSize, 4);
  assert_memory_equal(mixed->parts[0].portable, "code", 4);
  assert_null(mixed->parts[1].portable);
  assert_int_equal(mixed->parts[1].inputs[0], 1);
  assert_int_equal(mixed->parts[1].outputs[0], 2);
  assert_int_equal(mixed->numOutputs, 3);
  assert_int_equal(mixed->outputs[0], 2);
  assert_int_equal(mixed->outputs[1], 1);
  assert_string_equal(mixed->outputNames[2], "again");
  xcXModelMixedDestroy(mixed);
  xcXModelDestroy(model);
}

static void check_error(XcXModel *model, const char *message) {
  char text[256] = "";
  XcDiag diag = {keep, text, 0};
  model = reread(model);
  assert_null(xcXModelMixedCreate(&diag, model));
  assert_string_equal(text, message);
  assert_int_equal(diag.numErrors, 1);
  xcXModelDestroy(model);
}

static XcXModelSubgraph *part_at(const XcXModel *model, size_t index) {
  return xcXModelSubgraphGetChild(xcXModelGetRoot(model), index);
}

static void code_of_a_part_comes_with_what_it_needs(void **state) {
  (void)state;
  XcDiag diag = {0};
  XcXModel *model = make_chain();
  const XcXModelObject object = {"ELF",   3,  "f",   "t-r-i", "cpu",
                                 "+a,-b", 99, "par", 3,       false};
  xcXModelSubgraphAddObject(part_at(model, 1), &object);
  assert_true(xcXModelSeal(&diag, model));
  model = reread(model);
  const XcXModelMixed *mixed = xcXModelMixedCreate(&diag, model);
  assert_non_null(mixed);
  const XcXModelObject *found = &mixed->parts[0].objects[0];
  assert_true(mixed->parts[0].objects[0].isIntact);
  assert_int_equal(found->codeSize, 3);
  assert_memory_equal(found->code, "ELF", 3);
  assert_string_equal(found->symbol, "f");
  assert_string_equal(found->triple, "t-r-i");
  assert_string_equal(found->cpu, "cpu");
  assert_string_equal(found->features, "+a,-b");
  assert_int_equal(found->arenaSize, 99);
  assert_int_equal(found->paramsSize, 3);
  assert_memory_equal(found->params, "par", 3);
  assert_int_equal(mixed->parts[1].numObjects, 0);
  xcXModelMixedDestroy(mixed);
  xcXModelDestroy(model);
}

static void code_for_several_processors_keeps_its_order(void **state) {
  (void)state;
  XcDiag diag = {0};
  XcXModel *model = make_chain();
  const XcXModelObject objects[] = {
      {"ELF0", 4, "f", "t", "c", "", 1, NULL, 0, false},
      {"ELF1", 4, "g", "u", "d", "", 2, "par", 3, false},
      {"ELF2", 4, "h", "v", "e", "", 3, NULL, 0, false},
  };
  for (size_t i = 0; i < 3; ++i)
    xcXModelSubgraphAddObject(part_at(model, 1), &objects[i]);
  assert_true(xcXModelSeal(&diag, model));
  model = reread(model);
  const XcXModelMixed *mixed = xcXModelMixedCreate(&diag, model);
  assert_non_null(mixed);
  assert_int_equal(mixed->parts[0].numObjects, 3);
  for (size_t i = 0; i < 3; ++i) {
    const XcXModelObject *found = &mixed->parts[0].objects[i];
    assert_memory_equal(found->code, objects[i].code, 4);
    assert_string_equal(found->symbol, objects[i].symbol);
    assert_string_equal(found->cpu, objects[i].cpu);
    assert_int_equal(found->arenaSize, objects[i].arenaSize);
    assert_int_equal(found->paramsSize, objects[i].paramsSize);
    assert_true(found->isIntact);
  }
  xcXModelMixedDestroy(mixed);
  xcXModelDestroy(model);
}

static bool code_is_intact(XcXModel *model) {
  XcDiag diag = {0};
  model = reread(model);
  const XcXModelMixed *mixed = xcXModelMixedCreate(&diag, model);
  assert_non_null(mixed);
  bool is_intact = mixed->parts[0].objects[0].isIntact;
  xcXModelMixedDestroy(mixed);
  xcXModelDestroy(model);
  return is_intact;
}

// A change of anything that the code relies on.
static void damaged_code_is_noticed(void **state) {
  (void)state;
  static const struct {
    XcXModelObject object;
    uint32_t width; // of y
  } damages[] = {
      {{"ELf", 3, "f", "t", "c", "+a", 99, "par", 3, false}, 8},
      {{"EL", 2, "f", "t", "c", "+a", 99, "par", 3, false}, 8},
      {{"ELF", 3, "g", "t", "c", "+a", 99, "par", 3, false}, 8},
      {{"ELF", 3, "f", "u", "c", "+a", 99, "par", 3, false}, 8},
      {{"ELF", 3, "f", "t", "d", "+a", 99, "par", 3, false}, 8},
      {{"ELF", 3, "f", "t", "c", "-a", 99, "par", 3, false}, 8},
      {{"ELF", 3, "f", "t", "c", "+a", 98, "par", 3, false}, 8},
      {{"ELF", 3, "f", "t", "c", "+a", 99, "paR", 3, false}, 8},
      {{"ELF", 3, "f", "t", "c", "+a", 99, "par", 3, false}, 7},
  };
  const XcXModelObject object = {"ELF", 3,  "f",   "t", "c",
                                 "+a",  99, "par", 3,   false};
  for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); ++i) {
    XcDiag diag = {0};
    XcXModel *model = make_chain();
    xcXModelSubgraphAddObject(part_at(model, 1), &object);
    assert_true(xcXModelSeal(&diag, model));
    xcXModelAttrsRemove(xcXModelSubgraphGetAttrs(part_at(model, 1)),
                        "xc_object"); // its place is free for the next
    xcXModelSubgraphAddObject(part_at(model, 1), &damages[i].object);
    const uint32_t dims[] = {1, damages[i].width};
    XcXModelTensor *tensor = xcXModelOpSetTensor(
        xcXModelFindOp(model, "y"), "y", XcXModelDataTypeInt, 8, dims, 2);
    xcXModelAttrsSetString(xcXModelTensorGetAttrs(tensor), "xc_element", "i8");
    assert_false(code_is_intact(model));
  }
  XcXModel *model = make_chain();
  xcXModelSubgraphAddObject(part_at(model, 1), &object);
  assert_false(code_is_intact(model));
}

static void what_is_not_complete_is_not_sealed(void **state) {
  (void)state;
  char text[256] = "";
  XcDiag diag = {keep, text, 0};
  XcXModel *model = make_chain();
  const char *const other[] = {"nothing"};
  xcXModelSetOutputs(model, other, names, 1);
  assert_false(xcXModelSeal(&diag, model));
  assert_string_equal(text, "operator 'nothing' does not exist");
  assert_int_equal(diag.numErrors, 1);
  xcXModelDestroy(model);
}

static void what_is_wrong_is_named(void **state) {
  (void)state;
  XcXModel *model = make_chain();
  xcXModelAddCpu(model, "c", NULL, 0, NULL, 0);
  xcXModelSubgraphAddOp(part_at(model, 3), "y");
  check_error(model, "two parts compute operator 'y'");

  model = make_chain();
  xcXModelSetOutputs(model, outputs, names, 0);
  xcXModelAttrsSetStringVec(xcXModelGetAttrs(model), "xc_outputs", outputs, 2);
  check_error(model, "'xc_outputs' and 'xc_output_names' are not lists of the "
                     "same length");

  model = make_chain();
  const char *const other[] = {"nothing"};
  xcXModelSetOutputs(model, other, names, 1);
  check_error(model, "operator 'nothing' does not exist");

  model = make_chain();
  const char *const late_name[] = {"late"};
  const XcXModelPort early = {"early", "f32", 0, {0}, false, 0};
  xcXModelAddOp(model, "late", "xc-cpu");
  xcXModelAddCpu(model, "c", late_name, 1, &early, 1);
  check_error(model, "operator 'late' is used before any part computes it");

  model = make_chain();
  xcXModelAddOp(model, "bare", "xc-cpu");
  xcXModelAddCpu(model, "c", NULL, 0, NULL, 0);
  xcXModelSubgraphAddOp(part_at(model, 3), "bare");
  check_error(model, "operator 'bare' has no tensor");

  model = make_chain();
  const XcXModelOp *op = xcXModelFindOp(model, "z");
  xcXModelAttrsRemove(xcXModelTensorGetAttrs(xcXModelOpGetTensor(op)),
                      "xc_element");
  check_error(model, "the tensor of operator 'z' has no 'xc_element'");

  model = make_chain();
  xcXModelAttrsSetString(xcXModelSubgraphGetAttrs(part_at(model, 1)), "device",
                         "GPU");
  check_error(model, "the device of subgraph 'a' is none of USER, CPU and DPU");

  model = make_chain();
  xcXModelAddInputs(model, "more", &early, 1);
  check_error(model, "the inputs of the model come after its parts");

  model = make_chain();
  uint32_t dims[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  XcXModelTensor *deep = xcXModelOpSetTensor(
      xcXModelFindOp(model, "z"), "z", XcXModelDataTypeFloat, 32, dims, 9);
  xcXModelAttrsSetString(xcXModelTensorGetAttrs(deep), "xc_element", "f32");
  check_error(model, "operator 'z' has 9 dimensions, expected at most 8");

  model = make_chain();
  xcXModelAttrsSetBytes(xcXModelSubgraphGetAttrs(part_at(model, 1)),
                        "xc_object", "ELF", 3);
  check_error(model, "the machine code of part 'a' is not described");

  const uint64_t arenas[] = {UINT64_MAX, UINT64_C(1) << 40};
  for (size_t i = 0; i < 2; ++i) {
    const XcXModelObject large = {"E", 1,         "f", "t", "c",
                                  "",  arenas[i], "",  0,   false};
    model = make_chain();
    xcXModelSubgraphAddObject(part_at(model, 1), &large);
    check_error(model, "the machine code of part 'a' is not described");
  }

  model = xcXModelCreate("bare");
  xcXModelSetOutputs(model, outputs, names, 0);
  check_error(model, "the model has no subgraphs");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_written_is_read),
      cmocka_unit_test(code_of_a_part_comes_with_what_it_needs),
      cmocka_unit_test(code_for_several_processors_keeps_its_order),
      cmocka_unit_test(damaged_code_is_noticed),
      cmocka_unit_test(what_is_not_complete_is_not_sealed),
      cmocka_unit_test(what_is_wrong_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
