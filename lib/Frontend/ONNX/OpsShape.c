//===- OpsShape.c - operators that move, join and cut ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Constants and names
//===----------------------------------------------------------------------===//

bool xc_onnx_identity_op(xc_onnx_importer *im) {
  xc_graph_value *value;
  return xc_onnx_need_input(im, 0, &value) &&
         xc_onnx_result_alias(im, 0, value);
}

// Training with a ratio of 0, which has to be known, drops nothing.
static bool check_training(xc_onnx_importer *im) {
  const int64_t *training;
  const float *ratio;
  size_t count;
  if (!xc_onnx_has_input(im, 2))
    return true;
  if (!xc_onnx_input_ints(im, 2, &training, &count))
    return false;
  if (count != 1 || !training[0])
    return true;
  if (xc_onnx_has_input(im, 1)) {
    if (!xc_onnx_input_floats(im, 1, &ratio, &count))
      return false;
    if (count == 1 && ratio[0] == 0)
      return true;
  }
  return xc_onnx_error(im, "drops elements at random in training mode, "
                           "expected inference");
}

bool xc_onnx_dropout(xc_onnx_importer *im) {
  static const uint8_t kept[1] = {1};
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  if (!check_training(im))
    return false;
  xc_shape mask = value->shape;
  mask.element = XC_ELEMENT_I1;
  return xc_onnx_result_alias(im, 0, value) &&
         xc_onnx_result_alias(
             im, 1,
             xc_graph_constant(&im->graph, im->graph.node, &mask, kept, true));
}

static bool constant_of_list(xc_onnx_importer *im, xc_element element,
                             const void *data, size_t count, bool is_scalar) {
  int64_t dim = (int64_t)count;
  xc_shape shape;
  return xc_graph_check_dims(&im->graph, im->graph.node, &dim,
                             is_scalar ? 0 : 1, element, &shape) &&
         xc_onnx_result_alias(im, 0,
                              xc_graph_constant(&im->graph, im->node->output[0],
                                                &shape, data, false));
}

bool xc_onnx_constant(xc_onnx_importer *im) {
  const Onnx__AttributeProto *a;
  xc_graph_value *value;
  if (!xc_onnx_has_output(im, 0))
    return true;
  if ((a = xc_onnx_attribute(im, "value")) && a->t)
    return xc_onnx_read_tensor(im, a->t, im->node->output[0], &value) &&
           xc_onnx_result_alias(im, 0, value);
  if ((a = xc_onnx_attribute(im, "value_float")))
    return constant_of_list(im, XC_ELEMENT_F32, &a->f, 1, true);
  if ((a = xc_onnx_attribute(im, "value_int")))
    return constant_of_list(im, XC_ELEMENT_I64, &a->i, 1, true);
  if ((a = xc_onnx_attribute(im, "value_floats")))
    return constant_of_list(im, XC_ELEMENT_F32, a->floats, a->n_floats, false);
  if ((a = xc_onnx_attribute(im, "value_ints")))
    return constant_of_list(im, XC_ELEMENT_I64, a->ints, a->n_ints, false);
  return xc_onnx_error(im, "has no value that xc can hold, expected one of "
                           "'value', 'value_float', 'value_floats', "
                           "'value_int', 'value_ints'");
}

bool xc_onnx_constant_of_shape(xc_onnx_importer *im) {
  static const uint8_t zero[8] = {0};
  const int64_t *dims;
  size_t rank;
  xc_shape shape;
  const Onnx__AttributeProto *a = xc_onnx_attribute(im, "value");
  const uint8_t *data = zero;
  xc_element element = XC_ELEMENT_F32;
  if (a && a->t) {
    xc_graph_value *value;
    if (!xc_onnx_read_tensor(im, a->t, "value", &value))
      return false;
    if (xc_shape_num_elements(&value->shape) != 1)
      return xc_onnx_error(
          im, "attribute 'value' has %" PRId64 " elements, expected 1",
          xc_shape_num_elements(&value->shape));
    data = value->data;
    element = value->shape.element;
  }
  return xc_onnx_input_ints(im, 0, &dims, &rank) &&
         xc_graph_check_dims(&im->graph, im->graph.node, dims, rank, element,
                             &shape) &&
         xc_onnx_result_alias(
             im, 0,
             xc_graph_constant(&im->graph, im->graph.node, &shape, data, true));
}

