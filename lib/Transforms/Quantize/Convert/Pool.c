//===- Pool.c - pools in fixed point --------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "IR/IR.h"

#include <math.h>

// Whether a window reaches beyond the input, so that it matters what counts.
static bool touches_border(const xc_adaptor *adaptor) {
  int64_t pad[XC_MAX_INTS], kernel[XC_MAX_INTS], stride[XC_MAX_INTS];
  int64_t dilation[XC_MAX_INTS];
  if (xc_attr_bool(adaptor, XC_ATTR_GLOBAL))
    return false;
  xc_attr_ints(adaptor, XC_ATTR_PAD, pad);
  xc_attr_ints(adaptor, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(adaptor, XC_ATTR_STRIDE, stride);
  xc_attr_ints(adaptor, XC_ATTR_DILATION, dilation);
  xc_shape input = xc_operand_shape(adaptor, 0), output;
  xc_shape_of_type(mlirValueGetType(xc_op_result(adaptor->operation)), &output);
  for (size_t i = 0; i < 2; ++i) {
    int64_t window = (kernel[i] - 1) * dilation[i] + 1;
    int64_t reach = (output.dims[2 - i] - 1) * stride[i] + window;
    if (pad[2 * i] > 0 || reach - pad[2 * i] > input.dims[2 - i])
      return true;
  }
  return false;
}

double xc_quantize_pool_factor(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_adaptor adaptor;
  if (!info || info->kind != XC_TIR_AVGPOOL2D ||
      !xc_adaptor_of(operation, &adaptor) || touches_border(&adaptor))
    return 1;
  int64_t kernel[XC_MAX_INTS];
  xc_shape input = xc_operand_shape(&adaptor, 0);
  if (xc_attr_bool(&adaptor, XC_ATTR_GLOBAL) ||
      xc_attr_ints(&adaptor, XC_ATTR_KERNEL, kernel) == 0) {
    kernel[0] = input.dims[2];
    kernel[1] = input.dims[1];
  }
  if (kernel[0] * kernel[1] > 1 << 24)
    return 1;
  XcAvgFactor factor = xcAvgPoolFactor(kernel[1], kernel[0]);
  return ldexp((double)(factor.factor * kernel[0] * kernel[1]), -factor.shift);
}

bool xc_convert_pool(xc_conversion *c, xc_op_kind to) {
  bool average = c->adaptor.info->kind == XC_TIR_AVGPOOL2D;
  MlirValue input;
  int point;
  if (!xc_convert_operand(c, 0, &input, &point))
    return false;
  xc_convert_attributes(c, to);
  xc_convert_add(c, xc_string("type", average ? "AVG" : "MAX"));
  xc_convert_add(c, xc_int("input_fix_point", point));
  // The -fix form counts the border unless told otherwise, which is the same
  // where no window has one.
  static const xc_attr counts[] = {XC_ATTR_COUNT_INCLUDE_PAD,
                                   XC_ATTR_COUNT_INCLUDE_INVALID};
  for (size_t i = 0; i < 2; ++i) {
    xc_convert_drop(c, xc_attr_name(counts[i]));
    if (average && touches_border(&c->adaptor) &&
        !xc_attr_bool(&c->adaptor, counts[i]))
      xc_convert_add(c, xc_bool(xc_attr_name(counts[i]), false));
  }
  int output =
      average ? xc_clamp_point(c->result->calibrated, point - 15, point + 15)
              : point;
  return xc_convert_finish(c, to, &input, 1, output);
}
