//===- Detect.c - choosing by rank: topk, nms -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include <math.h>

static MlirValue truth(const xc_ir *ir, bool value) {
  return xc_ir_int(ir, ir->i1, value);
}

static MlirValue not(const xc_ir *ir, MlirValue a) {
  return xc_ir_xor(ir, a, truth(ir, true));
}

//===----------------------------------------------------------------------===//
// The k largest
//===----------------------------------------------------------------------===//

/// One lane of a topk being written.
typedef struct lane_ir {
  size_t axis;
  bool largest, is_float, is_unsigned;
  MlirValue from[XC_MAX_RANK];
} lane_ir;

static MlirValue value_at(xc_lowering *l, lane_ir *lane, MlirValue index) {
  lane->from[lane->axis] = index;
  return lane->is_float ? xc_load_real(l, XC_TOPK_INPUT, lane->from)
                        : xc_load_int(l, XC_TOPK_INPUT, lane->from);
}

// Whether `a` comes before `b`: by value, NaNs last.
static MlirValue is_before(const xc_ir *ir, const lane_ir *lane, MlirValue a,
                           MlirValue b) {
  xc_ir_predicate order = lane->is_unsigned ? XC_IR_UGT : XC_IR_GT;
  MlirValue wins = lane->largest ? xc_ir_compare(ir, order, a, b)
                                 : xc_ir_compare(ir, order, b, a);
  if (!lane->is_float)
    return wins;
  MlirValue is_number = not(ir, xc_ir_is_nan(ir, a));
  return xc_ir_or(ir, wins, xc_ir_and(ir, is_number, xc_ir_is_nan(ir, b)));
}

static MlirValue is_equal(const xc_ir *ir, const lane_ir *lane, MlirValue a,
                          MlirValue b) {
  return xc_ir_xor(
      ir, xc_ir_or(ir, is_before(ir, lane, a, b), is_before(ir, lane, b, a)),
      truth(ir, true));
}

// Returns the first of the elements that come after element `last`, which is -1
// at first.
static MlirValue next_index(xc_lowering *l, lane_ir *lane, MlirValue last) {
  xc_ir *ir = &l->ir;
  MlirValue none = xc_ir_index(ir, -1), zero = xc_ir_index(ir, 0);
  MlirValue is_first = xc_ir_compare(ir, XC_IR_EQ, last, none);
  MlirValue before = value_at(l, lane, xc_ir_select(ir, is_first, zero, last));
  int64_t size = l->shapes[XC_TOPK_INPUT].dims[lane->axis];
  const MlirValue inits[] = {none, before};
  xc_ir_loop loop = xc_ir_for_size(ir, size, inits, 2);
  MlirValue x = value_at(l, lane, loop.index);
  MlirValue follows = xc_ir_and(ir, is_equal(ir, lane, x, before),
                                xc_ir_compare(ir, XC_IR_GT, loop.index, last));
  MlirValue is_left = xc_ir_or(
      ir, is_first, xc_ir_or(ir, is_before(ir, lane, before, x), follows));
  MlirValue wins =
      xc_ir_or(ir, xc_ir_compare(ir, XC_IR_EQ, loop.carried[0], none),
               is_before(ir, lane, x, loop.carried[1]));
  wins = xc_ir_and(ir, is_left, wins);
  const MlirValue values[] = {
      xc_ir_select(ir, wins, loop.index, loop.carried[0]),
      xc_ir_select(ir, wins, x, loop.carried[1])};
  xc_ir_end_for(ir, &loop, values);
  return loop.results[0];
}

bool xc_linalg_topk(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  const xc_shape *in = &l->shapes[XC_TOPK_INPUT];
  lane_ir lane = {.axis = xc_axis_of(l->op),
                  .largest = xc_attr_bool(l->op, XC_ATTR_LARGEST),
                  .is_float = xc_element_is_float(in->element),
                  .is_unsigned = in->element == XC_ELEMENT_UI64};
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < in->rank; ++i)
    dims[i] = i == lane.axis ? 1 : in->dims[i];
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, in->rank, dims);
  MlirValue to[XC_MAX_RANK];
  for (size_t i = 0; i < in->rank; ++i)
    to[i] = lane.from[i] = nest.at[i];
  const MlirValue init = xc_ir_index(ir, -1);
  int64_t k = xc_attr_int(l->op, XC_ATTR_K);
  xc_ir_loop loop = xc_ir_for_size(ir, k, &init, 1);
  // Without elements there is nothing to choose, and no code that reads any.
  MlirValue index = in->dims[lane.axis] ? next_index(l, &lane, loop.carried[0])
                                        : loop.carried[0];
  to[lane.axis] = loop.index;
  xc_store_int(l, xc_ir_index_cast(ir, index, ir->i64), to);
  xc_ir_end_for(ir, &loop, &index);
  xc_ir_nest_end(ir, &nest);
  return true;
}

