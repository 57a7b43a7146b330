//===- FitLayer.c - the weights of one convolution ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outputs that read the same inputs are sums of the same terms (Solve.h):
// all of a convolution, those of a group, one channel of a depthwise one.
// Inputs are small integers, so that the sums of their products are exact.
//
//===----------------------------------------------------------------------===//

#include "Fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_POSITIONS = 6000, // of the outputs, over all samples
  CHUNK = 256,           // positions that are worked on at once
};

typedef struct layer {
  xc_fit *fit;
  const xc_calibrate_loops *loops;
  xc_taps window;
  xc_arena arena;
  bool is_depthwise;
  int64_t taps, depth, channels, outputs;
  int64_t positions; // of one sample
  int64_t groups;
  xc_solve *systems; // by group
  int64_t observed;  // positions that were taken
} layer;

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t round_up(int64_t count, int64_t unit) {
  return (count + unit - 1) / unit * unit;
}

//===----------------------------------------------------------------------===//
// Where things are
//===----------------------------------------------------------------------===//

// The weight of a term (from 1 on) of an output.
static int64_t weight_at(const layer *l, int64_t output, int64_t term) {
  if (!l->is_depthwise)
    return output * l->taps * l->depth + term - 1;
  // [M, H, W, C] with output c * M + m.
  int64_t multiplier = l->outputs / l->channels;
  return (output % multiplier * l->taps + term - 1) * l->channels +
         output / multiplier;
}

static int64_t sums_per_group(const layer *l) { return l->outputs / l->groups; }

static bool lay_out(layer *l) {
  xc_fit *fit = l->fit;
  l->window = xc_taps_of(&fit->op, &l->arena);
  l->is_depthwise = xc_is_depthwise(&fit->op);
  l->taps = l->window.h.taps * l->window.w.taps;
  l->channels = fit->input.dims[3];
  l->outputs = fit->output.dims[3];
  l->groups = l->is_depthwise ? l->channels : xc_group_of(&fit->op);
  l->depth = l->channels / l->groups;
  l->positions =
      fit->output.dims[0] * l->window.h.outputs * l->window.w.outputs;
  return l->outputs > 0 && l->positions > 0 && l->depth > 0;
}

