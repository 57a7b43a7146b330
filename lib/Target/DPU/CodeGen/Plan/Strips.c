//===- Strips.c - the last rows, side by side in the banks ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strips.h"

#include "LayerKind.h"

XcDpuImage xc_strip_zeros(const XcDpuTarget *target, const xc_unit *unit,
                          const XcDpuImage *input) {
  const XcDpuLayer *layer = &unit->layer;
  if (!unit->layout.inputs[0])
    return *input;
  int32_t word = target->channelParallel;
  int64_t bytes =
      (int64_t)layer->output.channels * layer->kernelH * layer->kernelW *
      (unit->kind->is_diagonal ? 1 : xc_weight_inputs(target, unit));
  // Not those that have registers of their own.
  if (target->weightsBroadcastBank >= 0)
    bytes = 0;
  int64_t words = bytes < INT32_MAX ? bytes / word : INT32_MAX / word;
  return (XcDpuImage){.reg = (uint32_t)target->parametersRegister,
                      .address = layer->weights,
                      .height = 1,
                      .width = (int32_t)words,
                      .channels = word,
                      .pixelPitch = (uint32_t)word};
}

xc_strip_columns xc_strip_input(const xc_tile_request *request,
                                const xc_tile_plan *plan, int32_t tile,
                                int32_t strip) {
  int32_t column = tile * plan->tile_width + strip * plan->strips.width;
  int32_t begin = column * plan->stride_w - request->pad_left;
  int32_t end = begin + plan->strips.in_columns;
  int32_t first = xc_maximum(begin, 0);
  int32_t last = xc_maximum(xc_minimum(end, request->width), first);
  return (xc_strip_columns){first - begin, first, last - first, end - last};
}

xc_kernel_rows xc_strip_kernel(const xc_tile_request *request,
                               const xc_tile_plan *plan, int32_t y) {
  int32_t top = y * plan->stride_h - request->pad_top;
  int32_t begin = xc_maximum(top, 0);
  int32_t end = xc_minimum(top + request->kernel_h, request->height);
  return (xc_kernel_rows){begin - top, end - begin, begin};
}

static int32_t first_row(const xc_tile_request *request,
                         const xc_tile_plan *plan) {
  return request->out_height - plan->strips.rows;
}

/// Whether the elementwise engine can copy images in the banks to the strips,
/// and the results of these to the rows of an image in the banks.
static bool can_copy(const xc_tile_request *request) {
  const XcDpuTarget *target = request->target;
  bool is_loaded = request->in_depth != 0, is_saved = request->out_depth != 0;
  return (is_loaded && is_saved) ||
         (xcDpuSetHas(target->elementwiseKinds, XcDpuElementwiseKindAdd) &&
          xc_maximum(is_loaded ? 0 : request->in_groups,
                     is_saved ? 0 : request->out_groups) <=
              target->elementwiseMaxGroups);
}

bool xc_may_be_all_strips(const xc_tile_request *request) {
  return request->out_height < request->target->pixelParallel &&
         request->in_depth != 0 && request->out_depth != 0 &&
         !(request->adds && request->operand_depth == 0);
}

static bool has_engine(const xc_tile_request *request) {
  const XcDpuTarget *target = request->target;
  bool may_have = request->allows_strips &&
                  !(request->adds && !xc_may_be_all_strips(request));
  return (may_have || request->has_strips) && request->weight_words > 0 &&
         request->source_words == 0 &&
         request->engine_rows == target->pixelParallel &&
         request->kernel_h <= target->conv.strideH.maximum && can_copy(request);
}

/// Whether zeros can be loaded, or are not needed.
static bool has_zeros(const xc_tile_request *request,
                      const xc_tile_plan *plan) {
  int32_t columns = (plan->num_tiles - 1) * plan->tile_width +
                    plan->strips.count * plan->strips.width;
  int32_t reached =
      (columns - 1) * plan->stride_w + request->kernel_w - request->pad_left;
  return request->zero_run > 0 ||
         (request->pad_left == 0 && reached <= request->width);
}

static bool saves_time(const xc_tile_request *request,
                       const xc_tile_plan *plan) {
  const xc_strips *strips = &plan->strips;
  return strips->rows > 0 && strips->rows * strips->width < plan->tile_width &&
         strips->width <= xc_max_length(request->target);
}

