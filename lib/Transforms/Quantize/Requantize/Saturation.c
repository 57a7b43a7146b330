//===- Saturation.c - what the range of a quantised result cuts off -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantisers drop an activation that the saturation of the result computes by
// itself. Here it comes back: as a ReLU or ReLU6 where the range is that of
// one, else as a clamp where the operator in fixed point takes it along. The
// result is that of a quantised operator, or of a float one and quantised after
// it.
//
//===----------------------------------------------------------------------===//

#include "RealForm.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "OpParams/Quant.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <math.h>

/// The range of the result's type; real numbers beyond saturate.
typedef struct real_range {
  double low, high, step;
} real_range;

static real_range result_range(const xc_requantizer *r, xc_quant point) {
  const xc_range range = xc_element_range(xc_result_shape(&r->adaptor).element);
  double scale = (double)point.scale;
  return (real_range){scale * (double)(range.low - point.zero_point),
                      scale * (double)(range.high - point.zero_point), scale};
}

static bool is_six(real_range range) {
  const double six = 6.0;
  return fabs(range.high - six) <= range.step / 2;
}

static MlirValue build_clamp(xc_requantizer *r, MlirValue value,
                             real_range range, bool implies) {
  if (mlirValueIsNull(value))
    return value;
  r->attributes.count = 0;
  xc_requantize_attributes(r, XC_TIR_CLIP);
  xc_requantize_add(r, xc_float("min", range.low));
  xc_requantize_add(r, xc_float("max", range.high));
  xc_requantize_add(r, xc_bool(XC_NAME_IMPLIED, implies));
  return xc_requantize_build(r, XC_TIR_CLIP, &value, 1);
}

static MlirValue build_relu(xc_requantizer *r, MlirValue value,
                            real_range range) {
  return xc_requantize_activate(r, is_six(range) ? XC_ENUM_RELU6 : XC_ENUM_RELU,
                                value);
}

//===----------------------------------------------------------------------===//
// Values that are never negative
//===----------------------------------------------------------------------===//

/// The kinds whose results are not negative, in any case or as their operands
/// are not.
typedef enum sign_rule { ANY_SIGN, NOT_NEGATIVE, AS_OPERANDS } sign_rule;

/// Whether the least integer that is dequantised stands for zero.
static bool begins_at_zero(const xc_adaptor *dequantize) {
  xc_element element = xc_operand_shape(dequantize, 0).element;
  return xc_attr_floats(dequantize, XC_ATTR_SCALE, NULL, 0) == 1 &&
         xc_attr_int_at(dequantize, XC_ATTR_ZERO_POINT, 0) ==
             xc_element_min(element);
}

static sign_rule sign_of(const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_DEQUANTIZE_LINEAR:
    return begins_at_zero(op) ? NOT_NEGATIVE : ANY_SIGN;
  case XC_TIR_RELU:
  case XC_TIR_RELU6:
  case XC_TIR_SIGMOID:
  case XC_TIR_HARD_SIGMOID:
  case XC_TIR_SOFTMAX:
  case XC_TIR_EXP:
  case XC_TIR_ABS:
    return NOT_NEGATIVE;
  case XC_TIR_CLIP:
    return xc_attr_float(op, XC_ATTR_MIN) >= 0 ? NOT_NEGATIVE : ANY_SIGN;
  case XC_TIR_RESIZE:
    return xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_BICUBIC) ? ANY_SIGN
                                                         : AS_OPERANDS;
  case XC_TIR_MAXPOOL2D:
  case XC_TIR_AVGPOOL2D:
  case XC_TIR_REDUCTION_MEAN:
  case XC_TIR_REDUCTION_MAX:
  case XC_TIR_REDUCTION_SUM:
  case XC_TIR_CONCAT:
  case XC_TIR_ADD:
  case XC_TIR_MUL:
  case XC_TIR_RESHAPE:
  case XC_TIR_FLATTEN:
  case XC_TIR_SQUEEZE:
  case XC_TIR_EXPAND:
  case XC_TIR_TRANSPOSE:
  case XC_TIR_STRIDED_SLICE:
  case XC_TIR_PIXEL_SHUFFLE:
    return AS_OPERANDS;
  default:
    return ANY_SIGN;
  }
}

