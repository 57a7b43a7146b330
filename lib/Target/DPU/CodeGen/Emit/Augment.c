//===- Augment.c - few input channels: kernel columns become channels -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With few input channels most of a bank word is empty. The bytes of a row that
// lie below one row of the kernel are adjacent in DDR, hence they can be loaded
// as the channels of one pixel for each output column. LOAD clears what lies in
// the padding, but reads it: the image needs a margin of readable memory.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

enum {
  /// The fields pad_start and pad_end.
  MAX_MASK = 31,
  /// Above this LOAD does not mask.
  MAX_MASKED_CHANNELS = 64,
};

static int32_t word_slack(const XcDpuTarget *target, int32_t channels) {
  return xc_words_of(target, channels) * target->channelParallel - channels;
}

/// Bytes of column `x` that lie beyond the end of the row; may be negative.
static int32_t beyond(const xc_augmentation *augmentation, int32_t x) {
  return x * augmentation->step + augmentation->channels - augmentation->left -
         augmentation->row_bytes;
}

bool xc_augment(const XcDpuTarget *target, const XcDpuLayer *layer,
                XcDpuLayer *result, xc_augmentation *augmentation) {
  const XcDpuImage *in = &layer->inputs[0];
  int32_t channels = layer->kernelW * in->channels;
  int32_t stride = layer->output.width == 1 ? 1 : layer->strideW;
  if (in->channels >= target->channelParallel || layer->kernelW > 16 ||
      in->pixelPitch != (uint32_t)in->channels || stride > layer->kernelW ||
      channels > target->augmentationMax || channels > MAX_MASKED_CHANNELS ||
      xc_words_of(target, channels) >= layer->kernelW)
    return false;
  *augmentation = (xc_augmentation){
      .channels = channels,
      .step = stride * in->channels,
      .left = layer->padLeft * in->channels,
      .row_bytes = in->width * in->channels,
  };
  int32_t right = beyond(augmentation, layer->output.width - 1);
  int32_t margin = augmentation->left > right ? augmentation->left : right;
  if (margin > layer->inputMargin || augmentation->left > MAX_MASK ||
      (right > 0 && right + word_slack(target, channels) > MAX_MASK))
    return false;
  *result = *layer;
  result->inputs[0].address -= (uint32_t)augmentation->left;
  result->inputs[0].width = layer->output.width;
  result->inputs[0].channels = channels;
  result->inputs[0].pixelPitch = (uint32_t)augmentation->step;
  result->kernelW = result->strideW = 1;
  result->padLeft = 0;
  return true;
}

void xc_load_augmented(XcDpuCodeGen *gen, const XcDpuImage *image,
                       const xc_augmentation *augmentation, int32_t y,
                       int32_t x, int32_t count, uint32_t bank,
                       uint32_t address) {
  int32_t start = augmentation->left - x * augmentation->step;
  XcDpuLoad load = {
      .bank_id = bank,
      .bank_addr = address,
      .jump_read = image->pixelPitch,
      .jump_write = (uint32_t)xc_words_of(gen->target, image->channels),
      .pad_idx = 1,
      .channel = (uint32_t)image->channels,
      .length = (uint32_t)count,
      .pad_start = (uint32_t)(start > 0 ? start : 0),
      .reg_id = image->reg,
      .ddr_addr = xc_image_address(image, y, x),
  };
  // The first of the columns at the end that reach into the padding.
  int32_t first = x + count;
  while (first > x && beyond(augmentation, first - 1) > 0)
    --first;
  if (first < x + count) {
    load.pad_idx = (uint32_t)(x + count - first);
    load.pad_end = (uint32_t)(word_slack(gen->target, image->channels) +
                              beyond(augmentation, first));
  }
  xc_code_load(&gen->code, &load);
}
