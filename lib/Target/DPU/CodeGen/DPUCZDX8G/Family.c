//===- Family.c - code generation of DPUCZDX8G ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In DDR the weights of the output channels that one bank serves lie one after
// the other, so that one LOAD brings several groups: [lane][group][kh][kw][ic]
// of the full groups, then [lane][kh][kw][ic] of the last one, if it is not
// full.
//
//===----------------------------------------------------------------------===//

#include "Engines.h"

#include "Target/DPU/CodeGen/Emit/Emit.h"

#include <string.h>

static size_t channel_bytes(const xc_conv_weights *w) {
  return (size_t)w->kernel_h * (size_t)w->kernel_w * (size_t)w->in_channels;
}

static size_t weight_bytes(const XcDpuTarget *target,
                           const xc_conv_weights *w) {
  (void)target;
  return (size_t)w->out_channels * channel_bytes(w);
}

static xc_weight_place place_weights(const XcDpuTarget *target,
                                     const xc_conv_weights *w,
                                     int32_t channel) {
  int32_t lanes = target->weights.numBanks;
  int32_t full = w->out_channels / lanes;
  int32_t group = channel / lanes, lane = channel % lanes;
  int32_t before = group < full ? lane * full + group : full * lanes + lane;
  return (xc_weight_place){.offset = (size_t)before * channel_bytes(w)};
}

/// Returns a LOAD for each bank.
static xc_transfers weight_transfers(const xc_tile_request *request,
                                     int64_t chunks) {
  return (xc_transfers){chunks * request->target->weights.numBanks,
                        request->out_groups * request->columns *
                            request->weight_bytes};
}

static void load_lane(xc_emitter *e, int32_t lane, uint32_t source,
                      int32_t groups, uint32_t address) {
  xc_emission *gen = e->windows.gen;
  const XcDpuTarget *target = gen->target;
  uint32_t in_groups = (uint32_t)e->windows.request->engine_groups;
  int32_t at_once = gen->max_length / e->conv.kernel_pixels;
  for (int32_t done = 0; done < groups; done += at_once) {
    int32_t now = groups - done < at_once ? groups - done : at_once;
    uint32_t pixels = (uint32_t)(done * e->conv.kernel_pixels);
    XcDpuLoad load = {
        .bank_id = (uint32_t)(target->weights.firstBank + lane),
        .bank_addr = (address + pixels * in_groups) % gen->weights.depth,
        .jump_read = (uint32_t)e->conv.in_channels,
        .jump_write = in_groups,
        .pad_idx = 1,
        .channel = (uint32_t)e->conv.in_channels,
        .length = (uint32_t)(now * e->conv.kernel_pixels),
        .reg_id = (uint32_t)target->weightsRegister[0],
        .ddr_addr = source + pixels * (uint32_t)e->conv.in_channels,
    };
    xc_code_load(&gen->code, &load);
  }
}

/// Loads groups first..first+count-1 of output channels.
static void load_weights(xc_emitter *e, int32_t first, int32_t count,
                         uint32_t address) {
  const XcDpuTarget *target = e->windows.gen->target;
  int32_t lanes = target->weights.numBanks;
  int32_t full = e->conv.weight_channels / lanes;
  int32_t rest = e->conv.weight_channels % lanes;
  uint32_t size = (uint32_t)(e->conv.kernel_pixels * e->conv.in_channels);
  uint32_t base = e->unit->layer.weights;
  first += e->conv.first_group;
  int32_t full_count = first + count > full ? full - first : count;
  for (int32_t lane = 0; lane < lanes; ++lane) {
    if (full_count > 0)
      load_lane(e, lane, base + (uint32_t)(lane * full + first) * size,
                full_count, address);
    if (full_count < count && lane < rest)
      load_lane(e, lane, base + (uint32_t)(lanes * full + lane) * size, 1,
                address + (uint32_t)full_count * e->conv.weight_words);
  }
}

#define ALU &xc_alu_engine.layers

const xc_family xc_family_DPUCZDX8G = {
    .isa = &xc_dpu_isa_DPUCZDX8G,
    .engines =
        {
            [XcDpuLayerKindConv] = &xc_conv_engine,
            [XcDpuLayerKindDepthwise] = ALU,
            [XcDpuLayerKindMaxPool] = ALU,
            [XcDpuLayerKindAveragePool] = ALU,
            [XcDpuLayerKindAveragePool16] = ALU,
            [XcDpuLayerKindHardSigmoid] = ALU,
            [XcDpuLayerKindLeakyRelu] = ALU,
            [XcDpuLayerKindPrelu] = ALU,
            [XcDpuLayerKindAdd] = &xc_elementwise_engine,
            [XcDpuLayerKindMul] = &xc_elementwise_engine,
            [XcDpuLayerKindCopy] = &xc_elementwise_engine,
            [XcDpuLayerKindFill] = &xc_fill_engine,
            [XcDpuLayerKindArgmax] = &xc_argmax_engine,
            [XcDpuLayerKindDiagonal] = &xc_diagonal_engine,
        },
    .weight_bytes = weight_bytes,
    .place_weights = place_weights,
    .weight_transfers = weight_transfers,
    .load_weights = load_weights,
};
