//===- Limits.c - operators at the limits of a target ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The partitioner's own table says where the limits are: each row is one, and
// names the fact that decides. The fact gets the value at which the row just
// holds, one less, or the first at which it does not.
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include "Transforms/Partition/Constraints.h"

#include <string.h>

// Beyond it operators become too large to be run.
enum { MAX_DISTANCE = 4200 };

static bool holds_at(const fuzz_gen *gen, const xc_constraint *row,
                     xc_facts facts, int64_t value) {
  facts.value[row->change] = value;
  xc_bounds bounds = row->measure(&facts, gen->setting->target);
  return xc_bounds_hold(row, &bounds);
}

// The first value in a direction at which the row no longer holds.
static bool find_limit(const fuzz_gen *gen, const xc_constraint *row,
                       const xc_facts *facts, int64_t sign, int64_t *beyond) {
  const xc_fact_info *info = xc_fact_get_info((xc_fact)row->change);
  int64_t value = facts->value[row->change];
  if (!holds_at(gen, row, *facts, value))
    return false;
  for (int i = 0; i < MAX_DISTANCE; ++i) {
    value += sign;
    if (value < info->low || value > info->high)
      return false;
    if (!holds_at(gen, row, *facts, value)) {
      *beyond = value;
      return true;
    }
  }
  return false;
}

void fuzz_want_limit(fuzz_gen *gen, const xc_facts *facts) {
  size_t count;
  const xc_constraint *rows = xc_constraint_table(&count);
  for (int i = 0; i < 16; ++i) {
    const xc_constraint *row =
        &rows[fuzz_range(&gen->random, 0, (int64_t)count - 1)];
    int64_t sign = fuzz_chance(&gen->random, 75) ? 1 : -1, beyond;
    if (row->form == XC_CONSTRAINT_ONE_OF || row->change < 0 ||
        !(row->classes >> facts->class_ & 1) ||
        !find_limit(gen, row, facts, sign, &beyond))
      continue;
    int64_t value = beyond - sign * FUZZ_PICK(&gen->random, 0, 1, 1, 2);
    const xc_fact_info *info = xc_fact_get_info((xc_fact)row->change);
    if (value >= info->low && value <= info->high)
      gen->wanted[row->change] = value;
    return;
  }
}
