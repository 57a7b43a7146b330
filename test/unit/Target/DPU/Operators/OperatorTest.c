//===- OperatorTest.c - runs the rows of a table of operators -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DPUOperatorTest [--quick] TABLE [NAME...]: all rows, or those whose name
// begins with a NAME, whose modules are printed when they fail. --quick runs
// each row for one of its targets, which are taken in turn.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L // getline

#include "OperatorTest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table_run {
  const operator_row *row;
  xc_text module;
  bool is_chosen; // by a name
  bool is_quick;
  size_t rows, target; // of the row
  size_t cases, failures;
} table_run;

static void run_case(void *user_data, const char *target) {
  table_run *run = user_data;
  size_t number = run->target++;
  if (run->is_quick && number != run->rows % operator_row_num_targets(run->row))
    return;
  ++run->cases;
  fflush(stdout);
  if (operator_case_run(xc_text_str(&run->module), target,
                        run->row->expected)) {
    if (run->is_chosen)
      printf("%s: %s: as expected\n", run->row->name, target);
    return;
  }
  ++run->failures;
  printf("FAILED %s on %s\n", run->row->name, target);
  if (run->is_chosen)
    printf("%s", xc_text_str(&run->module));
}

static bool is_wanted(const char *name, char **names, int count) {
  for (int i = 0; i < count; ++i)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return count == 0;
}

static void run_line(table_run *run, char *line, char **names, int count) {
  operator_row row;
  if (!operator_row_parse(line, &row) || !is_wanted(row.name, names, count))
    return;
  run->row = &row;
  run->is_chosen = count > 0;
  run->module = (xc_text){0};
  operator_row_print(&row, &run->module);
  run->target = 0;
  operator_row_each_target(&row, run_case, run);
  ++run->rows;
  xc_text_free(&run->module);
}

int main(int argc, char **argv) {
  table_run run = {.is_quick = argc > 1 && strcmp(argv[1], "--quick") == 0};
  argc -= run.is_quick;
  argv += run.is_quick;
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!file) {
    fprintf(stderr, "usage: DPUOperatorTest [--quick] TABLE [NAME...]\n");
    return 1;
  }
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, file) >= 0)
    run_line(&run, line, argv + 2, argc - 2);
  free(line);
  fclose(file);
  printf("%zu of %zu cases are as expected\n", run.cases - run.failures,
         run.cases);
  return run.failures != 0 || run.cases == 0;
}
