//===- Conv.c - convolutions ----------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Support/Memory.h"
#include "Target/DPU/CodeGen/Family.h"
#include "Target/DPU/CodeGen/Plan/Shifts.h"
#include "Target/DPU/CodeGen/Plan/Strips.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ABSENT = -1 };

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Returns the number of words of the output in a chunk.
static int32_t chunk_size(const xc_emitter *e, int32_t chunk) {
  const xc_tile_plan *plan = e->windows.plan;
  int32_t left = e->windows.request->out_groups - chunk * plan->chunk_groups;
  return left < plan->chunk_groups ? left : plan->chunk_groups;
}

/// Returns the number of words of weights of a chunk.
static uint32_t chunk_words(const xc_emitter *e, int32_t chunk) {
  return (uint32_t)(chunk_size(e, chunk) * e->conv.columns) *
         e->conv.weight_words;
}

/// Whether the `words` words from `a` on contain `b`.
static bool reaches(const xc_ring *ring, uint32_t a, uint32_t words,
                    uint32_t b) {
  return (b + ring->depth - a) % ring->depth < words;
}

static uint32_t part_words(const xc_emitter *e, int32_t part) {
  xc_ring_key key = xc_weights_key(e->gen->target, e->unit, part);
  return (uint32_t)(key.groups * key.words);
}

static void forget_overlapping(xc_emitter *e, uint32_t address,
                               uint32_t words) {
  const xc_ring *ring = &e->gen->weights;
  for (int32_t part = 0; part < xc_num_weight_parts(e->unit); ++part) {
    int32_t at = e->conv.part_addresses[part];
    uint32_t size = part_words(e, part);
    if (at != ABSENT && (reaches(ring, address, words, (uint32_t)at) ||
                         reaches(ring, (uint32_t)at, size, address)))
      e->conv.part_addresses[part] = ABSENT;
  }
}

/// Loads a part of the weights unless it still lies in the banks.
static void need_part(xc_emitter *e, int32_t part) {
  xc_ring_key key = xc_weights_key(e->gen->target, e->unit, part);
  uint32_t address, words = (uint32_t)(key.groups * key.words);
  if (words == 0 || e->conv.part_addresses[part] != ABSENT)
    return;
  bool is_there = xc_ring_take_again(&e->gen->weights, &key, words, &address);
  if (!is_there)
    forget_overlapping(e, address, words);
  e->conv.part_addresses[part] = (int32_t)address;
  if (is_there)
    return;
  if (e->unit->layer.weightsLayout.step)
    xc_load_joint_weights(e, key.first_group, key.groups, address);
  else
    e->gen->family->load_weights(e, key.first_group, key.groups, address);
}

/// Where the weights of a chunk are. Those of the tail lie with them or apart.
typedef struct chunk_weights {
  uint32_t address, tail;
  bool has_tail;
} chunk_weights;

static chunk_weights need_weights(xc_emitter *e, int32_t chunk) {
  int32_t chunks = e->windows.plan->num_chunks;
  bool has_tail = chunk + 1 == chunks && xc_num_weight_parts(e->unit) > chunks;
  need_part(e, chunk);
  if (has_tail) {
    need_part(e, chunks);
    need_part(e, chunk); // where the tail has overwritten it
  }
  const int32_t *addresses = e->conv.part_addresses;
  return (chunk_weights){(uint32_t)addresses[chunk],
                         has_tail ? (uint32_t)addresses[chunks] : 0, has_tail};
}

