//===- Move.c - elements that change their place --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fix.h"

#include "dialects/Shape.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Converts a raw element on its way: not at all, or to another fix point.
typedef MlirValue (*convert_function)(xc_lowering *l, size_t slot,
                                      MlirValue raw);

static MlirValue keep(xc_lowering *l, size_t slot, MlirValue raw) {
  (void)l;
  (void)slot;
  return raw;
}

static MlirValue rescale(xc_lowering *l, size_t slot, MlirValue raw) {
  return xc_fix_rescale(l, slot, xc_fix_point(l->op, XC_ATTR_INPUT_FIX_POINT),
                        raw);
}

static const xc_shape *input_shape(const xc_lowering *l) {
  return &l->shapes[XC_RESHAPE_INPUT];
}

static MlirValue index_of(const xc_lowering *l, int64_t value) {
  return xc_ir_index(&l->ir, value);
}

static void move(xc_lowering *l, const MlirValue *from, const MlirValue *to,
                 convert_function convert) {
  MlirValue raw = xc_ir_load(&l->ir, l->buffers[XC_RESHAPE_INPUT], from,
                             input_shape(l)->rank);
  xc_ir_store(&l->ir, convert(l, 0, raw), l->output, to, l->result.rank);
}

//===----------------------------------------------------------------------===//
// The same elements in the same order
//===----------------------------------------------------------------------===//

// Row-major position `linear` in a shape.
static void split_position(const xc_lowering *l, MlirValue linear,
                           const xc_shape *shape, MlirValue *at) {
  const xc_ir *ir = &l->ir;
  for (size_t i = shape->rank; i-- > 0;) {
    MlirValue size = index_of(l, shape->dims[i]);
    MlirValue rest = xc_ir_divu(ir, linear, size);
    at[i] = xc_ir_sub(ir, linear, xc_ir_mul(ir, rest, size));
    linear = rest;
  }
}

static void move_reshaped(xc_lowering *l, convert_function convert) {
  xc_ir *ir = &l->ir;
  const xc_shape *in = input_shape(l), *out = &l->result;
  int64_t count = xc_shape_num_elements(out);
  bool dense =
      xc_ir_is_contiguous(mlirValueGetType(l->buffers[XC_RESHAPE_INPUT])) &&
      xc_ir_is_contiguous(mlirValueGetType(l->output));
  MlirValue source = l->buffers[XC_RESHAPE_INPUT], target = l->output;
  if (dense) {
    source = xc_ir_reshape(ir, source, 1, &count);
    target = xc_ir_reshape(ir, target, 1, &count);
  }
  xc_ir_loop loop = xc_ir_for_size(ir, count, NULL, 0);
  MlirValue from[XC_MAX_RANK] = {loop.index}, to[XC_MAX_RANK] = {loop.index};
  if (!dense) {
    split_position(l, loop.index, in, from);
    split_position(l, loop.index, out, to);
  }
  MlirValue raw = xc_ir_load(ir, source, from, dense ? 1 : in->rank);
  xc_ir_store(ir, convert(l, 0, raw), target, to, dense ? 1 : out->rank);
  xc_ir_end_for(ir, &loop, NULL);
}

//===----------------------------------------------------------------------===//
// Dimension by dimension
//===----------------------------------------------------------------------===//

// Where position `at` of the output's dimension `dim` comes from.
typedef MlirValue (*source_function)(xc_lowering *l, size_t dim, MlirValue at);

static MlirValue slice_source(xc_lowering *l, size_t dim, MlirValue at) {
  int64_t begin[XC_MAX_INTS], strides[XC_MAX_INTS];
  xc_attr_ints(l->op, XC_ATTR_BEGIN, begin);
  xc_attr_ints(l->op, XC_ATTR_STRIDES, strides);
  int64_t first =
      xc_slice_begin(begin[dim], strides[dim], input_shape(l)->dims[dim]);
  return xc_ir_addi(&l->ir, xc_ir_muli(&l->ir, at, strides[dim]), first);
}

static MlirValue enlarge_source(xc_lowering *l, size_t dim, MlirValue at) {
  if (dim != 1 && dim != 2)
    return at;
  int64_t scale[XC_MAX_INTS];
  xc_attr_ints(l->op, XC_ATTR_SCALE, scale);
  int64_t factor = scale[2 - dim];
  return l->op->info->rule == XC_RULE_UPSAMPLE
             ? xc_ir_divu(&l->ir, at, index_of(l, factor))
             : xc_ir_muli(&l->ir, at, factor);
}

