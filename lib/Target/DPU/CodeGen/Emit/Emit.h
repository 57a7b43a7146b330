//===- Emit.h - what the emitters share ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_EMIT_EMIT_H
#define XC_TARGET_DPU_CODEGEN_EMIT_EMIT_H

#include "Target/DPU/CodeGen/Order/TileTasks.h"
#include "Target/DPU/CodeGen/Plan/LayerKind.h"
#include "Target/DPU/CodeGen/Schedule/Schedule.h"

#include "Support/Memory.h"

/// Identifies parameters in a bank: whose they are, and which part.
typedef struct xc_ring_key {
  XcDpuLayerKind kind;
  uint32_t source, step; // its weights, or its bias
  int32_t in_channels, first_channel, channels, all_channels;
  int32_t first_group, groups, columns, words; // words of a group
} xc_ring_key;

typedef struct xc_ring_entry {
  xc_ring_key key;
  uint64_t begin; // words that had been taken before
} xc_ring_entry;

/// A bank of parameters, used as a ring buffer: what a layer loads lies after
/// what the layer before it uses, so that it can be prefetched.
typedef struct xc_ring {
  uint32_t depth;
  uint64_t taken;
  /// Words that the current units may take. What lies there counts as
  /// overwritten.
  uint64_t reserved;
  xc_ring_entry *entries; // in the order of their words
  size_t first, count, capacity;
} xc_ring;

/// Takes the next `words` words, at most `depth`, and returns their address.
/// Words beyond the end continue at the beginning, as all addresses of
/// instructions wrap.
uint32_t xc_ring_take(xc_ring *ring, uint32_t words);
/// Takes words with a key, and sets their address. Returns whether they are in
/// the bank already and stay there as long as the current units need them:
/// frames of a batch, and phases of a dilated convolution, have the same
/// weights.
bool xc_ring_take_again(xc_ring *ring, const xc_ring_key *key, uint32_t words,
                        uint32_t *address);
/// Begins units that take up to `words` words.
void xc_ring_reserve(xc_ring *ring, uint64_t words);
/// Whether the words are there already. xc_ring_put takes words with a key in
/// any case.
bool xc_ring_find(const xc_ring *ring, const xc_ring_key *key,
                  uint32_t *address);
uint32_t xc_ring_put(xc_ring *ring, const xc_ring_key *key, uint32_t words);
void xc_ring_free(xc_ring *ring);

struct xc_elementwise;

/// The code that emitters append to, with the state of the banks.
typedef struct xc_emission {
  const XcDpuTarget *target;
  const struct xc_family *family;
  /// xc_max_length and xc_max_pitch, which all transfers ask for.
  int32_t max_length, max_pitch;
  xc_code code;
  xc_ring weights, depthwise_weights, bias, depthwise_bias;
} xc_emission;

/// Either all of it is zero, or it has been begun before: its memory is used
/// again.
void xc_emission_begin(xc_emission *gen, const XcDpuTarget *target);
void xc_emission_end(xc_emission *gen);

/// Emits the units from `first` to `last`, cascades block by block. `ends`, if
/// not null, gets the instruction up to which each unit goes, or its cascade.
void xc_emit_units(xc_emission *gen, const xc_schedule *schedule, size_t first,
                   size_t last, size_t *ends);

/// Emits a unit to see whether its instructions fit their encoding.
XcDpuRefusal xc_try_unit(const XcDpuTarget *target, const xc_unit *unit);

/// Empty tile tasks for code of `count` units of the schedule, as
/// xc_tile_tasks_begin makes them.
void xc_begin_tasks(xc_tile_tasks *tasks, const xc_schedule *schedule,
                    size_t first, size_t count);

/// Memory that estimates need, one after the other. Zero-initialise.
typedef struct xc_estimate_memory {
  xc_emission emission;
  xc_tile_tasks tasks;
  /// Cycles that estimates add for each byte that is loaded or saved.
  double byte_price;
} xc_estimate_memory;

void xc_estimate_memory_free(xc_estimate_memory *memory);

/// Estimates the code of units and adds the price of its bytes; the function of
/// an xc_schedule_estimator.
void xc_estimate_units(xc_estimate_memory *memory, const xc_schedule *schedule,
                       size_t first, size_t last, int64_t *ends);

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Of a Conv or Diagonal unit: return the number of input channels of its
/// weights, and of output channels whose weights lie together. These are those
/// of one column where a pixel serves several.
int32_t xc_conv_in_channels(const XcDpuTarget *target, const xc_unit *unit);
int32_t xc_conv_weight_channels(const XcDpuTarget *target, const xc_unit *unit);

