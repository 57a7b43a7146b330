//===- Window.c - the taps of convolutions and pools ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

#include "mlir-c/BuiltinTypes.h"

#include <assert.h>

enum { MAX_VALUES = 4 };

static MlirValue make_table(xc_lowering *l, const xc_axis_taps *axis) {
  int64_t count = axis->outputs * axis->taps;
  int32_t *sources = xc_lowering_alloc(l, count, sizeof(*sources));
  for (int64_t i = 0; i < count; ++i)
    sources[i] = (int32_t)axis->source[i];
  const int64_t dims[] = {axis->outputs, axis->taps};
  return xc_lowering_table(l, sources, XC_ELEMENT_I32, 2, dims);
}

xc_tap_window xc_tap_window_create(xc_lowering *l, const xc_taps *taps) {
  return (xc_tap_window){taps->h.taps, taps->w.taps, make_table(l, &taps->h),
                         make_table(l, &taps->w)};
}

// A loop over the taps of one axis and, where one hits, a branch.
typedef struct tap_loop {
  xc_ir_loop loop;
  xc_ir_branch branch;
  MlirValue position;
} tap_loop;

static tap_loop begin_axis(xc_lowering *l, MlirValue table, int64_t taps,
                           MlirValue at, MlirValue *values, size_t count) {
  xc_ir *ir = &l->ir;
  tap_loop t;
  MlirType types[MAX_VALUES];
  assert(count <= MAX_VALUES && "taps carry few values");
  for (size_t i = 0; i < count; ++i)
    types[i] = mlirValueGetType(values[i]);
  t.loop = xc_ir_for_size(ir, taps, values, count);
  for (size_t i = 0; i < count; ++i)
    values[i] = t.loop.carried[i];
  const MlirValue indices[] = {at, t.loop.index};
  MlirValue source = xc_ir_load(ir, table, indices, 2);
  MlirValue inside = xc_ir_comparei(ir, XC_IR_GE, source, 0);
  t.branch = xc_ir_if(ir, inside, types, count);
  t.position = xc_ir_index_cast(ir, source, ir->index);
  return t;
}

static void end_axis(xc_lowering *l, tap_loop *t, MlirValue *values,
                     size_t count) {
  xc_ir_else(&l->ir, &t->branch, values);
  xc_ir_end_if(&l->ir, &t->branch, t->loop.carried);
  for (size_t i = 0; i < count; ++i)
    values[i] = xc_ir_if_result(&t->branch, i);
  xc_ir_end_for(&l->ir, &t->loop, values);
  for (size_t i = 0; i < count; ++i)
    values[i] = t->loop.results[i];
}

void xc_linalg_taps(xc_lowering *l, const xc_tap_window *window,
                    const MlirValue at[2], MlirValue *values, size_t count,
                    void (*body)(xc_lowering *l, const xc_tap *tap,
                                 MlirValue *values, void *state),
                    void *state) {
  tap_loop rows =
      begin_axis(l, window->h, window->h_taps, at[0], values, count);
  tap_loop columns =
      begin_axis(l, window->w, window->w_taps, at[1], values, count);
  const xc_tap tap = {rows.loop.index, columns.loop.index, rows.position,
                      columns.position};
  body(l, &tap, values, state);
  end_axis(l, &columns, values, count);
  end_axis(l, &rows, values, count);
}
