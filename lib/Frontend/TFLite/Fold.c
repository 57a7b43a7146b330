//===- Fold.c - evaluating shape arithmetic -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files compute the shapes of RESHAPE, RESIZE and others from the shapes of
// other tensors. All shapes are known here, so the operators between are
// evaluated: on vectors and scalars of 32- and 64-bit integers.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_ENTRIES = 64 };

typedef struct fold_row fold_row;

/// One evaluation. A fold function sets `result` or leaves it null to let the
/// operator do its work; false means an error.
typedef struct folding {
  xc_tflite_context *c;
  xc_graph *graph;
  const fold_row *row;
  xc_element element; // of the output
  xc_graph_value *result;
} folding;

struct fold_row {
  int64_t code;
  bool (*function)(folding *f);
  xc_graph_scalar scalar;
  bool is_fused; // has an activation
};

static bool is_index(xc_element element) {
  return element == XC_ELEMENT_I32 || element == XC_ELEMENT_I64;
}

static size_t count_of(const xc_graph_value *value) {
  return (size_t)xc_shape_num_elements(&value->shape);
}

// Returns an input whose integers are known, or null.
static xc_graph_value *known(const folding *f, size_t index) {
  xc_graph_value *value = xc_tflite_known(f->c, index);
  bool is_list = value && is_index(value->shape.element) &&
                 value->shape.rank <= 1 && count_of(value) <= MOST_ENTRIES;
  return is_list ? value : NULL;
}

static bool set_list(folding *f, const int64_t *entries, size_t count,
                     size_t rank) {
  const xc_shape shape = {
      .element = f->element, .rank = rank, .dims = {(int64_t)count}};
  uint8_t *data =
      xc_graph_alloc(f->graph, (int64_t)count, xc_element_size(f->element));
  for (size_t i = 0; data && i < count; ++i)
    xc_graph_store(f->element, data, (int64_t)i,
                   (xc_graph_number){.integer = entries[i]});
  if (data)
    f->result =
        xc_graph_constant(f->graph, f->graph->node, &shape, data, false);
  return true;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool fold_shape(folding *f) {
  const xc_graph_value *value = xc_tflite_find(f->c, 0);
  return !value || value->shape.rank == 0 ||
         set_list(f, value->shape.dims, value->shape.rank, 1);
}

static bool fold_rank(folding *f) {
  const xc_graph_value *value = xc_tflite_find(f->c, 0);
  const int64_t rank = value ? (int64_t)value->shape.rank : 0;
  return !value || set_list(f, &rank, 1, 0);
}

static bool fold_list(folding *f, xc_graph_value *value, size_t rank) {
  const int64_t dims[] = {(int64_t)count_of(value)};
  if (rank == 1 || count_of(value) == 1)
    f->result = xc_graph_reshape(f->graph, value, dims, rank);
  return true;
}

// Inputs of that rank one after the other.
static bool join(folding *f, size_t rank) {
  size_t count = f->c->operator->num_inputs, total = 0;
  xc_graph_value **values =
      xc_arena_alloc(&f->graph->arena, count, sizeof(*values));
  for (size_t i = 0; i < count; ++i) {
    xc_graph_value *value = known(f, i);
    if (!value || value->shape.rank != rank ||
        (total += count_of(value)) > MOST_ENTRIES)
      return true;
    fold_list(f, value, 1);
    values[i] = f->result;
    f->result = NULL;
  }
  return xc_graph_fold_concat(f->graph, values, count, 0, &f->result);
}

static bool fold_pack(folding *f) { return join(f, 0); }
static bool fold_concat(folding *f) { return join(f, 1); }

// The shape that two shapes broadcast to.
static bool fold_broadcast(folding *f) {
  int64_t dims[MOST_ENTRIES];
  xc_graph_value *shapes[] = {known(f, 0), known(f, 1)};
  if (!shapes[0] || !shapes[1])
    return true;
  size_t ranks[] = {count_of(shapes[0]), count_of(shapes[1])};
  size_t rank = ranks[0] > ranks[1] ? ranks[0] : ranks[1];
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = 1;
    for (size_t k = 0; k < 2; ++k) {
      size_t lead = rank - ranks[k];
      int64_t size =
          i < lead ? 1 : xc_graph_load(shapes[k], (int64_t)(i - lead)).integer;
      if (size != 1 && dims[i] != 1 && size != dims[i])
        return xc_tflite_error(f->c, "has shapes that do not broadcast");
      dims[i] = dims[i] == 1 ? size : dims[i];
    }
  }
  return set_list(f, dims, rank, 1);
}

