//===- XModelTest.c - unit tests of the xmodel container ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/XModel.h"
#include "Support/Text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void keep_message(void *user_data, XcSeverity severity, XcPlace place,
                         const char *message) {
  (void)severity;
  (void)place;
  xc_text *text = user_data;
  xc_text_free(text);
  xc_text_puts(text, message);
}

// Values for one kind: what is appended is what comes back.
static XcXModelValue sample(XcXModelValueType type, int i) {
  static const char *const texts[] = {"", "one", "two"};
  switch (type) {
  case XcXModelValueTypeInt:
    return xcXModelValueInt(1 - i % 2); // fits a bool, too
  case XcXModelValueTypeUint:
    return xcXModelValueUint((uint64_t)i * 3000000000u % 4294967296u);
  case XcXModelValueTypeReal:
    return xcXModelValueReal(i * 0.5);
  case XcXModelValueTypeString:
    return xcXModelValueString(texts[i % 3]);
  case XcXModelValueTypeBytes:
    return xcXModelValueBytes(texts[i % 3], strlen(texts[i % 3]));
  }
  return xcXModelValueInt(0);
}

static void assert_same_value(XcXModelValue a, XcXModelValue b) {
  assert_int_equal(a.type, b.type);
  assert_int_equal(a.integer, b.integer);
  assert_int_equal(a.natural, b.natural);
  assert_true(!(a.real < b.real) && !(a.real > b.real));
  assert_int_equal(a.size, b.size);
  if (a.size)
    assert_memory_equal(a.data, b.data, a.size);
}

static const struct {
  XcXModelKind kind;
  XcXModelValueType type;
  bool is_list, is_map, has_rows;
} kinds[] = {
    // clang-format off
    {XcXModelKindBool,      XcXModelValueTypeInt,    0, 0, 0},
    {XcXModelKindInt32,     XcXModelValueTypeInt,    0, 0, 0},
    {XcXModelKindUint32,    XcXModelValueTypeUint,   0, 0, 0},
    {XcXModelKindInt64,     XcXModelValueTypeInt,    0, 0, 0},
    {XcXModelKindUint64,    XcXModelValueTypeUint,   0, 0, 0},
    {XcXModelKindFloat,     XcXModelValueTypeReal,   0, 0, 0},
    {XcXModelKindDouble,    XcXModelValueTypeReal,   0, 0, 0},
    {XcXModelKindString,    XcXModelValueTypeString, 0, 0, 0},
    {XcXModelKindBytes,     XcXModelValueTypeBytes,  0, 0, 0},
    {XcXModelKindBoolVec,   XcXModelValueTypeInt,    1, 0, 0},
    {XcXModelKindInt32Vec,  XcXModelValueTypeInt,    1, 0, 0},
    {XcXModelKindUint32Vec, XcXModelValueTypeUint,   1, 0, 0},
    {XcXModelKindInt64Vec,  XcXModelValueTypeInt,    1, 0, 0},
    {XcXModelKindUint64Vec, XcXModelValueTypeUint,   1, 0, 0},
    {XcXModelKindFloatVec,  XcXModelValueTypeReal,   1, 0, 0},
    {XcXModelKindDoubleVec, XcXModelValueTypeReal,   1, 0, 0},
    {XcXModelKindStringVec, XcXModelValueTypeString, 1, 0, 0},
    {XcXModelKindBytesVec,  XcXModelValueTypeBytes,  1, 0, 0},
    {XcXModelKindMapStringToInt32,     XcXModelValueTypeInt,    1, 1, 0},
    {XcXModelKindMapStringToUint32,    XcXModelValueTypeUint,   1, 1, 0},
    {XcXModelKindMapStringToInt64,     XcXModelValueTypeInt,    1, 1, 0},
    {XcXModelKindMapStringToUint64,    XcXModelValueTypeUint,   1, 1, 0},
    {XcXModelKindMapStringToString,    XcXModelValueTypeString, 1, 1, 0},
    {XcXModelKindMapStringToBytes,     XcXModelValueTypeBytes,  1, 1, 0},
    {XcXModelKindMapStringToInt32Vec,  XcXModelValueTypeInt,    1, 1, 1},
    {XcXModelKindMapStringToUint32Vec, XcXModelValueTypeUint,   1, 1, 1},
    {XcXModelKindMapStringToInt64Vec,  XcXModelValueTypeInt,    1, 1, 1},
    {XcXModelKindMapStringToUint64Vec, XcXModelValueTypeUint,   1, 1, 1},
    {XcXModelKindMapStringToStringVec, XcXModelValueTypeString, 1, 1, 1},
    // clang-format on
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(*kinds) };

