//===- Conv.c - convolutions and matrix products --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"

#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

const xc_tosa_product *xc_tosa_product_of(const xc_tosa_converter *c,
                                          MlirValue value) {
  return xc_pointer_map_get(&c->products, value.ptr);
}

static xc_op_kind real_kind(xc_op_kind quantised) {
  switch ((int)quantised) {
  case XC_TIR_QLINEAR_CONV2D:
    return XC_TIR_CONV2D;
  case XC_TIR_QLINEAR_DEPTHWISE_CONV2D:
    return XC_TIR_DEPTHWISE_CONV2D;
  case XC_TIR_QLINEAR_TRANSPOSED_CONV2D:
    return XC_TIR_TRANSPOSED_CONV2D;
  default:
    return XC_TIR_MATMUL;
  }
}

// Around the result there is nothing but the bias.
static MlirValue emit_bordered(xc_tosa_converter *c, const xc_tosa_product *p,
                               xc_op_kind kind, const MlirValue *operands) {
  enum { BIAS = 2 };
  const int64_t *b = p->border;
  const int64_t pads[] = {0, 0, b[0], b[1], b[2], b[3], 0, 0};
  const xc_attribute attributes[] = {xc_ints("paddings", pads, 8),
                                     xc_float("constant_value", 0)};
  MlirValue x = xc_tosa_emit(c, kind, operands, BIAS, p->attributes,
                             p->num_attributes, XC_ELEMENT_NONE);
  x = xc_tosa_emit(c, XC_TIR_PAD, &x, 1, attributes, 2, XC_ELEMENT_NONE);
  return xc_tosa_emit_binary(c, XC_TIR_ADD, x, operands[BIAS]);
}

static MlirValue emit_real(xc_tosa_converter *c, const xc_tosa_product *p,
                           xc_op_kind kind, const MlirValue *operands) {
  if (p->has_border)
    return emit_bordered(c, p, kind, operands);
  return xc_tosa_emit(c, kind, operands, p->num_operands, p->attributes,
                      p->num_attributes, XC_ELEMENT_NONE);
}

MlirValue xc_tosa_emit_sums(xc_tosa_converter *c, const xc_tosa_product *p,
                            xc_element element) {
  const int64_t zeros[3] = {p->input_zero, p->weight_zero, 0};
  MlirValue operands[3];
  if (element != XC_ELEMENT_I32)
    return (MlirValue){NULL};
  for (size_t i = 0; i < p->num_operands; ++i) {
    operands[i] = xc_tosa_emit_cast(c, p->operands[i], XC_ELEMENT_F64);
    if (zeros[i] != 0)
      operands[i] = xc_tosa_emit_binary(
          c, XC_TIR_SUB, operands[i],
          xc_tosa_emit_number(c, (double)zeros[i], XC_ELEMENT_F64));
  }
  MlirValue sums = emit_real(c, p, real_kind(p->kind), operands);
  return xc_tosa_emit_cast(c, sums, element);
}

static void add(xc_tosa_product *p, xc_attribute attribute) {
  p->attributes[p->num_attributes++] = attribute;
}

// `first` is the operand with the first of the two zero points.
static bool begin(xc_tosa_converter *c, xc_tosa_product *p, intptr_t first) {
  MlirValue input = xc_tosa_operand(c, 0), weight = xc_tosa_operand(c, 1);
  if (mlirValueIsNull(input) || mlirValueIsNull(weight) ||
      !xc_tosa_scalar(c, first, "zero point of the input", &p->input_zero) ||
      !xc_tosa_scalar(c, first + 1, "zero point of the weight",
                      &p->weight_zero))
    return false;
  xc_element element = xc_tosa_shape(input).element;
  xc_shape result = xc_tosa_result_shape(c);
  p->operands[0] = input;
  p->operands[1] = weight;
  p->num_operands = 2;
  p->location = c->builder.location;
  p->is_float = xc_element_is_float(element);
  p->channels = result.dims[result.rank - 1];
  if (p->is_float && xc_tosa_shape(weight).element != element)
    return xc_tosa_error(c, "has weights of another type than its input");
  return true;
}

// Float operators are built; sums of integers wait for what follows.
static bool finish(xc_tosa_converter *c, const xc_tosa_product *p) {
  if (p->is_float)
    return xc_tosa_done(c, emit_real(c, p, p->kind, p->operands));
  for (size_t i = 0; i < p->num_operands; ++i)
    if (mlirValueIsNull(p->operands[i]))
      return false;
  xc_pointer_map_set(&c->products, mlirOperationGetResult(c->op, 0).ptr,
                     (void *)p);
  return xc_tosa_postpone(c, "has sums that no 'tosa.rescale' brings back to 8 "
                             "bits");
}

