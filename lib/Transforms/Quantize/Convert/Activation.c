//===- Activation.c - activations that are fused --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Activation.h"

#include <string.h>

// The engines of sums and depthwise convolutions have no leaky ReLU; by itself
// it has one.
static bool takes_leaky(const xc_conversion *c) {
  xc_op_kind kind = c->adaptor.info->kind;
  return kind == XC_TIR_CONV2D || kind == XC_TIR_TRANSPOSED_CONV2D ||
         kind == XC_TIR_MATMUL;
}

const char *xc_convert_fuse(xc_conversion *c, bool hard_too) {
  MlirOperation user = xc_only_user(c->result->original);
  const char *nonlinear =
      mlirOperationIsNull(user) ? NULL : xc_nonlinear_of(user);
  bool is_coarse = c->result->calibrated < XC_HARD_POINT;
  if (hard_too && is_coarse && nonlinear && strcmp(nonlinear, "HSWISH") == 0)
    nonlinear = "RELU";
  if (!nonlinear ||
      (xc_nonlinear_is_hard(nonlinear) && (!hard_too || is_coarse)) ||
      (strcmp(nonlinear, "LEAKYRELU") == 0 && !takes_leaky(c)))
    return NULL;
  xc_quantize_value *result = xc_convert_value(c, xc_op_result(user));
  if (!result)
    return NULL;
  c->activation = user;
  c->location = mlirOperationGetLocation(user);
  c->result->is_fused = true;
  c->result = result;
  if (strcmp(nonlinear, "LEAKYRELU") == 0)
    xc_convert_take_clamp(c);
  return nonlinear;
}

void xc_convert_take_clamp(xc_conversion *c) {
  MlirOperation clamp = xc_quantize_clamp_of(c->result->original);
  xc_quantize_value *result = mlirOperationIsNull(clamp)
                                  ? NULL
                                  : xc_convert_value(c, xc_op_result(clamp));
  if (!result)
    return;
  c->clamp = clamp;
  c->location = mlirOperationGetLocation(clamp);
  c->result->is_fused = true;
  c->result = result;
}

const char *xc_settle_relu6(const char *nonlinear, int point) {
  bool saturates = nonlinear && strcmp(nonlinear, "RELU6") == 0 && point >= 5;
  return saturates ? "RELU" : nonlinear;
}
