//===- OpsIndex.c - operators on indices and ranks ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <math.h>

// Returns the value of an input, in the model's order.
static MlirValue take_plain(xc_onnx_importer *im, size_t index) {
  xc_graph_value *value;
  return xc_onnx_need_input(im, index, &value)
             ? xc_graph_get_plain(&im->graph, value)
             : (MlirValue){NULL};
}

static bool take_axis(xc_onnx_importer *im, int64_t absent, size_t *axis) {
  xc_graph_value *value;
  return xc_onnx_need_input(im, 0, &value) &&
         xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", absent),
                       value->shape.rank, axis);
}

static bool take_real(xc_onnx_importer *im, size_t index, double absent,
                      double *number) {
  const float *list;
  size_t count;
  *number = absent;
  if (!xc_onnx_has_input(im, index))
    return true;
  if (!xc_onnx_input_floats(im, index, &list, &count))
    return false;
  if (count)
    *number = (double)list[0];
  return true;
}

bool xc_onnx_gather_nd(xc_onnx_importer *im) {
  int64_t batch = xc_onnx_int(im, "batch_dims", 0);
  if (batch < 0 || batch > XC_MAX_RANK)
    return xc_onnx_error(im, "attribute 'batch_dims' is %" PRId64, batch);
  return xc_onnx_result_plain(
      im, 0,
      xc_graph_emit_gather_nd(&im->graph, take_plain(im, 0), take_plain(im, 1),
                              (size_t)batch));
}

bool xc_onnx_gather_elements(xc_onnx_importer *im) {
  size_t axis;
  return take_axis(im, 0, &axis) &&
         xc_onnx_result_plain(
             im, 0,
             xc_graph_emit_gather_elements(&im->graph, take_plain(im, 0),
                                           take_plain(im, 1), axis));
}

// k is an attribute up to operator set 9.
bool xc_onnx_topk(xc_onnx_importer *im) {
  enum { AS_INPUT = 10 };
  xc_graph_value *value;
  size_t axis;
  int64_t k = xc_onnx_int(im, "k", 0);
  if (!take_axis(im, -1, &axis) || !xc_onnx_need_input(im, 0, &value) ||
      (im->opset >= AS_INPUT && !xc_onnx_input_int(im, 1, &k)))
    return false;
  MlirValue input = xc_graph_get_plain(&im->graph, value);
  const xc_attribute attributes[] = {
      xc_int("k", k), xc_int("axis", (int64_t)axis),
      xc_bool("largest", xc_onnx_int(im, "largest", 1) != 0)};
  MlirValue indices = xc_graph_emit(&im->graph, NULL, XC_TIR_TOPK, &input, 1,
                                    XC_ATTRIBUTES(attributes), XC_ELEMENT_I64);
  if (xc_onnx_has_output(im, 0) &&
      !xc_onnx_result_plain(
          im, 0,
          xc_graph_emit_gather_elements(&im->graph, input, indices, axis)))
    return false;
  return xc_onnx_result_plain(im, 1, indices);
}

// As many rows as there could be: those that are not needed hold -1.
bool xc_onnx_non_max_suppression(xc_onnx_importer *im) {
  xc_graph_nms nms = {.center_point_box =
                          xc_onnx_int(im, "center_point_box", 0) != 0};
  if ((xc_onnx_has_input(im, 2) && !xc_onnx_input_int(im, 2, &nms.max_boxes)) ||
      !take_real(im, 3, 0, &nms.iou_threshold) ||
      !take_real(im, 4, (double)-INFINITY, &nms.score_threshold))
    return false;
  return xc_onnx_result_plain(im, 0,
                              xc_graph_emit_nms(&im->graph, take_plain(im, 0),
                                                take_plain(im, 1), &nms,
                                                XC_ELEMENT_I64));
}

// Negative indices count from the end; values are off and on.
bool xc_onnx_one_hot(xc_onnx_importer *im) {
  xc_graph_value *value;
  int64_t depth = 0;
  size_t axis;
  if (!xc_onnx_need_input(im, 0, &value) || !xc_onnx_input_int(im, 1, &depth) ||
      !xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", -1),
                     value->shape.rank + 1, &axis))
    return false;
  xc_graph *graph = &im->graph;
  MlirValue x = take_plain(im, 0), values = take_plain(im, 2);
  if (value->shape.element != XC_ELEMENT_I64)
    x = xc_graph_emit_cast(graph, "index", x, XC_ELEMENT_I64);
  x = xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "LT", x, 0),
      xc_graph_emit_with(graph, "from_end", XC_TIR_ADD, x, (double)depth), x);
  const MlirValue sides[] = {xc_graph_emit_part(graph, values, 0, 0, 1),
                             xc_graph_emit_part(graph, values, 0, 1, 2)};
  return xc_onnx_result_plain(
      im, 0, xc_graph_emit_one_hot(graph, x, axis, depth, sides));
}

