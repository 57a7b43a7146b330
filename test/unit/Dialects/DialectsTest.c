//===- DialectsTest.c - unit tests of dialects/ ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/Dialects.h"
#include "dialects/Build.h"
#include "dialects/Shape.h"
#include "dialects/Verify.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state) {
  MlirContext *context = malloc(sizeof(*context));
  *context = mlirContextCreate();
  *state = context;
  return mlirLogicalResultIsFailure(xcRegisterDialects(*context));
}

static int tear_down(void **state) {
  mlirContextDestroy(*(MlirContext *)*state);
  free(*state);
  return 0;
}

static MlirModule parse(MlirContext context, const char *text) {
  return mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
}

static void registering_twice_is_harmless(void **state) {
  MlirContext context = *(MlirContext *)*state;
  assert_true(mlirLogicalResultIsSuccess(xcRegisterDialects(context)));
}

static void every_row_is_registered(void **state) {
  MlirContext context = *(MlirContext *)*state;
  size_t count;
  const xc_op_info *table = xc_op_table(&count);
  assert_true(count > 200);
  for (size_t i = 0; i < count; ++i) {
    MlirStringRef name = mlirStringRefCreateFromCString(table[i].name);
    assert_true(mlirContextIsRegisteredOperation(context, name));
    assert_ptr_equal(xc_op_info_find(name.data, name.length), &table[i]);
    assert_true(table[i].num_operands <= XC_MAX_OPERANDS);
    if (i > 0)
      assert_true(strcmp(table[i - 1].name, table[i].name) < 0);
  }
  assert_null(xc_op_info_find("tir.conv2", 9));
  assert_null(xc_op_info_find("tir.conv2dx", 11));
}

// A host that never calls xcVerify has its types checked while it parses.
static void types_are_checked_without_our_verifier(void **state) {
  MlirContext context = *(MlirContext *)*state;
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  static const struct {
    const char *text;
    bool valid;
  } rows[] = {
      {"func.func @f(%x: tensor<4xf32>) {"
       "  %0 = \"tir.relu\"(%x) : (tensor<4xf32>) -> tensor<4xf32>"
       "  return }",
       true},
      {"func.func @f(%x: memref<4xf32>) {"
       "  %0 = \"tir.relu\"(%x) : (memref<4xf32>) -> tensor<4xf32>"
       "  return }",
       false},
      {"func.func @f(%x: memref<4xi8>, %t: tensor<4xi8>) {"
       "  \"mtir.relu-fix\"(%x, %t) : (memref<4xi8>, tensor<4xi8>) -> ()"
       "  return }",
       false},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    MlirModule module = parse(context, rows[i].text);
    assert_int_equal(!mlirModuleIsNull(module), rows[i].valid);
    if (rows[i].valid)
      mlirModuleDestroy(module);
  }
}

static void builder_infers_the_result(void **state) {
  MlirContext context = *(MlirContext *)*state;
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  xc_builder b = xc_builder_at_end(mlirModuleGetBody(module));
  xc_shape shape = {XC_ELEMENT_F32, 4, {1, 9, 7, 3}, false};
  MlirValue input = xc_build_shaped(&b, XC_TIR_DATA, NULL, 0, NULL, 0, &shape);
  assert_false(mlirValueIsNull(input));
  const int64_t kernel[] = {2, 3}, stride[] = {2, 2};
  const xc_attribute attributes[] = {xc_ints("kernel", kernel, 2),
                                     xc_ints("stride", stride, 2),
                                     xc_string("pad_mode", "CEIL")};
  MlirValue pooled =
      xc_build(&b, XC_TIR_MAXPOOL2D, &input, 1, attributes, 3, XC_ELEMENT_NONE);
  xc_shape found;
  assert_true(xc_shape_of_type(mlirValueGetType(pooled), &found));
  const int64_t expected[] = {1, 4, 4, 3};
  assert_memory_equal(found.dims, expected, sizeof(expected));

  const MlirValue inputs[] = {input, input, input};
  const xc_attribute axis = xc_int("axis", -1);
  MlirValue joined =
      xc_build(&b, XC_TIR_CONCAT, inputs, 3, &axis, 1, XC_ELEMENT_NONE);
  assert_true(xc_shape_of_type(mlirValueGetType(joined), &found));
  assert_int_equal(found.dims[3], 9);
  assert_true(mlirOperationVerify(mlirModuleGetOperation(module)));
  assert_true(xc_verify_nested(mlirModuleGetOperation(module)));
  mlirModuleDestroy(module);
}

