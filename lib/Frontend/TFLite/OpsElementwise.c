//===- OpsElementwise.c - operators on single elements --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

/// `type` is the enumerator of qlinear-activation, null when there is none.
typedef struct unary_row {
  int64_t code;
  xc_op_kind kind;
  const char *type;
} unary_row;

// clang-format off
static const unary_row unary_rows[] = {
    {XC_TFL_FLOOR, XC_TIR_FLOOR, NULL},
    {XC_TFL_CEIL, XC_TIR_CEIL, NULL},
    {XC_TFL_ROUND, XC_TIR_ROUND, NULL},
    {XC_TFL_LOG, XC_TIR_LOG, NULL},
    {XC_TFL_SQRT, XC_TIR_SQRT, NULL},
    {XC_TFL_SIN, XC_TIR_SIN, NULL},
    {XC_TFL_COS, XC_TIR_COS, NULL},
    {XC_TFL_LOG_SOFTMAX, XC_TIR_LOG_SOFTMAX, NULL},
    {XC_TFL_RELU_0_TO_1, XC_TIR_CLIP, NULL},
    {XC_TFL_RELU, XC_TIR_RELU, "RELU"},
    {XC_TFL_RELU6, XC_TIR_RELU6, "RELU6"},
    {XC_TFL_RELU_N1_TO_1, XC_TIR_CLIP, "RELU_N1_TO_1"},
    {XC_TFL_LEAKY_RELU, XC_TIR_LEAKY_RELU, "LEAKYRELU"},
    {XC_TFL_LOGISTIC, XC_TIR_SIGMOID, "SIGMOID"},
    {XC_TFL_TANH, XC_TIR_TANH, "TANH"},
    {XC_TFL_HARD_SWISH, XC_TIR_HARD_SWISH, "HARDSWISH"},
    {XC_TFL_ELU, XC_TIR_ELU, "ELU"},
    {XC_TFL_EXP, XC_TIR_EXP, "EXP"},
    {XC_TFL_NEG, XC_TIR_NEG, "NEG"},
    {XC_TFL_ABS, XC_TIR_ABS, "ABS"},
    {XC_TFL_RSQRT, XC_TIR_RSQRT, "RSQRT"},
};
// clang-format on

static const unary_row *find_unary(int64_t code) {
  for (size_t i = 0; i < sizeof(unary_rows) / sizeof(*unary_rows); ++i)
    if (unary_rows[i].code == code)
      return &unary_rows[i];
  assert(false && "Operators.def names this function for rows of the table");
  return NULL;
}

bool xc_tflite_unary(xc_tflite_context *c) {
  const unary_row *row = find_unary(c->operator->code);
  xc_tflite_attributes attributes = {.count = 0};
  xc_graph_order order = {{0}};
  bool moves = row->kind != XC_TIR_LOG_SOFTMAX && xc_tflite_is_reordered(c, 0);
  MlirValue input =
      moves ? xc_tflite_ordered_value(c, 0, &order) : xc_tflite_value(c, 0);
  if (mlirValueIsNull(input))
    return false;
  if (row->code == XC_TFL_LEAKY_RELU)
    xc_tflite_add(&attributes,
                  xc_float("alpha", xc_tflite_float_option(
                                        c, XC_TFL_LeakyReluOptions_alpha)));
  if (!xc_tflite_is_quantized(xc_tflite_input(c, 0))) {
    if (row->kind == XC_TIR_CLIP) {
      xc_tflite_add(&attributes, xc_float("min", row->type ? -1.0 : 0.0));
      xc_tflite_add(&attributes, xc_float("max", 1.0));
    }
    if (!moves)
      return xc_tflite_finish(c, row->kind, &input, 1, &attributes);
    input = xc_tflite_build(c, NULL, row->kind, &input, 1, &attributes,
                            XC_ELEMENT_NONE);
    return xc_tflite_set_ordered(c, 0, input, &order);
  }
  if (!row->type)
    return xc_tflite_error(c, "has quantized tensors, which xc cannot import");
  if (row->code == XC_TFL_ELU)
    xc_tflite_add(&attributes, xc_float("alpha", 1.0));
  xc_tflite_add(&attributes, xc_string("type", row->type));
  return xc_tflite_finish_quantized(c, XC_TIR_QLINEAR_ACTIVATION, &input, 1,
                                    &attributes);
}