static void move_dimensions(xc_lowering *l, source_function source,
                            convert_function convert) {
  const xc_shape *out = &l->result;
  xc_ir_nest nest;
  MlirValue from[XC_MAX_RANK];
  xc_ir_nest_begin(&l->ir, &nest, 0, NULL);
  nest.rank = out->rank;
  // The source is computed in the loop that it depends on.
  for (size_t i = 0; i < out->rank; ++i) {
    nest.loops[i] = xc_ir_for_size(&l->ir, out->dims[i], NULL, 0);
    nest.at[i] = nest.loops[i].index;
    from[i] = source(l, i, nest.at[i]);
  }
  move(l, from, nest.at, convert);
  xc_ir_nest_end(&l->ir, &nest);
}

static void move_slice(xc_lowering *l, convert_function convert) {
  move_dimensions(l, slice_source, convert);
}

static void move_enlarge(xc_lowering *l, convert_function convert) {
  move_dimensions(l, enlarge_source, convert);
}

static void move_transpose(xc_lowering *l, convert_function convert) {
  int64_t order[XC_MAX_INTS];
  const xc_shape *out = &l->result;
  xc_attr_ints(l->op, XC_ATTR_ORDER, order);
  xc_ir_nest nest;
  MlirValue from[XC_MAX_RANK];
  xc_ir_nest_begin(&l->ir, &nest, out->rank, out->dims);
  for (size_t i = 0; i < out->rank; ++i)
    from[order[i]] = nest.at[i];
  move(l, from, nest.at, convert);
  xc_ir_nest_end(&l->ir, &nest);
}

static void move_expand(xc_lowering *l, convert_function convert) {
  const xc_shape *in = input_shape(l), *out = &l->result;
  xc_ir_nest nest;
  MlirValue from[XC_MAX_RANK];
  xc_ir_nest_begin(&l->ir, &nest, out->rank, out->dims);
  size_t shift = out->rank - in->rank;
  for (size_t i = 0; i < in->rank; ++i)
    from[i] = in->dims[i] == 1 ? index_of(l, 0) : nest.at[i + shift];
  move(l, from, nest.at, convert);
  xc_ir_nest_end(&l->ir, &nest);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

// Between [N, H * s, W * s, C] and [N, H, W, s * s * C]. The channels of the
// small image hold (dy, dx, c), or (c, dy, dx) for `channel_first`.
static void move_blocks(xc_lowering *l, int64_t s, bool to_space,
                        bool channel_first, convert_function convert) {
  xc_ir *ir = &l->ir;
  const int64_t *large = to_space ? l->result.dims : input_shape(l)->dims;
  const int64_t dims[6] = {large[0], large[1] / s, s, large[2] / s,
                           s,        large[3]};
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, 6, dims);
  MlirValue y = nest.at[1], dy = nest.at[2], x = nest.at[3], dx = nest.at[4];
  MlirValue c = nest.at[5];
  MlirValue block = xc_ir_add(ir, xc_ir_muli(ir, dy, s), dx);
  MlirValue channel = channel_first
                          ? xc_ir_add(ir, xc_ir_muli(ir, c, s * s), block)
                          : xc_ir_add(ir, xc_ir_muli(ir, block, large[3]), c);
  const MlirValue space[] = {nest.at[0],
                             xc_ir_add(ir, xc_ir_muli(ir, y, s), dy),
                             xc_ir_add(ir, xc_ir_muli(ir, x, s), dx), c};
  const MlirValue depth[] = {nest.at[0], y, x, channel};
  move(l, to_space ? depth : space, to_space ? space : depth, convert);
  xc_ir_nest_end(ir, &nest);
}

static void move_pixel_shuffle(xc_lowering *l, convert_function convert) {
  move_blocks(l, xc_attr_int(l->op, XC_ATTR_SCALE),
              xc_attr_bool(l->op, XC_ATTR_UPSCALE),
              xc_attr_is(l->op, XC_ATTR_MODE, XC_ENUM_CRD), convert);
}

static void move_reorg(xc_lowering *l, convert_function convert) {
  bool is_reorg = xc_has_attr(l->op, XC_ATTR_SCALE);
  move_blocks(l, xc_attr_int(l->op, is_reorg ? XC_ATTR_SCALE : XC_ATTR_STRIDE),
              xc_attr_bool(l->op, XC_ATTR_REVERSE), false, convert);
}

typedef struct move_row {
  xc_rule rule;
  void (*move)(xc_lowering *l, convert_function convert);
} move_row;

