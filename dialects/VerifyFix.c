//===- VerifyFix.c - checks of more than one attribute --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fixed point: the shifts of docs/fixed-point.md have to stay where 64-bit
// integers compute the operator exactly. Hardware limits are tighter and are
// the partitioner's business. Quantised: scales are positive, counts agree.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
  /// An accumulator of 2^22 products of int8 fills 37 bits.
  LARGEST_SHIFT = 24,
  NOT_SET = -128
};

static bool check_shift(const xc_adaptor *op, const char *name,
                        const char *formula, int64_t shift, int64_t low,
                        int64_t high) {
  if (shift >= low && shift <= high)
    return true;
  return xc_adaptor_error(
      op, "has %s = %s = %" PRId64 ", expected %" PRId64 " to %" PRId64, name,
      formula, shift, low, high);
}

// A shift attribute that may be left out; given, it must follow the formula.
static bool check_given(const xc_adaptor *op, xc_attr id, int64_t expected,
                        const char *formula) {
  int64_t value = xc_attr_int(op, id);
  if (value == NOT_SET || value == expected)
    return true;
  return xc_adaptor_error(op,
                          "attribute '%s' is %" PRId64 ", expected %" PRId64
                          " (%s) or -128 for not set",
                          xc_attr_name(id), value, expected, formula);
}

static bool check_hard_activation(const xc_adaptor *op) {
  bool swish = xc_attr_is(op, XC_ATTR_NONLINEAR, XC_ENUM_HSWISH);
  if (!swish && !xc_attr_is(op, XC_ATTR_NONLINEAR, XC_ENUM_HSIGMOID))
    return true;
  int64_t in = xc_attr_int(op, XC_ATTR_HSIGMOID_IN);
  int64_t out = xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT);
  if (in < 0 || in > 15)
    return xc_adaptor_error(op,
                            "attribute 'hsigmoid_in' is %" PRId64
                            ", expected 0 to 15 with nonlinear %s",
                            in,
                            xc_enum_name(xc_attr_enum(op, XC_ATTR_NONLINEAR)));
  int64_t sigmoid_out = swish ? 7 : out;
  int64_t shift = 14 + in - sigmoid_out;
  if (!swish && out < 7)
    return xc_adaptor_error(op,
                            "attribute 'output_fix_point' is %" PRId64
                            ", expected 7 or more with nonlinear HSIGMOID",
                            out);
  if (!check_shift(op, "shift_hsigmoid", "14 + hsigmoid_in - output_fix_point",
                   shift, 0, 31) ||
      !check_given(op, XC_ATTR_SHIFT_HSIGMOID, shift,
                   "14 + hsigmoid_in - output_fix_point"))
    return false;
  if (!swish)
    return true;
  int64_t shift_swish = in + 7 - out;
  return check_shift(op, "shift_hswish", "hsigmoid_in + 7 - output_fix_point",
                     shift_swish, 0, 15) &&
         check_given(op, XC_ATTR_SHIFT_HSWISH, shift_swish,
                     "hsigmoid_in + 7 - output_fix_point");
}

// A list with an entry for each group of output channels, or none. Groups are
// as many as there are entries to read.
static bool check_group_points(const xc_adaptor *op, xc_attr list,
                               xc_attr point, int64_t *groups) {
  int64_t points[XC_MAX_INTS];
  int64_t count = (int64_t)xc_attr_ints(op, list, points);
  if (count == 0)
    return true;
  xc_shape result = xc_result_shape(op);
  int64_t size = xc_attr_int(op, XC_ATTR_FIX_POINT_CHANNELS);
  int64_t channels = result.dims[result.rank - 1];
  *groups = (channels + size - 1) / size;
  if (count != *groups)
    return xc_adaptor_error(op,
                            "attribute '%s' has %" PRId64
                            " entries, expected %" PRId64 " for %" PRId64
                            " output channels in groups of %" PRId64,
                            xc_attr_name(list), count, *groups, channels, size);
  return xc_attr_int(op, point) == 0 ||
         xc_adaptor_error(op, "has both '%s' and '%s', expected one of them",
                          xc_attr_name(point), xc_attr_name(list));
}

static int64_t group_point(const xc_adaptor *op, xc_attr list, xc_attr point,
                           int64_t group) {
  int64_t points[XC_MAX_INTS];
  return xc_attr_ints(op, list, points) == 0
             ? xc_attr_int(op, point)
             : xc_attr_int_at(op, list, (size_t)group);
}

