//===- Finish.c - from sums to outputs ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Vec.h"

#include "OpParams/Fix.h"
#include "OpParams/Quant.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

// Returns the largest magnitude that the sum of a channel, bias included, can
// have.
static int64_t bound_of(const xc_conv *conv, int64_t channel) {
  int64_t taps = conv->kernel_h * conv->kernel_w;
  int64_t inner = taps * (conv->depthwise ? 1 : conv->in_c / conv->group);
  int64_t sum = 0;
  for (int64_t i = 0; i < inner; ++i)
    sum += llabs(conv->depthwise ? conv->int_weights[i * conv->in_c + channel]
                                 : conv->int_weights[channel * inner + i]);
  int64_t low =
      llabs(xc_element_range(conv->in_element).low - conv->input_zero);
  int64_t high =
      llabs(xc_element_range(conv->in_element).high - conv->input_zero);
  return sum * (low > high ? low : high) + llabs(conv->int_bias[channel]);
}

enum { BOUND_BITS = 30 }; // so that rounding stays within 32 bits

static int32_t *new_ints(xc_conv *conv) {
  return xc_arena_alloc(&conv->arena, (size_t)conv->out_c, sizeof(int32_t));
}

static bool add_multiplier(xc_conv *conv, int64_t channel,
                           xc_multiplier multiplier) {
  // Rounding twice makes no difference where nothing is shifted out after.
  if (multiplier.once && multiplier.shift < 0)
    return false;
  int left = multiplier.shift > 0 ? multiplier.shift : 0;
  int right = multiplier.shift > 0 ? 0 : -multiplier.shift;
  conv->multipliers[channel] = multiplier.value;
  conv->left_shifts[channel] = left;
  conv->right_shifts[channel] = right;
  conv->finish.shifts_left |= left > 0;
  conv->finish.some_unshifted |= right == 0;
  // The sum wraps at 32 bits as the reference's does; what is added to the high
  // product to round it must not.
  int64_t bound = bound_of(conv, channel);
  const int64_t limit = INT64_C(1) << 31;
  bound = bound >= limit >> left ? limit : bound << left;
  int64_t half = right > 0 ? INT64_C(1) << (right - 1) : 0;
  return (bound * multiplier.value >> 31) + half + 1 < limit;
}

static bool read_qlinear(const xc_adaptor *op, xc_conv *conv) {
  xc_qconv q = xc_qconv_of(op, &conv->arena);
  if (q.wide)
    return false;
  conv->input_zero = q.input.zero_point;
  conv->finish.kind = q.tflite ? XC_FINISH_TFLITE : XC_FINISH_ONNX;
  conv->finish.zero_point = q.output.zero_point;
  conv->finish.low = q.range.low;
  conv->finish.high = q.range.high;
  conv->multipliers = new_ints(conv);
  conv->left_shifts = new_ints(conv);
  conv->right_shifts = new_ints(conv);
  conv->factors =
      xc_arena_alloc(&conv->arena, (size_t)conv->out_c, sizeof(*conv->factors));
  for (int64_t i = 0; i < conv->out_c; ++i) {
    int64_t scale = q.scales == 1 ? 0 : i;
    conv->factors[i] = q.factors[scale];
    if (!isfinite(conv->factors[i]) ||
        (q.tflite && !add_multiplier(conv, i, q.multipliers[scale])))
      return false;
  }
  return true;
}

// Folds the bias of a channel into the sum's fix point.
static bool fold_bias(xc_conv *conv, int64_t channel, int shift) {
  int64_t bias = conv->int_bias[channel];
  if (bias != 0 && (shift < 0 || shift > BOUND_BITS))
    return false;
  bias = bias == 0 ? 0 : bias * (INT64_C(1) << shift);
  if (llabs(bias) >= INT64_C(1) << BOUND_BITS)
    return false;
  conv->int_bias[channel] = (int32_t)bias;
  return true;
}

