//===- Strips.c - strips of columns of the last rows ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Target/DPU/CodeGen/Plan/Strips.h"

bool xc_has_strips(const xc_windows *windows, int32_t block) {
  return windows->plan->strips.rows > 0 &&
         block + 1 == windows->plan->num_blocks;
}

static int32_t tile_of(const xc_windows *windows) {
  return windows->strips_tile - 1;
}

/// Returns the first word of the strips. They lie at the end of the area; the
/// slots, if there are any, have the rest.
static uint32_t base_of(const xc_windows *windows) {
  const xc_bank_area *area = &windows->unit->layout.input_area;
  const xc_tile_plan *plan = windows->plan;
  int32_t slot = plan->strips.are_all ? tile_of(windows) % plan->num_slots : 0;
  return (uint32_t)(area->base + area->words - (slot + 1) * plan->strips.words);
}

/// Returns the first column of a strip of the output.
static int32_t first_column(const xc_windows *windows, int32_t strip) {
  const xc_tile_plan *plan = windows->plan;
  return tile_of(windows) * plan->tile_width + strip * plan->strips.width;
}

/// Brings pixels of a row of the input to words of a bank.
static void bring_pixels(xc_windows *windows, const xc_pixels *pixels,
                         uint32_t bank, uint32_t address) {
  const xc_unit_layout *layout = &windows->unit->layout;
  const xc_bank_image *image = layout->inputs[0];
  const XcDpuTarget *target = windows->gen->target;
  int32_t words = windows->request->in_groups;
  if (!image) {
    xc_load_pixels(windows->gen, pixels, bank, address);
    return;
  }
  xc_rows from = xc_bank_image_rows(
      target, image, pixels->y + layout->input_rows[0],
      layout->input_words[0] + pixels->x * image->pixel_words);
  xc_elementwise copy = {
      .kind = XcDpuElementwiseKindAdd,
      .activation = XcActivationNone,
      .num_inputs = 1,
      .inputs = {from},
      .result = xc_block_rows(target, bank, address, (uint32_t)words),
      .length = (uint32_t)pixels->count,
      .groups = (uint32_t)words,
      .rows = 1};
  xc_emit_elementwise(windows->gen, &copy);
}

static void load_row(xc_windows *windows, int32_t strip, int32_t row) {
  const xc_tile_plan *plan = windows->plan;
  const XcDpuImage *image = &windows->unit->plan.input;
  XcDpuImage zeros = xc_strip_zeros(windows->gen->target, windows->unit, image);
  int32_t words = windows->request->in_groups;
  xc_strip_columns columns =
      xc_strip_input(windows->request, plan, tile_of(windows), strip);
  uint32_t bank = windows->unit->layout.input_area.group + (uint32_t)strip;
  uint32_t address =
      base_of(windows) + (uint32_t)(row * plan->strips.row_words);
  xc_load_zeros(windows->gen, &zeros, bank, address,
                columns.zeros_before * words);
  address += (uint32_t)(columns.zeros_before * words);
  xc_pixels pixels = {image, plan->strips.in_row + row, columns.first,
                      columns.count};
  if (columns.count > 0)
    bring_pixels(windows, &pixels, bank, address);
  address += (uint32_t)(columns.count * words);
  xc_load_zeros(windows->gen, &zeros, bank, address,
                columns.zeros_after * words);
}

void xc_strips_load(xc_windows *windows, int32_t tile) {
  const xc_strips *strips = &windows->plan->strips;
  if (windows->strips_tile == tile + 1)
    return;
  windows->strips_tile = tile + 1;
  for (int32_t row = 0; row < strips->in_rows; ++row)
    for (int32_t strip = 0; strip < strips->count; ++strip)
      load_row(windows, strip, row);
}

xc_strip_start xc_strips_start(const xc_windows *windows, int32_t y) {
  const xc_tile_request *request = windows->request;
  const xc_strips *strips = &windows->plan->strips;
  const XcDpuTarget *target = request->target;
  xc_kernel_rows kernel = xc_strip_kernel(request, windows->plan, y);
  uint32_t row = (uint32_t)(kernel.in_row - strips->in_row);
  uint32_t address = base_of(windows) + row * (uint32_t)strips->row_words;
  return (xc_strip_start){
      .start = {.bank = windows->unit->layout.input_area.group,
                .addresses = {address, address, address, address},
                .pixel_words = (uint32_t)request->in_groups,
                .row_words = (uint32_t)strips->row_words,
                .pad_right = (uint32_t)xc_minimum(
                    request->kernel_w - 1,
                    XC_DPU_FIELD_MAX(target, Conv, pad_right)),
                .pad_bottom = (uint32_t)xc_minimum(
                    kernel.count - 1,
                    XC_DPU_FIELD_MAX(target, Conv, pad_bottom)),
                .length =
                    (uint32_t)(strips->width *
                               xc_strip_rows_at_once(request, windows->plan))},
      .kernel_row = kernel.first,
      .kernel_rows = kernel.count};
}

