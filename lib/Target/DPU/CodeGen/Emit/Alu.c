//===- Alu.c - depthwise, pools and activations of the misc engine --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// `pixels` pieces of the layer's channels, `step` bytes apart in DDR.
static void load_pixels(xc_emitter *e, const XcDpuBanks *banks,
                        uint32_t bank_address, uint32_t address,
                        uint32_t pixels, uint32_t step) {
  xc_emission *gen = e->windows.gen;
  XcDpuLoad load = {
      .bank_id = (uint32_t)banks->firstBank,
      .bank_addr = bank_address,
      .jump_read = step,
      .jump_write = e->alu.groups,
      .pad_idx = 1,
      .channel = (uint32_t)e->unit->plan.input.channels,
      .length = pixels,
      .reg_id = (uint32_t)gen->target->parametersRegister,
      .ddr_addr = address,
  };
  xc_code_load(&gen->code, &load);
}

/// The engine takes the first factor of each pair of words; all are the same,
/// for all positions of the window, too.
static void load_factors(xc_emitter *e) {
  xc_emission *gen = e->gen;
  int32_t channels = e->unit->plan.input.channels;
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
      .ddr_addr = e->unit->layer.weights,
  };
  xc_code_load(&gen->code, &load);
}

static void load_parameters(xc_emitter *e) {
  xc_emission *gen = e->gen;
  const XcDpuLayer *layer = &e->unit->layer;
  uint32_t step = (uint32_t)e->unit->parameter_channels;
  uint32_t pixels = (uint32_t)(layer->kernelH * layer->kernelW);
  if (e->unit->kind->is_per_channel) {
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

static void set_depthwise(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->act_type = (uint32_t)layer->activation;
  init->shift_cut = layer->shiftCut;
  init->shift_bias = layer->hasBias ? layer->shiftBias : 0;
}

static void set_max_pool(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->shift_cut = layer->shiftCut;
}

static void set_average_pool(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->multi_factor = layer->factor;
  set_max_pool(layer, init);
}

static void set_factors(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->shift_cut = layer->shiftCut;
}

static void set_sigmoid(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->shift_bias = layer->shiftBias;
  init->shift_cut = layer->shiftCut;
}

static void set_prelu(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->shift_prelu_p = layer->shiftPositive;
  init->shift_prelu_n = layer->shiftNegative;
}

static void set_leaky_relu(const XcDpuLayer *layer, XcDpuAluInit *init) {
  init->multi_factor = layer->factor;
  set_prelu(layer, init);
}

/// What a mode has fields for.
static void (*const set_mode[])(const XcDpuLayer *layer, XcDpuAluInit *init) = {
    [XcDpuAluModeDepthwise] = set_depthwise,
    [XcDpuAluModeDepthwiseNoBias] = set_depthwise,
    [XcDpuAluModeDepthwise16] = set_factors,
    [XcDpuAluModeMaxPool] = set_max_pool,
    [XcDpuAluModeAveragePool] = set_average_pool,
    [XcDpuAluModeHardSigmoid] = set_sigmoid,
    [XcDpuAluModeLeakyRelu] = set_leaky_relu,
    [XcDpuAluModePrelu] = set_prelu,
};

static XcDpuAluInit make_init(const xc_emitter *e, const xc_window_start *start,
                              const xc_rows *out) {
  const xc_tile_request *request = e->windows.request;
  const xc_tile_plan *plan = e->windows.plan;
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
      .channel_offset =
          e->alu.groups * width - (uint32_t)e->unit->plan.input.channels,
      .length = start->length,
      .jump_read = start->pixel_words,
      .jump_read_endl = plan->stride_h > 1 ? start->row_words : 1,
      .jump_write = out->pixel_words,
      .jump_write_endl = out->bank_rows > 1 ? out->row_words : 1,
  };
  if (e->unit->layer.kind == XcDpuLayerKindDepthwise)
    init.jump_read_weights = e->alu.groups;
  set_mode[e->alu.mode](&e->unit->layer, &init);
  return init;
}

/// Rows y..y+rows-1 of the block whose rows begin at `block_rows`.
static void emit_rows(xc_emitter *e, int32_t tile, int32_t block, int32_t y,
                      int32_t rows, const xc_rows *block_rows) {
  xc_windows *windows = &e->windows;
  xc_window_start start = xc_windows_start(windows, tile, block, y, rows,
                                           windows->request->kernel_w - 1,
                                           windows->request->kernel_h - 1);
  xc_rows out =
      xc_rows_from(*block_rows, y - block * windows->plan->block_rows);
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
  int32_t engine_rows = windows->request->engine_rows;
  int32_t first = block * windows->plan->block_rows;
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
                  windows->unit->layer.output.channels);
}

static void emit_block(xc_emitter *e, int32_t block) {
  emit_tile_block(e, 0, block);
}

static void emit_all(xc_emitter *e) {
  const xc_tile_plan *plan = e->windows.plan;
  load_parameters(e);
  for (int32_t tile = 0; tile < plan->num_tiles; ++tile)
    for (int32_t block = 0; block < plan->num_blocks; ++block)
      emit_tile_block(e, tile, block);
}

static void begin(xc_emitter *e) {
  xc_windows_begin(&e->windows, e->gen, e->unit);
  e->alu.mode = xc_alu_mode_of(&e->unit->layer);
  e->alu.groups = (uint32_t)e->windows.request->in_groups;
}

static void end(xc_emitter *e) { xc_windows_end(&e->windows); }

const xc_emitter_ops xc_alu_emitter = {begin, end, load_parameters, emit_block,
                                       emit_all};
