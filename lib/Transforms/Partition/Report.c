//===- Report.c - tables and JSON about a placement -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "Support/Json.h"
#include "Support/Names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static double share(int64_t part, int64_t all) {
  return all ? 100.0 * (double)part / (double)all : 0.0;
}

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

// "1.2 G": three digits and a unit.
static void print_amount(int64_t amount, xc_text *text) {
  static const char *const units[] = {"", " k", " M", " G", " T", " P"};
  double value = (double)amount;
  size_t unit = 0;
  while (value >= 1000.0 && unit + 1 < sizeof(units) / sizeof(*units)) {
    value /= 1000.0;
    ++unit;
  }
  int digits = unit == 0 || value >= 100.0 ? 0 : value >= 10.0 ? 1 : 2;
  xc_text_printf(text, "%.*f%s", digits, value, units[unit]);
}

static void print_reason(const XcPlacedOperator *op, xc_text *text) {
  if (op->kernel)
    xc_text_printf(text, "  by %s", op->kernel);
  if (!op->predicate)
    return;
  xc_text_printf(text, "  %s: %s", op->predicate, op->reason);
  if (op->change)
    xc_text_printf(text, "; fits with %s", op->change);
}

// Operators of one type that run on one device for one reason.
typedef struct kind_line {
  XcPlacedOperator first;
  size_t count;
  int64_t macs;
  size_t order;
} kind_line;

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_line(const kind_line *line, const XcPlacedOperator *op) {
  return line->first.device == op->device &&
         same_text(line->first.type, op->type) &&
         same_text(line->first.predicate, op->predicate) &&
         same_text(line->first.kernel, op->kernel);
}

// DPU first, then the most work, then the order of the program.
static int compare_lines(const void *a, const void *b) {
  const kind_line *x = a, *y = b;
  if (x->first.device != y->first.device)
    return x->first.device == XcDeviceDPU ? -1 : 1;
  if (x->macs != y->macs)
    return x->macs > y->macs ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static size_t collect_lines(XcPlacement placement, kind_line **lines) {
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < xcPlacementGetNumOperators(placement); ++i) {
    XcPlacedOperator op = xcPlacementGetOperator(placement, i);
    size_t at = 0;
    while (at < count && !same_line(&(*lines)[at], &op))
      ++at;
    if (at == count) {
      xc_grow((void **)lines, &capacity, count + 1, sizeof(kind_line));
      (*lines)[count++] = (kind_line){.first = op, .order = at};
    }
    ++(*lines)[at].count;
    (*lines)[at].macs += op.macs;
  }
  if (count > 0)
    qsort(*lines, count, sizeof(kind_line), compare_lines);
  return count;
}

static void print_cells(int width, const char *device, const char *name,
                        const char *count, int64_t macs, double percent,
                        xc_text *text) {
  xc_text amount = {0};
  print_amount(macs, &amount);
  xc_text_printf(text, "%-*s  %-32s %8s %9s %7.2f%%", width, device, name,
                 count, xc_text_str(&amount), percent);
  xc_text_free(&amount);
}

// Names of libraries may be longer than those of the two devices.
static int device_width(XcPlacement placement) {
  size_t length = strlen(xc_placement_device(placement.ptr, XcDeviceDPU));
  return length > 6 ? (int)length : 6;
}

static void print_kinds(XcPlacement placement, int64_t all, xc_text *text) {
  xc_text_printf(text, "%-*s  %-32s %8s %9s %8s  %s\n", device_width(placement),
                 "device", "operator", "count", "MACs", "share",
                 "first reason");
  kind_line *lines = NULL;
  size_t count = collect_lines(placement, &lines);
  for (size_t i = 0; i < count; ++i) {
    char number[32];
    snprintf(number, sizeof(number), "%zu", lines[i].count);
    print_cells(device_width(placement),
                xc_placement_device(placement.ptr, lines[i].first.device),
                lines[i].first.type, number, lines[i].macs,
                share(lines[i].macs, all), text);
    print_reason(&lines[i].first, text);
    xc_text_puts(text, "\n");
  }
  free(lines);
}

static void print_operators(XcPlacement placement, int64_t all, xc_text *text) {
  xc_text_printf(text, "%-*s  %-32s %8s %9s %8s  %s\n", device_width(placement),
                 "device", "operator", "subgraph", "MACs", "share",
                 "name, reason");
  for (size_t i = 0; i < xcPlacementGetNumOperators(placement); ++i) {
    XcPlacedOperator op = xcPlacementGetOperator(placement, i);
    char number[32];
    snprintf(number, sizeof(number), "%zu", op.subgraph);
    print_cells(device_width(placement),
                xc_placement_device(placement.ptr, op.device), op.type, number,
                op.macs, share(op.macs, all), text);
    xc_text_puts(text, "  ");
    xc_text_printable(text, op.name, strlen(op.name), false);
    print_reason(&op, text);
    xc_text_puts(text, "\n");
  }
}

