//===- CheckCpu.c - passes and host code ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every stage on the way to host code is compared by itself, so that a finding
// says where it happened: the simplified graph and its form on buffers are run
// by the interpreter, too.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include "Support/Memory.h"
#include "xc-c/Interpreter.h"

#include <stdlib.h>
#include <string.h>

typedef struct cpu_run {
  const fuzz_tensors *inputs, *expected;
  xc_text *why;
  fuzz_tensors actual;
} cpu_run;

static void make_results(cpu_run *run) {
  size_t count = run->expected->count;
  run->actual = (fuzz_tensors){.count = count};
  run->actual.data = xc_alloc_array(count, sizeof(void *));
  run->actual.shapes = xc_alloc_array(count, sizeof(xc_shape));
  for (size_t i = 0; i < count; ++i) {
    run->actual.shapes[i] = run->expected->shapes[i];
    run->actual.data[i] = xc_alloc(fuzz_tensor_size(&run->actual.shapes[i]));
  }
}

static fuzz_verdict compare(const cpu_run *run, const char *stage) {
  for (size_t i = 0; i < run->actual.count; ++i) {
    if (fuzz_compare("result", i, &run->actual.shapes[i],
                     run->expected->data[i], run->actual.data[i],
                     run->expected->largest, run->why))
      continue;
    xc_text_printf(run->why, " behind %s", stage);
    return FUZZ_DIFFERS;
  }
  return FUZZ_OK;
}

// Results are what the function returns, or the last arguments.
static fuzz_verdict interpret(cpu_run *run, MlirModule module,
                              const char *stage) {
  make_results(run);
  size_t inputs = run->inputs->count, outputs = run->actual.count;
  void **arguments = xc_alloc_array(inputs + outputs, sizeof(void *));
  for (size_t i = 0; i < inputs; ++i)
    arguments[i] = run->inputs->data[i];
  for (size_t i = 0; i < outputs; ++i)
    arguments[inputs + i] = run->actual.data[i];
  XcInterpreter *interpreter = xcInterpreterCreate(fuzz_main_function(module));
  bool ok =
      interpreter && xcInterpreterRun(interpreter, arguments, run->actual.data);
  xcInterpreterDestroy(interpreter);
  free(arguments);
  fuzz_verdict verdict = ok ? compare(run, stage) : FUZZ_PASS;
  fuzz_tensors_free(&run->actual);
  return verdict;
}

static fuzz_verdict check_stages(cpu_run *run, MlirModule module) {
  static const char *const stages[] = {
      "tir-canonicalize",
      "global-bufferize,convert-tir-to-mtir",
      "mtir-eliminate-copies",
  };
  fuzz_verdict verdict = FUZZ_OK;
  for (size_t i = 0; i < sizeof(stages) / sizeof(*stages) && verdict == FUZZ_OK;
       ++i)
    verdict = fuzz_run_passes(module, stages[i])
                  ? interpret(run, module, stages[i])
                  : FUZZ_PASS;
  return verdict;
}

fuzz_verdict fuzz_check_cpu(MlirModule module, const fuzz_setting *setting,
                            const fuzz_tensors *inputs,
                            const fuzz_tensors *expected, xc_text *why) {
  (void)setting;
  cpu_run run = {.inputs = inputs, .expected = expected, .why = why};
  MlirModule copy = fuzz_clone(module);
  fuzz_verdict verdict = check_stages(&run, copy);
  mlirModuleDestroy(copy);
  return verdict;
}
