//===- Solve.h - rounding by least squares ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several sums of the same terms, whose factors are to be found: real numbers
// for which the squared error over all observations is smallest, then integers.
// Rounded one factor after the other, each taking up what the errors of those
// before it did to the sum (Frantar et al., GPTQ; the same as the nearest-plane
// method for lattices). All orders of additions are fixed.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FIT_SOLVE_H
#define XC_TRANSFORMS_QUANTIZE_FIT_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct xc_solve {
  int64_t terms, sums;
  bool has_constant; // term 0 is always 1, and its factor the bias
  double zero;       // what stands for 0 among the numbers of the other terms
  double *moments;   // [terms][terms]: sums of products of two terms
  double *powers;  // [terms]: sums of squares from `zero` on; null: see moments
  double *targets; // [sums][terms]: of a sum's wanted values and a term
  double *factors; // [sums][terms]
  int64_t *order;  // of `root`: the last one is rounded first
  double *root;    // [terms][terms], upper triangle: root^T root = moments
} xc_solve;

/// Adds to the squared error `ridge` times the mean square of the terms, for
/// each factor's distance from what it is, and decomposes the moments.
void xc_solve_prepare(xc_solve *s, double ridge);
/// Replaces the factors by the best real numbers.
void xc_solve_reals(xc_solve *s);
/// Decomposes the moments anew, with another ridge for rounding: that of the
/// distance from the best real numbers.
void xc_solve_loosen(xc_solve *s, double ridge);
/// Makes targets that were measured without the factors' own products whole.
void xc_solve_aim(xc_solve *s);
/// Of each sum: what factors and bias are rounded to multiples of.
typedef struct xc_solve_steps {
  const double *factors, *bias; // bias 0: there is none
} xc_solve_steps;
/// Replaces the factors by multiples of their steps within 8 bits with sign.
/// `growth`, unless null, is set to how much the squared error of each sum
/// grows.
void xc_solve_round(xc_solve *s, xc_solve_steps steps, double *growth);
void xc_solve_free(xc_solve *s);

#endif // XC_TRANSFORMS_QUANTIZE_FIT_SOLVE_H