// Zeros below (upper) or above a diagonal of the last two dimensions.
bool xc_onnx_trilu(xc_onnx_importer *im) {
  xc_graph_value *value;
  int64_t k = 0;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_check_rank(im, value, 2, XC_MAX_RANK) ||
      (xc_onnx_has_input(im, 1) && !xc_onnx_input_int(im, 1, &k)))
    return false;
  const int64_t *dims = value->shape.dims + value->shape.rank - 2;
  MlirValue rows = xc_graph_emit_iota(&im->graph, 2, 0, dims[0]);
  MlirValue columns = xc_graph_emit_iota(&im->graph, 2, 1, dims[1]);
  if (mlirValueIsNull(rows) || mlirValueIsNull(columns))
    return false;
  rows =
      xc_graph_emit_with(&im->graph, "diagonal", XC_TIR_ADD, rows, (double)k);
  MlirValue kept = xc_graph_emit_compare(
      &im->graph, xc_onnx_int(im, "upper", 1) ? "GE" : "LE", columns, rows);
  MlirValue zero = xc_graph_emit_number(&im->graph, 0, value->shape.element);
  return xc_onnx_result_plain(
      im, 0, xc_graph_emit_select(&im->graph, kept, take_plain(im, 0), zero));
}

bool xc_onnx_cum_sum(xc_onnx_importer *im) {
  xc_graph_value *value;
  int64_t given = 0;
  size_t axis;
  return xc_onnx_need_input(im, 0, &value) &&
         xc_onnx_input_int(im, 1, &given) &&
         xc_graph_axis(&im->graph, given, value->shape.rank, &axis) &&
         xc_onnx_result_plain(
             im, 0,
             xc_graph_emit_cumulative_sum(&im->graph, take_plain(im, 0), axis,
                                          xc_onnx_int(im, "exclusive", 0) != 0,
                                          xc_onnx_int(im, "reverse", 0) != 0));
}

bool xc_onnx_reverse_sequence(xc_onnx_importer *im) {
  xc_graph_value *value;
  size_t batch, time;
  return xc_onnx_need_input(im, 0, &value) &&
         xc_graph_axis(&im->graph, xc_onnx_int(im, "batch_axis", 1),
                       value->shape.rank, &batch) &&
         xc_graph_axis(&im->graph, xc_onnx_int(im, "time_axis", 0),
                       value->shape.rank, &time) &&
         xc_onnx_result_plain(
             im, 0,
             xc_graph_emit_reverse_sequence(&im->graph, take_plain(im, 0),
                                            take_plain(im, 1), batch, time));
}

// A constant with ones on a diagonal: only the input's shape counts.
bool xc_onnx_eye_like(xc_onnx_importer *im) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_check_rank(im, value, 2, 2))
    return false;
  xc_shape shape = value->shape;
  int64_t k = xc_onnx_int(im, "k", 0), type = xc_onnx_int(im, "dtype", 0);
  if (xc_onnx_attribute(im, "dtype"))
    shape.element = xc_onnx_element((int32_t)type);
  if (shape.element == XC_ELEMENT_NONE)
    return xc_onnx_error(im,
                         "makes type %s (%" PRId64 "), which xc does not have",
                         xc_onnx_element_name((int32_t)type), type);
  int64_t count = xc_shape_num_elements(&shape);
  void *data =
      xc_graph_table(&im->graph, count, xc_element_size(shape.element));
  if (!data)
    return false;
  xc_graph_number one = {
      .is_float = xc_element_is_float(shape.element), .integer = 1, .real = 1};
  for (int64_t row = 0; row < shape.dims[0]; ++row)
    if (k <= shape.dims[1] && row + k >= 0 && row + k < shape.dims[1])
      xc_graph_store(shape.element, data, row * shape.dims[1] + row + k, one);
  xc_graph_value *eye =
      xc_graph_constant(&im->graph, im->graph.node, &shape, data, false);
  return eye && xc_onnx_result_alias(im, 0, eye);
}

//===----------------------------------------------------------------------===//
// NonZero
//===----------------------------------------------------------------------===//

static bool is_not_zero(const xc_graph_value *value, int64_t element) {
  return xc_graph_to_real(xc_graph_load(value, element)) != 0;
}

static int64_t count_not_zero(const xc_graph_value *value, int64_t total) {
  int64_t count = 0;
  for (int64_t i = 0; i < total; ++i)
    count += is_not_zero(value, i);
  return count;
}

// Returns the indices of the elements that are not zero, a row for each
// dimension of the input; a scalar has one. Exporters write ranges so.
static xc_graph_value *indices_of(xc_onnx_importer *im,
                                  const xc_graph_value *value) {
  size_t rank = value->shape.rank ? value->shape.rank : 1;
  int64_t total = xc_shape_num_elements(&value->shape);
  int64_t count = count_not_zero(value, total);
  xc_shape shape = {XC_ELEMENT_I64, 2, {(int64_t)rank, count}, false};
  int64_t *indices =
      xc_graph_table(&im->graph, (int64_t)rank * count, sizeof(*indices));
  if (!indices)
    return NULL;
  for (int64_t i = 0, column = 0; i < total; ++i) {
    if (!is_not_zero(value, i))
      continue;
    int64_t rest = i;
    for (size_t d = value->shape.rank; d-- > 0;) {
      indices[(int64_t)d * count + column] = rest % value->shape.dims[d];
      rest /= value->shape.dims[d];
    }
    if (value->shape.rank == 0)
      indices[column] = 0;
    ++column;
  }
  return xc_graph_constant(&im->graph, im->graph.node, &shape, indices, false);
}

bool xc_onnx_non_zero(xc_onnx_importer *im) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  if (!value->data)
    return xc_onnx_error(
        im,
        "has as many results as '%s' has elements that are not "
        "zero, and shapes are static; --outputs=%s ends the "
        "model before it",
        im->node->input[0], im->node->input[0]);
  xc_graph_value *indices = indices_of(im, value);
  return indices
             ? xc_onnx_result_alias(im, 0, indices)
             : xc_onnx_error(im, "has a constant that is too large to compute "
                                 "at import");
}