//===----------------------------------------------------------------------===//
// Non-maximum suppression
//===----------------------------------------------------------------------===//

enum { COLUMNS = 3, CORNERS = 4 };

/// One class of one batch being written; all of type index.
typedef struct nms {
  MlirValue batch, class, first_row;
} nms;

/// Top, left, bottom, right.
typedef struct box {
  MlirValue side[CORNERS];
} box;

static box read_box(xc_lowering *l, MlirValue batch, MlirValue index) {
  const xc_ir *ir = &l->ir;
  MlirValue n[CORNERS];
  for (int64_t i = 0; i < CORNERS; ++i) {
    const MlirValue at[] = {batch, index, xc_ir_index(ir, i)};
    n[i] = xc_load_real(l, XC_NMS_BOXES, at);
  }
  box b;
  for (int i = 0; i < 2; ++i) {
    if (xc_attr_bool(l->op, XC_ATTR_CENTER_POINT_BOX)) {
      MlirValue half = xc_ir_div(ir, n[3 - i], xc_real(l, 2));
      b.side[i] = xc_ir_sub(ir, n[1 - i], half);
      b.side[i + 2] = xc_ir_add(ir, n[1 - i], half);
      continue;
    }
    MlirValue is_first = xc_ir_compare(ir, XC_IR_LT, n[i], n[i + 2]);
    b.side[i] = xc_ir_select(ir, is_first, n[i], n[i + 2]);
    b.side[i + 2] = xc_ir_select(ir, is_first, n[i + 2], n[i]);
  }
  return b;
}

static MlirValue area_of(const xc_ir *ir, const box *b) {
  return xc_ir_mul(ir, xc_ir_sub(ir, b->side[2], b->side[0]),
                   xc_ir_sub(ir, b->side[3], b->side[1]));
}

static MlirValue overlaps(xc_lowering *l, const box *a, const box *b) {
  const xc_ir *ir = &l->ir;
  MlirValue zero = xc_real(l, 0), common = xc_real(l, 1);
  for (int i = 0; i < 2; ++i) {
    MlirValue low =
        xc_ir_select(ir, xc_ir_compare(ir, XC_IR_GT, a->side[i], b->side[i]),
                     a->side[i], b->side[i]);
    MlirValue high = xc_ir_select(
        ir, xc_ir_compare(ir, XC_IR_LT, a->side[i + 2], b->side[i + 2]),
        a->side[i + 2], b->side[i + 2]);
    MlirValue length = xc_ir_sub(ir, high, low);
    MlirValue meets = xc_ir_compare(ir, XC_IR_GT, length, zero);
    common = xc_ir_mul(ir, common, xc_ir_select(ir, meets, length, zero));
  }
  MlirValue area_a = area_of(ir, a), area_b = area_of(ir, b);
  MlirValue together = xc_ir_sub(ir, xc_ir_add(ir, area_a, area_b), common);
  MlirValue limit = xc_ir_mul(
      ir, xc_real(l, xc_attr_float(l->op, XC_ATTR_IOU_THRESHOLD)), together);
  MlirValue much = xc_ir_compare(ir, XC_IR_GT, common, limit);
  MlirValue is_real = xc_ir_and(ir, xc_ir_compare(ir, XC_IR_GT, area_a, zero),
                                xc_ir_compare(ir, XC_IR_GT, area_b, zero));
  return xc_ir_and(ir, is_real, much);
}

static void store_row(xc_lowering *l, MlirValue row, const MlirValue *columns) {
  const xc_ir *ir = &l->ir;
  for (int64_t i = 0; i < COLUMNS; ++i) {
    const MlirValue at[] = {row, xc_ir_index(ir, i)};
    xc_store_int(l, xc_ir_index_cast(ir, columns[i], ir->i64), at);
  }
}

// Whether one of the boxes in the rows first_row .. end overlaps it.
static MlirValue is_suppressed(xc_lowering *l, const nms *n, MlirValue end,
                               MlirValue candidate) {
  xc_ir *ir = &l->ir;
  box mine = read_box(l, n->batch, candidate);
  const MlirValue init = truth(ir, false);
  xc_ir_loop loop =
      xc_ir_for(ir, n->first_row, end, xc_ir_index(ir, 1), &init, 1);
  const MlirValue at[] = {loop.index, xc_ir_index(ir, COLUMNS - 1)};
  MlirValue raw = xc_ir_load(ir, l->output, at, 2);
  MlirValue taken = xc_ir_index_cast(
      ir, xc_element_to_int(ir, l->result.element, raw), ir->index);
  box other = read_box(l, n->batch, taken);
  const MlirValue found =
      xc_ir_or(ir, loop.carried[0], overlaps(l, &other, &mine));
  xc_ir_end_for(ir, &loop, &found);
  return loop.results[0];
}

