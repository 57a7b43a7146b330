//===- Cascades.c - units that take turns ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What does not fit the banks as a whole passes through them strip by strip:
// units take turns, and a buffer between them has room for the rows that are
// written and not yet read for the last time, and some more, so that one engine
// can write while the other one reads. A group grows unit by unit while that
// makes it faster by the static estimate.
//
//===----------------------------------------------------------------------===//

#include "Residency.h"
#include "Schedule.h"

#include <string.h>

enum {
  MAX_UNITS = 12,
  /// Units that are added without a gain.
  PATIENCE = 4,
  /// A gain of less than this part is not worth reports that show the layers
  /// together.
  WORTH = 40,
  /// A plan that is slower by this part does not gain anything.
  HOPELESS = 10,
  MAX_STRIPS = MAX_UNITS * XC_DPU_MAX_INPUTS,
  INFEASIBLE = -1,
};

/// A buffer that passes through the banks.
typedef struct strip {
  xc_buffer *buffer;
  xc_bank_image *image;
  int32_t all_slots, needed_slots;
} strip;

typedef struct xc_group {
  xc_residency *residency;
  size_t first, last;
  strip strips[MAX_STRIPS];
  size_t num_strips;
  xc_estimate estimates[MAX_UNITS];
  xc_places before[MAX_UNITS];
  size_t claims_before;
} xc_group;

static xc_unit *unit_of(const xc_group *group, size_t u) {
  return &group->residency->units->items[u];
}

static size_t size_of(const xc_group *group) {
  return group->last - group->first + 1;
}

//===----------------------------------------------------------------------===//
// What passes through
//===----------------------------------------------------------------------===//

static bool is_inside(const xc_group *group, size_t u) {
  return u >= group->first && u <= group->last;
}

/// All writers are in the group, and one of its units reads all rows.
static bool is_strip(const xc_group *group, const xc_buffer *buffer) {
  if (!buffer->can_hold || buffer->place || buffer->num_writers == 0)
    return false;
  xc_bank_image image = xc_bank_image_of(group->residency, buffer);
  bool is_read = false;
  for (size_t i = 0; i < buffer->num_uses; ++i) {
    const xc_buffer_use *use = &buffer->uses[i];
    if (xc_use_is_write(use) && !is_inside(group, use->unit))
      return false;
    if (!xc_use_is_write(use) && is_inside(group, use->unit)) {
      const XcDpuImage *part = xc_use_image(group->residency->units, use);
      if (!xc_use_suits(group->residency->units, use, &image) ||
          use->row != 0 || part->height != buffer->image.height)
        return false;
      is_read = true;
    }
  }
  return is_read;
}

