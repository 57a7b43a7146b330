//===- Channels.c - which channels are the same ones ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Channels.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Function.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static int64_t add_channel(xc_channels *c) {
  void *all = c->parents;
  xc_grow(&all, &c->capacity, c->count + 1, sizeof(*c->parents));
  c->parents = all;
  c->parents[c->count] = -1;
  return (int64_t)c->count++;
}

static int64_t *take_numbers(xc_channels *c, MlirValue value) {
  size_t count = (size_t)xc_channels_count(value);
  int64_t *numbers = xc_arena_alloc(&c->arena, count + 1, sizeof(*numbers));
  xc_pointer_map_set(&c->by_value, value.ptr, numbers);
  return numbers;
}

const int64_t *xc_channels_of(xc_channels *c, MlirValue value) {
  int64_t *numbers = xc_pointer_map_get(&c->by_value, value.ptr);
  if (numbers)
    return numbers;
  numbers = take_numbers(c, value);
  for (int64_t i = 0; i < xc_channels_count(value); ++i)
    numbers[i] = add_channel(c);
  return numbers;
}

int64_t xc_channels_root(xc_channels *c, int64_t channel) {
  while (c->parents[channel] >= 0) {
    int64_t above = c->parents[c->parents[channel]];
    if (above >= 0)
      c->parents[channel] = above;
    channel = c->parents[channel];
  }
  return channel;
}

static void join(xc_channels *c, int64_t a, int64_t b) {
  a = xc_channels_root(c, a);
  b = xc_channels_root(c, b);
  if (a != b)
    c->parents[b] = a;
}

void xc_channels_free(xc_channels *c) {
  free(c->parents);
  xc_pointer_map_free(&c->by_value);
  xc_arena_free(&c->arena);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static MlirValue input_of(const xc_adaptor *op, intptr_t index) {
  return mlirOperationGetOperand(op->operation, index);
}

void xc_channels_keep(xc_channels *c, MlirValue from, MlirValue to) {
  const int64_t *numbers = xc_channels_of(c, from);
  int64_t *own = take_numbers(c, to);
  for (int64_t i = 0; i < xc_channels_count(to); ++i)
    own[i] = numbers[i];
}

// Every operand has the channels of the result at the same places: a broadcast
// one, or a constant, has channels of its own.
static bool are_alike(const xc_adaptor *op) {
  MlirValue result = xc_op_result(op->operation);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->operation); ++i)
    if (!mlirTypeEqual(mlirValueGetType(input_of(op, i)),
                       mlirValueGetType(result)) ||
        !mlirOperationIsNull(xc_constant_of(input_of(op, i))))
      return false;
  return xc_channels_count(result) > 0;
}

static bool follow_alike(xc_channels *c, const xc_adaptor *op) {
  if (!are_alike(op))
    return false;
  MlirValue result = xc_op_result(op->operation);
  xc_channels_keep(c, input_of(op, 0), result);
  const int64_t *own = xc_channels_of(c, result);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op->operation); ++i) {
    const int64_t *other = xc_channels_of(c, input_of(op, i));
    for (int64_t k = 0; k < xc_channels_count(result); ++k)
      join(c, own[k], other[k]);
  }
  return true;
}

// Height and width may change, and what else reads the same channel only.
static bool follow_one(xc_channels *c, const xc_adaptor *op) {
  MlirValue input = input_of(op, 0), result = xc_op_result(op->operation);
  if (!xc_channels_count(input) ||
      xc_channels_count(input) != xc_channels_count(result))
    return false;
  xc_channels_keep(c, input, result);
  return true;
}

static bool follow_reduction(xc_channels *c, const xc_adaptor *op) {
  bool reduced[XC_MAX_RANK] = {false};
  if (!xc_channels_count(input_of(op, 0)))
    return false;
  xc_reduced_axes(op, reduced);
  return !reduced[3] && follow_one(c, op);
}

static bool follow_resize(xc_channels *c, const xc_adaptor *op) {
  return xc_attr_float(op, XC_ATTR_EXTRAPOLATION_VALUE) == 0 &&
         follow_one(c, op);
}

// New channels are zeros, which stay zeros.
static bool follow_pad(xc_channels *c, const xc_adaptor *op) {
  MlirValue input = input_of(op, 0), result = xc_op_result(op->operation);
  int64_t paddings[XC_MAX_INTS], count = xc_channels_count(input);
  if (!count || !xc_channels_count(result))
    return false;
  xc_attr_ints(op, XC_ATTR_PADDINGS, paddings);
  int64_t before = paddings[6];
  bool is_constant = xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_CONSTANT);
  if (is_constant ? xc_attr_float(op, XC_ATTR_CONSTANT_VALUE) != 0
                  : before != 0 || paddings[7] != 0)
    return false;
  const int64_t *numbers = xc_channels_of(c, input);
  int64_t *own = take_numbers(c, result);
  for (int64_t i = 0; i < xc_channels_count(result); ++i)
    own[i] = i >= before && i - before < count ? numbers[i - before]
                                               : add_channel(c);
  return true;
}

