//===- CpuDiff.c - compiled code against the interpreter ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xc-test-cpu FILE.mlir [--mcpu=NAME] [--threads=N] [--time]
//             [--random-constants]
//
// Compiles every function for the levels of x86-64 that this machine has (or
// for --mcpu), runs it on seeded random inputs and compares: integers bit for
// bit, floats within 1e-5 of the largest magnitude of the output. Prints a line
// per function and processor, and fails when something differs.
//
//===----------------------------------------------------------------------===//

#include "IR/IR.h"
#include "IRReader/IRReader.h"
#include "Support/File.h"
#include "Support/Time.h"
#include "dialects/Build.h"
#include "xc-c/CPU.h"
#include "xc-c/Dialects.h"
#include "xc-c/Interpreter.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PORTS = 8, MAX_CASES = 256, ALIGNMENT = 64, REPEATS = 200 };

typedef struct options {
  const char *file, *cpus;
  unsigned threads;
  bool time, random_constants;
} options;

typedef struct port {
  void *data;
  size_t size;
  bool real;
} port;

typedef struct function_case {
  MlirOperation operation;
  const char *name;
  port inputs[MAX_PORTS], expected[MAX_PORTS];
  size_t num_inputs, num_outputs;
} function_case;

static const char *const usual[] = {"x86-64",    "x86-64-v2", "x86-64-v3",
                                    "alderlake", "x86-64-v4", "native"};

#if defined(__x86_64__)
// What code for alderlake can use beyond x86-64-v3. Servers have it as well;
// not all compilers know its name.
static bool has_avx_vnni(void) {
  unsigned a, b, c, d;
  const unsigned avx_vnni = 1u << 4;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & avx_vnni) &&
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("gfni");
}
#endif

// Whether code for a processor runs here. Builtins want constants.
static bool can_run(const char *cpu) {
#if defined(__x86_64__)
  if (strcmp(cpu, "alderlake") == 0)
    return has_avx_vnni();
  if (strcmp(cpu, "x86-64-v2") == 0)
    return __builtin_cpu_supports("sse4.2");
  if (strcmp(cpu, "x86-64-v3") == 0)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (strcmp(cpu, "x86-64-v4") == 0)
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
  return true;
#else
  return strcmp(cpu, "native") == 0;
#endif
}

static void *allocate(size_t size) {
  void *data = aligned_alloc(ALIGNMENT, (size / ALIGNMENT + 1) * ALIGNMENT);
  if (!data)
    abort();
  return data;
}

static uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static void fill(port *p, uint64_t *state) {
  for (size_t i = 0; i < p->size; ++i)
    ((uint8_t *)p->data)[i] = (uint8_t)next_random(state);
  for (size_t i = 0; p->real && i < p->size / 4; ++i)
    ((float *)p->data)[i] = (float)next_random(state) * 0x1p-30f - 1;
}

static bool is_real(MlirType shaped) {
  return mlirTypeIsAF32(mlirShapedTypeGetElementType(shaped));
}

static bool prepare(function_case *c) {
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetAttributeByName(
      c->operation, mlirStringRefCreateFromCString("function_type")));
  XcInterpreter *reference = xcInterpreterCreate(c->operation);
  if (!reference)
    return false;
  c->num_inputs = xcInterpreterGetNumArguments(reference);
  c->num_outputs = xcInterpreterGetNumResults(reference);
  if (c->num_inputs > MAX_PORTS || c->num_outputs > MAX_PORTS)
    abort();
  uint64_t seed = 1;
  void *arguments[MAX_PORTS], *results[MAX_PORTS];
  for (size_t i = 0; i < c->num_inputs; ++i) {
    port *p = &c->inputs[i];
    p->size = xcInterpreterGetArgumentSize(reference, i);
    p->real = is_real(mlirFunctionTypeGetInput(type, (intptr_t)i));
    arguments[i] = p->data = allocate(p->size);
    fill(p, &seed);
  }
  for (size_t i = 0; i < c->num_outputs; ++i) {
    port *p = &c->expected[i];
    p->size = xcInterpreterGetResultSize(reference, i);
    p->real = is_real(mlirFunctionTypeGetResult(type, (intptr_t)i));
    results[i] = p->data = allocate(p->size);
  }
  bool ok = xcInterpreterRun(reference, arguments, results);
  xcInterpreterDestroy(reference);
  return ok;
}

// The first element that differs, or -1.
static long first_difference(const port *expected, const void *data) {
  if (!expected->real) {
    const uint8_t *a = expected->data, *b = data;
    for (size_t i = 0; i < expected->size; ++i)
      if (a[i] != b[i])
        return (long)i;
    return -1;
  }
  const float *a = expected->data, *b = data;
  float largest = 0;
  for (size_t i = 0; i < expected->size / 4; ++i)
    largest = fmaxf(largest, fabsf(a[i]));
  for (size_t i = 0; i < expected->size / 4; ++i)
    if (!(fabsf(a[i] - b[i]) <= 1e-5f * largest))
      return (long)i;
  return -1;
}

