//===- Constants.c - weights and biases as kernels want them --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "IR/IR.h"
#include "dialects/Build.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Moves elements so that dimension d of the result is dimension order[d] of
// `dims`.
static void permute(const char *from, char *to, size_t rank,
                    const int64_t *dims, const int *order, size_t size) {
  int64_t count = 1, at[4];
  for (size_t d = 0; d < rank; ++d)
    count *= dims[d];
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, target = 0;
    for (size_t d = rank; d-- > 0; rest /= dims[d])
      at[d] = rest % dims[d];
    for (size_t d = 0; d < rank; ++d)
      target = target * dims[order[d]] + at[order[d]];
    memcpy(to + (size_t)target * size, from + (size_t)i * size, size);
  }
}

static bool is_transposed(const xc_kernel_subject *s) {
  return s->op.info->kind != XC_TIR_INNER_PRODUCT &&
         !xc_attr_bool(&s->op, XC_ATTR_TRANSPOSE_B);
}

// Returns the weights as OHWI, or OI of a product; null when they cannot be
// read. The caller frees them.
static char *read_weights(const xc_kernel_subject *s, int64_t dims[4]) {
  static const int mhwc[] = {3, 0, 1, 2}, io[] = {1, 0};
  const xc_shape *shape = &s->shapes[1];
  size_t size;
  char *bytes = xc_const_bytes(xc_kernel_constant(s, 1), &size);
  memcpy(dims, shape->dims, shape->rank * sizeof(*dims));
  bool depthwise = s->kind != XC_KERNEL_DENSE && xc_is_depthwise(&s->op);
  bool turned = s->kind == XC_KERNEL_DENSE && is_transposed(s);
  if (!bytes || (!depthwise && !turned))
    return bytes;
  char *moved = xc_alloc(size);
  permute(bytes, moved, shape->rank, shape->dims, turned ? io : mhwc,
          xc_element_size(shape->element));
  free(bytes);
  if (turned) {
    dims[0] = shape->dims[1];
    dims[1] = shape->dims[0];
    return moved;
  }
  dims[0] = shape->dims[3] * shape->dims[0]; // channel c * M + m
  dims[1] = shape->dims[1];
  dims[2] = shape->dims[2];
  dims[3] = 1;
  return moved;
}

bool xc_kernel_fold_zero_point(const xc_kernel_subject *s, int64_t zero_point,
                               int32_t *folded) {
  int64_t dims[4], channels = s->sizes[XC_KERNEL_OUT_CHANNELS];
  int64_t depth =
      channels ? xc_shape_num_elements(&s->shapes[1]) / channels : 0;
  size_t size;
  char *weights = read_weights(s, dims);
  char *bias = xc_const_bytes(xc_kernel_constant(s, 2), &size);
  bool fits = weights && bias;
  for (int64_t o = 0; fits && o < channels; ++o) {
    int32_t own;
    memcpy(&own, bias + (size_t)o * sizeof(own), sizeof(own));
    int64_t sum = 0;
    for (int64_t i = 0; i < depth; ++i)
      sum += ((const int8_t *)weights)[o * depth + i];
    int64_t value = own - zero_point * sum;
    fits = value >= INT32_MIN && value <= INT32_MAX;
    folded[o] = (int32_t)value;
  }
  free(weights);
  free(bias);
  return fits;
}

static void set_constant(const xc_kernel_subject *s, size_t slot,
                         const void *bytes) {
  const xc_builder builder = xc_builder_before(s->operation);
  xc_shape buffer = s->shapes[slot];
  buffer.memref = true;
  MlirNamedAttribute value =
      xc_named(builder.context, "value",
               xc_dense_attribute(builder.context, bytes, &buffer));
  MlirValue constant = xc_build_value(
      &builder, "memtx.const", xc_type_of_shape(builder.context, &buffer), NULL,
      0, &value, 1);
  mlirOperationSetOperand(s->operation, s->op.positions[slot], constant);
}

static bool prepare_weights(const xc_kernel_subject *s,
                            const xc_kernel_row *row) {
  int64_t dims[4];
  size_t element = xc_element_size(s->shapes[1].element);
  size_t size = (size_t)xc_shape_num_elements(&s->shapes[1]) * element;
  char *bytes = read_weights(s, dims);
  if (!bytes)
    return xc_adaptor_error(&s->op, "has weights without contents");
  char *moved = xc_alloc(size);
  permute(bytes, moved, s->shapes[1].rank, dims, row->weights, element);
  set_constant(s, 1, moved);
  free(bytes);
  free(moved);
  return true;
}

static void prepare_bias(const xc_kernel_subject *s, const xc_kernel_row *row) {
  int64_t zero_point = s->sizes[XC_KERNEL_INPUT_ZERO_POINT];
  if (zero_point == 0 || xc_kernel_row_has(row, XC_KERNEL_INPUT_ZERO_POINT) ||
      xc_kernel_row_has(row, XC_KERNEL_INPUT_OFFSET))
    return;
  size_t channels = (size_t)s->sizes[XC_KERNEL_OUT_CHANNELS];
  int32_t *folded = xc_alloc_array(channels, sizeof(*folded));
  xc_kernel_fold_zero_point(s, zero_point, folded);
  set_constant(s, 2, folded);
  free(folded);
}

bool xc_kernel_prepare(const xc_kernel_row *row, MlirOperation operation) {
  xc_kernel_subject s;
  bool is_subject = xc_kernel_subject_of(operation, &s);
  assert(is_subject && "the row was chosen for this operation");
  if (!is_subject)
    return false;
  prepare_bias(&s, row); // from the weights as they are
  return prepare_weights(&s, row);
}
