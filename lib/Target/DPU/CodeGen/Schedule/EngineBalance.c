//===- EngineBalance.c - other divisions in the best schedule -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules are searched for with a few shares of depthwise layers for each
// engine (Engines.c). In the best schedule, one layer after the other is then
// divided otherwise, as long as the whole becomes faster: the border between
// both parts is moved by some channels or columns, or one engine gets all of
// the layer. The rest of the schedule stays as it is.
//
//===----------------------------------------------------------------------===//

#include "Finish.h"
#include "Transfers.h"

#include "Target/DPU/CodeGen/Family.h"
#include "Target/DPU/CodeGen/Plan/Columns.h"
#include "Target/DPU/CodeGen/Plan/Parts.h"

#include "Support/Math.h"

#include <stdlib.h>
#include <string.h>

/// The budget, in instructions that are estimated, without and with more
/// effort.
enum { MAX_ESTIMATED = 3000000, MAX_OF_MORE = 16000000 };

/// A layer, or a part of it, that two units compute: the first one its first
/// channels or columns on the misc engine, the other one the rest.
typedef struct divided_layer {
  XcDpuLayer whole;
  bool by_columns;
  int32_t all, first; // channels or columns, and those of the first unit
  int32_t step;       // of which parts are multiples, but for the last one
} divided_layer;

static XcDpuImage join_images(const XcDpuImage *a, const XcDpuImage *b,
                              bool by_columns) {
  XcDpuImage both = *a;
  if (by_columns)
    both.width =
        (int32_t)((b->address - a->address) / a->pixelPitch) + b->width;
  else
    both.channels = (int32_t)(b->address - a->address) + b->channels;
  return both;
}

/// Whether both units compute parts of one layer, and have images in the same
/// places.
static bool can_move(const xc_unit *a, const xc_unit *b) {
  return a->number == b->number && a->layer.kind == XcDpuLayerKindDepthwise &&
         b->layer.kind == XcDpuLayerKindDiagonal &&
         a->layer.inputs[0].buffer == b->layer.inputs[0].buffer &&
         a->layer.output.buffer == b->layer.output.buffer &&
         a->layout.saves == b->layout.saves &&
         a->layout.inputs[0] == b->layout.inputs[0] &&
         a->layout.output == b->layout.output && !a->layout.copies_strips &&
         !b->layout.copies_strips;
}

/// Whether a unit other than `u` and the next one has the parameters of one of
/// them.
static bool shares_parameters(const xc_units *units, size_t u) {
  for (size_t v = 0; v < units->count; ++v)
    for (size_t w = u; w < u + 2 && v != u && v != u + 1; ++w) {
      const xc_unit *a = &units->items[v], *b = &units->items[w];
      if (a->layer.kind == b->layer.kind &&
          a->layer.weights == b->layer.weights &&
          a->first_channel == b->first_channel)
        return true;
    }
  return false;
}

/// Whether a unit reads the rows that another one loads.
static bool shares_rows(const xc_units *units, size_t u) {
  for (size_t v = u; v < units->count; ++v) {
    size_t owner = v - units->items[v].layout.shares_input;
    if (owner != v && (v <= u + 1 || owner == u || owner == u + 1))
      return true;
  }
  return false;
}

/// Finds the layer that a unit and the next one compute.
static bool find_divided(const xc_schedule *schedule, size_t u,
                         divided_layer *result) {
  const xc_units *units = &schedule->units;
  if (u + 1 >= units->count ||
      !can_move(&units->items[u], &units->items[u + 1]) ||
      shares_rows(units, u))
    return false;
  const xc_unit *a = &units->items[u], *b = &units->items[u + 1];
  const XcDpuImage *left = &a->layer.output, *right = &b->layer.output;
  bool by_columns = a->first_channel == b->first_channel;
  *result = (divided_layer){.whole = a->layer, .by_columns = by_columns};
  result->whole.output = join_images(left, right, by_columns);
  result->whole.inputs[0] =
      join_images(&a->layer.inputs[0], &b->layer.inputs[0], by_columns);
  if (by_columns) {
    result->step = 1;
    result->first = left->width;
    result->all = result->whole.output.width;
    return left->channels == right->channels &&
           result->all == left->width + right->width;
  }
  result->step = schedule->target->channelParallel;
  result->first = left->channels;
  result->all = result->whole.output.channels;
  return left->width == right->width &&
         result->all == left->channels + right->channels &&
         result->first % result->step == 0 && !shares_parameters(units, u);
}

