//===- Reshape.c - pixels in other rows and columns -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reshape.h"

#include "LayerKind.h"

static bool is_pixel_by_pixel(const XcDpuLayer *layer) {
  return layer->kind == XcDpuLayerKindConv && layer->columns <= 1 &&
         layer->kernelH == 1 && layer->kernelW == 1 && layer->strideH == 1 &&
         layer->strideW == 1 && layer->padTop == 0 && layer->padLeft == 0;
}

/// Whether an image has these rows and columns, without gaps between rows.
static bool has_pixels(const XcDpuImage *image, const XcDpuImage *of) {
  return image->height == of->height && image->width == of->width &&
         (image->height == 1 ||
          image->rowPitch == (uint32_t)image->width * image->pixelPitch);
}

static bool have_same_pixels(const XcDpuLayer *layer) {
  bool ok = has_pixels(&layer->output, &layer->output);
  for (size_t k = 0; k < layer->numInputs; ++k)
    ok &= has_pixels(&layer->inputs[k], &layer->output);
  return ok;
}

static bool can_reshape(const XcDpuLayer *layer) {
  return is_pixel_by_pixel(layer) && have_same_pixels(layer);
}

static bool adds_pixels(const XcDpuLayer *layer) {
  return (layer->kind == XcDpuLayerKindAdd ||
          layer->kind == XcDpuLayerKindMul) &&
         have_same_pixels(layer);
}

/// Returns the width with which the engine takes the least time, of those with
/// which the banks hold two bands, one to read and one to load; 0: there is
/// none.
static int32_t best_width(const XcDpuTarget *target, int64_t pixels,
                          int32_t words) {
  int64_t lanes = target->pixelParallel, least = INT64_MAX;
  int32_t best = 0;
  int32_t most =
      xc_minimum(target->image.depth / (2 * words), xc_max_length(target));
  for (int32_t width = most; width > 0; --width) {
    if (pixels % width != 0)
      continue;
    int64_t blocks = (pixels / width + lanes - 1) / lanes;
    int64_t cycles =
        blocks * (target->timing.convStart + (int64_t)width * words);
    if (cycles >= least)
      continue;
    least = cycles;
    best = width;
  }
  return best;
}

static void reshape(XcDpuImage *image, int32_t height, int32_t width) {
  image->height = height;
  image->width = width;
  image->rowPitch = (uint32_t)width * image->pixelPitch;
}

static void reshape_layer(XcDpuLayer *layer, int32_t height, int32_t width) {
  reshape(&layer->output, height, width);
  for (size_t k = 0; k < layer->numInputs; ++k)
    reshape(&layer->inputs[k], height, width);
}

bool xc_reshape_long_rows(const XcDpuTarget *target, XcDpuLayer *layer) {
  const XcDpuImage *out = &layer->output;
  if (!can_reshape(layer))
    return false;
  int32_t words = xc_words_of(target, layer->inputs[0].channels);
  if ((int64_t)out->width * words <= target->image.depth)
    return false;
  int64_t pixels = (int64_t)out->height * out->width;
  int32_t width = best_width(target, pixels, words);
  if (width == 0)
    return false;
  reshape_layer(layer, (int32_t)(pixels / width), width);
  return true;
}

/// Rows of a few pixels of a signal are not worth a transfer each.
enum { SHORTEST_ROW = 16 };

/// Returns the width of rows of a signal with which the lanes have the fewest
/// pixels. It depends on the number of pixels only, so that layers which read
/// each other have the same width.
static int32_t signal_width(const XcDpuTarget *target, int32_t pixels) {
  int32_t lanes = target->pixelParallel, best = pixels, least = pixels;
  for (int32_t width = SHORTEST_ROW; width <= pixels / 2; ++width) {
    int32_t each = xc_ceil_div(pixels / width, lanes) * width;
    if (pixels % width != 0 || each >= least)
      continue;
    least = each;
    best = width;
  }
  return best;
}

/// Whether the windows of a signal, which may have rows already, do not
/// overlap.
static bool takes_blocks(const XcDpuLayer *layer) {
  const XcDpuImage *out = &layer->output, *in = &layer->inputs[0];
  XcDpuImage used = *in;
  used.width = out->width * layer->strideW;
  used.height = out->height;
  return xc_layer_kind_of(layer)->has_window && layer->numInputs == 1 &&
         layer->columns <= 1 && layer->kernelH == 1 && layer->strideH == 1 &&
         layer->padLeft == 0 && layer->strideW > 1 &&
         layer->kernelW <= layer->strideW && has_pixels(out, out) &&
         (in->height == 1 ? out->height == 1 && in->width >= used.width
                          : has_pixels(in, &used));
}

static void reshape_blocks(XcDpuLayer *layer, int32_t height, int32_t width) {
  reshape(&layer->output, height, width);
  reshape(&layer->inputs[0], height, width * layer->strideW);
}

bool xc_reshape_signal(const XcDpuTarget *target, XcDpuLayer *layer) {
  const XcDpuImage *out = &layer->output;
  int32_t pixels = out->width, width = signal_width(target, pixels);
  if (out->height > 1)
    return false;
  if (can_reshape(layer) || adds_pixels(layer))
    reshape_layer(layer, pixels / width, width);
  else if (takes_blocks(layer))
    reshape_blocks(layer, pixels / width, width);
  return out->height > 1;
}

