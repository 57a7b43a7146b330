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
#include "Positions.h"

#include "OpParams/Fix.h"

#include <assert.h>
#include <math.h>
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
  bool is_relu = kind == XC_TIR_RELU;
  if ((!is_relu && kind != XC_TIR_RELU6) || !has(input, XC_ELEMENT_F32) ||
      !has(&call->output, XC_ELEMENT_F32))
    return xc_interpret_unary(call);
  const float *from = input->data, most = 6;
  float *to = call->output.data;
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; is_relu && i < count; ++i)
    to[i] = from[i] < 0 ? 0 : from[i];
  for (int64_t i = 0; !is_relu && i < count; ++i) {
    float positive = from[i] < 0 ? 0 : from[i];
    to[i] = positive > most ? most : positive;
  }
  return true;
}

static bool compute_binary(xc_kernel_call *call) {
  xc_op_kind kind = call->op->info->kind;
  const xc_tensor *a = &call->operands[XC_ADD_A], *b = a + 1;
  bool is_sum = kind == XC_TIR_ADD;
  if ((!is_sum && kind != XC_TIR_MUL) || !has(&call->output, XC_ELEMENT_F32) ||
      !has(a, XC_ELEMENT_F32) || !has(b, XC_ELEMENT_F32) || !same_shape(a, b) ||
      !same_shape(a, &call->output))
    return xc_interpret_binary(call);
  const float *x = a->data, *y = b->data;
  float *to = call->output.data;
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; is_sum && i < count; ++i)
    to[i] = x[i] + y[i];
  for (int64_t i = 0; !is_sum && i < count; ++i)
    to[i] = x[i] * y[i];
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
  xc_interpreter_replace(interpreter, xc_interpret_maxpool, compute_maxpool);
  xc_interpreter_replace(interpreter, xc_interpret_fix_sum, compute_fix_sum);
}
