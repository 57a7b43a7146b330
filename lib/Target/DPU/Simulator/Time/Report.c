//===- Report.c - time as tables, JSON and traces -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"

#include "Support/File.h"
#include "Support/Json.h"
#include "Support/Memory.h"
#include "Support/ShortNames.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const queue_names[XC_DPU_NUM_QUEUES] = {"LOAD", "SAVE",
                                                           "CONV", "MISC"};

static double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

/// All engines end at the same time; those of a core share the parameters.
static void print_card(xc_text *text, const XcDpuTarget *target,
                       const XcDpuTime *total, double seconds) {
  if (!target->numCores || xc_cores_share_memory(target))
    return;
  xc_text_puts(text, "card          cores of ");
  for (int32_t i = 0; i < target->numCores; ++i)
    xc_text_printf(text, "%s%" PRId32, i ? " and " : "",
                   target->coreEngines[i]);
  int32_t engines = target->derived.engines;
  uint64_t own = total->loadBytes - total->parameterBytes + total->saveBytes;
  xc_text_printf(text,
                 " engines, %" PRId32 " images at once, %.1f per second; %.2f "
                 "MB for each image, %.2f MB for each core\n",
                 engines, seconds > 0 ? engines / seconds : 0,
                 (double)own / 1e6, (double)total->parameterBytes / 1e6);
}

/// Each runs the program by itself.
static void print_cores(xc_text *text, const XcDpuTimeline *timeline) {
  const XcDpuTarget *target = timeline->program->target;
  double alone = timeline->total.cycles, cycles = timeline->core_cycles;
  if (timeline->num_cores == 0 || cycles <= 0)
    return;
  xc_text_printf(text,
                 "cores         %zu on one memory of %.1f GB/s: %.0f cycles on "
                 "each (%+.1f %%), %.1f per second\n",
                 timeline->num_cores, (double)target->ddrBytesPerSecond / 1e9,
                 cycles, percent(cycles - alone, alone),
                 (double)timeline->num_cores * (double)target->clockHz /
                     cycles);
}

static void print_total(xc_text *text, const XcDpuTimeline *timeline) {
  const XcDpuTarget *target = timeline->program->target;
  const XcDpuTime *total = &timeline->total;
  double seconds = total->cycles / (double)target->clockHz;
  xc_text_printf(text, "target        %s, %.0f MHz\n", target->name,
                 (double)target->clockHz / 1e6);
  xc_text_printf(text, "cycles        %.0f (%.3f ms, %.1f per second)\n",
                 total->cycles, 1000 * seconds, seconds > 0 ? 1 / seconds : 0);
  print_card(text, target, total, seconds);
  print_cores(text, timeline);
  xc_text_printf(text, "DDR           %.2f MB loaded, %.2f MB saved\n",
                 (double)total->loadBytes / 1e6,
                 (double)total->saveBytes / 1e6);
  xc_text_printf(text, "MACs          %" PRIu64 "%s, %.1f %% of the peak\n",
                 total->macs, total->macsAreGiven ? "" : " (issued)",
                 100 * total->utilisation);
  xc_text_printf(text,
                 "lower bounds  MACs %.0f, CONV %.0f, MISC %.0f, DDR %.0f, "
                 "compulsory DDR %.0f\n",
                 total->bounds.macs, total->bounds.conv, total->bounds.misc,
                 total->bounds.ddr, total->bounds.compulsory);
  xc_text_printf(text, "roofline      %.0f cycles (%.1f %% reached)\n\n",
                 total->bounds.roofline,
                 percent(total->bounds.roofline, total->cycles));
}

