//===- Range.h - what integers of a function can be ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intervals of the integers of scf and arith. Signed overflow is undefined in
// C and wraps in arith: an interval tells where plain arithmetic is the same,
// and where 32 bits are enough. A truth value (i1) counts 0 or 1; every other
// integer is signed.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_C_RANGE_H
#define XC_TARGET_C_RANGE_H

#include "Support/Memory.h"
#include "Support/PointerMap.h"

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct xc_c_range {
  int64_t low, high;
} xc_c_range;

/// The intervals found so far. Zero-initialised.
typedef struct xc_c_ranges {
  xc_pointer_map known; // value -> xc_c_range
  xc_arena arena;
} xc_c_ranges;

void xc_c_ranges_free(xc_c_ranges *ranges);

/// Everything that an integer or index type holds; index has 64 bits.
xc_c_range xc_c_range_of_type(MlirType type);
/// Returns the range of the numbers that a value can be.
xc_c_range xc_c_range_of(xc_c_ranges *ranges, MlirValue value);
/// Whether an operation of arith can leave its type, so that it wraps.
bool xc_c_may_wrap(xc_c_ranges *ranges, MlirOperation operation);
bool xc_c_range_within(xc_c_range inner, xc_c_range outer);
/// Whether 32 bits hold all values.
bool xc_c_is_narrow(xc_c_range range);

/// Returns the bits of an integer type; 64 for index, 0 for anything else.
unsigned xc_c_int_width(MlirType type);
/// The value of arith.constant of an integer or index type.
bool xc_c_int_constant(MlirValue value, int64_t *constant);

#endif // XC_TARGET_C_RANGE_H
