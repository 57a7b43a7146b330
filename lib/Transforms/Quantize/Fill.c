//===- Fill.c - tensors that fill their range -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scales are powers of two: of a tensor whose largest number lies just above
// one half of the integers stays empty, and its rounding error is twice as
// large as it might be. All channels of a group may be multiplied by one more
// factor, which moves its tensors up to the limits. Octaves are the fix points'
// business: what is searched for is the best place in an octave.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Equalize.h"

#include <math.h>

enum { STEPS = 32 }; // places in an octave

/// The largest number may lose so much: next to the limit is better than after
/// it. Measured: without this the logits of ResNet-8 lose 3 dB.
static const double clip = 63.0 / 64;

bool xc_equal_is_rounded(const xc_quantize_value *value) {
  MlirOperation writer = mlirOpResultGetOwner(value->original);
  if (xc_op_info_of(writer)->kind == XC_TIR_MAXPOOL2D)
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(value->original);
  bool is_alone = !mlirOpOperandIsNull(use) &&
                  mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
  return !is_alone || !xc_nonlinear_of(mlirOpOperandGetOwner(use));
}

// Adds what rounding costs at each place, relative to the tensor: rounding to
// steps of s adds s^2 / 12 to each number but zeros, which stay what they are.
static void add_costs(const xc_quantize_value *value, const double *factor,
                      double *costs) {
  const double above = 127.5, below = 128.5; // what rounds to the limits
  double step = clip * fmax(value->high / above, -value->low / below);
  double power = 0, count = 0;
  for (int64_t c = 0; c < value->channels; ++c) {
    power += factor[c] * factor[c] * value->squares[c];
    count += value->filled[c];
  }
  // The step would have to be a power of two; the next larger one is.
  for (int i = 0; step > 0 && i < STEPS; ++i) {
    double place = log2(step) + (double)i / STEPS;
    double rounded = step * exp2(ceil(place) - place);
    costs[i] += count * rounded * rounded / 12 / power;
  }
}

static double best_factor(const double *costs) {
  int best = 0;
  for (int i = 1; i < STEPS; ++i)
    if (costs[i] < costs[best])
      best = i;
  // The smaller change of the two.
  return exp2((double)(best > STEPS / 2 ? best - STEPS : best) / STEPS);
}

void xc_equal_fill(xc_equalizer *e) {
  for (size_t i = 0; i < e->q->num_values; ++i) {
    const xc_quantize_value *value = &e->q->values[i];
    xc_equal_group *g = xc_pointer_map_get(&e->by_value, value->original.ptr);
    g = g ? xc_equal_root(g) : NULL;
    if (!g || !g->factor || g->has_limit || !xc_equal_is_rounded(value))
      continue;
    if (!g->costs)
      g->costs = xc_arena_alloc(&e->arena, STEPS, sizeof(*g->costs));
    add_costs(value, g->factor, g->costs);
  }
  for (xc_equal_group *g = e->groups; g; g = g->next) {
    double factor = g->costs ? best_factor(g->costs) : 1;
    for (int64_t c = 0; g->costs && c < g->channels; ++c)
      g->factor[c] *= factor;
  }
}
