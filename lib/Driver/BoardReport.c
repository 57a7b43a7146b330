//===- BoardReport.c - what computes CPU parts on a board -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoardReport.h"

#include <string.h>

static const char runtime[] = "runtime", plugin[] = "plug-in",
                  library[] = "own library";

static bool has_exact_form(const xc_standard *standard,
                           MlirOperation operation) {
  for (size_t i = 0; i < standard->num_others; ++i)
    if (mlirOperationEqual(standard->others[i], operation))
      return false;
  return true;
}

static json_t *to_json(MlirStringRef string) {
  return json_stringn_nocheck(string.data ? string.data : "", string.length);
}

json_t *xc_board_way(const xc_standard *standard, MlirOperation operation,
                     const char *subgraph, MlirStringRef name,
                     MlirStringRef type) {
  bool is_custom = xc_op_info_of(operation)->kind == XC_TIR_CUSTOM;
  json_t *way = json_object();
  json_object_set_new(way, "name", to_json(name));
  json_object_set_new(way, "type", to_json(type));
  json_object_set_new(way, "subgraph", json_string_nocheck(subgraph));
  json_object_set_new(way, "by",
                      json_string(!standard->is_exact ? plugin
                                  : is_custom         ? library
                                                      : runtime));
  json_object_set_new(way, "has_exact_form",
                      json_boolean(has_exact_form(standard, operation)));
  return way;
}

static const char *string_of(const json_t *way, const char *key) {
  return json_string_value(json_object_get(way, key));
}

static bool is_by(const json_t *way, const char *by) {
  return strcmp(string_of(way, "by"), by) == 0;
}

// Whether the part cannot run under the runtime, or needs more than it.
static bool is_worth_a_word(const json_t *way) {
  return is_by(way, library) ||
         json_is_false(json_object_get(way, "has_exact_form"));
}

static bool is_new(const json_t *ways, size_t index, const char *type) {
  for (size_t i = 0; i < index; ++i) {
    const json_t *way = json_array_get(ways, i);
    if (is_worth_a_word(way) && strcmp(string_of(way, "type"), type) == 0)
      return false;
  }
  return true;
}

void xc_board_print(const char *name, const json_t *ways, xc_text *text) {
  size_t count = json_array_size(ways), shown = 0;
  bool needs_plugin = count && is_by(json_array_get(ways, 0), plugin);
  xc_text_printf(text, "%s: on a board by %s", name,
                 needs_plugin ? "the plug-in" : "its runtime");
  for (size_t i = 0; i < count; ++i) {
    const json_t *way = json_array_get(ways, i);
    const char *type = string_of(way, "type");
    if (!is_worth_a_word(way) || !is_new(ways, i, type))
      continue;
    xc_text_puts(text, shown++ ? ", " : needs_plugin ? ", for " : " and ");
    xc_text_printf(text, needs_plugin ? "%s" : "libvart_op_imp_%s.so", type);
  }
  xc_text_puts(text, "\n");
}
