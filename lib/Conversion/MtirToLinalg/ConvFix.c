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
  /// The epilogues that differ, and where there are several, the number of
  /// that of each channel.
  XcFixEpilogue *epilogues;
  int64_t count;
  MlirValue numbers;
  unsigned sum_bits;
} fix_state;

static void finish_fix(xc_lowering *l, MlirValue sum, MlirValue channel,
                       const MlirValue *at, void *user) {
  const fix_state *state = user;
  const xc_ir *ir = &l->ir;
  xc_ir_bounded acc = {sum, state->sum_bits}, bias = {{NULL}, 0};
  if (xc_user_kernel_leaves_bias(l, XC_CONV2D_FIX_BIAS)) {
    bias.value = xc_load_int(l, XC_CONV2D_FIX_BIAS, &channel);
    bias.bits =
        8 * (unsigned)xc_element_size(l->shapes[XC_CONV2D_FIX_BIAS].element) +
        1;
  }
  MlirValue result =
      xc_fix_raw(l, xc_ir_fix_epilogue(ir, &state->epilogues[0], acc, bias));
  MlirValue number = {NULL};
  if (state->count > 1)
    number = xc_ir_load(ir, state->numbers, &channel, 1);
  for (int64_t i = 1; i < state->count; ++i) {
    MlirValue other =
        xc_fix_raw(l, xc_ir_fix_epilogue(ir, &state->epilogues[i], acc, bias));
    result = xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_EQ, number, i), other,
                          result);
  }
  xc_ir_store(ir, result, l->output, at, l->result.rank);
}

static bool same_shifts(const XcFixEpilogue *a, const XcFixEpilogue *b) {
  return a->shiftCut == b->shiftCut && a->shiftBias == b->shiftBias;
}

// Returns the number of an epilogue, which is added if it is new.
static int32_t number_of(fix_state *state, const XcFixEpilogue *epilogue) {
  for (int64_t i = 0; i < state->count; ++i)
    if (same_shifts(&state->epilogues[i], epilogue))
      return (int32_t)i;
  state->epilogues[state->count] = *epilogue;
  return (int32_t)state->count++;
}

// The products of integers and what the epilogues of `groups` make of their
// sums.
static bool begin_fix(xc_lowering *l, xc_fix_groups groups, fix_state *state,
                      xc_products *products) {
  const xc_shape *weight = &l->shapes[XC_CONV2D_FIX_WEIGHT];
  int64_t channels = l->result.dims[l->result.rank - 1];
  *state =
      (fix_state){.epilogues = xc_lowering_alloc(l, groups.count,
                                                 sizeof(*state->epilogues)),
                  .sum_bits = xc_ir_sum_bits(xc_shape_num_elements(weight))};
  *products = xc_int_products(l, finish_fix, state);
  XcFixEpilogue first;
  if (!xc_fix_epilogue_of(l->op, &first))
    return false;
  int32_t *numbers = xc_lowering_alloc(l, channels, sizeof(*numbers));
  number_of(state, &first);
  for (int64_t c = 0; groups.count > 1 && c < channels; ++c) {
    XcFixEpilogue own =
        xc_fix_group_epilogue(l->op, &first, c / groups.channels);
    numbers[c] = number_of(state, &own);
  }
  if (state->count > 1)
    state->numbers =
        xc_lowering_table(l, numbers, XC_ELEMENT_I32, 1, &channels);
  return true;
}

static int64_t out_channels_of(const xc_lowering *l) {
  return l->result.dims[l->result.rank - 1];
}

bool xc_linalg_conv_fix(xc_lowering *l) {
  fix_state state;
  xc_products products;
  if (!begin_fix(l, xc_fix_groups_of(l->op, out_channels_of(l)), &state,
                 &products))
    return false;
  xc_linalg_convolution(l, &products);
  return true;
}

bool xc_linalg_matmul_fix(xc_lowering *l) {
  fix_state state;
  xc_products products;
  if (!begin_fix(l, (xc_fix_groups){1, out_channels_of(l)}, &state, &products))
    return false;
  xc_linalg_product(l, xc_attr_bool(l->op, XC_ATTR_TRANSPOSE_A),
                    xc_attr_bool(l->op, XC_ATTR_TRANSPOSE_B), &products);
  return true;
}
