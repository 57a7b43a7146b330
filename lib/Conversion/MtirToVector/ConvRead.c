//===- ConvRead.c - convolutions from operators ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Vec.h"

#include "mlir-c/BuiltinTypes.h"

#include "IR/IR.h"
#include "OpParams/Window.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static int64_t int_at(const void *bytes, xc_element element, int64_t i) {
  switch (element) {
  case XC_ELEMENT_I8:
    return ((const int8_t *)bytes)[i];
  case XC_ELEMENT_UI8:
    return ((const uint8_t *)bytes)[i];
  case XC_ELEMENT_I16:
    return ((const int16_t *)bytes)[i];
  case XC_ELEMENT_I32:
    return ((const int32_t *)bytes)[i];
  default:
    return ((const int64_t *)bytes)[i];
  }
}

static bool is_int(xc_element element) {
  return element == XC_ELEMENT_I8 || element == XC_ELEMENT_UI8 ||
         element == XC_ELEMENT_I16 || element == XC_ELEMENT_I32 ||
         element == XC_ELEMENT_I64;
}

// Reads the elements of a constant operand in the arena, as float or 32-bit
// integers. Returns false for other elements, values that do not fit, and no
// constants.
static bool read_constant(const xc_adaptor *op, size_t slot, xc_arena *arena,
                          float **reals, int32_t **ints, int64_t *count) {
  MlirOperation constant = xc_constant_of(xc_operand(op, slot));
  if (mlirOperationIsNull(constant))
    return false;
  xc_shape shape = xc_operand_shape(op, slot);
  *count = xc_shape_num_elements(&shape);
  if (reals ? shape.element != XC_ELEMENT_F32 : !is_int(shape.element))
    return false;
  size_t size;
  void *bytes = xc_const_bytes(constant, &size);
  if (!bytes)
    return false;
  bool fits = true;
  if (reals) {
    *reals = xc_arena_alloc(arena, (size_t)*count, sizeof(**reals));
    memcpy(*reals, bytes, size);
  } else {
    *ints = xc_arena_alloc(arena, (size_t)*count, sizeof(**ints));
    for (int64_t i = 0; i < *count; ++i) {
      int64_t value = int_at(bytes, shape.element, i);
      fits = fits && value >= INT32_MIN && value <= INT32_MAX;
      (*ints)[i] = (int32_t)value;
    }
  }
  free(bytes);
  return fits;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static bool read_layout(MlirType type, int64_t strides[XC_MAX_RANK]) {
  int64_t all[XC_MAX_RANK] = {0}, offset;
  if (!xc_vec_is_flat(type) ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, all, &offset)))
    return false;
  memcpy(strides, all, sizeof(all));
  return true;
}

static bool read_window(const xc_adaptor *op, MlirType output, xc_conv *conv) {
  size_t last = op->info->num_operands - 1;
  xc_shape in = xc_operand_shape(op, XC_CONV2D_INPUT),
           out = xc_operand_shape(op, last);
  xc_window window = xc_window_of(op);
  conv->depthwise = xc_is_depthwise(op);
  conv->transposed = xc_is_transposed(op);
  conv->batch = in.dims[0];
  conv->in_h = in.dims[1];
  conv->in_w = in.dims[2];
  conv->in_c = in.dims[3];
  conv->out_h = out.dims[1];
  conv->out_w = out.dims[2];
  conv->out_c = out.dims[3];
  conv->kernel_w = window.w.kernel;
  conv->kernel_h = window.h.kernel;
  conv->stride_w = window.w.stride;
  conv->stride_h = window.h.stride;
  conv->dilation_w = window.w.dilation;
  conv->dilation_h = window.h.dilation;
  conv->left = window.w.before;
  conv->top = window.h.before;
  conv->out_step_w = conv->out_step_h = 1;
  conv->group = xc_group_of(op);
  // All outputs of one channel are an ordinary convolution: [O, KH, KW, 1].
  conv->depthwise = conv->depthwise && (conv->in_c != 1 || conv->out_c == 1);
  // Other channel multipliers, and kernels or strides that would make long
  // code, are rare.
  const int64_t largest = 128, most_phases = 16;
  return (!conv->depthwise || (conv->out_c == conv->in_c &&
                               conv->kernel_h * conv->kernel_w <= largest)) &&
         xc_conv_num_phases(conv) <= most_phases &&
         read_layout(mlirValueGetType(xc_operand(op, XC_CONV2D_INPUT)),
                     conv->in_strides) &&
         read_layout(output, conv->out_strides);
}

