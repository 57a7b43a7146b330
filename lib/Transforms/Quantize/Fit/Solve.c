//===- Solve.c - rounding by least squares --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Solve.h"

#include "Support/Math.h"
#include "Support/Memory.h"
#include "Transforms/Quantize/FastKernels/Loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LANES = XC_CALIBRATE_SUMS, // sums that are worked on side by side
  BLOCK = 8,                 // rows of the root that are subtracted at once
};

//===----------------------------------------------------------------------===//
// The root
//===----------------------------------------------------------------------===//

// Returns the sum of a term's squares, counted from what stands for 0.
static double power_of(const xc_solve *s, int64_t term) {
  double square = s->moments[term * s->terms + term];
  if (s->powers)
    return s->powers[term];
  if (!s->has_constant || s->zero == 0)
    return square;
  double sum = s->moments[term * s->terms], count = s->moments[0];
  return fmax(square - 2 * s->zero * sum + s->zero * s->zero * count, 0);
}

typedef struct ranked {
  double power;
  int64_t term;
} ranked;

static int compare_power(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->power != y->power)
    return x->power < y->power ? -1 : 1;
  return x->term < y->term ? 1 : -1;
}

// Ranks the terms in the order of rounding: the bias first, for it has the
// largest step; then the terms from the strongest to the weakest.
static void rank(xc_solve *s) {
  ranked *all = xc_alloc_array((size_t)s->terms, sizeof(*all));
  for (int64_t i = 0; i < s->terms; ++i)
    all[i] =
        (ranked){i || !s->has_constant ? power_of(s, i) : (double)INFINITY, i};
  qsort(all, (size_t)s->terms, sizeof(*all), compare_power);
  s->order = xc_alloc_array((size_t)s->terms, sizeof(*s->order));
  for (int64_t i = 0; i < s->terms; ++i)
    s->order[i] = all[i].term;
  free(all);
}

static void copy_moments(xc_solve *s, const double *add) {
  int64_t n = s->terms;
  for (int64_t i = 0; i < n; ++i) {
    const double *row = s->moments + s->order[i] * n;
    for (int64_t j = i; j < n; ++j)
      s->root[i * n + j] = row[s->order[j]];
    s->root[i * n + i] += add[s->order[i]];
  }
}

// Subtracts what rows `first` to `end` account for from the row below them.
static void subtract_rows(const xc_solve *s, int64_t first, int64_t end,
                          int64_t row) {
  int64_t n = s->terms;
  double *to = s->root + row * n;
  int64_t k = first;
  for (; k + 4 <= end; k += 4) {
    const double *a = s->root + k * n, *b = a + n, *c = b + n, *d = c + n;
    double fa = a[row], fb = b[row], fc = c[row], fd = d[row];
    for (int64_t j = row; j < n; ++j)
      to[j] = (((to[j] - fa * a[j]) - fb * b[j]) - fc * c[j]) - fd * d[j];
  }
  for (; k < end; ++k) {
    const double *a = s->root + k * n;
    double factor = a[row];
    for (int64_t j = row; j < n; ++j)
      to[j] -= factor * a[j];
  }
}

// Terms may be of very different size: a constant 1 beside inputs of 10^6. What
// is left of one is little beside itself, not beside the others.
static void finish_row(const xc_solve *s, int64_t row, const double *add) {
  const double least = 1e-9;
  int64_t term = s->order[row];
  double own = s->moments[term * s->terms + term] + add[term];
  double *to = s->root + row * s->terms;
  double pivot = sqrt(fmax(to[row], least * own));
  to[row] = pivot;
  for (int64_t j = row + 1; j < s->terms; ++j)
    to[j] /= pivot;
}

static void decompose(xc_solve *s, const double *add) {
  int64_t n = s->terms;
  for (int64_t first = 0; first < n; first += BLOCK) {
    int64_t end = xc_minimum64(first + BLOCK, n);
    for (int64_t i = first; i < end; ++i) {
      subtract_rows(s, first, i, i);
      finish_row(s, i, add);
    }
    for (int64_t i = end; i < n; ++i)
      subtract_rows(s, first, end, i);
  }
}