/// How far an image begins behind another one of the same image in the banks,
/// in words.
static int32_t words_between(const XcDpuTarget *target,
                             const xc_bank_image *image, const XcDpuImage *from,
                             const XcDpuImage *to, bool by_columns) {
  int32_t bytes = (int32_t)(to->address - from->address);
  return by_columns ? bytes / (int32_t)from->pixelPitch * image->pixel_words
                    : bytes / target->channelParallel;
}

/// Whether a unit may have so many channels as one piece.
static bool takes_channels(const XcDpuTarget *target, const xc_unit *unit) {
  int32_t most = unit->layer.output.channels;
  return !unit->engine->split ||
         (xc_is_accepted(unit->engine->split(target, &unit->layer, &most)) &&
          unit->layer.output.channels <= most);
}

/// Gives a unit other channels or columns. Returns false if it cannot be
/// planned, or not in as many blocks.
static bool change_unit(const XcDpuTarget *target, const divided_layer *layer,
                        int32_t first, int32_t count, xc_unit *unit) {
  XcDpuLayer whole = xc_layer_on(unit->layer.kind, &layer->whole);
  XcDpuLayer part =
      layer->by_columns
          ? xc_layer_columns(&whole, (xc_columns){first, first + count})
          : xc_layer_channels(target, &whole, first, count);
  xc_unit_layout *layout = &unit->layout;
  if (layout->inputs[0])
    layout->input_words[0] +=
        words_between(target, layout->inputs[0], &unit->layer.inputs[0],
                      &part.inputs[0], layer->by_columns);
  if (layout->output)
    layout->output_word +=
        words_between(target, layout->output, &unit->layer.output, &part.output,
                      layer->by_columns);
  unit->layer = part;
  if (!layer->by_columns && xcDpuPlacesWeights(&whole))
    unit->parameter_channels = count;
  int32_t rows = unit->plan.block_rows, blocks = unit->plan.num_blocks;
  return takes_channels(target, unit) && xc_plan_unit(target, unit) &&
         unit->plan.block_rows == rows && unit->plan.num_blocks == blocks;
}

//===----------------------------------------------------------------------===//
// Changes that are tried
//===----------------------------------------------------------------------===//

/// The decisions of a schedule that a change may alter.
typedef struct snapshot {
  xc_unit *units;
  xc_parameter_piece *pieces;
  xc_parameter_transfer *transfers;
  size_t num_units, num_pieces, num_transfers;
} snapshot;

typedef struct balance {
  const xc_schedule *layers;
  xc_schedule *schedule;
  xc_schedule_estimator estimator;
  snapshot best;
  int64_t cycles, estimated, budget;
} balance;

static void *copy_of(const void *items, size_t count, size_t size) {
  void *copy = xc_alloc_array(count, size);
  if (count > 0)
    memcpy(copy, items, count * size);
  return copy;
}

static void free_snapshot(snapshot *s) {
  free(s->units);
  free(s->pieces);
  free(s->transfers);
}

static snapshot take_snapshot(const xc_schedule *s) {
  return (snapshot){
      .units = copy_of(s->units.items, s->units.count, sizeof *s->units.items),
      .pieces = copy_of(s->pieces, s->num_pieces, sizeof *s->pieces),
      .transfers =
          copy_of(s->transfers, s->num_transfers, sizeof *s->transfers),
      .num_units = s->units.count,
      .num_pieces = s->num_pieces,
      .num_transfers = s->num_transfers};
}

static void restore(const balance *b) {
  xc_schedule *s = b->schedule;
  const snapshot *best = &b->best;
  s->units.count = best->num_units;
  s->num_pieces = best->num_pieces;
  s->num_transfers = best->num_transfers;
  memcpy(s->units.items, best->units, best->num_units * sizeof *best->units);
  free(s->pieces);
  free(s->transfers);
  s->pieces = copy_of(best->pieces, best->num_pieces, sizeof *best->pieces);
  s->transfers =
      copy_of(best->transfers, best->num_transfers, sizeof *best->transfers);
}

