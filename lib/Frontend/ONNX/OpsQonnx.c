//===- OpsQonnx.c - fake quantisation as QONNX spells it ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quant gives floats that stand for integers of any width:
//
//   (round(clamp(x / scale + zero_point)) - zero_point) * scale
//
// FixNeuron of the Vitis AI quantiser is that with signed integers, and adds
// the zero point after it has rounded, as QuantizeLinear does.
//
// Up to 8 bits that is QuantizeLinear and DequantizeLinear, after a clamp
// where the integers are fewer; else arithmetic in floating point.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE_BITS = 8, MOST_BITS = 32 };

/// A rounding mode: numbers of both signs alike, by floor or ceil of what the
/// offset is added to; or to the nearest or the next one.
typedef struct rounding {
  const char *name;
  xc_op_kind kind;
  bool is_odd; // of -x what it is of x, negated
  double offset;
} rounding;

static const rounding modes[] = {
    {"ROUND", XC_TIR_ROUND, false, 0},
    {"HALF_EVEN", XC_TIR_ROUND, false, 0},
    {"FLOOR", XC_TIR_FLOOR, false, 0},
    {"CEIL", XC_TIR_CEIL, false, 0},
    {"ROUND_TO_ZERO", XC_TIR_FLOOR, true, 0},
    {"DOWN", XC_TIR_FLOOR, true, 0},
    {"UP", XC_TIR_CEIL, true, 0},
    {"HALF_UP", XC_TIR_FLOOR, true, 0.5},
    {"HALF_DOWN", XC_TIR_CEIL, true, -0.5},
};

/// One Quant or BipolarQuant.
typedef struct fake_quant {
  xc_graph_value *input, *scale, *zero; // zero may be null
  xc_onnx_integers integers;
  const rounding *mode;
  bool rounds_first; // before it adds the zero point
  /// Scales and zero points, where they are constants of a vector.
  xc_graph_linear linear;
  int64_t zero_point;
} fake_quant;

//===----------------------------------------------------------------------===//
// Attributes and inputs of the node
//===----------------------------------------------------------------------===//

static bool is_mode(const char *name, const char *mode) {
  while (*name && toupper((unsigned char)*name) == *mode)
    ++name, ++mode;
  return *name == *mode;
}

static bool read_mode(xc_onnx_importer *im, fake_quant *q) {
  const char *name = xc_onnx_string(im, "rounding_mode", "ROUND");
  for (size_t i = 0; i < sizeof(modes) / sizeof(*modes) && !q->mode; ++i)
    if (is_mode(name, modes[i].name))
      q->mode = &modes[i];
  return q->mode ||
         xc_onnx_error(im, "has rounding mode '%s', which xc does not have",
                       name);
}

static bool set_bits(xc_onnx_importer *im, double bits, bool is_signed,
                     xc_onnx_integers *integers) {
  if (!(bits >= 1 && bits <= MOST_BITS) || bits != floor(bits))
    return xc_onnx_error(
        im,
        "has a bit width that is not one whole number from 1 to "
        "%d",
        MOST_BITS);
  integers->is_bipolar = is_signed && bits == 1;
  integers->high =
      is_signed ? ldexp(1, (int)bits - 1) - 1 : ldexp(1, (int)bits) - 1;
  integers->low = is_signed ? -integers->high - 1 : 0;
  integers->element = bits > BYTE_BITS ? XC_ELEMENT_NONE
                      : is_signed      ? XC_ELEMENT_I8
                                       : XC_ELEMENT_UI8;
  return true;
}

static bool read_bits(xc_onnx_importer *im, fake_quant *q) {
  const float *bits;
  size_t count;
  bool is_signed = xc_onnx_int(im, "signed", 1) != 0;
  bool is_narrow = xc_onnx_int(im, "narrow", 0) != 0;
  if (!xc_onnx_input_floats(im, 3, &bits, &count) ||
      !set_bits(im, count == 1 ? (double)*bits : 0, is_signed, &q->integers))
    return false;
  if (is_narrow)
    *(is_signed ? &q->integers.low : &q->integers.high) += is_signed ? 1 : -1;
  return true;
}

// Reads an attribute, which its quantiser writes as text.
static bool read_bit_width(xc_onnx_importer *im, fake_quant *q) {
  const char *text = xc_onnx_string(im, "bit_width", "");
  double bits = *text ? strtod(text, NULL)
                      : (double)xc_onnx_int(im, "bit_width", BYTE_BITS);
  if (!set_bits(im, bits, true, &q->integers))
    return false;
  return !q->integers.is_bipolar ||
         xc_onnx_error(im, "has a bit width of 1, expected 2 to %d", MOST_BITS);
}

//===----------------------------------------------------------------------===//
// As integers
//===----------------------------------------------------------------------===//

