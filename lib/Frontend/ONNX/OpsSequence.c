//===- OpsSequence.c - sequences of tensors, which exist at import only ---===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters put what torch.split and lists give into sequences, and take it out
// again at constant positions. A sequence is a value without content, whose
// note lists its tensors; no operator of tir comes of it.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 1 << 16 };

typedef struct sequence {
  size_t count;
  xc_graph_value **items;
} sequence;

bool xc_onnx_is_sequence(const xc_graph_value *value) {
  return value->note != NULL;
}

bool xc_onnx_takes_sequence(const xc_onnx_operator *row, size_t index) {
  static const xc_onnx_handler takers[] = {
      xc_onnx_sequence_at,          xc_onnx_sequence_length,
      xc_onnx_sequence_insert,      xc_onnx_sequence_erase,
      xc_onnx_concat_from_sequence, xc_onnx_identity_op};
  for (size_t i = 0; row && i < sizeof(takers) / sizeof(*takers); ++i)
    if (row->handler == takers[i])
      return index == 0;
  return false;
}

static bool take_sequence(xc_onnx_importer *im, const sequence **s) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  *s = value->note;
  return xc_onnx_is_sequence(value) ||
         xc_onnx_error(im, "input 0, '%s', is a tensor, expected a sequence",
                       im->node->input[0]);
}

// Returns a sequence with room for its tensors; null after an error.
static sequence *new_sequence(xc_onnx_importer *im, int64_t count) {
  if (count > MOST) {
    xc_onnx_error(im,
                  "makes a sequence of %" PRId64 " tensors, at most %d are "
                  "supported",
                  count, MOST);
    return NULL;
  }
  sequence *s = xc_arena_alloc(&im->graph.arena, 1, sizeof(*s));
  s->count = (size_t)count;
  s->items = xc_arena_alloc(&im->graph.arena, s->count + 1, sizeof(*s->items));
  return s;
}

static bool result_sequence(xc_onnx_importer *im, const sequence *s) {
  const xc_shape none = {.element = XC_ELEMENT_NONE};
  xc_graph_value *value = xc_graph_new_value(&im->graph, im->graph.node, &none);
  value->note = s;
  return xc_onnx_result_alias(im, 0, value);
}

// A constant position among `count`, counted from the end below 0; `absent`
// when the input is not there.
static bool take_position(xc_onnx_importer *im, size_t index, size_t count,
                          size_t absent, size_t *position) {
  const int64_t *list;
  size_t length;
  *position = absent;
  if (!xc_onnx_has_input(im, index))
    return absent < count ||
           xc_onnx_error(im, "input %zu is missing, or the sequence empty",
                         index);
  if (!xc_onnx_input_ints(im, index, &list, &length))
    return false;
  int64_t at = length == 1 ? list[0] : INT64_MAX;
  int64_t size = (int64_t)count;
  if (at < -size || at >= size)
    return xc_onnx_error(im, "input %zu is not a position among %zu", index,
                         count);
  *position = (size_t)(at < 0 ? at + size : at);
  return true;
}

//===----------------------------------------------------------------------===//
// Making sequences
//===----------------------------------------------------------------------===//

bool xc_onnx_sequence_construct(xc_onnx_importer *im) {
  xc_graph_value **values;
  size_t count;
  if (!xc_onnx_all_inputs(im, &values, &count))
    return false;
  sequence *s = new_sequence(im, (int64_t)count);
  if (!s)
    return false;
  memcpy(s->items, values, count * sizeof(*values));
  return result_sequence(im, s);
}

bool xc_onnx_sequence_empty(xc_onnx_importer *im) {
  return result_sequence(im, new_sequence(im, 0));
}

// The tensor comes before that of the position, or last.
bool xc_onnx_sequence_insert(xc_onnx_importer *im) {
  const sequence *old;
  xc_graph_value *item;
  size_t at;
  if (!take_sequence(im, &old) || !xc_onnx_need_input(im, 1, &item))
    return false;
  const xc_graph_value *given = xc_onnx_input(im, 2);
  bool counts_back =
      given && given->data && xc_graph_to_int(xc_graph_load(given, 0)) < 0;
  // After the last tensor there is a position, but none that counts from it.
  sequence *s = new_sequence(im, (int64_t)old->count + 1);
  if (!s || !take_position(im, 2, old->count + !counts_back, old->count, &at))
    return false;
  for (size_t i = 0; i < s->count; ++i)
    s->items[i] = i == at ? item : old->items[i - (i > at)];
  return result_sequence(im, s);
}

bool xc_onnx_sequence_erase(xc_onnx_importer *im) {
  const sequence *old;
  size_t at;
  if (!take_sequence(im, &old) ||
      !take_position(im, 1, old->count, old->count - 1, &at))
    return false;
  sequence *s = new_sequence(im, (int64_t)old->count - 1);
  for (size_t i = 0; i < s->count; ++i)
    s->items[i] = old->items[i + (i >= at)];
  return result_sequence(im, s);
}

