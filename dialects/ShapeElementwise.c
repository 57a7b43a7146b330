//===- ShapeElementwise.c - results shaped like operands ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shape.h"

#include "Support/Text.h"

#include <inttypes.h>
#include <string.h>

bool xc_shape_given(const xc_adaptor *op, xc_shape *result) {
  (void)op;
  result->rank = XC_RANK_ANY;
  return true;
}

static void copy_dims(const xc_shape *from, xc_shape *to) {
  to->rank = from->rank;
  memcpy(to->dims, from->dims, sizeof(to->dims));
}

bool xc_shape_same(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_RELU_INPUT);
  copy_dims(&input, result);
  return true;
}

bool xc_shape_same_axis(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_SOFTMAX_INPUT);
  copy_dims(&input, result);
  if (!xc_has_attr(op, XC_ATTR_AXIS))
    return input.rank > 0 || xc_shape_check_rank(op, XC_SOFTMAX_INPUT, 4);
  size_t axis;
  return xc_shape_axis(op, XC_ATTR_AXIS, input.rank, &axis);
}

static bool shapes_disagree(const xc_adaptor *op, size_t slot,
                            const xc_shape *found, const xc_shape *expected) {
  xc_text a = {0}, b = {0};
  xc_shape_print(found, &a);
  xc_shape_print(expected, &b);
  xc_adaptor_error(op, "operand '%s' is %s, which does not broadcast with %s",
                   op->info->operands[slot].name, xc_text_str(&a),
                   xc_text_str(&b));
  xc_text_free(&a);
  xc_text_free(&b);
  return false;
}

// Broadcasts one more operand into `result`, aligned at the last dimension.
static bool broadcast_into(const xc_adaptor *op, size_t slot,
                           xc_shape *result) {
  xc_shape shape = xc_operand_shape(op, slot);
  xc_shape before = *result;
  size_t rank = shape.rank > before.rank ? shape.rank : before.rank;
  result->rank = rank;
  for (size_t i = 0; i < rank; ++i) {
    size_t back = rank - i;
    int64_t x = back <= before.rank ? before.dims[before.rank - back] : 1;
    int64_t y = back <= shape.rank ? shape.dims[shape.rank - back] : 1;
    if (x != y && x != 1 && y != 1) {
      before.element = shape.element;
      return shapes_disagree(op, slot, &shape, &before);
    }
    result->dims[i] = x == 1 ? y : x;
  }
  return true;
}

static bool check_same_element(const xc_adaptor *op, size_t slot,
                               size_t other) {
  xc_element a = xc_operand_shape(op, slot).element;
  xc_element b = xc_operand_shape(op, other).element;
  if (a == b)
    return true;
  return xc_adaptor_error(
      op,
      "operand '%s' has elements of type %s, expected %s as "
      "operand '%s'",
      op->info->operands[slot].name, xc_element_name(a), xc_element_name(b),
      op->info->operands[other].name);
}

// Fixed and quantised operators rescale each input, so that types may differ.
static bool inputs_share_element(const xc_adaptor *op) {
  return !strstr(op->info->mnemonic, "-fix") &&
         strncmp(op->info->mnemonic, "qlinear-", 8) != 0;
}

static size_t num_input_slots(const xc_adaptor *op) {
  return op->info->num_operands -
         (op->info->dialect == XC_DIALECT_MTIR ? 1 : 0);
}

bool xc_shape_broadcast(const xc_adaptor *op, xc_shape *result) {
  xc_shape first = xc_operand_shape(op, XC_ADD_A);
  copy_dims(&first, result);
  for (size_t slot = 1; slot < num_input_slots(op); ++slot) {
    if (!xc_has_operand(op, slot))
      continue;
    if (inputs_share_element(op) && !check_same_element(op, slot, 0))
      return false;
    if (!broadcast_into(op, slot, result))
      return false;
  }
  return true;
}

bool xc_shape_broadcast_to_first(const xc_adaptor *op, xc_shape *result) {
  xc_shape first = xc_operand_shape(op, XC_PRELU_INPUT);
  copy_dims(&first, result);
  if (!broadcast_into(op, 1, result))
    return false;
  if (result->rank == first.rank &&
      memcmp(result->dims, first.dims, first.rank * sizeof(int64_t)) == 0)
    return true;
  xc_shape second = xc_operand_shape(op, XC_PRELU_SLOPE);
  return shapes_disagree(op, 1, &second, &first);
}

