//===- OpsRecurrent.c - recurrent layers ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>

static const MlirValue none = {NULL};

/// One layer on its way.
typedef struct recurrence {
  xc_tflite_context *c;
  int64_t units;
  bool time_major;
  xc_graph_recurrent layer;
} recurrence;

// Steps before the batch, or the other way around.
static MlirValue swap(const recurrence *r, const char *part, MlirValue x) {
  static const int64_t order[] = {1, 0, 2};
  xc_tflite_attributes attributes = {.count = 0};
  if (r->time_major)
    return x;
  xc_tflite_add(&attributes, xc_ints("order", order, 3));
  return xc_tflite_build(r->c, part, XC_TIR_TRANSPOSE, &x, 1, &attributes,
                         XC_ELEMENT_NONE);
}

static bool take_input(recurrence *r) {
  MlirValue x = xc_tflite_value(r->c, 0);
  if (mlirValueIsNull(x))
    return false;
  xc_shape shape = xc_value_shape(x);
  if (shape.rank != 3 || shape.element != XC_ELEMENT_F32)
    return xc_tflite_error(r->c,
                           "input 0 has type %s and rank %zu, expected "
                           "FLOAT32 and 3",
                           xc_tflite_input(r->c, 0)->type_name, shape.rank);
  r->layer.input = swap(r, "steps_first", x);
  return true;
}

// A float constant, or 8-bit weights as such if the user says so.
static bool take_weight(const recurrence *r, size_t index, MlirValue *value) {
  xc_tflite_context *c = r->c;
  if (!xc_tflite_has_input(c, index))
    return xc_tflite_error(c, "has no input %zu", index);
  if (xc_tflite_is_quantized(xc_tflite_input(c, index)) &&
      !c->importer->graph.options.dequantizeWeights)
    return xc_tflite_error(c, "has 8-bit weights and a float input; "
                              "--dequantize-weights imports a float layer");
  *value = xc_tflite_float_value(c, index);
  return !mlirValueIsNull(*value);
}

// Some inputs, one below the other.
static bool join(const recurrence *r, const size_t *inputs, size_t count,
                 MlirValue *joined) {
  enum { MOST = 4 };
  MlirValue parts[MOST];
  for (size_t i = 0; i < count; ++i)
    if (!take_weight(r, inputs[i], &parts[i]))
      return false;
  *joined = xc_graph_emit_concat(&r->c->importer->graph, parts, count, 0);
  return !mlirValueIsNull(*joined);
}

// Of an LSTM without activation TensorFlow Lite leaves open what the output
// gate multiplies.
static bool take_activation(recurrence *r, xc_tflite_field_id id,
                            bool needs_one) {
  xc_tflite_activation activation;
  if (!xc_tflite_activation_option(r->c, id, true, &activation))
    return false;
  r->layer.gate_activation = "SIGMOID";
  if (activation == XC_TFL_ACTIVATION_TANH)
    r->layer.activation = "TANH";
  else if (activation == XC_TFL_ACTIVATION_RELU)
    r->layer.activation = "RELU";
  else if (activation == XC_TFL_ACTIVATION_NONE && !needs_one)
    r->layer.activation = "NONE";
  else
    return xc_tflite_error(r->c, "has activation %d, expected TANH or RELU",
                           (int)activation);
  r->layer.output_activation = r->layer.activation;
  return true;
}

// Returns the state before the first step, where it is a value and not a
// variable of the model, which is 0.
static MlirValue take_state(const recurrence *r, size_t index) {
  return xc_tflite_has_input(r->c, index) && xc_tflite_find(r->c, index)
             ? xc_tflite_value(r->c, index)
             : none;
}

static bool finish(recurrence *r) {
  xc_graph *graph = &r->c->importer->graph;
  r->layer.part = "gates";
  MlirValue states = xc_graph_emit_recurrent(graph, &r->layer);
  MlirValue units = xc_graph_emit_part(graph, states, 2, 0, r->units);
  return !mlirValueIsNull(units) &&
         xc_tflite_set(r->c, 0, swap(r, "batch_first", units));
}

//===----------------------------------------------------------------------===//
// LSTM
//===----------------------------------------------------------------------===//

