//===- Normalize.c - normalisation ----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <math.h>

// gamma * (x - mean) / sqrt(var + epsilon) + beta.
static void normalize(xc_kernel_call *call, const double *mean,
                      const double *factor, const double *bias) {
  size_t axis = xc_call_axis(call, "axis");
  int64_t inner = xc_shape_inner(&call->output.shape, axis);
  int64_t channels = call->output.shape.dims[axis];
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    int64_t c = i / inner % channels;
    double x = xc_get_real(&call->operands[0], i);
    double y = (x - (mean ? mean[c] : 0)) * factor[c] + (bias ? bias[c] : 0);
    xc_set_real(&call->output, i, y);
  }
}

bool xc_interpret_batchnorm(xc_kernel_call *call) {
  enum { MEAN = 1, VAR, GAMMA, BETA };
  const double *mean = xc_call_reals(call, MEAN);
  double *factor = xc_call_reals(call, VAR);
  double epsilon = xc_view_float(call->view, "epsilon");
  int64_t channels = xc_tensor_count(&call->operands[VAR]);
  for (int64_t c = 0; c < channels; ++c) {
    double gamma =
        call->operands[GAMMA].data ? xc_get_real(&call->operands[GAMMA], c) : 1;
    factor[c] = gamma / sqrt(factor[c] + epsilon);
  }
  normalize(call, mean, factor,
            call->operands[BETA].data ? xc_call_reals(call, BETA) : NULL);
  return true;
}

bool xc_interpret_scale(xc_kernel_call *call) {
  normalize(call, NULL, xc_call_reals(call, 1),
            call->operands[2].data ? xc_call_reals(call, 2) : NULL);
  return true;
}

// One line along the axis: elements `stride` apart.
static void softmax_line(xc_kernel_call *call, int64_t at, int64_t stride,
                         int64_t length, bool logarithm) {
  const xc_tensor *in = &call->operands[0];
  double largest = (double)-INFINITY, sum = 0;
  for (int64_t i = 0; i < length; ++i)
    largest = fmax(largest, xc_get_real(in, at + i * stride));
  for (int64_t i = 0; i < length; ++i)
    sum += exp(xc_get_real(in, at + i * stride) - largest);
  for (int64_t i = 0; i < length; ++i) {
    double x = xc_get_real(in, at + i * stride) - largest;
    xc_set_real(&call->output, at + i * stride,
                logarithm ? x - log(sum) : exp(x) / sum);
  }
}

bool xc_interpret_softmax(xc_kernel_call *call) {
  bool logarithm = call->view->info->kind == XC_TIR_LOG_SOFTMAX;
  size_t axis = xc_call_axis(call, "axis");
  int64_t length = call->output.shape.dims[axis];
  int64_t inner = xc_shape_inner(&call->output.shape, axis);
  int64_t outer = xc_shape_outer(&call->output.shape, axis);
  for (int64_t o = 0; length > 0 && o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i)
      softmax_line(call, o * length * inner + i, inner, length, logarithm);
  return true;
}

bool xc_interpret_lrn(xc_kernel_call *call) {
  const xc_shape *shape = &call->output.shape;
  int64_t channels = shape->dims[shape->rank - 1];
  int64_t size = xc_view_int(call->view, "size");
  double alpha = xc_view_float(call->view, "alpha") / (double)size;
  double beta = xc_view_float(call->view, "beta");
  double bias = xc_view_float(call->view, "bias");
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    int64_t c = i % channels;
    int64_t first = c - (size - 1) / 2, last = c + size / 2;
    double sum = 0;
    for (int64_t k = first < 0 ? 0 : first; k <= last && k < channels; ++k) {
      double x = xc_get_real(&call->operands[0], i - c + k);
      sum += x * x;
    }
    xc_set_real(&call->output, i,
                xc_get_real(&call->operands[0], i) /
                    pow(bias + alpha * sum, beta));
  }
  return true;
}
