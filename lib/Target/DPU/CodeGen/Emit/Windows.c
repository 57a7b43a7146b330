//===- Windows.c - input bands and output blocks of window layers ---------===//
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

//===----------------------------------------------------------------------===//
// Geometry
//===----------------------------------------------------------------------===//

static int32_t tile_length(const xc_windows *windows, int32_t tile) {
  const xc_tile_plan *plan = windows->plan;
  return xc_minimum(plan->tile_width,
                    windows->request->out_width - tile * plan->tile_width);
}

/// The same for the output.
static int32_t out_length(const xc_windows *windows, int32_t tile) {
  int32_t columns = windows->request->columns;
  int32_t first = tile * windows->plan->tile_width * columns;
  return xc_minimum(tile_length(windows, tile) * columns,
                    windows->unit->layer.output.width - first);
}

/// Leftmost input column of a tile; negative in the padding.
static int32_t first_column(const xc_windows *windows, int32_t tile) {
  return tile * windows->plan->tile_width * windows->plan->stride_w -
         windows->request->pad_left;
}

static int32_t band_rows(const xc_windows *windows) {
  return windows->plan->stride_h * windows->request->target->pixelParallel;
}

/// Returns the row of the bands at which the window of output row `y` begins,
/// counted from the beginning of the tile or of the block.
static int32_t window_row(const xc_windows *windows, int32_t block, int32_t y) {
  const xc_tile_plan *plan = windows->plan;
  int32_t origin = plan->keeps_halo ? 0 : block * plan->block_rows;
  return (y - origin) * plan->stride_h;
}

static int64_t first_band(const xc_windows *windows, int32_t tile,
                          int32_t block) {
  const xc_tile_plan *plan = windows->plan;
  int64_t band = (int64_t)tile * plan->tile_bands;
  return plan->keeps_halo ? band : band + block * plan->window_bands;
}

static uint32_t slot_address(const xc_windows *windows, int64_t band) {
  const xc_tile_plan *plan = windows->plan;
  return (uint32_t)(windows->unit->layout.input_area.base +
                    windows->request->source_words +
                    band % plan->num_slots * plan->band_words);
}

