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

bool onnx_identity_op(onnx_importer *importer) {
  onnx_value *value;
  return onnx_need_input(importer, 0, &value) &&
         onnx_result_alias(importer, 0, value);
}

// Training with a ratio of 0, which has to be known, drops nothing.
static bool check_training(onnx_importer *importer) {
  const int64_t *training;
  const float *ratio;
  size_t count;
  if (!onnx_has_input(importer, 2))
    return true;
  if (!onnx_input_ints(importer, 2, &training, &count))
    return false;
  if (count != 1 || !training[0])
    return true;
  if (onnx_has_input(importer, 1)) {
    if (!onnx_input_floats(importer, 1, &ratio, &count))
      return false;
    if (count == 1 && ratio[0] == 0)
      return true;
  }
  return onnx_error(importer, "drops elements at random in training mode, "
                              "expected inference");
}

bool onnx_dropout(onnx_importer *importer) {
  static const uint8_t kept[1] = {1};
  onnx_value *value;
  if (!onnx_need_input(importer, 0, &value))
    return false;
  if (!check_training(importer))
    return false;
  xc_shape mask = value->shape;
  mask.element = XC_ELEMENT_I1;
  return onnx_result_alias(importer, 0, value) &&
         onnx_result_alias(
             importer, 1,
             onnx_new_constant(importer, importer->op_name, &mask, kept, true));
}

static bool constant_of_list(onnx_importer *importer, xc_element element,
                             const void *data, size_t count, bool is_scalar) {
  int64_t dim = (int64_t)count;
  xc_shape shape;
  return onnx_check_dims(importer, importer->op_name, &dim, is_scalar ? 0 : 1,
                         element, &shape) &&
         onnx_result_alias(importer, 0,
                           onnx_new_constant(importer,
                                             importer->node->output[0], &shape,
                                             data, false));
}

bool onnx_constant(onnx_importer *importer) {
  const Onnx__AttributeProto *a;
  onnx_value *value;
  if (!onnx_has_output(importer, 0))
    return true;
  if ((a = onnx_attribute(importer, "value")) && a->t)
    return onnx_read_tensor(importer, a->t, importer->node->output[0],
                            &value) &&
           onnx_result_alias(importer, 0, value);
  if ((a = onnx_attribute(importer, "value_float")))
    return constant_of_list(importer, XC_ELEMENT_F32, &a->f, 1, true);
  if ((a = onnx_attribute(importer, "value_int")))
    return constant_of_list(importer, XC_ELEMENT_I64, &a->i, 1, true);
  if ((a = onnx_attribute(importer, "value_floats")))
    return constant_of_list(importer, XC_ELEMENT_F32, a->floats, a->n_floats,
                            false);
  if ((a = onnx_attribute(importer, "value_ints")))
    return constant_of_list(importer, XC_ELEMENT_I64, a->ints, a->n_ints,
                            false);
  return onnx_error(importer, "has no value that xc can hold, expected one of "
                              "'value', 'value_float', 'value_floats', "
                              "'value_int', 'value_ints'");
}

bool onnx_constant_of_shape(onnx_importer *importer) {
  static const uint8_t zero[8] = {0};
  const int64_t *dims;
  size_t rank;
  xc_shape shape;
  const Onnx__AttributeProto *a = onnx_attribute(importer, "value");
  const uint8_t *data = zero;
  xc_element element = XC_ELEMENT_F32;
  if (a && a->t) {
    onnx_value *value;
    if (!onnx_read_tensor(importer, a->t, "value", &value))
      return false;
    if (xc_shape_num_elements(&value->shape) != 1)
      return onnx_error(
          importer, "attribute 'value' has %" PRId64 " elements, expected 1",
          xc_shape_num_elements(&value->shape));
    data = value->data;
    element = value->shape.element;
  }
  return onnx_input_ints(importer, 0, &dims, &rank) &&
         onnx_check_dims(importer, importer->op_name, dims, rank, element,
                         &shape) &&
         onnx_result_alias(importer, 0,
                           onnx_new_constant(importer, importer->op_name,
                                             &shape, data, true));
}

