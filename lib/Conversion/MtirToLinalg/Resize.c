//===- Resize.c - resampling, and boxes -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resize.h"

#include "OpParams/Priorbox.h"

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static MlirValue positions_table(xc_lowering *l, const xc_resize_axis *axis,
                                 const int64_t dims[2]) {
  int64_t count = dims[0] * dims[1];
  int32_t *source = xc_lowering_alloc(l, count, sizeof(*source));
  for (int64_t i = 0; i < count; ++i)
    source[i] = (int32_t)axis->source[i];
  return xc_lowering_table(l, source, XC_ELEMENT_I32, 2, dims);
}

xc_resample_axis xc_resample_axis_create(xc_lowering *l, int which) {
  xc_resize_axis axis = xc_resize_axis_of(l->op, which, l->arena);
  int64_t outputs = l->result.dims[which == 0 ? 2 : 1];
  const int64_t dims[] = {outputs, axis.taps};
  xc_resample_axis result = {.taps = axis.taps};
  result.source = positions_table(l, &axis, dims);
  result.weight = xc_lowering_table(l, axis.weight, XC_ELEMENT_F64, 2, dims);
  uint8_t *outside = xc_lowering_alloc(l, outputs, sizeof(*outside));
  bool any = false;
  for (int64_t i = 0; i < outputs; ++i) {
    outside[i] = axis.outside[i];
    any = any || axis.outside[i];
  }
  if (any)
    result.outside = xc_lowering_table(l, outside, XC_ELEMENT_I8, 1, dims);
  return result;
}

static MlirValue source_at(xc_lowering *l, const xc_resample_axis *axis,
                           MlirValue at, MlirValue tap) {
  const MlirValue indices[] = {at, tap};
  return xc_ir_index_cast(&l->ir, xc_ir_load(&l->ir, axis->source, indices, 2),
                          l->ir.index);
}

static MlirValue weight_at(xc_lowering *l, const xc_resample_axis *axis,
                           MlirValue at, MlirValue tap) {
  const MlirValue indices[] = {at, tap};
  return xc_ir_load(&l->ir, axis->weight, indices, 2);
}

MlirValue xc_resample_sum(xc_lowering *l, const xc_resample_axis *h,
                          const xc_resample_axis *w, const MlirValue *at,
                          MlirValue (*value)(xc_lowering *l,
                                             const MlirValue *from)) {
  xc_ir *ir = &l->ir;
  MlirValue zero = xc_real(l, 0);
  xc_ir_loop rows = xc_ir_for_size(ir, h->taps, &zero, 1);
  MlirValue y = source_at(l, h, at[1], rows.index);
  MlirValue height = weight_at(l, h, at[1], rows.index);
  xc_ir_loop columns = xc_ir_for_size(ir, w->taps, rows.carried, 1);
  MlirValue x = source_at(l, w, at[2], columns.index);
  MlirValue width = weight_at(l, w, at[2], columns.index);
  const MlirValue from[] = {at[0], y, x, at[3]};
  MlirValue term = xc_ir_mul(ir, xc_ir_mul(ir, height, width), value(l, from));
  // A row without weight does not count, whatever it holds.
  MlirValue counts = xc_ir_compare(ir, XC_IR_NE, height, zero);
  MlirValue sum = xc_ir_select(
      ir, counts, xc_ir_add(ir, columns.carried[0], term), columns.carried[0]);
  xc_ir_end_for(ir, &columns, &sum);
  xc_ir_end_for(ir, &rows, columns.results);
  return rows.results[0];
}

//===----------------------------------------------------------------------===//
// Resize
//===----------------------------------------------------------------------===//

static MlirValue real_value(xc_lowering *l, const MlirValue *from) {
  return xc_load_real(l, XC_RESIZE_INPUT, from);
}

static MlirValue raw_of(xc_lowering *l, const xc_resample_axis *h,
                        const xc_resample_axis *w, const MlirValue *at) {
  xc_element element = l->result.element;
  if (!xc_attr_is(l->op, XC_ATTR_MODE, XC_ENUM_NEAREST))
    return xc_element_of_real(&l->ir, element,
                              xc_resample_sum(l, h, w, at, real_value));
  MlirValue zero = xc_ir_index(&l->ir, 0);
  const MlirValue from[] = {at[0], source_at(l, h, at[1], zero),
                            source_at(l, w, at[2], zero), at[3]};
  // A sum that starts at 0 knows no -0.
  return xc_element_is_float(element)
             ? xc_element_of_real(
                   &l->ir, element,
                   xc_ir_add(&l->ir, xc_real(l, 0),
                             xc_load_real(l, XC_RESIZE_INPUT, from)))
             : xc_element_of_int(&l->ir, element,
                                 xc_load_int(l, XC_RESIZE_INPUT, from));
}

static MlirValue is_outside(xc_lowering *l, const xc_resample_axis *axis,
                            MlirValue at) {
  if (mlirValueIsNull(axis->outside))
    return xc_ir_int(&l->ir, l->ir.i1, 0);
  return xc_ir_comparei(&l->ir, XC_IR_NE,
                        xc_ir_load(&l->ir, axis->outside, &at, 1), 0);
}

bool xc_linalg_resize(xc_lowering *l) {
  if (!xc_resize_check(l->op))
    return false;
  xc_ir *ir = &l->ir;
  xc_resample_axis w = xc_resample_axis_create(l, 0);
  xc_resample_axis h = xc_resample_axis_create(l, 1);
  xc_element element = l->result.element;
  MlirValue extrapolation = xc_element_of_real(
      ir, element,
      xc_real(l, xc_attr_float(l->op, XC_ATTR_EXTRAPOLATION_VALUE)));
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, 4, l->result.dims);
  MlirValue raw = raw_of(l, &h, &w, nest.at);
  MlirValue outside = xc_ir_or(ir, is_outside(l, &h, nest.at[1]),
                               is_outside(l, &w, nest.at[2]));
  xc_ir_store(ir, xc_ir_select(ir, outside, extrapolation, raw), l->output,
              nest.at, 4);
  xc_ir_nest_end(ir, &nest);
  return true;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

// They depend on shapes only and are known now.
bool xc_linalg_priorbox(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  const double *values = xc_priorbox_values(l->op, l->arena);
  if (!values)
    return false;
  const xc_shape *out = &l->result;
  MlirValue table =
      xc_lowering_table(l, values, XC_ELEMENT_F64, out->rank, out->dims);
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, out->rank, out->dims);
  xc_store_real(l, xc_ir_load(ir, table, nest.at, out->rank), nest.at);
  xc_ir_nest_end(ir, &nest);
  return true;
}
