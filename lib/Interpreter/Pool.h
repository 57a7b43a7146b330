//===- Pool.h - what the pooling kernels share --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_POOL_H
#define XC_INTERPRETER_POOL_H

#include "Kernel.h"
#include "OpParams/Window.h"

/// One window of a pool.
typedef struct xc_pool_window {
  int64_t hits; // elements inside the input
  /// An average divides by rows * columns: the taps that count along each axis
  /// by count_include_pad and count_include_invalid.
  int64_t rows, columns;
} xc_pool_window;

/// Visits every output element of a pool in order; `element` is called for
/// each input index of its window, then `end`.
typedef struct xc_pool_visitor {
  void (*element)(void *state, int64_t index);
  void (*end)(void *state, int64_t at, xc_pool_window window);
  void *state;
} xc_pool_visitor;

/// `average`: read the two count attributes.
void xc_pool_visit(xc_kernel_call *call, bool average,
                   const xc_pool_visitor *visitor);

#endif // XC_INTERPRETER_POOL_H
