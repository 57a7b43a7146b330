//===- Transfers.c - LOADs that bring parameters of several units ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every LOAD takes some time before its bytes move, and a small layer has as
// many LOADs of parameters as a large one. Parameters of units that follow each
// other can come together, in a transfer. They are laid out in DDR as they lie
// in the banks. But a unit waits for everything that comes with its own
// parameters. Transfers are therefore cut where the static estimate is lowest:
// first all at a few sizes, then, where that is cheap, cut by cut.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include "Target/DPU/CodeGen/Order/Dependences.h"
#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <stdlib.h>
#include <string.h>

/// The budget for finding better cuts, in instructions that are estimated: for
/// each schedule that is finished, for the best one, and for the best one with
/// more effort.
enum { MAX_ESTIMATED = 100000, MAX_OF_BEST = 500000, MAX_OF_MORE = 4000000 };

enum { FEW_LANES = 3 };

/// How a piece is loaded.
typedef enum piece_mode {
  BY_ITSELF, // where it lies together, by LOADs of its own
  BEGINS,    // a transfer
  CONTINUES, // the one of the piece before
} piece_mode;

/// A key that is the same for units with the same parameters in the same
/// layout.
typedef struct piece_key {
  int32_t bank, kind;
  uint32_t source;
  int32_t first_channel, channels, columns;
  int32_t run; // bytes that follow each other, and begin in a word of their own
} piece_key;

typedef struct joint_piece {
  piece_key key;
  size_t unit;
  int32_t words, tail_words;
  int32_t lanes, tail_lanes;
  piece_mode mode;
} joint_piece;

typedef struct transfer_search {
  xc_schedule *schedule;
  xc_schedule_estimator estimator;
  /// Bank by bank, in the order of the units that have them first.
  joint_piece *pieces;
  size_t count;
  /// Of each unit and bank the piece, from 1, or 0.
  size_t (*of_units)[XC_NUM_PARAMETER_BANKS];
  bool has_tails; // which come last
  int64_t cycles; // of the best modes so far
  /// Instructions of one estimate, of all, and those that may be.
  int64_t size, estimated, budget;
} transfer_search;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

static int32_t run_of(const XcDpuTarget *target, const xc_unit *unit,
                      xc_parameter_bank bank) {
  if (bank != XC_PARAMETERS_WEIGHTS)
    return unit->layer.output.channels;
  return unit->kind->is_diagonal ? target->channelParallel
                                 : xc_weight_inputs(target, unit);
}

static piece_key key_of(const XcDpuTarget *target, const xc_unit *unit,
                        xc_parameter_bank bank) {
  bool is_bias = bank == XC_PARAMETERS_BIAS;
  piece_key key;
  memset(&key, 0, sizeof key);
  key.bank = (int32_t)bank;
  key.kind = is_bias ? 0 : (int32_t)unit->layer.kind;
  key.source = is_bias ? unit->layer.bias : unit->layer.weights;
  key.first_channel = unit->first_channel;
  key.channels = unit->layer.output.channels;
  key.columns = is_bias ? 1 : xc_unit_columns(unit);
  key.run = run_of(target, unit, bank);
  return key;
}

/// Banks that have something of it.
static int32_t lanes_of(const XcDpuTarget *target, const xc_unit *unit,
                        xc_parameter_bank bank) {
  if (bank != XC_PARAMETERS_WEIGHTS)
    return 1;
  return xc_unit_columns(unit) > 1 ? target->weights.numBanks
                                   : xc_minimum(unit->layer.output.channels,
                                                target->weights.numBanks);
}

/// Sets the tail, which only some banks have: the channels of the last group of
/// the last column. It is not worth another distance in DDR if only few banks
/// lack it; and at least two banks must have it to be that distance apart.
static void set_tail(const XcDpuTarget *target, const xc_unit *unit,
                     joint_piece *piece) {
  int32_t lanes = target->weights.numBanks;
  int32_t rest = unit->layer.output.channels % lanes;
  int32_t groups = xc_unit_columns(unit) * unit->plan.request.out_groups;
  if (piece->key.bank != XC_PARAMETERS_WEIGHTS || rest == 0 ||
      rest + FEW_LANES > lanes)
    return;
  piece->tail_words = piece->words / groups;
  piece->tail_lanes = rest;
}

