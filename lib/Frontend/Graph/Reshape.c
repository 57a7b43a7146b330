//===- Reshape.c - shapes of values ---------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Value.h"

#include <assert.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

// Dimensions other than 1 of one shape that hold the same elements as those of
// another: [begin, end) of each list.
typedef struct dim_group {
  size_t from_begin, from_end, to_begin, to_end;
} dim_group;

typedef struct dim_list {
  size_t count;
  uint8_t dim[XC_MAX_RANK];
} dim_list;

static dim_list list_dims(const int64_t *dims, size_t rank) {
  dim_list list = {0};
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] != 1)
      list.dim[list.count++] = (uint8_t)i;
  return list;
}

// Matches the two lists into the smallest groups of equal products.
static size_t match_groups(const int64_t *from, const dim_list *from_list,
                           const int64_t *to, const dim_list *to_list,
                           dim_group *groups) {
  size_t i = 0, j = 0, count = 0;
  while (i < from_list->count && j < to_list->count) {
    dim_group *group = &groups[count++];
    *group = (dim_group){i, i + 1, j, j + 1};
    int64_t a = from[from_list->dim[i++]], b = to[to_list->dim[j++]];
    while (a != b) {
      if (a < b && i < from_list->count)
        a *= from[from_list->dim[i++]];
      else if (j < to_list->count)
        b *= to[to_list->dim[j++]];
      else
        return 0;
    }
    group->from_end = i;
    group->to_end = j;
  }
  return i == from_list->count && j == to_list->count ? count : 0;
}

// Appends the dimensions of size 1 that stand before `dim` in the new shape.
static size_t append_ones(const int64_t *dims, size_t dim,
                          xc_graph_order *order, size_t length) {
  size_t first = dim;
  while (first > 0 && dims[first - 1] == 1)
    --first;
  for (; first < dim; ++first)
    order->dim[length++] = (uint8_t)first;
  return length;
}

/// How the dimensions other than 1 of two shapes belong together.
typedef struct dim_match {
  dim_list from, to;
  dim_group groups[XC_MAX_RANK];
  size_t num_groups;
} dim_match;

static bool match_dims(const xc_shape *shape, const int64_t *dims, size_t rank,
                       dim_match *match) {
  if (xc_shape_num_elements(shape) == 0)
    return false;
  match->from = list_dims(shape->dims, shape->rank);
  match->to = list_dims(dims, rank);
  match->num_groups =
      match_groups(shape->dims, &match->from, dims, &match->to, match->groups);
  return match->num_groups != 0 || match->from.count == 0;
}

static const dim_group *group_of(const dim_match *match, size_t dim) {
  for (size_t g = 0; g < match->num_groups; ++g)
    for (size_t k = match->groups[g].from_begin; k < match->groups[g].from_end;
         ++k)
      if (match->from.dim[k] == dim)
        return &match->groups[g];
  return NULL; // of size 1
}

// Returns the order with the dimensions of each group side by side, each group
// where its first member stands.
static xc_graph_order gather_groups(const xc_shape *shape,
                                    const xc_graph_order *order,
                                    const dim_match *match) {
  xc_graph_order result = {{0}};
  bool placed[XC_MAX_RANK] = {false};
  size_t length = 0;
  for (size_t i = 0; i < shape->rank; ++i) {
    size_t dim = order->dim[i];
    const dim_group *group = group_of(match, dim);
    if (!group)
      result.dim[length++] = (uint8_t)dim;
    for (size_t k = group ? group->from_begin : 0;
         group && !placed[dim] && k < group->from_end; ++k)
      result.dim[length++] = match->from.dim[k];
    for (size_t k = group ? group->from_begin : 0; group && k < group->from_end;
         ++k)
      placed[match->from.dim[k]] = true;
  }
  return result;
}

// Returns the order after the reshape of a form whose groups stand side by
// side. Leading dimensions of size 1 (the batch) stay in front.
static xc_graph_order reshape_order(const xc_shape *shape,
                                    const xc_graph_order *order,
                                    const int64_t *dims, size_t rank,
                                    const dim_match *match) {
  xc_graph_order result = {{0}};
  size_t first = match->to.count ? match->to.dim[0] : rank;
  size_t length = append_ones(dims, first, &result, 0);
  const dim_group *last = NULL;
  for (size_t i = 0; i < shape->rank; ++i) {
    const dim_group *group = group_of(match, order->dim[i]);
    if (!group || group == last)
      continue;
    last = group;
    for (size_t k = group->to_begin; k < group->to_end; ++k) {
      if (match->to.dim[k] != first)
        length = append_ones(dims, match->to.dim[k], &result, length);
      result.dim[length++] = match->to.dim[k];
    }
  }
  if (match->to.count)
    append_ones(dims, rank, &result, length);
  return result;
}

