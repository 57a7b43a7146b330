//===- Window.h - windows that move over H and W ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_OPPARAMS_WINDOW_H
#define XC_OPPARAMS_WINDOW_H

#include "Support/Memory.h"
#include "dialects/Adaptor.h"

/// Which convolution an operator is; false for pools.
bool xc_is_depthwise(const xc_adaptor *op);
bool xc_is_transposed(const xc_adaptor *op);
/// Groups of channels: 1 for depthwise convolutions, whose weights say all.
int64_t xc_group_of(const xc_adaptor *op);

/// The window of a convolution or pool along one axis.
typedef struct xc_window_axis {
  int64_t inputs, outputs; // sizes of the tensors
  int64_t kernel, stride, dilation;
  int64_t before, after; // padding, that of SAME computed
} xc_window_axis;

typedef struct xc_window {
  xc_window_axis h, w;
} xc_window;

/// With `global` the kernel is the whole input at stride 1.
xc_window xc_window_of(const xc_adaptor *op);
/// Returns the number of elements from the first tap to the last.
int64_t xc_window_span(const xc_window_axis *axis);

/// A window visits, for each output position and tap along one axis, an input
/// position or nothing. Tables of these positions are all that distinguishes
/// convolution, transposed convolution and pooling: `source[o * taps + k]` is
/// the input position that tap k of output position o reads; XC_TAP_PAD: in
/// the border that padding adds; XC_TAP_BEYOND: outside that.
typedef struct xc_axis_taps {
  int64_t outputs, taps;
  int64_t *source;
} xc_axis_taps;

enum { XC_TAP_PAD = -1, XC_TAP_BEYOND = -2 };

typedef struct xc_taps {
  xc_axis_taps h, w;
} xc_taps;

/// Returns the tables of an operator, in the arena.
xc_taps xc_taps_of(const xc_adaptor *op, xc_arena *arena);
/// Taps of output position `o` inside the input, and where asked for, in the
/// padding and beyond: what an average along one axis divides by.
int64_t xc_taps_count(const xc_axis_taps *axis, int64_t o, bool pad,
                      bool beyond);

/// Whether all taps of all windows meet the input.
bool xc_window_reads_input_only(const xc_adaptor *op);

#endif // XC_OPPARAMS_WINDOW_H
