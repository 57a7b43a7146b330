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

bool xc_shape_given(const xc_view *view, xc_shape *result) {
  (void)view;
  result->rank = XC_RANK_ANY;
  return true;
}

static void copy_dims(const xc_shape *from, xc_shape *to) {
  to->rank = from->rank;
  memcpy(to->dims, from->dims, sizeof(to->dims));
}

bool xc_shape_same(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  copy_dims(&input, result);
  return true;
}

bool xc_shape_same_axis(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  copy_dims(&input, result);
  if (!xc_attribute_info_find(view->info, "axis", strlen("axis")))
    return input.rank > 0 || xc_shape_check_rank(view, 0, 4);
  size_t axis;
  return xc_shape_axis(view, "axis", xc_view_int(view, "axis"), input.rank,
                       &axis);
}

static bool shapes_disagree(const xc_view *view, size_t slot,
                            const xc_shape *found, const xc_shape *expected) {
  xc_text a = {0}, b = {0};
  xc_shape_print(found, &a);
  xc_shape_print(expected, &b);
  xc_view_error(view, "operand '%s' is %s, which does not broadcast with %s",
                view->info->operands[slot].name, xc_text_str(&a),
                xc_text_str(&b));
  xc_text_free(&a);
  xc_text_free(&b);
  return false;
}

// Broadcasts one more operand into `result`, aligned at the last dimension.
static bool broadcast_into(const xc_view *view, size_t slot, xc_shape *result) {
  xc_shape shape = xc_view_shape(view, slot);
  xc_shape before = *result;
  size_t rank = shape.rank > before.rank ? shape.rank : before.rank;
  result->rank = rank;
  for (size_t i = 0; i < rank; ++i) {
    size_t back = rank - i;
    int64_t x = back <= before.rank ? before.dims[before.rank - back] : 1;
    int64_t y = back <= shape.rank ? shape.dims[shape.rank - back] : 1;
    if (x != y && x != 1 && y != 1) {
      before.element = shape.element;
      return shapes_disagree(view, slot, &shape, &before);
    }
    result->dims[i] = x == 1 ? y : x;
  }
  return true;
}

static bool check_same_element(const xc_view *view, size_t slot, size_t other) {
  xc_element a = xc_view_shape(view, slot).element;
  xc_element b = xc_view_shape(view, other).element;
  if (a == b)
    return true;
  return xc_view_error(view,
                       "operand '%s' has elements of type %s, expected %s as "
                       "operand '%s'",
                       view->info->operands[slot].name, xc_element_name(a),
                       xc_element_name(b), view->info->operands[other].name);
}

// Fixed and quantised operators rescale each input, so that types may differ.
static bool inputs_share_element(const xc_view *view) {
  return !strstr(view->info->mnemonic, "-fix") &&
         strncmp(view->info->mnemonic, "qlinear-", 8) != 0;
}

static size_t num_input_slots(const xc_view *view) {
  return view->info->num_operands -
         (view->info->dialect == XC_DIALECT_MTIR ? 1 : 0);
}

bool xc_shape_broadcast(const xc_view *view, xc_shape *result) {
  xc_shape first = xc_view_shape(view, 0);
  copy_dims(&first, result);
  for (size_t slot = 1; slot < num_input_slots(view); ++slot) {
    if (!xc_view_has_operand(view, slot))
      continue;
    if (inputs_share_element(view) && !check_same_element(view, slot, 0))
      return false;
    if (!broadcast_into(view, slot, result))
      return false;
  }
  return true;
}

bool xc_shape_broadcast_to_first(const xc_view *view, xc_shape *result) {
  xc_shape first = xc_view_shape(view, 0);
  copy_dims(&first, result);
  if (!broadcast_into(view, 1, result))
    return false;
  if (result->rank == first.rank &&
      memcmp(result->dims, first.dims, first.rank * sizeof(int64_t)) == 0)
    return true;
  xc_shape second = xc_view_shape(view, 1);
  return shapes_disagree(view, 1, &second, &first);
}

bool xc_shape_logical(const xc_view *view, xc_shape *result) {
  bool is_not = strcmp(xc_view_word(view, "type"), "NOT") == 0;
  if (is_not == xc_view_has_operand(view, 1))
    return xc_view_error(view, is_not ? "takes one operand with type NOT"
                                      : "takes two operands unless type is "
                                        "NOT");
  return xc_shape_broadcast(view, result);
}

bool xc_shape_select(const xc_view *view, xc_shape *result) {
  xc_shape condition = xc_view_shape(view, 0);
  copy_dims(&condition, result);
  return check_same_element(view, 2, 1) && broadcast_into(view, 1, result) &&
         broadcast_into(view, 2, result);
}

bool xc_shape_per_channel(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  size_t axis;
  if (!xc_shape_axis(view, "axis", xc_view_int(view, "axis"), input.rank,
                     &axis))
    return false;
  copy_dims(&input, result);
  for (size_t slot = 1; slot < num_input_slots(view); ++slot)
    if (!xc_shape_check_vector(view, view->info->operands[slot].name,
                               input.dims[axis]))
      return false;
  return true;
}

bool xc_shape_quantize(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, 0);
  copy_dims(&input, result);
  size_t scales = xc_view_floats(view, "scale", NULL, 0);
  int64_t ints[XC_MAX_INTS];
  size_t points = xc_view_ints(view, "zero_point", ints);
  if (points != scales)
    return xc_view_error(view,
                         "attribute 'zero_point' has %zu entries, expected %zu "
                         "as 'scale'",
                         points, scales);
  if (scales == 1)
    return true;
  size_t axis;
  if (!xc_shape_axis(view, "axis", xc_view_int(view, "axis"), input.rank,
                     &axis))
    return false;
  if (input.dims[axis] == (int64_t)scales)
    return true;
  return xc_view_error(view,
                       "attribute 'scale' has %zu entries, expected 1 or "
                       "%" PRId64 " (dimension %zu)",
                       scales, input.dims[axis], axis);
}

bool xc_shape_transfer(const xc_view *view, xc_shape *result) {
  result->rank = 0;
  xc_shape source = xc_view_shape(view, 0), target = xc_view_shape(view, 1);
  bool same =
      source.rank == target.rank &&
      memcmp(source.dims, target.dims, source.rank * sizeof(int64_t)) == 0 &&
      source.element == target.element;
  if (same)
    return true;
  xc_text a = {0}, b = {0};
  xc_shape_print(&source, &a);
  xc_shape_print(&target, &b);
  xc_view_error(view, "operand '%s' is %s, expected %s as operand '%s'",
                view->info->operands[1].name, xc_text_str(&b), xc_text_str(&a),
                view->info->operands[0].name);
  xc_text_free(&a);
  xc_text_free(&b);
  return false;
}
