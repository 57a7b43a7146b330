//===- Fix.c - elementwise operators in fixed point -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fix.h"

enum { BYTE_BITS = 9 }; // of a signed or unsigned byte

/// Reads a raw 8-bit element as an i32 or wider.
static MlirValue fix_value(xc_lowering *l, size_t slot, MlirValue raw) {
  xc_element element = l->shapes[slot].element;
  return xc_element_min(element) == 0 ? xc_ir_uint_cast(&l->ir, raw, l->ir.i32)
                                      : xc_ir_int_cast(&l->ir, raw, l->ir.i32);
}

MlirValue xc_fix_raw(xc_lowering *l, MlirValue value) {
  return xc_ir_int_cast(&l->ir, value, l->ir.i8);
}

MlirValue xc_fix_rescale(xc_lowering *l, size_t slot, int from, MlirValue raw) {
  int shift = from - xc_fix_point(l->op, XC_ATTR_OUTPUT_FIX_POINT);
  if (shift == 0 && l->shapes[slot].element == l->result.element)
    return raw;
  xc_ir_bounded value = {fix_value(l, slot, raw), BYTE_BITS};
  return xc_fix_raw(l, xc_ir_round_saturate(&l->ir, value, shift,
                                            xc_round_mode_of(l->op),
                                            xc_fix_type(l->result.element)));
}

//===----------------------------------------------------------------------===//
// The boundary
//===----------------------------------------------------------------------===//

static MlirValue to_fix(xc_lowering *l, MlirValue raw) {
  MlirValue real =
      xc_element_to_real(&l->ir, l->shapes[XC_FLOAT2FIX_INPUT].element, raw);
  return xc_ir_float_to_fix(
      &l->ir, real, xc_fix_point(l->op, XC_ATTR_FIX_POINT),
      xc_fix_attribute_type(l->op), xc_round_mode_of(l->op));
}

static MlirValue to_float(xc_lowering *l, MlirValue value) {
  MlirValue real =
      xc_ir_fix_to_float(&l->ir, value, xc_fix_point(l->op, XC_ATTR_FIX_POINT));
  return xc_element_of_real(&l->ir, l->result.element,
                            xc_ir_float_cast(&l->ir, real, l->ir.f64));
}

static MlirValue float2fix_cell(xc_lowering *l, const MlirValue *raw,
                                const void *state) {
  (void)state;
  return xc_element_of_int(&l->ir, l->result.element, to_fix(l, raw[0]));
}

static MlirValue fix2float_cell(xc_lowering *l, const MlirValue *raw,
                                const void *state) {
  (void)state;
  return to_float(
      l,
      xc_element_to_int(&l->ir, l->shapes[XC_FIX2FLOAT_INPUT].element, raw[0]));
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

static MlirValue activation_cell(xc_lowering *l, const MlirValue *raw,
                                 const void *state) {
  const XcFixEpilogue *epilogue = state;
  xc_ir_bounded value = {fix_value(l, XC_RELU_FIX_INPUT, raw[0]), BYTE_BITS},
                none = {0};
  return xc_fix_raw(l, xc_ir_fix_epilogue(&l->ir, epilogue, value, none));
}

bool xc_linalg_activation_fix(xc_lowering *l) {
  XcFixEpilogue epilogue = xc_fix_activation_epilogue(l->op);
  return lower_unary(l, activation_cell, &epilogue);
}

static MlirValue hard_cell(xc_lowering *l, const MlirValue *raw,
                           const void *state) {
  const xc_fix_hard *hard = state;
  const xc_ir *ir = &l->ir;
  const XcFixType byte = {8, true}, type = xc_fix_type(l->result.element);
  MlirValue t = xc_ir_int_cast(
      ir, fix_value(l, XC_HARD_SIGMOID_FIX_INPUT, raw[0]), ir->i64);
  MlirValue h = xc_ir_hard_sigmoid(ir, t, hard->in, hard->shift);
  if (!hard->swish)
    return xc_fix_raw(l, xc_ir_saturate(ir, h, type));
  MlirValue product = xc_ir_mul(ir, t, xc_ir_saturate(ir, h, byte));
  xc_ir_bounded bounded = {product, 18};
  return xc_fix_raw(l, xc_ir_round_saturate(ir, bounded, hard->product_shift,
                                            XcRoundModeDpu, type));
}

bool xc_linalg_hard_fix(xc_lowering *l) {
  xc_fix_hard hard;
  return xc_fix_hard_of(l->op, &hard) && lower_unary(l, hard_cell, &hard);
}

//===----------------------------------------------------------------------===//
// Several inputs
//===----------------------------------------------------------------------===//

static MlirValue prelu_cell(xc_lowering *l, const MlirValue *raw,
                            const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  xc_fix_prelu prelu = xc_fix_prelu_of(l->op);
  XcRoundMode mode = xc_round_mode_of(l->op);
  XcFixType type = xc_fix_type(l->result.element);
  xc_ir_bounded value = {fix_value(l, XC_PRELU_FIX_INPUT, raw[0]), BYTE_BITS};
  xc_ir_bounded product = {
      xc_ir_mul(ir, value.value, fix_value(l, XC_PRELU_FIX_SLOPE, raw[1])),
      2 * BYTE_BITS};
  MlirValue below =
      xc_ir_round_saturate(ir, product, prelu.slope_shift, mode, type);
  MlirValue above = xc_ir_round_saturate(ir, value, prelu.shift, mode, type);
  MlirValue negative = xc_ir_comparei(ir, XC_IR_LT, value.value, 0);
  return xc_ir_select(ir, negative, xc_fix_raw(l, below), xc_fix_raw(l, above));
}

bool xc_linalg_prelu_fix(xc_lowering *l) {
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, prelu_cell, NULL);
  return true;
}

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
  const xc_fix_sum *c = state;
  xc_ir_bounded sum = {{NULL}, 0}, none = {0};
  for (size_t i = 0; i < c->count; ++i) {
    MlirValue value = fix_value(l, c->slots[i], raw[i]);
    if (c->multiply) {
      sum.bits += BYTE_BITS;
      value = xc_ir_widen(ir, value, BYTE_BITS * (unsigned)c->count);
      sum.value = i ? xc_ir_mul(ir, sum.value, value) : value;
    } else {
      value = add_term(ir, value, c->shifts[i]);
      sum.value = i ? xc_ir_add(ir, sum.value, value) : value;
    }
  }
  if (!c->multiply)
    sum.bits =
        BYTE_BITS + XC_FIX_ADD_GUARD_BITS + xc_ir_bits_of((int64_t)c->count);
  return xc_fix_raw(l, xc_ir_fix_epilogue(ir, &c->epilogue, sum, none));
}

bool xc_linalg_fix_sum(xc_lowering *l) {
  xc_fix_sum sum;
  if (!xc_fix_sum_of(l->op, &sum))
    return false;
  xc_linalg_elementwise(l, sum.slots, sum.count, combine_cell, &sum);
  return true;
}
