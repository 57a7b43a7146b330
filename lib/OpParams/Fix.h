//===- Fix.h - parameters of operators in fixed point -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shifts follow from fix points as docs/fixed-point.md says; nothing else
// computes them from attributes.
//
//===----------------------------------------------------------------------===//

#ifndef XC_OPPARAMS_FIX_H
#define XC_OPPARAMS_FIX_H

#include "dialects/Adaptor.h"
#include "xc-c/FixedPoint.h"

XcRoundMode xc_round_mode_of(const xc_adaptor *op);
/// Returns the attribute `nonlinear`.
XcActivation xc_activation_of(const xc_adaptor *op);
/// Returns the fixed-point type of i8 and ui8.
XcFixType xc_fix_type(xc_element element);
/// That of the result.
XcFixType xc_fix_result_type(const xc_adaptor *op);
/// Returns the type that `bit_width` and `if_signed` say.
XcFixType xc_fix_attribute_type(const xc_adaptor *op);

/// Returns a fix point attribute.
int xc_fix_point(const xc_adaptor *op, xc_attr id);
/// input_fix_point of an input: the number, or an entry of the list, where
/// none means 0.
int xc_input_fix_point(const xc_adaptor *op, size_t index);
/// input_fix_point - output_fix_point of operators of one input.
int xc_fix_rescale_shift(const xc_adaptor *op);

/// The epilogue of a -fix convolution or of matmul-fix. Returns false after a
/// diagnostic: prelu_in does not fit, or the operator has no attributes for the
/// parameters of its activation. Of a convolution with lists of fix points it
/// is that of the first group.
bool xc_fix_epilogue_of(const xc_adaptor *op, XcFixEpilogue *epilogue);

/// Output channels that share their fix points, of an operator with
/// `out_channels`: group g has the channels from g * channels on. One group of
/// all channels where there are no lists.
typedef struct xc_fix_groups {
  int64_t count, channels;
} xc_fix_groups;
xc_fix_groups xc_fix_groups_of(const xc_adaptor *op, int64_t out_channels);
/// Returns a fix point of weights or bias of a group.
int xc_fix_weight_point(const xc_adaptor *op, int64_t group);
int xc_fix_bias_point(const xc_adaptor *op, int64_t group);
/// Those of all groups; false after a diagnostic.
bool xc_fix_epilogues_of(const xc_adaptor *op, xc_fix_groups groups,
                         XcFixEpilogue *epilogues);
/// Returns the epilogue of another group, which differs in its shifts.
XcFixEpilogue xc_fix_group_epilogue(const xc_adaptor *op,
                                    const XcFixEpilogue *first, int64_t group);
/// relu-fix, relu6-fix, leaky-relu-fix as an epilogue of the input.
XcFixEpilogue xc_fix_activation_epilogue(const xc_adaptor *op);

/// eltwise-fix and depthwise-fix: a sum of inputs that are shifted to the
/// smallest fix point, or a product, and what follows.
typedef struct xc_fix_sum {
  bool multiply;
  size_t count;
  size_t slots[XC_MAX_OPERANDS];
  int shifts[XC_MAX_OPERANDS]; // right, before they are added
  XcFixEpilogue epilogue;
} xc_fix_sum;
bool xc_fix_sum_of(const xc_adaptor *op, xc_fix_sum *sum);

/// hard-sigmoid-fix and hard-swish-fix: HSIGMOID and HSWISH of
/// docs/fixed-point.md with the input as t.
typedef struct xc_fix_hard {
  bool swish;
  int in;
  int shift;         // of the sigmoid
  int product_shift; // swish: of the product with the sigmoid
} xc_fix_hard;
bool xc_fix_hard_of(const xc_adaptor *op, xc_fix_hard *hard);

/// prelu-fix: shifts of inputs from 0 on, and of products with the slope.
typedef struct xc_fix_prelu {
  int shift, slope_shift;
} xc_fix_prelu;
xc_fix_prelu xc_fix_prelu_of(const xc_adaptor *op);

/// pool-fix: false after a diagnostic, for an average over a window whose
/// factor has no bits left.
typedef struct xc_fix_pool {
  bool average, exact;
  int shift; // input_fix_point - output_fix_point
  XcRoundMode mode;
  XcFixType type;
} xc_fix_pool;
bool xc_fix_pool_of(const xc_adaptor *op, xc_fix_pool *pool);

#endif // XC_OPPARAMS_FIX_H
