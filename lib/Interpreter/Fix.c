//===- Fix.c - fixed-point operators on single elements -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fix.h"

#include <string.h>

int64_t xc_round_ratio(int64_t numerator, int64_t denominator, int shift,
                       XcRoundMode mode) {
  if (shift < 0)
    numerator = xcShiftLeftSaturated(numerator, -shift);
  else
    denominator = xcShiftLeftSaturated(denominator, shift);
  int64_t floor = numerator / denominator;
  int64_t rest = numerator % denominator;
  if (rest < 0) {
    rest += denominator;
    --floor;
  }
  // The quotient lies at floor + rest / denominator. Two bits say all that
  // rounding needs to know: at least a half, and more than that or not.
  const int64_t large = INT64_C(1) << 60;
  if (floor >= large || floor < -large)
    return floor;
  int64_t other = denominator - rest;
  int64_t quarters = rest == 0 ? 0 : rest < other ? 1 : rest == other ? 2 : 3;
  return xcRoundShiftMode(floor * 4 + quarters, 2, mode);
}

bool xc_fix_plain_activation(const xc_kernel_call *call,
                             XcActivation activation) {
  switch (activation) {
  case XcActivationNone:
  case XcActivationRelu:
  case XcActivationLeakyRelu:
  case XcActivationRelu6:
    return true;
  case XcActivationPrelu:
  case XcActivationHSigmoid:
  case XcActivationHSwish:
    break;
  }
  return xc_view_error(call->view,
                       "attribute 'nonlinear' is \"%s\", which needs "
                       "parameters that the operator does not have",
                       xcActivationGetName(activation));
}

static int point(const xc_kernel_call *call, const char *name) {
  return (int)xc_view_int(call->view, name);
}

static XcFixType output_type(const xc_kernel_call *call) {
  return xc_fix_type(call->output.shape.element);
}

