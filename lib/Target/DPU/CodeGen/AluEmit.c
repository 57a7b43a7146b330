//===- AluEmit.c - depthwise, pools and activations of the misc engine ----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine treats each channel by itself. Where the channels of an image do
// not fit at once, they are computed in parts, each like a layer of its own.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include <assert.h>

enum {
  /// The field jump_read_endl.
  MAX_ROW_STEP = 8192,
  /// The field jump_read_weights.
  MAX_WEIGHT_STEP = 511,
  /// shift_cut of pools and shift_prelu_*: from here on to the right.
  POOL_RIGHT = 8,
  PRELU_RIGHT = 32,
  MAX_POOL_RIGHT = 55,
  MAX_CUT_FIELD = 63,
  MAX_SIGMOID_CUT = 31,
  MAX_SIGMOID_FIX_POINT = 15,
};

typedef struct alu_emitter {
  xc_windows windows;
  XcDpuAluMode mode;
  uint32_t groups; // words of a pixel
  uint32_t weights_address, bias_address;
} alu_emitter;

static bool has_window(XcDpuLayerKind kind) {
  return kind == XcDpuLayerKindDepthwise || kind == XcDpuLayerKindMaxPool ||
         kind == XcDpuLayerKindAveragePool ||
         kind == XcDpuLayerKindAveragePool16;
}

