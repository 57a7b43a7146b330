//===- Pass.c - options and statistics of a pass --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pass.h"

#include "Support/Text.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The values that options of each kind take; numbers have an end.
typedef struct kind_row {
  const char *expected;
  int64_t low, high;
} kind_row;

static const kind_row kinds[] = {
    [XC_PASS_OPTION_BOOL] = {"true or false", 0, 0},
    [XC_PASS_OPTION_COUNT] = {"an integer", 0, INT32_MAX},
    [XC_PASS_OPTION_POSITIVE] = {"an integer", 1, INT32_MAX},
    [XC_PASS_OPTION_THREADS] = {"an integer", 1, XC_MAX_THREADS},
    [XC_PASS_OPTION_STRING] = {"a value", 0, 0},
};

static bool is_int(xc_pass_option_kind kind) { return kinds[kind].high > 0; }

static size_t option_index(const xc_pass_run *run, const char *name) {
  size_t i = 0;
  while (i < run->info->num_options &&
         strcmp(run->info->options[i].name, name) != 0)
    ++i;
  assert(i < run->info->num_options && "the pass has this option");
  return i;
}

static const char *option_value(const xc_pass_run *run, const char *name,
                                xc_pass_option_kind *kind) {
  size_t i = option_index(run, name);
  *kind = run->info->options[i].kind;
  return run->values[i] ? run->values[i] : run->info->options[i].default_value;
}

bool xc_pass_bool(const xc_pass_run *run, const char *option) {
  xc_pass_option_kind kind;
  const char *value = option_value(run, option, &kind);
  assert(kind == XC_PASS_OPTION_BOOL && "an option has one kind");
  return strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
}

int64_t xc_pass_int(const xc_pass_run *run, const char *option) {
  xc_pass_option_kind kind;
  const char *value = option_value(run, option, &kind);
  assert(is_int(kind) && "an option has one kind");
  return strtoll(value, NULL, 10);
}

const char *xc_pass_string(const xc_pass_run *run, const char *option) {
  xc_pass_option_kind kind;
  const char *value = option_value(run, option, &kind);
  assert(kind == XC_PASS_OPTION_STRING && "an option has one kind");
  return value;
}

void xc_pass_count(xc_pass_run *run, const char *statistic, int64_t amount) {
  size_t i = 0;
  while (i < run->info->num_statistics &&
         strcmp(run->info->statistics[i].name, statistic) != 0)
    ++i;
  assert(i < run->info->num_statistics && "the pass has this statistic");
  run->statistics[i] += amount;
}

static bool is_integer(const char *value, const kind_row *kind) {
  char *end = NULL;
  errno = 0;
  int64_t number = strtoll(value, &end, 10);
  return errno == 0 && end != value && *end == '\0' && number >= kind->low &&
         number <= kind->high;
}

static bool accepts(const xc_pass_option *option, const char *value) {
  if (option->kind == XC_PASS_OPTION_BOOL)
    return !strcmp(value, "true") || !strcmp(value, "false") ||
           !strcmp(value, "1") || !strcmp(value, "0");
  return !is_int(option->kind) || is_integer(value, &kinds[option->kind]);
}

bool xc_pass_check_option(const xc_pass_option *option, const char *value,
                          xc_text *why) {
  const kind_row *kind = &kinds[option->kind];
  if (value && accepts(option, value))
    return true;
  xc_text_printf(why, "option '%s' needs %s", option->name, kind->expected);
  if (is_int(option->kind))
    xc_text_printf(why, " from %" PRId64 " to %" PRId64, kind->low, kind->high);
  return false;
}
