//===- Converter.h - one function on its way to tir ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators of a function are visited in order. For each the function of
// its row in Operators.def builds tir operators before it and hands over the
// value that stands for its result:
//
//   bool xc_tosa_reciprocal(xc_tosa_converter *c) {
//     MlirValue x = xc_tosa_operand(c, 0);
//     return xc_tosa_done(c, xc_tosa_emit_binary(c, XC_TIR_DIV, one, x));
//   }
//
// An error is reported at the operator, and the next one is visited: all
// reasons come out in one run. Values of operators that failed are stood for by
// a tir.data, so that what uses them is looked at, too. In the end either all
// operators of TOSA are erased, or all those of tir that were built.
//
// An operator whose result has no form in tir by itself, but may have one
// together with what follows (the sums of 32 bits of a convolution, before they
// are rescaled), is postponed with its reason. It is an error only if something
// takes the value by itself. What nothing uses in the end is erased.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_TOSATOTIR_CONVERTER_H
#define XC_CONVERSION_TOSATOTIR_CONVERTER_H

#include "IR/IR.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "dialects/Build.h"

typedef struct xc_tosa_converter {
  MlirContext context;
  xc_builder builder; // before the operator at hand
  MlirOperation op;   // at hand
  /// Values of TOSA: to those of tir, or to the reason of one that was
  /// postponed.
  xc_pointer_map values, postponed;
  xc_pointer_map products; // sums: to their xc_tosa_product
  /// Operators that one before them has done already.
  xc_pointer_map absorbed;
  xc_op_list old, built;
  xc_arena arena; // until the end of the function
  bool op_failed, failed;
} xc_tosa_converter;

/// The functions of the operators.
#define XC_TOSA_OPERATOR(name, function)                                       \
  bool xc_tosa_##function(xc_tosa_converter *c);
#include "Operators.def"

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reports an error at the operator, the first one of each. Returns false.
bool xc_tosa_error(xc_tosa_converter *c, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);
/// Makes the result the reason of an error of what uses it. Returns true.
bool xc_tosa_postpone(xc_tosa_converter *c, const char *reason);

/// Returns the tir value of an operand. Returns null after an error.
MlirValue xc_tosa_operand(xc_tosa_converter *c, intptr_t index);
/// Returns the tir value of any value of TOSA.
MlirValue xc_tosa_value(xc_tosa_converter *c, MlirValue value);
/// Returns the operator of TOSA with that name that computes a value, or null.
MlirOperation xc_tosa_defined_by(MlirValue value, const char *name);
/// Returns the name of an operator of TOSA without "tosa."; empty for any
/// other.
MlirStringRef xc_tosa_name(MlirOperation op);
bool xc_tosa_is_any(MlirOperation op);
/// Whether the operation is that operator of TOSA.
bool xc_tosa_is(MlirOperation op, const char *name);
/// Returns the only user of the only result, or null.
MlirOperation xc_tosa_single_user(MlirOperation op);

/// Returns the shape of a value that is not null.
xc_shape xc_tosa_shape(MlirValue value);
/// Returns the shape of the result, which has been checked.
xc_shape xc_tosa_result_shape(const xc_tosa_converter *c);

/// Integers of an attribute that is an array: DenseI64Array or DenseI32Array.
/// Returns false after an error when there are not `count`.
bool xc_tosa_int_array(xc_tosa_converter *c, const char *name, int64_t *ints,
                       size_t count);
bool xc_tosa_bool(MlirOperation op, const char *name);
/// Whether an attribute prints with this word (an enumerator).
bool xc_tosa_word_is(MlirOperation op, const char *name, const char *word);
/// The attribute `axis`, checked. Returns false after an error.
bool xc_tosa_axis(xc_tosa_converter *c, size_t rank, int64_t *axis);

/// Returns the dimensions that tosa.const_shape gives as an operand; null after
/// an error. They live as long as the converter.
const int64_t *xc_tosa_dims(xc_tosa_converter *c, intptr_t index,
                            size_t *count);
/// Returns the bytes of a constant, null for any other value.
const void *xc_tosa_bytes(xc_tosa_converter *c, MlirValue value);
/// Returns the integers of a constant, null for any other value.
const int64_t *xc_tosa_ints(xc_tosa_converter *c, MlirValue value,
                            size_t *count);
/// The integer in a constant operand of one element, such as a zero point;
/// `what` is its name. Returns false after an error.
bool xc_tosa_scalar(xc_tosa_converter *c, intptr_t index, const char *what,
                    int64_t *number);

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Builds an operator; null operands stand for errors that were reported.
/// `element` is that of xc_build.
MlirValue xc_tosa_emit(xc_tosa_converter *c, xc_op_kind kind,
                       const MlirValue *operands, size_t num_operands,
                       const xc_attribute *attributes, size_t num_attributes,
                       xc_element element);
/// The same where an operand may be absent: the first `num_needed` must be
/// there.
MlirValue xc_tosa_emit_unary(xc_tosa_converter *c, xc_op_kind kind,
                             MlirValue x);
MlirValue xc_tosa_emit_binary(xc_tosa_converter *c, xc_op_kind kind,
                              MlirValue a, MlirValue b);
/// Returns a constant of bytes.
MlirValue xc_tosa_emit_const(xc_tosa_converter *c, const void *bytes,
                             const xc_shape *shape);
/// Returns a constant of rank 0.
MlirValue xc_tosa_emit_number(xc_tosa_converter *c, double number,
                              xc_element element);
/// Returns an integer that fits the element type.
MlirValue xc_tosa_emit_int(xc_tosa_converter *c, int64_t number,
                           xc_element element);
MlirValue xc_tosa_emit_reshape(xc_tosa_converter *c, MlirValue value,
                               const int64_t *dims, size_t rank);
MlirValue xc_tosa_emit_cast(xc_tosa_converter *c, MlirValue value,
                            xc_element element);
/// Joins any number of values.
MlirValue xc_tosa_emit_concat(xc_tosa_converter *c, const MlirValue *values,
                              size_t count, int64_t axis);
/// Returns the entries along an axis; the indices are known.
MlirValue xc_tosa_emit_pick(xc_tosa_converter *c, MlirValue value,
                            const int32_t *indices, int64_t count,
                            int64_t axis);
/// Returns the entries along an axis from last to first.
MlirValue xc_tosa_emit_reversed(xc_tosa_converter *c, MlirValue x, size_t axis);
/// Returns the value with its dimensions in another order; a constant stays
/// one.
MlirValue xc_tosa_emit_permuted(xc_tosa_converter *c, MlirValue value,
                                const int64_t order[4]);

/// Hands over the value of the operator's result; null stands for an error that
/// was reported. Returns false for null.
bool xc_tosa_done(xc_tosa_converter *c, MlirValue value);

#endif // XC_CONVERSION_TOSATOTIR_CONVERTER_H
