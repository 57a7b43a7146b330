//===- BlockAxis.h - convolutions of blocks of pixels -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of pixels along an axis is one pixel of more channels. A convolution
// of blocks has a kernel and a stride that are smaller by the size of a block.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_LEGALIZE_BLOCKAXIS_H
#define XC_TRANSFORMS_LEGALIZE_BLOCKAXIS_H

#include "OpParams/Window.h"

/// One axis of a convolution of blocks.
typedef struct xc_block_axis {
  int64_t pixels;  // of the input in a block
  int64_t results; // of one position
  int64_t lead;    // zeros before the kernel, so that blocks begin at 0
  int64_t kernel, stride, before, after;
  int64_t inputs, outputs; // blocks
} xc_block_axis;

/// Sets what follows from the size of a block and the number of results, whose
/// distance it divides. Returns false where a window would meet nothing of the
/// image, which engines do not take.
bool xc_complete_blocks(const xc_window_axis *axis, xc_block_axis *blocks);

#endif // XC_TRANSFORMS_LEGALIZE_BLOCKAXIS_H
