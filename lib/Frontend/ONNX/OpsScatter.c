//===- OpsScatter.c - updates of parts of a tensor ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each update goes to a row of the data, or is combined with it: a tir.scatter
// on rows, whose numbers are constant where the indices are. PyTorch writes the
// assignment to a slice as a ScatterND whose indices are those of a box, which
// becomes slices and concats.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <string.h>

typedef struct scatter {
  xc_graph_value *data, *indices, *updates;
  const xc_shape *at;    // of the indices
  const int64_t *known;  // the indices where they are constant, or null
  int64_t count;         // updates
  const char *reduction; // as tir.scatter has it
} scatter;

// Reads the word of an attribute that operators have from version 16 on.
static bool read_reduction(xc_onnx_importer *im, const char **reduction) {
  static const char *const words[][2] = {{"none", "NONE"},
                                         {"add", "ADD"},
                                         {"mul", "MUL"},
                                         {"min", "MIN"},
                                         {"max", "MAX"}};
  const char *word = xc_onnx_string(im, "reduction", "none");
  for (size_t i = 0; i < sizeof(words) / sizeof(*words); ++i)
    if (strcmp(word, words[i][0]) == 0) {
      *reduction = words[i][1];
      return true;
    }
  return xc_onnx_error(
      im,
      "attribute 'reduction' is '%s', expected none, add, mul, "
      "min or max",
      word);
}

static bool read_scatter(xc_onnx_importer *im, scatter *s) {
  size_t count;
  if (!xc_onnx_need_input(im, 0, &s->data) ||
      !xc_onnx_need_input(im, 1, &s->indices) ||
      !xc_onnx_need_input(im, 2, &s->updates) ||
      !xc_onnx_check_rank(im, s->data, 1, XC_MAX_RANK) ||
      !xc_onnx_check_rank(im, s->indices, 1, XC_MAX_RANK) ||
      (s->indices->data && !xc_onnx_input_ints(im, 1, &s->known, &count)))
    return false;
  s->at = &s->indices->shape;
  return read_reduction(im, &s->reduction);
}

// An index of a dimension; negative ones count from its end.
static bool count_index(xc_onnx_importer *im, int64_t *index, int64_t size) {
  if (*index < -size || *index >= size)
    return xc_onnx_error(im, "index %" PRId64 " of a dimension of %" PRId64,
                         *index, size);
  *index += *index < 0 ? size : 0;
  return true;
}

// `rows` are the known ones, as many as updates, or null.
static bool emit_rows(xc_onnx_importer *im, const scatter *s,
                      const int64_t *rows) {
  xc_graph *graph = &im->graph;
  return xc_onnx_result_plain(
      im, 0,
      xc_graph_emit_scatter(graph, xc_graph_get_plain(graph, s->data),
                            xc_graph_emit_ints(graph, rows, &s->count, 1),
                            xc_graph_get_plain(graph, s->updates),
                            s->reduction));
}

//===----------------------------------------------------------------------===//
// ScatterND
//===----------------------------------------------------------------------===//

static bool check_updates(xc_onnx_importer *im, const scatter *s,
                          size_t depth) {
  const xc_shape *data = &s->data->shape, *updates = &s->updates->shape;
  size_t lead = s->at->rank - 1;
  bool fits = updates->rank == lead + data->rank - depth;
  for (size_t i = 0; fits && i < updates->rank; ++i)
    fits = updates->dims[i] ==
           (i < lead ? s->at->dims[i] : data->dims[i - lead + depth]);
  return fits ||
         xc_onnx_error(im, "has updates of a shape that does not fit data "
                           "and indices");
}

/// Rows of data that are a box: so exporters write the assignment to a slice.
typedef struct box {
  int64_t begin[XC_MAX_RANK], end[XC_MAX_RANK];
  size_t depth; // dimensions that have indices
} box;

// Whether the indices are all positions of a box, the last dimension first.
static bool find_box(const scatter *s, box *b) {
  const xc_shape *data = &s->data->shape;
  int64_t last = s->at->dims[s->at->rank - 1], volume = 1;
  b->depth = (size_t)last;
  for (size_t d = 0; s->count > 0 && d < b->depth; ++d) {
    b->begin[d] = s->known[d];
    b->end[d] = s->known[(s->count - 1) * last + (int64_t)d] + 1;
    if (b->begin[d] < 0 || b->end[d] <= b->begin[d] ||
        b->end[d] > data->dims[d] ||
        volume > s->count / (b->end[d] - b->begin[d]))
      return false;
    volume *= b->end[d] - b->begin[d];
  }
  if (s->count == 0 || volume != s->count)
    return false;
  for (int64_t i = 0; i < s->count; ++i) {
    int64_t rest = i;
    for (size_t d = b->depth; d-- > 0;) {
      int64_t size = b->end[d] - b->begin[d];
      if (s->known[i * last + (int64_t)d] != b->begin[d] + rest % size)
        return false;
      rest /= size;
    }
  }
  return true;
}

