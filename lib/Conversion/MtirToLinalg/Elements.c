//===- Elements.c - elements of buffers as reals and integers -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir-c/BuiltinTypes.h"

#include <assert.h>

static bool is_unsigned(xc_element element) {
  return xc_element_min(element) == 0;
}

MlirValue xc_real(const xc_lowering *l, double value) {
  return xc_ir_float(&l->ir, l->ir.f64, value);
}

MlirValue xc_whole(const xc_lowering *l, int64_t value) {
  return xc_ir_int(&l->ir, l->ir.i64, value);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

MlirValue xc_element_to_int(const xc_ir *ir, xc_element element,
                            MlirValue raw) {
  assert(!xc_element_is_float(element) && "only integers are read as integers");
  if (element == XC_ELEMENT_I1)
    return xc_ir_uint_cast(ir, xc_ir_comparei(ir, XC_IR_NE, raw, 0), ir->i64);
  return is_unsigned(element) ? xc_ir_uint_cast(ir, raw, ir->i64)
                              : xc_ir_int_cast(ir, raw, ir->i64);
}

// Floats of 16 bits are converted by hand, which needs nothing of the machine's
// libraries. The bits of a bf16 are the upper half of an f32.
static MlirValue bf16_to_f32(const xc_ir *ir, MlirValue bits) {
  return xc_ir_bitcast(ir, xc_ir_shli(ir, bits, 16), ir->f32);
}

// Exponent and mantissa move to those of an f32; a product corrects the bias
// and makes numbers normal.
static MlirValue f16_to_f32(const xc_ir *ir, MlirValue bits) {
  MlirValue moved =
      xc_ir_shli(ir, xc_ir_and(ir, bits, xc_ir_int(ir, ir->i32, 0x7fff)), 13);
  MlirValue finite = xc_ir_mul(ir, xc_ir_bitcast(ir, moved, ir->f32),
                               xc_ir_float(ir, ir->f32, 0x1p112));
  MlirValue special = xc_ir_bitcast(
      ir, xc_ir_or(ir, moved, xc_ir_int(ir, ir->i32, 0x7f800000)), ir->f32);
  MlirValue magnitude = xc_ir_select(
      ir, xc_ir_comparei(ir, XC_IR_GE, moved, 0x7c00 << 13), special, finite);
  MlirValue sign =
      xc_ir_shli(ir, xc_ir_and(ir, bits, xc_ir_int(ir, ir->i32, 0x8000)), 16);
  return xc_ir_bitcast(
      ir, xc_ir_or(ir, xc_ir_bitcast(ir, magnitude, ir->i32), sign), ir->f32);
}

MlirValue xc_element_to_real(const xc_ir *ir, xc_element element,
                             MlirValue raw) {
  if (element == XC_ELEMENT_F16)
    raw = f16_to_f32(ir, xc_ir_uint_cast(ir, raw, ir->i32));
  if (element == XC_ELEMENT_BF16)
    raw = bf16_to_f32(ir, xc_ir_uint_cast(ir, raw, ir->i32));
  if (xc_element_is_float(element))
    return xc_ir_float_cast(ir, raw, ir->f64);
  if (element == XC_ELEMENT_UI64)
    return xc_ir_uint_to_float(ir, raw, ir->f64);
  return xc_ir_int_to_float(ir, xc_element_to_int(ir, element, raw), ir->f64);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

// Rounds to the 24 bits of an f32 so that rounding again to fewer bits gives
// what rounding once gives: what is cut leaves a trace in the last bit.
static MlirValue round_to_odd(const xc_ir *ir, MlirValue value) {
  const int64_t cut = (INT64_C(1) << 29) - 1;
  MlirValue bits = xc_ir_bitcast(ir, value, ir->i64);
  MlirValue rest = xc_ir_and(ir, bits, xc_ir_int(ir, ir->i64, cut));
  MlirValue sticky = xc_ir_shli(
      ir, xc_ir_uint_cast(ir, xc_ir_comparei(ir, XC_IR_NE, rest, 0), ir->i64),
      29);
  MlirValue kept = xc_ir_and(ir, bits, xc_ir_int(ir, ir->i64, ~cut));
  MlirValue odd = xc_ir_bitcast(ir, xc_ir_or(ir, kept, sticky), ir->f64);
  // A NaN keeps its meaning, and so does what was exact.
  return xc_ir_float_cast(
      ir, xc_ir_select(ir, xc_ir_is_nan(ir, value), value, odd), ir->f32);
}

static MlirValue real_to_bf16(const xc_ir *ir, MlirValue value) {
  MlirValue bits = xc_ir_bitcast(ir, round_to_odd(ir, value), ir->i32);
  MlirValue upper = xc_ir_shru(ir, bits, xc_ir_int(ir, ir->i32, 16));
  MlirValue last = xc_ir_and(ir, upper, xc_ir_int(ir, ir->i32, 1));
  MlirValue sum = xc_ir_add(ir, xc_ir_addi(ir, bits, 0x7fff), last);
  MlirValue rounded = xc_ir_shru(ir, sum, xc_ir_int(ir, ir->i32, 16));
  MlirValue chosen = xc_ir_select(ir, xc_ir_is_nan(ir, value),
                                  xc_ir_int(ir, ir->i32, 0x7fc0), rounded);
  return xc_ir_int_cast(ir, chosen, ir->i16);
}

// Subnormal numbers: adding a power of two leaves their units in the last
// place at the lower end of the sum, rounded by the machine.
static MlirValue subnormal_f16(const xc_ir *ir, MlirValue magnitude) {
  const int64_t half_bits = 0x3f000000;
  MlirValue sum = xc_ir_add(ir, xc_ir_bitcast(ir, magnitude, ir->f32),
                            xc_ir_float(ir, ir->f32, 0.5));
  return xc_ir_addi(ir, xc_ir_bitcast(ir, sum, ir->i32), -half_bits);
}

static MlirValue real_to_f16(const xc_ir *ir, MlirValue value) {
  const int64_t too_large = 0x47800000, least_normal = 0x38800000;
  const int64_t bias = -112 * (INT64_C(1) << 23); // from 127 to 15
  MlirValue bits = xc_ir_bitcast(ir, round_to_odd(ir, value), ir->i32);
  MlirValue magnitude = xc_ir_and(ir, bits, xc_ir_int(ir, ir->i32, 0x7fffffff));
  MlirValue odd =
      xc_ir_and(ir, xc_ir_shri(ir, magnitude, 13), xc_ir_int(ir, ir->i32, 1));
  MlirValue normal = xc_ir_shri(
      ir, xc_ir_add(ir, xc_ir_addi(ir, magnitude, bias + 0xfff), odd), 13);
  MlirValue small = xc_ir_comparei(ir, XC_IR_LT, magnitude, least_normal);
  MlirValue large = xc_ir_comparei(ir, XC_IR_GE, magnitude, too_large);
  MlirValue result =
      xc_ir_select(ir, small, subnormal_f16(ir, magnitude), normal);
  result = xc_ir_select(ir, large, xc_ir_int(ir, ir->i32, 0x7c00), result);
  MlirValue sign =
      xc_ir_and(ir, xc_ir_shru(ir, bits, xc_ir_int(ir, ir->i32, 16)),
                xc_ir_int(ir, ir->i32, 0x8000));
  result =
      xc_ir_select(ir, xc_ir_is_nan(ir, value), xc_ir_int(ir, ir->i32, 0x7e00),
                   xc_ir_or(ir, result, sign));
  return xc_ir_int_cast(ir, result, ir->i16);
}

// Truncates and holds at the limits, a NaN as 0.
static MlirValue truncate_real(const xc_ir *ir, xc_element element,
                               MlirValue value) {
  bool widest = element == XC_ELEMENT_UI64;
  int64_t low = xc_element_min(element), high = xc_element_max(element);
  // The limits as reals: the largest is exact, or one too large for the type.
  double real_high = widest ? 0x1p64 : (double)high;
  MlirValue least = xc_ir_float(ir, ir->f64, (double)low);
  MlirValue most = xc_ir_float(ir, ir->f64, real_high);
  MlirValue too_low = xc_ir_compare(ir, XC_IR_LE, value, least);
  MlirValue too_high = xc_ir_compare(ir, XC_IR_GE, value, most);
  MlirValue strange =
      xc_ir_or(ir, xc_ir_or(ir, too_low, too_high), xc_ir_is_nan(ir, value));
  MlirValue safe =
      xc_ir_select(ir, strange, xc_ir_float(ir, ir->f64, 0), value);
  MlirValue whole = widest ? xc_ir_float_to_uint(ir, safe, ir->i64)
                           : xc_ir_float_to_int(ir, safe, ir->i64);
  whole = xc_ir_select(ir, too_low, xc_ir_int(ir, ir->i64, low), whole);
  return xc_ir_select(ir, too_high, xc_ir_int(ir, ir->i64, widest ? -1 : high),
                      whole);
}

MlirValue xc_element_of_real(const xc_ir *ir, xc_element element,
                             MlirValue value) {
  switch (element) {
  case XC_ELEMENT_F64:
    return value;
  case XC_ELEMENT_F32:
    return xc_ir_float_cast(ir, value, ir->f32);
  case XC_ELEMENT_F16:
    return real_to_f16(ir, value);
  case XC_ELEMENT_BF16:
    return real_to_bf16(ir, value);
  case XC_ELEMENT_I1:
    return xc_ir_uint_cast(
        ir, xc_ir_compare(ir, XC_IR_NE, value, xc_ir_float(ir, ir->f64, 0)),
        ir->i8);
  case XC_ELEMENT_I8:
  case XC_ELEMENT_I16:
  case XC_ELEMENT_I32:
  case XC_ELEMENT_I64:
  case XC_ELEMENT_UI8:
  case XC_ELEMENT_UI16:
  case XC_ELEMENT_UI32:
  case XC_ELEMENT_UI64:
    return xc_element_of_int(ir, element, truncate_real(ir, element, value));
  case XC_ELEMENT_NONE:
    break;
  }
  assert(false && "buffers have types that xc knows");
  return value;
}

MlirValue xc_element_of_int(const xc_ir *ir, xc_element element,
                            MlirValue value) {
  if (element == XC_ELEMENT_I1)
    return xc_ir_uint_cast(ir, xc_ir_comparei(ir, XC_IR_NE, value, 0), ir->i8);
  if (xc_element_is_float(element))
    return xc_element_of_real(ir, element,
                              xc_ir_int_to_float(ir, value, ir->f64));
  unsigned bits = 8 * (unsigned)xc_element_size(element);
  return xc_ir_int_cast(ir, value, mlirIntegerTypeGet(ir->context, bits));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static MlirValue load(xc_lowering *l, size_t slot, const MlirValue *at) {
  return xc_ir_load(&l->ir, l->buffers[slot], at, l->shapes[slot].rank);
}

MlirValue xc_index_of_bits(const xc_ir *ir, MlirValue raw) {
  return xc_ir_index_cast(ir, xc_ir_uint_cast(ir, raw, ir->i64), ir->index);
}

MlirValue xc_load_real(xc_lowering *l, size_t slot, const MlirValue *at) {
  return xc_element_to_real(&l->ir, l->shapes[slot].element, load(l, slot, at));
}

MlirValue xc_load_int(xc_lowering *l, size_t slot, const MlirValue *at) {
  return xc_element_to_int(&l->ir, l->shapes[slot].element, load(l, slot, at));
}

void xc_store_real(xc_lowering *l, MlirValue value, const MlirValue *at) {
  const xc_shape *shape = &l->result;
  xc_ir_store(&l->ir, xc_element_of_real(&l->ir, shape->element, value),
              l->output, at, shape->rank);
}

void xc_store_int(xc_lowering *l, MlirValue value, const MlirValue *at) {
  const xc_shape *shape = &l->result;
  xc_ir_store(&l->ir, xc_element_of_int(&l->ir, shape->element, value),
              l->output, at, shape->rank);
}

bool xc_has_unit_stride(MlirValue buffer) {
  int64_t strides[XC_MAX_RANK], offset;
  MlirType type = mlirValueGetType(buffer);
  int64_t rank = mlirShapedTypeGetRank(type);
  return rank > 0 &&
         mlirLogicalResultIsSuccess(
             mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) &&
         strides[rank - 1] == 1;
}

bool xc_check_dense(const xc_lowering *l, MlirValue buffer) {
  return xc_ir_is_contiguous(mlirValueGetType(buffer)) ||
         xc_adaptor_error(l->op, "has a buffer whose elements have gaps");
}
