//===- Arithmetic.c - constants and signs ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include <math.h>
#include <string.h>

static bool has_numbers(MlirValue value) {
  xc_element element = xc_value_shape(value).element;
  return element == XC_ELEMENT_F32 || element == XC_ELEMENT_F64;
}

static MlirValue build_binary(xc_rewriter *rewriter, xc_op_kind kind,
                              MlirValue a, MlirValue b) {
  const MlirValue operands[] = {a, b};
  return xc_rewrite_build(rewriter, kind, operands, 2, NULL, 0,
                          XC_ELEMENT_NONE);
}

bool xc_canonicalize_constant_right(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  MlirValue a = xc_operand(root, XC_ADD_A), b = xc_operand(root, XC_ADD_B);
  if (!xc_is_constant(a) || xc_is_constant(b))
    return false;
  return xc_rewrite_replace(rewriter, root,
                            build_binary(rewriter, root->info->kind, b, a));
}

static double negate(double number) { return -number; }
static double invert(double number) { return 1.0 / number; }

// Returns a float constant with each number changed; null when there is none or
// a result would not be a normal number.
static MlirValue map_constant(xc_rewriter *rewriter, MlirValue constant,
                              double (*change)(double)) {
  size_t count;
  xc_shape shape = xc_value_shape(constant);
  const double *numbers = has_numbers(constant)
                              ? xc_constant_numbers(rewriter, constant, &count)
                              : NULL;
  if (!numbers)
    return (MlirValue){NULL};
  double *changed = xc_rewrite_alloc(rewriter, count + 1, sizeof(double));
  for (size_t i = 0; i < count; ++i) {
    changed[i] = change(numbers[i]);
    bool normal = shape.element == XC_ELEMENT_F32 ? isnormal((float)changed[i])
                                                  : isnormal(changed[i]);
    if (!normal && changed[i] != 0.0)
      return (MlirValue){NULL};
  }
  return xc_rewrite_floats(rewriter, changed, &shape);
}

static bool replace_by_mapped(xc_rewriter *rewriter, const xc_adaptor *root,
                              xc_op_kind kind, MlirValue x, MlirValue constant,
                              double (*change)(double)) {
  MlirValue mapped = map_constant(rewriter, constant, change);
  return !mlirValueIsNull(mapped) &&
         xc_rewrite_replace(rewriter, root,
                            build_binary(rewriter, kind, x, mapped));
}

bool xc_canonicalize_sub_constant(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  MlirValue a = xc_operand(root, XC_SUB_A);
  return !xc_is_constant(a) &&
         replace_by_mapped(rewriter, root, XC_TIR_ADD, a,
                           xc_operand(root, XC_SUB_B), negate);
}

// Whether a reader makes a whole number of the result, and one in the last
// place another one: 41 / 41 is 1, and 41 * (1 / 41) is less in f32.
static bool is_rounded(const xc_adaptor *root) {
  for (MlirOpOperand use = mlirValueGetFirstUse(xc_result_of(root));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_op_info *info = xc_op_info_of(reader);
    if (info &&
        (info->kind == XC_TIR_FLOOR || info->kind == XC_TIR_CEIL ||
         info->kind == XC_TIR_ROUND ||
         (info->kind == XC_TIR_CAST &&
          !xc_element_is_float(
              xc_value_shape(mlirOperationGetResult(reader, 0)).element))))
      return true;
  }
  return false;
}

// Powers of two, but for the smallest, whose inverses map_constant refuses.
static bool has_exact_inverses(xc_rewriter *rewriter, MlirValue constant) {
  size_t count;
  int exponent;
  const double *numbers = xc_constant_numbers(rewriter, constant, &count);
  for (size_t i = 0; numbers && i < count; ++i)
    if (fabs(frexp(numbers[i], &exponent)) != 0.5)
      return false;
  return numbers != NULL;
}

bool xc_canonicalize_div_constant(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  MlirValue a = xc_operand(root, XC_DIV_A), b = xc_operand(root, XC_DIV_B);
  return !xc_is_constant(a) && has_numbers(b) && xc_is_constant(b) &&
         (!is_rounded(root) || has_exact_inverses(rewriter, b)) &&
         replace_by_mapped(rewriter, root, XC_TIR_MUL, a, b, invert);
}

// Products of such numbers neither overflow nor vanish.
static bool is_moderate(xc_rewriter *rewriter, MlirValue constant) {
  const double most = 0x1p60;
  size_t count;
  const double *numbers = xc_constant_numbers(rewriter, constant, &count);
  for (size_t i = 0; numbers && i < count; ++i) {
    double size = fabs(numbers[i]);
    if (!(size <= most) || (size != 0.0 && size < 1.0 / most))
      return false;
  }
  return numbers != NULL;
}

// Whether a and b broadcast to the shape of one of them.
static bool one_contains_other(MlirValue a, MlirValue b) {
  xc_shape x = xc_value_shape(a), y = xc_value_shape(b);
  return xc_same_dims(&x, &y) || xc_shape_num_elements(&x) == 1 ||
         xc_shape_num_elements(&y) == 1;
}

