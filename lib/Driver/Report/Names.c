//===- Names.c - short names for reports ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report keeps the names of a model and shows short ones. Layers of one name,
// which are tiles of one operator, are numbered: deconv3 [2/16].
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "Support/Json.h"
#include "Support/ShortNames.h"

#include <inttypes.h>

enum { LONGEST_LABEL = 48 }; // of a row of several layers

static void set(json_t *object, const char *key, json_t *value) {
  json_object_set_new(object, key, value);
}

//===----------------------------------------------------------------------===//
// The names of a report
//===----------------------------------------------------------------------===//

static void collect_rows(json_t *names, const json_t *rows) {
  for (size_t i = 0; i < json_array_size(rows); ++i)
    xc_short_names_add(names, xc_json_string(json_array_get(rows, i), "name"));
}

static json_t *names_of(const json_t *report) {
  json_t *names = json_object();
  const json_t *kernels = json_object_get(report, "subgraphs");
  for (size_t k = 0; k < json_array_size(kernels); ++k) {
    const json_t *kernel = json_array_get(kernels, k);
    const json_t *layers = json_object_get(kernel, "layers");
    for (size_t l = 0; l < json_array_size(layers); ++l)
      collect_rows(names,
                   json_object_get(json_array_get(layers, l), "members"));
    const json_t *workspace =
        json_object_get(json_object_get(kernel, "memory"), "workspace");
    collect_rows(names, json_object_get(workspace, "buffers"));
  }
  const json_t *placement = json_object_get(report, "placement");
  collect_rows(names, json_object_get(placement, "operators"));
  const json_t *loss = json_object_get(report, "loss");
  collect_rows(names, json_object_get(loss, "outputs"));
  collect_rows(names, json_object_get(loss, "layers"));
  return names;
}

const char *xc_driver_short_name(const json_t *report, const char *name) {
  const char *found =
      xc_json_string(json_object_get(report, "short_names"), name);
  return *found ? found : name;
}

//===----------------------------------------------------------------------===//
// Labels of layers
//===----------------------------------------------------------------------===//

static void count_name(json_t *counts, const char *name) {
  json_int_t count = json_integer_value(json_object_get(counts, name));
  set(counts, name, json_integer(count + 1));
}

static void label_member(const json_t *report, const json_t *totals,
                         json_t *seen, json_t *member) {
  const char *name = xc_json_string(member, "name");
  json_int_t total = json_integer_value(json_object_get(totals, name));
  count_name(seen, name);
  xc_text label = {0};
  xc_text_puts(&label, xc_driver_short_name(report, name));
  if (total > 1)
    xc_text_printf(&label,
                   " [%" JSON_INTEGER_FORMAT "/%" JSON_INTEGER_FORMAT "]",
                   json_integer_value(json_object_get(seen, name)), total);
  set(member, "label", json_string(xc_text_str(&label)));
  xc_text_free(&label);
}

/// Rows of several layers: the first and the last.
static void label_row(json_t *report, json_t *row) {
  const json_t *members = json_object_get(row, "members");
  size_t count = json_array_size(members);
  const char *first = xc_json_string(json_array_get(members, 0), "label");
  xc_text label = {0};
  xc_text_puts(&label, first);
  if (count > 1) {
    const char *last =
        xc_json_string(json_array_get(members, count - 1), "label");
    xc_text_printf(&label, " ... %s (%zu layers)", last, count);
    if (label.length > LONGEST_LABEL) {
      label.length = 0;
      xc_text_printf(&label, "%s (%zu layers)", first, count);
    }
    // Tensors live until a row, by its name.
    set(json_object_get(report, "short_names"), xc_json_string(row, "name"),
        json_string(xc_text_str(&label)));
  }
  set(row, "label", json_string(xc_text_str(&label)));
  xc_text_free(&label);
}

static void label_kernel(json_t *report, const json_t *kernel) {
  const json_t *layers = json_object_get(kernel, "layers");
  json_t *totals = json_object(), *seen = json_object();
  for (size_t l = 0; l < json_array_size(layers); ++l) {
    const json_t *members =
        json_object_get(json_array_get(layers, l), "members");
    for (size_t m = 0; m < json_array_size(members); ++m)
      count_name(totals, xc_json_string(json_array_get(members, m), "name"));
  }
  for (size_t l = 0; l < json_array_size(layers); ++l) {
    json_t *row = json_array_get(layers, l);
    const json_t *members = json_object_get(row, "members");
    for (size_t m = 0; m < json_array_size(members); ++m)
      label_member(report, totals, seen, json_array_get(members, m));
    label_row(report, row);
  }
  json_decref(totals);
  json_decref(seen);
}

void xc_driver_report_names(json_t *report) {
  json_t *names = names_of(report);
  set(report, "short_names", xc_short_names(names));
  json_decref(names);
  const json_t *kernels = json_object_get(report, "subgraphs");
  for (size_t k = 0; k < json_array_size(kernels); ++k)
    label_kernel(report, json_array_get(kernels, k));
}