static void print_queues(xc_text *text, const XcDpuTimeline *timeline) {
  const XcDpuTime *total = &timeline->total;
  xc_text_printf(text, "%-5s %7s %9s %6s %8s | stalls by awaited queue\n",
                 "queue", "insns", "busy", "busy%", "latency");
  xc_text_printf(text, "%39s | %9s %9s %9s %9s %9s\n", "", "LOAD", "SAVE",
                 "CONV", "MISC", "finished");
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    const XcDpuQueueTime *queue = &total->queues[q];
    xc_text_printf(text, "%-5s %7" PRIu64 " %9.0f %6.1f %8.0f |",
                   queue_names[q], queue->numInstructions, queue->busy,
                   percent(queue->busy, total->cycles), queue->latency);
    for (unsigned from = 0; from < XC_DPU_NUM_QUEUES; ++from)
      xc_text_printf(text, " %9.0f", queue->stall[from]);
    xc_text_printf(text, " %9.0f\n", queue->finished);
  }
}

// Of each name how many rows there are, and how many have a label.
static json_t *count_names(const XcDpuProgram *program, json_t *names) {
  json_t *counts = json_object();
  for (size_t l = 0; l < program->num_layers; ++l) {
    const char *name = program->layers[l].name;
    json_int_t count =
        json_integer_value(json_array_get(json_object_get(counts, name), 0));
    xc_short_names_add(names, name);
    json_object_set_new(counts, name, json_pack("[I, i]", count + 1, 0));
  }
  return counts;
}

// Short and on one line; the rows of one layer are numbered.
static void make_label(const char *name, json_t *short_names, json_t *counts,
                       xc_text *label) {
  const char *shown = json_string_value(json_object_get(short_names, name));
  json_t *count = json_object_get(counts, name);
  json_int_t total = json_integer_value(json_array_get(count, 0));
  json_int_t number = json_integer_value(json_array_get(count, 1)) + 1;
  xc_text_puts(label, shown ? shown : name);
  if (total > 1)
    xc_text_printf(label, " [%lld/%lld]", (long long)number, (long long)total);
  if (count)
    json_array_set_new(count, 1, json_integer(number));
}

// The caller frees them.
static xc_text *make_labels(const XcDpuProgram *program) {
  json_t *names = json_object(), *counts = count_names(program, names);
  json_t *short_names = xc_short_names(names);
  xc_text *labels = xc_alloc_array(program->num_layers, sizeof(*labels));
  for (size_t l = 0; l < program->num_layers; ++l)
    make_label(program->layers[l].name, short_names, counts, &labels[l]);
  json_decref(names);
  json_decref(counts);
  json_decref(short_names);
  return labels;
}

static void print_layer(xc_text *text, const char *label, int width,
                        const XcDpuTime *time, double cycles) {
  xc_text_printf(text, "%-*s %9.0f %6.1f", width, label, time->cycles,
                 percent(time->cycles, cycles));
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    xc_text_printf(text, " %9.0f", time->queues[q].busy);
  xc_text_printf(text, " %8.1f %8.1f %6.1f  %s\n",
                 (double)time->loadBytes / 1e3, (double)time->saveBytes / 1e3,
                 100 * time->utilisation,
                 xcDpuCauseGetName(xcDpuTimeGetBound(time)));
}

static void print_layers(xc_text *text, const XcDpuTimeline *timeline) {
  enum { NARROWEST = 24 };
  const XcDpuProgram *program = timeline->program;
  if (program->num_layers == 0)
    return;
  xc_text *labels = make_labels(program);
  size_t width = NARROWEST;
  for (size_t l = 0; l < program->num_layers; ++l)
    width = labels[l].length > width ? labels[l].length : width;
  xc_text_printf(text, "\n%-*s %9s %6s %9s %9s %9s %9s %8s %8s %6s  %s\n",
                 (int)width, "layer", "cycles", "%", "LOAD", "SAVE", "CONV",
                 "MISC", "load kB", "save kB", "MAC%", "bound");
  for (size_t l = 0; l < program->num_layers; ++l) {
    print_layer(text, xc_text_str(&labels[l]), (int)width, &timeline->layers[l],
                timeline->total.cycles);
    xc_text_free(&labels[l]);
  }
  free(labels);
}

static char *take_string(xc_text *text) {
  size_t size = text->length + 1;
  char *string = memcpy(xc_alloc(size), xc_text_str(text), size);
  xc_text_free(text);
  return string;
}

