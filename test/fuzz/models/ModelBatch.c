//===- ModelBatch.c - runs many small models in one process ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: ModelBatch FOLDER SUFFIX FIRST LAST
// Reads FOLDER/N.SUFFIX and the inputs in FOLDER/N.in, and writes the outputs,
// or the error, to FOLDER/N.xc. A file of tensors has for each of them
//
//   NAME TYPE DIMS      DIMS: 1x2x3, `-` for a scalar
//   BYTES               how many follow
//   the elements, little-endian, in row-major order
//
// Models of an odd number keep their pairs of quantise and dequantise
// operators. An error is the line `error MESSAGE`; the last line is `end`.
//
//===----------------------------------------------------------------------===//

#include "xc-c/Runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 4096, MAX_INPUTS = 16, MAX_HEAD = 1024 };

typedef struct batch {
  const char *folder, *suffix;
  char message[MAX_HEAD]; // the first error
} batch;

static void keep_message(void *user_data, XcSeverity severity, XcPlace place,
                         const char *message) {
  batch *b = user_data;
  (void)place;
  if (severity == XcSeverityError && !*b->message)
    snprintf(b->message, sizeof(b->message), "%s", message);
}

static bool fail(batch *b, const char *message) {
  if (!*b->message)
    snprintf(b->message, sizeof(b->message), "%s", message);
  return false;
}

static FILE *open_file(const batch *b, long number, const char *suffix,
                       const char *mode) {
  char path[MAX_PATH];
  snprintf(path, sizeof(path), "%s/%ld.%s", b->folder, number, suffix);
  return fopen(path, mode);
}

// Reads the tensors into memory of the caller. A model need not use them all.
static bool read_inputs(batch *b, FILE *file, const XcModel *model,
                        XcSession *session, void **memory) {
  char name[MAX_HEAD], type[MAX_HEAD], dims[MAX_HEAD];
  for (size_t i = 0;
       fscanf(file, "%1023s %1023s %1023s", name, type, dims) == 3; ++i) {
    size_t index = xcModelFindInput(model, name), size = 0;
    if (i == MAX_INPUTS || fgetc(file) != '\n' ||
        fscanf(file, "%zu", &size) != 1 || fgetc(file) != '\n')
      return fail(b, "the file of inputs is wrong");
    memory[i] = malloc(size + 1);
    if (fread(memory[i], 1, size, file) != size)
      return fail(b, "the file of inputs is too short");
    if (index == SIZE_MAX)
      continue;
    if (xcModelGetInput(model, index)->size != size)
      return fail(b, "an input has another size");
    xcSessionBindInput(session, index, memory[i]);
  }
  return true;
}

static void write_outputs(FILE *file, const XcModel *model,
                          const XcSession *session) {
  for (size_t i = 0; i < xcModelGetNumOutputs(model); ++i) {
    const XcTensorInfo *info = xcModelGetOutput(model, i);
    fprintf(file, "%s %s %s", info->name, xcElementTypeGetName(info->element),
            info->rank ? "" : "-");
    for (size_t d = 0; d < info->rank; ++d)
      fprintf(file, "%s%" PRId64, d ? "x" : "", info->dims[d]);
    fprintf(file, "\n%zu\n", info->size);
    fwrite(xcSessionGetOutput(session, i), 1, info->size, file);
  }
}

static bool run(batch *b, long number, FILE *result) {
  char path[MAX_PATH];
  snprintf(path, sizeof(path), "%s/%ld.%s", b->folder, number, b->suffix);
  XcDiag diag = {keep_message, b, 0};
  const XcModelOptions options = {.import = {.keepQdq = number % 2 != 0}};
  XcModel *model = xcModelLoad(&diag, path, &options);
  XcSession *session = model ? xcSessionCreate(&diag, model) : NULL;
  FILE *file = session ? open_file(b, number, "in", "rb") : NULL;
  void *memory[MAX_INPUTS] = {NULL};
  bool ok = file && read_inputs(b, file, model, session, memory) &&
            xcSessionRun(session, &diag);
  if (ok)
    write_outputs(result, model, session);
  if (file)
    fclose(file);
  xcSessionDestroy(session);
  xcModelDestroy(model);
  for (size_t i = 0; i < MAX_INPUTS; ++i)
    free(memory[i]);
  return ok;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: ModelBatch FOLDER SUFFIX FIRST LAST\n");
    return 1;
  }
  long last = strtol(argv[4], NULL, 10);
  for (long number = strtol(argv[3], NULL, 10); number <= last; ++number) {
    batch b = {.folder = argv[1], .suffix = argv[2]};
    // Whoever finds the file without an end knows that the program crashed.
    FILE *result = open_file(&b, number, "xc", "wb");
    if (!result) {
      fprintf(stderr, "ModelBatch: cannot write into %s\n", b.folder);
      return 1;
    }
    if (!run(&b, number, result))
      fprintf(result, "error %s\n", *b.message ? b.message : "no message");
    fprintf(result, "end\n");
    fclose(result);
  }
  return 0;
}