// [rows, depth] times [outputs, depth] is a convolution of one image of one row
// with a kernel of one tap.
static bool read_rows(const xc_adaptor *op, MlirType output, xc_conv *conv,
                      const xc_shape *input, int64_t depth, int64_t outputs) {
  if (depth == 0) // sums of nothing
    return false;
  int64_t rows = xc_shape_num_elements(input) / depth;
  conv->rows = true;
  conv->batch = conv->in_h = conv->out_h = 1;
  conv->in_w = conv->out_w = rows;
  conv->in_c = depth;
  conv->out_c = outputs;
  conv->kernel_h = conv->kernel_w = conv->stride_h = conv->stride_w = 1;
  conv->dilation_h = conv->dilation_w = conv->group = 1;
  conv->out_step_h = conv->out_step_w = 1;
  for (int i = 0; i < 3; ++i) {
    conv->in_strides[i] = i == 2 ? depth : rows * depth;
    conv->out_strides[i] = i == 2 ? outputs : rows * outputs;
  }
  return xc_ir_is_contiguous(
             mlirValueGetType(xc_operand(op, XC_CONV2D_INPUT))) &&
         xc_ir_is_contiguous(output);
}

static void transpose(xc_conv *conv) {
  int64_t rows = conv->in_c, columns = conv->out_c;
  size_t count = (size_t)(rows * columns);
  int32_t *ints = conv->int_weights;
  float *reals = conv->real_weights;
  if (ints)
    conv->int_weights = xc_arena_alloc(&conv->arena, count, sizeof(*ints));
  else
    conv->real_weights = xc_arena_alloc(&conv->arena, count, sizeof(*reals));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      if (ints)
        conv->int_weights[c * rows + r] = ints[r * columns + c];
      else
        conv->real_weights[c * rows + r] = reals[r * columns + c];
}

static bool read_matmul(const xc_adaptor *op, MlirType output, xc_conv *conv) {
  xc_shape a = xc_operand_shape(op, XC_MATMUL_A),
           b = xc_operand_shape(op, XC_MATMUL_B);
  for (size_t i = 0; i + 2 < b.rank; ++i)
    if (b.dims[i] != 1)
      return false;
  if (a.rank < 2 || b.rank < 2 || xc_attr_bool(op, XC_ATTR_TRANSPOSE_A))
    return false;
  bool swapped = xc_attr_bool(op, XC_ATTR_TRANSPOSE_B);
  int64_t outputs = b.dims[b.rank - (swapped ? 2 : 1)];
  return read_rows(op, output, conv, &a, a.dims[a.rank - 1], outputs);
}

static bool read_inner_product(const xc_adaptor *op, MlirType output,
                               xc_conv *conv) {
  xc_shape input = xc_operand_shape(op, XC_INNER_PRODUCT_INPUT),
           weight = xc_operand_shape(op, XC_INNER_PRODUCT_WEIGHT);
  return read_rows(op, output, conv, &input, weight.dims[1], weight.dims[0]);
}

