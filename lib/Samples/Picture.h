//===- Picture.h - pictures as inputs of models -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SAMPLES_PICTURE_H
#define XC_SAMPLES_PICTURE_H

#include "Image.h"

#include "dialects/Adaptor.h"

/// An input of a model.
typedef struct xc_sample_input {
  const char *name; // or empty
  xc_shape shape;
  /// A stored integer times 2^-fix_point is the number.
  bool has_fix_point;
  int fix_point;
} xc_sample_input;

/// The size and order of pictures for an input.
typedef struct xc_picture {
  xc_size size;
  int64_t channels; // 1 or 3
  bool channels_last;
} xc_picture;

/// Returns false when no single picture fills the input. The options' layout
/// decides, else that one of the dimensions is 1, 3 or 4.
bool xc_picture_of(const xc_sample_input *input, const xc_preprocess *how,
                   xc_picture *picture);

/// The same with a diagnostic, also for options that do not fit the input.
bool xc_picture_check(XcDiag *diag, const char *path,
                      const xc_sample_input *input, const xc_preprocess *how,
                      xc_picture *picture);

/// Fills `data`, the memory of the input, with an image file.
bool xc_picture_read(XcDiag *diag, const char *path,
                     const xc_sample_input *input, const xc_preprocess *how,
                     void *data);

/// The same with pixels. `image` is freed.
bool xc_picture_fill(XcDiag *diag, const char *path,
                     const xc_sample_input *input, const xc_preprocess *how,
                     xc_image *image, void *data);

#endif // XC_SAMPLES_PICTURE_H
