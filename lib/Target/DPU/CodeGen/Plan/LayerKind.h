//===- LayerKind.h - what the code generator knows of a layer -----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer kind is a row of traits, one for each XcDpuLayerKind (LayerKinds.c).
// An engine checks a layer, splits it into units, plans a unit and emits its
// code. A family (Family.h) says which engine it has for each kind of layer.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_LAYERKIND_H
#define XC_TARGET_DPU_CODEGEN_PLAN_LAYERKIND_H

#include "Unit.h"

#include "xc-c/DPUIsa.h"

typedef struct xc_emitter xc_emitter;
struct xc_window_start;

/// Writes the code of one unit, block by block from the top.
typedef struct xc_emitter_ops {
  /// Allocates what the emitter keeps while it writes, and frees it.
  void (*begin)(xc_emitter *emitter);
  void (*end)(xc_emitter *emitter);
  /// All parameters at once. Called before the first block, if at all.
  void (*load_parameters)(xc_emitter *emitter);
  /// The next block.
  void (*emit_block)(xc_emitter *emitter, int32_t block);
  /// All blocks, in whatever order is best.
  void (*emit_all)(xc_emitter *emitter);
  /// All blocks of a chunk of output channels, of units that share weights.
  /// Null if there are no such chunks.
  void (*emit_chunk)(xc_emitter *emitter, int32_t chunk);
} xc_emitter_ops;

enum { XC_NUM_LAYER_KINDS = XcDpuLayerKindDiagonal + 1 };

typedef struct xc_layer_kind {
  const char *name;      // in schedules
  XcDpuRange inputs;     // how many there are
  bool has_kernel;       // kernelH, kernelW and the strides have a meaning
  bool has_window;       // the first input is read by windows
  bool scales;           // scaleH and scaleW have a meaning
  bool broadcasts;       // an input of one row or column stands for all
  bool is_per_channel;   // weights and bias have one element for each channel
  bool is_diagonal;      // the same, with weights of the convolution engine
  bool stays_in_banks;   // the result can, if nothing is scaled
  bool can_cascade;      // can be a unit of a cascade
  bool saves_whole_rows; // one SAVE steps over the pixels of a row
  XcDpuElementwiseKind elementwise;
} xc_layer_kind;

const xc_layer_kind *xc_layer_kind_of(const XcDpuLayer *layer);

/// Whether each channel is computed by itself and none has parameters of its
/// own, so that any channels can be a unit.
static inline bool xc_has_free_channels(const xc_unit *unit) {
  return unit->kind->has_window && unit->layer.kind != XcDpuLayerKindConv &&
         !unit->kind->is_diagonal && !unit->kind->is_per_channel;
}

/// An engine: functions that check, split, plan and emit the layers that it
/// computes.
typedef struct xc_layer_engine {
  XcDpuRefusal (*check)(const XcDpuTarget *target, const XcDpuLayer *layer);
  /// The most channels of a unit. Null: a layer is one unit.
  XcDpuRefusal (*split)(const XcDpuTarget *target, const XcDpuLayer *layer,
                        int32_t *channels);
  /// Plans a unit in its layout, or says why it does not fit there.
  XcDpuRefusal (*plan)(const XcDpuTarget *target, const xc_unit *unit,
                       xc_unit_plan *plan);
  const xc_emitter_ops *emit;
  /// Words of each parameter bank that a unit takes and that a transfer may
  /// bring; null: there are none.
  int32_t (*joint_words)(const XcDpuTarget *target, const xc_unit *unit,
                         xc_parameter_bank bank);
} xc_layer_engine;

