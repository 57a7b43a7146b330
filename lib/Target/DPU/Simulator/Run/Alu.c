//===- Alu.c - the misc engine: depthwise, pooling, activations -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every output pixel gathers its window into one accumulator per channel: sums
// of products, sums, or maxima. Masked positions add what masking stands for,
// zero or the smallest number, so that they are passed over. Then each mode
// finishes the accumulators in its own way.
//
//===----------------------------------------------------------------------===//

#include "Sim.h"
#include "xc-c/FixedPoint.h"

#include <string.h>

enum {
  /// Products of two bytes that a 32-bit sum can take.
  MAX_PRODUCTS = 1 << 16,
};

typedef enum gather_kind {
  GATHER_PRODUCTS,
  GATHER_SUM,
  GATHER_MAXIMUM
} gather_kind;

typedef struct alu_job {
  const XcDpuSim *sim;
  const xc_op *op;
  XcDpuAluMode mode;
  gather_kind kind;
  size_t channels; // of a slice
  size_t valid;    // of these, not masked
  int32_t *sums;   // since the last flush
  int64_t *totals;
  int8_t *maxima;
  int8_t *pixel;   // room for one slice
  int8_t *weights; // room for one slice of weights
  int8_t *bias;
  uint32_t products; // in `sums`, per channel
} alu_job;

static void flush_sums(alu_job *job) {
  for (size_t c = 0; c < job->channels; ++c)
    job->totals[c] += job->sums[c];
  memset(job->sums, 0, job->channels * sizeof *job->sums);
  job->products = 0;
}

/// One weight of 16 bits, the first of each word, serves the whole word.
static void multiply_wide(alu_job *job, const int8_t *pixel,
                          const int8_t *weights) {
  size_t word = job->sim->word_bytes;
  for (size_t c = 0; c < job->valid; ++c) {
    const int8_t *low = weights + c / word * word * 2;
    int64_t weight = (uint8_t)low[0] + low[1] * 256;
    job->totals[c] += pixel[c] * weight;
  }
}

static void multiply_slice(alu_job *job, const int8_t *pixel, uint32_t i,
                           uint32_t j, uint32_t d) {
  const XcDpuSim *sim = job->sim;
  const XcDpuAluInit *init = &job->op->alu_init;
  uint32_t size = job->mode == XcDpuAluModeDepthwise16 ? 2 : 1;
  uint64_t address =
      job->op->insn.alu.bank_addr_weights +
      (uint64_t)(i * init->kernel_w + j) * init->jump_read_weights +
      (uint64_t)d * init->channel_group * size;
  const int8_t *weights =
      xc_sim_view(sim, (uint32_t)sim->target->depthwiseWeights.firstBank,
                  address, job->weights, job->channels * size);
  if (size == 2) {
    multiply_wide(job, pixel, weights);
    return;
  }
  sim->kernel->multiply_add(job->sums, pixel, weights, job->valid);
  if (++job->products == MAX_PRODUCTS)
    flush_sums(job);
}

