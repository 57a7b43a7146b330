//===- Conv.c - convolutions ----------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"

#include "Fix.h"

#include <string.h>

typedef struct conv_form {
  bool transposed, depthwise;
  int64_t group, multiplier;
} conv_form;

#define XC_CONV_NAME convolve_reals
#define XC_CONV_VALUE double
#define XC_CONV_SUM double
#include "ConvLoops.inc"

#define XC_CONV_NAME convolve_ints
#define XC_CONV_VALUE int32_t
#define XC_CONV_SUM int64_t
#include "ConvLoops.inc"

static conv_form form_of(const xc_kernel_call *call) {
  xc_rule rule = call->view->info->rule;
  conv_form form = {.transposed = rule == XC_RULE_TRANSPOSED_CONV2D ||
                                  rule == XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D,
                    .depthwise = rule == XC_RULE_DEPTHWISE_CONV2D ||
                                 rule == XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D,
                    .group = 1,
                    .multiplier = call->operands[1].shape.dims[0]};
  if (!form.depthwise)
    form.group = xc_view_int(call->view, "group");
  return form;
}

void xc_convolve_ints(xc_kernel_call *call, const int32_t *input,
                      const int32_t *weight, xc_sum_handler finish,
                      void *state) {
  conv_form form = form_of(call);
  convolve_ints(call, &form, input, weight, finish, state);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

typedef struct real_state {
  const xc_tensor *output;
  const double *bias; // or null
} real_state;

static void finish_real(void *user, int64_t at, int64_t channel, double sum) {
  real_state *state = user;
  xc_set_real(state->output, at,
              sum + (state->bias ? state->bias[channel] : 0));
}

bool xc_interpret_conv(xc_kernel_call *call) {
  conv_form form = form_of(call);
  real_state state = {.output = &call->output};
  if (call->operands[2].data)
    state.bias = xc_call_reals(call, 2);
  convolve_reals(call, &form, xc_call_reals(call, 0), xc_call_reals(call, 1),
                 finish_real, &state);
  return true;
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

typedef struct fix_state {
  XcFixEpilogue epilogue;
  const xc_tensor *output;
  const int32_t *bias; // or null
} fix_state;

static void finish_fix(void *user, int64_t at, int64_t channel, int64_t sum) {
  fix_state *state = user;
  int64_t bias = state->bias ? state->bias[channel] : 0;
  xc_set_int(state->output, at,
             xcFixEpilogueApply(&state->epilogue, sum, bias));
}

static bool read_activation(xc_kernel_call *call, XcFixEpilogue *epilogue) {
  const xc_view *view = call->view;
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

static XcFixEpilogue epilogue_of(const xc_kernel_call *call, int product) {
  const xc_view *view = call->view;
  const char *word = xc_view_word(view, "nonlinear");
  XcFixEpilogue epilogue = {.roundMode = xc_call_round_mode(call),
                            .type = xc_fix_type(call->output.shape.element),
                            .outputFixPoint =
                                (int)xc_view_int(view, "output_fix_point")};
  xcActivationParse(word, strlen(word), &epilogue.activation);
  epilogue.shiftCut = product - epilogue.outputFixPoint;
  if (xc_attribute_info_find(view->info, "bias_fix_point", 14))
    epilogue.shiftBias = product - (int)xc_view_int(view, "bias_fix_point");
  return epilogue;
}

bool xc_interpret_conv_fix(xc_kernel_call *call) {
  int product = (int)(xc_view_int(call->view, "input_fix_point") +
                      xc_view_int(call->view, "weight_fix_point"));
  fix_state state = {.epilogue = epilogue_of(call, product),
                     .output = &call->output};
  if (!read_activation(call, &state.epilogue))
    return false;
  if (call->operands[2].data)
    state.bias = xc_call_ints(call, 2, 0);
  xc_convolve_ints(call, xc_call_ints(call, 0, 0), xc_call_ints(call, 1, 0),
                   finish_fix, &state);
  return true;
}

bool xc_interpret_matmul_fix(xc_kernel_call *call) {
  int product = xc_call_input_point(call, 0) + xc_call_input_point(call, 1);
  fix_state state = {.epilogue = epilogue_of(call, product),
                     .output = &call->output};
  if (!xc_fix_plain_activation(call, state.epilogue.activation))
    return false;
  if (call->operands[2].data)
    state.bias = xc_call_ints(call, 2, 0);
  xc_matmul_ints(call, xc_call_ints(call, 0, 0), xc_call_ints(call, 1, 0),
                 finish_fix, &state);
  return true;
}