// The pixel that a tap reads for a position of the output, or null.
static const int8_t *find_pixel(const layer *l, size_t sample, int64_t position,
                                int64_t tap) {
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

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Every so many positions one is taken, from all columns alike.
static int64_t choose_stride(const layer *l) {
  int64_t total = l->positions * (int64_t)l->fit->num_samples;
  int64_t stride = (total + MOST_POSITIONS - 1) / MOST_POSITIONS;
  while (stride > 1 && common_divisor(stride, l->window.w.outputs) > 1)
    ++stride;
  return stride;
}

/// Observations of one group, and panels of their columns for the loops.
typedef struct chunk {
  int64_t group, count;
  int64_t pitch;         // terms, rounded up for both kinds of panel
  int64_t points, terms; // terms in whole tiles of points and of outputs
  int64_t sums;          // in whole tiles of points
  double *rows;          // [CHUNK][pitch]
  double *wanted;        // [CHUNK][sums]
  double *inputs;        // panels of tiles of points
  double *weights;       // panels of tiles of outputs
  double *moments;       // [points][terms]
  double *targets;       // [sums][terms]
} chunk;

static chunk make_chunk(const layer *l, int64_t group, int64_t terms) {
  chunk c = {.group = group,
             .points = round_up(terms, l->loops->points),
             .terms = round_up(terms, l->loops->outputs),
             .sums = round_up(sums_per_group(l), l->loops->points)};
  int64_t widest = c.points > c.sums ? c.points : c.sums;
  c.pitch = c.points > c.terms ? c.points : c.terms;
  c.rows = xc_alloc_array((size_t)(CHUNK * c.pitch), sizeof(double));
  c.wanted = xc_alloc_array((size_t)(CHUNK * c.sums), sizeof(double));
  c.inputs = xc_alloc_array((size_t)(CHUNK * widest), sizeof(double));
  c.weights = xc_alloc_array((size_t)(CHUNK * c.terms), sizeof(double));
  c.moments = xc_alloc_array((size_t)(c.points * c.terms), sizeof(double));
  c.targets = xc_alloc_array((size_t)(c.sums * c.terms), sizeof(double));
  return c;
}

static void free_chunk(chunk *c) {
  free(c->rows);
  free(c->wanted);
  free(c->inputs);
  free(c->weights);
  free(c->moments);
  free(c->targets);
}

// panels[columns / unit][count][unit]
static void pack(const double *rows, int64_t pitch, int64_t columns,
                 int64_t count, int64_t unit, double *panels) {
  for (int64_t first = 0; first < columns; first += unit)
    for (int64_t k = 0; k < count; ++k)
      for (int64_t i = 0; i < unit; ++i)
        *panels++ = rows[k * pitch + first + i];
}

// Adds the products of all columns of two sets; of a set with itself those on
// and below the diagonal.
static void add_products(const layer *l, const chunk *c, int64_t columns,
                         bool is_square, double *sums) {
  int64_t points = l->loops->points, outputs = l->loops->outputs;
  for (int64_t i = 0; i < columns; i += points)
    for (int64_t o = 0; o < c->terms; o += outputs)
      if (!is_square || o < i + points)
        l->loops->multiply(sums + i * c->terms + o, c->terms,
                           c->inputs + i * c->count, c->weights + o * c->count,
                           c->count);
}

static void add_chunk(const layer *l, chunk *c) {
  int64_t points = l->loops->points;
  pack(c->rows, c->pitch, c->terms, c->count, l->loops->outputs, c->weights);
  pack(c->rows, c->pitch, c->points, c->count, points, c->inputs);
  add_products(l, c, c->points, true, c->moments);
  pack(c->wanted, c->sums, c->sums, c->count, points, c->inputs);
  add_products(l, c, c->sums, false, c->targets);
  c->count = 0;
}

static void take_position(const layer *l, void *state, size_t sample,
                          int64_t position) {
  chunk *c = state;
  const double step = ldexp(1, -l->fit->input_point);
  double *row = c->rows + c->count * c->pitch;
  *row++ = 1;
  for (int64_t tap = 0; tap < l->taps; ++tap, row += l->depth) {
    const int8_t *pixel = find_pixel(l, sample, position, tap);
    if (pixel)
      pixel += c->group * l->depth;
    for (int64_t i = 0; i < l->depth; ++i)
      row[i] = pixel ? step * pixel[i] : 0;
  }
  int64_t sums = sums_per_group(l);
  const float *result =
      l->fit->results[sample] + position * l->outputs + c->group * sums;
  for (int64_t o = 0; o < sums; ++o)
    c->wanted[c->count * c->sums + o] = (double)result[o];
  if (++c->count == CHUNK)
    add_chunk(l, c);
}

static void store_sums(const chunk *c, xc_solve *s) {
  int64_t n = s->terms;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j)
      s->moments[i * n + j] = s->moments[j * n + i] =
          c->moments[i * c->terms + j];
  for (int64_t o = 0; o < s->sums; ++o)
    for (int64_t i = 0; i < n; ++i)
      s->targets[o * n + i] = c->targets[o * c->terms + i];
}

// Calls `take` for the positions to observe.
static void visit_positions(layer *l, void *state,
                            void (*take)(const layer *l, void *state,
                                         size_t sample, int64_t position)) {
  int64_t stride = choose_stride(l), position = stride / 2;
  l->observed = 0;
  for (size_t sample = 0; sample < l->fit->num_samples; ++sample) {
    for (; position < l->positions; position += stride, ++l->observed)
      take(l, state, sample, position);
    position -= l->positions;
  }
}

static void observe_group(layer *l, int64_t group) {
  xc_solve *s = &l->systems[group];
  chunk c = make_chunk(l, group, s->terms);
  visit_positions(l, &c, take_position);
  if (c.count)
    add_chunk(l, &c);
  store_sums(&c, s);
  free_chunk(&c);
}

//===----------------------------------------------------------------------===//
// Observations of all channels of a depthwise convolution
//===----------------------------------------------------------------------===//