bool onnx_shape(onnx_importer *importer) {
  onnx_value *value;
  if (!onnx_need_input(importer, 0, &value))
    return false;
  int64_t rank = (int64_t)value->shape.rank;
  int64_t start = onnx_int(importer, "start", 0);
  int64_t end = onnx_int(importer, "end", rank);
  start = start < -rank ? 0 : start < 0 ? start + rank : start;
  end = end < -rank ? 0 : end < 0 ? end + rank : end;
  end = end > rank ? rank : end;
  int64_t *dims = xc_arena_alloc(&importer->arena, XC_MAX_RANK, sizeof(*dims));
  size_t count = 0;
  for (int64_t i = start; i < end; ++i)
    dims[count++] = value->shape.dims[i];
  return !onnx_has_output(importer, 0) ||
         constant_of_list(importer, XC_ELEMENT_I64, dims, count, false);
}

bool onnx_size(onnx_importer *importer) {
  onnx_value *value;
  if (!onnx_need_input(importer, 0, &value))
    return false;
  int64_t *count = xc_arena_alloc(&importer->arena, 1, sizeof(*count));
  *count = xc_shape_num_elements(&value->shape);
  return !onnx_has_output(importer, 0) ||
         constant_of_list(importer, XC_ELEMENT_I64, count, 1, true);
}

bool onnx_range(onnx_importer *importer) {
  onnx_value *in[3];
  onnx_number n[3];
  for (size_t i = 0; i < 3; ++i) {
    if (!onnx_need_input(importer, i, &in[i]))
      return false;
    if (!in[i]->data || xc_shape_num_elements(&in[i]->shape) != 1)
      return onnx_error(importer,
                        "input %zu, '%s', is no constant number; if it is a "
                        "graph input, bind it",
                        i, importer->node->input[i]);
    n[i] = onnx_load(in[i], 0);
  }
  double start = onnx_to_double(n[0]), delta = onnx_to_double(n[2]);
  double length = ceil((onnx_to_double(n[1]) - start) / delta);
  length = length > 0 ? length : 0;
  if (delta == 0 || !(length <= (double)ONNX_MAX_LIST))
    return onnx_error(importer,
                      "makes %g numbers by steps of %g, expected at most %d",
                      length, delta, ONNX_MAX_LIST);
  xc_element element = in[0]->shape.element;
  uint8_t *data =
      onnx_fold_alloc(importer, (int64_t)length, xc_element_size(element));
  if (!data)
    return onnx_error(importer, "makes more constants than the file accounts "
                                "for");
  for (int64_t i = 0; i < (int64_t)length; ++i) {
    onnx_number number = {.is_float = n[0].is_float};
    if (number.is_float)
      number.real = start + (double)i * delta;
    else
      number.integer = (int64_t)((uint64_t)n[0].integer +
                                 (uint64_t)i * (uint64_t)n[2].integer);
    onnx_store(element, data, i, number);
  }
  return !onnx_has_output(importer, 0) ||
         constant_of_list(importer, element, data, (size_t)length, false);
}

//===----------------------------------------------------------------------===//
// The same elements in another shape
//===----------------------------------------------------------------------===//

static bool result_reshaped(onnx_importer *importer, onnx_value *value,
                            const int64_t *dims, size_t rank) {
  xc_shape shape;
  if (!onnx_check_dims(importer, importer->op_name, dims, rank,
                       value->shape.element, &shape))
    return false;
  int64_t have = xc_shape_num_elements(&value->shape);
  int64_t want = xc_shape_num_elements(&shape);
  if (have != want)
    return onnx_error(importer,
                      "asks for %" PRId64 " elements, but '%s' has %" PRId64,
                      want, value->name, have);
  return onnx_result_alias(importer, 0,
                           onnx_reshaped(importer, value, dims, rank));
}

bool onnx_reshape(onnx_importer *importer) {
  onnx_value *value;
  const int64_t *wanted;
  int64_t dims[XC_MAX_RANK];
  size_t rank, unknown = SIZE_MAX;
  if (!onnx_need_input(importer, 0, &value) ||
      !onnx_input_ints(importer, 1, &wanted, &rank))
    return false;
  if (rank > XC_MAX_RANK)
    return onnx_error(importer, "asks for %zu dimensions, expected at most %d",
                      rank, XC_MAX_RANK);
  bool zero_is_size = onnx_int(importer, "allowzero", 0) != 0;
  int64_t known = 1, total = xc_shape_num_elements(&value->shape);
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = wanted[i];
    if (wanted[i] == 0 && !zero_is_size && i < value->shape.rank)
      dims[i] = value->shape.dims[i];
    if (wanted[i] == -1 && unknown != SIZE_MAX)
      return onnx_error(importer, "asks for two dimensions of size -1");
    if (wanted[i] == -1)
      unknown = i;
    else if (dims[i] < 0 || (dims[i] > 0 && known > INT64_MAX / dims[i]))
      return onnx_error(importer, "asks for size %" PRId64 " in dimension %zu",
                        dims[i], i);
    else
      known *= dims[i];
  }
  if (unknown != SIZE_MAX)
    dims[unknown] = known ? total / known : 0;
  return result_reshaped(importer, value, dims, rank);
}

