//===- Image.c - image files as inputs ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"

#include "Interpreter/Kernel.h"
#include "Support/Diag.h"
#include "Support/Memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <jpeglib.h>
#include <png.h>

enum { MAX_SIDE = 1 << 15 };

/// Rows of pixels of 1 (grey) or 3 (red, green, blue) bytes.
typedef struct image {
  int64_t height, width, channels;
  unsigned char *pixels;
} image;

typedef bool (*decoder)(XcDiag *diag, const char *path, const xc_buffer *file,
                        image *result);

static bool allocate(XcDiag *diag, const char *path, image *result,
                     uint64_t height, uint64_t width) {
  if (height == 0 || width == 0 || height > MAX_SIDE || width > MAX_SIDE)
    return xc_file_error(diag, path, "the sides of an image are 1 to %d pixels",
                         MAX_SIDE);
  result->height = (int64_t)height;
  result->width = (int64_t)width;
  result->pixels =
      xc_alloc((size_t)(height * width) * (size_t)result->channels);
  return true;
}

//===----------------------------------------------------------------------===//
// PNG
//===----------------------------------------------------------------------===//

static bool decode_png(XcDiag *diag, const char *path, const xc_buffer *file,
                       image *result) {
  png_image png = {.version = PNG_IMAGE_VERSION};
  bool ok = png_image_begin_read_from_memory(&png, file->data, file->size);
  if (ok) {
    png.format = result->channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    const png_color black = {0, 0, 0};
    ok = allocate(diag, path, result, png.height, png.width);
    if (!ok) {
      png_image_free(&png);
      return false;
    }
    ok = png_image_finish_read(&png, &black, result->pixels, 0, NULL);
  }
  if (!ok)
    xc_file_error(diag, path, "malformed PNG file: %s", png.message);
  png_image_free(&png);
  return ok;
}

//===----------------------------------------------------------------------===//
// JPEG
//===----------------------------------------------------------------------===//

typedef struct jpeg_errors {
  struct jpeg_error_mgr manager; // first: libjpeg knows this part
  jmp_buf escape;
  char message[JMSG_LENGTH_MAX];
} jpeg_errors;

static void fail_jpeg(j_common_ptr jpeg) {
  jpeg_errors *errors = (jpeg_errors *)jpeg->err;
  jpeg->err->format_message(jpeg, errors->message);
  longjmp(errors->escape, 1);
}

static void ignore_jpeg(j_common_ptr jpeg, int level) {
  (void)jpeg;
  (void)level;
}

// What changes between setjmp and longjmp lies behind pointers.
static bool read_jpeg(XcDiag *diag, const char *path,
                      struct jpeg_decompress_struct *jpeg, image *result) {
  jpeg_read_header(jpeg, TRUE);
  jpeg->out_color_space = result->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_calc_output_dimensions(jpeg);
  if (!allocate(diag, path, result, jpeg->output_height, jpeg->output_width))
    return false;
  jpeg_start_decompress(jpeg);
  size_t row = (size_t)(result->width * result->channels);
  while (jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW line = result->pixels + jpeg->output_scanline * row;
    jpeg_read_scanlines(jpeg, &line, 1);
  }
  jpeg_finish_decompress(jpeg);
  return true;
}

static bool decode_jpeg(XcDiag *diag, const char *path, const xc_buffer *file,
                        image *result) {
  struct jpeg_decompress_struct jpeg;
  jpeg_errors errors;
  jpeg.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = fail_jpeg;
  errors.manager.emit_message = ignore_jpeg;
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&jpeg);
    return xc_file_error(diag, path, "malformed JPEG file: %s", errors.message);
  }
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, file->data, file->size);
  bool ok = read_jpeg(diag, path, &jpeg, result);
  jpeg_destroy_decompress(&jpeg);
  return ok;
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
    if (*number <= MAX_SIDE)
      *number = *number * 10 + (uint64_t)(file->data[*at] - '0');
  return *at > start;
}

