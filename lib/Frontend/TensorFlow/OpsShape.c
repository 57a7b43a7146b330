//===- OpsShape.c - operators that move elements --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>

//===----------------------------------------------------------------------===//
// Constants, names, branches
//===----------------------------------------------------------------------===//

bool xc_tf_const(xc_tf_importer *im) {
  const Tensorflow__AttrValue *value = xc_tf_attribute(im, "value");
  return value && value->tensor
             ? xc_tf_result(im, 0, xc_tf_read_tensor(im, value->tensor))
             : xc_tf_error(im, "it has no value");
}

bool xc_tf_identity(xc_tf_importer *im) {
  return xc_tf_result(im, 0, xc_tf_input(im, 0));
}

// Input 0 as output 0 where input 1 is false, else as output 1.
bool xc_tf_switch(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0), *choice = xc_tf_input(im, 1);
  if (!value || !choice)
    return false;
  if (!choice->data || xc_shape_num_elements(&choice->shape) != 1) {
    // They are reported together: there are as many as values go into branches.
    im->first_open = im->num_open++ ? im->first_open : im->node;
    return false;
  }
  size_t live = xc_graph_to_real(xc_graph_load(choice, 0)) != 0;
  for (size_t i = 0; i < 2 && i < im->node->num_outputs; ++i)
    if (!(i == live
              ? xc_tf_result(im, i, value)
              : xc_graph_define(&im->graph, im->node->outputs[i], im->dead)))
      return false;
  return true;
}

// The input that there is, and its number.
bool xc_tf_merge(xc_tf_importer *im) {
  for (size_t i = 0; i < im->node->num_inputs; ++i) {
    xc_graph_value *value = xc_tf_input(im, i);
    int64_t number = (int64_t)i;
    if (!value)
      return false;
    if (value == im->dead)
      continue;
    xc_graph_value *index = xc_tf_int_vector(im, &number, 1, XC_ELEMENT_I32);
    index = xc_graph_reshape(&im->graph, index, NULL, 0);
    return xc_tf_result(im, 0, value) && xc_tf_result(im, 1, index);
  }
  return xc_tf_error(im, "none of its inputs is computed");
}

// These are refused for the whole graph before.
bool xc_tf_variable(xc_tf_importer *im) {
  return xc_tf_error(im, "it is a variable");
}
bool xc_tf_loop(xc_tf_importer *im) {
  return xc_tf_error(im, "it is part of a loop");
}
bool xc_tf_control(xc_tf_importer *im) {
  return xc_tf_error(im, "it calls functions under a condition");
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

// detail 0: the dimensions, 1: how many, 2: the number of elements.
bool xc_tf_shape(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  xc_element element = xc_tf_type(im, "out_type", XC_ELEMENT_I32);
  if (!value)
    return false;
  int what = im->node->row->detail;
  int64_t number = what == 1 ? (int64_t)value->shape.rank
                             : xc_shape_num_elements(&value->shape);
  xc_graph_value *result =
      what == 0
          ? xc_tf_int_vector(im, value->shape.dims, value->shape.rank, element)
          : xc_tf_int_vector(im, &number, 1, element);
  return xc_tf_result(
      im, 0,
      what == 0 ? result : xc_graph_reshape(&im->graph, result, NULL, 0));
}

bool xc_tf_reshape(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  int64_t dims[XC_MAX_RANK];
  size_t rank, open = SIZE_MAX;
  xc_shape shape;
  if (!value || !xc_tf_input_ints(im, 1, dims, XC_MAX_RANK, &rank))
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] == -1 && open == SIZE_MAX) {
      open = i;
      dims[i] = 1;
    }
  if (!xc_graph_check_dims(&im->graph, im->graph.node, dims, rank,
                           value->shape.element, &shape))
    return false;
  int64_t total = xc_shape_num_elements(&value->shape);
  int64_t known = xc_shape_num_elements(&shape);
  if (open != SIZE_MAX && known && total % known == 0) {
    dims[open] = total / known;
    known = total;
  }
  if (known != total)
    return xc_tf_error(im,
                       "%" PRId64 " elements do not fit a shape of %" PRId64,
                       total, known);
  return xc_tf_result(im, 0, xc_graph_reshape(&im->graph, value, dims, rank));
}

bool xc_tf_expand_dims(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input_of_rank(im, 0, 0, XC_MAX_RANK - 1);
  int64_t dims[XC_MAX_RANK];
  size_t axis;
  if (!value || !xc_tf_input_axis(im, 1, value->shape.rank + 1, &axis))
    return false;
  for (size_t i = 0; i < value->shape.rank + 1; ++i)
    dims[i] = i == axis ? 1 : value->shape.dims[i - (i > axis)];
  return xc_tf_result(
      im, 0, xc_graph_reshape(&im->graph, value, dims, value->shape.rank + 1));
}

