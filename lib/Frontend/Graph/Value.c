//===- Value.c - values and their forms -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Value.h"

#include "Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Sources of sources at most; deeper chains are emitted on the way.
enum { MAX_DEPTH = 32 };

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

struct xc_graph_entry {
  const char *key; // null: free
  xc_graph_value *value;
  unsigned depth; // of the scope that defines it
  xc_graph_marks marks;
};

/// The state of an entry before a scope defined it.
struct xc_graph_hidden {
  const char *key;
  xc_graph_value *value;
  unsigned depth, scope;
  xc_graph_hidden *next;
};

static size_t hash(const char *name) {
  uint64_t h = UINT64_C(14695981039346656037);
  for (; *name; ++name)
    h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
  return (size_t)(h ^ (h >> 32));
}

static xc_graph_entry *slot_of(const xc_graph *graph, const char *name) {
  size_t mask = graph->names_size - 1;
  size_t i = hash(name) & mask;
  while (graph->names[i].key && strcmp(graph->names[i].key, name) != 0)
    i = (i + 1) & mask;
  return &graph->names[i];
}

// Half of the table is free.
static void grow_names(xc_graph *graph) {
  if (2 * graph->num_names < graph->names_size)
    return;
  xc_graph_entry *old = graph->names;
  size_t size = graph->names_size;
  graph->names_size = size ? 2 * size : 64;
  graph->names = xc_alloc_array(graph->names_size, sizeof(*graph->names));
  for (size_t i = 0; i < size; ++i)
    if (old[i].key)
      *slot_of(graph, old[i].key) = old[i];
  free(old);
}

xc_graph_value *xc_graph_find(const xc_graph *graph, const char *name) {
  return graph->names ? slot_of(graph, name)->value : NULL;
}

// Returns the entry of a name, made if there is none.
static xc_graph_entry *enter(xc_graph *graph, const char *name) {
  grow_names(graph);
  xc_graph_entry *slot = slot_of(graph, name);
  if (!slot->key) {
    slot->key = name;
    ++graph->num_names;
  }
  return slot;
}

bool xc_graph_define(xc_graph *graph, const char *name, xc_graph_value *value) {
  if (!value)
    return false;
  xc_graph_entry *slot = enter(graph, name);
  if (slot->value && slot->marks.is_cut)
    return true; // the argument stands for it
  if (slot->value && slot->depth == graph->depth)
    return xc_graph_error(graph, "value '%s' is defined twice", name);
  if (graph->depth) {
    xc_graph_hidden *hidden = xc_arena_alloc(&graph->arena, 1, sizeof(*hidden));
    *hidden = (xc_graph_hidden){slot->key, slot->value, slot->depth,
                                graph->depth, graph->hidden};
    graph->hidden = hidden;
  }
  slot->value = value;
  slot->depth = graph->depth;
  return true;
}

void xc_graph_open_scope(xc_graph *graph) { ++graph->depth; }

void xc_graph_close_scope(xc_graph *graph) {
  assert(graph->depth && "a scope is open");
  for (; graph->hidden && graph->hidden->scope == graph->depth;
       graph->hidden = graph->hidden->next) {
    xc_graph_entry *slot = slot_of(graph, graph->hidden->key);
    slot->value = graph->hidden->value;
    slot->depth = graph->hidden->depth;
  }
  --graph->depth;
}

xc_graph_marks *xc_graph_mark(xc_graph *graph, const char *name) {
  return &enter(graph, name)->marks;
}

const char *xc_graph_intern(xc_graph *graph, const char *name) {
  return enter(graph, name)->key;
}

