//===- OpsElementwise.c - operators on single elements --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static MlirValue emit_unary(xc_onnx_importer *im, xc_op_kind kind,
                            MlirValue input, const xc_attribute *attributes,
                            size_t count) {
  return xc_graph_emit(&im->graph, NULL, kind, &input, 1,
                       &(xc_attributes){attributes, count}, XC_ELEMENT_NONE);
}

/// Input 0 in its cheapest order.
static bool take_input(xc_onnx_importer *im, xc_graph_value **value,
                       MlirValue *mlir, xc_graph_order *order) {
  if (!xc_onnx_need_input(im, 0, value))
    return false;
  *order = xc_graph_cheapest(*value);
  *mlir = xc_graph_get(&im->graph, *value, order);
  return !mlirValueIsNull(*mlir);
}

// Up to operator set 6 the second operand's dimensions begin at `axis`.
static bool align_second(xc_onnx_importer *im, xc_graph_value **values) {
  int64_t dims[XC_MAX_RANK];
  size_t axis, rank = values[0]->shape.rank, inner = values[1]->shape.rank;
  if (im->opset >= 7 || !xc_onnx_int(im, "broadcast", 0) ||
      !xc_onnx_attribute(im, "axis"))
    return true;
  if (!xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 0), rank, &axis))
    return false;
  if (axis + inner > rank)
    return xc_onnx_error(im, "axis %zu leaves no room for %zu dimensions", axis,
                         inner);
  for (size_t i = 0; i < rank - axis; ++i)
    dims[i] = i < inner ? values[1]->shape.dims[i] : 1;
  values[1] = xc_graph_reshape(&im->graph, values[1], dims, rank - axis);
  return values[1] != NULL;
}

static bool take_two(xc_onnx_importer *im, xc_graph_value *values[2],
                     MlirValue operands[2], xc_graph_order *order) {
  return xc_onnx_need_input(im, 0, &values[0]) &&
         xc_onnx_need_input(im, 1, &values[1]) && align_second(im, values) &&
         xc_graph_broadcast(&im->graph, values, 2, operands, order);
}

// detail: the tir operator, which has no attributes.
bool xc_onnx_unary(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue input;
  xc_graph_order order;
  return take_input(im, &value, &input, &order) &&
         xc_onnx_result(
             im, 0, emit_unary(im, (xc_op_kind)im->row->detail, input, NULL, 0),
             &order);
}

// detail: the tir operator; alpha and beta with ONNX's defaults.
bool xc_onnx_unary_alpha(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue input;
  xc_graph_order order;
  xc_op_kind kind = (xc_op_kind)im->row->detail;
  float alpha = kind == XC_TIR_ELU          ? 1.0f
                : kind == XC_TIR_LEAKY_RELU ? 0.01f
                                            : 0.2f;
  if (!take_input(im, &value, &input, &order))
    return false;
  xc_attribute attributes[] = {
      xc_float("alpha", (double)xc_onnx_float(im, "alpha", alpha)),
      xc_float("beta", (double)xc_onnx_float(im, "beta", 0.5f))};
  return xc_onnx_result(im, 0,
                        emit_unary(im, kind, input, attributes,
                                   kind == XC_TIR_HARD_SIGMOID ? 2 : 1),
                        &order);
}

// gamma * elu(x, alpha)
bool xc_onnx_selu(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue mlir;
  xc_graph_order order;
  if (!take_input(im, &value, &mlir, &order))
    return false;
  xc_attribute alpha = xc_float(
      "alpha", (double)xc_onnx_float(im, "alpha", 1.67326319217681884765625f));
  float gamma = xc_onnx_float(im, "gamma", 1.05070102214813232421875f);
  mlir = emit_unary(im, XC_TIR_ELU, mlir, &alpha, 1);
  mlir =
      xc_graph_emit_with(&im->graph, "scale", XC_TIR_MUL, mlir, (double)gamma);
  return xc_onnx_result(im, 0, mlir, &order);
}

