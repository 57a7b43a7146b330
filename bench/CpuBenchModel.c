//===- CpuBenchModel.c - a model as compiled code -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuBenchModel.h"

#include "Peer.h"

#include "IRReader/IRReader.h"
#include "Support/File.h"
#include "xc-c/Import.h"
#include "xc-c/Passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(int64_t size) {
  size_t rounded = ((size_t)size / XC_CPU_ALIGNMENT + 1) * XC_CPU_ALIGNMENT;
  void *data = aligned_alloc(XC_CPU_ALIGNMENT, rounded);
  if (!data)
    abort();
  memset(data, 0, rounded);
  return data;
}

static void print_error(MlirStringRef message, void *user_data) {
  (void)user_data;
  fprintf(stderr, "%.*s\n", (int)message.length, message.data);
}

// Simplifies a module as the drivers do.
static bool simplify(MlirModule module) {
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      mlirModuleGetContext(module),
      mlirStringRefCreateFromCString("builtin.module"));
  bool ok = mlirLogicalResultIsSuccess(xcPassManagerAddPipeline(
                mlirPassManagerGetAsOpPassManager(manager),
                mlirStringRefCreateFromCString("builtin.module"),
                mlirStringRefCreateFromCString("tir-canonicalize"), print_error,
                NULL)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  return ok;
}

// Inputs of floats end their note with the element type.
static void *new_input(int64_t bytes, const char *note) {
  void *data = allocate(bytes);
  size_t length = strlen(note);
  bool real = length >= 3 && strcmp(note + length - 3, "f32") == 0;
  xc_peer_fill(data, (size_t)bytes, real);
  return data;
}

static bool bind(XcDiag *diag, XcCpuCode *code, xc_bench_model *model) {
  const XcCpuFunction *function = xcCpuCodeGetFunction(code, 0);
  if (function->numInputs > XC_BENCH_MAX_PORTS ||
      function->numOutputs > XC_BENCH_MAX_PORTS)
    return false;
  size_t size;
  const void *object = xcCpuCodeGetObject(code, &size);
  XcCpuProgram *program = xcCpuProgramCreate(diag, object, size);
  model->entry =
      program ? xcCpuProgramGetEntry(diag, program, function->symbol) : NULL;
  for (size_t i = 0; i < function->numInputs; ++i)
    model->inputs[i] =
        new_input(function->inputBytes[i], function->inputNotes[i]);
  for (size_t i = 0; i < function->numOutputs; ++i)
    model->outputs[i] = allocate(function->outputBytes[i]);
  model->arena = allocate(function->arenaBytes);
  model->params = xcCpuCodeGetParams(code, &size);
  return model->entry != NULL;
}

bool xc_bench_compile(const xc_bench_source *source, xc_bench_model *model) {
  XcDiag diag = {0};
  xc_buffer file;
  if (!xc_read_file(&diag, source->path, &file))
    return false;
  const XcImportOptions import = {.inputShapes = source->shapes,
                                  .numInputShapes = source->num_shapes,
                                  .randomWeights = source->onnx,
                                  .seed = 1};
  const XcCpuOptions options = {.cpu = source->cpu, .threads = source->threads};
  MlirContext context = xc_context_create(true);
  MlirModule module = (source->onnx ? xcImportOnnx : xcImportTflite)(
      &diag, context, source->path, file.data, file.size, &import);
  xc_buffer_free(&file);
  bool ok = !mlirModuleIsNull(module) && simplify(module);
  XcCpuCode *code = ok ? xcCpuCompile(&diag, module, &options) : NULL;
  ok = code && bind(&diag, code, model);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ok;
}

bool xc_bench_run(xc_bench_model *model) {
  return model->entry(model->inputs, model->outputs, model->arena,
                      model->params) == XcCpuStatusOk;
}