int32_t xc_windows_rows(const xc_windows *windows, int32_t block) {
  const xc_tile_plan *plan = windows->plan;
  return xc_minimum(plan->block_rows,
                    windows->request->out_height - block * plan->block_rows);
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

/// Notes a row of a band as being in the banks. Returns whether it was not
/// there before.
static bool enter_row(xc_windows *windows, int64_t band, int32_t row) {
  int32_t rows = band_rows(windows);
  int64_t number = band * rows + row;
  int64_t *content =
      &windows->contents[band % windows->plan->num_slots * rows + row];
  bool is_new = *content != number + 1;
  *content = number + 1;
  return is_new;
}

void xc_windows_load_source(xc_windows *windows) {
  const xc_tile_request *request = windows->request;
  const xc_bank_area *area = &windows->unit->layout.input_area;
  if (request->source_words == 0 || windows->has_source)
    return;
  xc_pixels pixels = {&windows->unit->plan.input, 0, 0,
                      request->height * request->width};
  xc_load_pixels(windows->gen, &pixels, area->group, (uint32_t)area->base);
  windows->has_source = true;
}

/// Lets the elementwise engine copy rows from `y` on to their bank.
static void copy_rows(xc_windows *windows, int32_t y, int32_t rows,
                      uint32_t bank, uint32_t address) {
  const xc_tile_request *request = windows->request;
  const xc_bank_area *area = &windows->unit->layout.input_area;
  uint32_t from = (uint32_t)(area->base + y * windows->plan->row_words);
  uint32_t groups = (uint32_t)request->in_groups;
  xc_windows_load_source(windows);
  xc_elementwise copy = {
      .kind = XcDpuElementwiseKindAdd,
      .activation = XcActivationNone,
      .num_inputs = 1,
      .inputs = {xc_block_rows(request->target, area->group, from, groups)},
      .result = xc_block_rows(request->target, bank, address, groups),
      .length = (uint32_t)(rows * request->width),
      .groups = groups,
      .rows = 1,
  };
  xc_emit_elementwise(windows->gen, &copy);
}

/// Loads row `y` of the input, and with it following rows of the same bank that
/// are not there either, up to `count` rows. Returns how many rows are there
/// now.
static int32_t load_rows(xc_windows *windows, int32_t tile, int64_t band,
                         int32_t row, int32_t y, int32_t count) {
  const xc_tile_plan *plan = windows->plan;
  if (!enter_row(windows, band, row))
    return 1;
  int32_t rows = 1;
  while (rows < count && enter_row(windows, band, row + rows))
    ++rows;
  int32_t left = first_column(windows, tile);
  int32_t right = left + xc_tile_input_columns(windows->request, plan,
                                               tile_length(windows, tile));
  left = xc_maximum(left, 0);
  if (tile + 1 == plan->num_tiles)
    right = left + plan->row_words / windows->request->in_groups;
  right = xc_minimum(right, windows->request->width);
  uint32_t bank =
      windows->unit->layout.input_area.group + (uint32_t)(row / plan->stride_h);
  uint32_t address = slot_address(windows, band) +
                     (uint32_t)(row % plan->stride_h * plan->row_words);
  xc_pixels pixels = {&windows->unit->plan.input, y,
                      left - xc_row_overlap(windows->unit, y),
                      rows * (right - left)};
  if (windows->request->source_words > 0)
    copy_rows(windows, y, rows, bank, address);
  else if (windows->unit->plan.augmentation.channels)
    xc_load_augmented(windows->gen, &pixels, &windows->unit->plan.augmentation,
                      bank, address);
  else
    xc_load_pixels(windows->gen, &pixels, bank, address);
  return rows;
}

void xc_windows_load(xc_windows *windows, int32_t tile, int32_t block) {
  const xc_tile_request *request = windows->request;
  const xc_tile_plan *plan = windows->plan;
  if (xc_has_strips(windows, block)) {
    xc_strips_load(windows, tile);
    return;
  }
  if (windows->unit->layout.inputs[0])
    return;
  int32_t y = block * plan->block_rows;
  int32_t rows = xc_windows_rows(windows, block);
  int32_t begin = window_row(windows, block, y);
  int32_t end = begin + (rows - 1) * plan->stride_h +
                xc_maximum(request->kernel_h, plan->stride_h);
  // Row 0 of the bands is this row of the input.
  int32_t shift = plan->keeps_halo ? -request->pad_top
                                   : y * plan->stride_h - request->pad_top;
  // Rows that no window reaches, where there is room for them.
  int32_t bands = plan->keeps_halo ? plan->num_slots : plan->window_bands;
  int32_t room = (begin / band_rows(windows) + bands) * band_rows(windows);
  if (block + 1 == plan->num_blocks)
    end = xc_maximum(end, xc_minimum(request->height - shift, room));
  begin = xc_maximum(begin, -shift);
  end = xc_minimum(end, request->height - shift);
  int64_t band = first_band(windows, tile, block);
  int32_t at_once = xc_rows_at_once(request, plan);
  // The other rows of the last bank come with it.
  end =
      xc_minimum(xc_ceil_div(end, at_once) * at_once, request->height - shift);
  for (int32_t v = begin; v < end;)
    v += load_rows(windows, tile, band + v / band_rows(windows),
                   v % band_rows(windows), v + shift,
                   xc_minimum(at_once - v % at_once, end - v));
}

/// Finds where a window begins in an image in the banks. Rows above the image
/// have the addresses that they would have, and are not read.
static void start_in_banks(const xc_windows *windows, int32_t top,
                           xc_window_start *start) {
  const xc_unit_layout *layout = &windows->unit->layout;
  const xc_bank_image *image = layout->inputs[0];
  const XcDpuTarget *target = windows->request->target;
  int32_t pp = target->pixelParallel, depth = target->image.depth;
  int32_t step = xc_floor_div(top + layout->input_rows[0], image->bank_rows);
  int32_t band = xc_floor_div(step, pp);
  start->bank = image->group + (uint32_t)(step - band * pp);
  start->row_offset =
      (uint32_t)(top + layout->input_rows[0] - step * image->bank_rows);
  start->pixel_words = (uint32_t)image->pixel_words;
  start->row_words = (uint32_t)image->row_words;
  int32_t left = (int32_t)start->pad_left * image->pixel_words;
  for (int32_t g = 0; g < XC_MAX_BANDS; ++g) {
    int32_t b = band + g;
    int32_t slot = b - xc_floor_div(b, image->num_slots) * image->num_slots;
    int32_t address =
        image->base + slot * image->band_words + layout->input_words[0] - left;
    start->addresses[g] = (uint32_t)((address % depth + depth) % depth);
  }
}

xc_window_start xc_windows_start(const xc_windows *windows, int32_t tile,
                                 int32_t block, int32_t y, int32_t rows,
                                 int32_t max_pad_right,
                                 int32_t max_pad_bottom) {
  const xc_tile_request *request = windows->request;
  const xc_tile_plan *plan = windows->plan;
  uint32_t depth = (uint32_t)request->target->image.depth;
  int32_t length = tile_length(windows, tile);
  int32_t column = first_column(windows, tile);
  int32_t top = y * plan->stride_h - request->pad_top;
  xc_window_start start = {
      .pad_left = (uint32_t)xc_maximum(-column, 0),
      .pad_top = (uint32_t)xc_maximum(-top, 0),
      .pad_right = (uint32_t)xc_minimum(
          max_pad_right,
          request->width - 1 - (column + (length - 1) * plan->stride_w)),
      .pad_bottom = (uint32_t)xc_minimum(
          max_pad_bottom,
          request->height - 1 - (top + (rows - 1) * plan->stride_h)),
      .length = (uint32_t)length,
  };
  start.pixel_words = (uint32_t)request->in_groups;
  start.row_words = (uint32_t)plan->row_words;
  if (windows->unit->layout.inputs[0]) {
    start_in_banks(windows, top, &start);
    return start;
  }
  int32_t row = window_row(windows, block, y);
  start.bank =
      windows->unit->layout.input_area.group +
      (uint32_t)(row / plan->stride_h % request->target->pixelParallel);
  int64_t band = first_band(windows, tile, block) + row / band_rows(windows);
  // The border may be longer than the banks.
  uint32_t back = start.pad_left * (uint32_t)request->in_groups % depth;
  for (int64_t g = 0; g < XC_MAX_BANDS; ++g)
    start.addresses[g] =
        (slot_address(windows, band + g) + depth - back) % depth;
  return start;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

xc_rows xc_windows_out_rows(xc_windows *windows, int32_t block, uint32_t group,
                            uint32_t groups) {
  const xc_tile_plan *plan = windows->plan;
  const xc_unit_layout *layout = &windows->unit->layout;
  if (layout->output)
    return xc_bank_image_rows(windows->request->target, layout->output,
                              block * plan->block_rows,
                              layout->output_word + (int32_t)group);
  int32_t slot = windows->out_blocks++ % plan->num_out_slots;
  return xc_block_rows(
      windows->request->target, layout->output_area.group,
      (uint32_t)(layout->output_area.base + slot * plan->out_row_words),
      groups);
}

void xc_windows_save(xc_windows *windows, int32_t tile, int32_t block,
                     const xc_rows *rows, int32_t first, int32_t count) {
  if (!windows->unit->layout.saves)
    return;
  const xc_tile_plan *plan = windows->plan;
  XcDpuImage image =
      xc_image_channels(&windows->unit->layer.output, first, count);
  for (int32_t y = 0; y < xc_windows_rows(windows, block); ++y) {
    xc_rows row = xc_rows_from(*rows, y);
    int32_t in_image = block * plan->block_rows + y;
    int32_t overlap = xc_row_overlap(windows->unit, in_image);
    xc_pixels pixels = {&image, in_image,
                        tile * plan->tile_width * windows->request->columns,
                        out_length(windows, tile) - overlap};
    xc_save_pixels(windows->gen, &pixels, xc_rows_bank(&row),
                   xc_rows_address(&row) + (uint32_t)overlap * row.pixel_words,
                   row.pixel_words);
  }
}

//===----------------------------------------------------------------------===//
// The state
//===----------------------------------------------------------------------===//

void xc_windows_begin(xc_windows *windows, xc_emission *gen,
                      const xc_unit *unit) {
  *windows = (xc_windows){.gen = gen,
                          .unit = unit,
                          .request = &unit->plan.request,
                          .plan = &unit->plan.tiles};
  if (unit->layout.inputs[0])
    return;
  assert(windows->plan->num_slots >= windows->plan->window_bands &&
         "a window fits the slots");
  windows->contents = xc_alloc_array((size_t)windows->plan->num_slots *
                                         (size_t)band_rows(windows),
                                     sizeof *windows->contents);
}

void xc_windows_forget(xc_windows *windows) {
  size_t rows = (size_t)windows->plan->num_slots * (size_t)band_rows(windows);
  if (windows->contents)
    memset(windows->contents, 0, rows * sizeof *windows->contents);
  windows->strips_tile = 0;
}

void xc_windows_share(xc_windows *windows, const xc_windows *other) {
  assert(windows->plan->band_words == other->plan->band_words &&
         windows->plan->num_slots == other->plan->num_slots &&
         windows->plan->keeps_halo == other->plan->keeps_halo &&
         windows->plan->block_rows == other->plan->block_rows &&
         "the same windows are planned alike");
  free(windows->contents);
  windows->contents = other->contents;
  windows->shares_contents = true;
}

void xc_windows_end(xc_windows *windows) {
  if (!windows->shares_contents)
    free(windows->contents);
}
