//===- Windows.c - plans of units that read by windows --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

#include "LayerKind.h"

static void check_padding(XcDpuRefusal *refusal, int32_t pad, XcDpuRange range,
                          int32_t kernel) {
  int32_t most = (int32_t)xcDpuRangeMaxPadding(range, kernel);
  xc_require(refusal, XcDpuRefusalReasonPadding, pad, range.minimum, most);
}

void xc_windows_check(const XcDpuEngine *engine, const XcDpuLayer *layer,
                      XcDpuRefusal *refusal) {
  xc_require_range(refusal, XcDpuRefusalReasonKernel, layer->kernelH,
                   engine->kernelH);
  xc_require_range(refusal, XcDpuRefusalReasonKernel, layer->kernelW,
                   engine->kernelW);
  if (layer->output.height > 1)
    xc_require_range(refusal, XcDpuRefusalReasonStride, layer->strideH,
                     engine->strideH);
  if (layer->output.width > 1)
    xc_require_range(refusal, XcDpuRefusalReasonStride, layer->strideW,
                     engine->strideW);
  check_padding(refusal, layer->padTop, engine->padTop, layer->kernelH);
  check_padding(refusal, layer->padLeft, engine->padLeft, layer->kernelW);
}

/// Windows must begin within the input, and the output must not be larger than
/// the sizes allow.
static void check_geometry(const xc_tile_request *r, XcDpuRefusal *refusal) {
  int64_t down = (int64_t)(r->out_height - 1) * r->stride_h - r->pad_top;
  int64_t across = (int64_t)(r->out_width - 1) * r->stride_w - r->pad_left;
  if (r->out_height == 1)
    down = -r->pad_top;
  if (r->out_width == 1)
    across = -r->pad_left;
  xc_require(refusal, XcDpuRefusalReasonShape, down, -r->pad_top,
             r->height - 1);
  xc_require(refusal, XcDpuRefusalReasonShape, across, -r->pad_left,
             r->width - 1);
}

/// Returns the number of words of the area for an image that is not held in the
/// banks.
static int32_t room_of(const xc_bank_area *area) {
  return area->words > 0 ? area->words : XC_NO_ROOM;
}

void xc_windows_request(const XcDpuTarget *target, const xc_unit *unit,
                        xc_unit_plan *plan) {
  const XcDpuLayer *layer = &unit->layer;
  const XcDpuImage *in = &layer->inputs[0], *out = &layer->output;
  const xc_unit_layout *layout = &unit->layout;
  bool adds = layer->numInputs == 2;
  bool loads_operand = adds && !layout->inputs[1];
  *plan = (xc_unit_plan){.input = *in};
  plan->request = (xc_tile_request){
      .target = target,
      .height = in->height,
      .width = in->width,
      .out_height = out->height,
      .out_width = out->width,
      .kernel_h = layer->kernelH,
      .kernel_w = layer->kernelW,
      .stride_h = layer->strideH,
      .stride_w = layer->strideW,
      .pad_top = layer->padTop,
      .pad_left = layer->padLeft,
      .columns = 1,
      .in_groups = xc_words_of(target, in->channels),
      .out_groups = xc_words_of(target, out->channels),
      .in_depth = layout->inputs[0] ? 0 : room_of(&layout->input_area),
      .in_bank_rows = layout->inputs[0] ? layout->inputs[0]->bank_rows : 0,
      .in_first_row = layout->input_rows[0],
      .operand_depth = loads_operand ? room_of(&layout->operand_area) : 0,
      .out_depth = layout->output ? 0 : room_of(&layout->output_area),
      .saves = layout->saves,
      .has_window = unit->kind->has_kernel,
      .has_dense_rows = in->rowPitch == (uint32_t)in->width * in->pixelPitch &&
                        in->pixelPitch <= (uint32_t)xc_max_pitch(target),
      .is_whole = layout->is_whole || layout->inputs[0] || layout->output,
      .adds = adds,
      .allows_strips = layout->allows_strips && !layout->is_whole &&
                       !layout->inputs[0] && !layout->output,
      .has_strips = layout->copies_strips,
      .strip_in_depth = room_of(&layout->input_area),
      .strip_out_depth = room_of(&layout->output_area),
      .in_bytes = xc_pixel_bytes(target, in),
      .operand_bytes = adds ? xc_pixel_bytes(target, &layer->inputs[1]) : 0,
      .out_bytes = xc_pixel_bytes(target, out),
  };
}

XcDpuRefusal xc_windows_plan(xc_unit_plan *plan) {
  const xc_tile_request *request = &plan->request;
  xc_tile_plan *tiles = &plan->tiles;
  XcDpuRefusal refusal = xc_accepted;
  check_geometry(request, &refusal);
  if (xc_is_accepted(refusal))
    refusal = xc_plan_tiles(request, tiles);
  if (!xc_is_accepted(refusal))
    return refusal;
  plan->block_rows = tiles->block_rows;
  plan->num_blocks = tiles->num_blocks;
  plan->tile_width = tiles->tile_width;
  plan->num_tiles = tiles->num_tiles;
  plan->cost = tiles->cost;
  plan->input_band_words = tiles->band_words;
  plan->window_bands = tiles->window_bands;
  plan->output_words =
      request->out_width * request->columns * request->out_groups;
  return refusal;
}
