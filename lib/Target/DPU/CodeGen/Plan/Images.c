//===- Images.c - images in DDR and their words in the banks --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Images.h"
#include "LayerKind.h"

#include <inttypes.h>
#include <stdio.h>

XcDpuImage xcDpuImageDense(uint32_t reg, uint32_t address, int32_t height,
                           int32_t width, int32_t channels) {
  return (XcDpuImage){.reg = reg,
                      .address = address,
                      .height = height,
                      .width = width,
                      .channels = channels,
                      .rowPitch = (uint32_t)width * (uint32_t)channels,
                      .pixelPitch = (uint32_t)channels};
}

XcDpuImage xc_image_channels(const XcDpuImage *image, int32_t first,
                             int32_t count) {
  XcDpuImage part = *image;
  part.address += (uint32_t)first;
  part.channels = count;
  return part;
}

uint32_t xc_image_address(const XcDpuImage *image, int32_t y, int32_t x) {
  return image->address + (uint32_t)y * image->rowPitch +
         (uint32_t)x * image->pixelPitch;
}

uint64_t xc_image_end(const XcDpuImage *image) {
  return image->address + (uint64_t)(image->height - 1) * image->rowPitch +
         (uint64_t)(image->width - 1) * image->pixelPitch +
         (uint64_t)image->channels;
}

/// Whether both have different channels of pixels that are equally far apart.
static bool has_other_channels(const XcDpuImage *a, const XcDpuImage *b) {
  uint32_t pitch = a->pixelPitch;
  if (pitch != b->pixelPitch || a->rowPitch != b->rowPitch ||
      a->rowPitch % pitch != 0)
    return false;
  uint32_t from_a = a->address % pitch, from_b = b->address % pitch;
  uint32_t step = (from_b + pitch - from_a) % pitch;
  return step >= (uint32_t)a->channels && step + (uint32_t)b->channels <= pitch;
}

bool xc_images_overlap(const XcDpuImage *a, const XcDpuImage *b) {
  return a->reg == b->reg && a->address < xc_image_end(b) &&
         b->address < xc_image_end(a) && !has_other_channels(a, b);
}

int64_t xc_pixel_bytes(const XcDpuTarget *target, const XcDpuImage *image) {
  int32_t burst = target->timing.burstBytes > 0 ? target->timing.burstBytes : 1;
  if (image->pixelPitch == (uint32_t)image->channels)
    return image->channels;
  return (int64_t)(image->channels + burst - 1) / burst * burst;
}

int32_t xc_wide_pixels(const XcDpuTarget *target, const XcDpuImage *image,
                       int32_t count) {
  const XcDpuTiming *timing = &target->timing;
  int64_t pitch = image->pixelPitch, wide = count - 1;
  int64_t more = xc_pixel_bytes(target, image) - pitch;
  bool fits = pitch > image->channels && pitch <= target->channelParallel;
  // The last pixel is another LOAD.
  return fits && wide * more >
                     (int64_t)timing->loadStart * timing->loadBytesPerCycle
             ? (int32_t)wide
             : 0;
}

/// A LOAD fills words with zeros by loading pixels of a word each that are one
/// byte apart. The mask at the start of the row clears one byte less of each
/// pixel than of the one before, and the mask at the end one byte more.
int32_t xc_zero_run(const XcDpuTarget *target, const XcDpuImage *image) {
  int32_t word = target->channelParallel;
  int64_t bytes = image->channels;
  if (image->pixelPitch == (uint32_t)image->channels)
    bytes *= image->width;
  if (word - 1 > XC_DPU_FIELD_MAX(target, Load, pad_start) || bytes < word)
    return 0;
  int32_t most = xc_minimum(word - 1, XC_DPU_FIELD_MAX(target, Load, pad_idx));
  return bytes - word + 1 < most ? (int32_t)bytes - word + 1 : most;
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

int32_t xc_max_length(const XcDpuTarget *target) {
  return xc_minimum(XC_DPU_FIELD_MAX(target, Conv, length),
                    xc_minimum(XC_DPU_FIELD_MAX(target, Load, length),
                               XC_DPU_FIELD_MAX(target, Save, length)));
}

int32_t xc_max_elementwise_length(const XcDpuTarget *target) {
  return xc_minimum(xc_max_length(target),
                    XC_DPU_FIELD_MAX(target, Elew, length));
}

int32_t xc_max_pitch(const XcDpuTarget *target) {
  return xc_minimum(XC_DPU_FIELD_MAX(target, Load, jump_read),
                    XC_DPU_FIELD_MAX(target, Save, jump_write));
}

int32_t xc_max_pixel_words(const XcDpuTarget *target) {
  const int32_t most[] = {XC_DPU_FIELD_MAX(target, ConvInit, jump_read),
                          XC_DPU_FIELD_MAX(target, ConvInit, jump_write),
                          XC_DPU_FIELD_MAX(target, ElewInit, jump_read),
                          XC_DPU_FIELD_MAX(target, Elew, jump_write),
                          XC_DPU_FIELD_MAX(target, AluInit, jump_read),
                          XC_DPU_FIELD_MAX(target, AluInit, jump_write),
                          XC_DPU_FIELD_MAX(target, PoolInit, jump_read),
                          XC_DPU_FIELD_MAX(target, PoolInit, jump_write),
                          XC_DPU_FIELD_MAX(target, DwInit, jump_read),
                          XC_DPU_FIELD_MAX(target, DwInit, jump_write)};
  int32_t least = INT32_MAX;
  for (size_t i = 0; i < sizeof most / sizeof *most; ++i)
    if (most[i] > 0)
      least = xc_minimum(least, most[i]);
  return least;
}

void xc_require(XcDpuRefusal *refusal, XcDpuRefusalReason reason, int64_t value,
                int64_t low, int64_t high) {
  if (refusal->reason == XcDpuRefusalReasonNone &&
      (value < low || value > high))
    *refusal =
        (XcDpuRefusal){reason, (int32_t)value, (int32_t)low, (int32_t)high};
}

void xc_require_range(XcDpuRefusal *refusal, XcDpuRefusalReason reason,
                      int64_t value, XcDpuRange range) {
  xc_require(refusal, reason, value, range.minimum, range.maximum);
}

/// Returns the name of what was found, or it as a number, which `number` holds
/// then.
static const char *found_text(const XcDpuRefusal *refusal, char number[12]) {
  const XcDpuLayer layer = {.kind = (XcDpuLayerKind)refusal->found};
  if (refusal->reason == XcDpuRefusalReasonEngine)
    return xc_layer_kind_of(&layer)->name;
  if (refusal->reason == XcDpuRefusalReasonActivation)
    return xcDpuActivationGetName((XcActivation)refusal->found);
  snprintf(number, 12, "%" PRId32, refusal->found);
  return number;
}

int xcDpuRefusalDescribe(XcDpuRefusal refusal, char *buffer, size_t size) {
  char range[64] = "", number[12];
  const char *found = found_text(&refusal, number);
  if (refusal.minimum == refusal.maximum)
    snprintf(range, sizeof range, ", expected %d", refusal.minimum);
  else if (refusal.minimum < refusal.maximum)
    snprintf(range, sizeof range, ", expected %d to %d", refusal.minimum,
             refusal.maximum);
  switch (refusal.reason) {
#define XC_DPU_REFUSAL(Name, message)                                          \
  case XcDpuRefusalReason##Name:                                               \
    return snprintf(buffer, size, message "%s", found, range);
    XC_DPU_REFUSALS(XC_DPU_REFUSAL)
#undef XC_DPU_REFUSAL
  }
  return 0;
}
