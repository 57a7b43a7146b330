//===- Window.h - what a window takes of the image banks ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CONV and ALU name the rows of a window by the addresses of bands: a band is
// the rows that lie at one address of all banks of a group, `stride` of them in
// each bank (CodeGen/Plan/TilePlan.h). The partition and the code generator
// judge windows by the same formulas, so that one takes what the other places.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_WINDOW_H
#define XC_TARGET_DPU_WINDOW_H

#include "xc-c/DPUTarget.h"

enum {
  /// Addresses of bands in one CONV or ALU.
  XC_MAX_BANDS = 4,
};

/// Bands that so many rows take at most when they begin with a bank.
static inline int64_t xc_window_bands(const XcDpuTarget *target, int64_t rows,
                                      int64_t stride) {
  int64_t band_rows = stride * target->pixelParallel;
  return (rows + band_rows - 1) / band_rows;
}

/// Returns the number of rows of a bank in a band, where windows are `stride`
/// rows apart. Where there is one row of results only, the stride is free: it
/// is the least at which a single window of a tall kernel fits the bands.
static inline int64_t xc_window_band_stride(const XcDpuTarget *target,
                                            int64_t kernel_h, int64_t stride,
                                            int64_t output_rows) {
  return output_rows == 1 ? xc_window_bands(target, kernel_h, XC_MAX_BANDS)
                          : stride;
}

/// Returns the number of words of the least part of a row that a window needs,
/// of pixels of `groups` words: the columns of a kernel that is wider than the
/// input are not there.
static inline int64_t xc_window_row_words(int64_t kernel_w, int64_t width,
                                          int64_t groups) {
  return (kernel_w < width ? kernel_w : width) * groups;
}

/// Returns the number of words of a bank that the bands of a window take, whose
/// rows take `row_words` words each.
static inline int64_t xc_window_words(const XcDpuTarget *target,
                                      int64_t kernel_h, int64_t stride,
                                      int64_t row_words) {
  return row_words * stride * xc_window_bands(target, kernel_h, stride);
}

/// Returns the number of words from row to row of a bank that CONV can express,
/// where there are several in a band; INT32_MAX when the target's instructions
/// are not known.
int32_t xc_window_max_row_step(const XcDpuTarget *target);

#endif // XC_TARGET_DPU_WINDOW_H
