//===- Loss.c - loss of quantisation as a table ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tir-quantize leaves the loss in an attribute of the function, as other passes
// leave what they lose. It comes into the report with the placement, which a
// saved module carries.
//
//===----------------------------------------------------------------------===//

#include "Loss.h"
#include "Report/Report.h"

#include "Support/Json.h"

#include <math.h>
#include <string.h>

/// Where a ratio is null nothing is lost; indices have none.
static void print_decibel(const json_t *row, const char *key, xc_text *text) {
  const json_t *value = json_object_get(row, key);
  if (json_is_number(value))
    xc_text_printf(text, " %9.1f", json_number_value(value));
  else
    xc_text_printf(text, " %9s", value ? "exact" : "");
}

static void print_comparison(const char *title, const json_t *row,
                             const char *sqnr, const char *agreement,
                             xc_text *text) {
  const json_t *same = json_object_get(row, agreement);
  xc_text_printf(text, "%-24s", title);
  print_decibel(row, sqnr, text);
  if (same)
    xc_text_printf(text, "  %8.1f %%", json_number_value(same));
  xc_text_puts(text, "\n");
}

/// Both lose something of the form in floating point: what the fixed point
/// loses more is what powers of two as scales cost.
static void print_scales(const json_t *row, xc_text *text) {
  const json_t *fixed = json_object_get(row, "float_sqnr_db");
  const json_t *model = json_object_get(row, "model_float_sqnr_db");
  print_comparison("  beside floating point", row, "float_sqnr_db",
                   "float_agreement", text);
  print_comparison("  the model beside it", row, "model_float_sqnr_db",
                   "model_float_agreement", text);
  if (!json_is_number(fixed) || !json_is_number(model))
    return;
  double cost = json_number_value(model) - json_number_value(fixed);
  xc_text_printf(text, "  powers of two as scales %s %.1f dB\n",
                 cost < 0 ? "gain" : "cost", fabs(cost));
}

/// Of an output that joins what operators of different kinds compute, as boxes
/// and scores.
static void print_parts(const json_t *report, const json_t *parts,
                        xc_text *text) {
  size_t i;
  const json_t *row;
  json_array_foreach(parts, i, row) {
    xc_text_printf(text, "  %-22s",
                   xc_driver_short_name(report, xc_json_string(row, "name")));
    print_decibel(row, "sqnr_db", text);
    xc_text_puts(text, "\n");
  }
}

bool xc_driver_has_measure(const json_t *outputs, const char *key) {
  size_t i;
  const json_t *row;
  json_array_foreach(outputs, i, row) {
    if (json_object_get(row, key))
      return true;
  }
  return false;
}

static void print_outputs(const json_t *report, const json_t *loss,
                          xc_text *text) {
  size_t i;
  const json_t *row;
  const json_t *rows = json_object_get(loss, "outputs");
  xc_text_printf(text, "%-24s %9s%s\n", "output", "SQNR dB",
                 xc_driver_has_measure(rows, "agreement") ? "  same class"
                                                          : "");
  json_array_foreach(rows, i, row) {
    print_comparison(xc_driver_short_name(report, xc_json_string(row, "name")),
                     row, "sqnr_db", "agreement", text);
    print_parts(report, json_object_get(row, "parts"), text);
    if (json_object_get(row, "model_float_sqnr_db"))
      print_scales(row, text);
  }
}

/// Prints the gain and the cost of a layer in floating point, where that was
/// tried.
static void print_offer(const json_t *offer, xc_text *text) {
  if (!offer)
    return;
  xc_text_printf(text, "  %+8.1f dB %8.3f ms", xc_json_number(offer, "gain_db"),
                 xc_json_number(offer, "cpu_ms"));
}

static bool is_worth(const json_t *offer) {
  const double least_db = 0.5;
  return xc_json_number(offer, "gain_db") >= least_db;
}

const json_t *xc_driver_best_offer(const json_t *layers) {
  const json_t *best = NULL, *row;
  double most = 0;
  size_t i;
  json_array_foreach(layers, i, row) {
    const json_t *offer = json_object_get(row, "keep_float");
    double gain = xc_json_number(offer, "gain_db");
    if (!is_worth(offer) || gain < most || !xc_driver_leaves_dpu(offer))
      continue;
    most = gain;
    best = row;
  }
  return best;
}

