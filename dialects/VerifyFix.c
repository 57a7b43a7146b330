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

static bool has_attribute(const xc_view *view, const char *name) {
  return xc_attribute_info_find(view->info, name, strlen(name)) != NULL;
}

static bool is_word(const xc_view *view, const char *name, const char *word) {
  return strcmp(xc_view_word(view, name), word) == 0;
}

static bool check_shift(const xc_view *view, const char *name,
                        const char *formula, int64_t shift, int64_t low,
                        int64_t high) {
  if (shift >= low && shift <= high)
    return true;
  return xc_view_error(
      view, "has %s = %s = %" PRId64 ", expected %" PRId64 " to %" PRId64, name,
      formula, shift, low, high);
}

// A shift attribute that may be left out; given, it must follow the formula.
static bool check_given(const xc_view *view, const char *name, int64_t expected,
                        const char *formula) {
  int64_t value = xc_view_int(view, name);
  if (value == NOT_SET || value == expected)
    return true;
  return xc_view_error(view,
                       "attribute '%s' is %" PRId64 ", expected %" PRId64
                       " (%s) or -128 for not set",
                       name, value, expected, formula);
}

static bool check_hard_activation(const xc_view *view) {
  bool swish = is_word(view, "nonlinear", "HSWISH");
  if (!swish && !is_word(view, "nonlinear", "HSIGMOID"))
    return true;
  int64_t in = xc_view_int(view, "hsigmoid_in");
  int64_t out = xc_view_int(view, "output_fix_point");
  if (in < 0 || in > 15)
    return xc_view_error(view,
                         "attribute 'hsigmoid_in' is %" PRId64
                         ", expected 0 to 15 with nonlinear %s",
                         in, xc_view_word(view, "nonlinear"));
  int64_t sigmoid_out = swish ? 7 : out;
  int64_t shift = 14 + in - sigmoid_out;
  if (!swish && out < 7)
    return xc_view_error(view,
                         "attribute 'output_fix_point' is %" PRId64
                         ", expected 7 or more with nonlinear HSIGMOID",
                         out);
  if (!check_shift(view, "shift_hsigmoid",
                   "14 + hsigmoid_in - output_fix_point", shift, 0, 31) ||
      !check_given(view, "shift_hsigmoid", shift,
                   "14 + hsigmoid_in - output_fix_point"))
    return false;
  if (!swish)
    return true;
  int64_t shift_swish = in + 7 - out;
  return check_shift(view, "shift_hswish", "hsigmoid_in + 7 - output_fix_point",
                     shift_swish, 0, 15) &&
         check_given(view, "shift_hswish", shift_swish,
                     "hsigmoid_in + 7 - output_fix_point");
}

static bool check_conv(const xc_view *view) {
  int64_t product = xc_view_int(view, "input_fix_point") +
                    xc_view_int(view, "weight_fix_point");
  int64_t cut = product - xc_view_int(view, "output_fix_point");
  int64_t bias = product - xc_view_int(view, "bias_fix_point");
  bool has_bias =
      xc_view_has_operand(view, xc_operand_slot(view->info, "bias"));
  return check_shift(view, "shift_cut",
                     "input_fix_point + weight_fix_point - output_fix_point",
                     cut, -LARGEST_SHIFT, 2 * LARGEST_SHIFT) &&
         (!has_bias ||
          check_shift(view, "shift_bias",
                      "input_fix_point + weight_fix_point - bias_fix_point",
                      bias, -LARGEST_SHIFT, LARGEST_SHIFT)) &&
         check_hard_activation(view);
}

// Lists of fix points: none, or one per input, close enough to each other.
static bool check_input_points(const xc_view *view) {
  int64_t points[XC_MAX_INTS];
  size_t count = xc_view_ints(view, "input_fix_point", points);
  size_t inputs = xc_view_num_inputs(view);
  if (count != 0 && count != inputs)
    return xc_view_error(view,
                         "attribute 'input_fix_point' has %zu entries, "
                         "expected %zu",
                         count, inputs);
  int64_t out = xc_view_int(view, "output_fix_point");
  for (size_t i = 0; i < inputs; ++i) {
    int64_t point = count ? points[i] : 0;
    if (!check_shift(view, "shift", "input_fix_point - output_fix_point",
                     point - out, -LARGEST_SHIFT, LARGEST_SHIFT))
      return false;
  }
  return true;
}