// Reads the sizes of the parts: given one by one, all but the last alike, or 1.
static bool read_parts(xc_onnx_importer *im, int64_t size,
                       const int64_t **sizes, size_t *count) {
  xc_graph_value *split = xc_onnx_input(im, 1);
  int64_t each = 1;
  if (split) {
    if (!xc_onnx_input_ints(im, 1, sizes, count))
      return false;
    if (split->shape.rank > 0)
      return true;
    each = (*sizes)[0];
  }
  if (each < 1)
    return xc_onnx_error(im, "splits into parts of size %" PRId64, each);
  int64_t parts = size / each + (size % each != 0);
  const sequence *room = new_sequence(im, parts); // checks the number
  if (!room)
    return false;
  int64_t *list =
      xc_arena_alloc(&im->graph.arena, room->count + 1, sizeof(*list));
  for (int64_t i = 0; i < parts; ++i)
    list[i] = i + 1 < parts ? each : size - i * each;
  *sizes = list;
  *count = room->count;
  return true;
}

// Without the dimension, which has size 1.
static xc_graph_value *drop_axis(xc_onnx_importer *im, xc_graph_value *value,
                                 size_t axis) {
  int64_t dims[XC_MAX_RANK];
  size_t rank = 0;
  for (size_t i = 0; i < value->shape.rank; ++i)
    if (i != axis)
      dims[rank++] = value->shape.dims[i];
  return xc_graph_reshape(&im->graph, value, dims, rank);
}

bool xc_onnx_split_to_sequence(xc_onnx_importer *im) {
  xc_graph_value *value;
  size_t axis, count;
  const int64_t *sizes;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 0), value->shape.rank,
                     &axis) ||
      !read_parts(im, value->shape.dims[axis], &sizes, &count))
    return false;
  bool drops = !xc_onnx_has_input(im, 1) && !xc_onnx_int(im, "keepdims", 1);
  sequence *s = new_sequence(im, (int64_t)count);
  if (!s || !xc_onnx_take_parts(im, value, axis, sizes, count, s->items))
    return false;
  for (size_t i = 0; drops && i < count; ++i)
    if (!(s->items[i] = drop_axis(im, s->items[i], axis)))
      return false;
  return result_sequence(im, s);
}

//===----------------------------------------------------------------------===//
// Reading sequences
//===----------------------------------------------------------------------===//

bool xc_onnx_sequence_at(xc_onnx_importer *im) {
  const sequence *s;
  size_t at;
  return take_sequence(im, &s) &&
         take_position(im, 1, s->count, s->count, &at) &&
         xc_onnx_result_alias(im, 0, s->items[at]);
}

bool xc_onnx_sequence_length(xc_onnx_importer *im) {
  const sequence *s;
  const xc_shape scalar = {.element = XC_ELEMENT_I64};
  if (!take_sequence(im, &s))
    return false;
  int64_t *count = xc_arena_alloc(&im->graph.arena, 1, sizeof(*count));
  *count = (int64_t)s->count;
  return xc_onnx_result_alias(
      im, 0,
      xc_graph_constant(&im->graph, im->graph.node, &scalar, count, false));
}

// With a new dimension at the axis.
static xc_graph_value *add_axis(xc_onnx_importer *im, xc_graph_value *value,
                                size_t axis) {
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i <= value->shape.rank; ++i)
    dims[i] = i == axis ? 1 : value->shape.dims[i - (i > axis)];
  return xc_graph_reshape(&im->graph, value, dims, value->shape.rank + 1);
}

bool xc_onnx_concat_from_sequence(xc_onnx_importer *im) {
  const sequence *s;
  size_t axis;
  bool stacks = xc_onnx_int(im, "new_axis", 0) != 0, is_constant = true;
  if (!take_sequence(im, &s))
    return false;
  if (s->count == 0)
    return xc_onnx_error(im, "joins the tensors of an empty sequence");
  size_t rank = s->items[0]->shape.rank + stacks;
  if (rank > XC_MAX_RANK)
    return xc_onnx_error(im, "makes %zu dimensions, expected at most %d", rank,
                         XC_MAX_RANK);
  if (!xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 0), rank, &axis))
    return false;
  xc_graph_value **values = xc_arena_alloc(&im->graph.arena, s->count,
                                           sizeof(*values)),
                 *joined = NULL;
  for (size_t i = 0; i < s->count; ++i) {
    values[i] = s->items[i];
    if (values[i]->shape.rank + stacks != rank)
      return xc_onnx_error(im, "joins tensors of %zu and %zu dimensions",
                           rank - stacks, values[i]->shape.rank);
    if (stacks && !(values[i] = add_axis(im, values[i], axis)))
      return false;
    is_constant = is_constant && values[i]->data;
  }
  if (is_constant &&
      !xc_graph_fold_concat(&im->graph, values, s->count, axis, &joined))
    return false;
  return joined ? xc_onnx_result_alias(im, 0, joined)
                : xc_onnx_join(im, values, s->count, axis);
}
