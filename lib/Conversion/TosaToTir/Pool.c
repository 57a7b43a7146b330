//===- Pool.c - pools -----------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

// Height first in TOSA, width first in tir.
typedef struct window {
  int64_t kernel[2], stride[2], pad[4];
} window;

static bool read_window(tosa_converter *c, window *w) {
  int64_t kernel[2], stride[2], pad[4];
  if (!tosa_int_array(c, "kernel", kernel, 2) ||
      !tosa_int_array(c, "stride", stride, 2) ||
      !tosa_int_array(c, "pad", pad, 4))
    return false;
  *w = (window){{kernel[1], kernel[0]},
                {stride[1], stride[0]},
                {pad[2], pad[3], pad[0], pad[1]}};
  return true;
}

static MlirValue emit_pool(tosa_converter *c, xc_op_kind kind, MlirValue x,
                           const window *w) {
  const xc_attribute attributes[] = {xc_ints("kernel", w->kernel, 2),
                                     xc_ints("stride", w->stride, 2),
                                     xc_ints("pad", w->pad, 4)};
  return tosa_emit(c, kind, &x, 1, attributes, 3, XC_ELEMENT_NONE);
}

bool tosa_max_pool2d(tosa_converter *c) {
  window w;
  return read_window(c, &w) &&
         tosa_done(c, emit_pool(c, XC_TIR_MAXPOOL2D, tosa_operand(c, 0), &w));
}

bool tosa_avg_pool2d(tosa_converter *c) {
  MlirValue x = tosa_operand(c, 0);
  int64_t in, out;
  window w;
  if (mlirValueIsNull(x) || !tosa_scalar(c, 1, "zero point", &in) ||
      !tosa_scalar(c, 2, "zero point", &out) || !read_window(c, &w))
    return false;
  if (!xc_element_is_float(tosa_shape(x).element))
    return tosa_error(c, "has integers");
  return tosa_done(c, emit_pool(c, XC_TIR_AVGPOOL2D, x, &w));
}
