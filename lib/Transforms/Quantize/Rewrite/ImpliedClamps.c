//===- ImpliedClamps.c - clamps that do not count -------------------------===//
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
// So it is with any clamp far beyond what samples have, as exporters write it
// for no clamp at all: 8 bits saturate before it.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Transforms/Quantize/Function/Kinds.h"
#include "Transforms/Quantize/KeepFloat/KeepFloat.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>

/// Whether the clamp is beside what it did not replace.
static bool is_beside(const xc_adaptor *clip) {
  MlirAttribute implied = xc_op_attribute(clip->operation, XC_NAME_IMPLIED);
  return !mlirAttributeIsNull(implied) && !mlirBoolAttrGetValue(implied);
}

// Whether samples exceed a clamp. A part that it cuts off at zero is no end of
// a range.
static bool is_exceeded(const xc_quantizer *q, const xc_adaptor *clip) {
  const xc_quantize_value *input =
      xc_pointer_map_get(&q->originals, xc_operand(clip, 0).ptr);
  double min = xc_attr_float(clip, XC_ATTR_MIN);
  return !input || input->high > xc_attr_float(clip, XC_ATTR_MAX) ||
         (min < 0 && input->low < min);
}

// Whether 8 bits of what the samples have end before the clamp does: the next
// larger power of two. What is in floating point would not saturate.
static bool is_far(const xc_quantizer *q, const xc_adaptor *clip) {
  const xc_quantize_value *input =
      xc_pointer_map_get(&q->originals, xc_operand(clip, 0).ptr);
  const xc_quantize_value *result =
      xc_pointer_map_get(&q->originals, xc_op_result(clip->operation).ptr);
  xc_adaptor writer;
  if (!input || !result || input->stays_float || result->stays_float ||
      !xc_has_attr(clip, XC_ATTR_MIN) || !xc_has_attr(clip, XC_ATTR_MAX) ||
      !xc_float_read_writer(input, &writer) ||
      !xc_convert_has_form(writer.info->kind) ||
      xc_quantize_is_kept(q, writer.operation) ||
      xc_quantize_is_kept(q, clip->operation))
    return false;
  double min = xc_attr_float(clip, XC_ATTR_MIN);
  double seen = min == 0 ? input->high : fmax(input->high, -input->low);
  double end = xc_attr_float(clip, XC_ATTR_MAX);
  return seen > 0 && end >= 2 * seen && (min == 0 || -min >= 2 * seen);
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
  bool joins = xc_op_is(mlirOpResultGetOwner(input->original), "tir.concat");
  if (xc_attr_float(clip, XC_ATTR_MIN) == 0 && !(joins && is_beside(clip)))
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
        !((is_beside(&clip) && !is_exceeded(q, &clip)) || is_far(q, &clip)))
      continue;
    // Other samples may reach it.
    xc_quantize_value *input =
        xc_pointer_map_get(&q->originals, xc_operand(&clip, 0).ptr);
    input->saturates |= !is_beside(&clip);
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
