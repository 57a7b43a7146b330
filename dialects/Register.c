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
// element types of tensors and memrefs cannot be constrained. So IRDL gets
// operands and results as tensors or memrefs, and dialects/Verify.c checks
// everything else from the same tables.
//
// IRDL's own verifier refuses names with a dash, but runs only while the
// definition is parsed: operators are parsed under an alias with underscores
// and get their real name before the definition is loaded.
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

static const struct {
  xc_dialect dialect;
  const char *name;
} dialects[] = {{XC_DIALECT_TIR, "tir"},
                {XC_DIALECT_MTIR, "mtir"},
                {XC_DIALECT_MEMTX, "memtx"}};

static void print_alias(const char *mnemonic, xc_text *text) {
  for (const char *c = mnemonic; *c; ++c)
    xc_text_append(text, *c == '-' ? "_" : c, 1);
}

// A constraint that is used twice means "equal": one for each value. An mtir
// operator reads constants of rank 0 in place, as tensors.
static void print_constraint(const xc_op_info *info,
                             const xc_operand_info *operand, const char *name,
                             xc_text *text) {
  const char *type = operand->memref ? "memref" : "tensor";
  bool is_input =
      info->dialect == XC_DIALECT_MTIR && (operand->effects & XC_EFFECT_READ);
  if (!is_input) {
    xc_text_printf(text, "    %%%s = irdl.base \"!builtin.%s\"\n", name, type);
    return;
  }
  xc_text_printf(text,
                 "    %%%s_memref = irdl.base \"!builtin.memref\"\n"
                 "    %%%s_scalar = irdl.base \"!builtin.tensor\"\n"
                 "    %%%s = irdl.any_of(%%%s_memref, %%%s_scalar)\n",
                 name, name, name, name, name);
}

static void print_operation(const xc_op_info *info, xc_text *text) {
  xc_text_puts(text, "  irdl.operation @");
  print_alias(info->mnemonic, text);
  xc_text_puts(text, " {\n");
  for (size_t i = 0; i < info->num_operands; ++i)
    print_constraint(info, &info->operands[i], info->operands[i].name, text);
  if (info->has_result)
    print_constraint(info, &info->result, "result", text);
  if (info->num_operands > 0)
    xc_text_puts(text, "    irdl.operands(");
  for (size_t i = 0; i < info->num_operands; ++i)
    xc_text_printf(text, "%s%s: %s%%%s", i ? ", " : "", info->operands[i].name,
                   info->operands[i].optional ? "optional " : "",
                   info->operands[i].name);
  if (info->num_operands > 0)
    xc_text_puts(text, ")\n");
  if (info->has_result)
    xc_text_printf(text, "    irdl.results(%s: %%result)\n", info->result.name);
  xc_text_puts(text, "  }\n");
}

static void print_dialects(xc_text *text) {
  size_t count;
  const xc_op_info *table = xc_op_table(&count);
  for (size_t d = 0; d < sizeof(dialects) / sizeof(*dialects); ++d) {
    xc_text_printf(text, "irdl.dialect @%s {\n", dialects[d].name);
    for (size_t i = 0; i < count; ++i)
      if (table[i].dialect == dialects[d].dialect)
        print_operation(&table[i], text);
    xc_text_puts(text, "}\n");
  }
}

void xcDialectsPrintIRDL(MlirStringCallback callback, void *userData) {
  xc_text text = {0};
  print_dialects(&text);
  callback(mlirStringRefCreate(xc_text_str(&text), text.length), userData);
  xc_text_free(&text);
}

// Gives the operations of a dialect, which stand in the order of the table,
// their real names.
static void rename_operations(MlirContext context, MlirOperation dialect,
                              xc_dialect which) {
  size_t count;
  const xc_op_info *row = xc_op_table(&count);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(dialect, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op), ++row) {
    while (row->dialect != which)
      ++row;
    mlirOperationSetInherentAttributeByName(
        op, xc_ref("sym_name"),
        mlirStringAttrGet(context, xc_ref(row->mnemonic)));
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
  print_dialects(&text);
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(xc_text_str(&text), text.length));
  xc_text_free(&text);
  assert(!mlirModuleIsNull(module) && "the definition is ours and parses");
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (size_t d = 0; !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    rename_operations(context, op, dialects[d++].dialect);
  MlirLogicalResult result = mlirLoadIRDLDialects(module);
  mlirModuleDestroy(module);
  return result;
}

MlirLogicalResult xcVerify(MlirOperation operation) {
  return xc_verify_nested(operation) ? mlirLogicalResultSuccess()
                                     : mlirLogicalResultFailure();
}
