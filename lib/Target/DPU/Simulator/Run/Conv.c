//===- Conv.c - the convolution engine ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input window is copied out of the banks into one dense block, masked on
// the way, so that the kernel meets neither wrapping addresses nor padding.
// Blocks that would be too large are cut along x. All output waits until the
// last input has been read: the engine may write where it reads.
//
//===----------------------------------------------------------------------===//

#include "Sim.h"
#include "xc-c/FixedPoint.h"

#include <string.h>

enum {
  MAX_WINDOW_BYTES = 1 << 20,
  /// Output pixels between accumulating and rounding: they stay in the cache.
  PIXELS_AT_ONCE = 64,
  /// Multiply-accumulates from which on threads are worth waking.
  MIN_SHARED_MACS = 1 << 20,
};

/// Some columns of the input window.
typedef struct window_part {
  uint32_t first_column, num_columns;
  size_t pixel_bytes, row_bytes;
} window_part;

static void read_row(const XcDpuSim *sim, const xc_walk *walk, xc_row row,
                     const window_part *part, int8_t *bytes) {
  uint64_t address =
      row.address + (uint64_t)part->first_column * walk->pixel_step;
  if (walk->pixel_step == walk->pixel_words) {
    xc_sim_read(sim, row.bank, address, bytes, part->row_bytes);
    return;
  }
  for (uint32_t x = 0; x < part->num_columns; ++x, bytes += part->pixel_bytes)
    xc_sim_read(sim, row.bank, address + (uint64_t)x * walk->pixel_step, bytes,
                part->pixel_bytes);
}

static void mask_row(const xc_window *window, const window_part *part,
                     int8_t *bytes) {
  if (window->pad_left == 0 && window->channel_offset == 0 &&
      part->first_column + part->num_columns <= window->last_column + 1)
    return;
  for (uint32_t x = 0; x < part->num_columns; ++x, bytes += part->pixel_bytes) {
    uint32_t column = part->first_column + x;
    if (column < window->pad_left || column > window->last_column)
      memset(bytes, 0, part->pixel_bytes);
    else
      memset(bytes + part->pixel_bytes - window->channel_offset, 0,
             window->channel_offset);
  }
}

