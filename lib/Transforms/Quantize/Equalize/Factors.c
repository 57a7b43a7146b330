//===- Factors.c - what channels are scaled by ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Equalizer.h"

#include <math.h>

enum {
  SWEEPS = 12,  // each group moves its neighbours' ranges
  MOST_LOG = 6, // a channel is changed by at most 2 to this power
  MOST_LOG_ACTIVATION = 10,
};

/// For the widest filter.
typedef struct sweep_memory {
  double *inputs, *outputs; // ranges of the weights by channel
  double *relative;
  double *factor, *inverse; // of the results' and the inputs' channels
} sweep_memory;

static double larger(double a, double b) { return a > b ? a : b; }

/// Numbers of other samples may be larger by this (docs/quantiser.md).
static const double headroom = 1.3;
/// Of the clamp: a channel that is hardly there in the samples may be
/// elsewhere.
static const double least_reach = 1.0 / 60;
static const double least_relative = 1e-3;

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

// How far a channel with a limit may go: the end of its clamp must not be
// beyond the limit, and what it reaches, with some room, not either. One that
// reaches the clamp has no choice.
static double bound(const xc_equal_channel *channel, double wanted) {
  const double end = channel->limit;
  double reach = larger(headroom * channel->reach, least_reach * end);
  double low = log2(xc_equal_limit / end);
  double high = log2(xc_equal_limit / fmin(end, reach));
  if (channel->reach >= end * (1 - 0x1p-10))
    high = low;
  return fmin(fmax(wanted, low), high);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

// Adds the ranges of channels that share a fix point, over the largest of them;
// the larger of the two is kept.
static void add_relative(const double *range, int64_t count, double *result) {
  double largest = 0;
  for (int64_t c = 0; c < count; ++c)
    largest = larger(largest, range[c]);
  for (int64_t c = 0; largest > 0 && c < count; ++c)
    result[c] = larger(result[c], range[c] / largest);
}

// Returns the largest weight of a filter, with its inputs' factors; `inputs`
// takes the largest of each input, with the factor of the output.
static double measure_row(const float *row, int64_t count, double factor,
                          const double *inverse, double *inputs) {
  enum { LANES = 4 };
  double largest[LANES] = {0};
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int64_t l = 0; l < LANES; ++l) {
      double weight = (double)row[i + l];
      inputs[i + l] = larger(weight * factor, inputs[i + l]);
      largest[l] = larger(weight * inverse[i + l], largest[l]);
    }
  for (; i < count; ++i) {
    inputs[i] = larger((double)row[i] * factor, inputs[i]);
    largest[0] = larger((double)row[i] * inverse[i], largest[0]);
  }
  return larger(larger(largest[0], largest[1]), larger(largest[2], largest[3]));
}

// Measures the ranges of the weights with the factors that they have by now.
static void measure_weights(const xc_equalizer *e, const xc_equal_filter *f,
                            sweep_memory *memory) {
  for (int64_t i = 0; i < f->inputs; ++i) {
    memory->inputs[i] = 0;
    memory->inverse[i] = e->channels[f->input[i]].inverse;
  }
  for (int64_t o = 0; o < xc_equal_results(f); ++o)
    memory->factor[o] = e->channels[f->output[o]].factor;
  for (int64_t o = 0; o < f->outputs; ++o) {
    const float *row = f->peaks + o * f->inputs;
    double factor = f->is_depthwise ? 1 : memory->factor[o];
    memory->outputs[o] = factor * measure_row(row, f->inputs, factor,
                                              memory->inverse, memory->inputs);
  }
  for (int64_t i = 0; i < f->inputs; ++i) {
    memory->inputs[i] *= memory->inverse[i];
    if (f->is_depthwise)
      memory->outputs[i] = memory->inputs[i] *= memory->factor[i];
  }
}

static void clear(double *numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = 0;
}

// Measures how much each channel needs of its writer, which has three fix
// points: weights, bias, the tensor.
static void measure_writer(const xc_equalizer *e, const xc_equal_filter *f,
                           sweep_memory *memory) {
  int64_t channels = xc_equal_results(f);
  clear(memory->relative, channels);
  add_relative(memory->outputs, channels, memory->relative);
  for (int64_t c = 0; c < channels; ++c)
    memory->outputs[c] = f->bias ? fabs(f->bias[c]) * memory->factor[c] : 0;
  add_relative(memory->outputs, channels, memory->relative);
  for (int64_t c = 0; c < channels; ++c)
    memory->outputs[c] = e->channels[f->output[c]].reach * memory->factor[c];
  add_relative(memory->outputs, channels, memory->relative);
}

//===----------------------------------------------------------------------===//
// Sweeps
//===----------------------------------------------------------------------===//

// Returns the weight that the need of a tensor has beside those of writers and
// readers. A depthwise convolution takes differences of neighbours, which have
// the noise of rounding of both, and sums it over no other channels; a fit
// makes good for most of the loss of rounding weights. Beside an activation on
// the CPU weights have the factors of one of its sides only, and can follow.
static double tensor_share(const xc_equal_channel *channel) {
  if (channel->meets_activation && !channel->is_argument)
    return 0.8;
  return channel->is_exposed || channel->is_argument ? 0.5 : 0;
}

static void pull(xc_equal_channel *channel, double range, double share,
                 size_t parts) {
  if (range > 0 && xc_equal_is_free(channel))
    channel->step += share / (double)parts * log2(range);
}