static bool follow_concat(xc_channels *c, const xc_adaptor *op) {
  MlirValue result = xc_op_result(op->operation);
  intptr_t count = mlirOperationGetNumOperands(op->operation);
  for (intptr_t i = 0; i < count; ++i)
    if (!xc_channels_count(input_of(op, i)) ||
        !mlirOperationIsNull(xc_constant_of(input_of(op, i))))
      return false;
  bool side_by_side = xc_axis_of(op) == 3;
  if (!side_by_side)
    xc_channels_keep(c, input_of(op, 0), result);
  int64_t *own = side_by_side ? take_numbers(c, result)
                              : xc_pointer_map_get(&c->by_value, result.ptr);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue input = input_of(op, i);
    const int64_t *numbers = xc_channels_of(c, input);
    for (int64_t k = 0; k < xc_channels_count(input); ++k)
      if (side_by_side)
        *own++ = numbers[k];
      else
        join(c, own[k], numbers[k]);
  }
  return true;
}

static bool follow_slice(xc_channels *c, const xc_adaptor *op) {
  MlirValue input = input_of(op, 0), result = xc_op_result(op->operation);
  int64_t begin[XC_MAX_INTS], strides[XC_MAX_INTS];
  int64_t count = xc_channels_count(input), of_result;
  if (!count || !(of_result = xc_channels_count(result)))
    return false;
  xc_attr_ints(op, XC_ATTR_BEGIN, begin);
  xc_attr_ints(op, XC_ATTR_STRIDES, strides);
  int64_t first = begin[3] < 0 ? begin[3] + count : begin[3];
  first = first < 0 ? 0 : first;
  if (strides[3] < 1 || first + (of_result - 1) * strides[3] >= count)
    return false;
  const int64_t *numbers = xc_channels_of(c, input);
  int64_t *own = take_numbers(c, result);
  for (int64_t i = 0; i < of_result; ++i)
    own[i] = numbers[first + i * strides[3]];
  return true;
}

// A product with a constant, one number or one for each channel of a pixel, a
// row or a column.
static bool follow_scale(xc_channels *c, const xc_adaptor *op) {
  MlirValue result = xc_op_result(op->operation);
  for (size_t i = 0; i < 2; ++i) {
    MlirValue input = xc_operand(op, i);
    if (mlirTypeEqual(mlirValueGetType(input), mlirValueGetType(result)) &&
        mlirOperationIsNull(xc_constant_of(input)) &&
        !mlirOperationIsNull(xc_constant_of(xc_operand(op, 1 - i))) &&
        xc_channels_count(result)) {
      xc_channels_keep(c, input, result);
      return true;
    }
  }
  return false;
}

// Pixels next to each other become channels of one, or channels pixels.
static bool follow_reshape(xc_channels *c, const xc_adaptor *op) {
  MlirValue input = input_of(op, 0), result = xc_op_result(op->operation);
  int64_t from = xc_channels_count(input), to = xc_channels_count(result);
  if (from == 0 || to == 0 || (from % to != 0 && to % from != 0))
    return false;
  const int64_t *numbers = xc_channels_of(c, input);
  int64_t *own = take_numbers(c, result);
  for (int64_t i = 0; i < to; ++i)
    own[i] = numbers[i % from];
  for (int64_t i = to; i < from; ++i)
    join(c, own[i % to], numbers[i]);
  return true;
}

bool xc_channels_follow_factors(xc_channels *c, const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_MUL:
    return follow_scale(c, op);
  case XC_TIR_RESHAPE:
    return follow_reshape(c, op);
  default:
    return xc_channels_follow(c, op);
  }
}

bool xc_channels_follow(xc_channels *c, const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_RELU:
  case XC_TIR_LEAKY_RELU:
  case XC_TIR_ADD:
    return follow_alike(c, op);
  case XC_TIR_MAXPOOL2D:
  case XC_TIR_AVGPOOL2D:
    return follow_one(c, op);
  case XC_TIR_REDUCTION_MEAN:
    return follow_reduction(c, op);
  case XC_TIR_RESIZE:
    return follow_resize(c, op);
  case XC_TIR_PAD:
    return follow_pad(c, op);
  case XC_TIR_CONCAT:
    return follow_concat(c, op);
  case XC_TIR_STRIDED_SLICE:
    return follow_slice(c, op);
  default:
    return false;
  }
}

bool xc_channels_follow_elements(xc_channels *c, const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_RELU6:
  case XC_TIR_CLIP:
  case XC_TIR_HARD_SIGMOID:
  case XC_TIR_HARD_SWISH:
  case XC_TIR_SIGMOID:
  case XC_TIR_TANH:
  case XC_TIR_ELU:
  case XC_TIR_SOFTPLUS:
  case XC_TIR_ABS:
  case XC_TIR_NEG:
  case XC_TIR_EXP:
  case XC_TIR_ERF:
  case XC_TIR_SUB:
  case XC_TIR_MUL:
  case XC_TIR_DIV:
  case XC_TIR_MIN:
  case XC_TIR_MAX:
    return follow_alike(c, op);
  default:
    return false;
  }
}
