//===- Phases.c - the phases of a compilation -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phases.h"

#include "IR/IR.h"
#include "Pipeline/Pipeline.h"
#include "Support/Diag.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <string.h>

typedef struct phase_row {
  const char *name;
  const char *meaning;
  bool (*run)(xc_compilation *c);
} phase_row;

static const phase_row phases[] = {
    {"import", "read the model file as tir", xc_phase_import},
    {"absorb-fix", "fix operators become part of the operators around them",
     xc_phase_absorb_fix},
    {"legalize", "simpler operators, and forms that a DPU has",
     xc_phase_legalize},
    {"quantize", "int8 by calibration, for models in floating point",
     xc_phase_quantize},
    {"partition", "divide the operators between DPU and CPU",
     xc_phase_partition},
    {"bufferize", "tensors become buffers", xc_phase_bufferize},
    {"convert", "tir becomes mtir", xc_phase_convert},
    {"eliminate-copies", "without the redundant copies",
     xc_phase_eliminate_copies},
    {"codegen", "machine code, xmodel and reports", xc_phase_codegen},
};
enum { NUM_PHASES = sizeof(phases) / sizeof(*phases) };

size_t xcCompileGetNumPhases(void) { return NUM_PHASES; }

const char *xcCompilePhaseGetName(size_t index) {
  assert(index < NUM_PHASES && "phases are counted from 0 here");
  return phases[index].name;
}

const char *xcCompilePhaseGetMeaning(size_t index) {
  assert(index < NUM_PHASES && "phases are counted from 0 here");
  return phases[index].meaning;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

void xc_driver_report_progress(void *compilation, const char *work, size_t done,
                               size_t total) {
  const xc_compilation *c = compilation;
  if (!c->options->progress)
    return;
  const XcCompileProgress progress = {.phase = phases[c->phase].name,
                                      .number = c->phase + 1,
                                      .numPhases = NUM_PHASES,
                                      .work = work,
                                      .done = done,
                                      .total = total};
  c->options->progress(c->options->progressData, &progress);
}

bool xc_driver_run_pass(xc_compilation *c, const char *argument,
                        const xc_option_value *given, size_t num_given) {
  const xc_pass_info *info = xc_pass_find(argument, strlen(argument));
  const char *values[XC_PASS_MAX_OPTIONS] = {0};
  for (size_t i = 0; i < info->num_options; ++i)
    for (size_t j = 0; j < num_given; ++j)
      if (strcmp(info->options[i].name, given[j].option) == 0)
        values[i] = given[j].value;
  const xc_pipeline_hooks hooks = {.progress = {xc_driver_report_progress, c}};
  MlirPassManager manager = mlirPassManagerCreate(c->context);
  mlirPassManagerAddOwnedPass(manager, xc_pass_create(info, values, &hooks));
  bool ok = mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(c->module)));
  mlirPassManagerDestroy(manager);
  return ok;
}

/// Returns the function that has an attribute of that name; null if none has.
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
// Running
//===----------------------------------------------------------------------===//

/// Returns a phase after which a module can be saved; NUM_PHASES after a
/// diagnostic.
static size_t find_phase(XcDiag *diag, const char *option, const char *name) {
  for (size_t i = 0; i + 1 < NUM_PHASES; ++i)
    if (strcmp(phases[i].name, name) == 0)
      return i;
  bool is_last = strcmp(phases[NUM_PHASES - 1].name, name) == 0;
  xc_text known = {0};
  for (size_t i = 0; i + 1 < NUM_PHASES; ++i)
    xc_text_printf(&known, i ? ", %s" : "%s", phases[i].name);
  xc_file_error(diag, NULL, "%s: '%s' is %s, expected one of %s", option, name,
                is_last ? "the last phase, after which there is no module"
                        : "not a phase",
                xc_text_str(&known));
  xc_text_free(&known);
  return NUM_PHASES;
}

static bool save_temp(xc_compilation *c) {
  if (!c->options->saveTemps || c->phase + 1 == NUM_PHASES)
    return true;
  xc_text stem = {0};
  xc_text_printf(&stem, "%02zu-%s", c->phase, phases[c->phase].name);
  bool ok = xc_driver_save(c, c->options->saveTemps, xc_text_str(&stem));
  xc_text_free(&stem);
  return ok;
}

/// Whether the phases that given options belong to are among those that run:
/// they were not done already, and the compilation does not stop before them.
static bool check_phases(const xc_compilation *c, size_t first, size_t last) {
  const XcCompileOptions *o = c->options;
  const struct {
    bool given;
    const char *option;
    bool (*phase)(xc_compilation *c);
  } rows[] = {
#define XC_DRIVER_OPTION(given, name, phase, emit) {given, name, phase},
#include "Options.def"
  };
  for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); ++r)
    for (size_t i = 0; i < NUM_PHASES; ++i) {
      if (!rows[r].given || rows[r].phase != phases[i].run ||
          (i >= first && i <= last))
        continue;
      bool is_done = i < first;
      return xc_file_error(c->diag, NULL,
                           "option '%s' belongs to phase '%s', which "
                           "--compile-%s=%s leaves out",
                           rows[r].option, phases[i].name,
                           is_done ? "from" : "to",
                           is_done ? o->compileFrom : o->compileTo);
    }
  return true;
}

bool xc_driver_run_phases(xc_compilation *c) {
  const XcCompileOptions *o = c->options;
  size_t first = 0, last = NUM_PHASES - 1;
  if (o->compileTo) {
    last = find_phase(c->diag, "--compile-to", o->compileTo);
    if (last == NUM_PHASES)
      return false;
  }
  if (o->compileFrom) {
    first = find_phase(c->diag, "--compile-from", o->compileFrom) + 1;
    if (first > NUM_PHASES)
      return false;
  }
  if (first > last)
    return xc_file_error(c->diag, NULL,
                         "nothing is left to do between phases '%s' and '%s'",
                         o->compileFrom, o->compileTo);
  if (!check_phases(c, first, last))
    return false;
  if (o->compileFrom) {
    if (!xc_driver_resume(c, o->compileFrom))
      return false;
    xc_driver_keep_divided(c);
  }
  for (c->phase = first;; ++c->phase) {
    xc_driver_report_progress(c, NULL, 0, 0);
    if (!phases[c->phase].run(c) || !save_temp(c))
      return false;
    if (c->phase == last)
      break;
    xc_driver_keep_divided(c);
  }
  if (o->compileTo)
    xc_driver_add_saved(c);
  return true;
}
