//===- Pool.c - pools in fixed point --------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convert.h"

#include "IR/IR.h"

#include <math.h>

// Whether a window reaches beyond the input, so that it matters what counts.
static bool touches_border(const xc_view *view) {
  int64_t pad[XC_MAX_INTS], kernel[XC_MAX_INTS], stride[XC_MAX_INTS];
  int64_t dilation[XC_MAX_INTS];
  if (xc_view_bool(view, "global"))
    return false;
  xc_view_ints(view, "pad", pad);
  xc_view_ints(view, "kernel", kernel);
  xc_view_ints(view, "stride", stride);
  xc_view_ints(view, "dilation", dilation);
  xc_shape input = xc_view_shape(view, 0), output;
  xc_shape_of_type(mlirValueGetType(xc_op_result(view->operation)), &output);
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
  xc_view view;
  if (!info || info->kind != XC_TIR_AVGPOOL2D ||
      !xc_view_operation(operation, &view) || touches_border(&view))
    return 1;
  int64_t kernel[XC_MAX_INTS];
  xc_shape input = xc_view_shape(&view, 0);
  if (xc_view_bool(&view, "global") ||
      xc_view_ints(&view, "kernel", kernel) == 0) {
    kernel[0] = input.dims[2];
    kernel[1] = input.dims[1];
  }
  if (kernel[0] * kernel[1] > 1 << 24)
    return 1;
  XcAvgFactor factor = xcAvgPoolFactor(kernel[1], kernel[0]);
  return ldexp((double)(factor.factor * kernel[0] * kernel[1]), -factor.shift);
}

bool xc_convert_pool(xc_conversion *c, xc_op_kind to) {
  bool average = c->view.info->kind == XC_TIR_AVGPOOL2D;
  MlirValue input;
  int point;
  if (!xc_convert_operand(c, 0, &input, &point))
    return false;
  xc_convert_attributes(c, to);
  xc_convert_add(c, xc_string("type", average ? "AVG" : "MAX"));
  xc_convert_add(c, xc_int("input_fix_point", point));
  // The -fix form counts the border unless told otherwise, which is the same
  // where no window has one.
  static const char *const counts[] = {"count_include_pad",
                                       "count_include_invalid"};
  for (size_t i = 0; i < 2; ++i) {
    xc_convert_drop(c, counts[i]);
    if (average && touches_border(&c->view) &&
        !xc_view_bool(&c->view, counts[i]))
      xc_convert_add(c, xc_bool(counts[i], false));
  }
  int output =
      average ? xc_clamp_point(c->result->calibrated, point - 15, point + 15)
              : point;
  return xc_convert_finish(c, to, &input, 1, output);
}
