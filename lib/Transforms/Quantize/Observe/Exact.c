//===- Exact.c - results of the float function that are kept --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observe.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Filter.h"

#include <stdlib.h>
#include <string.h>

typedef struct xc_exact_results {
  size_t num_samples;
  float **data; // [values][num_samples], null where not seen yet
} xc_exact_results;

static bool is_wanted(const xc_quantize_value *value) {
  if (!value->is_float || value->shape.element != XC_ELEMENT_F32 ||
      !mlirValueIsAOpResult(value->original))
    return false;
  const xc_op_info *info = xc_op_info_of(mlirOpResultGetOwner(value->original));
  return info && xc_is_filter(info->kind);
}

size_t xc_fit_num_samples(size_t all, double products) {
  const size_t most_samples = 64;
  size_t most = (size_t)(xc_fit_most_products / (products + 1)) + 1;
  most = most < most_samples ? most : most_samples;
  return all < most ? all : most;
}

size_t xc_fit_sample(size_t index, size_t count, size_t all) {
  return index * all / count;
}

// Returns the number of products of one run of the convolutions, as Fit/Fit.c
// counts them.
static double count_products(const xc_quantizer *q) {
  double sum = 0;
  for (size_t i = 0; i < q->num_values; ++i) {
    xc_shape weight;
    const xc_quantize_value *value = &q->values[i];
    if (!is_wanted(value) ||
        !xc_shape_of_type(mlirValueGetType(mlirOperationGetOperand(
                              mlirOpResultGetOwner(value->original), 1)),
                          &weight))
      continue;
    int64_t outputs = value->shape.dims[value->shape.rank - 1];
    sum += (double)xc_shape_num_elements(&weight) *
           (double)xc_shape_num_elements(&value->shape) /
           (double)(outputs > 0 ? outputs : 1);
  }
  return sum;
}

void xc_exact_begin(xc_quantizer *q) {
  const size_t most_bytes = (size_t)1 << 28;
  size_t bytes = 0;
  if (!xc_pass_bool(q->run, "fit"))
    return;
  for (size_t i = 0; i < q->num_values; ++i)
    if (is_wanted(&q->values[i]))
      bytes += xc_quantize_bytes(&q->values[i].shape);
  size_t count = xc_fit_num_samples(q->num_samples, count_products(q));
  if (bytes == 0 || count > most_bytes / bytes)
    return;
  q->exact = xc_alloc(sizeof *q->exact);
  q->exact->num_samples = count;
  q->exact->data =
      xc_alloc_array(q->num_values * count + 1, sizeof *q->exact->data);
}

// Where the result of a sample goes; null if it is none of those.
static float **place_of(const xc_quantizer *q, const xc_quantize_value *value,
                        size_t sample) {
  const xc_exact_results *exact = q->exact;
  for (size_t i = 0; exact && i < exact->num_samples; ++i)
    if (xc_fit_sample(i, exact->num_samples, q->num_samples) == sample)
      return &exact->data[(size_t)(value - q->values) * exact->num_samples + i];
  return NULL;
}

void xc_exact_keep(const xc_quantizer *q, const xc_quantize_value *value,
                   size_t sample, const void *data) {
  float **place = is_wanted(value) ? place_of(q, value, sample) : NULL;
  if (!place || *place)
    return;
  size_t bytes = xc_quantize_bytes(&value->shape);
  *place = xc_alloc_uninitialized(bytes + 1, 1);
  memcpy(*place, data, bytes);
}

const float *xc_exact_find(const xc_quantizer *q,
                           const xc_quantize_value *value, size_t sample) {
  float **place = place_of(q, value, sample);
  return place ? *place : NULL;
}

void xc_exact_move(const xc_quantizer *q, const xc_quantize_value *value,
                   double factor, double amount) {
  int64_t count = xc_shape_num_elements(&value->shape);
  for (size_t s = 0; q->exact && s < q->exact->num_samples; ++s) {
    size_t row = (size_t)(value - q->values) * q->exact->num_samples + s;
    float *data = q->exact->data[row];
    for (int64_t i = 0; data && i < count; ++i)
      data[i] = (float)(factor * (double)data[i] + amount);
  }
}

void xc_exact_end(xc_quantizer *q) {
  if (!q->exact)
    return;
  for (size_t i = 0; i < q->num_values * q->exact->num_samples; ++i)
    free(q->exact->data[i]);
  free(q->exact->data);
  free(q->exact);
  q->exact = NULL;
}
