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

size_t xc_onnx_num_inputs(const xc_onnx_importer *im) {
  return im->node->n_input;
}

bool xc_onnx_has_input(const xc_onnx_importer *im, size_t index) {
  return index < im->node->n_input && *im->node->input[index];
}

xc_graph_value *xc_onnx_input(const xc_onnx_importer *im, size_t index) {
  return xc_onnx_has_input(im, index)
             ? xc_graph_find(&im->graph, im->node->input[index])
             : NULL;
}

bool xc_onnx_need_input(xc_onnx_importer *im, size_t index,
                        xc_graph_value **value) {
  *value = xc_onnx_input(im, index);
  return *value || xc_onnx_error(im, "input %zu is missing", index);
}

bool xc_onnx_has_output(const xc_onnx_importer *im, size_t index) {
  return index < im->node->n_output && *im->node->output[index];
}

// The input's content, dequantised constants included.
static bool need_constant(xc_onnx_importer *im, size_t index,
                          xc_graph_value **value) {
  if (!xc_onnx_need_input(im, index, value))
    return false;
  if ((*value)->data)
    return true;
  return xc_onnx_error(im,
                       "input %zu, '%s', is computed at run time, expected a "
                       "constant; if it is a graph input, bind it",
                       index, im->node->input[index]);
}

// The same, short enough to be a list; null after an error.
static const xc_graph_value *need_list(xc_onnx_importer *im, size_t index,
                                       size_t *count) {
  xc_graph_value *value;
  if (!need_constant(im, index, &value))
    return NULL;
  int64_t length = xc_shape_num_elements(&value->shape);
  *count = (size_t)length;
  if (length <= ONNX_MAX_LIST)
    return value;
  xc_onnx_error(
      im, "input %zu has %" PRId64 " elements, expected a list of at most %d",
      index, length, ONNX_MAX_LIST);
  return NULL;
}

bool xc_onnx_input_ints(xc_onnx_importer *im, size_t index,
                        const int64_t **values, size_t *count) {
  const xc_graph_value *value = need_list(im, index, count);
  if (!value)
    return false;
  int64_t *list = xc_arena_alloc(&im->graph.arena, *count + 1, sizeof(*list));
  for (size_t i = 0; i < *count; ++i)
    list[i] = xc_graph_to_int(xc_graph_load(value, (int64_t)i));
  *values = list;
  return true;
}

bool xc_onnx_input_floats(xc_onnx_importer *im, size_t index,
                          const float **values, size_t *count) {
  const xc_graph_value *value = need_list(im, index, count);
  if (!value)
    return false;
  float *list = xc_arena_alloc(&im->graph.arena, *count + 1, sizeof(*list));
  for (size_t i = 0; i < *count; ++i)
    list[i] = (float)xc_graph_to_real(xc_graph_load(value, (int64_t)i));
  *values = list;
  return true;
}

