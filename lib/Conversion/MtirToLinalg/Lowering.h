//===- Lowering.h - from mtir operators to loops ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lowering writes the loops of one operator; Lowerings.def says which one.
// The kernels of lib/Interpreter are the reference semantics: values are reals
// (f64) and integers (i64) as there, read from and rounded to the element types
// once. LLVM narrows what narrower arithmetic gives as exactly.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_LOWERING_H
#define XC_CONVERSION_MTIRTOLINALG_LOWERING_H

#include "Conversion/Support/Kernel.h"

typedef bool (*xc_lowering_function)(xc_lowering *lowering);

/// Returns the lowering of a kind, or null for operators that compute nothing.
xc_lowering_function xc_lowering_find(xc_op_kind kind);

#define XC_LOWERING(kind, function) bool function(xc_lowering *lowering);
#include "Lowerings.def"
#undef XC_LOWERING

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Returns a raw element of a buffer as a real (f64) or an integer (i64), and
/// back, as xc_get_real, xc_get_int, xc_set_real and xc_set_int do it.
MlirValue xc_element_to_real(const xc_ir *ir, xc_element element,
                             MlirValue raw);
MlirValue xc_element_to_int(const xc_ir *ir, xc_element element, MlirValue raw);
MlirValue xc_element_of_real(const xc_ir *ir, xc_element element,
                             MlirValue value);
MlirValue xc_element_of_int(const xc_ir *ir, xc_element element,
                            MlirValue value);

/// Returns the bits of a raw integer as an index that is not negative.
MlirValue xc_index_of_bits(const xc_ir *ir, MlirValue raw);

/// Returns the element of an operand at a position; of the output.
MlirValue xc_load_real(xc_lowering *l, size_t slot, const MlirValue *at);
MlirValue xc_load_int(xc_lowering *l, size_t slot, const MlirValue *at);
void xc_store_real(xc_lowering *l, MlirValue value, const MlirValue *at);
void xc_store_int(xc_lowering *l, MlirValue value, const MlirValue *at);

/// Whether the elements of a buffer lie side by side, so that it may be given
/// another shape. Reports at the operator otherwise.
bool xc_check_dense(const xc_lowering *l, MlirValue buffer);

/// Whether the last dimension's elements lie side by side, as vectors need it.
bool xc_has_unit_stride(MlirValue buffer);

/// Combines two raw elements of the result's type by an operator of two inputs
/// (ADD, MUL, MIN, MAX, ...) (Elementwise.c).
MlirValue xc_combine_raw(xc_lowering *l, xc_op_kind kind, MlirValue a,
                         MlirValue b);

/// Constants of the two kinds of values.
MlirValue xc_real(const xc_lowering *l, double value);
MlirValue xc_whole(const xc_lowering *l, int64_t value);

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

/// Computes one raw element of the output from one raw element of each operand
/// of the frame, in their order.
typedef MlirValue (*xc_cell)(xc_lowering *l, const MlirValue *raw,
                             const void *state);

/// linalg.generic over the output; the operands broadcast to it.
void xc_linalg_elementwise(xc_lowering *l, const size_t *slots, size_t count,
                           xc_cell cell, const void *state);

#endif // XC_CONVERSION_MTIRTOLINALG_LOWERING_H