// Returns a step on the way that combines a value with a constant of one float.
static MlirValue with_constant(xc_tflite_context *c, const char *part,
                               xc_op_kind kind, MlirValue input,
                               const char *constant_part, float value) {
  const xc_shape scalar = {.element = XC_ELEMENT_F32, .rank = 0};
  return xc_graph_emit_binary(
      &c->importer->graph, part, kind, input,
      xc_tflite_part_constant(c, constant_part, &value, &scalar));
}

bool xc_tflite_softmax(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input = xc_tflite_value(c, 0);
  double beta = xc_tflite_float_option(c, XC_TFL_SoftmaxOptions_beta);
  if (mlirValueIsNull(input))
    return false;
  if (!xc_tflite_is_quantized(xc_tflite_input(c, 0))) {
    if (beta < 1.0 || beta > 1.0)
      input = with_constant(c, "mul", XC_TIR_MUL, input, "beta", (float)beta);
    return xc_tflite_finish(c, XC_TIR_SOFTMAX, &input, 1, &attributes);
  }
  xc_tflite_add(&attributes, xc_float("beta", beta));
  return xc_tflite_finish_quantized(c, XC_TIR_QLINEAR_SOFTMAX, &input, 1,
                                    &attributes);
}

bool xc_tflite_lrn(xc_tflite_context *c) {
  // The format's alpha is for each channel, tir's for their sum.
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input = xc_tflite_value(c, 0);
  int64_t radius = xc_tflite_option(c, XC_TFL_LrnOptions_radius);
  if (mlirValueIsNull(input))
    return false;
  if (radius < 0 || radius > INT16_MAX)
    return xc_tflite_error(c, "has radius %" PRId64 ", expected 0 to %d",
                           radius, INT16_MAX);
  int64_t size = 2 * radius + 1;
  double alpha = xc_tflite_float_option(c, XC_TFL_LrnOptions_alpha);
  xc_tflite_add(&attributes, xc_int("size", size));
  xc_tflite_add(&attributes, xc_float("alpha", alpha * (double)size));
  xc_tflite_add(&attributes, xc_float("beta", xc_tflite_float_option(
                                                  c, XC_TFL_LrnOptions_beta)));
  xc_tflite_add(&attributes, xc_float("bias", xc_tflite_float_option(
                                                  c, XC_TFL_LrnOptions_bias)));
  return xc_tflite_finish(c, XC_TIR_LRN, &input, 1, &attributes);
}

//===----------------------------------------------------------------------===//
// Between types
//===----------------------------------------------------------------------===//

bool xc_tflite_quantize(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  const xc_tflite_tensor *from = xc_tflite_input(c, 0);
  const xc_tflite_tensor *to = xc_tflite_output(c, 0);
  MlirValue input = xc_tflite_value(c, 0);
  xc_tflite_quant quant = {1.0f, 0};
  if (mlirValueIsNull(input) || !xc_tflite_quant_of(c, to, &quant))
    return false;
  xc_tflite_add_flavor(&attributes);
  if (xc_tflite_is_quantized(from))
    return xc_tflite_add_quant(c, &attributes, "input", from) &&
           xc_tflite_add_quant(c, &attributes, "output", to) &&
           xc_tflite_finish(c, XC_TIR_QLINEAR_REQUANTIZE, &input, 1,
                            &attributes);
  xc_tflite_add(&attributes, xc_floats("scale", &quant.scale, 1));
  xc_tflite_add(&attributes, xc_ints("zero_point", &quant.zero_point, 1));
  return xc_tflite_finish(c, XC_TIR_QUANTIZE_LINEAR, &input, 1, &attributes);
}

