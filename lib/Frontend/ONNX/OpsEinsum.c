//===- OpsEinsum.c - sums of products by labels of dimensions -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are combined from left to right. Of two, the dimensions that both
// have are those of a batch, or summed where they are not used afterwards; the
// rest are rows of the left one and columns of the right one: a matrix product.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <ctype.h>
#include <string.h>

// Letters stand for themselves; the dimensions of an ellipsis have numbers,
// counted from the last one.
typedef struct labels {
  unsigned char label[XC_MAX_RANK];
  size_t count;
} labels;

typedef struct term {
  xc_graph_value *value;
  labels labels; // one for each dimension
} term;

typedef struct einsum {
  xc_onnx_importer *im;
  const char *equation;
  size_t ellipsis; // dimensions of the largest one
  labels result;
  bool has_result;
  unsigned char uses[256]; // operands left, and the result, that have the label
} einsum;

static bool has(const labels *list, unsigned char label) {
  return memchr(list->label, label, list->count) != NULL;
}

static int64_t size_of(const term *t, unsigned char label) {
  const unsigned char *at = memchr(t->labels.label, label, t->labels.count);
  return at ? t->value->shape.dims[at - t->labels.label] : 1;
}

static bool add_label(einsum *e, labels *list, unsigned char label) {
  if (list->count == XC_MAX_RANK)
    return xc_onnx_error(e->im, "equation '%s' has more than %d dimensions",
                         e->equation, XC_MAX_RANK);
  if (list == &e->result && has(list, label))
    return xc_onnx_error(e->im,
                         "equation '%s' has a dimension twice in its result",
                         e->equation);
  list->label[list->count++] = label;
  return true;
}

// Reads labels up to a comma, an arrow or the end.
static bool read_labels(einsum *e, const char **at, size_t ellipsis,
                        labels *list) {
  for (list->count = 0; **at && **at != ',' && **at != '-'; ++*at) {
    if (**at == ' ')
      continue;
    if (strncmp(*at, "...", 3) == 0) {
      *at += 2;
      for (size_t i = ellipsis; i-- > 0;)
        if (!add_label(e, list, (unsigned char)(i + 1)))
          return false;
    } else if (!isalpha((unsigned char)**at)) {
      return xc_onnx_error(e->im, "equation '%s' has an unexpected '%c'",
                           e->equation, **at);
    } else if (!add_label(e, list, (unsigned char)**at)) {
      return false;
    }
  }
  return true;
}

// Returns the number of dimensions that the ellipsis of a term stands for, were
// there one.
static size_t ellipsis_of(const char *at, size_t rank) {
  size_t letters = 0;
  for (; *at && *at != ',' && *at != '-'; ++at)
    letters += isalpha((unsigned char)*at) != 0;
  return rank > letters ? rank - letters : 0;
}

static bool read_terms(einsum *e, term *terms, size_t count) {
  const char *at = e->equation;
  for (size_t i = 0; i < count; ++i) {
    if (i && *at++ != ',')
      return xc_onnx_error(e->im, "equation '%s' has fewer terms than inputs",
                           e->equation);
    size_t rank = terms[i].value->shape.rank, dims = ellipsis_of(at, rank);
    e->ellipsis = dims > e->ellipsis ? dims : e->ellipsis;
    if (!read_labels(e, &at, dims, &terms[i].labels))
      return false;
    if (terms[i].labels.count != rank)
      return xc_onnx_error(
          e->im,
          "equation '%s' has %zu dimensions for input %zu, which "
          "has %zu",
          e->equation, terms[i].labels.count, i, rank);
  }
  if (*at == '-' && at[1] == '>') {
    at += 2;
    e->has_result = true;
    if (!read_labels(e, &at, e->ellipsis, &e->result))
      return false;
  }
  return !*at || xc_onnx_error(e->im, "equation '%s' has an unexpected '%c'",
                               e->equation, *at);
}

// Without an arrow: the ellipsis, then the labels that occur once, sorted.
static bool imply_result(einsum *e, const term *terms, size_t count) {
  for (size_t i = e->ellipsis; i-- > 0;)
    if (!add_label(e, &e->result, (unsigned char)(i + 1)))
      return false;
  for (int label = 'A'; label <= 'z'; ++label) {
    size_t times = 0;
    for (size_t i = 0; i < count; ++i)
      for (size_t k = 0; k < terms[i].labels.count; ++k)
        times += terms[i].labels.label[k] == label;
    if (times == 1 && !add_label(e, &e->result, (unsigned char)label))
      return false;
  }
  return true;
}

// Returns a term that has dimensions in another order, as `wanted` has them.
static xc_graph_value *in_order(einsum *e, const term *t,
                                const labels *wanted) {
  xc_graph_order order = xc_graph_identity(wanted->count);
  for (size_t i = 0; i < wanted->count; ++i)
    order.dim[i] =
        (uint8_t)((const unsigned char *)memchr(
                      t->labels.label, wanted->label[i], t->labels.count) -
                  t->labels.label);
  return xc_graph_transpose(&e->im->graph, t->value, &order);
}