// Returns the number of bits that an activation needs, or -1 where it is not
// done here.
static int activation_bits(XcActivation activation) {
  switch (activation) {
  case XcActivationNone:
  case XcActivationRelu:
  case XcActivationRelu6:
    return 0;
  case XcActivationLeakyRelu: // eight more for the factor
    return 5;
  case XcActivationPrelu:
  case XcActivationHSigmoid:
  case XcActivationHSwish:
    break;
  }
  return -1;
}

static xc_fix_groups groups_of(const xc_adaptor *op, const xc_conv *conv) {
  return xc_has_attr(op, XC_ATTR_FIX_POINT_CHANNELS)
             ? xc_fix_groups_of(op, conv->out_c)
             : (xc_fix_groups){1, conv->out_c};
}

// Reads the shifts of all channels, of which `first` has those of the first
// group.
static bool read_shifts(const xc_adaptor *op, const XcFixEpilogue *first,
                        xc_conv *conv) {
  xc_fix_groups groups = groups_of(op, conv);
  xc_finish *finish = &conv->finish;
  finish->shift = first->shiftCut;
  conv->right_shifts = new_ints(conv);
  for (int64_t i = 0; i < conv->out_c; ++i) {
    XcFixEpilogue own = *first;
    if (groups.count > 1)
      own = xc_fix_group_epilogue(op, first, i / groups.channels);
    if (own.shiftCut < -16 || own.shiftCut > 22 ||
        !fold_bias(conv, i, own.shiftBias))
      return false;
    conv->right_shifts[i] = own.shiftCut;
    finish->shifts_differ |= own.shiftCut != first->shiftCut;
    finish->shift = own.shiftCut < finish->shift ? own.shiftCut : finish->shift;
  }
  return true;
}

static bool read_fix(const xc_adaptor *op, xc_conv *conv) {
  XcFixEpilogue epilogue;
  int spare = activation_bits(xc_activation_of(op));
  if (spare < 0 || !xc_fix_epilogue_of(op, &epilogue))
    return false;
  xc_range range = xc_element_range(conv->out_element);
  conv->finish = (xc_finish){.kind = XC_FINISH_FIX,
                             .activation = epilogue.activation,
                             .round_mode = epilogue.roundMode,
                             .low = range.low,
                             .high = range.high};
  if (epilogue.activation == XcActivationRelu ||
      epilogue.activation == XcActivationRelu6)
    conv->finish.low = 0;
  if (epilogue.activation == XcActivationRelu6) {
    int64_t limit =
        xcRoundShiftMode(6, -epilogue.outputFixPoint, epilogue.roundMode);
    conv->finish.high = limit < range.high ? limit : range.high;
  }
  if (!read_shifts(op, &epilogue, conv))
    return false;
  for (int64_t i = 0; i < conv->out_c; ++i)
    if (bound_of(conv, i) >= (INT64_C(1) << BOUND_BITS) >> spare)
      return false;
  return true;
}