// A constant becomes floats at once: files with float16 or int8 weights wrap
// every one of them.
static bool dequantize_constant(xc_tflite_context *c) {
  const xc_tflite_tensor *from = xc_tflite_input(c, 0);
  size_t count;
  float *floats = xc_tflite_floats(c->importer, from, &count);
  if (!floats)
    return xc_tflite_error(c,
                           "input 0 '%s' of type %s has no quantization that "
                           "turns it into float",
                           from->name, from->type_name);
  xc_shape shape = {.element = XC_ELEMENT_F32, .rank = from->rank};
  memcpy(shape.dims, from->dims, sizeof(shape.dims));
  return xc_tflite_set_constant(c, 0, &shape, (const unsigned char *)floats);
}

bool xc_tflite_dequantize(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  const xc_tflite_tensor *from = xc_tflite_input(c, 0);
  if (from->data)
    return dequantize_constant(c);
  MlirValue input = xc_tflite_value(c, 0);
  if (mlirValueIsNull(input))
    return false;
  if (from->element == XC_ELEMENT_F16)
    return xc_tflite_finish(c, XC_TIR_CAST, &input, 1, &attributes);
  xc_tflite_quant quant = {1.0f, 0};
  if (!xc_tflite_quant_of(c, from, &quant))
    return false;
  xc_tflite_add(&attributes, xc_floats("scale", &quant.scale, 1));
  xc_tflite_add(&attributes, xc_ints("zero_point", &quant.zero_point, 1));
  return xc_tflite_finish(c, XC_TIR_DEQUANTIZE_LINEAR, &input, 1, &attributes);
}

// Imports Densify. A sparse tensor was made dense when it was read.
bool xc_tflite_densify(xc_tflite_context *c) {
  const xc_tflite_tensor *tensor = xc_tflite_input(c, 0);
  xc_graph_value *value = xc_tflite_known(c, 0);
  if (!value)
    return xc_tflite_error(c, "input '%s' must be a constant", tensor->name);
  return xc_tflite_set_constant(c, 0, &value->shape, value->data);
}

bool xc_tflite_floor_mod(xc_tflite_context *c) {
  return xc_tflite_set(c, 0,
                       xc_graph_emit_modulo(&c->importer->graph,
                                            xc_tflite_value(c, 0),
                                            xc_tflite_value(c, 1), true));
}

bool xc_tflite_cast(xc_tflite_context *c) {
  MlirValue input = xc_tflite_value(c, 0);
  return xc_tflite_finish(c, XC_TIR_CAST, &input, 1, NULL);
}

//===----------------------------------------------------------------------===//
// Two and three inputs
//===----------------------------------------------------------------------===//

/// `type` is the enumerator of qlinear-eltwise, null when there is none;
/// `fused` whether the options begin with an activation.
typedef struct binary_row {
  int64_t code;
  xc_op_kind kind;
  const char *type;
  bool fused;
} binary_row;

// clang-format off
static const binary_row binary_rows[] = {
    {XC_TFL_ADD, XC_TIR_ADD, "ADD", true},
    {XC_TFL_SUB, XC_TIR_SUB, "SUB", true},
    {XC_TFL_MUL, XC_TIR_MUL, "MUL", true},
    {XC_TFL_DIV, XC_TIR_DIV, "DIV", true},
    {XC_TFL_MAXIMUM, XC_TIR_MAX, "MAX", false},
    {XC_TFL_MINIMUM, XC_TIR_MIN, "MIN", false},
    {XC_TFL_POW, XC_TIR_POW, NULL, false},
};
// clang-format on

