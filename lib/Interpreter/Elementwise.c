//===- Elementwise.c - floating-point operators on single elements --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

typedef struct parameters {
  double a, b;
} parameters;

static double relu(double x) { return x < 0 ? 0 : x; }
static double leaky_relu(double x, parameters p) { return x < 0 ? p.a * x : x; }
static double clip(double x, parameters p) {
  return x < p.a ? p.a : x > p.b ? p.b : x;
}
static double hard_sigmoid(double x, parameters p) {
  return clip(p.a * x + p.b, (parameters){0, 1});
}
static double hard_swish(double x) {
  return x * clip(x + 3, (parameters){0, 6}) / 6;
}
static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double elu(double x, parameters p) { return x < 0 ? p.a * expm1(x) : x; }
static double softplus(double x) {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}
static double negate(double x) { return -x; }
static double reciprocal_root(double x) { return 1 / sqrt(x); }

typedef struct unary_row {
  xc_op_kind kind;
  double (*plain)(double x); // null: `function`, with parameters
  double (*function)(double x, parameters p);
  xc_attr a, b;     // float attributes
  parameters fixed; // where there is no attribute
} unary_row;

static const unary_row unary_rows[] = {
    {.kind = XC_TIR_RELU, .plain = relu},
    {.kind = XC_TIR_LEAKY_RELU, .function = leaky_relu, .a = XC_ATTR_ALPHA},
    {.kind = XC_TIR_RELU6, .function = clip, .fixed = {0, 6}},
    {.kind = XC_TIR_CLIP, .function = clip, .a = XC_ATTR_MIN, .b = XC_ATTR_MAX},
    {.kind = XC_TIR_HARD_SIGMOID,
     .function = hard_sigmoid,
     .a = XC_ATTR_ALPHA,
     .b = XC_ATTR_BETA},
    {.kind = XC_TIR_HARD_SWISH, .plain = hard_swish},
    {.kind = XC_TIR_SIGMOID, .plain = sigmoid},
    {.kind = XC_TIR_TANH, .plain = tanh},
    {.kind = XC_TIR_ELU, .function = elu, .a = XC_ATTR_ALPHA},
    {.kind = XC_TIR_SOFTPLUS, .plain = softplus},
    {.kind = XC_TIR_NEG, .plain = negate},
    {.kind = XC_TIR_ABS, .plain = fabs},
    {.kind = XC_TIR_EXP, .plain = exp},
    {.kind = XC_TIR_LOG, .plain = log},
    {.kind = XC_TIR_SQRT, .plain = sqrt},
    {.kind = XC_TIR_RSQRT, .plain = reciprocal_root},
    {.kind = XC_TIR_ERF, .plain = erf},
    {.kind = XC_TIR_SIN, .plain = sin},
    {.kind = XC_TIR_COS, .plain = cos},
    {.kind = XC_TIR_ATAN, .plain = atan},
    {.kind = XC_TIR_FLOOR, .plain = floor},
    {.kind = XC_TIR_CEIL, .plain = ceil},
    {.kind = XC_TIR_ROUND, .plain = nearbyint},
};

static double unary_real(const unary_row *row, double x, parameters p) {
  return row->plain ? row->plain(x) : row->function(x, p);
}

// The operators on integers that wrap. clip goes through reals: its limits
// are reals.
static int64_t unary_int(xc_op_kind kind, xc_element element, int64_t x) {
  bool negative = x < 0 && element != XC_ELEMENT_UI64;
  bool flip = kind == XC_TIR_NEG || (kind == XC_TIR_ABS && negative);
  if (kind == XC_TIR_RELU)
    return negative ? 0 : x;
  return flip ? (int64_t)(0 - (uint64_t)x) : x;
}

bool xc_interpret_unary(xc_kernel_call *call) {
  const unary_row *row = unary_rows;
  while (row->kind != call->op->info->kind)
    ++row;
  xc_element element = call->output.shape.element;
  int64_t count = xc_tensor_count(&call->output);
  const xc_tensor *input = &call->operands[XC_RELU_INPUT];
  if (!xc_element_is_float(element) && row->kind != XC_TIR_CLIP) {
    for (int64_t i = 0; i < count; ++i)
      xc_set_int(&call->output, i,
                 unary_int(row->kind, element, xc_get_int(input, i)));
    return true;
  }
  parameters p = row->fixed;
  if (row->a)
    p.a = xc_attr_float(call->op, row->a);
  if (row->b)
    p.b = xc_attr_float(call->op, row->b);
  if (xc_element_is_float(element)) {
    for (int64_t i = 0; i < count; ++i)
      xc_set_real(&call->output, i, unary_real(row, xc_get_real(input, i), p));
    return true;
  }
  for (int64_t i = 0; i < count; ++i) {
    double x = xc_get_real(input, i);
    double y = unary_real(row, x, p);
    // An integer that a limit does not touch keeps its low bits.
    if (y == x)
      xc_set_int(&call->output, i, xc_get_int(input, i));
    else
      xc_set_real(&call->output, i, y);
  }
  return true;
}

