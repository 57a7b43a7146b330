//===- QLinearUnary.c - quantised operators of one input ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/QuantIR.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Between real numbers and integers
//===----------------------------------------------------------------------===//

// Scale and zero point: one, or one per entry of an axis, in tables.
typedef struct linear_numbers {
  bool one;
  size_t axis;
  double scale;
  int64_t zero;
  MlirValue scales, zeros; // f64, i64
} linear_numbers;

static linear_numbers read_linear(xc_lowering *l) {
  xc_qlinear q = xc_qlinear_of(l->op, l->arena);
  int64_t count = (int64_t)q.count;
  linear_numbers result = {.one = count == 1};
  if (result.one) {
    result.scale = q.scales[0];
    result.zero = q.zeros[0];
    return result;
  }
  result.axis = xc_axis_of(l->op);
  result.scales = xc_lowering_table(l, q.scales, XC_ELEMENT_F64, 1, &count);
  result.zeros = xc_lowering_table(l, q.zeros, XC_ELEMENT_I64, 1, &count);
  return result;
}

// Loops over all elements with the scale and the zero point of each.
static bool lower_linear(xc_lowering *l,
                         MlirValue (*cell)(xc_lowering *l, MlirValue raw,
                                           MlirValue scale, MlirValue zero)) {
  xc_ir *ir = &l->ir;
  linear_numbers linear = read_linear(l);
  const xc_shape *shape = &l->result;
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, shape->rank, shape->dims);
  const MlirValue *entry = &nest.at[linear.axis];
  MlirValue scale = linear.one ? xc_real(l, linear.scale)
                               : xc_ir_load(ir, linear.scales, entry, 1);
  MlirValue zero = linear.one ? xc_whole(l, linear.zero)
                              : xc_ir_load(ir, linear.zeros, entry, 1);
  MlirValue raw = xc_ir_load(ir, l->buffers[XC_QUANTIZE_LINEAR_INPUT], nest.at,
                             shape->rank);
  xc_ir_store(ir, cell(l, raw, scale, zero), l->output, nest.at, shape->rank);
  xc_ir_nest_end(ir, &nest);
  return true;
}

static MlirValue quantize(xc_lowering *l, MlirValue raw, MlirValue scale,
                          MlirValue zero) {
  const xc_ir *ir = &l->ir;
  xc_element element = l->result.element;
  MlirValue real = xc_ir_float_cast(
      ir,
      xc_element_to_real(ir, l->shapes[XC_QUANTIZE_LINEAR_INPUT].element, raw),
      ir->f32);
  MlirValue steps = xc_ir_div(ir, real, xc_ir_float_cast(ir, scale, ir->f32));
  if (xc_is_tflite(l->op))
    steps = xc_ir_math(ir, "math.round", steps);
  // The zero point comes before the limits of the type.
  const xc_range wide = {-(INT64_C(1) << 41), INT64_C(1) << 41};
  MlirValue whole = xc_ir_quantize_even(ir, steps, 0, wide);
  return xc_element_of_int(ir, element,
                           xc_ir_in_range(ir, xc_ir_add(ir, whole, zero),
                                          xc_element_range(element)));
}

static MlirValue dequantize(xc_lowering *l, MlirValue raw, MlirValue scale,
                            MlirValue zero) {
  const xc_ir *ir = &l->ir;
  MlirValue real = xc_element_to_real(
      ir, l->shapes[XC_DEQUANTIZE_LINEAR_INPUT].element, raw);
  real = xc_ir_sub(ir, real, xc_ir_int_to_float(ir, zero, ir->f64));
  return xc_element_of_real(ir, l->result.element, xc_ir_mul(ir, real, scale));
}

bool xc_linalg_quantize_linear(xc_lowering *l) {
  return lower_linear(l, quantize);
}

bool xc_linalg_dequantize_linear(xc_lowering *l) {
  return lower_linear(l, dequantize);
}

static MlirValue requantize_cell(xc_lowering *l, const MlirValue *raw,
                                 const void *state) {
  MlirValue value = xc_element_to_int(
      &l->ir, l->shapes[XC_QLINEAR_REQUANTIZE_INPUT].element, raw[0]);
  return xc_element_of_int(&l->ir, l->result.element,
                           xc_ir_requantize(&l->ir, state, value));
}

bool xc_linalg_qlinear_requantize(xc_lowering *l) {
  const size_t slot = 0;
  const xc_requant quant = xc_requant_of(l->op);
  xc_linalg_elementwise(l, &slot, 1, requantize_cell, &quant);
  return true;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

// A function of one integer of at most 16 bits is a table of what the reference
// semantics give for every integer there is. Entries stand in the order of the
// bits.
static MlirValue make_table(xc_lowering *l) {
  xc_element in = l->shapes[XC_QLINEAR_ACTIVATION_INPUT].element,
             out = l->result.element;
  xc_qactivation activation = xc_qactivation_of(l->op);
  size_t in_bits = 8 * xc_element_size(in), size = xc_element_size(out);
  int64_t count = INT64_C(1) << in_bits, high = xc_element_max(in);
  char *entries = xc_lowering_alloc(l, count, size);
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = xc_qactivation_apply(&activation, i > high ? i - count : i);
    // The low bytes of a little-endian number.
    memcpy(entries + (size_t)i * size, &value, size);
  }
  return xc_lowering_table(l, entries, out, 1, &count);
}

static MlirValue table_cell(xc_lowering *l, const MlirValue *raw,
                            const void *state) {
  const MlirValue *table = state;
  MlirValue index = xc_index_of_bits(&l->ir, raw[0]);
  return xc_ir_load(&l->ir, *table, &index, 1);
}

bool xc_linalg_qlinear_activation(xc_lowering *l) {
  MlirValue table = make_table(l);
  const size_t slot = 0;
  xc_linalg_elementwise(l, &slot, 1, table_cell, &table);
  return true;
}
