//===- Import.c - translations from model files to tir --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "xc-c/Dialects.h"
#include "xc-c/Import.h"

/// The shape of every importer in xc-c/Import.h.
typedef MlirModule (*importer)(XcDiag *diag, MlirContext context,
                               const char *name, const void *data, size_t size,
                               const XcImportOptions *options);

static void write_piece(MlirStringRef piece, void *stream) {
  fwrite(piece.data, 1, piece.length, stream);
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

static bool import_with(importer function, XcDiag *diag,
                        const xc_translate_input *input,
                        const xc_translate_options *options, FILE *output) {
  const XcImportOptions import = {
      .inputShapes = options->input_shapes.items,
      .numInputShapes = options->input_shapes.count,
      .binds = options->binds.items,
      .numBinds = options->binds.count,
  };
  MlirContext context = mlirContextCreate();
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

bool xc_translate_import_tflite(XcDiag *diag, const xc_translate_input *input,
                                const xc_translate_options *options,
                                FILE *output) {
  return import_with(xcImportTflite, diag, input, options, output);
}