// Joins the elements before the box, the box, and those after it, dimension by
// dimension.
static MlirValue emit_box(xc_onnx_importer *im, const box *b, MlirValue data,
                          MlirValue updates, size_t dim) {
  xc_graph *graph = &im->graph;
  if (dim == b->depth || mlirValueIsNull(data))
    return updates;
  int64_t size = xc_value_shape(data).dims[dim];
  int64_t begin = b->begin[dim], end = b->end[dim];
  MlirValue parts[3];
  size_t count = 0;
  if (begin > 0)
    parts[count++] = xc_graph_emit_part(graph, data, dim, 0, begin);
  MlirValue inside = begin > 0 || end < size
                         ? xc_graph_emit_part(graph, data, dim, begin, end)
                         : data;
  parts[count++] = emit_box(im, b, inside, updates, dim + 1);
  if (end < size)
    parts[count++] = xc_graph_emit_part(graph, data, dim, end, size);
  return count == 1 ? parts[0] : xc_graph_emit_concat(graph, parts, count, dim);
}

static bool assign_box(xc_onnx_importer *im, const scatter *s, const box *b) {
  int64_t dims[XC_MAX_RANK];
  const xc_shape *data = &s->data->shape;
  for (size_t d = 0; d < data->rank; ++d)
    dims[d] = d < b->depth ? b->end[d] - b->begin[d] : data->dims[d];
  xc_graph_value *updates =
      xc_graph_reshape(&im->graph, s->updates, dims, data->rank);
  if (!updates)
    return false;
  return xc_onnx_result_plain(
      im, 0,
      emit_box(im, b, xc_graph_get_plain(&im->graph, s->data),
               xc_graph_get_plain(&im->graph, updates), 0));
}

// The last dimension of the indices has positions in the first of data.
bool xc_onnx_scatter_nd(xc_onnx_importer *im) {
  scatter s = {.known = NULL};
  xc_graph *graph = &im->graph;
  if (!read_scatter(im, &s))
    return false;
  const xc_shape *data = &s.data->shape;
  int64_t last = s.at->dims[s.at->rank - 1];
  if (last < 1 || last > (int64_t)data->rank)
    return xc_onnx_error(im, "has %" PRId64 " indices for a tensor of rank %zu",
                         last, data->rank);
  size_t depth = (size_t)last;
  s.count = xc_graph_product(s.at, 0, s.at->rank - 1);
  box b;
  if (!check_updates(im, &s, depth))
    return false;
  if (s.count == 0)
    return xc_onnx_result_alias(im, 0, s.data);
  if (!s.known)
    return xc_onnx_result_plain(
        im, 0,
        xc_graph_emit_scatter_nd(graph, xc_graph_get_plain(graph, s.data),
                                 xc_graph_get_plain(graph, s.indices),
                                 xc_graph_get_plain(graph, s.updates),
                                 s.reduction));
  if (strcmp(s.reduction, "NONE") == 0 && find_box(&s, &b))
    return assign_box(im, &s, &b);
  int64_t *rows = xc_graph_table(graph, s.count, sizeof(*rows));
  for (int64_t i = 0; rows && i < s.count; ++i)
    for (size_t d = 0; d < depth; ++d) {
      int64_t index = s.known[i * last + (int64_t)d];
      if (!count_index(im, &index, data->dims[d]))
        return false;
      rows[i] = rows[i] * data->dims[d] + index;
    }
  return rows && emit_rows(im, &s, rows);
}

//===----------------------------------------------------------------------===//
// ScatterElements
//===----------------------------------------------------------------------===//

// Each update goes to its own position, but for the index along the axis.
bool xc_onnx_scatter_elements(xc_onnx_importer *im) {
  scatter s = {.known = NULL};
  xc_graph *graph = &im->graph;
  size_t axis;
  if (!read_scatter(im, &s) || !xc_graph_axis(graph, xc_onnx_int(im, "axis", 0),
                                              s.data->shape.rank, &axis))
    return false;
  const xc_shape *data = &s.data->shape, *at = s.at;
  bool fits = at->rank == data->rank && s.updates->shape.rank == at->rank;
  for (size_t i = 0; fits && i < at->rank; ++i)
    fits = at->dims[i] == s.updates->shape.dims[i] &&
           (i == axis || at->dims[i] <= data->dims[i]);
  if (!fits)
    return xc_onnx_error(im,
                         "has updates or indices of a shape that does not fit "
                         "the data");
  s.count = xc_shape_num_elements(at);
  if (s.count == 0)
    return xc_onnx_result_alias(im, 0, s.data);
  if (!s.known)
    return xc_onnx_result_plain(
        im, 0,
        xc_graph_emit_scatter_elements(graph, xc_graph_get_plain(graph, s.data),
                                       xc_graph_get_plain(graph, s.indices),
                                       xc_graph_get_plain(graph, s.updates),
                                       axis, s.reduction));
  int64_t strides[XC_MAX_RANK];
  xc_shape_strides(data, strides);
  int64_t *rows = xc_graph_table(graph, s.count, sizeof(*rows));
  for (int64_t i = 0; rows && i < s.count; ++i) {
    int64_t rest = i, index = s.known[i];
    if (!count_index(im, &index, data->dims[axis]))
      return false;
    for (size_t d = at->rank; d-- > 0; rest /= at->dims[d])
      rows[i] += (d == axis ? index : rest % at->dims[d]) * strides[d];
  }
  return rows && emit_rows(im, &s, rows);
}