enum {
  INPUT_WEIGHTS = 1,
  RECURRENT_WEIGHTS = 5,
  PEEPHOLES = 9,
  BIASES = 12,
  PROJECTION = 16,
  UNITS = 18,
  CELLS = 19,
  NORMALISATION = 20,
  NUM_LSTM_INPUTS = 24
};

// TensorFlow Lite has the gates i, f, c, o and the peepholes i, f, o.
static bool take_gates(recurrence *r) {
  static const size_t order[] = {0, 3, 1, 2},
                      peepholes[] = {PEEPHOLES, PEEPHOLES + 2, PEEPHOLES + 1};
  size_t inputs[3][4];
  const size_t first[] = {INPUT_WEIGHTS, RECURRENT_WEIGHTS, BIASES};
  MlirValue *joined[] = {&r->layer.weight, &r->layer.recurrent_weight,
                         &r->layer.bias};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t gate = 0; gate < 4; ++gate)
      inputs[i][gate] = first[i] + order[gate];
    if (!join(r, inputs[i], 4, joined[i]))
      return false;
  }
  bool has_any = false;
  for (size_t i = 0; i < 3; ++i)
    has_any |= xc_tflite_has_input(r->c, peepholes[i]);
  return !has_any || join(r, peepholes, 3, &r->layer.peephole);
}

static bool check_lstm(xc_tflite_context *c) {
  if (!xc_tflite_has_input(c, INPUT_WEIGHTS))
    return xc_tflite_error(c, "has no input gate, which xc cannot import");
  if (xc_tflite_has_input(c, PROJECTION))
    return xc_tflite_error(c, "has a projection, which xc cannot import");
  for (size_t i = NORMALISATION; i < NUM_LSTM_INPUTS; ++i)
    if (xc_tflite_has_input(c, i))
      return xc_tflite_error(c, "has layer normalisation, which xc cannot "
                                "import");
  if (xc_tflite_float_option(c, XC_TFL_SequenceLSTMOptions_cell_clip) != 0)
    return xc_tflite_error(c, "has bounds of cells, which xc cannot import");
  return true;
}

static bool take_initial(recurrence *r) {
  MlirValue states[] = {take_state(r, UNITS), take_state(r, CELLS)};
  if (mlirValueIsNull(states[0]) != mlirValueIsNull(states[1]))
    return xc_tflite_error(r->c, "has one state that is a variable of the "
                                 "model, expected both or none");
  if (!mlirValueIsNull(states[0]))
    r->layer.initial =
        xc_graph_emit_concat(&r->c->importer->graph, states, 2, 1);
  return true;
}

bool xc_tflite_sequence_lstm(xc_tflite_context *c) {
  recurrence r = {.c = c, .layer = {.cell = "LSTM"}};
  r.time_major =
      xc_tflite_option(c, XC_TFL_SequenceLSTMOptions_time_major) != 0;
  if (!check_lstm(c) || !take_input(&r) || !take_gates(&r) ||
      !take_activation(&r, XC_TFL_SequenceLSTMOptions_activation, true) ||
      !take_initial(&r))
    return false;
  r.units = xc_value_shape(r.layer.bias).dims[0] / 4;
  return finish(&r);
}

//===----------------------------------------------------------------------===//
// RNN
//===----------------------------------------------------------------------===//

bool xc_tflite_sequence_rnn(xc_tflite_context *c) {
  enum { WEIGHT = 1, RECURRENT, BIAS, STATE };
  recurrence r = {.c = c, .layer = {.cell = "RNN"}};
  r.time_major = xc_tflite_option(c, XC_TFL_SequenceRNNOptions_time_major) != 0;
  if (!take_input(&r) || !take_weight(&r, WEIGHT, &r.layer.weight) ||
      !take_weight(&r, RECURRENT, &r.layer.recurrent_weight) ||
      !take_weight(&r, BIAS, &r.layer.bias) ||
      !take_activation(&r, XC_TFL_SequenceRNNOptions_activation, false))
    return false;
  r.layer.initial = take_state(&r, STATE);
  r.units = xc_value_shape(r.layer.bias).dims[0];
  return finish(&r);
}
