//===- WinogradCode.c - code of Winograd's filtering ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each band: the padded copy, transformed tiles, their products with the
// weights, outputs.
//
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "Vec.h"
#include "Winograd.h"

#include <stdlib.h>
#include <string.h>

enum { OUT = XC_WINOGRAD_OUT, IN = XC_WINOGRAD_IN, ELEMENTS = IN * IN };

/// State of the code of a band.
typedef struct band_code {
  const xc_winograd *winograd;
  xc_conv_code *copy; // has the output, the residual and the bias
  xc_conv_code *product;
  MlirValue share; // number of the thread
} band_code;

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

// B^T d of four vectors.
static void transform_input(const xc_ir *ir, MlirValue v[], int step) {
  MlirValue d0 = v[0], d1 = v[step], d2 = v[2 * step], d3 = v[3 * step];
  v[0] = xc_ir_sub(ir, d0, d2);
  v[step] = xc_ir_add(ir, d1, d2);
  v[2 * step] = xc_ir_sub(ir, d2, d1);
  v[3 * step] = xc_ir_sub(ir, d1, d3);
}

// A^T m of four vectors, into the first two.
static void transform_output(const xc_ir *ir, MlirValue v[], int step) {
  MlirValue m0 = v[0], m1 = v[step], m2 = v[2 * step], m3 = v[3 * step];
  v[0] = xc_ir_add(ir, m0, xc_ir_add(ir, m1, m2));
  v[step] = xc_ir_sub(ir, xc_ir_sub(ir, m1, m2), m3);
}

/// Loops over the tiles of a band and the vectors of channels.
typedef struct tile_loops {
  xc_counted y, x, c;
  MlirValue tile, channel;
} tile_loops;

static tile_loops begin_tiles(xc_ir *ir, const xc_winograd *w,
                              int64_t channels) {
  tile_loops loops;
  loops.y = xc_counted_begin(ir, w->band_tiles, false);
  loops.x = xc_counted_begin(ir, w->tiles_w, false);
  loops.tile =
      xc_ir_add(ir, xc_ir_muli(ir, loops.y.index, w->tiles_w), loops.x.index);
  loops.c = xc_counted_begin(ir, channels / w->plan.lanes, false);
  loops.channel = xc_ir_muli(ir, loops.c.index, w->plan.lanes);
  return loops;
}

static void end_tiles(xc_ir *ir, tile_loops *loops) {
  xc_counted_end(ir, &loops->c);
  xc_counted_end(ir, &loops->x);
  xc_counted_end(ir, &loops->y);
}

static void write_inputs(band_code *code) {
  xc_ir *ir = code->copy->ir;
  const xc_winograd *w = code->winograd;
  const xc_conv_plan *plan = &w->plan;
  tile_loops loops = begin_tiles(ir, w, w->conv->in_c);
  MlirValue from =
      xc_ir_add(ir, code->copy->copy_at,
                xc_ir_add(ir, xc_ir_muli(ir, loops.y.index, OUT * plan->row),
                          xc_ir_muli(ir, loops.x.index, OUT * plan->pixel)));
  from = xc_ir_add(ir, from, loops.channel);
  MlirValue v[ELEMENTS];
  for (int i = 0; i < ELEMENTS; ++i)
    v[i] = xc_vec_load(ir, code->copy->scratch, from,
                       i / IN * plan->row + i % IN * plan->pixel,
                       code->copy->accumulator);
  for (int x = 0; x < IN; ++x)
    transform_input(ir, v + x, IN);
  for (int y = 0; y < IN; ++y)
    transform_input(ir, v + y * IN, 1);
  MlirValue to =
      xc_ir_add(ir, xc_ir_muli(ir, loops.tile, w->conv->in_c), loops.channel);
  to = xc_ir_add(ir, to, code->product->copy_at);
  for (int i = 0; i < ELEMENTS; ++i)
    xc_vec_store(ir, v[i], code->product->scratch, to,
                 i * w->products.source_group);
  end_tiles(ir, &loops);
}

