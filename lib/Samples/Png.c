//===- Png.c - PNG files --------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers as the file has them, which is what networks are trained with: no
// gamma is corrected, alpha is left out, 16 bits are scaled to 8.
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "Support/Diag.h"
#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>

typedef struct png_input {
  const xc_buffer *file;
  size_t at;
  char message[128];
  png_bytep *rows;
} png_input;

static void fail_png(png_structp png, png_const_charp message) {
  png_input *input = png_get_error_ptr(png);
  size_t length = strlen(message), most = sizeof(input->message) - 1;
  length = length < most ? length : most;
  memcpy(input->message, message, length);
  input->message[length] = '\0';
  png_longjmp(png, 1);
}

static void ignore_png(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void read_bytes(png_structp png, png_bytep to, size_t count) {
  png_input *input = png_get_io_ptr(png);
  if (count > input->file->size - input->at)
    png_error(png, "the file ends early");
  memcpy(to, input->file->data + input->at, count);
  input->at += count;
}

static void set_transformations(png_structp png, png_infop info) {
  png_set_scale_16(png);
  png_set_palette_to_rgb(png);
  png_set_expand_gray_1_2_4_to_8(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

// Reads the file. Variables that change between setjmp and longjmp lie behind
// pointers.
static bool read_png(XcDiag *diag, const char *path, png_structp png,
                     png_infop info, xc_image *image) {
  png_input *input = png_get_io_ptr(png);
  png_read_info(png, info);
  set_transformations(png, info);
  image->channels = png_get_channels(png, info);
  if (png_get_bit_depth(png, info) != 8 ||
      (image->channels != 1 && image->channels != 3))
    png_error(png, "the pixels are of an unknown kind");
  size_t height = png_get_image_height(png, info);
  if (!xc_image_allocate(diag, path, height, png_get_image_width(png, info),
                         image))
    return false;
  size_t row = (size_t)(image->size.width * image->channels);
  input->rows = xc_alloc_array(height, sizeof(*input->rows));
  for (size_t y = 0; y < height; ++y)
    input->rows[y] = image->pixels + y * row;
  png_read_image(png, input->rows);
  png_read_end(png, NULL);
  return true;
}

static bool decode(XcDiag *diag, const char *path, png_structp png,
                   png_infop info, xc_image *image) {
  png_input *input = png_get_io_ptr(png);
  if (setjmp(png_jmpbuf(png)))
    return xc_file_error(diag, path, "malformed PNG file: %s", input->message);
  return read_png(diag, path, png, info, image);
}

bool xc_image_decode_png(XcDiag *diag, const char *path, const xc_buffer *file,
                         xc_image *image) {
  png_input input = {.file = file};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input,
                                           fail_png, ignore_png);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  bool ok;
  if (info) {
    png_set_read_fn(png, &input, read_bytes);
    png_set_user_limits(png, XC_MAX_SIDE, XC_MAX_SIDE);
    ok = decode(diag, path, png, info, image);
  } else {
    ok = xc_file_error(diag, path,
                       "libpng cannot be used: is it another "
                       "version than xc was built with?");
  }
  free(input.rows);
  png_destroy_read_struct(&png, &info, NULL);
  return ok;
}
