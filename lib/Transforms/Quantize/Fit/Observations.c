//===- Observations.c - what samples say about a convolution --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Positions of the output are taken from all samples alike: what the outputs of
// a group read there, and what they should give. Inputs are small integers, so
// that the sums of their products are exact.
//
//===----------------------------------------------------------------------===//

#include "FitLayer.h"

#include "Support/Math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 }; // positions that are worked on at once

static int64_t round_up(int64_t count, int64_t unit) {
  return (count + unit - 1) / unit * unit;
}

// Returns the pixel that a tap reads for a position of the output, or null.
static const int8_t *find_pixel(const xc_layer_fit *l, size_t sample,
                                int64_t position, int64_t tap) {
  const xc_axis_taps *h = &l->window.h, *w = &l->window.w;
  const int64_t *dims = l->fit->input.dims;
  int64_t x = position % w->outputs, y = position / w->outputs % h->outputs;
  int64_t n = position / w->outputs / h->outputs;
  int64_t row = h->source[y * h->taps + tap / w->taps];
  int64_t column = w->source[x * w->taps + tap % w->taps];
  if (row < 0 || column < 0)
    return NULL;
  return l->fit->inputs[sample] +
         ((n * dims[1] + row) * dims[2] + column) * dims[3];
}

//===----------------------------------------------------------------------===//
// Observations
//===----------------------------------------------------------------------===//

// Every so many positions one is taken, from all columns alike.
static int64_t choose_stride(const xc_layer_fit *l) {
  int64_t total = l->positions * (int64_t)l->fit->num_samples;
  int64_t most = l->fit->effort.positions;
  int64_t stride = (total + most - 1) / most;
  while (stride > 1 && xc_gcd64(stride, l->window.w.outputs) > 1)
    ++stride;
  return stride;
}

// Calls `take` for the positions to observe.
static void visit_positions(const xc_layer_fit *l, void *state,
                            void (*take)(const xc_layer_fit *l, void *state,
                                         size_t sample, int64_t position)) {
  int64_t stride = choose_stride(l), position = stride / 2;
  for (size_t sample = 0; sample < l->fit->num_samples; ++sample) {
    for (; position < l->positions; position += stride)
      take(l, state, sample, position);
    position -= l->positions;
  }
}

static void count_position(const xc_layer_fit *l, void *state, size_t sample,
                           int64_t position) {
  int64_t *count = state;
  (void)l;
  (void)sample;
  (void)position;
  ++*count;
}

int64_t xc_count_observations(const xc_layer_fit *l) {
  int64_t count = 0;
  visit_positions(l, &count, count_position);
  return count;
}

//===----------------------------------------------------------------------===//
// Observations of the outputs of a group
//===----------------------------------------------------------------------===//

static void take_position(const xc_layer_fit *l, void *state, size_t sample,
                          int64_t position) {
  xc_observations *all = state;
  int8_t *row = all->inputs + all->count * all->terms;
  for (int64_t tap = 0; tap < l->taps; ++tap, row += l->depth) {
    const int8_t *pixel = find_pixel(l, sample, position, tap);
    if (pixel)
      memcpy(row, pixel + all->group * l->depth, (size_t)l->depth);
  }
  const float *result =
      l->fit->results[sample] + position * l->outputs + all->group * all->sums;
  memcpy(all->missing + all->count * all->sums, result,
         (size_t)all->sums * sizeof(*result));
  all->scales[all->count] = l->fit->scales[sample];
  ++all->count;
}

xc_observations xc_observe_group(const xc_layer_fit *l, int64_t group) {
  xc_observations all = {
      .group = group, .terms = l->taps * l->depth, .sums = xc_layer_sums(l)};
  all.inputs = xc_alloc_array((size_t)(l->observed * all.terms) + 1, 1);
  all.missing =
      xc_alloc_array((size_t)(l->observed * all.sums) + 1, sizeof(float));
  all.scales = xc_alloc_array((size_t)l->observed + 1, sizeof(double));
  visit_positions(l, &all, take_position);
  return all;
}

void xc_observations_free(xc_observations *all) {
  free(all->inputs);
  free(all->missing);
  free(all->scales);
}

//===----------------------------------------------------------------------===//
// Products of columns
//===----------------------------------------------------------------------===//

/// The terms first, first + 1, ... of observations; term 0 is the constant.
typedef struct columns {
  const xc_observations *all;
  double step; // of the inputs
  int64_t first, count;
  bool is_scaled; // each row by what its sample counts
} columns;

static double scale_of(const columns *c, int64_t row) {
  return c->is_scaled ? c->all->scales[row] : 1;
}

static double read_term(const columns *c, int64_t row, int64_t i) {
  int64_t term = c->first + i;
  if (i >= c->count)
    return 0;
  double scale = scale_of(c, row);
  return term ? scale * c->step * c->all->inputs[row * c->all->terms + term - 1]
              : scale;
}

