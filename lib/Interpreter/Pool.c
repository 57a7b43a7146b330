//===- Pool.c - pooling ---------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"

#include "Fix.h"

#include <math.h>

// Taps of output position `o` that an average counts.
static int64_t count_taps(const xc_window_axis *axis, int64_t o, bool pad,
                          bool beyond) {
  int64_t count = 0;
  for (int64_t k = 0; k < axis->taps; ++k) {
    int64_t source = axis->source[o * axis->taps + k];
    count += source >= 0 || (source == XC_TAP_PAD ? pad : beyond);
  }
  return count;
}

// Visits the channels of one window; returns the elements inside the input.
static int64_t visit_window(const xc_kernel_call *call, const xc_window *window,
                            const int64_t at[4],
                            const xc_pool_visitor *visitor) {
  const int64_t *dims = call->operands[0].shape.dims;
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
  xc_window window = xc_window_forward(call);
  bool pad = average && xc_view_bool(call->view, "count_include_pad");
  bool beyond = average && xc_view_bool(call->view, "count_include_invalid");
  xc_walk walk = xc_walk_begin(&call->output.shape);
  for (int64_t at = 0; walk.left > 0; xc_walk_next(&walk), ++at) {
    xc_pool_window here = {
        .hits = visit_window(call, &window, walk.position, visitor),
        .rows = count_taps(&window.h, walk.position[1], pad, beyond),
        .columns = count_taps(&window.w, walk.position[2], pad, beyond)};
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
  state->sum += xc_get_real(&state->call->operands[0], index);
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
  double value = xc_get_real(&state->call->operands[0], index);
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
  const xc_tensor *input = &state->call->operands[0];
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
  XcRoundMode mode;
  XcFixType type;
  int gain; // fp_out - fp_in
  bool exact;
  int64_t value;
  int64_t start;
} fix_pool_state;

static void fix_add(void *user, int64_t index) {
  fix_pool_state *state = user;
  state->value += xc_get_int(&state->call->operands[0], index);
}

static void fix_largest(void *user, int64_t index) {
  fix_pool_state *state = user;
  int64_t value = xc_get_int(&state->call->operands[0], index);
  if (value > state->value)
    state->value = value;
}

static void fix_end(fix_pool_state *state, int64_t at, int64_t rounded) {
  xc_set_int(&state->call->output, at, xcSaturate(rounded, state->type));
  state->value = state->start;
}

static void fix_end_max(void *user, int64_t at, xc_pool_window window) {
  fix_pool_state *state = user;
  (void)window;
  fix_end(state, at, xcRoundShiftMode(state->value, -state->gain, state->mode));
}

// A window cut off by the input's edge is a smaller kernel.
static void fix_end_average(void *user, int64_t at, xc_pool_window window) {
  fix_pool_state *state = user;
  int64_t count = window.rows * window.columns;
  if (count == 0 || state->exact) {
    fix_end(state, at,
            xc_round_ratio(state->value, count ? count : 1, -state->gain,
                           state->mode));
    return;
  }
  XcAvgFactor factor = xcAvgPoolFactor(window.rows, window.columns);
  fix_end(state, at,
          xcRoundShiftMode(state->value * factor.factor,
                           factor.shift - state->gain, state->mode));
}

bool xc_interpret_pool_fix(xc_kernel_call *call) {
  const xc_view *view = call->view;
  bool average = xc_call_is(call, "type", "AVG");
  fix_pool_state state = {
      .call = call,
      .mode = xc_call_round_mode(call),
      .type = xc_fix_type(call->output.shape.element),
      .gain = (int)(xc_view_int(view, "output_fix_point") -
                    xc_view_int(view, "input_fix_point")),
      .exact = xc_view_bool(view, "exact"),
      .start = average ? 0 : xc_element_min(call->operands[0].shape.element)};
  state.value = state.start;
  xc_window window = xc_window_forward(call);
  const int64_t most = INT64_C(1) << 24;
  if (average && !state.exact && window.w.taps > 0 &&
      window.h.taps > most / window.w.taps)
    return xc_view_error(view,
                         "averages a window of more than 2^24 elements, which "
                         "needs 'exact'");
  xc_pool_visitor visitor = {average ? fix_add : fix_largest,
                             average ? fix_end_average : fix_end_max, &state};
  xc_pool_visit(call, average, &visitor);
  return true;
}