static bool repeat_bias(xc_tosa_converter *c, xc_tosa_product *p,
                        MlirValue bias) {
  const xc_attribute shape = xc_ints("shape", &p->channels, 1);
  bias = xc_tosa_emit(c, XC_TIR_EXPAND, &bias, 1, &shape, 1, XC_ELEMENT_NONE);
  p->operands[p->num_operands++] = bias;
  return !mlirValueIsNull(bias);
}

// One bias for all channels is repeated.
static bool add_bias(xc_tosa_converter *c, xc_tosa_product *p) {
  MlirValue bias = xc_tosa_operand(c, 2);
  if (mlirValueIsNull(bias))
    return false;
  xc_shape shape = xc_tosa_shape(bias);
  if (xc_shape_num_elements(&shape) == 1 && p->channels > 1) {
    size_t each = xc_element_size(shape.element);
    const unsigned char *one = xc_tosa_bytes(c, bias);
    if (!one)
      return repeat_bias(c, p, bias);
    shape.dims[0] = p->channels;
    unsigned char *all = xc_arena_alloc(&c->arena, (size_t)p->channels, each);
    for (int64_t i = 0; i < p->channels; ++i)
      memcpy(all + (size_t)i * each, one, each);
    bias = xc_tosa_emit_const(c, all, &shape);
  }
  p->operands[p->num_operands++] = bias;
  return !mlirValueIsNull(bias);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

enum { MOST_PADDING = 65535 };

// Spatial attributes of TOSA are height first, those of tir width first.
static void swap(int64_t *pair) {
  int64_t height = pair[0];
  pair[0] = pair[1];
  pair[1] = height;
}

// top, bottom, left, right to left, right, top, bottom.
static void swap_sides(int64_t *sides) {
  const int64_t old[4] = {sides[0], sides[1], sides[2], sides[3]};
  for (int i = 0; i < 4; ++i)
    sides[i] = old[(i + 2) % 4];
}

enum { KERNEL = 0, STRIDE = 2, DILATION = 4, PAD = 6, EXTRA = 10 };

static bool add_window(xc_tosa_converter *c, xc_tosa_product *p, int64_t height,
                       int64_t width) {
  p->ints[KERNEL] = width;
  p->ints[KERNEL + 1] = height;
  if (!xc_tosa_int_array(c, "stride", p->ints + STRIDE, 2))
    return false;
  swap(p->ints + STRIDE);
  add(p, xc_ints("kernel", p->ints + KERNEL, 2));
  add(p, xc_ints("stride", p->ints + STRIDE, 2));
  add(p, xc_ints("pad", p->ints + PAD, 4));
  return true;
}

static bool add_dilation(xc_tosa_converter *c, xc_tosa_product *p) {
  if (!xc_tosa_int_array(c, "dilation", p->ints + DILATION, 2) ||
      !xc_tosa_int_array(c, "pad", p->ints + PAD, 4))
    return false;
  swap(p->ints + DILATION);
  swap_sides(p->ints + PAD);
  add(p, xc_ints("dilation", p->ints + DILATION, 2));
  return true;
}

static xc_tosa_product *begin_conv(xc_tosa_converter *c, xc_op_kind real,
                                   xc_op_kind quantised) {
  xc_tosa_product *p = xc_arena_alloc(&c->arena, 1, sizeof(*p));
  if (!begin(c, p, 3))
    return NULL;
  p->kind = p->is_float ? real : quantised;
  if (xc_tosa_shape(p->operands[0]).rank == 4 &&
      xc_tosa_shape(p->operands[1]).rank == 4 && add_bias(c, p))
    return p;
  xc_tosa_error(c, "has operands of another rank than 4");
  return NULL;
}

bool xc_tosa_conv2d(xc_tosa_converter *c) {
  xc_tosa_product *p = begin_conv(c, XC_TIR_CONV2D, XC_TIR_QLINEAR_CONV2D);
  if (!p)
    return false;
  xc_shape weight = xc_tosa_shape(p->operands[1]);
  int64_t channels = xc_tosa_shape(p->operands[0]).dims[3];
  if (weight.dims[3] != channels)
    return xc_tosa_error(c,
                         "has weights for %" PRId64 " channels, but the input "
                         "has %" PRId64,
                         weight.dims[3], channels);
  return add_dilation(c, p) &&
         add_window(c, p, weight.dims[1], weight.dims[2]) && finish(c, p);
}

// From [KH, KW, C, M] to [M, KH, KW, C].
bool xc_tosa_depthwise_conv2d(xc_tosa_converter *c) {
  static const int64_t order[] = {3, 0, 1, 2};
  xc_tosa_product *p =
      begin_conv(c, XC_TIR_DEPTHWISE_CONV2D, XC_TIR_QLINEAR_DEPTHWISE_CONV2D);
  if (!p)
    return false;
  p->operands[1] = xc_tosa_emit_permuted(c, p->operands[1], order);
  if (mlirValueIsNull(p->operands[1]))
    return false;
  xc_shape weight = xc_tosa_shape(p->operands[1]);
  return add_dilation(c, p) &&
         add_window(c, p, weight.dims[1], weight.dims[2]) && finish(c, p);
}

// tir correlates where TOSA scatters: the filter turns around.
static MlirValue emit_turned(xc_tosa_converter *c, MlirValue weight) {
  xc_shape shape = xc_tosa_shape(weight);
  size_t each = xc_element_size(shape.element);
  const unsigned char *bytes = xc_tosa_bytes(c, weight);
  if (!bytes)
    return xc_tosa_emit_reversed(c, xc_tosa_emit_reversed(c, weight, 1), 2);
  size_t taps = (size_t)(shape.dims[1] * shape.dims[2]);
  size_t depth = (size_t)shape.dims[3] * each;
  unsigned char *turned = xc_arena_alloc(
      &c->arena, (size_t)xc_shape_num_elements(&shape) + 1, each);
  for (size_t o = 0; o < (size_t)shape.dims[0]; ++o)
    for (size_t k = 0; k < taps; ++k)
      memcpy(turned + (o * taps + k) * depth,
             bytes + (o * taps + taps - 1 - k) * depth, depth);
  return xc_tosa_emit_const(c, turned, &shape);
}

// Rows and columns are cut off the full result, or added around it: up to a
// stride at its end by the operator itself.
static bool add_out_pad(xc_tosa_converter *c, xc_tosa_product *p) {
  int64_t pads[4], stride[2];
  if (!xc_tosa_int_array(c, "out_pad", pads, 4) ||
      !xc_tosa_int_array(c, "stride", stride, 2))
    return false;
  p->has_border = pads[0] > 0 || pads[2] > 0 || pads[1] >= stride[0] ||
                  pads[3] >= stride[1];
  for (int i = 0; i < 4; ++i) {
    if (pads[i] < -MOST_PADDING || pads[i] > MOST_PADDING)
      return xc_tosa_error(c, "has out_pad %" PRId64, pads[i]);
    if (p->has_border && pads[i] > 0) {
      p->border[i] = pads[i];
      pads[i] = 0;
    }
  }
  swap_sides(pads);
  for (int i = 0; i < 4; ++i)
    p->ints[PAD + i] = pads[i] < 0 ? -pads[i] : 0;
  p->ints[EXTRA] = pads[1] > 0 ? pads[1] : 0;
  p->ints[EXTRA + 1] = pads[3] > 0 ? pads[3] : 0;
  add(p, xc_ints("output_padding", p->ints + EXTRA, 2));
  return true;
}

bool xc_tosa_transpose_conv2d(xc_tosa_converter *c) {
  xc_tosa_product *p =
      begin_conv(c, XC_TIR_TRANSPOSED_CONV2D, XC_TIR_QLINEAR_TRANSPOSED_CONV2D);
  if (!p)
    return false;
  p->operands[1] = emit_turned(c, p->operands[1]);
  if (mlirValueIsNull(p->operands[1]))
    return false;
  xc_shape weight = xc_tosa_shape(p->operands[1]);
  return add_out_pad(c, p) &&
         add_window(c, p, weight.dims[1], weight.dims[2]) && finish(c, p);
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

bool xc_tosa_matmul(xc_tosa_converter *c) {
  xc_tosa_product *p = xc_arena_alloc(&c->arena, 1, sizeof(*p));
  if (!begin(c, p, 2))
    return false;
  p->kind = p->is_float ? XC_TIR_MATMUL : XC_TIR_QLINEAR_MATMUL;
  return finish(c, p);
}