bool onnx_flatten(onnx_importer *importer) {
  onnx_value *value;
  if (!onnx_need_input(importer, 0, &value))
    return false;
  int64_t rank = (int64_t)value->shape.rank;
  int64_t axis = onnx_int(importer, "axis", 1);
  if (axis < -rank || axis > rank)
    return onnx_error(importer,
                      "axis %" PRId64 " is outside %" PRId64 " to %" PRId64,
                      axis, -rank, rank);
  axis += axis < 0 ? rank : 0;
  int64_t dims[2] = {1, 1};
  for (int64_t i = 0; i < rank; ++i)
    dims[i >= axis] *= value->shape.dims[i];
  return result_reshaped(importer, value, dims, 2);
}

bool onnx_squeeze(onnx_importer *importer) {
  onnx_value *value;
  size_t axes[XC_MAX_RANK], count;
  if (!onnx_need_input(importer, 0, &value) ||
      !onnx_axes(importer, 13, value->shape.rank, axes, &count))
    return false;
  int64_t dims[XC_MAX_RANK];
  size_t rank = 0;
  for (size_t i = 0, k = 0; i < value->shape.rank; ++i) {
    bool named = k < count && axes[k] == i;
    k += named;
    bool drop = count ? named : value->shape.dims[i] == 1;
    if (drop && value->shape.dims[i] != 1)
      return onnx_error(importer,
                        "dimension %zu has size %" PRId64 ", expected 1", i,
                        value->shape.dims[i]);
    if (!drop)
      dims[rank++] = value->shape.dims[i];
  }
  return result_reshaped(importer, value, dims, rank);
}

bool onnx_unsqueeze(onnx_importer *importer) {
  onnx_value *value;
  const int64_t *given = NULL;
  int64_t list[XC_MAX_RANK];
  size_t count, axes[XC_MAX_RANK];
  if (!onnx_need_input(importer, 0, &value))
    return false;
  if (importer->opset >= 13) {
    if (!onnx_input_ints(importer, 1, &given, &count))
      return false;
  } else if (!onnx_ints(importer, "axes", list, XC_MAX_RANK, &count)) {
    return false;
  }
  size_t rank = value->shape.rank + count;
  if (rank > XC_MAX_RANK)
    return onnx_error(importer, "makes %zu dimensions, expected at most %d",
                      rank, XC_MAX_RANK);
  if (!onnx_axes(importer, 13, rank, axes, &count))
    return false;
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0, k = 0; i < rank; ++i) {
    bool added = k < count && axes[k] == i;
    dims[i] = added ? 1 : value->shape.dims[i - k];
    k += added;
  }
  return result_reshaped(importer, value, dims, rank);
}

