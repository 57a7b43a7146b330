//===- Approximations.c - what was approximated, in log and report --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Approximations.h"
#include "Phases.h"

#include "Pipeline/Pipeline.h"

#include "IR/AttributeNames.h"
#include "Support/Diag.h"
#include "Support/Json.h"
#include "Support/Text.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char attribute_name[] = XC_NAME_APPROXIMATIONS;

/// The option's default is all functions that the pass knows.
static const char *known_functions(void) {
  static const char pass[] = "tir-approximate";
  const xc_pass_info *info = xc_pass_find(pass, strlen(pass));
  for (size_t i = 0; i < info->num_options; ++i)
    if (strcmp(info->options[i].name, "functions") == 0)
      return info->options[i].default_value;
  return "";
}

bool xc_driver_check_approximate(XcDiag *diag, const XcCompileOptions *o) {
  if (o->approximateBound && !o->approximate)
    return xc_file_error(diag, NULL,
                         "--approximate-bound says how close an approximation "
                         "is: give --approximate=FUNCTIONS, too");
  const char *known = known_functions();
  for (const char *at = o->approximate; at && *at;) {
    size_t length = strcspn(at, ",");
    if (!xc_list_has(known, at, length))
      return xc_file_error(diag, NULL,
                           "--approximate names '%.*s', expected a list of %s",
                           (int)length, at, known);
    at += length + (at[length] == ',');
  }
  return true;
}

bool xc_driver_approximate(xc_compilation *c) {
  const XcCompileOptions *o = c->options;
  char samples[32];
  snprintf(samples, sizeof samples, "%" PRId64, o->calibrationSamples);
  const xc_option_value values[] = {
      {"functions", o->approximate},  {"calibration", o->calibration},
      {"bound", o->approximateBound}, {"samples", samples},
      {"target", o->target},
  };
  return xc_driver_run_pass(c, "tir-approximate", values,
                            sizeof(values) / sizeof(*values)) &&
         xc_phase_legalize(c);
}

//===----------------------------------------------------------------------===//
// As JSON
//===----------------------------------------------------------------------===//

static json_t *list_json(MlirAttribute attribute);

// Dictionaries, lists, texts and numbers.
static json_t *entry_json(MlirAttribute attribute) {
  if (mlirAttributeIsAArray(attribute))
    return list_json(attribute);
  if (mlirAttributeIsAFloat(attribute)) {
    double number = mlirFloatAttrGetValueDouble(attribute);
    return json_real(round(number * 100) / 100);
  }
  if (mlirAttributeIsAString(attribute)) {
    MlirStringRef text = mlirStringAttrGetValue(attribute);
    return xc_json_bytes(text.data, text.length);
  }
  json_t *object = json_object();
  intptr_t count = mlirAttributeIsADictionary(attribute)
                       ? mlirDictionaryAttrGetNumElements(attribute)
                       : 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute named = mlirDictionaryAttrGetElement(attribute, i);
    MlirStringRef key = mlirIdentifierStr(named.name);
    json_object_setn_new(object, key.data, key.length,
                         entry_json(named.attribute));
  }
  return object;
}

static json_t *list_json(MlirAttribute attribute) {
  json_t *list = json_array();
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attribute); ++i)
    json_array_append_new(list,
                          entry_json(mlirArrayAttrGetElement(attribute, i)));
  return list;
}

//===----------------------------------------------------------------------===//
// As a table
//===----------------------------------------------------------------------===//

static void print_row(xc_text *log, const json_t *row, const char *function,
                      const char *by) {
  const json_t *sqnr = json_object_get(row, "sqnr_db");
  char number[32] = "-";
  if (sqnr)
    snprintf(number, sizeof number, "%.1f", json_number_value(sqnr));
  xc_text_printf(log, "%-10s %-18s %8s  %s\n", function, by, number,
                 json_string_value(json_object_get(row, "name")));
}

static void print_table(xc_text *log, const json_t *approximations) {
  size_t i;
  const json_t *row;
  xc_text_printf(log, "%-10s %-18s %8s  %s\n", "function", "computed by",
                 "SQNR dB", "name");
  json_array_foreach(json_object_get(approximations, "layers"), i, row) {
    const char *by = json_string_value(json_object_get(row, "by"));
    print_row(log, row, json_string_value(json_object_get(row, "function")),
              by ? by : "itself, on the CPU");
  }
  json_array_foreach(json_object_get(approximations, "outputs"), i, row)
      print_row(log, row, "output", "");
  xc_text_puts(log, "\n");
}

//===----------------------------------------------------------------------===//
// With what fixed point loses
//===----------------------------------------------------------------------===//

