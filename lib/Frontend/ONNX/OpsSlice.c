//===- OpsSlice.c - operators that cut, pick, repeat and pad --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

typedef struct slice_lists {
  const int64_t *starts, *ends, *axes, *steps;
  size_t count, num_axes, num_steps;
} slice_lists;

static bool read_slice(xc_onnx_importer *im, slice_lists *lists) {
  enum { AS_INPUTS = 10 };
  size_t num_ends;
  *lists = (slice_lists){0};
  if (im->opset >= AS_INPUTS) {
    if (!xc_onnx_input_ints(im, 1, &lists->starts, &lists->count) ||
        !xc_onnx_input_ints(im, 2, &lists->ends, &num_ends) ||
        (xc_onnx_has_input(im, 3) &&
         !xc_onnx_input_ints(im, 3, &lists->axes, &lists->num_axes)) ||
        (xc_onnx_has_input(im, 4) &&
         !xc_onnx_input_ints(im, 4, &lists->steps, &lists->num_steps)))
      return false;
  } else {
    const Onnx__AttributeProto *starts = xc_onnx_attribute(im, "starts");
    const Onnx__AttributeProto *ends = xc_onnx_attribute(im, "ends");
    const Onnx__AttributeProto *axes = xc_onnx_attribute(im, "axes");
    if (!starts || !ends)
      return xc_onnx_error(im, "has no 'starts' or no 'ends'");
    lists->starts = starts->ints;
    lists->count = starts->n_ints;
    lists->ends = ends->ints;
    num_ends = ends->n_ints;
    lists->axes = axes ? axes->ints : NULL;
    lists->num_axes = axes ? axes->n_ints : 0;
  }
  bool fits = num_ends == lists->count &&
              (!lists->axes || lists->num_axes == lists->count) &&
              (!lists->steps || lists->num_steps == lists->count);
  return fits || xc_onnx_error(im, "has lists of different lengths");
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

bool xc_onnx_slice_bounds(xc_onnx_importer *im, const xc_shape *shape,
                          xc_graph_slice *slice) {
  slice_lists lists;
  if (!read_slice(im, &lists))
    return false;
  *slice = xc_graph_whole(shape);
  for (size_t i = 0; i < lists.count; ++i) {
    size_t axis;
    if (!xc_graph_axis(&im->graph, lists.axes ? lists.axes[i] : (int64_t)i,
                       shape->rank, &axis))
      return false;
    int64_t size = shape->dims[axis];
    int64_t pace = lists.steps ? lists.steps[i] : 1;
    if (pace == 0 || pace == INT64_MIN)
      return xc_onnx_error(im, "has step %" PRId64, pace);
    int64_t first = lists.starts[i], last = lists.ends[i];
    first += first < 0 && first >= -size ? size : 0;
    last += last < 0 && last >= -size ? size : 0;
    slice->begin[axis] = pace > 0 ? clamp(first, 0, size)
                                  : clamp(first, size > 0 ? 0 : -1, size - 1);
    slice->end[axis] =
        pace > 0 ? clamp(last, 0, size) : clamp(last, -1, size - 1);
    slice->step[axis] = clamp(pace, -INT32_MAX, INT32_MAX);
  }
  return true;
}

// Cuts begin..end (exclusive, -1: before the first) out of a value.
static MlirValue emit_slice(xc_onnx_importer *im, xc_graph_value *value,
                            const xc_graph_slice *slice,
                            xc_graph_order *order) {
  size_t rank = value->shape.rank;
  *order = xc_graph_cheapest(value);
  int64_t from[XC_MAX_RANK], to[XC_MAX_RANK], by[XC_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) {
    size_t dim = order->dim[i];
    from[i] = slice->begin[dim];
    // The attribute counts negative ends from the back.
    to[i] = slice->end[dim] < 0 ? INT32_MIN : slice->end[dim];
    by[i] = slice->step[dim];
  }
  MlirValue input = xc_graph_get(&im->graph, value, order);
  xc_attribute attributes[] = {xc_ints("begin", from, rank),
                               xc_ints("end", to, rank),
                               xc_ints("strides", by, rank)};
  return xc_graph_emit(&im->graph, NULL, XC_TIR_STRIDED_SLICE, &input, 1,
                       &(xc_attributes){attributes, 3}, XC_ELEMENT_NONE);
}

static bool result_slice(xc_onnx_importer *im, size_t output,
                         xc_graph_value *value, const xc_graph_slice *slice) {
  xc_graph_order order;
  MlirValue part = emit_slice(im, value, slice, &order);
  return xc_onnx_result(im, output, part, &order);
}

bool xc_onnx_slice(xc_onnx_importer *im) {
  xc_graph_value *value;
  xc_graph_slice slice;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_slice_bounds(im, &value->shape, &slice))
    return false;
  bool is_whole = true;
  for (size_t i = 0; i < value->shape.rank; ++i) {
    // begin -1 with a negative step: nothing is left.
    if (slice.step[i] < 0 && slice.begin[i] < 0)
      slice.begin[i] = slice.end[i] = 0;
    is_whole = is_whole && slice.begin[i] == 0 &&
               slice.end[i] == value->shape.dims[i] && slice.step[i] == 1;
  }
  return is_whole ? xc_onnx_result_alias(im, 0, value)
                  : result_slice(im, 0, value, &slice);
}

