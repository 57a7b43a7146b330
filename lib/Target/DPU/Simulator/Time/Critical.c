//===- Critical.c - critical path -----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The critical path, walked backwards: from the instruction that ends last to
// the one whose end let it start, and so on. An instruction starts when its
// lane is free, the one before it in its queue has started, and its tokens have
// been posted. Tokens of a channel are taken in the order in which they are
// posted, so the poster of each is known from the counts alone.
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/// Of one instruction: which ones it may have waited for.
typedef struct links {
  uint32_t lane;                       // the one before it in its lane
  uint32_t queue;                      // the one before it in its queue
  uint32_t posters[XC_DPU_NUM_QUEUES]; // of the tokens that it takes
  /// Among it and all before it in its queue, the one that ends last.
  uint32_t retired_by;
} links;

/// Posts of one channel in order: the instructions that post.
typedef struct token_channel {
  uint32_t *posters;
  size_t posted, taken, capacity;
  size_t initial; // tokens at the start, taken first
} token_channel;

typedef struct path_walk {
  const XcDpuProgram *program;
  XcDpuTimeline *timeline;
  links *links;
  token_channel channels[XC_DPU_NUM_QUEUES][XC_DPU_NUM_QUEUES];
  uint32_t last_of_queue[XC_DPU_NUM_QUEUES], last_of_lane[XC_NUM_LANES];
  /// When each layer begins: the end of everything before it.
  double *layer_begins;
  size_t layer; // the one at hand, plus 1
} path_walk;

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

static void list_posts(path_walk *walk) {
  const XcDpuProgram *program = walk->program;
  for (size_t i = 0; i < program->count; ++i) {
    unsigned from = xcDpuProgramGetQueue(program, i);
    unsigned by = xc_program_posts(program, i);
    for (unsigned to = 0; to < XC_DPU_NUM_QUEUES; ++to) {
      if (!(by >> to & 1))
        continue;
      token_channel *channel = &walk->channels[from][to];
      xc_grow((void **)&channel->posters, &channel->capacity,
              channel->posted + 1, sizeof(uint32_t));
      channel->posters[channel->posted++] = (uint32_t)i;
    }
  }
}

static uint32_t take_token(token_channel *channel) {
  size_t k = channel->taken++;
  return k < channel->initial ? NONE : channel->posters[k - channel->initial];
}

static void link_instruction(path_walk *walk, size_t index) {
  const XcDpuProgram *program = walk->program;
  XcDpuInstruction insn;
  xcDpuProgramGetInstruction(program, index, &insn);
  unsigned q = xcDpuProgramGetQueue(program, index);
  unsigned lane = xc_machine_lane(program->machine, &insn);
  unsigned on = xc_program_waits(program, index);
  links *link = &walk->links[index];
  link->queue = walk->last_of_queue[q];
  link->lane = walk->last_of_lane[lane];
  for (unsigned from = 0; from < XC_DPU_NUM_QUEUES; ++from)
    link->posters[from] =
        on >> from & 1 ? take_token(&walk->channels[from][q]) : NONE;
  link->retired_by = (uint32_t)index;
  if (link->queue != NONE) {
    uint32_t before = walk->links[link->queue].retired_by;
    if (walk->timeline->ends[before] > walk->timeline->ends[index])
      link->retired_by = before;
  }
  walk->last_of_queue[q] = walk->last_of_lane[lane] = (uint32_t)index;
}

static void link_all(path_walk *walk) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    walk->channels[q][q].initial = (size_t)walk->program->target->selfTokens;
    walk->last_of_queue[q] = NONE;
  }
  for (unsigned lane = 0; lane < XC_NUM_LANES; ++lane)
    walk->last_of_lane[lane] = NONE;
  list_posts(walk);
  for (size_t i = 0; i < walk->program->count; ++i)
    link_instruction(walk, i);
  for (unsigned from = 0; from < XC_DPU_NUM_QUEUES; ++from)
    for (unsigned to = 0; to < XC_DPU_NUM_QUEUES; ++to)
      free(walk->channels[from][to].posters);
}

/// Returns the instruction at whose end `index` could start; NONE at the
/// beginning.
static uint32_t find_cause(const path_walk *walk, uint32_t index) {
  const double *ends = walk->timeline->ends;
  const links *link = &walk->links[index];
  uint32_t best = link->lane;
  for (unsigned from = 0; from < XC_DPU_NUM_QUEUES; ++from) {
    if (link->posters[from] == NONE)
      continue;
    uint32_t by = walk->links[link->posters[from]].retired_by;
    if (best == NONE || ends[by] > ends[best])
      best = by;
  }
  return best;
}

