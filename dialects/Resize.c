//===- Resize.c - what tir.resize does to pixels --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resize.h"

#include <string.h>

bool xc_resize_factors(const xc_adaptor *op, int64_t factors[2]) {
  xc_shape in = xc_operand_shape(op, XC_RESIZE_INPUT),
           out = xc_result_shape(op);
  double scale[2];
  size_t count = xc_attr_floats(op, XC_ATTR_SCALE, scale, 2);
  for (size_t i = 0; i < 2; ++i) {
    int64_t from = in.dims[2 - i], to = out.dims[2 - i];
    if (from == 0 || to < from || to % from != 0)
      return false;
    factors[i] = to / from;
    if (count && scale[i] != (double)factors[i])
      return false;
  }
  return true;
}

// Pixel x of the result lies at x / s, or at (x + 1/2) / s - 1/2, which is
// never half way between two pixels: any rounding to the nearest takes floor(x
// / s).
bool xc_resize_repeats(const xc_adaptor *op, int64_t factors[2]) {
  xc_enum nearest = xc_attr_enum(op, XC_ATTR_NEAREST_MODE);
  if (!xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_NEAREST) ||
      !xc_attr_is(op, XC_ATTR_COORDINATE_MODE, XC_ENUM_DEFAULT) ||
      xc_attr_bool(op, XC_ATTR_ALIGN_CORNERS) ||
      !xc_resize_factors(op, factors))
    return false;
  if (xc_attr_bool(op, XC_ATTR_HALF_PIXEL_CENTERS))
    return nearest == XC_ENUM_ROUND_PREFER_FLOOR ||
           nearest == XC_ENUM_ROUND_PREFER_CEIL;
  // Halves are the only fractions of twice the size.
  bool twice = factors[0] <= 2 && factors[1] <= 2;
  return nearest == XC_ENUM_FLOOR ||
         (twice && nearest == XC_ENUM_ROUND_PREFER_FLOOR);
}
