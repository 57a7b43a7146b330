//===- ModelOutputs.c - model mode: tables, comparison, report ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"

#include "Interpreter/Kernel.h"
#include "Support/Json.h"
#include "Support/Memory.h"
#include "Support/Names.h"
#include "Support/Text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct statistics {
  double min, max, mean;
} statistics;

static statistics measure(const model_tensor *tensor) {
  xc_tensor view = {tensor->shape, tensor->data};
  int64_t count = xc_shape_num_elements(&tensor->shape);
  statistics s = {0, 0, 0};
  for (int64_t i = 0; i < count; ++i) {
    double value = xc_get_real(&view, i);
    s.min = i == 0 || value < s.min ? value : s.min;
    s.max = i == 0 || value > s.max ? value : s.max;
    s.mean += value / (double)count;
  }
  return s;
}

static int name_width(const model_tensor *tensors, size_t count) {
  size_t width = strlen("name");
  for (size_t i = 0; i < count; ++i)
    if (strlen(tensors[i].info->name) > width)
      width = strlen(tensors[i].info->name);
  return (int)(width < 60 ? width : 60);
}

// On one line.
static void print_name(const model_tensor *tensor, int width) {
  xc_text name = {0};
  xc_text_printable(&name, tensor->info->name, strlen(tensor->info->name),
                    false);
  printf("%-*s", width, xc_text_str(&name));
  xc_text_free(&name);
}

static void list_tensors(const char *title, const model_tensor *tensors,
                         size_t count) {
  int width = name_width(tensors, count);
  printf("%-8s%-*s  type\n", title, width, "name");
  for (size_t i = 0; i < count; ++i) {
    xc_text type = {0};
    xc_shape_print(&tensors[i].shape, &type);
    printf("%6zu  ", i);
    print_name(&tensors[i], width);
    printf("  %s\n", xc_text_str(&type));
    xc_text_free(&type);
  }
}

static void list_parts(const XcModel *model) {
  size_t count = xcModelGetNumParts(model);
  if (count < 2)
    return;
  printf("%-8s%-6s  %-10s  name\n", "part", "device", "runs on");
  for (size_t i = 0; i < count; ++i) {
    XcModelPart part = xcModelGetPart(model, i);
    xc_print(stdout, "%6zu  %-6s  %-10s  %s\n", i, part.device, part.how,
             part.name);
  }
}

void model_list(const model_run *run) {
  list_tensors("input", run->inputs, run->num_inputs);
  list_tensors("output", run->outputs, run->num_outputs);
  list_parts(run->model);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

// Splits a file into its lines, in place.
static void split_lines(xc_buffer *file, xc_string_list *lines) {
  char *line = (char *)file->data, *end = line + file->size;
  while (line < end) {
    size_t length = strcspn(line, "\r\n");
    char *next = line + length;
    next += *next == '\r';
    next += *next == '\n';
    line[length] = '\0';
    xc_string_list_add(lines, line);
    line = next > line + length ? next : line + length + 1;
  }
}

static void print_largest(const model_tensor *tensor,
                          const xc_string_list *labels) {
  enum { MOST = 5 };
  xc_tensor view = {tensor->shape, tensor->data};
  int64_t count = xc_shape_num_elements(&tensor->shape);
  int64_t best[MOST];
  int64_t found = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = found < MOST ? found : MOST;
    while (at > 0 && xc_get_real(&view, i) > xc_get_real(&view, best[at - 1])) {
      if (at < MOST)
        best[at] = best[at - 1];
      --at;
    }
    if (at < MOST)
      best[at] = i;
    found += found < MOST;
  }
  for (int64_t i = 0; i < found; ++i)
    xc_print(stdout, "  %6" PRId64 "  %-12g  %s\n", best[i],
             xc_get_real(&view, best[i]),
             (size_t)best[i] < labels->count ? labels->items[best[i]] : "");
}

static bool print_classes(model_run *run) {
  xc_buffer file;
  if (!xc_read_file(&run->diag, run->options->labels, &file))
    return false;
  xc_string_list labels = {0};
  split_lines(&file, &labels);
  for (size_t i = 0; i < run->num_outputs; ++i) {
    printf("\nlargest of output %zu\n", i);
    print_largest(&run->outputs[i], &labels);
  }
  xc_string_list_free(&labels);
  xc_buffer_free(&file);
  return true;
}

