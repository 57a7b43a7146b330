//===- OpsRecurrent.c - RNN, LSTM and GRU ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <string.h>

static const MlirValue none = {NULL};

enum { X, W, R, B, LENGTHS, INITIAL_H, INITIAL_C, PEEPHOLES }; // inputs

/// The node at hand; its row's detail is the number of gates.
typedef struct recurrence {
  xc_onnx_importer *im;
  const char *cell;
  int64_t gates, directions, steps, batch, units;
  bool reverse;   // the only direction
  bool has_cells; // LSTM
  bool batch_first;
  MlirValue input;
  MlirValue lengths;   // or null
  MlirValue states[2]; // by direction
} recurrence;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// One number for all activations that take it.
static bool read_parameter(xc_onnx_importer *im, const char *name,
                           double absent, double *number) {
  const Onnx__AttributeProto *list = xc_onnx_attribute(im, name);
  *number = absent;
  for (size_t i = 0; list && i < list->n_floats; ++i) {
    if (list->floats[i] != list->floats[0])
      return xc_onnx_error(im, "attribute '%s' has different numbers", name);
    *number = (double)list->floats[0];
  }
  return true;
}

// Activation `index` of a direction's `count`; `word` keeps what it is without
// the attribute.
static bool read_activation(const recurrence *r, int64_t direction,
                            size_t index, size_t count, const char **word) {
  static const struct {
    const char *name, *word;
  } rows[] = {{"Sigmoid", "SIGMOID"},
              {"Tanh", "TANH"},
              {"Relu", "RELU"},
              {"HardSigmoid", "HARD_SIGMOID"}};
  const Onnx__AttributeProto *list = xc_onnx_attribute(r->im, "activations");
  if (!list || list->n_strings == 0)
    return true;
  if (list->n_strings != count * (size_t)r->directions)
    return xc_onnx_error(r->im, "has %zu activations, expected %zu",
                         list->n_strings, count * (size_t)r->directions);
  ProtobufCBinaryData text = list->strings[(size_t)direction * count + index];
  const char *name =
      xc_arena_string(&r->im->graph.arena, (const char *)text.data, text.len);
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (strcmp(name, rows[i].name) == 0) {
      *word = rows[i].word;
      return true;
    }
  return xc_onnx_error(r->im,
                       "has activation '%s', expected Sigmoid, Tanh, Relu or "
                       "HardSigmoid",
                       name);
}

static bool read_activations(const recurrence *r, int64_t direction,
                             xc_graph_recurrent *layer) {
  const char **words[] = {&layer->gate_activation, &layer->activation,
                          &layer->output_activation};
  bool has_gates = r->gates > 1;
  size_t first = !has_gates, count = r->has_cells ? 3 : 1 + has_gates;
  layer->gate_activation = "SIGMOID";
  layer->activation = layer->output_activation = "TANH";
  for (size_t i = 0; i < count; ++i)
    if (!read_activation(r, direction, i, count, words[first + i]))
      return false;
  return read_parameter(r->im, "activation_alpha", 0.2, &layer->alpha) &&
         read_parameter(r->im, "activation_beta", 0.5, &layer->beta);
}

static bool read_direction(recurrence *r) {
  const char *word = xc_onnx_string(r->im, "direction", "forward");
  r->reverse = strcmp(word, "reverse") == 0;
  r->directions = strcmp(word, "bidirectional") == 0 ? 2 : 1;
  if (!r->reverse && r->directions == 1 && strcmp(word, "forward") != 0)
    return xc_onnx_error(r->im, "attribute 'direction' is '%s'", word);
  return true;
}

