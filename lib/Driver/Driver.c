//===- Driver.c - a model file in, xmodels and a report out ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Mixed.h"
#include "Objects.h"

#include "Frontend/Load/Load.h"
#include "IRReader/IRReader.h"
#include "Pipeline/Pipeline.h"
#include "Support/Diag.h"
#include "Target/DPU/CodeGen/Function/XModelOutput.h"
#include "xc-c/Partition.h"
#include "xc-c/XModelExport.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct compilation {
  XcDiag *diag;
  const XcCompileOptions *options;
  const XcDpuTarget *target;
  MlirContext context;
  MlirModule module;
  size_t num_temps;
  XcXModel *code;
  xc_mixed *mixed;
  json_t *kernels;   // names of DPU subgraphs
  json_t *times;     // one object for each
  json_t *placement; // or null
  xc_text log;       // written when everything went well
  xc_driver_outputs outputs;
} compilation;

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

static void append_text(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

// The module behind a phase, as DIRECTORY/00-import.mlir and so on.
static bool save_temp(compilation *c, const char *phase) {
  const char *directory = c->options->saveTemps;
  if (!directory)
    return true;
  xc_text path = {0}, text = {0};
  xc_text_printf(&path, "%s/%02zu-%s.mlir", directory, c->num_temps++, phase);
  mlirOperationPrint(mlirModuleGetOperation(c->module), append_text, &text);
  bool ok = xc_driver_make_directory(c->diag, directory, NULL) &&
            xc_write_file(c->diag, xc_text_str(&path), xc_text_str(&text),
                          text.length);
  xc_text_free(&path);
  xc_text_free(&text);
  return ok;
}

typedef struct option_value {
  const char *option, *value;
} option_value;

// Values do not go through pipeline syntax: they may hold any character.
static bool run_pass(compilation *c, const char *argument,
                     const option_value *given, size_t num_given) {
  const xc_pass_info *info = xc_pass_find(argument, strlen(argument));
  const char *values[XC_PASS_MAX_OPTIONS] = {0};
  for (size_t i = 0; i < info->num_options; ++i)
    for (size_t j = 0; j < num_given; ++j)
      if (strcmp(info->options[i].name, given[j].option) == 0)
        values[i] = given[j].value;
  MlirPassManager manager = mlirPassManagerCreate(c->context);
  mlirPassManagerAddOwnedPass(manager, xc_pass_create(info, values, NULL));
  bool ok = mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(c->module)));
  mlirPassManagerDestroy(manager);
  return ok && save_temp(c, argument);
}

static bool legalise(compilation *c) {
  const option_value target = {"target", c->options->target};
  return run_pass(c, "tir-canonicalize", NULL, 0) &&
         run_pass(c, "tir-legalize", &target, 1) &&
         run_pass(c, "tir-canonicalize", NULL, 0);
}

static MlirWalkResult find_fixed(MlirOperation operation, void *found) {
  static const char suffix[] = "-fix";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  size_t tail = sizeof(suffix) - 1;
  if (name.length <= tail ||
      memcmp(name.data + name.length - tail, suffix, tail) != 0)
    return MlirWalkResultAdvance;
  *(bool *)found = true;
  return MlirWalkResultInterrupt;
}

static bool is_quantised(MlirModule module) {
  bool found = false;
  mlirOperationWalk(mlirModuleGetOperation(module), find_fixed, &found,
                    MlirWalkPreOrder);
  return found;
}

static bool quantise(compilation *c) {
  const char *calibration = c->options->calibration;
  if (is_quantised(c->module))
    return !calibration ||
           xc_file_error(c->diag, c->options->model,
                         "the model is quantised, and calibration is for "
                         "models in floating point");
  if (!calibration)
    return xc_file_error(c->diag, c->options->model,
                         "no operator of the model is in fixed point: give "
                         "samples of its input by --calibration=PATH, or "
                         "--calibration=random");
  const option_value values[] = {{"calibration", calibration},
                                 {"requantize", "pof2"}};
  return run_pass(c, "tir-quantize", values, 2) && legalise(c);
}

static bool to_fixed_point(compilation *c) {
  const char *rounding = c->options->rounding;
  return run_pass(c, "tir-absorb-fix", NULL, 0) && legalise(c) && quantise(c) &&
         (!rounding || xc_model_set_rounding(c->diag, c->module, rounding));
}