/// As far as so many operators before the value tell.
static bool is_never_negative(MlirValue value, int depth) {
  xc_adaptor op;
  if (depth == 0 || !mlirValueIsAOpResult(value) ||
      !xc_op_info_of(mlirOpResultGetOwner(value)) ||
      !xc_adaptor_of(mlirOpResultGetOwner(value), &op))
    return false;
  sign_rule rule = sign_of(&op);
  for (size_t slot = 0; slot < op.info->num_operands && rule == AS_OPERANDS;
       ++slot)
    if (xc_has_operand(&op, slot) &&
        !is_never_negative(xc_operand(&op, slot), depth - 1))
      return false;
  return rule != ANY_SIGN;
}

static bool has_negatives(MlirValue value) {
  enum { DEPTH = 6 };
  return !mlirValueIsNull(value) && !is_never_negative(value, DEPTH);
}

//===----------------------------------------------------------------------===//
// Quantised operators
//===----------------------------------------------------------------------===//

/// Sums of products with weights.
static bool is_product(const xc_requantizer *r) {
  switch (r->adaptor.info->kind) {
  case XC_TIR_QLINEAR_CONV2D:
  case XC_TIR_QLINEAR_DEPTHWISE_CONV2D:
  case XC_TIR_QLINEAR_TRANSPOSED_CONV2D:
  case XC_TIR_QLINEAR_MATMUL:
    return true;
  default:
    return false;
  }
}

/// Whether the operator in fixed point takes a clamp along; by itself a clamp
/// would stay on the CPU.
static bool fuses_clamp(const xc_requantizer *r) {
  if (r->adaptor.info->kind != XC_TIR_QLINEAR_ELTWISE)
    return is_product(r);
  return xc_attr_is(&r->adaptor, XC_ATTR_TYPE, XC_ENUM_ADD) ||
         xc_attr_is(&r->adaptor, XC_ATTR_TYPE, XC_ENUM_MUL);
}

/// The smallest value of the type stands for zero, and RELU6 ends at its
/// largest. So an operator clamps to any other range, and where the activation
/// is still there, to what this leaves of the range.
static MlirValue imply_activation(xc_requantizer *r, xc_enum type,
                                  MlirValue value, xc_quant point) {
  real_range range = result_range(r, point);
  if (type != XC_ENUM_NONE)
    range.low = fmax(range.low, 0);
  if (type == XC_ENUM_RELU6)
    range.high = fmin(range.high, 6.0);
  if (!fuses_clamp(r))
    return range.low == 0 && has_negatives(value) ? build_relu(r, value, range)
                                                  : value;
  return range.low == 0 && is_six(range)
             ? build_relu(r, value, range)
             : build_clamp(r, value, range, type == XC_ENUM_NONE);
}

/// Whether a value of integers stands for numbers that are never negative.
static bool is_non_negative(const xc_requantizer *r, size_t slot,
                            xc_quant point) {
  xc_element element = xc_operand_shape(&r->adaptor, slot).element;
  return point.zero_point == xc_element_min(element);
}

/// Whether the float form may be negative where the result's type begins at
/// zero, as far as the operands' types tell.
static bool may_be_negative(const xc_requantizer *r) {
  switch (r->adaptor.info->kind) {
  case XC_TIR_QLINEAR_ELTWISE:
    return xc_attr_is(&r->adaptor, XC_ATTR_TYPE, XC_ENUM_SUB) ||
           !is_non_negative(r, 0,
                            xc_quant_of(&r->adaptor, XC_ATTR_A_SCALE,
                                        XC_ATTR_A_ZERO_POINT)) ||
           !is_non_negative(
               r, 1,
               xc_quant_of(&r->adaptor, XC_ATTR_B_SCALE, XC_ATTR_B_ZERO_POINT));
  case XC_TIR_QLINEAR_REQUANTIZE:
  case XC_TIR_QLINEAR_POOL:
  case XC_TIR_QLINEAR_REDUCTION:
  case XC_TIR_QLINEAR_RESIZE:
    return !is_non_negative(r, 0, xc_input_quant(&r->adaptor));
  default:
    return is_product(r);
  }
}

