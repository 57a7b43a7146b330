//===- FitLayer.c - the weights of one convolution ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outputs that read the same inputs are sums of the same terms (Solve.h):
// all of a convolution, those of a group, one channel of a depthwise one.
//
//===----------------------------------------------------------------------===//

#include "FitLayer.h"

#include "Support/Math.h"
#include "dialects/Groups.h"

#include <stdlib.h>
#include <string.h>

// Returns the weight of a term (from 1 on) of an output.
static int64_t weight_at(const xc_layer_fit *l, int64_t output, int64_t term) {
  if (l->has_zeros) {
    int64_t tap = (term - 1) / l->depth, group = output / xc_layer_sums(l);
    return (output * l->taps + tap) * l->channels + group * l->depth +
           (term - 1) % l->depth;
  }
  if (!l->is_depthwise)
    return output * l->taps * l->depth + term - 1;
  // [M, H, W, C] with output c * M + m.
  int64_t multiplier = l->outputs / l->channels;
  return (output % multiplier * l->taps + term - 1) * l->channels +
         output / multiplier;
}

void xc_layer_read_weights(const xc_layer_fit *l, int64_t output, int64_t first,
                           int64_t count, double *weights) {
  const xc_fit *fit = l->fit;
  xc_tensor reals = {fit->weight, fit->reals};
  reals.shape.element = XC_ELEMENT_F64;
  const xc_tensor *all = fit->reals ? &reals : &fit->weights;
  // Those of an output follow each other but in depthwise convolutions and
  // where there are zeros between them.
  if (!l->is_depthwise && !l->has_zeros && count > 0)
    xc_get_reals(all, weight_at(l, output, first), count, weights);
  else
    for (int64_t i = 0; i < count; ++i)
      weights[i] = xc_get_real(all, weight_at(l, output, first + i));
}

int64_t xc_layer_sums(const xc_layer_fit *l) { return l->outputs / l->groups; }

// Of a kernel that has zeros between groups, these stay zeros.
static void find_groups(xc_layer_fit *l) {
  const xc_tensor *weights = &l->fit->weights;
  const xc_dense_kernel kernel = {.weights = weights->data,
                                  .element =
                                      xc_element_size(weights->shape.element),
                                  .outputs = l->outputs,
                                  .window = l->taps,
                                  .inputs = l->channels};
  l->groups = l->is_depthwise ? l->channels : xc_group_of(&l->fit->op);
  if (l->is_depthwise || l->groups > 1)
    return;
  l->groups = xc_zero_groups(&kernel);
  l->has_zeros = l->groups > 1;
}

static bool lay_out(xc_layer_fit *l) {
  xc_fit *fit = l->fit;
  l->window = xc_taps_of(&fit->op, &l->arena);
  l->is_depthwise = xc_is_depthwise(&fit->op);
  l->taps = l->window.h.taps * l->window.w.taps;
  l->channels = fit->input.dims[3];
  l->outputs = fit->output.dims[3];
  find_groups(l);
  l->depth = l->channels / l->groups;
  l->positions =
      fit->output.dims[0] * l->window.h.outputs * l->window.w.outputs;
  size_t outputs = (size_t)l->outputs + 1;
  l->steps = xc_arena_alloc(&l->arena, outputs, sizeof(*l->steps));
  l->bias_steps = xc_arena_alloc(&l->arena, outputs, sizeof(*l->bias_steps));
  l->growth = xc_arena_alloc(&l->arena, outputs, sizeof(*l->growth));
  return l->outputs > 0 && l->positions > 0 && l->depth > 0;
}

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

// Copies the weights of some terms of an output, the bias as term 0.
static void copy_factors(const xc_layer_fit *l, int64_t output, int64_t first,
                         int64_t terms, double *factors) {
  int64_t i = first ? 0 : 1;
  if (i && l->fit->bias)
    *factors = l->fit->bias[output];
  xc_layer_read_weights(l, output, first + i, terms - i, factors + i);
}

