//===- Reduce.c - reductions ----------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"

#include "Fix.h"
#include "OpParams/Fix.h"

#include <math.h>

xc_walk xc_walk_reduction(const xc_kernel_call *call, int64_t *count) {
  const xc_shape *input = &call->operands[XC_REDUCTION_SUM_INPUT].shape;
  bool reduced[XC_MAX_RANK];
  *count = xc_reduced_axes(call->op, reduced);
  int64_t strides[XC_MAX_RANK] = {0}, stride = 1;
  for (size_t i = input->rank; i-- > 0;)
    if (!reduced[i]) {
      strides[i] = stride;
      stride *= input->dims[i];
    }
  xc_walk walk = xc_walk_begin(input);
  xc_walk_strides(&walk, strides);
  return walk;
}

//===----------------------------------------------------------------------===//
// Floating point, and integers without a scale
//===----------------------------------------------------------------------===//

static void reduce_reals(xc_kernel_call *call) {
  xc_op_kind kind = call->op->info->kind;
  int64_t count, outputs = xc_tensor_count(&call->output);
  xc_walk walk = xc_walk_reduction(call, &count);
  double *sums = xc_call_alloc(call, outputs, sizeof(*sums));
  for (int64_t i = 0; kind == XC_TIR_REDUCTION_MAX && i < outputs; ++i)
    sums[i] = (double)-INFINITY;
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    double *sum = &sums[walk.offset[0]];
    double x = xc_get_real(&call->operands[XC_REDUCTION_SUM_INPUT], i);
    if (kind != XC_TIR_REDUCTION_MAX)
      *sum += x;
    else if (x > *sum || isnan(x))
      *sum = x;
  }
  bool mean = kind == XC_TIR_REDUCTION_MEAN;
  for (int64_t i = 0; i < outputs; ++i)
    xc_set_real(&call->output, i, mean ? sums[i] / (double)count : sums[i]);
}

static bool less_int(xc_element element, int64_t a, int64_t b) {
  return element == XC_ELEMENT_UI64 ? (uint64_t)a < (uint64_t)b : a < b;
}

// Sums of integers wrap in their type.
static void reduce_ints(xc_kernel_call *call) {
  bool largest = call->op->info->kind == XC_TIR_REDUCTION_MAX;
  xc_element element = call->output.shape.element;
  int64_t count, outputs = xc_tensor_count(&call->output);
  xc_walk walk = xc_walk_reduction(call, &count);
  int64_t *sums = xc_call_alloc(call, outputs, sizeof(*sums));
  for (int64_t i = 0; largest && i < outputs; ++i)
    sums[i] = xc_element_min(element);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int64_t *sum = &sums[walk.offset[0]];
    int64_t x = xc_get_int(&call->operands[XC_REDUCTION_SUM_INPUT], i);
    if (!largest)
      *sum = (int64_t)((uint64_t)*sum + (uint64_t)x);
    else if (less_int(element, *sum, x))
      *sum = x;
  }
  for (int64_t i = 0; i < outputs; ++i)
    xc_set_int(&call->output, i, sums[i]);
}

bool xc_interpret_reduction(xc_kernel_call *call) {
  if (xc_element_is_float(call->output.shape.element))
    reduce_reals(call);
  else
    reduce_ints(call);
  return true;
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

bool xc_interpret_reduction_fix(xc_kernel_call *call) {
  xc_op_kind kind = call->op->info->kind;
  bool largest = kind == XC_TIR_REDUCTION_MAX_FIX;
  int64_t count, outputs = xc_tensor_count(&call->output);
  xc_walk walk = xc_walk_reduction(call, &count);
  int64_t *sums = xc_call_alloc(call, outputs, sizeof(*sums));
  for (int64_t i = 0; largest && i < outputs; ++i)
    sums[i] = xc_element_min(
        call->operands[XC_REDUCTION_SUM_FIX_INPUT].shape.element);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int64_t *sum = &sums[walk.offset[0]];
    int64_t x = xc_get_int(&call->operands[XC_REDUCTION_SUM_FIX_INPUT], i);
    *sum = !largest ? *sum + x : x > *sum ? x : *sum;
  }
  int shift = xc_fix_rescale_shift(call->op);
  XcRoundMode mode = xc_round_mode_of(call->op);
  XcFixType type = xc_fix_type(call->output.shape.element);
  int64_t divisor = kind == XC_TIR_REDUCTION_MEAN_FIX && count > 0 ? count : 1;
  for (int64_t i = 0; i < outputs; ++i)
    xc_set_int(&call->output, i,
               xcSaturate(xc_round_ratio(sums[i], divisor, shift, mode), type));
  return true;
}

//===----------------------------------------------------------------------===//
// Argmax
//===----------------------------------------------------------------------===//

// Whether element `b` takes the place of the largest so far, `a`.
static bool wins(const xc_tensor *input, int64_t a, int64_t b, bool last) {
  if (xc_element_is_float(input->shape.element)) {
    double x = xc_get_real(input, a), y = xc_get_real(input, b);
    return y > x || (last && y == x);
  }
  int64_t x = xc_get_int(input, a), y = xc_get_int(input, b);
  return less_int(input->shape.element, x, y) || (last && x == y);
}

bool xc_interpret_argmax(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[XC_ARGMAX_INPUT];
  size_t axis = xc_axis_of(call->op);
  bool last = call->op->info->kind == XC_TIR_ARGMAX &&
              xc_attr_bool(call->op, XC_ATTR_SELECT_LAST);
  int64_t length = input->shape.dims[axis];
  int64_t inner = xc_shape_inner(&input->shape, axis);
  int64_t outputs = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < outputs; ++i) {
    int64_t start = i / inner * length * inner + i % inner, best = 0;
    for (int64_t k = 1; k < length; ++k)
      if (wins(input, start + best * inner, start + k * inner, last))
        best = k;
    xc_set_int(&call->output, i, best);
  }
  return true;
}
