//===- Pool.c - windows that are reduced ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"

#include "Fix.h"
#include "Reduce.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Numbers of windows
//===----------------------------------------------------------------------===//

int64_t xc_pool_rows(const xc_pool *pool, int64_t y) {
  return xc_taps_count(&pool->window.h, y, pool->pad, pool->beyond);
}

int64_t xc_pool_columns(const xc_pool *pool, int64_t x) {
  return xc_taps_count(&pool->window.w, x, pool->pad, pool->beyond);
}

int64_t xc_pool_hits(const xc_pool *pool, int64_t y, int64_t x) {
  return xc_taps_count(&pool->window.h, y, false, false) *
         xc_taps_count(&pool->window.w, x, false, false);
}

MlirValue xc_pool_table(xc_lowering *l, const xc_pool *pool,
                        xc_pool_number number, const void *state) {
  const int64_t dims[] = {pool->window.h.outputs, pool->window.w.outputs};
  int64_t *numbers = xc_lowering_alloc(l, dims[0] * dims[1], sizeof(*numbers));
  bool same = true;
  for (int64_t y = 0; y < dims[0]; ++y)
    for (int64_t x = 0; x < dims[1]; ++x) {
      int64_t value = number(pool, y, x, state);
      numbers[y * dims[1] + x] = value;
      same = same && value == numbers[0];
    }
  if (same)
    return xc_whole(l, dims[0] > 0 && dims[1] > 0 ? numbers[0] : 0);
  MlirValue table = xc_lowering_table(l, numbers, XC_ELEMENT_I64, 2, dims);
  return xc_ir_load(&l->ir, table, pool->at + 1, 2);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

// Channels at a time: their values fit into the nearest cache, and on the
// stack.
enum { MAX_BLOCK = 1024 };

typedef struct tap_state {
  const xc_pool_visitor_ir *visitor;
  MlirValue values; // of a block of channels
  MlirValue image, first, end;
} tap_state;

// The loop over the channels of a block: `at` is the place among its values.
typedef struct channel_loop {
  xc_ir_loop loop;
  MlirValue at;
} channel_loop;

static channel_loop begin_channels(xc_lowering *l, const tap_state *state) {
  xc_ir *ir = &l->ir;
  channel_loop c;
  c.loop = xc_ir_for(ir, state->first, state->end, xc_ir_index(ir, 1), NULL, 0);
  c.at = xc_ir_sub(ir, c.loop.index, state->first);
  return c;
}

static void end_channels(xc_lowering *l, channel_loop *c) {
  xc_ir_end_for(&l->ir, &c->loop, NULL);
}

static void add_tap(xc_lowering *l, const xc_tap *tap, MlirValue *none,
                    void *user) {
  (void)none;
  const tap_state *state = user;
  channel_loop c = begin_channels(l, state);
  const MlirValue from[] = {state->image, tap->row, tap->column, c.loop.index};
  MlirValue raw = xc_ir_load(&l->ir, l->buffers[XC_MAXPOOL2D_INPUT], from, 4);
  MlirValue value = xc_ir_load(&l->ir, state->values, &c.at, 1);
  value = state->visitor->add(l, value, raw, state->visitor->state);
  xc_ir_store(&l->ir, value, state->values, &c.at, 1);
  end_channels(l, &c);
}

static void start_values(xc_lowering *l, const tap_state *state) {
  channel_loop c = begin_channels(l, state);
  xc_ir_store(&l->ir, state->visitor->start, state->values, &c.at, 1);
  end_channels(l, &c);
}

static void end_values(xc_lowering *l, xc_pool *pool, const tap_state *state) {
  channel_loop c = begin_channels(l, state);
  pool->at[3] = c.loop.index;
  MlirValue value = xc_ir_load(&l->ir, state->values, &c.at, 1);
  state->visitor->end(l, pool, value, state->visitor->state);
  end_channels(l, &c);
}

static xc_pool read_pool(xc_lowering *l, bool average) {
  xc_pool pool = {.window = xc_taps_of(l->op, l->arena), .mean = average};
  if (average) {
    pool.pad = xc_attr_bool(l->op, XC_ATTR_COUNT_INCLUDE_PAD);
    pool.beyond = xc_attr_bool(l->op, XC_ATTR_COUNT_INCLUDE_INVALID);
  }
  return pool;
}

void xc_linalg_pool(xc_lowering *l, bool average,
                    const xc_pool_visitor_ir *visitor) {
  xc_ir *ir = &l->ir;
  xc_pool pool = read_pool(l, average);
  xc_tap_window taps = xc_tap_window_create(l, &pool.window);
  const int64_t *out = l->result.dims;
  int64_t block = out[3] < MAX_BLOCK ? out[3] : MAX_BLOCK;
  tap_state state = {.visitor = visitor};
  state.values =
      xc_ir_alloca(ir, mlirValueGetType(visitor->start), block > 0 ? block : 1);
  const int64_t blocks = block > 0 ? (out[3] + block - 1) / block : 0;
  const int64_t dims[] = {out[0], out[1], out[2], blocks};
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, 4, dims);
  for (int i = 0; i < 3; ++i)
    pool.at[i] = nest.at[i];
  state.image = nest.at[0];
  state.first = xc_ir_muli(ir, nest.at[3], block);
  state.end = xc_ir_min(ir, xc_ir_addi(ir, state.first, block),
                        xc_ir_index(ir, out[3]));
  start_values(l, &state);
  xc_linalg_taps(l, &taps, &nest.at[1], NULL, 0, add_tap, &state);
  end_values(l, &pool, &state);
  xc_ir_nest_end(ir, &nest);
}

//===----------------------------------------------------------------------===//
// Floating point, and integers without a scale
//===----------------------------------------------------------------------===//

