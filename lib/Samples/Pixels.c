//===- Pixels.c - pictures in arrays of bytes -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pixels.h"

#include "Interpreter/Data.h"
#include "Support/Diag.h"
#include "Support/Memory.h"

#include <inttypes.h>
#include <stdlib.h>

/// Which dimensions of an array are height and channels; width follows height.
typedef struct pixel_order {
  size_t height;
  size_t channels; // the rank: there are none
} pixel_order;

bool xc_pixels_are_in(const xc_npy *npy, const xc_sample_input *input) {
  return npy->type.kind == 'u' && npy->type.size == 1 &&
         input->shape.element != XC_ELEMENT_UI8 &&
         input->shape.element != XC_ELEMENT_I1;
}

static bool may_be_channels(uint64_t size) {
  return size == 1 || size == XC_MAX_CHANNELS;
}

static bool has_size(const xc_npy *npy, size_t height, xc_size size) {
  return npy->shape[height] == (uint64_t)size.height &&
         npy->shape[height + 1] == (uint64_t)size.width;
}

static bool find_order(const xc_npy *npy, const xc_picture *picture,
                       pixel_order *order) {
  const uint64_t *shape = npy->shape;
  bool last = npy->rank > 0 && may_be_channels(shape[npy->rank - 1]);
  switch (npy->rank) {
  case 2:
    *order = (pixel_order){0, 2};
    return true;
  case 3:
    *order = last                     ? (pixel_order){0, 2}
             : picture->channels == 1 ? (pixel_order){1, 3}
                                      : (pixel_order){1, 0};
    return order->channels == 3 || may_be_channels(shape[order->channels]);
  case 4:
    if (last && may_be_channels(shape[1]))
      last =
          !has_size(npy, 2, picture->size) || has_size(npy, 1, picture->size);
    *order = last ? (pixel_order){1, 3} : (pixel_order){2, 1};
    return may_be_channels(shape[order->channels]);
  default:
    return false;
  }
}

static bool order_error(XcDiag *diag, const char *path, const xc_npy *npy,
                        const xc_picture *picture) {
  xc_text found = {0};
  xc_npy_print(npy, &found);
  xc_file_error(diag, path,
                "the array is %s, expected pictures: height x width%s, height "
                "x width x channels or channels x height x width, where "
                "channels is 1 or 3, or several of the last two along one more "
                "dimension in front",
                xc_text_str(&found),
                picture->channels == 1 ? ", images x height x width" : "");
  xc_text_free(&found);
  return false;
}

bool xc_pixels_of(XcDiag *diag, const char *path, const xc_npy *npy,
                  const xc_sample_input *input, const xc_preprocess *how,
                  xc_pixels *pixels) {
  xc_picture picture;
  pixel_order order;
  if (!xc_picture_check(diag, path, input, how, &picture))
    return false;
  if (npy->count == 0 || !find_order(npy, &picture, &order))
    return order_error(diag, path, npy, &picture);
  uint64_t height = npy->shape[order.height];
  uint64_t width = npy->shape[order.height + 1];
  if (height > XC_MAX_SIDE || width > XC_MAX_SIDE ||
      height * width > XC_MAX_PIXELS)
    return xc_file_error(diag, path,
                         "the pictures of the array have %" PRIu64 " x %" PRIu64
                         " pixels (width x height), expected "
                         "sides up to %d and %d pixels in all",
                         width, height, XC_MAX_SIDE, XC_MAX_PIXELS);
  bool grey = order.channels == npy->rank;
  *pixels = (xc_pixels){
      .size = {(int64_t)height, (int64_t)width},
      .channels = grey ? 1 : (int64_t)npy->shape[order.channels],
      .planes = order.channels < order.height,
  };
  pixels->bytes = (size_t)(height * width) * (size_t)pixels->channels;
  pixels->count = (size_t)npy->count / pixels->bytes;
  return true;
}

bool xc_pixels_fill(XcDiag *diag, const char *path, const xc_pixels *pixels,
                    const unsigned char *from, const xc_sample_input *input,
                    const xc_preprocess *how, void *data) {
  xc_picture picture;
  if (!xc_picture_check(diag, path, input, how, &picture))
    return false;
  unsigned char *turned = NULL;
  if (pixels->planes && pixels->channels > 1) {
    size_t channels = (size_t)pixels->channels;
    size_t each = pixels->bytes / channels;
    turned = xc_alloc(pixels->bytes);
    for (size_t c = 0; c < channels; ++c)
      for (size_t i = 0; i < each; ++i)
        turned[i * channels + c] = from[c * each + i];
    from = turned;
  }
  xc_image image = xc_image_from_pixels(from, pixels->size, pixels->channels,
                                        picture.channels);
  free(turned);
  return xc_picture_fill(diag, path, input, how, &image, data);
}
