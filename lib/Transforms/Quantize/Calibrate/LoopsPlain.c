//===- LoopsPlain.c - inner loops in plain C ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

enum { POINTS = 4, OUTPUTS = 4 };

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
    .score = score,
};
