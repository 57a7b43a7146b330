//===- Elementwise.c - fast operators on single elements ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter computes in double and rounds once. A sum or product of two
// floats, and what is one of them or a limit, rounds to the same float whether
// double or float is between.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "Epilogue.h"
#include "Loops.h"
#include "Positions.h"

#include "OpParams/Fix.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has(const xc_tensor *tensor, xc_element element) {
  return tensor->shape.element == element;
}

static bool same_shape(const xc_tensor *a, const xc_tensor *b) {
  return a->shape.rank == b->shape.rank &&
         memcmp(a->shape.dims, b->shape.dims,
                a->shape.rank * sizeof(*a->shape.dims)) == 0;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static bool compute_unary(xc_kernel_call *call) {
  xc_op_kind kind = call->op->info->kind;
  const xc_tensor *input = &call->operands[XC_RELU_INPUT];
  if ((kind != XC_TIR_RELU && kind != XC_TIR_RELU6 && kind != XC_TIR_SIGMOID) ||
      !has(input, XC_ELEMENT_F32) || !has(&call->output, XC_ELEMENT_F32))
    return xc_interpret_unary(call);
  const float *from = input->data, most = 6;
  float *to = call->output.data;
  int64_t count = xc_tensor_count(&call->output);
  if (kind == XC_TIR_RELU)
    for (int64_t i = 0; i < count; ++i)
      to[i] = from[i] < 0 ? 0 : from[i];
  else if (kind == XC_TIR_SIGMOID)
    for (int64_t i = 0; i < count; ++i)
      to[i] = (float)(1 / (1 + exp(-(double)from[i])));
  else
    for (int64_t i = 0; i < count; ++i) {
      float positive = from[i] < 0 ? 0 : from[i];
      to[i] = positive > most ? most : positive;
    }
  return true;
}

static void combine(bool is_sum, const float *x, const float *y, int64_t count,
                    float *to) {
  if (is_sum)
    for (int64_t i = 0; i < count; ++i)
      to[i] = x[i] + y[i];
  else
    for (int64_t i = 0; i < count; ++i)
      to[i] = x[i] * y[i];
}

// Returns the number of elements of an operand that follow each other as those
// of the result do: all, those of the last dimension when it has no other, or
// 0.
static int64_t run_of(const xc_tensor *operand, const xc_tensor *result) {
  int64_t count = xc_tensor_count(operand);
  size_t rank = operand->shape.rank, last = result->shape.rank;
  if (same_shape(operand, result))
    return count;
  return rank > 0 && last > 0 && count == result->shape.dims[last - 1] &&
                 operand->shape.dims[rank - 1] == count
             ? count
             : 0;
}

static bool compute_binary(xc_kernel_call *call) {
  xc_op_kind kind = call->op->info->kind;
  const xc_tensor *a = &call->operands[XC_ADD_A], *b = a + 1;
  int64_t run_a = run_of(a, &call->output), run_b = run_of(b, &call->output);
  int64_t run = run_a < run_b ? run_a : run_b;
  if ((kind != XC_TIR_ADD && kind != XC_TIR_MUL) || run == 0 ||
      !has(&call->output, XC_ELEMENT_F32) || !has(a, XC_ELEMENT_F32) ||
      !has(b, XC_ELEMENT_F32))
    return xc_interpret_binary(call);
  const float *x = a->data, *y = b->data;
  float *to = call->output.data;
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; i += run)
    combine(kind == XC_TIR_ADD, run_a == run ? x : x + i,
            run_b == run ? y : y + i, run, to + i);
  return true;
}

