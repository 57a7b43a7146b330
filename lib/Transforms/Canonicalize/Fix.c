//===- Fix.c - conversions to fixed point and back ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

// Turns a list of one number into the number: appends two changes. Returns
// whether the list stays.
static bool replace_list(const xc_adaptor *root, xc_attr list,
                         const char *point, xc_attribute *changes,
                         size_t *count) {
  int64_t points[XC_MAX_INTS];
  if (xc_attr_ints(root, list, points) == 0)
    return false;
  if (!xc_attr_all(root, list, points[0]))
    return true;
  changes[(*count)++] = xc_given(xc_attr_name(list), mlirAttributeGetNull());
  changes[(*count)++] = xc_int(point, points[0]);
  return false;
}

bool xc_canonicalize_one_fix_point(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  xc_attribute changes[5];
  size_t count = 0;
  bool stays = replace_list(root, XC_ATTR_WEIGHT_FIX_POINTS, "weight_fix_point",
                            changes, &count);
  stays |= replace_list(root, XC_ATTR_BIAS_FIX_POINTS, "bias_fix_point",
                        changes, &count);
  if (count == 0)
    return false;
  if (!stays)
    changes[count++] = xc_given(xc_attr_name(XC_ATTR_FIX_POINT_CHANNELS),
                                mlirAttributeGetNull());
  const MlirValue operands[] = {xc_operand(root, XC_CONV2D_FIX_INPUT),
                                xc_operand(root, XC_CONV2D_FIX_WEIGHT),
                                xc_operand_or_null(root, XC_CONV2D_FIX_BIAS)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, changes, count));
}

bool xc_canonicalize_fix_twice(xc_rewriter *rewriter, const xc_adaptor *root) {
  xc_adaptor inner;
  // Numbers that are on the grid already stay there by any rounding.
  return xc_defined_by(xc_operand(root, XC_FIX_INPUT), XC_TIR_FIX, &inner) &&
         xc_is_same_fix(root, &inner) &&
         xc_rewrite_replace(rewriter, root, xc_operand(root, XC_FIX_INPUT));
}

bool xc_canonicalize_float2fix_of_fix(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  xc_adaptor fix;
  if (!xc_defined_by(xc_operand(root, XC_FLOAT2FIX_INPUT), XC_TIR_FIX, &fix) ||
      !xc_is_same_fix(root, &fix))
    return false;
  MlirValue input = xc_operand(&fix, XC_FIX_INPUT);
  xc_attribute mode = xc_string(
      "round_mode", xc_enum_name(xc_attr_enum(&fix, XC_ATTR_ROUND_MODE)));
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, XC_TIR_FLOAT2FIX, &input, 1, &mode, 1));
}

bool xc_canonicalize_float2fix_of_fix2float(xc_rewriter *rewriter,
                                            const xc_adaptor *root) {
  xc_adaptor back;
  if (!xc_defined_by(xc_operand(root, XC_FLOAT2FIX_INPUT), XC_TIR_FIX2FLOAT,
                     &back) ||
      xc_attr_int(root, XC_ATTR_FIX_POINT) !=
          xc_attr_int(&back, XC_ATTR_FIX_POINT) ||
      xc_attr_int(root, XC_ATTR_BIT_WIDTH) != 8)
    return false;
  MlirValue input = xc_operand(&back, XC_FIX2FLOAT_INPUT);
  // Floats of other types than f32 may not hold the number.
  return xc_operand_shape(root, XC_FLOAT2FIX_INPUT).element == XC_ELEMENT_F32 &&
         xc_same_type(input, xc_result_of(root)) &&
         xc_rewrite_replace(rewriter, root, input);
}

bool xc_canonicalize_fix2float_of_float2fix(xc_rewriter *rewriter,
                                            const xc_adaptor *root) {
  xc_adaptor inner;
  MlirValue input = xc_operand(root, XC_FIX2FLOAT_INPUT);
  if (root->info->kind == XC_TIR_FIX)
    return xc_defined_by(input, XC_TIR_FIX2FLOAT, &inner) &&
           xc_attr_int(root, XC_ATTR_BIT_WIDTH) == 8 &&
           xc_attr_int(&inner, XC_ATTR_BIT_WIDTH) == 8 &&
           xc_is_same_fix(root, &inner) &&
           xc_rewrite_replace(rewriter, root, input);
  if (!xc_defined_by(input, XC_TIR_FLOAT2FIX, &inner) ||
      xc_attr_int(root, XC_ATTR_FIX_POINT) !=
          xc_attr_int(&inner, XC_ATTR_FIX_POINT))
    return false;
  MlirValue source = xc_operand(&inner, XC_FIX2FLOAT_INPUT);
  if (!xc_same_type(source, xc_result_of(root)))
    return false;
  const xc_attribute parameters[] = {
      xc_int("bit_width", xc_attr_int(&inner, XC_ATTR_BIT_WIDTH)),
      xc_int("fix_point", xc_attr_int(&inner, XC_ATTR_FIX_POINT)),
      xc_bool("if_signed", xc_attr_bool(&inner, XC_ATTR_IF_SIGNED)),
      xc_string("round_mode",
                xc_enum_name(xc_attr_enum(&inner, XC_ATTR_ROUND_MODE)))};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_build(rewriter, XC_TIR_FIX, &source, 1,
                                             parameters, 4, XC_ELEMENT_NONE));
}

static bool same_attribute(const xc_adaptor *a, const xc_adaptor *b,
                           xc_attr id) {
  return mlirAttributeEqual(xc_attr_get(a, id), xc_attr_get(b, id));
}

bool xc_canonicalize_quantize_of_dequantize(xc_rewriter *rewriter,
                                            const xc_adaptor *root) {
  xc_adaptor back;
  if (!xc_defined_by(xc_operand(root, XC_QUANTIZE_LINEAR_INPUT),
                     XC_TIR_DEQUANTIZE_LINEAR, &back) ||
      !same_attribute(root, &back, XC_ATTR_SCALE) ||
      !same_attribute(root, &back, XC_ATTR_ZERO_POINT) ||
      xc_attr_int(root, XC_ATTR_AXIS) != xc_attr_int(&back, XC_ATTR_AXIS))
    return false;
  MlirValue input = xc_operand(&back, XC_DEQUANTIZE_LINEAR_INPUT);
  size_t size = xc_element_size(xc_value_shape(input).element);
  // f32 holds 8 and 16 bits with room for the rounding of the scale.
  return size <= 2 &&
         xc_operand_shape(root, XC_QUANTIZE_LINEAR_INPUT).element ==
             XC_ELEMENT_F32 &&
         xc_same_type(input, xc_result_of(root)) &&
         xc_rewrite_replace(rewriter, root, input);
}
