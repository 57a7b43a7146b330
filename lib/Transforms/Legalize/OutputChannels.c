//===- OutputChannels.c - convolutions with other output channels ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

static bool is_conv(const xc_adaptor *adaptor) {
  xc_op_kind kind = adaptor->info->float_kind;
  return (kind == XC_TIR_CONV2D || kind == XC_TIR_TRANSPOSED_CONV2D) &&
         xc_attr_int(adaptor, XC_ATTR_GROUP) == 1 &&
         xc_is_constant(xc_operand(adaptor, 1)) &&
         (!xc_has_operand(adaptor, 2) ||
          xc_is_constant(xc_operand(adaptor, 2)));
}

// Lists of fix points are those of neighbouring channels.
static bool can_reorder(const xc_adaptor *conv) {
  return is_conv(conv) && !xc_has_fix_groups(conv);
}

static bool is_activation(xc_op_kind kind) {
  static const xc_op_kind kinds[] = {
      XC_TIR_RELU, XC_TIR_RELU6,    XC_TIR_LEAKY_RELU, XC_TIR_HARD_SWISH,
      XC_TIR_CLIP, XC_TIR_RELU_FIX, XC_TIR_RELU6_FIX};
  return XC_IS_ONE_OF(kind, kinds);
}

bool xc_find_activated_conv(MlirValue value, xc_activated_conv *found) {
  if (!xc_defining_adaptor(value, &found->conv))
    return false;
  found->has_activation = is_activation(found->conv.info->kind);
  if (found->has_activation) {
    found->activation = found->conv;
    if (!xc_defining_adaptor(xc_operand(&found->activation, 0), &found->conv) ||
        !xc_used_once(&found->conv))
      return false;
  }
  return can_reorder(&found->conv);
}

bool xc_find_only_used_conv(MlirValue value, xc_activated_conv *found) {
  return xc_find_activated_conv(value, found) &&
         xc_used_once(found->has_activation ? &found->activation
                                            : &found->conv);
}

// Entry i of the first dimension of a constant is the old from[i].
static MlirValue select_entries(xc_rewriter *rewriter, MlirValue constant,
                                const int64_t *from, int64_t entries) {
  xc_shape shape = xc_value_shape(constant);
  size_t count = (size_t)xc_shape_num_elements(&shape);
  if (count == 0)
    return constant;
  size_t each = count / (size_t)shape.dims[0];
  shape.dims[0] = entries;
  count = each * (size_t)entries;
  int64_t *all = xc_rewrite_alloc(rewriter, count + 1, sizeof(int64_t));
  for (size_t i = 0; i < count; ++i)
    all[i] = from[i / each] * (int64_t)each + (int64_t)(i % each);
  return xc_rewrite_gather(rewriter, constant, all, &shape);
}

static MlirValue select_of_conv(xc_rewriter *rewriter, const xc_adaptor *conv,
                                const int64_t *from, int64_t count) {
  MlirValue operands[] = {
      xc_operand(conv, 0),
      select_entries(rewriter, xc_operand(conv, 1), from, count),
      xc_operand_or_null(conv, 2)};
  bool has_bias = !mlirValueIsNull(operands[2]);
  if (has_bias)
    operands[2] = select_entries(rewriter, operands[2], from, count);
  if (mlirValueIsNull(operands[1]) ||
      (has_bias && mlirValueIsNull(operands[2])))
    return (MlirValue){NULL};
  return xc_rewrite_like(rewriter, conv, conv->info->kind, operands, 3, NULL,
                         0);
}

MlirValue xc_select_outputs(xc_rewriter *rewriter,
                            const xc_activated_conv *found, const int64_t *from,
                            int64_t count) {
  MlirValue result = select_of_conv(rewriter, &found->conv, from, count);
  return mlirValueIsNull(result) || !found->has_activation
             ? result
             : xc_rewrite_like(rewriter, &found->activation,
                               found->activation.info->kind, &result, 1, NULL,
                               0);
}

MlirValue xc_reorder_channels(xc_rewriter *rewriter, MlirValue value,
                              const int64_t *from, int64_t count) {
  xc_activated_conv found;
  return xc_find_only_used_conv(value, &found)
             ? xc_select_outputs(rewriter, &found, from, count)
             : (MlirValue){NULL};
}
