//===- OpsJoin.c - joining and cutting ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <stdio.h>

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static bool join(xc_tf_importer *im, xc_graph_value **values, size_t count,
                 size_t axis) {
  xc_graph_value *folded = NULL;
  xc_graph_order order;
  bool constant = true;
  MlirValue *operands =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*operands));
  for (size_t i = 0; i < count; ++i) {
    constant = constant && values[i]->data;
    if (values[i]->shape.rank != values[0]->shape.rank)
      return xc_tf_error(im, "its inputs have %zu and %zu dimensions",
                         values[0]->shape.rank, values[i]->shape.rank);
  }
  if (constant &&
      !xc_graph_fold_concat(&im->graph, values, count, axis, &folded))
    return false;
  if (folded)
    return xc_tf_result(im, 0, folded);
  if (!xc_tf_broadcast(im, values, count, operands, &order))
    return false;
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit_concat(&im->graph, operands, count,
                           xc_graph_position(&order, axis)),
      &order);
}

// detail 1: the axis is the last input, not the first one.
bool xc_tf_concat(xc_tf_importer *im) {
  size_t count = im->node->num_inputs, axis;
  bool is_last = im->node->row->detail == 1;
  if (count < 2)
    return xc_tf_error(im, "it has %zu inputs, expected several", count);
  --count;
  xc_graph_value **values =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*values));
  for (size_t i = 0; i < count; ++i)
    if (!(values[i] = xc_tf_input_of_rank(im, i + !is_last, 1, XC_MAX_RANK)))
      return false;
  return xc_tf_input_axis(im, is_last ? count : 0, values[0]->shape.rank,
                          &axis) &&
         join(im, values, count, axis);
}

bool xc_tf_pack(xc_tf_importer *im) {
  size_t count = im->node->num_inputs, axis;
  xc_graph_value **values =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*values));
  xc_graph_value *first = xc_tf_input_of_rank(im, 0, 0, XC_MAX_RANK - 1);
  if (!first || !xc_graph_axis(&im->graph, xc_tf_int(im, "axis", 0),
                               first->shape.rank + 1, &axis))
    return false;
  size_t rank = first->shape.rank + 1;
  for (size_t i = 0; i < count; ++i) {
    int64_t dims[XC_MAX_RANK];
    xc_graph_value *value = xc_tf_input_of_rank(im, i, rank - 1, rank - 1);
    if (!value)
      return false;
    for (size_t d = 0; d < rank; ++d)
      dims[d] = d == axis ? 1 : value->shape.dims[d - (d > axis)];
    if (!(values[i] = xc_graph_reshape(&im->graph, value, dims, rank)))
      return false;
  }
  return join(im, values, count, axis);
}