/// Returns the penalty of each factor.
static double *make_penalties(const xc_solve *s, double ridge) {
  int64_t n = s->terms, first = s->has_constant ? 1 : 0;
  double power = 0;
  for (int64_t i = first; i < n; ++i)
    power += power_of(s, i);
  double mean = n > first ? power / (double)(n - first) : 0;
  // Positive, where all inputs are 0 as well.
  double add = fmax(fmax(ridge, 1e-9) * mean, 1e-30);
  double *adds = xc_alloc_array((size_t)n, sizeof(*adds));
  // Hardly anything holds the bias: it is not correlated with other terms.
  adds[0] = 1e-6 * s->moments[0];
  for (int64_t i = first; i < n; ++i)
    adds[i] = add;
  return adds;
}

void xc_solve_prepare(xc_solve *s, double ridge) {
  int64_t n = s->terms;
  double *adds = make_penalties(s, ridge);
  for (int64_t o = 0; o < s->sums; ++o)
    for (int64_t i = 0; i < n; ++i)
      s->targets[o * n + i] += adds[i] * s->factors[o * n + i];
  rank(s);
  s->root = xc_alloc_array((size_t)(n * n), sizeof(*s->root));
  copy_moments(s, adds);
  decompose(s, adds);
  free(adds);
}

void xc_solve_loosen(xc_solve *s, double ridge) {
  double *adds = make_penalties(s, ridge);
  copy_moments(s, adds);
  decompose(s, adds);
  free(adds);
}

//===----------------------------------------------------------------------===//
// Several sums at a time
//===----------------------------------------------------------------------===//

// Rows of `from` in the order of the root, side by side; missing ones are 0.
static void gather(const xc_solve *s, const double *from, int64_t first,
                   double *lanes) {
  for (int64_t i = 0; i < s->terms; ++i)
    for (int64_t l = 0; l < LANES; ++l)
      lanes[i * LANES + l] =
          first + l < s->sums ? from[(first + l) * s->terms + s->order[i]] : 0;
}

static void scatter(const xc_solve *s, const double *lanes, int64_t first) {
  for (int64_t i = 0; i < s->terms; ++i)
    for (int64_t l = 0; l < LANES && first + l < s->sums; ++l)
      s->factors[(first + l) * s->terms + s->order[i]] = lanes[i * LANES + l];
}

static void divide(double *lanes, double by) {
  for (int64_t l = 0; l < LANES; ++l)
    lanes[l] /= by;
}

static void solve_lanes(const xc_solve *s, double *lanes) {
  const xc_calibrate_loops *loops = xc_calibrate_select();
  int64_t n = s->terms;
  for (int64_t first = 0; first < n; first += BLOCK) {
    int64_t end = xc_minimum64(first + BLOCK, n);
    const double *rows = s->root + first * n;
    double *own = lanes + first * LANES;
    for (int64_t i = first; i < end; ++i) {
      loops->subtract(lanes + i * LANES, 1, rows + i, n, own, i - first);
      divide(lanes + i * LANES, s->root[i * n + i]);
    }
    loops->subtract(lanes + end * LANES, n - end, rows + end, n, own,
                    end - first);
  }
  for (int64_t i = n; i-- > 0;) {
    const double *row = s->root + i * n;
    double *own = lanes + i * LANES;
    loops->subtract(own, 1, row + i + 1, 1, own + LANES, n - i - 1);
    divide(own, row[i]);
  }
}

// panels[rows / unit][count][unit] of rows[rows][count], or of columns; missing
// ones are 0.
static void pack(const double *from, int64_t row_step, int64_t step,
                 int64_t rows, int64_t count, int64_t unit, double *panels) {
  for (int64_t first = 0; first < rows; first += unit)
    for (int64_t k = 0; k < count; ++k)
      for (int64_t i = first; i < first + unit; ++i)
        *panels++ = i < rows ? from[i * row_step + k * step] : 0;
}

static int64_t round_up(int64_t count, int64_t unit) {
  return (count + unit - 1) / unit * unit;
}

static double *make_reals(int64_t count) {
  return xc_alloc_array((size_t)count + 1, sizeof(double));
}

