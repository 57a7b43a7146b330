//===- UserKernel.c - operators around functions of the user --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserKernel.h"

#include "OpParams/Quant.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static const xc_kernel_row *row_of(const xc_lowering *l) {
  return l->outliner->kernel->row;
}

bool xc_user_kernel_leaves_bias(const xc_lowering *l, size_t slot) {
  return xc_has_operand(l->op, slot) &&
         !(l->outliner->kernel && xc_kernel_row_has(row_of(l), XC_KERNEL_BIAS));
}

static MlirValue *buffer(xc_kernel_call *c, int what) {
  return &c->buffers[what - XC_KERNEL_INPUT];
}

// Whether a pointer to the first element says all about a buffer.
static bool is_plain(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  int64_t strides[XC_MAX_RANK], offset = 0;
  return xc_ir_is_contiguous(type) &&
         mlirLogicalResultIsSuccess(
             mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) &&
         offset == 0;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

// An image with its layout.
typedef struct image {
  int64_t batch, height, width, channels;
  bool channels_first;
} image;

// The sizes of the dimensions as they lie.
static void image_dims(const image *i, int64_t *dims) {
  dims[0] = i->batch;
  dims[1] = i->channels_first ? i->channels : i->height;
  dims[2] = i->channels_first ? i->height : i->width;
  dims[3] = i->channels_first ? i->width : i->channels;
}

// Whether an image lies alike in both layouts.
static bool is_same(const image *i, bool channels_first) {
  return i->channels_first == channels_first || i->channels == 1 ||
         i->height * i->width == 1;
}

static MlirValue scratch_image(xc_lowering *l, const image *i,
                               xc_element element) {
  int64_t dims[4];
  image_dims(i, dims);
  return xc_lowering_scratch(l, element, 4, dims);
}

// Where an element at N, H, W, C stands.
static void place(bool channels_first, const MlirValue *at, MlirValue *place) {
  place[0] = at[0];
  place[1] = channels_first ? at[3] : at[1];
  place[2] = channels_first ? at[1] : at[2];
  place[3] = channels_first ? at[2] : at[3];
}

// Loops over an image as it lies; `at` is N, H, W, C.
static void image_loops(xc_ir *ir, const image *i, xc_ir_nest *nest,
                        MlirValue *at) {
  int64_t dims[4];
  image_dims(i, dims);
  xc_ir_nest_begin(ir, nest, 4, dims);
  bool first = i->channels_first;
  at[0] = nest->at[0];
  at[1] = nest->at[first ? 2 : 1];
  at[2] = nest->at[first ? 3 : 2];
  at[3] = nest->at[first ? 1 : 3];
}

// Returns a buffer of the model, NHWC by its type, that holds NCHW.
static MlirValue turned(const xc_ir *ir, MlirValue value,
                        const xc_shape *shape) {
  const image i = {shape->dims[0], shape->dims[1], shape->dims[2],
                   shape->dims[3], true};
  int64_t dims[4];
  image_dims(&i, dims);
  return xc_ir_reshape(ir, value, 4, dims);
}

static MlirValue inside(const xc_ir *ir, MlirValue index, int64_t size) {
  return xc_ir_and(ir, xc_ir_comparei(ir, XC_IR_GE, index, 0),
                   xc_ir_comparei(ir, XC_IR_LT, index, size));
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

// Copies the input: rows and columns before the first and after the last are
// padding.
static MlirValue copy_input(xc_lowering *l, const image *to,
                            const xc_window *window, int64_t padding) {
  xc_ir *ir = &l->ir;
  const xc_shape *in = &l->shapes[XC_CONV2D_INPUT];
  bool first = l->outliner->kernel->input_first;
  MlirValue source = l->buffers[XC_CONV2D_INPUT];
  MlirType element = xc_ir_element_type(
      mlirShapedTypeGetElementType(mlirValueGetType(source)));
  if (first)
    source = turned(ir, source, in);
  MlirValue copy = scratch_image(l, to, in->element);
  bool is_padded = to->height != in->dims[1] || to->width != in->dims[2] ||
                   window->h.before || window->w.before;
  xc_ir_nest nest;
  MlirValue at[4], from[4], value;
  image_loops(ir, to, &nest, at);
  const MlirValue shifted[] = {
      at[0], is_padded ? xc_ir_addi(ir, at[1], -window->h.before) : at[1],
      is_padded ? xc_ir_addi(ir, at[2], -window->w.before) : at[2], at[3]};
  place(first, shifted, from);
  if (is_padded) {
    MlirValue valid = xc_ir_and(ir, inside(ir, shifted[1], in->dims[1]),
                                inside(ir, shifted[2], in->dims[2]));
    xc_ir_branch branch = xc_ir_if(ir, valid, &element, 1);
    value = xc_ir_load(ir, source, from, 4);
    xc_ir_else(ir, &branch, &value);
    value = mlirTypeIsAF32(element) ? xc_ir_float(ir, element, 0)
                                    : xc_ir_int(ir, element, padding);
    xc_ir_end_if(ir, &branch, &value);
    value = xc_ir_if_result(&branch, 0);
  } else {
    value = xc_ir_load(ir, source, from, 4);
  }
  xc_ir_store(ir, value, copy, nest.at, 4);
  xc_ir_nest_end(ir, &nest);
  return copy;
}

// Returns the input as the kernel wants it; sets the sizes that say so.
static MlirValue conv_input(xc_lowering *l, const xc_products *products,
                            int64_t *sizes) {
  const xc_kernel_row *row = row_of(l);
  xc_window window = xc_window_of(l->op);
  image to = {sizes[XC_KERNEL_BATCH], sizes[XC_KERNEL_IN_HEIGHT],
              sizes[XC_KERNEL_IN_WIDTH], sizes[XC_KERNEL_IN_CHANNELS],
              row->channels_first};
  bool is_padded =
      window.h.before || window.h.after || window.w.before || window.w.after;
  if (is_padded && !xc_kernel_pads(row, &window, products->padding)) {
    // As far as windows reach.
    to.height =
        (window.h.outputs - 1) * window.h.stride + xc_window_span(&window.h);
    to.width =
        (window.w.outputs - 1) * window.w.stride + xc_window_span(&window.w);
    sizes[XC_KERNEL_PAD_HEIGHT] = sizes[XC_KERNEL_PAD_WIDTH] = 0;
    sizes[XC_KERNEL_IN_HEIGHT] = to.height;
    sizes[XC_KERNEL_IN_WIDTH] = to.width;
    return copy_input(l, &to, &window, products->padding);
  }
  if (is_same(&to, l->outliner->kernel->input_first) &&
      is_plain(l->buffers[XC_CONV2D_INPUT]))
    return l->buffers[XC_CONV2D_INPUT];
  window.h.before = window.w.before = 0;
  return copy_input(l, &to, &window, 0);
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

// Returns a table of one number for each channel.
static MlirValue channel_table(xc_lowering *l, const void *numbers,
                               xc_element element, int64_t channels) {
  return xc_lowering_table(l, numbers, element, 1, &channels);
}

// Multipliers and shifts to the left, or factors, as TFLite and ONNX Runtime
// have them.
static void add_scales(xc_lowering *l, xc_kernel_call *c) {
  const xc_kernel_row *row = row_of(l);
  if (!xc_kernel_row_has(row, XC_KERNEL_MULTIPLIERS) &&
      !xc_kernel_row_has(row, XC_KERNEL_SCALES))
    return;
  int64_t channels = c->sizes[XC_KERNEL_OUT_CHANNELS];
  xc_qconv q = xc_qconv_of(l->op, l->arena);
  int32_t *values = xc_lowering_alloc(l, channels, sizeof(*values));
  int32_t *shifts = xc_lowering_alloc(l, channels, sizeof(*shifts));
  float *factors = xc_lowering_alloc(l, channels, sizeof(*factors));
  for (int64_t i = 0; i < channels; ++i) {
    int64_t scale = q.scales == 1 ? 0 : i;
    values[i] = q.multipliers[scale].value;
    shifts[i] = q.multipliers[scale].shift;
    factors[i] = q.factors[scale];
  }
  if (xc_kernel_row_has(row, XC_KERNEL_SCALES)) {
    *buffer(c, XC_KERNEL_SCALES) =
        channel_table(l, factors, XC_ELEMENT_F32, channels);
    return;
  }
  *buffer(c, XC_KERNEL_MULTIPLIERS) =
      channel_table(l, values, XC_ELEMENT_I32, channels);
  *buffer(c, XC_KERNEL_SHIFTS) =
      channel_table(l, shifts, XC_ELEMENT_I32, channels);
}

// The bias, of zeros where the model has none.
static void add_bias(xc_lowering *l, xc_kernel_call *c) {
  int64_t channels = c->sizes[XC_KERNEL_OUT_CHANNELS];
  if (!xc_kernel_row_has(row_of(l), XC_KERNEL_BIAS))
    return;
  if (xc_has_operand(l->op, XC_CONV2D_BIAS)) {
    *buffer(c, XC_KERNEL_BIAS) = l->buffers[XC_CONV2D_BIAS];
    return;
  }
  void *zeros = xc_lowering_alloc(l, channels, sizeof(int32_t));
  memset(zeros, 0, (size_t)channels * sizeof(int32_t));
  *buffer(c, XC_KERNEL_BIAS) = channel_table(
      l, zeros, row_of(l)->is_float ? XC_ELEMENT_F32 : XC_ELEMENT_I32,
      channels);
}

static void add_epilogue(xc_lowering *l, xc_kernel_call *c) {
  const xc_kernel_row *row = row_of(l);
  add_bias(l, c);
  add_scales(l, c);
  c->sizes[XC_KERNEL_SCRATCH_BYTES] = xc_kernel_scratch_bytes(row, c->sizes);
  int64_t bytes = c->sizes[XC_KERNEL_SCRATCH_BYTES];
  if (xc_kernel_row_has(row, XC_KERNEL_SCRATCH))
    *buffer(c, XC_KERNEL_SCRATCH) =
        xc_lowering_scratch(l, XC_ELEMENT_I8, 1, &bytes);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

// Whether a kernel leaves nothing to compute.
static bool is_complete(const xc_lowering *l) {
  const xc_kernel_row *row = row_of(l);
  return row->is_float ? !xc_user_kernel_leaves_bias(l, XC_CONV2D_BIAS)
                       : xc_kernel_row_requantises(row);
}

static xc_element output_element(const xc_lowering *l) {
  const xc_kernel_row *row = row_of(l);
  return row->is_float                    ? XC_ELEMENT_F32
         : xc_kernel_row_requantises(row) ? XC_ELEMENT_I8
                                          : XC_ELEMENT_I32;
}

// Stores what the kernel has computed at `from` of a buffer: as it is, or as
// the type of sums that the lowering goes on with.
static void finish(xc_lowering *l, const xc_products *products,
                   MlirValue computed, const MlirValue *from, MlirValue channel,
                   const MlirValue *at) {
  xc_ir *ir = &l->ir;
  size_t rank = l->result.rank;
  MlirValue value = xc_ir_load(ir, computed, from, rank);
  if (is_complete(l)) {
    xc_ir_store(ir, value, l->output, at, rank);
    return;
  }
  MlirType type = mlirValueGetType(products->zero);
  value = mlirTypeIsAF64(type) ? xc_ir_float_cast(ir, value, type)
                               : xc_ir_int_cast(ir, value, type);
  products->finish(l, value, channel, at, products->state);
}

void xc_user_kernel_conv(xc_lowering *l, const xc_products *products) {
  xc_ir *ir = &l->ir;
  const xc_kernel_use *use = l->outliner->kernel;
  xc_kernel_call c = {0};
  xc_kernel_sizes(l->op, l->shapes, &l->result, c.sizes);
  image out = {c.sizes[XC_KERNEL_BATCH], c.sizes[XC_KERNEL_OUT_HEIGHT],
               c.sizes[XC_KERNEL_OUT_WIDTH], c.sizes[XC_KERNEL_OUT_CHANNELS],
               use->row->channels_first};
  *buffer(&c, XC_KERNEL_INPUT) = conv_input(l, products, c.sizes);
  *buffer(&c, XC_KERNEL_WEIGHTS) = l->buffers[XC_CONV2D_WEIGHT];
  add_epilogue(l, &c);
  bool direct =
      is_complete(l) && is_plain(l->output) && is_same(&out, use->output_first);
  MlirValue computed =
      direct ? l->output : scratch_image(l, &out, output_element(l));
  *buffer(&c, XC_KERNEL_OUTPUT) = computed;
  xc_user_kernel_call(l, &c);
  if (direct)
    return;
  if (use->output_first)
    l->output = turned(ir, l->output, &l->result);
  xc_ir_nest nest;
  MlirValue at[4], from[4], to[4];
  out.channels_first = use->output_first;
  image_loops(ir, &out, &nest, at);
  place(use->row->channels_first, at, from);
  place(use->output_first, at, to);
  finish(l, products, computed, from, at[3], to);
  xc_ir_nest_end(ir, &nest);
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

static MlirValue copy_dense(xc_lowering *l, size_t slot) {
  xc_ir *ir = &l->ir;
  const xc_shape *shape = &l->shapes[slot];
  MlirValue copy =
      xc_lowering_scratch(l, shape->element, shape->rank, shape->dims);
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, shape->rank, shape->dims);
  xc_ir_store(ir, xc_ir_load(ir, l->buffers[slot], nest.at, shape->rank), copy,
              nest.at, shape->rank);
  xc_ir_nest_end(ir, &nest);
  return copy;
}

void xc_user_kernel_dense(xc_lowering *l, const xc_products *products) {
  xc_ir *ir = &l->ir;
  const xc_shape *out = &l->result;
  xc_kernel_call c = {0};
  xc_kernel_sizes(l->op, l->shapes, out, c.sizes);
  *buffer(&c, XC_KERNEL_INPUT) = is_plain(l->buffers[XC_MATMUL_A])
                                     ? l->buffers[XC_MATMUL_A]
                                     : copy_dense(l, XC_MATMUL_A);
  *buffer(&c, XC_KERNEL_WEIGHTS) = l->buffers[XC_MATMUL_B];
  add_epilogue(l, &c);
  bool direct = is_complete(l) && is_plain(l->output);
  MlirValue computed =
      direct ? l->output
             : xc_lowering_scratch(l, output_element(l), out->rank, out->dims);
  *buffer(&c, XC_KERNEL_OUTPUT) = computed;
  xc_user_kernel_call(l, &c);
  if (direct)
    return;
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, out->rank, out->dims);
  finish(l, products, computed, nest.at, nest.at[out->rank - 1], nest.at);
  xc_ir_nest_end(ir, &nest);
}
