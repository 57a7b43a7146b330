//===- TransferPieces.c - pieces of transfers, and their layout -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferPieces.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_LANES = 3 };

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

static xc_piece_key key_of(const XcDpuTarget *target, const xc_unit *unit,
                           xc_parameter_bank bank) {
  bool is_bias = bank == XC_PARAMETERS_BIAS;
  xc_piece_key key;
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
                     xc_joint_piece *piece) {
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
  const xc_joint_piece *x = a, *y = b;
  int order = memcmp(&x->key, &y->key, sizeof x->key);
  return order ? order : (x->unit > y->unit) - (x->unit < y->unit);
}

static int compare_units(const void *a, const void *b) {
  const xc_joint_piece *x = *(const xc_joint_piece *const *)a;
  const xc_joint_piece *y = *(const xc_joint_piece *const *)b;
  if (x->key.bank != y->key.bank)
    return x->key.bank < y->key.bank ? -1 : 1;
  return (x->unit > y->unit) - (x->unit < y->unit);
}

/// Everything that a unit may have from a transfer.
static xc_joint_piece *list_uses(const xc_schedule *schedule, size_t *count) {
  const xc_units *units = &schedule->units;
  xc_joint_piece *uses =
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
          (xc_joint_piece){.key = key_of(schedule->target, unit, now),
                           .unit = u,
                           .words = words,
                           .lanes = lanes_of(schedule->target, unit, now)};
      set_tail(schedule->target, unit, &uses[(*count)++]);
    }
  return uses;
}

xc_joint_pieces xc_pieces_collect(xc_schedule *schedule) {
  xc_joint_pieces result = {.schedule = schedule}, *all = &result;
  size_t num_uses, num_units = schedule->units.count;
  xc_joint_piece *uses = list_uses(schedule, &num_uses);
  const xc_joint_piece **first = xc_alloc_array(num_uses, sizeof *first);
  all->of_units = xc_alloc_array(num_units, sizeof *all->of_units);
  memset(all->of_units, 0, num_units * sizeof *all->of_units);
  if (num_uses > 1)
    qsort(uses, num_uses, sizeof *uses, compare_keys);
  for (size_t i = 0; i < num_uses; ++i)
    if (i == 0 || memcmp(&uses[i].key, &uses[i - 1].key, sizeof uses->key) != 0)
      first[all->count++] = &uses[i];
  if (all->count > 1)
    qsort(first, all->count, sizeof *first, compare_units);
  all->items = xc_alloc_array(all->count, sizeof *all->items);
  for (size_t p = 0; p < all->count; ++p) {
    all->items[p] = *first[p];
    for (const xc_joint_piece *use = first[p];
         use < uses + num_uses &&
         memcmp(&use->key, &first[p]->key, sizeof use->key) == 0;
         ++use)
      all->of_units[use->unit][use->key.bank] = p + 1;
  }
  free(first);
  free(uses);
  return result;
}

void xc_pieces_free(xc_joint_pieces *all) {
  free(all->items);
  free(all->of_units);
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

bool xc_piece_can_continue(const xc_joint_pieces *all, size_t p) {
  return p > 0 && all->items[p].key.bank == all->items[p - 1].key.bank;
}

//===----------------------------------------------------------------------===//
// The schedule with transfers
//===----------------------------------------------------------------------===//

/// Returns the number of bytes of the pixels by which all pieces can be loaded:
/// whole runs if all have the same length, else words.
static int32_t channels_of(const XcDpuTarget *target,
                           const xc_joint_piece *piece,
                           const xc_joint_piece *end) {
  int32_t width = target->channelParallel, channels = piece->key.run;
  bool is_same = true;
  for (const xc_joint_piece *p = piece + 1;
       p < end && p->mode == XC_PIECE_CONTINUES; ++p) {
    is_same &= p->key.run == piece->key.run;
    channels = xc_maximum(channels, p->key.run);
  }
  return is_same || channels < width ? channels : width;
}

static void add_piece(const xc_joint_pieces *all, size_t number) {
  xc_schedule *schedule = all->schedule;
  const xc_joint_piece *piece = &all->items[number];
  int32_t tail_words = all->has_tails ? piece->tail_words : 0;
  if (piece->mode == XC_PIECE_BEGINS)
    schedule->transfers[schedule->num_transfers++] = (xc_parameter_transfer){
        .bank = (xc_parameter_bank)piece->key.bank,
        .first = number,
        .channels =
            channels_of(schedule->target, piece, all->items + all->count)};
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

void xc_pieces_apply(const xc_joint_pieces *all) {
  xc_schedule *schedule = all->schedule;
  schedule->num_transfers = 0;
  for (size_t p = 0; p < all->count; ++p)
    if (all->items[p].mode != XC_PIECE_BY_ITSELF)
      add_piece(all, p);
  for (size_t t = 0; t < schedule->num_transfers; ++t)
    add_tails(schedule, &schedule->transfers[t]);
  for (size_t u = 0; u < schedule->units.count; ++u) {
    xc_unit *unit = &schedule->units.items[u];
    unit->layer.weightsLayout = (XcDpuJointLayout){0};
    for (int bank = 0; bank < XC_NUM_PARAMETER_BANKS; ++bank) {
      size_t p = all->of_units[u][bank];
      bool is_joint = p && all->items[p - 1].mode != XC_PIECE_BY_ITSELF;
      unit->pieces[bank] = is_joint ? p : 0;
      if (is_joint && bank != XC_PARAMETERS_BIAS)
        unit->layer.weightsLayout = layout_of(
            schedule, &schedule->pieces[p - 1], all->items[p - 1].key.run);
    }
  }
}

bool xc_transfers_fit(const xc_schedule *schedule) {
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

void xc_pieces_read_modes(xc_joint_pieces *all) {
  const xc_schedule *schedule = all->schedule;
  for (size_t p = 0; p < all->count; ++p) {
    xc_joint_piece *piece = &all->items[p];
    const xc_unit *unit = &schedule->units.items[piece->unit];
    size_t number = unit->pieces[piece->key.bank];
    bool can_join =
        xc_piece_can_continue(all, p) && piece[-1].mode != XC_PIECE_BY_ITSELF;
    piece->mode = number && can_join ? XC_PIECE_CONTINUES : XC_PIECE_BY_ITSELF;
    if (!number || number == XC_PIECE_OF_NEW_UNIT)
      continue;
    const xc_parameter_piece *joint = &schedule->pieces[number - 1];
    bool begins = schedule->transfers[joint->transfer].first == number - 1;
    if (begins || !can_join)
      piece->mode = XC_PIECE_BEGINS;
    all->has_tails |= joint->tail_words > 0;
  }
}

void xc_pieces_give_room(const xc_joint_pieces *all) {
  xc_schedule *schedule = all->schedule;
  // Every piece may be a transfer of its own.
  schedule->num_pieces = all->count;
  schedule->pieces =
      xc_realloc_array(schedule->pieces, all->count, sizeof *schedule->pieces);
  schedule->transfers = xc_realloc_array(schedule->transfers, all->count,
                                         sizeof *schedule->transfers);
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
