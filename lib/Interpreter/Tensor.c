//===- Tensor.c - elements, attributes and walks of the kernels -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "Support/SmallFloat.h"

#include <assert.h>
#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

int64_t xc_tensor_count(const xc_tensor *tensor) {
  return xc_shape_num_elements(&tensor->shape);
}

double xc_get_any_real(const xc_tensor *tensor, int64_t index) {
  switch (tensor->shape.element) {
  case XC_ELEMENT_F32:
    return (double)((const float *)tensor->data)[index];
  case XC_ELEMENT_F64:
    return ((const double *)tensor->data)[index];
  case XC_ELEMENT_F16:
    return xc_small_to_real(((const uint16_t *)tensor->data)[index],
                            xc_half_format);
  case XC_ELEMENT_BF16:
    return xc_small_to_real(((const uint16_t *)tensor->data)[index],
                            xc_bfloat_format);
  case XC_ELEMENT_UI64:
    return (double)((const uint64_t *)tensor->data)[index];
  case XC_ELEMENT_I1:
  case XC_ELEMENT_I8:
  case XC_ELEMENT_I16:
  case XC_ELEMENT_I32:
  case XC_ELEMENT_I64:
  case XC_ELEMENT_UI8:
  case XC_ELEMENT_UI16:
  case XC_ELEMENT_UI32:
    return (double)xc_get_int(tensor, index);
  case XC_ELEMENT_NONE:
    break;
  }
  assert(false && "tensors have types that xc knows");
  return 0;
}

int64_t xc_get_int(const xc_tensor *tensor, int64_t index) {
  switch (tensor->shape.element) {
  case XC_ELEMENT_I1:
    return ((const uint8_t *)tensor->data)[index] != 0;
  case XC_ELEMENT_I8:
    return ((const int8_t *)tensor->data)[index];
  case XC_ELEMENT_I16:
    return ((const int16_t *)tensor->data)[index];
  case XC_ELEMENT_I32:
    return ((const int32_t *)tensor->data)[index];
  case XC_ELEMENT_I64:
  case XC_ELEMENT_UI64:
    return ((const int64_t *)tensor->data)[index];
  case XC_ELEMENT_UI8:
    return ((const uint8_t *)tensor->data)[index];
  case XC_ELEMENT_UI16:
    return ((const uint16_t *)tensor->data)[index];
  case XC_ELEMENT_UI32:
    return ((const uint32_t *)tensor->data)[index];
  case XC_ELEMENT_F16:
  case XC_ELEMENT_BF16:
  case XC_ELEMENT_F32:
  case XC_ELEMENT_F64:
  case XC_ELEMENT_NONE:
    break;
  }
  assert(false && "only integers are read as integers");
  return 0;
}

static int64_t truncate_to(xc_element element, double value) {
  if (isnan(value))
    return 0;
  if (element == XC_ELEMENT_UI64) {
    uint64_t wide = value <= 0        ? 0
                    : value >= 0x1p64 ? UINT64_MAX
                                      : (uint64_t)value;
    return (int64_t)wide;
  }
  int64_t low = xc_element_min(element), high = xc_element_max(element);
  if (value <= (double)low)
    return low;
  return value >= (double)high ? high : (int64_t)value;
}

void xc_set_any_real(const xc_tensor *tensor, int64_t index, double value) {
  xc_element element = tensor->shape.element;
  switch (element) {
  case XC_ELEMENT_F32:
    ((float *)tensor->data)[index] = (float)value;
    return;
  case XC_ELEMENT_F64:
    ((double *)tensor->data)[index] = value;
    return;
  case XC_ELEMENT_F16:
    ((uint16_t *)tensor->data)[index] = xc_real_to_small(value, xc_half_format);
    return;
  case XC_ELEMENT_BF16:
    ((uint16_t *)tensor->data)[index] =
        xc_real_to_small(value, xc_bfloat_format);
    return;
  case XC_ELEMENT_I1:
    ((uint8_t *)tensor->data)[index] = value != 0;
    return;
  case XC_ELEMENT_I8:
  case XC_ELEMENT_I16:
  case XC_ELEMENT_I32:
  case XC_ELEMENT_I64:
  case XC_ELEMENT_UI8:
  case XC_ELEMENT_UI16:
  case XC_ELEMENT_UI32:
  case XC_ELEMENT_UI64:
    xc_set_int(tensor, index, truncate_to(element, value));
    return;
  case XC_ELEMENT_NONE:
    break;
  }
  assert(false && "tensors have types that xc knows");
}

