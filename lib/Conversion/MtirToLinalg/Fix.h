//===- Fix.h - what the -fix lowerings share ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_FIX_H
#define XC_CONVERSION_MTIRTOLINALG_FIX_H

#include "Lowering.h"

#include "Conversion/Support/FixedPointIR.h"
#include "OpParams/Fix.h"

/// Returns a raw element of an operand, at fix point `from`, as a raw element
/// of the output at output_fix_point.
MlirValue xc_fix_rescale(xc_lowering *l, size_t slot, int from, MlirValue raw);

/// Writes an i32 or wider as a raw 8-bit element.
MlirValue xc_fix_raw(xc_lowering *l, MlirValue value);

#endif // XC_CONVERSION_MTIRTOLINALG_FIX_H
