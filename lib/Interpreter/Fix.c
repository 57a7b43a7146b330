//===- Fix.c - fixed-point operators on single elements -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fix.h"

#include "OpParams/Fix.h"

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

xc_tensor xc_fix_rescaled(xc_kernel_call *call, size_t slot, int from) {
  xc_shape shape = call->operands[slot].shape;
  shape.element = call->output.shape.element;
  xc_tensor result = xc_call_tensor(call, &shape);
  int shift = from - xc_fix_point(call->op, XC_ATTR_OUTPUT_FIX_POINT);
  XcRoundMode mode = xc_round_mode_of(call->op);
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

bool xc_interpret_float2fix(xc_kernel_call *call) {
  XcFixType type = xc_fix_attribute_type(call->op);
  XcRoundMode mode = xc_round_mode_of(call->op);
  int fix_point = xc_fix_point(call->op, XC_ATTR_FIX_POINT);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(&call->output, i,
               xcFloatToFix(xc_get_real(&call->operands[XC_FLOAT2FIX_INPUT], i),
                            fix_point, type, mode));
  return true;
}

bool xc_interpret_fix2float(xc_kernel_call *call) {
  int fix_point = xc_fix_point(call->op, XC_ATTR_FIX_POINT);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    xc_set_real(
        &call->output, i,
        (double)xcFixToFloat(xc_get_int(&call->operands[XC_FIX2FLOAT_INPUT], i),
                             fix_point));
  return true;
}

bool xc_interpret_fix(xc_kernel_call *call) {
  XcFixType type = xc_fix_attribute_type(call->op);
  XcRoundMode mode = xc_round_mode_of(call->op);
  int fix_point = xc_fix_point(call->op, XC_ATTR_FIX_POINT);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = xcFloatToFix(xc_get_real(&call->operands[XC_FIX_INPUT], i),
                                 fix_point, type, mode);
    xc_set_real(&call->output, i, (double)xcFixToFloat(value, fix_point));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

bool xc_interpret_activation_fix(xc_kernel_call *call) {
  XcFixEpilogue epilogue = xc_fix_activation_epilogue(call->op);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(
        &call->output, i,
        xcFixEpilogueApply(
            &epilogue, xc_get_int(&call->operands[XC_RELU_FIX_INPUT], i), 0));
  return true;
}

bool xc_interpret_hard_fix(xc_kernel_call *call) {
  xc_fix_hard hard;
  if (!xc_fix_hard_of(call->op, &hard))
    return false;
  XcFixType type = xc_fix_result_type(call->op);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    int64_t t = xc_get_int(&call->operands[XC_HARD_SIGMOID_FIX_INPUT], i);
    int64_t value = xcHSigmoid(t, hard.in, hard.shift);
    if (hard.swish)
      value = xcRoundShift(t * xcSaturate8(value), hard.product_shift);
    xc_set_int(&call->output, i, xcSaturate(value, type));
  }
  return true;
}

bool xc_interpret_prelu_fix(xc_kernel_call *call) {
  xc_fix_prelu prelu = xc_fix_prelu_of(call->op);
  XcRoundMode mode = xc_round_mode_of(call->op);
  XcFixType type = xc_fix_result_type(call->op);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  xc_walk_broadcast(&walk, &call->operands[XC_PRELU_FIX_SLOPE].shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int64_t value = xc_get_int(&call->operands[XC_PRELU_FIX_INPUT], i);
    int64_t slope =
        xc_get_int(&call->operands[XC_PRELU_FIX_SLOPE], walk.offset[0]);
    int64_t result =
        value < 0 ? xcRoundShiftMode(value * slope, prelu.slope_shift, mode)
                  : xcRoundShiftMode(value, prelu.shift, mode);
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

bool xc_interpret_fix_sum(xc_kernel_call *call) {
  xc_fix_sum sum;
  if (!xc_fix_sum_of(call->op, &sum))
    return false;
  int64_t count = xc_tensor_count(&call->output);
  int64_t *sums = xc_call_alloc(call, count, sizeof(*sums));
  for (int64_t i = 0; sum.multiply && i < count; ++i)
    sums[i] = 1;
  for (size_t i = 0; i < sum.count; ++i)
    accumulate(call, sum.slots[i], sum.multiply, sum.shifts[i], sums);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(&call->output, i, xcFixEpilogueApply(&sum.epilogue, sums[i], 0));
  return true;
}
