//===- Mlir.c - translations from and to MLIR -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mlir.h"
#include "Translations.h"

#include "Frontend/Load/Load.h"
#include "IRReader/IRReader.h"
#include "Support/Diag.h"
#include "xc-c/XModelExport.h"

#include "mlir-c/Dialect/Func.h"

static void write_piece(MlirStringRef piece, void *output) {
  fwrite(piece.data, 1, piece.length, output);
}

static void print_module(MlirModule module, const xc_translate_options *options,
                         FILE *output) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (options->print_debuginfo)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags,
                              write_piece, output);
  mlirOpPrintingFlagsDestroy(flags);
}

static MlirContext make_context(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  return context;
}

typedef MlirModule (*importer)(XcDiag *diag, MlirContext context,
                               const char *path, const void *data, size_t size,
                               const XcImportOptions *options);

// Imports the input and prints the module.
static bool translate_import(XcDiag *diag, const xc_source *input,
                             const xc_translate_options *options, FILE *output,
                             importer function) {
  XcImportOptions import = xc_import_options(&options->import);
  MlirContext context = make_context();
  MlirModule module =
      function(diag, context, input->name, input->data, input->size, &import);
  bool ok = !mlirModuleIsNull(module);
  if (ok) {
    print_module(module, options, output);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return ok;
}

#define IMPORT(name, function)                                                 \
  bool xc_translate_import_##name(XcDiag *diag, const xc_source *input,        \
                                  const xc_translate_options *options,         \
                                  FILE *output) {                              \
    return translate_import(diag, input, options, output, function);           \
  }
IMPORT(onnx, xcImportOnnx)
IMPORT(tflite, xcImportTflite)
IMPORT(xmodel, xcImportXModel)

bool xc_translate_export(XcDiag *diag, const xc_source *input,
                         const xc_translate_options *options,
                         xc_exporter exporter, void *job) {
  const xc_read_options read = {
      .allow_unregistered = options->allow_unregistered_dialect,
      .no_implicit_module = options->no_implicit_module};
  MlirContext context = xc_context_create(false);
  xc_diagnostic_bridge bridge = {.input = input};
  xc_bridge_attach(&bridge, context, diag);
  MlirOperation operation = xc_read_ir(context, diag, input, &read);
  bool ok = !mlirOperationIsNull(operation);
  if (ok) {
    MlirModule module = mlirModuleFromOperation(operation);
    ok = !mlirModuleIsNull(module) ||
         xc_file_error(diag, input->name, "the input is no module");
    ok = ok && exporter(diag, module, job);
    mlirOperationDestroy(operation);
  }
  xc_bridge_detach(&bridge);
  mlirContextDestroy(context);
  return ok;
}

static bool write_xmodel(XcDiag *diag, MlirModule module, void *output) {
  (void)diag; // the exporter reports through MLIR
  XcXModel *model = xcExportXModel(module);
  if (model)
    xc_translate_write_xmodel(model, output);
  xcXModelDestroy(model);
  return model;
}

bool xc_translate_tir_to_xmodel(XcDiag *diag, const xc_source *input,
                                const xc_translate_options *options,
                                FILE *output) {
  return xc_translate_export(diag, input, options, write_xmodel, output);
}