static bool check_eltwise(const xc_view *view) {
  bool is_mul = is_word(view, "type", "MUL");
  size_t inputs = xc_view_num_inputs(view);
  if (inputs < 2)
    return xc_view_error(view, "has %zu inputs, expected 2 or more", inputs);
  if (is_mul && inputs != 2)
    return xc_view_error(view, "has %zu inputs, expected 2 with type MUL",
                         inputs);
  return check_input_points(view);
}

static bool check_rescale(const xc_view *view) {
  return check_shift(view, "shift", "input_fix_point - output_fix_point",
                     xc_view_int(view, "input_fix_point") -
                         xc_view_int(view, "output_fix_point"),
                     -LARGEST_SHIFT, LARGEST_SHIFT);
}

static bool check_bit_width(const xc_view *view) {
  // fix keeps floats and so any width; the integer forms have 8 bits to hold.
  if (view->info->kind == XC_TIR_FIX)
    return true;
  bool is_signed = xc_view_bool(view, "if_signed");
  bool to_fix = view->info->kind == XC_TIR_FLOAT2FIX;
  MlirType type;
  if (!to_fix)
    type = view->operand_types[0];
  else if (view->info->dialect == XC_DIALECT_MTIR)
    type = view->operand_types[1];
  else
    type = mlirValueGetType(mlirOperationGetResult(view->operation, 0));
  xc_shape shape;
  if (!xc_shape_of_type(type, &shape))
    return true;
  if (is_signed != (shape.element == XC_ELEMENT_I8))
    return xc_view_error(view,
                         "attribute 'if_signed' is %s, but the integers "
                         "are %s",
                         is_signed ? "true" : "false",
                         xc_element_name(shape.element));
  int64_t bits = xc_view_int(view, "bit_width");
  if (bits <= 8)
    return true;
  return xc_view_error(
      view, "attribute 'bit_width' is %" PRId64 ", expected at most 8", bits);
}

static bool check_positive_scales(const xc_view *view) {
  for (size_t i = 0; i < view->info->num_attributes; ++i) {
    const xc_attribute_info *row = &view->info->attributes[i];
    if (!strstr(row->name, "scale") || strcmp(row->name, "scale") == 0)
      continue;
    MlirAttribute attribute = xc_view_attribute(view, row->name);
    bool is_list = row->type == XC_ATTRIBUTE_FLOATS;
    if (mlirAttributeIsNull(attribute) ||
        (!is_list && row->type != XC_ATTRIBUTE_FLOAT))
      continue;
    intptr_t count = is_list ? mlirArrayAttrGetNumElements(attribute) : 1;
    for (intptr_t j = 0; j < count; ++j) {
      double scale = mlirFloatAttrGetValueDouble(
          is_list ? mlirArrayAttrGetElement(attribute, j) : attribute);
      if (!(scale > 0.0) || isinf(scale))
        return xc_view_error(view,
                             "attribute '%s' has the value %g, expected a "
                             "positive number",
                             row->name, scale);
    }
  }
  return true;
}

// One weight scale, or one per output channel; zero points as many or none.
static bool check_weight_scales(const xc_view *view, int64_t channels) {
  size_t scales = xc_view_floats(view, "weight_scale", NULL, 0);
  int64_t ints[XC_MAX_INTS];
  size_t points = xc_view_ints(view, "weight_zero_point", ints);
  if (scales != 1 && (int64_t)scales != channels)
    return xc_view_error(view,
                         "attribute 'weight_scale' has %zu entries, expected 1 "
                         "or %" PRId64,
                         scales, channels);
  if (points == 0 || points == 1 || points == scales)
    return true;
  return xc_view_error(view,
                       "attribute 'weight_zero_point' has %zu entries, "
                       "expected 0, 1 or %zu",
                       points, scales);
}

