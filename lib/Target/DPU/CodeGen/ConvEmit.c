//===- ConvEmit.c - convolutions ------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Support/Memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  /// The fields pad_right and pad_bottom.
  MAX_PAD_FIELD = 15,
  /// The field jump_read_endl.
  MAX_ROW_STEP = 1024,
  ABSENT = -1,
};

typedef struct conv_emitter {
  xc_windows windows;
  int32_t kernel_pixels, in_channels, out_channels;
  uint32_t weight_words; // of one output channel
  uint32_t bias_address;
  int32_t *chunk_addresses; // in the weight banks, or ABSENT
  uint32_t operand_blocks;  // of the second input, so far
} conv_emitter;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//
//
// In DDR the weights of the output channels that one bank serves lie one after
// the other, so that one LOAD brings several groups: [lane][group][kh][kw][ic]
// of the full groups, then [lane][kh][kw][ic] of the last one, if it is not
// full.

void xcDpuLayoutConvWeights(const XcDpuTarget *target, const int8_t *ohwi,
                            int32_t oc, int32_t kh, int32_t kw, int32_t ic,
                            int8_t *result) {
  int32_t lanes = target->weights.numBanks;
  int32_t full = oc / lanes, rest = oc % lanes;
  size_t size = (size_t)kh * (size_t)kw * (size_t)ic;
  for (int32_t lane = 0; lane < lanes; ++lane)
    for (int32_t group = 0; group < full; ++group, result += size)
      memcpy(result, ohwi + (size_t)(group * lanes + lane) * size, size);
  memcpy(result, ohwi + (size_t)(full * lanes) * size, (size_t)rest * size);
}

static void load_lane(conv_emitter *conv, int32_t lane, uint32_t source,
                      int32_t groups, uint32_t address) {
  XcDpuCodeGen *gen = conv->windows.gen;
  const XcDpuTarget *target = gen->target;
  uint32_t in_groups = (uint32_t)conv->windows.request.in_groups;
  int32_t at_once = XC_MAX_LENGTH / conv->kernel_pixels;
  for (int32_t done = 0; done < groups; done += at_once) {
    int32_t now = groups - done < at_once ? groups - done : at_once;
    uint32_t pixels = (uint32_t)(done * conv->kernel_pixels);
    XcDpuLoad load = {
        .bank_id = (uint32_t)(target->weights.firstBank + lane),
        .bank_addr = address + pixels * in_groups,
        .jump_read = (uint32_t)conv->in_channels,
        .jump_write = in_groups,
        .pad_idx = 1,
        .channel = (uint32_t)conv->in_channels,
        .length = (uint32_t)(now * conv->kernel_pixels),
        .reg_id = (uint32_t)target->parametersRegister,
        .ddr_addr = source + pixels * (uint32_t)conv->in_channels,
    };
    xc_code_load(&gen->code, &load);
  }
}

/// Loads groups first..first+count-1 of output channels.
static void load_weights(conv_emitter *conv, int32_t first, int32_t count,
                         uint32_t address) {
  const XcDpuTarget *target = conv->windows.gen->target;
  int32_t lanes = target->weights.numBanks;
  int32_t full = conv->out_channels / lanes;
  int32_t rest = conv->out_channels % lanes;
  uint32_t size = (uint32_t)(conv->kernel_pixels * conv->in_channels);
  uint32_t base = conv->windows.layer->weights;
  int32_t full_count = first + count > full ? full - first : count;
  for (int32_t lane = 0; lane < lanes; ++lane) {
    if (full_count > 0)
      load_lane(conv, lane, base + (uint32_t)(lane * full + first) * size,
                full_count, address);
    if (full_count < count && lane < rest)
      load_lane(conv, lane, base + (uint32_t)(lanes * full + lane) * size, 1,
                address + (uint32_t)full_count * conv->weight_words);
  }
}

