//===- Pool.c - pools in fixed point --------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

bool xc_convert_pool(xc_conversion *c, xc_op_kind to) {
  bool average = c->adaptor.info->kind == XC_TIR_AVGPOOL2D;
  MlirValue input;
  int point;
  if (!xc_convert_operand(c, 0, &input, &point))
    return false;
  xc_convert_attributes(c, to);
  xc_attributes_add(&c->attributes, xc_string("type", average ? "AVG" : "MAX"));
  xc_attributes_add(&c->attributes, xc_int("input_fix_point", point));
  // The -fix form counts the border unless told otherwise, which is the same
  // where no window has one.
  static const xc_attr counts[] = {XC_ATTR_COUNT_INCLUDE_PAD,
                                   XC_ATTR_COUNT_INCLUDE_INVALID};
  for (size_t i = 0; i < 2; ++i) {
    xc_attributes_drop(&c->attributes, xc_attr_name(counts[i]));
    if (average && xc_pool_touches_border(&c->adaptor) &&
        !xc_attr_bool(&c->adaptor, counts[i]))
      xc_attributes_add(&c->attributes,
                        xc_bool(xc_attr_name(counts[i]), false));
  }
  int output =
      average ? xc_clamp_point(c->result->calibrated, point - 15, point + 15)
              : point;
  return xc_convert_finish(c, to, &input, 1, output);
}