static void ignore(MlirStringRef text, void *user_data) {
  (void)text;
  (void)user_data;
}

static void constants_give_their_bytes(void **state) {
  MlirContext context = *(MlirContext *)*state;
  MlirModule module = parse(
      context,
      "%0 = \"tir.const\"() {value = dense<[1, 2, 3, 4]> : tensor<4xi8>} : () "
      "-> tensor<4xi8>\n"
      "%1 = \"tir.const\"() {value = dense<7> : tensor<4xi8>} : () -> "
      "tensor<4xi8>\n"
      "%2 = \"tir.const\"() {value = dense_resource<bar> : tensor<4xi8>} : () "
      "-> tensor<4xi8>\n"
      "%3 = \"tir.const\"() {value = dense_resource<__elided__> : "
      "tensor<4xi8>} : () -> tensor<4xi8>\n"
      "%4 = \"tir.const\"() {value = dense_resource<short> : tensor<4xi8>} : "
      "() -> tensor<4xi8>\n"
      "%5 = \"tir.const\"() {value = dense<[true, false]> : tensor<2xi1>} : "
      "() -> tensor<2xi1>\n"
      "{-# dialect_resources: { builtin: { bar: \"0x08000000010203FF\", "
      "short: \"0x0800000001\" } } #-}");
  assert_false(mlirModuleIsNull(module));
  static const unsigned char expected[][4] = {
      {1, 2, 3, 4}, {7, 7, 7, 7}, {1, 2, 3, 255}, {0}, {0}, {1, 0}};
  static const bool present[] = {true, true, true, false, false, true};
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (size_t i = 0; i < 6; ++i, op = mlirOperationGetNextInBlock(op)) {
    size_t size;
    void *bytes = xc_const_bytes(op, &size);
    assert_int_equal(bytes != NULL, present[i]);
    if (bytes)
      assert_memory_equal(bytes, expected[i], size);
    free(bytes);
  }
  mlirOperationPrint(mlirModuleGetOperation(module), ignore, NULL);
  mlirModuleDestroy(module);
}

// The identifiers that ods-to-c.py writes mean what the tables say.
static void identifiers_name_the_rows(void **state) {
  (void)state;
  size_t count, common;
  const xc_op_info *rows = xc_op_table(&count);
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < rows[i].num_attributes; ++k) {
      const xc_attribute_info *row = &rows[i].attributes[k];
      assert_string_equal(xc_attr_name(row->id), row->name);
      assert_ptr_equal(xc_attribute_info_get(&rows[i], row->id), row);
      for (size_t c = 0; c < row->num_cases; ++c) {
        const char *text = xc_enum_name(row->cases[c]);
        assert_int_equal(xc_enum_find(row, text, strlen(text)), row->cases[c]);
      }
    }
  assert_int_equal(xc_common_attributes(&common)->id, XC_ATTR_OP_NAME);
  const xc_op_info *conv = xc_op_info_get(XC_DIALECT_MTIR, XC_TIR_CONV2D_FIX);
  assert_string_equal(conv->operands[XC_CONV2D_FIX_BIAS].name, "bias");
  assert_string_equal(conv->operands[XC_CONV2D_FIX_OUTPUT].name, "output");
  assert_null(xc_attribute_info_get(conv, XC_ATTR_AXIS));
  const xc_attribute_info *mode = xc_attribute_info_get(conv, XC_ATTR_PAD_MODE);
  assert_int_equal(xc_enum_find(mode, "SAME", 4), XC_ENUM_SAME);
  assert_int_equal(xc_enum_find(mode, "RELU", 4), XC_ENUM_ABSENT);
}

static xc_op_kind float_kind(const char *name) {
  return xc_op_info_find(name, strlen(name))->float_kind;
}

