//===- Steps.c - each phase of a compilation ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Approximations.h"
#include "KeepFloat.h"
#include "Objects.h"
#include "OwnPoints.h"
#include "Phases.h"
#include "Pictures.h"
#include "Report/Report.h"
#include "Standard.h"

#include "Frontend/Load/Load.h"
#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Json.h"
#include "Support/Names.h"
#include "Target/DPU/CodeGen/Lower/XModelOutput.h"
#include "xc-c/XModelExport.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Sets `found` if a function has results.
static MlirWalkResult find_result(MlirOperation operation, void *found) {
  MlirAttribute type = mlirOperationGetAttributeByName(
      operation, mlirStringRefCreateFromCString("function_type"));
  if (mlirAttributeIsNull(type) || !mlirAttributeIsAType(type))
    return MlirWalkResultAdvance;
  *(bool *)found |=
      mlirFunctionTypeGetNumResults(mlirTypeAttrGetValue(type)) > 0;
  return MlirWalkResultSkip;
}

/// Whether the model has outputs. Those of a module that was saved after a
/// later phase may be arguments.
static bool check_outputs(const xc_compilation *c) {
  bool found = c->options->compileFrom != NULL;
  mlirOperationWalk(mlirModuleGetOperation(c->module), find_result, &found,
                    MlirWalkPreOrder);
  return found ||
         xc_file_error(c->diag, c->options->model, "the model has no outputs");
}

bool xc_phase_import(xc_compilation *c) {
  XcImportOptions import = c->options->import;
  // A DPU quantises by scales that calibration fixes, not by those that
  // TensorFlow Lite finds while it runs.
  import.dequantizeWeights = true;
  import.signBytes = true;
  c->module =
      xc_model_load(c->diag, c->context, c->options->model, &c->file, &import);
  if (mlirModuleIsNull(c->module))
    return false;
  xc_driver_note_kept(c);
  xc_driver_note_arithmetic(c);
  bool ok = xc_driver_round_biases(c) &&
            xc_driver_drop_own_points(c, &import) && check_outputs(c);
  // Bytecode may be read where it lies. Others have been copied.
  if (!xc_model_is_mlir(c->options->model, &c->file))
    xc_buffer_free(&c->file);
  return ok;
}

bool xc_phase_absorb_fix(xc_compilation *c) {
  return xc_driver_run_pass(c, "tir-widen", NULL, 0) &&
         xc_driver_run_pass(c, "tir-absorb-fix", NULL, 0);
}

static bool legalize(xc_compilation *c) {
  const xc_option_value values[] = {{"target", c->options->target},
                                    {"keep-float", c->options->keepFloat}};
  return xc_driver_run_pass(c, "tir-legalize", values,
                            sizeof(values) / sizeof(*values)) &&
         xc_driver_run_pass(c, "tir-canonicalize", NULL, 0);
}

// Legalising twice: the operators that stand for a product may let others be
// simplified, and these be rewritten in turn, such as the gates of a signal,
// and the mean after the last one.
bool xc_phase_legalize(xc_compilation *c) {
  return xc_driver_run_pass(c, "tir-canonicalize", NULL, 0) && legalize(c) &&
         xc_driver_run_pass(c, "tir-absorb-fix", NULL, 0) &&
         xc_driver_run_pass(c, "tir-canonicalize", NULL, 0) && legalize(c);
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

/// Writes the model as an xmodel, before it is divided. Other tools know one
/// fix point for each tensor.
static bool export_original(xc_compilation *c) {
  MlirModule whole = c->module;
  c->module = mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(whole)));
  XcXModel *model = xc_driver_run_pass(c, "tir-split-fix-points", NULL, 0)
                        ? xcExportXModel(c->module)
                        : NULL;
  mlirModuleDestroy(c->module);
  c->module = whole;
  if (!model)
    return false;
  c->original.data = xcXModelWriteToMemory(model, &c->original.size);
  xcXModelDestroy(model);
  return true;
}

/// Returns the operator with most work of those on the CPU that might have been
/// on the DPU; its name is null if there is none.
static XcPlacedOperator find_most_work(XcPlacement placement) {
  XcPlacedOperator most = {.reason = "it has no fixed-point operator"};
  for (size_t i = 0; i < xcPlacementGetNumOperators(placement); ++i) {
    XcPlacedOperator op = xcPlacementGetOperator(placement, i);
    if (op.device == XcDeviceCPU && !op.isBorder &&
        (!most.name || op.macs > most.macs))
      most = op;
  }
  return most;
}

