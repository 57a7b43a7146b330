//===- OperatorTest.h - operators on the DPU, one row each --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of the table is
//
//   name | targets | expected | statement; statement; ...
//
// `targets` are names without a leading "DPUCZDX8G_ISA1_", or `all` of that
// family, or `few`, or `all-ahx8h` of the other one. `expected` is `dpu` when
// every operator must run there; `placed` when the code generator does not know
// the target's instructions, so that only the rewritten operators are compared;
// or the id of the constraint that keeps one on the CPU. A statement is
//
//   [name =] kind operand ... -> dims attribute=value ...
//
// with the operators of the tir dialect on int8 tensors. Operands are the name
// of an earlier result, `name:dims` for an input of the function (later again
// by its name), `@dims` for a constant of random bytes, `@dims+` for one of
// random bytes that are not negative. Values are integers, lists of integers
// in brackets, true, false, or words. in=, w=, b= and out= stand for the fix
// points of input, weight, bias and result. The last result is returned.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_UNIT_DPUOPERATORS_OPERATORTEST_H
#define XC_TEST_UNIT_DPUOPERATORS_OPERATORTEST_H

#include "Support/Text.h"

/// A row; the strings are borrowed from the line, which is cut into pieces.
typedef struct operator_row {
  const char *name;
  const char *targets;
  const char *expected;
  char *program;
} operator_row;

/// False when the line is empty or a comment. Exits when it is malformed.
bool operator_row_parse(char *line, operator_row *row);

/// Appends the module of a row: one function `main`. Cuts `program` up.
void operator_row_print(operator_row *row, xc_text *text);

/// Calls `visit` with the full name of every target of the row.
void operator_row_each_target(const operator_row *row,
                              void (*visit)(void *user_data,
                                            const char *target),
                              void *user_data);

size_t operator_row_num_targets(const operator_row *row);

/// Random bytes that depend on nothing but `*seed`.
void operator_random_bytes(uint64_t *seed, int8_t *bytes, size_t size);

/// Compiles the module for the target and compares. Prints what is wrong.
bool operator_case_run(const char *module, const char *target,
                       const char *expected);

#endif // XC_TEST_UNIT_DPUOPERATORS_OPERATORTEST_H
