//===- Units.c - code of the units of a schedule --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Target/DPU/CodeGen/Family.h"
#include "Target/DPU/CodeGen/Schedule/CascadeWalk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Returns an empty ring in the memory of an old one. The functions below do
/// the same for other values.
static xc_ring begin_ring(const xc_ring *old, int32_t depth) {
  return (xc_ring){.depth = (uint32_t)depth,
                   .entries = old->entries,
                   .capacity = old->capacity};
}

static xc_code begin_code(const xc_code *old, const XcDpuTarget *target,
                          const xc_machine *machine) {
  return (xc_code){.target = target,
                   .machine = machine,
                   .words = old->words,
                   .words_capacity = old->words_capacity,
                   .offsets = old->offsets,
                   .offsets_capacity = old->offsets_capacity,
                   .provenances = old->provenances,
                   .provenances_capacity = old->provenances_capacity};
}

void xc_emission_begin(xc_emission *gen, const XcDpuTarget *target) {
  const xc_machine *machine = xc_machine_of(target);
  const xc_emission old = *gen;
  *gen = (xc_emission){
      .target = target,
      .family = machine ? xc_family_of(target) : NULL,
      .max_length = xc_max_length(target),
      .max_pitch = xc_max_pitch(target),
      .code = begin_code(&old.code, target, machine),
      .weights = begin_ring(&old.weights, target->weights.depth),
      .depthwise_weights =
          begin_ring(&old.depthwise_weights, target->depthwiseWeights.depth),
      .bias = begin_ring(&old.bias, target->bias.depth),
      .depthwise_bias =
          begin_ring(&old.depthwise_bias, target->depthwiseBias.depth),
  };
}

void xc_emission_end(xc_emission *gen) {
  xc_code_free(&gen->code);
  xc_ring_free(&gen->weights);
  xc_ring_free(&gen->depthwise_weights);
  xc_ring_free(&gen->bias);
  xc_ring_free(&gen->depthwise_bias);
}

/// A cascade whose first unit is `first` of the schedule.
typedef struct emitted_cascade {
  const xc_schedule *schedule;
  size_t first;
  xc_emitter *emitters;
  bool has_late_parameters;
} emitted_cascade;

static void load_parameters(xc_emitter *emitter) {
  emitter->gen->code.now = (xc_provenance){.layer = emitter->unit->number};
  emitter->unit->engine->emit->load_parameters(emitter);
}

static void emit_block(xc_cascade_walk *walk, size_t u, int32_t block) {
  const emitted_cascade *cascade = walk->context;
  xc_emitter *emitter = &cascade->emitters[u];
  if (cascade->has_late_parameters && block == 0) {
    emitter->gen->code.now = (xc_provenance){.layer = emitter->unit->number};
    // Those of units before come in their order, as they lie in transfers.
    xc_load_transfers(emitter->gen, cascade->schedule, cascade->first, u + 1);
    load_parameters(emitter);
  }
  emitter->unit->engine->emit->emit_block(emitter, block);
}

static void emit_cascade(emitted_cascade *cascade, size_t count) {
  for (size_t u = 0; u < count && !cascade->has_late_parameters; ++u)
    load_parameters(&cascade->emitters[u]);
  const xc_unit *units = &cascade->schedule->units.items[cascade->first];
  assert(
      (count == 1 || xc_bands_fit(cascade->schedule->target, units, count)) &&
      "rolling buffers have room for what is in use");
  xc_cascade_walk walk = {
      .units = units, .count = count, .visit = emit_block, .context = cascade};
  xc_walk_cascade(&walk);
}

/// Emits units that share weights: all units for one chunk before the next one,
/// so that each chunk is loaded once.
static void emit_sharing(xc_emission *gen, xc_emitter *emitters,
                         const xc_unit *units, size_t count) {
  const xc_tile_plan *plan = &units->plan.tiles;
  uint64_t words =
      (uint64_t)plan->chunk_groups * (uint64_t)units->plan.request.weight_words;
  for (int32_t chunk = 0; chunk < plan->num_chunks; ++chunk) {
    xc_ring_reserve(&gen->weights, words);
    for (size_t u = 0; u < count; ++u)
      units[u].engine->emit->emit_chunk(&emitters[u], chunk);
  }
}

/// Emits a unit, or units that run together.
static void emit(xc_emission *gen, const xc_schedule *schedule, size_t first,
                 size_t count) {
  const xc_unit *units = &schedule->units.items[first];
  xc_emitter *emitters = xc_alloc_array(count, sizeof *emitters);
  gen->code.now = (xc_provenance){.layer = units->number};
  xc_reserve_parameters(gen, schedule, first, count);
  for (size_t u = 0; u < count; ++u) {
    emitters[u] = (xc_emitter){.gen = gen, .unit = &units[u]};
    units[u].engine->emit->begin(&emitters[u]);
    if (units[u].layout.shares_input)
      xc_windows_share(&emitters[u].windows,
                       &emitters[u - units[u].layout.shares_input].windows);
    // Rows are copied while parameters are loaded.
    if (units[u].plan.request.source_words > 0)
      xc_windows_load_source(&emitters[u].windows);
  }
  emitted_cascade cascade = {.schedule = schedule,
                             .first = first,
                             .emitters = emitters,
                             .has_late_parameters =
                                 count > 1 && units->has_late_parameters};
  if (!cascade.has_late_parameters)
    xc_load_transfers(gen, schedule, first, count);
  if (count == 1)
    units->engine->emit->emit_all(emitters);
  else if (units->num_sharing > 0)
    emit_sharing(gen, emitters, units, count);
  else
    emit_cascade(&cascade, count);
  for (size_t u = 0; u < count; ++u)
    units[u].engine->emit->end(&emitters[u]);
  free(emitters);
}

