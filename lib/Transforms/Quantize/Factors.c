//===- Factors.c - what channels are scaled by ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Equalize.h"

#include <math.h>

enum {
  SWEEPS = 12,  // each group moves its neighbours' ranges
  MOST_LOG = 6, // a channel is changed by at most 2 to this power
};

/// For the widest filter.
typedef struct sweep_memory {
  double *inputs, *outputs; // ranges of the weights by channel
  double *relative;
  double *ones;
} sweep_memory;

static double larger(double a, double b) { return a > b ? a : b; }

/// Numbers of other samples may be larger by this.
static const double headroom = 1.3;
/// A channel that is hardly there in the samples may be elsewhere.
static const double least_reach = 0.1;

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

// How far a channel of a group with a limit may go: its 6 must not be beyond
// the limit, and what it reaches, with some room, not either. One that reaches
// 6 has no choice.
static double bound(const xc_equal_group *g, int64_t channel, double wanted) {
  const double six = 6;
  double reach = larger(headroom * g->reach[channel], least_reach);
  double low = log2(xc_equal_limit / six);
  double high = log2(xc_equal_limit / fmin(six, reach));
  if (g->reach[channel] >= six * (1 - 0x1p-10))
    high = low;
  return fmin(fmax(wanted, low), high);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

// The ranges of channels that share a fix point, over the largest of them; the
// larger of the two is kept.
static void add_relative(const double *range, int64_t count, double *result) {
  double largest = 0;
  for (int64_t c = 0; c < count; ++c)
    largest = larger(largest, range[c]);
  for (int64_t c = 0; largest > 0 && c < count; ++c)
    result[c] = larger(result[c], range[c] / largest);
}

// The largest weight of a filter, with its inputs' factors; `inputs` takes the
// largest of each input, with the factor of the output.
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

// The ranges of the weights with the factors that they have by now.
static void measure_weights(const xc_equal_filter *f, sweep_memory *memory) {
  const xc_equal_group *in = xc_equal_root(f->input);
  const xc_equal_group *out = xc_equal_root(f->output);
  const double *factor = out->factor ? out->factor : memory->ones;
  const double *inverse = in->inverse ? in->inverse : memory->ones;
  for (int64_t i = 0; i < f->inputs; ++i)
    memory->inputs[i] = 0;
  for (int64_t o = 0; o < f->outputs; ++o) {
    const float *row = f->peaks + o * f->inputs;
    memory->outputs[o] =
        measure_row(row, f->inputs, f->is_depthwise ? 1 : factor[o], inverse,
                    memory->inputs);
    if (!f->is_depthwise)
      memory->outputs[o] *= factor[o];
  }
  for (int64_t i = 0; i < f->inputs; ++i) {
    memory->inputs[i] *= inverse[i];
    if (f->is_depthwise)
      memory->outputs[i] = memory->inputs[i] *= factor[i];
  }
}

static void clear(double *numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = 0;
}

// What a channel needs of its writer, which has three fix points: weights,
// bias, the tensor.
static void measure_writer(const xc_equal_filter *f, sweep_memory *memory) {
  const xc_equal_group *out = xc_equal_root(f->output);
  int64_t channels = out->channels;
  clear(memory->relative, channels);
  add_relative(memory->outputs, channels, memory->relative);
  for (int64_t c = 0; c < channels; ++c)
    memory->outputs[c] = f->bias ? fabs(f->bias[c]) * out->factor[c] : 0;
  add_relative(memory->outputs, channels, memory->relative);
  for (int64_t c = 0; c < channels; ++c)
    memory->outputs[c] = out->reach[c] * out->factor[c];
  add_relative(memory->outputs, channels, memory->relative);
}

//===----------------------------------------------------------------------===//
// Sweeps
//===----------------------------------------------------------------------===//

static void pull(xc_equal_group *g, const double *range, double share) {
  for (int64_t c = 0; c < g->channels; ++c)
    if (range[c] > 0)
      g->step[c] += share * log2(range[c]);
}

// Half the way to level ranges of the readers, half to those of the writers.
static void gather(const xc_equal_filter *f, sweep_memory *memory) {
  xc_equal_group *in = xc_equal_root(f->input);
  xc_equal_group *out = xc_equal_root(f->output);
  if (!xc_equal_is_free(in) && !xc_equal_is_free(out))
    return;
  measure_weights(f, memory);
  if (xc_equal_is_free(in)) {
    clear(memory->relative, f->inputs);
    add_relative(memory->inputs, f->inputs, memory->relative);
    pull(in, memory->relative, 0.5 / (double)in->num_readers);
  }
  if (xc_equal_is_free(out)) {
    measure_writer(f, memory);
    pull(out, memory->relative, -0.5 / (double)out->num_writers);
  }
}

static void move(xc_equal_group *g) {
  for (int64_t c = 0; c < g->channels; ++c) {
    double wanted = g->total[c] + g->step[c];
    g->total[c] = g->has_limit ? bound(g, c, wanted)
                               : fmin(fmax(wanted, -MOST_LOG), MOST_LOG);
    g->step[c] = 0;
    g->factor[c] = exp2(g->total[c]);
    g->inverse[c] = exp2(-g->total[c]);
  }
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
  sweep_memory memory = {channel_memory(e, widest), channel_memory(e, widest),
                         channel_memory(e, widest), channel_memory(e, widest)};
  for (int64_t i = 0; i < widest; ++i)
    memory.ones[i] = 1;
  return memory;
}

void xc_equal_find_factors(xc_equalizer *e) {
  for (xc_equal_group *g = e->groups; g; g = g->next)
    if (xc_equal_is_free(g)) {
      g->total = channel_memory(e, g->channels);
      g->step = channel_memory(e, g->channels);
      g->factor = channel_memory(e, g->channels);
      g->inverse = channel_memory(e, g->channels);
      move(g);
    }
  sweep_memory memory = make_memory(e);
  for (int i = 0; i < SWEEPS; ++i) {
    for (size_t k = 0; k < e->num_filters; ++k)
      gather(&e->filters[k], &memory);
    for (xc_equal_group *g = e->groups; g; g = g->next)
      if (g->step)
        move(g);
  }
}

// Floats: the C library of another machine may compute logarithms with other
// last digits, and the weights shall be the same.
void xc_equal_settle(xc_equalizer *e) {
  for (xc_equal_group *g = e->groups; g; g = g->next)
    for (int64_t c = 0; g->factor && c < g->channels; ++c) {
      g->factor[c] = (double)(float)g->factor[c];
      g->inverse[c] = 1 / g->factor[c];
    }
}
