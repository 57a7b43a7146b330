//===- FloatTies.c - results of activations on the CPU off halves ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machine code computes sigmoids and their like to the last digits but a few,
// and where a result lies on half a step it rounds to another integer than the
// interpreter does. What goes into an activation is one of 256 integers: the
// factor of a channel's results is changed by some 2^-16 until none of them
// gives such a result.
//
//===----------------------------------------------------------------------===//

#include "FloatActivation.h"

#include "IR/Builder.h"
#include "IR/IR.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

#include <math.h>
#include <stdlib.h>

enum { INTEGERS = 256, LOWEST = -128, TRIES = 64 };

/// By how much results may differ, relative to them and to what goes in.
static const double of_result = 1e-6, of_input = 2e-7;

/// The inputs of a channel and what the function makes of them.
typedef struct curve {
  double x[INTEGERS], y[INTEGERS];
} curve;

static void draw(const xc_float_site *site, double inverse, curve *all) {
  const double step = ldexp(1, -site->from->point);
  for (int i = 0; i < INTEGERS; ++i) {
    all->x[i] = (double)(float)(inverse * step * (LOWEST + i));
    all->y[i] = xc_float_apply(&site->function, all->x[i]);
  }
}

// Whether no result lies next to half a step.
static bool is_clear(const curve *all, double scale) {
  const double beyond = 130;
  for (int i = 0; i < INTEGERS; ++i) {
    double place = all->y[i] * scale + 0.5;
    double margin =
        of_result * fabs(place) + of_input * fabs(all->x[i] * scale);
    if (fabs(place) < beyond && fabs(place - nearbyint(place)) <= margin)
      return false;
  }
  return true;
}

static float find_factor(const curve *all, float factor, double up) {
  for (int i = 0; i < TRIES; ++i) {
    float tried = (float)((double)factor * (1 + ldexp(i, -16)));
    if (is_clear(all, (double)tried * up))
      return tried;
  }
  return factor;
}

static bool replace_factors(MlirOperation scale, const float *factors,
                            int64_t channels) {
  const xc_builder builder = xc_builder_before(scale);
  const xc_shape shape = {XC_ELEMENT_F32, 4, {1, 1, 1, channels}, false};
  MlirValue old = mlirOperationGetOperand(scale, 1);
  MlirValue made = xc_build_const_bytes(&builder, factors, &shape);
  if (mlirValueIsNull(made))
    return false;
  mlirOperationSetOperand(scale, 1, made);
  if (!xc_value_is_used(old))
    mlirOperationDestroy(mlirOpResultGetOwner(old));
  return true;
}

// The constant that an operator multiplies by; free with free().
static float *read_factors(MlirOperation scale) {
  size_t size;
  return mlirOperationIsNull(scale)
             ? NULL
             : xc_const_bytes(xc_constant_of(mlirOperationGetOperand(scale, 1)),
                              &size);
}

static bool clear_site(const xc_float_site *site) {
  float *inverses = read_factors(site->unscale);
  float *factors = read_factors(site->scale);
  const int64_t channels = site->to->channels;
  for (int64_t c = 0; factors && c < channels; ++c) {
    curve all;
    draw(site, inverses ? (double)inverses[c] : 1, &all);
    factors[c] = find_factor(&all, factors[c], ldexp(1, site->to->point));
  }
  bool ok = factors && replace_factors(site->scale, factors, channels);
  free(inverses);
  free(factors);
  return ok;
}

bool xc_quantize_avoid_ties(xc_quantizer *q) {
  for (size_t i = 0; i < q->num_sites; ++i) {
    const xc_float_site *site = &q->sites[i];
    if (!mlirValueIsNull(site->from->fixed) &&
        !mlirValueIsNull(site->to->fixed) && !clear_site(site))
      return false;
  }
  return true;
}
