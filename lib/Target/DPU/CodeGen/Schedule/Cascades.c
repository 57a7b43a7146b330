//===- Cascades.c - units that run block by block -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An image that does not fit the banks as a whole can pass through them in a
// rolling buffer. For this, units form a cascade and run interleaved, block by
// block. The buffer between two units has room for the rows that are written
// and not yet read for the last time, and for some more, so that one engine can
// write while the other one reads.
//
//===----------------------------------------------------------------------===//

#include "Cascades.h"

#include "CascadeWalk.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Rolling buffers
//===----------------------------------------------------------------------===//

static bool is_inside(const xc_cascade *cascade, size_t u) {
  return u >= cascade->first && u <= cascade->last;
}

/// Whether a buffer can roll: all its writers are in the cascade, and one of
/// the units reads all rows.
static bool can_roll(const xc_cascade *cascade,
                     const xc_tensor_buffer *buffer) {
  if (!buffer->can_hold || buffer->resident || buffer->num_writers == 0)
    return false;
  xc_bank_image image = xc_bank_image_of(cascade->residency, buffer);
  bool is_read = false;
  for (size_t i = 0; i < buffer->num_uses; ++i) {
    const xc_buffer_use *use = &buffer->uses[i];
    if (xc_use_is_write(use) && !is_inside(cascade, use->unit))
      return false;
    if (!xc_use_is_write(use) && is_inside(cascade, use->unit)) {
      const XcDpuImage *part = xc_use_image(cascade->residency->units, use);
      if (!xc_use_suits(cascade->residency->units, use, &image) ||
          use->row != 0 || part->height != buffer->image.height)
        return false;
      is_read = true;
    }
  }
  return is_read;
}

static bool is_rolling(const xc_cascade *cascade,
                       const xc_tensor_buffer *buffer) {
  for (size_t i = 0; i < cascade->num_rolling; ++i)
    if (cascade->rolling[i].buffer == buffer)
      return true;
  return false;
}

static bool reads_buffer(const xc_unit *unit, uint32_t buffer) {
  for (size_t k = 0; k < unit->layer.numInputs; ++k)
    if (unit->layer.inputs[k].buffer == buffer)
      return true;
  return false;
}

/// Whether a unit reads a buffer that the units before it read as well.
static bool shares_input(const xc_cascade *cascade, size_t u) {
  const XcDpuLayer *layer = &xc_cascade_unit(cascade, u)->layer;
  for (size_t k = 0; k < layer->numInputs; ++k)
    for (size_t v = cascade->first; v < u && layer->inputs[k].buffer; ++v)
      if (reads_buffer(xc_cascade_unit(cascade, v), layer->inputs[k].buffer))
        return true;
  return false;
}

/// Whether the last unit reads what the others read or write.
static bool collect_rolling(xc_cascade *cascade) {
  cascade->num_rolling = 0;
  bool is_linked = shares_input(cascade, cascade->last);
  for (size_t u = cascade->first; u <= cascade->last; ++u) {
    const XcDpuLayer *layer = &xc_cascade_unit(cascade, u)->layer;
    for (size_t k = 0; k < layer->numInputs; ++k) {
      uint32_t number = layer->inputs[k].buffer;
      xc_tensor_buffer *buffer = &cascade->residency->buffers.items[number];
      if (number != 0 && !is_rolling(cascade, buffer) &&
          can_roll(cascade, buffer))
        cascade->rolling[cascade->num_rolling++] =
            (xc_rolling_buffer){.buffer = buffer};
    }
    const xc_unit *last = xc_cascade_unit(cascade, cascade->last);
    uint32_t output = layer->output.buffer;
    is_linked |= output != 0 && u < cascade->last && reads_buffer(last, output);
  }
  return is_linked;
}

/// Points the units at the rolling buffers.
static void link_rolling(xc_cascade *cascade) {
  xc_residency *residency = cascade->residency;
  for (size_t i = 0; i < cascade->num_rolling; ++i) {
    xc_rolling_buffer *at = &cascade->rolling[i];
    at->image =
        xc_arena_alloc(&residency->schedule->arena, 1, sizeof *at->image);
    *at->image = xc_bank_image_of(residency, at->buffer);
    at->all_slots = at->image->num_slots;
    xc_point_uses(residency, at->buffer, at->image, cascade->last);
    xc_set_saves(residency, at->buffer, at->image);
  }
}

//===----------------------------------------------------------------------===//
// DDR
//===----------------------------------------------------------------------===//

/// Buffers that are used one after the other may share memory, and a cascade
/// changes their order. A unit of a cascade must not load what another unit
/// saves, nor save where another unit loads or saves a different buffer.
static bool is_safe_pair(const xc_unit *saver, const xc_unit *other) {
  const XcDpuImage *out = &saver->layer.output;
  if (!saver->layout.saves)
    return true;
  for (size_t k = 0; k < other->layer.numInputs; ++k)
    if (!other->layout.inputs[k] &&
        xc_images_overlap(out, &other->layer.inputs[k]))
      return false;
  bool same = out->buffer != 0 && out->buffer == other->layer.output.buffer;
  return !other->layout.saves || same ||
         !xc_images_overlap(out, &other->layer.output);
}

