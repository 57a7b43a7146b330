//===- Shape.h - result shapes ------------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per shape rule of the tables. It checks what the rule needs of
// operand ranks and attributes, reports the first thing that is wrong, and
// computes the result's dimensions. Verifier and builders both call it.
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_SHAPE_H
#define XC_DIALECTS_SHAPE_H

#include "Adaptor.h"

/// Rank of a result whose shape the operands do not determine.
#define XC_RANK_ANY SIZE_MAX

/// Fills rank and dims of `result`; false after a diagnostic.
typedef bool (*xc_shape_rule)(const xc_adaptor *op, xc_shape *result);

xc_shape_rule xc_shape_rule_get(xc_rule rule);

#define XC_DECLARE_RULE(upper, lower)                                          \
  bool xc_shape_##lower(const xc_adaptor *op, xc_shape *result);
XC_SHAPE_RULES(XC_DECLARE_RULE)
#undef XC_DECLARE_RULE

// Shared by the rules.

/// Checks an operand's rank; reports `operand 'input' has rank 3, expected 4`.
bool xc_shape_check_rank(const xc_adaptor *op, size_t slot, size_t rank);
/// Checks that an optional operand, if there, is a vector of `size` elements.
bool xc_shape_check_vector(const xc_adaptor *op, size_t slot, int64_t size);
/// Turns an axis of -rank..rank-1 into 0..rank-1: an attribute, or an entry of
/// one.
bool xc_shape_axis(const xc_adaptor *op, xc_attr id, size_t rank, size_t *axis);
bool xc_shape_check_axis(const xc_adaptor *op, xc_attr id, int64_t value,
                         size_t rank, size_t *axis);

/// Returns the gates and states of a recurrent layer's cell.
int64_t xc_recurrent_gates(const xc_adaptor *op);
int64_t xc_recurrent_states(const xc_adaptor *op);

/// First element of a strided_slice, and the element it stops before, both in
/// -1..size, from the attribute's entry for a dimension of `size`.
int64_t xc_slice_begin(int64_t begin, int64_t stride, int64_t size);
int64_t xc_slice_end(int64_t end, int64_t stride, int64_t size);

/// Returns the aspect ratios of priorbox: 1 comes first by itself; given ratios
/// equal to one that is there already do not count again; `flip` adds the
/// reciprocals. `count` is at most XC_MAX_INTS. Returns how many there are.
size_t xc_priorbox_ratios(const double *given, size_t count, bool flip,
                          double ratios[1 + 2 * XC_MAX_INTS]);

#endif // XC_DIALECTS_SHAPE_H
