//===- TilePlan.c - how a layer is cut into tiles -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

#include "Strips.h"

#include "Target/DPU/CodeGen/Family.h"

enum {
  /// Tile widths that are tried without finding a better one.
  PATIENCE = 8,
};

int32_t xc_tile_input_columns(const xc_tile_request *request,
                              const xc_tile_plan *plan, int32_t columns) {
  int32_t window = request->kernel_w;
  if (window < plan->stride_w && !plan->skips_gaps)
    window = plan->stride_w;
  return (columns - 1) * plan->stride_w + window;
}

/// Input columns of the widest tile. If there is room, these include the
/// columns that no window reaches, between windows and at the end of the row,
/// so that everything that the layer before has saved is loaded.
static int32_t input_columns(const xc_tile_request *request,
                             const xc_tile_plan *plan) {
  int32_t reached = (request->out_width - 1) * request->stride_w +
                    request->kernel_w - request->pad_left;
  int32_t tail = request->width - reached;
  if (tail < 0 || tail >= request->stride_w || plan->skips_gaps)
    tail = 0;
  int32_t columns = xc_tile_input_columns(request, plan, plan->tile_width);
  return xc_minimum(request->width, columns + tail);
}

/// Whether there is a second input in DDR.
static bool has_operand(const xc_tile_request *request) {
  return request->operand_depth > 0;
}

static bool is_loaded(const xc_tile_request *request) {
  return request->in_depth != 0;
}

static int32_t bands_of_rows(const xc_tile_request *request,
                             const xc_tile_plan *plan, int32_t rows) {
  int32_t reached = (rows - 1) * plan->stride_h + request->kernel_h;
  return (int32_t)xc_window_bands(request->target, reached, plan->stride_h);
}

/// Chooses the strides of the layout. If there is one window only, its stride
/// is free. In the ALU, whose kernels can be taller than four bands of single
/// rows, a larger stride makes bands taller.
static void choose_strides(const xc_tile_request *request, xc_tile_plan *plan) {
  plan->stride_h =
      (int32_t)xc_window_band_stride(request->target, request->kernel_h,
                                     request->stride_h, request->out_height);
  plan->stride_w = request->out_width == 1 ? 1 : request->stride_w;
  // Without rows in the banks or room to load them nothing will fit.
  if (!is_loaded(request) && request->in_bank_rows > 0 &&
      request->out_height == 1 && request->has_window)
    plan->stride_h = request->in_bank_rows;
}

//===----------------------------------------------------------------------===//
// Sizes that fit the banks
//===----------------------------------------------------------------------===//

/// Returns the most bands of an image in the banks that the windows of a block
/// reach.
static int32_t bands_in_banks(const xc_tile_request *request,
                              const xc_tile_plan *plan, int32_t block_rows) {
  int32_t band = plan->stride_h * request->target->pixelParallel;
  int32_t most = 0;
  for (int32_t y = 0; y < request->out_height; y += block_rows) {
    int32_t rows = xc_minimum(block_rows, request->out_height - y);
    int32_t top = y * plan->stride_h - request->pad_top + request->in_first_row;
    int32_t last = top + (rows - 1) * plan->stride_h + request->kernel_h - 1;
    int32_t bands = xc_floor_div(last, band) - xc_floor_div(top, band) + 1;
    most = bands > most ? bands : most;
  }
  return most;
}

/// Whether there are no strips, or blocks are of PP rows: strips are the rows
/// that whole blocks leave.
static bool has_strip_blocks(const xc_tile_request *request,
                             const xc_tile_plan *plan) {
  return plan->strips.rows == 0 ||
         plan->block_rows == request->target->pixelParallel;
}

/// Chooses the rows of a block; false if the windows reach too far.
static bool fit_input_in_banks(const xc_tile_request *request,
                               xc_tile_plan *plan) {
  if (plan->stride_h != request->in_bank_rows)
    return false;
  plan->block_rows = request->target->pixelParallel;
  plan->window_bands = bands_in_banks(request, plan, plan->block_rows);
  while (plan->window_bands > XC_MAX_BANDS && plan->block_rows % 2 == 0) {
    plan->block_rows /= 2;
    plan->window_bands = bands_in_banks(request, plan, plan->block_rows);
  }
  plan->num_blocks = xc_ceil_div(request->out_height, plan->block_rows);
  plan->num_slots = plan->window_bands;
  plan->keeps_halo = true;
  return plan->window_bands <= XC_MAX_BANDS && has_strip_blocks(request, plan);
}

