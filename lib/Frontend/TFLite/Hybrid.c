//===- Hybrid.c - float layers that compute in integers -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hybrid.h"

static const MlirValue none = {NULL};

// Below this a range counts as this: 127 divided by it is still a float.
static const double least_range = 1e-35;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// Returns a number of the element type that `like` has, f32 or f64.
static MlirValue number(xc_tflite_context *c, MlirValue like, double value) {
  if (mlirValueIsNull(like))
    return none;
  float single = (float)value;
  const xc_shape shape = {.element = xc_value_shape(like).element};
  return shape.element == XC_ELEMENT_F64
             ? xc_tflite_part_constant(c, "number", &value, &shape)
             : xc_tflite_part_constant(c, "number", &single, &shape);
}

static MlirValue with_number(xc_tflite_context *c, const char *part,
                             xc_op_kind kind, MlirValue a, double b) {
  return xc_graph_emit_binary(&c->importer->graph, part, kind, a,
                              number(c, a, b));
}

static MlirValue number_with(xc_tflite_context *c, const char *part,
                             xc_op_kind kind, double a, MlirValue b) {
  return xc_graph_emit_binary(&c->importer->graph, part, kind, number(c, b, a),
                              b);
}

// Returns the largest element from the first axis on.
static MlirValue largest(xc_tflite_context *c, const char *part,
                         MlirValue value, size_t first_axis) {
  if (mlirValueIsNull(value))
    return none;
  xc_tflite_attributes attributes = {.count = 0};
  int64_t axes[XC_MAX_RANK];
  size_t count = 0;
  for (size_t axis = first_axis; axis < xc_value_shape(value).rank; ++axis)
    axes[count++] = (int64_t)axis;
  xc_tflite_add(&attributes, xc_ints("axis", axes, count));
  xc_tflite_add(&attributes, xc_bool("keep_dims", true));
  return xc_tflite_build(c, part, XC_TIR_REDUCTION_MAX, &value, 1, &attributes,
                         XC_ELEMENT_NONE);
}

// Returns the nearest 8-bit integers, half away from zero, as f32.
static MlirValue round_to_steps(xc_tflite_context *c, MlirValue value) {
  static const float unit = 1.0f;
  static const int64_t zero = 0;
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_add(&attributes, xc_floats("scale", &unit, 1));
  xc_tflite_add(&attributes, xc_ints("zero_point", &zero, 1));
  xc_tflite_add_flavor(&attributes);
  value = xc_tflite_build(c, "quantized", XC_TIR_QUANTIZE_LINEAR, &value, 1,
                          &attributes, XC_ELEMENT_I8);
  return xc_graph_emit_cast(&c->importer->graph, "steps", value,
                            XC_ELEMENT_F32);
}

//===----------------------------------------------------------------------===//
// The input
//===----------------------------------------------------------------------===//

static void quantize_symmetric(xc_tflite_context *c, xc_tflite_dynamic *input) {
  const double most = 127;
  MlirValue size = xc_graph_emit_binary(&c->importer->graph, "abs", XC_TIR_ABS,
                                        input->value, none);
  MlirValue range = largest(c, "range", size, input->first_axis);
  range = with_number(c, "range", XC_TIR_MAX, range, least_range);
  input->scale = with_number(c, "scale", XC_TIR_DIV, range, most);
  MlirValue inverse = number_with(c, "inverse", XC_TIR_DIV, most, range);
  input->steps = round_to_steps(c, xc_graph_emit_binary(&c->importer->graph,
                                                        "scaled", XC_TIR_MUL,
                                                        input->value, inverse));
}

// Returns the end of the range on one side of 0, as f64.
static MlirValue range_end(xc_tflite_context *c, const char *part,
                           MlirValue value, size_t first_axis) {
  MlirValue end = largest(c, part, value, first_axis);
  end = with_number(c, part, XC_TIR_MAX, end, 0);
  return xc_graph_emit_cast(&c->importer->graph, part, end, XC_ELEMENT_F64);
}

// Returns an f64 as the nearest integer, half away from zero: what truncation
// leaves of twice the number, less what it leaves of the number.
static MlirValue round_point(xc_tflite_context *c, MlirValue value) {
  MlirValue twice = xc_graph_emit_binary(&c->importer->graph, "point",
                                         XC_TIR_ADD, value, value);
  MlirValue rounded = xc_graph_emit_binary(
      &c->importer->graph, "point", XC_TIR_SUB,
      xc_graph_emit_cast(&c->importer->graph, "point", twice, XC_ELEMENT_I32),
      xc_graph_emit_cast(&c->importer->graph, "point", value, XC_ELEMENT_I32));
  return xc_graph_emit_cast(&c->importer->graph, "point", rounded,
                            XC_ELEMENT_F32);
}