bool xc_choose_strips(const xc_tile_request *request, xc_tile_plan *plan) {
  int32_t lanes = request->target->pixelParallel;
  xc_strips *strips = &plan->strips;
  *strips = (xc_strips){.rows = request->out_height % lanes,
                        .width = xc_ceil_div(plan->tile_width, lanes)};
  strips->count = xc_ceil_div(plan->tile_width, strips->width);
  if (!saves_time(request, plan) || !has_engine(request) ||
      !(plan->num_tiles == 1 || xc_may_be_all_strips(request)) ||
      !has_zeros(request, plan))
    return false;
  xc_kernel_rows last = xc_strip_kernel(request, plan, request->out_height - 1);
  strips->in_row =
      xc_strip_kernel(request, plan, first_row(request, plan)).in_row;
  strips->in_rows = last.in_row + last.count - strips->in_row;
  strips->in_columns = (strips->width - 1) * plan->stride_w + request->kernel_w;
  strips->row_words = strips->in_columns * request->in_groups;
  int64_t words = (int64_t)strips->row_words * strips->in_rows;
  if (words >= request->strip_in_depth ||
      (request->kernel_h > 1 && strips->row_words > request->max_row_step))
    return false;
  strips->words = (int32_t)words;
  return true;
}

xc_transfers xc_strip_loads(const xc_tile_request *request,
                            const xc_tile_plan *plan) {
  xc_transfers result = {0};
  int64_t word = request->target->channelParallel;
  int32_t tiles = plan->num_tiles, count = plan->strips.count;
  for (int32_t k = 0; k < tiles * count; ++k) {
    xc_strip_columns columns =
        xc_strip_input(request, plan, k / count, k % count);
    int32_t before = columns.zeros_before * request->in_groups;
    int32_t after = columns.zeros_after * request->in_groups;
    if (request->zero_run > 0)
      result.count += xc_ceil_div(before, request->zero_run) +
                      xc_ceil_div(after, request->zero_run);
    result.bytes += (before + after) * word;
    if (request->in_depth == 0)
      continue;
    result.count += columns.count > 0;
    result.bytes += columns.count * request->in_bytes;
  }
  // Rows that stay in the banks for all chunks are loaded once.
  int32_t passes = tiles > 1 && plan->chunks_outside ? plan->num_chunks : 1;
  result.count *= passes * plan->strips.in_rows;
  result.bytes *= passes * plan->strips.in_rows;
  return result;
}

int32_t xc_strip_rows_at_once(const xc_tile_request *request,
                              const xc_tile_plan *plan) {
  bool has_pixels = request->kernel_h == 1 && request->kernel_w == 1 &&
                    plan->stride_h == 1 && plan->stride_w == 1 &&
                    request->pad_top == 0 && request->pad_left == 0;
  int32_t rows = plan->strips.rows;
  bool fits = rows * plan->strips.width <= xc_max_length(request->target);
  return has_pixels && fits && request->in_depth == 0 ? rows : 1;
}

int64_t xc_strip_row_copies(const xc_tile_request *request,
                            const xc_tile_plan *plan) {
  int64_t words = (int64_t)plan->strips.width * plan->chunk_groups;
  int32_t operands = request->adds ? 2 : 1;
  if (plan->strips.are_all)
    return request->adds ? xc_elementwise_cycles(request->target, operands,
                                                 plan->strips.count, words)
                         : 0;
  if (request->out_depth != 0 && !request->adds)
    return 0;
  return plan->strips.count *
         xc_elementwise_cycles(request->target, operands, 1, words);
}

int64_t xc_strip_copies(const xc_tile_request *request,
                        const xc_tile_plan *plan) {
  const xc_strips *strips = &plan->strips;
  int64_t words = (int64_t)strips->in_columns * request->in_groups;
  int64_t cycles = (int64_t)plan->num_tiles * plan->num_chunks * strips->rows *
                   xc_strip_row_copies(request, plan);
  if (request->in_depth == 0)
    cycles += (int64_t)strips->count * strips->in_rows *
              xc_elementwise_cycles(request->target, 1, 1, words);
  return cycles;
}

int64_t xc_strip_cycles(const xc_tile_request *request,
                        const xc_tile_plan *plan) {
  int64_t cycles = 0;
  int32_t step = xc_strip_rows_at_once(request, plan);
  for (int32_t y = first_row(request, plan); y < request->out_height; y += step)
    cycles += request->engine_start +
              (int64_t)step * plan->strips.width * request->engine_groups *
                  request->window_cycles / request->kernel_h *
                  xc_strip_kernel(request, plan, y).count;
  return cycles;
}
