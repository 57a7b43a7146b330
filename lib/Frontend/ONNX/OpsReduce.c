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

MlirValue onnx_emit_reduction(onnx_importer *importer, xc_op_kind kind,
                              MlirValue input, const onnx_reduction_axes *r) {
  xc_attribute attributes[] = {xc_ints("axis", r->axes, r->count),
                               xc_bool("keep_dims", r->keep_dims)};
  return onnx_emit(importer, kind, &input, 1, attributes, 2, XC_ELEMENT_NONE);
}

// log(sum(exp(x - m))) + m with m = max(x), which cannot overflow.
static MlirValue emit_log_sum_exp(onnx_importer *importer, MlirValue input,
                                  const onnx_reduction_axes *r) {
  onnx_reduction_axes kept = *r;
  kept.keep_dims = true;
  MlirValue wide =
      onnx_emit_reduction(importer, XC_TIR_REDUCTION_MAX, input, &kept);
  MlirValue most =
      r->keep_dims
          ? wide
          : onnx_emit_reduction(importer, XC_TIR_REDUCTION_MAX, input, r);
  MlirValue value = onnx_emit_step(importer, "shift", XC_TIR_SUB, input, wide);
  value = onnx_emit_step(importer, "exp", XC_TIR_EXP, value, none);
  value = onnx_emit_reduction(importer, XC_TIR_REDUCTION_SUM, value, r);
  value = onnx_emit_step(importer, "log", XC_TIR_LOG, value, none);
  return onnx_emit_step(importer, "back", XC_TIR_ADD, value, most);
}

// Entries begin..end of one dimension.
static MlirValue emit_part(onnx_importer *importer, MlirValue x, int64_t axis,
                           int64_t begin, int64_t end) {
  xc_shape shape;
  int64_t from[XC_MAX_RANK] = {0}, by[XC_MAX_RANK];
  if (mlirValueIsNull(x))
    return x;
  xc_shape_of_type(mlirValueGetType(x), &shape);
  for (size_t i = 0; i < shape.rank; ++i)
    by[i] = 1;
  from[axis] = begin;
  shape.dims[axis] = end;
  xc_attribute attributes[] = {xc_ints("begin", from, shape.rank),
                               xc_ints("end", shape.dims, shape.rank),
                               xc_ints("strides", by, shape.rank)};
  return onnx_emit_helper(importer, "part", XC_TIR_STRIDED_SLICE, &x, 1,
                          attributes, 3, XC_ELEMENT_NONE);
}

// One half of the entries times the other, until one is left.
static MlirValue emit_product_along(onnx_importer *importer, MlirValue x,
                                    int64_t axis, int64_t size) {
  while (size > 1) {
    int64_t half = size / 2;
    MlirValue product = onnx_emit_step(
        importer, "half", XC_TIR_MUL, emit_part(importer, x, axis, 0, half),
        emit_part(importer, x, axis, half, 2 * half));
    if (size % 2) {
      MlirValue both[] = {product,
                          emit_part(importer, x, axis, 2 * half, size)};
      xc_attribute along = xc_int("axis", axis);
      product = onnx_emit_helper(importer, "rest", XC_TIR_CONCAT, both, 2,
                                 &along, 1, XC_ELEMENT_NONE);
    }
    x = product;
    size = half + size % 2;
  }
  return x;
}

static MlirValue emit_product(onnx_importer *importer, MlirValue x,
                              const onnx_reduction_axes *r) {
  xc_shape shape;
  int64_t dims[XC_MAX_RANK];
  bool dropped[XC_MAX_RANK] = {false};
  size_t rank = 0;
  if (mlirValueIsNull(x))
    return x;
  xc_shape_of_type(mlirValueGetType(x), &shape);
  for (size_t i = 0; i < r->count; ++i) {
    if (shape.dims[r->axes[i]] == 0) {
      onnx_error(importer, "multiplies the elements of an empty dimension");
      return none;
    }
    x = emit_product_along(importer, x, r->axes[i], shape.dims[r->axes[i]]);
    dropped[r->axes[i]] = true;
  }
  for (size_t i = 0; i < shape.rank; ++i)
    if (!dropped[i] || r->keep_dims)
      dims[rank++] = dropped[i] ? 1 : shape.dims[i];
  xc_attribute attribute = xc_ints("shape", dims, rank);
  return onnx_emit(importer, XC_TIR_RESHAPE, &x, 1, &attribute, 1,
                   XC_ELEMENT_NONE);
}

static MlirValue emit_reduce(onnx_importer *importer, onnx_reduce which,
                             MlirValue x, const onnx_reduction_axes *r) {
  switch (which) {
  case ONNX_REDUCE_SUM:
    return onnx_emit_reduction(importer, XC_TIR_REDUCTION_SUM, x, r);
  case ONNX_REDUCE_MAX:
    return onnx_emit_reduction(importer, XC_TIR_REDUCTION_MAX, x, r);
  case ONNX_REDUCE_MEAN:
    return onnx_emit_reduction(importer, XC_TIR_REDUCTION_MEAN, x, r);
  case ONNX_REDUCE_MIN:
    x = onnx_emit_step(importer, "neg", XC_TIR_NEG, x, none);
    x = onnx_emit_reduction(importer, XC_TIR_REDUCTION_MAX, x, r);
    return onnx_emit_step(importer, "min", XC_TIR_NEG, x, none);
  case ONNX_REDUCE_L1:
    x = onnx_emit_step(importer, "abs", XC_TIR_ABS, x, none);
    return onnx_emit_reduction(importer, XC_TIR_REDUCTION_SUM, x, r);
  case ONNX_REDUCE_SUM_SQUARE:
  case ONNX_REDUCE_L2:
    x = onnx_emit_step(importer, "square", XC_TIR_MUL, x, x);
    x = onnx_emit_reduction(importer, XC_TIR_REDUCTION_SUM, x, r);
    return which == ONNX_REDUCE_L2
               ? onnx_emit_step(importer, "sqrt", XC_TIR_SQRT, x, none)
               : x;
  case ONNX_REDUCE_LOG_SUM:
    x = onnx_emit_reduction(importer, XC_TIR_REDUCTION_SUM, x, r);
    return onnx_emit_step(importer, "log", XC_TIR_LOG, x, none);
  case ONNX_REDUCE_PROD:
    return emit_product(importer, x, r);
  case ONNX_REDUCE_LOG_SUM_EXP:
    return emit_log_sum_exp(importer, x, r);
  }
  return none;
}

