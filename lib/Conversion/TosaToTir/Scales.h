//===- Scales.h - real numbers for integers -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_TOSATOTIR_SCALES_H
#define XC_CONVERSION_TOSATOTIR_SCALES_H

#include "IR/IR.h"
#include "Support/PointerMap.h"

/// Gives the qlinear operators of a function that have multipliers scales that
/// agree with them. `known` are scales that the model tells: from
/// MlirValue.ptr of tir values to double.
void xc_tosa_infer_scales(MlirBlock block, const xc_pointer_map *known);

#endif // XC_CONVERSION_TOSATOTIR_SCALES_H
