//===- Rows.h - rows of an image in the banks ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An image in the banks lies in one image group of PP banks. Row r is in bank r
// div S mod PP, and S * PP rows make a band, which has the same first word in
// every bank. S is the vertical stride of the layer that reads the image, so
// that its windows begin in neighbouring banks. Band b lies in slot b mod
// num_slots. An image that is held as a whole has a slot for each band; a
// rolling buffer has fewer.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_ROWS_H
#define XC_TARGET_DPU_CODEGEN_PLAN_ROWS_H

#include "xc-c/DPUTarget.h"

typedef struct xc_bank_image {
  uint32_t group;    // first bank
  int32_t base;      // first word
  int32_t bank_rows; // S
  int32_t pixel_words, row_words, band_words;
  int32_t num_slots;
} xc_bank_image;

/// Rows that follow each other. If they cross from one band to the next one,
/// the next one lies right after it.
typedef struct xc_rows {
  uint32_t group;   // first bank
  uint32_t bank;    // of the first row, within the group
  uint32_t offset;  // of the first row, among those of its bank
  uint32_t address; // of the first of them
  uint32_t bank_rows, pixel_words, row_words, band_words;
  uint32_t num_banks;
} xc_rows;

/// Returns the rows from `y` on, from word `first_word` of each pixel.
xc_rows xc_bank_image_rows(const XcDpuTarget *target,
                           const xc_bank_image *image, int32_t y,
                           int32_t first_word);
/// Returns the rows of a block that nothing but the block itself reads: row k
/// in bank k.
xc_rows xc_block_rows(const XcDpuTarget *target, uint32_t group,
                      uint32_t address, uint32_t pixel_words);

/// Returns the rows from the k-th on.
xc_rows xc_rows_from(xc_rows rows, int32_t k);

/// First word of the first row.
uint32_t xc_rows_address(const xc_rows *rows);
/// Its bank.
uint32_t xc_rows_bank(const xc_rows *rows);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_ROWS_H