// Finds the dimension of the input along which the scales go. Returns false
// where that is not one.
static bool find_axis(const fake_quant *q, size_t *axis) {
  const xc_shape *scale = &q->scale->shape, *input = &q->input->shape;
  size_t found = 0;
  if (scale->rank > input->rank)
    return false;
  for (size_t i = 0; i < scale->rank; ++i) {
    size_t dim = input->rank - scale->rank + i;
    if (scale->dims[i] == 1)
      continue;
    if (scale->dims[i] != input->dims[dim])
      return false;
    *axis = dim;
    ++found;
  }
  return found <= 1;
}

// One zero point for all, in *point: a whole number.
static bool read_zero(const fake_quant *q, int64_t *point) {
  double first = 0;
  if (q->zero && !q->zero->data)
    return false;
  int64_t count = q->zero ? xc_shape_num_elements(&q->zero->shape) : 0;
  for (int64_t i = 0; i < count; ++i) {
    double number = xc_graph_to_real(xc_graph_load(q->zero, i));
    if (i > 0 && number != first)
      return false;
    first = number;
  }
  if (!(fabs(first) <= 255) || first != floor(first))
    return false;
  *point = (int64_t)first;
  return true;
}

static bool fills_byte(const xc_onnx_integers *integers) {
  return integers->high - integers->low == 255;
}

// Null, or what keeps the node from being a pair of conversions.
static const char *read_linear(xc_onnx_importer *im, fake_quant *q) {
  xc_graph_linear *linear = &q->linear;
  if (q->integers.element == XC_ELEMENT_NONE)
    return "more than 8 bits";
  if (!q->scale->data || !read_zero(q, &q->zero_point))
    return "a scale or zero point that is not a constant, or not whole";
  if (!find_axis(q, &linear->axis))
    return "scales along several dimensions";
  if (q->zero_point < (q->integers.element == XC_ELEMENT_I8 ? -128 : 0) ||
      q->zero_point > (q->integers.element == XC_ELEMENT_I8 ? 127 : 255))
    return "a zero point beyond 8 bits";
  // The halves of odd zero points are rounded the other way.
  if (!q->integers.is_bipolar && !q->rounds_first &&
      (q->mode->kind != XC_TIR_ROUND || q->zero_point % 2))
    return "a rounding mode that is not half to even, or an odd zero point";
  if (q->integers.is_bipolar && !q->input->data)
    return "one bit";
  linear->count = (size_t)xc_shape_num_elements(&q->scale->shape);
  if (linear->count > 1 && !q->input->data && !fills_byte(&q->integers))
    return "several scales and fewer integers than 8 bits have";
  float *scales =
      xc_arena_alloc(&im->graph.arena, linear->count + 1, sizeof(*scales));
  int64_t *points =
      xc_arena_alloc(&im->graph.arena, linear->count + 1, sizeof(*points));
  for (size_t i = 0; i < linear->count; ++i) {
    points[i] = q->zero_point;
    scales[i] = (float)xc_graph_to_real(xc_graph_load(q->scale, (int64_t)i));
    if (!(scales[i] > 0) || isinf(scales[i]))
      return "a scale that is not above 0";
  }
  linear->scales = scales;
  linear->zero_points = points;
  return linear->count ? NULL : "no scale";
}

// Returns the input within what the integers stand for.
static xc_graph_value *clamped(xc_onnx_importer *im, const fake_quant *q) {
  double scale = (double)q->linear.scales[0], zero = (double)q->zero_point;
  xc_graph_order order = xc_graph_cheapest(q->input);
  MlirValue mlir = xc_graph_get(&im->graph, q->input, &order);
  const xc_attribute bounds[] = {
      xc_float("min", (q->integers.low - zero) * scale),
      xc_float("max", (q->integers.high - zero) * scale)};
  mlir = xc_graph_emit(&im->graph, "clamp", XC_TIR_CLIP, &mlir, 1,
                       XC_ATTRIBUTES(bounds), XC_ELEMENT_NONE);
  return xc_graph_computed(&im->graph, im->graph.node, mlir, &order);
}

// Returns null after an error, or where the budget for constants is exhausted.
static xc_graph_value *as_pair(xc_onnx_importer *im, const fake_quant *q) {
  xc_graph_linear *to = xc_arena_alloc(&im->graph.arena, 1, sizeof(*to));
  xc_graph_linear *from = xc_arena_alloc(&im->graph.arena, 1, sizeof(*from));
  *to = *from = q->linear;
  to->quantizes = true;
  xc_graph_value *value = q->input;
  if (value->data) {
    value = xc_onnx_quantized_constant(im, value, to, &q->integers);
  } else {
    if (!fills_byte(&q->integers))
      value = clamped(im, q);
    value = value
                ? xc_graph_quantised(&im->graph, value, to, q->integers.element)
                : NULL;
  }
  return value ? xc_graph_quantised(&im->graph, value, from, XC_ELEMENT_F32)
               : NULL;
}

//===----------------------------------------------------------------------===//
// As arithmetic
//===----------------------------------------------------------------------===//

