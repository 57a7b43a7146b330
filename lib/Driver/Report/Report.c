//===- Report.c - the report of a compilation -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Driver/Loss.h"
#include "Driver/Mixed.h"

#include "Support/Json.h"
#include "Support/Memory.h"
#include "Support/Preprocess.h"

#include "xc-c/XModelDpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *xc_driver_json_count(uint64_t count) {
  return json_integer((json_int_t)count);
}

static void set(json_t *object, const char *key, json_t *value) {
  json_object_set_new(object, key, value);
}

//===----------------------------------------------------------------------===//
// One DPU subgraph
//===----------------------------------------------------------------------===//

static json_t *image_json(const XcDpuImage *image) {
  return json_pack("[i, i, i]", image->height, image->width, image->channels);
}

/// The work of one layer, in a cascade or by itself.
typedef struct layer_work {
  double critical;
  json_int_t instructions;
} layer_work;

static layer_work *list_work(const xc_dpu_function *function,
                             const XcDpuTimeline *timeline) {
  size_t num_layers = xcDpuCodeGenGetNumLayers(function->gen);
  layer_work *work = xc_alloc_array(num_layers, sizeof *work);
  size_t count = xcDpuProgramGetNumInstructions(function->program);
  for (size_t i = 0; i < count; ++i) {
    size_t layer = xcDpuCodeGenGetLayerOf(function->gen, i);
    if (layer >= num_layers)
      layer = num_layers - 1; // END, as in the rows of the program
    work[layer].critical += xcDpuTimelineGetCritical(timeline, i);
    ++work[layer].instructions;
  }
  return work;
}

static json_t *member_json(const XcDpuLayer *layer, const layer_work *work) {
  json_t *item = json_object();
  set(item, "name", xc_json_text(layer->name));
  if (layer->location)
    set(item, "location", xc_json_text(layer->location));
  if (layer->kernelH)
    set(item, "kernel", json_pack("[i, i]", layer->kernelH, layer->kernelW));
  set(item, "output", image_json(&layer->output));
  set(item, "macs", xc_driver_json_count(layer->operations / 2));
  set(item, "instructions", json_integer(work->instructions));
  set(item, "critical_cycles", json_real(work->critical));
  return item;
}

/// A row of the program: one layer, or those of a cascade.
static void describe_row(const XcDpuCodeGen *gen, size_t index,
                         const layer_work *work, json_t *row) {
  size_t first, last;
  xcDpuCodeGenGetRow(gen, index, &first, &last);
  const XcDpuLayer *layer = xcDpuCodeGenGetLayer(gen, first);
  json_t *inputs = json_array(), *members = json_array();
  for (size_t i = 0; i < layer->numInputs; ++i)
    json_array_append_new(inputs, image_json(&layer->inputs[i]));
  for (size_t l = first; l <= last; ++l)
    json_array_append_new(members,
                          member_json(xcDpuCodeGenGetLayer(gen, l), &work[l]));
  // The cycles that the row adds to the estimate of all rows before it.
  int64_t before = index > 0 ? xcDpuCodeGenGetEstimate(gen, index - 1) : 0;
  set(row, "estimate",
      json_integer(xcDpuCodeGenGetEstimate(gen, index) - before));
  set(row, "inputs", inputs);
  set(row, "output", image_json(&xcDpuCodeGenGetLayer(gen, last)->output));
  set(row, "members", members);
}

/// Begin and end in cycles: the end of everything before, the own end.
static void time_layers(json_t *layers) {
  double now = 0;
  for (size_t l = 0; l < json_array_size(layers); ++l) {
    json_t *row = json_array_get(layers, l);
    set(row, "begin", json_real(now));
    now += xc_json_number(row, "cycles");
    set(row, "end", json_real(now));
  }
}

static json_int_t group_of(const json_t *layers, size_t layer) {
  const json_t *row = json_array_get(layers, layer);
  return json_integer_value(json_object_get(row, "group"));
}

static double percent_off(double estimate, double cycles) {
  return cycles > 0 ? 100 * (estimate - cycles) / cycles : 0;
}

/// Compares planned with simulated cycles. Layers that overlap in time are
/// compared together, as a group.
static json_t *compare_plan(const json_t *layers) {
  double planned = 0, all = 0, worst = 0;
  json_int_t groups = 0, worst_group = 0;
  size_t count = json_array_size(layers);
  for (size_t l = 0; l < count;) {
    json_int_t group = group_of(layers, l);
    double estimate = 0, cycles = 0;
    for (; l < count && group_of(layers, l) == group; ++l) {
      const json_t *row = json_array_get(layers, l);
      estimate += xc_json_number(row, "estimate");
      cycles += xc_json_number(row, "cycles");
    }
    double error = percent_off(estimate, cycles);
    if (fabs(error) > fabs(worst)) {
      worst = error;
      worst_group = group;
    }
    planned += estimate;
    all += cycles;
    ++groups;
  }
  return json_pack("{sf sf sI sf sI}", "cycles", planned, "percent_off",
                   percent_off(planned, all), "groups", groups,
                   "worst_percent_off", worst, "worst_group", worst_group);
}

