//===- Decode.h - the decoders of image files ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A decoder sets image->channels to what the file has and calls
// xc_image_allocate before it writes pixels; what it allocated the caller
// frees, after an error too.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SAMPLES_DECODE_H
#define XC_SAMPLES_DECODE_H

#include "Image.h"

/// Reports sizes that no image for a network has.
bool xc_image_allocate(XcDiag *diag, const char *path, uint64_t height,
                       uint64_t width, xc_image *image);

bool xc_image_decode_png(XcDiag *diag, const char *path, const xc_buffer *file,
                         xc_image *image);
/// `image->channels` says what is wanted.
bool xc_image_decode_jpeg(XcDiag *diag, const char *path, const xc_buffer *file,
                          xc_image *image);
bool xc_image_decode_ppm(XcDiag *diag, const char *path, const xc_buffer *file,
                         xc_image *image);

#endif // XC_SAMPLES_DECODE_H