static const char *const keys[] = {"c", "a", "b"}; // given unsorted
static const int sorted[] = {1, 2, 0};             // "a" is sample 1, ...

static void check_kind(XcXModelAttrs attrs, size_t i) {
  XcXModelAttr attr =
      xcXModelAttrsFind(attrs, xcXModelKindGetName(kinds[i].kind));
  assert_non_null(attr.value);
  assert_int_equal(xcXModelAttrGetKind(attr), kinds[i].kind);
  assert_int_equal(xcXModelAttrGetNumRows(attr), kinds[i].is_list ? 3 : 1);
  for (size_t row = 0; row < xcXModelAttrGetNumRows(attr); ++row) {
    int expected = kinds[i].is_map ? sorted[row] : (int)row;
    assert_string_equal(xcXModelAttrGetKey(attr, row),
                        kinds[i].is_map ? keys[expected] : "");
    size_t width = kinds[i].has_rows ? 2 : 1;
    assert_int_equal(xcXModelAttrGetWidth(attr, row), width);
    for (size_t column = 0; column < width; ++column)
      assert_same_value(
          xcXModelAttrGetValue(attr, row, column),
          sample(kinds[i].type, expected + (kinds[i].is_list ? 0 : 1)));
  }
}

static XcXModel *model_with_all_kinds(void) {
  XcXModel *model = xcXModelCreate("all");
  XcXModelAttrs attrs = xcXModelGetAttrs(model);
  for (size_t i = NUM_KINDS; i-- > 0;) {
    XcXModelAttr attr = xcXModelAttrsSet(
        attrs, xcXModelKindGetName(kinds[i].kind), kinds[i].kind);
    for (int row = 0; row < (kinds[i].is_list ? 3 : 2); ++row)
      for (int column = 0; column < (kinds[i].has_rows ? 2 : 1); ++column)
        xcXModelAttrAppend(attr, keys[row], sample(kinds[i].type, row));
  }
  return model;
}

static void every_kind_survives_a_file(void **state) {
  (void)state;
  XcXModel *model = model_with_all_kinds();
  XcXModelAttrs attrs = xcXModelGetAttrs(model);
  assert_int_equal(xcXModelAttrsGetCount(attrs), NUM_KINDS);
  for (size_t i = 0; i < NUM_KINDS; ++i)
    check_kind(attrs, i);
  for (size_t i = 1; i < NUM_KINDS; ++i)
    assert_true(strcmp(xcXModelAttrsGet(attrs, i - 1).name,
                       xcXModelAttrsGet(attrs, i).name) < 0);
  size_t size, size_again;
  void *data = xcXModelWriteToMemory(model, &size);
  XcDiag diag = {0};
  XcXModel *again = xcXModelReadFromMemory(&diag, "all.xmodel", data, size);
  assert_non_null(again);
  for (size_t i = 0; i < NUM_KINDS; ++i)
    check_kind(xcXModelGetAttrs(again), i);
  void *data_again = xcXModelWriteToMemory(again, &size_again);
  assert_int_equal(size, size_again);
  assert_memory_equal(data, data_again, size);
  free(data);
  free(data_again);
  xcXModelDestroy(model);
  xcXModelDestroy(again);
}

