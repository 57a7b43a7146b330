//===- Parameters.c - LOADs of parameters ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer of the schedule brings the parameters of several units. They lie
// in DDR as in the banks, one bank after the other, so that one LOAD fills the
// words of all its pieces in a bank. If a piece is needed again that the banks
// have lost, it is loaded with everything that follows it in its transfer.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Target/DPU/CodeGen/Schedule/Transfers.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Parameters that are in the rings already
//===----------------------------------------------------------------------===//

int32_t xc_conv_in_channels(const XcDpuTarget *target, const xc_unit *unit) {
  return unit->kind->is_diagonal ? target->channelParallel
                                 : xc_weight_inputs(target, unit);
}

int32_t xc_conv_weight_channels(const XcDpuTarget *target,
                                const xc_unit *unit) {
  const xc_tile_request *request = &unit->plan.request;
  return (request->columns - 1) * request->out_groups *
             target->channelParallel +
         unit->parameter_channels;
}

static xc_ring_key key_of(const xc_unit *unit, xc_parameter_bank bank) {
  xc_ring_key key;
  memset(&key, 0, sizeof key);
  key.first_channel = unit->first_channel;
  key.channels = unit->layer.output.channels;
  key.source = unit->layer.bias;
  if (bank == XC_PARAMETERS_BIAS) // the same for all kinds
    return key;
  key.kind = unit->layer.kind;
  key.source = unit->layer.weights;
  key.step = unit->layer.weightsLayout.step;
  return key;
}

int32_t xc_num_weight_parts(const xc_unit *unit) {
  return unit->plan.tiles.num_chunks + (unit->layer.weightsLayout.tail > 0);
}

xc_ring_key xc_weights_key(const XcDpuTarget *target, const xc_unit *unit,
                           int32_t part) {
  const xc_tile_request *request = &unit->plan.request;
  bool has_tail = unit->layer.weightsLayout.tail > 0;
  int32_t chunks = unit->plan.tiles.num_chunks;
  xc_ring_key key = key_of(unit, XC_PARAMETERS_WEIGHTS);
  int32_t chunk_groups = unit->plan.tiles.chunk_groups;
  key.in_channels = xc_conv_in_channels(target, unit);
  key.all_channels = xc_conv_weight_channels(target, unit);
  key.columns = request->columns;
  key.words = request->weight_words / request->columns;
  if (part == chunks) {
    key.first_group = request->out_groups * request->columns - 1;
    key.groups = 1;
    return key;
  }
  key.first_group = part * chunk_groups;
  key.groups = xc_minimum(chunk_groups, request->out_groups - key.first_group) *
                   request->columns -
               (has_tail && part + 1 == chunks);
  return key;
}

xc_ring_key xc_channels_key(const xc_unit *unit, xc_parameter_bank bank,
                            int32_t words) {
  xc_ring_key key = key_of(unit, bank);
  key.groups = words;
  key.words = 1;
  return key;
}

static xc_ring *ring_of(xc_emission *gen, xc_parameter_bank bank) {
  switch (bank) {
  case XC_PARAMETERS_BIAS:
    return &gen->bias;
  case XC_PARAMETERS_DEPTHWISE:
    return &gen->depthwise_weights;
  default:
    return &gen->weights;
  }
}

/// How many parts of a unit's piece are noted one by one.
static int32_t num_keys(const xc_unit *unit, xc_parameter_bank bank) {
  return bank == XC_PARAMETERS_WEIGHTS ? xc_num_weight_parts(unit) : 1;
}

static xc_ring_key nth_key(const XcDpuTarget *target, const xc_unit *unit,
                           xc_parameter_bank bank, int32_t n) {
  if (bank == XC_PARAMETERS_WEIGHTS)
    return xc_weights_key(target, unit, n);
  return xc_channels_key(unit, bank,
                         unit->engine->joint_words(target, unit, bank));
}