static bool report_no_kernel(const xc_compilation *c, XcPlacement placement) {
  XcPlacedOperator most = find_most_work(placement);
  return xc_file_error(c->diag, c->options->model,
                       "no operator of the model can run on target '%s'; "
                       "'%s' stays on the CPU: %s%s",
                       c->target->name, most.name ? most.name : "the model",
                       most.reason, xc_driver_own_points_remedy(c));
}

/// Warns when most of the work is on the CPU and no option asked for that.
static void warn_of_work(const xc_compilation *c, XcPlacement placement) {
  XcPlacementSummary summary = xcPlacementGetSummary(placement);
  int64_t here = summary.macs[XcDeviceCPU], all = here;
  const XcCompileOptions *o = c->options;
  all += summary.macs[XcDeviceDPU];
  if (2 * here <= all || o->placement || o->keepFloat || o->requireOffload > 0)
    return;
  XcPlacedOperator most = find_most_work(placement);
  xcDiagReport(c->diag, XcSeverityWarning, (XcPlace){o->model, 0, 0},
               "%.0f%% of the multiply-accumulates run on the CPU; '%s' with "
               "%.0f%% of all: %s",
               100.0 * (double)here / (double)all, most.name,
               100.0 * (double)most.macs / (double)all, most.reason);
}

static bool outline(xc_compilation *c, XcPlacement placement) {
  if (mlirLogicalResultIsFailure(
          xcPlacementRequireOffload(placement, c->options->requireOffload)))
    return false;
  if (xcPlacementGetSummary(placement).numSubgraphs[XcDeviceDPU] == 0)
    return report_no_kernel(c, placement);
  warn_of_work(c, placement);
  char *table = xcPlacementToTable(placement, XcPlacementTableKinds);
  xc_text_puts(&c->log, table);
  free(table);
  char *json = xcPlacementToJson(placement);
  c->placement = json_loads(json, 0, NULL);
  free(json);
  xc_driver_suggest_approximations(c, placement);
  xcPlacementOutline(placement);
  c->mixed = xc_mixed_create(c->module);
  return true;
}

static bool divide(xc_compilation *c) {
  XcPlacementOptions options = xcPlacementOptionsDefault();
  options.placementFile = c->options->placement;
  options.dropIslands = c->options->dropIslands;
  options.isStandard = xc_standard_has_form;
  XcPlacement placement =
      xcPlacementCreate(mlirModuleGetOperation(c->module), c->target, &options);
  if (xcPlacementIsNull(placement))
    return false;
  for (size_t i = 0; i < xcPlacementGetNumUnusedRules(placement); ++i) {
    XcUnusedRule rule = xcPlacementGetUnusedRule(placement, i);
    xcDiagReport(c->diag, XcSeverityWarning, rule.place, "%s", rule.text);
  }
  bool ok = outline(c, placement);
  xcPlacementDestroy(placement);
  return ok;
}

