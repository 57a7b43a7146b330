//===- BinaryGuard.c - files that are no MLIR -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models in other formats are binary. What the parser would say of them is
// about some bracket deep inside.
//
//===----------------------------------------------------------------------===//

#include "IRReader.h"

#include "Support/Diag.h"

#include <stdbool.h>
#include <string.h>

/// A format by the end of a file's name.
typedef struct format {
  const char *suffix, *what, *option;
} format;

static bool ends_with(const char *name, const char *suffix) {
  size_t length = strlen(name), end = strlen(suffix);
  return length >= end && strcmp(name + length - end, suffix) == 0;
}

static const format *find_format(const char *name) {
  static const format formats[] = {
      {".onnx", "an ONNX model", "import-onnx"},
      {".tflite", "a TensorFlow Lite model", "import-tflite"},
      {".pb", "a TensorFlow graph", "import-tensorflow"},
      {".xmodel", "an xmodel", "import-xmodel"}};
  for (size_t i = 0; name && i < sizeof(formats) / sizeof(*formats); ++i)
    if (ends_with(name, formats[i].suffix))
      return &formats[i];
  return NULL;
}

// Characters that text has no use for: every one of these formats begins with
// some.
static bool is_binary(const xc_source *input) {
  static const char spaces[] = {'\t', '\n', '\v', '\f', '\r'};
  enum { MOST = 256 };
  for (size_t i = 0; i < input->size && i < MOST; ++i)
    if (input->data[i] < ' ' && !memchr(spaces, input->data[i], sizeof(spaces)))
      return true;
  return false;
}

bool xc_check_text(XcDiag *diag, const xc_source *input) {
  const format *found = find_format(input->name);
  if (!found || !is_binary(input))
    return true;
  return xc_file_error(diag, input->name,
                       "expected MLIR, got %s: 'xc-translate --%s' reads it",
                       found->what, found->option);
}
