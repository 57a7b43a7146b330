//===- Value.c - values and their forms -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Sources of sources at most; deeper chains are emitted on the way.
enum { MAX_DEPTH = 32 };

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static size_t hash(const char *name) {
  uint64_t h = UINT64_C(14695981039346656037);
  for (; *name; ++name)
    h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
  return (size_t)(h ^ (h >> 32));
}

static onnx_entry **slot_of(const onnx_importer *importer, const char *name) {
  size_t mask = importer->table_size - 1;
  size_t i = hash(name) & mask;
  while (importer->table[i] && strcmp(importer->table[i]->key, name) != 0)
    i = (i + 1) & mask;
  return &importer->table[i];
}

onnx_value *onnx_find(const onnx_importer *importer, const char *name) {
  onnx_entry *entry = *slot_of(importer, name);
  return entry ? entry->value : NULL;
}

bool onnx_define(onnx_importer *importer, const char *name, onnx_value *value) {
  onnx_entry **slot = slot_of(importer, name);
  if (*slot)
    return onnx_error(importer, "value '%s' is defined twice", name);
  onnx_entry *entry = xc_arena_alloc(&importer->arena, 1, sizeof(*entry));
  *entry = (onnx_entry){name, value};
  *slot = entry;
  return true;
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

onnx_order onnx_identity(size_t rank) {
  onnx_order order = {{0}};
  for (size_t i = 0; i < rank; ++i)
    order.dim[i] = (uint8_t)i;
  return order;
}

onnx_order onnx_channels_last(size_t rank) {
  onnx_order order = {{0}};
  for (size_t i = 1; i + 1 < rank; ++i)
    order.dim[i] = (uint8_t)(i + 1);
  if (rank > 1)
    order.dim[rank - 1] = 1;
  return order;
}

bool onnx_order_equal(const onnx_order *a, const onnx_order *b, size_t rank) {
  return memcmp(a->dim, b->dim, rank) == 0;
}

size_t onnx_position(const onnx_order *order, size_t dim) {
  size_t i = 0;
  while (i < XC_MAX_RANK && order->dim[i] != dim)
    ++i;
  assert(i < XC_MAX_RANK && "an order names every dimension");
  return i;
}

// Whether going from `from` to `to` leaves the elements where they are: the
// dimensions other than 1 come in the same sequence.
static bool keeps_data(const xc_shape *shape, const onnx_order *from,
                       const onnx_order *to) {
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

onnx_value *onnx_new_value(onnx_importer *importer, const char *name,
                           const xc_shape *shape) {
  onnx_value *value = xc_arena_alloc(&importer->arena, 1, sizeof(*value));
  value->name = name;
  value->op_name = importer->op_name ? importer->op_name : name;
  value->shape = *shape;
  value->shape.memref = false;
  return value;
}

onnx_value *onnx_new_constant(onnx_importer *importer, const char *name,
                              const xc_shape *shape, const void *data,
                              bool splat) {
  onnx_value *value = onnx_new_value(importer, name, shape);
  value->op_name = name;
  value->data = data;
  value->splat = splat;
  return value;
}

void onnx_add_form(onnx_importer *importer, onnx_value *value, MlirValue mlir,
                   const onnx_order *order) {
  onnx_form **end = &value->forms;
  while (*end)
    end = &(*end)->next;
  *end = xc_arena_alloc(&importer->arena, 1, sizeof(onnx_form));
  **end = (onnx_form){mlir, *order, NULL};
}

onnx_order onnx_cheapest(const onnx_value *value) {
  while (!value->forms && value->source)
    value = value->source;
  if (value->wants_channels_last)
    return onnx_channels_last(value->shape.rank);
  return value->forms ? value->forms->order : onnx_identity(value->shape.rank);
}

static xc_shape permuted(const xc_shape *shape, const onnx_order *order) {
  xc_shape result = *shape;
  for (size_t i = 0; i < shape->rank; ++i)
    result.dims[i] = shape->dims[order->dim[i]];
  return result;
}

// Copies elements so that dimension i of the result is dimension order[i].
static void permute_bytes(const xc_shape *shape, const onnx_order *order,
                          const uint8_t *from, uint8_t *to) {
  size_t size = xc_element_size(shape->element), rank = shape->rank;
  int64_t strides[XC_MAX_RANK], index[XC_MAX_RANK] = {0};
  int64_t stride = 1, at = 0;
  xc_shape result = permuted(shape, order);
  for (size_t i = rank; i-- > 0;) {
    strides[onnx_position(order, i)] = stride;
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

static MlirAttribute constant_attribute(onnx_importer *importer,
                                        const onnx_value *value,
                                        const onnx_order *order) {
  MlirContext context = importer->base.context;
  xc_shape shape = permuted(&value->shape, order);
  MlirType type = xc_type_of_shape(context, &shape);
  if (value->splat && shape.element == XC_ELEMENT_I1)
    return mlirDenseElementsAttrBoolSplatGet(type, value->data[0] != 0);
  if (value->splat)
    return mlirDenseElementsAttrRawBufferGet(
        type, xc_element_size(shape.element), value->data);
  onnx_order identity = onnx_identity(shape.rank);
  if (keeps_data(&value->shape, &identity, order))
    return xc_dense_attribute(context, value->data, &shape);
  uint8_t *bytes = xc_alloc_array((size_t)xc_shape_num_elements(&shape),
                                  xc_element_size(shape.element));
  permute_bytes(&value->shape, order, value->data, bytes);
  MlirAttribute attribute = xc_dense_attribute(context, bytes, &shape);
  free(bytes);
  return attribute;
}

static void set_op_name(const onnx_importer *importer, MlirValue value,
                        const char *name) {
  mlirOperationSetAttributeByName(
      mlirOpResultGetOwner(value), mlirStringRefCreateFromCString("op_name"),
      mlirStringAttrGet(importer->base.context,
                        mlirStringRefCreateFromCString(name)));
}

static MlirValue emit_constant(onnx_importer *importer, const onnx_value *value,
                               const onnx_order *order) {
  xc_shape shape = permuted(&value->shape, order);
  const xc_builder builder = xc_import_builder(&importer->base, value->name);
  MlirValue mlir = xc_build_const(
      &builder, constant_attribute(importer, value, order), &shape);
  if (!mlirValueIsNull(mlir))
    set_op_name(importer, mlir, value->name);
  return mlir;
}

static MlirValue emit_linear(onnx_importer *importer, onnx_value *value,
                             const onnx_order *order) {
  MlirValue input = onnx_get(importer, value->source, order);
  if (mlirValueIsNull(input))
    return input;
  const onnx_linear *linear = value->linear;
  size_t axis = 0;
  if (linear->count > 1)
    axis = onnx_position(order, linear->axis);
  xc_attribute attributes[] = {
      xc_floats("scale", linear->scales, linear->count),
      xc_ints("zero_point", linear->zero_points, linear->count),
      xc_string("op_name", value->op_name), xc_int("axis", (int64_t)axis)};
  if (!onnx_check_attributes(importer, attributes, 2))
    return (MlirValue){NULL};
  const xc_builder builder = xc_import_builder(&importer->base, value->op_name);
  return xc_build(
      &builder,
      linear->quantizes ? XC_TIR_QUANTIZE_LINEAR : XC_TIR_DEQUANTIZE_LINEAR,
      &input, 1, attributes, linear->count > 1 ? 4 : 3, value->shape.element);
}

static const onnx_form *best_form(const onnx_value *value,
                                  const onnx_order *order) {
  for (const onnx_form *form = value->forms; form; form = form->next)
    if (keeps_data(&value->shape, &form->order, order))
      return form;
  return value->forms;
}

// Moves an existing form: a reshape where no data moves.
static MlirValue emit_moved(onnx_importer *importer, onnx_value *value,
                            const onnx_order *order) {
  const onnx_form *form = best_form(value, order);
  assert(form && "a value is a constant, has a source or a form");
  xc_shape shape = permuted(&value->shape, order);
  int64_t numbers[XC_MAX_RANK];
  bool is_reshape = keeps_data(&value->shape, &form->order, order);
  for (size_t i = 0; i < shape.rank; ++i)
    numbers[i] = is_reshape
                     ? shape.dims[i]
                     : (int64_t)onnx_position(&form->order, order->dim[i]);
  char *name = xc_arena_alloc(&importer->arena, strlen(value->name) + 16, 1);
  strcat(strcpy(name, value->name), is_reshape ? "/reshape" : "/transpose");
  xc_attribute attributes[] = {
      xc_ints(is_reshape ? "shape" : "order", numbers, shape.rank),
      xc_string("op_name", name)};
  const xc_builder builder = xc_import_builder(&importer->base, name);
  return xc_build(&builder, is_reshape ? XC_TIR_RESHAPE : XC_TIR_TRANSPOSE,
                  &form->value, 1, attributes, 2, XC_ELEMENT_NONE);
}

MlirValue onnx_get(onnx_importer *importer, onnx_value *value,
                   const onnx_order *order) {
  size_t rank = value->shape.rank;
  for (const onnx_form *form = value->forms; form; form = form->next)
    if (onnx_order_equal(&form->order, order, rank))
      return form->value;
  MlirValue mlir = value->data     ? emit_constant(importer, value, order)
                   : value->source ? emit_linear(importer, value, order)
                                   : emit_moved(importer, value, order);
  if (!mlirValueIsNull(mlir))
    onnx_add_form(importer, value, mlir, order);
  return mlir;
}

MlirValue onnx_get_plain(onnx_importer *importer, onnx_value *value) {
  onnx_order order = onnx_identity(value->shape.rank);
  return onnx_get(importer, value, &order);
}

MlirValue onnx_get_channels_last(onnx_importer *importer, onnx_value *value) {
  onnx_order order = onnx_channels_last(value->shape.rank);
  return onnx_get(importer, value, &order);
}

onnx_value *onnx_linear_value(onnx_importer *importer, onnx_value *source,
                              const onnx_linear *linear, xc_element element) {
  xc_shape shape = source->shape;
  shape.element = element;
  onnx_value *value = onnx_new_value(importer, source->name, &shape);
  value->linear = linear;
  value->source = source;
  value->depth = source->depth + 1;
  if (value->depth <= MAX_DEPTH)
    return value;
  onnx_order order = onnx_cheapest(value);
  if (mlirValueIsNull(onnx_get(importer, value, &order)))
    return NULL;
  value->source = NULL;
  value->depth = 0;
  return value;
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

static onnx_value *transposed_constant(onnx_importer *importer,
                                       onnx_value *value,
                                       const onnx_order *order,
                                       onnx_value *result) {
  onnx_order identity = onnx_identity(value->shape.rank);
  result->splat = value->splat;
  result->data = value->data;
  if (value->splat || keeps_data(&value->shape, &identity, order))
    return result;
  uint8_t *bytes =
      onnx_fold_alloc(importer, xc_shape_num_elements(&value->shape),
                      xc_element_size(value->shape.element));
  if (bytes) {
    permute_bytes(&value->shape, order, value->data, bytes);
    result->data = bytes;
    return result;
  }
  result->data = NULL;
  MlirValue mlir = onnx_get(importer, value, order);
  if (mlirValueIsNull(mlir))
    return NULL;
  onnx_add_form(importer, result, mlir, &identity);
  return result;
}

onnx_value *onnx_transposed(onnx_importer *importer, onnx_value *value,
                            const onnx_order *order) {
  size_t rank = value->shape.rank;
  xc_shape shape = permuted(&value->shape, order);
  onnx_value *result = onnx_new_value(importer, value->name, &shape);
  if (value->data)
    return transposed_constant(importer, value, order, result);
  if (value->source) {
    result->source = onnx_transposed(importer, value->source, order);
    if (!result->source)
      return NULL;
    result->op_name = value->op_name;
    result->depth = value->depth;
    result->linear = value->linear;
    if (value->linear->count > 1) {
      onnx_linear *linear =
          xc_arena_alloc(&importer->arena, 1, sizeof(*linear));
      *linear = *value->linear;
      linear->axis = onnx_position(order, linear->axis);
      result->linear = linear;
    }
  }
  for (const onnx_form *form = value->forms; form; form = form->next) {
    onnx_order renamed = {{0}};
    for (size_t i = 0; i < rank; ++i)
      renamed.dim[i] = (uint8_t)onnx_position(order, form->order.dim[i]);
    onnx_add_form(importer, result, form->value, &renamed);
  }
  return result;
}

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
static size_t append_ones(const int64_t *dims, size_t dim, onnx_order *order,
                          size_t length) {
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

// The order with the dimensions of each group side by side, each group where
// its first member stands.
static onnx_order gather_groups(const xc_shape *shape, const onnx_order *order,
                                const dim_match *match) {
  onnx_order result = {{0}};
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

// The order after the reshape of a form whose groups stand side by side.
// Leading dimensions of size 1 (the batch) stay in front.
static onnx_order reshape_order(const xc_shape *shape, const onnx_order *order,
                                const int64_t *dims, size_t rank,
                                const dim_match *match) {
  onnx_order result = {{0}};
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

static bool reshape_form(onnx_importer *importer, onnx_value *result,
                         const onnx_form *form, const onnx_order *order) {
  xc_shape shape = permuted(&result->shape, order), old;
  MlirValue mlir = form->value;
  xc_shape_of_type(mlirValueGetType(mlir), &old);
  bool same = old.rank == shape.rank &&
              memcmp(old.dims, shape.dims, shape.rank * sizeof(int64_t)) == 0;
  if (!same) {
    xc_attribute attribute = xc_ints("shape", shape.dims, shape.rank);
    mlir = onnx_emit(importer, XC_TIR_RESHAPE, &mlir, 1, &attribute, 1,
                     XC_ELEMENT_NONE);
  }
  if (mlirValueIsNull(mlir))
    return false;
  onnx_add_form(importer, result, mlir, order);
  return true;
}

// The order to reshape from: that of a form if its groups stand side by side.
static onnx_order grouped_order(const onnx_value *value,
                                const dim_match *match) {
  onnx_order order;
  for (const onnx_form *form = value->forms; form; form = form->next) {
    order = gather_groups(&value->shape, &form->order, match);
    if (onnx_order_equal(&order, &form->order, value->shape.rank))
      return order;
  }
  order = onnx_cheapest(value);
  return gather_groups(&value->shape, &order, match);
}

// Where a dimension of the old shape stands in the new one, `rank` if nowhere.
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

// A dequantised constant with the constant in another shape, where every scale
// stays with its dimension. Null when that cannot be.
static onnx_value *reshaped_source(onnx_importer *importer, onnx_value *value,
                                   const int64_t *dims, size_t rank) {
  const onnx_linear *linear = value->linear;
  if (!value->source || !value->source->data)
    return NULL;
  if (linear->count > 1) {
    size_t axis = find_dim(&value->shape, linear->axis, dims, rank);
    if (axis == rank || xc_shape_num_elements(&value->shape) == 0)
      return NULL;
    onnx_linear *moved = xc_arena_alloc(&importer->arena, 1, sizeof(*moved));
    *moved = *linear;
    moved->axis = axis;
    linear = moved;
  }
  xc_shape shape = shape_of(value->shape.element, dims, rank);
  onnx_value *result = onnx_new_value(importer, value->name, &shape);
  result->source = onnx_reshaped(importer, value->source, dims, rank);
  result->linear = linear;
  result->op_name = value->op_name;
  result->depth = value->depth;
  return result;
}

onnx_value *onnx_reshaped(onnx_importer *importer, onnx_value *value,
                          const int64_t *dims, size_t rank) {
  xc_shape shape = shape_of(value->shape.element, dims, rank);
  assert(xc_shape_num_elements(&shape) ==
             xc_shape_num_elements(&value->shape) &&
         "the caller has checked the number of elements");
  onnx_value *result = onnx_new_value(importer, value->name, &shape);
  if (value->data) {
    result->data = value->data;
    result->splat = value->splat;
    return result;
  }
  onnx_value *moved = reshaped_source(importer, value, dims, rank);
  if (moved)
    return moved;
  dim_match match;
  bool is_matched = match_dims(&value->shape, dims, rank, &match);
  onnx_order order = onnx_identity(value->shape.rank);
  if (is_matched)
    order = grouped_order(value, &match);
  onnx_form form = {.value = onnx_get(importer, value, &order)};
  order = is_matched ? reshape_order(&value->shape, &order, dims, rank, &match)
                     : onnx_identity(rank);
  if (mlirValueIsNull(form.value) ||
      !reshape_form(importer, result, &form, &order))
    return NULL;
  return result;
}
