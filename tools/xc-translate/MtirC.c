//===- MtirC.c - translation of tir and mtir to C -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mlir.h"
#include "Translations.h"

#include "xc-c/CSource.h"

// The files one after the other, as split-file takes them apart.
static bool write_source(const xc_translate_job *job, MlirModule module,
                         void *data) {
  (void)data;
  const XcCSourceOptions options = {.name = "model",
                                    .kernels = job->options->kernels};
  XcCSource *source = xcCSourceCreate(job->diag, module, &options);
  if (!source)
    return false;
  for (size_t i = 0; i < xcCSourceGetNumFiles(source); ++i) {
    XcCSourceFile file = xcCSourceGetFile(source, i);
    fprintf(job->output, "//--- %s\n", file.name);
    fwrite(file.data, 1, file.size, job->output);
  }
  xcCSourceDestroy(source);
  return true;
}

bool xc_translate_mtir_to_c(const xc_translate_job *job) {
  return xc_translate_export(job, write_source, NULL);
}