static const move_row move_rows[] = {
    {XC_RULE_RESHAPE, move_reshaped},
    {XC_RULE_FLATTEN, move_reshaped},
    {XC_RULE_SQUEEZE, move_reshaped},
    {XC_RULE_TRANSPOSE, move_transpose},
    {XC_RULE_EXPAND, move_expand},
    {XC_RULE_STRIDED_SLICE, move_slice},
    {XC_RULE_PIXEL_SHUFFLE, move_pixel_shuffle},
    {XC_RULE_REORG, move_reorg},
    {XC_RULE_GSTILING, move_reorg},
    {XC_RULE_UPSAMPLE, move_enlarge},
    {XC_RULE_DOWNSAMPLE, move_enlarge},
};

static bool move_one(xc_lowering *l, convert_function convert) {
  const move_row *row = move_rows;
  while (row->rule != l->op->info->rule)
    ++row;
  row->move(l, convert);
  return true;
}

bool xc_linalg_move(xc_lowering *l) { return move_one(l, keep); }
bool xc_linalg_move_fix(xc_lowering *l) { return move_one(l, rescale); }

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

static void fill_output(xc_lowering *l, MlirValue raw) {
  xc_ir_nest nest;
  const xc_shape *out = &l->result;
  xc_ir_nest_begin(&l->ir, &nest, out->rank, out->dims);
  xc_ir_store(&l->ir, raw, l->output, nest.at, out->rank);
  xc_ir_nest_end(&l->ir, &nest);
}

// The input stands in the output, `before` of its first element.
static void place_input(xc_lowering *l, const int64_t *paddings,
                        convert_function convert) {
  const xc_shape *in = input_shape(l), *out = &l->result;
  int64_t dims[XC_MAX_RANK], first[XC_MAX_RANK];
  for (size_t i = 0; i < in->rank; ++i) {
    int64_t before = paddings[2 * i];
    int64_t end = before + in->dims[i];
    first[i] = before > 0 ? before : 0;
    dims[i] = (end < out->dims[i] ? end : out->dims[i]) - first[i];
    dims[i] = dims[i] > 0 ? dims[i] : 0;
  }
  xc_ir_nest nest;
  MlirValue from[XC_MAX_RANK], to[XC_MAX_RANK];
  xc_ir_nest_begin(&l->ir, &nest, in->rank, dims);
  for (size_t i = 0; i < in->rank; ++i) {
    to[i] = xc_ir_addi(&l->ir, nest.at[i], first[i]);
    from[i] = xc_ir_addi(&l->ir, nest.at[i], first[i] - paddings[2 * i]);
  }
  move(l, from, to, convert);
  xc_ir_nest_end(&l->ir, &nest);
}

static MlirValue pad_source(xc_lowering *l, size_t dim, MlirValue at) {
  const xc_ir *ir = &l->ir;
  int64_t paddings[XC_MAX_INTS], size = input_shape(l)->dims[dim];
  xc_attr_ints(l->op, XC_ATTR_PADDINGS, paddings);
  xc_enum mode = xc_attr_enum(l->op, XC_ATTR_MODE);
  MlirValue source = xc_ir_addi(ir, at, -paddings[2 * dim]);
  if (mode == XC_ENUM_EDGE)
    return xc_ir_clampi(ir, source, 0, size - 1);
  int64_t repeat = mode == XC_ENUM_SYMMETRIC;
  MlirValue below = xc_ir_sub(ir, index_of(l, -repeat), source);
  MlirValue above = xc_ir_sub(ir, index_of(l, 2 * size - 2 + repeat), source);
  MlirValue is_above = xc_ir_comparei(ir, XC_IR_GE, source, size);
  MlirValue is_below = xc_ir_comparei(ir, XC_IR_LT, source, 0);
  return xc_ir_select(ir, is_below, below,
                      xc_ir_select(ir, is_above, above, source));
}

static void pad(xc_lowering *l, MlirValue fill, convert_function convert) {
  bool empty = xc_shape_num_elements(input_shape(l)) == 0;
  if (!empty && !xc_attr_is(l->op, XC_ATTR_MODE, XC_ENUM_CONSTANT)) {
    move_dimensions(l, pad_source, convert);
    return;
  }
  int64_t paddings[XC_MAX_INTS];
  xc_attr_ints(l->op, XC_ATTR_PADDINGS, paddings);
  fill_output(l, fill);
  place_input(l, paddings, convert);
}

bool xc_linalg_pad(xc_lowering *l) {
  MlirValue value = xc_real(l, xc_attr_float(l->op, XC_ATTR_CONSTANT_VALUE));
  pad(l, xc_element_of_real(&l->ir, l->result.element, value), keep);
  return true;
}