// Elements of input 0 along an axis (detail 1: input 2), where a constant says
// which.
bool xc_tf_gather(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input_of_rank(im, 0, 1, XC_MAX_RANK);
  xc_graph_value *indices = value ? xc_tf_input(im, 1) : NULL, *folded = NULL;
  size_t axis = 0;
  if (!indices || (im->node->row->detail == 1 && im->node->num_inputs > 2 &&
                   !xc_tf_input_axis(im, 2, value->shape.rank, &axis)))
    return false;
  if (value->data && indices->data &&
      !xc_graph_fold_gather(&im->graph, value, indices, axis, &folded))
    return false;
  if (folded)
    return xc_tf_result(im, 0, folded);
  size_t rank = value->shape.rank + indices->shape.rank - 1;
  const xc_attribute attributes[] = {xc_int("axis", (int64_t)axis)};
  MlirValue operands[] = {xc_tf_get_plain(im, value),
                          xc_tf_get_plain(im, indices)};
  if (rank > XC_MAX_RANK)
    return xc_tf_error(im, "its result has %zu dimensions", rank);
  xc_graph_order order = xc_graph_identity(rank);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_GATHER, operands, 2,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

// Elements [begin, end) of each dimension, by steps; -1 ends before the first.
static xc_graph_value *cut(xc_tf_importer *im, const char *part,
                           xc_graph_value *value, const xc_graph_slice *s) {
  xc_graph_value *folded = NULL;
  int64_t begin[XC_MAX_RANK], end[XC_MAX_RANK], step[XC_MAX_RANK];
  size_t rank = value->shape.rank;
  if (value->data && !value->note &&
      !xc_graph_fold_slice(&im->graph, value, s, &folded))
    return NULL;
  if (folded)
    return folded;
  xc_graph_order order = xc_graph_cheapest(value);
  for (size_t i = 0; i < rank; ++i) {
    begin[i] = s->begin[order.dim[i]];
    end[i] = s->end[order.dim[i]];
    step[i] = s->step[order.dim[i]];
    if (end[i] < 0)
      end[i] = INT32_MIN;
  }
  const xc_attribute attributes[] = {xc_ints("begin", begin, rank),
                                     xc_ints("end", end, rank),
                                     xc_ints("strides", step, rank)};
  MlirValue x = xc_tf_get(im, value, &order);
  x = xc_graph_emit(&im->graph, part, XC_TIR_STRIDED_SLICE, &x, 1,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_graph_computed(&im->graph, im->graph.node, x, &order);
}

bool xc_tf_slice(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  int64_t begin[XC_MAX_RANK], size[XC_MAX_RANK];
  size_t counts[2];
  if (!value || !xc_tf_input_ints(im, 1, begin, XC_MAX_RANK, &counts[0]) ||
      !xc_tf_input_ints(im, 2, size, XC_MAX_RANK, &counts[1]))
    return false;
  size_t rank = value->shape.rank;
  if (counts[0] != rank || counts[1] != rank)
    return xc_tf_error(im, "it cuts %zu dimensions, expected %zu", counts[0],
                       rank);
  xc_graph_slice s = xc_graph_whole(&value->shape);
  for (size_t i = 0; i < rank; ++i) {
    int64_t limit = value->shape.dims[i];
    if (begin[i] < 0 || begin[i] > limit ||
        (size[i] != -1 && (size[i] < 0 || size[i] > limit - begin[i])))
      return xc_tf_error(
          im, "dimension %zu is cut outside of its %" PRId64 " elements", i,
          limit);
    s.begin[i] = begin[i];
    s.end[i] = size[i] == -1 ? limit : begin[i] + size[i];
  }
  return xc_tf_result(im, 0, cut(im, NULL, value, &s));
}

/// A strided slice as it is written: entry by entry, with bits for special
/// ones.
typedef struct strided {
  int64_t begin[XC_MAX_RANK], end[XC_MAX_RANK], step[XC_MAX_RANK];
  size_t count;
  int64_t begins, ends, ellipsis, fresh, dropped; // masks
} strided;

static bool read_strided(xc_tf_importer *im, strided *s) {
  size_t ends, steps;
  s->begins = xc_tf_int(im, "begin_mask", 0);
  s->ends = xc_tf_int(im, "end_mask", 0);
  s->ellipsis = xc_tf_int(im, "ellipsis_mask", 0);
  s->fresh = xc_tf_int(im, "new_axis_mask", 0);
  s->dropped = xc_tf_int(im, "shrink_axis_mask", 0);
  if (!xc_tf_input_ints(im, 1, s->begin, XC_MAX_RANK, &s->count) ||
      !xc_tf_input_ints(im, 2, s->end, XC_MAX_RANK, &ends) ||
      !xc_tf_input_ints(im, 3, s->step, XC_MAX_RANK, &steps))
    return false;
  return (ends == s->count && steps == s->count) ||
         xc_tf_error(im, "its lists have %zu, %zu and %zu entries", s->count,
                     ends, steps);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

// Entry `i` for a dimension of that size.
static bool place_entry(xc_tf_importer *im, const strided *s, size_t i,
                        int64_t size, size_t dim, xc_graph_slice *slice) {
  int64_t bit = INT64_C(1) << i, step = s->step[i];
  int64_t begin = s->begin[i] + (s->begin[i] < 0 ? size : 0);
  int64_t end = s->end[i] + (s->end[i] < 0 ? size : 0);
  if (step == 0 || step < -INT32_MAX || step > INT32_MAX)
    return xc_tf_error(im, "its stride %zu is %" PRId64, i, step);
  if (s->dropped & bit) {
    if (begin < 0 || begin >= size)
      return xc_tf_error(im, "element %" PRId64 " is outside of dimension %zu",
                         begin, dim);
    slice->begin[dim] = begin;
    slice->end[dim] = begin + 1;
    slice->step[dim] = 1;
    return true;
  }
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  begin = s->begins & bit ? (step > 0 ? low : high) : clamp(begin, low, high);
  end = s->ends & bit ? (step > 0 ? high : low) : clamp(end, low, high);
  slice->begin[dim] = begin < 0 ? 0 : begin;
  slice->end[dim] = begin < 0 ? 0 : end;
  slice->step[dim] = step;
  return true;
}

// Entries stand for dimensions in turn; one may stand for all that are left.
bool xc_tf_strided_slice(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  strided s;
  if (!value || !read_strided(im, &s))
    return false;
  size_t rank = value->shape.rank, used = 0, dim = 0, out = 0;
  xc_graph_slice slice = xc_graph_whole(&value->shape);
  int64_t dims[2 * XC_MAX_RANK];
  bool drop[XC_MAX_RANK] = {false};
  size_t before[XC_MAX_RANK + 1] = {0}; // dimensions that are new
  for (size_t i = 0; i < s.count; ++i)
    used += !((s.fresh | s.ellipsis) >> i & 1);
  for (size_t i = 0; i < s.count; ++i) {
    if (s.ellipsis >> i & 1) {
      dim += rank > used ? rank - used : 0;
    } else if (s.fresh >> i & 1) {
      ++before[dim <= rank ? dim : rank];
    } else if (dim >= rank) {
      return xc_tf_error(im, "it has more entries than its input dimensions");
    } else {
      if (!place_entry(im, &s, i, value->shape.dims[dim], dim, &slice))
        return false;
      drop[dim++] = (s.dropped >> i & 1) != 0;
    }
  }
  xc_graph_value *result = cut(im, NULL, value, &slice);
  if (!result)
    return false;
  for (size_t i = 0; i <= rank; ++i) {
    for (size_t k = 0; k < before[i]; ++k)
      dims[out++] = 1;
    if (i < rank && !drop[i])
      dims[out++] = result->shape.dims[i];
  }
  if (out > XC_MAX_RANK)
    return xc_tf_error(im, "its result has %zu dimensions", out);
  return xc_tf_result(im, 0, xc_graph_reshape(&im->graph, result, dims, out));
}

// Parts of an axis that end at `ends`.
static bool split(xc_tf_importer *im, xc_graph_value *value, size_t axis,
                  const int64_t *ends, size_t count) {
  xc_graph_slice s = xc_graph_whole(&value->shape);
  for (size_t i = 0; i < count; ++i) {
    char part[24];
    snprintf(part, sizeof(part), "%zu", i);
    s.end[axis] = ends[i];
    if (i < im->node->num_outputs &&
        !xc_tf_result(im, i, cut(im, part, value, &s)))
      return false;
    s.begin[axis] = ends[i];
  }
  return true;
}

// detail 0: equal parts of input 1 along the axis in input 0, 1: of input 0, of
// the sizes in input 1, along the axis in input 2.
bool xc_tf_split(xc_tf_importer *im) {
  bool has_sizes = im->node->row->detail == 1;
  xc_graph_value *value = xc_tf_input(im, has_sizes ? 0 : 1);
  size_t axis, count = 0, open = SIZE_MAX;
  int64_t *ends = xc_arena_alloc(&im->graph.arena, TF_MAX_LIST, sizeof(*ends));
  int64_t parts = xc_tf_int(im, "num_split", 0), total = 0;
  if (!value ||
      !xc_tf_input_axis(im, has_sizes ? 2 : 0, value->shape.rank, &axis) ||
      (has_sizes && !xc_tf_input_ints(im, 1, ends, TF_MAX_LIST, &count)))
    return false;
  int64_t size = value->shape.dims[axis];
  if (!has_sizes && (parts < 1 || parts > TF_MAX_LIST || size % parts))
    return xc_tf_error(im, "%" PRId64 " elements are not divided by %" PRId64,
                       size, parts);
  for (size_t i = 0; i < count; ++i) {
    if (ends[i] == -1 && open == SIZE_MAX)
      open = i;
    else if (ends[i] < 0 || ends[i] > size)
      return xc_tf_error(im, "part %zu has %" PRId64 " elements", i, ends[i]);
    else
      total += ends[i];
  }
  if (open != SIZE_MAX)
    ends[open] = size - total;
  if (has_sizes && (open != SIZE_MAX ? total > size : total != size))
    return xc_tf_error(im,
                       "its parts have %" PRId64 " elements, expected %" PRId64,
                       total, size);
  for (size_t i = 1; i < count; ++i)
    ends[i] += ends[i - 1];
  for (int64_t i = 0; !has_sizes && i < parts; ++i)
    ends[count++] = size / parts * (i + 1);
  return split(im, value, axis, ends, count);
}

bool xc_tf_unpack(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input_of_rank(im, 0, 1, XC_MAX_RANK);
  size_t axis, count = 0;
  if (!value || !xc_graph_axis(&im->graph, xc_tf_int(im, "axis", 0),
                               value->shape.rank, &axis))
    return false;
  xc_graph_slice s = xc_graph_whole(&value->shape);
  int64_t dims[XC_MAX_RANK];
  for (size_t d = 0; d < value->shape.rank; ++d)
    if (d != axis)
      dims[count++] = value->shape.dims[d];
  for (size_t i = 0; i < im->node->num_outputs; ++i) {
    char part[24];
    snprintf(part, sizeof(part), "%zu", i);
    if ((int64_t)i >= value->shape.dims[axis])
      return xc_tf_error(im, "there is no element %zu", i);
    s.begin[axis] = (int64_t)i;
    s.end[axis] = (int64_t)i + 1;
    xc_graph_value *one = cut(im, part, value, &s);
    if (!one ||
        !xc_tf_result(im, i, xc_graph_reshape(&im->graph, one, dims, count)))
      return false;
  }
  return true;
}
