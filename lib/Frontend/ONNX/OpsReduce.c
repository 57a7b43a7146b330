//===- OpsReduce.c - reductions and softmax -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static const MlirValue none = {NULL};

MlirValue xc_onnx_emit_reduction(xc_onnx_importer *im, xc_op_kind kind,
                                 MlirValue input,
                                 const xc_onnx_reduction_axes *r) {
  xc_attribute attributes[] = {xc_ints("axis", r->axes, r->count),
                               xc_bool("keep_dims", r->keep_dims)};
  if (r->count == 0)
    return input;
  return xc_graph_emit(&im->graph, NULL, kind, &input, 1,
                       &(xc_attributes){attributes, 2}, XC_ELEMENT_NONE);
}

// log(sum(exp(x - m))) + m with m = max(x), which cannot overflow.
static MlirValue emit_log_sum_exp(xc_onnx_importer *im, MlirValue input,
                                  const xc_onnx_reduction_axes *r) {
  xc_onnx_reduction_axes kept = *r;
  kept.keep_dims = true;
  MlirValue wide =
      xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MAX, input, &kept);
  MlirValue most =
      r->keep_dims ? wide
                   : xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MAX, input, r);
  MlirValue value =
      xc_graph_emit_binary(&im->graph, "shift", XC_TIR_SUB, input, wide);
  value = xc_graph_emit_binary(&im->graph, "exp", XC_TIR_EXP, value, none);
  value = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_SUM, value, r);
  value = xc_graph_emit_binary(&im->graph, "log", XC_TIR_LOG, value, none);
  return xc_graph_emit_binary(&im->graph, "back", XC_TIR_ADD, value, most);
}

static MlirValue emit_reduce(xc_onnx_importer *im, xc_onnx_reduce which,
                             MlirValue x, const xc_onnx_reduction_axes *r) {
  switch (which) {
  case ONNX_REDUCE_SUM:
    return xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_SUM, x, r);
  case ONNX_REDUCE_MAX:
    return xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MAX, x, r);
  case ONNX_REDUCE_MEAN:
    return xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MEAN, x, r);
  case ONNX_REDUCE_MIN:
    x = xc_graph_emit_reverse(&im->graph, "neg", x);
    x = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MAX, x, r);
    return xc_graph_emit_reverse(&im->graph, "min", x);
  case ONNX_REDUCE_L1:
    x = xc_graph_emit_binary(&im->graph, "abs", XC_TIR_ABS, x, none);
    return xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_SUM, x, r);
  case ONNX_REDUCE_SUM_SQUARE:
  case ONNX_REDUCE_L2:
    x = xc_graph_emit_binary(&im->graph, "square", XC_TIR_MUL, x, x);
    x = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_SUM, x, r);
    return which == ONNX_REDUCE_L2
               ? xc_graph_emit_binary(&im->graph, "sqrt", XC_TIR_SQRT, x, none)
               : x;
  case ONNX_REDUCE_LOG_SUM:
    x = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_SUM, x, r);
    return xc_graph_emit_binary(&im->graph, "log", XC_TIR_LOG, x, none);
  case ONNX_REDUCE_PROD:
    return xc_graph_emit_product(&im->graph, x, r->axes, r->count,
                                 r->keep_dims);
  case ONNX_REDUCE_LOG_SUM_EXP:
    return emit_log_sum_exp(im, x, r);
  }
  return none;
}

// Returns the order of what is left when the axes (positions in the form) are
// dropped.
static xc_graph_order order_without(const xc_graph_order *order, size_t rank,
                                    const bool dropped[XC_MAX_RANK]) {
  xc_graph_order result = {{0}};
  size_t length = 0;
  for (size_t i = 0; i < rank; ++i) {
    size_t dim = order->dim[i], smaller = 0;
    if (dropped[dim])
      continue;
    for (size_t d = 0; d < dim; ++d)
      smaller += !dropped[d];
    result.dim[length++] = (uint8_t)smaller;
  }
  return result;
}

static bool result_reduced(xc_onnx_importer *im, MlirValue mlir, size_t rank,
                           const xc_onnx_reduction_axes *r) {
  bool dropped[XC_MAX_RANK] = {false};
  for (size_t i = 0; i < r->count; ++i)
    dropped[r->order.dim[r->axes[i]]] = true;
  xc_graph_order order =
      r->keep_dims ? r->order : order_without(&r->order, rank, dropped);
  return xc_onnx_result(im, 0, mlir, &order);
}

