//===- ModelOutputs.c - model mode: tables, comparison, report ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"

#include "Interpreter/Kernel.h"
#include "Support/Memory.h"
#include "Support/Text.h"

#include <inttypes.h>
#include <jansson.h>
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
    if (tensors[i].name.length > width)
      width = tensors[i].name.length;
  return (int)(width < 60 ? width : 60);
}

static void print_name(const model_tensor *tensor, int width) {
  printf("%-*.*s", width, (int)tensor->name.length,
         tensor->name.data ? tensor->name.data : "");
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

void model_list(const model_run *run) {
  list_tensors("input", run->inputs, run->num_inputs);
  list_tensors("output", run->outputs, run->num_outputs);
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
    printf("  %6" PRId64 "  %-12g  %s\n", best[i], xc_get_real(&view, best[i]),
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

static model_difference compare(const model_run *run,
                                const model_tensor *tensor) {
  const run_model_options *options = run->options;
  bool exact = options->tolerance == 0 && options->relative_tolerance == 0;
  xc_tensor found = {tensor->shape, tensor->data};
  xc_tensor expected = {tensor->shape, tensor->expected};
  size_t each = xc_element_size(tensor->shape.element);
  int64_t count = xc_shape_num_elements(&tensor->shape);
  model_difference difference = {0};
  for (int64_t i = 0; i < count; ++i) {
    double a = xc_get_real(&found, i), b = xc_get_real(&expected, i);
    difference.expected_range = fmax(difference.expected_range, fabs(b));
    bool same =
        memcmp((const char *)tensor->data + (size_t)i * each,
               (const char *)tensor->expected + (size_t)i * each, each) == 0;
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

static void report_difference(const model_tensor *tensor, size_t index,
                              const model_difference *difference) {
  xc_tensor found = {tensor->shape, tensor->data};
  xc_tensor expected = {tensor->shape, tensor->expected};
  xc_text position = {0};
  print_position(&tensor->shape, difference->first, &position);
  xc_tool_error("xc-run",
                "output %zu '%.*s': element %s is %.9g, expected %.9g by '%s'; "
                "%" PRId64 " of %" PRId64 " elements differ, by at most %g",
                index, (int)tensor->name.length,
                tensor->name.data ? tensor->name.data : "",
                xc_text_str(&position), xc_get_real(&found, difference->first),
                xc_get_real(&expected, difference->first),
                tensor->expected_path, difference->count,
                xc_shape_num_elements(&tensor->shape), difference->largest);
  xc_text_free(&position);
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
// Report
//===----------------------------------------------------------------------===//

static json_t *tensor_json(const model_tensor *tensor) {
  statistics s = measure(tensor);
  xc_text type = {0};
  xc_shape_print(&tensor->shape, &type);
  json_t *object =
      json_pack("{ss% ss}", "name", tensor->name.data ? tensor->name.data : "",
                tensor->name.length, "type", xc_text_str(&type));
  xc_text_free(&type);
  if (object && isfinite(s.min) && isfinite(s.max) && isfinite(s.mean)) {
    json_object_set_new(object, "min", json_real(s.min));
    json_object_set_new(object, "max", json_real(s.max));
    json_object_set_new(object, "mean", json_real(s.mean));
  }
  return object;
}

static json_t *output_json(const model_run *run, const model_tensor *tensor) {
  json_t *object = tensor_json(tensor);
  if (!object || !tensor->expected)
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

bool model_write_report(model_run *run) {
  json_t *inputs = json_array(), *outputs = json_array();
  for (size_t i = 0; i < run->num_inputs; ++i)
    json_array_append_new(inputs, tensor_json(&run->inputs[i]));
  for (size_t i = 0; i < run->num_outputs; ++i)
    json_array_append_new(outputs, output_json(run, &run->outputs[i]));
  json_t *report = json_pack("{ss so so}", "backend", run->options->backend,
                             "inputs", inputs, "outputs", outputs);
  char *text = json_dumps(report, JSON_INDENT(1));
  json_decref(report);
  if (!text)
    return xc_tool_error("xc-run", "the model's names are no UTF-8, which the "
                                   "report needs");
  bool ok = xc_write_file(&run->diag, run->options->report, text, strlen(text));
  free(text);
  return ok;
}
