//===- Winograd.c - 3 x 3 convolutions with fewer products ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Winograd's minimal filtering F(2 x 2, 3 x 3): four outputs of a channel from
// a tile of 4 x 4 inputs d and a kernel g with 16 products instead of 36,
//
//   A^T ((G g G^T) . (B^T d B)) A        . is element by element
//
// The sum over channels makes each of the 16 elements a matrix product of
// transformed inputs and transformed weights, over the tiles of a band. The 16
// are groups of one convolution with a kernel of one tap. All numbers of the
// transforms are 0, 1, -1 and 1/2, so that little precision is lost; a number
// that is not finite may reach every output of its tile.
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"
#include "Support/Math.h"

#include <string.h>

enum {
  OUT = XC_WINOGRAD_OUT,
  IN = XC_WINOGRAD_IN,
  KERNEL = IN - OUT + 1,
  ELEMENTS = IN * IN
};

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

// G g of three numbers.
static void transform_kernel(const double in[KERNEL], double out[IN]) {
  out[0] = in[0];
  out[1] = (in[0] + in[1] + in[2]) / 2;
  out[2] = (in[0] - in[1] + in[2]) / 2;
  out[3] = in[2];
}

static void transform_weights(const xc_conv *conv, int64_t o, int64_t c,
                              float *out, int64_t step) {
  double rows[KERNEL][IN];
  for (int ky = 0; ky < KERNEL; ++ky) {
    double taps[KERNEL];
    for (int kx = 0; kx < KERNEL; ++kx)
      taps[kx] =
          conv->real_weights[((o * KERNEL + ky) * KERNEL + kx) * conv->in_c +
                             c];
    transform_kernel(taps, rows[ky]);
  }
  for (int x = 0; x < IN; ++x) {
    const double column[KERNEL] = {rows[0][x], rows[1][x], rows[2][x]};
    double result[IN];
    transform_kernel(column, result);
    for (int y = 0; y < IN; ++y)
      out[(y * IN + x) * step] = (float)result[y];
  }
}