/// Prices a schedule that has been changed, and keeps the change if it is
/// better. `is_possible`: the change could be made.
static bool keep_if_faster(balance *b, bool is_possible) {
  int64_t cycles = XC_CANNOT_ENCODE;
  if (is_possible) {
    b->estimated += xc_estimate_size(b->schedule);
    cycles = xc_price_transfers(b->schedule, b->estimator);
  }
  if (cycles >= b->cycles) {
    restore(b);
    return false;
  }
  b->cycles = cycles;
  free_snapshot(&b->best);
  b->best = take_snapshot(b->schedule);
  return true;
}

/// Moves the border so that `first` channels or columns are the first unit's.
static bool try_border(balance *b, size_t u, const divided_layer *layer,
                       int32_t first) {
  if (first < layer->step || first >= layer->all)
    return false;
  xc_unit *units = &b->schedule->units.items[u];
  int32_t begin = units->first_channel;
  const XcDpuTarget *target = b->schedule->target;
  bool is_possible =
      change_unit(target, layer, 0, first, &units[0]) &&
      change_unit(target, layer, first, layer->all - first, &units[1]);
  if (!layer->by_columns)
    units[1].first_channel = begin + first;
  return keep_if_faster(b, is_possible);
}

/// Moves the border by ever smaller steps. Returns whether that helps.
static bool move_border(balance *b, size_t u) {
  enum { PART = 6 }; // the first step
  divided_layer layer;
  bool is_better = false;
  if (!find_divided(b->schedule, u, &layer))
    return false;
  int32_t step = xc_maximum(layer.all / layer.step / PART, 1) * layer.step;
  for (; step >= layer.step; step = step / layer.step / 2 * layer.step)
    for (int32_t by = -step; by <= step; by += 2 * step)
      while (try_border(b, u, &layer, layer.first + by)) {
        layer.first += by;
        is_better = true;
      }
  return is_better;
}

/// Gives one engine all of a divided layer.
static bool try_one_engine(balance *b, size_t u, const divided_layer *layer,
                           size_t kept) {
  xc_units *units = &b->schedule->units;
  xc_unit whole = units->items[u + kept];
  whole.first_channel = units->items[u].first_channel;
  bool is_possible =
      change_unit(b->schedule->target, layer, 0, layer->all, &whole);
  xc_remove_unit(b->schedule, u + 1);
  xc_replace_unit(b->schedule, u, &whole, 1);
  return keep_if_faster(b, is_possible);
}

static xc_unit unit_on(const XcDpuTarget *target, const xc_unit *unit,
                       XcDpuLayerKind kind) {
  xc_unit result = *unit;
  if (unit->layer.kind == kind)
    return result;
  result.layer = xc_layer_on(kind, &unit->layer);
  result.kind = xc_layer_kind_of(&result.layer);
  result.engine = xc_layer_engine_of(target, &result.layer);
  for (int bank = 0; bank < XC_NUM_PARAMETER_BANKS; ++bank)
    result.pieces[bank] = XC_PIECE_OF_NEW_UNIT;
  return result;
}

/// Divides the layer of one unit, whose first part the misc engine computes.
static bool try_division(balance *b, size_t u, const divided_layer *layer,
                         int32_t first) {
  const XcDpuTarget *target = b->schedule->target;
  const xc_unit *unit = &b->schedule->units.items[u];
  xc_unit parts[2] = {unit_on(target, unit, XcDpuLayerKindDepthwise),
                      unit_on(target, unit, XcDpuLayerKindDiagonal)};
  bool is_possible =
      change_unit(target, layer, 0, first, &parts[0]) &&
      change_unit(target, layer, first, layer->all - first, &parts[1]);
  if (!layer->by_columns)
    parts[1].first_channel += first;
  parts[1].cascade_last = 0; // the first one begins it
  xc_replace_unit(b->schedule, u, parts, 2);
  return keep_if_faster(b, is_possible);
}