/// By key, and units in their order.
static int compare_keys(const void *a, const void *b) {
  const joint_piece *x = a, *y = b;
  int order = memcmp(&x->key, &y->key, sizeof x->key);
  return order ? order : (x->unit > y->unit) - (x->unit < y->unit);
}

static int compare_units(const void *a, const void *b) {
  const joint_piece *x = *(const joint_piece *const *)a;
  const joint_piece *y = *(const joint_piece *const *)b;
  if (x->key.bank != y->key.bank)
    return x->key.bank < y->key.bank ? -1 : 1;
  return (x->unit > y->unit) - (x->unit < y->unit);
}

/// Everything that a unit may have from a transfer.
static joint_piece *list_uses(const xc_schedule *schedule, size_t *count) {
  const xc_units *units = &schedule->units;
  joint_piece *uses =
      xc_alloc_array(units->count * XC_NUM_PARAMETER_BANKS, sizeof *uses);
  *count = 0;
  for (size_t u = 0; u < units->count; ++u)
    for (int bank = 0; bank < XC_NUM_PARAMETER_BANKS; ++bank) {
      const xc_unit *unit = &units->items[u];
      xc_parameter_bank now = (xc_parameter_bank)bank;
      int32_t words =
          unit->engine->joint_words
              ? unit->engine->joint_words(schedule->target, unit, now)
              : 0;
      if (words == 0)
        continue;
      uses[*count] =
          (joint_piece){.key = key_of(schedule->target, unit, now),
                        .unit = u,
                        .words = words,
                        .lanes = lanes_of(schedule->target, unit, now)};
      set_tail(schedule->target, unit, &uses[(*count)++]);
    }
  return uses;
}

static void collect_pieces(transfer_search *search) {
  size_t num_uses, num_units = search->schedule->units.count;
  joint_piece *uses = list_uses(search->schedule, &num_uses);
  const joint_piece **first = xc_alloc_array(num_uses, sizeof *first);
  search->of_units = xc_alloc_array(num_units, sizeof *search->of_units);
  memset(search->of_units, 0, num_units * sizeof *search->of_units);
  if (num_uses > 1)
    qsort(uses, num_uses, sizeof *uses, compare_keys);
  for (size_t i = 0; i < num_uses; ++i)
    if (i == 0 || memcmp(&uses[i].key, &uses[i - 1].key, sizeof uses->key) != 0)
      first[search->count++] = &uses[i];
  if (search->count > 1)
    qsort(first, search->count, sizeof *first, compare_units);
  search->pieces = xc_alloc_array(search->count, sizeof *search->pieces);
  for (size_t p = 0; p < search->count; ++p) {
    search->pieces[p] = *first[p];
    for (const joint_piece *use = first[p];
         use < uses + num_uses &&
         memcmp(&use->key, &first[p]->key, sizeof use->key) == 0;
         ++use)
      search->of_units[use->unit][use->key.bank] = p + 1;
  }
  free(first);
  free(uses);
}

static int32_t depth_of(const XcDpuTarget *target, xc_parameter_bank bank) {
  switch (bank) {
  case XC_PARAMETERS_BIAS:
    return target->bias.depth;
  case XC_PARAMETERS_DEPTHWISE:
    return target->depthwiseWeights.depth;
  default:
    return target->weights.depth;
  }
}

/// Whether a piece can come with the one before.
static bool can_continue(const transfer_search *search, size_t p) {
  return p > 0 && search->pieces[p].key.bank == search->pieces[p - 1].key.bank;
}

//===----------------------------------------------------------------------===//
// The schedule with transfers
//===----------------------------------------------------------------------===//

/// Returns the number of bytes of the pixels by which all pieces can be loaded:
/// whole runs if all have the same length, else words.
static int32_t channels_of(const XcDpuTarget *target, const joint_piece *piece,
                           const joint_piece *end) {
  int32_t width = target->channelParallel, channels = piece->key.run;
  bool is_same = true;
  for (const joint_piece *p = piece + 1; p < end && p->mode == CONTINUES; ++p) {
    is_same &= p->key.run == piece->key.run;
    channels = xc_maximum(channels, p->key.run);
  }
  return is_same || channels < width ? channels : width;
}

