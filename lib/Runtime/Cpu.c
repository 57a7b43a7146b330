//===- Cpu.c - parts as machine code of the host --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "IR/IR.h"

#include "Support/Diag.h"
#include "Support/Limits.h"
#include "Support/PointerMap.h"
#include "xc-c/CPU.h"

#include "mlir-c/BuiltinAttributes.h"
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// State that sessions share.
typedef struct compiled {
  XcCpuCode *code; // null: it came with the model
  XcCpuProgram *program;
  XcCpuEntry entry;
  const void *params;
  void *owned_params;
  size_t arena_size;
} compiled;

//===----------------------------------------------------------------------===//
// Code of other machines
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
// The levels say exactly what is needed.
static bool has_level(const char *cpu) {
  __builtin_cpu_init();
  if (strcmp(cpu, "x86-64") == 0 || strcmp(cpu, "generic") == 0)
    return true;
  if (strcmp(cpu, "x86-64-v2") == 0)
    return __builtin_cpu_supports("x86-64-v2");
  if (strcmp(cpu, "x86-64-v3") == 0)
    return __builtin_cpu_supports("x86-64-v3");
  if (strcmp(cpu, "x86-64-v4") == 0)
    return __builtin_cpu_supports("x86-64-v4");
  return false;
}
#else
static bool has_level(const char *cpu) { return strcmp(cpu, "generic") == 0; }
#endif

// Every "+feature" of a list is one of this machine.
static bool has_features(const char *needed) {
  char *found = LLVMGetHostCPUFeatures();
  bool all = true;
  for (const char *at = needed; all && *at;) {
    size_t length = strcspn(at, ",");
    all = *at != '+';
    for (const char *f = found; !all && *f;) {
      size_t own = strcspn(f, ",");
      all = own == length && memcmp(f, at, length) == 0;
      f += own + (f[own] == ',');
    }
    at += length + (at[length] == ',');
  }
  LLVMDisposeMessage(found);
  return all;
}

bool xc_rt_runs_here(const XcXModelObject *object) {
  char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName();
  bool fits = strcmp(object->triple, triple) == 0 &&
              (has_level(object->cpu) || strcmp(object->cpu, cpu) == 0) &&
              has_features(object->features);
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(cpu);
  return fits;
}

//===----------------------------------------------------------------------===//
// The function and what it calls, alone
//===----------------------------------------------------------------------===//

typedef struct reached {
  MlirSymbolTable table;
  xc_pointer_map functions; // operations, by themselves
  xc_op_list open;          // functions whose calls have not been looked at
} reached;

static void reach_function(reached *r, MlirOperation function) {
  if (mlirOperationIsNull(function) ||
      xc_pointer_map_has(&r->functions, function.ptr))
    return;
  xc_pointer_map_set(&r->functions, function.ptr, function.ptr);
  xc_op_list_add(&r->open, function);
}

static MlirWalkResult reach(MlirOperation operation, void *user_data) {
  reached *r = user_data;
  MlirAttribute callee =
      mlirOperationGetAttributeByName(operation, xc_ref("callee"));
  if (!mlirAttributeIsNull(callee) && mlirAttributeIsAFlatSymbolRef(callee))
    reach_function(r, mlirSymbolTableLookup(
                          r->table, mlirFlatSymbolRefAttrGetValue(callee)));
  return MlirWalkResultAdvance;
}

static MlirStringRef symbol_of(const xc_rt_part *part) {
  return mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(part->function, xc_ref("sym_name")));
}

static MlirModule copy_function(const xc_rt_part *part) {
  MlirOperation copy = mlirOperationClone(mlirModuleGetOperation(part->module));
  MlirModule module = mlirModuleFromOperation(copy);
  reached r = {.table = mlirSymbolTableCreate(copy)};
  reach_function(&r, mlirSymbolTableLookup(r.table, symbol_of(part)));
  while (r.open.count)
    mlirOperationWalk(r.open.items[--r.open.count], reach, &r,
                      MlirWalkPreOrder);
  free(r.open.items);
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

// With the functions of the host that the code may call.
static XcCpuProgram *link_code(XcDiag *diag, const XcModel *model,
                               const void *object, size_t size) {
  size_t count = model->options.numFunctions;
  XcCpuSymbol *symbols = xc_alloc_array(count, sizeof(*symbols));
  for (size_t i = 0; i < count; ++i)
    symbols[i] = (XcCpuSymbol){model->options.functions[i].name,
                               model->options.functions[i].function};
  XcCpuProgram *program =
      xcCpuProgramCreateWithSymbols(diag, object, size, symbols, count);
  free(symbols);
  return program;
}

static bool compile(XcDiag *diag, XcModel *model, xc_rt_part *part,
                    compiled *c) {
  const XcCpuOptions options = {.cpu = model->options.cpu,
                                .threads = model->options.threads,
                                .kernels = model->options.kernelLibrary};
  MlirModule module = copy_function(part);
  c->code = xcCpuCompile(diag, module, &options);
  mlirModuleDestroy(module);
  if (!c->code)
    return false;
  const XcCpuFunction *function =
      xcCpuCodeFindFunction(c->code, xc_rt_string(model, symbol_of(part)));
  if (!check_function(diag, model, part, function))
    return false;
  size_t size;
  c->params = xcCpuCodeGetParams(c->code, &size);
  c->arena_size = (size_t)function->arenaBytes;
  const void *object = xcCpuCodeGetObject(c->code, &size);
  c->program = link_code(diag, model, object, size);
  if (c->program)
    c->entry = xcCpuProgramGetEntry(diag, c->program, function->symbol);
  return c->entry;
}

static bool link_object(XcDiag *diag, const XcModel *model,
                        const XcXModelObject *object, compiled *c) {
  c->owned_params = xc_rt_allocate(object->paramsSize);
  if (object->paramsSize)
    memcpy(c->owned_params, object->params, object->paramsSize);
  c->params = c->owned_params;
  c->arena_size = (size_t)object->arenaSize;
  c->program = link_code(diag, model, object->code, object->codeSize);
  if (c->program)
    c->entry = xcCpuProgramGetEntry(diag, c->program, object->symbol);
  return c->entry;
}

static bool prepare(XcDiag *diag, XcModel *model, xc_rt_part *part) {
  compiled *c = xc_alloc(sizeof(*c));
  part->prepared = c;
  return part->object.code ? link_object(diag, model, &part->object, c)
                           : compile(diag, model, part, c);
}

static void release(xc_rt_part *part) {
  compiled *c = part->prepared;
  xcCpuProgramDestroy(c->program);
  xcCpuCodeDestroy(c->code);
  xc_rt_free(c->owned_params);
  free(c);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

// A session's state is its arena.
static void *open_arena(XcDiag *diag, const XcModel *model,
                        const xc_rt_part *part) {
  const compiled *c = part->prepared;
  return xc_check_memory(diag, model->name, "running compiled code",
                         c->arena_size)
             ? xc_rt_allocate(c->arena_size)
             : NULL;
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
