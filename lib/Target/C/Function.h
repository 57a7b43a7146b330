//===- Function.h - one function as C -----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the body of a function of scf, arith, math and memref as statements.
// A value that is used once becomes part of the expression that uses it; others
// are variables. Buffers are pointers to their first element.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_C_FUNCTION_H
#define XC_TARGET_C_FUNCTION_H

#include "Range.h"

#include "Support/Text.h"

/// At least the rows of Helpers.def.
enum { XC_C_MAX_HELPERS = 64 };

typedef struct xc_c_function {
  xc_text *out;
  bool *helpers; // used rows of Helpers.def
  xc_c_ranges ranges;
  xc_pointer_map names;     // value -> its variable, or the text of a buffer
  xc_pointer_map decisions; // value -> whether it stands in an expression
  xc_pointer_map printed;   // values whose expressions stand somewhere
  xc_pointer_map targets;   // result of scf.for, scf.if -> variable to use
  xc_arena arena;
  unsigned num_sums, num_values, num_buffers;
  unsigned depth; // of loops
  unsigned indent;
  bool failed;
} xc_c_function;

/// How tightly an expression binds, as in C.
typedef enum xc_c_precedence {
  XC_C_ANY = 0,
  XC_C_CONDITIONAL,
  XC_C_BITS, // bit operations and shifts: always in parentheses
  XC_C_EQUALITY,
  XC_C_RELATION,
  XC_C_SUM,
  XC_C_PRODUCT,
  XC_C_UNARY,
  XC_C_PRIMARY,
} xc_c_precedence;

/// Predicates of arith.cmpf that C spells with each operand twice.
enum {
  XC_C_ORDERED_NE = 6,
  XC_C_ORDERED = 7,
  XC_C_UNORDERED_EQ = 8,
  XC_C_UNORDERED = 14,
};

/// Returns the C type of values and of elements in memory. Returns null after a
/// diagnostic.
const char *xc_c_value_type(xc_c_function *f, MlirValue value);
const char *xc_c_element_type(MlirType element);

/// Appends an expression, in parentheses where `least` asks for them.
void xc_c_expression(xc_c_function *f, xc_text *text, MlirValue value,
                     xc_c_precedence least);
/// Appends the element of a buffer that memref.load and memref.store name:
/// operand number `buffer`, whose indices follow it.
void xc_c_element(xc_c_function *f, xc_text *text, MlirOperation operation,
                  intptr_t buffer);
/// Returns the number of elements before the first one of a buffer.
int64_t xc_c_offset_of(MlirType memref);
/// Whether a value stands in the expression that uses it.
bool xc_c_is_inline(xc_c_function *f, MlirValue value);
/// Whether an operation is arithmetic without effects.
bool xc_c_is_pure(MlirOperation operation);
/// Whether a cast leaves the number as it is, so that C needs none.
bool xc_c_keeps_number(xc_c_function *f, MlirOperation operation);
/// Whether the expression of a value reads buffers.
bool xc_c_reads_memory(xc_c_function *f, MlirValue value);
/// Returns the value itself, or the one that it only casts.
MlirValue xc_c_source(xc_c_function *f, MlirValue value);

void xc_c_set_name(xc_c_function *f, MlirValue value, const char *name);
const char *xc_c_get_name(const xc_c_function *f, MlirValue value);
/// Returns a new name: a stem, and a number after the first.
const char *xc_c_new_name(xc_c_function *f, const char *stem,
                          unsigned *counter);

/// Uses a helper function of Helpers.def, whose name is returned.
const char *xc_c_helper(xc_c_function *f, const char *name);
/// Whether helper functions that were used need <string.h>.
bool xc_c_uses_memory_functions(const bool *used);
/// Appends the helper functions that were used.
void xc_c_print_helpers(xc_text *out, const bool *used);

/// Appends a statement, broken into lines of 80 columns.
void xc_c_line(xc_c_function *f, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);
/// Appends the statements of a block. Returns false after a diagnostic.
bool xc_c_block(xc_c_function *f, MlirBlock block);

#endif // XC_TARGET_C_FUNCTION_H