bool xc_onnx_input_int(xc_onnx_importer *im, size_t index, int64_t *number) {
  const int64_t *list;
  size_t count;
  if (!xc_onnx_input_ints(im, index, &list, &count))
    return false;
  if (count != 1)
    return xc_onnx_error(im, "input %zu has %zu elements, expected 1", index,
                         count);
  *number = list[0];
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const Onnx__AttributeProto *xc_onnx_attribute(const xc_onnx_importer *im,
                                              const char *name) {
  for (size_t i = 0; i < im->node->n_attribute; ++i)
    if (strcmp(im->node->attribute[i]->name, name) == 0)
      return im->node->attribute[i];
  return NULL;
}

int64_t xc_onnx_int(const xc_onnx_importer *im, const char *name,
                    int64_t absent) {
  const Onnx__AttributeProto *attribute = xc_onnx_attribute(im, name);
  return attribute ? attribute->i : absent;
}

float xc_onnx_float(const xc_onnx_importer *im, const char *name,
                    float absent) {
  const Onnx__AttributeProto *attribute = xc_onnx_attribute(im, name);
  return attribute ? attribute->f : absent;
}

const char *xc_onnx_string(xc_onnx_importer *im, const char *name,
                           const char *absent) {
  const Onnx__AttributeProto *attribute = xc_onnx_attribute(im, name);
  return attribute ? xc_arena_string(&im->graph.arena,
                                     (const char *)attribute->s.data,
                                     attribute->s.len)
                   : absent;
}

bool xc_onnx_ints(xc_onnx_importer *im, const char *name, int64_t *values,
                  size_t capacity, size_t *count) {
  const Onnx__AttributeProto *attribute = xc_onnx_attribute(im, name);
  *count = attribute ? attribute->n_ints : 0;
  if (*count > capacity)
    return xc_onnx_error(im,
                         "attribute '%s' has %zu entries, expected at most %zu",
                         name, *count, capacity);
  if (*count)
    memcpy(values, attribute->ints, *count * sizeof(*values));
  return true;
}

bool xc_onnx_check_rank(xc_onnx_importer *im, const xc_graph_value *value,
                        size_t low, size_t high) {
  size_t rank = value->shape.rank;
  if (rank >= low && rank <= high)
    return true;
  if (low == high)
    return xc_onnx_error(im, "value '%s' has %zu dimensions, expected %zu",
                         value->name, rank, low);
  return xc_onnx_error(im, "value '%s' has %zu dimensions, expected %zu to %zu",
                       value->name, rank, low, high);
}

bool xc_onnx_axes(xc_onnx_importer *im, int64_t since, size_t rank,
                  size_t axes[XC_MAX_RANK], size_t *count) {
  int64_t list[XC_MAX_RANK];
  const int64_t *given = list;
  *count = 0;
  if (im->opset >= since) {
    if (xc_onnx_has_input(im, 1) && !xc_onnx_input_ints(im, 1, &given, count))
      return false;
  } else if (!xc_onnx_ints(im, "axes", list, XC_MAX_RANK, count)) {
    return false;
  }
  bool marked[XC_MAX_RANK] = {false};
  for (size_t i = 0; i < *count; ++i) {
    size_t axis = 0;
    if (!xc_graph_axis(&im->graph, given[i], rank, &axis))
      return false;
    if (marked[axis])
      return xc_onnx_error(im, "axis %zu is named twice", axis);
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

static bool define_output(xc_onnx_importer *im, size_t index,
                          xc_graph_value *value) {
  return !xc_onnx_has_output(im, index) ||
         xc_graph_define(&im->graph, im->node->output[index], value);
}

// Returns the name that a result gets, also where nothing asks for it.
static const char *output_name(const xc_onnx_importer *im, size_t index) {
  return xc_onnx_has_output(im, index) ? im->node->output[index]
                                       : im->graph.node;
}

bool xc_onnx_result(xc_onnx_importer *im, size_t index, MlirValue mlir,
                    const xc_graph_order *order) {
  xc_graph_value *value =
      xc_graph_computed(&im->graph, output_name(im, index), mlir, order);
  return value && define_output(im, index, value);
}

bool xc_onnx_result_plain(xc_onnx_importer *im, size_t index, MlirValue value) {
  xc_graph_order order = xc_graph_identity(XC_MAX_RANK);
  return xc_onnx_result(im, index, value, &order);
}

bool xc_onnx_emit_result(xc_onnx_importer *im, xc_op_kind kind,
                         const MlirValue *operands, size_t num_operands,
                         const xc_attributes *attributes, xc_element element,
                         const xc_graph_order *order) {
  return xc_onnx_result(im, 0,
                        xc_graph_emit(&im->graph, NULL, kind, operands,
                                      num_operands, attributes, element),
                        order);
}

bool xc_onnx_result_alias(xc_onnx_importer *im, size_t index,
                          const xc_graph_value *value) {
  xc_graph_value *copy =
      xc_graph_alias(&im->graph, output_name(im, index), value);
  return copy && define_output(im, index, copy);
}