static const json_t *find_output(const json_t *approximations,
                                 const char *name) {
  size_t i;
  const json_t *row;
  json_array_foreach(json_object_get(approximations, "outputs"), i, row) {
    const char *found = json_string_value(json_object_get(row, "name"));
    if (found && strcmp(found, name) == 0)
      return row;
  }
  return NULL;
}

/// Noise beside a signal of 1; none where all is exact.
static double noise_of(const json_t *row) {
  const json_t *sqnr = json_object_get(row, "sqnr_db");
  return json_is_number(sqnr) ? pow(10, -json_number_value(sqnr) / 10) : 0;
}

void xc_driver_add_approximation_loss(json_t *loss,
                                      const json_t *approximations) {
  size_t i;
  json_t *row;
  json_array_foreach(json_object_get(loss, "outputs"), i, row) {
    const json_t *other = find_output(
        approximations, json_string_value(json_object_get(row, "name")));
    double more = other ? noise_of(other) : 0;
    if (more <= 0)
      continue;
    json_object_set(row, "fixed_sqnr_db", json_object_get(row, "sqnr_db"));
    json_object_set_new(row, "sqnr_db",
                        json_real(-10 * log10(noise_of(row) + more)));
  }
}

/// Returns the loss of an output by approximations, in decibels.
static double lost_of(const json_t *row) {
  const json_t *fixed = json_object_get(row, "fixed_sqnr_db");
  return json_is_number(fixed)
             ? json_number_value(fixed) - xc_json_number(row, "sqnr_db")
             : 0;
}

static const json_t *find_worst(const json_t *loss) {
  size_t i;
  const json_t *row, *worst = NULL;
  json_array_foreach(json_object_get(loss, "outputs"), i, row) {
    if (!worst || lost_of(row) > lost_of(worst))
      worst = row;
  }
  return worst;
}

// Suggests a higher bound, and the signal to noise that it leaves at least: it
// follows from the loss of fixed point.
static void suggest_bound(xc_compilation *c, const json_t *row, double bound) {
  // One bit more, where half of the ratio of powers is lost.
  const double more = 6, worth = 3;
  double fixed = xc_json_number(row, "fixed_sqnr_db");
  double found = xc_json_number(row, "sqnr_db");
  double least =
      -10 * log10(pow(10, -(bound + more) / 10) + pow(10, -fixed / 10));
  if (lost_of(row) < worth || least <= found + 1)
    return;
  xc_text_printf(&c->log,
                 "approximations take output '%s' from %.1f to %.1f dB: with "
                 "--approximate-bound=%g it keeps %.1f or so, in more cycles\n",
                 json_string_value(json_object_get(row, "name")), fixed, found,
                 bound + more, least);
}

// Trials are on some of the samples only, and of a large network on few.
static bool keep_bound(const xc_compilation *c, const json_t *approximations,
                       double bound) {
  const double tolerance = 0.1; // dB, the last digit that is printed
  size_t i;
  const json_t *row;
  bool all = true;
  json_array_foreach(json_object_get(approximations, "outputs"), i, row) {
    const json_t *found = json_object_get(row, "sqnr_db");
    double sqnr = json_number_value(found);
    if (!found || sqnr >= bound - tolerance)
      continue;
    all = false;
    xcDiagReport(c->diag, XcSeverityWarning, (XcPlace){c->options->model, 0, 0},
                 "approximations leave output '%s' %.1f dB, and "
                 "--approximate-bound asks for %.1f: a larger one asks more of "
                 "each layer",
                 json_string_value(json_object_get(row, "name")), sqnr, bound);
  }
  return all;
}

void xc_driver_judge_approximations(xc_compilation *c, const json_t *loss,
                                    const json_t *approximations) {
  if (!approximations)
    return;
  double bound = xc_json_number(approximations, "bound_db");
  const json_t *worst = find_worst(loss);
  if (keep_bound(c, approximations, bound) && worst)
    suggest_bound(c, worst, bound);
}

//===----------------------------------------------------------------------===//
// From the module
//===----------------------------------------------------------------------===//

static MlirWalkResult take_attribute(MlirOperation operation, void *user_data) {
  MlirAttribute *found = user_data;
  MlirStringRef name = mlirStringRefCreateFromCString(attribute_name);
  MlirAttribute attribute = mlirOperationGetAttributeByName(operation, name);
  if (mlirAttributeIsNull(attribute))
    return MlirWalkResultAdvance;
  *found = attribute;
  mlirOperationRemoveAttributeByName(operation, name);
  return MlirWalkResultInterrupt;
}

json_t *xc_driver_take_approximations(xc_compilation *c) {
  MlirAttribute found = {NULL};
  mlirOperationWalk(mlirModuleGetOperation(c->module), take_attribute, &found,
                    MlirWalkPreOrder);
  if (mlirAttributeIsNull(found))
    return NULL;
  json_t *approximations = entry_json(found);
  print_table(&c->log, approximations);
  return approximations;
}
