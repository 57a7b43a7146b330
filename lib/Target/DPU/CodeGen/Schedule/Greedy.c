//===- Greedy.c - the default scheduling strategy -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderSearch.h"
#include "Residency.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"
#include "Target/DPU/CodeGen/Plan/Reshape.h"

#include <stdlib.h>

/// How residency and cascades are decided.
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

/// A function that gives a layer other rows; false if it keeps its own.
typedef bool (*layer_reshape)(const XcDpuTarget *target, XcDpuLayer *layer);

/// Whether any unit has other rows now.
static bool reshape_units(const XcDpuTarget *target, xc_units *units,
                          layer_reshape reshape) {
  bool has_reshaped = false;
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit now = units->items[u];
    if (!reshape(target, &now.layer) || !xc_plan_unit(target, &now))
      continue;
    units->items[u] = now;
    has_reshaped = true;
  }
  return has_reshaped;
}

/// Gives units whose rows the banks do not hold shorter ones.
static bool reshape_long_rows(const XcDpuTarget *target, xc_units *units) {
  return reshape_units(target, units, xc_reshape_long_rows);
}

/// Gives units of signals rows for all lanes.
static bool reshape_signals(const XcDpuTarget *target, xc_units *units) {
  return reshape_units(target, units, xc_reshape_signal);
}

/// Gives units of signals whose windows do not overlap as many rows as are
/// fastest, even if these leave lanes idle.
static bool reshape_blocks(const XcDpuTarget *target, xc_units *units) {
  bool has_reshaped = false;
  for (size_t u = 0; u < units->count; ++u)
    has_reshaped |= xc_reshape_blocks(target, &units->items[u]);
  return has_reshaped;
}

/// Gives elementwise units fuller pixels where that makes them more than
/// `times` times as fast. Whether there are any.
static bool flatten_to(const XcDpuTarget *target, xc_units *units,
                       int32_t times) {
  bool has_flattened = false;
  for (size_t u = 0; u < units->count; ++u)
    has_flattened |= xc_flatten_unit(target, &units->items[u], times);
  return has_flattened;
}

/// A unit that gains less by itself may gain more by being held with the units
/// around it.
static bool flatten_lists(const XcDpuTarget *target, xc_units *units) {
  return flatten_to(target, units, 2);
}

static bool flatten_all(const XcDpuTarget *target, xc_units *units) {
  return flatten_to(target, units, 1);
}

/// Lets units compute their last rows in strips. Whether there are any that did
/// not before.
static bool allow_strips(const XcDpuTarget *target, xc_units *units) {
  bool has_more = false;
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit now = units->items[u];
    bool had_strips = now.plan.tiles.strips.rows > 0;
    now.layout.allows_strips = true;
    if (!now.kind->has_window || !xc_plan_unit(target, &now))
      continue;
    units->items[u] = now;
    has_more |= now.plan.tiles.strips.rows > 0 && !had_strips;
  }
  return has_more;
}

/// Lets units load their input as it is in DDR, not with kernel columns as
/// channels. This loads fewer bytes, but the engine computes more. All units of
/// a layer do as the first one. Whether there are any.
static bool leave_augmented(const XcDpuTarget *target, xc_units *units,
                            bool if_faster) {
  bool has_left = false, leaves = false;
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit *unit = &units->items[u], other = *unit;
    if (unit->plan.augmentation.channels == 0)
      continue;
    other.columns = 0;
    bool is_planned = xc_plan_unit(target, &other);
    if (u == 0 || unit->number != units->items[u - 1].number)
      leaves = is_planned &&
               (!if_faster || xc_unit_cycles(&other) < xc_unit_cycles(unit));
    if (leaves && is_planned)
      *unit = other;
    has_left |= leaves && is_planned;
  }
  return has_left;
}

static bool load_as_it_is(const XcDpuTarget *target, xc_units *units) {
  return leave_augmented(target, units, true);
}

static bool load_all_as_it_is(const XcDpuTarget *target, xc_units *units) {
  return leave_augmented(target, units, false);
}

