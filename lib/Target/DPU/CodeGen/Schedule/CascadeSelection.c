//===- CascadeSelection.c - which units form cascades ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the cascades that are faster than their units apart, by the static
// estimate, those are formed that gain most.
//
//===----------------------------------------------------------------------===//

#include "Cascades.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// A plan that is slower by this part cannot gain anything.
enum { HOPELESS = 10 };

//===----------------------------------------------------------------------===//
// Gains
//===----------------------------------------------------------------------===//

/// Returns the cycles that the cascade gains over its units apart, by the
/// static estimate from unit `before` on. They are measured at the end of the
/// unit after it, whose weights may have to wait.
static int64_t gain_of(const xc_cascade *cascade, size_t before) {
  const xc_residency *residency = cascade->residency;
  size_t first = cascade->first, after = cascade->last + 1;
  if (after == residency->units->count)
    --after;
  int64_t ends[2 * XC_CASCADE_UNITS + 1];
  xc_cascade_unit(cascade, first)->cascade_last = cascade->last;
  xc_search_price(residency->search, residency->schedule, before, after, ends);
  xc_cascade_unit(cascade, first)->cascade_last = 0;
  int64_t together = ends[after - before];
  int64_t apart = residency->apart[after];
  if (first > 0) {
    together -= ends[first - 1 - before];
    apart -= residency->apart[first - 1];
  }
  int64_t gain = apart - together;
  // No product: one of what XC_CANNOT_ENCODE gives would overflow.
  return gain > 0 && gain > apart / residency->limits.min_gain_divisor ? gain
                                                                       : 0;
}

/// Whether the next unit is of the same layer, whose units all read what comes
/// before.
static bool is_divided(const xc_residency *residency, size_t u) {
  const xc_units *units = residency->units;
  return u + 1 < units->count &&
         units->items[u].number == units->items[u + 1].number;
}

/// Units that share weights run chunk by chunk of these.
static bool can_cascade(const xc_unit *unit) {
  return unit->kind->can_cascade && unit->chunk_groups == 0;
}

/// Finds the gains of cascades that begin at a unit, by their last unit; 0 for
/// those that are impossible or not worth it. `before` is the first unit of
/// what comes before. Returns the length of the first cascade that is
/// impossible. Two branches, for example, are none without the unit that joins
/// them. Longer ones are tried only if `goes_on`.
static size_t find_gains(xc_residency *residency, size_t before, size_t first,
                         bool goes_on, int64_t gains[XC_CASCADE_UNITS]) {
  int64_t apart = xc_unit_cycles(&residency->units->items[first]), most = 0;
  int patience = residency->limits.patience;
  size_t possible = XC_CASCADE_UNITS;
  xc_cascade cascade = {.residency = residency,
                        .first = first,
                        .last = first,
                        .reservations_before = residency->memory.count};
  cascade.before[0] = *xc_cascade_unit(&cascade, first);
  for (size_t u = first + 1; u < residency->units->count &&
                             u < first + XC_CASCADE_UNITS && patience > 0;
       ++u) {
    if (!can_cascade(xc_cascade_unit(&cascade, u)))
      break;
    xc_dissolve_cascade(&cascade);
    cascade.last = u;
    cascade.before[u - first] = *xc_cascade_unit(&cascade, u);
    apart += xc_unit_cycles(xc_cascade_unit(&cascade, u));
    if (is_divided(residency, u))
      continue;
    int64_t together = xc_plan_cascade(&cascade);
    if (together == XC_INFEASIBLE) {
      possible = possible < u - first ? possible : u - first;
      if (!goes_on)
        break;
      --patience;
      continue;
    }
    if (together - apart <= apart / HOPELESS)
      gains[u - first] = gain_of(&cascade, before);
    patience =
        gains[u - first] > most ? residency->limits.patience : patience - 1;
    most = gains[u - first] > most ? gains[u - first] : most;
  }
  xc_dissolve_cascade(&cascade);
  return possible;
}