/// Instructions of each layer.
static void count_instructions(const XcDpuProgram *program, json_t *layers) {
  size_t count = json_array_size(layers);
  json_int_t *counts = xc_alloc_array(count, sizeof *counts);
  for (size_t i = 0; i < xcDpuProgramGetNumInstructions(program); ++i) {
    size_t layer = xcDpuProgramGetLayerOf(program, i);
    if (layer < count)
      ++counts[layer];
  }
  for (size_t l = 0; l < count; ++l)
    set(json_array_get(layers, l), "instructions", json_integer(counts[l]));
  free(counts);
}

static json_t *times_of(const XcDpuTimeline *timeline) {
  char *text = xcDpuTimelineToJson(timeline);
  json_t *times = json_loads(text, 0, NULL);
  free(text);
  return times;
}

/// Returns the number of images that one run computes: the leading dimension,
/// if all tensors of the function agree on it.
static json_int_t frames_of(const xc_dpu_function *function) {
  json_int_t frames = 1;
  for (size_t i = 0; i < function->num_tensors; ++i) {
    const xc_shape *shape = &function->tensors[i].shape;
    json_int_t leading = shape->rank > 0 ? (json_int_t)shape->dims[0] : 1;
    if (i > 0 && leading != frames)
      return 1;
    frames = leading;
  }
  return frames;
}

static json_t *search_json(const XcDpuSearchReport *search) {
  json_t *json = json_object();
  set(json, "effort", json_integer(search->effort));
  set(json, "priced", xc_driver_json_count(search->priced));
  set(json, "budget", xc_driver_json_count(search->budget));
  set(json, "kept", xc_driver_json_count(search->kept));
  set(json, "byte_price", json_real(search->bytePrice));
  return json;
}

static json_t *kernel_json(xc_compilation *c, const xc_dpu_function *function,
                           const XcDpuTimeline *timeline) {
  json_t *times = times_of(timeline), *report = json_object();
  json_t *total = json_object_get(times, "total");
  json_t *layers = json_object_get(times, "layers");
  layer_work *work = list_work(function, timeline);
  size_t code_size;
  xcDpuCodeGenGetCode(function->gen, &code_size);
  set(report, "name", xc_json_text(function->name));
  set(report, "frames", json_integer(frames_of(function)));
  set(report, "instructions",
      xc_driver_json_count(xcDpuProgramGetNumInstructions(function->program)));
  set(report, "code_bytes", xc_driver_json_count(code_size));
  json_object_update(report, total);
  double core_cycles = xcDpuTimelineGetCoreCycles(timeline);
  if (core_cycles > 0)
    set(report, "core_cycles", json_real(core_cycles));
  for (size_t l = 0; l < json_array_size(layers); ++l) {
    json_t *row = json_array_get(layers, l);
    describe_row(function->gen, l, work, row);
    set(row, "group", xc_driver_json_count(xcDpuTimelineGetGroup(timeline, l)));
  }
  free(work);
  time_layers(layers);
  count_instructions(function->program, layers);
  set(report, "planned", compare_plan(layers));
  json_t *groups = xc_driver_report_groups(c, function, timeline);
  if (groups)
    set(report, "fix_point_groups", groups);
  set(report, "search", search_json(&function->search));
  set(report, "memory", xc_driver_report_memory(c, function, timeline, layers));
  if (xc_driver_wants_page(c))
    set(report, "timeline", xc_driver_report_timeline(c, function, timeline));
  json_object_set(report, "layers", layers);
  json_decref(times);
  return report;
}

