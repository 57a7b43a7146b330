//===- Greedy.c - the default scheduling strategy -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finish.h"
#include "OrderSearch.h"
#include "Residency.h"
#include "Transfers.h"
#include "UnitForms.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Residency and cascades
//===----------------------------------------------------------------------===//

/// A way to decide residency and cascades.
typedef struct way_row {
  XcDpuEffort effort; // from which on it is tried
  size_t idle_units;  // that words have been free for
  xc_cascade_limits cascades;
} way_row;

/// Words that have been free for some units let engines overlap; words that
/// have just become free leave larger gaps elsewhere. A cascade has one row in
/// reports, so one that gains less than a fortieth is not formed unless more
/// effort is asked for.
static const way_row ways[] = {
    {XcDpuEffortDefault, 0, {.patience = 4, .min_gain_divisor = 40}},
    {XcDpuEffortDefault, 8, {.patience = 4, .min_gain_divisor = 40}},
    {XcDpuEffortMore, 0, {.patience = 8, .min_gain_divisor = 400}},
    {XcDpuEffortMore, 8, {.patience = 8, .min_gain_divisor = 400}},
    {XcDpuEffortMost, 2, {.patience = 8, .min_gain_divisor = 400}},
    {XcDpuEffortMost, 32, {.patience = 8, .min_gain_divisor = 400}},
    {XcDpuEffortMost, 0, {.patience = 12, .min_gain_divisor = 20}},
    {XcDpuEffortMost, 8, {.patience = 12, .min_gain_divisor = 20}},
};

/// Returns the schedule of the layers that a way makes: buffers are held, and
/// what does not fit passes through cascades.
static xc_schedule schedule_in_way(const xc_schedule *layers, xc_search *search,
                                   xc_schedule_way chosen) {
  const way_row *way = &ways[chosen.number];
  xc_schedule schedule = xc_schedule_in_ddr(layers, search);
  schedule.way = chosen;
  xc_units *units = &schedule.units;
  const XcDpuTarget *target = schedule.target;
  xc_residency residency = {.schedule = &schedule,
                            .search = search,
                            .target = target,
                            .units = units,
                            .idle_units = way->idle_units,
                            .limits = way->cascades,
                            .may_release = chosen.releases,
                            .only_grows = chosen.only_grows};
  xc_tensor_buffers_collect(&residency.buffers, target, units);
  xc_bank_memory_begin(&residency.memory, target->image.depth, units->count);
  residency.apart = xc_alloc_array(units->count, sizeof(int64_t));
  xc_hold_buffers(&residency);
  if (search->effort > XcDpuEffortNone && units->count <= XC_MAX_SEARCHED_UNITS)
    xc_form_cascades(&residency);
  xc_tensor_buffers_free(&residency.buffers);
  xc_bank_memory_end(&residency.memory);
  free(residency.apart);
  return schedule;
}

