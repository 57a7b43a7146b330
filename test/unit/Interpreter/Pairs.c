//===- Pairs.c - runs functions that carry their own expected results -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xc-test-pairs FILE.mlir: every function without arguments returns results in
// pairs, what an operator gives and what it should give. Prints the functions
// that differ. A function named "fails_..." must end with a diagnostic. In one
// named "near_...", compiled code may differ by the bound of
// lib/Conversion/Support/MathIR.h in results of f32.
//
// xc-test-pairs --cpu FILE.mlir compiles the functions instead of interpreting
// them, but for those that fail.
//
//===----------------------------------------------------------------------===//

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "xc-c/CPU.h"
#include "xc-c/Dialects.h"
#include "xc-c/Interpreter.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/IR.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The largest bound of a function of f32.
enum { NEAR_ULP = 3 };

static MlirStringRef name_of(MlirOperation function) {
  return mlirStringAttrGetValue(mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("sym_name")));
}

static void print_bytes(const char *what, const unsigned char *data,
                        size_t size) {
  printf("  %s", what);
  for (size_t i = 0; i < size; ++i)
    printf(" %02x", data[i]);
  printf("\n");
}

/// Whether floats are at most `ulp` units in the last place apart: as integers,
/// numbers of one sign are ordered as their values are.
static bool is_near(const void *found, const void *expected, size_t size,
                    int64_t ulp) {
  for (size_t at = 0; at + sizeof(int32_t) <= size; at += sizeof(int32_t)) {
    int32_t a, b;
    memcpy(&a, (const char *)found + at, sizeof(a));
    memcpy(&b, (const char *)expected + at, sizeof(b));
    int64_t difference = (int64_t)a - b;
    if (difference > ulp || -difference > ulp)
      return false;
  }
  return size % sizeof(int32_t) == 0 || memcmp(found, expected, size) == 0;
}

static bool compare(MlirStringRef name, const size_t *sizes, void **results,
                    size_t count, int64_t ulp) {
  bool same = true;
  for (size_t i = 0; i + 1 < count; i += 2) {
    if (sizes[i] == sizes[i + 1] &&
        is_near(results[i], results[i + 1], sizes[i], ulp))
      continue;
    same = false;
    printf("%.*s: results %zu and %zu differ\n", (int)name.length, name.data, i,
           i + 1);
    print_bytes("found   ", results[i], sizes[i]);
    print_bytes("expected", results[i + 1], sizes[i + 1]);
  }
  return same;
}

static bool has_prefix(MlirStringRef name, const char *prefix) {
  return name.length > strlen(prefix) &&
         memcmp(name.data, prefix, strlen(prefix)) == 0;
}

static bool is_failing(MlirStringRef name) {
  return has_prefix(name, "fails_");
}

static bool run(MlirOperation function) {
  MlirStringRef name = name_of(function);
  bool fails = is_failing(name);
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  if (!interpreter)
    return fails;
  bool ok = true;
  size_t count = xcInterpreterGetNumResults(interpreter);
  if (xcInterpreterGetNumArguments(interpreter) == 0) {
    void **results = xc_alloc_array(count, sizeof(*results));
    size_t *sizes = xc_alloc_array(count, sizeof(*sizes));
    for (size_t i = 0; i < count; ++i) {
      sizes[i] = xcInterpreterGetResultSize(interpreter, i);
      results[i] = xc_alloc(sizes[i]);
    }
    bool ran = xcInterpreterRun(interpreter, NULL, results);
    ok = ran != fails && (!ran || compare(name, sizes, results, count, 0));
    if (ran == fails)
      printf("%.*s: %s\n", (int)name.length, name.data,
             ran ? "did not fail" : "failed");
    for (size_t i = 0; i < count; ++i)
      free(results[i]);
    free(results);
    free(sizes);
  }
  xcInterpreterDestroy(interpreter);
  return ok;
}

static bool run_all(MlirModule module) {
  bool ok = true;
  int count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    ok &= run(op);
    ++count;
  }
  printf("%d functions %s\n", count, ok ? "are right" : "were run");
  return ok;
}

//===----------------------------------------------------------------------===//
// Compiled
//===----------------------------------------------------------------------===//

static bool run_compiled(XcDiag *diag, const XcCpuCode *code,
                         XcCpuProgram *program, const XcCpuFunction *function) {
  XcCpuEntry entry = xcCpuProgramGetEntry(diag, program, function->symbol);
  if (!entry)
    return false;
  size_t count = function->numOutputs, params_size;
  void **results = xc_alloc_array(count, sizeof(*results));
  size_t *sizes = xc_alloc_array(count, sizeof(*sizes));
  for (size_t i = 0; i < count; ++i) {
    sizes[i] = (size_t)function->outputBytes[i];
    results[i] = xc_alloc(sizes[i]);
  }
  size_t arena_size = (size_t)function->arenaBytes + XC_CPU_ALIGNMENT;
  void *arena = aligned_alloc(XC_CPU_ALIGNMENT,
                              arena_size / XC_CPU_ALIGNMENT * XC_CPU_ALIGNMENT);
  int32_t status =
      entry(NULL, results, arena, xcCpuCodeGetParams(code, &params_size));
  if (status != XcCpuStatusOk)
    printf("%s: status %d\n", function->name, (int)status);
  MlirStringRef name = mlirStringRefCreateFromCString(function->name);
  bool ok = status == XcCpuStatusOk &&
            compare(name, sizes, results, count,
                    has_prefix(name, "near_") ? NEAR_ULP : 0);
  for (size_t i = 0; i < count; ++i)
    free(results[i]);
  free(results);
  free(sizes);
  free(arena);
  return ok;
}

static void remove_failing(MlirModule module) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (is_failing(name_of(op)))
      mlirOperationDestroy(op);
  }
}

static bool compile_all(XcDiag *diag, MlirModule module) {
  remove_failing(module);
  XcCpuCode *code = xcCpuCompile(diag, module, NULL);
  if (!code)
    return false;
  size_t size, count = xcCpuCodeGetNumFunctions(code);
  const void *object = xcCpuCodeGetObject(code, &size);
  XcCpuProgram *program = xcCpuProgramCreate(diag, object, size);
  bool ok = program != NULL;
  for (size_t i = 0; program && i < count; ++i) {
    const XcCpuFunction *function = xcCpuCodeGetFunction(code, i);
    if (function->numInputs == 0)
      ok &= run_compiled(diag, code, program, function);
  }
  printf("%zu functions %s\n", count, ok ? "are right" : "were run");
  xcCpuProgramDestroy(program);
  xcCpuCodeDestroy(code);
  return ok;
}

int main(int argc, char **argv) {
  XcDiag diag = {0};
  xc_buffer text;
  bool cpu = argc == 3 && strcmp(argv[1], "--cpu") == 0;
  if (argc != 2 + cpu || !xc_read_file(&diag, argv[argc - 1], &text))
    return EXIT_FAILURE;
  MlirContext context = mlirContextCreate();
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__func__(), context);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__memref__(), context);
  bool ok = mlirLogicalResultIsSuccess(xcRegisterDialects(context));
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate((const char *)text.data, text.size));
  ok = ok && !mlirModuleIsNull(module) &&
       mlirLogicalResultIsSuccess(xcVerify(mlirModuleGetOperation(module))) &&
       (cpu ? compile_all(&diag, module) : run_all(module));
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  xc_buffer_free(&text);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