// alpha * elu(x / alpha, 1)
bool xc_onnx_celu(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue mlir;
  xc_graph_order order;
  double alpha = (double)xc_onnx_float(im, "alpha", 1);
  if (!(alpha > 0))
    return xc_onnx_error(
        im, "attribute 'alpha' is %g, expected a number above 0", alpha);
  if (!take_input(im, &value, &mlir, &order))
    return false;
  mlir = xc_graph_emit_with(&im->graph, "in", XC_TIR_DIV, mlir, alpha);
  mlir = emit_unary(im, XC_TIR_ELU, mlir, NULL, 0);
  mlir = xc_graph_emit_with(&im->graph, "out", XC_TIR_MUL, mlir, alpha);
  return xc_onnx_result(im, 0, mlir, &order);
}

// x > alpha ? x : 0
bool xc_onnx_thresholded_relu(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue mlir;
  xc_graph_order order;
  if (!take_input(im, &value, &mlir, &order))
    return false;
  xc_element element = value->shape.element;
  MlirValue sides[] = {
      mlir, xc_graph_emit_number(
                &im->graph, (double)xc_onnx_float(im, "alpha", 1), element)};
  xc_attribute predicate = xc_string("predicate", "GT");
  MlirValue choice[] = {xc_graph_emit(&im->graph, "above", XC_TIR_COMPARE,
                                      sides, 2, &(xc_attributes){&predicate, 1},
                                      XC_ELEMENT_I1),
                        mlir, xc_graph_emit_number(&im->graph, 0, element)};
  return xc_onnx_emit_result(im, XC_TIR_SELECT, choice, 3, NULL, element,
                             &order);
}

// x / (1 + |x|)
bool xc_onnx_softsign(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue mlir;
  xc_graph_order order;
  if (!take_input(im, &value, &mlir, &order))
    return false;
  MlirValue size = xc_graph_emit(&im->graph, "abs", XC_TIR_ABS, &mlir, 1, NULL,
                                 XC_ELEMENT_NONE);
  MlirValue operands[] = {
      mlir, xc_graph_emit_with(&im->graph, "one", XC_TIR_ADD, size, 1)};
  return xc_onnx_emit_result(im, XC_TIR_DIV, operands, 2, NULL, XC_ELEMENT_NONE,
                             &order);
}

// detail: 1 for the formula with tanh whatever the attribute says. Some forms
// add a second input, one number per channel, before.
bool xc_onnx_gelu(xc_onnx_importer *im) {
  xc_graph_value *values[2];
  MlirValue x[2];
  xc_graph_order order;
  bool by_tanh = im->row->detail ||
                 strcmp(xc_onnx_string(im, "approximate", "none"), "tanh") == 0;
  bool has_bias = xc_onnx_has_input(im, 1);
  if (has_bias ? !take_two(im, values, x, &order)
               : !take_input(im, values, x, &order))
    return false;
  if (has_bias)
    x[0] = xc_graph_emit_binary(&im->graph, "bias", XC_TIR_ADD, x[0], x[1]);
  return xc_onnx_result(im, 0, xc_graph_emit_gelu(&im->graph, x[0], by_tanh),
                        &order);
}

// x * sigmoid(alpha * x); detail: 1 when nothing is said of alpha and it is 1.
bool xc_onnx_quick_gelu(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue x;
  xc_graph_order order;
  float alpha = xc_onnx_float(im, "alpha", im->row->detail ? 1 : 1.702f);
  if (!take_input(im, &value, &x, &order))
    return false;
  MlirValue gate = alpha == 1
                       ? x
                       : xc_graph_emit_with(&im->graph, "scaled", XC_TIR_MUL, x,
                                            (double)alpha);
  gate = xc_graph_emit_binary(&im->graph, "gate", XC_TIR_SIGMOID, gate,
                              (MlirValue){NULL});
  const MlirValue operands[] = {x, gate};
  return xc_onnx_emit_result(im, XC_TIR_MUL, operands, 2, NULL, XC_ELEMENT_NONE,
                             &order);
}

