//===- Window.c - windows that move over H and W --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

#include <string.h>

enum { WIDTH, HEIGHT };

typedef struct axis_rule {
  int64_t input, output, kernel, stride, dilation;
  int64_t before, after; // border
} axis_rule;

static int64_t pair_entry(const xc_kernel_call *call, const char *name,
                          int entry, int64_t absent) {
  int64_t ints[XC_MAX_INTS];
  return xc_view_ints(call->view, name, ints) ? ints[entry] : absent;
}

static bool is_global(const xc_kernel_call *call) {
  return xc_attribute_info_find(call->view->info, "global", 6) &&
         xc_view_bool(call->view, "global");
}

static axis_rule read_axis(const xc_kernel_call *call, int axis) {
  size_t dim = axis == WIDTH ? 2 : 1;
  int64_t input = call->operands[0].shape.dims[dim];
  axis_rule rule = {.input = input,
                    .output = call->output.shape.dims[dim],
                    .kernel = input,
                    .stride = 1,
                    .dilation = 1};
  if (is_global(call))
    return rule;
  int64_t pad[XC_MAX_INTS];
  xc_view_ints(call->view, "pad", pad);
  rule.kernel = pair_entry(call, "kernel", axis, 1);
  rule.stride = pair_entry(call, "stride", axis, 1);
  rule.dilation = pair_entry(call, "dilation", axis, 1);
  rule.before = pad[2 * axis];
  rule.after = pad[2 * axis + 1];
  return rule;
}

static int64_t window_size(const axis_rule *rule) {
  return (rule->kernel - 1) * rule->dilation + 1;
}

// SAME pads by what the outputs need; an odd element goes behind.
static void pad_same(const xc_kernel_call *call, axis_rule *rule,
                     int64_t needed) {
  if (is_global(call) || !xc_call_is(call, "pad_mode", "SAME"))
    return;
  int64_t total = needed > 0 ? needed : 0;
  rule->before = total / 2;
  rule->after = total - rule->before;
}

static xc_window_axis make_axis(xc_kernel_call *call, const axis_rule *rule) {
  xc_window_axis axis = {.outputs = rule->output, .taps = rule->kernel};
  axis.source =
      xc_call_alloc(call, axis.outputs * axis.taps, sizeof(*axis.source));
  return axis;
}

static xc_window_axis forward_axis(xc_kernel_call *call, int which) {
  axis_rule rule = read_axis(call, which);
  pad_same(call, &rule,
           (rule.output - 1) * rule.stride + window_size(&rule) - rule.input);
  xc_window_axis axis = make_axis(call, &rule);
  for (int64_t o = 0; o < axis.outputs; ++o)
    for (int64_t k = 0; k < axis.taps; ++k) {
      int64_t at = o * rule.stride - rule.before + k * rule.dilation;
      axis.source[o * axis.taps + k] = at >= 0 && at < rule.input ? at
                                       : at < rule.input + rule.after
                                           ? XC_TAP_PAD
                                           : XC_TAP_BEYOND;
    }
  return axis;
}

// Reads the input dilated by the stride with zeros, at stride 1.
static xc_window_axis transposed_axis(xc_kernel_call *call, int which) {
  axis_rule rule = read_axis(call, which);
  int64_t span = (rule.input - 1) * rule.stride + window_size(&rule);
  pad_same(call, &rule, span - rule.input * rule.stride);
  xc_window_axis axis = make_axis(call, &rule);
  int64_t shift = window_size(&rule) - 1 - rule.before;
  for (int64_t o = 0; o < axis.outputs; ++o)
    for (int64_t k = 0; k < axis.taps; ++k) {
      int64_t at = o - shift + k * rule.dilation;
      bool hit =
          at >= 0 && at % rule.stride == 0 && at / rule.stride < rule.input;
      axis.source[o * axis.taps + k] = hit ? at / rule.stride : XC_TAP_PAD;
    }
  return axis;
}

xc_window xc_window_forward(xc_kernel_call *call) {
  return (xc_window){forward_axis(call, HEIGHT), forward_axis(call, WIDTH)};
}

xc_window xc_window_transposed(xc_kernel_call *call) {
  return (xc_window){transposed_axis(call, HEIGHT),
                     transposed_axis(call, WIDTH)};
}