// Returns the system of some terms of a group.
static xc_solve make_system(const xc_layer_fit *l, int64_t group, int64_t first,
                            int64_t terms) {
  xc_solve s = {.terms = terms,
                .sums = xc_layer_sums(l),
                .has_constant = first == 0,
                .zero = l->fit->input_zero};
  size_t rows = (size_t)(s.sums * terms);
  s.moments = xc_alloc_array((size_t)(terms * terms), sizeof(double));
  s.targets = xc_alloc_array(rows, sizeof(double));
  s.factors = xc_alloc_array(rows, sizeof(double));
  for (int64_t o = 0; o < s.sums; ++o)
    copy_factors(l, group * s.sums + o, first, terms, s.factors + o * terms);
  return s;
}

// Without a bias nothing depends on term 0.
static void forget_bias(xc_solve *s) {
  for (int64_t i = 1; i < s->terms; ++i)
    s->moments[i] = s->moments[i * s->terms] = 0;
  for (int64_t o = 0; o < s->sums; ++o)
    s->targets[o * s->terms] = 0;
}

// Few observations say little about many factors.
static double choose_ridge(const xc_layer_fit *l) {
  double ratio = (double)(l->taps * l->depth) / (double)l->observed;
  return l->is_depthwise ? 0.4 * ratio : 0.02 + 4 * ratio;
}

static void store_integers(const xc_layer_fit *l, const xc_solve *s,
                           int64_t group, int64_t first) {
  xc_fit *fit = l->fit;
  for (int64_t o = 0; o < s->sums; ++o)
    for (int64_t i = 0; i < s->terms; ++i) {
      int64_t output = group * s->sums + o;
      double factor = s->factors[o * s->terms + i];
      if (first + i)
        fit->fixed_weights[weight_at(l, output, first + i)] =
            (int8_t)(factor / l->steps[output]);
      else if (fit->bias)
        fit->fixed_bias[output] = (int8_t)(factor / l->bias_steps[output]);
    }
}

void xc_layer_round(const xc_layer_fit *l, xc_solve *s, int64_t group) {
  int64_t first = group * s->sums;
  xc_solve_round(s, (xc_solve_steps){l->steps + first, l->bias_steps + first},
                 l->growth + first);
}

static double *copy_weights(const xc_tensor *weights) {
  int64_t count = xc_tensor_count(weights);
  double *reals = xc_alloc_array((size_t)count + 1, sizeof(*reals));
  xc_get_reals(weights, 0, count, reals);
  return reals;
}

