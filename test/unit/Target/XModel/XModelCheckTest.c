//===- XModelCheckTest.c - rules of the board's runtime -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model that keeps all rules, and for each rule one that breaks it.
//
//===----------------------------------------------------------------------===//

#include "xc-c/XModelCheck.h"
#include "xc-c/XModelDpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void keep(void *user_data, XcSeverity severity, XcPlace place,
                 const char *message) {
  char *text = user_data;
  (void)severity;
  (void)place;
  strncat(text, message, 4095 - strlen(text));
  strncat(text, "\n", 4095 - strlen(text));
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

static const uint32_t dims[] = {1, 2, 2, 4};
static const int32_t one[] = {1, 1};

static XcXModelOp *add(XcXModel *model, const char *name, const char *type,
                       const char *input, XcXModelDataType data_type,
                       int bits) {
  XcXModelOp *op = xcXModelAddOp(model, name, type);
  if (input)
    xcXModelOpAddArg(op, "input", &input, 1);
  XcXModelTensor *tensor =
      xcXModelOpSetTensor(op, name, data_type, bits, dims, 4);
  if (bits == 8)
    xcXModelTensorSetFixPoint(tensor, 4, true);
  return op;
}

static XcXModelAttrs tensor_attrs(const XcXModel *model, const char *op) {
  return xcXModelTensorGetAttrs(xcXModelOpGetTensor(xcXModelFindOp(model, op)));
}

static XcXModelAttrs op_attrs(const XcXModel *model, const char *op) {
  return xcXModelOpGetAttrs(xcXModelFindOp(model, op));
}

static void place(const XcXModel *model, const char *op, uint32_t reg,
                  uint64_t address) {
  const XcXModelDpuTensor where = {.registerId = reg,
                                   .address = address,
                                   .rank = 4,
                                   .strides = {16, 8, 4, 1},
                                   .fixPoint = 4,
                                   .isSigned = true};
  xcXModelTensorSetPlace(xcXModelOpGetTensor(xcXModelFindOp(model, op)),
                         &where);
}

static XcXModelSubgraph *child(XcXModelSubgraph *parent, const char *name,
                               const char *device) {
  XcXModelSubgraph *subgraph = xcXModelSubgraphAddChild(parent, name);
  if (device)
    xcXModelAttrsSetString(xcXModelSubgraphGetAttrs(subgraph), "device",
                           device);
  return subgraph;
}

static void add_operators(XcXModel *model) {
  static const char weights[16] = {1};
  static const char *const weight_name[] = {"weights"};
  xcXModelOpSetShape(
      add(model, "in", "data-fix", NULL, XcXModelDataTypeXint, 8));
  add(model, "in_upload", "upload", "in", XcXModelDataTypeXint, 8);
  XcXModelOp *constant =
      add(model, "weights", "const-fix", NULL, XcXModelDataTypeXint, 8);
  xcXModelOpSetShape(constant);
  xcXModelAttrsSetBytes(xcXModelOpGetAttrs(constant), "data", weights, 16);
  XcXModelOp *conv =
      add(model, "conv", "conv2d-fix", "in_upload", XcXModelDataTypeXint, 8);
  xcXModelOpAddArg(conv, "weights", weight_name, 1);
  xcXModelAttrsSetInt32Vec(xcXModelOpGetAttrs(conv), "kernel", one, 2);
  xcXModelAttrsSetInt32Vec(xcXModelOpGetAttrs(conv), "stride", one, 2);
  xcXModelOpSetShape(
      add(model, "mine", "xc-own", "conv", XcXModelDataTypeXint, 8));
  add(model, "out", "download", "mine", XcXModelDataTypeXint, 8);
  XcXModelOp *real =
      add(model, "real", "softmax", "out", XcXModelDataTypeFloat, 32);
  xcXModelAttrsSetInt32(xcXModelOpGetAttrs(real), "axis", 3);
  place(model, "in_upload", 2, 0);
  place(model, "weights", 0, 0);
  place(model, "conv", 1, 0);
  place(model, "mine", 3, 0);
}

static void add_dpu(XcXModelSubgraph *root) {
  static const unsigned char contents[16] = {1}, code[4] = {1};
  const XcXModelRegister registers[] = {
      {.id = 0,
       .context = XcXModelContextConst,
       .size = 16,
       .initial = contents,
       .initialSize = 16},
      {.id = 1, .context = XcXModelContextWorkspace, .size = 16},
      {.id = 2, .context = XcXModelContextInterface, .size = 16},
      {.id = 3, .context = XcXModelContextInterface, .size = 16},
  };
  const XcXModelDpu dpu = {.target = "DPUCZDX8G_ISA1_B4096",
                           .code = code,
                           .codeSize = 4,
                           .registers = registers,
                           .numRegisters = 4};
  static const char *const names[] = {"first", "second"};
  XcXModelSubgraph *subgraph = child(root, "dpu", NULL);
  xcXModelSubgraphSetDpu(subgraph, &dpu);
  XcXModelSubgraph *first = child(subgraph, "first", NULL);
  XcXModelSubgraph *second = child(subgraph, "second", NULL);
  xcXModelAttrsSetUint64(xcXModelSubgraphGetAttrs(first), "workload", 1);
  xcXModelAttrsSetUint64(xcXModelSubgraphGetAttrs(second), "workload", 1);
  xcXModelSubgraphAddOp(first, "in_upload");
  xcXModelSubgraphAddOp(first, "weights");
  xcXModelSubgraphAddOp(first, "conv");
  xcXModelSubgraphAddOp(second, "mine");
  xcXModelSubgraphAddOp(second, "out");
  xcXModelAttrsSetStringVec(xcXModelSubgraphGetAttrs(subgraph),
                            "children_topological_sort", names, 2);
}

static XcXModel *make_model(void) {
  XcXModel *model = xcXModelCreate("board");
  xcXModelSetSource(model, "board", "abc", 3);
  add_operators(model);
  XcXModelSubgraph *root = xcXModelAddRoot(model, "root");
  xcXModelSubgraphAddOp(child(root, "user", "USER"), "in");
  add_dpu(root);
  XcXModelSubgraph *cpu = child(root, "cpu", "CPU");
  xcXModelSubgraphAddOp(cpu, "real");
  XcXModelAttr runner = xcXModelAttrsSet(
      xcXModelSubgraphGetAttrs(cpu), "runner", XcXModelKindMapStringToString);
  xcXModelAttrAppend(runner, "run", xcXModelValueString("lib.so"));
  return model;
}

enum { USER, DPU, CPU };

static XcXModelSubgraph *part(const XcXModel *model, size_t index) {
  return xcXModelSubgraphGetChild(xcXModelGetRoot(model), index);
}

static XcXModelAttrs part_attrs(const XcXModel *model, size_t index) {
  return xcXModelSubgraphGetAttrs(part(model, index));
}

//===----------------------------------------------------------------------===//
// One way to break each rule
//===----------------------------------------------------------------------===//

static void break_shape(XcXModel *m) {
  static const int32_t other[] = {1, 2, 2, 5};
  xcXModelAttrsSetInt32Vec(op_attrs(m, "in"), "shape", other, 4);
}
static void break_type_word(XcXModel *m) {
  xcXModelAttrsSetString(op_attrs(m, "weights"), "data_type", "INT8");
}
static void drop_kernel(XcXModel *m) {
  xcXModelAttrsRemove(op_attrs(m, "conv"), "kernel");
}
static void drop_data(XcXModel *m) {
  xcXModelAttrsRemove(op_attrs(m, "weights"), "data");
}
static void make_stride_text(XcXModel *m) {
  xcXModelAttrsSetString(op_attrs(m, "conv"), "stride", "1");
}
static void add_argument(XcXModel *m) {
  xcXModelOpAddArg(xcXModelFindOp(m, "real"), "extra",
                   (const char *const[]){"out"}, 1);
}
static void upload_two(XcXModel *m) {
  xcXModelOpAddArg(xcXModelFindOp(m, "in_upload"), "input",
                   (const char *const[]){"in"}, 1);
}
static void drop_opaque_shape(XcXModel *m) {
  xcXModelAttrsRemove(op_attrs(m, "mine"), "shape");
}
static void name_opaque_argument(XcXModel *m) {
  xcXModelOpAddArg(xcXModelFindOp(m, "mine"), "slope",
                   (const char *const[]){"weights"}, 1);
}
static void use_late_operator(XcXModel *m) {
  XcXModelOp *late = add(m, "late", "const-fix", NULL, XcXModelDataTypeXint, 8);
  xcXModelOpSetShape(late);
  xcXModelAttrsSetBytes(xcXModelOpGetAttrs(late), "data", "", 0);
  place(m, "late", 0, 0);
  xcXModelSubgraphAddOp(xcXModelSubgraphGetChild(part(m, DPU), 0), "late");
  xcXModelOpAddArg(xcXModelFindOp(m, "conv"), "bias",
                   (const char *const[]){"late"}, 1);
}
static void name_tensor_twice(XcXModel *m) {
  xcXModelTensorSetName(xcXModelOpGetTensor(xcXModelFindOp(m, "conv")), "mine");
}
static void make_register_number_unsigned(XcXModel *m) {
  xcXModelAttrAppend(
      xcXModelAttrsSet(tensor_attrs(m, "conv"), "reg_id", XcXModelKindUint32),
      NULL, xcXModelValueUint(1));
}
static void make_workload_small(XcXModel *m) {
  xcXModelAttrsSetInt32(part_attrs(m, DPU), "workload", 1);
}
static void drop_place(XcXModel *m) {
  xcXModelAttrsRemove(tensor_attrs(m, "weights"), "location");
}
static void use_other_register(XcXModel *m) { place(m, "conv", 5, 0); }
static void leave_register(XcXModel *m) { place(m, "mine", 3, 1024); }
static void make_gaps(XcXModel *m) {
  static const int32_t strides[] = {32, 16, 8, 1};
  xcXModelAttrsSetInt32Vec(tensor_attrs(m, "out"), "stride", strides, 4);
}
static void drop_fix_point(XcXModel *m) {
  xcXModelAttrsRemove(tensor_attrs(m, "in"), "fix_point");
}
static void drop_round_mode(XcXModel *m) {
  xcXModelAttrsRemove(tensor_attrs(m, "out"), "round_mode");
}
static void make_int(XcXModel *m) {
  XcXModelOp *op = xcXModelFindOp(m, "out");
  xcXModelTensorSetFixPoint(
      xcXModelOpSetTensor(op, "out", XcXModelDataTypeInt, 8, dims, 4), 4, true);
}
static void make_batch(XcXModel *m) {
  static const uint32_t two[] = {2, 2, 1, 4};
  XcXModelOp *op = xcXModelFindOp(m, "out");
  xcXModelTensorSetFixPoint(
      xcXModelOpSetTensor(op, "out", XcXModelDataTypeXint, 8, two, 4), 4, true);
}
static void make_flat(XcXModel *m) {
  XcXModelOp *op = xcXModelFindOp(m, "in");
  xcXModelTensorSetFixPoint(
      xcXModelOpSetTensor(op, "in", XcXModelDataTypeXint, 8, NULL, 0), 4, true);
  xcXModelOpSetShape(op);
}
static void name_register(XcXModel *m) {
  xcXModelTensorSetName(xcXModelOpGetTensor(xcXModelFindOp(m, "in")),
                        "__reg__0");
}
/// An input of the DPU subgraph that its own operator takes.
static void add_input(XcXModel *m, const char *producer, const char *tensor) {
  if (!xcXModelFindOp(m, producer)) {
    xcXModelOpSetShape(
        add(m, producer, "data-fix", NULL, XcXModelDataTypeXint, 8));
    xcXModelSubgraphAddOp(part(m, USER), producer);
  }
  xcXModelTensorSetName(xcXModelOpGetTensor(xcXModelFindOp(m, producer)),
                        tensor);
  add(m, "again", "upload", producer, XcXModelDataTypeXint, 8);
  place(m, "again", 2, 0);
  XcXModelSubgraph *last = xcXModelSubgraphGetChild(part(m, DPU), 1);
  xcXModelSubgraphAddOp(last, "again");
  xcXModelOpSetShape(
      add(m, "mine2", "xc-own", "again", XcXModelDataTypeXint, 8));
  place(m, "mine2", 3, 0);
  xcXModelSubgraphAddOp(last, "mine2");
  add(m, "zz", "download", "mine2", XcXModelDataTypeXint, 8);
  xcXModelSubgraphAddOp(last, "zz");
}
static void hide_name(XcXModel *m) {
  xcXModelTensorSetName(xcXModelOpGetTensor(xcXModelFindOp(m, "in")), "AZB");
  add_input(m, "other", "Z");
}
static void upload_twice(XcXModel *m) { add_input(m, "in", "in"); }
static void leave_unused(XcXModel *m) {
  xcXModelOpSetShape(
      add(m, "mine2", "xc-own", "conv", XcXModelDataTypeXint, 8));
  place(m, "mine2", 1, 0);
  xcXModelSubgraphAddOp(xcXModelSubgraphGetChild(part(m, DPU), 1), "mine2");
}
static void belong_twice(XcXModel *m) {
  xcXModelSubgraphAddOp(xcXModelSubgraphGetChild(part(m, DPU), 1), "conv");
}
static void belong_nowhere(XcXModel *m) {
  add(m, "lost", "neg", "real", XcXModelDataTypeFloat, 32);
}
static void drop_device(XcXModel *m) {
  xcXModelAttrsRemove(part_attrs(m, USER), "device");
}
static void drop_dpu_runner(XcXModel *m) {
  xcXModelAttrsRemove(part_attrs(m, DPU), "runner");
}
static void drop_cpu_runner(XcXModel *m) {
  xcXModelAttrsRemove(part_attrs(m, CPU), "runner");
}
static void drop_code(XcXModel *m) {
  xcXModelAttrsRemove(part_attrs(m, DPU), "mc_code");
}
static void drop_contents(XcXModel *m) {
  xcXModelAttrsRemove(part_attrs(m, DPU), "reg_id_to_parameter_value");
}
static void add_register(XcXModel *m) {
  xcXModelAttrAppend(xcXModelAttrsFind(part_attrs(m, DPU), "reg_id_to_size"),
                     "REG_10", xcXModelValueInt(1));
}
static void empty_register(XcXModel *m) {
  xcXModelAttrAppend(xcXModelAttrsFind(part_attrs(m, DPU), "reg_id_to_size"),
                     "REG_4", xcXModelValueInt(0));
}
static void add_unused_interface(XcXModel *m) {
  xcXModelAttrAppend(
      xcXModelAttrsFind(part_attrs(m, DPU), "reg_id_to_context_type_v2"),
      "REG_1", xcXModelValueString("INTERFACE"));
}
static void drop_workload(XcXModel *m) {
  xcXModelAttrsRemove(
      xcXModelSubgraphGetAttrs(xcXModelSubgraphGetChild(part(m, DPU), 1)),
      "workload");
}
static void sort_wrongly(XcXModel *m) {
  static const char *const names[] = {"second", "first"};
  xcXModelAttrsSetStringVec(part_attrs(m, DPU), "children_topological_sort",
                            names, 2);
}
static void sort_strangers(XcXModel *m) {
  static const char *const names[] = {"first", "third"};
  xcXModelAttrsSetStringVec(part_attrs(m, DPU), "children_topological_sort",
                            names, 2);
}
static void set_layer_code(XcXModel *m, size_t index, const void *code) {
  xcXModelAttrsSetBytes(
      xcXModelSubgraphGetAttrs(xcXModelSubgraphGetChild(part(m, DPU), index)),
      "mc_code", code, 4);
}
static const unsigned char end_code[] = {0, 0, 0, 0x70};
static void code_one_layer(XcXModel *m) { set_layer_code(m, 0, end_code); }
static void code_without_end(XcXModel *m) {
  static const unsigned char other[] = {0, 0, 0, 0xf0};
  set_layer_code(m, 0, end_code);
  set_layer_code(m, 1, other);
}
static void name_with_comma(XcXModel *m) {
  child(xcXModelGetRoot(m), "a,b", "USER");
}
static void name_twice(XcXModel *m) {
  child(xcXModelGetRoot(m), "cpu", "USER");
}
static void drop_md5(XcXModel *m) {
  xcXModelAttrsRemove(xcXModelGetAttrs(m), "files_md5sum");
}

static const struct {
  const char *rule;
  void (*break_it)(XcXModel *model);
} rows[] = {
    {"operator-shape", break_shape},
    {"operator-shape", break_type_word},
    {"operator-definition", drop_kernel},
    {"operator-definition", drop_data},
    {"operator-definition", make_stride_text},
    {"operator-definition", add_argument},
    {"operator-definition", upload_two},
    {"operator-unknown", drop_opaque_shape},
    {"operator-unknown", name_opaque_argument},
    {"operator-order", use_late_operator},
    {"tensor-name", name_tensor_twice},
    {"attribute-kind", make_register_number_unsigned},
    {"attribute-kind", make_workload_small},
    {"tensor-place", drop_place},
    {"tensor-register", use_other_register},
    {"tensor-fit", leave_register},
    {"boundary-dense", make_gaps},
    {"boundary-fix-point", drop_fix_point},
    {"boundary-fix-point", drop_round_mode},
    {"boundary-type", make_int},
    {"boundary-batch", make_batch},
    {"boundary-batch", make_flat},
    {"boundary-name", name_register},
    {"boundary-name", hide_name},
    {"upload", upload_twice},
    {"unused-operator", leave_unused},
    {"leaf", belong_twice},
    {"leaf", belong_nowhere},
    {"device", drop_device},
    {"runner", drop_dpu_runner},
    {"runner", drop_cpu_runner},
    {"dpu-code", drop_code},
    {"dpu-code", drop_contents},
    {"registers", add_register},
    {"registers", empty_register},
    {"registers", add_unused_interface},
    {"workload", drop_workload},
    {"children-order", sort_wrongly},
    {"children-order", sort_strangers},
    {"layer-code", code_one_layer},
    {"layer-code", code_without_end},
    {"subgraph-name", name_with_comma},
    {"subgraph-name", name_twice},
    {"files-md5", drop_md5},
};

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static bool check(XcXModel *model, char *text) {
  XcDiag diag = {keep, text, 0};
  bool ok = xcXModelCheck(&diag, model);
  assert_int_equal(ok, diag.numErrors == 0);
  xcXModelDestroy(model);
  return ok;
}

static void a_good_model_is_good(void **state) {
  (void)state;
  char text[4096] = "";
  bool ok = check(make_model(), text);
  assert_string_equal(text, "");
  assert_true(ok);
}

static void layers_may_have_code(void **state) {
  (void)state;
  char text[4096] = "";
  XcXModel *model = make_model();
  set_layer_code(model, 0, end_code);
  set_layer_code(model, 1, end_code);
  (void)check(model, text);
  assert_string_equal(text, "");
}

/// Every finding of a broken model is about its rule.
static void rules_are_told_apart(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    char text[4096] = "", wanted[64];
    XcXModel *model = make_model();
    rows[i].break_it(model);
    assert_false(check(model, text));
    snprintf(wanted, sizeof(wanted), " [%s: ", rows[i].rule);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
      if (!strstr(line, wanted))
        fail_msg("row %zu (%s): %s", i, rows[i].rule, line);
  }
}

