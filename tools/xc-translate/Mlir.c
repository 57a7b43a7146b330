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

static void print_module(const xc_translate_job *job, MlirModule module) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (job->options->print_debuginfo)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags,
                              write_piece, job->output);
  mlirOpPrintingFlagsDestroy(flags);
}

typedef MlirModule (*importer)(XcDiag *diag, MlirContext context,
                               const char *path, const void *data, size_t size,
                               const XcImportOptions *options);

// Imports the input and prints the module.
static bool translate_import(const xc_translate_job *job, importer import) {
  const xc_source *input = job->input;
  XcImportOptions options = xc_import_options(&job->options->import);
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  MlirModule module = import(job->diag, context, input->name, input->data,
                             input->size, &options);
  bool ok = !mlirModuleIsNull(module);
  if (ok) {
    print_module(job, module);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return ok;
}

bool xc_translate_import_onnx(const xc_translate_job *job) {
  return translate_import(job, xcImportOnnx);
}

bool xc_translate_import_caffe(const xc_translate_job *job) {
  return translate_import(job, xcImportCaffe);
}

bool xc_translate_import_tensorflow(const xc_translate_job *job) {
  return translate_import(job, xcImportTensorFlow);
}

bool xc_translate_import_tflite(const xc_translate_job *job) {
  return translate_import(job, xcImportTflite);
}

bool xc_translate_import_tosa(const xc_translate_job *job) {
  return translate_import(job, xcImportTosa);
}

bool xc_translate_import_xmodel(const xc_translate_job *job) {
  return translate_import(job, xcImportXModel);
}

bool xc_translate_export(const xc_translate_job *job, xc_exporter exporter,
                         void *data) {
  const xc_read_options read = {
      .allow_unregistered = job->options->allow_unregistered_dialect,
      .no_implicit_module = job->options->no_implicit_module};
  MlirContext context = xc_context_create(false);
  xc_diagnostic_bridge bridge = {.input = job->input};
  xc_bridge_attach(&bridge, context, job->diag);
  MlirOperation operation = xc_read_ir(context, job->diag, job->input, &read);
  bool ok = !mlirOperationIsNull(operation);
  if (ok) {
    MlirModule module = mlirModuleFromOperation(operation);
    ok =
        !mlirModuleIsNull(module) ||
        xc_file_error(job->diag, job->input->name, "the input is not a module");
    ok = ok && exporter(job, module, data);
    mlirOperationDestroy(operation);
  }
  xc_bridge_detach(&bridge);
  mlirContextDestroy(context);
  return ok;
}

// The exporter reports through MLIR.
static bool write_xmodel(const xc_translate_job *job, MlirModule module,
                         void *data) {
  (void)data;
  XcXModel *model = xcExportXModel(module);
  if (model)
    xc_translate_write_xmodel(model, job->output);
  xcXModelDestroy(model);
  return model;
}

bool xc_translate_tir_to_xmodel(const xc_translate_job *job) {
  return xc_translate_export(job, write_xmodel, NULL);
}
