//===- Reduce.c - dimensions that are reduced -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"

#include "Fix.h"

#include <math.h>

int64_t xc_reduction_count(const xc_lowering *l) {
  bool reduced[XC_MAX_RANK];
  return xc_reduced_axes(l->op, reduced);
}

void xc_linalg_reduce(xc_lowering *l, const xc_reducer *reducer) {
  xc_ir *ir = &l->ir;
  bool reduced[XC_MAX_RANK];
  xc_reduced_axes(l->op, reduced);
  const xc_shape *in = &l->shapes[XC_REDUCTION_SUM_INPUT];
  const xc_shape *out = &l->result;
  bool keeps = out->rank == in->rank;
  xc_ir_loop loops[XC_MAX_RANK];
  MlirValue from[XC_MAX_RANK], to[XC_MAX_RANK];
  size_t outer = 0;
  for (size_t i = 0, k = 0; i < in->rank; ++i) {
    if (!reduced[i]) {
      loops[outer] = xc_ir_for_size(ir, in->dims[i], NULL, 0);
      from[i] = loops[outer++].index;
    }
    if (keeps)
      to[i] = reduced[i] ? xc_ir_index(ir, 0) : from[i];
    else if (!reduced[i])
      to[k++] = from[i];
  }
  MlirValue value = reducer->start;
  size_t inner = outer;
  for (size_t i = 0; i < in->rank; ++i)
    if (reduced[i]) {
      loops[inner] = xc_ir_for_size(ir, in->dims[i], &value, 1);
      value = loops[inner].carried[0];
      from[i] = loops[inner++].index;
    }
  MlirValue raw =
      xc_ir_load(ir, l->buffers[XC_REDUCTION_SUM_INPUT], from, in->rank);
  value = reducer->add(l, value, raw, reducer->state);
  while (inner > outer) {
    xc_ir_end_for(ir, &loops[--inner], &value);
    value = loops[inner].results[0];
  }
  xc_ir_store(ir, reducer->end(l, value, reducer->state), l->output, to,
              out->rank);
  while (outer > 0)
    xc_ir_end_for(ir, &loops[--outer], NULL);
}

//===----------------------------------------------------------------------===//
// Floating point, and integers without a scale
//===----------------------------------------------------------------------===//

MlirValue xc_reduce_sum_real(xc_lowering *l, MlirValue value, MlirValue raw,
                             const void *state) {
  (void)state;
  xc_element element = l->shapes[XC_REDUCTION_SUM_INPUT].element;
  return xc_ir_add(&l->ir, value, xc_element_to_real(&l->ir, element, raw));
}

MlirValue xc_reduce_max_real(xc_lowering *l, MlirValue value, MlirValue raw,
                             const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  MlirValue x =
      xc_element_to_real(ir, l->shapes[XC_REDUCTION_SUM_INPUT].element, raw);
  MlirValue wins =
      xc_ir_or(ir, xc_ir_compare(ir, XC_IR_GT, x, value), xc_ir_is_nan(ir, x));
  return xc_ir_select(ir, wins, x, value);
}

MlirValue xc_reduce_sum_int(xc_lowering *l, MlirValue value, MlirValue raw,
                            const void *state) {
  (void)state;
  xc_element element = l->shapes[XC_REDUCTION_SUM_INPUT].element;
  return xc_ir_add(&l->ir, value, xc_element_to_int(&l->ir, element, raw));
}

MlirValue xc_reduce_max_int(xc_lowering *l, MlirValue value, MlirValue raw,
                            const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  xc_element element = l->shapes[XC_REDUCTION_SUM_INPUT].element;
  MlirValue x = xc_element_to_int(ir, element, raw);
  bool wide = element == XC_ELEMENT_UI64;
  return xc_ir_select(
      ir, xc_ir_compare(ir, wide ? XC_IR_ULT : XC_IR_LT, value, x), x, value);
}

// The same as an operation that LLVM knows as a reduction: a chain of them over
// one output becomes vectors. In a pool, where channels are the lanes, the
// comparison above is quicker.
static MlirValue largest_real(xc_lowering *l, MlirValue value, MlirValue raw,
                              const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  const MlirValue operands[] = {
      value,
      xc_element_to_real(ir, l->shapes[XC_REDUCTION_SUM_INPUT].element, raw)};
  return xc_ir_op(ir, "arith.maximumf", operands, 2, mlirValueGetType(value),
                  NULL, 0);
}

static MlirValue end_real(xc_lowering *l, MlirValue value, const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  if (l->op->info->kind == XC_TIR_REDUCTION_MEAN)
    value = xc_ir_div(ir, value, xc_real(l, (double)xc_reduction_count(l)));
  return xc_element_of_real(ir, l->result.element, value);
}