static const binary_row *find_binary(int64_t code) {
  for (size_t i = 0; i < sizeof(binary_rows) / sizeof(*binary_rows); ++i)
    if (binary_rows[i].code == code)
      return &binary_rows[i];
  assert(false && "Operators.def names this function for rows of the table");
  return NULL;
}

static bool two_values(xc_tflite_context *c, MlirValue values[2]) {
  for (size_t i = 0; i < 2; ++i) {
    values[i] = xc_tflite_value(c, i);
    if (mlirValueIsNull(values[i]))
      return false;
  }
  return true;
}

// The inputs in one order: the file's unless one of them was computed in
// another.
static bool two_ordered(xc_tflite_context *c, MlirValue values[2],
                        xc_graph_order *order) {
  if (xc_tflite_is_reordered(c, 0) || xc_tflite_is_reordered(c, 1)) {
    xc_graph_value *inputs[] = {xc_tflite_find(c, 0), xc_tflite_find(c, 1)};
    if (inputs[0] && inputs[1])
      return xc_graph_broadcast(&c->importer->graph, inputs, 2, values, order);
  }
  if (!two_values(c, values))
    return false;
  size_t ranks[] = {xc_value_shape(values[0]).rank,
                    xc_value_shape(values[1]).rank};
  *order = xc_graph_identity(ranks[0] > ranks[1] ? ranks[0] : ranks[1]);
  return true;
}

bool xc_tflite_binary(xc_tflite_context *c) {
  const binary_row *row = find_binary(c->operator->code);
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_activation activation = XC_TFL_ACTIVATION_NONE;
  MlirValue values[2];
  xc_graph_order order;
  bool quantized = xc_tflite_is_quantized(xc_tflite_input(c, 0));
  if (!two_ordered(c, values, &order) ||
      (row->fused &&
       !xc_tflite_activation_option(c, XC_TFL_Activation_activation, !quantized,
                                    &activation)))
    return false;
  if (!quantized) {
    bool fused = activation != XC_TFL_ACTIVATION_NONE;
    MlirValue value = xc_tflite_build(c, fused ? "eltwise" : NULL, row->kind,
                                      values, 2, &attributes, XC_ELEMENT_NONE);
    return xc_tflite_set_ordered(c, 0, xc_tflite_activate(c, value, activation),
                                 &order);
  }
  if (!row->type)
    return xc_tflite_error(c, "has quantized tensors, which xc cannot import");
  xc_tflite_add(&attributes, xc_string("type", row->type));
  xc_tflite_add_nonlinear(&attributes, activation);
  xc_tflite_add_flavor(&attributes);
  return xc_tflite_add_quant(c, &attributes, "a", xc_tflite_input(c, 0)) &&
         xc_tflite_add_quant(c, &attributes, "b", xc_tflite_input(c, 1)) &&
         xc_tflite_add_quant(c, &attributes, "output",
                             xc_tflite_output(c, 0)) &&
         xc_tflite_finish(c, XC_TIR_QLINEAR_ELTWISE, values, 2, &attributes);
}

static bool refuse_quantized(xc_tflite_context *c) {
  for (size_t i = 0; i < c->operator->num_inputs; ++i)
    if (xc_tflite_is_quantized(xc_tflite_input(c, i)))
      return xc_tflite_error(c,
                             "has quantized tensors, which xc cannot import");
  return true;
}

bool xc_tflite_add_n(xc_tflite_context *c) {
  size_t count = c->operator->num_inputs;
  MlirValue sum = {NULL};
  for (size_t i = 0; i < count; ++i) {
    if (!xc_tflite_has_input(c, i))
      return xc_tflite_error(c, "input %zu is absent", i);
    const MlirValue operands[] = {sum, xc_tflite_value(c, i)};
    if (mlirValueIsNull(operands[1]))
      return false;
    bool last = i + 1 == count;
    sum = i == 0 ? operands[1]
                 : xc_tflite_build(c, last ? NULL : "add", XC_TIR_ADD, operands,
                                   2, NULL, XC_ELEMENT_NONE);
    if (mlirValueIsNull(sum))
      return false;
  }
  return refuse_quantized(c) && xc_tflite_set(c, 0, sum);
}

