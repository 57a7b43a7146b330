//===- Activation.c - activations that operators take up ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Activation.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "dialects/Adaptor.h"
#include "xc-c/FixedPoint.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>

MlirOperation xc_only_user(MlirValue value) {
  return xc_value_has_one_use(value)
             ? mlirOpOperandGetOwner(mlirValueGetFirstUse(value))
             : (MlirOperation){NULL};
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

static double limit(MlirOperation clip, const char *name, double absent) {
  MlirAttribute attribute = xc_op_attribute(clip, name);
  return mlirAttributeIsNull(attribute)
             ? absent
             : mlirFloatAttrGetValueDouble(attribute);
}

/// Whether a range is what saturation leaves at some fix point, give or take so
/// many steps.
static bool is_range(double low, double high, double steps, int *point) {
  if (!(high > 0) || !isfinite(high))
    return false;
  const double smallest = -128, largest = 127.5;
  *point = (int)round(log2(largest / high));
  double step = exp2(-*point);
  return fabs(high / step - largest) <= steps &&
         (low == 0 || fabs(low / step - smallest) <= steps);
}

static bool is_implied_clamp(MlirOperation clip) {
  return !mlirAttributeIsNull(xc_op_attribute(clip, XC_NAME_IMPLIED));
}

bool xc_quantize_saturation(MlirOperation clip, int *point) {
  const xc_op_info *info = xc_op_info_of(clip);
  // A range that ends a step further is the same clamp; that of integers whose
  // 127 is a power of two ends 128 / 127 steps further. One that stands for a
  // range may miss it: the next fix point would end twice as far.
  const double one_step = 1.01, some_steps = 4;
  return info && info->kind == XC_TIR_CLIP &&
         is_range(limit(clip, "min", -INFINITY), limit(clip, "max", INFINITY),
                  is_implied_clamp(clip) ? some_steps : one_step, point);
}

MlirOperation xc_quantize_clamp_of(MlirValue value) {
  MlirOperation user = xc_only_user(value);
  const xc_op_info *info =
      mlirOperationIsNull(user) ? NULL : xc_op_info_of(user);
  if (!info || info->kind != XC_TIR_CLIP)
    return (MlirOperation){NULL};
  // Where the range of a type begins at zero, the value does.
  int point;
  return is_implied_clamp(user) || (limit(user, "min", -1) < 0 &&
                                    xc_quantize_saturation(user, &point))
             ? user
             : (MlirOperation){NULL};
}

const char *xc_nonlinear_of(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info)
    return NULL;
  if (info->kind == XC_TIR_RELU)
    return "RELU";
  int point;
  if (info->kind == XC_TIR_CLIP) {
    if (!is_implied_clamp(operation) &&
        !xc_quantize_saturation(operation, &point))
      return NULL;
    return limit(operation, "min", -1) < 0 ? "NONE" : "RELU";
  }
  if (info->kind == XC_TIR_RELU6)
    return "RELU6";
  // 0.1 counts as such: calibration sees what the other slope changes.
  if (info->kind == XC_TIR_LEAKY_RELU)
    return is_near(operation, "alpha", 0.01, xcLeakySlope()) ? "LEAKYRELU"
                                                             : NULL;
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
