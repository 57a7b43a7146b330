//===- ProgressTest.c - what the handler of a compilation is told ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ProgressTest MODEL DIRECTORY compiles a model in floating point and prints
// each phase as it begins, and below it each kind of work with its last count.
//
//===----------------------------------------------------------------------===//

#include "Support/Diag.h"
#include "xc-c/Driver.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shown {
  const char *work;
  size_t done, total;
} shown;

static void print_work(const shown *last) {
  if (last->work && last->total > 0)
    printf("  %s, %zu of %zu\n", last->work, last->done, last->total);
  else if (last->work)
    printf("  %s, %zu\n", last->work, last->done);
}

static void follow(void *user_data, const XcCompileProgress *progress) {
  shown *last = user_data;
  const shown now = {progress->work, progress->done, progress->total};
  bool is_same = now.work && last->work && strcmp(now.work, last->work) == 0;
  assert(progress->number >= 1 && progress->number <= progress->numPhases);
  assert(now.total == 0 || now.done <= now.total);
  if (!is_same)
    print_work(last);
  if (!now.work)
    printf("%zu of %zu: %s\n", progress->number, progress->numPhases,
           progress->phase);
  *last = now;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return EXIT_FAILURE;
  XcDiag diag = {0};
  shown last = {0};
  XcCompileOptions options = {.model = argv[1],
                              .target = "DPUCZDX8G_ISA1_B512",
                              .directory = argv[2],
                              .name = "net",
                              .calibration = "random",
                              .progress = follow,
                              .progressData = &last};
  bool ok = xcCompile(&diag, &options);
  print_work(&last);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
