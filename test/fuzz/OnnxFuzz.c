//===- OnnxFuzz.c - fuzzes the ONNX importer ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: an ONNX model. It is refused with one error, or it gives a module
// that verifies, with the pairs of quantise and dequantise operators folded and
// without.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "xc-c/Dialects.h"
#include "xc-c/Import.h"

// Registering the dialects takes a hundred times as long as a small import, so
// a context serves many inputs; it keeps every attribute it has seen, so not
// too many.
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

static void import(const uint8_t *data, size_t size, bool keep_qdq) {
  XcDiag diag = xc_fuzz_silent_diag();
  XcImportOptions options = {.keepQdq = keep_qdq, .allowCustom = keep_qdq};
  MlirModule module =
      xcImportOnnx(&diag, get_context(), NULL, data, size, &options);
  xc_fuzz_require(diag.numErrors == mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return;
  xc_fuzz_require(
      mlirLogicalResultIsSuccess(xcVerify(mlirModuleGetOperation(module))));
  mlirModuleDestroy(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  import(data, size, false);
  import(data, size, true);
  return 0;
}