static void setting_again_replaces(void **state) {
  (void)state;
  XcXModel *model = xcXModelCreate("m");
  XcXModelAttrs attrs = xcXModelGetAttrs(model);
  xcXModelAttrsSetString(attrs, "x", "first");
  xcXModelAttrsSetInt32Vec(attrs, "x", (const int32_t[]){1, -2}, 2);
  int64_t ints[2], one = 7;
  size_t count;
  assert_true(xcXModelAttrsGetInts(attrs, "x", ints, 2, &count));
  assert_int_equal(count, 2);
  assert_int_equal(ints[1], -2);
  assert_false(xcXModelAttrsGetInts(attrs, "x", ints, 1, &count));
  assert_false(xcXModelAttrsGetInt(attrs, "x", &one));
  assert_null(xcXModelAttrsGetString(attrs, "x"));
  assert_null(xcXModelAttrsGetString(attrs, "y"));
  xcXModelAttrsSetUint64(attrs, "x", UINT64_MAX);
  assert_false(xcXModelAttrsGetInt(attrs, "x", &one));
  xcXModelAttrsSetBool(attrs, "x", true);
  assert_true(xcXModelAttrsGetInt(attrs, "x", &one));
  assert_int_equal(one, 1);
  xcXModelAttrsSetFloat(attrs, "x", 0.25f);
  double real = 0;
  assert_true(xcXModelAttrsGetReal(attrs, "x", &real));
  assert_true(real > 0.24 && real < 0.26);
  assert_int_equal(xcXModelAttrsGetCount(attrs), 1);
  xcXModelAttrsSetBool(attrs, "y", true);
  xcXModelAttrsRemove(attrs, "z");
  xcXModelAttrsRemove(attrs, "x");
  assert_int_equal(xcXModelAttrsGetCount(attrs), 1);
  assert_string_equal(xcXModelAttrsGet(attrs, 0).name, "y");
  xcXModelDestroy(model);
}

// data -> conv -> relu, in two device subgraphs.
static XcXModel *small_model(void) {
  static const uint32_t dims[] = {1, 4, 4, 2};
  XcXModel *model = xcXModelCreate("small");
  XcXModelOp *data = xcXModelAddOp(model, "data", "data-fix");
  xcXModelOpSetTensor(data, "data", XcXModelDataTypeXint, 8, dims, 4);
  XcXModelOp *relu = xcXModelAddOp(model, "relu", "relu");
  xcXModelOpAddArg(relu, "input", (const char *const[]){"conv"}, 1);
  XcXModelOp *conv = xcXModelAddOp(model, "conv", "conv2d-fix");
  xcXModelOpAddArg(conv, "input", (const char *const[]){"data"}, 1);
  xcXModelOpSetTensor(conv, "conv_out", XcXModelDataTypeInt, 0, dims, 4);
  XcXModelSubgraph *root = xcXModelAddRoot(model, "root");
  XcXModelSubgraph *user = xcXModelSubgraphAddChild(root, "user");
  xcXModelSubgraphAddOp(user, "data");
  XcXModelSubgraph *dpu = xcXModelSubgraphAddChild(root, "dpu");
  xcXModelSubgraphAddOp(dpu, "conv");
  xcXModelSubgraphAddOp(dpu, "relu");
  xcXModelAttrsSetString(xcXModelSubgraphGetAttrs(dpu), "device", "DPU");
  return model;
}

static void graph_survives_a_file(void **state) {
  (void)state;
  XcDiag diag = {0};
  XcXModel *model = small_model();
  assert_true(xcXModelVerify(&diag, model));
  size_t size;
  void *data = xcXModelWriteToMemory(model, &size);
  xcXModelDestroy(model);
  model = xcXModelReadFromMemory(&diag, "small.xmodel", data, size);
  free(data);
  assert_non_null(model);
  assert_string_equal(xcXModelGetName(model), "small");
  assert_string_equal(xcXModelGetFile(model), "small.xmodel");
  assert_int_equal(xcXModelGetNumOps(model), 3);
  XcXModelOp *conv = xcXModelFindOp(model, "conv");
  assert_non_null(conv);
  assert_null(xcXModelFindOp(model, "con"));
  assert_string_equal(xcXModelOpGetType(conv), "conv2d-fix");
  assert_int_equal(xcXModelOpGetNumArgs(conv), 1);
  assert_string_equal(xcXModelOpGetArgName(conv, 0), "input");
  assert_int_equal(xcXModelOpGetNumArgOps(conv, 0), 1);
  assert_string_equal(xcXModelOpGetArgOp(conv, 0, 0), "data");
  const XcXModelTensor *tensor = xcXModelOpGetTensor(conv);
  assert_string_equal(xcXModelTensorGetName(tensor), "conv_out");
  assert_int_equal(xcXModelTensorGetRank(tensor), 4);
  assert_int_equal(xcXModelTensorGetDims(tensor)[3], 2);
  assert_int_equal(xcXModelTensorGetDataType(tensor), XcXModelDataTypeInt);
  assert_null(xcXModelOpGetTensor(xcXModelFindOp(model, "relu")));
  const XcXModelSubgraph *root = xcXModelGetRoot(model);
  assert_int_equal(xcXModelSubgraphGetNumChildren(root), 2);
  const XcXModelSubgraph *dpu = xcXModelSubgraphGetChild(root, 1);
  assert_string_equal(xcXModelSubgraphGetName(dpu), "dpu");
  assert_int_equal(xcXModelSubgraphGetNumOps(dpu), 2);
  assert_string_equal(xcXModelSubgraphGetOp(dpu, 1), "relu");
  assert_string_equal(
      xcXModelAttrsGetString(xcXModelSubgraphGetAttrs(dpu), "device"), "DPU");
  xcXModelDestroy(model);
}

