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
// large as it might be. Tensors that channels connect may be multiplied by one
// more factor, which moves them up to the limits. Powers of two are left to the
// fix points: the factor is searched for within one octave.
//
//===----------------------------------------------------------------------===//

#include "Equalizer.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "Transforms/Quantize/Observe/Observe.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 32 }; // places in an octave

/// The largest number may lose so much: next to the limit is better than after
/// it. Measured: without this the logits of ResNet-8 lose 3 dB.
static const double clip = 63.0 / 64;

bool xc_equal_is_rounded(const xc_equalizer *e,
                         const xc_quantize_value *value) {
  MlirOperation writer = mlirOpResultGetOwner(value->original);
  if (xc_op_info_of(writer)->kind == XC_TIR_MAXPOOL2D)
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(value->original);
  bool is_alone = !mlirOpOperandIsNull(use) &&
                  mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
  if (!is_alone)
    return true;
  MlirOperation user = mlirOpOperandGetOwner(use);
  return !xc_nonlinear_of(user) || xc_float_visit(e, user);
}

/// Relative error when saturation ends twice as far as a clamp. Measured: a
/// layer of a network that was trained with clamps has 18.9 dB.
static const double cost_of_lost_clamp = 0.013;

/// The mean square of the numbers of a channel, as a share of the square of its
/// largest number, where most of them are that large.
static const double crowded = 0.75;

// Whether many numbers of the tensor are as large as the largest one: white
// walls and skies come to the same number all over. Clipping costs these much.
static bool is_crowded(const xc_equalizer *e, const xc_quantize_value *value,
                       const int64_t *roots) {
  double largest = fmax(value->high, -value->low);
  for (int64_t c = 0; c < value->channels; ++c) {
    double reach = fmax(value->highs[c], -value->lows[c]);
    double power = value->filled[c] * reach * reach;
    double factor = e->channels[roots[c]].factor;
    // More than all: most lie beyond what counts (FloatLimits.c).
    if (factor * reach > clip * largest &&
        value->squares[c] > crowded * power && value->squares[c] <= power)
      return true;
  }
  return false;
}

// Returns the factors of a tensor's channels, to be freed.
static double *factors_of(const xc_equalizer *e, const int64_t *roots,
                          int64_t count) {
  double *factors = xc_alloc_array((size_t)count + 1, sizeof(*factors));
  for (int64_t c = 0; c < count; ++c)
    factors[c] = e->channels[roots[c]].factor;
  return factors;
}

// Whether samples go beyond what a clamp leaves of them.
static bool is_clamped(const xc_equalizer *e, const xc_quantize_value *value) {
  xc_adaptor clamp;
  if (!xc_adaptor_of(mlirOpResultGetOwner(value->original), &clamp) ||
      clamp.info->kind != XC_TIR_CLIP)
    return false;
  const xc_quantize_value *input =
      xc_pointer_map_get(&e->q->originals, xc_operand(&clamp, 0).ptr);
  return input && clip * input->high > value->high;
}

// Adds what each place costs, relative to the tensor: rounding to steps of s
// adds s^2 / 12 to each number but zeros, which stay what they are, other
// samples may exceed the limits, and saturation may leave more than a clamp.
static void add_costs(const xc_equalizer *e, const xc_quantize_value *value,
                      const int64_t *roots, double *costs) {
  const double above = 127.5, below = 128.5; // what rounds to the limits
  double most = is_crowded(e, value, roots) ? 1 : clip;
  double step = most * fmax(value->high / above, -value->low / below);
  double power = 0, count = 0;
  double *factors = factors_of(e, roots, value->channels);
  bool clamped = is_clamped(e, value);
  for (int64_t c = 0; c < value->channels; ++c) {
    power += factors[c] * factors[c] * value->squares[c];
    count += value->filled[c];
  }
  // The step would have to be a power of two; the next larger one is.
  for (int i = 0; step > 0 && i < STEPS; ++i) {
    double place = log2(step) + (double)i / STEPS;
    double rounded = step * exp2(ceil(place) - place);
    double lost = xc_quantize_excess(e->q, value, factors, rounded) *
                  (double)e->q->num_samples;
    if (clamped)
      lost += cost_of_lost_clamp * power * fmin(pow(rounded / step - 1, 2), 1);
    costs[i] += (count * rounded * rounded / 12 + lost) / power;
  }
  free(factors);
}

static double best_factor(const double *costs) {
  int best = 0;
  for (int i = 1; i < STEPS; ++i)
    if (costs[i] < costs[best])
      best = i;
  // The smaller change of the two.
  return exp2((double)(best > STEPS / 2 ? best - STEPS : best) / STEPS);
}

