//===- PixelRange.h - what numbers an input gets of pictures ------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network that gets pixels of another range than in its training is worth
// nothing, and neither calibration nor comparisons with itself show that: so
// what pixels become is said wherever pictures are read.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SAMPLES_PIXELRANGE_H
#define XC_SAMPLES_PIXELRANGE_H

#include "Picture.h"

/// The numbers that pixels of 0 to 255 become, over all channels.
typedef struct xc_pixel_range {
  double low, high;
} xc_pixel_range;

xc_pixel_range xc_pixel_range_of(const xc_preprocess *how);

/// Whether the user said that pixels are to stay from 0 to 255, but for a mean.
bool xc_pixel_range_is_said(const xc_preprocess *how);

/// Appends "input 'image': pictures of 0 to 255 as -1 to 0.992 (--mean=127.5
/// --scale=0.00784)".
void xc_pixel_range_print(const xc_sample_input *input,
                          const xc_preprocess *how, xc_text *text);

/// Appends what is odd about it, such that no network is trained so, and what
/// the user may have meant. Returns false where nothing is.
bool xc_pixel_range_judge(const xc_sample_input *input,
                          const xc_preprocess *how, xc_text *text);

#endif // XC_SAMPLES_PIXELRANGE_H
