//===- Conversion.h - what the conversions share ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_CONVERT_CONVERSION_H
#define XC_TRANSFORMS_QUANTIZE_CONVERT_CONVERSION_H

#include "IR/Builder.h"
#include "Interpreter/Kernel.h"
#include "Transforms/Quantize/Function/Attributes.h"
#include "Transforms/Quantize/Function/Function.h"

/// One operator on its way.
typedef struct xc_conversion {
  xc_quantizer *q;
  xc_adaptor adaptor;
  xc_builder builder;           // in front of the operator
  MlirLocation location;        // of the last operator that is fused
  MlirOperation activation;     // fused after the operator, or null
  MlirOperation clamp;          // after that, or null
  xc_quantize_value *result;    // of the last operator that is fused
  xc_attribute_list attributes; // of what is built
} xc_conversion;

int xc_clamp_point(int point, int low, int high);

// Value.c

xc_quantize_value *xc_convert_value(const xc_conversion *c, MlirValue value);
/// Whether an operand is there and comes from tir.const.
bool xc_convert_is_constant(const xc_conversion *c, size_t slot);
/// Whether an operand is there in fixed point already.
bool xc_convert_is_fixed(const xc_conversion *c, size_t slot);
/// The content of an operand that is a constant of floats; the caller frees
/// `copy`. Returns false after a diagnostic.
bool xc_convert_read(const xc_conversion *c, size_t slot, xc_tensor *tensor,
                     void **copy);
/// Returns an int8 constant of floats at a fix point.
MlirValue xc_convert_build_constant(const xc_conversion *c,
                                    MlirLocation location,
                                    const xc_tensor *floats, int point);
/// The int8 form of an operand: a constant by a fix point of its own, or the
/// value's, which is made here where it is not there yet.
bool xc_convert_operand(const xc_conversion *c, size_t slot, MlirValue *fixed,
                        int *point);
/// Returns the float form of a value that is fixed.
MlirValue xc_convert_real_value(xc_quantize_value *value,
                                const xc_builder *builder);
/// Another fix point for the same integers' meaning.
bool xc_convert_rescale(const xc_conversion *c, MlirValue *fixed, int *point,
                        int to);
/// Carries over what the float operator and the -fix form both know.
void xc_convert_attributes(xc_conversion *c, xc_op_kind to);
/// Builds the -fix form with the result's fix point.
bool xc_convert_finish(xc_conversion *c, xc_op_kind to,
                       const MlirValue *operands, size_t num_operands,
                       int point);

// Activation.c

/// Takes the activation after the operator into it: its nonlinear, or null.
const char *xc_convert_fuse(xc_conversion *c, bool hard_too);
/// Takes the clamp after a slope or concatenation into it: the result saturates
/// there.
void xc_convert_take_clamp(xc_conversion *c);
/// 6 * 2^5 is beyond int8, so that saturation does what ReLU6 does.
const char *xc_settle_relu6(const char *nonlinear, int point);

// Bias.c

/// Adds to the bias what rounding weights and input takes from the mean of each
/// output channel over the samples. `weights` are those of operand 1, which are
/// rounded at `weight_point`; `bias` has an entry for each output channel.
void xc_quantize_correct_bias(const xc_conversion *c, const xc_tensor *weights,
                              int weight_point, int input_point, double *bias);

// The conversions: Product.c, Pool.c and Move.c

bool xc_convert_conv(xc_conversion *c, xc_op_kind to);
bool xc_convert_matmul(xc_conversion *c, xc_op_kind to);
bool xc_convert_pool(xc_conversion *c, xc_op_kind to);
bool xc_convert_eltwise(xc_conversion *c, xc_op_kind to);
bool xc_convert_concat(xc_conversion *c, xc_op_kind to);
bool xc_convert_resize(xc_conversion *c, xc_op_kind to);
/// Operators that only move elements, and a maximum: the fix point stays.
bool xc_convert_move(xc_conversion *c, xc_op_kind to);
bool xc_convert_pad(xc_conversion *c, xc_op_kind to);
/// Activations and reductions, whose result has a fix point of its own.
bool xc_convert_function(xc_conversion *c, xc_op_kind to);
/// Leaky ReLU of the DPU's slope, others as PReLU with the slope in each
/// channel.
bool xc_convert_leaky(xc_conversion *c, xc_op_kind to);
bool xc_convert_prelu(xc_conversion *c, xc_op_kind to);

#endif // XC_TRANSFORMS_QUANTIZE_CONVERT_CONVERSION_H
