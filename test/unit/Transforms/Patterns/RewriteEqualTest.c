//===- RewriteEqualTest.c - a pass keeps what functions compute -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   RewriteEqualTest FILE PASS [exact] [option=value]...
//
// Runs every function of a file before and after a pass through the reference
// interpreter on the same seeded numbers. Integers must agree bit for bit,
// floats to 1e-5 of the largest result, or bit for bit with `exact`. A second
// run of the pass must change nothing; the first must have changed something.
//
//===----------------------------------------------------------------------===//

#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "dialects/Adaptor.h"
#include "dialects/Verify.h"
#include "xc-c/Dialects.h"
#include "xc-c/Interpreter.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Func.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const xc_pass_info xc_pass_tir_canonicalize;
extern const xc_pass_info xc_pass_tir_legalize;

static const xc_pass_info *const passes[] = {&xc_pass_tir_canonicalize,
                                             &xc_pass_tir_legalize};

static bool fail(const char *what, const char *which) {
  fprintf(stderr, "%s: %s\n", which, what);
  return false;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static uint64_t next_random(uint64_t *state) {
  *state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = *state;
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static void fill(const xc_shape *shape, void *data, uint64_t *state) {
  size_t count = (size_t)xc_shape_num_elements(shape);
  size_t each = xc_element_size(shape->element);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = next_random(state);
    float real = (float)((double)(bits >> 11) * 0x1p-53 * 16.0 - 8.0);
    double wide = (double)real;
    int64_t small = (int64_t)(bits % 7) - 3;
    char *at = (char *)data + i * each;
    if (shape->element == XC_ELEMENT_F32)
      memcpy(at, &real, each);
    else if (shape->element == XC_ELEMENT_F64)
      memcpy(at, &wide, each);
    else if (shape->element == XC_ELEMENT_I1)
      *at = bits & 1;
    else if (each == 1)
      memcpy(at, &bits, each);
    else
      memcpy(at, &small, each);
  }
}

static double real_at(const xc_shape *shape, const void *data, size_t i) {
  return shape->element == XC_ELEMENT_F32 ? (double)((const float *)data)[i]
                                          : ((const double *)data)[i];
}

static bool agree(const xc_shape *shape, const void *a, const void *b,
                  bool exact, const char *name) {
  const double tolerance = 1e-5;
  size_t count = (size_t)xc_shape_num_elements(shape);
  bool real =
      shape->element == XC_ELEMENT_F32 || shape->element == XC_ELEMENT_F64;
  if (memcmp(a, b, count * xc_element_size(shape->element)) == 0)
    return true;
  double largest = 1;
  for (size_t i = 0; real && i < count; ++i)
    largest = fmax(largest, fabs(real_at(shape, a, i)));
  for (size_t i = 0; i < count; ++i) {
    if (real) {
      double x = real_at(shape, a, i), y = real_at(shape, b, i);
      // -0 and 0 are one number.
      if (x == y || (!exact && fabs(x - y) <= tolerance * largest))
        continue;
      fprintf(stderr, "%s: element %zu is %.9g, expected %.9g\n", name, i, y,
              x);
      return false;
    }
    size_t each = xc_element_size(shape->element);
    if (memcmp((const char *)a + i * each, (const char *)b + i * each, each)) {
      fprintf(stderr, "%s: element %zu differs\n", name, i);
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void **allocate(MlirType function, bool inputs, size_t *count) {
  *count = (size_t)(inputs ? mlirFunctionTypeGetNumInputs(function)
                           : mlirFunctionTypeGetNumResults(function));
  void **data = xc_alloc_array(*count + 1, sizeof(void *));
  for (size_t i = 0; i < *count; ++i) {
    xc_shape shape = {0};
    xc_shape_of_type(inputs ? mlirFunctionTypeGetInput(function, (intptr_t)i)
                            : mlirFunctionTypeGetResult(function, (intptr_t)i),
                     &shape);
    data[i] = xc_alloc((size_t)xc_shape_num_elements(&shape) *
                           xc_element_size(shape.element) +
                       1);
  }
  return data;
}

static void release(void **data, size_t count) {
  for (size_t i = 0; i < count; ++i)
    free(data[i]);
  free(data);
}

static MlirType type_of(MlirOperation function) {
  return mlirTypeAttrGetValue(mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("function_type")));
}

static const char *name_of(MlirOperation function) {
  return mlirStringAttrGetValue(
             mlirOperationGetAttributeByName(
                 function, mlirStringRefCreateFromCString("sym_name")))
      .data;
}

static bool run_one(MlirOperation function, void **inputs, void **results) {
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  bool ok = interpreter && xcInterpreterRun(interpreter, inputs, results);
  xcInterpreterDestroy(interpreter);
  return ok;
}

static bool compare(MlirOperation before, MlirOperation after, bool exact) {
  enum { ROUNDS = 3 };
  MlirType type = type_of(before);
  size_t num_inputs, num_results;
  void **inputs = allocate(type, true, &num_inputs);
  void **old = allocate(type, false, &num_results);
  void **new = allocate(type, false, &num_results);
  uint64_t state = 1;
  bool ok = true;
  for (int round = 0; ok && round < ROUNDS; ++round) {
    for (size_t i = 0; i < num_inputs; ++i) {
      xc_shape shape;
      xc_shape_of_type(mlirFunctionTypeGetInput(type, (intptr_t)i), &shape);
      fill(&shape, inputs[i], &state);
    }
    ok = run_one(before, inputs, old) && run_one(after, inputs, new);
    for (size_t i = 0; ok && i < num_results; ++i) {
      xc_shape shape;
      xc_shape_of_type(mlirFunctionTypeGetResult(type, (intptr_t)i), &shape);
      ok = agree(&shape, old[i], new[i], exact, name_of(before));
    }
  }
  release(inputs, num_inputs);
  release(old, num_results);
  release(new, num_results);
  return ok;
}

static MlirOperation first_in(MlirOperation module) {
  return mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
}

static bool compare_all(MlirOperation before, MlirOperation after, bool exact) {
  size_t count = 0;
  bool ok = true;
  MlirOperation a = first_in(before), b = first_in(after);
  for (; !mlirOperationIsNull(a); a = mlirOperationGetNextInBlock(a)) {
    ok &= compare(a, b, exact);
    b = mlirOperationGetNextInBlock(b);
    ++count;
  }
  if (ok)
    printf("%zu functions agree\n", count);
  return ok && count > 0;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void append(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

// Whether the pass succeeds, and whether it changes the printed form.
static bool run_pass(xc_pass_run run, MlirOperation module, bool *changed) {
  xc_text before = {0}, after = {0};
  run.root = module;
  mlirOperationPrint(module, append, &before);
  bool ok = run.info->run(&run) && xc_verify_nested(module) &&
            mlirOperationVerify(module);
  mlirOperationPrint(module, append, &after);
  *changed = strcmp(xc_text_str(&before), xc_text_str(&after)) != 0;
  xc_text_free(&before);
  xc_text_free(&after);
  return ok;
}

static bool set_option(xc_pass_run *run, const char *argument) {
  for (size_t i = 0; i < run->info->num_options; ++i) {
    const char *name = run->info->options[i].name;
    size_t length = strlen(name);
    if (strncmp(name, argument, length) == 0 && argument[length] == '=') {
      run->values[i] = argument + length + 1;
      return true;
    }
  }
  return fail("is no option of the pass", argument);
}

static bool check(MlirOperation module, const xc_pass_run *run, bool exact,
                  const char *file) {
  bool changed, again;
  MlirOperation rewritten = mlirOperationClone(module);
  bool ok = run_pass(*run, rewritten, &changed) &&
            (changed || fail("the pass changes nothing", file)) &&
            compare_all(module, rewritten, exact) &&
            run_pass(*run, rewritten, &again) &&
            (!again || fail("a second run changes something", file));
  mlirOperationDestroy(rewritten);
  return ok;
}

static MlirModule read_module(MlirContext context, const char *path) {
  FILE *stream = fopen(path, "rb");
  xc_text text = {0};
  char piece[4096];
  size_t size;
  while (stream && (size = fread(piece, 1, sizeof(piece), stream)) > 0)
    xc_text_append(&text, piece, size);
  if (stream)
    fclose(stream);
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(xc_text_str(&text), text.length));
  xc_text_free(&text);
  return module;
}

int main(int argc, char **argv) {
  xc_pass_run run = {.info = NULL};
  bool exact = false, ok = argc >= 3;
  for (size_t i = 0; ok && i < sizeof(passes) / sizeof(*passes); ++i)
    if (strcmp(passes[i]->argument, argv[2]) == 0)
      run.info = passes[i];
  ok = ok && run.info;
  for (int i = 3; ok && i < argc; ++i) {
    bool word = strcmp(argv[i], "exact") == 0;
    exact |= word;
    ok = word || set_option(&run, argv[i]);
  }
  if (!ok)
    return fail("wrong arguments", argv[0]), 2;
  MlirContext context = mlirContextCreate();
  MlirDialectHandle func = mlirGetDialectHandle__func__();
  mlirDialectHandleLoadDialect(func, context);
  ok = mlirLogicalResultIsSuccess(xcRegisterDialects(context));
  MlirModule module = read_module(context, argv[1]);
  ok = ok && !mlirModuleIsNull(module) &&
       xc_verify_nested(mlirModuleGetOperation(module)) &&
       check(mlirModuleGetOperation(module), &run, exact, argv[1]);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ok ? 0 : 1;
}