static bool set_computed(einsum *e, term *t, MlirValue value) {
  if (mlirValueIsNull(value))
    return false;
  xc_graph_order order = xc_graph_identity(xc_value_shape(value).rank);
  t->value = xc_graph_computed(&e->im->graph, t->value->name, value, &order);
  return t->value != NULL;
}

// Two dimensions as one, of the elements that have the same index in both:
// every n + 1st of n * n.
static bool take_diagonal(einsum *e, term *t, size_t i, size_t j) {
  xc_graph *graph = &e->im->graph;
  const xc_shape shape = t->value->shape;
  int64_t size = shape.dims[i];
  int64_t dims[XC_MAX_RANK] = {size * size};
  xc_graph_order order = {{(uint8_t)i, (uint8_t)j}};
  labels left = {{t->labels.label[i]}, 1};
  if (shape.dims[j] != size)
    return xc_onnx_error(e->im, "inputs of equation '%s' have unlike sizes",
                         e->equation);
  for (size_t d = 0, at = 2; d < shape.rank; ++d) {
    if (d == i || d == j)
      continue;
    order.dim[at++] = (uint8_t)d;
    dims[left.count] = shape.dims[d];
    left.label[left.count++] = t->labels.label[d];
  }
  xc_graph_value *flat = xc_graph_transpose(graph, t->value, &order);
  flat = flat ? xc_graph_reshape(graph, flat, dims, left.count) : NULL;
  if (!flat)
    return false;
  int64_t begin[XC_MAX_RANK] = {0}, steps[XC_MAX_RANK] = {size + 1};
  for (size_t d = 1; d < left.count; ++d)
    steps[d] = 1;
  MlirValue mlir = xc_graph_get_plain(graph, flat);
  const xc_attribute attributes[] = {xc_ints("begin", begin, left.count),
                                     xc_ints("end", dims, left.count),
                                     xc_ints("strides", steps, left.count)};
  t->labels = left;
  return set_computed(e, t,
                      xc_graph_emit(graph, "diagonal", XC_TIR_STRIDED_SLICE,
                                    &mlir, 1, XC_ATTRIBUTES(attributes),
                                    XC_ELEMENT_NONE));
}

static bool take_diagonals(einsum *e, term *t) {
  for (size_t i = 0; i < t->labels.count; ++i)
    for (size_t j = i + 1; j < t->labels.count; ++j)
      if (t->labels.label[i] == t->labels.label[j])
        return take_diagonal(e, t, i, j) && take_diagonals(e, t);
  return true;
}

// Sums over dimensions that nothing else uses, and drops those of size 1 that
// `other` has larger.
static bool sum_unread(einsum *e, term *t, const term *other) {
  int64_t axes[XC_MAX_RANK], dims[XC_MAX_RANK];
  size_t summed = 0, kept = 0;
  labels left = {.count = 0};
  for (size_t i = 0; i < t->labels.count; ++i) {
    unsigned char label = t->labels.label[i];
    bool is_repeated =
        other && t->value->shape.dims[i] == 1 && size_of(other, label) != 1;
    if (is_repeated || e->uses[label] == 0) {
      axes[summed++] = (int64_t)i;
    } else {
      dims[kept++] = t->value->shape.dims[i];
      left.label[left.count++] = label;
    }
  }
  if (!summed)
    return true;
  t->labels = left;
  int64_t elements = xc_shape_num_elements(&t->value->shape), rest = 1;
  for (size_t i = 0; i < kept; ++i)
    rest *= dims[i];
  if (elements == rest) {
    t->value = xc_graph_reshape(&e->im->graph, t->value, dims, kept);
    return t->value != NULL;
  }
  return set_computed(
      e, t,
      xc_graph_emit_reduction(&e->im->graph, XC_TIR_REDUCTION_SUM,
                              xc_graph_get_plain(&e->im->graph, t->value), axes,
                              summed, false));
}

static int64_t append(labels *list, const labels *more, const term *t) {
  int64_t size = 1;
  for (size_t i = 0; i < more->count; ++i) {
    size *= size_of(t, more->label[i]);
    list->label[list->count++] = more->label[i];
  }
  return size;
}

// The dimensions of a product's operands by what they are there.
typedef struct roles {
  labels batch, summed, rows, columns;
} roles;

