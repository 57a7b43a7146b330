//===- ConvPlan.c - how convolutions are computed -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"

#include "Conversion/Support/Threads.h"
#include "Support/Math.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// The source of windows
//===----------------------------------------------------------------------===//

static int64_t needed(int64_t outputs, int64_t stride, int64_t kernel,
                      int64_t dilation) {
  return (outputs - 1) * stride + (kernel - 1) * dilation + 1;
}

static bool is_padded(const xc_conv *conv) {
  return conv->top > 0 || conv->left > 0 ||
         needed(conv->out_h, conv->stride_h, conv->kernel_h, conv->dilation_h) >
             conv->in_h ||
         needed(conv->out_w, conv->stride_w, conv->kernel_w, conv->dilation_w) >
             conv->in_w;
}

static xc_element bytes_of(xc_dot dot) {
  return dot == XC_DOT_BYTES          ? XC_ELEMENT_UI8
         : dot == XC_DOT_SIGNED_BYTES ? XC_ELEMENT_I8
                                      : XC_ELEMENT_NONE;
}

// Bytes of another sign than a dot product takes are shifted, and the other dot
// products take centred 16-bit numbers: both need a copy. So does a last dot
// product that would read beyond the buffer.
static bool needs_copy(const xc_conv *conv, const xc_conv_plan *plan) {
  if (is_padded(conv))
    return true;
  // Lanes after the last channel are read as well.
  if (conv->depthwise && (!plan->real || conv->in_c % plan->lanes != 0))
    return true;
  if (plan->real)
    return false;
  return bytes_of(plan->machine.dot) != conv->in_element ||
         plan->run % plan->depth != 0;
}

static void place_source(const xc_conv *conv, xc_conv_plan *plan) {
  plan->copy = needs_copy(conv, plan);
  plan->row = conv->in_strides[1];
  plan->pixel = conv->in_strides[2];
  plan->step_h = conv->stride_h;
  plan->step_w = conv->stride_w;
  if (!plan->copy)
    return;
  plan->copy_h =
      needed(conv->out_h, conv->stride_h, conv->kernel_h, conv->dilation_h);
  plan->copy_w =
      needed(conv->out_w, conv->stride_w, conv->kernel_w, conv->dilation_w);
  plan->copy_step_h = plan->copy_step_w = 1;
  if (conv->kernel_h == 1 && conv->kernel_w == 1 && !is_padded(conv)) {
    // Pixels that no window reads are left out.
    plan->copy_h = conv->out_h;
    plan->copy_w = conv->out_w;
    plan->copy_step_h = conv->stride_h;
    plan->copy_step_w = conv->stride_w;
    plan->step_h = plan->step_w = 1;
  }
  plan->pixel = conv->in_c;
  plan->row = plan->copy_w * conv->in_c;
  if (!plan->real && xc_dot_is_of_bytes(plan->machine.dot) &&
      bytes_of(plan->machine.dot) != conv->in_element)
    plan->bias_of_bytes = conv->in_element == XC_ELEMENT_I8 ? 128 : -128;
}

