//===- QuantizeConvert.h - what the conversions share -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZECONVERT_H
#define XC_TRANSFORMS_QUANTIZECONVERT_H

#include "Quantize.h"

enum { XC_CONVERT_ATTRIBUTES = 40 };

/// One operator on its way.
typedef struct xc_conversion {
  xc_quantizer *q;
  xc_view view;
  xc_builder builder;        // in front of the operator
  MlirLocation location;     // of the last operator that is fused
  MlirOperation activation;  // fused behind the operator, or null
  xc_quantize_value *result; // of the last operator that is fused
  xc_attribute attributes[XC_CONVERT_ATTRIBUTES];
  size_t num_attributes;
} xc_conversion;

void xc_convert_add(xc_conversion *c, xc_attribute attribute);
void xc_convert_drop(xc_conversion *c, const char *name);
int xc_clamp_point(int point, int low, int high);

/// The int8 form of an operand: a constant by a fix point of its own, or the
/// value's, which is made here where it is not there yet.
bool xc_convert_operand(const xc_conversion *c, size_t slot, MlirValue *fixed,
                        int *point);
/// Carries over what the float operator and the -fix form both know.
void xc_convert_attributes(xc_conversion *c, xc_op_kind to);
/// Builds the -fix form with the result's fix point.
bool xc_convert_finish(xc_conversion *c, xc_op_kind to,
                       const MlirValue *operands, size_t num_operands,
                       int point);

/// maxpool2d and avgpool2d.
bool xc_convert_pool(xc_conversion *c, xc_op_kind to);

#endif // XC_TRANSFORMS_QUANTIZECONVERT_H
