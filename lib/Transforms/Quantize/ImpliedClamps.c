//===- ImpliedClamps.c - ranges of quantised models that do not count -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a quantised operator ends where its type does. Beside an
// activation, or after a concatenation, that is a clamp on purpose, as in
// models that were trained with it, or merely the largest number that was seen
// when the model was quantised. What no sample exceeds is no clamp to them: a
// ReLU is left, which leaves equalisation more room, or nothing.
//
//===----------------------------------------------------------------------===//

#include "Quantize.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"

/// Whether the clamp is beside what it did not replace.
static bool is_beside(const xc_adaptor *clip) {
  MlirAttribute implied = xc_op_attribute(clip->operation, XC_NAME_IMPLIED);
  return !mlirAttributeIsNull(implied) && !mlirBoolAttrGetValue(implied);
}

// What a clamp cuts off at zero is no end of a range.
static bool is_exceeded(const xc_quantizer *q, const xc_adaptor *clip) {
  const xc_quantize_value *input =
      xc_pointer_map_get(&q->originals, xc_operand(clip, 0).ptr);
  double min = xc_attr_float(clip, XC_ATTR_MIN);
  return !input || input->high > xc_attr_float(clip, XC_ATTR_MAX) ||
         (min < 0 && input->low < min);
}

static bool put_relu(xc_quantizer *q, const xc_adaptor *clip) {
  const xc_builder builder = xc_builder_before(clip->operation);
  MlirAttribute name = xc_op_attribute(clip->operation, "op_name");
  const xc_attribute attribute = xc_given("op_name", name);
  MlirValue input = xc_operand(clip, 0), old = xc_op_result(clip->operation);
  MlirValue relu = xc_build(&builder, XC_TIR_RELU, &input, 1, &attribute,
                            mlirAttributeIsNull(name) ? 0 : 1, XC_ELEMENT_NONE);
  if (mlirValueIsNull(relu))
    return false;
  xc_quantize_value *value = xc_pointer_map_get(&q->originals, old.ptr);
  value->original = relu;
  xc_pointer_map_set(&q->originals, relu.ptr, value);
  xc_pointer_map_remove(&q->originals, old.ptr);
  mlirValueReplaceAllUsesOfWith(old, relu);
  mlirOperationDestroy(clip->operation);
  return true;
}

// Its place among the values stays until close_up.
static void forget(xc_quantizer *q, MlirValue original) {
  xc_quantize_value *gone = xc_pointer_map_get(&q->originals, original.ptr);
  xc_pointer_map_remove(&q->originals, original.ptr);
  xc_pointer_map_remove(&q->references, gone->reference.ptr);
  gone->original = (MlirValue){NULL};
}

// Values move up over forgotten ones, all at once: one by one would take the
// square of their number.
static void close_up(xc_quantizer *q) {
  size_t kept = 0;
  for (size_t i = 0; i < q->num_values; ++i) {
    if (mlirValueIsNull(q->values[i].original))
      continue;
    xc_quantize_value *value = &q->values[kept++];
    if (kept == i + 1)
      continue;
    *value = q->values[i];
    xc_pointer_map_set(&q->originals, value->original.ptr, value);
    xc_pointer_map_set(&q->references, value->reference.ptr, value);
  }
  q->num_values = kept;
}

static void leave_out(xc_quantizer *q, const xc_adaptor *clip) {
  MlirValue old = xc_op_result(clip->operation);
  forget(q, old);
  mlirValueReplaceAllUsesOfWith(old, xc_operand(clip, 0));
  mlirOperationDestroy(clip->operation);
}

// Before a clamp that begins at zero there is a ReLU, but for a concatenation
// of what is not negative.
static bool loosen(xc_quantizer *q, const xc_adaptor *clip) {
  const xc_quantize_value *input =
      xc_pointer_map_get(&q->originals, xc_operand(clip, 0).ptr);
  bool is_relu = xc_attr_float(clip, XC_ATTR_MIN) == 0 &&
                 !xc_op_is(mlirOpResultGetOwner(input->original), "tir.concat");
  if (is_relu)
    return put_relu(q, clip);
  leave_out(q, clip);
  return true;
}

static bool loosen_all(xc_quantizer *q, bool *changed) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       !mlirOperationIsNull(op); op = next) {
    xc_adaptor clip;
    const xc_op_info *info = xc_op_info_of(op);
    next = mlirOperationGetNextInBlock(op);
    if (!info || info->kind != XC_TIR_CLIP || !xc_adaptor_of(op, &clip) ||
        !is_beside(&clip) || is_exceeded(q, &clip))
      continue;
    if (!loosen(q, &clip))
      return false;
    *changed = true;
  }
  return true;
}

bool xc_quantize_loosen_clamps(xc_quantizer *q, bool *changed) {
  bool ok = loosen_all(q, changed);
  close_up(q);
  return ok;
}