json_t *xc_driver_report_kernel(xc_compilation *c,
                                const xc_dpu_function *function) {
  XcDpuTimeline *timeline = xcDpuTimelineCreate(c->diag, function->program);
  if (!timeline)
    return NULL;
  json_t *report = kernel_json(c, function, timeline);
  xcDpuTimelineDestroy(timeline);
  return report;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static json_t *file_json(const xc_compilation *c, const char *suffix) {
  xc_text name = {0};
  xc_text_printf(&name, "%s%s", c->options->name, suffix);
  json_t *json = xc_json_text(xc_text_str(&name));
  xc_text_free(&name);
  return json;
}

static void add_pair(void *object, const char *key, const char *value) {
  json_object_set_new(object, key, json_string(value));
}

json_t *xc_driver_describe_files(const xc_compilation *c) {
  json_t *files = json_pack(
      "{so ss so so sO}", "target", xc_json_text(c->target->name), "lib",
      XC_XMODEL_DPU_RUNNER, "filename", file_json(c, ".xmodel"), "original",
      file_json(c, "_org.xmodel"), "kernel", c->kernels);
  const char *text =
      xcXModelAttrsGetString(xcXModelGetAttrs(c->code), XC_PREPROCESS);
  xc_preprocess how;
  if (text && xc_preprocess_parse(c->diag, NULL, text, strlen(text), &how)) {
    json_t *pairs = json_object();
    xc_preprocess_for_each(&how, add_pair, pairs);
    json_object_set_new(files, XC_PREPROCESS, pairs);
  }
  return files;
}

static double sum_of(const json_t *subgraphs, const char *key) {
  double sum = 0;
  size_t i;
  json_t *row;
  json_array_foreach(subgraphs, i, row) sum += xc_json_number(row, key);
  return sum;
}

static double least_of(const json_t *subgraphs, const char *key) {
  double least = 0;
  size_t i;
  json_t *row;
  json_array_foreach(subgraphs, i, row) {
    double value = xc_json_number(row, key);
    least = i == 0 || value < least ? value : least;
  }
  return least;
}

static double sum_of_memory(const json_t *subgraphs) {
  double sum = 0;
  size_t i;
  json_t *row;
  json_array_foreach(subgraphs, i, row) {
    json_t *ddr = json_object_get(json_object_get(row, "memory"), "ddr");
    sum += xc_json_number(ddr, "total");
  }
  return sum;
}

/// The share of the peak in all cycles: subgraphs have peaks of their own.
static double mean_utilisation(const json_t *subgraphs) {
  double at_peak = 0, cycles = sum_of(subgraphs, "cycles");
  size_t i;
  json_t *row;
  json_array_foreach(subgraphs, i, row) at_peak +=
      xc_json_number(row, "utilisation") * xc_json_number(row, "cycles");
  return cycles > 0 ? at_peak / cycles : 0;
}

static json_t *whole(double number) { return json_integer((json_int_t)number); }

static json_t *totals_json(const xc_compilation *c) {
  double clock = (double)c->target->clockHz;
  double cycles = sum_of(c->subgraphs, "cycles");
  double macs = sum_of(c->subgraphs, "macs");
  // A layer may have taken other dimensions for its images: steps of time.
  double frames = least_of(c->subgraphs, "frames");
  double batch = (double)xc_mixed_batch(c->mixed);
  frames = batch < frames ? batch : frames;
  json_t *totals = json_object();
  set(totals, "frames", whole(frames));
  set(totals, "cycles", json_real(cycles));
  set(totals, "milliseconds", json_real(1e3 * cycles / clock));
  set(totals, "frames_per_second",
      json_real(cycles > 0 ? frames * clock / cycles : 0));
  double together = sum_of(c->subgraphs, "core_cycles");
  together = together > 0 ? together : cycles;
  if (c->target->numCores)
    set(totals, "card_frames_per_second",
        json_real(together > 0
                      ? c->target->derived.engines * frames * clock / together
                      : 0));
  set(totals, "macs", whole(macs));
  set(totals, "utilisation", json_real(mean_utilisation(c->subgraphs)));
  set(totals, "instructions", whole(sum_of(c->subgraphs, "instructions")));
  set(totals, "load_bytes", whole(sum_of(c->subgraphs, "load_bytes")));
  set(totals, "save_bytes", whole(sum_of(c->subgraphs, "save_bytes")));
  set(totals, "ddr_memory", whole(sum_of_memory(c->subgraphs)));
  return totals;
}

static json_t *hardware_json(const XcDpuTarget *target) {
  json_t *hardware = json_object();
  set(hardware, "clock_hz", json_integer(target->clockHz));
  set(hardware, "peak_macs_per_cycle",
      json_integer(target->derived.peakMacsPerCycle));
  set(hardware, "port_bytes_per_cycle",
      json_integer(target->derived.portBytesPerCycle));
  set(hardware, "ddr_bytes_per_second",
      json_integer(target->ddrBytesPerSecond));
  set(hardware, "save_ports", json_integer(target->savePorts));
  json_t *cores = json_array();
  for (int32_t i = 0; i < target->numCores; ++i)
    json_array_append_new(cores, json_integer(target->coreEngines[i]));
  if (target->numCores)
    set(hardware, "card_engines", json_incref(cores));
  json_decref(cores);
  if (target->description)
    set(hardware, "description", xc_json_text(target->description));
  return hardware;
}

json_t *xc_driver_report(const xc_compilation *c) {
  json_t *report = json_object(), *files = xc_driver_describe_files(c);
  set(report, "version", json_integer(1));
  set(report, "model", xc_json_text(c->model));
  json_object_update(report, files);
  set(report, "hardware", hardware_json(c->target));
  set(report, "totals", totals_json(c));
  // A saved module carries the loss with the placement.
  json_t *placement = json_copy(c->placement);
  json_t *loss = json_object_get(placement, "loss");
  if (loss)
    json_object_set(report, "loss", loss);
  json_object_del(placement, "loss");
  set(report, "placement", placement);
  json_object_set(report, "subgraphs", c->subgraphs);
  json_object_set(report, "board", c->board);
  json_decref(files);
  xc_driver_price_offers(c, report);
  xc_driver_report_names(report);
  return report;
}