static MlirValue emit_rounded(xc_onnx_importer *im, const rounding *mode,
                              MlirValue x) {
  xc_graph *graph = &im->graph;
  MlirValue sides[2] = {x, {NULL}};
  if (!mode->is_odd)
    return xc_graph_emit_binary(graph, "round", mode->kind, x, sides[1]);
  sides[1] = xc_graph_emit_binary(graph, "negative", XC_TIR_NEG, x, sides[1]);
  for (size_t i = 0; i < 2; ++i) {
    const MlirValue none = {NULL};
    if (mode->offset != 0)
      sides[i] =
          xc_graph_emit_with(graph, "half", XC_TIR_ADD, sides[i], mode->offset);
    sides[i] = xc_graph_emit_binary(graph, "round", mode->kind, sides[i], none);
    sides[i] = xc_graph_emit_binary(graph, "side", XC_TIR_RELU, sides[i], none);
  }
  return xc_graph_emit_binary(graph, "rounded", XC_TIR_SUB, sides[0], sides[1]);
}

// 1 where x is not negative, else -1.
static MlirValue emit_bipolar(xc_onnx_importer *im, MlirValue x) {
  xc_graph *graph = &im->graph;
  x = xc_graph_emit_compare_with(graph, "GE", x, 0);
  x = xc_graph_emit_cast(graph, "ones", x, XC_ELEMENT_F32);
  x = xc_graph_emit_with(graph, "twice", XC_TIR_MUL, x, 2);
  return xc_graph_emit_with(graph, "bipolar", XC_TIR_SUB, x, 1);
}

static bool result_arithmetic(xc_onnx_importer *im, const fake_quant *q) {
  xc_graph *graph = &im->graph;
  xc_graph_value *const values[] = {q->input, q->scale, q->zero};
  MlirValue operands[3];
  xc_graph_order order;
  if (!xc_graph_broadcast(graph, values, q->zero ? 3 : 2, operands, &order))
    return false;
  MlirValue x = xc_graph_emit_binary(graph, "steps", XC_TIR_DIV, operands[0],
                                     operands[1]);
  if (q->zero)
    x = xc_graph_emit_binary(graph, "zero", XC_TIR_ADD, x, operands[2]);
  if (q->integers.is_bipolar) {
    x = emit_bipolar(im, x);
  } else {
    const xc_attribute bounds[] = {xc_float("min", q->integers.low),
                                   xc_float("max", q->integers.high)};
    x = xc_graph_emit(graph, "clamp", XC_TIR_CLIP, &x, 1, XC_ATTRIBUTES(bounds),
                      XC_ELEMENT_NONE);
    x = emit_rounded(im, q->mode, x);
  }
  if (q->zero)
    x = xc_graph_emit_binary(graph, "centred", XC_TIR_SUB, x, operands[2]);
  return xc_onnx_result(
      im, 0, xc_graph_emit_binary(graph, NULL, XC_TIR_MUL, x, operands[1]),
      &order);
}

static bool result_of(xc_onnx_importer *im, fake_quant *q) {
  if (q->input->shape.element != XC_ELEMENT_F32)
    return xc_onnx_error(im, "has an input that is not float");
  const char *reason = read_linear(im, q);
  xc_graph_value *pair = reason ? NULL : as_pair(im, q);
  if (pair)
    return xc_onnx_result_alias(im, 0, pair);
  if (xc_graph_failed(&im->graph))
    return false;
  int64_t zero;
  if (read_zero(q, &zero) && zero == 0)
    q->zero = NULL;
  if (q->zero && q->rounds_first)
    return xc_onnx_error(im, "has a zero point, expected none as it has %s",
                         reason ? reason : "too large a constant");
  xc_graph_report(&im->graph, XcSeverityNote,
                  "is computed in floating point: it has %s",
                  reason ? reason : "too large a constant");
  return result_arithmetic(im, q);
}

//===----------------------------------------------------------------------===//
// The operators
//===----------------------------------------------------------------------===//

bool xc_onnx_fake_quant(xc_onnx_importer *im) {
  fake_quant q = {.mode = NULL};
  return xc_onnx_need_input(im, 0, &q.input) &&
         xc_onnx_need_input(im, 1, &q.scale) &&
         xc_onnx_need_input(im, 2, &q.zero) && read_bits(im, &q) &&
         read_mode(im, &q) && result_of(im, &q);
}

bool xc_onnx_bipolar_quant(xc_onnx_importer *im) {
  fake_quant q = {
      .mode = modes,
      .integers = {
          .element = XC_ELEMENT_I8, .low = -1, .high = 1, .is_bipolar = true}};
  return xc_onnx_need_input(im, 0, &q.input) &&
         xc_onnx_need_input(im, 1, &q.scale) && result_of(im, &q);
}

// x, scale, zero point; of 8 bits unless bit_width says otherwise.
bool xc_onnx_fix_neuron(xc_onnx_importer *im) {
  fake_quant q = {.mode = modes, .rounds_first = true};
  q.zero = xc_onnx_input(im, 2);
  return xc_onnx_need_input(im, 0, &q.input) &&
         xc_onnx_need_input(im, 1, &q.scale) && read_bit_width(im, &q) &&
         result_of(im, &q);
}