/// Whether a unit runs in a cascade.
static bool is_in_cascade(const xc_units *units, size_t u) {
  for (size_t v = 0; v < units->count;
       v += xc_units_together(&units->items[v], v))
    if (u < v + xc_units_together(&units->items[v], v))
      return units->items[v].cascade_last > v;
  return false;
}

/// Whether both engines can compute the layer of a unit.
static bool has_choice(const balance *b, const xc_unit *unit) {
  const uint32_t *numbers = b->schedule->numbers;
  uint32_t number = numbers ? numbers[unit->number] : unit->number;
  for (size_t i = 0; i < b->layers->num_choices; ++i)
    if (b->layers->choices[i].number == number)
      return true;
  return false;
}

/// Finds a layer that one unit computes. Both units of a division would use the
/// areas for what it loads and saves, which those of a cascade have for
/// themselves.
static bool find_undivided(const balance *b, size_t u, divided_layer *result) {
  const xc_units *units = &b->schedule->units;
  const xc_unit *unit = &units->items[u];
  const xc_unit_layout *layout = &unit->layout;
  const xc_engine_choice part = {.layer = unit->layer};
  if (!has_choice(b, unit) || layout->copies_strips || unit->num_sharing > 0 ||
      unit->chunk_groups > 0 || shares_rows(units, u) ||
      ((!layout->inputs[0] || !layout->output) && is_in_cascade(units, u)))
    return false;
  const XcDpuTarget *target = b->schedule->target;
  const XcDpuImage *out = &unit->layer.output;
  bool by_columns = xc_halve_layer(target, &part).by_columns;
  *result = (divided_layer){.whole = unit->layer,
                            .by_columns = by_columns,
                            .all = by_columns ? out->width : out->channels,
                            .step = by_columns ? 1 : target->channelParallel};
  return true;
}

/// Divides a layer that one unit computes. Returns whether that helps.
static bool try_divisions(balance *b, size_t u) {
  enum { PARTS = 4 };
  divided_layer layer;
  if (!find_undivided(b, u, &layer))
    return false;
  for (int32_t part = 1; part < PARTS; ++part) {
    int32_t first = layer.all / layer.step * part / PARTS * layer.step;
    if (first > 0 && try_division(b, u, &layer, first))
      return true;
  }
  return false;
}

/// Divides a layer, or gives all of it to one engine. Returns whether that
/// helps.
static bool change_engines(balance *b, size_t u) {
  divided_layer layer;
  if (!find_divided(b->schedule, u, &layer))
    return try_divisions(b, u);
  // A cascade may begin with the second part, which cannot be removed then.
  if (b->schedule->units.items[u + 1].cascade_last > u + 1)
    return false;
  return try_one_engine(b, u, &layer, 0) || try_one_engine(b, u, &layer, 1);
}

/// Lets a unit compute its last block word by word, or not. Returns whether
/// that helps.
static bool try_words(balance *b, size_t u) {
  xc_unit *unit = &b->schedule->units.items[u];
  if (!xc_can_part_words(unit))
    return false;
  unit->layout.parts_words = !unit->layout.parts_words;
  return keep_if_faster(b, true);
}

/// The changes that mostly help come first.
static bool balance_unit(balance *b, size_t u, int round) {
  bool is_better = move_border(b, u);
  if (round == 0)
    return try_words(b, u) || is_better;
  return change_engines(b, u) || is_better;
}

int64_t xc_balance_engines(const xc_schedule *layers, xc_schedule *schedule,
                           xc_schedule_estimator estimator,
                           XcDpuEffort effort) {
  enum { ROUNDS = 4 };
  balance b = {.layers = layers,
               .schedule = schedule,
               .estimator = estimator,
               .cycles = xc_price_transfers(schedule, estimator),
               .budget =
                   effort > XcDpuEffortDefault ? MAX_OF_MORE : MAX_ESTIMATED};
  b.best = take_snapshot(schedule);
  bool is_better = true;
  for (int round = 0; (is_better || round < 2) && round < ROUNDS; ++round) {
    is_better = false;
    for (size_t u = 0; u < schedule->units.count && b.estimated < b.budget; ++u)
      is_better |= balance_unit(&b, u, round);
  }
  free_snapshot(&b.best);
  return b.cycles;
}
