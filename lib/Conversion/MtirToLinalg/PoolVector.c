//===- PoolVector.c - float windows, vectors of channels at a time --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of some vectors of channels stay in registers for all taps of a
// window. The last block of channels overlaps the one before it.
//
//===----------------------------------------------------------------------===//

#include "Pool.h"

#include "mlir-c/BuiltinTypes.h"

#include <math.h>

enum { MAX_LANES = 16, MAX_VECTORS = 4 };

typedef struct block {
  bool mean;
  int64_t lanes;
  size_t vectors;
  MlirType type; // of a vector of elements
  MlirValue image, channel;
} block;

static MlirValue channel_of(const xc_ir *ir, const block *b, size_t vector) {
  return xc_ir_addi(ir, b->channel, (int64_t)vector * b->lanes);
}

// Returns the larger one; a NaN wins.
static MlirValue larger(const xc_ir *ir, MlirValue value, MlirValue x) {
  MlirValue wins =
      xc_ir_or(ir, xc_ir_compare(ir, XC_IR_GT, x, value), xc_ir_is_nan(ir, x));
  return xc_ir_select(ir, wins, x, value);
}

static void add_tap(xc_lowering *l, const xc_tap *tap, MlirValue *values,
                    void *state) {
  const xc_ir *ir = &l->ir;
  const block *b = state;
  for (size_t i = 0; i < b->vectors; ++i) {
    const MlirValue operands[] = {l->buffers[0], b->image, tap->row,
                                  tap->column, channel_of(ir, b, i)};
    MlirValue x = xc_ir_op(ir, "vector.load", operands, 5, b->type, NULL, 0);
    values[i] =
        b->mean
            ? xc_ir_add(ir, values[i],
                        xc_ir_float_cast(ir, x, mlirValueGetType(values[i])))
            : larger(ir, values[i], x);
  }
}

static int64_t count_number(const xc_pool *pool, int64_t y, int64_t x,
                            const void *state) {
  (void)state;
  return xc_pool_rows(pool, y) * xc_pool_columns(pool, x);
}

static MlirValue mean_of(xc_lowering *l, const xc_pool *pool, const block *b,
                         MlirValue sum) {
  const xc_ir *ir = &l->ir;
  MlirType wide = mlirValueGetType(sum);
  MlirValue count = xc_pool_table(l, pool, count_number, NULL);
  MlirValue some = xc_ir_comparei(ir, XC_IR_NE, count, 0);
  // Without taps the sum is 0, whatever it is divided by.
  MlirValue divisor = xc_ir_int_to_float(
      ir, xc_ir_select(ir, some, count, xc_whole(l, 1)), ir->f64);
  divisor = xc_ir_op(ir, "vector.broadcast", &divisor, 1, wide, NULL, 0);
  return xc_ir_float_cast(ir, xc_ir_div(ir, sum, divisor), b->type);
}

static void store_values(xc_lowering *l, const xc_pool *pool, const block *b,
                         const MlirValue *values) {
  const xc_ir *ir = &l->ir;
  for (size_t i = 0; i < b->vectors; ++i) {
    MlirValue value = b->mean ? mean_of(l, pool, b, values[i]) : values[i];
    const MlirValue operands[] = {value,       l->output,
                                  pool->at[0], pool->at[1],
                                  pool->at[2], channel_of(ir, b, i)};
    xc_ir_operation(ir, "vector.store", operands, 6, NULL, 0);
  }
}

// Vectors that fill the channels, or the widest ones.
static int64_t choose_lanes(int64_t channels) {
  for (int64_t lanes = MAX_LANES; lanes >= 4; lanes /= 2)
    if (channels % lanes == 0)
      return lanes;
  int64_t lanes = MAX_LANES;
  while (lanes > channels)
    lanes /= 2;
  return lanes;
}

bool xc_linalg_pool_vector(xc_lowering *l, xc_pool *pool) {
  xc_ir *ir = &l->ir;
  const int64_t *out = l->result.dims;
  if (l->outliner->for_source || l->result.element != XC_ELEMENT_F32 ||
      out[3] < 4 || !xc_has_unit_stride(l->buffers[0]) ||
      !xc_has_unit_stride(l->output))
    return false;
  block b = {.mean = pool->mean, .lanes = choose_lanes(out[3])};
  int64_t vectors = out[3] / b.lanes;
  b.vectors = (size_t)(vectors < MAX_VECTORS ? vectors : MAX_VECTORS);
  b.type = mlirVectorTypeGet(1, &b.lanes, ir->f32);
  int64_t width = (int64_t)b.vectors * b.lanes;
  xc_tap_window taps = xc_tap_window_create(l, &pool->window);
  const int64_t dims[] = {out[0], out[1], out[2], (out[3] + width - 1) / width};
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, 4, dims);
  for (int i = 0; i < 3; ++i)
    pool->at[i] = nest.at[i];
  b.image = nest.at[0];
  b.channel = xc_ir_min(ir, xc_ir_muli(ir, nest.at[3], width),
                        xc_ir_index(ir, out[3] - width));
  MlirValue values[MAX_VECTORS];
  MlirType type = b.mean ? mlirVectorTypeGet(1, &b.lanes, ir->f64) : b.type;
  for (size_t i = 0; i < b.vectors; ++i)
    values[i] = xc_ir_float(ir, type, b.mean ? 0 : (double)-INFINITY);
  xc_linalg_taps(l, &taps, &nest.at[1], values, b.vectors, add_tap, &b);
  store_values(l, pool, &b, values);
  xc_ir_nest_end(ir, &nest);
  return true;
}
