//===- Reduce.c - reductions and products ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>

static const MlirValue null_value = {NULL};

bool xc_tosa_argmax(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  int64_t axis;
  if (mlirValueIsNull(x) || !xc_tosa_axis(c, xc_tosa_shape(x).rank, &axis))
    return false;
  const xc_attribute attribute = xc_int("axis", axis);
  return xc_tosa_done(c, xc_tosa_emit(c, XC_TIR_ARGMAX, &x, 1, &attribute, 1,
                                      xc_tosa_result_shape(c).element));
}

// Returns the elements in the opposite order: integers have no negative of
// their smallest.
static MlirValue emit_opposite(xc_tosa_converter *c, MlirValue x) {
  if (mlirValueIsNull(x))
    return null_value;
  xc_element element = xc_tosa_shape(x).element;
  if (xc_element_is_float(element))
    return xc_tosa_emit_unary(c, XC_TIR_NEG, x);
  return xc_tosa_emit_binary(c, XC_TIR_SUB, xc_tosa_emit_int(c, -1, element),
                             x);
}

static MlirValue emit_reduction(xc_tosa_converter *c, xc_op_kind kind,
                                MlirValue x, const int64_t *axes,
                                size_t count) {
  const xc_attribute attributes[] = {xc_ints("axis", axes, count),
                                     xc_bool("keep_dims", true)};
  return xc_tosa_emit(c, kind, &x, 1, attributes, 2, XC_ELEMENT_NONE);
}

static MlirValue emit_smallest(xc_tosa_converter *c, MlirValue x,
                               int64_t axis) {
  MlirValue largest =
      emit_reduction(c, XC_TIR_REDUCTION_MAX, emit_opposite(c, x), &axis, 1);
  return emit_opposite(c, largest);
}

static bool has(const int64_t *axes, size_t count, int64_t axis) {
  size_t i = 0;
  while (i < count && axes[i] != axis)
    ++i;
  return i < count;
}

// A sum over rows of one over columns is one over both, as devices have it.
static MlirValue emit_sum(xc_tosa_converter *c, MlirValue x, int64_t axis) {
  int64_t axes[XC_MAX_RANK] = {axis};
  size_t count = 1;
  MlirValue inner = mlirOperationGetOperand(c->op, 0);
  for (; count < XC_MAX_RANK; ++count) {
    MlirOperation sum = xc_tosa_defined_by(inner, "reduce_sum");
    if (mlirOperationIsNull(sum) ||
        mlirOperationIsNull(xc_tosa_single_user(sum)))
      break;
    MlirAttribute other = xc_op_attribute(sum, "axis");
    if (mlirAttributeIsNull(other) || !mlirAttributeIsAInteger(other))
      break;
    axes[count] = mlirIntegerAttrGetValueInt(other);
    if (has(axes, count, axes[count]))
      break;
    inner = mlirOperationGetOperand(sum, 0);
    x = xc_tosa_value(c, inner);
  }
  return emit_reduction(c, XC_TIR_REDUCTION_SUM, x, axes, count);
}

// Returns the entries from `begin` on along an axis.
static MlirValue emit_part(xc_tosa_converter *c, MlirValue x, int64_t axis,
                           int64_t begin, int64_t count) {
  int32_t *indices = xc_arena_alloc(&c->arena, (size_t)count, sizeof(*indices));
  for (int64_t i = 0; i < count; ++i)
    indices[i] = (int32_t)(begin + i);
  return xc_tosa_emit_pick(c, x, indices, count, axis);
}

// Halves are multiplied until one entry is left; the odd one waits.
bool xc_tosa_reduce_product(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  int64_t axis;
  if (mlirValueIsNull(x) || !xc_tosa_axis(c, xc_tosa_shape(x).rank, &axis))
    return false;
  int64_t count = xc_tosa_shape(x).dims[axis];
  if (count < 1 || count > INT32_MAX)
    return xc_tosa_error(c, "has a product of %" PRId64 " entries", count);
  for (; count > 1; count = (count + 1) / 2) {
    MlirValue pair[] = {
        xc_tosa_emit_binary(c, XC_TIR_MUL, emit_part(c, x, axis, 0, count / 2),
                            emit_part(c, x, axis, count / 2, count / 2)),
        x};
    if (count % 2 == 1)
      pair[1] = emit_part(c, x, axis, count - 1, 1);
    x = xc_tosa_emit_concat(c, pair, count % 2 == 1 ? 2 : 1, axis);
  }
  return xc_tosa_done(c, x);
}

bool xc_tosa_reduce(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  int64_t axis;
  if (mlirValueIsNull(x) || !xc_tosa_axis(c, xc_tosa_shape(x).rank, &axis))
    return false;
  bool all = xc_tosa_is(c->op, "reduce_all"),
       any = xc_tosa_is(c->op, "reduce_any");
  if (all || any)
    x = xc_tosa_emit_cast(c, x, XC_ELEMENT_I32);
  if (all || xc_tosa_is(c->op, "reduce_min"))
    x = emit_smallest(c, x, axis);
  else if (xc_tosa_is(c->op, "reduce_sum"))
    x = emit_sum(c, x, axis);
  else
    x = emit_reduction(c, XC_TIR_REDUCTION_MAX, x, &axis, 1);
  return xc_tosa_done(c,
                      all || any ? xc_tosa_emit_cast(c, x, XC_ELEMENT_I1) : x);
}