// Writes one of the four outputs of a tile.
static void write_output(const band_code *code, MlirValue sum, MlirValue at,
                         MlirValue residual_at, int64_t position) {
  const xc_conv_code *copy = code->copy;
  const xc_ir *ir = copy->ir;
  MlirValue residual = {NULL};
  const int64_t y = position / OUT, x = position % OUT;
  if (!mlirValueIsNull(residual_at))
    residual = xc_vec_load(ir, copy->residual, residual_at,
                           y * copy->residual_strides[1] +
                               x * copy->residual_strides[2],
                           copy->accumulator);
  MlirValue value = xc_epilogue_write(
      ir, &code->winograd->conv->finish.epilogue, sum, residual);
  xc_vec_store(ir, value, copy->output, at,
               y * copy->output_strides[1] + x * copy->output_strides[2]);
}

static MlirValue output_at(const xc_ir *ir, const int64_t strides[3],
                           const MlirValue place[3]) {
  MlirValue at = xc_ir_muli(ir, place[0], strides[0]);
  for (int i = 1; i < 3; ++i)
    at = xc_ir_add(ir, at, xc_ir_muli(ir, place[i], strides[i]));
  return at;
}

// The last row (column) of an odd image is the first of its tile.
static bool begin_second(xc_ir *ir, MlirValue first, int64_t outputs,
                         bool second, xc_ir_branch *branch) {
  if (!second || outputs % OUT == 0)
    return false;
  MlirValue inside =
      xc_ir_compare(ir, XC_IR_ULT, first, xc_ir_index(ir, outputs - 1));
  *branch = xc_ir_if(ir, inside, NULL, 0);
  return true;
}

static void write_outputs(band_code *code, MlirValue image) {
  xc_conv_code *copy = code->copy;
  xc_ir *ir = copy->ir;
  const xc_winograd *w = code->winograd;
  const xc_conv *conv = w->conv;
  tile_loops loops = begin_tiles(ir, w, conv->out_c);
  MlirValue from =
      xc_ir_add(ir, xc_ir_muli(ir, loops.tile, conv->out_c), loops.channel);
  from =
      xc_ir_add(ir, from, xc_ir_muli(ir, code->share, xc_winograd_outputs(w)));
  MlirValue v[ELEMENTS];
  for (int i = 0; i < ELEMENTS; ++i)
    v[i] = xc_vec_load(ir, code->product->output, from,
                       i * w->products.output_group, copy->accumulator);
  for (int x = 0; x < IN; ++x)
    transform_output(ir, v + x, IN);
  for (int y = 0; y < OUT; ++y)
    transform_output(ir, v + y * IN, 1);
  const MlirValue place[] = {
      image, xc_ir_muli(ir, xc_ir_add(ir, loops.y.index, copy->band), OUT),
      xc_ir_muli(ir, loops.x.index, OUT)};
  MlirValue bias = xc_conv_bias(copy, loops.channel, 0);
  MlirValue at =
      xc_ir_add(ir, output_at(ir, copy->output_strides, place), loops.channel);
  MlirValue residual = {NULL};
  if (conv->finish.epilogue.residual)
    residual = xc_ir_add(ir, output_at(ir, copy->residual_strides, place),
                         loops.channel);
  for (int i = 0; i < OUT * OUT; ++i) {
    xc_ir_branch row, column;
    bool rows = begin_second(ir, place[1], conv->out_h, i / OUT, &row);
    bool columns = begin_second(ir, place[2], conv->out_w, i % OUT, &column);
    write_output(code, xc_ir_add(ir, v[i / OUT * IN + i % OUT], bias), at,
                 residual, i);
    if (columns)
      xc_ir_end_if(ir, &column, NULL);
    if (rows)
      xc_ir_end_if(ir, &row, NULL);
  }
  end_tiles(ir, &loops);
}