// Puts the reals that were found in the place of the weights that they improve.
static void keep_reals(const xc_layer_fit *l, const xc_solve *s,
                       int64_t group) {
  if (!l->fit->reals)
    l->fit->reals = copy_weights(&l->fit->weights);
  for (int64_t o = 0; o < s->sums; ++o)
    for (int64_t i = 0; i < s->terms; ++i) {
      int64_t output = group * s->sums + o;
      double factor = s->factors[o * s->terms + i];
      if (i)
        l->fit->reals[weight_at(l, output, i)] = factor;
      else if (l->fit->bias)
        l->fit->bias[output] = factor;
    }
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

// The real factors take up errors of the layers in front, which observations
// tell from chance only if there are many. Rounding takes up its own errors,
// which are known: what few observations say of the inputs is enough for that.
static void solve_system(const xc_layer_fit *l, xc_solve *s) {
  const double most_of_rounding = 0.5;
  double ridge = choose_ridge(l);
  if (!l->fit->bias && s->has_constant)
    forget_bias(s);
  xc_solve_prepare(s, ridge);
  xc_solve_reals(s);
  if (ridge > most_of_rounding)
    xc_solve_loosen(s, most_of_rounding);
}

static void fit_depthwise(xc_layer_fit *l) {
  l->systems = xc_alloc_array((size_t)l->groups, sizeof(*l->systems));
  for (int64_t g = 0; g < l->groups; ++g)
    l->systems[g] = make_system(l, g, 0, 1 + l->taps);
  xc_observe_channels(l);
  for (int64_t g = 0; g < l->groups; ++g) {
    solve_system(l, &l->systems[g]);
    keep_reals(l, &l->systems[g], g);
  }
  xc_layer_search_points(l, l->systems, l->groups);
  for (int64_t g = 0; g < l->groups; ++g) {
    xc_layer_round(l, &l->systems[g], g);
    store_integers(l, &l->systems[g], g, 0);
    xc_solve_free(&l->systems[g]);
  }
  free(l->systems);
}

// Subtracts the products of the real weights of other blocks.
static void subtract_others(const xc_layer_fit *l, xc_observations *all,
                            int64_t group, int64_t step) {
  for (int64_t first = 0; first <= all->terms; first += step) {
    int64_t count = xc_minimum64(step, all->terms + 1 - first);
    xc_solve s = make_system(l, group, first, count);
    xc_subtract_block(l, all, &s, first, s.factors);
    xc_solve_free(&s);
  }
}

// Adds to the bias the mean of the sums that are missing when all weights are
// settled.
static void settle_bias(const xc_layer_fit *l, const xc_observations *all,
                        int64_t group) {
  for (int64_t o = 0; o < all->sums; ++o) {
    int64_t output = group * all->sums + o;
    int8_t *bias = &l->fit->fixed_bias[output];
    double sum = 0, total = 0;
    for (int64_t i = 0; i < all->count; ++i) {
      double weight = all->scales[i] * all->scales[i];
      sum += weight * (double)all->missing[i * all->sums + o];
      total += weight;
    }
    double mean = sum / total;
    *bias = (int8_t)xc_calibrate_round(*bias + mean / l->bias_steps[output], 0);
  }
}

// Some terms at a time, each block on what those before it have missed.
static void fit_blocks(const xc_layer_fit *l, xc_observations *all,
                       int64_t group, int64_t step) {
  subtract_others(l, all, group, step);
  for (int64_t first = 0; first <= all->terms; first += step) {
    int64_t count = xc_minimum64(step, all->terms + 1 - first);
    xc_solve s = make_system(l, group, first, count);
    double *before = xc_alloc_array((size_t)(s.sums * count), sizeof(double));
    memcpy(before, s.factors, (size_t)(s.sums * count) * sizeof(double));
    xc_multiply_columns(l, all, &s, first);
    xc_solve_aim(&s);
    solve_system(l, &s);
    xc_layer_round(l, &s, group);
    store_integers(l, &s, group, first);
    for (int64_t i = 0; i < s.sums * count; ++i)
      before[i] = s.factors[i] - before[i];
    xc_subtract_block(l, all, &s, first, before);
    free(before);
    xc_solve_free(&s);
  }
  if (l->fit->bias)
    settle_bias(l, all, group);
}

static void fit_whole(xc_layer_fit *l, const xc_observations *all,
                      int64_t group) {
  xc_solve s = make_system(l, group, 0, all->terms + 1);
  xc_multiply_columns(l, all, &s, 0);
  solve_system(l, &s);
  if (l->groups == 1) {
    keep_reals(l, &s, group);
    xc_layer_search_points(l, &s, 1);
  }
  xc_layer_round(l, &s, group);
  store_integers(l, &s, group, 0);
  xc_solve_free(&s);
}

static void fit_groups(xc_layer_fit *l) {
  xc_layer_choose_points(l);
  for (int64_t g = 0; g < l->groups; ++g) {
    xc_observations all = xc_observe_group(l, g);
    if (all.terms <= l->fit->effort.terms)
      fit_whole(l, &all, g);
    else
      fit_blocks(l, &all, g, l->fit->effort.terms);
    xc_observations_free(&all);
  }
}

void xc_fit_layer(xc_fit *fit) {
  xc_layer_fit l = {.fit = fit, .loops = xc_calibrate_select()};
  if (lay_out(&l)) {
    l.observed = xc_count_observations(&l);
    if (l.is_depthwise)
      fit_depthwise(&l);
    else
      fit_groups(&l);
  }
  xc_arena_free(&l.arena);
}
