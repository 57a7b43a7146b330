//===- TfliteBatch.c - runs many models with TensorFlow Lite --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: TfliteBatch LIBRARY FOLDER FIRST LAST
// Reads FOLDER/N.tflite and FOLDER/N.in, and writes FOLDER/N.peer, in the forms
// of ModelBatch.c. Inputs are in the model's order. The library is loaded when
// the program runs, so that nothing of it is needed to build it.
//
//===----------------------------------------------------------------------===//

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One row a function: result, name after "TfLite", arguments.
// clang-format off
#define FUNCTIONS(X)                                                           \
  X(void *, ModelCreateFromFile, (const char *))                               \
  X(void, ModelDelete, (void *))                                               \
  X(void *, InterpreterCreate, (const void *, const void *))                   \
  X(void, InterpreterDelete, (void *))                                         \
  X(int, InterpreterAllocateTensors, (void *))                                 \
  X(int32_t, InterpreterGetInputTensorCount, (const void *))                   \
  X(void *, InterpreterGetInputTensor, (const void *, int32_t))                \
  X(int32_t, InterpreterGetOutputTensorCount, (const void *))                  \
  X(const void *, InterpreterGetOutputTensor, (const void *, int32_t))         \
  X(int, InterpreterInvoke, (void *))                                          \
  X(void *, TensorData, (const void *))                                        \
  X(int, TensorType, (const void *))                                           \
  X(size_t, TensorByteSize, (const void *))                                    \
  X(int32_t, TensorNumDims, (const void *))                                    \
  X(int32_t, TensorDim, (const void *, int32_t))                               \
  X(const char *, TensorName, (const void *))
// clang-format on

typedef struct tflite {
#define FIELD(result, name, arguments) result(*name) arguments;
  FUNCTIONS(FIELD)
#undef FIELD
} tflite;

static bool load(tflite *api, const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return false;
  // POSIX gives functions as data pointers.
#define LOAD(result, name, arguments)                                          \
  *(void **)&api->name = dlsym(handle, "TfLite" #name);                        \
  if (!api->name)                                                              \
    return false;
  FUNCTIONS(LOAD)
#undef LOAD
  return true;
}

static const char *type_name(int type) {
  static const char *const names[] = {NULL,   "f32", "i32", "u8", "i64", NULL,
                                      "bool", "i16", NULL,  "i8", "f16", "f64"};
  size_t count = sizeof(names) / sizeof(*names);
  return type >= 0 && (size_t)type < count ? names[type] : NULL;
}

static const char *fill_inputs(const tflite *api, void *interpreter,
                               FILE *file) {
  char line[1024];
  int32_t count = api->InterpreterGetInputTensorCount(interpreter);
  for (int32_t i = 0; i < count; ++i) {
    void *tensor = api->InterpreterGetInputTensor(interpreter, i);
    size_t size = api->TensorByteSize(tensor);
    if (!fgets(line, sizeof(line), file) || !fgets(line, sizeof(line), file) ||
        strtoul(line, NULL, 10) != size ||
        fread(api->TensorData(tensor), 1, size, file) != size)
      return "an input has another size";
  }
  return NULL;
}

static const char *write_outputs(const tflite *api, const void *interpreter,
                                 FILE *result) {
  int32_t count = api->InterpreterGetOutputTensorCount(interpreter);
  for (int32_t i = 0; i < count; ++i) {
    const void *tensor = api->InterpreterGetOutputTensor(interpreter, i);
    const char *type = type_name(api->TensorType(tensor));
    size_t size = api->TensorByteSize(tensor);
    int32_t rank = api->TensorNumDims(tensor);
    if (!type)
      return "an output has another type";
    fprintf(result, "%s %s %s", api->TensorName(tensor), type, rank ? "" : "-");
    for (int32_t d = 0; d < rank; ++d)
      fprintf(result, "%s%d", d ? "x" : "", api->TensorDim(tensor, d));
    fprintf(result, "\n%zu\n", size);
    fwrite(api->TensorData(tensor), 1, size, result);
  }
  return NULL;
}

static const char *run(const tflite *api, const char *base, FILE *result) {
  char path[4096];
  snprintf(path, sizeof(path), "%s.tflite", base);
  void *model = api->ModelCreateFromFile(path);
  void *interpreter = model ? api->InterpreterCreate(model, NULL) : NULL;
  snprintf(path, sizeof(path), "%s.in", base);
  FILE *file = fopen(path, "rb");
  const char *why = !interpreter || !file ? "the model cannot be read" : NULL;
  if (!why && api->InterpreterAllocateTensors(interpreter) != 0)
    why = "the operator refuses its tensors";
  if (!why)
    why = fill_inputs(api, interpreter, file);
  if (!why && api->InterpreterInvoke(interpreter) != 0)
    why = "the operator fails";
  if (!why)
    why = write_outputs(api, interpreter, result);
  if (file)
    fclose(file);
  if (interpreter)
    api->InterpreterDelete(interpreter);
  if (model)
    api->ModelDelete(model);
  return why;
}

int main(int argc, char **argv) {
  tflite api;
  if (argc != 5 || !load(&api, argv[1])) {
    fprintf(stderr, "usage: TfliteBatch LIBRARY FOLDER FIRST LAST\n");
    return 1;
  }
  long last = strtol(argv[4], NULL, 10);
  for (long number = strtol(argv[3], NULL, 10); number <= last; ++number) {
    char base[4000], path[4096];
    snprintf(base, sizeof(base), "%s/%ld", argv[2], number);
    snprintf(path, sizeof(path), "%s.peer", base);
    FILE *result = fopen(path, "wb");
    if (!result)
      return 1;
    const char *why = run(&api, base, result);
    if (why)
      fprintf(result, "error %s\n", why);
    fprintf(result, "end\n");
    fclose(result);
  }
  return 0;
}
