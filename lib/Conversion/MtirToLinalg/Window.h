//===- Window.h - the taps of convolutions and pools --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The positions that taps read are tables, which become constants: one loop
// serves all strides, dilations, paddings and transposed forms.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_WINDOW_H
#define XC_CONVERSION_MTIRTOLINALG_WINDOW_H

#include "Lowering.h"

#include "OpParams/Window.h"

/// A window with its tables in the function.
typedef struct xc_tap_window {
  int64_t h_taps, w_taps;
  MlirValue h, w; // [outputs, taps] of i32; negative: outside of the input
} xc_tap_window;

xc_tap_window xc_tap_window_create(xc_lowering *l, const xc_taps *taps);

/// One tap inside the input; all positions are of type index.
typedef struct xc_tap {
  MlirValue ky, kx, row, column;
} xc_tap;

/// Loops over the taps of output position (y, x) = `at` in row-major order.
/// `body` writes what one tap does: it replaces the carried `values` by new
/// ones.
void xc_linalg_taps(xc_lowering *l, const xc_tap_window *window,
                    const MlirValue at[2], MlirValue *values, size_t count,
                    void (*body)(xc_lowering *l, const xc_tap *tap,
                                 MlirValue *values, void *state),
                    void *state);

#endif // XC_CONVERSION_MTIRTOLINALG_WINDOW_H
