//===- Resize.c - resampling ----------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpParams/Resize.h"
#include "Kernel.h"
#include "OpParams/Priorbox.h"

static double interpolate(const xc_tensor *input, const xc_resize_axis *h,
                          const xc_resize_axis *w, const int64_t at[4]) {
  const int64_t *dims = input->shape.dims;
  double sum = 0;
  for (int64_t i = 0; i < h->taps; ++i) {
    int64_t y = h->source[at[1] * h->taps + i];
    double weight = h->weight[at[1] * h->taps + i];
    for (int64_t j = 0; weight != 0 && j < w->taps; ++j) {
      int64_t x = w->source[at[2] * w->taps + j];
      int64_t index = ((at[0] * dims[1] + y) * dims[2] + x) * dims[3] + at[3];
      sum +=
          weight * w->weight[at[2] * w->taps + j] * xc_get_real(input, index);
    }
  }
  return sum;
}

bool xc_interpret_resize(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[XC_RESIZE_INPUT];
  if (!xc_resize_check(call->op))
    return false;
  xc_resize_axis w = xc_resize_axis_of(call->op, 0, call->arena);
  xc_resize_axis h = xc_resize_axis_of(call->op, 1, call->arena);
  double extrapolation = xc_attr_float(call->op, XC_ATTR_EXTRAPOLATION_VALUE);
  bool copies = xc_attr_is(call->op, XC_ATTR_MODE, XC_ENUM_NEAREST) &&
                !xc_element_is_float(input->shape.element);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    const int64_t *at = walk.position;
    if (h.outside[at[1]] || w.outside[at[2]])
      xc_set_real(&call->output, i, extrapolation);
    else if (copies)
      xc_set_int(
          &call->output, i,
          xc_get_int(input, ((at[0] * input->shape.dims[1] + h.source[at[1]]) *
                                 input->shape.dims[2] +
                             w.source[at[2]]) *
                                    input->shape.dims[3] +
                                at[3]));
    else
      xc_set_real(&call->output, i, interpolate(input, &h, &w, at));
  }
  return true;
}

bool xc_interpret_priorbox(xc_kernel_call *call) {
  const double *values = xc_priorbox_values(call->op, call->arena);
  int64_t count = values ? xc_tensor_count(&call->output) : 0;
  for (int64_t i = 0; i < count; ++i)
    xc_set_real(&call->output, i, values[i]);
  return values != NULL;
}
