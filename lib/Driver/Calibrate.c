//===- Calibrate.c - the phase that quantises a model ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Approximations.h"
#include "KeepFloat.h"
#include "Loss.h"
#include "OwnPoints.h"
#include "Phases.h"
#include "Pictures.h"

#include "Frontend/Load/Load.h"
#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Diag.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/// A value of --weight-fix-points: whether the weights of a convolution have
/// fix points by group of channels, and the channels an order that suits the
/// groups.
typedef struct weight_points {
  const char *name;
  bool has_groups, sorts;
} weight_points;

static const weight_points *find_weight_points(const xc_compilation *c) {
  static const weight_points rows[] = {
      {"sorted", true, true}, {"groups", true, false}, {"one", false, false}};
  const char *name = c->options->weightFixPoints;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (!name || strcmp(rows[i].name, name) == 0)
      return &rows[i];
  xc_file_error(c->diag, c->options->model,
                "--weight-fix-points is '%s', expected one, groups or sorted",
                name);
  return NULL;
}

static void report_text(xc_compilation *c, XcSeverity severity,
                        const char *what, MlirAttribute text) {
  MlirStringRef string = mlirStringAttrGetValue(text);
  xcDiagReport(c->diag, severity, (XcPlace){c->options->model, 0, 0}, "%s%.*s",
               what, (int)string.length, string.data);
}

/// Reports the messages that tir-quantize left in an attribute of a function, a
/// string or an array of them, and removes the attribute.
static void report_texts(xc_compilation *c, XcSeverity severity,
                         const char *what, const char *attribute) {
  MlirBlock body = mlirModuleGetBody(c->module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute found = xc_op_attribute(op, attribute);
    if (mlirAttributeIsNull(found))
      continue;
    if (mlirAttributeIsAString(found))
      report_text(c, severity, what, found);
    for (intptr_t i = 0;
         mlirAttributeIsAArray(found) && i < mlirArrayAttrGetNumElements(found);
         ++i)
      report_text(c, severity, what, mlirArrayAttrGetElement(found, i));
    mlirOperationRemoveAttributeByName(op, xc_ref(attribute));
  }
}

/// Rejects options about a calibration, where there is none: the model needs
/// none, or there are no samples.
static bool check_uncalibrated(const xc_compilation *c,
                               const xc_own_points *own) {
  const XcCompileOptions *o = c->options;
  const struct {
    bool given;
    const char *name, *needs, *remedy;
  } rows[] = {
      {o->approximate, "approximate",
       "needs samples of the input to measure its loss", ""},
      // A model rounds half to even where a DPU rounds up.
      {o->validation, "validation", "judges a calibration",
       ": xc-eval --keep-qdq --float=MODEL says what its compiled form loses "
       "beside it"},
      {o->keepFloat, "keep-float",
       "is about what calibration turns into fixed point", ""},
      {o->weightFixPoints, "weight-fix-points",
       "is about what calibration chooses", ""},
      {o->hasMinSqnr, "min-sqnr", "limits what calibration loses", ""},
      {o->minAgreement > 0, "min-agreement", "limits what calibration loses",
       ""},
      {o->calibrationSamples > 0 && !o->calibration, "calibration-samples",
       "says how many samples calibration uses", ""},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].given)
      return own->has_fixed && !own->has_scaled
                 ? xc_file_error(c->diag, o->model,
                                 "--%s has no effect: the model already has "
                                 "power-of-two scales, so nothing is "
                                 "calibrated%s",
                                 rows[i].name, rows[i].remedy)
                 : xc_file_error(c->diag, o->model,
                                 "--%s %s: give --calibration=PATH, or "
                                 "--calibration=random",
                                 rows[i].name, rows[i].needs);
  return true;
}

static bool calibrate(xc_compilation *c) {
  const weight_points *points = find_weight_points(c);
  if (!points)
    return false;
  const char *calibration = c->options->calibration;
  if (strcmp(calibration, "random") == 0)
    xcDiagReport(c->diag, XcSeverityWarning, (XcPlace){c->options->model, 0, 0},
                 "made-up samples are not like pictures: ranges and bias "
                 "correction are only as good as the samples (--calibration)");
  char samples[32], group[32];
  snprintf(samples, sizeof samples, "%" PRId64, c->options->calibrationSamples);
  xc_text kept = {0};
  if (!xc_driver_list_kept(c, &kept)) {
    xc_text_free(&kept);
    return false;
  }
  // C source is for no target.
  snprintf(group, sizeof group, "%" PRId32,
           c->target && points->has_groups ? c->target->channelParallel : 0);
  const xc_option_value values[] = {
      {"calibration", calibration},
      {"requantize", "pof2"},
      {"target",
       c->options->target ? c->options->target : XC_DPU_DEFAULT_TARGET},
      {"loss", "true"},
      {"validation", c->options->validation},
      {"samples", samples},
      {"group-channels", group},
      {"sort-channels", points->sorts ? "true" : "false"},
      {"approximate", c->options->approximate},
      {"keep-float", xc_text_str(&kept)}};
  bool ok = xc_driver_run_pass(c, "tir-quantize", values,
                               sizeof(values) / sizeof(*values));
  xc_text_free(&kept);
  report_texts(c, XcSeverityWarning, "calibration: ", XC_NAME_SUSPECTS);
  report_texts(c, XcSeverityWarning, "calibration leaves out ",
               XC_NAME_OUTLIERS);
  report_texts(c, XcSeverityNote, "calibration leaves ", XC_NAME_STATISTICS);
  report_texts(c, XcSeverityNote, "calibration leaves ", XC_NAME_SPECTRA);
  if (ok) {
    xc_driver_note_samples(c);
    xc_driver_judge_pictures(c);
  }
  return ok;
}

bool xc_driver_quantize(xc_compilation *c, bool *done) {
  bool has_samples = c->options->calibration != NULL;
  xc_own_points own = xc_driver_own_points(c->module);
  *done = has_samples && (!own.has_fixed || own.has_scaled);
  if (!*done && !check_uncalibrated(c, &own))
    return false;
  if (has_samples)
    xc_driver_warn_of_own_points(c, &own);
  return !*done || calibrate(c);
}

/// Whether anything can be on the DPU without calibration.
static bool check_quantised(const xc_compilation *c) {
  xc_own_points own = xc_driver_own_points(c->module);
  if (own.has_fixed)
    return true;
  if (own.has_scaled)
    return xc_file_error(c->diag, c->options->model,
                         "the model is quantised with scales of any size, and "
                         "a DPU has powers of two: requantise it with samples "
                         "of its input by --calibration=PATH, or "
                         "--calibration=random");
  return xc_file_error(c->diag, c->options->model,
                       "no operator of the model is in fixed point: give "
                       "samples of its input by --calibration=PATH, or "
                       "--calibration=random");
}

static bool quantise(xc_compilation *c) {
  bool done;
  if (!xc_driver_quantize(c, &done))
    return false;
  if (!c->options->calibration)
    return check_quantised(c);
  return !done || (xc_phase_legalize(c) &&
                   (!c->options->approximate || xc_driver_approximate(c)));
}

bool xc_phase_quantize(xc_compilation *c) {
  const char *rounding = c->options->rounding;
  return quantise(c) &&
         (!rounding || xc_model_set_rounding(c->diag, c->module, rounding));
}
