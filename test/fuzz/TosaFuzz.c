//===- TosaFuzz.c - modules of TOSA to tir --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: a module as text. It is refused with errors, or it becomes a module
// without TOSA that passes the verifiers.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Conversion/TosaToTir/TosaToTir.h"
#include "Frontend/TOSA/Import.h"
#include "IRReader/IRReader.h"
#include "Support/Memory.h"
#include "xc-c/Dialects.h"

#include <string.h>

// Types and attributes live as long as their context, so it is renewed before
// they fill the memory.
static MlirContext get_context(void) {
  enum { INPUTS_PER_CONTEXT = 1000 };
  static MlirContext context;
  static unsigned uses;
  if (uses++ % INPUTS_PER_CONTEXT == 0) {
    if (!mlirContextIsNull(context))
      mlirContextDestroy(context);
    context = xc_context_create(false);
  }
  return context;
}

// The parser reads up to a zero byte, which files have after their content.
static MlirModule import(XcDiag *diag, MlirContext context, const uint8_t *data,
                         size_t size) {
  char *text = xc_alloc(size + 1);
  memcpy(text, data, size);
  text[size] = 0;
  MlirModule module = xc_mlir_import(diag, context, "input", text, size, NULL);
  free(text);
  return module;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const xc_source input = {"input", data, size, 1};
  if (xc_is_bytecode(&input))
    return 0;
  XcDiag diag = xc_fuzz_silent_diag();
  MlirContext context = get_context();
  xc_diagnostic_bridge bridge = {.hide_notes = true};
  xc_bridge_attach(&bridge, context, &diag);
  MlirModule module = import(&diag, context, data, size);
  xc_fuzz_require((diag.numErrors != 0) == mlirModuleIsNull(module));
  if (!mlirModuleIsNull(module)) {
    MlirOperation operation = mlirModuleGetOperation(module);
    xc_fuzz_require(!xc_has_tosa(operation) && mlirOperationVerify(operation) &&
                    mlirLogicalResultIsSuccess(xcVerify(operation)));
    mlirModuleDestroy(module);
  }
  xc_bridge_detach(&bridge);
  return 0;
}