/// Returns the number of chunks of weights. Where the weights of the last group
/// of channels lie apart in a transfer, they are one more chunk and no part of
/// the last one.
int32_t xc_num_weight_parts(const xc_unit *unit);

/// Return the ring keys of a part of the weights, and of the values of all
/// channels of a unit.
xc_ring_key xc_weights_key(const XcDpuTarget *target, const xc_unit *unit,
                           int32_t part);
xc_ring_key xc_channels_key(const xc_unit *unit, xc_parameter_bank bank,
                            int32_t words);

/// Reserves the parameters that units find in the banks, so that the parameters
/// that they load do not overwrite them.
void xc_reserve_parameters(xc_emission *gen, const xc_schedule *schedule,
                           size_t first, size_t count);

/// Loads the transfers that have parameters of the units first..first+count-1,
/// which run together, as far as these are not in the banks.
void xc_load_transfers(xc_emission *gen, const xc_schedule *schedule,
                       size_t first, size_t count);

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Pixels x..x+count-1 of row y.
typedef struct xc_pixels {
  const XcDpuImage *image;
  int32_t y, x, count;
} xc_pixels;

/// Loads pixels to `bank` at `address`, without gaps.
void xc_load_pixels(xc_emission *gen, const xc_pixels *pixels, uint32_t bank,
                    uint32_t address);

/// Does the same with kernel columns as channels.
void xc_load_augmented(xc_emission *gen, const xc_pixels *pixels,
                       const xc_augmentation *augmentation, uint32_t bank,
                       uint32_t address);

/// Fills words with zeros, for which `image` has a zero run.
void xc_load_zeros(xc_emission *gen, const XcDpuImage *image, uint32_t bank,
                   uint32_t address, int32_t words);

/// Saves pixels that lie `step` words apart.
void xc_save_pixels(xc_emission *gen, const xc_pixels *pixels, uint32_t bank,
                    uint32_t address, uint32_t step);

//===----------------------------------------------------------------------===//
// Windows: what convolution, depthwise and pools share
//===----------------------------------------------------------------------===//

typedef struct xc_windows {
  xc_emission *gen;
  const xc_unit *unit;
  const xc_tile_request *request; // of the unit
  const xc_tile_plan *plan;
  /// The contents of each row of a slot: the row's number among all bands, plus
  /// 1.
  int64_t *contents;
  bool shares_contents; // with another unit
  int32_t strips_tile;  // whose strips have been loaded, plus 1; 0: none
  bool has_source;      // of rows that are copied
  int32_t out_blocks;   // so far
} xc_windows;

/// Where the window of output rows y..y+rows-1 begins.
typedef struct xc_window_start {
  uint32_t bank, row_offset; // row within the bank
  uint32_t addresses[XC_MAX_BANDS];
  uint32_t pixel_words, row_words;
  uint32_t pad_left, pad_top, pad_right, pad_bottom;
  uint32_t length;
} xc_window_start;

/// `unit` must outlive the windows.
void xc_windows_begin(xc_windows *windows, xc_emission *gen,
                      const xc_unit *unit);
void xc_windows_end(xc_windows *windows);
/// Takes the rows that another unit loads into the same area, which outlives
/// it.
void xc_windows_share(xc_windows *windows, const xc_windows *other);
/// Forgets everything that has been loaded.
void xc_windows_forget(xc_windows *windows);

/// Output rows of a block.
int32_t xc_windows_rows(const xc_windows *windows, int32_t block);

/// If rows are copied: loads the input that they are copied from.
void xc_windows_load_source(xc_windows *windows);

/// Loads the rows of a block that are not in the banks yet.
void xc_windows_load(xc_windows *windows, int32_t tile, int32_t block);

/// `y` is a row of `block`; `max_pad` bounds the distances to the last row and
/// column.
xc_window_start xc_windows_start(const xc_windows *windows, int32_t tile,
                                 int32_t block, int32_t y, int32_t rows,
                                 int32_t max_pad_right, int32_t max_pad_bottom);

/// Where the rows of a block go: to the unit's image in the banks, or to a free
/// slot for blocks on their way to DDR. `group` is the first word of a pixel,
/// and `groups` the number of words.
xc_rows xc_windows_out_rows(xc_windows *windows, int32_t block, uint32_t group,
                            uint32_t groups);

/// Saves a block as channels first..first+count-1, if the unit saves.
void xc_windows_save(xc_windows *windows, int32_t tile, int32_t block,
                     const xc_rows *rows, int32_t first, int32_t count);

//===----------------------------------------------------------------------===//
// Strips of columns of the last rows (Plan/Strips.h)
//===----------------------------------------------------------------------===//