static bool check_conv_shifts(const xc_adaptor *op, int64_t group) {
  int64_t product = xc_attr_int(op, XC_ATTR_INPUT_FIX_POINT) +
                    group_point(op, XC_ATTR_WEIGHT_FIX_POINTS,
                                XC_ATTR_WEIGHT_FIX_POINT, group);
  int64_t cut = product - xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT);
  int64_t bias = product - group_point(op, XC_ATTR_BIAS_FIX_POINTS,
                                       XC_ATTR_BIAS_FIX_POINT, group);
  return check_shift(op, "shift_cut",
                     "input_fix_point + weight_fix_point - output_fix_point",
                     cut, -LARGEST_SHIFT, 2 * LARGEST_SHIFT) &&
         (!xc_has_operand(op, XC_CONV2D_FIX_BIAS) ||
          check_shift(op, "shift_bias",
                      "input_fix_point + weight_fix_point - bias_fix_point",
                      bias, -LARGEST_SHIFT, LARGEST_SHIFT));
}

static bool check_conv(const xc_adaptor *op) {
  int64_t groups = 1;
  if (!check_group_points(op, XC_ATTR_WEIGHT_FIX_POINTS,
                          XC_ATTR_WEIGHT_FIX_POINT, &groups) ||
      !check_group_points(op, XC_ATTR_BIAS_FIX_POINTS, XC_ATTR_BIAS_FIX_POINT,
                          &groups))
    return false;
  for (int64_t group = 0; group < groups; ++group)
    if (!check_conv_shifts(op, group))
      return false;
  return check_hard_activation(op);
}

// Lists of fix points: none, or one per input.
static bool check_num_points(const xc_adaptor *op, size_t count) {
  size_t inputs = xc_num_inputs(op);
  if (count != 0 && count != inputs)
    return xc_adaptor_error(op,
                            "attribute 'input_fix_point' has %zu entries, "
                            "expected %zu",
                            count, inputs);
  return true;
}

// Each input is shifted to the output's fix point.
static bool check_input_points(const xc_adaptor *op) {
  int64_t points[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, XC_ATTR_INPUT_FIX_POINT, points);
  if (!check_num_points(op, count))
    return false;
  int64_t out = xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT);
  for (size_t i = 0; i < xc_num_inputs(op); ++i) {
    int64_t point = count ? points[i] : 0;
    if (!check_shift(op, "shift", "input_fix_point - output_fix_point",
                     point - out, -LARGEST_SHIFT, LARGEST_SHIFT))
      return false;
  }
  return true;
}

// A product has the sum of the fix points.
static bool check_product_points(const xc_adaptor *op) {
  int64_t points[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, XC_ATTR_INPUT_FIX_POINT, points);
  int64_t sum = 0;
  for (size_t i = 0; i < count && i < XC_MAX_INTS; ++i)
    sum += points[i];
  return check_num_points(op, count) &&
         check_shift(op, "shift", "sum of input_fix_point - output_fix_point",
                     sum - xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT),
                     -LARGEST_SHIFT, 2 * LARGEST_SHIFT);
}

static bool check_eltwise(const xc_adaptor *op) {
  bool is_mul = xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_MUL);
  size_t inputs = xc_num_inputs(op);
  if (inputs < 2)
    return xc_adaptor_error(op, "has %zu inputs, expected 2 or more", inputs);
  if (is_mul && inputs != 2)
    return xc_adaptor_error(op, "has %zu inputs, expected 2 with type MUL",
                            inputs);
  return is_mul ? check_product_points(op) : check_input_points(op);
}

static bool check_rescale(const xc_adaptor *op) {
  return check_shift(op, "shift", "input_fix_point - output_fix_point",
                     xc_attr_int(op, XC_ATTR_INPUT_FIX_POINT) -
                         xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT),
                     -LARGEST_SHIFT, LARGEST_SHIFT);
}