// Returns the zero point by which the end of the range comes out that is nearer
// to 0, `low` and `high` being the ends in steps. It lies in the range of 8
// bits.
static MlirValue zero_point(xc_tflite_context *c, MlirValue low,
                            MlirValue high) {
  xc_tflite_attributes less = {.count = 0};
  xc_tflite_add(&less, xc_string("predicate", "LT"));
  const MlirValue errors[] = {with_number(c, "error", XC_TIR_ADD, low, 128),
                              with_number(c, "error", XC_TIR_ADD, high, 127)};
  const MlirValue choice[] = {xc_tflite_build(c, "choice", XC_TIR_COMPARE,
                                              errors, 2, &less, XC_ELEMENT_I1),
                              with_number(c, "point", XC_TIR_SUB, low, 128),
                              number_with(c, "point", XC_TIR_SUB, 127, high)};
  return round_point(c, xc_tflite_build(c, "point", XC_TIR_SELECT, choice, 3,
                                        NULL, XC_ELEMENT_F64));
}

// In double precision up to scale and zero point, like the original.
static void quantize_asymmetric(xc_tflite_context *c,
                                xc_tflite_dynamic *input) {
  size_t axis = input->first_axis;
  MlirValue high = range_end(c, "high", input->value, axis);
  MlirValue low =
      range_end(c, "low",
                xc_graph_emit_binary(&c->importer->graph, "neg", XC_TIR_NEG,
                                     input->value, none),
                axis);
  MlirValue range =
      xc_graph_emit_binary(&c->importer->graph, "range", XC_TIR_ADD, high, low);
  range = with_number(c, "range", XC_TIR_DIV, range, 255);
  range = with_number(c, "range", XC_TIR_MAX, range, least_range);
  MlirValue point = zero_point(
      c,
      xc_graph_emit_binary(&c->importer->graph, "low", XC_TIR_DIV, low, range),
      xc_graph_emit_binary(&c->importer->graph, "high", XC_TIR_DIV, high,
                           range));
  input->scale =
      xc_graph_emit_cast(&c->importer->graph, "scale", range, XC_ELEMENT_F32);
  MlirValue inverse = xc_graph_emit_cast(&c->importer->graph, "inverse",
                                         input->scale, XC_ELEMENT_F64);
  inverse = number_with(c, "inverse", XC_TIR_DIV, 1, inverse);
  inverse = xc_graph_emit_cast(&c->importer->graph, "inverse", inverse,
                               XC_ELEMENT_F32);
  MlirValue scaled = xc_graph_emit_binary(&c->importer->graph, "scaled",
                                          XC_TIR_MUL, input->value, inverse);
  scaled = xc_graph_emit_binary(&c->importer->graph, "shifted", XC_TIR_ADD,
                                scaled, point);
  input->steps = xc_graph_emit_binary(&c->importer->graph, "steps", XC_TIR_SUB,
                                      round_to_steps(c, scaled), point);
}

bool xc_tflite_quantize_dynamic(xc_tflite_context *c,
                                xc_tflite_dynamic *input) {
  if (input->asymmetric)
    quantize_asymmetric(c, input);
  else
    quantize_symmetric(c, input);
  return !mlirValueIsNull(input->scale) && !mlirValueIsNull(input->steps);
}

//===----------------------------------------------------------------------===//
// The output
//===----------------------------------------------------------------------===//

bool xc_tflite_finish_hybrid(xc_tflite_context *c, MlirValue sums,
                             const xc_tflite_dynamic *input,
                             const float *weight_scales, size_t num_scales,
                             MlirValue bias, xc_tflite_activation activation) {
  const xc_shape shape = {
      .element = XC_ELEMENT_F32, .rank = 1, .dims = {(int64_t)num_scales}};
  bool activates = activation != XC_TFL_ACTIVATION_NONE;
  bool adds = !mlirValueIsNull(bias);
  MlirValue scale = xc_graph_emit_binary(
      &c->importer->graph, "scales", XC_TIR_MUL, input->scale,
      xc_tflite_part_constant(c, "weight-scales", weight_scales, &shape));
  MlirValue value = xc_graph_emit_binary(&c->importer->graph,
                                         adds || activates ? "product" : NULL,
                                         XC_TIR_MUL, sums, scale);
  if (adds)
    value = xc_graph_emit_binary(&c->importer->graph, activates ? "sum" : NULL,
                                 XC_TIR_ADD, value, bias);
  return !mlirValueIsNull(value) &&
         xc_tflite_set(c, 0, xc_tflite_activate(c, value, activation));
}
