//===- OpsScatter.c - updates of parts of a tensor ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PyTorch writes the assignment to a slice as a ScatterND whose indices are
// constant. Each row of the result then comes from a row that is known: the
// result is a gather of the rows of data and updates, one after the other.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <string.h>

typedef struct scatter {
  xc_graph_value *data, *updates;
  const xc_shape *at; // of the indices
  const int64_t *indices;
  // Rows of data and updates, and the elements of one.
  int64_t rows, count, inner;
  int64_t *source; // the row of both, data first, for each of the result
} scatter;

static bool read_scatter(onnx_importer *im, scatter *s) {
  xc_graph_value *indices;
  size_t count;
  if (!onnx_need_input(im, 0, &s->data) || !onnx_need_input(im, 1, &indices) ||
      !onnx_need_input(im, 2, &s->updates) ||
      !onnx_check_rank(im, s->data, 1, XC_MAX_RANK) ||
      !onnx_check_rank(im, indices, 1, XC_MAX_RANK) ||
      !onnx_input_ints(im, 1, &s->indices, &count))
    return false;
  s->at = &indices->shape;
  const char *reduction = onnx_string(im, "reduction", "none");
  return strcmp(reduction, "none") == 0 ||
         onnx_error(im, "attribute 'reduction' is '%s', expected none",
                    reduction);
}

static bool begin_rows(onnx_importer *im, scatter *s) {
  s->source = xc_graph_table(&im->graph, s->rows, sizeof(*s->source));
  if (!s->source)
    return false;
  for (int64_t i = 0; i < s->rows; ++i)
    s->source[i] = i;
  return true;
}

// An index of a dimension; negative ones count from its end.
static bool count_index(onnx_importer *im, int64_t *index, int64_t size) {
  if (*index < -size || *index >= size)
    return onnx_error(im, "index %" PRId64 " of a dimension of %" PRId64,
                      *index, size);
  *index += *index < 0 ? size : 0;
  return true;
}

static MlirValue emit_flat(onnx_importer *im, xc_graph_value *value,
                           int64_t rows, int64_t inner) {
  const int64_t dims[] = {rows, inner};
  xc_graph_value *flat = xc_graph_reshape(&im->graph, value, dims, 2);
  return flat ? xc_graph_get_plain(&im->graph, flat) : (MlirValue){NULL};
}

static bool emit_scatter(onnx_importer *im, const scatter *s) {
  xc_graph *graph = &im->graph;
  if (s->count == 0)
    return onnx_result_alias(im, 0, s->data);
  const MlirValue parts[] = {emit_flat(im, s->data, s->rows, s->inner),
                             emit_flat(im, s->updates, s->count, s->inner)};
  const xc_attribute axis[] = {xc_int("axis", 0)};
  const MlirValue operands[] = {
      xc_graph_emit(graph, "rows", XC_TIR_CONCAT, parts, 2, XC_ATTRIBUTES(axis),
                    XC_ELEMENT_NONE),
      xc_graph_emit_ints(graph, s->source, &s->rows, 1)};
  MlirValue result = xc_graph_emit(graph, "gather", XC_TIR_GATHER, operands, 2,
                                   XC_ATTRIBUTES(axis), XC_ELEMENT_NONE);
  return onnx_result_plain(im, 0,
                           xc_graph_emit_reshape(graph, result,
                                                 s->data->shape.dims,
                                                 s->data->shape.rank));
}

//===----------------------------------------------------------------------===//
// ScatterND
//===----------------------------------------------------------------------===//

static bool check_updates(onnx_importer *im, const scatter *s, size_t depth) {
  const xc_shape *data = &s->data->shape, *updates = &s->updates->shape;
  size_t lead = s->at->rank - 1;
  bool fits = updates->rank == lead + data->rank - depth;
  for (size_t i = 0; fits && i < updates->rank; ++i)
    fits = updates->dims[i] ==
           (i < lead ? s->at->dims[i] : data->dims[i - lead + depth]);
  return fits || onnx_error(im, "has updates of a shape that does not fit data "
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
    b->begin[d] = s->indices[d];
    b->end[d] = s->indices[(s->count - 1) * last + (int64_t)d] + 1;
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
      if (s->indices[i * last + (int64_t)d] != b->begin[d] + rest % size)
        return false;
      rest /= size;
    }
  }
  return true;
}

