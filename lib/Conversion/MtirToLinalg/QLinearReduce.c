//===- QLinearReduce.c - quantised pools, reductions, resampling ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Join.h"
#include "Pool.h"
#include "Reduce.h"
#include "Resize.h"

#include "Conversion/Support/QuantIR.h"

static MlirValue requantized(const xc_ir *ir, const xc_requant *r,
                             MlirValue value) {
  return xc_quant_equal(r->in, r->out) ? xc_ir_in_range(ir, value, r->range)
                                       : xc_ir_requantize(ir, r, value);
}

// Returns a real number of steps of the input's scale, from its zero point.
static MlirValue from_steps(const xc_ir *ir, const xc_requant *r,
                            MlirValue steps) {
  MlirValue real =
      xc_ir_mul(ir, steps, xc_ir_float(ir, ir->f64, (double)r->in.scale));
  real = xc_ir_div(ir, real, xc_ir_float(ir, ir->f64, (double)r->out.scale));
  return xc_ir_quantize_even(ir, real, r->out.zero_point, r->range);
}

static MlirValue raw_of(const xc_lowering *l, MlirValue value) {
  return xc_element_of_int(&l->ir, l->result.element, value);
}

static MlirValue to_real(const xc_ir *ir, MlirValue value) {
  return xc_ir_int_to_float(ir, value, ir->f64);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

static int64_t count_number(const xc_pool *pool, int64_t y, int64_t x,
                            const void *state) {
  (void)state;
  return xc_pool_rows(pool, y) * xc_pool_columns(pool, x);
}

static int64_t hits_number(const xc_pool *pool, int64_t y, int64_t x,
                           const void *state) {
  (void)state;
  return xc_pool_hits(pool, y, x);
}

static void end_max(xc_lowering *l, const xc_pool *pool, MlirValue value,
                    const void *state) {
  xc_store_int(l, requantized(&l->ir, state, value), pool->at);
}

// Returns the quotient, half away from zero.
static MlirValue divide_rounding(const xc_ir *ir, MlirValue sum,
                                 MlirValue count) {
  MlirValue half = xc_ir_shri(ir, count, 1);
  MlirValue positive = xc_ir_comparei(ir, XC_IR_GT, sum, 0);
  MlirValue nudged = xc_ir_select(ir, positive, xc_ir_add(ir, sum, half),
                                  xc_ir_sub(ir, sum, half));
  return xc_ir_div(ir, nudged, count);
}

static void end_average(xc_lowering *l, const xc_pool *pool, MlirValue value,
                        const void *state) {
  const xc_requant *r = state;
  const xc_ir *ir = &l->ir;
  int64_t zero = r->in.zero_point;
  MlirValue count = xc_pool_table(l, pool, count_number, NULL);
  MlirValue hits = xc_pool_table(l, pool, hits_number, NULL);
  MlirValue some = xc_ir_comparei(ir, XC_IR_NE, count, 0);
  MlirValue divisor = xc_ir_select(ir, some, count, xc_whole(l, 1));
  MlirValue result;
  if (r->tflite) {
    MlirValue border = xc_ir_muli(ir, xc_ir_sub(ir, count, hits), zero);
    result = requantized(
        ir, r, divide_rounding(ir, xc_ir_add(ir, value, border), divisor));
  } else {
    MlirValue centred = xc_ir_sub(ir, value, xc_ir_muli(ir, hits, zero));
    result = from_steps(
        ir, r, xc_ir_div(ir, to_real(ir, centred), to_real(ir, divisor)));
  }
  MlirValue nothing = requantized(ir, r, xc_whole(l, zero));
  xc_store_int(l, xc_ir_select(ir, some, result, nothing), pool->at);
}

bool xc_linalg_qlinear_pool(xc_lowering *l) {
  bool average = xc_attr_is(l->op, XC_ATTR_TYPE, XC_ENUM_AVG);
  xc_element element = l->result.element;
  xc_requant r = xc_requant_of(l->op);
  r.range = xc_nonlinear_range(l->op);
  const xc_pool_visitor_ir visitor = {
      xc_whole(l, average ? 0 : xc_element_min(element)),
      average ? xc_reduce_sum_int : xc_reduce_max_int,
      average ? end_average : end_max, &r};
  xc_linalg_pool(l, average, &visitor);
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static MlirValue end_largest(xc_lowering *l, MlirValue value,
                             const void *state) {
  return raw_of(l, requantized(&l->ir, state, value));
}

static MlirValue end_sum(xc_lowering *l, MlirValue value, const void *state) {
  const xc_requant *r = state;
  const xc_ir *ir = &l->ir;
  bool mean = xc_attr_is(l->op, XC_ATTR_TYPE, XC_ENUM_MEAN);
  int64_t count = xc_reduction_count(l);
  MlirValue centred = xc_ir_addi(ir, value, -count * r->in.zero_point);
  if (!r->tflite) {
    MlirValue divisor = xc_real(l, (double)(mean && count ? count : 1));
    return raw_of(
        l, from_steps(ir, r, xc_ir_div(ir, to_real(ir, centred), divisor)));
  }
  xc_multiplier m = xc_sum_multiplier(r->in, r->out, mean ? count : 0);
  bool wide = xc_element_size(l->result.element) == 2;
  MlirValue scaled =
      wide ? xc_ir_multiply64(ir, centred, m)
           : xc_ir_multiply(ir, xc_ir_int_cast(ir, centred, ir->i32), m);
  scaled = xc_ir_int_cast(ir, scaled, ir->i64);
  return raw_of(l, xc_ir_in_range(ir, xc_ir_addi(ir, scaled, r->out.zero_point),
                                  r->range));
}

bool xc_linalg_qlinear_reduction(xc_lowering *l) {
  const xc_requant r = xc_requant_of(l->op);
  bool largest = xc_attr_is(l->op, XC_ATTR_TYPE, XC_ENUM_MAX);
  int64_t least = xc_element_min(l->result.element);
  const xc_reducer reducer = {xc_whole(l, largest ? least : 0),
                              largest ? xc_reduce_max_int : xc_reduce_sum_int,
                              largest ? end_largest : end_sum, &r};
  xc_linalg_reduce(l, &reducer);
  return true;
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

typedef struct concat_state {
  double scales[XC_MAX_OPERANDS];
  int64_t zeros[XC_MAX_INTS];
  xc_quant out;
  xc_range range;
  bool tflite;
} concat_state;

static MlirValue concat_real(const xc_ir *ir, const concat_state *s,
                             xc_quant in, MlirValue x) {
  if (!s->tflite) {
    MlirValue real =
        xc_ir_int_to_float(ir, xc_ir_addi(ir, x, -in.zero_point), ir->f32);
    real = xc_ir_mul(ir, real, xc_ir_float(ir, ir->f32, (double)in.scale));
    return xc_ir_div(ir, real, xc_ir_float(ir, ir->f32, (double)s->out.scale));
  }
  float scale = in.scale * (1.0f / s->out.scale);
  float bias = (float)-in.zero_point * scale;
  MlirValue real = xc_ir_mul(ir, xc_ir_int_to_float(ir, x, ir->f32),
                             xc_ir_float(ir, ir->f32, (double)scale));
  real = xc_ir_add(ir, real, xc_ir_float(ir, ir->f32, (double)bias));
  return xc_ir_math(ir, "math.round", real);
}

static MlirValue convert_input(xc_lowering *l, size_t slot, size_t number,
                               MlirValue raw, const void *state) {
  const concat_state *s = state;
  const xc_ir *ir = &l->ir;
  xc_quant in = {(float)s->scales[number], (int32_t)s->zeros[number]};
  MlirValue x = xc_element_to_int(ir, l->shapes[slot].element, raw);
  MlirValue result = xc_quant_equal(in, s->out)
                         ? xc_ir_in_range(ir, x, s->range)
                         : xc_ir_quantize_even(ir, concat_real(ir, s, in, x),
                                               s->out.zero_point, s->range);
  return raw_of(l, result);
}

bool xc_linalg_qlinear_concat(xc_lowering *l) {
  concat_state s = {.out = xc_output_quant(l->op),
                    .range = xc_element_range(l->result.element),
                    .tflite = xc_is_tflite(l->op)};
  xc_attr_floats(l->op, XC_ATTR_INPUT_SCALE, s.scales, XC_MAX_OPERANDS);
  xc_attr_ints(l->op, XC_ATTR_INPUT_ZERO_POINT, s.zeros);
  xc_linalg_join(l, xc_axis_of(l->op), convert_input, &s);
  return true;
}

//===----------------------------------------------------------------------===//
// Resampling
//===----------------------------------------------------------------------===//

// One axis of TFLite, as tables by position of the output: the two sources, and
// the weight of the second.
typedef struct axis_tables {
  MlirValue low, high; // i32
  MlirValue weight;    // i32, or f32 of unsigned bytes
} axis_tables;

static int64_t clamped(int64_t at, int64_t size) {
  return at < 0 ? 0 : at < size ? at : size - 1;
}

static axis_tables nearest_tables(xc_lowering *l, size_t dim) {
  xc_tflite_axis axis = xc_tflite_axis_of(l->op, dim);
  int64_t outputs = axis.output;
  int32_t *low = xc_lowering_alloc(l, outputs, sizeof(*low));
  for (int64_t i = 0; i < outputs; ++i)
    low[i] = (int32_t)clamped(xc_tflite_nearest(&axis, i), axis.input);
  return (axis_tables){
      .low = xc_lowering_table(l, low, XC_ELEMENT_I32, 1, &outputs)};
}

static axis_tables integer_tables(xc_lowering *l, size_t dim) {
  xc_tflite_axis axis = xc_tflite_axis_of(l->op, dim);
  int64_t outputs = axis.output;
  int32_t *low = xc_lowering_alloc(l, outputs, sizeof(*low));
  int32_t *high = xc_lowering_alloc(l, outputs, sizeof(*high));
  int32_t *weight = xc_lowering_alloc(l, outputs, sizeof(*weight));
  for (int64_t i = 0; i < outputs; ++i) {
    xc_tflite_bilinear at = xc_tflite_bilinear_at(&axis, i);
    low[i] = (int32_t)clamped(at.low, axis.input);
    high[i] = (int32_t)clamped(at.high, axis.input);
    weight[i] = (int32_t)at.weight;
  }
  return (axis_tables){
      .low = xc_lowering_table(l, low, XC_ELEMENT_I32, 1, &outputs),
      .high = xc_lowering_table(l, high, XC_ELEMENT_I32, 1, &outputs),
      .weight = xc_lowering_table(l, weight, XC_ELEMENT_I32, 1, &outputs)};
}

static axis_tables float_tables(xc_lowering *l, size_t dim) {
  xc_tflite_axis axis = xc_tflite_axis_of(l->op, dim);
  int64_t outputs = axis.output;
  int32_t *low = xc_lowering_alloc(l, outputs, sizeof(*low));
  int32_t *high = xc_lowering_alloc(l, outputs, sizeof(*high));
  float *weight = xc_lowering_alloc(l, outputs, sizeof(*weight));
  for (int64_t i = 0; i < outputs; ++i) {
    xc_tflite_float_bilinear at = xc_tflite_float_bilinear_at(&axis, i);
    low[i] = (int32_t)at.low;
    high[i] = (int32_t)at.high;
    weight[i] = at.weight;
  }
  return (axis_tables){
      .low = xc_lowering_table(l, low, XC_ELEMENT_I32, 1, &outputs),
      .high = xc_lowering_table(l, high, XC_ELEMENT_I32, 1, &outputs),
      .weight = xc_lowering_table(l, weight, XC_ELEMENT_F32, 1, &outputs)};
}

// The pixels that are read decide, not what they are requantised to.
static bool is_float_bilinear(const xc_lowering *l) {
  return xc_tflite_bilinear_is_float(
      l->shapes[XC_QLINEAR_RESIZE_INPUT].element);
}

static axis_tables make_tables(xc_lowering *l, size_t dim) {
  if (xc_attr_is(l->op, XC_ATTR_MODE, XC_ENUM_NEAREST))
    return nearest_tables(l, dim);
  return is_float_bilinear(l) ? float_tables(l, dim) : integer_tables(l, dim);
}

static MlirValue position(xc_lowering *l, MlirValue table, MlirValue at) {
  return xc_ir_index_cast(&l->ir, xc_ir_load(&l->ir, table, &at, 1),
                          l->ir.index);
}

static MlirValue pixel(xc_lowering *l, const MlirValue *at, MlirValue y,
                       MlirValue x) {
  const MlirValue from[] = {at[0], y, x, at[3]};
  return xc_load_int(l, XC_QLINEAR_RESIZE_INPUT, from);
}

// Returns the four pixels around a position, multiplied by their weights: `one`
// is the sum of two weights along an axis, whose type all of it has.
static MlirValue weighted_sum(xc_lowering *l, const axis_tables *h,
                              const axis_tables *w, const MlirValue *at,
                              MlirValue one, MlirValue zero) {
  const xc_ir *ir = &l->ir;
  const axis_tables *axes[] = {h, w};
  bool is_float = is_float_bilinear(l);
  MlirValue places[2][2], weights[2][2];
  for (int i = 0; i < 2; ++i) {
    MlirValue weight = xc_ir_load(ir, axes[i]->weight, &at[1 + i], 1);
    if (!is_float)
      weight = xc_ir_int_cast(ir, weight, ir->i64);
    places[i][0] = position(l, axes[i]->low, at[1 + i]);
    places[i][1] = position(l, axes[i]->high, at[1 + i]);
    weights[i][0] = xc_ir_sub(ir, one, weight);
    weights[i][1] = weight;
  }
  MlirValue sum = zero;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x) {
      MlirValue value = pixel(l, at, places[0][y], places[1][x]);
      if (is_float)
        value = xc_ir_int_to_float(ir, value, ir->f32);
      MlirValue weight = xc_ir_mul(ir, weights[0][y], weights[1][x]);
      sum = xc_ir_add(ir, sum, xc_ir_mul(ir, weight, value));
    }
  return sum;
}

static MlirValue interpolate(xc_lowering *l, const axis_tables *h,
                             const axis_tables *w, const MlirValue *at) {
  const xc_ir *ir = &l->ir;
  if (!is_float_bilinear(l))
    return divide_rounding(
        ir, weighted_sum(l, h, w, at, xc_whole(l, 1024), xc_whole(l, 0)),
        xc_whole(l, 1 << 20));
  MlirValue sum = weighted_sum(l, h, w, at, xc_ir_float(ir, ir->f32, 1.0),
                               xc_ir_float(ir, ir->f32, 0.0));
  sum = xc_ir_add(ir, sum, xc_ir_float(ir, ir->f32, 0.5));
  return xc_ir_float_to_int(ir, sum, ir->i64);
}

static MlirValue centred_value(xc_lowering *l, const MlirValue *from) {
  xc_quant in = xc_input_quant(l->op);
  return to_real(
      &l->ir, xc_ir_addi(&l->ir, xc_load_int(l, XC_QLINEAR_RESIZE_INPUT, from),
                         -in.zero_point));
}

bool xc_linalg_qlinear_resize(xc_lowering *l) {
  if (!xc_resize_check(l->op))
    return false;
  const xc_requant r = xc_requant_of(l->op);
  bool is_nearest = xc_attr_is(l->op, XC_ATTR_MODE, XC_ENUM_NEAREST);
  xc_resample_axis real_h = {0}, real_w = {0};
  axis_tables h = {{0}, {0}, {0}}, w = h;
  if (r.tflite) {
    h = make_tables(l, 1);
    w = make_tables(l, 2);
  } else {
    real_w = xc_resample_axis_create(l, 0);
    real_h = xc_resample_axis_create(l, 1);
  }
  xc_ir_nest nest;
  xc_ir_nest_begin(&l->ir, &nest, 4, l->result.dims);
  MlirValue result;
  if (!r.tflite)
    result = from_steps(
        &l->ir, &r,
        xc_resample_sum(l, &real_h, &real_w, nest.at, centred_value));
  else if (is_nearest)
    result = requantized(&l->ir, &r,
                         pixel(l, nest.at, position(l, h.low, nest.at[1]),
                               position(l, w.low, nest.at[2])));
  else
    result = requantized(&l->ir, &r, interpolate(l, &h, &w, nest.at));
  xc_store_int(l, result, nest.at);
  xc_ir_nest_end(&l->ir, &nest);
  return true;
}
