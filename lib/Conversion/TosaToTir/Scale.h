//===- Scale.h - what tosa.rescale says ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_TOSATOTIR_SCALE_H
#define XC_CONVERSION_TOSATOTIR_SCALE_H

#include "Converter.h"

/// The operands and attributes of a tosa.rescale. Zero points of unsigned
/// elements are unsigned.
typedef struct xc_tosa_scale {
  const int64_t *multipliers, *shifts;
  size_t count; // 1, or one per channel
  int64_t input_zero, output_zero;
  bool input_unsigned, output_unsigned;
  bool single_round;
} xc_tosa_scale;

/// Reads the tosa.rescale `op`. Returns false when something is no constant or
/// out of range; nothing is reported unless `op` is the operator at hand.
bool xc_tosa_read_scale(xc_tosa_converter *c, MlirOperation op,
                        xc_tosa_scale *scale);

/// Scales an integer. The result is not yet saturated to the output's type.
int64_t xc_tosa_apply_scale(const xc_tosa_scale *scale, int64_t x);

/// Returns the unsigned element of the same size.
xc_element xc_tosa_unsigned(xc_element element);

/// Returns the `nonlinear` of the operator at hand: RELU when a tosa.clamp from
/// the zero point on follows alone, which then does nothing more.
const char *xc_tosa_absorb_clamp(xc_tosa_converter *c,
                                 const xc_tosa_scale *scale);

/// `op` adds, subtracts or multiplies 32-bit integers that come from 8 bits,
/// and `scale` brings the result back to 8 bits: the tir.qlinear-eltwise that
/// does the same for all inputs. Returns null when there is none; that is no
/// error.
MlirValue xc_tosa_emit_eltwise(xc_tosa_converter *c, MlirOperation op,
                               const xc_tosa_scale *scale);

/// Returns a tir.qlinear-requantize of one multiplier.
MlirValue xc_tosa_emit_requantize(xc_tosa_converter *c, MlirValue x,
                                  const xc_tosa_scale *scale,
                                  xc_element element);

/// Adds scales of 1, the flavor and the multipliers to `attributes`.
size_t xc_tosa_add_scale(const xc_tosa_scale *scale, xc_attribute *attributes,
                         size_t count);

#endif // XC_CONVERSION_TOSATOTIR_SCALE_H