/// Makes a cascade of units that can be one.
static void form_cascade(xc_residency *residency, size_t first, size_t last) {
  xc_cascade cascade = {.residency = residency,
                        .first = first,
                        .last = last,
                        .reservations_before = residency->memory.count};
  memcpy(cascade.before, xc_cascade_unit(&cascade, first),
         xc_cascade_size(&cascade) * sizeof *cascade.before);
  int64_t cycles = xc_plan_cascade(&cascade);
  assert(cycles != XC_INFEASIBLE && "other cascades have other units");
  (void)cycles;
  xc_cascade_unit(&cascade, first)->cascade_last = last;
  ++residency->search->num_kept;
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

/// Chooses the cascades that gain most together: the last unit of the one that
/// begins at each unit, or the unit itself.
static void choose_cascades(int64_t (*gains)[XC_CASCADE_UNITS], size_t count,
                            size_t *lasts) {
  int64_t *sums = xc_alloc_array(count + 1, sizeof *sums);
  for (size_t first = count; first-- > 0;) {
    sums[first] = sums[first + 1];
    lasts[first] = first;
    for (size_t k = 1; k < XC_CASCADE_UNITS && first + k < count; ++k) {
      int64_t sum = gains[first][k] + sums[first + k + 1];
      if (gains[first][k] == 0 || sum <= sums[first])
        continue;
      sums[first] = sum;
      lasts[first] = first + k;
    }
  }
  free(sums);
}

static int64_t last_end(const xc_residency *residency) {
  return xc_search_cycles(residency->search, residency->schedule);
}

/// From the first unit on, takes the cascades that gain most by themselves.
/// `goes_on` as in find_gains.
static void form_in_order(xc_residency *residency, bool goes_on) {
  size_t before = 0;
  for (size_t u = 0; u < residency->units->count; ++u) {
    int64_t gains[XC_CASCADE_UNITS] = {0};
    size_t best = 0;
    if (can_cascade(&residency->units->items[u]))
      find_gains(residency, before, u, goes_on, gains);
    for (size_t k = 1; k < XC_CASCADE_UNITS; ++k)
      if (gains[k] > gains[best])
        best = k;
    if (best > 0)
      form_cascade(residency, u, u + best);
    before = u;
    u += best;
  }
}

static void form_chosen(xc_residency *residency,
                        int64_t (*gains)[XC_CASCADE_UNITS]) {
  size_t count = residency->units->count;
  size_t *lasts = xc_alloc_array(count, sizeof *lasts);
  choose_cascades(gains, count, lasts);
  for (size_t u = 0; u < count; u = lasts[u] + 1)
    if (lasts[u] > u)
      form_cascade(residency, u, lasts[u]);
  free(lasts);
}

/// Gains do not quite add up, so several selections are compared as a whole.
typedef struct selection {
  xc_residency *residency;
  xc_unit *apart, *best; // units without cascades, and the best ones so far
  size_t reservations;
  int64_t cycles;
} selection;

/// Compares the cascades that have been formed with the best ones, and
/// dissolves them.
static void compare(selection *s) {
  xc_residency *residency = s->residency;
  size_t count = residency->units->count;
  int64_t cycles = last_end(residency);
  if (cycles < s->cycles) {
    s->cycles = cycles;
    memcpy(s->best, residency->units->items, count * sizeof *s->best);
  }
  memcpy(residency->units->items, s->apart, count * sizeof *s->apart);
  xc_bank_memory_release(&residency->memory, s->reservations);
  xc_hold_again(residency, 0, count - 1);
}

/// Takes the cascades that gain most together, of those that can grow unit by
/// unit and of all.
static void form_together(selection *s) {
  xc_residency *residency = s->residency;
  size_t count = residency->units->count;
  int64_t (*gains)[XC_CASCADE_UNITS] = xc_alloc_array(count, sizeof *gains);
  size_t *possible = xc_alloc_array(count, sizeof *possible);
  bool is_any = false;
  for (size_t u = 0; u < count; ++u)
    if (can_cascade(&residency->units->items[u]))
      possible[u] = find_gains(residency, u > 0 ? u - 1 : u, u,
                               !residency->only_grows, gains[u]);
  form_chosen(residency, gains);
  compare(s);
  for (size_t u = 0; u < count; ++u)
    for (size_t k = possible[u]; k < XC_CASCADE_UNITS; ++k) {
      is_any |= gains[u][k] > 0;
      gains[u][k] = 0;
    }
  if (is_any) {
    form_chosen(residency, gains);
    compare(s);
    form_in_order(residency, true);
    compare(s);
  }
  free(gains);
  free(possible);
}

void xc_form_cascades(xc_residency *residency) {
  size_t count = residency->units->count, size = count * sizeof(xc_unit);
  if (count == 0)
    return;
  xc_unit *units = residency->units->items;
  selection s = {.residency = residency,
                 .apart = xc_alloc_array(count, sizeof *s.apart),
                 .best = xc_alloc_array(count, sizeof *s.best),
                 .reservations = residency->memory.count,
                 .cycles = INT64_MAX};
  memcpy(s.apart, units, size);
  memcpy(s.best, units, size);
  xc_search_price(residency->search, residency->schedule, 0, count - 1,
                  residency->apart);
  form_in_order(residency, false);
  compare(&s);
  form_together(&s);
  memcpy(units, s.best, size);
  free(s.apart);
  free(s.best);
}