static MlirValue end_int(xc_lowering *l, MlirValue value, const void *state) {
  (void)state;
  return xc_element_of_int(&l->ir, l->result.element, value);
}

bool xc_linalg_reduction(xc_lowering *l) {
  bool largest = l->op->info->kind == XC_TIR_REDUCTION_MAX;
  xc_element element = l->result.element;
  xc_reducer reducer;
  if (xc_element_is_float(element))
    reducer = (xc_reducer){xc_real(l, largest ? (double)-INFINITY : 0),
                           largest ? largest_real : xc_reduce_sum_real,
                           end_real, NULL};
  else
    reducer = (xc_reducer){xc_whole(l, largest ? xc_element_min(element) : 0),
                           largest ? xc_reduce_max_int : xc_reduce_sum_int,
                           end_int, NULL};
  xc_linalg_reduce(l, &reducer);
  return true;
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

static MlirValue end_fix(xc_lowering *l, MlirValue value, const void *state) {
  (void)state;
  int64_t count = xc_reduction_count(l);
  bool mean = l->op->info->kind == XC_TIR_REDUCTION_MEAN_FIX;
  int shift = xc_fix_rescale_shift(l->op);
  MlirValue divisor = xc_whole(l, mean && count > 0 ? count : 1);
  return xc_fix_raw(l, xc_ir_round_ratio(&l->ir, value, divisor, shift,
                                         xc_round_mode_of(l->op),
                                         xc_fix_type(l->result.element)));
}

bool xc_linalg_reduction_fix(xc_lowering *l) {
  bool largest = l->op->info->kind == XC_TIR_REDUCTION_MAX_FIX;
  int64_t least = xc_element_min(l->shapes[XC_REDUCTION_SUM_INPUT].element);
  const xc_reducer reducer = {xc_whole(l, largest ? least : 0),
                              largest ? xc_reduce_max_int : xc_reduce_sum_int,
                              end_fix, NULL};
  xc_linalg_reduce(l, &reducer);
  return true;
}

//===----------------------------------------------------------------------===//
// Argmax
//===----------------------------------------------------------------------===//

static MlirValue load_value(xc_lowering *l, const MlirValue *at) {
  return xc_element_is_float(l->shapes[XC_ARGMAX_INPUT].element)
             ? xc_load_real(l, XC_ARGMAX_INPUT, at)
             : xc_load_int(l, XC_ARGMAX_INPUT, at);
}

// The output has the input's dimensions without the axis, or with 1 there.
bool xc_linalg_argmax(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  const xc_shape *in = &l->shapes[XC_ARGMAX_INPUT];
  const xc_shape *out = &l->result;
  size_t axis = xc_axis_of(l->op);
  bool last = l->op->info->kind == XC_TIR_ARGMAX &&
              xc_attr_bool(l->op, XC_ATTR_SELECT_LAST);
  bool keeps = out->rank == in->rank;
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, out->rank, out->dims);
  MlirValue from[XC_MAX_RANK];
  for (size_t i = 0; i < in->rank; ++i)
    if (i != axis)
      from[i] = nest.at[keeps || i < axis ? i : i - 1];
  MlirValue best = xc_ir_index(ir, 0);
  if (in->dims[axis] > 0) {
    from[axis] = best;
    const MlirValue inits[] = {best, load_value(l, from)};
    xc_ir_loop loop =
        xc_ir_for(ir, xc_ir_index(ir, 1), xc_ir_index(ir, in->dims[axis]),
                  xc_ir_index(ir, 1), inits, 2);
    from[axis] = loop.index;
    MlirValue x = load_value(l, from);
    xc_ir_predicate order = last ? XC_IR_GE : XC_IR_GT;
    if (in->element == XC_ELEMENT_UI64)
      order = XC_IR_UGT;
    MlirValue wins = xc_ir_compare(ir, order, x, loop.carried[1]);
    if (last && in->element == XC_ELEMENT_UI64)
      wins =
          xc_ir_or(ir, wins, xc_ir_compare(ir, XC_IR_EQ, x, loop.carried[1]));
    const MlirValue values[] = {
        xc_ir_select(ir, wins, loop.index, loop.carried[0]),
        xc_ir_select(ir, wins, x, loop.carried[1])};
    xc_ir_end_for(ir, &loop, values);
    best = loop.results[0];
  }
  xc_store_int(l, xc_ir_index_cast(ir, best, ir->i64), nest.at);
  xc_ir_nest_end(ir, &nest);
  return true;
}
