//===- Fold.c - evaluates nodes whose inputs are constants ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <string.h>

enum { MAX_FOLD_INPUTS = 1 << 16 };

typedef struct fold_row fold_row;

/// One evaluation. A fold function sets `result` or leaves it null to let the
/// handler do its work; false means an error.
typedef struct folding {
  xc_onnx_importer *im;
  xc_graph *graph;
  const fold_row *row;
  xc_graph_value **inputs;
  size_t count;
  xc_graph_value *result;
} folding;

struct fold_row {
  const char *name;
  bool (*function)(folding *f);
  xc_graph_scalar scalar;
  int64_t since; // of reductions: the axes are an input
};

static xc_element first_element(const folding *f) {
  return f->inputs[0]->shape.element;
}

static bool fold_scalars(folding *f, size_t first, xc_element element) {
  for (size_t i = first + 1; i < f->count; ++i)
    if (f->inputs[i]->shape.element != f->inputs[first]->shape.element)
      return true; // the handler reports it
  return f->count != xc_graph_scalar_arity(f->row->scalar) ||
         xc_graph_fold_elementwise(f->graph, f->row->scalar, f->inputs, element,
                                   &f->result);
}

static bool fold_same(folding *f) {
  return fold_scalars(f, 0, first_element(f));
}

static bool fold_bool(folding *f) { return fold_scalars(f, 0, XC_ELEMENT_I1); }

static bool fold_where(folding *f) {
  return f->count != 3 || fold_scalars(f, 1, f->inputs[1]->shape.element);
}

static bool fold_cast(folding *f) {
  xc_element element = xc_onnx_element((int32_t)xc_onnx_int(f->im, "to", 0));
  return element == XC_ELEMENT_NONE || fold_scalars(f, 0, element);
}

// With fmod the sign is that of the dividend, else that of the divisor.
static bool fold_mod(folding *f) {
  static const fold_row remainder = {"Mod", NULL, XC_GRAPH_REM, 0};
  if (xc_onnx_int(f->im, "fmod", 0))
    f->row = &remainder;
  return fold_same(f);
}

static bool fold_gather(folding *f) {
  size_t axis;
  return f->count != 2 ||
         (xc_graph_axis(f->graph, xc_onnx_int(f->im, "axis", 0),
                        f->inputs[0]->shape.rank, &axis) &&
          xc_graph_fold_gather(f->graph, f->inputs[0], f->inputs[1], axis,
                               &f->result));
}

static bool fold_concat(folding *f) {
  size_t axis;
  return xc_graph_axis(f->graph, xc_onnx_int(f->im, "axis", 1),
                       f->inputs[0]->shape.rank, &axis) &&
         xc_graph_fold_concat(f->graph, f->inputs, f->count, axis, &f->result);
}

static bool fold_slice(folding *f) {
  xc_graph_slice slice;
  return xc_onnx_slice_bounds(f->im, &f->inputs[0]->shape, &slice) &&
         xc_graph_fold_slice(f->graph, f->inputs[0], &slice, &f->result);
}

static bool fold_expand(folding *f) {
  const int64_t *dims;
  size_t rank;
  xc_shape wanted;
  return xc_onnx_input_ints(f->im, 1, &dims, &rank) &&
         xc_graph_check_dims(f->graph, f->graph->node, dims, rank,
                             first_element(f), &wanted) &&
         xc_graph_fold_expand(f->graph, f->inputs[0], &wanted, &f->result);
}

static bool fold_reduction(folding *f) {
  const xc_graph_value *input = f->inputs[0];
  size_t axes[XC_MAX_RANK], count;
  if (!xc_onnx_axes(f->im, f->row->since, input->shape.rank, axes, &count))
    return false;
  // Shape arithmetic reduces lists to a number.
  if ((count != 0 && count != input->shape.rank) || input->shape.rank > 1 ||
      xc_shape_num_elements(&input->shape) > ONNX_MAX_LIST)
    return true;
  xc_shape shape = {.element = input->shape.element};
  if (xc_onnx_int(f->im, "keepdims", 1) && input->shape.rank == 1) {
    shape.rank = 1;
    shape.dims[0] = 1;
  }
  return xc_graph_fold_reduction(f->graph, f->row->scalar, input, &shape,
                                 &f->result);
}