static void every_rule_can_be_broken(void **state) {
  (void)state;
  for (size_t r = 0; r < xcXModelGetNumRules(); ++r) {
    size_t found = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
      found += strcmp(rows[i].rule, xcXModelGetRule(r).name) == 0;
    if (!found)
      fail_msg("rule '%s' has no row", xcXModelGetRule(r).name);
  }
}

static void hidden_names_are_changed(void **state) {
  (void)state;
  char text[4096] = "";
  XcXModel *model = make_model();
  hide_name(model);
  xcXModelNameBorders(model);
  assert_string_equal(
      xcXModelTensorGetName(xcXModelOpGetTensor(xcXModelFindOp(model, "in"))),
      "AZB");
  (void)check(model, text);
  assert_string_equal(text, "");
}

static void sources_have_their_sum(void **state) {
  (void)state;
  static const struct {
    const char *text, *sum;
  } sums[] = {
      {"", "d41d8cd98f00b204e9800998ecf8427e"},
      {"abc", "900150983cd24fb0d6963f7d28e17f72"},
      {"1234567890123456789012345678901234567890123456789012345",
       "c9ccf168914a1bcfc3229f1948e67da0"},
      {"12345678901234567890123456789012345678901234567890123456789012345678901"
       "234567890",
       "57edf4a22be3c955ac49da2e2107b67a"},
  };
  for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); ++i) {
    XcXModel *model = xcXModelCreate("sums");
    xcXModelSetSource(model, "file", sums[i].text, strlen(sums[i].text));
    XcXModelAttr attr =
        xcXModelAttrsFind(xcXModelGetAttrs(model), "files_md5sum");
    assert_string_equal(xcXModelAttrGetKey(attr, 0), "file");
    assert_string_equal(xcXModelAttrGetValue(attr, 0, 0).data, sums[i].sum);
    xcXModelDestroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_model_is_good),
      cmocka_unit_test(layers_may_have_code),
      cmocka_unit_test(rules_are_told_apart),
      cmocka_unit_test(every_rule_can_be_broken),
      cmocka_unit_test(hidden_names_are_changed),
      cmocka_unit_test(sources_have_their_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
