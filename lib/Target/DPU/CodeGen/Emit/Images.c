//===- Images.c - images in DDR, checks, rings ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include <assert.h>
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

/// Pixels of one LOAD or SAVE: pixels that lie too far apart for the fields
/// jump_read and jump_write are moved one by one.
static int32_t run_of(const XcDpuImage *image) {
  return image->pixelPitch <= XC_MAX_PITCH ? XC_MAX_LENGTH : 1;
}

static uint32_t step_of(const XcDpuImage *image) {
  return image->pixelPitch <= XC_MAX_PITCH ? image->pixelPitch
                                           : (uint32_t)image->channels;
}

void xc_load_pixels(XcDpuCodeGen *gen, const XcDpuImage *image, int32_t y,
                    int32_t x, int32_t count, uint32_t bank, uint32_t address) {
  uint32_t words = (uint32_t)xc_words_of(gen->target, image->channels);
  int32_t run = run_of(image);
  while (count > 0) {
    int32_t now = count < run ? count : run;
    XcDpuLoad load = {
        .bank_id = bank,
        .bank_addr = address,
        .jump_read = step_of(image),
        .jump_write = words,
        .pad_idx = 1,
        .channel = (uint32_t)image->channels,
        .length = (uint32_t)now,
        .reg_id = image->reg,
        .ddr_addr = xc_image_address(image, y, x),
    };
    xc_code_load(&gen->code, &load);
    x += now;
    count -= now;
    address += (uint32_t)now * words;
  }
}

void xc_save_pixels(XcDpuCodeGen *gen, const XcDpuImage *image, int32_t y,
                    int32_t x, int32_t count, uint32_t bank, uint32_t address,
                    uint32_t step) {
  assert(count <= XC_MAX_LENGTH && "tiles are no wider than a SAVE");
  int32_t run = run_of(image);
  while (count > 0) {
    int32_t now = count < run ? count : run;
    XcDpuSave save = {
        .bank_id = bank,
        .bank_addr = address,
        .jump_write = step_of(image),
        .jump_read = step,
        .channel = (uint32_t)image->channels,
        .length = (uint32_t)now,
        .reg_id = image->reg,
        .ddr_addr = xc_image_address(image, y, x),
    };
    xc_code_save(&gen->code, &save);
    x += now;
    count -= now;
    address += (uint32_t)now * step;
  }
}

uint32_t xc_ring_take(xc_ring *ring, uint32_t words) {
  assert(words <= ring->depth && "more than the bank holds");
  uint32_t address = ring->next;
  ring->next = (address + words) % ring->depth;
  return address;
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

int xcDpuRefusalDescribe(XcDpuRefusal refusal, char *buffer, size_t size) {
  char range[64] = "";
  if (refusal.minimum == refusal.maximum)
    snprintf(range, sizeof range, ", expected %d", refusal.minimum);
  else if (refusal.minimum < refusal.maximum)
    snprintf(range, sizeof range, ", expected %d to %d", refusal.minimum,
             refusal.maximum);
  switch (refusal.reason) {
#define XC_DPU_REFUSAL(Name, message)                                          \
  case XcDpuRefusalReason##Name:                                               \
    return snprintf(buffer, size, message "%s", refusal.found, range);
    XC_DPU_REFUSALS(XC_DPU_REFUSAL)
#undef XC_DPU_REFUSAL
  }
  return 0;
}
