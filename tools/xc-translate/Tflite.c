//===- Tflite.c - translations of TensorFlow Lite files -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mlir.h"
#include "Translations.h"

bool xc_translate_import_tflite(XcDiag *diag, const xc_source *input,
                                const xc_translate_options *options,
                                FILE *output) {
  return xc_translate_import(diag, input, options, output, xcImportTflite);
}