static bool joins_non_negatives(const xc_requantizer *r) {
  if (r->adaptor.info->kind != XC_TIR_QLINEAR_CONCAT)
    return false;
  size_t count = 0;
  for (size_t slot = 0; slot < r->adaptor.info->num_operands; ++slot) {
    if (!xc_has_operand(&r->adaptor, slot))
      continue;
    const xc_quant point = {.zero_point = (int32_t)xc_attr_int_at(
                                &r->adaptor, XC_ATTR_INPUT_ZERO_POINT, count)};
    if (!is_non_negative(r, slot, point))
      return false;
    ++count;
  }
  return true;
}

/// Slopes and concatenations have the range of what they read, unless a
/// narrower one cuts it off on purpose.
static bool has_own_range(const xc_requantizer *r) {
  return r->adaptor.info->kind == XC_TIR_QLINEAR_PRELU ||
         r->adaptor.info->kind == XC_TIR_QLINEAR_CONCAT ||
         (r->adaptor.info->kind == XC_TIR_QLINEAR_ACTIVATION &&
          xc_attr_is(&r->adaptor, XC_ATTR_TYPE, XC_ENUM_LEAKYRELU));
}

/// Returns the range of the result's type as a clamp that counts where samples
/// exceed it, after what is neither a product nor a sum.
static MlirValue clamp_range(xc_requantizer *r, MlirValue value,
                             real_range range) {
  return range.low == 0 && !joins_non_negatives(r)
             ? xc_requantize_activate(r, XC_ENUM_RELU, value)
             : build_clamp(r, value, range, false);
}

bool xc_requantize_finish(xc_requantizer *r, MlirValue value) {
  xc_quant point = xc_output_quant(&r->adaptor);
  xc_enum type = xc_has_attr(&r->adaptor, XC_ATTR_NONLINEAR)
                     ? xc_attr_enum(&r->adaptor, XC_ATTR_NONLINEAR)
                     : XC_ENUM_NONE;
  bool saturates =
      type == XC_ENUM_NONE
          ? may_be_negative(r)
          : fuses_clamp(r) && (type == XC_ENUM_RELU || type == XC_ENUM_RELU6);
  value = has_own_range(r) ? clamp_range(r, value, result_range(r, point))
          : saturates      ? imply_activation(r, type, value, point)
                           : xc_requantize_activate(r, type, value);
  return xc_requantize_set(r, value, point);
}

//===----------------------------------------------------------------------===//
// Float operators whose results are quantised
//===----------------------------------------------------------------------===//

static bool has_several_readers(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) &&
         !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

/// Returns the operator that computes a value which no two others read, or none
/// yet; null for others.
static MlirOperation only_source(MlirValue value) {
  if (!mlirValueIsAOpResult(value) || has_several_readers(value))
    return (MlirOperation){NULL};
  MlirOperation source = mlirOpResultGetOwner(value);
  return xc_op_info_of(source) ? source : (MlirOperation){NULL};
}

static bool only_moves(xc_op_kind kind) {
  return kind == XC_TIR_RESHAPE || kind == XC_TIR_FLATTEN ||
         kind == XC_TIR_SQUEEZE || kind == XC_TIR_TRANSPOSE;
}

static bool is_slope(xc_op_kind kind) {
  return kind == XC_TIR_LEAKY_RELU || kind == XC_TIR_PRELU;
}

/// The float operators whose forms in fixed point take a clamp along. Products
/// of tensors do, but that of a SiLU stays on the CPU with its sigmoid.
static bool takes_clamp(xc_op_kind kind) {
  switch (kind) {
  case XC_TIR_CONV2D:
  case XC_TIR_DEPTHWISE_CONV2D:
  case XC_TIR_TRANSPOSED_CONV2D:
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D:
  case XC_TIR_MATMUL:
  case XC_TIR_ADD:
    return true;
  default:
    return false;
  }
}

/// The operators between one that takes a clamp along and the reader of its
/// result: moves, and a ReLU at most.
typedef struct clamped_result {
  MlirOperation source, relu, reader;
  MlirValue value; // of the source
} clamped_result;