typedef struct channel_sums {
  int64_t terms, multiplier;
  double *rows;    // [terms][channels]: 1, then the taps
  double *moments; // [terms][terms][channels], j <= i
  double *targets; // [multiplier][terms][channels]
} channel_sums;

static void take_pixels(const layer *l, void *state, size_t sample,
                        int64_t position) {
  channel_sums *c = state;
  const double step = ldexp(1, -l->fit->input_point);
  int64_t channels = l->channels, terms = c->terms;
  for (int64_t tap = 0; tap < l->taps; ++tap) {
    const int8_t *pixel = find_pixel(l, sample, position, tap);
    double *row = c->rows + (1 + tap) * channels;
    for (int64_t k = 0; k < channels; ++k)
      row[k] = pixel ? step * pixel[k] : 0;
  }
  for (int64_t i = 0; i < terms; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      const double *a = c->rows + i * channels, *b = c->rows + j * channels;
      double *sums = c->moments + (i * terms + j) * channels;
      for (int64_t k = 0; k < channels; ++k)
        sums[k] += a[k] * b[k];
    }
  const float *result = l->fit->results[sample] + position * l->outputs;
  for (int64_t m = 0; m < c->multiplier; ++m)
    for (int64_t i = 0; i < terms; ++i) {
      const double *a = c->rows + i * channels;
      double *sums = c->targets + (m * terms + i) * channels;
      for (int64_t k = 0; k < channels; ++k)
        sums[k] += a[k] * (double)result[k * c->multiplier + m];
    }
}

static void observe_channels(layer *l) {
  channel_sums c = {.terms = 1 + l->taps,
                    .multiplier = l->outputs / l->channels};
  size_t row = (size_t)(c.terms * l->channels);
  c.rows = xc_alloc_array(row, sizeof(double));
  c.moments = xc_alloc_array(row, (size_t)c.terms * sizeof(double));
  c.targets = xc_alloc_array(row, (size_t)c.multiplier * sizeof(double));
  for (int64_t k = 0; k < l->channels; ++k)
    c.rows[k] = 1;
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
  free(c.rows);
  free(c.moments);
  free(c.targets);
}

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

static void make_system(layer *l, int64_t group) {
  xc_solve *s = &l->systems[group];
  s->terms = 1 + l->taps * l->depth;
  s->sums = sums_per_group(l);
  size_t square = (size_t)(s->terms * s->terms);
  size_t rows = (size_t)(s->sums * s->terms);
  s->moments = xc_alloc_array(square, sizeof(double));
  s->targets = xc_alloc_array(rows, sizeof(double));
  s->factors = xc_alloc_array(rows, sizeof(double));
  for (int64_t o = 0; o < s->sums; ++o) {
    int64_t output = group * s->sums + o;
    if (l->fit->bias)
      s->factors[o * s->terms] = l->fit->bias[output];
    for (int64_t i = 1; i < s->terms; ++i)
      s->factors[o * s->terms + i] = l->fit->weights[weight_at(l, output, i)];
  }
}

// Without a bias nothing depends on term 0.
static void forget_bias(xc_solve *s) {
  for (int64_t i = 1; i < s->terms; ++i)
    s->moments[i] = s->moments[i * s->terms] = 0;
  for (int64_t o = 0; o < s->sums; ++o)
    s->targets[o * s->terms] = 0;
}

// Few observations say little about many factors.
static double choose_ridge(const layer *l, const xc_solve *s) {
  double ratio = (double)(s->terms - 1) / (double)l->observed;
  return l->is_depthwise ? 0.4 * ratio : 0.02 + 4 * ratio;
}

//===----------------------------------------------------------------------===//
// Fix points
//===----------------------------------------------------------------------===//