/// Tensors that channels connect.
typedef struct set {
  int64_t parent; // -1 at a root
  bool is_fixed;  // one of its channels is bound, or its limit has set it
  double *costs;  // of each place in an octave; null without tensors
  double factor;
  /// Of the clamps: the logarithm of the factor by which the first one ends
  /// where saturation does, what those of the others differ from it in sum and
  /// at most, and how many there are, and of these parts of operators.
  double octaves, change, spread;
  int num_limits, num_parts;
} set;

static int64_t set_root(set *sets, int64_t at) {
  while (sets[at].parent >= 0) {
    int64_t above = sets[sets[at].parent].parent;
    if (above >= 0)
      sets[at].parent = above;
    at = sets[at].parent;
  }
  return at;
}

// All channels of a tensor are of one set.
static void connect(set *sets, const int64_t *roots, int64_t count) {
  int64_t first = set_root(sets, roots[0]);
  for (int64_t i = 1; i < count; ++i) {
    int64_t other = set_root(sets, roots[i]);
    if (other != first)
      sets[other].parent = first;
  }
}

static set *find_sets(xc_equalizer *e) {
  set *sets = xc_arena_alloc(&e->arena, e->num_channels + 1, sizeof(*sets));
  for (size_t i = 0; i < e->num_channels; ++i)
    sets[i].parent = -1;
  for (size_t i = 0; i < e->q->num_values; ++i) {
    const int64_t *roots = xc_equal_roots(e, &e->q->values[i]);
    if (roots)
      connect(sets, roots, e->q->values[i].channels);
  }
  for (size_t i = 0; i < e->num_channels; ++i) {
    const xc_equal_channel *channel = &e->channels[i];
    if (channel->is_bound || (channel->has_limit && !channel->is_uniform))
      sets[set_root(sets, (int64_t)i)].is_fixed = true;
  }
  return sets;
}

// Of a set all of whose tensors have one factor: notes by what factor
// saturation ends where the clamp does.
static void note_limit(xc_equalizer *e, set *sets, MlirOperation limit) {
  const int64_t *numbers = xc_channels_of(&e->numbers, xc_op_result(limit));
  int64_t root = xc_channels_root(&e->numbers, numbers[0]);
  set *own = &sets[set_root(sets, root)];
  xc_adaptor clamp;
  if (!e->channels[root].is_uniform || !own->costs ||
      !xc_adaptor_of(limit, &clamp))
    return;
  double octaves = log2(xc_equal_limit / xc_equal_clamp_end(&clamp));
  if (own->num_limits == 0)
    own->octaves = octaves - round(octaves);
  double change = octaves - own->octaves;
  change -= round(change);
  own->change += change;
  own->spread = fmax(own->spread, fabs(change));
  own->num_parts += xc_nonlinear_of(limit) != NULL;
  ++own->num_limits;
}

// Clamps of a set are computed by saturation, for which they must have one end,
// or stay what they are. With any other factor no engine computes them.
static double factor_of_limits(const set *own) {
  if (own->spread > (double)1 / STEPS)
    return own->num_parts > 0 ? 1 : best_factor(own->costs);
  double octaves = own->octaves + own->change / own->num_limits;
  int place = ((int)lround(octaves * STEPS) + STEPS) % STEPS;
  bool stays =
      own->num_parts == own->num_limits && own->costs[0] < own->costs[place];
  return stays ? 1 : exp2(octaves);
}

void xc_equal_fill(xc_equalizer *e) {
  set *sets = find_sets(e);
  for (size_t i = 0; i < e->q->num_values; ++i) {
    const xc_quantize_value *value = &e->q->values[i];
    const int64_t *roots = xc_equal_roots(e, value);
    set *own = roots ? &sets[set_root(sets, roots[0])] : NULL;
    if (!own || own->is_fixed || !xc_equal_is_rounded(e, value))
      continue;
    if (!own->costs)
      own->costs = xc_arena_alloc(&e->arena, STEPS, sizeof(*own->costs));
    add_costs(e, value, roots, own->costs);
  }
  for (size_t i = 0; i < e->num_limits; ++i)
    note_limit(e, sets, e->limits[i]);
  for (size_t i = 0; i < e->num_channels; ++i)
    if (sets[i].costs)
      sets[i].factor = sets[i].num_limits ? factor_of_limits(&sets[i])
                                          : best_factor(sets[i].costs);
  for (size_t i = 0; i < e->num_channels; ++i) {
    const set *own = &sets[set_root(sets, (int64_t)i)];
    if (own->costs && xc_equal_is_free(&e->channels[i]))
      e->channels[i].factor *= own->factor;
  }
}
