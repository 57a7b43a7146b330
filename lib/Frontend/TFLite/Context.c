//===- Context.c - what every imported operator needs ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

bool xc_tflite_has_input(const xc_tflite_context *c, size_t index) {
  return index < c->operator->num_inputs && c->operator->inputs[index] >= 0;
}

const xc_tflite_tensor *xc_tflite_input(const xc_tflite_context *c,
                                        size_t index) {
  return &c->importer->model.tensors[c->operator->inputs[index]];
}

const xc_tflite_tensor *xc_tflite_output(const xc_tflite_context *c,
                                         size_t index) {
  return &c->importer->model.tensors[c->operator->outputs[index]];
}

bool xc_tflite_charge(xc_tflite_importer *importer, size_t bytes) {
  if (bytes > importer->graph.budget)
    return xc_graph_error(&importer->graph,
                          "the constants are many times larger than the file: "
                          "tensors share buffers");
  importer->graph.budget -= bytes;
  return true;
}

static MlirValue emit_constant(xc_tflite_importer *importer,
                               xc_graph_value *value) {
  const xc_shape *shape = &value->shape;
  for (size_t i = 0; i < shape->rank; ++i)
    if (shape->dims[i] == 0)
      xc_graph_error(&importer->graph, "constant '%s' has size 0", value->name);
  if (xc_graph_failed(&importer->graph) ||
      !xc_tflite_charge(importer, (size_t)xc_shape_num_elements(shape) *
                                      xc_element_size(shape->element)))
    return (MlirValue){NULL};
  return xc_graph_get_plain(&importer->graph, value);
}

MlirValue xc_tflite_constant(xc_tflite_context *c, const char *name,
                             const void *bytes, const xc_shape *shape) {
  xc_graph *graph = &c->importer->graph;
  return emit_constant(c->importer,
                       xc_graph_constant(graph, name, shape, bytes, false));
}

MlirValue xc_tflite_part_constant(xc_tflite_context *c, const char *part,
                                  const void *bytes, const xc_shape *shape) {
  xc_text name = {0};
  xc_text_printf(&name, "%s/%s", xc_tflite_output(c, 0)->name, part);
  MlirValue value = xc_tflite_constant(c, xc_text_str(&name), bytes, shape);
  xc_text_free(&name);
  return value;
}

static xc_shape tensor_shape(const xc_tflite_tensor *tensor) {
  xc_shape shape = {.element = tensor->element, .rank = tensor->rank};
  memcpy(shape.dims, tensor->dims, sizeof(shape.dims));
  return shape;
}

xc_graph_value *xc_tflite_find(const xc_tflite_context *c, size_t index) {
  xc_tflite_importer *importer = c->importer;
  int32_t number = c->operator->inputs[index];
  const xc_tflite_tensor *tensor = &importer->model.tensors[number];
  xc_graph_value **value = &importer->values[number];
  if (!*value && tensor->data) {
    xc_shape shape = tensor_shape(tensor);
    *value = xc_graph_constant(&importer->graph, tensor->name, &shape,
                               tensor->data, false);
  }
  return *value;
}

xc_graph_value *xc_tflite_known(const xc_tflite_context *c, size_t index) {
  xc_graph_value *value =
      xc_tflite_has_input(c, index) ? xc_tflite_find(c, index) : NULL;
  return value && value->data ? value : NULL;
}

MlirValue xc_tflite_value(xc_tflite_context *c, size_t index) {
  xc_graph_value *value = xc_tflite_find(c, index);
  if (!value) {
    xc_tflite_error(c,
                    "tensor '%s' is neither an input, a constant nor the "
                    "result of an operator before",
                    xc_tflite_input(c, index)->name);
    return (MlirValue){NULL};
  }
  return value->forms ? xc_graph_get_plain(&c->importer->graph, value)
                      : emit_constant(c->importer, value);
}

