//===- Macs.c - multiply-accumulates of an operator -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Macs.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

enum { INPUT, WEIGHT };

static xc_shape result_shape(const xc_view *view) {
  if (view->info->dialect == XC_DIALECT_MTIR)
    return xc_view_shape(view, view->info->num_operands - 1);
  xc_shape shape = {0};
  (void)xc_shape_of_type(
      mlirValueGetType(mlirOperationGetResult(view->operation, 0)), &shape);
  return shape;
}

// Each element of the result sums a filter: weight [O, KH, KW, I / group].
static int64_t conv_macs(const xc_view *view) {
  xc_shape weight = xc_view_shape(view, WEIGHT), result = result_shape(view);
  return xc_shape_num_elements(&result) * weight.dims[1] * weight.dims[2] *
         weight.dims[3];
}

// Weight [M, KH, KW, C]; each element of the result sees one channel.
static int64_t depthwise_macs(const xc_view *view) {
  xc_shape weight = xc_view_shape(view, WEIGHT), result = result_shape(view);
  return xc_shape_num_elements(&result) * weight.dims[1] * weight.dims[2];
}

/// Along one axis (0: width), the elements of the kernel that all outputs meet:
/// element k meets those that are k * dilation - pad modulo the stride.
static int64_t transposed_taps(const xc_view *view, int axis, int64_t outputs) {
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS], dilation[XC_MAX_INTS];
  int64_t pad[XC_MAX_INTS];
  xc_view_ints(view, "kernel", kernel);
  xc_view_ints(view, "stride", stride);
  xc_view_ints(view, "dilation", dilation);
  xc_view_ints(view, "pad", pad);
  int64_t step = stride[axis], before = pad[2 * axis], taps = 0;
  int64_t span = (kernel[axis] - 1) * dilation[axis] + 1;
  if (strcmp(xc_view_word(view, "pad_mode"), "SAME") == 0)
    before = span > step ? (span - step) / 2 : 0;
  for (int64_t k = 0; k < kernel[axis]; ++k) {
    int64_t first = ((k * dilation[axis] - before) % step + step) % step;
    taps += first < outputs ? (outputs - first + step - 1) / step : 0;
  }
  return taps;
}

// What the padding cuts off is not computed.
static int64_t transposed_macs(const xc_view *view) {
  xc_shape weight = xc_view_shape(view, WEIGHT), result = result_shape(view);
  return result.dims[0] * transposed_taps(view, 1, result.dims[1]) *
         transposed_taps(view, 0, result.dims[2]) * weight.dims[0] *
         weight.dims[3];
}

static int64_t matmul_macs(const xc_view *view) {
  xc_shape a = xc_view_shape(view, 0), result = result_shape(view);
  int64_t inner = a.dims[a.rank - (xc_view_bool(view, "transpose_a") ? 2 : 1)];
  return xc_shape_num_elements(&result) * inner;
}

static int64_t inner_product_macs(const xc_view *view) {
  xc_shape weight = xc_view_shape(view, WEIGHT), result = result_shape(view);
  return xc_shape_num_elements(&result) * weight.dims[1];
}

int64_t xc_view_macs(const xc_view *view) {
  static const struct {
    xc_rule rule;
    int64_t (*count)(const xc_view *view);
  } rows[] = {
      {XC_RULE_CONV2D, conv_macs},
      {XC_RULE_DEPTHWISE_CONV2D, depthwise_macs},
      {XC_RULE_TRANSPOSED_CONV2D, transposed_macs},
      {XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D, transposed_macs},
      {XC_RULE_MATMUL, matmul_macs},
      {XC_RULE_INNER_PRODUCT, inner_product_macs},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].rule == view->info->rule)
      return rows[i].count(view);
  return 0;
}
