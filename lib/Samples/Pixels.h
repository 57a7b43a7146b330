//===- Pixels.h - pictures in arrays of bytes ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array of bytes for an input that is not of bytes holds pictures. With N
// pictures, height H, width W and C channels, which are 1 or 3, its shape is
//
//   HxW                      one grey picture
//   HxWxC, CxHxW             one picture
//   NxHxW                    grey pictures, for an input of one channel
//   NxHxWxC, NxCxHxW         pictures
//
// The last dimension counts channels if it can. Of two readings of four
// dimensions the one that has the size of the input is taken.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SAMPLES_PIXELS_H
#define XC_SAMPLES_PIXELS_H

#include "Picture.h"

#include "Support/Npy.h"

/// Pictures of one size, one after the other.
typedef struct xc_pixels {
  size_t count;
  xc_size size;
  int64_t channels; // 1 or 3
  bool planes;      // channels before height
  size_t bytes;     // of each
} xc_pixels;

/// Whether the array's elements are pixels for the input.
bool xc_pixels_are_in(const xc_npy *npy, const xc_sample_input *input);

/// Finds the pictures that the array holds. Returns false after a diagnostic,
/// also where the input takes none.
bool xc_pixels_of(XcDiag *diag, const char *path, const xc_npy *npy,
                  const xc_sample_input *input, const xc_preprocess *how,
                  xc_pixels *pixels);

/// Fills `data`, the memory of the input, with the picture whose bytes begin at
/// `from`.
bool xc_pixels_fill(XcDiag *diag, const char *path, const xc_pixels *pixels,
                    const unsigned char *from, const xc_sample_input *input,
                    const xc_preprocess *how, void *data);

#endif // XC_SAMPLES_PIXELS_H
