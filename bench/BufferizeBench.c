//===- BufferizeBench.c - time of the bufferization passes per operator ---===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each module file: median processor time of parsing, of global-bufferize
// and convert-tir-to-mtir, and of printing, over 20 runs in this process.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "IRReader/IRReader.h"
#include "Pipeline/Pipeline.h"
#include "Support/File.h"
#include "Support/Math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 20 };

typedef struct times {
  double parse, passes, print;
} times;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void count_bytes(MlirStringRef piece, void *user_data) {
  *(size_t *)user_data += piece.length;
}

static MlirWalkResult count_operation(MlirOperation operation,
                                      void *user_data) {
  (void)operation;
  ++*(size_t *)user_data;
  return MlirWalkResultAdvance;
}

static bool run_pass(const char *name, MlirOperation module) {
  xc_pass_run run = {.info = xc_pass_find(name, strlen(name)), .root = module};
  return run.info->run(&run);
}

static bool run_once(MlirContext context, const xc_buffer *text, times *t,
                     size_t *operations) {
  double start = now();
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate((const char *)text->data, text->size));
  if (mlirModuleIsNull(module))
    return false;
  double parsed = now();
  MlirOperation root = mlirModuleGetOperation(module);
  *operations = 0;
  mlirOperationWalk(root, count_operation, operations, MlirWalkPreOrder);
  double passes_start = now();
  bool ok = run_pass("global-bufferize", root) &&
            run_pass("convert-tir-to-mtir", root);
  double done = now();
  size_t bytes = 0;
  mlirOperationPrint(root, count_bytes, &bytes);
  *t = (times){parsed - start, done - passes_start, now() - done};
  mlirModuleDestroy(module);
  return ok;
}

static double median(double values[RUNS]) {
  qsort(values, RUNS, sizeof(*values), xc_compare_doubles);
  return (values[RUNS / 2 - 1] + values[RUNS / 2]) / 2;
}

static bool bench_file(const char *path) {
  XcDiag diag = {0};
  xc_buffer text;
  if (!xc_read_file(&diag, path, &text))
    return false;
  MlirContext context = xc_context_create(false);
  double parse[RUNS], passes[RUNS], print[RUNS];
  size_t operations = 0;
  times t;
  bool ok = run_once(context, &text, &t, &operations); // warms up
  for (int i = 0; i < RUNS && ok; ++i) {
    ok = run_once(context, &text, &t, &operations);
    parse[i] = t.parse;
    passes[i] = t.passes;
    print[i] = t.print;
  }
  if (ok) {
    double count = (double)operations;
    double p = median(parse), b = median(passes), w = median(print);
    printf("%9zu  %8.2f  %8.2f  %8.2f  %6.2f\n", operations, 1e6 * p / count,
           1e6 * b / count, 1e6 * w / count, b / (p + w));
  }
  mlirContextDestroy(context);
  xc_buffer_free(&text);
  return ok;
}

int main(int argc, char **argv) {
  printf("           microseconds per operator        passes /\n"
         "operators     parse    passes     print    (parse + print)\n");
  for (int i = 1; i < argc; ++i)
    if (!bench_file(argv[i]))
      return EXIT_FAILURE;
  return EXIT_SUCCESS;
}
