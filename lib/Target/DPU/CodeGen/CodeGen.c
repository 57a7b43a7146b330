//===- CodeGen.c - layers to DPU machine code -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeGen.h"
#include "Family.h"
#include "Plan/Parts.h"
#include "Plan/Reshape.h"
#include "Schedule/Search.h"

#include "Target/DPU/CodeGen/Order/TileTasks.h"
#include "Target/DPU/CodeGen/Order/Tokens.h"

#include "Support/Diag.h"
#include "Support/Text.h"
#include "Target/DPU/Machine/Supports.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool is_known(const xc_machine *machine) {
  return machine && machine->has_code_generator;
}

/// ": A, B", the built-in targets that there is a code generator for.
static void list_targets(xc_text *text) {
  const char *separator = "";
  XcDiag none = {0};
  for (size_t i = 0; i < xcDpuTargetGetNumBuiltin(); ++i) {
    const XcDpuTarget *target =
        xcDpuTargetCreate(&none, xcDpuTargetGetBuiltinName(i));
    if (target && is_known(xc_machine_of(target))) {
      xc_text_printf(text, "%s%s", separator, target->name);
      separator = ", ";
    }
    xcDpuTargetDestroy(target);
  }
}

bool xcDpuCodeGenSupports(XcDiag *diag, const XcDpuTarget *target) {
  const xc_machine *machine = xc_machine_of(target);
  if (is_known(machine))
    return xc_machine_supports(machine, target, true, diag);
  xc_text known = {0};
  list_targets(&known);
  xc_file_error(diag, NULL,
                "no code generator for instruction set '%s' of target '%s'; "
                "targets with code generation: %s",
                target->isa, target->name, xc_text_str(&known));
  xc_text_free(&known);
  return false;
}

XcDpuCodeGen *xcDpuCodeGenCreate(const XcDpuTarget *target) {
  XcDpuCodeGen *gen = xc_alloc(sizeof *gen);
  gen->target = gen->planned.target = target;
  gen->strategy = xc_schedule_greedy;
  gen->effort = XcDpuEffortDefault;
  xc_emission_begin(&gen->emission, target);
  return gen;
}