static bool check_bit_width(const xc_adaptor *op) {
  // fix keeps floats and so any width; the integer forms have 8 bits to hold.
  if (op->info->kind == XC_TIR_FIX)
    return true;
  bool is_signed = xc_attr_bool(op, XC_ATTR_IF_SIGNED);
  bool to_fix = op->info->kind == XC_TIR_FLOAT2FIX;
  xc_shape shape =
      to_fix ? xc_result_shape(op) : xc_operand_shape(op, XC_FIX2FLOAT_INPUT);
  if (is_signed != (shape.element == XC_ELEMENT_I8))
    return xc_adaptor_error(op,
                            "attribute 'if_signed' is %s, but the integers "
                            "are %s",
                            is_signed ? "true" : "false",
                            xc_element_name(shape.element));
  int64_t bits = xc_attr_int(op, XC_ATTR_BIT_WIDTH);
  if (bits <= 8)
    return true;
  return xc_adaptor_error(
      op, "attribute 'bit_width' is %" PRId64 ", expected at most 8", bits);
}

static bool check_positive_scales(const xc_adaptor *op) {
  for (size_t i = 0; i < op->info->num_attributes; ++i) {
    const xc_attribute_info *row = &op->info->attributes[i];
    if (!strstr(row->name, "scale") || strcmp(row->name, "scale") == 0)
      continue;
    MlirAttribute attribute = xc_attr_get(op, row->id);
    bool is_list = row->type == XC_ATTRIBUTE_FLOATS;
    if (mlirAttributeIsNull(attribute) ||
        (!is_list && row->type != XC_ATTRIBUTE_FLOAT))
      continue;
    intptr_t count = is_list ? mlirArrayAttrGetNumElements(attribute) : 1;
    for (intptr_t j = 0; j < count; ++j) {
      double scale = mlirFloatAttrGetValueDouble(
          is_list ? mlirArrayAttrGetElement(attribute, j) : attribute);
      if (!(scale > 0.0) || isinf(scale))
        return xc_adaptor_error(op,
                                "attribute '%s' has the value %g, expected a "
                                "positive number",
                                row->name, scale);
    }
  }
  return true;
}

// One weight scale, or one per output channel; zero points as many or none.
static bool check_weight_scales(const xc_adaptor *op, int64_t channels) {
  size_t scales = xc_attr_floats(op, XC_ATTR_WEIGHT_SCALE, NULL, 0);
  int64_t ints[XC_MAX_INTS];
  size_t points = xc_attr_ints(op, XC_ATTR_WEIGHT_ZERO_POINT, ints);
  if (scales != 1 && (int64_t)scales != channels)
    return xc_adaptor_error(
        op,
        "attribute 'weight_scale' has %zu entries, expected 1 "
        "or %" PRId64,
        scales, channels);
  if (points == 0 || points == 1 || points == scales)
    return true;
  return xc_adaptor_error(op,
                          "attribute 'weight_zero_point' has %zu entries, "
                          "expected 0, 1 or %zu",
                          points, scales);
}

static size_t num_multipliers(const xc_adaptor *op) {
  if (op->info->kind == XC_TIR_QLINEAR_ELTWISE)
    return 3;
  return xc_has_attr(op, XC_ATTR_WEIGHT_SCALE)
             ? xc_attr_floats(op, XC_ATTR_WEIGHT_SCALE, NULL, 0)
             : 1;
}

// Multipliers in place of scales: TFLite's arithmetic, as many as factors.
static bool check_multipliers(const xc_adaptor *op) {
  if (!xc_has_attr(op, XC_ATTR_MULTIPLIER))
    return true;
  int64_t ints[XC_MAX_INTS];
  size_t multipliers = xc_attr_ints(op, XC_ATTR_MULTIPLIER, ints);
  size_t shifts = xc_attr_ints(op, XC_ATTR_SHIFT, ints);
  bool has_multipliers =
      !mlirAttributeIsNull(xc_attr_get(op, XC_ATTR_MULTIPLIER));
  bool has_shifts = !mlirAttributeIsNull(xc_attr_get(op, XC_ATTR_SHIFT));
  if (!has_multipliers && !has_shifts)
    return true;
  size_t expected = num_multipliers(op);
  if (multipliers != expected || shifts != expected)
    return xc_adaptor_error(op,
                            "attributes 'multiplier' and 'shift' have %zu and "
                            "%zu entries, expected %zu",
                            multipliers, shifts, expected);
  if (!xc_attr_is(op, XC_ATTR_FLAVOR, XC_ENUM_TFLITE) ||
      (op->info->kind == XC_TIR_QLINEAR_ELTWISE &&
       xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_DIV)))
    return xc_adaptor_error(op, "attribute 'multiplier' needs the flavor "
                                "TFLITE and no division");
  return true;
}

