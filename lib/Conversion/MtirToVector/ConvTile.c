//===- ConvTile.c - tiles of sums in registers ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Loop.h"
#include "Vec.h"

#include <assert.h>
#include <stdlib.h>

enum { MAX_SUMS = XC_IR_MAX_CARRIED, MAX_VECTORS = 8 };

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

MlirType xc_conv_weight_type(const xc_conv_code *code) {
  const xc_conv_plan *plan = code->plan;
  if (!plan->real && plan->machine.dot == XC_DOT_PLAIN)
    return xc_vec_type(code->ir->i32, plan->lanes);
  return xc_vec_type(code->element, plan->lanes * plan->depth);
}

MlirValue xc_conv_spread(const xc_conv_code *code, MlirValue at,
                         int64_t offset) {
  const xc_ir *ir = code->ir;
  const xc_conv_plan *plan = code->plan;
  if (plan->depth == 1) {
    MlirValue index = xc_ir_addi(ir, at, offset);
    MlirValue element = xc_ir_load(ir, code->source, &index, 1);
    if (!plan->real)
      element = xc_ir_int_cast(ir, element, ir->i32);
    return xc_vec_broadcast(ir, element, code->accumulator);
  }
  MlirValue elements = xc_vec_load(ir, code->source, at, offset,
                                   xc_vec_type(code->element, plan->depth));
  elements = xc_vec_bitcast(ir, elements, xc_vec_type(ir->i32, 1));
  return xc_vec_bitcast(ir, xc_vec_broadcast(ir, elements, code->accumulator),
                        xc_conv_weight_type(code));
}

static const char *pairs_intrinsic(int64_t lanes) {
  return lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
         : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                      : "llvm.x86.sse2.pmadd.wd";
}

static const char *bytes_intrinsic(int64_t lanes) {
  return lanes == 16  ? "llvm.x86.avx512.vpdpbusd.512"
         : lanes == 8 ? "llvm.x86.avx512.vpdpbusd.256"
                      : "llvm.x86.avx512.vpdpbusd.128";
}

