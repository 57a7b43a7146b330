//===- TfliteFuzz.c - fuzzes the TensorFlow Lite importer -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: a file. It is refused with one error, or it becomes a module that
// passes the verifiers.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "xc-c/Dialects.h"
#include "xc-c/Import.h"

// Types and attributes live as long as their context, so it is renewed before
// they fill the memory.
static MlirContext get_context(void) {
  enum { INPUTS_PER_CONTEXT = 500 };
  static MlirContext context;
  static unsigned uses;
  if (uses++ % INPUTS_PER_CONTEXT == 0) {
    if (!mlirContextIsNull(context))
      mlirContextDestroy(context);
    context = mlirContextCreateWithThreading(false);
  }
  return context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XcDiag diag = xc_fuzz_silent_diag();
  const XcImportOptions options = {.allowCustom = true};
  MlirModule module =
      xcImportTflite(&diag, get_context(), "input", data, size, &options);
  bool ok = !mlirModuleIsNull(module);
  xc_fuzz_require(diag.numErrors == !ok);
  if (!ok)
    return 0;
  MlirOperation operation = mlirModuleGetOperation(module);
  xc_fuzz_require(mlirOperationVerify(operation) &&
                  mlirLogicalResultIsSuccess(xcVerify(operation)));
  mlirModuleDestroy(module);
  return 0;
}
