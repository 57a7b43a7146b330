//===- Depthwise.c - tiles of depthwise convolutions ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every channel is by itself, so lanes are channels of input and output alike.
// A dot product of `depth` elements takes as many neighbouring columns of a
// row: their vectors are interleaved, once for all rows of outputs that the
// row takes part in.
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Vec.h"

#include "Support/Math.h"

#include <assert.h>

enum { MAX_LANES = 16, MAX_DEPTH = 4 };

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

int64_t xc_depthwise_lanes(const xc_conv *conv, const xc_machine *machine) {
  int64_t lanes = machine->vector_bytes / 4, most = lanes;
  while (lanes > 4 && conv->in_c % lanes != 0)
    lanes /= 2;
  if (conv->in_c % lanes == 0)
    return lanes;
  while (most > 4 && conv->in_c <= most / 2)
    most /= 2;
  return most;
}

void xc_depthwise_choose_tiles(const xc_conv *conv, xc_conv_plan *plan) {
  plan->runs_h = conv->kernel_h;
  plan->runs_w = (conv->kernel_w + plan->depth - 1) / plan->depth;
  plan->steps = 1;
  plan->vectors = plan->tail_vectors = 1;
  plan->panels = conv->in_c / plan->lanes;
  plan->tail = conv->in_c % plan->lanes;
  plan->panel_elements = plan->tail_elements =
      plan->runs_h * plan->runs_w * plan->depth * plan->lanes;
  plan->group_channels = (plan->panels + (plan->tail ? 1 : 0)) * plan->lanes;
  // Rows of outputs share rows of inputs; eight sums hide each other's latency.
  plan->tile_h = xc_minimum64(plan->out_h, 4);
  plan->tile_w = xc_minimum64(plan->out_w, 8 / plan->tile_h);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// Lanes of a and b in turn, `unit` at a time.
static MlirValue interleave(const xc_ir *ir, MlirValue a, MlirValue b,
                            int64_t count, int64_t unit) {
  int64_t order[MAX_LANES * MAX_DEPTH];
  assert(2 * count <= MAX_LANES * MAX_DEPTH && "vectors have 64 bytes at most");
  for (int64_t i = 0; i < 2 * count; ++i) {
    int64_t pair = i / (2 * unit), within = i % (2 * unit);
    order[i] = pair * unit + within % unit + (within < unit ? 0 : count);
  }
  return xc_vec_shuffle(ir, a, b, order, (size_t)(2 * count));
}

// Loads the operand of a dot product from the row at `offset`: columns from
// kernel column `kx` on. Columns after the kernel have weight 0; any number
// will do.
static MlirValue window(const xc_conv_code *code, MlirValue source,
                        int64_t offset, int64_t kx) {
  const xc_ir *ir = code->ir;
  const xc_conv *conv = code->conv;
  const xc_conv_plan *plan = code->plan;
  MlirValue columns[MAX_DEPTH];
  MlirType type = xc_vec_type(code->element, plan->lanes);
  for (int64_t j = 0; j < plan->depth; ++j)
    columns[j] =
        kx + j < conv->kernel_w
            ? xc_vec_load(ir, code->source, source,
                          offset + (kx + j) * conv->dilation_w * plan->pixel,
                          type)
            : columns[0];
  if (plan->depth == 1)
    return plan->real
               ? columns[0]
               : xc_ir_int_cast(ir, columns[0], xc_conv_weight_type(code));
  MlirValue pairs = interleave(ir, columns[0], columns[1], plan->lanes, 1);
  if (plan->depth == 2)
    return pairs;
  return interleave(ir, pairs,
                    interleave(ir, columns[2], columns[3], plan->lanes, 1),
                    2 * plan->lanes, 2);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

// Adds a row of inputs to every row of outputs that it belongs to.
static void add_row(const xc_conv_code *code, const xc_conv_place *place,
                    int64_t row, int64_t column, MlirValue *sums) {
  const xc_conv *conv = code->conv;
  const xc_conv_plan *plan = code->plan;
  for (int64_t q = 0; q < plan->runs_w; ++q) {
    MlirValue inputs = {NULL};
    for (int64_t y = 0; y < plan->tile_h; ++y) {
      int64_t ky = row - y * plan->step_h;
      if (ky < 0 || ky % conv->dilation_h != 0 ||
          ky / conv->dilation_h >= conv->kernel_h)
        continue;
      if (mlirValueIsNull(inputs))
        inputs = window(code, place->source,
                        row * plan->row + column * plan->step_w * plan->pixel,
                        q * plan->depth);
      MlirValue weights =
          xc_vec_load(code->ir, code->weights, place->weights,
                      (ky / conv->dilation_h * plan->runs_w + q) * plan->lanes *
                          plan->depth,
                      xc_conv_weight_type(code));
      MlirValue *sum = &sums[y * plan->tile_w + column];
      *sum = xc_conv_dot(code, *sum, inputs, weights);
    }
  }
}

void xc_depthwise_write_sums(const xc_conv_code *code,
                             const xc_conv_place *place, MlirValue *sums) {
  const xc_conv *conv = code->conv;
  const xc_conv_plan *plan = code->plan;
  int64_t rows = (plan->tile_h - 1) * plan->step_h +
                 (conv->kernel_h - 1) * conv->dilation_h + 1;
  for (int64_t column = 0; column < plan->tile_w; ++column)
    for (int64_t row = 0; row < rows; ++row)
      add_row(code, place, row, column, sums);
}
