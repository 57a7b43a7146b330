//===- Recurrent.c - recurrent layers -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output holds the states, so that a step reads what the one before wrote.
// Some units are computed at a time, with the sums of all their gates in
// registers: vectors of f32, or one unit in f64 where elements are of another
// type or the code becomes C.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/MathIR.h"
#include "dialects/Shape.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

enum { MAX_LANES = 16, MAX_GATES = 4 };

typedef struct recurrence {
  xc_lowering *l;
  int64_t units, gates, states;
  int64_t lanes;   // 0: one unit as a real
  MlirType type;   // of a number for each unit at hand
  MlirValue reset; // scratch: what the candidate of a GRU reads
  // At hand
  MlirValue step, entry, unit;
  bool has_before;
  MlirValue before; // the step before, or null: the initial state
} recurrence;

/// A number for each unit: `at`, then the unit beyond `offset`.
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

static row reset_row(const recurrence *r) {
  return (row){.buffer = r->reset,
               .element = r->lanes ? XC_ELEMENT_F32 : XC_ELEMENT_F64};
}

// Loads the element of one unit as what is computed with.
static MlirValue load_one(const recurrence *r, row x, MlirValue unit) {
  const xc_ir *ir = &r->l->ir;
  x.at[x.rank++] = xc_ir_addi(ir, unit, x.offset);
  MlirValue raw = xc_ir_load(ir, x.buffer, x.at, x.rank);
  if (!r->lanes)
    return xc_element_to_real(ir, x.element, raw);
  return xc_ir_op(ir, "vector.broadcast", &raw, 1, r->type, NULL, 0);
}

static MlirValue load(const recurrence *r, row x) {
  const xc_ir *ir = &r->l->ir;
  if (!r->lanes)
    return load_one(r, x, r->unit);
  MlirValue operands[XC_MAX_RANK + 1] = {x.buffer};
  memcpy(operands + 1, x.at, x.rank * sizeof(*operands));
  operands[1 + x.rank] = xc_ir_addi(ir, r->unit, x.offset);
  return xc_ir_op(ir, "vector.load", operands, x.rank + 2, r->type, NULL, 0);
}