static bool fold_strided_slice(folding *f) {
  xc_graph_value *input = known(f, 0);
  xc_tflite_slice slice;
  if (!input || input->shape.rank != 1)
    return true;
  if (!xc_tflite_read_slice(f->c, input->shape.dims, 1, &slice))
    return false;
  if (slice.rank > 1)
    return true;
  const xc_graph_slice bounds = {
      .begin = {slice.begin[0]},
      .end = {slice.end[0] == INT32_MIN ? -1 : slice.end[0]},
      .step = {slice.strides[0]}};
  return xc_graph_fold_slice(f->graph, input, &bounds, &f->result) &&
         (!f->result || fold_list(f, f->result, slice.rank));
}

static bool fold_slice(folding *f) {
  xc_graph_value *input = known(f, 0), *begin = known(f, 1);
  const xc_graph_value *size = known(f, 2);
  if (!input || !begin || !size || input->shape.rank != 1 ||
      count_of(begin) != 1 || count_of(size) != 1)
    return true;
  int64_t all = input->shape.dims[0], first = xc_graph_load(begin, 0).integer;
  int64_t count = xc_graph_load(size, 0).integer;
  if (first < 0 || first > all)
    return true;
  count = count == -1 ? all - first : count;
  const xc_graph_slice bounds = {
      .begin = {first}, .end = {first + count}, .step = {1}};
  return count < 0 || count > all - first ||
         xc_graph_fold_slice(f->graph, input, &bounds, &f->result);
}

static bool fold_gather(folding *f) {
  const xc_graph_value *input = known(f, 0), *indices = known(f, 1);
  if (!input || !indices || input->shape.rank != 1 ||
      xc_tflite_option(f->c, XC_TFL_GatherOptions_batch_dims) != 0)
    return true;
  for (size_t i = 0; i < count_of(indices); ++i) {
    int64_t at = xc_graph_load(indices, (int64_t)i).integer;
    if (at < 0 || at >= input->shape.dims[0])
      return xc_tflite_error(f->c,
                             "has index %" PRId64 ", expected 0 to %" PRId64,
                             at, input->shape.dims[0] - 1);
  }
  return xc_graph_fold_gather(f->graph, input, indices, 0, &f->result);
}

static bool fold_squeeze(folding *f) {
  xc_graph_value *value = known(f, 0);
  return !value || fold_list(f, value, 0);
}

static bool fold_expand_dims(folding *f) {
  xc_graph_value *value = known(f, 0);
  return !value || value->shape.rank != 0 || fold_list(f, value, 1);
}

static bool fold_reshape(folding *f) {
  xc_graph_value *value = known(f, 0);
  const xc_graph_value *shape = known(f, 1);
  if (!value || !shape || shape->shape.rank != 1 || count_of(shape) > 1)
    return true;
  int64_t size = count_of(shape) ? xc_graph_load(shape, 0).integer : -1;
  return (size != -1 && size != (int64_t)count_of(value)) ||
         fold_list(f, value, count_of(shape));
}

static bool fold_product(folding *f) {
  const xc_graph_value *input = known(f, 0), *axes = known(f, 1);
  if (!input || !axes || input->shape.rank != 1 || count_of(axes) != 1)
    return true;
  bool keeps = xc_tflite_option(f->c, XC_TFL_ReducerOptions_keep_dims);
  const xc_shape shape = {
      .element = f->element, .rank = keeps ? 1 : 0, .dims = {1}};
  return xc_graph_fold_reduction(f->graph, f->row->scalar, input, &shape,
                                 &f->result);
}