static void read_window(const XcDpuSim *sim, const xc_window *window,
                        const window_part *part, int8_t *bytes) {
  for (uint32_t i = 0; i < window->rows; ++i, bytes += part->row_bytes) {
    if (i < window->pad_top || i > window->last_row) {
      memset(bytes, 0, part->row_bytes);
      continue;
    }
    read_row(sim, &window->walk, xc_walk_row(sim->target, &window->walk, i),
             part, bytes);
    mask_row(window, part, bytes);
  }
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static void pack_weights(XcDpuSim *sim, xc_packed_weights *packed) {
  size_t count = (size_t)packed->kernel_h * packed->run;
  const XcDpuBanks *banks = &sim->target->weights;
  const int8_t *lanes[XC_KERNEL_LANES] = {0};
  int8_t *bytes =
      xc_scratch_get(&sim->lane_bytes, (size_t)banks->numBanks * count);
  for (int32_t o = 0; o < banks->numBanks; ++o)
    lanes[o] = xc_sim_view(sim, (uint32_t)(banks->firstBank + o),
                           packed->address, bytes + (size_t)o * count, count);
  void *data = xc_scratch_get(
      &packed->data, sim->kernel->packed_size(packed->kernel_h, packed->run));
  sim->kernel->pack(data, lanes, packed->kernel_h, packed->run);
}

/// Rows of the image come one after the other with the same weights: they are
/// reordered once as long as no weight bank is written.
static const void *get_weights(XcDpuSim *sim, uint32_t address,
                               uint32_t kernel_h, uint32_t run) {
  size_t slot = (address / 8 + address) % XC_NUM_PACKED;
  xc_packed_weights *packed = &sim->packed[slot];
  if (packed->generation != sim->weights_generation ||
      packed->address != address || packed->kernel_h != kernel_h ||
      packed->run != run) {
    packed->generation = sim->weights_generation;
    packed->address = address;
    packed->kernel_h = kernel_h;
    packed->run = run;
    pack_weights(sim, packed);
  }
  return packed->data.data;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

typedef struct conv_job {
  const XcDpuSim *sim;
  const xc_op *op;
  const void *weights;
  xc_conv_finish finish;
  xc_conv_window window;
  uint32_t first_pixel; // of the output
  uint32_t num_pixels;
  int8_t *output;
} conv_job;

/// Activations and shifts that the kernel's own loop does not cover.
static void finish_exactly(const conv_job *job, int8_t *bytes,
                           const int32_t *accumulators, size_t num_pixels) {
  XcActivation activation = (XcActivation)job->op->conv_init.act_type;
  size_t channels = job->finish.channels;
  for (size_t pixel = 0; pixel < num_pixels; ++pixel)
    for (size_t lane = 0; lane < channels; ++lane)
      bytes[pixel * channels + lane] =
          xcActRnd8(2 * (int64_t)accumulators[pixel * XC_KERNEL_LANES + lane] +
                        job->finish.bias[lane],
                    job->finish.shift, activation);
}

static void convolve_row(void *context, uint32_t y) {
  const conv_job *job = context;
  const xc_kernel *kernel = job->sim->kernel;
  uint32_t activation = job->op->conv_init.act_type;
  bool is_simple =
      job->finish.shift <= XC_KERNEL_MAX_SHIFT &&
      (activation == XcActivationNone || activation == XcActivationRelu);
  xc_conv_window window = job->window;
  const char *input = window.input;
  input += (size_t)y * job->op->window.stride_h * window.row_pitch *
           kernel->input_size;
  int8_t *bytes =
      job->output + ((size_t)y * job->op->output.pixels + job->first_pixel) *
                        job->finish.channels;
  int32_t accumulators[PIXELS_AT_ONCE * XC_KERNEL_LANES];
  for (uint32_t x = 0; x < job->num_pixels; x += PIXELS_AT_ONCE) {
    uint32_t left = job->num_pixels - x;
    window.num_pixels = left < PIXELS_AT_ONCE ? left : PIXELS_AT_ONCE;
    window.input = input + x * window.pixel_pitch * kernel->input_size;
    kernel->convolve(&window, job->weights, accumulators);
    if (is_simple)
      kernel->finish(bytes, accumulators, &job->finish, window.num_pixels);
    else
      finish_exactly(job, bytes, accumulators, window.num_pixels);
    bytes += window.num_pixels * job->finish.channels;
  }
}

static xc_conv_finish make_finish(XcDpuSim *sim, const xc_op *op) {
  size_t channels = sim->word_bytes;
  xc_conv_finish finish = {.shift = op->conv_init.shift_cut + 1,
                           .channels = channels,
                           .lowest = INT32_MIN};
  if (op->conv_init.act_type == XcActivationRelu)
    finish.lowest = 0;
  int8_t bias[XC_KERNEL_LANES] = {0};
  xc_sim_read(sim, (uint32_t)sim->target->bias.firstBank,
              op->insn.conv.bank_addr_bias, bias, channels);
  for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane)
    finish.bias[lane] = xc_sim_bias(bias[lane], op->conv_init.shift_bias);
  return finish;
}

void xc_sim_conv(XcDpuSim *sim, const xc_op *op) {
  const xc_window *window = &op->window;
  size_t pixel_bytes = window->walk.pixel_words * sim->word_bytes;
  uint32_t pixels = op->output.pixels;
  size_t output_size = (size_t)op->output.rows * pixels * sim->word_bytes;
  conv_job job = {
      .sim = sim,
      .op = op,
      .finish = make_finish(sim, op),
      .window = {.pixel_pitch = window->stride_w * pixel_bytes,
                 .kernel_h = window->kernel_h,
                 .run = window->kernel_w * pixel_bytes},
      .output = xc_scratch_get(&sim->output, output_size),
  };
  job.weights = get_weights(sim, op->insn.conv.bank_addr_weights,
                            window->kernel_h, (uint32_t)job.window.run);
  size_t column_bytes = window->rows * pixel_bytes;
  size_t columns = MAX_WINDOW_BYTES / column_bytes;
  uint32_t at_once = 1;
  if (columns > window->kernel_w)
    at_once += (uint32_t)((columns - window->kernel_w) / window->stride_w);
  for (uint32_t x = 0; x < pixels; x += at_once) {
    job.first_pixel = x;
    job.num_pixels = pixels - x < at_once ? pixels - x : at_once;
    window_part part = {.first_column = x * window->stride_w,
                        .num_columns = (job.num_pixels - 1) * window->stride_w +
                                       window->kernel_w,
                        .pixel_bytes = pixel_bytes};
    part.row_bytes = part.num_columns * pixel_bytes;
    size_t size = window->rows * part.row_bytes;
    int8_t *bytes = xc_scratch_get(&sim->window, size + XC_KERNEL_SLACK);
    read_window(sim, window, &part, bytes);
    memset(bytes + size, 0, XC_KERNEL_SLACK);
    size_t count = size + XC_KERNEL_SLACK;
    void *elements =
        xc_scratch_get(&sim->elements, count * sim->kernel->input_size);
    sim->kernel->prepare(elements, bytes, count);
    job.window.input = elements;
    job.window.row_pitch = part.row_bytes;
    bool is_large = xc_op_macs(sim->target, op) / pixels * job.num_pixels >=
                    MIN_SHARED_MACS;
    xc_threads_for(is_large ? sim->threads : NULL, op->output.rows,
                   convolve_row, &job);
  }
  xc_sim_write_block(sim, &op->output, job.output);
}