static void text_and_pictures_are_strings(void **state) {
  (void)state;
  static const struct {
    XcXModelFormat format;
    const char *begin, *inside;
  } rows[] = {
      {XcXModelFormatText, "xmodel \"small\"", "op \"conv\" : conv2d-fix"},
      {XcXModelFormatDot, "digraph \"small\"", "conv2d-fix"},
      {XcXModelFormatSvg, "<svg", "conv2d-fix"},
  };
  XcXModel *model = small_model();
  // A DPU subgraph without code cannot be printed; the pictures can be drawn.
  xcXModelAttrsSetString(xcXModelSubgraphGetAttrs(xcXModelSubgraphGetChild(
                             xcXModelGetRoot(model), 1)),
                         "device", "CPU");
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    XcDiag diag = {0};
    size_t length;
    char *text = xcXModelToString(&diag, model, rows[i].format, &length);
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    assert_memory_equal(text, rows[i].begin, strlen(rows[i].begin));
    assert_non_null(strstr(text, rows[i].inside));
    free(text);
  }
  xcXModelDestroy(model);
}

static void verify_names_what_is_wrong(void **state) {
  (void)state;
  xc_text message = {0};
  XcDiag diag = {keep_message, &message, 0};
  XcXModel *model = small_model();
  xcXModelAddOp(model, "conv", "again");
  assert_false(xcXModelVerify(&diag, model));
  assert_string_equal(message.data, "two operators have the name 'conv'");
  xcXModelDestroy(model);

  model = small_model();
  xcXModelOpAddArg(xcXModelFindOp(model, "relu"), "bias",
                   (const char *const[]){"gone"}, 1);
  assert_false(xcXModelVerify(&diag, model));
  assert_string_equal(message.data, "argument 'bias' of operator 'relu' names "
                                    "'gone', which does not exist");
  xcXModelDestroy(model);

  model = small_model();
  xcXModelSubgraphAddOp(xcXModelGetRoot(model), "nothing");
  assert_false(xcXModelVerify(&diag, model));
  assert_string_equal(
      message.data,
      "subgraph 'root' names operator 'nothing', which does not exist");
  xcXModelDestroy(model);

  model = small_model();
  xcXModelOpAddArg(xcXModelFindOp(model, "conv"), "weights",
                   (const char *const[]){"relu"}, 1);
  assert_false(xcXModelVerify(&diag, model));
  assert_string_equal(message.data,
                      "the operators feed themselves in a circle");
  xcXModelDestroy(model);
  assert_int_equal(diag.numErrors, 4);
  xc_text_free(&message);
}

static void expect_error(const void *data, size_t size, const char *expected) {
  xc_text message = {0};
  XcDiag diag = {keep_message, &message, 0};
  assert_null(xcXModelReadFromMemory(&diag, "bad.xmodel", data, size));
  assert_int_equal(diag.numErrors, 1);
  assert_non_null(strstr(xc_text_str(&message), expected));
  xc_text_free(&message);
}

