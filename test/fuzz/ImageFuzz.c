//===- ImageFuzz.c - fuzzes the readers of pictures -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: a byte that says to what size the picture is brought and how many
// channels it gets, then a PNG, JPEG or PPM file. It is refused with one error,
// or all its pixels can be read in the size that was asked for.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Samples/Image.h"

/// Large pictures are for other tests: they take all the time.
enum { MOST_PIXELS = 1 << 16 };

static void resize(xc_image *image, unsigned how) {
  const xc_size to = {1 + (how >> 1) % 16, 1 + (how >> 5) * 3};
  xc_image_resize(image, to);
  xc_fuzz_require(image->size.height == to.height &&
                  image->size.width == to.width);
  xc_image_pad(image, (xc_size){to.height + 1, to.width + 2}, 114);
  xc_image_crop(image, (xc_size){to.height, 1});
  xc_fuzz_require(image->size.width == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  XcDiag diag = xc_fuzz_silent_diag();
  int64_t channels = data[0] & 1 ? 3 : 1;
  const xc_buffer file = {(unsigned char *)(uintptr_t)(data + 1), size - 1};
  xc_image image;
  bool ok = xc_image_decode(&diag, "input", &file, channels, &image);
  xc_fuzz_require(diag.numErrors == !ok);
  if (ok) {
    xc_fuzz_require(image.channels == channels);
    if (image.size.height * image.size.width <= MOST_PIXELS)
      resize(&image, data[0]);
    unsigned sum = 0;
    for (int64_t i = 0; i < image.size.height * image.size.width * channels;
         ++i)
      sum += image.pixels[i];
    xc_fuzz_require(sum < UINT32_MAX);
    xc_image_free(&image);
  }
  return 0;
}
