//===- Picture.c - pictures as inputs of models ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Picture.h"

#include "Interpreter/Kernel.h"
#include "Support/Diag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Inputs that take pictures
//===----------------------------------------------------------------------===//

static bool may_be_channels(int64_t size) {
  return size == 1 || size == 3 || size == 4;
}

bool xc_picture_of(const xc_sample_input *input, const xc_preprocess *how,
                   xc_picture *picture) {
  *picture = (xc_picture){.channels = 0};
  const int64_t *dims = input->shape.dims;
  size_t rank = input->shape.rank;
  if (rank == 4 && dims[0] == 1) {
    ++dims;
    --rank;
  }
  if (rank != 3)
    return false;
  bool last = may_be_channels(dims[2]) || !may_be_channels(dims[0]);
  if (how->layout != XC_LAYOUT_OPEN)
    last = how->layout == XC_LAYOUT_NHWC;
  *picture = (xc_picture){.size = {dims[last ? 0 : 1], dims[last ? 1 : 2]},
                          .channels = dims[last ? 2 : 0],
                          .channels_last = last};
  return picture->channels == 1 || picture->channels == XC_MAX_CHANNELS;
}

static bool check_numbers(XcDiag *diag, const char *path, const char *option,
                          const xc_channel_numbers *numbers, int64_t channels) {
  return numbers->count <= 1 || numbers->count == (size_t)channels ||
         xc_file_error(
             diag, path, "--%s has %zu numbers, the input has %d channel%s",
             option, numbers->count, (int)channels, channels == 1 ? "" : "s");
}

// Returns the layout in which the input would be a picture, or null: some
// formats say one for all of their files.
static const char *other_layout(const xc_sample_input *input,
                                const xc_preprocess *how) {
  xc_preprocess other = *how;
  xc_picture picture;
  other.layout = XC_LAYOUT_NHWC;
  if (xc_picture_of(input, &other, &picture))
    return "nhwc";
  other.layout = XC_LAYOUT_NCHW;
  return xc_picture_of(input, &other, &picture) ? "nchw" : NULL;
}

static bool no_picture_error(XcDiag *diag, const char *path,
                             const xc_sample_input *input,
                             const xc_preprocess *how) {
  const char *layout = other_layout(input, how);
  xc_sample_input one = *input;
  one.shape.dims[0] = 1;
  xc_picture picture;
  bool is_batch = input->shape.rank == 4 && input->shape.dims[0] != 1 &&
                  xc_picture_of(&one, how, &picture);
  return xc_file_error(
      diag, path, "input '%s' is not a single image of 1 or 3 channels%s%s",
      input->name,
      layout     ? "; it is with --layout="
      : is_batch ? "; --input-shape gives a model a batch of 1"
                 : "",
      layout ? layout : "");
}

