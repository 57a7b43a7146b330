//===- LoopsPlain.c - inner loops in plain C ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

#include <assert.h>

enum { POINTS = 4, OUTPUTS = 4 };

static_assert((int)POINTS == (int)XC_CALIBRATE_FEW, "few points are a tile");

static bool is_supported(void) { return true; }

static void multiply(double *sums, int64_t pitch, const double *inputs,
                     const double *weights, int64_t count) {
  double tile[POINTS][OUTPUTS];
  for (int p = 0; p < POINTS; ++p)
    for (int o = 0; o < OUTPUTS; ++o)
      tile[p][o] = sums[p * pitch + o];
  for (int64_t k = 0; k < count; ++k, inputs += POINTS, weights += OUTPUTS)
    for (int p = 0; p < POINTS; ++p)
      for (int o = 0; o < OUTPUTS; ++o)
        tile[p][o] += inputs[p] * weights[o];
  for (int p = 0; p < POINTS; ++p)
    for (int o = 0; o < OUTPUTS; ++o)
      sums[p * pitch + o] = tile[p][o];
}

static void interleave(double *to, int64_t unit, const float *const *from,
                       int64_t rows, int64_t count) {
  for (int64_t k = 0; k < count; ++k)
    for (int64_t i = 0; i < rows; ++i)
      to[k * unit + i] = (double)from[i][k];
}

static void multiply_pairs(int32_t *sums, int64_t pitch,
                           const xc_calibrate_pair *inputs,
                           const xc_calibrate_pair *weights, int64_t count) {
  for (int64_t k = 0; k < count; ++k, inputs += POINTS, weights += 2 * OUTPUTS)
    for (int p = 0; p < POINTS; ++p)
      for (int o = 0; o < 2 * OUTPUTS; ++o)
        sums[p * pitch + o] += inputs[p].first * weights[o].first +
                               inputs[p].second * weights[o].second;
}

static void subtract_products(double *to, int64_t rows, const double *factors,
                              int64_t step, const double *from, int64_t count) {
  for (int64_t i = 0; i < rows; ++i, to += XC_CALIBRATE_SUMS)
    for (int64_t k = 0; k < count; ++k) {
      double factor = factors[i + k * step];
      for (int s = 0; s < XC_CALIBRATE_SUMS; ++s)
        to[s] -= factor * from[k * XC_CALIBRATE_SUMS + s];
    }
}

static void score(const xc_calibrate_candidates *candidates,
                  const double *values, int64_t count, double *errors,
                  double *sums) {
  for (int64_t i = 0; i < count; ++i)
    for (int k = 0; k < XC_CALIBRATE_CANDIDATES; ++k) {
      double whole =
          xc_calibrate_round(values[i] * candidates->up[k], candidates->tie);
      double rounded = whole * candidates->down[k];
      double error = values[i] - rounded;
      errors[k] += error * error;
      if (sums)
        sums[i * XC_CALIBRATE_CANDIDATES + k] += rounded;
    }
}

const xc_calibrate_loops xc_calibrate_plain = {
    .name = "plain",
    .is_supported = is_supported,
    .points = POINTS,
    .outputs = OUTPUTS,
    .multiply = multiply,
    .multiply_few = multiply,
    .interleave = interleave,
    .multiply_pairs = multiply_pairs,
    .multiply_rounded = multiply,
    .subtract = subtract_products,
    .score = score,
};
