//===- TensorBuffers.c - which units use a buffer -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBuffers.h"
#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include "Support/Memory.h"

#include <stdlib.h>

const XcDpuImage *xc_use_image(const xc_units *units,
                               const xc_buffer_use *use) {
  const XcDpuLayer *layer = &units->items[use->unit].layer;
  return xc_use_is_write(use) ? &layer->output : &layer->inputs[use->slot];
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

/// Calls `visit` for every image that is part of a buffer.
static void for_each_use(xc_tensor_buffers *buffers, const xc_units *units,
                         void (*visit)(xc_tensor_buffers *buffers,
                                       uint32_t buffer,
                                       const xc_buffer_use *use)) {
  for (size_t u = 0; u < units->count; ++u) {
    const XcDpuLayer *layer = &units->items[u].layer;
    for (size_t k = 0; k < layer->numInputs; ++k)
      if (layer->inputs[k].buffer)
        visit(buffers, layer->inputs[k].buffer,
              &(xc_buffer_use){.unit = u, .slot = k});
    if (layer->output.buffer)
      visit(buffers, layer->output.buffer,
            &(xc_buffer_use){.unit = u, .slot = XC_OUTPUT_SLOT});
  }
}

static void count_use(xc_tensor_buffers *buffers, uint32_t buffer,
                      const xc_buffer_use *use) {
  if (buffer >= buffers->count) {
    size_t count = (size_t)buffer + 1;
    buffers->items =
        xc_realloc_array(buffers->items, count, sizeof *buffers->items);
    for (size_t i = buffers->count; i < count; ++i)
      buffers->items[i] = (xc_tensor_buffer){0};
    buffers->count = count;
  }
  ++buffers->items[buffer].num_uses;
  buffers->items[buffer].num_writers += xc_use_is_write(use);
}

static void add_use(xc_tensor_buffers *buffers, uint32_t buffer,
                    const xc_buffer_use *use) {
  xc_tensor_buffer *at = &buffers->items[buffer];
  at->uses[at->num_uses++] = *use;
}

static void give_room(xc_tensor_buffers *buffers) {
  size_t total = 0;
  for (size_t i = 0; i < buffers->count; ++i)
    total += buffers->items[i].num_uses;
  buffers->uses = xc_alloc_array(total, sizeof *buffers->uses);
  total = 0;
  for (size_t i = 0; i < buffers->count; ++i) {
    buffers->items[i].uses = buffers->uses + total;
    total += buffers->items[i].num_uses;
    buffers->items[i].num_uses = 0;
  }
}

//===----------------------------------------------------------------------===//
// Geometry
//===----------------------------------------------------------------------===//

/// Whether rows and pixels are as far apart.
static bool is_like(const XcDpuImage *a, const XcDpuImage *b) {
  return a->reg == b->reg && a->rowPitch == b->rowPitch &&
         a->pixelPitch == b->pixelPitch;
}

/// Where an image begins in the buffer.
typedef struct position {
  int32_t row, column, channel;
} position;

static position position_of(const XcDpuImage *image, uint32_t origin) {
  uint32_t offset = image->address - origin;
  return (position){
      (int32_t)(offset / image->rowPitch),
      (int32_t)(offset % image->rowPitch / image->pixelPitch),
      (int32_t)(offset % image->rowPitch % image->pixelPitch),
  };
}

/// Sets the image of a buffer to the smallest one that holds all images of its
/// uses that are like the first one.
static void set_image(xc_tensor_buffer *buffer, const xc_units *units) {
  XcDpuImage whole = *xc_use_image(units, &buffer->uses[0]);
  for (size_t i = 1; i < buffer->num_uses; ++i) {
    const XcDpuImage *image = xc_use_image(units, &buffer->uses[i]);
    if (is_like(image, &whole) && image->address < whole.address)
      whole.address = image->address;
  }
  whole.height = whole.width = whole.channels = 0;
  for (size_t i = 0; i < buffer->num_uses; ++i) {
    const XcDpuImage *image = xc_use_image(units, &buffer->uses[i]);
    if (!is_like(image, &whole))
      continue;
    position at = position_of(image, whole.address);
    if (at.row + image->height > whole.height)
      whole.height = at.row + image->height;
    if (at.column + image->width > whole.width)
      whole.width = at.column + image->width;
    if (at.channel + image->channels > whole.channels)
      whole.channels = at.channel + image->channels;
  }
  buffer->image = whole;
}

static bool can_write(const xc_unit *unit) {
  const XcDpuLayer *layer = &unit->layer;
  return unit->kind->stays_in_banks &&
         (!unit->kind->scales || (layer->scaleH == 1 && layer->scaleW == 1));
}

static void judge_use(const xc_tensor_buffer *buffer, const XcDpuTarget *target,
                      const xc_units *units, xc_buffer_use *use) {
  const XcDpuImage *image = xc_use_image(units, use);
  if (!is_like(image, &buffer->image))
    return;
  position at = position_of(image, buffer->image.address);
  use->row = at.row;
  int32_t pixel_words = xc_words_of(target, buffer->image.channels);
  use->word = at.column * pixel_words + at.channel / target->channelParallel;
  // Units that share weights use their images until the last of them ends.
  if (units->items[use->unit].chunk_groups > 0)
    return;
  use->can_hold = at.channel % target->channelParallel == 0 &&
                  pixel_words <= xc_max_pixel_words(target);
  if (!xc_use_is_write(use))
    return;
  const xc_unit *unit = &units->items[use->unit];
  bool all_columns = at.column == 0 && image->width == buffer->image.width;
  use->can_hold &= can_write(unit) && at.row == 0 &&
                   image->height == buffer->image.height &&
                   (all_columns || unit->kind->has_window);
}

bool xc_uses_overlap(const xc_tensor_buffer *buffer, const xc_units *units,
                     const xc_buffer_use *a, const xc_buffer_use *b) {
  const XcDpuImage *p = xc_use_image(units, a), *q = xc_use_image(units, b);
  if (!is_like(p, &buffer->image) || !is_like(q, &buffer->image))
    return true;
  position x = position_of(p, buffer->image.address);
  position y = position_of(q, buffer->image.address);
  return x.channel < y.channel + q->channels &&
         y.channel < x.channel + p->channels &&
         x.column < y.column + q->width && y.column < x.column + p->width;
}

/// All writers can hold it, and none writes elements that another one writes or
/// that have been read.
static bool judge_writers(const xc_tensor_buffer *buffer,
                          const xc_units *units) {
  enum { MAX_USES = 64 }; // each is compared with each
  if (buffer->num_uses > MAX_USES)
    return false;
  for (size_t i = 0; i < buffer->num_uses; ++i) {
    const xc_buffer_use *writer = &buffer->uses[i];
    if (!xc_use_is_write(writer))
      continue;
    if (!writer->can_hold)
      return false;
    for (size_t k = 0; k < i; ++k)
      if (xc_uses_overlap(buffer, units, writer, &buffer->uses[k]))
        return false;
  }
  return true;
}

static bool is_within_pixel(const XcDpuImage *image) {
  return (uint32_t)image->channels <= image->pixelPitch &&
         (uint32_t)image->width * image->pixelPitch <= image->rowPitch;
}

void xc_tensor_buffers_collect(xc_tensor_buffers *buffers,
                               const XcDpuTarget *target,
                               const xc_units *units) {
  *buffers = (xc_tensor_buffers){0};
  for_each_use(buffers, units, count_use);
  give_room(buffers);
  for_each_use(buffers, units, add_use);
  for (size_t i = 0; i < buffers->count; ++i) {
    xc_tensor_buffer *buffer = &buffers->items[i];
    if (buffer->num_uses == 0)
      continue;
    set_image(buffer, units);
    for (size_t k = 0; k < buffer->num_uses; ++k)
      judge_use(buffer, target, units, &buffer->uses[k]);
    buffer->is_kept = (int32_t)buffer->image.reg != target->workspaceRegister;
    for (size_t k = 0; k < buffer->num_uses; ++k)
      buffer->is_kept |= units->items[buffer->uses[k].unit].is_read_elsewhere &&
                         xc_use_is_write(&buffer->uses[k]);
    buffer->can_hold =
        is_within_pixel(&buffer->image) && judge_writers(buffer, units) &&
        xc_words_of(target, buffer->image.channels) * buffer->image.width <=
            target->image.depth;
  }
}

void xc_tensor_buffers_free(xc_tensor_buffers *buffers) {
  free(buffers->items);
  free(buffers->uses);
}

int32_t xc_buffer_bank_rows(const xc_tensor_buffer *buffer,
                            const xc_units *units) {
  for (size_t i = 0; i < buffer->num_uses; ++i) {
    const xc_buffer_use *use = &buffer->uses[i];
    const xc_unit *unit = &units->items[use->unit];
    if (use->slot == 0 && use->can_hold && unit->kind->has_window &&
        unit->layer.output.height > 1)
      return unit->layer.strideH;
  }
  return 1;
}
