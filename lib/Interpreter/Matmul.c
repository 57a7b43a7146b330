//===- Matmul.c - matrix products -----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"

// Where the matrices of one batch lie. Both operands broadcast over the
// leading dimensions of the result.
typedef struct product {
  int64_t rows, inner, columns, batches;
  int64_t a_row, a_inner, b_inner, b_column; // strides
  xc_walk walk;                              // over the batches
} product;

// Strides of the leading dimensions of an operand, 0 where it broadcasts.
static void add_batches(xc_walk *walk, const xc_shape *shape) {
  int64_t own[XC_MAX_RANK], strides[XC_MAX_RANK] = {0};
  xc_shape_strides(shape, own);
  size_t leading = shape->rank - 2;
  for (size_t i = 0; i < leading; ++i)
    if (shape->dims[i] != 1)
      strides[walk->rank - leading + i] = own[i];
  xc_walk_strides(walk, strides);
}

static product product_of(const xc_kernel_call *call) {
  const xc_shape *a = &call->operands[XC_MATMUL_A].shape,
                 *b = &call->operands[XC_MATMUL_B].shape;
  xc_shape batches = call->output.shape;
  batches.rank -= 2;
  bool swap_a = xc_attr_bool(call->op, XC_ATTR_TRANSPOSE_A);
  bool swap_b = xc_attr_bool(call->op, XC_ATTR_TRANSPOSE_B);
  int64_t a_columns = a->dims[a->rank - 1], b_columns = b->dims[b->rank - 1];
  product p = {.rows = call->output.shape.dims[batches.rank],
               .inner = swap_a ? a->dims[a->rank - 2] : a_columns,
               .columns = call->output.shape.dims[batches.rank + 1],
               .a_row = swap_a ? 1 : a_columns,
               .a_inner = swap_a ? a_columns : 1,
               .b_inner = swap_b ? 1 : b_columns,
               .b_column = swap_b ? b_columns : 1,
               .walk = xc_walk_begin(&batches)};
  add_batches(&p.walk, a);
  add_batches(&p.walk, b);
  return p;
}

void xc_matmul_ints(xc_kernel_call *call, const int32_t *a, const int32_t *b,
                    xc_sum_handler finish, void *state) {
  product p = product_of(call);
  for (int64_t at = 0; p.walk.left > 0; xc_walk_next(&p.walk))
    for (int64_t row = 0; row < p.rows; ++row)
      for (int64_t column = 0; column < p.columns; ++column, ++at) {
        const int32_t *x = a + p.walk.offset[0] + row * p.a_row;
        const int32_t *y = b + p.walk.offset[1] + column * p.b_column;
        int64_t sum = 0;
        for (int64_t k = 0; k < p.inner; ++k)
          sum += (int64_t)x[k * p.a_inner] * y[k * p.b_inner];
        finish(state, at, column, sum);
      }
}

static void multiply_reals(xc_kernel_call *call) {
  product p = product_of(call);
  const double *a = xc_call_reals(call, XC_MATMUL_A),
               *b = xc_call_reals(call, XC_MATMUL_B);
  const double *bias = call->operands[XC_MATMUL_BIAS].data
                           ? xc_call_reals(call, XC_MATMUL_BIAS)
                           : NULL;
  for (int64_t at = 0; p.walk.left > 0; xc_walk_next(&p.walk))
    for (int64_t row = 0; row < p.rows; ++row)
      for (int64_t column = 0; column < p.columns; ++column, ++at) {
        const double *x = a + p.walk.offset[0] + row * p.a_row;
        const double *y = b + p.walk.offset[1] + column * p.b_column;
        double sum = 0;
        for (int64_t k = 0; k < p.inner; ++k)
          sum += x[k * p.a_inner] * y[k * p.b_inner];
        xc_set_real(&call->output, at, sum + (bias ? bias[column] : 0));
      }
}

// Integers wrap in their type, hence the unsigned arithmetic.
static void multiply_wrapping(xc_kernel_call *call) {
  product p = product_of(call);
  const xc_tensor *a = &call->operands[XC_MATMUL_A],
                  *b = &call->operands[XC_MATMUL_B];
  const xc_tensor *bias = &call->operands[XC_MATMUL_BIAS];
  for (int64_t at = 0; p.walk.left > 0; xc_walk_next(&p.walk))
    for (int64_t row = 0; row < p.rows; ++row)
      for (int64_t column = 0; column < p.columns; ++column, ++at) {
        int64_t x = p.walk.offset[0] + row * p.a_row;
        int64_t y = p.walk.offset[1] + column * p.b_column;
        uint64_t sum = bias->data ? (uint64_t)xc_get_int(bias, column) : 0;
        for (int64_t k = 0; k < p.inner; ++k)
          sum += (uint64_t)xc_get_int(a, x + k * p.a_inner) *
                 (uint64_t)xc_get_int(b, y + k * p.b_inner);
        xc_set_int(&call->output, at, (int64_t)sum);
      }
}

bool xc_interpret_matmul(xc_kernel_call *call) {
  if (xc_element_is_float(call->output.shape.element))
    multiply_reals(call);
  else
    multiply_wrapping(call);
  return true;
}

bool xc_interpret_inner_product(xc_kernel_call *call) {
  const xc_shape *weight = &call->operands[XC_INNER_PRODUCT_WEIGHT].shape;
  int64_t outputs = weight->dims[0], inner = weight->dims[1];
  int64_t rows = outputs ? xc_tensor_count(&call->output) / outputs : 0;
  const double *x = xc_call_reals(call, XC_INNER_PRODUCT_INPUT),
               *w = xc_call_reals(call, XC_INNER_PRODUCT_WEIGHT);
  const double *bias = call->operands[XC_INNER_PRODUCT_BIAS].data
                           ? xc_call_reals(call, XC_INNER_PRODUCT_BIAS)
                           : NULL;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t o = 0; o < outputs; ++o) {
      double sum = 0;
      for (int64_t k = 0; k < inner; ++k)
        sum += x[row * inner + k] * w[o * inner + k];
      xc_set_real(&call->output, row * outputs + o, sum + (bias ? bias[o] : 0));
    }
  return true;
}
