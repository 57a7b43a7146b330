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

#ifndef XC_TRANSFORMS_QUANTIZE_CALIBRATE_VECTORLOOPS_H
#define XC_TRANSFORMS_QUANTIZE_CALIBRATE_VECTORLOOPS_H

#include "Loops.h"

static void multiply(double *sums, int64_t pitch, const double *inputs,
                     const double *weights, int64_t count) {
  vector tile[POINTS][VECTORS];
  for (int p = 0; p < POINTS; ++p)
    for (int v = 0; v < VECTORS; ++v)
      tile[p][v] = load(&sums[p * pitch + v * LANES]);
  for (int64_t k = 0; k < count; ++k, inputs += POINTS) {
    vector weight[VECTORS];
    for (int v = 0; v < VECTORS; ++v, weights += LANES)
      weight[v] = load(weights);
    for (int p = 0; p < POINTS; ++p) {
      vector input = broadcast(inputs[p]);
      for (int v = 0; v < VECTORS; ++v)
        tile[p][v] = multiply_add(input, weight[v], tile[p][v]);
    }
  }
  for (int p = 0; p < POINTS; ++p)
    for (int v = 0; v < VECTORS; ++v)
      store(&sums[p * pitch + v * LANES], tile[p][v]);
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

#endif // XC_TRANSFORMS_QUANTIZE_CALIBRATE_VECTORLOOPS_H
