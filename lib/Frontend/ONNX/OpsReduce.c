//===- OpsReduce.c - reductions and normalisations ------------------------===//
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

/// What stands before and behind the reduction proper.
typedef struct reduction {
  onnx_order order; // of the input
  int64_t axes[XC_MAX_RANK];
  size_t count;
  bool keep_dims;
} reduction;

static MlirValue emit_helper(onnx_importer *importer, const char *suffix,
                             xc_op_kind kind, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return onnx_emit_helper(importer, suffix, kind, operands,
                          mlirValueIsNull(b) ? 1 : 2, NULL, 0, XC_ELEMENT_NONE);
}

static const MlirValue none = {NULL};

static MlirValue emit_reduction(onnx_importer *importer, xc_op_kind kind,
                                MlirValue input, const reduction *r) {
  xc_attribute attributes[] = {xc_ints("axis", r->axes, r->count),
                               xc_bool("keep_dims", r->keep_dims)};
  return onnx_emit(importer, kind, &input, 1, attributes, 2, XC_ELEMENT_NONE);
}

// log(sum(exp(x - m))) + m with m = max(x), which cannot overflow.
static MlirValue emit_log_sum_exp(onnx_importer *importer, MlirValue input,
                                  const reduction *r) {
  reduction kept = *r;
  kept.keep_dims = true;
  MlirValue wide = emit_reduction(importer, XC_TIR_REDUCTION_MAX, input, &kept);
  MlirValue most =
      r->keep_dims ? wide
                   : emit_reduction(importer, XC_TIR_REDUCTION_MAX, input, r);
  MlirValue value = emit_helper(importer, "shift", XC_TIR_SUB, input, wide);
  value = emit_helper(importer, "exp", XC_TIR_EXP, value, none);
  value = emit_reduction(importer, XC_TIR_REDUCTION_SUM, value, r);
  value = emit_helper(importer, "log", XC_TIR_LOG, value, none);
  return emit_helper(importer, "back", XC_TIR_ADD, value, most);
}

