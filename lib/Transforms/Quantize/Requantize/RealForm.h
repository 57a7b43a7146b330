//===- RealForm.h - float forms of integer values -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state with which Requantize.c builds the real form of a function: the
// operator at hand, and for every integer value the value that stands for it in
// floating point.
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_REQUANTIZE_REALFORM_H
#define XC_TRANSFORMS_QUANTIZE_REQUANTIZE_REALFORM_H

#include "OpParams/Quant.h"
#include "Transforms/Quantize/Function/Attributes.h"
#include "Transforms/Quantize/Function/Function.h"

/// The float form of an integer value.
typedef struct xc_real_form {
  MlirValue real;
  MlirValue integers; // made again for those who need them
  xc_element element;
  float scale;
  int64_t zero_point;
} xc_real_form;

typedef struct xc_requantizer {
  xc_arena arena;
  xc_pointer_map forms; // MlirValue.ptr to xc_real_form
  // The operator at hand.
  xc_adaptor adaptor;
  xc_builder builder;
  xc_attribute_list attributes;
  MlirOperation *dead;
  size_t num_dead, dead_capacity;
} xc_requantizer;

/// How the scale of element i of a constant is found.
typedef enum xc_channel_rule {
  XC_SCALE_ONE,
  XC_SCALE_FIRST_DIM,      // weights of convolutions
  XC_SCALE_DEPTHWISE,      // [M, KH, KW, C]: channel c * M + m
  XC_SCALE_LAST_DIM,       // columns of a matrix; a bias
  XC_SCALE_SECOND_TO_LAST, // columns of a transposed matrix
} xc_channel_rule;

typedef struct xc_constant_scales {
  const double *scales;
  const int64_t *zero_points;
  size_t num_scales, num_zero_points;
  xc_channel_rule rule;
} xc_constant_scales;

/// Returns the float form of a value; null when it has none.
xc_real_form *xc_requantize_form(const xc_requantizer *r, MlirValue value);
/// Returns the result of the operator at hand.
MlirValue xc_requantize_result(const xc_requantizer *r);
/// Remembers what stands for the operator's result.
bool xc_requantize_set(xc_requantizer *r, MlirValue real, xc_quant point);
/// Returns a float constant in place of an integer one.
MlirValue xc_requantize_constant(xc_requantizer *r, MlirValue value,
                                 const xc_constant_scales *scales);
/// Returns the float form of an operand of one scale.
MlirValue xc_requantize_operand(xc_requantizer *r, size_t slot, xc_quant point);
/// Returns the weight of a convolution or product, by its list of scales.
MlirValue xc_requantize_weight(xc_requantizer *r, size_t slot,
                               xc_channel_rule rule, const double *scales,
                               size_t count);
/// Adds an attribute of the operator to be built.
void xc_requantize_add(xc_requantizer *r, xc_attribute attribute);
/// Carries over what both operators know.
void xc_requantize_attributes(xc_requantizer *r, xc_op_kind to);
/// Builds the float form; null when an operand is.
MlirValue xc_requantize_build(xc_requantizer *r, xc_op_kind to,
                              const MlirValue *operands, size_t num_operands);
/// Returns the activation of a quantised operator, after its float form.
MlirValue xc_requantize_activate(xc_requantizer *r, xc_enum type,
                                 MlirValue value);
/// Destroys an operation that nothing reads, in the end.
void xc_requantize_drop(xc_requantizer *r, MlirOperation operation);

/// `value`, which the operator at hand quantises, with what the range of the
/// result cuts off.
MlirValue xc_requantize_saturate(xc_requantizer *r, MlirValue value,
                                 xc_quant point);
/// The same for a value whose integers are cut off at `low` and `high`.
MlirValue xc_requantize_bound(xc_requantizer *r, MlirValue value,
                              xc_quant point, int64_t low, int64_t high);
/// Makes `value`, with the activation that the operator has or its result's
/// type implies, the form of the result.
bool xc_requantize_finish(xc_requantizer *r, MlirValue value);

#endif // XC_TRANSFORMS_QUANTIZE_REQUANTIZE_REALFORM_H