static bool is_there(xc_emission *gen, const xc_unit *unit,
                     xc_parameter_bank bank) {
  for (int32_t n = 0; n < num_keys(unit, bank); ++n) {
    xc_ring_key key = nth_key(gen->target, unit, bank, n);
    uint32_t address;
    if (key.groups > 0 && !xc_ring_find(ring_of(gen, bank), &key, &address))
      return false;
  }
  return true;
}

/// Takes words for the tail of a unit's piece, or for the rest of it.
static void put(xc_emission *gen, const xc_schedule *schedule,
                const xc_unit *unit, xc_parameter_bank bank, bool is_tail) {
  const xc_parameter_piece *piece = &schedule->pieces[unit->pieces[bank] - 1];
  int32_t count = num_keys(unit, bank);
  int32_t tails = piece->words == piece->tail_words ? count
                  : piece->tail_words > 0           ? 1
                                                    : 0;
  int32_t end = is_tail ? count : count - tails;
  for (int32_t n = is_tail ? count - tails : 0; n < end; ++n) {
    xc_ring_key key = nth_key(gen->target, unit, bank, n);
    if (key.groups > 0)
      xc_ring_put(ring_of(gen, bank), &key, (uint32_t)(key.groups * key.words));
  }
}

/// Takes words for the pieces of a transfer, from the piece of `unit` on, with
/// their tails. Returns the address of the first word.
static uint32_t put_pieces(xc_emission *gen, const xc_schedule *schedule,
                           const xc_parameter_transfer *transfer,
                           const xc_unit *unit) {
  xc_parameter_bank bank = transfer->bank;
  const xc_unit *units = schedule->units.items;
  size_t own = unit->pieces[bank] - 1;
  uint32_t address = xc_ring_take(ring_of(gen, bank), 0);
  put(gen, schedule, unit, bank, false);
  for (size_t p = own + 1; p <= transfer->last; ++p)
    put(gen, schedule, &units[schedule->pieces[p].unit], bank, false);
  for (size_t p = transfer->first; p <= transfer->last; ++p)
    put(gen, schedule, p == own ? unit : &units[schedule->pieces[p].unit], bank,
        true);
  return address;
}

//===----------------------------------------------------------------------===//
// LOADs
//===----------------------------------------------------------------------===//

/// A transfer to one bank: runs of bytes, each of which begins in a word of its
/// own.
typedef struct bank_runs {
  uint32_t reg, source, step;
  int32_t run, count;
  uint32_t bank, address;
} bank_runs;

static void load_runs(xc_emission *gen, const bank_runs *runs, uint32_t depth) {
  int32_t most = gen->max_length;
  uint32_t words = (uint32_t)xc_words_of(gen->target, runs->run);
  for (int32_t done = 0, now; done < runs->count; done += now) {
    now = xc_minimum(runs->count - done, most);
    XcDpuLoad load = {
        .bank_id = runs->bank,
        .bank_addr = (runs->address + (uint32_t)done * words) % depth,
        .jump_read = runs->step,
        .jump_write = words,
        .pad_idx = 1,
        .channel = (uint32_t)runs->run,
        .length = (uint32_t)now,
        .reg_id = runs->reg,
        .ddr_addr = runs->source + (uint32_t)done * runs->step,
    };
    xc_code_load(&gen->code, &load);
  }
}

/// How many of the unit's groups of output channels a bank has.
static int32_t lane_groups(const XcDpuTarget *target, const xc_unit *unit,
                           int32_t lane) {
  int32_t lanes = target->weights.numBanks;
  int32_t channels = xc_conv_weight_channels(target, unit);
  return channels / lanes + (lane < channels % lanes);
}