// Products with the factors of channels and sums with numbers of them, rounded
// once.
static bool compute_scale(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[XC_SCALE_INPUT];
  const xc_tensor *scale = &call->operands[XC_SCALE_SCALE];
  const xc_tensor *bias = &call->operands[XC_SCALE_BIAS];
  const xc_shape *shape = &call->output.shape;
  if (xc_axis_of(call->op) + 1 != shape->rank || !bias->data ||
      !has(input, XC_ELEMENT_F32) || !has(scale, XC_ELEMENT_F32) ||
      !has(bias, XC_ELEMENT_F32) || !has(&call->output, XC_ELEMENT_F32))
    return xc_interpret_scale(call);
  const float *factors = scale->data, *numbers = bias->data;
  int64_t channels = shape->dims[shape->rank - 1];
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t at = 0; at < count; at += channels) {
    const float *from = (const float *)input->data + at;
    float *to = (float *)call->output.data + at;
    for (int64_t c = 0; c < channels; ++c)
      to[c] =
          (float)((double)from[c] * (double)factors[c] + (double)numbers[c]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Conversions and pools
//===----------------------------------------------------------------------===//

enum { MOST_POINT = 100 }; // whose powers of two are floats

static bool compute_float2fix(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[XC_FLOAT2FIX_INPUT];
  XcFixType type = xc_fix_attribute_type(call->op);
  XcRoundMode mode = xc_round_mode_of(call->op);
  int point = xc_fix_point(call->op, XC_ATTR_FIX_POINT);
  if (!has(input, XC_ELEMENT_F32) || !has(&call->output, XC_ELEMENT_I8) ||
      type.bits != 8 || !type.isSigned || mode == XcRoundModeStd ||
      abs(point) > MOST_POINT)
    return xc_interpret_float2fix(call);
  const xc_calibrate_candidates first =
      xc_calibrate_make_candidates(point, mode);
  const float *from = input->data;
  int8_t *to = call->output.data;
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    double number = isnan(from[i]) ? 0 : (double)from[i];
    to[i] = (int8_t)xc_calibrate_round(number * *first.up, first.tie);
  }
  return true;
}

static bool compute_fix2float(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[XC_FIX2FLOAT_INPUT];
  int point = xc_fix_point(call->op, XC_ATTR_FIX_POINT);
  if (!has(input, XC_ELEMENT_I8) || !has(&call->output, XC_ELEMENT_F32) ||
      abs(point) > MOST_POINT)
    return xc_interpret_fix2float(call);
  const float step = ldexpf(1, -point);
  const int8_t *from = input->data;
  float *to = call->output.data;
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    to[i] = (float)from[i] * step;
  return true;
}

//===----------------------------------------------------------------------===//
// The largest of a window
//===----------------------------------------------------------------------===//

// A NaN wins.
static void take_larger(float *most, const float *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    most[i] = values[i] > most[i] || isnan(values[i]) ? values[i] : most[i];
}

static bool compute_maxpool(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[XC_MAXPOOL2D_INPUT];
  if (!has(input, XC_ELEMENT_F32) || !has(&call->output, XC_ELEMENT_F32))
    return xc_interpret_maxpool(call);
  xc_conv_positions at = xc_conv_positions_of(call);
  float *to = call->output.data;
  for (int64_t i = 0; i < at.positions; ++i, to += at.channels) {
    for (int64_t k = 0; k < at.channels; ++k)
      to[k] = -INFINITY;
    for (int64_t tap = 0; tap < at.taps; ++tap) {
      int64_t pixel = xc_conv_pixel(&at, i, tap);
      if (pixel >= 0)
        take_larger(to, (const float *)input->data + pixel, at.channels);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Sums in fixed point
//===----------------------------------------------------------------------===//

static_assert(XC_MAX_OPERANDS <= 1 << 10, "sums and halves fit 32 bits");

static bool is_plain_sum(const xc_kernel_call *call, const xc_fix_sum *sum,
                         const xc_quick_epilogue *quick) {
  enum { MOST_SHIFT = 15 };
  bool plain = !sum->multiply && quick->is_possible && !quick->sum_shift &&
               has(&call->output, XC_ELEMENT_I8);
  for (size_t i = 0; plain && i < sum->count; ++i) {
    const xc_tensor *input = &call->operands[sum->slots[i]];
    plain = has(input, XC_ELEMENT_I8) && same_shape(input, &call->output) &&
            sum->shifts[i] <= MOST_SHIFT;
  }
  return plain;
}

static void add_terms(const int8_t *from, int shift, int64_t count,
                      int32_t *sums) {
  for (int64_t i = 0; i < count; ++i)
    sums[i] += from[i] * (1 << XC_FIX_ADD_GUARD_BITS) >> shift;
}

static void write_sums(const xc_quick_epilogue *quick, const int32_t *sums,
                       int64_t count, int8_t *to) {
  const int32_t half = (int32_t)quick->half;
  const int32_t least = quick->least ? INT32_MIN / 2 : 0;
  for (int64_t i = 0; i < count; ++i) {
    int32_t sum = sums[i] < least ? least : sums[i];
    sum = (sum + half) >> quick->shift;
    sum = sum < INT8_MIN ? INT8_MIN : sum;
    to[i] = (int8_t)(sum > INT8_MAX ? INT8_MAX : sum);
  }
}

static bool compute_fix_sum(xc_kernel_call *call) {
  enum { PIECE = 1024 };
  xc_fix_sum sum;
  if (!xc_fix_sum_of(call->op, &sum))
    return false;
  xc_quick_epilogue quick = xc_quick_epilogue_of(&sum.epilogue);
  if (!is_plain_sum(call, &sum, &quick))
    return xc_interpret_fix_sum(call);
  int8_t *to = call->output.data;
  int64_t total = xc_tensor_count(&call->output);
  for (int64_t at = 0; at < total; at += PIECE) {
    int64_t count = total - at < PIECE ? total - at : PIECE;
    int32_t sums[PIECE] = {0};
    for (size_t i = 0; i < sum.count; ++i)
      add_terms((const int8_t *)call->operands[sum.slots[i]].data + at,
                sum.shifts[i], count, sums);
    write_sums(&quick, sums, count, to + at);
  }
  return true;
}

void xc_calibrate_replace_elementwise(XcInterpreter *interpreter) {
  xc_interpreter_replace(interpreter, xc_interpret_unary, compute_unary);
  xc_interpreter_replace(interpreter, xc_interpret_binary, compute_binary);
  xc_interpreter_replace(interpreter, xc_interpret_scale, compute_scale);
  xc_interpreter_replace(interpreter, xc_interpret_float2fix,
                         compute_float2fix);
  xc_interpreter_replace(interpreter, xc_interpret_fix2float,
                         compute_fix2float);
  xc_interpreter_replace(interpreter, xc_interpret_maxpool, compute_maxpool);
  xc_interpreter_replace(interpreter, xc_interpret_fix_sum, compute_fix_sum);
}