void xc_set_int(const xc_tensor *tensor, int64_t index, int64_t value) {
  switch (tensor->shape.element) {
  case XC_ELEMENT_I1:
    ((uint8_t *)tensor->data)[index] = value != 0;
    return;
  case XC_ELEMENT_I8:
  case XC_ELEMENT_UI8:
    ((uint8_t *)tensor->data)[index] = (uint8_t)value;
    return;
  case XC_ELEMENT_I16:
  case XC_ELEMENT_UI16:
    ((uint16_t *)tensor->data)[index] = (uint16_t)value;
    return;
  case XC_ELEMENT_I32:
  case XC_ELEMENT_UI32:
    ((uint32_t *)tensor->data)[index] = (uint32_t)value;
    return;
  case XC_ELEMENT_I64:
  case XC_ELEMENT_UI64:
    ((int64_t *)tensor->data)[index] = value;
    return;
  case XC_ELEMENT_F16:
  case XC_ELEMENT_BF16:
  case XC_ELEMENT_F32:
  case XC_ELEMENT_F64:
    xc_set_real(tensor, index, (double)value);
    return;
  case XC_ELEMENT_NONE:
    break;
  }
  assert(false && "tensors have types that xc knows");
}

void *xc_call_alloc(xc_kernel_call *call, int64_t count, size_t size) {
  return xc_arena_alloc(call->arena, (size_t)count, size);
}

xc_tensor xc_call_tensor(xc_kernel_call *call, const xc_shape *shape) {
  return (xc_tensor){*shape, xc_call_alloc(call, xc_shape_num_elements(shape),
                                           xc_element_size(shape->element))};
}

void xc_get_reals(const xc_tensor *tensor, int64_t first, int64_t count,
                  double *reals) {
  if (tensor->shape.element != XC_ELEMENT_F32) {
    for (int64_t i = 0; i < count; ++i)
      reals[i] = xc_get_any_real(tensor, first + i);
    return;
  }
  const float *floats = (const float *)tensor->data + first;
  for (int64_t i = 0; i < count; ++i)
    reals[i] = (double)floats[i];
}

double *xc_call_reals(xc_kernel_call *call, size_t slot) {
  const xc_tensor *tensor = &call->operands[slot];
  int64_t count = xc_tensor_count(tensor);
  double *reals = xc_call_alloc(call, count, sizeof(*reals));
  xc_get_reals(tensor, 0, count, reals);
  return reals;
}

int32_t *xc_call_ints(xc_kernel_call *call, size_t slot, int32_t zero_point) {
  const xc_tensor *tensor = &call->operands[slot];
  int64_t count = xc_tensor_count(tensor);
  int32_t *ints = xc_call_alloc(call, count, sizeof(*ints));
  for (int64_t i = 0; i < count; ++i)
    ints[i] = (int32_t)(xc_get_int(tensor, i) - zero_point);
  return ints;
}

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

xc_walk xc_walk_begin(const xc_shape *shape) {
  xc_walk walk = {.rank = shape->rank, .left = xc_shape_num_elements(shape)};
  memcpy(walk.dims, shape->dims, sizeof(walk.dims));
  return walk;
}

void xc_walk_strides(xc_walk *walk, const int64_t *strides) {
  assert(walk->tensors < XC_WALK_TENSORS && "walks have few tensors");
  memcpy(walk->strides[walk->tensors++], strides,
         walk->rank * sizeof(*strides));
}

void xc_walk_broadcast(xc_walk *walk, const xc_shape *shape) {
  int64_t own[XC_MAX_RANK], strides[XC_MAX_RANK] = {0};
  xc_shape_strides(shape, own);
  size_t shift = walk->rank - shape->rank;
  for (size_t i = 0; i < shape->rank; ++i)
    strides[i + shift] = shape->dims[i] == 1 ? 0 : own[i];
  xc_walk_strides(walk, strides);
}

void xc_walk_next(xc_walk *walk) {
  --walk->left;
  for (size_t i = walk->rank; i-- > 0;) {
    bool carry = ++walk->position[i] == walk->dims[i];
    int64_t steps = carry ? 1 - walk->dims[i] : 1;
    for (size_t t = 0; t < walk->tensors; ++t)
      walk->offset[t] += steps * walk->strides[t][i];
    if (!carry)
      return;
    walk->position[i] = 0;
  }
}
