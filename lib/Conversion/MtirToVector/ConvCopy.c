//===- ConvCopy.c - padded copies of images -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Loop.h"
#include "Vec.h"

#include "Support/Math.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct copier {
  xc_conv_code *code;
  int64_t lanes;    // elements that are copied at once
  MlirValue border; // one vector of them
} copier;

// Returns the input element in the form that dot products take.
static MlirValue convert(const copier *c, MlirValue value, int64_t lanes) {
  const xc_conv *conv = c->code->conv;
  const xc_conv_plan *plan = c->code->plan;
  const xc_ir *ir = c->code->ir;
  if (plan->real)
    return value;
  MlirType type = xc_vec_type(c->code->element, lanes);
  bool is_signed = conv->in_element == XC_ELEMENT_I8;
  if (xc_dot_is_of_bytes(plan->machine.dot))
    return plan->bias_of_bytes ? xc_ir_xor(ir, value, xc_ir_int(ir, type, -128))
                               : value;
  value = is_signed ? xc_ir_int_cast(ir, value, type)
                    : xc_ir_uint_cast(ir, value, type);
  return xc_ir_addi(ir, value, -conv->input_zero);
}

static void copy_piece(const copier *c, MlirValue to, MlirValue from,
                       int64_t offset, int64_t lanes) {
  const xc_ir *ir = c->code->ir;
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(c->code->input));
  MlirValue value = xc_vec_load(ir, c->code->input, from, offset,
                                xc_vec_type(element, lanes));
  xc_vec_store(ir, convert(c, value, lanes), c->code->scratch, to, offset);
}

static void fill_piece(const copier *c, MlirValue to, MlirValue from,
                       int64_t offset, int64_t lanes) {
  (void)from;
  xc_vec_store(c->code->ir, xc_vec_head(c->code->ir, c->border, lanes),
               c->code->scratch, to, offset);
}

typedef void (*piece_writer)(const copier *c, MlirValue to, MlirValue from,
                             int64_t offset, int64_t lanes);

// `count` elements in whole vectors; the last vector overlaps the one before
// it, or smaller and smaller ones follow.
static void write_span(const copier *c, piece_writer write, MlirValue to,
                       MlirValue from, int64_t count) {
  xc_ir *ir = c->code->ir;
  int64_t whole = count / c->lanes;
  if (whole > 0) {
    xc_counted loop = xc_counted_begin(ir, whole, false);
    MlirValue at = xc_ir_muli(ir, loop.index, c->lanes);
    write(c, xc_ir_add(ir, to, at), xc_ir_add(ir, from, at), 0, c->lanes);
    xc_counted_end(ir, &loop);
    if (count % c->lanes)
      write(c, to, from, count - c->lanes, c->lanes);
    return;
  }
  int64_t offset = 0;
  for (int64_t lanes = c->lanes / 2; lanes > 0; lanes /= 2)
    if (count - offset >= lanes) {
      write(c, to, from, offset, lanes);
      offset += lanes;
    }
}

static void copy_row(const copier *c, MlirValue to, MlirValue from) {
  xc_ir *ir = c->code->ir;
  const xc_conv *conv = c->code->conv;
  const xc_conv_plan *plan = c->code->plan;
  int64_t step = plan->copy_step_w * conv->in_strides[2];
  int64_t left = xc_minimum64(conv->left, plan->copy_w);
  int64_t inside =
      xc_minimum64((conv->in_w + plan->copy_step_w - 1) / plan->copy_step_w,
                   plan->copy_w - left);
  int64_t right = plan->copy_w - left - inside;
  if (left > 0)
    write_span(c, fill_piece, to, to, left * conv->in_c);
  MlirValue at = xc_ir_addi(ir, to, left * conv->in_c);
  if (step == conv->in_c) {
    write_span(c, copy_piece, at, from, inside * conv->in_c);
  } else {
    xc_counted loop = xc_counted_begin(ir, inside, false);
    write_span(c, copy_piece,
               xc_ir_add(ir, at, xc_ir_muli(ir, loop.index, conv->in_c)),
               xc_ir_add(ir, from, xc_ir_muli(ir, loop.index, step)),
               conv->in_c);
    xc_counted_end(ir, &loop);
  }
  if (right > 0)
    write_span(c, fill_piece, xc_ir_addi(ir, at, inside * conv->in_c), at,
               right * conv->in_c);
}

// Rows and columns beyond the image hold the zero point.
void xc_conv_write_copy(xc_conv_code *code, MlirValue input_at) {
  xc_ir *ir = code->ir;
  const xc_conv *conv = code->conv;
  const xc_conv_plan *plan = code->plan;
  int64_t size = plan->real ? 4 : xc_dot_is_of_bytes(plan->machine.dot) ? 1 : 2;
  copier c = {.code = code, .lanes = plan->machine.vector_bytes / size};
  MlirType type = xc_vec_type(code->element, c.lanes);
  // In 16 bits the zero point has been subtracted.
  c.border = plan->real ? xc_ir_float(ir, type, 0)
             : xc_dot_is_of_bytes(plan->machine.dot)
                 ? xc_ir_int(ir, type,
                             (int8_t)(conv->input_zero + plan->bias_of_bytes))
                 : xc_ir_int(ir, type, 0);
  int64_t top = xc_minimum64(conv->top, plan->copy_rows);
  int64_t inside =
      xc_minimum64((conv->in_h + plan->copy_step_h - 1) / plan->copy_step_h,
                   plan->copy_rows - top);
  bool parallel = plan->threads > 1 && plan->shares == 1;
  xc_counted rows = xc_counted_begin(ir, plan->copy_h, parallel);
  MlirValue to =
      xc_ir_add(ir, xc_ir_muli(ir, rows.index, plan->row), code->copy_at);
  MlirValue row = xc_ir_addi(
      ir, xc_ir_add(ir, rows.index, xc_ir_muli(ir, code->band, plan->step_h)),
      -top);
  MlirValue from =
      xc_ir_add(ir, input_at,
                xc_ir_muli(ir, row, plan->copy_step_h * conv->in_strides[1]));
  if (inside == plan->copy_rows) {
    copy_row(&c, to, from);
  } else {
    // Unsigned: rows above the image are below 0.
    xc_ir_branch branch =
        xc_ir_if(ir, xc_ir_compare(ir, XC_IR_ULT, row, xc_ir_index(ir, inside)),
                 NULL, 0);
    copy_row(&c, to, from);
    xc_ir_else(ir, &branch, NULL);
    write_span(&c, fill_piece, to, to, plan->row);
    xc_ir_end_if(ir, &branch, NULL);
  }
  xc_counted_end(ir, &rows);
}
