//===- Table.c - a report for people --------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "Driver/Loss.h"
#include "Support/Json.h"

#include <inttypes.h>
#include <string.h>

enum {
  MAX_TENSORS = 4, // named of those at the peak
  MAX_LOSSES = 4,
  LONG_LINE = 90, // after which a tensor goes to the next line
};

static double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

/// "1.21 MB"
static void print_bytes(xc_text *text, double bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB"};
  size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < sizeof(units) / sizeof(*units); ++unit)
    bytes /= 1000;
  xc_text_printf(text, "%.*f %s", unit == 0 || bytes >= 100 ? 0 : 2, bytes,
                 units[unit]);
}

//===----------------------------------------------------------------------===//
// A subgraph
//===----------------------------------------------------------------------===//

static void print_times(const json_t *report, const json_t *kernel,
                        xc_text *text) {
  const json_t *hardware = json_object_get(report, "hardware");
  double cycles = xc_json_number(kernel, "cycles"),
         clock = xc_json_number(hardware, "clock_hz");
  double roofline =
      xc_json_number(json_object_get(kernel, "bounds"), "roofline");
  xc_text_printf(text,
                 "\n%s\ncycles      %.0f (%.3f ms at %.0f MHz), %.0f "
                 "instructions\n",
                 xc_json_string(kernel, "name"), cycles, 1e3 * cycles / clock,
                 clock / 1e6, xc_json_number(kernel, "instructions"));
  xc_text_printf(text,
                 "MACs        %.0f, %.1f %% of the peak; roofline %.0f cycles "
                 "(%.1f %% reached)\n",
                 xc_json_number(kernel, "macs"),
                 100 * xc_json_number(kernel, "utilisation"), roofline,
                 percent(roofline, cycles));
  const json_t *planned = json_object_get(kernel, "planned");
  xc_text_printf(text,
                 "planned     %.0f cycles (%+.1f %%), of %.0f groups of layers "
                 "the worst %+.1f %% off\n",
                 xc_json_number(planned, "cycles"),
                 xc_json_number(planned, "percent_off"),
                 xc_json_number(planned, "groups"),
                 xc_json_number(planned, "worst_percent_off"));
  const json_t *search = json_object_get(kernel, "search");
  xc_text_printf(
      text,
      "search      effort %.0f: %.0f schedules priced, of at most "
      "%.0f; %.0f kept",
      xc_json_number(search, "effort"), xc_json_number(search, "priced"),
      xc_json_number(search, "budget"), xc_json_number(search, "kept"));
  double byte_price = xc_json_number(search, "byte_price");
  if (byte_price > 0)
    xc_text_printf(text, "; bytes at %.3g cycles each", byte_price);
  xc_text_puts(text, "\n");
  xc_text_puts(text, "spent on    ");
  const json_t *causes = json_object_get(kernel, "causes");
  for (unsigned i = 0; i < XC_DPU_NUM_CAUSES; ++i) {
    const char *name = xcDpuCauseGetName((XcDpuCause)i);
    xc_text_printf(text, "%s%s %.1f %%", i ? ", " : "", name,
                   percent(xc_json_number(causes, name), cycles));
  }
  const json_t *groups = json_object_get(kernel, "fix_point_groups");
  if (groups)
    xc_text_printf(
        text,
        "\nfix points  %.0f of %.0f convolutions have them by groups "
        "of channels; %.0f instructions, %.0f cycles (%.2f %%) set "
        "them",
        xc_json_number(groups, "layers"), xc_json_number(groups, "of"),
        xc_json_number(groups, "instructions"),
        xc_json_number(groups, "cycles"),
        percent(xc_json_number(groups, "cycles"), cycles));
  xc_text_puts(text, "\nDDR         ");
  print_bytes(text, xc_json_number(kernel, "load_bytes"));
  xc_text_puts(text, " loaded, ");
  print_bytes(text, xc_json_number(kernel, "save_bytes"));
  xc_text_puts(text, " saved\n");
}

static const char *short_string(const json_t *report, const json_t *row,
                                const char *key) {
  return xc_driver_short_name(report, xc_json_string(row, key));
}

