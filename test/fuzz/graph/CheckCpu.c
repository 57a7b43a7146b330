//===- CheckCpu.c - passes and host code ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every stage on the way to host code is compared by itself, so that a finding
// says where it happened: the interpreter runs the simplified graph and its
// form on buffers, too. The arena is as small as the code says, and guarded.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "Random.h"

#include "Conversion/MtirToLinalg/Lowering.h"
#include "Support/Memory.h"
#include "xc-c/CPU.h"
#include "xc-c/Interpreter.h"

#include <stdlib.h>
#include <string.h>

typedef struct cpu_run {
  const fuzz_setting *setting;
  const fuzz_tensors *inputs, *expected;
  XcDiag diag;
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
    xc_text_printf(run->why, " after %s", stage);
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

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

static void note(void *user_data, XcSeverity severity, XcPlace place,
                 const char *message) {
  (void)severity;
  (void)place;
  cpu_run *run = user_data;
  xc_text_printf(run->why, "%s%s", run->why->length ? "; " : "", message);
}

bool fuzz_is_lowered(xc_op_kind kind) { return xc_lowering_find(kind); }

// An operator that has no lowering, or null.
static const xc_op_info *find_unsupported(MlirModule module) {
  MlirOperation op =
      mlirBlockGetFirstOperation(fuzz_body(fuzz_main_function(module)));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const xc_op_info *info = xc_op_info_of(op);
    if (info && info->rule != XC_RULE_CONST && !fuzz_is_lowered(info->kind))
      return info;
  }
  return NULL;
}

static fuzz_verdict call_entry(cpu_run *run, const XcCpuFunction *function,
                               XcCpuEntry entry, const void *params,
                               const char *stage) {
  enum { GUARD = 64, GUARD_BYTE = 0x5a };
  make_results(run);
  size_t arena_size = (size_t)function->arenaBytes;
  size_t room = (arena_size + 2 * GUARD - 1) / GUARD * GUARD;
  unsigned char *arena = aligned_alloc(XC_CPU_ALIGNMENT, room);
  // Neither zero at first nor larger than it says.
  memset(arena, GUARD_BYTE, room);
  int32_t status = entry((const void *const *)run->inputs->data,
                         run->actual.data, arena, params);
  bool is_inside = true;
  for (size_t i = arena_size; i < room; ++i)
    is_inside &= arena[i] == GUARD_BYTE;
  free(arena);
  fuzz_verdict verdict = compare(run, stage);
  if (status != XcCpuStatusOk || !is_inside) {
    xc_text_printf(run->why, "the code returned %d%s", (int)status,
                   is_inside ? "" : " and wrote beyond its arena");
    verdict = FUZZ_RUN;
  }
  fuzz_tensors_free(&run->actual);
  return verdict;
}

static fuzz_verdict run_object(cpu_run *run, const XcCpuCode *code,
                               const char *stage) {
  size_t size, params_size;
  const void *object = xcCpuCodeGetObject(code, &size);
  const void *params = xcCpuCodeGetParams(code, &params_size);
  const XcCpuFunction *function = xcCpuCodeFindFunction(code, "main");
  XcCpuProgram *program = xcCpuProgramCreate(&run->diag, object, size);
  XcCpuEntry entry =
      program && function
          ? xcCpuProgramGetEntry(&run->diag, program, function->symbol)
          : NULL;
  fuzz_verdict verdict =
      entry ? call_entry(run, function, entry, params, stage) : FUZZ_RUN;
  xcCpuProgramDestroy(program);
  return verdict;
}

// For this processor, or a plain one that every other includes.
static fuzz_verdict check_code(cpu_run *run, MlirModule module) {
  fuzz_counts *counts = run->setting->counts;
  const xc_op_info *unsupported = find_unsupported(module);
  if (unsupported) {
    ++counts->skipped;
    ++counts->unsupported[unsupported->kind];
    return FUZZ_OK;
  }
  fuzz_random random = {run->setting->seed};
  static const char *const processors[] = {"native", "native", "x86-64-v2",
                                           "x86-64"};
  XcCpuOptions options = {.cpu = processors[fuzz_range(&random, 0, 3)],
                          .threads = 1};
  xc_text stage = {0};
  xc_text_printf(&stage, "the code for %s", options.cpu);
  XcCpuCode *code = xcCpuCompile(&run->diag, module, &options);
  fuzz_verdict verdict =
      code ? run_object(run, code, xc_text_str(&stage)) : FUZZ_REFUSED;
  xcCpuCodeDestroy(code);
  xc_text_free(&stage);
  return verdict;
}

//===----------------------------------------------------------------------===//
// All stages
//===----------------------------------------------------------------------===//

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

/// A pass that keeps what a graph computes, and what comes after it.
typedef struct keeping_pass {
  const char *name, *then;
  bool has_target;
  bool adds_zeros; // to weights: only numbers times zero are zero
} keeping_pass;

static fuzz_verdict check_pass(cpu_run *run, MlirModule module,
                               const keeping_pass *pass) {
  static const char *const targets[] = {"DPUCZDX8G_ISA1_B4096",
                                        "DPUCZDX8G_ISA1_B512", "DPUCAHX8H_ISA2",
                                        "DPUCAHX8H_ISA2_DWC"};
  enum { NUM_TARGETS = sizeof targets / sizeof *targets };
  xc_text stage = {0};
  xc_text_puts(&stage, pass->name);
  if (pass->has_target)
    xc_text_printf(&stage, "{target=%s}",
                   targets[run->setting->seed % NUM_TARGETS]);
  xc_text_puts(&stage, pass->then);
  MlirModule copy = fuzz_clone(module);
  fuzz_verdict verdict = fuzz_run_passes(copy, xc_text_str(&stage))
                             ? interpret(run, copy, xc_text_str(&stage))
                             : FUZZ_PASS;
  mlirModuleDestroy(copy);
  xc_text_free(&stage);
  return verdict;
}

// Each takes the graph as it is: its operators may be in floating point, as
// before tir-quantize.
static fuzz_verdict check_passes(cpu_run *run, MlirModule module) {
  static const keeping_pass rows[] = {
      {"tir-legalize", ",tir-canonicalize", true, true},
      {"tir-sort-channels", "", true, false},
      {"tir-split-fix-points", "", false, false},
      {"tir-tabulate", "", false, false},
  };
  fuzz_verdict verdict = FUZZ_OK;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && verdict == FUZZ_OK; ++i)
    if (!rows[i].adds_zeros || !run->expected->has_no_number)
      verdict = check_pass(run, module, &rows[i]);
  return verdict;
}

fuzz_verdict fuzz_check_cpu(MlirModule module, const fuzz_setting *setting,
                            const fuzz_tensors *inputs,
                            const fuzz_tensors *expected, xc_text *why) {
  cpu_run run = {.setting = setting,
                 .inputs = inputs,
                 .expected = expected,
                 .diag = {note, &run, 0},
                 .why = why};
  MlirModule copy = fuzz_clone(module);
  fuzz_verdict verdict = check_stages(&run, copy);
  if (verdict == FUZZ_OK)
    verdict = check_passes(&run, module);
  if (verdict == FUZZ_OK)
    verdict = check_code(&run, module);
  mlirModuleDestroy(copy);
  return verdict;
}