bool xc_shape_table(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_TABLE_INPUT);
  xc_shape table = xc_operand_shape(op, XC_TABLE_TABLE);
  copy_dims(&input, result);
  bool is_one = table.rank == 1 && table.dims[0] == XC_TABLE_ENTRIES;
  bool is_for_channels = table.rank == 2 && input.rank > 0 &&
                         table.dims[0] == input.dims[input.rank - 1] &&
                         table.dims[1] == XC_TABLE_ENTRIES;
  if (is_one || is_for_channels)
    return true;
  xc_text text = {0};
  xc_shape_print(&table, &text);
  xc_adaptor_error(op,
                   "operand 'table' is %s, expected %d entries, or as many for "
                   "each channel of the input",
                   xc_text_str(&text), XC_TABLE_ENTRIES);
  xc_text_free(&text);
  return false;
}

bool xc_shape_logical(const xc_adaptor *op, xc_shape *result) {
  bool is_not = xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_NOT);
  if (is_not == xc_has_operand(op, XC_LOGICAL_B))
    return xc_adaptor_error(op, is_not ? "takes one operand with type NOT"
                                       : "takes two operands unless type is "
                                         "NOT");
  return xc_shape_broadcast(op, result);
}

bool xc_shape_select(const xc_adaptor *op, xc_shape *result) {
  xc_shape condition = xc_operand_shape(op, XC_SELECT_CONDITION);
  copy_dims(&condition, result);
  return check_same_element(op, 2, 1) && broadcast_into(op, 1, result) &&
         broadcast_into(op, 2, result);
}

bool xc_shape_per_channel(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_BATCHNORM_INPUT);
  size_t axis;
  if (!xc_shape_axis(op, XC_ATTR_AXIS, input.rank, &axis))
    return false;
  copy_dims(&input, result);
  for (size_t slot = 1; slot < num_input_slots(op); ++slot)
    if (!xc_shape_check_vector(op, slot, input.dims[axis]))
      return false;
  return true;
}

bool xc_shape_quantize(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_QUANTIZE_LINEAR_INPUT);
  copy_dims(&input, result);
  size_t scales = xc_attr_floats(op, XC_ATTR_SCALE, NULL, 0);
  int64_t ints[XC_MAX_INTS];
  size_t points = xc_attr_ints(op, XC_ATTR_ZERO_POINT, ints);
  if (points != scales)
    return xc_adaptor_error(
        op,
        "attribute 'zero_point' has %zu entries, expected %zu "
        "as 'scale'",
        points, scales);
  if (scales == 1)
    return true;
  size_t axis;
  if (!xc_shape_axis(op, XC_ATTR_AXIS, input.rank, &axis))
    return false;
  if (input.dims[axis] == (int64_t)scales)
    return true;
  return xc_adaptor_error(op,
                          "attribute 'scale' has %zu entries, expected 1 or "
                          "%" PRId64 " (dimension %zu)",
                          scales, input.dims[axis], axis);
}

bool xc_shape_transfer(const xc_adaptor *op, xc_shape *result) {
  result->rank = 0;
  xc_shape source = xc_operand_shape(op, XC_MEMTX_COPY_SOURCE),
           target = xc_operand_shape(op, XC_MEMTX_COPY_TARGET);
  bool same =
      source.rank == target.rank &&
      memcmp(source.dims, target.dims, source.rank * sizeof(int64_t)) == 0 &&
      source.element == target.element;
  if (same)
    return true;
  xc_text a = {0}, b = {0};
  xc_shape_print(&source, &a);
  xc_shape_print(&target, &b);
  xc_adaptor_error(op, "operand '%s' is %s, expected %s as operand '%s'",
                   op->info->operands[XC_MEMTX_COPY_TARGET].name,
                   xc_text_str(&b), xc_text_str(&a),
                   op->info->operands[XC_MEMTX_COPY_SOURCE].name);
  xc_text_free(&a);
  xc_text_free(&b);
  return false;
}