bool xc_canonicalize_merge_constants(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  xc_adaptor inner;
  MlirValue d = xc_operand(root, XC_ADD_B);
  if (!has_numbers(d) || !xc_is_constant(d) ||
      !xc_defined_by(xc_operand(root, XC_ADD_A), root->info->kind, &inner) ||
      !xc_used_once(&inner))
    return false;
  MlirValue c = xc_operand(&inner, 1);
  if (!xc_is_constant(c) || xc_is_constant(xc_operand(&inner, 0)) ||
      !one_contains_other(c, d))
    return false;
  if (root->info->kind == XC_TIR_MUL &&
      (!is_moderate(rewriter, c) || !is_moderate(rewriter, d)))
    return false;
  MlirValue both = build_binary(rewriter, root->info->kind, c, d);
  return xc_rewrite_replace(
      rewriter, root,
      build_binary(rewriter, root->info->kind, xc_operand(&inner, 0), both));
}

bool xc_canonicalize_square(xc_rewriter *rewriter, const xc_adaptor *root) {
  double exponent;
  MlirValue base = xc_operand(root, XC_POW_A);
  if (!has_numbers(base) || !xc_same_type(base, xc_result_of(root)) ||
      !xc_is_constant(xc_operand(root, XC_POW_B)) ||
      !xc_constant_splat(rewriter, xc_operand(root, XC_POW_B), &exponent) ||
      exponent != 2)
    return false;
  return xc_rewrite_replace(rewriter, root,
                            build_binary(rewriter, XC_TIR_MUL, base, base));
}

bool xc_canonicalize_double_neg(xc_rewriter *rewriter, const xc_adaptor *root) {
  xc_adaptor inner;
  return xc_defined_by(xc_operand(root, XC_NEG_INPUT), XC_TIR_NEG, &inner) &&
         xc_rewrite_replace(rewriter, root, xc_operand(&inner, XC_NEG_INPUT));
}

bool xc_canonicalize_add_neg(xc_rewriter *rewriter, const xc_adaptor *root) {
  bool is_add = root->info->kind == XC_TIR_ADD;
  xc_op_kind opposite = is_add ? XC_TIR_SUB : XC_TIR_ADD;
  MlirValue a = xc_operand(root, XC_ADD_A), b = xc_operand(root, XC_ADD_B);
  xc_adaptor neg;
  MlirValue value;
  if (xc_defined_by(b, XC_TIR_NEG, &neg))
    value = build_binary(rewriter, opposite, a, xc_operand(&neg, XC_NEG_INPUT));
  else if (is_add && xc_defined_by(a, XC_TIR_NEG, &neg))
    value = build_binary(rewriter, opposite, b, xc_operand(&neg, XC_NEG_INPUT));
  else
    return false;
  return xc_rewrite_replace(rewriter, root, value);
}

// Returns the other factor of a product with x, if it is smaller than x; else
// null.
static MlirValue find_gate(MlirValue product, MlirValue x) {
  const MlirValue none = {NULL};
  xc_adaptor mul;
  if (!xc_defined_by(product, XC_TIR_MUL, &mul) || !xc_used_once(&mul))
    return none;
  MlirValue a = xc_operand(&mul, XC_MUL_A), b = xc_operand(&mul, XC_MUL_B);
  if (!mlirValueEqual(a, x) && !mlirValueEqual(b, x))
    return none;
  MlirValue gate = mlirValueEqual(a, x) ? b : a;
  xc_shape whole = xc_value_shape(x), shape = xc_value_shape(gate);
  return xc_same_type(product, x) &&
                 xc_shape_num_elements(&shape) < xc_shape_num_elements(&whole)
             ? gate
             : none;
}

bool xc_canonicalize_residual_gate(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  const double one = 1;
  MlirValue a = xc_operand(root, XC_ADD_A), b = xc_operand(root, XC_ADD_B);
  if (!has_numbers(xc_result_of(root)))
    return false;
  MlirValue x = b, gate = find_gate(a, b);
  if (mlirValueIsNull(gate)) {
    x = a;
    gate = find_gate(b, a);
  }
  if (mlirValueIsNull(gate))
    return false;
  const xc_shape scalar = {.element = xc_value_shape(gate).element};
  MlirValue more = build_binary(rewriter, XC_TIR_ADD, gate,
                                xc_rewrite_floats(rewriter, &one, &scalar));
  return xc_rewrite_replace(rewriter, root,
                            build_binary(rewriter, XC_TIR_MUL, x, more));
}

bool xc_canonicalize_neg_into_mul(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  xc_adaptor inner;
  MlirValue input = xc_operand(root, XC_NEG_INPUT);
  if (root->info->kind == XC_TIR_MUL)
    return xc_defined_by(input, XC_TIR_NEG, &inner) &&
           xc_is_constant(xc_operand(root, 1)) &&
           replace_by_mapped(rewriter, root, XC_TIR_MUL,
                             xc_operand(&inner, XC_NEG_INPUT),
                             xc_operand(root, 1), negate);
  return xc_defined_by(input, XC_TIR_MUL, &inner) && xc_used_once(&inner) &&
         xc_is_constant(xc_operand(&inner, 1)) &&
         replace_by_mapped(rewriter, root, XC_TIR_MUL,
                           xc_operand(&inner, XC_NEG_INPUT),
                           xc_operand(&inner, 1), negate);
}