static void load_bias(xc_emitter *e) {
  xc_emission *gen = e->windows.gen;
  const XcDpuTarget *target = gen->target;
  int32_t groups = e->windows.request->out_groups;
  xc_ring_key key = xc_channels_key(e->unit, XC_PARAMETERS_BIAS, groups);
  if (xc_ring_take_again(&gen->bias, &key, (uint32_t)groups,
                         &e->conv.bias_address))
    return;
  XcDpuLoad load = {
      .bank_id = (uint32_t)target->bias.firstBank,
      .bank_addr = e->conv.bias_address,
      .jump_read = (uint32_t)e->conv.out_channels,
      .jump_write = 1,
      .pad_idx = 1,
      .channel = (uint32_t)e->conv.out_channels,
      .length = 1,
      .reg_id = (uint32_t)target->parametersRegister,
      .ddr_addr = e->unit->layer.bias,
  };
  xc_code_load(&gen->code, &load);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Where rows of the output are computed from, and by which rows of the kernel.
typedef struct conv_window {
  xc_window_start start;
  int32_t rows, stride_h;
  int32_t kernel_row, kernel_rows;
} conv_window;

/// Returns a CONVINIT with everything but the shifts.
static XcDpuInstruction
make_init(const xc_emitter *e, const conv_window *window, const xc_rows *out) {
  const XcDpuLayer *layer = &e->unit->layer;
  const xc_window_start *start = &window->start;
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeConvInit};
  insn.conv_init = (XcDpuConvInit){
      .act_type = (uint32_t)layer->activation,
      .jump_read = start->pixel_words,
      .stride_out = out->bank_rows,
      .jump_read_endl = window->stride_h > 1 ? start->row_words : 1,
      .stride_h = (uint32_t)window->stride_h,
      .kernel_h = (uint32_t)window->kernel_rows,
      .valid_pixel_parallel = (uint32_t)window->rows,
      .stride_offset_in = start->row_offset,
      .jump_write = out->pixel_words * (uint32_t)e->conv.columns,
      .stride_w = (uint32_t)e->windows.plan->stride_w,
      .kernel_w = (uint32_t)e->windows.request->kernel_w,
      .stride_offset_out = out->offset,
      .jump_write_endl = out->bank_rows > 1 ? out->row_words : 1,
  };
  return insn;
}

/// A block of a tile, and the output channels of a chunk.
typedef struct conv_block {
  int32_t tile, block, groups;
  int32_t first_channel, num_channels;
  uint32_t length; // pixels
  xc_rows out, operand;
} conv_block;

/// Loads the part of the second input that is added to this block, unless it is
/// in the banks.
static xc_rows need_operand(xc_emitter *e, const conv_block *at) {
  xc_windows *windows = &e->windows;
  const xc_tile_plan *plan = windows->plan;
  const xc_unit_layout *layout = &e->unit->layout;
  int32_t y = at->block * plan->block_rows;
  const xc_bank_image *image_in_banks = layout->inputs[1];
  if (image_in_banks)
    return xc_bank_image_rows(
        e->gen->target, image_in_banks, y + layout->input_rows[1],
        layout->input_words[1] +
            at->first_channel / e->gen->target->channelParallel +
            at->tile * plan->tile_width * image_in_banks->pixel_words);
  const xc_bank_area *area = &layout->operand_area;
  uint32_t slots = (uint32_t)(area->words / plan->out_row_words);
  uint32_t slot = e->conv.operand_blocks++ % slots;
  xc_rows rows =
      xc_block_rows(e->gen->target, area->group,
                    (uint32_t)area->base + slot * (uint32_t)plan->out_row_words,
                    (uint32_t)at->groups);
  XcDpuImage image = xc_image_channels(&windows->unit->layer.inputs[1],
                                       at->first_channel, at->num_channels);
  if (plan->strips.are_all) {
    xc_strips_load_operand(windows, &image, &rows, (uint32_t)at->groups);
    return rows;
  }
  for (int32_t k = 0; k < xc_windows_rows(windows, at->block); ++k) {
    xc_rows row = xc_rows_from(rows, k);
    xc_pixels pixels = {&image, y + k,
                        at->tile * plan->tile_width -
                            xc_row_overlap(e->unit, y + k),
                        (int32_t)at->length};
    xc_load_pixels(windows->gen, &pixels, xc_rows_bank(&row),
                   xc_rows_address(&row));
  }
  return rows;
}

/// Returns the epilogue of a block, which changes the result in place: the
/// addition of the second input, if there is one.
static xc_elementwise after_conv(const xc_emitter *e, const conv_block *at) {
  const XcDpuLayer *layer = &e->unit->layer;
  xc_elementwise result = {
      .kind = XcDpuElementwiseKindAdd,
      .activation = XcActivationNone,
      .num_inputs = 1,
      .inputs = {at->out},
      .result = at->out,
      .length = at->length,
      .groups = (uint32_t)at->groups,
      .rows = xc_windows_rows(&e->windows, at->block),
  };
  if (layer->numInputs == 2) {
    result.num_inputs = 2;
    result.inputs[1] = at->operand;
    result.activation = layer->addActivation;
    result.shift_write = layer->shiftWrite;
    for (size_t k = 0; k < 2; ++k)
      result.shift_read[k] = layer->shiftRead[k];
  }
  return result;
}

