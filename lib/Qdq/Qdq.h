//===- Qdq.h - what folding needs to know of Q and DQ -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_QDQ_QDQ_H
#define XC_QDQ_QDQ_H

#include "dialects/Build.h"

/// Scale and zero point of a quantize-linear or dequantize-linear; the first
/// ones where there is one per channel.
typedef struct qdq_linear {
  MlirOperation operation;
  MlirValue source;   // its operand
  xc_element element; // of the integers
  size_t count;
  double scale;
  int64_t zero_point;
} qdq_linear;

/// The operators before one quantize-linear: DQ -> base [-> activation] -> Q,
/// or DQ -> average pool or hard sigmoid -> product with a number -> Q.
typedef struct qdq_match {
  qdq_linear result; // the quantize-linear
  xc_adaptor base;
  xc_adaptor activation; // info is null when there is none
  double factor;         // what the base's result is multiplied with
  bool rounds_bias;      // of floats, to integers
  size_t num_inputs;
  qdq_linear inputs[XC_MAX_OPERANDS]; // by position; see has_input
  bool has_input[XC_MAX_OPERANDS];
} qdq_match;

/// Whether an operation is the tir operator of that kind.
bool xc_qdq_is_tir(MlirOperation operation, xc_op_kind kind);
/// Reads what a value is dequantised from.
bool xc_qdq_read_input(MlirValue value, qdq_linear *linear);
/// Reads what a quantize-linear makes.
bool xc_qdq_read_result(MlirOperation quantize, qdq_linear *linear);

/// Whether the numbers are powers of two without a zero point; then gives
/// fix_point with scale = 2^-fix_point.
bool xc_qdq_fix_point(const qdq_linear *linear, int64_t *fix_point);

/// Attributes of an operator under construction.
typedef struct qdq_attributes {
  xc_attribute list[40];
  size_t count;
} qdq_attributes;

/// Copies what the base has and the new operator knows.
void xc_qdq_copy(const qdq_match *match, xc_op_kind kind,
                 qdq_attributes *attributes);
void xc_qdq_add(qdq_attributes *attributes, xc_attribute attribute);

/// Builds, in place of the quantize-linear, the operator on all that the inputs
/// were dequantised from. Returns false where there is no such operator, as
/// with fix points too far apart for its shifts: then nothing has changed.
bool xc_qdq_replace(const qdq_match *match, xc_op_kind kind,
                    const qdq_attributes *attributes);
/// Returns the name of the activation in a fused operator: NONE when there is
/// none, null when it cannot be fused. Of leaky ReLUs only the DPU's can, where
/// `leaky_too` is set.
const char *xc_qdq_nonlinear(const qdq_match *match, bool leaky_too);
/// Whether a leaky ReLU has the slope of the DPU's.
bool xc_qdq_is_dpu_leaky(const xc_adaptor *adaptor);

/// The fix point of 8-bit input `index`, and of the result.
bool xc_qdq_input_point(const qdq_match *match, size_t index,
                        int64_t *fix_point);
bool xc_qdq_output_point(const qdq_match *match, int64_t *fix_point);
/// Adds input_fix_point and output_fix_point.
void xc_qdq_add_points(qdq_attributes *attributes, int64_t input,
                       int64_t output);

// Bias.c, of a convolution or product whose other inputs are read.

/// Takes the float constant `bias` as integers of the sum of a match that
/// rounds them. Returns false where it is none, or the layer is not in fixed
/// point.
bool xc_qdq_round_bias(qdq_match *match, MlirValue bias);
/// Makes input 2, integers with one number for each channel, the bias. Returns
/// false where they are others.
bool xc_qdq_shape_bias(qdq_match *match);

// Activation.c: like xc_qdq_fold_fix, for one operator.

bool xc_qdq_fold_hard_sigmoid(const qdq_match *match);
bool xc_qdq_fold_hard_swish(const qdq_match *match);
bool xc_qdq_fold_prelu(const qdq_match *match);
/// Of another slope than the DPU's: a PReLU of one slope.
bool xc_qdq_fold_leaky(const qdq_match *match);

/// Folds into a `-fix` operator (Fix.c), or into a `qlinear-*` one (Linear.c).
/// Returns false where there is none: the operator stays in floating point.
bool xc_qdq_fold_fix(const qdq_match *match);
bool xc_qdq_fold_linear(const qdq_match *match);

#endif // XC_QDQ_QDQ_H
