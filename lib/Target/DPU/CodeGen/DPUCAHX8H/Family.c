//===- Family.c - code generation of DPUCAHX8H ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights lie in DDR group by group of output channels,
// [group][oc][kh][kw][ic]. A group is split over the weight registers: each
// holds an equal part of its channels at the same address, so that one LOAD
// brings a group to all banks. The last group has the room of a full one.
//
//===----------------------------------------------------------------------===//

#include "Engines.h"

#include "Target/DPU/CodeGen/Emit/Emit.h"

#include <string.h>

static size_t channel_bytes(const xc_conv_weights *w) {
  return (size_t)w->kernel_h * (size_t)w->kernel_w * (size_t)w->in_channels;
}

/// Returns the number of channels of a group that are in one register.
static int32_t part_channels(const XcDpuTarget *target) {
  return target->weights.numBanks / target->numWeightsRegisters;
}

static size_t weight_bytes(const XcDpuTarget *target,
                           const xc_conv_weights *w) {
  int32_t lanes = target->weights.numBanks;
  int32_t groups = (w->out_channels + lanes - 1) / lanes;
  return (size_t)(groups * part_channels(target)) * channel_bytes(w);
}

static xc_weight_place place_weights(const XcDpuTarget *target,
                                     const xc_conv_weights *w,
                                     int32_t channel) {
  int32_t part = part_channels(target), lanes = target->weights.numBanks;
  int32_t lane = channel % lanes;
  int32_t before = channel / lanes * part + lane % part;
  return (xc_weight_place){lane / part, (size_t)before * channel_bytes(w)};
}

/// One LOAD for each group, whose parts come through ports of their own.
static xc_transfers weight_transfers(const xc_tile_request *request,
                                     int64_t chunks) {
  (void)chunks;
  int64_t groups = (int64_t)request->out_groups * request->columns;
  return (xc_transfers){groups, groups * request->weight_bytes /
                                    request->target->numWeightsRegisters};
}

/// Loads `count` kernel pixels of a group of output channels, from pixel
/// `first` on; the group begins at `address`.
static void load_pixels(xc_emitter *e, int32_t group, int32_t first,
                        int32_t count, uint32_t address) {
  xc_emission *gen = e->gen;
  const XcDpuTarget *target = gen->target;
  int32_t lanes = target->weights.numBanks;
  uint32_t channels = (uint32_t)e->conv.in_channels, from = (uint32_t)first;
  uint32_t size = (uint32_t)e->conv.kernel_pixels * channels;
  uint32_t step = (uint32_t)part_channels(target) * size;
  uint32_t words = e->conv.weight_words / (uint32_t)e->conv.kernel_pixels;
  group += e->conv.first_group;
  uint32_t source =
      e->unit->layer.weights + (uint32_t)group * step + from * channels;
  XcDpuLoad load = {
      .bank_id = (uint32_t)target->weightsBroadcastBank,
      .bank_addr = (address + from * words) % gen->weights.depth,
      .jump_read = channels,
      .jump_write = words,
      .pad_idx = 1,
      .channel = channels,
      .length = (uint32_t)count,
      .reg_id = (uint32_t)target->weightsRegister[0],
      .ddr_addr = source,
      .output_channel_num =
          (uint32_t)xc_minimum(lanes, e->conv.weight_channels - group * lanes),
      .jump_read_endl = size,
      .reg_id_1 = (uint32_t)target->weightsRegister[1],
      .ddr_addr_1 = source,
  };
  xc_code_load(&gen->code, &load);
}

/// Kernel pixels of a group for which there is room beside another one.
static int32_t pixels_beside(const xc_emitter *e) {
  int32_t words = (int32_t)e->conv.weight_words;
  int32_t left = (int32_t)e->gen->weights.depth - words;
  return left < words ? left / (words / e->conv.kernel_pixels) : 0;
}

/// If two groups do not fit the banks together, a part of the second one is
/// loaded while the first one is in use.
static void load_weights(xc_emitter *e, int32_t first, int32_t count,
                         uint32_t address) {
  int32_t pixels = e->conv.kernel_pixels, early = pixels_beside(e);
  for (int32_t g = first; g < first + count; ++g) {
    if (early > 0)
      load_pixels(e, g, 0, early, address);
    load_pixels(e, g, early, pixels - early, address);
    address = (address + e->conv.weight_words) % e->gen->weights.depth;
  }
}

const xc_family xc_family_DPUCAHX8H = {
    .isa = &xc_dpu_isa_DPUCAHX8H,
    .engines =
        {
            [XcDpuLayerKindConv] = &xc_conv_engine,
            [XcDpuLayerKindDepthwise] = &xc_depthwise_engine.layers,
            [XcDpuLayerKindMaxPool] = &xc_pool_engine.layers,
            [XcDpuLayerKindAveragePool] = &xc_pool_engine.layers,
            [XcDpuLayerKindAdd] = &xc_elementwise_engine,
            [XcDpuLayerKindCopy] = &xc_elementwise_engine,
            [XcDpuLayerKindDiagonal] = &xc_diagonal_engine,
        },
    .weight_bytes = weight_bytes,
    .place_weights = place_weights,
    .weight_transfers = weight_transfers,
    .load_weights = load_weights,
};
