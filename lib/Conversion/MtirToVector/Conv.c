//===- Conv.c - functions of convolutions ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Loop.h"
#include "Lower.h"
#include "Support/Math.h"
#include "Vec.h"
#include "Winograd.h"

#include <stdlib.h>
#include <string.h>

typedef struct writer {
  xc_conv conv;
  xc_conv_plan plan;
  size_t input, output, residual, weights, scratch; // arguments
  xc_conv_tables tables;
} writer;

//===----------------------------------------------------------------------===//
// Loops over tiles
//===----------------------------------------------------------------------===//

// Returns the first row (column) of a tile. The last tile ends with the image,
// over outputs that the one before it has computed too: they get the same
// numbers.
static MlirValue tile_start(const xc_ir *ir, MlirValue number, int64_t size,
                            int64_t outputs) {
  MlirValue start = xc_ir_muli(ir, number, size);
  return outputs % size == 0
             ? start
             : xc_ir_min(ir, start, xc_ir_index(ir, outputs - size));
}

// Splits a number into one below `size` and the rest, which replaces it.
static MlirValue take_digit(const xc_ir *ir, MlirValue *number, int64_t size) {
  if (size == 1)
    return xc_ir_index(ir, 0);
  const MlirValue operands[] = {*number, xc_ir_index(ir, size)};
  MlirValue digit =
      xc_ir_op(ir, "arith.remui", operands, 2, ir->index, NULL, 0);
  *number = xc_ir_divu(ir, *number, operands[1]);
  return digit;
}

typedef struct position {
  MlirValue image, group, panel, y, x;
} position;

static position position_of(const xc_ir *ir, const xc_conv_plan *plan,
                            MlirValue number, int64_t panels) {
  position at = {.panel = {NULL}};
  if (plan->panels_inside)
    at.panel = take_digit(ir, &number, panels);
  at.x = take_digit(ir, &number, xc_ceil_div64(plan->out_w, plan->tile_w));
  at.y = take_digit(ir, &number, xc_ceil_div64(plan->band_h, plan->tile_h));
  if (!plan->panels_inside)
    at.panel = take_digit(ir, &number, panels);
  at.group = number;
  at.x = tile_start(ir, at.x, plan->tile_w, plan->out_w);
  at.y = tile_start(ir, at.y, plan->tile_h, plan->band_h);
  return at;
}

static MlirValue pixel_at(const xc_ir *ir, const int64_t strides[3],
                          const position *at) {
  MlirValue offset = xc_ir_add(ir, xc_ir_muli(ir, at->image, strides[0]),
                               xc_ir_muli(ir, at->y, strides[1]));
  return xc_ir_add(ir, offset, xc_ir_muli(ir, at->x, strides[2]));
}

// Panels of equal width, from channel `first` of each group and element
// `weights` of its packed weights on.
static void write_panels(xc_conv_code *code, MlirValue image, int64_t panels,
                         int64_t vectors, int64_t last, int64_t first,
                         int64_t weights) {
  xc_ir *ir = code->ir;
  const xc_conv *conv = code->conv;
  const xc_conv_plan *plan = code->plan;
  int64_t group_weights = plan->panels * plan->panel_elements +
                          (plan->tail ? plan->tail_elements : 0);
  int64_t count = conv->group * panels *
                  xc_ceil_div64(plan->out_w, plan->tile_w) *
                  xc_ceil_div64(plan->band_h, plan->tile_h);
  int64_t elements = plan->runs_h * plan->runs_w * plan->steps * plan->depth *
                     vectors * plan->lanes;
  xc_counted tiles =
      xc_counted_begin(ir, count, plan->threads > 1 && plan->shares == 1);
  position at = position_of(ir, plan, tiles.index, panels);
  at.image = image;
  MlirValue channel =
      xc_ir_addi(ir, xc_ir_muli(ir, at.panel, vectors * plan->lanes), first);
  MlirValue outputs =
      xc_ir_add(ir, channel, xc_ir_muli(ir, at.group, plan->output_group));
  const int64_t source_strides[] = {plan->copy ? 0 : conv->in_strides[0],
                                    plan->step_h * plan->row,
                                    plan->step_w * plan->pixel};
  MlirValue source = xc_ir_add(ir, pixel_at(ir, source_strides, &at),
                               xc_ir_muli(ir, at.group, plan->source_group));
  at.y = xc_ir_add(ir, at.y, code->band);
  xc_conv_place place = {
      .source = plan->copy ? xc_ir_add(ir, source, code->copy_at)
                           : xc_ir_addi(ir, source, conv->in_offset),
      .weights =
          xc_ir_addi(ir,
                     xc_ir_add(ir, xc_ir_muli(ir, at.group, group_weights),
                               xc_ir_muli(ir, at.panel, elements)),
                     weights),
      .channel = xc_ir_add(ir, channel,
                           xc_ir_muli(ir, at.group, plan->group_channels)),
      .output = xc_ir_addi(
          ir, xc_ir_add(ir, pixel_at(ir, code->output_strides, &at), outputs),
          code->output_offset)};
  if (conv->depthwise)
    place.source = xc_ir_add(ir, place.source, channel);
  if (conv->finish.epilogue.residual)
    place.residual = xc_ir_addi(
        ir, xc_ir_add(ir, pixel_at(ir, code->residual_strides, &at), outputs),
        code->residual_offset);
  xc_conv_write_tile(code, &place, vectors, last);
  xc_counted_end(ir, &tiles);
}

