//===- Conv.c - convolutions ----------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"

#include "OpParams/Fix.h"

typedef struct conv_form {
  bool depthwise;
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
  return (conv_form){.depthwise = xc_is_depthwise(call->op),
                     .group = xc_group_of(call->op),
                     .multiplier =
                         call->operands[XC_CONV2D_WEIGHT].shape.dims[0]};
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
  if (call->operands[XC_CONV2D_BIAS].data)
    state.bias = xc_call_reals(call, XC_CONV2D_BIAS);
  convolve_reals(call, &form, xc_call_reals(call, XC_CONV2D_INPUT),
                 xc_call_reals(call, XC_CONV2D_WEIGHT), finish_real, &state);
  return true;
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

typedef struct fix_state {
  const XcFixEpilogue *epilogues; // of groups of channels
  int64_t group_channels;
  const xc_tensor *output;
  const int32_t *bias; // or null
} fix_state;

static void finish_fix(void *user, int64_t at, int64_t channel, int64_t sum) {
  fix_state *state = user;
  int64_t bias = state->bias ? state->bias[channel] : 0;
  xc_set_int(
      state->output, at,
      xcFixEpilogueApply(&state->epilogues[channel / state->group_channels],
                         sum, bias));
}

static int64_t out_channels_of(const xc_kernel_call *call) {
  const xc_shape *shape = &call->output.shape;
  return shape->dims[shape->rank - 1];
}

// The sums and what the epilogues of `groups` make of them; false after a
// diagnostic.
static bool begin_fix(xc_kernel_call *call, xc_fix_groups groups,
                      fix_state *state) {
  XcFixEpilogue *epilogues =
      xc_call_alloc(call, groups.count, sizeof(*epilogues));
  *state = (fix_state){.epilogues = epilogues,
                       .group_channels = groups.channels,
                       .output = &call->output};
  if (call->operands[XC_CONV2D_FIX_BIAS].data)
    state->bias = xc_call_ints(call, XC_CONV2D_FIX_BIAS, 0);
  return xc_fix_epilogues_of(call->op, groups, epilogues);
}

bool xc_interpret_conv_fix(xc_kernel_call *call) {
  fix_state state;
  if (!begin_fix(call, xc_fix_groups_of(call->op, out_channels_of(call)),
                 &state))
    return false;
  xc_convolve_ints(call, xc_call_ints(call, XC_CONV2D_FIX_INPUT, 0),
                   xc_call_ints(call, XC_CONV2D_FIX_WEIGHT, 0), finish_fix,
                   &state);
  return true;
}

bool xc_interpret_matmul_fix(xc_kernel_call *call) {
  fix_state state;
  if (!begin_fix(call, (xc_fix_groups){1, out_channels_of(call)}, &state))
    return false;
  xc_matmul_ints(call, xc_call_ints(call, XC_MATMUL_FIX_A, 0),
                 xc_call_ints(call, XC_MATMUL_FIX_B, 0), finish_fix, &state);
  return true;
}
