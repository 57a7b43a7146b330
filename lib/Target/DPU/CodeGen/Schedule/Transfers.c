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

#include "TransferPieces.h"

#include "Target/DPU/CodeGen/Order/Dependences.h"

#include <stdlib.h>

/// The budget for finding better cuts, in instructions that are estimated: for
/// each schedule that is finished, for the best one, and for the best one with
/// more effort.
enum { MAX_ESTIMATED = 100000, MAX_OF_BEST = 500000, MAX_OF_MORE = 4000000 };

typedef struct transfer_search {
  xc_joint_pieces all;
  xc_schedule_estimator estimator;
  int64_t cycles; // of the best modes so far
  /// Instructions of one estimate, of all, and those that may be.
  int64_t size, estimated, budget;
} transfer_search;

static int64_t cycles_of(transfer_search *search) {
  const xc_schedule *schedule = search->all.schedule;
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

static void copy_modes(const transfer_search *search, xc_piece_mode *modes) {
  for (size_t p = 0; p < search->all.count; ++p)
    modes[p] = search->all.items[p].mode;
}

static void set_modes(transfer_search *search, const xc_piece_mode *modes) {
  for (size_t p = 0; p < search->all.count; ++p)
    search->all.items[p].mode = modes[p];
}

/// Drops transfers of one piece to one bank, which save no LOAD.
static void drop_single_pieces(transfer_search *search) {
  for (size_t p = 0; p < search->all.count; ++p) {
    xc_joint_piece *piece = &search->all.items[p];
    bool is_alone =
        p + 1 == search->all.count || piece[1].mode != XC_PIECE_CONTINUES;
    if (piece->mode == XC_PIECE_BEGINS && is_alone &&
        piece->key.bank != XC_PARAMETERS_WEIGHTS)
      piece->mode = XC_PIECE_BY_ITSELF;
  }
}

/// Whether the current modes are better than `best`. The better ones of both
/// are then current and `best`.
static bool try_modes(transfer_search *search, xc_piece_mode *best) {
  drop_single_pieces(search);
  xc_pieces_apply(&search->all);
  int64_t cycles = xc_transfers_fit(search->all.schedule) ? cycles_of(search)
                                                          : XC_CANNOT_ENCODE;
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
  for (size_t p = 0; p < search->all.count; ++p) {
    xc_joint_piece *piece = &search->all.items[p];
    if (p > 0 && piece->key.bank != search->all.items[p - 1].key.bank)
      begin = p;
    bool is_late = piece->key.bank != XC_PARAMETERS_BIAS && p < begin + first;
    piece->mode =
        is_late || piece->words > words ? XC_PIECE_BY_ITSELF : XC_PIECE_BEGINS;
    if (piece->mode == XC_PIECE_BEGINS &&
        xc_piece_can_continue(&search->all, p) &&
        piece[-1].mode != XC_PIECE_BY_ITSELF && taken + piece->words <= words)
      piece->mode = XC_PIECE_CONTINUES;
    taken = (piece->mode == XC_PIECE_CONTINUES ? taken : 0) + piece->words;
  }
}

static void try_sizes(transfer_search *search, xc_piece_mode *best) {
  enum { SMALLEST = 32, FIRST = 2 };
  int32_t depth = search->all.schedule->target->weights.depth;
  for (size_t first = 0; first <= FIRST; ++first)
    for (int32_t words = depth / 2;
         words >= SMALLEST && search->estimated < search->budget; words /= 4) {
      cut_at_size(search, first, words);
      try_modes(search, best);
    }
}

/// Tries other modes of the piece at `p`, which may join what comes before and
/// after it. Returns whether one is better.
static bool try_cuts(transfer_search *search, size_t p, xc_piece_mode *best) {
  bool is_better = false;
  for (int mode = XC_PIECE_BY_ITSELF; mode <= XC_PIECE_CONTINUES; ++mode) {
    xc_joint_piece *piece = &search->all.items[p];
    xc_piece_mode now = (xc_piece_mode)mode;
    if (now == piece->mode ||
        (now == XC_PIECE_CONTINUES && !xc_piece_can_continue(&search->all, p)))
      continue;
    piece->mode = now;
    if (now == XC_PIECE_CONTINUES && piece[-1].mode == XC_PIECE_BY_ITSELF)
      piece[-1].mode = XC_PIECE_BEGINS;
    if (now == XC_PIECE_BY_ITSELF && p + 1 < search->all.count &&
        piece[1].mode == XC_PIECE_CONTINUES)
      piece[1].mode = XC_PIECE_BEGINS;
    is_better |= try_modes(search, best);
  }
  return is_better;
}

/// Begins with the last piece, as the first ones are waited for most.
static bool try_all_cuts(transfer_search *search, xc_piece_mode *best) {
  bool is_better = false;
  for (size_t p = search->all.count;
       p-- > 0 && search->estimated < search->budget;)
    is_better |= try_cuts(search, p, best);
  return is_better;
}

static void improve_cuts(transfer_search *search, xc_piece_mode *best) {
  enum { ROUNDS = 4 };
  for (int round = 0; round < ROUNDS; ++round)
    if (!try_all_cuts(search, best))
      return;
}

/// Exchanges late and early parameters of each cascade. Returns whether that is
/// better for any.
static bool try_late_parameters(transfer_search *search, xc_piece_mode *best) {
  xc_units *units = &search->all.schedule->units;
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
  return (transfer_search){.all = xc_pieces_collect(schedule),
                           .estimator = estimator,
                           .cycles = cycles,
                           .size = size,
                           .estimated = size,
                           .budget = budget};
}

typedef void (*choose_modes)(transfer_search *search, xc_piece_mode *best);

/// Searches from the modes that the pieces have. Returns the cycles of the best
/// modes, which the schedule takes.
static int64_t choose(transfer_search *search, choose_modes choose_from) {
  xc_fixed_needs fixed = {0};
  xc_piece_mode *best = xc_alloc_array(search->all.count, sizeof *best);
  search->all.schedule->fixed_needs = &fixed;
  copy_modes(search, best);
  if (search->all.count > 0)
    choose_from(search, best);
  set_modes(search, best);
  xc_pieces_apply(&search->all);
  search->all.schedule->fixed_needs = NULL;
  xc_fixed_needs_free(&fixed);
  free(best);
  xc_pieces_free(&search->all);
  return search->cycles;
}

static void choose_best(transfer_search *search, xc_piece_mode *best) {
  try_sizes(search, best);
  improve_cuts(search, best);
  search->all.has_tails = true;
  try_modes(search, best);
  improve_cuts(search, best);
}

int64_t xc_join_parameters(xc_schedule *schedule,
                           xc_schedule_estimator estimator, int64_t cycles,
                           xc_join_effort effort) {
  transfer_search search =
      begin_search(schedule, estimator, cycles, MAX_ESTIMATED);
  xc_pieces_give_room(&search.all);
  return choose(&search, effort == XC_JOIN_BEST ? choose_best : try_sizes);
}

int64_t xc_price_transfers(xc_schedule *schedule,
                           xc_schedule_estimator estimator) {
  transfer_search search = begin_search(schedule, estimator, 0, 0);
  xc_pieces_read_modes(&search.all);
  xc_pieces_give_room(&search.all);
  xc_pieces_apply(&search.all);
  int64_t cycles =
      xc_transfers_fit(schedule) ? cycles_of(&search) : XC_CANNOT_ENCODE;
  xc_pieces_free(&search.all);
  return cycles;
}

static void improve_modes(transfer_search *search, xc_piece_mode *best) {
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
  xc_pieces_read_modes(&search.all);
  xc_pieces_give_room(&search.all);
  return choose(&search, improve_modes);
}
