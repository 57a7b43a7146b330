//===- Estimate.c - when layers end, by their plans -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks take their share of what the plan of their unit says about each queue,
// in the order in which they are emitted. A block waits for its queues, for the
// rows that it reads and for its weights; those of a unit come when the weights
// that they drive out are no longer needed. Of a unit that goes over its blocks
// once for each chunk of channels, rows are complete with the last chunk.
//
//===----------------------------------------------------------------------===//

#include "Estimate.h"

#include "Schedule.h"
#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

/// When strips of rows are complete, in the banks and in DDR.
typedef struct ready_times {
  int64_t *banks, *ddr;
  size_t count;
} ready_times;

/// Weights in the order in which they are loaded.
typedef struct weights_use {
  int64_t last_word; // counted from the first one of all
  int64_t end;       // of their unit
} weights_use;

struct xc_forecast {
  const XcDpuTarget *target;
  int64_t load, save, conv, misc; // when the queues are free
  ready_times *buffers;
  size_t num_buffers;
  weights_use *weights;
  size_t num_weights, weights_capacity, first_weights;
  int64_t weight_words;
  int64_t end;
};

/// A unit, block by block.
typedef struct unit_forecast {
  xc_estimate estimate;
  int64_t weights_ready;
  int64_t *block_ends; // of the engines
} unit_forecast;

typedef struct group_forecast {
  xc_forecast *forecast;
  unit_forecast *units;
} group_forecast;

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static void see_image(xc_forecast *forecast, const XcDpuImage *image) {
  size_t number = image->buffer;
  if (number >= forecast->num_buffers) {
    size_t old = forecast->num_buffers;
    forecast->num_buffers = number + 1;
    forecast->buffers = xc_realloc_array(
        forecast->buffers, forecast->num_buffers, sizeof *forecast->buffers);
    memset(forecast->buffers + old, 0,
           (forecast->num_buffers - old) * sizeof *forecast->buffers);
  }
  size_t strips = (size_t)(image->height / forecast->target->pixelParallel + 1);
  if (strips > forecast->buffers[number].count)
    forecast->buffers[number].count = strips;
}

xc_forecast *xc_forecast_begin(const XcDpuTarget *target,
                               const xc_units *units) {
  xc_forecast *forecast = xc_alloc(sizeof *forecast);
  forecast->target = target;
  for (size_t u = 0; u < units->count; ++u) {
    const XcDpuLayer *layer = &units->items[u].layer;
    for (size_t k = 0; k < layer->numInputs; ++k)
      see_image(forecast, &layer->inputs[k]);
    see_image(forecast, &layer->output);
  }
  for (size_t i = 0; i < forecast->num_buffers; ++i) {
    ready_times *times = &forecast->buffers[i];
    times->banks = xc_alloc_array(times->count, sizeof(int64_t));
    times->ddr = xc_alloc_array(times->count, sizeof(int64_t));
  }
  return forecast;
}

void xc_forecast_end(xc_forecast *forecast) {
  for (size_t i = 0; i < forecast->num_buffers; ++i) {
    free(forecast->buffers[i].banks);
    free(forecast->buffers[i].ddr);
  }
  free(forecast->buffers);
  free(forecast->weights);
  free(forecast);
}

/// The strip that holds a row, or the last one.
static size_t strip_of(const xc_forecast *forecast, const ready_times *times,
                       int32_t row) {
  size_t strip =
      (size_t)(row > 0 ? row : 0) / (size_t)forecast->target->pixelParallel;
  return strip < times->count ? strip : times->count - 1;
}

