//===- Conv.h - sums of products ----------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_CONV_H
#define XC_CONVERSION_MTIRTOLINALG_CONV_H

#include "Window.h"

/// Stores the result at a position of the output.
typedef void (*xc_product_end)(xc_lowering *l, MlirValue sum, MlirValue channel,
                               const MlirValue *at, void *state);

/// The terms of a sum and its epilogue. All values have the type of `zero`.
typedef struct xc_products {
  MlirValue zero;
  /// An element of the first operand; of the second, which belongs to an
  /// output channel (type index).
  MlirValue (*left)(xc_lowering *l, const MlirValue *at, void *state);
  MlirValue (*right)(xc_lowering *l, const MlirValue *at, MlirValue channel,
                     void *state);
  xc_product_end finish;
  void *state;
  int64_t padding; // what padding holds, as an element of the first operand
} xc_products;

/// Emits the loops of any convolution: plain, grouped, depthwise, transposed.
void xc_linalg_convolution(xc_lowering *l, const xc_products *products);

/// Emits the loops of a product of matrices, the first or second one
/// transposed, over leading dimensions that broadcast. Channels are the
/// columns.
void xc_linalg_product(xc_lowering *l, bool swap_a, bool swap_b,
                       const xc_products *products);

/// Real operands, and operand 2, if given, as a bias.
xc_products xc_real_products(const xc_lowering *l);
/// Operands as integers.
xc_products xc_int_products(const xc_lowering *l, xc_product_end finish,
                            void *state);

#endif // XC_CONVERSION_MTIRTOLINALG_CONV_H
