//===- Image.c - image files and what is done to pixels -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Image.h"

#include "Decode.h"

#include "Support/Diag.h"
#include "Support/Memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void xc_image_free(xc_image *image) {
  free(image->pixels);
  *image = (xc_image){.pixels = NULL};
}

static int64_t count_pixels(const xc_image *image) {
  return image->size.height * image->size.width;
}

bool xc_image_allocate(XcDiag *diag, const char *path, uint64_t height,
                       uint64_t width, xc_image *image) {
  if (height == 0 || width == 0 || height > XC_MAX_SIDE || width > XC_MAX_SIDE)
    return xc_file_error(diag, path, "the sides of an image are 1 to %d pixels",
                         XC_MAX_SIDE);
  if (height * width > XC_MAX_PIXELS)
    return xc_file_error(diag, path,
                         "the image has %" PRIu64 " pixels, more than %d",
                         height * width, XC_MAX_PIXELS);
  image->size = (xc_size){(int64_t)height, (int64_t)width};
  image->pixels = xc_alloc((size_t)(height * width) * (size_t)image->channels);
  return true;
}

//===----------------------------------------------------------------------===//
// PPM, PGM
//===----------------------------------------------------------------------===//

// White space and comments in front of a number.
static bool read_number(const xc_buffer *file, size_t *at, uint64_t *number) {
  while (*at < file->size && (strchr(" \t\r\n#", file->data[*at]))) {
    if (file->data[*at] == '#')
      while (*at < file->size && file->data[*at] != '\n')
        ++*at;
    else if (file->data[(*at)++] == '\0')
      return false;
  }
  size_t start = *at;
  *number = 0;
  for (; *at < file->size && file->data[*at] >= '0' && file->data[*at] <= '9';
       ++*at)
    if (*number <= XC_MAX_SIDE)
      *number = *number * 10 + (uint64_t)(file->data[*at] - '0');
  return *at > start;
}

bool xc_image_decode_ppm(XcDiag *diag, const char *path, const xc_buffer *file,
                         xc_image *image) {
  uint64_t width, height, most;
  size_t at = 2;
  if (!read_number(file, &at, &width) || !read_number(file, &at, &height) ||
      !read_number(file, &at, &most) || most != 255)
    return xc_file_error(diag, path,
                         "malformed PPM file: expected P5 or P6 with width, "
                         "height and 255");
  ++at; // one white space
  image->channels = file->data[1] == '5' ? 1 : 3;
  if (!xc_image_allocate(diag, path, height, width, image))
    return false;
  size_t size = (size_t)(count_pixels(image) * image->channels);
  if (at > file->size || file->size - at < size)
    return xc_file_error(diag, path, "malformed PPM file: it ends early");
  memcpy(image->pixels, file->data + at, size);
  return true;
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

static const struct {
  const char *magic;
  bool (*decode)(XcDiag *diag, const char *path, const xc_buffer *file,
                 xc_image *image);
} formats[] = {
    {"\x89PNG", xc_image_decode_png},
    {"\xff\xd8\xff", xc_image_decode_jpeg},
    {"P5", xc_image_decode_ppm},
    {"P6", xc_image_decode_ppm},
};

bool xc_image_has_name(const char *path) {
  static const char *const suffixes[] = {".png", ".jpg", ".jpeg", ".ppm",
                                         ".pgm"};
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); ++i) {
    size_t tail = strlen(suffixes[i]);
    if (length > tail && strcasecmp(path + length - tail, suffixes[i]) == 0)
      return true;
  }
  return false;
}

/// Makes pixels grey (the luma of ITU-R BT.601) or grey ones coloured.
static void set_channels(xc_image *image, int64_t channels) {
  if (image->channels == channels)
    return;
  int64_t count = count_pixels(image);
  unsigned char *pixels = xc_alloc((size_t)(count * channels));
  for (int64_t i = 0; i < count; ++i) {
    const unsigned char *from = image->pixels + i * image->channels;
    if (channels == 3)
      memset(pixels + 3 * i, *from, 3);
    else // 0.299, 0.587 and 0.114 in 1/65536
      pixels[i] = (unsigned char)((19595u * from[0] + 38470u * from[1] +
                                   7471u * from[2] + 32768u) >>
                                  16);
  }
  free(image->pixels);
  image->pixels = pixels;
  image->channels = channels;
}

bool xc_image_decode(XcDiag *diag, const char *path, const xc_buffer *file,
                     int64_t channels, xc_image *image) {
  *image = (xc_image){.channels = channels};
  for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); ++i) {
    size_t length = strlen(formats[i].magic);
    if (file->size < length ||
        memcmp(file->data, formats[i].magic, length) != 0)
      continue;
    if (formats[i].decode(diag, path, file, image)) {
      set_channels(image, channels);
      return true;
    }
    xc_image_free(image);
    return false;
  }
  return xc_file_error(diag, path,
                       "the file is not a picture: its first bytes are none of "
                       "PNG, JPEG, PGM (P5) and PPM (P6)");
}

//===----------------------------------------------------------------------===//
// Channels, parts
//===----------------------------------------------------------------------===//

xc_image xc_image_from_pixels(const unsigned char *pixels, xc_size size,
                              int64_t channels, int64_t wanted) {
  xc_image image = {.size = size, .channels = channels};
  size_t bytes = (size_t)(count_pixels(&image) * channels);
  image.pixels = xc_alloc(bytes);
  memcpy(image.pixels, pixels, bytes);
  set_channels(&image, wanted);
  return image;
}

static void replace(xc_image *image, xc_size size, unsigned char *pixels) {
  free(image->pixels);
  image->pixels = pixels;
  image->size = size;
}

// Returns the margin on one side of the middle; half a pixel goes to the even
// side, as torchvision rounds it.
static int64_t margin(int64_t outer, int64_t inner) {
  int64_t half = (outer - inner) / 2;
  return half + ((outer - inner) % 2 && half % 2);
}

void xc_image_crop(xc_image *image, xc_size to) {
  int64_t top = margin(image->size.height, to.height);
  int64_t left = margin(image->size.width, to.width);
  size_t row = (size_t)(to.width * image->channels);
  unsigned char *pixels = xc_alloc((size_t)to.height * row);
  for (int64_t y = 0; y < to.height; ++y)
    memcpy(pixels + (size_t)y * row,
           image->pixels +
               ((top + y) * image->size.width + left) * image->channels,
           row);
  replace(image, to, pixels);
}

void xc_image_pad(xc_image *image, xc_size to, unsigned char grey) {
  int64_t top = (to.height - image->size.height) / 2;
  int64_t left = (to.width - image->size.width) / 2;
  size_t row = (size_t)(image->size.width * image->channels);
  size_t bytes = (size_t)(to.height * to.width * image->channels);
  unsigned char *pixels = xc_alloc(bytes);
  memset(pixels, grey, bytes);
  for (int64_t y = 0; y < image->size.height; ++y)
    memcpy(pixels + ((top + y) * to.width + left) * image->channels,
           image->pixels + (size_t)y * row, row);
  replace(image, to, pixels);
}