static void print_workspace(const json_t *report, const json_t *workspace,
                            xc_text *text) {
  size_t line = text->length;
  xc_text_puts(text, "workspace   ");
  print_bytes(text, xc_json_number(workspace, "bytes"));
  xc_text_puts(text, ", at least ");
  print_bytes(text, xc_json_number(workspace, "lower_bound"));
  const json_t *alive = json_object_get(workspace, "at_peak");
  if (alive)
    xc_text_printf(text, "; most in layer %s:",
                   short_string(report, workspace, "peak_layer"));
  for (size_t i = 0; i < json_array_size(alive); ++i) {
    const json_t *row = json_array_get(alive, i);
    if (i == MAX_TENSORS) {
      xc_text_printf(text, " and %zu more", json_array_size(alive) - i);
      break;
    }
    if (text->length - line > LONG_LINE) {
      xc_text_puts(text, i ? ",\n           " : "\n           ");
      line = text->length;
    } else if (i) {
      xc_text_puts(text, ",");
    }
    xc_text_printf(text, " %s ", short_string(report, row, "name"));
    print_bytes(text, xc_json_number(row, "bytes"));
    xc_text_printf(text, " until %s", short_string(report, row, "until"));
  }
  xc_text_puts(text, "\n");
}

static void print_losses(const json_t *report, const json_t *kernel,
                         const json_t *losses, xc_text *text) {
  enum { WORTH_PERCENT = 1 };
  int printed = 0;
  for (size_t i = 0; i < json_array_size(losses); ++i) {
    const json_t *row = json_array_get(losses, i);
    if (percent(xc_json_number(row, "cycles"),
                xc_json_number(kernel, "cycles")) < WORTH_PERCENT ||
        printed++ == MAX_LOSSES)
      continue;
    xc_text_printf(text, "padding     %s: %.0f %s take what %.0f take",
                   short_string(report, row, "layer"),
                   xc_json_number(row, "uses"), xc_json_string(row, "what"),
                   xc_json_number(row, "takes"));
    if (json_object_get(row, "cheaper_at"))
      xc_text_printf(text, ", %.0f would be cheaper",
                     xc_json_number(row, "cheaper_at"));
    xc_text_printf(text, "; %.0f cycles compute nothing\n",
                   xc_json_number(row, "cycles"));
  }
}

static void print_memory(const json_t *report, const json_t *kernel,
                         xc_text *text) {
  static const char *const parts[] = {"parameters", "workspace", "inputs",
                                      "outputs", "code"};
  const json_t *memory = json_object_get(kernel, "memory");
  const json_t *ddr = json_object_get(memory, "ddr");
  xc_text_puts(text, "memory      ");
  print_bytes(text, xc_json_number(ddr, "total"));
  for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); ++i) {
    xc_text_printf(text, "%s%s ", i ? ", " : ": ", parts[i]);
    print_bytes(text, xc_json_number(ddr, parts[i]));
  }
  xc_text_puts(text, "\n");
  print_workspace(report, json_object_get(memory, "workspace"), text);
  xc_text_puts(text, "on chip     ");
  const json_t *banks = json_object_get(memory, "banks");
  for (size_t i = 0; i < json_array_size(banks); ++i) {
    const json_t *row = json_array_get(banks, i);
    xc_text_printf(
        text, "%s%s %.0f %%", i ? ", " : "", xc_json_string(row, "name"),
        percent(xc_json_number(row, "peak"), xc_json_number(row, "bytes")));
  }
  xc_text_puts(text, " at most\n");
  print_losses(report, kernel, json_object_get(memory, "losses"), text);
}

/// Layers of a cascade have no time of their own, but a part of the critical
/// path.
static void print_members(const json_t *kernel, const json_t *row, int width,
                          xc_text *text) {
  const json_t *members = json_object_get(row, "members");
  if (json_array_size(members) < 2)
    return;
  for (size_t i = 0; i < json_array_size(members); ++i) {
    const json_t *member = json_array_get(members, i);
    double own = xc_json_number(member, "critical_cycles");
    xc_text_printf(text, "  %-*s %9.0f %6.1f %9s %12.0f\n", width - 2,
                   xc_json_string(member, "label"), own,
                   percent(own, xc_json_number(kernel, "cycles")), "",
                   xc_json_number(member, "macs"));
  }
}