MlirValue xc_tflite_ordered_value(xc_tflite_context *c, size_t index,
                                  xc_graph_order *order) {
  xc_graph_value *value = xc_tflite_find(c, index);
  if (value && value->forms) {
    *order = xc_graph_cheapest(value);
    return xc_graph_get(&c->importer->graph, value, order);
  }
  *order = xc_graph_identity(value ? value->shape.rank : 0);
  return xc_tflite_value(c, index);
}

bool xc_tflite_is_reordered(const xc_tflite_context *c, size_t index) {
  const xc_graph_value *value = xc_tflite_find(c, index);
  if (!value || !value->forms)
    return false;
  xc_graph_order plain = xc_graph_identity(value->shape.rank);
  return !xc_graph_order_equal(&value->forms->order, &plain, value->shape.rank);
}

bool xc_tflite_ints(xc_tflite_context *c, size_t index, int64_t *ints,
                    size_t capacity, size_t *count) {
  const xc_tflite_tensor *tensor = xc_tflite_input(c, index);
  bool is_index =
      tensor->element == XC_ELEMENT_I32 || tensor->element == XC_ELEMENT_I64;
  *count = 0;
  if (!is_index)
    return xc_tflite_error(c,
                           "input %zu '%s' has elements of type %s, expected "
                           "INT32 or INT64",
                           index, tensor->name, tensor->type_name);
  if (!tensor->data) {
    bool is_empty = false;
    for (size_t i = 0; i < tensor->rank; ++i)
      is_empty |= tensor->dims[i] == 0;
    if (is_empty)
      return true;
    return xc_tflite_error(c, "input %zu '%s' must be a constant", index,
                           tensor->name);
  }
  *count = tensor->size / xc_element_size(tensor->element);
  if (*count > capacity)
    return xc_tflite_error(c,
                           "input %zu '%s' has %zu entries, expected at "
                           "most %zu",
                           index, tensor->name, *count, capacity);
  for (size_t i = 0; i < *count; ++i)
    ints[i] = xc_graph_load(xc_tflite_find(c, index), (int64_t)i).integer;
  return true;
}

bool xc_tflite_scalar(xc_tflite_context *c, size_t index, int64_t *value) {
  size_t count;
  if (!xc_tflite_ints(c, index, value, 1, &count))
    return false;
  if (count == 1)
    return true;
  return xc_tflite_error(c, "input %zu '%s' has no entry, expected one", index,
                         xc_tflite_input(c, index)->name);
}

//===----------------------------------------------------------------------===//
// Constants as floats
//===----------------------------------------------------------------------===//

// Which of several scales an element has.
static size_t scale_of(const xc_tflite_tensor *tensor, size_t inner, size_t i) {
  return tensor->num_scales == 1 ? 0 : i / inner % tensor->num_scales;
}

float *xc_tflite_floats(xc_tflite_importer *importer,
                        const xc_tflite_tensor *tensor, size_t *count) {
  *count = tensor->size / xc_element_size(tensor->element);
  bool quantized = xc_tflite_is_quantized(tensor);
  size_t inner = 1;
  if (quantized && tensor->num_scales > 1) {
    int64_t axis = tensor->axis;
    if (axis < 0 || axis >= (int64_t)tensor->rank ||
        tensor->dims[axis] != (int64_t)tensor->num_scales)
      return NULL;
    for (size_t i = (size_t)axis + 1; i < tensor->rank; ++i)
      inner *= (size_t)tensor->dims[i];
  }
  if (!quantized && tensor->element != XC_ELEMENT_F16 &&
      tensor->element != XC_ELEMENT_F32)
    return NULL;
  if (!xc_tflite_charge(importer, *count * sizeof(float)))
    return NULL;
  xc_shape shape = tensor_shape(tensor);
  const xc_graph_value *constant = xc_graph_constant(
      &importer->graph, tensor->name, &shape, tensor->data, false);
  float *floats =
      xc_arena_alloc(&importer->graph.arena, *count, sizeof(*floats));
  for (size_t i = 0; i < *count; ++i) {
    xc_graph_number number = xc_graph_load(constant, (int64_t)i);
    size_t s = quantized ? scale_of(tensor, inner, i) : 0;
    floats[i] = quantized ? (float)(number.integer - tensor->zero_points[s]) *
                                tensor->scales[s]
                          : (float)number.real;
  }
  return floats;
}

