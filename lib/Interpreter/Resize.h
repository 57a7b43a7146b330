//===- Resize.h - resampling along one axis -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_RESIZE_H
#define XC_INTERPRETER_RESIZE_H

#include "Kernel.h"

/// What each position of a resized axis reads: `taps` source positions (within
/// the input) with weights that sum to 1. `outside` marks positions that take
/// the extrapolation value.
typedef struct xc_resize_axis {
  int64_t taps;
  int64_t *source; // [output][tap]
  double *weight;
  bool *outside;
} xc_resize_axis;

/// Axis 0 is W, 1 is H.
xc_resize_axis xc_resize_axis_create(xc_kernel_call *call, int axis);

#endif // XC_INTERPRETER_RESIZE_H
