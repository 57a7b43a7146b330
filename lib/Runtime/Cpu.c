//===- Cpu.c - parts as machine code of the host --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "Support/Diag.h"
#include "Support/PointerMap.h"
#include "xc-c/CPU.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// What sessions share.
typedef struct compiled {
  XcCpuCode *code;
  XcCpuProgram *program;
  const XcCpuFunction *function;
  XcCpuEntry entry;
  const void *params;
} compiled;

//===----------------------------------------------------------------------===//
// The function and what it calls, alone
//===----------------------------------------------------------------------===//

static MlirStringRef ref(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

typedef struct reached {
  MlirSymbolTable table;
  xc_pointer_map functions; // operations, by themselves
} reached;

static MlirWalkResult reach(MlirOperation operation, void *user_data);

static void reach_function(reached *r, MlirOperation function) {
  if (mlirOperationIsNull(function) ||
      xc_pointer_map_has(&r->functions, function.ptr))
    return;
  xc_pointer_map_set(&r->functions, function.ptr, function.ptr);
  mlirOperationWalk(function, reach, r, MlirWalkPreOrder);
}

static MlirWalkResult reach(MlirOperation operation, void *user_data) {
  reached *r = user_data;
  MlirAttribute callee =
      mlirOperationGetAttributeByName(operation, ref("callee"));
  if (!mlirAttributeIsNull(callee) && mlirAttributeIsAFlatSymbolRef(callee))
    reach_function(r, mlirSymbolTableLookup(
                          r->table, mlirFlatSymbolRefAttrGetValue(callee)));
  return MlirWalkResultAdvance;
}

static MlirStringRef symbol_of(const xc_rt_part *part) {
  return mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(part->function, ref("sym_name")));
}

static MlirModule copy_function(const xc_rt_part *part) {
  MlirOperation copy = mlirOperationClone(mlirModuleGetOperation(part->module));
  MlirModule module = mlirModuleFromOperation(copy);
  reached r = {.table = mlirSymbolTableCreate(copy)};
  reach_function(&r, mlirSymbolTableLookup(r.table, symbol_of(part)));
  mlirSymbolTableDestroy(r.table);
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (!xc_pointer_map_has(&r.functions, op.ptr))
      mlirOperationDestroy(op);
    op = next;
  }
  xc_pointer_map_free(&r.functions);
  return module;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static bool check_function(XcDiag *diag, const XcModel *model,
                           const xc_rt_part *part, const XcCpuFunction *f) {
  bool fits = f && f->numInputs == part->num_inputs &&
              f->numOutputs == part->num_outputs;
  for (size_t i = 0; fits && i < f->numInputs; ++i)
    fits = (size_t)f->inputBytes[i] == model->values[part->inputs[i]].size;
  for (size_t i = 0; fits && i < f->numOutputs; ++i)
    fits = (size_t)f->outputBytes[i] == model->values[part->outputs[i]].size;
  return fits || xc_file_error(diag, model->name,
                               "the code of part '%s' does not have the inputs "
                               "and outputs of the part",
                               part->name);
}

static bool compile(XcDiag *diag, XcModel *model, xc_rt_part *part,
                    compiled *c) {
  const XcCpuOptions options = {.cpu = model->options.cpu,
                                .threads = model->options.threads};
  MlirModule module = copy_function(part);
  c->code = xcCpuCompile(diag, module, &options);
  mlirModuleDestroy(module);
  if (!c->code)
    return false;
  size_t size;
  c->params = xcCpuCodeGetParams(c->code, &size);
  c->function =
      xcCpuCodeFindFunction(c->code, xc_rt_string(model, symbol_of(part)));
  const void *object = xcCpuCodeGetObject(c->code, &size);
  c->program = xcCpuProgramCreate(diag, object, size);
  return c->program && check_function(diag, model, part, c->function);
}

static bool prepare(XcDiag *diag, XcModel *model, xc_rt_part *part) {
  compiled *c = xc_alloc(sizeof(*c));
  part->prepared = c;
  if (!compile(diag, model, part, c))
    return false;
  c->entry = xcCpuProgramGetEntry(diag, c->program, c->function->symbol);
  return c->entry;
}

static void release(xc_rt_part *part) {
  compiled *c = part->prepared;
  xcCpuProgramDestroy(c->program);
  xcCpuCodeDestroy(c->code);
  free(c);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

// A session's state is its arena.
static void *open_arena(XcDiag *diag, const XcModel *model,
                        const xc_rt_part *part) {
  const compiled *c = part->prepared;
  (void)diag;
  (void)model;
  return xc_rt_allocate((size_t)c->function->arenaBytes);
}

static bool run(XcDiag *diag, XcSession *session, const xc_rt_part *part,
                void *state, void **arguments) {
  const compiled *c = part->prepared;
  int32_t status = c->entry((const void *const *)arguments,
                            arguments + part->num_inputs, state, c->params);
  switch (status) {
  case XcCpuStatusOk:
    return true;
  case XcCpuStatusDivideByZero:
    return xc_file_error(diag, session->model->name,
                         "part '%s': an integer is divided by zero",
                         part->name);
  case XcCpuStatusIndexOutside:
    return xc_file_error(diag, session->model->name,
                         "part '%s': an index is outside of its dimension",
                         part->name);
  default:
    return xc_file_error(diag, session->model->name, "part '%s' failed: %d",
                         part->name, (int)status);
  }
}

const xc_rt_executor xc_rt_cpu = {
    .name = "cpu",
    .prepare = prepare,
    .release = release,
    .open = open_arena,
    .close = xc_rt_free,
    .run = run,
};