/// Whether the bands have all columns of the input.
static bool are_whole(const xc_tile_request *request,
                      const xc_tile_plan *plan) {
  return plan->num_tiles == 1 &&
         plan->row_words == request->width * request->in_groups;
}

/// Chooses slots and rows of a block for a tile width; false if nothing fits.
static bool fit_input(const xc_tile_request *request, xc_tile_plan *plan) {
  if (!is_loaded(request))
    return fit_input_in_banks(request, plan);
  int32_t pp = request->target->pixelParallel;
  int32_t depth =
      request->in_depth - plan->strips.words - request->source_words;
  plan->row_words = input_columns(request, plan) * request->in_groups;
  plan->band_words = plan->row_words * plan->stride_h;
  if (plan->band_words > depth ||
      (plan->stride_h > 1 && plan->row_words > request->max_row_step))
    return false;
  plan->num_slots = depth / plan->band_words;
  int32_t limit = xc_minimum(XC_MAX_BANDS, plan->num_slots);
  plan->block_rows = pp;
  plan->window_bands = bands_of_rows(request, plan, pp);
  plan->keeps_halo = plan->window_bands <= limit;
  while (plan->window_bands > limit && plan->block_rows > 1)
    plan->window_bands = bands_of_rows(request, plan, --plan->block_rows);
  if (plan->window_bands > limit ||
      (request->is_whole && pp % plan->block_rows != 0))
    return false;
  if (request->source_words > 0 &&
      !(plan->keeps_halo && are_whole(request, plan)))
    return false;
  plan->num_blocks = xc_ceil_div(request->out_height, plan->block_rows);
  int32_t rows = request->out_height - plan->strips.rows;
  int32_t last = (rows - 1) * plan->stride_h + request->kernel_h - 1;
  if (plan->strips.rows == 0 && last < request->height - 1 + request->pad_top)
    last = request->height - 1 + request->pad_top;
  plan->tile_bands = plan->keeps_halo ? last / (plan->stride_h * pp) + 1
                                      : plan->num_blocks * plan->window_bands;
  return has_strip_blocks(request, plan);
}

/// The same, if all rows are in strips, and the banks hold the strips of one
/// tile at a time.
static bool fit_strips_only(const xc_tile_request *request,
                            xc_tile_plan *plan) {
  if (!xc_may_be_all_strips(request))
    return false;
  plan->strips.are_all = true;
  plan->block_rows = request->target->pixelParallel;
  plan->num_blocks = 1;
  plan->keeps_halo = true;
  plan->row_words = plan->band_words = plan->strips.words;
  plan->num_slots = request->in_depth / plan->strips.words;
  plan->window_bands = plan->tile_bands = 1;
  return plan->num_slots > 0;
}

static bool fit_output(const xc_tile_request *request, xc_tile_plan *plan) {
  int64_t width = plan->strips.are_all
                      ? (int64_t)plan->strips.rows * plan->strips.width
                      : plan->tile_width;
  int64_t words = width * request->columns * plan->chunk_groups;
  plan->num_chunks = xc_ceil_div(request->out_groups, plan->chunk_groups);
  if ((int64_t)plan->chunk_groups * request->weight_words >
          request->target->weights.depth ||
      request->operand_depth < 0 ||
      (has_operand(request) && words > request->operand_depth))
    return false;
  plan->out_row_words = (int32_t)words;
  plan->strips.out_words =
      plan->strips.rows * plan->strips.width * plan->chunk_groups;
  if (request->out_depth == 0)
    return plan->strips.rows == 0 ||
           plan->strips.out_words <= request->strip_out_depth;
  plan->num_out_slots = request->out_depth / plan->out_row_words;
  return words <= request->out_depth;
}

//===----------------------------------------------------------------------===//
// Costs of a plan
//===----------------------------------------------------------------------===//

/// Returns the number of blocks of a tile that are not cut into strips.
static int32_t whole_blocks(const xc_tile_plan *plan) {
  return plan->num_blocks - (plan->strips.rows > 0);
}