/// When what the block-th `rows` rows read is there: `loads` is set to when it
/// is in DDR.
static int64_t inputs_ready(const xc_forecast *forecast, const xc_unit *unit,
                            int32_t rows, int32_t block, int64_t *loads) {
  int64_t found = 0;
  *loads = 0;
  for (size_t k = 0; k < unit->layer.numInputs; ++k) {
    const ready_times *times = &forecast->buffers[unit->layer.inputs[k].buffer];
    if (unit->layer.inputs[k].buffer == 0)
      continue;
    int32_t end = xc_unit_rows_read(unit, k, block, rows).end;
    size_t strip = strip_of(forecast, times, end - 1);
    if (unit->places.inputs[k])
      found = later(found, times->banks[strip]);
    else
      *loads = later(*loads, times->ddr[strip]);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// When there is room for so many more words.
static int64_t weights_room(xc_forecast *forecast, int64_t words) {
  int64_t limit =
      forecast->weight_words + words - forecast->target->weights.depth;
  int64_t room = 0;
  while (forecast->first_weights < forecast->num_weights &&
         forecast->weights[forecast->first_weights].last_word <= limit)
    room = forecast->weights[forecast->first_weights++].end;
  if (forecast->first_weights < forecast->num_weights && limit > 0 &&
      forecast->first_weights > 0)
    room = later(room, forecast->weights[forecast->first_weights - 1].end);
  return room;
}

static void note_weights(xc_forecast *forecast, int64_t words) {
  void *array = forecast->weights;
  xc_grow(&array, &forecast->weights_capacity, forecast->num_weights + 1,
          sizeof *forecast->weights);
  forecast->weights = array;
  forecast->weight_words += words;
  forecast->weights[forecast->num_weights++] =
      (weights_use){.last_word = forecast->weight_words, .end = forecast->conv};
}

/// Loads what comes before the first block.
static void begin_unit(xc_forecast *forecast, unit_forecast *unit) {
  const xc_estimate *estimate = &unit->estimate;
  if (estimate->weight_words == 0)
    return;
  int64_t words = estimate->weight_words / estimate->num_chunks;
  int64_t start = later(forecast->load, weights_room(forecast, words));
  forecast->load = start + estimate->weight_cycles / estimate->num_chunks;
  unit->weights_ready = forecast->load;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Blocks by which loads may be ahead of the engine.
static int32_t blocks_ahead(const xc_unit *unit, const xc_estimate *estimate) {
  if (estimate->input_band_words == 0)
    return 1;
  int32_t slots = unit->places.input_area.words / estimate->input_band_words;
  int32_t ahead = slots - estimate->window_bands;
  return ahead > 0 ? ahead : 0;
}

/// The share of the rows of a block that finds room while the block before it
/// is computed: they lie in bands of which that reads a part.
static double early_share(const xc_forecast *forecast, const xc_unit *unit,
                          const xc_estimate *estimate) {
  if (!xc_unit_has_window(unit))
    return 0;
  const XcDpuLayer *layer = &unit->layer;
  int32_t stride = layer->output.height == 1 ? 1 : layer->strideH;
  int32_t band = stride * forecast->target->pixelParallel;
  int32_t window = (estimate->block_rows - 1) * stride + layer->kernelH;
  double share = (double)(estimate->window_bands * band - window) /
                 (estimate->block_rows * stride);
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

/// When the rows that a block drives out of a ring of bands are no longer read.
static int64_t room_ready(const xc_turns *turns, const group_forecast *group,
                          size_t u, int32_t block) {
  const xc_bank_image *image = turns->units[u].places.output;
  int64_t ready = 0;
  if (!image)
    return 0;
  int32_t band_rows = image->bank_rows * group->forecast->target->pixelParallel;
  int32_t band = block * turns->block_rows[u] / band_rows - image->num_slots;
  for (size_t v = u + 1; band >= 0 && v < turns->count; ++v)
    for (size_t k = 0; k < turns->units[v].layer.numInputs; ++k) {
      int32_t last = turns->done[v] - 1;
      if (turns->units[v].places.inputs[k] != image)
        continue;
      while (last >= 0 &&
             xc_unit_rows_read(&turns->units[v], k, last, turns->block_rows[v])
                     .begin >= (band + 1) * band_rows)
        --last;
      if (last >= 0)
        ready = later(ready, group->units[v].block_ends[last]);
    }
  return ready;
}

/// The misc engine computes a block in pieces, each as soon as its rows are
/// there.
static int64_t run_pieces(xc_forecast *forecast, const xc_unit *unit,
                          const xc_estimate *estimate, int32_t block,
                          int64_t start) {
  int32_t piece_rows = forecast->target->alu.rows;
  int32_t pieces = (estimate->block_rows + piece_rows - 1) / piece_rows;
  int64_t loads, one = estimate->cost.misc / estimate->num_blocks / pieces;
  for (int32_t piece = 0; piece < pieces; ++piece) {
    int64_t ready = inputs_ready(forecast, unit, piece_rows,
                                 block * pieces + piece, &loads);
    forecast->misc = later(forecast->misc, later(start, ready)) + one;
  }
  return forecast->misc;
}

static void forecast_block(xc_turns *turns, size_t u, int32_t block) {
  group_forecast *group = turns->context;
  xc_forecast *forecast = group->forecast;
  const xc_unit *unit = &turns->units[u];
  unit_forecast *at = &group->units[u];
  const xc_estimate *estimate = &at->estimate;
  const xc_queue_cost *cost = &estimate->cost;
  int64_t blocks = estimate->num_blocks, loads;
  int64_t start =
      inputs_ready(forecast, unit, estimate->block_rows, block, &loads);
  int64_t rows = (cost->load - estimate->weight_cycles) / blocks;
  if (rows > 0) {
    int32_t ahead = blocks_ahead(unit, estimate), before = block - ahead - 1;
    forecast->load = later(forecast->load, loads) + rows;
    if (before >= 0) {
      double late = 1 - early_share(forecast, unit, estimate);
      forecast->load =
          later(forecast->load,
                at->block_ends[before] + (int64_t)(late * (double)rows));
    }
    start = later(start, forecast->load);
  }
  int64_t room = room_ready(turns, group, u, block);
  start = later(start, later(at->weights_ready, room));
  int64_t end = start;
  if (cost->conv > 0)
    end = forecast->conv = later(forecast->conv, end) + cost->conv / blocks;
  if (cost->misc > 0 && cost->conv == 0)
    end = run_pieces(forecast, unit, estimate, block, rows > 0 ? end : room);
  else if (cost->misc > 0)
    end = forecast->misc = later(forecast->misc, end) + cost->misc / blocks;
  at->block_ends[block] = end;
  int64_t saved = end;
  if (cost->save > 0)
    saved = forecast->save = later(forecast->save, end) + cost->save / blocks;
  forecast->end = later(forecast->end, saved);
  if (unit->layer.output.buffer == 0)
    return;
  ready_times *times = &forecast->buffers[unit->layer.output.buffer];
  size_t first = strip_of(forecast, times, block * estimate->block_rows);
  size_t last =
      strip_of(forecast, times, (block + 1) * estimate->block_rows - 1);
  for (size_t strip = first; strip <= last; ++strip) {
    times->banks[strip] = later(times->banks[strip], end);
    times->ddr[strip] = later(times->ddr[strip], saved);
  }
}

/// Weights of the other chunks come while the first ones are used.
static void end_unit(xc_forecast *forecast, const unit_forecast *unit) {
  const xc_estimate *estimate = &unit->estimate;
  if (estimate->weight_words == 0)
    return;
  if (estimate->num_chunks > 1) {
    int64_t rest = estimate->weight_cycles -
                   estimate->weight_cycles / estimate->num_chunks;
    int64_t last = estimate->cost.conv / estimate->num_chunks;
    forecast->load = later(forecast->load, unit->weights_ready + rest);
    forecast->conv = later(forecast->conv, unit->weights_ready + rest + last);
    forecast->end = later(forecast->end, forecast->conv);
  }
  note_weights(forecast, estimate->weight_words);
}

void xc_forecast_units(xc_forecast *forecast, const xc_unit *units,
                       size_t count) {
  group_forecast group = {
      .forecast = forecast,
      .units = xc_alloc_array(count, sizeof(unit_forecast)),
  };
  xc_turns turns;
  xc_turns_begin(&turns, units, count);
  turns.visit = forecast_block;
  turns.context = &group;
  for (size_t u = 0; u < count; ++u) {
    xc_estimate *estimate = &group.units[u].estimate;
    xc_estimate_unit(forecast->target, &units[u], estimate);
    turns.num_blocks[u] = estimate->num_blocks;
    turns.block_rows[u] = estimate->block_rows;
    group.units[u].block_ends =
        xc_alloc_array((size_t)estimate->num_blocks + 1, sizeof(int64_t));
    begin_unit(forecast, &group.units[u]);
  }
  xc_take_turns(&turns);
  for (size_t u = 0; u < count; ++u) {
    end_unit(forecast, &group.units[u]);
    free(group.units[u].block_ends);
  }
  free(group.units);
  xc_turns_end(&turns);
}

int64_t xc_forecast_now(const xc_forecast *forecast) { return forecast->end; }