static bool reshape_form(xc_graph *graph, xc_graph_value *result,
                         const xc_graph_form *form,
                         const xc_graph_order *order) {
  xc_shape shape = xc_graph_permuted(&result->shape, order), old;
  MlirValue mlir = form->value;
  xc_shape_of_type(mlirValueGetType(mlir), &old);
  bool same = old.rank == shape.rank &&
              memcmp(old.dims, shape.dims, shape.rank * sizeof(int64_t)) == 0;
  if (!same) {
    xc_attribute attribute[] = {xc_ints("shape", shape.dims, shape.rank)};
    mlir = xc_graph_emit(graph, NULL, XC_TIR_RESHAPE, &mlir, 1,
                         XC_ATTRIBUTES(attribute), XC_ELEMENT_NONE);
  }
  if (mlirValueIsNull(mlir))
    return false;
  xc_graph_add_form(graph, result, mlir, order);
  return true;
}

// Returns the order to reshape from: the cheapest one or that of a form if its
// groups stand side by side.
static xc_graph_order grouped_order(const xc_graph_value *value,
                                    const dim_match *match) {
  xc_graph_order cheapest = xc_graph_cheapest(value), order;
  xc_graph_order first = gather_groups(&value->shape, &cheapest, match);
  if (xc_graph_order_equal(&first, &cheapest, value->shape.rank))
    return first;
  for (const xc_graph_form *form = value->forms; form; form = form->next) {
    order = gather_groups(&value->shape, &form->order, match);
    if (xc_graph_order_equal(&order, &form->order, value->shape.rank))
      return order;
  }
  return first;
}

// Returns where a dimension of the old shape stands in the new one, `rank` if
// nowhere.
static size_t find_dim(const xc_shape *shape, size_t dim, const int64_t *dims,
                       size_t rank) {
  int64_t before = 1, now = 1;
  for (size_t i = 0; i < dim; ++i)
    before *= shape->dims[i];
  for (size_t i = 0; i < rank; now *= dims[i++])
    if (now == before && dims[i] == shape->dims[dim])
      return i;
  return rank;
}

// The dimensions of a scalar may be null.
static xc_shape shape_of(xc_element element, const int64_t *dims, size_t rank) {
  xc_shape shape = {.element = element, .rank = rank};
  for (size_t i = 0; i < rank; ++i)
    shape.dims[i] = dims[i];
  return shape;
}

// Returns a dequantised constant with the constant in another shape, where
// every scale stays with its dimension. Returns null when that cannot be.
static xc_graph_value *reshaped_source(xc_graph *graph, xc_graph_value *value,
                                       const int64_t *dims, size_t rank) {
  const xc_graph_linear *linear = value->linear;
  if (!value->source || !value->source->data)
    return NULL;
  if (linear->count > 1) {
    size_t axis = find_dim(&value->shape, linear->axis, dims, rank);
    if (axis == rank || xc_shape_num_elements(&value->shape) == 0)
      return NULL;
    xc_graph_linear *moved = xc_arena_alloc(&graph->arena, 1, sizeof(*moved));
    *moved = *linear;
    moved->axis = axis;
    linear = moved;
  }
  xc_shape shape = shape_of(value->shape.element, dims, rank);
  xc_graph_value *result = xc_graph_new_value(graph, value->name, &shape);
  result->source = xc_graph_reshape(graph, value->source, dims, rank);
  result->linear = linear;
  result->op_name = value->op_name;
  result->depth = value->depth;
  return result;
}

