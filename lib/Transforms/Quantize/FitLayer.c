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

#include "Support/Math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 }; // positions that are worked on at once

typedef struct layer {
  xc_fit *fit;
  const xc_calibrate_loops *loops;
  xc_taps window;
  xc_arena arena;
  bool is_depthwise;
  int64_t taps, depth, channels, outputs;
  int64_t positions; // of one sample
  int64_t groups;
  xc_solve *systems; // of depthwise ones, by channel
  int64_t observed;  // positions that are taken
  /// Of each output: what its weights and bias are rounded to, and how much
  /// rounding them added to the error.
  double *steps, *bias_steps, *growth;
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
  size_t outputs = (size_t)l->outputs + 1;
  l->steps = xc_arena_alloc(&l->arena, outputs, sizeof(*l->steps));
  l->bias_steps = xc_arena_alloc(&l->arena, outputs, sizeof(*l->bias_steps));
  l->growth = xc_arena_alloc(&l->arena, outputs, sizeof(*l->growth));
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

// Every so many positions one is taken, from all columns alike.
static int64_t choose_stride(const layer *l) {
  int64_t total = l->positions * (int64_t)l->fit->num_samples;
  int64_t most = l->fit->effort.positions;
  int64_t stride = (total + most - 1) / most;
  while (stride > 1 && xc_gcd64(stride, l->window.w.outputs) > 1)
    ++stride;
  return stride;
}

// Calls `take` for the positions to observe.
static void visit_positions(const layer *l, void *state,
                            void (*take)(const layer *l, void *state,
                                         size_t sample, int64_t position)) {
  int64_t stride = choose_stride(l), position = stride / 2;
  for (size_t sample = 0; sample < l->fit->num_samples; ++sample) {
    for (; position < l->positions; position += stride)
      take(l, state, sample, position);
    position -= l->positions;
  }
}

static void count_position(const layer *l, void *state, size_t sample,
                           int64_t position) {
  int64_t *count = state;
  (void)l;
  (void)sample;
  (void)position;
  ++*count;
}

//===----------------------------------------------------------------------===//
// Observations of the outputs of a group
//===----------------------------------------------------------------------===//

/// What the outputs of a group read and what they still lack.
typedef struct observations {
  int64_t group, count;
  int64_t terms, sums;
  int8_t *inputs; // [count][terms], without the constant
  float *missing; // [count][sums]
  double *scales; // of each row
} observations;

static void take_position(const layer *l, void *state, size_t sample,
                          int64_t position) {
  observations *all = state;
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

static observations observe_group(const layer *l, int64_t group) {
  observations all = {
      .group = group, .terms = l->taps * l->depth, .sums = sums_per_group(l)};
  all.inputs = xc_alloc_array((size_t)(l->observed * all.terms) + 1, 1);
  all.missing =
      xc_alloc_array((size_t)(l->observed * all.sums) + 1, sizeof(float));
  all.scales = xc_alloc_array((size_t)l->observed + 1, sizeof(double));
  visit_positions(l, &all, take_position);
  return all;
}

//===----------------------------------------------------------------------===//
// Products of columns
//===----------------------------------------------------------------------===//

/// The terms first, first + 1, ... of observations; term 0 is the constant.
typedef struct columns {
  const observations *all;
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

static products make_products(const layer *l, int64_t rows, int64_t pitch) {
  products p = {.rows = round_up(rows, l->loops->points),
                .pitch = round_up(pitch, l->loops->outputs)};
  p.sums = xc_alloc_array((size_t)(p.rows * p.pitch) + 1, sizeof(double));
  return p;
}

// Adds `rows` products; of a set with itself those on and below the diagonal.
static void add_products(const layer *l, const products *p,
                         const double *inputs, const double *weights,
                         int64_t rows, bool is_square) {
  int64_t points = l->loops->points, outputs = l->loops->outputs;
  for (int64_t i = 0; i < p->rows; i += points)
    for (int64_t o = 0; o < p->pitch; o += outputs)
      if (!is_square || o < i + points)
        l->loops->multiply(p->sums + i * p->pitch + o, p->pitch,
                           inputs + i * rows, weights + o * rows, rows);
}

// The system of the terms of a block, and what is missing as its target.
static void multiply_columns(const layer *l, const observations *all,
                             xc_solve *s, int64_t first) {
  const double step = ldexp(1, -l->fit->input_point);
  columns terms = {all, step, first, s->terms, true};
  columns wanted = {all, step, 0, s->sums, true};
  products moments = make_products(l, s->terms, s->terms);
  products targets = make_products(l, s->sums, s->terms);
  int64_t widest = moments.rows > targets.rows ? moments.rows : targets.rows;
  double *inputs = xc_alloc_array((size_t)(CHUNK * widest), sizeof(double));
  double *weights =
      xc_alloc_array((size_t)(CHUNK * moments.pitch), sizeof(double));
  for (int64_t row = 0; row < all->count; row += CHUNK) {
    int64_t rows = smaller(CHUNK, all->count - row);
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

// Takes from what is missing the products of a block's terms and factors, which
// are rounded to floats so that the products are exact.
static void subtract_block(const layer *l, observations *all, const xc_solve *s,
                           int64_t first, const double *factors) {
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
    int64_t rows = smaller(points, all->count - row);
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
  double *rows;    // [terms][channels]: 1, then the taps
  double *moments; // [terms][terms][channels], j <= i
  double *targets; // [multiplier][terms][channels]
} channel_sums;

static void take_pixels(const layer *l, void *state, size_t sample,
                        int64_t position) {
  channel_sums *c = state;
  const double scale = l->fit->scales[sample];
  const double step = scale * ldexp(1, -l->fit->input_point);
  int64_t channels = l->channels, terms = c->terms;
  for (int64_t k = 0; k < channels; ++k)
    c->rows[k] = scale;
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
        sums[k] += a[k] * (scale * (double)result[k * c->multiplier + m]);
    }
}

static void observe_channels(layer *l) {
  channel_sums c = {.terms = 1 + l->taps,
                    .multiplier = l->outputs / l->channels};
  size_t row = (size_t)(c.terms * l->channels);
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
  free(c.rows);
  free(c.moments);
  free(c.targets);
}

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

// The system of some terms of a group.
static xc_solve make_system(const layer *l, int64_t group, int64_t first,
                            int64_t terms) {
  xc_solve s = {
      .terms = terms, .sums = sums_per_group(l), .has_constant = first == 0};
  size_t rows = (size_t)(s.sums * terms);
  s.moments = xc_alloc_array((size_t)(terms * terms), sizeof(double));
  s.targets = xc_alloc_array(rows, sizeof(double));
  s.factors = xc_alloc_array(rows, sizeof(double));
  for (int64_t o = 0; o < s.sums; ++o)
    for (int64_t i = 0; i < terms; ++i) {
      int64_t output = group * s.sums + o;
      double *factor = &s.factors[o * terms + i];
      if (first + i)
        *factor = l->fit->weights[weight_at(l, output, first + i)];
      else if (l->fit->bias)
        *factor = l->fit->bias[output];
    }
  return s;
}

// Without a bias nothing depends on term 0.
static void forget_bias(xc_solve *s) {
  for (int64_t i = 1; i < s->terms; ++i)
    s->moments[i] = s->moments[i * s->terms] = 0;
  for (int64_t o = 0; o < s->sums; ++o)
    s->targets[o * s->terms] = 0;
}

// Few observations say little about many factors.
static double choose_ridge(const layer *l) {
  double ratio = (double)(l->taps * l->depth) / (double)l->observed;
  return l->is_depthwise ? 0.4 * ratio : 0.02 + 4 * ratio;
}

static void store_integers(const layer *l, const xc_solve *s, int64_t group,
                           int64_t first) {
  xc_fit *fit = l->fit;
  for (int64_t o = 0; o < s->sums; ++o)
    for (int64_t i = 0; i < s->terms; ++i) {
      int64_t output = group * s->sums + o;
      double factor = s->factors[o * s->terms + i];
      if (first + i)
        fit->fixed_weights[weight_at(l, output, first + i)] =
            (int8_t)(factor / l->steps[output]);
      else if (fit->bias)
        fit->fixed_bias[output] = (int8_t)(factor / l->bias_steps[output]);
    }
}

static void round_system(const layer *l, xc_solve *s, int64_t group) {
  int64_t first = group * s->sums;
  xc_solve_round(s, (xc_solve_steps){l->steps + first, l->bias_steps + first},
                 l->growth + first);
}

//===----------------------------------------------------------------------===//
// Fix points
//===----------------------------------------------------------------------===//

static int clamp(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

static double rounding_error(const double *values, int64_t count, int point) {
  const double up = ldexp(1, point), down = ldexp(1, -point);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    double error = values[i] - down * xc_calibrate_round(up * values[i], 0);
    sum += error * error;
  }
  return sum;
}

// The fix point of the smallest error, from that without overflow on.
static int search(const double *values, int64_t count) {
  enum { TRIES = 4 };
  double largest = 0;
  for (int64_t i = 0; i < count; ++i)
    largest = fmax(largest, fabs(values[i]));
  int exponent = 0;
  frexp(largest, &exponent); // largest < 2^exponent
  int point = largest > 0 ? 7 - exponent : 7, best = point;
  double least = rounding_error(values, count, point);
  for (int i = 1; i < TRIES; ++i) {
    double error = rounding_error(values, count, point + i);
    if (error < least) {
      least = error;
      best = point + i;
    }
  }
  return best;
}

// The outputs of a group with fix points of its own.
static int64_t end_of_points(const layer *l, int64_t group) {
  return smaller((group + 1) * l->fit->point_channels, l->outputs);
}

// That of the smallest error of the weights of a group.
static int search_weights(const layer *l, int64_t group) {
  int64_t first = group * l->fit->point_channels, count = 0;
  int64_t terms = l->taps * l->depth, end = end_of_points(l, group);
  double *own =
      xc_alloc_array((size_t)((end - first) * terms) + 1, sizeof(*own));
  for (int64_t o = first; o < end; ++o)
    for (int64_t i = 1; i <= terms; ++i)
      own[count++] = l->fit->weights[weight_at(l, o, i)];
  int point = search(own, count);
  free(own);
  return point;
}

// Within the shifts that the engines have: see docs/fixed-point.md.
static void choose_group_points(const layer *l, int64_t group) {
  xc_fit *fit = l->fit;
  int64_t first = group * fit->point_channels;
  int weight = search_weights(l, group);
  int low = fit->cut_point - fit->input_point, high = low + 16, bias = 0;
  if (fit->bias) {
    bias = search(fit->bias + first, end_of_points(l, group) - first);
    high = (int)smaller(high, 16 + bias - fit->input_point);
  }
  // A bias that asks for more than the result allows gives in.
  weight = clamp(weight, low, high < low ? low : high);
  fit->weight_points[group] = weight;
  fit->bias_points[group] = clamp(bias, fit->input_point + weight - 16,
                                  fit->input_point + weight + 1);
}

static void set_steps(layer *l) {
  const xc_fit *fit = l->fit;
  for (int64_t o = 0; o < l->outputs; ++o) {
    int64_t group = o / fit->point_channels;
    l->steps[o] = ldexp(1, -fit->weight_points[group]);
    l->bias_steps[o] = fit->bias ? ldexp(1, -fit->bias_points[group]) : 0;
  }
}

static void choose_points(layer *l) {
  for (int64_t g = 0; g < l->fit->num_points; ++g)
    choose_group_points(l, g);
  set_steps(l);
}

// What rounding systems would cost; they stay real.
static void try_points(layer *l, xc_solve *systems, int64_t count) {
  set_steps(l);
  for (int64_t g = 0; g < count; ++g) {
    xc_solve *s = &systems[g];
    size_t bytes = (size_t)(s->sums * s->terms) * sizeof(*s->factors);
    double *reals = xc_alloc(bytes + 1);
    memcpy(reals, s->factors, bytes);
    round_system(l, s, g);
    memcpy(s->factors, reals, bytes);
    free(reals);
  }
}

static double growth_of(const layer *l, int64_t group) {
  double sum = 0;
  for (int64_t o = group * l->fit->point_channels; o < end_of_points(l, group);
       ++o)
    sum += l->growth[o];
  return sum;
}

// Whether the engines have the shifts.
static bool is_possible(const xc_fit *fit, int64_t group, int point) {
  int cut = fit->input_point + point - fit->cut_point;
  int bias = fit->input_point + point - fit->bias_points[group];
  return cut >= 0 && cut <= 16 && (!fit->bias || (bias >= -1 && bias <= 16));
}

// The fix points of the weights that suit the results best. That of the least
// error of the weights themselves stays unless another is clearly better.
static void choose_weight_points(layer *l, xc_solve *systems, int64_t count) {
  static const int others[] = {1, -1};
  const double clearly = 0.98;
  xc_fit *fit = l->fit;
  size_t points = (size_t)fit->num_points;
  choose_points(l);
  int *first = xc_alloc_array(points, sizeof(*first));
  int *best = xc_alloc_array(points, sizeof(*best));
  double *least = xc_alloc_array(points, sizeof(*least));
  memcpy(first, fit->weight_points, points * sizeof(*first));
  memcpy(best, first, points * sizeof(*first));
  try_points(l, systems, count);
  for (int64_t g = 0; g < fit->num_points; ++g)
    least[g] = clearly * growth_of(l, g);
  for (size_t i = 0; i < sizeof(others) / sizeof(*others); ++i) {
    for (int64_t g = 0; g < fit->num_points; ++g)
      if (is_possible(fit, g, first[g] + others[i]))
        fit->weight_points[g] = first[g] + others[i];
    try_points(l, systems, count);
    for (int64_t g = 0; g < fit->num_points; ++g) {
      if (fit->weight_points[g] != first[g] && growth_of(l, g) < least[g]) {
        least[g] = growth_of(l, g);
        best[g] = fit->weight_points[g];
      }
      fit->weight_points[g] = first[g];
    }
  }
  memcpy(fit->weight_points, best, points * sizeof(*best));
  set_steps(l);
  free(first);
  free(best);
  free(least);
}

// The reals that were found, in the place of the weights that they improve.
static void keep_reals(const layer *l, const xc_solve *s, int64_t group) {
  for (int64_t o = 0; o < s->sums; ++o)
    for (int64_t i = 0; i < s->terms; ++i) {
      int64_t output = group * s->sums + o;
      double factor = s->factors[o * s->terms + i];
      if (i)
        l->fit->weights[weight_at(l, output, i)] = factor;
      else if (l->fit->bias)
        l->fit->bias[output] = factor;
    }
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

static void solve_system(const layer *l, xc_solve *s) {
  if (!l->fit->bias && s->has_constant)
    forget_bias(s);
  xc_solve_prepare(s, choose_ridge(l));
  xc_solve_reals(s);
}

static void fit_depthwise(layer *l) {
  l->systems = xc_alloc_array((size_t)l->groups, sizeof(*l->systems));
  for (int64_t g = 0; g < l->groups; ++g)
    l->systems[g] = make_system(l, g, 0, 1 + l->taps);
  observe_channels(l);
  for (int64_t g = 0; g < l->groups; ++g) {
    solve_system(l, &l->systems[g]);
    keep_reals(l, &l->systems[g], g);
  }
  choose_weight_points(l, l->systems, l->groups);
  for (int64_t g = 0; g < l->groups; ++g) {
    round_system(l, &l->systems[g], g);
    store_integers(l, &l->systems[g], g, 0);
    xc_solve_free(&l->systems[g]);
  }
  free(l->systems);
}

// What the real weights of other blocks contribute.
static void subtract_others(const layer *l, observations *all, int64_t group,
                            int64_t step) {
  for (int64_t first = 0; first <= all->terms; first += step) {
    int64_t count = smaller(step, all->terms + 1 - first);
    xc_solve s = make_system(l, group, first, count);
    subtract_block(l, all, &s, first, s.factors);
    xc_solve_free(&s);
  }
}

// What is missing on average when all weights are settled.
static void settle_bias(const layer *l, const observations *all,
                        int64_t group) {
  for (int64_t o = 0; o < all->sums; ++o) {
    int64_t output = group * all->sums + o;
    int8_t *bias = &l->fit->fixed_bias[output];
    double sum = 0, total = 0;
    for (int64_t i = 0; i < all->count; ++i) {
      double weight = all->scales[i] * all->scales[i];
      sum += weight * (double)all->missing[i * all->sums + o];
      total += weight;
    }
    double mean = sum / total;
    *bias = (int8_t)xc_calibrate_round(*bias + mean / l->bias_steps[output], 0);
  }
}

// Some terms at a time, each block on what those before it have missed.
static void fit_blocks(const layer *l, observations *all, int64_t group,
                       int64_t step) {
  subtract_others(l, all, group, step);
  for (int64_t first = 0; first <= all->terms; first += step) {
    int64_t count = smaller(step, all->terms + 1 - first);
    xc_solve s = make_system(l, group, first, count);
    double *before = xc_alloc_array((size_t)(s.sums * count), sizeof(double));
    memcpy(before, s.factors, (size_t)(s.sums * count) * sizeof(double));
    multiply_columns(l, all, &s, first);
    xc_solve_aim(&s);
    solve_system(l, &s);
    round_system(l, &s, group);
    store_integers(l, &s, group, first);
    for (int64_t i = 0; i < s.sums * count; ++i)
      before[i] = s.factors[i] - before[i];
    subtract_block(l, all, &s, first, before);
    free(before);
    xc_solve_free(&s);
  }
  if (l->fit->bias)
    settle_bias(l, all, group);
}

static void fit_whole(layer *l, const observations *all, int64_t group) {
  xc_solve s = make_system(l, group, 0, all->terms + 1);
  multiply_columns(l, all, &s, 0);
  solve_system(l, &s);
  if (l->groups == 1) {
    keep_reals(l, &s, group);
    choose_weight_points(l, &s, 1);
  }
  round_system(l, &s, group);
  store_integers(l, &s, group, 0);
  xc_solve_free(&s);
}

static void fit_groups(layer *l) {
  choose_points(l);
  for (int64_t g = 0; g < l->groups; ++g) {
    observations all = observe_group(l, g);
    if (all.terms <= l->fit->effort.terms)
      fit_whole(l, &all, g);
    else
      fit_blocks(l, &all, g, l->fit->effort.terms);
    free(all.inputs);
    free(all.missing);
    free(all.scales);
  }
}

void xc_fit_layer(xc_fit *fit) {
  layer l = {.fit = fit, .loops = xc_calibrate_select()};
  if (lay_out(&l)) {
    visit_positions(&l, &l.observed, count_position);
    if (l.is_depthwise)
      fit_depthwise(&l);
    else
      fit_groups(&l);
  }
  xc_arena_free(&l.arena);
}