/// Lets convolutions of the network's inputs load their input with one LOAD and
/// copy its rows. Whether there are any.
static bool spread_rows(const XcDpuTarget *target, xc_units *units) {
  bool has_spread = false;
  xc_tensor_buffers buffers;
  xc_tensor_buffers_collect(&buffers, target, units);
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit now = units->items[u];
    uint32_t input = now.layer.inputs[0].buffer;
    now.layout.spreads_rows = true;
    if (now.layer.kind != XcDpuLayerKindConv || !xc_plan_unit(target, &now) ||
        now.plan.request.source_words == 0 ||
        (input && buffers.items[input].num_writers > 0))
      continue;
    units->items[u] = now;
    has_spread = true;
  }
  xc_tensor_buffers_free(&buffers);
  return has_spread;
}

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

/// A function that gives units another form; false if none of them has it.
typedef bool (*unit_form)(const XcDpuTarget *target, xc_units *units);

/// Schedules the units in another form as well. They keep it if it is faster
/// than `best`, or if it is forced.
static void try_form(xc_search *search, unit_form form, bool is_forced,
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

//===----------------------------------------------------------------------===//
// Alternating groups
//===----------------------------------------------------------------------===//

/// Whether the loads of a unit have one image group to themselves, and its
/// saves the other one.
static bool has_groups(const XcDpuTarget *target, const xc_unit *unit) {
  const xc_unit_layout *layout = &unit->layout;
  int32_t depth = target->image.depth, loaded = layout->input_area.words;
  if (layout->operand_area.group == layout->input_area.group && loaded < depth)
    loaded += layout->operand_area.words;
  bool is_held = layout->output;
  for (size_t k = 0; k < unit->layer.numInputs; ++k)
    is_held |= layout->inputs[k] != NULL;
  return !is_held && loaded == depth && layout->output_area.words == depth &&
         layout->output_area.group != layout->input_area.group;
}

static void exchange_groups(xc_unit_layout *layout) {
  uint32_t group = layout->input_area.group;
  layout->input_area.group = layout->output_area.group;
  layout->operand_area.group = layout->output_area.group;
  layout->output_area.group = group;
}

/// Exchanges the image groups of layers where that is faster. Rows of a layer
/// cannot be loaded to words that the layer before still reads, but perhaps to
/// the group from which that layer has saved most of its result.
static void alternate_groups(xc_search *search, xc_schedule *schedule) {
  xc_units *units = &schedule->units;
  size_t before = 0, size;
  for (size_t u = 0; u < units->count; before = u, u += size) {
    xc_unit *unit = &units->items[u];
    size = xc_units_together(unit, u);
    if (u == 0 || size > 1 || !has_groups(schedule->target, unit))
      continue;
    size_t last = u;
    if (u + 1 < units->count)
      last += xc_units_together(unit + 1, u + 1);
    int64_t cycles = xc_search_end_of(search, schedule, before, last);
    xc_unit_layout as_it_was = unit->layout;
    exchange_groups(&unit->layout);
    if (xc_search_end_of(search, schedule, before, last) >= cycles)
      unit->layout = as_it_was;
  }
}

//===----------------------------------------------------------------------===//
// Words of the last block
//===----------------------------------------------------------------------===//

bool xc_can_part_words(const xc_unit *unit) {
  return unit->kind->has_window && unit->layer.kind != XcDpuLayerKindConv &&
         !unit->kind->is_diagonal && unit->layout.inputs[0];
}

/// The last block of a layer waits for all channels of the layer before. It can
/// begin earlier if it computes them word by word, in more instructions.
static void part_words(xc_search *search, xc_schedule *schedule) {
  xc_units *units = &schedule->units;
  size_t before = 0, start = 0, size;
  for (size_t u = 0; u < units->count; u += size) {
    size = xc_units_together(&units->items[u], u);
    if (u > 0 && units->items[u].number != units->items[u - 1].number)
      before = start;
    start = u;
    size_t last = u + size - 1;
    if (last + 1 < units->count)
      last += xc_units_together(&units->items[last + 1], last + 1);
    for (size_t v = u; v < u + size; ++v) {
      if (!xc_can_part_words(&units->items[v]))
        continue;
      int64_t cycles = xc_search_end_of(search, schedule, before, last);
      units->items[v].layout.parts_words = true;
      units->items[v].layout.parts_words =
          xc_search_end_of(search, schedule, before, last) < cycles;
    }
  }
}

//===----------------------------------------------------------------------===//
// Parameters of cascades
//===----------------------------------------------------------------------===//

/// The first unit of a cascade can begin before the parameters of the others
/// are there, which then come between rows that it waits for.
static void load_late(xc_search *search, xc_schedule *schedule) {
  xc_units *units = &schedule->units;
  size_t before = 0, size;
  for (size_t u = 0; u < units->count; before = u, u += size) {
    xc_unit *unit = &units->items[u];
    size = xc_units_together(unit, u);
    if (unit->cascade_last <= u)
      continue;
    size_t last = u + size - 1;
    if (last + 1 < units->count)
      last += xc_units_together(unit + size, last + 1);
    int64_t cycles = xc_search_end_of(search, schedule, before, last);
    unit->has_late_parameters = true;
    unit->has_late_parameters =
        xc_search_end_of(search, schedule, before, last) < cycles;
  }
}

//===----------------------------------------------------------------------===//
// The whole schedule
//===----------------------------------------------------------------------===//

/// What was found when the rest of a schedule was decided.
typedef struct finished {
  xc_price_key key; // of what it was before
  int64_t cycles;
  size_t num_priced;
} finished;

static int64_t finish_transfers(xc_search *search, xc_schedule *schedule) {
  alternate_groups(search, schedule);
  load_late(search, schedule);
  return xc_join_parameters(schedule, search->estimator,
                            xc_search_recall(search, schedule), XC_JOIN_BEST);
}

/// Exchanges a schedule with another one, which has images of its own.
static void exchange(xc_search *search, xc_schedule *schedule,
                     xc_schedule *other) {
  xc_schedule before = *schedule;
  *schedule = *other;
  *other = before;
  ++search->num_kept;
}

/// Finishes a schedule, or the one with its last rows in strips. Both are
/// finished if transfers of parameters could change which of them is faster.
static int64_t finish_faster(xc_search *search, xc_schedule *schedule,
                             xc_schedule *striped) {
  enum { PART = 200 };
  int64_t before = xc_search_recall(search, schedule);
  int64_t after = xc_search_cycles(search, striped);
  bool takes = after < before - before / PART ||
               (search->forces_forms && after < XC_CANNOT_ENCODE);
  int64_t cycles = takes ? INT64_MAX : finish_transfers(search, schedule);
  if (!takes && after >= before)
    return cycles;
  int64_t now = finish_transfers(search, striped);
  if (now >= cycles)
    return cycles;
  exchange(search, schedule, striped);
  return now;
}

/// Makes the decisions that depend on everything that is held.
static finished finish_units(xc_search *search, xc_schedule *schedule) {
  size_t priced = search->num_priced;
  finished result = {.key = xc_schedule_key(schedule)};
  part_words(search, schedule);
  xc_reshape_pixels(search, schedule);
  xc_schedule striped = xc_schedule_in_ddr(schedule, search);
  striped.way = schedule->way;
  result.cycles = xc_strip_last_rows(search, &striped)
                      ? finish_faster(search, schedule, &striped)
                      : finish_transfers(search, schedule);
  xc_schedule_free(&striped);
  result.num_priced = search->num_priced - priced;
  return result;
}

/// The same, with divided pools if that is faster. The schedule with divided
/// pools shares the images of the other one until it is finished.
static finished finish(xc_search *search, xc_schedule *schedule) {
  xc_schedule parted = xc_schedule_in_ddr(schedule, search);
  parted.way = schedule->way;
  finished of_parts = {.cycles = INT64_MAX};
  if (xc_part_concat_pools(search, &parted))
    of_parts = finish_units(search, &parted);
  finished result = finish_units(search, schedule);
  result.num_priced += of_parts.num_priced;
  if (of_parts.cycles < result.cycles) {
    exchange(search, schedule, &parted);
    result.cycles = of_parts.cycles;
  }
  xc_schedule_free(&parted);
  return result;
}

/// Schedules and finishes the units, and compares the result with the best
/// schedule. Returns what was found for the faster one.
static finished try_finished(xc_search *search, const xc_schedule *layers,
                             finished now, xc_schedule *best) {
  xc_schedule other = schedule_units(layers, search);
  finished found = now;
  // One and the same would only be priced once more.
  if (xc_is_same_schedule(&other, &now.key))
    search->num_priced += now.num_priced;
  else
    found = finish(search, &other);
  bool is_faster = found.cycles < now.cycles;
  search->num_kept += is_faster;
  xc_schedule_free(is_faster ? best : &other);
  if (is_faster)
    *best = other;
  return is_faster ? found : now;
}

/// The same for the units in another form, if they have it.
static finished try_finished_form(xc_search *search, unit_form form,
                                  const xc_schedule *layers, finished now,
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
static finished try_others(xc_search *search, const xc_schedule *layers,
                           finished now, xc_schedule *best) {
  int64_t before = now.cycles;
  if (!search->only_way) {
    search->may_release = true;
    now = try_finished(search, layers, now, best);
    search->may_release = now.cycles < before;
  }
  now = try_finished_form(search, load_as_it_is, layers, now, best);
  search->may_release = false;
  return try_finished_form(search, spread_rows, layers, now, best);
}

/// Finishes the best schedule of the layers, or of another form of them, which
/// they then keep.
static finished complete(xc_search *search, xc_schedule *layers,
                         xc_schedule *best) {
  finished now = {.cycles = 0};
  try_form(search, search->forces_forms ? flatten_all : flatten_lists,
           search->forces_forms, layers, best);
  if (search->forces_forms)
    try_form(search, load_all_as_it_is, true, layers, best);
  try_form(search, reshape_long_rows, false, layers, best);
  try_form(search, reshape_signals, false, layers, best);
  try_form(search, reshape_blocks, false, layers, best);
  // Strips take less time of the engine, but images that are cut into them come
  // from DDR and go there.
  try_form(search, allow_strips, false, layers, best);
  if (search->effort > XcDpuEffortNone) {
    now = finish(search, best);
    if (xc_search_goes_on(search, XcDpuEffortDefault))
      now = try_others(search, layers, now, best);
  }
  return now;
}

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

/// Bytes that the units move between DDR and the banks.
static int64_t moved_bytes(const xc_schedule *schedule) {
  int64_t bytes = 0;
  for (size_t i = 0; i < schedule->units.count; ++i) {
    const xc_unit_cost *cost = &schedule->units.items[i].plan.cost;
    bytes += cost->load_bytes + cost->save_bytes;
  }
  return bytes;
}

/// Completes a schedule, and the one with chains in tiles. Takes the faster
/// one. Finishing a schedule mostly hides transfers: tiles that are clearly
/// faster before that, and move fewer bytes, stay so, and the other schedule is
/// not completed.
static finished complete_faster(xc_search *search, bool is_forced,
                                xc_schedule whole[PAIR],
                                xc_schedule tiled[PAIR]) {
  enum { PART = 300 };
  int64_t cycles = xc_search_cycles(search, &whole[BEST]);
  if (xc_search_cycles(search, &tiled[BEST]) < cycles - cycles / PART &&
      moved_bytes(&tiled[BEST]) < moved_bytes(&whole[BEST])) {
    take_pair(true, whole, tiled);
    return complete(search, &whole[LAYERS], &whole[BEST]);
  }
  finished now = complete(search, &whole[LAYERS], &whole[BEST]);
  finished other = complete(search, &tiled[LAYERS], &tiled[BEST]);
  bool takes_tiles = other.cycles < now.cycles || is_forced;
  take_pair(takes_tiles, whole, tiled);
  return takes_tiles ? other : now;
}

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
  finished now = has_tiles ? complete_faster(search, is_forced, whole, tiled)
                           : complete(search, &whole[LAYERS], &whole[BEST]);
  if (search->effort > XcDpuEffortNone)
    now.cycles = xc_improve_transfers(&whole[BEST], search->estimator,
                                      now.cycles, search->effort);
  xc_schedule_free(&whole[LAYERS]);
  *cycles = now.cycles;
  return whole[BEST];
}

/// The cycles of layers that are scheduled in their way.
static int64_t price_layers(const xc_schedule *layers, xc_search *search) {
  xc_schedule found = schedule_in_way(layers, search, layers->way);
  int64_t cycles = xc_search_cycles(search, &found);
  xc_schedule_free(&found);
  return cycles;
}

/// The layers in the fastest order, with the engines balanced.
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
