//===- Move.c - operators that move data ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>
#include <string.h>

bool xc_tosa_reshape(xc_tosa_converter *c) {
  xc_shape result = xc_tosa_result_shape(c);
  return xc_tosa_done(c, xc_tosa_emit_reshape(c, xc_tosa_operand(c, 0),
                                              result.dims, result.rank));
}

bool xc_tosa_transpose(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  int64_t order[XC_MAX_RANK];
  if (mlirValueIsNull(x))
    return false;
  size_t rank = xc_tosa_shape(x).rank;
  if (!xc_tosa_int_array(c, "perms", order, rank))
    return false;
  const xc_attribute attribute = xc_ints("order", order, rank);
  return xc_tosa_done(c, xc_tosa_emit(c, XC_TIR_TRANSPOSE, &x, 1, &attribute, 1,
                                      XC_ELEMENT_NONE));
}

bool xc_tosa_concat(xc_tosa_converter *c) {
  size_t count = (size_t)mlirOperationGetNumOperands(c->op);
  MlirValue *values = xc_arena_alloc(&c->arena, count + 1, sizeof(*values));
  int64_t axis;
  if (!xc_tosa_axis(c, xc_tosa_result_shape(c).rank, &axis))
    return false;
  if (count == 0)
    return xc_tosa_error(c, "has no operands");
  for (size_t i = 0; i < count; ++i)
    values[i] = xc_tosa_operand(c, (intptr_t)i);
  return xc_tosa_done(c, xc_tosa_emit_concat(c, values, count, axis));
}

// Reads the number in a constant of one element.
static bool read_number(xc_tosa_converter *c, intptr_t index, double *number) {
  MlirValue value = xc_tosa_operand(c, index);
  if (mlirValueIsNull(value))
    return false;
  MlirOperation constant = xc_constant_of(value);
  MlirAttribute elements = mlirAttributeGetNull();
  if (!mlirOperationIsNull(constant))
    elements = xc_op_attribute(constant, "value");
  size_t count;
  const int64_t *ints = xc_tosa_ints(c, value, &count);
  if (ints && count == 1) {
    *number = (double)ints[0];
    return true;
  }
  if (!mlirAttributeIsNull(elements) &&
      mlirAttributeIsADenseElements(elements) &&
      mlirDenseElementsAttrIsSplat(elements)) {
    *number = mlirFloatAttrGetValueDouble(
        mlirDenseElementsAttrGetSplatValue(elements));
    return true;
  }
  return xc_tosa_error(c, "has a border whose value is not a constant");
}

bool xc_tosa_pad(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  size_t count;
  double number = 0;
  const int64_t *pads = xc_tosa_dims(c, 1, &count);
  if (mlirValueIsNull(x) || !pads || !read_number(c, 2, &number))
    return false;
  if (count != 2 * xc_tosa_shape(x).rank)
    return xc_tosa_error(c, "has %zu entries of padding, expected %zu", count,
                         2 * xc_tosa_shape(x).rank);
  if ((double)(float)number != number)
    return xc_tosa_error(
        c, "has a border of %.0f, which is not a float of 32 bits", number);
  const xc_attribute attributes[] = {xc_ints("paddings", pads, count),
                                     xc_float("constant_value", number)};
  return xc_tosa_done(
      c, xc_tosa_emit(c, XC_TIR_PAD, &x, 1, attributes, 2, XC_ELEMENT_NONE));
}

static MlirValue emit_slice(xc_tosa_converter *c, MlirValue x,
                            const int64_t *begin, const int64_t *end,
                            const int64_t *strides, size_t rank) {
  const xc_attribute attributes[] = {xc_ints("begin", begin, rank),
                                     xc_ints("end", end, rank),
                                     xc_ints("strides", strides, rank)};
  return xc_tosa_emit(c, XC_TIR_STRIDED_SLICE, &x, 1, attributes, 3,
                      XC_ELEMENT_NONE);
}

