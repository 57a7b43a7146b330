//===- Macs.c - multiply-accumulates of an operator -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Macs.h"

#include "mlir-c/BuiltinTypes.h"

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

// Each pixel of the input meets each element of the weight.
static int64_t transposed_macs(const xc_view *view) {
  xc_shape input = xc_view_shape(view, INPUT);
  xc_shape weight = xc_view_shape(view, WEIGHT);
  return input.dims[0] * input.dims[1] * input.dims[2] *
         xc_shape_num_elements(&weight);
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