void xc_solve_aim(xc_solve *s) {
  const xc_calibrate_loops *loops = xc_calibrate_select();
  int64_t n = s->terms, points = loops->points, outputs = loops->outputs;
  int64_t rows = round_up(s->sums, points), pitch = round_up(n, outputs);
  double *factors = make_reals(rows * n), *moments = make_reals(pitch * n);
  double *tile = make_reals(points * outputs);
  pack(s->factors, n, 1, s->sums, n, points, factors);
  pack(s->moments, 1, n, n, n, outputs, moments);
  for (int64_t o = 0; o < s->sums; o += points)
    for (int64_t j = 0; j < n; j += outputs) {
      int64_t high = xc_minimum64(points, s->sums - o);
      size_t wide = (size_t)xc_minimum64(outputs, n - j) * sizeof(*tile);
      double *targets = s->targets + o * n + j;
      for (int64_t i = 0; i < high; ++i)
        memcpy(tile + i * outputs, targets + i * n, wide);
      loops->multiply_rounded(tile, outputs, factors + o * n, moments + j * n,
                              n);
      for (int64_t i = 0; i < high; ++i)
        memcpy(targets + i * n, tile + i * outputs, wide);
    }
  free(factors);
  free(moments);
  free(tile);
}

void xc_solve_reals(xc_solve *s) {
  double *lanes = xc_alloc_array((size_t)(s->terms * LANES), sizeof(*lanes));
  for (int64_t o = 0; o < s->sums; o += LANES) {
    gather(s, s->targets, o, lanes);
    solve_lanes(s, lanes);
    scatter(s, lanes, o);
  }
  free(lanes);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Of the sums that are worked on side by side.
typedef struct lane_steps {
  double factors[LANES], bias[LANES];
} lane_steps;

// From the last row up: `lanes` become integers times their steps, `errors`
// that minus what was wanted.
static void round_lanes(const xc_solve *s, const lane_steps *steps,
                        double *lanes, double *errors, double *growth) {
  const xc_calibrate_loops *loops = xc_calibrate_select();
  int64_t n = s->terms;
  for (int64_t i = n; i-- > 0;) {
    const double *row = s->root + i * n;
    double left[LANES] = {0};
    loops->subtract(left, 1, row + i + 1, 1, errors + (i + 1) * LANES,
                    n - i - 1);
    const double *units =
        s->order[i] || !s->has_constant ? steps->factors : steps->bias;
    for (int64_t l = 0; l < LANES; ++l) {
      double wanted = lanes[i * LANES + l], unit = units[l];
      double aim = unit > 0 ? (wanted + left[l] / row[i]) / unit : 0;
      double rounded = unit > 0 ? unit * xc_calibrate_round(aim, 0) : 0;
      lanes[i * LANES + l] = rounded;
      errors[i * LANES + l] = rounded - wanted;
      double miss = left[l] + row[i] * (wanted - rounded);
      growth[l] += miss * miss;
    }
  }
}

// Finds the best bias for the integers that the others have become.
static void settle_bias(xc_solve *s, const double *bias_steps) {
  for (int64_t o = 0; o < s->sums; ++o) {
    double *factors = s->factors + o * s->terms;
    double left = s->targets[o * s->terms], step = bias_steps[o];
    for (int64_t i = 1; i < s->terms; ++i)
      left -= s->moments[i] * factors[i];
    if (step > 0)
      factors[0] = step * xc_calibrate_round(left / s->moments[0] / step, 0);
  }
}

void xc_solve_round(xc_solve *s, xc_solve_steps steps, double *growth) {
  size_t count = (size_t)(s->terms * LANES);
  double *lanes = xc_alloc_array(count, sizeof(*lanes));
  double *errors = xc_alloc_array(count, sizeof(*errors));
  for (int64_t o = 0; o < s->sums; o += LANES) {
    lane_steps own = {{0}, {0}};
    double grown[LANES] = {0};
    int64_t used = xc_minimum64(LANES, s->sums - o);
    for (int64_t l = 0; l < used; ++l) {
      own.factors[l] = steps.factors[o + l];
      own.bias[l] = steps.bias[o + l];
    }
    gather(s, s->factors, o, lanes);
    round_lanes(s, &own, lanes, errors, grown);
    scatter(s, lanes, o);
    for (int64_t l = 0; growth && l < used; ++l)
      growth[o + l] = grown[l];
  }
  free(errors);
  free(lanes);
  if (s->has_constant)
    settle_bias(s, steps.bias);
}

void xc_solve_free(xc_solve *s) {
  free(s->moments);
  free(s->powers);
  free(s->targets);
  free(s->factors);
  free(s->order);
  free(s->root);
}
