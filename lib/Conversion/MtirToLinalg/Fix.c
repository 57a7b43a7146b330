//===- Fix.c - elementwise operators in fixed point -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fix.h"

#include "Interpreter/Fix.h"

#include <string.h>

enum { BYTE_BITS = 9 }; // of a signed or unsigned byte

int xc_fix_point(const xc_lowering *l, const char *name) {
  return (int)xc_view_int(l->call.view, name);
}

XcFixType xc_fix_output_type(const xc_lowering *l) {
  return xc_fix_type(l->call.output.shape.element);
}

MlirValue xc_fix_value(xc_lowering *l, size_t slot, MlirValue raw) {
  xc_element element = l->call.operands[slot].shape.element;
  return xc_element_min(element) == 0 ? xc_ir_uint_cast(&l->ir, raw, l->ir.i32)
                                      : xc_ir_int_cast(&l->ir, raw, l->ir.i32);
}

MlirValue xc_fix_raw(xc_lowering *l, MlirValue value) {
  return xc_ir_int_cast(&l->ir, value, l->ir.i8);
}

MlirValue xc_fix_rescale(xc_lowering *l, size_t slot, int from, MlirValue raw) {
  int shift = from - xc_fix_point(l, "output_fix_point");
  if (shift == 0 &&
      l->call.operands[slot].shape.element == l->call.output.shape.element)
    return raw;
  xc_ir_bounded value = {xc_fix_value(l, slot, raw), BYTE_BITS};
  return xc_fix_raw(l, xc_ir_round_saturate(&l->ir, value, shift,
                                            xc_call_round_mode(&l->call),
                                            xc_fix_output_type(l)));
}

//===----------------------------------------------------------------------===//
// The boundary
//===----------------------------------------------------------------------===//

static XcFixType attribute_type(const xc_lowering *l) {
  return (XcFixType){(uint8_t)xc_view_int(l->call.view, "bit_width"),
                     xc_view_bool(l->call.view, "if_signed")};
}

static MlirValue to_fix(xc_lowering *l, MlirValue raw) {
  MlirValue real =
      xc_element_to_real(&l->ir, l->call.operands[0].shape.element, raw);
  return xc_ir_float_to_fix(&l->ir, real, xc_fix_point(l, "fix_point"),
                            attribute_type(l), xc_call_round_mode(&l->call));
}

static MlirValue to_float(xc_lowering *l, MlirValue value) {
  MlirValue real =
      xc_ir_fix_to_float(&l->ir, value, xc_fix_point(l, "fix_point"));
  return xc_element_of_real(&l->ir, l->call.output.shape.element,
                            xc_ir_float_cast(&l->ir, real, l->ir.f64));
}

static MlirValue float2fix_cell(xc_lowering *l, const MlirValue *raw,
                                const void *state) {
  (void)state;
  return xc_element_of_int(&l->ir, l->call.output.shape.element,
                           to_fix(l, raw[0]));
}

static MlirValue fix2float_cell(xc_lowering *l, const MlirValue *raw,
                                const void *state) {
  (void)state;
  return to_float(
      l, xc_element_to_int(&l->ir, l->call.operands[0].shape.element, raw[0]));
}

static MlirValue fix_cell(xc_lowering *l, const MlirValue *raw,
                          const void *state) {
  (void)state;
  return to_float(l, to_fix(l, raw[0]));
}

static bool lower_unary(xc_lowering *l, xc_cell cell, const void *state) {
  const size_t slot = 0;
  xc_linalg_elementwise(l, &slot, 1, cell, state);
  return true;
}

bool xc_linalg_float2fix(xc_lowering *l) {
  return lower_unary(l, float2fix_cell, NULL);
}
bool xc_linalg_fix2float(xc_lowering *l) {
  return lower_unary(l, fix2float_cell, NULL);
}
bool xc_linalg_fix(xc_lowering *l) { return lower_unary(l, fix_cell, NULL); }

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