// clang-format off
static const fold_row rows[] = {
    {"Abs", fold_same, XC_GRAPH_ABS, 0},
    {"Add", fold_same, XC_GRAPH_ADD, 0},
    {"And", fold_bool, XC_GRAPH_AND, 0},
    {"Cast", fold_cast, XC_GRAPH_COPY, 0},
    {"Ceil", fold_same, XC_GRAPH_CEIL, 0},
    {"Concat", fold_concat, 0, 0},
    {"Div", fold_same, XC_GRAPH_DIV, 0},
    {"Equal", fold_bool, XC_GRAPH_EQUAL, 0},
    {"Expand", fold_expand, 0, 0},
    {"Floor", fold_same, XC_GRAPH_FLOOR, 0},
    {"Gather", fold_gather, 0, 0},
    {"Greater", fold_bool, XC_GRAPH_GREATER, 0},
    {"GreaterOrEqual", fold_bool, XC_GRAPH_GREATER_EQUAL, 0},
    {"Less", fold_bool, XC_GRAPH_LESS, 0},
    {"LessOrEqual", fold_bool, XC_GRAPH_LESS_EQUAL, 0},
    {"Max", fold_same, XC_GRAPH_MAX, 0},
    {"Min", fold_same, XC_GRAPH_MIN, 0},
    {"Mod", fold_mod, XC_GRAPH_FLOOR_MOD, 0},
    {"Mul", fold_same, XC_GRAPH_MUL, 0},
    {"Neg", fold_same, XC_GRAPH_NEG, 0},
    {"Not", fold_bool, XC_GRAPH_NOT, 0},
    {"Or", fold_bool, XC_GRAPH_OR, 0},
    {"ReduceMax", fold_reduction, XC_GRAPH_MAX, 18},
    {"ReduceMin", fold_reduction, XC_GRAPH_MIN, 18},
    {"ReduceProd", fold_reduction, XC_GRAPH_MUL, 18},
    {"ReduceSum", fold_reduction, XC_GRAPH_ADD, 13},
    {"Slice", fold_slice, 0, 0},
    {"Sqrt", fold_same, XC_GRAPH_SQRT, 0},
    {"Sub", fold_same, XC_GRAPH_SUB, 0},
    {"Where", fold_where, XC_GRAPH_SELECT, 0},
    {"Xor", fold_bool, XC_GRAPH_XOR, 0},
};
// clang-format on

static const fold_row *row_of(const xc_onnx_importer *im) {
  if (!xc_onnx_is_default_domain(im->node->domain))
    return NULL;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (strcmp(rows[i].name, im->node->op_type) == 0)
      return &rows[i];
  return NULL;
}

bool xc_onnx_fold(xc_onnx_importer *im, bool *done) {
  const fold_row *row = row_of(im);
  size_t count = im->node->n_input;
  *done = false;
  if (!row || count == 0 || count > MAX_FOLD_INPUTS)
    return true;
  for (size_t i = 0; i < count; ++i) {
    const xc_graph_value *value = xc_onnx_input(im, i);
    if (xc_onnx_has_input(im, i) && !value->data)
      return true;
  }
  folding f = {.im = im, .graph = &im->graph, .row = row, .count = count};
  f.inputs = xc_arena_alloc(&im->graph.arena, count, sizeof(*f.inputs));
  for (size_t i = 0; i < count; ++i)
    if (!(f.inputs[i] = xc_onnx_input(im, i)) && i == 0)
      return true;
  // Absent inputs can only stand at the end of Slice and reductions, which
  // read them by themselves.
  for (size_t i = 0; i < count; ++i)
    if (!f.inputs[i])
      f.inputs[i] = f.inputs[0];
  if (!row->function(&f))
    return false;
  *done = f.result != NULL;
  return !*done || xc_onnx_result_alias(im, 0, f.result);
}
