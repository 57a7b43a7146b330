//===- TensorFlowFuzz.c - fuzzes the TensorFlow importer ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: a GraphDef. It is refused with errors, or it gives a module that
// verifies.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "xc-c/Dialects.h"
#include "xc-c/Import.h"

// As that of OnnxFuzz: one context for many inputs, but not too many.
static MlirContext get_context(void) {
  enum { USES = 1000 };
  static MlirContext context;
  static unsigned uses;
  if (uses++ % USES == 0) {
    if (context.ptr)
      mlirContextDestroy(context);
    context = mlirContextCreateWithThreading(false);
  }
  return context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XcDiag diag = xc_fuzz_silent_diag();
  MlirModule module =
      xcImportTensorFlow(&diag, get_context(), "graph.pb", data, size, NULL);
  xc_fuzz_require((diag.numErrors > 0) == mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return 0;
  xc_fuzz_require(
      mlirLogicalResultIsSuccess(xcVerify(mlirModuleGetOperation(module))));
  mlirModuleDestroy(module);
  return 0;
}
