//===- QLinearReduce.c - quantised pools, reductions, joins and resampling ===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Move.h"
#include "Pool.h"
#include "Reduce.h"

#include "OpParams/Quant.h"
#include "OpParams/Resize.h"

#include <math.h>

// The requantisation that all of them do after their own arithmetic.
typedef struct requant {
  xc_kernel_call *call;
  xc_requant q;
} requant;

static requant requant_begin(xc_kernel_call *call) {
  return (requant){call, xc_requant_of(call->op)};
}

static void requant_store(const requant *r, int64_t at, int64_t value) {
  xc_set_int(&r->call->output, at,
             xc_quant_equal(r->q.in, r->q.out) ? xc_clamp(value, r->q.range)
                                               : xc_requantize(&r->q, value));
}

// A real number of steps of the input's scale, from its zero point.
static void requant_store_real(const requant *r, int64_t at, double steps) {
  double real = steps * (double)r->q.in.scale / (double)r->q.out.scale;
  xc_set_int(&r->call->output, at,
             xc_quantize_even(real, r->q.out.zero_point, r->q.range));
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

typedef struct qpool_state {
  requant r;
  int64_t value, start;
} qpool_state;

static void qpool_add(void *user, int64_t index) {
  qpool_state *s = user;
  s->value += xc_get_int(&s->r.call->operands[XC_QLINEAR_POOL_INPUT], index);
}

static void qpool_largest(void *user, int64_t index) {
  qpool_state *s = user;
  int64_t value =
      xc_get_int(&s->r.call->operands[XC_QLINEAR_POOL_INPUT], index);
  if (value > s->value)
    s->value = value;
}

static void qpool_end_max(void *user, int64_t at, xc_pool_window window) {
  qpool_state *s = user;
  (void)window;
  requant_store(&s->r, at, s->value);
  s->value = s->start;
}

static int64_t divide_rounding(int64_t sum, int64_t count) {
  return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
}

static void qpool_end_average(void *user, int64_t at, xc_pool_window window) {
  qpool_state *s = user;
  int64_t count = window.rows * window.columns;
  int64_t zero = s->r.q.in.zero_point;
  if (count == 0)
    requant_store(&s->r, at, zero);
  else if (s->r.q.tflite)
    requant_store(
        &s->r, at,
        divide_rounding(s->value + (count - window.hits) * zero, count));
  else
    requant_store_real(&s->r, at,
                       (double)(s->value - window.hits * zero) / (double)count);
  s->value = 0;
}

bool xc_interpret_qlinear_pool(xc_kernel_call *call) {
  bool average = xc_attr_is(call->op, XC_ATTR_TYPE, XC_ENUM_AVG);
  qpool_state s = {
      .r = requant_begin(call),
      .start = average ? 0 : xc_element_min(call->output.shape.element)};
  s.value = s.start;
  s.r.q.range = xc_nonlinear_range(call->op);
  xc_pool_visitor visitor = {average ? qpool_add : qpool_largest,
                             average ? qpool_end_average : qpool_end_max, &s};
  xc_pool_visit(call, average, &visitor);
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static void store_sums(const requant *r, const int64_t *sums, int64_t outputs,
                       bool mean, int64_t count) {
  xc_multiplier m = xc_sum_multiplier(r->q.in, r->q.out, mean ? count : 0);
  bool wide = xc_element_size(r->call->output.shape.element) == 2;
  for (int64_t i = 0; i < outputs; ++i) {
    int64_t centred = sums[i] - count * r->q.in.zero_point;
    if (!r->q.tflite) {
      requant_store_real(r, i,
                         (double)centred / (double)(mean && count ? count : 1));
      continue;
    }
    int64_t scaled =
        wide ? xc_multiply64(centred, m) : xc_multiply((int32_t)centred, m);
    xc_set_int(&r->call->output, i,
               xc_clamp(scaled + r->q.out.zero_point, r->q.range));
  }
}

bool xc_interpret_qlinear_reduction(xc_kernel_call *call) {
  requant r = requant_begin(call);
  bool largest = xc_attr_is(call->op, XC_ATTR_TYPE, XC_ENUM_MAX);
  int64_t count, outputs = xc_tensor_count(&call->output);
  xc_walk walk = xc_walk_reduction(call, &count);
  int64_t *sums = xc_call_alloc(call, outputs, sizeof(*sums));
  for (int64_t i = 0; largest && i < outputs; ++i)
    sums[i] = xc_element_min(call->output.shape.element);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int64_t *sum = &sums[walk.offset[0]];
    int64_t x = xc_get_int(&call->operands[XC_QLINEAR_REDUCTION_INPUT], i);
    *sum = !largest ? *sum + x : x > *sum ? x : *sum;
  }
  for (int64_t i = 0; largest && i < outputs; ++i)
    requant_store(&r, i, sums[i]);
  if (!largest)
    store_sums(&r, sums, outputs,
               xc_attr_is(call->op, XC_ATTR_TYPE, XC_ENUM_MEAN), count);
  return true;
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

static int64_t concat_value(bool tflite, int64_t x, xc_quant in, xc_quant out,
                            xc_range range) {
  if (!tflite)
    return xc_quantize_even(
        (double)((float)(x - in.zero_point) * in.scale / out.scale),
        out.zero_point, range);
  float scale = in.scale * (1.0f / out.scale);
  float bias = (float)-in.zero_point * scale;
  return xc_quantize_even((double)roundf((float)x * scale + bias),
                          out.zero_point, range);
}

bool xc_interpret_qlinear_concat(xc_kernel_call *call) {
  size_t axis = xc_axis_of(call->op);
  size_t inputs = xc_num_inputs(call->op);
  double scales[XC_MAX_OPERANDS];
  int64_t zeros[XC_MAX_INTS];
  xc_attr_floats(call->op, XC_ATTR_INPUT_SCALE, scales, XC_MAX_OPERANDS);
  xc_attr_ints(call->op, XC_ATTR_INPUT_ZERO_POINT, zeros);
  xc_quant out = xc_output_quant(call->op);
  xc_range range = xc_element_range(call->output.shape.element);
  bool tflite = xc_is_tflite(call->op);
  int64_t first = 0;
  for (size_t slot = 0, i = 0; i < inputs; ++slot) {
    if (!call->operands[slot].data)
      continue;
    xc_quant in = {(float)scales[i], (int32_t)zeros[i]};
    xc_shape shape = call->operands[slot].shape;
    shape.element = call->output.shape.element;
    xc_tensor piece = xc_call_tensor(call, &shape);
    int64_t count = xc_shape_num_elements(&shape);
    for (int64_t k = 0; k < count; ++k) {
      int64_t x = xc_get_int(&call->operands[slot], k);
      xc_set_int(&piece, k,
                 xc_quant_equal(in, out)
                     ? xc_clamp(x, range)
                     : concat_value(tflite, x, in, out, range));
    }
    xc_move_into(&call->output, axis, first, &piece);
    first += shape.dims[axis];
    ++i;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Resampling
//===----------------------------------------------------------------------===//

static int64_t pixel(const xc_tensor *input, const int64_t at[4], int64_t y,
                     int64_t x) {
  const int64_t *dims = input->shape.dims;
  y = y < 0 ? 0 : y < dims[1] ? y : dims[1] - 1;
  x = x < 0 ? 0 : x < dims[2] ? x : dims[2] - 1;
  return xc_get_int(input,
                    ((at[0] * dims[1] + y) * dims[2] + x) * dims[3] + at[3]);
}

static int64_t interpolate_integers(const xc_tensor *input, const int64_t at[4],
                                    const xc_tflite_axis *h,
                                    const xc_tflite_axis *w) {
  xc_tflite_bilinear y = xc_tflite_bilinear_at(h, at[1]);
  xc_tflite_bilinear x = xc_tflite_bilinear_at(w, at[2]);
  int64_t sum = 0;
  for (int i = 0; i < 4; ++i) {
    bool low_y = i < 2, low_x = i % 2 == 0;
    int64_t weight = (low_y ? 1024 - y.weight : y.weight) *
                     (low_x ? 1024 - x.weight : x.weight);
    sum += weight *
           pixel(input, at, low_y ? y.low : y.high, low_x ? x.low : x.high);
  }
  return (sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20);
}

// Interpolates unsigned bytes. The sum is never negative: a weight is negative
// only where both pixels are the same, and the weights sum to 1.
static int64_t interpolate_bytes(const xc_tensor *input, const int64_t at[4],
                                 const xc_tflite_axis *h,
                                 const xc_tflite_axis *w) {
  xc_tflite_float_bilinear y = xc_tflite_float_bilinear_at(h, at[1]);
  xc_tflite_float_bilinear x = xc_tflite_float_bilinear_at(w, at[2]);
  float sum = 0.0f;
  for (int i = 0; i < 4; ++i) {
    bool low_y = i < 2, low_x = i % 2 == 0;
    float weight = (low_y ? 1.0f - y.weight : y.weight) *
                   (low_x ? 1.0f - x.weight : x.weight);
    sum += weight * (float)pixel(input, at, low_y ? y.low : y.high,
                                 low_x ? x.low : x.high);
  }
  return (int64_t)(sum + 0.5f);
}

static int64_t interpolate(const xc_tensor *input, const int64_t at[4],
                           const xc_tflite_axis *h, const xc_tflite_axis *w) {
  return xc_tflite_bilinear_is_float(input->shape.element)
             ? interpolate_bytes(input, at, h, w)
             : interpolate_integers(input, at, h, w);
}

// ONNX: the real interpolation, rounded once.
static void resize_onnx(const requant *r) {
  xc_kernel_call *call = r->call;
  xc_resize_axis w = xc_resize_axis_of(call->op, 0, call->arena);
  xc_resize_axis h = xc_resize_axis_of(call->op, 1, call->arena);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    const int64_t *at = walk.position;
    double sum = 0;
    for (int64_t ky = 0; ky < h.taps; ++ky)
      for (int64_t kx = 0; kx < w.taps; ++kx)
        sum += h.weight[at[1] * h.taps + ky] * w.weight[at[2] * w.taps + kx] *
               (double)(pixel(&call->operands[XC_QLINEAR_RESIZE_INPUT], at,
                              h.source[at[1] * h.taps + ky],
                              w.source[at[2] * w.taps + kx]) -
                        r->q.in.zero_point);
    requant_store_real(r, i, sum);
  }
}

bool xc_interpret_qlinear_resize(xc_kernel_call *call) {
  requant r = requant_begin(call);
  const xc_tensor *input = &call->operands[XC_QLINEAR_RESIZE_INPUT];
  if (!xc_resize_check(call->op))
    return false;
  bool is_nearest = xc_attr_is(call->op, XC_ATTR_MODE, XC_ENUM_NEAREST);
  if (!r.q.tflite) {
    resize_onnx(&r);
    return true;
  }
  xc_tflite_axis h = xc_tflite_axis_of(call->op, 1);
  xc_tflite_axis w = xc_tflite_axis_of(call->op, 2);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    const int64_t *at = walk.position;
    int64_t value = is_nearest ? pixel(input, at, xc_tflite_nearest(&h, at[1]),
                                       xc_tflite_nearest(&w, at[2]))
                               : interpolate(input, at, &h, &w);
    requant_store(&r, i, value);
  }
  return true;
}