//===----------------------------------------------------------------------===//
// Output files
//===----------------------------------------------------------------------===//

static void add_file(compilation *c, const char *suffix, void *data,
                     size_t size) {
  xc_text path = {0};
  xc_text_printf(&path, "%s/%s%s", c->options->directory, c->options->name,
                 suffix);
  xc_driver_outputs_add(&c->outputs, xc_text_str(&path), data, size);
  xc_text_free(&path);
}

static void add_xmodel(compilation *c, const char *suffix,
                       const XcXModel *model) {
  size_t size;
  void *data = xcXModelWriteToMemory(model, &size);
  add_file(c, suffix, data, size);
}

static void add_json(compilation *c, const char *path, json_t *value) {
  char *text = json_dumps(value, JSON_INDENT(1));
  size_t length = strlen(text);
  text = xc_realloc_array(text, length + 2, 1);
  text[length] = '\n';
  text[length + 1] = 0;
  xc_driver_outputs_add(&c->outputs, path, text, length + 1);
  json_decref(value);
}

static json_t *describe_files(const compilation *c) {
  const char *name = c->options->name;
  return json_pack("{ss so so sO}", "target", c->target->name, "filename",
                   json_sprintf("%s.xmodel", name), "original",
                   json_sprintf("%s_org.xmodel", name), "kernel", c->kernels);
}

static void add_descriptions(compilation *c) {
  xc_text path = {0};
  xc_text_printf(&path, "%s/meta.json", c->options->directory);
  add_json(c, xc_text_str(&path), describe_files(c));
  xc_text_free(&path);
  if (!c->options->report)
    return;
  json_t *report = describe_files(c);
  json_object_set(report, "placement", c->placement);
  json_object_set(report, "times", c->times);
  add_json(c, c->options->report, report);
}

//===----------------------------------------------------------------------===//
// Placement and code
//===----------------------------------------------------------------------===//

static bool export_original(compilation *c) {
  XcXModel *model = xcExportXModel(c->module);
  if (!model)
    return false;
  add_xmodel(c, "_org.xmodel", model);
  xcXModelDestroy(model);
  return true;
}

// Of the operators that might have been on the DPU, the one with most work.
static bool report_no_kernel(const compilation *c, XcPlacement placement) {
  XcPlacedOperator worst = {.reason = "it has no fixed-point operator"};
  for (size_t i = 0; i < xcPlacementGetNumOperators(placement); ++i) {
    XcPlacedOperator op = xcPlacementGetOperator(placement, i);
    if (strcmp(op.predicate, "boundary") != 0 &&
        (!worst.name || op.macs > worst.macs))
      worst = op;
  }
  return xc_file_error(c->diag, c->options->model,
                       "no operator of the model can run on target '%s'; "
                       "'%s' stays on the CPU: %s",
                       c->target->name, worst.name ? worst.name : "the model",
                       worst.reason);
}

static bool outline(compilation *c, XcPlacement placement) {
  if (mlirLogicalResultIsFailure(
          xcPlacementRequireOffload(placement, c->options->requireOffload)))
    return false;
  if (xcPlacementGetSummary(placement).numSubgraphs[XcDeviceDPU] == 0)
    return report_no_kernel(c, placement);
  char *table = xcPlacementToTable(placement, XcPlacementTableKinds);
  xc_text_puts(&c->log, table);
  free(table);
  char *json = xcPlacementToJson(placement);
  c->placement = json_loads(json, 0, NULL);
  free(json);
  xcPlacementOutline(placement);
  c->mixed = xc_mixed_create(c->module);
  return save_temp(c, "tir-partition");
}

// The original is written first: it is one function.
static bool place(compilation *c) {
  if (!export_original(c))
    return false;
  XcPlacementOptions options = xcPlacementOptionsDefault();
  options.placementFile = c->options->placement;
  XcPlacement placement =
      xcPlacementCreate(mlirModuleGetOperation(c->module), c->target, &options);
  if (xcPlacementIsNull(placement))
    return false;
  bool ok = outline(c, placement);
  xcPlacementDestroy(placement);
  return ok;
}