// What is before the box, the box, and what is after it, dimension by
// dimension.
static MlirValue emit_box(onnx_importer *im, const box *b, MlirValue data,
                          MlirValue updates, size_t dim) {
  xc_graph *graph = &im->graph;
  if (dim == b->depth || mlirValueIsNull(data))
    return updates;
  int64_t size = xc_graph_shape_of(data).dims[dim];
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

static bool assign_box(onnx_importer *im, const scatter *s, const box *b) {
  int64_t dims[XC_MAX_RANK];
  const xc_shape *data = &s->data->shape;
  for (size_t d = 0; d < data->rank; ++d)
    dims[d] = d < b->depth ? b->end[d] - b->begin[d] : data->dims[d];
  xc_graph_value *updates =
      xc_graph_reshape(&im->graph, s->updates, dims, data->rank);
  if (!updates)
    return false;
  return onnx_result_plain(
      im, 0,
      emit_box(im, b, xc_graph_get_plain(&im->graph, s->data),
               xc_graph_get_plain(&im->graph, updates), 0));
}

// The last dimension of the indices has positions in the first of data.
bool onnx_scatter_nd(onnx_importer *im) {
  scatter s;
  if (!read_scatter(im, &s))
    return false;
  const xc_shape *data = &s.data->shape;
  int64_t last = s.at->dims[s.at->rank - 1];
  if (last < 1 || last > (int64_t)data->rank)
    return onnx_error(im, "has %" PRId64 " indices for a tensor of rank %zu",
                      last, data->rank);
  size_t depth = (size_t)last;
  s.rows = xc_graph_product(data, 0, depth);
  s.inner = xc_graph_product(data, depth, data->rank);
  s.count = xc_graph_product(s.at, 0, s.at->rank - 1);
  box b;
  if (!check_updates(im, &s, depth))
    return false;
  if (find_box(&s, &b))
    return assign_box(im, &s, &b);
  if (!begin_rows(im, &s))
    return false;
  for (int64_t i = 0; i < s.count; ++i) {
    int64_t row = 0;
    for (size_t d = 0; d < depth; ++d) {
      int64_t index = s.indices[i * last + (int64_t)d];
      if (!count_index(im, &index, data->dims[d]))
        return false;
      row = row * data->dims[d] + index;
    }
    s.source[row] = s.rows + i;
  }
  return emit_scatter(im, &s);
}

//===----------------------------------------------------------------------===//
// ScatterElements
//===----------------------------------------------------------------------===//

// Each update goes to its own position, but for the index along the axis.
bool onnx_scatter_elements(onnx_importer *im) {
  scatter s;
  size_t axis;
  if (!read_scatter(im, &s) ||
      !xc_graph_axis(&im->graph, onnx_int(im, "axis", 0), s.data->shape.rank,
                     &axis))
    return false;
  const xc_shape *data = &s.data->shape, *at = s.at;
  bool fits = at->rank == data->rank && s.updates->shape.rank == at->rank;
  for (size_t i = 0; fits && i < at->rank; ++i)
    fits = at->dims[i] == s.updates->shape.dims[i] &&
           (i == axis || at->dims[i] <= data->dims[i]);
  if (!fits)
    return onnx_error(im, "has updates or indices of a shape that does not fit "
                          "the data");
  s.rows = xc_shape_num_elements(data);
  s.inner = 1;
  s.count = xc_shape_num_elements(at);
  if (!begin_rows(im, &s))
    return false;
  int64_t strides[XC_MAX_RANK];
  xc_shape_strides(data, strides);
  for (int64_t i = 0; i < s.count; ++i) {
    int64_t rest = i, row = 0, index = s.indices[i];
    if (!count_index(im, &index, data->dims[axis]))
      return false;
    for (size_t d = at->rank; d-- > 0; rest /= at->dims[d])
      row += (d == axis ? index : rest % at->dims[d]) * strides[d];
    s.source[row] = s.rows + i;
  }
  return emit_scatter(im, &s);
}
