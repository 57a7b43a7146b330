//===- Gather.c - windows of the misc engine ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gather.h"

#include <string.h>

enum {
  /// Products of two bytes that a 32-bit sum can take.
  MAX_PRODUCTS = 1 << 16,
};

static void flush_sums(xc_gather *gather) {
  for (size_t c = 0; c < gather->channels; ++c)
    gather->totals[c] += gather->sums[c];
  memset(gather->sums, 0, gather->channels * sizeof *gather->sums);
  gather->products = 0;
}

/// One weight of 16 bits, the first of each word, serves the whole word.
static void multiply_wide(xc_gather *gather, const int8_t *pixel,
                          const int8_t *weights) {
  size_t word = gather->sim->word_bytes;
  for (size_t c = 0; c < gather->valid; ++c) {
    const int8_t *low = weights + c / word * word * 2;
    int64_t weight = (uint8_t)low[0] + low[1] * 256;
    gather->totals[c] += pixel[c] * weight;
  }
}

static void multiply_slice(xc_gather *gather, const int8_t *pixel, uint32_t i,
                           uint32_t j, uint32_t d) {
  const XcDpuSim *sim = gather->sim;
  const xc_gather_plan *plan = gather->plan;
  uint64_t position = (uint64_t)i * gather->op->window.kernel_w + j;
  size_t bytes = gather->channels * plan->weights_size;
  uint64_t address = plan->weights_address + position * plan->weights_step +
                     d * (bytes / sim->word_bytes);
  const int8_t *weights =
      xc_sim_view(sim, plan->weights_bank, address, gather->weights, bytes);
  if (plan->weights_size == 2) {
    multiply_wide(gather, pixel, weights);
    return;
  }
  sim->kernel->multiply_add(gather->sums, pixel, weights, gather->valid);
  if (++gather->products == MAX_PRODUCTS)
    flush_sums(gather);
}

static void gather_position(xc_gather *gather, xc_row row, uint32_t column,
                            uint32_t i, uint32_t j) {
  const XcDpuSim *sim = gather->sim;
  const xc_window *window = &gather->op->window;
  uint64_t address = row.address + (uint64_t)column * window->walk.pixel_step;
  size_t words = gather->channels / sim->word_bytes;
  for (uint32_t d = 0; d < window->kernel_d; ++d, address += words) {
    const int8_t *pixel =
        xc_sim_view(sim, row.bank, address, gather->pixel, gather->channels);
    switch (gather->plan->kind) {
    case XC_GATHER_PRODUCTS:
      multiply_slice(gather, pixel, i, j, d);
      break;
    case XC_GATHER_SUM:
      sim->kernel->add(gather->sums, pixel, gather->valid);
      break;
    case XC_GATHER_MAXIMUM:
      sim->kernel->maximum(gather->maxima, pixel, gather->valid);
      break;
    }
  }
}

/// The part of [start, start + count) that lies in [first, last].
typedef struct span {
  uint32_t begin, end;
} span;

static span clip(uint32_t start, uint32_t count, uint32_t first,
                 uint32_t last) {
  span result = {0, count};
  if (start < first)
    result.begin = first - start;
  if (start + count > last + 1)
    result.end = last + 1 > start ? last + 1 - start : 0;
  return result;
}

static void gather_pixel(xc_gather *gather, uint32_t y, uint32_t x) {
  const xc_window *window = &gather->op->window;
  uint32_t top = y * window->stride_h, left = x * window->stride_w;
  span rows = {0, window->kernel_h}, columns = {0, window->kernel_w};
  if (window->masked) {
    rows = clip(top, window->kernel_h, window->pad_top, window->last_row);
    columns =
        clip(left, window->kernel_w, window->pad_left, window->last_column);
  }
  memset(gather->sums, 0, gather->channels * sizeof *gather->sums);
  memset(gather->totals, 0, gather->channels * sizeof *gather->totals);
  memset(gather->maxima, INT8_MIN, gather->channels);
  gather->products = 0;
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    xc_row row = xc_walk_row(gather->sim->target, &window->walk, top + i);
    for (uint32_t j = columns.begin; j < columns.end; ++j)
      gather_position(gather, row, left + j, i, j);
  }
  flush_sums(gather);
}

void xc_sim_gather(XcDpuSim *sim, const xc_op *op, const xc_gather_plan *plan) {
  size_t channels = op->output.walk.pixel_words * sim->word_bytes;
  // Totals first, which need the largest alignment, then ever smaller types.
  int8_t *room = xc_scratch_get(
      &sim->sums, channels * (sizeof(int64_t) + sizeof(int32_t) + 5));
  xc_gather gather = {
      .sim = sim,
      .op = op,
      .plan = plan,
      .channels = channels,
      .valid = channels - (op->window.masked ? op->window.channel_offset : 0),
      .totals = (int64_t *)(void *)room,
      .sums = (int32_t *)(void *)(room + channels * sizeof(int64_t)),
  };
  room += channels * (sizeof(int64_t) + sizeof(int32_t));
  gather.maxima = room;
  gather.pixel = room + channels;
  gather.bias = room + 2 * channels;
  gather.weights = room + 3 * channels;
  if (plan->has_bias)
    xc_sim_read(sim, plan->bias_bank, plan->bias_address, gather.bias,
                channels);
  int8_t *output = xc_scratch_get(
      &sim->output, (size_t)op->output.rows * op->output.pixels * channels);
  int8_t *byte = output;
  for (uint32_t y = 0; y < op->output.rows; ++y)
    for (uint32_t x = 0; x < op->output.pixels; ++x) {
      gather_pixel(&gather, y, x);
      for (size_t c = 0; c < channels; ++c)
        *byte++ = plan->finish(&gather, c);
    }
  xc_sim_write_block(sim, &op->output, output);
}