/// Schedules the units in the fastest way, or in the only one that is wanted.
static xc_schedule schedule_units(const xc_schedule *layers,
                                  xc_search *search) {
  if (search->only_way)
    return schedule_in_way(layers, search, *search->only_way);
  xc_schedule_way way = {.releases = search->may_release};
  xc_schedule best = schedule_in_way(layers, search, way);
  while (++way.number < sizeof ways / sizeof *ways) {
    XcDpuEffort effort = ways[way.number].effort;
    if (!xc_search_goes_on(search, effort))
      continue;
    xc_schedule other = schedule_in_way(layers, search, way);
    best = effort > XcDpuEffortDefault
               ? xc_search_clearly_faster(search, &best, &other)
               : xc_search_faster(search, &best, &other);
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Alternatives
//===----------------------------------------------------------------------===//

/// Schedules the units in another form as well. They keep it if it is faster
/// than `best`, or if it is forced.
static void try_form(xc_search *search, xc_unit_form form, bool is_forced,
                     xc_schedule *layers, xc_schedule *best) {
  if (!xc_search_goes_on(search, XcDpuEffortDefault))
    return;
  xc_schedule formed = xc_schedule_in_ddr(layers, search);
  if (form(layers->target, &formed.units)) {
    xc_schedule other = schedule_units(&formed, search);
    int64_t cycles = xc_search_cycles(search, &other);
    bool is_taken = cycles < xc_search_cycles(search, best) ||
                    (is_forced && cycles < XC_CANNOT_ENCODE);
    search->num_kept += is_taken;
    xc_schedule_free(is_taken ? best : &other);
    if (is_taken) {
      *best = other;
      xc_schedule before = *layers;
      *layers = formed;
      formed = before;
    }
  }
  xc_schedule_free(&formed);
}

/// Schedules and finishes the units. Replaces `best`, which has been finished
/// as `now`, by the result if that is faster. Returns how `best` was finished.
static xc_finished try_finished(xc_search *search, const xc_schedule *layers,
                                xc_finished now, xc_schedule *best) {
  xc_schedule other = schedule_units(layers, search);
  xc_finished found = now;
  // The same schedule would be finished in the same way.
  if (xc_is_same_schedule(&other, &now.key))
    search->num_priced += now.num_priced;
  else
    found = xc_finish_schedule(search, &other);
  bool is_faster = found.cycles < now.cycles;
  search->num_kept += is_faster;
  xc_schedule_free(is_faster ? best : &other);
  if (is_faster)
    *best = other;
  return is_faster ? found : now;
}

/// Does the same for the units in another form, if they have it.
static xc_finished try_finished_form(xc_search *search, xc_unit_form form,
                                     const xc_schedule *layers, xc_finished now,
                                     xc_schedule *best) {
  xc_schedule formed = xc_schedule_in_ddr(layers, search);
  if (form(layers->target, &formed.units))
    now = try_finished(search, &formed, now, best);
  xc_schedule_free(&formed);
  return now;
}

/// Tries alternatives that only finished schedules can judge: longer cascades
/// leave less room for parameters that come early, and other LOADs of rows
/// bring these sooner.
static xc_finished try_others(xc_search *search, const xc_schedule *layers,
                              xc_finished now, xc_schedule *best) {
  int64_t before = now.cycles;
  if (!search->only_way) {
    search->may_release = true;
    now = try_finished(search, layers, now, best);
    search->may_release = now.cycles < before;
  }
  now = try_finished_form(search, xc_form_plain_input, layers, now, best);
  search->may_release = false;
  return try_finished_form(search, xc_form_spread_rows, layers, now, best);
}

/// Finishes the best schedule of the layers, or that of another form of them if
/// it is faster. The layers keep that form.
static xc_finished complete(xc_search *search, xc_schedule *layers,
                            xc_schedule *best) {
  xc_finished now = {.cycles = 0};
  try_form(search, search->forces_forms ? xc_form_flat : xc_form_flat_lists,
           search->forces_forms, layers, best);
  if (search->forces_forms)
    try_form(search, xc_form_all_plain_inputs, true, layers, best);
  try_form(search, xc_form_short_rows, false, layers, best);
  try_form(search, xc_form_signals, false, layers, best);
  try_form(search, xc_form_blocks, false, layers, best);
  // Strips take less time of the engine, but images that are cut into them come
  // from DDR and go there.
  try_form(search, xc_form_strips, false, layers, best);
  if (search->effort > XcDpuEffortNone) {
    now = xc_finish_schedule(search, best);
    if (xc_search_goes_on(search, XcDpuEffortDefault))
      now = try_others(search, layers, now, best);
  }
  return now;
}

//===----------------------------------------------------------------------===//
// The strategy
//===----------------------------------------------------------------------===//

/// Layers and their schedule.
enum { LAYERS, BEST, PAIR };

/// Takes one of two pairs, and frees the other one.
static void take_pair(bool takes_other, xc_schedule pair[PAIR],
                      xc_schedule other[PAIR]) {
  for (int i = 0; i < PAIR; ++i) {
    xc_schedule_free(takes_other ? &pair[i] : &other[i]);
    if (takes_other)
      pair[i] = other[i];
  }
}

/// Returns how many bytes the units move between DDR and the banks.
static int64_t moved_bytes(const xc_schedule *schedule) {
  int64_t bytes = 0;
  for (size_t i = 0; i < schedule->units.count; ++i)
    bytes += xc_unit_bytes(&schedule->units.items[i]);
  return bytes;
}

/// Completes a schedule, and the one with chains in tiles. Takes the faster
/// one. Finishing a schedule mostly hides transfers: tiles that are clearly
/// faster before that, and move fewer bytes, stay so, and the other schedule is
/// not completed.
static xc_finished complete_faster(xc_search *search, bool is_forced,
                                   xc_schedule whole[PAIR],
                                   xc_schedule tiled[PAIR]) {
  enum { PART = 300 };
  int64_t cycles = xc_search_cycles(search, &whole[BEST]);
  if (xc_search_cycles(search, &tiled[BEST]) < cycles - cycles / PART &&
      moved_bytes(&tiled[BEST]) < moved_bytes(&whole[BEST])) {
    take_pair(true, whole, tiled);
    return complete(search, &whole[LAYERS], &whole[BEST]);
  }
  xc_finished now = complete(search, &whole[LAYERS], &whole[BEST]);
  xc_finished other = complete(search, &tiled[LAYERS], &tiled[BEST]);
  bool takes_tiles = other.cycles < now.cycles || is_forced;
  take_pair(takes_tiles, whole, tiled);
  return takes_tiles ? other : now;
}

/// Schedules layers in the order in which they are. Sets the cycles. An
/// xc_order_strategy.
static xc_schedule schedule_in_order(xc_schedule *layers, xc_search *search,
                                     int64_t *cycles) {
  xc_find_whole_inputs(&layers->units);
  xc_share_weights(layers);
  xc_schedule whole[PAIR], tiled[PAIR];
  xc_engine_result engines = xc_choose_engines(layers, search, schedule_units);
  xc_part_channels(search, schedule_units, &engines.divided, &engines.schedule);
  bool has_tiles = layers->units.count <= XC_MAX_SEARCHED_UNITS &&
                   xc_tile_columns(search, schedule_units, layers, &engines,
                                   &tiled[LAYERS], &tiled[BEST]);
  free(engines.splits);
  free(engines.ends);
  whole[LAYERS] = engines.divided;
  whole[BEST] = engines.schedule;
  bool is_forced = layers->engines == XcDpuEngineChoiceInTiles;
  xc_finished now = has_tiles ? complete_faster(search, is_forced, whole, tiled)
                              : complete(search, &whole[LAYERS], &whole[BEST]);
  if (search->effort > XcDpuEffortNone) {
    now.cycles = xc_finish_residency(search, &whole[BEST], now.cycles);
    now.cycles = xc_improve_transfers(&whole[BEST], search->estimator,
                                      now.cycles, search->effort);
  }
  xc_schedule_free(&whole[LAYERS]);
  *cycles = now.cycles;
  return whole[BEST];
}

/// Returns the cycles of layers that are scheduled in their way.
static int64_t price_layers(const xc_schedule *layers, xc_search *search) {
  xc_schedule found = schedule_in_way(layers, search, layers->way);
  int64_t cycles = xc_search_cycles(search, &found);
  xc_schedule_free(&found);
  return cycles;
}

/// Schedules the layers in the fastest order, and balances the engines.
static xc_schedule schedule_balanced(const xc_schedule *layers,
                                     xc_search *search) {
  xc_schedule best =
      xc_schedule_in_orders(layers, search, schedule_in_order, price_layers);
  if (search->effort > XcDpuEffortNone && layers->num_choices > 0 &&
      layers->engines == XcDpuEngineChoiceFastest) {
    int64_t cycles =
        xc_balance_engines(layers, &best, search->estimator, search->effort);
    xc_improve_transfers(&best, search->estimator, cycles, search->effort);
  }
  return best;
}

xc_schedule xc_schedule_greedy(const xc_schedule *layers, xc_search *search) {
  search->forces_forms = layers->engines == XcDpuEngineChoiceInStrips;
  xc_schedule best = schedule_balanced(layers, search), recomputed;
  if (layers->engines == XcDpuEngineChoiceFastest &&
      xc_search_goes_on(search, XcDpuEffortDefault) &&
      xc_recompute(layers, &recomputed)) {
    xc_schedule other = schedule_balanced(&recomputed, search);
    best = xc_search_faster(search, &best, &other);
    xc_schedule_free(&recomputed);
  }
  return best;
}
