//===- SmallSlopes.c - negative slopes that do not count ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine for PReLU has no negative slopes: words of channels with such take
// two passes more. Training leaves many that are all but zero. Where the
// product with the smallest number of the samples is less than half a step of
// its channel, which rounds to zero, the slope becomes zero. Positive ones cost
// nothing and stay.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Filter.h"

#include <math.h>
#include <stdlib.h>

// Returns the step of a channel when equalisation has given it the whole range.
static double step_of(const xc_quantize_value *value, int64_t channel) {
  const double steps = 127;
  return fmax(value->highs[channel], -value->lows[channel]) / steps;
}

static bool read_slopes(const xc_quantize_value *value, xc_adaptor *op) {
  if (!value->is_float || value->stays_float || value->channels == 0 ||
      !mlirValueIsAOpResult(value->original))
    return false;
  MlirOperation writer = mlirOpResultGetOwner(value->original);
  if (!xc_op_is(writer, "tir.prelu") || !xc_adaptor_of(writer, op) ||
      mlirOperationIsNull(xc_constant_of(xc_operand(op, XC_FILTER_WEIGHTS))))
    return false;
  xc_shape shape = xc_operand_shape(op, XC_FILTER_WEIGHTS);
  return xc_shape_num_elements(&shape) == value->channels;
}

static bool drop(const xc_quantizer *q, const xc_quantize_value *value,
                 const xc_adaptor *op, bool *changed) {
  const double half = 0.5;
  const xc_quantize_value *input =
      xc_quantize_value_of(q, xc_operand(op, XC_FILTER_INPUT));
  float *slopes = xc_filter_read(op, XC_FILTER_WEIGHTS);
  bool any = false;
  for (int64_t c = 0; slopes && input && input->channels == value->channels &&
                      c < value->channels;
       ++c) {
    double product = (double)slopes[c] * fmin(input->lows[c], 0);
    if (slopes[c] >= 0 || product >= half * step_of(value, c))
      continue;
    slopes[c] = 0;
    any = true;
  }
  *changed |= any;
  bool ok = !any || xc_filter_write(op->operation, XC_FILTER_WEIGHTS, slopes);
  free(slopes);
  return ok;
}

bool xc_quantize_drop_slopes(xc_quantizer *q, bool *changed) {
  for (size_t i = 0; i < q->num_values; ++i) {
    xc_adaptor op;
    if (read_slopes(&q->values[i], &op) &&
        !drop(q, &q->values[i], &op, changed))
      return false;
  }
  return true;
}
