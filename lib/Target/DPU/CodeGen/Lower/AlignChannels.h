//===- AlignChannels.h - concatenations of whole words ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_LOWER_ALIGNCHANNELS_H
#define XC_TARGET_DPU_CODEGEN_LOWER_ALIGNCHANNELS_H

#include "Lower.h"

/// Where the channels of a pixel are.
struct xc_channel_layout {
  int32_t channels; // of the tensor
  int32_t padded;   // of a pixel in memory, a multiple of those of a word
  int32_t *places;  // in the pixel, ascending, for each channel of the tensor
};

/// Whether the channels of the tensor follow each other in memory.
bool xc_is_plain_layout(const xc_channel_layout *layout);

/// Puts padding between the inputs of concatenations that would begin in the
/// middle of a word, and into all buffers that must have the same channels.
/// Images of all buffers are dense before, and have their final sizes
/// afterwards. Returns false if there is nothing to align.
bool xc_align_channels(xc_lowering *lowering);

/// Copies `count` elements of all channels, one tensor after the other, into
/// zeroed memory that has `padded` channels.
void xc_pad_channels(const xc_channel_layout *layout, size_t count,
                     const int8_t *from, int8_t *to);

#endif // XC_TARGET_DPU_CODEGEN_LOWER_ALIGNCHANNELS_H