static void store(const recurrence *r, row x, MlirValue value) {
  const xc_ir *ir = &r->l->ir;
  x.at[x.rank++] = xc_ir_addi(ir, r->unit, x.offset);
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

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

// Adds to the sums of some gates, from `first` on, what they take from all
// units of a row.
static void add_products(const recurrence *r, row from, int64_t first,
                         size_t count, MlirValue *sums) {
  xc_ir *ir = &r->l->ir;
  xc_ir_loop loop = xc_ir_for_size(ir, r->units, sums, count);
  MlirValue x = load_one(r, from, loop.index);
  for (size_t i = 0; i < count; ++i) {
    row weight = operand_row(r, XC_RECURRENT_WEIGHT);
    weight.at[weight.rank++] = loop.index;
    weight.offset = (first + (int64_t)i) * r->units;
    sums[i] = xc_ir_add(ir, loop.carried[i], xc_ir_mul(ir, x, load(r, weight)));
  }
  xc_ir_end_for(ir, &loop, sums);
  memcpy(sums, loop.results, count * sizeof(*sums));
}

// What gates get from the input and, if there is one, the step before.
static void load_sums(const recurrence *r, int64_t first, size_t count,
                      MlirValue *sums) {
  for (size_t i = 0; i < count; ++i)
    sums[i] = load(r, input_row(r, first + (int64_t)i));
  if (r->has_before)
    add_products(r, state_before(r, 0), first, count, sums);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

static void emit_rnn(const recurrence *r) {
  MlirValue sum;
  load_sums(r, 0, 1, &sum);
  store(r, output_row(r, r->step, 0), activate(r, XC_ATTR_ACTIVATION, sum));
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
static void emit_lstm(const recurrence *r) {
  enum { INPUT, OUTPUT, FORGET, CANDIDATE };
  const xc_ir *ir = &r->l->ir;
  MlirValue sums[MAX_GATES], before = {NULL};
  load_sums(r, 0, MAX_GATES, sums);
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
  store(r, output_row(r, r->step, 1), cell);
  store(r, output_row(r, r->step, 0),
        xc_ir_mul(ir, output, activate(r, XC_ATTR_OUTPUT_ACTIVATION, cell)));
}

enum { UPDATE, RESET, NEW }; // gates of a GRU

// All of r * s, which each unit of the candidate reads.
static void emit_reset(const recurrence *r) {
  MlirValue sum;
  load_sums(r, RESET, 1, &sum);
  store(r, reset_row(r),
        xc_ir_mul(&r->l->ir, gate_of(r, sum), load(r, state_before(r, 0))));
}

// The candidate's sum where its products come before the reset.
static MlirValue reset_products(const recurrence *r, MlirValue reset,
                                MlirValue product) {
  const xc_ir *ir = &r->l->ir;
  if (xc_has_operand(r->l->op, XC_RECURRENT_BIAS))
    product =
        xc_ir_add(ir, product, load(r, operand_row(r, XC_RECURRENT_BIAS)));
  return xc_ir_add(ir, load(r, input_row(r, NEW)),
                   xc_ir_mul(ir, gate_of(r, reset), product));
}

static bool resets_after(const recurrence *r) {
  return xc_attr_bool(r->l->op, XC_ATTR_RESET_AFTER);
}

static void emit_gru(const recurrence *r) {
  const xc_ir *ir = &r->l->ir;
  MlirValue sums[MAX_GATES], sum;
  if (resets_after(r)) {
    for (int64_t gate = UPDATE; gate < NEW; ++gate)
      sums[gate] = load(r, input_row(r, gate));
    sums[NEW] = number(r, 0);
    if (r->has_before)
      add_products(r, state_before(r, 0), UPDATE, 3, sums);
    sum = reset_products(r, sums[RESET], sums[NEW]);
  } else {
    load_sums(r, UPDATE, 1, sums);
    sum = load(r, input_row(r, NEW));
    if (r->has_before)
      add_products(r, reset_row(r), NEW, 1, &sum);
  }
  MlirValue update = gate_of(r, sums[UPDATE]);
  MlirValue y = xc_ir_mul(ir, xc_ir_sub(ir, number(r, 1), update),
                          activate(r, XC_ATTR_ACTIVATION, sum));
  if (r->has_before)
    y = xc_ir_add(ir, y, xc_ir_mul(ir, update, load(r, state_before(r, 0))));
  store(r, output_row(r, r->step, 0), y);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// Computes some units at a time; those that are left are one shorter vector.
static void for_units(recurrence *r, void (*emit)(const recurrence *r)) {
  xc_ir *ir = &r->l->ir;
  int64_t lanes = r->lanes, width = lanes ? lanes : 1;
  xc_ir_loop loop = xc_ir_for_size(ir, r->units / width, NULL, 0);
  r->unit = xc_ir_muli(ir, loop.index, width);
  emit(r);
  xc_ir_end_for(ir, &loop, NULL);
  int64_t left = r->units % width;
  if (!left)
    return;
  MlirType type = r->type;
  r->lanes = left;
  r->type = mlirVectorTypeGet(1, &left, ir->f32);
  r->unit = xc_ir_index(ir, r->units - left);
  emit(r);
  r->lanes = lanes;
  r->type = type;
}

static void emit_step(recurrence *r) {
  switch (xc_attr_enum(r->l->op, XC_ATTR_CELL)) {
  case XC_ENUM_RNN:
    for_units(r, emit_rnn);
    return;
  case XC_ENUM_LSTM:
    for_units(r, emit_lstm);
    return;
  default:
    if (r->has_before && !resets_after(r))
      for_units(r, emit_reset);
    for_units(r, emit_gru);
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
    r.lanes = r.units < MAX_LANES ? r.units : MAX_LANES;
    r.type = mlirVectorTypeGet(1, &r.lanes, ir->f32);
  }
  if (xc_attr_is(l->op, XC_ATTR_CELL, XC_ENUM_GRU) && !resets_after(&r))
    r.reset = xc_lowering_scratch(l, r.lanes ? XC_ELEMENT_F32 : XC_ELEMENT_F64,
                                  1, &r.units);
  xc_ir_loop entries = xc_ir_for_size(ir, l->result.dims[1], NULL, 0);
  r.entry = entries.index;
  emit_steps(&r);
  xc_ir_end_for(ir, &entries, NULL);
  return true;
}
