//===- LowerShape.c - blocks, transposes and argmax become layers ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LOAD and SAVE step over pixels and rows by any distance. Operators that move
// whole runs of channels are therefore copies between images with different
// pitches.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Blocks of space and channels
//===----------------------------------------------------------------------===//

/// Pixel (y * scale + dy, x * scale + dx) of the large image is part
/// dy * scale + dx of the channels of pixel (y, x) of the small one.
static bool read_blocks(const xc_adaptor *op, int64_t *scale, bool *to_space,
                        bool *channel_first) {
  *channel_first = false;
  switch (op->info->kind) {
  case XC_TIR_TILE_FIX:
    *scale = xc_attr_int(op, XC_ATTR_STRIDE);
    *to_space = xc_attr_bool(op, XC_ATTR_REVERSE);
    return true;
  case XC_TIR_REORG_FIX:
    *scale = xc_attr_int(op, XC_ATTR_SCALE);
    *to_space = xc_attr_bool(op, XC_ATTR_REVERSE);
    return true;
  case XC_TIR_PIXEL_SHUFFLE_FIX:
    *scale = xc_attr_int(op, XC_ATTR_SCALE);
    *to_space = xc_attr_bool(op, XC_ATTR_UPSCALE);
    *channel_first = xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_CRD);
    return true;
  default:
    return false;
  }
}

