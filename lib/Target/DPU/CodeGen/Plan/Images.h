//===- Images.h - images in DDR and their words in the banks ------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_IMAGES_H
#define XC_TARGET_DPU_CODEGEN_PLAN_IMAGES_H

#include "Support/Math.h"
#include "Target/DPU/Isa.h"
#include "xc-c/DPUCodeGen.h"

/// Returns the number of pixels of one LOAD, SAVE or CONV at most.
int32_t xc_max_length(const XcDpuTarget *target);

/// Returns the number of pixels of one ELEW at most.
int32_t xc_max_elementwise_length(const XcDpuTarget *target);

/// Returns the number of bytes between the pixels of one LOAD or SAVE at most.
int32_t xc_max_pitch(const XcDpuTarget *target);

/// Returns the number of words of a pixel in the banks at most, for all engines
/// to find the next one.
int32_t xc_max_pixel_words(const XcDpuTarget *target);

/// Returns the number of words of a pixel of `channels` channels.
static inline int32_t xc_words_of(const XcDpuTarget *target, int32_t channels) {
  return xc_ceil_div(channels, target->channelParallel);
}

/// Returns the first bank of an image group.
static inline uint32_t xc_image_group(const XcDpuTarget *target, int group) {
  return (uint32_t)(target->image.firstBank + group * target->image.numBanks);
}

/// Returns the channels first..first+count-1 of an image.
XcDpuImage xc_image_channels(const XcDpuImage *image, int32_t first,
                             int32_t count);

/// Address of a pixel.
uint32_t xc_image_address(const XcDpuImage *image, int32_t y, int32_t x);

/// One past the last byte.
uint64_t xc_image_end(const XcDpuImage *image);

/// Whether two images may have bytes in common: memory is shared between tensor
/// buffers that follow each other.
bool xc_images_overlap(const XcDpuImage *a, const XcDpuImage *b);

/// Returns the number of bytes that a LOAD or SAVE moves for each pixel: whole
/// bursts, unless the pixels of a row follow each other directly.
int64_t xc_pixel_bytes(const XcDpuTarget *target, const XcDpuImage *image);

/// Returns the number of pixels, of the first ones of so many, that are loaded
/// with what lies between them, as when the numbers of boxes are taken apart: a
/// burst for a few bytes of each would take longer. The last pixel may be the
/// end of the memory. 0: it is not done.
int32_t xc_wide_pixels(const XcDpuTarget *target, const XcDpuImage *image,
                       int32_t count);

/// Returns the number of words that one LOAD fills with zeros by the masks for
/// padding, which leave nothing of some bytes of the image; 0: it has too few
/// bytes.
int32_t xc_zero_run(const XcDpuTarget *target, const XcDpuImage *image);

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

static const XcDpuRefusal xc_accepted = {XcDpuRefusalReasonNone, 0, 0, 0};

static inline bool xc_is_accepted(XcDpuRefusal refusal) {
  return refusal.reason == XcDpuRefusalReasonNone;
}

/// Reports the first range that a value leaves; `refusal` keeps an earlier one.
void xc_require(XcDpuRefusal *refusal, XcDpuRefusalReason reason, int64_t value,
                int64_t low, int64_t high);
void xc_require_range(XcDpuRefusal *refusal, XcDpuRefusalReason reason,
                      int64_t value, XcDpuRange range);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_IMAGES_H