/// Plans the unit in its layout; false if it does not fit there.
static inline bool xc_plan_unit(const XcDpuTarget *target, xc_unit *unit) {
  return xc_is_accepted(unit->engine->plan(target, unit, &unit->plan));
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

XcDpuRefusal xc_conv_check(const XcDpuTarget *target, const XcDpuLayer *layer);
/// The most channels of a diagonal layer.
XcDpuRefusal xc_conv_split(const XcDpuTarget *target, const XcDpuLayer *layer,
                           int32_t *channels);
XcDpuRefusal xc_conv_plan(const XcDpuTarget *target, const xc_unit *unit,
                          xc_unit_plan *plan);
int32_t xc_conv_joint_words(const XcDpuTarget *target, const xc_unit *unit,
                            xc_parameter_bank bank);

//===----------------------------------------------------------------------===//
// Windows channel by channel
//===----------------------------------------------------------------------===//

/// The description of an engine that computes each channel by itself, by its
/// family.
typedef struct xc_channel_engine {
  xc_layer_engine layers; // the functions below, and xc_channel_emitter
  /// Limits of the engine; without rows the target has none.
  const XcDpuEngine *(*limits)(const XcDpuTarget *target);
  bool (*has)(const XcDpuTarget *target, const XcDpuLayer *layer);
  /// The shifts, factors and activations that there are fields for.
  void (*check)(const XcDpuTarget *target, const XcDpuLayer *layer,
                XcDpuRefusal *refusal);
  /// Words of a pixel that fields and parameter banks take.
  int32_t (*max_groups)(const XcDpuTarget *target, const XcDpuLayer *layer);
  int32_t (*max_row_step)(const XcDpuTarget *target);
  /// Sets the words of the parameter banks; a pixel has `groups` words.
  void (*count_words)(const XcDpuLayer *layer, int32_t groups,
                      xc_unit_plan *plan);
  /// Cycles for each word of the result.
  int64_t (*window_cycles)(const XcDpuTarget *target, const XcDpuLayer *layer);
  void (*load_parameters)(xc_emitter *emitter);
  /// Instructions can take a part of the words of a pixel.
  bool parts_words;
  /// Computes output rows `out` from the window at `start`: all words, or those
  /// that the emitter says.
  void (*emit_rows)(xc_emitter *emitter, const struct xc_window_start *start,
                    const xc_rows *out, int32_t rows);
} xc_channel_engine;

XcDpuRefusal xc_channel_check(const XcDpuTarget *target,
                              const XcDpuLayer *layer);
XcDpuRefusal xc_channel_split(const XcDpuTarget *target,
                              const XcDpuLayer *layer, int32_t *channels);
XcDpuRefusal xc_channel_plan(const XcDpuTarget *target, const xc_unit *unit,
                             xc_unit_plan *plan);
int32_t xc_channel_joint_words(const XcDpuTarget *target, const xc_unit *unit,
                               xc_parameter_bank bank);

/// A window_cycles: one cycle for each element of the kernel.
int64_t xc_kernel_elements(const XcDpuTarget *target, const XcDpuLayer *layer);

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// Returns the pixels that the engine sees: those of the result, before they
/// are repeated.
const XcDpuImage *xc_elementwise_extent(const XcDpuLayer *layer);
/// Returns the number of rows from one lane of an ELEW to the next: a lane
/// takes the bank after that of the lane before in the result, whose banks have
/// so many rows, and one that is not too far away in each input that has rows
/// of its own. 0: an instruction computes one row.
int32_t xc_elementwise_step(const XcDpuTarget *target, uint32_t result_rows,
                            const uint32_t *input_rows, size_t num_inputs);
/// Returns the number of rows that an instruction computes.
int32_t xc_elementwise_rows(const XcDpuTarget *target, int32_t step);
XcDpuRefusal xc_elementwise_check(const XcDpuTarget *target,
                                  const XcDpuLayer *layer);
XcDpuRefusal xc_elementwise_split(const XcDpuTarget *target,
                                  const XcDpuLayer *layer, int32_t *channels);
XcDpuRefusal xc_elementwise_plan(const XcDpuTarget *target, const xc_unit *unit,
                                 xc_unit_plan *plan);

XcDpuRefusal xc_fill_check(const XcDpuTarget *target, const XcDpuLayer *layer);
XcDpuRefusal xc_fill_plan(const XcDpuTarget *target, const xc_unit *unit,
                          xc_unit_plan *plan);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_LAYERKIND_H
