//===- Recurrent.c - recurrent layers -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "dialects/Shape.h"

#include <math.h>

typedef struct recurrence {
  const xc_adaptor *op;
  int64_t batch, units, gates, states;
  const double *input, *weight, *initial, *bias, *peephole; // or null
  double *before; // the state of the step before, [states][units]
  double *reset;  // what the candidate of a GRU takes from it, [units]
  double *sums;   // what the activations of the gates get, [gates][units]
} recurrence;

static const double *optional(xc_kernel_call *call, size_t slot) {
  return call->operands[slot].data ? xc_call_reals(call, slot) : NULL;
}

static double activate(const recurrence *r, xc_attr which, double x) {
  switch (xc_attr_enum(r->op, which)) {
  case XC_ENUM_SIGMOID:
    return 1 / (1 + exp(-x));
  case XC_ENUM_TANH:
    return tanh(x);
  case XC_ENUM_RELU:
    return x < 0 ? 0 : x;
  case XC_ENUM_HARD_SIGMOID:
    x = xc_attr_float(r->op, XC_ATTR_ALPHA) * x +
        xc_attr_float(r->op, XC_ATTR_BETA);
    return x < 0 ? 0 : x > 1 ? 1 : x;
  default:
    return x;
  }
}

static double gate_of(const recurrence *r, double x) {
  return activate(r, XC_ATTR_GATE_ACTIVATION, x);
}

// Adds to the sums of some gates what they take from a vector of all units, a
// row of the weights at a time: the order in which they lie in memory.
static void add_products(const recurrence *r, const double *vector,
                         int64_t gate, int64_t count) {
  int64_t first = gate * r->units, width = r->gates * r->units;
  for (int64_t k = 0; k < r->units; ++k) {
    const double *row = r->weight + k * width;
    for (int64_t i = first; i < first + count * r->units; ++i)
      r->sums[i] += vector[k] * row[i];
  }
}

static double sum_of(const recurrence *r, int64_t gate, int64_t unit) {
  return r->sums[gate * r->units + unit];
}

static void step_rnn(const recurrence *r, int64_t unit, double *states) {
  states[0] = activate(r, XC_ATTR_ACTIVATION, sum_of(r, 0, unit));
}

// Gates i, o, f, c; peepholes i, o, f.
static void step_lstm(const recurrence *r, int64_t unit, double *states) {
  enum { INPUT, OUTPUT, FORGET, CANDIDATE, GATES };
  double before = r->before[r->units + unit], sums[GATES];
  for (int64_t gate = 0; gate < GATES; ++gate)
    sums[gate] = sum_of(r, gate, unit);
  const double *p = r->peephole ? r->peephole + unit : NULL;
  if (p) {
    sums[INPUT] += p[INPUT * r->units] * before;
    sums[FORGET] += p[FORGET * r->units] * before;
  }
  double cell = gate_of(r, sums[FORGET]) * before +
                gate_of(r, sums[INPUT]) *
                    activate(r, XC_ATTR_ACTIVATION, sums[CANDIDATE]);
  if (p)
    sums[OUTPUT] += p[OUTPUT * r->units] * cell;
  states[0] =
      gate_of(r, sums[OUTPUT]) * activate(r, XC_ATTR_OUTPUT_ACTIVATION, cell);
  states[1] = cell;
}

enum { UPDATE, RESET, NEW }; // gates of a GRU

static bool resets_after(const recurrence *r) {
  return xc_attr_bool(r->op, XC_ATTR_RESET_AFTER);
}

static void step_gru(const recurrence *r, const double *x, int64_t unit,
                     double *states) {
  double update = gate_of(r, sum_of(r, UPDATE, unit));
  double sum = sum_of(r, NEW, unit);
  if (resets_after(r))
    sum = x[NEW * r->units + unit] + gate_of(r, sum_of(r, RESET, unit)) *
                                         (sum + (r->bias ? r->bias[unit] : 0));
  states[0] = (1 - update) * activate(r, XC_ATTR_ACTIVATION, sum) +
              update * r->before[unit];
}

