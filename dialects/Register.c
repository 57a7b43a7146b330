//===- Register.c - registration through IRDL -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IRDL is the only way to register a dialect from C. Two things it cannot do
// decide what is registered: a declared attribute is always required, and the
// element types of tensors and memrefs cannot be constrained. So IRDL gets the
// operand and result counts, and dialects/Verify.c checks everything else from
// the same tables.
//
// IRDL's own verifier refuses names with a dash, but runs only while the
// definition is parsed: operators are parsed under a name without dashes and
// get their real name before the definition is loaded.
//
//===----------------------------------------------------------------------===//

#include "xc-c/Dialects.h"

#include "IR/IR.h"
#include "OpInfo.h"
#include "Support/Text.h"
#include "Verify.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/IRDL.h"

#include <assert.h>
#include <string.h>

static const struct {
  xc_dialect dialect;
  const char *name;
} dialects[] = {{XC_DIALECT_TIR, "tir"},
                {XC_DIALECT_MTIR, "mtir"},
                {XC_DIALECT_MEMTX, "memtx"}};

static void print_operation(const xc_op_info *info, size_t index,
                            xc_text *text) {
  // The index keeps names apart that differ in dashes only.
  xc_text_printf(text, "  irdl.operation @op_%zu {\n    %%t = irdl.any\n",
                 index);
  // A constraint that is used twice means "equal": one for each value.
  for (size_t i = 0; i < info->num_operands; ++i)
    xc_text_printf(text, "    %%%zu = irdl.any\n", i);
  if (info->num_operands > 0)
    xc_text_puts(text, "    irdl.operands(");
  for (size_t i = 0; i < info->num_operands; ++i)
    xc_text_printf(text, "%s%s: %s%%%zu", i ? ", " : "", info->operands[i].name,
                   info->operands[i].optional ? "optional " : "", i);
  if (info->num_operands > 0)
    xc_text_puts(text, ")\n");
  if (info->has_result)
    xc_text_printf(text, "    irdl.results(%s: %%t)\n", info->result.name);
  xc_text_puts(text, "  }\n");
}

static void print_dialect(size_t which, xc_text *text) {
  size_t count;
  const xc_op_info *table = xc_op_table(&count);
  xc_text_printf(text, "irdl.dialect @%s {\n", dialects[which].name);
  for (size_t i = 0; i < count; ++i)
    if (table[i].dialect == dialects[which].dialect)
      print_operation(&table[i], i, text);
  xc_text_puts(text, "}\n");
}

// Gives each irdl.operation of a dialect its real name.
static void rename_operations(MlirContext context, MlirOperation dialect,
                              const xc_op_info *table) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(dialect, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef name = mlirStringAttrGetValue(
        mlirOperationGetInherentAttributeByName(op, xc_ref("sym_name")));
    size_t index = 0;
    for (size_t i = strlen("op_"); i < name.length; ++i)
      index = 10 * index + (size_t)(name.data[i] - '0');
    mlirOperationSetInherentAttributeByName(
        op, xc_ref("sym_name"),
        mlirStringAttrGet(context, xc_ref(table[index].mnemonic)));
  }
}

static bool is_registered(MlirContext context) {
  return mlirContextIsRegisteredOperation(context, xc_ref("tir.conv2d"));
}

MlirLogicalResult xcRegisterDialects(MlirContext context) {
  if (is_registered(context))
    return mlirLogicalResultSuccess();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__irdl__(), context);
  xc_text text = {0};
  for (size_t i = 0; i < sizeof(dialects) / sizeof(*dialects); ++i)
    print_dialect(i, &text);
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(xc_text_str(&text), text.length));
  xc_text_free(&text);
  assert(!mlirModuleIsNull(module) && "the definition is ours and parses");
  size_t count;
  const xc_op_info *table = xc_op_table(&count);
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    rename_operations(context, op, table);
  MlirLogicalResult result = mlirLoadIRDLDialects(module);
  mlirModuleDestroy(module);
  return result;
}

MlirLogicalResult xcVerify(MlirOperation operation) {
  return xc_verify_nested(operation) ? mlirLogicalResultSuccess()
                                     : mlirLogicalResultFailure();
}
