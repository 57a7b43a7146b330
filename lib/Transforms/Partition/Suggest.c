//===- Suggest.c - what to change for an operator to fit ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constraints.h"

void xc_fit_apply(xc_facts *facts, const xc_change *change) {
  if (change->fact == XC_CHANGE_KIND)
    xc_facts_replace(facts);
  else
    facts->value[change->fact] = change->to;
}

// The arguments of a fact and of a row while values are tried.
typedef struct trial {
  xc_facts facts;
  const XcDpuTarget *target;
  const xc_constraint *row;
} trial;

static bool holds_at(trial *t, int64_t value) {
  t->facts.value[t->row->change] = value;
  xc_bounds bounds = t->row->measure(&t->facts, t->target);
  return xc_bounds_hold(t->row, &bounds);
}

// Smallest distance from `from` in one direction at which the row holds, or
// -1. Measures are monotone in the fact that their row changes, so doubling
// the distance and halving the gap finds it.
static int64_t nearest_distance(trial *t, int64_t from, int64_t sign,
                                int64_t room) {
  int64_t low = 0, high = 1;
  while (high < room && !holds_at(t, from + sign * high)) {
    low = high;
    high *= 2;
  }
  if (high > room)
    high = room;
  if (high <= low || !holds_at(t, from + sign * high))
    return -1;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (holds_at(t, from + sign * middle))
      high = middle;
    else
      low = middle;
  }
  return high;
}

static bool nearest_number(const xc_facts *facts, const XcDpuTarget *target,
                           const xc_constraint *row, xc_change *change) {
  const xc_fact_info *info = xc_fact_get_info((xc_fact)row->change);
  int64_t from = facts->value[row->change];
  trial t = {*facts, target, row};
  // A measure that counts one to one: the distance is known, in one of the two
  // directions, and found even where equality is asked for.
  xc_bounds bounds = row->measure(facts, target);
  int64_t distance = bounds.actual < bounds.low ? bounds.low - bounds.actual
                                                : bounds.actual - bounds.high;
  for (int64_t sign = -1; sign <= 1; sign += 2) {
    int64_t to = from + sign * distance;
    if (to < info->low || to > info->high || !holds_at(&t, to) ||
        holds_at(&t, to - sign))
      continue;
    *change = (xc_change){row->change, from, to};
    return true;
  }
  int64_t down = nearest_distance(&t, from, -1, from - info->low);
  int64_t up = nearest_distance(&t, from, 1, info->high - from);
  if (down < 0 && up < 0)
    return false;
  bool go_down = down >= 0 && (up < 0 || down <= up);
  *change = (xc_change){row->change, from, go_down ? from - down : from + up};
  return true;
}

// Activations that do less, in the order of likeness; other sets have no order
// and give their first member.
static bool nearest_member(const xc_facts *facts, const XcDpuTarget *target,
                           const xc_constraint *row, xc_change *change) {
  static const XcActivation weaker[] = {
      [XcActivationNone] = XcActivationNone,
      [XcActivationRelu] = XcActivationNone,
      [XcActivationPrelu] = XcActivationLeakyRelu,
      [XcActivationLeakyRelu] = XcActivationRelu,
      [XcActivationRelu6] = XcActivationRelu,
      [XcActivationHSigmoid] = XcActivationRelu6,
      [XcActivationHSwish] = XcActivationRelu6,
  };
  int64_t from = facts->value[row->change], to = from;
  trial t = {*facts, target, row};
  if (row->change == XC_FACT_ACTIVATION)
    while (to != XcActivationNone && !holds_at(&t, to))
      to = weaker[to];
  else
    for (to = 0; to < 32 && !holds_at(&t, to);)
      ++to;
  if (to > xc_fact_get_info((xc_fact)row->change)->high || !holds_at(&t, to))
    return false;
  *change = (xc_change){row->change, from, to};
  return true;
}

bool xc_fit_nearest(const xc_facts *facts, const XcDpuTarget *target,
                    const xc_constraint *row, xc_change *change) {
  if (row->change == XC_CHANGE_NOTHING)
    return false;
  if (row->change == XC_CHANGE_KIND) {
    *change = (xc_change){XC_CHANGE_KIND, facts->kind, facts->replacement};
    return facts->has_replacement;
  }
  return row->form == XC_CONSTRAINT_ONE_OF
             ? nearest_member(facts, target, row, change)
             : nearest_number(facts, target, row, change);
}

size_t xc_fit_suggest(const xc_facts *facts, const XcDpuTarget *target,
                      xc_change changes[XC_MAX_CHANGES]) {
  xc_facts changed = *facts;
  for (size_t count = 0;; ++count) {
    xc_bounds bounds;
    const xc_constraint *row = xc_fit_check(&changed, target, &bounds);
    if (!row)
      return count;
    if (count == XC_MAX_CHANGES ||
        !xc_fit_nearest(&changed, target, row, &changes[count]))
      return 0;
    xc_fit_apply(&changed, &changes[count]);
  }
}
