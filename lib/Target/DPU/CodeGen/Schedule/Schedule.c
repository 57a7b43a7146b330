//===- Schedule.c - units in their order, groups block by block -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Units of a group take turns: a block is computed as soon as the rows that it
// reads are there, and rows are computed when a block needs them.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include "Support/Memory.h"

#include <assert.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

xc_row_range xc_unit_rows_read(const xc_unit *unit, size_t input, int32_t block,
                               int32_t block_rows) {
  const XcDpuLayer *layer = &unit->layer;
  int32_t first = block * block_rows, last = first + block_rows - 1;
  if (last > layer->output.height - 1)
    last = layer->output.height - 1;
  xc_row_range range = {first, last + 1};
  if (input == 0 && xc_unit_has_window(unit)) {
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
  range.begin += unit->places.input_rows[input];
  range.end += unit->places.input_rows[input];
  return range;
}

static void run_block(xc_turns *turns, size_t u);

/// Computes all that writes an image until rows below `end` are there, and so
/// many blocks more that an engine need not wait for what has just begun.
static void need_rows(xc_turns *turns, size_t reader,
                      const xc_bank_image *image, int32_t end) {
  for (size_t u = 0; u < reader; ++u)
    while (turns->units[u].places.output == image &&
           turns->done[u] < turns->num_blocks[u] &&
           (turns->done[u] - turns->ahead) * turns->block_rows[u] < end)
      run_block(turns, u);
}

static void run_block(xc_turns *turns, size_t u) {
  const xc_unit *unit = &turns->units[u];
  int32_t block = turns->done[u];
  for (size_t k = 0; k < unit->layer.numInputs; ++k)
    if (unit->places.inputs[k])
      need_rows(turns, u, unit->places.inputs[k],
                xc_unit_rows_read(unit, k, block, turns->block_rows[u]).end);
  turns->visit(turns, u, block);
  ++turns->done[u];
}

/// The unit that is furthest from its end, the last of several.
static bool find_slowest(const xc_turns *turns, size_t *result) {
  bool found = false;
  for (size_t u = turns->count; u-- > 0;) {
    if (turns->done[u] == turns->num_blocks[u])
      continue;
    if (!found || (int64_t)turns->done[u] * turns->num_blocks[*result] <
                      (int64_t)turns->done[*result] * turns->num_blocks[u])
      *result = u;
    found = true;
  }
  return found;
}

void xc_turns_begin(xc_turns *turns, const xc_unit *units, size_t count) {
  *turns = (xc_turns){
      .units = units,
      .count = count,
      .done = xc_alloc_array(count, sizeof(int32_t)),
      .num_blocks = xc_alloc_array(count, sizeof(int32_t)),
      .block_rows = xc_alloc_array(count, sizeof(int32_t)),
      .ahead = units[0].ahead,
  };
}

void xc_turns_end(xc_turns *turns) {
  free(turns->done);
  free(turns->num_blocks);
  free(turns->block_rows);
}

void xc_take_turns(xc_turns *turns) {
  size_t u = 0;
  while (find_slowest(turns, &u))
    run_block(turns, u);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static void emit_turn(xc_turns *turns, size_t u, int32_t block) {
  xc_emitter *emitter = &((xc_emitter *)turns->context)[u];
  emitter->kind->emit_block(emitter, block);
}

static XcDpuRefusal emit_group(XcDpuCodeGen *gen, const xc_unit *units,
                               size_t count) {
  XcDpuRefusal refusal = xc_accepted;
  xc_emitter *emitters = xc_alloc_array(count, sizeof *emitters);
  xc_turns turns;
  xc_turns_begin(&turns, units, count);
  turns.visit = emit_turn;
  turns.context = emitters;
  size_t begun = 0;
  for (; begun < count && refusal.reason == XcDpuRefusalReasonNone; ++begun) {
    xc_emitter *emitter = &emitters[begun];
    refusal = xc_emitter_begin(emitter, gen, &units[begun]);
    turns.num_blocks[begun] = emitter->num_blocks;
    turns.block_rows[begun] = emitter->block_rows;
  }
  if (refusal.reason != XcDpuRefusalReasonNone)
    --begun;
  else if (count == 1)
    emitters->kind->emit_all(emitters);
  else {
    for (size_t u = 0; u < count; ++u) {
      gen->code.now = (xc_provenance){.layer = units[u].number};
      emitters[u].kind->load_parameters(&emitters[u]);
    }
    xc_take_turns(&turns);
  }
  for (size_t u = 0; u < begun; ++u)
    xc_emitter_end(&emitters[u]);
  free(emitters);
  xc_turns_end(&turns);
  return refusal;
}

/// Emits the unit or the group that begins with it, and returns the number of
/// its units.
static size_t emit_next(XcDpuCodeGen *gen, const xc_unit *unit) {
  size_t u = (size_t)(unit - gen->units.items);
  size_t count = unit->group_last > u ? unit->group_last - u + 1 : 1;
  gen->code.now = (xc_provenance){.layer = unit->number};
  XcDpuRefusal refusal = emit_group(gen, unit, count);
  assert(refusal.reason == XcDpuRefusalReasonNone &&
         "units were planned where their places are");
  (void)refusal;
  return count;
}

/// One row of reports for the layers of the units, or more instructions of the
/// row before.
static void add_span(XcDpuCodeGen *gen, const xc_unit *unit) {
  size_t u = (size_t)(unit - gen->units.items);
  size_t last = unit->group_last > u ? unit->group_last : u;
  size_t first_layer = unit->number, last_layer = gen->units.items[last].number;
  size_t next = gen->num_spans;
  if (next > 0 && gen->spans[next - 1].last_layer == first_layer) {
    if (first_layer == last_layer)
      return;
    ++first_layer;
  }
  void *spans = gen->spans;
  xc_grow(&spans, &gen->spans_capacity, next + 1, sizeof *gen->spans);
  gen->spans = spans;
  gen->spans[gen->num_spans++] = (xc_span){.first_layer = first_layer,
                                           .last_layer = last_layer,
                                           .first = gen->code.count};
}

void xc_emit_units(XcDpuCodeGen *gen) {
  for (size_t u = 0; u < gen->units.count;) {
    const xc_unit *unit = &gen->units.items[u];
    add_span(gen, unit);
    u += emit_next(gen, unit);
  }
}

//===----------------------------------------------------------------------===//
// Forecasts
//===----------------------------------------------------------------------===//

void xc_begin_steps(XcDpuCodeGen *gen, xc_steps *steps) {
  xc_steps_begin(steps, gen->target);
  for (size_t u = 0; u < gen->units.count; ++u)
    steps->shadow.ddr[gen->units.items[u].layer.output.reg].is_saved = true;
  gen->code.steps = steps;
}

void xc_forecast_units(XcDpuCodeGen *gen, size_t first, size_t last,
                       int64_t *ends) {
  assert(gen->code.count == 0 && "a forecast comes before the code");
  size_t count = last - first + 1;
  size_t *limits = xc_alloc_array(count, sizeof *limits);
  xc_steps steps;
  xc_begin_steps(gen, &steps);
  for (size_t u = first; u <= last;) {
    size_t now = emit_next(gen, &gen->units.items[u]);
    for (size_t end = u + now; u < end; ++u)
      limits[u - first] = gen->code.count;
  }
  gen->code.steps = NULL;
  xc_steps_replay(&steps, limits, count, ends);
  xc_steps_end(&steps);
  xc_take_code_back(gen);
  free(limits);
}