bool xc_onnx_shape(xc_onnx_importer *im) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  int64_t rank = (int64_t)value->shape.rank;
  int64_t start = xc_onnx_int(im, "start", 0);
  int64_t end = xc_onnx_int(im, "end", rank);
  start = start < -rank ? 0 : start < 0 ? start + rank : start;
  end = end < -rank ? 0 : end < 0 ? end + rank : end;
  end = end > rank ? rank : end;
  int64_t *dims = xc_arena_alloc(&im->graph.arena, XC_MAX_RANK, sizeof(*dims));
  size_t count = 0;
  for (int64_t i = start; i < end; ++i)
    dims[count++] = value->shape.dims[i];
  return !xc_onnx_has_output(im, 0) ||
         constant_of_list(im, XC_ELEMENT_I64, dims, count, false);
}

bool xc_onnx_size(xc_onnx_importer *im) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  int64_t *count = xc_arena_alloc(&im->graph.arena, 1, sizeof(*count));
  *count = xc_shape_num_elements(&value->shape);
  return !xc_onnx_has_output(im, 0) ||
         constant_of_list(im, XC_ELEMENT_I64, count, 1, true);
}

bool xc_onnx_range(xc_onnx_importer *im) {
  xc_graph_value *in[3];
  xc_graph_number n[3];
  for (size_t i = 0; i < 3; ++i) {
    if (!xc_onnx_need_input(im, i, &in[i]))
      return false;
    if (!in[i]->data || xc_shape_num_elements(&in[i]->shape) != 1)
      return xc_onnx_error(
          im,
          "input %zu, '%s', is not a constant number; if it is a "
          "graph input, bind it",
          i, im->node->input[i]);
    n[i] = xc_graph_load(in[i], 0);
  }
  double start = xc_graph_to_real(n[0]), delta = xc_graph_to_real(n[2]);
  double length = ceil((xc_graph_to_real(n[1]) - start) / delta);
  length = length > 0 ? length : 0;
  if (delta == 0 || !(length <= (double)ONNX_MAX_LIST))
    return xc_onnx_error(im,
                         "makes %g numbers by steps of %g, expected at most %d",
                         length, delta, ONNX_MAX_LIST);
  xc_element element = in[0]->shape.element;
  uint8_t *data =
      xc_graph_alloc(&im->graph, (int64_t)length, xc_element_size(element));
  if (!data)
    return xc_onnx_error(im, "makes more constants than the file accounts "
                             "for");
  for (int64_t i = 0; i < (int64_t)length; ++i) {
    xc_graph_number number = {.is_float = n[0].is_float};
    if (number.is_float)
      number.real = start + (double)i * delta;
    else
      number.integer = (int64_t)((uint64_t)n[0].integer +
                                 (uint64_t)i * (uint64_t)n[2].integer);
    xc_graph_store(element, data, i, number);
  }
  return !xc_onnx_has_output(im, 0) ||
         constant_of_list(im, element, data, (size_t)length, false);
}

//===----------------------------------------------------------------------===//
// The same elements in another shape
//===----------------------------------------------------------------------===//

static bool result_reshaped(xc_onnx_importer *im, xc_graph_value *value,
                            const int64_t *dims, size_t rank) {
  xc_shape shape;
  if (!xc_graph_check_dims(&im->graph, im->graph.node, dims, rank,
                           value->shape.element, &shape))
    return false;
  int64_t have = xc_shape_num_elements(&value->shape);
  int64_t want = xc_shape_num_elements(&shape);
  if (have != want)
    return xc_onnx_error(im,
                         "asks for %" PRId64 " elements, but '%s' has %" PRId64,
                         want, value->name, have);
  return xc_onnx_result_alias(im, 0,
                              xc_graph_reshape(&im->graph, value, dims, rank));
}

// A file with a fixed batch says so in its reshapes, too; under another batch
// their first dimension follows.
static void follow_batch(const xc_onnx_importer *im, int64_t have,
                         int64_t known, int64_t *dims, size_t rank) {
  if (rank == 0 || im->old_batch == 0 || dims[0] != im->old_batch ||
      have == known || known <= 0)
    return;
  int64_t each = known / dims[0];
  if (have % each == 0)
    dims[0] = have / each;
}

