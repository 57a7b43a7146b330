//===- RandomWeights.c - seeded weights for models without ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In which range the numbers of a constant (Graph/Random.c) are, depends on
// what reads it:
//
//   weight of a convolution or matrix product   +-sqrt(6 / fan-in)   (He)
//   bias, beta, what Add adds, mean             +-0.1
//   variance                                    0.5 to 1.5
//   gamma and what Mul multiplies with          0.5 to 1
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <math.h>
#include <string.h>

typedef struct weight_range {
  double low, high;
} weight_range;

// Returns the number of elements of a weight that make one output element.
static int64_t fan_in(const xc_onnx_importer *im,
                      const xc_graph_value *weight) {
  const int64_t *dims = weight->shape.dims;
  size_t rank = weight->shape.rank;
  int64_t total = xc_shape_num_elements(&weight->shape);
  const char *type = im->node->op_type;
  size_t outputs = 0; // the dimension of the output channels
  if (strcmp(type, "ConvTranspose") == 0)
    outputs = 1;
  else if (strcmp(type, "Gemm") == 0)
    outputs = xc_onnx_int(im, "transB", 0) ? 0 : 1;
  else if (strcmp(type, "MatMul") == 0)
    outputs = rank - 1;
  return outputs < rank && dims[outputs] ? total / dims[outputs] : 1;
}

// Whether input `index` of the node is a weight, and in which range.
static bool find_range(const xc_onnx_importer *im, size_t index,
                       const xc_graph_value *value, weight_range *range) {
  static const char *const products[] = {"Conv", "ConvTranspose", "Gemm",
                                         "MatMul"};
  static const weight_range small = {-0.1, 0.1}, gain = {0.5, 1};
  static const weight_range statistics[] = {gain, small, small, {0.5, 1.5}};
  const char *type = im->node->op_type;
  for (size_t i = 0; i < sizeof(products) / sizeof(*products); ++i) {
    if (strcmp(type, products[i]) != 0 || index == 0)
      continue;
    int64_t fan = fan_in(im, value);
    double bound = sqrt(6.0 / (double)(fan > 0 ? fan : 1));
    *range = index == 1 ? (weight_range){-bound, bound} : small;
    return true;
  }
  if (strcmp(type, "BatchNormalization") == 0 && index >= 1 && index <= 4) {
    *range = statistics[index - 1];
    return true;
  }
  if (strcmp(type, "Mul") == 0 || strcmp(type, "Add") == 0) {
    *range = *type == 'M' ? gain : small;
    return true;
  }
  return false;
}

bool xc_onnx_random_weights(xc_onnx_importer *im) {
  if (!im->graph.options.randomWeights)
    return true;
  for (size_t i = 0; i < xc_onnx_num_inputs(im); ++i) {
    xc_graph_value *value = xc_onnx_input(im, i);
    weight_range range;
    bool is_weight = value && value->data && !value->forms &&
                     xc_element_is_float(value->shape.element) &&
                     value->shape.rank > 0 && find_range(im, i, value, &range);
    if (is_weight &&
        !xc_graph_fill_random(&im->graph, value, range.low, range.high))
      return false;
  }
  return true;
}