xc_tensor xc_fix_rescaled(xc_kernel_call *call, size_t slot, int from) {
  xc_shape shape = call->operands[slot].shape;
  shape.element = call->output.shape.element;
  xc_tensor result = xc_call_tensor(call, &shape);
  int shift = from - point(call, "output_fix_point");
  XcRoundMode mode = xc_call_round_mode(call);
  XcFixType type = xc_fix_type(shape.element);
  int64_t count = xc_shape_num_elements(&shape);
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = xc_get_int(&call->operands[slot], i);
    xc_set_int(&result, i,
               xcSaturate(xcRoundShiftMode(value, shift, mode), type));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The boundary
//===----------------------------------------------------------------------===//

static XcFixType attribute_type(const xc_kernel_call *call) {
  return (XcFixType){(uint8_t)xc_view_int(call->view, "bit_width"),
                     xc_view_bool(call->view, "if_signed")};
}

bool xc_interpret_float2fix(xc_kernel_call *call) {
  XcFixType type = attribute_type(call);
  XcRoundMode mode = xc_call_round_mode(call);
  int fix_point = point(call, "fix_point");
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(&call->output, i,
               xcFloatToFix(xc_get_real(&call->operands[0], i), fix_point, type,
                            mode));
  return true;
}

bool xc_interpret_fix2float(xc_kernel_call *call) {
  int fix_point = point(call, "fix_point");
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    xc_set_real(
        &call->output, i,
        (double)xcFixToFloat(xc_get_int(&call->operands[0], i), fix_point));
  return true;
}

bool xc_interpret_fix(xc_kernel_call *call) {
  XcFixType type = attribute_type(call);
  XcRoundMode mode = xc_call_round_mode(call);
  int fix_point = point(call, "fix_point");
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    int64_t value =
        xcFloatToFix(xc_get_real(&call->operands[0], i), fix_point, type, mode);
    xc_set_real(&call->output, i, (double)xcFixToFloat(value, fix_point));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

static XcFixEpilogue epilogue_of(const xc_kernel_call *call, int from,
                                 XcActivation activation) {
  int to = point(call, "output_fix_point");
  return (XcFixEpilogue){.shiftCut = from - to,
                         .roundMode = xc_call_round_mode(call),
                         .type = output_type(call),
                         .activation = activation,
                         .outputFixPoint = to};
}

bool xc_interpret_activation_fix(xc_kernel_call *call) {
  xc_op_kind kind = call->view->info->kind;
  XcActivation activation = kind == XC_TIR_RELU_FIX    ? XcActivationRelu
                            : kind == XC_TIR_RELU6_FIX ? XcActivationRelu6
                                                       : XcActivationLeakyRelu;
  XcFixEpilogue epilogue =
      epilogue_of(call, point(call, "input_fix_point"), activation);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(
        &call->output, i,
        xcFixEpilogueApply(&epilogue, xc_get_int(&call->operands[0], i), 0));
  return true;
}

static bool check_point(const xc_kernel_call *call, const char *name, int low,
                        int high) {
  int value = point(call, name);
  if (value >= low && value <= high)
    return true;
  return xc_view_error(call->view, "attribute '%s' is %d, expected %d to %d",
                       name, value, low, high);
}

// HSIGMOID and HSWISH of docs/fixed-point.md with the input as t.
bool xc_interpret_hard_fix(xc_kernel_call *call) {
  bool swish = call->view->info->kind == XC_TIR_HARD_SWISH_FIX;
  int in = point(call, "input_fix_point");
  int out = point(call, "output_fix_point");
  if (!check_point(call, "input_fix_point", 0, 15) ||
      !check_point(call, "output_fix_point", swish ? in - 8 : 7,
                   swish ? in + 7 : in + 14))
    return false;
  XcFixType type = output_type(call);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    int64_t t = xc_get_int(&call->operands[0], i);
    int64_t value = xcHSigmoid(t, in, 14 + in - (swish ? 7 : out));
    if (swish)
      value = xcRoundShift(t * xcSaturate8(value), in + 7 - out);
    xc_set_int(&call->output, i, xcSaturate(value, type));
  }
  return true;
}

bool xc_interpret_prelu_fix(xc_kernel_call *call) {
  int in = point(call, "input_fix_point");
  int cut = in - point(call, "output_fix_point");
  int slope_cut = cut + point(call, "slope_fix_point");
  XcRoundMode mode = xc_call_round_mode(call);
  XcFixType type = output_type(call);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  xc_walk_broadcast(&walk, &call->operands[1].shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int64_t value = xc_get_int(&call->operands[0], i);
    int64_t slope = xc_get_int(&call->operands[1], walk.offset[0]);
    int64_t result = value < 0
                         ? xcRoundShiftMode(value * slope, slope_cut, mode)
                         : xcRoundShiftMode(value, cut, mode);
    xc_set_int(&call->output, i, xcSaturate(result, type));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

// Adds (multiplies) operand `slot` into one accumulator per result element.
static void accumulate(xc_kernel_call *call, size_t slot, bool multiply,
                       int shift_read, int64_t *sums) {
  const xc_tensor *input = &call->operands[slot];
  xc_walk walk = xc_walk_begin(&call->output.shape);
  xc_walk_broadcast(&walk, &input->shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int64_t value = xc_get_int(input, walk.offset[0]);
    if (multiply)
      sums[i] *= value;
    else
      sums[i] += xcFixAddTerm(value, shift_read);
  }
}

static bool combine(xc_kernel_call *call, bool multiply, const int *points,
                    size_t inputs) {
  const char *word = xc_view_word(call->view, "nonlinear");
  XcActivation activation = XcActivationNone;
  xcActivationParse(word, strlen(word), &activation);
  if (!xc_fix_plain_activation(call, activation))
    return false;
  int from = points[0];
  for (size_t i = 1; i < inputs; ++i)
    from = multiply ? from + points[i] : points[i] < from ? points[i] : from;
  int64_t count = xc_tensor_count(&call->output);
  int64_t *sums = xc_call_alloc(call, count, sizeof(*sums));
  for (int64_t i = 0; multiply && i < count; ++i)
    sums[i] = 1;
  for (size_t slot = 0, i = 0; i < inputs; ++slot)
    if (call->operands[slot].data) {
      accumulate(call, slot, multiply, points[i] - from, sums);
      ++i;
    }
  XcFixEpilogue epilogue = epilogue_of(
      call, multiply ? from : from + XC_FIX_ADD_GUARD_BITS, activation);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(&call->output, i, xcFixEpilogueApply(&epilogue, sums[i], 0));
  return true;
}

bool xc_interpret_eltwise_fix(xc_kernel_call *call) {
  int points[XC_MAX_OPERANDS] = {0};
  size_t inputs = xc_view_num_inputs(call->view);
  for (size_t i = 0; i < inputs; ++i)
    points[i] = xc_call_input_point(call, i);
  return combine(call, xc_call_is(call, "type", "MUL"), points, inputs);
}

bool xc_interpret_depthwise_fix(xc_kernel_call *call) {
  const int points[] = {point(call, "input_fix_point"),
                        point(call, "weight_fix_point")};
  int apart = points[0] - points[1];
  if (!xc_call_is(call, "type", "MUL") && (apart > 24 || apart < -24))
    return xc_view_error(call->view,
                         "has fix points %d and %d, expected at most 24 apart",
                         points[0], points[1]);
  return combine(call, xc_call_is(call, "type", "MUL"), points, 2);
}