bool xc_interpret_table(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[XC_TABLE_INPUT],
                  *table = &call->operands[XC_TABLE_TABLE];
  const uint8_t *bits = input->data;
  const char *entries = table->data;
  char *to = call->output.data;
  size_t size = xc_element_size(table->shape.element);
  size_t rows = table->shape.rank == 2 ? (size_t)table->shape.dims[0] : 1;
  size_t count = (size_t)xc_tensor_count(input);
  for (size_t i = 0; i < count; ++i)
    memcpy(to + i * size,
           entries + (i % rows * XC_TABLE_ENTRIES + bits[i]) * size, size);
  return true;
}

//===----------------------------------------------------------------------===//
// Two inputs
//===----------------------------------------------------------------------===//

static double binary_real(xc_op_kind kind, double a, double b) {
  if (kind == XC_TIR_ADD)
    return a + b;
  if (kind == XC_TIR_SUB)
    return a - b;
  if (kind == XC_TIR_MUL)
    return a * b;
  if (kind == XC_TIR_DIV)
    return a / b;
  if (kind == XC_TIR_POW)
    return pow(a, b);
  if (isnan(a) || isnan(b))
    return a + b;
  return kind == XC_TIR_MIN ? (a < b ? a : b) : (a > b ? a : b);
}

// b > 0 wraps; a negative exponent truncates towards zero as a quotient.
static int64_t power_int(int64_t a, int64_t b) {
  if (b < 0)
    return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
  uint64_t result = 1, base = (uint64_t)a;
  for (; b > 0; b >>= 1, base *= base)
    if (b & 1)
      result *= base;
  return (int64_t)result;
}

static bool less_int(xc_element element, int64_t a, int64_t b) {
  return element == XC_ELEMENT_UI64 ? (uint64_t)a < (uint64_t)b : a < b;
}

static int64_t divide_int(xc_element element, int64_t a, int64_t b) {
  if (element == XC_ELEMENT_UI64)
    return (int64_t)((uint64_t)a / (uint64_t)b);
  // The one quotient that overflows wraps.
  return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t binary_int(xc_op_kind kind, xc_element element, int64_t a,
                          int64_t b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  if (kind == XC_TIR_ADD)
    return (int64_t)(x + y);
  if (kind == XC_TIR_SUB)
    return (int64_t)(x - y);
  if (kind == XC_TIR_MUL)
    return (int64_t)(x * y);
  if (kind == XC_TIR_DIV)
    return divide_int(element, a, b);
  if (kind == XC_TIR_POW)
    return power_int(a, b);
  return less_int(element, a, b) == (kind == XC_TIR_MIN) ? a : b;
}

static xc_walk walk_operands(const xc_kernel_call *call, size_t count) {
  xc_walk walk = xc_walk_begin(&call->output.shape);
  for (size_t slot = 0; slot < count; ++slot)
    xc_walk_broadcast(&walk, &call->operands[slot].shape);
  return walk;
}

bool xc_interpret_binary(xc_kernel_call *call) {
  xc_op_kind kind = call->op->info->kind;
  const xc_tensor *a = &call->operands[XC_ADD_A],
                  *b = &call->operands[XC_ADD_B];
  xc_element element = call->output.shape.element;
  bool real = xc_element_is_float(element);
  xc_walk walk = walk_operands(call, 2);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    if (real) {
      xc_set_real(&call->output, i,
                  binary_real(kind, xc_get_real(a, walk.offset[0]),
                              xc_get_real(b, walk.offset[1])));
      continue;
    }
    int64_t x = xc_get_int(a, walk.offset[0]);
    int64_t y = xc_get_int(b, walk.offset[1]);
    if (kind == XC_TIR_DIV && y == 0)
      return xc_adaptor_error(call->op, "divides an integer by zero");
    xc_set_int(&call->output, i, binary_int(kind, element, x, y));
  }
  return true;
}

bool xc_interpret_bitwise(xc_kernel_call *call) {
  const xc_tensor *a = &call->operands[XC_BITWISE_A],
                  *b = &call->operands[XC_BITWISE_B];
  bool is_and = xc_attr_is(call->op, XC_ATTR_TYPE, XC_ENUM_AND);
  bool is_or = xc_attr_is(call->op, XC_ATTR_TYPE, XC_ENUM_OR);
  xc_walk walk = walk_operands(call, 2);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    uint64_t x = (uint64_t)xc_get_int(a, walk.offset[0]);
    uint64_t y = (uint64_t)xc_get_int(b, walk.offset[1]);
    xc_set_int(&call->output, i,
               (int64_t)(is_and  ? x & y
                         : is_or ? x | y
                                 : x ^ y));
  }
  return true;
}

void xc_combine_elements(const xc_tensor *to, int64_t i, xc_op_kind kind,
                         const xc_tensor *from, int64_t j) {
  xc_element element = to->shape.element;
  if (xc_element_is_float(element))
    xc_set_real(to, i,
                binary_real(kind, xc_get_real(to, i), xc_get_real(from, j)));
  else
    xc_set_int(
        to, i,
        binary_int(kind, element, xc_get_int(to, i), xc_get_int(from, j)));
}

