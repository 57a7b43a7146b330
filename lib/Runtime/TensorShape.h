//===- TensorShape.h - the shape of a model's tensor --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_RUNTIME_TENSORSHAPE_H
#define XC_RUNTIME_TENSORSHAPE_H

#include "dialects/Adaptor.h"
#include "xc-c/Runtime.h"

#include <string.h>

_Static_assert((int)XC_TENSOR_MAX_RANK == (int)XC_MAX_RANK,
               "models have the ranks of tir");

static inline xc_shape xc_tensor_shape(const XcTensorInfo *info) {
  xc_shape shape = {.element = (xc_element)info->element, .rank = info->rank};
  memcpy(shape.dims, info->dims, sizeof(shape.dims));
  return shape;
}

#endif // XC_RUNTIME_TENSORSHAPE_H