MlirValue xc_tflite_float_value(xc_tflite_context *c, size_t index) {
  const xc_tflite_tensor *tensor = xc_tflite_input(c, index);
  return tensor->data ? xc_tflite_float_constant(c, index, tensor)
                      : xc_tflite_value(c, index);
}

MlirValue xc_tflite_float_constant(xc_tflite_context *c, size_t index,
                                   const xc_tflite_tensor *tensor) {
  if (tensor->element == XC_ELEMENT_F32)
    return xc_tflite_value(c, index);
  size_t count;
  float *floats = xc_tflite_floats(c->importer, tensor, &count);
  if (!floats) {
    xc_tflite_error(c,
                    "input %zu '%s' of type %s has no quantization that turns "
                    "it into float",
                    index, tensor->name, tensor->type_name);
    return (MlirValue){NULL};
  }
  xc_shape shape = tensor_shape(tensor);
  shape.element = XC_ELEMENT_F32;
  return xc_tflite_constant(c, tensor->name, floats, &shape);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

int64_t xc_tflite_option(xc_tflite_context *c, xc_tflite_field_id id) {
  return xc_fb_int(&c->importer->buffer, &c->operator->options,
                   xc_tflite_field(id));
}

bool xc_tflite_raw_options(xc_tflite_context *c, int32_t *ints, size_t count) {
  const xc_tflite_operator *op = c->operator;
  if (op->custom_size < count * sizeof(*ints))
    return xc_tflite_error(c, "has %zu bytes of options, expected %zu",
                           op->custom_size, count * sizeof(*ints));
  for (size_t i = 0; i < count; ++i) {
    const unsigned char *at = op->custom_options + i * sizeof(*ints);
    ints[i] = (int32_t)((uint32_t)at[0] | (uint32_t)at[1] << 8 |
                        (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
  }
  return true;
}

double xc_tflite_float_option(xc_tflite_context *c, xc_tflite_field_id id) {
  return xc_fb_float(&c->importer->buffer, &c->operator->options,
                     xc_tflite_field(id));
}

bool xc_tflite_activation_option(xc_tflite_context *c, xc_tflite_field_id id,
                                 bool is_float,
                                 xc_tflite_activation *activation) {
  int64_t value = xc_tflite_option(c, id);
  if (value < XC_TFL_ACTIVATION_NONE || value >= XC_TFL_ACTIVATION_SIGN_BIT)
    return xc_tflite_error(c,
                           "has the fused activation number %" PRId64
                           ", which xc cannot import",
                           value);
  if (value == XC_TFL_ACTIVATION_TANH && !is_float)
    return xc_tflite_error(c, "has the fused activation TANH on quantized "
                              "tensors, which xc cannot import");
  *activation = (xc_tflite_activation)value;
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void xc_tflite_add(xc_tflite_attributes *attributes, xc_attribute attribute) {
  assert(attributes->count <
             sizeof(attributes->items) / sizeof(*attributes->items) &&
         "there is room for the attributes of every operator");
  attributes->items[attributes->count++] = attribute;
}

bool xc_tflite_is_quantized(const xc_tflite_tensor *tensor) {
  bool is_small =
      tensor->element == XC_ELEMENT_I8 || tensor->element == XC_ELEMENT_UI8 ||
      tensor->element == XC_ELEMENT_I16 || tensor->element == XC_ELEMENT_UI16;
  return is_small && tensor->scales;
}

bool xc_tflite_quant_of(xc_tflite_context *c, const xc_tflite_tensor *tensor,
                        xc_tflite_quant *quant) {
  if (!tensor->scales)
    return xc_tflite_error(c, "tensor '%s' of type %s has no quantization",
                           tensor->name, tensor->type_name);
  if (tensor->num_scales != 1)
    return xc_tflite_error(c, "tensor '%s' has %zu scales, expected one",
                           tensor->name, tensor->num_scales);
  *quant = (xc_tflite_quant){tensor->scales[0], tensor->zero_points[0]};
  return true;
}

bool xc_tflite_add_quant(xc_tflite_context *c, xc_tflite_attributes *attributes,
                         const char *prefix, const xc_tflite_tensor *tensor) {
  static const struct {
    const char *prefix, *scale, *zero_point;
  } names[] = {{"input", "input_scale", "input_zero_point"},
               {"output", "output_scale", "output_zero_point"},
               {"a", "a_scale", "a_zero_point"},
               {"b", "b_scale", "b_zero_point"},
               {"slope", "slope_scale", "slope_zero_point"}};
  xc_tflite_quant quant = {1.0f, 0};
  if (!xc_tflite_quant_of(c, tensor, &quant))
    return false;
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    if (strcmp(names[i].prefix, prefix) == 0) {
      xc_tflite_add(attributes, xc_float(names[i].scale, (double)quant.scale));
      xc_tflite_add(attributes, xc_int(names[i].zero_point, quant.zero_point));
    }
  return true;
}

void xc_tflite_add_flavor(xc_tflite_attributes *attributes) {
  xc_tflite_add(attributes, xc_string("flavor", "TFLITE"));
}

void xc_tflite_add_nonlinear(xc_tflite_attributes *attributes,
                             xc_tflite_activation activation) {
  static const char *const words[] = {"NONE", "RELU", "RELU_N1_TO_1", "RELU6"};
  xc_tflite_add(attributes, xc_string("nonlinear", words[activation]));
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

void xc_tflite_select_output(xc_tflite_context *c, size_t index) {
  c->importer->graph.node = xc_tflite_output(c, index)->name;
}

MlirValue xc_tflite_build(xc_tflite_context *c, const char *part,
                          xc_op_kind kind, const MlirValue *operands,
                          size_t num_operands,
                          const xc_tflite_attributes *attributes,
                          xc_element element) {
  const xc_attributes all = {attributes ? attributes->items : NULL,
                             attributes ? attributes->count : 0};
  return xc_graph_emit(&c->importer->graph, part, kind, operands, num_operands,
                       &all, element);
}

MlirValue xc_tflite_reshape(xc_tflite_context *c, const char *part,
                            MlirValue value, const int64_t *dims, size_t rank) {
  const xc_attribute attributes[] = {xc_ints("shape", dims, rank)};
  return xc_graph_emit(&c->importer->graph, part, XC_TIR_RESHAPE, &value, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

MlirValue xc_tflite_activate(xc_tflite_context *c, MlirValue value,
                             xc_tflite_activation activation) {
  xc_tflite_attributes attributes = {.count = 0};
  xc_op_kind kind = XC_TIR_RELU;
  switch (activation) {
  case XC_TFL_ACTIVATION_NONE:
  case XC_TFL_ACTIVATION_SIGN_BIT:
    return value;
  case XC_TFL_ACTIVATION_RELU:
    break;
  case XC_TFL_ACTIVATION_RELU6:
    kind = XC_TIR_RELU6;
    if (mlirValueIsNull(value) ||
        xc_element_is_float(xc_value_shape(value).element))
      break;
    kind = XC_TIR_CLIP; // of integers
    xc_tflite_add(&attributes, xc_float("min", 0.0));
    xc_tflite_add(&attributes, xc_float("max", 6.0));
    break;
  case XC_TFL_ACTIVATION_TANH:
    kind = XC_TIR_TANH;
    break;
  case XC_TFL_ACTIVATION_RELU_N1_TO_1:
    kind = XC_TIR_CLIP;
    xc_tflite_add(&attributes, xc_float("min", -1.0));
    xc_tflite_add(&attributes, xc_float("max", 1.0));
    break;
  }
  return xc_tflite_build(c, NULL, kind, &value, 1, &attributes,
                         XC_ELEMENT_NONE);
}

// Whether the file allows that shape: dimensions that it calls dynamic, and
// tensors whose rank it does not say, can have any.
static bool fits(const xc_tflite_tensor *tensor, const xc_shape *shape) {
  bool has_signature = tensor->signature_rank != 0;
  size_t rank = has_signature ? tensor->signature_rank : tensor->rank;
  const int64_t *dims = has_signature ? tensor->signature : tensor->dims;
  if (rank == 0)
    return true;
  if (rank != shape->rank)
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] != -1 && dims[i] != shape->dims[i])
      return false;
  return true;
}

static bool check_output(xc_tflite_context *c, size_t index,
                         const xc_shape *shape) {
  const xc_tflite_tensor *tensor = xc_tflite_output(c, index);
  if (shape->element != tensor->element ||
      (!c->importer->reshaped && !fits(tensor, shape))) {
    xc_shape expected = tensor_shape(tensor);
    xc_text a = {0}, b = {0};
    xc_shape_print(shape, &a);
    xc_shape_print(&expected, &b);
    xc_tflite_error(c, "output '%s' would be %s, but the file says %s",
                    tensor->name, xc_text_str(&a), xc_text_str(&b));
    xc_text_free(&a);
    xc_text_free(&b);
    return false;
  }
  for (size_t i = 0; i < shape->rank; ++i)
    if (shape->dims[i] < 1 || shape->dims[i] > INT32_MAX)
      return xc_tflite_error(c,
                             "output '%s' has size %" PRId64
                             " in dimension %zu, expected 1 to %d",
                             tensor->name, shape->dims[i], i, INT32_MAX);
  return true;
}

bool xc_tflite_set_ordered(xc_tflite_context *c, size_t index, MlirValue mlir,
                           const xc_graph_order *order) {
  if (mlirValueIsNull(mlir))
    return false;
  xc_graph_value *value = xc_graph_computed(
      &c->importer->graph, xc_tflite_output(c, index)->name, mlir, order);
  if (!check_output(c, index, &value->shape))
    return false;
  // An argument of --inputs may stand for it.
  if (!c->importer->values[c->operator->outputs[index]])
    c->importer->values[c->operator->outputs[index]] = value;
  return true;
}

bool xc_tflite_set(xc_tflite_context *c, size_t index, MlirValue value) {
  if (mlirValueIsNull(value))
    return false;
  xc_graph_order order = xc_graph_identity(xc_value_shape(value).rank);
  return xc_tflite_set_ordered(c, index, value, &order);
}

bool xc_tflite_set_constant(xc_tflite_context *c, size_t index,
                            const xc_shape *shape, const unsigned char *data) {
  if (!check_output(c, index, shape))
    return false;
  if (c->importer->values[c->operator->outputs[index]])
    return true; // an argument of --inputs stands for it
  xc_tflite_tensor *tensor =
      &c->importer->model.tensors[c->operator->outputs[index]];
  tensor->rank = shape->rank;
  memcpy(tensor->dims, shape->dims, sizeof(tensor->dims));
  tensor->data = data;
  tensor->size =
      (size_t)xc_shape_num_elements(shape) * xc_element_size(shape->element);
  return true;
}

bool xc_tflite_finish(xc_tflite_context *c, xc_op_kind kind,
                      const MlirValue *operands, size_t num_operands,
                      const xc_tflite_attributes *attributes) {
  return xc_tflite_set(c, 0,
                       xc_tflite_build(c, NULL, kind, operands, num_operands,
                                       attributes,
                                       xc_tflite_output(c, 0)->element));
}

bool xc_tflite_finish_quantized(xc_tflite_context *c, xc_op_kind kind,
                                const MlirValue *operands, size_t num_operands,
                                xc_tflite_attributes *attributes) {
  xc_tflite_add_flavor(attributes);
  return xc_tflite_add_quant(c, attributes, "input", xc_tflite_input(c, 0)) &&
         xc_tflite_add_quant(c, attributes, "output", xc_tflite_output(c, 0)) &&
         xc_tflite_finish(c, kind, operands, num_operands, attributes);
}
