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
static moments emit_moments(onnx_importer *im, MlirValue input,
                            onnx_reduction_axes *r) {
  moments m;
  double epsilon = (double)onnx_float(im, "epsilon", 1e-5f);
  r->keep_dims = true;
  m.mean = onnx_emit_reduction(im, XC_TIR_REDUCTION_MEAN, input, r);
  MlirValue shifted =
      xc_graph_emit_binary(&im->graph, "shift", XC_TIR_SUB, input, m.mean);
  MlirValue square =
      xc_graph_emit_binary(&im->graph, "square", XC_TIR_MUL, shifted, shifted);
  m.variance = onnx_emit_reduction(im, XC_TIR_REDUCTION_MEAN, square, r);
  MlirValue safe = xc_graph_emit_with(&im->graph, "epsilon", XC_TIR_ADD,
                                      m.variance, epsilon);
  MlirValue deviation =
      xc_graph_emit_binary(&im->graph, "sqrt", XC_TIR_SQRT, safe, none);
  m.normal = xc_graph_emit_binary(&im->graph, "normal", XC_TIR_DIV, shifted,
                                  deviation);
  return m;
}

// A vector of a number for each channel, as it is broadcast to `like`.
static MlirValue get_channels(onnx_importer *im, const xc_graph_value *like,
                              xc_graph_value *vector,
                              const xc_graph_order *order) {
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < like->shape.rank; ++i)
    dims[i] = i == 1 ? like->shape.dims[1] : 1;
  if (xc_shape_num_elements(&vector->shape) != dims[1]) {
    onnx_error(im, "'%s' has %" PRId64 " elements, expected %" PRId64,
               vector->name, xc_shape_num_elements(&vector->shape), dims[1]);
    return none;
  }
  xc_graph_value *value =
      xc_graph_reshape(&im->graph, vector, dims, like->shape.rank);
  return value ? xc_graph_get(&im->graph, value, order) : none;
}

// normal * in[1] + in[2]
static MlirValue emit_affine(onnx_importer *im, xc_graph_value *const *in,
                             MlirValue normal, const xc_graph_order *order) {
  normal = xc_graph_emit_binary(&im->graph, "scale", XC_TIR_MUL, normal,
                                get_channels(im, in[0], in[1], order));
  return xc_graph_emit_binary(&im->graph, "bias", XC_TIR_ADD, normal,
                              get_channels(im, in[0], in[2], order));
}

// momentum * old + (1 - momentum) * new, as a vector.
static bool result_running(onnx_importer *im, size_t index, xc_graph_value *old,
                           MlirValue new) {
  double momentum = (double)onnx_float(im, "momentum", 0.9f);
  if (!onnx_has_output(im, index))
    return true;
  xc_attribute shape = xc_ints("shape", old->shape.dims, 1);
  new = xc_graph_emit(&im->graph, "vector", XC_TIR_RESHAPE, &new, 1,
                      &(xc_attributes){&shape, 1}, XC_ELEMENT_NONE);
  new = xc_graph_emit_with(&im->graph, "new", XC_TIR_MUL, new, 1 - momentum);
  MlirValue kept =
      xc_graph_emit_with(&im->graph, "old", XC_TIR_MUL,
                         xc_graph_get_plain(&im->graph, old), momentum);
  return onnx_result_plain(
      im, index,
      xc_graph_emit_binary(&im->graph, "running", XC_TIR_ADD, kept, new));
}

// Training: the statistics are those of the batch.
static bool normalize_batch(onnx_importer *im, xc_graph_value *const *in) {
  onnx_reduction_axes r = {.order = xc_graph_cheapest(in[0])};
  for (size_t i = 0; i < in[0]->shape.rank; ++i)
    if (i != 1)
      r.axes[r.count++] = (int64_t)xc_graph_position(&r.order, i);
  moments m = emit_moments(im, xc_graph_get(&im->graph, in[0], &r.order), &r);
  return onnx_result(im, 0, emit_affine(im, in, m.normal, &r.order),
                     &r.order) &&
         result_running(im, 1, in[3], m.mean) &&
         result_running(im, 2, in[4], m.variance);
}

bool onnx_batch_normalization(onnx_importer *im) {
  xc_graph_value *in[5];
  for (size_t i = 0; i < 5; ++i)
    if (!onnx_need_input(im, i, &in[i]))
      return false;
  if (!onnx_check_rank(im, in[0], 2, XC_MAX_RANK))
    return false;
  if (onnx_int(im, "training_mode", 0))
    return normalize_batch(im, in);
  if (onnx_has_output(im, 1))
    return onnx_error(im, "has outputs of training, expected inference");
  if (!onnx_int(im, "spatial", 1))
    return onnx_error(im, "has one statistic per element ('spatial' is "
                          "0), expected one per channel");
  xc_graph_order order = xc_graph_cheapest(in[0]);
  // Statistics are vectors; tir wants gamma and beta after them.
  MlirValue operands[] = {xc_graph_get(&im->graph, in[0], &order),
                          xc_graph_get_plain(&im->graph, in[3]),
                          xc_graph_get_plain(&im->graph, in[4]),
                          xc_graph_get_plain(&im->graph, in[1]),
                          xc_graph_get_plain(&im->graph, in[2])};
  xc_attribute attributes[] = {
      xc_float("epsilon", (double)onnx_float(im, "epsilon", 1e-5f)),
      xc_int("axis", (int64_t)xc_graph_position(&order, 1))};
  return onnx_emit_result(im, XC_TIR_BATCHNORM, operands, 5,
                          &(xc_attributes){attributes, 2}, XC_ELEMENT_NONE,
                          &order);
}

bool onnx_instance_normalization(onnx_importer *im) {
  xc_graph_value *in[3];
  for (size_t i = 0; i < 3; ++i)
    if (!onnx_need_input(im, i, &in[i]))
      return false;
  if (!onnx_check_rank(im, in[0], 3, XC_MAX_RANK))
    return false;
  onnx_reduction_axes r = {.order = xc_graph_cheapest(in[0])};
  for (size_t i = 2; i < in[0]->shape.rank; ++i)
    r.axes[r.count++] = (int64_t)xc_graph_position(&r.order, i);
  moments m = emit_moments(im, xc_graph_get(&im->graph, in[0], &r.order), &r);
  return onnx_result(im, 0, emit_affine(im, in, m.normal, &r.order), &r.order);
}

bool onnx_lrn(onnx_importer *im) {
  xc_graph_value *value;
  if (!onnx_need_input(im, 0, &value) ||
      !onnx_check_rank(im, value, 3, XC_MAX_RANK))
    return false;
  xc_graph_order order = xc_graph_channels_last(value->shape.rank);
  MlirValue input = xc_graph_get(&im->graph, value, &order);
  xc_attribute attributes[] = {
      xc_int("size", onnx_int(im, "size", 0)),
      xc_float("alpha", (double)onnx_float(im, "alpha", 1e-4f)),
      xc_float("beta", (double)onnx_float(im, "beta", 0.75f)),
      xc_float("bias", (double)onnx_float(im, "bias", 1.0f))};
  return onnx_emit_result(im, XC_TIR_LRN, &input, 1,
                          &(xc_attributes){attributes, 4}, XC_ELEMENT_NONE,
                          &order);
}