// From the first number up or down to before the second in steps of the third.
static bool fold_range(folding *f) {
  int64_t bounds[3];
  for (size_t i = 0; i < 3; ++i) {
    const xc_graph_value *value = known(f, i);
    if (!value || count_of(value) != 1)
      return true;
    bounds[i] = xc_graph_load(value, 0).integer;
    if (bounds[i] < INT32_MIN || bounds[i] > INT32_MAX)
      return true;
  }
  int64_t step = bounds[2], way = bounds[1] - bounds[0];
  if (step == 0)
    return xc_tflite_error(f->c, "has step 0");
  int64_t count = way / step + (way % step != 0);
  count = way == 0 || (way > 0) != (step > 0) ? 0 : count;
  int64_t *entries = xc_graph_alloc(f->graph, count + 1, sizeof(*entries));
  for (int64_t i = 0; entries && i < count; ++i)
    entries[i] = bounds[0] + i * step;
  return !entries || set_list(f, entries, (size_t)count, 1);
}

static bool fold_scalars(folding *f) {
  xc_graph_value *inputs[2];
  if (f->row->is_fused &&
      xc_tflite_option(f->c, XC_TFL_Activation_activation) !=
          XC_TFL_ACTIVATION_NONE)
    return true;
  for (size_t i = 0; i < xc_graph_scalar_arity(f->row->scalar); ++i)
    if (!(inputs[i] = known(f, i)))
      return true;
  return xc_graph_fold_elementwise(f->graph, f->row->scalar, inputs, f->element,
                                   &f->result);
}

// clang-format off
static const fold_row rows[] = {
    {XC_TFL_BROADCAST_ARGS, fold_broadcast, 0, false},
    {XC_TFL_SHAPE, fold_shape, 0, false},
    {XC_TFL_RANK, fold_rank, 0, false},
    {XC_TFL_PACK, fold_pack, 0, false},
    {XC_TFL_CONCATENATION, fold_concat, 0, false},
    {XC_TFL_STRIDED_SLICE, fold_strided_slice, 0, false},
    {XC_TFL_SLICE, fold_slice, 0, false},
    {XC_TFL_GATHER, fold_gather, 0, false},
    {XC_TFL_CAST, fold_scalars, XC_GRAPH_COPY, false},
    {XC_TFL_SQUEEZE, fold_squeeze, 0, false},
    {XC_TFL_EXPAND_DIMS, fold_expand_dims, 0, false},
    {XC_TFL_RESHAPE, fold_reshape, 0, false},
    {XC_TFL_RANGE, fold_range, 0, false},
    {XC_TFL_REDUCE_PROD, fold_product, XC_GRAPH_MUL, false},
    {XC_TFL_ADD, fold_scalars, XC_GRAPH_ADD, true},
    {XC_TFL_SUB, fold_scalars, XC_GRAPH_SUB, true},
    {XC_TFL_MUL, fold_scalars, XC_GRAPH_MUL, true},
    {XC_TFL_DIV, fold_scalars, XC_GRAPH_DIV, true},
    {XC_TFL_FLOOR_DIV, fold_scalars, XC_GRAPH_FLOOR_DIV, false},
    {XC_TFL_MAXIMUM, fold_scalars, XC_GRAPH_MAX, false},
    {XC_TFL_MINIMUM, fold_scalars, XC_GRAPH_MIN, false},
};
// clang-format on

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

bool xc_tflite_fold(xc_tflite_context *c, bool *folded) {
  *folded = false;
  folding f = {.c = c,
               .graph = &c->importer->graph,
               .element = xc_tflite_output(c, 0)->element};
  for (size_t i = 0; is_index(f.element) && i < sizeof(rows) / sizeof(*rows);
       ++i)
    if (rows[i].code == c->operator->code)
      f.row = &rows[i];
  if (!f.row)
    return true;
  if (!f.row->function(&f))
    return false;
  *folded = f.result != NULL;
  if (!*folded)
    return true;
  xc_graph_value *value = f.result;
  if (value->shape.element != f.element &&
      !xc_graph_fold_elementwise(f.graph, XC_GRAPH_COPY, &value, f.element,
                                 &f.result))
    return false;
  *folded = f.result != NULL;
  return !*folded ||
         xc_tflite_set_constant(c, 0, &f.result->shape, f.result->data);
}

bool xc_tflite_only_folds(xc_tflite_context *c) {
  return xc_tflite_error(c, "has no inputs that are known while the model is "
                            "imported");
}