static uint32_t word_at(const xc_emitter *e, const xc_window_start *start,
                        int band, uint32_t word) {
  return (start->addresses[band] + word) %
         (uint32_t)e->gen->target->image.depth;
}

/// Unused channels at the end of the words that an instruction reads from word
/// `first` of a pixel on.
static uint32_t unused_channels(const xc_emitter *e, uint32_t first) {
  int32_t width = e->gen->target->channelParallel;
  int32_t read = e->windows.request->engine_groups;
  int32_t left = e->unit->plan.input.channels - (int32_t)first * width;
  return (uint32_t)xc_maximum(read * width - left, 0);
}

/// A pixel of the input serves several columns of the output. This is how many
/// pixels of the tile have the given one of these columns, as the last pixel
/// may lack some.
static uint32_t column_length(const xc_emitter *e, const conv_block *at,
                              const xc_window_start *start, int32_t column) {
  int32_t first = at->tile * e->windows.plan->tile_width;
  int32_t end =
      xc_ceil_div(e->unit->layer.output.width - column, e->conv.columns);
  return (uint32_t)xc_minimum((int32_t)start->length, end - first);
}

/// A word of the output channels of a chunk, in one of these columns.
typedef struct conv_word {
  const conv_window *window;
  const xc_rows *out;
  const chunk_weights *weights;
  int32_t group, column;
} conv_word;

static uint32_t weights_at(const xc_emitter *e, const conv_block *at,
                           const conv_word *now) {
  const xc_tile_request *request = e->windows.request;
  uint32_t row = (uint32_t)(now->window->kernel_row * request->kernel_w *
                            request->engine_groups);
  int32_t word = now->column * at->groups + now->group;
  if (now->weights->has_tail && word + 1 == at->groups * e->conv.columns)
    return now->weights->tail + row;
  return now->weights->address + (uint32_t)word * e->conv.weight_words + row;
}

/// Returns the first word of an input pixel that a word of the output is
/// computed from.
static uint32_t first_word(const xc_emitter *e, uint32_t group) {
  const XcDpuLayer *layer = &e->unit->layer;
  const XcDpuTarget *target = e->gen->target;
  if (e->unit->kind->is_diagonal)
    return group;
  if (layer->groups.words == 0)
    return 0;
  return (uint32_t)xcDpuGroupFirstWord(
      target, &layer->groups, layer->inputs[0].channels,
      e->unit->first_channel + (int32_t)group * target->channelParallel);
}

static XcDpuInstruction make_conv(const xc_emitter *e, const conv_block *at,
                                  const conv_word *now) {
  const xc_window_start *start = &now->window->start;
  uint32_t group =
      (uint32_t)(at->first_channel / e->gen->target->channelParallel +
                 now->group);
  uint32_t word = first_word(e, group);
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeConv};
  insn.conv = (XcDpuConv){
      .pad_left = start->pad_left,
      .pad_top = start->pad_top,
      .bank_addr_in = word_at(e, start, 0, word),
      .channel_group = (uint32_t)e->windows.request->engine_groups,
      .pad_right = start->pad_right,
      .pad_bottom = start->pad_bottom,
      .bank_addr_out = now->out->address +
                       (uint32_t)now->column * now->out->pixel_words +
                       (uint32_t)now->group,
      .length = column_length(e, at, start, now->column),
      .bank_id_in = start->bank,
      .bank_addr_weights = weights_at(e, at, now) % e->gen->weights.depth,
      .bank_addr_in_1 = word_at(e, start, 1, word),
      .bank_id_out = xc_rows_bank(now->out),
      .bank_addr_bias = (e->conv.bias_address + group) % e->gen->bias.depth,
      .channel_offset = unused_channels(e, word),
      .bank_addr_in_3 = word_at(e, start, 3, word),
      .bank_addr_in_2 = word_at(e, start, 2, word),
  };
  return insn;
}

/// Computes the output channels of a chunk for the rows of a window.
static void emit_groups(xc_emitter *e, const conv_block *at,
                        const conv_window *window, const xc_rows *out,
                        const chunk_weights *weights) {
  int32_t first_group = at->first_channel / e->gen->target->channelParallel;
  XcDpuInstruction init = make_init(e, window, out);
  for (int32_t group = 0; group < at->groups; ++group) {
    XcDpuShifts shifts = xc_word_shifts(&e->unit->layer, first_group + group);
    init.conv_init.shift_cut = shifts.cut;
    init.conv_init.shift_bias = shifts.bias;
    for (int32_t column = 0; column < e->conv.columns; ++column) {
      conv_word now = {window, out, weights, group, column};
      XcDpuInstruction insn = make_conv(e, at, &now);
      if (insn.conv.length > 0)
        xc_code_window(&e->gen->code, &init, &insn);
    }
  }
}