bool xc_lower_tile(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindCopy);
  int64_t scale;
  bool to_space, channel_first;
  if (!read_blocks(op, &scale, &to_space, &channel_first))
    return false;
  XcDpuImage small = to_space ? layer.inputs[0] : layer.output;
  XcDpuImage large = to_space ? layer.output : layer.inputs[0];
  if (channel_first && large.channels > 1)
    return xc_refuse(op, "the channels of a block are not consecutive");
  // Without gaps between them, the pixels of a row of a block are one.
  int64_t columns = large.pixelPitch == (uint32_t)large.channels ? scale : 1;
  for (int64_t dy = 0; dy < scale; ++dy)
    for (int64_t dx = 0; dx < scale; dx += columns) {
      XcDpuImage pixels = large;
      pixels.address +=
          (uint32_t)dy * large.rowPitch + (uint32_t)dx * large.pixelPitch;
      pixels.height = small.height;
      pixels.width = small.width;
      pixels.channels *= (int32_t)columns;
      pixels.rowPitch *= (uint32_t)scale;
      pixels.pixelPitch *= (uint32_t)scale;
      XcDpuImage part =
          xc_image_part(small, XC_AXIS_C, (dy * scale + dx) * large.channels,
                        pixels.channels);
      if (!xc_add_copy(lowering, op, to_space ? part : pixels,
                       to_space ? pixels : part, xc_move_shift(op),
                       XcActivationNone))
        return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

/// A dimension of the result, and the bytes between its elements.
typedef struct axis {
  int64_t size, from, to;
} axis;

/// Returns the number of bytes between elements of a dimension.
static int64_t pitch_of(const XcDpuImage *image, const xc_shape *shape,
                        size_t dim) {
  size_t back = shape->rank - 1 - dim;
  if (back < 2)
    return back == 0 ? 1 : image->pixelPitch;
  int64_t pitch = image->rowPitch;
  for (size_t i = dim + 1; i + 2 < shape->rank; ++i)
    pitch *= shape->dims[i];
  return pitch;
}

/// Reads the dimensions of the result without those of one element; neighbours
/// that are neighbours on both sides become one. Returns their number.
static size_t read_axes(const xc_adaptor *op, const XcDpuLayer *layer,
                        const xc_shape *out, axis axes[XC_MAX_RANK]) {
  xc_shape in = xc_operand_shape(op, XC_TRANSPOSE_FIX_INPUT);
  int64_t order[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_ORDER, order);
  size_t count = 0;
  for (size_t i = 0; i < out->rank; ++i) {
    if (out->dims[i] == 1)
      continue;
    axis next = {out->dims[i],
                 pitch_of(&layer->inputs[0], &in, (size_t)order[i]),
                 pitch_of(&layer->output, out, i)};
    axis *last = count ? &axes[count - 1] : NULL;
    if (last && last->from == next.from * next.size &&
        last->to == next.to * next.size)
      *last = (axis){last->size * next.size, next.from, next.to};
    else
      axes[count++] = next;
  }
  return count;
}

static bool is_pixel_pitch(const axis *a) {
  enum { LARGEST = 1 << 16 }; // bytes between pixels of LOAD and SAVE
  return a->from <= LARGEST && a->to <= LARGEST;
}

/// Takes the axis that is best for pixels, or for rows, out of the list.
static axis take_axis(axis axes[XC_MAX_RANK], size_t *count, bool is_width) {
  size_t best = *count;
  for (size_t i = 0; i < *count; ++i)
    if ((!is_width || is_pixel_pitch(&axes[i])) &&
        (best == *count || axes[i].size > axes[best].size))
      best = i;
  if (best == *count)
    return (axis){1, 1, 1};
  axis taken = axes[best];
  memmove(&axes[best], &axes[best + 1], (--*count - best) * sizeof *axes);
  return taken;
}

static XcDpuImage image_of_axes(const XcDpuImage *image, int64_t offset,
                                const axis *rows, const axis *pixels,
                                const axis *channels, bool is_source) {
  return (XcDpuImage){.reg = image->reg,
                      .buffer = image->buffer,
                      .address = image->address + (uint32_t)offset,
                      .height = (int32_t)rows->size,
                      .width = (int32_t)pixels->size,
                      .channels = (int32_t)channels->size,
                      .rowPitch = (uint32_t)(is_source ? rows->from : rows->to),
                      .pixelPitch =
                          (uint32_t)(is_source ? pixels->from : pixels->to)};
}

/// Rows, pixels and channels of a layer; all further axes are counted through.
bool xc_lower_transpose(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindCopy);
  axis axes[XC_MAX_RANK], channels = {1, 1, 1};
  size_t count =
      read_axes(op, &layer, &xc_output_allocation(lowering, op)->shape, axes);
  if (count && axes[count - 1].from == 1 && axes[count - 1].to == 1)
    channels = axes[--count];
  axis pixels = take_axis(axes, &count, true);
  axis rows = take_axis(axes, &count, false);
  if (pixels.size == 1)
    pixels.from = pixels.to = channels.size;
  int64_t index[XC_MAX_RANK] = {0};
  for (bool more = true; more;) {
    int64_t from = 0, to = 0;
    for (size_t i = 0; i < count; ++i) {
      from += index[i] * axes[i].from;
      to += index[i] * axes[i].to;
    }
    if (!xc_add_copy(
            lowering, op,
            image_of_axes(&layer.inputs[0], from, &rows, &pixels, &channels,
                          true),
            image_of_axes(&layer.output, to, &rows, &pixels, &channels, false),
            xc_move_shift(op), XcActivationNone))
      return false;
    more = false;
    for (size_t i = count; i-- > 0 && !more;) {
      more = ++index[i] < axes[i].size;
      index[i] = more ? index[i] : 0;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Argmax
//===----------------------------------------------------------------------===//

bool xc_lower_argmax(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindArgmax);
  xc_shape in = xc_operand_shape(op, XC_TRANSPOSE_FIX_INPUT);
  int64_t axis_of = xc_attr_int(op, XC_ATTR_AXIS);
  if (axis_of != -1 && axis_of + 1 != (int64_t)in.rank)
    return xc_refuse(op, "the axis is not the last one");
  if (!xc_attr_bool(op, XC_ATTR_KEEP_DIMS)) {
    // Pixels and rows have become channels and pixels.
    XcDpuImage *out = &layer.output;
    out->rowPitch = out->pixelPitch;
    out->pixelPitch = 1;
    out->height = out->width;
    out->width = out->channels;
    out->channels = 1;
  }
  return xc_layer_add(lowering, op, &layer);
}
