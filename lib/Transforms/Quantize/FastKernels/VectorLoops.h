//===- VectorLoops.h - inner loops over vectors ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by each variant after its POINTS, VECTORS and LANES and the vectors
// of its processor. A file of its own compiles the loops for each.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FASTKERNELS_VECTORLOOPS_H
#define XC_TRANSFORMS_QUANTIZE_FASTKERNELS_VECTORLOOPS_H

#include "Loops.h"

#include <string.h>

// Of the first `points` of a tile.
static inline void multiply_tile(double *sums, int64_t pitch,
                                 const double *inputs, const double *weights,
                                 int64_t count, int points, bool is_exact) {
  vector tile[POINTS][VECTORS];
  for (int p = 0; p < points; ++p)
    for (int v = 0; v < VECTORS; ++v)
      tile[p][v] = load(&sums[p * pitch + v * LANES]);
  for (int64_t k = 0; k < count; ++k, inputs += POINTS) {
    vector weight[VECTORS];
    for (int v = 0; v < VECTORS; ++v, weights += LANES)
      weight[v] = load(weights);
    for (int p = 0; p < points; ++p) {
      vector input = broadcast(inputs[p]);
      for (int v = 0; v < VECTORS; ++v)
        tile[p][v] = is_exact ? multiply_add(input, weight[v], tile[p][v])
                              : add(tile[p][v], times(input, weight[v]));
    }
  }
  for (int p = 0; p < points; ++p)
    for (int v = 0; v < VECTORS; ++v)
      store(&sums[p * pitch + v * LANES], tile[p][v]);
}

static void multiply(double *sums, int64_t pitch, const double *inputs,
                     const double *weights, int64_t count) {
  multiply_tile(sums, pitch, inputs, weights, count, POINTS, true);
}

static void multiply_few(double *sums, int64_t pitch, const double *inputs,
                         const double *weights, int64_t count) {
  multiply_tile(sums, pitch, inputs, weights, count, XC_CALIBRATE_FEW, true);
}

static void multiply_rounded(double *sums, int64_t pitch, const double *inputs,
                             const double *weights, int64_t count) {
  multiply_tile(sums, pitch, inputs, weights, count, POINTS, false);
}

// Four numbers of each of four rows.
static inline void interleave_square(double *to, int64_t unit,
                                     const float *const *from, int64_t k) {
  __m128 a = _mm_loadu_ps(from[0] + k), b = _mm_loadu_ps(from[1] + k);
  __m128 c = _mm_loadu_ps(from[2] + k), d = _mm_loadu_ps(from[3] + k);
  _MM_TRANSPOSE4_PS(a, b, c, d);
  to += k * unit;
  _mm256_storeu_pd(to, _mm256_cvtps_pd(a));
  _mm256_storeu_pd(to + unit, _mm256_cvtps_pd(b));
  _mm256_storeu_pd(to + 2 * unit, _mm256_cvtps_pd(c));
  _mm256_storeu_pd(to + 3 * unit, _mm256_cvtps_pd(d));
}

// A cache line of each row at a time.
static void interleave(double *to, int64_t unit, const float *const *from,
                       int64_t rows, int64_t count) {
  enum { SIDE = 4, LINE = 16 };
  for (int64_t first = 0; first < count; first += LINE) {
    int64_t end = first + LINE < count ? first + LINE : count;
    for (int64_t i = 0; i < rows; i += SIDE) {
      int64_t own = rows - i < SIDE ? rows - i : SIDE, k = first;
      for (; own == SIDE && k + SIDE <= end; k += SIDE)
        interleave_square(to + i, unit, from + i, k);
      for (; k < end; ++k)
        for (int64_t r = i; r < i + own; ++r)
          to[k * unit + r] = (double)from[r][k];
    }
  }
}

