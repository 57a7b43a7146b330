//===- FitPoints.c - the fix points of fitted weights ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitLayer.h"

#include "Support/Math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int clamp(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

static double find_largest(const double *values, int64_t count,
                           double largest) {
  for (int64_t i = 0; i < count; ++i)
    largest = fabs(values[i]) > largest ? fabs(values[i]) : largest;
  return largest;
}

// Returns the one at which none of them overflows.
static int first_point(double largest) {
  int exponent = 0;
  frexp(largest, &exponent); // largest < 2^exponent
  return largest > 0 ? 7 - exponent : 7;
}

// Of the errors of that one and the next ones the smallest.
static int best_point(int first, const double *errors) {
  enum { TRIES = 4 };
  int best = 0;
  for (int i = 1; i < TRIES; ++i)
    if (errors[i] < errors[best])
      best = i;
  return first + best;
}

// Returns the fix point of the smallest error, from that without overflow on.
static int search(const xc_calibrate_loops *loops, const double *values,
                  int64_t count) {
  double errors[XC_CALIBRATE_CANDIDATES] = {0};
  int point = first_point(find_largest(values, count, 0));
  xc_calibrate_candidates candidates =
      xc_calibrate_make_candidates(point, XcRoundModePy3);
  loops->score(&candidates, values, count, errors, NULL);
  return best_point(point, errors);
}

// Returns the end of the outputs of a group with fix points of its own.
static int64_t end_of_points(const xc_layer_fit *l, int64_t group) {
  return xc_minimum64((group + 1) * l->fit->point_channels, l->outputs);
}

// The same of the weights of a group, output by output: all of them may be a
// gigabyte.
static int search_weights(const xc_layer_fit *l, int64_t group) {
  int64_t first = group * l->fit->point_channels;
  int64_t terms = l->taps * l->depth, end = end_of_points(l, group);
  double *own = xc_alloc_array((size_t)terms + 1, sizeof(*own));
  double largest = 0, errors[XC_CALIBRATE_CANDIDATES] = {0};
  for (int64_t o = first; o < end; ++o) {
    xc_layer_read_weights(l, o, 1, terms, own);
    largest = find_largest(own, terms, largest);
  }
  int point = first_point(largest);
  xc_calibrate_candidates candidates =
      xc_calibrate_make_candidates(point, XcRoundModePy3);
  for (int64_t o = first; o < end; ++o) {
    xc_layer_read_weights(l, o, 1, terms, own);
    l->loops->score(&candidates, own, terms, errors, NULL);
  }
  free(own);
  return best_point(point, errors);
}

// Within the shifts that the engines have: see docs/fixed-point.md.
static void choose_group_points(const xc_layer_fit *l, int64_t group) {
  xc_fit *fit = l->fit;
  int64_t first = group * fit->point_channels;
  int weight = search_weights(l, group);
  int low = fit->cut_point - fit->input_point, high = low + 16, bias = 0;
  if (fit->bias) {
    bias = search(l->loops, fit->bias + first, end_of_points(l, group) - first);
    high = (int)xc_minimum64(high, 16 + bias - fit->input_point);
  }
  // A bias that asks for more than the result allows gives in.
  weight = clamp(weight, low, high < low ? low : high);
  fit->weight_points[group] = weight;
  fit->bias_points[group] = clamp(bias, fit->input_point + weight - 16,
                                  fit->input_point + weight + 1);
}

static void set_steps(xc_layer_fit *l) {
  const xc_fit *fit = l->fit;
  for (int64_t o = 0; o < l->outputs; ++o) {
    int64_t group = o / fit->point_channels;
    l->steps[o] = ldexp(1, -fit->weight_points[group]);
    l->bias_steps[o] = fit->bias ? ldexp(1, -fit->bias_points[group]) : 0;
  }
}

void xc_layer_choose_points(xc_layer_fit *l) {
  for (int64_t g = 0; g < l->fit->num_points; ++g)
    choose_group_points(l, g);
  set_steps(l);
}

// Rounds copies of the systems to find what that would cost; they stay real.
static void try_points(xc_layer_fit *l, xc_solve *systems, int64_t count) {
  set_steps(l);
  for (int64_t g = 0; g < count; ++g) {
    xc_solve *s = &systems[g];
    size_t bytes = (size_t)(s->sums * s->terms) * sizeof(*s->factors);
    double *reals = xc_alloc(bytes + 1);
    memcpy(reals, s->factors, bytes);
    xc_layer_round(l, s, g);
    memcpy(s->factors, reals, bytes);
    free(reals);
  }
}

static double growth_of(const xc_layer_fit *l, int64_t group) {
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

void xc_layer_search_points(xc_layer_fit *l, xc_solve *systems, int64_t count) {
  static const int others[] = {1, -1};
  const double clearly = 0.98;
  xc_fit *fit = l->fit;
  size_t points = (size_t)fit->num_points;
  xc_layer_choose_points(l);
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
