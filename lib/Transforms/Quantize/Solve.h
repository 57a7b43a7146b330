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

#ifndef XC_TRANSFORMS_QUANTIZE_SOLVE_H
#define XC_TRANSFORMS_QUANTIZE_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct xc_solve {
  int64_t terms, sums;
  bool has_constant; // term 0 is always 1, and its factor the bias
  double *moments;   // [terms][terms]: sums of products of two terms
  double *targets;   // [sums][terms]: of a sum's wanted values and a term
  double *factors;   // [sums][terms]
  int64_t *order;    // of `root`: the last one is rounded first
  double *root;      // [terms][terms], upper triangle: root^T root = moments
} xc_solve;

/// Adds to the squared error `ridge` times the mean square of the terms, for
/// each factor's distance from what it is, and decomposes the moments.
void xc_solve_prepare(xc_solve *s, double ridge);
/// Replaces the factors by the best real numbers.
void xc_solve_reals(xc_solve *s);
/// Makes targets that were measured without the factors' own products whole.
void xc_solve_aim(xc_solve *s);
/// Replaces the factors by multiples of `step` within 8 bits with sign; the
/// bias takes multiples of `bias_step`, or becomes 0 when that is. Returns by
/// how much the squared error grows.
double xc_solve_round(xc_solve *s, double step, double bias_step);
void xc_solve_free(xc_solve *s);

#endif // XC_TRANSFORMS_QUANTIZE_SOLVE_H