bool xc_tflite_prelu(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue values[2];
  if (!two_values(c, values))
    return false;
  if (!xc_tflite_is_quantized(xc_tflite_input(c, 0)))
    return xc_tflite_finish(c, XC_TIR_PRELU, values, 2, &attributes);
  xc_tflite_add_flavor(&attributes);
  return xc_tflite_add_quant(c, &attributes, "input", xc_tflite_input(c, 0)) &&
         xc_tflite_add_quant(c, &attributes, "slope", xc_tflite_input(c, 1)) &&
         xc_tflite_add_quant(c, &attributes, "output",
                             xc_tflite_output(c, 0)) &&
         xc_tflite_finish(c, XC_TIR_QLINEAR_PRELU, values, 2, &attributes);
}

bool xc_tflite_compare(xc_tflite_context *c) {
  static const struct {
    int64_t code;
    const char *predicate;
  } words[] = {{XC_TFL_EQUAL, "EQ"},   {XC_TFL_NOT_EQUAL, "NE"},
               {XC_TFL_LESS, "LT"},    {XC_TFL_LESS_EQUAL, "LE"},
               {XC_TFL_GREATER, "GT"}, {XC_TFL_GREATER_EQUAL, "GE"}};
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue values[2];
  if (!refuse_quantized(c) || !two_values(c, values))
    return false;
  for (size_t i = 0; i < sizeof(words) / sizeof(*words); ++i)
    if (words[i].code == c->operator->code)
      xc_tflite_add(&attributes, xc_string("predicate", words[i].predicate));
  return xc_tflite_finish(c, XC_TIR_COMPARE, values, 2, &attributes);
}

bool xc_tflite_logical(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  bool is_not = c->operator->code == XC_TFL_LOGICAL_NOT;
  const char *type = is_not                                    ? "NOT"
                     : c->operator->code == XC_TFL_LOGICAL_AND ? "AND"
                                                               : "OR";
  const MlirValue values[] = {xc_tflite_value(c, 0),
                              is_not ? (MlirValue){NULL}
                                     : xc_tflite_value(c, 1)};
  xc_tflite_add(&attributes, xc_string("type", type));
  return xc_tflite_finish(c, XC_TIR_LOGICAL, values, 2, &attributes);
}

bool xc_tflite_select(xc_tflite_context *c) {
  const MlirValue values[] = {xc_tflite_value(c, 0), xc_tflite_value(c, 1),
                              xc_tflite_value(c, 2)};
  return xc_tflite_finish(c, XC_TIR_SELECT, values, 3, NULL);
}

//===----------------------------------------------------------------------===//
// In floats
//===----------------------------------------------------------------------===//

typedef MlirValue (*float_function)(xc_tflite_context *c,
                                    const MlirValue *inputs);

// Returns an input as floats; one that has no quantization as it is.
static MlirValue real_value(xc_tflite_context *c, size_t index) {
  const xc_tflite_tensor *tensor = xc_tflite_input(c, index);
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_quant quant = {1.0f, 0};
  if (!xc_tflite_is_quantized(tensor))
    return xc_tflite_value(c, index);
  if (tensor->data)
    return xc_tflite_float_value(c, index);
  MlirValue value = xc_tflite_value(c, index);
  if (mlirValueIsNull(value) || !xc_tflite_quant_of(c, tensor, &quant))
    return (MlirValue){NULL};
  xc_tflite_add(&attributes, xc_floats("scale", &quant.scale, 1));
  xc_tflite_add(&attributes, xc_ints("zero_point", &quant.zero_point, 1));
  return xc_tflite_build(c, "real", XC_TIR_DEQUANTIZE_LINEAR, &value, 1,
                         &attributes, XC_ELEMENT_F32);
}