MlirValue xc_conv_dot(const xc_conv_code *code, MlirValue acc, MlirValue a,
                      MlirValue b) {
  const xc_ir *ir = code->ir;
  const xc_conv_plan *plan = code->plan;
  if (plan->real)
    return xc_vec_fma(ir, a, b, acc);
  const MlirValue operands[] = {acc, a, b};
  switch (plan->machine.dot) {
  case XC_DOT_PLAIN:
    break;
  case XC_DOT_PAIRS:
    return xc_ir_add(ir, acc,
                     xc_vec_intrinsic(ir, pairs_intrinsic(plan->lanes),
                                      operands + 1, 2, code->accumulator));
  case XC_DOT_BYTES:
    return xc_vec_intrinsic(ir, bytes_intrinsic(plan->lanes), operands, 3,
                            code->accumulator);
  case XC_DOT_SIGNED_BYTES:
    return xc_vec_intrinsic(ir, "llvm.aarch64.neon.sdot.v4i32.v16i8", operands,
                            3, code->accumulator);
  }
  return xc_ir_add(ir, acc, xc_ir_mul(ir, a, b));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

typedef struct tile {
  xc_conv_code *code;
  const xc_conv_place *place;
  int64_t pixels, vectors;
  size_t count;
  MlirValue sums[MAX_SUMS]; // pixel by pixel
} tile;

static int64_t source_offset(const tile *t, int64_t pixel) {
  const xc_conv_plan *plan = t->code->plan;
  return pixel / plan->tile_w * plan->step_h * plan->row +
         pixel % plan->tile_w * plan->step_w * plan->pixel;
}

// Bytes of weights that are asked for before they are needed, where they do
// not stay in the cache: the hardware stops at the end of each page.
enum { AHEAD = 8192 };

static int64_t element_size(const xc_conv_plan *plan) {
  return plan->real ? 4 : xc_dot_is_of_bytes(plan->machine.dot) ? 1 : 2;
}

// Writes one dot product for every sum.
static void write_step(tile *t, MlirValue source, MlirValue weights) {
  xc_conv_code *code = t->code;
  const xc_conv_plan *plan = code->plan;
  MlirType type = xc_conv_weight_type(code);
  MlirValue columns[MAX_VECTORS];
  for (int64_t v = 0; v < t->vectors; ++v) {
    int64_t offset = v * plan->lanes * plan->depth;
    columns[v] = xc_vec_load(code->ir, code->weights, weights, offset, type);
    if (!plan->panels_inside)
      xc_vec_prefetch(code->ir, code->weights, weights,
                      offset + AHEAD / element_size(plan));
  }
  for (int64_t p = 0; p < t->pixels; ++p) {
    MlirValue spread = xc_conv_spread(code, source, source_offset(t, p));
    for (int64_t v = 0; v < t->vectors; ++v) {
      MlirValue *sum = &t->sums[p * t->vectors + v];
      *sum = xc_conv_dot(code, *sum, spread, columns[v]);
    }
  }
}

static void write_sums(tile *t) {
  xc_conv_code *code = t->code;
  xc_ir *ir = code->ir;
  const xc_conv *conv = code->conv;
  const xc_conv_plan *plan = code->plan;
  int64_t step = t->vectors * plan->lanes * plan->depth;
  int64_t run = plan->steps * step;
  xc_carrying ky = xc_carrying_begin(ir, plan->runs_h, t->sums, t->count);
  MlirValue source =
      xc_ir_add(ir, t->place->source,
                xc_ir_muli(ir, ky.index, conv->dilation_h * plan->row));
  MlirValue weights = xc_ir_add(ir, t->place->weights,
                                xc_ir_muli(ir, ky.index, plan->runs_w * run));
  xc_carrying kx = xc_carrying_begin(ir, plan->runs_w, t->sums, t->count);
  source = xc_ir_add(ir, source,
                     xc_ir_muli(ir, kx.index, conv->dilation_w * plan->pixel));
  weights = xc_ir_add(ir, weights, xc_ir_muli(ir, kx.index, run));
  xc_carrying s = xc_carrying_begin(ir, plan->steps, t->sums, t->count);
  write_step(t, xc_ir_add(ir, source, xc_ir_muli(ir, s.index, plan->depth)),
             xc_ir_add(ir, weights, xc_ir_muli(ir, s.index, step)));
  xc_carrying_end(ir, &s, t->sums, t->count);
  xc_carrying_end(ir, &kx, t->sums, t->count);
  xc_carrying_end(ir, &ky, t->sums, t->count);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static int64_t place_of(const tile *t, const int64_t strides[3], int64_t pixel,
                        int64_t vector) {
  const xc_conv_plan *plan = t->code->plan;
  return pixel / plan->tile_w * strides[1] + pixel % plan->tile_w * strides[2] +
         vector * plan->lanes;
}

// Reads `count` elements into a vector of all lanes.
static MlirValue load_head(const xc_conv_code *code, MlirValue buffer,
                           MlirValue at, int64_t offset, int64_t count) {
  const xc_ir *ir = code->ir;
  int64_t lanes = code->plan->lanes;
  if (count == lanes)
    return xc_vec_load(ir, buffer, at, offset, code->accumulator);
  MlirValue head =
      xc_vec_load(ir, buffer, at, offset, xc_vec_type(ir->f32, count));
  int64_t order[16];
  assert(lanes <= 16 && "vectors have 64 bytes at most");
  for (int64_t i = 0; i < lanes; ++i)
    order[i] = i < count ? i : 0;
  return xc_vec_shuffle(ir, head, head, order, (size_t)lanes);
}

static void write_output(tile *t, int64_t pixel, int64_t vector,
                         int64_t lanes) {
  xc_conv_code *code = t->code;
  const xc_conv *conv = code->conv;
  MlirValue residual = {NULL};
  if (conv->finish.epilogue.residual)
    residual =
        load_head(code, code->residual, t->place->residual,
                  place_of(t, code->residual_strides, pixel, vector), lanes);
  MlirValue value =
      xc_conv_finish(code, t->sums[pixel * t->vectors + vector],
                     t->place->channel, vector * code->plan->lanes, residual);
  xc_vec_store(code->ir, xc_vec_head(code->ir, value, lanes), code->output,
               t->place->output,
               place_of(t, code->output_strides, pixel, vector));
}

void xc_conv_write_tile(xc_conv_code *code, const xc_conv_place *place,
                        int64_t vectors, int64_t last) {
  const xc_conv_plan *plan = code->plan;
  tile t = {.code = code,
            .place = place,
            .pixels = plan->tile_h * plan->tile_w,
            .vectors = vectors};
  t.count = (size_t)(t.pixels * vectors);
  assert(t.count <= MAX_SUMS && vectors <= MAX_VECTORS &&
         "tiles fit into registers");
  for (int64_t v = 0; v < vectors; ++v) {
    MlirValue bias = xc_conv_bias(code, place->channel, v * plan->lanes);
    for (int64_t p = 0; p < t.pixels; ++p)
      t.sums[p * vectors + v] = bias;
  }
  if (code->conv->depthwise)
    xc_depthwise_write_sums(code, place, t.sums);
  else
    write_sums(&t);
  for (int64_t p = 0; p < t.pixels; ++p)
    for (int64_t v = 0; v < vectors; ++v)
      write_output(&t, p, v, v == vectors - 1 ? last : plan->lanes);
}