static MlirValue emit_reduce(onnx_importer *importer, onnx_reduce which,
                             MlirValue x, const reduction *r) {
  switch (which) {
  case ONNX_REDUCE_SUM:
    return emit_reduction(importer, XC_TIR_REDUCTION_SUM, x, r);
  case ONNX_REDUCE_MAX:
    return emit_reduction(importer, XC_TIR_REDUCTION_MAX, x, r);
  case ONNX_REDUCE_MEAN:
    return emit_reduction(importer, XC_TIR_REDUCTION_MEAN, x, r);
  case ONNX_REDUCE_MIN:
    x = emit_helper(importer, "neg", XC_TIR_NEG, x, none);
    x = emit_reduction(importer, XC_TIR_REDUCTION_MAX, x, r);
    return emit_helper(importer, "min", XC_TIR_NEG, x, none);
  case ONNX_REDUCE_L1:
    x = emit_helper(importer, "abs", XC_TIR_ABS, x, none);
    return emit_reduction(importer, XC_TIR_REDUCTION_SUM, x, r);
  case ONNX_REDUCE_SUM_SQUARE:
  case ONNX_REDUCE_L2:
    x = emit_helper(importer, "square", XC_TIR_MUL, x, x);
    x = emit_reduction(importer, XC_TIR_REDUCTION_SUM, x, r);
    return which == ONNX_REDUCE_L2
               ? emit_helper(importer, "sqrt", XC_TIR_SQRT, x, none)
               : x;
  case ONNX_REDUCE_LOG_SUM:
    x = emit_reduction(importer, XC_TIR_REDUCTION_SUM, x, r);
    return emit_helper(importer, "log", XC_TIR_LOG, x, none);
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
                           const reduction *r) {
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
  reduction r = {.order = onnx_cheapest(value),
                 .count = count ? count : value->shape.rank,
                 .keep_dims = onnx_int(importer, "keepdims", 1) != 0};
  for (size_t i = 0; i < r.count; ++i)
    r.axes[i] = (int64_t)onnx_position(&r.order, count ? axes[i] : i);
  MlirValue input = onnx_get(importer, value, &r.order);
  return result_reduced(importer, emit_reduce(importer, which, input, &r),
                        value->shape.rank, &r);
}

// Products are known in shape arithmetic only.
bool onnx_only_folded(onnx_importer *importer) {
  return onnx_error(importer, "is supported on constant lists only");
}

// detail: 1 for ArgMin.
bool onnx_arg(onnx_importer *importer) {
  onnx_value *value;
  size_t axis;
  if (!onnx_need_input(importer, 0, &value) ||
      !onnx_axis(importer, onnx_int(importer, "axis", 0), value->shape.rank,
                 &axis))
    return false;
  reduction r = {.order = onnx_cheapest(value),
                 .count = 1,
                 .keep_dims = onnx_int(importer, "keepdims", 1) != 0};
  r.axes[0] = (int64_t)onnx_position(&r.order, axis);
  MlirValue input = onnx_get(importer, value, &r.order);
  if (importer->row->detail)
    input = emit_helper(importer, "neg", XC_TIR_NEG, input, none);
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

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

bool onnx_batch_normalization(onnx_importer *importer) {
  onnx_value *in[5];
  for (size_t i = 0; i < 5; ++i)
    if (!onnx_need_input(importer, i, &in[i]))
      return false;
  if (!onnx_check_rank(importer, in[0], 2, XC_MAX_RANK))
    return false;
  if (onnx_int(importer, "training_mode", 0) || onnx_has_output(importer, 1))
    return onnx_error(importer, "is in training mode, expected inference");
  if (!onnx_int(importer, "spatial", 1))
    return onnx_error(importer, "has one statistic per element ('spatial' is "
                                "0), expected one per channel");
  onnx_order order = onnx_cheapest(in[0]);
  // Statistics are vectors; tir wants gamma and beta behind them.
  MlirValue operands[] = {
      onnx_get(importer, in[0], &order), onnx_get_plain(importer, in[3]),
      onnx_get_plain(importer, in[4]), onnx_get_plain(importer, in[1]),
      onnx_get_plain(importer, in[2])};
  xc_attribute attributes[] = {
      xc_float("epsilon", (double)onnx_float(importer, "epsilon", 1e-5f)),
      xc_int("axis", (int64_t)onnx_position(&order, 1))};
  return onnx_result(importer, 0,
                     onnx_emit(importer, XC_TIR_BATCHNORM, operands, 5,
                               attributes, 2, XC_ELEMENT_NONE),
                     &order);
}

// (x - mean) / sqrt(variance + epsilon) over the axes of `r`.
static MlirValue emit_normalised(onnx_importer *importer, MlirValue input,
                                 reduction *r, double epsilon,
                                 xc_element element) {
  r->keep_dims = true;
  MlirValue mean = emit_reduction(importer, XC_TIR_REDUCTION_MEAN, input, r);
  MlirValue shifted = emit_helper(importer, "shift", XC_TIR_SUB, input, mean);
  MlirValue square =
      emit_helper(importer, "square", XC_TIR_MUL, shifted, shifted);
  MlirValue variance =
      emit_reduction(importer, XC_TIR_REDUCTION_MEAN, square, r);
  MlirValue safe = emit_helper(importer, "epsilon", XC_TIR_ADD, variance,
                               onnx_emit_number(importer, epsilon, element));
  MlirValue deviation = emit_helper(importer, "sqrt", XC_TIR_SQRT, safe, none);
  return emit_helper(importer, "normal", XC_TIR_DIV, shifted, deviation);
}

bool onnx_instance_normalization(onnx_importer *importer) {
  onnx_value *in[3];
  for (size_t i = 0; i < 3; ++i)
    if (!onnx_need_input(importer, i, &in[i]))
      return false;
  if (!onnx_check_rank(importer, in[0], 3, XC_MAX_RANK))
    return false;
  size_t rank = in[0]->shape.rank;
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < rank; ++i)
    dims[i] = i == 1 ? in[0]->shape.dims[1] : 1;
  reduction r = {.order = onnx_cheapest(in[0])};
  for (size_t i = 2; i < rank; ++i)
    r.axes[r.count++] = (int64_t)onnx_position(&r.order, i);
  for (size_t i = 1; i < 3; ++i) {
    if (xc_shape_num_elements(&in[i]->shape) != dims[1])
      return onnx_error(importer,
                        "input %zu has %" PRId64 " elements, expected %" PRId64,
                        i, xc_shape_num_elements(&in[i]->shape), dims[1]);
    in[i] = onnx_reshaped(importer, in[i], dims, rank);
    if (!in[i])
      return false;
  }
  MlirValue value = emit_normalised(
      importer, onnx_get(importer, in[0], &r.order), &r,
      (double)onnx_float(importer, "epsilon", 1e-5f), in[0]->shape.element);
  value = emit_helper(importer, "scale", XC_TIR_MUL, value,
                      onnx_get(importer, in[1], &r.order));
  value = emit_helper(importer, "bias", XC_TIR_ADD, value,
                      onnx_get(importer, in[2], &r.order));
  return onnx_result(importer, 0, value, &r.order);
}

bool onnx_lrn(onnx_importer *importer) {
  onnx_value *value;
  if (!onnx_need_input(importer, 0, &value) ||
      !onnx_check_rank(importer, value, 3, XC_MAX_RANK))
    return false;
  onnx_order order = onnx_channels_last(value->shape.rank);
  MlirValue input = onnx_get(importer, value, &order);
  xc_attribute attributes[] = {
      xc_int("size", onnx_int(importer, "size", 0)),
      xc_float("alpha", (double)onnx_float(importer, "alpha", 1e-4f)),
      xc_float("beta", (double)onnx_float(importer, "beta", 0.75f)),
      xc_float("bias", (double)onnx_float(importer, "bias", 1.0f))};
  return onnx_result(importer, 0,
                     onnx_emit(importer, XC_TIR_LRN, &input, 1, attributes, 4,
                               XC_ELEMENT_NONE),
                     &order);
}
