//===- Timeline.c - a program over time, for the page ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

enum {
  /// Spans of a queue; beyond, neighbours of one layer are joined.
  MAX_SPANS = 60000,
};

/// The time in which a queue works for one layer without a pause longer than
/// `gap`.
typedef struct span {
  double begin, end;
  size_t layer;
  unsigned instructions;
} span;

typedef struct span_list {
  span *items;
  size_t count, capacity;
} span_list;

static const unsigned shown_queues[] = {XcDpuQueueLoad, XcDpuQueueConv,
                                        XcDpuQueueMisc, XcDpuQueueSave};
static const char *const queue_names[XC_DPU_NUM_QUEUES] = {
    [XcDpuQueueLoad] = "LOAD",
    [XcDpuQueueSave] = "SAVE",
    [XcDpuQueueConv] = "CONV",
    [XcDpuQueueMisc] = "MISC"};

static void add_span(span_list *list, const span *next, double gap) {
  span *last = list->count ? &list->items[list->count - 1] : NULL;
  // SAVEs of two ports overlap: what begins within the last one extends it.
  if (last && last->layer == next->layer && next->begin <= last->end + gap) {
    last->end = fmax(last->end, next->end);
    last->instructions += next->instructions;
    return;
  }
  xc_grow((void **)&list->items, &list->capacity, list->count + 1,
          sizeof(span));
  list->items[list->count++] = *next;
}

static span_list list_spans(const xc_dpu_function *function,
                            const XcDpuTimeline *timeline, unsigned queue,
                            double gap) {
  const XcDpuProgram *program = function->program;
  span_list list = {0};
  for (size_t i = 0; i < xcDpuProgramGetNumInstructions(program); ++i) {
    if ((unsigned)xcDpuProgramGetQueue(program, i) != queue)
      continue;
    span next = {.layer = xcDpuProgramGetLayerOf(program, i),
                 .instructions = 1};
    xcDpuTimelineGetInstruction(timeline, i, &next.begin, &next.end);
    add_span(&list, &next, gap);
  }
  return list;
}

/// Begin (from the end of the one before), length, layer (from that of the one
/// before), number of instructions, ... in whole cycles.
static json_t *spans_json(const span_list *list) {
  json_t *numbers = json_array();
  json_int_t now = 0, layer = 0;
  for (size_t i = 0; i < list->count; ++i) {
    const span *s = &list->items[i];
    json_int_t begin = (json_int_t)floor(s->begin);
    json_int_t end = (json_int_t)ceil(s->end);
    json_int_t own = s->layer == SIZE_MAX ? -1 : (json_int_t)s->layer;
    json_array_append_new(numbers, json_integer(begin - now));
    json_array_append_new(numbers, json_integer(end - begin));
    json_array_append_new(numbers, json_integer(own - layer));
    json_array_append_new(numbers, json_integer(s->instructions));
    now = end;
    layer = own;
  }
  return numbers;
}