/// Emits consecutive rows with all columns of the tile.
static void emit_rows(xc_emitter *e, conv_block *at,
                      const chunk_weights *weights) {
  xc_windows *windows = &e->windows;
  const XcDpuTarget *target = windows->gen->target;
  int32_t rows = xc_windows_rows(windows, at->block);
  conv_window window = {
      .start = xc_windows_start(windows, at->tile, at->block,
                                at->block * windows->plan->block_rows, rows,
                                XC_DPU_FIELD_MAX(target, Conv, pad_right),
                                XC_DPU_FIELD_MAX(target, Conv, pad_bottom)),
      .rows = rows,
      .stride_h = windows->plan->stride_h,
      .kernel_rows = e->unit->layer.kernelH,
  };
  at->length = window.start.length;
  bool adds = e->unit->layer.numInputs == 2;
  if (adds)
    at->operand = need_operand(e, at);
  emit_groups(e, at, &window, &at->out, weights);
  if (adds) {
    xc_elementwise addition = after_conv(e, at);
    xc_emit_elementwise(e->gen, &addition);
  }
  xc_windows_save(windows, at->tile, at->block, &at->out, at->first_channel,
                  at->num_channels);
}

/// Emits row by row, with a strip of columns on each lane of the engine.
static void emit_strips(xc_emitter *e, conv_block *at,
                        const chunk_weights *weights) {
  xc_windows *windows = &e->windows;
  const xc_strips *strips = &windows->plan->strips;
  int32_t height = windows->request->out_height;
  bool is_held = e->unit->layout.output;
  xc_rows slot =
      is_held ? xc_strips_out_rows(windows, (uint32_t)at->groups) : at->out;
  at->length = (uint32_t)windows->request->out_width;
  if (e->unit->layer.numInputs == 2)
    at->operand = need_operand(e, at);
  xc_elementwise after = after_conv(e, at);
  int32_t step = xc_strip_rows_at_once(windows->request, windows->plan);
  for (int32_t y = height - strips->rows; y < height; y += step) {
    xc_strip_start strip = xc_strips_start(windows, y);
    xc_rows out = xc_strips_out_row(windows, &slot, y, (uint32_t)at->groups);
    // Windows of different strips must not share a row of the banks.
    conv_window window = {.start = strip.start,
                          .rows = strips->count,
                          .stride_h = windows->request->kernel_h,
                          .kernel_row = strip.kernel_row,
                          .kernel_rows = strip.kernel_rows};
    emit_groups(e, at, &window, &out, weights);
    for (int32_t row = y; row < y + step; ++row) {
      out = xc_strips_out_row(windows, &slot, row, (uint32_t)at->groups);
      if (is_held || after.num_inputs > 1)
        xc_strips_combine(windows, &after, &out, row);
      if (!is_held)
        xc_strips_save(windows, &out, row, at->first_channel, at->num_channels);
    }
  }
  if (is_held)
    xc_windows_save(windows, at->tile, at->block, &at->out, at->first_channel,
                    at->num_channels);
}

/// Computes one chunk of output channels of one block and saves it.
static void emit_chunk(xc_emitter *e, int32_t tile, int32_t block,
                       int32_t chunk, const chunk_weights *weights) {
  const xc_tile_plan *plan = e->windows.plan;
  int32_t groups = chunk_size(e, chunk), word = e->gen->target->channelParallel;
  int32_t first_group = chunk * plan->chunk_groups;
  conv_block at = {
      .tile = tile,
      .block = block,
      .groups = groups,
      .first_channel = first_group * word,
      .num_channels =
          xc_minimum(groups * word, e->conv.out_channels - first_group * word)};
  at.out = xc_windows_out_rows(&e->windows, block, (uint32_t)first_group,
                               (uint32_t)groups);
  if (xc_has_strips(&e->windows, block))
    emit_strips(e, &at, weights);
  else
    emit_rows(e, &at, weights);
}

static void need_bias(xc_emitter *e) {
  if (!e->conv.has_bias)
    load_bias(e);
  e->conv.has_bias = true;
}