bool xc_interpret_prelu(xc_kernel_call *call) {
  xc_walk walk = walk_operands(call, 2);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    double x = xc_get_real(&call->operands[XC_PRELU_INPUT], i);
    double slope = xc_get_real(&call->operands[XC_PRELU_SLOPE], walk.offset[1]);
    xc_set_real(&call->output, i, x < 0 ? slope * x : x);
  }
  return true;
}

// -1, 0, 1; 2 when a NaN makes them unordered.
static int compare_at(const xc_tensor *a, int64_t i, const xc_tensor *b,
                      int64_t j) {
  xc_element element = a->shape.element;
  if (xc_element_is_float(element)) {
    double x = xc_get_real(a, i), y = xc_get_real(b, j);
    return isnan(x) || isnan(y) ? 2 : (x > y) - (x < y);
  }
  int64_t x = xc_get_int(a, i), y = xc_get_int(b, j);
  return less_int(element, y, x) - less_int(element, x, y);
}

bool xc_interpret_compare(xc_kernel_call *call) {
  // Which of less, equal, greater, unordered make the predicate true.
  static const struct {
    xc_enum value;
    bool is_true[4];
  } rows[] = {{XC_ENUM_EQ, {false, true, false, false}},
              {XC_ENUM_NE, {true, false, true, true}},
              {XC_ENUM_LT, {true, false, false, false}},
              {XC_ENUM_LE, {true, true, false, false}},
              {XC_ENUM_GT, {false, false, true, false}},
              {XC_ENUM_GE, {false, true, true, false}}};
  size_t row = 0;
  while (!xc_attr_is(call->op, XC_ATTR_PREDICATE, rows[row].value))
    ++row;
  xc_walk walk = walk_operands(call, 2);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int order = compare_at(&call->operands[XC_COMPARE_A], walk.offset[0],
                           &call->operands[XC_COMPARE_B], walk.offset[1]);
    xc_set_int(&call->output, i, rows[row].is_true[order + 1]);
  }
  return true;
}

bool xc_interpret_logical(xc_kernel_call *call) {
  // Results for both false, one true, both true.
  static const struct {
    xc_enum value;
    bool result[3];
  } rows[] = {{XC_ENUM_AND, {false, false, true}},
              {XC_ENUM_OR, {false, true, true}},
              {XC_ENUM_XOR, {false, true, false}},
              {XC_ENUM_NOT, {true, false, false}}};
  size_t row = 0;
  while (!xc_attr_is(call->op, XC_ATTR_TYPE, rows[row].value))
    ++row;
  bool binary = call->operands[XC_LOGICAL_B].data != NULL;
  xc_walk walk = walk_operands(call, binary ? 2 : 1);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int64_t count = xc_get_int(&call->operands[XC_LOGICAL_A], walk.offset[0]);
    if (binary)
      count += xc_get_int(&call->operands[XC_LOGICAL_B], walk.offset[1]);
    xc_set_int(&call->output, i, rows[row].result[count]);
  }
  return true;
}

bool xc_interpret_select(xc_kernel_call *call) {
  size_t size = xc_element_size(call->output.shape.element);
  xc_walk walk = walk_operands(call, 3);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    size_t slot =
        xc_get_int(&call->operands[XC_SELECT_CONDITION], walk.offset[0]) ? 1
                                                                         : 2;
    const char *from = call->operands[slot].data;
    memcpy((char *)call->output.data + (size_t)i * size,
           from + (size_t)walk.offset[slot] * size, size);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

// Truncates. Numbers outside of the result type wrap; those outside of 64 bits
// become the least integer, as the conversion instructions of the host give it.
static int64_t wrap_real(double value) {
  double whole = trunc(value);
  if (whole >= -0x1p63 && whole < 0x1p63)
    return (int64_t)whole;
  return whole >= 0x1p63 && whole < 0x1p64 ? (int64_t)(uint64_t)whole
                                           : INT64_MIN;
}

bool xc_interpret_cast(xc_kernel_call *call) {
  const xc_tensor *in = &call->operands[XC_CAST_INPUT], *out = &call->output;
  bool saturate = xc_attr_bool(call->op, XC_ATTR_SATURATE);
  bool from_real = xc_element_is_float(in->shape.element);
  bool to_real = xc_element_is_float(out->shape.element);
  bool to_bool = out->shape.element == XC_ELEMENT_I1;
  int64_t count = xc_tensor_count(out);
  for (int64_t i = 0; i < count; ++i) {
    if (to_real || (from_real && (saturate || to_bool)))
      xc_set_real(out, i, xc_get_real(in, i));
    else if (from_real)
      xc_set_int(out, i, wrap_real(xc_get_real(in, i)));
    else
      xc_set_int(out, i, xc_get_int(in, i));
  }
  return true;
}