bool xc_onnx_tan(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue x;
  xc_graph_order order;
  const MlirValue none = {NULL};
  if (!take_input(im, &value, &x, &order))
    return false;
  const MlirValue operands[] = {
      xc_graph_emit_binary(&im->graph, "sin", XC_TIR_SIN, x, none),
      xc_graph_emit_binary(&im->graph, "cos", XC_TIR_COS, x, none)};
  return xc_onnx_emit_result(im, XC_TIR_DIV, operands, 2, NULL, XC_ELEMENT_NONE,
                             &order);
}

// x * tanh(log(1 + exp(x)))
bool xc_onnx_mish(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue mlir;
  xc_graph_order order;
  if (!take_input(im, &value, &mlir, &order))
    return false;
  MlirValue gate = xc_graph_emit(&im->graph, "softplus", XC_TIR_SOFTPLUS, &mlir,
                                 1, NULL, XC_ELEMENT_NONE);
  gate = xc_graph_emit(&im->graph, "tanh", XC_TIR_TANH, &gate, 1, NULL,
                       XC_ELEMENT_NONE);
  const MlirValue operands[] = {mlir, gate};
  return xc_onnx_emit_result(im, XC_TIR_MUL, operands, 2, NULL, XC_ELEMENT_NONE,
                             &order);
}

bool xc_onnx_sign(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue mlir;
  xc_graph_order order;
  return take_input(im, &value, &mlir, &order) &&
         xc_onnx_result(im, 0, xc_graph_emit_sign(&im->graph, mlir), &order);
}

// Nearer to 0 by `bias` beyond lambd and -lambd, 0 between.
bool xc_onnx_shrink(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue x;
  xc_graph_order order;
  if (!take_input(im, &value, &x, &order))
    return false;
  xc_graph *graph = &im->graph;
  double bias = (double)xc_onnx_float(im, "bias", 0);
  double limit = (double)xc_onnx_float(im, "lambd", 0.5f);
  MlirValue below = xc_graph_emit_with(graph, "below", XC_TIR_ADD, x, bias);
  MlirValue above = xc_graph_emit_with(graph, "above", XC_TIR_SUB, x, bias);
  MlirValue result = xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "GT", x, limit), above,
      xc_graph_emit_number(graph, 0, value->shape.element));
  result = xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "LT", x, -limit), below, result);
  return xc_onnx_result(im, 0, result, &order);
}

// Only NaN is not what it is.
bool xc_onnx_is_nan(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue x;
  xc_graph_order order;
  return take_input(im, &value, &x, &order) &&
         xc_onnx_result(im, 0, xc_graph_emit_compare(&im->graph, "NE", x, x),
                        &order);
}

bool xc_onnx_is_inf(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue x;
  xc_graph_order order;
  bool positive = xc_onnx_int(im, "detect_positive", 1) != 0;
  bool negative = xc_onnx_int(im, "detect_negative", 1) != 0;
  if (!take_input(im, &value, &x, &order))
    return false;
  double infinite = positive || negative ? (double)INFINITY : (double)NAN;
  if (positive && negative)
    x = xc_graph_emit_binary(&im->graph, "abs", XC_TIR_ABS, x,
                             (MlirValue){NULL});
  return xc_onnx_result(
      im, 0,
      xc_graph_emit_compare_with(&im->graph, "EQ", x,
                                 negative && !positive ? -infinite : infinite),
      &order);
}

// All bits turned around, which is the order of integers backwards.
bool xc_onnx_bitwise_not(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue x;
  xc_graph_order order;
  if (!take_input(im, &value, &x, &order))
    return false;
  if (xc_element_is_float(value->shape.element))
    return xc_onnx_error(im, "has an input of floats, expected integers");
  return xc_onnx_result(im, 0, xc_graph_emit_reverse(&im->graph, NULL, x),
                        &order);
}

// 1 / x
bool xc_onnx_reciprocal(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue mlir;
  xc_graph_order order;
  if (!take_input(im, &value, &mlir, &order))
    return false;
  MlirValue operands[] = {
      xc_graph_emit_number(&im->graph, 1, value->shape.element), mlir};
  return xc_onnx_emit_result(im, XC_TIR_DIV, operands, 2, NULL, XC_ELEMENT_NONE,
                             &order);
}