static int32_t chunk_size(const conv_emitter *conv, int32_t chunk) {
  const xc_tile_plan *plan = &conv->windows.plan;
  int32_t left = conv->windows.request.out_groups - chunk * plan->chunk_groups;
  return left < plan->chunk_groups ? left : plan->chunk_groups;
}

static void forget_overlapping(conv_emitter *conv, uint32_t address,
                               uint32_t words) {
  for (int32_t chunk = 0; chunk < conv->windows.plan.num_chunks; ++chunk) {
    int64_t at = conv->chunk_addresses[chunk];
    int64_t size = (int64_t)chunk_size(conv, chunk) * conv->weight_words;
    if (at != ABSENT && at < (int64_t)address + words && address < at + size)
      conv->chunk_addresses[chunk] = ABSENT;
  }
}

/// The address of a chunk's weights, which are loaded unless they still lie in
/// the banks.
static uint32_t need_weights(conv_emitter *conv, int32_t chunk) {
  if (conv->chunk_addresses[chunk] != ABSENT)
    return (uint32_t)conv->chunk_addresses[chunk];
  int32_t count = chunk_size(conv, chunk);
  uint32_t words = (uint32_t)count * conv->weight_words;
  uint32_t address = xc_ring_take(&conv->windows.gen->weights, words);
  forget_overlapping(conv, address, words);
  conv->chunk_addresses[chunk] = (int32_t)address;
  load_weights(conv, chunk * conv->windows.plan.chunk_groups, count, address);
  return address;
}

/// All chunks one after the other if they fit at all, so that none drives out
/// another.
static void reserve_weights(conv_emitter *conv) {
  xc_ring *ring = &conv->windows.gen->weights;
  int64_t all = (int64_t)conv->windows.request.out_groups * conv->weight_words;
  if (all <= ring->depth && ring->next + all > ring->depth)
    ring->next = 0;
}