bool xc_tosa_slice(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  size_t starts, sizes;
  const int64_t *start = xc_tosa_dims(c, 1, &starts);
  const int64_t *size = xc_tosa_dims(c, 2, &sizes);
  if (mlirValueIsNull(x) || !start || !size)
    return false;
  xc_shape shape = xc_tosa_shape(x), result = xc_tosa_result_shape(c);
  int64_t end[XC_MAX_RANK], strides[XC_MAX_RANK];
  if (starts != shape.rank || sizes != shape.rank || result.rank != shape.rank)
    return xc_tosa_error(c, "has %zu starts and %zu sizes, expected %zu",
                         starts, sizes, shape.rank);
  for (size_t i = 0; i < shape.rank; ++i) {
    // A size of -1 goes to the end.
    int64_t wanted = size[i] == -1 ? shape.dims[i] - start[i] : size[i];
    if (start[i] < 0 || wanted < 0 || start[i] > shape.dims[i] - wanted)
      return xc_tosa_error(c, "goes beyond dimension %zu", i);
    end[i] = start[i] + wanted;
    strides[i] = 1;
  }
  return xc_tosa_done(c, emit_slice(c, x, start, end, strides, shape.rank));
}

MlirValue xc_tosa_emit_reversed(xc_tosa_converter *c, MlirValue x,
                                size_t axis) {
  int64_t begin[XC_MAX_RANK] = {0}, end[XC_MAX_RANK], strides[XC_MAX_RANK];
  if (mlirValueIsNull(x))
    return x;
  xc_shape shape = xc_tosa_shape(x);
  for (size_t i = 0; i < shape.rank; ++i) {
    end[i] = shape.dims[i];
    strides[i] = 1;
  }
  begin[axis] = shape.dims[axis] - 1;
  end[axis] = INT32_MIN; // before the first
  strides[axis] = -1;
  return emit_slice(c, x, begin, end, strides, shape.rank);
}

bool xc_tosa_reverse(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  int64_t axis;
  return !mlirValueIsNull(x) && xc_tosa_axis(c, xc_tosa_shape(x).rank, &axis) &&
         xc_tosa_done(c, xc_tosa_emit_reversed(c, x, (size_t)axis));
}

// As a middle dimension of three that is repeated.
static MlirValue repeat(xc_tosa_converter *c, MlirValue x, xc_shape *shape,
                        size_t axis, int64_t times) {
  int64_t dims[3] = {1, 1, 1};
  for (size_t i = 0; i < shape->rank; ++i)
    dims[i < axis ? 0 : 2] *= shape->dims[i];
  const int64_t wide[3] = {dims[0], times, dims[2]};
  const xc_attribute attribute = xc_ints("shape", wide, 3);
  shape->dims[axis] *= times;
  x = xc_tosa_emit_reshape(c, x, dims, 3);
  x = xc_tosa_emit(c, XC_TIR_EXPAND, &x, 1, &attribute, 1, XC_ELEMENT_NONE);
  return xc_tosa_emit_reshape(c, x, shape->dims, shape->rank);
}

bool xc_tosa_tile(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  size_t count;
  const int64_t *times = xc_tosa_dims(c, 1, &count);
  if (mlirValueIsNull(x) || !times)
    return false;
  xc_shape shape = xc_tosa_shape(x), result = xc_tosa_result_shape(c);
  if (count != shape.rank || result.rank != shape.rank)
    return xc_tosa_error(c, "has %zu multiples, expected %zu", count,
                         shape.rank);
  for (size_t i = 0; i < count; ++i) {
    if (times[i] < 1 || result.dims[i] / times[i] != shape.dims[i] ||
        result.dims[i] % times[i] != 0)
      return xc_tosa_error(c, "repeats dimension %zu %" PRId64 " times", i,
                           times[i]);
    if (times[i] > 1)
      x = repeat(c, x, &shape, i, times[i]);
  }
  return xc_tosa_done(c, x);
}

