//===- OwnPoints.c - models that bring fix points of their own ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model whose scales are powers of two is compiled as it is. That is exact
// where its integers are those of a DPU: signed bytes, a bias of eight bits,
// one fix point for the weights. Training for powers of two often ends with
// others, with which a convolution would stay on the CPU. A bias in floating
// point or of 32 bits, as exporters write it, is rounded, and unsigned results
// lose their last bit: that costs less than to give up what was trained. A
// scale for each channel remains. Where most layers have such and there are
// samples, the model is read once more without its fix points, and is quantised
// as one with scales of any size.
//
//===----------------------------------------------------------------------===//

#include "OwnPoints.h"
#include "Phases.h"

#include "Frontend/Load/Load.h"
#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Json.h"
#include "dialects/Adaptor.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/// Whether an operator does the work of a network, in fixed point or not.
static bool does_work(xc_op_kind kind) {
  switch (kind) {
  case XC_TIR_CONV2D:
  case XC_TIR_CONV2D_FIX:
  case XC_TIR_DEPTHWISE_CONV2D:
  case XC_TIR_DEPTHWISE_CONV2D_FIX:
  case XC_TIR_TRANSPOSED_CONV2D:
  case XC_TIR_TRANSPOSED_CONV2D_FIX:
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D:
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX:
  case XC_TIR_MATMUL:
  case XC_TIR_MATMUL_FIX:
    return true;
  default:
    return false;
  }
}

static bool has_bytes(MlirValue value) {
  xc_shape shape;
  return xc_shape_of_type(mlirValueGetType(value), &shape) &&
         shape.element == XC_ELEMENT_I8;
}

/// Whether all tensors of an operator have signed bytes, as a DPU computes.
static bool has_signed_bytes(MlirOperation operation) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i)
    if (!has_bytes(mlirOperationGetOperand(operation, i)))
      return false;
  return has_bytes(mlirOperationGetResult(operation, 0));
}

static bool has_prefix(MlirStringRef name, const char *prefix) {
  size_t length = strlen(prefix);
  return name.length > length && memcmp(name.data, prefix, length) == 0;
}

static bool has_suffix(MlirStringRef name, const char *suffix) {
  size_t length = strlen(suffix);
  return name.length > length &&
         memcmp(name.data + name.length - length, suffix, length) == 0;
}

static MlirWalkResult note_operator(MlirOperation operation, void *found) {
  xc_own_points *own = found;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  own->has_boundary |= xc_op_is(operation, "tir.float2fix") ||
                       xc_op_is(operation, "tir.fix2float");
  own->has_scaled |= xc_op_is(operation, "tir.quantize-linear") ||
                     has_prefix(name, "tir.qlinear-");
  const xc_op_info *info = xc_op_info_of(operation);
  bool is_fix = has_suffix(name, "-fix"), moves = info && info->only_moves;
  own->has_fixed |= is_fix && !moves;
  own->has_moved |= is_fix && moves;
  // A module that was saved later has other dialects.
  if (info && info->dialect == XC_DIALECT_TIR && does_work(info->kind)) {
    ++own->num_working;
    own->num_misfits += !has_signed_bytes(operation);
  }
  return MlirWalkResultAdvance;
}

xc_own_points xc_driver_own_points(MlirModule module) {
  xc_own_points own = {.has_fixed = false};
  mlirOperationWalk(mlirModuleGetOperation(module), note_operator, &own,
                    MlirWalkPreOrder);
  // Beside scales of any size alone, integers that are moved have such.
  own.has_fixed |= own.has_moved && (own.has_boundary || !own.has_scaled);
  return own;
}

void xc_driver_warn_of_own_points(const xc_compilation *c,
                                  const xc_own_points *own) {
  if (own->has_fixed)
    xcDiagReport(c->diag, XcSeverityWarning, (XcPlace){c->options->model, 0, 0},
                 own->has_scaled
                     ? "operators whose scales are powers of two keep the "
                       "ranges of the model: calibration is for the others"
                     : "the model is quantised with powers of two as scales: "
                       "its own ranges are used, and no calibration");
}

static bool mostly_misfits(const xc_own_points *own) {
  return own->has_fixed && 2 * own->num_misfits > own->num_working;
}

const char *xc_driver_own_points_remedy(const xc_compilation *c) {
  const XcCompileOptions *o = c->options;
  return !o->calibration && !o->import.keepQdq && c->has_misfits
             ? "; the model's integers are not those of a DPU: quantise it "
               "anew, with samples of its input, by --calibration=PATH"
             : "";
}

