//===- LegalizeActivation.c - hard activations in fixed point -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include <string.h>

// The gate of hard-swish-fix has 7 fractional bits.
enum { GATE_POINT = 7 };

bool xc_legalize_hard_swish_from_eltwise(xc_rewriter *rewriter,
                                         const xc_view *root) {
  int64_t points[XC_MAX_INTS] = {0};
  if (!xc_is_word(root, "type", "MUL") ||
      !xc_is_word(root, "nonlinear", "NONE") ||
      !xc_is_word(root, "round_mode", "DPU_ROUND") ||
      xc_view_num_inputs(root) != 2)
    return false;
  xc_view_ints(root, "input_fix_point", points);
  for (size_t slot = 0; slot < 2; ++slot) {
    xc_view gate;
    MlirValue x = xc_view_operand(root, 1 - slot);
    int64_t in = points[1 - slot];
    int64_t out = xc_view_int(root, "output_fix_point");
    if (!xc_defined_by(xc_view_operand(root, slot), XC_TIR_HARD_SIGMOID_FIX,
                       &gate) ||
        !xc_same_value(x, xc_view_operand(&gate, 0)) ||
        points[slot] != GATE_POINT ||
        xc_view_int(&gate, "output_fix_point") != GATE_POINT ||
        xc_view_int(&gate, "input_fix_point") != in || in < 0 || in > 15 ||
        out < in - 8 || out > in + GATE_POINT ||
        xc_value_shape(xc_view_result(&gate)).element != XC_ELEMENT_I8)
      continue;
    xc_attribute point = xc_int("input_fix_point", in);
    return xc_rewrite_replace(rewriter, root,
                              xc_rewrite_like(rewriter, root,
                                              XC_TIR_HARD_SWISH_FIX, &x, 1,
                                              &point, 1));
  }
  return false;
}

static bool is_conv(xc_op_kind kind) {
  return kind == XC_TIR_CONV2D_FIX || kind == XC_TIR_TRANSPOSED_CONV2D_FIX;
}

// The convolution rounds to int8 at `hsigmoid_in` before the function, as the
// operator behind it would find its result.
bool xc_legalize_hard_activation_into_conv(xc_rewriter *rewriter,
                                           const xc_view *root) {
  bool swish = root->info->kind == XC_TIR_HARD_SWISH_FIX;
  XcDpuSet set = xc_rewrite_target(rewriter)->conv.activations;
  xc_view conv;
  int64_t in = xc_view_int(root, "input_fix_point");
  int64_t out = xc_view_int(root, "output_fix_point");
  if (!xcDpuSetHas(set, swish ? XcActivationHSwish : XcActivationHSigmoid) ||
      !xc_defining_view(xc_view_operand(root, 0), &conv) ||
      !is_conv(conv.info->kind) || !xc_used_once(&conv) ||
      !xc_is_word(&conv, "nonlinear", "NONE") ||
      !xc_is_word(&conv, "round_mode", "DPU_ROUND") ||
      xc_view_int(&conv, "output_fix_point") != in || in < 0 || in > 15 ||
      !xc_same_type(xc_view_result(&conv), xc_view_result(root)) ||
      xc_value_shape(xc_view_result(root)).element != XC_ELEMENT_I8)
    return false;
  // What the verifier asks of the shifts.
  if (swish ? out < in - 8 || out > in + GATE_POINT
            : out < GATE_POINT || out > in + 14)
    return false;
  const MlirValue operands[] = {xc_view_operand(&conv, 0),
                                xc_view_operand(&conv, 1),
                                xc_operand_or_null(&conv, 2)};
  const xc_attribute changes[] = {
      xc_string("nonlinear", swish ? "HSWISH" : "HSIGMOID"),
      xc_int("hsigmoid_in", in),
      xc_int("shift_hsigmoid", 14 + in - (swish ? GATE_POINT : out)),
      xc_int("shift_hswish", swish ? in + GATE_POINT - out : -128),
      xc_int("output_fix_point", out)};
  xc_rewrite_at(rewriter, &conv);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, &conv, conv.info->kind,
                                            operands, 3, changes, 5));
}