xc_rows xc_strips_out_rows(xc_windows *windows, uint32_t groups) {
  const xc_bank_area *area = &windows->unit->layout.output_area;
  int32_t words = windows->plan->strips.out_words;
  int32_t slot = windows->out_blocks++ % (area->words / words);
  return xc_block_rows(windows->gen->target, area->group,
                       (uint32_t)(area->base + slot * words), groups);
}

/// Returns the pixels from `x` on of a row.
static xc_rows pixels_from(const xc_rows *rows, int32_t row, int32_t x) {
  xc_rows result = xc_rows_from(*rows, row);
  result.address += (uint32_t)x * result.pixel_words;
  return result;
}

/// Returns the number of columns that a strip of the output has; 0 or less if
/// it has none.
static int32_t columns_of(const xc_windows *windows, int32_t strip) {
  const xc_tile_plan *plan = windows->plan;
  int32_t end = xc_minimum((tile_of(windows) + 1) * plan->tile_width,
                           windows->request->out_width);
  return xc_minimum(plan->strips.width, end - first_column(windows, strip));
}

/// Adds the second input, if all rows are in strips. It is in strips, too:
/// whole strips are added at once, and then the columns of the last one.
static void combine_strips(xc_windows *windows, const xc_elementwise *with,
                           const xc_rows *row, const xc_rows *operand) {
  const xc_strips *strips = &windows->plan->strips;
  int32_t whole = 0;
  while (whole < strips->count && columns_of(windows, whole) == strips->width)
    ++whole;
  for (int32_t k = 0; k < strips->count; k += k < whole ? whole : 1) {
    xc_elementwise now = *with;
    int32_t columns = columns_of(windows, k);
    now.rows = k < whole ? whole : 1;
    now.length = (uint32_t)xc_maximum(columns, 0);
    now.inputs[0] = now.result = xc_rows_from(*row, k);
    now.inputs[1] = xc_rows_from(*operand, k);
    if (columns > 0)
      xc_emit_elementwise(windows->gen, &now);
  }
}

void xc_strips_combine(xc_windows *windows, const xc_elementwise *with,
                       const xc_rows *row, int32_t y) {
  const xc_strips *strips = &windows->plan->strips;
  int32_t in_block = y - (windows->request->out_height - strips->rows);
  bool is_held = windows->unit->layout.output;
  xc_elementwise now = *with;
  if (strips->are_all) {
    xc_rows operand = xc_strips_out_row(windows, &with->inputs[1], y,
                                        with->inputs[1].pixel_words);
    combine_strips(windows, with, row, &operand);
    return;
  }
  now.rows = 1;
  for (int32_t k = 0; k < strips->count; ++k) {
    int32_t begin = k * strips->width;
    now.inputs[0] = xc_rows_from(*row, k);
    for (size_t i = 1; i < now.num_inputs; ++i)
      now.inputs[i] = pixels_from(&with->inputs[i], in_block, begin);
    now.result =
        is_held ? pixels_from(&with->result, in_block, begin) : now.inputs[0];
    now.length = (uint32_t)xc_minimum(strips->width,
                                      windows->request->out_width - begin);
    xc_emit_elementwise(windows->gen, &now);
  }
}

xc_rows xc_strips_out_row(const xc_windows *windows, const xc_rows *rows,
                          int32_t y, uint32_t groups) {
  const xc_strips *strips = &windows->plan->strips;
  int32_t row = y - (windows->request->out_height - strips->rows);
  xc_rows result = *rows;
  result.address += (uint32_t)(row * strips->width) * groups;
  return result;
}

void xc_strips_save(xc_windows *windows, const xc_rows *row, int32_t y,
                    int32_t first, int32_t count) {
  const xc_strips *strips = &windows->plan->strips;
  XcDpuImage image =
      xc_image_channels(&windows->unit->layer.output, first, count);
  for (int32_t k = 0; k < strips->count; ++k) {
    int32_t columns = columns_of(windows, k);
    xc_rows lane = xc_rows_from(*row, k);
    xc_pixels pixels = {&image, y, first_column(windows, k), columns};
    if (columns > 0)
      xc_save_pixels(windows->gen, &pixels, xc_rows_bank(&lane),
                     xc_rows_address(&lane), row->pixel_words);
  }
}

void xc_strips_load_operand(xc_windows *windows, const XcDpuImage *image,
                            const xc_rows *rows, uint32_t groups) {
  const xc_strips *strips = &windows->plan->strips;
  for (int32_t y = 0; y < strips->rows; ++y) {
    xc_rows row = xc_strips_out_row(windows, rows, y, groups);
    for (int32_t k = 0; k < strips->count; ++k) {
      int32_t columns = columns_of(windows, k);
      xc_rows lane = xc_rows_from(row, k);
      xc_pixels pixels = {image, y, first_column(windows, k), columns};
      if (columns > 0)
        xc_load_pixels(windows->gen, &pixels, xc_rows_bank(&lane),
                       xc_rows_address(&lane));
    }
  }
}
