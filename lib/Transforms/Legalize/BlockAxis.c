//===- BlockAxis.c - convolutions of blocks of pixels ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockAxis.h"

#include "Support/Math.h"

bool xc_complete_blocks(const xc_window_axis *axis, xc_block_axis *blocks) {
  xc_block_axis *b = blocks;
  if (axis->inputs < 1 || axis->outputs < 1 || axis->before < 0 ||
      axis->after < 0)
    return false;
  int64_t taps = xc_window_span(axis) + (b->results - 1) * axis->stride;
  b->stride = b->results * axis->stride / b->pixels;
  b->before = xc_ceil_div64(axis->before, b->pixels);
  b->lead = b->before * b->pixels - axis->before;
  b->kernel = xc_ceil_div64(b->lead + taps, b->pixels);
  b->outputs = xc_ceil_div64(axis->outputs, b->results);
  int64_t needed = (b->outputs - 1) * b->stride + b->kernel - b->before;
  int64_t whole = axis->inputs / b->pixels, unused = whole - needed;
  bool is_whole = axis->inputs % b->pixels == 0;
  // A remainder too short for another position may stay.
  if (unused >= 0)
    b->inputs = is_whole && unused < b->stride ? whole : needed;
  else
    b->inputs = is_whole ? whole : whole + 1;
  b->after = unused >= 0 ? 0 : needed - b->inputs;
  return b->inputs > 0 && b->before < b->kernel && b->after < b->kernel;
}
