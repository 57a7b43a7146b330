//===- PrintSchedule.c - schedules as text and JSON -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeGen.h"

#include "Support/Json.h"
#include "Support/Text.h"

#include <stdlib.h>

/// Where an image of a unit is: in the banks as a whole or as a rolling buffer,
/// or in DDR, with bands and blocks passing through the banks.
typedef struct image_site {
  bool in_ddr, in_banks;
  bool rolls; // through the banks, which do not hold all rows at once
  uint32_t first_bank;
  int32_t base, words;
  int32_t slots, slot_words; // bands, or blocks of a tile
} image_site;

/// `end` is one past the last row of the image that is used.
static image_site site_in_banks(const XcDpuTarget *target,
                                const xc_bank_image *image, int32_t end) {
  int32_t rows = image->num_slots * image->bank_rows * target->pixelParallel;
  return (image_site){.in_banks = true,
                      .rolls = rows < end,
                      .first_bank = image->group,
                      .base = image->base,
                      .words = image->num_slots * image->band_words,
                      .slots = image->num_slots,
                      .slot_words = image->band_words};
}

static image_site site_in_ddr(const xc_bank_area *area, int32_t slot_words) {
  int32_t slots = slot_words > 0 ? area->words / slot_words : 0;
  return (image_site){.in_ddr = true,
                      .first_bank = area->group,
                      .base = area->base,
                      .words = slots * slot_words,
                      .slots = slots,
                      .slot_words = slot_words};
}

static image_site input_site(const XcDpuTarget *target, const xc_unit *unit,
                             size_t k) {
  const xc_unit_layout *layout = &unit->layout;
  if (layout->inputs[k])
    return site_in_banks(target, layout->inputs[k],
                         layout->input_rows[k] + unit->layer.inputs[k].height);
  if (k > 0 && unit->kind->has_window)
    return site_in_ddr(&layout->operand_area, unit->plan.tiles.out_row_words);
  xc_bank_area area = layout->input_area;
  area.base += unit->plan.request.source_words;
  area.words -= unit->plan.request.source_words;
  return site_in_ddr(&area, unit->plan.input_band_words);
}

static image_site output_site(const XcDpuTarget *target, const xc_unit *unit) {
  const xc_unit_layout *layout = &unit->layout;
  image_site site =
      layout->output
          ? site_in_banks(target, layout->output, unit->layer.output.height)
          : site_in_ddr(&layout->output_area,
                        unit->kind->has_window ? unit->plan.tiles.out_row_words
                                               : unit->plan.output_words);
  site.in_ddr = layout->saves;
  return site;
}

/// Returns the number of channels that are computed together.
static int32_t chunk_channels(const XcDpuCodeGen *gen, const xc_unit *unit) {
  int32_t channels = unit->layer.output.channels;
  int32_t chunk = unit->plan.tiles.chunk_groups * gen->target->channelParallel;
  return chunk > 0 && chunk < channels ? chunk : channels;
}

static int32_t num_chunks(const xc_unit *unit) {
  return unit->plan.tiles.num_chunks > 0 ? unit->plan.tiles.num_chunks : 1;
}

/// Returns the loops from the outermost one on.
static const char *loop_order(const xc_unit *unit) {
  if (unit->plan.tiles.chunks_outside)
    return "chunks, tiles, blocks";
  return "tiles, blocks, chunks";
}

static xc_text entry_name(const XcDpuCodeGen *gen,
                          const xc_report_entry *entry) {
  xc_text name = {0};
  for (size_t k = entry->first_layer; k <= entry->last_layer; ++k)
    xc_text_printf(&name, "%s%s", k > entry->first_layer ? " + " : "",
                   gen->layers[k].name);
  return name;
}

static uint64_t entry_macs(const XcDpuCodeGen *gen,
                           const xc_report_entry *entry) {
  uint64_t operations = 0;
  for (size_t k = entry->first_layer; k <= entry->last_layer; ++k)
    operations += gen->layers[k].operations;
  return operations / 2;
}