static void add_piece(const transfer_search *search, size_t number) {
  xc_schedule *schedule = search->schedule;
  const joint_piece *piece = &search->pieces[number];
  int32_t tail_words = search->has_tails ? piece->tail_words : 0;
  if (piece->mode == BEGINS)
    schedule->transfers[schedule->num_transfers++] = (xc_parameter_transfer){
        .bank = (xc_parameter_bank)piece->key.bank,
        .first = number,
        .channels = channels_of(schedule->target, piece,
                                search->pieces + search->count)};
  xc_parameter_transfer *transfer =
      &schedule->transfers[schedule->num_transfers - 1];
  schedule->pieces[number] =
      (xc_parameter_piece){.transfer = schedule->num_transfers - 1,
                           .unit = piece->unit,
                           .words = piece->words,
                           .tail_words = tail_words,
                           .offset = transfer->words};
  transfer->words += piece->words - tail_words;
  transfer->lanes = xc_maximum(transfer->lanes, piece->lanes);
  if (tail_words > 0)
    transfer->tail_lanes = xc_maximum(transfer->tail_lanes, piece->tail_lanes);
  transfer->last = number;
}

/// After all else of the transfer.
static void add_tails(xc_schedule *schedule, xc_parameter_transfer *transfer) {
  for (size_t p = transfer->first; p <= transfer->last; ++p) {
    xc_parameter_piece *piece = &schedule->pieces[p];
    piece->tail = transfer->words;
    transfer->words += piece->tail_words;
    transfer->tail_words += piece->tail_words;
  }
}

size_t xc_transfer_bytes(const xc_schedule *schedule,
                         const xc_parameter_transfer *transfer, int32_t words) {
  int32_t pixel = xc_words_of(schedule->target, transfer->channels);
  return (size_t)(words / pixel) * (size_t)transfer->channels;
}

XcDpuJointLayout xc_transfer_layout(const xc_schedule *schedule,
                                    const xc_parameter_transfer *transfer) {
  int32_t words = transfer->words, narrow = words - transfer->tail_words;
  return (XcDpuJointLayout){
      .pitch = (uint32_t)xc_transfer_bytes(schedule, transfer, words),
      .wide = (uint32_t)(transfer->tail_lanes ? transfer->tail_lanes
                                              : transfer->lanes),
      .narrowPitch = (uint32_t)xc_transfer_bytes(schedule, transfer, narrow)};
}

static XcDpuJointLayout layout_of(const xc_schedule *schedule,
                                  const xc_parameter_piece *piece,
                                  int32_t run) {
  const xc_parameter_transfer *transfer = &schedule->transfers[piece->transfer];
  int32_t words = xc_words_of(schedule->target, run);
  bool is_apart = piece->tail_words > 0 && piece->words > piece->tail_words;
  int32_t tail = is_apart ? piece->tail - piece->offset : 0;
  XcDpuJointLayout layout = xc_transfer_layout(schedule, transfer);
  layout.run = (uint32_t)run;
  layout.step = (uint32_t)xc_transfer_bytes(schedule, transfer, words);
  layout.tail = (uint32_t)xc_transfer_bytes(schedule, transfer, tail);
  return layout;
}

/// Lets units take their parameters from transfers as the modes say. Pieces
/// have numbers as in the search, so that some are in no transfer.
static void apply(const transfer_search *search) {
  xc_schedule *schedule = search->schedule;
  schedule->num_transfers = 0;
  for (size_t p = 0; p < search->count; ++p)
    if (search->pieces[p].mode != BY_ITSELF)
      add_piece(search, p);
  for (size_t t = 0; t < schedule->num_transfers; ++t)
    add_tails(schedule, &schedule->transfers[t]);
  for (size_t u = 0; u < schedule->units.count; ++u) {
    xc_unit *unit = &schedule->units.items[u];
    unit->layer.weightsLayout = (XcDpuJointLayout){0};
    for (int bank = 0; bank < XC_NUM_PARAMETER_BANKS; ++bank) {
      size_t p = search->of_units[u][bank];
      bool is_joint = p && search->pieces[p - 1].mode != BY_ITSELF;
      unit->pieces[bank] = is_joint ? p : 0;
      if (is_joint && bank != XC_PARAMETERS_BIAS)
        unit->layer.weightsLayout = layout_of(
            schedule, &schedule->pieces[p - 1], search->pieces[p - 1].key.run);
    }
  }
}