int32_t xc_rows_at_once(const xc_tile_request *request,
                        const xc_tile_plan *plan) {
  return request->has_dense_rows && are_whole(request, plan) ? plan->stride_h
                                                             : 1;
}

static xc_transfers input_transfers(const xc_tile_request *request,
                                    const xc_tile_plan *plan) {
  int64_t rows = request->height, blocks = whole_blocks(plan);
  if (!plan->keeps_halo)
    rows = blocks *
           xc_minimum(request->height, (plan->block_rows - 1) * plan->stride_h +
                                           request->kernel_h);
  if (blocks == 0)
    rows = 0;
  bool stays = plan->num_tiles == 1 && plan->tile_bands <= plan->num_slots;
  int64_t passes = plan->chunks_outside && !stays ? plan->num_chunks : 1;
  int64_t loads = is_loaded(request) ? passes * rows * plan->num_tiles : 0;
  int32_t at_once = xc_rows_at_once(request, plan);
  xc_transfers result = {(loads + at_once - 1) / at_once,
                         loads * request->in_bytes *
                             input_columns(request, plan)};
  if (request->source_words > 0)
    result = (xc_transfers){xc_ceil_div(request->height * request->width,
                                        xc_max_length(request->target)),
                            (int64_t)request->height * request->width *
                                request->in_bytes};
  if (plan->strips.rows > 0) {
    xc_transfers strips = xc_strip_loads(request, plan);
    result.count += strips.count;
    result.bytes += strips.bytes;
  }
  if (has_operand(request)) {
    result.count +=
        (int64_t)plan->num_tiles * request->out_height * plan->num_chunks;
    result.bytes += (int64_t)request->out_height * request->out_width *
                    request->operand_bytes;
  }
  return result;
}

static xc_transfers weight_transfers(const xc_tile_request *request,
                                     const xc_tile_plan *plan) {
  if (!request->weight_words)
    return (xc_transfers){0, 0};
  int64_t all = (int64_t)request->out_groups * request->weight_words;
  int64_t times = 1;
  if (!plan->chunks_outside && all > request->target->weights.depth)
    times = (int64_t)plan->num_tiles * plan->num_blocks;
  xc_transfers once = xc_family_of(request->target)
                          ->weight_transfers(request, plan->num_chunks);
  return (xc_transfers){times * once.count, times * once.bytes};
}

static xc_transfers output_transfers(const xc_tile_request *request,
                                     const xc_tile_plan *plan) {
  if (!request->saves)
    return (xc_transfers){0, 0};
  int64_t rows = request->out_height;
  if (plan->strips.rows > 0 && request->out_depth != 0)
    rows += (int64_t)plan->strips.rows * (plan->strips.count - 1);
  return (xc_transfers){plan->num_tiles * rows * plan->num_chunks,
                        (int64_t)request->out_height * request->out_width *
                            request->out_bytes};
}

/// Returns the number of rows of the last block.
static int32_t last_rows(const xc_tile_request *request,
                         const xc_tile_plan *plan) {
  return request->out_height - (plan->num_blocks - 1) * plan->block_rows;
}

/// Instructions, of `parallel` rows each, that compute all blocks of a tile.
static int64_t row_steps(const xc_tile_request *request,
                         const xc_tile_plan *plan, int32_t parallel) {
  if (plan->strips.rows > 0) // all blocks are whole
    return (int64_t)whole_blocks(plan) *
           xc_ceil_div(plan->block_rows, parallel);
  return (int64_t)(plan->num_blocks - 1) *
             xc_ceil_div(plan->block_rows, parallel) +
         xc_ceil_div(last_rows(request, plan), parallel);
}

static int64_t compute_cycles(const xc_tile_request *request,
                              const xc_tile_plan *plan) {
  int64_t one = request->engine_start + (int64_t)plan->tile_width *
                                            request->engine_groups *
                                            request->window_cycles;
  int64_t count =
      plan->num_tiles * row_steps(request, plan, request->engine_rows);
  int64_t strips = plan->strips.rows > 0
                       ? plan->num_tiles * xc_strip_cycles(request, plan)
                       : 0;
  return (one * count + strips) *
         (request->weight_words ? request->out_groups * request->columns : 1);
}

