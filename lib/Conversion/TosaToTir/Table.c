//===- Table.c - functions as tables --------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

static const MlirValue null_value = {NULL};

enum { BYTES = 256, POINTS = 513, WORDS = 65536, FRACTION_BITS = 7 };

// Returns all results for 16 bits: 9 bits choose a point, 7 go on to the next
// one.
static MlirValue emit_interpolated(xc_tosa_converter *c, MlirValue table) {
  const xc_shape shape = {
      .element = XC_ELEMENT_I32, .rank = 1, .dims = {WORDS}};
  size_t count;
  const int64_t *points = xc_tosa_ints(c, table, &count);
  if (!points) {
    xc_tosa_error(c, "has a table that is not a constant");
    return null_value;
  }
  int32_t *all = xc_arena_alloc(&c->arena, WORDS, sizeof(*all));
  for (int64_t i = 0; i < WORDS; ++i) {
    const int64_t *point = &points[i >> FRACTION_BITS];
    int64_t fraction = i & ((1 << FRACTION_BITS) - 1);
    all[i] = (int32_t)(point[0] * (1 << FRACTION_BITS) +
                       (point[1] - point[0]) * fraction);
  }
  return xc_tosa_emit_const(c, all, &shape);
}

bool xc_tosa_table(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0), table = xc_tosa_operand(c, 1);
  if (mlirValueIsNull(x) || mlirValueIsNull(table))
    return false;
  xc_shape input = xc_tosa_shape(x), entries = xc_tosa_shape(table);
  bool is_wide = input.element == XC_ELEMENT_I16;
  if ((!is_wide && input.element != XC_ELEMENT_I8) || entries.rank != 1 ||
      entries.dims[0] != (is_wide ? POINTS : BYTES))
    return xc_tosa_error(c,
                         "has no table of %d entries for elements of 8 bits or "
                         "%d for 16",
                         BYTES, POINTS);
  if (is_wide)
    table = emit_interpolated(c, table);
  int64_t first = xc_element_min(input.element);
  MlirValue index = xc_tosa_emit_cast(c, x, XC_ELEMENT_I32);
  index = xc_tosa_emit_binary(c, XC_TIR_ADD, index,
                              xc_tosa_emit_int(c, -first, XC_ELEMENT_I32));
  const MlirValue operands[] = {table, index};
  const xc_attribute axis = xc_int("axis", 0);
  return xc_tosa_done(c, xc_tosa_emit(c, XC_TIR_GATHER, operands, 2, &axis, 1,
                                      XC_ELEMENT_NONE));
}
