//===- CaffeFuzz.c - fuzzes the Caffe importer ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: a prototxt, a zero byte, a caffemodel; without the zero byte weights
// are made up. The net is refused with errors, or it gives a module that
// verifies.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Frontend/Caffe/Caffe.h"
#include "xc-c/Dialects.h"

#include <string.h>

// As that of OnnxFuzz: one context for many inputs, but not too many.
static MlirContext get_context(void) {
  enum { USES = 1000 };
  static MlirContext context;
  static unsigned uses;
  if (uses++ % USES == 0) {
    if (context.ptr)
      mlirContextDestroy(context);
    context = mlirContextCreateWithThreading(false);
  }
  return context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XcDiag diag = xc_fuzz_silent_diag();
  const uint8_t *end = size ? memchr(data, 0, size) : NULL;
  xc_caffe_files files = {.net_path = "net.prototxt",
                          .net = data,
                          .net_size = size,
                          .model_path = "net.caffemodel"};
  if (end) {
    files.net_size = (size_t)(end - data);
    files.model = end + 1;
    files.model_size = size - files.net_size - 1;
  }
  XcImportOptions options = {.randomWeights = !end,
                             .allowCustom = size % 2 == 0};
  MlirModule module = xc_caffe_import(&diag, get_context(), &files, &options);
  xc_fuzz_require((diag.numErrors > 0) == mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return 0;
  xc_fuzz_require(
      mlirLogicalResultIsSuccess(xcVerify(mlirModuleGetOperation(module))));
  mlirModuleDestroy(module);
  return 0;
}