static bool check_attributes(xc_onnx_importer *im) {
  if (xc_onnx_attribute(im, "clip"))
    return xc_onnx_error(im, "attribute 'clip' is not supported");
  return xc_onnx_int(im, "input_forget", 0) == 0 ||
         xc_onnx_error(im, "attribute 'input_forget' is not supported");
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

// Checks the dimensions of an input.
static bool check_shape(xc_onnx_importer *im, size_t index, const int64_t *dims,
                        size_t rank) {
  const xc_graph_value *value = xc_onnx_input(im, index);
  if (!xc_onnx_check_rank(im, value, rank, rank))
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (value->shape.dims[i] != dims[i])
      return xc_onnx_error(
          im, "'%s' has size %" PRId64 " in dimension %zu, expected %" PRId64,
          value->name, value->shape.dims[i], i, dims[i]);
  return true;
}

static bool check_inputs(const recurrence *r, int64_t channels) {
  int64_t width = r->gates * r->units;
  bool first = r->batch_first;
  const int64_t weight[] = {r->directions, width, channels},
                recurrent[] = {r->directions, width, r->units},
                bias[] = {r->directions, 2 * width},
                initial[] = {first ? r->batch : r->directions,
                             first ? r->directions : r->batch, r->units},
                peepholes[] = {r->directions, 3 * r->units};
  const int64_t *lengths = &r->batch;
  const struct {
    size_t index;
    const int64_t *dims;
    size_t rank;
  } rows[] = {{W, weight, 3},
              {R, recurrent, 3},
              {B, bias, 2},
              {INITIAL_H, initial, 3},
              {INITIAL_C, initial, 3},
              {PEEPHOLES, peepholes, 2},
              {LENGTHS, lengths, 1}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (xc_onnx_has_input(r->im, rows[i].index) &&
        !check_shape(r->im, rows[i].index, rows[i].dims, rows[i].rank))
      return false;
  return true;
}

// Lengths that are known to be those of all steps are left out.
static bool read_lengths(recurrence *r) {
  xc_graph_value *value = xc_onnx_input(r->im, LENGTHS);
  bool is_full = !value || value->data;
  for (int64_t i = 0; value && is_full && i < r->batch; ++i)
    is_full = xc_graph_to_int(xc_graph_load(value, i)) == r->steps;
  if (!is_full)
    r->lengths = xc_graph_get_plain(&r->im->graph, value);
  return !xc_graph_failed(&r->im->graph);
}

static bool read_inputs(recurrence *r) {
  static const xc_graph_order swapped = {{1, 0, 2}};
  xc_onnx_importer *im = r->im;
  xc_graph_value *x, *w, *recurrent;
  if (!xc_onnx_need_input(im, X, &x) || !xc_onnx_need_input(im, W, &w) ||
      !xc_onnx_need_input(im, R, &recurrent) ||
      !xc_onnx_check_rank(im, x, 3, 3) ||
      !xc_onnx_check_rank(im, recurrent, 3, 3))
    return false;
  r->batch_first = xc_onnx_int(im, "layout", 0) != 0;
  r->steps = x->shape.dims[r->batch_first];
  r->batch = x->shape.dims[!r->batch_first];
  r->units = recurrent->shape.dims[2];
  r->input = r->batch_first ? xc_graph_get(&im->graph, x, &swapped)
                            : xc_graph_get_plain(&im->graph, x);
  return check_inputs(r, x->shape.dims[2]) && read_lengths(r);
}

// Returns the entry of an input for one direction, without that dimension; null
// where there is no such input.
static MlirValue take(const recurrence *r, size_t index, size_t axis,
                      int64_t direction) {
  xc_graph *graph = &r->im->graph;
  xc_graph_value *value = xc_onnx_input(r->im, index);
  if (!value)
    return none;
  MlirValue x = xc_graph_get_plain(graph, value);
  if (r->directions > 1)
    x = xc_graph_emit_part(graph, x, axis, direction, direction + 1);
  int64_t dims[XC_MAX_RANK];
  size_t rank = 0;
  for (size_t i = 0; i < value->shape.rank; ++i)
    if (i != axis)
      dims[rank++] = value->shape.dims[i];
  return xc_graph_emit_reshape(graph, x, dims, rank);
}

// Input and recurrent biases are added to the same sums, but for the last gate
// of a GRU that resets after the product.
static void take_bias(const recurrence *r, int64_t direction,
                      xc_graph_recurrent *layer) {
  xc_graph *graph = &r->im->graph;
  MlirValue both = take(r, B, 0, direction);
  if (mlirValueIsNull(both))
    return;
  int64_t width = r->gates * r->units, last = width - r->units;
  int64_t common = layer->reset_after ? last : width;
  MlirValue parts[] = {
      xc_graph_emit_binary(
          graph, "bias", XC_TIR_ADD,
          xc_graph_emit_part(graph, both, 0, 0, common),
          xc_graph_emit_part(graph, both, 0, width, width + common)),
      none};
  layer->bias = parts[0];
  if (!layer->reset_after)
    return;
  parts[1] = xc_graph_emit_part(graph, both, 0, last, width);
  layer->bias = xc_graph_emit_concat(graph, parts, 2, 0);
  layer->candidate_bias =
      xc_graph_emit_part(graph, both, 0, width + last, 2 * width);
}

// Takes the initial states. An absent one is 0 where the other one is given.
static MlirValue take_initial(const recurrence *r, int64_t direction) {
  xc_graph *graph = &r->im->graph;
  MlirValue states[] = {take(r, INITIAL_H, r->batch_first, direction),
                        take(r, INITIAL_C, r->batch_first, direction)};
  if (!r->has_cells ||
      (mlirValueIsNull(states[0]) && mlirValueIsNull(states[1])))
    return states[0];
  for (size_t i = 0; i < 2; ++i)
    if (mlirValueIsNull(states[i]))
      states[i] = xc_graph_emit_with(graph, "none", XC_TIR_MUL, states[!i], 0);
  return xc_graph_emit_concat(graph, states, 2, 1);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

// One of the states, 0 or 1, after all steps, for each direction side by side.
static MlirValue join(const recurrence *r, int64_t state, bool is_last) {
  xc_graph *graph = &r->im->graph;
  MlirValue parts[2] = {none, none};
  for (int64_t i = 0; i < r->directions; ++i) {
    bool reverse = r->reverse || i == 1;
    int64_t last = reverse ? 0 : r->steps - 1;
    parts[i] = r->states[i];
    if (is_last)
      parts[i] = xc_graph_emit_part(graph, parts[i], 0, last, last + 1);
    if (r->has_cells)
      parts[i] = xc_graph_emit_part(graph, parts[i], 2, state * r->units,
                                    (state + 1) * r->units);
  }
  return r->directions == 1 ? parts[0]
                            : xc_graph_emit_concat(graph, parts, 2, 2);
}

// Units of steps beyond an entry's length are 0.
static MlirValue emit_cut(const recurrence *r, MlirValue units) {
  xc_graph *graph = &r->im->graph;
  const int64_t dims[] = {1, r->batch, 1};
  if (mlirValueIsNull(r->lengths) || mlirValueIsNull(units))
    return units;
  MlirValue steps = xc_graph_emit_cast(
      graph, "step", xc_graph_emit_iota(graph, 3, 0, r->steps),
      xc_value_shape(r->lengths).element);
  MlirValue is_step = xc_graph_emit_compare(
      graph, "LT", steps, xc_graph_emit_reshape(graph, r->lengths, dims, 3));
  MlirValue zero =
      xc_graph_emit_number(graph, 0, xc_value_shape(units).element);
  return xc_graph_emit_select(graph, is_step, units, zero);
}

// [steps, batch, directions, units] as ONNX has it: directions before the batch
// or, with `layout`, the batch first.
static bool result_steps(const recurrence *r) {
  static const xc_graph_order plain = {{0, 2, 1, 3}},
                              batch_first = {{1, 0, 2, 3}};
  const int64_t dims[] = {r->steps, r->batch, r->directions, r->units};
  if (!xc_onnx_has_output(r->im, 0))
    return true;
  return xc_onnx_result(r->im, 0,
                        xc_graph_emit_reshape(&r->im->graph,
                                              emit_cut(r, join(r, 0, false)),
                                              dims, 4),
                        r->batch_first ? &batch_first : &plain);
}

static bool result_last(const recurrence *r, size_t output, int64_t state) {
  static const xc_graph_order plain = {{1, 0, 2}};
  const xc_graph_order batch_first = xc_graph_identity(3);
  const int64_t dims[] = {r->batch, r->directions, r->units};
  if (!xc_onnx_has_output(r->im, output))
    return true;
  return xc_onnx_result(
      r->im, output,
      xc_graph_emit_reshape(&r->im->graph, join(r, state, true), dims, 3),
      r->batch_first ? &batch_first : &plain);
}

static bool emit_direction(recurrence *r, int64_t direction) {
  bool reverse = r->reverse || direction == 1;
  xc_graph_recurrent layer = {
      .part = reverse ? "backward" : "forward",
      .cell = r->cell,
      .input = r->input,
      .weight = take(r, W, 0, direction),
      .recurrent_weight = take(r, R, 0, direction),
      .initial = take_initial(r, direction),
      .peephole = take(r, PEEPHOLES, 0, direction),
      .lengths = r->lengths,
      .reverse = reverse,
      .reset_after = xc_onnx_int(r->im, "linear_before_reset", 0) != 0};
  if (!read_activations(r, direction, &layer))
    return false;
  take_bias(r, direction, &layer);
  r->states[direction] = xc_graph_emit_recurrent(&r->im->graph, &layer);
  return !mlirValueIsNull(r->states[direction]);
}

bool xc_onnx_recurrent(xc_onnx_importer *im) {
  recurrence r = {.im = im, .cell = im->row->name, .gates = im->row->detail};
  r.has_cells = strcmp(r.cell, "LSTM") == 0;
  if (!check_attributes(im) || !read_direction(&r) || !read_inputs(&r))
    return false;
  for (int64_t i = 0; i < r.directions; ++i)
    if (!emit_direction(&r, i))
      return false;
  return result_steps(&r) && result_last(&r, 1, 0) &&
         (!r.has_cells || result_last(&r, 2, 1));
}