bool xc_onnx_reshape(xc_onnx_importer *im) {
  xc_graph_value *value;
  const int64_t *wanted;
  int64_t dims[XC_MAX_RANK];
  size_t rank, unknown = SIZE_MAX;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_input_ints(im, 1, &wanted, &rank))
    return false;
  if (rank > XC_MAX_RANK)
    return xc_onnx_error(im, "asks for %zu dimensions, expected at most %d",
                         rank, XC_MAX_RANK);
  bool zero_is_size = xc_onnx_int(im, "allowzero", 0) != 0;
  int64_t known = 1, total = xc_shape_num_elements(&value->shape);
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = wanted[i];
    if (wanted[i] == 0 && !zero_is_size && i < value->shape.rank)
      dims[i] = value->shape.dims[i];
    if (wanted[i] == -1 && unknown != SIZE_MAX)
      return xc_onnx_error(im, "asks for two dimensions of size -1");
    if (wanted[i] == -1)
      unknown = i;
    else if (dims[i] < 0 || (dims[i] > 0 && known > INT64_MAX / dims[i]))
      return xc_onnx_error(im, "asks for size %" PRId64 " in dimension %zu",
                           dims[i], i);
    else
      known *= dims[i];
  }
  if (unknown != SIZE_MAX)
    dims[unknown] = known ? total / known : 0;
  else
    follow_batch(im, total, known, dims, rank);
  return result_reshaped(im, value, dims, rank);
}

bool xc_onnx_flatten(xc_onnx_importer *im) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  int64_t rank = (int64_t)value->shape.rank;
  int64_t axis = xc_onnx_int(im, "axis", 1);
  if (axis < -rank || axis > rank)
    return xc_onnx_error(im,
                         "axis %" PRId64 " is outside %" PRId64 " to %" PRId64,
                         axis, -rank, rank);
  axis += axis < 0 ? rank : 0;
  int64_t dims[2] = {1, 1};
  for (int64_t i = 0; i < rank; ++i)
    dims[i >= axis] *= value->shape.dims[i];
  return result_reshaped(im, value, dims, 2);
}

bool xc_onnx_squeeze(xc_onnx_importer *im) {
  xc_graph_value *value;
  size_t axes[XC_MAX_RANK], count;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_axes(im, 13, value->shape.rank, axes, &count))
    return false;
  int64_t dims[XC_MAX_RANK];
  size_t rank = 0;
  for (size_t i = 0, k = 0; i < value->shape.rank; ++i) {
    bool named = k < count && axes[k] == i;
    k += named;
    bool drop = count ? named : value->shape.dims[i] == 1;
    if (drop && value->shape.dims[i] != 1)
      return xc_onnx_error(im, "dimension %zu has size %" PRId64 ", expected 1",
                           i, value->shape.dims[i]);
    if (!drop)
      dims[rank++] = value->shape.dims[i];
  }
  return result_reshaped(im, value, dims, rank);
}

bool xc_onnx_unsqueeze(xc_onnx_importer *im) {
  xc_graph_value *value;
  const int64_t *given = NULL;
  int64_t list[XC_MAX_RANK];
  size_t count, axes[XC_MAX_RANK];
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  if (im->opset >= 13) {
    if (!xc_onnx_input_ints(im, 1, &given, &count))
      return false;
  } else if (!xc_onnx_ints(im, "axes", list, XC_MAX_RANK, &count)) {
    return false;
  }
  size_t rank = value->shape.rank + count;
  if (rank > XC_MAX_RANK)
    return xc_onnx_error(im, "makes %zu dimensions, expected at most %d", rank,
                         XC_MAX_RANK);
  if (!xc_onnx_axes(im, 13, rank, axes, &count))
    return false;
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0, k = 0; i < rank; ++i) {
    bool added = k < count && axes[k] == i;
    dims[i] = added ? 1 : value->shape.dims[i - k];
    k += added;
  }
  return result_reshaped(im, value, dims, rank);
}

