//===- Recompute.c - results that windows of two strides read -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of an image in the banks lie as the stride of one reader needs them.
// A reader with another stride loads the image from DDR, and so it has to be
// saved. In GhostNet, a concatenation of a convolution and of a depthwise layer
// that reads its result is then read with a stride of two. A convolution that
// takes less time than its result takes to be saved is computed once more
// instead, for the readers with the other stride.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include "TensorBuffers.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <stdlib.h>

typedef struct recomputation {
  const xc_schedule *layers;
  xc_tensor_buffers buffers; // of their units
  xc_schedule *result;
  uint32_t free; // the number of the next new buffer
} recomputation;

/// Whether `part` has no other pixels and channels than `image`.
static bool is_inside(const XcDpuImage *part, const XcDpuImage *image) {
  return part->buffer == image->buffer && part->reg == image->reg &&
         part->rowPitch == image->rowPitch &&
         part->pixelPitch == image->pixelPitch &&
         part->height == image->height && part->width == image->width &&
         part->address >= image->address &&
         part->address - image->address + (uint32_t)part->channels <=
             (uint32_t)image->channels;
}

/// Whether a layer reads its first input in rows that lie as its stride needs
/// them.
static bool has_stride(const xc_layer_kind *kind, const XcDpuLayer *layer) {
  return kind->has_window && layer->output.height > 1;
}

/// Whether one unit computes all of its layer, without another image.
static bool is_alone(const xc_units *units, size_t u) {
  const xc_unit *unit = &units->items[u];
  return unit->layer.kind == XcDpuLayerKindConv && unit->layer.numInputs == 1 &&
         unit->layer.columns <= 1 && unit->layer.output.buffer != 0 &&
         (u == 0 || unit[-1].number != unit->number) &&
         (u + 1 == units->count || unit[1].number != unit->number);
}

/// Returns the stride for which the result of a unit stays as it is: the one of
/// what reads other channels of the buffer as well, else the first one. 0 if
/// nothing reads it by windows.
static int32_t stride_of(const recomputation *r, const xc_unit *writer,
                         const xc_tensor_buffer *buffer) {
  const xc_units *units = &r->layers->units;
  int32_t first = 0;
  for (size_t i = 0; i < buffer->num_uses; ++i) {
    const xc_buffer_use *use = &buffer->uses[i];
    const xc_unit *reader = &units->items[use->unit];
    if (use->slot != 0 || !has_stride(reader->kind, &reader->layer))
      continue;
    if (!is_inside(&reader->layer.inputs[0], &writer->layer.output))
      return reader->layer.strideH;
    first = first ? first : reader->layer.strideH;
  }
  return first;
}

/// Whether a layer reads the result of a unit with another stride.
static bool is_moved(const xc_unit *writer, int32_t stride,
                     const xc_layer_kind *kind, const XcDpuLayer *layer) {
  return has_stride(kind, layer) && layer->strideH != stride &&
         is_inside(&layer->inputs[0], &writer->layer.output);
}

/// Returns the stride of `stride_of` if others read the result with another
/// one, and if it takes less time to compute it once more than to save it; else
/// 0.
static int32_t recomputed_stride(const recomputation *r, size_t u) {
  const xc_units *units = &r->layers->units;
  const xc_unit *unit = &units->items[u];
  if (!is_alone(units, u) || unit->plan.cost.conv >= unit->plan.cost.save)
    return 0;
  const xc_tensor_buffer *buffer = &r->buffers.items[unit->layer.output.buffer];
  int32_t stride = buffer->can_hold ? stride_of(r, unit, buffer) : 0;
  for (size_t i = 0; i < buffer->num_uses && stride; ++i) {
    const xc_unit *reader = &units->items[buffer->uses[i].unit];
    if (buffer->uses[i].slot == 0 &&
        is_moved(unit, stride, reader->kind, &reader->layer))
      return stride;
  }
  return 0;
}

/// Computes a unit once more after itself, into a buffer of its own, which
/// those read that have another stride. It would lie where the same bytes are
/// in DDR.
static void recompute(recomputation *r, size_t u, size_t before,
                      int32_t stride) {
  xc_schedule *result = r->result;
  const xc_unit unit = result->units.items[u + before];
  xc_unit again = unit;
  again.is_recomputed = true;
  again.layer.output.buffer = r->free;
  for (size_t v = u + before + 1; v < result->units.count; ++v) {
    xc_unit *reader = &result->units.items[v];
    if (is_moved(&unit, stride, reader->kind, &reader->layer))
      reader->layer.inputs[0].buffer = r->free;
  }
  for (size_t i = 0; i < result->num_choices; ++i) {
    xc_engine_choice *choice = &result->choices[i];
    if (is_moved(&unit, stride, xc_layer_kind_of(&choice->layer),
                 &choice->layer))
      choice->layer.inputs[0].buffer = r->free;
    choice->first_unit += choice->first_unit > u + before;
  }
  const xc_unit both[] = {unit, again};
  xc_replace_unit(result, u + before, both, 2);
  ++r->free;
}

bool xc_recompute(const xc_schedule *layers, xc_schedule *result) {
  recomputation r = {.layers = layers,
                     .result = result,
                     .free = xc_free_buffer(&layers->units)};
  xc_tensor_buffers_collect(&r.buffers, layers->target, &layers->units);
  *result = xc_copy_layers(layers);
  size_t count = 0;
  for (size_t u = 0; u < layers->units.count; ++u) {
    int32_t stride = recomputed_stride(&r, u);
    if (stride)
      recompute(&r, u, count++, stride);
  }
  xc_tensor_buffers_free(&r.buffers);
  if (count == 0)
    xc_schedule_free(result);
  return count > 0;
}
