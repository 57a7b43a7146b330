//===- OpsFused.c - products that ONNX Runtime joined with what follows ---===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model that ONNX Runtime saved after its optimisations has a convolution or
// product, a scale, a sum and an activation in one node. They are taken apart
// again: tir's own patterns join what the target can compute at once.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

enum { MAX_NUMBERS = 2 };

/// An activation by its name, and its numbers: attributes of the operator with
/// what they are when nothing is said.
typedef struct activation {
  const char *name;
  xc_op_kind kind;
  size_t count;
  const char *attributes[MAX_NUMBERS];
  float absent[MAX_NUMBERS];
} activation;

static const activation activations[] = {
    {"Relu", XC_TIR_RELU, 0, {NULL}, {0}},
    {"Sigmoid", XC_TIR_SIGMOID, 0, {NULL}, {0}},
    {"Tanh", XC_TIR_TANH, 0, {NULL}, {0}},
    {"Softplus", XC_TIR_SOFTPLUS, 0, {NULL}, {0}},
    {"Elu", XC_TIR_ELU, 1, {"alpha"}, {1}},
    {"LeakyRelu", XC_TIR_LEAKY_RELU, 1, {"alpha"}, {0.01f}},
    {"HardSigmoid", XC_TIR_HARD_SIGMOID, 2, {"alpha", "beta"}, {0.2f, 0.5f}},
    {"Clip",
     XC_TIR_CLIP,
     2,
     {"min", "max"},
     {-3.402823466e+38f, 3.402823466e+38f}},
};

// Returns the activation that the node names; null, after an error, of an
// unknown one.
static const activation *find_activation(xc_onnx_importer *im) {
  const char *name = xc_onnx_string(im, "activation", "");
  for (size_t i = 0; i < sizeof(activations) / sizeof(*activations); ++i)
    if (strcmp(activations[i].name, name) == 0)
      return &activations[i];
  xc_onnx_error(im,
                "attribute 'activation' is '%s', expected Relu, Sigmoid, Tanh, "
                "Softplus, Elu, LeakyRelu, HardSigmoid or Clip",
                name);
  return NULL;
}

static MlirValue emit_activation(xc_onnx_importer *im, const activation *a,
                                 MlirValue x, const float *numbers) {
  bool is_relu6 = a->kind == XC_TIR_CLIP && numbers[0] == 0 && numbers[1] == 6;
  xc_attribute attributes[MAX_NUMBERS];
  for (size_t i = 0; i < a->count; ++i)
    attributes[i] = xc_float(a->attributes[i], (double)numbers[i]);
  return xc_graph_emit(
      &im->graph, "activation", is_relu6 ? XC_TIR_RELU6 : a->kind, &x, 1,
      &(xc_attributes){attributes, is_relu6 ? 0 : a->count}, XC_ELEMENT_NONE);
}

//===----------------------------------------------------------------------===//
// FusedConv
//===----------------------------------------------------------------------===//

// The list has all numbers of the activation, or none of them.
static bool read_params(xc_onnx_importer *im, const activation *a,
                        float numbers[MAX_NUMBERS]) {
  const Onnx__AttributeProto *list = xc_onnx_attribute(im, "activation_params");
  memcpy(numbers, a->absent, sizeof(a->absent));
  if (!list || list->n_floats == 0)
    return true;
  if (list->n_floats != a->count)
    return xc_onnx_error(
        im,
        "attribute 'activation_params' has %zu entries, expected "
        "%zu for %s",
        list->n_floats, a->count, a->name);
  memcpy(numbers, list->floats, a->count * sizeof(*numbers));
  return true;
}

// activation(convolution + Z); Z, input 3, has the shape of the convolution.
bool xc_onnx_fused_conv(xc_onnx_importer *im) {
  const activation *a = NULL;
  float numbers[MAX_NUMBERS];
  xc_onnx_conv_layer layer;
  xc_graph_value *added = xc_onnx_input(im, 3);
  if (xc_onnx_attribute(im, "activation") &&
      (!(a = find_activation(im)) || !read_params(im, a, numbers)))
    return false;
  MlirValue x = xc_onnx_emit_float_conv(im, &layer);
  if (mlirValueIsNull(x))
    return false;
  if (added) {
    if (!xc_onnx_check_rank(im, added, layer.rank, layer.rank) ||
        !(added = xc_onnx_as_2d(im, added)))
      return false;
    x = xc_graph_emit_binary(&im->graph, "sum", XC_TIR_ADD, x,
                             xc_graph_get_channels_last(&im->graph, added));
  }
  return xc_onnx_result_2d(im, 0, a ? emit_activation(im, a, x, numbers) : x,
                           layer.rank);
}

//===----------------------------------------------------------------------===//
// FusedGemm, FusedMatMul
//===----------------------------------------------------------------------===//

// activation(alpha * A * B + beta * C)
bool xc_onnx_fused_gemm(xc_onnx_importer *im) {
  static const char *const names[] = {"activation_alpha", "activation_beta"};
  const activation *a = find_activation(im);
  float numbers[MAX_NUMBERS];
  if (!a)
    return false;
  for (size_t i = 0; i < MAX_NUMBERS; ++i)
    numbers[i] = xc_onnx_float(im, names[i], a->absent[i]);
  if (a->kind == XC_TIR_CLIP)
    return xc_onnx_error(im, "attribute 'activation' is 'Clip', whose limits "
                             "FusedGemm has no attributes for");
  return xc_onnx_result_plain(
      im, 0, emit_activation(im, a, xc_onnx_emit_gemm(im), numbers));
}

// Returns an operand; with transBatch its rows come before the numbers of its
// matrices.
static xc_graph_value *take_matrices(xc_onnx_importer *im, size_t index,
                                     const char *trans_batch) {
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, index, &value))
    return NULL;
  if (!xc_onnx_int(im, trans_batch, 0))
    return value;
  if (!xc_onnx_check_rank(im, value, 3, XC_MAX_RANK))
    return NULL;
  size_t last = value->shape.rank - 1;
  xc_graph_order order = xc_graph_identity(last + 1);
  for (size_t i = 0; i + 1 < last; ++i)
    order.dim[i] = (uint8_t)(i + 1);
  order.dim[last - 1] = 0;
  return xc_graph_transpose(&im->graph, value, &order);
}

// alpha * A * B
bool xc_onnx_fused_matmul(xc_onnx_importer *im) {
  xc_graph_value *a = take_matrices(im, 0, "transBatchA");
  xc_graph_value *b = a ? take_matrices(im, 1, "transBatchB") : NULL;
  double alpha = (double)xc_onnx_float(im, "alpha", 1);
  if (!b)
    return false;
  MlirValue product =
      xc_onnx_emit_matmul(im, a, b, xc_onnx_int(im, "transA", 0) != 0,
                          xc_onnx_int(im, "transB", 0) != 0);
  if (alpha != 1)
    product =
        xc_graph_emit_with(&im->graph, "scale", XC_TIR_MUL, product, alpha);
  return !mlirValueIsNull(product) && xc_onnx_result_plain(im, 0, product);
}
