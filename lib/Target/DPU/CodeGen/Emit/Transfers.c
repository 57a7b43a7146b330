//===- Transfers.c - LOADs and SAVEs of pixels, rings of parameters -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Target/DPU/CodeGen/Plan/Windows.h"

#include <assert.h>

/// Returns the number of pixels of one LOAD or SAVE: pixels that lie too far
/// apart for the fields jump_read and jump_write are moved one by one.
static int32_t run_of(const xc_emission *gen, const XcDpuImage *image) {
  bool is_near = image->pixelPitch <= (uint32_t)gen->max_pitch;
  return is_near ? gen->max_length : 1;
}

static uint32_t step_of(const xc_emission *gen, const XcDpuImage *image) {
  bool is_near = image->pixelPitch <= (uint32_t)gen->max_pitch;
  return is_near ? image->pixelPitch : (uint32_t)image->channels;
}

void xc_load_pixels(xc_emission *gen, const xc_pixels *pixels, uint32_t bank,
                    uint32_t address) {
  const XcDpuImage *image = pixels->image;
  int32_t x = pixels->x, count = pixels->count;
  uint32_t words = (uint32_t)xc_words_of(gen->target, image->channels);
  int32_t run = run_of(gen, image);
  while (count > 0) {
    int32_t now = count < run ? count : run;
    XcDpuLoad load = {
        .bank_id = bank,
        .bank_addr = address,
        .jump_read = step_of(gen, image),
        .jump_write = words,
        .pad_idx = 1,
        .channel = (uint32_t)image->channels,
        .length = (uint32_t)now,
        .reg_id = image->reg,
        .ddr_addr = xc_image_address(image, pixels->y, x),
    };
    xc_code_load(&gen->code, &load);
    x += now;
    count -= now;
    address += (uint32_t)now * words;
  }
}

void xc_save_pixels(xc_emission *gen, const xc_pixels *pixels, uint32_t bank,
                    uint32_t address, uint32_t step) {
  const XcDpuImage *image = pixels->image;
  int32_t x = pixels->x, count = pixels->count;
  assert(count <= gen->max_length && "tiles are no wider than a SAVE");
  int32_t run = run_of(gen, image);
  while (count > 0) {
    int32_t now = count < run ? count : run;
    XcDpuSave save = {
        .bank_id = bank,
        .bank_addr = address,
        .jump_write = step_of(gen, image),
        .jump_read = step,
        .channel = (uint32_t)image->channels,
        .length = (uint32_t)now,
        .reg_id = image->reg,
        .ddr_addr = xc_image_address(image, pixels->y, x),
    };
    xc_code_save(&gen->code, &save);
    x += now;
    count -= now;
    address += (uint32_t)now * step;
  }
}

void xc_load_augmented(xc_emission *gen, const xc_pixels *pixels,
                       const xc_augmentation *augmentation, uint32_t bank,
                       uint32_t address) {
  const XcDpuImage *image = pixels->image;
  int32_t x = pixels->x, count = pixels->count;
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
      .ddr_addr = xc_image_address(image, pixels->y, x),
  };
  // The first of the columns at the end that reach into the padding.
  int32_t first = x + count;
  while (first > x && xc_augmentation_beyond(augmentation, first - 1) > 0)
    --first;
  if (first < x + count) {
    load.pad_idx = (uint32_t)(x + count - first);
    load.pad_end =
        (uint32_t)(xc_augmentation_slack(gen->target, image->channels) +
                   xc_augmentation_beyond(augmentation, first));
  }
  xc_code_load(&gen->code, &load);
}

void xc_load_zeros(xc_emission *gen, const XcDpuImage *image, uint32_t bank,
                   uint32_t address, int32_t words) {
  int32_t run = xc_zero_run(gen->target, image), now;
  uint32_t word = (uint32_t)gen->target->channelParallel;
  for (; words > 0; words -= now, address += (uint32_t)now) {
    now = xc_minimum(words, run);
    XcDpuLoad load = {
        .bank_id = bank,
        .bank_addr = address,
        .jump_read = 1,
        .jump_write = 1,
        .pad_start = word - 1,
        .pad_end = 1,
        .pad_idx = (uint32_t)now,
        .channel = word,
        .length = (uint32_t)now,
        .reg_id = image->reg,
        .ddr_addr = image->address,
    };
    xc_code_load(&gen->code, &load);
  }
}
