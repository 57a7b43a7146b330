//===- Reference.c - the constraint table as a page -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constraints.h"
#include "Support/Memory.h"
#include "xc-c/Partition.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Limits of a class of operators
//===----------------------------------------------------------------------===//

static bool first_of_class(xc_fit_class class_, xc_op_kind *kind) {
  size_t count;
  const xc_op_info *rows = xc_op_table(&count);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].dialect == XC_DIALECT_TIR &&
        xc_fit_class_of(rows[i].kind) == class_) {
      *kind = rows[i].kind;
      return true;
    }
  return false;
}

// Returns the operator that limits are printed for: a window of 3x3 on a large
// image.
static xc_facts sample(xc_op_kind kind) {
  xc_facts facts;
  xc_facts_init(&facts, kind);
  facts.value[XC_FACT_KERNEL_W] = facts.value[XC_FACT_KERNEL_H] = 3;
  facts.value[XC_FACT_INPUT_W] = facts.value[XC_FACT_INPUT_H] = 600;
  return facts;
}

static bool same_limit(const xc_bounds *a, const xc_bounds *b) {
  return a->low == b->low && a->high == b->high && a->set == b->set;
}

// Appends ", by kernel width" for each fact that the limit depends on.
static void print_dependence(const xc_constraint *row, const xc_facts *facts,
                             const XcDpuTarget *target, xc_text *text) {
  xc_bounds limit = row->measure(facts, target);
  bool first = true;
  for (int i = 0; i < XC_NUM_FACTS; ++i) {
    xc_facts changed = *facts;
    if (++changed.value[i] > xc_fact_get_info((xc_fact)i)->high)
      changed.value[i] -= 2;
    xc_bounds other = row->measure(&changed, target);
    if (same_limit(&limit, &other))
      continue;
    xc_text_printf(text, "%s%s", first ? "; depends on " : ", ",
                   xc_fact_get_info((xc_fact)i)->text);
    first = false;
  }
}

// Whether the row that asks for an engine holds.
static bool has_engine(const xc_facts *facts, const XcDpuTarget *target) {
  size_t count;
  const xc_constraint *rows = xc_constraint_table(&count);
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(rows[i].id, "engine") != 0)
      continue;
    xc_bounds bounds = rows[i].measure(facts, target);
    return !(rows[i].classes >> facts->class_ & 1) ||
           xc_bounds_hold(&rows[i], &bounds);
  }
  return true;
}

