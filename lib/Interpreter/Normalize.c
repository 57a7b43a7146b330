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
  size_t axis = xc_axis_of(call->op);
  int64_t inner = xc_shape_inner(&call->output.shape, axis);
  int64_t channels = call->output.shape.dims[axis];
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    int64_t c = i / inner % channels;
    double x = xc_get_real(&call->operands[XC_SCALE_INPUT], i);
    double y = (x - (mean ? mean[c] : 0)) * factor[c] + (bias ? bias[c] : 0);
    xc_set_real(&call->output, i, y);
  }
}

bool xc_interpret_batchnorm(xc_kernel_call *call) {

  const double *mean = xc_call_reals(call, XC_BATCHNORM_MEAN);
  double *factor = xc_call_reals(call, XC_BATCHNORM_VAR);
  double epsilon = xc_attr_float(call->op, XC_ATTR_EPSILON);
  int64_t channels = xc_tensor_count(&call->operands[XC_BATCHNORM_VAR]);
  for (int64_t c = 0; c < channels; ++c) {
    double gamma = call->operands[XC_BATCHNORM_GAMMA].data
                       ? xc_get_real(&call->operands[XC_BATCHNORM_GAMMA], c)
                       : 1;
    factor[c] = gamma / sqrt(factor[c] + epsilon);
  }
  normalize(call, mean, factor,
            call->operands[XC_BATCHNORM_BETA].data
                ? xc_call_reals(call, XC_BATCHNORM_BETA)
                : NULL);
  return true;
}

bool xc_interpret_scale(xc_kernel_call *call) {
  normalize(call, NULL, xc_call_reals(call, XC_SCALE_SCALE),
            call->operands[XC_SCALE_BIAS].data
                ? xc_call_reals(call, XC_SCALE_BIAS)
                : NULL);
  return true;
}

// One line along the axis: elements `stride` apart.
static void softmax_line(xc_kernel_call *call, int64_t at, int64_t stride,
                         int64_t length, bool logarithm) {
  const xc_tensor *in = &call->operands[XC_SOFTMAX_INPUT];
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
  bool logarithm = call->op->info->kind == XC_TIR_LOG_SOFTMAX;
  size_t axis = xc_axis_of(call->op);
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
  int64_t size = xc_attr_int(call->op, XC_ATTR_SIZE);
  double alpha = xc_attr_float(call->op, XC_ATTR_ALPHA) / (double)size;
  double beta = xc_attr_float(call->op, XC_ATTR_BETA);
  double bias = xc_attr_float(call->op, XC_ATTR_BIAS);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    int64_t c = i % channels;
    int64_t first = c - (size - 1) / 2, last = c + size / 2;
    double sum = 0;
    for (int64_t k = first < 0 ? 0 : first; k <= last && k < channels; ++k) {
      double x = xc_get_real(&call->operands[XC_LRN_INPUT], i - c + k);
      sum += x * x;
    }
    xc_set_real(&call->output, i,
                xc_get_real(&call->operands[XC_LRN_INPUT], i) /
                    pow(bias + alpha * sum, beta));
  }
  return true;
}