static void write_band(xc_conv_code *copy, MlirValue image, MlirValue share,
                       void *state) {
  band_code *code = state;
  const xc_winograd *w = code->winograd;
  const xc_ir *ir = copy->ir;
  code->share = share;
  code->product->copy_at = xc_ir_muli(ir, share, xc_winograd_inputs(w));
  code->product->band = xc_ir_index(ir, 0);
  xc_conv_write_copy(
      copy, xc_ir_addi(ir, xc_ir_muli(ir, image, w->conv->in_strides[0]),
                       w->conv->in_offset));
  write_inputs(code);
  xc_conv_write_products(code->product, share);
  write_outputs(code, image);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

typedef struct writer {
  const xc_winograd *winograd;
  // Arguments.
  size_t input, output, residual, weights, copy, inputs, products;
  xc_conv_tables bias, zeros;
} writer;

static void find_residual(const xc_vec_call *call, const writer *w,
                          xc_conv_code *code) {
  const xc_epilogue *epilogue = &w->winograd->conv->finish.epilogue;
  if (!epilogue->residual)
    return;
  code->residual = xc_vec_flatten(code->ir, call->inside[w->residual],
                                  code->residual_strides);
  if (epilogue->residual_of_channels)
    memset(code->residual_strides, 0, sizeof(code->residual_strides));
}

static void write_function(xc_ir *ir, xc_vec_call *call, void *state) {
  const writer *w = state;
  const xc_winograd *winograd = w->winograd;
  int64_t strides[XC_MAX_RANK];
  xc_conv_code copy = {.ir = ir,
                       .conv = winograd->conv,
                       .plan = &winograd->plan,
                       .element = ir->f32,
                       .accumulator =
                           xc_vec_type(ir->f32, winograd->plan.lanes),
                       .scratch = call->inside[w->copy],
                       .tables = {call->inside[w->bias.first]}};
  copy.input = xc_vec_flatten(ir, call->inside[w->input], strides);
  copy.output =
      xc_vec_flatten(ir, call->inside[w->output], copy.output_strides);
  find_residual(call, w, &copy);
  xc_conv_code product = {.ir = ir,
                          .conv = &winograd->product,
                          .plan = &winograd->products,
                          .element = ir->f32,
                          .accumulator =
                              xc_vec_type(ir->f32, winograd->products.lanes),
                          .scratch = call->inside[w->inputs],
                          .source = call->inside[w->inputs],
                          .weights = call->inside[w->weights],
                          .output = call->inside[w->products],
                          .output_strides = {xc_winograd_outputs(winograd)},
                          .tables = {call->inside[w->zeros.first]}};
  memcpy(product.output_strides + 1, winograd->product.out_strides + 1,
         2 * sizeof(*product.output_strides));
  band_code code = {.winograd = winograd, .copy = &copy, .product = &product};
  xc_counted images = xc_counted_begin(ir, winograd->conv->batch, false);
  xc_conv_write_bands(&copy, images.index, write_band, &code);
  xc_counted_end(ir, &images);
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

static void add_weights(xc_vec_call *call, writer *w) {
  xc_element element;
  int64_t count;
  void *packed = xc_conv_pack(&w->winograd->product, &w->winograd->products,
                              &element, &count);
  w->weights = xc_vec_call_const(call, packed, element, count);
  free(packed);
}

static size_t add_scratch(xc_vec_call *call, const writer *w, int64_t count) {
  return xc_vec_call_scratch(call, XC_ELEMENT_F32,
                             w->winograd->plan.shares * count);
}

void xc_winograd_build(xc_vec_target *target, MlirOperation operation,
                       const xc_vec_fusion *fusion,
                       const xc_winograd *winograd) {
  writer w = {.winograd = winograd};
  xc_text key = {0};
  xc_conv_key(winograd->conv, &winograd->plan, &key);
  xc_text_puts(&key, ",winograd");
  xc_vec_call call = {.outliner = &target->outliner,
                      .builder = xc_builder_before(fusion->place),
                      .name = xc_op_info_of(operation)->mnemonic,
                      .key = &key};
  call.builder.location = mlirOperationGetLocation(operation);
  w.input = xc_vec_call_buffer(
      &call, mlirOperationGetOperand(operation, XC_CONV2D_INPUT), false);
  add_weights(&call, &w);
  w.bias = xc_conv_add_tables(&call, winograd->conv, &winograd->plan);
  w.zeros = xc_conv_add_tables(&call, &winograd->product, &winograd->products);
  if (winograd->conv->finish.epilogue.residual)
    w.residual = xc_vec_call_buffer(&call, fusion->residual, false);
  w.copy = add_scratch(&call, &w, xc_conv_copy_size(&winograd->plan));
  w.inputs = add_scratch(&call, &w, xc_winograd_inputs(winograd));
  w.products = add_scratch(&call, &w, xc_winograd_outputs(winograd));
  w.output = xc_vec_call_buffer(&call, fusion->output, true);
  xc_vec_call_build(&call, write_function, &w);
  xc_text_free(&key);
}