/// Of the column of names.
static int name_width(const json_t *layers) {
  enum { NARROWEST = 24 };
  size_t width = NARROWEST;
  for (size_t l = 0; l < json_array_size(layers); ++l) {
    const json_t *row = json_array_get(layers, l);
    const json_t *members = json_object_get(row, "members");
    size_t own = strlen(xc_json_string(row, "label"));
    width = own > width ? own : width;
    for (size_t m = 0; m < json_array_size(members); ++m) {
      own = 2 + strlen(xc_json_string(json_array_get(members, m), "label"));
      width = own > width ? own : width;
    }
  }
  return (int)width;
}

static void print_layers(const json_t *kernel, xc_text *text) {
  double cycles = xc_json_number(kernel, "cycles");
  const json_t *layers = json_object_get(kernel, "layers");
  int width = name_width(layers);
  xc_text_printf(text, "\n%-*s %9s %6s %9s %12s %6s %9s %9s %8s  %s\n", width,
                 "layer", "cycles", "%", "planned", "MACs", "MAC%", "load kB",
                 "save kB", "chip kB", "bound");
  for (size_t l = 0; l < json_array_size(layers); ++l) {
    const json_t *row = json_array_get(layers, l);
    double own = xc_json_number(row, "cycles");
    xc_text_printf(
        text, "%-*s %9.0f %6.1f %9.0f %12.0f %6.1f %9.1f %9.1f %8.1f  %s\n",
        width, xc_json_string(row, "label"), own, percent(own, cycles),
        xc_json_number(row, "estimate"), xc_json_number(row, "macs"),
        100 * xc_json_number(row, "utilisation"),
        xc_json_number(row, "load_bytes") / 1e3,
        xc_json_number(row, "save_bytes") / 1e3,
        xc_json_number(row, "chip_bytes") / 1e3, xc_json_string(row, "bound"));
    print_members(kernel, row, width, text);
  }
}

static double sum(const json_t *numbers) {
  double sum = 0;
  for (size_t i = 0; i < json_array_size(numbers); ++i)
    sum += json_number_value(json_array_get(numbers, i));
  return sum;
}

void xc_driver_report_table(const json_t *report, xc_text *text) {
  const json_t *kernels = json_object_get(report, "subgraphs");
  for (size_t i = 0; i < json_array_size(kernels); ++i) {
    const json_t *kernel = json_array_get(kernels, i);
    print_times(report, kernel, text);
    print_memory(report, kernel, text);
    print_layers(kernel, text);
  }
  xc_driver_loss_table(report, text);
  const json_t *totals = json_object_get(report, "totals");
  const json_t *cores =
      json_object_get(json_object_get(report, "hardware"), "card_engines");
  bool is_board = cores && sum(cores) == (double)json_array_size(cores);
  xc_text_printf(text,
                 "\ntotal       %.0f cycles, %.3f ms, %.1f frames/s on one "
                 "%s",
                 xc_json_number(totals, "cycles"),
                 xc_json_number(totals, "milliseconds"),
                 xc_json_number(totals, "frames_per_second"),
                 cores && !is_board ? "engine" : "core");
  if (cores)
    xc_text_printf(text, " and %.1f on the %s's %.0f",
                   xc_json_number(totals, "card_frames_per_second"),
                   is_board ? "board" : "card", sum(cores));
  xc_text_printf(text, ", %.1f %% of the peak; DDR memory ",
                 100 * xc_json_number(totals, "utilisation"));
  print_bytes(text, xc_json_number(totals, "ddr_memory"));
  if (xc_json_number(totals, "frames") > 1)
    xc_text_printf(text, "; %.0f frames in one run",
                   xc_json_number(totals, "frames"));
  xc_text_puts(text, "\n");
}