/// Returns the cycles that copy the rows of an input which comes to one bank.
static int64_t copy_cycles(const xc_tile_request *request,
                           const xc_tile_plan *plan) {
  if (request->source_words == 0)
    return 0;
  int32_t at_once = xc_rows_at_once(request, plan);
  return xc_ceil_div(request->height, at_once) *
         xc_elementwise_cycles(request->target, 1, 1,
                               (int64_t)at_once * plan->row_words);
}

/// Returns the cycles of the additions of whole rows. Each tile and chunk has
/// instructions of its own.
static int64_t addition_cycles(const xc_tile_request *request,
                               const xc_tile_plan *plan) {
  int64_t rows = request->out_height - plan->strips.rows;
  int64_t words = (int64_t)request->out_width * request->out_groups;
  int64_t starts = (int64_t)plan->num_tiles * plan->num_chunks - 1;
  return xc_elementwise_cycles(request->target, 2, rows, words) +
         starts * xc_elementwise_cycles(request->target, 2, rows, 0);
}

/// Returns the cost of a plan: the longest queue, and what cannot overlap with
/// it without double buffering.
static xc_unit_cost cost_of(const xc_tile_request *request,
                            const xc_tile_plan *plan) {
  const XcDpuTarget *target = request->target;
  int64_t compute = compute_cycles(request, plan);
  xc_work work = {
      .input = input_transfers(request, plan),
      .weights = weight_transfers(request, plan),
      .output = output_transfers(request, plan),
      .blocks = (int64_t)plan->num_tiles * plan->num_blocks,
  };
  *(request->weight_words ? &work.conv : &work.misc) = compute;
  work.misc += copy_cycles(request, plan);
  if (request->adds)
    work.misc += addition_cycles(request, plan);
  if (plan->strips.rows > 0) {
    work.misc += xc_strip_copies(request, plan);
    work.last = xc_strip_row_copies(request, plan);
  } else if (request->adds) {
    work.last =
        xc_elementwise_cycles(target, 2, last_rows(request, plan),
                              (int64_t)plan->tile_width * plan->chunk_groups);
  }
  bool is_single =
      has_operand(request) && 2 * plan->out_row_words > request->operand_depth;
  work.waits_for_input =
      work.blocks > 1 && (plan->num_slots <= plan->window_bands || is_single);
  work.waits_for_output = work.blocks * plan->num_chunks > 1 &&
                          request->out_depth > 0 && plan->num_out_slots < 2;
  work.waits_for_weights =
      2 * (int64_t)plan->chunk_groups * request->weight_words >
      target->weights.depth;
  return xc_price(target, &work);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Whether the first plan is better. Of plans that take the same time, those
/// that keep the ports busy for less time leave more to their neighbours. If
/// all rows are in strips, the start counts as well, as a signal in one tile is
/// loaded, computed and saved one after the other.
static bool is_cheaper(const xc_tile_plan *one, const xc_tile_plan *other) {
  const xc_unit_cost *a = &one->cost, *b = &other->cost;
  if (one->strips.are_all && other->strips.are_all &&
      a->cycles + a->start != b->cycles + b->start)
    return a->cycles + a->start < b->cycles + b->start;
  if (a->cycles != b->cycles)
    return a->cycles < b->cycles;
  return a->load + a->save < b->load + b->save;
}

/// Returns the next smaller chunk that is tried. One of them is the largest
/// chunk beside which the next one fits, as its weights come in the fewest
/// LOADs.
static int32_t next_chunk(const xc_tile_request *request, int32_t groups) {
  int32_t next = xc_ceil_div(groups, 2);
  int32_t fitting = request->target->weights.depth / 2 / request->weight_words;
  if (fitting <= next || fitting >= groups)
    return next;
  int32_t chunks = xc_ceil_div(request->out_groups, fitting);
  return xc_maximum(xc_ceil_div(request->out_groups, chunks), next);
}

/// Tries the chunk sizes and loop orders for a tile width.
static bool try_chunks(const xc_tile_request *request, xc_tile_plan *plan,
                       xc_tile_plan *best) {
  bool is_better = false;
  int32_t groups = request->out_groups, outside = 0;
  if (request->chunk_groups > 0) {
    groups = request->chunk_groups;
    outside = 1;
  }
  for (;; groups = next_chunk(request, groups)) {
    plan->chunk_groups = groups;
    if (fit_output(request, plan))
      for (int order = outside; order < 2; ++order) {
        plan->chunks_outside = order;
        plan->cost = cost_of(request, plan);
        if (best->cost.cycles >= 0 && !is_cheaper(plan, best))
          continue;
        *best = *plan;
        is_better = true;
      }
    // The weights of several columns lie together.
    if (groups == 1 || !request->weight_words || request->columns > 1 ||
        request->chunk_groups > 0)
      return is_better;
  }
}

/// Why not even the narrowest tile fits.
static XcDpuRefusal explain(const xc_tile_request *request,
                            const xc_tile_plan *plan) {
  const XcDpuTarget *target = request->target;
  if (request->weight_words > target->weights.depth)
    return (XcDpuRefusal){XcDpuRefusalReasonWeightWords, request->weight_words,
                          1, target->weights.depth};
  int64_t row_words = xc_window_row_words(request->kernel_w, request->width,
                                          request->in_groups);
  int32_t bands = bands_of_rows(request, plan, 1);
  if (bands > XC_MAX_BANDS)
    return (XcDpuRefusal){XcDpuRefusalReasonWindowRows, bands, 1, XC_MAX_BANDS};
  if (plan->stride_h > 1 && row_words > request->max_row_step)
    return (XcDpuRefusal){XcDpuRefusalReasonRowStep, (int32_t)row_words, 1,
                          request->max_row_step};
  int64_t words =
      xc_window_words(target, request->kernel_h, plan->stride_h, row_words);
  return (XcDpuRefusal){XcDpuRefusalReasonBankWords, (int32_t)words, 1,
                        request->in_depth};
}

/// Tries a tile width as it is, and with the last rows in strips.
static bool try_width(const xc_tile_request *request, bool fits_instructions,
                      xc_tile_plan *trial, xc_tile_plan *best) {
  trial->strips = (xc_strips){0};
  bool is_better = fits_instructions && !request->has_strips &&
                   fit_input(request, trial) &&
                   try_chunks(request, trial, best);
  if (!xc_choose_strips(request, trial))
    return is_better;
  // Of ResNet-50 on eight sizes, strips of layers with a sum in DDR made two
  // faster and two slower.
  bool has_whole_rows = trial->num_tiles == 1 && fits_instructions &&
                        (request->has_strips || !request->adds);
  if ((has_whole_rows && fit_input(request, trial)) ||
      fit_strips_only(request, trial))
    is_better |= try_chunks(request, trial, best);
  return is_better;
}

/// Tries the tile widths. The cheapest plan has negative cycles if nothing
/// fits.
static xc_tile_plan search(const xc_tile_request *request,
                           xc_tile_plan *trial) {
  xc_tile_plan best = {.cost.cycles = -1};
  int patience = PATIENCE;
  int32_t last_width = 0;
  int32_t most = request->is_whole ? 1 : request->out_width;
  int32_t length = request->adds ? xc_max_elementwise_length(request->target)
                                 : xc_max_length(request->target);
  for (int32_t tiles = 1; tiles <= most && patience; ++tiles) {
    trial->tile_width = xc_ceil_div(request->out_width, tiles);
    trial->num_tiles = xc_ceil_div(request->out_width, trial->tile_width);
    if (trial->tile_width == last_width)
      continue;
    last_width = trial->tile_width;
    bool fits = trial->tile_width <= length / request->columns;
    bool is_better = try_width(request, fits, trial, &best);
    if (best.cost.cycles >= 0)
      patience = is_better ? PATIENCE : patience - 1;
  }
  return best;
}

XcDpuRefusal xc_plan_tiles(const xc_tile_request *request, xc_tile_plan *plan) {
  xc_tile_plan trial = {0};
  choose_strides(request, &trial);
  *plan = search(request, &trial);
  if (plan->cost.cycles < 0 && !request->is_whole) {
    trial.skips_gaps = true;
    *plan = search(request, &trial);
  }
  if (plan->cost.cycles < 0)
    return explain(request, &trial);
  return xc_accepted;
}