static XcFixEpilogue epilogue_of(const xc_lowering *l, int from,
                                 XcActivation activation) {
  int to = xc_fix_point(l, "output_fix_point");
  return (XcFixEpilogue){.shiftCut = from - to,
                         .roundMode = xc_call_round_mode(&l->call),
                         .type = xc_fix_output_type(l),
                         .activation = activation,
                         .outputFixPoint = to};
}

static MlirValue activation_cell(xc_lowering *l, const MlirValue *raw,
                                 const void *state) {
  const XcFixEpilogue *epilogue = state;
  xc_ir_bounded value = {xc_fix_value(l, 0, raw[0]), BYTE_BITS}, none = {0};
  return xc_fix_raw(l, xc_ir_fix_epilogue(&l->ir, epilogue, value, none));
}

bool xc_linalg_activation_fix(xc_lowering *l) {
  xc_op_kind kind = l->call.view->info->kind;
  XcActivation activation = kind == XC_TIR_RELU_FIX    ? XcActivationRelu
                            : kind == XC_TIR_RELU6_FIX ? XcActivationRelu6
                                                       : XcActivationLeakyRelu;
  XcFixEpilogue epilogue =
      epilogue_of(l, xc_fix_point(l, "input_fix_point"), activation);
  return lower_unary(l, activation_cell, &epilogue);
}

static MlirValue hard_cell(xc_lowering *l, const MlirValue *raw,
                           const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  bool swish = l->call.view->info->kind == XC_TIR_HARD_SWISH_FIX;
  int in = xc_fix_point(l, "input_fix_point");
  int out = xc_fix_point(l, "output_fix_point");
  const XcFixType byte = {8, true}, type = xc_fix_output_type(l);
  MlirValue t = xc_ir_int_cast(ir, xc_fix_value(l, 0, raw[0]), ir->i64);
  MlirValue h = xc_ir_hard_sigmoid(ir, t, in, 14 + in - (swish ? 7 : out));
  if (!swish)
    return xc_fix_raw(l, xc_ir_saturate(ir, h, type));
  MlirValue product = xc_ir_mul(ir, t, xc_ir_saturate(ir, h, byte));
  xc_ir_bounded bounded = {product, 18};
  return xc_fix_raw(
      l, xc_ir_round_saturate(ir, bounded, in + 7 - out, XcRoundModeDpu, type));
}

static bool check_point(const xc_lowering *l, const char *name, int low,
                        int high) {
  int value = xc_fix_point(l, name);
  if (value >= low && value <= high)
    return true;
  return xc_view_error(l->call.view, "attribute '%s' is %d, expected %d to %d",
                       name, value, low, high);
}

bool xc_linalg_hard_fix(xc_lowering *l) {
  bool swish = l->call.view->info->kind == XC_TIR_HARD_SWISH_FIX;
  int in = xc_fix_point(l, "input_fix_point");
  return check_point(l, "input_fix_point", 0, 15) &&
         check_point(l, "output_fix_point", swish ? in - 8 : 7,
                     swish ? in + 7 : in + 14) &&
         lower_unary(l, hard_cell, NULL);
}

//===----------------------------------------------------------------------===//
// Several inputs
//===----------------------------------------------------------------------===//

static MlirValue prelu_cell(xc_lowering *l, const MlirValue *raw,
                            const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  int cut =
      xc_fix_point(l, "input_fix_point") - xc_fix_point(l, "output_fix_point");
  XcRoundMode mode = xc_call_round_mode(&l->call);
  XcFixType type = xc_fix_output_type(l);
  xc_ir_bounded value = {xc_fix_value(l, 0, raw[0]), BYTE_BITS};
  xc_ir_bounded product = {
      xc_ir_mul(ir, value.value, xc_fix_value(l, 1, raw[1])), 2 * BYTE_BITS};
  MlirValue below = xc_ir_round_saturate(
      ir, product, cut + xc_fix_point(l, "slope_fix_point"), mode, type);
  MlirValue above = xc_ir_round_saturate(ir, value, cut, mode, type);
  MlirValue negative = xc_ir_comparei(ir, XC_IR_LT, value.value, 0);
  return xc_ir_select(ir, negative, xc_fix_raw(l, below), xc_fix_raw(l, above));
}

