//===- Activation.c - activations that are fused --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convert.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <string.h>

static MlirOperation only_user(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  return mlirOpOperandGetOwner(use);
}

static bool is_near(MlirOperation operation, const char *name, double absent,
                    double wanted) {
  const double tolerance = 2e-3;
  MlirAttribute attribute = xc_op_attribute(operation, name);
  double value = mlirAttributeIsNull(attribute)
                     ? absent
                     : mlirFloatAttrGetValueDouble(attribute);
  return fabs(value - wanted) <= tolerance;
}

const char *xc_nonlinear_of(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info)
    return NULL;
  if (info->kind == XC_TIR_RELU)
    return "RELU";
  // 127 / 2^5 is where fix point 5 saturates.
  if (info->kind == XC_TIR_CLIP)
    return is_near(operation, "min", -1, 0) &&
                   is_near(operation, "max", 0, 127.0 / 32)
               ? "RELU"
               : NULL;
  if (info->kind == XC_TIR_RELU6)
    return "RELU6";
  if (info->kind == XC_TIR_LEAKY_RELU)
    return is_near(operation, "alpha", 0.01, 26.0 / 256) ? "LEAKYRELU" : NULL;
  if (info->kind == XC_TIR_HARD_SWISH)
    return "HSWISH";
  bool sixth = info->kind == XC_TIR_HARD_SIGMOID &&
               is_near(operation, "alpha", 1.0 / 6, 1.0 / 6) &&
               is_near(operation, "beta", 0.5, 0.5);
  return sixth ? "HSIGMOID" : NULL;
}

bool xc_nonlinear_is_hard(const char *nonlinear) {
  return nonlinear && nonlinear[0] == 'H';
}

const char *xc_convert_fuse(xc_conversion *c, bool hard_too) {
  MlirOperation user = only_user(c->result->original);
  const char *nonlinear =
      mlirOperationIsNull(user) ? NULL : xc_nonlinear_of(user);
  if (!nonlinear || (xc_nonlinear_is_hard(nonlinear) && !hard_too))
    return NULL;
  xc_quantize_value *result = xc_convert_value(c, xc_op_result(user));
  if (!result)
    return NULL;
  c->activation = user;
  c->location = mlirOperationGetLocation(user);
  c->result = result;
  return nonlinear;
}

const char *xc_settle_relu6(const char *nonlinear, int point) {
  bool saturates = nonlinear && strcmp(nonlinear, "RELU6") == 0 && point >= 5;
  return saturates ? "RELU" : nonlinear;
}
