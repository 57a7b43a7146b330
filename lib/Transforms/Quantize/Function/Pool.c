//===- Pool.c - what an average of the DPU is too large by ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "IR/IR.h"

#include <math.h>

bool xc_pool_touches_border(const xc_adaptor *adaptor) {
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
      !xc_adaptor_of(operation, &adaptor) || xc_pool_touches_border(&adaptor))
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
