//===- Fix.c - parameters of operators in fixed point ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fix.h"

#include "Window.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <string.h>

XcRoundMode xc_round_mode_of(const xc_adaptor *op) {
  const char *name = xc_enum_name(xc_attr_enum(op, XC_ATTR_ROUND_MODE));
  XcRoundMode mode = XcRoundModeDpu;
  bool known = xcRoundModeParse(name, strlen(name), &mode);
  assert(known && "the verifier allows the rounding modes only");
  (void)known;
  return mode;
}

XcActivation xc_activation_of(const xc_adaptor *op) {
  const char *name = xc_enum_name(xc_attr_enum(op, XC_ATTR_NONLINEAR));
  XcActivation activation = XcActivationNone;
  bool known = xcActivationParse(name, strlen(name), &activation);
  assert(known && "the verifier allows the activations only");
  (void)known;
  return activation;
}

XcFixType xc_fix_type(xc_element element) {
  return (XcFixType){8, element == XC_ELEMENT_I8};
}

XcFixType xc_fix_result_type(const xc_adaptor *op) {
  return xc_fix_type(xc_result_shape(op).element);
}

XcFixType xc_fix_attribute_type(const xc_adaptor *op) {
  return (XcFixType){(uint8_t)xc_attr_int(op, XC_ATTR_BIT_WIDTH),
                     xc_attr_bool(op, XC_ATTR_IF_SIGNED)};
}

//===----------------------------------------------------------------------===//
// Fix points
//===----------------------------------------------------------------------===//

int xc_fix_point(const xc_adaptor *op, xc_attr id) {
  return (int)xc_attr_int(op, id);
}

int xc_input_fix_point(const xc_adaptor *op, size_t index) {
  const xc_attribute_info *row =
      xc_attribute_info_get(op->info, XC_ATTR_INPUT_FIX_POINT);
  if (row->type == XC_ATTRIBUTE_INT)
    return xc_fix_point(op, XC_ATTR_INPUT_FIX_POINT);
  int64_t points[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, XC_ATTR_INPUT_FIX_POINT, points);
  return index < count ? (int)points[index] : 0;
}

int xc_fix_rescale_shift(const xc_adaptor *op) {
  return xc_fix_point(op, XC_ATTR_INPUT_FIX_POINT) -
         xc_fix_point(op, XC_ATTR_OUTPUT_FIX_POINT);
}

// Lists are empty by default.
static size_t list_length(const xc_adaptor *op, xc_attr id) {
  MlirAttribute list = xc_attr_get(op, id);
  return mlirAttributeIsNull(list) ? 0
                                   : (size_t)mlirArrayAttrGetNumElements(list);
}

xc_fix_groups xc_fix_groups_of(const xc_adaptor *op, int64_t out_channels) {
  size_t weights = list_length(op, XC_ATTR_WEIGHT_FIX_POINTS);
  size_t biases = list_length(op, XC_ATTR_BIAS_FIX_POINTS);
  size_t count = weights > biases ? weights : biases;
  if (count == 0)
    return (xc_fix_groups){1, out_channels};
  return (xc_fix_groups){(int64_t)count,
                         xc_attr_int(op, XC_ATTR_FIX_POINT_CHANNELS)};
}

static int group_point(const xc_adaptor *op, xc_attr list, xc_attr point,
                       int64_t group) {
  return (int)(list_length(op, list) ? xc_attr_int_at(op, list, (size_t)group)
                                     : xc_attr_int(op, point));
}

int xc_fix_weight_point(const xc_adaptor *op, int64_t group) {
  return group_point(op, XC_ATTR_WEIGHT_FIX_POINTS, XC_ATTR_WEIGHT_FIX_POINT,
                     group);
}

