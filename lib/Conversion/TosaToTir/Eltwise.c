//===- Eltwise.c - sums and products of rescaled bytes --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// TensorFlow Lite adds bytes in 32 bits: both are shifted left by 20 bits and
// multiplied, then the sum is multiplied and becomes a byte again. TOSA writes
// that as up to two tosa.rescale for each operand and one for the result. What
// the multipliers are follows from the last one before the addition; whether
// tir.qlinear-eltwise then does the same is tried with all 256 inputs.
//
//===----------------------------------------------------------------------===//

#include "Scale.h"

#include "OpParams/Quant.h"

static const MlirValue null_value = {NULL};

enum { BYTES = 256, FIRST = -128, GUARD_BITS = 20, MOST_STAGES = 3 };

/// An operand: bytes that one tosa.rescale or more make integers.
typedef struct rescaled {
  MlirValue bytes; // of TOSA
  int64_t zero;
  int64_t results[BYTES];
  int64_t multiplier, shift; // after GUARD_BITS more
} rescaled;

static bool is_bytes(MlirValue value) {
  return xc_tosa_shape(value).element == XC_ELEMENT_I8;
}

// Returns the exponent of a stage that multiplies by a power of two, else 0.
static int64_t exponent_of(const xc_tosa_scale *stage) {
  int64_t bit = 0;
  while (bit < 31 && INT64_C(1) << bit < stage->multipliers[0])
    ++bit;
  return INT64_C(1) << bit == stage->multipliers[0] ? bit - stage->shifts[0]
                                                    : 0;
}

// Reads the stages from last to first.
static size_t read_stages(xc_tosa_converter *c, MlirValue value,
                          xc_tosa_scale stages[MOST_STAGES], MlirValue *bytes) {
  size_t count = 0;
  while (!is_bytes(value)) {
    MlirOperation op = xc_tosa_defined_by(value, "rescale");
    xc_tosa_scale *stage = &stages[count];
    if (mlirOperationIsNull(op) || count == MOST_STAGES ||
        !xc_tosa_read_scale(c, op, stage) || stage->count != 1 ||
        stage->input_unsigned || stage->output_unsigned ||
        stage->output_zero != 0)
      return 0;
    value = mlirOperationGetOperand(op, 0);
    ++count;
  }
  *bytes = value;
  return count;
}

static bool read_operand(xc_tosa_converter *c, MlirValue value, rescaled *r) {
  xc_tosa_scale stages[MOST_STAGES];
  size_t count = read_stages(c, value, stages, &r->bytes);
  if (count == 0)
    return false;
  r->zero = stages[count - 1].input_zero;
  r->multiplier = stages[0].multipliers[0];
  r->shift = stages[0].shifts[0] + GUARD_BITS;
  for (size_t i = 1; i < count; ++i)
    r->shift -= exponent_of(&stages[i]);
  for (int64_t x = 0; x < BYTES; ++x) {
    int64_t result = FIRST + x;
    for (size_t i = count; i-- > 0;) {
      result = xc_tosa_apply_scale(&stages[i], result);
      if (result < INT32_MIN || result > INT32_MAX)
        return false;
    }
    r->results[x] = result;
  }
  return true;
}

// Whether the shift by GUARD_BITS and one multiplication do the same.
static bool is_one_multiplier(const rescaled *r, bool single_round) {
  if (r->shift < 2 || r->shift > 62)
    return false;
  const xc_multiplier by = {(int32_t)r->multiplier, 31 - (int)r->shift,
                            r->shift < 31 || single_round};
  for (int64_t x = 0; x < BYTES; ++x) {
    int64_t wide = (FIRST + x - r->zero) * (1 << GUARD_BITS);
    if (wide < INT32_MIN || wide > INT32_MAX ||
        xc_multiply((int32_t)wide, by) != r->results[x])
      return false;
  }
  return true;
}

static bool only_centres(const rescaled *r) {
  for (int64_t x = 0; x < BYTES; ++x)
    if (r->results[x] != FIRST + x - r->zero)
      return false;
  return true;
}

static const char *type_of(xc_tosa_converter *c, MlirOperation op) {
  size_t count;
  if (xc_tosa_is(op, "add"))
    return "ADD";
  if (xc_tosa_is(op, "sub"))
    return "SUB";
  if (!xc_tosa_is(op, "mul"))
    return NULL;
  const int64_t *shift =
      xc_tosa_ints(c, xc_tosa_value(c, mlirOperationGetOperand(op, 2)), &count);
  return shift && count == 1 && shift[0] == 0 ? "MUL" : NULL;
}

MlirValue xc_tosa_emit_eltwise(xc_tosa_converter *c, MlirOperation op,
                               const xc_tosa_scale *scale) {
  rescaled a, b;
  const char *type = type_of(c, op);
  if (!type || scale->count != 1 || scale->input_zero != 0 ||
      xc_tosa_shape(mlirOperationGetResult(op, 0)).element != XC_ELEMENT_I32 ||
      !read_operand(c, mlirOperationGetOperand(op, 0), &a) ||
      !read_operand(c, mlirOperationGetOperand(op, 1), &b))
    return null_value;
  bool single_round = scale->single_round, is_product = type[0] == 'M';
  if (is_product ? !only_centres(&a) || !only_centres(&b)
                 : !is_one_multiplier(&a, single_round) ||
                       !is_one_multiplier(&b, single_round))
    return null_value;
  // Products have none for the operands.
  enum { ONE = 1 << 30, ONE_SHIFT = 30 };
  const int64_t multipliers[] = {is_product ? ONE : a.multiplier,
                                 is_product ? ONE : b.multiplier,
                                 scale->multipliers[0]};
  const int64_t shifts[] = {is_product ? ONE_SHIFT : a.shift,
                            is_product ? ONE_SHIFT : b.shift, scale->shifts[0]};
  xc_tosa_scale three = *scale;
  three.multipliers = multipliers;
  three.shifts = shifts;
  three.count = 3;
  xc_attribute attributes[16] = {
      xc_string("type", type),
      xc_string("nonlinear", xc_tosa_absorb_clamp(c, scale)),
      xc_float("a_scale", 1),
      xc_int("a_zero_point", a.zero),
      xc_float("b_scale", 1),
      xc_int("b_zero_point", b.zero)};
  const MlirValue operands[] = {xc_tosa_value(c, a.bytes),
                                xc_tosa_value(c, b.bytes)};
  return xc_tosa_emit(c, XC_TIR_QLINEAR_ELTWISE, operands, 2, attributes,
                      xc_tosa_add_scale(&three, attributes, 6), XC_ELEMENT_I8);
}