// The sizes of the parts: input 1, an attribute, or equal parts.
static bool split_sizes(xc_onnx_importer *im, int64_t size,
                        const int64_t **sizes, size_t *count) {
  enum { AS_INPUT = 13 };
  const Onnx__AttributeProto *split = xc_onnx_attribute(im, "split");
  size_t parts = im->node->n_output;
  if (im->opset >= AS_INPUT && xc_onnx_has_input(im, 1))
    return xc_onnx_input_ints(im, 1, sizes, count);
  if (im->opset < AS_INPUT && split) {
    *sizes = split->ints;
    *count = split->n_ints;
    return true;
  }
  int64_t *list = xc_arena_alloc(&im->graph.arena, parts + 1, sizeof(*list));
  int64_t each = parts ? (size + (int64_t)parts - 1) / (int64_t)parts : 0;
  for (size_t i = 0; i < parts; ++i) {
    int64_t left = size - (int64_t)i * each;
    list[i] = left < 0 ? 0 : left < each ? left : each;
  }
  *sizes = list;
  *count = parts;
  return true;
}

// A part of a constant is a constant: what repeats rows a number of times each
// splits the numbers.
static xc_graph_value *take_part(xc_onnx_importer *im, xc_graph_value *value,
                                 size_t axis, int64_t begin, int64_t end) {
  xc_graph_slice slice = xc_graph_whole(&value->shape);
  xc_graph_value *part = NULL;
  xc_graph_order order;
  slice.begin[axis] = begin;
  slice.end[axis] = end;
  if (value->data && !xc_graph_fold_slice(&im->graph, value, &slice, &part))
    return NULL;
  if (part)
    return part;
  MlirValue mlir = emit_slice(im, value, &slice, &order);
  return xc_graph_computed(&im->graph, im->graph.node, mlir, &order);
}

bool xc_onnx_take_parts(xc_onnx_importer *im, xc_graph_value *value,
                        size_t axis, const int64_t *sizes, size_t count,
                        xc_graph_value **parts) {
  int64_t size = value->shape.dims[axis], at = 0;
  for (size_t i = 0; i < count; at += sizes[i++])
    if (sizes[i] < 0 || sizes[i] > size - at)
      return xc_onnx_error(im,
                           "has a part of size %" PRId64 " at %" PRId64
                           " of dimension %zu of size %" PRId64,
                           sizes[i], at, axis, size);
  if (at != size)
    return xc_onnx_error(
        im, "has parts of %" PRId64 " in all, expected %" PRId64, at, size);
  at = 0;
  for (size_t i = 0; i < count; at += sizes[i++])
    if (!(parts[i] = take_part(im, value, axis, at, at + sizes[i])))
      return false;
  return true;
}

bool xc_onnx_split(xc_onnx_importer *im) {
  xc_graph_value *value;
  size_t axis, count;
  const int64_t *sizes;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 0), value->shape.rank,
                     &axis) ||
      !split_sizes(im, value->shape.dims[axis], &sizes, &count))
    return false;
  if (count != im->node->n_output)
    return xc_onnx_error(im, "has %zu sizes, expected %zu as it has outputs",
                         count, im->node->n_output);
  xc_graph_value **parts =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*parts));
  if (!xc_onnx_take_parts(im, value, axis, sizes, count, parts))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (xc_onnx_has_output(im, i) && !xc_onnx_result_alias(im, i, parts[i]))
      return false;
  return true;
}