bool xc_onnx_transpose(xc_onnx_importer *im) {
  xc_graph_value *value;
  int64_t perm[XC_MAX_RANK];
  size_t count;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_ints(im, "perm", perm, XC_MAX_RANK, &count))
    return false;
  size_t rank = value->shape.rank;
  bool is_given = xc_onnx_attribute(im, "perm") != NULL;
  if (is_given && count != rank)
    return xc_onnx_error(im, "attribute 'perm' has %zu entries, expected %zu",
                         count, rank);
  xc_graph_order order = {{0}};
  bool seen[XC_MAX_RANK] = {false};
  for (size_t i = 0; i < rank; ++i) {
    int64_t from = is_given ? perm[i] : (int64_t)(rank - 1 - i);
    if (from < 0 || from >= (int64_t)rank || seen[from])
      return xc_onnx_error(
          im, "attribute 'perm' is not a permutation of 0 to %zu", rank - 1);
    seen[from] = true;
    order.dim[i] = (uint8_t)from;
  }
  return xc_onnx_result_alias(im, 0,
                              xc_graph_transpose(&im->graph, value, &order));
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

// All inputs of the node, in the arena.
bool xc_onnx_all_inputs(xc_onnx_importer *im, xc_graph_value ***values,
                        size_t *count) {
  *count = xc_onnx_num_inputs(im);
  if (*count == 0)
    return xc_onnx_error(im, "has no inputs");
  *values = xc_arena_alloc(&im->graph.arena, *count, sizeof(**values));
  for (size_t i = 0; i < *count; ++i)
    if (!xc_onnx_need_input(im, i, &(*values)[i]))
      return false;
  return true;
}

bool xc_onnx_join(xc_onnx_importer *im, xc_graph_value **values, size_t count,
                  size_t axis) {
  xc_graph_order order;
  size_t rank = values[0]->shape.rank, kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if (values[i]->shape.rank != rank)
      return xc_onnx_error(
          im, "input %zu has %zu dimensions, expected %zu as input 0", i,
          values[i]->shape.rank, rank);
    if (values[i]->shape.dims[axis] != 0 || (kept == 0 && i + 1 == count))
      values[kept++] = values[i];
  }
  if (kept == 1)
    return xc_onnx_result_alias(im, 0, values[0]);
  MlirValue *operands =
      xc_arena_alloc(&im->graph.arena, kept, sizeof(*operands));
  if (!xc_graph_broadcast(&im->graph, values, kept, operands, &order))
    return false;
  return xc_onnx_result(im, 0,
                        xc_graph_emit_concat(&im->graph, operands, kept,
                                             xc_graph_position(&order, axis)),
                        &order);
}

bool xc_onnx_concat(xc_onnx_importer *im) {
  xc_graph_value **values = NULL;
  size_t count = 0, axis = 0;
  return xc_onnx_all_inputs(im, &values, &count) &&
         xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 1),
                       values[0]->shape.rank, &axis) &&
         xc_onnx_join(im, values, count, axis);
}

//===----------------------------------------------------------------------===//
// Channels and space
//===----------------------------------------------------------------------===//

// detail: 1 upscales, 0 goes back.
bool xc_onnx_depth_space(xc_onnx_importer *im) {
  xc_graph_value *value;
  bool upscale = im->row->detail != 0;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_check_rank(im, value, 4, 4))
    return false;
  const char *mode = upscale ? xc_onnx_string(im, "mode", "DCR") : "DCR";
  xc_attribute attributes[] = {xc_int("scale", xc_onnx_int(im, "blocksize", 0)),
                               xc_bool("upscale", upscale),
                               xc_string("mode", mode)};
  MlirValue input = xc_graph_get_channels_last(&im->graph, value);
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_onnx_emit_result(im, XC_TIR_PIXEL_SHUFFLE, &input, 1,
                             &(xc_attributes){attributes, 3}, XC_ELEMENT_NONE,
                             &order);
}

bool xc_onnx_cast(xc_onnx_importer *im) {
  xc_graph_value *value;
  int32_t to = (int32_t)xc_onnx_int(im, "to", 0);
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  xc_element element = xc_onnx_element(to);
  if (strcmp(im->node->op_type, "CastLike") == 0) {
    xc_graph_value *like;
    if (!xc_onnx_need_input(im, 1, &like))
      return false;
    element = like->shape.element;
  }
  if (element == XC_ELEMENT_NONE)
    return xc_onnx_error(
        im, "casts to type %s (%" PRId32 "), which xc does not support",
        xc_onnx_element_name(to), to);
  if (element == value->shape.element)
    return xc_onnx_result_alias(im, 0, value);
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue input = xc_graph_get(&im->graph, value, &order);
  return xc_onnx_emit_result(im, XC_TIR_CAST, &input, 1, NULL, element, &order);
}