static bool compare(const function_case *c, const XcCpuFunction *function,
                    XcCpuEntry entry, const void *params, const char *cpu,
                    bool time) {
  const void *inputs[MAX_PORTS];
  void *outputs[MAX_PORTS];
  for (size_t i = 0; i < c->num_inputs; ++i)
    inputs[i] = c->inputs[i].data;
  for (size_t i = 0; i < c->num_outputs; ++i) {
    outputs[i] = allocate(c->expected[i].size);
    memset(outputs[i], 0xa5, c->expected[i].size);
  }
  void *arena = allocate((size_t)function->arenaBytes);
  memset(arena, 0x5a, (size_t)function->arenaBytes);
  bool ok = entry(inputs, outputs, arena, params) == 0;
  for (size_t i = 0; i < c->num_outputs && ok; ++i) {
    long at = first_difference(&c->expected[i], outputs[i]);
    if (at >= 0)
      printf("%s: %s: output %zu differs at element %ld\n", c->name, cpu, i,
             at);
    ok = at < 0;
  }
  double best = 1e9;
  for (int i = 0; time && i < REPEATS; ++i) {
    double start = xc_seconds();
    entry(inputs, outputs, arena, params);
    best = fmin(best, xc_seconds() - start);
  }
  if (ok && time)
    printf("%s: %s: same, %.1f us\n", c->name, cpu, best * 1e6);
  else if (ok)
    printf("%s: %s: same\n", c->name, cpu);
  for (size_t i = 0; i < c->num_outputs; ++i)
    free(outputs[i]);
  free(arena);
  return ok;
}

static bool run_cpu(XcDiag *diag, MlirModule module, function_case *cases,
                    size_t count, const char *cpu, const options *o) {
  const XcCpuOptions settings = {.cpu = cpu, .threads = o->threads};
  bool time = o->time;
  double start = xc_seconds();
  XcCpuCode *code = xcCpuCompile(diag, module, &settings);
  if (!code)
    return false;
  if (time)
    printf("%s: compiled in %.2f s\n", cpu, xc_seconds() - start);
  size_t size, params_size;
  const void *object = xcCpuCodeGetObject(code, &size);
  const void *params = xcCpuCodeGetParams(code, &params_size);
  XcCpuProgram *program = xcCpuProgramCreate(diag, object, size);
  bool ok = program != NULL;
  for (size_t i = 0; i < count && program; ++i) {
    const XcCpuFunction *function = xcCpuCodeFindFunction(code, cases[i].name);
    XcCpuEntry entry =
        function ? xcCpuProgramGetEntry(diag, program, function->symbol) : NULL;
    ok = entry && compare(&cases[i], function, entry, params, cpu, time) && ok;
  }
  if (program)
    xcCpuProgramDestroy(program);
  xcCpuCodeDestroy(code);
  return ok;
}

static size_t find_functions(MlirModule module, function_case *cases,
                             size_t capacity) {
  size_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute name = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_name"));
    if (mlirAttributeIsNull(name) || count == capacity)
      continue;
    // Names of symbols are terminated in MLIR's storage.
    cases[count++] = (function_case){.operation = op,
                                     .name = mlirStringAttrGetValue(name).data};
  }
  return count;
}

// Constants are written as splats; here they get numbers.
static MlirWalkResult fill_constant(MlirOperation operation, void *user_data) {
  uint64_t *state = user_data;
  xc_shape shape;
  if (!xc_op_is(operation, "tir.const"))
    return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  xc_shape_of_type(type, &shape);
  int64_t count = xc_shape_num_elements(&shape);
  port p = {.size = (size_t)count * xc_element_size(shape.element),
            .real = shape.element == XC_ELEMENT_F32};
  p.data = allocate(p.size);
  fill(&p, state);
  const int32_t largest_bias = 10000;
  for (int64_t i = 0; shape.element == XC_ELEMENT_I32 && i < count; ++i)
    ((int32_t *)p.data)[i] =
        (int32_t)(next_random(state) % (2 * (uint32_t)largest_bias)) -
        largest_bias;
  mlirOperationSetAttributeByName(
      operation, xc_ref("value"),
      xc_dense_attribute(mlirOperationGetContext(operation), p.data, &shape));
  free(p.data);
  return MlirWalkResultAdvance;
}

static options read_options(int argc, char **argv) {
  options o = {.threads = 1};
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "--mcpu=", 7) == 0)
      o.cpus = argv[i] + 7;
    else if (strncmp(argv[i], "--threads=", 10) == 0)
      o.threads = (unsigned)atoi(argv[i] + 10);
    else if (strcmp(argv[i], "--time") == 0)
      o.time = true;
    else if (strcmp(argv[i], "--random-constants") == 0)
      o.random_constants = true;
    else
      o.file = argv[i];
  }
  return o;
}

static bool run_all(XcDiag *diag, MlirModule module, const options *o) {
  static function_case cases[MAX_CASES];
  uint64_t seed = 7;
  if (o->random_constants)
    mlirOperationWalk(mlirModuleGetOperation(module), fill_constant, &seed,
                      MlirWalkPreOrder);
  size_t count = find_functions(module, cases, MAX_CASES);
  bool ok = true;
  for (size_t i = 0; i < count; ++i)
    ok &= prepare(&cases[i]);
  if (!ok)
    return false;
  if (o->cpus)
    return run_cpu(diag, module, cases, count, o->cpus, o);
  for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); ++i)
    if (can_run(usual[i]))
      ok &= run_cpu(diag, module, cases, count, usual[i], o);
  return ok;
}

int main(int argc, char **argv) {
  const options o = read_options(argc, argv);
  XcDiag diag = {0};
  xc_buffer text;
  if (!o.file || !xc_read_file(&diag, o.file, &text))
    return EXIT_FAILURE;
  MlirContext context = xc_context_create(false);
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate((const char *)text.data, text.size));
  bool ok =
      !mlirModuleIsNull(module) &&
      mlirLogicalResultIsSuccess(xcVerify(mlirModuleGetOperation(module))) &&
      run_all(&diag, module, &o);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  xc_buffer_free(&text);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