// Sums up what the gates get. The products of a GRU's candidate come after its
// reset, or before it.
static void sum_gates(const recurrence *r, const double *x) {
  bool is_gru = xc_attr_is(r->op, XC_ATTR_CELL, XC_ENUM_GRU);
  int64_t common = is_gru ? NEW : r->gates;
  for (int64_t i = 0; i < r->gates * r->units; ++i)
    r->sums[i] = is_gru && resets_after(r) && i >= NEW * r->units ? 0 : x[i];
  add_products(r, r->before, 0, common);
  if (!is_gru)
    return;
  for (int64_t unit = 0; unit < r->units; ++unit)
    r->reset[unit] = resets_after(r)
                         ? r->before[unit]
                         : gate_of(r, sum_of(r, RESET, unit)) * r->before[unit];
  add_products(r, r->reset, NEW, 1);
}

// All units of one entry of the batch, with this input, whose states the output
// has from element `at` on.
static void step(const recurrence *r, const double *x, const xc_tensor *output,
                 int64_t at) {
  enum { STATES = 2 };
  xc_enum cell = xc_attr_enum(r->op, XC_ATTR_CELL);
  sum_gates(r, x);
  for (int64_t unit = 0; unit < r->units; ++unit) {
    double states[STATES];
    if (cell == XC_ENUM_RNN)
      step_rnn(r, unit, states);
    else if (cell == XC_ENUM_LSTM)
      step_lstm(r, unit, states);
    else
      step_gru(r, x, unit, states);
    for (int64_t i = 0; i < r->states; ++i)
      xc_set_real(output, at + i * r->units + unit, states[i]);
  }
}

static void keep(const recurrence *r, const xc_tensor *output, int64_t at) {
  for (int64_t i = 0; i < r->states * r->units; ++i)
    xc_set_real(output, at + i, r->before[i]);
}

// Returns how many steps of an entry count.
static int64_t length_of(const xc_kernel_call *call, int64_t entry) {
  const xc_tensor *lengths = &call->operands[XC_RECURRENT_LENGTHS];
  return lengths->data ? xc_get_int(lengths, entry)
                       : call->output.shape.dims[0];
}

// An entry of the batch; states are rounded to the element type between steps.
static void run_entry(const xc_kernel_call *call, recurrence *r,
                      int64_t entry) {
  const xc_tensor *output = &call->output;
  int64_t steps = output->shape.dims[0], width = r->states * r->units;
  bool reverse = xc_attr_bool(r->op, XC_ATTR_REVERSE);
  for (int64_t i = 0; i < width; ++i)
    r->before[i] = r->initial ? r->initial[entry * width + i] : 0;
  for (int64_t i = 0; i < steps; ++i) {
    int64_t at = reverse ? steps - 1 - i : i, row = at * r->batch + entry;
    if (at < length_of(call, entry))
      step(r, r->input + row * r->gates * r->units, output, row * width);
    else
      keep(r, output, row * width);
    xc_get_reals(output, row * width, width, r->before);
  }
}

bool xc_interpret_recurrent(xc_kernel_call *call) {
  const xc_shape *input = &call->operands[XC_RECURRENT_INPUT].shape;
  recurrence r = {.op = call->op,
                  .batch = input->dims[1],
                  .gates = xc_recurrent_gates(call->op),
                  .states = xc_recurrent_states(call->op),
                  .input = xc_call_reals(call, XC_RECURRENT_INPUT),
                  .weight = xc_call_reals(call, XC_RECURRENT_WEIGHT),
                  .initial = optional(call, XC_RECURRENT_INITIAL),
                  .bias = optional(call, XC_RECURRENT_BIAS),
                  .peephole = optional(call, XC_RECURRENT_PEEPHOLE)};
  r.units = input->dims[2] / r.gates;
  r.before = xc_call_alloc(call, r.states * r.units, sizeof(*r.before));
  r.reset = xc_call_alloc(call, r.units, sizeof(*r.reset));
  r.sums = xc_call_alloc(call, r.gates * r.units, sizeof(*r.sums));
  for (int64_t entry = 0; entry < r.batch; ++entry)
    run_entry(call, &r, entry);
  return true;
}