static bool finish_real(xc_tflite_context *c, MlirValue real) {
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_quant quant = {1.0f, 0};
  if (mlirValueIsNull(real) ||
      !xc_tflite_quant_of(c, xc_tflite_output(c, 0), &quant))
    return false;
  xc_tflite_add_flavor(&attributes);
  xc_tflite_add(&attributes, xc_floats("scale", &quant.scale, 1));
  xc_tflite_add(&attributes, xc_ints("zero_point", &quant.zero_point, 1));
  return xc_tflite_finish(c, XC_TIR_QUANTIZE_LINEAR, &real, 1, &attributes);
}

// Operators whose quantized form is not among the qlinear ones: the function
// computes with what the integers stand for.
static bool compute_in_floats(xc_tflite_context *c, float_function function) {
  const char *output = c->importer->graph.node;
  size_t count = c->operator->num_inputs;
  MlirValue inputs[2] = {{NULL}, {NULL}};
  assert(count <= 2 && "Operators.def allows no more inputs");
  for (size_t i = 0; i < count; ++i) {
    inputs[i] = real_value(c, i);
    if (mlirValueIsNull(inputs[i]))
      return false;
  }
  if (!xc_tflite_is_quantized(xc_tflite_input(c, 0)))
    return xc_tflite_set(c, 0, function(c, inputs));
  xc_text name = {0};
  xc_text_printf(&name, "%s/float", output);
  c->importer->graph.node = xc_text_str(&name);
  MlirValue real = function(c, inputs);
  c->importer->graph.node = output;
  xc_text_free(&name);
  return finish_real(c, real);
}

static MlirValue gelu(xc_tflite_context *c, const MlirValue *inputs) {
  return xc_graph_emit_gelu(
      &c->importer->graph, inputs[0],
      xc_tflite_option(c, XC_TFL_GeluOptions_approximate) != 0);
}

bool xc_tflite_gelu(xc_tflite_context *c) { return compute_in_floats(c, gelu); }

static MlirValue square(xc_tflite_context *c, const MlirValue *inputs) {
  return xc_graph_emit_binary(&c->importer->graph, NULL, XC_TIR_MUL, inputs[0],
                              inputs[0]);
}

static MlirValue squared_difference(xc_tflite_context *c,
                                    const MlirValue *inputs) {
  MlirValue difference = xc_graph_emit_binary(&c->importer->graph, "sub",
                                              XC_TIR_SUB, inputs[0], inputs[1]);
  return square(c, &difference);
}

bool xc_tflite_square(xc_tflite_context *c) {
  return compute_in_floats(
      c, c->operator->code == XC_TFL_SQUARE ? square : squared_difference);
}

// x / max(sqrt(sum of x * x along the last dimension), 1e-6).
static MlirValue l2_normalization(xc_tflite_context *c,
                                  const MlirValue *inputs) {
  static const int64_t last[] = {-1};
  const MlirValue twice[] = {inputs[0], inputs[0]};
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_add(&attributes, xc_ints("axis", last, 1));
  xc_tflite_add(&attributes, xc_bool("keep_dims", true));
  MlirValue norm =
      xc_tflite_build(c, "square", XC_TIR_MUL, twice, 2, NULL, XC_ELEMENT_NONE);
  norm = xc_tflite_build(c, "sum", XC_TIR_REDUCTION_SUM, &norm, 1, &attributes,
                         XC_ELEMENT_NONE);
  norm =
      xc_tflite_build(c, "sqrt", XC_TIR_SQRT, &norm, 1, NULL, XC_ELEMENT_NONE);
  norm = with_constant(c, "max", XC_TIR_MAX, norm, "epsilon", 1e-6f);
  return xc_graph_emit_binary(&c->importer->graph, NULL, XC_TIR_DIV, inputs[0],
                              norm);
}

bool xc_tflite_l2_normalization(xc_tflite_context *c) {
  return compute_in_floats(c, l2_normalization);
}