bool model_print_outputs(model_run *run) {
  if (run->options->quiet)
    return true;
  int width = name_width(run->outputs, run->num_outputs);
  printf("output  %-*s  %-20s  %12s  %12s  %12s\n", width, "name", "type",
         "min", "max", "mean");
  for (size_t i = 0; i < run->num_outputs; ++i) {
    statistics s = measure(&run->outputs[i]);
    xc_text type = {0};
    xc_shape_print(&run->outputs[i].shape, &type);
    printf("%6zu  ", i);
    print_name(&run->outputs[i], width);
    printf("  %-20s  %12g  %12g  %12g\n", xc_text_str(&type), s.min, s.max,
           s.mean);
    xc_text_free(&type);
  }
  return !run->options->labels || print_classes(run);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static bool differs(const run_model_options *options, double found,
                    double expected) {
  if (isnan(found) || isnan(expected))
    return isnan(found) != isnan(expected);
  if (isinf(found) || isinf(expected))
    return found != expected;
  return !(fabs(found - expected) <=
           options->tolerance + options->relative_tolerance * fabs(expected));
}

model_difference model_measure(const run_model_options *options,
                               const xc_shape *shape, const void *found,
                               const void *expected) {
  bool exact = options->tolerance == 0 && options->relative_tolerance == 0;
  xc_tensor left = {*shape, (void *)found}, right = {*shape, (void *)expected};
  size_t each = xc_element_size(shape->element);
  int64_t count = xc_shape_num_elements(shape);
  model_difference difference = {0};
  for (int64_t i = 0; i < count; ++i) {
    double a = xc_get_real(&left, i), b = xc_get_real(&right, i);
    difference.expected_range = fmax(difference.expected_range, fabs(b));
    bool same = memcmp((const char *)found + (size_t)i * each,
                       (const char *)expected + (size_t)i * each, each) == 0;
    if (same)
      continue;
    if (!isnan(a) && !isnan(b))
      difference.largest = fmax(difference.largest, fabs(a - b));
    if (!exact && !differs(options, a, b))
      continue;
    if (difference.count++ == 0)
      difference.first = i;
  }
  return difference;
}

static model_difference compare(const model_run *run,
                                const model_tensor *tensor) {
  return model_measure(run->options, &tensor->shape, tensor->data,
                       tensor->expected);
}

static void print_position(const xc_shape *shape, int64_t index,
                           xc_text *text) {
  int64_t strides[XC_MAX_RANK];
  xc_shape_strides(shape, strides);
  xc_text_puts(text, "[");
  for (size_t i = 0; i < shape->rank; ++i)
    xc_text_printf(text, "%s%" PRId64, i ? ", " : "",
                   index / strides[i] % shape->dims[i]);
  xc_text_puts(text, "]");
}

void model_print_difference(const xc_shape *shape, const void *found,
                            const void *expected, const char *by,
                            const model_difference *difference, xc_text *text) {
  xc_tensor left = {*shape, (void *)found}, right = {*shape, (void *)expected};
  xc_text_puts(text, "element ");
  print_position(shape, difference->first, text);
  xc_text_printf(text,
                 " is %.9g, expected %.9g by %s; %" PRId64 " of %" PRId64
                 " elements differ, by at most %g",
                 xc_get_real(&left, difference->first),
                 xc_get_real(&right, difference->first), by, difference->count,
                 xc_shape_num_elements(shape), difference->largest);
}

static void report_difference(const model_tensor *tensor, size_t index,
                              const model_difference *difference) {
  xc_text text = {0}, by = {0};
  xc_text_printf(&by, "'%s'", tensor->expected_path);
  model_print_difference(&tensor->shape, tensor->data, tensor->expected,
                         xc_text_str(&by), difference, &text);
  xc_tool_error("xc-run", "output %zu '%s': %s", index, tensor->info->name,
                xc_text_str(&text));
  xc_text_free(&by);
  xc_text_free(&text);
}

bool model_compare(model_run *run) {
  bool same = true;
  for (size_t i = 0; i < run->num_outputs; ++i) {
    const model_tensor *tensor = &run->outputs[i];
    if (!tensor->expected)
      continue;
    model_difference difference = compare(run, tensor);
    if (difference.count) {
      same = false;
      report_difference(tensor, i, &difference);
    } else if (!run->options->quiet && difference.largest == 0) {
      printf("output %zu is equal to '%s'\n", i, tensor->expected_path);
    } else if (!run->options->quiet) {
      printf("output %zu is within the tolerance of '%s': at most %g of %g\n",
             i, tensor->expected_path, difference.largest,
             difference.expected_range);
    }
  }
  return same;
}

//===----------------------------------------------------------------------===//
// Latency
//===----------------------------------------------------------------------===//

static int compare_reals(const void *left, const void *right) {
  const double *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

typedef struct latency {
  double best, median, mean, worst; // milliseconds
} latency;

static latency measure_latency(const model_run *run) {
  size_t count = (size_t)run->options->repeat;
  double *sorted = xc_alloc_array(count, sizeof(*sorted));
  memcpy(sorted, run->seconds, count * sizeof(*sorted));
  qsort(sorted, count, sizeof(*sorted), compare_reals);
  latency result = {.best = 1e3 * sorted[0],
                    .median =
                        5e2 * (sorted[(count - 1) / 2] + sorted[count / 2]),
                    .worst = 1e3 * sorted[count - 1]};
  for (size_t i = 0; i < count; ++i)
    result.mean += 1e3 * sorted[i] / (double)count;
  free(sorted);
  return result;
}

// Parts of one run, the last.
static void print_parts(const model_run *run) {
  size_t count = xcModelGetNumParts(run->model);
  if (count < 2)
    return;
  printf("\npart    device  runs on             ms  name\n");
  for (size_t i = 0; i < count; ++i) {
    XcModelPart part = xcModelGetPart(run->model, i);
    xc_print(stdout, "%6zu  %-6s  %-10s  %10.3f  %s\n", i, part.device,
             part.how, 1e3 * xcSessionGetPartSeconds(run->session, i),
             part.name);
  }
}

void model_print_latency(const model_run *run) {
  if (!run->seconds || !run->options->repeat || run->options->quiet)
    return;
  latency l = measure_latency(run);
  printf("\n%8s  %8s  %10s  %10s  %10s  %10s\n", "runs", "threads", "best ms",
         "median ms", "mean ms", "worst ms");
  printf("%8" PRId64 "  %8" PRId64 "  %10.3f  %10.3f  %10.3f  %10.3f\n",
         run->options->repeat, run->options->threads, l.best, l.median, l.mean,
         l.worst);
  print_parts(run);
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

static json_t *tensor_json(const model_tensor *tensor) {
  statistics s = measure(tensor);
  xc_text type = {0};
  xc_shape_print(&tensor->shape, &type);
  json_t *object =
      json_pack("{so ss}", "name", xc_json_text(tensor->info->name), "type",
                xc_text_str(&type));
  xc_text_free(&type);
  if (isfinite(s.min) && isfinite(s.max) && isfinite(s.mean)) {
    json_object_set_new(object, "min", json_real(s.min));
    json_object_set_new(object, "max", json_real(s.max));
    json_object_set_new(object, "mean", json_real(s.mean));
  }
  return object;
}

static json_t *output_json(const model_run *run, const model_tensor *tensor) {
  json_t *object = tensor_json(tensor);
  if (!tensor->expected)
    return object;
  model_difference difference = compare(run, tensor);
  json_object_set_new(object, "different", json_integer(difference.count));
  json_object_set_new(object, "elements",
                      json_integer(xc_shape_num_elements(&tensor->shape)));
  if (isfinite(difference.largest) && isfinite(difference.expected_range)) {
    json_object_set_new(object, "largest_difference",
                        json_real(difference.largest));
    json_object_set_new(object, "expected_range",
                        json_real(difference.expected_range));
  }
  return object;
}

static json_t *latency_json(const model_run *run) {
  latency l = measure_latency(run);
  return json_pack("{sI sI sf sf sf sf}", "runs", run->options->repeat,
                   "threads", run->options->threads, "best_ms", l.best,
                   "median_ms", l.median, "mean_ms", l.mean, "worst_ms",
                   l.worst);
}

static json_t *part_json(const model_run *run, size_t index) {
  XcModelPart part = xcModelGetPart(run->model, index);
  return json_pack("{so ss ss sf}", "name", xc_json_text(part.name), "device",
                   part.device, "runs_on", part.how, "ms",
                   1e3 * xcSessionGetPartSeconds(run->session, index));
}

bool model_write_report(model_run *run) {
  json_t *inputs = json_array(), *outputs = json_array(), *parts = json_array();
  for (size_t i = 0; i < run->num_inputs; ++i)
    json_array_append_new(inputs, tensor_json(&run->inputs[i]));
  for (size_t i = 0; i < run->num_outputs; ++i)
    json_array_append_new(outputs, output_json(run, &run->outputs[i]));
  for (size_t i = 0; i < xcModelGetNumParts(run->model); ++i)
    json_array_append_new(parts, part_json(run, i));
  json_t *report =
      json_pack("{ss so so so}", "backend", xcBackendGetName(run->backend),
                "inputs", inputs, "outputs", outputs, "parts", parts);
  if (run->images > 1) {
    json_object_set_new(report, "images", json_integer((int64_t)run->images));
    json_object_set_new(report, "images_in_lockstep",
                        json_integer((int64_t)run->num_sessions));
  }
  if (run->seconds && run->options->repeat)
    json_object_set_new(report, "latency", latency_json(run));
  char *text = json_dumps(report, JSON_INDENT(1));
  json_decref(report);
  bool ok = xc_write_file(&run->diag, run->options->report, text, strlen(text));
  free(text);
  return ok;
}
