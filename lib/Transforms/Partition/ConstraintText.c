//===- ConstraintText.c - constraints in words ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constraints.h"

#include <inttypes.h>
#include <string.h>

// Whether the set of a resize is that of all integers, or of those that are not
// too large.
static bool is_integers(int fact, uint32_t set) {
  const uint32_t small = (1u << XC_LARGEST_SCALE) - (2u << XC_NO_INTEGER);
  return (fact == XC_FACT_SCALE_W || fact == XC_FACT_SCALE_H) &&
         (set & small) == small && !(set >> XC_NO_INTEGER & 1);
}

static void print_set(int fact, uint32_t set, xc_text *text) {
  const xc_fact_info *info = xc_fact_get_info((xc_fact)fact);
  bool first = true;
  if (is_integers(fact, set)) {
    xc_text_puts(text, "an integer");
    if (!(set >> XC_LARGEST_SCALE & 1))
      xc_text_printf(text, " up to %d", XC_LARGEST_SCALE - 1);
    return;
  }
  for (int64_t value = 0; value < 32 && value <= info->high; ++value) {
    if (!(set >> value & 1))
      continue;
    xc_text_printf(text, "%s%s", first ? "" : ", ", info->name(value));
    first = false;
  }
  if (first)
    xc_text_puts(text, "nothing");
}

void xc_fit_print_limit(const xc_constraint *row, const xc_bounds *bounds,
                        xc_text *text) {
  if (row->form == XC_CONSTRAINT_ONE_OF)
    print_set(row->change, bounds->set, text);
  else if (bounds->low == bounds->high)
    xc_text_printf(text, "%" PRId64, bounds->low);
  else if (bounds->high == XC_NO_LIMIT)
    xc_text_printf(text, "%" PRId64 " or more", bounds->low);
  else if (bounds->low == -XC_NO_LIMIT)
    xc_text_printf(text, "at most %" PRId64, bounds->high);
  else
    xc_text_printf(text, "%" PRId64 " to %" PRId64, bounds->low, bounds->high);
}

// Prints the value of a fact. A scale that is no integer is printed with its
// sizes.
static void print_actual(int fact, const xc_bounds *bounds,
                         const xc_facts *facts, xc_text *text) {
  bool is_width = fact == XC_FACT_SCALE_W;
  int64_t from = facts->value[is_width ? XC_FACT_INPUT_W : XC_FACT_INPUT_H];
  int64_t to = facts->value[is_width ? XC_FACT_RESULT_W : XC_FACT_RESULT_H];
  if ((!is_width && fact != XC_FACT_SCALE_H) || from == 0 ||
      bounds->actual != XC_NO_INTEGER) {
    xc_text_puts(text, xc_fact_get_info((xc_fact)fact)->name(bounds->actual));
    return;
  }
  xc_text_printf(text, "%.4g (%" PRId64 " to %" PRId64 ")",
                 (double)to / (double)from, from, to);
}

void xc_fit_print_reason(const xc_constraint *row, const xc_bounds *bounds,
                         const xc_facts *facts, xc_text *text) {
  switch (row->form) {
  case XC_CONSTRAINT_NEED:
    xc_text_puts(text, row->what);
    return;
  case XC_CONSTRAINT_RANGE:
    xc_text_printf(text, "%s is %" PRId64 ", expected ", row->what,
                   bounds->actual);
    break;
  case XC_CONSTRAINT_ONE_OF:
    xc_text_printf(text, "%s is ",
                   xc_fact_get_info((xc_fact)row->change)->text);
    print_actual(row->change, bounds, facts, text);
    xc_text_puts(text, ", expected ");
    if (bounds->set & (bounds->set - 1) &&
        !is_integers(row->change, bounds->set))
      xc_text_puts(text, "one of ");
    break;
  }
  xc_fit_print_limit(row, bounds, text);
}

void xc_fit_print_key(const xc_constraint *row, const xc_facts *facts,
                      const XcDpuTarget *target, xc_text *text) {
  static const char placeholder[] = "ENGINE";
  const char *rest = row->key;
  const char *found;
  while ((found = strstr(rest, placeholder))) {
    xc_text_append(text, rest, (size_t)(found - rest));
    xc_text_puts(text, xc_fit_engine_name(facts, target));
    rest = found + strlen(placeholder);
  }
  xc_text_puts(text, rest);
}

void xc_fit_print_change(const xc_change *change, xc_text *text) {
  if (change->fact == XC_CHANGE_KIND) {
    xc_text_printf(
        text, "%s -> %s",
        xc_op_info_get(XC_DIALECT_TIR, (xc_op_kind)change->from)->mnemonic,
        xc_op_info_get(XC_DIALECT_TIR, (xc_op_kind)change->to)->mnemonic);
    return;
  }
  const xc_fact_info *info = xc_fact_get_info((xc_fact)change->fact);
  if (info->name)
    xc_text_printf(text, "%s %s -> %s", info->text, info->name(change->from),
                   info->name(change->to));
  else
    xc_text_printf(text, "%s %" PRId64 " -> %" PRId64, info->text, change->from,
                   change->to);
}
