//===- XModelImportFuzz.c - fuzzes the xmodel importer --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: an xmodel. It is refused with one error, or it gives a module; what
// the exporter makes of that is imported again.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "xc-c/Import.h"
#include "xc-c/XModelExport.h"

#include <string.h>

static void check_export(MlirContext context, MlirModule module) {
  XcXModel *model = xcExportXModel(module);
  if (!model)
    return; // bf16 and payloads of other kinds have no place in the format
  size_t size;
  void *data = xcXModelWriteToMemory(model, &size);
  xcXModelDestroy(model);
  XcDiag diag = xc_fuzz_silent_diag();
  MlirModule again = xcImportXModel(&diag, context, "again", data, size, NULL);
  xc_fuzz_require(!mlirModuleIsNull(again));
  mlirModuleDestroy(again);
  free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XcDiag diag = xc_fuzz_silent_diag();
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirModule module = xcImportXModel(&diag, context, "input", data, size, NULL);
  xc_fuzz_require(diag.numErrors == mlirModuleIsNull(module));
  if (!mlirModuleIsNull(module)) {
    check_export(context, module);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return 0;
}