// Outputs of a kernel of one tap make one long row when their pixels, and those
// of the input, lie at equal distances.
static void join_rows(const xc_conv *conv, xc_conv_plan *plan) {
  int64_t strides[XC_MAX_RANK];
  memcpy(strides, conv->out_strides, sizeof(strides));
  xc_conv_step_strides(conv, strides);
  plan->out_h = conv->out_h;
  plan->out_w = conv->out_w;
  plan->one_row = conv->kernel_h == 1 && conv->kernel_w == 1 &&
                  plan->step_h == 1 && plan->step_w == 1 &&
                  plan->row == conv->out_w * plan->pixel &&
                  strides[1] == conv->out_w * strides[2];
  if (plan->one_row) {
    plan->out_w *= plan->out_h;
    plan->out_h = 1;
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static void choose_runs(const xc_conv *conv, xc_conv_plan *plan) {
  int64_t channels = conv->in_c / conv->group;
  bool together = conv->dilation_w == 1 && conv->group == 1 &&
                  (conv->kernel_w == 1 || plan->pixel == conv->in_c);
  plan->runs_h = conv->kernel_h;
  plan->runs_w = together ? 1 : conv->kernel_w;
  plan->run = channels * (together ? conv->kernel_w : 1);
  plan->steps = (plan->run + plan->depth - 1) / plan->depth;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

// Returns the cycles of the last step for one vector, roughly.
static double finish_cycles(const xc_conv *conv) {
  static const double cycles[] = {[XC_FINISH_FLOAT] = 1,
                                  [XC_FINISH_TFLITE] = 9,
                                  [XC_FINISH_ONNX] = 5,
                                  [XC_FINISH_FIX] = 4};
  return cycles[conv->finish.kind] + xc_epilogue_cycles(&conv->finish.epilogue);
}

// Returns the cycles of a tile, roughly: two vector operations and two loads at
// a time, sums that wait for themselves, and the last step.
static double tile_cycles(const xc_conv *conv, const xc_conv_plan *plan,
                          int64_t pixels, int64_t vectors) {
  double operations = (double)(pixels * vectors);
  if (!xc_dot_is_of_bytes(plan->machine.dot) && !plan->real)
    operations *= 2; // multiply, then add
  double loads = (double)(pixels + vectors);
  double step = (operations > loads ? operations : loads) / 2;
  const double latency = 4;
  step = step < latency ? latency : step;
  return step * (double)(plan->runs_h * plan->runs_w * plan->steps) +
         (double)(pixels * vectors) * finish_cycles(conv) + 10;
}

static double total_cycles(const xc_conv *conv, const xc_conv_plan *plan) {
  double tiles = (double)(xc_ceil_div64(plan->out_h, plan->tile_h) *
                          xc_ceil_div64(plan->out_w, plan->tile_w));
  int64_t pixels = plan->tile_h * plan->tile_w;
  double panels =
      (double)plan->panels * tile_cycles(conv, plan, pixels, plan->vectors);
  if (plan->tail)
    panels += tile_cycles(conv, plan, pixels, plan->tail_vectors);
  return tiles * panels;
}

static void set_panels(const xc_conv *conv, xc_conv_plan *plan,
                       int64_t vectors) {
  int64_t channels = conv->out_c / conv->group;
  int64_t width = vectors * plan->lanes;
  int64_t taps = plan->runs_h * plan->runs_w * plan->steps * plan->depth;
  plan->vectors = vectors;
  plan->panels = channels / width;
  plan->tail = channels % width;
  plan->tail_vectors = xc_ceil_div64(plan->tail, plan->lanes);
  plan->panel_elements = taps * width;
  plan->tail_elements = taps * plan->tail_vectors * plan->lanes;
  plan->group_channels =
      plan->panels * width + plan->tail_vectors * plan->lanes;
}

static void choose_tiles(const xc_conv *conv, xc_conv_plan *plan) {
  // One register for the spread element, one for a product.
  int64_t registers = plan->machine.registers - 2;
  int64_t channels = conv->out_c / conv->group;
  int64_t most = xc_ceil_div64(channels, plan->lanes);
  xc_conv_plan best = *plan;
  double best_cycles = -1;
  for (int64_t vectors = 1; vectors <= most && vectors <= 8; ++vectors) {
    set_panels(conv, plan, vectors);
    int64_t pixels = (registers - vectors) / vectors;
    for (plan->tile_h = 1;
         plan->tile_h <= pixels && plan->tile_h <= plan->out_h; ++plan->tile_h)
      for (plan->tile_w = 1;
           plan->tile_w * plan->tile_h <= pixels && plan->tile_w <= plan->out_w;
           ++plan->tile_w) {
        double cycles = total_cycles(conv, plan);
        if (best_cycles < 0 || cycles < best_cycles) {
          best_cycles = cycles;
          best = *plan;
        }
      }
  }
  *plan = best;
}

// Bands are as high as the second-level cache has room for, and as many as
// threads. Weights that do not stay there are better read once.
static void choose_bands(const xc_conv *conv, xc_conv_plan *plan) {
  const int64_t room = 64 * 1024;
  plan->band_h = plan->out_h;
  plan->bands = plan->shares = 1;
  plan->copy_rows = plan->copy_h;
  if (!plan->copy || plan->one_row || !plan->panels_inside)
    return;
  int64_t window = (conv->kernel_h - 1) * conv->dilation_h + 1;
  int64_t bytes = plan->row * (plan->real                              ? 4
                               : xc_dot_is_of_bytes(plan->machine.dot) ? 1
                                                                       : 2);
  int64_t most = (room / bytes - window) / plan->step_h + 1;
  int64_t share = xc_ceil_div64(plan->out_h, plan->threads);
  most = most < share ? most : share;
  most = most > plan->tile_h ? most : plan->tile_h;
  int64_t bands = xc_ceil_div64(plan->out_h, most);
  int64_t tiles =
      xc_ceil_div64(xc_ceil_div64(plan->out_h, bands), plan->tile_h);
  if (tiles * plan->tile_h >= plan->out_h)
    return;
  plan->band_h = tiles * plan->tile_h;
  plan->bands = xc_ceil_div64(plan->out_h, plan->band_h);
  plan->shares = plan->threads < plan->bands ? plan->threads : plan->bands;
  plan->copy_h = (plan->band_h - 1) * plan->step_h + window;
}

// Narrow vectors for few channels.
static int64_t choose_lanes(const xc_conv *conv, const xc_machine *machine) {
  int64_t lanes = machine->vector_bytes / 4;
  while (lanes > 4 && conv->out_c / conv->group <= lanes / 2)
    lanes /= 2;
  return lanes;
}

static xc_dot choose_dot(const xc_conv *conv, const xc_machine *machine) {
  if (!xc_dot_is_of_bytes(machine->dot) || !conv->int_weights)
    return machine->dot;
  int64_t count = conv->depthwise
                      ? conv->kernel_h * conv->kernel_w * conv->in_c
                      : conv->out_c * conv->kernel_h * conv->kernel_w *
                            conv->in_c / conv->group;
  for (int64_t i = 0; i < count; ++i)
    if (conv->int_weights[i] < INT8_MIN || conv->int_weights[i] > INT8_MAX)
      return machine->dot == XC_DOT_BYTES ? XC_DOT_PAIRS : XC_DOT_PLAIN;
  return machine->dot;
}

bool xc_conv_is_worth_threads(const xc_conv *conv, const xc_conv_plan *plan) {
  double outputs =
      (double)(conv->batch * conv->out_h * conv->out_w * conv->out_c);
  double inner = (double)(conv->kernel_h * conv->kernel_w *
                          (conv->depthwise ? 1 : conv->in_c / conv->group));
  double vectors = outputs / (double)plan->lanes;
  return vectors * (inner / (double)plan->depth + finish_cycles(conv)) >=
         (conv->depthwise ? XC_LEAST_SHARED_MAP_CYCLES
                          : XC_LEAST_SHARED_CYCLES);
}

xc_conv_plan xc_conv_make_plan(const xc_conv *conv, const xc_machine *machine,
                               int threads) {
  static const int64_t depths[] = {[XC_DOT_PLAIN] = 1,
                                   [XC_DOT_PAIRS] = 2,
                                   [XC_DOT_BYTES] = 4,
                                   [XC_DOT_SIGNED_BYTES] = 4};
  xc_conv_plan plan = {.machine = *machine,
                       .real = conv->in_element == XC_ELEMENT_F32,
                       .lanes = conv->depthwise
                                    ? xc_depthwise_lanes(conv, machine)
                                    : choose_lanes(conv, machine)};
  plan.machine.dot = choose_dot(conv, machine);
  plan.source_group = conv->in_c / conv->group;
  plan.output_group = conv->out_c / conv->group;
  plan.depth = plan.real ? 1 : depths[plan.machine.dot];
  plan.pixel = conv->in_strides[2];
  choose_runs(conv, &plan);
  place_source(conv, &plan);
  choose_runs(conv, &plan);
  join_rows(conv, &plan);
  if (conv->depthwise)
    xc_depthwise_choose_tiles(conv, &plan);
  else
    choose_tiles(conv, &plan);
  // Weights that stay in the second-level cache are read again for each tile;
  // others are read once, and the input again.
  int64_t weights = conv->group * (plan.panels * plan.panel_elements +
                                   (plan.tail ? plan.tail_elements : 0));
  plan.panels_inside = weights * (plan.real ? 4 : 1) <= 256 * 1024;
  plan.threads = xc_conv_is_worth_threads(conv, &plan) ? threads : 1;
  choose_bands(conv, &plan);
  return plan;
}

//===----------------------------------------------------------------------===//
// The key
//===----------------------------------------------------------------------===//

static void put(xc_text *key, int64_t value) {
  xc_text_printf(key, "%lld,", (long long)value);
}

void xc_conv_key(const xc_conv *conv, const xc_conv_plan *plan, xc_text *key) {
  const xc_finish *finish = &conv->finish;
  const int64_t numbers[] = {conv->batch,
                             conv->in_h,
                             conv->in_w,
                             conv->in_c,
                             conv->out_h,
                             conv->out_w,
                             conv->out_c,
                             conv->kernel_h,
                             conv->kernel_w,
                             conv->stride_h,
                             conv->stride_w,
                             conv->dilation_h,
                             conv->dilation_w,
                             conv->top,
                             conv->left,
                             conv->group,
                             conv->depthwise,
                             conv->in_element,
                             conv->out_element,
                             conv->input_zero,
                             finish->kind,
                             finish->activation,
                             finish->zero_point,
                             finish->low,
                             finish->high,
                             finish->shifts_left,
                             finish->some_unshifted,
                             finish->round_mode,
                             finish->shift,
                             finish->shifts_differ,
                             plan->machine.dot,
                             plan->machine.vector_bytes,
                             plan->threads,
                             conv->out_step_h,
                             conv->out_step_w,
                             conv->out_y,
                             conv->out_x,
                             conv->in_offset};
  for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); ++i)
    put(key, numbers[i]);
  xc_epilogue_key(&finish->epilogue, key);
}