bool xc_linalg_pad_fix(xc_lowering *l) {
  int64_t value = xcSaturate(xc_attr_int(l->op, XC_ATTR_CONSTANT_VALUE),
                             xc_fix_type(l->result.element));
  pad(l, xc_element_of_int(&l->ir, l->result.element, xc_whole(l, value)),
      rescale);
  return true;
}

//===----------------------------------------------------------------------===//
// Batch and space
//===----------------------------------------------------------------------===//

bool xc_linalg_space_to_batch(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  int64_t block[XC_MAX_INTS], paddings[XC_MAX_INTS];
  xc_attr_ints(l->op, XC_ATTR_BLOCK_SHAPE, block);
  xc_attr_ints(l->op, XC_ATTR_PADDINGS, paddings);
  const int64_t *in = input_shape(l)->dims, *out = l->result.dims;
  // Result batch (dy, dx, n), then rows, columns and channels.
  const int64_t dims[6] = {block[1], block[0], in[0], out[1], out[2], in[3]};
  MlirType element = mlirShapedTypeGetElementType(
      mlirValueGetType(l->buffers[XC_SPACE_TO_BATCH_INPUT]));
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, 6, dims);
  MlirValue batch =
      xc_ir_add(ir, xc_ir_muli(ir, nest.at[0], block[0]), nest.at[1]);
  batch = xc_ir_add(ir, xc_ir_muli(ir, batch, in[0]), nest.at[2]);
  MlirValue row = xc_ir_addi(
      ir, xc_ir_add(ir, xc_ir_muli(ir, nest.at[3], block[1]), nest.at[0]),
      -paddings[2]);
  MlirValue column = xc_ir_addi(
      ir, xc_ir_add(ir, xc_ir_muli(ir, nest.at[4], block[0]), nest.at[1]),
      -paddings[0]);
  // Below 0 is far above as an unsigned number.
  MlirValue inside = xc_ir_and(ir, xc_ir_comparei(ir, XC_IR_ULT, row, in[1]),
                               xc_ir_comparei(ir, XC_IR_ULT, column, in[2]));
  xc_ir_branch branch = xc_ir_if(ir, inside, &element, 1);
  const MlirValue from[] = {nest.at[2], row, column, nest.at[5]};
  MlirValue raw = xc_ir_load(ir, l->buffers[XC_SPACE_TO_BATCH_INPUT], from, 4);
  xc_ir_else(ir, &branch, &raw);
  MlirValue zero = xc_element_of_real(ir, l->result.element, xc_real(l, 0));
  xc_ir_end_if(ir, &branch, &zero);
  const MlirValue to[] = {batch, nest.at[3], nest.at[4], nest.at[5]};
  xc_ir_store(ir, xc_ir_if_result(&branch, 0), l->output, to, 4);
  xc_ir_nest_end(ir, &nest);
  return true;
}

// Row y of the result lies in row y / block of batch part y % block.
bool xc_linalg_batch_to_space(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  int64_t block[XC_MAX_INTS], crop[XC_MAX_INTS];
  xc_attr_ints(l->op, XC_ATTR_BLOCK_SHAPE, block);
  xc_attr_ints(l->op, XC_ATTR_CROPS, crop);
  const int64_t *out = l->result.dims;
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, 4, out);
  MlirValue part[2], at[2];
  for (int i = 0; i < 2; ++i) {
    int64_t size = block[1 - i];
    MlirValue position = xc_ir_addi(ir, nest.at[1 + i], crop[2 * (1 - i)]);
    at[i] = xc_ir_divu(ir, position, index_of(l, size));
    part[i] = xc_ir_sub(ir, position, xc_ir_muli(ir, at[i], size));
  }
  MlirValue batch = xc_ir_add(ir, xc_ir_muli(ir, part[0], block[0]), part[1]);
  batch = xc_ir_add(ir, xc_ir_muli(ir, batch, out[0]), nest.at[0]);
  const MlirValue from[] = {batch, at[0], at[1], nest.at[3]};
  move(l, from, nest.at, keep);
  xc_ir_nest_end(ir, &nest);
  return true;
}

bool xc_linalg_data(xc_lowering *l) {
  fill_output(l, xc_element_of_real(&l->ir, l->result.element, xc_real(l, 0)));
  return true;
}

bool xc_linalg_custom(xc_lowering *l) {
  MlirStringRef type =
      mlirStringAttrGetValue(xc_attr_get(l->op, XC_ATTR_OP_TYPE));
  return xc_adaptor_error(l->op,
                          "'%.*s' is known to the host only and cannot be "
                          "compiled for the CPU",
                          (int)type.length, type.data);
}
