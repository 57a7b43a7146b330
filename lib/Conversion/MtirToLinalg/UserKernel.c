//===- UserKernel.c - calls of functions of the user ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserKernel.h"
#include "UserKernelSizes.h"

#include "IR/Function.h"
#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

// The buffers of a call, and its sizes.
typedef struct call {
  MlirValue buffers[3]; // input, weights, output
  int64_t sizes[XC_KERNEL_NUM_SIZES];
} call;

// The call carries what C needs: the name, the types of the arguments, and
// which one is written.
static void build_call(xc_lowering *l, const call *c) {
  const xc_kernel_row *row = l->outliner->kernel;
  xc_ir *ir = &l->ir;
  MlirValue operands[XC_KERNEL_MAX_ARGUMENTS];
  MlirAttribute types[XC_KERNEL_MAX_ARGUMENTS];
  MlirType operand_types[XC_KERNEL_MAX_ARGUMENTS];
  int64_t output = 0;
  for (size_t i = 0; i < row->num_arguments; ++i) {
    const xc_kernel_argument *a = &row->arguments[i];
    operands[i] = a->what >= XC_KERNEL_INPUT
                      ? c->buffers[a->what - XC_KERNEL_INPUT]
                      : xc_ir_int(ir, ir->i32, c->sizes[a->what]);
    output = a->what == XC_KERNEL_OUTPUT ? (int64_t)i : output;
    operand_types[i] = mlirValueGetType(operands[i]);
    types[i] = mlirStringAttrGet(ir->context, xc_ref(a->type));
  }
  const char *declared =
      xc_outline_declare(l->outliner, ir->location, row->function,
                         operand_types, row->num_arguments);
  const MlirNamedAttribute attributes[] = {
      xc_named(ir->context, "callee",
               mlirFlatSymbolRefAttrGet(ir->context, xc_ref(declared))),
      xc_named(ir->context, "xc.function",
               mlirStringAttrGet(ir->context, xc_ref(row->function))),
      xc_named(
          ir->context, "xc.types",
          mlirArrayAttrGet(ir->context, (intptr_t)row->num_arguments, types))};
  xc_ir_operation(ir, "func.call", operands, row->num_arguments, attributes, 3);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

// An image in the layout of the kernel.
typedef struct image {
  int64_t batch, height, width, channels;
  bool channels_first;
} image;

static MlirValue scratch_image(xc_lowering *l, const image *i,
                               xc_element element) {
  const int64_t first[] = {i->batch, i->channels, i->height, i->width};
  const int64_t last[] = {i->batch, i->height, i->width, i->channels};
  return xc_lowering_scratch(l, element, 4, i->channels_first ? first : last);
}

// Where an element at N, H, W, C stands.
static void place(const image *i, const MlirValue *at, MlirValue *place) {
  place[0] = at[0];
  place[1] = i->channels_first ? at[3] : at[1];
  place[2] = i->channels_first ? at[1] : at[2];
  place[3] = i->channels_first ? at[2] : at[3];
}

static MlirValue inside(const xc_ir *ir, MlirValue index, int64_t size) {
  return xc_ir_and(ir, xc_ir_comparei(ir, XC_IR_GE, index, 0),
                   xc_ir_comparei(ir, XC_IR_LT, index, size));
}

// Copies the input: rows and columns before the first and after the last are
// padding.
static MlirValue copy_input(xc_lowering *l, const image *to, int64_t before_h,
                            int64_t before_w, int64_t padding) {
  xc_ir *ir = &l->ir;
  const xc_shape *in = &l->shapes[XC_CONV2D_INPUT];
  MlirType element = xc_ir_element_type(
      mlirShapedTypeGetElementType(mlirValueGetType(l->buffers[0])));
  MlirValue copy = scratch_image(l, to, in->element);
  const int64_t dims[] = {to->batch, to->height, to->width, to->channels};
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, 4, dims);
  MlirValue row = xc_ir_addi(ir, nest.at[1], -before_h);
  MlirValue column = xc_ir_addi(ir, nest.at[2], -before_w);
  MlirValue valid = xc_ir_and(ir, inside(ir, row, in->dims[1]),
                              inside(ir, column, in->dims[2]));
  xc_ir_branch branch = xc_ir_if(ir, valid, &element, 1);
  const MlirValue from[] = {nest.at[0], row, column, nest.at[3]};
  MlirValue value = xc_ir_load(ir, l->buffers[0], from, 4);
  xc_ir_else(ir, &branch, &value);
  value = mlirTypeIsAF32(element) ? xc_ir_float(ir, element, 0)
                                  : xc_ir_int(ir, element, padding);
  xc_ir_end_if(ir, &branch, &value);
  MlirValue at[4];
  place(to, nest.at, at);
  xc_ir_store(ir, xc_ir_if_result(&branch, 0), copy, at, 4);
  xc_ir_nest_end(ir, &nest);
  return copy;
}

