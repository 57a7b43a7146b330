//===- Matmul.c - products of matrices ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserKernel.h"

// The position in an operand: its leading dimensions broadcast to those of the
// result.
static void position_of(const xc_lowering *l, const xc_shape *shape,
                        const MlirValue *at, MlirValue row, MlirValue column,
                        bool swap, MlirValue *position) {
  size_t leading = shape->rank - 2;
  size_t shift = l->result.rank - shape->rank;
  for (size_t i = 0; i < leading; ++i)
    position[i] = shape->dims[i] == 1 ? xc_ir_index(&l->ir, 0) : at[i + shift];
  position[leading] = swap ? column : row;
  position[leading + 1] = swap ? row : column;
}

void xc_linalg_product(xc_lowering *l, bool swap_a, bool swap_b,
                       const xc_products *products) {
  if (l->outliner->kernel) {
    xc_user_kernel_dense(l, products);
    return;
  }
  xc_ir *ir = &l->ir;
  const xc_shape *a = &l->shapes[XC_MATMUL_A];
  const xc_shape *b = &l->shapes[XC_MATMUL_B];
  const xc_shape *out = &l->result;
  int64_t inner = a->dims[a->rank - (swap_a ? 2 : 1)];
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, out->rank, out->dims);
  MlirValue row = nest.at[out->rank - 2], column = nest.at[out->rank - 1];
  xc_ir_loop loop = xc_ir_for_size(ir, inner, &products->zero, 1);
  MlirValue left[XC_MAX_RANK], right[XC_MAX_RANK];
  position_of(l, a, nest.at, row, loop.index, swap_a, left);
  position_of(l, b, nest.at, loop.index, column, swap_b, right);
  MlirValue x = products->left(l, left, products->state);
  MlirValue y = products->right(l, right, column, products->state);
  MlirValue sum = xc_ir_add(ir, loop.carried[0], xc_ir_mul(ir, x, y));
  xc_ir_end_for(ir, &loop, &sum);
  products->finish(l, loop.results[0], column, nest.at, products->state);
  xc_ir_nest_end(ir, &nest);
}

//===----------------------------------------------------------------------===//
// Floating point, and integers that wrap
//===----------------------------------------------------------------------===//

static MlirValue int_left(xc_lowering *l, const MlirValue *at, void *state) {
  (void)state;
  return xc_load_int(l, XC_MATMUL_A, at);
}

static MlirValue int_right(xc_lowering *l, const MlirValue *at,
                           MlirValue channel, void *state) {
  (void)channel;
  (void)state;
  return xc_load_int(l, XC_MATMUL_B, at);
}

static void finish_int(xc_lowering *l, MlirValue sum, MlirValue channel,
                       const MlirValue *at, void *state) {
  (void)state;
  if (xc_has_operand(l->op, XC_MATMUL_BIAS))
    sum = xc_ir_add(&l->ir, sum, xc_load_int(l, XC_MATMUL_BIAS, &channel));
  xc_store_int(l, sum, at);
}

xc_products xc_int_products(const xc_lowering *l, xc_product_end finish,
                            void *state) {
  return (xc_products){.zero = xc_whole(l, 0),
                       .left = int_left,
                       .right = int_right,
                       .finish = finish,
                       .state = state};
}

bool xc_linalg_matmul(xc_lowering *l) {
  xc_products products = xc_real_products(l);
  if (!xc_element_is_float(l->result.element))
    products = xc_int_products(l, finish_int, NULL);
  xc_linalg_product(l, xc_attr_bool(l->op, XC_ATTR_TRANSPOSE_A),
                    xc_attr_bool(l->op, XC_ATTR_TRANSPOSE_B), &products);
  return true;
}

// The input is a matrix with one row per `inner` elements, whatever its rank.
bool xc_linalg_inner_product(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  if (!xc_check_dense(l, l->buffers[XC_INNER_PRODUCT_INPUT]) ||
      !xc_check_dense(l, l->output))
    return false;
  const int64_t *weight = l->shapes[XC_INNER_PRODUCT_WEIGHT].dims;
  int64_t count = xc_shape_num_elements(&l->result);
  const int64_t dims[] = {weight[0] ? count / weight[0] : 0, weight[0]};
  const int64_t in_dims[] = {dims[0], weight[1]};
  l->buffers[XC_INNER_PRODUCT_INPUT] =
      xc_ir_reshape(ir, l->buffers[XC_INNER_PRODUCT_INPUT], 2, in_dims);
  l->output = xc_ir_reshape(ir, l->output, 2, dims);
  xc_shape *in = &l->shapes[XC_INNER_PRODUCT_INPUT], *out = &l->result;
  in->rank = out->rank = 2;
  for (int i = 0; i < 2; ++i) {
    in->dims[i] = in_dims[i];
    out->dims[i] = dims[i];
  }
  xc_products products = xc_real_products(l);
  xc_linalg_product(l, false, true, &products);
  return true;
}