static bool is_safe(const xc_cascade *cascade) {
  for (size_t u = cascade->first; u <= cascade->last; ++u)
    for (size_t v = cascade->first; v <= cascade->last; ++v)
      if (u != v && !is_safe_pair(xc_cascade_unit(cascade, u),
                                  xc_cascade_unit(cascade, v)))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

static bool plan_units(xc_cascade *cascade) {
  for (size_t u = cascade->first; u <= cascade->last; ++u)
    if (!xc_plan_unit(cascade->residency->target, xc_cascade_unit(cascade, u)))
      return false;
  return true;
}

/// Plans the blocks as if there were room enough. Returns whether the
/// parameters of all units fit.
static bool plan_blocks(xc_cascade *cascade) {
  const XcDpuTarget *target = cascade->residency->target;
  xc_bank_area all = {xc_image_group(target, 0), 0, target->image.depth};
  for (size_t u = cascade->first; u <= cascade->last; ++u) {
    xc_unit_layout *layout = &xc_cascade_unit(cascade, u)->layout;
    layout->is_whole = true;
    layout->input_area = layout->operand_area = layout->output_area = all;
  }
  if (!plan_units(cascade))
    return false;
  int64_t weights = 0, depthwise = 0, bias = 0, depthwise_bias = 0;
  for (size_t u = cascade->first; u <= cascade->last; ++u) {
    const xc_unit_plan *plan = &xc_cascade_unit(cascade, u)->plan;
    weights += plan->weight_words;
    depthwise += plan->depthwise_words;
    bias += plan->bias_words;
    depthwise_bias += plan->depthwise_bias_words;
  }
  return weights <= target->weights.depth &&
         depthwise <= target->depthwiseWeights.depth &&
         bias <= target->bias.depth &&
         depthwise_bias <= target->depthwiseBias.depth;
}

static void count_slots(xc_cascade *cascade) {
  xc_rolling_image images[XC_CASCADE_ROLLING];
  for (size_t i = 0; i < cascade->num_rolling; ++i)
    images[i] =
        (xc_rolling_image){.image = cascade->rolling[i].image,
                           .height = cascade->rolling[i].buffer->image.height};
  xc_count_bands(cascade->residency->target,
                 xc_cascade_unit(cascade, cascade->first),
                 xc_cascade_size(cascade), images, cascade->num_rolling);
  for (size_t i = 0; i < cascade->num_rolling; ++i)
    cascade->rolling[i].needed_slots = images[i].bands;
}

/// Takes words for the whole group, where the larger gap is.
static bool reserve(xc_cascade *cascade, int32_t words, xc_bank_area *area) {
  xc_residency *residency = cascade->residency;
  xc_bank_reservation best = {0}, other;
  for (int g = 0; g < XC_IMAGE_GROUPS; ++g) {
    other = xc_bank_memory_widest(&residency->memory, g, cascade->first,
                                  cascade->last);
    if (other.words > best.words)
      best = other;
  }
  if (words > best.words || words == 0)
    return words == 0;
  best.words = words;
  xc_bank_memory_reserve(&residency->memory, &best);
  *area = (xc_bank_area){xc_image_group(residency->target, best.group),
                         best.base, words};
  return true;
}

static bool reserve_rolling(xc_cascade *cascade, int32_t slack) {
  for (size_t i = 0; i < cascade->num_rolling; ++i) {
    xc_rolling_buffer *at = &cascade->rolling[i];
    int32_t slots = at->needed_slots + slack;
    at->image->num_slots = slots < at->all_slots ? slots : at->all_slots;
    xc_bank_area area;
    if (!reserve(cascade, at->image->num_slots * at->image->band_words, &area))
      return false;
    at->image->group = area.group;
    at->image->base = area.base;
  }
  return true;
}

/// Returns the earlier unit of the cascade whose input area this one can use,
/// or the unit itself.
static size_t input_owner(const xc_cascade *cascade, size_t u) {
  for (size_t v = cascade->first; v < u; ++v)
    if (xc_have_same_windows(xc_cascade_unit(cascade, v),
                             xc_cascade_unit(cascade, u)))
      return v;
  return u;
}

/// Room for what a unit loads and saves.
static bool reserve_areas(xc_cascade *cascade, size_t u, int32_t slack) {
  xc_unit *unit = xc_cascade_unit(cascade, u);
  const xc_unit_plan *plan = &unit->plan;
  int32_t blocks = 1 + slack;
  int32_t input = 0, operand = 0, output = 0;
  bool has_window = unit->kind->has_window;
  size_t owner = input_owner(cascade, u);
  unit->layout.shares_input = u - owner;
  if (owner != u)
    unit->layout.input_area =
        xc_cascade_unit(cascade, owner)->layout.input_area;
  else if (has_window && !unit->layout.inputs[0])
    input = plan->input_band_words * (plan->window_bands + slack);
  if (has_window && unit->layer.numInputs == 2 && !unit->layout.inputs[1])
    operand = plan->output_words * blocks;
  if (!has_window)
    input = plan->input_band_words * blocks * xc_unit_loaded_inputs(unit);
  if (!unit->layout.output)
    output = plan->output_words * blocks;
  return reserve(cascade, input, &unit->layout.input_area) &&
         reserve(cascade, operand, &unit->layout.operand_area) &&
         reserve(cascade, output, &unit->layout.output_area);
}

/// A way to run a cascade: the prefetch distance, and the bands or blocks that
/// rolling buffers, and areas for loads and saves, have beyond what they need.
typedef struct cascade_way {
  int32_t prefetch, rolling_slack, area_slack;
} cascade_way;

static bool reserve_all(xc_cascade *cascade, const cascade_way *way) {
  if (!reserve_rolling(cascade, way->rolling_slack))
    return false;
  for (size_t u = cascade->first; u <= cascade->last; ++u)
    if (!reserve_areas(cascade, u, way->area_slack))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Growing
//===----------------------------------------------------------------------===//

/// Returns the cycles of the cascade. Its units must keep the blocks that they
/// were planned with.
static int64_t cascade_cycles(xc_cascade *cascade) {
  const XcDpuTarget *target = cascade->residency->target;
  xc_unit_cost sum = {0};
  int64_t weight_words = 0, weights = 0;
  for (size_t u = cascade->first; u <= cascade->last; ++u) {
    xc_unit *unit = xc_cascade_unit(cascade, u);
    int32_t rows = unit->plan.block_rows, blocks = unit->plan.num_blocks;
    if (!xc_plan_unit(target, unit) || unit->plan.block_rows != rows ||
        unit->plan.num_blocks != blocks)
      return XC_INFEASIBLE;
    xc_unit_cost_add(&sum, &unit->plan.cost);
    weight_words += unit->plan.weight_words;
    weights += unit->plan.cost.weights;
  }
  // They cannot come while the layer before is still busy.
  if (2 * weight_words > target->weights.depth)
    sum.start += weights;
  return xc_unit_cost_overlapped(target, &sum);
}

static int64_t plan_as_held(xc_cascade *cascade) {
  if (!xc_bank_memory_is_disjoint(&cascade->residency->memory, cascade->first,
                                  cascade->last) ||
      !collect_rolling(cascade))
    return XC_INFEASIBLE;
  link_rolling(cascade);
  if (!is_safe(cascade) || !plan_blocks(cascade))
    return XC_INFEASIBLE;
  xc_unit *units = xc_cascade_unit(cascade, cascade->first);
  xc_unit planned[XC_CASCADE_UNITS];
  memcpy(planned, units, xc_cascade_size(cascade) * sizeof *units);
  static const cascade_way ways[] = {{1, 1, 1}, {1, 0, 1}, {1, 0, 0},
                                     {0, 1, 1}, {0, 0, 1}, {0, 0, 0}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    units->prefetch_distance = ways[i].prefetch;
    count_slots(cascade);
    if (reserve_all(cascade, &ways[i])) {
      int64_t cycles = cascade_cycles(cascade);
      if (cycles != XC_INFEASIBLE)
        return cycles;
      memcpy(units, planned, xc_cascade_size(cascade) * sizeof *units);
    }
    xc_bank_memory_release(&cascade->residency->memory,
                           cascade->reservations_before);
  }
  return XC_INFEASIBLE;
}

void xc_dissolve_cascade(xc_cascade *cascade) {
  memcpy(xc_cascade_unit(cascade, cascade->first), cascade->before,
         xc_cascade_size(cascade) * sizeof *cascade->before);
  xc_bank_memory_release(&cascade->residency->memory,
                         cascade->reservations_before);
  if (cascade->has_released)
    xc_hold_again(cascade->residency, cascade->first, cascade->last);
  cascade->has_released = false;
}

/// Lets held buffers that only the cascade uses pass through the banks instead.
/// Returns whether there are any.
static bool release_held(xc_cascade *cascade) {
  xc_residency *residency = cascade->residency;
  for (size_t i = 0; i < residency->buffers.count; ++i) {
    xc_tensor_buffer *buffer = &residency->buffers.items[i];
    if (!buffer->resident || !is_inside(cascade, buffer->uses[0].unit) ||
        !is_inside(cascade, buffer->uses[buffer->num_uses - 1].unit))
      continue;
    xc_set_held(residency, buffer, false);
    if (can_roll(cascade, buffer))
      cascade->has_released = true;
    else
      xc_set_held(residency, buffer, true);
  }
  return cascade->has_released;
}

int64_t xc_plan_cascade(xc_cascade *cascade) {
  int64_t cycles = plan_as_held(cascade);
  if (cycles != XC_INFEASIBLE || !cascade->residency->may_release)
    return cycles;
  xc_dissolve_cascade(cascade);
  return release_held(cascade) ? plan_as_held(cascade) : XC_INFEASIBLE;
}