xc_graph_value *xc_graph_reshape(xc_graph *graph, xc_graph_value *value,
                                 const int64_t *dims, size_t rank) {
  xc_shape shape = shape_of(value->shape.element, dims, rank);
  assert(xc_shape_num_elements(&shape) ==
             xc_shape_num_elements(&value->shape) &&
         "the caller has checked the number of elements");
  xc_graph_value *result = xc_graph_new_value(graph, value->name, &shape);
  result->origin = value;
  result->note = value->note;
  if (value->data) {
    result->data = value->data;
    result->splat = value->splat;
    return result;
  }
  xc_graph_value *moved = reshaped_source(graph, value, dims, rank);
  if (moved)
    return moved;
  dim_match match;
  bool is_matched = match_dims(&value->shape, dims, rank, &match);
  xc_graph_order order = xc_graph_identity(value->shape.rank);
  if (is_matched)
    order = grouped_order(value, &match);
  xc_graph_form form = {.value = xc_graph_get(graph, value, &order)};
  order = is_matched ? reshape_order(&value->shape, &order, dims, rank, &match)
                     : xc_graph_identity(rank);
  if (mlirValueIsNull(form.value) ||
      !reshape_form(graph, result, &form, &order))
    return NULL;
  return result;
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

static bool computes_nothing(MlirValue value, int depth) {
  enum { DEEPEST = 8 };
  if (!mlirValueIsAOpResult(value) || depth == DEEPEST)
    return false;
  MlirOperation operation = mlirOpResultGetOwner(value);
  const xc_op_info *info = xc_op_info_of(operation);
  intptr_t count = mlirOperationGetNumOperands(operation);
  if (!info || !xc_op_may_erase(info))
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!computes_nothing(mlirOperationGetOperand(operation, i), depth + 1))
      return false;
  return count > 0 || !mlirOperationIsNull(xc_constant_of(value));
}

bool xc_graph_is_constant(MlirValue value) {
  return computes_nothing(value, 0);
}

// Whether the order of an operand counts: it has all dimensions, and they would
// have to be moved in every run.
static bool has_vote(const xc_graph_value *value, size_t rank) {
  if (value->shape.rank != rank)
    return false;
  while (!value->forms && value->source && !value->data)
    value = value->source;
  return !value->data &&
         !(value->forms && xc_graph_is_constant(value->forms->value));
}

// Whether the operand has this order, or one that differs in nothing but where
// dimensions of one element stand.
static bool has_order(const xc_graph_value *value,
                      const xc_graph_order *order) {
  xc_graph_order cheapest = xc_graph_cheapest(value);
  bool found = xc_graph_keeps_data(&value->shape, &cheapest, order);
  for (const xc_graph_form *f = value->forms; f && !found; f = f->next)
    found = xc_graph_keeps_data(&value->shape, &f->order, order);
  return found;
}

// How many operands would have to be moved for this order.
static size_t moves(xc_graph_value *const *values, size_t count, size_t rank,
                    const xc_graph_order *order) {
  size_t result = 0;
  for (size_t i = 0; i < count; ++i)
    result += has_vote(values[i], rank) && !has_order(values[i], order);
  return result;
}

static xc_graph_value *padded(xc_graph *graph, xc_graph_value *value,
                              size_t rank) {
  int64_t dims[XC_MAX_RANK];
  size_t lead = rank - value->shape.rank;
  if (lead == 0)
    return value;
  for (size_t i = 0; i < rank; ++i)
    dims[i] = i < lead ? 1 : value->shape.dims[i - lead];
  return xc_graph_reshape(graph, value, dims, rank);
}

bool xc_graph_broadcast(xc_graph *graph, xc_graph_value *const *values,
                        size_t count, MlirValue *operands,
                        xc_graph_order *order) {
  size_t rank = 0, fewest = SIZE_MAX;
  for (size_t i = 0; i < count; ++i)
    if (values[i]->shape.rank > rank)
      rank = values[i]->shape.rank;
  *order = xc_graph_identity(rank);
  size_t tries = 8; // more operands than that agree on what some of them want
  for (size_t i = 0; i < count && tries > 0; ++i) {
    if (!has_vote(values[i], rank))
      continue;
    --tries;
    xc_graph_order candidate = xc_graph_cheapest(values[i]);
    size_t cost = moves(values, count, rank, &candidate);
    if (cost < fewest) {
      fewest = cost;
      *order = candidate;
    }
  }
  xc_graph_order plain = xc_graph_identity(rank);
  bool is_plain = xc_graph_order_equal(order, &plain, rank);
  for (size_t i = 0; i < count; ++i) {
    if (is_plain || values[i]->shape.rank == 0) {
      // Broadcasting aligns the last dimensions by itself.
      operands[i] = xc_graph_get_plain(graph, values[i]);
      if (mlirValueIsNull(operands[i]))
        return false;
      continue;
    }
    xc_graph_value *value = padded(graph, values[i], rank);
    operands[i] = value ? xc_graph_get(graph, value, order) : (MlirValue){NULL};
    if (mlirValueIsNull(operands[i]))
      return false;
  }
  return true;
}
