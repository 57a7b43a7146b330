//===- Recurrent.c - recurrent layers -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output holds the states, so that a step reads what the one before wrote.
// A step first sums what each gate gets, some rows of the weights at a time
// along all columns: the way in which they lie in memory. Then it computes the
// cells. Both take vectors of f32, or single elements in f64 where they are of
// another type or the code becomes C.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/MathIR.h"
#include "dialects/Shape.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

enum { MAX_LANES = 16 };

typedef struct recurrence {
  xc_lowering *l;
  int64_t units, gates, states;
  int64_t lanes; // 0: one element as a real
  MlirType type; // of the elements at hand
  /// Scratch: the arguments of the gates' activations, and the state that the
  /// candidate of a GRU reads.
  MlirValue sums, reset;
  // At hand
  MlirValue step, entry;
  MlirValue at; // unit or column
  bool has_before;
  MlirValue before;  // the step before, or null: the initial state
  MlirValue is_step; // whether the step counts, or null: all do
} recurrence;

/// A number for each unit or column: `at`, then its place beyond `offset`.
typedef struct row {
  MlirValue buffer;
  xc_element element;
  MlirValue at[XC_MAX_RANK];
  size_t rank;
  int64_t offset;
} row;

static row operand_row(const recurrence *r, size_t slot) {
  return (row){.buffer = r->l->buffers[slot],
               .element = r->l->shapes[slot].element};
}

static row input_row(const recurrence *r, int64_t gate) {
  row x = operand_row(r, XC_RECURRENT_INPUT);
  x.at[x.rank++] = r->step;
  x.at[x.rank++] = r->entry;
  x.offset = gate * r->units;
  return x;
}

static row output_row(const recurrence *r, MlirValue step, int64_t state) {
  return (row){.buffer = r->l->output,
               .element = r->l->result.element,
               .at = {step, r->entry},
               .rank = 2,
               .offset = state * r->units};
}

static row state_before(const recurrence *r, int64_t state) {
  if (!mlirValueIsNull(r->before))
    return output_row(r, r->before, state);
  row x = operand_row(r, XC_RECURRENT_INITIAL);
  x.at[x.rank++] = r->entry;
  x.offset = state * r->units;
  return x;
}

static row scratch_row(const recurrence *r, MlirValue buffer, int64_t offset) {
  return (row){.buffer = buffer,
               .element = r->lanes ? XC_ELEMENT_F32 : XC_ELEMENT_F64,
               .offset = offset};
}

// Loads one element for all that are at hand.
static MlirValue load_one(const recurrence *r, row x, MlirValue at) {
  const xc_ir *ir = &r->l->ir;
  x.at[x.rank++] = xc_ir_addi(ir, at, x.offset);
  MlirValue raw = xc_ir_load(ir, x.buffer, x.at, x.rank);
  if (!r->lanes)
    return xc_element_to_real(ir, x.element, raw);
  return xc_ir_op(ir, "vector.broadcast", &raw, 1, r->type, NULL, 0);
}

static MlirValue load(const recurrence *r, row x) {
  const xc_ir *ir = &r->l->ir;
  if (!r->lanes)
    return load_one(r, x, r->at);
  MlirValue operands[XC_MAX_RANK + 1] = {x.buffer};
  memcpy(operands + 1, x.at, x.rank * sizeof(*operands));
  operands[1 + x.rank] = xc_ir_addi(ir, r->at, x.offset);
  return xc_ir_op(ir, "vector.load", operands, x.rank + 2, r->type, NULL, 0);
}

static void store(const recurrence *r, row x, MlirValue value) {
  const xc_ir *ir = &r->l->ir;
  x.at[x.rank++] = xc_ir_addi(ir, r->at, x.offset);
  if (!r->lanes) {
    value = xc_element_of_real(ir, x.element, value);
    xc_ir_store(ir, value, x.buffer, x.at, x.rank);
    return;
  }
  MlirValue operands[XC_MAX_RANK + 2] = {value, x.buffer};
  memcpy(operands + 2, x.at, x.rank * sizeof(*operands));
  xc_ir_operation(ir, "vector.store", operands, x.rank + 2, NULL, 0);
}

static MlirValue number(const recurrence *r, double value) {
  return xc_ir_float(&r->l->ir, r->type, value);
}