//===----------------------------------------------------------------------===//
// Two operands and more
//===----------------------------------------------------------------------===//

// detail: the tir operator.
bool xc_onnx_binary(xc_onnx_importer *im) {
  xc_graph_value *values[2];
  MlirValue operands[2];
  xc_graph_order order;
  if (!take_two(im, values, operands, &order))
    return false;
  xc_element element = values[0]->shape.element;
  if (im->row->detail == XC_TIR_POW && values[1]->shape.element != element)
    operands[1] = xc_graph_emit_cast(&im->graph, "cast", operands[1], element);
  return xc_onnx_emit_result(im, (xc_op_kind)im->row->detail, operands, 2, NULL,
                             XC_ELEMENT_NONE, &order);
}

// detail: 0 and, 1 or, 2 exclusive or.
bool xc_onnx_bitwise(xc_onnx_importer *im) {
  static const char *const words[] = {"AND", "OR", "XOR"};
  xc_graph_value *values[2];
  MlirValue operands[2];
  xc_graph_order order;
  const xc_attribute attributes[] = {xc_string("type", words[im->row->detail])};
  return take_two(im, values, operands, &order) &&
         xc_onnx_emit_result(im, XC_TIR_BITWISE, operands, 2,
                             XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE,
                             &order);
}

bool xc_onnx_mod(xc_onnx_importer *im) {
  xc_graph_value *values[2];
  MlirValue operands[2];
  xc_graph_order order;
  return take_two(im, values, operands, &order) &&
         xc_onnx_result(im, 0,
                        xc_graph_emit_modulo(&im->graph, operands[0],
                                             operands[1],
                                             !xc_onnx_int(im, "fmod", 0)),
                        &order);
}

// 2^i for every number of bits.
static MlirValue emit_powers(xc_onnx_importer *im, xc_element element) {
  xc_shape shape = {.element = element, .rank = 1};
  shape.dims[0] = (int64_t)(8 * xc_element_size(element));
  void *powers = xc_arena_alloc(&im->graph.arena, (size_t)shape.dims[0],
                                xc_element_size(element));
  for (int64_t i = 0; i < shape.dims[0]; ++i)
    xc_graph_store(element, powers, i,
                   (xc_graph_number){.integer = (int64_t)(UINT64_C(1) << i)});
  return xc_graph_get_plain(
      &im->graph,
      xc_graph_constant(&im->graph, "powers", &shape, powers, false));
}