static void print_limit(const xc_constraint *row, xc_fit_class class_,
                        const XcDpuTarget *target, xc_text *text) {
  xc_op_kind kind;
  if (!first_of_class(class_, &kind))
    return;
  xc_facts facts = sample(kind);
  if (!has_engine(&facts, target)) {
    xc_text_puts(text, "no engine");
    return;
  }
  if (row->form == XC_CONSTRAINT_NEED) {
    xc_text_puts(text, "yes");
    return;
  }
  xc_bounds bounds = row->measure(&facts, target);
  if (row->form == XC_CONSTRAINT_RANGE && bounds.low <= 1 &&
      bounds.high == XC_NO_LIMIT) {
    xc_text_puts(text, "any");
    return;
  }
  xc_fit_print_limit(row, &bounds, text);
  print_dependence(row, &facts, target, text);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

// Prints the limits of a class on every target, as the last cells of a line.
static void print_limits(const xc_constraint *row, xc_fit_class class_,
                         const XcDpuTarget *const *targets, size_t num_targets,
                         xc_text *text) {
  for (size_t i = 0; i < num_targets; ++i) {
    xc_text_puts(text, " ");
    print_limit(row, class_, targets[i], text);
    xc_text_puts(text, " |");
  }
}

static void print_change(const xc_constraint *row, xc_text *text) {
  if (row->change == XC_CHANGE_KIND)
    xc_text_puts(text, "another operator");
  else if (row->change == XC_CHANGE_NOTHING)
    xc_text_puts(text, "none");
  else
    xc_text_printf(text, "%s%s", xc_fact_get_info((xc_fact)row->change)->text,
                   xc_fact_get_info((xc_fact)row->change)->choice ==
                           XC_FACT_CHOICE_USER
                       ? ""
                       : " (by the network; not suggested)");
}

static void print_head(const xc_constraint *row, xc_text *text) {
  const char *what = row->what;
  const char *looks = row->looks;
  if (row->form == XC_CONSTRAINT_ONE_OF) {
    const xc_fact_info *info = xc_fact_get_info((xc_fact)row->change);
    what = info->text;
    looks = info->where;
  }
  xc_text_printf(text, "\n## %s\n\n%s%s. Looks at %s. ", row->id,
                 row->form == XC_CONSTRAINT_NEED ? "Fails when " : "Limits ",
                 what, looks);
  if (row->key)
    xc_text_printf(text, "Keys: %s. ", row->key);
  xc_text_puts(text, "Change: ");
  print_change(row, text);
  xc_text_puts(text, ".\n\n");
}

// Classes with the same limits share a line.
static void print_row(const xc_constraint *row,
                      const XcDpuTarget *const *targets, size_t num_targets,
                      xc_text *text) {
  print_head(row, text);
  bool is_limit = row->form != XC_CONSTRAINT_NEED || row->key;
  xc_text_puts(text, "| operators |");
  for (size_t i = 0; i < num_targets && is_limit; ++i)
    xc_text_printf(text, " %s |", targets[i]->name);
  xc_text_puts(text, "\n|---|");
  for (size_t i = 0; i < num_targets && is_limit; ++i)
    xc_text_puts(text, "---|");
  uint32_t left = row->classes;
  for (unsigned class_ = 0; class_ < XC_FIT_NUM_CLASSES; ++class_) {
    if (!(left >> class_ & 1))
      continue;
    xc_text cells = {0};
    xc_text_puts(text, "\n|");
    if (is_limit)
      print_limits(row, (xc_fit_class)class_, targets, num_targets, &cells);
    for (unsigned other = class_; other < XC_FIT_NUM_CLASSES; ++other) {
      if (!(left >> other & 1))
        continue;
      xc_text same = {0};
      if (is_limit)
        print_limits(row, (xc_fit_class)other, targets, num_targets, &same);
      if (strcmp(xc_text_str(&same), xc_text_str(&cells)) == 0) {
        xc_text_printf(text, "%s %s", other == class_ ? "" : ",",
                       xc_fit_class_text((xc_fit_class)other));
        left &= ~(UINT32_C(1) << other);
      }
      xc_text_free(&same);
    }
    xc_text_printf(text, " |%s", xc_text_str(&cells));
    xc_text_free(&cells);
  }
  xc_text_puts(text, "\n");
}

static void print_classes(xc_text *text) {
  xc_text_puts(text, "| operators | tir | in their place |\n|---|---|---|\n");
  size_t count;
  const xc_op_info *rows = xc_op_table(&count);
  for (unsigned class_ = XC_FIT_UNKNOWN + 1; class_ < XC_FIT_NUM_CLASSES;
       ++class_)
    for (size_t i = 0; i < count; ++i) {
      if (rows[i].dialect != XC_DIALECT_TIR ||
          xc_fit_class_of(rows[i].kind) != (xc_fit_class)class_)
        continue;
      xc_facts facts;
      xc_facts_init(&facts, rows[i].kind);
      xc_text_printf(text, "| %s | `%s` | ",
                     xc_fit_class_text((xc_fit_class)class_), rows[i].mnemonic);
      if (facts.has_replacement)
        xc_text_printf(
            text, "`%s` ",
            xc_op_info_get(XC_DIALECT_TIR, facts.replacement)->mnemonic);
      xc_text_puts(text, "|\n");
    }
}

char *xcConstraintsToMarkdown(const XcDpuTarget *const *targets,
                              size_t num_targets) {
  xc_text text = {0};
  xc_text_puts(
      &text,
      "# Constraints\n\n"
      "<!-- Generated by xcc --print-constraints; do not edit. -->\n\n"
      "An operator runs on the DPU when it keeps every constraint that applies "
      "to it.\nThe first one it breaks, in this order, is the reason it is "
      "given the CPU.\n`ENGINE` in a key is `conv`, `alu`, `pool` or "
      "`depthwise`: the engine that\ncomputes the operator. Limits that depend "
      "on other attributes are those of a\n3x3 kernel; \"no engine\" says that "
      "the target cannot run such operators at all.\nA change is suggested "
      "where the operator fits with it and whoever makes the\nmodel can choose "
      "it, not where the network says it.\n");
  size_t count;
  const xc_constraint *rows = xc_constraint_table(&count);
  for (size_t i = 0; i < count; ++i)
    print_row(&rows[i], targets, num_targets, &text);
  xc_text_puts(&text, "\n## Operators\n\n");
  print_classes(&text);
  return text.data;
}
