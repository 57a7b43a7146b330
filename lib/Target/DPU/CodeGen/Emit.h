//===- Emit.h - what the emitters share ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_EMIT_H
#define XC_TARGET_DPU_CODEGEN_EMIT_H

#include "Code.h"
#include "TilePlan.h"

/// A bank of parameters, used as a ring: what a layer loads lies behind what
/// the layer before it uses, so that it can come early.
typedef struct xc_ring {
  uint32_t depth, next;
} xc_ring;

/// Address of the next `words` words in one piece; at most `depth`.
uint32_t xc_ring_take(xc_ring *ring, uint32_t words);

typedef struct xc_layer_name {
  char *name;
  size_t first; // instruction
  uint64_t operations;
} xc_layer_name;

struct XcDpuCodeGen {
  const XcDpuTarget *target;
  xc_code code;
  xc_ring weights, depthwise_weights, bias;
  xc_layer_name *layers;
  size_t num_layers, layers_capacity;
  unsigned char *bytes; // after finishing
  size_t num_bytes;
};

static const XcDpuRefusal xc_accepted = {XcDpuRefusalReasonNone, 0, 0, 0};

/// Emitters of the kinds of layers. They check what is special to the kind;
/// images have been checked.
XcDpuRefusal xc_emit_conv(XcDpuCodeGen *gen, const XcDpuLayer *layer);
XcDpuRefusal xc_emit_alu(XcDpuCodeGen *gen, const XcDpuLayer *layer);
XcDpuRefusal xc_emit_elew(XcDpuCodeGen *gen, const XcDpuLayer *layer);
XcDpuRefusal xc_emit_fill(XcDpuCodeGen *gen, const XcDpuLayer *layer);

/// Reports the first range that a value leaves; `refusal` keeps an earlier one.
void xc_require(XcDpuRefusal *refusal, XcDpuRefusalReason reason, int64_t value,
                int64_t low, int64_t high);
void xc_require_range(XcDpuRefusal *refusal, XcDpuRefusalReason reason,
                      int64_t value, XcDpuRange range);

/// shift_write of ELEW.
static inline uint32_t xc_shift_write_field(int32_t shift) {
  enum { RIGHT = 16 }; // from here on to the right
  return (uint32_t)(shift >= 0 ? RIGHT + shift : -shift);
}

/// Words of a pixel of `channels` channels.
static inline int32_t xc_words_of(const XcDpuTarget *target, int32_t channels) {
  return (channels + target->channelParallel - 1) / target->channelParallel;
}

static inline uint32_t xc_image_group(const XcDpuTarget *target, int group) {
  return (uint32_t)(target->image.firstBank + group * target->image.numBanks);
}

/// The channels first..first+count-1 of an image.
XcDpuImage xc_image_channels(const XcDpuImage *image, int32_t first,
                             int32_t count);

/// Address of a pixel.
uint32_t xc_image_address(const XcDpuImage *image, int32_t y, int32_t x);

/// Loads pixels x..x+count-1 of row y to `bank` at `address`, without gaps.
void xc_load_pixels(XcDpuCodeGen *gen, const XcDpuImage *image, int32_t y,
                    int32_t x, int32_t count, uint32_t bank, uint32_t address);

/// Saves a row of pixels that lie `step` words apart.
void xc_save_pixels(XcDpuCodeGen *gen, const XcDpuImage *image, int32_t y,
                    int32_t x, int32_t count, uint32_t bank, uint32_t address,
                    uint32_t step);

//===----------------------------------------------------------------------===//
// Augmentation: kernel columns as channels
//===----------------------------------------------------------------------===//

/// In bytes: a pixel, the distance of pixels, the padding at the left, a row.
typedef struct xc_augmentation {
  int32_t channels, step, left, row_bytes;
} xc_augmentation;

/// If it helps, turns a convolution into one with a kernel of width 1 that
/// computes the same, whose input is to be loaded by xc_load_augmented.
bool xc_augment(const XcDpuTarget *target, const XcDpuLayer *layer,
                XcDpuLayer *result, xc_augmentation *augmentation);
void xc_load_augmented(XcDpuCodeGen *gen, const XcDpuImage *image,
                       const xc_augmentation *augmentation, int32_t y,
                       int32_t x, int32_t count, uint32_t bank,
                       uint32_t address);

//===----------------------------------------------------------------------===//
// Windows: what convolution, depthwise and pools share
//===----------------------------------------------------------------------===//

typedef struct xc_windows {
  XcDpuCodeGen *gen;
  const XcDpuLayer *layer;
  xc_tile_request request;
  xc_tile_plan plan;
  /// What each row of a slot holds: the row's number among all bands, plus 1.
  int64_t *contents;
  const xc_augmentation *augmentation; // or null
  int32_t out_blocks;                  // so far
} xc_windows;

/// Where the window of output rows y..y+rows-1 begins.
typedef struct xc_window_start {
  uint32_t bank;
  uint32_t addresses[XC_MAX_BANDS];
  uint32_t pad_left, pad_top, pad_right, pad_bottom;
  uint32_t length;
} xc_window_start;

/// Plans; the request's sizes, strides and paddings come from the layer.
XcDpuRefusal xc_windows_begin(xc_windows *windows, XcDpuCodeGen *gen,
                              const XcDpuLayer *layer, int32_t engine_rows,
                              int32_t max_row_step, int32_t weight_words,
                              int64_t weight_bytes);
void xc_windows_end(xc_windows *windows);

/// Output rows of a block.
int32_t xc_windows_rows(const xc_windows *windows, int32_t block);

/// Loads the rows of a block that are not in the banks yet.
void xc_windows_load(xc_windows *windows, int32_t tile, int32_t block);

/// `y` is a row of `block`; `max_pad` bounds the distances to the last row and
/// column.
xc_window_start xc_windows_start(const xc_windows *windows, int32_t tile,
                                 int32_t block, int32_t y, int32_t rows,
                                 int32_t max_pad_right, int32_t max_pad_bottom);

/// A free place for a block of output rows in image group 1.
uint32_t xc_windows_out_address(xc_windows *windows);

/// Saves a block of `groups` words per pixel as channels first..first+count-1.
void xc_windows_save(xc_windows *windows, int32_t tile, int32_t block,
                     uint32_t address, uint32_t groups, int32_t first,
                     int32_t count);

#endif // XC_TARGET_DPU_CODEGEN_EMIT_H