bool onnx_transpose(onnx_importer *importer) {
  onnx_value *value;
  int64_t perm[XC_MAX_RANK];
  size_t count;
  if (!onnx_need_input(importer, 0, &value) ||
      !onnx_ints(importer, "perm", perm, XC_MAX_RANK, &count))
    return false;
  size_t rank = value->shape.rank;
  bool is_given = onnx_attribute(importer, "perm") != NULL;
  if (is_given && count != rank)
    return onnx_error(importer,
                      "attribute 'perm' has %zu entries, expected %zu", count,
                      rank);
  onnx_order order = {{0}};
  bool seen[XC_MAX_RANK] = {false};
  for (size_t i = 0; i < rank; ++i) {
    int64_t from = is_given ? perm[i] : (int64_t)(rank - 1 - i);
    if (from < 0 || from >= (int64_t)rank || seen[from])
      return onnx_error(
          importer, "attribute 'perm' is no permutation of 0 to %zu", rank - 1);
    seen[from] = true;
    order.dim[i] = (uint8_t)from;
  }
  return onnx_result_alias(importer, 0,
                           onnx_transposed(importer, value, &order));
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static MlirValue emit_concat(onnx_importer *importer, MlirValue *operands,
                             size_t count, size_t axis) {
  enum { MOST = 16 };
  xc_attribute attribute = xc_int("axis", (int64_t)axis);
  while (count > MOST) {
    size_t groups = 0;
    for (size_t i = 0; i < count; i += MOST) {
      size_t length = count - i < MOST ? count - i : MOST;
      operands[groups] =
          length == 1
              ? operands[i]
              : onnx_emit_helper(importer, "part", XC_TIR_CONCAT, operands + i,
                                 length, &attribute, 1, XC_ELEMENT_NONE);
      if (mlirValueIsNull(operands[groups++]))
        return (MlirValue){NULL};
    }
    count = groups;
  }
  return onnx_emit(importer, XC_TIR_CONCAT, operands, count, &attribute, 1,
                   XC_ELEMENT_NONE);
}

// All inputs of the node, in the arena.
bool onnx_all_inputs(onnx_importer *importer, onnx_value ***values,
                     size_t *count) {
  *count = onnx_num_inputs(importer);
  if (*count == 0)
    return onnx_error(importer, "has no inputs");
  *values = xc_arena_alloc(&importer->arena, *count, sizeof(**values));
  for (size_t i = 0; i < *count; ++i)
    if (!onnx_need_input(importer, i, &(*values)[i]))
      return false;
  return true;
}

bool onnx_concat(onnx_importer *importer) {
  onnx_value **values = NULL;
  size_t count = 0, axis = 0;
  onnx_order order;
  if (!onnx_all_inputs(importer, &values, &count))
    return false;
  size_t rank = values[0]->shape.rank;
  if (!onnx_axis(importer, onnx_int(importer, "axis", 1), rank, &axis))
    return false;
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if (values[i]->shape.rank != rank)
      return onnx_error(importer,
                        "input %zu has %zu dimensions, expected %zu as input 0",
                        i, values[i]->shape.rank, rank);
    if (values[i]->shape.dims[axis] != 0 || (kept == 0 && i + 1 == count))
      values[kept++] = values[i];
  }
  if (kept == 1)
    return onnx_result_alias(importer, 0, values[0]);
  MlirValue *operands =
      xc_arena_alloc(&importer->arena, kept, sizeof(*operands));
  if (!onnx_broadcast(importer, values, kept, operands, &order))
    return false;
  return onnx_result(
      importer, 0,
      emit_concat(importer, operands, kept, onnx_position(&order, axis)),
      &order);
}

//===----------------------------------------------------------------------===//
// Channels and space
//===----------------------------------------------------------------------===//

// detail: 1 upscales, 0 goes back.
bool onnx_depth_space(onnx_importer *importer) {
  onnx_value *value;
  bool upscale = importer->row->detail != 0;
  if (!onnx_need_input(importer, 0, &value) ||
      !onnx_check_rank(importer, value, 4, 4))
    return false;
  const char *mode = upscale ? onnx_string(importer, "mode", "DCR") : "DCR";
  xc_attribute attributes[] = {
      xc_int("scale", onnx_int(importer, "blocksize", 0)),
      xc_bool("upscale", upscale), xc_string("mode", mode)};
  MlirValue input = onnx_get_channels_last(importer, value);
  onnx_order order = onnx_channels_last(4);
  return onnx_result(importer, 0,
                     onnx_emit(importer, XC_TIR_PIXEL_SHUFFLE, &input, 1,
                               attributes, 3, XC_ELEMENT_NONE),
                     &order);
}

bool onnx_cast(onnx_importer *importer) {
  onnx_value *value;
  int32_t to = (int32_t)onnx_int(importer, "to", 0);
  if (!onnx_need_input(importer, 0, &value))
    return false;
  xc_element element = onnx_element(to);
  if (strcmp(importer->node->op_type, "CastLike") == 0) {
    onnx_value *like;
    if (!onnx_need_input(importer, 1, &like))
      return false;
    element = like->shape.element;
  }
  if (element == XC_ELEMENT_NONE)
    return onnx_error(
        importer, "casts to type %s (%" PRId32 "), which xc does not support",
        onnx_element_name(to), to);
  if (element == value->shape.element)
    return onnx_result_alias(importer, 0, value);
  onnx_order order = onnx_cheapest(value);
  MlirValue input = onnx_get(importer, value, &order);
  return onnx_result(
      importer, 0,
      onnx_emit(importer, XC_TIR_CAST, &input, 1, NULL, 0, element), &order);
}