void xcDpuCodeGenDestroy(XcDpuCodeGen *gen) {
  if (!gen)
    return;
  for (size_t i = 0; i < gen->num_layers; ++i) {
    free((char *)gen->layers[i].name);
    free((char *)gen->layers[i].location);
  }
  free(gen->layers);
  xc_arena_free(&gen->arena);
  free(gen->entries);
  xc_schedule_free(&gen->planned);
  xc_schedule_free(&gen->schedule);
  xc_emission_end(&gen->emission);
  free(gen->dependences);
  free(gen->bytes);
  free(gen);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

enum { MEBIBYTE = 1 << 20 };

static void check_image(const XcDpuTarget *target, const XcDpuImage *image,
                        XcDpuRefusal *refusal) {
  xc_require(refusal, XcDpuRefusalReasonShape, image->height, 1, INT32_MAX);
  xc_require(refusal, XcDpuRefusalReasonShape, image->width, 1, INT32_MAX);
  xc_require(refusal, XcDpuRefusalReasonShape, image->channels, 1, INT32_MAX);
  if (refusal->reason != XcDpuRefusalReasonNone)
    return;
  uint64_t end = xc_image_end(image);
  uint64_t limit = (uint64_t)target->derived.addressableBytes;
  if (end > limit)
    xc_require(refusal, XcDpuRefusalReasonAddress, (int64_t)(end / MEBIBYTE), 0,
               (int64_t)(limit / MEBIBYTE) - 1);
}

static XcDpuRefusal check_layer(const XcDpuTarget *target,
                                const XcDpuLayer *layer) {
  const xc_layer_kind *kind = xc_layer_kind_of(layer);
  XcDpuRefusal refusal = xc_accepted;
  xc_require_range(&refusal, XcDpuRefusalReasonInputs,
                   (int64_t)layer->numInputs, kind->inputs);
  check_image(target, &layer->output, &refusal);
  // Other layers move far pixels one by one.
  if (kind->saves_whole_rows)
    xc_require(&refusal, XcDpuRefusalReasonPitch, layer->output.pixelPitch, 1,
               xc_max_pitch(target));
  for (size_t i = 0; i < layer->numInputs && xc_is_accepted(refusal); ++i)
    check_image(target, &layer->inputs[i], &refusal);
  const xc_layer_engine *engine = xc_layer_engine_of(target, layer);
  if (!engine)
    xc_require(&refusal, XcDpuRefusalReasonEngine, layer->kind, 0, -1);
  return xc_is_accepted(refusal) ? engine->check(target, layer) : refusal;
}

static const XcDpuShifts *copy_shifts(XcDpuCodeGen *gen,
                                      const XcDpuLayer *layer) {
  if (!layer->wordShifts)
    return NULL;
  size_t words = (size_t)xc_words_of(gen->target, layer->output.channels);
  XcDpuShifts *shifts = xc_arena_alloc(&gen->arena, words, sizeof *shifts);
  return memcpy(shifts, layer->wordShifts, words * sizeof *shifts);
}

/// `shifts` are those of the layer, copied.
static void add_layer(XcDpuCodeGen *gen, const XcDpuLayer *layer,
                      const XcDpuShifts *shifts) {
  void *layers = gen->layers;
  xc_grow(&layers, &gen->layers_capacity, gen->num_layers + 1,
          sizeof *gen->layers);
  gen->layers = layers;
  XcDpuLayer *row = &gen->layers[gen->num_layers++];
  *row = *layer;
  row->wordShifts = shifts;
  row->name = xc_copy_string(layer->name ? layer->name : "");
  row->location = layer->location ? xc_copy_string(layer->location) : NULL;
}

static XcDpuRefusal add_units_as_is(XcDpuCodeGen *gen,
                                    const XcDpuLayer *layer) {
  xc_layer_part whole = {.layer = layer,
                         .number = (uint32_t)gen->num_layers,
                         .count = layer->output.channels};
  xc_units *units = &gen->planned.units;
  size_t count = units->count;
  XcDpuRefusal refusal = check_layer(gen->target, layer);
  if (xc_is_accepted(refusal))
    refusal = xc_add_part(gen->target, &whole, xc_try_unit, units);
  if (!xc_is_accepted(refusal))
    units->count = count;
  return refusal;
}

/// The layer's units when one engine computes it all. The pixels of a signal
/// and of what is added to it may have room in other rows only.
static XcDpuRefusal add_units(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  XcDpuRefusal refusal = add_units_as_is(gen, layer);
  XcDpuLayer signal = *layer;
  if (!xc_is_accepted(refusal) && xc_reshape_signal(gen->target, &signal) &&
      xc_is_accepted(add_units_as_is(gen, &signal)))
    return xc_accepted;
  return refusal;
}

/// Whether the convolution engine can compute it, too.
static bool can_be_diagonal(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  XcDpuLayer diagonal = xc_layer_on(XcDpuLayerKindDiagonal, layer);
  size_t count = gen->planned.units.count;
  bool ok = xc_is_accepted(add_units(gen, &diagonal));
  gen->planned.units.count = count;
  return ok;
}

static void add_choice(XcDpuCodeGen *gen, const XcDpuLayer *layer,
                       size_t first_unit) {
  xc_schedule *planned = &gen->planned;
  void *choices = planned->choices;
  xc_grow(&choices, &planned->choices_capacity, planned->num_choices + 1,
          sizeof *planned->choices);
  planned->choices = choices;
  planned->choices[planned->num_choices++] =
      (xc_engine_choice){.layer = *layer,
                         .number = (uint32_t)gen->num_layers,
                         .first_unit = first_unit,
                         .num_units = planned->units.count - first_unit};
}

/// By the engine of its kind if that takes it.
static XcDpuRefusal add_depthwise(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  size_t first_unit = gen->planned.units.count;
  XcDpuRefusal refusal = add_units(gen, layer);
  if (!xc_is_accepted(refusal)) {
    XcDpuLayer diagonal = xc_layer_on(XcDpuLayerKindDiagonal, layer);
    if (xc_is_accepted(add_units(gen, &diagonal)))
      return xc_accepted;
  } else if (can_be_diagonal(gen, layer)) {
    add_choice(gen, layer, first_unit);
  }
  return refusal;
}

XcDpuRefusal xcDpuCodeGenAddLayer(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  if (!gen->emission.code.machine)
    return (XcDpuRefusal){XcDpuRefusalReasonIsa, 0, 0, -1};
  XcDpuLayer normal = *layer;
  const xc_layer_kind *kind = xc_layer_kind_of(layer);
  if (!kind->has_kernel)
    normal.kernelH = normal.kernelW = normal.strideH = normal.strideW = 1;
  if (!kind->scales)
    normal.scaleH = normal.scaleW = 1;
  normal.wordShifts = copy_shifts(gen, layer);
  assert((gen->place_weights ||
          !(xcDpuPlacesWeights(layer) || layer->canJoinBias)) &&
         "somebody places the parameters");
  XcDpuRefusal refusal = layer->canBeDiagonal ? add_depthwise(gen, &normal)
                                              : add_units(gen, &normal);
  if (xc_is_accepted(refusal))
    add_layer(gen, layer, normal.wordShifts);
  return refusal;
}

bool xcDpuCodeGenPriceLayer(XcDpuCodeGen *gen, const XcDpuLayer *layer,
                            XcDpuLayerPrice *price) {
  *price = (XcDpuLayerPrice){0};
  if (!gen->emission.code.machine)
    return false;
  XcDpuLayer normal = *layer;
  normal.scaleH = normal.scaleW = 1;
  const xc_units *units = &gen->planned.units;
  size_t first = units->count;
  bool ok = xc_is_accepted(add_units(gen, &normal));
  for (size_t u = first; ok && u < units->count; ++u) {
    const xc_unit *unit = &units->items[u];
    price->cycles += xc_unit_cycles(unit);
    price->weights += unit->plan.cost.weights;
    price->compute += unit->plan.cost.conv + unit->plan.cost.misc;
  }
  gen->planned.units.count = first;
  return ok;
}

//===----------------------------------------------------------------------===//
// Finishing
//===----------------------------------------------------------------------===//

/// Adds a row of reports for the layers of the units, together with rows before
/// it that have units of the same layers.
static void add_entry(XcDpuCodeGen *gen, size_t first, size_t last) {
  const xc_unit *units = gen->schedule.units.items;
  xc_report_entry entry = {.first_layer = units[first].number,
                           .last_layer = units[first].number,
                           .first_unit = first,
                           .last_unit = last,
                           .first = gen->emission.code.count};
  memcpy(entry.inits, gen->emission.code.last_init, sizeof entry.inits);
  for (size_t u = first; u <= last; ++u) {
    size_t number = units[u].number;
    entry.first_layer = number < entry.first_layer ? number : entry.first_layer;
    entry.last_layer = number > entry.last_layer ? number : entry.last_layer;
  }
  while (gen->num_entries > 0 &&
         gen->entries[gen->num_entries - 1].last_layer >= entry.first_layer) {
    const xc_report_entry *before = &gen->entries[--gen->num_entries];
    if (before->first_layer < entry.first_layer)
      entry.first_layer = before->first_layer;
    if (before->last_layer > entry.last_layer)
      entry.last_layer = before->last_layer;
    entry.first_unit = before->first_unit;
    entry.first = before->first;
    memcpy(entry.inits, before->inits, sizeof entry.inits);
  }
  void *entries = gen->entries;
  xc_grow(&entries, &gen->entries_capacity, gen->num_entries + 1, sizeof entry);
  gen->entries = entries;
  gen->entries[gen->num_entries++] = entry;
}

static void emit_schedule(XcDpuCodeGen *gen) {
  const xc_units *units = &gen->schedule.units;
  for (size_t u = 0; u < units->count;) {
    size_t last = u + xc_units_together(&units->items[u], u) - 1;
    add_entry(gen, u, last);
    xc_emit_units(&gen->emission, &gen->schedule, u, last, NULL);
    u = last + 1;
  }
  assert(gen->emission.code.misfit.status == XcDpuStatusOk &&
         "units were tried when they were added");
  gen->emission.code.now = (xc_provenance){.layer = (uint32_t)gen->num_layers};
  xc_code_end(&gen->emission.code);
}

static void name_layers(const XcDpuCodeGen *gen, XcDpuProgram *program) {
  for (size_t i = 0; i < gen->num_entries; ++i) {
    const xc_report_entry *entry = &gen->entries[i];
    xc_text name = {0};
    uint64_t operations = 0;
    for (size_t k = entry->first_layer; k <= entry->last_layer; ++k) {
      xc_text_printf(&name, "%s%s", k > entry->first_layer ? " + " : "",
                     gen->layers[k].name);
      operations += gen->layers[k].operations;
    }
    xcDpuProgramAddLayer(program, entry->first, xc_text_str(&name), operations);
    xc_text_free(&name);
  }
}

/// END is of the last row.
static void estimate_entries(XcDpuCodeGen *gen, const xc_tile_tasks *tasks) {
  size_t count = gen->num_entries;
  size_t *limits = xc_alloc_array(count, sizeof *limits);
  int64_t *ends = xc_alloc_array(count, sizeof *ends);
  for (size_t i = 0; i < count; ++i)
    limits[i] =
        i + 1 < count ? gen->entries[i + 1].first : gen->emission.code.count;
  xc_estimate_tasks(tasks, limits, count, ends);
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    xc_report_entry *entry = &gen->entries[i];
    entry->estimate = ends[i];
    for (; at < limits[i]; ++at) {
      const xc_task_mark *mark = &tasks->marks[at];
      bool is_save = tasks->items[mark->task].queue == XcDpuQueueSave;
      *(is_save ? &entry->save_bytes : &entry->load_bytes) += mark->bytes;
    }
  }
  free(limits);
  free(ends);
}