static void load_bias(conv_emitter *conv) {
  XcDpuCodeGen *gen = conv->windows.gen;
  const XcDpuTarget *target = gen->target;
  conv->bias_address =
      xc_ring_take(&gen->bias, (uint32_t)conv->windows.request.out_groups);
  XcDpuLoad load = {
      .bank_id = (uint32_t)target->bias.firstBank,
      .bank_addr = conv->bias_address,
      .jump_read = (uint32_t)conv->out_channels,
      .jump_write = 1,
      .pad_idx = 1,
      .channel = (uint32_t)conv->out_channels,
      .length = 1,
      .reg_id = (uint32_t)target->parametersRegister,
      .ddr_addr = conv->windows.layer->bias,
  };
  xc_code_load(&gen->code, &load);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static XcDpuConvInit make_init(const conv_emitter *conv, int32_t rows,
                               uint32_t groups) {
  const XcDpuLayer *layer = conv->windows.layer;
  const xc_tile_plan *plan = &conv->windows.plan;
  return (XcDpuConvInit){
      .act_type = (uint32_t)layer->activation,
      .shift_cut = (uint32_t)layer->shiftCut,
      .jump_read = (uint32_t)conv->windows.request.in_groups,
      .stride_out = 1,
      .shift_bias = (uint32_t)(layer->shiftBias + 1),
      .jump_read_endl = plan->stride_h > 1 ? (uint32_t)plan->row_words : 1,
      .stride_h = (uint32_t)plan->stride_h,
      .kernel_h = (uint32_t)layer->kernelH,
      .valid_pixel_parallel = (uint32_t)rows,
      .jump_write = groups,
      .stride_w = (uint32_t)plan->stride_w,
      .kernel_w = (uint32_t)layer->kernelW,
      .jump_write_endl = 1,
  };
}

/// A place of a block, and the output channels of a chunk.
typedef struct conv_block {
  int32_t tile, block, groups;
  int32_t first_channel, num_channels;
  uint32_t length;  // pixels
  uint32_t out;     // address
  uint32_t operand; // address of the second input
} conv_block;

/// Loads the part of the second input that is added to this block.
static void load_operand(conv_emitter *conv, conv_block *at) {
  xc_windows *windows = &conv->windows;
  const xc_tile_plan *plan = &windows->plan;
  int32_t first_word = windows->request.in_depth;
  uint32_t places =
      (uint32_t)((windows->request.target->image.depth - first_word) /
                 plan->out_row_words);
  at->operand = (uint32_t)first_word +
                conv->operand_blocks++ % places * (uint32_t)plan->out_row_words;
  XcDpuImage image = xc_image_channels(&windows->layer->inputs[1],
                                       at->first_channel, at->num_channels);
  uint32_t bank = xc_image_group(windows->request.target, 0);
  for (int32_t y = 0; y < xc_windows_rows(windows, at->block); ++y)
    xc_load_pixels(windows->gen, &image, at->block * plan->block_rows + y,
                   at->tile * plan->tile_width, (int32_t)at->length,
                   bank + (uint32_t)y, at->operand);
}

/// Adds it to the result, in place.
static void add_operand(conv_emitter *conv, const conv_block *at) {
  const XcDpuLayer *layer = conv->windows.layer;
  const XcDpuTarget *target = conv->windows.request.target;
  int32_t rows = xc_windows_rows(&conv->windows, at->block);
  int32_t engine_rows = target->elementwiseRows;
  uint32_t groups = (uint32_t)at->groups;
  for (int32_t y = 0; y < rows; y += engine_rows) {
    XcDpuElewInit inits[2];
    for (uint32_t k = 0; k < 2; ++k)
      inits[k] = (XcDpuElewInit){
          .bank_id_in = xc_image_group(target, k ? 0 : 1) + (uint32_t)y,
          .jump_bank = 1,
          .id = k,
          .jump_read_endl = 1,
          .bank_addr_in = k ? at->operand : at->out,
          .shift_read = (uint32_t)layer->shiftRead[k],
          .jump_read = groups,
      };
    XcDpuElew insn = {
        .bank_id_out = xc_image_group(target, 1) + (uint32_t)y,
        .elew_type = XcDpuElementwiseKindAdd,
        .act_type = (uint32_t)layer->addActivation,
        .length = at->length,
        .valid_pixel_parallel =
            (uint32_t)(rows - y < engine_rows ? rows - y : engine_rows),
        .num = 2,
        .jump_write_endl = 1,
        .bank_addr_out = at->out,
        .channel_group = groups,
        .shift_write = xc_shift_write_field(layer->shiftWrite),
        .jump_write = groups,
    };
    xc_code_elew(&conv->windows.gen->code, inits, &insn);
  }
}

/// Computes one chunk of output channels of one block and saves it.
static void emit_block(conv_emitter *conv, int32_t tile, int32_t block,
                       int32_t chunk, uint32_t weights) {
  xc_windows *windows = &conv->windows;
  const XcDpuTarget *target = windows->gen->target;
  const xc_tile_plan *plan = &windows->plan;
  int32_t y = block * plan->block_rows;
  int32_t rows = xc_windows_rows(windows, block);
  int32_t groups = chunk_size(conv, chunk);
  xc_window_start start = xc_windows_start(windows, tile, block, y, rows,
                                           MAX_PAD_FIELD, MAX_PAD_FIELD);
  conv_block at = {.tile = tile,
                   .block = block,
                   .groups = groups,
                   .first_channel =
                       chunk * plan->chunk_groups * target->channelParallel,
                   .num_channels = groups * target->channelParallel,
                   .length = start.length,
                   .out = xc_windows_out_address(windows)};
  if (at.num_channels > conv->out_channels - at.first_channel)
    at.num_channels = conv->out_channels - at.first_channel;
  bool adds = windows->layer->numInputs == 2;
  if (adds)
    load_operand(conv, &at);
  XcDpuConvInit init = make_init(conv, rows, (uint32_t)groups);
  uint32_t in_groups = (uint32_t)windows->request.in_groups;
  for (int32_t group = 0; group < groups; ++group) {
    XcDpuConv insn = {
        .pad_left = start.pad_left,
        .pad_top = start.pad_top,
        .bank_addr_in = start.addresses[0],
        .channel_group = in_groups,
        .pad_right = start.pad_right,
        .pad_bottom = start.pad_bottom,
        .bank_addr_out = at.out + (uint32_t)group,
        .length = start.length,
        .bank_id_in = start.bank,
        .bank_addr_weights = weights + (uint32_t)group * conv->weight_words,
        .bank_addr_in_1 = start.addresses[1],
        .bank_id_out = xc_image_group(target, 1),
        .bank_addr_bias =
            conv->bias_address + (uint32_t)(chunk * plan->chunk_groups + group),
        .channel_offset = in_groups * (uint32_t)target->channelParallel -
                          (uint32_t)conv->in_channels,
        .bank_addr_in_3 = start.addresses[3],
        .bank_addr_in_2 = start.addresses[2],
    };
    xc_code_conv(&windows->gen->code, &init, &insn);
  }
  if (adds)
    add_operand(conv, &at);
  xc_windows_save(windows, tile, block, at.out, (uint32_t)groups,
                  at.first_channel, at.num_channels);
}

static void enter_block(conv_emitter *conv, int32_t tile, int32_t block) {
  xc_provenance *now = &conv->windows.gen->code.now;
  now->tile = (uint32_t)tile;
  now->row = (uint32_t)(block * conv->windows.plan.block_rows);
  now->rows = (uint32_t)xc_windows_rows(&conv->windows, block);
}

static void emit_chunks_outside(conv_emitter *conv) {
  const xc_tile_plan *plan = &conv->windows.plan;
  for (int32_t chunk = 0; chunk < plan->num_chunks; ++chunk) {
    uint32_t weights = need_weights(conv, chunk);
    for (int32_t tile = 0; tile < plan->num_tiles; ++tile)
      for (int32_t block = 0; block < plan->num_blocks; ++block) {
        enter_block(conv, tile, block);
        xc_windows_load(&conv->windows, tile, block);
        emit_block(conv, tile, block, chunk, weights);
      }
  }
}

static void emit_chunks_inside(conv_emitter *conv) {
  const xc_tile_plan *plan = &conv->windows.plan;
  for (int32_t tile = 0; tile < plan->num_tiles; ++tile)
    for (int32_t block = 0; block < plan->num_blocks; ++block) {
      enter_block(conv, tile, block);
      xc_windows_load(&conv->windows, tile, block);
      for (int32_t chunk = 0; chunk < plan->num_chunks; ++chunk)
        emit_block(conv, tile, block, chunk, need_weights(conv, chunk));
    }
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

static void check_padding(XcDpuRefusal *refusal, int32_t pad, XcDpuRange range,
                          int32_t kernel) {
  int32_t most = range.maximum < 0 ? kernel - 1 : range.maximum;
  xc_require(refusal, XcDpuRefusalReasonPadding, pad, range.minimum, most);
}

static void check_add(const XcDpuTarget *target, const XcDpuLayer *layer,
                      XcDpuRefusal *refusal) {
  const XcDpuImage *in = &layer->inputs[1], *out = &layer->output;
  if (!xcDpuSetHas(target->elementwiseKinds, XcDpuElementwiseKindAdd))
    xc_require(refusal, XcDpuRefusalReasonEngine, XcDpuLayerKindAdd, 0, -1);
  if (!xcDpuSetHas(target->elementwiseActivations, layer->addActivation))
    xc_require(refusal, XcDpuRefusalReasonActivation, layer->addActivation, 0,
               -1);
  xc_require(refusal, XcDpuRefusalReasonShape, in->height, out->height,
             out->height);
  xc_require(refusal, XcDpuRefusalReasonShape, in->width, out->width,
             out->width);
  xc_require(refusal, XcDpuRefusalReasonShape, in->channels, out->channels,
             out->channels);
  for (int k = 0; k < 2; ++k)
    xc_require_range(refusal, XcDpuRefusalReasonShiftRead, layer->shiftRead[k],
                     target->elementwiseShiftRead);
  xc_require_range(refusal, XcDpuRefusalReasonShiftWrite, layer->shiftWrite,
                   target->elementwiseShiftWrite);
}

static XcDpuRefusal check(const XcDpuTarget *target, const XcDpuLayer *layer) {
  const XcDpuEngine *engine = &target->conv;
  const XcDpuImage *in = &layer->inputs[0], *out = &layer->output;
  XcDpuRefusal refusal = xc_accepted;
  xc_require_range(&refusal, XcDpuRefusalReasonKernel, layer->kernelH,
                   engine->kernelH);
  xc_require_range(&refusal, XcDpuRefusalReasonKernel, layer->kernelW,
                   engine->kernelW);
  if (out->height > 1)
    xc_require_range(&refusal, XcDpuRefusalReasonStride, layer->strideH,
                     engine->strideH);
  if (out->width > 1)
    xc_require_range(&refusal, XcDpuRefusalReasonStride, layer->strideW,
                     engine->strideW);
  check_padding(&refusal, layer->padTop, engine->padTop, layer->kernelH);
  check_padding(&refusal, layer->padLeft, engine->padLeft, layer->kernelW);
  xc_require_range(&refusal, XcDpuRefusalReasonShiftCut, layer->shiftCut,
                   engine->shiftCut);
  xc_require_range(&refusal, XcDpuRefusalReasonShiftBias, layer->shiftBias,
                   engine->shiftBias);
  if (!xcDpuSetHas(engine->activations, layer->activation))
    xc_require(&refusal, XcDpuRefusalReasonActivation, layer->activation, 0,
               -1);
  xc_require(&refusal, XcDpuRefusalReasonChannels,
             xc_words_of(target, in->channels), 1, engine->maxInputGroups);
  xc_require(&refusal, XcDpuRefusalReasonChannels,
             xc_words_of(target, out->channels), 1, engine->maxOutputGroups);
  if (layer->numInputs == 2)
    check_add(target, layer, &refusal);
  return refusal;
}

XcDpuRefusal xc_emit_conv(XcDpuCodeGen *gen, const XcDpuLayer *given) {
  const XcDpuTarget *target = gen->target;
  XcDpuRefusal refusal = check(target, given);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  XcDpuLayer augmented;
  xc_augmentation augmentation;
  bool is_augmented = xc_augment(target, given, &augmented, &augmentation);
  const XcDpuLayer *layer = is_augmented ? &augmented : given;
  conv_emitter conv = {
      .kernel_pixels = layer->kernelH * layer->kernelW,
      .in_channels = layer->inputs[0].channels,
      .out_channels = layer->output.channels,
  };
  conv.weight_words =
      (uint32_t)(conv.kernel_pixels * xc_words_of(target, conv.in_channels));
  int64_t group_bytes =
      (int64_t)conv.kernel_pixels * conv.in_channels * target->weights.numBanks;
  refusal =
      xc_windows_begin(&conv.windows, gen, layer, target->conv.rows,
                       MAX_ROW_STEP, (int32_t)conv.weight_words, group_bytes);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  if (is_augmented)
    conv.windows.augmentation = &augmentation;
  size_t chunks = (size_t)conv.windows.plan.num_chunks;
  conv.chunk_addresses = xc_alloc_array(chunks, sizeof(int32_t));
  for (size_t i = 0; i < chunks; ++i)
    conv.chunk_addresses[i] = ABSENT;
  reserve_weights(&conv);
  load_bias(&conv);
  if (conv.windows.plan.chunks_outside)
    emit_chunks_outside(&conv);
  else
    emit_chunks_inside(&conv);
  free(conv.chunk_addresses);
  xc_windows_end(&conv.windows);
  return xc_accepted;
}