static int64_t count_number(const xc_pool *pool, int64_t y, int64_t x,
                            const void *state) {
  (void)state;
  return xc_pool_rows(pool, y) * xc_pool_columns(pool, x);
}

static void end_mean(xc_lowering *l, const xc_pool *pool, MlirValue value,
                     const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  MlirValue count = xc_pool_table(l, pool, count_number, NULL);
  MlirValue mean = xc_ir_div(ir, value, xc_ir_int_to_float(ir, count, ir->f64));
  MlirValue some = xc_ir_comparei(ir, XC_IR_NE, count, 0);
  xc_store_real(l, xc_ir_select(ir, some, mean, xc_real(l, 0)), pool->at);
}

bool xc_linalg_avgpool(xc_lowering *l) {
  xc_pool pool = read_pool(l, true);
  if (xc_linalg_pool_vector(l, &pool))
    return true;
  const xc_pool_visitor_ir visitor = {xc_real(l, 0), xc_reduce_sum_real,
                                      end_mean, NULL};
  xc_linalg_pool(l, true, &visitor);
  return true;
}

static void end_real(xc_lowering *l, const xc_pool *pool, MlirValue value,
                     const void *state) {
  (void)state;
  xc_store_real(l, value, pool->at);
}

static void end_int(xc_lowering *l, const xc_pool *pool, MlirValue value,
                    const void *state) {
  (void)state;
  xc_store_int(l, value, pool->at);
}

bool xc_linalg_maxpool(xc_lowering *l) {
  xc_element element = l->result.element;
  xc_pool pool = read_pool(l, false);
  if (xc_linalg_pool_vector(l, &pool))
    return true;
  xc_pool_visitor_ir visitor;
  if (xc_element_is_float(element))
    visitor = (xc_pool_visitor_ir){xc_real(l, (double)-INFINITY),
                                   xc_reduce_max_real, end_real, NULL};
  else
    visitor = (xc_pool_visitor_ir){xc_whole(l, xc_element_min(element)),
                                   xc_reduce_max_int, end_int, NULL};
  xc_linalg_pool(l, false, &visitor);
  return true;
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

typedef struct fix_pool {
  xc_fix_pool pool;
  int shift; // that all factors share
} fix_pool;

static void fix_end_max(xc_lowering *l, const xc_pool *pool, MlirValue value,
                        const void *state) {
  const fix_pool *fix = state;
  const xc_ir_bounded bounded = {value, 9};
  xc_store_int(l,
               xc_ir_round_saturate(&l->ir, bounded, fix->pool.shift,
                                    fix->pool.mode, fix->pool.type),
               pool->at);
}

static void fix_end_exact(xc_lowering *l, const xc_pool *pool, MlirValue value,
                          const void *state) {
  const fix_pool *fix = state;
  MlirValue count = xc_pool_table(l, pool, count_number, NULL);
  MlirValue some = xc_ir_comparei(&l->ir, XC_IR_NE, count, 0);
  MlirValue divisor = xc_ir_select(&l->ir, some, count, xc_whole(l, 1));
  xc_store_int(l,
               xc_ir_round_ratio(&l->ir, value, divisor, fix->pool.shift,
                                 fix->pool.mode, fix->pool.type),
               pool->at);
}

// A window cut off by the input's edge is a smaller kernel; nothing at all
// counts as a sum of 0.
static XcAvgFactor factor_of(const xc_pool *pool, int64_t y, int64_t x) {
  int64_t rows = xc_pool_rows(pool, y), columns = xc_pool_columns(pool, x);
  return rows * columns == 0 ? (XcAvgFactor){0, 0}
                             : xcAvgPoolFactor(rows, columns);
}

// Factors of all windows at the largest shift that any of them has: twice the
// factor at one shift more is the same number.
static int64_t factor_number(const xc_pool *pool, int64_t y, int64_t x,
                             const void *state) {
  const fix_pool *fix = state;
  XcAvgFactor factor = factor_of(pool, y, x);
  return (int64_t)factor.factor << (fix->shift - factor.shift);
}

static int largest_shift(const xc_pool *pool) {
  int shift = 0;
  for (int64_t y = 0; y < pool->window.h.outputs; ++y)
    for (int64_t x = 0; x < pool->window.w.outputs; ++x) {
      int own = factor_of(pool, y, x).shift;
      shift = own > shift ? own : shift;
    }
  return shift;
}

static void fix_end_average(xc_lowering *l, const xc_pool *pool,
                            MlirValue value, const void *state) {
  fix_pool fix = *(const fix_pool *)state;
  fix.shift = largest_shift(pool);
  MlirValue factor = xc_pool_table(l, pool, factor_number, &fix);
  const xc_ir_bounded product = {xc_ir_mul(&l->ir, value, factor), 62};
  xc_store_int(l,
               xc_ir_round_saturate(&l->ir, product, fix.shift + fix.pool.shift,
                                    fix.pool.mode, fix.pool.type),
               pool->at);
}

bool xc_linalg_pool_fix(xc_lowering *l) {
  fix_pool fix = {.shift = 0};
  if (!xc_fix_pool_of(l->op, &fix.pool))
    return false;
  bool average = fix.pool.average;
  int64_t least = xc_element_min(l->shapes[XC_POOL_FIX_INPUT].element);
  xc_pool_visitor_ir visitor = {xc_whole(l, average ? 0 : least),
                                average ? xc_reduce_sum_int : xc_reduce_max_int,
                                !average         ? fix_end_max
                                : fix.pool.exact ? fix_end_exact
                                                 : fix_end_average,
                                &fix};
  xc_linalg_pool(l, average, &visitor);
  return true;
}
