//===- CascadeWalk.c - cascades, block by block ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CascadeWalk.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include "Support/Memory.h"

#include <stdlib.h>

xc_row_range xc_unit_rows_read(const xc_unit *unit, size_t input,
                               int32_t block) {
  const XcDpuLayer *layer = &unit->layer;
  int32_t block_rows = unit->plan.block_rows;
  int32_t first = block * block_rows, last = first + block_rows - 1;
  if (last > layer->output.height - 1)
    last = layer->output.height - 1;
  xc_row_range range = {first, last + 1};
  if (input == 0 && unit->kind->has_window) {
    int32_t stride = layer->output.height == 1 ? 1 : layer->strideH;
    range.begin = first * stride - layer->padTop;
    range.end = last * stride - layer->padTop + layer->kernelH;
  }
  int32_t height = layer->inputs[input].height;
  if (height == 1) // perhaps for all rows
    range = (xc_row_range){0, 1};
  if (range.begin < 0)
    range.begin = 0;
  if (range.end > height)
    range.end = height;
  range.begin += unit->layout.input_rows[input];
  range.end += unit->layout.input_rows[input];
  return range;
}

static void run_block(xc_cascade_walk *walk, size_t u);

/// Whether the rows of an image below `end` need another block of a unit.
static bool is_needed(const xc_cascade_walk *walk, size_t u,
                      const xc_bank_image *image, int32_t end) {
  const xc_unit_plan *plan = &walk->units[u].plan;
  int32_t distance = walk->units[0].prefetch_distance;
  return walk->units[u].layout.output == image &&
         walk->done[u] < plan->num_blocks &&
         (walk->done[u] - distance) * plan->block_rows < end;
}

/// Computes the writers of an image until the rows below `end` are there, and
/// as many blocks more as keep an engine from waiting for a block that has just
/// begun.
static void need_rows(xc_cascade_walk *walk, size_t reader,
                      const xc_bank_image *image, int32_t end) {
  bool has_run = true;
  while (has_run) {
    has_run = false;
    for (size_t u = 0; u < reader; ++u)
      while (is_needed(walk, u, image, end)) {
        run_block(walk, u);
        has_run = true;
        if (walk->takes_turns)
          break;
      }
  }
}

static void run_block(xc_cascade_walk *walk, size_t u) {
  const xc_unit *unit = &walk->units[u];
  int32_t block = walk->done[u];
  for (size_t k = 0; k < unit->layer.numInputs; ++k)
    if (unit->layout.inputs[k])
      need_rows(walk, u, unit->layout.inputs[k],
                xc_unit_rows_read(unit, k, block).end);
  walk->visit(walk, u, block);
  ++walk->done[u];
}

/// Finds the unit that is furthest from its end; the last one of several.
static bool find_slowest(const xc_cascade_walk *walk, size_t *result) {
  bool found = false;
  for (size_t u = walk->count; u-- > 0;) {
    int64_t all = walk->units[u].plan.num_blocks;
    if (walk->done[u] == all)
      continue;
    if (!found ||
        walk->done[u] * (int64_t)walk->units[*result].plan.num_blocks <
            walk->done[*result] * all)
      *result = u;
    found = true;
  }
  return found;
}

/// Whether a convolution is computed twice. Its results for readers with a
/// smaller stride are few bands of fewer rows, which suffice if all that reads
/// them computes one block after the other.
static bool has_recomputed(const xc_cascade_walk *walk) {
  for (size_t u = 0; u < walk->count; ++u)
    if (walk->units[u].is_recomputed)
      return true;
  return false;
}

void xc_walk_cascade(xc_cascade_walk *walk) {
  walk->done = xc_alloc_array(walk->count, sizeof *walk->done);
  walk->takes_turns = has_recomputed(walk);
  size_t u = 0;
  while (find_slowest(walk, &u))
    run_block(walk, u);
  free(walk->done);
}

//===----------------------------------------------------------------------===//
// Rolling buffers
//===----------------------------------------------------------------------===//

typedef struct band_count {
  int32_t lanes;
  xc_rolling_image *images;
  size_t num_images;
} band_count;

/// Returns the lowest row that a later block reads.
static int32_t lowest_row(const xc_cascade_walk *walk,
                          const xc_rolling_image *at) {
  int32_t lowest = at->height;
  for (size_t u = 0; u < walk->count; ++u)
    for (size_t k = 0; k < walk->units[u].layer.numInputs; ++k) {
      if (walk->units[u].layout.inputs[k] != at->image ||
          walk->done[u] == walk->units[u].plan.num_blocks)
        continue;
      xc_row_range rows = xc_unit_rows_read(&walk->units[u], k, walk->done[u]);
      lowest = rows.begin < lowest ? rows.begin : lowest;
    }
  return lowest;
}

static void note_rows(xc_cascade_walk *walk, size_t u, int32_t block) {
  const band_count *counted = walk->context;
  for (size_t i = 0; i < counted->num_images; ++i) {
    xc_rolling_image *at = &counted->images[i];
    if (walk->units[u].layout.output != at->image)
      continue;
    int32_t end = (block + 1) * walk->units[u].plan.block_rows;
    int32_t band = at->image->bank_rows * counted->lanes;
    end = xc_minimum(end, at->height);
    int32_t bands = (end - 1) / band - lowest_row(walk, at) / band + 1;
    at->bands = xc_maximum(at->bands, bands);
  }
}

void xc_count_bands(const XcDpuTarget *target, const xc_unit *units,
                    size_t count, xc_rolling_image *images, size_t num_images) {
  band_count counted = {target->pixelParallel, images, num_images};
  for (size_t i = 0; i < num_images; ++i)
    images[i].bands = 1;
  xc_cascade_walk walk = {
      .units = units, .count = count, .visit = note_rows, .context = &counted};
  xc_walk_cascade(&walk);
}

bool xc_bands_fit(const XcDpuTarget *target, const xc_unit *units,
                  size_t count) {
  xc_rolling_image *images = xc_alloc_array(count, sizeof *images);
  size_t num_images = 0;
  for (size_t u = 0; u < count; ++u) {
    const xc_bank_image *image = units[u].layout.output;
    bool is_known = !image;
    for (size_t i = 0; i < num_images && !is_known; ++i)
      is_known = images[i].image == image;
    if (!is_known)
      images[num_images++] = (xc_rolling_image){
          .image = image, .height = units[u].layer.output.height};
  }
  xc_count_bands(target, units, count, images, num_images);
  bool fits = true;
  for (size_t i = 0; i < num_images; ++i)
    fits &= images[i].bands <= images[i].image->num_slots;
  free(images);
  return fits;
}
