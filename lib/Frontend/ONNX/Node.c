//===- Node.c - the current node: inputs, attributes, results -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

size_t onnx_num_inputs(const onnx_importer *importer) {
  return importer->node->n_input;
}

bool onnx_has_input(const onnx_importer *importer, size_t index) {
  return index < importer->node->n_input && *importer->node->input[index];
}

onnx_value *onnx_input(const onnx_importer *importer, size_t index) {
  return onnx_has_input(importer, index)
             ? onnx_find(importer, importer->node->input[index])
             : NULL;
}

bool onnx_need_input(onnx_importer *importer, size_t index,
                     onnx_value **value) {
  *value = onnx_input(importer, index);
  return *value || onnx_error(importer, "input %zu is missing", index);
}

bool onnx_has_output(const onnx_importer *importer, size_t index) {
  return index < importer->node->n_output && *importer->node->output[index];
}

// The input's content, dequantised constants included.
static bool need_constant(onnx_importer *importer, size_t index,
                          onnx_value **value) {
  if (!onnx_need_input(importer, index, value))
    return false;
  if ((*value)->data)
    return true;
  return onnx_error(importer,
                    "input %zu, '%s', is computed at run time, expected a "
                    "constant; if it is a graph input, bind it",
                    index, importer->node->input[index]);
}

bool onnx_input_ints(onnx_importer *importer, size_t index,
                     const int64_t **values, size_t *count) {
  onnx_value *value;
  if (!need_constant(importer, index, &value))
    return false;
  int64_t length = xc_shape_num_elements(&value->shape);
  if (length > ONNX_MAX_LIST)
    return onnx_error(importer,
                      "input %zu has %" PRId64
                      " elements, expected a list of at most %d",
                      index, length, ONNX_MAX_LIST);
  int64_t *list =
      xc_arena_alloc(&importer->arena, (size_t)length + 1, sizeof(*list));
  for (int64_t i = 0; i < length; ++i)
    list[i] = onnx_to_int(onnx_load(value, i));
  *values = list;
  *count = (size_t)length;
  return true;
}