/// Of instructions of one queue that start together only the first need have
/// waited; the others waited for their turn.
static uint32_t find_first_waiter(const path_walk *walk, uint32_t index) {
  const double *starts = walk->timeline->starts;
  for (;;) {
    uint32_t cause = find_cause(walk, index);
    if (cause != NONE && walk->timeline->ends[cause] >= starts[index])
      return index;
    uint32_t before = walk->links[index].queue;
    if (before == NONE || starts[before] < starts[index])
      return index;
    index = before;
  }
}

//===----------------------------------------------------------------------===//
// Booking
//===----------------------------------------------------------------------===//

/// The time begin..end lies before all that was booked until now.
static void book(path_walk *walk, XcDpuCause cause, double begin, double end) {
  if (end <= begin)
    return;
  walk->timeline->total.causes[cause] += end - begin;
  while (walk->layer > 0) {
    double layer_begin = walk->layer_begins[walk->layer - 1];
    XcDpuTime *layer = &walk->timeline->layers[walk->layer - 1];
    if (end > layer_begin)
      layer->causes[cause] += end - fmax(begin, layer_begin);
    if (begin >= layer_begin)
      return;
    end = fmin(end, layer_begin);
    --walk->layer;
  }
}

/// Books the time of an instruction, which begins at `begin`.
static void book_instruction(path_walk *walk, uint32_t index, double begin) {
  static const XcDpuCause causes[] = {
      [XcDpuQueueLoad] = XcDpuCauseLoad,
      [XcDpuQueueSave] = XcDpuCauseSave,
      [XcDpuQueueConv] = XcDpuCauseConv,
      [XcDpuQueueMisc] = XcDpuCauseMisc,
  };
  const XcDpuTimeline *timeline = walk->timeline;
  XcDpuCause cause = causes[xcDpuProgramGetQueue(walk->program, index)];
  double end = timeline->ends[index], work = begin;
  xc_op op = {0};
  xc_program_get_op(walk->program, index, &op);
  if (op.kind->class == XC_OP_INIT || op.kind->class == XC_OP_END)
    work = end;
  else if (!xc_op_computes(&op))
    work = fmin(end, timeline->starts[index] +
                         xc_op_cost(walk->program->target, &op).fixed);
  walk->timeline->critical[index] = end - begin;
  book(walk, cause, work, end);
  book(walk, XcDpuCauseLatency, begin, work);
}

static double begin_layers(path_walk *walk) {
  const XcDpuProgram *program = walk->program;
  double latest = 0;
  size_t layer = 0;
  for (size_t i = 0; i < program->count; ++i) {
    for (; layer < program->num_layers && program->layers[layer].first <= i;
         ++layer)
      walk->layer_begins[layer] = latest;
    latest = fmax(latest, walk->timeline->ends[i]);
  }
  return latest;
}

void xc_timeline_find_causes(XcDpuTimeline *timeline) {
  const XcDpuProgram *program = timeline->program;
  path_walk walk = {
      .program = program, .timeline = timeline, .layer = program->num_layers};
  walk.links = xc_alloc_array(program->count, sizeof *walk.links);
  walk.layer_begins =
      xc_alloc_array(program->num_layers, sizeof *walk.layer_begins);
  double latest = begin_layers(&walk);
  link_all(&walk);
  uint32_t at = NONE; // of a program without instructions
  for (uint32_t i = 0; i < program->count; ++i)
    if (timeline->ends[i] >= latest)
      at = i;
  while (at != NONE) {
    uint32_t waiter = find_first_waiter(&walk, at);
    uint32_t before = find_cause(&walk, waiter);
    book_instruction(&walk, at, before == NONE ? 0 : timeline->ends[before]);
    at = before;
  }
  free(walk.links);
  free(walk.layer_begins);
}

const char *xcDpuCauseGetName(XcDpuCause cause) {
  static const char *const words[] = {
#define XC_DPU_CAUSE(Name, word) word,
      XC_DPU_CAUSES(XC_DPU_CAUSE)
#undef XC_DPU_CAUSE
  };
  return words[cause];
}

XcDpuCause xcDpuTimeGetBound(const XcDpuTime *time) {
  XcDpuCause best = 0;
  for (unsigned c = 1; c < XC_DPU_NUM_CAUSES; ++c)
    if (time->causes[c] > time->causes[best])
      best = (XcDpuCause)c;
  return best;
}
