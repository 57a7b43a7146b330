//===- Kinds.c - kinds of operators ---------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kinds.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"

bool xc_convert_has_form(xc_op_kind kind) {
  switch (kind) {
#define FORM(from, when, convert) case XC_TIR_##from:
#define FORM_AS(from, to, when, convert) case XC_TIR_##from:
#include "Forms.def"
    return true;
  default:
    return false;
  }
}

bool xc_quantize_is_move(xc_op_kind kind) {
  return kind == XC_TIR_RESHAPE || kind == XC_TIR_FLATTEN ||
         kind == XC_TIR_SQUEEZE || kind == XC_TIR_TRANSPOSE ||
         kind == XC_TIR_STRIDED_SLICE || kind == XC_TIR_CONCAT;
}

bool xc_quantize_is_arithmetic(xc_op_kind kind) {
  return kind == XC_TIR_ADD || kind == XC_TIR_SUB || kind == XC_TIR_MUL ||
         kind == XC_TIR_MIN || kind == XC_TIR_MAX || kind == XC_TIR_NEG;
}

bool xc_float_is_scale(const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_BATCHNORM:
  case XC_TIR_SCALE:
    return true;
  case XC_TIR_DEPTHWISE_CONV2D: // how tir-legalize writes one
    return xc_attr_all(op, XC_ATTR_KERNEL, 1) &&
           xc_attr_all(op, XC_ATTR_STRIDE, 1) &&
           xc_attr_all(op, XC_ATTR_PAD, 0) &&
           !mlirOperationIsNull(xc_constant_of(xc_operand(op, 1)));
  default:
    return false;
  }
}

// A 1x1 convolution with one number throughout is a mean or sum of channels.
static bool sums_channels(const xc_adaptor *op) {
  MlirOperation weight = xc_constant_of(xc_operand(op, XC_CONV2D_WEIGHT));
  if (mlirOperationIsNull(weight) || !xc_attr_all(op, XC_ATTR_KERNEL, 1))
    return false;
  MlirAttribute value = xc_op_attribute(weight, "value");
  return mlirAttributeIsADenseElements(value) &&
         mlirDenseElementsAttrIsSplat(value);
}

bool xc_float_is_reduction(const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_AVGPOOL2D:
  case XC_TIR_REDUCTION_MEAN:
  case XC_TIR_REDUCTION_SUM:
    return true;
  case XC_TIR_CONV2D:
    return sums_channels(op);
  default:
    return false;
  }
}

static bool has_exponent(const xc_adaptor *op, double exponent) {
  double number;
  return op->info->kind == XC_TIR_POW &&
         xc_const_number(xc_operand(op, 1), &number) && number == exponent;
}

bool xc_float_is_root(const xc_adaptor *op) {
  return op->info->kind == XC_TIR_SQRT || op->info->kind == XC_TIR_RSQRT ||
         has_exponent(op, 0.5) || has_exponent(op, -0.5);
}

bool xc_float_is_square(const xc_adaptor *op) {
  return has_exponent(op, 2) ||
         (op->info->kind == XC_TIR_MUL &&
          mlirValueEqual(xc_operand(op, 0), xc_operand(op, 1)));
}

bool xc_float_read_writer(const xc_quantize_value *value, xc_adaptor *op) {
  return value->is_float && mlirValueIsAOpResult(value->original) &&
         xc_op_info_of(mlirOpResultGetOwner(value->original)) &&
         xc_adaptor_of(mlirOpResultGetOwner(value->original), op);
}
