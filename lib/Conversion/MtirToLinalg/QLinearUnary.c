//===- QLinearUnary.c - quantised operators of one input ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/QuantIR.h"

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
  const xc_view *view = l->call.view;
  int64_t count = (int64_t)xc_view_floats(view, "scale", NULL, 0);
  double *scales = xc_call_alloc(&l->call, count, sizeof(*scales));
  int64_t *zeros = xc_call_alloc(&l->call, count, sizeof(*zeros));
  xc_view_floats(view, "scale", scales, (size_t)count);
  for (int64_t i = 0; i < count; ++i)
    zeros[i] = xc_view_int_at(view, "zero_point", (size_t)i);
  linear_numbers result = {.one = count == 1};
  if (result.one) {
    result.scale = scales[0];
    result.zero = zeros[0];
    return result;
  }
  result.axis = xc_call_axis(&l->call, "axis");
  result.scales = xc_lowering_table(l, scales, XC_ELEMENT_F64, 1, &count);
  result.zeros = xc_lowering_table(l, zeros, XC_ELEMENT_I64, 1, &count);
  return result;
}

// Loops over all elements with the scale and the zero point of each.
static bool lower_linear(xc_lowering *l,
                         MlirValue (*cell)(xc_lowering *l, MlirValue raw,
                                           MlirValue scale, MlirValue zero)) {
  xc_ir *ir = &l->ir;
  linear_numbers linear = read_linear(l);
  const xc_shape *shape = &l->call.output.shape;
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, shape->rank, shape->dims);
  const MlirValue *entry = &nest.at[linear.axis];
  MlirValue scale = linear.one ? xc_real(l, linear.scale)
                               : xc_ir_load(ir, linear.scales, entry, 1);
  MlirValue zero = linear.one ? xc_whole(l, linear.zero)
                              : xc_ir_load(ir, linear.zeros, entry, 1);
  MlirValue raw = xc_ir_load(ir, l->buffers[0], nest.at, shape->rank);
  xc_ir_store(ir, cell(l, raw, scale, zero), l->output, nest.at, shape->rank);
  xc_ir_nest_end(ir, &nest);
  return true;
}

static MlirValue quantize(xc_lowering *l, MlirValue raw, MlirValue scale,
                          MlirValue zero) {
  const xc_ir *ir = &l->ir;
  xc_element element = l->call.output.shape.element;
  MlirValue real = xc_ir_float_cast(
      ir, xc_element_to_real(ir, l->call.operands[0].shape.element, raw),
      ir->f32);
  MlirValue steps = xc_ir_div(ir, real, xc_ir_float_cast(ir, scale, ir->f32));
  if (xc_call_is_tflite(&l->call))
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
  MlirValue real =
      xc_element_to_real(ir, l->call.operands[0].shape.element, raw);
  real = xc_ir_sub(ir, real, xc_ir_int_to_float(ir, zero, ir->f64));
  return xc_element_of_real(ir, l->call.output.shape.element,
                            xc_ir_mul(ir, real, scale));
}

bool xc_linalg_quantize_linear(xc_lowering *l) {
  return lower_linear(l, quantize);
}

bool xc_linalg_dequantize_linear(xc_lowering *l) {
  return lower_linear(l, dequantize);
}

static MlirValue requantize_cell(xc_lowering *l, const MlirValue *raw,
                                 const void *state) {
  (void)state;
  xc_element element = l->call.output.shape.element;
  MlirValue value =
      xc_element_to_int(&l->ir, l->call.operands[0].shape.element, raw[0]);
  return xc_element_of_int(&l->ir, element,
                           xc_ir_requantize(&l->ir, xc_call_is_tflite(&l->call),
                                            value,
                                            xc_call_quant(&l->call, "input"),
                                            xc_call_quant(&l->call, "output"),
                                            xc_element_range(element)));
}

bool xc_linalg_qlinear_requantize(xc_lowering *l) {
  const size_t slot = 0;
  xc_linalg_elementwise(l, &slot, 1, requantize_cell, NULL);
  return true;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

// A function of one integer of at most 16 bits is a table: the reference fills
// it for every integer there is. Entries stand in the order of the bits.
static bool fill_table(xc_lowering *l, int64_t count, void **table) {
  xc_kernel_call call = l->call;
  xc_tensor *input = &call.operands[0];
  input->shape.rank = call.output.shape.rank = 1;
  input->shape.dims[0] = call.output.shape.dims[0] = count;
  *input = xc_call_tensor(&call, &input->shape);
  call.output = xc_call_tensor(&call, &call.output.shape);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(input, i, i);
  *table = call.output.data;
  return xc_interpret_find(call.view->info->kind)(&call);
}

typedef struct table_state {
  MlirValue table;
} table_state;

static MlirValue table_cell(xc_lowering *l, const MlirValue *raw,
                            const void *state) {
  const table_state *s = state;
  const xc_ir *ir = &l->ir;
  MlirValue index =
      xc_ir_index_cast(ir, xc_ir_uint_cast(ir, raw[0], ir->i64), ir->index);
  return xc_ir_load(ir, s->table, &index, 1);
}

bool xc_linalg_qlinear_activation(xc_lowering *l) {
  xc_element in = l->call.operands[0].shape.element;
  int64_t count = INT64_C(1) << (8 * xc_element_size(in));
  void *entries;
  if (!fill_table(l, count, &entries))
    return false;
  const table_state state = {
      xc_lowering_table(l, entries, l->call.output.shape.element, 1, &count)};
  const size_t slot = 0;
  xc_linalg_elementwise(l, &slot, 1, table_cell, &state);
  return true;
}
