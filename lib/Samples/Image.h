//===- Image.h - image files and what is done to pixels -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SAMPLES_IMAGE_H
#define XC_SAMPLES_IMAGE_H

#include "Support/File.h"
#include "Support/Preprocess.h"

/// Rows of pixels of 1 (grey) or 3 (red, green, blue) bytes.
typedef struct xc_image {
  xc_size size;
  int64_t channels;
  unsigned char *pixels; // owned
} xc_image;

/// Whether the name is that of an image file: .png, .jpg, .jpeg, .ppm, .pgm.
bool xc_image_has_name(const char *path);

/// Decodes PNG, JPEG, PPM or PGM, which the first bytes tell, to as many
/// channels as `channels` (1 or 3) says. Returns false after a diagnostic.
bool xc_image_decode(XcDiag *diag, const char *path, const xc_buffer *file,
                     int64_t channels, xc_image *image);

/// Returns the pixels of `channels` bytes as an image of `wanted` channels.
xc_image xc_image_from_pixels(const unsigned char *pixels, xc_size size,
                              int64_t channels, int64_t wanted);

/// Bilinear; where it shrinks each pixel is the weighted mean of all that it
/// covers. In integers: the same bytes on every machine, those of Pillow's
/// resize with BILINEAR.
void xc_image_resize(xc_image *image, xc_size to);

/// Cuts a part out of the middle, which must be no larger.
void xc_image_crop(xc_image *image, xc_size to);

/// Puts the image into the middle of a larger one of one grey.
void xc_image_pad(xc_image *image, xc_size to, unsigned char grey);

void xc_image_free(xc_image *image);

#endif // XC_SAMPLES_IMAGE_H