static bool find_roles(einsum *e, const term *a, const term *b, roles *r) {
  for (size_t i = 0; i < a->labels.count; ++i) {
    unsigned char label = a->labels.label[i];
    bool is_common = has(&b->labels, label);
    if (is_common && size_of(a, label) != size_of(b, label))
      return xc_onnx_error(e->im, "inputs of equation '%s' have unlike sizes",
                           e->equation);
    labels *list = !is_common       ? &r->rows
                   : e->uses[label] ? &r->batch
                                    : &r->summed;
    list->label[list->count++] = label;
  }
  for (size_t i = 0; i < b->labels.count; ++i)
    if (!has(&a->labels, b->labels.label[i]))
      r->columns.label[r->columns.count++] = b->labels.label[i];
  if (r->batch.count + r->rows.count + r->columns.count > XC_MAX_RANK)
    return xc_onnx_error(e->im, "equation '%s' has more than %d dimensions",
                         e->equation, XC_MAX_RANK);
  return true;
}

// Combines b into a: [batch, rows, summed] times [batch, summed, columns].
static bool multiply(einsum *e, term *a, const term *b, const char *part) {
  xc_graph *graph = &e->im->graph;
  roles r = {.batch = {.count = 0}};
  if (!find_roles(e, a, b, &r))
    return false;
  labels left = {.count = 0}, right = {.count = 0}, both = {.count = 0};
  int64_t batch = append(&left, &r.batch, a);
  int64_t rows = append(&left, &r.rows, a);
  int64_t summed = append(&left, &r.summed, a);
  append(&right, &r.batch, b);
  append(&right, &r.summed, b);
  int64_t columns = append(&right, &r.columns, b);
  append(&both, &r.batch, a);
  append(&both, &r.rows, a);
  append(&both, &r.columns, b);
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < both.count; ++i)
    dims[i] = size_of(has(&a->labels, both.label[i]) ? a : b, both.label[i]);
  // A plain product of two matrices where there is no batch.
  size_t skip = r.batch.count == 0;
  const int64_t left_dims[] = {batch, rows, summed};
  const int64_t right_dims[] = {batch, summed, columns};
  xc_graph_value *values[] = {in_order(e, a, &left), in_order(e, b, &right)};
  for (size_t i = 0; i < 2; ++i) {
    values[i] =
        values[i]
            ? xc_graph_reshape(graph, values[i],
                               (i ? right_dims : left_dims) + skip, 3 - skip)
            : NULL;
    if (!values[i])
      return false;
  }
  const MlirValue operands[] = {xc_graph_get_plain(graph, values[0]),
                                xc_graph_get_plain(graph, values[1])};
  a->labels = both;
  if (!set_computed(e, a,
                    xc_graph_emit(graph, part, XC_TIR_MATMUL, operands, 2, NULL,
                                  XC_ELEMENT_NONE)))
    return false;
  a->value = xc_graph_reshape(graph, a->value, dims, both.count);
  return a->value != NULL;
}

static void count_uses(einsum *e, const labels *list, int by) {
  for (size_t i = 0; i < list->count; ++i)
    e->uses[list->label[i]] = (unsigned char)(e->uses[list->label[i]] + by);
}

static bool combine(einsum *e, term *terms, size_t count) {
  term *all = &terms[0];
  count_uses(e, &all->labels, -1);
  if (count == 1)
    return sum_unread(e, all, NULL);
  for (size_t i = 1; i < count; ++i) {
    term *t = &terms[i];
    count_uses(e, &t->labels, -1);
    // Dimensions that only one of the two has are summed before they are
    // multiplied.
    count_uses(e, &all->labels, 1);
    if (!sum_unread(e, t, all))
      return false;
    count_uses(e, &all->labels, -1);
    count_uses(e, &t->labels, 1);
    if (!sum_unread(e, all, t))
      return false;
    count_uses(e, &t->labels, -1);
    if (!multiply(e, all, t, i + 1 < count ? "product" : NULL))
      return false;
  }
  return true;
}

bool xc_onnx_einsum(xc_onnx_importer *im) {
  einsum e = {.im = im, .equation = xc_onnx_string(im, "equation", "")};
  size_t count = xc_onnx_num_inputs(im);
  term *terms = xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*terms));
  for (size_t i = 0; i < count; ++i)
    if (!xc_onnx_need_input(im, i, &terms[i].value))
      return false;
  if (!count || !read_terms(&e, terms, count) ||
      (!e.has_result && !imply_result(&e, terms, count)))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (!take_diagonals(&e, &terms[i]))
      return false;
  count_uses(&e, &e.result, 1);
  for (size_t i = 0; i < count; ++i)
    count_uses(&e, &terms[i].labels, 1);
  for (size_t i = 0; i < e.result.count; ++i)
    if (e.uses[e.result.label[i]] == 1)
      return xc_onnx_error(im, "equation '%s' has a result that no input has",
                           e.equation);
  if (!combine(&e, terms, count))
    return false;
  xc_graph_value *result = in_order(&e, &terms[0], &e.result);
  return result && xc_onnx_result_alias(im, 0, result);
}
