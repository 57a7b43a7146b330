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

/// A fix point attribute; the fixed-point type of the output.
int xc_fix_point(const xc_lowering *l, const char *name);
XcFixType xc_fix_output_type(const xc_lowering *l);

/// A raw element of an operand, at fix point `from`, as a raw element of the
/// output at output_fix_point.
MlirValue xc_fix_rescale(xc_lowering *l, size_t slot, int from, MlirValue raw);

/// Reads a raw 8-bit element as an i32 or wider, and writes one.
MlirValue xc_fix_value(xc_lowering *l, size_t slot, MlirValue raw);
MlirValue xc_fix_raw(xc_lowering *l, MlirValue value);

/// The epilogue of a -fix convolution, by its attributes. False after a
/// diagnostic.
bool xc_fix_conv_epilogue(const xc_lowering *l, XcFixEpilogue *epilogue);

#endif // XC_CONVERSION_MTIRTOLINALG_FIX_H
