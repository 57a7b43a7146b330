//===- Fix.c - conversions to fixed point and back ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include <string.h>

// Whether two conversions have one integer type, fix point and rounding.
static bool same_parameters(const xc_view *a, const xc_view *b) {
  return xc_view_int(a, "bit_width") == xc_view_int(b, "bit_width") &&
         xc_view_int(a, "fix_point") == xc_view_int(b, "fix_point") &&
         xc_view_bool(a, "if_signed") == xc_view_bool(b, "if_signed");
}

bool xc_canonicalize_fix_twice(xc_rewriter *rewriter, const xc_view *root) {
  xc_view inner;
  // What is on the grid already stays there by any rounding.
  return xc_defined_by(xc_view_operand(root, 0), XC_TIR_FIX, &inner) &&
         same_parameters(root, &inner) &&
         xc_rewrite_replace(rewriter, root, xc_view_operand(root, 0));
}

bool xc_canonicalize_float2fix_of_fix(xc_rewriter *rewriter,
                                      const xc_view *root) {
  xc_view fix;
  if (!xc_defined_by(xc_view_operand(root, 0), XC_TIR_FIX, &fix) ||
      !same_parameters(root, &fix))
    return false;
  MlirValue input = xc_view_operand(&fix, 0);
  xc_attribute mode = xc_string("round_mode", xc_view_word(&fix, "round_mode"));
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, XC_TIR_FLOAT2FIX, &input, 1, &mode, 1));
}

bool xc_canonicalize_float2fix_of_fix2float(xc_rewriter *rewriter,
                                            const xc_view *root) {
  xc_view back;
  if (!xc_defined_by(xc_view_operand(root, 0), XC_TIR_FIX2FLOAT, &back) ||
      xc_view_int(root, "fix_point") != xc_view_int(&back, "fix_point") ||
      xc_view_int(root, "bit_width") != 8)
    return false;
  MlirValue input = xc_view_operand(&back, 0);
  // Floats of other types than f32 may not hold the number.
  return xc_view_shape(root, 0).element == XC_ELEMENT_F32 &&
         xc_same_type(input, xc_view_result(root)) &&
         xc_rewrite_replace(rewriter, root, input);
}

bool xc_canonicalize_fix2float_of_float2fix(xc_rewriter *rewriter,
                                            const xc_view *root) {
  xc_view inner;
  MlirValue input = xc_view_operand(root, 0);
  if (root->info->kind == XC_TIR_FIX)
    return xc_defined_by(input, XC_TIR_FIX2FLOAT, &inner) &&
           xc_view_int(root, "bit_width") == 8 &&
           xc_view_int(&inner, "bit_width") == 8 &&
           same_parameters(root, &inner) &&
           xc_rewrite_replace(rewriter, root, input);
  if (!xc_defined_by(input, XC_TIR_FLOAT2FIX, &inner) ||
      xc_view_int(root, "fix_point") != xc_view_int(&inner, "fix_point"))
    return false;
  MlirValue source = xc_view_operand(&inner, 0);
  if (!xc_same_type(source, xc_view_result(root)))
    return false;
  const xc_attribute parameters[] = {
      xc_int("bit_width", xc_view_int(&inner, "bit_width")),
      xc_int("fix_point", xc_view_int(&inner, "fix_point")),
      xc_bool("if_signed", xc_view_bool(&inner, "if_signed")),
      xc_string("round_mode", xc_view_word(&inner, "round_mode"))};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_build(rewriter, XC_TIR_FIX, &source, 1,
                                             parameters, 4, XC_ELEMENT_NONE));
}

static bool same_attribute(const xc_view *a, const xc_view *b,
                           const char *name) {
  return mlirAttributeEqual(xc_view_attribute(a, name),
                            xc_view_attribute(b, name));
}

bool xc_canonicalize_quantize_of_dequantize(xc_rewriter *rewriter,
                                            const xc_view *root) {
  xc_view back;
  if (!xc_defined_by(xc_view_operand(root, 0), XC_TIR_DEQUANTIZE_LINEAR,
                     &back) ||
      !same_attribute(root, &back, "scale") ||
      !same_attribute(root, &back, "zero_point") ||
      xc_view_int(root, "axis") != xc_view_int(&back, "axis"))
    return false;
  MlirValue input = xc_view_operand(&back, 0);
  size_t size = xc_element_size(xc_value_shape(input).element);
  // f32 holds 8 and 16 bits with room for the rounding of the scale.
  return size <= 2 && xc_view_shape(root, 0).element == XC_ELEMENT_F32 &&
         xc_same_type(input, xc_view_result(root)) &&
         xc_rewrite_replace(rewriter, root, input);
}