bool xc_reshape_blocks(const XcDpuTarget *target, xc_unit *unit) {
  xc_unit best = *unit;
  if (!takes_blocks(&unit->layer))
    return false;
  int32_t pixels = unit->layer.output.height * unit->layer.output.width;
  for (int32_t width = SHORTEST_ROW; width <= pixels; ++width) {
    xc_unit other = *unit;
    if (pixels % width != 0)
      continue;
    reshape_blocks(&other.layer, pixels / width, width);
    if (xc_plan_unit(target, &other) &&
        xc_unit_cycles(&other) < xc_unit_cycles(&best))
      best = other;
  }
  bool is_better = xc_unit_cycles(&best) < xc_unit_cycles(unit);
  *unit = best;
  return is_better;
}

bool xc_can_reshape_unit(const xc_unit *unit) {
  return unit->plan.augmentation.channels == 0 && can_reshape(&unit->layer);
}

int32_t xc_unit_pixels(const xc_unit *unit) {
  const XcDpuImage *out = &unit->layer.output;
  return out->height * out->width - unit->layout.row_overlap;
}

void xc_reshape_unit(xc_unit *unit, int32_t width) {
  int32_t pixels = xc_unit_pixels(unit);
  int32_t height = xc_ceil_div(pixels, width);
  reshape_layer(&unit->layer, height, width);
  unit->layout.row_overlap = height * width - pixels;
  unit->layout.is_whole |= unit->layout.row_overlap > 0;
}

//===----------------------------------------------------------------------===//
// Fuller pixels
//===----------------------------------------------------------------------===//

/// Rows, columns and channels.
typedef struct extents {
  int32_t height, width, channels;
} extents;

static bool is_one_pixel(const XcDpuImage *image) {
  return image->height == 1 && image->width == 1;
}

/// Whether the layer takes its pixels one by one, from images in which they
/// follow each other, or from one pixel for all.
static bool is_elementwise(const xc_unit *unit) {
  const XcDpuLayer *layer = &unit->layer;
  bool ok = unit->kind->broadcasts || unit->kind->scales;
  ok &= layer->scaleH == 1 && layer->scaleW == 1 &&
        !is_one_pixel(&layer->output) &&
        has_pixels(&layer->output, &layer->output);
  for (size_t k = 0; k < layer->numInputs; ++k)
    ok &= is_one_pixel(&layer->inputs[k]) ||
          has_pixels(&layer->inputs[k], &layer->output);
  return ok;
}

/// Whether there is nothing between its pixels.
static bool is_dense(const XcDpuImage *image) {
  return image->pixelPitch == (uint32_t)image->channels && !is_one_pixel(image);
}

static bool is_all_dense(const XcDpuLayer *layer) {
  bool ok = is_dense(&layer->output);
  for (size_t k = 0; k < layer->numInputs; ++k)
    ok &= is_dense(&layer->inputs[k]);
  return ok;
}

/// Of the pixels into which so many elements can be divided, those that take
/// the fewest words.
static int32_t best_channels(const XcDpuTarget *target, int64_t elements,
                             int32_t channels) {
  int32_t best = channels, most = target->elementwiseMaxGroups;
  most = xc_minimum(most * target->channelParallel,
                    XC_DPU_FIELD_MAX(target, Save, channel));
  int64_t least = elements / channels * xc_words_of(target, channels);
  for (int32_t c = channels + 1; c <= most && c <= elements; ++c) {
    if (elements % c != 0 || elements / c * xc_words_of(target, c) >= least)
      continue;
    least = elements / c * xc_words_of(target, c);
    best = c;
  }
  return best;
}

static void set_extents(XcDpuImage *image, const extents *now) {
  if (is_one_pixel(image))
    return;
  if (image->channels != now->channels)
    image->pixelPitch = (uint32_t)now->channels;
  image->channels = now->channels;
  reshape(image, now->height, now->width);
}

/// Takes pixels that lie below each other as a row, which one LOAD brings.
static void lay_column(XcDpuImage *image) {
  if (image->width > 1 || image->height == 1)
    return;
  image->pixelPitch = image->rowPitch;
  image->width = image->height;
  image->height = 1;
}

static void lay_columns(XcDpuLayer *layer) {
  if (layer->output.width > 1)
    return;
  lay_column(&layer->output);
  for (size_t k = 0; k < layer->numInputs; ++k)
    lay_column(&layer->inputs[k]);
}

bool xc_flatten_unit(const XcDpuTarget *target, xc_unit *unit, int32_t times) {
  enum { MAX_ROWS = 16 };
  xc_unit row = *unit;
  lay_columns(&row.layer);
  if (!is_elementwise(&row))
    return false;
  const XcDpuImage *out = &row.layer.output;
  extents now = {.channels = out->channels};
  int64_t elements = (int64_t)out->height * out->width * out->channels;
  if (is_all_dense(&row.layer))
    now.channels = best_channels(target, elements, out->channels);
  int32_t pixels = (int32_t)(elements / now.channels);
  xc_unit best = *unit;
  for (now.height = 1; now.height <= MAX_ROWS; ++now.height) {
    if (pixels % now.height != 0)
      continue;
    now.width = pixels / now.height;
    xc_unit other = row;
    set_extents(&other.layer.output, &now);
    for (size_t k = 0; k < other.layer.numInputs; ++k)
      set_extents(&other.layer.inputs[k], &now);
    if (xc_plan_unit(target, &other) &&
        xc_unit_cycles(&other) < xc_unit_cycles(&best))
      best = other;
  }
  bool is_better = times * xc_unit_cycles(&best) < xc_unit_cycles(unit);
  if (is_better)
    *unit = best;
  return is_better;
}