void xc_emit_units(xc_emission *gen, const xc_schedule *schedule, size_t first,
                   size_t last, size_t *ends) {
  for (size_t u = first; u <= last;) {
    const xc_unit *unit = &schedule->units.items[u];
    size_t count = xc_units_together(unit, u);
    // Of units that share weights there may be a part.
    count = count < last - u + 1 ? count : last - u + 1;
    emit(gen, schedule, u, count);
    for (size_t end = u + count; u < end; ++u)
      if (ends)
        ends[u - first] = gen->code.count;
  }
}

XcDpuRefusal xc_try_unit(const XcDpuTarget *target, const xc_unit *unit) {
  xc_emission gen = {0};
  xc_unit copy = *unit;
  const xc_schedule alone = {
      .target = target, .units = {.items = &copy, .count = 1, .capacity = 1}};
  xc_emission_begin(&gen, target);
  emit(&gen, &alone, 0, 1);
  XcDpuResult misfit = gen.code.misfit;
  xc_emission_end(&gen);
  if (misfit.status == XcDpuStatusOk)
    return xc_accepted;
  return (XcDpuRefusal){XcDpuRefusalReasonField, misfit.value, misfit.minimum,
                        misfit.maximum};
}

void xc_begin_tasks(xc_tile_tasks *tasks, const xc_schedule *schedule,
                    size_t first, size_t count) {
  xc_tile_tasks_begin(tasks, schedule->target);
  for (size_t u = first; u < first + count; ++u) {
    const XcDpuImage *out = &schedule->units.items[u].layer.output;
    xc_dependences_save(&tasks->dependences, out->reg, out->address,
                        xc_image_end(out));
  }
  tasks->dependences.fixed = schedule->fixed_needs;
}

/// Ends an estimate. Needs are complete only if it came to the end of the code:
/// an instruction that does not fit its encoding ends the code early.
static void end_walk(xc_fixed_needs *fixed, bool is_whole) {
  if (!fixed->is_complete && !is_whole)
    fixed->count = 0;
  fixed->is_complete |= is_whole;
}

/// Whether the rolling buffers of all cascades have room. They were sized for
/// other units if some of these have been divided since.
static bool all_bands_fit(const xc_schedule *schedule, size_t first,
                          size_t last) {
  for (size_t u = first, size; u <= last; u += size) {
    const xc_unit *unit = &schedule->units.items[u];
    size = xc_units_together(unit, u);
    if (unit->cascade_last > u && !xc_bands_fit(schedule->target, unit, size))
      return false;
  }
  return true;
}

/// Adds the price of the bytes that have been moved by then.
static void price_bytes(const xc_estimate_memory *memory, const size_t *limits,
                        size_t count, int64_t *ends) {
  uint64_t bytes = 0;
  size_t instruction = 0;
  for (size_t i = 0; i < count; ++i) {
    for (; instruction < limits[i]; ++instruction)
      bytes += memory->tasks.marks[instruction].bytes;
    ends[i] += (int64_t)(memory->byte_price * (double)bytes + 0.5);
  }
}

void xc_estimate_units(xc_estimate_memory *memory, const xc_schedule *schedule,
                       size_t first, size_t last, int64_t *ends) {
  size_t count = last - first + 1;
  if (!all_bands_fit(schedule, first, last)) {
    memset(ends, 0, (count - 1) * sizeof *ends);
    ends[count - 1] = XC_CANNOT_ENCODE;
    return;
  }
  size_t *limits = xc_alloc_array(count, sizeof *limits);
  xc_emission *gen = &memory->emission;
  xc_tile_tasks *tasks = &memory->tasks;
  xc_emission_begin(gen, schedule->target);
  xc_begin_tasks(tasks, schedule, first, count);
  gen->code.tasks = tasks;
  gen->code.keeps_no_words = true;
  xc_emit_units(gen, schedule, first, last, limits);
  xc_estimate_tasks(tasks, limits, count, ends);
  if (memory->byte_price > 0)
    price_bytes(memory, limits, count, ends);
  if (gen->code.misfit.status != XcDpuStatusOk)
    ends[count - 1] = XC_CANNOT_ENCODE;
  if (schedule->fixed_needs)
    end_walk(schedule->fixed_needs, gen->code.misfit.status == XcDpuStatusOk);
  free(limits);
}

void xc_estimate_memory_free(xc_estimate_memory *memory) {
  xc_emission_end(&memory->emission);
  xc_tile_tasks_end(&memory->tasks);
}