// As far as the channel is short of the largest one of the tensor. One of a
// concatenation that is off in all samples gains nothing, while its weights and
// bias, which keep it off, would be the largest of all.
static void pull_tensor(xc_equal_channel *channel, double relative,
                        size_t parts) {
  if (relative < least_relative && channel->is_joined)
    return;
  pull(channel, fmax(relative, least_relative), -tensor_share(channel), parts);
}

// Half the way to level ranges of the readers, half to those of the writers.
static void gather(const xc_equalizer *e, const xc_equal_filter *f,
                   sweep_memory *memory) {
  const double half = 0.5;
  measure_weights(e, f, memory);
  clear(memory->relative, f->inputs);
  add_relative(memory->inputs, f->inputs, memory->relative);
  for (int64_t i = 0; i < f->inputs; ++i) {
    xc_equal_channel *channel = &e->channels[f->input[i]];
    pull(channel, memory->relative[i], half * (1 - tensor_share(channel)),
         channel->num_readers);
  }
  measure_writer(e, f, memory);
  for (int64_t o = 0; o < xc_equal_results(f); ++o) {
    xc_equal_channel *channel = &e->channels[f->output[o]];
    pull(channel, memory->relative[o], -half * (1 - tensor_share(channel)),
         channel->num_writers);
  }
  clear(memory->relative, xc_equal_results(f));
  add_relative(memory->outputs, xc_equal_results(f), memory->relative);
  for (int64_t o = 0; o < xc_equal_results(f); ++o) {
    xc_equal_channel *channel = &e->channels[f->output[o]];
    pull_tensor(channel, memory->relative[o], channel->num_writers);
  }
}

// A result of an activation on the CPU: its writer has no weights.
static void gather_result(const xc_equalizer *e, const xc_float_activation *a,
                          sweep_memory *memory) {
  for (int64_t c = 0; c < a->channels; ++c) {
    const xc_equal_channel *own = &e->channels[a->after[c]];
    memory->outputs[c] = own->reach * own->factor;
  }
  clear(memory->relative, a->channels);
  add_relative(memory->outputs, a->channels, memory->relative);
  for (int64_t c = 0; c < a->channels; ++c) {
    xc_equal_channel *own = &e->channels[a->after[c]];
    pull_tensor(own, memory->relative[c], own->num_writers);
  }
}

static void move(xc_equal_channel *c) {
  double wanted = c->total + c->step;
  double most = c->meets_activation ? MOST_LOG_ACTIVATION : MOST_LOG;
  c->total = c->is_uniform  ? 0
             : c->has_limit ? bound(c, wanted)
                            : fmin(fmax(wanted, -most), most);
  c->step = 0;
  c->factor = exp2(c->total);
  c->inverse = exp2(-c->total);
}

static void move_all(const xc_equalizer *e) {
  for (size_t i = 0; i < e->num_channels; ++i)
    if (xc_equal_is_free(&e->channels[i]))
      move(&e->channels[i]);
}

static double *channel_memory(xc_equalizer *e, int64_t count) {
  return xc_arena_alloc(&e->arena, (size_t)count + 1, sizeof(double));
}

static sweep_memory make_memory(xc_equalizer *e) {
  int64_t widest = 0;
  for (size_t i = 0; i < e->num_filters; ++i) {
    const xc_equal_filter *f = &e->filters[i];
    widest = f->inputs > widest ? f->inputs : widest;
    widest = f->outputs > widest ? f->outputs : widest;
  }
  for (size_t i = 0; i < e->num_activations; ++i)
    if (e->activations[i].channels > widest)
      widest = e->activations[i].channels;
  return (sweep_memory){channel_memory(e, widest), channel_memory(e, widest),
                        channel_memory(e, widest), channel_memory(e, widest),
                        channel_memory(e, widest)};
}

static bool has_free_channel(const xc_equalizer *e, const xc_equal_filter *f) {
  for (int64_t i = 0; i < f->inputs; ++i)
    if (xc_equal_is_free(&e->channels[f->input[i]]))
      return true;
  for (int64_t o = 0; o < xc_equal_results(f); ++o)
    if (xc_equal_is_free(&e->channels[f->output[o]]))
      return true;
  return false;
}

void xc_equal_find_factors(xc_equalizer *e) {
  move_all(e);
  sweep_memory memory = make_memory(e);
  for (int i = 0; i < SWEEPS; ++i) {
    for (size_t k = 0; k < e->num_filters; ++k)
      if (has_free_channel(e, &e->filters[k]))
        gather(e, &e->filters[k], &memory);
    for (size_t k = 0; k < e->num_activations; ++k)
      gather_result(e, &e->activations[k], &memory);
    move_all(e);
  }
}

static double power_below(double factor) {
  int exponent;
  frexp(factor, &exponent);
  return ldexp(1, exponent - 1);
}

// Floats: the C library of another machine may compute logarithms with other
// last digits, and the weights shall be the same.
void xc_equal_settle(xc_equalizer *e) {
  for (size_t i = 0; i < e->num_channels; ++i) {
    xc_equal_channel *channel = &e->channels[i];
    channel->factor = (double)(float)channel->factor;
    if (channel->is_argument)
      channel->factor = power_below(channel->factor);
    channel->inverse = 1 / channel->factor;
  }
}