// Returns the best box that comes after the last one in the order of scores, or
// -1. Only a box that would be the best is compared with those taken.
static MlirValue next_box(xc_lowering *l, const nms *n, MlirValue row,
                          MlirValue last) {
  xc_ir *ir = &l->ir;
  MlirValue none = xc_ir_index(ir, -1);
  MlirValue is_first = xc_ir_compare(ir, XC_IR_EQ, last, none);
  MlirValue at[] = {n->batch, n->class,
                    xc_ir_select(ir, is_first, xc_ir_index(ir, 0), last)};
  MlirValue before = xc_load_real(l, XC_NMS_SCORES, at);
  const MlirValue inits[] = {
      none, xc_real(l, xc_attr_float(l->op, XC_ATTR_SCORE_THRESHOLD))};
  xc_ir_loop loop =
      xc_ir_for_size(ir, l->shapes[XC_NMS_SCORES].dims[2], inits, 2);
  at[2] = loop.index;
  MlirValue score = xc_load_real(l, XC_NMS_SCORES, at);
  MlirValue follows = xc_ir_and(ir, xc_ir_compare(ir, XC_IR_EQ, score, before),
                                xc_ir_compare(ir, XC_IR_GT, loop.index, last));
  MlirValue is_later =
      xc_ir_or(ir, xc_ir_compare(ir, XC_IR_LT, score, before), follows);
  MlirValue wins =
      xc_ir_and(ir, xc_ir_or(ir, is_first, is_later),
                xc_ir_compare(ir, XC_IR_GT, score, loop.carried[1]));
  const MlirType types[] = {ir->index, ir->f64};
  xc_ir_branch branch = xc_ir_if(ir, wins, types, 2);
  MlirValue hidden = is_suppressed(l, n, row, loop.index);
  const MlirValue chosen[] = {
      xc_ir_select(ir, hidden, loop.carried[0], loop.index),
      xc_ir_select(ir, hidden, loop.carried[1], score)};
  xc_ir_else(ir, &branch, chosen);
  xc_ir_end_if(ir, &branch, loop.carried);
  const MlirValue values[] = {xc_ir_if_result(&branch, 0),
                              xc_ir_if_result(&branch, 1)};
  xc_ir_end_for(ir, &loop, values);
  return loop.results[0];
}

// Returns the boxes of one class from `row` on; gives the row after them.
static MlirValue choose(xc_lowering *l, nms *n, MlirValue row) {
  xc_ir *ir = &l->ir;
  const xc_shape *scores = &l->shapes[XC_NMS_SCORES];
  int64_t most = xc_attr_int(l->op, XC_ATTR_MAX_BOXES);
  n->first_row = row;
  const MlirValue inits[] = {row, xc_ir_index(ir, -1), truth(ir, true)};
  xc_ir_loop loop = xc_ir_for_size(
      ir, most < scores->dims[2] ? most : scores->dims[2], inits, 3);
  const MlirType types[] = {ir->index, ir->index, ir->i1};
  xc_ir_branch branch = xc_ir_if(ir, loop.carried[2], types, 3);
  MlirValue best = next_box(l, n, loop.carried[0], loop.carried[1]);
  MlirValue found = xc_ir_comparei(ir, XC_IR_GE, best, 0);
  const MlirType index = ir->index;
  xc_ir_branch store = xc_ir_if(ir, found, &index, 1);
  const MlirValue columns[] = {n->batch, n->class, best};
  store_row(l, loop.carried[0], columns);
  const MlirValue after = xc_ir_addi(ir, loop.carried[0], 1);
  xc_ir_else(ir, &store, &after);
  xc_ir_end_if(ir, &store, &loop.carried[0]);
  const MlirValue values[] = {xc_ir_if_result(&store, 0), best, found};
  xc_ir_else(ir, &branch, values);
  xc_ir_end_if(ir, &branch, loop.carried);
  const MlirValue results[] = {xc_ir_if_result(&branch, 0),
                               xc_ir_if_result(&branch, 1),
                               xc_ir_if_result(&branch, 2)};
  xc_ir_end_for(ir, &loop, results);
  return loop.results[0];
}

bool xc_linalg_nms(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  const xc_shape *scores = &l->shapes[XC_NMS_SCORES];
  MlirValue none = xc_ir_index(ir, -1);
  const MlirValue empty[] = {none, none, none};
  xc_ir_loop fill = xc_ir_for_size(ir, l->result.dims[0], NULL, 0);
  store_row(l, fill.index, empty);
  xc_ir_end_for(ir, &fill, NULL);
  if (l->result.dims[0] == 0)
    return true;
  const MlirValue init = xc_ir_index(ir, 0);
  xc_ir_loop batches = xc_ir_for_size(ir, scores->dims[0], &init, 1);
  xc_ir_loop classes = xc_ir_for_size(ir, scores->dims[1], batches.carried, 1);
  nms n = {.batch = batches.index, .class = classes.index};
  const MlirValue row = choose(l, &n, classes.carried[0]);
  xc_ir_end_for(ir, &classes, &row);
  xc_ir_end_for(ir, &batches, classes.results);
  return true;
}