/// Whether transfers leave room for another one beside each, and the parameters
/// of units that run together fit the banks.
static bool is_valid(const xc_schedule *schedule) {
  for (size_t t = 0; t < schedule->num_transfers; ++t) {
    const xc_parameter_transfer *transfer = &schedule->transfers[t];
    if (2 * transfer->words > depth_of(schedule->target, transfer->bank))
      return false;
  }
  for (size_t u = 0; u < schedule->units.count;) {
    size_t count = xc_units_together(&schedule->units.items[u], u);
    for (int bank = 0; count > 1 && bank < XC_NUM_PARAMETER_BANKS; ++bank)
      if (xc_parameter_words(schedule, u, count, (xc_parameter_bank)bank) >
          depth_of(schedule->target, (xc_parameter_bank)bank))
        return false;
    u += count;
  }
  return true;
}

int64_t xc_parameter_words(const xc_schedule *schedule, size_t first,
                           size_t count, xc_parameter_bank bank) {
  int64_t words = 0;
  size_t last = SIZE_MAX; // transfer
  // Those that share weights have the same of all, and a chunk of the weights.
  const xc_unit *leader = &schedule->units.items[first];
  if (leader->num_sharing > 0) {
    count = 1;
    if (bank == XC_PARAMETERS_WEIGHTS)
      return (int64_t)leader->chunk_groups * leader->plan.request.weight_words;
  }
  for (size_t u = first; u < first + count; ++u) {
    const xc_unit *unit = &schedule->units.items[u];
    size_t piece = unit->pieces[bank];
    if (!piece) {
      words += bank == XC_PARAMETERS_BIAS        ? unit->plan.bias_words
               : bank == XC_PARAMETERS_DEPTHWISE ? unit->plan.depthwise_words
                                                 : unit->plan.weight_words;
      continue;
    }
    size_t transfer = schedule->pieces[piece - 1].transfer;
    if (transfer != last)
      words += schedule->transfers[transfer].words;
    last = transfer;
  }
  return words;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

static int64_t cycles_of(transfer_search *search) {
  const xc_schedule *schedule = search->schedule;
  size_t count = schedule->units.count;
  if (count == 0)
    return 0;
  int64_t *ends = xc_alloc_array(count, sizeof *ends);
  xc_estimate(search->estimator, schedule, 0, count - 1, ends);
  int64_t cycles = ends[count - 1];
  free(ends);
  search->estimated += search->size;
  return cycles;
}

static void copy_modes(const transfer_search *search, piece_mode *modes) {
  for (size_t p = 0; p < search->count; ++p)
    modes[p] = search->pieces[p].mode;
}

static void set_modes(transfer_search *search, const piece_mode *modes) {
  for (size_t p = 0; p < search->count; ++p)
    search->pieces[p].mode = modes[p];
}

/// Drops transfers of one piece to one bank, which save no LOAD.
static void drop_single_pieces(transfer_search *search) {
  for (size_t p = 0; p < search->count; ++p) {
    joint_piece *piece = &search->pieces[p];
    bool is_alone = p + 1 == search->count || piece[1].mode != CONTINUES;
    if (piece->mode == BEGINS && is_alone &&
        piece->key.bank != XC_PARAMETERS_WEIGHTS)
      piece->mode = BY_ITSELF;
  }
}

/// Whether the current modes are better than `best`. The better ones of both
/// are then current and `best`.
static bool try_modes(transfer_search *search, piece_mode *best) {
  drop_single_pieces(search);
  apply(search);
  int64_t cycles =
      is_valid(search->schedule) ? cycles_of(search) : XC_CANNOT_ENCODE;
  if (cycles >= search->cycles) {
    set_modes(search, best);
    return false;
  }
  search->cycles = cycles;
  copy_modes(search, best);
  return true;
}

/// Cuts transfers of at most `words` words. All pieces before `first` of each
/// bank come by themselves.
static void cut_at_size(transfer_search *search, size_t first, int32_t words) {
  size_t begin = 0; // of the bank
  int32_t taken = 0;
  for (size_t p = 0; p < search->count; ++p) {
    joint_piece *piece = &search->pieces[p];
    if (p > 0 && piece->key.bank != search->pieces[p - 1].key.bank)
      begin = p;
    bool is_late = piece->key.bank != XC_PARAMETERS_BIAS && p < begin + first;
    piece->mode = is_late || piece->words > words ? BY_ITSELF : BEGINS;
    if (piece->mode == BEGINS && can_continue(search, p) &&
        piece[-1].mode != BY_ITSELF && taken + piece->words <= words)
      piece->mode = CONTINUES;
    taken = (piece->mode == CONTINUES ? taken : 0) + piece->words;
  }
}

static void try_sizes(transfer_search *search, piece_mode *best) {
  enum { SMALLEST = 32, FIRST = 2 };
  int32_t depth = search->schedule->target->weights.depth;
  for (size_t first = 0; first <= FIRST; ++first)
    for (int32_t words = depth / 2;
         words >= SMALLEST && search->estimated < search->budget; words /= 4) {
      cut_at_size(search, first, words);
      try_modes(search, best);
    }
}

/// Tries other modes of the piece at `p`, which may join what comes before and
/// after it. Returns whether one is better.
static bool try_cuts(transfer_search *search, size_t p, piece_mode *best) {
  bool is_better = false;
  for (int mode = BY_ITSELF; mode <= CONTINUES; ++mode) {
    joint_piece *piece = &search->pieces[p];
    piece_mode now = (piece_mode)mode;
    if (now == piece->mode || (now == CONTINUES && !can_continue(search, p)))
      continue;
    piece->mode = now;
    if (now == CONTINUES && piece[-1].mode == BY_ITSELF)
      piece[-1].mode = BEGINS;
    if (now == BY_ITSELF && p + 1 < search->count && piece[1].mode == CONTINUES)
      piece[1].mode = BEGINS;
    is_better |= try_modes(search, best);
  }
  return is_better;
}

/// Begins with the last piece, as the first ones are waited for most.
static bool try_all_cuts(transfer_search *search, piece_mode *best) {
  bool is_better = false;
  for (size_t p = search->count; p-- > 0 && search->estimated < search->budget;)
    is_better |= try_cuts(search, p, best);
  return is_better;
}

static void improve_cuts(transfer_search *search, piece_mode *best) {
  enum { ROUNDS = 4 };
  for (int round = 0; round < ROUNDS; ++round)
    if (!try_all_cuts(search, best))
      return;
}

/// Exchanges late and early parameters of each cascade. Returns whether that is
/// better for any.
static bool try_late_parameters(transfer_search *search, piece_mode *best) {
  xc_units *units = &search->schedule->units;
  bool is_better = false;
  for (size_t u = 0; u < units->count && search->estimated < search->budget;
       ++u) {
    xc_unit *unit = &units->items[u];
    if (unit->cascade_last <= u)
      continue;
    unit->has_late_parameters = !unit->has_late_parameters;
    if (try_modes(search, best))
      is_better = true;
    else
      unit->has_late_parameters = !unit->has_late_parameters;
  }
  return is_better;
}

int64_t xc_estimate_size(const xc_schedule *schedule) {
  int64_t size = 0;
  for (size_t u = 0; u < schedule->units.count; ++u) {
    const xc_unit_plan *plan = &schedule->units.items[u].plan;
    int64_t words = plan->request.out_groups;
    size += (int64_t)plan->num_blocks * plan->num_tiles *
            (words + 2 * plan->block_rows);
  }
  return size;
}

static transfer_search begin_search(xc_schedule *schedule,
                                    xc_schedule_estimator estimator,
                                    int64_t cycles, int64_t budget) {
  int64_t size = xc_estimate_size(schedule);
  transfer_search search = {.schedule = schedule,
                            .estimator = estimator,
                            .cycles = cycles,
                            .size = size,
                            .estimated = size,
                            .budget = budget};
  collect_pieces(&search);
  return search;
}

typedef void (*choose_modes)(transfer_search *search, piece_mode *best);

/// Searches from the modes that the pieces have. Returns the cycles of the best
/// modes, which the schedule takes.
static int64_t choose(transfer_search *search, choose_modes choose_from) {
  xc_fixed_needs fixed = {0};
  piece_mode *best = xc_alloc_array(search->count, sizeof *best);
  search->schedule->fixed_needs = &fixed;
  copy_modes(search, best);
  if (search->count > 0)
    choose_from(search, best);
  set_modes(search, best);
  apply(search);
  search->schedule->fixed_needs = NULL;
  xc_fixed_needs_free(&fixed);
  free(best);
  free(search->pieces);
  free(search->of_units);
  return search->cycles;
}

static void choose_best(transfer_search *search, piece_mode *best) {
  try_sizes(search, best);
  improve_cuts(search, best);
  search->has_tails = true;
  try_modes(search, best);
  improve_cuts(search, best);
}

/// Every piece may be a transfer of its own.
static void give_room(const transfer_search *search) {
  xc_schedule *schedule = search->schedule;
  schedule->num_pieces = search->count;
  schedule->pieces = xc_realloc_array(schedule->pieces, search->count,
                                      sizeof *schedule->pieces);
  schedule->transfers = xc_realloc_array(schedule->transfers, search->count,
                                         sizeof *schedule->transfers);
}

int64_t xc_join_parameters(xc_schedule *schedule,
                           xc_schedule_estimator estimator, int64_t cycles,
                           xc_join_effort effort) {
  transfer_search search =
      begin_search(schedule, estimator, cycles, MAX_ESTIMATED);
  give_room(&search);
  return choose(&search, effort == XC_JOIN_BEST ? choose_best : try_sizes);
}

/// Takes the modes that the schedule has. Pieces that are new come with the one
/// before.
static void read_modes(transfer_search *search) {
  const xc_schedule *schedule = search->schedule;
  for (size_t p = 0; p < search->count; ++p) {
    joint_piece *piece = &search->pieces[p];
    const xc_unit *unit = &schedule->units.items[piece->unit];
    size_t number = unit->pieces[piece->key.bank];
    bool can_join = can_continue(search, p) && piece[-1].mode != BY_ITSELF;
    piece->mode = number && can_join ? CONTINUES : BY_ITSELF;
    if (!number || number == XC_PIECE_OF_NEW_UNIT)
      continue;
    const xc_parameter_piece *joint = &schedule->pieces[number - 1];
    bool begins = schedule->transfers[joint->transfer].first == number - 1;
    if (begins || !can_join)
      piece->mode = BEGINS;
    search->has_tails |= joint->tail_words > 0;
  }
}

int64_t xc_price_transfers(xc_schedule *schedule,
                           xc_schedule_estimator estimator) {
  transfer_search search = begin_search(schedule, estimator, 0, 0);
  read_modes(&search);
  give_room(&search);
  apply(&search);
  int64_t cycles = is_valid(schedule) ? cycles_of(&search) : XC_CANNOT_ENCODE;
  free(search.pieces);
  free(search.of_units);
  return cycles;
}

static void improve_modes(transfer_search *search, piece_mode *best) {
  enum { ROUNDS = 8 };
  for (int round = 0; round < ROUNDS; ++round) {
    bool is_better = try_late_parameters(search, best);
    if (!try_all_cuts(search, best) && !is_better)
      return;
  }
}

int64_t xc_improve_transfers(xc_schedule *schedule,
                             xc_schedule_estimator estimator, int64_t cycles,
                             XcDpuEffort effort) {
  int64_t budget = effort > XcDpuEffortDefault ? MAX_OF_MORE : MAX_OF_BEST;
  transfer_search search = begin_search(schedule, estimator, cycles, budget);
  read_modes(&search);
  give_room(&search);
  return choose(&search, improve_modes);
}