static void print_summary(const xc_placement *p, const XcPlacementSummary *s,
                          int64_t all, xc_text *text) {
  static const XcDevice order[] = {XcDeviceDPU, XcDeviceCPU};
  for (size_t i = 0; i < XC_NUM_DEVICES; ++i) {
    XcDevice d = order[i];
    xc_text_printf(text,
                   "%s: %zu operator%s in %zu subgraph%s, %.2f%% of the MACs\n",
                   xc_placement_device(p, d), s->numOperators[d],
                   plural(s->numOperators[d]), s->numSubgraphs[d],
                   plural(s->numSubgraphs[d]), share(s->macs[d], all));
  }
  if (s->repairableMacs > 0)
    xc_text_printf(text,
                   "with the changes above: %.2f%% of the MACs on the %s\n",
                   share(s->macs[XcDeviceDPU] + s->repairableMacs, all),
                   xc_placement_device(p, XcDeviceDPU));
  xc_text_printf(text, "between subgraphs: %" PRId64 " bytes\n",
                 s->boundaryBytes);
}

char *xcPlacementToTable(XcPlacement placement, XcPlacementTable table) {
  XcPlacementSummary summary = xcPlacementGetSummary(placement);
  int64_t all = summary.macs[XcDeviceCPU] + summary.macs[XcDeviceDPU];
  xc_text text = {0};
  switch (table) {
  case XcPlacementTableKinds:
    print_kinds(placement, all, &text);
    break;
  case XcPlacementTableOperators:
    print_operators(placement, all, &text);
    break;
  }
  print_summary(placement.ptr, &summary, all, &text);
  return text.data;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json_t *json_count(size_t count) {
  return json_integer((json_int_t)count);
}

// Rounded, so that the text does not show the noise of the last bits.
static json_t *json_rounded(double value) {
  char digits[64];
  snprintf(digits, sizeof(digits), "%.3f", value);
  return json_real(strtod(digits, NULL));
}

static char *finish(json_t *root) {
  char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
  json_decref(root);
  size_t length = strlen(text);
  text = xc_realloc_array(text, length + 2, 1);
  text[length] = '\n';
  text[length + 1] = '\0';
  return text;
}

static json_t *change_to_json(const xc_change *change) {
  json_t *json = json_object();
  if (change->fact == XC_CHANGE_KIND) {
    json_object_set_new(json, "what", json_string("operator"));
    json_object_set_new(
        json, "from",
        json_string(xc_op_info_get(XC_DIALECT_TIR, (xc_op_kind)change->from)
                        ->mnemonic));
    json_object_set_new(
        json, "to",
        json_string(
            xc_op_info_get(XC_DIALECT_TIR, (xc_op_kind)change->to)->mnemonic));
    return json;
  }
  const xc_fact_info *info = xc_fact_get_info((xc_fact)change->fact);
  json_object_set_new(json, "what", json_string(info->text));
  json_object_set_new(json, "at", json_string(info->where));
  json_object_set_new(json, "from",
                      info->name ? json_string(info->name(change->from))
                                 : json_integer(change->from));
  json_object_set_new(json, "to",
                      info->name ? json_string(info->name(change->to))
                                 : json_integer(change->to));
  return json;
}

static json_t *reason_to_json(const xc_reason *reason) {
  json_t *json = json_object();
  json_object_set_new(json, "predicate", json_string(reason->predicate));
  json_object_set_new(json, "text", xc_json_text(reason->text));
  if (reason->limit) {
    json_object_set_new(json, "actual", json_integer(reason->bounds.actual));
    json_object_set_new(json, "limit", json_string(reason->limit));
  }
  if (reason->key)
    json_object_set_new(json, "target_key", json_string(reason->key));
  json_t *changes = json_array();
  for (size_t i = 0; i < reason->num_changes; ++i)
    json_array_append_new(changes, change_to_json(&reason->changes[i]));
  json_object_set_new(json, "changes", changes);
  json_object_set_new(json, "fits_with",
                      reason->change ? xc_json_text(reason->change)
                                     : json_null());
  return json;
}

/// Returns the properties that identify an operator in a file, and its device.
static json_t *placed_to_json(XcPlacement placement, size_t index) {
  XcPlacedOperator op = xcPlacementGetOperator(placement, index);
  xc_text shape = {0};
  xc_node_shape(&placement.ptr->nodes[placement.ptr->operators[index]], &shape);
  json_t *json = json_object();
  json_object_set_new(json, "name", xc_json_text(op.name));
  json_object_set_new(json, "type", xc_json_text(op.type));
  json_object_set_new(json, "shape", json_string(xc_text_str(&shape)));
  json_object_set_new(
      json, "device",
      json_string(xc_placement_device(placement.ptr, op.device)));
  xc_text_free(&shape);
  return json;
}

static json_t *operator_to_json(XcPlacement placement, size_t index,
                                int64_t all) {
  XcPlacedOperator op = xcPlacementGetOperator(placement, index);
  const xc_node *node = &placement.ptr->nodes[placement.ptr->operators[index]];
  json_t *json = placed_to_json(placement, index);
  json_object_set_new(json, "subgraph", json_count(op.subgraph));
  json_object_set_new(json, "macs", json_integer(op.macs));
  json_object_set_new(json, "mac_percent", json_rounded(share(op.macs, all)));
  if (op.kernel)
    json_object_set_new(json, "kernel", json_string(op.kernel));
  if (op.predicate)
    json_object_set_new(json, "reason", reason_to_json(&node->reason));
  return json;
}

static json_t *subgraph_to_json(XcPlacement placement, size_t index) {
  XcSubgraph g = xcPlacementGetSubgraph(placement, index);
  json_t *json = json_object();
  json_object_set_new(
      json, "device",
      json_string(xc_placement_device(placement.ptr, g.device)));
  json_object_set_new(json, "operators", json_count(g.numOperators));
  json_object_set_new(json, "macs", json_integer(g.macs));
  json_object_set_new(json, "input_bytes", json_integer(g.inputBytes));
  json_object_set_new(json, "output_bytes", json_integer(g.outputBytes));
  if (g.device == XcDeviceDPU && !placement.ptr->library) {
    json_object_set_new(json, "modelled_cpu_us",
                        json_rounded(g.cpuMicroseconds));
    json_object_set_new(json, "modelled_dpu_us",
                        json_rounded(g.dpuMicroseconds));
  }
  return json;
}

static json_t *summary_to_json(const xc_placement *p,
                               const XcPlacementSummary *s, int64_t all) {
  json_t *json = json_object();
  for (int d = XC_NUM_DEVICES - 1; d >= 0; --d) {
    json_t *device = json_object();
    json_object_set_new(device, "operators", json_count(s->numOperators[d]));
    json_object_set_new(device, "subgraphs", json_count(s->numSubgraphs[d]));
    json_object_set_new(device, "macs", json_integer(s->macs[d]));
    json_object_set_new(device, "mac_percent",
                        json_rounded(share(s->macs[d], all)));
    json_object_set_new(json, xc_placement_device(p, (XcDevice)d), device);
  }
  json_object_set_new(json, "repairable_macs", json_integer(s->repairableMacs));
  json_object_set_new(json, "boundary_bytes", json_integer(s->boundaryBytes));
  return json;
}

char *xcPlacementToJson(XcPlacement placement) {
  XcPlacementSummary summary = xcPlacementGetSummary(placement);
  int64_t all = summary.macs[XcDeviceCPU] + summary.macs[XcDeviceDPU];
  json_t *root = json_object(), *list = json_array();
  json_object_set_new(root, "version", json_integer(1));
  json_object_set_new(root, "target",
                      xc_json_text(xc_placement_target(placement.ptr)));
  json_object_set_new(root, "summary",
                      summary_to_json(placement.ptr, &summary, all));
  for (size_t i = 0; i < xcPlacementGetNumSubgraphs(placement); ++i)
    json_array_append_new(list, subgraph_to_json(placement, i));
  json_object_set_new(root, "subgraphs", list);
  list = json_array();
  for (size_t i = 0; i < xcPlacementGetNumOperators(placement); ++i)
    json_array_append_new(list, operator_to_json(placement, i, all));
  json_object_set_new(root, "operators", list);
  return finish(root);
}

char *xcPlacementToFile(XcPlacement placement) {
  json_t *root = json_object(), *list = json_array();
  json_object_set_new(root, "target",
                      xc_json_text(xc_placement_target(placement.ptr)));
  for (size_t i = 0; i < xcPlacementGetNumOperators(placement); ++i)
    json_array_append_new(list, placed_to_json(placement, i));
  json_object_set_new(root, "operators", list);
  return finish(root);
}
