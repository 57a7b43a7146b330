//===- XModelMlir.c - translations between xmodel and tir -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mlir.h"
#include "Translations.h"

#include "xc-c/XModelExport.h"

#include <stdlib.h>

bool xc_translate_import_xmodel(XcDiag *diag, const xc_source *input,
                                const xc_translate_options *options,
                                FILE *output) {
  return xc_translate_import(diag, input, options, output, xcImportXModel);
}

static bool write_xmodel(XcDiag *diag, MlirModule module, FILE *output) {
  (void)diag; // the exporter reports through MLIR
  XcXModel *model = xcExportXModel(module);
  if (!model)
    return false;
  size_t size;
  void *data = xcXModelWriteToMemory(model, &size);
  fwrite(data, 1, size, output);
  free(data);
  xcXModelDestroy(model);
  return true;
}

bool xc_translate_tir_to_xmodel(XcDiag *diag, const xc_source *input,
                                const xc_translate_options *options,
                                FILE *output) {
  return xc_translate_export(diag, input, options, output, write_xmodel);
}
