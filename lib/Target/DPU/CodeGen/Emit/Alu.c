//===- Alu.c - depthwise, pools and activations of the misc engine --------===//
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
static void load_pixels(xc_emitter *e, const XcDpuBanks *banks,
                        uint32_t bank_address, uint32_t address,
                        uint32_t pixels, uint32_t step) {
  XcDpuCodeGen *gen = e->windows.gen;
  XcDpuLoad load = {
      .bank_id = (uint32_t)banks->firstBank,
      .bank_addr = bank_address,
      .jump_read = step,
      .jump_write = e->alu.groups,
      .pad_idx = 1,
      .channel = (uint32_t)e->windows.layer->inputs[0].channels,
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
static void load_factors(xc_emitter *e) {
  XcDpuCodeGen *gen = e->gen;
  int32_t channels = e->windows.layer->inputs[0].channels;
  uint32_t bytes = (uint32_t)xcDpuFactorBytes(gen->target, channels);
  e->alu.weights_address =
      xc_ring_take(&gen->depthwise_weights, 2 * e->alu.groups);
  XcDpuLoad load = {
      .bank_id = (uint32_t)gen->target->depthwiseWeights.firstBank,
      .bank_addr = e->alu.weights_address,
      .jump_read = bytes,
      .jump_write = 2 * e->alu.groups,
      .pad_idx = 1,
      .channel = bytes,
      .length = 1,
      .reg_id = (uint32_t)gen->target->parametersRegister,
      .ddr_addr = e->windows.layer->weights,
  };
  xc_code_load(&gen->code, &load);
}

static void load_parameters(xc_emitter *e) {
  XcDpuCodeGen *gen = e->gen;
  const XcDpuLayer *layer = e->windows.layer;
  uint32_t step = (uint32_t)e->unit->parameter_channels;
  uint32_t pixels = 0;
  if (e->alu.has_parameters)
    return;
  e->alu.has_parameters = true;
  if (layer->kind == XcDpuLayerKindDepthwise)
    pixels = (uint32_t)(layer->kernelH * layer->kernelW);
  else if (layer->kind == XcDpuLayerKindPrelu)
    pixels = 1;
  if (pixels > 0) {
    e->alu.weights_address =
        xc_ring_take(&gen->depthwise_weights, pixels * e->alu.groups);
    load_pixels(e, &gen->target->depthwiseWeights, e->alu.weights_address,
                layer->weights, pixels, step);
  }
  if (e->alu.mode == XcDpuAluModeDepthwise16)
    load_factors(e);
  if (e->alu.mode == XcDpuAluModeDepthwise) {
    e->alu.bias_address = xc_ring_take(&gen->bias, e->alu.groups);
    load_pixels(e, &gen->target->bias, e->alu.bias_address, layer->bias, 1,
                step);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static uint32_t shift_field(int32_t shift, int32_t right) {
  return (uint32_t)(shift >= 0 ? right + shift : -shift);
}

static void set_shifts(const xc_emitter *e, XcDpuAluInit *init) {
  const XcDpuLayer *layer = e->windows.layer;
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

static XcDpuAluInit make_init(const xc_emitter *e, const xc_window_start *start,
                              const xc_rows *out) {
  const xc_tile_request *request = &e->windows.request;
  const xc_tile_plan *plan = &e->windows.plan;
  uint32_t width = (uint32_t)request->target->channelParallel;
  XcDpuAluInit init = {
      .exec_mode = e->alu.mode,
      .kernel_h = (uint32_t)request->kernel_h,
      .kernel_w = (uint32_t)request->kernel_w,
      .stride_h = (uint32_t)plan->stride_h,
      .stride_w = (uint32_t)plan->stride_w,
      .stride_offset_in = start->row_offset,
      .stride_offset_out = out->offset,
      .stride_out = out->bank_rows,
      .channel_group = e->alu.groups,
      .channel_offset = e->alu.groups * width -
                        (uint32_t)e->windows.layer->inputs[0].channels,
      .length = start->length,
      .jump_read = start->pixel_words,
      .jump_read_endl = plan->stride_h > 1 ? start->row_words : 1,
      .jump_write = out->pixel_words,
      .jump_write_endl = out->bank_rows > 1 ? out->row_words : 1,
  };
  if (e->windows.layer->kind == XcDpuLayerKindDepthwise)
    init.jump_read_weights = e->alu.groups;
  set_shifts(e, &init);
  return init;
}

/// Rows y..y+rows-1 of the block whose rows begin at `block_rows`.
static void emit_rows(xc_emitter *e, int32_t tile, int32_t block, int32_t y,
                      int32_t rows, const xc_rows *block_rows) {
  xc_windows *windows = &e->windows;
  xc_window_start start = xc_windows_start(windows, tile, block, y, rows,
                                           windows->request.kernel_w - 1,
                                           windows->request.kernel_h - 1);
  xc_rows out = xc_rows_from(*block_rows, y - block * windows->plan.block_rows);
  XcDpuAluInit init = make_init(e, &start, &out);
  XcDpuAlu insn = {
      .bank_id_out = xc_rows_bank(&out),
      .bank_addr_out = out.address,
      .pad_bottom = start.pad_bottom,
      .valid_pixel_parallel = (uint32_t)rows,
      .bank_id_in = start.bank,
      .bank_addr_in = start.addresses[0],
      .pad_top = start.pad_top,
      .pad_left = start.pad_left,
      .pad_right = start.pad_right,
      .bank_addr_in_1 = start.addresses[1],
      .kernel_d = 1,
      .bank_addr_weights = e->alu.weights_address,
      .bank_addr_in_2 = start.addresses[2],
      .bank_addr_bias = e->alu.bias_address,
      .bank_addr_in_3 = start.addresses[3],
  };
  xc_code_alu(&windows->gen->code, &init, &insn);
}

static void emit_tile_block(xc_emitter *e, int32_t tile, int32_t block) {
  xc_windows *windows = &e->windows;
  int32_t engine_rows = windows->request.engine_rows;
  int32_t first = block * windows->plan.block_rows;
  int32_t rows = xc_windows_rows(windows, block);
  e->gen->code.now = (xc_provenance){.layer = e->unit->number,
                                     .tile = (uint32_t)tile,
                                     .row = (uint32_t)first,
                                     .rows = (uint32_t)rows};
  xc_windows_load(windows, tile, block);
  xc_rows out = xc_windows_out_rows(windows, block, 0, e->alu.groups);
  for (int32_t done = 0; done < rows; done += engine_rows)
    emit_rows(e, tile, block, first + done,
              rows - done < engine_rows ? rows - done : engine_rows, &out);
  xc_windows_save(windows, tile, block, &out, 0,
                  windows->layer->output.channels);
}

static void emit_block(xc_emitter *e, int32_t block) {
  emit_tile_block(e, 0, block);
}

static void emit_all(xc_emitter *e) {
  const xc_tile_plan *plan = &e->windows.plan;
  load_parameters(e);
  for (int32_t tile = 0; tile < plan->num_tiles; ++tile)
    for (int32_t block = 0; block < plan->num_blocks; ++block)
      emit_tile_block(e, tile, block);
}

static void end(xc_emitter *e) { xc_windows_end(&e->windows); }

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
  if (layer->hasBias && groups > target->bias.depth)
    groups = target->bias.depth;
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

static xc_tile_request make_request(const XcDpuTarget *target,
                                    const xc_unit *unit) {
  return xc_windows_request(target, unit, &unit->layer, target->alu.rows,
                            MAX_ROW_STEP, 0, 0);
}

static int64_t compute_cycles(const XcDpuTarget *target,
                              const xc_tile_request *request,
                              const xc_tile_plan *plan) {
  int64_t one =
      target->timing.aluStart + (int64_t)plan->tile_width * request->in_groups *
                                    request->kernel_h * request->kernel_w;
  int64_t rows = request->engine_rows;
  return one * plan->num_tiles * ((request->out_height + rows - 1) / rows);
}

/// What the fields of ALUINIT hold of an image in the banks.
static bool fits_fields(const xc_unit *unit) {
  const xc_bank_image *in = unit->places.inputs[0], *out = unit->places.output;
  return !(in && in->row_words > MAX_ROW_STEP) &&
         !(out && out->row_words > MAX_ROW_STEP);
}

bool xc_estimate_alu(const XcDpuTarget *target, const xc_unit *unit,
                     xc_estimate *result) {
  xc_tile_request request = make_request(target, unit);
  xc_tile_plan plan;
  if (!fits_fields(unit) ||
      xc_plan_tiles(&request, &plan).reason != XcDpuRefusalReasonNone)
    return false;
  bool is_depthwise = unit->layer.kind == XcDpuLayerKindDepthwise;
  *result = (xc_estimate){
      .cycles = plan.cycles,
      .cost = plan.cost,
      .block_rows = plan.block_rows,
      .num_blocks = plan.num_blocks,
      .depthwise_words = is_depthwise ? (int64_t)request.kernel_h *
                                            request.kernel_w * request.in_groups
                                      : 2 * request.in_groups,
      .bias_words = request.in_groups,
      .input_band_words = plan.band_words,
      .window_bands = plan.window_bands,
      .output_words = request.out_width * request.out_groups,
  };
  result->cost.misc = compute_cycles(target, &request, &plan);
  return true;
}

static const xc_emitter_kind alu_kind = {load_parameters, emit_block, emit_all,
                                         end};

XcDpuRefusal xc_alu_begin(xc_emitter *e) {
  const xc_unit *unit = e->unit;
  XcDpuRefusal refusal = check(e->gen->target, &unit->layer);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  xc_tile_request request = make_request(e->gen->target, unit);
  refusal = xc_windows_begin(&e->windows, e->gen, unit, &unit->layer, &request);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  e->kind = &alu_kind;
  e->alu.mode = mode_of(&unit->layer);
  e->alu.groups = (uint32_t)request.in_groups;
  e->num_blocks = e->windows.plan.num_blocks;
  e->block_rows = e->windows.plan.block_rows;
  e->num_tiles = e->windows.plan.num_tiles;
  return xc_accepted;
}

XcDpuRefusal xc_split_alu(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
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
    XcDpuLayer now = normal;
    now.inputs[0] = xc_image_channels(&normal.inputs[0], first, count);
    now.output = xc_image_channels(&normal.output, first, count);
    if (layer->kind != XcDpuLayerKindAveragePool16)
      now.weights += (uint32_t)first;
    now.bias += (uint32_t)first;
    refusal = xc_units_add(gen, &now, channels);
    if (refusal.reason == XcDpuRefusalReasonNone)
      first += count;
    else if (groups > 1)
      groups = (groups + 1) / 2;
    else
      return refusal;
  }
  return xc_accepted;
}