void xcDpuCodeGenSetPlacement(XcDpuCodeGen *gen, XcDpuPlaceWeights place,
                              void *context) {
  gen->place_weights = place;
  gen->place_context = context;
}

void xcDpuCodeGenSetMemory(XcDpuCodeGen *gen,
                           const XcDpuMemoryPlacement *placement) {
  gen->memory = *placement;
}

void xcDpuCodeGenSetEngines(XcDpuCodeGen *gen, XcDpuEngineChoice engines) {
  gen->planned.engines = engines;
}

size_t xcDpuCodeGenGetNumChoices(const XcDpuCodeGen *gen) {
  return gen->planned.num_choices;
}

void xcDpuCodeGenSetEffort(XcDpuCodeGen *gen, XcDpuEffort effort) {
  gen->effort = effort;
}

void xcDpuCodeGenSetBytePrice(XcDpuCodeGen *gen, double cycles) {
  gen->byte_price = cycles;
}

void xcDpuCodeGenSetProgress(XcDpuCodeGen *gen, const XcProgress *progress) {
  gen->progress = *progress;
}

XcDpuSearchReport xcDpuCodeGenGetSearch(const XcDpuCodeGen *gen) {
  return gen->search;
}

/// Puts the layers in the order of the schedule, which has numbered them anew.
static void order_layers(XcDpuCodeGen *gen) {
  XcDpuLayer *layers = xc_alloc_array(gen->num_layers, sizeof *layers);
  for (size_t i = 0; i < gen->num_layers; ++i)
    layers[i] = gen->layers[gen->schedule.numbers[i]];
  free(gen->layers);
  gen->layers = layers;
  gen->layers_capacity = gen->num_layers;
}