bool onnx_input_floats(onnx_importer *importer, size_t index,
                       const float **values, size_t *count) {
  onnx_value *value;
  if (!need_constant(importer, index, &value))
    return false;
  int64_t length = xc_shape_num_elements(&value->shape);
  if (length > ONNX_MAX_LIST)
    return onnx_error(importer,
                      "input %zu has %" PRId64
                      " elements, expected a list of at most %d",
                      index, length, ONNX_MAX_LIST);
  float *list =
      xc_arena_alloc(&importer->arena, (size_t)length + 1, sizeof(*list));
  for (int64_t i = 0; i < length; ++i)
    list[i] = (float)onnx_to_double(onnx_load(value, i));
  *values = list;
  *count = (size_t)length;
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const Onnx__AttributeProto *onnx_attribute(const onnx_importer *importer,
                                           const char *name) {
  for (size_t i = 0; i < importer->node->n_attribute; ++i)
    if (strcmp(importer->node->attribute[i]->name, name) == 0)
      return importer->node->attribute[i];
  return NULL;
}

int64_t onnx_int(const onnx_importer *importer, const char *name,
                 int64_t absent) {
  const Onnx__AttributeProto *attribute = onnx_attribute(importer, name);
  return attribute ? attribute->i : absent;
}

float onnx_float(const onnx_importer *importer, const char *name,
                 float absent) {
  const Onnx__AttributeProto *attribute = onnx_attribute(importer, name);
  return attribute ? attribute->f : absent;
}

const char *onnx_string(onnx_importer *importer, const char *name,
                        const char *absent) {
  const Onnx__AttributeProto *attribute = onnx_attribute(importer, name);
  return attribute ? xc_arena_string(&importer->arena,
                                     (const char *)attribute->s.data,
                                     attribute->s.len)
                   : absent;
}

bool onnx_ints(onnx_importer *importer, const char *name, int64_t *values,
               size_t capacity, size_t *count) {
  const Onnx__AttributeProto *attribute = onnx_attribute(importer, name);
  *count = attribute ? attribute->n_ints : 0;
  if (*count > capacity)
    return onnx_error(importer,
                      "attribute '%s' has %zu entries, expected at most %zu",
                      name, *count, capacity);
  if (*count)
    memcpy(values, attribute->ints, *count * sizeof(*values));
  return true;
}

bool onnx_axis(onnx_importer *importer, int64_t axis, size_t rank,
               size_t *result) {
  int64_t limit = (int64_t)rank;
  if (axis < -limit || axis >= limit)
    return onnx_error(importer,
                      "axis %" PRId64 " is outside %" PRId64 " to %" PRId64,
                      axis, -limit, limit - 1);
  *result = (size_t)(axis < 0 ? axis + limit : axis);
  return true;
}

bool onnx_check_rank(onnx_importer *importer, const onnx_value *value,
                     size_t low, size_t high) {
  size_t rank = value->shape.rank;
  if (rank >= low && rank <= high)
    return true;
  return onnx_error(importer,
                    "value '%s' has %zu dimensions, expected %zu to %zu",
                    value->name, rank, low, high);
}

bool onnx_axes(onnx_importer *importer, int64_t since, size_t rank,
               size_t axes[XC_MAX_RANK], size_t *count) {
  int64_t list[XC_MAX_RANK];
  const int64_t *given = list;
  *count = 0;
  if (importer->opset >= since) {
    if (onnx_has_input(importer, 1) &&
        !onnx_input_ints(importer, 1, &given, count))
      return false;
  } else if (!onnx_ints(importer, "axes", list, XC_MAX_RANK, count)) {
    return false;
  }
  bool marked[XC_MAX_RANK] = {false};
  for (size_t i = 0; i < *count; ++i) {
    size_t axis = 0;
    if (!onnx_axis(importer, given[i], rank, &axis))
      return false;
    if (marked[axis])
      return onnx_error(importer, "axis %zu is named twice", axis);
    marked[axis] = true;
  }
  *count = 0;
  for (size_t i = 0; i < rank; ++i)
    if (marked[i])
      axes[(*count)++] = i;
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

// tir has 32-bit attributes; what does not fit must not be cut off.
bool onnx_check_attributes(onnx_importer *importer,
                           const xc_attribute *attributes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const xc_attribute *a = &attributes[i];
    bool is_list = a->type == XC_ATTRIBUTE_INTS;
    size_t length = is_list ? a->count : a->type == XC_ATTRIBUTE_INT;
    for (size_t k = 0; k < length; ++k) {
      int64_t value = is_list ? a->ints[k] : a->number;
      if (value < INT32_MIN || value > INT32_MAX)
        return onnx_error(importer,
                          "asks for '%s' of %" PRId64
                          ", which does not fit 32 bits",
                          a->name, value);
    }
  }
  return true;
}

static MlirValue emit_named(onnx_importer *importer, const char *name,
                            xc_op_kind kind, const MlirValue *operands,
                            size_t num_operands, const xc_attribute *attributes,
                            size_t num_attributes, xc_element element) {
  enum { MAX_ATTRIBUTES = 24 };
  xc_attribute all[MAX_ATTRIBUTES + 1];
  if (xc_import_failed(&importer->base) || // an operand may be missing
      !onnx_check_attributes(importer, attributes, num_attributes))
    return (MlirValue){NULL};
  if (num_attributes)
    memcpy(all, attributes, num_attributes * sizeof(*all));
  all[num_attributes] = xc_string("op_name", name);
  const xc_builder builder = xc_import_builder(&importer->base, name);
  return xc_build(&builder, kind, operands, num_operands, all,
                  num_attributes + 1, element);
}

MlirValue onnx_emit(onnx_importer *importer, xc_op_kind kind,
                    const MlirValue *operands, size_t num_operands,
                    const xc_attribute *attributes, size_t num_attributes,
                    xc_element element) {
  return emit_named(importer, importer->op_name, kind, operands, num_operands,
                    attributes, num_attributes, element);
}

MlirValue onnx_emit_helper(onnx_importer *importer, const char *suffix,
                           xc_op_kind kind, const MlirValue *operands,
                           size_t num_operands, const xc_attribute *attributes,
                           size_t num_attributes, xc_element element) {
  size_t length = strlen(importer->op_name);
  char *name = xc_arena_alloc(&importer->arena, length + strlen(suffix) + 2, 1);
  memcpy(name, importer->op_name, length);
  name[length] = '/';
  strcpy(name + length + 1, suffix);
  return emit_named(importer, name, kind, operands, num_operands, attributes,
                    num_attributes, element);
}

MlirValue onnx_emit_step(onnx_importer *importer, const char *suffix,
                         xc_op_kind kind, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return onnx_emit_helper(importer, suffix, kind, operands,
                          mlirValueIsNull(b) ? 1 : 2, NULL, 0, XC_ELEMENT_NONE);
}

MlirValue onnx_emit_step_number(onnx_importer *importer, const char *suffix,
                                xc_op_kind kind, MlirValue a, double number) {
  xc_shape shape;
  if (mlirValueIsNull(a))
    return a;
  xc_shape_of_type(mlirValueGetType(a), &shape);
  return onnx_emit_step(importer, suffix, kind, a,
                        onnx_emit_number(importer, number, shape.element));
}

MlirValue onnx_emit_number(onnx_importer *importer, double number,
                           xc_element element) {
  uint8_t *data = xc_arena_alloc(&importer->arena, 1, 8);
  onnx_store(element, data, 0, (onnx_number){.is_float = true, .real = number});
  xc_shape shape = {.element = element};
  onnx_value *value =
      onnx_new_constant(importer, importer->op_name, &shape, data, false);
  return onnx_get_plain(importer, value);
}

static bool define_output(onnx_importer *importer, size_t index,
                          onnx_value *value) {
  return !onnx_has_output(importer, index) ||
         onnx_define(importer, importer->node->output[index], value);
}

bool onnx_result(onnx_importer *importer, size_t index, MlirValue mlir,
                 const onnx_order *order) {
  if (mlirValueIsNull(mlir))
    return false;
  xc_shape form, shape;
  xc_shape_of_type(mlirValueGetType(mlir), &form);
  shape = form;
  for (size_t i = 0; i < form.rank; ++i)
    shape.dims[order->dim[i]] = form.dims[i];
  const char *name = onnx_has_output(importer, index)
                         ? importer->node->output[index]
                         : importer->op_name;
  onnx_value *value = onnx_new_value(importer, name, &shape);
  onnx_add_form(importer, value, mlir, order);
  return define_output(importer, index, value);
}

bool onnx_result_plain(onnx_importer *importer, size_t index, MlirValue value) {
  onnx_order order = onnx_identity(XC_MAX_RANK);
  return onnx_result(importer, index, value, &order);
}

bool onnx_result_alias(onnx_importer *importer, size_t index,
                       const onnx_value *value) {
  if (!value)
    return false;
  if (!onnx_has_output(importer, index))
    return true;
  onnx_value *copy = xc_arena_alloc(&importer->arena, 1, sizeof(*copy));
  *copy = *value;
  copy->name = importer->node->output[index];
  // Forms found later belong to one name; sharing the list would tie them.
  copy->forms = NULL;
  for (const onnx_form *form = value->forms; form; form = form->next)
    onnx_add_form(importer, copy, form->value, &form->order);
  return define_output(importer, index, copy);
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

// How many operands of full rank would have to be moved for this order.
static size_t moves(onnx_value *const *values, size_t count, size_t rank,
                    const onnx_order *order) {
  size_t result = 0;
  for (size_t i = 0; i < count; ++i) {
    if (values[i]->shape.rank != rank || values[i]->data)
      continue;
    onnx_order cheapest = onnx_cheapest(values[i]);
    bool found = onnx_order_equal(&cheapest, order, rank);
    for (const onnx_form *f = values[i]->forms; f && !found; f = f->next)
      found = onnx_order_equal(&f->order, order, rank);
    result += !found;
  }
  return result;
}

static onnx_value *padded(onnx_importer *importer, onnx_value *value,
                          size_t rank) {
  int64_t dims[XC_MAX_RANK];
  size_t lead = rank - value->shape.rank;
  if (lead == 0)
    return value;
  for (size_t i = 0; i < rank; ++i)
    dims[i] = i < lead ? 1 : value->shape.dims[i - lead];
  return onnx_reshaped(importer, value, dims, rank);
}

bool onnx_broadcast(onnx_importer *importer, onnx_value *const *values,
                    size_t count, MlirValue *operands, onnx_order *order) {
  size_t rank = 0, fewest = SIZE_MAX;
  for (size_t i = 0; i < count; ++i)
    if (values[i]->shape.rank > rank)
      rank = values[i]->shape.rank;
  *order = onnx_identity(rank);
  size_t tries = 8; // more operands than that agree on what some of them want
  for (size_t i = 0; i < count && tries > 0; ++i) {
    if (values[i]->shape.rank != rank || values[i]->data)
      continue;
    --tries;
    onnx_order candidate = onnx_cheapest(values[i]);
    size_t cost = moves(values, count, rank, &candidate);
    if (cost < fewest) {
      fewest = cost;
      *order = candidate;
    }
  }
  onnx_order plain = onnx_identity(rank);
  bool is_plain = onnx_order_equal(order, &plain, rank);
  for (size_t i = 0; i < count; ++i) {
    if (is_plain || values[i]->shape.rank == 0) {
      // Broadcasting aligns the last dimensions by itself.
      operands[i] = onnx_get_plain(importer, values[i]);
      if (mlirValueIsNull(operands[i]))
        return false;
      continue;
    }
    onnx_value *value = padded(importer, values[i], rank);
    operands[i] = value ? onnx_get(importer, value, order) : (MlirValue){NULL};
    if (mlirValueIsNull(operands[i]))
      return false;
  }
  return true;
}
