//===- Mlir.c - translations from and to MLIR -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mlir.h"

#include "IRReader/IRReader.h"
#include "Support/Diag.h"

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

bool xc_translate_import(XcDiag *diag, const xc_source *input,
                         const xc_translate_options *options, FILE *output,
                         xc_importer importer) {
  XcImportOptions import = {.inputShapes = options->input_shapes.items,
                            .numInputShapes = options->input_shapes.count,
                            .binds = options->binds.items,
                            .numBinds = options->binds.count,
                            .keepQdq = options->keep_qdq,
                            .dequantizeWeights = options->dequantize_weights,
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

bool xc_translate_export(XcDiag *diag, const xc_source *input,
                         const xc_translate_options *options, FILE *output,
                         xc_exporter exporter) {
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
    ok = ok && exporter(diag, module, output);
    mlirOperationDestroy(operation);
  }
  xc_bridge_detach(&bridge);
  mlirContextDestroy(context);
  return ok;
}
