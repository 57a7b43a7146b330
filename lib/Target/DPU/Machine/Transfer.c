//===- Transfer.c - LOAD and SAVE -----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Machine.h"
#include "Walk.h"

enum { ARGMAX_ENABLE = 2 };

//===----------------------------------------------------------------------===//
// DDR
//===----------------------------------------------------------------------===//

static bool set_range(xc_ddr_range *range, uint32_t address) {
  range->begin = address;
  range->end = address + (uint64_t)(range->rows - 1) * range->row_step +
               (uint64_t)(range->length - 1) * range->step + range->channel;
  return true;
}

/// Output channels of a broadcast LOAD that come from each register at most.
static uint32_t channels_per_register(const XcDpuTarget *target) {
  return (uint32_t)(target->outputChannelParallel /
                    target->numWeightsRegisters);
}

static bool load_ddr(const XcDpuTarget *target, const xc_op *op,
                     unsigned number, xc_ddr_range *range) {
  const XcDpuLoad *load = &op->insn.load;
  if (xc_load_is_constant(load))
    return false;
  *range = (xc_ddr_range){.reg = number ? load->reg_id_1 : load->reg_id,
                          .length = load->length,
                          .step = load->jump_read,
                          .channel = load->channel,
                          .rows = 1};
  if (!xc_load_is_broadcast(target, load))
    return number == 0 && set_range(range, load->ddr_addr);
  uint32_t most = channels_per_register(target);
  if (number > 1 || load->output_channel_num <= number * most)
    return false;
  range->rows = load->output_channel_num - number * most;
  range->rows = range->rows < most ? range->rows : most;
  range->row_step = load->jump_read_endl;
  return set_range(range, number ? load->ddr_addr_1 : load->ddr_addr);
}

