//===- ConvFix.c - convolutions and products in fixed point ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fix.h"
#include "UserKernel.h"

typedef struct fix_state {
  XcFixEpilogue epilogue;
  unsigned sum_bits;
} fix_state;

static void finish_fix(xc_lowering *l, MlirValue sum, MlirValue channel,
                       const MlirValue *at, void *user) {
  const fix_state *state = user;
  xc_ir_bounded acc = {sum, state->sum_bits}, bias = {{NULL}, 0};
  if (xc_user_kernel_leaves_bias(l, XC_CONV2D_FIX_BIAS)) {
    bias.value = xc_load_int(l, XC_CONV2D_FIX_BIAS, &channel);
    bias.bits =
        8 * (unsigned)xc_element_size(l->shapes[XC_CONV2D_FIX_BIAS].element) +
        1;
  }
  xc_ir_store(
      &l->ir,
      xc_fix_raw(l, xc_ir_fix_epilogue(&l->ir, &state->epilogue, acc, bias)),
      l->output, at, l->result.rank);
}

// The products of integers and what `epilogue` makes of their sums.
static bool begin_fix(xc_lowering *l, fix_state *state, xc_products *products) {
  const xc_shape *weight = &l->shapes[XC_CONV2D_FIX_WEIGHT];
  state->sum_bits = xc_ir_sum_bits(xc_shape_num_elements(weight));
  *products = xc_int_products(l, finish_fix, state);
  return xc_fix_epilogue_of(l->op, &state->epilogue);
}

bool xc_linalg_conv_fix(xc_lowering *l) {
  fix_state state;
  xc_products products;
  if (!begin_fix(l, &state, &products))
    return false;
  xc_linalg_convolution(l, &products);
  return true;
}

bool xc_linalg_matmul_fix(xc_lowering *l) {
  fix_state state;
  xc_products products;
  if (!begin_fix(l, &state, &products))
    return false;
  xc_linalg_product(l, xc_attr_bool(l->op, XC_ATTR_TRANSPOSE_A),
                    xc_attr_bool(l->op, XC_ATTR_TRANSPOSE_B), &products);
  return true;
}
