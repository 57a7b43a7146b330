//===- ConcatPools.c - pools of what several units write ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pool of a concatenation that is in the banks waits for the last unit that
// writes the concatenation. The channels of the other units are there earlier.
// They become a unit of their own, which runs while the last writer is still
// busy.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"
#include "Target/DPU/CodeGen/Plan/Parts.h"

enum { MAX_PARTS = 3 };

/// Words of a pixel.
typedef struct word_range {
  int32_t first, end;
} word_range;

/// Finds the words of the input of unit `u` that its last writer writes.
/// Returns false if these are all words, or none.
static bool find_last_written(const xc_schedule *schedule, size_t u,
                              word_range *range) {
  const xc_unit *unit = &schedule->units.items[u], *writer = unit;
  const xc_bank_image *image = unit->layout.inputs[0];
  while (writer > schedule->units.items && (--writer)->layout.output != image)
    ;
  int32_t words = xc_words_of(schedule->target, unit->layer.output.channels);
  int32_t first = writer->layout.output_word - unit->layout.input_words[0];
  int32_t end =
      first + xc_words_of(schedule->target, writer->layer.output.channels);
  // One that writes some columns is no part of a concatenation.
  if (writer->layout.output != image ||
      writer->layer.output.width != unit->layer.inputs[0].width)
    return false;
  *range = (word_range){xc_maximum(first, 0), xc_minimum(end, words)};
  return range->first < range->end && range->end - range->first < words;
}

/// Returns the corresponding part of the area for the output, so that no part
/// waits for another.
static xc_bank_area area_of_part(const xc_unit *unit, word_range range,
                                 int32_t words) {
  xc_bank_area area = unit->layout.output_area;
  int32_t first = (int32_t)((int64_t)area.words * range.first / words);
  int32_t end = (int32_t)((int64_t)area.words * range.end / words);
  return (xc_bank_area){area.group, area.base + first, end - first};
}

/// These words of a unit, planned in its place. Returns false if they cannot
/// be.
static bool make_part(const xc_schedule *schedule, const xc_unit *unit,
                      word_range range, xc_unit *part) {
  const XcDpuTarget *target = schedule->target;
  int32_t width = target->channelParallel, first = range.first * width;
  int32_t end = xc_minimum(range.end * width, unit->layer.output.channels);
  *part = xc_unit_channels(target, unit, first, end - first);
  part->layout = unit->layout;
  part->layout.input_words[0] += range.first;
  if (part->layout.output)
    part->layout.output_word += range.first;
  else
    part->layout.output_area = area_of_part(
        unit, range, xc_words_of(target, unit->layer.output.channels));
  return xc_plan_unit(target, part) &&
         part->plan.block_rows == unit->plan.block_rows &&
         part->plan.num_tiles == unit->plan.num_tiles;
}

/// Makes the parts of unit `u`, in the order in which they are computed.
/// Returns their number, or 0.
static size_t make_parts(const xc_schedule *schedule, size_t u,
                         bool is_in_cascade, xc_unit parts[MAX_PARTS]) {
  const xc_unit *unit = &schedule->units.items[u];
  word_range last;
  if (!xc_has_free_channels(unit) || !unit->layout.inputs[0] ||
      !find_last_written(schedule, u, &last))
    return 0;
  int32_t words = xc_words_of(schedule->target, unit->layer.output.channels);
  word_range ranges[MAX_PARTS] = {{0, last.first}, {last.end, words}, last};
  // Of units that are equally far, a cascade computes the last one first.
  if (is_in_cascade) {
    ranges[MAX_PARTS - 1] = ranges[0];
    ranges[0] = last;
  }
  size_t count = 0;
  for (size_t i = 0; i < MAX_PARTS; ++i)
    if (ranges[i].first < ranges[i].end &&
        !make_part(schedule, unit, ranges[i], &parts[count++]))
      return 0;
  return count;
}

/// The units of the schedule that are looked at: what is before the layer or
/// cascade, it, and what is after it.
typedef struct unit_range {
  size_t before, first, size, last;
} unit_range;

/// Returns the number of units that unit `u` becomes; 1 if it stays as it is.
static size_t try_unit(xc_search *search, xc_schedule *schedule,
                       const unit_range *around, size_t u) {
  xc_unit parts[MAX_PARTS];
  size_t count = make_parts(schedule, u, around->size > 1, parts);
  if (count == 0)
    return 1;
  int64_t cycles =
      xc_search_end_of(search, schedule, around->before, around->last);
  xc_schedule parted = xc_schedule_in_ddr(schedule, search);
  xc_replace_unit(&parted, u, parts, count);
  bool is_faster = xc_search_end_of(search, &parted, around->before,
                                    around->last + count - 1) < cycles;
  if (is_faster)
    xc_replace_unit(schedule, u, parts, count);
  xc_schedule_free(&parted);
  return is_faster ? count : 1;
}

bool xc_part_concat_pools(xc_search *search, xc_schedule *schedule) {
  const xc_units *units = &schedule->units;
  unit_range around = {0};
  bool has_parts = false;
  for (size_t u = 0; u < units->count; u += around.size) {
    around.before = around.first;
    around.first = u;
    around.size = xc_units_together(&units->items[u], u);
    for (size_t v = u; v < u + around.size;) {
      around.last = u + around.size - 1;
      if (around.last + 1 < units->count)
        around.last +=
            xc_units_together(&units->items[around.last + 1], around.last + 1);
      size_t count = try_unit(search, schedule, &around, v);
      v += count;
      has_parts |= count > 1;
      around.size += count - 1;
    }
  }
  return has_parts;
}