static int64_t entry_cycles(const XcDpuCodeGen *gen, size_t index) {
  return gen->entries[index].estimate -
         (index > 0 ? gen->entries[index - 1].estimate : 0);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void print_site(const XcDpuTarget *target, const char *what,
                       const XcDpuImage *image, const image_site *site,
                       xc_text *text) {
  xc_text_printf(text, "    %-10s %dx%dx%d", what, image->height, image->width,
                 image->channels);
  if (site->in_ddr)
    xc_text_printf(text, ", DDR register %u at %u", image->reg, image->address);
  if (site->words > 0)
    xc_text_printf(text, ", %s banks %u to %u words %d to %d (%d of %d words)",
                   !site->in_banks ? "through"
                   : site->rolls   ? "rolling buffer in"
                                   : "held in",
                   site->first_bank,
                   site->first_bank + (uint32_t)target->image.numBanks - 1,
                   site->base, site->base + site->words - 1, site->slots,
                   site->slot_words);
  xc_text_puts(text, "\n");
}

/// Returns the number of columns of the output in a tile, of the last one
/// perhaps fewer.
static int32_t tile_columns(const xc_unit *unit) {
  return xc_minimum(unit->plan.tile_width * xc_unit_columns(unit),
                    unit->layer.output.width);
}

static void print_tiles(const XcDpuCodeGen *gen, const xc_unit *unit,
                        xc_text *text) {
  const xc_unit_plan *plan = &unit->plan;
  int32_t columns = xc_unit_columns(unit);
  xc_text_printf(text,
                 "    tiles      %d of %d columns, %d of %d rows, %d of %d "
                 "channels; loops: %s",
                 plan->num_tiles, tile_columns(unit), plan->num_blocks,
                 plan->block_rows, num_chunks(unit), chunk_channels(gen, unit),
                 loop_order(unit));
  if (plan->augmentation.channels)
    xc_text_puts(text, "; augmented");
  if (columns > 1)
    xc_text_printf(text, ", %d columns a pixel", columns);
  if (plan->request.source_words > 0)
    xc_text_printf(text, "; rows copied from %d words of a bank",
                   plan->request.source_words);
  xc_text_puts(text, "\n");
  const xc_strips *strips = &plan->tiles.strips;
  if (unit->kind->has_window && strips->rows > 0)
    xc_text_printf(text,
                   "    strips     the last %d rows, %d of %d columns%s\n",
                   strips->rows, strips->count, strips->width,
                   unit->layout.copies_strips ? ", copied in the banks" : "");
}

static const char *const bank_names[XC_NUM_PARAMETER_BANKS] = {
    [XC_PARAMETERS_BIAS] = "biases",
    [XC_PARAMETERS_DEPTHWISE] = "depthwise weights",
    [XC_PARAMETERS_WEIGHTS] = "weights"};

/// Returns the transfer of parameters that begins with those of a unit, or
/// null.
static const xc_parameter_transfer *transfer_at(const XcDpuCodeGen *gen,
                                                size_t index, int bank) {
  const xc_schedule *schedule = &gen->schedule;
  size_t piece = schedule->units.items[index].pieces[bank];
  if (!piece || schedule->pieces[piece - 1].unit != index)
    return NULL;
  const xc_parameter_transfer *transfer =
      &schedule->transfers[schedule->pieces[piece - 1].transfer];
  return transfer->first == piece - 1 ? transfer : NULL;
}

/// Prints the transfers that begin with parameters of a unit.
static void print_transfers(const XcDpuCodeGen *gen, size_t index,
                            xc_text *text) {
  for (int bank = 0; bank < XC_NUM_PARAMETER_BANKS; ++bank) {
    const xc_parameter_transfer *transfer = transfer_at(gen, index, bank);
    if (!transfer)
      continue;
    xc_text_printf(text, "    transfer   %d words of %s for %d banks, of units",
                   transfer->words, bank_names[bank], transfer->lanes);
    for (size_t p = transfer->first; p <= transfer->last; ++p)
      xc_text_printf(text, "%s %zu", p > transfer->first ? "," : "",
                     gen->schedule.pieces[p].unit);
    xc_text_puts(text, "\n");
  }
}

static void print_unit(const XcDpuCodeGen *gen, size_t index, xc_text *text) {
  const xc_unit *unit = &gen->schedule.units.items[index];
  const XcDpuLayer *layer = &unit->layer;
  const xc_unit_plan *plan = &unit->plan;
  const xc_unit_cost *cost = &plan->cost;
  xc_text_printf(text, "  unit %zu: %s %s", index, unit->kind->name,
                 gen->layers[unit->number].name);
  if (unit->kind->has_kernel)
    xc_text_printf(text, ", kernel %dx%d, stride %dx%d", layer->kernelH,
                   layer->kernelW, layer->strideH, layer->strideW);
  xc_text_puts(text, "\n");
  print_tiles(gen, unit, text);
  for (size_t k = 0; k < layer->numInputs; ++k) {
    image_site site = input_site(gen->target, unit, k);
    print_site(gen->target, k == 0 ? "input" : "operand", &layer->inputs[k],
               &site, text);
  }
  image_site site = output_site(gen->target, unit);
  print_site(gen->target, "output", &layer->output, &site, text);
  xc_text_printf(text,
                 "    parameters %lld words of weights, %lld of depthwise "
                 "weights, %lld of biases\n",
                 (long long)plan->weight_words,
                 (long long)plan->depthwise_words, (long long)plan->bias_words);
  print_transfers(gen, index, text);
  xc_text_printf(text,
                 "    cost       LOAD %lld, SAVE %lld, CONV %lld, MISC %lld, "
                 "serial %lld, start %lld\n",
                 (long long)cost->load, (long long)cost->save,
                 (long long)cost->conv, (long long)cost->misc,
                 (long long)cost->serial, (long long)cost->start);
}

static void print_entry(const XcDpuCodeGen *gen, size_t index, xc_text *text) {
  const xc_report_entry *entry = &gen->entries[index];
  xc_text name = entry_name(gen, entry);
  xc_text_printf(text, "\nlayer %zu: %s\n", index, xc_text_str(&name));
  xc_text_free(&name);
  xc_text_printf(
      text,
      "  %lld cycles until %lld, %llu bytes loaded, %llu saved, %llu MACs\n",
      (long long)entry_cycles(gen, index), (long long)entry->estimate,
      (unsigned long long)entry->load_bytes,
      (unsigned long long)entry->save_bytes,
      (unsigned long long)entry_macs(gen, entry));
  for (size_t u = entry->first_unit; u <= entry->last_unit; ++u) {
    const xc_unit *unit = &gen->schedule.units.items[u];
    if (unit->cascade_last > u)
      xc_text_printf(text,
                     "  cascade of units %zu to %zu, prefetch distance %d "
                     "blocks%s\n",
                     u, unit->cascade_last, unit->prefetch_distance,
                     unit->has_late_parameters ? ", late parameters" : "");
    if (unit->num_sharing > 0)
      xc_text_printf(text,
                     "  units %zu to %zu share weights, %d groups of channels "
                     "at a time\n",
                     u, u + unit->num_sharing - 1, unit->chunk_groups);
    print_unit(gen, u, text);
  }
}

static xc_report_entry total_of(const XcDpuCodeGen *gen) {
  xc_report_entry total = {.last_layer = gen->num_layers - 1};
  for (size_t i = 0; i < gen->num_entries; ++i) {
    total.estimate = gen->entries[i].estimate;
    total.load_bytes += gen->entries[i].load_bytes;
    total.save_bytes += gen->entries[i].save_bytes;
  }
  return total;
}

char *xcDpuCodeGenScheduleToText(const XcDpuCodeGen *gen) {
  xc_text text = {0};
  xc_report_entry total = total_of(gen);
  xc_text_printf(
      &text,
      "schedule for %s: %zu layers, %zu units\n%lld cycles, %llu bytes loaded, "
      "%llu saved, %llu MACs\n",
      gen->target->name, gen->num_entries, gen->schedule.units.count,
      (long long)total.estimate, (unsigned long long)total.load_bytes,
      (unsigned long long)total.save_bytes,
      (unsigned long long)(gen->num_layers ? entry_macs(gen, &total) : 0));
  for (size_t i = 0; i < gen->num_entries; ++i)
    print_entry(gen, i, &text);
  return text.data;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json_t *integer(int64_t value) { return json_integer(value); }

static json_t *site_json(const XcDpuImage *image, const image_site *site) {
  json_t *object =
      json_pack("{s[iii] sb sb sb}", "shape", image->height, image->width,
                image->channels, "in_ddr", (int)site->in_ddr, "in_banks",
                (int)site->in_banks, "rolls", (int)site->rolls);
  if (site->words > 0)
    json_object_set_new(object, "reservation",
                        json_pack("{si si si si si}", "first_bank",
                                  (int)site->first_bank, "base", site->base,
                                  "words", site->words, "slots", site->slots,
                                  "slot_words", site->slot_words));
  return object;
}

/// Returns the transfers that begin with parameters of a unit.
static json_t *transfers_json(const XcDpuCodeGen *gen, size_t index) {
  json_t *transfers = json_array();
  for (int bank = 0; bank < XC_NUM_PARAMETER_BANKS; ++bank) {
    const xc_parameter_transfer *transfer = transfer_at(gen, index, bank);
    if (!transfer)
      continue;
    json_t *units = json_array();
    for (size_t p = transfer->first; p <= transfer->last; ++p)
      json_array_append_new(units,
                            integer((int64_t)gen->schedule.pieces[p].unit));
    json_array_append_new(transfers,
                          json_pack("{ss si si so}", "parameters",
                                    bank_names[bank], "banks", transfer->lanes,
                                    "words", transfer->words, "units", units));
  }
  return transfers;
}

static json_t *unit_json(const XcDpuCodeGen *gen, size_t index) {
  const xc_unit *unit = &gen->schedule.units.items[index];
  const xc_unit_plan *plan = &unit->plan;
  const xc_unit_cost *cost = &plan->cost;
  json_t *inputs = json_array();
  for (size_t k = 0; k < unit->layer.numInputs; ++k) {
    image_site site = input_site(gen->target, unit, k);
    json_array_append_new(inputs, site_json(&unit->layer.inputs[k], &site));
  }
  image_site site = output_site(gen->target, unit);
  json_t *object =
      json_pack("{ss so so}", "kind", unit->kind->name, "inputs", inputs,
                "output", site_json(&unit->layer.output, &site));
  json_object_set_new(object, "layer",
                      xc_json_text(gen->layers[unit->number].name));
  json_object_set_new(
      object, "tiles",
      json_pack("{si si si si si si ss sb si si}", "count", plan->num_tiles,
                "columns", tile_columns(unit), "blocks", plan->num_blocks,
                "block_rows", plan->block_rows, "chunks", num_chunks(unit),
                "chunk_channels", chunk_channels(gen, unit), "order",
                loop_order(unit), "augmented", plan->augmentation.channels > 0,
                "columns_per_pixel", xc_unit_columns(unit), "source_words",
                plan->request.source_words));
  json_object_set_new(object, "parameter_words",
                      json_pack("{sI sI sI}", "weights",
                                (json_int_t)plan->weight_words, "depthwise",
                                (json_int_t)plan->depthwise_words, "bias",
                                (json_int_t)plan->bias_words));
  json_object_set_new(object, "transfers", transfers_json(gen, index));
  json_object_set_new(
      object, "cost",
      json_pack("{sI sI sI sI sI sI sI}", "load", (json_int_t)cost->load,
                "save", (json_int_t)cost->save, "conv", (json_int_t)cost->conv,
                "misc", (json_int_t)cost->misc, "serial",
                (json_int_t)cost->serial, "start", (json_int_t)cost->start,
                "cycles", (json_int_t)cost->cycles));
  return object;
}

static void set_numbers(json_t *object, const XcDpuCodeGen *gen,
                        const xc_report_entry *entry, int64_t cycles) {
  json_object_set_new(object, "cycles", integer(cycles));
  json_object_set_new(object, "end", integer(entry->estimate));
  json_object_set_new(object, "load_bytes",
                      integer((int64_t)entry->load_bytes));
  json_object_set_new(object, "save_bytes",
                      integer((int64_t)entry->save_bytes));
  json_object_set_new(
      object, "macs",
      integer(gen->num_layers ? (int64_t)entry_macs(gen, entry) : 0));
}

static json_t *entry_json(const XcDpuCodeGen *gen, size_t index) {
  const xc_report_entry *entry = &gen->entries[index];
  xc_text name = entry_name(gen, entry);
  json_t *object = json_object(), *units = json_array(),
         *cascades = json_array(), *sharing = json_array();
  json_object_set_new(object, "name", xc_json_text(xc_text_str(&name)));
  xc_text_free(&name);
  set_numbers(object, gen, entry, entry_cycles(gen, index));
  for (size_t u = entry->first_unit; u <= entry->last_unit; ++u) {
    const xc_unit *unit = &gen->schedule.units.items[u];
    json_array_append_new(units, unit_json(gen, u));
    if (unit->cascade_last > u)
      json_array_append_new(
          cascades,
          json_pack("{sI sI si sb}", "first",
                    (json_int_t)(u - entry->first_unit), "last",
                    (json_int_t)(unit->cascade_last - entry->first_unit),
                    "prefetch_distance", unit->prefetch_distance,
                    "late_parameters", unit->has_late_parameters));
    if (unit->num_sharing > 0)
      json_array_append_new(
          sharing,
          json_pack("{sI sI si}", "first", (json_int_t)(u - entry->first_unit),
                    "last",
                    (json_int_t)(u + unit->num_sharing - 1 - entry->first_unit),
                    "chunk_groups", unit->chunk_groups));
  }
  json_object_set_new(object, "cascades", cascades);
  json_object_set_new(object, "sharing_weights", sharing);
  json_object_set_new(object, "units", units);
  return object;
}

char *xcDpuCodeGenScheduleToJson(const XcDpuCodeGen *gen) {
  xc_report_entry total = total_of(gen);
  json_t *object = json_object(), *layers = json_array();
  json_object_set_new(object, "target", json_string(gen->target->name));
  set_numbers(object, gen, &total, total.estimate);
  for (size_t i = 0; i < gen->num_entries; ++i)
    json_array_append_new(layers, entry_json(gen, i));
  json_object_set_new(object, "layers", layers);
  char *text = json_dumps(object, JSON_INDENT(2));
  json_decref(object);
  xc_text result = {0};
  xc_text_printf(&result, "%s\n", text);
  free(text);
  return result.data;
}
