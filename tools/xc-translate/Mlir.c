//===- Mlir.c - translations from and to MLIR -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mlir.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "xc-c/Dialects.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/Func.h"

#include <stdlib.h>
#include <string.h>

static void append(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

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

bool xc_translate_import(XcDiag *diag, const xc_translate_input *input,
                         const xc_translate_options *options, FILE *output,
                         xc_importer importer) {
  XcImportOptions import = {.inputShapes = options->input_shapes.items,
                            .numInputShapes = options->input_shapes.count,
                            .binds = options->binds.items,
                            .numBinds = options->binds.count,
                            .keepQdq = options->keep_qdq,
                            .randomWeights = options->random_weights >= 0,
                            .seed = (uint64_t)options->random_weights};
  MlirContext context = make_context();
  MlirModule module =
      importer(diag, context, input->name, input->data, input->size, &import);
  bool ok = !mlirModuleIsNull(module);
  if (ok) {
    print_module(module, options, output);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return ok;
}

// Where the diagnostics of MLIR go.
typedef struct forwarder {
  XcDiag *diag;
  const xc_translate_input *input;
} forwarder;

static XcSeverity severity_of(MlirDiagnostic diagnostic) {
  switch (mlirDiagnosticGetSeverity(diagnostic)) {
  case MlirDiagnosticError:
    return XcSeverityError;
  case MlirDiagnosticWarning:
    return XcSeverityWarning;
  case MlirDiagnosticNote:
    return XcSeverityNote;
  case MlirDiagnosticRemark:
    return XcSeverityRemark;
  }
  return XcSeverityError;
}

static MlirLogicalResult forward(MlirDiagnostic diagnostic, void *user_data) {
  const forwarder *f = user_data;
  xc_text message = {0}, file = {0};
  mlirDiagnosticPrint(diagnostic, append, &message);
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  XcPlace place = {f->input->name, 0, 0};
  if (mlirLocationIsAFileLineColRange(location)) {
    MlirStringRef name =
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    xc_text_append(&file, name.data, name.length);
    if (strcmp(xc_text_str(&file), "-") != 0)
      place.file = xc_text_str(&file);
    int line = mlirLocationFileLineColRangeGetStartLine(location);
    int column = mlirLocationFileLineColRangeGetStartColumn(location);
    if (line > 0 && column > 0) {
      place.line = (unsigned)line + f->input->first_line - 1;
      place.column = (unsigned)column;
    }
  }
  xcDiagReport(f->diag, severity_of(diagnostic), place, "%s",
               xc_text_str(&message));
  xc_text_free(&message);
  xc_text_free(&file);
  return mlirLogicalResultSuccess();
}

// The parser that makes a module around other operations calls its source "-".
static MlirModule parse(MlirContext context, const xc_translate_input *input,
                        const xc_translate_options *options) {
  MlirStringRef text =
      mlirStringRefCreate((const char *)input->data, input->size);
  if (!options->no_implicit_module)
    return mlirModuleCreateParse(context, text);
  MlirOperation operation = mlirOperationCreateParse(
      context, text, mlirStringRefCreateFromCString(input->name));
  if (mlirOperationIsNull(operation))
    return (MlirModule){NULL};
  MlirModule module = mlirModuleFromOperation(operation);
  if (mlirModuleIsNull(module))
    mlirOperationDestroy(operation);
  return module;
}

bool xc_translate_export(XcDiag *diag, const xc_translate_input *input,
                         const xc_translate_options *options, FILE *output,
                         xc_exporter exporter) {
  forwarder f = {diag, input};
  unsigned errors = diag->numErrors;
  MlirContext context = make_context();
  mlirContextSetAllowUnregisteredDialects(context,
                                          options->allow_unregistered_dialect);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, forward, &f, NULL);
  bool ok = mlirLogicalResultIsSuccess(xcRegisterDialects(context));
  MlirModule module = ok ? parse(context, input, options) : (MlirModule){NULL};
  ok = !mlirModuleIsNull(module);
  if (!ok && diag->numErrors == errors)
    xc_file_error(diag, input->name, "the input is no MLIR module");
  ok = ok &&
       mlirLogicalResultIsSuccess(xcVerify(mlirModuleGetOperation(module))) &&
       exporter(diag, module, output);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDetachDiagnosticHandler(context, handler);
  mlirContextDestroy(context);
  return ok;
}
