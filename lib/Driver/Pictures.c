//===- Pictures.c - whether an input gets the pixels it expects -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model that takes normalised pictures is at chance with pixels of 0 to 255,
// and fixed point agrees with it there as well as anywhere: no loss shows it.
// Nor does the model tell what it expects. Some networks do take pixels as they
// are; others normalise them by their first operators. So these operators are
// looked at, and what remains large is a note: an error of who compiles, or
// what the model wants.
//
//===----------------------------------------------------------------------===//

#include "Pictures.h"
#include "Phases.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Json.h"
#include "dialects/Adaptor.h"
#include "dialects/Build.h"

#include <math.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Arithmetic of the model
//===----------------------------------------------------------------------===//

/// Finds the numbers of a constant, one or one for each channel.
static bool find_constant(MlirValue value, double *numbers) {
  MlirOperation op = xc_constant_of(value);
  xc_shape shape;
  if (mlirOperationIsNull(op) ||
      !xc_shape_of_type(mlirValueGetType(value), &shape) ||
      shape.element != XC_ELEMENT_F32)
    return false;
  int64_t count = xc_shape_num_elements(&shape);
  if (count != 1 && count != XC_MAX_CHANNELS)
    return false;
  size_t size;
  void *copy;
  const float *found = xc_const_contents(op, &size, &copy);
  for (size_t c = 0; found && c < XC_MAX_CHANNELS; ++c)
    numbers[c] = (double)found[count == 1 ? 0 : c];
  free(copy);
  return found;
}

static void multiply(xc_input_arithmetic *a, size_t channel, double factor) {
  a->factors[channel] *= factor;
  a->offsets[channel] *= factor;
}

static bool follow_binary(xc_op_kind kind, bool is_second, size_t channel,
                          double number, xc_input_arithmetic *a) {
  switch (kind) {
  case XC_TIR_SUB:
    if (is_second) { // number - x
      multiply(a, channel, -1);
      a->offsets[channel] += number;
    } else {
      a->offsets[channel] -= number;
    }
    return true;
  case XC_TIR_ADD:
    a->offsets[channel] += number;
    return true;
  case XC_TIR_DIV:
    if (is_second || number == 0)
      return false;
    multiply(a, channel, 1 / number);
    return true;
  case XC_TIR_MUL:
    multiply(a, channel, number);
    return true;
  default:
    return false;
  }
}

static bool is_binary(xc_op_kind kind) {
  return kind == XC_TIR_ADD || kind == XC_TIR_SUB || kind == XC_TIR_MUL ||
         kind == XC_TIR_DIV;
}

/// Whether pixels stay what they are.
static bool keeps_pixels(const xc_op_info *info) {
  return info->only_moves || info->kind == XC_TIR_CAST ||
         info->kind == XC_TIR_GATHER || info->kind == XC_TIR_PAD ||
         info->kind == XC_TIR_RESIZE || info->kind == XC_TIR_CONCAT;
}

/// Operators that normalise, and those of quantised models, whose ranges are
/// their own.
static bool is_opaque(xc_op_kind kind) {
  return kind == XC_TIR_BATCHNORM || kind == XC_TIR_SCALE ||
         kind == XC_TIR_LRN || kind == XC_TIR_REDUCTION_MEAN ||
         kind == XC_TIR_QUANTIZE_LINEAR || kind == XC_TIR_FLOAT2FIX;
}

/// Whether an operator with a constant is followed.
static bool follow_arithmetic(MlirOperation op, xc_op_kind kind, bool is_second,
                              xc_input_arithmetic *a) {
  double numbers[XC_MAX_CHANNELS];
  bool ok =
      find_constant(mlirOperationGetOperand(op, is_second ? 0 : 1), numbers);
  for (size_t c = 0; ok && c < XC_MAX_CHANNELS; ++c)
    ok = follow_binary(kind, is_second, c, numbers[c], a);
  return ok;
}

/// Returns the next value; null at the end.
static MlirValue follow(MlirValue value, xc_input_arithmetic *a) {
  const MlirValue none = {NULL};
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use))
    return none;
  MlirOperation op = mlirOpOperandGetOwner(use);
  const xc_op_info *info = xc_op_info_of(op);
  if (!info || info->dialect != XC_DIALECT_TIR ||
      mlirOperationGetNumResults(op) != 1)
    return none;
  xc_op_kind kind = (xc_op_kind)info->kind;
  if (keeps_pixels(info))
    return mlirOperationGetResult(op, 0);
  bool is_second = mlirOpOperandGetOperandNumber(use) == 1;
  a->is_opaque =
      is_opaque(kind) ||
      (is_binary(kind) && !follow_arithmetic(op, kind, is_second, a));
  return is_binary(kind) && !a->is_opaque ? mlirOperationGetResult(op, 0)
                                          : none;
}