// A sum as the type that the lowering goes on with.
static MlirValue read_sum(xc_lowering *l, MlirValue buffer, const MlirValue *at,
                          size_t rank, const xc_products *products) {
  xc_ir *ir = &l->ir;
  MlirValue sum = xc_ir_load(ir, buffer, at, rank);
  MlirType type = mlirValueGetType(products->zero);
  return mlirTypeIsAF64(type) ? xc_ir_float_cast(ir, sum, type)
                              : xc_ir_int_cast(ir, sum, type);
}

static xc_element sum_element(const xc_lowering *l) {
  return l->outliner->kernel->is_float ? XC_ELEMENT_F32 : XC_ELEMENT_I32;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// The input as the kernel wants it; sets the sizes that say so.
static MlirValue conv_input(xc_lowering *l, const xc_products *products,
                            int64_t *sizes) {
  const xc_kernel_row *row = l->outliner->kernel;
  xc_window window = xc_window_of(l->op);
  bool symmetric =
      window.h.before == window.h.after && window.w.before == window.w.after;
  bool takes_pads = xc_kernel_row_has(row, XC_KERNEL_PAD_HEIGHT) &&
                    xc_kernel_row_has(row, XC_KERNEL_PAD_WIDTH);
  image to = {sizes[XC_KERNEL_BATCH], sizes[XC_KERNEL_IN_HEIGHT],
              sizes[XC_KERNEL_IN_WIDTH], sizes[XC_KERNEL_IN_CHANNELS],
              row->channels_first};
  if (products->padding == 0 && symmetric && takes_pads)
    return row->channels_first ? copy_input(l, &to, 0, 0, 0) : l->buffers[0];
  sizes[XC_KERNEL_PAD_HEIGHT] = sizes[XC_KERNEL_PAD_WIDTH] = 0;
  bool is_padded =
      window.h.before || window.h.after || window.w.before || window.w.after;
  if (!is_padded && !row->channels_first)
    return l->buffers[0];
  // As far as windows reach.
  if (is_padded) {
    to.height =
        (window.h.outputs - 1) * window.h.stride + xc_window_span(&window.h);
    to.width =
        (window.w.outputs - 1) * window.w.stride + xc_window_span(&window.w);
  }
  sizes[XC_KERNEL_IN_HEIGHT] = to.height;
  sizes[XC_KERNEL_IN_WIDTH] = to.width;
  return copy_input(l, &to, window.h.before, window.w.before,
                    products->padding);
}

void xc_user_kernel_conv(xc_lowering *l, const xc_products *products) {
  xc_ir *ir = &l->ir;
  call c;
  xc_user_kernel_sizes(l->op, l->shapes, &l->result, false, c.sizes);
  image out = {c.sizes[XC_KERNEL_BATCH], c.sizes[XC_KERNEL_OUT_HEIGHT],
               c.sizes[XC_KERNEL_OUT_WIDTH], c.sizes[XC_KERNEL_OUT_CHANNELS],
               l->outliner->kernel->channels_first};
  c.buffers[0] = conv_input(l, products, c.sizes);
  c.buffers[1] = l->buffers[XC_CONV2D_WEIGHT];
  c.buffers[2] = scratch_image(l, &out, sum_element(l));
  build_call(l, &c);
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, 4, l->result.dims);
  MlirValue at[4];
  place(&out, nest.at, at);
  MlirValue sum = read_sum(l, c.buffers[2], at, 4, products);
  products->finish(l, sum, nest.at[3], nest.at, products->state);
  xc_ir_nest_end(ir, &nest);
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

void xc_user_kernel_dense(xc_lowering *l, const xc_products *products) {
  xc_ir *ir = &l->ir;
  const xc_shape *out = &l->result;
  call c;
  for (int i = 0; i < XC_KERNEL_NUM_SIZES; ++i)
    c.sizes[i] = 1;
  c.sizes[XC_KERNEL_PAD_HEIGHT] = c.sizes[XC_KERNEL_PAD_WIDTH] = 0;
  c.sizes[XC_KERNEL_OUT_CHANNELS] = out->dims[out->rank - 1];
  c.sizes[XC_KERNEL_IN_CHANNELS] =
      l->shapes[XC_MATMUL_A].dims[l->shapes[XC_MATMUL_A].rank - 1];
  c.sizes[XC_KERNEL_BATCH] =
      xc_shape_num_elements(out) / c.sizes[XC_KERNEL_OUT_CHANNELS];
  c.buffers[0] = l->buffers[XC_MATMUL_A];
  c.buffers[1] = l->buffers[XC_MATMUL_B];
  c.buffers[2] = xc_lowering_scratch(l, sum_element(l), out->rank, out->dims);
  build_call(l, &c);
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, out->rank, out->dims);
  MlirValue sum = read_sum(l, c.buffers[2], nest.at, out->rank, products);
  products->finish(l, sum, nest.at[out->rank - 1], nest.at, products->state);
  xc_ir_nest_end(ir, &nest);
}