static void broken_wire_format_is_one_diagnostic(void **state) {
  (void)state;
#define EXPECT(text, expected) expect_error(text, sizeof(text) - 1, expected)
  EXPECT("\x80", "byte 1, in 'Graph': the file ends too early");
  EXPECT("\x02\x01", "broken field tag");
  EXPECT("\x0a\x05"
         "abc",
         "the file ends too early, within field 'graph_name' of 'Graph', which "
         "has 5 bytes from byte 2 on");
  EXPECT("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
         "has 18446744073709551615 bytes from byte 11 on");
  EXPECT("\x2a\x03\x0a\x05"
         "a\x0a\x01"
         "b",
         "byte 4, in 'OPNode': a field ends after its message");
  EXPECT("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "broken length");
  EXPECT("\x08\x01", "field 'graph_name' of 'Graph' has the wrong wire type");
  EXPECT("\x0b", "wrong wire type");
  EXPECT("\x13", "unknown wire type");
  EXPECT("\x0a\x01"
         "a\x0a\x01"
         "b",
         "field 'graph_name' of 'Graph' is there twice");
  EXPECT("\x0a\x01\x00", "has a zero byte in its text");
  // A tensor whose dimensions end within a number, and an attribute that is a
  // bool and an int32.
  EXPECT("\x2a\x05\x2a\x03\x12\x01\x80", "field 'tensor_dim' of 'Tensor' has a "
                                         "broken element");
  EXPECT("\x5a\x06\x12\x04\x20\x01\x28\x01",
         "field 'int32_value' of 'AttrValue' is there twice");
#undef EXPECT
}

// Subgraphs within subgraphs, deeper than any stack may have to follow.
static void deep_nesting_is_refused(void **state) {
  (void)state;
  enum { DEPTH = 20000 };
  unsigned char *data = malloc(6 * DEPTH);
  size_t begin = 6 * DEPTH, size = 0;
  for (int i = 0; i < DEPTH; ++i) {
    unsigned char head[6] = {0x52};
    size_t used = 1;
    for (size_t rest = size; used == 1 || rest; rest >>= 7)
      head[used++] = (unsigned char)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    begin -= used;
    memcpy(data + begin, head, used);
    size += used;
  }
  expect_error(data + begin, size, "messages are nested too deeply");
  free(data);
}

// Every prefix and every single changed byte of a small model is read, or
// ends in one diagnostic.
static void hostile_bytes_end_well(void **state) {
  (void)state;
  XcXModel *model = model_with_all_kinds();
  size_t size;
  unsigned char *data = xcXModelWriteToMemory(model, &size);
  xcXModelDestroy(model);
  for (size_t i = 0; i < size; ++i)
    for (int change = 0; change < 4; ++change) {
      xc_text message = {0};
      XcDiag diag = {keep_message, &message, 0};
      unsigned char kept = data[i];
      static const unsigned char masks[] = {0x01, 0x80, 0xff, 0x10};
      data[i] ^= masks[change];
      model =
          xcXModelReadFromMemory(&diag, "x", data, change == 3 ? i + 1 : size);
      data[i] = kept;
      assert_int_equal(diag.numErrors, model ? 0 : 1);
      if (model)
        (void)xcXModelVerify(&diag, model);
      xcXModelDestroy(model);
      xc_text_free(&message);
    }
  free(data);
}

// A field that the schema does not have stays in the file.
static void unknown_fields_are_kept(void **state) {
  (void)state;
  static const unsigned char data[] = {0x0a, 0x01, 'g', // graph_name
                                       0x2a, 0x06,      // op_node
                                       0x0a, 0x01, 'o', 0x98, 0x06, 0x2a, 0xa2,
                                       0x06, 0x03, 1,   2,    3}; // field 100
  XcDiag diag = {0};
  XcXModel *model = xcXModelReadFromMemory(&diag, "x", data, sizeof(data));
  assert_non_null(model);
  size_t size;
  void *again = xcXModelWriteToMemory(model, &size);
  assert_int_equal(size, sizeof(data));
  assert_memory_equal(again, data, size);
  free(again);
  xcXModelDestroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_survives_a_file),
      cmocka_unit_test(setting_again_replaces),
      cmocka_unit_test(graph_survives_a_file),
      cmocka_unit_test(text_and_pictures_are_strings),
      cmocka_unit_test(verify_names_what_is_wrong),
      cmocka_unit_test(broken_wire_format_is_one_diagnostic),
      cmocka_unit_test(deep_nesting_is_refused),
      cmocka_unit_test(hostile_bytes_end_well),
      cmocka_unit_test(unknown_fields_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
