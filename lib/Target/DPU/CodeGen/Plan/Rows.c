//===- Rows.c - rows of an image in the banks -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

xc_rows xc_bank_image_rows(const XcDpuTarget *target,
                           const xc_bank_image *image, int32_t y,
                           int32_t first_word) {
  int32_t band_rows = image->bank_rows * target->pixelParallel;
  int32_t slot = y / band_rows % image->num_slots;
  return (xc_rows){
      .group = image->group,
      .bank = (uint32_t)(y % band_rows / image->bank_rows),
      .offset = (uint32_t)(y % image->bank_rows),
      .address =
          (uint32_t)(image->base + slot * image->band_words + first_word),
      .bank_rows = (uint32_t)image->bank_rows,
      .pixel_words = (uint32_t)image->pixel_words,
      .row_words = (uint32_t)image->row_words,
      .band_words = (uint32_t)image->band_words,
      .num_banks = (uint32_t)target->pixelParallel,
  };
}

xc_rows xc_block_rows(const XcDpuTarget *target, uint32_t group,
                      uint32_t address, uint32_t pixel_words) {
  return (xc_rows){.group = group,
                   .address = address,
                   .bank_rows = 1,
                   .pixel_words = pixel_words,
                   .row_words = 1,
                   .band_words = 1,
                   .num_banks = (uint32_t)target->pixelParallel};
}

xc_rows xc_rows_from(xc_rows rows, int32_t k) {
  uint32_t row = rows.offset + (uint32_t)k;
  rows.bank += row / rows.bank_rows;
  rows.offset = row % rows.bank_rows;
  rows.address += rows.bank / rows.num_banks * rows.band_words;
  rows.bank %= rows.num_banks;
  return rows;
}

uint32_t xc_rows_address(const xc_rows *rows) {
  return rows->address + rows->offset * rows->row_words;
}

uint32_t xc_rows_bank(const xc_rows *rows) { return rows->group + rows->bank; }