static XcDpuAluMode mode_of(const XcDpuLayer *layer) {
  switch (layer->kind) {
  case XcDpuLayerKindDepthwise:
    return layer->hasBias ? XcDpuAluModeDepthwise : XcDpuAluModeDepthwiseNoBias;
  case XcDpuLayerKindMaxPool:
    return XcDpuAluModeMaxPool;
  case XcDpuLayerKindAveragePool:
    return XcDpuAluModeAveragePool;
  case XcDpuLayerKindAveragePool16:
    return XcDpuAluModeDepthwise16;
  case XcDpuLayerKindHardSigmoid:
    return XcDpuAluModeHardSigmoid;
  case XcDpuLayerKindLeakyRelu:
    return XcDpuAluModeLeakyRelu;
  case XcDpuLayerKindPrelu:
    return XcDpuAluModePrelu;
  case XcDpuLayerKindConv:
  case XcDpuLayerKindAdd:
  case XcDpuLayerKindMul:
  case XcDpuLayerKindCopy:
  case XcDpuLayerKindFill:
  case XcDpuLayerKindArgmax:
    break;
  }
  assert(false && "not a layer of this engine");
  return XcDpuAluModeMaxPool;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// `pixels` pieces of the layer's channels, `step` bytes apart in DDR.
static void load_parameters(alu_emitter *alu, const XcDpuBanks *banks,
                            uint32_t bank_address, uint32_t address,
                            uint32_t pixels, uint32_t step) {
  XcDpuCodeGen *gen = alu->windows.gen;
  XcDpuLoad load = {
      .bank_id = (uint32_t)banks->firstBank,
      .bank_addr = bank_address,
      .jump_read = step,
      .jump_write = alu->groups,
      .pad_idx = 1,
      .channel = (uint32_t)alu->windows.layer->inputs[0].channels,
      .length = pixels,
      .reg_id = (uint32_t)gen->target->parametersRegister,
      .ddr_addr = address,
  };
  xc_code_load(&gen->code, &load);
}

size_t xcDpuFactorBytes(const XcDpuTarget *target, int32_t channels) {
  return 2 * (size_t)xc_words_of(target, channels) *
         (size_t)target->channelParallel;
}

/// The engine takes the first factor of each pair of words; all are the same,
/// for all positions of the window, too.
static void load_factors(alu_emitter *alu) {
  XcDpuCodeGen *gen = alu->windows.gen;
  int32_t channels = alu->windows.layer->inputs[0].channels;
  uint32_t bytes = (uint32_t)xcDpuFactorBytes(gen->target, channels);
  alu->weights_address = xc_ring_take(&gen->depthwise_weights, 2 * alu->groups);
  XcDpuLoad load = {
      .bank_id = (uint32_t)gen->target->depthwiseWeights.firstBank,
      .bank_addr = alu->weights_address,
      .jump_read = bytes,
      .jump_write = 2 * alu->groups,
      .pad_idx = 1,
      .channel = bytes,
      .length = 1,
      .reg_id = (uint32_t)gen->target->parametersRegister,
      .ddr_addr = alu->windows.layer->weights,
  };
  xc_code_load(&gen->code, &load);
}

/// `channels` is that of the whole layer, of which this may be a part.
static void load_all_parameters(alu_emitter *alu, uint32_t channels) {
  XcDpuCodeGen *gen = alu->windows.gen;
  const XcDpuLayer *layer = alu->windows.layer;
  uint32_t pixels = 0;
  if (layer->kind == XcDpuLayerKindDepthwise)
    pixels = (uint32_t)(layer->kernelH * layer->kernelW);
  else if (layer->kind == XcDpuLayerKindPrelu)
    pixels = 1;
  if (pixels > 0) {
    alu->weights_address =
        xc_ring_take(&gen->depthwise_weights, pixels * alu->groups);
    load_parameters(alu, &gen->target->depthwiseWeights, alu->weights_address,
                    layer->weights, pixels, channels);
  }
  if (alu->mode == XcDpuAluModeDepthwise16)
    load_factors(alu);
  if (alu->mode == XcDpuAluModeDepthwise) {
    alu->bias_address = xc_ring_take(&gen->bias, alu->groups);
    load_parameters(alu, &gen->target->bias, alu->bias_address, layer->bias, 1,
                    channels);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static uint32_t shift_field(int32_t shift, int32_t right) {
  return (uint32_t)(shift >= 0 ? right + shift : -shift);
}

static void set_shifts(const alu_emitter *alu, XcDpuAluInit *init) {
  const XcDpuLayer *layer = alu->windows.layer;
  switch (layer->kind) {
  case XcDpuLayerKindDepthwise:
    init->act_type = (uint32_t)layer->activation;
    init->shift_cut = (uint32_t)layer->shiftCut;
    init->shift_bias = layer->hasBias ? (uint32_t)(layer->shiftBias + 1) : 0;
    return;
  case XcDpuLayerKindAveragePool:
    init->multi_factor = (uint32_t)layer->factor & 0xff;
    init->shift_cut = shift_field(layer->shiftCut, POOL_RIGHT);
    return;
  case XcDpuLayerKindMaxPool:
    init->shift_cut = shift_field(layer->shiftCut, POOL_RIGHT);
    return;
  case XcDpuLayerKindAveragePool16:
    init->shift_cut = (uint32_t)layer->shiftCut;
    return;
  case XcDpuLayerKindHardSigmoid:
    init->shift_bias = (uint32_t)layer->shiftBias;
    init->shift_cut = (uint32_t)layer->shiftCut;
    return;
  case XcDpuLayerKindLeakyRelu:
    init->multi_factor = (uint32_t)layer->factor & 0xff;
    init->shift_prelu_p = shift_field(layer->shiftPositive, PRELU_RIGHT);
    init->shift_prelu_n = shift_field(layer->shiftNegative, PRELU_RIGHT);
    return;
  case XcDpuLayerKindPrelu:
    init->shift_prelu_p = shift_field(layer->shiftPositive, PRELU_RIGHT);
    init->shift_prelu_n = shift_field(layer->shiftNegative, PRELU_RIGHT);
    return;
  case XcDpuLayerKindConv:
  case XcDpuLayerKindAdd:
  case XcDpuLayerKindMul:
  case XcDpuLayerKindCopy:
  case XcDpuLayerKindFill:
  case XcDpuLayerKindArgmax:
    return;
  }
}

static XcDpuAluInit make_init(const alu_emitter *alu, uint32_t length) {
  const xc_tile_request *request = &alu->windows.request;
  const xc_tile_plan *plan = &alu->windows.plan;
  uint32_t width = (uint32_t)request->target->channelParallel;
  XcDpuAluInit init = {
      .exec_mode = alu->mode,
      .kernel_h = (uint32_t)request->kernel_h,
      .kernel_w = (uint32_t)request->kernel_w,
      .stride_h = (uint32_t)plan->stride_h,
      .stride_w = (uint32_t)plan->stride_w,
      .stride_out = 1,
      .channel_group = alu->groups,
      .channel_offset = alu->groups * width -
                        (uint32_t)alu->windows.layer->inputs[0].channels,
      .length = length,
      .jump_read = alu->groups,
      .jump_read_endl = plan->stride_h > 1 ? (uint32_t)plan->row_words : 1,
      .jump_write = alu->groups,
      .jump_write_endl = 1,
  };
  if (alu->windows.layer->kind == XcDpuLayerKindDepthwise)
    init.jump_read_weights = alu->groups;
  set_shifts(alu, &init);
  return init;
}

static void emit_rows(alu_emitter *alu, int32_t tile, int32_t block, int32_t y,
                      int32_t rows, uint32_t out) {
  xc_windows *windows = &alu->windows;
  xc_window_start start = xc_windows_start(windows, tile, block, y, rows,
                                           windows->request.kernel_w - 1,
                                           windows->request.kernel_h - 1);
  int32_t first = block * windows->plan.block_rows;
  XcDpuAluInit init = make_init(alu, start.length);
  XcDpuAlu insn = {
      .bank_id_out =
          xc_image_group(windows->gen->target, 1) + (uint32_t)(y - first),
      .bank_addr_out = out,
      .pad_bottom = start.pad_bottom,
      .valid_pixel_parallel = (uint32_t)rows,
      .bank_id_in = start.bank,
      .bank_addr_in = start.addresses[0],
      .pad_top = start.pad_top,
      .pad_left = start.pad_left,
      .pad_right = start.pad_right,
      .bank_addr_in_1 = start.addresses[1],
      .kernel_d = 1,
      .bank_addr_weights = alu->weights_address,
      .bank_addr_in_2 = start.addresses[2],
      .bank_addr_bias = alu->bias_address,
      .bank_addr_in_3 = start.addresses[3],
  };
  xc_code_alu(&windows->gen->code, &init, &insn);
}

static void emit_blocks(alu_emitter *alu) {
  xc_windows *windows = &alu->windows;
  const xc_tile_plan *plan = &windows->plan;
  int32_t engine_rows = windows->request.engine_rows;
  for (int32_t tile = 0; tile < plan->num_tiles; ++tile)
    for (int32_t block = 0; block < plan->num_blocks; ++block) {
      int32_t first = block * plan->block_rows;
      int32_t rows = xc_windows_rows(windows, block);
      xc_provenance *now = &windows->gen->code.now;
      now->tile = (uint32_t)tile;
      now->row = (uint32_t)first;
      now->rows = (uint32_t)rows;
      xc_windows_load(windows, tile, block);
      uint32_t out = xc_windows_out_address(windows);
      for (int32_t done = 0; done < rows; done += engine_rows)
        emit_rows(alu, tile, block, first + done,
                  rows - done < engine_rows ? rows - done : engine_rows, out);
      xc_windows_save(windows, tile, block, out, alu->groups, 0,
                      windows->layer->output.channels);
    }
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

static void check_shifts(const XcDpuTarget *target, const XcDpuLayer *layer,
                         XcDpuRefusal *refusal) {
  switch (layer->kind) {
  case XcDpuLayerKindDepthwise:
    xc_require_range(refusal, XcDpuRefusalReasonShiftCut, layer->shiftCut,
                     target->alu.shiftCut);
    if (layer->hasBias)
      xc_require_range(refusal, XcDpuRefusalReasonShiftBias, layer->shiftBias,
                       target->alu.shiftBias);
    if (!xcDpuSetHas(target->alu.activations, layer->activation))
      xc_require(refusal, XcDpuRefusalReasonActivation, layer->activation, 0,
                 -1);
    return;
  case XcDpuLayerKindMaxPool:
  case XcDpuLayerKindAveragePool:
    xc_require(refusal, XcDpuRefusalReasonShiftCut, layer->shiftCut,
               1 - POOL_RIGHT, MAX_POOL_RIGHT);
    return;
  case XcDpuLayerKindAveragePool16:
    xc_require(refusal, XcDpuRefusalReasonShiftCut, layer->shiftCut, 0,
               MAX_CUT_FIELD);
    return;
  case XcDpuLayerKindHardSigmoid:
    xc_require(refusal, XcDpuRefusalReasonShiftBias, layer->shiftBias, 0,
               MAX_SIGMOID_FIX_POINT);
    xc_require(refusal, XcDpuRefusalReasonShiftCut, layer->shiftCut, 0,
               MAX_SIGMOID_CUT);
    return;
  case XcDpuLayerKindLeakyRelu:
  case XcDpuLayerKindPrelu:
    xc_require(refusal, XcDpuRefusalReasonShiftCut, layer->shiftPositive,
               1 - PRELU_RIGHT, PRELU_RIGHT - 1);
    xc_require(refusal, XcDpuRefusalReasonShiftCut, layer->shiftNegative,
               1 - PRELU_RIGHT, PRELU_RIGHT - 1);
    return;
  case XcDpuLayerKindConv:
  case XcDpuLayerKindAdd:
  case XcDpuLayerKindMul:
  case XcDpuLayerKindCopy:
  case XcDpuLayerKindFill:
  case XcDpuLayerKindArgmax:
    return;
  }
}

static XcDpuRefusal check(const XcDpuTarget *target, const XcDpuLayer *layer) {
  const XcDpuEngine *engine = &target->alu;
  XcDpuRefusal refusal = xc_accepted;
  if (engine->rows == 0 || !xcDpuSetHas(target->aluModes, mode_of(layer)))
    xc_require(&refusal, XcDpuRefusalReasonEngine, layer->kind, 0, -1);
  xc_require_range(&refusal, XcDpuRefusalReasonKernel, layer->kernelH,
                   engine->kernelH);
  xc_require_range(&refusal, XcDpuRefusalReasonKernel, layer->kernelW,
                   engine->kernelW);
  if (layer->output.height > 1)
    xc_require_range(&refusal, XcDpuRefusalReasonStride, layer->strideH,
                     engine->strideH);
  if (layer->output.width > 1)
    xc_require_range(&refusal, XcDpuRefusalReasonStride, layer->strideW,
                     engine->strideW);
  xc_require_range(&refusal, XcDpuRefusalReasonPadding, layer->padTop,
                   engine->padTop);
  xc_require_range(&refusal, XcDpuRefusalReasonPadding, layer->padLeft,
                   engine->padLeft);
  xc_require(&refusal, XcDpuRefusalReasonShape, layer->output.channels,
             layer->inputs[0].channels, layer->inputs[0].channels);
  check_shifts(target, layer, &refusal);
  return refusal;
}

/// The largest part of the channels that the parameter banks and fields take.
static int32_t largest_part(const XcDpuTarget *target,
                            const XcDpuLayer *layer) {
  int32_t groups = xc_words_of(target, layer->inputs[0].channels);
  if (groups > target->alu.maxInputGroups)
    groups = target->alu.maxInputGroups;
  if (layer->kind == XcDpuLayerKindDepthwise) {
    int32_t fit =
        target->depthwiseWeights.depth / (layer->kernelH * layer->kernelW);
    groups = groups < fit ? groups : fit;
    groups = groups < MAX_WEIGHT_STEP ? groups : MAX_WEIGHT_STEP;
  }
  if (layer->kind == XcDpuLayerKindAveragePool16 &&
      groups > target->depthwiseWeights.depth / 2)
    groups = target->depthwiseWeights.depth / 2;
  return groups;
}

/// Emits channels first..first+count-1.
static XcDpuRefusal emit_part(XcDpuCodeGen *gen, const XcDpuLayer *whole,
                              int32_t first, int32_t count) {
  XcDpuLayer layer = *whole;
  layer.inputs[0] = xc_image_channels(&whole->inputs[0], first, count);
  layer.output = xc_image_channels(&whole->output, first, count);
  if (layer.kind != XcDpuLayerKindAveragePool16)
    layer.weights += (uint32_t)first;
  layer.bias += (uint32_t)first;
  alu_emitter alu = {
      .mode = mode_of(whole),
      .groups = (uint32_t)xc_words_of(gen->target, count),
  };
  XcDpuRefusal refusal = xc_windows_begin(
      &alu.windows, gen, &layer, gen->target->alu.rows, MAX_ROW_STEP, 0, 0);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  load_all_parameters(&alu, (uint32_t)whole->inputs[0].channels);
  emit_blocks(&alu);
  xc_windows_end(&alu.windows);
  return xc_accepted;
}

XcDpuRefusal xc_emit_alu(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  XcDpuLayer normal = *layer;
  if (!has_window(layer->kind))
    normal.kernelH = normal.kernelW = normal.strideH = normal.strideW = 1;
  XcDpuRefusal refusal = check(gen->target, &normal);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  int32_t groups = largest_part(gen->target, &normal);
  if (groups == 0)
    return (XcDpuRefusal){XcDpuRefusalReasonWeightWords,
                          layer->kernelH * layer->kernelW, 1,
                          gen->target->depthwiseWeights.depth};
  int32_t channels = layer->inputs[0].channels;
  for (int32_t first = 0; first < channels;) {
    int32_t part = groups * gen->target->channelParallel;
    int32_t count = channels - first < part ? channels - first : part;
    refusal = emit_part(gen, &normal, first, count);
    if (refusal.reason == XcDpuRefusalReasonNone)
      first += count;
    else if (groups > 1)
      groups = (groups + 1) / 2;
    else
      return refusal;
  }
  return xc_accepted;
}