// Stores a state; a step that does not count leaves it as it is.
static void store_state(const recurrence *r, int64_t state, MlirValue value) {
  if (!mlirValueIsNull(r->is_step)) {
    MlirValue before =
        r->has_before ? load(r, state_before(r, state)) : number(r, 0);
    value = xc_ir_select(&r->l->ir, r->is_step, value, before);
  }
  store(r, output_row(r, r->step, state), value);
}

static MlirValue clamp_low(const recurrence *r, MlirValue x) {
  const xc_ir *ir = &r->l->ir;
  MlirValue zero = number(r, 0);
  return xc_ir_select(ir, xc_ir_compare(ir, XC_IR_LT, x, zero), zero, x);
}

static MlirValue activate(const recurrence *r, xc_attr which, MlirValue x) {
  const xc_ir *ir = &r->l->ir;
  const xc_adaptor *op = r->l->op;
  switch (xc_attr_enum(op, which)) {
  case XC_ENUM_SIGMOID:
    return xc_math_sigmoid(ir, x);
  case XC_ENUM_TANH:
    return xc_math_tanh(ir, x);
  case XC_ENUM_RELU:
    return clamp_low(r, x);
  case XC_ENUM_HARD_SIGMOID: {
    MlirValue one = number(r, 1);
    x = xc_ir_mul(ir, x, number(r, xc_attr_float(op, XC_ATTR_ALPHA)));
    x = clamp_low(r,
                  xc_ir_add(ir, x, number(r, xc_attr_float(op, XC_ATTR_BETA))));
    return xc_ir_select(ir, xc_ir_compare(ir, XC_IR_GT, x, one), one, x);
  }
  default:
    return x;
  }
}

static MlirValue gate_of(const recurrence *r, MlirValue x) {
  return activate(r, XC_ATTR_GATE_ACTIVATION, x);
}