// The original is written first: it is one function.
bool xc_phase_partition(xc_compilation *c) {
  json_t *approximations = xc_driver_take_approximations(c);
  json_t *loss = xc_driver_take_json(c, XC_NAME_LOSS);
  json_t *rounded = xc_driver_take_json(c, XC_NAME_ROUNDED_BIASES);
  bool ok = export_original(c) && divide(c);
  if (ok && approximations)
    json_object_set(c->placement, "approximations", approximations);
  xc_driver_add_approximation_loss(loss, approximations);
  if (ok)
    xc_driver_judge_approximations(c, loss, approximations);
  if (ok && loss)
    json_object_set(c->placement, "loss", loss);
  if (ok && rounded)
    json_object_set(c->placement, "rounded_biases", rounded);
  json_decref(rounded);
  json_decref(approximations);
  json_decref(loss);
  return ok;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

bool xc_phase_bufferize(xc_compilation *c) {
  return xc_driver_run_pass(c, "global-bufferize", NULL, 0);
}

bool xc_phase_convert(xc_compilation *c) {
  return xc_driver_run_pass(c, "convert-tir-to-mtir", NULL, 0);
}

bool xc_phase_eliminate_copies(xc_compilation *c) {
  return xc_driver_run_pass(c, "mtir-eliminate-copies", NULL, 0);
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

static void append_text(void *text, const char *piece, size_t length) {
  xc_text_append(text, piece, length);
}

/// Writes the code as text, for --save-temps.
static bool save_listing(xc_compilation *c, const xc_dpu_function *function) {
  const char *directory = c->options->saveTemps;
  if (!directory)
    return true;
  xc_text path = {0}, text = {0};
  xc_text_printf(&path, "%s/%02zu-%s-", directory, c->phase,
                 xcCompilePhaseGetName(c->phase));
  xc_text_file_name(&path, function->name, strlen(function->name));
  xc_text_puts(&path, ".asm");
  bool ok = xcDpuCodeGenPrint(function->gen, c->diag, append_text, &text) &&
            xc_driver_make_directory(c->diag, directory, NULL) &&
            xc_write_file(c->diag, xc_text_str(&path), xc_text_str(&text),
                          text.length);
  xc_text_free(&path);
  xc_text_free(&text);
  return ok;
}

static bool add_kernel(xc_compilation *c, const xc_dpu_function *function) {
  if (!xc_mixed_expects(c->mixed, function->name))
    return xc_file_error(c->diag, c->options->model,
                         "function '%s' is not the next part that the model "
                         "calls",
                         function->name);
  json_t *report = xc_driver_report_kernel(c, function);
  if (!report || !save_listing(c, function)) {
    json_decref(report);
    return false;
  }
  json_array_append_new(c->subgraphs, report);
  xc_mixed_before(c->mixed, c->code, function->name);
  const xc_dpu_xmodel_options options = {.no_layer_code =
                                             c->options->noLayerCode,
                                         .is_kept = xc_mixed_is_kept,
                                         .user_data = c->mixed};
  xc_dpu_add_to_xmodel(c->code, c->target, function, &options);
  xc_mixed_behind(c->mixed, c->code, function);
  json_array_append_new(c->kernels, xc_json_text(function->name));
  return true;
}

static bool compile_kernel(void *user_data, MlirOperation func) {
  xc_compilation *c = user_data;
  xc_dpu_function function;
  const xc_dpu_schedule_options options = {
      .effort = c->options->hasEffort ? c->options->effort : XcDpuEffortDefault,
      .has_byte_price = c->options->hasBytePrice,
      .byte_price = c->options->bytePrice,
      .progress = {xc_driver_report_progress, c}};
  bool ok =
      xc_dpu_compile_function(c->diag, c->target, func, &options, &function) &&
      add_kernel(c, &function);
  xc_dpu_function_free(&function);
  return ok;
}

/// Keeps in the xmodel how pictures become inputs.
static bool keep_preprocess(xc_compilation *c) {
  MlirBlock body = mlirModuleGetBody(c->module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    xc_preprocess how;
    if (mlirAttributeIsNull(xc_op_attribute(op, XC_PREPROCESS)))
      continue;
    if (!xc_model_preprocess(c->diag, c->options->model, op, &how))
      return false;
    xc_text text = {0};
    xc_preprocess_print(&how, &text);
    if (text.length)
      xcXModelAttrsSetString(xcXModelGetAttrs(c->code), XC_PREPROCESS,
                             xc_text_str(&text));
    xc_text_free(&text);
    break;
  }
  return true;
}

bool xc_phase_codegen(xc_compilation *c) {
  c->code = xcXModelCreate(c->options->name);
  if (!keep_preprocess(c))
    return false;
  xc_text source = {0};
  xc_text_printf(&source, "%s_org.xmodel", c->options->name);
  xcXModelSetSource(c->code, xc_text_str(&source), c->original.data,
                    c->original.size);
  xc_text_free(&source);
  c->kernels = json_array();
  c->subgraphs = json_array();
  xc_mixed_begin(c->mixed, c->code);
  if (!xc_dpu_for_each_function(mlirModuleGetOperation(c->module),
                                compile_kernel, c))
    return false;
  xc_mixed_end(c->mixed, c->code);
  c->board = xc_mixed_ways(c->mixed);
  xc_mixed_print_ways(c->mixed, &c->log);
  xc_driver_add_objects(c->code, c->options->cpu, c->target,
                        c->options->kernels, &c->log);
  return xcXModelSeal(c->diag, c->code);
}
