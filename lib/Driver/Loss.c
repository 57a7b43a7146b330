//===- Loss.c - what quantisation costs, in log and budgets ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tir-quantize leaves it in an attribute of the function, as other passes leave
// what they lose. It comes into the report with the placement, which a saved
// module carries.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Report/Report.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Json.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static MlirOperation find_function(const xc_compilation *c, const char *name) {
  MlirBlock body = mlirModuleGetBody(c->module);
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirOperationIsNull(op) &&
         mlirAttributeIsNull(xc_op_attribute(op, name)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

json_t *xc_driver_read_json(const xc_compilation *c, const char *name) {
  MlirOperation function = find_function(c, name);
  if (mlirOperationIsNull(function))
    return NULL;
  MlirAttribute found = xc_op_attribute(function, name);
  MlirStringRef text = mlirAttributeIsAString(found)
                           ? mlirStringAttrGetValue(found)
                           : mlirStringRefCreate("", 0);
  return json_loadb(text.data, text.length, 0, NULL);
}

json_t *xc_driver_take_json(xc_compilation *c, const char *name) {
  json_t *json = xc_driver_read_json(c, name);
  MlirOperation function = find_function(c, name);
  if (!mlirOperationIsNull(function))
    mlirOperationRemoveAttributeByName(function, xc_ref(name));
  return json;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

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

/// Whether any output has a key, be it null.
static bool has_key(const json_t *outputs, const char *key) {
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
                 has_key(rows, "agreement") ? "  same class" : "");
  json_array_foreach(rows, i, row) {
    print_comparison(xc_driver_short_name(report, xc_json_string(row, "name")),
                     row, "sqnr_db", "agreement", text);
    print_parts(report, json_object_get(row, "parts"), text);
    if (json_object_get(row, "model_float_sqnr_db"))
      print_scales(row, text);
  }
}

/// What the layer brings and takes in floating point, where that was tried.
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

/// The layer with most gain in floating point; null where none has enough of
/// it to be worth a word, or leaves enough for the DPU.
static const json_t *find_offer(const json_t *layers) {
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

/// Why there is no advice; null where nothing was tried.
static const char *find_excuse(const json_t *layers) {
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
  const json_t *best = find_offer(layers);
  const json_t *together = json_object_get(loss, "keep_float");
  const char *excuse = best || together ? NULL : find_excuse(layers);
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
  xc_text_printf(text, "%-24s %9s %9s%s\n", "most is lost in", "SQNR dB",
                 "of inputs",
                 find_excuse(layers) ? "     in float         CPU" : "");
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

//===----------------------------------------------------------------------===//
// Budgets
//===----------------------------------------------------------------------===//

/// Where the smallest value of a key is.
typedef struct worst_row {
  const json_t *output; // null when none has one
  const json_t *part;   // of the output, or null: the whole
  double value;
} worst_row;

static void take_worse(worst_row *worst, const json_t *output,
                       const json_t *part, const char *key) {
  const json_t *value = json_object_get(part ? part : output, key);
  if (json_is_number(value) &&
      (!worst->output || json_number_value(value) < worst->value))
    *worst = (worst_row){output, part, json_number_value(value)};
}

static worst_row find_worst(const json_t *outputs, const char *key) {
  worst_row worst = {NULL, NULL, 0};
  const json_t *output, *part;
  size_t i, k;
  json_array_foreach(outputs, i, output) {
    take_worse(&worst, output, NULL, key);
    json_array_foreach(json_object_get(output, "parts"), k, part)
        take_worse(&worst, output, part, key);
  }
  return worst;
}

static bool fail(const xc_compilation *c, const json_t *report,
                 const worst_row *worst, const char *text) {
  const json_t *loss = json_object_get(report, "loss");
  const json_t *first = json_array_get(json_object_get(loss, "layers"), 0);
  const json_t *part = worst->part;
  xc_file_error(
      c->diag, c->options->model, "%s%s%soutput '%s' %s%s%s%s", part ? "'" : "",
      part ? xc_driver_short_name(report, xc_json_string(part, "name")) : "",
      part ? "' in " : "",
      xc_driver_short_name(report, xc_json_string(worst->output, "name")), text,
      first ? "; most is lost in '" : "",
      first ? xc_driver_short_name(report, xc_json_string(first, "name")) : "",
      first ? "'" : "");
  return false;
}

static bool check_budget(const xc_compilation *c, const json_t *report,
                         const char *key, double least, const char *format) {
  const json_t *outputs =
      json_object_get(json_object_get(report, "loss"), "outputs");
  worst_row worst = find_worst(outputs, key);
  if (!worst.output || worst.value >= least)
    return true;
  char text[160];
  snprintf(text, sizeof(text), format, worst.value, least);
  return fail(c, report, &worst, text);
}

bool xc_driver_check_loss(const xc_compilation *c, const json_t *report) {
  const XcCompileOptions *o = c->options;
  const json_t *loss = json_object_get(report, "loss");
  if (!o->hasMinSqnr && !(o->minAgreement > 0))
    return true;
  if (!loss)
    return xc_file_error(c->diag, o->model,
                         "--%s limits what calibration loses, and the module "
                         "does not say what it lost",
                         o->hasMinSqnr ? "min-sqnr" : "min-agreement");
  if (o->minAgreement > 0 &&
      !find_worst(json_object_get(loss, "outputs"), "agreement").output)
    return xc_file_error(c->diag, o->model,
                         "--min-agreement needs an output that is one list of "
                         "scores, or of indices, and the model has none");
  if (o->hasMinSqnr && !has_key(json_object_get(loss, "outputs"), "sqnr_db"))
    return xc_file_error(
        c->diag, o->model,
        "--min-sqnr needs an output with numbers, and the "
        "model has indices only, which --min-agreement judges");
  return (!o->hasMinSqnr ||
          check_budget(c, report, "sqnr_db", o->minSqnr,
                       "has a signal-to-noise ratio of %.1f dB, --min-sqnr "
                       "asks for %.1f")) &&
         check_budget(c, report, "agreement", o->minAgreement,
                      "has the same class on %.1f %% of the samples, "
                      "--min-agreement asks for %.1f");
}

//===----------------------------------------------------------------------===//
// Warnings
//===----------------------------------------------------------------------===//

/// With noise of a tenth of the signal's power hardly any class is safe, of
/// pixels or of boxes; a layer that cannot be in fixed point, and samples that
/// are none, end there. Networks that just suffer, as small ones do, have more.
static const double least_db = 10;

/// Samples that keep their class, in percent, with which scores are judged by
/// that: probabilities have low ratios where a few classes decide.
static const double good_agreement = 90, least_agreement = 50;

/// The ratio that judges an output or a part of one, or infinity.
static double judged_ratio(const json_t *row) {
  const json_t *ratio = json_object_get(row, "sqnr_db");
  const json_t *fixed = json_object_get(row, "float_sqnr_db");
  const json_t *model = json_object_get(row, "model_float_sqnr_db");
  const double slack_db = 3;
  if (!json_is_number(ratio) || json_is_true(json_object_get(row, "no_signal")))
    return (double)INFINITY;
  if (!fixed)
    return json_number_value(ratio);
  // A quantised model may be no better itself.
  bool is_as_good =
      !json_is_number(fixed) || !json_is_number(model) ||
      json_number_value(fixed) > json_number_value(model) - slack_db;
  return is_as_good ? (double)INFINITY : json_number_value(fixed);
}

/// Of an output and its parts; a quantised model has no measure for these.
static double least_ratio(const json_t *output, const json_t **part) {
  double least = judged_ratio(output);
  size_t i;
  const json_t *row;
  *part = NULL;
  if (json_object_get(output, "float_sqnr_db"))
    return least;
  json_array_foreach(json_object_get(output, "parts"), i, row) {
    if (judged_ratio(row) >= least)
      continue;
    least = judged_ratio(row);
    *part = row;
  }
  return least;
}

/// Rows in the order of their scores change places.
static bool has_ranks(const json_t *report) {
  size_t i;
  const json_t *row;
  json_array_foreach(
      json_object_get(json_object_get(report, "placement"), "operators"), i,
      row) {
    const char *type = xc_json_string(row, "type");
    if (strcmp(type, "topk") == 0 || strcmp(type, "nms") == 0)
      return true;
  }
  return false;
}

static void print_remedies(const json_t *report, xc_text *text) {
  const json_t *loss = json_object_get(report, "loss");
  const json_t *layers = json_object_get(loss, "layers");
  const json_t *best = find_offer(layers);
  const json_t *first = json_array_get(layers, 0);
  if (best)
    xc_text_printf(text, "--keep-float=%s brings about %.1f dB; else ",
                   xc_json_string(best, "name"),
                   json_number_value(json_object_get(
                       json_object_get(best, "keep_float"), "gain_db")));
  else if (first)
    xc_text_printf(text, "most is lost in '%s'%s; ",
                   xc_driver_short_name(report, xc_json_string(first, "name")),
                   find_excuse(layers) ? "" : " (--keep-float)");
  xc_text_puts(text, "more, and other samples");
  if (json_object_get(loss, "inputs"))
    xc_text_puts(text, ", or the preprocessing of the training (--pixels, "
                       "--mean, --std)");
  xc_text_puts(text, " may help. --min-sqnr=DB is a bound of your own");
}

static void warn_of_ratio(const xc_compilation *c, const json_t *report,
                          const json_t *output, const json_t *part,
                          double ratio) {
  xc_text text = {0};
  bool is_ranked = has_ranks(report);
  if (part)
    xc_text_printf(&text, "'%s' in ",
                   xc_driver_short_name(report, xc_json_string(part, "name")));
  xc_text_printf(
      &text, "output '%s' has %.1f dB of signal to noise in fixed point: ",
      xc_driver_short_name(report, xc_json_string(output, "name")), ratio);
  if (is_ranked)
    xc_text_puts(&text, "rows that a top-k or NMS orders change places, and "
                        "have no ratio: compare what the network finds");
  else
    print_remedies(report, &text);
  xcDiagReport(c->diag, is_ranked ? XcSeverityNote : XcSeverityWarning,
               (XcPlace){c->options->model, 0, 0}, "%s", xc_text_str(&text));
  xc_text_free(&text);
}

static void warn_of_agreement(const xc_compilation *c, const json_t *report,
                              const json_t *output, double agreement) {
  xc_text text = {0};
  print_remedies(report, &text);
  xcDiagReport(c->diag, XcSeverityWarning, (XcPlace){c->options->model, 0, 0},
               "output '%s' has %.1f %% of its integers in fixed point: %s",
               xc_driver_short_name(report, xc_json_string(output, "name")),
               agreement, xc_text_str(&text));
  xc_text_free(&text);
}

static void warn_of_output(const xc_compilation *c, const json_t *report,
                           const json_t *output) {
  const json_t *same = json_object_get(output, "agreement"), *part;
  double agreement = json_number_value(same);
  double ratio = least_ratio(output, &part);
  bool is_scored = json_object_get(output, "sqnr_db");
  if (same && c->options->minAgreement > 0)
    return;
  if (!is_scored && same && agreement < least_agreement && !has_ranks(report))
    warn_of_agreement(c, report, output, agreement);
  else if (ratio < least_db && !(same && agreement >= good_agreement))
    warn_of_ratio(c, report, output, part, ratio);
}

void xc_driver_note_samples(const xc_compilation *c) {
  enum { FEW = 10 };
  json_t *loss = xc_driver_read_json(c, XC_NAME_LOSS);
  json_int_t count = json_integer_value(json_object_get(loss, "calibrated"));
  json_decref(loss);
  if (count > 0 && count < FEW &&
      strcmp(c->options->calibration, "random") != 0)
    xcDiagReport(c->diag, XcSeverityNote, (XcPlace){c->options->model, 0, 0},
                 "calibration: %lld sample%s: others will have numbers that "
                 "fixed point cuts off; some dozens of different ones are "
                 "better",
                 (long long)count, count == 1 ? " is few" : "s are few");
}

void xc_driver_warn_of_loss(const xc_compilation *c, const json_t *report) {
  const json_t *loss = json_object_get(report, "loss"), *row;
  const char *calibration = c->options->calibration;
  size_t i;
  // What made-up samples lose says nothing.
  if (c->options->hasMinSqnr ||
      (calibration && strcmp(calibration, "random") == 0))
    return;
  json_array_foreach(json_object_get(loss, "outputs"), i, row)
      warn_of_output(c, report, row);
}
