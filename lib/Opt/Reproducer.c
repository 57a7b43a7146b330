//===- Reproducer.c - IR with the pipeline that fails on it ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt's format: the IR, then a resource section with the pipeline. Tools
// that do not look for the section read the IR alone.
//
//   {-#
//     external_resources: {
//       mlir_reproducer: {
//         pipeline: "builtin.module(cse)",
//         disable_threading: false,
//         verify_each: true
//       }
//     }
//   #-}
//
// MLIR's printer may end with a resource section of its own; a file may have
// several.
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"
#include "Support/File.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void print_piece(MlirStringRef piece, void *stream) {
  fwrite(piece.data, 1, piece.length, stream);
}

static void print_quoted(FILE *stream, const char *string) {
  fputc('"', stream);
  for (; *string; ++string) {
    unsigned char c = (unsigned char)*string;
    if (c == '"' || c == '\\' || c < ' ')
      fprintf(stream, "\\%02X", c);
    else
      fputc(c, stream);
  }
  fputc('"', stream);
}

bool xc_write_reproducer(XcDiag *diag, const char *path, MlirOperation module,
                         const char *pipeline, const xc_opt_options *options) {
  xc_output output;
  if (!xc_output_open(diag, path, &output))
    return false;
  mlirOperationPrint(module, print_piece, output.stream);
  fputs("\n\n{-#\n  external_resources: {\n    mlir_reproducer: {\n"
        "      pipeline: ",
        output.stream);
  print_quoted(output.stream, pipeline);
  fprintf(output.stream,
          ",\n      disable_threading: %s,\n      verify_each: %s%s\n"
          "    }\n  }\n#-}\n",
          options->disable_threading ? "true" : "false",
          options->verify_each ? "true" : "false",
          options->allow_unregistered
              ? ",\n      allow_unregistered_dialect: true"
              : "");
  return xc_output_keep(diag, &output);
}

static const char *find(const char *at, const char *end, const char *word) {
  size_t length = strlen(word);
  for (; at + length <= end; ++at)
    if (memcmp(at, word, length) == 0)
      return at + length;
  return NULL;
}

static int hex_digit(char c) {
  if (!isxdigit((unsigned char)c))
    return -1;
  return isdigit((unsigned char)c) ? c - '0'
                                   : tolower((unsigned char)c) - 'a' + 10;
}

char *xc_find_reproducer(const char *text, size_t size) {
  const char *end = text + size;
  const char *at = find(text, end, "mlir_reproducer");
  at = at ? find(at, end, "pipeline") : NULL;
  at = at ? find(at, end, "\"") : NULL;
  if (!at)
    return NULL;
  xc_text pipeline = {0};
  while (at < end && *at != '"') {
    char c = *at++;
    if (c == '\\' && at + 1 < end && hex_digit(at[0]) >= 0 &&
        hex_digit(at[1]) >= 0) {
      c = (char)(hex_digit(at[0]) * 16 + hex_digit(at[1]));
      at += 2;
    }
    xc_text_append(&pipeline, &c, 1);
  }
  xc_text_append(&pipeline, "", 0);
  return pipeline.data;
}
