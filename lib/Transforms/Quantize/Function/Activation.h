//===- Activation.h - activations that operators take up ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FUNCTION_ACTIVATION_H
#define XC_TRANSFORMS_QUANTIZE_FUNCTION_ACTIVATION_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// Returns the only user of a value, if it uses the value once; else null.
MlirOperation xc_only_user(MlirValue value);

/// Returns the nonlinear that stands for an activation operator, or null. Leaky
/// ReLU is 26/256 only; hard sigmoid is x / 6 + 1/2.
const char *xc_nonlinear_of(MlirOperation operation);
/// The smallest fix point of a hard activation's input. In coarser steps hard
/// swish is ReLU, from which it differs by 3/8 at most, and hard sigmoid of the
/// saturated input is the same.
enum { XC_HARD_POINT = 0 };
/// HSIGMOID or HSWISH.
bool xc_nonlinear_is_hard(const char *nonlinear);

/// Whether 8 bits at some fix point saturate where a tir.clip does, give or
/// take one step, or a few where it stands for a range; then gives the fix
/// point. Returns false for other operations.
bool xc_quantize_saturation(MlirOperation clip, int *point);
/// Returns the clamp that is all that reads a value and that saturation of this
/// value does, or null: of what is no product or sum, which have ReLUs, too.
MlirOperation xc_quantize_clamp_of(MlirValue value);

#endif // XC_TRANSFORMS_QUANTIZE_FUNCTION_ACTIVATION_H