bool xc_onnx_gather(xc_onnx_importer *im) {
  xc_graph_value *value, *indices;
  size_t axis;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_need_input(im, 1, &indices) ||
      !xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 0), value->shape.rank,
                     &axis))
    return false;
  size_t rank = value->shape.rank;
  xc_graph_order order = indices->shape.rank == 1 ? xc_graph_cheapest(value)
                                                  : xc_graph_identity(rank);
  MlirValue operands[] = {xc_graph_get(&im->graph, value, &order),
                          xc_graph_get_plain(&im->graph, indices)};
  xc_attribute attribute =
      xc_int("axis", (int64_t)xc_graph_position(&order, axis));
  MlirValue result =
      xc_graph_emit(&im->graph, NULL, XC_TIR_GATHER, operands, 2,
                    &(xc_attributes){&attribute, 1}, XC_ELEMENT_NONE);
  return indices->shape.rank == 1 ? xc_onnx_result(im, 0, result, &order)
                                  : xc_onnx_result_plain(im, 0, result);
}

//===----------------------------------------------------------------------===//
// Repeating and padding
//===----------------------------------------------------------------------===//

static MlirValue emit_expand(xc_onnx_importer *im, MlirValue input,
                             const int64_t *dims, size_t rank) {
  xc_attribute attribute = xc_ints("shape", dims, rank);
  return xc_graph_emit(&im->graph, NULL, XC_TIR_EXPAND, &input, 1,
                       &(xc_attributes){&attribute, 1}, XC_ELEMENT_NONE);
}

bool xc_onnx_expand(xc_onnx_importer *im) {
  xc_graph_value *value;
  const int64_t *wanted;
  size_t count;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_input_ints(im, 1, &wanted, &count))
    return false;
  size_t rank = count > value->shape.rank ? count : value->shape.rank;
  int64_t dims[XC_MAX_RANK];
  if (rank > XC_MAX_RANK)
    return xc_onnx_error(im, "makes %zu dimensions, expected at most %d", rank,
                         XC_MAX_RANK);
  for (size_t i = 0; i < rank; ++i) {
    size_t lead = rank - value->shape.rank, skip = rank - count;
    int64_t have = i < lead ? 1 : value->shape.dims[i - lead];
    int64_t want = i < skip ? 1 : wanted[i - skip];
    if (have != 1 && want != 1 && have != want)
      return xc_onnx_error(
          im, "cannot expand size %" PRId64 " to %" PRId64 " in dimension %zu",
          have, want, i);
    dims[i] = want == 1 ? have : want;
  }
  return xc_onnx_result_plain(
      im, 0,
      emit_expand(im, xc_graph_get_plain(&im->graph, value), dims, rank));
}

bool xc_onnx_tile(xc_onnx_importer *im) {
  xc_graph_value *value;
  const int64_t *repeats;
  size_t count;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_input_ints(im, 1, &repeats, &count))
    return false;
  if (count != value->shape.rank)
    return xc_onnx_error(im, "has %zu repeats, expected %zu", count,
                         value->shape.rank);
  return xc_onnx_result_plain(
      im, 0,
      xc_graph_emit_tile(&im->graph, xc_graph_get_plain(&im->graph, value),
                         repeats));
}

// Before and after for each dimension in turn, from ONNX's list of all befores
// and then all afters.
static bool read_pads(xc_onnx_importer *im, size_t rank, int64_t *pads) {
  enum { AS_INPUTS = 11 };
  int64_t list[2 * XC_MAX_RANK];
  const int64_t *given = list;
  size_t count, num_axes = 0;
  const int64_t *axes = NULL;
  if (im->opset >= AS_INPUTS) {
    if (!xc_onnx_input_ints(im, 1, &given, &count) ||
        (xc_onnx_has_input(im, 3) &&
         !xc_onnx_input_ints(im, 3, &axes, &num_axes)))
      return false;
  } else if (!xc_onnx_ints(im, "pads", list, 2 * XC_MAX_RANK, &count)) {
    return false;
  }
  size_t expected = axes ? num_axes : rank;
  if (count != 2 * expected)
    return xc_onnx_error(im, "has %zu pads, expected %zu", count, 2 * expected);
  memset(pads, 0, 2 * rank * sizeof(*pads));
  for (size_t i = 0; i < expected; ++i) {
    size_t axis = i;
    if (axes && !xc_graph_axis(&im->graph, axes[i], rank, &axis))
      return false;
    pads[2 * axis] = given[i];
    pads[2 * axis + 1] = given[expected + i];
  }
  return true;
}

