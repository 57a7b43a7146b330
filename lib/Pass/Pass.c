//===- Pass.c - options and statistics of a pass --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pass.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t option_index(const xc_pass_run *run, const char *name,
                           xc_pass_option_kind kind) {
  size_t i = 0;
  while (i < run->info->num_options &&
         strcmp(run->info->options[i].name, name) != 0)
    ++i;
  assert(i < run->info->num_options && "the pass has this option");
  assert(run->info->options[i].kind == kind && "an option has one kind");
  (void)kind;
  return i;
}

static const char *option_value(const xc_pass_run *run, const char *name,
                                xc_pass_option_kind kind) {
  size_t i = option_index(run, name, kind);
  return run->values[i] ? run->values[i] : run->info->options[i].default_value;
}

bool xc_pass_bool(const xc_pass_run *run, const char *option) {
  const char *value = option_value(run, option, XC_PASS_OPTION_BOOL);
  return strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
}

int64_t xc_pass_int(const xc_pass_run *run, const char *option) {
  return strtoll(option_value(run, option, XC_PASS_OPTION_INT), NULL, 10);
}

const char *xc_pass_string(const xc_pass_run *run, const char *option) {
  return option_value(run, option, XC_PASS_OPTION_STRING);
}

void xc_pass_count(xc_pass_run *run, const char *statistic, int64_t amount) {
  size_t i = 0;
  while (i < run->info->num_statistics &&
         strcmp(run->info->statistics[i].name, statistic) != 0)
    ++i;
  assert(i < run->info->num_statistics && "the pass has this statistic");
  run->statistics[i] += amount;
}

static bool is_integer(const char *value) {
  char *end = NULL;
  errno = 0;
  (void)strtoll(value, &end, 10);
  return errno == 0 && end != value && *end == '\0';
}

bool xc_pass_option_accepts(const xc_pass_option *option, const char *value) {
  switch (option->kind) {
  case XC_PASS_OPTION_BOOL:
    return !strcmp(value, "true") || !strcmp(value, "false") ||
           !strcmp(value, "1") || !strcmp(value, "0");
  case XC_PASS_OPTION_INT:
    return is_integer(value);
  case XC_PASS_OPTION_STRING:
    return true;
  }
  return false;
}