// detail: xc_onnx_reduce.
bool xc_onnx_reduction(xc_onnx_importer *im) {
  xc_graph_value *value;
  size_t axes[XC_MAX_RANK], count;
  xc_onnx_reduce which = (xc_onnx_reduce)im->row->detail;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_axes(im, which == ONNX_REDUCE_SUM ? 13 : 18, value->shape.rank,
                    axes, &count))
    return false;
  // Then only what is done with each element remains.
  bool is_each = count == 0 && xc_onnx_int(im, "noop_with_empty_axes", 0);
  xc_onnx_reduction_axes r = {.order = xc_graph_cheapest(value),
                              .count =
                                  count || is_each ? count : value->shape.rank,
                              .keep_dims = xc_onnx_int(im, "keepdims", 1) != 0};
  for (size_t i = 0; i < r.count; ++i)
    r.axes[i] = (int64_t)xc_graph_position(&r.order, count ? axes[i] : i);
  MlirValue input = xc_graph_get(&im->graph, value, &r.order);
  return result_reduced(im, emit_reduce(im, which, input, &r),
                        value->shape.rank, &r);
}

// detail: 1 for ArgMin.
bool xc_onnx_arg(xc_onnx_importer *im) {
  xc_graph_value *value;
  size_t axis;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 0), value->shape.rank,
                     &axis))
    return false;
  xc_onnx_reduction_axes r = {.order = xc_graph_cheapest(value),
                              .count = 1,
                              .keep_dims = xc_onnx_int(im, "keepdims", 1) != 0};
  r.axes[0] = (int64_t)xc_graph_position(&r.order, axis);
  MlirValue input = xc_graph_get(&im->graph, value, &r.order);
  if (im->row->detail)
    input = xc_graph_emit_reverse(&im->graph, "neg", input);
  xc_attribute attributes[] = {
      xc_int("axis", r.axes[0]), xc_bool("keep_dims", r.keep_dims),
      xc_bool("select_last", xc_onnx_int(im, "select_last_index", 0) != 0)};
  return result_reduced(im,
                        xc_graph_emit(&im->graph, NULL, XC_TIR_ARGMAX, &input,
                                      1, &(xc_attributes){attributes, 3},
                                      XC_ELEMENT_I64),
                        value->shape.rank, &r);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

// Hardmax is 1 where the largest element stands first.
static MlirValue emit_softmax(xc_onnx_importer *im, MlirValue input,
                              size_t axis) {
  xc_graph *graph = &im->graph;
  xc_op_kind kind = (xc_op_kind)im->row->detail;
  const xc_attribute attributes[] = {xc_int("axis", (int64_t)axis),
                                     xc_bool("keep_dims", true)};
  if (kind != XC_TIR_ARGMAX || mlirValueIsNull(input))
    return xc_graph_emit(graph, NULL, kind, &input, 1,
                         &(xc_attributes){attributes, 1}, XC_ELEMENT_NONE);
  xc_shape shape = xc_value_shape(input);
  MlirValue place = xc_graph_emit(graph, "place", kind, &input, 1,
                                  XC_ATTRIBUTES(attributes), XC_ELEMENT_I64);
  MlirValue hit = xc_graph_emit_compare(
      graph, "EQ", place,
      xc_graph_emit_iota(graph, shape.rank, axis, shape.dims[axis]));
  return xc_graph_emit(graph, NULL, XC_TIR_CAST, &hit, 1, NULL, shape.element);
}

static bool softmax_along(xc_onnx_importer *im, xc_graph_value *value,
                          size_t axis) {
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue input = xc_graph_get(&im->graph, value, &order);
  return xc_onnx_result(
      im, 0, emit_softmax(im, input, xc_graph_position(&order, axis)), &order);
}

// detail: the tir operator; argmax for Hardmax. Up to operator set 12 the
// dimensions from `axis` on are one.
bool xc_onnx_softmax(xc_onnx_importer *im) {
  enum { ALONG_ONE_AXIS = 13 };
  xc_graph_value *value;
  size_t axis;
  bool is_old = im->opset < ALONG_ONE_AXIS;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", is_old ? 1 : -1),
                     value->shape.rank, &axis))
    return false;
  int64_t dims[2] = {1, 1};
  size_t longest = axis, wide = 0;
  for (size_t i = 0; i < value->shape.rank; ++i) {
    int64_t size = value->shape.dims[i];
    dims[i >= axis] *= size;
    if (i >= axis && size != 1) {
      longest = i;
      ++wide;
    }
  }
  if (!is_old)
    return softmax_along(im, value, axis);
  if (wide <= 1)
    return softmax_along(im, value, longest);
  xc_graph_value *flat = xc_graph_reshape(&im->graph, value, dims, 2);
  if (!flat)
    return false;
  MlirValue mlir = xc_graph_get_plain(&im->graph, flat);
  mlir = emit_softmax(im, mlir, 1);
  xc_attribute shape = xc_ints("shape", value->shape.dims, value->shape.rank);
  mlir = xc_graph_emit(&im->graph, "reshape", XC_TIR_RESHAPE, &mlir, 1,
                       &(xc_attributes){&shape, 1}, XC_ELEMENT_NONE);
  return xc_onnx_result_plain(im, 0, mlir);
}