// Returns the numbers of rows where the images lie one after the other, as a
// vector; null after a diagnostic.
static MlirValue emit_row_numbers(xc_tosa_converter *c, xc_shape from,
                                  MlirValue indices) {
  xc_shape at = xc_tosa_shape(indices);
  int64_t images = from.dims[0], rows = images * from.dims[1];
  if (rows > INT32_MAX || images == 0) {
    xc_tosa_error(c, "has %" PRId64 " rows, expected 1 to %d", rows, INT32_MAX);
    return (MlirValue){NULL};
  }
  if (images > 1) {
    int32_t *first = xc_arena_alloc(&c->arena, (size_t)images, sizeof(*first));
    for (int64_t i = 0; i < images; ++i)
      first[i] = (int32_t)(i * from.dims[1]);
    const xc_shape column = {
        .element = XC_ELEMENT_I32, .rank = 2, .dims = {images, 1}};
    MlirValue offsets =
        xc_tosa_emit_cast(c, xc_tosa_emit_const(c, first, &column), at.element);
    indices = xc_tosa_emit_binary(c, XC_TIR_ADD, indices, offsets);
  }
  const int64_t count = xc_shape_num_elements(&at);
  return xc_tosa_emit_reshape(c, indices, &count, 1);
}

// Every image has its own indices: they come after those of the ones before.
bool xc_tosa_gather(xc_tosa_converter *c) {
  MlirValue values = xc_tosa_operand(c, 0), indices = xc_tosa_operand(c, 1);
  if (mlirValueIsNull(values) || mlirValueIsNull(indices))
    return false;
  xc_shape from = xc_tosa_shape(values), at = xc_tosa_shape(indices);
  if (from.rank != 3 || at.rank != 2 || from.dims[0] != at.dims[0])
    return xc_tosa_error(c, "has operands that do not fit each other");
  MlirValue numbers = emit_row_numbers(c, from, indices);
  if (mlirValueIsNull(numbers))
    return false;
  const int64_t rows[] = {from.dims[0] * from.dims[1], from.dims[2]};
  const MlirValue operands[] = {xc_tosa_emit_reshape(c, values, rows, 2),
                                numbers};
  const xc_attribute axis = xc_int("axis", 0);
  MlirValue picked =
      xc_tosa_emit(c, XC_TIR_GATHER, operands, 2, &axis, 1, XC_ELEMENT_NONE);
  xc_shape result = xc_tosa_result_shape(c);
  return xc_tosa_done(
      c, xc_tosa_emit_reshape(c, picked, result.dims, result.rank));
}

// The rows that the indices number become those of the updates.
bool xc_tosa_scatter(xc_tosa_converter *c) {
  MlirValue values = xc_tosa_operand(c, 0), indices = xc_tosa_operand(c, 1);
  MlirValue updates = xc_tosa_operand(c, 2);
  if (mlirValueIsNull(values) || mlirValueIsNull(indices) ||
      mlirValueIsNull(updates))
    return false;
  xc_shape to = xc_tosa_shape(values), at = xc_tosa_shape(indices);
  xc_shape from = xc_tosa_shape(updates);
  if (to.rank != 3 || at.rank != 2 || from.rank != 3 ||
      to.dims[0] != at.dims[0] || from.dims[0] != at.dims[0] ||
      from.dims[1] != at.dims[1] || from.dims[2] != to.dims[2])
    return xc_tosa_error(c, "has operands that do not fit each other");
  MlirValue numbers = emit_row_numbers(c, to, indices);
  if (mlirValueIsNull(numbers))
    return false;
  const int64_t rows[] = {to.dims[0] * to.dims[1], to.dims[2]};
  const int64_t changes[] = {at.dims[0] * at.dims[1], to.dims[2]};
  const MlirValue operands[] = {xc_tosa_emit_reshape(c, values, rows, 2),
                                numbers,
                                xc_tosa_emit_reshape(c, updates, changes, 2)};
  MlirValue result =
      xc_tosa_emit(c, XC_TIR_SCATTER, operands, 3, NULL, 0, XC_ELEMENT_NONE);
  return xc_tosa_done(c, xc_tosa_emit_reshape(c, result, to.dims, to.rank));
}
