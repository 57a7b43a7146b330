//===- ConvFix.c - convolutions and products in fixed point ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Fix.h"

#include "Interpreter/Fix.h"

#include <string.h>

typedef struct fix_state {
  XcFixEpilogue epilogue;
  unsigned sum_bits;
} fix_state;

static void finish_fix(xc_lowering *l, MlirValue sum, MlirValue channel,
                       const MlirValue *at, void *user) {
  const fix_state *state = user;
  xc_ir_bounded acc = {sum, state->sum_bits}, bias = {{NULL}, 0};
  if (l->call.operands[2].data) {
    bias.value = xc_load_int(l, 2, &channel);
    bias.bits =
        8 * (unsigned)xc_element_size(l->call.operands[2].shape.element) + 1;
  }
  xc_ir_store(
      &l->ir,
      xc_fix_raw(l, xc_ir_fix_epilogue(&l->ir, &state->epilogue, acc, bias)),
      l->output, at, l->call.output.shape.rank);
}

static bool read_activation(const xc_lowering *l, XcFixEpilogue *epilogue) {
  const xc_view *view = l->call.view;
  switch (epilogue->activation) {
  case XcActivationPrelu:
    epilogue->preluIn = (int32_t)xc_view_int(view, "prelu_in");
    epilogue->preluShift = (int)xc_view_int(view, "prelu_shift");
    if (epilogue->preluIn > INT16_MAX || epilogue->preluIn < INT16_MIN)
      return xc_view_error(view,
                           "attribute 'prelu_in' is %d, expected %d to %d",
                           epilogue->preluIn, INT16_MIN, INT16_MAX);
    return true;
  case XcActivationHSigmoid:
  case XcActivationHSwish: {
    // The verifier has checked hsigmoid_in and that given shifts are these.
    bool swish = epilogue->activation == XcActivationHSwish;
    int in = (int)xc_view_int(view, "hsigmoid_in");
    epilogue->shiftCut += epilogue->outputFixPoint - in;
    epilogue->hsigmoidIn = in;
    epilogue->shiftHSigmoid = 14 + in - (swish ? 7 : epilogue->outputFixPoint);
    epilogue->shiftHSwish = in + 7 - epilogue->outputFixPoint;
    return true;
  }
  case XcActivationNone:
  case XcActivationRelu:
  case XcActivationLeakyRelu:
  case XcActivationRelu6:
    break;
  }
  return true;
}

static XcFixEpilogue epilogue_of(const xc_lowering *l, int product) {
  const xc_view *view = l->call.view;
  const char *word = xc_view_word(view, "nonlinear");
  XcFixEpilogue epilogue = {.roundMode = xc_call_round_mode(&l->call),
                            .type = xc_fix_output_type(l),
                            .outputFixPoint =
                                xc_fix_point(l, "output_fix_point")};
  xcActivationParse(word, strlen(word), &epilogue.activation);
  epilogue.shiftCut = product - epilogue.outputFixPoint;
  if (xc_attribute_info_find(view->info, "bias_fix_point", 14))
    epilogue.shiftBias = product - xc_fix_point(l, "bias_fix_point");
  return epilogue;
}

bool xc_fix_conv_epilogue(const xc_lowering *l, XcFixEpilogue *epilogue) {
  *epilogue = epilogue_of(l, xc_fix_point(l, "input_fix_point") +
                                 xc_fix_point(l, "weight_fix_point"));
  return read_activation(l, epilogue);
}

bool xc_linalg_conv_fix(xc_lowering *l) {
  fix_state state;
  if (!xc_fix_conv_epilogue(l, &state.epilogue))
    return false;
  const xc_shape *weight = &l->call.operands[1].shape;
  state.sum_bits = xc_ir_sum_bits(xc_shape_num_elements(weight));
  const xc_products products = xc_int_products(l, finish_fix, &state);
  xc_linalg_convolution(l, &products);
  return true;
}

bool xc_linalg_matmul_fix(xc_lowering *l) {
  int product =
      xc_call_input_point(&l->call, 0) + xc_call_input_point(&l->call, 1);
  fix_state state = {.epilogue = epilogue_of(l, product)};
  if (!xc_fix_plain_activation(&l->call, state.epilogue.activation))
    return false;
  const xc_shape *b = &l->call.operands[1].shape;
  state.sum_bits = xc_ir_sum_bits(xc_shape_num_elements(b));
  const xc_products products = xc_int_products(l, finish_fix, &state);
  xc_linalg_product(l, xc_view_bool(l->call.view, "transpose_a"),
                    xc_view_bool(l->call.view, "transpose_b"), &products);
  return true;
}
