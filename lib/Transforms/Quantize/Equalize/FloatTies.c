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

#include "Equalize.h"
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

/// The factor of a channel before the function, and the summands before and
/// after it.
typedef struct line {
  double inverse, zero, back;
} line;

/// The inputs of a channel and what the function makes of them.
typedef struct curve {
  double x[INTEGERS], y[INTEGERS];
} curve;

static void draw(const xc_float_site *site, const line *own, curve *all) {
  const double step = ldexp(1, -site->from->point);
  for (int i = 0; i < INTEGERS; ++i) {
    all->x[i] = (double)(float)(own->inverse * step * (LOWEST + i) + own->zero);
    all->y[i] = xc_float_apply(&site->function, all->x[i]);
  }
}

// Whether no result lies next to half a step.
static bool is_clear(const curve *all, const line *own, double scale,
                     double up) {
  const double beyond = 130, back = own->back * up;
  for (int i = 0; i < INTEGERS; ++i) {
    double place = all->y[i] * scale + back + 0.5;
    double margin = of_result * (fabs(place) + fabs(back)) +
                    of_input * (fabs(all->x[i]) + fabs(own->zero)) * scale;
    if (fabs(place) < beyond && fabs(place - nearbyint(place)) <= margin)
      return false;
  }
  return true;
}

static float find_factor(const curve *all, const line *own, float factor,
                         double up) {
  for (int i = 0; i < TRIES; ++i) {
    float tried = (float)((double)factor * (1 + ldexp(i, -16)));
    if (is_clear(all, own, (double)tried * up, up))
      return tried;
  }
  return factor;
}

enum { FACTORS = 1, ZEROS };

static bool replace_factors(MlirOperation scale, const float *factors) {
  const xc_builder builder = xc_builder_before(scale);
  MlirValue old = mlirOperationGetOperand(scale, FACTORS);
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(old), &shape);
  MlirValue made = xc_build_const_bytes(&builder, factors, &shape);
  if (mlirValueIsNull(made))
    return false;
  mlirOperationSetOperand(scale, FACTORS, made);
  if (!xc_value_is_used(old))
    mlirOperationDestroy(mlirOpResultGetOwner(old));
  return true;
}

// Returns the numbers that an operator multiplies by or adds, or null; free
// with free().
static float *read_numbers(MlirOperation scale, intptr_t slot) {
  size_t size;
  return mlirOperationIsNull(scale) ||
                 slot >= mlirOperationGetNumOperands(scale)
             ? NULL
             : xc_const_bytes(
                   xc_constant_of(mlirOperationGetOperand(scale, slot)), &size);
}

static bool clear_site(const xc_float_site *site) {
  float *inverses = read_numbers(site->unscale, FACTORS);
  float *zeros = read_numbers(site->unscale, ZEROS);
  float *factors = read_numbers(site->scale, FACTORS);
  float *backs = read_numbers(site->scale, ZEROS);
  const int64_t channels = site->to->channels;
  for (int64_t c = 0; factors && c < channels; ++c) {
    const line own = {inverses ? (double)inverses[c] : 1,
                      zeros ? (double)zeros[c] : 0,
                      backs ? (double)backs[c] : 0};
    curve all;
    draw(site, &own, &all);
    factors[c] = find_factor(&all, &own, factors[c], ldexp(1, site->to->point));
  }
  bool ok = factors && replace_factors(site->scale, factors);
  free(inverses);
  free(zeros);
  free(factors);
  free(backs);
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