static clamped_result find_source(MlirValue value, MlirOperation reader) {
  clamped_result found = {
      .source = only_source(value), .reader = reader, .value = value};
  while (!mlirOperationIsNull(found.source)) {
    xc_op_kind kind = xc_op_info_of(found.source)->kind;
    bool is_relu = kind == XC_TIR_RELU && mlirOperationIsNull(found.relu);
    if (!only_moves(kind) && !is_relu)
      break;
    if (is_relu)
      found.relu = found.source;
    found.reader = found.source;
    found.value = mlirOperationGetOperand(found.source, 0);
    found.source = only_source(found.value);
  }
  return found;
}

/// The clamp of the source's result computes the ReLU as well.
static MlirValue clamp_source(xc_requantizer *r, clamped_result *found,
                              MlirValue value, real_range range) {
  bool has_relu = !mlirOperationIsNull(found->relu);
  if (has_relu)
    range.low = fmax(range.low, 0);
  const xc_builder builder = r->builder;
  r->builder = xc_builder_before(found->reader);
  MlirValue clamped = range.low == 0 && is_six(range)
                          ? build_relu(r, found->value, range)
                          : build_clamp(r, found->value, range, !has_relu);
  r->builder = builder;
  if (mlirValueIsNull(clamped))
    return clamped;
  if (mlirOperationEqual(found->reader, r->adaptor.operation))
    return clamped;
  mlirOperationSetOperand(found->reader, 0, clamped);
  if (!has_relu)
    return value;
  MlirValue rectified = xc_op_result(found->relu);
  MlirValue input = mlirOperationGetOperand(found->relu, 0);
  mlirValueReplaceAllUsesOfWith(rectified, input);
  xc_requantize_drop(r, found->relu);
  return mlirValueEqual(value, rectified) ? input : value;
}

/// A clamp that another one made ends where both do.
static void tighten(const xc_adaptor *clip, real_range range) {
  MlirContext context = mlirOperationGetContext(clip->operation);
  MlirType type = mlirF32TypeGet(context);
  range.low = fmax(range.low, xc_attr_float(clip, XC_ATTR_MIN));
  range.high = fmin(range.high, xc_attr_float(clip, XC_ATTR_MAX));
  mlirOperationSetAttributeByName(
      clip->operation, xc_ref("min"),
      mlirFloatAttrDoubleGet(context, type, range.low));
  mlirOperationSetAttributeByName(
      clip->operation, xc_ref("max"),
      mlirFloatAttrDoubleGet(context, type, range.high));
}

static bool is_implied(MlirOperation operation, xc_adaptor *clip) {
  return xc_op_is(operation, "tir.clip") &&
         !mlirAttributeIsNull(xc_op_attribute(operation, XC_NAME_IMPLIED)) &&
         xc_adaptor_of(operation, clip);
}

/// Clamps a value where its source takes that along. Returns whether there is
/// one.
static bool clamp_at_source(xc_requantizer *r, MlirValue *value,
                            real_range range) {
  xc_adaptor clip;
  clamped_result found = find_source(*value, r->adaptor.operation);
  if (mlirOperationIsNull(found.source) ||
      has_several_readers(xc_operand(&r->adaptor, 0)))
    return false;
  xc_op_kind kind = xc_op_info_of(found.source)->kind;
  if (is_slope(kind) && mlirValueEqual(found.value, *value))
    *value = clamp_range(r, *value, range);
  else if (is_implied(found.source, &clip))
    tighten(&clip, range);
  else if (takes_clamp(kind))
    *value = clamp_source(r, &found, *value, range);
  else
    return false;
  return true;
}

static MlirValue saturate(xc_requantizer *r, MlirValue value,
                          real_range range) {
  if (clamp_at_source(r, &value, range))
    return value;
  // A clamp by itself would stay on the CPU.
  return range.low == 0 && has_negatives(value) ? build_relu(r, value, range)
                                                : value;
}

MlirValue xc_requantize_saturate(xc_requantizer *r, MlirValue value,
                                 xc_quant point) {
  return saturate(r, value, result_range(r, point));
}

MlirValue xc_requantize_bound(xc_requantizer *r, MlirValue value,
                              xc_quant point, int64_t low, int64_t high) {
  real_range range = result_range(r, point);
  double scale = (double)point.scale;
  range.low = fmax(range.low, scale * (double)(low - point.zero_point));
  range.high = fmin(range.high, scale * (double)(high - point.zero_point));
  return saturate(r, value, range);
}