bool xc_conv_read_finish(const xc_adaptor *op, xc_conv *conv) {
  if (xc_has_attr(op, XC_ATTR_FLAVOR))
    return read_qlinear(op, conv);
  return xc_has_attr(op, XC_ATTR_OUTPUT_FIX_POINT) && read_fix(op, conv);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

// Returns where a channel stands in the tables, group after group, each padded.
static int64_t table_index(const xc_conv *conv, const xc_conv_plan *plan,
                           int64_t channel) {
  int64_t group = conv->out_c / conv->group;
  return channel / group * plan->group_channels + channel % group;
}

static void add_table(xc_vec_call *call, const xc_conv *conv,
                      const xc_conv_plan *plan, const void *values,
                      xc_element element) {
  int64_t count = conv->group * plan->group_channels;
  uint32_t *padded = calloc((size_t)count, sizeof(*padded));
  if (!padded)
    abort();
  for (int64_t i = 0; i < conv->out_c; ++i)
    memcpy(&padded[table_index(conv, plan, i)], (const uint32_t *)values + i,
           sizeof(*padded));
  xc_vec_call_const(call, padded, element, count);
  free(padded);
}

// The bias, less what the shifted input of a dot product adds.
static void add_int_bias(xc_vec_call *call, const xc_conv *conv,
                         const xc_conv_plan *plan) {
  int64_t taps = conv->kernel_h * conv->kernel_w;
  int64_t inner = taps * (conv->depthwise ? 1 : conv->in_c / conv->group);
  int32_t *bias = calloc((size_t)conv->out_c, sizeof(*bias));
  if (!bias)
    abort();
  for (int64_t o = 0; o < conv->out_c; ++o) {
    int64_t sum = 0;
    for (int64_t i = 0; i < inner; ++i)
      sum += conv->depthwise ? conv->int_weights[i * conv->in_c + o]
                             : conv->int_weights[o * inner + i];
    bias[o] =
        (int32_t)(uint32_t)(uint64_t)(conv->int_bias[o] -
                                      (plan->bias_of_bytes +
                                       (xc_dot_is_of_bytes(plan->machine.dot)
                                            ? conv->input_zero
                                            : 0)) *
                                          sum);
  }
  add_table(call, conv, plan, bias, XC_ELEMENT_I32);
  free(bias);
}

xc_conv_tables xc_conv_add_tables(xc_vec_call *call, const xc_conv *conv,
                                  const xc_conv_plan *plan) {
  xc_conv_tables tables = {.first = call->count};
  if (plan->real)
    add_table(call, conv, plan, conv->real_bias, XC_ELEMENT_F32);
  else
    add_int_bias(call, conv, plan);
  switch (conv->finish.kind) {
  case XC_FINISH_FLOAT:
    break;
  case XC_FINISH_FIX:
    if (conv->finish.shifts_differ)
      add_table(call, conv, plan, conv->right_shifts, XC_ELEMENT_I32);
    break;
  case XC_FINISH_ONNX:
    add_table(call, conv, plan, conv->factors, XC_ELEMENT_F32);
    break;
  case XC_FINISH_TFLITE:
    add_table(call, conv, plan, conv->multipliers, XC_ELEMENT_I32);
    add_table(call, conv, plan, conv->right_shifts, XC_ELEMENT_I32);
    if (conv->finish.shifts_left)
      add_table(call, conv, plan, conv->left_shifts, XC_ELEMENT_I32);
    break;
  }
  tables.count = call->count - tables.first;
  return tables;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

enum {
  TABLE_BIAS,
  TABLE_FACTOR,
  TABLE_SHIFT = 1,
  TABLE_MULTIPLIER = 1,
  TABLE_RIGHT,
  TABLE_LEFT
};

static MlirValue table(const xc_conv_code *code, size_t number,
                       MlirValue channel, int64_t offset, MlirType element) {
  return xc_vec_load(code->ir, code->tables[number], channel, offset,
                     xc_vec_type(element, code->plan->lanes));
}

MlirValue xc_conv_bias(const xc_conv_code *code, MlirValue channel,
                       int64_t offset) {
  return table(code, TABLE_BIAS, channel, offset,
               code->plan->real ? code->ir->f32 : code->ir->i32);
}

static MlirValue narrow(const xc_conv_code *code, MlirValue value) {
  return xc_ir_int_cast(code->ir, value,
                        xc_vec_type(code->ir->i8, code->plan->lanes));
}

// floor((x * multiplier + 2^30) / 2^31) in each lane: the doubling high product
// of the reference is this for products of both signs. Even and odd lanes are
// multiplied in 64 bits.
static MlirValue high_product(const xc_conv_code *code, MlirValue x,
                              MlirValue multiplier) {
  const xc_ir *ir = code->ir;
  MlirType narrow_type = mlirValueGetType(x);
  MlirType wide = xc_vec_type(ir->i64, code->plan->lanes / 2);
  MlirValue x64 = xc_vec_bitcast(ir, x, wide);
  MlirValue m64 = xc_vec_bitcast(ir, multiplier, wide);
  MlirValue nudge = xc_ir_int(ir, wide, INT64_C(1) << 30);
  MlirValue even = xc_ir_mul(ir, xc_ir_shri(ir, xc_ir_shli(ir, x64, 32), 32),
                             xc_ir_shri(ir, xc_ir_shli(ir, m64, 32), 32));
  MlirValue odd =
      xc_ir_mul(ir, xc_ir_shri(ir, x64, 32), xc_ir_shri(ir, m64, 32));
  even = xc_ir_shru(ir, xc_ir_add(ir, even, nudge), xc_ir_int(ir, wide, 31));
  odd = xc_ir_shli(ir, xc_ir_add(ir, odd, nudge), 1);
  MlirValue low = xc_ir_int(ir, wide, 0xffffffff);
  MlirValue high = xc_ir_int(ir, wide, (int64_t)0xffffffff00000000);
  return xc_vec_bitcast(
      ir, xc_ir_or(ir, xc_ir_and(ir, even, low), xc_ir_and(ir, odd, high)),
      narrow_type);
}

// x / 2^shift, half away from zero, per lane.
static MlirValue divide_by_power(const xc_conv_code *code, MlirValue x,
                                 MlirValue shift) {
  const xc_ir *ir = code->ir;
  MlirType type = mlirValueGetType(x);
  // 2^(shift - 1), or 0 where nothing is shifted out.
  MlirValue half = xc_ir_shru(ir, xc_ir_shl(ir, xc_ir_int(ir, type, 1), shift),
                              xc_ir_int(ir, type, 1));
  MlirValue sign = xc_ir_shri(ir, x, 31);
  if (code->conv->finish.some_unshifted)
    sign = xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_EQ, shift, 0),
                        xc_ir_int(ir, type, 0), sign);
  return xc_ir_shr(ir, xc_ir_add(ir, xc_ir_add(ir, x, half), sign), shift);
}

