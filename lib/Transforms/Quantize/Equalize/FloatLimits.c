//===- FloatLimits.c - how far the inputs of activations count ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SiLU of -8 and of -80 are all but zero: that fixed point cuts off what lies
// below -8 costs nothing, and what lies above has finer steps for it. A limit
// is where going on changes the result by half a step of its channel at most.
//
//===----------------------------------------------------------------------===//

#include "FloatActivation.h"

#include <math.h>

enum {
  PER_UNIT = 8,
  FARTHEST = 32,
  POINTS = FARTHEST * PER_UNIT,
};

/// Half a step, relative to the largest number of a channel.
static const double half_step = 1.0 / 256;

/// By how much the function still changes from a place on.
typedef struct tail {
  double changes[POINTS + 1];
} tail;

static void measure_tail(const xc_float_function *f, double sign, tail *t) {
  double low = (double)INFINITY, high = (double)-INFINITY;
  for (int i = POINTS; i >= 0; --i) {
    double y = xc_float_apply(f, sign * i / PER_UNIT);
    low = fmin(low, y);
    high = fmax(high, y);
    t->changes[i] = fmax(high - y, y - low);
  }
}

// Returns where no more than a tolerance changes; infinity when that is nowhere
// near.
static double limit_of(const tail *t, double tolerance) {
  for (int i = PER_UNIT; i < POINTS / 2; ++i)
    if (t->changes[i] <= tolerance)
      return (double)i / PER_UNIT;
  return (double)INFINITY;
}

bool xc_float_bounds(const xc_float_activation *a, double *below,
                     double *above) {
  const xc_float_function function = xc_float_function_of(a);
  tail tails[2];
  measure_tail(&function, -1, &tails[0]);
  measure_tail(&function, 1, &tails[1]);
  double largest = fmax(fabs(xc_float_apply(&function, -FARTHEST)),
                        fabs(xc_float_apply(&function, FARTHEST)));
  *below = limit_of(&tails[0], half_step * largest);
  *above = limit_of(&tails[1], half_step * largest);
  return isfinite(*below) && isfinite(*above);
}

void xc_float_limit(xc_equalizer *e, const xc_float_activation *a) {
  xc_quantize_value *input = xc_pointer_map_get(&e->q->originals, a->input.ptr);
  const xc_quantize_value *result =
      xc_pointer_map_get(&e->q->originals, a->result.ptr);
  size_t count = (size_t)input->channels;
  input->floors = xc_arena_alloc(&e->q->arena, count + 1, sizeof(double));
  input->ceilings = xc_arena_alloc(&e->q->arena, count + 1, sizeof(double));
  const xc_float_function function = xc_float_function_of(a);
  tail below, above;
  measure_tail(&function, -1, &below);
  measure_tail(&function, 1, &above);
  for (size_t c = 0; c < count; ++c) {
    double tolerance = half_step * fmax(-result->lows[c], result->highs[c]);
    input->floors[c] = -limit_of(&below, tolerance);
    input->ceilings[c] = limit_of(&above, tolerance);
    input->lows[c] = fmax(input->lows[c], input->floors[c]);
    input->highs[c] = fmin(input->highs[c], input->ceilings[c]);
  }
}

void xc_float_scale_limits(xc_equalizer *e, const xc_float_activation *a) {
  xc_quantize_value *input = xc_pointer_map_get(&e->q->originals, a->input.ptr);
  for (int64_t c = 0; input->floors && c < input->channels; ++c) {
    double factor = e->channels[a->before[c]].factor;
    input->floors[c] *= factor;
    input->ceilings[c] *= factor;
  }
}