/// Loads all chunks of weights that fit in so many words.
static void load_chunks(xc_emitter *e, uint32_t room) {
  uint32_t words = 0;
  for (int32_t chunk = 0; chunk < e->windows.plan->num_chunks; ++chunk) {
    words += chunk_words(e, chunk);
    if (words > room)
      return;
    need_weights(e, chunk);
  }
}

static void load_parameters(xc_emitter *e) {
  need_bias(e);
  load_chunks(e, e->gen->weights.depth);
}

static void enter_block(xc_emitter *e, int32_t tile, int32_t block) {
  xc_provenance *now = &e->gen->code.now;
  now->layer = e->unit->number;
  now->tile = (uint32_t)tile;
  now->row = (uint32_t)(block * e->windows.plan->block_rows);
  now->rows = (uint32_t)xc_windows_rows(&e->windows, block);
}

static void emit_all_of_chunk(xc_emitter *e, int32_t chunk) {
  const xc_tile_plan *plan = e->windows.plan;
  chunk_weights weights = need_weights(e, chunk);
  for (int32_t tile = 0; tile < plan->num_tiles; ++tile)
    for (int32_t block = 0; block < plan->num_blocks; ++block) {
      enter_block(e, tile, block);
      xc_windows_load(&e->windows, tile, block);
      emit_chunk(e, tile, block, chunk, &weights);
    }
}

static void emit_chunks_outside(xc_emitter *e) {
  for (int32_t chunk = 0; chunk < e->windows.plan->num_chunks; ++chunk)
    emit_all_of_chunk(e, chunk);
}

/// Emits a chunk of a unit that shares weights. Other units have used the banks
/// since the chunk before.
static void emit_shared_chunk(xc_emitter *e, int32_t chunk) {
  need_bias(e);
  xc_windows_forget(&e->windows);
  emit_all_of_chunk(e, chunk);
}

static void emit_tile_block(xc_emitter *e, int32_t tile, int32_t block) {
  enter_block(e, tile, block);
  xc_windows_load(&e->windows, tile, block);
  for (int32_t chunk = 0; chunk < e->windows.plan->num_chunks; ++chunk) {
    chunk_weights weights = need_weights(e, chunk);
    emit_chunk(e, tile, block, chunk, &weights);
  }
}

static void emit_block(xc_emitter *e, int32_t block) {
  emit_tile_block(e, 0, block);
}

/// Weights come before the rows of the first block, as LOADs of these may have
/// to wait until another layer has saved them. But they fill only half of the
/// banks, so as not to wait for the weights of the layer before.
static void emit_all(xc_emitter *e) {
  const xc_tile_plan *plan = e->windows.plan;
  need_bias(e);
  if (plan->chunks_outside) {
    emit_chunks_outside(e);
    return;
  }
  load_chunks(e, e->gen->weights.depth / 2);
  for (int32_t tile = 0; tile < plan->num_tiles; ++tile)
    for (int32_t block = 0; block < plan->num_blocks; ++block)
      emit_tile_block(e, tile, block);
}

static void begin(xc_emitter *e) {
  xc_windows_begin(&e->windows, e->gen, e->unit);
  const xc_tile_request *request = e->windows.request;
  e->conv.columns = request->columns;
  e->conv.weight_words = (uint32_t)(request->weight_words / request->columns);
  e->conv.kernel_pixels = request->kernel_h * request->kernel_w;
  e->conv.in_channels = xc_conv_in_channels(e->gen->target, e->unit);
  e->conv.out_channels = e->unit->layer.output.channels;
  e->conv.weight_channels = xc_conv_weight_channels(e->gen->target, e->unit);
  // Some weights are placed unit by unit.
  e->conv.first_group =
      xcDpuPlacesWeights(&e->unit->layer)
          ? 0
          : e->unit->first_channel / e->gen->target->channelParallel;
  size_t parts = (size_t)xc_num_weight_parts(e->unit);
  e->conv.part_addresses = xc_alloc_array(parts, sizeof(int32_t));
  for (size_t i = 0; i < parts; ++i)
    e->conv.part_addresses[i] = ABSENT;
}

static void end(xc_emitter *e) {
  free(e->conv.part_addresses);
  xc_windows_end(&e->windows);
}

const xc_emitter_ops xc_conv_emitter = {
    begin, end, load_parameters, emit_block, emit_all, emit_shared_chunk};
