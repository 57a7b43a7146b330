//===- Join.c - several inputs side by side -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Join.h"

#include "Fix.h"

// Along an axis of the inputs, or along a new one, where each takes one place.
static void join(xc_lowering *l, size_t axis, bool is_new,
                 xc_join_convert convert, const void *state) {
  xc_ir *ir = &l->ir;
  size_t inputs = xc_num_inputs(l->op);
  size_t rank = l->result.rank;
  int64_t first = 0;
  for (size_t slot = 0, i = 0; i < inputs; ++slot) {
    if (!xc_has_operand(l->op, slot))
      continue;
    const xc_shape *shape = &l->shapes[slot];
    xc_ir_nest nest;
    MlirValue to[XC_MAX_RANK];
    xc_ir_nest_begin(ir, &nest, shape->rank, shape->dims);
    for (size_t dim = 0; dim < shape->rank; ++dim)
      to[dim + (is_new && dim >= axis)] = nest.at[dim];
    to[axis] =
        is_new ? xc_ir_index(ir, first) : xc_ir_addi(ir, nest.at[axis], first);
    MlirValue raw = xc_ir_load(ir, l->buffers[slot], nest.at, shape->rank);
    xc_ir_store(ir, convert(l, slot, i, raw, state), l->output, to, rank);
    xc_ir_nest_end(ir, &nest);
    first += is_new ? 1 : shape->dims[axis];
    ++i;
  }
}

void xc_linalg_join(xc_lowering *l, size_t axis, xc_join_convert convert,
                    const void *state) {
  join(l, axis, false, convert, state);
}

static MlirValue keep(xc_lowering *l, size_t slot, size_t number, MlirValue raw,
                      const void *state) {
  (void)l;
  (void)slot;
  (void)number;
  (void)state;
  return raw;
}

static MlirValue rescale(xc_lowering *l, size_t slot, size_t number,
                         MlirValue raw, const void *state) {
  (void)state;
  return xc_fix_rescale(l, slot, xc_input_fix_point(l->op, number), raw);
}

bool xc_linalg_concat(xc_lowering *l) {
  xc_linalg_join(l, xc_axis_of(l->op), keep, NULL);
  return true;
}

bool xc_linalg_concat_fix(xc_lowering *l) {
  xc_linalg_join(l, xc_axis_of(l->op), rescale, NULL);
  return true;
}

bool xc_linalg_stack(xc_lowering *l) {
  // The new axis counts among the result's dimensions.
  int64_t axis = xc_attr_int(l->op, XC_ATTR_AXIS);
  if (axis < 0)
    axis += (int64_t)l->result.rank;
  join(l, (size_t)axis, true, keep, NULL);
  return true;
}

// Returns an index of a dimension; one that is outside fails, and reads as 0.
static MlirValue load_index(xc_lowering *l, size_t slot, const MlirValue *at,
                            int64_t size) {
  xc_ir *ir = &l->ir;
  MlirValue index = xc_load_int(l, slot, at);
  MlirValue from_end = xc_ir_comparei(ir, XC_IR_LT, index, 0);
  index = xc_ir_select(ir, from_end, xc_ir_addi(ir, index, size), index);
  MlirValue inside = xc_ir_comparei(ir, XC_IR_ULT, index, size);
  MlirValue outside = xc_ir_xor(ir, inside, xc_ir_int(ir, ir->i1, 1));
  xc_lowering_fail_if(l, outside, XC_STATUS_INDEX_OUTSIDE);
  index = xc_ir_select(ir, inside, index, xc_whole(l, 0));
  return xc_ir_index_cast(ir, index, ir->index);
}

// Dimensions of the result: those before the axis, of the indices, after it.
bool xc_linalg_gather(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  const xc_shape *in = &l->shapes[XC_GATHER_INPUT];
  const xc_shape *indices = &l->shapes[XC_GATHER_INDICES];
  const xc_shape *out = &l->result;
  size_t axis = xc_axis_of(l->op);
  int64_t size = in->dims[axis];
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, out->rank, out->dims);
  MlirValue index = load_index(l, XC_GATHER_INDICES, nest.at + axis, size);
  MlirValue from[XC_MAX_RANK];
  for (size_t dim = 0; dim < in->rank; ++dim)
    from[dim] = dim < axis    ? nest.at[dim]
                : dim == axis ? index
                              : nest.at[dim + indices->rank - 1];
  // An empty dimension has no element 0 to read in place of a missing one.
  if (size > 0)
    xc_ir_store(ir, xc_ir_load(ir, l->buffers[XC_GATHER_INPUT], from, in->rank),
                l->output, nest.at, out->rank);
  xc_ir_nest_end(ir, &nest);
  return true;
}

// The data, then one update after the other.
bool xc_linalg_scatter(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  const xc_shape *data = &l->shapes[XC_SCATTER_DATA];
  int64_t size = data->dims[0];
  xc_op_kind kind = XC_TIR_ADD;
  bool combines = xc_scatter_combines(l->op, &kind);
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, data->rank, data->dims);
  xc_ir_store(ir,
              xc_ir_load(ir, l->buffers[XC_SCATTER_DATA], nest.at, data->rank),
              l->output, nest.at, data->rank);
  xc_ir_nest_end(ir, &nest);
  xc_ir_loop loop =
      xc_ir_for_size(ir, l->shapes[XC_SCATTER_INDICES].dims[0], NULL, 0);
  MlirValue to[XC_MAX_RANK], from[XC_MAX_RANK];
  to[0] = load_index(l, XC_SCATTER_INDICES, &loop.index, size);
  from[0] = loop.index;
  xc_ir_nest_begin(ir, &nest, data->rank - 1, data->dims + 1);
  for (size_t dim = 1; dim < data->rank; ++dim)
    to[dim] = from[dim] = nest.at[dim - 1];
  // Without rows there is none to store in place of a missing one.
  if (size > 0) {
    MlirValue raw =
        xc_ir_load(ir, l->buffers[XC_SCATTER_UPDATES], from, data->rank);
    if (combines)
      raw = xc_combine_raw(l, kind, xc_ir_load(ir, l->output, to, data->rank),
                           raw);
    xc_ir_store(ir, raw, l->output, to, data->rank);
  }
  xc_ir_nest_end(ir, &nest);
  xc_ir_end_for(ir, &loop, NULL);
  return true;
}
