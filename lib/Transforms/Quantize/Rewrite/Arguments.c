//===- Arguments.c - channels of arguments of different size --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of several sensors may stand side by side in one argument:
// colours within 2 and a depth of up to 100. One fix point leaves nothing of
// the small ones. Neither does that of a concatenation of pixels within 255 and
// features within 4. The CPU rounds an argument anyhow; it may as well multiply
// its channels first. Where that is of use, a multiplication by ones is put
// after the argument, which equalisation gives the factors that the layers take
// back. They are powers of two, with which products are exact.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"

#include "IR/Builder.h"
#include "IR/IR.h"
#include "Support/Memory.h"
#include "Transforms/Quantize/KeepFloat/KeepFloat.h"

#include <math.h>
#include <stdlib.h>

/// The ratio of channels that cannot do with one fix point: three bits.
static const double apart = 8;

static double reach_of(const xc_quantize_value *value) {
  return fmax(value->high, -value->low);
}

// Returns the only operand that is no constant; null: there are several, or
// none.
static MlirValue input_of(MlirOperation op) {
  MlirValue input = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirOperationIsNull(xc_constant_of(operand)))
      continue;
    if (!mlirValueIsNull(input))
      return (MlirValue){NULL};
    input = operand;
  }
  return input;
}

// Coordinates are constants that a concatenation puts beside pixels.
static bool moves(MlirOperation op) {
  const xc_op_info *info = xc_op_info_of(op);
  return info && !mlirValueIsNull(input_of(op)) &&
         (info->kind == XC_TIR_TRANSPOSE || info->kind == XC_TIR_RESHAPE ||
          info->kind == XC_TIR_CAST || info->kind == XC_TIR_CONCAT);
}

// Returns the argument where its channels are the last dimension of an image,
// or null.
static const xc_quantize_value *find_image(const xc_quantizer *q,
                                           const xc_quantize_value *value) {
  MlirOpOperand use;
  while (value &&
         !mlirOpOperandIsNull(use = mlirValueGetFirstUse(value->original))) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    if (!mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) || !moves(reader))
      return value->shape.element == XC_ELEMENT_F32 && value->channels > 0
                 ? value
                 : NULL;
    value = xc_quantize_value_of(q, xc_op_result(reader));
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Arguments that gain by factors
//===----------------------------------------------------------------------===//

static bool has_small_channel(const xc_quantize_value *image) {
  double largest = reach_of(image);
  for (int64_t c = 0; c < image->channels; ++c) {
    double reach = fmax(image->highs[c], -image->lows[c]);
    if (reach > 0 && reach * apart < largest)
      return true;
  }
  return false;
}

static bool joins_other_sizes(const xc_quantizer *q, const xc_adaptor *concat,
                              const xc_quantize_value *image) {
  double own = reach_of(image);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(concat->operation);
       ++i) {
    const xc_quantize_value *other =
        xc_quantize_value_of(q, mlirOperationGetOperand(concat->operation, i));
    double reach = other && other->is_float ? reach_of(other) : 0;
    if (reach > 0 && (reach * apart < own || own * apart < reach))
      return true;
  }
  return false;
}

// All who read it have to be layers that can take factors back, or join it with
// what goes to some.
static bool wants_factors(const xc_quantizer *q,
                          const xc_quantize_value *image) {
  bool wants = has_small_channel(image);
  for (MlirOpOperand use = mlirValueGetFirstUse(image->original);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    xc_adaptor op;
    if (!xc_op_info_of(reader) || !xc_adaptor_of(reader, &op) ||
        xc_quantize_is_kept(q, reader))
      return false;
    if (op.info->kind == XC_TIR_CONCAT && xc_axis_of(&op) == 3)
      wants |= joins_other_sizes(q, &op, image);
    else if (op.info->kind != XC_TIR_CONV2D)
      return false;
  }
  return wants;
}

//===----------------------------------------------------------------------===//
// The operators
//===----------------------------------------------------------------------===//

static bool multiply(xc_quantizer *q, const xc_quantize_value *image) {
  MlirValue value = image->original;
  const xc_shape shape = {XC_ELEMENT_F32, 4, {1, 1, 1, image->channels}, false};
  const xc_builder builder =
      mlirValueIsAOpResult(value)
          ? xc_builder_before(
                mlirOperationGetNextInBlock(mlirOpResultGetOwner(value)))
          : xc_builder_before(mlirBlockGetFirstOperation(q->block));
  float *ones = xc_alloc_array((size_t)image->channels, sizeof(*ones));
  for (int64_t c = 0; c < image->channels; ++c)
    ones[c] = 1;
  const MlirValue operands[] = {value,
                                xc_build_const_bytes(&builder, ones, &shape)};
  free(ones);
  if (mlirValueIsNull(operands[1]))
    return false;
  MlirValue product =
      xc_build(&builder, XC_TIR_MUL, operands, 2, NULL, 0, XC_ELEMENT_F32);
  if (mlirValueIsNull(product))
    return false;
  MlirOperation owner = mlirOpResultGetOwner(product);
  mlirValueReplaceAllUsesExcept(value, product, 1, &owner);
  q->multiplied[q->num_multiplied++] = owner;
  return true;
}

bool xc_quantize_multiply_arguments(xc_quantizer *q, bool *changed) {
  q->multiplied =
      xc_arena_alloc(&q->arena, q->num_arguments + 1, sizeof(*q->multiplied));
  for (size_t i = 0; i < q->num_arguments; ++i) {
    const xc_quantize_value *image = find_image(q, &q->values[i]);
    if (!image || !wants_factors(q, image))
      continue;
    *changed = true;
    if (!multiply(q, image))
      return false;
  }
  return true;
}

void xc_quantize_keep_arguments(xc_quantizer *q) {
  for (size_t i = 0; i < q->num_multiplied; ++i) {
    MlirValue value = xc_op_result(q->multiplied[i]);
    xc_quantize_value_of(q, value)->is_preprocessed = false;
    for (; mlirValueIsAOpResult(value);
         value = input_of(mlirOpResultGetOwner(value)))
      xc_quantize_value_of(q, value)->stays_float = XC_FLOAT_ARGUMENT;
  }
}

// Where factors have come about they have an operator of their own, which took
// over the value. Else the value stays behind, and counts no more.
void xc_quantize_drop_ones(xc_quantizer *q) {
  for (size_t i = 0; i < q->num_multiplied; ++i) {
    MlirOperation ones = q->multiplied[i];
    MlirValue result = xc_op_result(ones);
    MlirValue input = mlirOperationGetOperand(ones, 0);
    xc_quantize_value *value = xc_quantize_value_of(q, result);
    if (value) {
      xc_pointer_map_remove(&q->originals, result.ptr);
      value->original = input;
      value->is_float = false;
    }
    mlirValueReplaceAllUsesOfWith(result, input);
    mlirOperationDestroy(ones);
  }
  q->num_multiplied = 0;
}