// The order of what is left when the axes (positions in the form) are dropped.
static onnx_order order_without(const onnx_order *order, size_t rank,
                                const bool dropped[XC_MAX_RANK]) {
  onnx_order result = {{0}};
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

static bool result_reduced(onnx_importer *importer, MlirValue mlir, size_t rank,
                           const onnx_reduction_axes *r) {
  bool dropped[XC_MAX_RANK] = {false};
  for (size_t i = 0; i < r->count; ++i)
    dropped[r->order.dim[r->axes[i]]] = true;
  onnx_order order =
      r->keep_dims ? r->order : order_without(&r->order, rank, dropped);
  return onnx_result(importer, 0, mlir, &order);
}

// detail: onnx_reduce.
bool onnx_reduction(onnx_importer *importer) {
  onnx_value *value;
  size_t axes[XC_MAX_RANK], count;
  onnx_reduce which = (onnx_reduce)importer->row->detail;
  if (!onnx_need_input(importer, 0, &value) ||
      !onnx_axes(importer, which == ONNX_REDUCE_SUM ? 13 : 18,
                 value->shape.rank, axes, &count))
    return false;
  if (count == 0 && onnx_int(importer, "noop_with_empty_axes", 0))
    return onnx_result_alias(importer, 0, value);
  onnx_reduction_axes r = {.order = onnx_cheapest(value),
                           .count = count ? count : value->shape.rank,
                           .keep_dims = onnx_int(importer, "keepdims", 1) != 0};
  for (size_t i = 0; i < r.count; ++i)
    r.axes[i] = (int64_t)onnx_position(&r.order, count ? axes[i] : i);
  MlirValue input = onnx_get(importer, value, &r.order);
  return result_reduced(importer, emit_reduce(importer, which, input, &r),
                        value->shape.rank, &r);
}

// detail: 1 for ArgMin.
bool onnx_arg(onnx_importer *importer) {
  onnx_value *value;
  size_t axis;
  if (!onnx_need_input(importer, 0, &value) ||
      !onnx_axis(importer, onnx_int(importer, "axis", 0), value->shape.rank,
                 &axis))
    return false;
  onnx_reduction_axes r = {.order = onnx_cheapest(value),
                           .count = 1,
                           .keep_dims = onnx_int(importer, "keepdims", 1) != 0};
  r.axes[0] = (int64_t)onnx_position(&r.order, axis);
  MlirValue input = onnx_get(importer, value, &r.order);
  if (importer->row->detail)
    input = onnx_emit_step(importer, "neg", XC_TIR_NEG, input, none);
  xc_attribute attributes[] = {
      xc_int("axis", r.axes[0]), xc_bool("keep_dims", r.keep_dims),
      xc_bool("select_last", onnx_int(importer, "select_last_index", 0) != 0)};
  return result_reduced(importer,
                        onnx_emit(importer, XC_TIR_ARGMAX, &input, 1,
                                  attributes, 3, XC_ELEMENT_I64),
                        value->shape.rank, &r);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static bool softmax_along(onnx_importer *importer, onnx_value *value,
                          size_t axis) {
  onnx_order order = onnx_cheapest(value);
  MlirValue input = onnx_get(importer, value, &order);
  xc_attribute attribute = xc_int("axis", (int64_t)onnx_position(&order, axis));
  return onnx_result(importer, 0,
                     onnx_emit(importer, (xc_op_kind)importer->row->detail,
                               &input, 1, &attribute, 1, XC_ELEMENT_NONE),
                     &order);
}

// Up to operator set 12 the dimensions from `axis` on are one.
bool onnx_softmax(onnx_importer *importer) {
  enum { ALONG_ONE_AXIS = 13 };
  onnx_value *value;
  size_t axis;
  bool is_old = importer->opset < ALONG_ONE_AXIS;
  if (!onnx_need_input(importer, 0, &value) ||
      !onnx_axis(importer, onnx_int(importer, "axis", is_old ? 1 : -1),
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
    return softmax_along(importer, value, axis);
  if (wide <= 1)
    return softmax_along(importer, value, longest);
  onnx_value *flat = onnx_reshaped(importer, value, dims, 2);
  if (!flat)
    return false;
  MlirValue mlir = onnx_get_plain(importer, flat);
  xc_attribute attribute = xc_int("axis", 1);
  mlir = onnx_emit(importer, (xc_op_kind)importer->row->detail, &mlir, 1,
                   &attribute, 1, XC_ELEMENT_NONE);
  xc_attribute shape = xc_ints("shape", value->shape.dims, value->shape.rank);
  mlir = onnx_emit_helper(importer, "reshape", XC_TIR_RESHAPE, &mlir, 1, &shape,
                          1, XC_ELEMENT_NONE);
  return onnx_result_plain(importer, 0, mlir);
}
