//===- Macs.c - multiply-accumulates of an operator -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Macs.h"

#include "Groups.h"

// Input channels that each output channel depends on.
static int64_t inputs_of_outputs(const xc_adaptor *op) {
  int64_t inputs = xc_operand_shape(op, XC_CONV2D_WEIGHT).dims[3];
  if (op->info->rule == XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D)
    return inputs;
  return inputs * xc_attr_int(op, XC_ATTR_GROUP) / xc_conv_groups(op);
}

// Each element of the result sums a filter: weight [O, KH, KW, I / group],
// perhaps with zeros for what other groups read.
static int64_t conv_macs(const xc_adaptor *op) {
  xc_shape weight = xc_operand_shape(op, XC_CONV2D_WEIGHT),
           result = xc_result_shape(op);
  return xc_shape_num_elements(&result) * weight.dims[1] * weight.dims[2] *
         inputs_of_outputs(op);
}

// Weight [M, KH, KW, C]; each element of the result sees one channel.
static int64_t depthwise_macs(const xc_adaptor *op) {
  xc_shape weight = xc_operand_shape(op, XC_CONV2D_WEIGHT),
           result = xc_result_shape(op);
  return xc_shape_num_elements(&result) * weight.dims[1] * weight.dims[2];
}

/// Along one axis (0: width), the elements of the kernel that all outputs meet:
/// element k meets those that are k * dilation - pad modulo the stride.
static int64_t transposed_taps(const xc_adaptor *op, int axis,
                               int64_t outputs) {
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS], dilation[XC_MAX_INTS];
  int64_t pad[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(op, XC_ATTR_STRIDE, stride);
  xc_attr_ints(op, XC_ATTR_DILATION, dilation);
  xc_attr_ints(op, XC_ATTR_PAD, pad);
  int64_t step = stride[axis], before = pad[2 * axis], taps = 0;
  int64_t span = (kernel[axis] - 1) * dilation[axis] + 1;
  if (xc_attr_is(op, XC_ATTR_PAD_MODE, XC_ENUM_SAME))
    before = span > step ? (span - step) / 2 : 0;
  for (int64_t k = 0; k < kernel[axis]; ++k) {
    int64_t first = ((k * dilation[axis] - before) % step + step) % step;
    taps += first < outputs ? (outputs - first + step - 1) / step : 0;
  }
  return taps;
}

// Leaves out the products that the padding cuts off.
static int64_t transposed_macs(const xc_adaptor *op) {
  xc_shape weight = xc_operand_shape(op, XC_CONV2D_WEIGHT),
           result = xc_result_shape(op);
  return result.dims[0] * transposed_taps(op, 1, result.dims[1]) *
         transposed_taps(op, 0, result.dims[2]) * weight.dims[0] *
         inputs_of_outputs(op);
}

static int64_t matmul_macs(const xc_adaptor *op) {
  xc_shape a = xc_operand_shape(op, XC_MATMUL_A), result = xc_result_shape(op);
  int64_t inner =
      a.dims[a.rank - (xc_attr_bool(op, XC_ATTR_TRANSPOSE_A) ? 2 : 1)];
  return xc_shape_num_elements(&result) * inner;
}

static int64_t inner_product_macs(const xc_adaptor *op) {
  xc_shape weight = xc_operand_shape(op, XC_INNER_PRODUCT_WEIGHT),
           result = xc_result_shape(op);
  return xc_shape_num_elements(&result) * weight.dims[1];
}

// Counts the products with the states of the step before; those with the input
// are another operator's.
static int64_t recurrent_macs(const xc_adaptor *op) {
  xc_shape input = xc_operand_shape(op, XC_RECURRENT_INPUT),
           weight = xc_operand_shape(op, XC_RECURRENT_WEIGHT);
  return xc_shape_num_elements(&input) * weight.dims[0];
}

int64_t xc_count_macs(const xc_adaptor *op) {
  static const struct {
    xc_rule rule;
    int64_t (*count)(const xc_adaptor *op);
  } rows[] = {
      {XC_RULE_CONV2D, conv_macs},
      {XC_RULE_DEPTHWISE_CONV2D, depthwise_macs},
      {XC_RULE_TRANSPOSED_CONV2D, transposed_macs},
      {XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D, transposed_macs},
      {XC_RULE_MATMUL, matmul_macs},
      {XC_RULE_INNER_PRODUCT, inner_product_macs},
      {XC_RULE_RECURRENT, recurrent_macs},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].rule == op->info->rule)
      return rows[i].count(op);
  return 0;
}