static bool save_ddr(const XcDpuTarget *target, const xc_op *op,
                     unsigned number, xc_ddr_range *range) {
  (void)target;
  const XcDpuSave *save = &op->insn.save;
  // An argmax writes one byte per pixel.
  bool one = !save->const_en && (save->argmax & ARGMAX_ENABLE) != 0;
  *range = (xc_ddr_range){.reg = save->reg_id,
                          .length = save->length,
                          .step = save->jump_write,
                          .channel = one ? 1 : save->channel,
                          .rows = 1};
  return number == 0 && set_range(range, save->ddr_addr);
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

static void load_writes(const XcDpuTarget *target, const xc_op *op,
                        xc_run_handler handler, void *context) {
  const XcDpuLoad *load = &op->insn.load;
  xc_run run = {.role = XC_ROLE_OUTPUT,
                .bank = load->bank_id,
                .address = load->bank_addr,
                .step = load->jump_write,
                .column_step = 1,
                .count = load->length,
                .words = xc_words_of_bytes(target, load->channel),
                .source_reg = load->reg_id,
                .source = load->ddr_addr,
                .source_step = load->jump_read};
  if (!xc_load_is_broadcast(target, load)) {
    handler(context, &run);
    return;
  }
  xc_ddr_range range;
  uint32_t bank = (uint32_t)target->weights.firstBank;
  for (unsigned number = 0; load_ddr(target, op, number, &range); ++number) {
    run.source_reg = range.reg;
    for (uint32_t o = 0; o < range.rows; ++o) {
      run.bank = bank++;
      run.source = (uint32_t)range.begin + o * range.row_step;
      handler(context, &run);
    }
  }
}

static void save_reads(const XcDpuTarget *target, const xc_op *op,
                       xc_run_handler handler, void *context) {
  const XcDpuSave *save = &op->insn.save;
  if (save->const_en)
    return;
  xc_run run = {.role = XC_ROLE_INPUT,
                .bank = save->bank_id,
                .address = save->bank_addr,
                .step = save->jump_read,
                .column_step = 1,
                .count = save->length,
                .words = xc_words_of_bytes(target, save->channel)};
  handler(context, &run);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// The mask at the end must leave something of the last pixel.
static bool check_mask(const XcDpuTarget *target, const XcDpuLoad *load,
                       xc_text *why) {
  if (!xc_machine_of(target)->checks_masks || !xc_load_is_masked(load))
    return true;
  int64_t bytes = (int64_t)xc_words_of_bytes(target, load->channel) *
                  target->channelParallel;
  int64_t end = load->pad_end + (load->pad_idx - INT64_C(1)) * load->jump_read;
  return xc_check_range(why, "pad_start", load->pad_start, 0,
                        (int64_t)load->channel - 1) &&
         xc_check_range(why, "pad_end + (pad_idx - 1) * jump_read", end, 0,
                        bytes - 1);
}

static bool check_load(const XcDpuTarget *target, const xc_op *op,
                       xc_text *why) {
  const XcDpuLoad *load = &op->insn.load;
  if (xc_load_is_constant(load) && !target->constantLoad) {
    xc_text_printf(why, "target '%s' cannot load constants", target->name);
    return false;
  }
  if (!xc_check_range(why, "mode_avg", load->mode_avg, 0, 0))
    return false;
  if (xc_load_is_broadcast(target, load))
    return xc_check_range(why, "output_channel_num", load->output_channel_num,
                          1, target->outputChannelParallel);
  return xc_check_range(why, "bank_id", load->bank_id, 0,
                        target->derived.numBanks - 1) &&
         check_mask(target, load, why);
}

static bool check_save(const XcDpuTarget *target, const xc_op *op,
                       xc_text *why) {
  const XcDpuSave *save = &op->insn.save;
  if ((save->argmax & ARGMAX_ENABLE) != 0 && !target->argmax) {
    xc_text_printf(why, "target '%s' has no argmax", target->name);
    return false;
  }
  return xc_check_image_bank(target, why, "bank_id", save->bank_id) &&
         xc_check_range(why, "hp_id", save->hp_id, 0, target->savePorts - 1);
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

static uint64_t round_up(uint64_t bytes, int32_t burst) {
  uint64_t unit = burst > 0 ? (uint64_t)burst : 1;
  return (bytes + unit - 1) / unit * unit;
}

/// Pixels, and rows of them, that follow each other directly are one run.
static uint64_t range_bytes(const XcDpuTarget *target,
                            const xc_ddr_range *range) {
  int32_t burst = target->timing.burstBytes;
  uint64_t pixels = (uint64_t)range->length * range->channel;
  if (range->step != range->channel)
    return (uint64_t)range->rows * range->length *
           round_up(range->channel, burst);
  if (range->row_step == pixels)
    return round_up(range->rows * pixels, burst);
  return range->rows * round_up(pixels, burst);
}

/// Adds the bytes of all ranges to the cost: ranges move side by side, each
/// through a port of its own, if they are apart, else one after the other.
static void add_ranges(const XcDpuTarget *target, const xc_op *op,
                       xc_cost *cost) {
  xc_ddr_range range;
  for (unsigned number = 0; xc_op_ddr(target, op, number, &range); ++number) {
    uint64_t bytes = range_bytes(target, &range);
    cost->traffic += bytes;
    if (!cost->is_apart)
      cost->bytes += bytes;
    else if (bytes > cost->bytes)
      cost->bytes = bytes;
  }
}

static xc_cost load_cost(const XcDpuTarget *target, const xc_op *op) {
  const XcDpuLoad *load = &op->insn.load;
  const XcDpuTiming *timing = &target->timing;
  xc_cost cost = {.fixed = timing->loadStart,
                  .max_rate = timing->loadBytesPerCycle,
                  .is_apart = xc_register_is_apart(target, load->reg_id)};
  if (xc_load_is_constant(load)) {
    // Nothing moves; the bank takes one word per cycle.
    cost.fixed +=
        (double)load->length * xc_words_of_bytes(target, load->channel);
    return cost;
  }
  // Several banks take more than one does.
  if (cost.is_apart && xc_load_is_broadcast(target, load))
    cost.max_rate = timing->weightsBytesPerCycle;
  add_ranges(target, op, &cost);
  return cost;
}

static xc_cost save_cost(const XcDpuTarget *target, const xc_op *op) {
  xc_cost cost = {.fixed = target->timing.saveStart,
                  .max_rate = target->timing.saveBytesPerCycle};
  add_ranges(target, op, &cost);
  return cost;
}

const xc_operation xc_operation_load = {
    .class = XC_OP_LOAD,
    .check = check_load,
    .writes = load_writes,
    .ddr = load_ddr,
    .cost = load_cost,
};

const xc_operation xc_operation_save = {
    .class = XC_OP_SAVE,
    .check = check_save,
    .reads = save_reads,
    .ddr = save_ddr,
    .cost = save_cost,
};

//===----------------------------------------------------------------------===//
// Instructions that move nothing
//===----------------------------------------------------------------------===//

static xc_cost init_cost(const XcDpuTarget *target, const xc_op *op) {
  (void)op;
  return (xc_cost){.fixed = target->timing.initCycles};
}

static xc_cost end_cost(const XcDpuTarget *target, const xc_op *op) {
  (void)op;
  return (xc_cost){.fixed = target->timing.endCycles};
}

/// Registers are checked with the instructions that use them.
const xc_operation xc_operation_init = {.class = XC_OP_INIT, .cost = init_cost};

const xc_operation xc_operation_end = {.class = XC_OP_END, .cost = end_cost};

//===----------------------------------------------------------------------===//
// Masked bytes
//===----------------------------------------------------------------------===//

void xc_load_unmasked(const XcDpuTarget *target, const XcDpuLoad *load,
                      int64_t *begin, int64_t *end) {
  int64_t width = target->channelParallel, step = load->jump_read;
  int64_t whole = (int64_t)load->length - load->pad_idx;
  int64_t words = (load->channel + width - 1) / width;
  int64_t all = ((int64_t)load->length - 1) * step + load->channel;
  int64_t before = whole > 0 ? (whole - 1) * step + load->channel : 0;
  *end = whole * step + words * width - load->pad_end;
  *end = *end > before ? *end : before;
  *end = *end < all ? *end : all;
  *begin = load->pad_start < *end ? load->pad_start : *end;
}

bool xc_load_is_all_masked(const XcDpuTarget *target, const XcDpuLoad *load) {
  int64_t begin, end;
  if (!xc_load_is_masked(load) || xc_load_is_broadcast(target, load))
    return false;
  xc_load_unmasked(target, load, &begin, &end);
  return begin == end;
}

uint64_t xc_op_ddr_end(const XcDpuTarget *target, const xc_op *op,
                       const xc_ddr_range *range) {
  const XcDpuLoad *load = &op->insn.load;
  int64_t begin, end;
  if (op->kind->class != XC_OP_LOAD || !xc_load_is_masked(load) ||
      xc_load_is_broadcast(target, load))
    return range->end;
  xc_load_unmasked(target, load, &begin, &end);
  return range->begin + (uint64_t)end;
}
