//===- ShapeRecurrent.c - shapes of recurrent layers ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shape.h"

#include <inttypes.h>

int64_t xc_recurrent_gates(const xc_adaptor *op) {
  if (xc_attr_is(op, XC_ATTR_CELL, XC_ENUM_RNN))
    return 1;
  return xc_attr_is(op, XC_ATTR_CELL, XC_ENUM_LSTM) ? 4 : 3;
}

int64_t xc_recurrent_states(const xc_adaptor *op) {
  return xc_attr_is(op, XC_ATTR_CELL, XC_ENUM_LSTM) ? 2 : 1;
}

static bool check_matrix(const xc_adaptor *op, size_t slot, int64_t rows,
                         int64_t columns) {
  if (!xc_shape_check_rank(op, slot, 2))
    return false;
  xc_shape shape = xc_operand_shape(op, slot);
  if (shape.dims[0] == rows && shape.dims[1] == columns)
    return true;
  return xc_adaptor_error(op,
                          "operand '%s' has shape [%" PRId64 ", %" PRId64
                          "], expected [%" PRId64 ", %" PRId64 "]",
                          op->info->operands[slot].name, shape.dims[0],
                          shape.dims[1], rows, columns);
}

// Operands that only one kind of cell has.
static bool check_own(const xc_adaptor *op) {
  bool is_lstm = xc_attr_is(op, XC_ATTR_CELL, XC_ENUM_LSTM);
  bool resets_after = xc_attr_bool(op, XC_ATTR_RESET_AFTER);
  if (resets_after && !xc_attr_is(op, XC_ATTR_CELL, XC_ENUM_GRU))
    return xc_adaptor_error(op, "attribute 'reset_after' is of GRU only");
  if (xc_has_operand(op, XC_RECURRENT_BIAS) && !resets_after)
    return xc_adaptor_error(op, "operand 'bias' needs 'reset_after'");
  if (xc_has_operand(op, XC_RECURRENT_PEEPHOLE) && !is_lstm)
    return xc_adaptor_error(op, "operand 'peephole' is of LSTM only");
  return true;
}

bool xc_shape_recurrent(const xc_adaptor *op, xc_shape *result) {
  enum { PEEPHOLES = 3 };
  if (!xc_shape_check_rank(op, XC_RECURRENT_INPUT, 3) ||
      !xc_shape_check_rank(op, XC_RECURRENT_WEIGHT, 2) || !check_own(op))
    return false;
  xc_shape input = xc_operand_shape(op, XC_RECURRENT_INPUT);
  int64_t gates = xc_recurrent_gates(op), width = input.dims[2];
  if (width % gates != 0)
    return xc_adaptor_error(op,
                            "operand 'input' has size %" PRId64
                            " in dimension 2, expected a multiple of the "
                            "%" PRId64 " gates",
                            width, gates);
  int64_t units = width / gates, states = units * xc_recurrent_states(op);
  if (!check_matrix(op, XC_RECURRENT_WEIGHT, units, width) ||
      (xc_has_operand(op, XC_RECURRENT_INITIAL) &&
       !check_matrix(op, XC_RECURRENT_INITIAL, input.dims[1], states)) ||
      !xc_shape_check_vector(op, XC_RECURRENT_BIAS, units) ||
      !xc_shape_check_vector(op, XC_RECURRENT_PEEPHOLE, units * PEEPHOLES) ||
      !xc_shape_check_vector(op, XC_RECURRENT_LENGTHS, input.dims[1]))
    return false;
  result->rank = 3;
  result->dims[0] = input.dims[0];
  result->dims[1] = input.dims[1];
  result->dims[2] = states;
  return true;
}