static bool decode_ppm(XcDiag *diag, const char *path, const xc_buffer *file,
                       image *result) {
  uint64_t width, height, most;
  size_t at = 2;
  bool grey = file->size > 2 && memcmp(file->data, "P5", 2) == 0;
  bool color = file->size > 2 && memcmp(file->data, "P6", 2) == 0;
  if ((!grey && !color) || !read_number(file, &at, &width) ||
      !read_number(file, &at, &height) || !read_number(file, &at, &most) ||
      most != 255)
    return xc_file_error(diag, path,
                         "malformed PPM file: expected P5 or P6 with width, "
                         "height and 255");
  ++at; // one white space
  size_t each = grey ? 1 : 3;
  if (!allocate(diag, path, result, height, width))
    return false;
  size_t count = (size_t)(width * height);
  if (at > file->size || file->size - at < count * each)
    return xc_file_error(diag, path, "malformed PPM file: it ends early");
  if (grey == (result->channels == 1)) {
    memcpy(result->pixels, file->data + at, count * each);
    return true;
  }
  for (size_t i = 0; i < count; ++i) {
    const unsigned char *from = file->data + at + i * each;
    if (grey)
      memset(result->pixels + 3 * i, *from, 3);
    else // luma of ITU-R BT.601, as JPEG has it
      result->pixels[i] = (unsigned char)lround(
          0.299 * from[0] + 0.587 * from[1] + 0.114 * from[2]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The tensor
//===----------------------------------------------------------------------===//

static const struct {
  const char *suffix;
  decoder decode;
} formats[] = {
    {".png", decode_png}, {".jpg", decode_jpeg}, {".jpeg", decode_jpeg},
    {".ppm", decode_ppm}, {".pgm", decode_ppm},
};

static decoder find_decoder(const char *path) {
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); ++i) {
    size_t tail = strlen(formats[i].suffix);
    if (length > tail &&
        strcasecmp(path + length - tail, formats[i].suffix) == 0)
      return formats[i].decode;
  }
  return NULL;
}

bool is_image(const char *path) { return find_decoder(path); }

// "NUMBER" for all channels, or one for each.
static bool parse_numbers(const char *option, const char *text,
                          int64_t channels, double numbers[3]) {
  int64_t count = 0;
  for (const char *at = text; at; ++count) {
    char *end;
    double number = strtod(at, &end);
    if (end == at || (*end && *end != ',') || count == channels)
      return xc_tool_error("xc-run",
                           "--%s=%s: expected a number, or one for each "
                           "channel with commas",
                           option, text);
    numbers[count] = number;
    at = *end ? end + 1 : NULL;
  }
  for (int64_t i = 1; count == 1 && i < channels; ++i)
    numbers[i] = numbers[0];
  return count == 1 || count == channels ||
         xc_tool_error("xc-run", "--%s=%s: the image has %d channels", option,
                       text, (int)channels);
}

static double to_element(const XcTensorInfo *info, double value) {
  if (info->hasFixPoint)
    value = ldexp(value, info->fixPoint);
  // xc_set_real cuts off; numbers of images are rounded.
  return xc_element_is_float((xc_element)info->element) ? value : rint(value);
}

static void fill(const XcTensorInfo *info, const image *from,
                 const double mean[3], const double scale[3], void *data) {
  xc_tensor tensor = {model_shape(info), data};
  bool last = info->layout == XcLayoutNHWC;
  int64_t pixels = from->height * from->width;
  for (int64_t p = 0; p < pixels; ++p)
    for (int64_t c = 0; c < from->channels; ++c) {
      double value = from->pixels[p * from->channels + c];
      int64_t at = last ? p * from->channels + c : c * pixels + p;
      xc_set_real(&tensor, at, to_element(info, (value - mean[c]) * scale[c]));
    }
}

bool read_image(XcDiag *diag, const char *path, const XcTensorInfo *info,
                const run_model_options *options, void *data) {
  bool last = info->layout == XcLayoutNHWC;
  image found = {.channels = info->rank == 4 ? info->dims[last ? 3 : 1] : 0};
  if (info->rank != 4 || info->dims[0] != 1 ||
      (found.channels != 1 && found.channels != 3))
    return xc_file_error(diag, path,
                         "input '%s' is no single image of 1 or 3 channels",
                         info->name);
  double mean[3] = {0, 0, 0}, scale[3] = {1, 1, 1};
  xc_buffer file;
  if ((options->mean &&
       !parse_numbers("mean", options->mean, found.channels, mean)) ||
      (options->scale &&
       !parse_numbers("scale", options->scale, found.channels, scale)) ||
      !xc_read_file(diag, path, &file))
    return false;
  bool ok = find_decoder(path)(diag, path, &file, &found);
  int64_t height = info->dims[last ? 1 : 2], width = info->dims[last ? 2 : 3];
  if (ok && (found.height != height || found.width != width))
    ok = xc_file_error(diag, path,
                       "the image has %d x %d pixels (width x height), input "
                       "'%s' has %d x %d",
                       (int)found.width, (int)found.height, info->name,
                       (int)width, (int)height);
  if (ok)
    fill(info, &found, mean, scale, data);
  free(found.pixels);
  xc_buffer_free(&file);
  return ok;
}