static bool time_kernel(compilation *c, const xc_dpu_function *function) {
  XcDpuTimeline *timeline = xcDpuTimelineCreate(c->diag, function->program);
  if (!timeline)
    return false;
  char *table = xcDpuTimelineToTable(timeline);
  xc_text_printf(&c->log, "\n%s\n%s", function->name, table);
  free(table);
  char *json = xcDpuTimelineToJson(timeline);
  json_array_append_new(c->times, json_loads(json, 0, NULL));
  free(json);
  xcDpuTimelineDestroy(timeline);
  return true;
}

static bool compile_kernel(void *user_data, MlirOperation func) {
  compilation *c = user_data;
  xc_dpu_function function;
  bool ok = xc_dpu_compile_function(c->diag, c->target, func, &function) &&
            time_kernel(c, &function);
  if (ok) {
    xc_mixed_before(c->mixed, c->code, function.name);
    xc_dpu_add_to_xmodel(c->code, c->target, &function, NULL);
    xc_mixed_behind(c->mixed, c->code);
    json_array_append_new(c->kernels, json_string(function.name));
  }
  xc_dpu_function_free(&function);
  return ok;
}

static bool generate(compilation *c) {
  c->code = xcXModelCreate(c->options->name);
  c->kernels = json_array();
  c->times = json_array();
  xc_mixed_begin(c->mixed, c->code);
  if (!run_pass(c, "global-bufferize", NULL, 0) ||
      !run_pass(c, "convert-tir-to-mtir", NULL, 0) ||
      !run_pass(c, "mtir-eliminate-copies", NULL, 0) ||
      !xc_dpu_for_each_function(mlirModuleGetOperation(c->module),
                                compile_kernel, c))
    return false;
  xc_mixed_end(c->mixed, c->code);
  xc_driver_add_objects(c->code, c->options->cpu, &c->log);
  add_xmodel(c, ".xmodel", c->code);
  add_descriptions(c);
  return true;
}

//===----------------------------------------------------------------------===//
// The whole way
//===----------------------------------------------------------------------===//

static bool compile_file(compilation *c, const xc_buffer *file) {
  c->module = xc_model_load(c->diag, c->context, c->options->model, file,
                            &c->options->import);
  bool ok =
      !mlirModuleIsNull(c->module) && save_temp(c, "import") &&
      to_fixed_point(c) && place(c) && generate(c) &&
      xc_driver_outputs_write(c->diag, &c->outputs, c->options->directory);
  if (ok && c->options->log)
    fputs(xc_text_str(&c->log), c->options->log);
  return ok;
}

static bool compile_in_context(compilation *c, const xc_buffer *file) {
  xc_translate_input input = {c->options->model, file->data, file->size, 1};
  c->context = xc_context_create(false);
  xc_diagnostic_bridge bridge = {.input = &input};
  xc_bridge_attach(&bridge, c->context, c->diag);
  bool ok = compile_file(c, file);
  if (!mlirModuleIsNull(c->module))
    mlirModuleDestroy(c->module);
  xc_bridge_detach(&bridge);
  mlirContextDestroy(c->context);
  return ok;
}

static bool compile_for_target(compilation *c) {
  xc_buffer file;
  if (!xc_read_file(c->diag, c->options->model, &file))
    return false;
  bool ok = compile_in_context(c, &file);
  xc_buffer_free(&file);
  return ok;
}

static bool check_options(XcDiag *diag, const XcCompileOptions *options) {
  if (!*options->name || strchr(options->name, '/'))
    return xc_file_error(diag, NULL,
                         "output name '%s' is none: expected a name without "
                         "directories",
                         options->name);
  return true;
}

bool xcCompile(XcDiag *diag, const XcCompileOptions *options) {
  if (!check_options(diag, options))
    return false;
  compilation c = {.diag = diag, .options = options};
  c.target = xcDpuTargetCreate(diag, options->target);
  bool ok = c.target && compile_for_target(&c);
  xc_mixed_destroy(c.mixed);
  xcXModelDestroy(c.code);
  json_decref(c.kernels);
  json_decref(c.times);
  json_decref(c.placement);
  xc_text_free(&c.log);
  xc_driver_outputs_free(&c.outputs);
  xcDpuTargetDestroy(c.target);
  return ok;
}
