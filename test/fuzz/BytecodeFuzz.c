//===- BytecodeFuzz.c - fuzzes the reader of bytecode ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: MLIR bytecode. It is refused with one error at least, or it gives an
// operation, which can be printed. MLIR's reader runs in this process: what the
// guard lets pass must not harm it.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "IRReader/IRReader.h"

static void count(MlirStringRef piece, void *size) {
  *(size_t *)size += piece.length;
}

// Making a context takes longer than reading; one keeps what was ever read.
static MlirContext get_context(void) {
  enum { INPUTS = 1000 };
  static MlirContext context;
  static unsigned used;
  if (used++ % INPUTS == 0) {
    if (used > 1)
      mlirContextDestroy(context);
    context = xc_context_create(false);
  }
  return context;
}

static void read_input(const uint8_t *data, size_t size, bool unregistered) {
  XcDiag diag = xc_fuzz_silent_diag();
  MlirContext context = get_context();
  xc_diagnostic_bridge bridge = {.hide_notes = true};
  xc_bridge_attach(&bridge, context, &diag);
  const xc_source input = {"input", data, size, 1};
  const xc_read_options options = {.only_models = true,
                                   .allow_unregistered = unregistered};
  MlirOperation operation = xc_read_ir(context, &diag, &input, &options);
  xc_fuzz_require((diag.numErrors != 0) == mlirOperationIsNull(operation));
  if (!mlirOperationIsNull(operation)) {
    size_t printed = 0;
    mlirOperationPrint(operation, count, &printed);
    xc_fuzz_require(printed > 0);
    mlirOperationDestroy(operation);
  }
  xc_bridge_detach(&bridge);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const xc_source input = {"input", data, size, 1};
  if (!xc_is_bytecode(&input))
    return 0;
  read_input(data, size, false);
  read_input(data, size, true);
  return 0;
}