static MlirOperation find_function(const xc_compilation *c) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(c->module));
  while (!mlirOperationIsNull(op) &&
         (!xc_op_is(op, "func.func") ||
          !mlirAttributeIsNull(xc_op_attribute(op, "sym_visibility"))))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

void xc_driver_note_arithmetic(xc_compilation *c) {
  enum { MOST_STEPS = 32 };
  MlirOperation function = find_function(c);
  if (mlirOperationIsNull(function))
    return;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  intptr_t count = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < count && i < XC_DRIVER_PICTURES; ++i) {
    xc_input_arithmetic *a = &c->arithmetic[i];
    *a = (xc_input_arithmetic){.is_known = true, .factors = {1, 1, 1}};
    MlirValue value = mlirBlockGetArgument(block, i);
    for (int step = 0; step < MOST_STEPS && !mlirValueIsNull(value); ++step)
      value = follow(value, a);
  }
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

/// Of pixels, after the first operators.
typedef struct own_range {
  double low, high, widest; // the last one within a channel
  bool changes;
} own_range;

static own_range range_of(const xc_input_arithmetic *a, double low,
                          double high) {
  own_range range = {(double)INFINITY, -(double)INFINITY, 0, false};
  for (size_t c = 0; c < XC_MAX_CHANNELS; ++c) {
    double x = low * a->factors[c] + a->offsets[c];
    double y = high * a->factors[c] + a->offsets[c];
    range.low = fmin(range.low, fmin(x, y));
    range.high = fmax(range.high, fmax(x, y));
    range.widest = fmax(range.widest, fabs(x - y));
    range.changes |= a->factors[c] != 1 || a->offsets[c] != 0;
  }
  return range;
}

static void report_own(const xc_compilation *c, const char *pictures,
                       const own_range *range, bool is_narrow) {
  xcDiagReport(c->diag, is_narrow ? XcSeverityWarning : XcSeverityNote,
               (XcPlace){c->options->model, 0, 0},
               "calibration: %s, of which the model's own first operators make "
               "%.3g to %.3g: %s",
               pictures, range->low, range->high,
               is_narrow ? "are they normalised twice?"
                         : "a normalised picture has a few units only; "
                           "--pixels=0..1 if the model expects such");
}

static void report_large(const xc_compilation *c, const char *pictures) {
  xcDiagReport(
      c->diag, XcSeverityNote, (XcPlace){c->options->model, 0, 0},
      "calibration: %s; if the network was trained with normalised pictures, "
      "it is at chance with these: torchvision's take --pixels=0..1 "
      "--mean=0.485,0.456,0.406 --std=0.229,0.224,0.225. --pixels=0..255 says "
      "that these are right",
      pictures);
}

static void judge(const xc_compilation *c, const json_t *row) {
  const double most_normal = 20, narrow = 0.1;
  size_t index = (size_t)json_integer_value(json_object_get(row, "number"));
  const char *pictures = json_string_value(json_object_get(row, "pictures"));
  if (index >= XC_DRIVER_PICTURES || !pictures)
    return;
  const xc_input_arithmetic *a = &c->arithmetic[index];
  if (!a->is_known || a->is_opaque ||
      json_is_true(json_object_get(row, "settled")))
    return;
  own_range range =
      range_of(a, xc_json_number(row, "low"), xc_json_number(row, "high"));
  bool is_large = fmax(fabs(range.low), fabs(range.high)) > most_normal;
  bool is_narrow = range.changes && range.widest < narrow;
  if (is_narrow || (range.changes && is_large))
    report_own(c, pictures, &range, is_narrow);
  else if (is_large)
    report_large(c, pictures);
}

void xc_driver_judge_pictures(const xc_compilation *c) {
  json_t *loss = xc_driver_read_json(c, XC_NAME_LOSS);
  size_t i;
  const json_t *row;
  json_array_foreach(json_object_get(loss, "inputs"), i, row) judge(c, row);
  json_decref(loss);
}
