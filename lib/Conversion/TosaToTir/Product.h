//===- Product.h - convolutions and matrix products ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_TOSATOTIR_PRODUCT_H
#define XC_CONVERSION_TOSATOTIR_PRODUCT_H

#include "Converter.h"

/// A convolution or matrix product before its operator is built. The sums of
/// one on integers wait for the tosa.rescale that follows: the converter keeps
/// the product until then.
typedef struct xc_tosa_product {
  xc_op_kind kind; // on floats, or the qlinear one
  MlirValue operands[3];
  size_t num_operands;
  xc_attribute attributes[8];
  size_t num_attributes;
  int64_t ints[12]; // of the attributes
  /// Rows and columns around the result that consist of the bias: top, bottom,
  /// left, right.
  int64_t border[4];
  bool has_border;
  bool is_float;
  MlirLocation location; // for the operator, which is built later
  int64_t input_zero, weight_zero;
  int64_t channels; // of the result
} xc_tosa_product;

/// The sums of 32 bits of a product on integers, for what is no tosa.rescale to
/// bytes: they are exact in floats of 64 bits. Returns null when they are
/// wider, or after an error.
MlirValue xc_tosa_emit_sums(xc_tosa_converter *c, const xc_tosa_product *p,
                            xc_element element);

/// Returns the product on integers that a value is, or null.
const xc_tosa_product *xc_tosa_product_of(const xc_tosa_converter *c,
                                          MlirValue value);

#endif // XC_CONVERSION_TOSATOTIR_PRODUCT_H
