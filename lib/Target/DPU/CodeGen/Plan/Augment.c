//===- Augment.c - few input channels: kernel columns become channels -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With few input channels most of a bank word is empty. The bytes of a row that
// lie below one row of the kernel are adjacent in DDR, so they can be loaded as
// the channels of one pixel for each output column. LOAD reads the bytes that
// lie in the padding before it clears them, so the image needs a margin of
// readable memory.
//
// Windows of neighbouring output columns overlap. If a pixel does not fill its
// words, it can have the bytes below several windows. Each of their columns is
// then computed with weights of its own, which are zero for what only the
// others read.
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

#include "Target/DPU/Machine/Operation.h"

int32_t xc_augmentation_slack(const XcDpuTarget *target, int32_t channels) {
  return xc_words_of(target, channels) * target->channelParallel - channels;
}

int32_t xc_augmentation_beyond(const xc_augmentation *augmentation, int32_t x) {
  return x * augmentation->step + augmentation->channels - augmentation->left -
         augmentation->row_bytes;
}

static int32_t column_stride(const XcDpuLayer *layer) {
  return layer->output.width == 1 ? 1 : layer->strideW;
}

/// Returns the number of bytes of a pixel that serves so many output columns.
static int64_t pixel_bytes_of(const XcDpuLayer *layer, int32_t columns) {
  int64_t width =
      (int64_t)(columns - 1) * column_stride(layer) + layer->kernelW;
  return width * layer->inputs[0].channels;
}

static int32_t most_bytes(const XcDpuTarget *target) {
  return xc_minimum(target->augmentationMax, XC_MAX_MASKED_CHANNELS);
}

/// Whether the kernel columns of one output column can be channels.
static bool can_augment(const XcDpuTarget *target, const XcDpuLayer *layer) {
  const XcDpuImage *in = &layer->inputs[0];
  return in->channels < target->channelParallel &&
         layer->kernelW <= XC_DPU_FIELD_MAX(target, ConvInit, kernel_w) &&
         in->pixelPitch == (uint32_t)in->channels &&
         column_stride(layer) <= layer->kernelW &&
         pixel_bytes_of(layer, 1) <= most_bytes(target);
}

int32_t xc_max_augmented_columns(const XcDpuTarget *target,
                                 const XcDpuLayer *layer) {
  if (!layer->canServeColumns || layer->numInputs != 1 ||
      !can_augment(target, layer))
    return 1;
  int32_t columns = 1;
  while (columns < layer->output.width &&
         pixel_bytes_of(layer, columns + 1) <= most_bytes(target))
    ++columns;
  return columns;
}

void xc_augment(const XcDpuTarget *target, const xc_unit *unit,
                xc_unit_plan *plan) {
  const XcDpuLayer *layer = &unit->layer;
  const XcDpuImage *in = &layer->inputs[0];
  xc_tile_request *request = &plan->request;
  int32_t columns = unit->columns;
  if (columns == 0 || !can_augment(target, layer))
    return;
  int32_t channels = (int32_t)pixel_bytes_of(layer, columns);
  if (columns == 1 && xc_words_of(target, channels) >= layer->kernelW)
    return;
  xc_augmentation augmentation = {
      .channels = channels,
      .step = columns * column_stride(layer) * in->channels,
      .left = layer->padLeft * in->channels,
      .row_bytes = in->width * in->channels,
  };
  int32_t width = xc_ceil_div(layer->output.width, columns);
  int32_t right = xc_augmentation_beyond(&augmentation, width - 1);
  int32_t end = right + xc_augmentation_slack(target, channels);
  if (augmentation.left > layer->marginBefore || right > layer->marginAfter ||
      augmentation.left > XC_DPU_FIELD_MAX(target, Load, pad_start) ||
      (right > 0 && end > XC_DPU_FIELD_MAX(target, Load, pad_end)))
    return;
  plan->augmentation = augmentation;
  request->has_dense_rows = false; // masks are those of one row
  plan->input.address -= (uint32_t)augmentation.left;
  plan->input.width = width;
  plan->input.channels = channels;
  plan->input.pixelPitch = (uint32_t)augmentation.step;
  request->width = request->out_width = width;
  request->columns = columns;
  request->kernel_w = request->stride_w = 1;
  request->pad_left = 0;
  request->in_groups = xc_words_of(target, channels);
  request->in_bytes = xc_pixel_bytes(target, &plan->input);
  request->out_bytes *= columns;
}
