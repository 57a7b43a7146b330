//===- ImpliedClamps.c - ranges of quantised models that do not count -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a quantised operator ends where its type does. Beside a ReLU
// that is a clamp on purpose, as in models that were trained with it, or merely
// the largest number that was seen when the model was quantised. What no sample
// exceeds is no clamp to them, and a ReLU leaves equalisation more room.
//
//===----------------------------------------------------------------------===//

#include "Quantize.h"

#include "IR/IR.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"

/// Whether the clamp is beside an activation, and begins at zero as that does.
static bool is_beside_relu(const xc_adaptor *clip) {
  MlirAttribute implied = xc_op_attribute(clip->operation, XC_IMPLIED);
  return !mlirAttributeIsNull(implied) && !mlirBoolAttrGetValue(implied) &&
         xc_attr_float(clip, XC_ATTR_MIN) == 0;
}

static bool is_exceeded(const xc_quantizer *q, const xc_adaptor *clip) {
  const xc_quantize_value *input =
      xc_pointer_map_get(&q->originals, xc_operand(clip, 0).ptr);
  return !input || input->high > xc_attr_float(clip, XC_ATTR_MAX);
}

static bool replace(xc_quantizer *q, const xc_adaptor *clip) {
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

bool xc_quantize_loosen_clamps(xc_quantizer *q, bool *changed) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       !mlirOperationIsNull(op); op = next) {
    xc_adaptor clip;
    const xc_op_info *info = xc_op_info_of(op);
    next = mlirOperationGetNextInBlock(op);
    if (!info || info->kind != XC_TIR_CLIP || !xc_adaptor_of(op, &clip) ||
        !is_beside_relu(&clip) || is_exceeded(q, &clip))
      continue;
    if (!replace(q, &clip))
      return false;
    *changed = true;
  }
  return true;
}
