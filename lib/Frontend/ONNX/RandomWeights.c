//===- RandomWeights.c - seeded weights for models without ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element i of the constant NAME is low + (high - low) * u, where u in [0, 1)
// is the top 24 bits of mix(seed + fnv1a(NAME) + (i + 1) * 0x9E3779B97F4A7C15)
// divided by 2^24, mix is the finaliser of SplitMix64 and everything is modulo
// 2^64. low and high depend on what reads the constant:
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

static uint64_t hash_name(const char *name) {
  uint64_t h = UINT64_C(14695981039346656037);
  for (; *name; ++name)
    h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
  return h;
}

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}

// Elements of a weight that make one output element.
static int64_t fan_in(const onnx_importer *im, const xc_graph_value *weight) {
  const int64_t *dims = weight->shape.dims;
  size_t rank = weight->shape.rank;
  int64_t total = xc_shape_num_elements(&weight->shape);
  const char *type = im->node->op_type;
  size_t outputs = 0; // the dimension of the output channels
  if (strcmp(type, "ConvTranspose") == 0)
    outputs = 1;
  else if (strcmp(type, "Gemm") == 0)
    outputs = onnx_int(im, "transB", 0) ? 0 : 1;
  else if (strcmp(type, "MatMul") == 0)
    outputs = rank - 1;
  return outputs < rank && dims[outputs] ? total / dims[outputs] : 1;
}

// Whether input `index` of the node is a weight, and in which range.
static bool find_range(const onnx_importer *im, size_t index,
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

static bool fill(onnx_importer *im, xc_graph_value *value,
                 const weight_range *range) {
  enum { BITS = 24 };
  int64_t total = xc_shape_num_elements(&value->shape);
  size_t size = xc_element_size(value->shape.element);
  const int64_t most = INT64_C(1) << 32;
  if (total > most)
    return onnx_error(im, "weight '%s' is too large to be made up",
                      value->name);
  uint8_t *data = xc_arena_alloc(&im->graph.arena, (size_t)total + 1, size);
  uint64_t state = im->graph.options.seed + hash_name(value->name);
  for (int64_t i = 0; i < total; ++i) {
    state += UINT64_C(0x9E3779B97F4A7C15);
    double u = ldexp((double)(mix(state) >> (64 - BITS)), -BITS);
    xc_graph_store(
        value->shape.element, data, i,
        (xc_graph_number){.is_float = true,
                          .real = range->low + (range->high - range->low) * u});
  }
  value->data = data;
  value->splat = false;
  return true;
}

bool onnx_random_weights(onnx_importer *im) {
  if (!im->graph.options.randomWeights)
    return true;
  for (size_t i = 0; i < onnx_num_inputs(im); ++i) {
    xc_graph_value *value = onnx_input(im, i);
    weight_range range;
    bool is_weight = value && value->data && !value->forms &&
                     xc_element_is_float(value->shape.element) &&
                     value->shape.rank > 0 && find_range(im, i, value, &range);
    if (is_weight && !fill(im, value, &range))
      return false;
  }
  return true;
}
