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

#include "Windows.h"

#include "Target/DPU/Machine/Operation.h"

int32_t xc_augmentation_slack(const XcDpuTarget *target, int32_t channels) {
  return xc_words_of(target, channels) * target->channelParallel - channels;
}

int32_t xc_augmentation_beyond(const xc_augmentation *augmentation, int32_t x) {
  return x * augmentation->step + augmentation->channels - augmentation->left -
         augmentation->row_bytes;
}

void xc_augment(const XcDpuTarget *target, const XcDpuLayer *layer,
                xc_unit_plan *plan) {
  const XcDpuImage *in = &layer->inputs[0];
  xc_tile_request *request = &plan->request;
  int32_t channels = layer->kernelW * in->channels;
  int32_t stride = layer->output.width == 1 ? 1 : layer->strideW;
  if (in->channels >= target->channelParallel ||
      layer->kernelW > XC_DPU_FIELD_MAX(target, ConvInit, kernel_w) ||
      in->pixelPitch != (uint32_t)in->channels || stride > layer->kernelW ||
      channels > target->augmentationMax || channels > XC_MAX_MASKED_CHANNELS ||
      xc_words_of(target, channels) >= layer->kernelW)
    return;
  xc_augmentation augmentation = {
      .channels = channels,
      .step = stride * in->channels,
      .left = layer->padLeft * in->channels,
      .row_bytes = in->width * in->channels,
  };
  int32_t right =
      xc_augmentation_beyond(&augmentation, layer->output.width - 1);
  int32_t end = right + xc_augmentation_slack(target, channels);
  if (augmentation.left > layer->marginBefore || right > layer->marginAfter ||
      augmentation.left > XC_DPU_FIELD_MAX(target, Load, pad_start) ||
      (right > 0 && end > XC_DPU_FIELD_MAX(target, Load, pad_end)))
    return;
  plan->augmentation = augmentation;
  plan->input.address -= (uint32_t)augmentation.left;
  plan->input.width = layer->output.width;
  plan->input.channels = channels;
  plan->input.pixelPitch = (uint32_t)augmentation.step;
  request->width = plan->input.width;
  request->kernel_w = request->stride_w = 1;
  request->pad_left = 0;
  request->in_groups = xc_words_of(target, channels);
  request->in_bytes = xc_pixel_bytes(target, &plan->input);
}
