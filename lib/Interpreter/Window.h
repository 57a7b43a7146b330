//===- Window.h - windows that move over H and W ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window visits, for each output position and tap along one axis, an input
// position or nothing. Tables of these positions are all that distinguishes
// convolution, transposed convolution and pooling.
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_WINDOW_H
#define XC_INTERPRETER_WINDOW_H

#include "Kernel.h"

/// One axis: `source[o * taps + k]` is the input position that tap k of output
/// position o reads; XC_TAP_PAD: in the border that padding adds;
/// XC_TAP_BEYOND: outside that.
typedef struct xc_window_axis {
  int64_t outputs, taps;
  int64_t *source;
} xc_window_axis;

enum { XC_TAP_PAD = -1, XC_TAP_BEYOND = -2 };

typedef struct xc_window {
  xc_window_axis h, w;
} xc_window;

/// The window of a convolution or pool, by its attributes and shapes.
xc_window xc_window_forward(xc_kernel_call *call);
/// The window of a transposed convolution.
xc_window xc_window_transposed(xc_kernel_call *call);

#endif // XC_INTERPRETER_WINDOW_H
