//===- OpsNormalize.c - normalisations ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>

static const MlirValue none = {NULL};

/// A value and its statistics over some axes, which are kept as ones.
typedef struct moments {
  MlirValue mean, variance, normal;
} moments;

// (x - mean) / sqrt(variance + epsilon) over the axes of `r`.
static moments emit_moments(onnx_importer *importer, MlirValue input,
                            onnx_reduction_axes *r) {
  moments m;
  double epsilon = (double)onnx_float(importer, "epsilon", 1e-5f);
  r->keep_dims = true;
  m.mean = onnx_emit_reduction(importer, XC_TIR_REDUCTION_MEAN, input, r);
  MlirValue shifted =
      onnx_emit_step(importer, "shift", XC_TIR_SUB, input, m.mean);
  MlirValue square =
      onnx_emit_step(importer, "square", XC_TIR_MUL, shifted, shifted);
  m.variance = onnx_emit_reduction(importer, XC_TIR_REDUCTION_MEAN, square, r);
  MlirValue safe = onnx_emit_step_number(importer, "epsilon", XC_TIR_ADD,
                                         m.variance, epsilon);
  MlirValue deviation =
      onnx_emit_step(importer, "sqrt", XC_TIR_SQRT, safe, none);
  m.normal = onnx_emit_step(importer, "normal", XC_TIR_DIV, shifted, deviation);
  return m;
}

// A vector of a number for each channel, as it is broadcast to `like`.
static MlirValue get_channels(onnx_importer *importer, const onnx_value *like,
                              onnx_value *vector, const onnx_order *order) {
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < like->shape.rank; ++i)
    dims[i] = i == 1 ? like->shape.dims[1] : 1;
  if (xc_shape_num_elements(&vector->shape) != dims[1]) {
    onnx_error(importer, "'%s' has %" PRId64 " elements, expected %" PRId64,
               vector->name, xc_shape_num_elements(&vector->shape), dims[1]);
    return none;
  }
  onnx_value *value = onnx_reshaped(importer, vector, dims, like->shape.rank);
  return value ? onnx_get(importer, value, order) : none;
}

// normal * in[1] + in[2]
static MlirValue emit_affine(onnx_importer *importer, onnx_value *const *in,
                             MlirValue normal, const onnx_order *order) {
  normal = onnx_emit_step(importer, "scale", XC_TIR_MUL, normal,
                          get_channels(importer, in[0], in[1], order));
  return onnx_emit_step(importer, "bias", XC_TIR_ADD, normal,
                        get_channels(importer, in[0], in[2], order));
}

// momentum * old + (1 - momentum) * new, as a vector.
static bool result_running(onnx_importer *importer, size_t index,
                           onnx_value *old, MlirValue new) {
  double momentum = (double)onnx_float(importer, "momentum", 0.9f);
  if (!onnx_has_output(importer, index))
    return true;
  xc_attribute shape = xc_ints("shape", old->shape.dims, 1);
  new = onnx_emit_helper(importer, "vector", XC_TIR_RESHAPE, &new, 1, &shape, 1,
                         XC_ELEMENT_NONE);
  new = onnx_emit_step_number(importer, "new", XC_TIR_MUL, new, 1 - momentum);
  MlirValue kept = onnx_emit_step_number(
      importer, "old", XC_TIR_MUL, onnx_get_plain(importer, old), momentum);
  return onnx_result_plain(
      importer, index,
      onnx_emit_step(importer, "running", XC_TIR_ADD, kept, new));
}

// Training: the statistics are those of the batch.
static bool normalize_batch(onnx_importer *importer, onnx_value *const *in) {
  onnx_reduction_axes r = {.order = onnx_cheapest(in[0])};
  for (size_t i = 0; i < in[0]->shape.rank; ++i)
    if (i != 1)
      r.axes[r.count++] = (int64_t)onnx_position(&r.order, i);
  moments m = emit_moments(importer, onnx_get(importer, in[0], &r.order), &r);
  return onnx_result(importer, 0, emit_affine(importer, in, m.normal, &r.order),
                     &r.order) &&
         result_running(importer, 1, in[3], m.mean) &&
         result_running(importer, 2, in[4], m.variance);
}

bool onnx_batch_normalization(onnx_importer *importer) {
  onnx_value *in[5];
  for (size_t i = 0; i < 5; ++i)
    if (!onnx_need_input(importer, i, &in[i]))
      return false;
  if (!onnx_check_rank(importer, in[0], 2, XC_MAX_RANK))
    return false;
  if (onnx_int(importer, "training_mode", 0))
    return normalize_batch(importer, in);
  if (onnx_has_output(importer, 1))
    return onnx_error(importer, "has outputs of training, expected inference");
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

bool onnx_instance_normalization(onnx_importer *importer) {
  onnx_value *in[3];
  for (size_t i = 0; i < 3; ++i)
    if (!onnx_need_input(importer, i, &in[i]))
      return false;
  if (!onnx_check_rank(importer, in[0], 3, XC_MAX_RANK))
    return false;
  onnx_reduction_axes r = {.order = onnx_cheapest(in[0])};
  for (size_t i = 2; i < in[0]->shape.rank; ++i)
    r.axes[r.count++] = (int64_t)onnx_position(&r.order, i);
  moments m = emit_moments(importer, onnx_get(importer, in[0], &r.order), &r);
  return onnx_result(importer, 0, emit_affine(importer, in, m.normal, &r.order),
                     &r.order);
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