// [element][O][C].
static float *all_weights(xc_conv *conv) {
  int64_t step = conv->out_c * conv->in_c;
  float *weights =
      xc_arena_alloc(&conv->arena, (size_t)(ELEMENTS * step), sizeof(float));
  for (int64_t o = 0; o < conv->out_c; ++o)
    for (int64_t c = 0; c < conv->in_c; ++c)
      transform_weights(conv, o, c, weights + o * conv->in_c + c, step);
  return weights;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

static bool is_suitable(const xc_conv *conv, int64_t lanes) {
  return conv->in_element == XC_ELEMENT_F32 && conv->kernel_h == KERNEL &&
         conv->kernel_w == KERNEL && conv->stride_h == 1 &&
         conv->stride_w == 1 && conv->dilation_h == 1 &&
         conv->dilation_w == 1 && conv->group == 1 && !conv->depthwise &&
         !conv->transposed && !conv->rows && conv->out_step_h == 1 &&
         conv->out_step_w == 1 && conv->in_c % lanes == 0 &&
         conv->out_c % lanes == 0;
}

static int64_t weight_bytes(const xc_conv *conv) {
  return ELEMENTS * conv->in_c * conv->out_c * (int64_t)sizeof(float);
}

// Weights that stay in the second-level cache go with transformed tiles that do
// too; others are read from the third level for each band, which is large.
static void choose_bands(xc_winograd *w, int threads) {
  const int64_t near = 512 * 1024, far = 8 * 1024 * 1024;
  const xc_conv *conv = w->conv;
  int64_t bytes = w->tiles_w * ELEMENTS * (conv->in_c + conv->out_c) *
                  (int64_t)sizeof(float);
  int64_t most = (weight_bytes(conv) <= near ? near : far) / bytes;
  int64_t share = xc_ceil_div64(w->tiles_h, threads);
  most = most < share ? most : share;
  most = most > 1 ? most : 1;
  int64_t bands = xc_ceil_div64(w->tiles_h, most);
  w->band_tiles = xc_ceil_div64(w->tiles_h, bands);
  w->plan.bands = xc_ceil_div64(w->tiles_h, w->band_tiles);
  w->plan.shares = threads < w->plan.bands ? threads : w->plan.bands;
}

// Both in cycles, roughly. Weights come from memory once, as those of networks
// that are large enough for this do, and from a cache for every further band.
static bool is_worth_it(const xc_winograd *w) {
  const double transform = 48, memory = 5, cache = 16, margin = 1.15;
  const xc_conv *conv = w->conv;
  double lanes = (double)w->plan.lanes;
  double pairs = (double)(conv->in_c * conv->out_c) / lanes;
  double tiles = (double)(w->tiles_h * w->tiles_w);
  double direct =
      (double)(conv->out_h * conv->out_w * KERNEL * KERNEL) * pairs +
      pairs * lanes * KERNEL * KERNEL * 4 / memory;
  double bytes = (double)weight_bytes(conv);
  double here = tiles * ELEMENTS * pairs +
                tiles * transform * (double)(conv->in_c + conv->out_c) / lanes +
                bytes / memory + bytes * (double)(w->plan.bands - 1) / cache;
  return here * margin < direct;
}

static void plan_copy(xc_winograd *w) {
  const xc_conv *conv = w->conv;
  xc_conv_plan *plan = &w->plan;
  plan->copy = plan->real = true;
  plan->copy_h = OUT * w->band_tiles + IN - OUT;
  plan->copy_w = OUT * w->tiles_w + IN - OUT;
  plan->copy_rows = OUT * w->tiles_h + IN - OUT;
  plan->copy_step_h = plan->copy_step_w = 1;
  plan->pixel = conv->in_c;
  plan->row = plan->copy_w * conv->in_c;
  plan->step_h = plan->step_w = OUT;
  plan->out_h = w->tiles_h;
  plan->out_w = w->tiles_w;
  plan->band_h = w->band_tiles;
  // For the table of biases.
  plan->group_channels = conv->out_c;
}

static void plan_products(xc_conv *conv, xc_winograd *w) {
  int64_t tiles = w->band_tiles * w->tiles_w;
  xc_conv *p = &w->product;
  *p = (xc_conv){.batch = 1,
                 .in_h = 1,
                 .in_w = tiles,
                 .in_c = ELEMENTS * conv->in_c,
                 .out_h = 1,
                 .out_w = tiles,
                 .out_c = ELEMENTS * conv->out_c,
                 .kernel_h = 1,
                 .kernel_w = 1,
                 .stride_h = 1,
                 .stride_w = 1,
                 .dilation_h = 1,
                 .dilation_w = 1,
                 .group = ELEMENTS,
                 .out_step_h = 1,
                 .out_step_w = 1,
                 .in_element = XC_ELEMENT_F32,
                 .out_element = XC_ELEMENT_F32,
                 .in_strides = {0, tiles * conv->in_c, conv->in_c},
                 .out_strides = {0, tiles * conv->out_c, conv->out_c},
                 .real_weights = all_weights(conv),
                 .finish = {.kind = XC_FINISH_FLOAT}};
  p->real_bias =
      xc_arena_alloc(&conv->arena, (size_t)p->out_c, sizeof(*p->real_bias));
  memset(p->real_bias, 0, (size_t)p->out_c * sizeof(*p->real_bias));
  w->products = xc_conv_make_plan(p, &w->plan.machine, 1);
  w->products.panels_inside = weight_bytes(conv) / ELEMENTS <= 256 * 1024;
  // Operands of the products lie in a buffer of the function's own. A cache
  // line after each group: the 16 elements of a tile must not compete for a
  // set.
  w->products.copy = true;
  w->products.source_group = tiles * conv->in_c + w->plan.lanes;
  w->products.output_group = tiles * conv->out_c + w->plan.lanes;
}

bool xc_winograd_make(xc_conv *conv, const xc_machine *machine, int threads,
                      xc_winograd *w) {
  *w = (xc_winograd){.conv = conv,
                     .plan = {.machine = *machine,
                              .depth = 1,
                              .lanes = machine->vector_bytes / 4},
                     .tiles_h = xc_ceil_div64(conv->out_h, OUT),
                     .tiles_w = xc_ceil_div64(conv->out_w, OUT)};
  if (!is_suitable(conv, w->plan.lanes))
    return false;
  w->plan.threads = xc_conv_is_worth_threads(conv, &w->plan) ? threads : 1;
  choose_bands(w, w->plan.threads);
  if (!is_worth_it(w))
    return false;
  plan_copy(w);
  plan_products(conv, w);
  return true;
}

int64_t xc_winograd_inputs(const xc_winograd *w) {
  return ELEMENTS * w->products.source_group;
}

int64_t xc_winograd_outputs(const xc_winograd *w) {
  return ELEMENTS * w->products.output_group;
}
