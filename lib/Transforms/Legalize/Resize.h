//===- Resize.h - what patterns ask of tir.resize -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_LEGALIZE_RESIZE_H
#define XC_TRANSFORMS_LEGALIZE_RESIZE_H

#include "dialects/Adaptor.h"

/// Whether the corners of the result are those of the image.
bool xc_resize_has_corners(const xc_adaptor *resize);

/// Between conversions the model says where numbers are rounded, and what is
/// rounded nowhere else becomes fixed point (tir-absorb-fix). Elsewhere
/// calibration gives fix points to all that there is.
bool xc_resize_rounds_once(const xc_adaptor *resize);

#endif // XC_TRANSFORMS_LEGALIZE_RESIZE_H
