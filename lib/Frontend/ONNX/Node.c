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

size_t onnx_num_inputs(const onnx_importer *im) { return im->node->n_input; }

bool onnx_has_input(const onnx_importer *im, size_t index) {
  return index < im->node->n_input && *im->node->input[index];
}

xc_graph_value *onnx_input(const onnx_importer *im, size_t index) {
  return onnx_has_input(im, index)
             ? xc_graph_find(&im->graph, im->node->input[index])
             : NULL;
}

bool onnx_need_input(onnx_importer *im, size_t index, xc_graph_value **value) {
  *value = onnx_input(im, index);
  return *value || onnx_error(im, "input %zu is missing", index);
}

bool onnx_has_output(const onnx_importer *im, size_t index) {
  return index < im->node->n_output && *im->node->output[index];
}

// The input's content, dequantised constants included.
static bool need_constant(onnx_importer *im, size_t index,
                          xc_graph_value **value) {
  if (!onnx_need_input(im, index, value))
    return false;
  if ((*value)->data)
    return true;
  return onnx_error(im,
                    "input %zu, '%s', is computed at run time, expected a "
                    "constant; if it is a graph input, bind it",
                    index, im->node->input[index]);
}

// The same, short enough to be a list; null after an error.
static const xc_graph_value *need_list(onnx_importer *im, size_t index,
                                       size_t *count) {
  xc_graph_value *value;
  if (!need_constant(im, index, &value))
    return NULL;
  int64_t length = xc_shape_num_elements(&value->shape);
  *count = (size_t)length;
  if (length <= ONNX_MAX_LIST)
    return value;
  onnx_error(
      im, "input %zu has %" PRId64 " elements, expected a list of at most %d",
      index, length, ONNX_MAX_LIST);
  return NULL;
}

bool onnx_input_ints(onnx_importer *im, size_t index, const int64_t **values,
                     size_t *count) {
  const xc_graph_value *value = need_list(im, index, count);
  if (!value)
    return false;
  int64_t *list = xc_arena_alloc(&im->graph.arena, *count + 1, sizeof(*list));
  for (size_t i = 0; i < *count; ++i)
    list[i] = xc_graph_to_int(xc_graph_load(value, (int64_t)i));
  *values = list;
  return true;
}

bool onnx_input_floats(onnx_importer *im, size_t index, const float **values,
                       size_t *count) {
  const xc_graph_value *value = need_list(im, index, count);
  if (!value)
    return false;
  float *list = xc_arena_alloc(&im->graph.arena, *count + 1, sizeof(*list));
  for (size_t i = 0; i < *count; ++i)
    list[i] = (float)xc_graph_to_real(xc_graph_load(value, (int64_t)i));
  *values = list;
  return true;
}

bool onnx_input_int(onnx_importer *im, size_t index, int64_t *number) {
  const int64_t *list;
  size_t count;
  if (!onnx_input_ints(im, index, &list, &count))
    return false;
  if (count != 1)
    return onnx_error(im, "input %zu has %zu elements, expected 1", index,
                      count);
  *number = list[0];
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const Onnx__AttributeProto *onnx_attribute(const onnx_importer *im,
                                           const char *name) {
  for (size_t i = 0; i < im->node->n_attribute; ++i)
    if (strcmp(im->node->attribute[i]->name, name) == 0)
      return im->node->attribute[i];
  return NULL;
}

int64_t onnx_int(const onnx_importer *im, const char *name, int64_t absent) {
  const Onnx__AttributeProto *attribute = onnx_attribute(im, name);
  return attribute ? attribute->i : absent;
}

float onnx_float(const onnx_importer *im, const char *name, float absent) {
  const Onnx__AttributeProto *attribute = onnx_attribute(im, name);
  return attribute ? attribute->f : absent;
}

const char *onnx_string(onnx_importer *im, const char *name,
                        const char *absent) {
  const Onnx__AttributeProto *attribute = onnx_attribute(im, name);
  return attribute ? xc_arena_string(&im->graph.arena,
                                     (const char *)attribute->s.data,
                                     attribute->s.len)
                   : absent;
}

bool onnx_ints(onnx_importer *im, const char *name, int64_t *values,
               size_t capacity, size_t *count) {
  const Onnx__AttributeProto *attribute = onnx_attribute(im, name);
  *count = attribute ? attribute->n_ints : 0;
  if (*count > capacity)
    return onnx_error(im,
                      "attribute '%s' has %zu entries, expected at most %zu",
                      name, *count, capacity);
  if (*count)
    memcpy(values, attribute->ints, *count * sizeof(*values));
  return true;
}

bool onnx_check_rank(onnx_importer *im, const xc_graph_value *value, size_t low,
                     size_t high) {
  size_t rank = value->shape.rank;
  if (rank >= low && rank <= high)
    return true;
  if (low == high)
    return onnx_error(im, "value '%s' has %zu dimensions, expected %zu",
                      value->name, rank, low);
  return onnx_error(im, "value '%s' has %zu dimensions, expected %zu to %zu",
                    value->name, rank, low, high);
}

bool onnx_axes(onnx_importer *im, int64_t since, size_t rank,
               size_t axes[XC_MAX_RANK], size_t *count) {
  int64_t list[XC_MAX_RANK];
  const int64_t *given = list;
  *count = 0;
  if (im->opset >= since) {
    if (onnx_has_input(im, 1) && !onnx_input_ints(im, 1, &given, count))
      return false;
  } else if (!onnx_ints(im, "axes", list, XC_MAX_RANK, count)) {
    return false;
  }
  bool marked[XC_MAX_RANK] = {false};
  for (size_t i = 0; i < *count; ++i) {
    size_t axis = 0;
    if (!xc_graph_axis(&im->graph, given[i], rank, &axis))
      return false;
    if (marked[axis])
      return onnx_error(im, "axis %zu is named twice", axis);
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

static bool define_output(onnx_importer *im, size_t index,
                          xc_graph_value *value) {
  return !onnx_has_output(im, index) ||
         xc_graph_define(&im->graph, im->node->output[index], value);
}

// The name that a result gets, also where nothing asks for it.
static const char *output_name(const onnx_importer *im, size_t index) {
  return onnx_has_output(im, index) ? im->node->output[index] : im->graph.node;
}

bool onnx_result(onnx_importer *im, size_t index, MlirValue mlir,
                 const xc_graph_order *order) {
  xc_graph_value *value =
      xc_graph_computed(&im->graph, output_name(im, index), mlir, order);
  return value && define_output(im, index, value);
}

bool onnx_result_plain(onnx_importer *im, size_t index, MlirValue value) {
  xc_graph_order order = xc_graph_identity(XC_MAX_RANK);
  return onnx_result(im, index, value, &order);
}

bool onnx_emit_result(onnx_importer *im, xc_op_kind kind,
                      const MlirValue *operands, size_t num_operands,
                      const xc_attributes *attributes, xc_element element,
                      const xc_graph_order *order) {
  return onnx_result(im, 0,
                     xc_graph_emit(&im->graph, NULL, kind, operands,
                                   num_operands, attributes, element),
                     order);
}

bool onnx_result_alias(onnx_importer *im, size_t index,
                       const xc_graph_value *value) {
  xc_graph_value *copy =
      xc_graph_alias(&im->graph, output_name(im, index), value);
  return copy && define_output(im, index, copy);
}
