//===- Emit.h - what the emitters share ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_EMIT_EMIT_H
#define XC_TARGET_DPU_CODEGEN_EMIT_EMIT_H

#include "Code.h"
#include "Target/DPU/CodeGen/Plan/Rows.h"
#include "Target/DPU/CodeGen/Plan/TilePlan.h"
#include "Target/DPU/CodeGen/Plan/Unit.h"

#include "Support/Memory.h"

/// A bank of parameters, used as a ring: what a layer loads lies behind what
/// the layer before it uses, so that it can come early.
typedef struct xc_ring {
  uint32_t depth, next;
} xc_ring;

/// Address of the next `words` words, at most `depth`. What reaches beyond the
/// end goes on at the beginning, as all addresses of instructions do.
uint32_t xc_ring_take(xc_ring *ring, uint32_t words);

typedef struct xc_layer_name {
  XcDpuLayer layer; // with its own strings
} xc_layer_name;

/// Layers that take turns, or one layer: a row of reports.
typedef struct xc_span {
  size_t first_layer, last_layer;
  size_t first;     // instruction
  int64_t estimate; // cycles until its end
} xc_span;

struct XcDpuCodeGen {
  const XcDpuTarget *target;
  xc_units units;
  xc_arena arena; // of the units' places
  xc_code code;
  xc_ring weights, depthwise_weights, bias;
  xc_layer_name *layers;
  size_t num_layers, layers_capacity;
  xc_span *spans;
  size_t num_spans, spans_capacity;
  unsigned char *bytes; // after finishing
  size_t num_bytes;
};

static const XcDpuRefusal xc_accepted = {XcDpuRefusalReasonNone, 0, 0, 0};

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

/// The byte behind the last one.
uint64_t xc_image_end(const XcDpuImage *image);

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
  const xc_unit *unit;
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
  uint32_t bank, row_offset; // row within the bank
  uint32_t addresses[XC_MAX_BANDS];
  uint32_t pixel_words, row_words;
  uint32_t pad_left, pad_top, pad_right, pad_bottom;
  uint32_t length;
} xc_window_start;

/// What a plan needs to know of a unit; `layer` is that of the unit, or the
/// same with its input augmented.
xc_tile_request xc_windows_request(const XcDpuTarget *target,
                                   const xc_unit *unit, const XcDpuLayer *layer,
                                   int32_t engine_rows, int32_t max_row_step,
                                   int32_t weight_words, int64_t weight_bytes);

/// Plans. `unit` and `layer` must outlive the windows.
XcDpuRefusal xc_windows_begin(xc_windows *windows, XcDpuCodeGen *gen,
                              const xc_unit *unit, const XcDpuLayer *layer,
                              const xc_tile_request *request);
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

/// Where the rows of a block go, of which `group` is the first word of a pixel
/// and `groups` the number of words: the unit's place in the banks, or a free
/// place for blocks on their way to DDR.
xc_rows xc_windows_out_rows(xc_windows *windows, int32_t block, uint32_t group,
                            uint32_t groups);

/// Saves a block as channels first..first+count-1, if the unit saves.
void xc_windows_save(xc_windows *windows, int32_t tile, int32_t block,
                     const xc_rows *rows, int32_t first, int32_t count);

//===----------------------------------------------------------------------===//
// Emitters
//===----------------------------------------------------------------------===//

typedef struct xc_emitter xc_emitter;

/// What emits the code of one unit, block by block from the top.
typedef struct xc_emitter_kind {
  /// All parameters at once. Called before the first block, if at all.
  void (*load_parameters)(xc_emitter *emitter);
  /// The next block.
  void (*emit_block)(xc_emitter *emitter, int32_t block);
  /// All blocks, in whatever order is best.
  void (*emit_all)(xc_emitter *emitter);
  void (*end)(xc_emitter *emitter);
} xc_emitter_kind;

struct xc_emitter {
  const xc_emitter_kind *kind;
  XcDpuCodeGen *gen;
  const xc_unit *unit;
  xc_windows windows;   // not for elementwise units
  XcDpuLayer augmented; // convolutions
  xc_augmentation augmentation;
  int32_t num_blocks, block_rows, num_tiles;
  union {
    struct {
      int32_t kernel_pixels, in_channels, out_channels;
      uint32_t weight_words; // of one output channel
      uint32_t bias_address;
      bool has_bias;
      int32_t *chunk_addresses; // in the weight banks, or -1
      uint32_t operand_blocks;  // of the second input, so far
    } conv;
    struct {
      XcDpuAluMode mode;
      uint32_t groups; // words of a pixel
      uint32_t weights_address, bias_address;
      bool has_parameters;
    } alu;
    struct {
      bool computes; // or only moves
      uint32_t groups;
      int32_t tile_width;
      uint32_t num_slots, next_slot;
      uint32_t num_out_slots, next_out_slot;
    } elew;
  };
};

/// Checks and plans a unit where its places are.
XcDpuRefusal xc_emitter_begin(xc_emitter *emitter, XcDpuCodeGen *gen,
                              const xc_unit *unit);
XcDpuRefusal xc_conv_begin(xc_emitter *emitter);
XcDpuRefusal xc_alu_begin(xc_emitter *emitter);
XcDpuRefusal xc_elew_begin(xc_emitter *emitter);
XcDpuRefusal xc_fill_begin(xc_emitter *emitter);
void xc_emitter_end(xc_emitter *emitter);

/// Removes all code, so that the first unit can be emitted again.
void xc_take_code_back(XcDpuCodeGen *gen);

/// Estimates a unit where its places are: false if it does not fit there.
bool xc_estimate_conv(const XcDpuTarget *target, const xc_unit *unit,
                      xc_estimate *result);
bool xc_estimate_alu(const XcDpuTarget *target, const xc_unit *unit,
                     xc_estimate *result);
bool xc_estimate_elew(const XcDpuTarget *target, const xc_unit *unit,
                      xc_estimate *result);

XcDpuRefusal xc_units_add_layer(XcDpuCodeGen *gen, const XcDpuLayer *layer);
/// Adds a unit if it can be scheduled with all its images in DDR.
XcDpuRefusal xc_units_add(XcDpuCodeGen *gen, const XcDpuLayer *layer,
                          int32_t parameter_channels);

/// Splits a layer of many channels into units that can be scheduled.
XcDpuRefusal xc_split_alu(XcDpuCodeGen *gen, const XcDpuLayer *layer);
XcDpuRefusal xc_split_elew(XcDpuCodeGen *gen, const XcDpuLayer *layer);

//===----------------------------------------------------------------------===//
// Elementwise instructions
//===----------------------------------------------------------------------===//

typedef struct xc_elementwise {
  XcDpuElementwiseKind kind;
  XcActivation activation;
  size_t num_inputs;
  xc_rows inputs[XC_DPU_MAX_INPUTS];
  /// An input of one row, or pixel, that stands for all.
  bool repeats_row[XC_DPU_MAX_INPUTS], repeats_pixel[XC_DPU_MAX_INPUTS];
  int32_t shift_read[XC_DPU_MAX_INPUTS], shift_write;
  xc_rows result;
  uint32_t length, groups; // pixels of a row, words of a pixel
  int32_t rows;
} xc_elementwise;

/// Computes a block of rows.
void xc_emit_elementwise(XcDpuCodeGen *gen, const xc_elementwise *elementwise);

#endif // XC_TARGET_DPU_CODEGEN_EMIT_EMIT_H