bool xc_tf_squeeze(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  const Tensorflow__AttrValue *given = xc_tf_attribute(im, "squeeze_dims");
  size_t num_given = given && given->list ? given->list->n_i : 0, count = 0;
  int64_t dims[XC_MAX_RANK];
  bool drop[XC_MAX_RANK] = {false};
  if (!value)
    return false;
  for (size_t i = 0; i < num_given; ++i) {
    size_t axis;
    if (!xc_graph_axis(&im->graph, given->list->i[i], value->shape.rank, &axis))
      return false;
    if (value->shape.dims[axis] != 1)
      return xc_tf_error(im, "dimension %zu is not 1", axis);
    drop[axis] = true;
  }
  for (size_t i = 0; i < value->shape.rank; ++i)
    if (num_given ? !drop[i] : value->shape.dims[i] != 1)
      dims[count++] = value->shape.dims[i];
  return xc_tf_result(im, 0, xc_graph_reshape(&im->graph, value, dims, count));
}

bool xc_tf_transpose(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  int64_t given[XC_MAX_RANK];
  size_t count;
  xc_graph_order order = {{0}};
  bool seen[XC_MAX_RANK] = {false};
  if (!value || !xc_tf_input_ints(im, 1, given, XC_MAX_RANK, &count))
    return false;
  for (size_t i = 0; i < count; ++i) {
    if (given[i] < 0 || given[i] >= (int64_t)count || seen[given[i]])
      return xc_tf_error(im, "its permutation is none");
    seen[given[i]] = true;
    order.dim[i] = (uint8_t)given[i];
  }
  if (count != value->shape.rank)
    return xc_tf_error(im, "its permutation is of %zu dimensions, expected %zu",
                       count, value->shape.rank);
  return xc_tf_result(im, 0, xc_graph_transpose(&im->graph, value, &order));
}

bool xc_tf_broadcast_to(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0), *folded = NULL;
  int64_t dims[XC_MAX_RANK];
  size_t rank;
  xc_shape shape;
  if (!value || !xc_tf_input_ints(im, 1, dims, XC_MAX_RANK, &rank) ||
      !xc_graph_check_dims(&im->graph, im->graph.node, dims, rank,
                           value->shape.element, &shape))
    return false;
  if (value->data && xc_shape_num_elements(&value->shape) == 1 &&
      !xc_graph_fold_expand(&im->graph, value, &shape, &folded))
    return false;
  if (folded)
    return xc_tf_result(im, 0, folded);
  const xc_attribute attributes[] = {xc_ints("shape", dims, rank)};
  MlirValue x = xc_tf_get_plain(im, value);
  xc_graph_order order = xc_graph_identity(rank);
  return xc_tf_result_computed(im, 0,
                               xc_graph_emit(&im->graph, NULL, XC_TIR_EXPAND,
                                             &x, 1, XC_ATTRIBUTES(attributes),
                                             XC_ELEMENT_NONE),
                               &order);
}

// detail 1: zeros of the shape of input 0.
bool xc_tf_fill(xc_tf_importer *im) {
  int64_t dims[XC_MAX_RANK];
  size_t rank;
  xc_shape shape;
  static const uint8_t zero[8] = {0};
  if (im->node->row->detail == 1) {
    xc_graph_value *like = xc_tf_input(im, 0);
    return like && xc_tf_result(im, 0,
                                xc_graph_constant(&im->graph, im->node->name,
                                                  &like->shape, zero, true));
  }
  xc_graph_value *number = xc_tf_input(im, 1);
  if (!number || !xc_tf_input_ints(im, 0, dims, XC_MAX_RANK, &rank))
    return false;
  if (!number->data || xc_shape_num_elements(&number->shape) != 1)
    return xc_tf_error(im, "its value is computed at run time");
  return xc_graph_check_dims(&im->graph, im->graph.node, dims, rank,
                             number->shape.element, &shape) &&
         xc_tf_result(im, 0,
                      xc_graph_constant(&im->graph, im->node->name, &shape,
                                        number->data, true));
}

bool xc_tf_range(xc_tf_importer *im) {
  int64_t in[3], count = 0;
  size_t one;
  for (size_t i = 0; i < 3; ++i)
    if (!xc_tf_input_ints(im, i, &in[i], 1, &one))
      return false;
  if (in[2] == 0)
    return xc_tf_error(im, "its step is 0");
  int64_t span = in[2] > 0 ? in[1] - in[0] : in[0] - in[1];
  int64_t pace = in[2] > 0 ? in[2] : -in[2];
  count = span > 0 && pace > 0 ? (span - 1) / pace + 1 : 0;
  if (count > TF_MAX_LIST || pace < 0)
    return xc_tf_error(im, "it has %" PRId64 " elements", count);
  int64_t *values =
      xc_arena_alloc(&im->graph.arena, (size_t)count + 1, sizeof(*values));
  for (int64_t i = 0; i < count; ++i)
    values[i] = in[0] + i * in[2];
  return xc_tf_result(im, 0,
                      xc_tf_int_vector(im, values, (size_t)count,
                                       xc_tf_type(im, "Tidx", XC_ELEMENT_I32)));
}