// Computes some elements at a time; those that are left are a shorter vector.
static void for_elements(recurrence *r, int64_t count,
                         void (*emit)(recurrence *r, const void *state),
                         const void *state) {
  xc_ir *ir = &r->l->ir;
  int64_t lanes = r->lanes, width = lanes ? lanes : 1, left = count % width;
  MlirType type = r->type;
  if (count >= width) {
    xc_ir_loop loop = xc_ir_for_size(ir, count / width, NULL, 0);
    r->at = xc_ir_muli(ir, loop.index, width);
    emit(r, state);
    xc_ir_end_for(ir, &loop, NULL);
  }
  if (!left)
    return;
  r->lanes = left;
  r->type = mlirVectorTypeGet(1, &left, ir->f32);
  r->at = xc_ir_index(ir, count - left);
  emit(r, state);
  r->lanes = lanes;
  r->type = type;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

enum { MAX_BLOCK = 8 };

/// A block of rows of the weights, in the columns of some gates.
typedef struct block {
  row from;     // the units that the rows are multiplied with
  int64_t gate; // the first
  int64_t rows;
  MlirValue first; // row
} block;

static void emit_products(recurrence *r, const void *state) {
  const xc_ir *ir = &r->l->ir;
  const block *b = state;
  int64_t offset = b->gate * r->units;
  row sums = scratch_row(r, r->sums, offset);
  MlirValue sum = load(r, sums);
  for (int64_t i = 0; i < b->rows; ++i) {
    row weight = operand_row(r, XC_RECURRENT_WEIGHT);
    weight.at[weight.rank++] = xc_ir_addi(ir, b->first, i);
    weight.offset = offset;
    MlirValue unit = load_one(r, b->from, xc_ir_addi(ir, b->first, i));
    sum = xc_ir_add(ir, sum, xc_ir_mul(ir, unit, load(r, weight)));
  }
  store(r, sums, sum);
}

// Adds to the sums of `count` gates what they take from all units of a row.
static void add_products(recurrence *r, row from, int64_t gate, int64_t count) {
  xc_ir *ir = &r->l->ir;
  block b = {.from = from, .gate = gate, .rows = MAX_BLOCK};
  if (r->units >= MAX_BLOCK) {
    xc_ir_loop loop = xc_ir_for_size(ir, r->units / MAX_BLOCK, NULL, 0);
    b.first = xc_ir_muli(ir, loop.index, MAX_BLOCK);
    for_elements(r, count * r->units, emit_products, &b);
    xc_ir_end_for(ir, &loop, NULL);
  }
  b.rows = r->units % MAX_BLOCK;
  b.first = xc_ir_index(ir, r->units - b.rows);
  if (b.rows)
    for_elements(r, count * r->units, emit_products, &b);
}

/// Where the sums of some gates begin.
typedef struct start {
  int64_t gate;
  bool is_zero; // or the input
} start;

static void emit_start(recurrence *r, const void *state) {
  const start *s = state;
  row sums = scratch_row(r, r->sums, s->gate * r->units);
  store(r, sums, s->is_zero ? number(r, 0) : load(r, input_row(r, s->gate)));
}

// Sums up what gates get from the input and, if there is one, the step before.
static void emit_sums(recurrence *r, int64_t gate, int64_t count) {
  const start s = {.gate = gate};
  for_elements(r, count * r->units, emit_start, &s);
  if (r->has_before)
    add_products(r, state_before(r, 0), gate, count);
}

static MlirValue sum_of(const recurrence *r, int64_t gate) {
  return load(r, scratch_row(r, r->sums, gate * r->units));
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

static void emit_rnn(recurrence *r, const void *state) {
  (void)state;
  store_state(r, 0, activate(r, XC_ATTR_ACTIVATION, sum_of(r, 0)));
}

// sum + peephole * cell
static MlirValue peep(const recurrence *r, MlirValue sum, int64_t gate,
                      MlirValue cell) {
  if (!xc_has_operand(r->l->op, XC_RECURRENT_PEEPHOLE))
    return sum;
  const xc_ir *ir = &r->l->ir;
  row x = operand_row(r, XC_RECURRENT_PEEPHOLE);
  x.offset = gate * r->units;
  return xc_ir_add(ir, sum, xc_ir_mul(ir, load(r, x), cell));
}

// Gates i, o, f, c; peepholes i, o, f.
static void emit_lstm(recurrence *r, const void *state) {
  enum { INPUT, OUTPUT, FORGET, CANDIDATE, GATES };
  (void)state;
  const xc_ir *ir = &r->l->ir;
  MlirValue sums[GATES], before = {NULL};
  for (int64_t gate = 0; gate < GATES; ++gate)
    sums[gate] = sum_of(r, gate);
  if (r->has_before) {
    before = load(r, state_before(r, 1));
    sums[INPUT] = peep(r, sums[INPUT], INPUT, before);
    sums[FORGET] = peep(r, sums[FORGET], FORGET, before);
  }
  MlirValue cell = xc_ir_mul(ir, gate_of(r, sums[INPUT]),
                             activate(r, XC_ATTR_ACTIVATION, sums[CANDIDATE]));
  if (r->has_before)
    cell = xc_ir_add(ir, xc_ir_mul(ir, gate_of(r, sums[FORGET]), before), cell);
  MlirValue output = gate_of(r, peep(r, sums[OUTPUT], OUTPUT, cell));
  store_state(r, 1, cell);
  store_state(
      r, 0,
      xc_ir_mul(ir, output, activate(r, XC_ATTR_OUTPUT_ACTIVATION, cell)));
}

enum { UPDATE, RESET, NEW }; // gates of a GRU

static bool resets_after(const recurrence *r) {
  return xc_attr_bool(r->l->op, XC_ATTR_RESET_AFTER);
}

// r * s, which each unit of the candidate reads.
static void emit_reset(recurrence *r, const void *state) {
  (void)state;
  store(r, scratch_row(r, r->reset, 0),
        xc_ir_mul(&r->l->ir, gate_of(r, sum_of(r, RESET)),
                  load(r, state_before(r, 0))));
}

// Returns the operand of the candidate's activation.
static MlirValue candidate_sum(const recurrence *r) {
  const xc_ir *ir = &r->l->ir;
  MlirValue sum = sum_of(r, NEW);
  if (!resets_after(r))
    return sum;
  if (xc_has_operand(r->l->op, XC_RECURRENT_BIAS))
    sum = xc_ir_add(ir, sum, load(r, operand_row(r, XC_RECURRENT_BIAS)));
  return xc_ir_add(ir, load(r, input_row(r, NEW)),
                   xc_ir_mul(ir, gate_of(r, sum_of(r, RESET)), sum));
}

static void emit_gru(recurrence *r, const void *state) {
  (void)state;
  const xc_ir *ir = &r->l->ir;
  MlirValue update = gate_of(r, sum_of(r, UPDATE));
  MlirValue y = xc_ir_mul(ir, xc_ir_sub(ir, number(r, 1), update),
                          activate(r, XC_ATTR_ACTIVATION, candidate_sum(r)));
  if (r->has_before)
    y = xc_ir_add(ir, y, xc_ir_mul(ir, update, load(r, state_before(r, 0))));
  store_state(r, 0, y);
}

// The candidate's products come before the reset, or after it.
static void emit_candidate_sums(recurrence *r) {
  const start s = {.gate = NEW, .is_zero = resets_after(r)};
  for_elements(r, r->units, emit_start, &s);
  if (!r->has_before)
    return;
  if (resets_after(r)) {
    add_products(r, state_before(r, 0), NEW, 1);
    return;
  }
  for_elements(r, r->units, emit_reset, NULL);
  add_products(r, scratch_row(r, r->reset, 0), NEW, 1);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static MlirValue counts(const recurrence *r) {
  if (!xc_has_operand(r->l->op, XC_RECURRENT_LENGTHS))
    return (MlirValue){NULL};
  const xc_ir *ir = &r->l->ir;
  MlirValue length = xc_load_int(r->l, XC_RECURRENT_LENGTHS, &r->entry);
  return xc_ir_compare(ir, XC_IR_LT, xc_ir_index_cast(ir, r->step, ir->i64),
                       length);
}

static void emit_step(recurrence *r) {
  r->is_step = counts(r);
  switch (xc_attr_enum(r->l->op, XC_ATTR_CELL)) {
  case XC_ENUM_RNN:
    emit_sums(r, 0, r->gates);
    for_elements(r, r->units, emit_rnn, NULL);
    return;
  case XC_ENUM_LSTM:
    emit_sums(r, 0, r->gates);
    for_elements(r, r->units, emit_lstm, NULL);
    return;
  default:
    emit_sums(r, UPDATE, NEW);
    emit_candidate_sums(r);
    for_elements(r, r->units, emit_gru, NULL);
  }
}

// The first step, which has no step before, then all others.
static void emit_steps(recurrence *r) {
  xc_ir *ir = &r->l->ir;
  bool reverse = xc_attr_bool(r->l->op, XC_ATTR_REVERSE);
  int64_t steps = r->l->result.dims[0];
  r->has_before = xc_has_operand(r->l->op, XC_RECURRENT_INITIAL);
  r->before = (MlirValue){NULL};
  r->step = xc_ir_index(ir, reverse ? steps - 1 : 0);
  emit_step(r);
  r->has_before = true;
  xc_ir_loop loop = xc_ir_for_size(ir, steps - 1, NULL, 0);
  r->before = reverse ? xc_ir_sub(ir, xc_ir_index(ir, steps - 1), loop.index)
                      : loop.index;
  r->step = xc_ir_addi(ir, r->before, reverse ? -1 : 1);
  emit_step(r);
  xc_ir_end_for(ir, &loop, NULL);
}

static bool takes_vectors(const xc_lowering *l) {
  if (l->outliner->for_source || l->result.element != XC_ELEMENT_F32 ||
      !xc_has_unit_stride(l->output))
    return false;
  for (size_t slot = 0; slot <= XC_RECURRENT_PEEPHOLE; ++slot)
    if (xc_has_operand(l->op, slot) &&
        (l->shapes[slot].element != XC_ELEMENT_F32 ||
         !xc_has_unit_stride(l->buffers[slot])))
      return false;
  return true;
}

bool xc_linalg_recurrent(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  recurrence r = {.l = l,
                  .gates = xc_recurrent_gates(l->op),
                  .states = xc_recurrent_states(l->op),
                  .type = ir->f64};
  if (xc_shape_num_elements(&l->result) == 0)
    return true;
  r.units = l->result.dims[2] / r.states;
  if (takes_vectors(l)) {
    r.lanes = MAX_LANES;
    r.type = mlirVectorTypeGet(1, &r.lanes, ir->f32);
  }
  xc_element element = r.lanes ? XC_ELEMENT_F32 : XC_ELEMENT_F64;
  int64_t width = r.gates * r.units;
  r.sums = xc_lowering_scratch(l, element, 1, &width);
  if (xc_attr_is(l->op, XC_ATTR_CELL, XC_ENUM_GRU) && !resets_after(&r))
    r.reset = xc_lowering_scratch(l, element, 1, &r.units);
  xc_ir_loop entries = xc_ir_for_size(ir, l->result.dims[1], NULL, 0);
  r.entry = entries.index;
  emit_steps(&r);
  xc_ir_end_for(ir, &entries, NULL);
  return true;
}
