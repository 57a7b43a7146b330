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

/// They lie at the end of the area, of which the slots have the rest.
static uint32_t base_of(const xc_windows *windows) {
  const xc_bank_area *area = &windows->unit->layout.input_area;
  return (uint32_t)(area->base + area->words - windows->plan->strips.words);
}

static void load_row(xc_windows *windows, int32_t strip, int32_t row) {
  const xc_tile_plan *plan = windows->plan;
  const XcDpuImage *image = &windows->unit->plan.input;
  int32_t words = windows->request->in_groups;
  xc_strip_columns columns = xc_strip_input(windows->request, plan, strip);
  uint32_t bank = windows->unit->layout.input_area.group + (uint32_t)strip;
  uint32_t address =
      base_of(windows) + (uint32_t)(row * plan->strips.row_words);
  xc_load_zeros(windows->gen, image, bank, address,
                columns.zeros_before * words);
  address += (uint32_t)(columns.zeros_before * words);
  xc_pixels pixels = {image, plan->strips.in_row + row, columns.first,
                      columns.count};
  xc_load_pixels(windows->gen, &pixels, bank, address);
  address += (uint32_t)(columns.count * words);
  xc_load_zeros(windows->gen, image, bank, address,
                columns.zeros_after * words);
}

void xc_strips_load(xc_windows *windows) {
  const xc_strips *strips = &windows->plan->strips;
  if (windows->has_strips)
    return;
  windows->has_strips = true;
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
                .length = (uint32_t)strips->width},
      .kernel_row = kernel.first,
      .kernel_rows = kernel.count};
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
    int32_t begin = k * strips->width;
    xc_rows lane = xc_rows_from(*row, k);
    xc_pixels pixels = {
        &image, y, begin,
        xc_minimum(strips->width, windows->request->out_width - begin)};
    xc_save_pixels(windows->gen, &pixels, xc_rows_bank(&lane),
                   xc_rows_address(&lane), row->pixel_words);
  }
}