static int clamp(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

/// Factors with what an error of theirs costs.
typedef struct weighted {
  double *values, *weights;
  int64_t count;
} weighted;

static weighted collect(const layer *l, bool bias) {
  weighted all = {0};
  for (int64_t g = 0; g < l->groups; ++g)
    all.count += l->systems[g].sums * (bias ? 1 : l->systems[g].terms - 1);
  all.values = xc_alloc_array((size_t)all.count + 1, sizeof(double));
  all.weights = xc_alloc_array((size_t)all.count + 1, sizeof(double));
  int64_t at = 0;
  for (int64_t g = 0; g < l->groups; ++g) {
    const xc_solve *s = &l->systems[g];
    for (int64_t o = 0; o < s->sums; ++o)
      for (int64_t i = bias ? 0 : 1; i < (bias ? 1 : s->terms); ++i, ++at) {
        all.values[at] = s->factors[o * s->terms + i];
        all.weights[at] = s->moments[i * s->terms + i];
      }
  }
  return all;
}

static double rounding_error(const weighted *all, int point) {
  const double up = ldexp(1, point), down = ldexp(1, -point);
  double sum = 0;
  for (int64_t i = 0; i < all->count; ++i) {
    double error =
        all->values[i] - down * xc_calibrate_round(up * all->values[i], 0);
    sum += all->weights[i] * error * error;
  }
  return sum;
}

// The fix point of the smallest weighted error, from that without overflow on.
static int search(const layer *l, bool bias) {
  enum { TRIES = 4 };
  weighted all = collect(l, bias);
  double largest = 0;
  for (int64_t i = 0; i < all.count; ++i)
    largest = fmax(largest, fabs(all.values[i]));
  int exponent = 0;
  frexp(largest, &exponent); // largest < 2^exponent
  int point = largest > 0 ? 7 - exponent : 7, best = point;
  double least = rounding_error(&all, point);
  for (int i = 1; i < TRIES; ++i) {
    double error = rounding_error(&all, point + i);
    if (error < least) {
      least = error;
      best = point + i;
    }
  }
  free(all.values);
  free(all.weights);
  return best;
}

// Within the shifts that the engines have: see docs/fixed-point.md.
static void choose_points(layer *l) {
  xc_fit *fit = l->fit;
  int weight = search(l, false);
  int low = fit->cut_point - fit->input_point, high = low + 16;
  if (fit->bias) {
    fit->bias_point = search(l, true);
    high = (int)smaller(high, 16 + fit->bias_point - fit->input_point);
  }
  // A bias that asks for more than the result allows gives in.
  fit->weight_point = clamp(weight, low, high < low ? low : high);
  if (fit->bias)
    fit->bias_point =
        clamp(fit->bias_point, fit->input_point + fit->weight_point - 16,
              fit->input_point + fit->weight_point + 1);
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

static void store_integers(const layer *l, int64_t group) {
  const xc_solve *s = &l->systems[group];
  xc_fit *fit = l->fit;
  for (int64_t o = 0; o < s->sums; ++o) {
    const double *factors = s->factors + o * s->terms;
    int64_t output = group * s->sums + o;
    if (fit->bias)
      fit->fixed_bias[output] = (int8_t)ldexp(factors[0], fit->bias_point);
    for (int64_t i = 1; i < s->terms; ++i)
      fit->fixed_weights[weight_at(l, output, i)] =
          (int8_t)ldexp(factors[i], fit->weight_point);
  }
}

void xc_fit_layer(xc_fit *fit) {
  layer l = {.fit = fit, .loops = xc_calibrate_select()};
  if (lay_out(&l)) {
    l.systems = xc_alloc_array((size_t)l.groups, sizeof(*l.systems));
    for (int64_t g = 0; g < l.groups; ++g)
      make_system(&l, g);
    if (l.is_depthwise)
      observe_channels(&l);
    for (int64_t g = 0; g < l.groups; ++g) {
      if (!l.is_depthwise)
        observe_group(&l, g);
      if (!fit->bias)
        forget_bias(&l.systems[g]);
      xc_solve_prepare(&l.systems[g], choose_ridge(&l, &l.systems[g]));
      xc_solve_reals(&l.systems[g]);
    }
    choose_points(&l);
    for (int64_t g = 0; g < l.groups; ++g) {
      xc_solve_round(&l.systems[g], ldexp(1, -fit->weight_point),
                     fit->bias ? ldexp(1, -fit->bias_point) : 0);
      store_integers(&l, g);
      xc_solve_free(&l.systems[g]);
    }
    free(l.systems);
  }
  xc_arena_free(&l.arena);
}