static bool read_shape(const xc_adaptor *op, MlirType output, xc_conv *conv) {
  switch (op->info->rule) {
  case XC_RULE_CONV2D:
  case XC_RULE_DEPTHWISE_CONV2D:
  case XC_RULE_TRANSPOSED_CONV2D:
  case XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D:
    return read_window(op, output, conv);
  case XC_RULE_MATMUL:
    return read_matmul(op, output, conv);
  case XC_RULE_INNER_PRODUCT:
    return read_inner_product(op, output, conv);
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static bool read_weights(const xc_adaptor *op, xc_conv *conv, bool real) {
  int64_t count, biases;
  if (!read_constant(op, XC_CONV2D_WEIGHT, &conv->arena,
                     real ? &conv->real_weights : NULL,
                     real ? NULL : &conv->int_weights, &count))
    return false;
  if (xc_has_operand(op, XC_CONV2D_BIAS)) {
    if (!read_constant(op, XC_CONV2D_BIAS, &conv->arena,
                       real ? &conv->real_bias : NULL,
                       real ? NULL : &conv->int_bias, &biases) ||
        biases != conv->out_c)
      return false;
  } else if (real) {
    conv->real_bias = xc_arena_alloc(&conv->arena, (size_t)conv->out_c,
                                     sizeof(*conv->real_bias));
  } else {
    conv->int_bias = xc_arena_alloc(&conv->arena, (size_t)conv->out_c,
                                    sizeof(*conv->int_bias));
  }
  if (op->info->rule == XC_RULE_MATMUL &&
      !xc_attr_bool(op, XC_ATTR_TRANSPOSE_B))
    transpose(conv);
  return true;
}

// Weights count from their zero point, which may be one per channel.
static bool centre_weights(const xc_adaptor *op, xc_conv *conv) {
  int64_t ints[XC_MAX_INTS];
  size_t points = xc_has_attr(op, XC_ATTR_WEIGHT_ZERO_POINT)
                      ? xc_attr_ints(op, XC_ATTR_WEIGHT_ZERO_POINT, ints)
                      : 0;
  int64_t taps = conv->kernel_h * conv->kernel_w;
  int64_t inner = conv->depthwise ? 1 : taps * conv->in_c / conv->group;
  int64_t count = conv->depthwise ? taps * conv->in_c : conv->out_c * inner;
  for (int64_t i = 0; points && i < count; ++i) {
    int64_t channel = conv->depthwise ? i % conv->in_c : i / inner;
    conv->int_weights[i] -= (int32_t)xc_attr_int_at(
        op, XC_ATTR_WEIGHT_ZERO_POINT, points == 1 ? 0 : (size_t)channel);
  }
  // Sixteen bits are what the dot products take.
  for (int64_t i = 0; i < count; ++i)
    if (conv->int_weights[i] > 255 || conv->int_weights[i] < -255)
      return false;
  return true;
}

// A border as large as the window can leave rows and columns of outputs that
// see nothing else; such operators are not worth a plan.
static bool sees_the_image(const xc_conv *conv) {
  return conv->top <= (conv->kernel_h - 1) * conv->dilation_h &&
         conv->left <= (conv->kernel_w - 1) * conv->dilation_w;
}

bool xc_conv_read(MlirOperation operation, MlirValue output, xc_conv *conv) {
  *conv = (xc_conv){0};
  xc_adaptor op;
  if (!xc_adaptor_of(operation, &op) || op.info->dialect != XC_DIALECT_MTIR ||
      !xc_has_operand(&op, XC_CONV2D_WEIGHT))
    return false;
  size_t last = op.info->num_operands - 1;
  conv->in_element = xc_operand_shape(&op, XC_CONV2D_INPUT).element;
  conv->out_element = xc_operand_shape(&op, last).element;
  bool real = conv->in_element == XC_ELEMENT_F32;
  if (real ? conv->out_element != XC_ELEMENT_F32
           : xc_element_size(conv->in_element) != 1 ||
                 xc_element_size(conv->out_element) != 1)
    return false;
  MlirType type = mlirValueGetType(output);
  if (!xc_vec_is_flat(type) || !read_shape(&op, type, conv) ||
      !sees_the_image(conv) || !read_weights(&op, conv, real))
    return false;
  if (real)
    return true;
  return centre_weights(&op, conv) && xc_conv_read_finish(&op, conv);
}