// Multiplied with or divided by a power of two; 0 is left of more bits than
// there are.
bool xc_onnx_bit_shift(xc_onnx_importer *im) {
  xc_graph_value *values[2];
  MlirValue operands[2];
  xc_graph_order order;
  const char *direction = xc_onnx_string(im, "direction", "");
  bool is_left = strcmp(direction, "LEFT") == 0;
  if (!is_left && strcmp(direction, "RIGHT") != 0)
    return xc_onnx_error(im,
                         "attribute 'direction' is '%s', expected 'LEFT' or "
                         "'RIGHT'",
                         direction);
  if (!take_two(im, values, operands, &order))
    return false;
  xc_graph *graph = &im->graph;
  xc_element element = values[0]->shape.element;
  double last = 8 * (double)xc_element_size(element) - 1;
  const xc_attribute attributes[] = {xc_int("axis", 0)};
  const MlirValue pick[] = {
      emit_powers(im, element),
      xc_graph_emit_cast(
          graph, "index",
          xc_graph_emit_with(graph, "most", XC_TIR_MIN, operands[1], last),
          XC_ELEMENT_I64)};
  MlirValue power = xc_graph_emit(graph, "power", XC_TIR_GATHER, pick, 2,
                                  XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  MlirValue shifted = xc_graph_emit_binary(
      graph, "shifted", is_left ? XC_TIR_MUL : XC_TIR_DIV, operands[0], power);
  return xc_onnx_result(
      im, 0,
      xc_graph_emit_select(
          graph, xc_graph_emit_compare_with(graph, "GT", operands[1], last),
          xc_graph_emit_number(graph, 0, element), shifted),
      &order);
}

// detail: the tir operator; Mean adds and divides.
bool xc_onnx_nary(xc_onnx_importer *im) {
  xc_graph_value **values;
  size_t count;
  xc_graph_order order;
  if (!xc_onnx_all_inputs(im, &values, &count))
    return false;
  if (count == 1)
    return xc_onnx_result_alias(im, 0, values[0]);
  MlirValue *operands =
      xc_arena_alloc(&im->graph.arena, count, sizeof(*operands));
  if (!xc_graph_broadcast(&im->graph, values, count, operands, &order))
    return false;
  xc_op_kind kind = (xc_op_kind)im->row->detail;
  bool is_mean = strcmp(im->node->op_type, "Mean") == 0;
  MlirValue both[2] = {operands[0]};
  for (size_t i = 1; i < count; ++i) {
    both[1] = operands[i];
    both[0] = i + 1 == count && !is_mean
                  ? xc_graph_emit(&im->graph, NULL, kind, both, 2, NULL,
                                  XC_ELEMENT_NONE)
                  : xc_graph_emit(&im->graph, "part", kind, both, 2, NULL,
                                  XC_ELEMENT_NONE);
  }
  if (is_mean)
    both[0] = xc_graph_emit_with(&im->graph, "mean", XC_TIR_DIV, both[0],
                                 (double)count);
  return xc_onnx_result(im, 0, both[0], &order);
}

// A slope per channel must be [C, 1, ...] to broadcast; older exporters write
// [C].
static bool align_slope(xc_onnx_importer *im, const xc_graph_value *input,
                        xc_graph_value **slope) {
  size_t rank = input->shape.rank;
  int64_t dims[XC_MAX_RANK] = {0};
  if ((*slope)->shape.rank != 1 || rank < 3 ||
      (*slope)->shape.dims[0] != input->shape.dims[1] ||
      (*slope)->shape.dims[0] == input->shape.dims[rank - 1])
    return true;
  for (size_t i = 0; i + 1 < rank; ++i)
    dims[i] = i == 0 ? (*slope)->shape.dims[0] : 1;
  *slope = xc_graph_reshape(&im->graph, *slope, dims, rank - 1);
  return *slope != NULL;
}

bool xc_onnx_prelu(xc_onnx_importer *im) {
  xc_graph_value *values[2];
  MlirValue operands[2];
  xc_graph_order order;
  return xc_onnx_need_input(im, 0, &values[0]) &&
         xc_onnx_need_input(im, 1, &values[1]) &&
         align_slope(im, values[0], &values[1]) &&
         xc_graph_broadcast(&im->graph, values, 2, operands, &order) &&
         xc_onnx_emit_result(im, XC_TIR_PRELU, operands, 2, NULL,
                             XC_ELEMENT_NONE, &order);
}

// detail: index of the predicate.
bool xc_onnx_compare(xc_onnx_importer *im) {
  static const char *const words[] = {"EQ", "LT", "LE", "GT", "GE"};
  xc_graph_value *values[2];
  MlirValue operands[2];
  xc_graph_order order;
  xc_attribute predicate = xc_string("predicate", words[im->row->detail]);
  return take_two(im, values, operands, &order) &&
         xc_onnx_emit_result(im, XC_TIR_COMPARE, operands, 2,
                             &(xc_attributes){&predicate, 1}, XC_ELEMENT_I1,
                             &order);
}

// detail: index of the enumerator.
bool xc_onnx_logical(xc_onnx_importer *im) {
  static const char *const words[] = {"AND", "OR", "XOR", "NOT"};
  enum { NOT = 3 };
  xc_graph_value *values[2];
  MlirValue operands[2];
  xc_graph_order order;
  bool is_unary = im->row->detail == NOT;
  xc_attribute type = xc_string("type", words[im->row->detail]);
  if (is_unary ? !take_input(im, values, operands, &order)
               : !take_two(im, values, operands, &order))
    return false;
  return xc_onnx_emit_result(im, XC_TIR_LOGICAL, operands, is_unary ? 1 : 2,
                             &(xc_attributes){&type, 1}, XC_ELEMENT_I1, &order);
}

bool xc_onnx_where(xc_onnx_importer *im) {
  xc_graph_value *values[3];
  MlirValue operands[3];
  xc_graph_order order;
  for (size_t i = 0; i < 3; ++i)
    if (!xc_onnx_need_input(im, i, &values[i]))
      return false;
  return xc_graph_broadcast(&im->graph, values, 3, operands, &order) &&
         xc_onnx_emit_result(im, XC_TIR_SELECT, operands, 3, NULL,
                             values[1]->shape.element, &order);
}

//===----------------------------------------------------------------------===//
// Clip
//===----------------------------------------------------------------------===//

/// A bound of Clip: absent, a number, or computed at run time.
typedef struct clip_bound {
  bool given;
  xc_graph_value *value;
  double number;
} clip_bound;

static clip_bound read_bound(const xc_onnx_importer *im, size_t input,
                             const char *name) {
  enum { AS_INPUTS = 11 };
  clip_bound bound = {false, NULL, 0};
  if (im->opset < AS_INPUTS) {
    bound.given = xc_onnx_attribute(im, name) != NULL;
    bound.number = (double)xc_onnx_float(im, name, 0);
    return bound;
  }
  bound.value = xc_onnx_input(im, input);
  bound.given = bound.value != NULL;
  if (bound.value && bound.value->data &&
      xc_shape_num_elements(&bound.value->shape) == 1) {
    bound.number = xc_graph_to_real(xc_graph_load(bound.value, 0));
    if (xc_element_is_float(bound.value->shape.element))
      bound.value = NULL;
  }
  return bound;
}

static bool clip_at_run_time(xc_onnx_importer *im, xc_graph_value *input,
                             const clip_bound *low, const clip_bound *high) {
  xc_graph_order order = xc_graph_cheapest(input);
  MlirValue operands[2] = {xc_graph_get(&im->graph, input, &order)};
  const clip_bound *bounds[] = {low, high};
  for (size_t i = 0; i < 2; ++i) {
    if (!bounds[i]->given)
      continue;
    operands[1] = bounds[i]->value
                      ? xc_graph_get_plain(&im->graph, bounds[i]->value)
                      : xc_graph_emit_number(&im->graph, bounds[i]->number,
                                             input->shape.element);
    operands[0] =
        xc_graph_emit(&im->graph, NULL, i == 0 ? XC_TIR_MAX : XC_TIR_MIN,
                      operands, 2, NULL, XC_ELEMENT_NONE);
  }
  return xc_onnx_result(im, 0, operands[0], &order);
}

bool xc_onnx_clip(xc_onnx_importer *im) {
  xc_graph_value *value;
  MlirValue input;
  xc_graph_order order;
  clip_bound low = read_bound(im, 1, "min");
  clip_bound high = read_bound(im, 2, "max");
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  if (!low.given && !high.given)
    return xc_onnx_result_alias(im, 0, value);
  if (low.value || high.value)
    return clip_at_run_time(im, value, &low, &high);
  if (!take_input(im, &value, &input, &order))
    return false;
  // The smaller bound wins.
  if (low.given && high.given && low.number > high.number)
    low.number = high.number;
  bool is_relu6 =
      low.given && low.number == 0 && high.given && high.number == 6;
  bool is_relu = low.given && low.number == 0 && !high.given;
  if (is_relu6 || is_relu)
    return xc_onnx_result(
        im, 0,
        emit_unary(im, is_relu6 ? XC_TIR_RELU6 : XC_TIR_RELU, input, NULL, 0),
        &order);
  xc_attribute attributes[2];
  size_t count = 0;
  if (low.given)
    attributes[count++] = xc_float("min", low.number);
  if (high.given)
    attributes[count++] = xc_float("max", high.number);
  return xc_onnx_result(
      im, 0, emit_unary(im, XC_TIR_CLIP, input, attributes, count), &order);
}
