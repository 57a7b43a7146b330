//===- Walk.c - walks over the rows of bank groups ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk.h"

#include <string.h>

xc_walk xc_row_walk(const XcDpuTarget *target, uint32_t bank) {
  uint32_t parallel = (uint32_t)target->pixelParallel;
  return (xc_walk){.group = bank / parallel * parallel,
                   .position = bank % parallel,
                   .stride = 1,
                   .bank_step = 1};
}

static xc_window make_window(const XcDpuTarget *target,
                             const xc_window_fields *fields) {
  uint32_t below = (fields->rows - 1) * fields->stride_h;
  uint32_t right = (fields->pixels - 1) * fields->stride_w;
  uint32_t slice = fields->channel_group * (uint32_t)target->channelParallel;
  xc_window window = {
      .walk = xc_row_walk(target, fields->bank_id_in),
      .rows = below + fields->kernel_h,
      .columns = right + fields->kernel_w,
      .kernel_h = fields->kernel_h,
      .kernel_w = fields->kernel_w,
      .kernel_d = fields->kernel_d,
      .stride_h = fields->stride_h,
      .stride_w = fields->stride_w,
      .pad_left = fields->pad_left,
      .pad_top = fields->pad_top,
      .last_column = right + fields->pad_right,
      .last_row = below + fields->pad_bottom,
      // No more than there are.
      .channel_offset =
          fields->channel_offset < slice ? fields->channel_offset : slice,
      .masked = !fields->is_unmasked,
  };
  window.walk.is_window = true;
  memcpy(window.walk.address, fields->bank_addr_in, sizeof window.walk.address);
  window.walk.stride = fields->stride_h;
  window.walk.offset = fields->stride_offset_in;
  window.walk.row_step = fields->jump_read_endl;
  window.walk.pixel_step = fields->jump_read;
  window.walk.pixel_words = fields->channel_group * fields->kernel_d;
  return window;
}

void xc_resolve_window(const XcDpuTarget *target,
                       const xc_window_fields *fields, xc_op *op) {
  op->window = make_window(target, fields);
  xc_walk out = xc_row_walk(target, fields->bank_id_out);
  out.stride = fields->stride_out;
  out.offset = fields->stride_offset_out;
  out.row_step = fields->jump_write_endl;
  out.address[0] = fields->bank_addr_out;
  out.wrap_step = fields->stride_out * fields->jump_write_endl;
  out.pixel_step = fields->jump_write;
  out.pixel_words = fields->words;
  op->output = (xc_output_block){
      .walk = out, .rows = fields->rows, .pixels = fields->pixels};
}

xc_row xc_walk_row(const XcDpuTarget *target, const xc_walk *walk,
                   uint32_t row) {
  uint32_t parallel = (uint32_t)target->pixelParallel;
  uint32_t t = walk->offset + row;
  uint32_t bank = walk->position + t / walk->stride * walk->bank_step;
  uint32_t wraps = bank / parallel;
  uint32_t start = walk->is_window ? walk->address[wraps < 4 ? wraps : 3]
                                   : walk->address[0] + wraps * walk->wrap_step;
  return (xc_row){.bank = walk->group + bank % parallel,
                  .address = start + t % walk->stride * walk->row_step};
}

static bool is_same_walk(const xc_walk *a, const xc_walk *b) {
  return a->group == b->group && a->position == b->position &&
         a->stride == b->stride && a->offset == b->offset &&
         a->bank_step == b->bank_step && a->row_step == b->row_step &&
         memcmp(a->address, b->address, sizeof a->address) == 0 &&
         a->wrap_step == b->wrap_step && a->is_window == b->is_window &&
         a->pixel_step == b->pixel_step && a->pixel_words == b->pixel_words;
}