static MlirValue finish_tflite(const xc_conv_code *code, MlirValue sum,
                               MlirValue channel, int64_t offset) {
  const xc_ir *ir = code->ir;
  const xc_finish *finish = &code->conv->finish;
  MlirValue multiplier =
      table(code, TABLE_MULTIPLIER, channel, offset, ir->i32);
  MlirValue right = table(code, TABLE_RIGHT, channel, offset, ir->i32);
  if (finish->shifts_left)
    sum = xc_ir_shl(ir, sum, table(code, TABLE_LEFT, channel, offset, ir->i32));
  MlirValue scaled =
      divide_by_power(code, high_product(code, sum, multiplier), right);
  scaled = xc_ir_addi(ir, scaled, finish->zero_point);
  return narrow(code, xc_ir_clampi(ir, scaled, finish->low, finish->high));
}

static MlirValue finish_onnx(const xc_conv_code *code, MlirValue sum,
                             MlirValue channel, int64_t offset) {
  const xc_ir *ir = code->ir;
  const xc_finish *finish = &code->conv->finish;
  MlirType real = xc_vec_type(ir->f32, code->plan->lanes);
  MlirValue factor = table(code, TABLE_FACTOR, channel, offset, ir->f32);
  MlirValue scaled = xc_ir_mul(ir, xc_ir_int_to_float(ir, sum, real), factor);
  // The limits are integers, so they may be applied before rounding.
  scaled = xc_ir_clamp(
      ir, scaled,
      xc_ir_float(ir, real, (double)(finish->low - finish->zero_point)),
      xc_ir_float(ir, real, (double)(finish->high - finish->zero_point)));
  // Numbers of this size have no bits below 1, so adding it rounds to even.
  MlirValue large = xc_ir_float(ir, real, 0x1.8p23);
  scaled = xc_ir_sub(ir, xc_ir_add(ir, scaled, large), large);
  MlirValue rounded = xc_ir_float_to_int(ir, scaled, mlirValueGetType(sum));
  return narrow(code, xc_ir_addi(ir, rounded, finish->zero_point));
}