/// Whether a block is cut into strips.
bool xc_has_strips(const xc_windows *windows, int32_t block);

/// Loads the strips of a tile, unless they are there.
void xc_strips_load(xc_windows *windows, int32_t tile);

/// Where the windows of output row `y` begin, and the rows of the kernel that
/// they have.
typedef struct xc_strip_start {
  xc_window_start start;
  int32_t kernel_row, kernel_rows;
} xc_strip_start;

xc_strip_start xc_strips_start(const xc_windows *windows, int32_t y);

/// Where the results of a block of strips go before they are copied to an image
/// in the banks.
xc_rows xc_strips_out_rows(xc_windows *windows, uint32_t groups);
/// Computes row `y` of the block from its results, in the place of the first
/// input: in these, or in the result if that is an image in the banks.
void xc_strips_combine(xc_windows *windows, const struct xc_elementwise *with,
                       const xc_rows *row, int32_t y);

/// Loads the columns of the strips of all rows of another image; `rows` is the
/// slot for them, of pixels of `groups` words.
void xc_strips_load_operand(xc_windows *windows, const XcDpuImage *image,
                            const xc_rows *rows, uint32_t groups);
/// Returns the results of row `y`, of pixels of `groups` words: those of a
/// strip lie in one bank. `rows` is the slot of the block.
xc_rows xc_strips_out_row(const xc_windows *windows, const xc_rows *rows,
                          int32_t y, uint32_t groups);
/// Saves them as channels first..first+count-1.
void xc_strips_save(xc_windows *windows, const xc_rows *row, int32_t y,
                    int32_t first, int32_t count);

//===----------------------------------------------------------------------===//
// Emitters
//===----------------------------------------------------------------------===//

/// Words first..first+count-1 of a pixel.
typedef struct xc_words {
  int32_t first, count;
} xc_words;

struct xc_emitter {
  xc_emission *gen;
  const xc_unit *unit;
  xc_windows windows; // not for elementwise units
  union {
    struct {
      int32_t kernel_pixels, in_channels, out_channels;
      /// Output channels whose weights lie together, and the group of them that
      /// is the first one of the unit.
      int32_t weight_channels, first_group;
      int32_t columns;       // that are computed from one of the input
      uint32_t weight_words; // of one output channel in one of them
      uint32_t bias_address;
      bool has_bias;
      /// Of the parts of the weights in the banks, or -1.
      int32_t *part_addresses;
      uint32_t operand_blocks; // of the second input, so far
    } conv;
    struct {
      uint32_t groups; // words of a pixel
      xc_words words;  // those that are computed next
      uint32_t weights_address, bias_address;
    } channels;
    struct {
      uint32_t groups; // words of a pixel
      uint32_t num_slots, next_slot;
      uint32_t num_out_slots, next_out_slot;
    } elew;
  };
};

extern const xc_emitter_ops xc_conv_emitter, xc_elementwise_emitter,
    xc_fill_emitter;

/// Loads groups first..first+count-1 of output channels whose weights lie among
/// those of other layers.
void xc_load_joint_weights(xc_emitter *emitter, int32_t first, int32_t count,
                           uint32_t address);

/// Loads `count` pieces of the unit's channels from `address` in the
/// parameters, of which there are `parameter_channels`, without gaps.
void xc_load_channel_values(xc_emitter *emitter, const XcDpuBanks *banks,
                            uint32_t bank_address, uint32_t address,
                            uint32_t count);

/// Does the same for some words of the channels.
void xc_load_channel_words(xc_emitter *emitter, const XcDpuBanks *banks,
                           uint32_t bank_address, uint32_t address,
                           uint32_t count, xc_words words);

//===----------------------------------------------------------------------===//
// Elementwise instructions
//===----------------------------------------------------------------------===//

typedef struct xc_elementwise {
  XcDpuElementwiseKind kind;
  XcActivation activation;
  size_t num_inputs;
  xc_rows inputs[XC_DPU_MAX_INPUTS];
  /// An input of one row, or pixel, that is broadcast.
  bool broadcasts_row[XC_DPU_MAX_INPUTS], broadcasts_pixel[XC_DPU_MAX_INPUTS];
  int32_t shift_read[XC_DPU_MAX_INPUTS], shift_write;
  xc_rows result;
  uint32_t length, groups; // pixels of a row, words of a pixel
  int32_t rows;
} xc_elementwise;

/// Computes a block of rows.
void xc_emit_elementwise(xc_emission *gen, const xc_elementwise *elementwise);

#endif // XC_TARGET_DPU_CODEGEN_EMIT_EMIT_H