static xc_shape result_shape(const xc_view *view) {
  if (view->info->dialect == XC_DIALECT_MTIR)
    return xc_view_shape(view, view->info->num_operands - 1);
  xc_shape shape = {0};
  xc_shape_of_type(mlirValueGetType(mlirOperationGetResult(view->operation, 0)),
                   &shape);
  return shape;
}

static bool check_qlinear(const xc_view *view) {
  if (!check_positive_scales(view))
    return false;
  if (view->info->kind == XC_TIR_QLINEAR_CONCAT) {
    size_t inputs = xc_view_num_inputs(view);
    int64_t ints[XC_MAX_INTS];
    size_t scales = xc_view_floats(view, "input_scale", NULL, 0);
    size_t points = xc_view_ints(view, "input_zero_point", ints);
    if (scales != inputs || points != inputs)
      return xc_view_error(view,
                           "attributes 'input_scale' and 'input_zero_point' "
                           "have %zu and %zu entries, expected %zu",
                           scales, points, inputs);
  }
  if (!has_attribute(view, "weight_scale"))
    return true;
  xc_shape result = result_shape(view);
  return check_weight_scales(view, result.dims[result.rank - 1]);
}

static bool check_matmul(const xc_view *view) {
  int64_t points[XC_MAX_INTS];
  xc_view_ints(view, "input_fix_point", points);
  int64_t product = points[0] + points[1];
  int64_t cut = product - xc_view_int(view, "output_fix_point");
  int64_t bias = product - xc_view_int(view, "bias_fix_point");
  return check_shift(view, "shift_cut",
                     "sum of input_fix_point - output_fix_point", cut,
                     -LARGEST_SHIFT, 2 * LARGEST_SHIFT) &&
         (!xc_view_has_operand(view, 2) ||
          check_shift(view, "shift_bias",
                      "sum of input_fix_point - bias_fix_point", bias,
                      -LARGEST_SHIFT, LARGEST_SHIFT));
}

// The sum is formed in one kind of numbers.
static bool check_matmul_elements(const xc_view *view) {
  bool is_float = xc_element_is_float(xc_view_shape(view, 0).element);
  for (size_t slot = 1; slot <= 2; ++slot) {
    if (!xc_view_has_operand(view, slot))
      continue;
    xc_element element = xc_view_shape(view, slot).element;
    if (xc_element_is_float(element) != is_float)
      return xc_view_error(view,
                           "operand '%s' has elements of type %s, expected %s "
                           "as operand 'a'",
                           view->info->operands[slot].name,
                           xc_element_name(element),
                           is_float ? "floats" : "integers");
  }
  return true;
}

bool xc_verify_kind(const xc_view *view) {
  static const struct {
    xc_op_kind kind;
    bool (*check)(const xc_view *view);
  } rows[] = {
      {XC_TIR_CONV2D_FIX, check_conv},
      {XC_TIR_DEPTHWISE_CONV2D_FIX, check_conv},
      {XC_TIR_TRANSPOSED_CONV2D_FIX, check_conv},
      {XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX, check_conv},
      {XC_TIR_MATMUL, check_matmul_elements},
      {XC_TIR_MATMUL_FIX, check_matmul},
      {XC_TIR_ELTWISE_FIX, check_eltwise},
      {XC_TIR_CONCAT_FIX, check_input_points},
      {XC_TIR_FIX, check_bit_width},
      {XC_TIR_FLOAT2FIX, check_bit_width},
      {XC_TIR_FIX2FLOAT, check_bit_width},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].kind == view->info->kind)
      return rows[i].check(view);
  if (strncmp(view->info->mnemonic, "qlinear-", strlen("qlinear-")) == 0)
    return check_qlinear(view);
  if (has_attribute(view, "input_fix_point") &&
      has_attribute(view, "output_fix_point"))
    return check_rescale(view);
  return true;
}