static double read_missing(const columns *c, int64_t row, int64_t i) {
  return i < c->count ? scale_of(c, row) *
                            (double)c->all->missing[row * c->all->sums + i]
                      : 0;
}

// panels[count / unit][rows][unit]
static void pack(const columns *c, int64_t first_row, int64_t rows,
                 int64_t unit,
                 double (*read)(const columns *c, int64_t row, int64_t i),
                 double *panels) {
  for (int64_t first = 0; first < c->count; first += unit)
    for (int64_t k = 0; k < rows; ++k)
      for (int64_t i = 0; i < unit; ++i)
        *panels++ = read(c, first_row + k, first + i);
}

/// Sums of products of two sets of columns, in whole tiles.
typedef struct products {
  int64_t rows, pitch;
  double *sums;
} products;

static products make_products(const xc_layer_fit *l, int64_t rows,
                              int64_t pitch) {
  products p = {.rows = round_up(rows, l->loops->points),
                .pitch = round_up(pitch, l->loops->outputs)};
  p.sums = xc_alloc_array((size_t)(p.rows * p.pitch) + 1, sizeof(double));
  return p;
}

// Adds `rows` products; of a set with itself those on and below the diagonal.
static void add_products(const xc_layer_fit *l, const products *p,
                         const double *inputs, const double *weights,
                         int64_t rows, bool is_square) {
  int64_t points = l->loops->points, outputs = l->loops->outputs;
  for (int64_t i = 0; i < p->rows; i += points)
    for (int64_t o = 0; o < p->pitch; o += outputs)
      if (!is_square || o < i + points)
        l->loops->multiply(p->sums + i * p->pitch + o, p->pitch,
                           inputs + i * rows, weights + o * rows, rows);
}

// Returns the number that stands for 0 in each term; free with free().
static double *find_zeros(const xc_layer_fit *l, const columns *terms) {
  double *zeros = xc_alloc_array((size_t)terms->count + 1, sizeof(*zeros));
  const double *channels = l->fit->input_zeros;
  for (int64_t i = 0; i < terms->count; ++i) {
    int64_t term = terms->first + i;
    int64_t channel =
        terms->all->group * l->depth + (term ? (term - 1) % l->depth : 0);
    zeros[i] = channels ? channels[channel] : l->fit->input_zero;
  }
  return zeros;
}

// Returns the squares of terms, counted from what stands for 0.
static double *measure_powers(const xc_layer_fit *l, const columns *terms) {
  const xc_observations *all = terms->all;
  double *powers = xc_alloc_array((size_t)terms->count + 1, sizeof(*powers));
  double *zeros = find_zeros(l, terms);
  for (int64_t row = 0; row < all->count; ++row)
    for (int64_t i = 0; i < terms->count; ++i) {
      double number =
          read_term(terms, row, i) - scale_of(terms, row) * zeros[i];
      powers[i] += number * number;
    }
  free(zeros);
  return powers;
}

void xc_multiply_columns(const xc_layer_fit *l, const xc_observations *all,
                         xc_solve *s, int64_t first) {
  const double step = ldexp(1, -l->fit->input_point);
  columns terms = {all, step, first, s->terms, true};
  columns wanted = {all, step, 0, s->sums, true};
  if (s->zero != 0 || l->fit->input_zeros)
    s->powers = measure_powers(l, &terms);
  products moments = make_products(l, s->terms, s->terms);
  products targets = make_products(l, s->sums, s->terms);
  int64_t widest = moments.rows > targets.rows ? moments.rows : targets.rows;
  double *inputs = xc_alloc_array((size_t)(CHUNK * widest), sizeof(double));
  double *weights =
      xc_alloc_array((size_t)(CHUNK * moments.pitch), sizeof(double));
  for (int64_t row = 0; row < all->count; row += CHUNK) {
    int64_t rows = xc_minimum64(CHUNK, all->count - row);
    pack(&terms, row, rows, l->loops->outputs, read_term, weights);
    pack(&terms, row, rows, l->loops->points, read_term, inputs);
    add_products(l, &moments, inputs, weights, rows, true);
    pack(&wanted, row, rows, l->loops->points, read_missing, inputs);
    add_products(l, &targets, inputs, weights, rows, false);
  }
  for (int64_t i = 0; i < s->terms; ++i)
    for (int64_t j = 0; j <= i; ++j)
      s->moments[i * s->terms + j] = s->moments[j * s->terms + i] =
          moments.sums[i * moments.pitch + j];
  for (int64_t o = 0; o < s->sums; ++o)
    for (int64_t i = 0; i < s->terms; ++i)
      s->targets[o * s->terms + i] = targets.sums[o * targets.pitch + i];
  free(inputs);
  free(weights);
  free(moments.sums);
  free(targets.sums);
}