static void multiply_pairs(int32_t *sums, int64_t pitch,
                           const xc_calibrate_pair *inputs,
                           const xc_calibrate_pair *weights, int64_t count) {
  whole_vector tile[POINTS][VECTORS];
  for (int p = 0; p < POINTS; ++p)
    for (int v = 0; v < VECTORS; ++v)
      tile[p][v] = load_whole(&sums[p * pitch + v * 2 * LANES]);
  for (int64_t k = 0; k < count; ++k, inputs += POINTS) {
    whole_vector weight[VECTORS];
    for (int v = 0; v < VECTORS; ++v, weights += 2 * LANES)
      weight[v] = load_whole(weights);
    for (int p = 0; p < POINTS; ++p) {
      int32_t bits;
      memcpy(&bits, &inputs[p], sizeof bits);
      whole_vector input = broadcast_whole(bits);
      for (int v = 0; v < VECTORS; ++v)
        tile[p][v] = add_whole(tile[p][v], multiply_whole(input, weight[v]));
    }
  }
  for (int p = 0; p < POINTS; ++p)
    for (int v = 0; v < VECTORS; ++v)
      store_whole(&sums[p * pitch + v * 2 * LANES], tile[p][v]);
}

static void subtract_products(double *to, int64_t rows, const double *factors,
                              int64_t step, const double *from, int64_t count) {
  enum { WIDTH = XC_CALIBRATE_SUMS / LANES };
  for (int64_t i = 0; i < rows; ++i, to += XC_CALIBRATE_SUMS) {
    vector sum[WIDTH];
    for (int v = 0; v < WIDTH; ++v)
      sum[v] = load(to + v * LANES);
    for (int64_t k = 0; k < count; ++k) {
      vector factor = broadcast(factors[i + k * step]);
      const double *row = from + k * XC_CALIBRATE_SUMS;
      for (int v = 0; v < WIDTH; ++v)
        sum[v] = subtract(sum[v], times(factor, load(row + v * LANES)));
    }
    for (int v = 0; v < WIDTH; ++v)
      store(to + v * LANES, sum[v]);
  }
}

enum { PARTS = XC_CALIBRATE_CANDIDATES / LANES };

/// xc_calibrate_round of several numbers.
static inline vector round_all(vector scaled, vector tie) {
  const vector whole = broadcast(0x1.8p52);
  scaled = minimum(maximum(scaled, broadcast(-128)), broadcast(127));
  vector even = subtract(add(scaled, whole), whole);
  return add(even, where_half(subtract(scaled, even), tie));
}

static inline void score_values(const xc_calibrate_candidates *candidates,
                                const double *values, int64_t count,
                                double *errors, double *sums, bool has_sums) {
  vector tie = broadcast(candidates->tie);
  vector up[PARTS], down[PARTS], total[PARTS];
  for (int v = 0; v < PARTS; ++v) {
    up[v] = load(&candidates->up[v * LANES]);
    down[v] = load(&candidates->down[v * LANES]);
    total[v] = load(&errors[v * LANES]);
  }
  for (int64_t i = 0; i < count; ++i) {
    vector value = broadcast(values[i]);
    for (int v = 0; v < PARTS; ++v) {
      vector rounded = times(round_all(times(value, up[v]), tie), down[v]);
      vector error = subtract(value, rounded);
      total[v] = add(total[v], times(error, error));
      if (has_sums) {
        double *sum = &sums[i * XC_CALIBRATE_CANDIDATES + v * LANES];
        store(sum, add(load(sum), rounded));
      }
    }
  }
  for (int v = 0; v < PARTS; ++v)
    store(&errors[v * LANES], total[v]);
}

static void score(const xc_calibrate_candidates *candidates,
                  const double *values, int64_t count, double *errors,
                  double *sums) {
  if (sums)
    score_values(candidates, values, count, errors, sums, true);
  else
    score_values(candidates, values, count, errors, NULL, false);
}

#endif // XC_TRANSFORMS_QUANTIZE_FASTKERNELS_VECTORLOOPS_H
