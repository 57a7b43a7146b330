//===- CompiledConv.c - convolutions by the CPU path ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledConv.h"

#include "IRReader/IRReader.h"
#include "Support/Text.h"
#include "Support/Time.h"
#include "xc-c/CPU.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static void write_module(const compiled_conv_shape *s, xc_text *text) {
  int pad_h = s->kernel_h / 2, pad_w = s->kernel_w / 2;
  xc_text input = {0}, weight = {0}, output = {0};
  xc_text_printf(&input, "tensor<1x%dx%dx%dxi8>", s->size * s->stride_h,
                 s->size * s->stride_w, s->in);
  xc_text_printf(&weight, "tensor<%dx%dx%dx%dxi8>", s->out, s->kernel_h,
                 s->kernel_w, s->in);
  xc_text_printf(&output, "tensor<1x%dx%dx%dxi8>", s->size, s->size, s->out);
  xc_text_printf(
      text,
      "func.func @conv(%%x: %s) -> %s {\n"
      "  %%w = \"tir.const\"() {value = dense<3> : %s} : () -> %s\n"
      "  %%0 = \"tir.conv2d-fix\"(%%x, %%w) {kernel = [%d : i32, %d : i32], "
      "stride = [%d : i32, %d : i32], pad = [%d : i32, %d : i32, %d : i32, "
      "%d : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, "
      "output_fix_point = 2 : i32, nonlinear = \"RELU\"} : (%s, %s) -> %s\n"
      "  return %%0 : %s\n}\n",
      input.data, output.data, weight.data, weight.data, s->kernel_w,
      s->kernel_h, s->stride_w, s->stride_h, pad_w, pad_w, pad_h, pad_h,
      input.data, weight.data, output.data, output.data);
  xc_text_free(&input);
  xc_text_free(&weight);
  xc_text_free(&output);
}

static void *allocate(int64_t size) {
  size_t rounded = ((size_t)size / ALIGNMENT + 1) * ALIGNMENT;
  void *data = aligned_alloc(ALIGNMENT, rounded);
  if (!data)
    abort();
  memset(data, 1, rounded);
  return data;
}

static double run(const XcCpuCode *code, const XcCpuFunction *function,
                  XcCpuEntry entry, int runs) {
  size_t params_size;
  const void *params = xcCpuCodeGetParams(code, &params_size);
  const void *input = allocate(function->inputBytes[0]);
  void *output = allocate(function->outputBytes[0]);
  void *arena = allocate(function->arenaBytes);
  double best = 1e9;
  // The first run brings code and data into the caches.
  for (int i = 0; i <= runs; ++i) {
    double start = xc_seconds();
    entry(&input, &output, arena, params);
    double seconds = xc_seconds() - start;
    best = i > 0 && seconds < best ? seconds : best;
  }
  free((void *)(uintptr_t)input);
  free(output);
  free(arena);
  return best;
}

static double run_module(MlirModule module, unsigned threads, int runs) {
  XcDiag diag = {0};
  const XcCpuOptions options = {.threads = threads};
  XcCpuCode *code = xcCpuCompile(&diag, module, &options);
  if (!code)
    return -1;
  size_t size;
  const void *object = xcCpuCodeGetObject(code, &size);
  const XcCpuFunction *function = xcCpuCodeGetFunction(code, 0);
  XcCpuProgram *program = xcCpuProgramCreate(&diag, object, size);
  XcCpuEntry entry =
      program ? xcCpuProgramGetEntry(&diag, program, function->symbol) : NULL;
  double seconds = entry ? run(code, function, entry, runs) : -1;
  xcCpuProgramDestroy(program);
  xcCpuCodeDestroy(code);
  return seconds;
}

double compiled_conv_seconds(const compiled_conv_shape *shape, unsigned threads,
                             int runs) {
  MlirContext context = xc_context_create(false);
  xc_text text = {0};
  write_module(shape, &text);
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(text.data, text.length));
  double seconds = -1;
  if (!mlirModuleIsNull(module)) {
    seconds = run_module(module, threads, runs);
    mlirModuleDestroy(module);
  }
  xc_text_free(&text);
  mlirContextDestroy(context);
  return seconds;
}