// By the name, or by `floatForm` where names differ. Without a twin an operator
// is its own form.
static void forms_in_floating_and_fixed_point(void **state) {
  (void)state;
  assert_int_equal(float_kind("tir.conv2d-fix"), XC_TIR_CONV2D);
  assert_int_equal(float_kind("mtir.conv2d-fix"), XC_TIR_CONV2D);
  assert_int_equal(float_kind("tir.conv2d"), XC_TIR_CONV2D);
  assert_int_equal(float_kind("tir.tile-fix"), XC_TIR_GSTILING);
  assert_int_equal(float_kind("tir.upsample-fix"), XC_TIR_UPSAMPLE_FIX);
  assert_true(xc_op_info_find("tir.reorg", 9)->only_moves);
  assert_true(xc_op_info_find("mtir.tile-fix", 13)->only_moves);
  assert_false(xc_op_info_find("tir.pad-fix", 11)->only_moves);
  size_t count;
  const xc_op_info *rows = xc_op_table(&count);
  for (size_t i = 0; i < count; ++i) {
    const xc_op_info *real =
        xc_op_info_get(rows[i].dialect, rows[i].float_kind);
    assert_non_null(real);
    if (real != &rows[i])
      assert_int_equal(real->fix_kind, rows[i].kind);
  }
}

static void adaptors_give_values_and_defaults(void **state) {
  MlirContext context = *(MlirContext *)*state;
  MlirModule module = parse(
      context,
      "%x = \"tir.data\"() {shape = [1 : i32, 4 : i32, 4 : i32, 8 : i32]} : () "
      "-> tensor<1x4x4x8xf32>\n"
      "%w = \"tir.data\"() {shape = [8 : i32, 3 : i32, 3 : i32, 8 : i32]} : () "
      "-> tensor<8x3x3x8xf32>\n"
      "%0 = \"tir.conv2d\"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = "
      "[1 : i32, 2 : i32], pad_mode = \"SAME\"} : (tensor<1x4x4x8xf32>, "
      "tensor<8x3x3x8xf32>) -> tensor<1x2x4x8xf32>");
  assert_false(mlirModuleIsNull(module));
  MlirOperation conv = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (int i = 0; i < 2; ++i)
    conv = mlirOperationGetNextInBlock(conv);
  xc_adaptor op;
  assert_true(xc_adaptor_of(conv, &op));
  assert_int_equal(xc_num_inputs(&op), 2);
  assert_true(xc_has_operand(&op, XC_CONV2D_WEIGHT));
  assert_false(xc_has_operand(&op, XC_CONV2D_BIAS));
  assert_int_equal(xc_operand_shape(&op, XC_CONV2D_WEIGHT).dims[1], 3);
  assert_int_equal(xc_result_shape(&op).dims[1], 2);
  int64_t ints[XC_MAX_INTS];
  assert_int_equal(xc_attr_ints(&op, XC_ATTR_STRIDE, ints), 2);
  assert_int_equal(ints[1], 2);
  assert_int_equal(xc_attr_ints(&op, XC_ATTR_DILATION, ints), 2);
  assert_int_equal(ints[1], 1);
  assert_int_equal(xc_attr_int(&op, XC_ATTR_GROUP), 1);
  assert_true(xc_attr_is(&op, XC_ATTR_PAD_MODE, XC_ENUM_SAME));
  assert_int_equal(xc_attr_enum(&op, XC_ATTR_DEVICE), XC_ENUM_ABSENT);
  assert_false(xc_has_attr(&op, XC_ATTR_NONLINEAR));
  assert_true(mlirAttributeIsNull(xc_attr_get(&op, XC_ATTR_GROUP)));
  mlirModuleDestroy(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registering_twice_is_harmless),
      cmocka_unit_test(every_row_is_registered),
      cmocka_unit_test(types_are_checked_without_our_verifier),
      cmocka_unit_test(builder_infers_the_result),
      cmocka_unit_test(constants_give_their_bytes),
      cmocka_unit_test(identifiers_name_the_rows),
      cmocka_unit_test(forms_in_floating_and_fixed_point),
      cmocka_unit_test(adaptors_give_values_and_defaults),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
