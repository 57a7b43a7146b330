//===- Resize.c - pictures of another size --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two passes, rows and then columns. A new pixel is a weighted sum of those of
// the old ones that a triangle around its place covers. The triangle is as wide
// as two old pixels, or two new ones where the picture shrinks. Weights have 22
// bits after the point, and sums are rounded to bytes after each pass.
//
//===----------------------------------------------------------------------===//

#include "Image.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>

enum { WEIGHT_BITS = 22 };

/// The weights of one new pixel.
typedef struct span {
  int64_t first, count; // old pixels
  const int32_t *weights;
} span;

static double triangle(double distance) {
  double from = fabs(distance);
  return from < 1 ? 1 - from : 0;
}

// `weights` has room for as many as can be.
static span weigh(int64_t from, int64_t to, int64_t place, double *reals,
                  int32_t *weights) {
  double step = (double)from / (double)to;
  double wide = step < 1 ? 1 : step;
  double centre = ((double)place + 0.5) * step;
  int64_t first = (int64_t)fmax(0, centre - wide + 0.5);
  int64_t end = (int64_t)fmin((double)from, centre + wide + 0.5);
  double sum = 0;
  for (int64_t i = first; i < end; ++i) {
    reals[i - first] = triangle(((double)i - centre + 0.5) / wide);
    sum += reals[i - first];
  }
  for (int64_t i = 0; i < end - first; ++i)
    weights[i] = (int32_t)(reals[i] / sum * (1 << WEIGHT_BITS) + 0.5);
  return (span){first, end - first, weights};
}

static span *make_spans(xc_arena *arena, int64_t from, int64_t to) {
  double step = (double)from / (double)to;
  size_t most = 2 * (size_t)ceil(step < 1 ? 1 : step) + 2;
  span *spans = xc_arena_alloc(arena, (size_t)to, sizeof(*spans));
  double *reals = xc_arena_alloc(arena, most, sizeof(*reals));
  for (int64_t i = 0; i < to; ++i)
    spans[i] =
        weigh(from, to, i, reals, xc_arena_alloc(arena, most, sizeof(int32_t)));
  return spans;
}

static unsigned char sum_of(const span *from, const unsigned char *pixel,
                            int64_t stride) {
  int64_t sum = INT64_C(1) << (WEIGHT_BITS - 1);
  for (int64_t i = 0; i < from->count; ++i)
    sum += (int64_t)from->weights[i] * pixel[(from->first + i) * stride];
  sum >>= WEIGHT_BITS;
  return (unsigned char)(sum > 255 ? 255 : sum);
}

static void resize_rows(xc_image *image, int64_t width) {
  xc_arena arena = {0};
  const span *spans = make_spans(&arena, image->size.width, width);
  int64_t channels = image->channels;
  unsigned char *pixels =
      xc_alloc((size_t)(image->size.height * width * channels));
  for (int64_t y = 0; y < image->size.height; ++y) {
    const unsigned char *row = image->pixels + y * image->size.width * channels;
    unsigned char *to = pixels + y * width * channels;
    for (int64_t x = 0; x < width; ++x)
      for (int64_t c = 0; c < channels; ++c)
        to[x * channels + c] = sum_of(&spans[x], row + c, channels);
  }
  free(image->pixels);
  image->pixels = pixels;
  image->size.width = width;
  xc_arena_free(&arena);
}

static void resize_columns(xc_image *image, int64_t height) {
  xc_arena arena = {0};
  const span *spans = make_spans(&arena, image->size.height, height);
  int64_t row = image->size.width * image->channels;
  unsigned char *pixels = xc_alloc((size_t)(height * row));
  for (int64_t y = 0; y < height; ++y)
    for (int64_t i = 0; i < row; ++i)
      pixels[y * row + i] = sum_of(&spans[y], image->pixels + i, row);
  free(image->pixels);
  image->pixels = pixels;
  image->size.height = height;
  xc_arena_free(&arena);
}

void xc_image_resize(xc_image *image, xc_size to) {
  if (to.width != image->size.width)
    resize_rows(image, to.width);
  if (to.height != image->size.height)
    resize_columns(image, to.height);
}