static const char *pad_mode(xc_onnx_importer *im) {
  static const struct {
    const char *onnx, *tir;
  } modes[] = {
      {"constant", "CONSTANT"}, {"reflect", "REFLECT"}, {"edge", "EDGE"}};
  const char *mode = xc_onnx_string(im, "mode", "constant");
  for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); ++i)
    if (strcmp(mode, modes[i].onnx) == 0)
      return modes[i].tir;
  xc_onnx_error(im,
                "attribute 'mode' is '%s', expected 'constant', 'reflect', "
                "'edge' or 'wrap'",
                mode);
  return NULL;
}

// Each dimension goes on at its other end: entries by number.
static bool pad_around(xc_onnx_importer *im, xc_graph_value *value,
                       const int64_t *pads) {
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue x = xc_graph_get(&im->graph, value, &order);
  for (size_t i = 0; i < value->shape.rank; ++i) {
    const int64_t *p = pads + 2 * order.dim[i];
    int64_t size = value->shape.dims[order.dim[i]];
    int64_t count = size + p[0] + p[1];
    if (p[0] == 0 && p[1] == 0)
      continue;
    if (p[0] < 0 || p[1] < 0 || size == 0)
      return xc_onnx_error(im,
                           "wraps a dimension of size %" PRId64 " by %" PRId64
                           " and %" PRId64,
                           size, p[0], p[1]);
    int64_t *entries = xc_graph_table(&im->graph, count, sizeof(*entries));
    if (!entries)
      return false;
    for (int64_t at = 0; at < count; ++at)
      entries[at] = (at - p[0] % size + size) % size;
    x = xc_graph_emit_entries(&im->graph, x, i, entries, count);
  }
  return xc_onnx_result(im, 0, x, &order);
}

// A pad with one number, constants of other modes are not read.
static bool pad_with(xc_onnx_importer *im, xc_graph_value *value,
                     const int64_t *pads, const char *mode, double constant) {
  int64_t moved[2 * XC_MAX_RANK];
  size_t rank = value->shape.rank;
  xc_graph_order order = xc_graph_cheapest(value);
  for (size_t i = 0; i < rank; ++i)
    memcpy(moved + 2 * i, pads + 2 * order.dim[i], 2 * sizeof(*pads));
  MlirValue input = xc_graph_get(&im->graph, value, &order);
  xc_attribute attributes[] = {xc_ints("paddings", moved, 2 * rank),
                               xc_string("mode", mode),
                               xc_float("constant_value", constant)};
  return xc_onnx_emit_result(im, XC_TIR_PAD, &input, 1,
                             &(xc_attributes){attributes, 3}, XC_ELEMENT_NONE,
                             &order);
}

bool xc_onnx_pad(xc_onnx_importer *im) {
  xc_graph_value *value;
  int64_t pads[2 * XC_MAX_RANK];
  double constant = (double)xc_onnx_float(im, "value", 0);
  if (!xc_onnx_need_input(im, 0, &value) ||
      !read_pads(im, value->shape.rank, pads))
    return false;
  if (im->opset >= 11 && xc_onnx_has_input(im, 2)) {
    const float *number;
    size_t count;
    if (!xc_onnx_input_floats(im, 2, &number, &count))
      return false;
    constant = count ? (double)number[0] : 0;
  }
  if (strcmp(xc_onnx_string(im, "mode", "constant"), "wrap") == 0)
    return pad_around(im, value, pads);
  const char *mode = pad_mode(im);
  return mode && pad_with(im, value, pads, mode, constant);
}

// Cut or filled with zeros on both sides; of an odd number of entries one more
// at the end.
bool xc_onnx_center_crop_pad(xc_onnx_importer *im) {
  xc_graph_value *value;
  const int64_t *sizes;
  size_t count, num_axes;
  int64_t axes[XC_MAX_RANK], pads[2 * XC_MAX_RANK] = {0};
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_input_ints(im, 1, &sizes, &count) ||
      !xc_onnx_ints(im, "axes", axes, XC_MAX_RANK, &num_axes))
    return false;
  size_t expected = num_axes ? num_axes : value->shape.rank;
  if (count != expected)
    return xc_onnx_error(im, "has %zu sizes, expected %zu", count, expected);
  for (size_t i = 0; i < count; ++i) {
    size_t axis = i;
    if (num_axes &&
        !xc_graph_axis(&im->graph, axes[i], value->shape.rank, &axis))
      return false;
    if (sizes[i] < 0 || sizes[i] > INT32_MAX)
      return xc_onnx_error(im, "has size %" PRId64, sizes[i]);
    int64_t more = sizes[i] - value->shape.dims[axis];
    pads[2 * axis] = more / 2;
    pads[2 * axis + 1] = more - more / 2;
  }
  return pad_with(im, value, pads, "CONSTANT", 0);
}