static void gather_position(alu_job *job, xc_row row, uint32_t column,
                            uint32_t i, uint32_t j) {
  const XcDpuSim *sim = job->sim;
  const xc_window *window = &job->op->window;
  uint64_t address = row.address + (uint64_t)column * window->walk.pixel_step;
  uint32_t words = job->op->alu_init.channel_group;
  for (uint32_t d = 0; d < window->kernel_d; ++d, address += words) {
    const int8_t *pixel =
        xc_sim_view(sim, row.bank, address, job->pixel, job->channels);
    switch (job->kind) {
    case GATHER_PRODUCTS:
      multiply_slice(job, pixel, i, j, d);
      break;
    case GATHER_SUM:
      sim->kernel->add(job->sums, pixel, job->valid);
      break;
    case GATHER_MAXIMUM:
      sim->kernel->maximum(job->maxima, pixel, job->valid);
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

static void gather(alu_job *job, uint32_t y, uint32_t x) {
  const xc_window *window = &job->op->window;
  uint32_t top = y * window->stride_h, left = x * window->stride_w;
  span rows = {0, window->kernel_h}, columns = {0, window->kernel_w};
  if (window->masked) {
    rows = clip(top, window->kernel_h, window->pad_top, window->last_row);
    columns =
        clip(left, window->kernel_w, window->pad_left, window->last_column);
  }
  memset(job->sums, 0, job->channels * sizeof *job->sums);
  memset(job->totals, 0, job->channels * sizeof *job->totals);
  memset(job->maxima, INT8_MIN, job->channels);
  job->products = 0;
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    xc_row row = xc_walk_row(job->sim->target, &window->walk, top + i);
    for (uint32_t j = columns.begin; j < columns.end; ++j)
      gather_position(job, row, left + j, i, j);
  }
  flush_sums(job);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// A shift field whose values from `right` on shift to the right, and below to
/// the left.
/// The shift goes by the sign of the product.
static int8_t leaky(const XcDpuAluInit *init, int64_t value, int32_t factor) {
  int64_t product = value < 0 ? value * factor : value;
  return xcRnd8(product,
                product < 0 ? init->shift_prelu_n : init->shift_prelu_p);
}

static int8_t finish_channel(const alu_job *job, size_t c) {
  const XcDpuAluInit *init = &job->op->alu_init;
  int64_t total = job->totals[c];
  int cut = init->shift_cut;
  XcActivation activation = (XcActivation)init->act_type;
  switch (job->mode) {
  case XcDpuAluModeDepthwise:
    return xcActRnd8(2 * total + xc_sim_bias(job->bias[c], init->shift_bias),
                     cut + 1, activation);
  case XcDpuAluModeDepthwiseNoBias:
  case XcDpuAluModeDepthwise16:
    return xcActRnd8(total, cut, activation);
  case XcDpuAluModeAveragePool:
    return xcRnd8(total * init->multi_factor, cut);
  case XcDpuAluModeMaxPool:
  case XcDpuAluModeMaxReduce:
    return xcRnd8(job->maxima[c], cut);
  case XcDpuAluModeLeakyRelu:
    return leaky(init, total, init->multi_factor);
  case XcDpuAluModePrelu:
    return leaky(init, total, job->bias[c]);
  case XcDpuAluModeHardSigmoid:
    return xcSaturate8(xcHSigmoid(total, init->shift_bias, cut));
  }
  return 0;
}

/// The bias, or the factors of PReLU, which take its place.
static void read_bias(const alu_job *job) {
  const XcDpuTarget *target = job->sim->target;
  const XcDpuAlu *alu = &job->op->insn.alu;
  if (job->mode == XcDpuAluModeDepthwise)
    xc_sim_read(job->sim, (uint32_t)target->bias.firstBank, alu->bank_addr_bias,
                job->bias, job->channels);
  else if (job->mode == XcDpuAluModePrelu)
    xc_sim_read(job->sim, (uint32_t)target->depthwiseWeights.firstBank,
                alu->bank_addr_weights, job->bias, job->channels);
}

static gather_kind get_gather_kind(XcDpuAluMode mode) {
  switch (mode) {
  case XcDpuAluModeDepthwise:
  case XcDpuAluModeDepthwiseNoBias:
  case XcDpuAluModeDepthwise16:
    return GATHER_PRODUCTS;
  case XcDpuAluModeMaxPool:
  case XcDpuAluModeMaxReduce:
    return GATHER_MAXIMUM;
  case XcDpuAluModeAveragePool:
  case XcDpuAluModePrelu:
  case XcDpuAluModeLeakyRelu:
  case XcDpuAluModeHardSigmoid:
    return GATHER_SUM;
  }
  return GATHER_SUM;
}

void xc_sim_alu(XcDpuSim *sim, const xc_op *op) {
  XcDpuAluMode mode = (XcDpuAluMode)op->alu_init.exec_mode;
  size_t channels = op->alu_init.channel_group * sim->word_bytes;
  // Totals first, which need the largest alignment, then ever smaller types.
  int8_t *room = xc_scratch_get(
      &sim->sums, channels * (sizeof(int64_t) + sizeof(int32_t) + 5));
  alu_job job = {
      .sim = sim,
      .op = op,
      .mode = mode,
      .kind = get_gather_kind(mode),
      .channels = channels,
      .valid = channels - (op->window.masked ? op->window.channel_offset : 0),
      .totals = (int64_t *)(void *)room,
      .sums = (int32_t *)(void *)(room + channels * sizeof(int64_t)),
  };
  room += channels * (sizeof(int64_t) + sizeof(int32_t));
  job.maxima = room;
  job.pixel = room + channels;
  job.bias = room + 2 * channels;
  job.weights = room + 3 * channels;
  read_bias(&job);
  int8_t *output = xc_scratch_get(
      &sim->output, (size_t)op->output.rows * op->output.pixels * channels);
  int8_t *byte = output;
  for (uint32_t y = 0; y < op->output.rows; ++y)
    for (uint32_t x = 0; x < op->output.pixels; ++x) {
      gather(&job, y, x);
      for (size_t c = 0; c < channels; ++c)
        *byte++ = finish_channel(&job, c);
    }
  xc_sim_write_block(sim, &op->output, output);
}