void xc_load_joint_weights(xc_emitter *e, int32_t first, int32_t count,
                           uint32_t address) {
  const XcDpuTarget *target = e->gen->target;
  const XcDpuJointLayout *layout = &e->unit->layer.weightsLayout;
  int32_t pixels = e->conv.kernel_pixels;
  bool is_tail = layout->tail > 0 &&
                 first == e->conv.weight_channels / target->weights.numBanks;
  for (int32_t lane = 0; lane < target->weights.numBanks; ++lane) {
    int32_t groups =
        xc_minimum(first + count, lane_groups(target, e->unit, lane)) - first;
    uint32_t offset =
        is_tail ? layout->tail : (uint32_t)(first * pixels) * layout->step;
    bank_runs runs = {
        .reg = (uint32_t)target->weightsRegister[0],
        .source = e->unit->layer.weights +
                  (uint32_t)xcDpuJointOffset(layout, (uint32_t)lane) + offset,
        .step = layout->step,
        .run = e->conv.in_channels,
        .count = groups * pixels,
        .bank = (uint32_t)(target->weights.firstBank + lane),
        .address = address};
    load_runs(e->gen, &runs, e->gen->weights.depth);
  }
}

/// Loads the pieces of a transfer from `first` on, which is that of `unit`.
static void load_pieces(xc_emission *gen, const xc_schedule *schedule,
                        size_t first, const xc_unit *unit) {
  const XcDpuTarget *target = gen->target;
  const xc_parameter_piece *pieces = schedule->pieces;
  const xc_parameter_transfer *transfer =
      &schedule->transfers[pieces[first].transfer];
  xc_parameter_bank bank = transfer->bank;
  uint32_t address = put_pieces(gen, schedule, transfer, unit);
  bool is_weights = bank == XC_PARAMETERS_WEIGHTS;
  const XcDpuBanks *banks = is_weights ? &target->weights
                            : bank == XC_PARAMETERS_BIAS
                                ? &target->bias
                                : &target->depthwiseWeights;
  int32_t begin = pieces[first].offset;
  int32_t words = xc_words_of(target, transfer->channels);
  XcDpuJointLayout layout = xc_transfer_layout(schedule, transfer);
  for (int32_t lane = 0; lane < transfer->lanes; ++lane) {
    bank_runs runs = {
        .reg = (uint32_t)(is_weights ? target->weightsRegister[0]
                                     : target->parametersRegister),
        .source = transfer->address +
                  (uint32_t)(xc_transfer_bytes(schedule, transfer, begin) +
                             xcDpuJointOffset(&layout, (uint32_t)lane)),
        .step = (uint32_t)transfer->channels,
        .run = transfer->channels,
        .count = (xc_lane_words(transfer, lane) - begin) / words,
        .bank = (uint32_t)(banks->firstBank + lane),
        .address = address};
    load_runs(gen, &runs, ring_of(gen, bank)->depth);
  }
}

void xc_load_transfers(xc_emission *gen, const xc_schedule *schedule,
                       size_t first, size_t count) {
  for (size_t u = first; u < first + count; ++u) {
    const xc_unit *unit = &schedule->units.items[u];
    for (int bank = 0; bank < XC_NUM_PARAMETER_BANKS; ++bank)
      if (unit->pieces[bank] && !is_there(gen, unit, (xc_parameter_bank)bank))
        load_pieces(gen, schedule, unit->pieces[bank] - 1, unit);
  }
}

/// Whether none of the units has to load weights: frames of a batch, which the
/// banks would not hold twice.
static bool have_weights(xc_emission *gen, const xc_unit *units, size_t count) {
  for (size_t u = 0; u < count; ++u)
    if (units[u].plan.weight_words > 0 &&
        !is_there(gen, &units[u], XC_PARAMETERS_WEIGHTS))
      return false;
  return true;
}

void xc_reserve_parameters(xc_emission *gen, const xc_schedule *schedule,
                           size_t first, size_t count) {
  const xc_unit *units = &schedule->units.items[first];
  for (int bank = 0; bank < XC_NUM_PARAMETER_BANKS; ++bank) {
    xc_ring *ring = ring_of(gen, (xc_parameter_bank)bank);
    xc_ring_reserve(ring, 0);
    if (bank != XC_PARAMETERS_WEIGHTS || !have_weights(gen, units, count))
      xc_ring_reserve(ring,
                      (uint64_t)xc_parameter_words(schedule, first, count,
                                                   (xc_parameter_bank)bank));
  }
}
