//===- OpsProduct.c - matrix products -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer.h"

#include <inttypes.h>

// The input as [rows, columns of the weight], unless its rank is kept.
static bool flatten_input(xc_tflite_context *c, xc_tflite_layer *l,
                          bool keep_rank) {
  size_t rank = l->input.rank;
  int64_t columns = l->weight.dims[1];
  int64_t total = xc_shape_num_elements(&l->input);
  bool fits = rank >= 2 && l->input.dims[rank - 1] == columns;
  if (fits && (keep_rank || rank == 2))
    return true;
  if (keep_rank || total % columns != 0 || total / columns > INT32_MAX)
    return xc_tflite_error(c,
                           "input has %" PRId64 " elements, expected rows of "
                           "%" PRId64 " as the weight has",
                           total, columns);
  const int64_t dims[] = {total / columns, columns};
  l->operands[XC_TFL_INPUT] =
      xc_tflite_reshape(c, "reshape", l->operands[XC_TFL_INPUT], dims, 2);
  return !mlirValueIsNull(l->operands[XC_TFL_INPUT]);
}

bool xc_tflite_fully_connected(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_activation activation;
  xc_tflite_layer l = {.positions = {0, 1, 2}, .kernel = {true, true, 0, 0}};
  l.asymmetric =
      xc_tflite_option(c, XC_TFL_FullyConnectedOptions_asymmetric) != 0;
  bool keep =
      xc_tflite_option(c, XC_TFL_FullyConnectedOptions_keep_num_dims) != 0;
  if (xc_tflite_option(c, XC_TFL_FullyConnectedOptions_weights_format) != 0)
    return xc_tflite_error(c, "has shuffled weights, which xc cannot import");
  if (!xc_tflite_begin_layer(c, &l) || !xc_tflite_read_weight(c, &l) ||
      !xc_tflite_check_rank(c, &l, XC_TFL_WEIGHT, 2) ||
      !flatten_input(c, &l, keep) ||
      !xc_tflite_activation_option(c, XC_TFL_FullyConnectedOptions_activation,
                                   !l.quantized, &activation))
    return false;
  l.kernel.first_axis = xc_value_shape(l.operands[XC_TFL_INPUT]).rank - 1;
  if (l.quantized) {
    xc_tflite_add(&attributes, xc_bool("transpose_b", true));
    if (!xc_tflite_add_layer_quant(c, &attributes, 0, 1, 0, activation))
      return false;
  } else {
    xc_tflite_add(&attributes, xc_int("axis", (int64_t)l.kernel.first_axis));
  }
  return xc_tflite_finish_layer(c, &l, XC_TIR_INNER_PRODUCT,
                                XC_TIR_QLINEAR_MATMUL, "inner-product",
                                &attributes, activation);
}

// Swaps rows and columns of the input, whose rows get scales of their own.
static bool turn_input(xc_tflite_context *c, xc_tflite_layer *l) {
  xc_tflite_attributes attributes = {.count = 0};
  int64_t order[XC_MAX_RANK];
  size_t rank = l->input.rank;
  for (size_t i = 0; i < rank; ++i)
    order[i] = (int64_t)(i + 2 < rank ? i : 2 * rank - 3 - i);
  xc_tflite_add(&attributes, xc_ints("order", order, rank));
  l->operands[XC_TFL_INPUT] = xc_tflite_build(c, "transpose", XC_TIR_TRANSPOSE,
                                              &l->operands[XC_TFL_INPUT], 1,
                                              &attributes, XC_ELEMENT_NONE);
  return !mlirValueIsNull(l->operands[XC_TFL_INPUT]);
}

bool xc_tflite_batch_matmul(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_layer l = {.positions = {0, 1, 2}, .kernel = {true, false, -1, 0}};
  l.asymmetric = xc_tflite_option(c, XC_TFL_BatchMatMulOptions_asymmetric) != 0;
  if (!xc_tflite_begin_layer(c, &l) || !xc_tflite_read_weight(c, &l))
    return false;
  bool adj_x = xc_tflite_option(c, XC_TFL_BatchMatMulOptions_adj_x) != 0;
  bool adj_y = xc_tflite_option(c, XC_TFL_BatchMatMulOptions_adj_y) != 0;
  if (l.hybrid && l.input.rank > 1) {
    l.kernel.first_axis = l.input.rank - 1;
    if (adj_x && !turn_input(c, &l))
      return false;
    adj_x = false;
  }
  xc_tflite_add(&attributes, xc_bool("transpose_a", adj_x));
  xc_tflite_add(&attributes, xc_bool("transpose_b", adj_y));
  // Only one scale for all of b makes sense: its columns differ per batch.
  xc_tflite_quant quant = {1.0f, 0};
  if (l.quantized && (!xc_tflite_quant_of(c, xc_tflite_input(c, 1), &quant) ||
                      !xc_tflite_add_layer_quant(c, &attributes, 0, 1, 0,
                                                 XC_TFL_ACTIVATION_NONE)))
    return false;
  return xc_tflite_finish_layer(c, &l, XC_TIR_MATMUL, XC_TIR_QLINEAR_MATMUL,
                                "matmul", &attributes, XC_TFL_ACTIVATION_NONE);
}