static void make_schedule(XcDpuCodeGen *gen) {
  xc_estimate_memory memory = {.byte_price = gen->byte_price};
  xc_search search = xc_search_begin(
      (xc_schedule_estimator){xc_estimate_units, &memory}, gen->effort);
  search.progress = gen->progress;
  gen->schedule = gen->strategy(&gen->planned, &search);
  if (gen->schedule.numbers)
    order_layers(gen);
  gen->search = xc_search_report(&search);
  gen->search.bytePrice = gen->byte_price;
  xc_search_end(&search);
  xc_estimate_memory_free(&memory);
}

XcDpuProgram *xcDpuCodeGenFinish(XcDpuCodeGen *gen, XcDiag *diag) {
  assert(!gen->bytes && "code is finished once");
  xc_code *code = &gen->emission.code;
  if (!xcDpuCodeGenSupports(diag, gen->target))
    return NULL;
  make_schedule(gen);
  xc_place_memory(gen);
  xc_place_unit_parameters(gen);
  xc_tile_tasks tasks = {0};
  xc_begin_tasks(&tasks, &gen->schedule, 0, gen->schedule.units.count);
  code->tasks = &tasks;
  emit_schedule(gen);
  code->tasks = NULL;
  estimate_entries(gen, &tasks);
  xc_assign_tokens(code, tasks.dependences.items);
  gen->dependences = tasks.dependences.items;
  tasks.dependences.items = NULL;
  xc_tile_tasks_end(&tasks);
  gen->bytes = xc_code_bytes(code, &gen->num_bytes);
  XcDpuProgram *program =
      xcDpuProgramCreate(diag, gen->target, NULL, gen->bytes, gen->num_bytes);
  if (program)
    name_layers(gen, program);
  return program;
}

size_t xcDpuCodeGenGetNumRows(const XcDpuCodeGen *gen) {
  return gen->num_entries;
}

int64_t xcDpuCodeGenGetEstimate(const XcDpuCodeGen *gen, size_t row) {
  return gen->entries[row].estimate;
}

const void *xcDpuCodeGenGetCode(const XcDpuCodeGen *gen, size_t *size) {
  *size = gen->num_bytes;
  return gen->bytes;
}

size_t xcDpuCodeGenGetNumLayers(const XcDpuCodeGen *gen) {
  return gen->num_layers;
}

void xcDpuCodeGenGetRow(const XcDpuCodeGen *gen, size_t row, size_t *first,
                        size_t *last) {
  *first = gen->entries[row].first_layer;
  *last = gen->entries[row].last_layer;
}

size_t xcDpuCodeGenGetLayerOf(const XcDpuCodeGen *gen, size_t instruction) {
  size_t layer = gen->emission.code.provenances[instruction].layer;
  return layer < gen->num_layers ? layer : SIZE_MAX;
}

const XcDpuLayer *xcDpuCodeGenGetLayer(const XcDpuCodeGen *gen, size_t layer) {
  return &gen->layers[layer];
}