xc_graph_marks xc_graph_marks_of(const xc_graph *graph, const char *name) {
  return graph->names ? slot_of(graph, name)->marks : (xc_graph_marks){0};
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

xc_graph_order xc_graph_identity(size_t rank) {
  xc_graph_order order = {{0}};
  for (size_t i = 0; i < rank; ++i)
    order.dim[i] = (uint8_t)i;
  return order;
}

xc_graph_order xc_graph_channels_last(size_t rank) {
  xc_graph_order order = {{0}};
  for (size_t i = 1; i + 1 < rank; ++i)
    order.dim[i] = (uint8_t)(i + 1);
  if (rank > 1)
    order.dim[rank - 1] = 1;
  return order;
}

bool xc_graph_order_equal(const xc_graph_order *a, const xc_graph_order *b,
                          size_t rank) {
  return memcmp(a->dim, b->dim, rank) == 0;
}

size_t xc_graph_position(const xc_graph_order *order, size_t dim) {
  size_t i = 0;
  while (i < XC_MAX_RANK && order->dim[i] != dim)
    ++i;
  assert(i < XC_MAX_RANK && "an order names every dimension");
  return i;
}

bool xc_graph_keeps_data(const xc_shape *shape, const xc_graph_order *from,
                         const xc_graph_order *to) {
  size_t i = 0, j = 0, rank = shape->rank;
  for (;;) {
    while (i < rank && shape->dims[from->dim[i]] == 1)
      ++i;
    while (j < rank && shape->dims[to->dim[j]] == 1)
      ++j;
    if (i == rank || j == rank)
      return i == j;
    if (from->dim[i++] != to->dim[j++])
      return false;
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

xc_graph_value *xc_graph_new_value(xc_graph *graph, const char *name,
                                   const xc_shape *shape) {
  xc_graph_value *value = xc_arena_alloc(&graph->arena, 1, sizeof(*value));
  value->name = name;
  value->op_name = graph->node ? graph->node : name;
  value->shape = *shape;
  value->shape.memref = false;
  return value;
}

xc_graph_value *xc_graph_constant(xc_graph *graph, const char *name,
                                  const xc_shape *shape, const void *data,
                                  bool splat) {
  xc_graph_value *value = xc_graph_new_value(graph, name, shape);
  value->op_name = name;
  value->data = data;
  value->splat = splat;
  return value;
}

void xc_graph_add_form(xc_graph *graph, xc_graph_value *value, MlirValue mlir,
                       const xc_graph_order *order) {
  xc_graph_form **end = &value->forms;
  while (*end)
    end = &(*end)->next;
  *end = xc_arena_alloc(&graph->arena, 1, sizeof(xc_graph_form));
  **end = (xc_graph_form){mlir, *order, NULL};
}

xc_graph_value *xc_graph_computed(xc_graph *graph, const char *name,
                                  MlirValue mlir, const xc_graph_order *order) {
  if (mlirValueIsNull(mlir))
    return NULL;
  xc_shape form, shape;
  xc_shape_of_type(mlirValueGetType(mlir), &form);
  shape = form;
  for (size_t i = 0; i < form.rank; ++i)
    shape.dims[order->dim[i]] = form.dims[i];
  xc_graph_value *value = xc_graph_new_value(graph, name, &shape);
  xc_graph_add_form(graph, value, mlir, order);
  return value;
}

xc_graph_value *xc_graph_alias(xc_graph *graph, const char *name,
                               const xc_graph_value *value) {
  if (!value)
    return NULL;
  xc_graph_value *copy = xc_arena_alloc(&graph->arena, 1, sizeof(*copy));
  *copy = *value;
  copy->name = name;
  // Forms found later belong to one name; sharing the list would tie them.
  copy->forms = NULL;
  for (const xc_graph_form *form = value->forms; form; form = form->next)
    xc_graph_add_form(graph, copy, form->value, &form->order);
  return copy;
}

xc_graph_order xc_graph_cheapest(const xc_graph_value *value) {
  while (!value->forms && value->source)
    value = value->source;
  if (value->wants_channels_last)
    return xc_graph_channels_last(value->shape.rank);
  return value->forms ? value->forms->order
                      : xc_graph_identity(value->shape.rank);
}

xc_shape xc_graph_permuted(const xc_shape *shape, const xc_graph_order *order) {
  xc_shape result = *shape;
  for (size_t i = 0; i < shape->rank; ++i)
    result.dims[i] = shape->dims[order->dim[i]];
  return result;
}

// Copies elements so that dimension i of the result is dimension order[i].
static void permute_bytes(const xc_shape *shape, const xc_graph_order *order,
                          const uint8_t *from, uint8_t *to) {
  size_t size = xc_element_size(shape->element), rank = shape->rank;
  int64_t strides[XC_MAX_RANK], index[XC_MAX_RANK] = {0};
  int64_t stride = 1, at = 0;
  xc_shape result = xc_graph_permuted(shape, order);
  for (size_t i = rank; i-- > 0;) {
    strides[xc_graph_position(order, i)] = stride;
    stride *= shape->dims[i];
  }
  for (int64_t n = xc_shape_num_elements(shape); n > 0; --n) {
    memcpy(to, from + (size_t)at * size, size);
    to += size;
    for (size_t i = rank; i-- > 0;) {
      at += strides[i];
      if (++index[i] < result.dims[i])
        break;
      at -= strides[i] * result.dims[i];
      index[i] = 0;
    }
  }
}

static MlirAttribute constant_attribute(xc_graph *graph,
                                        const xc_graph_value *value,
                                        const xc_graph_order *order) {
  MlirContext context = graph->context;
  xc_shape shape = xc_graph_permuted(&value->shape, order);
  MlirType type = xc_type_of_shape(context, &shape);
  if (value->splat && shape.element == XC_ELEMENT_I1)
    return mlirDenseElementsAttrBoolSplatGet(type, value->data[0] != 0);
  if (value->splat)
    return mlirDenseElementsAttrRawBufferGet(
        type, xc_element_size(shape.element), value->data);
  xc_graph_order identity = xc_graph_identity(shape.rank);
  if (xc_graph_keeps_data(&value->shape, &identity, order))
    return xc_dense_attribute(context, value->data, &shape);
  uint8_t *bytes = xc_alloc_array((size_t)xc_shape_num_elements(&shape),
                                  xc_element_size(shape.element));
  permute_bytes(&value->shape, order, value->data, bytes);
  MlirAttribute attribute = xc_dense_attribute(context, bytes, &shape);
  free(bytes);
  return attribute;
}

static MlirValue emit_constant(xc_graph *graph, const xc_graph_value *value,
                               const xc_graph_order *order) {
  xc_shape shape = xc_graph_permuted(&value->shape, order);
  const xc_builder builder = xc_graph_builder(graph, value->name);
  const xc_attribute attributes[] = {
      xc_given("value", constant_attribute(graph, value, order)),
      xc_string("op_name", value->name)};
  return xc_build_shaped(&builder, XC_TIR_CONST, NULL, 0, attributes, 2,
                         &shape);
}

static MlirValue emit_linear(xc_graph *graph, xc_graph_value *value,
                             const xc_graph_order *order) {
  MlirValue input = xc_graph_get(graph, value->source, order);
  if (mlirValueIsNull(input))
    return input;
  const xc_graph_linear *linear = value->linear;
  size_t axis = 0;
  if (linear->count > 1)
    axis = xc_graph_position(order, linear->axis);
  const xc_attribute attributes[] = {
      xc_floats("scale", linear->scales, linear->count),
      xc_ints("zero_point", linear->zero_points, linear->count),
      xc_int("axis", (int64_t)axis)};
  return xc_graph_build(
      graph, value->op_name,
      linear->quantizes ? XC_TIR_QUANTIZE_LINEAR : XC_TIR_DEQUANTIZE_LINEAR,
      &input, 1, &(xc_attributes){attributes, linear->count > 1 ? 3 : 2},
      value->shape.element);
}

static const xc_graph_form *best_form(const xc_graph_value *value,
                                      const xc_graph_order *order) {
  for (const xc_graph_form *form = value->forms; form; form = form->next)
    if (xc_graph_keeps_data(&value->shape, &form->order, order))
      return form;
  return value->forms;
}

// Moves an existing form: a reshape where no data moves.
static MlirValue emit_moved(xc_graph *graph, xc_graph_value *value,
                            const xc_graph_order *order) {
  const xc_graph_form *form = best_form(value, order);
  assert(form && "a value is a constant, has a source or a form");
  xc_shape shape = xc_graph_permuted(&value->shape, order);
  int64_t numbers[XC_MAX_RANK];
  bool is_reshape = xc_graph_keeps_data(&value->shape, &form->order, order);
  for (size_t i = 0; i < shape.rank; ++i)
    numbers[i] = is_reshape
                     ? shape.dims[i]
                     : (int64_t)xc_graph_position(&form->order, order->dim[i]);
  char *name = xc_arena_alloc(&graph->arena, strlen(value->name) + 16, 1);
  strcat(strcpy(name, value->name), is_reshape ? "/reshape" : "/transpose");
  const xc_attribute attributes[] = {
      xc_ints(is_reshape ? "shape" : "order", numbers, shape.rank)};
  return xc_graph_build(
      graph, name, is_reshape ? XC_TIR_RESHAPE : XC_TIR_TRANSPOSE, &form->value,
      1, XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

MlirValue xc_graph_get(xc_graph *graph, xc_graph_value *value,
                       const xc_graph_order *order) {
  size_t rank = value->shape.rank;
  for (const xc_graph_form *form = value->forms; form; form = form->next)
    if (xc_graph_order_equal(&form->order, order, rank))
      return form->value;
  MlirValue mlir = value->data     ? emit_constant(graph, value, order)
                   : value->source ? emit_linear(graph, value, order)
                                   : emit_moved(graph, value, order);
  if (!mlirValueIsNull(mlir))
    xc_graph_add_form(graph, value, mlir, order);
  return mlir;
}

MlirValue xc_graph_get_plain(xc_graph *graph, xc_graph_value *value) {
  xc_graph_order order = xc_graph_identity(value->shape.rank);
  return xc_graph_get(graph, value, &order);
}

MlirValue xc_graph_get_channels_last(xc_graph *graph, xc_graph_value *value) {
  xc_graph_order order = xc_graph_channels_last(value->shape.rank);
  return xc_graph_get(graph, value, &order);
}

xc_graph_value *xc_graph_quantised(xc_graph *graph, xc_graph_value *source,
                                   const xc_graph_linear *linear,
                                   xc_element element) {
  xc_shape shape = source->shape;
  shape.element = element;
  xc_graph_value *value = xc_graph_new_value(graph, source->name, &shape);
  value->linear = linear;
  value->source = source;
  value->depth = source->depth + 1;
  if (value->depth <= MAX_DEPTH)
    return value;
  xc_graph_order order = xc_graph_cheapest(value);
  if (mlirValueIsNull(xc_graph_get(graph, value, &order)))
    return NULL;
  value->source = NULL;
  value->depth = 0;
  return value;
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

static xc_graph_value *transposed_constant(xc_graph *graph,
                                           xc_graph_value *value,
                                           const xc_graph_order *order,
                                           xc_graph_value *result) {
  xc_graph_order identity = xc_graph_identity(value->shape.rank);
  result->splat = value->splat;
  result->data = value->data;
  if (value->splat || xc_graph_keeps_data(&value->shape, &identity, order))
    return result;
  uint8_t *bytes = xc_graph_alloc(graph, xc_shape_num_elements(&value->shape),
                                  xc_element_size(value->shape.element));
  if (bytes) {
    permute_bytes(&value->shape, order, value->data, bytes);
    result->data = bytes;
    return result;
  }
  result->data = NULL;
  MlirValue mlir = xc_graph_get(graph, value, order);
  if (mlirValueIsNull(mlir))
    return NULL;
  xc_graph_add_form(graph, result, mlir, &identity);
  return result;
}

xc_graph_value *xc_graph_transpose(xc_graph *graph, xc_graph_value *value,
                                   const xc_graph_order *order) {
  size_t rank = value->shape.rank;
  xc_shape shape = xc_graph_permuted(&value->shape, order);
  xc_graph_value *result = xc_graph_new_value(graph, value->name, &shape);
  result->note = value->note;
  if (value->data)
    return transposed_constant(graph, value, order, result);
  if (value->source) {
    result->source = xc_graph_transpose(graph, value->source, order);
    if (!result->source)
      return NULL;
    result->op_name = value->op_name;
    result->depth = value->depth;
    result->linear = value->linear;
    if (value->linear->count > 1) {
      xc_graph_linear *linear =
          xc_arena_alloc(&graph->arena, 1, sizeof(*linear));
      *linear = *value->linear;
      linear->axis = xc_graph_position(order, linear->axis);
      result->linear = linear;
    }
  }
  for (const xc_graph_form *form = value->forms; form; form = form->next) {
    xc_graph_order renamed = {{0}};
    for (size_t i = 0; i < rank; ++i)
      renamed.dim[i] = (uint8_t)xc_graph_position(order, form->order.dim[i]);
    xc_graph_add_form(graph, result, form->value, &renamed);
  }
  return result;
}