static bool check_qlinear(const xc_adaptor *op) {
  if (!check_positive_scales(op) || !check_multipliers(op))
    return false;
  if (op->info->kind == XC_TIR_QLINEAR_CONCAT) {
    size_t inputs = xc_num_inputs(op);
    int64_t ints[XC_MAX_INTS];
    size_t scales = xc_attr_floats(op, XC_ATTR_INPUT_SCALE, NULL, 0);
    size_t points = xc_attr_ints(op, XC_ATTR_INPUT_ZERO_POINT, ints);
    if (scales != inputs || points != inputs)
      return xc_adaptor_error(op,
                              "attributes 'input_scale' and 'input_zero_point' "
                              "have %zu and %zu entries, expected %zu",
                              scales, points, inputs);
  }
  if (!xc_has_attr(op, XC_ATTR_WEIGHT_SCALE))
    return true;
  xc_shape result = xc_result_shape(op);
  return check_weight_scales(op, result.dims[result.rank - 1]);
}

static bool check_matmul(const xc_adaptor *op) {
  int64_t points[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_INPUT_FIX_POINT, points);
  int64_t product = points[0] + points[1];
  int64_t cut = product - xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT);
  int64_t bias = product - xc_attr_int(op, XC_ATTR_BIAS_FIX_POINT);
  return check_shift(op, "shift_cut",
                     "sum of input_fix_point - output_fix_point", cut,
                     -LARGEST_SHIFT, 2 * LARGEST_SHIFT) &&
         (!xc_has_operand(op, XC_MATMUL_FIX_BIAS) ||
          check_shift(op, "shift_bias",
                      "sum of input_fix_point - bias_fix_point", bias,
                      -LARGEST_SHIFT, LARGEST_SHIFT));
}

// The sum is formed in one kind of numbers.
static bool check_matmul_elements(const xc_adaptor *op) {
  bool is_float =
      xc_element_is_float(xc_operand_shape(op, XC_MATMUL_A).element);
  for (size_t slot = 1; slot <= 2; ++slot) {
    if (!xc_has_operand(op, slot))
      continue;
    xc_element element = xc_operand_shape(op, slot).element;
    if (xc_element_is_float(element) != is_float)
      return xc_adaptor_error(
          op,
          "operand '%s' has elements of type %s, expected %s "
          "as operand 'a'",
          op->info->operands[slot].name, xc_element_name(element),
          is_float ? "floats" : "integers");
  }
  return true;
}

static bool check_table(const xc_adaptor *op) {
  xc_element entries = xc_operand_shape(op, XC_TABLE_TABLE).element;
  xc_element result = xc_result_shape(op).element;
  return entries == result ||
         xc_adaptor_error(op,
                          "result has elements of type %s, expected %s as "
                          "operand 'table'",
                          xc_element_name(result), xc_element_name(entries));
}

bool xc_verify_kind(const xc_adaptor *op) {
  static const struct {
    xc_op_kind kind;
    bool (*check)(const xc_adaptor *op);
  } rows[] = {
      {XC_TIR_CONV2D_FIX, check_conv},
      {XC_TIR_DEPTHWISE_CONV2D_FIX, check_conv},
      {XC_TIR_TRANSPOSED_CONV2D_FIX, check_conv},
      {XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX, check_conv},
      {XC_TIR_TABLE, check_table},
      {XC_TIR_MATMUL, check_matmul_elements},
      {XC_TIR_MATMUL_FIX, check_matmul},
      {XC_TIR_ELTWISE_FIX, check_eltwise},
      {XC_TIR_CONCAT_FIX, check_input_points},
      {XC_TIR_FIX, check_bit_width},
      {XC_TIR_FLOAT2FIX, check_bit_width},
      {XC_TIR_FIX2FLOAT, check_bit_width},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].kind == op->info->kind)
      return rows[i].check(op);
  if (strncmp(op->info->mnemonic, "qlinear-", strlen("qlinear-")) == 0)
    return check_qlinear(op);
  if (xc_has_attr(op, XC_ATTR_INPUT_FIX_POINT) &&
      xc_has_attr(op, XC_ATTR_OUTPUT_FIX_POINT))
    return check_rescale(op);
  return true;
}