bool xc_picture_check(XcDiag *diag, const char *path,
                      const xc_sample_input *input, const xc_preprocess *how,
                      xc_picture *picture) {
  if (!xc_picture_of(input, how, picture))
    return no_picture_error(diag, path, input, how);
  return check_numbers(diag, path, "mean", &how->mean, picture->channels) &&
         check_numbers(diag, path, "scale", &how->scale, picture->channels);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static int64_t at_least_one(int64_t side) { return side < 1 ? 1 : side; }

static xc_size shorter_side(xc_size from, int64_t side) {
  if (from.height <= from.width)
    return (xc_size){side, side * from.width / from.height};
  return (xc_size){side * from.height / from.width, side};
}

/// As large as fits into `room`; the longer side fills it.
static xc_size fit(xc_size from, xc_size room) {
  if (from.height * room.width >= from.width * room.height)
    return (xc_size){room.height,
                     at_least_one((from.width * room.height + from.height / 2) /
                                  from.height)};
  return (xc_size){
      at_least_one((from.height * room.width + from.width / 2) / from.width),
      room.width};
}

static bool resize(XcDiag *diag, const char *path, const xc_preprocess *how,
                   xc_size room, xc_image *image) {
  enum { GREY = 114 }; // what the YOLO family is trained with
  xc_size to = how->resize_to;
  switch (how->resize) {
  case XC_RESIZE_NONE:
    return true;
  case XC_RESIZE_SHORTER:
    to = shorter_side(image->size, how->resize_to.height);
    break;
  case XC_RESIZE_EXACT:
    break;
  case XC_RESIZE_LETTERBOX:
    xc_image_resize(image, fit(image->size, room));
    xc_image_pad(image, room, GREY);
    return true;
  }
  if (to.height > XC_MAX_SIDE || to.width > XC_MAX_SIDE ||
      to.height * to.width > XC_MAX_PIXELS)
    return xc_file_error(diag, path,
                         "resized the image would have %lld x %lld pixels "
                         "(width x height)",
                         (long long)to.width, (long long)to.height);
  xc_image_resize(image, to);
  return true;
}

static bool crop(XcDiag *diag, const char *path, const xc_preprocess *how,
                 xc_image *image) {
  if (!how->crop.height)
    return true;
  if (image->size.height < how->crop.height ||
      image->size.width < how->crop.width)
    return xc_file_error(diag, path,
                         "the image has %d x %d pixels (width x height) when "
                         "it is cut, --crop takes %d x %d out",
                         (int)image->size.width, (int)image->size.height,
                         (int)how->crop.width, (int)how->crop.height);
  xc_image_crop(image, how->crop);
  return true;
}

//===----------------------------------------------------------------------===//
// The tensor
//===----------------------------------------------------------------------===//

static double to_element(const xc_sample_input *input, double value) {
  if (input->has_fix_point)
    value = ldexp(value, input->fix_point);
  // xc_set_real cuts off; numbers of images are rounded.
  return xc_element_is_float(input->shape.element) ? value : rint(value);
}

/// Fills a table with the number of each value of a pixel in one channel of the
/// input.
static void make_table(const xc_sample_input *input, const xc_preprocess *how,
                       size_t channel, void *elements) {
  xc_tensor table = {.shape = input->shape, .data = elements};
  double mean = xc_channel_number(&how->mean, channel, 0);
  double scale = xc_channel_number(&how->scale, channel, 1);
  for (int pixel = 0; pixel < 256; ++pixel)
    xc_set_real(&table, pixel, to_element(input, (pixel - mean) * scale));
}

static void fill(const xc_sample_input *input, const xc_preprocess *how,
                 const xc_picture *picture, const xc_image *image,
                 unsigned char *data) {
  enum { MAX_ELEMENT = 8 };
  unsigned char table[256 * MAX_ELEMENT];
  size_t each = xc_element_size(input->shape.element);
  int64_t pixels = image->size.height * image->size.width;
  bool swapped = how->channels == XC_CHANNELS_BGR;
  for (int64_t c = 0; c < picture->channels; ++c) {
    int64_t source = swapped ? picture->channels - 1 - c : c;
    make_table(input, how, (size_t)c, table);
    for (int64_t p = 0; p < pixels; ++p) {
      int64_t at =
          picture->channels_last ? p * picture->channels + c : c * pixels + p;
      memcpy(data + (size_t)at * each,
             table + image->pixels[p * image->channels + source] * each, each);
    }
  }
}

bool xc_picture_fill(XcDiag *diag, const char *path,
                     const xc_sample_input *input, const xc_preprocess *how,
                     xc_image *image, void *data) {
  xc_picture picture;
  bool ok = xc_picture_check(diag, path, input, how, &picture) &&
            resize(diag, path, how, picture.size, image) &&
            crop(diag, path, how, image);
  bool fits = ok && image->size.height == picture.size.height &&
              image->size.width == picture.size.width;
  if (ok && !fits)
    xc_file_error(diag, path,
                  "the image has %d x %d pixels (width x height), input '%s' "
                  "has %d x %d%s",
                  (int)image->size.width, (int)image->size.height, input->name,
                  (int)picture.size.width, (int)picture.size.height,
                  how->resize == XC_RESIZE_NONE && !how->crop.height
                      ? "; --resize and --crop change it"
                      : " after --resize and --crop");
  if (fits)
    fill(input, how, &picture, image, data);
  xc_image_free(image);
  return fits;
}

bool xc_picture_read(XcDiag *diag, const char *path,
                     const xc_sample_input *input, const xc_preprocess *how,
                     void *data) {
  xc_picture picture;
  xc_buffer file;
  if (!xc_picture_check(diag, path, input, how, &picture) ||
      !xc_read_file(diag, path, &file))
    return false;
  xc_image image;
  bool ok = xc_image_decode(diag, path, &file, picture.channels, &image);
  xc_buffer_free(&file);
  return ok && xc_picture_fill(diag, path, input, how, &image, data);
}
