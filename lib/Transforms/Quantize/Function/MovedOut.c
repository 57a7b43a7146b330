//===- MovedOut.c - values of which nothing but results comes -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kinds.h"

#include "IR/IR.h"

/// Whether a reader has nothing in fixed point; `is_result`: nor anything that
/// is computed.
static bool moves_out(const xc_quantizer *q, MlirOperation reader,
                      bool *is_result) {
  const xc_op_info *info = xc_op_info_of(reader);
  if (!info)
    return true;
  if (!xc_convert_has_form(info->kind)) {
    *is_result = false;
    return true;
  }
  const xc_quantize_value *result =
      xc_quantize_is_move(info->kind)
          ? xc_quantize_value_of(q, xc_op_result(reader))
          : NULL;
  *is_result &= result && result->is_result;
  return result && result->is_moved_out;
}

void xc_quantize_find_moved_out(xc_quantizer *q) {
  // Readers come after what they read.
  for (size_t i = q->num_values; i-- > 0;) {
    xc_quantize_value *value = &q->values[i];
    value->is_moved_out = value->is_result = true;
    for (MlirOpOperand use = mlirValueGetFirstUse(value->original);
         value->is_moved_out && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      value->is_moved_out =
          moves_out(q, mlirOpOperandGetOwner(use), &value->is_result);
    value->is_result &= value->is_moved_out;
  }
}