// x / 2^shift in each lane, for shifts > 0.
static MlirValue round_shift(const xc_conv_code *code, MlirValue x,
                             MlirValue shift) {
  const xc_ir *ir = code->ir;
  MlirType type = mlirValueGetType(x);
  MlirValue one = xc_ir_int(ir, type, 1);
  // Lanes after the last channel have no shift.
  MlirValue half = xc_ir_shru(ir, xc_ir_shl(ir, one, shift), one);
  MlirValue rounded = xc_ir_add(ir, x, half);
  switch (code->conv->finish.round_mode) {
  case XcRoundModeDpu:
    break;
  case XcRoundModeStd:
    rounded = xc_ir_add(ir, rounded, xc_ir_shri(ir, x, 31));
    break;
  case XcRoundModePy3: {
    MlirValue odd = xc_ir_and(ir, xc_ir_shr(ir, x, shift), one);
    rounded = xc_ir_add(ir, xc_ir_addi(ir, rounded, -1), odd);
    break;
  }
  }
  return xc_ir_shr(ir, rounded, shift);
}

// x * 2^by in each lane. What the type cannot hold stays outside of it.
static MlirValue shift_left(const xc_conv_code *code, MlirValue x,
                            MlirValue by) {
  return xc_ir_shl(code->ir, xc_ir_clampi(code->ir, x, -256, 256), by);
}

static MlirValue shift_by(const xc_conv_code *code, MlirValue x, int shift) {
  MlirValue by =
      xc_ir_int(code->ir, mlirValueGetType(x), shift > 0 ? shift : -shift);
  return shift > 0 ? round_shift(code, x, by) : shift_left(code, x, by);
}

// The same by `shifts`, of which none is below `least`.
static MlirValue shift_lanes(const xc_conv_code *code, MlirValue x,
                             MlirValue shifts, int least) {
  const xc_ir *ir = code->ir;
  if (least > 0)
    return round_shift(code, x, shifts);
  MlirType type = mlirValueGetType(x);
  MlirValue right =
      round_shift(code, x, xc_ir_max(ir, shifts, xc_ir_int(ir, type, 1)));
  MlirValue none = xc_ir_int(ir, type, 0);
  MlirValue left =
      shift_left(code, x, xc_ir_max(ir, xc_ir_sub(ir, none, shifts), none));
  return xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_GT, shifts, 0), right, left);
}

// x / 2^(shift of the channel + extra).
static MlirValue shift_sum(const xc_conv_code *code, MlirValue x,
                           MlirValue shifts, int extra) {
  int least = code->conv->finish.shift + extra;
  return mlirValueIsNull(shifts)
             ? shift_by(code, x, least)
             : shift_lanes(code, x, xc_ir_addi(code->ir, shifts, extra), least);
}

static MlirValue finish_fix(const xc_conv_code *code, MlirValue sum,
                            MlirValue channel, int64_t offset) {
  const xc_ir *ir = code->ir;
  const xc_finish *finish = &code->conv->finish;
  MlirValue shifts = {NULL};
  if (finish->shifts_differ)
    shifts = table(code, TABLE_SHIFT, channel, offset, ir->i32);
  MlirValue result = shift_sum(code, sum, shifts, 0);
  if (finish->activation == XcActivationLeakyRelu) {
    MlirValue scaled = shift_sum(code, xc_ir_muli(ir, sum, XC_LEAKY_FACTOR),
                                 shifts, XC_LEAKY_SHIFT);
    result =
        xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_LT, sum, 0), scaled, result);
  }
  return narrow(code, xc_ir_clampi(ir, result, finish->low, finish->high));
}

MlirValue xc_conv_finish(const xc_conv_code *code, MlirValue sum,
                         MlirValue channel, int64_t offset,
                         MlirValue residual) {
  switch (code->conv->finish.kind) {
  case XC_FINISH_FLOAT:
    return xc_epilogue_write(code->ir, &code->conv->finish.epilogue, sum,
                             residual);
  case XC_FINISH_TFLITE:
    return finish_tflite(code, sum, channel, offset);
  case XC_FINISH_ONNX:
    return finish_onnx(code, sum, channel, offset);
  case XC_FINISH_FIX:
    return finish_fix(code, sum, channel, offset);
  }
  return sum;
}
