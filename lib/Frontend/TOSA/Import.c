//===- Import.c - modules of TOSA and tir ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"

#include "Conversion/TosaToTir/TosaToTir.h"
#include "IR/Function.h"
#include "IRReader/IRReader.h"
#include "Support/Diag.h"
#include "xc-c/Dialects.h"
#include "xc-c/Import.h"

#include "mlir-c/RegisterEverything.h"

static const MlirModule no_module = {NULL};

// Goes on after a function that cannot be converted: all reasons come out.
static bool convert_function(void *user_data, MlirOperation function) {
  int64_t count = 0;
  if (!xc_convert_tosa(function, &count))
    *(bool *)user_data = false;
  return true;
}

static bool convert(MlirOperation module) {
  bool ok = true;
  if (xc_has_tosa(module))
    xc_for_each_function(module, convert_function, &ok);
  return ok;
}

MlirModule xc_mlir_import(XcDiag *diag, MlirContext context, const char *path,
                          const void *data, size_t size,
                          const XcImportOptions *options) {
  (void)options;
  xc_source input = {path, data, size, 1};
  // Bytecode of TOSA is read by a process of its own.
  const xc_read_options read = {.only_models = true, .with_tosa = true};
  MlirOperation operation = xc_read_ir(context, diag, &input, &read);
  if (mlirOperationIsNull(operation))
    return no_module;
  MlirModule module = mlirModuleFromOperation(operation);
  if (mlirModuleIsNull(module))
    xc_file_error(diag, path, "the input is no module");
  else if (convert(operation))
    return module;
  mlirOperationDestroy(operation);
  return no_module;
}

static void register_dialects(MlirContext context) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  xcRegisterDialects(context);
}

MlirModule xcImportTosa(XcDiag *diag, MlirContext context, const char *path,
                        const void *data, size_t size,
                        const XcImportOptions *options) {
  register_dialects(context);
  const xc_source input = {path, data, size, 1};
  xc_diagnostic_bridge bridge = {.input = &input, .hide_notes = true};
  xc_bridge_attach(&bridge, context, diag);
  MlirModule module = xc_mlir_import(diag, context, path, data, size, options);
  xc_bridge_detach(&bridge);
  return module;
}