//===----------------------------------------------------------------------===//
// Biases
//===----------------------------------------------------------------------===//

bool xc_driver_round_biases(xc_compilation *c) {
  xc_own_points own = xc_driver_own_points(c->module);
  if (own.num_misfits == 0 || !(own.has_fixed || own.has_boundary))
    return true;
  char group[32];
  snprintf(group, sizeof group, "%" PRId32,
           c->target ? c->target->channelParallel : 0);
  const xc_option_value floats = {"round-bias", "true"};
  const xc_option_value groups = {"group-channels", group};
  return xc_driver_run_pass(c, "tir-absorb-fix", &floats, 1) &&
         xc_driver_run_pass(c, "tir-round-bias", &groups, 1);
}

static void print_layers(const json_t *above_half, xc_text *text) {
  enum { MOST = 3 };
  size_t i, count = json_array_size(above_half);
  const json_t *row;
  json_array_foreach(above_half, i, row) {
    if (i == MOST)
      break;
    xc_text_printf(text, "%s'%s' (%.1f)",
                   i ? ", " : "; more than half a step: ",
                   json_string_value(json_object_get(row, "name")),
                   xc_json_number(row, "error"));
  }
  if (count > MOST)
    xc_text_printf(text, " and %zu more", count - MOST);
}

static void warn_of_rounded_biases(const xc_compilation *c) {
  json_t *rounded = xc_driver_read_json(c, XC_NAME_ROUNDED_BIASES);
  json_int_t count = json_integer_value(json_object_get(rounded, "layers")) -
                     json_integer_value(json_object_get(rounded, "exact"));
  if (count > 0) {
    xc_text text = {0};
    xc_text_printf(&text,
                   count > 1 ? "the biases of %d layers are"
                             : "the bias of %d layer is",
                   (int)count);
    xc_text_printf(
        &text,
        " rounded to the 8 bits of a DPU, by at most %.2f steps of a result "
        "('%s')",
        xc_json_number(rounded, "largest_error"),
        json_string_value(json_object_get(rounded, "layer")));
    print_layers(json_object_get(rounded, "above_half"), &text);
    xcDiagReport(c->diag, XcSeverityWarning, (XcPlace){c->options->model, 0, 0},
                 "%s", xc_text_str(&text));
    xc_text_free(&text);
  }
  json_decref(rounded);
}

static void warn_of_halved(const xc_compilation *c) {
  MlirBlock body = mlirModuleGetBody(c->module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute halved = xc_op_attribute(op, XC_NAME_HALVED);
    if (mlirAttributeIsNull(halved))
      continue;
    int64_t count = mlirIntegerAttrGetValueInt(halved);
    xcDiagReport(c->diag, XcSeverityWarning, (XcPlace){c->options->model, 0, 0},
                 "%" PRId64 " tensor%s of unsigned bytes lose%s the last bit, "
                 "as a DPU has signed ones",
                 count, count == 1 ? "" : "s", count == 1 ? "s" : "");
    mlirOperationRemoveAttributeByName(op, xc_ref(XC_NAME_HALVED));
  }
}

static void warn_of_losses(const xc_compilation *c) {
  warn_of_halved(c);
  warn_of_rounded_biases(c);
}

//===----------------------------------------------------------------------===//
// Quantising anew
//===----------------------------------------------------------------------===//

bool xc_driver_drop_own_points(xc_compilation *c,
                               const XcImportOptions *options) {
  xc_own_points own = xc_driver_own_points(c->module);
  c->has_misfits = mostly_misfits(&own);
  if (!c->has_misfits || !c->options->calibration || options->keepQdq) {
    warn_of_losses(c);
    return true;
  }
  XcImportOptions import = *options;
  import.keepQdq = true;
  MlirModule other =
      xc_model_load(c->diag, c->context, c->options->model, &c->file, &import);
  if (mlirModuleIsNull(other))
    return false;
  xc_own_points left = xc_driver_own_points(other);
  if (left.has_fixed) { // of a format that has no pairs to be kept
    mlirModuleDestroy(other);
    return true;
  }
  mlirModuleDestroy(c->module);
  c->module = other;
  xcDiagReport(c->diag, XcSeverityWarning, (XcPlace){c->options->model, 0, 0},
               "the scales of the model are powers of two, but %zu of its %zu "
               "convolutions and products have other integers than a DPU: it "
               "is quantised anew from the samples",
               own.num_misfits, own.num_working);
  return true;
}
