//===- Pool.c - pooling ---------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"

#include "Fix.h"
#include "OpParams/Fix.h"

#include <math.h>

// Visits the channels of one window; returns the elements inside the input.
static int64_t visit_window(const xc_kernel_call *call, const xc_taps *window,
                            const int64_t at[4],
                            const xc_pool_visitor *visitor) {
  const int64_t *dims = call->operands[XC_MAXPOOL2D_INPUT].shape.dims;
  int64_t hits = 0;
  for (int64_t ky = 0; ky < window->h.taps; ++ky) {
    int64_t row = window->h.source[at[1] * window->h.taps + ky];
    for (int64_t kx = 0; row >= 0 && kx < window->w.taps; ++kx) {
      int64_t column = window->w.source[at[2] * window->w.taps + kx];
      if (column < 0)
        continue;
      ++hits;
      visitor->element(visitor->state,
                       ((at[0] * dims[1] + row) * dims[2] + column) * dims[3] +
                           at[3]);
    }
  }
  return hits;
}

void xc_pool_visit(xc_kernel_call *call, bool average,
                   const xc_pool_visitor *visitor) {
  xc_taps window = xc_taps_of(call->op, call->arena);
  bool pad = average && xc_attr_bool(call->op, XC_ATTR_COUNT_INCLUDE_PAD);
  bool beyond =
      average && xc_attr_bool(call->op, XC_ATTR_COUNT_INCLUDE_INVALID);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  for (int64_t at = 0; walk.left > 0; xc_walk_next(&walk), ++at) {
    xc_pool_window here = {
        .hits = visit_window(call, &window, walk.position, visitor),
        .rows = xc_taps_count(&window.h, walk.position[1], pad, beyond),
        .columns = xc_taps_count(&window.w, walk.position[2], pad, beyond)};
    visitor->end(visitor->state, at, here);
  }
}

//===----------------------------------------------------------------------===//
// Floating point, and integers without a scale
//===----------------------------------------------------------------------===//

typedef struct pool_state {
  xc_kernel_call *call;
  double sum;
  double largest;
  int64_t largest_int;
} pool_state;

static void add_real(void *user, int64_t index) {
  pool_state *state = user;
  state->sum += xc_get_real(&state->call->operands[XC_AVGPOOL2D_INPUT], index);
}

static void end_mean(void *user, int64_t at, xc_pool_window window) {
  pool_state *state = user;
  int64_t count = window.rows * window.columns;
  xc_set_real(&state->call->output, at, count ? state->sum / (double)count : 0);
  state->sum = 0;
}

bool xc_interpret_avgpool(xc_kernel_call *call) {
  pool_state state = {.call = call};
  xc_pool_visit(call, true, &(xc_pool_visitor){add_real, end_mean, &state});
  return true;
}

// A NaN wins, as in the framework's reductions.
static void largest_real(void *user, int64_t index) {
  pool_state *state = user;
  double value = xc_get_real(&state->call->operands[XC_MAXPOOL2D_INPUT], index);
  if (value > state->largest || isnan(value))
    state->largest = value;
}

static void end_largest_real(void *user, int64_t at, xc_pool_window window) {
  pool_state *state = user;
  (void)window;
  xc_set_real(&state->call->output, at, state->largest);
  state->largest = (double)-INFINITY;
}

static bool is_less(xc_element element, int64_t a, int64_t b) {
  return element == XC_ELEMENT_UI64 ? (uint64_t)a < (uint64_t)b : a < b;
}

static void largest_int(void *user, int64_t index) {
  pool_state *state = user;
  const xc_tensor *input = &state->call->operands[XC_MAXPOOL2D_INPUT];
  int64_t value = xc_get_int(input, index);
  if (is_less(input->shape.element, state->largest_int, value))
    state->largest_int = value;
}

static void end_largest_int(void *user, int64_t at, xc_pool_window window) {
  pool_state *state = user;
  (void)window;
  xc_set_int(&state->call->output, at, state->largest_int);
  state->largest_int = xc_element_min(state->call->output.shape.element);
}

bool xc_interpret_maxpool(xc_kernel_call *call) {
  xc_element element = call->output.shape.element;
  bool real = xc_element_is_float(element);
  pool_state state = {.call = call,
                      .largest = (double)-INFINITY,
                      .largest_int = real ? 0 : xc_element_min(element)};
  xc_pool_visitor visitor = {real ? largest_real : largest_int,
                             real ? end_largest_real : end_largest_int, &state};
  xc_pool_visit(call, false, &visitor);
  return true;
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

typedef struct fix_pool_state {
  xc_kernel_call *call;
  xc_fix_pool pool;
  int64_t value;
  int64_t start;
} fix_pool_state;

static void fix_add(void *user, int64_t index) {
  fix_pool_state *state = user;
  state->value += xc_get_int(&state->call->operands[XC_POOL_FIX_INPUT], index);
}

static void fix_largest(void *user, int64_t index) {
  fix_pool_state *state = user;
  int64_t value = xc_get_int(&state->call->operands[XC_POOL_FIX_INPUT], index);
  if (value > state->value)
    state->value = value;
}

static void fix_end(fix_pool_state *state, int64_t at, int64_t rounded) {
  xc_set_int(&state->call->output, at, xcSaturate(rounded, state->pool.type));
  state->value = state->start;
}

static void fix_end_max(void *user, int64_t at, xc_pool_window window) {
  fix_pool_state *state = user;
  (void)window;
  fix_end(state, at,
          xcRoundShiftMode(state->value, state->pool.shift, state->pool.mode));
}

// A window cut off by the input's edge is a smaller kernel.
static void fix_end_average(void *user, int64_t at, xc_pool_window window) {
  fix_pool_state *state = user;
  int64_t count = window.rows * window.columns;
  if (count == 0 || state->pool.exact) {
    fix_end(state, at,
            xc_round_ratio(state->value, count ? count : 1, state->pool.shift,
                           state->pool.mode));
    return;
  }
  XcAvgFactor factor = xcAvgPoolFactor(window.rows, window.columns);
  fix_end(state, at,
          xcRoundShiftMode(state->value * factor.factor,
                           factor.shift + state->pool.shift, state->pool.mode));
}

bool xc_interpret_pool_fix(xc_kernel_call *call) {
  fix_pool_state state = {.call = call};
  if (!xc_fix_pool_of(call->op, &state.pool))
    return false;
  bool average = state.pool.average;
  state.start =
      average ? 0
              : xc_element_min(call->operands[XC_POOL_FIX_INPUT].shape.element);
  state.value = state.start;
  xc_pool_visitor visitor = {average ? fix_add : fix_largest,
                             average ? fix_end_average : fix_end_max, &state};
  xc_pool_visit(call, average, &visitor);
  return true;
}
