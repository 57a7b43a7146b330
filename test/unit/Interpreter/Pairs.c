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
// that differ. A function named "fails_..." must end with a diagnostic.
//
//===----------------------------------------------------------------------===//

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"
#include "dialects/View.h"
#include "xc-c/Dialects.h"
#include "xc-c/Interpreter.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/IR.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool compare(MlirStringRef name, XcInterpreter *interpreter,
                    void **results, size_t count) {
  bool same = true;
  for (size_t i = 0; i + 1 < count; i += 2) {
    size_t size = xcInterpreterGetResultSize(interpreter, i);
    if (size == xcInterpreterGetResultSize(interpreter, i + 1) &&
        memcmp(results[i], results[i + 1], size) == 0)
      continue;
    same = false;
    printf("%.*s: results %zu and %zu differ\n", (int)name.length, name.data, i,
           i + 1);
    print_bytes("found   ", results[i], size);
    print_bytes("expected", results[i + 1],
                xcInterpreterGetResultSize(interpreter, i + 1));
  }
  return same;
}

static bool run(MlirOperation function) {
  MlirStringRef name = name_of(function);
  static const char prefix[] = "fails_";
  bool fails = name.length > strlen(prefix) &&
               memcmp(name.data, prefix, strlen(prefix)) == 0;
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  if (!interpreter)
    return fails;
  bool ok = true;
  size_t count = xcInterpreterGetNumResults(interpreter);
  if (xcInterpreterGetNumArguments(interpreter) == 0) {
    void **results = xc_alloc_array(count, sizeof(*results));
    for (size_t i = 0; i < count; ++i)
      results[i] = xc_alloc(xcInterpreterGetResultSize(interpreter, i));
    bool ran = xcInterpreterRun(interpreter, NULL, results);
    ok = ran != fails && (!ran || compare(name, interpreter, results, count));
    if (ran == fails)
      printf("%.*s: %s\n", (int)name.length, name.data,
             ran ? "did not fail" : "failed");
    for (size_t i = 0; i < count; ++i)
      free(results[i]);
    free(results);
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

int main(int argc, char **argv) {
  XcDiag diag = {0};
  xc_buffer text;
  if (argc != 2 || !xc_read_file(&diag, argv[1], &text))
    return EXIT_FAILURE;
  MlirContext context = mlirContextCreate();
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__func__(), context);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__memref__(), context);
  bool ok = mlirLogicalResultIsSuccess(xcRegisterDialects(context));
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate((const char *)text.data, text.size));
  ok = ok && !mlirModuleIsNull(module) &&
       mlirLogicalResultIsSuccess(xcVerify(mlirModuleGetOperation(module))) &&
       run_all(module);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  xc_buffer_free(&text);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