bool xc_linalg_prelu_fix(xc_lowering *l) {
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, prelu_cell, NULL);
  return true;
}

typedef struct combination {
  XcFixEpilogue epilogue;
  bool multiply;
  size_t slots[XC_MAX_OPERANDS];
  int points[XC_MAX_OPERANDS]; // above the smallest
  size_t count;
} combination;

// value * 4 >> shift_read.
static MlirValue add_term(const xc_ir *ir, MlirValue value, int shift_read) {
  if (shift_read <= XC_FIX_ADD_GUARD_BITS)
    return xc_ir_shli(ir, value, XC_FIX_ADD_GUARD_BITS - shift_read);
  int shift = shift_read - XC_FIX_ADD_GUARD_BITS;
  return xc_ir_shri(ir, value, shift < 31 ? shift : 31);
}

static MlirValue combine_cell(xc_lowering *l, const MlirValue *raw,
                              const void *state) {
  const xc_ir *ir = &l->ir;
  const combination *c = state;
  xc_ir_bounded sum = {{NULL}, 0}, none = {0};
  for (size_t i = 0; i < c->count; ++i) {
    MlirValue value = xc_fix_value(l, c->slots[i], raw[i]);
    if (c->multiply) {
      sum.bits += BYTE_BITS;
      value = xc_ir_widen(ir, value, BYTE_BITS * (unsigned)c->count);
      sum.value = i ? xc_ir_mul(ir, sum.value, value) : value;
    } else {
      value = add_term(ir, value, c->points[i]);
      sum.value = i ? xc_ir_add(ir, sum.value, value) : value;
    }
  }
  if (!c->multiply)
    sum.bits =
        BYTE_BITS + XC_FIX_ADD_GUARD_BITS + xc_ir_bits_of((int64_t)c->count);
  return xc_fix_raw(l, xc_ir_fix_epilogue(ir, &c->epilogue, sum, none));
}

static bool combine(xc_lowering *l, bool multiply, const int *points,
                    size_t inputs) {
  const char *word = xc_view_word(l->call.view, "nonlinear");
  XcActivation activation = XcActivationNone;
  xcActivationParse(word, strlen(word), &activation);
  if (!xc_fix_plain_activation(&l->call, activation))
    return false;
  int from = points[0];
  for (size_t i = 1; i < inputs; ++i)
    from = multiply ? from + points[i] : points[i] < from ? points[i] : from;
  combination c = {.multiply = multiply, .count = inputs};
  for (size_t slot = 0, i = 0; i < inputs; ++slot)
    if (l->call.operands[slot].data) {
      c.slots[i] = slot;
      c.points[i] = points[i] - from;
      ++i;
    }
  c.epilogue = epilogue_of(l, multiply ? from : from + XC_FIX_ADD_GUARD_BITS,
                           activation);
  xc_linalg_elementwise(l, c.slots, inputs, combine_cell, &c);
  return true;
}

bool xc_linalg_eltwise_fix(xc_lowering *l) {
  int points[XC_MAX_OPERANDS] = {0};
  size_t inputs = xc_view_num_inputs(l->call.view);
  for (size_t i = 0; i < inputs; ++i)
    points[i] = xc_call_input_point(&l->call, i);
  return combine(l, xc_call_is(&l->call, "type", "MUL"), points, inputs);
}

bool xc_linalg_depthwise_fix(xc_lowering *l) {
  const int points[] = {xc_fix_point(l, "input_fix_point"),
                        xc_fix_point(l, "weight_fix_point")};
  int apart = points[0] - points[1];
  bool multiply = xc_call_is(&l->call, "type", "MUL");
  if (!multiply && (apart > 24 || apart < -24))
    return xc_view_error(l->call.view,
                         "has fix points %d and %d, expected at most 24 apart",
                         points[0], points[1]);
  return combine(l, multiply, points, 2);
}