const char *xc_driver_offer_excuse(const json_t *layers) {
  const char *excuse = NULL;
  const json_t *row;
  size_t i;
  json_array_foreach(layers, i, row) {
    const json_t *offer = json_object_get(row, "keep_float");
    if (is_worth(offer))
      return "what the layers that were tried bring in floating point leaves "
             "next to nothing for the DPU\n";
    if (offer)
      excuse = "none of the layers that were tried brings 0.5 dB in floating "
               "point\n";
  }
  return excuse;
}

static void print_gain(const json_t *report, const json_t *offer,
                       xc_text *text) {
  const double most_left = 90;
  double left = xc_json_number(offer, "dpu_share_left");
  xc_text_printf(text,
                 " %s about %.1f dB at '%s', for some %.3f ms on the CPU "
                 "(estimated)",
                 json_object_get(offer, "names") ? "bring together" : "brings",
                 xc_json_number(offer, "gain_db"),
                 xc_driver_short_name(report, xc_json_string(offer, "output")),
                 xc_json_number(offer, "cpu_ms"));
  if (left < most_left)
    xc_text_printf(text, "; leaves %.0f %% of the MACs on the DPU", left);
  xc_text_puts(text, "\n");
}

static void print_together(const json_t *report, const json_t *offer,
                           xc_text *text) {
  size_t i;
  const json_t *name;
  json_array_foreach(json_object_get(offer, "names"), i, name) {
    xc_text_puts(text, i > 0 ? "," : "--keep-float=");
    xc_text_puts(text, json_string_value(name));
  }
  print_gain(report, offer, text);
}

static void print_advice(const json_t *report, const json_t *loss,
                         xc_text *text) {
  const json_t *layers = json_object_get(loss, "layers");
  const json_t *best = xc_driver_best_offer(layers);
  const json_t *together = json_object_get(loss, "keep_float");
  const char *excuse = best || together ? NULL : xc_driver_offer_excuse(layers);
  if (excuse)
    xc_text_puts(text, excuse);
  if (best) {
    xc_text_printf(text, "--keep-float=%s", xc_json_string(best, "name"));
    print_gain(report, json_object_get(best, "keep_float"), text);
  }
  if (together)
    print_together(report, together, text);
}

static void print_layers(const json_t *report, const json_t *loss,
                         xc_text *text) {
  enum { MOST = 5 };
  const json_t *layers = json_object_get(loss, "layers");
  if (json_array_size(layers) == 0)
    return;
  xc_text_printf(
      text, "%-24s %9s %9s%s\n", "most is lost in", "SQNR dB", "of inputs",
      xc_driver_offer_excuse(layers) ? "     in float         CPU" : "");
  for (size_t i = 0; i < json_array_size(layers) && i < MOST; ++i) {
    const json_t *row = json_array_get(layers, i);
    xc_text_printf(text, "%-24s",
                   xc_driver_short_name(report, xc_json_string(row, "name")));
    print_decibel(row, "sqnr_db", text);
    print_decibel(row, "inputs_db", text);
    print_offer(json_object_get(row, "keep_float"), text);
    xc_text_puts(text, "\n");
  }
  print_advice(report, loss, text);
}

static void print_outliers(const json_t *outliers, xc_text *text) {
  size_t i;
  const json_t *row;
  json_array_foreach(outliers, i, row) xc_text_printf(
      text,
      "sample '%s' is unlike the others: numbers %.0f times as "
      "large\n",
      xc_json_string(row, "sample"), xc_json_number(row, "times"));
}

static void print_inputs(const json_t *inputs, xc_text *text) {
  size_t i;
  const json_t *row;
  json_array_foreach(inputs, i, row)
      xc_text_printf(text, "%s\n", xc_json_string(row, "pictures"));
}

void xc_driver_loss_table(const json_t *report, xc_text *text) {
  const json_t *loss = json_object_get(report, "loss");
  if (!loss)
    return;
  json_int_t samples = json_integer_value(json_object_get(loss, "samples"));
  json_int_t all = json_integer_value(json_object_get(loss, "of"));
  xc_text_printf(text, "\nfixed point beside %s, on ",
                 xc_json_string(loss, "reference"));
  if (samples < all)
    xc_text_printf(text, "%lld of ", (long long)samples);
  xc_text_printf(text, "the %lld sample%s of the %s%s\n", (long long)all,
                 all == 1 ? "" : "s", xc_json_string(loss, "on"),
                 strcmp(xc_json_string(loss, "on"), "validation") == 0
                     ? ""
                     : ", which flatter (--validation)");
  print_inputs(json_object_get(loss, "inputs"), text);
  print_outliers(json_object_get(loss, "outliers"), text);
  print_outputs(report, loss, text);
  print_layers(report, loss, text);
}
