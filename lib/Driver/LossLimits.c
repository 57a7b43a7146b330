//===- LossLimits.c - budgets and warnings for the loss -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loss.h"
#include "Phases.h"
#include "Report/Report.h"

#include "IR/AttributeNames.h"
#include "Support/Diag.h"
#include "Support/Json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
  if (o->hasMinSqnr &&
      !xc_driver_has_measure(json_object_get(loss, "outputs"), "sqnr_db"))
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

/// Returns the ratio that judges an output or a part of one, or infinity.
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
  const json_t *best = xc_driver_best_offer(layers);
  const json_t *first = json_array_get(layers, 0);
  if (best)
    xc_text_printf(text, "--keep-float=%s brings about %.1f dB; else ",
                   xc_json_string(best, "name"),
                   json_number_value(json_object_get(
                       json_object_get(best, "keep_float"), "gain_db")));
  else if (first)
    xc_text_printf(text, "most is lost in '%s'%s; ",
                   xc_driver_short_name(report, xc_json_string(first, "name")),
                   xc_driver_offer_excuse(layers) ? "" : " (--keep-float)");
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
  // The loss of made-up samples says nothing.
  if (c->options->hasMinSqnr ||
      (calibration && strcmp(calibration, "random") == 0))
    return;
  json_array_foreach(json_object_get(loss, "outputs"), i, row)
      warn_of_output(c, report, row);
}
