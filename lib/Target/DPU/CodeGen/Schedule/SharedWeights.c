//===- SharedWeights.c - weights that several units have ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The phases of a dilated convolution, and the frames of a batch, have the same
// weights. If the banks do not hold all of these, each unit would load them
// again for a few pixels. Instead, all units compute one chunk of output
// channels before the next one. The weights are then loaded once, and the
// pixels once for each chunk.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <stdlib.h>
#include <string.h>

/// A convolution of all output channels that loads more weights than the banks
/// hold.
static bool is_candidate(const XcDpuTarget *target, const xc_unit *unit) {
  return unit->layer.kind == XcDpuLayerKindConv && unit->layer.numInputs == 1 &&
         unit->layer.columns <= 1 && unit->first_channel == 0 &&
         !xcDpuPlacesWeights(&unit->layer) && unit->plan.request.columns == 1 &&
         unit->plan.augmentation.channels == 0 &&
         unit->plan.weight_words > target->weights.depth;
}

/// Such units are of one operator: none reads what another one saves.
static bool have_same_weights(const xc_unit *a, const xc_unit *b) {
  const XcDpuLayer *x = &a->layer, *y = &b->layer;
  return x->weights == y->weights && x->bias == y->bias &&
         x->canJoinBias == y->canJoinBias && x->kernelH == y->kernelH &&
         x->kernelW == y->kernelW &&
         x->inputs[0].channels == y->inputs[0].channels &&
         x->output.channels == y->output.channels &&
         a->plan.request.weight_words == b->plan.request.weight_words;
}

/// Output groups whose weights leave room for the next ones.
static int32_t chunk_of(const XcDpuTarget *target, const xc_unit *unit) {
  int32_t words = unit->plan.request.weight_words;
  return xc_maximum(target->weights.depth / 2 / words, 1);
}

/// Whether the weights take longer than the pixels of all chunks but one.
static bool is_worth_it(const xc_unit *units, size_t count, int32_t chunk) {
  int32_t chunks = xc_ceil_div(units->plan.request.out_groups, chunk);
  int64_t pixels = 0, weights = 0;
  for (size_t i = 0; i < count; ++i) {
    const xc_unit_cost *cost = &units[i].plan.cost;
    pixels += cost->load - cost->weights;
    weights += cost->weights;
  }
  weights -= units->plan.cost.weights;
  return (chunks - 1) * pixels < weights;
}

static bool plan_chunks(const XcDpuTarget *target, xc_unit *units, size_t count,
                        int32_t chunk) {
  for (size_t i = 0; i < count; ++i) {
    units[i].chunk_groups = chunk;
    if (!xc_plan_unit(target, &units[i]))
      return false;
  }
  return true;
}

/// Lets the units share their weights, if they can.
static void share(const XcDpuTarget *target, xc_unit *units, size_t count) {
  int32_t chunk = chunk_of(target, units);
  if (!is_worth_it(units, count, chunk))
    return;
  xc_unit *before = xc_alloc_array(count, sizeof *before);
  memcpy(before, units, count * sizeof *units);
  if (plan_chunks(target, units, count, chunk))
    units->num_sharing = count;
  else
    memcpy(units, before, count * sizeof *units);
  free(before);
}

void xc_share_weights(xc_schedule *layers) {
  xc_units *units = &layers->units;
  for (size_t u = 0, count; u < units->count; u += count) {
    count = 1;
    if (!is_candidate(layers->target, &units->items[u]))
      continue;
    while (u + count < units->count &&
           is_candidate(layers->target, &units->items[u + count]) &&
           have_same_weights(&units->items[u], &units->items[u + count]))
      ++count;
    if (count > 1)
      share(layers->target, &units->items[u], count);
  }
}
