//===- Shape.c - the table of shape rules and what they share -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shape.h"

#include <inttypes.h>

xc_shape_rule xc_shape_rule_get(xc_rule rule) {
  static const xc_shape_rule rules[] = {
#define RULE_FUNCTION(upper, lower) [XC_RULE_##upper] = xc_shape_##lower,
      XC_SHAPE_RULES(RULE_FUNCTION)
#undef RULE_FUNCTION
  };
  return rules[rule];
}

bool xc_shape_check_rank(const xc_adaptor *op, size_t slot, size_t rank) {
  xc_shape shape = xc_operand_shape(op, slot);
  if (shape.rank == rank)
    return true;
  return xc_adaptor_error(op, "operand '%s' has rank %zu, expected %zu",
                          op->info->operands[slot].name, shape.rank, rank);
}

bool xc_shape_check_vector(const xc_adaptor *op, size_t slot, int64_t size) {
  if (!xc_has_operand(op, slot))
    return true;
  if (!xc_shape_check_rank(op, slot, 1))
    return false;
  int64_t found = xc_operand_shape(op, slot).dims[0];
  if (found == size)
    return true;
  return xc_adaptor_error(
      op, "operand '%s' has %" PRId64 " elements, expected %" PRId64,
      op->info->operands[slot].name, found, size);
}

bool xc_shape_check_axis(const xc_adaptor *op, xc_attr id, int64_t value,
                         size_t rank, size_t *axis) {
  int64_t signed_rank = (int64_t)rank;
  if (value < -signed_rank || value >= signed_rank)
    return xc_adaptor_error(op,
                            "attribute '%s' is %" PRId64
                            ", which is not an axis of a tensor of rank %zu",
                            xc_attr_name(id), value, rank);
  *axis = (size_t)(value < 0 ? value + signed_rank : value);
  return true;
}

bool xc_shape_axis(const xc_adaptor *op, xc_attr id, size_t rank,
                   size_t *axis) {
  return xc_shape_check_axis(op, id, xc_attr_int(op, id), rank, axis);
}
