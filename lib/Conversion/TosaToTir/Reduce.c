//===- Reduce.c - reductions and products ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

static const MlirValue null_value = {NULL};

bool tosa_argmax(tosa_converter *c) {
  MlirValue x = tosa_operand(c, 0);
  int64_t axis;
  if (mlirValueIsNull(x) || !tosa_axis(c, tosa_shape(x).rank, &axis))
    return false;
  const xc_attribute attribute = xc_int("axis", axis);
  return tosa_done(c, tosa_emit(c, XC_TIR_ARGMAX, &x, 1, &attribute, 1,
                                tosa_result_shape(c).element));
}

// The elements in the opposite order: integers have no negative of their
// smallest.
static MlirValue emit_reversed(tosa_converter *c, MlirValue x) {
  if (mlirValueIsNull(x))
    return null_value;
  xc_element element = tosa_shape(x).element;
  if (xc_element_is_float(element))
    return tosa_emit_unary(c, XC_TIR_NEG, x);
  return tosa_emit_binary(c, XC_TIR_SUB, tosa_emit_int(c, -1, element), x);
}

static MlirValue emit_reduction(tosa_converter *c, xc_op_kind kind, MlirValue x,
                                int64_t axis) {
  const xc_attribute attributes[] = {xc_ints("axis", &axis, 1),
                                     xc_bool("keep_dims", true)};
  return tosa_emit(c, kind, &x, 1, attributes, 2, XC_ELEMENT_NONE);
}

static MlirValue emit_smallest(tosa_converter *c, MlirValue x, int64_t axis) {
  MlirValue largest =
      emit_reduction(c, XC_TIR_REDUCTION_MAX, emit_reversed(c, x), axis);
  return emit_reversed(c, largest);
}

bool tosa_reduce(tosa_converter *c) {
  MlirValue x = tosa_operand(c, 0);
  int64_t axis;
  if (mlirValueIsNull(x) || !tosa_axis(c, tosa_shape(x).rank, &axis))
    return false;
  bool all = tosa_is(c->op, "reduce_all"), any = tosa_is(c->op, "reduce_any");
  if (all || any)
    x = tosa_emit_cast(c, x, XC_ELEMENT_I32);
  if (all || tosa_is(c->op, "reduce_min"))
    x = emit_smallest(c, x, axis);
  else
    x = emit_reduction(c,
                       tosa_is(c->op, "reduce_sum") ? XC_TIR_REDUCTION_SUM
                                                    : XC_TIR_REDUCTION_MAX,
                       x, axis);
  return tosa_done(c, all || any ? tosa_emit_cast(c, x, XC_ELEMENT_I1) : x);
}
