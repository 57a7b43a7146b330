//===- Tensor.c - constants of a graph ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements are bytes, or one of the typed lists. A list that is too short
// goes on with its last value; an empty one is zeros.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <string.h>

xc_element xc_tf_element(int32_t type) {
  static const struct {
    int32_t type;
    xc_element element;
  } rows[] = {
      {1, XC_ELEMENT_F32},   {2, XC_ELEMENT_F64},  {3, XC_ELEMENT_I32},
      {4, XC_ELEMENT_UI8},   {5, XC_ELEMENT_I16},  {6, XC_ELEMENT_I8},
      {9, XC_ELEMENT_I64},   {10, XC_ELEMENT_I1},  {14, XC_ELEMENT_BF16},
      {17, XC_ELEMENT_UI16}, {19, XC_ELEMENT_F16}, {22, XC_ELEMENT_UI32},
      {23, XC_ELEMENT_UI64}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].type == type)
      return rows[i].element;
  return XC_ELEMENT_NONE;
}

static bool read_shape(xc_tf_importer *im,
                       const Tensorflow__TensorProto *tensor,
                       xc_element element, xc_shape *shape) {
  const Tensorflow__TensorShapeProto *proto = tensor->tensor_shape;
  int64_t dims[XC_MAX_RANK];
  size_t rank = proto ? proto->n_dim : 0;
  if (rank > XC_MAX_RANK)
    return xc_tf_error(im, "its tensor has %zu dimensions, expected at most %d",
                       rank, XC_MAX_RANK);
  for (size_t i = 0; i < rank; ++i)
    dims[i] = proto->dim[i]->size;
  return xc_graph_check_dims(&im->graph, im->graph.node, dims, rank, element,
                             shape);
}

// How many elements the list for this type has, and one of them.
static size_t list_length(const Tensorflow__TensorProto *t,
                          xc_element element) {
  switch (element) {
  case XC_ELEMENT_F32:
    return t->n_float_val;
  case XC_ELEMENT_F64:
    return t->n_double_val;
  case XC_ELEMENT_I64:
    return t->n_int64_val;
  case XC_ELEMENT_I1:
    return t->n_bool_val;
  case XC_ELEMENT_F16:
  case XC_ELEMENT_BF16:
    return t->n_half_val;
  case XC_ELEMENT_UI32:
    return t->n_uint32_val;
  case XC_ELEMENT_UI64:
    return t->n_uint64_val;
  case XC_ELEMENT_I8:
  case XC_ELEMENT_I16:
  case XC_ELEMENT_I32:
  case XC_ELEMENT_UI8:
  case XC_ELEMENT_UI16:
    return t->n_int_val;
  case XC_ELEMENT_NONE:
    break;
  }
  return 0;
}

static void store(const Tensorflow__TensorProto *t, xc_element element,
                  size_t i, uint8_t *data, int64_t at) {
  xc_graph_number number = {.is_float = false};
  size_t size = xc_element_size(element);
  uint16_t half;
  switch (element) {
  case XC_ELEMENT_F32:
    memcpy(data + (size_t)at * size, &t->float_val[i], size);
    return;
  case XC_ELEMENT_F64:
    memcpy(data + (size_t)at * size, &t->double_val[i], size);
    return;
  case XC_ELEMENT_F16:
  case XC_ELEMENT_BF16:
    half = (uint16_t)t->half_val[i];
    memcpy(data + (size_t)at * size, &half, size);
    return;
  case XC_ELEMENT_I64:
    number.integer = t->int64_val[i];
    break;
  case XC_ELEMENT_I1:
    number.integer = t->bool_val[i];
    break;
  case XC_ELEMENT_UI32:
    number.integer = t->uint32_val[i];
    break;
  case XC_ELEMENT_UI64:
    number.integer = (int64_t)t->uint64_val[i];
    break;
  default:
    number.integer = t->int_val[i];
    break;
  }
  xc_graph_store(element, data, at, number);
}

static xc_graph_value *read_list(xc_tf_importer *im,
                                 const Tensorflow__TensorProto *tensor,
                                 const xc_shape *shape) {
  int64_t total = xc_shape_num_elements(shape);
  size_t length = list_length(tensor, shape->element);
  size_t size = xc_element_size(shape->element);
  if ((uint64_t)length > (uint64_t)total) {
    xc_tf_error(im, "its tensor holds %zu elements, expected %" PRId64, length,
                total);
    return NULL;
  }
  bool splat = length <= 1;
  if (splat && total == 0)
    splat = false;
  uint8_t *data = xc_graph_alloc(&im->graph, splat ? 1 : total, size);
  if (!data) {
    xc_tf_error(im, "its tensor is larger than the size of the file accounts "
                    "for");
    return NULL;
  }
  if (length == 0)
    memset(data, 0, splat ? size : (size_t)total * size);
  for (int64_t i = 0; length && i < (splat ? 1 : total); ++i)
    store(tensor, shape->element, (size_t)i < length ? (size_t)i : length - 1,
          data, i);
  return xc_graph_constant(&im->graph, im->graph.node, shape, data, splat);
}

xc_graph_value *xc_tf_read_tensor(xc_tf_importer *im,
                                  const Tensorflow__TensorProto *tensor) {
  xc_element element = xc_tf_element(tensor->dtype);
  xc_shape shape;
  if (element == XC_ELEMENT_NONE) {
    xc_tf_error(im,
                "its elements are of type %" PRId32 ", which xc does not "
                "support",
                tensor->dtype);
    return NULL;
  }
  if (!read_shape(im, tensor, element, &shape))
    return NULL;
  if (tensor->tensor_content.len == 0)
    return read_list(im, tensor, &shape);
  uint64_t expected =
      (uint64_t)xc_shape_num_elements(&shape) * xc_element_size(element);
  if (expected != tensor->tensor_content.len) {
    xc_tf_error(im, "its tensor has %zu bytes, expected %" PRIu64,
                tensor->tensor_content.len, expected);
    return NULL;
  }
  return xc_graph_constant(&im->graph, im->graph.node, &shape,
                           tensor->tensor_content.data, false);
}

xc_graph_value *xc_tf_int_vector(xc_tf_importer *im, const int64_t *values,
                                 size_t count, xc_element element) {
  xc_shape shape = {.element = element, .rank = 1, .dims = {(int64_t)count}};
  uint8_t *data =
      xc_arena_alloc(&im->graph.arena, count + 1, xc_element_size(element));
  for (size_t i = 0; i < count; ++i)
    xc_graph_store(element, data, (int64_t)i,
                   (xc_graph_number){.integer = values[i]});
  return xc_graph_constant(&im->graph, im->graph.node, &shape, data, false);
}