char *xcDpuTimelineToTable(const XcDpuTimeline *timeline) {
  xc_text text = {0};
  print_total(&text, timeline);
  print_queues(&text, timeline);
  print_layers(&text, timeline);
  return take_string(&text);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json_t *bounds_json(const XcDpuBounds *bounds) {
  return json_pack("{sf sf sf sf sf sf}", "macs", bounds->macs, "conv",
                   bounds->conv, "misc", bounds->misc, "ddr", bounds->ddr,
                   "compulsory_ddr", bounds->compulsory, "roofline",
                   bounds->roofline);
}

static json_t *stalls_json(const XcDpuQueueTime *queue) {
  json_t *stalls = json_object();
  for (unsigned from = 0; from < XC_DPU_NUM_QUEUES; ++from)
    json_object_set_new(stalls, queue_names[from],
                        json_real(queue->stall[from]));
  return stalls;
}

static json_t *total_queue_json(const XcDpuQueueTime *queue) {
  return json_pack("{sI sf sf so sf}", "instructions",
                   (json_int_t)queue->numInstructions, "busy", queue->busy,
                   "latency", queue->latency, "stall_for", stalls_json(queue),
                   "finished", queue->finished);
}

static json_t *layer_queue_json(const XcDpuQueueTime *queue) {
  return json_pack("{sI sf so}", "instructions",
                   (json_int_t)queue->numInstructions, "busy", queue->busy,
                   "stall_for", stalls_json(queue));
}

static json_t *causes_json(const XcDpuTime *time) {
  json_t *causes = json_object();
  for (unsigned c = 0; c < XC_DPU_NUM_CAUSES; ++c)
    json_object_set_new(causes, xcDpuCauseGetName((XcDpuCause)c),
                        json_real(time->causes[c]));
  return causes;
}

static json_t *time_json(const XcDpuTime *time, bool is_total) {
  json_t *object = json_object(), *queues = json_object();
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    json_object_set_new(queues, queue_names[q],
                        is_total ? total_queue_json(&time->queues[q])
                                 : layer_queue_json(&time->queues[q]));
  json_object_set_new(object, "cycles", json_real(time->cycles));
  json_object_set_new(object, "queues", queues);
  json_object_set_new(object, "load_bytes",
                      json_integer((json_int_t)time->loadBytes));
  json_object_set_new(object, "save_bytes",
                      json_integer((json_int_t)time->saveBytes));
  if (time->parameterBytes)
    json_object_set_new(object, "parameter_bytes",
                        json_integer((json_int_t)time->parameterBytes));
  json_object_set_new(object, "macs", json_integer((json_int_t)time->macs));
  json_object_set_new(object, "issued_macs",
                      json_integer((json_int_t)time->issuedMacs));
  json_object_set_new(object, "macs_are_given",
                      json_boolean(time->macsAreGiven));
  json_object_set_new(object, "utilisation", json_real(time->utilisation));
  json_object_set_new(object, "bound",
                      json_string(xcDpuCauseGetName(xcDpuTimeGetBound(time))));
  json_object_set_new(object, "causes", causes_json(time));
  if (is_total)
    json_object_set_new(object, "bounds", bounds_json(&time->bounds));
  return object;
}

static void add_card(json_t *object, const XcDpuTarget *target,
                     const XcDpuTime *total) {
  if (!target->numCores || xc_cores_share_memory(target))
    return;
  json_t *cores = json_array();
  for (int32_t i = 0; i < target->numCores; ++i)
    json_array_append_new(cores, json_integer(target->coreEngines[i]));
  double images = target->derived.engines * (double)target->clockHz;
  json_object_set_new(object, "card_engines", cores);
  json_object_set_new(
      object, "card_images_per_second",
      json_real(total->cycles > 0 ? images / total->cycles : 0));
}

static void add_cores(json_t *object, const XcDpuTimeline *timeline) {
  double cycles = timeline->core_cycles;
  double clock = (double)timeline->program->target->clockHz;
  double count = (double)timeline->num_cores;
  if (timeline->num_cores > 0 && cycles > 0)
    json_object_set_new(
        object, "cores",
        json_pack("{sI sf sf}", "count", (json_int_t)timeline->num_cores,
                  "cycles", cycles, "runs_per_second", count * clock / cycles));
}

char *xcDpuTimelineToJson(const XcDpuTimeline *timeline) {
  const XcDpuProgram *program = timeline->program;
  json_t *object = json_object(), *layers = json_array();
  json_object_set_new(object, "target", xc_json_text(program->target->name));
  json_object_set_new(object, "clock_hz",
                      json_integer((json_int_t)program->target->clockHz));
  add_card(object, program->target, &timeline->total);
  add_cores(object, timeline);
  json_object_set_new(object, "total", time_json(&timeline->total, true));
  for (size_t l = 0; l < program->num_layers; ++l) {
    json_t *layer = time_json(&timeline->layers[l], false);
    json_object_set_new(layer, "name", xc_json_text(program->layers[l].name));
    json_array_append_new(layers, layer);
  }
  json_object_set_new(object, "layers", layers);
  char *json = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
  json_decref(object);
  xc_text text = {0};
  xc_text_printf(&text, "%s\n", json);
  free(json);
  return take_string(&text);
}

//===----------------------------------------------------------------------===//
// Trace
//===----------------------------------------------------------------------===//

static void print_lane_names(FILE *stream, int32_t save_ports) {
  static const char *const names[] = {"LOAD", "CONV", "MISC"};
  for (int lane = 0; lane < XC_LANE_SAVE + save_ports; ++lane) {
    fprintf(stream,
            "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 0, "
            "\"tid\": %d, \"args\": {\"name\": \"",
            lane);
    if (lane < XC_LANE_SAVE)
      fprintf(stream, "%s\"}},\n", names[lane]);
    else
      fprintf(stream, "SAVE %d\"}},\n", lane - XC_LANE_SAVE);
  }
}

static void print_event(FILE *stream, const XcDpuTimeline *timeline,
                        size_t index, const XcDpuInstruction *insn,
                        const char *layer) {
  const XcDpuProgram *program = timeline->program;
  double scale = 1e6 / (double)program->target->clockHz;
  double start = timeline->starts[index], end = timeline->ends[index];
  fprintf(stream,
          "{\"ph\": \"X\", \"name\": \"%s\", \"pid\": 0, \"tid\": %u, "
          "\"ts\": %.4f, \"dur\": %.4f, \"args\": {\"instruction\": %zu, "
          "\"cycles\": %.0f",
          program->machine->isa->opcodes[insn->opcode].name,
          xc_machine_lane(program->machine, insn), start * scale,
          (end - start) * scale, index, end - start);
  if (layer)
    fprintf(stream, ", \"layer\": %s", layer);
  fprintf(stream, "}},\n");
}

static void print_events(FILE *stream, const XcDpuTimeline *timeline) {
  const XcDpuProgram *program = timeline->program;
  size_t current = SIZE_MAX;
  char *layer = NULL; // as a JSON string
  for (size_t i = 0; i < program->count; ++i) {
    XcDpuInstruction insn;
    xcDpuProgramGetInstruction(program, i, &insn);
    if (xc_program_kind(program, i)->class == XC_OP_INIT)
      continue;
    size_t now = xcDpuProgramGetLayerOf(program, i);
    if (now != current) {
      free(layer);
      json_t *name = xc_json_text(program->layers[now].name);
      layer = json_dumps(name, JSON_ENCODE_ANY);
      json_decref(name);
      current = now;
    }
    print_event(stream, timeline, i, &insn, layer);
  }
  free(layer);
}

bool xcDpuTimelineWriteTrace(const XcDpuTimeline *timeline, XcDiag *diag,
                             const char *path) {
  xc_output output;
  if (!xc_output_open(diag, path, &output))
    return false;
  const XcDpuTarget *target = timeline->program->target;
  fprintf(output.stream, "{\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [\n");
  print_lane_names(output.stream, target->savePorts);
  print_events(output.stream, timeline);
  // The last event has no comma after it.
  fprintf(output.stream,
          "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 0, "
          "\"args\": {\"name\": \"%s\"}}\n]}\n",
          target->name);
  return xc_output_keep(diag, &output);
}