// Field by field: the bytes between fields are not set.
bool xc_is_same_window(const xc_window *a, const xc_window *b) {
  return is_same_walk(&a->walk, &b->walk) && a->rows == b->rows &&
         a->columns == b->columns && a->kernel_h == b->kernel_h &&
         a->kernel_w == b->kernel_w && a->kernel_d == b->kernel_d &&
         a->stride_h == b->stride_h && a->stride_w == b->stride_w &&
         a->pad_left == b->pad_left && a->pad_top == b->pad_top &&
         a->last_column == b->last_column && a->last_row == b->last_row &&
         a->channel_offset == b->channel_offset && a->masked == b->masked;
}

//===----------------------------------------------------------------------===//
// Input windows
//===----------------------------------------------------------------------===//

static uint32_t minimum(uint32_t a, uint32_t b) { return a < b ? a : b; }

typedef struct column_range {
  uint32_t first, end, step;
} column_range;

static void emit_columns(const xc_walk *walk, xc_run *run, uint64_t start,
                         column_range columns, xc_run_handler handler,
                         void *context) {
  if (columns.first >= columns.end)
    return;
  run->column = columns.first;
  run->column_step = columns.step;
  run->count = (columns.end - columns.first + columns.step - 1) / columns.step;
  run->step = walk->pixel_step * columns.step;
  run->address = start + (uint64_t)columns.first * walk->pixel_step;
  handler(context, run);
}

/// Where a stride is larger than the kernel, some columns are in no window.
static void emit_row(const xc_window *window, xc_run *run, uint64_t start,
                     column_range all, xc_run_handler handler, void *context) {
  if (window->kernel_w >= window->stride_w) {
    emit_columns(&window->walk, run, start, all, handler, context);
    return;
  }
  for (uint32_t j = 0; j < window->kernel_w; ++j) {
    uint32_t skip = all.first > j ? all.first - j : 0;
    column_range columns = {j + (skip + window->stride_w - 1) /
                                    window->stride_w * window->stride_w,
                            all.end, window->stride_w};
    emit_columns(&window->walk, run, start, columns, handler, context);
  }
}

void xc_window_runs(const XcDpuTarget *target, const xc_window *window,
                    xc_run_handler handler, void *context) {
  uint32_t first_row = window->masked ? window->pad_top : 0;
  uint32_t end_row = window->rows;
  column_range columns = {0, window->columns, 1};
  if (window->masked) {
    end_row = minimum(end_row, window->last_row + 1);
    columns.first = window->pad_left;
    columns.end = minimum(columns.end, window->last_column + 1);
  }
  xc_run run = {.role = XC_ROLE_INPUT, .words = window->walk.pixel_words};
  for (uint32_t i = first_row; i < end_row; ++i) {
    if (i % window->stride_h >= window->kernel_h)
      continue;
    xc_row row = xc_walk_row(target, &window->walk, i);
    run.row = i;
    run.bank = row.bank;
    emit_row(window, &run, row.address, columns, handler, context);
  }
}

//===----------------------------------------------------------------------===//
// Parameters and results
//===----------------------------------------------------------------------===//

void xc_parameter_run(xc_role role, uint32_t part, int32_t bank,
                      uint64_t address, uint32_t words, xc_run_handler handler,
                      void *context) {
  xc_run run = {.role = role,
                .part = part,
                .bank = (uint32_t)bank,
                .address = address,
                .step = words,
                .count = 1,
                .column_step = 1,
                .words = words};
  handler(context, &run);
}

void xc_output_runs(const XcDpuTarget *target, const xc_op *op,
                    xc_run_handler handler, void *context) {
  const xc_output_block *block = &op->output;
  for (uint32_t y = 0; y < block->rows; ++y) {
    xc_row row = xc_walk_row(target, &block->walk, y);
    xc_run run = {.role = XC_ROLE_OUTPUT,
                  .row = y,
                  .bank = row.bank,
                  .address = row.address,
                  .step = block->walk.pixel_step,
                  .column_step = 1,
                  .count = block->pixels,
                  .words = block->walk.pixel_words};
    handler(context, &run);
  }
}