void xc_conv_write_products(xc_conv_code *code, MlirValue image) {
  const xc_conv_plan *plan = code->plan;
  if (plan->panels > 0)
    write_panels(code, image, plan->panels, plan->vectors, plan->lanes, 0, 0);
  if (plan->tail > 0)
    write_panels(code, image, 1, plan->tail_vectors,
                 plan->tail - (plan->tail_vectors - 1) * plan->lanes,
                 plan->panels * plan->vectors * plan->lanes,
                 plan->panels * plan->panel_elements);
}

static void write_band(xc_conv_code *code, MlirValue image, MlirValue share,
                       void *state) {
  xc_ir *ir = code->ir;
  const xc_conv *conv = code->conv;
  (void)share;
  (void)state;
  if (code->plan->copy)
    xc_conv_write_copy(
        code, xc_ir_addi(ir, xc_ir_muli(ir, image, conv->in_strides[0]),
                         conv->in_offset));
  xc_conv_write_products(code, image);
}

int64_t xc_conv_copy_size(const xc_conv_plan *plan) {
  enum { SLACK = 64 }; // whole vectors may be read where a copy ends
  return plan->copy_h * plan->row + SLACK;
}

void xc_conv_write_bands(xc_conv_code *code, MlirValue image,
                         xc_band_writer write, void *state) {
  xc_ir *ir = code->ir;
  const xc_conv_plan *plan = code->plan;
  code->band = code->copy_at = xc_ir_index(ir, 0);
  if (plan->bands == 1) {
    write(code, image, code->band, state);
    return;
  }
  xc_counted share = xc_counted_begin(ir, plan->shares, plan->shares > 1);
  code->copy_at = xc_ir_muli(ir, share.index, xc_conv_copy_size(plan));
  // Bands are dealt out evenly.
  MlirValue shares = xc_ir_index(ir, plan->shares);
  MlirValue first =
      xc_ir_divu(ir, xc_ir_muli(ir, share.index, plan->bands), shares);
  MlirValue end = xc_ir_divu(
      ir, xc_ir_muli(ir, xc_ir_addi(ir, share.index, 1), plan->bands), shares);
  xc_ir_loop bands = xc_ir_for(ir, first, end, xc_ir_index(ir, 1), NULL, 0);
  code->band = tile_start(ir, bands.index, plan->band_h, plan->out_h);
  write(code, image, share.index, state);
  xc_ir_end_for(ir, &bands, NULL);
  xc_counted_end(ir, &share);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static MlirType source_element(const xc_ir *ir, const xc_conv_plan *plan) {
  if (plan->real)
    return ir->f32;
  return xc_dot_is_of_bytes(plan->machine.dot) ? ir->i8 : ir->i16;
}

static void write_function(xc_ir *ir, xc_vec_call *call, void *state) {
  const writer *w = state;
  const xc_conv *conv = &w->conv;
  const xc_conv_plan *plan = &w->plan;
  int64_t strides[XC_MAX_RANK];
  xc_conv_code code = {
      .ir = ir,
      .conv = conv,
      .plan = plan,
      .element = source_element(ir, plan),
      .accumulator = xc_vec_type(plan->real ? ir->f32 : ir->i32, plan->lanes)};
  code.input = xc_vec_flatten(ir, call->inside[w->input], strides);
  code.output = xc_vec_flatten(ir, call->inside[w->output], strides);
  code.weights = call->inside[w->weights];
  memcpy(code.output_strides, conv->out_strides, sizeof(conv->out_strides));
  code.output_offset = xc_conv_step_strides(conv, code.output_strides);
  if (conv->finish.epilogue.residual) {
    code.residual =
        xc_vec_flatten(ir, call->inside[w->residual], code.residual_strides);
    if (conv->finish.epilogue.residual_of_channels)
      memset(code.residual_strides, 0, sizeof(code.residual_strides));
    else if (conv->rows) // dense, of any rank
      memcpy(code.residual_strides, conv->out_strides,
             sizeof(conv->out_strides));
    code.residual_offset = xc_conv_step_strides(conv, code.residual_strides);
  }
  if (plan->copy)
    code.scratch = call->inside[w->scratch];
  code.source = plan->copy ? code.scratch : code.input;
  for (size_t i = 0; i < w->tables.count; ++i)
    code.tables[i] = call->inside[w->tables.first + i];
  xc_counted images = xc_counted_begin(ir, conv->batch, false);
  xc_conv_write_bands(&code, images.index, write_band, NULL);
  xc_counted_end(ir, &images);
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

static void add_weights(xc_vec_call *call, writer *w) {
  xc_element element;
  int64_t count;
  void *packed = xc_conv_pack(&w->conv, &w->plan, &element, &count);
  w->weights = xc_vec_call_const(call, packed, element, count);
  free(packed);
}

static void add_scratch(xc_vec_call *call, writer *w) {
  const xc_conv_plan *plan = &w->plan;
  if (!plan->copy)
    return;
  xc_element element = plan->real                              ? XC_ELEMENT_F32
                       : xc_dot_is_of_bytes(plan->machine.dot) ? XC_ELEMENT_I8
                                                               : XC_ELEMENT_I16;
  w->scratch = xc_vec_call_scratch(call, element,
                                   plan->shares * xc_conv_copy_size(plan));
}

static bool read(MlirOperation operation, const xc_vec_fusion *fusion,
                 xc_conv *conv) {
  if (!xc_conv_read(operation, fusion->output, conv))
    return false;
  conv->finish.epilogue = fusion->epilogue;
  return !conv->finish.epilogue.residual || !conv->rows ||
         xc_ir_is_contiguous(mlirValueGetType(fusion->residual));
}

static void build_call(xc_vec_target *target, MlirOperation operation,
                       const xc_vec_fusion *fusion, xc_conv *conv) {
  xc_winograd winograd;
  if (xc_winograd_make(conv, &target->machine, target->threads, &winograd)) {
    xc_winograd_build(target, operation, fusion, &winograd);
    return;
  }
  writer w = {.conv = *conv};
  w.plan = xc_conv_make_plan(&w.conv, &target->machine, target->threads);
  xc_text key = {0};
  xc_conv_key(&w.conv, &w.plan, &key);
  xc_vec_call call = {.outliner = &target->outliner,
                      .builder = xc_builder_before(fusion->place),
                      .name = xc_op_info_of(operation)->mnemonic,
                      .key = &key};
  call.builder.location = mlirOperationGetLocation(operation);
  w.input = xc_vec_call_buffer(
      &call, mlirOperationGetOperand(operation, XC_CONV2D_INPUT), false);
  add_weights(&call, &w);
  w.tables = xc_conv_add_tables(&call, &w.conv, &w.plan);
  if (w.conv.finish.epilogue.residual)
    w.residual = xc_vec_call_buffer(&call, fusion->residual, false);
  add_scratch(&call, &w);
  w.output = xc_vec_call_buffer(&call, fusion->output, true);
  xc_vec_call_build(&call, write_function, &w);
  xc_text_free(&key);
}

bool xc_vec_lower_conv(xc_vec_target *target, MlirOperation operation,
                       const xc_vec_fusion *fusion) {
  xc_conv conv, phase;
  bool ok = read(operation, fusion, &conv);
  for (int64_t i = 0; ok && i < xc_conv_num_phases(&conv); ++i)
    if (xc_conv_make_phase(&conv, i, &phase))
      build_call(target, operation, fusion, &phase);
  xc_arena_free(&conv.arena);
  return ok;
}
