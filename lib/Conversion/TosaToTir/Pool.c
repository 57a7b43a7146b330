//===- Pool.c - pools -----------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scale.h"

// Height first in TOSA, width first in tir.
typedef struct window {
  int64_t kernel[2], stride[2], pad[4];
} window;

static bool read_window(xc_tosa_converter *c, window *w) {
  int64_t kernel[2], stride[2], pad[4];
  if (!xc_tosa_int_array(c, "kernel", kernel, 2) ||
      !xc_tosa_int_array(c, "stride", stride, 2) ||
      !xc_tosa_int_array(c, "pad", pad, 4))
    return false;
  *w = (window){{kernel[1], kernel[0]},
                {stride[1], stride[0]},
                {pad[2], pad[3], pad[0], pad[1]}};
  return true;
}

static MlirValue emit_pool(xc_tosa_converter *c, xc_op_kind kind, MlirValue x,
                           const window *w) {
  const xc_attribute attributes[] = {xc_ints("kernel", w->kernel, 2),
                                     xc_ints("stride", w->stride, 2),
                                     xc_ints("pad", w->pad, 4)};
  return xc_tosa_emit(c, kind, &x, 1, attributes, 3, XC_ELEMENT_NONE);
}

bool xc_tosa_max_pool2d(xc_tosa_converter *c) {
  window w;
  return read_window(c, &w) &&
         xc_tosa_done(
             c, emit_pool(c, XC_TIR_MAXPOOL2D, xc_tosa_operand(c, 0), &w));
}

// Means of integers are rounded half away from the zero point. So does
// tir.qlinear-pool when that is 0; elsewhere it is taken off before, in 16
// bits, unless the count is odd and leaves no halves.
static MlirValue average_ints(xc_tosa_converter *c, MlirValue x,
                              const window *w, int64_t in, int64_t out) {
  static const int64_t multiplier = 1 << 30, shift = 30;
  xc_tosa_scale same = {
      .multipliers = &multiplier, .shifts = &shift, .count = 1};
  xc_element element = xc_tosa_shape(x).element;
  bool has_pad = w->pad[0] || w->pad[1] || w->pad[2] || w->pad[3];
  bool is_odd = !has_pad && w->kernel[0] % 2 == 1 && w->kernel[1] % 2 == 1;
  bool moves = in != 0 && !is_odd;
  if (moves) {
    same.input_zero = in;
    x = xc_tosa_emit_requantize(c, x, &same, XC_ELEMENT_I16);
  }
  const xc_attribute attributes[] = {
      xc_string("type", "AVG"),        xc_ints("kernel", w->kernel, 2),
      xc_ints("stride", w->stride, 2), xc_ints("pad", w->pad, 4),
      xc_float("input_scale", 1),      xc_int("input_zero_point", 0),
      xc_float("output_scale", 1),     xc_int("output_zero_point", 0),
      xc_string("flavor", "TFLITE"),
  };
  x = xc_tosa_emit(c, XC_TIR_QLINEAR_POOL, &x, 1, attributes,
                   sizeof(attributes) / sizeof(*attributes), XC_ELEMENT_NONE);
  same.input_zero = moves ? 0 : in;
  same.output_zero = out;
  return same.input_zero == out && !moves
             ? x
             : xc_tosa_emit_requantize(c, x, &same, element);
}

bool xc_tosa_avg_pool2d(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  int64_t in, out;
  window w;
  if (mlirValueIsNull(x) || !xc_tosa_scalar(c, 1, "zero point", &in) ||
      !xc_tosa_scalar(c, 2, "zero point", &out) || !read_window(c, &w))
    return false;
  xc_element element = xc_tosa_shape(x).element;
  if (xc_element_is_float(element))
    return xc_tosa_done(c, emit_pool(c, XC_TIR_AVGPOOL2D, x, &w));
  if (element != XC_ELEMENT_I8 && (element != XC_ELEMENT_I16 || in || out))
    return xc_tosa_error(c, "has integers of more than 16 bits, or of 16 bits "
                            "with a zero point");
  return xc_tosa_done(c, average_ints(c, x, &w, in, out));
}