int xc_fix_bias_point(const xc_adaptor *op, int64_t group) {
  return group_point(op, XC_ATTR_BIAS_FIX_POINTS, XC_ATTR_BIAS_FIX_POINT,
                     group);
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

// PRELU, HSIGMOID and HSWISH need parameters.
static bool is_plain(XcActivation activation) {
  return activation == XcActivationNone || activation == XcActivationRelu ||
         activation == XcActivationLeakyRelu || activation == XcActivationRelu6;
}

static bool check_plain(const xc_adaptor *op, XcActivation activation) {
  return is_plain(activation) ||
         xc_adaptor_error(op,
                          "attribute 'nonlinear' is \"%s\", which needs "
                          "parameters that the operator does not have",
                          xcActivationGetName(activation));
}

static bool read_prelu(const xc_adaptor *op, XcFixEpilogue *epilogue) {
  epilogue->preluIn = (int32_t)xc_attr_int(op, XC_ATTR_PRELU_IN);
  epilogue->preluShift = (int)xc_attr_int(op, XC_ATTR_PRELU_SHIFT);
  return (epilogue->preluIn <= INT16_MAX && epilogue->preluIn >= INT16_MIN) ||
         xc_adaptor_error(op, "attribute 'prelu_in' is %d, expected %d to %d",
                          epilogue->preluIn, INT16_MIN, INT16_MAX);
}

// The verifier has checked hsigmoid_in and that given shifts are these.
static void read_hard(const xc_adaptor *op, XcFixEpilogue *epilogue) {
  bool swish = epilogue->activation == XcActivationHSwish;
  int in = xc_fix_point(op, XC_ATTR_HSIGMOID_IN),
      out = epilogue->outputFixPoint;
  epilogue->shiftCut += out - in;
  epilogue->hsigmoidIn = in;
  epilogue->shiftHSigmoid = 14 + in - (swish ? 7 : out);
  epilogue->shiftHSwish = in + 7 - out;
}

static XcFixEpilogue begin_epilogue(const xc_adaptor *op, int from,
                                    XcActivation activation) {
  int to = xc_fix_point(op, XC_ATTR_OUTPUT_FIX_POINT);
  return (XcFixEpilogue){.shiftCut = from - to,
                         .roundMode = xc_round_mode_of(op),
                         .type = xc_fix_result_type(op),
                         .activation = activation,
                         .outputFixPoint = to};
}

bool xc_fix_epilogue_of(const xc_adaptor *op, XcFixEpilogue *epilogue) {
  bool is_conv = xc_has_attr(op, XC_ATTR_WEIGHT_FIX_POINT);
  int product =
      xc_input_fix_point(op, 0) +
      (is_conv ? xc_fix_weight_point(op, 0) : xc_input_fix_point(op, 1));
  *epilogue = begin_epilogue(op, product, xc_activation_of(op));
  epilogue->shiftBias =
      product - (is_conv ? xc_fix_bias_point(op, 0)
                         : xc_fix_point(op, XC_ATTR_BIAS_FIX_POINT));
  if (!is_conv || is_plain(epilogue->activation))
    return check_plain(op, epilogue->activation);
  if (epilogue->activation == XcActivationPrelu)
    return read_prelu(op, epilogue);
  read_hard(op, epilogue);
  return true;
}

XcFixEpilogue xc_fix_group_epilogue(const xc_adaptor *op,
                                    const XcFixEpilogue *first, int64_t group) {
  XcFixEpilogue epilogue = *first;
  int weight = xc_fix_weight_point(op, group) - xc_fix_weight_point(op, 0);
  int bias = xc_fix_bias_point(op, group) - xc_fix_bias_point(op, 0);
  epilogue.shiftCut += weight;
  epilogue.shiftBias += weight - bias;
  return epilogue;
}

bool xc_fix_epilogues_of(const xc_adaptor *op, xc_fix_groups groups,
                         XcFixEpilogue *epilogues) {
  if (!xc_fix_epilogue_of(op, epilogues))
    return false;
  for (int64_t i = 1; i < groups.count; ++i)
    epilogues[i] = xc_fix_group_epilogue(op, epilogues, i);
  return true;
}

XcFixEpilogue xc_fix_activation_epilogue(const xc_adaptor *op) {
  xc_op_kind kind = op->info->kind;
  XcActivation activation = kind == XC_TIR_RELU_FIX    ? XcActivationRelu
                            : kind == XC_TIR_RELU6_FIX ? XcActivationRelu6
                                                       : XcActivationLeakyRelu;
  return begin_epilogue(op, xc_fix_point(op, XC_ATTR_INPUT_FIX_POINT),
                        activation);
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

static bool read_points(const xc_adaptor *op, const xc_fix_sum *sum,
                        int points[XC_MAX_OPERANDS]) {
  if (op->info->kind == XC_TIR_ELTWISE_FIX) {
    for (size_t i = 0; i < sum->count; ++i)
      points[i] = xc_input_fix_point(op, i);
    return true;
  }
  points[0] = xc_fix_point(op, XC_ATTR_INPUT_FIX_POINT);
  points[1] = xc_fix_point(op, XC_ATTR_WEIGHT_FIX_POINT);
  int apart = points[0] - points[1];
  return sum->multiply || (apart <= 24 && apart >= -24) ||
         xc_adaptor_error(op,
                          "has fix points %d and %d, expected at most 24 apart",
                          points[0], points[1]);
}

bool xc_fix_sum_of(const xc_adaptor *op, xc_fix_sum *sum) {
  *sum = (xc_fix_sum){.multiply = xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_MUL),
                      .count = xc_num_inputs(op)};
  int points[XC_MAX_OPERANDS] = {0};
  XcActivation activation = xc_activation_of(op);
  if (!read_points(op, sum, points) || !check_plain(op, activation))
    return false;
  int from = points[0];
  for (size_t i = 1; i < sum->count; ++i)
    from = sum->multiply      ? from + points[i]
           : points[i] < from ? points[i]
                              : from;
  for (size_t slot = 0, i = 0; i < sum->count; ++slot)
    if (xc_has_operand(op, slot)) {
      sum->slots[i] = slot;
      sum->shifts[i] = points[i] - from;
      ++i;
    }
  sum->epilogue = begin_epilogue(
      op, sum->multiply ? from : from + XC_FIX_ADD_GUARD_BITS, activation);
  return true;
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

static bool check_point(const xc_adaptor *op, xc_attr id, int low, int high) {
  int value = xc_fix_point(op, id);
  return (value >= low && value <= high) ||
         xc_adaptor_error(op, "attribute '%s' is %d, expected %d to %d",
                          xc_attr_name(id), value, low, high);
}

bool xc_fix_hard_of(const xc_adaptor *op, xc_fix_hard *hard) {
  bool swish = op->info->kind == XC_TIR_HARD_SWISH_FIX;
  int in = xc_fix_point(op, XC_ATTR_INPUT_FIX_POINT);
  int out = xc_fix_point(op, XC_ATTR_OUTPUT_FIX_POINT);
  *hard = (xc_fix_hard){.swish = swish,
                        .in = in,
                        .shift = 14 + in - (swish ? 7 : out),
                        .product_shift = in + 7 - out};
  return check_point(op, XC_ATTR_INPUT_FIX_POINT, 0, 15) &&
         check_point(op, XC_ATTR_OUTPUT_FIX_POINT, swish ? in - 8 : 7,
                     swish ? in + 7 : in + 14);
}

xc_fix_prelu xc_fix_prelu_of(const xc_adaptor *op) {
  int shift = xc_fix_rescale_shift(op);
  return (xc_fix_prelu){shift,
                        shift + xc_fix_point(op, XC_ATTR_SLOPE_FIX_POINT)};
}

bool xc_fix_pool_of(const xc_adaptor *op, xc_fix_pool *pool) {
  *pool = (xc_fix_pool){.average = xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_AVG),
                        .exact = xc_attr_bool(op, XC_ATTR_EXACT),
                        .shift = xc_fix_rescale_shift(op),
                        .mode = xc_round_mode_of(op),
                        .type = xc_fix_result_type(op)};
  xc_window window = xc_window_of(op);
  const int64_t most = INT64_C(1) << 24;
  return !pool->average || pool->exact || window.w.kernel == 0 ||
         window.h.kernel <= most / window.w.kernel ||
         xc_adaptor_error(op, "averages a window of more than 2^24 elements, "
                              "which needs 'exact'");
}