static bool has_strip(const xc_group *group, const xc_buffer *buffer) {
  for (size_t i = 0; i < group->num_strips; ++i)
    if (group->strips[i].buffer == buffer)
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
static bool shares_input(const xc_group *group, size_t u) {
  const XcDpuLayer *layer = &unit_of(group, u)->layer;
  for (size_t k = 0; k < layer->numInputs; ++k)
    for (size_t v = group->first; v < u && layer->inputs[k].buffer; ++v)
      if (reads_buffer(unit_of(group, v), layer->inputs[k].buffer))
        return true;
  return false;
}

/// Whether the last unit reads what the others read or write.
static bool collect_strips(xc_group *group) {
  group->num_strips = 0;
  bool is_linked = shares_input(group, group->last);
  for (size_t u = group->first; u <= group->last; ++u) {
    const XcDpuLayer *layer = &unit_of(group, u)->layer;
    for (size_t k = 0; k < layer->numInputs; ++k) {
      uint32_t number = layer->inputs[k].buffer;
      xc_buffer *buffer = &group->residency->buffers.items[number];
      if (number != 0 && !has_strip(group, buffer) && is_strip(group, buffer))
        group->strips[group->num_strips++] = (strip){.buffer = buffer};
    }
    const xc_unit *last = unit_of(group, group->last);
    uint32_t output = layer->output.buffer;
    is_linked |= output != 0 && u < group->last && reads_buffer(last, output);
  }
  return is_linked;
}

/// Points the units at the strips.
static bool link_strips(xc_group *group) {
  xc_residency *residency = group->residency;
  for (size_t i = 0; i < group->num_strips; ++i) {
    strip *at = &group->strips[i];
    at->image = xc_arena_alloc(residency->arena, 1, sizeof *at->image);
    *at->image = xc_bank_image_of(residency, at->buffer);
    at->all_slots = at->image->num_slots;
    xc_point_uses(residency, at->buffer, at->image, group->last);
    if (!xc_set_saves(residency, at->buffer, at->image))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// DDR
//===----------------------------------------------------------------------===//

static bool overlap(const XcDpuImage *a, const XcDpuImage *b) {
  return a->reg == b->reg && a->address < xc_image_end(b) &&
         b->address < xc_image_end(a);
}

/// Memory is shared between buffers that follow each other. Units that take
/// turns must not load what another one of them saves, nor save where another
/// one loads or saves another buffer.
static bool is_safe_pair(const xc_unit *saver, const xc_unit *other) {
  const XcDpuImage *out = &saver->layer.output;
  if (!saver->places.saves)
    return true;
  for (size_t k = 0; k < other->layer.numInputs; ++k)
    if (!other->places.inputs[k] && overlap(out, &other->layer.inputs[k]))
      return false;
  bool same = out->buffer != 0 && out->buffer == other->layer.output.buffer;
  return !other->places.saves || same || !overlap(out, &other->layer.output);
}

static bool is_safe(const xc_group *group) {
  for (size_t u = group->first; u <= group->last; ++u)
    for (size_t v = group->first; v <= group->last; ++v)
      if (u != v && !is_safe_pair(unit_of(group, u), unit_of(group, v)))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

static bool estimate_all(xc_group *group) {
  for (size_t u = group->first; u <= group->last; ++u)
    if (!xc_estimate_unit(group->residency->target, unit_of(group, u),
                          &group->estimates[u - group->first]))
      return false;
  return true;
}

/// Blocks when there is no lack of room, and whether the parameters of all fit.
static bool plan_blocks(xc_group *group) {
  const XcDpuTarget *target = group->residency->target;
  xc_area all = {xc_image_group(target, 0), 0, target->image.depth};
  for (size_t u = group->first; u <= group->last; ++u) {
    xc_places *places = &unit_of(group, u)->places;
    places->is_whole = true;
    places->input_area = places->operand_area = places->output_area = all;
  }
  if (!estimate_all(group))
    return false;
  int64_t weights = 0, depthwise = 0, bias = 0;
  for (size_t i = 0; i < size_of(group); ++i) {
    weights += group->estimates[i].weight_words;
    depthwise += group->estimates[i].depthwise_words;
    bias += group->estimates[i].bias_words;
  }
  return weights <= target->weights.depth &&
         depthwise <= target->depthwiseWeights.depth &&
         bias <= target->bias.depth;
}

/// The lowest row that a later block reads.
static int32_t lowest_row(const xc_turns *turns, const strip *at) {
  int32_t lowest = at->buffer->image.height;
  for (size_t u = 0; u < turns->count; ++u)
    for (size_t k = 0; k < turns->units[u].layer.numInputs; ++k) {
      if (turns->units[u].places.inputs[k] != at->image ||
          turns->done[u] == turns->num_blocks[u])
        continue;
      xc_row_range rows = xc_unit_rows_read(&turns->units[u], k, turns->done[u],
                                            turns->block_rows[u]);
      lowest = rows.begin < lowest ? rows.begin : lowest;
    }
  return lowest;
}

static void note_rows(xc_turns *turns, size_t u, int32_t block) {
  xc_group *group = turns->context;
  for (size_t i = 0; i < group->num_strips; ++i) {
    strip *at = &group->strips[i];
    if (turns->units[u].places.output != at->image)
      continue;
    int32_t end = (block + 1) * turns->block_rows[u];
    if (end > at->buffer->image.height)
      end = at->buffer->image.height;
    int32_t band =
        at->image->bank_rows * group->residency->target->pixelParallel;
    int32_t slots = (end - 1) / band - lowest_row(turns, at) / band + 1;
    at->needed_slots = slots > at->needed_slots ? slots : at->needed_slots;
  }
}

static void count_slots(xc_group *group) {
  xc_turns turns;
  xc_turns_begin(&turns, unit_of(group, group->first), size_of(group));
  turns.visit = note_rows;
  turns.context = group;
  for (size_t i = 0; i < size_of(group); ++i) {
    turns.num_blocks[i] = group->estimates[i].num_blocks;
    turns.block_rows[i] = group->estimates[i].block_rows;
  }
  for (size_t i = 0; i < group->num_strips; ++i)
    group->strips[i].needed_slots = 1;
  xc_take_turns(&turns);
  xc_turns_end(&turns);
}

/// Takes words for the whole group, where the larger gap is.
static bool claim(xc_group *group, int32_t words, xc_area *area) {
  xc_residency *residency = group->residency;
  xc_claim best = {0}, other;
  for (int g = 0; g < XC_IMAGE_GROUPS; ++g) {
    other =
        xc_bank_memory_widest(&residency->memory, g, group->first, group->last);
    if (other.words > best.words)
      best = other;
  }
  if (words > best.words || words == 0)
    return words == 0;
  best.words = words;
  xc_bank_memory_claim(&residency->memory, &best);
  *area = (xc_area){xc_image_group(residency->target, best.group), best.base,
                    words};
  return true;
}

static bool claim_strips(xc_group *group, int32_t slack) {
  for (size_t i = 0; i < group->num_strips; ++i) {
    strip *at = &group->strips[i];
    int32_t slots = at->needed_slots + slack;
    at->image->num_slots = slots < at->all_slots ? slots : at->all_slots;
    xc_area area;
    if (!claim(group, at->image->num_slots * at->image->band_words, &area))
      return false;
    at->image->group = area.group;
    at->image->base = area.base;
  }
  return true;
}

/// Room for what a unit loads and saves.
static bool claim_areas(xc_group *group, size_t u, int32_t slack) {
  xc_unit *unit = unit_of(group, u);
  const xc_estimate *estimate = &group->estimates[u - group->first];
  int32_t blocks = 1 + slack;
  int32_t input = 0, operand = 0, output = 0;
  bool has_window = xc_unit_has_window(unit);
  if (has_window && !unit->places.inputs[0])
    input = estimate->input_band_words * (estimate->window_bands + slack);
  if (has_window && unit->layer.numInputs == 2 && !unit->places.inputs[1])
    operand = estimate->output_words * blocks;
  if (!has_window)
    input = estimate->input_band_words * blocks * xc_unit_loaded_inputs(unit);
  if (!unit->places.output)
    output = estimate->output_words * blocks;
  return claim(group, input, &unit->places.input_area) &&
         claim(group, operand, &unit->places.operand_area) &&
         claim(group, output, &unit->places.output_area);
}

static bool claim_all(xc_group *group, int32_t slack) {
  if (!claim_strips(group, slack))
    return false;
  for (size_t u = group->first; u <= group->last; ++u)
    if (!claim_areas(group, u, slack))
      return false;
  return true;
}

/// Whether the units of the group can hold at the same time what they hold one
/// after the other.
static bool is_disjoint(const xc_group *group) {
  const xc_bank_memory *memory = &group->residency->memory;
  const xc_claim *seen[MAX_STRIPS];
  size_t count = 0;
  for (size_t u = group->first; u <= group->last; ++u)
    for (size_t at = memory->heads[u]; at; at = memory->links[at - 1].next) {
      const xc_claim *one = &memory->claims[memory->links[at - 1].claim];
      bool is_known = false;
      for (size_t i = 0; i < count && !is_known; ++i) {
        is_known = seen[i] == one;
        if (!is_known && seen[i]->group == one->group &&
            seen[i]->base < one->base + one->words &&
            one->base < seen[i]->base + seen[i]->words)
          return false;
      }
      if (is_known)
        continue;
      if (count == MAX_STRIPS)
        return false;
      seen[count++] = one;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Growing
//===----------------------------------------------------------------------===//

static int64_t group_cycles(xc_group *group) {
  xc_estimate planned[MAX_UNITS];
  memcpy(planned, group->estimates, sizeof planned);
  if (!estimate_all(group))
    return INFEASIBLE;
  xc_queue_cost sum = {0};
  int64_t weight_words = 0, weight_cycles = 0;
  for (size_t i = 0; i < size_of(group); ++i) {
    const xc_estimate *now = &group->estimates[i];
    if (now->block_rows != planned[i].block_rows ||
        now->num_blocks != planned[i].num_blocks)
      return INFEASIBLE;
    xc_queue_cost_add(&sum, &now->cost);
    sum.start += now->cost.start;
    weight_words += now->weight_words;
    weight_cycles += now->weight_cycles;
  }
  // They cannot come while the layer before is still busy.
  if (2 * weight_words > group->residency->target->weights.depth)
    sum.start += weight_cycles;
  return xc_queue_cost_cycles(group->residency->target, &sum) + sum.start;
}

static int64_t plan_group(xc_group *group) {
  if (!is_disjoint(group) || !collect_strips(group) || !link_strips(group) ||
      !is_safe(group) || !plan_blocks(group))
    return INFEASIBLE;
  xc_estimate planned[MAX_UNITS];
  memcpy(planned, group->estimates, sizeof planned);
  static const struct {
    int32_t ahead, slack;
  } ways[] = {{1, 1}, {1, 0}, {0, 1}, {0, 0}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    unit_of(group, group->first)->ahead = ways[i].ahead;
    count_slots(group);
    if (claim_all(group, ways[i].slack)) {
      int64_t cycles = group_cycles(group);
      if (cycles != INFEASIBLE)
        return cycles;
      memcpy(group->estimates, planned, sizeof planned);
    }
    xc_bank_memory_release(&group->residency->memory, group->claims_before);
  }
  return INFEASIBLE;
}

static void restore(xc_group *group) {
  for (size_t u = group->first; u <= group->last; ++u)
    unit_of(group, u)->places = group->before[u - group->first];
  xc_bank_memory_release(&group->residency->memory, group->claims_before);
}

static bool can_take_turns(const xc_unit *unit) {
  return unit->layer.kind != XcDpuLayerKindFill;
}

/// What the group gains over its units apart, until the unit behind it has
/// ended, whose weights may have to wait: by the static estimate, together with
/// what comes before, from unit `before` on.
static int64_t gain_of(const xc_group *group, size_t before) {
  const xc_residency *residency = group->residency;
  size_t first = group->first, behind = group->last + 1;
  if (behind == residency->units->count)
    --behind;
  int64_t ends[2 * MAX_UNITS + 1];
  unit_of(group, first)->group_last = group->last;
  xc_forecast_units(residency->gen, before, behind, ends);
  unit_of(group, first)->group_last = 0;
  int64_t together = ends[behind - before];
  int64_t apart = residency->apart[behind];
  if (first > 0) {
    together -= ends[first - 1 - before];
    apart -= residency->apart[first - 1];
  }
  return (apart - together) * WORTH > apart ? apart - together : 0;
}

/// The group from a unit on that gains most over what it is made of. `before`
/// is where the unit or the group before it begins.
static size_t grow(xc_residency *residency, size_t before, size_t first) {
  size_t last = first;
  int64_t apart = residency->cycles[first], most = 0;
  int patience = PATIENCE;
  xc_group group = {.residency = residency,
                    .first = first,
                    .last = first,
                    .claims_before = residency->memory.count};
  group.before[0] = unit_of(&group, first)->places;
  for (size_t u = first + 1;
       u < residency->units->count && u < first + MAX_UNITS && patience > 0;
       ++u) {
    if (!can_take_turns(unit_of(&group, u)))
      break;
    restore(&group);
    group.before[u - first] = unit_of(&group, u)->places;
    group.last = u;
    apart += residency->cycles[u];
    int64_t together = plan_group(&group);
    if (together == INFEASIBLE)
      break;
    int64_t gain =
        together - apart > apart / HOPELESS ? 0 : gain_of(&group, before);
    patience = gain > most ? PATIENCE : patience - 1;
    if (gain <= most)
      continue;
    most = gain;
    last = u;
  }
  // Once more, as later attempts have taken it back.
  restore(&group);
  group.last = last;
  if (last > first)
    plan_group(&group);
  return last;
}

void xc_form_groups(xc_residency *residency) {
  size_t count = residency->units->count, before = 0;
  if (count > 0)
    xc_forecast_units(residency->gen, 0, count - 1, residency->apart);
  for (size_t u = 0; u < count; ++u) {
    size_t last = u;
    if (can_take_turns(&residency->units->items[u]))
      last = grow(residency, before, u);
    if (last > u)
      residency->units->items[u].group_last = last;
    before = u;
    u = last;
  }
}
