//===- Family.h - code generation of a family ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family of DPUs as the code generator sees it: the engine of each kind of
// layer, where weights lie in DDR, and how they are loaded. Limits come from
// the target and from its instructions.
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_FAMILY_H
#define XC_TARGET_DPU_CODEGEN_FAMILY_H

#include "Plan/LayerKind.h"

#include "Target/DPU/Families.h"

/// Weights of a convolution. [OC][KH][KW][IC]
typedef struct xc_conv_weights {
  int32_t out_channels, kernel_h, kernel_w, in_channels;
} xc_conv_weights;

/// Bytes from the first one of a weight register.
typedef struct xc_weight_place {
  int32_t reg; // by number among them
  size_t offset;
} xc_weight_place;

typedef struct xc_family {
  const XcDpuIsa *isa;
  /// By XcDpuLayerKind; null: no engine computes such layers.
  const xc_layer_engine *engines[XC_NUM_LAYER_KINDS];
  /// Bytes of the weights in each of their registers.
  size_t (*weight_bytes)(const XcDpuTarget *target,
                         const xc_conv_weights *weights);
  /// Where those of an output channel follow each other.
  xc_weight_place (*place_weights)(const XcDpuTarget *target,
                                   const xc_conv_weights *weights,
                                   int32_t channel);
  /// LOADs that bring the weights of so many chunks, and bytes of a port.
  xc_transfers (*weight_transfers)(const xc_tile_request *request,
                                   int64_t chunks);
  /// Loads groups first..first+count-1 of output channels.
  void (*load_weights)(xc_emitter *emitter, int32_t first, int32_t count,
                       uint32_t address);
} xc_family;

#define FAMILY(Name) extern const xc_family xc_family_##Name;
XC_DPU_FAMILIES(FAMILY)
#undef FAMILY

/// Returns the family of a target whose instructions are known.
const xc_family *xc_family_of(const XcDpuTarget *target);

/// Does the opposite of xcDpuLayoutColumnWeights and
/// xcDpuLayoutDiagonalWeights: `registers` have the bytes that these write,
/// `ohwi` and `hwc` are all zero.
void xc_read_column_weights(const XcDpuTarget *target,
                            const XcDpuColumnWeights *weights,
                            const int8_t *const *registers, int8_t *ohwi);
void xc_read_diagonal_weights(const XcDpuTarget *target,
                              const XcDpuDiagonalWeights *weights,
                              const int8_t *const *registers, int8_t *hwc);

/// Returns the engine of a layer, or null.
const xc_layer_engine *xc_layer_engine_of(const XcDpuTarget *target,
                                          const XcDpuLayer *layer);

//===----------------------------------------------------------------------===//
// Engines that families share
//===----------------------------------------------------------------------===//

extern const xc_layer_engine xc_conv_engine, xc_diagonal_engine,
    xc_elementwise_engine, xc_argmax_engine, xc_fill_engine;

/// For the `layers` of an xc_channel_engine.
#define XC_CHANNEL_LAYERS                                                      \
  .check = xc_channel_check, .split = xc_channel_split,                        \
  .plan = xc_channel_plan, .emit = &xc_channel_emitter

extern const xc_emitter_ops xc_channel_emitter;

#endif // XC_TARGET_DPU_CODEGEN_FAMILY_H