static json_t *queue_json(const xc_dpu_function *function,
                          const XcDpuTimeline *timeline, unsigned queue) {
  double cycles = xcDpuTimelineGetTotal(timeline)->cycles;
  double gap = -1; // every instruction by itself
  span_list list = list_spans(function, timeline, queue, gap);
  for (gap = 0; list.count > MAX_SPANS; gap = 2 * gap + cycles / MAX_SPANS) {
    free(list.items);
    list = list_spans(function, timeline, queue, gap);
    if (gap > cycles)
      break;
  }
  json_t *row = json_object();
  json_object_set_new(row, "name", json_string(queue_names[queue]));
  json_object_set_new(row, "spans", spans_json(&list));
  free(list.items);
  return row;
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

/// A raster of a group of banks: columns are time, rows are addresses, each
/// cell holds the layer that wrote what most of its words hold then, plus 1.
enum { COLUMNS = 480, ROWS = 48, MAX_RASTERS = 3 };

typedef struct raster {
  const char *name;
  uint32_t first, end; // banks
  uint32_t depth;
  uint32_t *cells;
} raster;

typedef struct raster_walk {
  const XcDpuTimeline *timeline;
  const XcDpuProgram *program;
  double cycles;
  raster rasters[MAX_RASTERS];
  size_t count;
} raster_walk;

static void add_raster(raster_walk *walk, const char *name,
                       const XcDpuBanks *banks, int32_t group) {
  if (banks->numBanks == 0 || banks->firstBank < 0)
    return;
  uint32_t first = (uint32_t)(banks->firstBank + group * banks->numBanks);
  walk->rasters[walk->count++] = (raster){
      .name = name,
      .first = first,
      .end = first + (uint32_t)banks->numBanks,
      .depth = (uint32_t)banks->depth,
      .cells = xc_alloc_array((size_t)COLUMNS * ROWS, sizeof(uint32_t))};
}

static uint32_t column_of(const raster_walk *walk, double cycle) {
  double column = cycle / walk->cycles * COLUMNS;
  return column >= COLUMNS ? COLUMNS - 1 : (uint32_t)column;
}

static void paint(void *user_data, const XcDpuResident *resident) {
  raster_walk *walk = user_data;
  for (size_t r = 0; r < walk->count; ++r) {
    const raster *into = &walk->rasters[r];
    if (resident->bank < into->first || resident->bank >= into->end ||
        resident->address >= into->depth)
      continue;
    double start, begin, end;
    xcDpuTimelineGetInstruction(walk->timeline, resident->writer, &begin, &end);
    xcDpuTimelineGetInstruction(walk->timeline, resident->last, &start, &end);
    uint32_t row = resident->address * ROWS / into->depth;
    size_t layer = xcDpuProgramGetLayerOf(walk->program, resident->writer);
    uint32_t last = column_of(walk, end);
    for (uint32_t x = column_of(walk, begin); x <= last; ++x)
      into->cells[row * COLUMNS + x] = (uint32_t)(layer + 1);
  }
}

/// Returns the rows of [layer + 1, columns, ...] runs.
static json_t *cells_json(const raster *of) {
  json_t *rows = json_array();
  for (size_t y = 0; y < ROWS; ++y) {
    const uint32_t *cells = &of->cells[y * COLUMNS];
    json_t *runs = json_array();
    for (size_t x = 0, run; x < COLUMNS; x += run) {
      for (run = 1; x + run < COLUMNS && cells[x + run] == cells[x];)
        ++run;
      json_array_append_new(runs, json_integer(cells[x]));
      json_array_append_new(runs, json_integer((json_int_t)run));
    }
    json_array_append_new(rows, runs);
  }
  return rows;
}

static json_t *banks_json(const xc_dpu_function *function,
                          const XcDpuTimeline *timeline,
                          const XcDpuTarget *target) {
  raster_walk walk = {.timeline = timeline,
                      .program = function->program,
                      .cycles = xcDpuTimelineGetTotal(timeline)->cycles};
  add_raster(&walk, "image 0", &target->image, 0);
  if (target->image.numGroups > 1)
    add_raster(&walk, "image 1", &target->image, 1);
  add_raster(&walk, "weights", &target->weights, 0);
  xcDpuProgramForEachResident(function->program, paint, &walk);
  json_t *list = json_array();
  for (size_t r = 0; r < walk.count; ++r) {
    json_t *row = json_object();
    json_object_set_new(row, "name", json_string(walk.rasters[r].name));
    json_object_set_new(row, "depth",
                        json_integer((json_int_t)walk.rasters[r].depth));
    json_object_set_new(row, "rows", cells_json(&walk.rasters[r]));
    json_array_append_new(list, row);
    free(walk.rasters[r].cells);
  }
  return list;
}

json_t *xc_driver_report_timeline(const xc_compilation *c,
                                  const xc_dpu_function *function,
                                  const XcDpuTimeline *timeline) {
  json_t *object = json_object(), *queues = json_array();
  for (size_t i = 0; i < sizeof(shown_queues) / sizeof(*shown_queues); ++i)
    json_array_append_new(queues,
                          queue_json(function, timeline, shown_queues[i]));
  json_object_set_new(object, "queues", queues);
  json_object_set_new(object, "banks",
                      banks_json(function, timeline, c->target));
  return object;
}