void xc_subtract_block(const xc_layer_fit *l, xc_observations *all,
                       const xc_solve *s, int64_t first,
                       const double *factors) {
  const double step = ldexp(1, -l->fit->input_point);
  columns terms = {all, step, first, s->terms, false};
  int64_t points = l->loops->points, outputs = l->loops->outputs;
  int64_t pitch = round_up(s->sums, outputs);
  double *weights =
      xc_alloc_array((size_t)(s->terms * pitch) + 1, sizeof(double));
  for (int64_t o = 0; o < s->sums; ++o)
    for (int64_t k = 0; k < s->terms; ++k)
      weights[(o / outputs * s->terms + k) * outputs + o % outputs] =
          (double)(float)factors[o * s->terms + k];
  double *inputs = xc_alloc_array((size_t)(s->terms * points), sizeof(double));
  double *sums = xc_alloc_array((size_t)(points * pitch), sizeof(double));
  for (int64_t row = 0; row < all->count; row += points) {
    int64_t rows = xc_minimum64(points, all->count - row);
    memset(sums, 0, (size_t)(points * pitch) * sizeof(*sums));
    for (int64_t k = 0; k < s->terms; ++k)
      for (int64_t i = 0; i < rows; ++i)
        inputs[k * points + i] = read_term(&terms, row + i, k);
    for (int64_t o = 0; o < pitch; o += outputs)
      l->loops->multiply(sums + o, pitch, inputs, weights + o * s->terms,
                         s->terms);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t o = 0; o < s->sums; ++o)
        all->missing[(row + i) * s->sums + o] -= (float)sums[i * pitch + o];
  }
  free(weights);
  free(inputs);
  free(sums);
}

//===----------------------------------------------------------------------===//
// Observations of all channels of a depthwise convolution
//===----------------------------------------------------------------------===//

typedef struct channel_sums {
  int64_t terms, multiplier;
  /// The terms that are not zero at the position at hand, in order: a
  /// transposed convolution of stride s reads one tap in s along each axis.
  int64_t *present, num_present;
  double *rows;    // [num_present][channels]: 1, then the taps
  double *moments; // [terms][terms][channels], j <= i
  double *targets; // [multiplier][terms][channels]
} channel_sums;

static void find_present(const xc_layer_fit *l, channel_sums *c, size_t sample,
                         int64_t position) {
  const double scale = l->fit->scales[sample];
  const double step = scale * ldexp(1, -l->fit->input_point);
  int64_t channels = l->channels;
  double *row = c->rows;
  for (int64_t k = 0; k < channels; ++k)
    *row++ = scale;
  c->present[0] = 0;
  c->num_present = 1;
  for (int64_t tap = 0; tap < l->taps; ++tap) {
    const int8_t *pixel = find_pixel(l, sample, position, tap);
    if (!pixel)
      continue;
    c->present[c->num_present++] = 1 + tap;
    for (int64_t k = 0; k < channels; ++k)
      *row++ = step * pixel[k];
  }
}

static void take_pixels(const xc_layer_fit *l, void *state, size_t sample,
                        int64_t position) {
  channel_sums *c = state;
  const double scale = l->fit->scales[sample];
  int64_t channels = l->channels, terms = c->terms;
  find_present(l, c, sample, position);
  for (int64_t i = 0; i < c->num_present; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      const double *a = c->rows + i * channels, *b = c->rows + j * channels;
      double *sums =
          c->moments + (c->present[i] * terms + c->present[j]) * channels;
      for (int64_t k = 0; k < channels; ++k)
        sums[k] += a[k] * b[k];
    }
  const float *result = l->fit->results[sample] + position * l->outputs;
  for (int64_t m = 0; m < c->multiplier; ++m)
    for (int64_t i = 0; i < c->num_present; ++i) {
      const double *a = c->rows + i * channels;
      double *sums = c->targets + (m * terms + c->present[i]) * channels;
      for (int64_t k = 0; k < channels; ++k)
        sums[k] += a[k] * (scale * (double)result[k * c->multiplier + m]);
    }
}

void xc_observe_channels(xc_layer_fit *l) {
  channel_sums c = {.terms = 1 + l->taps,
                    .multiplier = l->outputs / l->channels};
  size_t row = (size_t)(c.terms * l->channels);
  c.present = xc_alloc_array((size_t)c.terms, sizeof(*c.present));
  c.rows = xc_alloc_array(row, sizeof(double));
  c.moments = xc_alloc_array(row, (size_t)c.terms * sizeof(double));
  c.targets = xc_alloc_array(row, (size_t)c.multiplier * sizeof(double));
  visit_positions(l, &c, take_pixels);
  for (int64_t k = 0; k < l->channels; ++k) {
    xc_solve *s = &l->systems[k];
    for (int64_t i = 0; i < c.terms; ++i)
      for (int64_t j = 0; j <= i; ++j)
        s->moments[i * c.terms + j] = s->moments[j * c.terms + i] =
            c.moments[(i * c.terms + j) * l->channels + k];
    for (int64_t i = 0; i < c.multiplier * c.terms; ++i)
      s->targets[i] = c.targets[i * l->channels + k];
  }
  free(c.present);
  free(c.rows);
  free(c.moments);
  free(c.targets);
}
